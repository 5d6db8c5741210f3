"""Two names for one list, defaults, options and attributes are read as Python means them, or refused."""

import unittest

from couplet.translate import TranslationError, translate_text

HEAD = "import math\nimport numpy as np\nimport couplet\n"
CLAIM = "@couplet.private(epsilon=\"eps\", adjacent=\"all_within(a, 1)\", types={\"a\": \"real[2]\"}%s)\ndef m(a, eps%s):\n"
NOISY = "b = a + np.random.laplace(scale=2 / eps, size=2)\n"
ROWS = "x = a + np.random.laplace(scale=2 / eps, size=(n_samples, 2))\n"


def read(body, before="", batch=False):
    claim = CLAIM % ((", fixed={\"n_samples\": 1}", ", n_samples") if batch else ("", ""))
    return HEAD + before + claim + "".join("    %s\n" % line for line in body.split("\n"))


# (what the file has before, the body behind the noise, the text that is pointed at): one list, changed under another name
ONE_LIST = [
    ("", "c = b\nc[0] = a[0]\nreturn b", "c = b"),
    ("", "c = b\nc[0]: float = a[0]\nreturn b", "c = b"),
    ("", "c = b\nd = c\nd[0] = a[0]\nreturn b", "c = b"),
    ("", "c = b\nfor i in range(2):\n    d = c\n    d[i] = a[i]\nreturn b", "d = c"),
    ("", "c = np.array(b, copy=False)\nc[0] = a[0]\nreturn b", "c = np.array"),
    ("", "c = np.asarray(b).ravel()\nc[0] = a[0]\nreturn b", "c = np.asarray"),
    ("", "c = np.atleast_2d(b)\nc[:, 0] = a[0]\nreturn b", "c = np.atleast_2d"),
    ("", "c = b * 2 if eps > 1 else np.asarray(b)\nc[0] = a[0]\nreturn b", "c = b * 2 if"),
    ("", "t = (b, 1)\nc = t[0]\nc[0] = a[0]\nreturn b[0]", "t = (b, 1)"),
    ("", "t = ((b, 1), (b, 2))\nu, v = t\nc = u[0]\nc[0] = a[0]\nd = v[0]\nreturn d", "u, v = t"),
    ("", "f = lambda: b\nc = f()\nc[0] = a[0]\nreturn b", "c = f()"),
    ("", "def f():\n    return b\ndef g():\n    return f()\nc = g()\nc += a\nreturn b", "c = g()"),
    ("def same(v):\n    return v\n", "c = same(b)\nc[0] = a[0]\nreturn b", "c = same(b)"),
    ("def first(u, v):\n    return u\n", "c = first(b, a)\nfor i in range(2):\n    c[i] = a[i]\nreturn b", "c = first(b, a)"),
    ("def some(v):\n    w = v\n    if len(v) > 3:\n        w = np.zeros(2)\n    return w\n", "c = some(b)\nc[0] = a[0]\nreturn b", "c = some(b)"),
    ("def pair(v):\n    return v, 1\n", "t = pair(b)\nc = t[0]\nc[0] = a[0]\nreturn b", "t = pair(b)"),
    ("def spoil(v, x):\n    v = np.asarray(v)\n    v[0] = x\n    return 0\n", "z = spoil(b, a[0])\nreturn b", "v = np.asarray(v)"),
]
BATCHES = [
    ("row = x[0]\nrow[0] = a[0]\nreturn x", "row = x[0]"),
    ("column = x[:, 0]\ncolumn[0] = a[0]\nreturn x", "column = x[:, 0]"),
    ("for row in x:\n    row[0] = a[0]\nreturn x", "for row in x"),
    ("for i, row in enumerate(x):\n    row[0] = a[0]\nreturn x", "for i, row in"),
    ("for column in x.T:\n    column[0] = a[0]\nreturn x", "for column in x.T"),
]
NEW = [
    ("", "c = b.copy()\nc[0] = 0.0\nreturn b"),
    ("", "c = [b[0], 1.0]\nc[1] = b[1]\nreturn b"),
    ("", "c = np.maximum(b, 0)\nc[0] = 0.0\nreturn b"),
    ("", "c = np.array(b)\nc[0] = 0.0\nreturn b"),
    ("", "c = b\nc[0] = 0.0\nreturn c"),
    ("def twice(v):\n    return np.asarray(v) * 2\n", "c = twice(b)\nc[0] = 0.0\nreturn b"),
    ("def copied(v):\n    out = np.zeros(2)\n    for i in range(2):\n        out[i] = v[i]\n    return out\n", "c = copied(b)\nc[0] = 0.0\nreturn b"),
]
# (before, body, a piece of the message)
REFUSED = [
    ("", "s = 0.001\ndef f(v, s=s):\n    return v * s\ns = 10.0\nreturn f(a[0])", "where the function is called"),
    ("", "k = 0.001\nf = lambda v, s=k: v * s\nk = 10.0\nreturn f(a[0])", "where the function is called"),
    ("K = 0.001\ndef f(v, s=K):\n    return v * s\n", "K = 10.0\nreturn f(a[0])", "where the function is called"),
    ("K = 2.0\ndef f(v, s=K):\n    return v + np.random.laplace(scale=s)\ndef g():\n    K = 1\n    return K\n", "return f(a[0])", "where the function is called"),
    ("def f(v=[0.0]):\n    return v\n", "c = f()\nreturn c", "computed once"),
    ("k = 1000\n", "k = 0.001\ndef f(v):\n    t = [k for k in (1,)]\n    return v * k\nreturn f(a[0])", "another one inside"),
    ("def f(v, *s):\n    return v\n", "return f(a[0])", "* or /"),
    ("def f(g):\n    return sum(g) - sum(g)\n", "return f(v for v in a)", "read once"),
    ("", "k = 0.0\ng = map(lambda v: v * k, a)\nk = 1.0\nreturn sum(g)", "later"),
    ("", "k = 0.0\nfor v in map(lambda v: v * k, a):\n    k = v\nreturn k", "while the loop runs"),
    ("", "return np.random.default_rng().integers(0, 1, endpoint=eps > 1) * a[0]", "`endpoint` must be"),
    ("", "return np.random.default_rng().integers(0, 2, dtype=bool) * a[0]", "only int"),
    ("", "return np.random.choice(3, replace=eps > 1) * a[0]", "`replace` must be"),
    ("", "return sorted(a, reverse=eps > 1)[0]", "`reverse` must be"),
    ("", "return np.array([0.4], int)[0] * a[0]", "with its name"),
    ("", "return np.array([0.4]).round(decimals=1)[0] * a[0]", "`decimals`"),
    ("", "return np.array([0.4]).cumsum(dtype=int)[0] * a[0]", "`dtype`"),
    ("", "out = []\nout.append((np.asarray(a), 1))\nreturn out", "lists of lists"),
    ("", "c = d = (np.asarray(a), 1)\nreturn c", "two names"),
]
OBJECT = HEAD + """from dataclasses import dataclass
@dataclass
class Config:
    scale: float
    @property
    def width(self):
        return 1 / self.scale
@couplet.private(epsilon="%s", adjacent="%s", types={"x": "real"})
def m(x, c%s):
    %s
"""


class Aliases(unittest.TestCase):
    def refuse(self, source):
        with self.assertRaises(TranslationError) as caught:
            print(translate_text(source).text)
        error = caught.exception.errors[0]
        return error["message"] + " " + (error["hint"] or ""), source[error["begin"]:]

    def test_one_list(self):
        cases = [(read(NOISY + body, before), pointed) for before, body, pointed in ONE_LIST]
        for source, pointed in cases + [(read(ROWS + body, batch=True), pointed) for body, pointed in BATCHES]:
            with self.subTest(source=source):
                message, place = self.refuse(source)
                self.assertRegex(message, "are one list|list of the caller")
                self.assertTrue(place.startswith(pointed), place[:30])

    def test_new_lists(self):
        for before, body in NEW:
            with self.subTest(body=body):
                translate_text(read(NOISY + body, before))

    def test_refused(self):
        for before, body, message in REFUSED:
            with self.subTest(body=body):
                self.assertIn(message, self.refuse(read(body, before))[0])

    def test_defaults(self):
        before = "K = 3.0\ndef f(v, k=K, t=-1, u=math.e):\n    return v * k + t\n"
        self.assertIn("return 5.0", translate_text(read("return f(2)", before)).text)
        before = "s = 1000\ndef f(v, *, s=0.5):\n    return v + np.random.laplace(scale=s)\n"
        self.assertIn("Lap(a[0], 0.5)", translate_text(read("return f(a[0])", before)).text)

    def test_arguments_as_arrays(self):
        def program(first, rest, claim=""):
            return HEAD + "@couplet.private(epsilon=\"eps\", adjacent=\"one_differs(q, 1)\"%s)\ndef m(q, eps, rng):\n" % claim + "".join(
                "    %s\n" % line for line in (first + rest).split("\n"))
        use = "return q.sum() + rng.laplace(scale=1 / eps)"
        for first in ("q = np.asarray(q)\n", "q = np.array(q)\n", "q = np.asarray(q, dtype=float)\n"):
            self.assertIn("total := total + q[k];", translate_text(program(first, use)).text)
        self.assertIn("q_[0] := 0;", translate_text(program("q = np.array(q)\n", "q[0] = 0\n" + use)).text)
        self.assertIn("floor(", translate_text(program("q = np.asarray(q, dtype=int)\n", use)).text)
        self.refuse(program("q = np.asarray(q)\n", "c = q\nc[0] = 0\n" + use))
        for typed in ("int[n]", "real[n]"):  # what the claim says of the items says nothing about list or array
            for first in ("q = np.asarray(q)\n", "q = np.asarray(q, dtype=float)\n"):
                self.assertIn("total := total + q[k];", translate_text(program(first, use, ", types={\"q\": \"%s\"}" % typed)).text)
            self.refuse(program("q = np.asarray(q)\n", "q[0] = 0\n" + use, ", types={\"q\": \"%s\"}" % typed))

    def test_what_one_claim_requires(self):
        def function(name, claim):
            return "@couplet.private(epsilon=\"eps\", adjacent=\"one_differs(q, 1)\"%s)\ndef %s(q, eps, rng):\n    return \\\n" \
                "        np.diff(np.asarray(q) + rng.laplace(scale=1 / eps, size=len(q)))\n\n" % (claim, name)
        given, none = ", requires=\"len(q) >= 1\"", ""
        translate_text(HEAD + function("f", given) + function("g", given))
        for pair in (given, none), (none, given):
            self.assertIn("may be empty", self.refuse(HEAD + function("f", pair[0]) + function("g", pair[1]))[0])

    def test_items_of_no_type(self):
        self.assertIn("whose type nothing tells", self.refuse(read("g = []\ng.append(math.fsum(g))\nreturn a[0], g"))[0])
        translate_text(read("g = []\ng.append(1.0)\nreturn g"))

    def test_names_for_functions_of_modules(self):
        claim = "@%s(epsilon=\"eps\", adjacent=\"within(x, 1)\")\ndef f(x, eps):\n    return x + lap(0, 1 / eps)\n"
        names = "lap = np.random.laplace\n"
        for before, name in (("P = couplet.private\n", "P"), ("P = couplet.private\nQ = P\n", "Q"), ("from couplet import private as p\n", "p")):
            self.assertIn("<$ Lap(x, 1/eps)", translate_text(HEAD + names + before + claim % name).text)
        private = claim % "couplet.private"
        self.refuse(HEAD + "import numpy as mp\nlap = mp.random.laplace\nimport random as mp\n" + private)
        self.refuse(HEAD + names + "lap = np.random.normal\n" + private)
        self.refuse(HEAD + "def g():\n    global lap\n    lap = np.random.normal\n" + names + private)
        self.refuse("lap = np.random.laplace\n" + HEAD.replace("import numpy as np", "class np:\n    pass\n") + private)

    def test_objects(self):
        use = "return x + np.random.laplace(scale=c.scale)"
        text = translate_text(OBJECT % ("1/c.scale", "within(x, 1)", "", "c_scale = 1000\n    " + use)).text
        self.assertIn("Lap(x, c_scale_)", text)
        self.assertIn("epsilon 1/c_scale_;", text)
        text = translate_text(OBJECT % ("1/c_d.e", "within(x, 1)", ", c_d", "return x + np.random.laplace(scale=c.d_e) + 0 * c_d.e")).text
        self.assertIn("Lap(x, c_d_e)", text)
        self.assertIn("epsilon 1/c_d_e_;", text)
        self.assertIn("computed by the class", self.refuse(OBJECT % ("1", "within(x, 1)", ": Config", "return c.width"))[0])
        self.assertIn("may depend on it", self.refuse(OBJECT % ("0", "within(c.scale, 1)", "", "return c.scale + x"))[0])
        self.refuse(OBJECT % ("1", "within(x, 1)", "", "f = lambda c: c.scale\n    " + use))


if __name__ == "__main__":
    unittest.main()
