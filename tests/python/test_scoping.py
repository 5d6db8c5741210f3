"""Names mean what they mean in Python: what could be bound twice, patched or decorated is an error at its place."""

import unittest

from couplet.translate import TranslationError, translate_text

HEAD = "import numpy as np\nimport couplet\n\n"
CLAIM = "@couplet.private(epsilon=\"1/10\", adjacent=\"within(x, 1)\", types={\"x\": \"real\"})\n"
PLAIN = CLAIM + "def m(x):\n    return x + np.random.laplace(scale=10.0)\n"
CALLING = CLAIM + "def m(x):\n    return noisy(x)\n"
NOISY = "def noisy(v):\n    return v + np.random.laplace(scale=10.0)\n\n"
METHOD = "    " + CLAIM + "    def m(self, x):\n        return x + self.noise()\n"
NOISE = "    def noise(self):\n        return np.random.laplace(scale=10.0)\n"

# (file behind HEAD, the text that is pointed at, a piece of the message); empty where several checks refuse it
REFUSED = {
    "defined again in a branch": (NOISY + "if True:\n    def noisy(v):\n        return v\n\n" + CALLING, "def noisy(v):\n        return v\n", "more than once"),
    "defined again": (NOISY + "def noisy(v):\n    return v\n\n" + CALLING, "def noisy(v):\n    return v\n", "more than once"),
    "assigned later": (NOISY + CALLING + "noisy = lambda v: v\n", "noisy = lambda", "more than once"),
    "imported later": (NOISY + "from other import noisy\n" + CALLING, "from other", "more than once"),
    "imported if it is there": (NOISY + "try:\n    from fast import noisy\nexcept ImportError:\n    pass\n" + CALLING, "from fast", "more than once"),
    "a class of that name": (NOISY + "class noisy:\n    pass\n\n" + CALLING, "class noisy", "more than once"),
    "deleted": (NOISY + CALLING + "del noisy\n", "noisy\n", "more than once"),
    "by global": (NOISY + "def change():\n    global noisy\n    noisy = abs\n\n" + CALLING, "global noisy", "more than once"),
    "by with": (PLAIN + "with open(\"f\") as np:\n    pass\n", "np:", "more than once"),
    "by except": (PLAIN + "try:\n    pass\nexcept ValueError as np:\n    pass\n", "except ValueError as np", "more than once"),
    "by :=": (NOISY + CALLING + "print(noisy := abs)\n", "noisy := abs", "more than once"),
    "the target itself": (PLAIN + "m = lambda x: x\n", "m = lambda", "more than once"),
    "only in a branch": ("if True:\n    " + NOISY.replace("\n", "\n    ") + "\n" + CALLING, "def noisy", "in a branch"),
    "a builtin": ("max = min\n\n" + PLAIN.replace("10.0", "max(10.0, 0.01)"), "max = min", "Python's library"),
    "a builtin by def": ("def abs(v):\n    return v\n\n" + PLAIN.replace("10.0", "abs(10.0)"), "def abs", "Python's library"),
    "a builtin by import": ("from numpy import abs\n\n" + PLAIN.replace("10.0", "abs(10.0)"), "from numpy", "function of Python"),
    "everything by import": ("from other import *\n" + PLAIN, "from other", "import of *"),
    "np again": (PLAIN + "np = 3\n", "np = 3", "more than once"),
    "another np": (PLAIN + "import fake as np\n", "import fake", "more than once"),
    "another np inside": (PLAIN.replace("    return", "    import fake as np\n    return"), "import fake", "elsewhere in the file"),
    "numpy of the file": ("class numpy:\n    pass\n\n" + PLAIN.replace("np.", "numpy."), "class numpy", "Python's library"),
    "numpy without import": (PLAIN.replace("np.", "numpy."), "numpy.random", "not imported"),
    "numpy beside the file": ("from .numpy import random\n\n" + PLAIN.replace("np.", ""), "random.laplace", "not known"),
    "a module changed": ("np.random.laplace = abs\n" + PLAIN, "np.random.laplace = abs", "can be assigned"),
    "a module changed by for": ("for np.random.laplace in [abs]:\n    pass\n" + PLAIN, "np.random.laplace in", "can be assigned"),
    "a module changed in a function": ("def patch():\n    r = np.random\n    r.laplace = abs\n\n" + PLAIN, "r.laplace = abs", "can be assigned"),
    "a class changed": ("class M:\n" + NOISE + METHOD + "M.noise = abs\n", "M.noise = abs", "assigned"),
    "a class changed by a class method": ("class M:\n    @classmethod\n    def patch(self):\n        self.noise = abs\n" + NOISE + METHOD,
                                          "self.noise = abs", "assigned"),
    "setattr": ("setattr(np.random, \"laplace\", abs)\n" + PLAIN, "setattr", "behind the back"),
    "globals": (PLAIN + "globals()[\"m\"] = abs\n", "globals", "behind the back"),
    "exec": (PLAIN + "exec(\"m = abs\")\n", "exec", "behind the back"),
    "__dict__": (PLAIN + "np.random.__dict__[\"laplace\"] = abs\n", "np.random.__dict__", "changed here"),
    "sys.modules": (PLAIN + "import sys\nsys.modules[\"numpy\"] = abs\n", "sys.modules", "changed here"),
    "a constant imported": ("B = 10.0\nfrom math import pi as B\n\n" + PLAIN.replace("10.0", "B"), "from math", "more than once"),
    "a constant of a tuple": ("B, C = 0.001, B\n\n" + PLAIN.replace("10.0", "B"), "B, C", "in a branch, a loop or together"),
    "a decorated helper": ("def less(f):\n    return abs\n\n@less\n" + NOISY + CALLING, "less\n", "decorator"),
    "a cached helper": ("import functools\n\n@functools.lru_cache\n" + NOISY + CALLING, "functools.lru_cache", "decorator"),
    "a decorated method": ("class M:\n    @np.vectorize\n" + NOISE + METHOD, "np.vectorize", "decorator"),
    "a cached property": ("from functools import cached_property\n\nclass M:\n    @cached_property\n" + NOISE + METHOD.replace("noise()", "noise"),
                          "", ""),
    "a decorated class": ("import attr\n\n@attr.dataclass\nclass M:\n" + NOISE + METHOD, "attr.dataclass", "decorator"),
    "a decorated target": ("def less(f):\n    return abs\n\n" + CLAIM + "@less\n" + PLAIN[len(CLAIM):], "less\n", "decorator"),
    "a property of the file": ("def property(f):\n    return abs\n\nclass M:\n    @property\n" + NOISE + METHOD.replace("noise()", "noise"),
                               "", ""),
    "self in a static method": ("class M:\n    @staticmethod\n" + NOISE + METHOD.replace("noise()", "noise(self)"), "", "object"),
    "an inner function twice": (CLAIM + "def m(x):\n    def g(v):\n        return v\n    if x > 0:\n        def g(v):\n            return 1\n    return g(x)\n",
                                "def g(v):\n            return 1", "more than once"),
    "an inner function in a branch": (CLAIM + "def m(x):\n    if x > 0:\n        def g(v):\n            return 1\n    return g(x)\n", "def g", "branch"),
    "an inner function too early": (CLAIM + "def m(x):\n    y = g(x)\n    def g(v):\n        return 1\n    return y\n", "g(x)", "before it is defined"),
    "an inner function of that name": (NOISY + "def helper(v):\n    w = v + 0\n    return noisy(w)\n\n" + CLAIM +
                                       "def m(x):\n    def noisy(v):\n        return 1\n    return helper(x)\n", "def noisy(v):\n        return 1", "name of the file"),
    "an argument of that name": (NOISY + CLAIM + "def m(x, noisy):\n    return noisy(x)\n", "noisy(x)", "variable"),
    "a default of another time": (CLAIM + "def m(x):\n    b = 1\n    def g(v, s=b):\n        return v + np.random.laplace(scale=s)\n    b = 10\n    return g(x)\n",
                                  "b):", "another value"),
    "a default of another place": ("B = 1\n\ndef g(v, s=B):\n    return v + np.random.laplace(scale=s)\n\n" + CLAIM + "def m(x):\n    B = 10\n    return g(x)\n",
                                   "B):", "another value"),
    "a variable of the caller": (CLAIM + "def m(x):\n    t = 1\n    def g(v):\n        w = v + np.random.laplace(scale=t)\n        return w\n"
                                 "    def h(v):\n        t = 10\n        return g(v)\n    return h(x)\n", "t = 10", "another variable"),
    "a constant and a variable": ("B = 1\n\ndef g(v):\n    w = v + np.random.laplace(scale=B)\n    return w\n\n" + CLAIM +
                                  "def m(x, f=g):\n    B = 10\n    return f(x)\n", "B = 10", "another variable"),
    "nonlocal": (CLAIM + "def m(x):\n    b = 1\n    def g():\n        nonlocal b\n        b = 2\n    g()\n    return b\n", "nonlocal b", "cannot be read"),
    "a claim in a branch": (PLAIN + "\nif True:\n    " + CLAIM + "    def n(x):\n        return x\n", CLAIM[1:-1] + "\n    def n", "at the top"),
    "a claim that is lost": (PLAIN.replace("def m", "def k") + "\n" + PLAIN + "\ndef m(x):\n    return x\n", CLAIM[1:] + "def m", "defined once"),
}

READ = {
    "names of a script": NOISY + CALLING + "\nif __name__ == \"__main__\":\n    for x in range(3):\n        v = m(x)\n    rng = v\n",
    "imports of one thing": "import numpy\nimport numpy.random\n\n" + PLAIN.replace("np.", "numpy."),
    "an import inside": CLAIM + "def m(x):\n    import math\n    return x + np.random.laplace(scale=math.sqrt(400))\n",
    "what is not used": "def max(v):\n    return v\n\nmax = 3\n\n" + PLAIN,
    "an inner function": NOISY + CLAIM + "def m(x):\n    t = 1\n    def g(v):\n        return noisy(v) + t\n    return g(x)\n",
    "decorators that are known": "import dataclasses\nfrom abc import abstractmethod\n\nclass A:\n    @abstractmethod\n    def other(self):\n        pass\n\n"
                                 "@dataclasses.dataclass\nclass M:\n    scale: float\n    @property\n    def s(self):\n        return self.scale\n    "
                                 + CLAIM.replace("1/10", "1/scale") + "    def m(self, x):\n        return x + np.random.laplace(scale=self.s)\n",
}


class Scoping(unittest.TestCase):
    def test_refused(self):
        for name, (text, pointed, message) in REFUSED.items():
            with self.subTest(name):
                source = HEAD + text
                compile(source, name, "exec")
                with self.assertRaises(TranslationError) as caught:
                    translate_text(source)
                error = caught.exception.errors[0]
                self.assertIn(message, error["message"])
                shown = source.encode()[error["begin"]:].decode()
                self.assertTrue(shown.startswith(pointed), "it points at %r: %s" % (shown[:40], error["message"]))
                self.assertTrue(error["hint"])

    def test_read(self):
        for name, text in READ.items():
            with self.subTest(name):
                self.assertIn("<$ Lap", translate_text(HEAD + text).text)


if __name__ == "__main__":
    unittest.main()
