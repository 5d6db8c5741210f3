/* Sums of losses on a grid, tilted: their law by Fourier transforms, and expectations under it with
 * certified errors. */
#ifndef COUPLET_COMPOSE_TILT_H
#define COUPLET_COMPOSE_TILT_H

#include "compose/loss.h"

/* Grids of the parts, with one step; the numbers of mechanisms are those of the parts. */
struct losses {
  const loss_parts *parts;
  struct loss_grid *grids; /* parallel */
  unsigned bits;
  ulong count; /* mechanisms in all */
};

/* Rough values in doubles, to choose by. */
struct tilt_guess {
  double log_mean;       /* ln E[e^(theta S')], without infinite losses */
  double mean, variance; /* of S' under the tilt */
};
struct tilt_guess tilt_guess(const struct losses *all, double theta);

/* The tilted law of S' on a window of the grid, where everything outside is folded into it. */
struct tilted {
  const struct losses *all;
  double theta;
  unsigned log;  /* 2^log points */
  slong first;   /* the first point of the window is first * step */
  double *mass;  /* of the points, about */
  arb_t error;   /* the 2-norm of mass - true folded mass, at most */
  arb_t scale;   /* E[e^(theta S')] */
  arb_t outside; /* tilted probability that S' is not in the window, at most */
};

/* False: it takes more points than there may be. */
bool tilted_init(struct tilted *t, const struct losses *all, double theta);
void tilted_clear(struct tilted *t);

/* E[(1 - e^(eps - S'))_+] of finite S', enclosed from both sides; eps is exact, and not negative. */
void tilted_delta(arb_t low, arb_t high, const struct tilted *t, const arb_t eps);
/* About the same, for all points of the window at once: out[i] for eps at point i. */
double *tilted_curve(const struct tilted *t);

#endif
