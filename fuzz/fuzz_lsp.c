/* The language server: any stream of bytes, in any pieces, gives well-formed answers.
 *
 * An input that begins with `{` is a list of messages, one per line, for a session that has begun;
 * anything else is the stream itself. Both are fed at once and in pieces: the answers must be the
 * same, and each a JSON-RPC message with a correct header. */
#include <string.h>

#include "fuzz.h"
#include "lsp/server.h"

static void begin_session(struct server *s) {
  static const char hello[] =
      "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{}}";
  char head[64];
  int n = snprintf(head, sizeof head, "Content-Length: %zu\r\n\r\n", sizeof hello - 1);
  server_feed(s, head, (size_t)n);
  server_feed(s, hello, sizeof hello - 1);
}

static void frame_lines(struct buffer *out, const char *data, size_t size) {
  for (size_t at = 0; at < size;) {
    const char *end = memchr(data + at, '\n', size - at);
    size_t length = end ? (size_t)(end - (data + at)) : size - at;
    buffer_printf(out, "Content-Length: %zu\r\n\r\n", length);
    buffer_add(out, data + at, length);
    at += length + 1;
  }
}

/* What the server says to the stream, given in pieces of this size. */
static char *answers(const char *stream, size_t size, size_t piece, bool has_begun,
                     size_t *length) {
  struct server s;
  server_init(&s);
  s.session.can_verify = false;
  s.reader.max_body = 1 << 20;
  if (has_begun) begin_session(&s);
  for (size_t at = 0; at < size; at += piece)
    server_feed(&s, stream + at, size - at < piece ? size - at : piece);
  server_settle(&s);
  *length = s.session.output.len;
  char *out = buffer_take(&s.session.output);
  server_clear(&s);
  return out;
}

static void check_answers(const char *out, size_t length) {
  struct frame_reader reader;
  const char *body, *why;
  size_t size;
  frame_reader_init(&reader);
  frame_feed(&reader, out, length);
  enum frame_result result;
  while ((result = frame_next(&reader, &body, &size, &why)) == FRAME_MESSAGE) {
    json_t *json = json_loadb(body, size, JSON_ALLOW_NUL, NULL);
    FUZZ_REQUIRE(json_is_object(json));
    const char *version = json_string_value(json_object_get(json, "jsonrpc"));
    FUZZ_REQUIRE(version && strcmp(version, "2.0") == 0);
    bool is_answer = json_object_get(json, "result") || json_object_get(json, "error");
    FUZZ_REQUIRE(is_answer != (json_object_get(json, "method") != NULL));
    FUZZ_REQUIRE(!is_answer || json_object_get(json, "id"));
    json_decref(json);
  }
  FUZZ_REQUIRE(result == FRAME_MORE && reader.at == reader.in.len);
  frame_reader_clear(&reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bool is_list = size && data[0] == '{';
  struct buffer stream;
  buffer_init(&stream);
  if (is_list)
    frame_lines(&stream, (const char *)data, size);
  else
    buffer_add(&stream, (const char *)data, size);
  size_t whole_length, pieces_length;
  char *whole = answers(buffer_text(&stream), stream.len, stream.len + 1, is_list, &whole_length);
  char *pieces = answers(buffer_text(&stream), stream.len, 7, is_list, &pieces_length);
  FUZZ_REQUIRE(whole_length == pieces_length &&
               (!whole_length || memcmp(whole, pieces, whole_length) == 0));
  check_answers(whole, whole_length);
  free(whole);
  free(pieces);
  buffer_clear(&stream);
  return 0;
}
