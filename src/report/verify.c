#include "report/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "lang/lang.h"
#include "num/ball.h"
#include "refute/program_refute.h"
#include "report/counterexample.h"

/* The text of a node as the user wrote it, on one line. */
static char *source_text(struct lang *lang, struct span span) {
  const struct source *s = sources_get(&lang->sources, span.file);
  struct buffer b;
  buffer_init(&b);
  for (uint32_t i = span.begin; s && i < span.end; i++) {
    bool blank = strchr(" \t\r\n", s->text[i]) != NULL;
    if (!blank)
      buffer_putc(&b, s->text[i]);
    else if (b.len && b.text[b.len - 1] != ' ')
      buffer_putc(&b, ' ');
  }
  return buffer_take(&b);
}

static struct claim_record *add_claim(struct file_record *file, struct lang *lang, const char *name,
                                      enum claim_kind kind, struct span span) {
  vec_push(&file->claims, (struct claim_record){.name = xstrdup(name),
                                                .kind = kind,
                                                .place = record_place(&lang->sources, span)});
  struct claim_record *c = &vec_last(&file->claims);
  record_set(&c->reason, "not decided yet");
  return c;
}

static bool is_claim(const struct ast_decl *decl) {
  return decl->kind == DECL_CLAIM || decl->kind == DECL_LEMMA || decl->kind == DECL_AUTOMATON;
}

static void add_stated_claim(struct file_record *file, struct lang *lang,
                             const struct ast_decl *decl) {
  bool automaton = decl->as.claim.target && decl->as.claim.target->kind == DECL_AUTOMATON;
  struct claim_record *c = add_claim(file, lang, decl->name.text,
                                     automaton ? CLAIM_AUTOMATON : CLAIM_PROGRAM, decl->span);
  c->subject = xstrdup(decl->as.claim.subject.text);
  c->epsilon = source_text(lang, decl->as.claim.epsilon->span);
  if (decl->as.claim.delta) c->delta = source_text(lang, decl->as.claim.delta->span);
}

static void set_refuted(struct claim_record *c, const struct program_claim *claim,
                        const struct program_result *r) {
  c->verdict = VERDICT_REFUTED;
  record_set(&c->reason, NULL);
  c->counterexample = program_counterexample_json(claim, &r->best);
}

static void judge_program(struct claim_record *c, struct lang *lang,
                          const struct ast_module *module, const struct ast_decl *decl,
                          const struct verify_options *options, const struct budget *budget) {
  if (decl->as.claim.epsilon->kind == EXPR_HOLE) {
    record_set(&c->reason, "this version cannot find the least cost of a program");
    return;
  }
  int64_t start = budget_now_ns();
  struct program_claim claim = {lang, module, decl};
  struct budget slice = budget_slice(budget, options->search);
  struct program_result r;
  program_result_init(&r);
  program_refute(&r, &claim, &slice);
  char *reason = NULL;
  switch (r.status) {
  case PROGRAM_REFUTED: set_refuted(c, &claim, &r); break;
  case PROGRAM_NOT_FOUND:
  case PROGRAM_TIMEOUT:
    reason = xasprintf("no counterexample among %zu input pairs%s; this version has no prover for "
                       "programs",
                       r.tried, r.status == PROGRAM_TIMEOUT ? " (out of time)" : "");
    break;
  case PROGRAM_CANNOT:
    reason = xasprintf("this version has no prover for programs, and the refuter cannot work on "
                       "this one: %s",
                       r.why ? r.why : "no input pair could be built");
    break;
  }
  if (reason) record_set(&c->reason, reason);
  if (r.has_lower && !c->lower && r.status != PROGRAM_CANNOT) {
    char text[64];
    if (isinf(r.lower))
      snprintf(text, sizeof text, "unbounded");
    else
      snprintf(text, sizeof text, "%.4g times the claim", floor(r.lower * 10000) / 10000);
    record_set(&c->lower, text);
  }
  free(reason);
  program_result_clear(&r);
  c->time_s += (double)(budget_now_ns() - start) * 1e-9;
}

/* Every claim of the file, undecided. Claims of included files are verified with those files. */
static void list_claims(struct file_record *file, struct lang *lang,
                        const struct ast_module *module) {
  const struct ast_unit *unit = module->units[module->unit_count - 1];
  for (size_t i = 0; i < unit->count; i++) {
    const struct ast_decl *decl = unit->decls[i];
    if (decl->kind == DECL_CLAIM) add_stated_claim(file, lang, decl);
    if (decl->kind == DECL_LEMMA) {
      struct claim_record *c = add_claim(file, lang, decl->name.text, CLAIM_LEMMA, decl->span);
      record_set(&c->reason, "this version does not decide lemmas");
    }
    if (decl->kind == DECL_AUTOMATON) {
      struct claim_record *c = add_claim(file, lang, decl->name.text, CLAIM_AUTOMATON, decl->span);
      c->subject = xstrdup(decl->name.text);
      record_set(&c->reason, "this version does not decide automata");
    }
  }
  if (!file->claims.len && !lang->diags.errors) {
    diag_error(&lang->diags, (struct span){unit->file, 0, 0}, "no-claims",
               "the file states no claim: there is nothing to verify");
    diag_hint(&lang->diags, "add a claim, e.g. `claim private NAME epsilon eps;`");
  }
}

static void judge_all(struct file_record *file, struct lang *lang, const struct ast_module *module,
                      const struct verify_options *options, const struct budget *budget,
                      verify_progress *progress, void *context) {
  const struct ast_unit *unit = module->units[module->unit_count - 1];
  size_t next = 0; /* claims are in the order of list_claims */
  for (size_t i = 0; i < unit->count; i++) {
    const struct ast_decl *decl = unit->decls[i];
    if (!is_claim(decl)) continue;
    struct claim_record *c = &file->claims.at[next++];
    if (c->kind == CLAIM_PROGRAM) judge_program(c, lang, module, decl, options, budget);
    if (progress) progress(context, file);
  }
}

struct file_record *verify_file(const char *path, const struct verify_options *options,
                                verify_progress *progress, void *context) {
  struct budget budget = budget_of_seconds(options->timeout);
  struct file_record *file = file_record_new(path);
  struct lang lang;
  lang_init(&lang);
  struct ast_module *module = lang_load(&lang, path);
  if (!lang.diags.errors) list_claims(file, &lang, module);
  file_record_take_diags(file, &lang.sources, &lang.diags);
  if (progress) progress(context, file);
  if (!file->bad_input && !options->no_search)
    judge_all(file, &lang, module, options, &budget, progress, context);
  lang_clear(&lang);
  return file;
}
