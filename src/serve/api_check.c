/* What is wrong with a text, as the language server says it; and what there is to play with: the
 * mechanisms, their inputs, and the values that instances give. */
#include <string.h>

#include "base/exit_codes.h"
#include "lang/format/print.h"
#include "lsp/features.h"
#include "serve/api.h"

static json_t *printed_type(const struct ast_type *type) {
  if (!type) return json_null();
  struct buffer b;
  buffer_init(&b);
  print_type(&b, type);
  json_t *json = text_to_json(buffer_text(&b), b.len);
  buffer_clear(&b);
  return json;
}

static json_t *printed_expr(const struct ast_expr *e) {
  struct buffer b;
  buffer_init(&b);
  print_expr(&b, e);
  json_t *json = text_to_json(buffer_text(&b), b.len);
  buffer_clear(&b);
  return json;
}

static json_t *param(const struct ast_decl *d) {
  return json_pack("{s:s, s:o}", "name", d->name.text, "type", printed_type(d->as.param.type));
}

static json_t *mechanism(const struct ast_decl *d) {
  const struct ast_routine *r = d->as.mechanism.routine;
  json_t *inputs = json_array();
  for (size_t i = 0; i < r->arg_count; i++)
    json_array_append_new(inputs, json_pack("{s:s, s:o}", "name", r->args[i]->name.text, "type",
                                            printed_type(r->args[i]->declared)));
  return json_pack("{s:s, s:o, s:o, s:o}", "name", d->name.text, "inputs", inputs, "emits",
                   printed_type(r->emits), "returns", printed_type(r->returns));
}

static json_t *instance(const struct ast_decl *d) {
  json_t *params = json_object(), *inputs = json_object();
  for (size_t i = 0; i < d->as.instance.count; i++) {
    const struct ast_binding *b = &d->as.instance.bindings[i];
    if (b->kind == BINDING_PARAM && b->value)
      json_object_set_new(params, b->name.text, printed_expr(b->value));
    if (b->kind == BINDING_INPUT && b->value)
      json_object_set_new(inputs, b->name.text, printed_expr(b->value));
  }
  return json_pack("{s:s, s:o, s:o}", "name", d->name.text, "params", params, "inputs", inputs);
}

static json_t *things(const struct analysis *a) {
  json_t *params = json_array(), *mechanisms = json_array(), *instances = json_array();
  for (size_t i = 0; a->module && !a->has_errors && i < a->module->decl_count; i++) {
    const struct ast_decl *d = a->module->decls[i];
    if (d->kind == DECL_PARAM) json_array_append_new(params, param(d));
    if (d->kind == DECL_MECHANISM) json_array_append_new(mechanisms, mechanism(d));
    if (d->kind == DECL_INSTANCE) json_array_append_new(instances, instance(d));
  }
  return json_pack("{s:o, s:o, s:o}", "params", params, "mechanisms", mechanisms, "instances",
                   instances);
}

int api_check(const struct api_context *context, const json_t *request) {
  struct session session;
  struct document *d = api_document(context, request, &session);
  if (!d) return COUPLET_EXIT_INPUT;
  json_t *diagnostics = document_diagnostics(&session, d);
  const struct analysis *a = session_analysis(&session, d);
  size_t claims = a->claims.len + a->foreign_claims.len;
  api_send(context, json_pack("{s:o, s:i, s:o}", "diagnostics", diagnostics, "claims", (int)claims,
                              "things", things(a)));
  session_clear(&session);
  return COUPLET_EXIT_PROVED;
}
