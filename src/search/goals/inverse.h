/* Laplace noise made by hand: s*b*ln(u) with u uniform on (0, 1] and a random sign s.
 *
 * The block that computes it is one step for the kernel (EQUIV-LAP): `laplace z from u scale b`.
 * What is left is the shift: where the noise is added to a value of the data, it makes up for the
 * difference of that value. For programs without loops that go on with the sum alone, as the
 * snapping mechanism does. */
#ifndef COUPLET_SEARCH_GOALS_INVERSE_H
#define COUPLET_SEARCH_GOALS_INVERSE_H

#include "search/base/auto.h"

auto_strategy auto_inverse;

#endif
