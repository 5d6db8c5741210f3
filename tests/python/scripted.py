"""Noise from a list, with the methods of numpy's Generator, of `random` and of `secrets`.

The same values mean the same samples as in `couplet run --script` (src/run/sample/scripted.h).
"""

import math


class Spent(Exception):
    pass


class Scripted:
    def __init__(self, values):
        self.values, self.next = list(values), 0

    def take(self):
        if self.next == len(self.values):
            raise Spent()
        self.next += 1
        return self.values[self.next - 1]

    def unit(self):
        v = self.take()
        return v - math.floor(v)

    def many(self, one, size):
        import numpy
        if size is None:
            return one(0)
        if isinstance(size, tuple) and len(size) == 2:  # a batch: each row has the items of one sample
            return numpy.array([[one(k) for k in range(size[1])] for _ in range(size[0])])
        count = size[0] if isinstance(size, tuple) else size
        return numpy.array([one(k) for k in range(count)])

    def located(self, loc, size, noise, scale=1.0):
        import numpy
        for given in (loc, scale):
            if size is None and isinstance(given, (list, tuple, numpy.ndarray)):
                size = len(given)
        if not isinstance(scale, numpy.ndarray) and scale == 0:  # numpy: no noise
            noise = lambda: 0.0
        loc = loc[0] if isinstance(loc, numpy.ndarray) and loc.ndim == 2 else loc
        at = lambda k: loc[k] if isinstance(loc, (list, tuple, numpy.ndarray)) else loc
        return self.many(lambda k: at(k) + noise(), size)

    # numpy
    def laplace(self, loc=0.0, scale=1.0, size=None):
        return self.located(loc, size, self.take, scale)

    def normal(self, loc=0.0, scale=1.0, size=None):
        return self.located(loc, size, self.take, scale)

    def standard_normal(self, size=None):
        return self.located(0.0, size, self.take)

    def exponential(self, scale=1.0, size=None):
        return self.located(0.0, size, lambda: abs(self.take()))

    def geometric(self, p, size=None):
        return self.located(1, size, lambda: math.floor(abs(self.take())))

    def gumbel(self, loc=0.0, scale=1.0, size=None):
        return self.located(loc, size, self.take)

    def integers(self, low, high=None, size=None, endpoint=False):
        if high is None:
            low, high = 0, low
        last = high if endpoint else high - 1
        if last < low:
            raise ValueError("empty range")
        return self.many(lambda k: low + math.floor(self.unit() * (last - low + 1)), size)

    def random(self, size=None):
        return self.many(lambda k: self.unit(), size)

    def uniform(self, low=0.0, high=1.0, size=None):
        return self.many(lambda k: low + self.unit() * (high - low), size)

    def binomial(self, n, p, size=None):
        return self.many(lambda k: sum(self.unit() < p for _ in range(n)), size)

    def choice(self, a, size=None, replace=True, p=None):
        items = range(a) if isinstance(a, int) else a

        def one(k):
            if p is None:
                return items[math.floor(self.unit() * len(items))]
            u, reached = self.unit(), 0
            for i, weight in enumerate(p):
                reached += weight
                if u < reached:
                    return items[i]
            return items[len(items) - 1]
        return self.many(one, size)

    def standard_exponential(self, size=None):
        return self.exponential(1.0, size)

    random_sample = rand = random
    randn = standard_normal

    # generators that are made inside
    def RandomState(self, *_):
        return self

    default_rng = Random = RandomState

    def randint(self, low, high=None, size=None):
        return self.integers(low, high, size)

    def seed(self, *_):
        pass

    # random and secrets
    def gauss(self, mu=0.0, sigma=1.0):
        return mu + self.take()

    normalvariate = gauss

    def expovariate(self, lambd=1.0):
        return abs(self.take())

    def randrange(self, start, stop=None):
        return self.integers(start, stop)

    def getrandbits(self, k):
        return self.integers(0, 2 ** k)

    randbits = getrandbits

    def randbelow(self, n):
        return self.integers(0, n)


class Standard:
    """The same noise for `random`, whose randint includes both ends."""

    def __init__(self, rng):
        self.rng = rng

    def __getattr__(self, name):
        return getattr(self.rng, name)

    def randint(self, a, b):
        return self.rng.integers(a, b, endpoint=True)

    def Random(self, *_):
        return self

    SystemRandom = Random
