/* Statements: a program is run with nodes in the place of what depends on words. */
#include <stdlib.h>
#include <string.h>

#include "check/exact/pipeline_internal.h"

/* What is still to be run: the statements of a block from `next` on, or (block NULL) the rounds of
 * a `for` loop from `round` on; then what is around it. */
struct rest {
  const struct ast_block *block;
  size_t next;
  const struct rest *after;
  const struct ast_stmt *range;
  wide round, end;
};

/* What a run puts out. */
struct outputs {
  size_t at[LIMIT_PIPELINE_OUTPUTS], count, emitted;
};

/* ---- statements ----------------------------------------------------------------------------- */

static bool run_rest(struct builder *b, const struct rest *rest, struct outputs *out);

static bool assign(struct builder *b, const struct ast_var *var, const struct ast_expr *value) {
  struct rvalue known = {0};
  size_t node = NO_NODE;
  if (pipeline_varies(b, value)) {
    node = pipeline_build(b, value);
    if (node == NO_NODE) return false;
  } else if (value->kind == EXPR_CALL && value->as.call.callee_kind >= CALLEE_PROCEDURE) {
    pipeline_refuse(b, value->span, "calls of this kind are not supported");
    return false;
  } else if (!pipeline_compute(b, value, &known)) {
    return false;
  }
  return scope_set(&b->scope, var, node, known);
}

static bool emit(struct builder *b, const struct ast_expr *value) {
  const size_t node = pipeline_build(b, value);
  if (node == NO_NODE) return false;
  if (b->scope.emit_count == LIMIT_PIPELINE_OUTPUTS) {
    pipeline_refuse(b, value->span, "there are too many outputs");
    return false;
  }
  b->scope.emitted[b->scope.emit_count++] = node;
  return true;
}

/* The plain statements; false: it is another one, or there was a mistake. */
static bool run_simple(struct builder *b, const struct ast_stmt *s) {
  switch (s->kind) {
  case STMT_SKIP: return true;
  case STMT_VAR: return !s->as.var.init || assign(b, s->as.var.var, s->as.var.init);
  case STMT_EMIT: return emit(b, s->as.value);
  case STMT_ASSIGN:
    if (s->as.assign.count == 1 && !s->as.assign.targets[0].index)
      return assign(b, s->as.assign.targets[0].var, s->as.assign.value);
    break;
  case STMT_SAMPLE:
    if (!s->as.sample.target.index) {
      size_t node = pipeline_draw(b, &s->as.sample.dist);
      return node != NO_NODE &&
             scope_set(&b->scope, s->as.sample.target.var, node, (struct rvalue){0});
    }
    break;
  default: break;
  }
  pipeline_refuse(
      b, s->span,
      "only single variables, random words, `if`, loops, `emit` and `return` are supported");
  return false;
}

/* ---- outputs -------------------------------------------------------------------------------- */

/* The run ends: what it has emitted, and the parts of the value that it returns (or NULL). */
static bool finish(struct builder *b, const struct ast_expr *value, struct outputs *out) {
  const bool is_tuple = value && value->kind == EXPR_TUPLE;
  const size_t parts = !value ? 0 : is_tuple ? value->as.list.count : 1;
  *out = (struct outputs){.count = b->scope.emit_count, .emitted = b->scope.emit_count};
  memcpy(out->at, b->scope.emitted, sizeof out->at);
  for (size_t i = 0; i < parts; i++) {
    const struct ast_expr *part = is_tuple ? value->as.list.items[i] : value;
    const size_t node = pipeline_build(b, part);
    if (node == NO_NODE) return false;
    if (out->count == LIMIT_PIPELINE_OUTPUTS) {
      pipeline_refuse(b, part->span, "there are too many outputs");
      return false;
    }
    out->at[out->count++] = node;
  }
  return true;
}

static bool select_outputs(struct builder *b, size_t condition, const struct outputs *yes,
                           const struct outputs *no, struct span where, struct outputs *out) {
  *out = *yes;
  if (yes->count != no->count || yes->emitted != no->emitted) {
    pipeline_refuse(b, where, "the number of outputs depends on random words");
    return false;
  }
  for (size_t i = 0; i < yes->count; i++) {
    out->at[i] = pipeline_select(b, condition, yes->at[i], no->at[i], where);
    if (out->at[i] == NO_NODE) return false;
  }
  return true;
}

/* One branch and all that follows. */
static bool run_branch(struct builder *b, const struct rest *rest, struct outputs *out) {
  struct scope kept = scope_copy(&b->scope);
  const bool ok = run_rest(b, rest, out);
  scope_clear(&b->scope);
  b->scope = kept;
  return ok;
}

/* Is the condition true? Only if it does not vary. */
static bool condition_holds(struct builder *b, const struct ast_expr *cond, bool *yes) {
  struct rvalue truth = {0};
  if (!pipeline_compute(b, cond, &truth)) return false;
  *yes = truth.kind == RVALUE_BOOL && truth.as.boolean;
  rvalue_clear(&truth);
  return true;
}

static bool run_either(struct builder *b, size_t condition, const struct rest *yes,
                       const struct rest *no, struct span where, struct outputs *out) {
  struct outputs first, second;
  return condition != NO_NODE && run_branch(b, yes, &first) && run_branch(b, no, &second) &&
         select_outputs(b, condition, &first, &second, where, out);
}

static bool run_if(struct builder *b, const struct ast_stmt *s, const struct rest *after,
                   struct outputs *out) {
  const struct ast_expr *cond = s->as.branch.cond;
  const struct rest then = {.block = &s->as.branch.then, .after = after};
  const struct rest otherwise = {.block = &s->as.branch.otherwise, .after = after};
  bool yes;
  if (pipeline_varies(b, cond))
    return run_either(b, pipeline_build(b, cond), &then, &otherwise, s->span, out);
  return condition_holds(b, cond, &yes) && run_rest(b, yes ? &then : &otherwise, out);
}

/* ---- loops ---------------------------------------------------------------------------------- */

static bool forget_var(struct builder *b, const struct ast_var *var, struct span where) {
  const struct type *type = var->type;
  struct node n = {.kind = NODE_ANY, .varies = true};
  if (!type_is_float(type) && type->kind != TYPE_INT && type->kind != TYPE_BOOL) {
    pipeline_refuse(b, where, "a loop that stops at random may assign single numbers only");
    return false;
  }
  n.sort = type_is_float(type) ? NODE_FLOAT : type->kind == TYPE_INT ? NODE_INT : NODE_BOOL;
  if (type_is_float(type)) n.format = ieee_format(type->kind);
  const size_t node = pipeline_node(b, n, where);
  return node != NO_NODE && scope_set(&b->scope, var, node, (struct rvalue){0});
}

static bool forget_target(struct builder *b, const struct ast_target *t, struct span where) {
  if (!t->index) return forget_var(b, t->var, where);
  pipeline_refuse(b, where, "a loop that stops at random may assign single numbers only");
  return false;
}

/* What the statements assign may be anything from now on. */
static bool forget(struct builder *b, const struct ast_block *block) {
  bool ok = true;
  for (size_t i = 0; ok && i < block->count; i++) {
    const struct ast_stmt *s = block->stmts[i];
    switch (s->kind) {
    case STMT_SKIP: break;
    case STMT_VAR: ok = forget_var(b, s->as.var.var, s->span); break;
    case STMT_SAMPLE: ok = forget_target(b, &s->as.sample.target, s->span); break;
    case STMT_ASSIGN:
      for (size_t k = 0; ok && k < s->as.assign.count; k++)
        ok = forget_target(b, &s->as.assign.targets[k], s->span);
      break;
    case STMT_IF: ok = forget(b, &s->as.branch.then) && forget(b, &s->as.branch.otherwise); break;
    case STMT_WHILE: ok = forget(b, &s->as.loop.body); break;
    default:
      pipeline_refuse(b, s->span, "this may not stand in a loop that stops at random");
      ok = false;
    }
  }
  return ok;
}

/* A run that goes on may never come to its outputs. */
static bool doubt(struct builder *b, struct outputs *out, struct span where) {
  for (size_t i = 0; i < out->count; i++) {
    const struct node *n = &b->p->nodes.at[out->at[i]];
    struct node perhaps = {.kind = NODE_PERHAPS,
                           .sort = n->sort,
                           .format = n->format,
                           .args = {out->at[i]},
                           .count = 1,
                           .varies = true};
    out->at[i] = pipeline_node(b, perhaps, where);
    if (out->at[i] == NO_NODE) return false;
  }
  return true;
}

/* The condition depends on words: the loop ends here, or it goes on, and then nothing is known. */
static bool run_stopping(struct builder *b, const struct ast_stmt *s, const struct rest *after,
                         struct outputs *out) {
  const size_t goes_on = pipeline_build(b, s->as.loop.cond);
  struct outputs later, now;
  if (goes_on == NO_NODE) return false;
  struct scope kept = scope_copy(&b->scope);
  b->p->is_inexact = b->p->may_not_end = true;
  bool ok = forget(b, &s->as.loop.body) && run_rest(b, after, &later) && doubt(b, &later, s->span);
  scope_clear(&b->scope);
  b->scope = kept;
  return ok && run_branch(b, after, &now) && select_outputs(b, goes_on, &later, &now, s->span, out);
}

static bool run_while(struct builder *b, const struct ast_stmt *s, const struct rest *here,
                      struct outputs *out) {
  const struct rest after = {.block = here->block, .next = here->next + 1, .after = here->after};
  const struct rest body = {.block = &s->as.loop.body, .after = here};
  bool yes;
  if (pipeline_varies(b, s->as.loop.cond)) return run_stopping(b, s, &after, out);
  return condition_holds(b, s->as.loop.cond, &yes) && run_rest(b, yes ? &body : &after, out);
}

static bool whole_bound(struct builder *b, const struct ast_expr *e, wide *out) {
  struct rvalue v = {0};
  if (pipeline_varies(b, e)) {
    pipeline_refuse(b, e->span, "the bounds of a loop may not be random");
    return false;
  }
  bool ok = pipeline_compute(b, e, &v);
  if (ok && !(v.kind == RVALUE_INT && pipeline_wide(out, &v.as.integer))) {
    ok = false;
    pipeline_refuse(b, e->span, "an integer is too large");
  }
  rvalue_clear(&v);
  return ok;
}

static bool run_for(struct builder *b, const struct ast_stmt *s, const struct rest *here,
                    struct outputs *out) {
  const struct rest after = {.block = here->block, .next = here->next + 1, .after = here->after};
  struct rest rounds = {.after = &after, .range = s};
  return whole_bound(b, s->as.range.low, &rounds.round) &&
         whole_bound(b, s->as.range.high, &rounds.end) && run_rest(b, &rounds, out);
}

static struct rvalue value_of_whole(wide whole) {
  fmpz_t z;
  fmpz_init(z);
  fmpz_set_wide(z, whole);
  struct rvalue v = rvalue_fmpz(z);
  fmpz_clear(z);
  return v;
}

/* The next round of a `for` loop, unless it is over or was told to stop. */
static bool run_round(struct builder *b, const struct rest *rounds, struct outputs *out) {
  const struct ast_var *stop = rounds->range->as.range.stop, *index = rounds->range->as.range.var;
  struct rest again = *rounds;
  const struct rest body = {.block = &rounds->range->as.range.body, .after = &again};
  again.round++;
  if (rounds->round >= rounds->end) return run_rest(b, rounds->after, out);
  const struct rvalue *stops = stop ? rframe_get(&b->scope.frame, stop) : NULL;
  const bool varies = stop && b->scope.nodes[stop->slot] != NO_NODE;
  if (!varies && stops && stops->kind == RVALUE_BOOL && stops->as.boolean)
    return run_rest(b, rounds->after, out);
  scope_set(&b->scope, index, NO_NODE, value_of_whole(rounds->round));
  return varies ? run_either(b, b->scope.nodes[stop->slot], rounds->after, &body,
                             rounds->range->span, out)
                : run_rest(b, &body, out);
}

static bool count_step(struct builder *b, struct span where) {
  if (b->steps++ < LIMIT_PIPELINE_STEPS) return true;
  pipeline_refuse(b, where, "the program runs for too long");
  return false;
}

/* Until the run ends; *out is what it puts out. */
static bool run_rest(struct builder *b, const struct rest *rest, struct outputs *out) {
  while (rest) {
    if (!rest->block) return count_step(b, rest->range->span) && run_round(b, rest, out);
    struct rest here = *rest;
    for (; here.next < here.block->count; here.next++) {
      const struct ast_stmt *s = here.block->stmts[here.next];
      const struct rest after = {.block = here.block, .next = here.next + 1, .after = here.after};
      if (!count_step(b, s->span)) return false;
      if (s->kind == STMT_IF) return run_if(b, s, &after, out);
      if (s->kind == STMT_WHILE) return run_while(b, s, &here, out);
      if (s->kind == STMT_FOR) return run_for(b, s, &here, out);
      if (s->kind == STMT_RETURN) return finish(b, s->as.value, out);
      if (!run_simple(b, s)) return false;
    }
    rest = here.after;
  }
  return finish(b, NULL, out);
}

static bool run_all(struct builder *b, const struct ast_routine *routine) {
  const struct rest all = {.block = &routine->plain};
  struct pipeline *p = b->p;
  struct outputs out;
  if (!run_rest(b, &all, &out)) return false;
  /* what is returned beside an empty list would look like what is returned alone */
  const bool is_bare = routine->emits && routine->returns && !out.emitted;
  if (!out.count || is_bare || (routine->returns && out.count == out.emitted)) {
    pipeline_refuse(b, routine->name.span, "a path puts out nothing");
    return false;
  }
  memcpy(p->results, out.at, sizeof p->results);
  p->result_count = out.count;
  p->emitted = out.emitted;
  p->result = out.at[0];
  return true;
}

bool pipeline_init(struct pipeline *p, struct interp *in, char **why, struct span *where) {
  const struct ast_routine *routine = in->mechanism->as.mechanism.routine;
  *p = (struct pipeline){0};
  struct builder b = {.in = in, .p = p};
  scope_init(&b.scope, in->frame.count);
  for (size_t i = 0; i < routine->arg_count; i++) {
    const struct rvalue *v = rframe_get(&in->frame, routine->args[i]);
    if (v) scope_set(&b.scope, routine->args[i], NO_NODE, rvalue_copy(v));
  }
  const bool ok = run_all(&b, routine);
  scope_clear(&b.scope);
  if (p->words.len == 0) vec_push(&p->words, 1);
  *why = b.why;
  *where = b.where;
  return ok && !b.why;
}
