/* Random formulas about two runs, over inputs of every type: right in their types, and mostly with
 * a value. Reproducible from a seed.
 *
 * All operators and built-in functions; quantifiers with several binders, over ranges that may be
 * empty and depend on one another, over truth values and an abstract type; tags on names and on
 * whole expressions, adjacency shorthands; nested arrays, tuples, lists; lets with parameters and
 * quantifiers of their own, whose names are those of inputs and binders elsewhere; operators. */
#ifndef COUPLET_GEN_FORMULA_H
#define COUPLET_GEN_FORMULA_H

#include "testlib.h"

/* Text of a module (xmalloc'd): declarations, a mechanism `m` with the formula as adjacency, and
 * the instances `first` and `second` with parameters and inputs of the two runs. A formula that is
 * given takes the place of a random one. */
char *gen_formula_text(struct rng *rng, unsigned depth, const char *formula);

#endif
