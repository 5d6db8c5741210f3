"""OpenDP, issue 2933: amplification by sampling is counted for each of two releases from one sample.

Who is in the sample is hidden from one release. A second release from the same sample does not
draw again: if the person is in it, they are in it twice. Here every release is a randomized
response with ln 3, a person is in the sample with probability 1/2, so that one release costs ln 2.
"""

import couplet


@couplet.private(epsilon="2 * ln(2)", adjacent="within(answer, 1)", requires="0 <= answer <= 1", types={"answer": "int"})
def one_sample(answer, rng):
    """Wrong: two releases of one sample."""
    value = answer if rng.random() < 0.5 else 0
    first = value if rng.random() < 0.75 else 1 - value
    second = value if rng.random() < 0.75 else 1 - value
    return first, second


@couplet.private(epsilon="2 * ln(2)", adjacent="within(answer, 1)", requires="0 <= answer <= 1", types={"answer": "int"})
def repaired(answer, rng):
    """A sample for each release."""
    value = answer if rng.random() < 0.5 else 0
    first = value if rng.random() < 0.75 else 1 - value
    value = answer if rng.random() < 0.5 else 0
    second = value if rng.random() < 0.75 else 1 - value
    return first, second
