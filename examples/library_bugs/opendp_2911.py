"""OpenDP, issue 2911: noisy max with exponential noise declares the zCDP of the exponential mechanism.

An exponential mechanism (Gumbel noise) with epsilon is epsilon^2/8-zCDP, because its losses lie in
a range of length epsilon. Exponential noise, which is permute-and-flip, has no such range: all that
follows from epsilon is epsilon^2/2.
"""

import numpy as np

import couplet


@couplet.private(zcdp="epsilon^2 / 8", adjacent="all_within(scores, 1)", requires="len(scores) >= 1")
def too_little_declared(scores, epsilon, rng):
    """Wrong: four times less than it costs."""
    return int(np.argmax(np.asarray(scores) + rng.exponential(scale=2 / epsilon, size=len(scores))))


@couplet.private(zcdp="epsilon^2 / 2", adjacent="all_within(scores, 1)", requires="len(scores) >= 1")
def repaired(scores, epsilon, rng):
    """What every epsilon-private mechanism has."""
    return int(np.argmax(np.asarray(scores) + rng.exponential(scale=2 / epsilon, size=len(scores))))
