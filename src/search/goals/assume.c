#include "search/goals/assume.h"

#include "kernel/dist.h"
#include "kernel/notion.h"
#include "search/align/strategy.h"
#include "search/base/bounds.h"
#include "search/base/decided.h"
#include "search/base/lists.h"
#include "search/base/points.h"
#include "search/base/text.h"
#include "search/goals/stable.h"
#include "term/build.h"
#include "term/subst.h"

enum { MOST_SITES = 6, MOST_CHOICES = 24, MOST_EVENTS = 5, PROMISE_ASSUMED = 6 };

struct assumer {
  struct auto_problem *p;
  struct auto_search *search;
  struct terms *ts;
  struct kernel *k;
  struct points points;
  term_list sampled; /* variables that depend on samples */
  term_list private; /* inputs */
  term_list written;
  term_list witnesses;
  VEC(struct view_event) choices; /* what may be assumed of one sampling; not yet at which price */
  bool still; /* samples are as far from what they are compared with in both runs */
  bool exact; /* events outside of loops cost what their tails weigh */
};

/* The event is needed where the condition is false; where it is true, so are the data the same in
 * both runs, if there are any. */
struct split {
  term_id condition; /* TERM_NONE: the event is needed everywhere */
  bool by_data;
};

/* What an event may be split by. */
struct splits {
  term_list data, premises;
};

bool assume_has_delta(struct auto_problem *p) {
  term_id delta = claim_delta(p->goal);
  bool pure = kernel_notion(claim_kernel(p->goal, CLAIM_FORWARD)).kind == NOTION_PURE;
  bool some = !term_is_num(p->ts, delta) || !fmpq_is_zero(term_num_value(p->ts, delta));
  return pure && some && !p->wants_least;
}

/* ---- what a sample is compared with ---------------------------------------------------------- */

/* max(-c, min(c, y)) as y: inside of the bounds. */
static term_id unclamped(const struct assumer *a, term_id t, term_id y) {
  enum term_kind kind = term_kind(a->ts, t);
  while (kind == TERM_MIN || kind == TERM_MAX) {
    bool first = term_mentions(a->ts, term_arg(a->ts, t, 0), &y, 1);
    if (!first && !term_mentions(a->ts, term_arg(a->ts, t, 1), &y, 1)) break;
    t = term_arg(a->ts, t, first ? 0 : 1);
    kind = term_kind(a->ts, t);
  }
  return t;
}

/* What a sample is compared with, and whether some comparison takes a sample that is equal to it
 * for a greater one, and some for a smaller one. */
struct bound {
  term_id at;
  bool as_greater, as_smaller;
};

struct sample_bounds {
  VEC(struct bound) list;
};

static struct bound *bound_at(struct sample_bounds *bounds, term_id at) {
  for (size_t i = 0; i < bounds->list.len; i++)
    if (bounds->list.at[i].at == at) return &bounds->list.at[i];
  return NULL;
}

static void add_bound(struct sample_bounds *out, term_id at, enum term_kind kind, int sign) {
  if (!bound_at(out, at)) vec_push(&out->list, (struct bound){.at = at});
  if (kind != TERM_LE && kind != TERM_LT) return;
  bool greater = (kind == TERM_LE) == (sign < 0);
  bound_at(out, at)->as_greater |= greater;
  bound_at(out, at)->as_smaller |= !greater;
}

/* The bounds that the term compares the sample with; appended. */
static void bounds_in(const struct assumer *a, term_id t, term_id y, struct sample_bounds *out) {
  term_list parts = {0};
  term_id bound;
  int sign;
  if (t != TERM_NONE) term_subterms(a->ts, t, &parts);
  for (size_t i = 0; i < parts.len; i++)
    if (decided_compares(term_kind(a->ts, parts.at[i])) &&
        decided_bound(a->ts, unclamped(a, term_arg(a->ts, parts.at[i], 0), y),
                      unclamped(a, term_arg(a->ts, parts.at[i], 1), y), y, &bound, &sign))
      add_bound(out, bound, term_kind(a->ts, parts.at[i]), sign);
  vec_clear(&parts);
}

static void bounds_after(const struct assumer *a, const struct core *c, term_id y,
                         struct sample_bounds *out) {
  bounds_in(a, c->expr, y, out);
  for (size_t i = 0; i < c->arg_count; i++)
    bounds_in(a, c->args[i], y, out);
  if (c->first) bounds_after(a, c->first, y, out);
  if (c->second) bounds_after(a, c->second, y, out);
}

/* In a loop: in the iteration that comes to what differs, if there is such a thing. */
static void add_choice(struct assumer *a, struct view_event e) {
  for (size_t i = 0; i < a->witnesses.len || i == 0; i++) {
    bool once = e.in.loop && a->witnesses.len;
    e.witness = once ? a->witnesses.at[i] : TERM_NONE;
    if (a->choices.len < MOST_CHOICES) vec_push(&a->choices, e);
    if (!once) break;
  }
}

/* How often it may happen that the event fails. */
static term_id times(const struct assumer *a, const struct view_event *e) {
  bool all = e->in.loop && e->witness == TERM_NONE;
  return all ? term_sub(a->ts, e->in.end, e->in.low) : term_int(a->ts, 1);
}

/* The coin is likely to fall so. */
static void add_coin(struct assumer *a, struct view_event e) {
  term_id delta = claim_delta(a->p->goal), p = e.site->args[0];
  term_id other = term_sub(a->ts, term_int(a->ts, 1), p);
  for (int heads = 0; heads <= 1; heads++) {
    e.heads = heads;
    if (points_at_most(&a->points, heads ? other : p, delta)) add_choice(a, e);
  }
}

/* The event that the sample is between these, if given. */
static struct view_event between(struct view_event e, const struct bound *low,
                                 const struct bound *high) {
  e.low = low ? low->at : TERM_NONE;
  e.high = high ? high->at : TERM_NONE;
  e.off_low = low && low->as_smaller;
  e.off_high = high && high->as_greater;
  return e;
}

/* Bounds are over what nobody writes after the sampling. */
static void add_choices(struct assumer *a, const struct core *site, const struct core *rest,
                        const struct view_count *in) {
  struct sample_bounds bounds = {0};
  term_list written = {0};
  struct view_event e = {.site = site, .low = TERM_NONE, .high = TERM_NONE, .in = *in};
  size_t count = 0;
  if (site->dist == DIST_BERNOULLI) {
    add_coin(a, e);
    return;
  }
  if (!dist_has_tail(site->dist) && site->dist != DIST_UNIFORM) return;
  core_writes(rest, &written);
  bounds_after(a, rest, site->var, &bounds);
  for (size_t i = 0; i < bounds.list.len; i++)
    if (!term_mentions(a->ts, bounds.list.at[i].at, written.at, written.len))
      bounds.list.at[count++] = bounds.list.at[i];
  for (size_t i = 0; i < 2 * count && i < 6; i++) {
    const struct bound *bound = &bounds.list.at[i / 2];
    add_choice(a, between(e, i % 2 ? bound : NULL, i % 2 ? NULL : bound));
  }
  for (size_t i = 0; i < 2 && count == 2; i++)
    add_choice(a, between(e, &bounds.list.at[i], &bounds.list.at[1 - i]));
  vec_clear(&bounds.list);
  vec_clear(&written);
}

/* What the code assigns to the variable before it comes to the loop. False: it does not come to
 * it. */
static bool value_before(const struct core *c, const struct core *loop, term_id var, term_id *out) {
  if (c == loop) return true;
  if (c->kind == CORE_SEQ)
    return value_before(c->first, loop, var, out) || value_before(c->second, loop, var, out);
  term_list written = {0};
  core_writes(c, &written);
  if (terms_have(&written, var)) *out = c->kind == CORE_ASSIGN ? c->expr : TERM_NONE;
  vec_clear(&written);
  return false;
}

static bool is_fixed(const struct assumer *a, term_id t) {
  return t != TERM_NONE && !term_mentions(a->ts, t, a->written.at, a->written.len) &&
         !term_mentions(a->ts, t, a->private.at, a->private.len);
}

/* Does the loop count from one fixed number up to another? */
static bool find_count(const struct assumer *a, const struct core *loop, struct view_count *out) {
  term_list parts = {0};
  *out = (struct view_count){.loop = NULL};
  term_conjuncts(a->ts, loop->expr, &parts);
  for (size_t i = 0; i < parts.len && !out->loop; i++) {
    if (term_kind(a->ts, parts.at[i]) != TERM_LT) continue;
    struct view_count c = {view_origin(a->p, loop), term_arg(a->ts, parts.at[i], 0), TERM_NONE,
                           term_arg(a->ts, parts.at[i], 1)};
    if (term_kind(a->ts, c.index) != TERM_VAR || term_sort(a->ts, c.index) != SORT_INT) continue;
    value_before(view_program(a->p), loop, c.index, &c.low);
    if (is_fixed(a, c.low) && is_fixed(a, c.end)) *out = c;
  }
  vec_clear(&parts);
  return out->loop != NULL;
}

/* Samplings that are not in loops inside of loops, each with what comes after it (in the iteration).
 */
static void find_sites(struct assumer *a, const struct core *c, const struct core *after,
                       const struct view_count *in) {
  struct arena *arena = kernel_arena(a->k);
  struct view_count own;
  if (c->kind == CORE_SEQ) {
    find_sites(a, c->first, core_seq(arena, c->second, after), in);
    find_sites(a, c->second, after, in);
  } else if (c->kind == CORE_IF) {
    find_sites(a, c->first, after, in);
    find_sites(a, c->second, after, in);
  } else if (c->kind == CORE_WHILE && !in->loop && find_count(a, c, &own)) {
    find_sites(a, c->first, core_skip(), &own);
  } else if (c->kind == CORE_SAMPLE && !view_part(a->p, c) && !view_noise(a->p, c)) {
    add_choices(a, c, after, in);
  }
}

/* ---- data that are given out ----------------------------------------------------------------- */

static bool reads_data(const struct assumer *a, term_id t) {
  return t != TERM_NONE && term_mentions(a->ts, t, a->private.at, a->private.len) &&
         !term_mentions(a->ts, t, a->sampled.at, a->sampled.len);
}

/* Largest parts of the term that are data without noise; appended. */
static void data_in(const struct assumer *a, term_id t, term_list *out) {
  sort_id sort = t == TERM_NONE ? SORT_NONE : term_sort(a->ts, t);
  if (t == TERM_NONE || !term_mentions(a->ts, t, a->private.at, a->private.len)) return;
  if (reads_data(a, t) && (sort_is_numeric(sort) || sort == SORT_BOOL)) {
    terms_add(out, t);
    return;
  }
  for (size_t i = 0; i < term_arg_count(a->ts, t); i++)
    data_in(a, term_arg(a->ts, t, i), out);
}

/* What decides branches, and what is assigned, in code without samplings of its own. */
static void find_data(const struct assumer *a, const struct core *c, term_list *out) {
  if (c->kind == CORE_IF || c->kind == CORE_ASSIGN) data_in(a, c->expr, out);
  if (c->kind == CORE_WHILE) return;
  if (c->first) find_data(a, c->first, out);
  if (c->second) find_data(a, c->second, out);
}

/* Is the sample compared with the bound in the code, or in the condition alone? */
static bool compares(const struct assumer *a, const struct view_event *c, const struct core *code,
                     bool condition) {
  struct sample_bounds bounds = {0};
  if (condition)
    bounds_in(a, code->expr, c->site->var, &bounds);
  else
    bounds_after(a, code, c->site->var, &bounds);
  bool found = bound_at(&bounds, c->low != TERM_NONE ? c->low : c->high) != NULL;
  vec_clear(&bounds.list);
  return found;
}

/* Conditions on data that stand beside the comparison: `x > h and c > 0`. */
static void data_beside(const struct assumer *a, term_id t, term_list *out) {
  enum term_kind kind = term_kind(a->ts, t);
  if (kind != TERM_AND && kind != TERM_OR && kind != TERM_NOT) return;
  for (size_t i = 0; i < term_arg_count(a->ts, t); i++) {
    term_id one = term_arg(a->ts, t, i);
    if (reads_data(a, one))
      terms_add(out, one);
    else
      data_beside(a, one, out);
  }
}

/* The data behind the comparison of the choice, and those that decide whether it is come to. */
static void data_behind(const struct assumer *a, const struct view_event *c,
                        const struct core *code, term_list *out) {
  if (code->kind == CORE_IF && compares(a, c, code, true)) {
    data_beside(a, code->expr, out);
    find_data(a, code->first, out);
    find_data(a, code->second, out);
    return;
  }
  if (code->kind == CORE_IF && compares(a, c, code, false)) data_in(a, code->expr, out);
  if (code->kind == CORE_SEQ || code->kind == CORE_IF || code->kind == CORE_WHILE) {
    data_behind(a, c, code->first, out);
    if (code->second) data_behind(a, c, code->second, out);
  }
}

/* In a loop: of the iteration in which the event is assumed. Then they may depend on nothing else
 * that the loop changes. */
static void find_data_behind(const struct assumer *a, const struct view_event *e, term_list *out) {
  if (e->site->dist == DIST_BERNOULLI || (e->in.loop && e->witness == TERM_NONE)) return;
  data_behind(a, e, view_program(a->p), out);
  for (size_t i = 0; i < out->len && e->in.loop; i++) {
    out->at[i] = term_subst(a->ts, out->at[i], &e->in.index, &e->witness, 1);
    if (term_mentions(a->ts, out->at[i], a->written.at, a->written.len)) out->len = 0;
  }
}

static term_id all_equal(const struct assumer *a, const term_list *data) {
  term_id all = term_bool(a->ts, true);
  for (size_t i = 0; i < data->len; i++)
    all = term_and(
        a->ts, all,
        term_eq(a->ts, kernel_tag(a->k, data->at[i], 1), kernel_tag(a->k, data->at[i], 2)));
  return all;
}

/* ---- proofs ---------------------------------------------------------------------------------- */

/* What an event may cost each time: a coin its probability, the others share what is left. */
static term_id price_of(const struct assumer *a, const struct view_event *const *choices,
                        size_t count, size_t which) {
  struct terms *ts = a->ts;
  term_id left = claim_delta(a->p->goal);
  long others = 0;
  for (size_t i = 0; i < count; i++) {
    const struct view_event *c = choices[i];
    term_id p = c->site->dist == DIST_BERNOULLI ? c->site->args[0] : TERM_NONE;
    if (p != TERM_NONE && c->heads) p = term_sub(ts, term_int(ts, 1), p);
    if (p != TERM_NONE && i == which) return p;
    if (p != TERM_NONE) left = term_sub(ts, left, term_mul(ts, times(a, c), p));
    others += p == TERM_NONE;
  }
  return term_div(ts, left, term_mul(ts, term_int(ts, others), times(a, choices[which])));
}

/* The data behind the choice are equal: constants, as far as the view is concerned. In loops that is
 * a matter of the iteration; the aligner has the case as an assumption. */
static void settle_data(struct assumer *a, const struct view_event *e, const term_list *data,
                        struct view *out) {
  for (size_t j = 0; j < data->len && !e->in.loop; j++) {
    vec_push(&out->data, data->at[j]);
    vec_push(&out->constants, kernel_fresh(a->k, "k", term_sort(a->ts, data->at[j])));
  }
}

/* The steps where the choices outside of `stable` are in force, and the data behind the others are
 * equal. */
static const char *leaf(struct assumer *a, const struct view_event *const *choices, size_t count,
                        unsigned stable, const struct split *by, const struct splits *splits,
                        bool swapped, term_id given) {
  const struct view *before = a->p->view;
  const struct view_event *active[MOST_EVENTS];
  struct view view;
  struct decided d = {.ts = a->ts, .arena = kernel_arena(a->k), .events = active, .view = &view};
  view_copy(&view, before);
  for (size_t i = 0; i < count; i++) {
    if (stable >> i & 1) {
      if (by[i].by_data) settle_data(a, choices[i], &splits[i].data, &view);
      continue;
    }
    struct view_event e = *choices[i];
    e.still = a->still;
    e.delta = a->exact && !e.in.loop && dist_has_tail(e.site->dist)
                  ? TERM_NONE
                  : price_of(a, choices, count, i);
    vec_push(&view.events, e);
    if (e.witness == TERM_NONE) active[d.count++] = choices[i];
  }
  view.program = decided_code(&d, before->program);
  a->p->view = &view;
  const char *steps = align_steps(a->p, a->search, swapped, given);
  a->p->view = before;
  view_clear(&view);
  return steps;
}

/* By cases of whether what is behind each comparison is stable. */
static const char *tree(struct assumer *a, const struct view_event *const *choices, size_t count,
                        size_t from, unsigned stable, const struct split *by,
                        const struct splits *splits, bool swapped, term_id given) {
  struct terms *ts = a->ts;
  while (from < count && by[from].condition == TERM_NONE)
    from++;
  if (from == count) return leaf(a, choices, count, stable, by, splits, swapped, given);
  term_id condition = by[from].condition;
  if (swapped && !by[from].by_data) condition = term_swap_runs(ts, condition);
  const char *text = text_of(a->p, condition);
  term_id known = given == TERM_NONE ? term_bool(ts, true) : given;
  const char *yes = !text ? NULL
                          : tree(a, choices, count, from + 1, stable | 1u << from, by, splits,
                                 swapped, term_and(ts, known, condition));
  const char *no = !yes ? NULL
                        : tree(a, choices, count, from + 1, stable, by, splits, swapped,
                               term_and(ts, known, term_not(ts, condition)));
  return no ? arena_printf(a->p->arena, "case %s {\n%s} else {\n%s}\n", text, yes, no) : NULL;
}

/* Would it hold if the claimed delta were at most 1/2? Thresholds such as ln(1/(2*delta)) are
 * meant so. */
static void note_half(struct assumer *a, const struct core *site, term_id formula) {
  struct terms *ts = a->ts;
  struct known known;
  term_list vars = {0};
  term_free_vars(ts, claim_delta(a->p->goal), &vars);
  known_init(&known, a->p, CLAIM_FORWARD);
  for (size_t i = 0; i < vars.len; i++) {
    if (term_sort(ts, vars.at[i]) != SORT_REAL) continue;
    term_id half = term_le(ts, vars.at[i], term_rat(ts, 1, 2));
    const char *name = term_var_get(ts, vars.at[i])->name;
    if (known_entails(&known, TERM_NONE, half) || !known_entails(&known, half, formula)) continue;
    auto_lacks(a->search, site->span, arena_printf(a->p->arena, "%s <= 1/2", name), name);
    break;
  }
  known_clear(&known);
  vec_clear(&vars);
}

/* Was there something to check? */
static bool propose(struct assumer *a, const struct view_event *const *choices, size_t count,
                    const struct split *by, const struct splits *splits) {
  const char *back = "";
  bool both = !claim_is_symmetric(a->p->goal);
  const char *there = tree(a, choices, count, 0, 0, by, splits, false, TERM_NONE);
  if (there && both) back = tree(a, choices, count, 0, 0, by, splits, true, TERM_NONE);
  if (!there || !back) return false;
  const char *proof = both ? arena_printf(a->p->arena, "{\n%sbackward {\n%s}\n}", there, back)
                           : arena_printf(a->p->arena, "{\n%s}", there);
  const struct proof_result *result =
      auto_try(a->search, &(struct auto_candidate){proof, NULL, PROMISE_ASSUMED});
  if (result->formula != TERM_NONE) note_half(a, choices[0]->site, result->formula);
  return true;
}

/* Samples as cheap as can be, and as far from their bounds in both runs: what is likelier first. */
static void propose_both(struct assumer *a, const struct view_event *const *choices, size_t count,
                         const struct split *by, const struct splits *splits) {
  bool still = false;
  for (size_t i = 0; i < count; i++)
    still |= by[i].condition != TERM_NONE;
  for (int turn = 0; turn <= 1 && !auto_done(a->search) && !auto_is_late(a->search); turn++) {
    a->still = turn ? !still : still;
    bool checked = propose(a, choices, count, by, splits);
    if (!checked || count == 1 || auto_done(a->search)) continue;
    a->exact = true; /* deltas of different size */
    propose(a, choices, count, by, splits);
    a->exact = false;
  }
}

/* The number of ways to split by, the last of which is not at all. */
static size_t split_count(const struct splits *s) {
  return (s->data.len > 0) + s->premises.len + 1;
}

static struct split split_at(const struct assumer *a, const struct splits *s, size_t which) {
  bool data = s->data.len > 0;
  if (data && which == 0) return (struct split){all_equal(a, &s->data), true};
  which -= data;
  return (struct split){which < s->premises.len ? s->premises.at[which] : TERM_NONE, false};
}

static void find_splits(struct assumer *a, const struct view_event *e, struct splits *out) {
  find_data_behind(a, e, &out->data);
  if (e->site->dist != DIST_BERNOULLI && (!e->in.loop || e->witness != TERM_NONE))
    stable_premises(a->p, e->site, &out->premises);
}

/* Each event by one of its splits, two events by each pair; more of them all by their first. In the
 * end the events as they are. */
static void attempt(struct assumer *a, const struct view_event *const *choices, size_t count) {
  struct splits splits[MOST_EVENTS] = {0};
  for (size_t i = 0; i < count; i++)
    find_splits(a, choices[i], &splits[i]);
  size_t inner = count == 2 ? split_count(&splits[1]) : 1;
  size_t total = (count > 2 ? 2 : split_count(&splits[0])) * inner;
  for (size_t n = 0; n < total && !auto_done(a->search) && !auto_is_late(a->search); n++) {
    struct split by[MOST_EVENTS];
    for (size_t i = 0; i < count; i++) {
      size_t which = i == 0 ? n / inner : i == 1 ? n % inner : 0;
      if (count > 2) which = n == 0 ? 0 : split_count(&splits[i]) - 1;
      by[i] = split_at(a, &splits[i], which);
    }
    propose_both(a, choices, count, by, splits);
  }
  for (size_t i = 0; i < count; i++) {
    vec_clear(&splits[i].data);
    vec_clear(&splits[i].premises);
  }
}

/* The same is assumed of every sampling: all of them stay below what they are compared with, or all
 * of them above. */
static void attempt_every(struct assumer *a) {
  for (int above = 0; above <= 1; above++) {
    const struct view_event *every[MOST_EVENTS];
    size_t count = 0;
    for (size_t i = 0; i < a->choices.len; i++) {
      const struct view_event *e = &a->choices.at[i];
      bool one_sided = (e->low == TERM_NONE) != (e->high == TERM_NONE);
      if (!one_sided || (e->low == TERM_NONE) == above) continue;
      if (count && every[count - 1]->site == e->site) continue;
      if (count == MOST_EVENTS) return;
      every[count++] = e;
    }
    if (count > 2 && !auto_done(a->search)) attempt(a, every, count);
  }
}

static void attempt_all(struct assumer *a) {
  for (size_t i = 0; i < a->choices.len && !auto_done(a->search); i++)
    attempt(a, (const struct view_event *[]){&a->choices.at[i]}, 1);
  attempt_every(a);
  for (size_t i = 0; i < a->choices.len; i++)
    for (size_t j = i + 1; j < a->choices.len && !auto_done(a->search); j++)
      if (a->choices.at[i].site != a->choices.at[j].site)
        attempt(a, (const struct view_event *[]){&a->choices.at[i], &a->choices.at[j]}, 2);
}

/* Variables that samples flow into, until nothing is added. */
static void find_sampled(struct assumer *a, const struct core *c) {
  bool noisy =
      c->kind == CORE_SAMPLE || c->kind == CORE_ADVERSARY ||
      (c->kind == CORE_ASSIGN && term_mentions(a->ts, c->expr, a->sampled.at, a->sampled.len));
  if (noisy) terms_add(&a->sampled, c->var);
  if (c->first) find_sampled(a, c->first);
  if (c->second) find_sampled(a, c->second);
}

static void clear(struct assumer *a) {
  points_clear(&a->points);
  vec_clear(&a->written);
  vec_clear(&a->witnesses);
  vec_clear(&a->sampled);
  vec_clear(&a->private);
  vec_clear(&a->choices);
}

void auto_assume(struct auto_problem *p, struct auto_search *search) {
  struct assumer a = {
      .p = p, .search = search, .ts = p->ts, .k = claim_kernel(p->goal, CLAIM_FORWARD)};
  if (!assume_has_delta(p) || auto_cost(search)) return;
  const struct core *program = view_program(p);
  term_list names = {0};
  points_init(&a.points, p);
  auto_witnesses(p, &a.witnesses, &names);
  core_writes(program, &a.written);
  for (size_t i = 0; i < kernel_var_count(a.k); i++)
    if (!terms_have(&a.written, kernel_var_at(a.k, i))) vec_push(&a.private, kernel_var_at(a.k, i));
  for (size_t before = SIZE_MAX; before != a.sampled.len;) {
    before = a.sampled.len;
    find_sampled(&a, program);
  }
  find_sites(&a, program, core_skip(), &(struct view_count){.loop = NULL});
  attempt_all(&a);
  vec_clear(&names);
  clear(&a);
}
