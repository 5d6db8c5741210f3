"""OpenDP, pull request 2708: randomized response on a vector of bits leaves the last bit as it is.

Every bit of the vector is to be flipped with probability f/2. The mask of flips was drawn for the
positions 1 to n - 1, one too few, and XOR takes a missing bit of the mask for 0.
"""

import couplet


@couplet.private(epsilon="ln((2 - f) / f)", adjacent="one_changes(bits)", requires=["f < 1", "len(bits) >= 1"])
def off_by_one(bits: list[bool], f, rng):
    """Wrong: the mask is one bit short, and the last bit leaves as it is."""
    mask = [rng.random() < f / 2 for _ in range(1, len(bits))]
    released = []
    for i, bit in enumerate(bits):
        flip = mask[i] if i < len(mask) else False
        released.append(bit != flip)
    return released


@couplet.private(epsilon="ln((2 - f) / f)", adjacent="one_changes(bits)", requires=["f < 1", "len(bits) >= 1"])
def repaired(bits: list[bool], f, rng):
    """One flip for each bit."""
    return [bit != (rng.random() < f / 2) for bit in bits]
