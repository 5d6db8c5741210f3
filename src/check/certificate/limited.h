/* Checking a certificate within limits: in a process of its own, so that they hold whatever the
 * certificate makes the checker do. */
#ifndef COUPLET_CHECK_CERTIFICATE_LIMITED_H
#define COUPLET_CHECK_CERTIFICATE_LIMITED_H

#include "base/buffer.h"
#include "base/exit_codes.h"
#include "check/certificate/checker.h"

/* What a certificate is worth by default. */
enum { CERT_SECONDS = 600, CERT_MEMORY_MB = 4096 };

struct cert_limits {
  double timeout; /* seconds; not positive: none */
  long memory_mb; /* not positive: none */
};

/* As cert_check (check.h). Past a limit COUPLET_EXIT_UNKNOWN, after a crash COUPLET_EXIT_INTERNAL,
 * with a line in `err`, and nothing in `out`. */
enum couplet_exit cert_check_limited(const char *certificate, const char *source,
                                     const struct cert_judges *judges, struct cert_limits limits,
                                     struct buffer *out, struct buffer *err);

#endif
