#include "base/buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void buffer_init(struct buffer *b) {
  *b = (struct buffer){0};
}

void buffer_clear(struct buffer *b) {
  free(b->text);
  buffer_init(b);
}

static void reserve(struct buffer *b, size_t more) {
  size_t wanted = b->len + more + 1;
  if (wanted <= b->cap) return;
  size_t cap = b->cap ? b->cap * 2 : 64;
  if (cap < wanted) cap = wanted;
  b->text = xrealloc(b->text, cap);
  b->cap = cap;
}

void buffer_add(struct buffer *b, const char *text, size_t length) {
  reserve(b, length);
  if (length) memcpy(b->text + b->len, text, length);
  b->len += length;
  b->text[b->len] = '\0';
}

void buffer_puts(struct buffer *b, const char *text) {
  buffer_add(b, text, strlen(text));
}

void buffer_putc(struct buffer *b, char c) {
  buffer_add(b, &c, 1);
}

void buffer_fill(struct buffer *b, char c, size_t count) {
  reserve(b, count);
  memset(b->text + b->len, c, count);
  b->len += count;
  b->text[b->len] = '\0';
}

void buffer_vprintf(struct buffer *b, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  reserve(b, (size_t)n);
  vsnprintf(b->text + b->len, (size_t)n + 1, format, again);
  va_end(again);
  b->len += (size_t)n;
}

void buffer_printf(struct buffer *b, const char *format, ...) {
  va_list args;
  va_start(args, format);
  buffer_vprintf(b, format, args);
  va_end(args);
}

const char *buffer_text(const struct buffer *b) {
  return b->text ? b->text : "";
}

char *buffer_take(struct buffer *b) {
  char *text = b->text ? b->text : xstrdup("");
  buffer_init(b);
  return text;
}
