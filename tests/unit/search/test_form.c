/* Fractions and differences of the search: arithmetic against FLINT at random, bounds that cover
 * every value and are reached. */
#include "search/align/form.h"
#include "search/align/ratio.h"
#include "testlib.h"

static struct ratio random_ratio(struct rng *rng) {
  return ratio_make(rng_range(rng, -12, 12), rng_range(rng, 1, 9));
}

static void fractions_agree_with_flint(void **state) {
  (void)state;
  struct rng rng = rng_seeded(7);
  fmpq_t a, b, c;
  fmpq_init(a);
  fmpq_init(b);
  fmpq_init(c);
  for (size_t i = 0; i < test_rounds(2000); i++) {
    struct ratio x = random_ratio(&rng), y = random_ratio(&rng);
    ratio_to_fmpq(a, x);
    ratio_to_fmpq(b, y);
    fmpq_add(c, a, b);
    assert_true(ratio_eq(ratio_add(x, y), ratio_from_fmpq(c)));
    fmpq_mul(c, a, b);
    assert_true(ratio_eq(ratio_mul(x, y), ratio_from_fmpq(c)));
    assert_int_equal(ratio_le(x, y), fmpq_cmp(a, b) <= 0);
    if (y.num) {
      fmpq_div(c, a, b);
      assert_true(ratio_eq(ratio_div(x, y), ratio_from_fmpq(c)));
    }
  }
  fmpq_clear(a);
  fmpq_clear(b);
  fmpq_clear(c);
}

static void what_is_not_known_is_not_small(void **state) {
  (void)state;
  struct ratio huge = ratio_make(1L << 62, 1), lost = ratio_mul(huge, huge);
  struct ratio none = ratio_add(ratio_infinite(1), ratio_infinite(-1));
  assert_false(ratio_is_finite(lost));
  assert_false(ratio_le(lost, ratio_int(0)) || ratio_le(ratio_int(0), lost));
  assert_false(ratio_le(none, ratio_infinite(1)) || ratio_eq(none, none));
  assert_true(ratio_le(ratio_int(5), ratio_infinite(1)));
  assert_false(ratio_le(ratio_infinite(1), ratio_int(5)));
  assert_true(ratio_is_zero(ratio_mul(ratio_int(0), ratio_infinite(1))));
}

/* A random form over atoms with small bounds, evaluated at all corners. */
static void bounds_are_covered_and_reached(void **state) {
  (void)state;
  struct rng rng = rng_seeded(11);
  struct arena arena;
  arena_init(&arena);
  struct forms fs = {.arena = &arena};
  for (unsigned i = 0; i < 3; i++)
    forms_atom(&fs, (struct atom){.kind = ATOM_PRIVATE,
                                  .low = ratio_int(-(long)i),
                                  .high = ratio_int((long)i + 1)});
  for (size_t round = 0; round < test_rounds(300); round++) {
    struct ratio c[4];
    const struct form *f = form_number(&fs, c[3] = random_ratio(&rng), TERM_NONE);
    for (unsigned i = 0; i < 3; i++)
      f = form_add(&fs, f, c[i] = random_ratio(&rng), form_atom(&fs, i));
    struct ratio low, high, least = ratio_infinite(1), most = ratio_infinite(-1);
    for (unsigned corner = 0; corner < 8; corner++) {
      struct ratio v = c[3];
      for (unsigned i = 0; i < 3; i++)
        v = ratio_add(v,
                      ratio_mul(c[i], corner >> i & 1 ? fs.atoms.at[i].high : fs.atoms.at[i].low));
      least = ratio_min(least, v);
      most = ratio_max(most, v);
    }
    form_bounds(&fs, f, &low, &high);
    assert_true(ratio_eq(low, least) && ratio_eq(high, most));
    assert_true(ratio_eq(form_radius(&fs, f), ratio_max(ratio_abs(low), ratio_abs(high))));
    assert_true(form_is_zero(form_add(&fs, f, ratio_int(-1), f)));
  }
  vec_clear(&fs.atoms);
  arena_clear(&arena);
}

static void shifts_are_filled_in(void **state) {
  (void)state;
  struct arena arena;
  arena_init(&arena);
  struct forms fs = {.arena = &arena};
  unsigned data = forms_atom(
      &fs, (struct atom){.kind = ATOM_PRIVATE, .low = ratio_int(-1), .high = ratio_int(1)});
  unsigned shift = forms_atom(
      &fs, (struct atom){.kind = ATOM_SHIFT, .low = ratio_infinite(-1), .high = ratio_infinite(1)});
  const struct form *x = form_add(&fs, form_atom(&fs, data), ratio_int(2), form_atom(&fs, shift));
  const struct form *chosen = NULL;
  struct form_values values = {.first = shift, .at = &chosen};
  assert_null(form_resolve(&fs, x, values));
  /* data + 2*(1 - data/2) = 2 */
  chosen = form_add(&fs, form_number(&fs, ratio_int(1), TERM_NONE), ratio_make(-1, 2),
                    form_atom(&fs, data));
  const struct form *sum = form_resolve(&fs, x, values);
  assert_true(form_is_number(sum) && ratio_eq(sum->constant, ratio_int(2)));
  /* a nonlinear expression: equal if its parts are, within their hull if it is a maximum */
  const struct form *parts[] = {x, form_number(&fs, ratio_int(2), TERM_NONE)};
  const struct form *same = form_opaque(&fs, ATOM_EQUAL, parts, 1);
  assert_true(form_has_shift(&fs, same));
  assert_false(form_resolve(&fs, same, values)->known);
  sum = form_resolve(&fs, form_opaque(&fs, ATOM_HULL, parts, 2), values);
  assert_true(form_is_number(sum) && ratio_eq(sum->constant, ratio_int(2)));
  /* the first part, but only as long as the second is 0 */
  const struct form *one_place[] = {form_atom(&fs, data), x};
  const struct form *first = form_opaque(&fs, ATOM_FIRST, one_place, 2);
  assert_false(form_resolve(&fs, first, values)->known);
  assert_true(form_is_vague(&fs, same) && !form_is_vague(&fs, first));
  chosen = form_scale(&fs, ratio_make(-1, 2), form_atom(&fs, data));
  assert_true(form_is_zero(form_resolve(&fs, same, values)));
  assert_true(form_equal(form_resolve(&fs, first, values), form_atom(&fs, data)));
  vec_clear(&fs.atoms);
  arena_clear(&arena);
}

/* What is of several units has no size, but may have a sign; numbers of two units do not add up. */
static void units_are_kept_apart(void **state) {
  (void)state;
  struct arena arena;
  arena_init(&arena);
  struct forms fs = {.arena = &arena};
  const term_id metre = 7, second = 9;
  struct atom rising = {.kind = ATOM_PRIVATE, .low = ratio_int(0), .high = ratio_int(2)};
  rising.unit = metre;
  const struct form *a = form_atom(&fs, forms_atom(&fs, rising));
  rising.unit = second;
  const struct form *b = form_atom(&fs, forms_atom(&fs, rising));
  const struct form *sum = form_add(&fs, a, ratio_int(3), b);
  struct ratio low, high;
  term_id unit;
  assert_true(form_unit(&fs, a, &unit) && unit == metre);
  assert_false(form_unit(&fs, sum, &unit));
  form_bounds(&fs, sum, &low, &high);
  assert_true(ratio_is_zero(low) && !ratio_is_finite(high));
  form_bounds_in(&fs, sum, second, &low, &high);
  assert_true(ratio_is_zero(low) && ratio_eq(high, ratio_int(6)));
  form_bounds(&fs, form_add(&fs, a, ratio_int(-1), b), &low, &high);
  assert_false(ratio_is_finite(low) || ratio_is_finite(high));
  form_bounds(&fs, form_scale(&fs, ratio_int(-1), sum), &low, &high);
  assert_true(!ratio_is_finite(low) && ratio_is_zero(high));
  const struct form *one = form_number(&fs, ratio_int(1), metre);
  const struct form *other = form_number(&fs, ratio_int(1), second);
  assert_false(form_equal(one, other));
  assert_false(form_add(&fs, one, ratio_int(1), other)->known);
  assert_true(form_unit(&fs, form_add(&fs, one, ratio_int(1), a), &unit) && unit == metre);
  assert_true(form_equal(form_moving(&fs, form_add(&fs, one, ratio_int(1), a)), a));
  /* the larger of two such values */
  const struct form *parts[] = {a, b};
  struct form_values none = {0};
  const struct form *most = form_resolve(&fs, form_opaque(&fs, ATOM_HULL, parts, 2), none);
  form_bounds(&fs, most, &low, &high);
  assert_true(ratio_is_zero(low) && !ratio_is_finite(high));
  vec_clear(&fs.atoms);
  arena_clear(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fractions_agree_with_flint),
                                     cmocka_unit_test(what_is_not_known_is_not_small),
                                     cmocka_unit_test(bounds_are_covered_and_reached),
                                     cmocka_unit_test(shifts_are_filled_in),
                                     cmocka_unit_test(units_are_kept_apart)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
