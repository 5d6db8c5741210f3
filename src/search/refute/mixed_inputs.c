#include "search/refute/mixed_inputs.h"

#include "run/sample/random.h"

enum { MOST_MIXED = 160, VALUES = 3, PAIRS_PER_NUMBER = 8 };

struct mixture {
  struct generator *g;
  struct random random;
  fmpq values[VALUES]; /* two numbers, and what lies half way between them */
};

/* The more pairs there were, the further down the pool. */
static void choose_values(struct mixture *m, size_t pairs) {
  size_t most = 2 + pairs / PAIRS_PER_NUMBER;
  if (most > m->g->pool.len) most = m->g->pool.len;
  for (size_t i = 0; i < 2; i++)
    fmpq_set(&m->values[i], &m->g->pool.at[random_below(&m->random, most)]);
  fmpq_add(&m->values[2], &m->values[0], &m->values[1]);
  fmpq_div_2exp(&m->values[2], &m->values[2], 1);
}

static void draw_entry(struct mixture *m, int run, size_t i) {
  fmpq *entry = &m->g->runs[run][i];
  if (m->g->layout.leaves.at[i].kind == TYPE_BOOL)
    fmpq_set_si(entry, random_bit(&m->random), 1);
  else
    fmpq_set(entry, &m->values[random_below(&m->random, VALUES)]);
}

/* Entry i, or the row that it is in, is drawn anew in the second run. */
static void draw_again(struct mixture *m, size_t i, bool whole_row) {
  const struct layout_leaf *mine = &m->g->layout.leaves.at[i];
  for (size_t k = 0; k < generator_width(m->g); k++) {
    const struct layout_leaf *leaf = &m->g->layout.leaves.at[k];
    if (k == i || (whole_row && leaf->arg == mine->arg && leaf->item == mine->item))
      draw_entry(m, 1, k);
  }
}

static void one_pair(struct mixture *m) {
  enum { A_STEP, ANOTHER_NUMBER, A_ROW, WAYS };
  struct generator *g = m->g;
  for (size_t i = 0; i < generator_width(g); i++) {
    draw_entry(m, 0, i);
    generator_stay(g, i);
  }
  size_t moved = random_below(&m->random, generator_width(g));
  uint64_t way = random_below(&m->random, WAYS);
  if (way == A_STEP)
    generator_move(g, moved, g->unit);
  else
    draw_again(m, moved, way == A_ROW);
  generator_push(g);
}

void mixed_inputs(struct generator *g) {
  struct mixture m = {.g = g};
  random_init_seeded(&m.random, 1);
  for (size_t i = 0; i < VALUES; i++)
    fmpq_init(&m.values[i]);
  for (size_t pairs = 0; generator_width(g) && pairs < MOST_MIXED; pairs++) {
    choose_values(&m, pairs);
    one_pair(&m);
  }
  for (size_t i = 0; i < VALUES; i++)
    fmpq_clear(&m.values[i]);
}
