"""Mechanisms that draw a batch of samples, as classes of testing tools do: what the reader makes of a batch of one is what
numpy makes of it, with the same noise; what goes beyond that is refused at its place.

    python3 test_batches.py COUPLET
"""

import json
import random
import sys
import unittest

import numpy

from couplet.translate import TranslationError, translate_text
from scripted import Scripted
from test_reader import NumPy, fraction, parse_output, plain, run_couplet, same

HEAD = "import numpy as np\n\n"
LENGTH, RUNS = 4, 4

# Each is the body of m(self, a, n_samples) of a class with __init__(self, eps, t, c).
BODIES = {
    "noisy rows": "x = np.atleast_2d(a)\nreturn x + np.random.laplace(scale=1/self.eps, size=(n_samples, a.shape[0]))",
    "rows without atleast_2d": "return a + np.random.normal(scale=self.eps, size=(n_samples, len(a)))",
    "loc": "return np.random.laplace(loc=a, scale=self.eps, size=(n_samples, a.shape[0]))",
    "one number each": "return np.random.laplace(loc=a.item(0), scale=self.eps, size=n_samples)",
    "one-tuple": "return a[1] + np.random.exponential(scale=self.eps, size=(n_samples,))",
    "argmax": "m = a + np.random.gumbel(scale=2/self.eps, size=(n_samples, a.shape[0]))\nreturn np.argmax(m, axis=1)",
    "amax": "m = a + np.random.laplace(size=(n_samples, a.shape[0]))\nreturn np.amax(m, axis=1)",
    "method with axis": "m = a - np.random.laplace(size=(n_samples, a.shape[0]))\nreturn m.min(axis=-1) + m.sum(axis=1)",
    "no axis": "m = a + np.random.laplace(size=(n_samples, a.shape[0]))\nreturn np.max(m) - m.mean()",
    "column": "x = np.atleast_2d(a)\nrho = np.random.laplace(size=(n_samples, 1))\nreturn (x >= rho + self.t).astype(int)",
    "column beside the data": "rho = np.random.laplace(size=(n_samples, 1))\nreturn np.where(a > rho, a, rho)",
    "new axis": "rho = np.random.laplace(size=n_samples)\nreturn a * rho[:, None]",
    "prefix sums": "m = a + np.random.laplace(size=(n_samples, a.shape[0]))\nres = np.empty(shape=(n_samples, a.shape[0]), dtype=float)\n"
                   "total = np.zeros(shape=(n_samples,))\nfor j in range(0, a.shape[0]):\n    total = total + m[:, j]\n    res[:, j] = total\nreturn res",
    "cumsum": "m = a + np.random.laplace(size=(n_samples, a.shape[0]))\nreturn np.cumsum(m, axis=1)",
    "columns": "x = np.atleast_2d(a)\nrho = np.random.laplace(size=(n_samples, 1))\nm = x + np.random.laplace(size=(n_samples, a.shape[0]))\n"
               "cmp = m >= rho + self.t\ncount = np.zeros(n_samples)\nover = np.full(n_samples, False)\nres = cmp.astype(int)\ncol = 0\n"
               "for column in cmp.T:\n    res[over, col] = -1\n    count = count + column\n    over = np.logical_or(over, count == self.c)\n"
               "    col = col + 1\nreturn res",
    "masks": "m = a + np.random.laplace(size=(n_samples, a.shape[0]))\nrho = np.random.laplace(size=(n_samples,))\nres = np.zeros(m.shape)\n"
             "z = m * 2\nfor j in range(m.shape[1]):\n    above = m[:, j] >= rho\n    res[above, j] = z[above, j]\n"
             "    fresh = np.random.laplace(size=(n_samples,))\n    rho[above] = fresh[above]\nreturn res",
    "mask of rows": "m = a + np.random.laplace(size=(n_samples, a.shape[0]))\ncmp = m > self.t\nres = m\nres[np.logical_not(cmp)] = -1000.0\nreturn res",
    "two arrays under one mask": "m = a + np.random.laplace(size=(n_samples, a.shape[0]))\nbig = m > self.t\nres = np.zeros_like(m)\nres[big] = m[big]\nreturn res",
    "only sample": "m = a + np.random.laplace(size=(n_samples, a.shape[0]))\nreturn m[0, 1] + m[0].sum() + len(m) + m.shape[0] + m.size",
    "loop over samples": "out = 0.0\nfor row in a + np.random.laplace(size=(n_samples, a.shape[0])):\n    out = out + row[2]\nreturn out",
    "loop over their number": "out = 0.0\nfor k in range(n_samples):\n    out = out + a[k] + np.random.laplace()\nreturn out",
    "integers": "u = np.random.randint(1, 9, size=n_samples)\nz = np.zeros(n_samples)\nfor j in reversed(range(0, 5)):\n    z[j * 2 >= u] = j\nreturn z",
    "uniform": "s = 1 - np.random.randint(2, size=n_samples) * 2\nu = np.random.uniform(size=n_samples)\nreturn np.clip(a[0] + s * self.eps * u, -1, 1)",
    "tile": "return np.tile(a, (n_samples, 1)) + np.random.laplace(size=(n_samples, 1))",
    "helper": "return self.doubled(a, n_samples) + self.t",
    "two results": "m = a + np.random.laplace(size=(n_samples, a.shape[0]))\nreturn np.argmax(m, axis=1), m",
}

CLASS = """class C%d:
    def __init__(self, eps: float = 0.5, t: float = 1.0, c: int = 2):
        self.eps = eps
        self.t = t
        self.c = c

    def doubled(self, a, n):
        return 2 * np.asarray(a) + np.random.laplace(scale=self.eps, size=(n, len(a)))

    def m(self, a, n_samples: int = 1):
        %s
"""
CLAIM = {"epsilon": "eps", "adjacent": "all_within(a, 1)", "fixed": {"n_samples": 1}, "types": {"a": "real[4]"}, "requires": "c >= 1"}

# (body, text that is pointed at, piece of the message)
REFUSED = [
    ("return np.random.laplace(size=(3, n_samples))", "(3, n_samples)", "batches of one sample"),
    ("m = np.random.laplace(size=(n_samples, len(a)))\nreturn m[1]", "m[1]", "one sample"),
    ("m = np.random.laplace(size=(n_samples, len(a)))\nreturn np.sum(m, axis=0)", "np.sum(m, axis=0)", "over the samples"),
    ("m = np.random.laplace(size=(n_samples, len(a)))\nreturn m[:, 1:]", "1:", "a part of each sample"),
    ("r = np.random.laplace(size=n_samples)\nreturn a + r", "a + r", "does not fit"),
    ("r = np.empty(n_samples)\nreturn r", "np.empty(n_samples)", "anything"),
    ("r = np.empty(len(a))\nfor j in range(1, len(a)):\n    r[j] = 1\nreturn r", "np.empty(len(a))", "anything"),
    ("r = np.empty(len(a))\nfor j in range(len(a)):\n    if a[j] > 1:\n        r[j] = 1\nreturn r", "np.empty(len(a))", "anything"),
    ("m = np.zeros(len(a))\nres = m\nres[0] = 1\nreturn m", "res = m", "one list"),
    ("return np.zeros(len(a)).T", "np.zeros(len(a)).T", "`T`"),
]


def class_text(index, body):
    return CLASS % (index, body.replace("\n", "\n        "))


def run_class(text, name, case):
    rng, scope = Scripted(case["noise"]), {}
    exec(compile(HEAD + text, name, "exec"), scope)
    scope["np"] = NumPy(rng)
    result = scope[name](case["eps"], case["t"], case["c"]).m(numpy.array(case["a"]), 1)
    return result, rng.next


def one_sample(value):
    """Axes of length 1 are left out."""
    if isinstance(value, tuple):
        return [one_sample(v) for v in value]
    return plain(numpy.squeeze(value).tolist())


class Batches(unittest.TestCase):
    def test_a_batch_of_one_is_what_numpy_makes_of_it(self):
        r = random.Random(5)
        text = HEAD + "\n\n".join(class_text(i, body) for i, body in enumerate(BODIES.values()))
        dp = translate_text(text, claims=[dict(CLAIM, function="C%d" % i) for i in range(len(BODIES))]).text
        number = lambda: r.randrange(-8, 9) / 4
        cases = [[{"a": [number() for _ in range(LENGTH)], "eps": 0.5, "t": number(), "c": r.randrange(1, 4),
                   "noise": [r.randrange(-300, 300) / 64 + 1 / 128 for _ in range(60)]} for _ in range(RUNS)] for _ in BODIES]
        entries = [{"mechanism": "C%d" % i, "params": {"eps": fraction(c["eps"]), "t": fraction(c["t"]), "c": str(c["c"])},
                    "inputs": {"a": "[%s]" % ", ".join(map(fraction, c["a"]))}, "noise": [fraction(v) for v in c["noise"]]}
                   for i, many in enumerate(cases) for c in many]
        answers, trouble = run_couplet(COUPLET, dp, entries)
        self.assertIsNotNone(answers, trouble)
        for i, (name, body) in enumerate(BODIES.items()):
            for case, answer in zip(cases[i], answers[i * RUNS:(i + 1) * RUNS]):
                expected, drawn = run_class(class_text(i, body), "C%d" % i, case)
                self.assertEqual(answer.get("drawn"), drawn, (name, answer))
                self.assertTrue(same(one_sample(expected), parse_output(answer["output"])), (name, expected, answer["output"], case))

    def test_refusals(self):
        for body, pointed, message in REFUSED:
            text = HEAD + class_text(0, body)
            with self.assertRaises(TranslationError, msg=body) as caught:
                translate_text(text, claims=[dict(CLAIM, function="C0")])
            error = caught.exception.errors[0]
            self.assertIn(message, error["message"], body)
            self.assertEqual(text.encode()[error["begin"]:].decode()[:len(pointed)], pointed, body)

    def test_the_size_of_the_batch_must_be_fixed(self):
        text = HEAD + class_text(0, BODIES["noisy rows"])
        claim = {k: v for k, v in CLAIM.items() if k != "fixed"}
        with self.assertRaises(TranslationError) as caught:
            translate_text(text, claims=[dict(claim, function="C0")])
        self.assertIn("fixed=", caught.exception.errors[0]["hint"])


if __name__ == "__main__":
    COUPLET = sys.argv.pop(1)
    unittest.main()
