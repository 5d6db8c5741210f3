#include "num/real/order_integral.h"

#include <string.h>

#include "base/alloc.h"
#include "num/real/order_engine.h"
#include "num/real/order_graph.h"

/* ---- the problem ---------------------------------------------------------------------------- */

void order_problem_init(struct order_problem *problem) {
  memset(problem, 0, sizeof *problem);
}

void order_problem_clear(struct order_problem *problem) {
  for (size_t i = 0; i < problem->samples.len; i++) {
    struct order_sample *s = &problem->samples.at[i];
    fmpq_clear(s->a);
    fmpq_clear(s->b);
    line_end_clear(&s->low);
    line_end_clear(&s->high);
  }
  vec_clear(&problem->samples);
  vec_clear(&problem->conditions);
}

uint32_t order_problem_sample(struct order_problem *problem, enum order_noise noise, const fmpq_t a,
                              const fmpq_t b) {
  struct order_sample s = {.noise = noise};
  fmpq_init(s.a);
  fmpq_init(s.b);
  fmpq_set(s.a, a);
  fmpq_set(s.b, b);
  line_end_init(&s.low, -1);
  line_end_init(&s.high, 1);
  vec_push(&problem->samples, s);
  return (uint32_t)problem->samples.len - 1;
}

void order_problem_at_least(struct order_problem *problem, uint32_t sample, const fmpq_t low) {
  struct line_end end;
  line_end_init_at(&end, low);
  struct line_end *current = &problem->samples.at[sample].low;
  if (line_end_cmp(current, &end) < 0) line_end_set(current, &end);
  line_end_clear(&end);
}

void order_problem_at_most(struct order_problem *problem, uint32_t sample, const fmpq_t high) {
  struct line_end end;
  line_end_init_at(&end, high);
  struct line_end *current = &problem->samples.at[sample].high;
  if (line_end_cmp(&end, current) < 0) line_end_set(current, &end);
  line_end_clear(&end);
}

void order_problem_less(struct order_problem *problem, uint32_t less, uint32_t greater) {
  vec_push(&problem->conditions, (struct order_condition){less, greater});
}

const char *order_status_text(enum order_status status) {
  switch (status) {
  case ORDER_OK: return "ok";
  case ORDER_TOO_WIDE: return "too many samples depend on each other at once";
  case ORDER_TOO_LARGE: return "too many samples, breakpoints or cells";
  case ORDER_TIMEOUT: return "out of time";
  }
  return "?";
}

/* ---- independent parts ---------------------------------------------------------------------- */

/* Numbers the connected components of the open conditions; returns how many there are. */
static uint32_t components(const struct order_graph *g, uint32_t *component) {
  uint32_t count = 0;
  VEC(uint32_t) stack = {0};
  for (size_t i = 0; i < g->count; i++)
    component[i] = UINT32_MAX;
  for (uint32_t i = 0; i < g->count; i++) {
    if (component[i] != UINT32_MAX) continue;
    component[i] = count;
    vec_push(&stack, i);
    while (stack.len) {
      uint32_t x = vec_pop(&stack);
      for (size_t y = bit_next(&g->near, x, 0, g->count); y < g->count;
           y = bit_next(&g->near, x, y + 1, g->count)) {
        if (component[y] != UINT32_MAX) continue;
        component[y] = count;
        vec_push(&stack, (uint32_t)y);
      }
    }
    count++;
  }
  vec_clear(&stack);
  return count;
}

/* The samples of one component, with the windows that all conditions imply: conditions between
 * components hold by these windows alone. */
static void extract(struct order_problem *part, const struct order_problem *problem,
                    const struct order_graph *g, const uint32_t *component, uint32_t which,
                    uint32_t *renamed) {
  order_problem_init(part);
  for (uint32_t i = 0; i < g->count; i++) {
    if (component[i] != which) continue;
    const struct order_sample *s = &problem->samples.at[i];
    renamed[i] = order_problem_sample(part, s->noise, s->a, s->b);
    line_end_set(&part->samples.at[renamed[i]].low, &g->low[i]);
    line_end_set(&part->samples.at[renamed[i]].high, &g->high[i]);
  }
  for (size_t k = 0; k < problem->conditions.len; k++) {
    struct order_condition c = problem->conditions.at[k];
    if (component[c.less] == which && component[c.greater] == which)
      order_problem_less(part, renamed[c.less], renamed[c.greater]);
  }
}

enum order_status order_integral(arb_t out, const struct order_problem *problem,
                                 const struct budget *budget, slong precision) {
  size_t count = problem->samples.len;
  enum order_status status = ORDER_OK;
  struct order_graph g;
  arb_t factor;
  arb_indeterminate(out);
  if (count > ORDER_SAMPLES_MAX) return ORDER_TOO_LARGE;
  order_graph_init(&g, problem);
  uint32_t *component = xcalloc(count + 1, sizeof *component);
  uint32_t *renamed = xcalloc(count + 1, sizeof *renamed);
  uint32_t parts = components(&g, component);
  arb_init(factor);
  arb_one(out);
  if (g.is_empty) arb_zero(out);
  /* each part has its own breakpoints: this is what makes many independent parts cheap */
  for (uint32_t which = 0; which < parts && !g.is_empty && status == ORDER_OK; which++) {
    struct order_problem part;
    extract(&part, problem, &g, component, which, renamed);
    status = order_engine_run(factor, &part, budget, precision);
    arb_mul(out, out, factor, precision);
    order_problem_clear(&part);
  }
  if (status != ORDER_OK) arb_indeterminate(out);
  arb_clear(factor);
  free(component);
  free(renamed);
  order_graph_clear(&g);
  return status;
}
