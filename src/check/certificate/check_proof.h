/* The judges of program-proof, lemma-proof and lemma-counterexample certificates: the kernel, which
 * replays a derivation call by call, and the referee. */
#ifndef COUPLET_CHECK_CERTIFICATE_CHECK_PROOF_H
#define COUPLET_CHECK_CERTIFICATE_CHECK_PROOF_H

#include "check/certificate/checker.h"

cert_judge cert_judge_proof, cert_judge_lemma, cert_judge_false_lemma;

#endif
