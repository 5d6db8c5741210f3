#include "run/sample/interp.h"

#include <stdlib.h>

#include "lang/syntax/builtin.h"
#include "run/eval/number.h"
#include "run/sample/noise.h"

enum flow { FLOW_ERROR, FLOW_NEXT, FLOW_RETURN };

static enum flow exec_block(struct interp *in, struct rframe *f, const struct ast_block *block);
static bool reval_rhs(struct interp *in, struct rframe *f, const struct ast_expr *e,
                      struct rvalue *out);

/* ---- calls with effects --------------------------------------------------------------------- */

/* Runs a body in a frame that has the arguments already; *out is what it returns, or unit. */
static bool run_body(struct interp *in, struct rframe *f, const struct ast_routine *routine,
                     struct rvalue *out) {
  in->result = rvalue_unit();
  enum flow flow = exec_block(in, f, &routine->plain);
  *out = in->result;
  in->result = rvalue_unit();
  if (flow != FLOW_ERROR) return true;
  rvalue_clear(out);
  return false;
}

static bool reval_args(struct interp *in, struct rframe *f, const struct ast_expr *call,
                       struct rvalue *into) {
  for (size_t i = 0; i < call->as.call.count; i++)
    if (!reval_take(&in->ev, f, call->as.call.args[i], &into[i])) {
      while (i-- > 0)
        rvalue_clear(&into[i]);
      return false;
    }
  return true;
}

static bool call_procedure(struct interp *in, struct rframe *f, const struct ast_expr *call,
                           struct rvalue *out) {
  const struct ast_routine *routine = call->as.call.decl->as.procedure;
  struct rframe inner;
  rframe_init(&inner, routine->slot_count);
  bool ok = reval_args(in, f, call, inner.at) && run_body(in, &inner, routine, out);
  rframe_clear(&inner);
  return ok;
}

/* The script of an adversary asks an oracle: is it still allowed to? */
static bool count_query(struct interp *in, const struct ast_expr *call) {
  struct interp_adversary *a = in->active;
  size_t i = call->as.call.use;
  const struct ast_oracle_use *use = &a->decl->as.adversary.uses[i];
  struct diags *diags = &in->lang->diags;
  if (a->queries[i]++ < a->bounds[i]) return true;
  diag_error(diags, call->span, "query-bound",
             "the adversary `%s` queries the oracle `%s` more than %llu time%s", a->decl->name.text,
             use->name.text, (unsigned long long)a->bounds[i], a->bounds[i] == 1 ? "" : "s");
  diag_note(diags, use->bound->span, "the bound is declared here");
  return false;
}

/* What a call names: in a script the oracle that the mechanism has for this use. */
static const struct ast_routine *oracle_of(const struct interp *in, const struct ast_expr *call) {
  const struct interp_adversary *a = in->active;
  if (!a) return call->as.call.oracle;
  bool known = a->oracles && call->as.call.use < a->decl->as.adversary.use_count;
  return known ? a->oracles[call->as.call.use] : NULL;
}

/* An oracle runs in the frame of the mechanism, wherever it is called from. */
static bool call_oracle(struct interp *in, struct rframe *f, const struct ast_expr *call,
                        struct rvalue *out) {
  const struct ast_routine *oracle = oracle_of(in, call);
  if (!oracle) {
    diag_error(&in->lang->diags, call->span, "unknown-oracle",
               "the mechanism `%s` has no oracle `%s`", in->mechanism->name.text,
               call->as.call.callee.text);
    return false;
  }
  struct interp_adversary *caller = in->active;
  if (caller && !count_query(in, call)) return false;
  struct rvalue *args = xcalloc(call->as.call.count + 1, sizeof *args);
  bool ok = reval_args(in, f, call, args);
  for (size_t i = 0; ok && i < call->as.call.count; i++) {
    struct rvalue *slot = &in->frame.at[oracle->args[i]->slot];
    rvalue_clear(slot);
    *slot = args[i];
  }
  free(args);
  in->active = NULL;
  ok = ok && run_body(in, &in->frame, oracle, out);
  in->active = caller;
  return ok;
}

static struct interp_adversary *find_adversary(struct interp *in, const struct ast_decl *decl) {
  for (size_t i = 0; i < in->adversaries.len; i++)
    if (in->adversaries.at[i]->decl == decl) return in->adversaries.at[i];
  return NULL;
}

/* After a call only the state stays. */
static void forget_locals(struct interp_adversary *a) {
  for (size_t i = 0; i < a->script->arg_count; i++)
    rvalue_clear(&a->frame.at[a->script->args[i]->slot]);
  for (size_t i = 0; i < a->script->local_count; i++)
    if (a->script->locals[i]->role != VAR_STATE)
      rvalue_clear(&a->frame.at[a->script->locals[i]->slot]);
}

/* How often may each oracle be asked? The bounds speak of the arguments of this call. */
static bool start_count(struct interp *in, struct interp_adversary *a) {
  for (size_t i = 0; i < a->decl->as.adversary.use_count; i++) {
    struct rvalue bound = {0};
    if (!reval_take(&in->ev, &a->frame, a->decl->as.adversary.uses[i].bound, &bound)) return false;
    a->queries[i] = 0;
    a->bounds[i] = rvalue_count(&bound);
    rvalue_clear(&bound);
  }
  return true;
}

static bool call_adversary(struct interp *in, struct rframe *f, const struct ast_expr *call,
                           struct rvalue *out) {
  struct interp_adversary *a = find_adversary(in, call->as.call.decl), *outer = in->active;
  if (!a) { /* interp_prepare found none for a call it saw */
    diag_error(&in->lang->diags, call->span, "missing-value", "`%s` has no script in this run",
               call->as.call.callee.text);
    return false;
  }
  if (!reval_args(in, f, call, a->frame.at)) return false;
  a->oracles = call->as.call.oracles;
  in->active = a;
  bool ok = start_count(in, a) && run_body(in, &a->frame, a->script, out);
  in->active = outer;
  a->started = true;
  forget_locals(a);
  return ok;
}

/* The error is inside the call, unless the call itself is at fault. */
static void note_call(struct diags *diags, struct span call) {
  if (!diags->list.len) return;
  struct span at = vec_last(&diags->list).span;
  if (at.file != call.file || at.begin != call.begin || at.end != call.end)
    diag_note(diags, call, "called here");
}

static bool call_routine(struct interp *in, struct rframe *f, const struct ast_expr *call,
                         struct rvalue *out) {
  if (in->ev.calls >= REVAL_MAX_CALLS) {
    diag_error(&in->lang->diags, call->span, "too-many-calls",
               "more than %d calls inside one another", (int)REVAL_MAX_CALLS);
    return false;
  }
  in->ev.calls++;
  bool ok;
  switch (call->as.call.callee_kind) {
  case CALLEE_PROCEDURE: ok = call_procedure(in, f, call, out); break;
  case CALLEE_ORACLE: ok = call_oracle(in, f, call, out); break;
  default: ok = call_adversary(in, f, call, out); break;
  }
  in->ev.calls--;
  if (!ok) note_call(&in->lang->diags, call->span);
  return ok;
}

/* The right-hand side of an assignment: a call with effects, or an expression. */
static bool reval_rhs(struct interp *in, struct rframe *f, const struct ast_expr *e,
                      struct rvalue *out) {
  if (e->kind == EXPR_CALL && e->as.call.callee_kind >= CALLEE_PROCEDURE)
    return call_routine(in, f, e, out);
  return reval_take(&in->ev, f, e, out);
}

/* ---- assignment ----------------------------------------------------------------------------- */

static void put(struct rframe *f, const struct ast_var *var, struct rvalue value) {
  struct rvalue *slot = &f->at[var->slot];
  rvalue_clear(slot);
  *slot = value;
}

/* Where an assignment goes; the index is evaluated now, the value arrives later. */
static bool resolve_target(struct interp *in, struct rframe *f, const struct ast_target *t,
                           size_t *index) {
  if (!t->index) return true;
  const struct rvalue *array = &f->at[t->var->slot];
  if (array->kind == RVALUE_UNSET) {
    diag_error(&in->lang->diags, t->name.span, "unset-variable", "`%s` has no value yet",
               t->name.text);
    return false;
  }
  if (array->kind != RVALUE_ARRAY && array->kind != RVALUE_LIST)
    return reval_wrong_kind(&in->ev, t->name.span);
  struct rvalue held = {0};
  const struct rvalue *i = reval_expr(&in->ev, f, t->index, &held);
  bool ok = i && reval_index(&in->ev, t->index, i, array->as.seq->len, index);
  rvalue_clear(&held);
  return ok;
}

static void put_target(struct rframe *f, const struct ast_target *t, size_t index,
                       struct rvalue value) {
  if (!t->index) {
    put(f, t->var, value);
    return;
  }
  struct rvalue *array = &f->at[t->var->slot];
  rvalue_own(array);
  rvalue_clear(&array->as.seq->at[index]);
  array->as.seq->at[index] = value;
}

static bool assign_many(struct interp *in, struct rframe *f, const struct ast_stmt *s) {
  size_t count = s->as.assign.count;
  struct rvalue tuple;
  if (!reval_rhs(in, f, s->as.assign.value, &tuple)) return false;
  size_t *indices = xcalloc(count, sizeof *indices);
  bool ok = (tuple.kind == RVALUE_TUPLE && tuple.as.seq->len == count) ||
            reval_wrong_kind(&in->ev, s->as.assign.value->span);
  for (size_t i = 0; ok && i < count; i++)
    ok = resolve_target(in, f, &s->as.assign.targets[i], &indices[i]);
  for (size_t i = 0; ok && i < count; i++)
    put_target(f, &s->as.assign.targets[i], indices[i], rvalue_copy(&tuple.as.seq->at[i]));
  free(indices);
  rvalue_clear(&tuple);
  return ok;
}

/* x := x ++ e extends the list in place when nobody else holds it. */
static bool append_in_place(struct interp *in, struct rframe *f, const struct ast_stmt *s,
                            bool *done) {
  const struct ast_target *t = &s->as.assign.targets[0];
  const struct ast_expr *e = s->as.assign.value;
  *done = false;
  if (t->index || e->kind != EXPR_BINARY || e->as.binary.op != BINARY_APPEND) return true;
  const struct ast_expr *left = e->as.binary.left;
  if (left->kind != EXPR_NAME || left->as.name.var != t->var) return true;
  struct rvalue *list = &f->at[t->var->slot], held = {0};
  if (list->kind != RVALUE_LIST) return true;
  const struct rvalue *tail = reval_expr(&in->ev, f, e->as.binary.right, &held);
  bool ok = tail != NULL;
  *done = ok && tail == &held && tail->kind == RVALUE_LIST &&
          list->as.seq->len + tail->as.seq->len <= REVAL_MAX_ITEMS;
  for (size_t i = 0; *done && i < tail->as.seq->len; i++)
    rvalue_push(list, rvalue_copy(&tail->as.seq->at[i]));
  rvalue_clear(&held);
  return ok;
}

static bool assign(struct interp *in, struct rframe *f, const struct ast_stmt *s) {
  if (s->as.assign.count > 1) return assign_many(in, f, s);
  bool done;
  if (!append_in_place(in, f, s, &done)) return false;
  if (done) return true;
  struct rvalue value;
  size_t index = 0;
  if (!reval_rhs(in, f, s->as.assign.value, &value)) return false;
  if (!resolve_target(in, f, &s->as.assign.targets[0], &index)) {
    rvalue_clear(&value);
    return false;
  }
  put_target(f, &s->as.assign.targets[0], index, value);
  return true;
}

/* ---- sampling ------------------------------------------------------------------------------- */

static void report_noise(struct interp *in, const struct ast_dist *d, enum noise_fault fault,
                         const struct rvalue *args) {
  struct diags *diags = &in->lang->diags;
  const char *name = dist_get(d->kind)->name;
  struct buffer text;
  buffer_init(&text);
  size_t blamed = d->count < 2 ? 0 : 1;
  if (d->count) rvalue_print(&text, &args[blamed]);
  struct span span = d->count ? d->args[blamed]->span : d->span;
  switch (fault) {
  case NOISE_OK: break;
  case NOISE_SCALE:
    diag_error(diags, span, "scale-not-positive", "the scale of `%s` must be positive, but is %s",
               name, buffer_text(&text));
    break;
  case NOISE_PROBABILITY:
    diag_error(diags, span, "bad-probability",
               "the argument of `%s` must be between 0 and 1, but is %s", name, buffer_text(&text));
    break;
  case NOISE_RANGE:
    diag_error(diags, d->span, "empty-range", "there is nothing to choose from in this `%s`", name);
    break;
  case NOISE_UNDECIDED:
    diag_error(diags, span, "undecided-comparison",
               "cannot tell whether this parameter of `%s` is in range: it is too close to the "
               "limit",
               name);
    break;
  case NOISE_SPENT:
    diag_error(diags, d->span, "noise-spent", "the script has no noise left for this `%s`", name);
    break;
  case NOISE_TOO_LARGE:
    diag_error(diags, d->span, "number-too-large", "a parameter or a sample of `%s` is too large",
               name);
    break;
  }
  buffer_clear(&text);
}

static bool draw(struct interp *in, struct rframe *f, const struct ast_dist *d,
                 struct rvalue *out) {
  enum { few = 4 };
  struct rvalue some[few] = {{0}}, *args = d->count <= few ? some : xcalloc(d->count, sizeof *args);
  bool ok = true;
  size_t known = 0;
  for (; ok && known < d->count; known++)
    ok = reval_take(&in->ev, f, d->args[known], &args[known]);
  if (ok) {
    enum noise_fault fault =
        in->sample ? (enum noise_fault)in->sample(in->sample_context, d->kind, args, d->count, out)
                   : noise_sample(in->random, d->kind, args, d->count, out);
    if (fault) report_noise(in, d, fault, args);
    ok = !fault;
  }
  for (size_t i = 0; i < d->count; i++)
    rvalue_clear(&args[i]);
  if (args != some) free(args);
  return ok;
}

static bool sample(struct interp *in, struct rframe *f, const struct ast_stmt *s) {
  struct rvalue value;
  size_t index = 0;
  if (!draw(in, f, &s->as.sample.dist, &value)) return false;
  if (!resolve_target(in, f, &s->as.sample.target, &index)) {
    rvalue_clear(&value);
    return false;
  }
  put_target(f, &s->as.sample.target, index, value);
  return true;
}

/* ---- statements ----------------------------------------------------------------------------- */

static bool declare(struct interp *in, struct rframe *f, const struct ast_stmt *s) {
  const struct ast_var *var = s->as.var.var;
  if (var->role == VAR_STATE && in->active && in->active->started) return true;
  struct rvalue value = {0};
  if (s->as.var.init) {
    if (!reval_rhs(in, f, s->as.var.init, &value)) return false;
  } else if (var->declared && var->declared->kind == TYPE_ARRAY) {
    if (!interp_zero(in, f, var->declared, &value)) return false;
  }
  put(f, var, value);
  return true;
}

static enum flow exec_while(struct interp *in, struct rframe *f, const struct ast_stmt *s) {
  for (;;) {
    bool condition;
    if (!reval_step(&in->ev, s->span)) return FLOW_ERROR;
    if (!reval_bool(&in->ev, f, s->as.loop.cond, &condition)) return FLOW_ERROR;
    if (!condition) return FLOW_NEXT;
    enum flow flow = exec_block(in, f, &s->as.loop.body);
    if (flow != FLOW_NEXT) return flow;
  }
}

static bool has_stopped(const struct rframe *f, const struct ast_var *stop) {
  return stop && f->at[stop->slot].kind == RVALUE_BOOL && f->at[stop->slot].as.boolean;
}

static enum flow exec_for(struct interp *in, struct rframe *f, const struct ast_stmt *s) {
  struct rvalue low = {0}, high = {0};
  enum flow flow = FLOW_ERROR;
  if (reval_integer(&in->ev, f, s->as.range.low, &low) &&
      reval_integer(&in->ev, f, s->as.range.high, &high))
    flow = FLOW_NEXT;
  for (; flow == FLOW_NEXT && fmpz_cmp(&low.as.integer, &high.as.integer) < 0 &&
         !has_stopped(f, s->as.range.stop);
       fmpz_add_ui(&low.as.integer, &low.as.integer, 1)) {
    put(f, s->as.range.var, rvalue_copy(&low));
    flow = reval_step(&in->ev, s->span) ? exec_block(in, f, &s->as.range.body) : FLOW_ERROR;
  }
  rvalue_clear(&low);
  rvalue_clear(&high);
  return flow;
}

static enum flow exec_if(struct interp *in, struct rframe *f, const struct ast_stmt *s) {
  bool condition;
  if (!reval_bool(&in->ev, f, s->as.branch.cond, &condition)) return FLOW_ERROR;
  if (condition) return exec_block(in, f, &s->as.branch.then);
  return s->as.branch.has_else ? exec_block(in, f, &s->as.branch.otherwise) : FLOW_NEXT;
}

static bool emit(struct interp *in, struct rframe *f, const struct ast_stmt *s) {
  struct rvalue value;
  if (!reval_take(&in->ev, f, s->as.value, &value)) return false;
  rvalue_push(&in->emitted, value);
  return true;
}

static enum flow exec_stmt(struct interp *in, struct rframe *f, const struct ast_stmt *s) {
  bool ok = true;
  struct rvalue unused;
  if (!reval_step(&in->ev, s->span)) return FLOW_ERROR;
  switch (s->kind) {
  case STMT_SKIP: break;
  case STMT_VAR: ok = declare(in, f, s); break;
  case STMT_ASSIGN: ok = assign(in, f, s); break;
  case STMT_SAMPLE: ok = sample(in, f, s); break;
  case STMT_CALL:
    ok = reval_rhs(in, f, s->as.call, &unused);
    if (ok) rvalue_clear(&unused);
    break;
  case STMT_IF: return exec_if(in, f, s);
  case STMT_WHILE: return exec_while(in, f, s);
  case STMT_FOR: return exec_for(in, f, s);
  case STMT_EMIT: ok = emit(in, f, s); break;
  case STMT_RETURN: {
    struct rvalue result = rvalue_unit();
    if (s->as.value && !reval_take(&in->ev, f, s->as.value, &result)) return FLOW_ERROR;
    in->result = result;
    return FLOW_RETURN;
  }
  case STMT_BREAK: /* not in plain bodies */
  case STMT_CONTINUE:
  case STMT_ERROR: ok = false; break;
  }
  return ok ? FLOW_NEXT : FLOW_ERROR;
}

static enum flow exec_block(struct interp *in, struct rframe *f, const struct ast_block *block) {
  for (size_t i = 0; i < block->count; i++) {
    enum flow flow = exec_stmt(in, f, block->stmts[i]);
    if (flow != FLOW_NEXT) return flow;
  }
  return FLOW_NEXT;
}

/* ---- a run ---------------------------------------------------------------------------------- */

static void reset(struct interp *in) {
  in->ev.steps = 0;
  in->ev.calls = 0;
  in->active = NULL;
  for (size_t i = in->mechanism->as.mechanism.routine->arg_count; i < in->frame.count; i++)
    rvalue_clear(&in->frame.at[i]);
  for (size_t i = 0; i < in->adversaries.len; i++) {
    struct interp_adversary *a = in->adversaries.at[i];
    a->started = false;
    for (size_t j = 0; j < a->frame.count; j++)
      rvalue_clear(&a->frame.at[j]);
  }
}

static struct rvalue join_outputs(const struct ast_routine *routine, struct rvalue emitted,
                                  struct rvalue returned) {
  if (routine->emits && routine->returns) {
    struct rvalue both = rvalue_seq(RVALUE_TUPLE, 2);
    both.as.seq->at[0] = emitted;
    both.as.seq->at[1] = returned;
    return both;
  }
  if (routine->emits) {
    rvalue_clear(&returned);
    return emitted;
  }
  rvalue_clear(&emitted);
  return returned;
}

bool interp_run(struct interp *in, struct random *random, struct rvalue *out) {
  const struct ast_routine *routine = in->mechanism->as.mechanism.routine;
  reset(in);
  in->random = random;
  in->emitted = rvalue_seq(RVALUE_LIST, 0);
  struct rvalue returned;
  in->ev.libm_is_exact = true;
  bool ok = run_body(in, &in->frame, routine, &returned);
  in->ev.libm_is_exact = false;
  if (ok)
    *out = join_outputs(routine, in->emitted, returned);
  else
    rvalue_clear(&in->emitted);
  in->emitted = rvalue_unit();
  return ok;
}

bool interp_constant(struct lang *lang, const struct ast_expr *e, struct rvalue *out) {
  struct reval ev;
  reval_init(&ev, lang, INTERP_MAX_STEPS);
  bool ok = reval_take(&ev, NULL, e, out);
  reval_clear(&ev);
  return ok;
}
