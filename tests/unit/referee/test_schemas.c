/* What the referee takes for granted, by brute force: schemas hold at random values, the clauses of
 * connectives in every row of the truth table, clauses of arithmetic at every point of a grid. */
#include <flint/fmpz_vec.h>
#include <string.h>

#include "check/referee/algebra.h"
#include "check/referee/referee.h"
#include "check/referee/schemas.h"
#include "out/print.h"
#include "term/build.h"
#include "term/subst.h"
#include "termgen.h"
#include "testlib.h"

static struct terms ts;
static struct termgen gen;
static struct evaluator ev;
static term_id pair_vars[2], real_array[2];

static int setup(void **state) {
  (void)state;
  terms_init(&ts);
  termgen_init(&gen, &ts, 1812);
  eval_init(&ev, &ts);
  sort_id pair = sort_tuple(&ts, (sort_id[]){SORT_INT, SORT_REAL}, 2);
  for (unsigned i = 0; i < 2; i++) {
    pair_vars[i] = term_var(&ts, "pair", pair, i + 1, 0);
    real_array[i] = term_var(&ts, "array", sort_array(&ts, SORT_REAL), i + 1, 0);
  }
  return 0;
}

static int teardown(void **state) {
  (void)state;
  eval_clear(&ev);
  termgen_clear(&gen);
  terms_clear(&ts);
  return 0;
}

/* ---- random points and arguments ------------------------------------------------------------- */

static size_t below(size_t bound) {
  return (size_t)rng_below(&gen.rng, bound);
}

static const struct tvalue *random_number(bool is_real) {
  fmpq_t q;
  fmpq_init(q);
  fmpq_set_si(q, rng_range(&gen.rng, -3, 3), is_real ? 1 + below(3) : 1);
  const struct tvalue *v = tvalue_exact(&ev, q);
  fmpq_clear(q);
  return v;
}

static void new_point(void) {
  eval_reset(&ev);
  termgen_assign(&gen);
  termgen_bind(&gen, &ev);
  fmpz *keys = _fmpz_vec_init(2);
  fmpz_one(&keys[1]);
  for (unsigned i = 0; i < 2; i++) {
    const struct tvalue *items[] = {random_number(false), random_number(true)};
    eval_assign(&ev, pair_vars[i], tvalue_items(&ev, items, 2));
    const struct tvalue *cells[] = {random_number(true), random_number(true)};
    eval_assign(&ev, real_array[i], tvalue_array(&ev, keys, cells, 2, tvalue_int(&ev, 0)));
  }
  _fmpz_vec_clear(keys, 2);
}

static term_id list_term(int depth) {
  term_id a = gen.lists[below(2)];
  switch (depth <= 0 ? 0 : below(5)) {
  case 1: return term_nil(&ts, sort_list(&ts, SORT_INT));
  case 2: return term_cons(&ts, termgen_term(&gen, SORT_INT, 1), list_term(depth - 1));
  case 3: return term_append(&ts, list_term(depth - 1), list_term(depth - 1));
  case 4: return term_tail(&ts, list_term(depth - 1));
  default: return a;
  }
}

static term_id array_term(int depth) {
  term_id a = below(3) ? real_array[below(2)] : gen.array;
  while (depth-- > 0)
    if (below(2))
      a = term_store(&ts, a, termgen_term(&gen, SORT_INT, 1),
                     termgen_term(&gen, below(2) ? SORT_INT : SORT_REAL, 1));
  return a;
}

static term_id number_term(void) {
  term_id t = termgen_term(&gen, below(2) ? SORT_INT : SORT_REAL, (int)below(3));
  switch (below(8)) {
  case 0: return term_exp(&ts, t);
  case 1: return term_ln(&ts, t);
  case 2: return term_sqrt(&ts, t);
  case 3: return term_rat(&ts, rng_range(&gen.rng, -9, 9), 1 + below(9));
  case 4: return term_int(&ts, rng_range(&gen.rng, -9, 9));
  default: return t;
  }
}

static term_id any_term(void) {
  switch (below(12)) {
  case 0: return list_term(2);
  case 1: return array_term(2);
  case 2: return pair_vars[below(2)];
  case 3: return termgen_term(&gen, SORT_BOOL, 1);
  case 4: return term_raise(&ts, (uint32_t)(2 + below(3)), termgen_term(&gen, SORT_INT, 1));
  default: return number_term();
  }
}

static term_id term_like(sort_id sort) {
  if (sort == SORT_BOOL || sort == SORT_INT || sort == SORT_REAL)
    return termgen_term(&gen, sort, 1);
  for (int i = 0; i < 50; i++) {
    term_id t = below(2) ? any_term() : array_term(1);
    if (t && term_sort(&ts, t) == sort) return t;
  }
  return TERM_NONE;
}

/* The same head with other arguments, for congruences. */
static term_id twin(term_id t) {
  term_id args[8];
  size_t count = t ? term_arg_count(&ts, t) : 0;
  if (!count || count > 8) return TERM_NONE;
  for (size_t i = 0; i < count; i++)
    args[i] = below(2) ? term_arg(&ts, t, i) : term_like(term_sort(&ts, term_arg(&ts, t, i)));
  return term_rebuild(&ts, t, args);
}

/* Heads that differ only in the number that belongs to them. */
static void similar_heads(term_id *args) {
  term_id x = gen.ints[below(2)], y = gen.ints[below(2)];
  switch (below(3)) {
  case 0:
    args[0] = term_pow(&ts, x, 2);
    args[1] = term_pow(&ts, y, (unsigned)(2 + below(2)));
    break;
  case 1:
    args[0] = term_raise(&ts, 2, x);
    args[1] = term_raise(&ts, (uint32_t)(2 + below(2)), y);
    break;
  default: args[1] = twin(args[0]);
  }
}

static void random_arguments(enum schema s, term_id *args) {
  for (size_t i = 0; i < schema_arity(s); i++)
    args[i] = any_term();
  if (s >= SCHEMA_EXP && below(4)) args[0] = term_to_real(&ts, number_term());
  switch (s) {
  case SCHEMA_CONGRUENCE: similar_heads(args); break;
  case SCHEMA_CHOICE: args[0] = termgen_term(&gen, SORT_BOOL, 1); break;
  case SCHEMA_READ:
    args[0] = array_term(1);
    args[1] = termgen_term(&gen, SORT_INT, 1);
    args[2] = number_term();
    args[3] = termgen_term(&gen, SORT_INT, 1);
    break;
  case SCHEMA_DIFFERING: args[0] = array_term(1), args[1] = array_term(1); break;
  case SCHEMA_DIVMOD:
    args[0] = termgen_term(&gen, SORT_INT, 2), args[1] = termgen_term(&gen, SORT_INT, 2);
    break;
  case SCHEMA_LENGTH:
  case SCHEMA_LIST: args[0] = list_term(3); break;
  case SCHEMA_CONS: args[1] = list_term(2); break;
  case SCHEMA_APPEND: args[0] = list_term(2), args[1] = list_term(2); break;
  case SCHEMA_TUPLE: args[0] = pair_vars[below(2)], args[1] = pair_vars[below(2)]; break;
  case SCHEMA_PARTS:
    args[0] = list_term(2);
    args[1] = term_cons(&ts, any_term(), list_term(1));
    if (args[1] == TERM_NONE) args[1] = args[0];
    break;
  case SCHEMA_POWER:
  case SCHEMA_POWER_STEP:
  case SCHEMA_POWER_SUM:
  case SCHEMA_POWER_SHIFT: {
    uint32_t base = (uint32_t)(2 + below(3));
    args[0] = term_raise(&ts, base, termgen_term(&gen, SORT_INT, 1));
    if (s == SCHEMA_POWER_STEP || s == SCHEMA_POWER_SUM)
      args[1] = term_raise(&ts, base, termgen_term(&gen, SORT_INT, 1));
    if (s == SCHEMA_POWER_SHIFT) args[1] = term_int(&ts, rng_range(&gen.rng, -1, 5));
    break;
  }
  case SCHEMA_EXP:
  case SCHEMA_LN: args[1] = term_int(&ts, rng_range(&gen.rng, -1, 9)); break;
  case SCHEMA_EXP_MULTIPLE: args[1] = term_int(&ts, rng_range(&gen.rng, -4, 4)); break;
  case SCHEMA_EXP_AT:
  case SCHEMA_EXP_LINE:
  case SCHEMA_LN_AT:
  case SCHEMA_LN_LINE: args[1] = term_rat(&ts, rng_range(&gen.rng, -9, 40), 1 + below(9)); break;
  default: break;
  }
}

/* What is not specified may be anything: here one value for all arguments outside the domain, so
 * that equal arguments give equal values. */
static bool may_be_unspecified(enum term_kind kind) {
  return kind == TERM_DIV || kind == TERM_IDIV || kind == TERM_MOD || kind == TERM_RAISE ||
         kind == TERM_LN || kind == TERM_SQRT || kind == TERM_HEAD || kind == TERM_TAIL;
}

static bool is_exact(term_id t) {
  enum tvalue_kind kind = eval_term(&ev, t)->kind;
  return kind == TVALUE_EXACT || kind == TVALUE_ITEMS;
}

static bool is_unspecified(term_id t) {
  bool found = may_be_unspecified(term_kind(&ts, t));
  for (size_t i = 0; found && i < term_arg_count(&ts, t); i++)
    found = is_exact(term_arg(&ts, t, i));
  return found && eval_term(&ev, t)->kind == TVALUE_UNKNOWN;
}

static void specify(term_id t) {
  term_list parts = {0};
  term_subterms(&ts, t, &parts); /* arguments first */
  const struct tvalue *number = random_number(false), *list = tvalue_items(&ev, &number, 1);
  for (size_t i = 0; i < parts.len; i++) {
    term_id part = parts.at[i];
    if (is_unspecified(part))
      eval_assign(&ev, part, term_kind(&ts, part) == TERM_TAIL ? list : number);
  }
  vec_clear(&parts);
}

static void schemas_are_true(void **state) {
  (void)state;
  enum { POINTS = 8 };
  size_t holds[SCHEMA_COUNT] = {0};
  size_t rounds = test_rounds(300);
  for (size_t i = 0; i < rounds * SCHEMA_COUNT; i++) {
    enum schema s = (enum schema)(i % SCHEMA_COUNT);
    term_id args[4];
    random_arguments(s, args);
    term_id t = schema_formula(&ts, s, args, schema_arity(s));
    for (int p = 0; t != TERM_NONE && p < POINTS; p++) {
      new_point();
      specify(t);
      int truth = eval_truth(&ev, t);
      if (truth == 0) fail_msg("%s: %s", schema_name(s), term_text(&ts, t));
      holds[s] += truth == 1;
    }
  }
  /* the test is about something: equations between irrational numbers are never decided */
  for (int s = 0; s < SCHEMA_COUNT; s++)
    if (!holds[s]) fail_msg("%s was never evaluated", schema_name((enum schema)s));
}

/* ---- connectives ----------------------------------------------------------------------------- */

static void add_chain(struct refutation *r, size_t steps) {
  struct step *s = refutation_add(r, STEP_CHAIN);
  for (size_t round = 0; round < 2; round++)
    for (size_t i = 0; i < steps; i++)
      vec_push(&s->hints, i);
}

/* Do the k-th clause of f and these values of f and its arguments contradict each other? */
static bool clause_contradicts(term_id f, size_t k, unsigned row, bool value) {
  term_list given = {0};
  for (size_t i = 0; i < term_arg_count(&ts, f); i++) {
    term_id a = term_arg(&ts, f, i);
    vec_push(&given, row >> i & 1 ? a : term_not(&ts, a));
  }
  vec_push(&given, value ? f : term_not(&ts, f));
  struct sequent s = {given.at, given.len, ts.false_term};
  struct refutation r;
  refutation_init(&r);
  for (size_t i = 0; i < given.len; i++)
    refutation_add(&r, STEP_INPUT)->number = i;
  struct step *define = refutation_add(&r, STEP_DEFINE);
  define->formula = f;
  define->number = k;
  add_chain(&r, r.steps.len);
  bool accepted = referee_accepts(&ts, &s, &r, NULL, NULL);
  refutation_clear(&r);
  vec_clear(&given);
  return accepted;
}

static bool truth_of(term_id f, unsigned row) {
  bool a = row & 1, b = row & 2, c = row & 4;
  switch (term_kind(&ts, f)) {
  case TERM_AND: return a && b && (term_arg_count(&ts, f) < 3 || c);
  case TERM_OR: return a || b || (term_arg_count(&ts, f) > 2 && c);
  case TERM_IMPLIES: return !a || b;
  case TERM_EQ: return a == b;
  default: return a ? b : c;
  }
}

static void clauses_of_connectives_are_their_truth_tables(void **state) {
  (void)state;
  const term_id *b = gen.bools;
  const term_id all[] = {term_and(&ts, b[0], b[1]),       term_and_all(&ts, b, 3),
                         term_or(&ts, b[0], b[1]),        term_or_all(&ts, b, 3),
                         term_implies(&ts, b[0], b[1]),   term_iff(&ts, b[0], b[1]),
                         term_ite(&ts, b[0], b[1], b[2]), term_ite(&ts, b[2], b[1], b[0])};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    for (unsigned row = 0; row < 1u << term_arg_count(&ts, all[i]); row++) {
      bool truth = truth_of(all[i], row), is_complete = false;
      for (size_t k = 0; k < 6; k++) {
        assert_false(clause_contradicts(all[i], k, row, truth));
        is_complete |= clause_contradicts(all[i], k, row, !truth);
      }
      assert_true(is_complete);
    }
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

static term_id small_polynomial(sort_id sort) {
  const term_id *vars = sort == SORT_INT ? gen.ints : gen.reals;
  term_id t = term_int(&ts, rng_range(&gen.rng, -2, 2));
  for (size_t i = below(3); i-- > 0;) {
    term_id m = below(4) ? vars[below(2)] : term_mul(&ts, vars[below(2)], vars[below(2)]);
    if (sort == SORT_REAL && !below(4)) m = gen.ints[below(2)];
    t = term_add(&ts, t, term_mul(&ts, term_int(&ts, rng_range(&gen.rng, -2, 2)), m));
  }
  return sort == SORT_REAL ? term_to_real(&ts, t) : t;
}

/* What is to be refuted: h, whose difference of sides (made as the referee does) is *value. */
static struct literal random_hypothesis(term_id *value) {
  sort_id sort = below(2) ? SORT_INT : SORT_REAL;
  term_id a = small_polynomial(sort), b = small_polynomial(sort);
  term_id difference = term_to_real(&ts, term_sub(&ts, b, a)), atom;
  switch (below(3)) {
  case 0: atom = term_le(&ts, a, b); break;
  case 1:
    atom = term_lt(&ts, a, b);
    if (sort == SORT_INT) difference = term_sub(&ts, difference, term_int(&ts, 1));
    break;
  default: atom = term_eq(&ts, a, b);
  }
  *value = difference;
  return (struct literal){atom, true};
}

static bool is_number(term_id t) {
  return term_is_num(&ts, t);
}

/* Random hypotheses and a random sum of products of them; the last hypothesis is what makes the sum
 * -1 or 0, more or less. */
static void random_algebra(struct step *s) {
  size_t count = 1 + below(3);
  term_id values[4], total = term_rat(&ts, rng_range(&gen.rng, -1, 1), 1);
  for (size_t i = 0; i < count; i++) {
    struct literal l = random_hypothesis(&values[i]);
    vec_push(&s->literals, l);
  }
  for (size_t i = below(3); i-- > 0;) {
    struct summand m = {.multiplier = term_rat(&ts, rng_range(&gen.rng, -1, 3), 1 + below(2))};
    if (!below(4)) m.multiplier = gen.reals[0];
    term_id product = m.multiplier;
    for (size_t k = below(3); k-- > 0;) {
      size_t f = below(count);
      vec_push(&m.factors, f);
      product = term_mul(&ts, product, values[f]);
    }
    if (!below(4)) {
      term_id square = small_polynomial(SORT_REAL);
      vec_push(&m.squares, square);
      product = term_mul(&ts, product, term_mul(&ts, square, square));
    }
    vec_push(&s->sum, m);
    total = term_sub(&ts, total, product);
  }
  term_id zero = term_rat(&ts, 0, 1);
  if (!below(4)) { /* the sum is what is said not to be 0 */
    vec_push(&s->literals, ((struct literal){term_eq(&ts, zero, total), false}));
    s->number = s->literals.len;
    return;
  }
  bool is_equation = !below(3);
  term_id atom = is_equation ? term_eq(&ts, total, zero)
                 : below(2)  ? term_le(&ts, zero, total)
                             : term_lt(&ts, zero, total);
  vec_push(&s->literals, ((struct literal){atom, below(8) != 0}));
  struct summand last = {.multiplier = term_rat(&ts, is_equation && below(2) ? -1 : 1, 1)};
  vec_push(&last.factors, count);
  vec_push(&s->sum, last);
  if (!below(3)) s->number = below(count + 2);
}

/* Every literal is false at this point. */
static bool clause_is_false(const struct step *s) {
  for (size_t i = 0; i < s->literals.len; i++)
    if (eval_truth(&ev, s->literals.at[i].atom) != s->literals.at[i].negated) return false;
  return true;
}

static void set_point(const int *values) {
  eval_reset(&ev);
  for (unsigned i = 0; i < 2; i++) {
    fmpq_t half;
    fmpq_init(half);
    fmpq_set_si(half, values[2 + i], 2);
    eval_assign(&ev, gen.ints[i], tvalue_int(&ev, values[i]));
    eval_assign(&ev, gen.reals[i], tvalue_exact(&ev, half));
    fmpq_clear(half);
  }
}

static bool holds_on_grid(const struct step *s) {
  enum { INTS = 5, REALS = 7 };
  for (int p = 0; p < INTS * INTS * REALS * REALS; p++) {
    int values[] = {p % INTS - 2, p / INTS % INTS - 2, p / INTS / INTS % REALS - 3,
                    p / INTS / INTS / REALS - 3};
    set_point(values);
    if (clause_is_false(s)) return false;
  }
  return true;
}

static void clauses_of_arithmetic_hold(void **state) {
  (void)state;
  size_t accepted = 0, rounds = test_rounds(3000);
  for (size_t i = 0; i < rounds; i++) {
    struct refutation r;
    refutation_init(&r);
    struct step *s = refutation_add(&r, STEP_ALGEBRA);
    random_algebra(s);
    bool is_comparison = true;
    for (size_t k = 0; k < s->literals.len; k++)
      is_comparison &= s->literals.at[k].atom != TERM_NONE && !is_number(s->literals.at[k].atom);
    if (is_comparison && algebra_accepts(&ts, s)) {
      accepted++;
      assert_true(holds_on_grid(s));
    }
    refutation_clear(&r);
  }
  assert_true(accepted > rounds / 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(schemas_are_true),
      cmocka_unit_test(clauses_of_connectives_are_their_truth_tables),
      cmocka_unit_test(clauses_of_arithmetic_hold),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
