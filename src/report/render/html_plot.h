/* Pictures in the report, made of what the record holds: both output distributions of a
 * counterexample with the limit e^epsilon, and losses against something countable. */
#ifndef COUPLET_REPORT_RENDER_HTML_PLOT_H
#define COUPLET_REPORT_RENDER_HTML_PLOT_H

#include "base/buffer.h"
#include "report/record/record.h"

/* Bars or densities of both runs; for automata the two probabilities on a logarithmic scale.
 * Nothing when the record has no numbers to show. */
void html_distributions(struct buffer *out, const struct claim_record *c);
/* Certified loss against rounds of the cycle or against a parameter; nothing with fewer than two
 * points. */
void html_losses(struct buffer *out, const struct claim_record *c);
/* Accuracy against the budget, with the values of the instance; nothing if the record has no curve. */
void html_tradeoff(struct buffer *out, const struct claim_record *c);
/* The automaton as drawn by Graphviz, made fit for a page that may hold several. */
void html_automaton(struct buffer *out, const struct claim_record *c);

#endif
