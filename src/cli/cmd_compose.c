/* couplet compose: how private are several mechanisms together?
 *
 * Each word is EPS[:DELTA][xCOUNT]; with --delta the theorems that trade delta for eps apply, with
 * --hits rule AC-HIT. All numbers printed are certified upper bounds, rounded up. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/exit_codes.h"
#include "cli/cli.h"
#include "compose/compose.h"
#include "num/rational.h"

enum { SHOWN_DIGITS = 6 };

struct compose_options {
  const char *delta;
  long hits;
  double timeout;
  bool json;
};

static const struct option_spec compose_specs[] = {
    OPTION(struct compose_options, STRING, delta, "delta", "D", "total delta that may be spent"),
    OPTION(struct compose_options, INTEGER, hits, "hits", "M",
           "the part is a loop body that costs eps only when it hits, at most M times"),
    TIMEOUT_OPTION(struct compose_options, "stop after S seconds"),
    JSON_OPTION(struct compose_options, "result"),
};

/* EPS[:DELTA][xCOUNT] */
static char *parse_part(compose_parts *parts, const char *word) {
  const char *colon = strchr(word, ':'), *times = strrchr(word, 'x'), *reason = NULL;
  const char *end = times ? times : word + strlen(word);
  char *why = NULL, *rest;
  fmpq_t eps, delta;
  fmpq_init(eps);
  fmpq_init(delta);
  unsigned long count = times ? strtoul(times + 1, &rest, 10) : 1;
  if (times &&
      (times[1] < '0' || times[1] > '9' || *rest || count < 1 || count > COMPOSE_PARTS_MAX))
    why = xasprintf("'%s': the count must be a number from 1 to %d", word, COMPOSE_PARTS_MAX);
  else if (!rational_parse(eps, word, (size_t)((colon ? colon : end) - word), &reason) ||
           (colon && !rational_parse(delta, colon + 1, (size_t)(end - colon - 1), &reason)))
    why = xasprintf("'%s' is not EPS[:DELTA][xCOUNT]: %s", word, reason);
  else if (fmpq_sgn(eps) < 0 || fmpq_sgn(delta) < 0 ||
           fmpz_cmp(fmpq_numref(delta), fmpq_denref(delta)) > 0)
    why = xasprintf("'%s': eps must not be negative, delta between 0 and 1", word);
  else
    compose_parts_push(parts, eps, delta, count);
  fmpq_clear(eps);
  fmpq_clear(delta);
  return why;
}

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

static void print_lines(struct buffer *b, const lines *all, bool as_json) {
  json_t *list = json_array();
  if (!as_json) buffer_printf(b, "%-10s %-12s %s\n", "theorem", "eps", "delta");
  for (size_t i = 0; i < all->len; i++) {
    const struct line *line = &all->at[i];
    char *eps = decimal(line->eps), *delta = decimal(line->delta);
    if (as_json)
      json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s?}", "theorem", line->theorem,
                                            "epsilon", eps, "delta", delta, "note", line->note));
    else
      buffer_printf(b, "%-10s %-12s %s%s%s\n", line->theorem, eps, delta, line->note ? "   " : "",
                    line->note ? line->note : "");
    free(eps);
    free(delta);
  }
  if (as_json) {
    json_t *json = json_pack("{s:i, s:O}", "version", 1, "bounds", list);
    char *text = json_dumps(json, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    buffer_printf(b, "%s\n", text);
    free(text);
    json_decref(json);
  }
  json_decref(list);
}

static char *check_words(const struct compose_options *o, const option_list *words,
                         compose_parts *parts, fmpq_t delta) {
  const char *reason;
  char *why = NULL;
  if (words->len == 0) return xstrdup("give at least one part: EPS[:DELTA][xCOUNT]");
  for (size_t i = 0; i < words->len && !why; i++)
    why = parse_part(parts, words->at[i]);
  if (why) return why;
  if (o->delta && !rational_parse_str(delta, o->delta, &reason))
    return xasprintf("--delta: '%s' is not a number: %s", o->delta, reason);
  if (o->delta && (fmpq_sgn(delta) <= 0 || fmpz_cmp(fmpq_numref(delta), fmpq_denref(delta)) >= 0))
    return xstrdup("--delta must lie between 0 and 1");
  if (o->hits && !o->delta) return xstrdup("--hits needs --delta");
  if (o->hits && (parts->len != 1 || parts->at[0].count != 1 || fmpq_sgn(parts->at[0].delta) ||
                  fmpq_sgn(parts->at[0].eps) <= 0))
    return xstrdup("--hits takes one part: the eps of the loop body, without delta");
  return NULL;
}

static int run_compose(const struct cli *cli, const struct command *self, int argc, char **argv) {
  struct compose_options options = {0};
  option_list words = {0};
  compose_parts parts = {0};
  lines all = {0};
  int status;
  if (!cli_parse(cli, self, &options, argc, argv, &words, &status)) {
    vec_clear(&words);
    return status;
  }
  fmpq_t delta;
  fmpq_init(delta);
  char *why = check_words(&options, &words, &parts, delta);
  if (why) {
    status = cli_usage_error(cli, self, why);
  } else {
    struct budget budget = budget_of_seconds(options.timeout);
    struct buffer b;
    buffer_init(&b);
    apply_theorems(&all, &parts, delta, options.hits, &budget);
    print_lines(&b, &all, options.json);
    status = cli_print(cli, &b, COUPLET_EXIT_PROVED);
    buffer_clear(&b);
  }
  while (all.len)
    drop_line(&all);
  vec_clear(&all);
  compose_parts_clear(&parts);
  vec_clear(&words);
  fmpq_clear(delta);
  return status;
}

const struct command command_compose = {"compose",
                                        "EPS[:DELTA][xCOUNT]... [--delta D] [--hits M]",
                                        "privacy of several mechanisms together, by theorem",
                                        compose_specs,
                                        sizeof compose_specs / sizeof *compose_specs,
                                        run_compose};
