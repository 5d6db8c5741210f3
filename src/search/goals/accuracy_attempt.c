/* One plan of a proof of accuracy as text, and its attempts. */
#include "search/base/blamed.h"
#include "search/base/lists.h"
#include "search/base/parameter.h"
#include "search/base/points.h"
#include "search/base/text.h"
#include "search/base/view.h"
#include "search/goals/accuracy_index.h"
#include "search/goals/accuracy_internal.h"
#include "term/build.h"

enum {
  DROPS = 40,        /* candidates for invariants that are given up, per plan */
  DROPS_LOWERING = 2 /* the same where a plan of this form has led to a proof */
};

/* ---- text ------------------------------------------------------------------------------------- */

static size_t site_of(const struct accuracy *a, const struct core *c) {
  size_t i = 0;
  while (i < a->sites.len && a->sites.at[i].c != c)
    i++;
  return i;
}

/* Samplings of one variable in a scope, not in its loops. */
static unsigned count_samples(const struct core *c, term_id var) {
  unsigned own = c->kind == CORE_SAMPLE && c->var == var;
  if (c->kind != CORE_SEQ && c->kind != CORE_IF) return own;
  return count_samples(c->first, var) + count_samples(c->second, var);
}

struct scope_text {
  const struct core *code;
  term_list seen; /* variables sampled so far */
  unsigned loops;
};

static void put_code(struct accuracy *a, struct text *t, struct scope_text *scope,
                     const struct core *c);

static void put_sample(struct accuracy *a, struct text *t, struct scope_text *scope,
                       const struct core *c) {
  unsigned number = 1;
  for (size_t i = 0; i < scope->seen.len; i++)
    number += scope->seen.at[i] == c->var;
  vec_push(&scope->seen, c->var);
  size_t i = a->sum_loop ? a->sites.len : site_of(a, c);
  bool may_fail = accuracy_is_coin(c) && a->chance != TERM_NONE;
  if (i == a->sites.len && !may_fail) return;
  text_put(t, "sample %s", term_var_get(a->ts, c->var)->name);
  if (count_samples(scope->code, c->var) > 1) text_put(t, " %u", number);
  text_put(t, ":");
  if (may_fail) text_put(t, " failure %t", a->chance);
  static const char *const sides[] = {"above", "below", "both"};
  if (!may_fail) text_put(t, " %s %t", sides[accuracy_tail_at(a, i)], a->distances.at[i]);
  if (!may_fail && a->shares.at[i] != TERM_NONE) text_put(t, " failure %t", a->shares.at[i]);
  text_line(t, ";");
}

static void put_total(struct text *t, const struct total_plan *s) {
  text_put(t, "total %t: both %t scale %t draws %t at most %t", s->sum, s->within, s->scale,
           s->left, s->draws);
  if (s->restarts != TERM_NONE) text_put(t, " restarts %t at most %t", s->restarts, s->blocks);
  text_line(t, " failure %t;", s->failure);
}

/* That the loop ends, and how often it runs: of a `for`, the kernel knows. */
static void put_count(struct accuracy *a, struct text *t, const struct core *c) {
  if (c->var == TERM_NONE || view_origin(a->p, c)->var != TERM_NONE) return;
  term_id left = index_left(a->ts, c);
  text_line(t, "variant %t;", left);
  if (c != a->each.loop && c != a->sum_loop && core_is_random(c))
    text_line(t, "counted %t at most %t;", left, term_sub(a->ts, c->args[1], c->args[0]));
}

/* The loop is a contest: its winner is near the best. */
static bool put_contest(struct accuracy *a, struct text *t, const struct core *c) {
  size_t i = 0;
  while (i < a->sites.len && a->sites.at[i].contest != c)
    i++;
  if (i == a->sites.len) return false;
  const struct noise_site *s = &a->sites.at[i];
  term_id all = a->shares.at[i];
  if (all == TERM_NONE)
    all = dist_tail(a->ts, DIST_GUMBEL, s->c->args, TAIL_ABOVE, a->distances.at[i]);
  text_line(t, "exponential %s within %t failure %t;",
            term_var_get(a->ts, accuracy_winner(a, c))->name, a->distances.at[i],
            term_mul(a->ts, s->values, all));
  return true;
}

static void put_loop(struct accuracy *a, struct text *t, struct scope_text *scope,
                     const struct core *c) {
  if (put_contest(a, t, c)) {
    scope->loops++;
    return;
  }
  text_line(t, "loop %u {", ++scope->loops);
  for (size_t i = 0; i < a->keep.candidates.len; i++) {
    const struct keep_candidate *k = &a->keep.candidates.at[i];
    if (k->loop == c && !k->is_dropped) text_line(t, "invariant %t;", k->formula);
  }
  if (c == a->each.loop)
    text_line(t, "deltas %t total %t counted %t at most %t;", a->each.count, a->each.total,
              term_sub(a->ts, c->args[1], c->var), c->args[1]);
  put_count(a, t, c);
  for (size_t i = 0; c == a->sum_loop && i < a->totals.len; i++)
    put_total(t, &a->totals.at[i]);
  struct scope_text inner = {.code = c->first};
  put_code(a, t, &inner, c->first);
  vec_clear(&inner.seen);
  text_line(t, "}");
}

static void put_code(struct accuracy *a, struct text *t, struct scope_text *scope,
                     const struct core *c) {
  if (c->kind == CORE_SAMPLE) put_sample(a, t, scope, c);
  if (c->kind == CORE_WHILE) put_loop(a, t, scope, c);
  if (c->kind != CORE_SEQ && c->kind != CORE_IF) return;
  put_code(a, t, scope, c->first);
  put_code(a, t, scope, c->second);
}

/* The denominators over parameters that have functions in them. */
static void find_denominators(struct accuracy *a, term_id t, term_list *out) {
  struct terms *ts = a->ts;
  for (size_t i = 0; i < term_arg_count(ts, t); i++)
    find_denominators(a, term_arg(ts, t, i), out);
  term_id d = term_kind(ts, t) == TERM_DIV ? term_arg(ts, t, 1) : t;
  if (d != t && term_kind(ts, d) == TERM_ADD && is_over_parameters(ts, a->p->module, d) &&
      (term_get(ts, d)->flags & TERM_HAS_TRANSCENDENTAL))
    terms_add(out, d);
}

/* That they are positive: it is hard to see this again and again. */
static void put_denominators(struct accuracy *a, struct text *t) {
  term_list all = {0};
  struct points points;
  find_denominators(a, claim_post(a->p->goal), &all);
  if (all.len) points_init(&points, a->p);
  for (size_t i = 0; i < all.len; i++) {
    term_id d = all.at[i], zero = term_rat(a->ts, 0, 1);
    if (points_at_most(&points, zero, d) && !points_at_most(&points, d, zero))
      text_line(t, "have %t;", term_lt(a->ts, zero, d));
  }
  if (all.len) points_clear(&points);
  vec_clear(&all);
}

static const char *proof_text(struct accuracy *a) {
  const struct core *program = view_program(a->p);
  struct scope_text top = {.code = program};
  struct text t;
  text_init(&t, a->p);
  text_line(&t, "{");
  put_denominators(a, &t);
  put_code(a, &t, &top, program);
  text_line(&t, "}");
  vec_clear(&top.seen);
  return text_take(&t);
}

/* ---- attempts --------------------------------------------------------------------------------- */

/* In the order of the text. */
static bool drop(struct accuracy *a, long number, const struct core *c) {
  if (c->kind == CORE_WHILE)
    for (size_t i = 0; i < a->keep.candidates.len; i++) {
      struct keep_candidate *k = &a->keep.candidates.at[i];
      if (k->loop != c || k->is_dropped || k->order != number) continue;
      if (k->spare == TERM_NONE) k->is_dropped = true;
      if (k->spare != TERM_NONE) k->formula = k->spare;
      k->spare = TERM_NONE;
      return true;
    }
  return (c->first && drop(a, number, c->first)) || (c->second && drop(a, number, c->second));
}

static void number_candidates(struct accuracy *a, const struct core *c, long *next) {
  if (c->kind == CORE_WHILE)
    for (size_t i = 0; i < a->keep.candidates.len; i++)
      if (a->keep.candidates.at[i].loop == c && !a->keep.candidates.at[i].is_dropped)
        a->keep.candidates.at[i].order = (*next)++;
  if (c->first) number_candidates(a, c->first, next);
  if (c->second) number_candidates(a, c->second, next);
}

/* All candidates that others can take the place of; false: there are none. */
static bool use_spares(struct accuracy *a) {
  bool found = false;
  for (size_t i = 0; i < a->keep.candidates.len; i++) {
    struct keep_candidate *k = &a->keep.candidates.at[i];
    if (k->spare == TERM_NONE || k->is_dropped) continue;
    k->formula = k->spare;
    k->spare = TERM_NONE;
    found = true;
  }
  return found;
}

/* Where noise adds up, the bounds of the sums stand for what is wanted of them. */
static void drop_sums(struct accuracy *a) {
  for (size_t i = 0; a->sum_loop && i < a->keep.candidates.len; i++) {
    struct keep_candidate *k = &a->keep.candidates.at[i];
    k->is_dropped |= k->loop == a->sum_loop && term_kind(a->ts, k->formula) == TERM_LE;
  }
}

/* Nothing is said of the iterations of a contest. */
static void drop_contests(struct accuracy *a) {
  for (size_t i = 0; i < a->keep.candidates.len; i++)
    for (size_t s = 0; s < a->sites.len; s++)
      a->keep.candidates.at[i].is_dropped |=
          a->sites.at[s].contest == a->keep.candidates.at[i].loop;
}

/* What the last proof did without, this one does without from the start. */
static void drop_as_before(struct accuracy *a) {
  for (size_t i = 0; a->dropped.len == a->keep.candidates.len && i < a->dropped.len; i++)
    a->keep.candidates.at[i].is_dropped |= a->dropped.at[i];
}

static void note_dropped(struct accuracy *a) {
  a->dropped.len = 0;
  for (size_t i = 0; i < a->keep.candidates.len; i++)
    vec_push(&a->dropped, a->keep.candidates.at[i].is_dropped);
}

bool accuracy_attempt(struct accuracy *a, const char *found) {
  const struct core *program = view_program(a->p);
  keep_find(&a->keep, a->p, a->distances.at, a->sites.len);
  drop_sums(a);
  drop_contests(a);
  if (a->sum_loop && a->kept != TERM_NONE)
    vec_push(&a->keep.candidates,
             (struct keep_candidate){a->sum_loop, a->kept, TERM_NONE, false, 0});
  if (a->is_lowering) drop_as_before(a);
  int most = a->is_lowering ? DROPS_LOWERING : DROPS;
  for (int drops = 0; drops <= most && !auto_is_late(a->s); drops++) {
    const char *text = proof_text(a);
    if (!text) return false;
    const struct proof_result *r =
        auto_try(a->s, &(struct auto_candidate){text, found, (int)a->keep.candidates.len});
    if (r->verdict == PROOF_BELIEVED) {
      note_dropped(a);
      return true;
    }
    long next = 0, number = blamed_invariant(a->p, r);
    number_candidates(a, program, &next);
    if ((number < 0 || !drop(a, number, program)) && !use_spares(a)) return false;
  }
  return false;
}
