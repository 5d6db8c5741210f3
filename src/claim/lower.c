#include "claim/lower_internal.h"

#include "base/limits.h"
#include "claim/whole_array.h"
#include "kernel/context.h"
#include "term/build.h"
#include "term/subst.h"

static const struct core *lower_stmts(struct frame *f, struct ast_stmt *const *stmts, size_t count);

/* ---- helpers -------------------------------------------------------------------------------- */

struct arena *arena_of(struct frame *f) {
  return kernel_arena(f->env->k);
}

const struct core *seq(struct frame *f, const struct core *a, const struct core *b) {
  return a && b ? core_seq(arena_of(f), a, b) : NULL;
}

const struct core *set(struct frame *f, struct span span, term_id var, term_id value) {
  term_id fit = var == TERM_NONE || value == TERM_NONE
                    ? TERM_NONE
                    : term_coerce(f->env->ts, value, term_sort(f->env->ts, var));
  if (fit == TERM_NONE) {
    translate_fail(f->env, span, "this value does not fit its variable");
    return NULL;
  }
  return core_assign(arena_of(f), span, var, fit);
}

/* An expression of the program. */
static term_id value_of(struct frame *f, const struct ast_expr *e) {
  return whole_arrays_fit(f->env, e) ? translate_expr(f->env, e) : TERM_NONE;
}

term_id value_as(struct frame *f, const struct ast_expr *e, sort_id sort) {
  return whole_arrays_fit(f->env, e) ? translate_expr_as(f->env, e, sort) : TERM_NONE;
}

/* All arrays that are shown at one place have the same length: nobody learns from it. A tuple that is
 * written out has a place for each item. */
static bool may_show_at(struct frame *f, const void *what, size_t place, const struct ast_expr *e) {
  if (!type_has_array(e->type)) return true;
  bool fits = true;
  for (size_t i = 0; e->kind == EXPR_TUPLE && i < e->as.list.count && fits; i++)
    fits = may_show_at(f, what, place * LIMIT_ARGUMENTS + i + 1, e->as.list.items[i]);
  if (e->kind == EXPR_TUPLE) return fits;
  struct frame *m = f->mechanism;
  term_id length = whole_array_length(f->env, e);
  for (size_t i = 0; i < m->shown.len; i++) {
    const struct shown *other = &m->shown.at[i];
    if (other->what == what && other->place == place && other->length != length) length = TERM_NONE;
  }
  if (length == TERM_NONE) {
    translate_fail(f->env, e->span, "arrays that are shown here must have one constant length");
    return false;
  }
  vec_push(&m->shown, ((struct shown){what, place, length}));
  return true;
}

bool may_show(struct frame *f, const void *what, const struct ast_expr *e) {
  return may_show_at(f, what, 0, e);
}

/* The same for what a procedure returns, in one call of it: the caller may copy it. */
static bool may_hand_back(struct frame *f, const struct ast_expr *e) {
  if (!type_has_array(e->type)) return true;
  term_id length = whole_array_length(f->env, e);
  if (length == TERM_NONE || (f->length != TERM_NONE && f->length != length)) {
    translate_fail(f->env, e->span,
                   "arrays that a procedure returns must have one constant length");
    return false;
  }
  f->length = length;
  return true;
}

/* ---- returns -------------------------------------------------------------------------------- */

static bool may_return(const struct ast_stmt *s);

static bool block_may_return(const struct ast_block *b) {
  for (size_t i = 0; i < b->count; i++)
    if (may_return(b->stmts[i])) return true;
  return false;
}

static bool may_return(const struct ast_stmt *s) {
  switch (s->kind) {
  case STMT_RETURN: return true;
  case STMT_IF:
    return block_may_return(&s->as.branch.then) || block_may_return(&s->as.branch.otherwise);
  case STMT_WHILE: return block_may_return(&s->as.loop.body);
  case STMT_FOR: return block_may_return(&s->as.range.body);
  default: return false;
  }
}

static bool must_return(const struct ast_stmt *s);

static bool block_must_return(const struct ast_block *b) {
  for (size_t i = 0; i < b->count; i++)
    if (must_return(b->stmts[i])) return true;
  return false;
}

static bool must_return(const struct ast_stmt *s) {
  if (s->kind == STMT_RETURN) return true;
  return s->kind == STMT_IF && block_must_return(&s->as.branch.then) &&
         block_must_return(&s->as.branch.otherwise);
}

/* The statements of a block and what comes after it. */
static struct ast_stmt **followed_by(struct frame *f, const struct ast_block *b,
                                     struct ast_stmt *const *rest, size_t count) {
  struct ast_stmt **all = arena_alloc(arena_of(f), (b->count + count + 1) * sizeof *all);
  for (size_t i = 0; i < b->count; i++)
    all[i] = b->stmts[i];
  for (size_t i = 0; i < count; i++)
    all[b->count + i] = rest[i];
  return all;
}

/* Is a flag needed: a return in a loop, or in a branch that may also fall through? Where the other
 * branch always returns, what follows belongs to the branch that may fall through (lower_if). */
static bool needs_flag(struct frame *f, struct ast_stmt *const *stmts, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const struct ast_stmt *s = stmts[i];
    if ((s->kind == STMT_WHILE || s->kind == STMT_FOR) && may_return(s)) return true;
    if (s->kind != STMT_IF || !may_return(s)) continue;
    const struct ast_block *a = &s->as.branch.then, *b = &s->as.branch.otherwise;
    if (needs_flag(f, a->stmts, a->count) || needs_flag(f, b->stmts, b->count)) return true;
    size_t after = count - i - 1;
    bool out_a = block_must_return(a), out_b = block_must_return(b);
    if (after && out_a != out_b)
      return needs_flag(f, followed_by(f, out_a ? b : a, stmts + i + 1, after),
                        (out_a ? b : a)->count + after);
    if (after && !out_a) return true; /* neither of them always returns */
  }
  return false;
}

static term_id running(struct frame *f) {
  return term_not(f->env->ts, f->returned);
}

/* ---- statements ----------------------------------------------------------------------------- */

/* target := value, where value and the index (TERM_NONE: the whole variable) are terms already. */
static const struct core *store_at(struct frame *f, struct span span, const struct ast_target *t,
                                   term_id index, term_id value) {
  term_id var = var_term(f, t->var);
  if (!t->index) return set(f, span, var, value);
  if (var == TERM_NONE || index == TERM_NONE || value == TERM_NONE) return NULL;
  struct terms *ts = f->env->ts;
  term_id fit = term_coerce(ts, value, sort_elem(ts, term_sort(ts, var)));
  return set(f, span, var, term_store(ts, var, index, fit));
}

static const struct core *store(struct frame *f, struct span span, const struct ast_target *t,
                                term_id value) {
  return store_at(f, span, t, t->index ? value_of(f, t->index) : TERM_NONE, value);
}

/* (a[i], b[j], ..) := tuple. All at once: the indices are those of before. */
static const struct core *store_all(struct frame *f, const struct ast_stmt *s, term_id tuple) {
  size_t count = s->as.assign.count;
  term_id *indices = arena_alloc(arena_of(f), count * sizeof *indices);
  const struct core *c = core_skip();
  for (size_t i = 0; i < count; i++) {
    const struct ast_target *t = &s->as.assign.targets[i];
    indices[i] = t->index ? value_of(f, t->index) : TERM_NONE;
    if (!t->index) continue;
    if (indices[i] == TERM_NONE) return NULL;
    if (kernel_is_constant(f->env->k, indices[i])) continue;
    term_id kept = fresh_var(f, s->span, arena_printf(arena_of(f), "%zu'index", ++*f->calls),
                             term_sort(f->env->ts, indices[i]));
    c = seq(f, c, set(f, s->span, kept, indices[i]));
    indices[i] = kept;
  }
  for (size_t i = 0; i < count; i++)
    c = seq(f, c,
            store_at(f, s->span, &s->as.assign.targets[i], indices[i],
                     term_proj(f->env->ts, tuple, i)));
  return c;
}

/* A variable that was not declared has the length of the array that is assigned to it first: nothing
 * reads it before that. */
static void take_length(struct frame *f, const struct ast_var *v, term_id length) {
  struct translate_binding *b = ptrmap_get(&f->env->vars, v);
  if (b && !v->declared && b->length == TERM_NONE && length != TERM_NONE &&
      kernel_is_constant(f->env->k, length))
    b->length = length;
}

/* A whole array is replaced by one of its length only; `length` is that of the value. */
static bool may_replace(struct frame *f, const struct ast_stmt *s, term_id length) {
  for (size_t i = 0; i < s->as.assign.count; i++) {
    const struct ast_target *t = &s->as.assign.targets[i];
    if (t->index || !type_has_array(t->var->type)) continue;
    if (s->as.assign.count == 1) take_length(f, t->var, length);
    const struct translate_binding *b = ptrmap_get(&f->env->vars, t->var);
    if (s->as.assign.count == 1 && length != TERM_NONE && b && b->length == length) continue;
    translate_fail(f->env, s->span,
                   "`%s` must keep its length, which must be constant: made of parameters and "
                   "public inputs",
                   t->name.text);
    return false;
  }
  return true;
}

static const struct core *lower_assign(struct frame *f, const struct ast_stmt *s) {
  const struct ast_expr *value = s->as.assign.value;
  const struct core *c = core_skip();
  sort_id sort = SORT_NONE;
  const struct ast_target *target = &s->as.assign.targets[0];
  if (s->as.assign.count == 1)
    sort = translate_sort(f->env, target->index && target->var->type ? target->var->type->elem
                                                                     : target->var->type);
  term_id term = TERM_NONE, length = TERM_NONE;
  if (is_code_call(value)) {
    c = lower_code_call(f, value, &term, &length);
    if (!c || !may_replace(f, s, length)) return NULL;
  } else {
    if (!may_replace(f, s, whole_array_length(f->env, value))) return NULL;
    term = value_as(f, value, sort);
  }
  if (s->as.assign.count == 1) return seq(f, c, store(f, s->span, target, term));
  if (term == TERM_NONE) return NULL;
  term_id tuple = fresh_var(f, s->span, arena_printf(arena_of(f), "%zu'tuple", ++*f->calls),
                            term_sort(f->env->ts, term));
  return seq(f, seq(f, c, set(f, s->span, tuple, term)), store_all(f, s, tuple));
}

static const struct core *lower_sample(struct frame *f, const struct ast_stmt *s) {
  const struct ast_target *t = &s->as.sample.target;
  const struct ast_dist *d = &s->as.sample.dist;
  term_id args[LIMIT_ARGUMENTS];
  if (d->count > LIMIT_ARGUMENTS) return NULL;
  term_id var = var_term(f, t->var);
  if (var == TERM_NONE) return NULL;
  if (type_has_array(t->index ? t->var->type->elem : t->var->type)) {
    translate_fail(f->env, s->span, "arrays cannot be sampled in the logic");
    return NULL;
  }
  sort_id sort = term_sort(f->env->ts, var);
  if (t->index) sort = sort_elem(f->env->ts, sort);
  for (size_t i = 0; i < d->count; i++) {
    bool is_item = dist_get(d->kind)->parameters == PARAMETERS_ITEMS;
    args[i] = is_item ? value_as(f, d->args[i], sort) : value_of(f, d->args[i]);
    if (args[i] == TERM_NONE) return NULL;
  }
  if (!t->index) return core_sample(arena_of(f), s->span, var, d->kind, args, d->count);
  term_id fresh = fresh_var(f, s->span, arena_printf(arena_of(f), "%s'new", t->name.text), sort);
  if (fresh == TERM_NONE) return NULL;
  return seq(f, core_sample(arena_of(f), s->span, fresh, d->kind, args, d->count),
             store(f, s->span, t, fresh));
}

static const struct core *lower_while(struct frame *f, const struct ast_stmt *s) {
  const struct ast_block *b = &s->as.loop.body;
  term_id guard = value_of(f, s->as.loop.cond);
  const struct core *body = lower_stmts(f, b->stmts, b->count);
  if (guard == TERM_NONE || !body) return NULL;
  if (block_may_return(b)) guard = term_and(f->env->ts, guard, running(f));
  return core_while(arena_of(f), s->span, guard, body);
}

static const struct core *lower_for(struct frame *f, const struct ast_stmt *s) {
  struct terms *ts = f->env->ts;
  const struct ast_block *block = &s->as.range.body;
  term_id low = value_of(f, s->as.range.low), high = value_of(f, s->as.range.high);
  term_id i = var_term(f, s->as.range.var);
  const struct core *body = lower_stmts(f, block->stmts, block->count);
  if (low == TERM_NONE || high == TERM_NONE || i == TERM_NONE || !body) return NULL;
  const struct core *before = set(f, s->span, i, low);
  term_list written = {0};
  core_writes(body, &written);
  vec_push(&written, i);
  bool changes = term_mentions(ts, high, written.at, written.len);
  vec_clear(&written);
  if (changes) { /* the bound is evaluated once */
    term_id end = fresh_var(
        f, s->span, arena_printf(arena_of(f), "%s'end", s->as.range.var->name.text), SORT_INT);
    before = seq(f, set(f, s->span, end, high), before);
    high = end;
  }
  body = seq(f, body, set(f, s->span, i, term_add(ts, i, term_int(ts, 1))));
  if (!before || !body) return NULL;
  term_id guard = term_lt(ts, i, high);
  if (block_may_return(block)) guard = term_and(ts, guard, running(f));
  if (s->as.range.stop) {
    term_id stop = var_term(f, s->as.range.stop);
    if (stop == TERM_NONE) return NULL;
    guard = term_and(ts, guard, term_not(ts, stop));
  }
  return seq(f, before, core_for(arena_of(f), s->span, guard, body, i, low, high));
}

/* All items of the array are 0 or false; those of arrays of other values are not known. */
static void assume_zeros(struct frame *f, struct span span, term_id array) {
  enum { DEPTH = 4 };
  struct terms *ts = f->env->ts;
  term_id at[DEPTH], item = array;
  size_t depth = 0;
  while (depth < DEPTH && sort_elem(ts, term_sort(ts, item)) != SORT_NONE) {
    at[depth] = kernel_fresh(f->env->k, "at", SORT_INT);
    item = term_select(ts, item, at[depth++]);
  }
  sort_id sort = term_sort(ts, item);
  if (sort != SORT_BOOL && !sort_is_numeric(sort)) return;
  term_id zero = sort == SORT_BOOL ? term_bool(ts, false) : term_coerce(ts, term_int(ts, 0), sort);
  translate_assume(f->env, span, term_forall(ts, at, depth, term_eq(ts, item, zero)));
}

static const struct core *lower_var(struct frame *f, const struct ast_stmt *s) {
  const struct ast_var *var = s->as.var.var;
  struct ast_target target = {.name = var->name, .var = (struct ast_var *)var};
  if (s->as.var.init) {
    struct ast_stmt assign = {.kind = STMT_ASSIGN, .span = s->span};
    assign.as.assign.targets = &target;
    assign.as.assign.count = 1;
    assign.as.assign.value = s->as.var.init;
    return lower_assign(f, &assign);
  }
  if (var->type->kind != TYPE_ARRAY) return core_skip();
  term_id term = var_term(f, var);
  if (term == TERM_NONE) return NULL;
  const struct translate_binding *b = ptrmap_get(&f->env->vars, var);
  if (b->length == TERM_NONE) {
    translate_fail(f->env, s->span,
                   "the length of `%s` must be constant: made of parameters and public inputs",
                   var->name.text);
    return NULL;
  }
  term_id start = kernel_fresh(f->env->k, var->name.text, term_sort(f->env->ts, term));
  if (f->mechanism->one_run) assume_zeros(f, s->span, start);
  return set(f, s->span, term, start);
}

static const struct core *lower_return(struct frame *f, const struct ast_stmt *s) {
  const struct core *c = core_skip();
  if (s->as.value && f->result != TERM_NONE) {
    bool shows = f == f->mechanism;
    if (shows && !may_show(f, f->routine->returns, s->as.value)) return NULL;
    if (!shows && !may_hand_back(f, s->as.value)) return NULL;
    c = set(f, s->span, f->result, value_as(f, s->as.value, term_sort(f->env->ts, f->result)));
  }
  if (f->returned != TERM_NONE)
    c = seq(f, c, set(f, s->span, f->returned, term_bool(f->env->ts, true)));
  return c;
}

static const struct core *lower_emit(struct frame *f, const struct ast_stmt *s) {
  if (f->output == TERM_NONE) return NULL;
  struct terms *ts = f->env->ts;
  if (!may_show(f, f->mechanism->routine->emits, s->as.value)) return NULL;
  term_id item = value_as(f, s->as.value, sort_elem(ts, term_sort(ts, f->output)));
  if (f->emissions == TERM_NONE) return set(f, s->span, f->output, term_cons(ts, item, f->output));
  if (item == TERM_NONE) return NULL;
  return seq(f, set(f, s->span, f->output, term_store(ts, f->output, f->emissions, item)),
             set(f, s->span, f->emissions, term_add(ts, f->emissions, term_int(ts, 1))));
}

static const struct core *lower_stmt(struct frame *f, const struct ast_stmt *s) {
  term_id unused;
  switch (s->kind) {
  case STMT_SKIP: return core_skip();
  case STMT_VAR: return lower_var(f, s);
  case STMT_ASSIGN: return lower_assign(f, s);
  case STMT_SAMPLE: return lower_sample(f, s);
  case STMT_CALL: return lower_code_call(f, s->as.call, &unused, &unused);
  case STMT_WHILE: return lower_while(f, s);
  case STMT_FOR: return lower_for(f, s);
  case STMT_EMIT: return lower_emit(f, s);
  case STMT_RETURN: return lower_return(f, s);
  case STMT_IF: /* in lower_stmts: needs to know what follows */
  case STMT_BREAK:
  case STMT_CONTINUE: /* not in plain bodies */
  case STMT_ERROR: break;
  }
  return NULL;
}

/* A block, with the rest if that belongs to it. */
static const struct core *lower_branch(struct frame *f, const struct ast_block *b, bool falls,
                                       struct ast_stmt *const *rest, size_t count) {
  if (!falls) return lower_stmts(f, b->stmts, b->count);
  return lower_stmts(f, followed_by(f, b, rest, count), b->count + count);
}

/* if c { a } else { b } followed by `rest`. A branch that always returns takes no part in the rest,
 * which belongs to the other one then; if a branch may return or not, the rest is guarded by the
 * flag. */
static const struct core *lower_if(struct frame *f, const struct ast_stmt *s,
                                   struct ast_stmt *const *rest, size_t count) {
  const struct ast_block *a = &s->as.branch.then, *b = &s->as.branch.otherwise;
  bool out_a = block_must_return(a), out_b = block_must_return(b);
  bool inside = out_a != out_b, may = block_may_return(a) || block_may_return(b);
  term_id cond = value_of(f, s->as.branch.cond);
  const struct core *then = lower_branch(f, a, inside && out_b, rest, count);
  const struct core *otherwise = lower_branch(f, b, inside && out_a, rest, count);
  if (cond == TERM_NONE || !then || !otherwise) return NULL;
  const struct core *whole = core_if(arena_of(f), s->span, cond, then, otherwise);
  if (count == 0 || out_a || out_b) return whole;
  const struct core *after = lower_stmts(f, rest, count);
  if (after && may) after = core_if(arena_of(f), s->span, running(f), after, core_skip());
  return seq(f, whole, after);
}

static const struct core *lower_stmts(struct frame *f, struct ast_stmt *const *stmts,
                                      size_t count) {
  const struct core *c = core_skip();
  for (size_t i = 0; i < count && c && !f->env->error; i++) {
    const struct ast_stmt *s = stmts[i];
    if (s->kind == STMT_IF) return seq(f, c, lower_if(f, s, stmts + i + 1, count - i - 1));
    c = seq(f, c, lower_stmt(f, s));
    if (s->kind == STMT_RETURN || !c) break;
    if (may_return(s) && i + 1 < count) {
      const struct core *after = lower_stmts(f, stmts + i + 1, count - i - 1);
      if (!after) return NULL;
      return seq(f, c, core_if(arena_of(f), s->span, running(f), after, core_skip()));
    }
  }
  if (!c && !f->env->error)
    translate_fail(f->env, f->routine->name.span, "`%s` cannot be translated",
                   f->routine->name.text);
  return f->env->error ? NULL : c;
}

const struct core *lower_body(struct frame *f, struct span span) {
  const struct ast_routine *r = f->routine;
  const struct core *c = core_skip();
  if (r->returns)
    f->result = fresh_var(f, span, "result", translate_sort(f->env, r->returns->type));
  if (needs_flag(f, r->plain.stmts, r->plain.count)) {
    f->returned = fresh_var(f, span, "returned", SORT_BOOL);
    c = set(f, span, f->returned, term_bool(f->env->ts, false));
  }
  return seq(f, c, lower_stmts(f, r->plain.stmts, r->plain.count));
}

/* ---- mechanisms ----------------------------------------------------------------------------- */

/* Nothing has been emitted. */
static const struct core *start_output(struct frame *f, const struct ast_routine *m, bool one_run) {
  struct translate_env *env = f->env;
  sort_id item = translate_sort(env, m->emits->type), list = sort_list(env->ts, item);
  if (!one_run) {
    f->output = fresh_var(f, m->span, "output", list);
    return set(f, m->span, f->output, term_nil(env->ts, list));
  }
  f->output = fresh_var(f, m->span, "emitted", sort_array(env->ts, item));
  f->emissions = fresh_var(f, m->span, "emissions", SORT_INT);
  return set(f, m->span, f->emissions, term_int(env->ts, 0));
}

bool lower_mechanism(struct translate_env *env, const struct ast_routine *m, bool one_run,
                     struct lowered *out) {
  size_t calls = 0;
  struct frame f = {.env = env,
                    .routine = m,
                    .suffix = "",
                    .emissions = TERM_NONE,
                    .one_run = one_run,
                    .calls = &calls,
                    .length = TERM_NONE};
  f.mechanism = &f;
  declare_inputs(&f, m);
  declare_locals(&f, m);
  const struct core *c = start_adversaries(&f);
  if (m->emits) c = seq(&f, c, start_output(&f, m, one_run));
  c = seq(&f, c, lower_body(&f, m->span));
  vec_clear(&f.shown);
  *out = (struct lowered){.program = c,
                          .output = f.output,
                          .result = f.result,
                          .returned = f.returned,
                          .emissions = f.emissions};
  return c && !env->error;
}
