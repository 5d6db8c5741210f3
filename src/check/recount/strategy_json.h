/* Coupling strategies (check/automaton/strategy.h) as JSON; docs/certificates.md has the format.
 *
 * Reading takes care of the shape only, so that strategy_check can be asked about the rest. */
#ifndef COUPLET_CHECK_RECOUNT_STRATEGY_JSON_H
#define COUPLET_CHECK_RECOUNT_STRATEGY_JSON_H

#include "check/automaton/strategy.h"
#include "check/certificate/reader.h"

extern const char relation_signs[]; /* by enum relation */
extern const char shift_signs[];    /* of -1, 0, 1 */

/* Fills *s (initialised, empty) with a strategy for `a`. */
bool strategy_from_json(struct reader *r, const json_t *json, const struct automaton *a,
                        struct strategy *s);

#endif
