#include "check/certificate/source.h"

#include <stdlib.h>
#include <string.h>

/* ---- digests -------------------------------------------------------------------------------- */

void cert_sources_digest(const struct sources *sources, char out[SHA256_HEX + 1]) {
  struct sha256 h;
  sha256_init(&h);
  sha256_add_number(&h, sources->files.len - 1);
  for (size_t i = 1; i < sources->files.len; i++) {
    sha256_add_number(&h, sources->files.at[i]->length);
    sha256_add(&h, sources->files.at[i]->text, sources->files.at[i]->length);
  }
  sha256_hex(&h, out);
}

/* ---- names ---------------------------------------------------------------------------------- */

/* The end of the comment that begins there; `at` itself if none does. */
static uint32_t skip_comment(const struct source *s, uint32_t at, uint32_t end) {
  if (end - at < 2 || s->text[at] != '/' || (s->text[at + 1] != '/' && s->text[at + 1] != '*'))
    return at;
  bool is_block = s->text[at + 1] == '*';
  for (uint32_t i = at + 2; i < end; i++) {
    if (!is_block && s->text[i] == '\n') return i;
    if (is_block && i > at + 2 && s->text[i - 1] == '*' && s->text[i] == '/') return i + 1;
  }
  return end;
}

char *cert_source_text(const struct sources *sources, struct span span) {
  const struct source *s = sources_get(sources, span.file);
  struct buffer b;
  buffer_init(&b);
  bool blank = false;
  for (uint32_t i = span.begin; s && i < span.end;) {
    uint32_t behind = skip_comment(s, i, span.end);
    bool skipped = behind > i || strchr(" \t\r\n", s->text[i]) != NULL;
    if (blank && !skipped && b.len) buffer_putc(&b, ' ');
    blank = skipped;
    if (!skipped) buffer_putc(&b, s->text[i]);
    i = behind > i ? behind : i + 1;
  }
  return buffer_take(&b);
}

char *cert_notion_text(const struct sources *sources, const struct ast_decl *claim) {
  enum notion notion = claim->as.claim.notion;
  if (claim->as.claim.law) return xstrdup("samples");
  if (claim->as.claim.formula) return xstrdup("accuracy");
  if (notion == NOTION_PURE) return NULL;
  if (claim->as.claim.all_order)
    return xasprintf("%s for all %s", notion_word(notion), claim->as.claim.all_order->name.text);
  if (!claim->as.claim.order) return xstrdup(notion_word(notion));
  char *order = cert_source_text(sources, claim->as.claim.order->span);
  char *text = xasprintf("%s %s", notion_word(notion), order);
  free(order);
  return text;
}

char *cert_dipa_name(const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  char *copy = xstrdup(name);
  if (dot) copy[dot - name] = '\0';
  for (char *c = copy; *c; c++) /* a name is one word: what follows it in a line is ours */
    if (*c == ' ') *c = '_';
  return copy;
}

bool cert_is_dipa(const char *path) {
  size_t length = strlen(path);
  return length > 5 && strcmp(path + length - 5, ".dipa") == 0;
}

/* ---- the source ----------------------------------------------------------------------------- */

static void add_statement(struct cert_source *source, const struct ast_decl *decl) {
  struct cert_statement s = {.name = xstrdup(decl->name.text)};
  if (decl->kind == DECL_AUTOMATON) {
    s.subject = xstrdup(decl->name.text);
    s.automaton = decl;
  } else {
    s.decl = decl;
  }
  if (decl->kind == DECL_CLAIM) {
    s.subject = xstrdup(decl->as.claim.subject.text);
    s.notion = cert_notion_text(&source->lang.sources, decl);
    s.epsilon = cert_source_text(&source->lang.sources, decl->as.claim.epsilon->span);
    if (decl->as.claim.delta)
      s.delta = cert_source_text(&source->lang.sources, decl->as.claim.delta->span);
    if (decl->as.claim.target->kind == DECL_AUTOMATON) s.automaton = decl->as.claim.target;
  }
  s.is_about_automaton = s.automaton != NULL;
  vec_push(&source->statements, s);
}

static void load_dp(struct cert_source *source, const char *path, const struct source *text) {
  source->module = text ? lang_load_text(&source->lang, path, text->text, text->length)
                        : lang_load(&source->lang, path);
  if (source->lang.diags.errors) return;
  const struct ast_unit *unit = source->module->units[source->module->unit_count - 1];
  for (size_t i = 0; i < unit->count; i++) {
    enum decl_kind kind = unit->decls[i]->kind;
    if (kind == DECL_CLAIM || kind == DECL_LEMMA || kind == DECL_AUTOMATON)
      add_statement(source, unit->decls[i]);
  }
}

static void load_dipa(struct cert_source *source, const char *path, const struct source *text) {
  struct diags *diags = &source->lang.diags;
  struct sources *sources = &source->lang.sources;
  char *why = NULL;
  uint32_t file = text ? sources_add(sources, path, text->text, text->length)
                       : sources_read(sources, path, &why);
  if (!file) diag_error(diags, span_none(), "unreadable-file", "`%s`: %s", path, why);
  free(why);
  if (!file) return;
  struct cert_statement s = {
      .name = cert_dipa_name(path), .subject = cert_dipa_name(path), .is_about_automaton = true};
  vec_push(&source->statements, s);
}

bool cert_source_load_text(struct cert_source *source, const char *path, const struct source *text,
                           source_overlay *overlay, void *context) {
  *source = (struct cert_source){0};
  lang_init(&source->lang);
  source->lang.sources.overlay = overlay;
  source->lang.sources.overlay_context = context;
  if (cert_is_dipa(path))
    load_dipa(source, path, text);
  else
    load_dp(source, path, text);
  cert_sources_digest(&source->lang.sources, source->digest);
  return source->lang.diags.errors == 0;
}

bool cert_source_load(struct cert_source *source, const char *path) {
  return cert_source_load_text(source, path, NULL, NULL, NULL);
}

void cert_source_clear(struct cert_source *source) {
  for (size_t i = 0; i < source->statements.len; i++) {
    free(source->statements.at[i].name);
    free(source->statements.at[i].subject);
    free(source->statements.at[i].notion);
    free(source->statements.at[i].epsilon);
    free(source->statements.at[i].delta);
  }
  vec_clear(&source->statements);
  lang_clear(&source->lang);
}
