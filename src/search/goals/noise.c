#include "search/goals/noise.h"

#include "kernel/rules.h"
#include "proof/derive.h"
#include "proof/noise.h"
#include "search/base/bounds.h"
#include "search/base/lists.h"
#include "term/build.h"
#include "term/subst.h"

enum { MOST_STATEMENTS = 8 };

struct finder {
  struct auto_problem *p;
  struct terms *ts;
  struct kernel *k;
  const struct core *program;
  const struct view *view; /* its copies are in place in the list, but not in the program */
  const struct core *const *list;
  size_t first, last;
  struct hand_made made;
};

/* ---- which noise it is ----------------------------------------------------------------------- */

static const struct core *sampling_of(const struct finder *f, term_id var) {
  for (size_t i = f->first; i <= f->last; i++)
    if (f->list[i]->kind == CORE_SAMPLE && f->list[i]->var == var) return f->list[i];
  return NULL;
}

/* The outermost logarithms of something with the sample replaced by a number; the sample elsewhere
 * by one that decides conditions. */
static term_id with_logarithm(const struct finder *f, term_id t, const struct core *c, long value) {
  struct terms *ts = f->ts;
  term_list parts = {0};
  term_subterms(ts, t, &parts);
  for (size_t i = parts.len; i-- > 0;) { /* the outer ones come last */
    term_id to = term_rat(ts, value, 1);
    if (term_kind(ts, parts.at[i]) == TERM_LN && term_mentions(ts, parts.at[i], &c->var, 1))
      t = term_replace(ts, t, &parts.at[i], &to, 1);
  }
  vec_clear(&parts);
  term_id low = term_to_real(ts, c->args[0]), high = term_to_real(ts, c->args[1]);
  term_id inside = c->dist == DIST_UNIFORM ? term_add(ts, term_mul(ts, term_rat(ts, 1, 4), low),
                                                      term_mul(ts, term_rat(ts, 3, 4), high))
                                           : term_add(ts, low, high);
  return term_subst(ts, t, &c->var, &inside, 1);
}

/* The noise for samples at their start, or one of them a scale beyond it. */
static term_id noise_at(const struct finder *f, size_t beyond) {
  struct terms *ts = f->ts;
  term_id t = f->made.value;
  for (size_t i = 0; i < f->made.samples.len && t != TERM_NONE; i++) {
    const struct core *c = sampling_of(f, f->made.samples.at[i]);
    term_id to = TERM_NONE, before = t;
    bool alone = f->made.samples.len == 1 && c->dist == DIST_EXPONENTIAL; /* its logarithm */
    const struct dist_info *info = dist_get(c->dist);
    bool whole = dist_is_integer(c->dist);
    if (info->parameters == PARAMETERS_RANGE && !whole) {
      t = with_logarithm(f, t, c, beyond == i);
    } else if (info->parameters == PARAMETERS_ITEMS) {
      to = term_coerce(ts, c->args[0], term_sort(ts, c->var));
    } else if (info->parameters == PARAMETERS_CHANCE) {
      to = term_bool(ts, true);
    } else {
      if (!info->is_one_sided && !f->made.is_located) return TERM_NONE;
      to = term_coerce(ts, c->args[0], term_sort(ts, c->var));
      if (beyond == i) to = term_add(ts, to, whole ? term_int(ts, 1) : c->args[1]);
      if (alone) t = with_logarithm(f, t, c, beyond == i);
    }
    if (to != TERM_NONE && t == before) t = term_subst(ts, t, &c->var, &to, 1);
  }
  if (t == TERM_NONE || term_mentions(ts, t, f->made.samples.at, f->made.samples.len))
    return TERM_NONE;
  return t;
}

/* Which families the samples may make. */
static size_t families(const struct finder *f, enum dist_kind out[3]) {
  const struct core *one = sampling_of(f, f->made.samples.at[0]);
  out[0] = one->dist;
  if (f->made.is_located) return 1;
  if (f->made.samples.len == 2) {
    out[0] = one->dist == DIST_GEOMETRIC ? DIST_DISCRETE_LAPLACE : DIST_LAPLACE;
    return 1;
  }
  out[0] = DIST_GUMBEL;
  if (one->dist != DIST_UNIFORM) return one->dist == DIST_EXPONENTIAL;
  out[1] = DIST_EXPONENTIAL;
  out[2] = DIST_LAPLACE;
  return 3;
}

static bool is_zero(const struct finder *f, term_id t) {
  return term_is_num(f->ts, t) && fmpq_is_zero(term_num_value(f->ts, t));
}

/* The sample that gives the noise its size: no coin. */
static size_t sized_sample(const struct finder *f) {
  for (size_t i = 0; i < f->made.samples.len; i++) {
    enum dist_kind dist = sampling_of(f, f->made.samples.at[i])->dist;
    if (dist != DIST_UNIFORM_SET && dist != DIST_BERNOULLI) return i;
  }
  return SIZE_MAX;
}

/* Centre and scale, as if the noise were of a known kind. */
static bool find_arguments(const struct finder *f, term_id args[2]) {
  struct terms *ts = f->ts;
  size_t sized = sized_sample(f);
  term_id start = sized == SIZE_MAX ? TERM_NONE : noise_at(f, SIZE_MAX);
  term_id away = start == TERM_NONE ? TERM_NONE : noise_at(f, sized);
  if (away == TERM_NONE) return false;
  const struct core *c = sampling_of(f, f->made.samples.at[sized]);
  bool whole = dist_is_integer(c->dist);
  args[0] = whole ? start : cost_simplified(ts, start);
  args[1] = whole ? c->args[1] : cost_simplified(ts, term_sub(ts, away, start));
  if (args[0] == TERM_NONE || args[1] == TERM_NONE || is_zero(f, args[1])) return false;
  if (!auto_follows(f->p, term_lt(ts, term_int(ts, 0), args[1])))
    args[1] = cost_simplified(ts, term_neg(ts, args[1]));
  return args[1] != TERM_NONE;
}

/* ---- is it? ---------------------------------------------------------------------------------- */

/* What the program reads, where copies are read as what they are copies of. */
static void reads_of_program(const struct finder *f, term_list *out) {
  term_list read = {0};
  core_reads(f->ts, f->program, &read);
  for (size_t i = 0; i < read.len; i++) {
    size_t copy = 0;
    while (copy < f->view->copies.len && f->view->copies.at[copy] != read.at[i])
      copy++;
    if (copy < f->view->copies.len)
      term_free_vars(f->ts, f->view->copied.at[copy], out);
    else
      vec_push(out, read.at[i]);
  }
  vec_clear(&read);
}

/* Reads of the variable in the program, apart from those in the statements. */
static bool is_read_elsewhere(const struct finder *f, term_id var) {
  term_list all = {0}, own = {0};
  reads_of_program(f, &all);
  for (size_t i = f->first; i <= f->last; i++)
    core_reads(f->ts, f->list[i], &own);
  bool elsewhere = terms_count(&all, var) > terms_count(&own, var);
  vec_clear(&all);
  vec_clear(&own);
  return elsewhere;
}

static bool is_dead_otherwise(const struct finder *f) {
  term_list written = {0};
  bool dead = true;
  for (size_t i = f->first; i <= f->last; i++)
    core_writes(f->list[i], &written);
  for (size_t i = 0; i < written.len && dead; i++)
    dead = written.at[i] == f->made.last || !is_read_elsewhere(f, written.at[i]);
  vec_clear(&written);
  return dead;
}

static const struct core *statements(const struct finder *f) {
  const struct core *all = core_skip();
  for (size_t i = f->last + 1; i-- > f->first;)
    all = core_seq(kernel_arena(f->k), f->list[i], all);
  return all;
}

/* A sampling that the statements amount to, by a law of the kernel; NULL: there is none. */
static const struct core *find_law(const struct finder *f) {
  struct terms *ts = f->ts;
  struct arena *arena = kernel_arena(f->k);
  enum dist_kind dist[3];
  term_id args[2], last = kernel_tag(f->k, f->made.last, 1);
  if (f->made.samples.len > 2 || !find_arguments(f, args)) return NULL;
  term_id matters = term_eq(ts, last, kernel_fresh(f->k, "v", term_sort(ts, last)));
  for (size_t i = 0, count = families(f, dist); i < count; i++) {
    const struct core *stub =
        core_sample(arena, f->list[f->last]->span, f->made.var, dist[i], args, 2);
    term_id condition =
        equiv_noise_condition(f->k, 1, statements(f), core_seq(arena, stub, f->made.tail), matters);
    if (condition != TERM_NONE && auto_follows(f->p, condition)) return stub;
  }
  return NULL;
}

bool tosses_coins(const struct core *c) {
  if (c->kind == CORE_SAMPLE) return c->dist == DIST_BERNOULLI;
  return (c->first && tosses_coins(c->first)) || (c->second && tosses_coins(c->second));
}

/* Noise that is added to its centre later is as good as noise around it, and the strategies see
 * that. Sampled records are the exception: their rule takes the noise at the sum (law.h). */
static bool is_wanted(const struct finder *f) {
  if (!f->made.is_located) return true;
  size_t loop = loop_before(f->list, f->first);
  return loop < f->first && tosses_coins(f->list[loop]);
}

const struct core *noise_stub(struct auto_problem *p, const struct core *program,
                              const struct core *const *list, size_t count, size_t first,
                              size_t *last, struct view *view) {
  struct finder f = {.p = p,
                     .ts = p->ts,
                     .k = claim_kernel(p->goal, CLAIM_FORWARD),
                     .program = program,
                     .view = view,
                     .list = list,
                     .first = first};
  const struct core *found = NULL;
  if (list[first]->kind != CORE_SAMPLE) return NULL;
  for (f.last = first + 1; f.last < count && f.last < first + MOST_STATEMENTS && !found; f.last++) {
    if (core_has_loop(list[f.last])) break;
    if (!hand_made_read(p->ts, kernel_arena(f.k), list, first, f.last, &f.made)) continue;
    const struct core *stub = is_wanted(&f) && is_dead_otherwise(&f) ? find_law(&f) : NULL;
    if (stub) {
      vec_push(&view->noises, (struct noise){stub, list[first]->var, f.made.last});
      found = core_seq(kernel_arena(f.k), stub, f.made.tail);
      *last = f.last;
    }
    hand_made_clear(&f.made);
  }
  return found;
}
