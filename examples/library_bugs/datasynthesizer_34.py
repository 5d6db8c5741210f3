"""DataSynthesizer, issue 34: noise for probabilities is added to counts.

In a table of probabilities of n people one person moves little: the scale is 2/(n epsilon). The code
had counts in the table, where a person who joins adds 1 to a cell, and divided by n later.
"""

import couplet


@couplet.private(epsilon="epsilon", adjacent="one_differs(counts, 1)", types={"counts": "int[cells]", "people": "int"},
                 requires=["cells >= 1", "people >= 3"])
def scale_of_probabilities(counts, people, epsilon, rng):
    """Wrong: n times too little noise."""
    return [c + rng.laplace(scale=2 / (people * epsilon)) for c in counts]


@couplet.private(epsilon="epsilon", adjacent="one_differs(counts, 1)", types={"counts": "int[cells]", "people": "int"},
                 requires=["cells >= 1", "people >= 3"])
def repaired(counts, people, epsilon, rng):
    """Noise for counts, then divided."""
    return [(c + rng.laplace(scale=2 / epsilon)) / people for c in counts]
