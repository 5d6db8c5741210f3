#include "num/real/piecewise.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "num/real/ball.h"

/* ---- shape ---------------------------------------------------------------------------------- */

static void piecewise_init_shape(struct piecewise *f, size_t breakpoint_count) {
  f->breakpoint_count = breakpoint_count;
  f->breakpoints = xcalloc(breakpoint_count + 1, sizeof *f->breakpoints);
  f->pieces = xcalloc(breakpoint_count + 1, sizeof *f->pieces);
  for (size_t i = 0; i < breakpoint_count; i++)
    fmpq_init(f->breakpoints + i);
  for (size_t i = 0; i <= breakpoint_count; i++)
    exppoly_init(&f->pieces[i]);
}

void piecewise_init(struct piecewise *f) {
  piecewise_init_shape(f, 0);
}

void piecewise_clear(struct piecewise *f) {
  for (size_t i = 0; i < f->breakpoint_count; i++)
    fmpq_clear(f->breakpoints + i);
  for (size_t i = 0; i <= f->breakpoint_count; i++)
    exppoly_clear(&f->pieces[i]);
  free(f->breakpoints);
  free(f->pieces);
  *f = (struct piecewise){NULL, NULL, 0};
}

void piecewise_swap(struct piecewise *a, struct piecewise *b) {
  struct piecewise c = *a;
  *a = *b;
  *b = c;
}

/* Moves `from` into `to`. */
static void piecewise_replace(struct piecewise *to, struct piecewise *from) {
  piecewise_swap(to, from);
  piecewise_clear(from);
}

void piecewise_set(struct piecewise *to, const struct piecewise *from) {
  if (to == from) return;
  struct piecewise copy;
  piecewise_init_shape(&copy, from->breakpoint_count);
  for (size_t i = 0; i < from->breakpoint_count; i++)
    fmpq_set(copy.breakpoints + i, from->breakpoints + i);
  for (size_t i = 0; i <= from->breakpoint_count; i++)
    exppoly_set(&copy.pieces[i], &from->pieces[i]);
  piecewise_replace(to, &copy);
}

bool piecewise_is_zero(const struct piecewise *f) {
  for (size_t i = 0; i <= f->breakpoint_count; i++)
    if (!exppoly_is_zero(&f->pieces[i])) return false;
  return true;
}

/* Joins identical neighbours. */
static void piecewise_join(struct piecewise *f) {
  size_t kept = 0;
  for (size_t i = 0; i < f->breakpoint_count; i++) {
    if (exppoly_identical(&f->pieces[kept], &f->pieces[i + 1])) continue;
    fmpq_swap(f->breakpoints + kept, f->breakpoints + i);
    kept++;
    if (kept != i + 1) exppoly_swap(&f->pieces[kept], &f->pieces[i + 1]);
  }
  for (size_t i = kept; i < f->breakpoint_count; i++) {
    fmpq_clear(f->breakpoints + i);
    exppoly_clear(&f->pieces[i + 1]);
  }
  f->breakpoint_count = kept;
}

/* A function with the breakpoints of both, pieces still zero. */
static void piecewise_init_common(struct piecewise *out, const struct piecewise *f,
                                  const struct piecewise *g) {
  piecewise_init_shape(out, f->breakpoint_count + g->breakpoint_count);
  size_t i = 0, j = 0, count = 0;
  while (i < f->breakpoint_count || j < g->breakpoint_count) {
    int order = i == f->breakpoint_count   ? 1
                : j == g->breakpoint_count ? -1
                                           : fmpq_cmp(f->breakpoints + i, g->breakpoints + j);
    fmpq_set(out->breakpoints + count++, order <= 0 ? f->breakpoints + i : g->breakpoints + j);
    i += order <= 0;
    j += order >= 0;
  }
  for (size_t k = count; k < out->breakpoint_count; k++) {
    fmpq_clear(out->breakpoints + k);
    exppoly_clear(&out->pieces[k + 1]);
  }
  out->breakpoint_count = count;
}

size_t piecewise_find(const struct piecewise *f, const fmpq_t x) {
  size_t low = 0, high = f->breakpoint_count; /* the number of breakpoints <= x lies between */
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (fmpq_cmp(f->breakpoints + middle, x) <= 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void piecewise_ends(const struct piecewise *f, size_t i, struct line_end *low,
                    struct line_end *high) {
  low->side = i == 0 ? -1 : 0;
  if (i > 0) fmpq_set(low->at, f->breakpoints + (i - 1));
  high->side = i == f->breakpoint_count ? 1 : 0;
  if (i < f->breakpoint_count) fmpq_set(high->at, f->breakpoints + i);
}

/* The piece of f that covers piece i of a refinement of f. */
static const struct exppoly *covering(const struct piecewise *f, const struct piecewise *refined,
                                      size_t i) {
  return &f->pieces[i == 0 ? 0 : piecewise_find(f, refined->breakpoints + (i - 1))];
}

/* ---- constructors --------------------------------------------------------------------------- */

void piecewise_set_exppoly(struct piecewise *f, const struct exppoly *everywhere) {
  struct piecewise g;
  piecewise_init(&g);
  exppoly_set(&g.pieces[0], everywhere);
  piecewise_replace(f, &g);
}

static void add_exponential(struct exppoly *piece, const fmpq_t c, const fmpq_t rate,
                            const fmpq_t centre, slong precision) {
  fmpq_t exponent;
  arb_t value;
  fmpq_init(exponent);
  arb_init(value);
  fmpq_mul(exponent, rate, centre);
  fmpq_neg(exponent, exponent);
  ball_exp_rational(value, exponent, precision);
  arb_mul_fmpz(value, value, fmpq_numref(c), precision);
  arb_div_fmpz(value, value, fmpq_denref(c), precision);
  exppoly_add_term(piece, value, 0, rate, precision);
  fmpq_clear(exponent);
  arb_clear(value);
}

void piecewise_set_constant(struct piecewise *f, const fmpq_t value, slong precision) {
  struct piecewise g;
  fmpq_t zero;
  piecewise_init(&g);
  fmpq_init(zero);
  add_exponential(&g.pieces[0], value, zero, zero, precision);
  fmpq_clear(zero);
  piecewise_replace(f, &g);
}

void piecewise_set_laplace(struct piecewise *f, const fmpq_t centre, const fmpq_t rate,
                           slong precision) {
  struct piecewise g;
  fmpq_t half, falling;
  piecewise_init_shape(&g, 1);
  fmpq_init(half);
  fmpq_init(falling);
  fmpq_set(g.breakpoints, centre);
  fmpq_div_2exp(half, rate, 1);
  fmpq_neg(falling, rate);
  add_exponential(&g.pieces[0], half, rate, centre, precision);
  add_exponential(&g.pieces[1], half, falling, centre, precision);
  fmpq_clear(half);
  fmpq_clear(falling);
  piecewise_replace(f, &g);
}

void piecewise_set_exponential(struct piecewise *f, const fmpq_t start, const fmpq_t rate,
                               slong precision) {
  struct piecewise g;
  fmpq_t falling;
  piecewise_init_shape(&g, 1);
  fmpq_init(falling);
  fmpq_set(g.breakpoints, start);
  fmpq_neg(falling, rate);
  add_exponential(&g.pieces[1], rate, falling, start, precision);
  fmpq_clear(falling);
  piecewise_replace(f, &g);
}

void piecewise_set_uniform(struct piecewise *f, const fmpq_t low, const fmpq_t high,
                           slong precision) {
  struct piecewise g;
  fmpq_t height;
  struct line_end from, to;
  line_end_init_at(&from, low);
  line_end_init_at(&to, high);
  fmpq_init(height);
  piecewise_init(&g);
  fmpq_sub(height, high, low);
  fmpq_inv(height, height);
  piecewise_set_constant(&g, height, precision);
  piecewise_restrict(f, &g, &from, &to);
  fmpq_clear(height);
  line_end_clear(&from);
  line_end_clear(&to);
  piecewise_clear(&g);
}

void piecewise_set_steps(struct piecewise *f, const fmpq *breakpoints, size_t count,
                         arb_srcptr values, slong precision) {
  struct piecewise steps;
  fmpq_t zero;
  fmpq_init(zero);
  piecewise_init_shape(&steps, count);
  for (size_t i = 0; i < count; i++)
    fmpq_set(steps.breakpoints + i, breakpoints + i);
  for (size_t i = 0; i <= count; i++)
    exppoly_add_term(&steps.pieces[i], values + i, 0, zero, precision);
  fmpq_clear(zero);
  piecewise_join(&steps);
  piecewise_replace(f, &steps);
}

bool piecewise_identical(const struct piecewise *f, const struct piecewise *g) {
  if (f->breakpoint_count != g->breakpoint_count) return false;
  for (size_t i = 0; i < f->breakpoint_count; i++)
    if (!fmpq_equal(f->breakpoints + i, g->breakpoints + i)) return false;
  for (size_t i = 0; i <= f->breakpoint_count; i++)
    if (!exppoly_identical(&f->pieces[i], &g->pieces[i])) return false;
  return true;
}

/* ---- pointwise operations ------------------------------------------------------------------- */

typedef void (*exppoly_operation)(struct exppoly *, const struct exppoly *, const struct exppoly *,
                                  slong);

static void combine(struct piecewise *out, const struct piecewise *f, const struct piecewise *g,
                    exppoly_operation operation, slong precision) {
  struct piecewise result;
  piecewise_init_common(&result, f, g);
  for (size_t i = 0; i <= result.breakpoint_count; i++)
    operation(&result.pieces[i], covering(f, &result, i), covering(g, &result, i), precision);
  piecewise_join(&result);
  piecewise_replace(out, &result);
}

void piecewise_add(struct piecewise *out, const struct piecewise *f, const struct piecewise *g,
                   slong precision) {
  combine(out, f, g, exppoly_add, precision);
}

void piecewise_sub(struct piecewise *out, const struct piecewise *f, const struct piecewise *g,
                   slong precision) {
  combine(out, f, g, exppoly_sub, precision);
}

void piecewise_mul(struct piecewise *out, const struct piecewise *f, const struct piecewise *g,
                   slong precision) {
  combine(out, f, g, exppoly_mul, precision);
}

void piecewise_scale(struct piecewise *out, const struct piecewise *f, const arb_t c,
                     slong precision) {
  piecewise_set(out, f);
  for (size_t i = 0; i <= out->breakpoint_count; i++)
    exppoly_scale(&out->pieces[i], &out->pieces[i], c, precision);
  piecewise_join(out);
}

void piecewise_shift(struct piecewise *out, const struct piecewise *f, const fmpq_t h,
                     slong precision) {
  piecewise_set(out, f);
  for (size_t i = 0; i < out->breakpoint_count; i++)
    fmpq_sub(out->breakpoints + i, out->breakpoints + i, h);
  for (size_t i = 0; i <= out->breakpoint_count; i++)
    exppoly_shift(&out->pieces[i], &out->pieces[i], h, precision);
}

void piecewise_restrict(struct piecewise *out, const struct piecewise *f,
                        const struct line_end *low, const struct line_end *high) {
  struct piecewise window, result;
  bool empty = line_end_cmp(low, high) >= 0;
  size_t count = 0;
  piecewise_init_shape(&window, empty ? 0 : (low->side == 0) + (size_t)(high->side == 0));
  if (!empty && low->side == 0) fmpq_set(window.breakpoints + count++, low->at);
  if (!empty && high->side == 0) fmpq_set(window.breakpoints + count, high->at);
  piecewise_init_common(&result, f, &window);
  for (size_t i = 0; i <= result.breakpoint_count && !empty; i++) {
    struct line_end from, to;
    line_end_init(&from, 0);
    line_end_init(&to, 0);
    piecewise_ends(&result, i, &from, &to);
    if (line_end_cmp(low, &from) <= 0 && line_end_cmp(&to, high) <= 0)
      exppoly_set(&result.pieces[i], covering(f, &result, i));
    line_end_clear(&from);
    line_end_clear(&to);
  }
  piecewise_join(&result);
  piecewise_clear(&window);
  piecewise_replace(out, &result);
}

/* ---- calculus ------------------------------------------------------------------------------- */

static void add_constant(struct exppoly *f, const arb_t c, slong precision) {
  fmpq_t zero;
  fmpq_init(zero);
  exppoly_add_term(f, c, 0, zero, precision);
  fmpq_clear(zero);
}

/* Piece by piece from the end `side`: the antiderivative, moved by the constant that makes it 0 at
 * that end or continuous with the piece before. */
static void accumulate(struct piecewise *out, const struct piecewise *f, int side,
                       slong precision) {
  struct piecewise result;
  struct line_end low, high;
  arb_t so_far, at_start;
  piecewise_init(&result);
  piecewise_set(&result, f);
  line_end_init(&low, 0);
  line_end_init(&high, 0);
  arb_init(so_far);
  arb_init(at_start);
  for (size_t step = 0; step <= f->breakpoint_count; step++) {
    size_t i = side < 0 ? step : f->breakpoint_count - step;
    struct exppoly *piece = &result.pieces[i];
    piecewise_ends(f, i, &low, &high);
    exppoly_antiderivative(piece, piece, precision);
    if (side > 0) {
      arb_t minus_one;
      arb_init(minus_one);
      arb_set_si(minus_one, -1);
      exppoly_scale(piece, piece, minus_one, precision);
      arb_clear(minus_one);
    }
    exppoly_limit(at_start, piece, side < 0 ? &low : &high, precision);
    arb_sub(at_start, so_far, at_start, precision);
    add_constant(piece, at_start, precision);
    if (step < f->breakpoint_count)
      exppoly_eval(so_far, piece, f->breakpoints + (side < 0 ? i : i - 1), precision);
  }
  piecewise_join(&result);
  piecewise_replace(out, &result);
  line_end_clear(&low);
  line_end_clear(&high);
  arb_clear(so_far);
  arb_clear(at_start);
}

void piecewise_below(struct piecewise *out, const struct piecewise *f, slong precision) {
  accumulate(out, f, -1, precision);
}

void piecewise_above(struct piecewise *out, const struct piecewise *f, slong precision) {
  accumulate(out, f, 1, precision);
}

void piecewise_eval(arb_t out, const struct piecewise *f, const fmpq_t x, slong precision) {
  exppoly_eval(out, &f->pieces[piecewise_find(f, x)], x, precision);
}

void piecewise_integral(arb_t out, const struct piecewise *f, const struct line_end *low,
                        const struct line_end *high, slong precision) {
  struct piecewise part;
  piecewise_init(&part);
  piecewise_restrict(&part, f, low, high);
  piecewise_total(out, &part, precision);
  piecewise_clear(&part);
}

void piecewise_total(arb_t out, const struct piecewise *f, slong precision) {
  struct line_end low, high;
  arb_t sum, part;
  line_end_init(&low, 0);
  line_end_init(&high, 0);
  arb_init(sum);
  arb_init(part);
  for (size_t i = 0; i <= f->breakpoint_count; i++) {
    piecewise_ends(f, i, &low, &high);
    exppoly_integral(part, &f->pieces[i], &low, &high, precision);
    arb_add(sum, sum, part, precision);
  }
  arb_swap(out, sum);
  line_end_clear(&low);
  line_end_clear(&high);
  arb_clear(sum);
  arb_clear(part);
}
