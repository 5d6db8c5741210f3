/* The record as SARIF 2.1.0 (OASIS), the format of code scanning services.
 *
 * Results: a claim that is refuted (error), unknown or admitted (warning), and every diagnostic,
 * each with its place. Proved claims are no results; with all other claims they are in the run's
 * property bag "claims", so that nothing of the verdicts is missing. The help of a diagnostic's
 * rule is its line in docs/checks.md. */
#ifndef COUPLET_REPORT_RENDER_SARIF_H
#define COUPLET_REPORT_RENDER_SARIF_H

#include "report/record/record.h"

json_t *run_record_to_sarif(const struct run_record *run);

#endif
