#include "check/automaton/walk.h"

void walk_init(struct walk *w) {
  *w = (struct walk){.var = AUTOMATON_NONE};
}

void walk_clear(struct walk *w) {
  vec_clear(&w->steps);
  vec_clear(&w->forces);
  walk_init(w);
}

bool walk_is_in(const struct automaton *a, const struct walk *w) {
  uint32_t state = a->start, last = 0, home = state;
  for (size_t i = 0; i < w->steps.len; i++) {
    const struct walk_step *step = &w->steps.at[i];
    if (a->edges.at[step->edge].from != state) return false;
    bool begins = step->cycle && (i == 0 || w->steps.at[i - 1].cycle != step->cycle);
    bool ends = step->cycle && (i + 1 == w->steps.len || w->steps.at[i + 1].cycle != step->cycle);
    if (begins && step->cycle <= last) return false;
    if (begins) home = state;
    if (step->cycle) last = step->cycle;
    state = a->edges.at[step->edge].to;
    if (ends && state != home) return false;
  }
  return true;
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

void walk_print(struct buffer *out, const struct automaton *a, const struct walk *w) {
  for (size_t i = 0; i < w->steps.len; i++) {
    uint32_t cycle = w->steps.at[i].cycle;
    bool starts = cycle && (i == 0 || w->steps.at[i - 1].cycle != cycle);
    if (starts) {
      buffer_printf(out, "again and again (cycle %u):", cycle);
      print_forces(out, a, w, cycle);
      buffer_putc(out, '\n');
    }
    buffer_puts(out, cycle ? "  | " : "  ");
    automaton_print_edge(out, a, w->steps.at[i].edge);
    buffer_putc(out, '\n');
  }
}
