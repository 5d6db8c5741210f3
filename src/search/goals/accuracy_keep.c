#include "search/goals/accuracy_keep.h"

#include <string.h>

#include "claim/sums.h"
#include "kernel/dist.h"
#include "proof/script.h"
#include "search/base/lists.h"
#include "search/base/parameter.h"
#include "search/base/points.h"
#include "search/base/text.h"
#include "search/base/view.h"
#include "search/goals/accuracy_count.h"
#include "search/goals/accuracy_index.h"
#include "search/goals/accuracy_value.h"
#include "term/build.h"
#include "term/linear.h"
#include "term/subst.h"

enum { CANDIDATES = 48 }; /* per loop */

void keep_init(struct keep *k) {
  *k = (struct keep){0};
}

void keep_clear(struct keep *k) {
  vec_clear(&k->sites);
  vec_clear(&k->tails);
  vec_clear(&k->candidates);
  vec_clear(&k->wanted);
}

/* Nothing but parameters, and at least one of them or a number other than 0. */
static bool is_of_parameters(struct auto_problem *p, term_id t) {
  return !term_get(p->ts, t)->loose && is_over_parameters(p->ts, p->module, t) &&
         (!term_is_num(p->ts, t) || !fmpq_is_zero(term_num_value(p->ts, t)));
}

/* ---- candidates ------------------------------------------------------------------------------- */

/* Can it stand in a proof? Stores into arrays cannot. */
static bool is_readable(struct keep_finder *f, term_id formula) {
  struct lang *lang = f->p->lang;
  const char *text = text_of(f->p, formula);
  if (!text) return false;
  size_t length = strlen(text);
  struct diag_mark mark = diags_mark(&lang->diags);
  uint32_t file = sources_add(&lang->sources, "<invariant>", text, length);
  bool ok = script_parse_expr(lang, (struct span){file, 0, (uint32_t)length}) != NULL &&
            lang->diags.errors == mark.errors;
  diags_rollback(&lang->diags, mark);
  return ok;
}

void keep_add(struct keep_finder *f, const struct core *loop, term_id formula) {
  size_t count = 0;
  if (formula == TERM_NONE || formula == term_bool(f->ts, true)) return;
  for (size_t i = 0; i < f->keep->candidates.len; i++) {
    const struct keep_candidate *c = &f->keep->candidates.at[i];
    if (c->loop == loop && c->formula == formula) return;
    count += c->loop == loop;
  }
  if (count >= CANDIDATES || !is_readable(f, formula)) return;
  vec_push(&f->keep->candidates, (struct keep_candidate){loop, formula, TERM_NONE, false, 0});
}

/* A -> (B and C) as A -> B and A -> C. */
static void split(struct keep_finder *f, term_id given, term_id formula, term_list *out) {
  struct terms *ts = f->ts;
  if (term_kind(ts, formula) == TERM_AND) {
    for (size_t i = 0; i < term_arg_count(ts, formula); i++)
      split(f, given, term_arg(ts, formula, i), out);
  } else if (term_kind(ts, formula) == TERM_IMPLIES) {
    split(f, term_and(ts, given, term_arg(ts, formula, 0)), term_arg(ts, formula, 1), out);
  } else {
    term_id part = term_implies(ts, given, formula);
    if (part != TERM_NONE) vec_push(out, part);
  }
}

/* The largest parts of the formula that are numbers over parameters. */
static void collect_numbers(struct keep_finder *f, term_id t, term_list *out) {
  struct terms *ts = f->ts;
  if (term_sort(ts, t) == SORT_REAL && !term_get(ts, t)->loose && is_of_parameters(f->p, t)) {
    vec_push(out, t);
    return;
  }
  for (size_t i = 0; i < term_arg_count(ts, t); i++)
    collect_numbers(f, term_arg(ts, t, i), out);
}

/* A number after fewer iterations if each of them adds as much: the end of the range is a factor. */
static term_id grown(struct keep_finder *f, term_id t, term_id high, term_id index) {
  struct terms *ts = f->ts;
  enum term_kind kind = term_kind(ts, t);
  if (t == high) return index;
  if (kind != TERM_ADD && kind != TERM_MUL && kind != TERM_TO_REAL && kind != TERM_DIV) return t;
  term_list args = {0};
  for (size_t i = 0; i < term_arg_count(ts, t); i++) {
    term_id arg = term_arg(ts, t, i);
    vec_push(&args, kind == TERM_DIV && i == 1 ? arg : grown(f, arg, high, index));
  }
  t = term_rebuild(ts, t, args.at);
  vec_clear(&args);
  return t;
}

/* The formula with the end of the loop's range replaced by the index. The numbers that it compares
 * with stay as they are, or they grow. */
static term_id for_index(struct keep_finder *f, const struct core *loop, term_id formula,
                         bool grows) {
  struct terms *ts = f->ts;
  term_id high = keep_own(f, loop->args[1]), index = keep_own(f, loop->var);
  term_list numbers = {0}, names = {0};
  collect_numbers(f, formula, &numbers);
  for (size_t i = 0; i < numbers.len; i++)
    vec_push(&names, term_var(ts, "number", SORT_REAL, 0, (int32_t)i + 1));
  term_id t = term_replace(ts, formula, numbers.at, names.at, numbers.len);
  t = term_replace(ts, t, &high, &index, 1);
  for (size_t i = 0; i < numbers.len && grows; i++)
    numbers.at[i] = grown(f, numbers.at[i], high, index);
  t = term_subst(ts, t, names.at, numbers.at, numbers.len);
  vec_clear(&numbers);
  vec_clear(&names);
  return t;
}

/* What the loop writes and has not written yet: each such number as it was before the loop, which
 * also stands for it in the formula. */
static term_id add_unwritten(struct keep_finder *f, const struct core *loop,
                             const struct core *scope, term_id given, term_id formula) {
  struct terms *ts = f->ts;
  term_list written = {0};
  core_writes(loop->first, &written);
  for (size_t i = 0; i < written.len; i++) {
    term_id x = written.at[i], value = keep_value_before(f, scope, loop, x);
    if (x == loop->var || value == TERM_NONE || !sort_is_numeric(term_sort(ts, x)) ||
        term_mentions(ts, value, written.at, written.len))
      continue;
    term_id at_first = keep_own(f, value), now = keep_own(f, x);
    if (!term_mentions(ts, formula, &now, 1)) continue;
    keep_add(f, loop, term_implies(ts, given, term_eq(ts, now, at_first)));
    formula = term_subst(ts, formula, &now, &at_first, 1);
  }
  vec_clear(&written);
  return formula;
}

/* A flag that ends the loop: once it is raised, all that is wanted, and else of what is done. */
static void add_flagged(struct keep_finder *f, const struct core *loop, const struct core *scope,
                        term_id flag, term_id part, term_id done) {
  term_list about = {0};
  term_id goes_on = term_not(f->ts, flag);
  split(f, flag, part, &about);
  split(f, goes_on, done, &about);
  term_id at_first = add_unwritten(f, loop, scope, goes_on, part);
  if (at_first != part && loop->var != TERM_NONE)
    split(f, goes_on, for_index(f, loop, at_first, false), &about);
  for (size_t i = 0; i < about.len; i++)
    keep_add(f, loop, about.at[i]);
  vec_clear(&about);
}

/* Of numbers that grow it is enough to say so, if they do. */
static void add_done(struct keep_finder *f, const struct core *loop, term_id part, term_id done) {
  bool may_grow = loop->var != TERM_NONE && term_kind(f->ts, part) != TERM_FORALL;
  term_id more = may_grow ? for_index(f, loop, part, true) : done;
  size_t before = f->keep->candidates.len;
  keep_add(f, loop, more);
  if (f->keep->candidates.len > before && more != done)
    vec_last(&f->keep->candidates).spare = done;
  else
    keep_add(f, loop, done);
}

/* What is wanted after the loop, of the part of the range that is done; what is wanted once something
 * was returned, or a flag has ended the loop, also as it is. */
static void add_wanted(struct keep_finder *f, const struct core *loop, const struct core *scope,
                       term_id wanted) {
  term_list parts = {0}, flags = {0};
  index_stops(f->ts, loop, &flags);
  term_id returned = claim_program(f->p->goal)->returned;
  if (returned != TERM_NONE) returned = keep_own(f, returned);
  split(f, term_bool(f->ts, true), wanted, &parts);
  for (size_t i = 0; i < parts.len; i++) {
    term_id part = parts.at[i],
            done = loop->var == TERM_NONE ? part : for_index(f, loop, part, false);
    bool is_late = returned != TERM_NONE && term_mentions(f->ts, part, &returned, 1) &&
                   term_kind(f->ts, part) == TERM_IMPLIES;
    add_done(f, loop, part, done);
    if (is_late) keep_add(f, loop, part);
    for (size_t k = 0; k < flags.len; k++)
      add_flagged(f, loop, scope, keep_own(f, flags.at[k]), part, done);
  }
  vec_clear(&parts);
  vec_clear(&flags);
}

/* Is it about samples of the code? They say nothing of the state before an iteration. */
static bool is_about_samples(struct keep_finder *f, const struct core *c, term_id t) {
  return (c->kind == CORE_SAMPLE && term_mentions(f->ts, t, &c->var, 1)) ||
         (c->first && is_about_samples(f, c->first, t)) ||
         (c->second && is_about_samples(f, c->second, t));
}

/* if g { .. x := x + 1 .. }: the index says what x is as long as g holds. */
static void add_guarded(struct keep_finder *f, const struct core *loop, const struct core *c,
                        term_id x) {
  struct terms *ts = f->ts;
  long steps, others;
  if (c->kind == CORE_SEQ) {
    add_guarded(f, loop, c->first, x);
    add_guarded(f, loop, c->second, x);
  }
  if (c->kind != CORE_IF || loop->var == TERM_NONE || !count_steps(ts, c->first, x, &steps) ||
      !count_steps(ts, c->second, x, &others) || steps != 1 || others != 0 ||
      is_about_samples(f, loop->first, c->expr))
    return;
  term_id before = count_before(ts, view_program(f->p), loop, x);
  if (before == TERM_NONE) return;
  term_id value = term_add(ts, before, term_sub(ts, loop->var, loop->args[0]));
  keep_add(f, loop,
           term_implies(ts, keep_own(f, c->expr), term_eq(ts, keep_own(f, x), keep_own(f, value))));
}

/* x := x + e(i), where the claim speaks of the sum of all e: x is that sum so far. */
static void add_running_sum(struct keep_finder *f, const struct core *loop, const struct core *c) {
  struct terms *ts = f->ts;
  const struct translate_env *env = claim_env(f->p->goal);
  if (c->kind == CORE_SEQ) {
    add_running_sum(f, loop, c->first);
    add_running_sum(f, loop, c->second);
  }
  if (c->kind != CORE_ASSIGN || loop->var == TERM_NONE || !sort_is_numeric(term_sort(ts, c->var)) ||
      !keep_writes_once(loop, c->var))
    return;
  term_id more = keep_own(f, term_sub(ts, c->expr, c->var)), at = sum_index(ts),
          i = keep_own(f, loop->var);
  for (size_t s = 0; s < env->sums.len; s++) {
    const struct translate_sum *sum = &env->sums.at[s];
    if (term_subst(ts, sum->body, &at, &i, 1) != more) continue;
    term_list args = {0};
    for (size_t a = 0; a < sum->arg_count; a++)
      vec_push(&args, sum->args[a]);
    vec_push(&args, keep_own(f, loop->args[0]));
    vec_push(&args, i);
    keep_add(f, loop,
             term_eq(ts, keep_own(f, c->var), term_app(ts, sum->symbol, args.at, args.len)));
    vec_clear(&args);
  }
}

/* A `for` keeps its index in its range by itself. */
static void add_range(struct keep_finder *f, const struct core *loop) {
  struct terms *ts = f->ts;
  if (loop->var == TERM_NONE || view_origin(f->p, loop)->var != TERM_NONE) return;
  term_id i = keep_own(f, loop->var), low = keep_own(f, loop->args[0]),
          high = keep_own(f, loop->args[1]);
  term_id upto = term_or(ts, term_le(ts, i, high), term_eq(ts, i, low));
  keep_add(f, loop, term_and(ts, term_le(ts, low, i), upto));
}

/* Counters as functions of the index: of what is emitted, and others. */
static void add_counters(struct keep_finder *f, const struct core *loop) {
  term_list written = {0};
  core_writes(loop->first, &written);
  for (size_t i = 0; i < written.len; i++) {
    term_id x = written.at[i];
    if (x == loop->var || term_sort(f->ts, x) != SORT_INT) continue;
    term_id value = count_at(f->ts, view_program(f->p), loop, x);
    if (value != TERM_NONE) keep_add(f, loop, term_eq(f->ts, keep_own(f, x), keep_own(f, value)));
    add_guarded(f, loop, loop->first, x);
  }
  vec_clear(&written);
}

/* Samples that were drawn before the loop are near their centres, if it writes neither. */
static void add_earlier(struct keep_finder *f, const struct core *loop, const struct core *before) {
  for (; before && before != loop; before = before->kind == CORE_SEQ ? before->second : NULL) {
    const struct core *c = before->kind == CORE_SEQ ? before->first : before;
    term_id t = c->kind == CORE_SAMPLE ? keep_distance_of(f, c) : TERM_NONE;
    if (c == loop) return;
    if (t == TERM_NONE) continue;
    keep_add(f, loop,
             keep_near(f, c, keep_own(f, c->var), keep_own(f, c->args[0]), keep_own(f, t)));
  }
}

/* Numbers that were computed before the loop, which reads them and changes nothing about them. */
static void add_computed(struct keep_finder *f, const struct core *loop, const struct core *scope) {
  struct terms *ts = f->ts;
  term_list read = {0}, written = {0};
  core_reads(ts, loop, &read);
  core_writes(loop, &written);
  for (size_t i = 0; i < read.len; i++) {
    term_id x = read.at[i];
    if (terms_have(&written, x) || !sort_is_numeric(term_sort(ts, x))) continue;
    term_id value = keep_value_before(f, scope, loop, x);
    if (value != TERM_NONE && !term_mentions(ts, value, written.at, written.len))
      keep_add(f, loop, term_eq(ts, keep_own(f, x), keep_own(f, value)));
  }
  vec_clear(&read);
  vec_clear(&written);
}

/* ---- what is wanted before a command ---------------------------------------------------------- */

static term_id before(struct keep_finder *f, const struct core *whole, const struct core *c,
                      term_id wanted);

/* The sample is any number within its distance. */
static term_id before_sample(struct keep_finder *f, const struct core *c, term_id wanted) {
  struct terms *ts = f->ts;
  term_id x = keep_own(f, c->var), t = keep_distance_of(f, c);
  if (!term_mentions(ts, wanted, &x, 1)) return wanted;
  term_id v = text_fresh_name(f->p, "v", term_sort(ts, x));
  term_id body = term_subst(ts, wanted, &x, &v, 1);
  if (t != TERM_NONE)
    body = term_implies(ts, keep_near(f, c, v, keep_own(f, c->args[0]), keep_own(f, t)), body);
  return term_forall(ts, &v, 1, body);
}

/* All candidates of the loop are wanted before it. */
static term_id before_loop(struct keep_finder *f, const struct core *whole, const struct core *c,
                           term_id wanted) {
  vec_push(&f->keep->wanted, (struct keep_wanted){c, wanted});
  add_range(f, c);
  add_counters(f, c);
  add_running_sum(f, c, c->first);
  add_wanted(f, c, whole, wanted);
  add_computed(f, c, whole);
  add_earlier(f, c, whole);
  keep_add_values(f, c, whole, wanted);
  term_id all = term_bool(f->ts, true);
  for (size_t i = 0; i < f->keep->candidates.len; i++)
    if (f->keep->candidates.at[i].loop == c)
      all = term_and(f->ts, all, f->keep->candidates.at[i].formula);
  before(f, c->first, c->first, all); /* loops inside */
  return all;
}

static term_id before(struct keep_finder *f, const struct core *whole, const struct core *c,
                      term_id wanted) {
  struct terms *ts = f->ts;
  switch (c->kind) {
  case CORE_SKIP:
  case CORE_ADVERSARY: return wanted;
  case CORE_ASSIGN: {
    term_id x = keep_own(f, c->var), value = keep_own(f, c->expr);
    return term_subst(ts, wanted, &x, &value, 1);
  }
  case CORE_SAMPLE: return before_sample(f, c, wanted);
  case CORE_SEQ: return before(f, whole, c->first, before(f, whole, c->second, wanted));
  case CORE_IF: {
    term_id g = keep_own(f, c->expr);
    term_id then = before(f, whole, c->first, wanted), no = before(f, whole, c->second, wanted);
    return term_and(ts, term_implies(ts, g, then), term_implies(ts, term_not(ts, g), no));
  }
  case CORE_WHILE: return before_loop(f, whole, c, wanted);
  }
  return wanted;
}

void keep_find(struct keep *k, struct auto_problem *p, const term_id *distances, size_t count) {
  const struct core *program = view_program(p);
  struct keep_finder f = {.keep = k,
                          .p = p,
                          .ts = p->ts,
                          .k = claim_kernel(p->goal, CLAIM_FORWARD),
                          .distances = distances,
                          .count = count};
  k->candidates.len = k->wanted.len = 0;
  before(&f, program, program, claim_post(p->goal));
}

/* ---- numbers of the claim --------------------------------------------------------------------- */

/* The part of a sum that is over parameters. */
static term_id parameter_part(struct auto_problem *p, term_id t) {
  struct terms *ts = p->ts;
  if (term_kind(ts, t) != TERM_ADD) return is_of_parameters(p, t) ? t : TERM_NONE;
  term_id sum = TERM_NONE;
  for (size_t i = 0; i < term_arg_count(ts, t); i++) {
    term_id arg = term_arg(ts, t, i);
    if (is_of_parameters(p, arg)) sum = sum == TERM_NONE ? arg : term_add(ts, sum, arg);
  }
  return sum;
}

static void add_number(struct auto_problem *p, const struct points *points, term_id t,
                       bool is_strict, term_list *out) {
  term_id part = parameter_part(p, t);
  if (part == TERM_NONE) return;
  bool is_number = term_sort(p->ts, part) == SORT_REAL || term_sort(p->ts, part) == SORT_INT;
  if (is_number && points_at_most(points, term_to_real(p->ts, part), term_rat(p->ts, 0, 1)))
    part = term_neg(p->ts, part);
  bool is_integer = term_sort(p->ts, part) == SORT_INT;
  if (is_integer && is_strict) part = term_sub(p->ts, part, term_int(p->ts, 1));
  if (!is_integer && term_sort(p->ts, part) != SORT_REAL) return;
  for (size_t i = 0; i < out->len; i++)
    if (out->at[i] == part) return;
  vec_push(out, part);
}

/* An index and the end of its range are no distance. */
static bool is_index(struct terms *ts, term_id t) {
  enum term_kind kind = term_kind(ts, t);
  return kind == TERM_BOUND || (kind == TERM_VAR && term_sort(ts, t) == SORT_INT);
}

static void add_compared(struct auto_problem *p, const struct points *points, term_id t,
                         term_list *out) {
  enum term_kind kind = term_kind(p->ts, t);
  for (size_t i = 0; i < term_arg_count(p->ts, t); i++)
    add_compared(p, points, term_arg(p->ts, t, i), out);
  if (kind != TERM_LE && kind != TERM_LT) return;
  term_id left = term_arg(p->ts, t, 0), right = term_arg(p->ts, t, 1);
  if (is_index(p->ts, left) || is_index(p->ts, right)) return;
  add_number(p, points, right, kind == TERM_LT, out);
  add_number(p, points, left, kind == TERM_LT, out);
}

void keep_distances(struct auto_problem *p, term_list *out) {
  struct points points;
  points_init(&points, p);
  add_compared(p, &points, claim_post(p->goal), out);
  points_clear(&points);
}

void keep_given_distances(struct auto_problem *p, term_list *out) {
  const struct kernel *k = claim_kernel(p->goal, CLAIM_FORWARD);
  struct points points;
  points_init(&points, p);
  for (size_t i = 0; i < kernel_fact_count(k); i++)
    if (!is_over_parameters(p->ts, p->module, kernel_fact(k, i)))
      add_compared(p, &points, kernel_fact(k, i), out);
  points_clear(&points);
}

static void add_thresholds(struct auto_problem *p, const struct points *points,
                           const struct core *c, term_list *out) {
  if (c->kind == CORE_IF || c->kind == CORE_ASSIGN) add_compared(p, points, c->expr, out);
  if (c->first) add_thresholds(p, points, c->first, out);
  if (c->second) add_thresholds(p, points, c->second, out);
}

void keep_thresholds(struct auto_problem *p, term_list *out) {
  struct points points;
  points_init(&points, p);
  add_thresholds(p, &points, view_program(p), out);
  points_clear(&points);
}
