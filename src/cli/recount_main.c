/* couplet-recount CERT SOURCE: judges what is shown by computing it again (counterexamples, finite
 * claims, strategies and walks of automata). couplet-check asks it; it has no search either
 * (CMakeLists.txt, COUPLET_RECOUNT_FOLDERS). */
#include "check/certificate/command.h"
#include "check/recount/judges.h"

int main(int argc, char **argv) {
  static const struct cert_command command = {
      "couplet-recount",
      "Re-checks the certificates in CERT that are judged by computation: of\n"
      "counterexamples, finite claims and automata. couplet-check runs it; certificates\n"
      "of proofs are for couplet-check, and rejected here.\n",
      &recount_judges};
  return cert_command_run(&command, argc, argv);
}
