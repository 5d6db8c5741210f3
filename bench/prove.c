/* bench_prove FILE...: the search for proofs alone, in CPU seconds: how much of it is the solver,
 * how many candidates were checked, how many obligations the proof has. */
#include <stdio.h>
#include <time.h>

#include "search/prove/prove.h"

static double cpu_seconds(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

static void prove(struct lang *lang, const struct ast_module *module,
                  const struct ast_decl *claim) {
  struct auto_options options = {.proof = believe_default_options()};
  struct auto_result r;
  double start = cpu_seconds();
  auto_prove(lang, module, claim, &options, &r);
  printf(
      "%-28s %-8s %-24s %6.3f s, solver %6.3f s, %zu candidates, %zu obligations, %zu questions\n",
      claim->name.text, r.proved ? "proved" : "unknown", r.cost ? r.cost : "-",
      cpu_seconds() - start, r.solver_seconds, r.candidates,
      r.check ? r.check->obligation_count : 0, r.session.smt->records.len);
  auto_result_clear(&r);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    struct lang lang;
    lang_init(&lang);
    const struct ast_module *module = lang_load(&lang, argv[i]);
    for (size_t k = 0; lang.diags.errors == 0 && k < module->decl_count; k++) {
      const struct ast_decl *d = module->decls[k];
      if (d->kind == DECL_CLAIM && d->as.claim.target->kind == DECL_MECHANISM)
        prove(&lang, module, d);
    }
    lang_clear(&lang);
  }
  return 0;
}
