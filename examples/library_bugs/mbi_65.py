"""mbi, issue 65: the JAM mechanism chooses with sensitivity 2 where it is 4.

The score of a candidate is the error of the model minus the error of the public data. One person
moves each error by up to 2, and they can move in opposite directions. The exponential mechanism
takes a candidate with probability proportional to exp(epsilon score / (2 sensitivity)).
"""

import numpy as np

import couplet


@couplet.private(epsilon="epsilon", adjacent="all_within(model_errors, 2) and all_within(public_errors, 2)",
                 types={"model_errors": "real[2]", "public_errors": "real[2]"})
def sensitivity_2(model_errors, public_errors, epsilon, rng):
    """Wrong: the difference of two errors moves by 4."""
    scores = np.asarray(model_errors) - np.asarray(public_errors)
    weights = np.exp(epsilon * scores / (2 * 2))
    return int(rng.choice(2, p=weights / np.sum(weights)))


@couplet.private(epsilon="epsilon", adjacent="all_within(model_errors, 2) and all_within(public_errors, 2)",
                 types={"model_errors": "real[n]", "public_errors": "real[n]"}, requires="n >= 1")
def repaired(model_errors, public_errors, epsilon, rng):
    """For any number of candidates: the largest score with Gumbel noise is the exponential mechanism."""
    scores = np.asarray(model_errors) - np.asarray(public_errors)
    return int(np.argmax(scores + rng.gumbel(scale=2 * 4 / epsilon, size=len(scores))))
