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
