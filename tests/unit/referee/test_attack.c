/* Attacks on the referee: refutations of what is true, changed at random, must not refute what is
 * false; the tricks with witnesses, hints and names that come to mind are rejected. */
#include <stdio.h>
#include <string.h>

#include "advocate/advocate.h"
#include "check/referee/algebra.h"
#include "check/referee/referee.h"
#include "check/referee/schemas.h"
#include "out/print.h"
#include "term/build.h"
#include "term/eval.h"
#include "term/exchange.h"
#include "term/subst.h"
#include "termgen.h"
#include "testlib.h"

static struct terms ts;
static struct termgen gen;
static struct evaluator ev;

static int setup(void **state) {
  (void)state;
  terms_init(&ts);
  termgen_init(&gen, &ts, 1066);
  gen.linear = true;
  eval_init(&ev, &ts);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  eval_clear(&ev);
  termgen_clear(&gen);
  terms_clear(&ts);
  return 0;
}

static size_t below(size_t bound) {
  return bound ? (size_t)rng_below(&gen.rng, bound) : 0;
}

/* ---- random changes of refutations ----------------------------------------------------------- */

static void copy_step(struct refutation *r, const struct step *from) {
  struct step *s = refutation_add(r, from->kind);
  s->number = from->number;
  s->formula = from->formula;
  for (size_t i = 0; i < from->terms.len; i++)
    vec_push(&s->terms, from->terms.at[i]);
  for (size_t i = 0; i < from->literals.len; i++)
    vec_push(&s->literals, from->literals.at[i]);
  for (size_t i = 0; i < from->hints.len; i++)
    vec_push(&s->hints, from->hints.at[i]);
  for (size_t i = 0; i < from->sum.len; i++) {
    struct summand m = {.multiplier = from->sum.at[i].multiplier};
    for (size_t k = 0; k < from->sum.at[i].factors.len; k++)
      vec_push(&m.factors, from->sum.at[i].factors.at[k]);
    for (size_t k = 0; k < from->sum.at[i].squares.len; k++)
      vec_push(&m.squares, from->sum.at[i].squares.at[k]);
    vec_push(&s->sum, m);
  }
}

struct pool {
  term_list terms, formulas;
};

static void pool_add(struct pool *p, term_id t) {
  if (t == TERM_NONE) return;
  term_list all = {0};
  term_subterms(&ts, t, &all);
  for (size_t i = 0; i < all.len; i++) {
    vec_push(&p->terms, all.at[i]);
    if (term_sort(&ts, all.at[i]) == SORT_BOOL) vec_push(&p->formulas, all.at[i]);
  }
  vec_clear(&all);
}

static void pool_fill(struct pool *p, const struct sequent *s, const struct refutation *r) {
  pool_add(p, s->goal);
  for (size_t i = 0; i < s->count; i++)
    pool_add(p, s->hypotheses[i]);
  pool_add(p, ts.true_term);
  pool_add(p, ts.false_term);
  for (long i = -1; i <= 1; i++)
    pool_add(p, term_rat(&ts, i, 1));
  for (size_t i = 0; i < r->steps.len; i++) {
    const struct step *s2 = &r->steps.at[i];
    pool_add(p, s2->formula);
    for (size_t k = 0; k < s2->terms.len; k++)
      pool_add(p, s2->terms.at[k]);
    for (size_t k = 0; k < s2->literals.len; k++)
      pool_add(p, s2->literals.at[k].atom);
    for (size_t k = 0; k < s2->sum.len; k++)
      pool_add(p, s2->sum.at[k].multiplier);
  }
}

static term_id from_pool(const term_list *list) {
  return list->at[below(list->len)];
}

static void change_sum(struct step *s, const struct pool *p) {
  if (!s->sum.len) return;
  struct summand *m = &s->sum.at[below(s->sum.len)];
  switch (below(5)) {
  case 0: m->multiplier = from_pool(&p->terms); break;
  case 1: m->multiplier = term_rat(&ts, rng_range(&gen.rng, -2, 2), 1 + below(2)); break;
  case 2:
    if (m->factors.len) m->factors.at[below(m->factors.len)] = below(s->literals.len + 1);
    break;
  case 3: vec_push(&m->factors, below(s->literals.len + 1)); break;
  default: vec_push(&m->squares, from_pool(&p->terms)); break;
  }
}

static void change_literals(struct step *s, const struct pool *p) {
  struct literal l = {from_pool(&p->formulas), below(2)};
  if (!s->literals.len || !below(4)) {
    vec_push(&s->literals, l);
    return;
  }
  size_t at = below(s->literals.len);
  switch (below(3)) {
  case 0: s->literals.at[at].negated = !s->literals.at[at].negated; break;
  case 1: s->literals.at[at] = l; break;
  default: s->literals.at[at] = vec_last(&s->literals), s->literals.len--; break;
  }
}

static void change_step(struct refutation *r, size_t at, const struct pool *p) {
  struct step *s = &r->steps.at[at];
  switch (below(8)) {
  case 0: s->number = below(6); break;
  case 1: s->formula = from_pool(&p->formulas); break;
  case 2:
    if (s->terms.len) s->terms.at[below(s->terms.len)] = from_pool(&p->terms);
    break;
  case 3:
  case 4: change_literals(s, p); break;
  case 5: change_sum(s, p); break;
  case 6:
    if (s->hints.len) s->hints.at[below(s->hints.len)] = below(at + 2);
    break;
  default: vec_push(&s->hints, below(at + 1)); break;
  }
}

/* A changed copy: some steps changed, one perhaps left out, a last chain with all hints added. */
static void mutate(struct refutation *out, const struct refutation *r, const struct pool *p) {
  size_t skipped = below(3) ? r->steps.len : below(r->steps.len);
  for (size_t i = 0; i < r->steps.len; i++)
    if (i != skipped) copy_step(out, &r->steps.at[i]);
  for (size_t i = 1 + below(3); i-- > 0 && out->steps.len;)
    change_step(out, below(out->steps.len), p);
  if (below(2)) return;
  struct step *last = refutation_add(out, STEP_CHAIN);
  for (size_t round = 0; round < 2; round++)
    for (size_t i = 0; i + 1 < out->steps.len; i++)
      vec_push(&last->hints, i);
}

/* Is there a point where the hypotheses hold and the goal does not? */
static bool is_false(const struct sequent *s) {
  for (int p = 0; p < 60; p++) {
    eval_reset(&ev);
    termgen_assign(&gen);
    termgen_bind(&gen, &ev);
    bool counts = eval_truth(&ev, s->goal) == 0;
    for (size_t i = 0; counts && i < s->count; i++)
      counts = eval_truth(&ev, s->hypotheses[i]) == 1;
    if (counts) return true;
  }
  return false;
}

static size_t attack(const struct sequent *s, const struct refutation *r, size_t times) {
  struct pool p = {0};
  pool_fill(&p, s, r);
  for (size_t i = 0; i < times; i++) {
    struct refutation changed;
    refutation_init(&changed);
    if (i) mutate(&changed, r, &p);
    if (referee_accepts(&ts, s, i ? &changed : r, NULL, NULL)) {
      for (size_t k = 0; k < s->count; k++)
        print_message("given %s\n", term_text(&ts, s->hypotheses[k]));
      fail_msg("a refutation of the false goal %s was accepted", term_text(&ts, s->goal));
    }
    refutation_clear(&changed);
  }
  vec_clear(&p.terms);
  vec_clear(&p.formulas);
  return times;
}

/* Something similar to a sequent. */
static void vary(term_id *hypotheses, size_t count, term_id *goal) {
  switch (below(5)) {
  case 0: *goal = term_not(&ts, *goal); break;
  case 1: hypotheses[below(count)] = ts.true_term; break;
  case 2: *goal = hypotheses[below(count)], hypotheses[below(count)] = ts.true_term; break;
  case 3: *goal = ts.false_term; break;
  default:
    if (term_kind(&ts, *goal) == TERM_LE)
      *goal = term_lt(&ts, term_arg(&ts, *goal, 0), term_arg(&ts, *goal, 1));
    else if (term_kind(&ts, *goal) == TERM_LT)
      *goal = term_eq(&ts, term_arg(&ts, *goal, 0), term_arg(&ts, *goal, 1));
    else
      *goal = termgen_term(&gen, SORT_BOOL, 1);
  }
}

static void nothing_false_is_accepted(void **state) {
  (void)state;
  enum { HYPOTHESES = 3, VARIANTS = 12 };
  size_t wanted = test_rounds(20000), done = 0, found = 0;
  for (size_t tries = 0; done < wanted && tries < wanted; tries++) {
    term_id given[HYPOTHESES], goal = termgen_term(&gen, SORT_BOOL, 2);
    for (size_t i = 0; i < HYPOTHESES; i++)
      given[i] = termgen_term(&gen, SORT_BOOL, 2);
    struct sequent s = {given, HYPOTHESES, goal};
    if (term_kind(&ts, goal) <= TERM_FALSE || is_false(&s)) continue;
    struct refutation r;
    refutation_init(&r);
    if (advocate_refute(&ts, &s, 0.2, &r) && r.steps.len > 3) {
      assert_true(referee_accepts(&ts, &s, &r, NULL, NULL));
      found++;
      for (int v = 0; v < VARIANTS; v++) {
        term_id other[HYPOTHESES];
        memcpy(other, given, sizeof other);
        struct sequent f = {other, HYPOTHESES, goal};
        vary(other, HYPOTHESES, &f.goal);
        if (f.goal != TERM_NONE && is_false(&f)) done += attack(&f, &r, 100);
      }
    }
    refutation_clear(&r);
  }
  assert_true(found > 5 && done > wanted / 2);
}

/* ---- tricks ---------------------------------------------------------------------------------- */

static term_id real(const char *name) {
  return term_var(&ts, name, SORT_REAL, 0, 0);
}

static void add_input(struct refutation *r, size_t number) {
  refutation_add(r, STEP_INPUT)->number = number;
}

static void add_quantifier(struct refutation *r, enum step_kind kind, term_id q, term_id t) {
  struct step *s = refutation_add(r, kind);
  s->formula = q;
  vec_push(&s->terms, t);
}

/* not (a < b) or not (b < a), or not (a < a); then everything is put together. */
static void add_end(struct refutation *r, term_id a, term_id b) {
  struct step *s = refutation_add(r, STEP_ALGEBRA);
  const term_id atoms[] = {term_lt(&ts, a, b), term_lt(&ts, b, a)};
  for (size_t i = 0; i < 2; i++) {
    if (atoms[i] == ts.false_term) continue;
    struct summand m = {.multiplier = term_rat(&ts, 1, 1)};
    vec_push(&m.factors, s->literals.len);
    vec_push(&s->literals, ((struct literal){atoms[i], true}));
    vec_push(&s->sum, m);
  }
  if (!s->literals.len) { /* a < a is `false` */
    s->kind = STEP_DEFINE;
    s->formula = ts.false_term;
  }
  size_t steps = r->steps.len;
  struct step *last = refutation_add(r, STEP_CHAIN);
  for (size_t round = 0; round < 3; round++)
    for (size_t i = 0; i < steps; i++)
      vec_push(&last->hints, i);
}

static bool accepts(const struct sequent *s, struct refutation *r, const char **why) {
  bool ok = referee_accepts(&ts, s, r, why, NULL);
  refutation_clear(r);
  refutation_init(r);
  return ok;
}

static void witnesses_are_new(void **state) {
  (void)state;
  term_id x = real("x"), c = real("c"), d = real("d"), zero = term_rat(&ts, 0, 1);
  term_id neg = term_exists(&ts, &x, 1, term_lt(&ts, x, zero));
  term_id pos = term_exists(&ts, &x, 1, term_lt(&ts, zero, x));
  term_id given[] = {neg, pos};
  struct sequent s = {given, 2, ts.false_term};
  struct refutation r;
  const char *why = NULL;
  refutation_init(&r);
  /* one name for two */
  add_input(&r, 0), add_input(&r, 1);
  add_quantifier(&r, STEP_WITNESS, neg, c), add_quantifier(&r, STEP_WITNESS, pos, c);
  add_end(&r, c, zero);
  assert_false(accepts(&s, &r, &why));
  assert_string_equal(why, "the witness has occurred before");
  /* two names for two: each step is right, and nothing follows */
  add_input(&r, 0), add_input(&r, 1);
  add_quantifier(&r, STEP_WITNESS, neg, c), add_quantifier(&r, STEP_WITNESS, pos, d);
  add_end(&r, c, zero);
  assert_false(accepts(&s, &r, &why));
  assert_string_equal(why, "the hints do not end in a contradiction");
  /* a name of the sequent */
  term_id named[] = {neg, term_lt(&ts, zero, c)};
  struct sequent t = {named, 2, ts.false_term};
  add_input(&r, 0), add_input(&r, 1);
  add_quantifier(&r, STEP_WITNESS, neg, c);
  add_end(&r, c, zero);
  assert_false(accepts(&t, &r, &why));
  assert_string_equal(why, "the witness has occurred before");
  /* a name in the formula itself, which is not one of the sequent */
  term_id above = term_exists(&ts, &x, 1, term_lt(&ts, d, x));
  struct sequent u = {NULL, 0, ts.false_term};
  struct step *choice = refutation_add(&r, STEP_DEFINE);
  choice->formula = ts.true_term;
  add_quantifier(&r, STEP_WITNESS, above, d);
  add_quantifier(&r, STEP_INSTANCE, above, term_add(&ts, d, term_rat(&ts, 1, 1)));
  add_end(&r, d, d);
  assert_false(accepts(&u, &r, &why));
  assert_string_equal(why, "the witness has occurred before");
  /* a name that an instance has used */
  term_id all = term_forall(&ts, &x, 1, term_lt(&ts, zero, x));
  term_id either[] = {term_or(&ts, all, gen.bools[0]), neg};
  struct sequent v = {either, 2, ts.false_term};
  add_input(&r, 0), add_input(&r, 1);
  add_quantifier(&r, STEP_INSTANCE, all, c), add_quantifier(&r, STEP_WITNESS, neg, c);
  add_end(&r, c, zero);
  assert_false(accepts(&v, &r, &why));
  assert_string_equal(why, "the witness has occurred before");
  /* not a variable */
  add_quantifier(&r, STEP_WITNESS, neg, term_rat(&ts, 7, 1));
  add_end(&r, zero, zero);
  assert_false(accepts(&s, &r, &why));
  refutation_clear(&r);
}

static void steps_cannot_lean_on_later_ones(void **state) {
  (void)state;
  struct sequent s = {NULL, 0, ts.false_term};
  struct refutation r;
  const char *why = NULL;
  refutation_init(&r);
  assert_false(accepts(&s, &r, &why)); /* nothing at all */
  struct step *self = refutation_add(&r, STEP_CHAIN);
  vec_push(&self->hints, (size_t)0);
  assert_false(accepts(&s, &r, &why));
  struct step *later = refutation_add(&r, STEP_CHAIN);
  vec_push(&later->hints, (size_t)1);
  refutation_add(&r, STEP_CHAIN);
  assert_false(accepts(&s, &r, &why));
  refutation_add(&r, STEP_ALGEBRA); /* the empty sum is 0, and not strict */
  assert_false(accepts(&s, &r, &why));
  refutation_add(&r, (enum step_kind)99);
  assert_false(accepts(&s, &r, &why));
  refutation_clear(&r);
}

/* Comparisons of integers are sharper than those of reals that look the same. */
static void reals_are_not_integers(void **state) {
  (void)state;
  for (int is_int = 0; is_int < 2; is_int++) {
    term_id a = is_int ? gen.ints[0] : gen.reals[0];
    struct refutation r;
    refutation_init(&r);
    struct step *s = refutation_add(&r, STEP_ALGEBRA); /* not (0 < a and a < 1) */
    const term_id atoms[] = {term_lt(&ts, term_int(&ts, 0), a), term_lt(&ts, a, term_int(&ts, 1))};
    for (size_t i = 0; i < 2; i++) {
      struct summand m = {.multiplier = term_rat(&ts, 1, 1)};
      vec_push(&m.factors, i);
      vec_push(&s->literals, ((struct literal){atoms[i], true}));
      vec_push(&s->sum, m);
    }
    assert_int_equal(algebra_accepts(&ts, s), is_int);
    refutation_clear(&r);
  }
}

/* A sum that takes forever to multiply out is no evidence: small texts, shared again and again. */
static void work_is_bounded(void **state) {
  (void)state;
  term_id x = gen.reals[0], one = term_rat(&ts, 1, 1);
  term_id zero = term_sub(&ts, /* (x + 1)(x - 1) - x^2 + 1, which no builder simplifies */
                          term_mul(&ts, term_add(&ts, x, one), term_sub(&ts, x, one)),
                          term_sub(&ts, term_pow(&ts, x, 2), one));
  term_id t = zero;
  for (int i = 0; i < 300; i++)
    t = term_mul(&ts, zero,
                 term_mul(&ts, term_add(&ts, t, gen.reals[1]), term_add(&ts, t, gen.reals[2])));
  assert_true(t != TERM_NONE);
  struct refutation r;
  refutation_init(&r);
  struct step *s = refutation_add(&r, STEP_ALGEBRA);
  vec_push(&s->literals, ((struct literal){term_eq(&ts, t, x), true}));
  struct summand m = {.multiplier = t};
  vec_push(&m.factors, (size_t)0);
  vec_push(&s->sum, m);
  assert_false(algebra_accepts(&ts, s));
  fmpq_t huge;
  fmpq_init(huge);
  fmpz_ui_pow_ui(fmpq_numref(huge), 3, 600000);
  s->sum.at[0].multiplier = term_num(&ts, huge, SORT_REAL);
  s->literals.at[0].atom = term_eq(&ts, x, one);
  assert_true(s->sum.at[0].multiplier != TERM_NONE);
  assert_false(algebra_accepts(&ts, s));
  fmpq_clear(huge);
  refutation_clear(&r);
}

/* Variables that a certificate names cannot be those that a rule takes for new. */
static void names_in_texts_are_not_fresh_later(void **state) {
  (void)state;
  struct terms other;
  struct term_reader reader;
  terms_init(&other);
  term_reader_init(&reader, &other);
  term_id v = term_var(&other, "v", SORT_INT, 0, 0);
  char line[64];
  for (unsigned version = 1; version < 40; version += 3) {
    snprintf(line, sizeof line, "v v i 0 %u", version);
    assert_true(term_read_line(&reader, line, strlen(line)));
    size_t known = other.nodes.len;
    term_id fresh = term_fresh(&other, v);
    assert_true(fresh >= known); /* it did not exist */
  }
  snprintf(line, sizeof line, "v v i 0 %u", (unsigned)TERM_LIMIT_VERSION - 1);
  assert_true(term_read_line(&reader, line, strlen(line)));
  size_t known = other.nodes.len;
  assert_true(term_fresh(&other, v) >= known);
  assert_int_equal(term_fresh(&other, v), TERM_NONE); /* rather than an old one */
  term_reader_clear(&reader);
  terms_clear(&other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(witnesses_are_new),
      cmocka_unit_test(steps_cannot_lean_on_later_ones),
      cmocka_unit_test(reals_are_not_integers),
      cmocka_unit_test(work_is_bounded),
      cmocka_unit_test(names_in_texts_are_not_fresh_later),
      cmocka_unit_test(nothing_false_is_accepted),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
