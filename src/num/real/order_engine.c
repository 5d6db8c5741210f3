#include "num/real/order_engine.h"

#include <string.h>

#include "base/alloc.h"
#include "num/arb_compat.h"
#include "num/real/order_graph.h"
#include "num/real/order_poly.h"

/* ---- the engine ----------------------------------------------------------------------------- */

/* A function of `vars` (increasing), stored by cells; a cell that is missing is zero. A cell is
 * named by its line: the variables from left to right, 16 bits each, interval * 8 + position of the
 * variable in `vars`. */
struct cell {
  uint64_t name;
  struct order_poly poly;
};
struct function {
  uint32_t vars[ORDER_SCOPE_MAX];
  size_t arity;
  uint32_t exponent;      /* this function occurs so many times as a factor */
  VEC(struct cell) cells; /* by name, increasing */
};

/* Interval t lies between breakpoints t-1 and t; there are breakpoint_count + 1. */
struct engine {
  const struct order_problem *problem;
  const struct budget *budget;
  slong precision;
  struct order_graph graph;
  fmpq *breakpoints;
  size_t breakpoint_count;
  arb_ptr at, rising, falling; /* breakpoint b as a ball, e^(ub), e^(-ub) */
  fmpq_t unit;                 /* u: all rates are integer multiples */
  arb_t unit_ball;
  int64_t *rates;             /* of each sample, in units */
  uint32_t *first, *last;     /* of each sample: the intervals in its window */
  bool *is_done, *is_touched; /* eliminated; has a function attached */
  VEC(struct function) functions;
  bool diverged;
  enum order_status status;
};

static bool engine_fail(struct engine *e, enum order_status status) {
  if (e->status == ORDER_OK) e->status = status;
  return false;
}

static void function_clear(struct function *f) {
  for (size_t i = 0; i < f->cells.len; i++)
    order_poly_clear(&f->cells.at[i].poly);
  vec_clear(&f->cells);
}

static int rational_cmp(const void *a, const void *b) {
  return fmpq_cmp(a, b);
}

static void add_breakpoint(struct engine *e, const fmpq_t value) {
  fmpq_init(e->breakpoints + e->breakpoint_count);
  fmpq_set(e->breakpoints + e->breakpoint_count++, value);
}

static void collect_breakpoints(struct engine *e) {
  size_t count = e->graph.count, kept = 0;
  e->breakpoints = xcalloc(4 * count + 1, sizeof *e->breakpoints);
  for (size_t i = 0; i < count; i++) {
    const struct order_sample *s = &e->problem->samples.at[i];
    add_breakpoint(e, s->a);
    if (s->noise == ORDER_UNIFORM) add_breakpoint(e, s->b);
    if (e->graph.low[i].side == 0) add_breakpoint(e, e->graph.low[i].at);
    if (e->graph.high[i].side == 0) add_breakpoint(e, e->graph.high[i].at);
  }
  qsort(e->breakpoints, e->breakpoint_count, sizeof *e->breakpoints, rational_cmp);
  for (size_t i = 0; i < e->breakpoint_count; i++) {
    if (kept && fmpq_equal(e->breakpoints + kept - 1, e->breakpoints + i)) continue;
    fmpq_swap(e->breakpoints + kept++, e->breakpoints + i);
  }
  for (size_t i = kept; i < e->breakpoint_count; i++)
    fmpq_clear(e->breakpoints + i);
  e->breakpoint_count = kept;
}

/* The number of breakpoints <= value. */
static uint32_t breakpoints_up_to(const struct engine *e, const fmpq_t value) {
  size_t low = 0, high = e->breakpoint_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (fmpq_cmp(e->breakpoints + middle, value) <= 0)
      low = middle + 1;
    else
      high = middle;
  }
  return (uint32_t)low;
}

/* u = the greatest rational that divides all rates. */
static bool choose_unit(struct engine *e) {
  int64_t sum = 0;
  fmpq_zero(e->unit);
  for (size_t i = 0; i < e->graph.count; i++)
    if (e->problem->samples.at[i].noise != ORDER_UNIFORM)
      fmpq_gcd(e->unit, e->unit, e->problem->samples.at[i].b);
  if (fmpq_is_zero(e->unit)) fmpq_one(e->unit);
  fmpq_t ratio;
  fmpq_init(ratio);
  for (size_t i = 0; i < e->graph.count && sum < ORDER_RATE_MAX; i++) {
    if (e->problem->samples.at[i].noise == ORDER_UNIFORM) continue;
    fmpq_div(ratio, e->problem->samples.at[i].b, e->unit); /* an integer > 0 */
    if (fmpz_bits(fmpq_numref(ratio)) > 46) {
      sum = ORDER_RATE_MAX;
      break;
    }
    e->rates[i] = fmpz_get_si(fmpq_numref(ratio));
    sum += e->rates[i];
  }
  fmpq_clear(ratio);
  return sum < ORDER_RATE_MAX || engine_fail(e, ORDER_TOO_LARGE);
}

static bool engine_init(struct engine *e, const struct order_problem *problem,
                        const struct budget *budget, slong precision) {
  size_t count = problem->samples.len;
  *e = (struct engine){.problem = problem, .budget = budget, .precision = precision};
  fmpq_init(e->unit);
  arb_init(e->unit_ball);
  order_graph_init(&e->graph, problem);
  e->rates = xcalloc(count + 1, sizeof *e->rates);
  e->first = xcalloc(count + 1, sizeof *e->first);
  e->last = xcalloc(count + 1, sizeof *e->last);
  e->is_done = xcalloc(count + 1, sizeof *e->is_done);
  e->is_touched = xcalloc(count + 1, sizeof *e->is_touched);
  if (e->graph.is_empty) return true;
  if (!choose_unit(e)) return false;
  collect_breakpoints(e);
  if (e->breakpoint_count + 1 > ORDER_INTERVALS_MAX) return engine_fail(e, ORDER_TOO_LARGE);
  for (size_t i = 0; i < count; i++) {
    const struct line_end *low = &e->graph.low[i], *high = &e->graph.high[i];
    e->first[i] = low->side ? 0 : breakpoints_up_to(e, low->at);
    e->last[i] = high->side ? (uint32_t)e->breakpoint_count : breakpoints_up_to(e, high->at) - 1;
  }
  arb_set_fmpq(e->unit_ball, e->unit, precision);
  e->at = _arb_vec_init((slong)e->breakpoint_count);
  e->rising = _arb_vec_init((slong)e->breakpoint_count);
  e->falling = _arb_vec_init((slong)e->breakpoint_count);
  fmpq_t exponent;
  fmpq_init(exponent);
  for (size_t k = 0; k < e->breakpoint_count; k++) {
    fmpq_mul(exponent, e->unit, e->breakpoints + k);
    arb_set_fmpq(e->at + k, e->breakpoints + k, precision);
    ball_exp_rational(e->rising + k, exponent, precision);
    fmpq_neg(exponent, exponent);
    ball_exp_rational(e->falling + k, exponent, precision);
  }
  fmpq_clear(exponent);
  return true;
}

static void engine_clear(struct engine *e) {
  if (e->at) {
    _arb_vec_clear(e->at, (slong)e->breakpoint_count);
    _arb_vec_clear(e->rising, (slong)e->breakpoint_count);
    _arb_vec_clear(e->falling, (slong)e->breakpoint_count);
  }
  for (size_t k = 0; k < e->breakpoint_count; k++)
    fmpq_clear(e->breakpoints + k);
  free(e->breakpoints);
  for (size_t i = 0; i < e->functions.len; i++)
    function_clear(&e->functions.at[i]);
  vec_clear(&e->functions);
  if (e->rates) order_graph_clear(&e->graph);
  free(e->rates);
  free(e->first);
  free(e->last);
  free(e->is_done);
  free(e->is_touched);
  fmpq_clear(e->unit);
  arb_clear(e->unit_ball);
}

/* The density of sample x on interval t, as a function of variable `slot`. Zero off its support. */
static void density(struct order_poly *out, const struct engine *e, uint32_t x, uint32_t t,
                    size_t slot) {
  const struct order_sample *s = &e->problem->samples.at[x];
  const fmpq *first = s->a, *second = s->b;
  int64_t key[ORDER_WIDTH] = {0};
  size_t centre = breakpoints_up_to(e, first) - 1; /* s->a is a breakpoint */
  bool is_right = t > centre;
  out->count = 0;
  if (s->noise != ORDER_LAPLACE && !is_right) return;
  if (s->noise == ORDER_UNIFORM) {
    if (t >= breakpoints_up_to(e, second)) return;
    struct order_term *term = order_poly_push(out, key);
    fmpq_t height;
    fmpq_init(height);
    fmpq_sub(height, second, first);
    fmpq_inv(height, height);
    arb_set_fmpq(term->coefficient, height, e->precision);
    fmpq_clear(height);
    return;
  }
  key[slot] = order_key(is_right ? -e->rates[x] : e->rates[x], 0);
  struct order_term *term = order_poly_push(out, key);
  arb_pow_ui(term->coefficient, is_right ? e->rising + centre : e->falling + centre,
             (ulong)e->rates[x], e->precision);
  arb_mul_fmpz(term->coefficient, term->coefficient, fmpq_numref(second), e->precision);
  arb_div_fmpz(term->coefficient, term->coefficient, fmpq_denref(second), e->precision);
  if (s->noise == ORDER_LAPLACE) arb_mul_2exp_si(term->coefficient, term->coefficient, -1);
}

/* ---- integration between neighbours --------------------------------------------------------- */

/* Where the range of the variable ends: another variable, a breakpoint, or nowhere. */
struct limit {
  enum { LIMIT_VARIABLE, LIMIT_BREAKPOINT, LIMIT_INFINITE } kind;
  size_t which; /* slot or breakpoint */
  int side;     /* -1: lower, 1: upper limit */
};

/* sum += side * (antiderivative of the term at the limit); c[j] are the antiderivative's
 * coefficients of x^j e^(rate u x), j = 0..degree. */
static void add_limit(struct engine *e, struct order_poly *sum, const int64_t rest[ORDER_WIDTH],
                      arb_srcptr c, slong degree, int64_t rate, struct limit limit) {
  slong precision = e->precision;
  if (limit.kind == LIMIT_INFINITE) {
    if (rate * limit.side >= 0) e->diverged = true; /* else it vanishes there */
  } else if (limit.kind == LIMIT_VARIABLE) {
    for (slong j = 0; j <= degree; j++) {
      if (arb_is_zero(c + j)) continue;
      int64_t key[ORDER_WIDTH];
      memcpy(key, rest, sizeof key);
      key[limit.which] += order_key(rate, j);
      struct order_term *term = order_poly_push(sum, key);
      if (limit.side > 0)
        arb_set(term->coefficient, c + j);
      else
        arb_neg(term->coefficient, c + j);
    }
  } else {
    struct order_term *term = order_poly_push(sum, rest);
    arb_t factor;
    arb_init(factor);
    _arb_poly_evaluate(term->coefficient, c, degree + 1, e->at + limit.which, precision);
    arb_pow_ui(factor, (rate >= 0 ? e->rising : e->falling) + limit.which,
               (ulong)(rate >= 0 ? rate : -rate), precision);
    arb_mul(term->coefficient, term->coefficient, factor, precision);
    if (limit.side < 0) arb_neg(term->coefficient, term->coefficient);
    arb_clear(factor);
  }
}

/* The terms of f from `begin` on that agree with the first in everything but the power of the last
 * variable: since keys are sorted, they are consecutive, by increasing power. */
static size_t same_rate_end(const struct order_poly *f, size_t begin, size_t slot) {
  const int64_t *key = f->terms[begin].key;
  size_t end = begin + 1;
  for (; end < f->count; end++) {
    const int64_t *other = f->terms[end].key;
    if (memcmp(key, other, slot * sizeof *key) != 0) break;
    if (order_key_rate(key[slot]) != order_key_rate(other[slot])) break;
  }
  return end;
}

/* sum += integral of f over its last variable, `slot`, between the limits. */
static void add_integral(struct engine *e, struct order_poly *sum, const struct order_poly *f,
                         size_t slot, struct limit low, struct limit high) {
  slong precision = e->precision;
  arb_t inverse, carry;
  arb_init(inverse);
  arb_init(carry);
  for (size_t begin = 0, end; begin < f->count; begin = end) {
    end = same_rate_end(f, begin, slot);
    const int64_t *key = f->terms[begin].key;
    int64_t rate = order_key_rate(key[slot]), rest[ORDER_WIDTH];
    slong top = (slong)order_key_power(f->terms[end - 1].key[slot]), degree = top + (rate == 0);
    memcpy(rest, key, sizeof rest);
    rest[slot] = 0;
    arb_ptr c = _arb_vec_init(degree + 1);
    for (size_t i = begin; i < end; i++) {
      slong power = (slong)order_key_power(f->terms[i].key[slot]);
      if (rate == 0)
        arb_div_si(c + power + 1, f->terms[i].coefficient, power + 1, precision);
      else
        arb_set(c + power, f->terms[i].coefficient);
    }
    if (rate != 0) { /* C_k = (c_k - (k+1) C_(k+1)) / (rate u), downwards */
      arb_mul_si(inverse, e->unit_ball, rate, precision);
      arb_inv(inverse, inverse, precision);
      for (slong k = top; k >= 0; k--) {
        if (k < top) {
          arb_mul_si(carry, c + k + 1, k + 1, precision);
          arb_sub(c + k, c + k, carry, precision);
        }
        arb_mul(c + k, c + k, inverse, precision);
      }
    }
    add_limit(e, sum, rest, c, degree, rate, high);
    add_limit(e, sum, rest, c, degree, rate, low);
    _arb_vec_clear(c, degree + 1);
  }
  arb_clear(inverse);
  arb_clear(carry);
}

/* ---- elimination of one variable ------------------------------------------------------------ */

/* Everything about the variable x that is being integrated out. Slots 0..arity-1 are the variables
 * of the result, slot `arity` is x itself. */
struct elimination {
  struct engine *e;
  uint32_t x;
  uint32_t vars[ORDER_WIDTH]; /* by slot */
  size_t arity;
  struct order_poly *own;       /* by interval: density of x times the functions of x alone */
  VEC(struct function) factors; /* the others that mention x, polynomials renamed to slots */
  VEC(uint8_t *) positions;     /* of each factor: slot -> position in its vars, or 0xff */
  struct function *result;
  uint8_t line[ORDER_WIDTH];      /* the cell at hand: slots from left to right */
  uint32_t interval[ORDER_WIDTH]; /* and their intervals */
  bool is_placed[ORDER_WIDTH];
  struct order_poly sum;
};

static const struct order_poly *function_cell(const struct function *f, uint64_t name) {
  size_t low = 0, high = f->cells.len;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (f->cells.at[middle].name < name)
      low = middle + 1;
    else
      high = middle;
  }
  return low < f->cells.len && f->cells.at[low].name == name ? &f->cells.at[low].poly : NULL;
}

/* The factor's polynomial on the cell at hand with x inserted before place p in interval t. */
static const struct order_poly *factor_on(const struct elimination *el, size_t k, size_t p,
                                          uint32_t t) {
  const uint8_t *position = el->positions.at[k];
  uint64_t name = 0;
  for (size_t q = 0; q <= el->arity; q++) {
    if (q == p) name = name << 16 | (t << 3 | position[el->arity]);
    if (q == el->arity) break;
    if (position[el->line[q]] != 0xff)
      name = name << 16 | (el->interval[q] << 3 | position[el->line[q]]);
  }
  return function_cell(&el->factors.at[k], name);
}

/* x in interval t, between places p-1 and p of the line. */
static void add_slot(struct elimination *el, size_t p, uint32_t t) {
  struct engine *e = el->e;
  const struct order_poly *parts[ORDER_SAMPLES_MAX];
  if (el->own[t].count == 0) return;
  for (size_t k = 0; k < el->factors.len; k++) {
    parts[k] = factor_on(el, k, p, t);
    if (!parts[k] || parts[k]->count == 0) return;
  }
  struct limit low = {LIMIT_BREAKPOINT, t - 1, -1}, high = {LIMIT_BREAKPOINT, t, 1};
  if (t == 0) low.kind = LIMIT_INFINITE;
  if (t == e->breakpoint_count) high.kind = LIMIT_INFINITE;
  if (p > 0 && el->interval[p - 1] == t) low = (struct limit){LIMIT_VARIABLE, el->line[p - 1], -1};
  if (p < el->arity && el->interval[p] == t) high = (struct limit){LIMIT_VARIABLE, el->line[p], 1};
  if (el->factors.len == 0) {
    add_integral(e, &el->sum, &el->own[t], el->arity, low, high);
    return;
  }
  struct order_poly product;
  order_poly_init(&product);
  for (size_t k = 0; k < el->factors.len; k++)
    for (uint32_t n = 0; n < el->factors.at[k].exponent; n++)
      order_poly_mul(&product, k + n == 0 ? &el->own[t] : &product, parts[k], e->precision);
  add_integral(e, &el->sum, &product, el->arity, low, high);
  order_poly_clear(&product);
}

/* The cell at hand is complete: integrate x out over all places it may have there. */
static bool finish_cell(struct elimination *el) {
  struct engine *e = el->e;
  uint64_t name = 0;
  if (budget_is_spent(e->budget)) return engine_fail(e, ORDER_TIMEOUT);
  if (el->result->cells.len >= ORDER_CELLS_MAX) return engine_fail(e, ORDER_TOO_LARGE);
  el->sum.count = 0;
  for (size_t p = 0; p <= el->arity; p++) {
    bool fits = true;
    for (size_t q = 0; q < el->arity && fits; q++) {
      uint32_t v = el->vars[el->line[q]];
      fits = q < p ? !bit_get(&e->graph.less, el->x, v) : !bit_get(&e->graph.less, v, el->x);
    }
    if (!fits) continue;
    uint32_t from = p ? el->interval[p - 1] : 0;
    uint32_t to = p < el->arity ? el->interval[p] : (uint32_t)e->breakpoint_count;
    if (from < e->first[el->x]) from = e->first[el->x];
    if (to > e->last[el->x]) to = e->last[el->x];
    for (uint32_t t = from; t <= to; t++)
      add_slot(el, p, t);
  }
  order_poly_normalize(&el->sum, e->precision);
  if (el->sum.count == 0) return true;
  for (size_t q = 0; q < el->arity; q++)
    name = name << 16 | (el->interval[q] << 3 | el->line[q]);
  struct cell cell = {.name = name};
  order_poly_init(&cell.poly);
  order_poly_swap(&cell.poly, &el->sum);
  vec_push(&el->result->cells, cell);
  return true;
}

/* All lines that windows and conditions allow, in lexicographic order of their names: the interval
 * is the leading part of a place, so it is the outer loop. */
static bool place_next(struct elimination *el, size_t place) {
  struct engine *e = el->e;
  if (place == el->arity) return finish_cell(el);
  uint32_t from = place ? el->interval[place - 1] : 0;
  for (uint32_t t = from; t <= e->breakpoint_count; t++)
    for (size_t slot = 0; slot < el->arity; slot++) {
      uint32_t v = el->vars[slot];
      bool fits = !el->is_placed[slot] && t >= e->first[v] && t <= e->last[v];
      for (size_t other = 0; other < el->arity && fits; other++)
        fits = el->is_placed[other] || !bit_get(&e->graph.less, el->vars[other], v);
      if (!fits) continue;
      el->line[place] = (uint8_t)slot;
      el->interval[place] = t;
      el->is_placed[slot] = true;
      bool ok = place_next(el, place + 1);
      el->is_placed[slot] = false;
      if (!ok) return false;
    }
  return true;
}

static bool mentions(const struct function *f, uint32_t var) {
  for (size_t i = 0; i < f->arity; i++)
    if (f->vars[i] == var) return true;
  return false;
}

static size_t slot_of(const struct elimination *el, uint32_t var) {
  size_t slot = 0;
  while (el->vars[slot] != var)
    slot++;
  return slot;
}

/* Takes the functions that mention x out of the engine: those of x alone are multiplied into `own`,
 * the others become factors. */
static void take_factors(struct elimination *el) {
  struct engine *e = el->e;
  size_t kept = 0;
  for (size_t i = 0; i < e->functions.len; i++) {
    struct function f = e->functions.at[i];
    if (!mentions(&f, el->x)) {
      e->functions.at[kept++] = f;
      continue;
    }
    uint8_t map[ORDER_WIDTH], *position = xmalloc(ORDER_WIDTH);
    memset(position, 0xff, ORDER_WIDTH);
    for (size_t k = 0; k < f.arity; k++) {
      map[k] = (uint8_t)slot_of(el, f.vars[k]);
      position[map[k]] = (uint8_t)k;
    }
    for (size_t c = 0; c < f.cells.len; c++)
      order_poly_rename(&f.cells.at[c].poly, &f.cells.at[c].poly, map, f.arity);
    if (f.arity > 1) {
      vec_push(&el->factors, f);
      vec_push(&el->positions, position);
      continue;
    }
    for (uint32_t t = e->first[el->x]; t <= e->last[el->x]; t++) {
      const struct order_poly *poly = function_cell(&f, (uint64_t)t << 3);
      if (!poly) el->own[t].count = 0;
      for (uint32_t n = 0; poly && n < f.exponent; n++)
        order_poly_mul(&el->own[t], &el->own[t], poly, e->precision);
    }
    free(position);
    function_clear(&f);
  }
  e->functions.len = kept;
}

/* Integrates x out; the result counts `exponent` times. */
static bool eliminate(struct engine *e, uint32_t x, uint32_t exponent) {
  struct elimination el = {.e = e, .x = x};
  size_t count = e->graph.count, intervals = e->breakpoint_count + 1;
  struct function result = {.exponent = exponent};
  for (size_t v = bit_next(&e->graph.near, x, 0, count); v < count;
       v = bit_next(&e->graph.near, x, v + 1, count)) {
    if (result.arity == ORDER_SCOPE_MAX) return engine_fail(e, ORDER_TOO_WIDE);
    el.vars[result.arity] = result.vars[result.arity] = (uint32_t)v;
    result.arity++;
  }
  el.arity = result.arity;
  el.vars[el.arity] = x;
  el.result = &result;
  el.own = xcalloc(intervals, sizeof *el.own);
  order_poly_init(&el.sum);
  for (uint32_t t = e->first[x]; t <= e->last[x]; t++)
    density(&el.own[t], e, x, t, el.arity);
  take_factors(&el);
  bool ok = place_next(&el, 0);
  for (size_t t = 0; t < intervals; t++)
    order_poly_clear(&el.own[t]);
  free(el.own);
  for (size_t k = 0; k < el.factors.len; k++) {
    function_clear(&el.factors.at[k]);
    free(el.positions.at[k]);
  }
  vec_clear(&el.factors);
  vec_clear(&el.positions);
  order_poly_clear(&el.sum);
  vec_push(&e->functions, result);
  return ok;
}

/* x is gone: its neighbours depend on each other now. */
static void remove_from_graph(struct engine *e, uint32_t x, bool is_function_left) {
  struct bit_rows *near = &e->graph.near;
  size_t count = e->graph.count;
  for (size_t v = bit_next(near, x, 0, count); v < count; v = bit_next(near, x, v + 1, count)) {
    for (size_t w = 0; w < near->row_words; w++)
      near->words[v * near->row_words + w] |= near->words[x * near->row_words + w];
    bit_unset(near, v, v);
    bit_unset(near, v, x);
    if (is_function_left) e->is_touched[v] = true;
  }
  e->is_done[x] = true;
}

/* ---- order of elimination ------------------------------------------------------------------- */

static size_t degree(const struct engine *e, uint32_t x) {
  const struct bit_rows *near = &e->graph.near;
  size_t sum = 0;
  for (size_t w = 0; w < near->row_words; w++)
    sum += (size_t)__builtin_popcountll(near->words[x * near->row_words + w]);
  return sum;
}

static bool is_alike(const struct engine *e, uint32_t x, uint32_t y) {
  const struct order_sample *s = &e->problem->samples.at[x], *t = &e->problem->samples.at[y];
  const struct order_graph *g = &e->graph;
  if (s->noise != t->noise || !fmpq_equal(s->a, t->a) || !fmpq_equal(s->b, t->b)) return false;
  if (line_end_cmp(&g->low[x], &g->low[y]) || line_end_cmp(&g->high[x], &g->high[y])) return false;
  size_t words = g->near.row_words;
  if (memcmp(g->near.words + x * words, g->near.words + y * words, words * sizeof(uint64_t)))
    return false;
  for (size_t v = bit_next(&g->near, x, 0, g->count); v < g->count;
       v = bit_next(&g->near, x, v + 1, g->count)) /* on the same sides of their neighbours? */
    if (bit_get(&g->less, x, v) != bit_get(&g->less, y, v)) return false;
  return true;
}

/* First the samples that occur several times with nothing but their own conditions attached. */
static bool eliminate_alike(struct engine *e) {
  size_t count = e->graph.count;
  for (uint32_t x = 0; x < count; x++) {
    if (e->is_done[x] || e->is_touched[x] || degree(e, x) > ORDER_SCOPE_MAX) continue;
    uint32_t exponent = 1;
    for (uint32_t y = x + 1; y < count; y++)
      exponent += !e->is_done[y] && !e->is_touched[y] && is_alike(e, x, y);
    if (exponent == 1) continue;
    if (!eliminate(e, x, exponent)) return false;
    for (uint32_t y = x + 1; y < count; y++)
      if (!e->is_done[y] && !e->is_touched[y] && is_alike(e, x, y)) remove_from_graph(e, y, true);
    remove_from_graph(e, x, true);
  }
  return true;
}

static bool eliminate_all(struct engine *e) {
  if (!eliminate_alike(e)) return false;
  while (true) {
    uint32_t best = UINT32_MAX;
    size_t least = SIZE_MAX;
    for (uint32_t x = 0; x < e->graph.count; x++) {
      if (e->is_done[x]) continue;
      size_t d = degree(e, x);
      if (d < least) {
        least = d;
        best = x;
      }
    }
    if (best == UINT32_MAX) return true;
    if (!eliminate(e, best, 1)) return false;
    remove_from_graph(e, best, true);
  }
}

enum order_status order_engine_run(arb_t out, const struct order_problem *problem,
                                   const struct budget *budget, slong precision) {
  struct engine e;
  arb_indeterminate(out);
  bool ok = engine_init(&e, problem, budget, precision);
  if (ok && e.graph.is_empty) {
    arb_zero(out);
  } else if (ok && eliminate_all(&e) && !e.diverged) {
    arb_t factor;
    arb_init(factor);
    arb_one(out);
    for (size_t i = 0; i < e.functions.len; i++) { /* constants now */
      const struct order_poly *value = function_cell(&e.functions.at[i], 0);
      if (value && value->count)
        arb_pow_ui(factor, value->terms[0].coefficient, e.functions.at[i].exponent, precision);
      else
        arb_zero(factor);
      arb_mul(out, out, factor, precision);
    }
    arb_clear(factor);
  }
  enum order_status status = e.status;
  engine_clear(&e);
  return status;
}
