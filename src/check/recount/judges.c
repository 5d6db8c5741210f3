#include "check/recount/judges.h"

#include "check/certificate/check_proof.h"
#include "check/recount/check_automaton.h"
#include "check/recount/check_program.h"

#define RECOUNTED                                                                                  \
  [CERT_STRATEGY] = cert_judge_strategy, [CERT_AUTOMATON] = cert_judge_automaton,                  \
  [CERT_WALK] = cert_judge_walk, [CERT_UNBOUNDED] = cert_judge_unbounded,                          \
  [CERT_PROGRAM] = cert_judge_program, [CERT_FINITE] = cert_judge_finite

const struct cert_judges recount_judges = {.of = {RECOUNTED}};

const struct cert_judges all_judges = {
    .of = {RECOUNTED, [CERT_PROOF] = cert_judge_proof, [CERT_LEMMA] = cert_judge_lemma,
           [CERT_FALSE_LEMMA] = cert_judge_false_lemma}};
