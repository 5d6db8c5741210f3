#include "ask/tune_text.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "lang/syntax/parse.h"

bool tune_file_read(struct tune_file *f, const char *path, char **why) {
  *f = (struct tune_file){.path = path};
  lang_init(&f->lang);
  uint32_t file = sources_read(&f->lang.sources, path, why);
  if (!file) return false;
  const struct ast_unit *unit = parse_unit(&f->lang, file);
  f->source = sources_get(&f->lang.sources, file);
  if (f->lang.diags.errors) return true;
  f->unit = unit;
  for (size_t i = 0; i < unit->count; i++) {
    const struct ast_decl *d = unit->decls[i];
    if (d->kind == DECL_LET && d->as.let.body->kind == EXPR_HOLE) vec_push(&f->holes, d);
  }
  return true;
}

void tune_fix(struct tune_file *f, size_t hole, const char *value) {
  vec_push(&f->fixed, ((struct tune_fixed){f->holes.at[hole], xstrdup(value)}));
  for (size_t i = hole; i + 1 < f->holes.len; i++)
    f->holes.at[i] = f->holes.at[i + 1];
  f->holes.len--;
}

void tune_unfix(struct tune_file *f, size_t hole) {
  struct tune_fixed last = f->fixed.at[--f->fixed.len];
  vec_push(&f->holes, last.let);
  for (size_t i = f->holes.len - 1; i > hole; i--)
    f->holes.at[i] = f->holes.at[i - 1];
  f->holes.at[hole] = last.let;
  free(last.value);
}

static const char *fixed_value(const struct tune_file *f, const struct ast_decl *let) {
  for (size_t i = 0; i < f->fixed.len; i++)
    if (f->fixed.at[i].let == let) return f->fixed.at[i].value;
  return NULL;
}

void tune_file_clear(struct tune_file *f) {
  for (size_t i = 0; i < f->fixed.len; i++)
    free(f->fixed.at[i].value);
  vec_clear(&f->fixed);
  vec_clear(&f->holes);
  lang_clear(&f->lang);
}

/* Automata have one scale. */
bool tune_is_privacy(const struct tune_file *f, const struct ast_decl *d) {
  if (d->kind != DECL_CLAIM || d->as.claim.at_count || d->as.claim.formula || d->as.claim.asked)
    return false;
  for (size_t i = 0; i < f->unit->count; i++)
    if (f->unit->decls[i]->kind == DECL_AUTOMATON &&
        f->unit->decls[i]->name.text == d->as.claim.subject.text)
      return false;
  return true;
}

bool tune_asks_distance(const struct ast_decl *d) {
  return d->kind == DECL_CLAIM && d->as.claim.formula && d->as.claim.asked &&
         d->as.claim.asked != d->as.claim.epsilon;
}

char *tune_text_at(const struct tune_file *f, struct span span) {
  return xasprintf("%.*s", (int)(span.end - span.begin), f->source->text + span.begin);
}

static void copy(struct buffer *out, const struct tune_file *f, uint32_t from, uint32_t to) {
  if (to > from) buffer_add(out, f->source->text + from, to - from);
}

/* Without its proof, which is about other numbers. */
static void put_open_claim(struct buffer *out, const struct tune_file *f, const struct ast_decl *d,
                           const char *cost) {
  uint32_t from = d->span.begin, end = d->span.end;
  if (!d->as.claim.asked) {
    copy(out, f, from, d->as.claim.epsilon->span.begin);
    buffer_puts(out, cost);
    from = d->as.claim.epsilon->span.end;
  }
  if (d->as.claim.has_proof) { /* `proof` and the braces */
    end = d->as.claim.proof.begin;
    while (end > from && f->source->text[end - 1] != 'p')
      end--;
    copy(out, f, from, end - 1);
    buffer_putc(out, ';');
    return;
  }
  copy(out, f, from, end);
}

void tune_put_open(struct buffer *out, const struct tune_file *f, const struct ast_decl *claim,
                   const char *cost) {
  uint32_t from = f->source->start;
  for (size_t i = 0; i < f->unit->count; i++) {
    const struct ast_decl *d = f->unit->decls[i];
    bool is_hole = d->kind == DECL_LET && d->as.let.body->kind == EXPR_HOLE;
    if (!is_hole && d->kind != DECL_CLAIM && d->kind != DECL_INSTANCE) continue;
    copy(out, f, from, d->span.begin);
    const char *value = is_hole ? fixed_value(f, d) : NULL;
    if (value)
      buffer_printf(out, "let %s = %s;", d->name.text, value);
    else if (is_hole)
      buffer_printf(out, "param %s : real, %s > 0;", d->name.text, d->name.text);
    if (d == claim) put_open_claim(out, f, d, cost);
    from = d->span.end;
  }
  copy(out, f, from, (uint32_t)f->source->length);
}

void tune_put_plain(struct buffer *out, const struct tune_file *f) {
  tune_put_filled(out, f, NULL);
}

void tune_put_filled(struct buffer *out, const struct tune_file *f, char *const *values) {
  uint32_t from = f->source->start;
  size_t next = 0; /* of the holes */
  for (size_t i = 0; i < f->unit->count; i++) {
    const struct ast_decl *d = f->unit->decls[i];
    if (d->kind != DECL_LET || d->as.let.body->kind != EXPR_HOLE) continue;
    const char *value = fixed_value(f, d);
    if (!value) value = values ? values[next++] : "1";
    copy(out, f, from, d->as.let.body->span.begin);
    buffer_puts(out, value);
    from = d->as.let.body->span.end;
  }
  copy(out, f, from, (uint32_t)f->source->length);
}
