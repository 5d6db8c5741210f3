/* Where to look for counterexamples to a claim about a program: parameters and pairs of inputs.
 *
 * Small and structured first: few queries, values 0 and one unit, all entries moving together,
 * against each other, or one alone. Everything is deterministic. */
#ifndef COUPLET_SEARCH_REFUTE_CANDIDATES_H
#define COUPLET_SEARCH_REFUTE_CANDIDATES_H

#include "search/refute/program_refute.h"

/* One setting of the parameters. */
struct setting {
  VEC(struct program_param) params;
};
typedef VEC(struct setting) setting_list;

/* Settings worth trying, smallest first. Those that break an assumption are still in the list. */
void candidate_settings(setting_list *out, const struct program_claim *claim,
                        const struct ast_decl *instance);
void setting_list_clear(setting_list *list);

/* Pairs of inputs for one setting; adjacency is not checked yet. */
struct input_pair {
  struct rvalue *runs[2];
};
typedef VEC(struct input_pair) input_pair_list;
/* False: a type of an input is not supported, or a length cannot be computed. */
bool candidate_inputs(input_pair_list *out, const struct program_claim *claim,
                      const struct ast_decl *instance, const struct setting *setting);
void input_pair_list_clear(input_pair_list *list, size_t input_count);

/* How far adjacent entries may move: the distance in within(x, s), all_within(q, s), ...; else 1.
 */
void candidate_unit(fmpq_t out, const struct program_claim *claim,
                    const struct program_counterexample *ce);
/* Is it a real parameter in the claimed epsilon? */
bool candidate_is_epsilon(const struct program_claim *claim, const struct ast_decl *param);
/* The only parameter that says how long inputs are, or NULL. */
const struct ast_decl *candidate_length(const struct program_claim *claim);

#endif
