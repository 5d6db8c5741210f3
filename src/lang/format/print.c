#include "lang/format/print.h"
#include "lang/format/words.h"

#include "lang/syntax/builtin.h"

static void expr_at(struct pretty *p, const struct ast_expr *e, enum level wanted);

/* What was written: the checker puts to_float(0.5) in the place of a literal 0.5 (check_float.c), with
 * the span of the literal as that of the name. */
static const struct ast_expr *as_written(const struct ast_expr *e) {
  if (e->kind != EXPR_CALL || e->as.call.callee_kind != CALLEE_BUILTIN || e->as.call.count != 1)
    return e;
  const struct span name = e->as.call.callee.span, argument = e->as.call.args[0]->span;
  const bool is_made = name.file && name.file == argument.file && name.begin == argument.begin &&
                       name.end == argument.end;
  return is_made ? e->as.call.args[0] : e;
}

/* A literal nobody wrote may be negative or a fraction: then it is an operator expression. */
static enum level number_level(const struct ast_expr *e) {
  if (e->as.number.text) return LEVEL_POSTFIX;
  if (!fmpz_is_one(fmpq_denref(e->as.number.value))) return LEVEL_PRODUCT;
  return fmpq_sgn(e->as.number.value) < 0 ? LEVEL_UNARY : LEVEL_POSTFIX;
}

static enum level level_of(const struct ast_expr *e) {
  e = as_written(e);
  switch (e->kind) {
  case EXPR_NUMBER: return number_level(e);
  case EXPR_UNARY: return e->as.unary.op == UNARY_NOT ? LEVEL_NOT : LEVEL_UNARY;
  case EXPR_BINARY: return binary_op_level(e->as.binary.op);
  case EXPR_CHAIN: return LEVEL_COMPARISON;
  case EXPR_IF: return LEVEL_EXPR;
  case EXPR_QUANT: return e->as.quant.is_sum ? LEVEL_SUM : LEVEL_EXPR;
  default: return LEVEL_POSTFIX;
  }
}

static void list(struct pretty *p, const char *open, struct ast_expr *const *items, size_t count,
                 const char *close) {
  pretty_text(p, open);
  pretty_open(p, PRETTY_FILL, 2);
  for (size_t i = 0; i < count; i++) {
    if (i) {
      pretty_text(p, ",");
      pretty_break(p, 1, 0);
    }
    pretty_expr(p, items[i]);
  }
  pretty_close(p);
  pretty_text(p, close);
}

/* Connectives break all or none, so that the parts of a formula line up; arithmetic is filled. */
static enum pretty_style style_of(enum level level) {
  return level < LEVEL_COMPARISON ? PRETTY_CONSISTENT : PRETTY_FILL;
}

static void operator_text(struct pretty *p, enum binary_op op, bool tight) {
  pretty_break(p, tight ? 0 : 1, 0);
  pretty_text(p, binary_op_text(op));
  if (!tight) pretty_text(p, " ");
}

/* Products are set tight, as in 2*n/eps + 1, unless a word or a sign would make that hard to read.
 */
static bool is_tight(const struct ast_expr *e) {
  if (binary_op_level(e->as.binary.op) != LEVEL_PRODUCT) return false;
  for (;; e = e->as.binary.left) {
    if (level_of(e) == LEVEL_UNARY) return false;
    if (e->kind != EXPR_BINARY || binary_op_level(e->as.binary.op) != LEVEL_PRODUCT) return true;
    if (e->as.binary.op == BINARY_IDIV || e->as.binary.op == BINARY_MOD) return false;
    if (level_of(e->as.binary.right) == LEVEL_UNARY) return false;
  }
}

/* a + b - c: the whole left spine as one group. A loop, for spines can be long. */
static void left_spine(struct pretty *p, const struct ast_expr *e, enum level level) {
  VEC(const struct ast_expr *) spine = {0};
  bool tight = is_tight(e);
  for (; e->kind == EXPR_BINARY && binary_op_level(e->as.binary.op) == level; e = e->as.binary.left)
    vec_push(&spine, e);
  pretty_open(p, style_of(level), 2);
  expr_at(p, e, level + 1);
  while (spine.len) {
    const struct ast_expr *node = vec_pop(&spine);
    operator_text(p, node->as.binary.op, tight);
    expr_at(p, node->as.binary.right, level + 1);
  }
  pretty_close(p);
  vec_clear(&spine);
}

/* a -> b -> c, x :: y :: l */
static void right_spine(struct pretty *p, const struct ast_expr *e, enum level level) {
  pretty_open(p, style_of(level), 2);
  for (; e->kind == EXPR_BINARY && binary_op_level(e->as.binary.op) == level;
       e = e->as.binary.right) {
    expr_at(p, e->as.binary.left, level + 1);
    operator_text(p, e->as.binary.op, false);
  }
  expr_at(p, e, level + 1);
  pretty_close(p);
}

static void binary(struct pretty *p, const struct ast_expr *e) {
  enum level level = binary_op_level(e->as.binary.op);
  switch (level) {
  case LEVEL_POWER:
    expr_at(p, e->as.binary.left, LEVEL_POSTFIX);
    pretty_text(p, "^");
    expr_at(p, e->as.binary.right, LEVEL_UNARY);
    break;
  case LEVEL_IMPLIES:
  case LEVEL_CONS: right_spine(p, e, level); break;
  case LEVEL_COMPARISON:
    pretty_open(p, PRETTY_FILL, 2);
    expr_at(p, e->as.binary.left, level + 1);
    operator_text(p, e->as.binary.op, false);
    expr_at(p, e->as.binary.right, level + 1);
    pretty_close(p);
    break;
  default: left_spine(p, e, level); break;
  }
}

static void chain(struct pretty *p, const struct ast_expr *e) {
  pretty_open(p, PRETTY_FILL, 2);
  for (size_t i = 0; i < e->as.chain.count; i++) {
    if (i) operator_text(p, e->as.chain.ops[i - 1], false);
    expr_at(p, e->as.chain.operands[i], LEVEL_APPEND);
  }
  pretty_close(p);
}

static void parenthesised(struct pretty *p, const struct ast_expr *e) {
  pretty_text(p, "(");
  pretty_expr(p, e);
  pretty_text(p, ")");
}

/* <1> is a run tag only right behind a name, a closing bracket, a projection or another tag. */
static void tagged(struct pretty *p, const struct ast_expr *e) {
  const struct ast_expr *operand = e->as.tag.operand;
  switch (operand->kind) {
  case EXPR_NAME:
  case EXPR_TAG:
  case EXPR_CALL:
  case EXPR_INDEX:
  case EXPR_PROJ:
  case EXPR_LIST:
  case EXPR_TUPLE: pretty_expr(p, operand); break;
  default: parenthesised(p, operand); break;
  }
  pretty_printf(p, "<%d>", e->as.tag.run);
}

/* Behind a digit `.1` would continue a number; behind a word it is no projection. */
static void projected(struct pretty *p, const struct ast_expr *e) {
  const struct ast_expr *base = e->as.proj.base;
  if (base->kind == EXPR_NUMBER || base->kind == EXPR_BOOL)
    parenthesised(p, base);
  else
    expr_at(p, base, LEVEL_POSTFIX);
  pretty_printf(p, ".%u", e->as.proj.item);
}

static void binders(struct pretty *p, const struct ast_binder *b, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (i) pretty_text(p, ", ");
    pretty_text(p, b[i].var->name.text);
    if (b[i].low) {
      pretty_text(p, " in ");
      pretty_expr(p, b[i].low);
      pretty_text(p, "..");
      pretty_expr(p, b[i].high);
      continue;
    }
    const struct ast_type *type = b[i].var->declared;
    while (i + 1 < count && b[i + 1].var->declared == type && !b[i + 1].low)
      pretty_printf(p, ", %s", b[++i].var->name.text);
    pretty_text(p, " : ");
    pretty_type(p, type);
  }
}

static void quantified(struct pretty *p, const struct ast_expr *e) {
  pretty_open(p, PRETTY_FILL, 2);
  bool is_sum = e->as.quant.is_sum;
  pretty_text(p, is_sum ? "sum " : e->as.quant.is_forall ? "forall " : "exists ");
  binders(p, e->as.quant.binders, e->as.quant.count);
  pretty_text(p, ".");
  pretty_break(p, 1, 0);
  expr_at(p, e->as.quant.body, is_sum ? LEVEL_PRODUCT : LEVEL_EXPR);
  pretty_close(p);
}

static void conditional(struct pretty *p, const struct ast_expr *e) {
  pretty_open(p, PRETTY_CONSISTENT, 2);
  pretty_text(p, "if ");
  pretty_expr(p, e->as.cond.cond);
  pretty_break(p, 1, 0);
  pretty_text(p, "then ");
  pretty_expr(p, e->as.cond.then);
  pretty_break(p, 1, 0);
  pretty_text(p, "else ");
  pretty_expr(p, e->as.cond.otherwise);
  pretty_close(p);
}

static void number(struct pretty *p, const struct ast_expr *e) {
  if (e->as.number.text) {
    pretty_text(p, e->as.number.text);
    return;
  }
  char *digits = fmpq_get_str(NULL, 10, e->as.number.value);
  pretty_text(p, digits);
  flint_free(digits);
}

void pretty_expr(struct pretty *p, const struct ast_expr *e) {
  e = as_written(e);
  switch (e->kind) {
  case EXPR_ERROR: pretty_text(p, "<error>"); break;
  case EXPR_BOOL: pretty_text(p, e->as.boolean ? "true" : "false"); break;
  case EXPR_NUMBER: number(p, e); break;
  case EXPR_NAME: pretty_text(p, e->as.name.text); break;
  case EXPR_TAG: tagged(p, e); break;
  case EXPR_UNARY:
    pretty_text(p, e->as.unary.op == UNARY_NOT ? "not " : "-");
    expr_at(p, e->as.unary.operand, level_of(e));
    break;
  case EXPR_BINARY: binary(p, e); break;
  case EXPR_CHAIN: chain(p, e); break;
  case EXPR_CALL:
    pretty_text(p, e->as.call.callee.text);
    list(p, "(", e->as.call.args, e->as.call.count, ")");
    break;
  case EXPR_INDEX:
    expr_at(p, e->as.index.base, LEVEL_POSTFIX);
    pretty_text(p, "[");
    pretty_expr(p, e->as.index.index);
    pretty_text(p, "]");
    break;
  case EXPR_PROJ: projected(p, e); break;
  case EXPR_LIST: list(p, "[", e->as.list.items, e->as.list.count, "]"); break;
  case EXPR_TUPLE: list(p, "(", e->as.list.items, e->as.list.count, ")"); break;
  case EXPR_IF: conditional(p, e); break;
  case EXPR_QUANT: quantified(p, e); break;
  case EXPR_HOLE: pretty_text(p, "?"); break;
  }
}

static void expr_at(struct pretty *p, const struct ast_expr *e, enum level wanted) {
  if (level_of(e) < wanted)
    parenthesised(p, e);
  else
    pretty_expr(p, e);
}

/* ---- types, arguments, distributions -------------------------------------------------------- */

/* real[n][m] is an array of n arrays real[m]: lengths from the outside in. */
static void array_type(struct pretty *p, const struct ast_type *type) {
  const struct ast_type *elem = type;
  while (elem->kind == TYPE_ARRAY)
    elem = elem->items[0];
  pretty_type(p, elem);
  for (; type->kind == TYPE_ARRAY; type = type->items[0]) {
    pretty_text(p, "[");
    if (type->length) pretty_expr(p, type->length);
    pretty_text(p, "]");
  }
}

void pretty_type(struct pretty *p, const struct ast_type *type) {
  switch (type->kind) {
  case TYPE_ERROR: pretty_text(p, "<error>"); break;
  case TYPE_UNIT: pretty_text(p, "nothing"); break;
  case TYPE_BOOL: pretty_text(p, "bool"); break;
  case TYPE_INT: pretty_text(p, "int"); break;
  case TYPE_REAL: pretty_text(p, "real"); break;
  case TYPE_FLOAT: pretty_text(p, "float"); break;
  case TYPE_FLOAT32: pretty_text(p, "float32"); break;
  case TYPE_ABSTRACT: pretty_text(p, type->name.text); break;
  case TYPE_ARRAY: array_type(p, type); break;
  case TYPE_LIST:
    pretty_text(p, "list(");
    pretty_type(p, type->items[0]);
    pretty_text(p, ")");
    break;
  case TYPE_TUPLE:
    pretty_text(p, type->is_option ? "option(" : "(");
    for (size_t i = type->is_option ? 1 : 0; i < type->count; i++) {
      if (i && !type->is_option) pretty_text(p, ", ");
      pretty_type(p, type->items[i]);
    }
    pretty_text(p, ")");
    break;
  }
}

/* Names that were declared together share their type node and are printed together. */
void pretty_args(struct pretty *p, struct ast_var *const *args, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (i) {
      pretty_text(p, ",");
      pretty_break(p, 1, 0);
    }
    const struct ast_var *first = args[i];
    if (first->is_private) pretty_text(p, "private ");
    if (first->says_public) pretty_text(p, "public ");
    pretty_text(p, first->name.text);
    if (!first->declared) continue;
    while (i + 1 < count && args[i + 1]->declared == first->declared &&
           args[i + 1]->is_private == first->is_private)
      pretty_printf(p, ", %s", args[++i]->name.text);
    pretty_text(p, " : ");
    pretty_type(p, first->declared);
  }
}

void pretty_dist(struct pretty *p, const struct ast_dist *dist) {
  bool is_set = dist_get(dist->kind)->parameters == PARAMETERS_ITEMS;
  pretty_text(p, dist->sugar ? sugar_get(dist->sugar)->name : dist_get(dist->kind)->name);
  list(p, is_set ? "{" : "(", dist->args, dist->count, is_set ? "}" : ")");
}

void pretty_routine(struct pretty *p, const struct ast_routine *routine, bool is_mechanism) {
  pretty_text(p, routine->name.text);
  pretty_text(p, "(");
  pretty_open(p, PRETTY_FILL, 2);
  pretty_args(p, routine->args, routine->arg_count);
  pretty_close(p);
  pretty_text(p, ")");
  if (routine->emits) {
    pretty_text(p, " emits ");
    pretty_type(p, routine->emits);
  }
  if (routine->returns) {
    pretty_text(p, is_mechanism ? " returns " : " : ");
    pretty_type(p, routine->returns);
  }
}

/* ---- statements ----------------------------------------------------------------------------- */

static void target(struct pretty *p, const struct ast_target *t) {
  pretty_text(p, t->name.text);
  if (!t->index) return;
  pretty_text(p, "[");
  pretty_expr(p, t->index);
  pretty_text(p, "]");
}

static void targets(struct pretty *p, const struct ast_target *t, size_t count) {
  if (count == 1) {
    target(p, t);
    return;
  }
  pretty_text(p, "(");
  for (size_t i = 0; i < count; i++) {
    if (i) pretty_text(p, ", ");
    target(p, &t[i]);
  }
  pretty_text(p, ")");
}

static void keyword_expr(struct pretty *p, const char *keyword, const struct ast_expr *e) {
  pretty_text(p, keyword);
  if (!e) return;
  pretty_text(p, " ");
  pretty_expr(p, e);
}

static void statement(struct pretty *p, const struct ast_stmt *s) {
  switch (s->kind) {
  case STMT_ERROR: pretty_text(p, "<error>"); break;
  case STMT_SKIP: pretty_text(p, "skip;"); break;
  case STMT_BREAK: pretty_text(p, "break;"); break;
  case STMT_CONTINUE: pretty_text(p, "continue;"); break;
  case STMT_VAR:
    pretty_printf(p, "%s %s : ", s->as.var.var->role == VAR_STATE ? "state" : "var",
                  s->as.var.var->name.text);
    pretty_type(p, s->as.var.var->declared);
    if (s->as.var.init) keyword_expr(p, " :=", s->as.var.init);
    pretty_text(p, ";");
    break;
  case STMT_ASSIGN:
    targets(p, s->as.assign.targets, s->as.assign.count);
    keyword_expr(p, " :=", s->as.assign.value);
    pretty_text(p, ";");
    break;
  case STMT_SAMPLE:
    target(p, &s->as.sample.target);
    pretty_text(p, " <$ ");
    pretty_dist(p, &s->as.sample.dist);
    pretty_text(p, ";");
    break;
  case STMT_CALL:
    pretty_expr(p, s->as.call);
    pretty_text(p, ";");
    break;
  case STMT_IF: keyword_expr(p, "if", s->as.branch.cond); break;
  case STMT_WHILE: keyword_expr(p, "while", s->as.loop.cond); break;
  case STMT_FOR:
    pretty_printf(p, "for %s in ", s->as.range.var->name.text);
    pretty_expr(p, s->as.range.low);
    pretty_text(p, "..");
    pretty_expr(p, s->as.range.high);
    break;
  case STMT_EMIT:
  case STMT_RETURN:
    keyword_expr(p, s->kind == STMT_EMIT ? "emit" : "return", s->as.value);
    pretty_text(p, ";");
    break;
  }
}

void pretty_stmt(struct pretty *p, const struct ast_stmt *s) {
  pretty_open(p, PRETTY_FILL, 2);
  statement(p, s);
  pretty_close(p);
}

/* ---- one line of text ----------------------------------------------------------------------- */

static void finish(struct pretty *p, struct buffer *out) {
  pretty_render(p, out, PRETTY_FLAT, 0, 0);
  pretty_clear(p);
}

void print_expr(struct buffer *out, const struct ast_expr *expr) {
  struct pretty p;
  pretty_init(&p);
  pretty_expr(&p, expr);
  finish(&p, out);
}

void print_type(struct buffer *out, const struct ast_type *type) {
  struct pretty p;
  pretty_init(&p);
  pretty_type(&p, type);
  finish(&p, out);
}

void print_dist(struct buffer *out, const struct ast_dist *dist) {
  struct pretty p;
  pretty_init(&p);
  pretty_dist(&p, dist);
  finish(&p, out);
}

void print_target(struct buffer *out, const struct ast_target *t) {
  struct pretty p;
  pretty_init(&p);
  target(&p, t);
  finish(&p, out);
}

void print_args(struct buffer *out, struct ast_var *const *args, size_t count) {
  struct pretty p;
  pretty_init(&p);
  pretty_args(&p, args, count);
  finish(&p, out);
}

void print_stmt(struct buffer *out, const struct ast_stmt *stmt) {
  struct pretty p;
  pretty_init(&p);
  pretty_stmt(&p, stmt);
  finish(&p, out);
  if (stmt->kind == STMT_IF || stmt->kind == STMT_WHILE || stmt->kind == STMT_FOR)
    buffer_puts(out, " { ... }");
}

/* `op f(x : int) : bool`: a word, a name, arguments in parentheses and a type, if there are any. */
static void pretty_typed(struct pretty *p, const char *word, const char *name,
                         struct ast_var *const *args, size_t count, const struct ast_type *type) {
  pretty_text(p, word);
  pretty_text(p, name);
  if (count) {
    pretty_text(p, "(");
    pretty_args(p, args, count);
    pretty_text(p, ")");
  }
  if (type) {
    pretty_text(p, " : ");
    pretty_type(p, type);
  }
}

void print_signature(struct buffer *out, const struct ast_decl *decl) {
  struct pretty p;
  pretty_init(&p);
  const char *name = decl->name.text;
  if (decl->kind == DECL_PARAM) {
    pretty_typed(&p, "param ", name, NULL, 0, decl->as.param.type);
  } else if (decl->kind == DECL_LET) {
    pretty_typed(&p, "let ", name, decl->as.let.args, decl->as.let.arg_count, decl->as.let.type);
  } else if (decl->kind == DECL_OP) {
    pretty_typed(&p, "op ", name, decl->as.op.args, decl->as.op.arg_count, decl->as.op.result);
  } else if (decl->kind == DECL_ADVERSARY) {
    pretty_typed(&p, "adversary ", name, decl->as.adversary.args, decl->as.adversary.arg_count,
                 decl->as.adversary.returns);
  } else if (decl->kind == DECL_TYPE || decl->kind == DECL_AUTOMATON ||
             decl->kind == DECL_INSTANCE) {
    pretty_typed(&p,
                 decl->kind == DECL_TYPE        ? "type "
                 : decl->kind == DECL_AUTOMATON ? "automaton "
                                                : "instance ",
                 name, NULL, 0, NULL);
  } else if (decl->kind == DECL_MECHANISM) {
    pretty_text(&p, "mechanism ");
    pretty_routine(&p, decl->as.mechanism.routine, true);
  } else if (decl->kind == DECL_PROCEDURE) {
    pretty_text(&p, "procedure ");
    pretty_routine(&p, decl->as.procedure, false);
  } else {
    pretty_text(&p, decl->name.text);
  }
  finish(&p, out);
}
