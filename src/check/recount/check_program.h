/* The judges of certificates that are judged by computing probabilities: counterexamples to claims
 * about programs, and finite claims. */
#ifndef COUPLET_CHECK_RECOUNT_CHECK_PROGRAM_H
#define COUPLET_CHECK_RECOUNT_CHECK_PROGRAM_H

#include "check/certificate/checker.h"

cert_judge cert_judge_program, cert_judge_finite;

#endif
