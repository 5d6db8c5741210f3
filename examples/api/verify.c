/* Verifies the files of the command line through the library and prints a line per claim.
 *
 *     cc verify.c -o verify $(pkg-config --cflags --libs couplet)
 */
#include <couplet.h>
#include <stdio.h>

int main(int argc, char **argv) {
  cp_context *context = cp_context_new();
  int worst = 0;
  cp_set_timeout(context, 20);
  for (int k = 1; k < argc; k++) {
    cp_result *result = cp_verify_file(context, argv[k]);
    if (cp_result_status(result) == CP_STATUS_BAD_INPUT) fputs(cp_text(result), stderr);
    for (size_t i = 0; i < cp_claim_count(result); i++) {
      const char *cost = cp_claim_cost(result, i), *reason = cp_claim_reason(result, i);
      printf("%s:%u: %s is %s", argv[k], cp_claim_line(result, i), cp_claim_name(result, i),
             cp_verdict_name(cp_claim_verdict(result, i)));
      if (cost) printf(", cost %s", cost);
      if (reason) printf(": %s", reason);
      putchar('\n');
    }
    if ((int)cp_result_status(result) > worst) worst = cp_result_status(result);
    cp_result_free(result);
  }
  cp_context_free(context);
  return worst;
}
