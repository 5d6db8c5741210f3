/* Loops whose result has a law that is known as a whole: records that are sampled, and the largest
 * of many values with Gumbel noise. B stands for the budget. docs/notions.md has the proofs. */
#include "kernel/dist.h"
#include "kernel/internal.h"
#include "kernel/rules.h"
#include "term/build.h"
#include "term/subst.h"

/* ---- the shape of the loop -------------------------------------------------------------------- */

/* while i < high { z <$ D(..); if c {x := ..; y := ..}; i := i + 1 }, with assignments anywhere;
 * the sampling and the conditional may be behind conditions themselves. Terms are over the memory
 * before the iteration and z; of what the loop writes they mention at most what is said. */
struct law_loop {
  term_id index, high; /* high: nothing of what the loop writes */
  term_id start;       /* the index before the loop: over the memory before the command */
  const struct core *sample;
  const term_id *args;    /* of the sampling: the index */
  bool always;            /* is z sampled in each iteration, or behind a condition? */
  term_id condition;      /* the index, z, and what the conditional writes */
  term_list vars, values; /* that the conditional writes, and their values there */
  term_list written;      /* by the loop */
};

/* Values of variables after assignments. */
struct values {
  term_list from, to;
};

static void values_clear(struct values *v) {
  vec_clear(&v->from);
  vec_clear(&v->to);
}

static term_id value_of(struct terms *ts, const struct values *v, term_id t) {
  return term_subst(ts, t, v->from.at, v->to.at, v->from.len);
}

static void assign(struct terms *ts, struct values *v, term_id var, term_id expr) {
  term_id value = value_of(ts, v, expr);
  for (size_t i = 0; i < v->from.len; i++)
    if (v->from.at[i] == var) {
      v->to.at[i] = value;
      return;
    }
  vec_push(&v->from, var);
  vec_push(&v->to, value);
}

static bool has_var(const term_list *list, term_id var) {
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
         !has_var(&before->from, one->var) && kernel_is_writable(k, one->var);
    if (ok) assign(k->terms, &v, one->var, one->expr);
    if (ok) vec_push(&l->vars, one->var);
  }
  for (size_t i = 0; ok && i < l->vars.len; i++)
    vec_push(&l->values, value_of(k->terms, &v, l->vars.at[i]));
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
    args[i] = value_of(k->terms, v, c->args[i]);
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
    term_id taken = value_of(ts, v, c->expr);
    l->condition = l->condition == TERM_NONE ? taken : term_and(ts, l->condition, taken);
    if (l->sample && is_plain(c->first)) return read_branch(k, c->first, v, l);
    for (c = c->first; c->kind == CORE_SEQ; c = c->second) {
      const struct core *one = c->first;
      if (one->kind == CORE_SAMPLE ? !read_sampling(k, one, v, l)
                                   : one->kind != CORE_ASSIGN || one->var == l->index ||
                                         !kernel_is_writable(k, one->var))
        return false;
      if (one->kind == CORE_ASSIGN) assign(ts, v, one->var, one->expr);
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
    if (one->kind == CORE_ASSIGN) assign(ts, v, one->var, one->expr);
  }
}

/* Of what the loop writes the term mentions at most the given variables. */
static bool mentions_only(struct kernel *k, const struct law_loop *l, term_id t,
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

static void law_clear(struct law_loop *l) {
  vec_clear(&l->vars);
  vec_clear(&l->values);
  vec_clear(&l->written);
}

/* False: the loop has another shape. law_clear in any case. */
static bool law_read(struct kernel *k, const struct core *c, struct law_loop *l) {
  struct terms *ts = k->terms;
  *l = (struct law_loop){.index = TERM_NONE, .condition = TERM_NONE};
  if (c->kind != CORE_WHILE || term_kind(ts, c->expr) != TERM_LT) return false;
  l->index = term_arg(ts, c->expr, 0);
  l->start = l->index;
  l->high = term_arg(ts, c->expr, 1);
  if (!kernel_is_writable(k, l->index) || term_sort(ts, l->index) != SORT_INT) return false;
  core_writes(c, &l->written);
  struct values v = {0};
  bool ok = mentions_only(k, l, l->high, NULL, 0) && read_body(k, c->first, &v, l);
  for (size_t i = 0; ok && i < l->sample->arg_count; i++)
    ok = mentions_only(k, l, l->args[i], &l->index, 1);
  values_clear(&v);
  return ok;
}

/* ---- terms of the runs ------------------------------------------------------------------------ */

/* The term in that run with other values for the variables (of the same sorts). */
static term_id in_run(struct kernel *k, term_id t, unsigned run, const term_id *vars,
                      const term_id *values, size_t count) {
  struct terms *ts = k->terms;
  term_id from[4];
  for (size_t i = 0; i < count; i++)
    from[i] = term_var_in_run(ts, vars[i], run);
  return term_subst(ts, kernel_tag(k, t, run), from, values, count);
}

static term_id equal_in_runs(struct kernel *k, term_id t) {
  return term_eq(k->terms, kernel_tag(k, t, 1), kernel_tag(k, t, 2));
}

/* The loop runs over the same indices in both runs; j is one of them. */
static term_id same_range(struct kernel *k, const struct law_loop *l) {
  return term_and(k->terms, equal_in_runs(k, l->start), equal_in_runs(k, l->high));
}
static term_id is_in_range(struct kernel *k, const struct law_loop *l, term_id j) {
  return term_and(k->terms, term_le(k->terms, kernel_tag(k, l->start, 1), j),
                  term_lt(k->terms, j, kernel_tag(k, l->high, 1)));
}

static bool is_over_memories(struct kernel *k, term_id t) {
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
  if (given == TERM_NONE || !l->vars.len || !mentions_only(k, l, given, &l->index, 1))
    return TERM_NONE;
  *sum = vec_last(&l->vars);
  term_id value = vec_last(&l->values), more = term_sub(ts, value, *sum);
  if (more == TERM_NONE || term_add(ts, *sum, more) != value ||
      !mentions_only(k, l, more, &l->index, 1) || !mentions_only(k, l, l->args[0], NULL, 0))
    return TERM_NONE;
  return given == k->yes
             ? more
             : term_ite(ts, given, more, term_coerce(ts, term_int(ts, 0), term_sort(ts, more)));
}

/* The location is the same for the same sum. */
static term_id same_location(struct kernel *k, term_id location, term_id sum) {
  struct terms *ts = k->terms;
  term_id a = kernel_fresh(k, "a", term_sort(ts, sum));
  return term_forall(
      ts, &a, 1,
      term_eq(ts, in_run(k, location, 1, &sum, &a, 1), in_run(k, location, 2, &sum, &a, 1)));
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
    assign(ts, v, one->var, value);
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
    s->location = value_of(k->terms, &v, s->noise->args[0]);
    s->spread = value_of(k->terms, &v, s->noise->args[1]);
  }
  values_clear(&v);
  if (!fits || !law_read(k, c->first, &s->loop)) return false;
  s->more = contribution(k, &s->loop, &s->sum);
  s->rate = s->loop.args[0];
  return s->more != TERM_NONE && mentions_only(k, &s->loop, s->location, &s->sum, 1) &&
         mentions_only(k, &s->loop, s->spread, NULL, 0);
}

/* How far the location moves if these are added to any sum. */
static term_id moves_within(struct kernel *k, const struct sampled *s, term_id one, term_id two,
                            const struct subsample *how, term_id a) {
  struct terms *ts = k->terms;
  term_id with[] = {term_add(ts, a, one), term_add(ts, a, two)}, moved[2];
  for (unsigned run = 1; run <= 2; run++)
    moved[run - 1] = in_run(k, s->location, run, &s->sum, &with[run - 1], 1);
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
    other[run - 1] = in_run(k, s->more, run, &l->index, &j, 1);
    there[run - 1] = in_run(k, s->more, run, &l->index, &how->place, 1);
  }
  term_id elsewhere = term_and(ts, is_in_range(k, l, j), term_ne(ts, j, how->place));
  term_id near = term_and(ts, moves_within(k, s, there[0], there[1], how, a),
                          missing_or_small(k, s, how, there, a));
  return term_and(
      ts, term_forall(ts, &j, 1, term_implies(ts, elsewhere, term_eq(ts, other[0], other[1]))),
      term_implies(ts, is_in_range(k, l, how->place), term_forall(ts, &a, 1, near)));
}

static term_id sampled_price(struct kernel *k, const struct sampled *s,
                             const struct subsample *how) {
  struct terms *ts = k->terms;
  if (!is_over_memories(k, how->place) || term_sort(ts, how->place) != SORT_INT ||
      !is_over_memories(k, how->bound) || !sort_is_numeric(term_sort(ts, how->bound)))
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
  term_id same[] = {same_range(k, &s->loop), equal_in_runs(k, s->rate), equal_in_runs(k, s->sum),
                    equal_in_runs(k, s->spread), same_location(k, s->location, s->sum)};
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
 *             both ways; w an integer, k a number over the memories before. Conditions on i alone, before the coin or together
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
  return judgement_new(k, rule, span, c, c, pre, equal_in_runs(k, s.noise->var), k->zero, NULL,
                       NULL);
}

/* ---- the largest of many values --------------------------------------------------------------- */

/* A value that is drawn before the loop: z <$ Gumbel(e0, s0), and assignments. */
struct opening {
  const struct core *draw; /* NULL: the first iteration takes its value in any case */
  term_id rest;            /* the value before the loop is the sample and this */
  term_id arg;             /* x before the loop */
};

struct contest {
  term_id best, arg; /* the variables that hold the largest value and its index */
  term_id rest;      /* a value is the sample and this */
  term_id score;     /* a value without its noise */
  struct opening opening;
};

/* What is added to the sample to get the value; TERM_NONE: it is something else. */
static term_id added(struct kernel *k, term_id sample, term_id value) {
  if (value == TERM_NONE || !sort_is_numeric(term_sort(k->terms, value))) return TERM_NONE;
  term_id rest = term_sub(k->terms, value, sample);
  return rest != TERM_NONE && !term_mentions(k->terms, rest, &sample, 1) &&
                 term_add(k->terms, sample, rest) == value
             ? rest
             : TERM_NONE;
}

/* False: the loop does something else. */
static bool contest_read(struct kernel *k, const struct law_loop *l, struct contest *c) {
  if (l->sample->dist != DIST_GUMBEL || !l->always || l->vars.len != 2) return false;
  for (size_t i = 0; i < 2; i++) {
    *c = (struct contest){.best = l->vars.at[i], .arg = l->vars.at[1 - i]};
    term_id allowed[] = {l->index, c->best, l->sample->var, c->arg};
    if (c->best == c->arg || l->values.at[1 - i] != l->index ||
        !mentions_only(k, l, l->condition, allowed, 4) || !mentions_only(k, l, l->args[1], NULL, 0))
      continue;
    c->rest = added(k, l->sample->var, l->values.at[i]);
    if (c->rest == TERM_NONE || !mentions_only(k, l, c->rest, &l->index, 1)) continue;
    c->score = term_add(k->terms, l->args[0], c->rest);
    if (c->score != TERM_NONE) return true;
  }
  return false;
}

/* The sample of the opening. Not a name of the language. */
static term_id opening_sample(struct terms *ts) {
  return term_var(ts, "the first value", SORT_REAL, 0, 0);
}

/* A term of the loop over the memory before the opening; TERM_NONE: it reads the first sample. What
 * the loop writes stands for itself: no value that is put in mentions it. */
static term_id before_opening(struct kernel *k, const struct law_loop *l, const struct values *v,
                              term_id t) {
  struct terms *ts = k->terms;
  term_id sample = opening_sample(ts);
  struct values kept = {0};
  bool ok = t != TERM_NONE;
  for (size_t i = 0; ok && i < v->from.len; i++) {
    if (has_var(&l->written, v->from.at[i])) continue;
    ok = !term_mentions(ts, v->to.at[i], l->written.at, l->written.len) ||
         !term_mentions(ts, t, &v->from.at[i], 1);
    vec_push(&kept.from, v->from.at[i]);
    vec_push(&kept.to, v->to.at[i]);
  }
  t = ok ? value_of(ts, &kept, t) : TERM_NONE;
  values_clear(&kept);
  return t != TERM_NONE && !term_mentions(ts, t, &sample, 1) ? t : TERM_NONE;
}

/* The terms of the loop and of the contest over the memory before the opening. */
static bool open_contest(struct kernel *k, const struct values *v, struct law_loop *l,
                         struct contest *c) {
  struct terms *ts = k->terms;
  term_id sample = opening_sample(ts);
  term_id args[] = {before_opening(k, l, v, l->args[0]), before_opening(k, l, v, l->args[1])};
  c->opening.rest = added(k, sample, value_of(ts, v, c->best));
  c->opening.arg = value_of(ts, v, c->arg);
  l->start = value_of(ts, v, l->index);
  l->high = before_opening(k, l, v, l->high);
  l->condition = before_opening(k, l, v, l->condition);
  l->args = arena_memdup(&k->arena, args, sizeof args);
  c->rest = before_opening(k, l, v, c->rest);
  c->score = before_opening(k, l, v, c->score);
  term_id all[] = {args[0], args[1], c->opening.rest, c->opening.arg, l->start,
                   l->high, c->rest, c->score,        l->condition};
  bool ok = true;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    ok = ok && all[i] != TERM_NONE && !term_mentions(ts, all[i], &sample, 1);
  return ok;
}

/* c = loop, or z <$ Gumbel(e0, s0); assignments; loop. law_clear in any case. */
static bool exponential_read(struct kernel *k, const struct core *c, struct law_loop *l,
                             struct contest *contest) {
  struct terms *ts = k->terms;
  *l = (struct law_loop){.index = TERM_NONE, .condition = TERM_NONE};
  if (c->kind != CORE_SEQ) return law_read(k, c, l) && contest_read(k, l, contest);
  const struct core *draw = c->first;
  struct values v = {0};
  bool ok = draw->kind == CORE_SAMPLE && draw->dist == DIST_GUMBEL && draw->arg_count == 2 &&
            kernel_is_writable(k, draw->var) && term_sort(ts, draw->var) == SORT_REAL;
  if (ok) assign(ts, &v, draw->var, opening_sample(ts));
  for (c = c->second; ok && c->kind == CORE_SEQ; c = c->second) {
    const struct core *one = c->first;
    term_id value = one->kind == CORE_ASSIGN && kernel_is_writable(k, one->var)
                        ? term_coerce(ts, one->expr, term_sort(ts, one->var))
                        : TERM_NONE;
    ok = value != TERM_NONE;
    if (ok) assign(ts, &v, one->var, value);
  }
  ok = ok && law_read(k, c, l) && contest_read(k, l, contest) && open_contest(k, &v, l, contest);
  if (ok) contest->opening.draw = draw;
  values_clear(&v);
  return ok;
}

/* Is w the result before iteration j: of an earlier iteration, or of the opening? */
static term_id is_earlier(struct kernel *k, const struct law_loop *l, const struct contest *c,
                          unsigned run, term_id w, term_id j) {
  struct terms *ts = k->terms;
  term_id passed = term_and(ts, term_le(ts, kernel_tag(k, l->start, run), w), term_lt(ts, w, j));
  if (!c->opening.draw) return passed;
  return term_or(ts, passed, term_eq(ts, w, kernel_tag(k, c->opening.arg, run)));
}

/* Without an opening the first value is taken, a later one if it is larger, in both runs. */
static term_id takes_largest(struct kernel *k, const struct law_loop *l, const struct contest *c) {
  struct terms *ts = k->terms;
  term_id all = k->yes;
  for (unsigned run = 1; run <= 2; run++) {
    term_id j = kernel_fresh(k, "j", SORT_INT), v = kernel_fresh(k, "v", SORT_REAL),
            u = kernel_fresh(k, "u", SORT_REAL), w = kernel_fresh(k, "w", SORT_INT),
            i = kernel_tag(k, l->start, run);
    term_id vars[] = {l->index, l->sample->var, c->best, c->arg}, bound[] = {j, v, u, w};
    term_id first[] = {i, term_sub(ts, v, in_run(k, c->rest, run, &l->index, &i, 1)), u};
    term_id later[] = {j, term_sub(ts, v, in_run(k, c->rest, run, &l->index, &j, 1)), u, w};
    term_id taken = in_run(k, l->condition, run, vars, later, 4);
    term_id begins = c->opening.draw ? term_le(ts, i, j) : term_lt(ts, i, j);
    term_id inside[] = {begins, term_lt(ts, j, kernel_tag(k, l->high, run)),
                        is_earlier(k, l, c, run, w, j)};
    term_id right = term_and(ts, term_implies(ts, taken, term_le(ts, u, v)),
                             term_implies(ts, term_lt(ts, u, v), taken));
    if (!c->opening.draw)
      all = term_and(ts, all,
                     term_forall(ts, bound + 1, 2, in_run(k, l->condition, run, vars, first, 3)));
    bool by_result = term_mentions(ts, l->condition, &c->arg, 1);
    term_id where = term_and_all(ts, inside, by_result ? 3 : 2);
    all = term_and(ts, all,
                   term_forall(ts, bound, by_result ? 4 : 3, term_implies(ts, where, right)));
  }
  return all;
}

static term_id is_within(struct kernel *k, term_id one, term_id two,
                         const struct exponential *how) {
  term_id d = term_sub(k->terms, one, two);
  return term_and(k->terms, term_le(k->terms, how->low, d), term_le(k->terms, d, how->high));
}

/* A value without its noise, before the loop. */
static term_id opening_score(struct terms *ts, const struct opening *o) {
  return term_add(ts, o->draw->args[0], o->rest);
}

static term_id scores_differ(struct kernel *k, const struct law_loop *l, const struct contest *c,
                             const struct exponential *how) {
  struct terms *ts = k->terms;
  term_id j = kernel_fresh(k, "j", SORT_INT);
  term_id within = is_within(k, in_run(k, c->score, 1, &l->index, &j, 1),
                             in_run(k, c->score, 2, &l->index, &j, 1), how);
  term_id all = term_forall(ts, &j, 1, term_implies(ts, is_in_range(k, l, j), within));
  if (!c->opening.draw) return all;
  term_id score = opening_score(ts, &c->opening);
  return term_and(ts, all, is_within(k, kernel_tag(k, score, 1), kernel_tag(k, score, 2), how));
}

static term_id range_price(struct kernel *k, const struct law_loop *l,
                           const struct exponential *how) {
  struct terms *ts = k->terms;
  if (!is_over_memories(k, how->low) || !is_over_memories(k, how->high) ||
      !sort_is_numeric(term_sort(ts, how->low)) || !sort_is_numeric(term_sort(ts, how->high)))
    return TERM_NONE;
  term_id range = term_coerce(ts, term_sub(ts, how->high, how->low), SORT_REAL);
  term_id rate = term_reciprocal(ts, kernel_tag(k, l->args[1], 1));
  return notion_price_range(ts, k->notion, term_mul(ts, range, rate));
}

term_id exponential_price(struct kernel *k, const struct core *c, const struct exponential *how) {
  struct law_loop l;
  struct contest contest;
  term_id price = exponential_read(k, c, &l, &contest) ? range_price(k, &l, how) : TERM_NONE;
  law_clear(&l);
  return price;
}

term_id exponential_score(struct kernel *k, const struct core *c) {
  struct law_loop l;
  struct contest contest;
  bool fits = exponential_read(k, c, &l, &contest);
  law_clear(&l);
  return fits ? contest.score : TERM_NONE;
}

/* The noise of the opening is that of the loop, in either run. */
static term_id same_noise(struct kernel *k, const struct law_loop *l, const struct contest *c) {
  term_id all = equal_in_runs(k, l->args[1]);
  for (unsigned run = 1; run <= 2 && c->opening.draw; run++)
    all = term_and(k->terms, all,
                   term_eq(k->terms, kernel_tag(k, c->opening.draw->args[1], run),
                           kernel_tag(k, l->args[1], run)));
  return all;
}

/* If no iteration decides, the result is what it was: also if the first value wins. */
static term_id same_result(struct kernel *k, const struct law_loop *l, const struct contest *c) {
  if (c->opening.draw) return equal_in_runs(k, c->opening.arg);
  term_id some = term_lt(k->terms, kernel_tag(k, l->start, 1), kernel_tag(k, l->high, 1));
  return term_or(k->terms, some, equal_in_runs(k, c->arg));
}

static term_id contest_pre(struct kernel *k, const char *rule, struct span span,
                           const struct law_loop *l, const struct contest *c,
                           const struct exponential *how, term_id price) {
  struct terms *ts = k->terms;
  const struct core *draw = c->opening.draw;
  term_id args[] = {kernel_tag(k, l->args[0], 1), kernel_tag(k, l->args[1], 1)};
  term_id valid = kernel_valid_noise(k, rule, span, DIST_GUMBEL, args, 2);
  term_id same = term_and(ts, same_range(k, l), same_noise(k, l, c));
  if (draw) {
    term_id first[] = {kernel_tag(k, draw->args[0], 1), kernel_tag(k, draw->args[1], 1)};
    valid = term_and(ts, valid, kernel_valid_noise(k, rule, span, DIST_GUMBEL, first, 2));
  }
  term_id parts[] = {
      kernel_label(k, term_and(ts, same, same_result(k, l, c)), rule, span,
                   "both runs choose from the same indices with the same noise"),
      valid,
      kernel_label(k, takes_largest(k, l, c), rule, span,
                   "the index of the largest value is taken"),
      kernel_label(k, scores_differ(k, l, c, how), rule, span,
                   "the values differ between the runs by no more than stated"),
      kernel_label(k, term_le(ts, price, k->budget), rule, span, "the budget pays for this part")};
  return term_and_all(ts, parts, 5);
}

/*  EXPONENTIAL  c = while i < h {v <$ Gumbel(e, s); if C {m := v; x := i}; i := i + 1}, up to the
 *               order of m := v and x := i, and assignments before; h, s do not depend on what the
 *               loop writes, e on i only, C on i, v, m and x; low, high numbers over the memories
 *               before
 *  pre:   i, h, s equal in both runs, s > 0;  i < h or x<1> = x<2>
 *         in the first iteration C holds; in a later one C -> m <= v and m < v -> C, for all x from
 *         i to the present index
 *         for j in i..h:  low <= e<1>(j) - e<2>(j) <= high
 *         (also m := v + r, r on i only: then C is about v + r, and e + r is in the place of e)
 *         price of a range of (high - low)/s <= B      (notion.h)
 *         The same with z <$ Gumbel(e0, s) and assignments before the loop, after which m is
 *         z + r0: there is no first iteration, x before the loop is equal in both runs, and e0 + r0
 *         differs by low to high as well
 *  conclusion: c ~0 c {x<1> = x<2>} */
proof_of rule_exponential(struct kernel *k, struct span span, const struct core *c,
                          const struct exponential *how) {
  static const char rule[] = "EXPONENTIAL";
  struct law_loop l;
  struct contest contest;
  term_id price = exponential_price(k, c, how), pre = TERM_NONE;
  if (exponential_read(k, c, &l, &contest) && price != TERM_NONE)
    pre = contest_pre(k, rule, span, &l, &contest, how, price);
  law_clear(&l);
  if (pre == TERM_NONE)
    return kernel_fail(k, rule, span, "this is not the largest of many values with Gumbel noise");
  return judgement_new(k, rule, span, c, c, pre, equal_in_runs(k, contest.arg), k->zero, NULL,
                       NULL);
}
