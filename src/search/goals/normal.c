#include "search/goals/normal.h"

#include "search/base/bounds.h"
#include "search/base/lists.h"
#include "search/base/view.h"
#include "search/goals/assume.h"
#include "search/goals/noise.h"
#include "term/build.h"
#include "term/subst.h"

struct normal {
  struct auto_problem *p;
  struct terms *ts;
  struct kernel *k;
  struct view *out;
  const struct core *program;
};

/* ---- copies ---------------------------------------------------------------------------------- */

/* Over inputs and parameters, which nobody writes? A number is no copy of anything. */
static bool is_of_inputs(const struct normal *n, term_id t, const term_list *written) {
  term_list vars = {0};
  term_free_vars(n->ts, t, &vars);
  bool other = vars.len == 0;
  for (size_t i = 0; i < vars.len; i++)
    other |= terms_have(written, vars.at[i]);
  vec_clear(&vars);
  return !other;
}

static term_id resolved(const struct normal *n, term_id t) {
  return term_subst(n->ts, t, n->out->copies.at, n->out->copied.at, n->out->copies.len);
}

/* How many commands read the variable. */
static size_t count_reads(const struct normal *n, const struct core *c, term_id var) {
  size_t count = c->expr != TERM_NONE && term_mentions(n->ts, c->expr, &var, 1);
  for (size_t i = 0; i < c->arg_count; i++)
    count += term_mentions(n->ts, c->args[i], &var, 1);
  if (c->first) count += count_reads(n, c->first, var);
  if (c->second) count += count_reads(n, c->second, var);
  return count;
}

/* v := x, where `rest` follows: is v read in the rest alone, and only as long as it is x? */
static bool copies_until_read(const struct normal *n, const struct core *c, term_id x,
                              const struct core *rest) {
  size_t open = count_reads(n, n->program, c->var);
  if (term_kind(n->ts, x) != TERM_VAR || x == c->var || open != count_reads(n, rest, c->var))
    return false;
  while (open > 0) {
    const struct core *one = rest->kind == CORE_SEQ ? rest->first : rest;
    open -= count_reads(n, one, c->var);
    term_list written = {0};
    core_writes(one, &written);
    bool spoilt = terms_have(&written, x), at_once = one->kind == CORE_ASSIGN;
    vec_clear(&written);
    if (spoilt && (open > 0 || !at_once)) return false;
    rest = rest->kind == CORE_SEQ ? rest->second : core_skip();
  }
  return true;
}

/* A copy of another variable, for as long as that keeps its value: the argument of a procedure. */
static void find_passing_copy(struct normal *n, const struct core *c, const struct core *rest,
                              const term_list *written) {
  const struct lowered *program = claim_program(n->p->goal);
  if (c->kind != CORE_ASSIGN || c->var == program->result || c->var == program->output ||
      terms_count(written, c->var) != 1)
    return;
  term_id value = resolved(n, c->expr);
  if (!terms_have(written, value) || !copies_until_read(n, c, value, rest)) return;
  vec_push(&n->out->copies, c->var);
  vec_push(&n->out->copied, value);
}

/* In the order of the text, so that copies of copies are seen. */
static void find_copies(struct normal *n, const struct core *c, const term_list *written) {
  if (c->kind == CORE_SEQ) find_passing_copy(n, c->first, c->second, written);
  if (c->kind == CORE_SEQ || c->kind == CORE_IF || c->kind == CORE_WHILE) {
    find_copies(n, c->first, written);
    if (c->second) find_copies(n, c->second, written);
  }
  const struct lowered *program = claim_program(n->p->goal);
  if (c->kind != CORE_ASSIGN || c->var == program->result || c->var == program->output) return;
  term_id value = resolved(n, c->expr);
  if (terms_count(written, c->var) != 1 || !is_of_inputs(n, value, written)) return;
  vec_push(&n->out->copies, c->var);
  vec_push(&n->out->copied, value);
}

/* ---- tuples ---------------------------------------------------------------------------------- */

typedef VEC(const struct core *) core_list;

static const struct core *with_value(struct normal *n, const struct core *c, term_id var,
                                     term_id value) {
  struct core *copy = arena_memdup(kernel_arena(n->k), c, sizeof *c);
  term_id *args = arena_alloc(kernel_arena(n->k), (c->arg_count + 1) * sizeof *args);
  for (size_t i = 0; i < c->arg_count; i++)
    args[i] = term_subst(n->ts, c->args[i], &var, &value, 1);
  copy->args = args;
  if (c->expr != TERM_NONE) copy->expr = term_subst(n->ts, c->expr, &var, &value, 1);
  return copy;
}

/* Does the command write the variable, or what its value is made of? */
static bool spoils(struct normal *n, const struct core *c, term_id var, term_id value) {
  term_list written = {0};
  core_writes(c, &written);
  bool found = terms_have(&written, var) || term_mentions(n->ts, value, written.at, written.len);
  vec_clear(&written);
  return found;
}

/* r := (x, y) and later r.1: that is x, as long as nobody writes x, y or r. */
static bool open_tuples(struct normal *n, core_list *list) {
  bool changed = false;
  for (size_t i = 0; i < list->len; i++) {
    const struct core *c = list->at[i];
    if (c->kind != CORE_ASSIGN || term_kind(n->ts, c->expr) != TERM_TUPLE ||
        term_mentions(n->ts, c->expr, &c->var, 1))
      continue;
    for (size_t j = i + 1; j < list->len; j++) {
      const struct core *d = list->at[j];
      bool reads = d->kind == CORE_ASSIGN && term_mentions(n->ts, d->expr, &c->var, 1);
      for (size_t a = 0; a < d->arg_count && d->kind == CORE_SAMPLE; a++)
        reads |= term_mentions(n->ts, d->args[a], &c->var, 1);
      if (reads) list->at[j] = with_value(n, d, c->var, c->expr);
      changed |= reads;
      if (spoils(n, d, c->var, c->expr)) break;
    }
  }
  return changed;
}

/* ---- flags ----------------------------------------------------------------------------------- */

/* Does it compare integers? */
static bool compares_integers(const struct normal *n, term_id t) {
  term_list all = {0};
  term_subterms(n->ts, t, &all);
  bool found = false;
  for (size_t i = 0; i < all.len; i++) {
    enum term_kind kind = term_kind(n->ts, all.at[i]);
    found |= (kind == TERM_LT || kind == TERM_LE || kind == TERM_EQ) &&
             term_sort(n->ts, term_arg(n->ts, all.at[i], 0)) == SORT_INT;
  }
  vec_clear(&all);
  return found;
}

/* done := count = c as a branch: on the paths through it the count is known as well. */
static const struct core *open_flag(struct normal *n, const struct core *c) {
  struct arena *arena = kernel_arena(n->k);
  if (c->kind != CORE_ASSIGN || term_sort(n->ts, c->var) != SORT_BOOL ||
      !compares_integers(n, c->expr))
    return c;
  return core_if(arena, c->span, c->expr,
                 core_assign(arena, c->span, c->var, term_bool(n->ts, true)),
                 core_assign(arena, c->span, c->var, term_bool(n->ts, false)));
}

/* ---- distances -------------------------------------------------------------------------------- */

/* abs(x) < b as -b < x and x < b; b < abs(x) as x < -b or b < x. Each of the two may be assumed of a
 * sample (assume.h). */
static term_id open_distance(struct terms *ts, term_id t) {
  if (term_kind(ts, t) != TERM_LE && term_kind(ts, t) != TERM_LT) return t;
  term_id left = term_arg(ts, t, 0), right = term_arg(ts, t, 1);
  bool inside = term_kind(ts, left) == TERM_ABS;
  if (inside == (term_kind(ts, right) == TERM_ABS)) return t;
  term_id x = term_arg(ts, inside ? left : right, 0), b = inside ? right : left;
  term_id minus = term_neg(ts, b);
  term_id inner[2][2] = {{minus, x}, {x, b}}, outer[2][2] = {{x, minus}, {b, x}};
  const term_id(*args)[2] = inside ? inner : outer;
  term_id low = term_rebuild(ts, t, args[0]), high = term_rebuild(ts, t, args[1]);
  return inside ? term_and(ts, low, high) : term_or(ts, low, high);
}

/* Everywhere outside of quantifiers. */
static term_id open_distances(struct terms *ts, term_id t) {
  enum { MOST = 16 };
  size_t count = term_arg_count(ts, t);
  term_id args[MOST];
  bool changed = false;
  if (count == 0 || count > MOST || (term_get(ts, t)->flags & TERM_HAS_QUANTIFIER)) return t;
  for (size_t i = 0; i < count; i++) {
    args[i] = open_distances(ts, term_arg(ts, t, i));
    changed |= args[i] != term_arg(ts, t, i);
  }
  return open_distance(ts, changed ? term_rebuild(ts, t, args) : t);
}

/* ---- the program ----------------------------------------------------------------------------- */

static const struct core *rewrite(struct normal *n, const struct core *c);

static const struct core *rewrite_one(struct normal *n, const struct core *c) {
  struct arena *arena = kernel_arena(n->k);
  if (c->kind == CORE_SKIP) return c;
  struct core *copy = arena_memdup(arena, c, sizeof *c);
  bool changed = false;
  term_id *args = arena_alloc(arena, (c->arg_count + 1) * sizeof *args);
  for (size_t i = 0; i < c->arg_count; i++) {
    args[i] = resolved(n, c->args[i]);
    changed |= args[i] != c->args[i];
  }
  copy->args = args;
  if (c->expr != TERM_NONE) copy->expr = resolved(n, c->expr);
  if (c->expr != TERM_NONE && assume_has_delta(n->p))
    copy->expr = open_distances(n->ts, copy->expr);
  if (c->first) copy->first = rewrite(n, c->first);
  if (c->second) copy->second = rewrite(n, c->second);
  changed |= copy->expr != c->expr || copy->first != c->first || copy->second != c->second;
  if (!changed) return open_flag(n, c);
  if (c->kind == CORE_WHILE) vec_push(&n->out->loops, (struct view_loop){copy, c});
  return open_flag(n, copy);
}

static const struct core *rewrite(struct normal *n, const struct core *c) {
  core_list list = {0};
  const struct core *rest = c, *all = core_skip();
  for (; rest->kind == CORE_SEQ; rest = rest->second)
    vec_push(&list, rest->first);
  vec_push(&list, rest);
  size_t kept = 0;
  bool changed = false;
  for (size_t i = 0; i < list.len; i++) {
    const struct core *one = rewrite_one(n, list.at[i]);
    changed |= one != list.at[i];
    list.at[i] = one;
  }
  changed |= open_tuples(n, &list);
  for (size_t i = 0; i < list.len; i++) {
    size_t last = i;
    const struct core *one = noise_stub(n->p, n->program, list.at, list.len, i, &last, n->out);
    changed |= one != NULL;
    list.at[kept++] = one ? one : list.at[i];
    i = last;
  }
  for (size_t i = kept; i-- > 0;)
    all = core_seq(kernel_arena(n->k), list.at[i], all);
  vec_clear(&list);
  return changed ? all : c;
}

void normal_form(struct auto_problem *p, struct view *out) {
  struct normal n = {.p = p,
                     .ts = p->ts,
                     .k = claim_kernel(p->goal, CLAIM_FORWARD),
                     .out = out,
                     .program = out->program};
  term_list written = {0};
  core_writes(n.program, &written);
  find_copies(&n, n.program, &written);
  out->program = rewrite(&n, n.program);
  vec_clear(&written);
}
