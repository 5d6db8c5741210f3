/* Mutants of the correct examples, judged as `couplet verify` judges them: no verdict may
 * contradict the exact engine. What is proved survives a search for counterexamples of its own,
 * what is refuted has a certificate that the checker accepts, and a change that cannot hurt is
 * never refuted. With COUPLET_TEST_SCALE there are more of them; set MUTANTS_VERBOSE to see each.
 * ctest-label: release */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/certificate/check.h"
#include "check/recount/judges.h"
#include "mutant.h"
#include "report/judge/verify.h"
#include "report/record/cert_write.h"
#include "search/refute/program_refute.h"
#include "testlib.h"

enum { MUTANTS = 36 };
static const double SEARCH_SECONDS = 0.25, CONFIRM_SECONDS = 0.1;

/* One place where one example can be changed. */
struct site {
  char *path, *source;
  size_t number;
};
typedef VEC(struct site) site_list;

static char *read_text(const char *path) {
  struct sources sources;
  char *why = NULL;
  sources_init(&sources);
  uint32_t file = sources_read(&sources, path, &why);
  assert_int_not_equal(file, 0);
  char *text = xstrdup(sources_get(&sources, file)->text);
  sources_clear(&sources);
  return text;
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void list_sites(site_list *out) {
  VEC(char *) names = {0};
  DIR *dir = opendir("examples/correct");
  assert_non_null(dir);
  for (struct dirent *e; (e = readdir(dir));)
    if (strstr(e->d_name, ".dp") && !strstr(e->d_name, "asv_bt") && !strstr(e->d_name, "counter"))
      vec_push(&names, xasprintf("examples/correct/%s", e->d_name));
  closedir(dir);
  qsort(names.at, names.len, sizeof *names.at, by_name);
  for (size_t i = 0; i < names.len; i++) {
    char *source = read_text(names.at[i]);
    for (size_t k = 0; k < mutant_count(source); k++)
      vec_push(out, (struct site){xstrdup(names.at[i]), xstrdup(source), k});
    free(source);
    free(names.at[i]);
  }
  vec_clear(&names);
}

static void shuffle(site_list *sites, struct rng *rng) {
  for (size_t i = sites->len; i > 1; i--) {
    size_t k = (size_t)rng_below(rng, i);
    struct site swap = sites->at[i - 1];
    sites->at[i - 1] = sites->at[k];
    sites->at[k] = swap;
  }
}

/* ---- confirmation --------------------------------------------------------------------------- */

/* Does the exact engine find a certified loss above the claim on a small instance? */
static bool is_broken(const char *path) {
  struct lang lang;
  lang_init(&lang);
  const struct ast_module *module = lang_load(&lang, path);
  bool broken = false;
  for (size_t i = 0; i < module->decl_count; i++) {
    if (module->decls[i]->kind != DECL_CLAIM) continue;
    struct program_claim claim = {&lang, module, module->decls[i]};
    struct budget budget = budget_of_seconds(CONFIRM_SECONDS);
    struct program_result r;
    program_result_init(&r);
    program_refute(&r, &claim, &budget);
    broken = broken || r.status == PROGRAM_REFUTED || (r.has_lower && r.lower > 1);
    program_result_clear(&r);
  }
  lang_clear(&lang);
  return broken;
}

static bool replays(const char *path, const struct file_record *file) {
  json_t *list = json_array();
  for (size_t i = 0; i < file->claims.len; i++)
    if (file->claims.at[i].certificate) json_array_append(list, file->claims.at[i].certificate);
  bool any = json_array_size(list) > 0;
  char *text = cert_file(file->source_digest, list);
  json_t *json = json_loads(text, 0, NULL);
  struct cert_source source;
  struct buffer out, err;
  buffer_init(&out);
  buffer_init(&err);
  bool ok = cert_source_load(&source, path) && any &&
            cert_check_json(json, "certificate", &source, &all_judges, NULL, &out, &err) ==
                COUPLET_EXIT_PROVED;
  if (!ok) print_message("%s\n", buffer_text(&err));
  buffer_clear(&out);
  buffer_clear(&err);
  cert_source_clear(&source);
  json_decref(json);
  json_decref(list);
  free(text);
  return ok;
}

/* ---- judging -------------------------------------------------------------------------------- */

struct counts {
  size_t judged, by_verdict[4], contradictions;
};

static void judge(const struct site *site, const char *path, struct counts *counts) {
  struct mutant m;
  char *text = mutant_make(site->source, site->number, &m);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
  struct verify_options options = verify_default_options();
  options.search = SEARCH_SECONDS;
  options.certificates = options.side_by_side = true;
  struct file_record *file = verify_file(path, &options, NULL, NULL);
  if (!file->bad_input) { /* else the change made no program */
    const char *wrong = file->internal_error;
    enum verdict v = file->claims.at[0].verdict;
    counts->judged++;
    counts->by_verdict[v]++;
    if (v == VERDICT_PROVED && is_broken(path)) wrong = "proved, but broken";
    if (v == VERDICT_REFUTED && m.stays_private &&
        !strstr(text, "delta")) /* more noise, more delta */
      wrong = "refuted, but cannot be";
    if (v == VERDICT_REFUTED && !replays(path, file)) wrong = "refuted, but does not replay";
    counts->contradictions += wrong != NULL;
    if (wrong || getenv("MUTANTS_VERBOSE"))
      print_message("%-10s %-24s %s%s%s\n", verdict_name(v), m.change, site->path,
                    wrong ? ": " : "", wrong ? wrong : "");
    if (wrong) print_message("%s\n", text);
  }
  file_record_free(file);
  free(text);
}

static void no_contradictions(void **state) {
  (void)state;
  site_list sites = {0};
  struct rng rng = rng_seeded(20250614);
  struct counts counts = {0};
  char path[] = "/tmp/couplet_mutant_XXXXXX.dp";
  int fd = mkstemps(path, 3);
  assert_true(fd >= 0);
  close(fd);
  list_sites(&sites);
  shuffle(&sites, &rng);
  for (size_t i = 0; i < sites.len && counts.judged < test_rounds(MUTANTS); i++)
    judge(&sites.at[i], path, &counts);
  unlink(path);
  print_message("%zu mutants of %zu: %zu proved, %zu refuted, %zu unknown, %zu contradictions\n",
                counts.judged, sites.len, counts.by_verdict[VERDICT_PROVED],
                counts.by_verdict[VERDICT_REFUTED], counts.by_verdict[VERDICT_UNKNOWN],
                counts.contradictions);
  assert_true(counts.judged >= test_rounds(MUTANTS));
  assert_int_equal(counts.contradictions, 0);
  assert_often(counts.by_verdict[VERDICT_REFUTED] >= 8); /* the test must be able to see a loss */
  for (size_t i = 0; i < sites.len; i++) {
    free(sites.at[i].path);
    free(sites.at[i].source);
  }
  vec_clear(&sites);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_contradictions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
