#include "claim/lower.h"

#include <string.h>

#include "base/limits.h"
#include "claim/proof_names.h"
#include "claim/whole_array.h"
#include "kernel/internal.h"
#include "lang/walk.h"
#include "term/build.h"
#include "term/subst.h"

enum { LIMIT_INLINED = 10000 }; /* calls inlined in one mechanism */

/* Where whole arrays are shown: `emit`, `return`, an argument of an adversary. */
struct shown {
  const void *what;
  term_id length;
};

/* A routine under translation: where its results go. */
struct frame {
  struct translate_env *env;
  const struct ast_routine *routine;
  struct frame *mechanism; /* the outermost frame; itself for the mechanism */
  const char *suffix;      /* appended to names: "" for the mechanism */
  term_id output, result, returned;
  size_t *calls;           /* counts inlined calls */
  VEC(struct shown) shown; /* of the mechanism */
};

static const struct core *lower_stmts(struct frame *f, struct ast_stmt *const *stmts, size_t count);

/* ---- helpers -------------------------------------------------------------------------------- */

static struct arena *arena_of(struct frame *f) {
  return kernel_arena(f->env->k);
}

static const struct core *seq(struct frame *f, const struct core *a, const struct core *b) {
  return a && b ? core_seq(arena_of(f), a, b) : NULL;
}

static const struct core *set(struct frame *f, struct span span, term_id var, term_id value) {
  term_id fit = var == TERM_NONE || value == TERM_NONE
                    ? TERM_NONE
                    : term_coerce(f->env->ts, value, term_sort(f->env->ts, var));
  if (fit == TERM_NONE) {
    translate_fail(f->env, span, "this value does not fit its variable");
    return NULL;
  }
  return core_assign(arena_of(f), span, var, fit);
}

static bool is_among(struct ast_var *const *vars, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (vars[i]->name.text == name) return true;
  return false;
}

/* Has the mechanism, or an oracle of it, a variable of this name? */
static bool is_variable(const struct ast_routine *m, const char *name) {
  bool found = is_among(m->args, m->arg_count, name) || is_among(m->locals, m->local_count, name);
  for (size_t i = 0; !found && i < m->oracle_count; i++)
    found = is_variable(m->oracles[i], name);
  return found;
}

/* A name that nothing else has: no variable, no input, no parameter, let or operator, wherever it
 * is declared. A name that is taken gets a prime, so that nothing in the source can alias what the
 * translation makes. `own` is the name in the source, or NULL. */
static const char *free_name(struct frame *f, const char *name, const char *own) {
  for (;;) {
    const char *full = intern_str(&f->env->lang->intern, name);
    bool taken = ptrmap_get(&f->env->names, full) || proof_names_decl(f->env, full) ||
                 (full != own && is_variable(f->mechanism->routine, full));
    if (!taken) return full;
    name = arena_printf(arena_of(f), "%s'", name);
  }
}

static term_id new_var(struct frame *f, struct span span, const char *full, sort_id sort) {
  term_id var = sort == SORT_NONE ? TERM_NONE : kernel_var(f->env->k, full, sort, false);
  if (var == TERM_NONE)
    return translate_fail(f->env, span, "`%s` has no variable in the logic", full);
  translate_bind(f->env, NULL, full, var, true, TERM_NONE);
  return var;
}

/* A program variable of this frame that the translation needs. Proofs can name it. */
static term_id fresh_var(struct frame *f, struct span span, const char *name, sort_id sort) {
  const char *full = arena_printf(arena_of(f), "%s%s", name, f->suffix);
  return new_var(f, span, free_name(f, full, NULL), sort);
}

/* The program variable of a variable of the source. */
static term_id source_var(struct frame *f, struct span span, const struct ast_var *v) {
  const char *full = arena_printf(arena_of(f), "%s%s", v->name.text, f->suffix);
  const char *own = f == f->mechanism ? v->name.text : NULL;
  return new_var(f, span, free_name(f, full, own), translate_sort(f->env, v->type));
}

/* What a variable of the source is in the logic; proofs can call it by either name. */
static void declare(struct frame *f, const struct ast_var *v, term_id term, bool is_program,
                    term_id length) {
  if (term == TERM_NONE) return;
  const char *name = intern_str(&f->env->lang->intern, term_var_get(f->env->ts, term)->name);
  const struct translate_binding *b = translate_bind(f->env, v, name, term, is_program, length);
  proof_names_offer(f->env, v->name.text, b);
}

/* An expression of the program. */
static term_id value_of(struct frame *f, const struct ast_expr *e) {
  return whole_arrays_fit(f->env, e) ? translate_expr(f->env, e) : TERM_NONE;
}

static term_id value_as(struct frame *f, const struct ast_expr *e, sort_id sort) {
  return whole_arrays_fit(f->env, e) ? translate_expr_as(f->env, e, sort) : TERM_NONE;
}

/* All arrays that are shown at one place have the same length: nobody learns from it. */
static bool may_show(struct frame *f, const void *what, const struct ast_expr *e) {
  if (!type_has_array(e->type)) return true;
  struct frame *m = f->mechanism;
  term_id length = whole_array_length(f->env, e);
  for (size_t i = 0; i < m->shown.len; i++)
    if (m->shown.at[i].what == what && m->shown.at[i].length != length) length = TERM_NONE;
  if (length == TERM_NONE) {
    translate_fail(f->env, e->span, "arrays that are shown here must have one constant length");
    return false;
  }
  vec_push(&m->shown, ((struct shown){what, length}));
  return true;
}

static const struct type *returned_type(const struct ast_routine *r) {
  return r->returns ? r->returns->type : NULL;
}

static term_id var_term(struct frame *f, const struct ast_var *var) {
  const struct translate_binding *b = ptrmap_get(&f->env->vars, var);
  if (!b) translate_fail(f->env, var->name.span, "`%s` is not known here", var->name.text);
  return b ? b->term : TERM_NONE;
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

/* Is a flag needed: a return in a loop, or in a branch that may also fall through? */
static bool needs_flag(struct ast_stmt *const *stmts, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const struct ast_stmt *s = stmts[i];
    if ((s->kind == STMT_WHILE || s->kind == STMT_FOR) && may_return(s)) return true;
    if (s->kind != STMT_IF || !may_return(s)) continue;
    const struct ast_block *a = &s->as.branch.then, *b = &s->as.branch.otherwise;
    if (needs_flag(a->stmts, a->count) || needs_flag(b->stmts, b->count)) return true;
    bool last = i + 1 == count;
    bool clean_a = block_must_return(a) || !block_may_return(a);
    bool clean_b = block_must_return(b) || !block_may_return(b);
    if (!last && !(clean_a && clean_b)) return true;
  }
  return false;
}

static term_id running(struct frame *f) {
  return term_not(f->env->ts, f->returned);
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* The number of elements of an array, if it is constant. It stays what was declared: what is
 * assigned to the whole array must have the same length (lower_assign). */
static term_id fixed_length(struct frame *f, const struct ast_var *v) {
  if (!v->declared || v->declared->kind != TYPE_ARRAY || !v->declared->length) return TERM_NONE;
  term_id length = translate_expr(f->env, v->declared->length);
  return length != TERM_NONE && kernel_is_constant(f->env->k, length) ? length : TERM_NONE;
}

static void declare_locals(struct frame *f, const struct ast_routine *r) {
  for (size_t i = 0; i < r->local_count; i++) {
    const struct ast_var *v = r->locals[i];
    if (ptrmap_get(&f->env->vars, v) && f->suffix[0] == 0) continue;
    term_id length = fixed_length(f, v);
    term_id var = source_var(f, v->name.span, v);
    declare(f, v, var, true, length);
  }
}

/* `callee` with these argument values (and lengths of arrays among them; NULL: not known); its
 * result is left in *result. */
static const struct core *inline_routine(struct frame *f, struct span span,
                                         const struct ast_routine *callee, const term_id *values,
                                         const term_id *lengths, size_t count, term_id *result) {
  struct frame inner = {.env = f->env,
                        .routine = callee,
                        .mechanism = f->mechanism,
                        .output = f->mechanism->output,
                        .calls = f->calls,
                        .suffix =
                            arena_printf(arena_of(f), "'%s%zu", callee->name.text, ++*f->calls)};
  if (count != callee->arg_count || *f->calls > LIMIT_INLINED) {
    translate_fail(f->env, span, "this call cannot be inlined");
    return NULL;
  }
  const struct core *c = core_skip();
  for (size_t i = 0; i < count; i++) {
    const struct ast_var *arg = callee->args[i];
    term_id var = source_var(&inner, span, arg);
    c = seq(f, c, set(&inner, span, var, values[i]));
    declare(&inner, arg, var, true, lengths ? lengths[i] : TERM_NONE);
  }
  declare_locals(&inner, callee);
  if (returned_type(callee))
    inner.result = fresh_var(&inner, span, "result", translate_sort(f->env, returned_type(callee)));
  if (needs_flag(callee->body.stmts, callee->body.count)) {
    inner.returned = fresh_var(&inner, span, "returned", SORT_BOOL);
    c = seq(f, c, set(&inner, span, inner.returned, term_bool(f->env->ts, false)));
  }
  c = seq(f, c, lower_stmts(&inner, callee->body.stmts, callee->body.count));
  *result = inner.result;
  return c;
}

/* The variable with the state of an adversary; made by start_adversaries. */
static term_id state_of(struct frame *f, const struct ast_decl *adversary) {
  const struct translate_binding *b = ptrmap_get(&f->env->vars, adversary);
  return b ? b->term : TERM_NONE;
}

/* One move of unknown code. */
static const struct core *move(struct frame *f, struct span span, const struct ast_decl *adversary,
                               const char *step, term_id out, const term_id *args, size_t count) {
  const char *name =
      intern_str(&f->env->ts->names, arena_printf(arena_of(f), "%s%s", adversary->name.text, step));
  term_id state = state_of(f, adversary);
  if (state == TERM_NONE || out == TERM_NONE) {
    translate_fail(f->env, span, "the adversary has no variables in the logic");
    return NULL;
  }
  return core_adversary(arena_of(f), span, name, state, out, args, count);
}

struct var_search {
  const struct ast_var *var;
  bool found;
};

static void search_var(const struct ast_expr *e, void *context) {
  struct var_search *s = context;
  s->found |= e->kind == EXPR_NAME && e->as.name.var == s->var;
  walk_parts(e, search_var, context);
}

static bool bounds_mention(const struct ast_decl *adversary, const struct ast_var *var) {
  struct var_search s = {.var = var};
  for (size_t i = 0; i < adversary->as.adversary.use_count; i++)
    search_var(adversary->as.adversary.uses[i].bound, &s);
  return s.found;
}

/* Arguments that bounds on calls of oracles speak of. They keep their values during the call:
 * oracles may change what they were computed from. */
static const struct core *keep_arguments(struct frame *f, const struct ast_expr *e,
                                         const term_id *values) {
  const struct ast_decl *d = e->as.call.decl;
  const struct core *c = core_skip();
  for (size_t i = 0; i < e->as.call.count; i++) {
    const struct ast_var *arg = d->as.adversary.args[i];
    if (!bounds_mention(d, arg)) continue;
    term_id kept = values[i];
    bool is_fixed = kernel_is_constant(f->env->k, kept);
    if (!is_fixed) {
      char *name = arena_printf(arena_of(f), "%s'%s", d->name.text, arg->name.text);
      kept = fresh_var(f, e->span, name, translate_sort(f->env, arg->type));
      c = seq(f, c, set(f, e->span, kept, values[i]));
    }
    translate_bind(f->env, arg, NULL, kept, !is_fixed,
                   whole_array_length(f->env, e->as.call.args[i]));
  }
  return c;
}

/* The interactive loop: query := A.begin(args); while query names an oracle that may still be
 * called { answer it; query := A.next(answer) }; result := A.end(). */
static const struct core *lower_interaction(struct frame *f, const struct ast_expr *e,
                                            const term_id *values, term_id result) {
  struct terms *ts = f->env->ts;
  struct span span = e->span;
  const struct ast_decl *adversary = e->as.call.decl;
  const char *name = adversary->name.text;
  size_t uses = adversary->as.adversary.use_count;
  const struct core *before = keep_arguments(f, e, values), *body = core_skip();
  term_id allowed = term_bool(ts, false);
  term_id which = fresh_var(f, span, arena_printf(arena_of(f), "%s'asks", name), SORT_INT);
  const struct core *first = move(f, span, adversary, ".begin", which, values, e->as.call.count);
  for (size_t i = uses; i-- > 0;) {
    const struct ast_oracle_use *use = &adversary->as.adversary.uses[i];
    const struct ast_routine *oracle = e->as.call.oracles ? e->as.call.oracles[i] : NULL;
    term_id bound = translate_expr(f->env, use->bound);
    term_id calls =
        fresh_var(f, span, arena_printf(arena_of(f), "%s'calls", use->name.text), SORT_INT);
    if (!oracle || bound == TERM_NONE || calls == TERM_NONE) {
      translate_fail(f->env, span, "the oracle `%s` is not declared here", use->name.text);
      return NULL;
    }
    before = seq(f, before, set(f, span, calls, term_int(ts, 0)));
    term_id chosen = term_eq(ts, which, term_int(ts, (long)i + 1));
    allowed = term_or(ts, allowed, term_and(ts, chosen, term_lt(ts, calls, bound)));
    /* The arguments are further moves of the adversary: it knows what it wants to ask. */
    const struct core *ask = core_skip();
    term_list args = {0};
    for (size_t a = 0; a < use->arg_count; a++) {
      char *text = arena_printf(arena_of(f), "%s'%s", use->name.text, use->args[a]->name.text);
      term_id arg = fresh_var(f, span, text, translate_sort(f->env, use->args[a]->type));
      vec_push(&args, arg);
      ask =
          seq(f, ask,
              move(f, span, adversary,
                   arena_printf(arena_of(f), ".ask.%s.%s", use->name.text, use->args[a]->name.text),
                   arg, NULL, 0));
    }
    term_id answer = TERM_NONE;
    const struct core *reply = inline_routine(f, span, oracle, args.at, NULL, args.len, &answer);
    vec_clear(&args);
    const struct core *count_call = set(f, span, calls, term_add(ts, calls, term_int(ts, 1)));
    const struct core *next =
        move(f, span, adversary, arena_printf(arena_of(f), ".next.%s", use->name.text), which,
             &answer, answer == TERM_NONE ? 0 : 1);
    const struct core *one = seq(f, seq(f, seq(f, ask, reply), count_call), next);
    if (!one) return NULL;
    body = i + 1 == uses ? one : core_if(arena_of(f), span, chosen, one, body);
  }
  const struct core *loop = core_while(arena_of(f), span, allowed, body);
  const struct core *end = core_skip();
  if (result != TERM_NONE) end = move(f, span, adversary, ".end", result, NULL, 0);
  return seq(f, seq(f, before, first), seq(f, loop, end));
}

static const struct core *lower_adversary(struct frame *f, const struct ast_expr *e,
                                          const term_id *values, term_id *result) {
  const struct ast_decl *d = e->as.call.decl;
  const struct type *type = d->as.adversary.returns ? d->as.adversary.returns->type : NULL;
  *result = TERM_NONE;
  if (type)
    *result = fresh_var(f, e->span, arena_printf(arena_of(f), "%s'says", d->name.text),
                        translate_sort(f->env, type));
  if (d->as.adversary.use_count) return lower_interaction(f, e, values, *result);
  term_id out =
      *result != TERM_NONE
          ? *result
          : fresh_var(f, e->span, arena_printf(arena_of(f), "%s'done", d->name.text), SORT_BOOL);
  return move(f, e->span, d, "", out, values, e->as.call.count);
}

/* A call of code; the variable with its result, if any, goes to *result. */
static const struct core *lower_code_call(struct frame *f, const struct ast_expr *e,
                                          term_id *result) {
  const struct ast_decl *d = e->as.call.decl;
  const struct ast_routine *callee = e->as.call.callee_kind == CALLEE_ORACLE ? e->as.call.oracle
                                     : e->as.call.callee_kind == CALLEE_PROCEDURE ? d->as.procedure
                                                                                  : NULL;
  term_id values[LIMIT_ARGUMENTS], lengths[LIMIT_ARGUMENTS];
  if (e->as.call.count > LIMIT_ARGUMENTS) return NULL;
  for (size_t i = 0; i < e->as.call.count; i++) {
    const struct ast_expr *given = e->as.call.args[i];
    const struct ast_var *arg = callee ? callee->args[i] : d->as.adversary.args[i];
    values[i] = value_as(f, given, translate_sort(f->env, arg->type));
    lengths[i] = whole_array_length(f->env, given);
    if (values[i] == TERM_NONE || (!callee && !may_show(f, arg, given))) return NULL;
  }
  if (callee) return inline_routine(f, e->span, callee, values, lengths, e->as.call.count, result);
  return lower_adversary(f, e, values, result);
}

static bool is_code_call(const struct ast_expr *e) {
  return e->kind == EXPR_CALL &&
         (e->as.call.callee_kind == CALLEE_PROCEDURE || e->as.call.callee_kind == CALLEE_ORACLE ||
          e->as.call.callee_kind == CALLEE_ADVERSARY);
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

/* A whole array is replaced by one of its length only. */
static bool may_replace(struct frame *f, const struct ast_stmt *s) {
  for (size_t i = 0; i < s->as.assign.count; i++) {
    const struct ast_target *t = &s->as.assign.targets[i];
    if (t->index || !type_has_array(t->var->type)) continue;
    const struct translate_binding *b = ptrmap_get(&f->env->vars, t->var);
    term_id length = whole_array_length(f->env, s->as.assign.value);
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
  if (!may_replace(f, s)) return NULL;
  term_id term = TERM_NONE;
  if (is_code_call(value)) {
    c = lower_code_call(f, value, &term);
    if (!c) return NULL;
  } else {
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
    args[i] = d->kind == DIST_UNIFORM_SET ? value_as(f, d->args[i], sort) : value_of(f, d->args[i]);
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
  return seq(f, before, core_for(arena_of(f), s->span, guard, body, i, low, high));
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
  return set(f, s->span, term,
             kernel_fresh(f->env->k, var->name.text, term_sort(f->env->ts, term)));
}

static const struct core *lower_return(struct frame *f, const struct ast_stmt *s) {
  const struct core *c = core_skip();
  if (s->as.value && f->result != TERM_NONE) {
    if (!may_show(f, f->routine->returns, s->as.value)) return NULL;
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
  return set(f, s->span, f->output, term_cons(ts, item, f->output));
}

static const struct core *lower_stmt(struct frame *f, const struct ast_stmt *s) {
  term_id unused;
  switch (s->kind) {
  case STMT_SKIP: return core_skip();
  case STMT_VAR: return lower_var(f, s);
  case STMT_ASSIGN: return lower_assign(f, s);
  case STMT_SAMPLE: return lower_sample(f, s);
  case STMT_CALL: return lower_code_call(f, s->as.call, &unused);
  case STMT_WHILE: return lower_while(f, s);
  case STMT_FOR: return lower_for(f, s);
  case STMT_EMIT: return lower_emit(f, s);
  case STMT_RETURN: return lower_return(f, s);
  case STMT_IF: /* in lower_stmts: needs to know what follows */
  case STMT_ERROR: break;
  }
  return NULL;
}

/* if c { a } else { b } followed by `rest`. A branch that always returns takes no part in the rest;
 * if one may return or not, the rest is guarded by the flag. */
static const struct core *lower_if(struct frame *f, const struct ast_stmt *s,
                                   struct ast_stmt *const *rest, size_t count) {
  const struct ast_block *a = &s->as.branch.then, *b = &s->as.branch.otherwise;
  term_id cond = value_of(f, s->as.branch.cond);
  const struct core *then = lower_stmts(f, a->stmts, a->count);
  const struct core *otherwise = lower_stmts(f, b->stmts, b->count);
  if (cond == TERM_NONE || !then || !otherwise) return NULL;
  bool out_a = block_must_return(a), out_b = block_must_return(b);
  bool clean = (out_a || !block_may_return(a)) && (out_b || !block_may_return(b));
  if (count == 0 || (out_a && out_b)) return core_if(arena_of(f), s->span, cond, then, otherwise);
  const struct core *after = lower_stmts(f, rest, count);
  if (!after) return NULL;
  if (clean && out_a) return core_if(arena_of(f), s->span, cond, then, seq(f, otherwise, after));
  if (clean && out_b) return core_if(arena_of(f), s->span, cond, seq(f, then, after), otherwise);
  const struct core *whole = core_if(arena_of(f), s->span, cond, then, otherwise);
  if (!clean) after = core_if(arena_of(f), s->span, running(f), after, core_skip());
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

/* ---- mechanisms ----------------------------------------------------------------------------- */

static void declare_inputs(struct frame *f, const struct ast_routine *m) {
  for (size_t i = 0; i < m->arg_count; i++) {
    const struct ast_var *v = m->args[i];
    sort_id sort = translate_sort(f->env, v->type);
    term_id length = fixed_length(f, v);
    const char *name = free_name(f, v->name.text, v->name.text);
    term_id term = v->is_private ? kernel_var(f->env->k, name, sort, true)
                                 : term_var(f->env->ts, name, sort, 0, 0);
    if (term == TERM_NONE) translate_fail(f->env, v->name.span, "an input has no term");
    declare(f, v, term, v->is_private, length);
  }
}

/* Every adversary of the module starts in the same state in both runs. */
static const struct core *start_adversaries(struct frame *f) {
  const struct core *c = core_skip();
  for (size_t i = 0; i < f->env->module->decl_count; i++) {
    const struct ast_decl *d = f->env->module->decls[i];
    if (d->kind != DECL_ADVERSARY) continue;
    const char *name = arena_printf(arena_of(f), "%s'state", d->name.text);
    /* A sort that no source can name: nothing is known of its values. */
    const char *sort = arena_printf(arena_of(f), "%s.state", d->name.text);
    term_id state = fresh_var(f, d->span, name, sort_abstract(f->env->ts, sort));
    if (state == TERM_NONE) return NULL;
    struct translate_binding *b = arena_new(arena_of(f), struct translate_binding);
    *b = (struct translate_binding){.term = state, .is_program = true, .length = TERM_NONE};
    ptrmap_put(&f->env->vars, d, b);
    c = seq(f, c,
            set(f, d->span, state, kernel_fresh(f->env->k, name, term_sort(f->env->ts, state))));
  }
  return c;
}

bool lower_mechanism(struct translate_env *env, const struct ast_routine *m, struct lowered *out) {
  size_t calls = 0;
  struct frame f = {.env = env, .routine = m, .suffix = "", .calls = &calls};
  f.mechanism = &f;
  declare_inputs(&f, m);
  declare_locals(&f, m);
  const struct core *c = start_adversaries(&f);
  if (m->emits) {
    sort_id sort = sort_list(env->ts, translate_sort(env, m->emits->type));
    f.output = fresh_var(&f, m->span, "output", sort);
    c = seq(&f, c, set(&f, m->span, f.output, term_nil(env->ts, sort)));
  }
  if (m->returns)
    f.result = fresh_var(&f, m->span, "result", translate_sort(env, m->returns->type));
  if (needs_flag(m->body.stmts, m->body.count)) {
    f.returned = fresh_var(&f, m->span, "returned", SORT_BOOL);
    c = seq(&f, c, set(&f, m->span, f.returned, term_bool(env->ts, false)));
  }
  c = seq(&f, c, lower_stmts(&f, m->body.stmts, m->body.count));
  vec_clear(&f.shown);
  *out = (struct lowered){
      .program = c, .output = f.output, .result = f.result, .returned = f.returned};
  return c && !env->error;
}
