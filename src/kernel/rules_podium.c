/* PODIUM: the largest and the second largest of many values with noise, and the gap between them. B
 * stands for the budget. docs/rules.md has the proof. */
#include "kernel/dist.h"
#include "kernel/internal.h"
#include "kernel/rules.h"
#include "term/build.h"
#include "term/subst.h"

enum { PLACES = 2, DRAWS = 2 };

/* ---- straight code ---------------------------------------------------------------------------- */

struct draw {
  term_id name; /* fresh, stands for the sample */
  enum dist_kind dist;
  term_id location, scale;
};

/* What code without loops computes: terms over the memory before and the samples. */
struct path {
  struct kernel *k;
  term_list from, to; /* variables and their values */
  struct draw draws[DRAWS];
  size_t count;
};

static void path_clear(struct path *p) {
  vec_clear(&p->from);
  vec_clear(&p->to);
}

static term_id value_of(const struct path *p, term_id t) {
  return t == TERM_NONE ? t : term_subst(p->k->terms, t, p->from.at, p->to.at, p->from.len);
}

static void put(struct path *p, term_id var, term_id value) {
  for (size_t i = 0; i < p->from.len; i++)
    if (p->from.at[i] == var) {
      p->to.at[i] = value;
      return;
    }
  vec_push(&p->from, var);
  vec_push(&p->to, value);
}

static bool assign(struct path *p, term_id var, term_id value) {
  struct terms *ts = p->k->terms;
  value = value == TERM_NONE ? value : term_coerce(ts, value, term_sort(ts, var));
  if (value == TERM_NONE || !kernel_is_writable(p->k, var)) return false;
  put(p, var, value);
  return true;
}

static void path_copy(struct path *to, const struct path *from) {
  *to = *from;
  to->from = to->to = (term_list){0};
  for (size_t i = 0; i < from->from.len; i++)
    put(to, from->from.at[i], from->to.at[i]);
}

static bool draw(struct path *p, const struct core *c) {
  struct terms *ts = p->k->terms;
  if (p->count == DRAWS || c->arg_count != 2 || term_sort(ts, c->var) != SORT_REAL ||
      dist_sample_sort(ts, c->dist, c->args, 2) != SORT_REAL)
    return false;
  struct draw *d = &p->draws[p->count++];
  *d = (struct draw){.name = kernel_fresh(p->k, "v", SORT_REAL),
                     .dist = c->dist,
                     .location = value_of(p, c->args[0]),
                     .scale = value_of(p, c->args[1])};
  return d->location != TERM_NONE && d->scale != TERM_NONE && assign(p, c->var, d->name);
}

static bool run(struct path *p, const struct core *c, bool may_draw);

/* A branch: each variable has the value of the way that is taken. Samples in it are refused. */
static bool run_if(struct path *p, const struct core *c) {
  struct terms *ts = p->k->terms;
  term_id taken = value_of(p, c->expr);
  struct path other;
  path_copy(&other, p);
  bool ok = taken != TERM_NONE && run(p, c->first, false) && run(&other, c->second, false);
  for (size_t i = 0; i < other.from.len && ok; i++) /* so that both have all variables */
    put(p, other.from.at[i], value_of(p, other.from.at[i]));
  for (size_t i = 0; i < p->from.len && ok; i++) {
    term_id var = p->from.at[i];
    p->to.at[i] = term_ite(ts, taken, p->to.at[i], value_of(&other, var));
    ok = p->to.at[i] != TERM_NONE;
  }
  path_clear(&other);
  return ok;
}

static bool run(struct path *p, const struct core *c, bool may_draw) {
  switch (c->kind) {
  case CORE_SKIP: return true;
  case CORE_ASSIGN: return assign(p, c->var, value_of(p, c->expr));
  case CORE_SAMPLE: return may_draw && draw(p, c);
  case CORE_SEQ: return run(p, c->first, may_draw) && run(p, c->second, may_draw);
  case CORE_IF: return run_if(p, c);
  case CORE_WHILE:
  case CORE_ADVERSARY: return false;
  }
  return false;
}

/* ---- the code --------------------------------------------------------------------------------- */

/* Variables and terms of the podium, at one moment. */
struct podium_state {
  term_id winner, runner_up, first, second; /* runner_up: TERM_NONE if nobody asks */
};

/* c = p; while i < h {body; i := i + 1}. Terms are over the memory before c, without run. */
struct podium_code {
  struct path start;         /* p and as many iterations as it takes to have seen two values */
  struct path round;         /* an iteration later on, from any memory */
  size_t iterations;         /* in `start` */
  term_id index, begin, end; /* of the loop */
  term_id position;          /* name of the index in `round` */
  struct podium_state seen, before, after; /* after `start`; around the iteration */
  term_id labels[PLACES]; /* the winner if the first or the second value is larger */
  term_list any;          /* names in `round` that stand for whatever there may be */
};

static void code_clear(struct podium_code *c) {
  path_clear(&c->start);
  path_clear(&c->round);
  vec_clear(&c->any);
}

static struct podium_state state_of(const struct path *p, const struct podium *how) {
  return (struct podium_state){value_of(p, how->winner), value_of(p, how->runner_up),
                               value_of(p, how->first), value_of(p, how->second)};
}

static bool state_is_known(const struct podium_state *s, const struct podium *how) {
  return s->winner != TERM_NONE && s->first != TERM_NONE && s->second != TERM_NONE &&
         (how->runner_up == TERM_NONE || s->runner_up != TERM_NONE);
}

/* The last statement of the body is i := i + 1, and no other one writes i. */
static bool counts_up(struct kernel *k, const struct core *body, term_id index) {
  term_list written = {0};
  size_t times = 0;
  core_writes(body, &written);
  for (size_t i = 0; i < written.len; i++)
    times += written.at[i] == index;
  vec_clear(&written);
  while (body->kind == CORE_SEQ)
    body = body->second;
  return times == 1 && body->kind == CORE_ASSIGN && body->var == index &&
         body->expr == term_add(k->terms, index, term_int(k->terms, 1));
}

static bool mentions_draws(const struct path *p, term_id t) {
  for (size_t i = 0; i < p->count; i++)
    if (term_mentions(p->k->terms, t, &p->draws[i].name, 1)) return true;
  return false;
}

/* A memory in which what the loop writes is anything; the rest is as `start` has it. */
static void forget_written(struct podium_code *c, const struct core *loop) {
  struct kernel *k = c->start.k;
  term_list written = {0};
  core_writes(loop, &written);
  path_copy(&c->round, &c->start);
  for (size_t i = 0; i < written.len; i++) {
    bool is_index = written.at[i] == c->index;
    term_id name =
        is_index ? c->position : kernel_fresh(k, "any", term_sort(k->terms, written.at[i]));
    put(&c->round, written.at[i], name);
    vec_push(&c->any, name);
  }
  for (size_t i = 0; i < c->start.count; i++)
    vec_push(&c->any, c->start.draws[i].name);
  c->round.count = 0;
  vec_clear(&written);
}

static bool read_loop(struct podium_code *c, const struct core *loop) {
  struct kernel *k = c->start.k;
  struct terms *ts = k->terms;
  if (loop->kind != CORE_WHILE || term_kind(ts, loop->expr) != TERM_LT) return false;
  term_list written = {0};
  core_writes(loop, &written);
  c->index = term_arg(ts, loop->expr, 0);
  term_id high = term_arg(ts, loop->expr, 1);
  bool ok = kernel_is_writable(k, c->index) && term_sort(ts, c->index) == SORT_INT &&
            term_sort(ts, high) == SORT_INT && counts_up(k, loop->first, c->index) &&
            !term_mentions(ts, high, written.at, written.len);
  vec_clear(&written);
  if (!ok) return false;
  c->begin = value_of(&c->start, c->index);
  c->end = value_of(&c->start, high);
  c->position = kernel_fresh(k, "j", SORT_INT);
  return c->begin != TERM_NONE && c->end != TERM_NONE && !mentions_draws(&c->start, c->begin) &&
         !mentions_draws(&c->start, c->end);
}

/* A value is a sample and this: it is among what `first` may be. TERM_NONE: no sample is. */
static term_id added_to(struct terms *ts, term_id first, term_id sample) {
  enum term_kind kind = term_kind(ts, first);
  term_id found = TERM_NONE;
  if (kind == TERM_ITE || kind == TERM_MAX || kind == TERM_MIN) {
    for (size_t i = kind == TERM_ITE; i < term_arg_count(ts, first) && found == TERM_NONE; i++)
      found = added_to(ts, term_arg(ts, first, i), sample);
    return found;
  }
  if (term_mentions(ts, first, &sample, 1)) found = term_sub(ts, first, sample);
  return found == TERM_NONE || term_mentions(ts, found, &sample, 1) ? TERM_NONE : found;
}

/* From now on the names of the samples stand for the values: noise of a family with a location may be
 * drawn around 0 and added to what it is meant for, if that is known before the noise is. */
static bool name_values(struct podium_code *c, struct path *p, term_id first) {
  struct terms *ts = p->k->terms;
  for (size_t d = 0; d < p->count; d++) {
    struct draw *one = &p->draws[d];
    term_id more = added_to(ts, value_of(p, first), one->name);
    bool known = more != TERM_NONE && !mentions_draws(p, more) && !mentions_draws(&c->start, more);
    for (size_t i = 0; i < c->any.len && known && p == &c->round; i++)
      known = c->any.at[i] == c->position || !term_mentions(ts, more, &c->any.at[i], 1);
    if (!known) continue;
    term_id sample = term_sub(ts, one->name, more);
    one->location = term_add(ts, one->location, more);
    for (size_t i = 0; i < p->to.len; i++)
      p->to.at[i] = term_subst(ts, p->to.at[i], &one->name, &sample, 1);
    for (size_t i = 0; i < p->to.len; i++)
      if (p->to.at[i] == TERM_NONE) return false;
    if (one->location == TERM_NONE) return false;
  }
  return true;
}

/* One value for each iteration. */
static bool run_body(struct path *p, const struct core *body) {
  size_t before = p->count;
  return run(p, body, true) && p->count == before + 1;
}

/* All noise is of the family and the scale of that in `round`, around what depends on the index and
 * the memory before only. */
static bool is_alike(const struct podium_code *c) {
  const struct draw *d = &c->round.draws[0];
  struct terms *ts = c->start.k->terms;
  for (size_t i = 0; i < DRAWS; i++) {
    const struct draw *one = &c->start.draws[i];
    if (one->dist != d->dist || one->scale != d->scale || mentions_draws(&c->start, one->location))
      return false;
  }
  for (size_t i = 0; i < c->any.len; i++) {
    bool is_index = c->any.at[i] == c->position;
    if (term_mentions(ts, d->scale, &c->any.at[i], 1) ||
        (!is_index && term_mentions(ts, d->location, &c->any.at[i], 1)))
      return false;
  }
  return !mentions_draws(&c->round, d->location) && !mentions_draws(&c->round, d->scale);
}

/* Do both of the first two values count? Noise drawn earlier for something else does not. */
static bool both_count(const struct podium_code *c) {
  struct terms *ts = c->start.k->terms;
  for (size_t i = 0; i < DRAWS; i++)
    if (!term_mentions(ts, c->seen.first, &c->start.draws[i].name, 1)) return false;
  return true;
}

/* The winner if this one of the first two values is larger. */
static term_id label_of(const struct podium_code *c, size_t larger) {
  struct terms *ts = c->start.k->terms;
  term_id names[DRAWS], values[DRAWS];
  for (size_t i = 0; i < DRAWS; i++) {
    names[i] = c->start.draws[i].name;
    values[i] = term_rat(ts, i == larger, 1);
  }
  return term_subst(ts, c->seen.winner, names, values, DRAWS);
}

/* False: the code does something else. code_clear in any case. */
static bool code_read(struct kernel *k, const struct core *c, const struct podium *how,
                      struct podium_code *out) {
  *out = (struct podium_code){.start = {.k = k}};
  for (; c->kind == CORE_SEQ; c = c->second)
    if (!run(&out->start, c->first, true)) return false;
  size_t drawn = out->start.count;
  if (!read_loop(out, c)) return false;
  forget_written(out, c);
  for (out->iterations = 0; drawn + out->iterations < DRAWS; out->iterations++)
    if (!run_body(&out->start, c->first)) return false;
  if (!name_values(out, &out->start, how->first)) return false;
  out->seen = state_of(&out->start, how);
  out->before = state_of(&out->round, how);
  if (!run_body(&out->round, c->first) || !name_values(out, &out->round, how->first)) return false;
  out->after = state_of(&out->round, how);
  vec_push(&out->any, out->round.draws[0].name);
  if (!state_is_known(&out->seen, how) || !state_is_known(&out->before, how) ||
      !state_is_known(&out->after, how) || !is_alike(out) || !both_count(out))
    return false;
  for (size_t i = 0; i < PLACES; i++)
    out->labels[i] = label_of(out, i);
  return out->labels[0] != TERM_NONE && out->labels[1] != TERM_NONE;
}

/* ---- conditions ------------------------------------------------------------------------------- */

static term_id is_state(struct kernel *k, const struct podium_state *s, term_id winner,
                        term_id runner_up, term_id first, term_id second) {
  struct terms *ts = k->terms;
  term_id all[] = {term_eq(ts, s->winner, winner), term_eq(ts, s->first, first),
                   term_eq(ts, s->second, second),
                   s->runner_up == TERM_NONE ? k->yes : term_eq(ts, s->runner_up, runner_up)};
  return term_and_all(ts, all, 4);
}

/* For all values of these names, in both runs. */
static term_id in_both(struct kernel *k, const term_id *names, size_t count, term_id formula) {
  struct terms *ts = k->terms;
  term_id one = kernel_tag(k, formula, 1), two = kernel_tag(k, formula, 2);
  return term_and(ts, term_forall(ts, names, count, one), term_forall(ts, names, count, two));
}

/* Of the first two values, whichever is larger. */
static term_id starts_right(struct kernel *k, const struct podium_code *c) {
  struct terms *ts = k->terms;
  term_id v[] = {c->start.draws[0].name, c->start.draws[1].name}, all = k->yes;
  for (size_t i = 0; i < PLACES; i++) {
    term_id is = is_state(k, &c->seen, c->labels[i], c->labels[1 - i], v[i], v[1 - i]);
    all = term_and(ts, all, term_implies(ts, term_lt(ts, v[1 - i], v[i]), is));
  }
  return in_both(k, v, PLACES, all);
}

static term_id is_later(struct kernel *k, const struct podium_code *c, term_id j) {
  struct terms *ts = k->terms;
  term_id from = term_add(ts, c->begin, term_int(ts, (long)c->iterations));
  return term_and(ts, term_le(ts, from, j), term_lt(ts, j, c->end));
}

/* A new value takes its place among the two largest. */
static term_id goes_on_right(struct kernel *k, const struct podium_code *c) {
  struct terms *ts = k->terms;
  const struct podium_state *s = &c->before;
  term_id v = c->round.draws[0].name, j = c->position, m = s->first, w = s->second;
  term_id cases[] = {
      term_implies(ts, term_lt(ts, m, v), is_state(k, &c->after, j, s->winner, v, m)),
      term_implies(ts, term_and(ts, term_lt(ts, w, v), term_lt(ts, v, m)),
                   is_state(k, &c->after, s->winner, j, m, v)),
      term_implies(ts, term_lt(ts, v, w), is_state(k, &c->after, s->winner, s->runner_up, m, w))};
  term_id given = term_and(ts, is_later(k, c, j), term_lt(ts, w, m));
  return in_both(k, c->any.at, c->any.len, term_implies(ts, given, term_and_all(ts, cases, 3)));
}

static term_id equal_in_runs(struct kernel *k, term_id t) {
  return term_eq(k->terms, kernel_tag(k, t, 1), kernel_tag(k, t, 2));
}

static term_id is_within(struct kernel *k, const struct podium *how, term_id location) {
  struct terms *ts = k->terms;
  term_id d = term_sub(ts, kernel_tag(k, location, 1), kernel_tag(k, location, 2));
  return term_and(ts, term_le(ts, how->low, d), term_le(ts, d, how->high));
}

static term_id locations_differ(struct kernel *k, const struct podium_code *c,
                                const struct podium *how) {
  struct terms *ts = k->terms;
  term_id later = term_implies(ts, kernel_tag(k, is_later(k, c, c->position), 1),
                               is_within(k, how, c->round.draws[0].location));
  return term_and(ts, term_forall(ts, &c->position, 1, later),
                  term_and(ts, is_within(k, how, c->start.draws[0].location),
                           is_within(k, how, c->start.draws[1].location)));
}

static bool is_number(struct kernel *k, term_id t) {
  return t != TERM_NONE && sort_is_numeric(term_sort(k->terms, t)) &&
         !term_mentions(k->terms, t, &k->budget, 1) &&
         !term_mentions(k->terms, t, k->vars.at, k->vars.len);
}

/* The gap: noise that can move both ways. Two places: noise that can move upwards, twice. */
static term_id price_of(struct kernel *k, const struct podium_code *c, const struct podium *how) {
  struct terms *ts = k->terms;
  enum dist_kind dist = c->round.draws[0].dist;
  bool both = how->runner_up != TERM_NONE;
  if (dist != DIST_LAPLACE && !(both && (dist == DIST_EXPONENTIAL || dist == DIST_GUMBEL)))
    return TERM_NONE;
  term_id range = term_coerce(ts, term_sub(ts, how->high, how->low), SORT_REAL);
  term_id scale = kernel_tag(k, c->round.draws[0].scale, 1);
  term_id price = range == TERM_NONE ? range : term_mul(ts, range, term_reciprocal(ts, scale));
  return price == TERM_NONE || !both ? price : term_mul(ts, term_rat(ts, 2, 1), price);
}

static bool is_place(struct kernel *k, term_id var) {
  return kernel_is_var(k, var) && term_sort(k->terms, var) == SORT_INT;
}

static bool is_value(struct kernel *k, term_id t) {
  return t != TERM_NONE && kernel_is_program_term(k, t) && term_sort(k->terms, t) == SORT_REAL;
}

static bool is_fit(struct kernel *k, const struct podium *how) {
  return is_place(k, how->winner) && (how->runner_up == TERM_NONE || is_place(k, how->runner_up)) &&
         is_value(k, how->first) && is_value(k, how->second) && is_number(k, how->low) &&
         is_number(k, how->high);
}

term_id podium_price(struct kernel *k, const struct core *c, const struct podium *how) {
  struct podium_code code;
  if (!is_fit(k, how)) return TERM_NONE;
  term_id price = code_read(k, c, how, &code) ? price_of(k, &code, how) : TERM_NONE;
  code_clear(&code);
  return price;
}

static term_id podium_pre(struct kernel *k, const char *rule, struct span span,
                          const struct podium_code *c, const struct podium *how, term_id price) {
  struct terms *ts = k->terms;
  const struct draw *d = &c->start.draws[0];
  term_id args[] = {kernel_tag(k, d->location, 1), kernel_tag(k, d->scale, 1)};
  term_id two = term_le(ts, term_add(ts, c->begin, term_int(ts, (long)c->iterations)), c->end);
  term_id same[] = {equal_in_runs(k, c->begin),     equal_in_runs(k, c->end),
                    equal_in_runs(k, d->scale),     equal_in_runs(k, c->labels[0]),
                    equal_in_runs(k, c->labels[1]), kernel_tag(k, two, 1)};
  term_id kept = term_and(ts, starts_right(k, c), goes_on_right(k, c));
  term_id parts[] = {
      kernel_label(k, term_and_all(ts, same, 6), rule, span,
                   "both runs compare the same values, two at least, with the same noise"),
      kernel_valid_noise(k, rule, span, d->dist, args, 2),
      kernel_label(k, kept, rule, span, "the two largest values are kept"),
      kernel_label(k, locations_differ(k, c, how), rule, span,
                   "the values differ between the runs by no more than stated"),
      kernel_label(k, term_le(ts, price, k->budget), rule, span, "the budget pays for this part")};
  return term_and_all(ts, parts, 5);
}

static term_id podium_post(struct kernel *k, const struct podium *how) {
  struct terms *ts = k->terms;
  term_id gap = term_sub(ts, how->first, how->second);
  term_id post = term_and(ts, equal_in_runs(k, how->winner), equal_in_runs(k, gap));
  return how->runner_up == TERM_NONE ? post : term_and(ts, post, equal_in_runs(k, how->runner_up));
}

/*  PODIUM  c = p; while i < h {body; i := i + 1}; p, body without loops, two samplings at most in p
 *          and one in body, outside of branches, all D(e, s) on the reals; D is Lap, or one of Lap,
 *          Exp, Gumbel if y is there; e depends on the memory before c and the index only, s and h
 *          on the memory before c only; a value v is a sample, or one and what depends on what e may
 *          depend on, and e is then meant with that; x, y integer variables (y may be missing), m
 *          and w numbers over the variables, low and high over the memories before
 *  pre:   i, h, s and the first two labels are equal in both runs, s > 0; there are two values
 *         after the first two values x is the label of the larger one, m that value, w the other one
 *         a later value v, for whatever is in the variables, if w < m:
 *           m < v:      x' = i, y' = x, m' = v, w' = m
 *           w < v < m:  x' = x, y' = i, m' = m, w' = v
 *           v < w:      x' = x, y' = y, m' = m, w' = w
 *         for all e:  low <= e<1> - e<2> <= high
 *         (high - low)/s <= B, twice that if y is there
 *  conclusion: c ~0 c {x<1> = x<2>, m<1> - w<1> = m<2> - w<2>, y<1> = y<2>} */
proof_of rule_podium(struct kernel *k, struct span span, const struct core *c,
                     const struct podium *how) {
  static const char rule[] = "PODIUM";
  if (!kernel_needs_pure(k, rule, span)) return NULL;
  struct podium_code code = {0};
  term_id price = podium_price(k, c, how), pre = TERM_NONE;
  if (price != TERM_NONE && code_read(k, c, how, &code))
    pre = podium_pre(k, rule, span, &code, how, price);
  code_clear(&code);
  if (pre == TERM_NONE)
    return kernel_fail(k, rule, span,
                       "this is not a loop that keeps the two largest of its values");
  return judgement_new(k, rule, span, c, c, pre, podium_post(k, how), k->zero, NULL, NULL);
}
