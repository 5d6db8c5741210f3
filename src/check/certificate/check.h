/* Checking certificates. This, the judges, what they call, and the libraries under it are all that
 * has to be trusted; no search takes part (couplet-check and couplet-recount contain none).
 *
 * A file is checked in this order, and the first thing that is wrong is reported:
 *   1. it is a certificate file of this version, and its seal is that of its contents;
 *   2. it is about this source: the hash of all files read is the same;
 *   3. each certificate is about a claim of the source, no claim has two, and the words of the
 *      claim are the same;
 *   4. the evidence convinces the judge of its kind (checker.h). */
#ifndef COUPLET_CHECK_CERTIFICATE_CHECK_H
#define COUPLET_CHECK_CERTIFICATE_CHECK_H

#include <jansson.h>

#include "base/budget.h"
#include "base/buffer.h"
#include "base/exit_codes.h"
#include "check/certificate/checker.h"
#include "check/certificate/source.h"

/* One line per certificate goes to `out`, what is wrong to `err`.
 * COUPLET_EXIT_PROVED: every certificate of the file is valid, and there is one.
 * COUPLET_EXIT_INPUT: a file cannot be read, is malformed, or they do not belong together.
 * COUPLET_EXIT_UNKNOWN: some evidence was rejected, or could not be judged in the time given. */
enum couplet_exit cert_check(const char *certificate, const char *source,
                             const struct cert_judges *judges, const struct budget *budget,
                             struct buffer *out, struct buffer *err);
/* The same for what is read already: `file` is the JSON, `path` its name in messages. */
enum couplet_exit cert_check_json(const json_t *file, const char *path, struct cert_source *source,
                                  const struct cert_judges *judges, const struct budget *budget,
                                  struct buffer *out, struct buffer *err);

#endif
