/* Terms to SMT-LIB 2.
 *
 * One encoder serves the solver, the dumps and the second solver: Z3 parses exactly the text that
 * --dump-smt writes. What SMT-LIB lacks is written out: floor division by case on the sign, min,
 * max and abs by ite, powers by products, lists and tuples as datatypes, length and append and exp,
 * ln, sqrt as uninterpreted functions (facts about them are asserted by the caller: facts.h,
 * transcend.h).
 *
 * Names. A variable x of run 1 is |x<1>|, of no run |x<>|, an older version |x@3<1>|; an operator f
 * is |f()|. So no name meets a word of SMT-LIB, and equal names get a suffix. */
#ifndef COUPLET_SMT_ENCODE_H
#define COUPLET_SMT_ENCODE_H

#include "base/buffer.h"
#include "term/term.h"

/* A declared constant of the text and the variable it stands for. */
struct encoded_name {
  char *name; /* without the bars */
  term_id var;
};

struct encoding {
  struct buffer text; /* declarations and assertions; no check-sat */
  size_t assertions;
  VEC(struct encoded_name) names;
  VEC(struct encoded_name) functions; /* `var` is the symbol_id */
};

/* Asserts every formula. False if one is TERM_NONE, not closed or not a formula. */
bool encode_assertions(struct encoding *out, struct terms *ts, const term_id *formulas,
                       size_t count);
void encoding_clear(struct encoding *e);

#endif
