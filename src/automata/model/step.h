/* One traversal of an edge, as the searches see it: which shifts of the samples are possible, what
 * they cost, and which shifts the live variables have afterwards.
 *
 *   insample<2> = insample<1> + s:   s <= g_x for L, s >= g_x for G, s = 0 if insample is output;
 *   cost |Delta - s| d, and |Delta| d' if insample' is output (its shift is 0).
 *
 * Shared noise: one sample, bound by all literals of the guard, stored in all assigned variables.
 * Independent noise: one sample for each variable that is compared or assigned, bound by the
 * literals on it, stored in it; the costs add, Delta is common. A sample that is not stored (or
 * stored in a variable that is dead afterwards) simply takes the cheapest shift.
 *
 * Costs are integers in units of 1/scale. (The checker has its own version of all this.) */
#ifndef COUPLET_AUTOMATA_MODEL_STEP_H
#define COUPLET_AUTOMATA_MODEL_STEP_H

#include <flint/fmpz.h>

#include "check/automaton/order.h"

struct weights {
  fmpz_t scale;      /* least common denominator of all d and d' */
  VEC(fmpz) integer; /* per rational of the automaton: value * scale, for those that are a d */
};
void weights_init(struct weights *w, const struct automaton *a);
void weights_clear(struct weights *w);

/* Where a variable stands among the live ones, which are in order. */
uint32_t members_position(struct members live, uint32_t var);

enum { STEP_SAMPLES = 16 }; /* samples of one step, at most */

struct step_sample {
  uint32_t first, count; /* its literals */
  bool stored, output;
};

/* A product edge with what is needed to take it again and again. */
struct step {
  uint32_t from, to; /* nodes */
  struct members live, after;
  const struct step_sample *samples;
  size_t sample_count;
  const literal *literals;
  const uint32_t *literal_at; /* per literal: position of its variable in `live` */
  const uint32_t *source;     /* per variable live afterwards: position in `live`, or a sample */
  bool stores;                /* some sample is stored */
  bool outputs;               /* insample */
  bool is_input;
  const fmpz *d, *prime; /* prime: NULL unless insample' is output at an input state */
};
#define STEP_FROM_SAMPLE UINT32_C(0x80000000) /* + its number */

struct step_scratch {
  VEC(struct step_sample) samples;
  VEC(literal) literals;
  VEC(uint32_t) literal_at, source;
};
/* Valid until the next step_make with the same scratch. */
struct step step_make(const struct product *p, const struct weights *w, uint32_t from,
                      uint32_t edge, struct step_scratch *scratch);
void step_scratch_clear(struct step_scratch *scratch);

/* The choices of shifts, one after the other:
 *   for (bool more = step_start(&step, g, delta, &c); more; more = step_next(&step, &c)) ... */
struct step_choice {
  int8_t shift[STEP_SAMPLES], low[STEP_SAMPLES], high[STEP_SAMPLES];
};
bool step_start(const struct step *step, const int8_t *g, int delta, struct step_choice *c);
bool step_next(const struct step *step, struct step_choice *c);
/* The shifts afterwards. */
void step_after(const struct step *step, const int8_t *g, const struct step_choice *c,
                int8_t *after);
void step_cost(fmpz_t out, const struct step *step, int delta, const struct step_choice *c);
/* Deltas that the adversary may choose: from this one to 1 by steps of 2. */
static inline int step_first_delta(const struct step *step) {
  return step->is_input ? -1 : 0;
}
/* False: another Delta costs at least as much, whatever the shifts. */
bool step_delta_matters(const struct step *step, int delta);

/* Does an edge of the automaton have too many samples? (independent noise only) */
bool step_too_wide(const struct automaton *a, const struct automaton_edge *e);

#endif
