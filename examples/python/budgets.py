"""Budgets that the program itself keeps: the loop ends when they are used up."""

import numpy as np

import couplet


@couplet.private(epsilon="epsilon", adjacent="all_within(queries, 1)", requires="k >= 1")
def until_spent(queries, threshold, epsilon, k: int, rng):
    """Gaps above a noisy threshold; large ones need less precise noise and take less from the budget."""
    noisy = threshold + rng.laplace(scale=2 / epsilon)
    spent, total = 0.0, epsilon / 2
    gaps = []
    for query in queries:
        rough = query + rng.laplace(scale=8 * k / epsilon)
        if rough - noisy >= 10:
            gaps.append(rough - noisy)
            spent += epsilon / (4 * k)
        else:
            fine = query + rng.laplace(scale=4 * k / epsilon)
            if fine >= noisy:
                gaps.append(fine - noisy)
                spent += epsilon / (2 * k)
            else:
                gaps.append(0.0)
        if spent > total - epsilon / (2 * k):
            break
    return gaps


@couplet.private(epsilon="budget", adjacent="all_within(values, 1)", requires="price > 0")
def as_long_as_it_lasts(values, budget: float, price: float, rng):
    """Each release takes its price, and is made only if that is left."""
    left = budget
    out = []
    for v in values:
        if left < price:
            break
        left -= price
        out.append(v + rng.laplace(scale=1 / price))
    return out


@couplet.private(epsilon="budget", adjacent="all_within(values, 1)", requires="price > 0")
def looks_too_late(values, budget: float, price: float, rng):
    """Wrong: whether something is left does not say that it is enough for one more release."""
    left = budget
    out = []
    for v in values:
        if left <= 0:
            break
        left -= price
        out.append(v + rng.laplace(scale=1 / price))
    return out
