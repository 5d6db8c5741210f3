/* A string under construction, always NUL-terminated. */
#ifndef COUPLET_BASE_BUFFER_H
#define COUPLET_BASE_BUFFER_H

#include <stdarg.h>
#include <stddef.h>

struct buffer {
  char *text; /* NULL while empty: read it through buffer_text */
  size_t len, cap;
};

void buffer_init(struct buffer *b);
void buffer_clear(struct buffer *b);
void buffer_add(struct buffer *b, const char *text, size_t length);
void buffer_puts(struct buffer *b, const char *text);
void buffer_putc(struct buffer *b, char c);
void buffer_fill(struct buffer *b, char c, size_t count);
void buffer_printf(struct buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buffer_vprintf(struct buffer *b, const char *format, va_list args);
const char *buffer_text(const struct buffer *b);
/* The text, now owned (freed) by the caller; the buffer is empty again. */
char *buffer_take(struct buffer *b);

#endif
