"""Counts, sums and means of clipped data."""

import numpy as np

import couplet


@couplet.private(epsilon="epsilon", adjacent="one_differs(counts, 1)")
def histogram(counts, epsilon, rng):
    """One person is in one bin."""
    return [c + rng.laplace(scale=1 / epsilon) for c in counts]


OLDEST = 120


@couplet.private(epsilon="epsilon", adjacent="one_changes(ages)")
def total_age(ages, epsilon: float, rng: np.random.Generator) -> float:
    """One age may become any other; clipped, the sum moves by at most OLDEST."""
    total = np.clip(ages, 0, OLDEST).sum()
    return total + rng.laplace(scale=OLDEST / epsilon)


@couplet.private(epsilon="epsilon", adjacent="one_changes(ages)")
def forgotten_clip(ages, epsilon: float, rng: np.random.Generator) -> float:
    """Wrong: the clipped ages are computed, and then the raw ones are summed."""
    clipped = np.clip(ages, 0, OLDEST)
    total = sum(ages) if len(clipped) > 0 else 0.0
    return total + rng.laplace(scale=OLDEST / epsilon)


@couplet.private(epsilon="epsilon", adjacent="one_differs(flags, 1)", types={"flags": "int[n]"})
def noisy_count(flags, epsilon, rng):
    """How many flags are set; anything but 0 and 1 counts as 1."""
    return np.count_nonzero(np.asarray(flags)) + rng.laplace(scale=1 / epsilon)


@couplet.private(epsilon="epsilon", adjacent="within(total, 1) and within(visitors, 1)")
def two_releases(total, visitors, epsilon, rng):
    """The budget is split over two releases."""
    half = epsilon / 2
    return total + rng.laplace(scale=1 / half), visitors + rng.laplace(scale=1 / half)


@couplet.private(epsilon="epsilon", adjacent="within(total, 1) and within(visitors, 1)")
def one_budget_twice(total, visitors, epsilon, rng):
    """Wrong: both releases spend the whole budget."""
    return total + rng.laplace(scale=1 / epsilon), visitors + rng.laplace(scale=1 / epsilon)
