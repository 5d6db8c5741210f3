#include "report/judge/emit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "lang/format/format.h"
#include "out/file_write.h"
#include "out/fill.h"
#include "report/judge/verify.h"
#include "smt/believe.h"

char *emit_target(const char *where, const char *path) {
  size_t n = strlen(where);
  if (n > 3 && strcmp(where + n - 3, ".dp") == 0) return xstrdup(where);
  const char *slash = strrchr(path, '/');
  return xasprintf("%s%s%s", where, n && where[n - 1] == '/' ? "" : "/", slash ? slash + 1 : path);
}

/* The proof that the search found for this claim, or NULL. */
static const char *found_proof(const struct claim_record *c) {
  if (c->verdict != VERDICT_PROVED) return NULL;
  return json_string_value(json_object_get(c->detail, "proof"));
}

/* Ends the claim with its proof instead of the `;`, or of the block that was completed. */
static uint32_t put_claim(struct buffer *out, const struct source *source, uint32_t from,
                          const struct ast_decl *decl, const struct claim_record *c) {
  const struct ast_expr *epsilon = decl->as.claim.epsilon, *asked = decl->as.claim.asked;
  if (asked) {
    struct span where = asked == epsilon ? asked->span : decl->as.claim.formula->span;
    buffer_add(out, source->text + from, where.begin - from);
    if (asked == epsilon) buffer_puts(out, c->cost);
    if (asked != epsilon)
      fill_holes(out, source->text + where.begin, where.end - where.begin, c->cost);
    from = where.end;
  }
  if (decl->as.claim.has_proof) {
    struct span block = decl->as.claim.proof;
    buffer_add(out, source->text + from, block.begin - from);
    buffer_puts(out, found_proof(c));
    return block.end;
  }
  uint32_t end = decl->span.end;
  while (end > from && source->text[end - 1] != ';')
    end--;
  buffer_add(out, source->text + from, end - 1 - from);
  buffer_printf(out, " proof %s", found_proof(c));
  return end;
}

/* The source with all proofs that were found; false if there are none. */
static bool insert_proofs(struct buffer *out, const struct file_record *file,
                          const struct source *source, const struct ast_unit *unit) {
  uint32_t from = source->start;
  bool any = false;
  for (size_t i = 0, next = 0; i < unit->count; i++) {
    if (!verify_is_claim(unit->decls[i])) continue;
    const struct claim_record *c = &file->claims.at[next++];
    if (!found_proof(c)) continue;
    from = put_claim(out, source, from, unit->decls[i], c);
    any = true;
  }
  buffer_add(out, source->text + from, source->length - from);
  return any;
}

/* ---- checking ------------------------------------------------------------------------------- */

static void demote(struct claim_record *c, const char *why) {
  char *reason = xasprintf("a proof was found, but its text was not accepted: %s", why);
  c->verdict = VERDICT_UNKNOWN;
  record_set(&c->cost, NULL);
  record_set(&c->reason, reason);
  json_object_del(c->detail, "proof");
  free(reason);
}

/* Is every proof that was put in still believed? Their texts were judged with evidence before; this
 * finds what the new place or layout has changed. */
static bool recheck(struct file_record *file, struct lang *lang, const struct ast_module *module) {
  const struct ast_unit *unit = module->units[module->unit_count - 1];
  bool ok = true;
  for (size_t i = 0, next = 0; i < unit->count; i++) {
    if (!verify_is_claim(unit->decls[i])) continue;
    struct claim_record *c = &file->claims.at[next++];
    if (!found_proof(c)) continue;
    struct believe_options options = believe_default_options();
    struct proof_result r;
    believe_claim(lang, module, unit->decls[i], &options, &r);
    if (r.verdict != PROOF_BELIEVED) {
      demote(c, r.reason ? r.reason : "no reason given");
      ok = false;
    }
    proof_result_clear(&r);
  }
  return ok;
}

static void demote_all(struct file_record *file, const char *why) {
  for (size_t i = 0; i < file->claims.len; i++)
    if (found_proof(&file->claims.at[i])) demote(&file->claims.at[i], why);
}

/* The text in the formatter's layout; false if it cannot be read. */
static bool formatted(struct buffer *out, const struct buffer *text, const char *target) {
  struct lang lang;
  lang_init(&lang);
  const struct ast_module *module = lang_load_text(&lang, target, buffer_text(text), text->len);
  bool ok = lang.diags.errors == 0;
  if (ok) format_unit(out, &lang.sources, module->units[module->unit_count - 1]);
  lang_clear(&lang);
  return ok;
}

void emit_proofs(struct file_record *file, struct lang *lang, const struct ast_unit *unit,
                 const char *target) {
  struct buffer raw, text;
  buffer_init(&raw);
  buffer_init(&text);
  if (insert_proofs(&raw, file, sources_get(&lang->sources, unit->file), unit)) {
    struct lang again;
    lang_init(&again);
    if (!formatted(&text, &raw, target)) {
      demote_all(file, "the source cannot be read with it (are there includes that are not found "
                       "from the place it goes to?)");
    } else {
      const struct ast_module *module =
          lang_load_text(&again, target, buffer_text(&text), text.len);
      if (again.diags.errors)
        demote_all(file, "the formatted source cannot be read");
      else if (recheck(file, &again, module))
        record_set(&file->emitted, buffer_text(&text));
    }
    lang_clear(&again);
  }
  buffer_clear(&raw);
  buffer_clear(&text);
}

bool emit_write(struct file_record *file, const char *where, char **why) {
  if (!file->emitted) {
    fprintf(stderr, "couplet verify: no proof was found for '%s': nothing is written\n",
            file->path);
    return true;
  }
  char *target = emit_target(where, file->path);
  bool ok = true;
  if (strcmp(target, where) != 0 && mkdir(where, 0777) != 0 && errno != EEXIST) {
    *why = xasprintf("%s: %s", where, strerror(errno));
    ok = false;
  }
  char *reason = NULL;
  if (ok && !file_write(target, file->emitted, strlen(file->emitted), &reason)) {
    *why = xasprintf("%s: %s", target, reason);
    ok = false;
  }
  free(reason);
  free(target);
  record_set(&file->emitted, NULL);
  return ok;
}
