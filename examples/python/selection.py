"""Choosing the best of several options, in ways that people write it."""

import math

import numpy as np

import couplet


@couplet.private(epsilon="epsilon", adjacent="all_within(scores, 1)")
def best_option(scores, epsilon, rng):
    """Report noisy max: only the index leaves."""
    noisy = np.asarray(scores) + rng.laplace(scale=2 / epsilon, size=len(scores))
    return int(np.argmax(noisy))


@couplet.private(epsilon="epsilon", adjacent="all_within(scores, 1)")
def best_option_loop(scores, epsilon, rng=None):
    """The same as a loop that remembers the best so far."""
    if rng is None:
        rng = np.random.default_rng()
    best, winner = -math.inf, 0
    for i, score in enumerate(scores):
        noisy = score + rng.exponential(2 / epsilon)
        if noisy > best:
            best = noisy
            winner = i
    return winner


@couplet.private(epsilon="epsilon", adjacent="all_within(scores, 1)")
def best_option_key(scores, epsilon, rng):
    """With max() and a key; the noise is drawn first."""
    noisy = [s + rng.laplace(0, 2 / epsilon) for s in scores]
    return max(range(len(scores)), key=lambda i: noisy[i])


@couplet.private(epsilon="epsilon", adjacent="all_within(scores, 1)", requires="len(scores) >= 1")
def best_score(scores, epsilon, rng):
    """Wrong: the largest noisy score itself leaves, and that costs more than the index."""
    noisy = np.asarray(scores) + rng.exponential(scale=2 / epsilon, size=len(scores))
    return noisy.max()


@couplet.private(epsilon="epsilon", adjacent="all_within(scores, 1)")
def best_option_cheap(scores, epsilon, rng):
    """Wrong: half of the noise that is needed when scores move in both directions."""
    noisy = [s + rng.laplace(scale=1 / epsilon) for s in scores]
    return int(np.argmax(noisy))
