/* Line breaking: text with optional breaks in nested groups, laid out within a width.
 *
 * The caller feeds a flat sequence of tokens; pretty_render places it. A group whose text fits on
 * the rest of the line (together with what must follow it) stays on one line. Otherwise it is
 * broken: a consistent group turns every break of its own into a line end, a filling group only
 * those after which the next piece would not fit. A broken line is indented by the indents of all
 * enclosing groups. Both passes are linear in the number of tokens. Widths are in bytes: what we
 * print is ASCII. */
#ifndef COUPLET_LANG_FORMAT_PRETTY_H
#define COUPLET_LANG_FORMAT_PRETTY_H

#include <stddef.h>

#include "base/buffer.h"
#include "base/vec.h"

enum pretty_style { PRETTY_CONSISTENT, PRETTY_FILL };

struct pretty_token;
struct pretty {
  VEC(struct pretty_token) tokens;
  VEC(size_t) open;   /* groups not closed yet */
  struct buffer text; /* of all tokens, one after the other */
};

enum { PRETTY_FLAT = 0 }; /* as a width: never break */

void pretty_init(struct pretty *p);
void pretty_clear(struct pretty *p);

void pretty_text(struct pretty *p, const char *text);
void pretty_printf(struct pretty *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* `blanks` spaces, or a line end followed by the indent of the group plus `offset`. */
void pretty_break(struct pretty *p, unsigned blanks, int offset);
void pretty_open(struct pretty *p, enum pretty_style style, int indent);
void pretty_close(struct pretty *p);

/* Appends the layout to `out` and empties `p`. The text starts in column `column` (from 0), later
 * lines are indented relative to `indent`. Every group must have been closed. */
void pretty_render(struct pretty *p, struct buffer *out, size_t width, size_t column,
                   size_t indent);

#endif
