#include "report/judge/suspect.h"

#include "base/vec.h"
#include "lang/syntax/walk.h"

/* ---- private data ---------------------------------------------------------------------------- */

struct trail {
  VEC(const struct ast_var *) private; /* variables that hold private data without noise */
  struct suspect found, sample;        /* the first of each; a sample is no surprise */
};

struct look {
  const struct trail *trail;
  bool found;
};

static void look_for_private(const struct ast_expr *e, void *context) {
  struct look *look = context;
  if (e->kind == EXPR_CALL && e->as.call.builtin == BUILTIN_LENGTH) return;
  if (e->kind == EXPR_NAME)
    for (size_t i = 0; i < look->trail->private.len; i++)
      look->found |= look->trail->private.at[i] == e->as.name.var;
  walk_parts(e, look_for_private, look);
}

static bool is_private(const struct trail *t, const struct ast_expr *e) {
  struct look look = {t, false};
  if (e) look_for_private(e, &look);
  return look.found;
}

static void set_private(struct trail *t, const struct ast_var *var) {
  for (size_t i = 0; i < t->private.len; i++)
    if (t->private.at[i] == var) return;
  if (var) vec_push(&t->private, var);
}

static void suspect(struct trail *t, struct suspect s) {
  if (!t->found.what) t->found = s;
}

/* ---- expressions ----------------------------------------------------------------------------- */

static bool is_curved_call(const struct ast_expr *e) {
  switch (e->as.call.builtin) {
  case BUILTIN_LN:
  case BUILTIN_EXP:
  case BUILTIN_SQRT:
  case BUILTIN_FLOOR:
  case BUILTIN_CEIL:
  case BUILTIN_ROUND: return true;
  default: return false; /* axioms may say how far operators move */
  }
}

/* May a small change of the data make a large one here, or one of unknown size? */
static bool is_curved(const struct trail *t, const struct ast_expr *e) {
  if (e->kind == EXPR_CALL) return is_curved_call(e) && is_private(t, e);
  if (e->kind != EXPR_BINARY) return false;
  switch (e->as.binary.op) {
  case BINARY_MUL: return is_private(t, e->as.binary.left) && is_private(t, e->as.binary.right);
  case BINARY_DIV: return is_private(t, e->as.binary.right);
  case BINARY_IDIV:
  case BINARY_MOD:
  case BINARY_POW: return is_private(t, e);
  default: return false;
  }
}

static void look_for_curve(const struct ast_expr *e, void *context) {
  struct trail *t = context;
  walk_parts(e, look_for_curve, t);
  if (is_curved(t, e))
    suspect(t,
            (struct suspect){.span = e->span,
                             .what = "how far this moves between adjacent inputs was not found out",
                             .advice = "clamp the data to a range before, or say in `adjacent` or "
                                       "`requires` what is known of them"});
}

/* ---- statements ------------------------------------------------------------------------------ */

static void follow_block(struct trail *t, const struct ast_block *b);

static void follow_condition(struct trail *t, const struct ast_expr *cond) {
  look_for_curve(cond, t);
  if (is_private(t, cond))
    suspect(t, (struct suspect){
                   .span = cond->span,
                   .what = "this condition depends on private data without noise, so the two "
                           "runs may take different branches",
                   .advice = "add noise to what it compares, or compare something that is equal "
                             "in both runs"});
}

static void follow_sample(struct trail *t, const struct ast_stmt *s) {
  const struct ast_dist *d = &s->as.sample.dist;
  for (size_t i = 0; i < d->count; i++) {
    look_for_curve(d->args[i], t);
    if (!is_private(t, d->args[i])) continue;
    if (i > 0)
      suspect(t, (struct suspect){.span = d->args[i]->span,
                                  .what = "a parameter of the noise depends on private data",
                                  .advice = "let it depend on parameters and public inputs only"});
    else if (!t->sample.what)
      t->sample =
          (struct suspect){.span = s->span,
                           .what = "this sample could not be coupled within the budget",
                           .advice = "a proof block that says how it is coupled, e.g. `proof { "
                                     "sample x: shift 1; }` (docs/proofs.md); the rest is found",
                           .needs_block = true};
  }
}

static void follow_output(struct trail *t, const struct ast_expr *value) {
  if (!value) return;
  look_for_curve(value, t);
  if (is_private(t, value))
    suspect(t, (struct suspect){
                   .span = value->span,
                   .what = "this is given out and depends on private data without noise of its "
                           "own",
                   .advice = "add noise to it, or let a coin that does not depend on the data "
                             "decide whether it is given out"});
}

static void follow_assignment(struct trail *t, const struct ast_stmt *s) {
  look_for_curve(s->as.assign.value, t);
  for (size_t i = 0; i < s->as.assign.count; i++)
    if (is_private(t, s->as.assign.value)) set_private(t, s->as.assign.targets[i].var);
}

static void follow(struct trail *t, const struct ast_stmt *s) {
  switch (s->kind) {
  case STMT_VAR:
    if (s->as.var.init) look_for_curve(s->as.var.init, t);
    if (is_private(t, s->as.var.init)) set_private(t, s->as.var.var);
    break;
  case STMT_ASSIGN: follow_assignment(t, s); break;
  case STMT_SAMPLE: follow_sample(t, s); break;
  case STMT_IF:
    follow_condition(t, s->as.branch.cond);
    follow_block(t, &s->as.branch.then);
    follow_block(t, &s->as.branch.otherwise);
    break;
  case STMT_WHILE:
    follow_condition(t, s->as.loop.cond);
    follow_block(t, &s->as.loop.body);
    break;
  case STMT_FOR: follow_block(t, &s->as.range.body); break;
  case STMT_EMIT:
  case STMT_RETURN: follow_output(t, s->as.value); break;
  default: break;
  }
}

static void follow_block(struct trail *t, const struct ast_block *b) {
  for (size_t i = 0; i < b->count; i++)
    follow(t, b->stmts[i]);
}

struct suspect suspect_of(const struct ast_routine *mechanism) {
  struct trail t = {0};
  for (size_t i = 0; i < mechanism->arg_count; i++)
    if (mechanism->args[i]->is_private) set_private(&t, mechanism->args[i]);
  for (size_t i = 0; i < mechanism->oracle_count; i++)
    follow_block(&t, &mechanism->oracles[i]->body);
  follow_block(&t, &mechanism->body);
  vec_clear(&t.private);
  return t.found.what ? t.found : t.sample;
}

/* ---- quotients ------------------------------------------------------------------------------- */

struct divisor {
  const struct ast_module *module;
  const struct ast_decl *param;
  struct span where;
};

/* A number, or the parameter, which is taken to be 0. False: neither. */
static bool value_at_zero(fmpq_t out, const struct ast_expr *e, const struct ast_decl *param) {
  if (e->kind == EXPR_NUMBER)
    fmpq_set(out, e->as.number.value);
  else if (e->kind == EXPR_NAME && e->as.name.decl == param)
    fmpq_zero(out);
  else
    return false;
  return true;
}

/* Is `left op right` plainly false when the parameter is 0? */
static bool fails_at_zero(enum binary_op op, const struct ast_expr *left,
                          const struct ast_expr *right, const struct ast_decl *param) {
  fmpq_t a, b;
  fmpq_init(a);
  fmpq_init(b);
  bool known = value_at_zero(a, left, param) && value_at_zero(b, right, param);
  int order = fmpq_cmp(a, b);
  fmpq_clear(a);
  fmpq_clear(b);
  if (!known) return false;
  switch (op) {
  case BINARY_LT: return order >= 0;
  case BINARY_LE: return order > 0;
  case BINARY_GT: return order <= 0;
  case BINARY_GE: return order < 0;
  case BINARY_EQ: return order != 0;
  case BINARY_NE: return order == 0;
  default: return false;
  }
}

static bool excludes_zero(const struct ast_expr *e, const struct ast_decl *param) {
  if (e->kind == EXPR_BINARY && e->as.binary.op == BINARY_AND)
    return excludes_zero(e->as.binary.left, param) || excludes_zero(e->as.binary.right, param);
  if (e->kind == EXPR_BINARY)
    return fails_at_zero(e->as.binary.op, e->as.binary.left, e->as.binary.right, param);
  for (size_t i = 0; e->kind == EXPR_CHAIN && i + 1 < e->as.chain.count; i++)
    if (fails_at_zero(e->as.chain.ops[i], e->as.chain.operands[i], e->as.chain.operands[i + 1],
                      param))
      return true;
  return false;
}

/* Plainly: an assumption that takes a thought to use (n > k, k >= 0) is not seen. */
static bool may_be_zero(const struct ast_module *module, const struct ast_decl *param) {
  for (size_t i = 0; i < module->decl_count; i++) {
    const struct ast_decl *d = module->decls[i];
    for (size_t k = 0; d->kind == DECL_PARAM && k < d->as.param.count; k++)
      if (excludes_zero(d->as.param.assumptions[k], param)) return false;
  }
  return true;
}

static void look_for_divisor(const struct ast_expr *e, void *context) {
  struct divisor *d = context;
  walk_parts(e, look_for_divisor, d);
  if (d->param || e->kind != EXPR_BINARY) return;
  if (e->as.binary.op != BINARY_DIV && e->as.binary.op != BINARY_IDIV) return;
  const struct ast_expr *by = e->as.binary.right;
  const struct ast_decl *param = by->kind == EXPR_NAME ? by->as.name.decl : NULL;
  if (!param || param->kind != DECL_PARAM || !may_be_zero(d->module, param)) return;
  d->param = param;
  d->where = e->span;
}

const struct ast_decl *suspect_divisor(const struct ast_module *module,
                                       const struct ast_routine *mechanism, struct span *where) {
  struct divisor d = {.module = module};
  walk_block(&mechanism->body, look_for_divisor, &d);
  *where = d.where;
  return d.param;
}
