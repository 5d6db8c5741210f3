"""NVIDIA FLARE, issue 343: a sparse vector filter lets weights through that are neither noisy nor zero.

Weights above a noisy threshold are candidates. Some of them are chosen at random and leave with
noise, and what is no candidate is set to zero. What is a candidate and was not chosen was
forgotten: it left as it was.
"""

import couplet


@couplet.private(epsilon="epsilon", adjacent="all_within(weights, 1)", requires=["share >= 1", "len(weights) >= 1"])
def forgotten_weights(weights, threshold, share: int, epsilon, rng):
    """Wrong: a candidate that is not chosen leaves without noise."""
    noisy_threshold = threshold + rng.laplace(scale=3 / epsilon)
    shared, spent = [], 0
    for weight in weights:
        if spent < share and weight + rng.laplace(scale=6 * share / epsilon) >= noisy_threshold:
            spent += 1
            if rng.random() < 0.5:
                shared.append(weight + rng.laplace(scale=3 * share / epsilon))
            else:
                shared.append(weight)
        else:
            shared.append(0.0)
    return shared


@couplet.private(epsilon="epsilon", adjacent="all_within(weights, 1)", requires=["share >= 1", "len(weights) >= 1"])
def repaired(weights, threshold, share: int, epsilon, rng):
    """It is zero, too."""
    noisy_threshold = threshold + rng.laplace(scale=3 / epsilon)
    shared, spent = [], 0
    for weight in weights:
        if spent < share and weight + rng.laplace(scale=6 * share / epsilon) >= noisy_threshold:
            spent += 1
            if rng.random() < 0.5:
                shared.append(weight + rng.laplace(scale=3 * share / epsilon))
            else:
                shared.append(0.0)
        else:
            shared.append(0.0)
    return shared
