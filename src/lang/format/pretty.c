#include "lang/format/pretty.h"

#include <stdbool.h>
#include <string.h>

enum token_kind { TOKEN_TEXT, TOKEN_BREAK, TOKEN_OPEN, TOKEN_CLOSE };

struct pretty_token {
  enum token_kind kind;
  enum pretty_style style; /* open */
  int indent;              /* open: of the group; break: offset */
  size_t length;           /* text: bytes; break: blanks */
  size_t next;             /* break: next break of the group or its close; open: the close */
};

void pretty_init(struct pretty *p) {
  *p = (struct pretty){0};
  buffer_init(&p->text);
}

void pretty_clear(struct pretty *p) {
  vec_clear(&p->tokens);
  vec_clear(&p->open);
  buffer_clear(&p->text);
}

static void push_text(struct pretty *p, size_t length) {
  if (p->tokens.len && vec_last(&p->tokens).kind == TOKEN_TEXT)
    vec_last(&p->tokens).length += length;
  else
    vec_push(&p->tokens, (struct pretty_token){.kind = TOKEN_TEXT, .length = length});
}

void pretty_text(struct pretty *p, const char *text) {
  size_t length = strlen(text);
  buffer_add(&p->text, text, length);
  push_text(p, length);
}

void pretty_printf(struct pretty *p, const char *format, ...) {
  size_t before = p->text.len;
  va_list args;
  va_start(args, format);
  buffer_vprintf(&p->text, format, args);
  va_end(args);
  push_text(p, p->text.len - before);
}

void pretty_break(struct pretty *p, unsigned blanks, int offset) {
  vec_push(&p->tokens,
           (struct pretty_token){.kind = TOKEN_BREAK, .length = blanks, .indent = offset});
}

void pretty_open(struct pretty *p, enum pretty_style style, int indent) {
  vec_push(&p->open, p->tokens.len);
  vec_push(&p->tokens, (struct pretty_token){.kind = TOKEN_OPEN, .style = style, .indent = indent});
}

void pretty_close(struct pretty *p) {
  p->tokens.at[vec_pop(&p->open)].next = p->tokens.len;
  vec_push(&p->tokens, (struct pretty_token){.kind = TOKEN_CLOSE});
}

/* What a decision needs: `before[i]`, the flat width of the tokens before i, and `must[i]`, the
 * flat width before the first break at or after i - what certainly ends up on the same line. */
struct widths {
  size_t *before, *must;
};

static struct widths measure(struct pretty *p) {
  size_t n = p->tokens.len;
  struct widths w = {xmalloc((n + 1) * sizeof(size_t)), xmalloc((n + 1) * sizeof(size_t))};
  w.before[0] = 0;
  for (size_t i = 0; i < n; i++)
    w.before[i + 1] = w.before[i] + p->tokens.at[i].length;
  w.must[n] = w.before[n];
  for (size_t i = n; i-- > 0;)
    w.must[i] = p->tokens.at[i].kind == TOKEN_BREAK ? w.before[i] : w.must[i + 1];
  /* link each break to its successor in the same group; the vector `open` is free again */
  size_t last = n; /* last break of the innermost group, n: none */
  VEC(size_t) outer = {0};
  for (size_t i = 0; i < n; i++) {
    struct pretty_token *t = &p->tokens.at[i];
    if (t->kind == TOKEN_OPEN) {
      vec_push(&outer, last);
      last = n;
    } else if (t->kind == TOKEN_BREAK || t->kind == TOKEN_CLOSE) {
      if (last < n) p->tokens.at[last].next = i;
      last = t->kind == TOKEN_BREAK ? i : vec_pop(&outer);
    }
  }
  if (last < n) p->tokens.at[last].next = n;
  vec_clear(&outer);
  return w;
}

struct frame {
  bool flat;
  enum pretty_style style;
  size_t indent;
};

void pretty_render(struct pretty *p, struct buffer *out, size_t width, size_t column,
                   size_t indent) {
  struct widths w = measure(p);
  VEC(struct frame) frames = {0};
  vec_push(&frames, (struct frame){width == PRETTY_FLAT, PRETTY_FILL, indent});
  const char *text = buffer_text(&p->text);
  for (size_t i = 0; i < p->tokens.len; i++) {
    const struct pretty_token *t = &p->tokens.at[i];
    struct frame top = vec_last(&frames);
    switch (t->kind) {
    case TOKEN_TEXT:
      buffer_add(out, text, t->length);
      text += t->length;
      column += t->length;
      break;
    case TOKEN_OPEN: {
      bool fits = column + (w.must[t->next] - w.before[i]) <= width;
      int deeper = (int)top.indent + t->indent;
      vec_push(&frames,
               (struct frame){top.flat || fits, t->style, deeper < 0 ? 0 : (size_t)deeper});
      break;
    }
    case TOKEN_CLOSE: (void)vec_pop(&frames); break;
    case TOKEN_BREAK: {
      /* the piece up to the next break of this group; at its end also what must follow */
      size_t end = t->next < p->tokens.len && p->tokens.at[t->next].kind == TOKEN_BREAK
                       ? w.before[t->next]
                       : w.must[t->next];
      bool stay = top.flat || (top.style == PRETTY_FILL && column + (end - w.before[i]) <= width);
      if (stay) {
        buffer_fill(out, ' ', t->length);
        column += t->length;
        break;
      }
      int to = (int)top.indent + t->indent;
      column = to < 0 ? 0 : (size_t)to;
      buffer_putc(out, '\n');
      buffer_fill(out, ' ', column);
      break;
    }
    }
  }
  vec_clear(&frames);
  free(w.before);
  free(w.must);
  p->tokens.len = p->open.len = 0;
  buffer_clear(&p->text);
}
