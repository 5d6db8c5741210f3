/* Facts about exp, ln, sqrt, floor and ceil at the atoms of a purified problem.
 *
 * Every fact is an instance of a schema that holds for all reals (guards included); the schemas,
 * each with its reason, are in bounds.c, and each is tested on random points (test_bounds). They
 * come in tiers, because the solver slows down with the number of facts:
 *   1  signs, 1+x <= e^x, sqrt(x)^2 = x, inverses, monotonicity, e^(a+b) = e^a e^b, ln at constants
 *   2  Taylor and Pade bounds, tangents of ln at constants and between atoms
 *   3  exp at constants and its tangents there and between atoms */
#ifndef COUPLET_SMT_BOUNDS_H
#define COUPLET_SMT_BOUNDS_H

#include "smt/normalise.h"
#include "smt/purify.h"

enum { BOUNDS_TIERS = 3 };

/* Appends the facts of tiers 1..tier. New atoms (units: e^(x/3) when e^x and e^(2x/3) occur) may be
 * added to the purifier. `constants` are numbers worth comparing arguments with. `normaliser` may
 * be NULL: then products of exponentials are not related. */
void bounds_facts(struct purifier *p, struct normaliser *normaliser, int tier,
                  const term_list *constants, term_list *out);

/* The schemas themselves, for tests: a fact about e = exp(a) / l = ln(u) / s = sqrt(u) and so on.
 * Each returns a formula over the terms given; `index` from 0; TERM_NONE past the last. */
term_id bounds_exp_schema(struct terms *ts, size_t index, term_id a, term_id e, int *tier);
term_id bounds_ln_schema(struct terms *ts, size_t index, term_id u, term_id l, int *tier);
term_id bounds_sqrt_schema(struct terms *ts, size_t index, term_id u, term_id s, int *tier);
term_id bounds_exp_pair_schema(struct terms *ts, size_t index, term_id a, term_id e, term_id b,
                               term_id f, int *tier);
term_id bounds_ln_pair_schema(struct terms *ts, size_t index, term_id u, term_id l, term_id v,
                              term_id m, int *tier);
/* v <= c u -> m <= l + ln c for a number c > 0, with ln = ln(c). */
term_id bounds_ln_ratio(struct terms *ts, term_id u, term_id l, term_id v, term_id m, term_id c,
                        term_id ln);
term_id bounds_exp_constant(struct terms *ts, term_id a, term_id e, term_id c);
term_id bounds_ln_constant(struct terms *ts, term_id u, term_id l, term_id c);
term_id bounds_tangent(struct terms *ts, term_id x, term_id y, term_id c, bool is_exp);

#endif
