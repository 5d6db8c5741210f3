/* What a proof says for itself, as data for the record (claim_record.detail):
 *
 *   obligations, obligations_proved, solver_s       counts and time
 *   explanation: [{direction, total, values, payments: [..], steps: [node..]}]   if asked for
 *   obligation_list, if asked for: [{rule, what, formula, location, proved, time_s, method,
 * believed, steps, cross_checked}]
 *
 * A node has rule, words, command, location, budget {before, after}, left, cost, coupling
 * [{when, relation, cost}] and steps; docs/json.md says what they mean. Text is made from the same
 * data, so that it crosses a process boundary once. */
#ifndef COUPLET_REPORT_RECORD_PROOF_RECORD_H
#define COUPLET_REPORT_RECORD_PROOF_RECORD_H

#include <jansson.h>

#include "base/buffer.h"
#include "base/source.h"
#include "proof/proof.h"

json_t *proof_detail_json(struct sources *sources, const struct proof_result *r,
                          bool lists_obligations);
/* How an entry of obligation_list was accepted: "referee, 12 steps"; malloc'd. */
char *obligation_how(const json_t *obligation);
/* The explanation in a claim's detail as an indented tree; nothing if there is none. */
void proof_explanation_text(struct buffer *out, const json_t *detail);

#endif
