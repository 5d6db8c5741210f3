/* Local search for a greater loss: program_search.h.
 *
 * One change at a time, the first that helps is taken: an entry of the inputs said twice, epsilon
 * doubled or halved, one number moved in both runs or in one. The event follows an entry that is
 * said twice; where outputs are few the worst one is chosen anew. */
#include <math.h>

#include "run/eval/number.h"
#include "search/refute/program_search.h"

enum {
  MOST_ENTRIES = 12, /* of an input that are moved */
  FEW_QUERIES = 5    /* up to here all outputs are listed for every change */
};
static const double LEAST_GAIN = 5e-4, LEAST_EPSILON = 0.1, MOST_EPSILON = 64;

enum move_kind { MOVE_REPEAT, MOVE_DOUBLE, MOVE_HALVE, MOVE_BOTH, MOVE_SECOND };

struct move {
  enum move_kind kind;
  size_t arg, k;
  slong units;                  /* both, second */
  const struct ast_decl *param; /* double, halve */
};
typedef VEC(struct move) move_list;

static void add_repeats(move_list *out, struct search *s, struct program_counterexample *ce,
                        slong most) {
  slong n = edit_length(ce, s->length);
  for (slong k = 0; n < most && k < n; k++)
    vec_push(out, (struct move){.kind = MOVE_REPEAT, .k = (size_t)k});
}

static void add_params(move_list *out, struct search *s, struct program_counterexample *ce) {
  for (size_t i = 0; i < ce->params.len; i++) {
    const struct ast_decl *d = ce->params.at[i].decl;
    if (!candidate_is_epsilon(s->claim, d)) continue;
    double value = number_to_double(&ce->params.at[i].value);
    if (2 * value <= MOST_EPSILON) vec_push(out, (struct move){.kind = MOVE_DOUBLE, .param = d});
    if (value / 2 >= LEAST_EPSILON) vec_push(out, (struct move){.kind = MOVE_HALVE, .param = d});
  }
}

static void add_numbers(move_list *out, struct search *s, struct program_counterexample *ce) {
  static const slong both[] = {1, -1}, second[] = {1, -1, 2, -2};
  const struct ast_routine *routine = s->claim->claim->as.claim.target->as.mechanism.routine;
  for (size_t arg = 0; arg < ce->input_count; arg++)
    for (size_t k = 0; k < MOST_ENTRIES && edit_number(ce, 0, arg, k); k++) {
      for (size_t i = 0; i < 2; i++)
        vec_push(out, (struct move){.kind = MOVE_BOTH, .arg = arg, .k = k, .units = both[i]});
      for (size_t i = 0; i < 4 && routine->args[arg]->is_private; i++)
        vec_push(out, (struct move){.kind = MOVE_SECOND, .arg = arg, .k = k, .units = second[i]});
    }
}

static bool scale_param(struct program_counterexample *ce, const struct ast_decl *param, slong num,
                        ulong den) {
  struct rvalue *v = edit_param(ce, param);
  if (!v || (v->kind != RVALUE_INT && v->kind != RVALUE_RATIONAL)) return false;
  fmpq_t q, factor;
  fmpq_init(q);
  fmpq_init(factor);
  number_get_fmpq(q, v);
  fmpq_set_si(factor, num, den);
  fmpq_mul(q, q, factor);
  rvalue_clear(v);
  *v = rvalue_fmpq(q);
  fmpq_clear(q);
  fmpq_clear(factor);
  return true;
}

static bool apply(const struct move *m, struct search *s, struct program_counterexample *ce,
                  const fmpq_t unit) {
  switch (m->kind) {
  case MOVE_REPEAT: return edit_repeat(ce, s->claim, s->length, m->k);
  case MOVE_DOUBLE: return scale_param(ce, m->param, 2, 1);
  case MOVE_HALVE: return scale_param(ce, m->param, 1, 2);
  case MOVE_BOTH:
  case MOVE_SECOND:
    for (int run = m->kind == MOVE_SECOND; run < 2; run++) {
      struct rvalue *v = edit_number(ce, run, m->arg, m->k);
      if (!v) return false;
      edit_add(v, m->units, unit);
    }
    return true;
  }
  return false;
}

/* An output that is a position moves with what it points at. */
static bool rate_next_position(struct search *s, struct program_counterexample *ce,
                               struct score *score) {
  if (ce->outputs.len != 1 || ce->outputs.at[0].kind != PATTERN_VALUE) return false;
  struct rvalue *v = &ce->outputs.at[0].value;
  if (v->kind != RVALUE_INT) return false;
  fmpq_t one;
  fmpq_init(one);
  fmpq_one(one);
  edit_add(v, 1, one);
  fmpq_clear(one);
  return rate_event(s, ce, score);
}

static bool gains(struct score next, struct score now) {
  if (next.violates != now.violates) return next.violates;
  return next.loss > now.loss + LEAST_GAIN * (1 + fabs(now.loss));
}

/* Rates the changed candidate; true if it is better than `now`. */
static bool rate_change(struct search *s, struct program_counterexample *ce, enum move_kind kind,
                        struct score now, struct score *next) {
  if (!s->claim->claim->as.claim.delta) {
    if (rate_event(s, ce, next) && gains(*next, now)) return true;
    if (kind == MOVE_REPEAT && rate_next_position(s, ce, next) && gains(*next, now)) return true;
  }
  if (!s->can_list || edit_length(ce, s->length) > FEW_QUERIES) return false;
  return rate_pair(s, ce, next) && gains(*next, now);
}

static void list_moves(move_list *out, struct search *s, struct program_counterexample *ce,
                       slong longest) {
  out->len = 0;
  add_repeats(out, s, ce, longest);
  add_params(out, s, ce);
  add_numbers(out, s, ce);
}

/* True: the loss is enough, and comes to it in small steps, as to a bound that holds. */
static bool walk(struct search *s, struct program_counterexample *ce, struct score *score,
                 struct effort *effort) {
  static const double SMALL = 0.01;
  double step = 0;
  move_list moves = {0};
  fmpq_t unit;
  fmpq_init(unit);
  candidate_unit(unit, s->claim, ce);
  list_moves(&moves, s, ce, effort->length);
  size_t failed = 0, at = 0;
  while (failed < moves.len && effort->ratings > 0 && !isinf(score->loss) &&
         !(score_is_enough(*score, effort->enough) && step < SMALL) &&
         !budget_is_spent(s->budget)) {
    effort->ratings--;
    const struct move m = moves.at[at % moves.len];
    struct program_counterexample changed;
    struct score next;
    program_counterexample_init(&changed);
    program_counterexample_copy(&changed, ce);
    if (apply(&m, s, &changed, unit) && rate_change(s, &changed, m.kind, *score, &next)) {
      program_counterexample_copy(ce, &changed);
      step = next.loss - score->loss;
      *score = next;
      search_note_length(s, ce, next);
      list_moves(&moves, s, ce, effort->length);
      failed = 0;
    } else {
      failed++;
      at++;
    }
    program_counterexample_clear(&changed);
  }
  vec_clear(&moves);
  fmpq_clear(unit);
  return score_is_enough(*score, effort->enough) && step < SMALL;
}

void search_improve(struct search *s, struct program_counterexample *ce, struct score *score,
                    struct effort effort) {
  const struct budget *outer = s->budget;
  s->budget = effort.budget;
  struct score before;
  do {
    before = *score;
    if (walk(s, ce, score, &effort)) break;
    if (s->must_sample) rate_climb(s, ce, score, &effort.ratings);
  } while (effort.ratings > 0 && gains(*score, before) && !budget_is_spent(s->budget));
  s->budget = outer;
}
