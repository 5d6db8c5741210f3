/* The program as a whole: run-time library, parameters and inputs, functions, entry. */
#include "compile/compile.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "check/counterexample/domain.h"
#include "compile/gen.h"
#include "compile/runtime.h"
#include "lang/format/print.h"
#include "lang/syntax/lang.h"
#include "lang/syntax/walk.h"

static const struct ast_routine *routine_of(const struct compile_input *input) {
  return input->mechanism->as.mechanism.routine;
}

static const struct rvalue *fixed_value(const struct cgen *g, const struct ast_decl *param) {
  return reval_get_param(g->input->fixed, param);
}

/* ---- text -------------------------------------------------------------------------------------- */

/* Lines of C with two blanks for each brace that is open. */
static void put_indented(struct buffer *out, const char *text) {
  size_t depth = 0;
  while (*text) {
    text += strspn(text, " ");
    size_t length = strcspn(text, "\n");
    if (length && *text == '}' && depth) depth--;
    if (length) buffer_fill(out, ' ', 2 * depth);
    buffer_add(out, text, length);
    buffer_putc(out, '\n');
    if (length && text[length - 1] == '{') depth++;
    text += length + (text[length] == '\n');
  }
}

/* Nothing in it can end the comment. */
static void put_comment(struct buffer *out, const char *text) {
  buffer_puts(out, "/* ");
  for (const char *s = text; *s; s++) {
    if (*s == '\n')
      buffer_puts(out, s[1] == '\n' ? "\n *" : "\n * ");
    else
      buffer_putc(out, *s);
    if (*s == '*' || *s == '/') buffer_puts(out, s[1] == '/' || s[1] == '*' ? " " : "");
  }
  buffer_puts(out, " */\n");
}

/* ---- parameters and inputs --------------------------------------------------------------------- */

static void put_member(struct cgen *g, struct buffer *out, const struct type *type,
                       const char *prefix, const char *name, struct span span) {
  struct buffer unused;
  buffer_init(&unused);
  cgen_descriptor(g, &unused, type, span); /* refuses what is no data */
  buffer_clear(&unused);
  buffer_printf(out, "%s%s", cgen_c_type(type), prefix);
  cgen_identifier(out, name);
  buffer_puts(out, ";\n");
}

static void put_struct(struct cgen *g, struct buffer *out) {
  const struct ast_module *m = g->input->module;
  const struct ast_routine *r = routine_of(g->input);
  buffer_puts(out, "struct in {\n");
  for (size_t i = 0; i < m->decl_count; i++)
    if (m->decls[i]->kind == DECL_PARAM)
      put_member(g, out, m->decls[i]->as.param.type->type, "param_", m->decls[i]->name.text,
                 m->decls[i]->name.span);
  for (size_t i = 0; i < r->arg_count; i++)
    put_member(g, out, r->args[i]->type, "input_", r->args[i]->name.text, r->args[i]->name.span);
  buffer_puts(out, "char none; /* there may be no other member */\n};\n\n");
}

/* The input whose declared length is this parameter, or NULL: then the one tells the other. */
static const struct ast_var *input_of_length(const struct cgen *g, const struct ast_decl *param) {
  const struct ast_routine *r = routine_of(g->input);
  for (size_t i = 0; i < r->arg_count; i++) {
    const struct ast_type *t = r->args[i]->declared;
    if (t && t->kind == TYPE_ARRAY && t->length && t->length->kind == EXPR_NAME &&
        t->length->as.name.decl == param)
      return r->args[i];
  }
  return NULL;
}

/* What is given when the program runs, in this order: parameters without a value, then inputs. */
typedef VEC(const char *) name_list;

static void list_names(const struct cgen *g, name_list *names) {
  const struct ast_module *m = g->input->module;
  const struct ast_routine *r = routine_of(g->input);
  for (size_t i = 0; i < m->decl_count; i++)
    if (m->decls[i]->kind == DECL_PARAM && !fixed_value(g, m->decls[i]))
      vec_push(names, m->decls[i]->name.text);
  for (size_t i = 0; i < r->arg_count; i++)
    vec_push(names, r->args[i]->name.text);
}

static void put_names(const struct cgen *g, struct buffer *out) {
  name_list names = {0};
  list_names(g, &names);
  buffer_printf(out, "enum { CP_NAMES = %zu };\nstatic const char *const cp_names[] = {",
                names.len);
  for (size_t i = 0; i < names.len; i++) {
    cgen_string(out, names.at[i]);
    buffer_puts(out, ", ");
  }
  buffer_puts(out, "NULL};\n\n");
  vec_clear(&names);
}

/* Its type has been looked at by put_member. */
static void put_read(struct cgen *g, struct buffer *out, const char *target, const char *name,
                     const char *text, const struct type *type) {
  buffer_printf(out, "in->%s", target);
  cgen_identifier(out, name);
  buffer_puts(out, " = cp_read(c, ");
  cgen_string(out, name);
  buffer_printf(out, ", %s, \"", text);
  cgen_descriptor(g, out, type, span_none());
  buffer_printf(out, "\").%s;\n", cgen_member(type));
}

/* Fractions, truth values, and what is made of them. */
static bool is_exact(const struct rvalue *v) {
  if (!rvalue_is_seq(v)) return v->kind != RVALUE_IRRATIONAL && v->kind != RVALUE_FLOAT;
  for (size_t i = 0; i < v->as.seq->len; i++)
    if (!is_exact(&v->as.seq->at[i])) return false;
  return true;
}

static void put_fixed(struct cgen *g, struct buffer *out, const struct ast_decl *param,
                      const struct rvalue *value) {
  struct buffer printed, text;
  if (!is_exact(value))
    cgen_refuse(g, param->name.span, "give a fraction", "the value of `%s` is not a fraction",
                param->name.text);
  buffer_init(&printed);
  buffer_init(&text);
  rvalue_print(&printed, value);
  cgen_string(&text, buffer_text(&printed));
  put_read(g, out, "param_", param->name.text, buffer_text(&text), param->as.param.type->type);
  buffer_clear(&printed);
  buffer_clear(&text);
}

static void put_inputs(struct cgen *g, struct buffer *out, size_t *k) {
  const struct ast_routine *r = routine_of(g->input);
  for (size_t i = 0; i < r->arg_count; i++) {
    char *text = xasprintf("values[%zu]", (*k)++);
    put_read(g, out, "input_", r->args[i]->name.text, text, r->args[i]->type);
    free(text);
  }
}

/* A length that is not given is that of the array. */
static void put_param(struct cgen *g, struct buffer *out, const struct ast_decl *param, size_t k) {
  const struct ast_var *array = input_of_length(g, param);
  char *text = xasprintf("values[%zu]", k);
  if (array) {
    buffer_printf(out, "if (!%s) {\nin->param_", text);
    cgen_identifier(out, param->name.text);
    buffer_puts(out, " = cp_length(");
    cgen_var(out, array);
    buffer_puts(out, ");\n} else {\n");
  }
  put_read(g, out, "param_", param->name.text, text, param->as.param.type->type);
  if (array) buffer_puts(out, "}\n");
  free(text);
}

static void put_params(struct cgen *g, struct buffer *out) {
  const struct ast_module *m = g->input->module;
  for (size_t i = 0, k = 0; i < m->decl_count; i++) {
    if (m->decls[i]->kind != DECL_PARAM) continue;
    const struct rvalue *value = fixed_value(g, m->decls[i]);
    if (value)
      put_fixed(g, out, m->decls[i], value);
    else
      put_param(g, out, m->decls[i], k++);
  }
}

/* ---- what must hold of them ---------------------------------------------------------------------- */

/* `array` is an expression of C for the sequence of this type. */
static void put_lengths(struct cgen *g, struct buffer *out, const struct ast_type *t,
                        const char *array, const char *name) {
  if (!t || (t->kind != TYPE_ARRAY && t->kind != TYPE_LIST && t->kind != TYPE_TUPLE)) return;
  if (t->kind == TYPE_ARRAY && t->length) {
    buffer_puts(out, "cp_need_length(c, ");
    cgen_string(out, name);
    buffer_printf(out, ", %s, ", array);
    cgen_expr(g, out, t->length);
    buffer_puts(out, ");\n");
  }
  for (size_t i = 0; i < t->count; i++) {
    struct buffer inner;
    buffer_init(&inner);
    unsigned id = ++g->made;
    bool tuple = t->kind == TYPE_TUPLE;
    char *item = tuple ? xasprintf("%s->items[%zu].seq", array, i)
                       : xasprintf("%s->items[i%u].seq", array, id);
    put_lengths(g, &inner, t->items[i], item, name);
    if (inner.len && !tuple)
      buffer_printf(out, "for (size_t i%u = 0; i%u < %s->count; i%u++) {\n%s}\n", id, id, array, id,
                    buffer_text(&inner));
    else
      buffer_puts(out, buffer_text(&inner));
    free(item);
    buffer_clear(&inner);
  }
}

struct mentions {
  const struct cgen *g;
  bool open; /* speaks of something that has no value yet */
};

static void find_open(const struct ast_expr *e, void *context) {
  struct mentions *m = context;
  const struct ast_decl *d = e->kind == EXPR_NAME && !e->as.name.var ? e->as.name.decl
                             : e->kind == EXPR_CALL                  ? e->as.call.decl
                                                                     : NULL;
  if (e->kind == EXPR_NAME && e->as.name.var && e->as.name.var->role == VAR_INPUT) m->open = true;
  if (d && d->kind == DECL_PARAM && !fixed_value(m->g, d)) m->open = true;
  if (d && d->kind == DECL_LET) find_open(d->as.let.body, context);
  walk_parts(e, find_open, context);
}

/* A condition on values that are all known. */
static void check_now(struct cgen *g, const struct ast_expr *e) {
  bool truth = false;
  if (reval_bool(g->input->fixed, NULL, e, &truth) && !truth)
    cgen_refuse(g, e->span, "give other values",
                "this does not hold for the values that are given");
}

static void put_condition(struct cgen *g, struct buffer *out, const struct ast_expr *e) {
  struct mentions m = {.g = g};
  find_open(e, &m);
  if (!reval_is_executable(e)) {
    cgen_refuse(g, e->span, "let it range over integers: forall i in 0..n",
                "this condition cannot be checked when the program runs");
    return;
  }
  if (!m.open) {
    check_now(g, e);
    return;
  }
  struct buffer text;
  buffer_init(&text);
  print_expr(&text, e);
  buffer_puts(out, "cp_need(c, ");
  cgen_expr(g, out, e);
  buffer_puts(out, ", ");
  cgen_string(out, buffer_text(&text));
  buffer_puts(out, ");\n");
  buffer_clear(&text);
}

static void put_conditions(struct cgen *g, struct buffer *out) {
  const struct ast_module *m = g->input->module;
  const struct ast_routine *r = routine_of(g->input);
  for (size_t i = 0; i < m->decl_count; i++) {
    const struct ast_decl *d = m->decls[i];
    if (d->kind == DECL_AXIOM)
      cgen_refuse(g, d->name.span, "say it of a parameter, as an assumption that can be checked",
                  "the claims of this file assume the axiom `%s`, which no program can check",
                  d->name.text);
    if (d->kind != DECL_PARAM) continue;
    struct buffer member;
    buffer_init(&member);
    buffer_puts(&member, "in->param_");
    cgen_identifier(&member, d->name.text);
    put_lengths(g, out, d->as.param.type, buffer_text(&member), d->name.text);
    buffer_clear(&member);
    for (size_t j = 0; j < d->as.param.count; j++)
      put_condition(g, out, d->as.param.assumptions[j]);
  }
  for (size_t i = 0; i < r->arg_count; i++) {
    struct buffer member;
    buffer_init(&member);
    cgen_var(&member, r->args[i]);
    put_lengths(g, out, r->args[i]->declared, buffer_text(&member), r->args[i]->name.text);
    buffer_clear(&member);
  }
  for (size_t i = 0; i < g->input->mechanism->as.mechanism.written_count; i++)
    put_condition(g, out, g->input->mechanism->as.mechanism.requires_written[i]);
}

/* ---- what the claim is about ------------------------------------------------------------------- */

/* The values as text that the run-time library reads: [1, 1/2]. */
static void put_domain(struct buffer *out, const struct ast_domain *d) {
  struct buffer text;
  buffer_init(&text);
  buffer_putc(&text, '[');
  for (size_t i = 0; i < d->count; i++) {
    struct rvalue v = domain_value(d->values[i]);
    if (i) buffer_puts(&text, ", ");
    rvalue_print(&text, &v);
    rvalue_clear(&v);
  }
  buffer_putc(&text, ']');
  cgen_string(out, buffer_text(&text));
  buffer_clear(&text);
}

/* Inputs that `at` lists are among those in the list; of others there is no proof. */
static void put_listed(struct cgen *g, struct buffer *out) {
  const struct ast_decl *claim = g->input->claim;
  for (size_t i = 0; claim && i < claim->as.claim.at_count; i++) {
    const struct ast_domain *d = &claim->as.claim.at[i];
    if (!d->input) continue;
    const char *leaf = d->count && d->values[0]->type->kind == TYPE_BOOL ? "b" : "r";
    buffer_puts(out, "cp_need_listed(c, ");
    cgen_string(out, d->input->name.text);
    buffer_puts(out, ", \"");
    cgen_descriptor(g, out, d->input->type, d->name.span);
    buffer_printf(out, "\", (union cp_value){.%s = ", cgen_member(d->input->type));
    cgen_var(out, d->input);
    buffer_printf(out, "}, \"%s\", cp_read(c, \"\", ", leaf);
    put_domain(out, d);
    buffer_printf(out, ", \"[%s\").seq);\n", leaf);
  }
}

/* ---- the program -------------------------------------------------------------------------------- */

static void put_set_up(struct cgen *g, struct buffer *out) {
  struct buffer text;
  buffer_init(&text);
  buffer_puts(&text,
              "static void cp_set_up(struct cp *c, struct in *in, const char *const *values) "
              "{\n");
  name_list names = {0};
  list_names(g, &names);
  size_t first = names.len - routine_of(g->input)->arg_count;
  vec_clear(&names);
  put_inputs(g, &text, &first);
  put_params(g, &text);
  put_conditions(g, &text);
  put_listed(g, &text);
  buffer_puts(&text, "}\n\n");
  buffer_puts(out, buffer_text(&text));
  buffer_clear(&text);
}

/* The output as text: emitted, returned, or the pair of both. */
static void put_output(struct cgen *g, struct buffer *out) {
  const struct ast_routine *r = routine_of(g->input);
  const struct type *returns = r->returns ? r->returns->type : NULL;
  buffer_puts(out, "static const char *cp_run_text(struct cp *c, const char *const *values) {\n"
                   "struct in in;\nstruct cp_text text = {0};\nmemset(&in, 0, sizeof in);\n"
                   "cp_set_up(c, &in, values);\nc->emitted = cp_seq_new(c, 0);\n");
  if (returns) buffer_puts(out, "union cp_value result;\nresult.");
  if (returns) buffer_printf(out, "%s = ", cgen_member(returns));
  buffer_puts(out, "mechanism_");
  cgen_identifier(out, r->name.text);
  buffer_puts(out, "_(c, &in);\n");
  if (r->emits && returns) buffer_puts(out, "cp_put(c, &text, \"(\");\n");
  if (r->emits) {
    buffer_puts(out, "cp_put_value(c, &text, \"[");
    cgen_descriptor(g, out, r->emits->type, r->emits->span);
    buffer_puts(out, "\", (union cp_value){.seq = c->emitted});\n");
  }
  if (r->emits && returns) buffer_puts(out, "cp_put(c, &text, \", \");\n");
  if (returns) {
    buffer_puts(out, "cp_put_value(c, &text, \"");
    cgen_descriptor(g, out, returns, r->returns->span);
    buffer_puts(out, "\", result);\n");
  }
  if (r->emits && returns) buffer_puts(out, "cp_put(c, &text, \")\");\n");
  if (!r->emits && !returns) buffer_puts(out, "cp_put(c, &text, \"()\");\n");
  buffer_puts(out, "return text.at;\n}\n\n");
}

static void put_entry_name(struct buffer *out, const struct compile_input *input) {
  buffer_puts(out, "couplet_");
  cgen_public_name(out, input->mechanism->name.text);
}

static void put_head(struct buffer *out, const struct compile_input *input) {
  put_comment(out, input->about);
  buffer_puts(out, runtime_head);
  buffer_puts(out,
              "\n/* One run. `values` are texts, for the names in cp_names below; NULL: the length"
              " of an array is\n * that of the array. *output is the output as text, or what is"
              " wrong when the result is not 0;\n * free it. *bits, if it is asked for, is the"
              " number of random bits that were used. */\nint ");
  put_entry_name(out, input);
  buffer_puts(out, "(const char *const *values, char **output, uint64_t *bits);\n\n");
  const char *const parts[] = {runtime_run,   runtime_number, runtime_noise, runtime_real,
                               runtime_float, runtime_value,  runtime_text};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    buffer_puts(out, parts[i]);
    buffer_putc(out, '\n');
  }
}

/* What is generated, behind the run-time library. */
static void put_mechanism(struct cgen *g, struct buffer *out) {
  struct buffer set_up;
  buffer_init(&set_up);
  put_names(g, out);
  cgen_routine(g, "mechanism", routine_of(g->input));
  put_set_up(g, &set_up);
  buffer_puts(out, buffer_text(&g->functions)); /* with those that the conditions need */
  buffer_puts(out, buffer_text(&set_up));
  put_output(g, out);
  buffer_clear(&set_up);
}

bool compile_program(struct buffer *out, const struct compile_input *input) {
  struct cgen g = {.input = input};
  struct buffer own;
  const size_t errors = input->lang->diags.errors;
  buffer_init(&g.functions);
  buffer_init(&own);
  ptrmap_init(&g.done);
  put_head(out, input);
  buffer_puts(out, "/* ---- the mechanism ---- */\n\n");
  put_struct(&g, &own);
  if (input->lang->diags.errors == errors) put_mechanism(&g, &own);
  put_indented(out, buffer_text(&own));
  buffer_puts(out, "#define CP_ENTRY ");
  put_entry_name(out, input);
  buffer_puts(out, "\n\n");
  buffer_puts(out, runtime_main);
  ptrmap_clear(&g.done);
  vec_clear(&g.scope);
  buffer_clear(&g.functions);
  buffer_clear(&own);
  return input->lang->diags.errors == errors;
}
