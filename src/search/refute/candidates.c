#include "search/refute/candidates.h"

#include <math.h>
#include <stdlib.h>

#include "lang/syntax/builtin.h"
#include "lang/syntax/walk.h"
#include "run/eval/number.h"
#include "search/refute/constants.h"
#include "search/refute/mixed_inputs.h"
#include "search/refute/public_inputs.h"

enum { MOST_POOL = 32, MOST_PUBLIC = 10, MOST_MOVED = 10, MOST_PAIRS = 3000 };

static const struct ast_expr *adjacency_of(const struct program_claim *claim) {
  const struct ast_expr *under = claim->claim->as.claim.under;
  return under ? under : claim->claim->as.claim.target->as.mechanism.adjacent;
}

/* ---- numbers -------------------------------------------------------------------------------- */

struct unit_search {
  struct generator *g;
  bool found;
};

/* The distance in within(x, s), all_within(q, s), ... */
static void look_for_unit(const struct ast_expr *e, void *context) {
  struct unit_search *u = context;
  if (!u->found && e->kind == EXPR_CALL && e->as.call.callee_kind == CALLEE_BUILTIN &&
      builtin_get(e->as.call.builtin)->is_adjacency && e->as.call.count == 2) {
    struct rvalue s;
    struct diag_mark mark = diags_mark(&u->g->claim->lang->diags);
    if (reval_take(&u->g->in.ev, NULL, e->as.call.args[1], &s)) {
      if (s.kind == RVALUE_INT || s.kind == RVALUE_RATIONAL) {
        number_get_fmpq(u->g->unit, &s);
        u->found = fmpq_sgn(u->g->unit) > 0;
      }
      rvalue_clear(&s);
    }
    diags_rollback(&u->g->claim->lang->diags, mark);
  }
  walk_parts(e, look_for_unit, context);
}

static void add_sum(number_list *list, const fmpq_t x, slong units, ulong den, const fmpq_t unit) {
  fmpq_t y, factor;
  fmpq_init(y);
  fmpq_init(factor);
  fmpq_set_si(factor, units, den);
  fmpq_mul(y, unit, factor);
  fmpq_add(y, y, x);
  numbers_add(list, y, MOST_POOL);
  fmpq_clear(y);
  fmpq_clear(factor);
}

/* Numbers that the code of the claim mentions, with that of procedures. */
static void constants_of_code(struct generator *g, number_list *out) {
  constants_of_block(out, &g->in.ev, &g->routine->body);
  for (size_t i = 0; i < g->claim->module->decl_count; i++)
    if (g->claim->module->decls[i]->kind == DECL_PROCEDURE)
      constants_of_block(out, &g->in.ev, &g->claim->module->decls[i]->as.procedure->body);
}

/* Beyond all numbers of the program, both ways: where somebody has forgotten to clip. */
static void add_far(struct generator *g, const number_list *constants) {
  fmpq_t far, size;
  fmpq_init(far);
  fmpq_init(size);
  for (size_t i = 0; i < constants->len; i++) {
    fmpq_abs(size, &constants->at[i]);
    if (fmpq_cmp(far, size) < 0) fmpq_set(far, size);
  }
  fmpq_mul_si(far, far, 2);
  fmpq_add_si(far, far, 1);
  for (int sign = 0; sign < 2 && constants->len; sign++) {
    numbers_add(&g->pool, far, MOST_POOL);
    fmpq_neg(far, far);
  }
  fmpq_clear(far);
  fmpq_clear(size);
}

/* A few units, the numbers of the program with their neighbours, and some fractions. */
static void fill_pool(struct generator *g) {
  static const slong small[] = {0, 1, -1, 2, -2};
  const struct ast_decl *mechanism = g->claim->claim->as.claim.target;
  number_list constants = {0};
  fmpq_t zero;
  fmpq_init(zero);
  for (size_t i = 0; i < sizeof small / sizeof *small; i++)
    add_sum(&g->pool, zero, small[i], 1, g->unit);
  numbers_add_ratio(&g->pool, 1, 2, MOST_POOL);
  constants_of(&constants, &g->in.ev, adjacency_of(g->claim));
  for (size_t i = 0; i < mechanism->as.mechanism.require_count; i++)
    constants_of(&constants, &g->in.ev, mechanism->as.mechanism.requires[i]);
  for (size_t i = 0; i < g->claim->module->decl_count; i++)
    if (g->claim->module->decls[i]->kind == DECL_AXIOM)
      constants_of(&constants, &g->in.ev, g->claim->module->decls[i]->as.formula);
  constants_of_code(g, &constants);
  for (size_t i = 0; i < constants.len; i++)
    numbers_add(&g->pool, &constants.at[i], MOST_POOL);
  add_far(g, &constants);
  for (size_t i = 0; i < constants.len; i++)
    for (slong k = -1; k <= 1; k += 2)
      add_sum(&g->pool, &constants.at[i], k, 1, g->unit);
  numbers_add_ratio(&g->pool, 1, 3, MOST_POOL);
  numbers_add_ratio(&g->pool, 1, 4, MOST_POOL);
  for (size_t i = 0; i < constants.len; i++)
    for (slong k = -1; k <= 1; k += 2)
      add_sum(&g->pool, &constants.at[i], k, 2, g->unit);
  numbers_clear(&constants);
  fmpq_clear(zero);
}

static void fill_moves(struct generator *g) {
  number_list constants = {0};
  fmpq_t minus;
  fmpq_init(minus);
  constants_of(&constants, &g->in.ev, adjacency_of(g->claim));
  numbers_add(&g->moves, g->unit, MOST_MOVED);
  for (size_t i = 0; i < constants.len; i++)
    if (fmpq_sgn(&constants.at[i]) > 0) numbers_add(&g->moves, &constants.at[i], MOST_MOVED);
  for (size_t i = 0, n = g->moves.len; i < n; i++) {
    fmpq_neg(minus, &g->moves.at[i]);
    numbers_add(&g->moves, minus, 2 * MOST_MOVED);
  }
  numbers_add_ratio(&g->moves, 1, 3, 2 * MOST_MOVED + 1);
  numbers_clear(&constants);
  fmpq_clear(minus);
}

/* ---- pairs of vectors ----------------------------------------------------------------------- */

size_t generator_width(const struct generator *g) {
  return g->layout.leaves.len;
}

/* All entries of both runs the same. */
static void fill(struct generator *g, const fmpq_t value) {
  for (int run = 0; run < 2; run++)
    for (size_t i = 0; i < generator_width(g); i++)
      fmpq_set(&g->runs[run][i], value);
}

static void in_units(struct generator *g, fmpq *out, slong units) {
  fmpq_set_si(out, units, 1);
  fmpq_mul(out, out, g->unit);
}

void generator_move(struct generator *g, size_t i, const fmpq_t by) {
  if (g->layout.leaves.at[i].kind == TYPE_BOOL)
    fmpq_set_si(&g->runs[1][i], fmpq_is_zero(&g->runs[0][i]), 1);
  else
    fmpq_add(&g->runs[1][i], &g->runs[0][i], by);
}

void generator_stay(struct generator *g, size_t i) {
  fmpq_set(&g->runs[1][i], &g->runs[0][i]);
}

void generator_push(struct generator *g) {
  if (g->out->len >= g->most) return;
  struct input_pair p;
  for (int run = 0; run < 2; run++) {
    const fmpq *numbers = g->runs[run];
    p.runs[run] = xcalloc(g->routine->arg_count + 1, sizeof(struct rvalue));
    for (size_t i = 0; i < g->routine->arg_count; i++) {
      const struct ast_var *arg = g->routine->args[i];
      p.runs[run][i] = arg->is_private ? layout_value(&g->layout, arg->declared, &numbers)
                                       : rvalue_copy(&g->frame.at[arg->slot]);
    }
  }
  vec_push(g->out, p);
}

/* ---- plain ---------------------------------------------------------------------------------- */

/* Shapes of a vector of length n: what entry i is, in units. */
typedef slong shape(size_t i, size_t n);
static slong zeros(size_t i, size_t n) {
  return (void)i, (void)n, 0;
}
static slong all_up(size_t i, size_t n) {
  return (void)i, (void)n, 1;
}
static slong all_down(size_t i, size_t n) {
  return (void)i, (void)n, -1;
}
static slong first_up(size_t i, size_t n) {
  return (void)n, i == 0;
}
static slong first_down(size_t i, size_t n) {
  return (void)n, -(slong)(i == 0);
}
static slong first_far(size_t i, size_t n) {
  return (void)n, i == 0 ? 8 : 0;
}
static slong last_up(size_t i, size_t n) {
  return i + 1 == n;
}
static slong last_down(size_t i, size_t n) {
  return -(slong)(i + 1 == n);
}
/* What is in the middle is in the most windows, and in the most ranges of a tree. */
static slong middle_up(size_t i, size_t n) {
  return i == n / 2;
}
static slong middle_down(size_t i, size_t n) {
  return -(slong)(i == n / 2);
}
static slong first_against(size_t i, size_t n) {
  return (void)n, i == 0 ? 1 : -1;
}
static slong first_with(size_t i, size_t n) {
  return (void)n, i == 0 ? -1 : 1;
}
static slong last_against(size_t i, size_t n) {
  return i + 1 == n ? 1 : -1;
}
static slong last_with(size_t i, size_t n) {
  return i + 1 == n ? -1 : 1;
}
static slong halves_up(size_t i, size_t n) {
  return i < (n + 1) / 2 ? 1 : -1;
}
static slong halves_down(size_t i, size_t n) {
  return i < (n + 1) / 2 ? -1 : 1;
}
static slong alternate(size_t i, size_t n) {
  return (void)n, i % 2 ? -1 : 1;
}

static shape *const bases[] = {zeros, first_up, first_down, halves_up};
static shape *const moves[] = {all_up,       all_down,  first_against, first_with,
                               last_against, last_with, halves_up,     halves_down,
                               alternate,    first_up,  first_down,    last_up,
                               last_down,    first_far, middle_up,     middle_down};
enum { BASE_COUNT = sizeof bases / sizeof *bases, MOVE_COUNT = sizeof moves / sizeof *moves };

static const slong small_numbers[] = {0, 1, -1, 2, -2};
enum { SMALL_COUNT = sizeof small_numbers / sizeof *small_numbers };

/* The entries of one argument: from..to-1 of the vector. */
struct entries {
  size_t from, to;
  bool is_number, is_bool; /* a single number; nothing but booleans */
};

static struct entries entries_of(const struct generator *g, size_t arg) {
  struct entries e = {.is_bool = true};
  while (e.from < generator_width(g) && g->layout.leaves.at[e.from].arg != arg)
    e.from++;
  for (e.to = e.from; e.to < generator_width(g) && g->layout.leaves.at[e.to].arg == arg; e.to++)
    e.is_bool = e.is_bool && g->layout.leaves.at[e.to].kind == TYPE_BOOL;
  enum type_kind kind = g->routine->args[arg]->declared->kind;
  e.is_number = kind == TYPE_INT || kind == TYPE_REAL || kind == TYPE_FLOAT || kind == TYPE_FLOAT32;
  return e;
}

static size_t plain_count(const struct entries *e) {
  if (e->from == e->to) return 1;
  if (e->is_bool) return e->to - e->from == 1 ? 2 : e->to - e->from;
  return e->is_number ? 2 * SMALL_COUNT : BASE_COUNT * MOVE_COUNT;
}

static void put_plain(struct generator *g, const struct entries *e, size_t k) {
  size_t n = e->to - e->from;
  k %= plain_count(e);
  for (size_t i = 0; i < n; i++) {
    fmpq *first = &g->runs[0][e->from + i], *second = &g->runs[1][e->from + i];
    if (e->is_bool) {
      fmpq_set_si(first, n == 1 ? k == 0 : i == k, 1);
      fmpq_set_si(second, n == 1 && k == 1, 1);
    } else if (e->is_number) {
      slong base = small_numbers[k / 2];
      in_units(g, first, base);
      in_units(g, second, k % 2 ? base - 1 : base + 1);
    } else {
      slong base = bases[k / MOVE_COUNT](i, n);
      in_units(g, first, base);
      in_units(g, second, base + moves[k % MOVE_COUNT](i, n));
    }
  }
}

/* The k-th candidate of every private input at once: inputs move in step. */
static void plain(struct generator *g) {
  size_t most = 1;
  for (size_t arg = 0; arg < g->routine->arg_count; arg++) {
    struct entries e = entries_of(g, arg);
    if (plain_count(&e) > most) most = plain_count(&e);
  }
  for (size_t k = 0; k < most; k++) {
    for (size_t arg = 0; arg < g->routine->arg_count; arg++) {
      struct entries e = entries_of(g, arg);
      if (e.from < e.to) put_plain(g, &e, k);
    }
    generator_push(g);
  }
}

/* ---- near ----------------------------------------------------------------------------------- */

/* From what the first run has: each entry alone, by every distance. */
static void each_alone(struct generator *g) {
  for (size_t m = 0; m < g->moves.len; m++)
    for (size_t i = 0; i < generator_width(g); i++) {
      generator_move(g, i, &g->moves.at[m]);
      generator_push(g);
      generator_stay(g, i);
    }
}

static void two_entries(struct generator *g) {
  fmpq_t back;
  fmpq_init(back);
  fmpq_neg(back, g->unit);
  for (size_t i = 0; generator_width(g) <= MOST_MOVED && i < generator_width(g); i++)
    for (size_t j = 0; j < generator_width(g); j++) {
      if (i == j) continue;
      generator_move(g, i, g->unit);
      generator_move(g, j, back);
      generator_push(g);
      if (i < j) {
        generator_move(g, j, g->unit);
        generator_push(g);
      }
      generator_stay(g, j);
      generator_stay(g, i);
    }
  fmpq_clear(back);
}

/* The first three or more, but not all: as many as an adjacency that counts them allows. */
static void first_entries(struct generator *g) {
  size_t n = generator_width(g);
  for (size_t i = 0; n <= MOST_MOVED && i + 1 < n; i++) {
    generator_move(g, i, g->unit);
    if (i >= 2) generator_push(g);
  }
  for (size_t i = 0; i < n; i++)
    generator_stay(g, i);
}

/* Is the entry in part p: an argument, or an item of one? */
static bool in_part(const struct generator *g, size_t i, size_t arg, size_t item, bool whole) {
  return g->layout.leaves.at[i].arg == arg && (whole || g->layout.leaves.at[i].item == item);
}

static void move_part(struct generator *g, size_t arg, size_t item, bool whole, slong sign) {
  fmpq_t by;
  fmpq_init(by);
  in_units(g, by, sign);
  for (size_t i = 0; i < generator_width(g); i++)
    if (in_part(g, i, arg, item, whole)) {
      if (sign)
        generator_move(g, i, by);
      else
        generator_stay(g, i);
    }
  fmpq_clear(by);
}

/* A row of a table at once. */
static void each_item(struct generator *g) {
  for (size_t i = 0; i < generator_width(g); i++) {
    const struct layout_leaf *leaf = &g->layout.leaves.at[i];
    bool is_first = i == 0 || leaf[-1].arg != leaf->arg || leaf[-1].item != leaf->item;
    for (slong sign = 1; is_first && sign >= -1; sign -= 2) {
      move_part(g, leaf->arg, leaf->item, false, sign);
      generator_push(g);
      move_part(g, leaf->arg, leaf->item, false, 0);
    }
  }
}

/* All entries together, each by a part of the unit: as far as a bound on the sum of the distances, or
 * of their squares, allows. */
static void shared_steps(struct generator *g) {
  size_t n = generator_width(g);
  fmpq_t part;
  fmpq_init(part);
  for (int kind = 0; n > 1 && kind < 2; kind++) {
    if (kind == 0)
      fmpq_set_si(part, 1, n);
    else
      fmpq_set_si(part, (slong)(100 / sqrt((double)n)), 100);
    fmpq_mul(part, part, g->unit);
    for (size_t i = 0; i < n; i++)
      generator_move(g, i, part);
    generator_push(g);
  }
  for (size_t i = 0; i < n; i++)
    generator_stay(g, i);
  fmpq_clear(part);
}

/* Every argument stays, goes up, or goes down. */
static void each_argument(struct generator *g) {
  static const slong signs[] = {0, 1, -1};
  size_t private_count = 0, combinations = 1, private_args[4];
  for (size_t i = 0; i < g->routine->arg_count && private_count < 4; i++)
    if (g->routine->args[i]->is_private) {
      private_args[private_count++] = i;
      combinations *= 3;
    }
  for (size_t c = 1; private_count > 1 && c < combinations; c++) {
    for (size_t i = 0, rest = c; i < private_count; i++, rest /= 3)
      move_part(g, private_args[i], 0, true, signs[rest % 3]);
    generator_push(g);
  }
  for (size_t i = 0; i < generator_width(g); i++)
    generator_stay(g, i);
}

/* The inputs of the instance, if it has them in this size. */
static bool take_instance(struct generator *g) {
  bool ok = g->instance != NULL;
  for (size_t arg = 0; ok && arg < g->routine->arg_count; arg++) {
    if (!g->routine->args[arg]->is_private) continue;
    const struct ast_binding *b = interp_input(&g->in, g->routine->args[arg]);
    struct entries e = entries_of(g, arg);
    struct rvalue v;
    ok = b && reval_take(&g->in.ev, NULL, b->value, &v);
    if (!ok) break;
    ok = layout_read(&v, g->runs[0] + e.from, e.to - e.from);
    rvalue_clear(&v);
  }
  for (size_t i = 0; ok && i < generator_width(g); i++)
    generator_stay(g, i);
  return ok;
}

/* 0, 1, 2, ... in units, or the other way round. */
static void ramp(struct generator *g, bool up) {
  for (size_t i = 0; i < generator_width(g); i++) {
    in_units(g, &g->runs[0][i], (slong)(up ? i : generator_width(g) - 1 - i));
    generator_stay(g, i);
  }
}

static void near(struct generator *g) {
  if (take_instance(g)) each_alone(g);
  for (size_t a = 0; a < g->pool.len; a++) {
    fill(g, &g->pool.at[a]);
    each_argument(g);
    each_alone(g);
    if (a < 2) shared_steps(g);
    if (a < 2) two_entries(g);
    if (a < 2) first_entries(g);
    if (a < 2) each_item(g);
    if (a > 0) continue;
    ramp(g, true);
    each_alone(g);
    ramp(g, false);
    each_alone(g);
  }
}

/* ---- wide ----------------------------------------------------------------------------------- */

/* One entry from any number of the pool to any other, the simplest first; the others are as it was,
 * or 0. */
static void leaps(struct generator *g) {
  size_t n = generator_width(g), step = n > 4 ? (n - 1) / 2 : 1;
  fmpq_t zero;
  fmpq_init(zero);
  for (size_t sum = 1; n && sum < 2 * g->pool.len; sum++)
    for (size_t a = sum < g->pool.len ? 0 : sum - g->pool.len + 1; a < g->pool.len && a <= sum; a++)
      for (size_t i = 0; i < n; i += step)
        for (int others = 0; others < (n > 1 && a > 0 ? 2 : 1); others++) {
          fill(g, others ? zero : &g->pool.at[a]);
          for (int run = 0; run < 2; run++)
            fmpq_set(&g->runs[run][i], &g->pool.at[run ? sum - a : a]);
          generator_push(g);
        }
  fmpq_clear(zero);
}

/* One entry goes far away while another one takes a step: an answer that may be anything where a
 * count that is tested before it is small. */
static void far_away(struct generator *g) {
  enum { FAR = 64, MOST_ENTRIES = 4, MOST_BASES = 3 };
  size_t n = generator_width(g), entries = n < MOST_ENTRIES ? n : MOST_ENTRIES;
  for (size_t a = 0; a < g->pool.len && a < MOST_BASES; a++)
    for (size_t i = 0; i < entries; i++)
      for (size_t j = 0; j < entries; j++) {
        if (i == j) continue;
        for (int run = 0; run < 2; run++) {
          fill(g, &g->pool.at[a]);
          fmpq_add_si(&g->runs[1][i], &g->runs[1][i], FAR);
          fmpq_add_si(&g->runs[run][j], &g->runs[run][j], 1);
          generator_push(g);
        }
      }
}

/* The last pair once more with the first list longer in the second run, at its end. */
static void grow_list(struct generator *g, const struct ast_type *t, size_t arg,
                      const fmpq_t value) {
  fmpq *numbers = xcalloc(LAYOUT_MOST_LEAVES, sizeof *numbers);
  const fmpq *next = numbers;
  for (size_t i = 0; i < LAYOUT_MOST_LEAVES; i++)
    fmpq_set(&numbers[i], value);
  size_t before = g->out->len;
  generator_push(g);
  if (g->out->len > before)
    rvalue_push(&vec_last(g->out).runs[1][arg], layout_value(&g->layout, t->items[0], &next));
  for (size_t i = 0; i < LAYOUT_MOST_LEAVES; i++)
    fmpq_clear(&numbers[i]);
  free(numbers);
}

static void longer_lists(struct generator *g) {
  for (size_t arg = 0; arg < g->routine->arg_count; arg++) {
    const struct ast_type *t = g->routine->args[arg]->declared;
    bool grows = t->kind == TYPE_LIST || (t->kind == TYPE_ARRAY && !t->length);
    for (size_t a = 0; grows && g->routine->args[arg]->is_private && a < g->pool.len; a++)
      for (size_t b = 0; b < g->pool.len; b++) {
        fill(g, &g->pool.at[a]);
        grow_list(g, t, arg, &g->pool.at[b]);
      }
  }
}

/* ---- all of it ------------------------------------------------------------------------------ */

static bool lay_out(struct generator *g, char **why) {
  g->layout.leaves.len = 0;
  for (size_t i = 0; i < g->routine->arg_count; i++)
    if (g->routine->args[i]->is_private && !layout_add(&g->layout, g->routine, i, why))
      return false;
  return true;
}

/* The pairs for the public inputs in the frame. */
static bool assemble(struct generator *g, enum candidate_stage stage, char **why) {
  if (!lay_out(g, why)) return false;
  for (int run = 0; run < 2; run++) {
    g->runs[run] = xcalloc(generator_width(g) + 1, sizeof(fmpq));
    for (size_t i = 0; i < generator_width(g); i++)
      fmpq_init(&g->runs[run][i]);
  }
  if (stage == CANDIDATES_PLAIN) plain(g);
  if (stage == CANDIDATES_NEAR) near(g);
  if (stage == CANDIDATES_WIDE) {
    far_away(g);
    leaps(g);
    longer_lists(g);
  }
  if (stage == CANDIDATES_MIXED) mixed_inputs(g);
  for (int run = 0; run < 2; run++) {
    for (size_t i = 0; i < generator_width(g); i++)
      fmpq_clear(&g->runs[run][i]);
    free(g->runs[run]);
  }
  return true;
}

/* The plain pairs for the first public inputs that fit; later stages go through the others, too. */
static bool generate(struct generator *g, enum candidate_stage stage, char **why) {
  bool has_public = public_inputs_exist(g), ok = true;
  size_t choices = has_public ? MOST_PUBLIC : 1, used = 0;
  struct public_inputs p;
  public_inputs_init(&p, g);
  while (ok && used < choices && (!has_public || public_inputs_next(&p, why))) {
    g->most = (used + 1) * (MOST_PAIRS / choices) + (stage == CANDIDATES_PLAIN ? MOST_PAIRS : 0);
    if (stage == CANDIDATES_NEAR && used) ok = assemble(g, CANDIDATES_PLAIN, why);
    ok = ok && assemble(g, stage, why);
    if (++used == 1 && stage == CANDIDATES_PLAIN) break;
  }
  public_inputs_clear(&p);
  if (!used && !*why)
    *why = xstrdup("no public inputs were found that satisfy `requires`; give some in an instance");
  return ok && used > 0;
}

static void generator_init(struct generator *g, const struct program_claim *claim,
                           const struct ast_decl *instance, const struct program_param *params,
                           size_t count) {
  const struct ast_decl *mechanism = claim->claim->as.claim.target;
  *g = (struct generator){
      .claim = claim, .instance = instance, .routine = mechanism->as.mechanism.routine};
  fmpq_init(g->unit);
  fmpq_one(g->unit);
  interp_init(&g->in, claim->lang, claim->module, mechanism);
  g->in.instance = instance;
  rframe_init(&g->frame, g->routine->slot_count);
  g->layout = (struct layout){.in = &g->in, .frame = &g->frame, .list_length = LAYOUT_LIST_LENGTH};
  for (size_t i = 0; i < count; i++)
    reval_set_param(&g->in.ev, params[i].decl, rvalue_copy(&params[i].value));
  struct unit_search u = {g, false};
  if (adjacency_of(claim)) look_for_unit(adjacency_of(claim), &u);
}

static void generator_clear(struct generator *g) {
  interp_clear(&g->in);
  rframe_clear(&g->frame);
  vec_clear(&g->layout.leaves);
  numbers_clear(&g->pool);
  numbers_clear(&g->public_pool);
  numbers_clear(&g->moves);
  fmpq_clear(g->unit);
}

bool candidate_inputs(input_pair_list *out, const struct program_claim *claim,
                      const struct ast_decl *instance, const struct setting *setting,
                      enum candidate_stage stage, char **why) {
  struct generator g;
  generator_init(&g, claim, instance, setting->params.at, setting->params.len);
  struct diag_mark mark = diags_mark(&claim->lang->diags);
  g.out = out;
  fill_pool(&g);
  fill_moves(&g);
  bool ok = generate(&g, stage, why);
  diags_rollback(&claim->lang->diags, mark);
  generator_clear(&g);
  return ok;
}

void candidate_constants(number_list *out, const struct program_claim *claim,
                         const struct program_counterexample *ce) {
  struct generator g;
  generator_init(&g, claim, ce->instance, ce->params.at, ce->params.len);
  constants_of_code(&g, out);
  generator_clear(&g);
}

void candidate_unit(fmpq_t out, const struct program_claim *claim,
                    const struct program_counterexample *ce) {
  struct generator g;
  generator_init(&g, claim, ce->instance, ce->params.at, ce->params.len);
  fmpq_set(out, g.unit);
  generator_clear(&g);
}

void input_pair_list_clear(input_pair_list *list, size_t input_count) {
  for (size_t i = 0; i < list->len; i++)
    for (int run = 0; run < 2; run++) {
      for (size_t k = 0; k < input_count; k++)
        rvalue_clear(&list->at[i].runs[run][k]);
      free(list->at[i].runs[run]);
    }
  vec_clear(list);
}
