/* Numbers in JSON: the number beside the text is that number, or null where a double has none, and
 * printed JSON is a fixed point of reading and printing. */
#include <stdlib.h>
#include <string.h>

#include "num/rational.h"
#include "report/record/decimal.h"
#include "testlib.h"

static void numbers_stand_beside_their_texts(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool is_number;
    double number;
  } cases[] = {{"0.125", true, 0.125}, {"-3", true, -3},     {"1.5e-300", true, 1.5e-300},
               {"0", true, 0},         {"1e-400", false, 0}, {"1e400", false, 0},
               {"inf", false, 0},      {"nan", false, 0},    {"<= 1e-9", false, 0},
               {"", false, 0},         {"1 or so", false, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    json_t *json = json_object();
    json_set_decimal(json, "p", cases[i].text);
    assert_string_equal(json_string_value(json_object_get(json, "p_text")), cases[i].text);
    const json_t *p = json_object_get(json, "p");
    assert_int_equal(json_is_real(p), cases[i].is_number);
    assert_int_equal(json_is_null(p), !cases[i].is_number);
    assert_true(json_number_value(p) == cases[i].number);
    json_decref(json);
  }
  json_t *json = json_object();
  json_set_decimal(json, "p", NULL);
  assert_true(json_is_null(json_object_get(json, "p")));
  assert_true(json_is_null(json_object_get(json, "p_text")));
  json_decref(json);
}

/* The texts are bounds of the ball, however wide or small it is. */
static void bounds_enclose_the_ball(void **state) {
  (void)state;
  fmpq_t low, high, from, to;
  arb_t ball;
  arb_init(ball);
  fmpq_init(low), fmpq_init(high), fmpq_init(from), fmpq_init(to);
  for (slong e = -1200; e <= 1200; e += 37) {
    arb_set_si(ball, 12345 + e);
    arb_mul_2exp_si(ball, ball, e);
    arb_add_error_2exp_si(ball, e);
    json_t *json = json_bounds(ball, 12);
    const char *a = json_string_value(json_object_get(json, "low_text")),
               *b = json_string_value(json_object_get(json, "high_text"));
    assert_true(rational_parse_str(low, a, NULL) && rational_parse_str(high, b, NULL));
    assert_true(ball_lower(from, ball) && ball_upper(to, ball));
    assert_true(fmpq_cmp(low, from) <= 0 && fmpq_cmp(to, high) <= 0);
    json_decref(json);
  }
  fmpq_clear(low), fmpq_clear(high), fmpq_clear(from), fmpq_clear(to);
  arb_clear(ball);
}

static void printing_is_a_fixed_point(void **state) {
  (void)state;
  unsigned seed = 7;
  for (int i = 0; i < 2000; i++) {
    seed = seed * 1103515245u + 12345u;
    json_t *json = json_pack("{s:f, s:f, s:i}", "a", (double)seed / 977, "b",
                             1.0 / (1.0 + (double)(seed >> 3)), "c", (int)(seed >> 5));
    char *once = json_printed(json);
    json_t *back = json_loads(once, 0, NULL);
    char *twice = json_printed(back);
    assert_string_equal(once, twice);
    free(once), free(twice);
    json_decref(json), json_decref(back);
  }
  json_t *tenth = json_real(0.1);
  char *text = json_printed(tenth);
  assert_string_equal(text, "0.1");
  free(text);
  json_decref(tenth);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_stand_beside_their_texts),
                                     cmocka_unit_test(bounds_enclose_the_ball),
                                     cmocka_unit_test(printing_is_a_fixed_point)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
