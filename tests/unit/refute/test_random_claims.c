/* The refuter against all outcomes of random mechanisms with finite noise.
 *
 * What it certifies is true: the probabilities of its counterexamples and of its lower bounds are
 * those of the enumeration. What it can see it does not miss: if some pair of inputs that it is
 * known to look at violates the claim, the claim is refuted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lang/check/check.h"
#include "num/real/ball.h"
#include "random_program.h"
#include "search/refute/program_refute.h"
#include "testlib.h"

struct subject {
  struct lang lang;
  struct program_claim claim;
};

/* False: the text has errors, e.g. because private data decides how a loop goes on. */
static bool subject_init(struct subject *s, const char *text) {
  lang_init(&s->lang);
  s->claim = (struct program_claim){
      &s->lang, lang_load_text(&s->lang, "random.dp", text, strlen(text)), NULL};
  for (size_t i = 0; !s->lang.diags.errors && i < s->claim.module->decl_count; i++)
    if (s->claim.module->decls[i]->kind == DECL_CLAIM) s->claim.claim = s->claim.module->decls[i];
  return s->claim.claim != NULL;
}

/* All outcomes for one input; false: too many. */
static bool outcomes_for(struct subject *s, slong x, outcome_list *out) {
  struct interp in;
  interp_init(&in, &s->lang, s->claim.module, s->claim.claim->as.claim.target);
  interp_set_input(&in, 0, rvalue_int(x), span_none());
  assert_true(interp_prepare(&in));
  bool ok = enumerate_outcomes(&in, out);
  interp_clear(&in);
  return ok;
}

static void probability_of(fmpq_t out, const outcome_list *list, const struct rvalue *output) {
  fmpq_zero(out);
  for (size_t i = 0; i < list->len; i++) {
    int order;
    if (rvalue_compare(&order, &list->at[i].output, output) && order == 0)
      fmpq_set(out, &list->at[i].probability);
  }
}

/* Does the pattern of a counterexample hold for the output? Lists may be open, items anything. */
static bool matches(const struct pattern *p, const struct rvalue *v) {
  int order;
  if (p->kind == PATTERN_ANY) return true;
  if (p->kind == PATTERN_VALUE) return rvalue_compare(&order, v, &p->value) && order == 0;
  assert_true(p->kind == PATTERN_LIST || p->kind == PATTERN_TUPLE);
  size_t len = v->as.seq->len;
  if (p->is_open ? len < p->count : len != p->count) return false;
  for (size_t i = 0; i < p->count; i++)
    if (!matches(&p->items[i], &v->as.seq->at[i])) return false;
  return true;
}

/* The certified balls hold what the enumeration says. */
static void check(struct subject *s, const struct program_counterexample *ce, const char *text) {
  for (int run = 0; run < 2; run++) {
    outcome_list list = {0};
    fmpq_t sum;
    fmpq_init(sum);
    if (outcomes_for(s, fmpz_get_si(&ce->inputs[run][0].as.integer), &list)) {
      for (size_t i = 0; i < list.len; i++)
        for (size_t k = 0; k < ce->outputs.len; k++)
          if (matches(&ce->outputs.at[k], &list.at[i].output))
            fmpq_add(sum, sum, &list.at[i].probability);
      if (!arb_contains_fmpq(run ? ce->p2 : ce->p1, sum)) fail_msg("run %d of\n%s", run, text);
    }
    fmpq_clear(sum);
    outcomes_clear(&list);
  }
}

/* Is some output of x more than e times likelier than with y? Numbers are far from ties: e is
 * irrational. */
static bool violates(const outcome_list *x, const outcome_list *y) {
  bool found = false;
  fmpq_t q;
  arb_t bound, p;
  fmpq_init(q);
  arb_init(bound);
  arb_init(p);
  for (size_t i = 0; i < x->len && !found; i++) {
    probability_of(q, y, &x->at[i].output);
    arb_const_e(bound, 128);
    arb_mul_fmpz(bound, bound, fmpq_numref(q), 128);
    arb_div_fmpz(bound, bound, fmpq_denref(q), 128);
    arb_set_fmpq(p, &x->at[i].probability, 128);
    found = arb_gt(p, bound);
  }
  fmpq_clear(q);
  arb_clear(bound);
  arb_clear(p);
  return found;
}

/* -1: not known. */
static int is_violated_near_zero(struct subject *s) {
  outcome_list lists[3] = {{0}, {0}, {0}};
  bool known = true;
  for (int i = 0; i < 3; i++)
    known = known && outcomes_for(s, i - 1, &lists[i]);
  int answer = known && (violates(&lists[0], &lists[1]) || violates(&lists[1], &lists[0]) ||
                         violates(&lists[1], &lists[2]) || violates(&lists[2], &lists[1]));
  for (int i = 0; i < 3; i++)
    outcomes_clear(&lists[i]);
  return known ? answer : -1;
}

static void certified_means_true(void **state) {
  (void)state;
  size_t refuted = 0, open = 0;
  for (uint64_t seed = 1; seed <= test_rounds(150); seed++) {
    char *text = random_program(seed, false, "1");
    struct subject s;
    struct program_result r;
    int violated = subject_init(&s, text) ? is_violated_near_zero(&s) : -1;
    if (violated >= 0) {
      program_result_init(&r);
      program_refute(&r, &s.claim, NULL);
      if (r.status == PROGRAM_REFUTED) {
        assert_true(r.best.is_certified);
        check(&s, &r.best, text);
        if (r.has_worst) check(&s, &r.worst, text);
        refuted++;
      } else {
        if (violated) fail_msg("not refuted:\n%s", text);
        assert_true(!r.has_lower || r.lower <= 1);
        open++;
      }
      program_result_clear(&r);
    }
    lang_clear(&s.lang);
    free(text);
  }
  print_message("%zu refuted, %zu not\n", refuted, open);
  assert_often(refuted >= 20 && open >= 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(certified_means_true)};
  return cmocka_run_group_tests_name("random claims", tests, NULL, NULL);
}
