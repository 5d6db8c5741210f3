/* Text into HTML. Whatever a user wrote goes through here: markup characters are escaped, and what
 * a reader could not see (control characters, direction marks that reorder a line) is shown by its
 * number, so that a page never displays something else than what was verified. */
#ifndef COUPLET_REPORT_RENDER_HTML_PUT_H
#define COUPLET_REPORT_RENDER_HTML_PUT_H

#include <jansson.h>

#include "base/buffer.h"

/* As content of an element. NULL puts nothing. */
void html_text(struct buffer *out, const char *text);
void html_text_n(struct buffer *out, const char *text, size_t length);
/* A sentence of ours: what is between backquotes is set as code; the text stays the same, the
 * quotes are there and not shown. */
void html_prose(struct buffer *out, const char *text, size_t length);
/* Inside of a double-quoted attribute. */
void html_attr(struct buffer *out, const char *text);
/* A name that may be broken behind underscores, a path that may be behind slashes; nowhere else. */
void html_name(struct buffer *out, const char *text);
void html_path(struct buffer *out, const char *text);
/* A formula or command: the run tags <1> and <2> are set small; the text stays the same. */
void html_formula(struct buffer *out, const char *text);
/* <code>formula</code> */
void html_code(struct buffer *out, const char *text);

/* "Line 9" or nothing, from a location object. */
void html_line(struct buffer *out, const json_t *location);
/* A case of a distinction by its condition, or by its number where that is not known. */
void html_case(struct buffer *out, unsigned number, const char *given);

/* Fields of a record; NULL and 0 when they are missing. */
const char *json_text(const json_t *object, const char *key);
double json_decimal(const json_t *object, const char *key); /* a number written as text */

#endif
