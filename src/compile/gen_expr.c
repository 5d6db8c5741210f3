/* Expressions: each becomes one expression of C, with the same value. */
#include "compile/gen.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "lang/syntax/builtin.h"
#include "lang/syntax/lang.h"
#include "lang/syntax/walk.h"

#define IRRATIONAL_HINT                                                                            \
  "exp is compiled in the probability of Bernoulli and the weights of Categorical; elsewhere "     \
  "make "                                                                                          \
  "the number a parameter, and prove what it needs as an assumption"

/* ---- lets and quantifiers: functions ----------------------------------------------------------- */

/* `, TYPE name` or `, name` for all that is visible besides c and in. */
static void put_scope(struct cgen *g, struct buffer *out, bool with_types) {
  for (size_t i = 0; i < g->scope.len; i++) {
    buffer_printf(out, ", %s", with_types ? cgen_c_type(g->scope.at[i]->type) : "");
    cgen_var(out, g->scope.at[i]);
  }
}

static void put_head(struct cgen *g, struct buffer *out, const char *type, const char *name) {
  buffer_printf(out, "static %s%s(struct cp *c, const struct in *in", type, name);
  put_scope(g, out, true);
  buffer_puts(out, ") {\n");
}

static const char *function_type(const struct ast_expr *body) {
  return cgen_is_irrational(body) ? "const struct cp_real *" : cgen_c_type(body->type);
}

static void put_body(struct cgen *g, struct buffer *out, const struct ast_expr *body) {
  buffer_puts(out, "  return ");
  if (cgen_is_irrational(body))
    cgen_real(g, out, body);
  else
    cgen_expr(g, out, body);
  buffer_puts(out, ";\n}\n\n");
}

static void let_name(struct buffer *out, const struct ast_decl *let) {
  buffer_puts(out, "let_");
  cgen_identifier(out, let->name.text);
  buffer_putc(out, '_');
}

/* The function of a let, written when it is first needed. */
static void need_let(struct cgen *g, const struct ast_decl *let) {
  if (ptrmap_get(&g->done, let)) return;
  ptrmap_put(&g->done, let, (void *)let);
  cgen_scope outer = g->scope; /* a let sees nothing of it */
  struct buffer text, name;
  g->scope = (cgen_scope){0};
  for (size_t i = 0; i < let->as.let.arg_count; i++)
    vec_push(&g->scope, let->as.let.args[i]);
  buffer_init(&text);
  buffer_init(&name);
  let_name(&name, let);
  put_head(g, &text, function_type(let->as.let.body), buffer_text(&name));
  put_body(g, &text, let->as.let.body);
  vec_clear(&g->scope);
  g->scope = outer;
  buffer_puts(&g->functions, buffer_text(&text));
  buffer_clear(&text);
  buffer_clear(&name);
}

void cgen_let(struct cgen *g, struct buffer *out, const struct ast_decl *let,
              struct ast_expr *const *args, size_t count) {
  need_let(g, let);
  let_name(out, let);
  cgen_args(g, out, args, count);
}

/* `for` over the values of a bound variable. */
static void put_binder(struct cgen *g, struct buffer *out, const struct ast_binder *b) {
  struct buffer var;
  buffer_init(&var);
  cgen_var(&var, b->var);
  const char *v = buffer_text(&var);
  if (b->low) {
    buffer_printf(out, "  for (struct cp_number %s = ", v);
    cgen_expr(g, out, b->low);
    buffer_printf(out, "; cp_compare(c, %s, ", v);
    cgen_expr(g, out, b->high);
    buffer_printf(out, ") < 0; %s = cp_add(c, %s, cp_small(1)))\n", v, v);
  } else {
    buffer_printf(out, "  for (int %s = 0; %s < 2; %s++)\n", v, v, v);
    if (b->var->type->kind != TYPE_BOOL)
      cgen_refuse(g, b->var->name.span, "let it range over integers: forall i in 0..n",
                  "this condition cannot be checked when the program runs");
  }
  buffer_clear(&var);
}

/* What happens to the body, for all values together. */
static void put_quantified(struct cgen *g, struct buffer *out, const struct ast_expr *e) {
  bool is_sum = e->as.quant.is_sum, is_forall = e->as.quant.is_forall;
  buffer_puts(out, is_sum ? "  total = cp_add(c, total, " : is_forall ? "  if (!(" : "  if ((");
  cgen_expr(g, out, e->as.quant.body);
  if (is_sum)
    buffer_puts(out, ");\n  return total;\n}\n\n");
  else
    buffer_printf(out, ")) return %s;\n  return %s;\n}\n\n", is_forall ? "false" : "true",
                  is_forall ? "true" : "false");
}

/* Its loops are a function of what is visible. */
static void cgen_quantifier(struct cgen *g, struct buffer *out, const struct ast_expr *e) {
  struct buffer text;
  bool is_sum = e->as.quant.is_sum;
  size_t visible = g->scope.len;
  buffer_init(&text);
  char *name = xasprintf("%s%u", is_sum ? "sum" : "quantifier", ++g->made);
  put_head(g, &text, is_sum ? "struct cp_number " : "bool ", name);
  if (is_sum) buffer_puts(&text, "  struct cp_number total = cp_small(0);\n");
  for (size_t i = 0; i < e->as.quant.count; i++) {
    put_binder(g, &text, &e->as.quant.binders[i]);
    vec_push(&g->scope, e->as.quant.binders[i].var);
  }
  put_quantified(g, &text, e);
  g->scope.len = visible;
  buffer_puts(&g->functions, buffer_text(&text));
  buffer_printf(out, "%s(c, in", name);
  put_scope(g, out, false);
  buffer_putc(out, ')');
  buffer_clear(&text);
  free(name);
}

void cgen_args(struct cgen *g, struct buffer *out, struct ast_expr *const *args, size_t count) {
  buffer_puts(out, "(c, in");
  for (size_t i = 0; i < count; i++) {
    buffer_puts(out, ", ");
    cgen_expr(g, out, args[i]);
  }
  buffer_putc(out, ')');
}

/* ---- leaves ------------------------------------------------------------------------------------ */

static void cgen_number(struct buffer *out, const fmpq *value) {
  fmpz_t most;
  fmpz_init_set_ui(most, INT64_MAX);
  bool small = fmpz_cmpabs(&value->num, most) <= 0 && fmpz_cmpabs(&value->den, most) <= 0;
  fmpz_clear(most);
  char *num = fmpz_get_str(NULL, 10, &value->num), *den = fmpz_get_str(NULL, 10, &value->den);
  if (!small)
    buffer_printf(out, "cp_read(c, \"\", \"%s/%s\", \"r\").number", num, den);
  else if (fmpz_is_one(&value->den))
    buffer_printf(out, "cp_small(INT64_C(%s))", num);
  else
    buffer_printf(out, "(struct cp_number){cp_word(INT64_C(%s)), cp_word(INT64_C(%s))}", num, den);
  flint_free(num);
  flint_free(den);
}

static void cgen_name(struct cgen *g, struct buffer *out, const struct ast_expr *e) {
  const struct ast_decl *decl = e->as.name.decl;
  if (e->as.name.var) {
    cgen_var(out, e->as.name.var);
  } else if (decl->kind == DECL_PARAM) {
    buffer_puts(out, "in->param_");
    cgen_identifier(out, decl->name.text);
  } else if (decl->kind == DECL_LET) {
    cgen_let(g, out, decl, NULL, 0);
  } else {
    cgen_refuse(g, e->span, "define it: let f(x : T) = ...;", "the operator `%s` has no code",
                decl->name.text);
  }
}

/* ---- operators --------------------------------------------------------------------------------- */

static const char *compare_text(enum binary_op op) {
  return op == BINARY_EQ ? "==" : op == BINARY_NE ? "!=" : binary_op_text(op);
}

static const struct type *richer(const struct type *a, const struct type *b) {
  return a->kind == TYPE_LIST && !a->elem ? b : a;
}

/* NaN is in no order: a > b is b < a, and the order of such a pair is none of -1, 0, 1. */
static void cgen_float_comparison(struct cgen *g, struct buffer *out, enum binary_op op,
                                  const struct ast_expr *a, const struct ast_expr *b) {
  const bool turned = op == BINARY_GT || op == BINARY_GE;
  const enum binary_op same = op == BINARY_GT ? BINARY_LT : op == BINARY_GE ? BINARY_LE : op;
  buffer_puts(out, "(cp_float_order(c, ");
  cgen_expr(g, out, turned ? b : a);
  buffer_puts(out, ", ");
  cgen_expr(g, out, turned ? a : b);
  buffer_printf(out, ") %s 0)", compare_text(same));
}

static void cgen_comparison(struct cgen *g, struct buffer *out, enum binary_op op,
                            const struct ast_expr *a, const struct ast_expr *b) {
  if (cgen_is_seq(a->type)) {
    buffer_puts(out, op == BINARY_NE ? "!cp_equal(c, \"" : "cp_equal(c, \"");
    cgen_descriptor(g, out, richer(a->type, b->type), a->span);
    buffer_puts(out, "\", ");
    cgen_item(g, out, a);
    buffer_puts(out, ", ");
    cgen_item(g, out, b);
    buffer_putc(out, ')');
    return;
  }
  if (type_is_float(a->type)) {
    cgen_float_comparison(g, out, op, a, b);
    return;
  }
  bool numbers = a->type->kind != TYPE_BOOL;
  buffer_puts(out, numbers ? "(cp_compare(c, " : "(");
  cgen_expr(g, out, a);
  if (numbers)
    buffer_puts(out, ", ");
  else
    buffer_printf(out, " %s ", compare_text(op));
  cgen_expr(g, out, b);
  if (numbers) buffer_printf(out, ") %s 0", compare_text(op));
  buffer_putc(out, ')');
}

static void cgen_infix(struct cgen *g, struct buffer *out, const char *before, const char *between,
                       const struct ast_expr *a, const struct ast_expr *b) {
  buffer_puts(out, before);
  cgen_expr(g, out, a);
  buffer_puts(out, between);
  cgen_expr(g, out, b);
  buffer_putc(out, ')');
}

/* FUNCTION(c, [place,] a, b) */
static void cgen_function(struct cgen *g, struct buffer *out, const char *name, bool may_fail,
                          const struct ast_expr *place, struct ast_expr *const *args,
                          size_t count) {
  buffer_printf(out, "%s(c", name);
  if (may_fail) {
    buffer_puts(out, ", ");
    cgen_place(g, out, place->span);
  }
  for (size_t i = 0; i < count; i++) {
    buffer_puts(out, ", ");
    cgen_expr(g, out, args[i]);
  }
  buffer_putc(out, ')');
}

/* NAME(c, format, a, b): rounded to the format of e. */
static void cgen_rounded(struct cgen *g, struct buffer *out, const char *name,
                         const struct ast_expr *e, struct ast_expr *const *args, size_t count) {
  buffer_printf(out, "%s(c, &%s", name,
                e->type->kind == TYPE_FLOAT ? "cp_binary64" : "cp_binary32");
  for (size_t i = 0; i < count; i++) {
    buffer_puts(out, ", ");
    cgen_expr(g, out, args[i]);
  }
  buffer_putc(out, ')');
}

static bool cgen_binary_float(struct cgen *g, struct buffer *out, const struct ast_expr *e) {
  struct ast_expr *both[2] = {e->as.binary.left, e->as.binary.right};
  if (!type_is_float(e->type)) return false;
  switch (e->as.binary.op) {
  case BINARY_ADD: cgen_rounded(g, out, "cp_float_add", e, both, 2); break;
  case BINARY_SUB: cgen_rounded(g, out, "cp_float_sub", e, both, 2); break;
  case BINARY_MUL: cgen_rounded(g, out, "cp_float_mul", e, both, 2); break;
  case BINARY_DIV: cgen_rounded(g, out, "cp_float_div", e, both, 2); break;
  default: cgen_refuse(g, e->span, NULL, "this operation on floats cannot be compiled");
  }
  return true;
}

static void cgen_binary(struct cgen *g, struct buffer *out, const struct ast_expr *e) {
  struct ast_expr *both[2] = {e->as.binary.left, e->as.binary.right};
  const struct ast_expr *a = both[0], *b = both[1];
  if (cgen_binary_float(g, out, e)) return;
  switch (e->as.binary.op) {
  case BINARY_IFF: cgen_infix(g, out, "(", " == ", a, b); break;
  case BINARY_IMPLIES: cgen_infix(g, out, "(!", " || ", a, b); break;
  case BINARY_OR: cgen_infix(g, out, "(", " || ", a, b); break;
  case BINARY_AND: cgen_infix(g, out, "(", " && ", a, b); break;
  case BINARY_EQ:
  case BINARY_NE:
  case BINARY_LT:
  case BINARY_LE:
  case BINARY_GT:
  case BINARY_GE: cgen_comparison(g, out, e->as.binary.op, a, b); break;
  case BINARY_APPEND: cgen_function(g, out, "cp_append", false, e, both, 2); break;
  case BINARY_CONS:
    buffer_puts(out, "cp_cons(c, ");
    cgen_item(g, out, a);
    buffer_puts(out, ", ");
    cgen_look(g, out, b);
    buffer_putc(out, ')');
    break;
  case BINARY_ADD: cgen_function(g, out, "cp_add", false, e, both, 2); break;
  case BINARY_SUB: cgen_function(g, out, "cp_sub", false, e, both, 2); break;
  case BINARY_MUL: cgen_function(g, out, "cp_mul", false, e, both, 2); break;
  case BINARY_DIV: cgen_function(g, out, "cp_div", true, e, both, 2); break;
  case BINARY_IDIV: cgen_function(g, out, "cp_idiv", true, e, both, 2); break;
  case BINARY_MOD: cgen_function(g, out, "cp_mod", true, e, both, 2); break;
  case BINARY_POW: cgen_function(g, out, "cp_pow", true, e, both, 2); break;
  }
}

/* Operands have no effects: that some are written twice changes nothing. */
static void cgen_chain(struct cgen *g, struct buffer *out, const struct ast_expr *e) {
  buffer_putc(out, '(');
  for (size_t i = 1; i < e->as.chain.count; i++) {
    if (i > 1) buffer_puts(out, " && ");
    cgen_comparison(g, out, e->as.chain.ops[i - 1], e->as.chain.operands[i - 1],
                    e->as.chain.operands[i]);
  }
  buffer_putc(out, ')');
}

/* ---- calls ------------------------------------------------------------------------------------- */

/* The functions of floats that are not those of fractions; false: it is none of them. */
static bool cgen_builtin_float(struct cgen *g, struct buffer *out, const struct ast_expr *e) {
  struct ast_expr *const *args = e->as.call.args;
  size_t count = e->as.call.count;
  if (!type_is_float(e->type)) return false;
  switch (e->as.call.builtin) {
  case BUILTIN_TO_FLOAT:
  case BUILTIN_TO_FLOAT32: cgen_rounded(g, out, "cp_to_float", e, args, count); return true;
  case BUILTIN_FMA: cgen_rounded(g, out, "cp_float_fma", e, args, count); return true;
  case BUILTIN_LN: cgen_rounded(g, out, "cp_float_ln", e, args, count); return true;
  case BUILTIN_LOG1P: cgen_rounded(g, out, "cp_float_log1p", e, args, count); return true;
  case BUILTIN_EXP: cgen_rounded(g, out, "cp_float_exp", e, args, count); return true;
  case BUILTIN_FLOOR: cgen_function(g, out, "cp_float_floor", false, e, args, count); return true;
  case BUILTIN_CEIL: cgen_function(g, out, "cp_float_ceil", false, e, args, count); return true;
  case BUILTIN_ROUND: cgen_function(g, out, "cp_float_rint", false, e, args, count); return true;
  case BUILTIN_MIN: cgen_function(g, out, "cp_float_min", false, e, args, count); return true;
  case BUILTIN_MAX: cgen_function(g, out, "cp_float_max", false, e, args, count); return true;
  case BUILTIN_SQRT:
    cgen_refuse(g, e->span, NULL, "`sqrt` of floats cannot be compiled");
    return true;
  default: return false;
  }
}

static void cgen_builtin(struct cgen *g, struct buffer *out, const struct ast_expr *e) {
  struct ast_expr *const *args = e->as.call.args;
  size_t count = e->as.call.count;
  if (cgen_builtin_float(g, out, e)) return;
  switch (e->as.call.builtin) {
  case BUILTIN_FLOOR: cgen_function(g, out, "cp_floor", false, e, args, count); break;
  case BUILTIN_CEIL: cgen_function(g, out, "cp_ceil", false, e, args, count); break;
  case BUILTIN_ROUND: cgen_function(g, out, "cp_round", false, e, args, count); break;
  case BUILTIN_ABS: cgen_function(g, out, "cp_abs", false, e, args, count); break;
  case BUILTIN_MIN: cgen_function(g, out, "cp_min", false, e, args, count); break;
  case BUILTIN_MAX: cgen_function(g, out, "cp_max", false, e, args, count); break;
  case BUILTIN_TAIL: cgen_function(g, out, "cp_tail", true, e, args, count); break;
  case BUILTIN_TO_REAL: cgen_function(g, out, "cp_to_real", true, e, args, count); break;
  case BUILTIN_REAL:
  case BUILTIN_DECLASSIFY: cgen_expr(g, out, args[0]); break;
  case BUILTIN_LENGTH:
    buffer_puts(out, "cp_length(");
    cgen_look(g, out, args[0]);
    buffer_putc(out, ')');
    break;
  case BUILTIN_HEAD:
    buffer_puts(out, cgen_is_seq(e->type) ? "cp_share(" : "");
    cgen_function(g, out, "cp_head", true, e, args, count);
    buffer_printf(out, ".%s%s", cgen_member(e->type), cgen_is_seq(e->type) ? ")" : "");
    break;
  case BUILTIN_LN:
  case BUILTIN_EXP:
  case BUILTIN_SQRT:
    cgen_refuse(g, e->span, IRRATIONAL_HINT,
                "`%s` is irrational: the program computes with fractions", e->as.call.callee.text);
    break;
  default: cgen_refuse(g, e->span, NULL, "`%s` cannot be compiled here", e->as.call.callee.text);
  }
}

static void cgen_call(struct cgen *g, struct buffer *out, const struct ast_expr *e) {
  switch (e->as.call.callee_kind) {
  case CALLEE_BUILTIN: cgen_builtin(g, out, e); break;
  case CALLEE_LET:
    if (cgen_is_irrational(e->as.call.decl->as.let.body))
      cgen_refuse(g, e->span, IRRATIONAL_HINT, "the value of `%s` is irrational",
                  e->as.call.callee.text);
    cgen_let(g, out, e->as.call.decl, e->as.call.args, e->as.call.count);
    break;
  case CALLEE_PROCEDURE: {
    const struct ast_routine *routine = e->as.call.decl->as.procedure;
    if (!ptrmap_get(&g->done, routine)) {
      ptrmap_put(&g->done, routine, (void *)routine);
      cgen_routine(g, "procedure", routine);
    }
    buffer_puts(out, "procedure_");
    cgen_identifier(out, routine->name.text);
    buffer_putc(out, '_');
    cgen_args(g, out, e->as.call.args, e->as.call.count);
    break;
  }
  case CALLEE_OP:
    cgen_refuse(g, e->span, "define it: let f(x : T) = ...;", "the operator `%s` has no code",
                e->as.call.callee.text);
    break;
  default:
    cgen_refuse(g, e->span, "compile a mechanism that gets its queries as inputs",
                "`%s` is an adversary or an oracle: there is no code to call",
                e->as.call.callee.text);
  }
}

/* ---- all of them ------------------------------------------------------------------------------- */

void cgen_item(struct cgen *g, struct buffer *out, const struct ast_expr *e) {
  buffer_printf(out, "(union cp_value){.%s = ", cgen_member(e->type));
  cgen_expr(g, out, e);
  buffer_putc(out, '}');
}

void cgen_look(struct cgen *g, struct buffer *out, const struct ast_expr *e) {
  if (e->kind == EXPR_NAME && cgen_is_seq(e->type))
    cgen_name(g, out, e);
  else
    cgen_expr(g, out, e);
}

static void cgen_items(struct cgen *g, struct buffer *out, const struct ast_expr *e) {
  if (!e->as.list.count) {
    buffer_puts(out, "cp_seq_new(c, 0)");
    return;
  }
  buffer_printf(out, "cp_seq_of(c, %zu, (const union cp_value[]){", e->as.list.count);
  for (size_t i = 0; i < e->as.list.count; i++) {
    if (i) buffer_puts(out, ", ");
    cgen_item(g, out, e->as.list.items[i]);
  }
  buffer_puts(out, "})");
}

/* A sequence that comes out of another, or out of a variable, has two holders from now on. */
static void cgen_part(struct cgen *g, struct buffer *out, const struct ast_expr *e) {
  buffer_puts(out, cgen_is_seq(e->type) ? "cp_share(" : "");
  if (e->kind == EXPR_NAME) {
    cgen_name(g, out, e);
  } else if (e->kind == EXPR_PROJ) {
    buffer_puts(out, "(");
    cgen_look(g, out, e->as.proj.base);
    buffer_printf(out, ")->items[%u].%s", e->as.proj.item - 1, cgen_member(e->type));
  } else {
    buffer_puts(out, "cp_item(c, ");
    cgen_place(g, out, e->as.index.index->span);
    buffer_puts(out, ", ");
    cgen_look(g, out, e->as.index.base);
    buffer_puts(out, ", ");
    cgen_expr(g, out, e->as.index.index);
    buffer_printf(out, ")->%s", cgen_member(e->type));
  }
  buffer_puts(out, cgen_is_seq(e->type) ? ")" : "");
}

void cgen_conditional(struct cgen *g, struct buffer *out, const struct ast_expr *e,
                      cgen_writer *branch) {
  buffer_putc(out, '(');
  cgen_expr(g, out, e->as.cond.cond);
  buffer_puts(out, " ? ");
  branch(g, out, e->as.cond.then);
  buffer_puts(out, " : ");
  branch(g, out, e->as.cond.otherwise);
  buffer_putc(out, ')');
}

void cgen_expr(struct cgen *g, struct buffer *out, const struct ast_expr *e) {
  switch (e->kind) {
  case EXPR_BOOL: buffer_puts(out, e->as.boolean ? "true" : "false"); break;
  case EXPR_NUMBER: cgen_number(out, e->as.number.value); break;
  case EXPR_NAME:
    if (e->as.name.decl && !e->as.name.var && e->as.name.decl->kind == DECL_LET &&
        cgen_is_irrational(e->as.name.decl->as.let.body))
      cgen_refuse(g, e->span, IRRATIONAL_HINT, "the value of `%s` is irrational", e->as.name.text);
    cgen_part(g, out, e);
    break;
  case EXPR_INDEX:
  case EXPR_PROJ: cgen_part(g, out, e); break;
  case EXPR_UNARY:
    buffer_puts(out, e->as.unary.op == UNARY_NEG ? "cp_neg(c, " : "!(");
    cgen_expr(g, out, e->as.unary.operand);
    buffer_putc(out, ')');
    break;
  case EXPR_BINARY: cgen_binary(g, out, e); break;
  case EXPR_CHAIN: cgen_chain(g, out, e); break;
  case EXPR_CALL: cgen_call(g, out, e); break;
  case EXPR_LIST:
  case EXPR_TUPLE: cgen_items(g, out, e); break;
  case EXPR_IF: cgen_conditional(g, out, e, cgen_expr); break;
  case EXPR_QUANT: cgen_quantifier(g, out, e); break;
  case EXPR_TAG:
  case EXPR_HOLE:
  case EXPR_ERROR: cgen_refuse(g, e->span, NULL, "this cannot be computed by one run"); break;
  }
}
