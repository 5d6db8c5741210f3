/* The automaton that a certificate is about, built from the source. */
#ifndef COUPLET_CHECK_RECOUNT_SUBJECT_H
#define COUPLET_CHECK_RECOUNT_SUBJECT_H

#include "base/sha256.h"
#include "check/automaton/classify.h"
#include "check/automaton/model.h"
#include "check/certificate/checker.h"

struct subject {
  struct automaton model;
  struct class_report report;
};

/* SHA-256 over the model: noise, states, edges, guards, assignments, outputs, all names. */
void automaton_digest(const struct automaton *a, char out[SHA256_HEX + 1]);

/* False: it means nothing, or it is not the one that the certificate names (the reader says so). To
 * be cleared in any case. */
bool subject_load(struct subject *subject, struct checker *c, const struct cert_statement *s,
                  const json_t *json);
void subject_clear(struct subject *subject);

#endif
