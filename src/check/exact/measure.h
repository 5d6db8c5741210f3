/* The measure of one path prefix: weight * product of densities of independent symbols, restricted
 * by affine inequalities between them.
 *
 * Inequalities about a single symbol are folded into its density at once; those between symbols
 * are kept until one of the two is not needed any more and is integrated out (measure_eliminate).
 * As long as the symbols and inequalities form a forest - thresholds compared with queries, running
 * maxima - every step works on functions of one variable, so a path of n steps costs polynomially
 * much. When they do not, elimination of one symbol fails, and measure_total at the end of the path
 * expands the measure into a sum by the order of the bounds.
 *
 * Points. An output with a density may be observed at a point (measure_observe). Then the measure
 * is a density there, and its ball holds every limit of the density at the point: two runs whose
 * balls are apart differ by as much on every small enough box. So nothing may depend on which side
 * of the point the output lies. A factor that jumps there becomes the hull of both sides; where
 * several jumps could hide one another (a sample whose density has edges that move with a point is
 * itself observed, an observed output is compared with a number) the answer is that it cannot be
 * told. */
#ifndef COUPLET_CHECK_EXACT_MEASURE_H
#define COUPLET_CHECK_EXACT_MEASURE_H

#include "base/budget.h"
#include "base/vec.h"
#include "check/exact/affine.h"
#include "check/exact/density.h"

enum {
  LIMIT_MEASURE_TERMS = 8000, /* of a sum that one measure is expanded into */
  LIMIT_MEASURE_CASES = 20000 /* values of integer samples tried one by one, per path */
};

/* A pending restriction at an irrational number. */
struct measure_bound {
  struct creal *at;
  bool is_lower;
};

struct measure_symbol {
  symbol id;
  struct density density;
  VEC(struct measure_bound) bounds;
  bool moves; /* its density has edges that depend on observed points */
};

static inline bool measure_symbol_is_bounded(const struct measure_symbol *s) {
  return s->bounds.len > 0;
}

/* An observed output: values that mention the symbol mean the point, or something close to it. */
struct measure_point {
  symbol id;
  struct affine *at; /* a constant */
};

/* ln(of) = is: the sample in `of` has been replaced by another one, its logarithm. */
struct measure_log {
  struct affine *of, *is;
};

struct measure {
  arb_t weight;
  VEC(struct measure_symbol) symbols;
  VEC(struct affine *) constraints; /* each >= 0, about two symbols or more */
  VEC(struct affine *) facts;       /* each >= 0, normalised: what branches have decided */
  VEC(struct measure_point) points;
  VEC(struct measure_log) logs;
};

void measure_init(struct measure *m); /* mass 1, no symbols */
void measure_clear(struct measure *m);
void measure_copy(struct measure *to, const struct measure *from); /* `to` not initialised */

/* Takes over the density. */
void measure_add_symbol(struct measure *m, symbol s, struct density *density);
/* Is every sample of the form still there? One that was replaced by its logarithm is not. */
bool measure_knows(const struct measure *m, const struct affine *a);
bool measure_is_discrete(const struct measure *m, symbol s);
/* No real sample in the form (which mentions no points). */
bool measure_all_discrete(const struct measure *m, const struct affine *a);
/* Does the form mention observed outputs? */
bool measure_has_points(const struct measure *m, const struct affine *a);
/* The form with the observed outputs at their points. A new reference. */
struct affine *measure_at_points(const struct measure *m, const struct affine *a);
/* Certainly zero. */
bool measure_is_zero(const struct measure *m);

/* The form b such that b >= 0 iff a < 0: -a, or for integer samples the next value below. */
struct affine *measure_complement(const struct measure *m, const struct affine *a);
/* 1: a >= 0 almost surely; -1: a < 0 almost surely; 0: not known. */
int measure_decide(const struct measure *m, const struct affine *a);
/* Keeps the part with a >= 0. `moves`: the constant of a depends on observed points. */
void measure_require(struct measure *m, const struct affine *a, bool moves);
/* Keeps the part of a single symbol beyond an irrational bound. */
void measure_require_irrational(struct measure *m, symbol s, struct creal *bound, bool lower);

/* On which side of the irrational bound does the path keep s? 1 above, -1 below, 0 not known. */
int measure_side(const struct measure *m, symbol s, struct creal *bound);

/* Integrates s out. NULL when done; else why not (a literal), and m is unchanged. */
const char *measure_eliminate(struct measure *m, symbol s, slong precision);
/* Integrates out what can be, one neighbour at a time. NULL: nothing is left. */
const char *measure_eliminate_all(struct measure *m, slong precision);
/* Integrates out everything; the mass (expand.c). Where samples are compared in a cycle, the
 * measure is expanded into a sum of simpler ones. NULL when done. m is of no use any more. */
const char *measure_total(arb_t out, struct measure *m, slong precision,
                          const struct budget *budget);
/* To try the values of an integer sample one by one: takes its table away (NULL when done; else why
 * not), then in a copy per value says which it is and what the table has there. */
const char *measure_take(struct measure *m, symbol s, struct density *out);
void measure_put(struct measure *m, symbol s, const struct affine *value, const arb_t weight,
                 slong precision);
/* Fixes the real sample s to `value` (does not mention s, nor points), because an output is
 * observed at a point. NULL when done; else why not, and m is of no use any more. */
const char *measure_observe(struct measure *m, symbol s, const struct affine *value,
                            slong precision);
/* From now on the symbol (new) stands for an output observed at the constant. */
void measure_add_point(struct measure *m, symbol s, const struct affine *at);

/* The numbers between which the form (of real samples, none of them moving) lies almost surely, from
 * supports and facts. False: the sample *unbounded reaches infinity; nothing is set. */
bool measure_bounds(const struct measure *m, const struct affine *a, fmpq_t low, fmpq_t high,
                    symbol *unbounded);
/* Does a sample of the form have edges that depend on observed points? */
bool measure_moves(const struct measure *m, const struct affine *a);
/* Restricts the real sample to -t..t, so that at most 2^-bits of its mass is cut; `cut` is a bound
 * on what the measure loses. */
void measure_cut(struct measure *m, symbol s, slong bits, arb_t cut, slong precision);
/* Can the form be replaced by its logarithm? It must be uniform on 0..1. */
bool measure_is_uniform(const struct measure *m, const struct affine *a);
/* Replaces the only sample of the form by `fresh`, the negative logarithm of the form: exponential
 * noise. */
void measure_take_log(struct measure *m, const struct affine *a, symbol fresh, slong precision);
/* The logarithm of the form if it was taken, a new reference, or NULL. */
struct affine *measure_log(const struct measure *m, const struct affine *a);
/* An upper bound on the mass: inequalities between samples are ignored. */
void measure_at_most(arb_t out, const struct measure *m, slong precision);

/* The density of a symbol, to be changed in place. */
struct density *measure_density(struct measure *m, symbol s);
/* Forgets the symbol, which no constraint mentions, without integrating it. */
void measure_drop(struct measure *m, symbol s);

/* Can the two be added into one? (At most one symbol each, the same, and nothing pending.) */
bool measure_can_merge(const struct measure *a, const struct measure *b);
void measure_merge(struct measure *a, const struct measure *b, slong precision);
/* Gives a symbol another name (not in use). */
void measure_rename(struct measure *m, symbol from, symbol to);

#endif
