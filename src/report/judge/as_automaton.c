#include "report/judge/as_automaton.h"

#include <stdlib.h>

#include "automata/convert/from_program.h"
#include "automata/decide/automata.h"
#include "check/automaton/classify.h"
#include "lang/check/constant.h"
#include "num/rational.h"

/* Automata have inputs that differ by at most 1, each for itself. */
static bool has_automaton_adjacency(const struct ast_decl *claim) {
  const struct ast_expr *f =
      claim->as.claim.under ? claim->as.claim.under : claim->as.claim.target->as.mechanism.adjacent;
  if (!f || f->kind != EXPR_CALL || f->as.call.callee_kind != CALLEE_BUILTIN ||
      f->as.call.builtin != BUILTIN_ALL_WITHIN)
    return false;
  fmpq_t within;
  fmpq_init(within);
  bool one = constant_eval(within, f->as.call.args[1]) && fmpq_is_one(within);
  fmpq_clear(within);
  return one;
}

static json_t *analysed(const struct automaton *a) {
  struct class_report report;
  if (!automaton_classify(&report, a, NULL)) return NULL;
  struct automaton_result r;
  automaton_analyse(&r, a);
  char *cost = r.verdict == AUTOMATON_PRIVATE ? rational_string(r.upper) : NULL;
  json_t *json = json_pack(
      "{s:I, s:b, s:s?, s:o}", "states", (json_int_t)a->states.len, "in_class", report.in_class,
      "cost", cost, "private",
      r.verdict == AUTOMATON_UNKNOWN ? json_null() : json_boolean(r.verdict == AUTOMATON_PRIVATE));
  free(cost);
  automaton_result_clear(&r);
  return json;
}

json_t *as_automaton_json(const struct program_claim *claim) {
  if (claim->claim->as.claim.formula || !has_automaton_adjacency(claim->claim) ||
      claim->claim->as.claim.delta || claim->claim->as.claim.notion != NOTION_PURE)
    return NULL;
  struct terms terms;
  struct automaton a;
  terms_init(&terms);
  automaton_init(&a);
  json_t *json = NULL;
  const char *why;
  fmpq_t zero;
  fmpq_init(zero);
  struct ast_expr nothing = {.kind = EXPR_NUMBER}; /* the claimed cost does not matter */
  nothing.as.number.value = zero;
  nothing.as.number.text = "0";
  struct claim *opened =
      claim_open_by(claim->lang, claim->module, claim->claim, &nothing, NULL, &terms, NULL, NULL);
  if (opened && automaton_from_program(&a, opened, &why)) json = analysed(&a);
  claim_close(opened);
  fmpq_clear(zero);
  automaton_clear(&a);
  terms_clear(&terms);
  return json;
}
