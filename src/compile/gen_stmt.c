/* Statements: the plain body of a routine as a function of C. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "compile/gen.h"
#include "lang/syntax/lang.h"

static void cgen_block(struct cgen *g, struct buffer *out, const struct ast_block *block);

/* ---- noise ------------------------------------------------------------------------------------- */

/* What the run-time library calls the sampler of a family, or the discrete family that is meant for
 * the same purpose: one of the two for each row. */
struct family_code {
  const char *sampler, *twin;
};

#define SAMPLED(ID)                                                                                \
  { .sampler = "cp_draw_" #ID }
#define CONTINUOUS(ADVICE)                                                                         \
  { .twin = ADVICE }

static const struct family_code code_laplace = CONTINUOUS("DLap"),
                                code_discrete_laplace = SAMPLED(discrete_laplace),
                                code_exponential = CONTINUOUS("Geom"),
                                code_geometric = SAMPLED(geometric),
                                code_uniform = CONTINUOUS("UniformInt"),
                                code_uniform_int = SAMPLED(uniform_int),
                                code_uniform_set = SAMPLED(uniform_set),
                                code_bernoulli = SAMPLED(bernoulli),
                                code_gauss = CONTINUOUS("DGauss"),
                                code_discrete_gauss = SAMPLED(discrete_gauss),
                                code_gumbel = CONTINUOUS("Categorical, or the maximum with Geom");

static const struct family_code *family_code(enum dist_kind kind) {
  static const struct family_code *const codes[] = {
#define ROW(ID, id, ...) [DIST_##ID] = &code_##id,
      DIST_FAMILIES(ROW)
#undef ROW
  };
  return codes[kind];
}

/* One of the items: which one is drawn, all of them are evaluated. */
static void cgen_choice(struct cgen *g, struct buffer *out, const struct ast_dist *d) {
  buffer_puts(out, "((const union cp_value[]){");
  for (size_t i = 0; i < d->count; i++) {
    if (i) buffer_puts(out, ", ");
    cgen_item(g, out, d->args[i]);
  }
  buffer_printf(out, "})[cp_draw_uniform_set(c, %zu)].%s", d->count, cgen_member(d->args[0]->type));
}

static void cgen_draw(struct cgen *g, struct buffer *out, const struct ast_dist *d) {
  const struct family_code *code = family_code(d->kind);
  if (!code->sampler) {
    char *hint = xasprintf("use %s: its samples are integers, and exact", code->twin);
    cgen_refuse(g, d->span, hint,
                "`%s` has real numbers as samples, and no program can draw them exactly",
                dist_get(d->kind)->name);
    free(hint);
    return;
  }
  if (d->kind == DIST_UNIFORM_SET) {
    cgen_choice(g, out, d);
    return;
  }
  bool real = d->kind == DIST_BERNOULLI && cgen_is_irrational(d->args[0]);
  buffer_printf(out, "%s%s(c, ", code->sampler, real ? "_real" : "");
  cgen_place(g, out, d->span);
  for (size_t i = 0; i < d->count; i++) {
    buffer_puts(out, ", ");
    if (real)
      cgen_real(g, out, d->args[i]);
    else
      cgen_expr(g, out, d->args[i]);
  }
  buffer_putc(out, ')');
}

/* ---- assignment -------------------------------------------------------------------------------- */

static const struct type *target_type(const struct ast_target *t) {
  return t->index ? t->var->type->elem : t->var->type;
}

/* `value`, an expression of C, goes to the target, whose index is another one. */
static void put_store(struct cgen *g, struct buffer *out, const struct ast_target *t,
                      const char *value, const char *index) {
  if (!t->index) {
    cgen_var(out, t->var);
    buffer_printf(out, " = %s;\n", value);
    return;
  }
  buffer_puts(out, "*cp_item(c, ");
  cgen_place(g, out, t->index->span);
  buffer_puts(out, ", cp_own(c, &");
  cgen_var(out, t->var);
  buffer_printf(out, "), %s) = (union cp_value){.%s = %s};\n", index, cgen_member(target_type(t)),
                value);
}

/* The value first, then the index. */
static void put_one(struct cgen *g, struct buffer *out, const struct ast_target *t,
                    const struct buffer *value) {
  if (!t->index) {
    put_store(g, out, t, buffer_text(value), NULL);
    return;
  }
  struct buffer index;
  buffer_init(&index);
  cgen_expr(g, &index, t->index);
  buffer_printf(out, "{\n%svalue = %s;\n", cgen_c_type(target_type(t)), buffer_text(value));
  put_store(g, out, t, "value", buffer_text(&index));
  buffer_puts(out, "}\n");
  buffer_clear(&index);
}

/* All indices before anything is assigned. (Names of ours do not end like those of cgen_var.) */
static void put_many(struct cgen *g, struct buffer *out, const struct ast_stmt *s) {
  buffer_puts(out, "{\nconst struct cp_seq *tuple = ");
  cgen_look(g, out, s->as.assign.value);
  buffer_puts(out, ";\n");
  for (size_t i = 0; i < s->as.assign.count; i++) {
    const struct ast_target *t = &s->as.assign.targets[i];
    if (!t->index) continue;
    buffer_printf(out, "const struct cp_number index%zu = ", i);
    cgen_expr(g, out, t->index);
    buffer_puts(out, ";\n");
  }
  for (size_t i = 0; i < s->as.assign.count; i++) {
    const struct ast_target *t = &s->as.assign.targets[i];
    bool seq = cgen_is_seq(target_type(t));
    char *value = xasprintf("%stuple->items[%zu].%s%s", seq ? "cp_share(" : "", i,
                            cgen_member(target_type(t)), seq ? ")" : "");
    char *index = xasprintf("index%zu", i);
    put_store(g, out, t, value, index);
    free(value);
    free(index);
  }
  buffer_puts(out, "}\n");
}

static bool is_append_to(const struct ast_expr *e, const struct ast_target *t) {
  return !t->index && e->kind == EXPR_BINARY && e->as.binary.op == BINARY_APPEND &&
         e->as.binary.left->kind == EXPR_NAME && e->as.binary.left->as.name.var == t->var;
}

static void cgen_assign(struct cgen *g, struct buffer *out, const struct ast_stmt *s) {
  const struct ast_target *t = &s->as.assign.targets[0];
  const struct ast_expr *e = s->as.assign.value;
  if (s->as.assign.count > 1) {
    put_many(g, out, s);
  } else if (is_append_to(e, t)) {
    buffer_puts(out, "cp_extend(c, &");
    cgen_var(out, t->var);
    buffer_puts(out, ", ");
    cgen_expr(g, out, e->as.binary.right);
    buffer_puts(out, ");\n");
  } else {
    struct buffer value;
    buffer_init(&value);
    cgen_expr(g, &value, e);
    put_one(g, out, t, &value);
    buffer_clear(&value);
  }
}

static void cgen_zero(struct cgen *g, struct buffer *out, const struct ast_type *t);

/* Arrays in it have the length that is declared. */
static void cgen_zero_tuple(struct cgen *g, struct buffer *out, const struct ast_type *t) {
  buffer_printf(out, "(union cp_value){.seq = cp_seq_of(c, %zu, (const union cp_value[]){",
                t->count);
  for (size_t i = 0; i < t->count; i++) {
    if (i) buffer_puts(out, ", ");
    cgen_zero(g, out, t->items[i]);
  }
  buffer_puts(out, "})}");
}

/* What a declared variable is before anything is assigned: an array of zeros. */
static void cgen_zero(struct cgen *g, struct buffer *out, const struct ast_type *t) {
  if (t->kind == TYPE_TUPLE) {
    cgen_zero_tuple(g, out, t);
    return;
  }
  if (t->kind != TYPE_ARRAY) {
    buffer_puts(out, "cp_zero(c, \"");
    cgen_descriptor(g, out, t->type, t->span);
    buffer_puts(out, "\")");
    return;
  }
  buffer_puts(out, "(union cp_value){.seq = cp_share(cp_filled(c, ");
  cgen_place(g, out, t->span);
  buffer_puts(out, ", ");
  cgen_expr(g, out, t->length);
  buffer_puts(out, ", ");
  cgen_zero(g, out, t->items[0]);
  buffer_puts(out, "))}");
}

static void cgen_declaration(struct cgen *g, struct buffer *out, const struct ast_stmt *s) {
  const struct ast_var *var = s->as.var.var;
  bool is_array = var->declared && var->declared->kind == TYPE_ARRAY;
  if (!s->as.var.init && !is_array) return;
  cgen_var(out, var);
  buffer_puts(out, " = ");
  if (s->as.var.init) {
    cgen_expr(g, out, s->as.var.init);
  } else {
    cgen_zero(g, out, var->declared);
    buffer_puts(out, ".seq");
  }
  buffer_puts(out, ";\n");
}

/* ---- control ----------------------------------------------------------------------------------- */

static void cgen_if(struct cgen *g, struct buffer *out, const struct ast_stmt *s) {
  buffer_puts(out, "if (");
  cgen_expr(g, out, s->as.branch.cond);
  buffer_puts(out, ") {\n");
  cgen_block(g, out, &s->as.branch.then);
  if (s->as.branch.has_else) {
    buffer_puts(out, "} else {\n");
    cgen_block(g, out, &s->as.branch.otherwise);
  }
  buffer_puts(out, "}\n");
}

static void cgen_for(struct cgen *g, struct buffer *out, const struct ast_stmt *s) {
  unsigned id = ++g->made;
  buffer_printf(out, "for (struct cp_number at%u = ", id);
  cgen_expr(g, out, s->as.range.low);
  buffer_printf(out, ", end%u = ", id);
  cgen_expr(g, out, s->as.range.high);
  buffer_printf(out, "; cp_compare(c, at%u, end%u) < 0", id, id);
  if (s->as.range.stop) {
    buffer_puts(out, " && !");
    cgen_var(out, s->as.range.stop);
  }
  buffer_printf(out, "; at%u = cp_add(c, at%u, cp_small(1))) {\n", id, id);
  cgen_var(out, s->as.range.var);
  buffer_printf(out, " = at%u;\n", id);
  cgen_block(g, out, &s->as.range.body);
  buffer_puts(out, "}\n");
}

static void cgen_stmt(struct cgen *g, struct buffer *out, const struct ast_stmt *s) {
  struct buffer value;
  switch (s->kind) {
  case STMT_SKIP: break;
  case STMT_VAR: cgen_declaration(g, out, s); break;
  case STMT_ASSIGN: cgen_assign(g, out, s); break;
  case STMT_SAMPLE:
    buffer_init(&value);
    cgen_draw(g, &value, &s->as.sample.dist);
    put_one(g, out, &s->as.sample.target, &value);
    buffer_clear(&value);
    break;
  case STMT_CALL:
    cgen_expr(g, out, s->as.call);
    buffer_puts(out, ";\n");
    break;
  case STMT_IF: cgen_if(g, out, s); break;
  case STMT_WHILE:
    buffer_puts(out, "while (");
    cgen_expr(g, out, s->as.loop.cond);
    buffer_puts(out, ") {\n");
    cgen_block(g, out, &s->as.loop.body);
    buffer_puts(out, "}\n");
    break;
  case STMT_FOR: cgen_for(g, out, s); break;
  case STMT_EMIT:
    buffer_puts(out, "cp_push(c, c->emitted, ");
    cgen_item(g, out, s->as.value);
    buffer_puts(out, ");\n");
    break;
  case STMT_RETURN:
    buffer_puts(out, s->as.value ? "return " : "return");
    if (s->as.value) cgen_expr(g, out, s->as.value);
    buffer_puts(out, ";\n");
    break;
  case STMT_BREAK: /* not in plain bodies */
  case STMT_CONTINUE:
  case STMT_ERROR: cgen_refuse(g, s->span, NULL, "this statement cannot be compiled"); break;
  }
}

static void cgen_block(struct cgen *g, struct buffer *out, const struct ast_block *block) {
  for (size_t i = 0; i < block->count; i++)
    cgen_stmt(g, out, block->stmts[i]);
}

/* ---- routines ---------------------------------------------------------------------------------- */

static void put_locals(struct buffer *out, const struct ast_routine *routine) {
  for (size_t i = 0; i < routine->local_count; i++) {
    const struct ast_var *var = routine->locals[i];
    buffer_puts(out, cgen_c_type(var->type));
    cgen_var(out, var);
    buffer_puts(out, var->type->kind == TYPE_BOOL ? " = false;\n"
                     : cgen_is_seq(var->type)     ? " = NULL;\n"
                                                  : " = cp_small(0);\n");
  }
}

void cgen_routine(struct cgen *g, const char *prefix, const struct ast_routine *routine) {
  struct buffer text;
  buffer_init(&text);
  buffer_printf(&text, "static %s%s_",
                routine->returns ? cgen_c_type(routine->returns->type) : "void ", prefix);
  cgen_identifier(&text, routine->name.text);
  buffer_printf(&text, "_(struct cp *c, %sstruct in *in",
                strcmp(prefix, "mechanism") == 0 ? "" : "const "); /* inputs may be assigned */
  for (size_t i = 0; i < routine->arg_count; i++) {
    if (routine->args[i]->role == VAR_INPUT) continue;
    buffer_printf(&text, ", %s", cgen_c_type(routine->args[i]->type));
    cgen_var(&text, routine->args[i]);
  }
  buffer_puts(&text, ") {\n");
  put_locals(&text, routine);
  cgen_block(g, &text, &routine->plain);
  if (routine->returns) buffer_puts(&text, "cp_fail(c, \"\", \"no value was returned\");\n");
  buffer_puts(&text, "}\n\n");
  buffer_puts(&g->functions, buffer_text(&text));
  buffer_clear(&text);
}
