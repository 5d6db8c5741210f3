#include "compile/gen.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "lang/syntax/lang.h"

void cgen_refuse(struct cgen *g, struct span span, const char *hint, const char *format, ...) {
  struct buffer text;
  va_list args;
  buffer_init(&text);
  va_start(args, format);
  buffer_vprintf(&text, format, args);
  va_end(args);
  diag_error(&g->input->lang->diags, span, "cannot-compile", "%s", buffer_text(&text));
  if (hint) diag_hint(&g->input->lang->diags, "%s", hint);
  buffer_clear(&text);
}

bool cgen_is_seq(const struct type *type) {
  return type->kind == TYPE_ARRAY || type->kind == TYPE_LIST || type->kind == TYPE_TUPLE;
}

const char *cgen_c_type(const struct type *type) {
  if (type->kind == TYPE_UNIT) return "void ";
  if (type->kind == TYPE_BOOL) return "bool ";
  return cgen_is_seq(type) ? "struct cp_seq *" : "struct cp_number ";
}

const char *cgen_member(const struct type *type) {
  if (type->kind == TYPE_BOOL) return "truth";
  return cgen_is_seq(type) ? "seq" : "number";
}

void cgen_descriptor(struct cgen *g, struct buffer *out, const struct type *type,
                     struct span span) {
  switch (type->kind) {
  case TYPE_BOOL: buffer_putc(out, 'b'); break;
  case TYPE_INT: buffer_putc(out, 'i'); break;
  case TYPE_REAL: buffer_putc(out, 'r'); break;
  case TYPE_FLOAT: buffer_putc(out, 'f'); break;
  case TYPE_FLOAT32: buffer_putc(out, 's'); break;
  case TYPE_ARRAY:
  case TYPE_LIST:
    buffer_putc(out, '[');
    if (type->elem)
      cgen_descriptor(g, out, type->elem, span);
    else
      buffer_putc(out, 'i'); /* of [] nothing is known, and nothing is looked at */
    break;
  case TYPE_TUPLE:
    buffer_putc(out, type_is_option(type) ? 'o' : '(');
    for (size_t i = type_is_option(type); i < type->count; i++)
      cgen_descriptor(g, out, type->items[i], span);
    if (!type_is_option(type)) buffer_putc(out, ')');
    break;
  default:
    cgen_refuse(g, span, "write it with numbers, truth values, arrays, lists and tuples",
                "a value of an abstract type cannot be compiled");
  }
}

/* A prime is `_prime1`, and `_prime` itself `_prime0`: so no two names become one. */
void cgen_identifier(struct buffer *out, const char *name) {
  static const char word[] = "_prime";
  for (const char *s = name; *s; s++)
    if (strncmp(s, word, sizeof word - 1) == 0) {
      buffer_printf(out, "%s0", word);
      s += sizeof word - 2;
    } else if (isalnum((unsigned char)*s) || *s == '_') {
      buffer_putc(out, *s);
    } else {
      buffer_printf(out, "%s1", word);
    }
}

void cgen_public_name(struct buffer *out, const char *name) {
  for (const char *s = name; *s; s++)
    if (isalnum((unsigned char)*s) || *s == '_')
      buffer_putc(out, *s);
    else
      buffer_puts(out, "_prime");
}

void cgen_string(struct buffer *out, const char *text) {
  buffer_putc(out, '"');
  for (const char *s = text; *s; s++)
    if (*s == '"' || *s == '\\')
      buffer_printf(out, "\\%c", *s);
    else if ((unsigned char)*s < ' ' || (unsigned char)*s > '~' || *s == '?')
      buffer_printf(out, "\\%03o", (unsigned char)*s);
    else
      buffer_putc(out, *s);
  buffer_putc(out, '"');
}

void cgen_place(struct cgen *g, struct buffer *out, struct span span) {
  struct shown_span shown = sources_shown(&g->input->lang->sources, span);
  if (!shown.source) {
    buffer_puts(out, "\"\"");
    return;
  }
  struct place place = source_place(shown.source, shown.begin);
  const char *slash = strrchr(place.path, '/');
  char *text = xasprintf("%s:%u:%u", slash ? slash + 1 : place.path, place.line, place.column);
  cgen_string(out, text);
  free(text);
}

/* Slots tell variables of one routine apart: no other name ends in an underscore and a number, as
 * those of functions end in an underscore, or in a number alone. Inputs are members of `in`. */
void cgen_var(struct buffer *out, const struct ast_var *var) {
  if (var->role == VAR_INPUT) buffer_puts(out, "in->input_");
  cgen_identifier(out, var->name.text);
  if (var->role != VAR_INPUT) buffer_printf(out, "_%zu", var->slot);
}
