#include "search/goals/assume.h"

#include "kernel/dist.h"
#include "kernel/notion.h"
#include "search/align/strategy.h"
#include "search/base/lists.h"
#include "search/base/points.h"
#include "search/base/text.h"
#include "search/base/view.h"
#include "term/build.h"
#include "term/linear.h"
#include "term/subst.h"

enum { MOST_SITES = 6, MOST_CHOICES = 24, MOST_EVENTS = 2, PROMISE_ASSUMED = 6 };

/* An assumption about one sampling. */
struct choice {
  const struct core *site;
  term_id low, high; /* bounds of the sample, over the memory before; TERM_NONE: none */
  bool heads;        /* of a coin */
};

struct assumer {
  struct auto_problem *p;
  struct auto_search *search;
  struct terms *ts;
  struct kernel *k;
  struct points points;
  term_list sampled; /* variables that depend on samples */
  term_list private; /* inputs */
  VEC(struct choice) choices;
  bool still; /* samples are as far from what they are compared with in both runs */
};

bool assume_has_delta(struct auto_problem *p) {
  term_id delta = claim_delta(p->goal);
  bool pure = kernel_notion(claim_kernel(p->goal, CLAIM_FORWARD)).kind == NOTION_PURE;
  bool some = !term_is_num(p->ts, delta) || !fmpq_is_zero(term_num_value(p->ts, delta));
  return pure && some && !p->wants_least;
}

/* ---- what a sample is compared with ---------------------------------------------------------- */

/* a - b = k (y - bound) with a number k other than 0, of which *sign is the sign. */
static bool is_compared(const struct assumer *a, term_id left, term_id right, term_id y,
                        term_id *bound, int *sign) {
  struct terms *ts = a->ts;
  struct linear l;
  fmpq one, k;
  bool found = false;
  fmpq_init(&one);
  fmpq_init(&k);
  fmpq_one(&one);
  linear_init(&l);
  linear_add(&l, ts, &one, left);
  fmpq_neg(&one, &one);
  linear_add(&l, ts, &one, right);
  linear_normalise(&l);
  term_id rest = term_num(ts, &l.constant, SORT_REAL), own = term_to_real(ts, y);
  for (size_t i = 0; i < l.items.len && rest != TERM_NONE; i++) {
    term_id atom = l.items.at[i].atom;
    if (atom == y || atom == own) {
      found = true;
      fmpq_set(&k, &l.items.at[i].coefficient);
    } else if (term_mentions(ts, atom, &y, 1)) {
      rest = TERM_NONE;
    } else {
      term_id factor = term_num(ts, &l.items.at[i].coefficient, SORT_REAL);
      rest = term_add(ts, rest, term_mul(ts, factor, atom));
    }
  }
  found = found && rest != TERM_NONE && !l.failed && !fmpq_is_zero(&k);
  if (found) {
    *sign = fmpq_sgn(&k);
    fmpq_inv(&k, &k);
    fmpq_neg(&k, &k);
    *bound = term_mul(ts, term_num(ts, &k, SORT_REAL), rest);
  }
  linear_clear(&l);
  fmpq_clear(&one);
  fmpq_clear(&k);
  return found;
}

static bool is_comparison(enum term_kind kind) {
  return kind == TERM_LE || kind == TERM_LT || kind == TERM_MIN || kind == TERM_MAX;
}

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

/* The bounds that the term compares the sample with; appended. */
static void bounds_in(const struct assumer *a, term_id t, term_id y, term_list *out) {
  term_list parts = {0};
  term_id bound;
  int sign;
  if (t != TERM_NONE) term_subterms(a->ts, t, &parts);
  for (size_t i = 0; i < parts.len; i++)
    if (is_comparison(term_kind(a->ts, parts.at[i])) &&
        is_compared(a, unclamped(a, term_arg(a->ts, parts.at[i], 0), y),
                    unclamped(a, term_arg(a->ts, parts.at[i], 1), y), y, &bound, &sign))
      terms_add(out, bound);
  vec_clear(&parts);
}

static void bounds_after(const struct assumer *a, const struct core *c, term_id y, term_list *out) {
  bounds_in(a, c->expr, y, out);
  for (size_t i = 0; i < c->arg_count; i++)
    bounds_in(a, c->args[i], y, out);
  if (c->first) bounds_after(a, c->first, y, out);
  if (c->second) bounds_after(a, c->second, y, out);
}

static void add_choice(struct assumer *a, struct choice c) {
  if (a->choices.len < MOST_CHOICES) vec_push(&a->choices, c);
}

/* The coin is likely to fall so. */
static void add_coin(struct assumer *a, const struct core *site) {
  term_id delta = claim_delta(a->p->goal), p = site->args[0];
  term_id other = term_sub(a->ts, term_int(a->ts, 1), p);
  for (int heads = 0; heads <= 1; heads++)
    if (points_at_most(&a->points, heads ? other : p, delta))
      add_choice(a, (struct choice){site, TERM_NONE, TERM_NONE, heads});
}

/* Bounds are over what nobody writes after the sampling. */
static void add_choices(struct assumer *a, const struct core *site, const struct core *rest) {
  term_list bounds = {0}, written = {0};
  size_t count = 0;
  if (site->dist == DIST_BERNOULLI) {
    add_coin(a, site);
    return;
  }
  if (!dist_has_tail(site->dist) && site->dist != DIST_UNIFORM) return;
  core_writes(rest, &written);
  bounds_after(a, rest, site->var, &bounds);
  for (size_t i = 0; i < bounds.len; i++)
    if (!term_mentions(a->ts, bounds.at[i], written.at, written.len))
      bounds.at[count++] = bounds.at[i];
  for (size_t i = 0; i < count && i < 3; i++) {
    add_choice(a, (struct choice){site, TERM_NONE, bounds.at[i], false});
    add_choice(a, (struct choice){site, bounds.at[i], TERM_NONE, false});
  }
  for (size_t i = 0; i < 2 && count == 2; i++)
    add_choice(a, (struct choice){site, bounds.at[i], bounds.at[1 - i], false});
  vec_clear(&bounds);
  vec_clear(&written);
}

/* Samplings outside of loops, each with what comes after it. */
static void find_sites(struct assumer *a, const struct core *c, const struct core *after) {
  struct arena *arena = kernel_arena(a->k);
  if (c->kind == CORE_SEQ) {
    find_sites(a, c->first, core_seq(arena, c->second, after));
    find_sites(a, c->second, after);
  } else if (c->kind == CORE_IF) {
    find_sites(a, c->first, after);
    find_sites(a, c->second, after);
  } else if (c->kind == CORE_SAMPLE && !view_part(a->p, c) && !view_noise(a->p, c)) {
    add_choices(a, c, after);
  }
}

/* ---- the view with comparisons decided ------------------------------------------------------- */

/* Who decides what: choices in force, and data that are equal by assumption. */
struct decided {
  struct assumer *a;
  const struct choice *const *choices;
  size_t count;
  struct view *out;
};

/* A comparison with a bound of the choice as what it is then; else the comparison. */
static term_id settle(const struct decided *d, const struct choice *c, term_id t) {
  struct terms *ts = d->a->ts;
  enum term_kind kind = term_kind(ts, t);
  term_id bound;
  int sign;
  if (!is_comparison(kind)) return t;
  term_id left = term_arg(ts, t, 0), right = term_arg(ts, t, 1);
  if (!is_compared(d->a, left, right, c->site->var, &bound, &sign)) return t;
  if (bound != c->high && bound != c->low) return t;
  bool below = bound == c->high;      /* the sample is below the bound, */
  bool smaller = below == (sign > 0); /* so the left side is the smaller one */
  if (kind == TERM_LE || kind == TERM_LT) return term_bool(ts, smaller);
  return (kind == TERM_MIN) == smaller ? left : right;
}

static term_id settled(const struct decided *d, term_id t) {
  struct terms *ts = d->a->ts;
  if (t == TERM_NONE) return t;
  for (size_t i = 0; i < d->count; i++) {
    const struct choice *c = d->choices[i];
    if (!term_mentions(ts, t, &c->site->var, 1)) continue;
    if (t == c->site->var && c->site->dist == DIST_BERNOULLI) return term_bool(ts, c->heads);
    term_id known = settle(d, c, t);
    if (known != t) return settled(d, known);
  }
  size_t count = term_arg_count(ts, t);
  term_id args[16];
  bool changed = false;
  if (count == 0 || count > 16 || (term_get(ts, t)->flags & TERM_HAS_QUANTIFIER)) return t;
  for (size_t i = 0; i < count; i++) {
    args[i] = settled(d, term_arg(ts, t, i));
    changed |= args[i] != term_arg(ts, t, i);
  }
  t = changed ? term_rebuild(ts, t, args) : t;
  for (size_t i = 0; i < d->count && changed && t != TERM_NONE; i++)
    t = settle(d, d->choices[i], t);
  return t;
}

static term_id rewritten(const struct decided *d, term_id t) {
  const struct view *v = d->out;
  if (t != TERM_NONE && v->data.len)
    t = term_replace(d->a->ts, t, v->data.at, v->constants.at, v->data.len);
  return settled(d, t);
}

/* A decided conditional is its branch, if nothing in the other one has a number in proof text. */
static const struct core *taken(const struct decided *d, const struct core *c) {
  if (c->kind != CORE_IF) return c;
  bool yes = c->expr == term_bool(d->a->ts, true), no = c->expr == term_bool(d->a->ts, false);
  const struct core *dead = yes ? c->second : c->first;
  if (core_equal(c->first, c->second)) return c->first;
  if ((!yes && !no) || core_is_random(dead) || core_has_loop(dead)) return c;
  return yes ? c->first : c->second;
}

static const struct core *rewrite(const struct decided *d, const struct core *c) {
  struct arena *arena = kernel_arena(d->a->k);
  if (c->kind == CORE_SKIP || c->kind == CORE_SAMPLE) return c;
  struct core *copy = arena_memdup(arena, c, sizeof *c);
  copy->expr = rewritten(d, c->expr);
  if (c->first) copy->first = rewrite(d, c->first);
  if (c->second) copy->second = rewrite(d, c->second);
  if (copy->expr == c->expr && copy->first == c->first && copy->second == c->second) return c;
  if (c->kind == CORE_SEQ) return core_seq(arena, copy->first, copy->second);
  if (c->kind == CORE_WHILE) vec_push(&d->out->loops, (struct view_loop){copy, c});
  return taken(d, copy);
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
static bool compares(const struct assumer *a, const struct choice *c, const struct core *code,
                     bool condition) {
  term_list bounds = {0};
  if (condition)
    bounds_in(a, code->expr, c->site->var, &bounds);
  else
    bounds_after(a, code, c->site->var, &bounds);
  bool found = terms_have(&bounds, c->low != TERM_NONE ? c->low : c->high);
  vec_clear(&bounds);
  return found;
}

/* The data behind the comparison of the choice, and those that decide whether it is come to. */
static void data_behind(const struct assumer *a, const struct choice *c, const struct core *code,
                        term_list *out) {
  if (code->kind == CORE_IF && compares(a, c, code, true)) {
    find_data(a, code->first, out);
    find_data(a, code->second, out);
    return;
  }
  if (code->kind == CORE_IF && compares(a, c, code, false)) data_in(a, code->expr, out);
  if (code->kind == CORE_SEQ || code->kind == CORE_IF) {
    data_behind(a, c, code->first, out);
    data_behind(a, c, code->second, out);
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

/* What an event may cost: a coin its probability, the others share what is left. */
static term_id price_of(const struct assumer *a, const struct choice *const *choices, size_t count,
                        size_t which) {
  struct terms *ts = a->ts;
  term_id left = claim_delta(a->p->goal);
  long others = 0;
  for (size_t i = 0; i < count; i++) {
    const struct choice *c = choices[i];
    term_id p = c->site->dist == DIST_BERNOULLI ? c->site->args[0] : TERM_NONE;
    if (p != TERM_NONE && c->heads) p = term_sub(ts, term_int(ts, 1), p);
    if (p != TERM_NONE && i == which) return p;
    if (p != TERM_NONE) left = term_sub(ts, left, p);
    others += p == TERM_NONE;
  }
  return term_div(ts, left, term_int(ts, others));
}

/* The steps where the choices outside of `stable` are in force, and the data behind the others are
 * equal. */
static const char *leaf(struct assumer *a, const struct choice *const *choices, size_t count,
                        unsigned stable, const term_list *data, bool swapped, term_id given) {
  const struct view *before = a->p->view;
  bool still = a->still;
  const struct choice *active[MOST_EVENTS];
  struct view view;
  struct decided d = {.a = a, .choices = active, .out = &view};
  view_copy(&view, before);
  for (size_t i = 0; i < count; i++) {
    if (stable >> i & 1) {
      for (size_t j = 0; j < data[i].len; j++) {
        vec_push(&view.data, data[i].at[j]);
        vec_push(&view.constants, kernel_fresh(a->k, "k", term_sort(a->ts, data[i].at[j])));
      }
      continue;
    }
    active[d.count++] = choices[i];
    vec_push(&view.events,
             (struct view_event){choices[i]->site, choices[i]->low, choices[i]->high,
                                 choices[i]->heads, still, price_of(a, choices, count, i)});
  }
  view.program = rewrite(&d, before->program);
  a->p->view = &view;
  const char *steps = align_steps(a->p, a->search, swapped, given);
  a->p->view = before;
  view_clear(&view);
  return steps;
}

/* By cases of whether the data behind each comparison are equal. */
static const char *tree(struct assumer *a, const struct choice *const *choices, size_t count,
                        size_t from, unsigned stable, const term_list *data, bool swapped,
                        term_id given) {
  struct terms *ts = a->ts;
  while (from < count && data[from].len == 0)
    from++;
  if (from == count) return leaf(a, choices, count, stable, data, swapped, given);
  term_id equal = all_equal(a, &data[from]);
  const char *condition = text_of(a->p, equal);
  term_id known = given == TERM_NONE ? term_bool(ts, true) : given;
  const char *yes = !condition ? NULL
                               : tree(a, choices, count, from + 1, stable | 1u << from, data,
                                      swapped, term_and(ts, known, equal));
  const char *no = !yes ? NULL
                        : tree(a, choices, count, from + 1, stable, data, swapped,
                               term_and(ts, known, term_not(ts, equal)));
  return no ? arena_printf(a->p->arena, "case %s {\n%s} else {\n%s}\n", condition, yes, no) : NULL;
}

static void propose(struct assumer *a, const struct choice *const *choices, size_t count,
                    const term_list *data) {
  const char *back = "";
  bool both = !claim_is_symmetric(a->p->goal);
  const char *there = tree(a, choices, count, 0, 0, data, false, TERM_NONE);
  if (there && both) back = tree(a, choices, count, 0, 0, data, true, TERM_NONE);
  if (!there || !back) return;
  const char *proof = both ? arena_printf(a->p->arena, "{\n%sbackward {\n%s}\n}", there, back)
                           : arena_printf(a->p->arena, "{\n%s}", there);
  auto_try(a->search, &(struct auto_candidate){proof, NULL, PROMISE_ASSUMED});
}

/* Samples as cheap as can be, and as far from their bounds in both runs: what is likelier first. */
static void propose_both(struct assumer *a, const struct choice *const *choices, size_t count,
                         const term_list *data, bool still) {
  for (int turn = 0; turn <= 1 && !auto_done(a->search) && !auto_is_late(a->search); turn++) {
    a->still = turn ? !still : still;
    propose(a, choices, count, data);
  }
}

/* By cases of the data behind the events, if there are any; then with the events as they are. */
static void attempt(struct assumer *a, const struct choice *const *choices, size_t count) {
  term_list data[MOST_EVENTS] = {0};
  bool some = false;
  for (size_t i = 0; i < count; i++) {
    if (choices[i]->site->dist != DIST_BERNOULLI)
      data_behind(a, choices[i], view_program(a->p), &data[i]);
    some |= data[i].len > 0;
  }
  if (some) propose_both(a, choices, count, data, true);
  for (size_t i = 0; i < count; i++)
    data[i].len = 0;
  propose_both(a, choices, count, data, false);
  for (size_t i = 0; i < count; i++)
    vec_clear(&data[i]);
}

static void attempt_all(struct assumer *a) {
  for (size_t i = 0; i < a->choices.len && !auto_done(a->search); i++)
    attempt(a, (const struct choice *[]){&a->choices.at[i]}, 1);
  for (size_t i = 0; i < a->choices.len; i++)
    for (size_t j = i + 1; j < a->choices.len && !auto_done(a->search); j++)
      if (a->choices.at[i].site != a->choices.at[j].site)
        attempt(a, (const struct choice *[]){&a->choices.at[i], &a->choices.at[j]}, 2);
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

void auto_assume(struct auto_problem *p, struct auto_search *search) {
  struct assumer a = {
      .p = p, .search = search, .ts = p->ts, .k = claim_kernel(p->goal, CLAIM_FORWARD)};
  if (!assume_has_delta(p) || auto_cost(search)) return;
  const struct core *program = view_program(p);
  term_list written = {0};
  points_init(&a.points, p);
  core_writes(program, &written);
  for (size_t i = 0; i < kernel_var_count(a.k); i++)
    if (!terms_have(&written, kernel_var_at(a.k, i))) vec_push(&a.private, kernel_var_at(a.k, i));
  for (size_t before = SIZE_MAX; before != a.sampled.len;) {
    before = a.sampled.len;
    find_sampled(&a, program);
  }
  find_sites(&a, program, core_skip());
  attempt_all(&a);
  points_clear(&a.points);
  vec_clear(&written);
  vec_clear(&a.sampled);
  vec_clear(&a.private);
  vec_clear(&a.choices);
}
