/* The formatter: a whole source file in the house layout, with its comments.
 *
 * Layout: two spaces per block, at most FORMAT_WIDTH columns where a break is possible, one
 * statement per line, `} else {`. The user's single blank lines stay; several become one. Symbols
 * and Greek letters come out in ASCII, numbers as written, proof blocks byte for byte.
 *
 * Comments are kept, each exactly once and in order. One that ends a line stays at the end of that
 * line if it still exists; one on a line of its own stays before what it precedes; one inside a
 * statement or header moves to the line before it, and one between a block and its `else` to the
 * top of the block that follows. Formatting is idempotent, and the result parses to an equal AST.
 */
#ifndef COUPLET_LANG_FORMAT_FORMAT_H
#define COUPLET_LANG_FORMAT_FORMAT_H

#include "base/buffer.h"
#include "lang/syntax/lang.h"

enum { FORMAT_WIDTH = 100 };

/* The unit must have been parsed without errors. A unit without a file (file 0) is printed from
 * its AST alone. */
void format_unit(struct buffer *out, const struct sources *sources, const struct ast_unit *unit);

/* Does the new text say the same as the unit's source, comments included? Whoever replaces a file
 * asks first. */
bool format_keeps_meaning(const struct ast_unit *unit, const struct source *source,
                          const struct buffer *text);

/* A comment as the formatter writes it at the given column: no blanks at line ends, lines of a
 * starred block comment aligned. */
void format_comment(struct buffer *out, const char *text, size_t length, size_t column);

#endif
