#include "check/exact/engine.h"
#include "check/exact/float_count.h"
#include "check/exact/float_list.h"

#include <stdlib.h>
#include <string.h>

#include "check/exact/liveness.h"
#include "check/exact/outcomes.h"
#include "run/eval/number.h"

bool engine_fail(struct engine *e, enum exact_status status, struct span where, const char *why) {
  if (e->status == EXACT_OK) {
    e->status = status;
    e->where = where;
    e->why = xstrdup(why);
  }
  return false;
}

struct sampler *engine_sampler(struct engine *e) {
  if (!*e->sampler) *e->sampler = sampler_new(e->precision);
  return *e->sampler;
}

void evaluated_clear(evaluated_list *list) {
  for (size_t i = 0; i < list->len; i++) {
    path_free(list->at[i].path);
    rvalue_clear(&list->at[i].value);
  }
  vec_clear(list);
}

struct rframe *engine_frame(struct engine *e, struct path *p) {
  return e->adversary ? &p->adversaries.at[e->adversary_index].frame : &p->frames.at[e->active];
}

/* ---- expressions ---------------------------------------------------------------------------- */

static bool out_of_time(struct engine *e, struct span where) {
  if (!budget_is_spent(e->budget)) return false;
  engine_fail(e, EXACT_TIMEOUT, where, "out of time");
  return true;
}

/* An expression that failed for good: its diagnostic becomes the engine's reason. */
static bool take_failure(struct engine *e, struct diag_mark mark, struct span where) {
  struct diags *diags = &e->in->lang->diags;
  if (e->context.obstacle) engine_fail(e, EXACT_UNSUPPORTED, where, e->context.obstacle);
  if (diags->list.len > mark.kept)
    engine_fail(e, EXACT_UNSUPPORTED, diags->list.at[mark.kept].span,
                diags->list.at[mark.kept].message);
  diags_rollback(diags, mark);
  return engine_fail(e, EXACT_UNSUPPORTED, where, "this cannot be evaluated on symbolic samples");
}

bool engine_evaluate(struct engine *e, path_set *paths, const struct ast_expr *expr,
                     evaluated_list *out) {
  struct diags *diags = &e->in->lang->diags;
  path_set open = {0};
  bool ok = true;
  for (size_t i = paths->len; i-- > 0;)
    vec_push(&open, paths->at[i]);
  vec_clear(paths);
  while (ok && open.len) {
    if (out_of_time(e, expr->span)) {
      ok = false;
      break;
    }
    struct path *p = vec_pop(&open);
    struct diag_mark mark = diags_mark(diags);
    struct rvalue value;
    e->context.measure = &p->measure;
    question_clear(&e->context.question);
    e->context.obstacle = NULL;
    if (reval_take(&e->in->ev, engine_frame(e, p), expr, &value)) {
      vec_push(out, (struct evaluated){p, value});
    } else if (e->context.question.kind) {
      diags_rollback(diags, mark);
      ok = engine_split(e, p, expr->span, &open);
      if (ok && open.len + out->len > LIMIT_EXACT_PATHS)
        ok = engine_fail(e, EXACT_UNSUPPORTED, expr->span, "there are too many paths");
    } else {
      ok = take_failure(e, mark, expr->span);
      path_free(p);
    }
  }
  path_set_clear(&open);
  return ok;
}

/* ---- statements ----------------------------------------------------------------------------- */

static bool run_block(struct engine *e, const struct ast_routine *routine,
                      const struct ast_block *block, path_set *paths, path_set *returned);

static const struct liveness *liveness_of(struct engine *e, const struct ast_routine *routine) {
  struct liveness *l = ptrmap_get(&e->liveness, routine);
  if (!l) {
    l = xmalloc(sizeof *l);
    liveness_init(l, routine);
    ptrmap_put(&e->liveness, routine, l);
  }
  return l;
}

/* Forgets what is not needed after the statement. Oracles read the mechanism's variables at times
 * that its own text does not show, so then everything stays. */
static void tidy(struct engine *e, const struct ast_routine *routine, const struct ast_stmt *s,
                 path_set *paths) {
  bool has_oracles = e->in->mechanism->as.mechanism.routine->oracle_count > 0;
  const struct liveness *l = has_oracles || e->adversary ? NULL : liveness_of(e, routine);
  for (size_t i = 0; i < paths->len; i++) {
    struct rframe *f = engine_frame(e, paths->at[i]);
    for (size_t slot = 0; l && slot < f->count; slot++)
      if (!liveness_after(l, s, slot)) rvalue_clear(&f->at[slot]);
    path_eliminate_dead(paths->at[i], e->precision);
  }
  path_set_merge(paths, &e->context, e->precision);
}

static bool resolve_index(struct engine *e, struct path *p, const struct ast_target *t,
                          size_t *index) {
  struct rframe *f = engine_frame(e, p);
  struct diag_mark mark = diags_mark(&e->in->lang->diags);
  struct rvalue held = {0};
  e->context.measure = &p->measure;
  const struct rvalue *i = reval_expr(&e->in->ev, f, t->index, &held);
  bool ok = i && i->kind == RVALUE_INT && rvalue_is_seq(&f->at[t->var->slot]) &&
            reval_index(&e->in->ev, t->index, i, f->at[t->var->slot].as.seq->len, index);
  rvalue_clear(&held);
  if (!ok) question_clear(&e->context.question);
  return ok || take_failure(e, mark, t->index->span);
}

/* Takes over the value; `index` is where in an array. */
static void put(struct engine *e, struct path *p, const struct ast_target *t, size_t index,
                struct rvalue value) {
  struct rvalue *slot = &engine_frame(e, p)->at[t->var->slot];
  if (t->index) {
    rvalue_own(slot);
    slot = &slot->as.seq->at[index];
  }
  rvalue_clear(slot);
  *slot = value;
}

/* All indices are evaluated before anything is assigned. */
static bool assign_one(struct engine *e, struct path *p, const struct ast_target *targets,
                       size_t count, struct rvalue *value) {
  size_t *indices = xcalloc(count, sizeof *indices);
  bool ok = count == 1 || (value->kind == RVALUE_TUPLE && value->as.seq->len == count) ||
            engine_fail(e, EXACT_UNSUPPORTED, targets[0].name.span, "this needs a tuple");
  for (size_t i = 0; ok && i < count; i++)
    ok = !targets[i].index || resolve_index(e, p, &targets[i], &indices[i]);
  if (ok && count == 1) {
    put(e, p, &targets[0], indices[0], *value);
    *value = (struct rvalue){0};
  }
  for (size_t i = 0; ok && count > 1 && i < count; i++)
    put(e, p, &targets[i], indices[i], rvalue_copy(&value->as.seq->at[i]));
  free(indices);
  return ok;
}

/* The values go to the targets of an assignment, the paths to `paths`. */
static bool assign(struct engine *e, const struct ast_target *targets, size_t count,
                   evaluated_list *values, path_set *paths) {
  bool ok = true;
  for (size_t i = 0; i < values->len; i++) {
    struct evaluated *v = &values->at[i];
    ok = ok && assign_one(e, v->path, targets, count, &v->value);
    rvalue_clear(&v->value);
    vec_push(paths, v->path);
  }
  vec_clear(values);
  return ok;
}

/* ---- calls with effects --------------------------------------------------------------------- */

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

/* Runs the body on all paths; all of them end up in `paths` again, results in p->result. */
static bool run_body(struct engine *e, const struct ast_routine *routine, path_set *paths) {
  path_set returned = {0};
  bool ok = run_block(e, routine, &routine->plain, paths, &returned);
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
  bool ok = run_body(e, routine, paths);
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
  bool ok = run_body(e, oracle, paths);
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
    return take_failure(e, mark, written->span);
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
  bool ok = run_body(e, script, paths);
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

/* The right-hand side of an assignment. Consumes `paths`. */
static bool right_side(struct engine *e, path_set *paths, const struct ast_expr *expr,
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

/* ---- control -------------------------------------------------------------------------------- */

/* Sorts the paths by a condition. Consumes `paths`. */
static bool branch(struct engine *e, path_set *paths, const struct ast_expr *cond, path_set *yes,
                   path_set *no) {
  evaluated_list values = {0};
  bool ok = engine_evaluate(e, paths, cond, &values);
  for (size_t i = 0; i < values.len; i++) {
    if (values.at[i].value.kind != RVALUE_BOOL)
      ok = engine_fail(e, EXACT_UNSUPPORTED, cond->span, "this condition has no truth value");
    vec_push(ok && values.at[i].value.as.boolean ? yes : no, values.at[i].path);
    if (!ok) rvalue_clear(&values.at[i].value);
  }
  vec_clear(&values);
  return ok;
}

static bool run_if(struct engine *e, const struct ast_routine *routine, const struct ast_stmt *s,
                   path_set *paths, path_set *returned) {
  path_set yes = {0}, no = {0};
  bool ok = branch(e, paths, s->as.branch.cond, &yes, &no);
  ok = ok && run_block(e, routine, &s->as.branch.then, &yes, returned);
  if (ok && s->as.branch.has_else)
    ok = run_block(e, routine, &s->as.branch.otherwise, &no, returned);
  path_set_move(paths, &yes);
  path_set_move(paths, &no);
  return ok;
}

static bool run_while(struct engine *e, const struct ast_routine *routine, const struct ast_stmt *s,
                      path_set *paths, path_set *returned) {
  path_set done = {0};
  struct loop_watch watch = {0};
  bool ok = true;
  while (ok && paths->len) {
    path_set yes = {0};
    e->in->ev.steps = 0; /* the limit on rounds takes its place */
    ok = !out_of_time(e, s->span) && branch(e, paths, s->as.loop.cond, &yes, &done);
    ok = ok && engine_watch_loop(e, &watch, s->span, &yes);
    ok = ok && run_block(e, routine, &s->as.loop.body, &yes, returned);
    path_set_move(paths, &yes);
    path_set_merge(&done, &e->context, e->precision);
  }
  loop_watch_clear(&watch);
  path_set_move(paths, &done);
  return ok;
}

/* Moves the paths on which the loop has been left to `done`. */
static void part_stopped(struct engine *e, const struct ast_var *stop, path_set *paths,
                         path_set *done) {
  size_t kept = 0;
  for (size_t i = 0; stop && i < paths->len; i++) {
    const struct rvalue *flag = &engine_frame(e, paths->at[i])->at[stop->slot];
    if (flag->kind == RVALUE_BOOL && flag->as.boolean)
      vec_push(done, paths->at[i]);
    else
      paths->at[kept++] = paths->at[i];
  }
  if (stop) paths->len = kept;
}

/* The rounds of a for loop on paths that agree on the bounds. */
static bool run_rounds(struct engine *e, const struct ast_routine *routine,
                       const struct ast_stmt *s, struct rvalue *low, const struct rvalue *high,
                       path_set *paths, path_set *returned) {
  bool ok = true;
  path_set done = {0};
  for (; ok && paths->len && fmpz_cmp(&low->as.integer, &high->as.integer) < 0;
       fmpz_add_ui(&low->as.integer, &low->as.integer, 1)) {
    e->in->ev.steps = 0;
    for (size_t i = 0; i < paths->len; i++) {
      struct rvalue *slot = &engine_frame(e, paths->at[i])->at[s->as.range.var->slot];
      rvalue_clear(slot);
      *slot = rvalue_copy(low);
    }
    ok = !out_of_time(e, s->span) && run_block(e, routine, &s->as.range.body, paths, returned);
    part_stopped(e, s->as.range.stop, paths, &done);
  }
  path_set_move(paths, &done);
  return ok;
}

static bool same_number(const struct rvalue *a, const struct rvalue *b) {
  return a->kind == RVALUE_INT && b->kind == RVALUE_INT &&
         fmpz_equal(&a->as.integer, &b->as.integer);
}

/* Integer samples in the high bounds become constants; the low bounds wait beside them. */
static bool fix_ends(struct engine *e, evaluated_list *ends, struct span where) {
  bool any = false;
  for (size_t i = 0; i < ends->len; i++)
    any |= ends->at[i].value.kind == RVALUE_SYMBOLIC;
  if (!any) return true;
  for (size_t i = 0; i < ends->len; i++) {
    struct rvalue *low = &ends->at[i].path->result;
    if (low->kind != RVALUE_INT || fmpz_sgn(&low->as.integer))
      return engine_fail(e, EXACT_UNSUPPORTED, where,
                         "the bound of a loop that begins elsewhere than at 0 depends on a sample");
  }
  bool ok = engine_fix(e, ends, where);
  for (size_t i = 0; i < ends->len; i++) {
    rvalue_clear(&ends->at[i].path->result);
    ends->at[i].path->result = rvalue_int(0);
  }
  return ok;
}

/* Indices of targets that are integer samples become constants, before anything is evaluated. */
static bool fix_indices(struct engine *e, const struct ast_target *targets, size_t count,
                        path_set *paths) {
  bool ok = true;
  for (size_t i = 0; ok && i < count; i++) {
    evaluated_list values = {0};
    if (!targets[i].index) continue;
    ok = engine_evaluate(e, paths, targets[i].index, &values) &&
         engine_fix(e, &values, targets[i].index->span);
    for (size_t k = 0; k < values.len; k++) {
      rvalue_clear(&values.at[k].value);
      vec_push(paths, values.at[k].path);
    }
    vec_clear(&values);
  }
  return ok;
}

static bool run_for(struct engine *e, const struct ast_routine *routine, const struct ast_stmt *s,
                    path_set *paths, path_set *returned) {
  evaluated_list bounds = {0}, ends = {0};
  path_set done = {0};
  bool ok = engine_evaluate(e, paths, s->as.range.low, &bounds) &&
            engine_fix(e, &bounds, s->as.range.low->span);
  for (size_t i = 0; i < bounds.len; i++) { /* the low bound waits in p->result */
    rvalue_clear(&bounds.at[i].path->result);
    bounds.at[i].path->result = bounds.at[i].value;
    vec_push(paths, bounds.at[i].path);
  }
  vec_clear(&bounds);
  ok = ok && engine_evaluate(e, paths, s->as.range.high, &ends) &&
       fix_ends(e, &ends, s->as.range.high->span);
  for (size_t i = 0; ok && i < ends.len; i++) {
    if (!ends.at[i].path) continue;
    struct rvalue low = rvalue_copy(&ends.at[i].path->result),
                  high = rvalue_copy(&ends.at[i].value);
    path_set group = {0};
    ok = low.kind == RVALUE_INT && high.kind == RVALUE_INT;
    if (!ok) engine_fail(e, EXACT_UNSUPPORTED, s->span, "a loop bound depends on a sample");
    for (size_t j = i; ok && j < ends.len; j++)
      if (ends.at[j].path && same_number(&ends.at[j].value, &high) &&
          same_number(&ends.at[j].path->result, &low)) {
        rvalue_clear(&ends.at[j].path->result);
        vec_push(&group, ends.at[j].path);
        ends.at[j].path = NULL;
      }
    ok = ok && run_rounds(e, routine, s, &low, &high, &group, returned);
    path_set_move(&done, &group);
    rvalue_clear(&low);
    rvalue_clear(&high);
  }
  for (size_t i = 0; i < ends.len; i++) {
    if (ends.at[i].path) path_free(ends.at[i].path);
    rvalue_clear(&ends.at[i].value);
  }
  vec_clear(&ends);
  path_set_move(paths, &done);
  return ok;
}

/* ---- outputs -------------------------------------------------------------------------------- */

/* The pattern of the stream, and of the returned value. */
static bool has_both(const struct engine *e) {
  const struct ast_routine *routine = e->in->mechanism->as.mechanism.routine;
  return routine->emits && routine->returns && e->event->kind != PATTERN_ANY;
}

static const struct pattern *stream_pattern(const struct engine *e) {
  return has_both(e) ? &e->event->items[0] : e->event;
}

static const struct pattern *result_pattern(const struct engine *e) {
  return has_both(e) ? &e->event->items[1] : e->event;
}

static bool event_has_shape(struct engine *e) {
  if (!has_both(e) || (e->event->kind == PATTERN_TUPLE && e->event->count == 2)) return true;
  return engine_fail(e, EXACT_UNSUPPORTED, e->in->mechanism->span,
                     "the output is a stream and a result: write the event as ([...], ...)");
}

/* The value in p->result is the next output. Consumes p; what is left of it goes to `out`. */
static bool emit_value(struct engine *e, struct path *p, struct span where, path_set *out) {
  if (!e->event) {
    path_set fixed = {0};
    bool ok = engine_enumerate(e, p, where, &fixed);
    for (size_t i = 0; i < fixed.len; i++) {
      struct path *q = fixed.at[i];
      rvalue_push(&q->emitted, q->result);
      q->result = (struct rvalue){0};
      vec_push(out, q);
    }
    vec_clear(&fixed);
    /* every path has memory of its own: what cannot be listed in the end is not begun */
    if (ok && out->len > LIMIT_EXACT_LISTED)
      ok = engine_fail(e, EXACT_UNLISTED, where,
                       "the outputs are too many to be listed; ask for an event");
    return ok;
  }
  const struct pattern *stream = stream_pattern(e);
  bool keep = true, ok = true;
  if (stream->kind == PATTERN_LIST) {
    if (p->emit_count < stream->count)
      ok = engine_match(e, p, &p->result, &stream->items[p->emit_count], where, &keep);
    else
      keep = stream->is_open;
  } else if (stream->kind != PATTERN_ANY) {
    ok = engine_fail(e, EXACT_UNSUPPORTED, where,
                     "the output is a stream: write the event as [...]");
  }
  if (stream->kind == PATTERN_LIST && p->emit_count < stream->count) p->emit_count++;
  rvalue_clear(&p->result);
  if (ok && keep)
    vec_push(out, p);
  else
    path_free(p);
  return ok;
}

static bool run_emit(struct engine *e, const struct ast_stmt *s, path_set *paths) {
  evaluated_list values = {0};
  bool ok = engine_evaluate(e, paths, s->as.value, &values);
  for (size_t i = 0; i < values.len; i++) {
    struct path *p = values.at[i].path;
    rvalue_clear(&p->result);
    p->result = values.at[i].value;
    if (ok)
      ok = emit_value(e, p, s->span, paths);
    else
      path_free(p);
  }
  vec_clear(&values);
  return ok;
}

static bool run_return(struct engine *e, const struct ast_stmt *s, path_set *paths,
                       path_set *returned) {
  if (!s->as.value) {
    path_set_move(returned, paths);
    return true;
  }
  evaluated_list values = {0};
  bool ok = engine_evaluate(e, paths, s->as.value, &values);
  for (size_t i = 0; i < values.len; i++) {
    rvalue_clear(&values.at[i].path->result);
    values.at[i].path->result = values.at[i].value;
    vec_push(returned, values.at[i].path);
  }
  vec_clear(&values);
  return ok;
}

static bool run_var(struct engine *e, const struct ast_stmt *s, path_set *paths) {
  const struct ast_var *var = s->as.var.var;
  struct ast_target target = {.name = var->name, .var = (struct ast_var *)var};
  evaluated_list values = {0};
  path_set fresh = {0}, kept = {0};
  for (size_t i = 0; i < paths->len; i++) { /* an adversary's state is set up only once */
    bool started = var->role == VAR_STATE && e->adversary &&
                   paths->at[i]->adversaries.at[e->adversary_index].started;
    vec_push(started ? &kept : &fresh, paths->at[i]);
  }
  vec_clear(paths);
  bool ok = true;
  if (s->as.var.init) {
    ok = right_side(e, &fresh, s->as.var.init, &values);
    ok = assign(e, &target, 1, &values, paths) && ok;
  } else {
    for (size_t i = 0; ok && i < fresh.len; i++) {
      struct rvalue zero = {0};
      if (var->declared && var->declared->kind == TYPE_ARRAY)
        ok = interp_zero(e->in, engine_frame(e, fresh.at[i]), var->declared, &zero);
      if (ok) put(e, fresh.at[i], &target, 0, zero);
    }
    path_set_move(paths, &fresh);
  }
  path_set_move(paths, &kept);
  path_set_clear(&fresh);
  return ok || engine_fail(e, EXACT_UNSUPPORTED, s->span, "the declaration cannot be evaluated");
}

static bool run_stmt(struct engine *e, const struct ast_routine *routine, const struct ast_stmt *s,
                     path_set *paths, path_set *returned) {
  evaluated_list values = {0};
  bool ok = true;
  switch (s->kind) {
  case STMT_BREAK: /* not in plain bodies */
  case STMT_CONTINUE:
  case STMT_ERROR: ok = engine_fail(e, EXACT_UNSUPPORTED, s->span, "malformed statement"); break;
  case STMT_SKIP: break;
  case STMT_VAR: ok = run_var(e, s, paths); break;
  case STMT_ASSIGN:
    ok = fix_indices(e, s->as.assign.targets, s->as.assign.count, paths);
    ok = ok && right_side(e, paths, s->as.assign.value, &values);
    ok = assign(e, s->as.assign.targets, s->as.assign.count, &values, paths) && ok;
    break;
  case STMT_SAMPLE:
    ok = fix_indices(e, &s->as.sample.target, 1, paths);
    ok = ok && engine_draw(e, paths, &s->as.sample.dist, &values);
    ok = assign(e, &s->as.sample.target, 1, &values, paths) && ok;
    break;
  case STMT_CALL:
    ok = right_side(e, paths, s->as.call, &values);
    for (size_t i = 0; i < values.len; i++) {
      rvalue_clear(&values.at[i].value);
      vec_push(paths, values.at[i].path);
    }
    vec_clear(&values);
    break;
  case STMT_IF: ok = run_if(e, routine, s, paths, returned); break;
  case STMT_WHILE: ok = run_while(e, routine, s, paths, returned); break;
  case STMT_FOR: ok = run_for(e, routine, s, paths, returned); break;
  case STMT_EMIT: ok = run_emit(e, s, paths); break;
  case STMT_RETURN: ok = run_return(e, s, paths, returned); break;
  }
  return ok;
}

static bool run_block(struct engine *e, const struct ast_routine *routine,
                      const struct ast_block *block, path_set *paths, path_set *returned) {
  for (size_t i = 0; i < block->count && paths->len; i++) {
    if (out_of_time(e, block->stmts[i]->span)) return false;
    if (!run_stmt(e, routine, block->stmts[i], paths, returned)) return false;
    if (paths->len > LIMIT_EXACT_PATHS)
      return engine_fail(e, EXACT_UNSUPPORTED, block->stmts[i]->span, "there are too many paths");
    tidy(e, routine, block->stmts[i], paths);
  }
  return true;
}

/* ---- whole runs ----------------------------------------------------------------------------- */

static void engine_init(struct engine *e, struct interp *in, const struct pattern *event,
                        const struct exact_options *options) {
  *e = (struct engine){.in = in,
                       .event = event,
                       .precision = options->precision ? options->precision : EXACT_PRECISION,
                       .budget = options->budget,
                       .next = 1};
  e->sampler = options->sampler ? options->sampler : &e->own_sampler;
  arb_init(e->lost);
  ptrmap_init(&e->liveness);
}

static void engine_clear(struct engine *e) {
  for (size_t i = 0; i < e->liveness.capacity; i++)
    if (e->liveness.slots[i].value) {
      liveness_clear(e->liveness.slots[i].value);
      free(e->liveness.slots[i].value);
    }
  ptrmap_clear(&e->liveness);
  sampler_unref(e->own_sampler);
  arb_clear(e->lost);
  question_clear(&e->context.question);
}

static struct path *first_path(struct engine *e) {
  const struct ast_routine *routine = e->in->mechanism->as.mechanism.routine;
  struct path *p = path_new();
  struct rframe f;
  rframe_init(&f, routine->slot_count);
  for (size_t i = 0; i < routine->arg_count; i++)
    f.at[i] = rvalue_copy(&e->in->frame.at[i]);
  vec_push(&p->frames, f);
  for (size_t i = 0; i < e->in->adversaries.len; i++) {
    struct path_adversary a = {0};
    rframe_init(&a.frame, e->in->adversaries.at[i]->frame.count);
    a.use_count = e->in->adversaries.at[i]->decl->as.adversary.use_count;
    a.left = xcalloc(a.use_count + 1, sizeof *a.left);
    vec_push(&p->adversaries, a);
  }
  if (!e->event) p->emitted = rvalue_seq(RVALUE_LIST, 0);
  return p;
}

/* All paths to the end; what they returned is in p->result. */
static bool run_mechanism(struct engine *e, path_set *paths) {
  vec_push(paths, first_path(e));
  return run_body(e, e->in->mechanism->as.mechanism.routine, paths);
}

/* Does the finished path match the rest of the event? */
static bool match_end(struct engine *e, struct path *p, bool *keep) {
  const struct ast_routine *routine = e->in->mechanism->as.mechanism.routine;
  *keep = true;
  if (routine->emits) {
    const struct pattern *stream = stream_pattern(e);
    if (stream->kind == PATTERN_LIST) *keep = p->emit_count == stream->count;
  }
  if (*keep && routine->returns)
    return engine_match(e, p, &p->result, result_pattern(e), routine->span, keep);
  return true;
}

void exact_result_init(struct exact_result *r) {
  *r = (struct exact_result){.status = EXACT_UNSUPPORTED};
  arb_init(r->probability);
}

void exact_result_clear(struct exact_result *r) {
  free(r->why);
  free(r->counted);
  arb_clear(r->probability);
}

/* Adds up the finished paths. Those with fewer points outweigh the others: a density is nothing
 * against a probability. */
static void add_up(struct engine *e, path_set *paths, struct exact_result *r) {
  arb_t mass;
  arb_init(mass);
  r->points = UINT_MAX;
  bool ok = true;
  for (size_t i = 0; ok && i < paths->len; i++) {
    struct path *p = paths->at[i];
    bool keep;
    ok = match_end(e, p, &keep);
    if (!ok || !keep || measure_is_zero(&p->measure) || p->points > r->points) continue;
    const char *why = measure_total(mass, &p->measure, e->precision, e->budget);
    if (why) ok = engine_fail(e, EXACT_UNSUPPORTED, e->in->mechanism->span, why);
    if (p->points < r->points) arb_zero(r->probability);
    r->points = p->points;
    arb_add(r->probability, r->probability, mass, e->precision);
  }
  if (r->points == UINT_MAX) r->points = 0;
  if (ok && !arb_is_zero(e->lost)) {
    if (r->points)
      engine_fail(e, EXACT_UNSUPPORTED, e->in->mechanism->span,
                  "real outputs beside integer noise of infinite range");
    arb_t most;
    arb_init(most);
    arb_add(most, r->probability, e->lost, e->precision);
    arb_union(r->probability, r->probability, most, e->precision);
    arb_clear(most);
  }
  arb_clear(mass);
}

/* Of a floating-point program, what counting said before is to the point. */
static void take_reason(const struct engine *e, bool floats, char **why, struct span *where) {
  if (floats && e->status != EXACT_OK) {
    free(e->why);
    return;
  }
  free(*why);
  *why = e->why;
  *where = e->where;
}

void exact_probability(struct interp *in, const struct pattern *event,
                       const struct exact_options *options, struct exact_result *result) {
  struct engine e;
  path_set paths = {0};
  bool floats = pipeline_is_wanted(in);
  if (floats && float_probability(in, event, options, result)) return;
  result->is_bound = false;
  engine_init(&e, in, event, options);
  if (event_has_shape(&e) && run_mechanism(&e, &paths)) add_up(&e, &paths, result);
  path_set_clear(&paths);
  result->status = e.status;
  take_reason(&e, floats, &result->why, &result->where);
  engine_clear(&e);
}

void exact_distribution_init(struct exact_distribution *d) {
  *d = (struct exact_distribution){.status = EXACT_UNSUPPORTED};
  arb_init(d->lost);
}

void exact_distribution_clear(struct exact_distribution *d) {
  for (size_t i = 0; i < d->outcomes.len; i++) {
    rvalue_clear(&d->outcomes.at[i].output);
    arb_clear(d->outcomes.at[i].probability);
  }
  vec_clear(&d->outcomes);
  arb_clear(d->lost);
  free(d->why);
}

/* Output of a finished path, as the sampler shows it. Takes the values. */
static struct rvalue output_of(const struct ast_routine *routine, struct path *p) {
  struct rvalue emitted = p->emitted, returned = p->result;
  p->emitted = p->result = (struct rvalue){0};
  if (!routine->emits) {
    rvalue_clear(&emitted);
    return returned;
  }
  if (!routine->returns) {
    rvalue_clear(&returned);
    return emitted;
  }
  struct rvalue both = rvalue_seq(RVALUE_TUPLE, 2);
  both.as.seq->at[0] = emitted;
  both.as.seq->at[1] = returned;
  return both;
}

/* A guard against mistakes of the engine: where every run ends, the probabilities and what was lost
 * make 1. */
static bool adds_up(const struct exact_distribution *d, const struct engine *e) {
  arb_t sum;
  arb_init(sum);
  for (size_t i = 0; i < d->outcomes.len; i++)
    arb_add(sum, sum, d->outcomes.at[i].probability, e->precision);
  arb_sub_ui(sum, sum, 1, e->precision);
  bool ok = !arb_is_positive(sum);
  arb_add(sum, sum, e->lost, e->precision);
  ok = ok && (e->may_not_end || !arb_is_negative(sum));
  arb_clear(sum);
  return ok;
}

void exact_distribution(struct interp *in, const struct exact_options *options,
                        struct exact_distribution *result) {
  const bool floats = pipeline_is_wanted(in);
  struct engine e;
  path_set paths = {0}, fixed = {0};
  struct outcome_index index;
  arb_t mass;
  if (floats && float_distribution(in, options, result)) return;
  arb_init(mass);
  outcome_index_init(&index);
  engine_init(&e, in, NULL, options);
  bool ok = run_mechanism(&e, &paths);
  for (size_t i = 0; i < paths.len; i++) {
    if (ok)
      ok = engine_enumerate(&e, paths.at[i], in->mechanism->span, &fixed);
    else
      path_free(paths.at[i]);
  }
  vec_clear(&paths);
  for (size_t i = 0; ok && i < fixed.len; i++) {
    struct rvalue output = output_of(in->mechanism->as.mechanism.routine, fixed.at[i]);
    const char *why = measure_total(mass, &fixed.at[i]->measure, e.precision, e.budget);
    if (why) ok = engine_fail(&e, EXACT_UNSUPPORTED, in->mechanism->span, why);
    struct exact_outcome *outcome = outcome_for(result, &index, &output);
    if (outcome)
      arb_add(outcome->probability, outcome->probability, mass, e.precision);
    else
      ok = engine_fail(&e, EXACT_UNSUPPORTED, in->mechanism->span, "there are too many outputs");
    if (out_of_time(&e, in->mechanism->span)) ok = false;
  }
  path_set_clear(&fixed);
  if (ok && !adds_up(result, &e))
    engine_fail(&e, EXACT_UNSUPPORTED, in->mechanism->span,
                "the computed probabilities do not add up to 1: please report this program");
  arb_set(result->lost, e.lost);
  result->may_not_end = e.may_not_end;
  result->status = e.status;
  take_reason(&e, floats, &result->why, &result->where);
  outcome_index_clear(&index);
  arb_clear(mass);
  engine_clear(&e);
}
