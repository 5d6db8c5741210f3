#include "search/prove/prove.h"

#include "search/align/strategy.h"
#include "search/complete/complete.h"
#include "search/goals/finite.h"
#include "search/goals/hits.h"
#include "search/goals/inverse.h"
#include "search/goals/parts.h"
#include "search/goals/pointwise.h"
#include "search/goals/release.h"
#include "search/goals/rescale.h"

/* No step at all: what needs no search. */
static void auto_default(struct auto_problem *p, struct auto_search *s) {
  auto_try(s, &(struct auto_candidate){"{ }", p->wants_least ? "0" : NULL, -1});
}

/* In the order they are tried. The default proof seldom fits what the others leave over. */
static const struct auto_entry strategies[] = {
    {"synchronous", auto_align}, {"pointwise", auto_pointwise}, {"composed", auto_composed},
    {"finite", auto_finite},     {"inverse", auto_inverse},     {"test and release", auto_release},
    {"hits", auto_hits},         {"rescaled", auto_rescaled},   {"synchronous", auto_align_any},
    {"default", auto_default},
};

/* The same for a block that is to be completed. */
static const struct auto_entry completing[] = {
    {"completion", auto_complete_first}, //
    {"completed synchronous", auto_align},
    {"completed pointwise", auto_pointwise},
    {"completed composed", auto_composed},
    {"completed finite", auto_finite},
    {"completed inverse", auto_inverse},
    {"completed test and release", auto_release},
    {"completed hits", auto_hits},
    {"completed rescaled", auto_rescaled},
    {"completed synchronous", auto_align_any},
    {"completion", auto_complete_last},
};

void auto_prove(struct lang *lang, const struct ast_module *module, const struct ast_decl *claim,
                const struct auto_options *options, struct auto_result *out) {
  struct auto_options all = *options;
  bool completes = options->complete && claim->as.claim.has_proof;
  if (!options->strategies) {
    all.strategies = completes ? completing : strategies;
    all.strategy_count =
        completes ? sizeof completing / sizeof *completing : sizeof strategies / sizeof *strategies;
  }
  auto_run(lang, module, claim, &all, NULL, complete_candidate, out);
}
