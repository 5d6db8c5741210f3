/* The best strategy that does not look ahead: H(n, g) = the most that can still be paid from node n
 * with shifts g, when every shift is chosen knowing only the current edge and Delta.
 *
 * It is an upper bound of the true cost, often equal to it, and always a certificate by itself; it
 * also bounds what a path can still become, which makes the exact search of cost.c fast. H is
 * infinite where branches need different shifts.
 *
 * Only points that can matter are made: shifts that a cycle further on (met before the variable is
 * assigned again) would make infinitely expensive are left out from the start, so that an m-Range
 * has one point per node. Components are solved in topological order; in one that assigns nothing
 * all internal traversals cost 0 and H is the same all over it. */
#ifndef COUPLET_AUTOMATA_COST_ONLINE_H
#define COUPLET_AUTOMATA_COST_ONLINE_H

#include "automata/model/pump.h"
#include "automata/model/step.h"

enum { ONLINE_POINT_LIMIT = 8000000, ONLINE_SWEEPS = 100, ONLINE_SEEDS = 81 };

struct online {
  const struct product *p;
  const struct weights *w;
  bool complete;         /* false: too many points, everything is infinite */
  VEC(uint32_t) first;   /* points of node n: first[n]..first[n+1]-1 */
  VEC(size_t) shifts_at; /* per node: where the shifts of its first point are */
  VEC(int8_t) shifts;
  VEC(fmpz) value; /* -1: infinite */
};

void online_build(struct online *o, const struct product *p, const struct pumps *pumps,
                  const struct weights *w);
void online_clear(struct online *o);

/* The point of node n with shifts g, or AUTOMATON_NONE. */
uint32_t online_find(const struct online *o, uint32_t node, const int8_t *g);
const int8_t *online_shifts(const struct online *o, uint32_t node, uint32_t point);
static inline bool online_is_finite(const struct online *o, uint32_t point) {
  return point != AUTOMATON_NONE && fmpz_sgn(&o->value.at[point]) >= 0;
}
/* The bound for the whole automaton: NULL if infinite. */
const fmpz *online_bound(const struct online *o);
/* best = least cost + H over the shifts of the sample; false: infinite. *to (if not NULL): the
 * point it leads to. */
bool online_respond(const struct online *o, const struct step *step, const int8_t *g, int delta,
                    fmpz_t best, uint32_t *to);

#endif
