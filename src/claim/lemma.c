#include "claim/lemma.h"

#include "kernel/internal.h"

struct lemma {
  struct kernel *kernel;
  struct translate_env env;
  struct span span;
  term_id formula;
};

struct lemma *lemma_open(struct lang *lang, const struct ast_module *module,
                         const struct ast_decl *decl, struct terms *terms, struct decider *decider,
                         const char **why, struct span *where) {
  *why = NULL;
  *where = decl->span;
  struct lemma *l = xcalloc(1, sizeof *l);
  l->kernel = kernel_new(terms, decider);
  l->span = decl->span;
  translate_env_init(&l->env, l->kernel, lang, module);
  translate_module(&l->env);
  if (decl->kind != DECL_LEMMA) translate_fail(&l->env, decl->span, "this is not a lemma");
  if (!l->env.error) l->formula = translate_expr_as(&l->env, decl->as.formula, SORT_BOOL);
  l->kernel->sealed = true;
  l->env.is_proof_text = true; /* from here on */
  if (!l->env.error) return l;
  *why = arena_printf(&lang->arena, "%s", l->env.error);
  *where = l->env.error_span;
  lemma_close(l);
  return NULL;
}

void lemma_close(struct lemma *lemma) {
  if (!lemma) return;
  translate_env_clear(&lemma->env);
  kernel_free(lemma->kernel);
  free(lemma);
}

term_id lemma_formula(const struct lemma *lemma) {
  return lemma->formula;
}
struct kernel *lemma_kernel(struct lemma *lemma) {
  return lemma->kernel;
}
struct translate_env *lemma_env(struct lemma *lemma) {
  return &lemma->env;
}

enum claim_verdict lemma_conclude(struct lemma *lemma) {
  struct kernel *k = lemma->kernel;
  if (!kernel_prove(k, "LEMMA", lemma->span, k->yes, lemma->formula, "the lemma"))
    return CLAIM_NOT_PROVED;
  if (kernel_is_vacuous(k, lemma->span)) {
    kernel_fail(k, "LEMMA", lemma->span, "the assumptions contradict each other");
    return CLAIM_NOT_PROVED;
  }
  return k->believes ? CLAIM_BELIEVED : CLAIM_PROVED;
}
