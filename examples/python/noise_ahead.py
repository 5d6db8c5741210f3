"""All noise is drawn first, as NumPy makes easy; the data are looked at afterwards."""

import numpy as np

import couplet


@couplet.private(epsilon="epsilon", adjacent="all_within(queries, 1)", types={"c": "int"}, requires="c >= 1")
def sparse_vector(queries, threshold, c, epsilon, rng):
    """Which queries are above the threshold, up to the c-th that is? Noise behind that one is never read."""
    noise = rng.laplace(scale=4 * c / epsilon, size=len(queries))
    bar = threshold + rng.laplace(scale=2 / epsilon)
    answers = []
    count = 0
    for query, z in zip(queries, noise):
        if count == c:
            break
        above = query + z >= bar
        answers.append(above)
        if above:
            count += 1
    return answers


@couplet.private(epsilon="epsilon", adjacent="all_within(queries, 1)", types={"c": "int"}, requires="c >= 1")
def thrifty_vector(queries, threshold, c, epsilon, rng):
    """Wrong: the scale does not grow with the number of answers."""
    noise = rng.laplace(scale=4 / epsilon, size=len(queries))
    bar = threshold + rng.laplace(scale=2 / epsilon)
    answers = []
    count = 0
    for query, z in zip(queries, noise):
        if count == c:
            break
        above = query + z >= bar
        answers.append(above)
        if above:
            count += 1
    return answers


@couplet.private(zcdp="rho", adjacent="all_within(scores, 1)", requires="len(scores) >= 1")
def selection(scores, rho, rng):
    """The exponential mechanism by Gumbel noise, in zero-concentrated privacy."""
    noisy = np.asarray(scores) + rng.gumbel(scale=1 / np.sqrt(2 * rho), size=len(scores))
    return int(np.argmax(noisy))


@couplet.private(epsilon="epsilon", adjacent="one_changes(labels)", types={"labels": "int[]"},
                 requires="all(0 <= v < 5 for v in labels)")
def histogram(labels, epsilon, rng):
    """Who changes the label leaves one bin and enters another."""
    return np.bincount(labels, minlength=5) + rng.laplace(scale=2 / epsilon, size=5)
