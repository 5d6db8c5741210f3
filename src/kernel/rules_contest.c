/* The largest of many values with Gumbel noise: the exponential mechanism. B stands for the budget.
 * docs/notions.md and docs/rules.md have the proofs. */
#include "kernel/ahl.h"
#include "kernel/dist.h"
#include "kernel/internal.h"
#include "kernel/law_loop.h"
#include "kernel/rules.h"
#include "term/build.h"
#include "term/subst.h"

/* ---- the shape --------------------------------------------------------------------------------- */

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
        !law_mentions_only(k, l, l->condition, allowed, 4) ||
        !law_mentions_only(k, l, l->args[1], NULL, 0))
      continue;
    c->rest = added(k, l->sample->var, l->values.at[i]);
    if (c->rest == TERM_NONE || !law_mentions_only(k, l, c->rest, &l->index, 1)) continue;
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
    if (law_has(&l->written, v->from.at[i])) continue;
    ok = !term_mentions(ts, v->to.at[i], l->written.at, l->written.len) ||
         !term_mentions(ts, t, &v->from.at[i], 1);
    vec_push(&kept.from, v->from.at[i]);
    vec_push(&kept.to, v->to.at[i]);
  }
  t = ok ? values_in(ts, &kept, t) : TERM_NONE;
  values_clear(&kept);
  return t != TERM_NONE && !term_mentions(ts, t, &sample, 1) ? t : TERM_NONE;
}

/* The terms of the loop and of the contest over the memory before the opening. */
static bool open_contest(struct kernel *k, const struct values *v, struct law_loop *l,
                         struct contest *c) {
  struct terms *ts = k->terms;
  term_id sample = opening_sample(ts);
  term_id args[] = {before_opening(k, l, v, l->args[0]), before_opening(k, l, v, l->args[1])};
  c->opening.rest = added(k, sample, values_in(ts, v, c->best));
  c->opening.arg = values_in(ts, v, c->arg);
  l->start = values_in(ts, v, l->index);
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
  if (ok) values_assign(ts, &v, draw->var, opening_sample(ts));
  for (c = c->second; ok && c->kind == CORE_SEQ; c = c->second) {
    const struct core *one = c->first;
    term_id value = one->kind == CORE_ASSIGN && kernel_is_writable(k, one->var)
                        ? term_coerce(ts, one->expr, term_sort(ts, one->var))
                        : TERM_NONE;
    ok = value != TERM_NONE;
    if (ok) values_assign(ts, &v, one->var, value);
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

/* Without an opening the first value is taken, a later one if it is larger. */
static term_id takes_largest(struct kernel *k, const struct law_loop *l, const struct contest *c,
                             unsigned run) {
  struct terms *ts = k->terms;
  term_id j = kernel_fresh(k, "j", SORT_INT), v = kernel_fresh(k, "v", SORT_REAL),
          u = kernel_fresh(k, "u", SORT_REAL), w = kernel_fresh(k, "w", SORT_INT),
          i = kernel_tag(k, l->start, run);
  term_id vars[] = {l->index, l->sample->var, c->best, c->arg}, bound[] = {j, v, u, w};
  term_id first[] = {i, term_sub(ts, v, law_in_run(k, c->rest, run, &l->index, &i, 1)), u};
  term_id later[] = {j, term_sub(ts, v, law_in_run(k, c->rest, run, &l->index, &j, 1)), u, w};
  term_id taken = law_in_run(k, l->condition, run, vars, later, 4);
  term_id begins = c->opening.draw ? term_le(ts, i, j) : term_lt(ts, i, j), all = k->yes;
  term_id inside[] = {begins, term_lt(ts, j, kernel_tag(k, l->high, run)),
                      is_earlier(k, l, c, run, w, j)};
  term_id right = term_and(ts, term_implies(ts, taken, term_le(ts, u, v)),
                           term_implies(ts, term_lt(ts, u, v), taken));
  if (!c->opening.draw)
    all = term_forall(ts, bound + 1, 2, law_in_run(k, l->condition, run, vars, first, 3));
  bool by_result = term_mentions(ts, l->condition, &c->arg, 1);
  term_id where = term_and_all(ts, inside, by_result ? 3 : 2);
  return term_and(ts, all,
                  term_forall(ts, bound, by_result ? 4 : 3, term_implies(ts, where, right)));
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
  term_id within = is_within(k, law_in_run(k, c->score, 1, &l->index, &j, 1),
                             law_in_run(k, c->score, 2, &l->index, &j, 1), how);
  term_id all = term_forall(ts, &j, 1, term_implies(ts, law_in_range(k, l, 1, j), within));
  if (!c->opening.draw) return all;
  term_id score = opening_score(ts, &c->opening);
  return term_and(ts, all, is_within(k, kernel_tag(k, score, 1), kernel_tag(k, score, 2), how));
}

static term_id range_price(struct kernel *k, const struct law_loop *l,
                           const struct exponential *how) {
  struct terms *ts = k->terms;
  if (!law_is_over_memories(k, how->low) || !law_is_over_memories(k, how->high) ||
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
  term_id all = law_equal_in_runs(k, l->args[1]);
  for (unsigned run = 1; run <= 2 && c->opening.draw; run++)
    all = term_and(k->terms, all,
                   term_eq(k->terms, kernel_tag(k, c->opening.draw->args[1], run),
                           kernel_tag(k, l->args[1], run)));
  return all;
}

/* If no iteration decides, the result is what it was: also if the first value wins. */
static term_id same_result(struct kernel *k, const struct law_loop *l, const struct contest *c) {
  if (c->opening.draw) return law_equal_in_runs(k, c->opening.arg);
  term_id some = term_lt(k->terms, kernel_tag(k, l->start, 1), kernel_tag(k, l->high, 1));
  return term_or(k->terms, some, law_equal_in_runs(k, c->arg));
}

/* The noise makes sense, that of the opening too. */
static term_id noise_valid(struct kernel *k, const char *rule, struct span span,
                           const struct law_loop *l, const struct contest *c, unsigned run) {
  const struct core *draw = c->opening.draw;
  term_id args[] = {kernel_tag(k, l->args[0], run), kernel_tag(k, l->args[1], run)};
  term_id valid = kernel_valid_noise(k, rule, span, DIST_GUMBEL, args, 2);
  if (!draw) return valid;
  term_id first[] = {kernel_tag(k, draw->args[0], run), kernel_tag(k, draw->args[1], run)};
  return term_and(k->terms, valid, kernel_valid_noise(k, rule, span, DIST_GUMBEL, first, 2));
}

static term_id contest_pre(struct kernel *k, const char *rule, struct span span,
                           const struct law_loop *l, const struct contest *c,
                           const struct exponential *how, term_id price) {
  struct terms *ts = k->terms;
  term_id same = term_and(ts, law_same_range(k, l), same_noise(k, l, c));
  term_id valid = noise_valid(k, rule, span, l, c, 1);
  term_id parts[] = {
      kernel_label(k, term_and(ts, same, same_result(k, l, c)), rule, span,
                   "both runs choose from the same indices with the same noise"),
      valid,
      kernel_label(k, term_and(ts, takes_largest(k, l, c, 1), takes_largest(k, l, c, 2)), rule,
                   span, "the index of the largest value is taken"),
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
  return judgement_new(k, rule, span, c, c, pre, law_equal_in_runs(k, contest.arg), k->zero, NULL,
                       NULL);
}

/* ---- the largest value is near the best one --------------------------------------------------- */

/* No value is better without its noise than `most`. */
static term_id none_is_above(struct kernel *k, const struct law_loop *l, const struct contest *c,
                             unsigned run, term_id most) {
  struct terms *ts = k->terms;
  term_id j = kernel_fresh(k, "j", SORT_INT);
  term_id score = law_in_run(k, c->score, run, &l->index, &j, 1);
  term_id all = term_forall(ts, &j, 1,
                            term_implies(ts, law_in_range(k, l, run, j), term_le(ts, score, most)));
  if (!c->opening.draw) return all;
  term_id first = kernel_tag(k, opening_score(ts, &c->opening), run);
  return term_and(ts, all, term_le(ts, first, most));
}

/* Psi holds if the winner is `label`, whose value without noise is `score`, and near the best. */
static term_id near_suffices(struct kernel *k, const struct law_loop *l, const struct contest *c,
                             unsigned run, term_id label, term_id score, term_id t, term_id post) {
  struct terms *ts = k->terms;
  term_id near = none_is_above(k, l, c, run, term_add(ts, score, t));
  return term_implies(ts, near, kernel_assigned(k, post, c->arg, run, label));
}

static term_id winner_is_near(struct kernel *k, const struct law_loop *l, const struct contest *c,
                              unsigned run, term_id t, term_id post) {
  struct terms *ts = k->terms;
  term_id r = kernel_fresh(k, "r", SORT_INT);
  term_id score = law_in_run(k, c->score, run, &l->index, &r, 1);
  term_id all = term_forall(
      ts, &r, 1,
      term_implies(ts, law_in_range(k, l, run, r), near_suffices(k, l, c, run, r, score, t, post)));
  if (!c->opening.draw) return all;
  term_id label = kernel_tag(k, c->opening.arg, run),
          first = kernel_tag(k, opening_score(ts, &c->opening), run);
  return term_and(ts, all, near_suffices(k, l, c, run, label, first, t, post));
}

/* How many values there are. */
static term_id value_count(struct kernel *k, const struct law_loop *l, const struct contest *c,
                           unsigned run) {
  struct terms *ts = k->terms;
  term_id n = term_sub(ts, kernel_tag(k, l->high, run), kernel_tag(k, l->start, run));
  if (c->opening.draw) n = term_add(ts, n, term_int(ts, 1));
  return term_to_real(ts, n);
}

/* The variables that c writes, but for the result, are unknown afterwards. */
static bool hides(struct kernel *k, const struct core *c, const struct contest *contest,
                  unsigned run, term_id post) {
  term_list written = {0};
  bool seen = false;
  core_writes(c, &written);
  for (size_t i = 0; i < written.len && !seen; i++) {
    term_id x = term_var_in_run(k->terms, written.at[i], run);
    seen = written.at[i] != contest->arg && term_mentions(k->terms, post, &x, 1);
  }
  vec_clear(&written);
  return !seen;
}

static term_id near_pre(struct kernel *k, const char *rule, struct span span,
                        const struct law_loop *l, const struct contest *c, unsigned run, term_id t,
                        term_id beta, term_id post) {
  struct terms *ts = k->terms;
  const struct core *draw = c->opening.draw;
  term_id args[] = {kernel_tag(k, l->args[0], run), kernel_tag(k, l->args[1], run)};
  term_id far = dist_tail(ts, DIST_GUMBEL, args, TAIL_ABOVE, t);
  term_id start = kernel_tag(k, l->start, run), high = kernel_tag(k, l->high, run);
  term_id some = draw ? term_le(ts, start, high) : term_lt(ts, start, high);
  term_id same = draw ? term_eq(ts, kernel_tag(k, draw->args[1], run), args[1]) : k->yes;
  term_id parts[] = {
      kernel_label(k, term_and(ts, some, same), rule, span,
                   "there are values, and all have the same noise"),
      noise_valid(k, rule, span, l, c, run),
      kernel_label(k, takes_largest(k, l, c, run), rule, span,
                   "the index of the largest value is taken"),
      kernel_label(k, term_le(ts, term_mul(ts, value_count(k, l, c, run), far), beta), rule, span,
                   "the probability of a winner that is farther away is within the bound"),
      kernel_label(k, winner_is_near(k, l, c, run, t, post), rule, span,
                   "with a winner that is near the best the event happens")};
  return term_and_all(ts, parts, 5);
}

/*  aHL-GUMBEL   c as in EXPONENTIAL, with N values: e(j), and e0 + r0 if there is an opening
 *  pre:   i < h (with an opening i <= h); all scales are s > 0; the index of the largest value is taken
 *         N e^(-t/s) <= beta
 *         for every label r: if no value without noise is above that of r and t, Psi[x := r]
 *  conclusion: {pre} c {Psi} : beta      Psi speaks of nothing that c writes but x
 *  The winner is r with probability e^(e(r)/s) / (the sum of these), which is at most e^(-t/s) if
 *  some value is above e(r) + t. Proof: docs/rules.md  */
bound_of ahl_contest(struct kernel *k, unsigned run, struct span span, const struct core *c,
                     term_id t, term_id beta, term_id post) {
  static const char rule[] = "aHL-GUMBEL";
  struct law_loop l;
  struct contest contest;
  term_id pre = TERM_NONE;
  bool fits = (run == 1 || run == 2) && t != TERM_NONE && sort_is_numeric(term_sort(k->terms, t)) &&
              kernel_is_constant(k, beta);
  if (exponential_read(k, c, &l, &contest) && fits && hides(k, c, &contest, run, post))
    pre = near_pre(k, rule, span, &l, &contest, run, term_to_real(k->terms, t), beta, post);
  law_clear(&l);
  if (pre == TERM_NONE)
    return kernel_fail(k, rule, span, "this is not the largest of many values with Gumbel noise");
  return ahl_new(k, rule, span, run, c, pre, post, beta);
}
