#include "ask/program_args.h"

#include <stdlib.h>
#include <string.h>

#include "base/exit_codes.h"
#include "base/spell.h"
#include "lang/check/check.h"
#include "lang/syntax/parse.h"

void program_args_clear(struct program_args *args) {
  vec_clear(&args->params);
  vec_clear(&args->inputs);
  vec_clear(&args->translation.claims);
  vec_clear(&args->translation.functions);
}

const struct ast_decl *program_choose(const struct program_file *file, enum decl_kind kind,
                                      const char *word, const char *name, char **why) {
  bool subject = kind == DECL_MECHANISM; /* an automaton will also do */
  VEC(const char *) names = {0};
  const struct ast_decl *found = NULL;
  for (size_t i = 0; i < file->module->decl_count; i++) {
    const struct ast_decl *d = file->module->decls[i];
    if (d->kind != kind && !(subject && d->kind == DECL_AUTOMATON)) continue;
    vec_push(&names, d->name.text);
    if (!name || strcmp(name, d->name.text) == 0) found = d;
  }
  struct buffer b;
  buffer_init(&b);
  if (name && !found) {
    const char *near = spell_nearest(name, names.at, names.len);
    buffer_printf(&b, "there is no %s '%s' in %s", word, name, file->path);
    if (near) buffer_printf(&b, "; did you mean '%s'?", near);
  } else if (!names.len) {
    buffer_printf(&b, "there is no %s in %s", word, file->path);
  } else if (!name && names.len > 1) {
    buffer_printf(&b, "which %s? give --%s with one of:", word, word);
    for (size_t i = 0; i < names.len; i++)
      buffer_printf(&b, "%s %s", i ? "," : "", names.at[i]);
    found = NULL;
  }
  vec_clear(&names);
  if (!found) *why = buffer_take(&b);
  buffer_clear(&b);
  return found;
}

uint32_t program_split(const struct program_file *file, const char *option, const char *text,
                       const char **name, char **why) {
  const char *eq = strchr(text, '=');
  if (!eq || eq == text) {
    *why = xasprintf("--%s takes NAME=VALUE, not '%s'", option, text);
    return 0;
  }
  size_t length = (size_t)(eq - text);
  while (length && text[length - 1] == ' ')
    length--;
  *name = intern_text(&file->lang->intern, text, length);
  char *place = xasprintf("--%s %s", option, *name);
  uint32_t source = sources_add(&file->lang->sources, place, eq + 1, strlen(eq + 1));
  free(place);
  return source;
}

bool program_read_value(const struct program_file *file, uint32_t source, const struct type *type,
                        struct rvalue *value, struct span *span) {
  size_t errors = file->lang->diags.errors;
  struct ast_expr *e = parse_expression(file->lang, source);
  *span = e->span;
  return file->lang->diags.errors == errors && check_constant(file->lang, file->module, e, type) &&
         interp_constant(file->lang, e, value);
}

static int give_params(struct interp *in, const struct program_file *file, const option_list *given,
                       char **why) {
  for (size_t i = 0; i < given->len; i++) {
    const char *name;
    uint32_t source = program_split(file, "param", given->at[i], &name, why);
    if (!source) return COUPLET_EXIT_USAGE;
    const struct ast_decl *param = program_choose(file, DECL_PARAM, "parameter", name, why);
    if (!param) return COUPLET_EXIT_USAGE;
    struct rvalue value;
    struct span span;
    const struct type *type = interp_reveal(in, param->as.param.type->type);
    if (!program_read_value(file, source, type, &value, &span)) return COUPLET_EXIT_INPUT;
    interp_set_param(in, param, value, span);
  }
  return 0;
}

static int give_inputs(struct interp *in, const struct program_file *file, const option_list *given,
                       char **why) {
  const struct ast_routine *routine = in->mechanism->as.mechanism.routine;
  for (size_t i = 0; i < given->len; i++) {
    const char *name;
    uint32_t source = program_split(file, "input", given->at[i], &name, why);
    if (!source) return COUPLET_EXIT_USAGE;
    size_t k = 0;
    while (k < routine->arg_count && routine->args[k]->name.text != name)
      k++;
    if (k == routine->arg_count) {
      *why = xasprintf("'%s' has no input '%s'", in->mechanism->name.text, name);
      return COUPLET_EXIT_USAGE;
    }
    struct rvalue value;
    struct span span;
    const struct type *type = interp_reveal(in, routine->args[k]->type);
    if (!program_read_value(file, source, type, &value, &span)) return COUPLET_EXIT_INPUT;
    interp_set_input(in, k, value, span);
  }
  return 0;
}

/* The declaration of the parameter that is the length of this input, or NULL. */
static const struct ast_decl *length_of(const struct program_file *file,
                                        const struct ast_var *arg) {
  const struct ast_type *t = arg->declared;
  if (!t || t->kind != TYPE_ARRAY || !t->length || t->length->kind != EXPR_NAME) return NULL;
  for (size_t i = 0; i < file->module->decl_count; i++) {
    const struct ast_decl *d = file->module->decls[i];
    if (d->kind == DECL_PARAM && d->name.text == t->length->as.name.text) return d;
  }
  return NULL;
}

static bool is_given(const struct interp *in, const struct ast_decl *param) {
  for (size_t i = 0; i < in->param_decls.len; i++)
    if (in->param_decls.at[i] == param) return true;
  return false;
}

/* Where no instance has values, an input that is given says how long it is. */
static void infer_lengths(struct interp *in, const struct program_file *file) {
  const struct ast_routine *routine = in->mechanism->as.mechanism.routine;
  for (size_t k = 0; k < routine->arg_count; k++) {
    const struct rvalue *value = &in->inputs[k].value;
    const struct ast_decl *param = length_of(file, routine->args[k]);
    if (param && rvalue_is_items(value) && !is_given(in, param))
      interp_set_param(in, param, rvalue_int((slong)value->as.seq->len), in->inputs[k].span);
  }
}

int program_set_up(struct interp *in, const struct program_file *file,
                   const struct ast_decl *mechanism, const struct program_args *args,
                   uint64_t max_steps, char **why) {
  interp_init(in, file->lang, file->module, mechanism);
  in->max_steps = max_steps;
  if (args->instance) {
    in->instance = program_choose(file, DECL_INSTANCE, "instance", args->instance, why);
    if (!in->instance) return COUPLET_EXIT_USAGE;
  } else {
    in->instance = interp_choose_instance(in); /* values may need its types */
  }
  int status = give_params(in, file, &args->params, why);
  if (!status) status = give_inputs(in, file, &args->inputs, why);
  if (status) return status;
  if (!in->instance) infer_lengths(in, file);
  if (!args->instance) in->instance = interp_choose_instance(in);
  return interp_prepare(in) ? 0 : COUPLET_EXIT_INPUT;
}
