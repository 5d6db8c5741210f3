/* A derivation as a tree in plain words: rule, place, coupling, budget before and after.
 *
 * Made from the kernel's derivation and the notes of who called the rules; every rendering (text,
 * JSON, HTML) comes from this structure. The budget is followed from the beginning of the program:
 * it starts as the claimed epsilon, a coupling takes its cost away, a loop leaves what its
 * invariant keeps. A step whose budget can no longer be said in terms of the present values has
 * none. Nothing here is trusted.
 *
 * For a picture, the steps outside of loops that pay something are listed with their share of the
 * whole, for some concrete values of the parameters. */
#ifndef COUPLET_PROOF_EXPLAIN_H
#define COUPLET_PROOF_EXPLAIN_H

#include "proof/derive.h"

struct explain_case {
  const char *when; /* NULL: otherwise, or always */
  const char *relation, *cost;
};

struct explain_node {
  const char *rule;    /* as in docs/rules.md */
  const char *words;   /* what it does */
  const char *command; /* the statement it is about, on one line, or NULL */
  struct span span;
  const char *before, *after; /* budget: at least this; NULL: not known */
  const char *left;           /* loops: before each iteration, or NULL */
  const char *invariant;      /* loops: as the proof says it, or NULL */
  const char *cost;           /* loops and blocks: what all of it pays, or NULL */
  unsigned branch;            /* of the case distinction right above, from 1; 0: none */
  const char *given;          /* branches: when it is this one, outer conditions included */
  struct explain_case *cases; /* samplings: the coupling */
  size_t case_count;
  struct explain_node *children;
  size_t child_count;
};

/* A step that pays, outside of loops. */
struct explain_payment {
  const char *command, *cost;
  struct span span;
  bool is_loop;
  unsigned branch;   /* of the case distinctions around it, from 1: each pays for itself; 0: none */
  const char *given; /* when it is this branch; NULL: always, or not known */
  bool has_share;
  double share; /* of the whole budget, between 0 and 1 */
};

struct explanation {
  struct explain_node *steps; /* the derivation from the root; several: a list */
  size_t count;
  const char *total;  /* the claimed epsilon */
  const char *values; /* "eps = 1, n = 4": what the shares are drawn for; NULL: none could be */
  struct explain_payment *payments;
  size_t payment_count;
};

/* Everything lives in the prover's arena. */
struct explanation *explain_derivation(struct prover *p, const struct judgement *j);

#endif
