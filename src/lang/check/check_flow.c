/* Flow: a variable is read only after an assignment on every path to it (a loop may run zero
 * times), every path of a routine with a result returns one; statements that cannot be reached,
 * and variables that are never read.
 *
 * An oracle reads variables of its mechanism at times that the mechanism decides by calling an
 * adversary. So an oracle is analysed on its own, first: what it reads of the mechanism before it
 * assigned it itself must be assigned at every call. */
#include "lang/check/check_internal.h"
#include "lang/check/check_state.h"
#include "lang/syntax/walk.h"

/* Values of the state: NULL is unassigned. */
static const char assigned_mark;
#define ASSIGNED ((const void *)&assigned_mark)

/* Why a variable is not assigned although some path does assign it. */
enum gap { GAP_NONE, GAP_TRUE, GAP_FALSE, GAP_LOOP };

struct slot_info {
  enum gap gap;
  struct span where; /* of the condition or loop that skips the assignment */
  bool read, sampled, reported;
};

struct need {
  const struct ast_var *var;
  struct span read;
};

struct oracle_flow {
  VEC(struct need) needs; /* of the mechanism, before the call */
};

/* The loop around the present statement. */
struct flow_loop {
  size_t mark;          /* of the state at its head */
  bool left;            /* by `break` */
  VEC(size_t) assigned; /* slots that are assigned in the loop whenever it is left so */
};

struct flow {
  struct checker *c;
  struct routine *routine;
  struct state state;
  struct slot_info *slots;
  struct ptrmap oracles; /* struct ast_routine -> struct oracle_flow */
  size_t own_slots;      /* oracles: first slot that is the oracle's own */
  struct oracle_flow *oracle;
  struct flow_loop *loop; /* innermost, or NULL */
  bool dead;              /* the present statement cannot be reached */
  struct span fell_past;  /* the condition behind the last branch that returned alone */
};

/* ---- reading and writing ----------------------------------------------------------------------
 */

static void report_unassigned(struct flow *f, const struct ast_var *var, struct span span) {
  struct slot_info *info = &f->slots[var->slot];
  const char *name = var->name.text;
  if (info->reported) return;
  info->reported = true;
  report_error(f->c, span, "unassigned-variable", "`%s` may be read here before it is assigned",
               name);
  switch (info->gap) {
  case GAP_TRUE:
    report_note(f->c, info->where, "`%s` is not assigned when this is true", name);
    break;
  case GAP_FALSE:
    report_note(f->c, info->where, "`%s` is not assigned when this is false", name);
    break;
  case GAP_LOOP:
    report_note(f->c, info->where, "`%s` is not assigned when this loop runs zero times", name);
    break;
  case GAP_NONE:
    if (!var->declared) report_note(f->c, var->name.span, "it is first assigned here");
    break;
  }
  if (var->declared && var->name.span.begin < span.begin && info->gap == GAP_NONE)
    report_hint(f->c, "give it a value where it is declared: var %s : ... := ...;", name);
}

static void read_var(struct flow *f, const struct ast_var *var, struct span span) {
  f->slots[var->slot].read = true;
  if (f->state.at[var->slot] || f->dead || var->type->kind == TYPE_ERROR) return;
  if (f->oracle && var->slot < f->own_slots)
    vec_push(&f->oracle->needs, (struct need){var, span});
  else
    report_unassigned(f, var, span);
  state_set(&f->state, var->slot, ASSIGNED);
}

static void read_expr(const struct ast_expr *e, void *context) {
  struct flow *f = context;
  if (e->kind == EXPR_NAME && e->as.name.var && e->as.name.var->role != VAR_BINDER)
    read_var(f, e->as.name.var, e->span);
  walk_parts(e, read_expr, f);
}

static void call_needs(struct flow *f, const struct ast_expr *call, struct ast_routine *oracle) {
  struct oracle_flow *o = ptrmap_get(&f->oracles, oracle);
  for (size_t i = 0; o && i < o->needs.len; i++) {
    const struct ast_var *var = o->needs.at[i].var;
    if (f->state.at[var->slot] || f->dead) continue;
    if (f->oracle) {
      vec_push(&f->oracle->needs, o->needs.at[i]);
    } else {
      report_error(f->c, call->span, "unassigned-variable",
                   "this call runs the oracle `%s`, which reads `%s` before it is assigned",
                   oracle->name.text, var->name.text);
      report_note(f->c, o->needs.at[i].read, "it is read here");
    }
    state_set(&f->state, var->slot, ASSIGNED);
  }
}

/* A value: an expression, or a call with what its oracles need. What an oracle assigns does not
 * count as assigned afterwards: an adversary need not call it. */
static void read_value(struct flow *f, const struct ast_expr *e) {
  read_expr(e, f);
  if (e->kind != EXPR_CALL) return;
  if (e->as.call.callee_kind == CALLEE_ADVERSARY && e->as.call.decl) {
    const struct ast_decl *d = e->as.call.decl;
    for (size_t i = 0; e->as.call.oracles && i < d->as.adversary.use_count; i++)
      if (e->as.call.oracles[i]) call_needs(f, e, e->as.call.oracles[i]);
  } else if (e->as.call.callee_kind == CALLEE_ORACLE) {
    call_needs(f, e, e->as.call.oracle);
  }
}

static void write_target(struct flow *f, const struct ast_target *t) {
  if (t->index) read_expr(t->index, f);
  if (!t->var) return;
  if (t->index) { /* one item is assigned: the array must be there */
    bool read = f->slots[t->var->slot].read;
    read_var(f, t->var, t->name.span);
    f->slots[t->var->slot].read = read;
  }
  state_set(&f->state, t->var->slot, ASSIGNED);
}

/* ---- statements: true if the statement after it can be reached --------------------------------
 */

static bool flow_block(struct flow *f, const struct ast_block *b);

struct merge_context {
  struct flow *flow;
  const struct ast_stmt *stmt;
};

/* `a` is at the end of the first branch, `b` of the second. */
static const void *merge_branches(void *context, size_t slot, const void *a, const void *b) {
  struct merge_context *m = context;
  if (a && b) return ASSIGNED;
  m->flow->slots[slot].gap = a ? GAP_FALSE : GAP_TRUE;
  m->flow->slots[slot].where = m->stmt->as.branch.cond->span;
  return NULL;
}

static bool flow_if(struct flow *f, const struct ast_stmt *s) {
  read_expr(s->as.branch.cond, f);
  struct outcome then = {0};
  size_t mark = state_mark(&f->state);
  bool dead = f->dead;
  bool first = flow_block(f, &s->as.branch.then);
  state_undo(&f->state, mark, &then);
  f->dead = dead;
  bool second = flow_block(f, &s->as.branch.otherwise);
  f->dead = dead;
  if (first && second) {
    struct merge_context context = {f, s};
    state_join(&f->state, mark, &then, merge_branches, &context);
  } else if (first) {
    struct outcome otherwise = {0};
    state_undo(&f->state, mark, &otherwise);
    outcome_clear(&otherwise);
    state_apply(&f->state, &then);
  }
  outcome_clear(&then);
  if (first != second) f->fell_past = s->as.branch.cond->span;
  return first || second;
}

static bool is_among(const struct flow_loop *loop, size_t slot) {
  for (size_t i = 0; i < loop->assigned.len; i++)
    if (loop->assigned.at[i] == slot) return true;
  return false;
}

/* What is assigned here as well as at the `break`s before. */
static void flow_break(struct flow *f) {
  struct flow_loop *loop = f->loop;
  if (!loop || f->dead) return;
  if (loop->left) {
    size_t kept = 0;
    for (size_t i = 0; i < loop->assigned.len; i++)
      if (f->state.at[loop->assigned.at[i]]) loop->assigned.at[kept++] = loop->assigned.at[i];
    loop->assigned.len = kept;
  } else {
    for (size_t i = loop->mark; i < f->state.log.len; i++) {
      size_t slot = f->state.log.at[i].slot;
      if (f->state.at[slot] && !is_among(loop, slot)) vec_push(&loop->assigned, slot);
    }
  }
  loop->left = true;
}

/* The body may run zero times, so nothing it assigns counts afterwards; unless only a `break` ends
 * the loop. True if the statement after it can be reached. */
static bool flow_loop_body(struct flow *f, const struct ast_block *body, struct span where,
                           bool forever) {
  struct outcome outcome = {0};
  struct flow_loop loop = {.mark = state_mark(&f->state)}, *outer = f->loop;
  bool dead = f->dead;
  f->loop = &loop;
  flow_block(f, body);
  f->loop = outer;
  f->dead = dead;
  state_undo(&f->state, loop.mark, &outcome);
  for (size_t i = 0; i < outcome.values.len; i++) {
    struct slot_info *info = &f->slots[outcome.values.at[i].slot];
    info->gap = GAP_LOOP;
    info->where = where;
  }
  for (size_t i = 0; forever && i < loop.assigned.len; i++)
    state_set(&f->state, loop.assigned.at[i], ASSIGNED);
  outcome_clear(&outcome);
  vec_clear(&loop.assigned);
  return !forever || loop.left;
}

static bool flow_while(struct flow *f, const struct ast_stmt *s) {
  const struct ast_expr *cond = s->as.loop.cond;
  read_expr(cond, f);
  return flow_loop_body(f, &s->as.loop.body, cond->span,
                        cond->kind == EXPR_BOOL && cond->as.boolean);
}

static bool flow_for(struct flow *f, const struct ast_stmt *s) {
  read_expr(s->as.range.low, f);
  read_expr(s->as.range.high, f);
  state_set(&f->state, s->as.range.var->slot, ASSIGNED);
  return flow_loop_body(f, &s->as.range.body,
                        span_join(s->as.range.var->name.span, s->as.range.high->span), false);
}

static void flow_var(struct flow *f, const struct ast_stmt *s) {
  const struct ast_var *var = s->as.var.var;
  for (const struct ast_type *t = var->declared; t && t->kind == TYPE_ARRAY; t = t->items[0])
    if (t->length) read_expr(t->length, f);
  if (s->as.var.init) read_value(f, s->as.var.init);
  bool zeros = var->type && var->type->kind == TYPE_ARRAY;
  if (s->as.var.init || zeros) state_set(&f->state, var->slot, ASSIGNED);
}

static void flow_sample(struct flow *f, const struct ast_stmt *s) {
  for (size_t i = 0; i < s->as.sample.dist.count; i++)
    read_expr(s->as.sample.dist.args[i], f);
  write_target(f, &s->as.sample.target);
  if (s->as.sample.target.var) f->slots[s->as.sample.target.var->slot].sampled = true;
}

static bool flow_stmt(struct flow *f, const struct ast_stmt *s) {
  switch (s->kind) {
  case STMT_ERROR:
  case STMT_SKIP: return true;
  case STMT_VAR: flow_var(f, s); return true;
  case STMT_ASSIGN:
    read_value(f, s->as.assign.value);
    for (size_t i = 0; i < s->as.assign.count; i++)
      write_target(f, &s->as.assign.targets[i]);
    return true;
  case STMT_SAMPLE: flow_sample(f, s); return true;
  case STMT_CALL: read_value(f, s->as.call); return true;
  case STMT_IF: return flow_if(f, s);
  case STMT_WHILE: return flow_while(f, s);
  case STMT_FOR: return flow_for(f, s);
  case STMT_BREAK: flow_break(f); return false;
  case STMT_CONTINUE: return false;
  case STMT_EMIT: read_expr(s->as.value, f); return true;
  case STMT_RETURN:
    if (s->as.value) read_expr(s->as.value, f);
    return false;
  }
  return true;
}

static bool flow_block(struct flow *f, const struct ast_block *b) {
  bool reachable = true;
  for (size_t i = 0; i < b->count; i++) {
    if (!reachable && !f->dead) {
      report_warning(f->c, b->stmts[i]->span, "unreachable-code",
                     "this statement is never reached");
      f->dead = true;
    }
    if (!flow_stmt(f, b->stmts[i])) reachable = false;
  }
  return reachable;
}

/* ---- routines ---------------------------------------------------------------------------------
 */

static void report_missing_return(struct flow *f) {
  const struct ast_routine *ast = f->routine->ast;
  struct span end = ast->body.span;
  if (end.end > end.begin) end.begin = end.end - 1;
  report_error(f->c, end, "missing-return", "`%s` must return %s, but it can end here without it",
               ast->name.text, type_text(f->c, f->routine->returns));
  report_hint(f->c, "add `return ...;` before this brace");
  if (f->fell_past.file) report_note(f->c, f->fell_past, "by going past this");
}

static void flow_routine(struct flow *f, struct routine *r) {
  f->routine = r;
  f->dead = false;
  f->fell_past = span_none();
  for (size_t i = 0; i < r->ast->arg_count; i++)
    state_set(&f->state, r->ast->args[i]->slot, ASSIGNED);
  bool falls = flow_block(f, &r->ast->body);
  if (falls && r->returns->kind != TYPE_UNIT && r->returns->kind != TYPE_ERROR)
    report_missing_return(f);
}

static void flow_oracle(struct flow *f, struct routine *mechanism, struct routine *r) {
  struct oracle_flow *o = arena_new(&f->c->lang->arena, struct oracle_flow);
  size_t mark = state_mark(&f->state);
  struct outcome outcome = {0};
  ptrmap_put(&f->oracles, r->ast, o);
  f->oracle = o;
  f->own_slots = mechanism->ast->arg_count + mechanism->ast->local_count;
  flow_routine(f, r);
  f->oracle = NULL;
  state_undo(&f->state, mark, &outcome);
  outcome_clear(&outcome);
}

static void report_unused(struct flow *f, const struct frame *frame) {
  for (size_t i = 0; i < frame->slots.len; i++) {
    const struct ast_var *var = frame->slots.at[i].var;
    if (f->slots[i].read || var->role != VAR_LOCAL || var->type->kind == TYPE_ERROR) continue;
    if (f->slots[i].sampled)
      report_warning(f->c, var->name.span, "unused-sample", "the sample `%s` is never used",
                     var->name.text);
    else
      report_warning(f->c, var->name.span, "unused-variable", "`%s` is never read", var->name.text);
  }
}

void check_flow(struct checker *c, struct routine **routines, size_t count) {
  struct frame *frame = routines[0]->frame;
  struct flow f = {.c = c};
  state_init(&f.state, frame->slots.len);
  f.slots = xcalloc(frame->slots.len + 1, sizeof *f.slots);
  for (size_t i = 0; i < routines[0]->ast->arg_count; i++)
    state_set(&f.state, routines[0]->ast->args[i]->slot, ASSIGNED);
  for (size_t i = 1; i < count; i++)
    flow_oracle(&f, routines[0], routines[i]);
  flow_routine(&f, routines[0]);
  if (c->diags->errors == routines[0]->errors) report_unused(&f, frame);
  for (size_t i = 1; i < count; i++) {
    struct oracle_flow *o = ptrmap_get(&f.oracles, routines[i]->ast);
    vec_clear(&o->needs);
  }
  ptrmap_clear(&f.oracles);
  free(f.slots);
  state_clear(&f.state);
}
