#include "search/goals/accuracy_keep.h"

#include <string.h>

#include "claim/sums.h"
#include "kernel/dist.h"
#include "proof/script.h"
#include "search/base/text.h"
#include "search/base/view.h"
#include "search/goals/accuracy_count.h"
#include "search/goals/accuracy_index.h"
#include "term/build.h"
#include "term/linear.h"
#include "term/subst.h"

enum { CANDIDATES = 48 }; /* per loop */

struct finder {
  struct keep *keep;
  struct auto_problem *p;
  struct terms *ts;
  struct kernel *k;
  const term_id *distances;
  size_t count;
};

void keep_init(struct keep *k) {
  *k = (struct keep){0};
}

void keep_clear(struct keep *k) {
  vec_clear(&k->sites);
  vec_clear(&k->tails);
  vec_clear(&k->candidates);
  vec_clear(&k->wanted);
}

static term_id own(struct finder *f, term_id t) {
  return kernel_tag(f->k, t, 1);
}

/* The distance of the noise; TERM_NONE: it has none. */
static term_id distance_of(const struct finder *f, const struct core *c) {
  for (size_t i = 0; i < f->count; i++)
    if (f->keep->sites.at[i] == c) return f->distances[i];
  return TERM_NONE;
}

/* Nothing but parameters, and at least one of them or a number other than 0. */
static bool is_of_parameters(struct auto_problem *p, term_id t) {
  term_list vars = {0};
  bool ok = !term_is_num(p->ts, t) || !fmpq_is_zero(term_num_value(p->ts, t));
  term_free_vars(p->ts, t, &vars);
  for (size_t i = 0; i < vars.len && ok; i++) {
    const char *name = intern_str(&p->lang->intern, term_var_get(p->ts, vars.at[i])->name);
    bool found = false;
    for (size_t d = 0; d < p->module->decl_count && !found; d++)
      found = p->module->decls[d]->kind == DECL_PARAM && p->module->decls[d]->name.text == name;
    ok = found;
  }
  vec_clear(&vars);
  return ok;
}

/* ---- candidates ------------------------------------------------------------------------------- */

/* Can it stand in a proof? Stores into arrays cannot. */
static bool is_readable(struct finder *f, term_id formula) {
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

static void add(struct finder *f, const struct core *loop, term_id formula) {
  size_t count = 0;
  if (formula == TERM_NONE || formula == term_bool(f->ts, true)) return;
  for (size_t i = 0; i < f->keep->candidates.len; i++) {
    const struct keep_candidate *c = &f->keep->candidates.at[i];
    if (c->loop == loop && c->formula == formula) return;
    count += c->loop == loop;
  }
  if (count >= CANDIDATES || !is_readable(f, formula)) return;
  vec_push(&f->keep->candidates, (struct keep_candidate){loop, formula, false, 0});
}

/* A -> (B and C) as A -> B and A -> C. */
static void split(struct finder *f, term_id given, term_id formula, term_list *out) {
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
static void collect_numbers(struct finder *f, term_id t, term_list *out) {
  struct terms *ts = f->ts;
  if (term_sort(ts, t) == SORT_REAL && !term_get(ts, t)->loose && is_of_parameters(f->p, t)) {
    vec_push(out, t);
    return;
  }
  for (size_t i = 0; i < term_arg_count(ts, t); i++)
    collect_numbers(f, term_arg(ts, t, i), out);
}

/* The formula with the end of the loop's range replaced by the index, except in the numbers that it
 * compares with: these do not grow. */
static term_id for_index(struct finder *f, const struct core *loop, term_id formula) {
  struct terms *ts = f->ts;
  term_id high = own(f, loop->args[1]), index = own(f, loop->var);
  term_list numbers = {0}, names = {0};
  collect_numbers(f, formula, &numbers);
  for (size_t i = 0; i < numbers.len; i++)
    vec_push(&names, term_var(ts, "number", SORT_REAL, 0, (int32_t)i + 1));
  term_id t = term_replace(ts, formula, numbers.at, names.at, numbers.len);
  t = term_replace(ts, t, &high, &index, 1);
  t = term_subst(ts, t, names.at, numbers.at, numbers.len);
  vec_clear(&numbers);
  vec_clear(&names);
  return t;
}

/* A flag that ends the loop: once it is raised, all that is wanted, and else of what is done. */
static void add_flagged(struct finder *f, const struct core *loop, term_id flag, term_id part,
                        term_id done) {
  term_list about = {0};
  split(f, flag, part, &about);
  split(f, term_not(f->ts, flag), done, &about);
  for (size_t i = 0; i < about.len; i++)
    add(f, loop, about.at[i]);
  vec_clear(&about);
}

/* What is wanted after the loop, of the part of the range that is done; what is wanted once something
 * was returned, or a flag has ended the loop, also as it is. */
static void add_wanted(struct finder *f, const struct core *loop, term_id wanted) {
  term_list parts = {0}, flags = {0};
  index_flags(f->ts, loop, &flags);
  term_id returned = claim_program(f->p->goal)->returned;
  if (returned != TERM_NONE) returned = own(f, returned);
  split(f, term_bool(f->ts, true), wanted, &parts);
  for (size_t i = 0; i < parts.len; i++) {
    term_id part = parts.at[i], done = loop->var == TERM_NONE ? part : for_index(f, loop, part);
    bool is_late = returned != TERM_NONE && term_mentions(f->ts, part, &returned, 1) &&
                   term_kind(f->ts, part) == TERM_IMPLIES;
    add(f, loop, done);
    if (is_late) add(f, loop, part);
    for (size_t k = 0; k < flags.len; k++)
      add_flagged(f, loop, own(f, flags.at[k]), part, done);
  }
  vec_clear(&parts);
  vec_clear(&flags);
}

static bool is_one_sided(const struct core *c) {
  return c->dist == DIST_EXPONENTIAL || c->dist == DIST_GEOMETRIC;
}

static enum tail tail_of(const struct finder *f, const struct core *c) {
  for (size_t i = 0; i < f->keep->tails.len; i++)
    if (f->keep->sites.at[i] == c) return f->keep->tails.at[i];
  return TAIL_BOTH;
}

/* |a - b| <= t, or one side of it, if a was sampled by c around b */
static term_id near(struct finder *f, const struct core *c, term_id a, term_id b, term_id t) {
  struct terms *ts = f->ts;
  term_id off = term_sub(ts, a, b);
  enum tail tail = tail_of(f, c);
  if (tail == TAIL_BELOW) return term_le(ts, term_neg(ts, off), t);
  if (tail == TAIL_ABOVE && !is_one_sided(c)) return term_le(ts, off, t);
  if (is_one_sided(c)) return term_and(ts, term_le(ts, b, a), term_le(ts, off, t));
  return term_le(ts, term_abs(ts, off), t);
}

static term_id at_index(struct finder *f, const struct core *loop, term_id t, term_id index) {
  term_id i = own(f, loop->var);
  return term_subst(f->ts, own(f, t), &i, &index, 1);
}

/* For all j of the range that are done. */
static term_id for_done(struct finder *f, const struct core *loop, term_id j, term_id body) {
  return term_forall_range(f->ts, j, own(f, loop->args[0]), own(f, loop->var), body);
}

/* The sampling in the code whose sample this term is; NULL: it is none. */
static const struct core *sampled_as(const struct core *c, term_id var) {
  if (c->kind == CORE_SAMPLE && c->var == var) return c;
  const struct core *found = c->first ? sampled_as(c->first, var) : NULL;
  return found || !c->second ? found : sampled_as(c->second, var);
}

/* Where iteration i writes to, if it is one place of its own: the index, or a counter that grows by
 * 1; TERM_NONE: not known. */
static term_id place_of(struct finder *f, const struct core *loop, term_id index) {
  long steps;
  if (index == loop->var) return index;
  if (term_kind(f->ts, index) != TERM_VAR || !count_steps(f->ts, loop->first, index, &steps) ||
      steps != 1)
    return TERM_NONE;
  return count_at(f->ts, view_program(f->p), loop, index);
}

/* a[i] := x, where x was sampled: all of a that is done is near its centres. */
static void add_array(struct finder *f, const struct core *loop, const struct core *store) {
  struct terms *ts = f->ts;
  term_id value = store->expr;
  if (term_kind(ts, value) != TERM_STORE || term_arg(ts, value, 0) != store->var) return;
  term_id place = place_of(f, loop, term_arg(ts, value, 1));
  const struct core *from = sampled_as(loop->first, term_arg(ts, value, 2));
  term_id t = from ? distance_of(f, from) : TERM_NONE;
  if (t == TERM_NONE || place == TERM_NONE) return;
  term_id j = text_fresh_name(f->p, "j", SORT_INT);
  term_id item = term_select(ts, own(f, store->var), at_index(f, loop, place, j));
  add(f, loop,
      for_done(f, loop, j,
               near(f, from, item, at_index(f, loop, from->args[0], j), at_index(f, loop, t, j))));
}

/* Is one of them compared with the other, and which is asked to be the smaller one? 1: a, -1: b. */
static int compared(struct terms *ts, const struct core *c, term_id a, term_id b) {
  int found = 0;
  if (c->kind == CORE_IF) {
    term_list parts = {0};
    term_subterms(ts, c->expr, &parts);
    for (size_t i = 0; i < parts.len && !found; i++) {
      enum term_kind kind = term_kind(ts, parts.at[i]);
      if (kind != TERM_LT && kind != TERM_LE) continue;
      term_id left = term_arg(ts, parts.at[i], 0), right = term_arg(ts, parts.at[i], 1);
      found = left == a && right == b ? 1 : left == b && right == a ? -1 : 0;
    }
    vec_clear(&parts);
  }
  if (!found && c->first) found = compared(ts, c->first, a, b);
  if (!found && c->second) found = compared(ts, c->second, a, b);
  return found;
}

/* m := x, where x was sampled, if one is compared with the other: m is the largest or the smallest
 * one so far. */
static void add_extreme(struct finder *f, const struct core *loop, const struct core *c,
                        const struct core *from, term_id t) {
  struct terms *ts = f->ts;
  term_id j = text_fresh_name(f->p, "j", SORT_INT), m = own(f, c->var);
  term_id centre = at_index(f, loop, from->args[0], j);
  int order = compared(ts, loop->first, c->var, from->var);
  if (order > 0 && is_one_sided(from)) t = term_int(ts, 0);
  if (order > 0) add(f, loop, for_done(f, loop, j, term_le(ts, centre, term_add(ts, m, t))));
  if (order < 0) add(f, loop, for_done(f, loop, j, term_le(ts, m, term_add(ts, centre, t))));
}

/* k := i together with m := x: m is near the centre of k. */
static void add_winner(struct finder *f, const struct core *loop, const struct core *c, term_id m,
                       const struct core *from, term_id t) {
  struct terms *ts = f->ts;
  if (c->kind == CORE_ASSIGN && c->expr == loop->var && c->var != loop->var) {
    term_id k = own(f, c->var), i = own(f, loop->var), low = own(f, loop->args[0]);
    /* before the first iteration, or with what was sampled before the loop */
    bool is_later = term_is_num(ts, low) && fmpq_sgn(term_num_value(ts, low)) > 0;
    term_id begun = is_later ? term_bool(ts, true) : term_lt(ts, low, i);
    term_id first = is_later ? term_int(ts, 0) : low;
    add(f, loop,
        term_implies(ts, begun, near(f, from, own(f, m), at_index(f, loop, from->args[0], k), t)));
    add(f, loop, term_implies(ts, begun, term_and(ts, term_le(ts, first, k), term_lt(ts, k, i))));
  }
  if (c->kind == CORE_SEQ || c->kind == CORE_IF) {
    add_winner(f, loop, c->first, m, from, t);
    add_winner(f, loop, c->second, m, from, t);
  }
}

static void add_assigned(struct finder *f, const struct core *loop, const struct core *c) {
  if (c->kind == CORE_SEQ || c->kind == CORE_IF) {
    add_assigned(f, loop, c->first);
    add_assigned(f, loop, c->second);
  }
  if (c->kind != CORE_ASSIGN || loop->var == TERM_NONE) return;
  add_array(f, loop, c);
  const struct core *from = sampled_as(loop->first, c->expr);
  term_id t = from ? distance_of(f, from) : TERM_NONE;
  if (t == TERM_NONE) return;
  t = own(f, t);
  add_extreme(f, loop, c, from, t);
  add_winner(f, loop, loop->first, c->var, from, t);
}

/* Is it about samples of the code? They say nothing of the state before an iteration. */
static bool is_about_samples(struct finder *f, const struct core *c, term_id t) {
  return (c->kind == CORE_SAMPLE && term_mentions(f->ts, t, &c->var, 1)) ||
         (c->first && is_about_samples(f, c->first, t)) ||
         (c->second && is_about_samples(f, c->second, t));
}

/* if g { .. x := x + 1 .. }: the index says what x is as long as g holds. */
static void add_guarded(struct finder *f, const struct core *loop, const struct core *c,
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
  add(f, loop, term_implies(ts, own(f, c->expr), term_eq(ts, own(f, x), own(f, value))));
}

/* x := x + e(i), where the claim speaks of the sum of all e: x is that sum so far. */
static void add_running_sum(struct finder *f, const struct core *loop, const struct core *c) {
  struct terms *ts = f->ts;
  const struct translate_env *env = claim_env(f->p->goal);
  if (c->kind == CORE_SEQ) {
    add_running_sum(f, loop, c->first);
    add_running_sum(f, loop, c->second);
  }
  if (c->kind != CORE_ASSIGN || loop->var == TERM_NONE || !sort_is_numeric(term_sort(ts, c->var)))
    return;
  term_id more = own(f, term_sub(ts, c->expr, c->var)), at = sum_index(ts), i = own(f, loop->var);
  for (size_t s = 0; s < env->sums.len; s++) {
    const struct translate_sum *sum = &env->sums.at[s];
    if (term_subst(ts, sum->body, &at, &i, 1) != more) continue;
    term_list args = {0};
    for (size_t a = 0; a < sum->arg_count; a++)
      vec_push(&args, sum->args[a]);
    vec_push(&args, own(f, loop->args[0]));
    vec_push(&args, i);
    add(f, loop, term_eq(ts, own(f, c->var), term_app(ts, sum->symbol, args.at, args.len)));
    vec_clear(&args);
  }
}

/* A `for` keeps its index in its range by itself. */
static void add_range(struct finder *f, const struct core *loop) {
  struct terms *ts = f->ts;
  if (loop->var == TERM_NONE || view_origin(f->p, loop)->var != TERM_NONE) return;
  term_id i = own(f, loop->var), low = own(f, loop->args[0]), high = own(f, loop->args[1]);
  term_id upto = term_or(ts, term_le(ts, i, high), term_eq(ts, i, low));
  add(f, loop, term_and(ts, term_le(ts, low, i), upto));
}

/* Counters as functions of the index: of what is emitted, and others. */
static void add_counters(struct finder *f, const struct core *loop) {
  term_list written = {0};
  core_writes(loop->first, &written);
  for (size_t i = 0; i < written.len; i++) {
    term_id x = written.at[i];
    if (x == loop->var || term_sort(f->ts, x) != SORT_INT) continue;
    term_id value = count_at(f->ts, view_program(f->p), loop, x);
    if (value != TERM_NONE) add(f, loop, term_eq(f->ts, own(f, x), own(f, value)));
    add_guarded(f, loop, loop->first, x);
  }
  vec_clear(&written);
}

/* Samples that were drawn before the loop are near their centres, if it writes neither. */
static void add_earlier(struct finder *f, const struct core *loop, const struct core *before) {
  for (; before && before != loop; before = before->kind == CORE_SEQ ? before->second : NULL) {
    const struct core *c = before->kind == CORE_SEQ ? before->first : before;
    term_id t = c->kind == CORE_SAMPLE ? distance_of(f, c) : TERM_NONE;
    if (c == loop) return;
    if (t == TERM_NONE) continue;
    add(f, loop, near(f, c, own(f, c->var), own(f, c->args[0]), own(f, t)));
  }
}

/* ---- what is wanted before a command ---------------------------------------------------------- */

static term_id before(struct finder *f, const struct core *whole, const struct core *c,
                      term_id wanted);

/* The sample is any number within its distance. */
static term_id before_sample(struct finder *f, const struct core *c, term_id wanted) {
  struct terms *ts = f->ts;
  term_id x = own(f, c->var), t = distance_of(f, c);
  if (!term_mentions(ts, wanted, &x, 1)) return wanted;
  term_id v = text_fresh_name(f->p, "v", term_sort(ts, x));
  term_id body = term_subst(ts, wanted, &x, &v, 1);
  if (t != TERM_NONE) body = term_implies(ts, near(f, c, v, own(f, c->args[0]), own(f, t)), body);
  return term_forall(ts, &v, 1, body);
}

/* All candidates of the loop are wanted before it. */
static term_id before_loop(struct finder *f, const struct core *whole, const struct core *c,
                           term_id wanted) {
  vec_push(&f->keep->wanted, (struct keep_wanted){c, wanted});
  add_range(f, c);
  add_counters(f, c);
  add_running_sum(f, c, c->first);
  add_wanted(f, c, wanted);
  add_earlier(f, c, whole);
  add_assigned(f, c, c->first);
  term_id all = term_bool(f->ts, true);
  for (size_t i = 0; i < f->keep->candidates.len; i++)
    if (f->keep->candidates.at[i].loop == c)
      all = term_and(f->ts, all, f->keep->candidates.at[i].formula);
  before(f, c->first, c->first, all); /* loops inside */
  return all;
}

static term_id before(struct finder *f, const struct core *whole, const struct core *c,
                      term_id wanted) {
  struct terms *ts = f->ts;
  switch (c->kind) {
  case CORE_SKIP:
  case CORE_ADVERSARY: return wanted;
  case CORE_ASSIGN: {
    term_id x = own(f, c->var), value = own(f, c->expr);
    return term_subst(ts, wanted, &x, &value, 1);
  }
  case CORE_SAMPLE: return before_sample(f, c, wanted);
  case CORE_SEQ: return before(f, whole, c->first, before(f, whole, c->second, wanted));
  case CORE_IF: {
    term_id g = own(f, c->expr);
    term_id then = before(f, whole, c->first, wanted), no = before(f, whole, c->second, wanted);
    return term_and(ts, term_implies(ts, g, then), term_implies(ts, term_not(ts, g), no));
  }
  case CORE_WHILE: return before_loop(f, whole, c, wanted);
  }
  return wanted;
}

void keep_find(struct keep *k, struct auto_problem *p, const term_id *distances, size_t count) {
  const struct core *program = view_program(p);
  struct finder f = {.keep = k,
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

/* -c x as c x */
static term_id without_sign(struct terms *ts, term_id t) {
  term_id atom;
  fmpq_t c;
  fmpq_init(c);
  if (term_split_coefficient(ts, t, c, &atom) && fmpq_sgn(c) < 0) t = term_neg(ts, t);
  fmpq_clear(c);
  return t;
}

static void add_number(struct auto_problem *p, term_id t, bool is_strict, term_list *out) {
  term_id part = parameter_part(p, t);
  if (part == TERM_NONE) return;
  part = without_sign(p->ts, part);
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

void keep_distances(struct auto_problem *p, term_list *out) {
  term_list parts = {0};
  term_subterms(p->ts, claim_post(p->goal), &parts);
  for (size_t i = 0; i < parts.len; i++) {
    enum term_kind kind = term_kind(p->ts, parts.at[i]);
    if (kind != TERM_LE && kind != TERM_LT) continue;
    if (is_index(p->ts, term_arg(p->ts, parts.at[i], 0)) ||
        is_index(p->ts, term_arg(p->ts, parts.at[i], 1)))
      continue;
    add_number(p, term_arg(p->ts, parts.at[i], 1), kind == TERM_LT, out);
    add_number(p, term_arg(p->ts, parts.at[i], 0), kind == TERM_LT, out);
  }
  vec_clear(&parts);
}
