"""Sparse vector: which queries are above a threshold."""

import couplet


@couplet.private(epsilon="epsilon", adjacent="all_within(queries, 1)", requires="limit >= 1")
def sparse_vector(queries, threshold, limit: int, epsilon, rng):
    """At most `limit` times True; what stays below costs nothing."""
    noisy_threshold = threshold + rng.laplace(scale=2 / epsilon)
    answers, found = [], 0
    for query in queries:
        if query + rng.laplace(scale=4 * limit / epsilon) >= noisy_threshold:
            answers.append(True)
            found += 1
            if found >= limit:
                break
        else:
            answers.append(False)
    return answers


@couplet.private(epsilon="epsilon", adjacent="all_within(queries, 1)")
def first_above(queries, threshold, epsilon, rng):
    """The position of the first query above the threshold, or None."""
    noisy_threshold = rng.laplace(threshold, 2 / epsilon)
    for i in range(len(queries)):
        if rng.laplace(queries[i], 4 / epsilon) >= noisy_threshold:
            return i
    return None


@couplet.private(epsilon="epsilon", adjacent="all_within(queries, 1)")
def never_stops(queries, threshold, epsilon, rng):
    """Wrong: nothing limits how often True is said."""
    noisy_threshold = threshold + rng.laplace(scale=2 / epsilon)
    return [bool(q + rng.laplace(scale=1 / epsilon) >= noisy_threshold) for q in queries]


@couplet.private(epsilon="epsilon", adjacent="all_within(queries, 1)")
def no_query_noise(queries, threshold, epsilon, rng):
    """Wrong: only the threshold has noise."""
    noisy_threshold = threshold + rng.laplace(scale=2 / epsilon)
    return [q >= noisy_threshold for q in queries]
