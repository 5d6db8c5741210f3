/* The certificate file: names and numbers that writer and checker share (docs/certificates.md). */
#ifndef COUPLET_CHECK_CERTIFICATE_FORMAT_H
#define COUPLET_CHECK_CERTIFICATE_FORMAT_H

#include <jansson.h>

#include "base/sha256.h"

#define CERT_FORMAT "couplet-certificate"
enum { CERT_VERSION = 3 };

/* A certificate that is not in the format; the code of the message. */
#define CERT_MALFORMED "certificate-field"

/* What the evidence is: the field "kind". */
enum cert_kind {
  CERT_STRATEGY,
  CERT_AUTOMATON,
  CERT_WALK,
  CERT_UNBOUNDED,
  CERT_PROGRAM,
  CERT_PROOF,
  CERT_FINITE,
  CERT_LEMMA,
  CERT_FALSE_LEMMA,
  CERT_KINDS
};
#define CERT_KIND_STRATEGY "automaton-strategy"
#define CERT_KIND_AUTOMATON "automaton-counterexample"
#define CERT_KIND_WALK "automaton-walk"
#define CERT_KIND_UNBOUNDED "automaton-unbounded"
#define CERT_KIND_PROGRAM "program-counterexample"
#define CERT_KIND_PROOF "program-proof"
#define CERT_KIND_FINITE "program-finite"
#define CERT_KIND_LEMMA "lemma-proof"
#define CERT_KIND_FALSE_LEMMA "lemma-counterexample"

/* The costs refuted for an automaton that is not private at any multiple of eps: these, or the
 * first few of them. */
enum { CERT_UNBOUNDED_COSTS = 4 };
extern const unsigned cert_unbounded_costs[CERT_UNBOUNDED_COSTS];

/* SHA-256 over the file's object without its field "seal", as compact JSON with sorted keys. */
void cert_seal(const json_t *file, char out[SHA256_HEX + 1]);

#endif
