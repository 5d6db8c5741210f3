#include "claim/proof_names.h"

const struct ast_decl *proof_names_decl(const struct translate_env *env, const char *name) {
  for (size_t i = 0; i < env->module->decl_count; i++) {
    const struct ast_decl *d = env->module->decls[i];
    bool is_value = d->kind == DECL_PARAM || d->kind == DECL_LET || d->kind == DECL_OP;
    if (is_value && d->name.text == name) return d;
  }
  return NULL;
}

void proof_names_offer(struct translate_env *env, const char *name,
                       const struct translate_binding *binding) {
  struct ptrmap *map = proof_names_decl(env, name) ? &env->hidden : &env->names;
  if (!ptrmap_get(map, name)) ptrmap_put(map, name, (void *)binding);
}

/* Did somebody write this, or the search? */
static bool is_written(const struct translate_env *env, struct span span) {
  for (size_t i = 0; i < env->module->unit_count; i++)
    if (env->module->units[i]->file == span.file) return true;
  return false;
}

struct proof_meaning proof_names_resolve(struct translate_env *env, struct ast_name name) {
  const struct translate_binding *own = ptrmap_get(&env->names, name.text);
  if (own) return (struct proof_meaning){.binding = own};
  const struct ast_decl *decl = proof_names_decl(env, name.text);
  const struct translate_binding *hidden = ptrmap_get(&env->hidden, name.text);
  if (hidden && is_written(env, name.span))
    translate_fail(env, name.span,
                   "`%s` is both a variable of the mechanism, which can be written `%s` here, and "
                   "the name of a declaration; rename one",
                   name.text, term_var_get(env->ts, hidden->term)->name);
  else if (!decl)
    translate_fail(env, name.span, "the name `%s` is not known here", name.text);
  return (struct proof_meaning){.decl = env->error ? NULL : decl};
}
