/* Both distributions of a counterexample are right: densities against their closed form, discrete
 * probabilities against their sum and against the certified event. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/judge/verify.h"
#include "report/render/html_put.h"
#include "testlib.h"

static struct file_record *verified(const char *path) {
  struct verify_options options = verify_default_options();
  options.distributions = true;
  options.search = 2;
  struct file_record *file = verify_file(path, &options, NULL, NULL);
  assert_int_equal(file->claims.len, 1);
  assert_int_equal(file->claims.at[0].verdict, VERDICT_REFUTED);
  return file;
}

static double number(const char *text) {
  char *slash;
  double value = strtod(text, &slash);
  return *slash == '/' ? value / strtod(slash + 1, NULL) : value;
}

static void contains(const json_t *ball, double value) {
  double low = json_decimal(ball, "low_text"), high = json_decimal(ball, "high_text");
  double slack = 1e-9 * (1 + fabs(value));
  if (!(low <= value + slack && value - slack <= high))
    print_error("%.12g is not in %.12g .. %.12g\n", value, low, high);
  assert_true(low <= value + slack && value - slack <= high);
  assert_true(high - low <= 1e-6 * (1 + fabs(value)));
}

/* bad_hist emits Lap(bin[0], eps) on one bin. */
static void densities_are_those_of_laplace_noise(void **state) {
  (void)state;
  struct file_record *file = verified("examples/incorrect/bad_hist.dp");
  const json_t *ce = file->claims.at[0].counterexample,
               *both = json_object_get(ce, "distributions");
  assert_string_equal(json_text(both, "kind"), "density");
  assert_string_equal(json_text(both, "output"), "[x]");
  double scale = number(json_text(json_object_get(ce, "parameters"), "eps")), peak = 0, ends = 0;
  const json_t *inputs = json_object_get(json_object_get(ce, "inputs"), "bin"),
               *points = json_object_get(both, "points");
  assert_true(json_array_size(points) > 50);
  size_t i;
  json_t *point;
  double last = -INFINITY;
  json_array_foreach(points, i, point) {
    double x = number(json_text(point, "x"));
    assert_true(x > last);
    last = x;
    for (size_t run = 0; run < 2; run++) {
      double centre = strtod(json_string_value(json_array_get(inputs, run)) + 1, NULL);
      double f = exp(-fabs(x - centre) / scale) / (2 * scale);
      contains(json_array_get(json_object_get(point, "densities"), run), f);
      peak = fmax(peak, f);
      if (i == 0 || i + 1 == json_array_size(points)) ends = fmax(ends, f);
    }
  }
  assert_true(ends < peak / 20); /* the window shows all of it */
  file_record_free(file);
}

static void probabilities_add_up_and_fit_the_event(void **state) {
  (void)state;
  struct file_record *file = verified("examples/incorrect/noisy_max_1.dp");
  const json_t *ce = file->claims.at[0].counterexample,
               *both = json_object_get(ce, "distributions");
  assert_string_equal(json_text(both, "kind"), "discrete");
  double sum[2] = {0}, event[2] = {0};
  size_t i, hits = 0;
  json_t *one;
  json_array_foreach(json_object_get(both, "outcomes"), i, one) {
    bool in = json_is_true(json_object_get(one, "in_event"));
    hits += in;
    for (size_t run = 0; run < 2; run++) {
      const json_t *p = json_array_get(json_object_get(one, "probabilities"), run);
      sum[run] += json_decimal(p, "low_text");
      if (in) event[run] += json_decimal(p, "low_text");
    }
  }
  assert_true(hits > 0 && hits < i);
  for (size_t run = 0; run < 2; run++) {
    assert_true(fabs(sum[run] - 1) < 1e-6);
    const json_t *p = json_array_get(json_object_get(ce, "probabilities"), run);
    assert_true(fabs(event[run] - json_decimal(p, "low_text")) < 1e-6);
  }
  file_record_free(file);
}

static void nothing_is_computed_unasked(void **state) {
  (void)state;
  struct verify_options options = verify_default_options();
  options.search = 2;
  struct file_record *file = verify_file("examples/incorrect/bad_hist.dp", &options, NULL, NULL);
  assert_null(json_object_get(file->claims.at[0].counterexample, "distributions"));
  assert_null(file->sources);
  file_record_free(file);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(densities_are_those_of_laplace_noise),
                                     cmocka_unit_test(probabilities_add_up_and_fit_the_event),
                                     cmocka_unit_test(nothing_is_computed_unasked)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
