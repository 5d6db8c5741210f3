/* Piecewise exponential polynomials on the whole real line, with rational breakpoints.
 *
 * Representation. n breakpoints b_0 < ... < b_(n-1) cut the line into n+1 pieces; piece i lies
 * between b_(i-1) and b_i (infinite at the ends) and carries an exppoly. At a breakpoint the piece
 * to the right counts; nothing here depends on single points. Neighbouring pieces that are
 * identical are joined, so equal functions built the same way have the same shape.
 *
 * Inclusion property: as for exppoly, piece by piece; breakpoints are never rounded.
 *
 * The family is closed under sums, products, shifts and integrals, and holds the densities of
 * Laplace, exponential and uniform noise: enough for the distribution of everything that is
 * computed from such noise by comparisons. */
#ifndef COUPLET_NUM_REAL_PIECEWISE_H
#define COUPLET_NUM_REAL_PIECEWISE_H

#include "num/real/exppoly.h"

struct piecewise {
  fmpq *breakpoints;      /* breakpoint_count, strictly increasing */
  struct exppoly *pieces; /* breakpoint_count + 1 */
  size_t breakpoint_count;
};

void piecewise_init(struct piecewise *f); /* the zero function */
void piecewise_clear(struct piecewise *f);
void piecewise_set(struct piecewise *to, const struct piecewise *from);
void piecewise_swap(struct piecewise *a, struct piecewise *b);
bool piecewise_is_zero(const struct piecewise *f);

/* Constructors: replace the value of f, which must be initialised. */
void piecewise_set_exppoly(struct piecewise *f, const struct exppoly *everywhere);
void piecewise_set_constant(struct piecewise *f, const fmpq_t value, slong precision);
/* values[i] on piece i: count breakpoints (strictly increasing), count + 1 values. */
void piecewise_set_steps(struct piecewise *f, const fmpq *breakpoints, size_t count,
                         arb_srcptr values, slong precision);
/* The same breakpoints and the same balls. */
bool piecewise_identical(const struct piecewise *f, const struct piecewise *g);
/* Densities. rate = 1/scale > 0: (rate/2) e^(-rate |x - centre|); rate e^(-rate (x - start)) for
 * x >= start; 1/(high - low) between low < high. */
void piecewise_set_laplace(struct piecewise *f, const fmpq_t centre, const fmpq_t rate,
                           slong precision);
void piecewise_set_exponential(struct piecewise *f, const fmpq_t start, const fmpq_t rate,
                               slong precision);
void piecewise_set_uniform(struct piecewise *f, const fmpq_t low, const fmpq_t high,
                           slong precision);

/* The result may be one of the arguments. */
void piecewise_add(struct piecewise *out, const struct piecewise *f, const struct piecewise *g,
                   slong precision);
void piecewise_sub(struct piecewise *out, const struct piecewise *f, const struct piecewise *g,
                   slong precision);
void piecewise_mul(struct piecewise *out, const struct piecewise *f, const struct piecewise *g,
                   slong precision);
void piecewise_scale(struct piecewise *out, const struct piecewise *f, const arb_t c,
                     slong precision);
/* out(x) = f(x + h). */
void piecewise_shift(struct piecewise *out, const struct piecewise *f, const fmpq_t h,
                     slong precision);
/* f between the ends, 0 elsewhere. */
void piecewise_restrict(struct piecewise *out, const struct piecewise *f,
                        const struct line_end *low, const struct line_end *high);

/* out(x) = integral of f over (-inf, x), and over (x, inf): a tail is computed from its own end and
 * does not suffer from 1 - (almost 1). Coefficients are not finite if the integral diverges. */
void piecewise_below(struct piecewise *out, const struct piecewise *f, slong precision);
void piecewise_above(struct piecewise *out, const struct piecewise *f, slong precision);

void piecewise_eval(arb_t out, const struct piecewise *f, const fmpq_t x, slong precision);
void piecewise_integral(arb_t out, const struct piecewise *f, const struct line_end *low,
                        const struct line_end *high, slong precision);
/* Over the whole line. */
void piecewise_total(arb_t out, const struct piecewise *f, slong precision);

/* The piece that holds points just to the right of x. */
size_t piecewise_find(const struct piecewise *f, const fmpq_t x);
/* Ends of piece i; both must be initialised. */
void piecewise_ends(const struct piecewise *f, size_t i, struct line_end *low,
                    struct line_end *high);

#endif
