/* Loops whose result has a law that is known as a whole: records that are sampled. B stands for the
 * budget. docs/notions.md has the proofs. */
#include "kernel/dist.h"
#include "kernel/internal.h"
#include "kernel/law_loop.h"
#include "kernel/rules.h"
#include "term/build.h"
#include "term/subst.h"

/* ---- the shape of the loop -------------------------------------------------------------------- */

void values_clear(struct values *v) {
  vec_clear(&v->from);
  vec_clear(&v->to);
}

term_id values_in(struct terms *ts, const struct values *v, term_id t) {
  return term_subst(ts, t, v->from.at, v->to.at, v->from.len);
}

void values_assign(struct terms *ts, struct values *v, term_id var, term_id expr) {
  term_id value = values_in(ts, v, expr);
  for (size_t i = 0; i < v->from.len; i++)
    if (v->from.at[i] == var) {
      v->to.at[i] = value;
      return;
    }
  vec_push(&v->from, var);
  vec_push(&v->to, value);
}

bool law_has(const term_list *list, term_id var) {
  for (size_t i = 0; i < list->len; i++)
    if (list->at[i] == var) return true;
  return false;
}

/* The branch that is taken if the condition holds: assignments, to variables that nothing else in
 * the iteration writes, for otherwise they have to keep their values. */
static bool read_branch(struct kernel *k, const struct core *c, const struct values *before,
                        struct law_loop *l) {
  struct values v = {0};
  bool ok = true;
  for (size_t i = 0; i < before->from.len; i++) {
    vec_push(&v.from, before->from.at[i]);
    vec_push(&v.to, before->to.at[i]);
  }
  for (; ok && c->kind != CORE_SKIP; c = c->kind == CORE_SEQ ? c->second : core_skip()) {
    const struct core *one = c->kind == CORE_SEQ ? c->first : c;
    ok = one->kind == CORE_ASSIGN && one->var != l->index && one->var != l->sample->var &&
         !law_has(&before->from, one->var) && kernel_is_writable(k, one->var);
    if (ok) values_assign(k->terms, &v, one->var, one->expr);
    if (ok) vec_push(&l->vars, one->var);
  }
  for (size_t i = 0; ok && i < l->vars.len; i++)
    vec_push(&l->values, values_in(k->terms, &v, l->vars.at[i]));
  values_clear(&v);
  return ok;
}

static bool read_sampling(struct kernel *k, const struct core *c, const struct values *v,
                          struct law_loop *l) {
  if (l->sample || !kernel_is_writable(k, c->var) || c->var == l->index) return false;
  if (dist_sample_sort(k->terms, c->dist, c->args, c->arg_count) != term_sort(k->terms, c->var))
    return false;
  /* its old value must not be taken for the new one: not in conditions, not in values */
  if (l->condition != TERM_NONE && term_mentions(k->terms, l->condition, &c->var, 1)) return false;
  for (size_t i = 0; i < v->from.len; i++)
    if (v->from.at[i] == c->var || term_mentions(k->terms, v->to.at[i], &c->var, 1)) return false;
  term_id *args = arena_alloc(&k->arena, (c->arg_count + 1) * sizeof *args);
  for (size_t i = 0; i < c->arg_count; i++)
    args[i] = values_in(k->terms, v, c->args[i]);
  l->sample = c;
  l->args = args;
  l->always = l->condition == TERM_NONE;
  return true;
}

static bool is_plain(const struct core *c) {
  for (; c->kind == CORE_SEQ; c = c->second)
    if (c->first->kind != CORE_ASSIGN) return false;
  return c->kind == CORE_ASSIGN || c->kind == CORE_SKIP;
}

/* if c {..}: the branch assigns, or ends in another conditional. What it assigns before that nobody
 * reads later: of the iteration only the step of the index is left, and no term mentions it. */
static bool read_conditional(struct kernel *k, const struct core *c, struct values *v,
                             struct law_loop *l) {
  struct terms *ts = k->terms;
  for (;;) {
    if (c->kind != CORE_IF || c->second->kind != CORE_SKIP) return false;
    term_id taken = values_in(ts, v, c->expr);
    l->condition = l->condition == TERM_NONE ? taken : term_and(ts, l->condition, taken);
    if (l->sample && is_plain(c->first)) return read_branch(k, c->first, v, l);
    for (c = c->first; c->kind == CORE_SEQ; c = c->second) {
      const struct core *one = c->first;
      if (one->kind == CORE_SAMPLE ? !read_sampling(k, one, v, l)
                                   : one->kind != CORE_ASSIGN || one->var == l->index ||
                                         !kernel_is_writable(k, one->var))
        return false;
      if (one->kind == CORE_ASSIGN) values_assign(ts, v, one->var, one->expr);
    }
  }
}

/* The statements of an iteration one after the other; the last one counts. */
static bool read_body(struct kernel *k, const struct core *c, struct values *v,
                      struct law_loop *l) {
  struct terms *ts = k->terms;
  term_id next = term_add(ts, l->index, term_int(ts, 1));
  for (;; c = c->second) {
    const struct core *one = c->kind == CORE_SEQ ? c->first : c;
    bool last = c->kind != CORE_SEQ, ok = false;
    if (last)
      ok = one->kind == CORE_ASSIGN && one->var == l->index && one->expr == next;
    else if (one->kind == CORE_ASSIGN)
      ok = one->var != l->index && kernel_is_writable(k, one->var) && l->condition == TERM_NONE;
    else if (one->kind == CORE_SAMPLE)
      ok = read_sampling(k, one, v, l);
    else if (one->kind == CORE_IF && l->condition == TERM_NONE)
      ok = read_conditional(k, one, v, l);
    if (!ok || last) return ok && l->condition != TERM_NONE;
    if (one->kind == CORE_ASSIGN) values_assign(ts, v, one->var, one->expr);
  }
}

/* Of what the loop writes the term mentions at most the given variables. */
bool law_mentions_only(struct kernel *k, const struct law_loop *l, term_id t,
                       const term_id *allowed, size_t count) {
  if (t == TERM_NONE) return false;
  for (size_t i = 0; i < l->written.len; i++) {
    bool is_allowed = false;
    for (size_t j = 0; j < count; j++)
      is_allowed |= l->written.at[i] == allowed[j];
    if (!is_allowed && term_mentions(k->terms, t, &l->written.at[i], 1)) return false;
  }
  return true;
}

void law_clear(struct law_loop *l) {
  vec_clear(&l->vars);
  vec_clear(&l->values);
  vec_clear(&l->written);
}

/* False: the loop has another shape. law_clear in any case. */
bool law_read(struct kernel *k, const struct core *c, struct law_loop *l) {
  struct terms *ts = k->terms;
  *l = (struct law_loop){.index = TERM_NONE, .condition = TERM_NONE};
  if (c->kind != CORE_WHILE || term_kind(ts, c->expr) != TERM_LT) return false;
  l->index = term_arg(ts, c->expr, 0);
  l->start = l->index;
  l->high = term_arg(ts, c->expr, 1);
  if (!kernel_is_writable(k, l->index) || term_sort(ts, l->index) != SORT_INT) return false;
  core_writes(c, &l->written);
  struct values v = {0};
  bool ok = law_mentions_only(k, l, l->high, NULL, 0) && read_body(k, c->first, &v, l);
  for (size_t i = 0; ok && i < l->sample->arg_count; i++)
    ok = law_mentions_only(k, l, l->args[i], &l->index, 1);
  values_clear(&v);
  return ok;
}

/* ---- terms of the runs ------------------------------------------------------------------------ */

/* The term in that run with other values for the variables (of the same sorts). */
term_id law_in_run(struct kernel *k, term_id t, unsigned run, const term_id *vars,
                   const term_id *values, size_t count) {
  struct terms *ts = k->terms;
  term_id from[4];
  for (size_t i = 0; i < count; i++)
    from[i] = term_var_in_run(ts, vars[i], run);
  return term_subst(ts, kernel_tag(k, t, run), from, values, count);
}

term_id law_equal_in_runs(struct kernel *k, term_id t) {
  return term_eq(k->terms, kernel_tag(k, t, 1), kernel_tag(k, t, 2));
}

/* The loop runs over the same indices in both runs; j is one of them. */
term_id law_same_range(struct kernel *k, const struct law_loop *l) {
  return term_and(k->terms, law_equal_in_runs(k, l->start), law_equal_in_runs(k, l->high));
}
term_id law_in_range(struct kernel *k, const struct law_loop *l, unsigned run, term_id j) {
  return term_and(k->terms, term_le(k->terms, kernel_tag(k, l->start, run), j),
                  term_lt(k->terms, j, kernel_tag(k, l->high, run)));
}

bool law_is_over_memories(struct kernel *k, term_id t) {
  return t != TERM_NONE && !term_mentions(k->terms, t, &k->budget, 1) &&
         !term_mentions(k->terms, t, k->vars.at, k->vars.len);
}

/* ---- sampled records -------------------------------------------------------------------------- */

/* The condition without the coin, which it demands; TERM_NONE: it does not. */
static term_id besides_coin(struct kernel *k, const struct law_loop *l) {
  term_list all = {0};
  term_id rest = k->yes;
  bool found = false;
  term_conjuncts(k->terms, l->condition, &all);
  for (size_t i = 0; i < all.len; i++) {
    found |= all.at[i] == l->sample->var;
    if (all.at[i] != l->sample->var) rest = term_and(k->terms, rest, all.at[i]);
  }
  vec_clear(&all);
  return found ? rest : TERM_NONE;
}

/* What is added to the sum if the coin says so; TERM_NONE: that is not what the loop does. */
static term_id contribution(struct kernel *k, const struct law_loop *l, term_id *sum) {
  struct terms *ts = k->terms;
  term_id given = l->sample->dist == DIST_BERNOULLI ? besides_coin(k, l) : TERM_NONE;
  if (given == TERM_NONE || !l->vars.len || !law_mentions_only(k, l, given, &l->index, 1))
    return TERM_NONE;
  *sum = vec_last(&l->vars);
  term_id value = vec_last(&l->values), more = term_sub(ts, value, *sum);
  if (more == TERM_NONE || term_add(ts, *sum, more) != value ||
      !law_mentions_only(k, l, more, &l->index, 1) || !law_mentions_only(k, l, l->args[0], NULL, 0))
    return TERM_NONE;
  return given == k->yes
             ? more
             : term_ite(ts, given, more, term_coerce(ts, term_int(ts, 0), term_sort(ts, more)));
}

/* The location is the same for the same sum. */
static term_id same_location(struct kernel *k, term_id location, term_id sum) {
  struct terms *ts = k->terms;
  term_id a = kernel_fresh(k, "a", term_sort(ts, sum));
  return term_forall(ts, &a, 1,
                     term_eq(ts, law_in_run(k, location, 1, &sum, &a, 1),
                             law_in_run(k, location, 2, &sum, &a, 1)));
}

/* c = loop; assignments; sampling, read. law_clear in any case. */
struct sampled {
  struct law_loop loop;
  const struct core *noise;
  term_id location, spread; /* of the noise, over the memory after the loop */
  term_id sum, more, rate;
};

/* assignments; noise: *noise is the sampling. */
static bool read_noise(struct kernel *k, const struct core *c, struct values *v,
                       const struct core **noise) {
  struct terms *ts = k->terms;
  for (; c->kind == CORE_SEQ; c = c->second) {
    const struct core *one = c->first;
    term_id value = one->kind == CORE_ASSIGN && kernel_is_writable(k, one->var)
                        ? term_coerce(ts, one->expr, term_sort(ts, one->var))
                        : TERM_NONE;
    if (value == TERM_NONE) return false;
    values_assign(ts, v, one->var, value);
  }
  *noise = c;
  return c->kind == CORE_SAMPLE && c->arg_count == 2 && kernel_is_writable(k, c->var) &&
         dist_sample_sort(ts, c->dist, c->args, 2) == term_sort(ts, c->var);
}

static bool sampled_read(struct kernel *k, const struct core *c, struct sampled *s) {
  struct values v = {0};
  *s = (struct sampled){.sum = TERM_NONE};
  bool fits = c->kind == CORE_SEQ && read_noise(k, c->second, &v, &s->noise);
  if (fits) {
    s->location = values_in(k->terms, &v, s->noise->args[0]);
    s->spread = values_in(k->terms, &v, s->noise->args[1]);
  }
  values_clear(&v);
  if (!fits || !law_read(k, c->first, &s->loop)) return false;
  s->more = contribution(k, &s->loop, &s->sum);
  s->rate = s->loop.args[0];
  return s->more != TERM_NONE && law_mentions_only(k, &s->loop, s->location, &s->sum, 1) &&
         law_mentions_only(k, &s->loop, s->spread, NULL, 0);
}

/* How far the location moves if these are added to any sum. */
static term_id moves_within(struct kernel *k, const struct sampled *s, term_id one, term_id two,
                            const struct subsample *how, term_id a) {
  struct terms *ts = k->terms;
  term_id with[] = {term_add(ts, a, one), term_add(ts, a, two)}, moved[2];
  for (unsigned run = 1; run <= 2; run++)
    moved[run - 1] = law_in_run(k, s->location, run, &s->sum, &with[run - 1], 1);
  return term_le(ts, term_abs(ts, term_sub(ts, moved[0], moved[1])), how->bound);
}

/* The record of one run is missing in the other, or neither moves the location farther than the
 * bound: of use where the price of a shift is one of epsilon. */
static term_id missing_or_small(struct kernel *k, const struct sampled *s,
                                const struct subsample *how, const term_id *there, term_id a) {
  struct terms *ts = k->terms;
  term_id zero = term_coerce(ts, term_int(ts, 0), term_sort(ts, s->sum));
  term_id missing = term_or(ts, term_eq(ts, there[0], there[1]),
                            term_or(ts, term_eq(ts, there[0], zero), term_eq(ts, there[1], zero)));
  enum dist_kind dist = s->noise->dist;
  if (dist != DIST_LAPLACE && dist != DIST_DISCRETE_LAPLACE) return missing;
  return term_or(ts, missing,
                 term_and(ts, moves_within(k, s, there[0], zero, how, a),
                          moves_within(k, s, zero, there[1], how, a)));
}

/* Records elsewhere are the same; the one at the place is missing in one of the runs or exchanged,
 * and moves the location by no more than the bound. */
static term_id one_record(struct kernel *k, const struct sampled *s, const struct subsample *how) {
  struct terms *ts = k->terms;
  const struct law_loop *l = &s->loop;
  term_id j = kernel_fresh(k, "j", SORT_INT), a = kernel_fresh(k, "a", term_sort(ts, s->sum));
  term_id there[2], other[2];
  for (unsigned run = 1; run <= 2; run++) {
    other[run - 1] = law_in_run(k, s->more, run, &l->index, &j, 1);
    there[run - 1] = law_in_run(k, s->more, run, &l->index, &how->place, 1);
  }
  term_id elsewhere = term_and(ts, law_in_range(k, l, 1, j), term_ne(ts, j, how->place));
  term_id near = term_and(ts, moves_within(k, s, there[0], there[1], how, a),
                          missing_or_small(k, s, how, there, a));
  return term_and(
      ts, term_forall(ts, &j, 1, term_implies(ts, elsewhere, term_eq(ts, other[0], other[1]))),
      term_implies(ts, law_in_range(k, l, 1, how->place), term_forall(ts, &a, 1, near)));
}

static term_id sampled_price(struct kernel *k, const struct sampled *s,
                             const struct subsample *how) {
  struct terms *ts = k->terms;
  if (!law_is_over_memories(k, how->place) || term_sort(ts, how->place) != SORT_INT ||
      !law_is_over_memories(k, how->bound) || !sort_is_numeric(term_sort(ts, how->bound)))
    return TERM_NONE;
  return dist_sampled_price(ts, k->notion, s->noise->dist, kernel_tag(k, s->rate, 1),
                            term_coerce(ts, how->bound, SORT_REAL), kernel_tag(k, s->spread, 1));
}

bool subsample_sum(struct kernel *k, const struct core *c, term_id *sum, term_id *more,
                   term_id *location) {
  struct sampled s;
  bool fits = sampled_read(k, c, &s);
  *sum = s.sum;
  *more = s.more;
  *location = s.location;
  law_clear(&s.loop);
  return fits;
}

term_id subsample_price(struct kernel *k, const struct core *c, const struct subsample *how) {
  struct sampled s;
  term_id price = sampled_read(k, c, &s) ? sampled_price(k, &s, how) : TERM_NONE;
  law_clear(&s.loop);
  return price;
}

static term_id sampled_pre(struct kernel *k, const char *rule, struct span span,
                           const struct sampled *s, const struct subsample *how, term_id price) {
  struct terms *ts = k->terms;
  term_id same[] = {law_same_range(k, &s->loop), law_equal_in_runs(k, s->rate),
                    law_equal_in_runs(k, s->sum), law_equal_in_runs(k, s->spread),
                    same_location(k, s->location, s->sum)};
  term_id rate = kernel_tag(k, s->rate, 1);
  term_id args[] = {kernel_tag(k, s->location, 1), kernel_tag(k, s->spread, 1)};
  term_id valid = term_and(ts, kernel_valid_noise(k, rule, span, DIST_BERNOULLI, &rate, 1),
                           kernel_valid_noise(k, rule, span, s->noise->dist, args, 2));
  term_id parts[] = {
      kernel_label(k, term_and_all(ts, same, 5), rule, span,
                   "both runs sample records and noise in the same way"),
      valid,
      kernel_label(
          k, one_record(k, s, how), rule, span,
          "one record is in one of the runs only, or exchanged, and counts for no more than "
          "stated"),
      kernel_label(k, term_le(ts, term_int(ts, 0), how->bound), rule, span,
                   "the bound is not negative"),
      kernel_label(k, term_le(ts, price, k->budget), rule, span, "the budget pays for this part")};
  return term_and_all(ts, parts, 5);
}

/*  SUBSAMPLE  c = (while i < h {b <$ Bernoulli(q); if b {x := x + e}; i := i + 1};  y <$ D(t, s)),
 *             assignments before x := x + e counted in, and those between the loop and y; q, h, s
 *             do not depend on what the loop writes, e on i only, t on x only; D can be shifted
 *             both ways; w an integer, k a number over the memories before. Conditions on i alone,
 *             before the coin or together
 *             with it, are part of e: it is 0 where they do not hold
 *  pre:   i, h, q, x, s equal in both runs, t for equal x; the distributions make sense; 0 <= k
 *         for j in i..h, j /= w:  e<1>(j) = e<2>(j)
 *         if w is in i..h, for all a:  |t<1>[x := a + e<1>(w)] - t<2>[x := a + e<2>(w)]| <= k;
 *           e<1>(w) = e<2>(w), or one of them is 0, or, if D is Lap or DLap, both of
 *           |t<1>[x := a + e<1>(w)] - t<2>[x := a]|, |t<1>[x := a] - t<2>[x := a + e<2>(w)]| <= k
 *         price <= B          (dist.h: dist_sampled_price)
 *  conclusion: c ~0 c {y<1> = y<2>} */
proof_of rule_subsample(struct kernel *k, struct span span, const struct core *c,
                        const struct subsample *how) {
  static const char rule[] = "SUBSAMPLE";
  struct sampled s;
  term_id price = subsample_price(k, c, how), pre = TERM_NONE;
  if (sampled_read(k, c, &s) && price != TERM_NONE)
    pre = sampled_pre(k, rule, span, &s, how, price);
  law_clear(&s.loop);
  if (pre == TERM_NONE)
    return kernel_fail(k, rule, span,
                       "this is not a sum over sampled records with noise that can move");
  return judgement_new(k, rule, span, c, c, pre, law_equal_in_runs(k, s.noise->var), k->zero, NULL,
                       NULL);
}
