/* Calls: built-in functions, lets and ops inside expressions; procedures, oracles and adversaries
 * only as statements or whole right-hand sides. */
#include "lang/check/check_internal.h"
#include "lang/syntax/builtin.h"

static bool is_error(const struct type *t) {
  return t->kind == TYPE_ERROR;
}

static bool check_arity(struct checker *c, const struct ast_expr *e, size_t wanted) {
  if (e->as.call.count == wanted) return true;
  report_error(c, e->span, "wrong-arity", "`%s` takes %zu argument%s, not %zu",
               e->as.call.callee.text, wanted, wanted == 1 ? "" : "s", e->as.call.count);
  return false;
}

/* Of a call that cannot be understood: whether they need run tags is not known either. */
static void check_args_anyway(struct checker *c, struct ast_expr *e) {
  bool covered = c->ctx.covered;
  c->ctx.covered = true;
  for (size_t i = 0; i < e->as.call.count; i++)
    check_expr(c, e->as.call.args[i]);
  c->ctx.covered = covered;
}

/* ---- built-in ---------------------------------------------------------------------------------
 */

static const struct type *check_sequence(struct checker *c, struct ast_expr *e, const char *name,
                                         bool array_too) {
  const struct type *t = check_expr(c, e);
  if (t->kind == TYPE_LIST || is_error(t) || (array_too && t->kind == TYPE_ARRAY)) return t;
  report_error(c, e->span, "type-mismatch", "`%s` needs a list%s, but this is %s", name,
               array_too ? " or an array" : "", type_text(c, t));
  return c->types->error;
}

static void check_optional_entries(struct checker *c, const struct ast_expr *e,
                                   const struct type *t) {
  if (t->kind == TYPE_ARRAY && type_is_option(t->elem)) return;
  report_error(c, e->span, "type-mismatch",
               "`add_remove` needs an array of optional records, but this is %s", type_text(c, t));
  report_hint(c, "declare it as option(real)[n]: n places, each with a record or without");
}

/* all_within(q, s) and its like are about the entries of an array; within and same are not. */
static void check_related(struct checker *c, struct ast_expr *e, enum builtin id,
                          const char *name) {
  bool covered = c->ctx.covered;
  c->ctx.covered = true;
  const struct type *t = check_expr(c, e);
  c->ctx.covered = covered;
  if (is_error(t) || id == BUILTIN_SAME) return;
  if (id == BUILTIN_WITHIN) {
    if (type_is_numeric(t) || type_is_float(t)) return;
    report_error(c, e->span, "type-mismatch", "`within` needs a number, but this is %s",
                 type_text(c, t));
    if (t->kind == TYPE_ARRAY) report_hint(c, "for the entries of an array use all_within");
    return;
  }
  bool entries = t->kind == TYPE_ARRAY || t->kind == TYPE_LIST;
  if (id == BUILTIN_ADD_REMOVE) {
    check_optional_entries(c, e, t);
    return;
  }
  bool any = id == BUILTIN_ONE_CHANGES;
  if (entries && (any || (t->elem && (type_is_numeric(t->elem) || type_is_float(t->elem))))) return;
  report_error(c, e->span, "type-mismatch", "`%s` needs an array%s, but this is %s", name,
               any ? "" : " of numbers", type_text(c, t));
  if (type_is_numeric(t)) report_hint(c, "for a single number use within");
  if (entries && id == BUILTIN_ONE_DIFFERS)
    report_hint(c, "one_changes(...) lets one entry of any type change in whatever way");
}

static const struct type *check_adjacency(struct checker *c, struct ast_expr *e,
                                          const struct builtin_info *info) {
  if (!c->ctx.two_runs) {
    report_error(c, e->span, "shorthand-not-allowed",
                 "`%s` relates two runs, but %s is about one run", info->name, c->ctx.place);
    report_hint(c, "adjacency shorthands belong in `adjacent`, `under` and proofs");
  } else if (c->ctx.covered) {
    report_error(c, e->span, "nested-tag",
                 "an adjacency shorthand inside a run tag or another shorthand");
  }
  check_related(c, e->as.call.args[0], info->id, info->name);
  if (e->as.call.count > 1) check_numeric(c, e->as.call.args[1], "the distance");
  return c->types->boolean;
}

static const struct type *check_function(struct checker *c, struct ast_expr *e,
                                         const struct builtin_info *info);

static const struct type *check_builtin(struct checker *c, struct ast_expr *e,
                                        const struct builtin_info *info) {
  const struct type *t = check_function(c, e, info);
  e->as.call.ulps = type_is_float(t) ? libm_ulps(c, info->id) : 0;
  return t;
}

static const struct type *check_function(struct checker *c, struct ast_expr *e,
                                         const struct builtin_info *info) {
  if (builtin_is_proof_only(info->id)) {
    report_error(c, e->as.call.callee.span, "shorthand-not-allowed",
                 "`%s` can be used in proofs only", info->name);
    report_hint(c, "where one item differs, `adjacent` has one_differs(x, distance) or "
                   "one_changes(x)");
    check_args_anyway(c, e);
    return c->types->error;
  }
  e->as.call.callee_kind = CALLEE_BUILTIN;
  e->as.call.builtin = info->id;
  if (builtin_is_of_array(info, e->as.call.count) && e->as.call.count == 1)
    return check_array_call(c, e, info);
  if (!check_arity(c, e, info->arity)) {
    if (info->id == BUILTIN_MAX || info->id == BUILTIN_MIN)
      report_hint(c, "`%s` is of two numbers, or of the items of an array", info->name);
    if (info->is_adjacency)
      report_hint(c, info->arity == 1 ? "write `%s(x)`" : "write `%s(x, distance)`", info->name);
    check_args_anyway(c, e);
    return c->types->error;
  }
  if (info->is_adjacency) return check_adjacency(c, e, info);
  if (info->id == BUILTIN_SOME || info->id == BUILTIN_IS_SOME || info->id == BUILTIN_VALUE)
    return check_option_call(c, e, info);
  struct ast_expr **args = e->as.call.args;
  char what[40];
  snprintf(what, sizeof what, "an argument of `%s`", info->name);
  switch (info->id) {
  case BUILTIN_REAL: check_numeric(c, args[0], what); return c->types->real;
  case BUILTIN_LN:
  case BUILTIN_EXP:
  case BUILTIN_SQRT:
  case BUILTIN_FLOOR:
  case BUILTIN_CEIL:
  case BUILTIN_ROUND: {
    const struct type *t = check_any_number(c, args[0], what);
    bool whole = info->id != BUILTIN_LN && info->id != BUILTIN_EXP && info->id != BUILTIN_SQRT;
    return type_is_float(t) ? t : whole ? c->types->integer : c->types->real;
  }
  case BUILTIN_ABS: return check_any_number(c, args[0], what);
  case BUILTIN_MIN:
  case BUILTIN_MAX: {
    const struct type *a = check_any_number(c, args[0], what);
    const struct type *b = check_any_number(c, args[1], what);
    const struct type *common;
    if (check_float_pair(c, args[0], args[1], info->name, &common)) return common;
    if (!c->inferring && (is_error(a) || is_error(b))) return c->types->error;
    return type_join(c->types, a, b);
  }
  case BUILTIN_LENGTH: check_sequence(c, args[0], info->name, true); return c->types->integer;
  case BUILTIN_HEAD: {
    const struct type *t = check_sequence(c, args[0], info->name, false);
    return t->kind == TYPE_LIST && t->elem ? t->elem : c->types->error;
  }
  case BUILTIN_TAIL: return check_sequence(c, args[0], info->name, false);
  case BUILTIN_DECLASSIFY: return check_expr(c, args[0]);
  case BUILTIN_TO_FLOAT:
  case BUILTIN_TO_FLOAT32:
  case BUILTIN_TO_REAL:
  case BUILTIN_FMA:
  case BUILTIN_SIN:
  case BUILTIN_COS:
  case BUILTIN_LOG1P:
  case BUILTIN_EXPM1: return check_float_call(c, e, info);
  default: return c->types->error;
  }
}

/* ---- declared ---------------------------------------------------------------------------------
 */

static void check_args(struct checker *c, struct ast_expr *e, struct ast_var **args, size_t count,
                       struct span declared) {
  if (!check_arity(c, e, count)) {
    report_note(c, declared, "it is declared here");
    check_args_anyway(c, e);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    const struct type *t = args[i]->type ? type_reveal(c, args[i]->type) : c->types->error;
    check_against(c, e->as.call.args[i], t, "argument `%s` of `%s`", args[i]->name.text,
                  e->as.call.callee.text);
  }
}

static const struct type *written_type(struct checker *c, const struct ast_type *t) {
  if (!t) return c->types->unit;
  return t->type ? type_reveal(c, t->type) : c->types->error;
}

static bool same_oracle(const struct ast_oracle_use *use, const struct ast_routine *oracle) {
  if (use->arg_count != oracle->arg_count || !use->returns != !oracle->returns) return false;
  for (size_t i = 0; i < use->arg_count; i++)
    if (use->args[i]->type != oracle->args[i]->type) return false;
  return !use->returns || use->returns->type == oracle->returns->type;
}

/* Every oracle that the adversary uses must be there, with the declared types. */
static void check_uses(struct checker *c, struct ast_expr *e, const struct ast_decl *d) {
  size_t count = d->as.adversary.use_count;
  e->as.call.oracles = arena_alloc(&c->lang->arena, (count + 1) * sizeof *e->as.call.oracles);
  for (size_t i = 0; i < count; i++) {
    const struct ast_oracle_use *use = &d->as.adversary.uses[i];
    struct ast_routine *oracle = ptrmap_get(&c->oracles, use->name.text);
    e->as.call.oracles[i] = oracle;
    if (!oracle) {
      report_error(c, e->span, "missing-oracle",
                   "`%s` uses the oracle `%s`, which is not declared in this %s", d->name.text,
                   use->name.text,
                   c->routine && c->routine->kind == ROUTINE_MECHANISM ? "mechanism" : "routine");
      report_hint(c, "declare it at the top of the mechanism: oracle %s(...) ...", use->name.text);
      report_note(c, use->name.span, "the use is declared here");
    } else if (!same_oracle(use, oracle)) {
      report_error(c, e->span, "oracle-mismatch",
                   "the oracle `%s` does not have the types that `%s` was declared to use",
                   use->name.text, d->name.text);
      report_note(c, use->name.span, "the use is declared here");
      report_note(c, oracle->name.span, "the oracle is declared here");
    }
  }
}

/* Procedures, oracles and adversaries change state: they stand alone. */
static void check_stands_alone(struct checker *c, const struct ast_expr *e, bool whole,
                               const char *kind) {
  if (c->routine && whole) return;
  report_error(c, e->span, "call-in-expression",
               c->routine ? "a call of the %s `%s` may not be part of an expression"
                          : "a call of the %s `%s` is only possible in code",
               kind, e->as.call.callee.text);
  if (c->routine)
    report_hint(c, "assign its result to a variable first: x := %s(...);", e->as.call.callee.text);
}

static size_t use_of(const struct ast_decl *adversary, const char *oracle) {
  size_t i = 0;
  while (i < adversary->as.adversary.use_count &&
         adversary->as.adversary.uses[i].name.text != oracle)
    i++;
  return i;
}

static const struct type *check_oracle_call(struct checker *c, struct ast_expr *e,
                                            struct ast_routine *oracle, bool whole) {
  e->as.call.callee_kind = CALLEE_ORACLE;
  e->as.call.oracle = oracle;
  if (c->routine && c->routine->kind == ROUTINE_SCRIPT)
    e->as.call.use = use_of(c->routine->decl, oracle->name.text);
  check_stands_alone(c, e, whole, "oracle");
  if (c->routine && c->routine->ast == oracle) {
    report_error(c, e->span, "recursive-use", "the oracle `%s` calls itself", oracle->name.text);
  } else if (c->routine && c->routine->kind == ROUTINE_ORACLE &&
             oracle->name.span.begin > c->routine->ast->name.span.begin) {
    report_error(c, e->span, "used-before-declaration", "`%s` is used before its declaration",
                 oracle->name.text);
    report_hint(c, "move the oracle `%s` up", oracle->name.text);
  }
  check_args(c, e, oracle->args, oracle->arg_count, oracle->name.span);
  return written_type(c, oracle->returns);
}

static const struct type *check_adversary_call(struct checker *c, struct ast_expr *e,
                                               struct ast_decl *d, bool whole) {
  e->as.call.callee_kind = CALLEE_ADVERSARY;
  check_stands_alone(c, e, whole, "adversary");
  if (c->routine && (c->routine->kind == ROUTINE_ORACLE || c->routine->kind == ROUTINE_SCRIPT)) {
    report_error(c, e->span, "adversary-not-allowed", "%s may not call an adversary",
                 c->routine->kind == ROUTINE_ORACLE ? "an oracle" : "the script of an adversary");
  } else if (c->routine && c->routine->kind == ROUTINE_PROCEDURE && d->as.adversary.use_count) {
    report_error(c, e->span, "missing-oracle",
                 "`%s` uses oracles, so only a mechanism that declares them can call it",
                 d->name.text);
  } else if (c->routine) {
    check_uses(c, e, d);
  }
  check_args(c, e, d->as.adversary.args, d->as.adversary.arg_count, d->name.span);
  return written_type(c, d->as.adversary.returns);
}

static const struct type *check_declared(struct checker *c, struct ast_expr *e, struct ast_decl *d,
                                         bool whole) {
  e->as.call.decl = d;
  switch (d->kind) {
  case DECL_LET:
    if (!d->as.let.arg_count) break;
    e->as.call.callee_kind = CALLEE_LET;
    check_formula_let(c, e, d);
    check_args(c, e, d->as.let.args, d->as.let.arg_count, d->name.span);
    return d->as.let.result ? type_reveal(c, d->as.let.result) : c->types->error;
  case DECL_OP:
    if (!d->as.op.arg_count && e->as.call.count) break;
    e->as.call.callee_kind = CALLEE_OP;
    check_args(c, e, d->as.op.args, d->as.op.arg_count, d->name.span);
    return written_type(c, d->as.op.result);
  case DECL_PROCEDURE:
    e->as.call.callee_kind = CALLEE_PROCEDURE;
    check_stands_alone(c, e, whole, "procedure");
    check_args(c, e, d->as.procedure->args, d->as.procedure->arg_count, d->name.span);
    return written_type(c, d->as.procedure->returns);
  case DECL_ADVERSARY: return check_adversary_call(c, e, d, whole);
  default: break;
  }
  e->as.call.decl = NULL;
  report_error(c, e->as.call.callee.span, "not-callable", "`%s` is %s and cannot be called",
               d->name.text, decl_kind_text(d->kind));
  report_note(c, d->name.span, "it is declared here");
  check_args_anyway(c, e);
  return c->types->error;
}

const struct type *check_call(struct checker *c, struct ast_expr *e, bool whole) {
  struct ast_name name = e->as.call.callee;
  const struct builtin_info *info = builtin_find(name.text);
  if (info && !info->yields) return check_builtin(c, e, info);
  struct ast_routine *oracle = ptrmap_get(&c->oracles, name.text);
  if (oracle) return check_oracle_call(c, e, oracle, whole);
  if (info && !names_visible(c, &c->values, name.text)) return check_builtin(c, e, info);
  struct ast_var *var = ptrmap_get(&c->locals, name.text);
  if (var) {
    report_error(c, name.span, "not-callable", "`%s` is a variable and cannot be called",
                 name.text);
    if (var->type && (var->type->kind == TYPE_ARRAY || var->type->kind == TYPE_LIST))
      report_hint(c, "an item is written `%s[i]`, the first one `%s[0]`", name.text, name.text);
    report_note(c, var->name.span, "the variable");
    check_args_anyway(c, e);
    return c->types->error;
  }
  struct ast_decl *d = names_find_value(c, name, "function");
  if (d) return check_declared(c, e, d, whole);
  check_args_anyway(c, e);
  return c->types->error;
}
