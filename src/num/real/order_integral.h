/* Probabilities of orders: given independent samples s_1..s_n (Laplace, exponential, uniform) with
 * exact rational parameters, a window for each, and a set of conditions s_i < s_j,
 *
 *     Pr[ every s_i lies in its window, and all conditions hold ]
 *
 * as a ball. Everything a threshold automaton does with its noise is of this form, and so is every
 * program that only compares its samples (noisy max: add the query to the centre of the noise).
 *
 * Method: variable elimination. Integrating out a sample leaves a function of its neighbours in the
 * graph of conditions, so samples with few neighbours go first; a function of w variables is stored
 * by cells - for each variable the interval between two breakpoints (centres and window ends) in
 * which it lies, and the order of the variables in one interval - and on each cell it is an
 * exponential polynomial (order_poly.h), which is closed under products and under integration
 * between neighbours on the line. Parts of the problem that no open condition connects are
 * integrated on their own. Conditions are first closed transitively: windows propagate,
 * implied conditions go, contradictory ones give 0, impossible cells are never visited. Samples
 * that are alike (same law, window and neighbours) are integrated once and the result is raised to
 * a power: l rounds of a loop cost O(l^2) multiplications.
 *
 * Inclusion property: the result encloses the true probability at every precision. Limits: at most
 * ORDER_SCOPE_MAX neighbours when a sample is integrated out; see order_status. */
#ifndef COUPLET_NUM_REAL_ORDER_INTEGRAL_H
#define COUPLET_NUM_REAL_ORDER_INTEGRAL_H

#include "base/vec.h"
#include "num/real/ball.h"
#include "num/real/exppoly.h"

enum {
  ORDER_SAMPLES_MAX = 4096,   /* samples of one problem */
  ORDER_INTERVALS_MAX = 8000, /* intervals between breakpoints */
  ORDER_CELLS_MAX = 2000000   /* cells of one function */
};

enum order_noise {
  ORDER_LAPLACE,     /* a: centre, b: rate = 1/scale */
  ORDER_EXPONENTIAL, /* a: start, b: rate */
  ORDER_UNIFORM      /* between a and b */
};

struct order_sample {
  enum order_noise noise;
  fmpq_t a, b;
  struct line_end low, high; /* the window */
};

struct order_condition {
  uint32_t less, greater; /* samples: s_less < s_greater */
};

struct order_problem {
  VEC(struct order_sample) samples;
  VEC(struct order_condition) conditions;
};

void order_problem_init(struct order_problem *problem);
void order_problem_clear(struct order_problem *problem);
/* A new sample without window; returns its number. b > 0 as a rate, a < b for uniform. */
uint32_t order_problem_sample(struct order_problem *problem, enum order_noise noise, const fmpq_t a,
                              const fmpq_t b);
/* Narrows the window of a sample. */
void order_problem_at_least(struct order_problem *problem, uint32_t sample, const fmpq_t low);
void order_problem_at_most(struct order_problem *problem, uint32_t sample, const fmpq_t high);
void order_problem_less(struct order_problem *problem, uint32_t less, uint32_t greater);

enum order_status {
  ORDER_OK,
  ORDER_TOO_WIDE,  /* more than ORDER_SCOPE_MAX samples depend on each other at once */
  ORDER_TOO_LARGE, /* one of the other limits */
  ORDER_TIMEOUT
};
const char *order_status_text(enum order_status status);

/* One evaluation; out is an enclosure if ORDER_OK, not finite otherwise. */
enum order_status order_integral(arb_t out, const struct order_problem *problem,
                                 const struct budget *budget, slong precision);

#endif
