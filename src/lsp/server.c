#include "lsp/server.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/exit_codes.h"
#include "lsp/dispatch.h"
#include "lsp/features.h"
#include "lsp/jobs.h"

void server_init(struct server *server) {
  session_init(&server->session);
  frame_reader_init(&server->reader);
}

void server_clear(struct server *server) {
  session_clear(&server->session);
  frame_reader_clear(&server->reader);
}

void server_feed(struct server *server, const char *bytes, size_t count) {
  frame_feed(&server->reader, bytes, count);
  while (!server->session.has_exited) {
    const char *body = NULL, *why = NULL;
    size_t length = 0;
    enum frame_result result = frame_next(&server->reader, &body, &length, &why);
    if (result == FRAME_MORE) break;
    if (result == FRAME_BAD)
      session_fail(&server->session, NULL, RPC_PARSE_ERROR, why);
    else
      dispatch_message(&server->session, body, length);
  }
}

void server_settle(struct server *server) {
  struct session *s = &server->session;
  for (size_t i = 0; i < s->documents.len; i++)
    if (s->documents.at[i]->needs_publish) publish_diagnostics(s, s->documents.at[i]);
}

/* ---- the loop -------------------------------------------------------------------------------- */

static void write_output(struct session *s) {
  size_t at = 0;
  while (at < s->output.len) {
    ssize_t n = write(s->descriptor, s->output.text + at, s->output.len - at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) { /* nobody listens */
      s->has_exited = true;
      break;
    }
    at += (size_t)n;
  }
  s->output.len = 0;
}

static bool has_input(int descriptor) {
  struct pollfd p = {.fd = descriptor, .events = POLLIN};
  return poll(&p, 1, 0) > 0;
}

/* Reads once; false at the end of the input. */
static bool read_input(struct server *server, int input) {
  static const size_t CHUNK = 65536;
  char *chunk = xmalloc(CHUNK);
  ssize_t n;
  do
    n = read(input, chunk, CHUNK);
  while (n < 0 && errno == EINTR);
  if (n > 0) server_feed(server, chunk, (size_t)n);
  free(chunk);
  return n > 0;
}

int server_run(struct server *server, int input, int output) {
  struct session *s = &server->session;
  s->descriptor = output;
  s->send = write_output;
  bool is_open = true;
  while (is_open && !s->has_exited) {
    double left = jobs_enforce_deadline(s);
    int timeout = left < 0 ? -1 : (int)(left * 1000) + 1;
    struct pollfd polled[2] = {{.fd = input, .events = POLLIN},
                               {.fd = jobs_descriptor(s), .events = POLLIN}};
    if (poll(polled, 2, timeout) < 0 && errno != EINTR) break;
    if (polled[1].fd >= 0 && polled[1].revents) jobs_receive(s);
    if (polled[0].revents) is_open = read_input(server, input);
    if (is_open && !s->has_exited && !has_input(input)) server_settle(server);
  }
  return s->is_shut_down ? COUPLET_EXIT_PROVED : COUPLET_EXIT_USAGE;
}
