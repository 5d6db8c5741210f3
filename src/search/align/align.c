#include "search/align/align.h"

#include <math.h>
#include <string.h>

#include "kernel/notion.h"
#include "search/align/blame.h"
#include "search/align/emit.h"
#include "search/align/loop.h"
#include "search/align/naming.h"
#include "search/align/place.h"
#include "search/align/rounds.h"
#include "search/align/strategy.h"
#include "search/base/lists.h"
#include "search/base/sums.h"
#include "search/base/text.h"
#include "search/base/view.h"
#include "term/build.h"
#include "term/subst.h"

enum { MAX_CASES = 4 }; /* of the adjacency */

/* ---- one search ------------------------------------------------------------------------------ */

struct align *align_open(struct auto_problem *p, struct auto_search *search, bool swapped) {
  struct align *s = arena_new(p->arena, struct align);
  *s = (struct align){.problem = p,
                      .search = search,
                      .ts = p->ts,
                      .k = claim_kernel(p->goal, CLAIM_FORWARD),
                      .arena = p->arena,
                      .forms = {.arena = p->arena},
                      .program = view_program(p),
                      .together = -1,
                      .swapped = swapped};
  align_inputs(s);
  return s;
}

void align_close(struct align *s) {
  vec_clear(&s->forms.atoms);
  vec_clear(&s->forms.groups);
  vec_clear(&s->vars);
  vec_clear(&s->place);
  vec_clear(&s->asked);
  known_clear(&s->known);
  vec_clear(&s->private);
  vec_clear(&s->public);
  vec_clear(&s->constants);
  vec_clear(&s->units);
  vec_clear(&s->shapes);
  vec_clear(&s->computed);
  vec_clear(&s->witnesses);
  vec_clear(&s->needs);
  vec_clear(&s->wanted);
  vec_clear(&s->fixed);
  vec_clear(&s->living);
  vec_clear(&s->vague);
  points_clear(&s->points);
}

/* Before the program starts nothing is known of its variables. */
static struct align_piece *solve_once(struct align *s) {
  size_t n = s->vars.len;
  struct align_state state = {.value = arena_alloc(s->arena, (n + 1) * sizeof(term_id)),
                              .diff = arena_alloc(s->arena, (n + 1) * sizeof(void *))};
  bool *live = arena_alloc(s->arena, n + 1);
  const struct lowered *program = claim_program(s->problem->goal);
  for (size_t v = 0; v < n; v++) {
    state.value[v] = s->vars.at[v];
    state.diff[v] = &FORM_UNKNOWN;
    live[v] = s->vars.at[v] == program->result || s->vars.at[v] == program->output;
  }
  struct align_start start = {.state = state, .todo = todo_command(s, s->program, NULL)};
  struct align_goal goal = {.live = live};
  return align_piece_solve(s, &start, &goal);
}

static bool is_needed(const struct align *s, const struct align_need *n) {
  for (size_t i = 0; i < s->needs.len; i++)
    if (s->needs.at[i].loop == n->loop && s->needs.at[i].var == n->var) return true;
  return false;
}

/* Solves; where a variable of a loop had to be equal later and was not, asks for that. */
static struct align_piece *solve_refining(struct align *s) {
  for (size_t round = 0; round <= ALIGN_NEEDS; round++) {
    s->wanted.len = 0;
    struct align_piece *piece = solve_once(s);
    if (piece) return piece;
    size_t i = 0;
    while (i < s->wanted.len && is_needed(s, &s->wanted.at[i]))
      i++;
    if (i == s->wanted.len) return NULL;
    vec_push(&s->needs, s->wanted.at[i]);
  }
  return NULL;
}

/* Shifts for samplings whose effect lasts: none, or small ones. NULL: there are no more. */
static const struct form *lasting_shift(struct align *s, size_t i) {
  return i == 0 ? &FORM_ZERO : align_step(s, i - 1, 2);
}

/* Samplings in loops whose effect lasts are chosen for the next iteration by greed alone; so try
 * fixed shifts for them as well. */
static struct align_piece *solve(struct align *s) {
  align_measure(s);
  struct align_piece *best = solve_refining(s);
  for (size_t site = 0; site < s->living.len && site < 2; site++)
    for (size_t i = 0; lasting_shift(s, i); i++) {
      vec_push(&s->fixed, (struct align_fixed){s->living.at[site], lasting_shift(s, i)});
      struct align_piece *other = solve_refining(s);
      if (other && (!best || other->weight < best->weight * (1 - 1e-9)))
        best = other;
      else
        s->fixed.len--;
    }
  if (!best && s->vague.len) { /* products: only equal samples are sure to keep them equal */
    vec_push(&s->fixed, (struct align_fixed){s->vague.at[0], &FORM_ZERO});
    best = solve_refining(s);
    if (!best) s->fixed.len--;
  }
  return best;
}

/* ---- cases of the adjacency ------------------------------------------------------------------ */

/* A proof of one direction: of the whole, or by cases of what is assumed of the inputs. */
struct plan {
  struct align *s;
  struct align_piece *piece;
  term_id condition;      /* TERM_NONE: the whole, or the last case */
  struct plan *otherwise; /* the next case */
  term_id cost;           /* of this and the cases after it */
};

/* One strategy run: owns its searches. */
struct task {
  struct auto_problem *problem;
  struct auto_search *search;
  bool keyless;
  VEC(struct align *) all;
};

static struct align *new_align(struct task *t, bool swapped) {
  struct align *s = align_open(t->problem, t->search, swapped);
  s->keyless = t->keyless;
  vec_push(&t->all, s);
  return s;
}

static struct plan *plan_for(struct task *t, struct align *s) {
  struct align_piece *piece = solve(s);
  if (!piece) return NULL;
  align_piece_settle(s, piece);
  struct plan *plan = arena_new(t->problem->arena, struct plan);
  *plan = (struct plan){.s = s, .piece = piece, .condition = TERM_NONE, .cost = piece->cost};
  return plan;
}

static struct plan *plan_whole(struct task *t, bool swapped, term_id assumption) {
  struct align *s = new_align(t, swapped);
  if (assumption != TERM_NONE) s->assumption = assumption;
  return plan_for(t, s);
}

/* The parts of a disjunction, one by one; the last of them holds if no other does. */
static struct plan *plan_cases(struct task *t, bool swapped, term_id fact, size_t from) {
  struct terms *ts = t->problem->ts;
  struct plan *plan = plan_whole(t, swapped, term_arg(ts, fact, from));
  if (!plan || from + 1 == term_arg_count(ts, fact)) return plan;
  plan->condition = term_arg(ts, fact, from);
  plan->otherwise = plan_cases(t, swapped, fact, from + 1);
  if (!plan->otherwise) return NULL;
  plan->cost = align_max(plan->s, plan->cost, plan->otherwise->cost);
  return plan;
}

/* Is the cost above the stated one at some sample point? */
static bool too_expensive(struct align *s, term_id cost) {
  if (s->problem->wants_least) return false;
  term_id stated = claim_budget(s->problem->goal);
  for (size_t i = 0; i < s->points.count; i++) {
    double have = points_value(&s->points, i, stated), need = points_value(&s->points, i, cost);
    if (need > have * (1 + 1e-9) + 1e-12) return true;
  }
  return false;
}

/* The first alternatives of disjunctions inside of the fact, which may be about all indices, at those
 * that differ: `not is_some(x<1>[k])` where the record k is missing in one of the runs. Appended. */
static void alternatives_in(const struct align *s, term_id t, term_list *out) {
  struct terms *ts = s->ts;
  enum term_kind kind = term_kind(ts, t);
  term_id first = term_arg_count(ts, t) ? term_arg(ts, t, 0) : TERM_NONE, var;
  if (kind == TERM_NOT && term_kind(ts, first) == TERM_AND)
    terms_add(out, term_not(ts, term_arg(ts, first, 0)));
  if (kind == TERM_FORALL && term_get(ts, t)->binder == SORT_INT) {
    term_id body = term_open(ts, t, &var);
    for (size_t w = 0; w < s->witnesses.len; w++)
      if (term_kind(ts, s->witnesses.at[w].var) == TERM_VAR)
        alternatives_in(s, term_subst(ts, body, &var, &s->witnesses.at[w].var, 1), out);
  }
  if (kind == TERM_IMPLIES) alternatives_in(s, term_arg(ts, t, 1), out);
  if (kind != TERM_AND && kind != TERM_OR) return;
  for (size_t i = 0; i < term_arg_count(ts, t); i++) {
    term_id part = term_arg(ts, t, i);
    if (kind == TERM_AND && term_kind(ts, part) == TERM_OR) terms_add(out, term_arg(ts, part, 0));
    alternatives_in(s, part, out);
  }
}

/* One proof where the condition holds, another one where it does not. */
static struct plan *plan_either(struct task *t, bool swapped, term_id condition) {
  struct plan *plan = plan_whole(t, swapped, condition);
  struct plan *other = plan ? plan_whole(t, swapped, term_not(t->problem->ts, condition)) : NULL;
  if (!other) return NULL;
  plan->condition = condition;
  plan->otherwise = other;
  plan->cost = align_max(plan->s, plan->cost, other->cost);
  return plan;
}

static struct plan *cheaper(struct plan *a, struct plan *b) {
  if (!a || !b) return a ? a : b;
  bool less = align_weight(b->s, b->cost) < align_weight(b->s, a->cost) * (1 - 1e-9);
  return less ? b : a;
}

static bool is_enough(const struct task *t, const struct plan *plan) {
  return plan && !t->problem->wants_least && !too_expensive(plan->s, plan->cost);
}

/* Is the fact about more than one private input? Then its alternatives say which one differs, and
 * what is asked of all of them at once is hard to answer. */
static bool is_of_several(const struct align *s, term_id fact) {
  size_t count = 0;
  for (size_t i = 0; i < s->private.len; i++) {
    term_id input = kernel_tag(s->k, s->private.at[i], 1);
    count += term_mentions(s->ts, fact, &input, 1);
  }
  return count > 1;
}

/* By the cases of each fact that has alternatives; of several inputs, or of one. */
static struct plan *plan_alternatives(struct task *t, const struct align *s, bool swapped,
                                      bool of_several, struct plan *best) {
  const struct kernel *k = claim_kernel(t->problem->goal, swapped ? CLAIM_BACKWARD : CLAIM_FORWARD);
  for (size_t i = 0; i < kernel_fact_count(k) && !is_enough(t, best); i++) {
    term_id fact = kernel_fact(k, i);
    if (term_kind(s->ts, fact) == TERM_OR && term_arg_count(s->ts, fact) <= MAX_CASES &&
        is_of_several(s, fact) == of_several)
      best = cheaper(best, plan_cases(t, swapped, fact, 0));
  }
  return best;
}

static struct plan *plan_direction(struct task *t, bool swapped) {
  struct align *s = new_align(t, swapped);
  struct plan *best = plan_alternatives(t, s, swapped, true, NULL);
  if (!is_enough(t, best)) best = cheaper(best, plan_for(t, s));
  best = plan_alternatives(t, s, swapped, false, best);
  const struct kernel *k = claim_kernel(t->problem->goal, swapped ? CLAIM_BACKWARD : CLAIM_FORWARD);
  term_list inside = {0};
  for (size_t i = 0; i < kernel_fact_count(k) && !is_enough(t, best); i++)
    alternatives_in(s, kernel_fact(k, i), &inside);
  for (size_t i = 0; i < inside.len && i < MAX_CASES && !is_enough(t, best); i++)
    if (text_of(t->problem, inside.at[i]))
      best = cheaper(best, plan_either(t, swapped, inside.at[i]));
  vec_clear(&inside);
  return best;
}

/* The steps of one direction; NULL if there are none. */
static const char *plan_text(const struct plan *plan, const struct align_style *style) {
  struct text text;
  text_init(&text, plan->s->problem);
  align_emit(plan->s, plan->piece, style, &text);
  const char *steps = text_take(&text);
  if (!steps || plan->condition == TERM_NONE) return steps;
  const char *otherwise = plan_text(plan->otherwise, style);
  if (!otherwise) return NULL;
  const char *condition = text_of_relation(plan->s->problem, plan->condition);
  if (!condition) condition = align_term_text(plan->s, plan->condition);
  return arena_printf(plan->s->arena, "case %s {\n%s} else {\n%s}\n", condition, steps, otherwise);
}

/* ---- proposals ------------------------------------------------------------------------------- */

/* Does the cost grow with the data? Another kind of coupling may avoid that. */
static bool grows_with_data(struct align *s, term_id cost) {
  return term_mentions(s->ts, cost, s->points.lengths.at, s->points.lengths.len);
}

/* Are there differences whose bounds are parameters? */
static bool pays_in_units(const struct align *s) {
  for (size_t i = 0; i < s->units.len; i++)
    if (s->units.at[i] != TERM_NONE) return true;
  return false;
}

static void propose(struct task *t, const struct plan *there, const struct plan *back,
                    const char *cost) {
  struct auto_problem *p = t->problem;
  bool proved = false;
  static const struct align_style linear[] = {{0}, {.split = true}, {.bold = true}};
  /* squares of exact distances are hard to bound */
  static const struct align_style squared[] = {{.apart = true},
                                               {.widest = true},
                                               {.split = true},
                                               {0},
                                               {.apart = true, .after = true, .bold = true}};
  /* so are products of logarithms with them */
  static const struct align_style logarithmic[] = {{.apart = true}, {0}, {.bold = true}};
  /* what differs by a parameter, divided by another one, is hard to compare with a price */
  static const struct align_style in_units[] = {
      {.apart = true}, {.split = true}, {0}, {.bold = true}};
  bool pure = kernel_notion(there->s->k).kind == NOTION_PURE;
  bool has_log = term_get(p->ts, there->cost)->flags & TERM_HAS_TRANSCENDENTAL;
  const struct align_style *styles = !pure                     ? squared
                                     : has_log                 ? logarithmic
                                     : pays_in_units(there->s) ? in_units
                                                               : linear;
  size_t more = styles == in_units, count = pure ? 2 + more : 4;
  for (size_t v = 0; v < there->s->place.len; v++)
    if (there->s->place.at[v] != SIZE_MAX)
      count = pure ? 3 + more : 5; /* an array differs somewhere */
  for (size_t i = 0; i < count && !proved && !auto_done(t->search); i++) {
    struct align_style style = styles[i];
    const char *steps = plan_text(there, &style);
    const char *other = back && steps ? plan_text(back, &style) : "";
    if (!steps || !other) continue;
    const char *own = steps;
    steps = rounds_settled(p->arena, steps, back ? other : NULL);
    if (back) other = rounds_settled(p->arena, other, own);
    const char *proof = back ? arena_printf(p->arena, "{\n%sbackward {\n%s}\n}", steps, other)
                             : arena_printf(p->arena, "{\n%s}", steps);
    struct auto_candidate c = {
        .proof = proof, .epsilon = p->wants_least ? cost : NULL, .promise = 10};
    proved = auto_try(t->search, &c)->verdict == PROOF_BELIEVED;
  }
}

static bool has_keys(const struct task *t) {
  for (size_t i = 0; i < t->all.len; i++)
    for (size_t w = 0; w < t->all.at[i]->witnesses.len; w++)
      if (align_is_key(t->all.at[i], t->all.at[i]->witnesses.at[w].var)) return true;
  return false;
}

static void search_with(struct auto_problem *p, struct auto_search *search, bool any_cost,
                        bool keyless, bool *keys) {
  struct task t = {.problem = p, .search = search, .keyless = keyless};
  bool both = !claim_is_symmetric(p->goal);
  struct plan *there = plan_direction(&t, false);
  struct plan *back = both && there ? plan_direction(&t, true) : NULL;
  if (!there || (both && !back)) {
    align_report(vec_last(&t.all), NULL, TERM_NONE);
  } else {
    struct align *s = there->s;
    term_id cost = both ? align_max(s, there->cost, back->cost) : there->cost;
    cost = cost_simplified(s->ts, cost);
    const struct plan *dear = !back || too_expensive(s, there->cost) ? there : back;
    if (!align_is_fixed(s, cost) || too_expensive(s, cost))
      align_report(dear->s, dear->piece, dear->cost);
    else if (any_cost || !p->wants_least || !grows_with_data(s, cost))
      propose(&t, there, back, align_cost_text(s, sums_at_most(p, cost)));
  }
  *keys = has_keys(&t);
  for (size_t i = 0; i < t.all.len; i++)
    align_close(t.all.at[i]);
  vec_clear(&t.all);
}

const char *align_steps(struct auto_problem *p, struct auto_search *search, bool swapped,
                        term_id assumption) {
  static const struct align_style plain = {0};
  struct task t = {.problem = p, .search = search};
  const struct plan *plan = plan_whole(&t, swapped, assumption);
  bool fits = plan && align_is_fixed(plan->s, plan->cost) && !too_expensive(plan->s, plan->cost);
  const char *steps = fits ? plan_text(plan, &plain) : NULL;
  if (steps) steps = rounds_settled(p->arena, steps, NULL);
  for (size_t i = 0; i < t.all.len; i++)
    align_close(t.all.at[i]);
  vec_clear(&t.all);
  return steps;
}

/* Where a key says which bins differ, all of them may still be cheaper: there may be only one. */
static void search_for(struct auto_problem *p, struct auto_search *search, bool any_cost) {
  bool keys;
  search_with(p, search, any_cost, false, &keys);
  if (keys && !auto_done(search) && !auto_cost(search))
    search_with(p, search, any_cost, true, &keys);
}

void auto_align(struct auto_problem *p, struct auto_search *search) {
  search_for(p, search, false);
}

void auto_align_any(struct auto_problem *p, struct auto_search *search) {
  if (p->wants_least && !auto_cost(search)) search_for(p, search, true);
}

void auto_align_around(struct auto_problem *p, struct auto_search *search) {
  search_for(p, search, true);
}
