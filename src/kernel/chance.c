#include "kernel/chance.h"

#include "kernel/dist.h"
#include "kernel/internal.h"
#include "term/build.h"
#include "term/subst.h"

enum { THRESHOLDS_LIMIT = 6 /* of one loop */, THRESHOLDS_BETWEEN = 3 };

struct finder {
  struct kernel *k;
  struct terms *ts;
  term_list written;    /* by the loop */
  term_list thresholds; /* what the loop compares with and does not change */
  chance_list *out;
};

static bool is_fixed(const struct finder *f, term_id t) {
  return !term_mentions(f->ts, t, f->written.at, f->written.len);
}

/* ---- what the loop compares with -------------------------------------------------------------- */

static void add_threshold(struct finder *f, term_id t) {
  sort_id sort = term_sort(f->ts, t);
  if ((sort != SORT_INT && sort != SORT_REAL) || !is_fixed(f, t)) return;
  for (size_t i = 0; i < f->thresholds.len; i++)
    if (f->thresholds.at[i] == t) return;
  if (f->thresholds.len < THRESHOLDS_LIMIT) vec_push(&f->thresholds, t);
}

static void look_into(struct finder *f, term_id t) {
  term_list parts = {0};
  term_subterms(f->ts, t, &parts);
  for (size_t i = 0; i < parts.len; i++) {
    enum term_kind kind = term_kind(f->ts, parts.at[i]);
    if (kind != TERM_EQ && kind != TERM_LT && kind != TERM_LE) continue;
    add_threshold(f, term_arg(f->ts, parts.at[i], 0));
    add_threshold(f, term_arg(f->ts, parts.at[i], 1));
  }
  vec_clear(&parts);
}

static void find_thresholds(struct finder *f, const struct core *c) {
  if (c->kind == CORE_ASSIGN || c->kind == CORE_IF || c->kind == CORE_WHILE) look_into(f, c->expr);
  if (c->kind == CORE_SEQ || c->kind == CORE_IF || c->kind == CORE_WHILE)
    find_thresholds(f, c->first);
  if (c->kind == CORE_SEQ || c->kind == CORE_IF) find_thresholds(f, c->second);
}

/* ---- outcomes --------------------------------------------------------------------------------- */

/* One value, with what makes it possible. */
static void add_value(struct finder *f, const struct core *c, term_id value, term_id possible) {
  struct arena *arena = kernel_arena(f->k);
  value = value == TERM_NONE ? value : term_coerce(f->ts, value, term_sort(f->ts, c->var));
  if (value == TERM_NONE || possible == TERM_NONE) return;
  vec_push(f->out, (struct chance){c, core_assign(arena, c->span, c->var, value), possible});
}

/* A value of noise on the integers: all of its support has positive probability. */
static void add_integer(struct finder *f, const struct core *c, term_id value) {
  if (value == TERM_NONE || term_sort(f->ts, value) != SORT_INT) return;
  add_value(f, c, value, dist_support(f->ts, c->dist, c->args, c->arg_count, value));
}

static void add_integers(struct finder *f, const struct core *c) {
  for (size_t i = 0; i < f->thresholds.len; i++)
    for (int off = -1; off <= 1; off++)
      add_integer(f, c, term_add(f->ts, f->thresholds.at[i], term_int(f->ts, off)));
  for (size_t i = 0; i < c->arg_count; i++)
    add_integer(f, c, c->args[i]);
}

/* An interval (low, high] of noise on the reals, whose density is positive on its support, which is an
 * interval. If the middle and the end are in it, so is all between them. */
static void add_interval(struct finder *f, const struct core *c, term_id low, term_id high) {
  struct terms *ts = f->ts;
  low = term_coerce(ts, low, SORT_REAL);
  high = term_coerce(ts, high, SORT_REAL);
  if (low == TERM_NONE || high == TERM_NONE) return;
  term_id middle = term_mul(ts, term_rat(ts, 1, 2), term_add(ts, low, high));
  term_id possible = term_and(
      ts, dist_support(ts, c->dist, c->args, c->arg_count, middle),
      term_and(ts, dist_support(ts, c->dist, c->args, c->arg_count, high), term_lt(ts, low, high)));
  term_id ends[] = {low, high};
  const struct core *instead =
      core_sample(kernel_arena(f->k), c->span, c->var, DIST_UNIFORM, ends, 2);
  vec_push(f->out, (struct chance){c, instead, possible});
}

static void add_intervals(struct finder *f, const struct core *c) {
  term_id one = term_int(f->ts, 1);
  for (size_t i = 0; i < f->thresholds.len; i++) {
    term_id t = f->thresholds.at[i];
    add_interval(f, c, c->args[0], t);
    add_interval(f, c, t, c->args[1]);
    add_interval(f, c, term_sub(f->ts, t, one), t);
    add_interval(f, c, t, term_add(f->ts, t, one));
    for (size_t j = 0; j < f->thresholds.len && f->thresholds.len <= THRESHOLDS_BETWEEN; j++)
      if (j != i) add_interval(f, c, t, f->thresholds.at[j]);
  }
}

static void add_outcomes(struct finder *f, const struct core *c) {
  struct terms *ts = f->ts;
  for (size_t i = 0; i < c->arg_count; i++)
    if (!is_fixed(f, c->args[i])) return;
  if (c->dist == DIST_BERNOULLI) {
    add_value(f, c, term_bool(ts, false), term_lt(ts, c->args[0], term_int(ts, 1)));
    add_value(f, c, term_bool(ts, true), term_lt(ts, term_int(ts, 0), c->args[0]));
  } else if (c->dist == DIST_UNIFORM_SET) {
    for (size_t i = 0; i < c->arg_count; i++)
      add_value(f, c, c->args[i], term_bool(ts, true));
  } else if (dist_sample_sort(ts, c->dist, c->args, c->arg_count) == SORT_INT) {
    add_integers(f, c);
  } else if (c->arg_count == 2) {
    add_intervals(f, c);
  }
}

void chance_find(struct kernel *k, const struct core *loop, chance_list *out) {
  struct finder f = {.k = k, .ts = kernel_terms(k), .out = out};
  core_writes(loop, &f.written);
  find_thresholds(&f, loop);
  for (const struct core *c = loop->first; c; c = c->kind == CORE_SEQ ? c->second : NULL) {
    const struct core *one = c->kind == CORE_SEQ ? c->first : c;
    if (one->kind == CORE_SAMPLE) add_outcomes(&f, one);
  }
  vec_clear(&f.written);
  vec_clear(&f.thresholds);
}

const struct core *chance_body(struct kernel *k, const struct core *body,
                               const struct chance *chance) {
  if (body == chance->at) return chance->instead;
  if (body->kind != CORE_SEQ) return body;
  return core_seq(kernel_arena(k), chance_body(k, body->first, chance),
                  chance_body(k, body->second, chance));
}

static void add_sampled(const struct core *c, term_list *out) {
  if (c->kind == CORE_SAMPLE) vec_push(out, c->var);
  if (c->kind == CORE_SEQ || c->kind == CORE_IF || c->kind == CORE_WHILE)
    add_sampled(c->first, out);
  if (c->kind == CORE_SEQ || c->kind == CORE_IF) add_sampled(c->second, out);
}

static void add_assigned(struct terms *ts, const struct core *c, const term_list *sampled,
                         term_list *out) {
  if (c->kind == CORE_ASSIGN && term_mentions(ts, c->expr, sampled->at, sampled->len))
    vec_push(out, c->var);
  if (c->kind == CORE_SEQ || c->kind == CORE_IF || c->kind == CORE_WHILE)
    add_assigned(ts, c->first, sampled, out);
  if (c->kind == CORE_SEQ || c->kind == CORE_IF) add_assigned(ts, c->second, sampled, out);
}

void chance_random_vars(struct terms *ts, const struct core *c, term_list *out) {
  term_list sampled = {0};
  add_sampled(c, &sampled);
  add_assigned(ts, c, &sampled, out);
  for (size_t i = 0; i < sampled.len; i++)
    vec_push(out, sampled.at[i]);
  vec_clear(&sampled);
}
