#include "auto/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "term/build.h"
#include "term/print.h"
#include "term/subst.h"

void text_init(struct text *text, struct auto_problem *p) {
  *text = (struct text){.p = p};
  buffer_init(&text->buffer);
}

const char *text_take(struct text *text) {
  const char *result = NULL;
  if (!text->failed)
    result = arena_strndup(text->p->arena, buffer_text(&text->buffer), text->buffer.len);
  buffer_clear(&text->buffer);
  return result;
}

/* ---- names ---------------------------------------------------------------------------------- */

/* The name under which proof text finds the variable; NULL: none. */
static const char *name_in_proofs(struct auto_problem *p, term_id var) {
  struct translate_env *env = claim_env(p->goal);
  const struct term_var *v = term_var_get(p->ts, var);
  const char *name = intern_str(&p->lang->intern, v->name);
  const struct translate_binding *b = translate_find(env, name);
  term_id bound = b ? b->term : TERM_NONE;
  bool same = bound == var ||
              (bound != TERM_NONE && v->run != 0 && bound == term_var_in_run(p->ts, var, 0));
  return same ? name : NULL;
}

bool text_is_named(struct auto_problem *p, term_id var) {
  return name_in_proofs(p, var) != NULL;
}

static bool is_taken(struct auto_problem *p, const char *name) {
  if (translate_find(claim_env(p->goal), intern_str(&p->lang->intern, name))) return true;
  for (size_t i = 0; i < p->module->decl_count; i++)
    if (p->module->decls[i]->name.text && !strcmp(p->module->decls[i]->name.text, name))
      return true;
  return false;
}

term_id text_fresh_name(struct auto_problem *p, const char *name, sort_id sort) {
  const char *full = name;
  for (unsigned i = 1; is_taken(p, full); i++)
    full = arena_printf(p->arena, "%s%u", name, i);
  return term_var(p->ts, full, sort, 0, 0);
}

/* ---- terms ---------------------------------------------------------------------------------- */

/* Opened witnesses have a version: their name alone is what proof text knows. */
static term_id printable(struct auto_problem *p, term_id t) {
  term_list vars = {0}, to = {0}, from = {0};
  term_free_vars(p->ts, t, &vars);
  for (size_t i = 0; i < vars.len && t != TERM_NONE; i++) {
    struct term_var v = *term_var_get(p->ts, vars.at[i]);
    if (v.version == 0) continue;
    if (!text_is_named(p, vars.at[i])) t = TERM_NONE;
    vec_push(&from, vars.at[i]);
    vec_push(&to, term_var(p->ts, v.name, v.sort, v.run, 0));
  }
  if (t != TERM_NONE) t = term_subst(p->ts, t, from.at, to.at, from.len);
  vec_clear(&vars);
  vec_clear(&from);
  vec_clear(&to);
  return t;
}

static bool put_term(struct auto_problem *p, struct buffer *out, term_id t) {
  t = t == TERM_NONE ? TERM_NONE : printable(p, t);
  if (t != TERM_NONE) term_print(out, p->ts, t);
  return t != TERM_NONE;
}

const char *text_of(struct auto_problem *p, term_id t) {
  struct buffer b;
  buffer_init(&b);
  const char *result = put_term(p, &b, t) ? arena_strndup(p->arena, buffer_text(&b), b.len) : NULL;
  buffer_clear(&b);
  return result;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static bool put_sum(struct text *text, term_id a, term_id b) {
  struct terms *ts = text->p->ts;
  bool ok = put_term(text->p, &text->buffer, a);
  if (b == TERM_NONE || !term_is_num(ts, b)) {
    buffer_puts(&text->buffer, " + ");
    return ok && put_term(text->p, &text->buffer, b);
  }
  int sign = fmpq_sgn(term_num_value(ts, b));
  if (sign == 0) return ok;
  buffer_puts(&text->buffer, sign > 0 ? " + " : " - ");
  return ok && put_term(text->p, &text->buffer, sign > 0 ? b : term_neg(ts, b));
}

static void put(struct text *text, const char *format, va_list args) {
  for (const char *f = format; *f; f++) {
    if (*f != '%') {
      buffer_putc(&text->buffer, *f);
      continue;
    }
    bool ok = true;
    switch (*++f) {
    case 't': ok = put_term(text->p, &text->buffer, va_arg(args, term_id)); break;
    case '+': {
      term_id a = va_arg(args, term_id), b = va_arg(args, term_id);
      ok = put_sum(text, a, b);
      break;
    }
    case 'u': buffer_printf(&text->buffer, "%u", va_arg(args, unsigned)); break;
    case 's': buffer_puts(&text->buffer, va_arg(args, const char *)); break;
    default: ok = false;
    }
    text->failed |= !ok;
  }
}

#define PUT(text, format)                                                                          \
  do {                                                                                             \
    va_list args_;                                                                                 \
    va_start(args_, format);                                                                       \
    put(text, format, args_);                                                                      \
    va_end(args_);                                                                                 \
  } while (0)

static void indent(struct text *text) {
  buffer_fill(&text->buffer, ' ', 2 * text->indent);
}

void text_line(struct text *text, const char *format, ...) {
  indent(text);
  PUT(text, format);
  buffer_putc(&text->buffer, '\n');
}

void text_begin(struct text *text, const char *format, ...) {
  indent(text);
  PUT(text, format);
}

void text_print(struct text *text, const char *format, ...) {
  PUT(text, format);
}

void text_end(struct text *text, const char *format, ...) {
  PUT(text, format);
  buffer_putc(&text->buffer, '\n');
}

void text_open(struct text *text, const char *format, ...) {
  indent(text);
  PUT(text, format);
  buffer_putc(&text->buffer, '\n');
  text->indent++;
}

void text_close(struct text *text, const char *line) {
  text->indent--;
  indent(text);
  buffer_puts(&text->buffer, line);
  if (text->indent) buffer_putc(&text->buffer, '\n');
}

void text_between(struct text *text, const char *line) {
  text->indent--;
  indent(text);
  buffer_puts(&text->buffer, line);
  buffer_putc(&text->buffer, '\n');
  text->indent++;
}
