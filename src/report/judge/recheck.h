/* A refutation, and a verdict of an earlier run, is believed when a process that took no part in
 * the search confirms it.
 *
 * What the engines found travels as a certificate (docs/certificates.md). A child process reads the
 * source again, from its text, and checks the certificate as couplet-check would. A mistake that
 * depends on what the search left in memory is not made there in the same way. */
#ifndef COUPLET_REPORT_JUDGE_RECHECK_H
#define COUPLET_REPORT_JUDGE_RECHECK_H

#include <jansson.h>

#include "base/source.h"

struct recheck {
  const char *path;
  const struct sources *sources; /* the file is the first of them */
  const char *digest;            /* of what was read for it */
  json_t *certificates;          /* a list; each says which claim it is about */
  bool in_process;               /* for callers that must not fork: only the source is read anew */
};

enum recheck_answer {
  RECHECK_CONFIRMED,
  RECHECK_REJECTED, /* an internal error: *why says what the checker objects to */
  RECHECK_STOPPED   /* it did not come to an end: *why */
};

/* *why (xmalloc'd) is set unless the answer is "confirmed". */
enum recheck_answer recheck(const struct recheck *what, char **why);

#endif
