/* Versions of variables in texts for people: left out where nothing else has the name. */
#include <stdlib.h>

#include "out/versions.h"
#include "testlib.h"

static void shows(const char *text, const char *beside, const char *expected) {
  char *shown = without_versions(text, beside);
  assert_string_equal(shown, expected);
  free(shown);
}

static void one_version_is_the_name(void **state) {
  (void)state;
  shows("abs(q<1> - v@2) <= t", "q<1> = 1/2, v@2 = 0", "abs(q<1> - v) <= t");
  shows("a'b@12<1> = a'b@3<2>", NULL, "a'b<1> = a'b<2>");
  shows("v@3 = v@3 + 1", "", "v = v + 1");
  shows("2*exp(x@10)", "x@10 = 1", "2*exp(x)");
}

static void several_versions_keep_their_numbers(void **state) {
  (void)state;
  shows("a@1 = a@3", NULL, "a@1 = a@3");
  shows("a@1 = b@2", "a@3 = 0", "a@1 = b");
  shows("x@2<1> = x<1>", NULL, "x@2<1> = x<1>");
  shows("x@2<1> = x<2>", NULL, "x<1> = x<2>");
  shows("keep@4 = keep", NULL, "keep@4 = keep");
  shows("(v<1> + v@6) mod 3", NULL, "(v<1> + v@6) mod 3");
}

static void other_text_stays(void **state) {
  (void)state;
  shows("0 < 2^i@2 - 1e3@", NULL, "0 < 2^i - 1e3@");
  shows("1/2 <= q<1>[i<1>]", NULL, "1/2 <= q<1>[i<1>]");
  shows("x<y", "x@2", "x<y");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_version_is_the_name),
                                     cmocka_unit_test(several_versions_keep_their_numbers),
                                     cmocka_unit_test(other_text_stays)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
