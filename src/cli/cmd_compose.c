/* couplet compose: how private are several mechanisms together?
 *
 * Parts that are known by eps and delta only go through the composition theorems, with --hits
 * through rule AC-HIT: certified upper bounds, rounded up. Where noise is named, and with --epsilon,
 * the accountant (compose/account.h) gives an interval that is certified on both sides. */
#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/exit_codes.h"
#include "cli/cli.h"
#include "cli/compose_file.h"
#include "cli/compose_words.h"
#include "compose/account.h"
#include "compose/compose.h"
#include "num/rational.h"
#include "num/real/decimal.h"
#include "report/record/decimal.h"

enum { SHOWN_DIGITS = 6, INTERVAL_DIGITS = 5 };
static const double DEFAULT_WIDTH = 0.01;

struct compose_options {
  const char *delta, *epsilon;
  double width;
  long hits;
  double timeout;
  bool json;
};

static const struct option_spec compose_specs[] = {
    OPTION(struct compose_options, STRING, delta, "delta", "D", "total delta that may be spent"),
    OPTION(struct compose_options, STRING, epsilon, "epsilon", "E",
           "ask for delta at this eps instead"),
    OPTION(struct compose_options, SECONDS, width, "width", "W",
           "how wide the interval for eps may be (default 0.01)"),
    OPTION(struct compose_options, INTEGER, hits, "hits", "M",
           "the part is a loop body that costs eps only when it hits, at most M times"),
    TIMEOUT_OPTION(struct compose_options, "stop after S seconds"),
    JSON_OPTION(struct compose_options, "result"),
};

/* One line of the answer; a theorem that does not apply has no line. */
struct line {
  const char *theorem, *note;
  fmpq_t eps, delta;
};
typedef VEC(struct line) lines;

static struct line *add_line(lines *all, const char *theorem) {
  struct line line = {.theorem = theorem};
  fmpq_init(line.eps);
  fmpq_init(line.delta);
  vec_push(all, line);
  return &vec_last(all);
}

static void drop_line(lines *all) {
  struct line line = vec_pop(all);
  fmpq_clear(line.eps);
  fmpq_clear(line.delta);
}

static void apply_theorems(lines *all, const compose_parts *parts, const fmpq_t delta, long hits,
                           const struct budget *budget) {
  struct line *line;
  bool is_rounded = false;
  if (hits) {
    line = add_line(all, "hits");
    fmpq_set(line->delta, delta);
    if (!compose_hits(line->eps, parts->at[0].eps, (ulong)hits, delta)) drop_line(all);
    return;
  }
  line = add_line(all, "basic");
  compose_basic(line->eps, line->delta, parts);
  if (fmpq_is_zero(delta)) return;
  line = add_line(all, "advanced");
  fmpq_set(line->delta, delta);
  if (!compose_advanced(line->eps, parts, delta)) drop_line(all);
  line = add_line(all, "optimal");
  fmpq_set(line->delta, delta);
  if (!compose_optimal(line->eps, parts, delta, &is_rounded, budget))
    drop_line(all);
  else if (is_rounded)
    line->note = "eps rounded up to a grid";
}

static char *decimal(const fmpq_t value) {
  struct buffer b;
  buffer_init(&b);
  rational_print_decimal(&b, value, SHOWN_DIGITS, ROUND_UP);
  return buffer_take(&b);
}

static json_t *line_json(const struct line *line, const char *eps, const char *delta) {
  json_t *json = json_pack("{s:s}", "theorem", line->theorem);
  json_set_decimal(json, "epsilon", eps);
  json_set_decimal(json, "delta", delta);
  json_object_set_new(json, "note", line->note ? json_string(line->note) : json_null());
  return json;
}

static void print_lines(struct buffer *b, const lines *all, bool as_json) {
  json_t *list = json_array();
  if (!as_json) buffer_printf(b, "%-10s %-12s %s\n", "theorem", "eps", "delta");
  for (size_t i = 0; i < all->len; i++) {
    const struct line *line = &all->at[i];
    char *eps = decimal(line->eps), *delta = decimal(line->delta);
    if (as_json)
      json_array_append_new(list, line_json(line, eps, delta));
    else
      buffer_printf(b, "%-10s %-12s %s%s%s\n", line->theorem, eps, delta, line->note ? "   " : "",
                    line->note ? line->note : "");
    free(eps);
    free(delta);
  }
  if (as_json) {
    json_put(b, json_pack("{s:i, s:O}", "version", JSON_VERSION, "bounds", list));
  }
  json_decref(list);
}

/* ---- both sides ----------------------------------------------------------------------------- */

static void put_bounds(struct buffer *low, struct buffer *high, const arb_t l, const arb_t h) {
  if (arb_is_negative(l) || !arb_is_finite(l))
    buffer_puts(low, "0");
  else
    ball_print_lower(low, l, INTERVAL_DIGITS);
  if (arb_is_finite(h))
    ball_print_upper(high, h, INTERVAL_DIGITS);
  else
    buffer_puts(high, "1");
}

static void print_interval(struct buffer *b, const struct compose_options *o,
                           const loss_parts *parts, const arb_t l, const arb_t h) {
  struct buffer low, high;
  buffer_init(&low);
  buffer_init(&high);
  put_bounds(&low, &high, l, h);
  const char *asked = o->epsilon ? "delta" : "epsilon", *given = o->epsilon ? "epsilon" : "delta";
  const char *value = o->epsilon ? o->epsilon : o->delta;
  if (o->json) {
    json_t *json = json_pack("{s:i, s:s}", "version", JSON_VERSION, given, value);
    json_t *interval = json_object();
    json_set_decimal(interval, "low", buffer_text(&low));
    json_set_decimal(interval, "high", buffer_text(&high));
    json_object_set_new(json, asked, interval);
    json_put(b, json);
  } else {
    bool above = account_has_curves(parts), other = strcmp(buffer_text(&low), "0") != 0;
    buffer_printf(b, "%s at %s = %s ", asked, given, value);
    if (above && !other)
      buffer_printf(b, "is at most %s (bounds in zcdp and renyi have no lower end)\n",
                    buffer_text(&high));
    else
      buffer_printf(b, "lies between %s and %s%s\n", buffer_text(&low), buffer_text(&high),
                    above ? " (the lower end is without zcdp and renyi)" : "");
  }
  buffer_clear(&low);
  buffer_clear(&high);
}

/* False: no answer, *why. */
static bool account(struct buffer *b, const loss_parts *parts, const struct compose_options *o,
                    const fmpq_t number, const struct budget *budget, const char **why) {
  arb_t low, high;
  arb_init(low);
  arb_init(high);
  double width = o->width > 0 ? o->width : DEFAULT_WIDTH;
  enum account_status status = o->epsilon
                                   ? account_delta(low, high, parts, number, width, budget)
                                   : account_epsilon(low, high, parts, number, width, budget);
  if (status == ACCOUNT_OK) print_interval(b, o, parts, low, high);
  *why = status == ACCOUNT_OUT_OF_TIME
             ? "out of time"
             : "the losses spread too far for a grid: a larger delta, or fewer parts, may do";
  arb_clear(low);
  arb_clear(high);
  return status == ACCOUNT_OK;
}

/* ---- the command ---------------------------------------------------------------------------- */

/* Parts that the theorems take: false if noise is named somewhere. */
static bool pure_parts(compose_parts *out, const loss_parts *parts) {
  ulong count = 0;
  for (size_t i = 0; i < parts->len; i++) {
    const struct loss_part *p = &parts->at[i];
    count += p->count;
    if (p->family != LOSS_PURE || count > COMPOSE_PARTS_MAX) return false;
    compose_parts_push(out, p->a, p->b, p->count);
  }
  return true;
}

static char *read_number(fmpq_t out, const char *option, const char *text) {
  const char *reason;
  if (rational_parse_str(out, text, &reason)) return NULL;
  return xasprintf("--%s: '%s' is not a number: %s", option, text, reason);
}

static char *check_hits(const struct compose_options *o, const loss_parts *parts) {
  if (!o->hits) return NULL;
  if (!o->delta) return xstrdup("--hits needs --delta");
  if (parts->len != 1 || parts->at[0].family != LOSS_PURE || parts->at[0].count != 1 ||
      fmpq_sgn(parts->at[0].b) || fmpq_sgn(parts->at[0].a) <= 0)
    return xstrdup("--hits takes one part: the eps of the loop body, without delta");
  return NULL;
}

static char *check_words(const struct cli *cli, const struct compose_options *o,
                         const option_list *words, loss_parts *parts, fmpq_t number) {
  char *why = NULL;
  ulong count = 0;
  if (words->len == 0) return xstrdup("give at least one part, such as 1/2x10 or gauss:2x100");
  for (size_t i = 0; i < words->len && !why; i++)
    why = compose_is_file(words->at[i]) ? compose_file_read(cli, parts, words->at[i])
                                        : compose_word_read(parts, words->at[i]);
  for (size_t i = 0; i < parts->len; i++)
    count += parts->at[i].count;
  if (!why && count > ACCOUNT_PARTS_MAX)
    why = xasprintf("there may be %d mechanisms at most", ACCOUNT_PARTS_MAX);
  if (!why && loss_parts_mix_sums(parts))
    why = xstrdup(
        "sums of bounds in zcdp and in renyi, or in renyi at two orders, cannot be composed "
        "with each other: state all of these bounds in one way");
  if (!why && o->epsilon && (o->delta || o->hits))
    why = xstrdup("--epsilon asks for delta: it goes with neither --delta nor --hits");
  if (!why && o->epsilon) why = read_number(number, "epsilon", o->epsilon);
  if (!why && o->epsilon && fmpq_sgn(number) < 0) why = xstrdup("--epsilon must not be negative");
  if (!why && o->delta) why = read_number(number, "delta", o->delta);
  if (!why && o->delta &&
      (fmpq_sgn(number) <= 0 || fmpz_cmp(fmpq_numref(number), fmpq_denref(number)) >= 0))
    why = xstrdup("--delta must lie between 0 and 1");
  return why ? why : check_hits(o, parts);
}

/* The accountant polls its budget between phases only; what is printed is printed at the end. */
static void out_of_time(int signal) {
  static const char text[] = "couplet compose: out of time\n";
  (void)signal;
  ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
  (void)written;
  _exit(COUPLET_EXIT_UNKNOWN);
}

static void limit_time(double seconds) {
  if (!(seconds > 0)) return;
  double whole = floor(seconds);
  struct itimerval timer = {
      .it_value = {(time_t)whole, (suseconds_t)((seconds - whole) * 1e6) + 1}};
  signal(SIGALRM, out_of_time);
  setitimer(ITIMER_REAL, &timer, NULL);
}

static int answer(const struct cli *cli, const struct command *self,
                  const struct compose_options *o, const loss_parts *parts, const fmpq_t number) {
  struct budget budget = budget_of_seconds(o->timeout);
  compose_parts pure = {0};
  lines all = {0};
  struct buffer b;
  buffer_init(&b);
  const char *why = NULL;
  int status = COUPLET_EXIT_PROVED;
  bool by_theorem = pure_parts(&pure, parts) && !o->epsilon;
  if (by_theorem) {
    apply_theorems(&all, &pure, number, o->hits, &budget);
    print_lines(&b, &all, o->json);
  } else if (!o->delta && !o->epsilon) {
    status = cli_usage_error(cli, self, xstrdup("give --delta D to ask for eps, or --epsilon E"));
  } else if (limit_time(o->timeout), !account(&b, parts, o, number, &budget, &why)) {
    fprintf(stderr, "couplet compose: %s\n", why);
    status = COUPLET_EXIT_UNKNOWN;
  }
  if (status == COUPLET_EXIT_PROVED) status = cli_print(cli, &b, status);
  while (all.len)
    drop_line(&all);
  vec_clear(&all);
  compose_parts_clear(&pure);
  buffer_clear(&b);
  return status;
}

static int run_compose(const struct cli *cli, const struct command *self, int argc, char **argv) {
  struct compose_options options = {0};
  option_list words = {0};
  loss_parts parts = {0};
  int status;
  if (!cli_parse(cli, self, &options, argc, argv, &words, &status)) {
    vec_clear(&words);
    return status;
  }
  fmpq_t number;
  fmpq_init(number);
  char *why = check_words(cli, &options, &words, &parts, number);
  status = why ? cli_usage_error(cli, self, why) : answer(cli, self, &options, &parts, number);
  loss_parts_clear(&parts);
  vec_clear(&words);
  fmpq_clear(number);
  return status;
}

const struct command command_compose = {"compose",
                                        COMPOSE_WORDS_USAGE " [--delta D | --epsilon E] [--hits M]",
                                        "privacy of several mechanisms together, certified",
                                        compose_specs,
                                        sizeof compose_specs / sizeof *compose_specs,
                                        run_compose,
                                        compose_words_help};
