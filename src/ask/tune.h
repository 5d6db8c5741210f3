/* The least noise that a claim of privacy allows, and how to share what may be spent.
 *
 * A privacy claim of cost E, proved with the holes b1, b2, .. as parameters, costs
 *
 *     k1/b1^p + k2/b2^p + .. + c       p = 1, or 2 for normal noise; no k and not c speaks of a hole
 *
 * and every hole gets a share w of E - c: b = (k/(w (E - c)))^(1/p). One hole gets all of it.
 * Several share it so that A1 b1 + A2 b2 + .. is least, A how fast the distances grow that claims of
 * accuracy ask for; without such claims, so that b1^2 + b2^2 + .. is least, the variance. With m = 1
 * or 2 for these, w is in proportion to (A^p k^m)^(1/(p+m)). Where the proportions depend on
 * parameters, the shares are formulas over these: with the costs 1/b1 and 2N/b2 of sparse vector and
 * m = 2, they are as 1 to (2N)^(2/3). Other shares are rounded to fractions that lose less than a
 * thousandth; so are all if `only_numbers`, at the values of the first instance.
 *
 * Untrusted: what comes out is text, and the file with it is verified like any other. */
#ifndef COUPLET_ASK_TUNE_H
#define COUPLET_ASK_TUNE_H

#include "ask/tune_text.h"

struct tune_claim {
  const struct ast_decl *decl; /* of the file */
  char *cost;                  /* that was proved with holes as parameters; NULL: none */
};

struct tuning {
  const struct tune_file *file;
  VEC(struct tune_claim) privacy, distances;
  char **values;     /* of the holes, as text; NULL: not found */
  bool only_numbers; /* of the caller: shares are fractions */
  bool by_formula;   /* there are shares that are formulas over the parameters */
  bool by_instance;  /* there are others, which may depend on the values of parameters */
  bool has_instance;
  char *why; /* nothing was found: what is in the way; NULL else */
};

/* Solves for the holes, from the costs of tune_ask. False: `why`. */
bool tune_solve(struct tuning *t);
/* For a file without holes: how much larger the noise of this claim is than its cost allows, e.g.
 * "2" or "1.414"; NULL: it cannot be said. The caller frees. */
char *tune_excess(struct tuning *t, const struct tune_claim *claim);
/* Asks for the costs only (within `timeout` seconds each); may fix thresholds of the file. */
void tune_ask(struct tuning *t, struct tune_file *file, double timeout);
void tuning_clear(struct tuning *t);

#endif
