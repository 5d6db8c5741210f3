#include "search/base/parameter.h"

#include <string.h>

#include "term/subst.h"

const struct ast_decl *parameter_named(const struct ast_module *module, const char *name) {
  for (size_t i = 0; name && i < module->decl_count; i++) {
    const struct ast_decl *d = module->decls[i];
    if (d->kind == DECL_PARAM && d->name.text && strcmp(d->name.text, name) == 0) return d;
  }
  return NULL;
}

/* False: it mentions something else. `found` is the last one, or NULL. */
static bool only_parameters(struct terms *ts, const struct ast_module *module, term_id t,
                            const struct ast_decl **found) {
  term_list vars = {0};
  bool ok = t != TERM_NONE;
  *found = NULL;
  if (ok) term_free_vars(ts, t, &vars);
  for (size_t i = 0; i < vars.len && ok; i++) {
    const struct term_var *v = term_var_get(ts, vars.at[i]);
    *found = v->run ? NULL : parameter_named(module, v->name);
    ok = *found;
  }
  vec_clear(&vars);
  return ok;
}

const struct ast_decl *parameter_of(struct terms *ts, const struct ast_module *module, term_id t) {
  const struct ast_decl *found;
  return only_parameters(ts, module, t, &found) ? found : NULL;
}

bool is_over_parameters(struct terms *ts, const struct ast_module *module, term_id t) {
  const struct ast_decl *found;
  return only_parameters(ts, module, t, &found);
}
