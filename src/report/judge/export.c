#include "report/judge/export.h"

#include <stdlib.h>

#include "automata/convert/program_text.h"
#include "lang/format/format.h"
#include "lang/syntax/lang.h"
#include "smt/refereed.h"

/* The kernel's word on the claim of the module. */
static bool check(struct lang *lang, const struct ast_module *module, char **why) {
  for (size_t i = 0; i < module->decl_count; i++) {
    if (module->decls[i]->kind != DECL_CLAIM) continue;
    struct refereed_options options = {0};
    struct dossier dossier;
    struct proof_result r;
    dossier_init(&dossier);
    refereed_claim(lang, module, module->decls[i], &(struct proof_text){NULL, NULL}, &options,
                   &dossier, &r);
    dossier_clear(&dossier);
    bool proved = r.verdict == PROOF_PROVED && lang->diags.errors == 0;
    if (!proved)
      *why = xasprintf("the kernel does not accept the proof: %s%s%s",
                       r.reason ? r.reason : "no reason given", r.conjunct ? ": " : "",
                       r.conjunct ? r.conjunct : "");
    proof_result_clear(&r);
    return proved;
  }
  *why = xstrdup("there is no claim");
  return false;
}

/* Lays the text out, reads it again, and checks what will be written. */
static bool format_and_check(struct buffer *out, const struct buffer *raw, const char *target,
                             char **why) {
  struct lang first, again;
  lang_init(&first);
  lang_init(&again);
  bool ok = false;
  const struct ast_module *module = lang_load_text(&first, target, buffer_text(raw), raw->len);
  if (first.diags.errors) {
    *why = xstrdup("a name of the automaton cannot be used in a program");
    buffer_add(out, raw->text, raw->len);
  } else {
    format_unit(out, &first.sources, module->units[module->unit_count - 1]);
    module = lang_load_text(&again, target, buffer_text(out), out->len);
    ok = check(&again, module, why);
  }
  lang_clear(&first);
  lang_clear(&again);
  return ok;
}

enum export_status automaton_export(struct buffer *out, fmpq_t cost, const struct automaton *a,
                                    const char *target, char **why) {
  struct refined refined;
  struct oblivious strategy = {0};
  const char *reason = NULL;
  enum export_status status = EXPORT_IMPOSSIBLE;
  *why = NULL;
  if (automaton_refine(&refined, a, &reason) && oblivious_build(&strategy, &refined.a, &reason)) {
    struct buffer raw;
    buffer_init(&raw);
    automaton_program_text(&raw, a, &refined, &strategy);
    fmpq_set(cost, &strategy.points.at[0].value);
    status = format_and_check(out, &raw, target, why) ? EXPORT_PROVED : EXPORT_UNPROVED;
    buffer_clear(&raw);
  } else {
    *why = xstrdup(reason);
  }
  oblivious_clear(&strategy);
  refined_clear(&refined);
  return status;
}
