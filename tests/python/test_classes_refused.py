"""Classes that Python reads otherwise than their text seems to say are refused; names of one scope stay in it."""

import unittest

from couplet.translate import TranslationError, translate_text

HEAD = "import abc\nimport functools\nimport math\nfrom abc import ABC\nfrom dataclasses import InitVar, dataclass, field\nfrom typing import ClassVar\n" \
    "import numpy as np\nimport couplet\n\n"
CLAIM = "    @couplet.private(epsilon=\"1\", adjacent=\"within(x, 1)\", types={\"x\": \"real\"})\n"
RUN = CLAIM + "    def m(self, x):\n        return x + np.random.laplace(scale=self.s)\n"
CALL = CLAIM + "    def m(self, x):\n        return x + self.noise()\n"
INIT = "    def __init__(self, k):\n        self.s = k\n"
NOISE = "    def noise(self):\n        return np.random.laplace(scale=2)\n"


def method(*lines):
    return CLAIM + "    def m(self, x):\n" + "".join("        %s\n" % line for line in lines)


# (text of the file, a piece of the message)
REFUSED = [
    # which definition is it?
    ("class M:\n    s = 5.0\n    s = 0.1\n" + RUN, "more than once"),
    ("class M:\n" + NOISE + "    def noise(self):\n        return 0.0\n" + CALL, "more than once"),
    ("class M:\n    s = 5.0\n    if s > 1:\n        s = 0.1\n" + RUN, "methods and constants"),
    ("class M:\n    s, t = 5.0, 1.0\n" + RUN, "methods and constants"),
    ("class M:\n    s = 5.0\n    t = (s := 0.1)\n" + RUN, ":="),
    ("class M:\n    s = 5.0\n    del s\n" + RUN, "methods and constants"),
    ("class M:\n    s = 5.0\n" + RUN + "M.s = 0.1\n", "assigned here"),
    ("class M:\n" + NOISE + CALL + "M.noise = lambda self: 0.0\n", "assigned here"),
    ("class M:\n" + NOISE + CALL + "setattr(M, \"noise\", None)\n", "unseen"),
    ("class M:\n" + INIT + RUN + "class M:\n    pass\n", "once"),
    # classes above
    ("class A:\n    s = 5.0\nclass B(A):\n    pass\nclass C(A):\n    s = 0.1\nclass M(B, C):\n" + RUN, "one class"),
    ("from other import Quiet\nclass M(Quiet):\n" + NOISE + CALL, "not one of this file"),
    ("class M(unknown.Quiet):\n" + INIT + RUN, "not one of this file"),
    ("class M(metaclass=Meta):\n" + INIT + RUN, "metaclass"),
    ("class A:\n    s = 5.0\nclass B(A):\n    @property\n    def s(self):\n        return 0.1\nclass M(B):\n" + INIT + RUN, "assigned here"),
    ("class A:\n    def __init__(self):\n        self.__s = 5.0\nclass M(A):\n    def m2(self):\n        return self.__s\n" + RUN, "two underscores"),
    ("class M:\n    def __init__(self, k):\n        self.__s = k\n        self._M__s = 0.1\n" + method("return x + self.__s"), "two underscores"),
    ("class A:\n" + NOISE + "class M(A):\n    def noise(self):\n        return 0.0\n" + method("return x + super().noise()"), "`super`"),
    ("class A:\n" + INIT + "class M(A):\n    def __init__(self, k):\n        self.s = 2\n        if k > 0:\n            super().__init__(k)\n" + RUN, "`super`"),
    ("class A:\n" + INIT + "class M(A):\n    def __init__(self, k):\n        A.__init__(self, k)\n" + RUN, "`self` alone"),
    ("class A:\n" + INIT + "class M(A):\n    def __init__(self, k):\n        super(M, self).__init__(k)\n        self.s = 3\n" + RUN, "`super`"),
    ("S = 0.1\nclass A:\n    def __init__(self, k):\n        self.s = S\nclass M(A):\n    def __init__(self, k, S):\n        super().__init__(k)\n" + RUN,
     "name of the file"),
    ("S = 0.1\nclass A:\n    def __init__(self, k=S):\n        self.s = k\nclass M(A):\n    def __init__(self, S):\n        super().__init__()\n" + RUN,
     "default"),
    # dataclasses
    ("@dataclass\nclass M:\n    s: float\n    def __post_init__(self):\n        self.s = self.s / 9\n" + RUN, "__post_init__"),
    ("@dataclass\nclass M:\n    s: float = field(default=5.0, init=False)\n" + RUN, "of a field"),
    ("@dataclass\nclass M:\n    s: list = field(default_factory=list)\n" + RUN, "of a field"),
    ("@dataclass\nclass M:\n    s: ClassVar[float] = 0.1\n" + RUN, "no field"),
    ("@dataclass\nclass M:\n    s: \"ClassVar[float]\" = 0.1\n" + RUN, "no field"),
    ("@dataclass\nclass M:\n    s: InitVar[float] = 0.1\n" + RUN, "type of this field"),
    ("Other = ClassVar[float]\n@dataclass\nclass M:\n    s: Other = 0.1\n" + RUN, "type of this field"),
    ("@dataclass(init=False)\nclass M:\n    s: float = 0.1\n" + RUN, "of a dataclass"),
    ("class A:\n    def __init__(self, s):\n        self.s = 5 * s\n@dataclass\nclass M(A):\n    s: float = 0.1\n" + RUN, "its own __init__"),
    ("from other import dataclass\n@dataclass\nclass M:\n    s: float\n" + RUN, "whole class"),
    ("@functools.total_ordering\nclass M:\n" + INIT + RUN, "whole class"),
    # what is run at `self.s`
    ("class M:\n" + INIT + "    @property\n    def s(self):\n        return 1\n    @s.setter\n    def s(self, v):\n        pass\n" + RUN, "more than once"),
    ("class M:\n" + INIT + "    @property\n    def s(self):\n        return 1\n" + RUN, "assigned here"),
    *[("class M:\n" + INIT + "    def %s(self, *a):\n        return 0.1\n" % name + RUN, name) for name in (
        "__getattribute__", "__getattr__", "__setattr__", "__new__", "__init_subclass__")],
    ("class M:\n" + INIT + "    __getattr__ = print\n" + RUN, "__getattr__"),
    ("class M:\n    def __init__(self, k):\n        self.s = k\n        self.__dict__[\"s\"] = 1\n" + RUN, "unseen"),
    ("class M:\n    def __init__(self, k):\n        self.s = k\n        change(self)\n" + RUN, "`self` alone"),
    ("class M:\n    def __init__(self, k):\n        self.s = k\n        it = self\n        it.s = 0.1\n" + RUN, "`self` alone"),
    ("def less(f):\n    return lambda self: 0.0\nclass M:\n    @less\n" + NOISE + CALL, "decorator"),
    ("class M:\n    @functools.cached_property\n" + NOISE + method("return x + self.noise"), "not set"),
    ("class M:\n    @functools.lru_cache\n" + NOISE + CALL, "decorator"),
    ("property = print\nclass M:\n    @property\n" + NOISE + method("return x + self.noise"), "not set"),
    ("class M:\n    s = np.random.laplace(scale=2)\n" + RUN, "only numbers"),
    ("class M:\n    t = 2.0\n    s = t\n" + RUN, "only numbers"),
    ("t = 9.0\nclass M:\n    s = t\n" + method("t = 1", "return x + np.random.laplace(scale=self.s)"), "only numbers"),
    ("g = lambda v: v\nclass M:\n    noise = g\n" + CALL, "no method"),
    # one scope for two
    ("class M:\n    def __init__(self, k):\n        self.s = 0.1\n        if k > 0:\n            return\n        self.s = 5\n" + RUN, "`return`"),
    ("class M:\n    def __init__(self, k):\n        global g\n        self.s = k\n" + RUN, "`global`"),
    ("class M:\n    def __init__(self, k):\n        def f(v):\n            return v\n        self.s = f(k)\n" + RUN, "a function"),
    ("k = 0.1\nclass M:\n" + INIT + method("return x + np.random.laplace(scale=k)"), "argument of __init__"),
    ("class M:\n    def __init__(self, max):\n        self.s = max\n" + method("return max(x, 2)"), "argument of __init__"),
    ("class M:\n" + INIT + method("f = lambda k: self.s + k", "return f(x)"), "argument of __init__"),
    ("x = 3.0\nclass M:\n    def __init__(self, k):\n        self.s = k * x\n" + RUN, "argument of the method"),
    ("class M:\n" + INIT + "    t = 2.0\n    def noise(self, t=t):\n        return np.random.laplace(scale=t)\n" + CALL, "default"),
    ("def g(v):\n    return v\nclass M:\n    def __init__(self, k):\n        self.s = g(k)\n" + method("def g(v):", "    return 9", "return x + g(self.s)"), "in __init__"),
    ("from dataclasses import dataclass as dc\n@dc\nclass M:\n    s: float = 9.0\n" + RUN, "whole class"),
    ("class M:\n    def __init__(self, k):\n        self.s = k\n        self.__class__ = Other\n" + RUN, "cannot be assigned"),
    ("S = 0.5\nclass M:\n    def __init__(self, k):\n        self.s = k * S\n" + method("S = 9", "return x + np.random.laplace(scale=self.s)"), "another variable"),
    # state
    ("class M:\n    def __init__(self, k):\n        self.s = np.zeros(1)\n" + method("y = self.s", "y += 1", "return x"), "if this is an array"),
    ("class M:\n    def __init__(self, k):\n        self.s = [k]\n" + method("self.s[0] = 1", "return x"), "changed outside"),
    ("class M:\n    def __init__(self, k):\n        self.s = np.zeros(1)\n" + method("self.s[0] += 1", "return x"), "changed outside"),
    ("class M:\n    def __init__(self, k):\n        self.s = [k]\n" + method("self.s.append(1)", "return x"), "may be changed"),
    ("class M:\n    def __init__(self, k):\n        self.s = np.zeros(1)\n" + method("y = np.asarray(self.s)", "y[0] = 1", "return x"), "keeps"),
    ("class M:\n    def __init__(self, k):\n        self.s = np.zeros(2)\n" + method("y = self.s[1:]", "y[0] = 1", "return x"), "keeps"),
    ("class M:\n    def __init__(self, k):\n        self.s = np.zeros(2)\n" + method("z, y = 0, self.s", "y[0] = 1", "return x"), "keeps"),
    ("class M:\n    def __init__(self, k):\n        self.s = np.zeros(2)\n" + method("y = [0, 0]", "y[0] = self.s", "y[0][1] = x", "return x"), ""),
    ("class M:\n    def __init__(self, k):\n        self.s = [k]\n    def noise(self):\n        self.s[0] = 1\n        return 0.0\n" + CALL, "changed outside"),
]

# (text, pieces of the translation): names of one scope that another has, too
READ = [
    ("class M:\n    def __init__(self, k):\n        t = 9 * k\n        self.s = k\n" + CLAIM +
     "    def m(self, x, t):\n        return x + np.random.laplace(scale=t)\n", "Lap(x, t)"),
    ("class M:\n" + INIT + method("k = 9", "return x + np.random.laplace(scale=self.s)"), "Lap(x, k)"),
    ("class M:\n    def __init__(self, k):\n        self.s = k / 2\n" + method("self_s = 9", "return x + np.random.laplace(scale=self.s)"), "Lap(x, k/2)"),
    ("class M:\n" + INIT + "    def noise(self, k):\n        return np.random.laplace(scale=self.s)\n" + method("return x + self.noise(9.0)"), "Lap(x, k)"),
    ("class A:\n    def __init__(self, e):\n        t = 9\n        self.e = e\nclass M(A):\n    def __init__(self, e, t):\n        super().__init__(e)\n"
     "        self.s = t\n" + RUN, "Lap(x, t)"),
    ("class M(ABC):\n    \"\"\"Fine.\"\"\"\n    LIMIT = 2 * math.sqrt(2)\n    def __init__(self, k):\n        if k <= 0:\n            raise ValueError(\"k\")\n"
     "        self._k = k\n    @property\n    def s(self):\n        return self._k * self.LIMIT\n" + RUN, "Lap("),
    ("class M:\n    def __init__(self, k):\n        self.__s = k\n" + method("return x + np.random.laplace(scale=self.__s)"), "Lap(x, k)"),
    ("class M:\n    def __init__(self, *, k, j=2.0):\n        self.s = k * j\n" + RUN, "Lap(x, k*j)"),
    ("class A:\n    def __init__(self, *, e=2.0, k):\n        self.s = k * e\nclass M(A):\n    def __init__(self, k):\n        super().__init__(k=k)\n" + RUN,
     "Lap(x, k*2.0)"),
    ("class M:\n" + INIT + "    def noise(self, *, a=3.0, b):\n        return np.random.laplace(scale=a * b * self.s)\n" + method("return x + self.noise(b=5.0)"),
     "Lap(x, 15.0*k)"),
    ("class M:\n" + INIT + method("y = np.zeros(2)", "y[0] = self.s", "y[1] = x + np.random.laplace()", "return y"), "y[0] := k;"),
]


class Classes(unittest.TestCase):
    def test_refused(self):
        for text, message in REFUSED:
            with self.subTest(text=text):
                with self.assertRaises(TranslationError) as caught:
                    print(text, translate_text(HEAD + text).text)
                error = caught.exception.errors[0]
                self.assertIn(message, error["message"])
                self.assertGreater(error["end"], error["begin"])

    def test_scopes(self):
        for text, piece in READ:
            with self.subTest(text=text):
                self.assertIn(piece, translate_text(HEAD + text).text)


if __name__ == "__main__":
    unittest.main()
