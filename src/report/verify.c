#include "report/verify.h"

#include <stdlib.h>
#include <string.h>

#include "lang/lang.h"

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

static void add_stated_claim(struct file_record *file, struct lang *lang,
                             const struct ast_decl *decl) {
  bool automaton = decl->as.claim.target && decl->as.claim.target->kind == DECL_AUTOMATON;
  struct claim_record *c = add_claim(file, lang, decl->name.text,
                                     automaton ? CLAIM_AUTOMATON : CLAIM_PROGRAM, decl->span);
  c->subject = xstrdup(decl->as.claim.subject.text);
  c->epsilon = source_text(lang, decl->as.claim.epsilon->span);
  if (decl->as.claim.delta) c->delta = source_text(lang, decl->as.claim.delta->span);
  if (!automaton)
    record_set(&c->reason, decl->as.claim.has_proof
                               ? "the proof was not checked: this version has no proof checker"
                               : "this version has no prover or refuter for programs");
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

struct file_record *verify_file(const char *path, const struct verify_options *options,
                                verify_progress *progress, void *context) {
  (void)options;
  struct file_record *file = file_record_new(path);
  struct lang lang;
  lang_init(&lang);
  struct ast_module *module = lang_load(&lang, path);
  if (!lang.diags.errors) list_claims(file, &lang, module);
  file_record_take_diags(file, &lang.sources, &lang.diags);
  if (progress) progress(context, file);
  lang_clear(&lang);
  return file;
}
