#include "search/prove/prove.h"

#include "search/align/strategy.h"
#include "search/complete/complete.h"
#include "search/goals/accuracy.h"
#include "search/goals/accuracy_index.h"
#include "search/goals/assume.h"
#include "search/goals/finite.h"
#include "search/goals/fuse.h"
#include "search/goals/hits.h"
#include "search/goals/join.h"
#include "search/goals/joint.h"
#include "search/goals/lengths.h"
#include "search/goals/listed.h"
#include "search/goals/normal.h"
#include "search/goals/notions.h"
#include "search/goals/parts.h"
#include "search/goals/pointwise.h"
#include "search/goals/race.h"
#include "search/goals/rescale.h"
#include "search/goals/runner_up.h"
#include "search/goals/samplers.h"
#include "search/goals/shared.h"
#include "search/goals/slide.h"
#include "search/goals/table.h"
#include "search/goals/until.h"

/* No step at all: what needs no search. Where something costs, nothing does not do. */
static void auto_default(struct auto_problem *p, struct auto_search *s) {
  if (auto_cost(s)) return;
  auto_try(s, &(struct auto_candidate){"{ }", p->wants_least ? "0" : NULL, -1});
}

/* In the order they are tried: without a block, and for a block that is to be completed. The
 * default proof seldom fits what the others leave over. */
static const struct {
  struct auto_entry entry;
  bool without, with; /* a given block */
} strategies[] = {
    {{"completion", auto_complete_first}, false, true},
    {{"outcomes by weights", auto_weighed}, true, true},
    {{"align", auto_align}, true, true},
    {{"until; align", auto_until}, true, true},
    {{"exact distances", auto_joint}, true, true},
    {{"shared distances", auto_shared}, true, true},
    {{"fuse; align", auto_fused}, true, true},
    {{"lengths; align", auto_lengths}, true, true},
    {{"join; align", auto_joined}, true, true},
    {{"slide; align", auto_slide}, true, true},
    {{"tables; align", auto_tables}, true, true},
    {{"pointwise", auto_pointwise}, true, true},
    {{"two largest values", auto_runner_up}, true, true},
    {{"race", auto_race}, true, true},
    {{"parts; align", auto_composed}, true, true},
    {{"finite", auto_finite}, true, true},
    {{"hits; complete", auto_hits}, true, true},
    {{"upto; align", auto_assume}, true, true},
    {{"outcomes", auto_listed}, true, true},
    {{"rescale; align", auto_rescaled}, true, true},
    {{"align at any cost", auto_align_any}, true, true},
    {{"another notion; align", auto_by_notions}, true, false},
    {{"completion", auto_complete_last}, false, true},
    {{"default", auto_default}, true, false},
};
enum { COUNT = sizeof strategies / sizeof *strategies };

/* Claims about one run: nothing is aligned. */
static const struct auto_entry for_accuracy[] = {{"fuse; sums", auto_accuracy_fused},
                                                 {"tails", auto_accuracy}};
static const struct auto_entry for_laws[] = {{"samplers", auto_samplers}};

void auto_prove(struct lang *lang, const struct ast_module *module, const struct ast_decl *claim,
                const struct auto_options *options, struct auto_result *out) {
  struct auto_options all = *options;
  struct auto_entry chosen[COUNT];
  bool given = options->complete && claim->as.claim.has_proof;
  if (!options->strategies) {
    all.strategies = chosen;
    all.strategy_count = 0;
    for (size_t i = 0; i < COUNT; i++)
      if (given ? strategies[i].with : strategies[i].without)
        chosen[all.strategy_count++] = strategies[i].entry;
  }
  bool one_run = claim->as.claim.formula != NULL;
  if (one_run && !options->strategies) {
    all.strategies = claim->as.claim.law ? for_laws : for_accuracy;
    all.strategy_count = claim->as.claim.law ? 1 : sizeof for_accuracy / sizeof *for_accuracy;
  }
  auto_viewer *viewer = !one_run ? normal_form : claim->as.claim.law ? NULL : index_view;
  auto_run(lang, module, claim, &all, viewer, complete_candidate, out);
}
