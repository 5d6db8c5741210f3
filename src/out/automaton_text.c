#include "out/automaton_text.h"

const char *automaton_kind_name(enum automaton_kind kind) {
  switch (kind) {
  case KIND_SIMPLE_SEGMENT: return "simple segment automaton";
  case KIND_LOOPING_SEGMENT: return "looping segment automaton";
  case KIND_BRANCHING_SEGMENT: return "branching segment automaton";
  case KIND_DIPA: return "DiPA";
  case KIND_SEVERAL: return "DiPA with several variables";
  case KIND_INDEPENDENT: return "GDiPA with independent noise";
  }
  return "?";
}

const char *violation_name(enum violation kind) {
  switch (kind) {
  case VIOLATION_NONE: return "none";
  case VIOLATION_LEAKING_CYCLE: return "leaking cycle";
  case VIOLATION_LEAKING_PAIR: return "leaking pair";
  case VIOLATION_DISCLOSING_CYCLE: return "disclosing cycle";
  case VIOLATION_PATH_A: return "privacy violating path (a)";
  case VIOLATION_PATH_B: return "privacy violating path (b)";
  case VIOLATION_PATH_C: return "privacy violating path (c)";
  }
  return "?";
}

void automaton_print_edge(struct buffer *out, const struct automaton *a, uint32_t edge) {
  const struct automaton_edge *e = &a->edges.at[edge];
  automaton_print_state(out, a, e->from);
  buffer_puts(out, " -> ");
  automaton_print_state(out, a, e->to);
  if (e->guard != 0) {
    buffer_puts(out, " when ");
    automaton_print_guard(out, a, e->guard);
  }
  buffer_printf(out, " output %s",
                e->emit == EMIT_INSAMPLE ? "insample"
                : e->emit == EMIT_PRIME  ? "insample'"
                                         : a->symbols.at[e->emit]);
  struct members m = automaton_members(a, e->assign);
  for (size_t i = 0; i < m.count; i++)
    buffer_printf(out, "%s%s", i ? ", " : " assign ", a->vars.at[m.at[i]]);
}

static void print_forces(struct buffer *out, const struct automaton *a, const struct walk *w,
                         uint32_t cycle) {
  const char *lead = "  forces ";
  for (size_t i = 0; i < w->forces.len; i++) {
    const struct walk_force *f = &w->forces.at[i];
    if (f->cycle != cycle) continue;
    const char *name = a->vars.at[f->var];
    if (f->low == f->high)
      buffer_printf(out, "%sshift(%s) = %d", lead, name, f->low);
    else
      buffer_printf(out, "%s%d <= shift(%s) <= %d", lead, f->low, name, f->high);
    lead = ", ";
  }
}

enum { SHOWN_FIRST = 12, SHOWN_LAST = 4 }; /* of a long part, so many edges at its ends */

/* Edges of one part, from `start`: those before the first cycle, of a cycle, or after one. */
static size_t part_end(const struct walk *w, size_t start) {
  size_t end = start + 1;
  while (end < w->steps.len && w->steps.at[end].cycle == w->steps.at[start].cycle)
    end++;
  return end;
}

static void print_part(struct buffer *out, const struct automaton *a, const struct walk *w,
                       size_t start, size_t end) {
  const char *indent = w->steps.at[start].cycle ? "  | " : "  ";
  bool cut = end - start > SHOWN_FIRST + SHOWN_LAST + 1;
  for (size_t i = start; i < end; i++) {
    if (cut && i == start + SHOWN_FIRST) {
      buffer_printf(out, "%s... %zu more edges ...\n", indent, end - SHOWN_LAST - i);
      i = end - SHOWN_LAST;
    }
    buffer_puts(out, indent);
    automaton_print_edge(out, a, w->steps.at[i].edge);
    buffer_putc(out, '\n');
  }
}

void walk_print(struct buffer *out, const struct automaton *a, const struct walk *w) {
  for (size_t start = 0, end; start < w->steps.len; start = end) {
    end = part_end(w, start);
    uint32_t cycle = w->steps.at[start].cycle;
    if (cycle) {
      buffer_printf(out, "again and again (cycle %u):", cycle);
      print_forces(out, a, w, cycle);
      buffer_putc(out, '\n');
    }
    print_part(out, a, w, start, end);
  }
}
