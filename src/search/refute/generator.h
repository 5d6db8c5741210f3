/* What the parts of candidates.c share: private inputs of both runs as vectors of numbers. */
#ifndef COUPLET_SEARCH_REFUTE_GENERATOR_H
#define COUPLET_SEARCH_REFUTE_GENERATOR_H

#include "search/refute/candidates.h"
#include "search/refute/layout.h"

struct generator {
  const struct program_claim *claim;
  const struct ast_decl *instance;
  const struct ast_routine *routine;
  struct interp in;        /* parameters set, for lengths and distances */
  fmpq_t unit;             /* how far adjacent entries may move */
  number_list pool;        /* numbers that entries may have */
  number_list public_pool; /* and public inputs */
  number_list moves;       /* how far one may go: the unit, and what the adjacency mentions */
  struct rframe frame;     /* the public inputs */
  struct layout layout;    /* of the private inputs */
  fmpq *runs[2];           /* their numbers */
  input_pair_list *out;
  size_t most; /* pairs in the list */
};

size_t generator_width(const struct generator *g);
/* Entry i of the second run is `by` away from that of the first; a truth value is the other one. */
void generator_move(struct generator *g, size_t i, const fmpq_t by);
/* It is the same. */
void generator_stay(struct generator *g, size_t i);
/* The vectors become a pair of inputs. */
void generator_push(struct generator *g);

#endif
