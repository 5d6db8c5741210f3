/* What the premises of a claim say about concrete inputs, by their meaning as terms.
 *
 * Formulas of the source have two meanings: the evaluator's (run/eval/reval.h), which
 * counterexamples are found with, and the translation's (translate.h), which proofs are about. Here
 * the second is computed on values: the formula is translated as for a proof, and the term is
 * evaluated exactly (term/eval.h). The two share no code but the syntax tree, so that a
 * counterexample that rests on both cannot rest on a mistake in one.
 *
 * Arrays are total maps in the logic; beyond their length they are taken to be zero. Items of
 * lists, about which nothing is proved, are told apart case by case, as many as the longest input
 * has. Values of an abstract type are numbered elements; those of the parameters and inputs are all
 * that there are. Operators mean what the instance says. */
#ifndef COUPLET_CHECK_COUNTEREXAMPLE_GROUND_H
#define COUPLET_CHECK_COUNTEREXAMPLE_GROUND_H

#include "claim/translate.h"
#include "run/eval/reval.h"
#include "term/eval.h"

/* A value of an abstract type: element number = position in the list. */
struct ground_element {
  const struct type *type;
  struct rvalue value;
};

struct ground {
  struct terms terms;
  struct kernel *kernel;
  struct translate_env env;
  struct evaluator eval;
  struct reval *meanings; /* of operators: ops and globals are read */
  VEC(struct ground_element) elements;
  VEC(const struct tvalue **) carriers; /* arrays that eval.carriers points to */
  bool failed;                          /* some value cannot be written down */
  const char
      *problem; /* why the last formula has no translation (in the kernel's arena), or NULL */
};

/* `ev` has the parameters and the meanings of the operators; `inputs` are frames of both runs, in
 * which the arguments of the mechanism have their values. All are only read. */
void ground_init(struct ground *g, struct lang *lang, const struct ast_module *module,
                 const struct ast_routine *mechanism, struct reval *ev,
                 const struct rframe *inputs[2]);
void ground_clear(struct ground *g);

/* A value of that type as a value of terms; unknown, and ground_truth too from then on, if it is
 * none. */
const struct tvalue *ground_value(struct ground *g, const struct rvalue *v,
                                  const struct type *type);
/* 1 true, 0 false, -1 not known. `swapped`: with the inputs of the runs exchanged. */
int ground_truth(struct ground *g, const struct ast_expr *formula, bool swapped);

#endif
