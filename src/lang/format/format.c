#include "lang/format/format.h"

#include <string.h>

#include "lang/format/format_state.h"
#include "lang/format/print.h"

/* ---- comments ------------------------------------------------------------------------------- */

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

/* Is this a block comment whose lines all begin with a star? Those are re-aligned. */
static bool is_starred(const char *text, size_t length) {
  const char *end = text + length;
  for (const char *line = memchr(text, '\n', length); line;) {
    for (line++; line < end && is_blank(*line) && *line != '\n';)
      line++;
    if (line == end || *line != '*') return false;
    line = memchr(line, '\n', (size_t)(end - line));
  }
  return true;
}

void format_comment(struct buffer *out, const char *text, size_t length, size_t column) {
  bool starred = is_starred(text, length);
  const char *end = text + length;
  for (bool first = true; text < end; first = false) {
    const char *stop = memchr(text, '\n', (size_t)(end - text));
    const char *next = stop ? stop + 1 : end;
    if (!stop) stop = end;
    if (!first) {
      buffer_putc(out, '\n');
      if (starred) {
        while (is_blank(*text))
          text++;
        buffer_fill(out, ' ', column + 1);
      }
    }
    while (stop > text && is_blank(stop[-1]))
      stop--;
    buffer_add(out, text, (size_t)(stop - text));
    text = next;
  }
}

static void write_comment(struct format *f, const struct ast_comment *c) {
  const char *text = buffer_text(f->out);
  size_t line = f->out->len;
  while (line > 0 && text[line - 1] != '\n')
    line--;
  format_comment(f->out, f->source + c->span.begin, c->span.end - c->span.begin,
                 f->out->len - line);
}

bool format_has_comment_before(const struct format *f, uint32_t end) {
  return f->next < f->count && f->comments[f->next].span.begin < end;
}

/* Did the user leave an empty line before this place? */
static bool blank_line_before(const struct format *f, uint32_t at) {
  unsigned ends = 0;
  while (f->source && at > 0 && is_blank(f->source[at - 1]))
    if (f->source[--at] == '\n') ends++;
  return ends >= 2;
}

static void blank_line(struct format *f, bool wanted) {
  if (wanted && !f->at_top && !f->dense) buffer_putc(f->out, '\n');
  f->at_top = false;
}

static void comment_line(struct format *f) {
  buffer_fill(f->out, ' ', f->indent);
  write_comment(f, &f->comments[f->next++]);
  buffer_putc(f->out, '\n');
}

void format_comments_until(struct format *f, uint32_t end) {
  while (format_has_comment_before(f, end)) {
    blank_line(f, blank_line_before(f, f->comments[f->next].span.begin));
    comment_line(f);
  }
}

void format_before(struct format *f, uint32_t begin, uint32_t head_end, bool apart) {
  if (apart) {
    blank_line(f, true);
    f->at_top = true; /* once is enough */
  }
  format_comments_until(f, begin);
  blank_line(f, blank_line_before(f, begin));
  while (format_has_comment_before(f, head_end))
    comment_line(f);
}

/* Does only white space and comments follow the comment on its line? */
static bool ends_line(const struct format *f, size_t comment) {
  uint32_t at = f->comments[comment].span.end;
  for (; at < f->length && f->source[at] != '\n'; at++) {
    if (is_blank(f->source[at])) continue;
    if (++comment == f->count || f->comments[comment].span.begin != at) return false;
    at = f->comments[comment].span.end - 1;
  }
  return true;
}

/* Does nothing but punctuation that belongs to the item stand between it and the comment? */
static bool follows_on_line(const struct format *f, uint32_t end, uint32_t comment) {
  for (; end < comment; end++)
    if (!strchr(" \t;,{()]", f->source[end])) return false;
  return true;
}

static void comments_at_line_end(struct format *f, uint32_t end) {
  while (f->next < f->count) {
    const struct ast_comment *c = &f->comments[f->next];
    if (c->span.begin < end || !follows_on_line(f, end, c->span.begin) || !ends_line(f, f->next))
      break;
    buffer_puts(f->out, "  ");
    write_comment(f, c);
    end = c->span.end;
    f->next++;
  }
}

void format_after(struct format *f, uint32_t end) {
  comments_at_line_end(f, end);
  buffer_putc(f->out, '\n');
}

/* ---- lines and blocks ----------------------------------------------------------------------- */

void format_line(struct format *f) {
  buffer_fill(f->out, ' ', f->indent);
  pretty_render(&f->pretty, f->out, FORMAT_WIDTH, f->indent, f->indent);
}

bool format_open(struct format *f, bool is_empty, struct span block) {
  bool has_content = !is_empty || format_has_comment_before(f, block.end);
  pretty_text(&f->pretty, has_content ? " {" : " {}");
  return has_content;
}

void format_enter(struct format *f, struct span block) {
  format_after(f, block.begin + 1);
  f->indent += 2;
  f->at_top = true;
}

void format_leave(struct format *f, struct span block) {
  if (f->source) format_comments_until(f, block.end - 1);
  f->indent -= 2;
  f->at_top = false;
  buffer_fill(f->out, ' ', f->indent);
  buffer_putc(f->out, '}');
}

void format_block(struct format *f, const struct ast_block *block) {
  bool has_content = format_open(f, block->count == 0, block->span);
  format_line(f);
  if (!has_content) return;
  format_enter(f, block->span);
  format_stmts(f, block);
  format_leave(f, block->span);
}

/* ---- statements ----------------------------------------------------------------------------- */

/* `else if` as against `else { if ... }`: an unbraced block begins where its statement begins. */
static const struct ast_stmt *else_if(const struct ast_stmt *s) {
  const struct ast_block *b = &s->as.branch.otherwise;
  if (b->count != 1 || b->stmts[0]->kind != STMT_IF) return NULL;
  return b->span.begin == b->stmts[0]->span.begin ? b->stmts[0] : NULL;
}

/* Writes a block that follows a `}` on the same line: ` else if b {`. */
static void block_after_brace(struct format *f, const struct ast_block *block) {
  bool has_content = format_open(f, block->count == 0, block->span);
  pretty_render(&f->pretty, f->out, FORMAT_WIDTH, f->indent + 1, f->indent);
  if (!has_content) return;
  format_enter(f, block->span);
  format_stmts(f, block);
  format_leave(f, block->span);
}

static void branch(struct format *f, const struct ast_stmt *s) {
  pretty_stmt(&f->pretty, s);
  format_block(f, &s->as.branch.then);
  while (s->as.branch.has_else) {
    const struct ast_stmt *next = else_if(s);
    pretty_text(&f->pretty, " else");
    if (!next) {
      block_after_brace(f, &s->as.branch.otherwise);
      break;
    }
    pretty_text(&f->pretty, " ");
    pretty_stmt(&f->pretty, next);
    block_after_brace(f, &next->as.branch.then);
    s = next;
  }
}

/* Where the header of a statement ends: at its block, else at its end. */
static uint32_t head_end(const struct ast_stmt *s) {
  switch (s->kind) {
  case STMT_IF: return s->as.branch.then.span.begin;
  case STMT_WHILE: return s->as.loop.body.span.begin;
  case STMT_FOR: return s->as.range.body.span.begin;
  default: return s->span.end;
  }
}

static void statement(struct format *f, const struct ast_stmt *s) {
  format_before(f, s->span.begin, head_end(s), false);
  switch (s->kind) {
  case STMT_IF: branch(f, s); break;
  case STMT_WHILE:
    pretty_stmt(&f->pretty, s);
    format_block(f, &s->as.loop.body);
    break;
  case STMT_FOR:
    pretty_stmt(&f->pretty, s);
    format_block(f, &s->as.range.body);
    break;
  default:
    pretty_stmt(&f->pretty, s);
    format_line(f);
    break;
  }
  format_after(f, s->span.end);
}

void format_stmts(struct format *f, const struct ast_block *block) {
  for (size_t i = 0; i < block->count; i++)
    statement(f, block->stmts[i]);
}

/* ---- the file ------------------------------------------------------------------------------- */

void format_unit(struct buffer *out, const struct sources *sources, const struct ast_unit *unit) {
  struct format f = {.out = out, .at_top = true};
  pretty_init(&f.pretty);
  if (unit->file) {
    const struct source *source = sources_get(sources, unit->file);
    f.source = source->text;
    f.length = source->length;
    f.comments = unit->comments;
    f.count = unit->comment_count;
  }
  format_decls(&f, unit->decls, unit->count);
  format_comments_until(&f, UINT32_MAX);
  pretty_clear(&f.pretty);
}
