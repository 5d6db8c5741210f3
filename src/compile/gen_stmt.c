/* Statements: the plain body of a routine as a function of C. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "compile/gen.h"
#include "lang/syntax/lang.h"

static void gen_block(struct gen *g, struct buffer *out, const struct ast_block *block);

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
static void gen_choice(struct gen *g, struct buffer *out, const struct ast_dist *d) {
  buffer_puts(out, "((const union cp_value[]){");
  for (size_t i = 0; i < d->count; i++) {
    if (i) buffer_puts(out, ", ");
    gen_item(g, out, d->args[i]);
  }
  buffer_printf(out, "})[cp_draw_uniform_set(c, %zu)].%s", d->count, gen_member(d->args[0]->type));
}

static void gen_draw(struct gen *g, struct buffer *out, const struct ast_dist *d) {
  const struct family_code *code = family_code(d->kind);
  if (!code->sampler) {
    char *hint = xasprintf("use %s: its samples are integers, and exact", code->twin);
    gen_refuse(g, d->span, hint,
               "`%s` has real numbers as samples, and no program can draw them exactly",
               dist_get(d->kind)->name);
    free(hint);
    return;
  }
  if (d->kind == DIST_UNIFORM_SET) {
    gen_choice(g, out, d);
    return;
  }
  bool real = d->kind == DIST_BERNOULLI && gen_is_irrational(d->args[0]);
  buffer_printf(out, "%s%s(c, ", code->sampler, real ? "_real" : "");
  gen_place(g, out, d->span);
  for (size_t i = 0; i < d->count; i++) {
    buffer_puts(out, ", ");
    if (real)
      gen_real(g, out, d->args[i]);
    else
      gen_expr(g, out, d->args[i]);
  }
  buffer_putc(out, ')');
}

/* ---- assignment -------------------------------------------------------------------------------- */

static const struct type *target_type(const struct ast_target *t) {
  return t->index ? t->var->type->elem : t->var->type;
}

/* `value`, an expression of C, goes to the target, whose index is another one. */
static void put_store(struct gen *g, struct buffer *out, const struct ast_target *t,
                      const char *value, const char *index) {
  if (!t->index) {
    gen_var(out, t->var);
    buffer_printf(out, " = %s;\n", value);
    return;
  }
  buffer_puts(out, "*cp_item(c, ");
  gen_place(g, out, t->index->span);
  buffer_puts(out, ", cp_own(c, &");
  gen_var(out, t->var);
  buffer_printf(out, "), %s) = (union cp_value){.%s = %s};\n", index, gen_member(target_type(t)),
                value);
}

/* The value first, then the index. */
static void put_one(struct gen *g, struct buffer *out, const struct ast_target *t,
                    const struct buffer *value) {
  if (!t->index) {
    put_store(g, out, t, buffer_text(value), NULL);
    return;
  }
  struct buffer index;
  buffer_init(&index);
  gen_expr(g, &index, t->index);
  buffer_printf(out, "{\n%svalue = %s;\n", gen_c_type(target_type(t)), buffer_text(value));
  put_store(g, out, t, "value", buffer_text(&index));
  buffer_puts(out, "}\n");
  buffer_clear(&index);
}

/* All indices before anything is assigned. (Names of ours do not end like those of gen_var.) */
static void put_many(struct gen *g, struct buffer *out, const struct ast_stmt *s) {
  buffer_puts(out, "{\nconst struct cp_seq *tuple = ");
  gen_look(g, out, s->as.assign.value);
  buffer_puts(out, ";\n");
  for (size_t i = 0; i < s->as.assign.count; i++) {
    const struct ast_target *t = &s->as.assign.targets[i];
    if (!t->index) continue;
    buffer_printf(out, "const struct cp_number index%zu = ", i);
    gen_expr(g, out, t->index);
    buffer_puts(out, ";\n");
  }
  for (size_t i = 0; i < s->as.assign.count; i++) {
    const struct ast_target *t = &s->as.assign.targets[i];
    bool seq = gen_is_seq(target_type(t));
    char *value = xasprintf("%stuple->items[%zu].%s%s", seq ? "cp_share(" : "", i,
                            gen_member(target_type(t)), seq ? ")" : "");
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

static void gen_assign(struct gen *g, struct buffer *out, const struct ast_stmt *s) {
  const struct ast_target *t = &s->as.assign.targets[0];
  const struct ast_expr *e = s->as.assign.value;
  if (s->as.assign.count > 1) {
    put_many(g, out, s);
  } else if (is_append_to(e, t)) {
    buffer_puts(out, "cp_extend(c, &");
    gen_var(out, t->var);
    buffer_puts(out, ", ");
    gen_expr(g, out, e->as.binary.right);
    buffer_puts(out, ");\n");
  } else {
    struct buffer value;
    buffer_init(&value);
    gen_expr(g, &value, e);
    put_one(g, out, t, &value);
    buffer_clear(&value);
  }
}

/* What a declared variable is before anything is assigned: an array of zeros. */
static void gen_zero(struct gen *g, struct buffer *out, const struct ast_type *t) {
  if (t->kind != TYPE_ARRAY) {
    buffer_puts(out, "cp_zero(c, \"");
    gen_descriptor(g, out, t->type, t->span);
    buffer_puts(out, "\")");
    return;
  }
  buffer_puts(out, "(union cp_value){.seq = cp_share(cp_filled(c, ");
  gen_place(g, out, t->span);
  buffer_puts(out, ", ");
  gen_expr(g, out, t->length);
  buffer_puts(out, ", ");
  gen_zero(g, out, t->items[0]);
  buffer_puts(out, "))}");
}

static void gen_declaration(struct gen *g, struct buffer *out, const struct ast_stmt *s) {
  const struct ast_var *var = s->as.var.var;
  bool is_array = var->declared && var->declared->kind == TYPE_ARRAY;
  if (!s->as.var.init && !is_array) return;
  gen_var(out, var);
  buffer_puts(out, " = ");
  if (s->as.var.init) {
    gen_expr(g, out, s->as.var.init);
  } else {
    gen_zero(g, out, var->declared);
    buffer_puts(out, ".seq");
  }
  buffer_puts(out, ";\n");
}

/* ---- control ----------------------------------------------------------------------------------- */

static void gen_if(struct gen *g, struct buffer *out, const struct ast_stmt *s) {
  buffer_puts(out, "if (");
  gen_expr(g, out, s->as.branch.cond);
  buffer_puts(out, ") {\n");
  gen_block(g, out, &s->as.branch.then);
  if (s->as.branch.has_else) {
    buffer_puts(out, "} else {\n");
    gen_block(g, out, &s->as.branch.otherwise);
  }
  buffer_puts(out, "}\n");
}

static void gen_for(struct gen *g, struct buffer *out, const struct ast_stmt *s) {
  unsigned id = ++g->made;
  buffer_printf(out, "for (struct cp_number at%u = ", id);
  gen_expr(g, out, s->as.range.low);
  buffer_printf(out, ", end%u = ", id);
  gen_expr(g, out, s->as.range.high);
  buffer_printf(out, "; cp_compare(c, at%u, end%u) < 0", id, id);
  if (s->as.range.stop) {
    buffer_puts(out, " && !");
    gen_var(out, s->as.range.stop);
  }
  buffer_printf(out, "; at%u = cp_add(c, at%u, cp_small(1))) {\n", id, id);
  gen_var(out, s->as.range.var);
  buffer_printf(out, " = at%u;\n", id);
  gen_block(g, out, &s->as.range.body);
  buffer_puts(out, "}\n");
}

static void gen_stmt(struct gen *g, struct buffer *out, const struct ast_stmt *s) {
  struct buffer value;
  switch (s->kind) {
  case STMT_SKIP: break;
  case STMT_VAR: gen_declaration(g, out, s); break;
  case STMT_ASSIGN: gen_assign(g, out, s); break;
  case STMT_SAMPLE:
    buffer_init(&value);
    gen_draw(g, &value, &s->as.sample.dist);
    put_one(g, out, &s->as.sample.target, &value);
    buffer_clear(&value);
    break;
  case STMT_CALL:
    gen_expr(g, out, s->as.call);
    buffer_puts(out, ";\n");
    break;
  case STMT_IF: gen_if(g, out, s); break;
  case STMT_WHILE:
    buffer_puts(out, "while (");
    gen_expr(g, out, s->as.loop.cond);
    buffer_puts(out, ") {\n");
    gen_block(g, out, &s->as.loop.body);
    buffer_puts(out, "}\n");
    break;
  case STMT_FOR: gen_for(g, out, s); break;
  case STMT_EMIT:
    buffer_puts(out, "cp_push(c, c->emitted, ");
    gen_item(g, out, s->as.value);
    buffer_puts(out, ");\n");
    break;
  case STMT_RETURN:
    buffer_puts(out, s->as.value ? "return " : "return");
    if (s->as.value) gen_expr(g, out, s->as.value);
    buffer_puts(out, ";\n");
    break;
  case STMT_BREAK: /* not in plain bodies */
  case STMT_CONTINUE:
  case STMT_ERROR: gen_refuse(g, s->span, NULL, "this statement cannot be compiled"); break;
  }
}

static void gen_block(struct gen *g, struct buffer *out, const struct ast_block *block) {
  for (size_t i = 0; i < block->count; i++)
    gen_stmt(g, out, block->stmts[i]);
}

/* ---- routines ---------------------------------------------------------------------------------- */

static void put_locals(struct buffer *out, const struct ast_routine *routine) {
  for (size_t i = 0; i < routine->local_count; i++) {
    const struct ast_var *var = routine->locals[i];
    buffer_puts(out, gen_c_type(var->type));
    gen_var(out, var);
    buffer_puts(out, var->type->kind == TYPE_BOOL ? " = false;\n"
                     : gen_is_seq(var->type)      ? " = NULL;\n"
                                                  : " = cp_small(0);\n");
  }
}

void gen_routine(struct gen *g, const char *prefix, const struct ast_routine *routine) {
  struct buffer text;
  buffer_init(&text);
  buffer_printf(&text, "static %s%s_",
                routine->returns ? gen_c_type(routine->returns->type) : "void ", prefix);
  gen_identifier(&text, routine->name.text);
  buffer_printf(&text, "(struct cp *c, %sstruct in *in",
                strcmp(prefix, "mechanism") == 0 ? "" : "const "); /* inputs may be assigned */
  for (size_t i = 0; i < routine->arg_count; i++) {
    if (routine->args[i]->role == VAR_INPUT) continue;
    buffer_printf(&text, ", %s", gen_c_type(routine->args[i]->type));
    gen_var(&text, routine->args[i]);
  }
  buffer_puts(&text, ") {\n");
  put_locals(&text, routine);
  gen_block(g, &text, &routine->plain);
  if (routine->returns) buffer_puts(&text, "cp_fail(c, \"\", \"no value was returned\");\n");
  buffer_puts(&text, "}\n\n");
  buffer_puts(&g->functions, buffer_text(&text));
  buffer_clear(&text);
}
