/* One traversal of an edge, as the searches see it: which shifts of the sample are possible, what
 * they cost, and which shifts the live variables have afterwards.
 *
 *   insample<2> = insample<1> + s:   s <= g_x for L, s >= g_x for G, s = 0 if insample is output;
 *   cost |Delta - s| d, and |Delta| d' if insample' is output (its shift is 0).
 *
 * Costs are integers in units of 1/scale. (The checker has its own version of all this.) */
#ifndef COUPLET_AUTOMATA_STEP_H
#define COUPLET_AUTOMATA_STEP_H

#include <flint/fmpz.h>

#include "automata/order.h"

struct weights {
  fmpz_t scale;      /* least common denominator of all d and d' */
  VEC(fmpz) integer; /* per rational of the automaton: value * scale, for those that are a d */
};
void weights_init(struct weights *w, const struct automaton *a);
void weights_clear(struct weights *w);

/* A product edge with what is needed to take it again and again. */
struct step {
  uint32_t from, to; /* nodes */
  struct members live, after;
  struct literals guard;
  const uint32_t *guard_at; /* per literal: position of its variable in `live` */
  const uint32_t *source;   /* per variable live afterwards: position in `live`, or STEP_SAMPLE */
  bool stores;              /* the sample itself is live afterwards */
  bool outputs;             /* insample */
  bool is_input;
  const fmpz *d, *prime; /* prime: NULL unless insample' is output at an input state */
};
#define STEP_SAMPLE UINT32_MAX

struct step_scratch {
  VEC(uint32_t) guard_at, source;
};
/* Valid until the next step_make with the same scratch. */
struct step step_make(const struct product *p, const struct weights *w, uint32_t from,
                      uint32_t edge, struct step_scratch *scratch);
void step_scratch_clear(struct step_scratch *scratch);

/* The shifts of the sample that fit when the live variables are shifted by g; false: none. */
bool step_range(const struct step *step, const int8_t *g, int *low, int *high);
/* The shifts afterwards. */
void step_after(const struct step *step, const int8_t *g, int sample, int8_t *after);
/* out = cost of shifting the sample by s when the inputs differ by delta. */
void step_cost(fmpz_t out, const struct step *step, int delta, int s);
/* The shift in [low, high] that costs least. */
static inline int step_nearest(int low, int high, int delta) {
  return delta < low ? low : delta > high ? high : delta;
}
/* Deltas that the adversary may choose: first, first + 2, ... up to last. */
static inline int step_first_delta(const struct step *step) {
  return step->is_input ? -1 : 0;
}

#endif
