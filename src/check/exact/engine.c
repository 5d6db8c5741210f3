#include "check/exact/engine.h"

#include <stdlib.h>
#include <string.h>

#include "check/exact/liveness.h"

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

struct rframe *engine_frame(struct engine *e, struct path *p) {
  return e->adversary ? &p->adversaries.at[e->adversary_index].frame : &p->frames.at[e->active];
}

/* ---- expressions ---------------------------------------------------------------------------- */

bool engine_out_of_time(struct engine *e, struct span where) {
  if (!budget_is_spent(e->budget)) return false;
  engine_fail(e, EXACT_TIMEOUT, where, "out of time");
  return true;
}

/* An expression that failed for good: its diagnostic becomes the engine's reason. */
bool engine_take_failure(struct engine *e, struct diag_mark mark, struct span where) {
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
    if (engine_out_of_time(e, expr->span)) {
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
      ok = engine_take_failure(e, mark, expr->span);
      path_free(p);
    }
  }
  path_set_clear(&open);
  return ok;
}

/* ---- statements ----------------------------------------------------------------------------- */

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
  return ok || engine_take_failure(e, mark, t->index->span);
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
  ok = ok && engine_run_block(e, routine, &s->as.branch.then, &yes, returned);
  if (ok && s->as.branch.has_else)
    ok = engine_run_block(e, routine, &s->as.branch.otherwise, &no, returned);
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
    ok = !engine_out_of_time(e, s->span) && branch(e, paths, s->as.loop.cond, &yes, &done);
    ok = ok && engine_watch_loop(e, &watch, s->span, &yes);
    ok = ok && engine_run_block(e, routine, &s->as.loop.body, &yes, returned);
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
    ok = !engine_out_of_time(e, s->span) &&
         engine_run_block(e, routine, &s->as.range.body, paths, returned);
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
    ok = engine_right_side(e, &fresh, s->as.var.init, &values);
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
    ok = ok && engine_right_side(e, paths, s->as.assign.value, &values);
    ok = assign(e, s->as.assign.targets, s->as.assign.count, &values, paths) && ok;
    break;
  case STMT_SAMPLE:
    ok = fix_indices(e, &s->as.sample.target, 1, paths);
    ok = ok && engine_draw(e, paths, &s->as.sample.dist, &values);
    ok = assign(e, &s->as.sample.target, 1, &values, paths) && ok;
    break;
  case STMT_CALL:
    ok = engine_right_side(e, paths, s->as.call, &values);
    for (size_t i = 0; i < values.len; i++) {
      rvalue_clear(&values.at[i].value);
      vec_push(paths, values.at[i].path);
    }
    vec_clear(&values);
    break;
  case STMT_IF: ok = run_if(e, routine, s, paths, returned); break;
  case STMT_WHILE: ok = run_while(e, routine, s, paths, returned); break;
  case STMT_FOR: ok = run_for(e, routine, s, paths, returned); break;
  case STMT_EMIT: ok = engine_emit(e, s, paths); break;
  case STMT_RETURN: ok = run_return(e, s, paths, returned); break;
  }
  return ok;
}

bool engine_run_block(struct engine *e, const struct ast_routine *routine,
                      const struct ast_block *block, path_set *paths, path_set *returned) {
  for (size_t i = 0; i < block->count && paths->len; i++) {
    if (engine_out_of_time(e, block->stmts[i]->span)) return false;
    if (!run_stmt(e, routine, block->stmts[i], paths, returned)) return false;
    if (paths->len > LIMIT_EXACT_PATHS)
      return engine_fail(e, EXACT_UNSUPPORTED, block->stmts[i]->span, "there are too many paths");
    tidy(e, routine, block->stmts[i], paths);
  }
  return true;
}
