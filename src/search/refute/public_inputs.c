#include "search/refute/public_inputs.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

enum {
  MOST_POOL = 32,
  MOST_ATTEMPTS = 600,
  PER_ROUND = 6, /* attempts: four shapes of a number, two combinations */
  INSTANCE = 1   /* the attempt that has the values of the instance */
};

bool public_inputs_exist(const struct generator *g) {
  for (size_t i = 0; i < g->routine->arg_count; i++)
    if (!g->routine->args[i]->is_private) return true;
  return false;
}

/* ---- numbers -------------------------------------------------------------------------------- */

static void add_moved(struct generator *g, const fmpq_t x, slong units) {
  fmpq_t y;
  fmpq_init(y);
  fmpq_set_si(y, units, 1);
  fmpq_mul(y, y, g->unit);
  fmpq_add(y, y, x);
  numbers_add(&g->public_pool, y, MOST_POOL);
  fmpq_clear(y);
}

/* 0, what `requires` mentions with its neighbours, and the numbers for private inputs. */
static void fill_pool(struct generator *g) {
  const struct ast_decl *mechanism = g->claim->claim->as.claim.target;
  number_list constants = {0};
  numbers_add_ratio(&g->public_pool, 0, 1, MOST_POOL);
  for (size_t i = 0; i < mechanism->as.mechanism.require_count; i++)
    constants_of(&constants, &g->in.ev, mechanism->as.mechanism.requires[i]);
  for (slong k = 0; k < 3; k++)
    for (size_t i = 0; i < constants.len; i++)
      add_moved(g, &constants.at[i], k == 2 ? -1 : k);
  for (size_t i = 0; i < g->pool.len; i++)
    numbers_add(&g->public_pool, &g->pool.at[i], MOST_POOL);
  numbers_clear(&constants);
}

/* ---- attempts ------------------------------------------------------------------------------- */

enum shape { ALIKE, IN_TURNS, RISING, FALLING };

/* Number k of those of all public inputs. */
static void put_shape(fmpq_t out, const struct generator *g, enum shape shape, const fmpq_t value,
                      size_t k) {
  fmpq_t step;
  fmpq_init(step);
  fmpq_set(out, value);
  if (shape == IN_TURNS && k % 2 == 0) fmpq_zero(out);
  fmpq_set_si(step, shape == RISING ? (slong)k : shape == FALLING ? -(slong)k : 0, 1);
  fmpq_mul(step, step, g->unit);
  fmpq_add(out, out, step);
  fmpq_clear(step);
}

/* The positions in the pool of combination k of count numbers, ordered by their sum. False: there
 * are no such many. */
struct combination {
  size_t positions[LAYOUT_MOST_LEAVES];
  size_t count, pool, left; /* combinations to be passed over */
};

static bool combine(struct combination *c, size_t at, size_t sum) {
  if (at + 1 == c->count) {
    c->positions[at] = sum;
    return sum < c->pool && c->left-- == 0;
  }
  for (size_t p = 0; p <= sum && p < c->pool; p++) {
    c->positions[at] = p;
    if (combine(c, at + 1, sum - p)) return true;
  }
  return false;
}

static bool find_combination(struct combination *c) {
  for (size_t sum = 0; sum <= c->count * (c->pool - 1); sum++)
    if (combine(c, 0, sum)) return true;
  return false;
}

/* What an attempt gives to the inputs. */
struct attempt {
  const struct generator *g;
  size_t index;
  struct combination positions; /* one per input; count 0: a shape */
  size_t inputs, numbers;       /* that were given theirs */
};

/* False: nothing new is to be expected from this and later ones. */
static bool plan(struct attempt *a) {
  size_t in_round = a->index % PER_ROUND, round = a->index / PER_ROUND, count = 0;
  const struct ast_routine *routine = a->g->routine;
  for (size_t i = 0; i < routine->arg_count; i++)
    count += !routine->args[i]->is_private;
  if (in_round <= FALLING) return true;
  if (count > LAYOUT_MOST_LEAVES) return true;
  a->positions.count = count;
  a->positions.pool = a->g->public_pool.len;
  a->positions.left = 2 * round + in_round - FALLING - 1;
  return find_combination(&a->positions);
}

/* Number k of an input with that many of its own, of which `before` are those of the inputs before
 * it. In a combination an array or a tuple has each shape of each number. */
static void put_number(fmpq_t out, const struct attempt *a, size_t before, size_t k, size_t count) {
  enum { SHAPES = FALLING + 1 };
  const number_list *pool = &a->g->public_pool;
  size_t round = a->index / PER_ROUND;
  if (!a->positions.count) {
    put_shape(out, a->g, a->index % PER_ROUND, &pool->at[round % pool->len], before + k);
    return;
  }
  size_t position = a->positions.positions[a->inputs];
  if (count == 1)
    fmpq_set(out, &pool->at[position]);
  else
    put_shape(out, a->g, position % SHAPES, &pool->at[position / SHAPES], k);
}

/* The value of the instance, if this is the attempt that has it. */
static bool put_instance(struct generator *g, const struct attempt *a, const struct ast_var *var) {
  const struct ast_binding *b = a->index == INSTANCE ? interp_input(&g->in, var) : NULL;
  struct rvalue v;
  if (!b || !reval_take(&g->in.ev, NULL, b->value, &v)) return false;
  rvalue_clear(&g->frame.at[var->slot]);
  g->frame.at[var->slot] = v;
  return true;
}

static bool put_input(struct generator *g, struct attempt *a, size_t arg, char **why) {
  struct layout l = {.in = &g->in, .frame = &g->frame, .list_length = LAYOUT_LIST_LENGTH};
  const struct ast_var *var = g->routine->args[arg];
  if (put_instance(g, a, var)) return true;
  bool ok = layout_add(&l, g->routine, arg, why);
  if (ok) {
    fmpq *numbers = xcalloc(l.leaves.len + 1, sizeof *numbers);
    const fmpq *next = numbers;
    for (size_t i = 0; i < l.leaves.len; i++) {
      fmpq_init(&numbers[i]);
      put_number(&numbers[i], a, a->numbers, i, l.leaves.len);
    }
    a->numbers += l.leaves.len;
    rvalue_clear(&g->frame.at[var->slot]);
    g->frame.at[var->slot] = layout_value(&l, var->declared, &next);
    for (size_t i = 0; i < l.leaves.len; i++)
      fmpq_clear(&numbers[i]);
    free(numbers);
  }
  vec_clear(&l.leaves);
  return ok;
}

static bool put_inputs(struct generator *g, struct attempt *a, char **why) {
  for (size_t i = 0; i < g->routine->arg_count; i++) {
    if (g->routine->args[i]->is_private) continue;
    if (!put_input(g, a, i, why)) return false;
    a->inputs++;
  }
  return true;
}

/* ---- choices -------------------------------------------------------------------------------- */

/* Do the public inputs satisfy what the mechanism requires? */
static bool fits(struct generator *g) {
  const struct ast_decl *mechanism = g->claim->claim->as.claim.target;
  for (size_t i = 0; i < mechanism->as.mechanism.require_count; i++) {
    bool truth = true;
    g->in.ev.steps = 0;
    bool known = reval_bool(&g->in.ev, &g->frame, mechanism->as.mechanism.requires[i], &truth);
    if (known && !truth) return false;
  }
  return true;
}

static bool is_new(struct public_inputs *p) {
  struct buffer key;
  buffer_init(&key);
  for (size_t i = 0; i < p->g->routine->arg_count; i++) {
    const struct ast_var *var = p->g->routine->args[i];
    if (var->is_private) continue;
    rvalue_print(&key, &p->g->frame.at[var->slot]);
    buffer_putc(&key, '|');
  }
  char *text = buffer_take(&key);
  for (size_t i = 0; i < p->made.len; i++)
    if (strcmp(p->made.at[i], text) == 0) {
      free(text);
      return false;
    }
  vec_push(&p->made, text);
  return true;
}

void public_inputs_init(struct public_inputs *p, struct generator *g) {
  *p = (struct public_inputs){.g = g};
  if (!g->public_pool.len) fill_pool(g);
}

bool public_inputs_next(struct public_inputs *p, char **why) {
  while (p->attempt < MOST_ATTEMPTS) {
    struct attempt a = {.g = p->g, .index = p->attempt++};
    if (!plan(&a)) continue;
    if (!put_inputs(p->g, &a, why)) return false;
    if (fits(p->g) && is_new(p)) return true;
  }
  return false;
}

void public_inputs_clear(struct public_inputs *p) {
  for (size_t i = 0; i < p->made.len; i++)
    free(p->made.at[i]);
  vec_clear(&p->made);
}
