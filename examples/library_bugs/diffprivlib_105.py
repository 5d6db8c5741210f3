"""diffprivlib, issue 105: linear regression takes the lower bound of a feature twice.

The coefficient of a feature is a sum of squares of values between `lower` and `upper`; its
sensitivity is the larger of the two squared. The code looked at `lower` both times: for values
between 0 and 10 the sensitivity is 0, and so is the noise.
"""

import numpy as np

import couplet


@couplet.private(epsilon="epsilon", adjacent="one_changes(values)", requires="len(values) >= 1")
def lower_bound_twice(values, epsilon, rng):
    """Wrong: the scale of the noise is 0."""
    lower, upper = 0, 10
    squares = np.clip(values, lower, upper) ** 2
    sensitivity = max(abs(lower), abs(lower)) ** 2
    return np.sum(squares) + rng.laplace(scale=sensitivity / epsilon)


@couplet.private(epsilon="epsilon", adjacent="one_changes(values)", requires="len(values) >= 1")
def repaired(values, epsilon, rng):
    """Both bounds, and the squares are clipped, so that their bound is in sight."""
    lower, upper = 0, 10
    sensitivity = max(abs(lower), abs(upper)) ** 2
    squares = np.clip(np.asarray(values) ** 2, 0, sensitivity)
    return np.sum(squares) + rng.laplace(scale=sensitivity / epsilon)
