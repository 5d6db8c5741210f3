/* Numbers with exponentials in them, for probabilities (compile/runtime/real.c). */
#include "compile/gen.h"
#include "lang/syntax/walk.h"

static void look(const struct ast_expr *e, void *context) {
  bool *found = context;
  const struct ast_decl *d = e->kind == EXPR_NAME && !e->as.name.var ? e->as.name.decl
                             : e->kind == EXPR_CALL                  ? e->as.call.decl
                                                                     : NULL;
  if (e->kind == EXPR_CALL && e->as.call.callee_kind == CALLEE_BUILTIN)
    *found = *found || e->as.call.builtin == BUILTIN_EXP || e->as.call.builtin == BUILTIN_LN ||
             e->as.call.builtin == BUILTIN_SQRT;
  if (d && d->kind == DECL_LET) look(d->as.let.body, context);
  if (!*found) walk_parts(e, look, context);
}

bool gen_is_irrational(const struct ast_expr *e) {
  bool found = false;
  look(e, &found);
  return found && e->type->kind == TYPE_REAL;
}

static void gen_operation(struct gen *g, struct buffer *out, const char *op,
                          const struct ast_expr *e, const struct ast_expr *a,
                          const struct ast_expr *b) {
  buffer_puts(out, "cp_real(c, ");
  gen_place(g, out, e->span);
  buffer_printf(out, ", %s, ", op);
  gen_real(g, out, a);
  buffer_puts(out, ", ");
  if (b)
    gen_real(g, out, b);
  else
    buffer_puts(out, "NULL");
  buffer_putc(out, ')');
}

static void refuse(struct gen *g, const struct ast_expr *e) {
  gen_refuse(g, e->span, "make it a parameter, and prove what it needs as an assumption",
             "of irrational numbers only sums, products, quotients and exponentials are compiled");
}

static void gen_binary_real(struct gen *g, struct buffer *out, const struct ast_expr *e) {
  const struct ast_expr *a = e->as.binary.left, *b = e->as.binary.right;
  switch (e->as.binary.op) {
  case BINARY_ADD: gen_operation(g, out, "CP_ADD", e, a, b); break;
  case BINARY_SUB: gen_operation(g, out, "CP_SUB", e, a, b); break;
  case BINARY_MUL: gen_operation(g, out, "CP_MUL", e, a, b); break;
  case BINARY_DIV: gen_operation(g, out, "CP_DIV", e, a, b); break;
  default: refuse(g, e);
  }
}

static void gen_call_real(struct gen *g, struct buffer *out, const struct ast_expr *e) {
  bool is_builtin = e->as.call.callee_kind == CALLEE_BUILTIN;
  if (is_builtin && e->as.call.builtin == BUILTIN_EXP)
    gen_operation(g, out, "CP_EXP", e, e->as.call.args[0], NULL);
  else if (is_builtin && e->as.call.builtin == BUILTIN_DECLASSIFY)
    gen_real(g, out, e->as.call.args[0]);
  else if (e->as.call.callee_kind == CALLEE_LET)
    gen_let(g, out, e->as.call.decl, e->as.call.args, e->as.call.count);
  else
    refuse(g, e);
}

void gen_real(struct gen *g, struct buffer *out, const struct ast_expr *e) {
  if (!gen_is_irrational(e)) {
    buffer_puts(out, "cp_constant(c, ");
    gen_expr(g, out, e);
    buffer_putc(out, ')');
    return;
  }
  switch (e->kind) {
  case EXPR_NAME: gen_let(g, out, e->as.name.decl, NULL, 0); break;
  case EXPR_CALL: gen_call_real(g, out, e); break;
  case EXPR_BINARY: gen_binary_real(g, out, e); break;
  case EXPR_UNARY:
    buffer_puts(out, "cp_real(c, \"\", CP_SUB, cp_constant(c, cp_small(0)), ");
    gen_real(g, out, e->as.unary.operand);
    buffer_putc(out, ')');
    break;
  case EXPR_IF:
    buffer_putc(out, '(');
    gen_expr(g, out, e->as.cond.cond);
    buffer_puts(out, " ? ");
    gen_real(g, out, e->as.cond.then);
    buffer_puts(out, " : ");
    gen_real(g, out, e->as.cond.otherwise);
    buffer_putc(out, ')');
    break;
  default: refuse(g, e);
  }
}
