/* Inside of the formatter: the output so far and the comments not written yet.
 *
 * The file is written item by item (declaration, clause of a header, statement, line of an
 * automaton or instance), in source order. An item is written as
 *     format_before   comments that precede it, blank line, comments moved out of it
 *     format_line     its text, built in state->pretty
 *     format_after    comments that end its line, line end
 * so that the cursor `next` passes over every comment exactly once. */
#ifndef COUPLET_LANG_FORMAT_FORMAT_STATE_H
#define COUPLET_LANG_FORMAT_FORMAT_STATE_H

#include "lang/format/pretty.h"
#include "lang/syntax/ast.h"

struct format {
  struct buffer *out;
  const char *source; /* text of the file; NULL: there is none, spans and comments mean nothing */
  size_t length;
  const struct ast_comment *comments;
  size_t count, next;
  size_t indent;        /* in columns */
  bool at_top;          /* nothing written yet in this block or file: no blank line here */
  bool dense;           /* no blank lines at all: inside a header */
  struct pretty pretty; /* the line under construction */
};

/* `head_end`: comments before it that are not yet written belong before this item. `apart` asks
 * for a blank line even if the user left none. */
void format_before(struct format *f, uint32_t begin, uint32_t head_end, bool apart);
/* Writes the tokens in f->pretty from the current indent; the line stays open. */
void format_line(struct format *f);
/* Ends the line of an item whose text ends at `end`. */
void format_after(struct format *f, uint32_t end);
/* Comments on lines of their own up to `end` (end of a block or of the file). */
void format_comments_until(struct format *f, uint32_t end);
bool format_has_comment_before(const struct format *f, uint32_t end);

/* ` {` or ` {}` onto the line under construction; true if the block has something in it. */
bool format_open(struct format *f, bool is_empty, struct span block);
/* After the line with the `{` was written: starts the block; the line of its `}` stays open. */
void format_enter(struct format *f, struct span block);
void format_leave(struct format *f, struct span block);

void format_stmts(struct format *f, const struct ast_block *block);
/* Header already in f->pretty: writes it with the block; the line of the `}` stays open. */
void format_block(struct format *f, const struct ast_block *block);
void format_decls(struct format *f, struct ast_decl *const *decls, size_t count);

#endif
