/* couplet serve: the playground in the browser. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/exit_codes.h"
#include "cli/cli.h"
#include "cli/file_run.h"
#include "lang/translate/beside.h"
#include "serve/guard.h"
#include "serve/serve.h"

enum { DEFAULT_PORT = 7417, DEFAULT_REQUESTS = 4, MOST_REQUESTS = 64, MOST_PORT = 65535 };

struct serve_args {
  const char *folder, *bind;
  long port, jobs, memory;
  double timeout, search;
  bool no_open;
};

static const struct option_spec specs[] = {
    OPTION(struct serve_args, INTEGER, port, "port", "P",
           "listen at this port; 0: any free one (default 7417)"),
    OPTION(struct serve_args, STRING, folder, "folder", "DIR",
           "where the gallery comes from (default: the examples of Couplet)"),
    OPTION(struct serve_args, FLAG, no_open, "no-open", NULL,
           "print the address, but do not open it in a browser"),
    OPTION(struct serve_args, STRING, bind, "bind", "ADDRESS",
           "listen at another address than 127.0.0.1: others may reach it"),
    OPTION(struct serve_args, SECONDS, timeout, "timeout", "S",
           "seconds to verify a text (default 60)"),
    SEARCH_OPTION(struct serve_args, search),
    OPTION(struct serve_args, INTEGER, jobs, "jobs", "N",
           "requests that are worked on at once (default 4)"),
    OPTION(struct serve_args, INTEGER, memory, "memory", "MB",
           "memory limit of a request (default: 4096; 0: none)"),
};

/* ---- the browser ----------------------------------------------------------------------------- */

/* The address has the token in it, and command lines can be read by everybody on the machine: the
 * browser gets a file that only the user can read, which leads there. xmalloc'd; NULL: no file. */
static char *write_redirect(const char *url) {
  const char *folder = getenv("XDG_RUNTIME_DIR");
  char *path = xasprintf("%s/couplet-XXXXXX.html", folder && *folder ? folder : "/tmp");
  int file = mkstemps(path, (int)strlen(".html"));
  FILE *f = file >= 0 ? fdopen(file, "w") : NULL;
  bool ok = f && fprintf(f,
                         "<!DOCTYPE html><meta charset=\"utf-8\"><title>Couplet</title>"
                         "<meta http-equiv=\"refresh\" content=\"0;url=%s\">\n",
                         url) > 0;
  if (f && fclose(f) != 0) ok = false;
  if (ok) return path;
  if (file >= 0) unlink(path);
  free(path);
  return NULL;
}

static bool has_screen(void) {
  const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
  return isatty(STDOUT_FILENO) && ((x && *x) || (wayland && *wayland));
}

static void open_browser(const char *path) {
  if (fork() != 0) return; /* reaped by the server like its other children */
  if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(1);
  execlp("xdg-open", "xdg-open", path, (char *)NULL);
  _exit(1);
}

struct opening {
  bool is_wanted;
  char *path; /* of the redirect, to be removed at the end */
};

static void announce(void *context, const char *url) {
  struct opening *opening = context;
  printf("Couplet playground: %s\nCtrl-C ends it.\n", url);
  fflush(stdout);
  if (!opening->is_wanted) return;
  opening->path = write_redirect(url);
  if (opening->path) open_browser(opening->path);
}

/* ---- the command ----------------------------------------------------------------------------- */

/* The real path of the folder; NULL: *why. */
static char *find_folder(const char *given, char **why) {
  static const char *const places[] = {"../examples", "../share/couplet/examples",
                                       "../share/doc/couplet/examples"};
  char *found = given ? xstrdup(given)
                      : beside_program(places, sizeof places / sizeof *places, "/correct/svt.dp");
  if (!given && found) *strrchr(found, '/') = '\0', *strrchr(found, '/') = '\0';
  char *real = found ? realpath(found, NULL) : NULL;
  struct stat st;
  if (!real || stat(real, &st) != 0 || !S_ISDIR(st.st_mode)) {
    *why = given ? xasprintf("--folder: '%s' is not a folder", given)
                 : xstrdup("the examples are not where they were installed: give --folder DIR");
    free(real);
    real = NULL;
  }
  free(found);
  return real;
}

static char *misuse(const struct serve_args *args, size_t words) {
  if (words) return xstrdup("it takes no file: texts are typed in the page, or in --folder DIR");
  if (args->port > MOST_PORT) return xasprintf("--port must be at most %d", MOST_PORT);
  if (args->jobs < 1 || args->jobs > MOST_REQUESTS)
    return xasprintf("--jobs must be between 1 and %d", MOST_REQUESTS);
  return NULL;
}

static int serve(const struct serve_args *args, const char *folder) {
  static const char *const places[] = {"playground", "../share/couplet/playground"};
  char *bundle = beside_program(places, sizeof places / sizeof *places, "/bundle.js"), *why = NULL;
  struct serve_options options = {.address = args->bind ? args->bind : "127.0.0.1",
                                  .port = (unsigned)args->port,
                                  .folder = folder,
                                  .editor = bundle,
                                  .requests = args->jobs,
                                  .worker = {verify_default_options(), args->memory}};
  options.worker.verify.timeout = args->timeout;
  options.worker.verify.search = args->search;
  if (args->bind && !guard_is_loopback(args->bind))
    fprintf(stderr,
            "couplet serve: warning: %s can be reached from other machines. Whoever has the token "
            "can use this one to verify; the connection is not encrypted.\n",
            args->bind);
  struct opening opening = {.is_wanted = !args->no_open && has_screen()};
  int status = serve_run(&options, announce, &opening, &why);
  if (why) fprintf(stderr, "couplet serve: %s\n", why);
  if (opening.path) unlink(opening.path);
  free(opening.path);
  free(bundle);
  free(why);
  return status;
}

static int run(const struct cli *cli, const struct command *self, int argc, char **argv) {
  const struct verify_options usual = verify_default_options();
  struct serve_args args = {.port = DEFAULT_PORT,
                            .jobs = DEFAULT_REQUESTS,
                            .memory = DEFAULT_MEMORY_MB,
                            .timeout = usual.timeout,
                            .search = usual.search};
  option_list words = {0};
  int status;
  bool parsed = cli_parse(cli, self, &args, argc, argv, &words, &status);
  char *why = parsed ? misuse(&args, words.len) : NULL;
  vec_clear(&words);
  if (!parsed) return status;
  if (why) return cli_usage_error(cli, self, why);
  char *folder = find_folder(args.folder, &why);
  if (folder) {
    status = serve(&args, folder);
  } else {
    fprintf(stderr, "couplet serve: %s\n", why);
    status = COUPLET_EXIT_INPUT;
  }
  free(why);
  free(folder);
  return status;
}

const struct command command_serve = {.name = "serve",
                                      .usage = "[OPTION]...",
                                      .summary = "a playground in the browser, on this machine",
                                      .options = specs,
                                      .option_count = sizeof specs / sizeof *specs,
                                      .run = run};
