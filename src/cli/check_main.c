/* couplet-check CERT SOURCE: the checker of certificates as a program of its own. It judges
 * derivations, with kernel and referee, and is linked from what this takes only (CMakeLists.txt,
 * COUPLET_PROOF_FOLDERS); other evidence it hands to couplet-recount. */
#include "check/certificate/check_proof.h"
#include "check/certificate/command.h"
#include "check/certificate/elsewhere.h"

static const struct cert_judges judges = {.of = {
                                              [CERT_STRATEGY] = cert_judge_elsewhere,
                                              [CERT_AUTOMATON] = cert_judge_elsewhere,
                                              [CERT_WALK] = cert_judge_elsewhere,
                                              [CERT_UNBOUNDED] = cert_judge_elsewhere,
                                              [CERT_PROGRAM] = cert_judge_elsewhere,
                                              [CERT_PROOF] = cert_judge_proof,
                                              [CERT_FINITE] = cert_judge_elsewhere,
                                              [CERT_LEMMA] = cert_judge_lemma,
                                              [CERT_FALSE_LEMMA] = cert_judge_false_lemma,
                                          }};

int main(int argc, char **argv) {
  static const struct cert_command command = {
      "couplet-check",
      "Re-checks every certificate in CERT (written by couplet verify --certificate)\n"
      "against the claims of SOURCE. Derivations are checked here; counterexamples,\n"
      "finite claims and automata by couplet-recount, which lies beside this program.\n"
      "Neither contains search code.\n",
      &judges};
  return cert_command_run(&command, argc, argv);
}
