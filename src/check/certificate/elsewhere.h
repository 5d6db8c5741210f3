/* Evidence that couplet-check does not judge itself: it asks couplet-recount, the program beside it,
 * about one certificate at a time.
 *
 * What couplet-recount gets on its standard input is a certificate file with that one certificate,
 * bound to the source by its hash; so both are about the same source, whatever happens to the files.
 * Only if it ends with status 0 and says exactly that this claim is certified does that count.
 * Everything else, its absence included, is a certificate that shows nothing. */
#ifndef COUPLET_CHECK_CERTIFICATE_ELSEWHERE_H
#define COUPLET_CHECK_CERTIFICATE_ELSEWHERE_H

#include "check/certificate/checker.h"

#define RECOUNT_PROGRAM "couplet-recount"

cert_judge cert_judge_elsewhere;

#endif
