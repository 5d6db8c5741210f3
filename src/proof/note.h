/* What a step of a proof did, remembered per judgement for explanations (explain.h).
 *
 * The kernel does not say how two samples were paired or what the pairing cost; who called the rule
 * knows. Nothing here is trusted. */
#ifndef COUPLET_PROOF_NOTE_H
#define COUPLET_PROOF_NOTE_H

#include "base/arena.h"
#include "base/ptrmap.h"
#include "kernel/judgement.h"

/* One case of a coupling of two samples. */
struct note_case {
  term_id when;         /* over the memories before and run 1's sample; TERM_NONE: otherwise */
  const char *relation; /* how run 2's sample follows from run 1's, in the language of proofs */
  term_id cost;         /* over the memories before and run 1's sample */
};

struct note {
  const char *words;       /* NULL: the rule speaks for itself */
  term_id cost;            /* the step pays this; TERM_NONE: nothing of its own */
  term_id left;            /* loops: budget that is left before each iteration, or TERM_NONE */
  const char *invariant;   /* loops: what the proof says of it, or NULL */
  term_id condition;       /* of a case distinction, or TERM_NONE */
  struct note_case *cases; /* couplings of samples */
  size_t case_count;
};

/* The note of a judgement, made on first use. NULL for NULL. */
struct note *note_of(struct ptrmap *notes, struct arena *arena, const struct judgement *j);
void note_add_case(struct note *note, struct arena *arena, struct note_case one);

#endif
