#include "num/real/piecewise_affine.h"

#include "base/alloc.h"

/* out(x) = f(slope * x): c x^k e^(a x) becomes c slope^k x^k e^(a slope x). */
static void stretch(struct exppoly *out, const struct exppoly *f, const fmpq_t slope,
                    slong precision) {
  struct exppoly g;
  fmpq_t rate, power;
  arb_t c;
  exppoly_init(&g);
  fmpq_init(rate);
  fmpq_init(power);
  arb_init(c);
  for (size_t i = 0; i < f->count; i++) {
    const struct exppoly_term *t = &f->terms[i];
    fmpq_mul(rate, t->rate, slope);
    fmpq_pow_si(power, slope, (slong)t->power);
    arb_set_fmpq(c, power, precision);
    arb_mul(c, c, t->coefficient, precision);
    exppoly_add_term(&g, c, t->power, rate, precision);
  }
  exppoly_swap(out, &g);
  exppoly_clear(&g);
  fmpq_clear(rate);
  fmpq_clear(power);
  arb_clear(c);
}

void piecewise_compose(struct piecewise *out, const struct piecewise *f, const fmpq_t slope,
                       const fmpq_t offset, slong precision) {
  struct piecewise g;
  size_t n = f->breakpoint_count;
  bool reversed = fmpq_sgn(slope) < 0;
  g.breakpoint_count = n;
  g.breakpoints = xcalloc(n + 1, sizeof *g.breakpoints);
  g.pieces = xcalloc(n + 1, sizeof *g.pieces);
  for (size_t i = 0; i < n; i++) {
    fmpq *b = &g.breakpoints[i];
    fmpq_init(b);
    fmpq_sub(b, &f->breakpoints[reversed ? n - 1 - i : i], offset);
    fmpq_div(b, b, slope);
  }
  for (size_t i = 0; i <= n; i++) {
    exppoly_init(&g.pieces[i]);
    exppoly_shift(&g.pieces[i], &f->pieces[reversed ? n - i : i], offset, precision);
    stretch(&g.pieces[i], &g.pieces[i], slope, precision);
  }
  piecewise_swap(out, &g);
  piecewise_clear(&g);
}

void piecewise_eval_hull(arb_t out, const struct piecewise *f, const fmpq_t x, slong precision) {
  size_t i = piecewise_find(f, x);
  exppoly_eval(out, &f->pieces[i], x, precision);
  if (i == 0 || !fmpq_equal(&f->breakpoints[i - 1], x)) return;
  arb_t left;
  arb_init(left);
  exppoly_eval(left, &f->pieces[i - 1], x, precision);
  arb_union(out, out, left, precision);
  arb_clear(left);
}
