#include "ask/query_path.h"

#include <ctype.h>

#include "base/alloc.h"

static bool complain(char **why, char *reason) {
  *why = reason;
  return false;
}

/* ---- paths ---------------------------------------------------------------------------------- */

static bool is_state(const struct automaton *a, uint32_t state, struct query_word name) {
  struct buffer text;
  buffer_init(&text);
  automaton_print_state(&text, a, state);
  bool same = query_word_is(name, buffer_text(&text));
  buffer_clear(&text);
  return same;
}

/* The edges that fit `from -> to`: their number, and the k-th of them. */
static size_t edges_between(const struct automaton *a, struct query_word from, struct query_word to,
                            size_t k, uint32_t *found) {
  size_t count = 0;
  for (uint32_t state = 0; state < a->states.len; state++) {
    if (!is_state(a, state, from)) continue;
    for (uint32_t e = a->first_edge.at[state]; e < a->first_edge.at[state + 1]; e++)
      if (is_state(a, a->edges.at[e].to, to) && ++count == k) *found = e;
  }
  return count;
}

static bool parse_edge(const struct automaton *a, struct query_word w, uint32_t *edge, char **why) {
  const char *arrow = query_word_find(w, "->"), *end = w.at + w.length;
  fmpq_t number;
  if (!arrow) {
    fmpq_init(number);
    bool ok = query_parse_number(number, w, why);
    bool fits = ok && fmpz_is_one(fmpq_denref(number)) && fmpq_sgn(number) >= 0 &&
                fmpz_cmp_ui(fmpq_numref(number), a->edges.len) < 0;
    if (fits) *edge = (uint32_t)fmpz_get_ui(fmpq_numref(number));
    fmpq_clear(number);
    if (ok && !fits)
      return complain(why, xasprintf("there is no edge number %.*s: there are %zu edges, from 0 on",
                                     (int)w.length, w.at, a->edges.len));
    return ok;
  }
  const char *hash = query_word_find((struct query_word){arrow, (size_t)(end - arrow)}, "#");
  size_t k = 1;
  for (const char *p = hash ? hash + 1 : end; p < end; p++)
    k = isdigit((unsigned char)*p) && k < 100000 ? (p == hash + 1 ? 0 : k) * 10 + (size_t)(*p - '0')
                                                 : 0;
  size_t count = edges_between(a, query_trimmed(w.at, arrow),
                               query_trimmed(arrow + 2, hash ? hash : end), k, edge);
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
  struct query_word item;
  for (const char *rest = text; query_next(&rest, &item);) {
    const char *end = item.at + item.length, *colon = query_word_find(item, ":");
    uint32_t edge = 0;
    if (!parse_edge(query->automaton, query_trimmed(item.at, colon ? colon : end), &edge, why))
      return false;
    struct automaton_step *step = automaton_query_push(query, edge);
    bool is_seen = true;
    if (colon && !query_parse_seen(&step->event, query_trimmed(colon + 1, end), &is_seen, why))
      return false;
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
  struct query_word item;
  for (const char *rest = text; query_next(&rest, &item);)
    count++;
  for (size_t k = 0; k < query->steps.len; k++)
    reading += reads_input(query, k);
  bool all = count == query->steps.len;
  if (!all && count != reading)
    return complain(why, reading == query->steps.len
                             ? xasprintf("%zu inputs for %zu steps", count, query->steps.len)
                             : xasprintf("%zu inputs for %zu steps, %zu of which read one", count,
                                         query->steps.len, reading));
  for (const char *rest = text; query_next(&rest, &item); i++) {
    while (!all && !reads_input(query, i))
      i++;
    fmpq *input = query->steps.at[i].input;
    if (query_word_is(item, "-")) continue;
    if (!query_parse_number(input, item, why)) return false;
    if (!reads_input(query, i) && !fmpq_is_zero(input))
      return complain(why, xasprintf("step %zu reads no input: write '-' there", i + 1));
  }
  return true;
}
