/* couplet serve: the playground, a web page on this machine (docs/playground.md).
 *
 * http.c talks HTTP by libmicrohttpd in one thread and one loop; guard.h decides who is heard;
 * task.h runs each request in a child process, where api.h answers it; folder.h has the examples.
 * The files of src/serve/web are the page. */
#ifndef COUPLET_SERVE_SERVE_H
#define COUPLET_SERVE_SERVE_H

#include <stdbool.h>

#include "report/judge/worker.h"

struct serve_options {
  const char *address;          /* a number: 127.0.0.1 unless told otherwise */
  unsigned port;                /* 0: any */
  const char *folder;           /* of the examples */
  const char *editor;           /* file of the bundled editor, or NULL */
  long requests;                /* that may be worked on at once */
  struct worker_options worker; /* limits of a verification */
};

/* Called once, when the server listens, with its address. */
typedef void serve_ready(void *context, const char *url);

/* Serves until SIGINT or SIGTERM; the exit status. What goes wrong is in *why (xmalloc'd), also that
 * this build has no server (absent.c). */
int serve_run(const struct serve_options *options, serve_ready *ready, void *context, char **why);

#endif
