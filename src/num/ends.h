/* Rational bounds from a ball of Arb (see num/real/ball.h for what balls promise). */
#ifndef COUPLET_NUM_ENDS_H
#define COUPLET_NUM_ENDS_H

#include <flint/fmpq.h>

#include "num/arb_compat.h"

/* Both ends of a finite ball as short fractions, rounded outwards to so many bits. */
void ball_short_ends(fmpq_t low, fmpq_t high, const arb_t ball, slong bits);

#endif
