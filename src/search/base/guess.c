#include "search/base/guess.h"

#include <string.h>

#include "kernel/context.h"
#include "kernel/core.h"
#include "search/base/text.h"
#include "term/build.h"

struct moves {
  struct auto_problem *p;
  struct guesses found;
  term_id all;
  size_t samples;
};

static void add(struct moves *m, term_id cost) {
  const char *text = text_of(m->p, cost);
  for (size_t i = 0; text && i < m->found.count; i++)
    if (strcmp(m->found.at[i], text) == 0) text = NULL;
  if (text && m->found.count < GUESS_MOST) m->found.at[m->found.count++] = text;
}

/* 1/scale, as a person would write it: eps/2 for 2/eps. */
static term_id inverse(struct terms *ts, term_id scale) {
  if (term_kind(ts, scale) == TERM_DIV)
    return term_div(ts, term_arg(ts, scale, 1), term_arg(ts, scale, 0));
  return term_div(ts, term_rat(ts, 1, 1), scale);
}

/* A loop is left alone: how often it pays is not known. */
static void look(struct moves *m, const struct core *c) {
  struct terms *ts = m->p->ts;
  if (!c || c->kind == CORE_WHILE) return;
  if (c->kind == CORE_SAMPLE && dist_get(c->dist)->parameters == PARAMETERS_CENTRED &&
      kernel_is_constant(claim_kernel(m->p->goal, CLAIM_FORWARD), c->args[1])) {
    term_id cost = inverse(ts, c->args[1]);
    add(m, cost);
    m->all = m->samples++ ? term_add(ts, m->all, cost) : cost;
  }
  look(m, c->first);
  look(m, c->second);
}

struct guesses guess_costs(struct auto_problem *p, const struct core *program) {
  struct moves m = {.p = p, .all = TERM_NONE};
  look(&m, program);
  if (m.samples > 1) add(&m, m.all);
  return m.found;
}
