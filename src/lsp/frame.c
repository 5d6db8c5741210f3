#include "lsp/frame.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

static const char FIELD[] = "Content-Length:";
enum { FIELD_LENGTH = sizeof FIELD - 1 };

void frame_reader_init(struct frame_reader *r) {
  *r = (struct frame_reader){.max_body = FRAME_MAX_BODY};
  buffer_init(&r->in);
}

void frame_reader_clear(struct frame_reader *r) {
  buffer_clear(&r->in);
}

void frame_feed(struct frame_reader *r, const char *bytes, size_t count) {
  if (r->at) { /* what was consumed goes */
    memmove(r->in.text, r->in.text + r->at, r->in.len - r->at);
    r->in.len -= r->at;
    r->at = 0;
  }
  buffer_add(&r->in, bytes, count);
}

static size_t available(const struct frame_reader *r) {
  return r->in.len - r->at;
}

/* Length of the header with its blank line, 0 if that has not come yet. */
static size_t header_length(const char *text, size_t length) {
  for (size_t i = 0; i + 1 < length; i++) {
    if (text[i] != '\n') continue;
    if (text[i + 1] == '\n') return i + 2;
    if (i + 2 < length && text[i + 1] == '\r' && text[i + 2] == '\n') return i + 3;
  }
  return 0;
}

/* The number that fills the rest of the line; false if that is not one. */
static bool read_number(const char *text, const char *end, uint64_t *value) {
  while (text < end && (*text == ' ' || *text == '\t'))
    text++;
  while (end > text && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
    end--;
  if (text == end || end - text > 18) return false;
  *value = 0;
  for (; text < end; text++) {
    if (*text < '0' || *text > '9') return false;
    *value = *value * 10 + (uint64_t)(*text - '0');
  }
  return true;
}

/* Fields other than Content-Length are of no interest. */
static bool read_header(const char *text, size_t length, uint64_t *body, const char **why) {
  const char *end = text + length;
  bool found = false;
  for (const char *line = text, *eol; line < end; line = eol + 1) {
    eol = memchr(line, '\n', (size_t)(end - line));
    if ((size_t)(eol - line) < FIELD_LENGTH || strncasecmp(line, FIELD, FIELD_LENGTH) != 0)
      continue;
    if (!read_number(line + FIELD_LENGTH, eol, body)) {
      *why = "the Content-Length of the message is not a number";
      return false;
    }
    found = true;
  }
  if (!found) *why = "the header of the message has no Content-Length";
  return found;
}

/* Goes to the next thing that looks like a header; false if there is none yet. */
static bool find_header(struct frame_reader *r) {
  while (available(r) >= FIELD_LENGTH) {
    const char *here = r->in.text + r->at;
    if (strncasecmp(here, FIELD, FIELD_LENGTH) == 0) return true;
    const char *next = here + 1;
    while (next < r->in.text + r->in.len && *next != 'C' && *next != 'c')
      next++;
    r->at = (size_t)(next - r->in.text);
  }
  return false;
}

static enum frame_result lost(struct frame_reader *r, size_t dropped) {
  r->at += dropped;
  r->state = FRAME_LOST;
  return FRAME_BAD;
}

static enum frame_result next_header(struct frame_reader *r, const char **why) {
  const char *text = r->in.text + r->at;
  size_t length = header_length(text, available(r));
  if (!length || length > FRAME_MAX_HEADER) {
    if (available(r) <= FRAME_MAX_HEADER) return FRAME_MORE;
    *why = "the header of the message does not end";
    return lost(r, 1);
  }
  if (!read_header(text, length, &r->body, why)) return lost(r, length);
  r->at += length;
  r->state = r->body > r->max_body ? FRAME_SKIPPING : FRAME_IN_BODY;
  if (r->state == FRAME_IN_BODY) return FRAME_MORE;
  *why = "the message is larger than this server accepts";
  return FRAME_BAD;
}

enum frame_result frame_next(struct frame_reader *r, const char **body, size_t *length,
                             const char **why) {
  if (r->state == FRAME_SKIPPING) {
    size_t n = available(r) < r->body ? available(r) : (size_t)r->body;
    r->at += n;
    r->body -= n;
    if (r->body) return FRAME_MORE;
    r->state = FRAME_IN_HEADER;
  }
  if (r->state == FRAME_LOST) {
    if (!find_header(r)) return FRAME_MORE;
    r->state = FRAME_IN_HEADER;
  }
  if (r->state == FRAME_IN_HEADER) {
    if (!available(r)) return FRAME_MORE;
    enum frame_result result = next_header(r, why);
    if (r->state != FRAME_IN_BODY) return result;
  }
  if (available(r) < r->body) return FRAME_MORE;
  *body = r->body ? r->in.text + r->at : "";
  *length = (size_t)r->body;
  r->at += (size_t)r->body;
  r->state = FRAME_IN_HEADER;
  return FRAME_MESSAGE;
}
