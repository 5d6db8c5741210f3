/* bench_refute SECONDS FILE...: the refuter alone on every claim about a mechanism.
 *
 * One line per claim: what the search says after at most SECONDS of computing, the certified loss
 * (in units of the claim), how many input pairs it looked at, and how long it took. Proofs are not
 * looked at, so a claim that is proved is attacked like any other. Exit status 1 if some claim is
 * refuted. */
#include <stdio.h>
#include <stdlib.h>

#include "lang/check/check.h"
#include "search/refute/program_refute.h"

static const char *const status_names[] = {"refuted", "not found", "time", "cannot"};

static bool attack(struct lang *lang, const struct ast_module *module, const struct ast_decl *claim,
                   double seconds) {
  struct program_result r;
  struct budget budget = budget_slice(NULL, seconds);
  int64_t start = budget_now_ns();
  program_result_init(&r);
  program_refute(&r, &(struct program_claim){lang, module, claim}, &budget);
  printf("%-10s %-28s ", status_names[r.status], claim->name.text);
  if (r.has_lower)
    printf("loss %.4f  ", r.lower);
  else
    printf("%-13s", "");
  printf("%7zu pairs %7.2f s%s%s\n", r.tried, (double)(budget_now_ns() - start) * 1e-9,
         r.why ? "  " : "", r.why ? r.why : "");
  fflush(stdout);
  bool refuted = r.status == PROGRAM_REFUTED;
  program_result_clear(&r);
  return refuted;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: bench_refute SECONDS FILE...\n");
    return 2;
  }
  bool refuted = false;
  for (int i = 2; i < argc; i++) {
    struct lang lang;
    lang_init(&lang);
    const struct ast_module *module = lang_load(&lang, argv[i]);
    if (lang.diags.errors) fprintf(stderr, "%s has errors\n", argv[i]);
    for (size_t k = 0; !lang.diags.errors && k < module->decl_count; k++) {
      const struct ast_decl *d = module->decls[k];
      if (d->kind == DECL_CLAIM && d->as.claim.target->kind == DECL_MECHANISM &&
          d->as.claim.epsilon->kind != EXPR_HOLE)
        refuted |= attack(&lang, module, d, atof(argv[1]));
    }
    lang_clear(&lang);
  }
  return refuted;
}
