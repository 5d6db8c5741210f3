/* Messages out of a stream: whatever the pieces, whatever the mistakes. */
#include <stdlib.h>
#include <string.h>

#include "lsp/frame.h"
#include "testlib.h"

/* "m:BODY" and "!" for each message and mistake, in pieces of a size; 0: random sizes. */
static char *read_stream(const char *stream, size_t length, size_t piece, struct rng *rng,
                         size_t max_body) {
  struct frame_reader r;
  struct buffer out;
  frame_reader_init(&r);
  buffer_init(&out);
  r.max_body = max_body;
  for (size_t at = 0; at < length;) {
    size_t n = piece ? piece : 1 + (size_t)rng_below(rng, 40);
    if (n > length - at) n = length - at;
    frame_feed(&r, stream + at, n);
    at += n;
    const char *body, *why;
    size_t size;
    enum frame_result result;
    while ((result = frame_next(&r, &body, &size, &why)) != FRAME_MORE) {
      if (result == FRAME_BAD)
        buffer_putc(&out, '!');
      else
        buffer_printf(&out, "m:%.*s", (int)size, body);
    }
  }
  frame_reader_clear(&r);
  return out.len ? buffer_take(&out) : strdup("");
}

static void expect(const char *stream, const char *expected) {
  struct rng rng;
  rng = rng_seeded(7);
  for (size_t piece = 0; piece < 12; piece++) {
    char *found = read_stream(stream, strlen(stream), piece, &rng, 100);
    assert_string_equal(found, expected);
    free(found);
  }
  char *found = read_stream(stream, strlen(stream), strlen(stream), &rng, 100);
  assert_string_equal(found, expected);
  free(found);
}

static void messages_are_found_in_any_pieces(void **state) {
  (void)state;
  expect("", "");
  expect("Content-Length: 3\r\n\r\nabcContent-Length: 0\r\n\r\nContent-Length: 2\r\n\r\nde",
         "m:abcm:m:de");
  expect("content-LENGTH:3\n\nabc", "m:abc");
  expect("Content-Type: x\r\nContent-Length: 1\r\nX: y\r\n\r\nz", "m:z");
  expect("Content-Length: 5\r\n\r\na\r\n\r\n", "m:a\r\n\r\n");
  expect("Content-Length: 10\r\n\r\nabc", "");
  expect("Content-Length: 2\r\nContent-Length: 3\r\n\r\nabc", "m:abc");
}

static void mistakes_are_reported_once_and_the_next_message_is_found(void **state) {
  (void)state;
  expect("Content-Length: x\r\n\r\nContent-Length: 1\r\n\r\na", "!m:a");
  expect("Content-Length: -1\r\n\r\nContent-Length: 1\r\n\r\na", "!m:a");
  expect("Content-Length: 1 2\r\n\r\nContent-Length: 1\r\n\r\na", "!m:a");
  expect("Content-Length:\r\n\r\nContent-Length: 1\r\n\r\na", "!m:a");
  expect("Content-Length: 1000000000000000000000\r\n\r\nContent-Length: 1\r\n\r\na", "!m:a");
  expect("GET / HTTP/1.1\r\n\r\n some text Content Content-Length: 1\r\n\r\na", "!m:a");
  expect("\r\n\r\nContent-Length: 1\r\n\r\na", "!m:a");
}

static void a_large_message_is_stepped_over(void **state) {
  (void)state;
  struct buffer stream;
  buffer_init(&stream);
  buffer_puts(&stream, "Content-Length: 101\r\n\r\n");
  buffer_fill(&stream, 'C', 101);
  buffer_puts(&stream, "Content-Length: 100\r\n\r\n");
  buffer_fill(&stream, 'x', 100);
  char expected[128] = "!m:";
  memset(expected + 3, 'x', 100);
  expect(buffer_text(&stream), expected);
  buffer_clear(&stream);
}

static void memory_stays_bounded_while_skipping(void **state) {
  (void)state;
  struct frame_reader r;
  frame_reader_init(&r);
  const char *body, *why;
  size_t size;
  char chunk[65536];
  memset(chunk, 'A', sizeof chunk);
  const char *head = "Content-Length: 999999999999\r\n\r\n";
  frame_feed(&r, head, strlen(head));
  assert_int_equal(frame_next(&r, &body, &size, &why), FRAME_BAD);
  for (int i = 0; i < 200; i++) {
    frame_feed(&r, chunk, sizeof chunk);
    assert_int_equal(frame_next(&r, &body, &size, &why), FRAME_MORE);
  }
  assert_true(r.in.cap < 4 * sizeof chunk);
  frame_reader_clear(&r);
  /* a header without end is given up, and so is what follows */
  frame_reader_init(&r);
  int bad = 0;
  for (int i = 0; i < 200; i++) {
    frame_feed(&r, chunk, sizeof chunk);
    while (frame_next(&r, &body, &size, &why) == FRAME_BAD)
      bad++;
  }
  assert_int_equal(bad, 1);
  assert_true(r.in.cap < 4 * sizeof chunk);
  frame_reader_clear(&r);
}

/* Random streams of good messages and garbage without a C: all good ones are found. */
static void random_streams(void **state) {
  (void)state;
  struct rng rng;
  rng = rng_seeded(20);
  for (int round = 0; round < 300; round++) {
    struct buffer stream, expected;
    buffer_init(&stream);
    buffer_init(&expected);
    bool is_lost = false;
    for (uint64_t i = rng_below(&rng, 6); i > 0; i--) {
      if (rng_below(&rng, 3) == 0) {
        uint64_t n = rng_below(&rng, 30);
        for (uint64_t j = 0; j < n; j++)
          buffer_putc(&stream, "ab:\r 1"[rng_below(&rng, 6)]);
        buffer_puts(&stream, "\n\n");
        if (!is_lost) buffer_putc(&expected, '!');
        is_lost = true;
      } else {
        uint64_t n = rng_below(&rng, 50);
        buffer_printf(&stream, "Content-Length: %d\r\n\r\n", (int)n);
        buffer_puts(&expected, "m:");
        for (uint64_t j = 0; j < n; j++) {
          char c = "Content-Length: 1\r\n"[rng_below(&rng, 19)];
          buffer_putc(&stream, c);
          buffer_putc(&expected, c);
        }
        is_lost = false;
      }
    }
    for (size_t piece = 0; piece < 3; piece++) {
      char *found = read_stream(buffer_text(&stream), stream.len, piece, &rng, 100);
      assert_string_equal(found, buffer_text(&expected));
      free(found);
    }
    buffer_clear(&stream);
    buffer_clear(&expected);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(messages_are_found_in_any_pieces),
      cmocka_unit_test(mistakes_are_reported_once_and_the_next_message_is_found),
      cmocka_unit_test(a_large_message_is_stepped_over),
      cmocka_unit_test(memory_stays_bounded_while_skipping),
      cmocka_unit_test(random_streams),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
