/* The language server: reads messages, answers them, watches the verification it started.
 *
 * Language Server Protocol 3.17 over any pair of descriptors. A message that cannot be understood
 * is answered with a JSON-RPC error and the next one is read: nothing a client sends ends the
 * server but `exit` and the end of its input. */
#ifndef COUPLET_LSP_SERVER_H
#define COUPLET_LSP_SERVER_H

#include "lsp/frame.h"
#include "lsp/session.h"

struct server {
  struct session session;
  struct frame_reader reader;
};

void server_init(struct server *server);
void server_clear(struct server *server);

/* Takes bytes as they come and handles every message that is complete. */
void server_feed(struct server *server, const char *bytes, size_t count);
/* Sends diagnostics that are due: to be called when no input waits. */
void server_settle(struct server *server);

/* Runs until `exit` or the end of the input; the exit status of the process. */
int server_run(struct server *server, int input, int output);

#endif
