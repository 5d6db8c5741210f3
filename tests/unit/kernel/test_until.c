/* ctest-label: release */
/* UNTIL against the meaning of judgements: the premises are true by construction, and so must be the
 * conclusion; with a side condition dropped false conclusions appear. */
#include "finite_test.h"
#include "term/subst.h"

/* One variable is data, the other one is drawn. */
static const struct core *random_round(struct finite *w) {
  struct terms *ts = &w->terms;
  bool bit = rng_chance(&w->rng, 1, 2);
  term_id next = term_add(ts, w->digit, term_int(ts, 1)), one = term_int(ts, 1);
  term_id p = term_div(ts, next, term_add(ts, next, term_int(ts, rng_range(&w->rng, 1, 3))));
  term_id range[] = {term_int(ts, rng_range(&w->rng, 0, 1)),
                     term_ite(ts, w->bit, one, term_int(ts, 2))};
  const struct core *draw =
      bit ? core_sample(w->arena, span_none(), w->bit, DIST_BERNOULLI, &p, 1)
          : core_sample(w->arena, span_none(), w->digit, DIST_UNIFORM_INT, range, 2);
  if (rng_chance(&w->rng, 1, 2)) return draw;
  return core_seq(w->arena, draw, finite_command(w, 1, bit ? 1 : 2));
}

struct until {
  const struct core *loop, *round, *code;
  term_id accept, post;
  proof_of forward, backward;
};

static struct until until_with(struct finite *w, const struct core *round, term_id guard,
                               term_id post) {
  struct terms *ts = &w->terms;
  struct until u = {.round = round, .post = post};
  u.loop = core_while(w->arena, span_none(), guard, round);
  u.code = rng_chance(&w->rng, 1, 2) ? u.loop : core_seq(w->arena, round, u.loop);
  u.accept = term_rat(ts, rng_range(&w->rng, 0, 6), FINITE_STEP);
  term_id accepted = term_not(ts, kernel_tag(w->k, u.loop->expr, 1)),
          as_well = term_not(ts, kernel_tag(w->k, u.loop->expr, 2));
  u.forward =
      truth(w, round, round, term_implies(ts, accepted, term_and(ts, as_well, u.post)), w->k->zero);
  u.backward = truth(w, round, round, term_implies(ts, accepted, as_well), w->k->zero);
  return u;
}

static struct until random_until(struct finite *w, const struct core *round) {
  return until_with(w, round, finite_condition(w), random_assertion(w, 60));
}

static proof_of apply(struct finite *w, const struct until *u) {
  return rule_until(w->k, span_none(), u->code, u->accept, u->post, u->forward, u->backward, NULL);
}

/* What the rule concludes, or part of that: with shares of the budget for both premises. */
static void conclude_with(struct finite *w, const struct until *u, term_id rest, term_id share) {
  struct terms *ts = &w->terms;
  term_id g1 = kernel_tag(w->k, u->loop->expr, 1), g2 = kernel_tag(w->k, u->loop->expr, 2);
  term_id back = term_swap_runs(ts, judgement_pre(u->backward)), budget = w->k->budget;
  term_id drawn = term_le(ts, u->accept, budget);
  drawn = term_and(ts, drawn, term_subst(ts, judgement_pre(u->forward), &budget, &rest, 1));
  if (share != TERM_NONE) drawn = term_and(ts, drawn, term_subst(ts, back, &budget, &share, 1));
  term_id entered[] = {term_eq(ts, g1, g2), term_implies(ts, g1, drawn),
                       term_implies(ts, term_not(ts, g1), u->post)};
  term_id after[] = {u->post, term_not(ts, g1), term_not(ts, g2)};
  would(w, u->code, u->code, u->code == u->loop ? term_and_all(ts, entered, 3) : drawn,
        term_and_all(ts, after, 3), w->k->zero);
}

COUNTS(until_accepted, seen.tight > 5 && seen.wrong > 5)
TEST(until_accepted, 250) {
  struct terms *ts = &w->terms;
  w->k->exchanged = w->k; /* there are no facts */
  struct until u = random_until(w, random_round(w));
  proof_of j = apply(w, &u);
  /* refused: the condition reads or leaves what it should not, or a random step does */
  if (j) {
    conclude(w, j);
    term_id rest = term_sub(ts, w->k->budget, u.accept);
    conclude_with(w, &u, w->k->budget, u.accept); /* acceptance is not paid for */
    conclude_with(w, &u, rest, TERM_NONE);        /* there is no backward premise */
  }
  /* a premise about something else */
  struct until other = u;
  other.backward = u.forward;
  if (u.forward->post != u.backward->post) assert_null(apply(w, &other));
  other = u;
  other.forward = u.backward;
  if (u.forward->post != u.backward->post) assert_null(apply(w, &other));
  other = u;
  other.code = core_seq(w->arena, u.loop, u.round);
  assert_null(apply(w, &other));
  w->k->exchanged = NULL;
  assert_null(apply(w, &u));
}

/* Rounds that read what earlier ones wrote are refused, and wrong. */
COUNTS(rounds_that_remember, seen.wrong > 5)
TEST(rounds_that_remember, 200) {
  struct terms *ts = &w->terms;
  w->k->exchanged = w->k;
  struct until u = random_until(w, finite_command(w, 2, 3));
  proof_of j = apply(w, &u);
  bool reads = core_reads_old(ts, u.round, w->bit) || core_reads_old(ts, u.round, w->digit);
  term_list written = {0};
  core_writes(u.round, &written);
  bool remembers = false;
  for (size_t i = 0; i < written.len; i++)
    remembers |= core_reads_old(ts, u.round, written.at[i]);
  vec_clear(&written);
  assert_true(!remembers || !j);
  assert_true(reads || !remembers);
  if (j) conclude(w, j);
  seen.applied++;
  if (remembers) conclude_with(w, &u, term_sub(ts, w->k->budget, u.accept), u.accept);
  w->k->exchanged = NULL;
}

/* A variable that not every accepted round sets is not known afterwards: refused, and wrong. */
COUNTS(rounds_that_keep, seen.wrong > 1)
TEST(rounds_that_keep, 200) {
  struct terms *ts = &w->terms;
  w->k->exchanged = w->k;
  term_id half = term_rat(ts, 1, 2), range[] = {term_int(ts, 0), term_int(ts, 1)};
  const struct core *draw =
      core_sample(w->arena, span_none(), w->digit, DIST_UNIFORM_INT, range, 2);
  const struct core *round =
      core_seq(w->arena, core_sample(w->arena, span_none(), w->bit, DIST_BERNOULLI, &half, 1),
               core_if(w->arena, span_none(), w->bit, draw, core_skip()));
  bool told = rng_chance(&w->rng, 1, 3); /* then the accepted rounds are those that draw */
  struct until u = told ? until_with(w, round, term_not(ts, w->bit), random_assertion(w, 60))
                        : random_until(w, round);
  term_id digits[] = {w->digit, w->digits[1], w->digits[2]};
  bool used = term_mentions(ts, u.post, digits, 3);
  proof_of j = apply(w, &u);
  if (told) assert_non_null(j);
  if (j) conclude(w, j);
  if (!j) seen.applied++;
  if (used && !j) conclude_with(w, &u, term_sub(ts, w->k->budget, u.accept), u.accept);
  w->k->exchanged = NULL;
}

/* A round of run 2 that may hang counts as rejected: the precondition excludes it, or it is wrong. */
COUNTS(rounds_that_hang, seen.wrong > 5)
TEST(rounds_that_hang, 100) {
  struct terms *ts = &w->terms;
  w->k->exchanged = w->k;
  term_id half = term_rat(ts, 1, 2), one = term_int(ts, 1);
  term_id heads = rng_chance(&w->rng, 1, 2) ? w->bit : term_not(ts, w->bit);
  term_id stuck = term_and(ts, heads, term_eq(ts, w->digit, one));
  const struct core *round =
      core_seq(w->arena, core_sample(w->arena, span_none(), w->bit, DIST_BERNOULLI, &half, 1),
               core_while(w->arena, span_none(), stuck, core_skip()));
  struct until u = until_with(w, round, heads, random_assertion(w, 90));
  proof_of j = apply(w, &u);
  if (j) conclude(w, j);
  if (j) conclude_with(w, &u, term_sub(ts, w->k->budget, u.accept), u.accept);
  w->k->exchanged = NULL;
}

/* A premise with a delta is refused, and wrong. */
COUNTS(rounds_with_delta, seen.wrong > 5)
TEST(rounds_with_delta, 200) {
  struct terms *ts = &w->terms;
  w->k->exchanged = w->k;
  struct until u = random_until(w, random_round(w)), dear = u;
  term_id d = term_rat(ts, rng_range(&w->rng, 1, 4), 16);
  bool back = rng_chance(&w->rng, 1, 2);
  proof_of *which = back ? &dear.backward : &dear.forward;
  *which = truth(w, u.round, u.round, (*which)->post, d);
  seen.applied++;
  assert_null(apply(w, &dear));
  term_id rest = term_sub(ts, w->k->budget, u.accept);
  if (apply(w, &u)) conclude_with(w, &dear, rest, u.accept);
  w->k->exchanged = NULL;
}

/* The guard says what a round begins with: assignments in front of the body change nothing. */
COUNTS(rounds_that_begin_anew, seen.tight > 5)
TEST(rounds_that_begin_anew, 200) {
  struct terms *ts = &w->terms;
  w->k->exchanged = w->k;
  bool flag = rng_chance(&w->rng, 1, 2);
  term_id x = flag ? w->bit : w->digit;
  term_id value = flag ? term_bool(ts, true) : term_int(ts, rng_range(&w->rng, 0, 2));
  term_id told = term_eq(ts, x, value);
  term_id guard = rng_chance(&w->rng, 1, 3) ? told : term_and(ts, told, finite_condition(w));
  const struct core *body = rng_chance(&w->rng, 1, 2) ? finite_command(w, 2, 2) : random_round(w);
  /* sometimes another value than the guard says, or none is told */
  term_id other = flag ? term_bool(ts, false) : term_int(ts, 1);
  term_id begin = rng_chance(&w->rng, 1, 5) ? other : value;
  const struct core *round = core_seq(w->arena, core_assign(w->arena, span_none(), x, begin), body);
  struct until u = until_with(w, round, guard, random_assertion(w, 60));
  u.loop = core_while(w->arena, span_none(), guard, body);
  u.code = rng_chance(&w->rng, 1, 2) ? u.loop : core_seq(w->arena, round, u.loop);
  proof_of j = apply(w, &u);
  if (j) conclude(w, j);
  if (j) conclude_with(w, &u, w->k->budget, u.accept);
  term_id wrong = term_and(ts, guard, term_ne(ts, x, begin));
  for (int m = 0; m < FINITE_STATES && j; m++)
    assert_false(finite_holds(w, kernel_tag(w->k, wrong, 1), m, m, 0));
  w->k->exchanged = NULL;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(until_accepted),    cmocka_unit_test(rounds_that_remember),
      cmocka_unit_test(rounds_that_keep),  cmocka_unit_test(rounds_that_hang),
      cmocka_unit_test(rounds_with_delta), cmocka_unit_test(rounds_that_begin_anew)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
