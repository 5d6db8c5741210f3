/* Numbers with exponentials in them, for probabilities (compile/runtime/real.c). */
#include "compile/gen.h"
#include "lang/syntax/walk.h"

static void look(const struct ast_expr *e, void *context) {
  bool *found = context;
  const struct ast_decl *d = e->kind == EXPR_NAME && !e->as.name.var ? e->as.name.decl
                             : e->kind == EXPR_CALL                  ? e->as.call.decl
                                                                     : NULL;
  if (e->kind == EXPR_CALL && e->as.call.callee_kind == CALLEE_BUILTIN && !type_is_float(e->type))
    *found = *found || e->as.call.builtin == BUILTIN_EXP || e->as.call.builtin == BUILTIN_LN ||
             e->as.call.builtin == BUILTIN_SQRT;
  if (d && d->kind == DECL_LET) look(d->as.let.body, context);
  if (!*found) walk_parts(e, look, context);
}

bool cgen_is_irrational(const struct ast_expr *e) {
  bool found = false;
  look(e, &found);
  return found && e->type->kind == TYPE_REAL;
}

static void cgen_operation(struct cgen *g, struct buffer *out, const char *op,
                           const struct ast_expr *e, const struct ast_expr *a,
                           const struct ast_expr *b) {
  buffer_puts(out, "cp_real(c, ");
  cgen_place(g, out, e->span);
  buffer_printf(out, ", %s, ", op);
  cgen_real(g, out, a);
  buffer_puts(out, ", ");
  if (b)
    cgen_real(g, out, b);
  else
    buffer_puts(out, "NULL");
  buffer_putc(out, ')');
}

static void refuse(struct cgen *g, const struct ast_expr *e) {
  cgen_refuse(g, e->span, "make it a parameter, and prove what it needs as an assumption",
              "of irrational numbers only sums, products, quotients and exponentials are compiled");
}

static void cgen_binary_real(struct cgen *g, struct buffer *out, const struct ast_expr *e) {
  const struct ast_expr *a = e->as.binary.left, *b = e->as.binary.right;
  switch (e->as.binary.op) {
  case BINARY_ADD: cgen_operation(g, out, "CP_ADD", e, a, b); break;
  case BINARY_SUB: cgen_operation(g, out, "CP_SUB", e, a, b); break;
  case BINARY_MUL: cgen_operation(g, out, "CP_MUL", e, a, b); break;
  case BINARY_DIV: cgen_operation(g, out, "CP_DIV", e, a, b); break;
  default: refuse(g, e);
  }
}

static void cgen_call_real(struct cgen *g, struct buffer *out, const struct ast_expr *e) {
  bool is_builtin = e->as.call.callee_kind == CALLEE_BUILTIN;
  if (is_builtin && e->as.call.builtin == BUILTIN_EXP)
    cgen_operation(g, out, "CP_EXP", e, e->as.call.args[0], NULL);
  else if (is_builtin && e->as.call.builtin == BUILTIN_DECLASSIFY)
    cgen_real(g, out, e->as.call.args[0]);
  else if (e->as.call.callee_kind == CALLEE_LET)
    cgen_let(g, out, e->as.call.decl, e->as.call.args, e->as.call.count);
  else
    refuse(g, e);
}

void cgen_real(struct cgen *g, struct buffer *out, const struct ast_expr *e) {
  if (!cgen_is_irrational(e)) {
    buffer_puts(out, "cp_constant(c, ");
    cgen_expr(g, out, e);
    buffer_putc(out, ')');
    return;
  }
  switch (e->kind) {
  case EXPR_NAME: cgen_let(g, out, e->as.name.decl, NULL, 0); break;
  case EXPR_CALL: cgen_call_real(g, out, e); break;
  case EXPR_BINARY: cgen_binary_real(g, out, e); break;
  case EXPR_UNARY:
    buffer_puts(out, "cp_real(c, \"\", CP_SUB, cp_constant(c, cp_small(0)), ");
    cgen_real(g, out, e->as.unary.operand);
    buffer_putc(out, ')');
    break;
  case EXPR_IF: cgen_conditional(g, out, e, cgen_real); break;
  default: refuse(g, e);
  }
}
