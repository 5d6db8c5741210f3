"""diffprivlib, issue 104: linear regression centres features and target with one slice of the budget.

A part of the budget is set aside for the means. The means of the features and the mean of the
target are two releases about the same people, and each was given the whole part.
"""

import numpy as np

import couplet


@couplet.private(epsilon="epsilon", adjacent="one_differs(features, 1) and one_differs(target, 1)",
                 types={"features": "real[n]", "target": "real[n]"}, requires="n >= 1")
def one_slice(features, target, epsilon, rng):
    """Wrong: both means spend all of it."""
    n = len(features)
    centre = np.mean(features) + rng.laplace(scale=1 / (n * epsilon))
    offset = np.mean(target) + rng.laplace(scale=1 / (n * epsilon))
    return centre, offset


@couplet.private(epsilon="epsilon", adjacent="one_differs(features, 1) and one_differs(target, 1)",
                 types={"features": "real[n]", "target": "real[n]"}, requires="n >= 1")
def repaired(features, target, epsilon, rng):
    """Half for each."""
    n = len(features)
    centre = np.mean(features) + rng.laplace(scale=2 / (n * epsilon))
    offset = np.mean(target) + rng.laplace(scale=2 / (n * epsilon))
    return centre, offset
