/* The server: HTTP by libmicrohttpd, one thread, one loop.
 *
 * A request is checked by its head before any of its body is taken. The body goes to a child
 * (task.h); meanwhile the connection is suspended, and resumed when there is something to send. A
 * connection has a deadline at all times - for the request to arrive, for the work, for the answer
 * to be taken - and is shut down when it passes, so that slow peers cannot hold places. */
#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/exit_codes.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/vec.h"
#include "serve/api.h"
#include "serve/guard.h"
#include "serve/pages.h"
#include "serve/task.h"

enum {
  BODY_BYTES = 2 << 20,    /* of a request */
  ANSWER_BYTES = 64 << 20, /* of an answer that is not a stream */
  HEAD_BYTES = 32 << 10,   /* head of a request and buffers of a connection */
  CONNECTIONS = 128,       /* at once; with the pipes far below FD_SETSIZE */
  REQUEST_SECONDS = 20,    /* for a request to arrive, and between requests */
  ANSWER_SECONDS = 60,     /* for an answer to be taken */
  VERIFY_MARGIN = 20,      /* seconds beyond the time limit of a verification */
  TICK_MS = 1000,          /* how often deadlines are looked at */
  JOB_NAME = 64,           /* characters */
  HTTP_TOO_LARGE = 413     /* has other names in other versions of the library */
};

struct server;

/* An open connection. */
struct peer {
  struct server *server;
  int socket;
  double deadline;
};

/* A request on its way. */
struct exchange {
  struct server *server;
  struct MHD_Connection *connection;
  struct peer *peer;
  const struct api *api;
  char job[JOB_NAME + 1]; /* by which it can be cancelled; may be empty */
  struct buffer body;
  bool is_too_large, has_started, has_ended, is_suspended;
  struct task task;
  size_t sent; /* of the task's output */
};

struct server {
  const struct serve_options *options;
  struct guard guard;
  struct MHD_Daemon *daemon;
  VEC(struct peer *) peers;
  VEC(struct exchange *) working; /* those with a task */
};

/* ---- answers --------------------------------------------------------------------------------- */

static void add_safety(struct MHD_Response *r, const char *nonce) {
  char *policy = page_policy(nonce);
  MHD_add_response_header(r, "Content-Security-Policy", policy);
  free(policy);
  MHD_add_response_header(r, "X-Content-Type-Options", "nosniff");
  MHD_add_response_header(r, "X-Frame-Options", "DENY");
  MHD_add_response_header(r, "Referrer-Policy", "no-referrer");
  MHD_add_response_header(r, "Cross-Origin-Resource-Policy", "same-origin");
  MHD_add_response_header(r, "Cross-Origin-Opener-Policy", "same-origin");
  MHD_add_response_header(r, "Cache-Control", "no-store");
}

static enum MHD_Result queue(struct MHD_Connection *connection, struct peer *peer, unsigned status,
                             struct MHD_Response *r, const char *type, const char *nonce) {
  if (!r) return MHD_NO;
  add_safety(r, nonce);
  MHD_add_response_header(r, "Content-Type", type);
  if (status == MHD_HTTP_TOO_MANY_REQUESTS) MHD_add_response_header(r, "Retry-After", "2");
  if (peer) peer->deadline = task_now() + ANSWER_SECONDS;
  enum MHD_Result ok = MHD_queue_response(connection, status, r);
  MHD_destroy_response(r);
  return ok;
}

static enum MHD_Result answer_text(struct MHD_Connection *connection, struct peer *peer,
                                   unsigned status, const char *text, size_t length) {
  struct MHD_Response *r =
      MHD_create_response_from_buffer(length, (void *)text, MHD_RESPMEM_MUST_COPY);
  return queue(connection, peer, status, r, "application/json", "none");
}

static enum MHD_Result refuse(struct MHD_Connection *connection, struct peer *peer, unsigned status,
                              const char *why) {
  char *text = xasprintf("{\"error\": \"%s\"}\n", why); /* our own words: nothing to escape */
  enum MHD_Result ok = answer_text(connection, peer, status, text, strlen(text));
  free(text);
  return ok;
}

/* ---- what came of a task --------------------------------------------------------------------- */

/* NULL: it ended as it should. */
static const char *trouble(const struct exchange *x, unsigned *status) {
  const struct task *t = &x->task;
  *status = MHD_HTTP_OK;
  if (t->timed_out) {
    *status = MHD_HTTP_GATEWAY_TIMEOUT;
    return "the time limit of the server was reached";
  }
  if (memory_was_exhausted(t->status)) {
    *status = MHD_HTTP_INSUFFICIENT_STORAGE;
    return "the memory limit of the server was reached";
  }
  if (!WIFEXITED(t->status) || (WEXITSTATUS(t->status) != COUPLET_EXIT_PROVED &&
                                WEXITSTATUS(t->status) != COUPLET_EXIT_INPUT)) {
    *status = MHD_HTTP_INTERNAL_SERVER_ERROR;
    return "internal error: the process that worked on the request died";
  }
  if (WEXITSTATUS(t->status) == COUPLET_EXIT_INPUT) *status = MHD_HTTP_BAD_REQUEST;
  return NULL;
}

static enum MHD_Result answer_collected(struct exchange *x) {
  unsigned status;
  const char *why = trouble(x, &status);
  if (why) return refuse(x->connection, x->peer, status, why);
  return answer_text(x->connection, x->peer, status, buffer_text(&x->task.out), x->task.out.len);
}

/* ---- streams --------------------------------------------------------------------------------- */

/* Gives what has arrived; suspends the connection when that is nothing. */
static ssize_t read_stream(void *context, uint64_t position, char *out, size_t most) {
  (void)position;
  struct exchange *x = context;
  size_t left = x->task.out.len - x->sent;
  if (left) {
    size_t n = left < most ? left : most;
    memcpy(out, x->task.out.text + x->sent, n);
    x->sent += n;
    if (x->sent == x->task.out.len) x->sent = x->task.out.len = 0;
    return (ssize_t)n;
  }
  if (x->has_ended) return MHD_CONTENT_READER_END_OF_STREAM;
  x->is_suspended = true;
  MHD_suspend_connection(x->connection);
  return 0;
}

static enum MHD_Result answer_stream(struct exchange *x) {
  enum { BLOCK = 16384 };
  struct MHD_Response *r =
      MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read_stream, x, NULL);
  enum MHD_Result ok =
      queue(x->connection, x->peer, MHD_HTTP_OK, r, "application/x-ndjson", "none");
  x->peer->deadline = x->task.deadline + ANSWER_SECONDS;
  return ok;
}

/* ---- the work -------------------------------------------------------------------------------- */

static int work(void *context, int out) {
  const struct exchange *x = context;
  struct api_context api = {x->server->options, out};
  return api_answer(x->api, &api, x->body.text, x->body.len);
}

static size_t running(const struct server *s) {
  size_t count = 0;
  for (size_t i = 0; i < s->working.len; i++)
    count += !s->working.at[i]->has_ended;
  return count;
}

/* The whole request is there. */
static enum MHD_Result start_work(struct exchange *x) {
  struct server *s = x->server;
  if (x->is_too_large)
    return refuse(x->connection, x->peer, HTTP_TOO_LARGE, "the request is too large");
  if (running(s) >= (size_t)s->options->requests)
    return refuse(x->connection, x->peer, MHD_HTTP_TOO_MANY_REQUESTS,
                  "the server is busy: try again in a moment");
  const struct worker_options *limits = &s->options->worker;
  double seconds = x->api->seconds > 0 ? x->api->seconds : limits->verify.timeout + VERIFY_MARGIN;
  if (!task_start(&x->task, work, x, seconds, limits->memory_mb))
    return refuse(x->connection, x->peer, MHD_HTTP_SERVICE_UNAVAILABLE,
                  "no process could be started");
  buffer_clear(&x->body); /* the child has it */
  x->has_started = true;
  vec_push(&s->working, x);
  if (x->api->is_stream) return answer_stream(x);
  x->peer->deadline = x->task.deadline + ANSWER_SECONDS;
  x->is_suspended = true;
  MHD_suspend_connection(x->connection);
  return MHD_YES;
}

static void resume(struct exchange *x) {
  if (!x->is_suspended) return;
  x->is_suspended = false;
  MHD_resume_connection(x->connection);
}

/* A stream that broke off says so in its last line. */
static void end_work(struct exchange *x) {
  unsigned status;
  const char *why = trouble(x, &status);
  x->has_ended = true;
  if (why && x->api->is_stream)
    buffer_printf(&x->task.out, "\n{\"event\": \"failed\", \"error\": \"%s\"}\n", why);
}

static void receive(struct exchange *x) {
  bool over = task_receive(&x->task);
  if (!over && !x->api->is_stream && x->task.out.len > ANSWER_BYTES) {
    x->task.deadline = 0; /* nobody asked for that much */
    task_enforce_deadline(&x->task);
  }
  if (over) end_work(x);
  if (over || x->api->is_stream) resume(x);
}

static enum MHD_Result cancel(struct server *s, struct MHD_Connection *connection,
                              struct peer *peer, const char *job) {
  size_t found = 0;
  for (size_t i = 0; job && *job && i < s->working.len; i++)
    if (strcmp(s->working.at[i]->job, job) == 0) {
      task_interrupt(&s->working.at[i]->task);
      found++;
    }
  return found ? answer_text(connection, peer, MHD_HTTP_OK, "{}\n", 3)
               : refuse(connection, peer, MHD_HTTP_NOT_FOUND, "nothing of that name is running");
}

/* ---- heads of requests ----------------------------------------------------------------------- */

static const char *field(struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static bool is_json(const char *type) {
  static const char wanted[] = "application/json";
  size_t n = strlen(wanted);
  return type && strncasecmp(type, wanted, n) == 0 && (!type[n] || strchr("; ", type[n]));
}

/* Why the request is not heard, or NULL. */
static const char *objection(const struct server *s, struct MHD_Connection *connection, bool is_api,
                             unsigned *status) {
  const char *host = field(connection, "Host");
  *status = MHD_HTTP_FORBIDDEN;
  if (!guard_host(&s->guard, host)) return "the request was sent to another name";
  if (!guard_origin(field(connection, "Origin"), host)) return "another page sent the request";
  if (!is_api) return NULL;
  if (!guard_site(field(connection, "Sec-Fetch-Site"))) return "another page sent the request";
  *status = MHD_HTTP_UNAUTHORIZED;
  if (!guard_token(&s->guard, field(connection, "X-Couplet-Token")))
    return "the token is not that of this server: open the address it printed";
  *status = MHD_HTTP_UNSUPPORTED_MEDIA_TYPE;
  return is_json(field(connection, "Content-Type")) ? NULL : "requests are application/json";
}

static enum MHD_Result send_page(const struct server *s, struct MHD_Connection *connection,
                                 struct peer *peer, const char *path) {
  char nonce[PAGE_NONCE + 1];
  if (!guard_random(nonce, PAGE_NONCE))
    return refuse(connection, peer, MHD_HTTP_INTERNAL_SERVER_ERROR, "no random numbers");
  struct buffer text;
  buffer_init(&text);
  const char *type = page_get(&text, s->options, path, nonce);
  enum MHD_Result ok =
      type ? queue(connection, peer, MHD_HTTP_OK,
                   MHD_create_response_from_buffer(text.len, (void *)buffer_text(&text),
                                                   MHD_RESPMEM_MUST_COPY),
                   type, nonce)
           : refuse(connection, peer, MHD_HTTP_NOT_FOUND, "there is no such page");
  buffer_clear(&text);
  return ok;
}

/* The head of a POST; a new exchange if its body is wanted. */
static enum MHD_Result begin_post(struct server *s, struct MHD_Connection *connection,
                                  struct peer *peer, const char *path, void **kept) {
  const char *name = strncmp(path, "/api/", 5) == 0 ? path + 5 : "";
  const char *length = field(connection, "Content-Length"),
             *job = field(connection, "X-Couplet-Job");
  if (strcmp(name, "cancel") == 0) return cancel(s, connection, peer, job);
  const struct api *api = api_find(name);
  if (!api) return refuse(connection, peer, MHD_HTTP_NOT_FOUND, "there is no such request");
  if (length && (strlen(length) > 9 || strtoul(length, NULL, 10) > BODY_BYTES))
    return refuse(connection, peer, HTTP_TOO_LARGE, "the request is too large");
  struct exchange *x = xcalloc(1, sizeof *x);
  *x = (struct exchange){.server = s, .connection = connection, .peer = peer, .api = api};
  x->task.child.pipe = -1;
  if (job && strlen(job) <= JOB_NAME) strcpy(x->job, job);
  *kept = x;
  return MHD_YES;
}

static void take_body(struct exchange *x, const char *data, size_t length) {
  if (x->body.len + length > BODY_BYTES) x->is_too_large = true;
  if (!x->is_too_large) buffer_add(&x->body, data, length);
}

static struct peer *peer_of(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *data,
                              size_t *length, void **kept) {
  (void)version;
  struct server *s = context;
  struct exchange *x = *kept;
  struct peer *peer = peer_of(connection);
  if (!peer) return MHD_NO;
  if (x && *length) {
    take_body(x, data, *length);
    *length = 0;
    return MHD_YES;
  }
  if (x) return x->has_started ? answer_collected(x) : start_work(x);
  bool is_post = strcmp(method, "POST") == 0, is_get = strcmp(method, "GET") == 0;
  if (!is_post && !is_get && strcmp(method, "HEAD") != 0)
    return refuse(connection, peer, MHD_HTTP_METHOD_NOT_ALLOWED, "the methods are GET and POST");
  unsigned status;
  const char *why = objection(s, connection, is_post, &status);
  if (why) return refuse(connection, peer, status, why);
  return is_post ? begin_post(s, connection, peer, path, kept)
                 : send_page(s, connection, peer, path);
}

/* ---- connections ----------------------------------------------------------------------------- */

static void request_completed(void *context, struct MHD_Connection *connection, void **kept,
                              enum MHD_RequestTerminationCode how) {
  (void)how;
  struct server *s = context;
  struct exchange *x = *kept;
  struct peer *peer = peer_of(connection);
  if (peer) peer->deadline = task_now() + REQUEST_SECONDS; /* for the next one */
  if (!x) return;
  size_t left = 0;
  for (size_t i = 0; i < s->working.len; i++)
    if (s->working.at[i] != x) s->working.at[left++] = s->working.at[i];
  s->working.len = left;
  task_clear(&x->task);
  buffer_clear(&x->body);
  free(x);
  *kept = NULL;
}

static void connection_changed(void *context, struct MHD_Connection *connection, void **kept,
                               enum MHD_ConnectionNotificationCode what) {
  struct server *s = context;
  if (what == MHD_CONNECTION_NOTIFY_STARTED) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct peer *p = xcalloc(1, sizeof *p);
    *p = (struct peer){s, info ? info->connect_fd : -1, task_now() + REQUEST_SECONDS};
    vec_push(&s->peers, p);
    *kept = p;
    return;
  }
  size_t left = 0;
  for (size_t i = 0; i < s->peers.len; i++)
    if (s->peers.at[i] != *kept) s->peers.at[left++] = s->peers.at[i];
  s->peers.len = left;
  free(*kept);
  *kept = NULL;
}

/* While a connection is suspended, libmicrohttpd does not look at it. */
static bool has_left(const struct exchange *x) {
  char byte;
  return x->is_suspended && recv(x->peer->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

/* Whoever is too slow is cut off; libmicrohttpd closes what is shut down. Nobody waits for the work
 * of those who have left. */
static void enforce_deadlines(struct server *s) {
  double now = task_now();
  for (size_t i = 0; i < s->peers.len; i++)
    if (now > s->peers.at[i]->deadline && s->peers.at[i]->socket >= 0)
      shutdown(s->peers.at[i]->socket, SHUT_RDWR);
  for (size_t i = 0; i < s->working.len; i++) {
    struct exchange *x = s->working.at[i];
    if (has_left(x)) x->task.deadline = now;
    task_enforce_deadline(&x->task);
  }
}

/* ---- the loop -------------------------------------------------------------------------------- */

/* Children, and their children when they are gone: all come here to be reaped. */
static void reap(struct server *s) {
  int status;
  for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
    for (size_t i = 0; i < s->working.len; i++)
      if (task_take_status(&s->working.at[i]->task, pid, status)) break;
}

static struct timeval wait_time(const struct server *s) {
  MHD_UNSIGNED_LONG_LONG ms = TICK_MS, wanted;
  if (MHD_get_timeout(s->daemon, &wanted) == MHD_YES && wanted < ms) ms = wanted;
  return (struct timeval){(time_t)(ms / 1000), (suseconds_t)(ms % 1000 * 1000)};
}

/* Is more of its output wanted now? A stream waits for its reader. */
static bool is_heard(const struct exchange *x) {
  return !x->has_ended && !(x->api->is_stream && x->task.out.len - x->sent > TASK_BACKLOG);
}

/* Waits for something to happen and handles it. Level-triggered: with epoll, libmicrohttpd does not
 * notice a peer that leaves together with its last bytes. */
static void turn(struct server *s) {
  fd_set in, out, odd;
  int most = 0;
  FD_ZERO(&in);
  FD_ZERO(&out);
  FD_ZERO(&odd);
  MHD_get_fdset(s->daemon, &in, &out, &odd, &most);
  for (size_t i = 0; i < s->working.len; i++) {
    const struct exchange *x = s->working.at[i];
    if (!is_heard(x)) continue;
    FD_SET(x->task.child.pipe, &in);
    if (x->task.child.pipe > most) most = x->task.child.pipe;
  }
  struct timeval time = wait_time(s);
  if (select(most + 1, &in, &out, &odd, &time) < 0) {
    FD_ZERO(&in); /* a signal: look again */
    FD_ZERO(&out);
    FD_ZERO(&odd);
  }
  for (size_t i = 0; i < s->working.len; i++) {
    struct exchange *x = s->working.at[i];
    if (is_heard(x) && FD_ISSET(x->task.child.pipe, &in)) receive(x);
  }
  enforce_deadlines(s);
  MHD_run_from_select(s->daemon, &in, &out, &odd);
  reap(s);
}

static void stop(struct server *s) {
  for (size_t i = 0; i < s->working.len; i++) {
    struct exchange *x = s->working.at[i];
    task_clear(&x->task); /* what it has sent is lost: nobody waits any more */
    x->sent = 0;
    x->has_ended = true;
    resume(x);
  }
  MHD_stop_daemon(s->daemon);
  vec_clear(&s->peers);
  vec_clear(&s->working);
}

/* ---- beginning ------------------------------------------------------------------------------- */

static bool address_of(const struct serve_options *o, struct sockaddr_storage *out, int *family) {
  struct sockaddr_in *four = (struct sockaddr_in *)out;
  struct sockaddr_in6 *six = (struct sockaddr_in6 *)out;
  memset(out, 0, sizeof *out);
  if (inet_pton(AF_INET, o->address, &four->sin_addr) == 1) {
    *family = four->sin_family = AF_INET;
    four->sin_port = htons((uint16_t)o->port);
    return true;
  }
  *family = six->sin6_family = AF_INET6;
  six->sin6_port = htons((uint16_t)o->port);
  return inet_pton(AF_INET6, o->address, &six->sin6_addr) == 1;
}

/* No name of ours needs it, and %00 would end one early. */
static size_t keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  return strlen(text);
}

static bool listen_at(struct server *s, const struct sockaddr_storage *address, int family) {
  unsigned flags = MHD_ALLOW_SUSPEND_RESUME | (family == AF_INET6 ? MHD_USE_IPv6 : 0);
  s->daemon = MHD_start_daemon(
      flags, s->options->port ? (uint16_t)s->options->port : 0, NULL, NULL, handle, s,
      MHD_OPTION_SOCK_ADDR, (const struct sockaddr *)address, MHD_OPTION_CONNECTION_LIMIT,
      (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEAD_BYTES,
      MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)ANSWER_SECONDS, MHD_OPTION_STRICT_FOR_CLIENT, 1,
      MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL, MHD_OPTION_NOTIFY_COMPLETED,
      request_completed, s, MHD_OPTION_NOTIFY_CONNECTION, connection_changed, s,
      MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
  return s->daemon != NULL;
}

static char *url_of(const struct server *s, int family) {
  const char *left = family == AF_INET6 ? "[" : "", *right = family == AF_INET6 ? "]" : "";
  bool everywhere =
      strcmp(s->options->address, "0.0.0.0") == 0 || strcmp(s->options->address, "::") == 0;
  if (everywhere) return xasprintf("http://127.0.0.1:%u/#token=%s", s->guard.port, s->guard.token);
  return xasprintf("http://%s%s%s:%u/#token=%s", left, s->options->address, right, s->guard.port,
                   s->guard.token);
}

static void serve(struct server *s, serve_ready *ready, void *context, int family) {
  const union MHD_DaemonInfo *port = MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT);
  s->guard.port = port ? port->port : s->options->port;
  char *url = url_of(s, family);
  ready(context, url);
  free(url);
  while (!*interrupt_flag())
    turn(s);
}

int serve_run(const struct serve_options *options, serve_ready *ready, void *context, char **why) {
  struct server s = {.options = options};
  struct sockaddr_storage address;
  int family;
  if (!address_of(options, &address, &family)) {
    *why = xasprintf("'%s' is not a numeric address: give 127.0.0.1, say", options->address);
    return COUPLET_EXIT_USAGE;
  }
  s.guard.is_open = !guard_is_loopback(options->address);
  if (!guard_random(s.guard.token, GUARD_TOKEN)) {
    *why = xstrdup("the system gives no random numbers");
    return COUPLET_EXIT_INTERNAL;
  }
  signal(SIGPIPE, SIG_IGN);
  interrupt_catch();
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  unsetenv("COUPLET_INCLUDE"); /* no file outside the folder */
  if (!listen_at(&s, &address, family)) {
    *why = xasprintf("cannot listen at %s, port %u: %s; another port: --port P", options->address,
                     options->port, strerror(errno));
    return COUPLET_EXIT_INPUT;
  }
  serve(&s, ready, context, family);
  stop(&s);
  return COUPLET_EXIT_PROVED;
}
