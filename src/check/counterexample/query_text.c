#include "check/counterexample/query_text.h"

#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "num/rational.h"

struct query_word query_trimmed(const char *begin, const char *end) {
  while (begin < end && isspace((unsigned char)*begin))
    begin++;
  while (end > begin && isspace((unsigned char)end[-1]))
    end--;
  return (struct query_word){begin, (size_t)(end - begin)};
}

bool query_next(const char **rest, struct query_word *item) {
  if (!*rest) return false;
  const char *comma = strchr(*rest, ',');
  const char *end = comma ? comma : *rest + strlen(*rest);
  *item = query_trimmed(*rest, end);
  *rest = comma ? comma + 1 : NULL;
  return true;
}

bool query_word_is(struct query_word w, const char *text) {
  return w.length == strlen(text) && memcmp(w.at, text, w.length) == 0;
}

const char *query_word_find(struct query_word w, const char *text) {
  size_t length = strlen(text);
  for (size_t i = 0; i + length <= w.length; i++)
    if (memcmp(w.at + i, text, length) == 0) return w.at + i;
  return NULL;
}

static bool complain(char **why, char *reason) {
  *why = reason;
  return false;
}

bool query_parse_number(fmpq_t out, struct query_word w, char **why) {
  const char *reason;
  if (rational_parse(out, w.at, w.length, &reason)) return true;
  return complain(why, xasprintf("'%.*s' is not a number: %s", (int)w.length, w.at, reason));
}

static bool parse_end(struct line_end *end, struct query_word w, int side, char **why) {
  end->side = w.length ? 0 : side;
  return w.length == 0 || query_parse_number(end->at, w, why);
}

bool query_parse_seen(struct automaton_event *event, struct query_word w, bool *is_seen,
                      char **why) {
  const char *dots = query_word_find(w, "..");
  *is_seen = true;
  if (query_word_is(w, "*")) return true;
  if (w.length > 1 && w.at[0] == '@') {
    event->kind = EVENT_VALUE;
    return parse_end(&event->low, query_trimmed(w.at + 1, w.at + w.length), -1, why);
  }
  *is_seen = dots != NULL;
  if (!dots) return true;
  event->kind = EVENT_WINDOW;
  if (!parse_end(&event->low, query_trimmed(w.at, dots), -1, why) ||
      !parse_end(&event->high, query_trimmed(dots + 2, w.at + w.length), 1, why))
    return false;
  if (line_end_cmp(&event->low, &event->high) >= 0)
    return complain(why, xasprintf("the window '%.*s' is empty", (int)w.length, w.at));
  return true;
}

/* ---- outputs -------------------------------------------------------------------------------- */

bool query_parse_output(struct automaton_query *query, const char *text, char **why) {
  const struct automaton *a = query->automaton;
  struct query_word item;
  for (const char *rest = text; query_next(&rest, &item);) {
    uint32_t symbol = 0;
    while (symbol < a->symbols.len && !query_word_is(item, a->symbols.at[symbol]))
      symbol++;
    if (symbol < a->symbols.len) {
      automaton_query_push(query, symbol);
      continue;
    }
    bool is_seen;
    struct automaton_step *step = automaton_query_push(query, OUTPUT_REAL);
    if (!query_parse_seen(&step->event, item, &is_seen, why)) return false;
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
