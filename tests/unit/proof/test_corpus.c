/* The proofs of examples/proofs are accepted, each claim with the verdict "proved".
 * With file names as arguments: reports on those instead.
 * ctest-label: release */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "smt/believe.h"
#include "testlib.h"

/* Number of claims of the file that are proved; *total gets how many there are. */
static size_t check_file(const char *path, bool verbose, size_t *total) {
  struct lang lang;
  lang_init(&lang);
  struct ast_module *module = lang_load(&lang, path);
  size_t proved = 0;
  *total = 0;
  for (size_t i = 0; lang.diags.errors == 0 && i < module->decl_count; i++) {
    if (module->decls[i]->kind != DECL_CLAIM) continue;
    struct believe_options options = believe_default_options();
    options.smt.timeout_s = 60; /* wall clock: a loaded machine must not matter */
    struct proof_result r;
    believe_claim(&lang, module, module->decls[i], &options, &r);
    ++*total;
    if (r.verdict == PROOF_BELIEVED) proved++;
    if (verbose || r.verdict != PROOF_BELIEVED) {
      struct place at = sources_place(&lang.sources, r.span.file ? r.span.file : 1, r.span.begin);
      printf("%s: %s %s (%zu obligations, %.3f s, solver %.3f s)\n", path,
             module->decls[i]->name.text, r.verdict == PROOF_BELIEVED ? "proved" : "NOT PROVED",
             r.obligation_count, r.total_seconds, r.solver_seconds);
      if (r.reason)
        printf("  %u:%u %s: %s\n  %s\n%s\n", at.line, at.column, r.rule ? r.rule : "-", r.reason,
               r.conjunct ? r.conjunct : "", r.model ? r.model : "");
    }
    proof_result_clear(&r);
  }
  struct buffer out;
  buffer_init(&out);
  if (lang.diags.errors) diags_render(&out, &lang.sources, &lang.diags, (struct diag_style){0});
  fputs(buffer_text(&out), stdout);
  buffer_clear(&out);
  lang_clear(&lang);
  return proved;
}

static void corpus_is_proved(void **state) {
  (void)state;
  DIR *dir = opendir("examples/proofs");
  assert_non_null(dir);
  size_t files = 0;
  for (struct dirent *e; (e = readdir(dir));) {
    size_t n = strlen(e->d_name);
    if (n < 4 || strcmp(e->d_name + n - 3, ".dp") != 0) continue;
    char path[512];
    snprintf(path, sizeof path, "examples/proofs/%s", e->d_name);
    size_t total;
    size_t proved = check_file(path, false, &total);
    if (proved != total || total == 0) print_message("%s: %zu of %zu\n", path, proved, total);
    assert_true(total > 0);
    assert_int_equal(proved, total);
    files++;
  }
  closedir(dir);
  assert_true(files > 0);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    size_t total;
    check_file(argv[i], true, &total);
  }
  if (argc > 1) return 0;
  const struct CMUnitTest tests[] = {cmocka_unit_test(corpus_is_proved)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
