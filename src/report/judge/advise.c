#include "report/judge/advise.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lang/syntax/walk.h"
#include "report/judge/spread.h"
#include "report/judge/suspect.h"
#include "search/base/parameter.h"

/* ---- words ----------------------------------------------------------------------------------- */

static enum source_language language_of(const struct lang *lang, struct span span) {
  return sources_language(&lang->sources, span.file);
}

/* What is assumed of arguments of a Python or C function. False: it is neither. */
static bool put_foreign_assumption(struct buffer *out, const struct lang *lang, struct span span,
                                   const char *formula) {
  switch (language_of(lang, span)) {
  case SOURCE_COUPLET: return false;
  case SOURCE_PYTHON:
    buffer_printf(out, "\ntry: add `requires=\"%s\"` to the claim", formula);
    break;
  case SOURCE_C: buffer_printf(out, "\ntry: add `ASSUME(%s)` to PRECONDITION", formula); break;
  }
  return true;
}

/* Before something that only our own language has. */
static void put_in_translation(struct buffer *out, enum source_language language) {
  if (language != SOURCE_COUPLET) buffer_puts(out, "couplet translate, and in that .dp file ");
}

static unsigned line_of(struct lang *lang, struct span span) {
  return span.file ? sources_place(&lang->sources, span.file, span.begin).line : 0;
}

/* `2*eps`, `eps/2`: as positive as eps. */
static void put_without_factor(struct buffer *out, const char *amount) {
  size_t digits = strspn(amount, "0123456789");
  const char *from = digits && amount[digits] == '*' ? amount + digits + 1 : amount;
  size_t name = 0;
  while (isalnum((unsigned char)from[name]) || from[name] == '_')
    name++;
  const char *rest = from + name;
  bool divided = *rest == '/' && rest[1] && rest[1 + strspn(rest + 1, "0123456789")] == 0;
  buffer_add(out, from, divided ? name : strlen(from));
}

static void put_assumption(struct buffer *out, struct lang *lang, const struct ast_decl *param,
                           const char *formula) {
  struct buffer shown;
  buffer_init(&shown);
  bool strict = strncmp(formula, "0 < ", 4) == 0;
  if (strict || strncmp(formula, "0 <= ", 5) == 0) { /* as people write it */
    put_without_factor(&shown, formula + (strict ? 4 : 5));
    buffer_puts(&shown, strict ? " > 0" : " >= 0");
  } else {
    buffer_puts(&shown, formula);
  }
  if (!put_foreign_assumption(out, lang, param->span, buffer_text(&shown)))
    buffer_printf(out, "\ntry: add `%s` to param %s (line %u)", buffer_text(&shown),
                  param->name.text, line_of(lang, param->span));
  buffer_clear(&shown);
}

struct mention {
  const char *name;
  bool found;
};

static void look_for(const struct ast_expr *e, void *context) {
  struct mention *m = context;
  if (e->kind == EXPR_NAME && strcmp(e->as.name.text, m->name) == 0) m->found = true;
  walk_parts(e, look_for, m);
}

/* A real parameter of the claimed cost of which nothing is assumed. */
static const struct ast_decl *free_parameter(const struct ast_module *module,
                                             const struct ast_decl *claim) {
  const struct ast_expr *costs[] = {claim->as.claim.epsilon, claim->as.claim.delta};
  for (size_t i = 0; i < module->decl_count; i++) {
    const struct ast_decl *d = module->decls[i];
    bool assumed = d->kind == DECL_PARAM && d->as.param.count > 0;
    for (size_t k = i + 1; k < module->decl_count && !assumed; k++) /* `param a, b : T, F;` */
      assumed = module->decls[k]->kind == DECL_PARAM && module->decls[k]->as.param.count > 0 &&
                module->decls[k]->span.begin == d->span.begin;
    if (d->kind != DECL_PARAM || assumed) continue;
    struct mention m = {d->name.text, false};
    for (size_t k = 0; k < 2; k++)
      if (costs[k]) look_for(costs[k], &m);
    if (m.found) return d;
  }
  return NULL;
}

/* ---- programs -------------------------------------------------------------------------------- */

static const char *text_at(const json_t *object, const char *key) {
  return json_string_value(json_object_get(object, key));
}

/* Noise whose scale may be 0 or negative: what to assume, and where. */
static bool put_missing_spread(struct buffer *out, struct lang *lang,
                               const struct ast_module *module, const struct ast_decl *mechanism) {
  struct buffer condition;
  struct spread spread;
  buffer_init(&condition);
  bool missing = spread_missing(&condition, &spread, lang, module, mechanism);
  if (missing && spread.is_never)
    buffer_printf(out, "\ntry: another scale at line %u: `%s` is never above 0",
                  line_of(lang, spread.where), buffer_text(&condition));
  else if (missing && spread.needs_input &&
           !put_foreign_assumption(out, lang, mechanism->span, buffer_text(&condition)))
    buffer_printf(out, "\ntry: add `requires %s` to mechanism %s (line %u)",
                  buffer_text(&condition), mechanism->name.text,
                  line_of(lang, mechanism->name.span));
  else if (missing && !spread.needs_input)
    put_assumption(out, lang, spread.param, buffer_text(&condition));
  buffer_clear(&condition);
  return missing;
}

/* A condition on the parameters of noise that was not proved, or that nobody thought of, as an
 * assumption. (Another unproved condition may be plainly false.) */
static bool put_missing(struct buffer *out, const struct claim_record *c, struct lang *lang,
                        const struct ast_module *module, const struct ast_decl *claim) {
  if (put_missing_spread(out, lang, module, claim->as.claim.target)) return true;
  const json_t *attempt = json_object_get(json_object_get(c->detail, "search"), "attempt");
  const char *open = text_at(attempt, "unproved");
  const struct ast_decl *param = open && (c->causes & CAUSE_NOISE)
                                     ? parameter_named(module, text_at(attempt, "parameter"))
                                     : NULL;
  if (param) {
    put_assumption(out, lang, param, open);
    return true;
  }
  struct span unused;
  param = free_parameter(module, claim);
  if (!param)
    param = suspect_divisor(module, claim->as.claim.target->as.mechanism.routine, &unused);
  if (!param) return false;
  char *positive = xasprintf("0 < %s", param->name.text);
  put_assumption(out, lang, param, positive);
  free(positive);
  return true;
}

/* What the refuter would need. */
static bool put_instance(struct buffer *out, enum source_language language, unsigned causes,
                         const struct ast_decl *claim) {
  if (!(causes & CAUSE_EXHAUSTED)) return false;
  const struct ast_routine *r = claim->as.claim.target->as.mechanism.routine;
  buffer_puts(out, "\ntry: if the claim may be false, ");
  put_in_translation(out, language);
  buffer_printf(out, "give inputs to start from: `instance i { param ... = ...; input %s = ...; }`",
                r->arg_count ? r->args[0]->name.text : "x");
  return true;
}

/* Nothing is proved of floating-point operations but by counting. */
static bool counts_floats(const struct ast_decl *claim) {
  const struct ast_type *written = claim->as.claim.target->as.mechanism.routine->returns;
  const struct type *result = written ? written->type : NULL;
  return result && type_has_float(result) && !claim->as.claim.at_count;
}

/* The one thing that would help for sure, or NULL. */
static const char *remedy(const struct claim_record *c, const struct ast_decl *claim,
                          enum source_language language) {
  const json_t *attempt = json_object_get(json_object_get(c->detail, "search"), "attempt");
  const char *rule = text_at(attempt, "rule");
  if (c->causes & CAUSE_CONTRADICTION)
    return "take back an assumption on a parameter, a `requires` or an axiom: nothing satisfies "
           "all "
           "of them";
  if (counts_floats(claim))
    return "a finite claim, `... at eps = 1, x in {0, 1}`, for which all outputs are counted if "
           "the "
           "noise is made of words, as by Uniform53() (docs/floating-point.md); or `real` for "
           "`float`, if rounding does not matter";
  if (c->causes & CAUSE_ENDED)
    return language != SOURCE_COUPLET ? "--timeout 300, which gives the search longer"
                                      : "--timeout 300, which gives the search longer; or a proof "
                                        "block with the steps you know";
  if (c->causes & CAUSE_BLOCK)
    return c->causes & CAUSE_NEEDLESS
               ? "leave out the proof block, or the step that fails: the search finds the rest"
               : "correct the step that fails; couplet explain shows the proof up to there";
  if (c->causes & CAUSE_LENGTH)
    return language == SOURCE_PYTHON ? "give the list a length: `types={\"q\": \"real[n]\"}`"
                                     : "give the array a length, a parameter or a public input: "
                                       "`param n : int, n >= 0;` and "
                                       "`real[n]`";
  if (rule && strcmp(rule, "LOSSLESS") == 0)
    return "end the loop after a known number of rounds, `while i < n`: a run that may not end has "
           "no output to protect";
  return NULL;
}

/* Without a cost to aim at, neither counterexamples nor test and release can be tried. */
static void put_values(struct buffer *out, enum source_language language,
                       const struct ast_decl *claim) {
  const struct ast_expr *epsilon = claim->as.claim.epsilon;
  if (claim->as.claim.formula || !epsilon || epsilon->kind != EXPR_HOLE) return;
  bool is_ours = language == SOURCE_COUPLET;
  const char *delta = claim->as.claim.delta ? ""
                      : is_ours             ? ", or with a delta, `epsilon eps delta 1/1000`"
                                            : ", or with a delta, `delta=\"1/1000\"`";
  buffer_printf(out,
                "\ntry: claim a value, e.g. %s%s: some proofs, and all counterexamples, are "
                "found only for a cost that is claimed",
                is_ours ? "`epsilon eps`" : "`epsilon=\"eps\"`", delta);
}

/* All steps of the best attempt hold, but it pays more than is claimed. */
static bool put_cost(struct buffer *out, const struct claim_record *c,
                     const struct ast_decl *claim) {
  const json_t *attempt = json_object_get(json_object_get(c->detail, "search"), "attempt");
  const char *rule = text_at(attempt, "rule");
  if (!rule || strcmp(rule, "CLAIM") != 0 || claim->as.claim.formula || claim->as.claim.law)
    return false;
  buffer_puts(out, "\ntry: a larger cost, or more noise: the steps of the best attempt hold, but "
                   "what they pay is not known to be within the claim");
  return true;
}

/* What to write into a proof block. */
static void put_block(struct buffer *out, enum source_language language,
                      const struct ast_decl *claim) {
  buffer_puts(out, "\ntry: ");
  if (claim->as.claim.formula) buffer_puts(out, "a larger distance or probability; or ");
  put_in_translation(out, language);
  if (claim->as.claim.law)
    buffer_puts(out, "a proof block with the law of each loop (docs/samplers.md)");
  else if (claim->as.claim.formula)
    buffer_puts(out, "a proof block that says how far each noise may be, e.g. `proof { sample x: "
                     "both t; }` (docs/accuracy.md)");
  else
    buffer_puts(out, "a proof block with the step that is missing, e.g. `proof { sample x: "
                     "shift 1; }` (docs/proofs.md); the rest is found");
}

/* False: nothing is known that may help. */
static bool put_suspicion(struct buffer *out, enum source_language language,
                          const struct ast_decl *claim) {
  struct suspect s = suspect_of(claim->as.claim.target->as.mechanism.routine);
  if (!s.advice) return false;
  buffer_puts(out, "\ntry: ");
  if (s.needs_block) put_in_translation(out, language);
  buffer_puts(out, s.advice);
  return true;
}

static void advise_program(struct buffer *out, const struct claim_record *c, struct lang *lang,
                           const struct ast_module *module, const struct ast_decl *claim) {
  enum source_language language = language_of(lang, claim->span);
  const json_t *obstacle = json_object_get(json_object_get(c->detail, "search"), "obstacle");
  const char *advice = remedy(c, claim, language);
  if (!advice && put_missing(out, c, lang, module, claim)) return;
  bool is_sure = advice != NULL;
  if (!advice) advice = text_at(obstacle, "advice");
  if (advice) buffer_printf(out, "\ntry: %s", advice);
  bool is_advised = advice || put_cost(out, c, claim) || put_suspicion(out, language, claim);
  if (is_sure) return;
  put_values(out, language, claim);
  if (put_instance(out, language, c->causes, claim)) return;
  if (c->causes & CAUSE_TIME)
    buffer_puts(out, "\ntry: --search 60, which lets both searches do more");
  else if (!is_advised && claim->as.claim.has_proof && !claim->as.claim.law &&
           !claim->as.claim.formula)
    buffer_puts(out, "\ntry: couplet explain, which shows the proof up to the step that fails");
  else if (!is_advised)
    put_block(out, language, claim);
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Behind a line number: the code at the span if it is short, and what is said of it. */
static void put_at(struct buffer *out, struct lang *lang, struct span span, const char *what) {
  enum { SHORT = 60 };
  struct shown_span shown = sources_shown(&lang->sources, span);
  size_t length = shown.end - shown.begin;
  buffer_printf(out, "\nline %u: ", line_of(lang, span));
  const char *code = shown.source ? shown.source->text + shown.begin : "";
  if (length && length <= SHORT && !memchr(code, '\n', length))
    buffer_printf(out, "`%.*s`: ", (int)length, code);
  buffer_puts(out, what);
}

/* The first place to look at where no engine has named one. */
static void put_program_place(struct buffer *out, struct lang *lang,
                              const struct ast_module *module, const struct ast_decl *mechanism,
                              unsigned causes) {
  const struct ast_routine *routine = mechanism->as.mechanism.routine;
  struct span where;
  struct suspect s = suspect_of(routine);
  if (causes & CAUSE_ENDED)
    put_at(out, lang, mechanism->name.span,
           "the time was over before the search for a proof of this mechanism had ended");
  else if (suspect_divisor(module, routine, &where))
    put_at(out, lang, where, "this quotient has no value where the divisor is 0");
  else if (s.what)
    put_at(out, lang, s.span, s.what);
  else
    put_at(out, lang, mechanism->name.span, "the obstacle is in this mechanism as a whole");
}

/* The first cycle of the walk that no coupling survives. False: there is no such edge here. */
static bool put_cycle(struct buffer *out, const struct claim_record *c, struct lang *lang,
                      const struct ast_decl *decl) {
  const struct ast_decl *a = decl && decl->kind == DECL_CLAIM ? decl->as.claim.target : decl;
  const json_t *steps = json_object_get(json_object_get(c->detail, "walk"), "steps");
  for (size_t i = 0; a && a->kind == DECL_AUTOMATON && i < json_array_size(steps); i++) {
    const json_t *step = json_array_get(steps, i);
    size_t edge = (size_t)json_integer_value(json_object_get(step, "number"));
    if (!json_integer_value(json_object_get(step, "cycle")) || edge >= a->as.automaton.edge_count)
      continue;
    put_at(out, lang, a->as.automaton.edges[edge].span,
           "no coupling by shifts survives the walk through this cycle");
    return true;
  }
  return false;
}

static void put_place(struct buffer *out, const struct claim_record *c, struct lang *lang,
                      const struct ast_module *module, const struct ast_decl *decl) {
  if (c->causes & CAUSE_PLACED) return;
  unsigned line = c->subject_place.line ? c->subject_place.line : c->place.line;
  if (c->kind == CLAIM_PROGRAM && decl && decl->as.claim.target)
    put_program_place(out, lang, module, decl->as.claim.target, c->causes);
  else if (!put_cycle(out, c, lang, decl) && line)
    buffer_printf(out, "\nline %u: the obstacle is in `%s` as a whole", line,
                  c->subject ? c->subject : c->name);
}

void advise(struct claim_record *c, struct lang *lang, const struct ast_module *module,
            const struct ast_decl *decl) {
  if (c->verdict != VERDICT_UNKNOWN || !c->reason || (c->causes & CAUSE_ADVISED)) return;
  c->causes |= CAUSE_ADVISED;
  struct buffer out;
  buffer_init(&out);
  buffer_puts(&out, c->reason);
  put_place(&out, c, lang, module, decl);
  if (c->kind == CLAIM_PROGRAM && decl)
    advise_program(&out, c, lang, module, decl);
  else if (c->kind == CLAIM_LEMMA)
    buffer_puts(
        &out,
        "\ntry: a weaker statement, or one more assumption, under which the values "
        "above are impossible; or a proof block with steps towards it, `proof { have ...; }`");
  else
    buffer_puts(&out, "\ntry: couplet export, which writes the automaton as a program whose proof "
                      "can be worked on; or --search 60");
  record_set(&c->reason, buffer_text(&out));
  buffer_clear(&out);
}
