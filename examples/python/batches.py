"""Classes in the style of testing tools: m(a, n_samples) draws a batch of outputs. A claim is about one of them."""

import numpy as np

import couplet


class NoisyCounts:
    """Rows of noisy counts, and the position of the largest."""

    def __init__(self, eps: float = 0.1):
        self.eps = eps

    def noisy(self, a, n_samples):
        return np.atleast_2d(a) + np.random.laplace(scale=2 / self.eps, size=(n_samples, a.shape[0]))

    @couplet.private(epsilon="eps", adjacent="all_within(a, 1)", fixed={"n_samples": 1})
    def m(self, a: np.ndarray, n_samples: int = 1):
        """The position alone."""
        return np.argmax(self.noisy(a, n_samples), axis=1)


class NoisyLargest(NoisyCounts):
    @couplet.private(epsilon="eps", adjacent="all_within(a, 1)", fixed={"n_samples": 1})
    def m(self, a: np.ndarray, n_samples: int = 1):
        """Wrong: the value of the largest tells more than its position."""
        return np.amax(self.noisy(a, n_samples), axis=1)
