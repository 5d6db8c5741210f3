"""Mechanisms as classes: parameters in the constructor, the mechanism in `m` or `__call__`."""

import numpy as np

import couplet


class NoisyMax:
    """The way of testing tools: m(a) is one run on the input a."""

    def __init__(self, eps: float = 0.1):
        self.eps = eps

    def noise(self, count):
        return np.random.laplace(scale=2 / self.eps, size=count)

    @couplet.private(epsilon="eps", adjacent="all_within(a, 1)")
    def m(self, a):
        """Only the index leaves."""
        return np.argmax(np.asarray(a) + self.noise(len(a)))


class ClippedSum:
    """The way of libraries: a generator and bounds are kept, the object is called."""

    def __init__(self, epsilon, upper, rng):
        self._scale = upper / epsilon
        self._upper = upper
        self._rng = rng

    def _clip(self, value):
        return min(max(value, 0), self._upper)

    @couplet.private(epsilon="epsilon", adjacent="one_changes(data)", requires="upper > 0", fixed={"repeats": 1})
    def __call__(self, data, repeats=1):
        """One of `repeats` answers."""
        total = 0
        for value in data:
            total += self._clip(value)
        return total + self._rng.laplace(scale=self._scale)


class ClippedMean(ClippedSum):
    """It inherits the constructor."""

    @couplet.private(epsilon="epsilon", adjacent="one_changes(data)", requires="upper > 0 and len(data) >= 2")
    def __call__(self, data):
        """Wrong: the scale is that of the sum divided by the wrong number."""
        total = 0
        for value in data:
            total += self._clip(value)
        return total / len(data) + self._rng.laplace(scale=self._scale / (2 * len(data)))
