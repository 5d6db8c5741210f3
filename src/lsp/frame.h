/* Messages out of a stream of bytes: `Content-Length: N`, a blank line, N bytes.
 *
 * Bytes come in any pieces (frame_feed); frame_next gives whole messages and says what is wrong
 * with the rest. After a header it cannot read the reader looks for the next `Content-Length`, and
 * a message beyond FRAME_MAX_BODY is stepped over without being stored, so no stream can stop it or
 * make it grow without bound. */
#ifndef COUPLET_LSP_FRAME_H
#define COUPLET_LSP_FRAME_H

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

enum {
  FRAME_MAX_HEADER = 4096,            /* all header fields of a message */
  FRAME_MAX_BODY = 512 * 1024 * 1024, /* a source file of the largest size, escaped */
};

enum frame_state { FRAME_IN_HEADER, FRAME_IN_BODY, FRAME_SKIPPING, FRAME_LOST };

struct frame_reader {
  struct buffer in; /* what has not been consumed begins at `at` */
  size_t at;
  enum frame_state state;
  uint64_t body;   /* length of the body that is read or stepped over */
  size_t max_body; /* FRAME_MAX_BODY unless a test wants less */
};

enum frame_result {
  FRAME_MORE,    /* nothing complete: feed more */
  FRAME_MESSAGE, /* *body and *length; valid until the next call */
  FRAME_BAD      /* *why; the stream goes on behind it */
};

void frame_reader_init(struct frame_reader *reader);
void frame_reader_clear(struct frame_reader *reader);
void frame_feed(struct frame_reader *reader, const char *bytes, size_t count);
enum frame_result frame_next(struct frame_reader *reader, const char **body, size_t *length,
                             const char **why);

#endif
