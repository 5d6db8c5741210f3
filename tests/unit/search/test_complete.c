/* Proof blocks with steps missing are completed, and nothing but completed.
 *
 * Of known proofs each step is dropped in turn; what is found must be accepted by the kernel from
 * its text alone and contain every step that was given. Wrong steps stay wrong: no completion of
 * them is a proof, although the search proves the claim without the block.
 * ctest-label: release */
#include <ctype.h>
#include <string.h>

#include "proof/script.h"
#include "search/prove/prove.h"
#include "testlib.h"

struct run {
  struct lang lang;
  const struct ast_module *module;
  const struct ast_decl *claim;
};

/* The file with another proof block for its claim; NULL: its own. */
static void load(struct run *r, const char *path, const char *proof) {
  lang_init(&r->lang);
  const struct ast_module *module = lang_load(&r->lang, path);
  assert_int_equal(r->lang.diags.errors, 0);
  size_t i = 0;
  while (module->decls[i]->kind != DECL_CLAIM)
    i++;
  r->module = module;
  r->claim = module->decls[i];
  if (!proof) return;
  const struct source *source = sources_get(&r->lang.sources, r->claim->span.file);
  struct span block = r->claim->as.claim.proof;
  char *text =
      xasprintf("%.*s%s%s", (int)block.begin, source->text, proof, source->text + block.end);
  lang_clear(&r->lang);
  lang_init(&r->lang);
  r->module = lang_load_text(&r->lang, path, text, strlen(text));
  assert_int_equal(r->lang.diags.errors, 0);
  r->claim = r->module->decls[i];
  free(text);
}

/* Without white space, and without the distances `within k` that may be added to a shift. */
static char *essence(const char *text) {
  char *out = xmalloc(strlen(text) + 1), *to = out;
  for (const char *c = text; *c; c++) {
    if (strncmp(c, "within ", 7) == 0) c += 7 + strcspn(c + 7, "; \n");
    if (!isspace((unsigned char)*c)) *to++ = *c;
  }
  *to = 0;
  return out;
}

static bool contains(const char *text, const char *part) {
  char *whole = essence(text), *wanted = essence(part);
  bool found = strstr(whole, wanted) != NULL;
  free(whole);
  free(wanted);
  return found;
}

/* Every step of the scope but the dropped one is in the text. */
static void assert_steps_kept(struct run *r, const struct script_scope *scope, struct span dropped,
                              const char *text) {
  const char *source = sources_get(&r->lang.sources, scope->span.file)->text;
  for (size_t i = 0; i < scope->item_count; i++) {
    const struct script_item *item = &scope->items[i];
    if (item->span.begin == dropped.begin) continue;
    if (strcmp(item->word, "loop") == 0) {
      assert_steps_kept(r, scope->loops[item->index], dropped, text);
      continue;
    }
    char *step =
        xasprintf("%.*s", (int)(item->span.end - item->span.begin), source + item->span.begin);
    if (!contains(text, step)) print_message("lost: %s in %s\n", step, text);
    assert_true(contains(text, step));
    free(step);
  }
}

static bool is_accepted(const char *path, const char *proof) {
  struct run r;
  load(&r, path, proof);
  struct believe_options options = believe_default_options();
  struct proof_result result;
  believe_claim(&r.lang, r.module, r.claim, &options, &result);
  bool proved = result.verdict == PROOF_BELIEVED;
  proof_result_clear(&result);
  lang_clear(&r.lang);
  return proved;
}

static void complete(struct run *r, struct auto_result *out) {
  struct auto_options options = {.proof = believe_default_options(), .complete = true};
  options.proof.smt.timeout_s = 60; /* wall clock: a loaded machine must not matter */
  auto_prove(&r->lang, r->module, r->claim, &options, out);
  assert_int_equal(r->lang.diags.errors, 0);
}

/* Drops the step and has the rest completed. */
static void restore(const char *path, struct run *whole, const struct script_scope *script,
                    struct span dropped) {
  const char *source = sources_get(&whole->lang.sources, dropped.file)->text;
  struct span block = whole->claim->as.claim.proof;
  char *partial = xasprintf("%.*s%.*s", (int)(dropped.begin - block.begin), source + block.begin,
                            (int)(block.end - dropped.end), source + dropped.end);
  struct run r;
  struct auto_result result;
  load(&r, path, partial);
  complete(&r, &result);
  if (!result.proved)
    print_message("%s without %.*s: not proved\n", path, (int)(dropped.end - dropped.begin),
                  source + dropped.begin);
  assert_true(result.proved);
  assert_true(is_accepted(path, result.proof));
  assert_steps_kept(whole, script, dropped, result.proof);
  auto_result_clear(&result);
  lang_clear(&r.lang);
  free(partial);
}

static size_t restore_all(const char *path, struct run *whole, const struct script_scope *script,
                          const struct script_scope *scope) {
  size_t count = 0;
  for (size_t i = 0; i < scope->item_count; i++) {
    restore(path, whole, script, scope->items[i].span);
    count++;
    if (strcmp(scope->items[i].word, "loop") == 0)
      count += restore_all(path, whole, script, scope->loops[scope->items[i].index]);
  }
  return count;
}

static void drop_each(const char *path, size_t at_least) {
  struct run whole;
  load(&whole, path, NULL);
  struct script_scope *script = script_parse(&whole.lang, whole.claim->as.claim.proof);
  assert_true(restore_all(path, &whole, script, script) >= at_least);
  lang_clear(&whole.lang);
}

static void above_threshold(void **state) {
  (void)state;
  drop_each("examples/proofs/above_threshold.dp", 5);
}

static void svt(void **state) {
  (void)state;
  drop_each("examples/proofs/svt.dp", 6);
}

static void noisy_max(void **state) {
  (void)state;
  drop_each("examples/proofs/noisy_max.dp", 6);
}

static void smart_sum(void **state) {
  (void)state;
  drop_each("examples/proofs/smart_sum.dp", 5);
}

/* ---- wrong steps ----------------------------------------------------------------------------- */

static void wrong_steps_bind(void **state) {
  (void)state;
  static const struct {
    const char *path, *proof;
  } table[] = {
      /* too far, or the wrong way */
      {"examples/proofs/above_threshold.dp", "{ sample t: shift 2; }"},
      {"examples/proofs/above_threshold.dp", "{ sample t: shift -1; }"},
      /* the noise moves by up to 2 */
      {"examples/proofs/above_threshold.dp",
       "{ loop { sample s: when s >= t shift 1 within 1 else null; } }"},
      /* half of what a hit costs; more than there is */
      {"examples/proofs/above_threshold.dp", "{ loop { budget if returned then 0 else eps/4; } }"},
      {"examples/proofs/above_threshold.dp", "{ loop { budget if returned then 0 else eps; } }"},
      /* not an invariant, though enough if it were one */
      {"examples/proofs/above_threshold.dp",
       "{ sample t: shift 1; loop { invariant t<2> = t<1> + 2; } }"},
      {"examples/proofs/smart_sum.dp", "{ loop { sample s: null; } }"},
      {"examples/proofs/noisy_max.dp", "{ loop { sample s: shift 1; } }"},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    struct run r;
    struct auto_result result;
    load(&r, table[i].path, table[i].proof);
    complete(&r, &result);
    if (result.proved) print_message("%s\n", result.proof);
    assert_false(result.proved);
    assert_non_null(result.check);
    assert_non_null(result.check->reason);
    auto_result_clear(&result);
    lang_clear(&r.lang);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(above_threshold),  cmocka_unit_test(svt),
      cmocka_unit_test(noisy_max),        cmocka_unit_test(smart_sum),
      cmocka_unit_test(wrong_steps_bind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
