"""SmartNoise SDK, issue 622: a covariance is computed from the data before clipping.

The rows are clipped into a new table, and the statistic is then computed from the old one. The
noise fits the clipped values only.
"""

import numpy as np

import couplet


@couplet.private(epsilon="epsilon", adjacent="one_changes(values)", requires="len(values) >= 1")
def clipped_in_vain(values, epsilon, rng):
    """Wrong: nobody reads the clipped values."""
    clipped = np.clip(values, 0, 1)
    return np.sum(values) + rng.laplace(scale=1 / epsilon)


@couplet.private(epsilon="epsilon", adjacent="one_changes(values)", requires="len(values) >= 1")
def repaired(values, epsilon, rng):
    """The sum of what was clipped."""
    clipped = np.clip(values, 0, 1)
    return np.sum(clipped) + rng.laplace(scale=1 / epsilon)
