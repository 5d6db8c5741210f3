/* What the judges of the kinds of certificates share: where they are, and why a certificate is not
 * valid. */
#ifndef COUPLET_CHECK_CERTIFICATE_CHECKER_H
#define COUPLET_CHECK_CERTIFICATE_CHECKER_H

#include <jansson.h>

#include "base/budget.h"
#include "check/certificate/format.h"
#include "check/certificate/reader.h"
#include "check/certificate/source.h"

/* Certificates are valid, or: */
#define MALFORMED CERT_MALFORMED        /* not in the format */
#define NOT_BOUND "certificate-claim"   /* about another claim */
#define REJECTED "certificate-rejected" /* the evidence is no evidence */
#define INTERNAL "internal-error"       /* the checker is at odds with itself */

struct checker {
  struct cert_source *source;
  const struct cert_judges *judges;
  const struct budget *budget;
  struct reader r;
  struct buffer *said; /* one clause about a valid certificate */
  bool assumes;        /* something was proved from assumptions of the source */
};

/* Judges the evidence of a certificate that is about this statement and has the fields of its kind.
 * False: it shows nothing, and the reader says why. */
typedef bool cert_judge(struct checker *c, const struct cert_statement *s, const json_t *json);

/* Who judges which kind. couplet-check judges derivations itself and asks couplet-recount about the
 * rest; where there is nobody, a certificate shows nothing. */
struct cert_judges {
  cert_judge *of[CERT_KINDS];
};

#endif
