"""Functions that leak by what Python does beside computing: state, seeds, exceptions, nan, integers of numpy.

None of them may be proved: they are refused at their place, or the verdict is another one. Each has a twin that is
repaired, and is proved, so that a reader that refuses everything fails, too.

    python3 test_leaks.py COUPLET
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

from couplet.translate import TranslationError, translate_text

COUPLET = sys.argv.pop() if len(sys.argv) > 1 else "couplet"
HEAD = "import math\nimport random\nimport numpy as np\nimport couplet\n\n"
CLAIM = "@couplet.private(epsilon=\"1\", adjacent=\"within(x, 1)\", types={\"x\": \"real\"})\n"
NOISE = "np.random.laplace(scale=1)"


def function(body, arguments="x, rng", before="", name="f"):
    return before + CLAIM + "def %s(%s):\n" % (name, arguments) + "".join("    %s\n" % line for line in body.split("\n"))


def mechanism(init, method, before="", more=""):
    lines = lambda text: "".join("        %s\n" % line for line in text.split("\n"))
    return before + "class M:\n    def __init__(self%s):\n%s%s\n    %s    def m(self, x):\n%s" % (
        ", seed" if "seed" in init else "", lines(init), more, CLAIM, lines(method))


UNUSED, ANYWAY = "its value is not used", "computed in any case"
EVERY = "the same in every call"
TWO = "two generators with seeds"
SEEN, TOLD = "`s` is a seed", "knows the noise"
SEEDED = "r = np.random.default_rng(s)\nreturn x + r.laplace()"
REFUSED = {  # the file, what is pointed at, a piece of the message
    "noise of __init__": (mechanism("self.n = " + NOISE, "return x + self.n"), "self.n = np", EVERY),
    "an array of it": (mechanism("self.n = np.random.laplace(scale=1, size=2)", "return x + self.n[0]"), "self.n = np", EVERY),
    "noise of a function in __init__": (mechanism("self.n = g()", "return x + self.n", "def g():\n    return %s\n\n" % NOISE), "self.n = g()", EVERY),
    "noise of a method in __init__": (mechanism("self.n = self.g()", "return x + self.n", more="    def g(self):\n        return %s\n" % NOISE),
                                      "self.n = self.g()", EVERY),
    "noise of a branch in __init__": (mechanism("self.n = 0.0\nif seed > 1:\n    self.n = " + NOISE, "return x + self.n"), "if seed > 1", EVERY),
    "noise of the class": ("class M:\n    n = %s\n    %s    def m(self, x):\n        return x + self.n\n" % (NOISE, CLAIM), "np.random", "numbers"),
    "noise of the file": (function("return x + N", before="N = %s\n" % NOISE), "np.random", "numbers"),
    "noise as a default": (function("return x + g()", before="def g(n=%s):\n    return n\n\n" % NOISE), "np.random", "computed once"),
    "two generators": (function("a = np.random.default_rng(1)\nb = np.random.default_rng(1)\nreturn x + a.laplace(), x + b.laplace()"), "1)\n", EVERY),
    "a seed for two": (function("a = np.random.default_rng(s)\nb = np.random.default_rng(s)\nreturn x + a.laplace(), x + b.laplace()", "x, s: int"),
                       "s)\n    return", TWO),
    "a seed for two states": (function("a = np.random.RandomState(s)\nb = random.Random(s)\nreturn x + a.laplace(), b.random()", "x, s: int"),
                              "s)\n    return", TWO),
    "a seed in a loop": (function("t = 0\nfor i in range(2):\n    a = np.random.default_rng(s)\n    t += a.laplace()\nreturn x + t", "x, s: int"), "s)\n", TWO),
    "a seed in a comprehension": (function("t = [np.random.default_rng(s).laplace() for i in range(2)]\nreturn x + t[0], x + t[1]", "x, s: int"), "s)", TWO),
    "a seed of a function": (function("return x + g(s), x + g(s)", "x, s: int", "def g(s):\n    return np.random.default_rng(s).laplace()\n\n"), "s)", EVERY),
    "a seed that is data": (function("return np.random.default_rng(int(x)).laplace()"), "int(x)", EVERY),
    "a seed that is computed": (function("k = 2\nreturn x + np.random.default_rng(k).laplace()"), "k)", EVERY),
    "a bit generator": (function("r = np.random.Generator(np.random.PCG64(3))\nreturn x + r.laplace()"), "3)", EVERY),
    "a seed by name": (function("r = np.random.default_rng(seed=3)\nreturn x + r.laplace()"), "3)", EVERY),
    "a seed that __init__ keeps": (mechanism("self.s = seed", "r = np.random.default_rng(self.s)\nreturn x + r.laplace()"), "self.s)", EVERY),
    "a seed of __init__": (mechanism("self.r = np.random.default_rng(7)", "return x + self.r.laplace()"), "7)", EVERY),
    "a seed that is returned": (function(SEEDED + ", s", "x, s: int"), "s\n", SEEN),
    "a seed that is added": (function(SEEDED + " + s", "x, s: int"), "s\n", SEEN),
    "a seed that decides": (function("if s > 3:\n    return 0.0\n" + SEEDED, "x, s: int"), "s > 3", SEEN),
    "a seed for a helper": (function("k = g(s)\n" + SEEDED + " + k", "x, s: int", "def g(s):\n    return s + 1\n\n"), "s)\n    r", SEEN),
    "a size, as a seed": (function("r = np.random.default_rng(s)\nreturn [x + r.laplace() for i in range(s)]", "x, s: int"), "s)]", SEEN),
    "a seed that is returned of __init__": (mechanism("self.s = seed\nself.r = np.random.default_rng(seed)", "return x + self.r.laplace(), self.s"),
                                            "self.s\n", "`seed` is a seed"),
    "a seed of a method": (mechanism("self.s = seed\nself.r = np.random.default_rng(seed)", "return x + self.r.laplace(), self.g()",
                                     more="    def g(self):\n        return self.s\n\n"), "self.g()", "`seed` is a seed"),
    "a seed that is assumed": (function(SEEDED, "x, s: int").replace("types=", "requires=\"s == 3\", types="), "s)\n", TOLD),
    "a seed that is fixed": (function(SEEDED, "x, s: int").replace("types=", "fixed={\"s\": 3}, types="), "s)\n", TOLD),
    "a seed that is the cost": (function(SEEDED, "x, s").replace("\"1\"", "\"s\""), "s)\n", TOLD),
    "two of the file": (function("return x + A.laplace(), x + B.laplace()", before="A = np.random.default_rng(5)\nB = np.random.default_rng(5)\n"), "5)\n@couplet", TWO),
    "numpy seeded": (function("np.random.seed(1)\nreturn x + " + NOISE), "np.random.seed", EVERY),
    "random seeded": (function("random.seed(int(x))\nreturn x + random.gauss(0, 9)"), "random.seed", EVERY),
    "an argument seeded": (function("rng.seed(1)\nreturn x + rng.laplace()"), "rng.seed", EVERY),
    "ints of 32 bits": (function("a = np.array([x]).astype(np.int32)\nreturn a[0] + rng.laplace(scale=2)"), "np.array", "type of items"),
    "ints of 8 bits": (function("a = np.array([x], dtype=np.uint8)\nreturn a[0] + rng.laplace(scale=2)"), "np.uint8", "type of items"),
    "the largest of none": (function("return max(v for v in [x, 2 * x] if v > 0) * 0 + rng.laplace()"), "v > 0", "no item is left"),
    "a generator twice": (function("g = (v for v in [x])\na = sum(g)\nreturn sum(g) + rng.laplace()"), "(v for", "generator"),
    "an iterator": (function("i = iter([x, 1])\na = next(i)\nreturn next(i) + rng.laplace()"), "iter(", "not known"),
    "truth values of numpy": (function("a = np.array([x, x])\nreturn ((a > 0) + (a > 1)).sum() + rng.laplace()"), "(a > 0) + ", "truth value"),
    "a statement": (function("1 / x\nreturn x + rng.laplace()"), "1 / x", UNUSED),
    "an argument that nobody reads": (function("g(1 / x)\nreturn x + rng.laplace()", before="def g(v):\n    return 0.0\n\n"), "1 / x", UNUSED),
    "a lambda's": (function("g = lambda v: 0.0\np = g(1 / x)\nreturn p + x + rng.laplace()"), "1 / x", UNUSED),
    "the length of a list": (function("p = len([math.log(x)])\nreturn p + x + rng.laplace()"), "math.log(x)", UNUSED),
    "the size of an array": (function("p = np.array([1 / x]).size\nreturn p + x + rng.laplace()"), "1 / x", UNUSED),
    "another item": (function("p = (1 / x, 2.0)[1]\nreturn p + x + rng.laplace()"), "1 / x", UNUSED),
    "an array that nobody reads": (function("p = np.full(2, 1 / x)\nreturn x + rng.laplace()"), "1 / x", UNUSED),
    "not None": (function("p = 1 / x is not None\nreturn x + rng.laplace()"), "1 / x", UNUSED),
    "less than infinity": (function("best = math.inf\nif 1 / x < best:\n    best = 1.0\nreturn x + rng.laplace()"), "1 / x", ANYWAY),
    "where": (function("p = np.where(x > 0, 1 / x, 0)\nreturn x + rng.laplace()"), "np.where", ANYWAY),
    "where, of items": (function("a = np.array([1.0, 2.0])\np = np.where(a > 9, a * (1 / x), 0)\nreturn x + rng.laplace()"), "np.where", ANYWAY),
    "both sides of &": (function("p = (x > 0) & (1 / x > 1)\nreturn x + rng.laplace()"), "(x > 0) &", ANYWAY),
    "logical_or": (function("p = np.logical_or(x > 0, 1 / x > 1)\nreturn x + rng.laplace()"), "np.logical_or", ANYWAY),
    "a mask": (function("a = np.array([1.0, 2.0])\na[a > 9] = 1 / x\nreturn x + rng.laplace()"), "a[a > 9]", ANYWAY),
    "any of a list": (function("p = any([1 / v > 0 for v in [1.0, x]])\nreturn x + rng.laplace()"), "any(", ANYWAY),
}
READ = {
    "no seed": function("r = np.random.default_rng()\nreturn x + r.laplace()"),
    "a seed that is given": function("r = np.random.default_rng(seed)\nreturn x + r.laplace()", "x, seed: int"),
    "a seed or none": function("r = np.random.default_rng(seed)\nreturn x + r.laplace()", "x, seed: int = None"),
    "a seed of a bit generator": function("r = np.random.Generator(np.random.PCG64(seed))\nreturn x + r.laplace()", "x, seed: int"),
    "a generator passed on": function("r = np.random.default_rng(rng)\nreturn x + r.laplace()"),
    "a generator of the file": function("return x + R.laplace()", before="R = np.random.default_rng(5)\n"),
    "a generator of __init__": mechanism("self.r = np.random.default_rng()", "return x + self.r.laplace()"),
    "a seed given to __init__": mechanism("self.r = np.random.default_rng(seed)", "return x + self.r.laplace()"),
    "a seed that is kept": mechanism("self.s = seed\nself.r = np.random.default_rng(seed)", "return x + self.r.laplace()"),
    "a bit generator": function("r = np.random.Generator(np.random.PCG64())\nreturn x + r.laplace()"),
    "seeded by the system": function("np.random.seed()\nreturn x + " + NOISE),
}
COUNTED = "c = 0\nif rng.laplace() > 1:\n    c += 1\n"
# Leaks that only the verdict can see, and what repairs them.
UNPROVED = {
    "division": ("part = 1 / x\nreturn x + rng.laplace()", "part = 1 / max(x, 1)\nreturn x + rng.laplace()"),
    "zero_divided": ("part = 0 / x\nreturn x + rng.laplace()", "part = 0 / (abs(x) + 1)\nreturn x + rng.laplace()"),
    "unused_product": ("part = 0 * (1 / x)\nreturn part + x + rng.laplace()", "part = 0 * (1 / max(x, 1))\nreturn part + x + rng.laplace()"),
    "remainder": ("part = 5 % int(x)\nreturn x + rng.laplace()", "part = 5 % max(int(x), 1)\nreturn x + rng.laplace()"),
    "root": ("part = np.sqrt(x)\nreturn x + rng.laplace()", "part = np.sqrt(max(x, 0))\nreturn x + rng.laplace()"),
    "power": ("part = x ** 0.5\nreturn x + rng.laplace()", "part = abs(x) ** 0.5\nreturn x + rng.laplace()"),
    "in_a_helper": ("part = inverse(x)\nreturn x + rng.laplace()", "part = inverse(max(x, 2))\nreturn x + rng.laplace()"),
    "in_a_branch": ("part = 0\nif x > 0:\n    part = 1 / (k - 2)\nreturn x + rng.laplace()", "part = 0\nif x > 0:\n    part = 1 / (abs(k) + 2)\nreturn x + rng.laplace()"),
    "if_else": ("part = 1 / k if x > 0 else 0\nreturn x + rng.laplace()", "part = 1 / (k * k + 1) if x > 0 else 0\nreturn x + rng.laplace()"),
    "behind_a_return": ("if x > 0:\n    return rng.laplace()\npart = 1 / k\nreturn rng.laplace()",
                        "if x > 0:\n    return rng.laplace()\npart = 1 / (abs(k) + 1)\nreturn rng.laplace()"),
    "at_an_end": ("u = rng.random()\npart = math.log(u - 0.25) + 0 * x\nreturn x + rng.laplace()",
                  "u = rng.random()\npart = math.log(u) + 1 / (1 - u)\nreturn x + rng.laplace()"),
    "of_a_coin": ("u = rng.integers(0, 2)\npart = math.log(u)\nreturn x + rng.laplace()",
                  "u = rng.exponential()\npart = math.log(u)\nreturn x + rng.laplace()"),
    "against_itself": ("n = rng.laplace()\nb = -n if x > 0 else x\npart = 1 / (n + b)\nreturn x + rng.laplace() + 0 * part",
                       "n = rng.laplace()\nb = 1 if x > 0 else x\npart = 1 / (n + b)\nreturn x + rng.laplace() + 0 * part"),
    "against_itself_in_a_branch": ("n = rng.laplace()\nb = x\nif x > 0:\n    b = -n\npart = 1 / (n + b)\nreturn x + rng.laplace() + 0 * part",
                                   "n = rng.laplace()\nb = x\nif x > 0:\n    b = -2\npart = 1 / (n + b)\nreturn x + rng.laplace() + 0 * part"),
    "counted": (COUNTED + "part = 1 / float(c)\nreturn x + rng.laplace() + 0 * part", COUNTED + "part = 1 / float(c + 1)\nreturn x + rng.laplace() + 0 * part"),
    "counted_in_a_list": ("c = [0, 0]\nif rng.random() < 0.5:\n    c[0] += 1\npart = 1 / c[0]\nreturn x + rng.laplace() + 0 * part",
                          "c = [1, 0]\nif rng.random() < 0.5:\n    c[1] += 1\npart = 1 / (c[1] + 2)\nreturn x + rng.laplace() + 0 * part"),
    "counted_by_count": ("c = []\nif rng.random() < 0.5:\n    c.append(True)\npart = 1 / c.count(True)\nreturn x + rng.laplace() + 0 * part",
                         "c = []\nif rng.random() < 0.5:\n    c.append(True)\npart = 1 / (c.count(True) + 1)\nreturn x + rng.laplace() + 0 * part"),
    "binomial": ("c = rng.binomial(3, 0.5)\npart = 1 / c\nreturn x + rng.laplace() + 0 * part",
                 "c = rng.binomial(3, 0.5)\npart = 1 / (c * c + 1)\nreturn x + rng.laplace() + 0 * part"),
    "as_often_as_noise_says": (COUNTED + "part = [1 / (i + k) for i in range(c)]\nreturn x + rng.laplace() + 0 * len(part)",
                               COUNTED + "part = [1 / (i + abs(k) + 1) for i in range(c)]\nreturn x + rng.laplace() + 0 * len(part)"),
    "probabilities": ("b = 0.5 if rng.laplace() > 0 else 0.25\npart = rng.choice(2, p=[0.5, b])\nreturn x + rng.laplace() + 0 * part",
                      "b = 0.5 if rng.laplace() > 0 else 0.25\npart = rng.choice(2, p=[b, 1 - b])\nreturn x + rng.laplace() + 0 * part"),
    "negative_probabilities": ("b = 0.5 if rng.laplace() > 0 else 2\npart = rng.choice(2, p=[b, 1 - b])\nreturn x + rng.laplace() + 0 * part",
                               "b = 0.5 if rng.laplace() > 0 else 1\npart = rng.choice(2, p=[b, 1 - b])\nreturn x + rng.laplace() + 0 * part"),
    "how_many_coins": ("c = rng.integers(-1, 3)\npart = rng.binomial(c, 0.5)\nreturn x + rng.laplace() + 0 * part",
                       "c = rng.integers(0, 3)\npart = rng.binomial(c, 0.5)\nreturn x + rng.laplace() + 0 * part"),
    "all_but_one": ("p = np.full(3, 0.25)\np[1 if x > 0 else 2] = 0.6\npart = rng.choice(3, p=p)\nreturn x + rng.laplace() + 0 * part",
                    "p = np.full(3, 0.2)\np[1 if rng.laplace() > 0 else 2] = 0.6\npart = rng.choice(3, p=p)\nreturn x + rng.laplace() + 0 * part"),
    "by_noise": ("part = 1 / max(x + rng.laplace(), 0)\nreturn part", "part = 1 / (x + rng.laplace())\nreturn part"),
}
HELPER = "def inverse(v):\n    w = 1 / v\n    return w\n\n\n"


class Leaks(unittest.TestCase):
    def test_refused(self):
        for name, (text, pointed, message) in REFUSED.items():
            with self.subTest(name):
                with self.assertRaises(TranslationError) as caught:
                    translate_text(HEAD + text)
                error = caught.exception.errors[0]
                self.assertIn(message, error["message"])
                self.assertTrue(error["hint"])
                self.assertTrue((HEAD + text)[error["begin"]:].startswith(pointed), (HEAD + text)[error["begin"]:][:40])

    def test_read(self):
        for name, text in READ.items():
            with self.subTest(name):
                self.assertIn("<$ Lap(x, 1", translate_text(HEAD + text).text)

    def test_verdicts(self):
        """An exception or nan that data decide about is output: such a function is not proved."""
        text = HEAD + HELPER + "".join(function(body, "x, k, rng", name="%s_%s" % (name, kind)) + "\n\n" for name, both in UNPROVED.items()
                                       for kind, body in zip(("leaks", "repaired"), both))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.py")
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            done = subprocess.run([COUPLET, "verify", "--json", "--timeout", "600", path], capture_output=True, text=True)
        claims = json.loads(done.stdout)["files"][0]["claims"]
        self.assertEqual(len(claims), 2 * len(UNPROVED), done.stderr)
        for c in claims:
            with self.subTest(c["subject"]):
                self.assertEqual(c["verdict"], "proved" if c["subject"].endswith("repaired") else "unknown", c["reason"])
                if c["verdict"] == "unknown":
                    self.assertIn("may decide whether this fails", c["reason"])
                    self.assertIsNone(c["cost"])


if __name__ == "__main__":
    unittest.main()
