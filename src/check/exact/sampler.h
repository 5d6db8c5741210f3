/* Laws (law.h) at the nodes of cells (grid.h), each computed once: the queries of a mechanism meet a
 * threshold at the same few distances, run after run. */
#ifndef COUPLET_CHECK_EXACT_SAMPLER_H
#define COUPLET_CHECK_EXACT_SAMPLER_H

#include "check/exact/law.h"
#include "num/real/quadrature.h"

struct sampler {
  size_t refs;
  struct quadrature *rule;
  struct law_cell **slots; /* open addressing */
  size_t count, capacity;
};

struct sampler *sampler_new(slong precision);
struct sampler *sampler_ref(struct sampler *s);
void sampler_unref(struct sampler *s); /* NULL is allowed */

enum law_part { LAW_DENSITY, LAW_BELOW, LAW_ABOVE };

/* A function of a law on the cell low..high. */
struct law_cell {
  const struct law *law;
  enum law_part part;
  arb_t rate;
  fmpq_t low, high;
  arb_ptr values; /* at the nodes of the rule */
  mag_t bound;    /* in the ellipse around the cell */
};

/* Valid until the next call. */
const struct law_cell *sampler_cell(struct sampler *s, const struct law *law, const arb_t rate,
                                    enum law_part part, const fmpq_t low, const fmpq_t high);

/* The real interval and the greatest imaginary part of the ellipse around a cell. */
void cell_ellipse(arb_t real, mag_t imaginary, const fmpq_t low, const fmpq_t high,
                  slong precision);
/* Node k of the cell. */
void cell_node(arb_t out, const struct quadrature *rule, slong k, const fmpq_t low,
               const fmpq_t high);
/* From a bound on |f| in the ellipse and one on |F| at an end of the cell: a bound on |F| in the
 * ellipse, for F' = f or -f. */
void cell_antiderivative_bound(mag_t out, const mag_t f, const mag_t at_end, const fmpq_t low,
                               const fmpq_t high);

#endif
