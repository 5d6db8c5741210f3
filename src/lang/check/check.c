#include "lang/check/check.h"

#include <string.h>

#include "base/limits.h"
#include "lang/check/check_internal.h"
#include "lang/syntax/parse.h"

static void checker_init(struct checker *c, struct lang *lang, struct ast_module *module) {
  *c = (struct checker){
      .lang = lang, .diags = &lang->diags, .types = &lang->types, .module = module};
}

static void checker_clear(struct checker *c) {
  ptrmap_clear(&c->values);
  ptrmap_clear(&c->type_names);
  ptrmap_clear(&c->claim_names);
  ptrmap_clear(&c->axiom_names);
  ptrmap_clear(&c->lemma_names);
  ptrmap_clear(&c->instance_names);
  ptrmap_clear(&c->summaries);
  ptrmap_clear(&c->formulas);
  ptrmap_clear(&c->inputs);
  ptrmap_clear(&c->positions);
  ptrmap_clear(&c->locals);
  ptrmap_clear(&c->oracles);
  ptrmap_clear(&c->reported);
}

static bool is_misread(const struct lang *lang, const struct ast_module *module) {
  if (lang->diags.errors > LIMIT_ERRORS) return true;
  for (size_t i = 0; i < lang->diags.list.len; i++)
    for (size_t j = 0; j < module->unit_count; j++)
      if (lang->diags.list.at[i].severity == SEVERITY_ERROR &&
          lang->diags.list.at[i].span.file == module->units[j]->file)
        return true;
  return false;
}

bool check_module(struct lang *lang, struct ast_module *module) {
  struct checker c;
  size_t errors = lang->diags.errors;
  checker_init(&c, lang, module);
  c.misread = is_misread(lang, module);
  c.names_lost = module->is_incomplete;
  names_enter_module(&c);
  for (size_t i = 0; i < module->decl_count; i++) {
    c.now = i + 1;
    check_decl(&c, module->decls[i]);
  }
  checker_clear(&c);
  return lang->diags.errors == errors;
}

/* A checker behind the last declaration: all names are visible; claims were named when the module
 * was checked. `copy` lives as long. */
static void checker_init_behind(struct checker *c, struct lang *lang, struct ast_module *copy) {
  checker_init(c, lang, copy);
  c->quiet = true;
  names_enter_module(c);
  c->quiet = false;
  c->now = copy->decl_count + 1;
}

bool check_constant(struct lang *lang, const struct ast_module *module, struct ast_expr *expr,
                    const struct type *expected) {
  struct ast_module copy = *module;
  struct checker c;
  size_t errors = lang->diags.errors;
  checker_init_behind(&c, lang, &copy);
  c.ctx = (struct expr_context){.place = "the value", .constant = true};
  check_against(&c, expr, expected, "the value");
  checker_clear(&c);
  return lang->diags.errors == errors;
}

const struct ast_decl *check_interpretation(struct lang *lang, const struct ast_module *module,
                                            const char *text) {
  struct ast_module copy = *module;
  struct checker c;
  size_t errors = lang->diags.errors;
  uint32_t file = sources_add(&lang->sources, "interpretation", text, strlen(text));
  struct ast_unit *unit = parse_unit(lang, file);
  if (lang->diags.errors != errors || unit->count != 1 || unit->decls[0]->kind != DECL_INSTANCE)
    return NULL;
  checker_init_behind(&c, lang, &copy);
  check_instance(&c, unit->decls[0]);
  checker_clear(&c);
  return lang->diags.errors == errors ? unit->decls[0] : NULL;
}
