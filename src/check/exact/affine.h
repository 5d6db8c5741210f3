/* Affine forms over samples: constant + sum of coefficient * symbol, all rational.
 *
 * Immutable and reference counted. Terms are sorted by symbol and have non-zero coefficients; a
 * form without terms is a constant. */
#ifndef COUPLET_CHECK_EXACT_AFFINE_H
#define COUPLET_CHECK_EXACT_AFFINE_H

#include <flint/fmpq.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t symbol; /* names one sample of one run */

struct affine_term {
  symbol symbol;
  fmpq_t coefficient;
};

struct affine {
  fmpq_t constant;
  size_t refs;
  size_t count;
  struct affine_term terms[];
};

struct affine *affine_constant(const fmpq_t value);
struct affine *affine_symbol(symbol s);
struct affine *affine_ref(const struct affine *a);
void affine_unref(struct affine *a);

/* a + factor * b. */
struct affine *affine_combine(const struct affine *a, const fmpq_t factor, const struct affine *b);
struct affine *affine_scale(const struct affine *a, const fmpq_t factor);
/* a with `s` replaced by `by`, which does not mention s. */
struct affine *affine_substitute(const struct affine *a, symbol s, const struct affine *by);
/* The same direction with the leading coefficient +-1: two atoms a >= 0 that mean the same have the
 * same normal form. A constant form becomes its sign. */
struct affine *affine_normalise(const struct affine *a);

bool affine_equal(const struct affine *a, const struct affine *b);
bool affine_mentions(const struct affine *a, symbol s);
/* Coefficient of s, or NULL. */
const fmpq *affine_coefficient(const struct affine *a, symbol s);

#endif
