/* What is certain about the true cost of what a claim is about, in the words of every rendering.
 *
 * The record has it in units of the claim (programs) or of eps (automata); people are shown a cost
 * like the one that was claimed, `0.999*eps`. Beside a proof it says how much better a proof could
 * be, beside a refutation how much is lost. */
#ifndef COUPLET_REPORT_RENDER_BOUND_H
#define COUPLET_REPORT_RENDER_BOUND_H

#include "base/buffer.h"
#include "report/record/record.h"

/* Any of these, and claim_record_what. */
typedef void claim_writer(struct buffer *out, const struct claim_record *claim);

/* Of a claim of accuracy: the formula and, behind `between`, the probability of failure, both with
 * what was found in the place of `?`. */
void claim_formula_put(struct buffer *out, const struct claim_record *claim, const char *between);
/* "eps", "5/4*eps": the cost with its unit. Nothing if there is none. */
void claim_cost_put(struct buffer *out, const struct claim_record *claim);
/* "0.999*eps", "unbounded": the true cost is at least this. Nothing if nothing is known. */
void claim_bound_put(struct buffer *out, const struct claim_record *claim);
/* "tight: no proof can be below 0.999*eps", "loses at least 1.998 times the claim", "loses without
 * bound". Nothing if nothing is known. */
void claim_bound_words(struct buffer *out, const struct claim_record *claim);
/* ", cost eps, tight: no proof can be below 0.999*eps": what follows a verdict. */
void claim_costs_words(struct buffer *out, const struct claim_record *claim);

#endif
