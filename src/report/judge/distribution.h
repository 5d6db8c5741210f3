/* Both output distributions of a program's counterexample, for pictures.
 *
 * The counterexample is read back from the record and handed to the exact engine. Discrete outputs:
 * the likeliest outcomes and those of the event, each with certified probabilities of both runs.
 * Otherwise one real number of the output varies on a grid while the rest stays as in the event;
 * each point has certified densities of both runs:
 *
 *   {"kind": "discrete", "outcomes": [{"output", "probabilities": [ball, ball], "in_event"}],
 *    "others": [upper, upper]}
 *   {"kind": "density", "output": "[x, true]", "low", "high", "points": [{"x", "densities": [ball,
 *    ball]}]}                          low..high: the event's range of x; null: no bound
 *
 * with ball = {"low", "high"}. NULL when the engine cannot do it within the budget. */
#ifndef COUPLET_REPORT_JUDGE_DISTRIBUTION_H
#define COUPLET_REPORT_JUDGE_DISTRIBUTION_H

#include <jansson.h>

#include "search/refute/program_refute.h"

json_t *distribution_json(const struct program_claim *claim, const json_t *counterexample,
                          const struct budget *budget);

#endif
