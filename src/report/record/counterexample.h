/* Counterexamples as data for the record: everything needed to replay one, and a small table that a
 * person can follow (field "text"). */
#ifndef COUPLET_REPORT_RECORD_COUNTEREXAMPLE_H
#define COUPLET_REPORT_RECORD_COUNTEREXAMPLE_H

#include <jansson.h>

#include "search/refute/automaton_refute.h"
#include "search/refute/program_refute.h"

/* `worst` (may be NULL): a second one that loses more, shown in one line. */
json_t *program_counterexample_json(const struct program_claim *claim,
                                    const struct program_counterexample *ce,
                                    const struct program_counterexample *worst);
/* The certified loss by length of the inputs: {"parameter", "points", "text"}; NULL if there are
 * fewer than two points. */
json_t *program_trend_json(const struct program_result *r);
/* One that was not certified: without probabilities, and marked as a candidate. */
json_t *program_candidate_json(const struct program_claim *claim,
                               const struct program_counterexample *ce);
/* A certified one. */
json_t *automaton_counterexample_json(const struct automaton_counterexample *ce);
/* Pairs of inputs, and outputs as the given function prints them. */
typedef void output_printer(struct buffer *out, const struct automaton *a,
                            const struct automaton_step *step);
void automaton_steps_json(const struct automaton_counterexample *ce, output_printer *print,
                          json_t **inputs, json_t **outputs);

#endif
