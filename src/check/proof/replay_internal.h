/* Inside of the replay of derivations: lines (replay.c) and rules (replay_rules.c). */
#ifndef COUPLET_CHECK_PROOF_REPLAY_INTERNAL_H
#define COUPLET_CHECK_PROOF_REPLAY_INTERNAL_H

#include "check/proof/replay.h"
#include "kernel/ahl.h"
#include "kernel/law.h"
#include "kernel/rules.h"
#include "term/exchange.h"

enum {
  REPLAY_NAME = 128,  /* bytes of a name */
  REPLAY_DEPTH = 1000 /* loops and branches inside each other */
};

struct replay_command {
  const struct core *command;
  unsigned depth;
};
struct replay_judgement {
  proof_of judgement;
  enum claim_direction direction;
};
struct replay_bound {
  bound_of bound;
  enum claim_direction direction;
};

struct replay {
  struct claim *claim; /* NULL: a lemma */
  bool is_false;       /* a lemma that does not hold, at */
  struct lemma_point point;
  struct kernel *kernels[CLAIM_CONTEXTS];
  struct terms *ts;
  struct arena *arena;
  struct span span; /* of the claim: calls have no places of their own */
  struct term_reader terms;
  VEC(struct replay_command) commands;
  VEC(struct replay_judgement) judgements;
  VEC(struct replay_bound) bounds;
  VEC(struct loop_law) laws;
  struct kernel *k; /* of the present call */
  enum claim_direction direction;
  size_t groups; /* of repeated arguments */
  bool is_done;
  enum claim_verdict verdict;
  const char *why; /* the line itself is wrong; NULL: ask the kernel */
};

/* An argument; what it is the rule knows. */
struct word {
  term_id term; /* TERM_NONE for - */
  const struct core *command;
  unsigned depth; /* of the command */
  proof_of judgement;
  bound_of bound;
  unsigned number;
};
typedef VEC(struct word) word_list;

/* Reads arguments of these kinds: t term, o term or -, c command, j judgement of this context, J of
 * any, b bound, r run, n small number. */
bool replay_words(struct replay *r, const char **at, const char *wanted, word_list *out);

/* Groups of a loop, its variant and its invariant. */
struct loop_variants replay_variants(struct replay *r, const struct word *w, size_t count);

/* Calls a rule; what it makes is the next judgement or bound. */
bool replay_rule(struct replay *r, const char *name, const char *at);

#endif
