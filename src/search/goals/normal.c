#include "search/goals/normal.h"

#include "search/base/bounds.h"
#include "search/base/lists.h"
#include "search/base/view.h"
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

/* In the order of the text, so that copies of copies are seen. */
static void find_copies(struct normal *n, const struct core *c, const term_list *written) {
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

/* ---- noise made by hand ---------------------------------------------------------------------- */

static bool is_number(const struct normal *n, term_id t, long value) {
  return t == term_int(n->ts, value) || t == term_coerce(n->ts, term_int(n->ts, value), SORT_REAL);
}

static bool is_unit_interval(const struct normal *n, const struct core *c) {
  return c->dist == DIST_UNIFORM && is_number(n, c->args[0], 0) && is_number(n, c->args[1], 1);
}

static bool is_sign(const struct normal *n, const struct core *c) {
  return c->dist == DIST_UNIFORM_SET && c->arg_count == 2 &&
         ((is_number(n, c->args[0], -1) && is_number(n, c->args[1], 1)) ||
          (is_number(n, c->args[0], 1) && is_number(n, c->args[1], -1)));
}

/* Statements that may become one sampling. */
struct block {
  term_list vars, values; /* assigned so far, over the samples and what was before */
  term_id uniform, sign;  /* TERM_NONE: not met */
  size_t first;
};

/* Takes the statement in; false: the block ends before it. */
static bool block_add(const struct normal *n, struct block *b, const struct core *c) {
  if (c->kind == CORE_SAMPLE && b->uniform == TERM_NONE && is_unit_interval(n, c)) {
    b->uniform = c->var;
  } else if (c->kind == CORE_SAMPLE && b->sign == TERM_NONE && is_sign(n, c)) {
    b->sign = c->var;
  } else if (c->kind == CORE_ASSIGN) {
    term_id value = term_subst(n->ts, c->expr, b->vars.at, b->values.at, b->vars.len);
    for (size_t i = 0; i < b->vars.len; i++)
      if (b->vars.at[i] == c->var) return false; /* once is enough */
    vec_push(&b->values, value);
    vec_push(&b->vars, c->var);
  } else {
    return false;
  }
  return true;
}

/* Is the value s*b*ln(u)? Then b. */
static term_id scale_of(const struct normal *n, const struct block *k, term_id value) {
  struct terms *ts = n->ts;
  const term_id samples[] = {k->uniform, k->sign};
  if (k->uniform == TERM_NONE || k->sign == TERM_NONE || value == TERM_NONE) return TERM_NONE;
  if (!term_mentions(ts, value, &samples[0], 1) || !term_mentions(ts, value, &samples[1], 1))
    return TERM_NONE;
  term_id one = term_coerce(ts, term_int(ts, 1), term_sort(ts, k->sign));
  term_id plain = term_subst(ts, value, &k->sign, &one, 1);
  term_id b = term_div(ts, term_to_real(ts, plain), term_ln(ts, k->uniform));
  b = b == TERM_NONE ? TERM_NONE : cost_simplified(ts, b);
  return b == TERM_NONE || term_mentions(ts, b, samples, 2) ? TERM_NONE : b;
}

/* Reads of the variable in the program, apart from those in the block. */
static bool is_read_elsewhere(const struct normal *n, const struct core *const *list, size_t first,
                              size_t last, term_id var) {
  term_list all = {0}, own = {0};
  core_reads(n->ts, n->program, &all);
  for (size_t i = first; i <= last; i++)
    core_reads(n->ts, list[i], &own);
  bool elsewhere = terms_count(&all, var) > terms_count(&own, var);
  vec_clear(&all);
  vec_clear(&own);
  return elsewhere;
}

/* list[first..*last] as one sampling; NULL: it is none. */
static const struct core *as_noise(struct normal *n, const struct core *const *list, size_t count,
                                   size_t first, size_t *last) {
  struct block b = {.first = first};
  const struct core *found = NULL;
  if (list[first]->kind != CORE_SAMPLE) return NULL;
  for (size_t i = first; i < count && !found && block_add(n, &b, list[i]); i++) {
    term_id scale = list[i]->kind == CORE_ASSIGN && term_sort(n->ts, list[i]->var) == SORT_REAL
                        ? scale_of(n, &b, vec_last(&b.values))
                        : TERM_NONE;
    if (scale == TERM_NONE) continue;
    bool dead = true;
    for (size_t j = first; j < i; j++)
      dead &= !is_read_elsewhere(n, list, first, i, list[j]->var);
    if (!dead) break;
    term_id args[] = {term_rat(n->ts, 0, 1), scale};
    found = core_sample(kernel_arena(n->k), list[i]->span, list[i]->var, DIST_LAPLACE, args, 2);
    vec_push(&n->out->noises, (struct noise){found, list[first]->var});
    *last = i;
  }
  vec_clear(&b.vars);
  vec_clear(&b.values);
  return found;
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
  if (c->first) copy->first = rewrite(n, c->first);
  if (c->second) copy->second = rewrite(n, c->second);
  changed |= copy->expr != c->expr || copy->first != c->first || copy->second != c->second;
  if (!changed) return c;
  if (c->kind == CORE_WHILE) vec_push(&n->out->loops, (struct view_loop){copy, c});
  return copy;
}

static const struct core *rewrite(struct normal *n, const struct core *c) {
  VEC(const struct core *) list = {0};
  const struct core *rest = c, *all = core_skip();
  for (; rest->kind == CORE_SEQ; rest = rest->second)
    vec_push(&list, rest->first);
  vec_push(&list, rest);
  size_t kept = 0;
  bool changed = false;
  for (size_t i = 0; i < list.len; i++) {
    size_t last = i;
    const struct core *one = as_noise(n, list.at, list.len, i, &last);
    if (!one) one = rewrite_one(n, list.at[i]);
    changed |= one != list.at[i];
    i = last;
    list.at[kept++] = one;
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
