/* Where to look for counterexamples to a claim about a program: pairs of inputs.
 *
 * Small and structured first: few queries, values 0 and one unit, all entries moving together,
 * against each other, or one alone. Then every position, and the numbers that stand in the program
 * and next to them. Everything is deterministic. */
#ifndef COUPLET_REFUTE_CANDIDATES_H
#define COUPLET_REFUTE_CANDIDATES_H

#include "search/refute/constants.h"
#include "search/refute/settings.h"

/* Pairs of inputs for one setting; adjacency is not checked yet. */
struct input_pair {
  struct rvalue *runs[2];
};
typedef VEC(struct input_pair) input_pair_list;

enum candidate_stage {
  CANDIDATES_PLAIN, /* 0 and one unit, in a few shapes */
  CANDIDATES_NEAR,  /* every position and pair of positions, from numbers of the program one step */
  CANDIDATES_WIDE,  /* one position from any of these numbers to any other; lists that grow */
  CANDIDATES_MIXED  /* entries that differ from one another (mixed_inputs.h) */
};
/* Appends. False: *why says which input is in the way (xmalloc'd, or NULL). */
bool candidate_inputs(input_pair_list *out, const struct program_claim *claim,
                      const struct ast_decl *instance, const struct setting *setting,
                      enum candidate_stage stage, char **why);
void input_pair_list_clear(input_pair_list *list, size_t input_count);

/* The numbers that stand in the mechanism, with the parameters of ce. */
void candidate_constants(number_list *out, const struct program_claim *claim,
                         const struct program_counterexample *ce);
/* How far adjacent entries may move: the distance in within(x, s), all_within(q, s), ...; else 1.
 */
void candidate_unit(fmpq_t out, const struct program_claim *claim,
                    const struct program_counterexample *ce);

#endif
