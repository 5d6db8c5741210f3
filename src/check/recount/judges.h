/* Who judges what: the program couplet-recount, and Couplet itself. */
#ifndef COUPLET_CHECK_RECOUNT_JUDGES_H
#define COUPLET_CHECK_RECOUNT_JUDGES_H

#include "check/certificate/checker.h"

/* Everything but derivations. */
extern const struct cert_judges recount_judges;
/* Everything. */
extern const struct cert_judges all_judges;

#endif
