"""SmartNoise Core, issue 356: the sensitivity of a mean uses the number of rows, which is private.

A person joins or leaves: the number of rows is different in the two runs, and so was the scale of
the noise. Values are between 0 and 1.
"""

import couplet


@couplet.private(epsilon="epsilon", adjacent="within(total, 1) and within(count, 1)", types={"count": "int"},
                 requires="count >= 1 and 0 <= total and total <= count")
def scale_from_the_data(total, count, epsilon, rng):
    """Wrong: the noise tells how many people there are."""
    return total / count + rng.laplace(scale=1 / (count * epsilon))


@couplet.private(epsilon="epsilon", adjacent="within(total, 1) and within(count, 1)", types={"count": "int"},
                 requires="count >= 1 and 0 <= total and total <= count")
def repaired(total, count, epsilon, rng):
    """Noise on the sum, noise on the count; the mean is made of what was released."""
    noisy_total = total + rng.laplace(scale=2 / epsilon)
    noisy_count = max(1, count + rng.laplace(scale=2 / epsilon))
    return noisy_total / noisy_count
