#include "proof_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source_text.h"
#include "testlib.h"

/* Checks the only claim of the text; the caller clears the result. */
enum proof_verdict proof_text_check(const char *text, char *rule, size_t size, char *message) {
  struct lang lang;
  lang_init(&lang);
  struct ast_module *module = load_valid_text(&lang, text);
  enum proof_verdict verdict = PROOF_UNKNOWN;
  snprintf(rule, size, "(not checked)");
  message[0] = 0;
  for (size_t i = 0; i < module->decl_count; i++) {
    if (module->decls[i]->kind != DECL_CLAIM) continue;
    struct believe_options options = believe_default_options();
    /* of counted work, also for what is accepted: what is false is not worth more */
    options.smt.timeout_s = 1;
    struct proof_result r;
    believe_claim(&lang, module, module->decls[i], &options, &r);
    verdict = r.verdict;
    snprintf(rule, size, "%s", r.rule ? r.rule : "-");
    snprintf(message, 400, "%s | %s", r.reason ? r.reason : "", r.conjunct ? r.conjunct : "");
    proof_result_clear(&r);
  }
  lang_clear(&lang);
  return verdict;
}

/* The file with this proof in place of the `;` of its claim. */
char *proof_text_with(const char *path, const char *proof) {
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  static char text[20000];
  size_t n = fread(text, 1, sizeof text - 1, f);
  fclose(f);
  text[n] = 0;
  char *claim = strstr(text, "\nclaim ");
  assert_non_null(claim);
  char *end = strchr(claim, ';');
  assert_non_null(end);
  *end = 0;
  return xasprintf("%s proof %s\n", text, proof);
}

/* `by` or `because` empty: several side conditions fail, any of them may be named. */
void refuses(const char *text, const char *by, const char *because) {
  char rule[64], message[400];
  enum proof_verdict verdict = proof_text_check(text, rule, sizeof rule, message);
  if (!because[0] || !by[0]) by = rule;
  if (verdict != PROOF_UNKNOWN || strcmp(rule, by) != 0 || !strstr(message, because))
    print_message("expected refusal by %s (%s), got verdict %d by %s: %s\n%s\n", by, because,
                  (int)verdict, rule, message, text);
  assert_int_equal(verdict, PROOF_UNKNOWN);
  assert_string_equal(rule, by);
  assert_non_null(strstr(message, because));
}

void accepts(const char *text) {
  char rule[64], message[400];
  enum proof_verdict verdict = proof_text_check(text, rule, sizeof rule, message);
  if (verdict != PROOF_BELIEVED) print_message("%s\n%s: %s\n", text, rule, message);
  assert_int_equal(verdict, PROOF_BELIEVED);
}
