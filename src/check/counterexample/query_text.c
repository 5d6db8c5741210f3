#include "check/counterexample/query_text.h"

#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "num/rational.h"

/* A piece of the text between two separators, without the blanks around it. */
struct word {
  const char *at;
  size_t length;
};

static struct word trimmed(const char *begin, const char *end) {
  while (begin < end && isspace((unsigned char)*begin))
    begin++;
  while (end > begin && isspace((unsigned char)end[-1]))
    end--;
  return (struct word){begin, (size_t)(end - begin)};
}

/* The next item of a list; false at its end. */
static bool next_item(const char **rest, struct word *item) {
  if (!*rest) return false;
  const char *comma = strchr(*rest, ',');
  const char *end = comma ? comma : *rest + strlen(*rest);
  *item = trimmed(*rest, end);
  *rest = comma ? comma + 1 : NULL;
  return true;
}

static bool is_word(struct word w, const char *text) {
  return w.length == strlen(text) && memcmp(w.at, text, w.length) == 0;
}

static const char *find_in(struct word w, const char *text) {
  size_t length = strlen(text);
  for (size_t i = 0; i + length <= w.length; i++)
    if (memcmp(w.at + i, text, length) == 0) return w.at + i;
  return NULL;
}

static bool complain(char **why, char *reason) {
  *why = reason;
  return false;
}

static bool parse_number(fmpq_t out, struct word w, char **why) {
  const char *reason;
  if (rational_parse(out, w.at, w.length, &reason)) return true;
  return complain(why, xasprintf("'%.*s' is not a number: %s", (int)w.length, w.at, reason));
}

static bool parse_end(struct line_end *end, struct word w, int side, char **why) {
  end->side = w.length ? 0 : side;
  return w.length == 0 || parse_number(end->at, w, why);
}

/* seen = "*" | [ number ] ".." [ number ] | "@" number; *is_seen: the word has this form */
static bool parse_seen(struct automaton_event *event, struct word w, bool *is_seen, char **why) {
  const char *dots = find_in(w, "..");
  *is_seen = true;
  if (is_word(w, "*")) return true;
  if (w.length > 1 && w.at[0] == '@') {
    event->kind = EVENT_VALUE;
    return parse_end(&event->low, trimmed(w.at + 1, w.at + w.length), -1, why);
  }
  *is_seen = dots != NULL;
  if (!dots) return true;
  event->kind = EVENT_WINDOW;
  if (!parse_end(&event->low, trimmed(w.at, dots), -1, why) ||
      !parse_end(&event->high, trimmed(dots + 2, w.at + w.length), 1, why))
    return false;
  if (line_end_cmp(&event->low, &event->high) >= 0)
    return complain(why, xasprintf("the window '%.*s' is empty", (int)w.length, w.at));
  return true;
}

/* ---- outputs -------------------------------------------------------------------------------- */

bool query_parse_output(struct automaton_query *query, const char *text, char **why) {
  const struct automaton *a = query->automaton;
  struct word item;
  for (const char *rest = text; next_item(&rest, &item);) {
    uint32_t symbol = 0;
    while (symbol < a->symbols.len && !is_word(item, a->symbols.at[symbol]))
      symbol++;
    if (symbol < a->symbols.len) {
      automaton_query_push(query, symbol);
      continue;
    }
    bool is_seen;
    struct automaton_step *step = automaton_query_push(query, OUTPUT_REAL);
    if (!parse_seen(&step->event, item, &is_seen, why)) return false;
    if (!is_seen)
      return complain(why, xasprintf("the automaton has no output '%.*s'; a real output is written "
                                     "'*', 'low..high' or '@value'",
                                     (int)item.length, item.at));
  }
  return true;
}

void query_print_output(struct buffer *out, const struct automaton *a,
                        const struct automaton_step *step) {
  const struct automaton_event *event = &step->event;
  if (step->what != OUTPUT_REAL) {
    buffer_puts(out, a->symbols.at[step->what]);
  } else if (event->kind == EVENT_ANY) {
    buffer_putc(out, '*');
  } else if (event->kind == EVENT_VALUE) {
    buffer_putc(out, '@');
    rational_print(out, event->low.at);
  } else {
    if (event->low.side == 0) rational_print(out, event->low.at);
    buffer_puts(out, "..");
    if (event->high.side == 0) rational_print(out, event->high.at);
  }
}

/* ---- paths ---------------------------------------------------------------------------------- */

static bool is_state(const struct automaton *a, uint32_t state, struct word name) {
  struct buffer text;
  buffer_init(&text);
  automaton_print_state(&text, a, state);
  bool same = is_word(name, buffer_text(&text));
  buffer_clear(&text);
  return same;
}

/* The edges that fit `from -> to`: their number, and the k-th of them. */
static size_t edges_between(const struct automaton *a, struct word from, struct word to, size_t k,
                            uint32_t *found) {
  size_t count = 0;
  for (uint32_t state = 0; state < a->states.len; state++) {
    if (!is_state(a, state, from)) continue;
    for (uint32_t e = a->first_edge.at[state]; e < a->first_edge.at[state + 1]; e++)
      if (is_state(a, a->edges.at[e].to, to) && ++count == k) *found = e;
  }
  return count;
}

static bool parse_edge(const struct automaton *a, struct word w, uint32_t *edge, char **why) {
  const char *arrow = find_in(w, "->"), *end = w.at + w.length;
  fmpq_t number;
  if (!arrow) {
    fmpq_init(number);
    bool ok = parse_number(number, w, why);
    bool fits = ok && fmpz_is_one(fmpq_denref(number)) && fmpq_sgn(number) >= 0 &&
                fmpz_cmp_ui(fmpq_numref(number), a->edges.len) < 0;
    if (fits) *edge = (uint32_t)fmpz_get_ui(fmpq_numref(number));
    fmpq_clear(number);
    if (ok && !fits)
      return complain(why, xasprintf("there is no edge number %.*s: there are %zu edges, from 0 on",
                                     (int)w.length, w.at, a->edges.len));
    return ok;
  }
  const char *hash = find_in((struct word){arrow, (size_t)(end - arrow)}, "#");
  size_t k = 1;
  for (const char *p = hash ? hash + 1 : end; p < end; p++)
    k = isdigit((unsigned char)*p) && k < 100000 ? (p == hash + 1 ? 0 : k) * 10 + (size_t)(*p - '0')
                                                 : 0;
  size_t count =
      edges_between(a, trimmed(w.at, arrow), trimmed(arrow + 2, hash ? hash : end), k, edge);
  if (count == 0)
    return complain(why, xasprintf("the automaton has no edge '%.*s'", (int)w.length, w.at));
  if (!hash && count > 1)
    return complain(why, xasprintf("there are %zu edges '%.*s': write '%.*s#1' for the first",
                                   count, (int)w.length, w.at, (int)w.length, w.at));
  if (k == 0 || k > count)
    return complain(why,
                    xasprintf("'%.*s': there are only %zu such edges", (int)w.length, w.at, count));
  return true;
}

bool query_parse_path(struct automaton_query *query, const char *text, char **why) {
  struct word item;
  for (const char *rest = text; next_item(&rest, &item);) {
    const char *end = item.at + item.length, *colon = find_in(item, ":");
    uint32_t edge = 0;
    if (!parse_edge(query->automaton, trimmed(item.at, colon ? colon : end), &edge, why))
      return false;
    struct automaton_step *step = automaton_query_push(query, edge);
    bool is_seen = true;
    if (colon && !parse_seen(&step->event, trimmed(colon + 1, end), &is_seen, why)) return false;
    if (!is_seen)
      return complain(why, xasprintf("'%.*s' is not a window: write 'low..high', '@value' or '*'",
                                     (int)(end - colon - 1), colon + 1));
  }
  return true;
}

/* ---- inputs --------------------------------------------------------------------------------- */

static bool reads_input(const struct automaton_query *query, size_t i) {
  const struct automaton *a = query->automaton;
  return !query->is_path || a->states.at[a->edges.at[query->steps.at[i].what].from].is_input;
}

bool query_parse_inputs(struct automaton_query *query, const char *text, char **why) {
  size_t count = 0, reading = 0, i = 0;
  struct word item;
  for (const char *rest = text; next_item(&rest, &item);)
    count++;
  for (size_t k = 0; k < query->steps.len; k++)
    reading += reads_input(query, k);
  bool all = count == query->steps.len;
  if (!all && count != reading)
    return complain(why, reading == query->steps.len
                             ? xasprintf("%zu inputs for %zu steps", count, query->steps.len)
                             : xasprintf("%zu inputs for %zu steps, %zu of which read one", count,
                                         query->steps.len, reading));
  for (const char *rest = text; next_item(&rest, &item); i++) {
    while (!all && !reads_input(query, i))
      i++;
    fmpq *input = query->steps.at[i].input;
    if (is_word(item, "-")) continue;
    if (!parse_number(input, item, why)) return false;
    if (!reads_input(query, i) && !fmpq_is_zero(input))
      return complain(why, xasprintf("step %zu reads no input: write '-' there", i + 1));
  }
  return true;
}
