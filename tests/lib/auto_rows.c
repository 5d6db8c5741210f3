#include "auto_rows.h"

#include <stdio.h>
#include <string.h>

#include "testlib.h"

static void prove(struct auto_run *r, auto_strategy *strategy, const struct ast_module *module,
                  const struct ast_decl *claim) {
  struct auto_entry entry = {"test", strategy};
  struct auto_options options = {.proof = believe_default_options(),
                                 .strategies = strategy ? &entry : NULL,
                                 .strategy_count = 1};
  options.proof.smt.timeout_s = 2; /* of counted work: what holds takes less */
  auto_prove(&r->lang, module, claim, &options, &r->result);
}

void auto_run_text(struct auto_run *r, auto_strategy *strategy, const char *text) {
  lang_init(&r->lang);
  const struct ast_module *module = lang_load_text(&r->lang, "m.dp", text, strlen(text));
  if (r->lang.diags.errors) {
    struct buffer out;
    buffer_init(&out);
    diags_render(&out, &r->lang.sources, &r->lang.diags, (struct diag_style){0});
    print_message("%s\n%s\n", text, buffer_text(&out));
    buffer_clear(&out);
  }
  assert_int_equal(r->lang.diags.errors, 0);
  prove(r, strategy, module, module->decls[module->decl_count - 1]);
}

void auto_run_clear(struct auto_run *r) {
  auto_result_clear(&r->result);
  lang_clear(&r->lang);
}

static void show(const struct auto_run *r) {
  const struct auto_result *a = &r->result;
  print_message("%s cost %s, %zu candidates, %.3f s\n", a->proved ? "proved" : "NOT PROVED",
                a->cost ? a->cost : "-", a->candidates, a->total_seconds);
  if (a->tried) puts(a->tried->proof); /* messages are cut off after 1 kB */
  if (a->obstacle.message) print_message("obstacle: %s\n", a->obstacle.message);
  if (!a->proved && a->check)
    print_message("%s: %s\n%s\n%s\n", a->check->rule ? a->check->rule : "-",
                  a->check->reason ? a->check->reason : "",
                  a->check->conjunct ? a->check->conjunct : "",
                  a->check->model ? a->check->model : "");
}

void auto_check_rows(auto_strategy *strategy, const struct auto_row *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    struct auto_run r;
    auto_run_text(&r, strategy, rows[i].text);
    const char *cost = rows[i].cost;
    bool as_expected =
        r.result.proved == (cost != NULL) && (!cost || strcmp(r.result.cost, cost) == 0);
    if (!as_expected) {
      print_message("%s: expected cost %s\n%s\n", rows[i].name, cost ? cost : "(no proof)",
                    rows[i].text);
      show(&r);
    }
    assert_true(as_expected);
    auto_run_clear(&r);
  }
}

/* Claims of the file that are not proved. */
static size_t each_claim(auto_strategy *strategy, const char *path, bool verbose) {
  struct auto_run r;
  lang_init(&r.lang);
  const struct ast_module *module = lang_load(&r.lang, path);
  size_t failed = r.lang.diags.errors, claims = 0;
  for (size_t d = 0; failed == 0 && d < module->decl_count; d++) {
    if (module->decls[d]->kind != DECL_CLAIM) continue;
    claims++;
    prove(&r, strategy, module, module->decls[d]);
    failed += !r.result.proved;
    if (verbose || !r.result.proved) {
      print_message("%s\n", path);
      show(&r);
    }
    auto_result_clear(&r.result);
  }
  lang_clear(&r.lang);
  return claims ? failed : 1;
}

void auto_check_file(auto_strategy *strategy, const char *path) {
  assert_int_equal(each_claim(strategy, path, false), 0);
}

int auto_show_files(auto_strategy *strategy, int count, char **paths) {
  for (int i = 0; i < count; i++)
    each_claim(strategy, paths[i], true);
  return 0;
}
