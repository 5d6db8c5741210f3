/* The checkers of certificates about automata: strategies (private at a cost), counterexamples to a
 * claim, and walks along which the loss grows without bound. False: the certificate proves nothing,
 * and the reader says why. */
#ifndef COUPLET_CHECK_CERTIFICATE_CHECK_AUTOMATON_H
#define COUPLET_CHECK_CERTIFICATE_CHECK_AUTOMATON_H

#include "check/certificate/checker.h"

bool cert_check_strategy(struct checker *c, const struct cert_statement *s, const json_t *json);
bool cert_check_automaton(struct checker *c, const struct cert_statement *s, const json_t *json);
bool cert_check_walk(struct checker *c, const struct cert_statement *s, const json_t *json);
bool cert_check_unbounded(struct checker *c, const struct cert_statement *s, const json_t *json);

#endif
