#include "automata/decide/follow.h"

#include <stdlib.h>
#include <string.h>

#include "automata/model/pump.h"
#include "automata/model/step.h"
#include "num/rational.h"

enum { FOLLOW_POINTS_MAX = 20000 };

struct follower {
  const struct strategy *s;
  const struct automaton *a;
  struct weights w;
  struct edge_use *uses;
  bool *seen;          /* per point */
  VEC(uint32_t) queue; /* points */
  VEC(uint32_t) node;  /* of each point in the queue */
};

void edge_uses_clear(struct edge_use *uses, size_t count) {
  for (size_t i = 0; i < count; i++)
    fmpq_clear(uses[i].cost);
}

static void visit(struct follower *f, uint32_t node, uint32_t point) {
  if (f->seen[point]) return;
  f->seen[point] = true;
  vec_push(&f->queue, point);
  vec_push(&f->node, node);
}

static uint32_t find_point(const struct strategy *s, uint32_t node, const int8_t *g) {
  size_t live = product_live(&s->product, node).count;
  for (uint32_t i = s->point_first.at[node]; i < s->point_first.at[node + 1]; i++)
    if (live == 0 || memcmp(strategy_point_shifts(s, node, i), g, live) == 0) return i;
  return AUTOMATON_NONE;
}

static void record(struct follower *f, uint32_t edge, int delta, int shift, const fmpz_t cost) {
  struct edge_use *use = &f->uses[edge];
  fmpq_t value;
  fmpq_init(value);
  fmpq_set_fmpz_frac(value, cost, f->w.scale);
  use->is_used = true;
  if (!f->a->independent) use->shifts[delta + 1] |= 1u << (shift + 1);
  if (fmpq_cmp(value, use->cost) > 0) fmpq_set(use->cost, value);
  fmpq_clear(value);
}

/* The answer to one edge and Delta: the least cost and what then may still be paid. */
static void answer(struct follower *f, const struct step *step, const int8_t *g, int delta,
                   uint32_t edge) {
  int8_t *after = xmalloc(step->after.count + 1);
  struct step_choice c;
  fmpz_t cost, total, best, paid;
  uint32_t to = AUTOMATON_NONE;
  int shift = 0;
  fmpz_init(cost);
  fmpz_init(total);
  fmpz_init(best);
  fmpz_init(paid);
  for (bool more = step_start(step, g, delta, &c); more; more = step_next(step, &c)) {
    step_after(step, g, &c, after);
    uint32_t point = find_point(f->s, step->to, after);
    if (point == AUTOMATON_NONE) continue;
    step_cost(cost, step, delta, &c);
    fmpz_add(total, cost, &f->s->point_value.at[point]);
    if (to != AUTOMATON_NONE && fmpz_cmp(total, best) >= 0) continue;
    fmpz_set(best, total);
    fmpz_set(paid, cost);
    to = point;
    shift = c.shift[0];
  }
  if (to != AUTOMATON_NONE) {
    record(f, edge, delta, shift, paid);
    visit(f, step->to, to);
  }
  fmpz_clear(cost);
  fmpz_clear(total);
  fmpz_clear(best);
  fmpz_clear(paid);
  free(after);
}

static void follow_point(struct follower *f, size_t at, struct step_scratch *scratch) {
  const struct product *p = &f->s->product;
  uint32_t node = f->node.at[at];
  const int8_t *g = strategy_point_shifts(f->s, node, f->queue.at[at]);
  for (uint32_t e = p->first.at[node]; e < p->first.at[node + 1]; e++) {
    struct step step = step_make(p, &f->w, node, e, scratch);
    for (int delta = step_first_delta(&step); delta <= 1; delta += 2)
      answer(f, &step, g, delta, p->edges.at[e].edge);
  }
}

bool strategy_follow(const struct strategy *s, const struct automaton *a, struct edge_use *uses) {
  for (size_t i = 0; i < a->edges.len; i++) {
    memset(&uses[i], 0, sizeof uses[i]);
    fmpq_init(uses[i].cost);
  }
  bool starts = s->point_first.len > 1 && s->point_first.at[1] > 0 &&
                fmpz_cmp(&s->point_value.at[0], s->cost) <= 0;
  for (size_t g = 0; g < a->guards.len; g++)
    starts = starts && automaton_is_conjunction(a, (uint32_t)g);
  if (!starts || s->point_value.len > FOLLOW_POINTS_MAX) return false;
  struct follower f = {.s = s, .a = a, .uses = uses};
  struct step_scratch scratch = {0};
  weights_init(&f.w, a);
  f.seen = xcalloc(s->point_value.len + 1, sizeof *f.seen);
  visit(&f, 0, 0);
  for (size_t i = 0; i < f.queue.len; i++)
    follow_point(&f, i, &scratch);
  step_scratch_clear(&scratch);
  weights_clear(&f.w);
  free(f.seen);
  vec_clear(&f.queue);
  vec_clear(&f.node);
  return true;
}

static void print_shifts(struct buffer *out, unsigned bits) {
  static const char *const names[] = {"-1", "0", "+1"};
  const char *sep = "shift ";
  for (int i = 0; i < 3; i++)
    if (bits >> i & 1) {
      buffer_printf(out, "%s%s", sep, names[i]);
      sep = " or ";
    }
}

void edge_use_print(struct buffer *out, const struct edge_use *use, bool is_input) {
  bool follows = is_input && use->shifts[0] == SHIFT_MINUS && use->shifts[2] == SHIFT_PLUS;
  unsigned all = use->shifts[0] | use->shifts[1] | use->shifts[2];
  if (follows)
    buffer_puts(out, "shift = difference");
  else if (all)
    print_shifts(out, all);
  if (all) buffer_puts(out, ", ");
  if (fmpq_is_zero(use->cost)) {
    buffer_puts(out, "free");
    return;
  }
  char *cost = rational_string(use->cost);
  buffer_printf(out, "costs %s%s", is_input ? "at most " : "", cost);
  free(cost);
}
