"""SmartNoise SDK, issue 462: the classic formula for Gaussian noise, used above epsilon 1.

sigma = sqrt(2 ln(1.25/delta))/epsilon is right for epsilon < 1. For larger epsilon the noise is
too small.
"""

import math

import couplet


EPSILON = 10
DELTA = 0.00001


@couplet.private(epsilon=10, delta=0.00001, adjacent="within(total, 1)")
def classic_formula(total, rng):
    """Wrong: epsilon is 10."""
    return total + rng.normal(scale=math.sqrt(2 * math.log(1.25 / DELTA)) / EPSILON)


@couplet.private(epsilon="epsilon", delta="delta", adjacent="within(total, 1)")
def repaired(total, epsilon, delta, rng):
    """Right for every epsilon: the noise of the largest rho with rho + 2 sqrt(rho ln(1/delta)) <= epsilon."""
    root = math.sqrt(math.log(1 / delta) + epsilon) - math.sqrt(math.log(1 / delta))
    return total + rng.normal(scale=1 / (math.sqrt(2) * root))
