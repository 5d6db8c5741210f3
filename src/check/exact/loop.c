/* Loops that need not end after a fixed number of rounds.
 *
 * What is still inside after many rounds has little mass, mostly: when a bound on it is below
 * 2^-REST_BITS, or 2^-SLOW_BITS in a loop that goes on for long, it is counted as lost, which widens
 * every result by as much. A round that changes nothing - one path, the same values and measure as
 * before, no new sample - is followed by the same round for ever: such a path has no output. */
#include <stdlib.h>
#include <string.h>

#include "check/exact/engine.h"

enum { REST_BITS = 128, SLOW_BITS = 40, SLOW_ROUNDS = 256, LIMIT_ROUNDS = 2000 };

void loop_watch_clear(struct loop_watch *w) {
  free(w->state);
  w->state = NULL;
}

/* Has the rest so little mass that it does not matter? It is then lost. */
static bool is_negligible(struct engine *e, const path_set *paths, slong bits) {
  arb_t rest, mass, least;
  arb_init(rest);
  arb_init(mass);
  arb_init(least);
  bool ok = true;
  for (size_t i = 0; ok && i < paths->len; i++) {
    ok = !paths->at[i]->points; /* densities are not probabilities */
    measure_at_most(mass, &paths->at[i]->measure, e->precision);
    arb_add(rest, rest, mass, e->precision);
  }
  arb_one(least);
  arb_mul_2exp_si(least, least, -bits);
  ok = ok && arb_lt(rest, least);
  if (ok) arb_add(e->lost, e->lost, rest, e->precision);
  arb_clear(rest);
  arb_clear(mass);
  arb_clear(least);
  return ok;
}

/* All that the next round depends on, if there is one path: its values and its measure. What changes
 * a measure without a new sample is a fact, a bound, the weight, or a sample less. */
static char *state_of(const struct engine *e, const path_set *paths) {
  if (paths->len != 1 || e->adversary || paths->at[0]->adversaries.len) return NULL;
  const struct measure *m = &paths->at[0]->measure;
  size_t bounds = 0;
  for (size_t i = 0; i < m->symbols.len; i++)
    bounds += m->symbols.at[i].bounds.len;
  char *values = path_key(paths->at[0]), *weight = arb_dump_str(m->weight);
  char *state = xasprintf("%u %zu %zu %zu %zu %zu %s %s", e->next, e->replaced, m->symbols.len,
                          m->facts.len, m->constraints.len, bounds, weight, values);
  free(values);
  flint_free(weight);
  return state;
}

bool engine_watch_loop(struct engine *e, struct loop_watch *w, struct span where, path_set *paths) {
  char *state = state_of(e, paths);
  bool repeats = state && w->state && strcmp(state, w->state) == 0;
  free(w->state);
  w->state = state;
  slong bits = w->rounds < SLOW_ROUNDS ? REST_BITS : SLOW_BITS;
  if (repeats || (++w->rounds % 8 == 0 && is_negligible(e, paths, bits))) {
    e->may_not_end = e->may_not_end || paths->len;
    path_set_clear(paths);
  }
  if (w->rounds < LIMIT_ROUNDS || !paths->len) return true;
  return engine_fail(e, EXACT_UNSUPPORTED, where,
                     "this loop has not ended after 2000 rounds of exact evaluation");
}
