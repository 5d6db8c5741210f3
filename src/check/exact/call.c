#include "check/exact/engine.h"

/* Evaluates the arguments into p->result (a tuple), so that they survive splitting. */
static bool evaluate_arguments(struct engine *e, path_set *paths, const struct ast_expr *call) {
  for (size_t i = 0; i < paths->len; i++) {
    rvalue_clear(&paths->at[i]->result);
    paths->at[i]->result = rvalue_seq(RVALUE_TUPLE, 0);
  }
  bool ok = true;
  for (size_t k = 0; ok && k < call->as.call.count; k++) {
    evaluated_list values = {0};
    ok = engine_evaluate(e, paths, call->as.call.args[k], &values);
    for (size_t i = 0; i < values.len; i++) {
      rvalue_push(&values.at[i].path->result, values.at[i].value);
      vec_push(paths, values.at[i].path);
    }
    vec_clear(&values);
  }
  return ok;
}

/* Moves the arguments from p->result to the slots of the routine. */
static void bind_arguments(struct path *p, struct rframe *f, const struct ast_routine *routine) {
  for (size_t i = 0; i < routine->arg_count; i++) {
    struct rvalue *slot = &f->at[routine->args[i]->slot];
    rvalue_clear(slot);
    *slot = rvalue_copy(&p->result.as.seq->at[i]);
  }
  rvalue_clear(&p->result);
  p->result = rvalue_unit();
}

bool engine_run_body(struct engine *e, const struct ast_routine *routine, path_set *paths) {
  path_set returned = {0};
  bool ok = engine_run_block(e, routine, &routine->plain, paths, &returned);
  path_set_move(paths, &returned);
  return ok;
}

static bool call_procedure(struct engine *e, path_set *paths, const struct ast_routine *routine) {
  for (size_t i = 0; i < paths->len; i++) {
    struct rframe f;
    rframe_init(&f, routine->slot_count);
    bind_arguments(paths->at[i], &f, routine);
    vec_push(&paths->at[i]->frames, f);
  }
  size_t caller = e->active;
  const struct interp_adversary *adversary = e->adversary;
  e->active = paths->len ? paths->at[0]->frames.len - 1 : 0;
  e->adversary = NULL;
  bool ok = engine_run_body(e, routine, paths);
  e->active = caller;
  e->adversary = adversary;
  for (size_t i = 0; i < paths->len; i++)
    rframe_clear(&vec_pop(&paths->at[i]->frames));
  return ok;
}

/* The script of an adversary asks an oracle: it may do so only as often as declared, on every path.
 */
static bool count_queries(struct engine *e, path_set *paths, const struct ast_expr *call) {
  for (size_t i = 0; i < paths->len; i++) {
    uint64_t *left = &paths->at[i]->adversaries.at[e->adversary_index].left[call->as.call.use];
    if (!*left)
      return engine_fail(e, EXACT_UNSUPPORTED, call->span,
                         "the adversary queries the oracle more often than it may");
    --*left;
  }
  return true;
}

/* What a call names: in a script the oracle that the mechanism has for this use. */
static const struct ast_routine *oracle_of(const struct engine *e, const struct ast_expr *call) {
  if (!e->adversary) return call->as.call.oracle;
  bool known = e->oracles && call->as.call.use < e->adversary->decl->as.adversary.use_count;
  return known ? e->oracles[call->as.call.use] : NULL;
}

static bool call_oracle(struct engine *e, path_set *paths, const struct ast_expr *call) {
  const struct ast_routine *oracle = oracle_of(e, call);
  if (!oracle) return engine_fail(e, EXACT_UNSUPPORTED, call->span, "there is no such oracle");
  if (e->adversary && !count_queries(e, paths, call)) return false;
  for (size_t i = 0; i < paths->len; i++)
    bind_arguments(paths->at[i], &paths->at[i]->frames.at[0], oracle);
  size_t caller = e->active;
  const struct interp_adversary *adversary = e->adversary;
  bool in_oracle = e->in_oracle;
  e->active = 0;
  e->adversary = NULL;
  e->in_oracle =
      true; /* adversaries are not called from inside: that would be another one's call */
  bool ok = engine_run_body(e, oracle, paths);
  e->active = caller;
  e->adversary = adversary;
  e->in_oracle = in_oracle;
  return ok;
}

static void forget_locals(struct path_adversary *a, const struct ast_routine *script) {
  for (size_t i = 0; i < script->arg_count; i++)
    rvalue_clear(&a->frame.at[script->args[i]->slot]);
  for (size_t i = 0; i < script->local_count; i++)
    if (script->locals[i]->role != VAR_STATE) rvalue_clear(&a->frame.at[script->locals[i]->slot]);
}

/* How often may each oracle be asked? The bounds speak of the arguments of this call. */
static bool start_count(struct engine *e, struct path *p, const struct ast_decl *adversary,
                        struct path_adversary *a) {
  for (size_t i = 0; i < a->use_count; i++) {
    struct rvalue bound = {0};
    struct diag_mark mark = diags_mark(&e->in->lang->diags);
    e->context.measure = &p->measure;
    const struct ast_expr *written = adversary->as.adversary.uses[i].bound;
    bool ok = reval_take(&e->in->ev, &a->frame, written, &bound) && bound.kind == RVALUE_INT;
    if (ok) a->left[i] = rvalue_count(&bound);
    rvalue_clear(&bound);
    if (ok) continue;
    question_clear(&e->context.question);
    return engine_take_failure(e, mark, written->span);
  }
  return true;
}

static bool call_adversary(struct engine *e, path_set *paths, const struct ast_expr *call) {
  size_t index = 0;
  while (index < e->in->adversaries.len && e->in->adversaries.at[index]->decl != call->as.call.decl)
    index++;
  if (index == e->in->adversaries.len || e->adversary || e->in_oracle)
    return engine_fail(e, EXACT_UNSUPPORTED, call->span, "the adversary has no script here");
  const struct ast_routine *script = e->in->adversaries.at[index]->script;
  for (size_t i = 0; i < paths->len; i++) {
    struct path_adversary *a = &paths->at[i]->adversaries.at[index];
    bind_arguments(paths->at[i], &a->frame, script);
    if (!start_count(e, paths->at[i], call->as.call.decl, a)) return false;
  }
  e->oracles = call->as.call.oracles;
  e->adversary = e->in->adversaries.at[index];
  e->adversary_index = index;
  bool ok = engine_run_body(e, script, paths);
  e->adversary = NULL;
  for (size_t i = 0; i < paths->len; i++) {
    paths->at[i]->adversaries.at[index].started = true;
    forget_locals(&paths->at[i]->adversaries.at[index], script);
  }
  return ok;
}

static bool is_effectful(const struct ast_expr *expr) {
  return expr->kind == EXPR_CALL && expr->as.call.callee_kind >= CALLEE_PROCEDURE;
}

bool engine_right_side(struct engine *e, path_set *paths, const struct ast_expr *expr,
                       evaluated_list *out) {
  if (!is_effectful(expr)) return engine_evaluate(e, paths, expr, out);
  bool ok = evaluate_arguments(e, paths, expr);
  switch (ok ? expr->as.call.callee_kind : CALLEE_UNRESOLVED) {
  case CALLEE_PROCEDURE: ok = call_procedure(e, paths, expr->as.call.decl->as.procedure); break;
  case CALLEE_ORACLE: ok = call_oracle(e, paths, expr); break;
  case CALLEE_ADVERSARY: ok = call_adversary(e, paths, expr); break;
  default: break;
  }
  for (size_t i = 0; i < paths->len; i++) {
    vec_push(out, (struct evaluated){paths->at[i], paths->at[i]->result});
    paths->at[i]->result = (struct rvalue){0};
  }
  vec_clear(paths);
  return ok;
}
