"""What the reader does not read is an error at its place, with what to write instead; never a guess."""

import re
import unittest

from couplet.translate import TranslationError, command_line_claim, translate_text

HEAD = "import math\nimport statistics\nimport random\nimport numpy as np\nimport couplet\n\n"
CLAIM = "@couplet.private(epsilon=\"epsilon\", adjacent=\"all_within(q, 1)\")\n"


def read(body, arguments="q, epsilon, rng", claim=CLAIM, before=""):
    lines = "\n".join("    " + line for line in body.split("\n"))
    return HEAD + before + claim + "def f(%s):\n%s\n" % (arguments, lines)


# (body, the text that is pointed at, a piece of the message)
REFUSED = [
    ("if len(q):\n    return 1\nreturn 0", "len(q)", "True or False"),
    ("return not rng.laplace()", "rng.laplace()", "truth value"),
    ("x = \"high\"\nreturn 1", "\"high\"", "string"),
    ("x = {1: 2}\nreturn 1", "{1: 2}", "dictionary"),
    ("return q[\"age\"].sum()", "q[\"age\"]", "named columns"),
    ("try:\n    x = 1\nexcept ValueError:\n    x = 2\nreturn x", "try:", "cannot be read"),
    ("with open(q) as g:\n    pass\nreturn 1", "with open", "cannot be read"),
    ("a = list(q)\nb = a\nb[0] = 1\nreturn a", "b = a", "one list"),
    ("a = np.asarray(q)\nb = a[1:]\nb[0] = 1\nreturn a", "b = a[1:]", "one list"),
    ("a, b = q\nreturn a", "a, b = q", "2 items is not clear"),
    ("return bool(rng.random() < 2)", "rng.random() < 2", "the probability 2 is"),
    ("q[0] = 1\nreturn q", "q[0] = 1", "caller"),
    ("q.append(1)\nreturn 1", "q.append(1)", ""),
    ("x = list(q)\nfor v in x:\n    x = x + [v]\nreturn 1", "for v in x:", "while the loop runs over it"),
    ("out = []\nfor v in out:\n    out.append(v)\nreturn out", "for v in out:", "while the loop runs over it"),
    ("print(q[0])\nreturn 1", "print(q[0])", "output, too"),
    ("if q[0] > 3:\n    raise ValueError()\nreturn 1", "if q[0] > 3", "exception"),
    ("assert rng.laplace() > 0\nreturn 1", "assert rng.laplace() > 0", "exception"),
    ("return rng.poisson(3)", "rng.poisson(3)", "poisson"),
    ("return np.linalg.norm(q)", "np.linalg.norm(q)", "numpy.linalg.norm"),
    ("return q @ q", "q @ q", ""),
    ("a = np.zeros(3, dtype=int)\na[0] = 0.5\nreturn a", "a[0] = 0.5", "digits"),
    ("a = np.asarray(q)\nreturn a[[0, 1]]", "a[[0, 1]]", "by numbers"),
    ("a = np.array(q)\na[np.asarray([True, False])] = 0\nreturn a", "a[np.asarray([True, False])]", "different lengths"),
    ("g = lambda v: v\nif epsilon > 1:\n    g = lambda v: 2 * v\nreturn g(q[0])", "g = lambda v: v", "assigned once"),
    ("def g(v):\n    return v + w\nw = 1\nreturn [g(w) for w in q]", "def g(v):", "another variable"),
    ("return f(q, epsilon, rng)", "f(q, epsilon, rng)", "recursion"),
    ("return math.pi", "math.pi", "cannot be read"),
    ("x = 3\nif epsilon > 1:\n    x = [1]\nreturn x", "x = [1]", "elsewhere"),
    ("return [[1], [2]]", "[1]", "a list can have numbers"),
    ("return unknown_thing(q)", "unknown_thing(q)", "not known"),
    ("return undefined", "undefined", "not known"),
    ("return q[0.5]", "0.5", "index must be an int"),
    ("return any(rng.laplace() > v for v in q)", "any(rng.laplace() > v for v in q)", "stop early"),
    ("return (yield 1)", "yield 1", "yield"),
    ("global g\nreturn 1", "global g", "cannot be read"),
    ("best = -math.inf\nreturn best + 1", "best", "infinite"),
    ("y = None\nif q[0] > 0:\n    y = 1.0\nreturn y + 1", "y", "may be None here"),
    ("y = None\nif q[0] > 0:\n    y = 1.0\nw = rng.laplace()\nif w > 5 and y > 0:\n    return 1\nreturn 0", "y", "may be None here"),
    ("y = None\nfor v in q:\n    if v > 0:\n        y = v\nreturn -y", "-y", "may be None here"),
    ("y = None\nif y is None or q[0] > 0:\n    return y * 2\nreturn 0", "y", ""),
    ("y = 1.0\nfor v in q:\n    x = y + 1\n    y = None\n    if v > 0:\n        y = x\nreturn 0", "y", "may be None here"),
    ("y = None\nif q[0] > 0:\n    y = 1.0\nif y is not None:\n    y = None if q[1] > 0 else y\n    return y + 1\nreturn 0", "y", "may be None here"),
    ("y = None\nwhile y is not None or q[0] > 0:\n    y = y + 1\nreturn 0", "y", "None"),
    ("y = 1.0\nif q[0] > 0:\n    if q[1] > 0:\n        y = None\n        if q[2] > 0:\n            return 0.0\n    z = 1\nreturn y + 1", "y", "may be None here"),
    ("y = 1.0\nif q[0] > 0 and (y := None) is None:\n    return 0.0\nreturn y + 1", "y", ""),
    ("best = None\nfor i in range(4):\n    s = q[i] + rng.laplace()\n    if i == 0 or s > best:\n        if s > 1:\n            continue\n        best = s\nreturn 1", "best", "may be None here"),
    ("best = None\nfor i in range(1, 4):\n    s = q[i] + rng.laplace()\n    if i == 0 or s > best:\n        best = s\nreturn 1", "best", "may be None here"),
    ("best = None\nfor i in range(4):\n    s = q[i] + rng.laplace()\n    if s > 1:\n        continue\n    if i == 0 or s > best:\n        best = s\nreturn 1", "best", "may be None here"),
    ("best = None\nfor i in range(4):\n    s = q[i] + rng.laplace()\n    if i == 0 or s > best:\n        best = s\n        if s > 3:\n            best = None\nreturn 1", "best", "may be None here"),
    ("return q[1:]", "q[1:]", "not clear"),
    ("return np.asarray(q) + np.zeros(3)", "np.asarray(q) + np.zeros(3)", "different lengths"),
    ("return 2 ** rng.laplace() ** q[0]", "rng.laplace() ** q[0]", "power"),
    ("return 1 if q[0] > 0 else [1]", "1 if q[0] > 0 else [1]", ""),
    ("if epsilon > 1:\n    return 1\nreturn [1]", "return [1]", "elsewhere"),
    ("return rng.random() < 1.5", "rng.random() < 1.5", "between 0 and 1"),
    ("return sum(q, key=1)", "sum(q, key=1)", "sum()"),
    ("x: int = 1\ndel x\nreturn 1", "del x", "cannot be read"),
    ("return rng.choice(q, replace=False)", "False", "replacement"),
    ("n = 3\nwhile n:\n    n -= 1\nreturn n", "n", "True or False"),
    ("return q[0] == None", "q[0] == None", "is None"),
    ("return round(q[0], len(q))", "len(q)", "a constant"),
    ("return rng.laplace(scale=-1)", "rng.laplace(scale=-1)", "negative"),
    ("return epsilon | 3", "epsilon | 3", "bits"),
    ("x = 1\nreturn x + (x := 2)", "x := 2", "`:=` cannot be read"),
    ("first, *rest = q\nreturn first", "first, *rest = q", "so many items"),
    ("*init, last = q\nreturn last", "*init, last", "behind the other names"),
    ("if epsilon == \"small\":\n    return 1\nreturn 2", "epsilon == \"small\"", "whose value the claim states"),
    ("if epsilon > 1:\n    return {\"a\": 1}\nreturn {\"b\": 1}", "return {\"b\": 1}", "other keys"),
    ("if epsilon > 1:\n    return {\"a\": 1}\nreturn 1", "return 1", "other keys"),
    ("x = {\"a\": 1}\nreturn 1", "{\"a\": 1}", "dictionary"),
    ("draw = abs(rng.laplace)\nreturn draw", "rng.laplace", "not drawn"),
    ("return statistics.mean(q)", "statistics.mean(q)", "`statistics.mean` is not known"),
    ("return list(map(1, q))", "map(1, q)", "map()"),
    ("if epsilon > 1:\n    return 1\nassert epsilon > 0\nreturn 2", "assert epsilon > 0", "before it returns"),
    ("x = epsilon\nx += 1\nassert x > 0\nreturn 2", "assert x > 0", "about variables"),
    ("print(\"data\", q[0])\nreturn 1", "print(", "output, too"),
    ("return np.asarray(q)[0, 0]", "np.asarray(q)[0, 0]", "one dimension"),
    ("return (np.asarray(q) > 0) + (np.asarray(q) > 1)", "(np.asarray(q) > 0) + (np.asarray(q) > 1)", "truth value"),
]

CLAIMS = [
    ("@couplet.private(epsilon=\"epsilon\")\n", "adjacent"),
    ("@couplet.private(adjacent=\"all_within(q, 1)\")\n", "epsilon"),
    ("@couplet.private(epsilon=\"epsilon\", adjacent=\"all_within(data, 1)\")\n", "names no argument"),
    ("@couplet.private\n", "neither `epsilon` nor `adjacent`"),
    ("@couplet.private(eps=\"epsilon\", adjacent=\"all_within(q, 1)\")\n", "no `eps`"),
    ("@couplet.private(epsilon=\"epsilon\", adjacent=\"abs(q1 - q2) <= 1\")\n", "names no argument"),
    ("@couplet.private(epsilon=\"epsilon\", adjacent=\"all_within(q, 1)\", types={\"z\": \"int\"})\n", "no argument `z`"),
    ("@couplet.private(epsilon=\"epsilon\", adjacent=\"all_within(q, 1)\", types={\"q\": \"string\"})\n", "type `string`"),
    ("@couplet.private(epsilon=str(1), adjacent=\"all_within(q, 1)\")\n", "a constant is expected"),
    ("@couplet.private(epsilon=\"1\", adjacent=\"all_within(q, 1)\", zcdp=\"1\")\n", "together are no claim"),
    ("@couplet.private(zcdp=\"1\", adjacent=\"all_within(q, 1)\", delta=\"1\")\n", "together are no claim"),
    ("@couplet.private(renyi=\"2\", adjacent=\"all_within(q, 1)\")\n", "no claim"),
    ("@couplet.private(epsilon=\"1\", adjacent=\"all_within(q, 1)\", budget=\"1\")\n", "no `budget`"),
]


CLASS = """\
import couplet


class Sum:
    def __init__(self, epsilon, rng):
        self.rng = rng
        self.scale = 1 / epsilon
%s
    @couplet.private(epsilon="epsilon", adjacent="within(x, 1)")
    def m(self, x):
        %s
"""
CLASSES = [
    ("", "return x + self.width", "self.width", "not set in __init__"),
    ("", "self.scale = 2\n        return x", "self.scale = 2", "changed outside"),
    ("    def m2(self, x):\n        return self.m3(x)\n\n    def m3(self, x):\n        return self.m2(x)\n", "return self.m2(x)", "self.m2(x)", "recursion"),
    ("    def m2(self, *x):\n        return 1\n", "return self.m2(x)", "def m2", "named arguments"),
]

INHERITED = """\
import couplet


class Base:
    %s

    @property
    def scale(self):
        return self.width / self.epsilon


class Noisy(Base):
    LIMIT = 5.0

    %s

    @couplet.private(epsilon="epsilon", adjacent="within(x, 1)", requires="width > 0")
    def m(self, x, rng):
        return x + rng.laplace(scale=self.scale) + self.LIMIT + Noisy.LIMIT
"""
WITH_INIT = "def __init__(self, epsilon, width=2.0):\n        self.epsilon = epsilon\n        self.width = width"
RECORD = """\
from dataclasses import dataclass
import couplet


@dataclass
class Config:
    epsilon: float
    k: int


@couplet.private(epsilon="config.epsilon", adjacent="all_within(q, 1)", requires="config.k >= 1")
def f(q, config: Config, rng):
    return q[0] + rng.laplace(scale=config.k / config.epsilon)
"""
DATACLASS = """\
from dataclasses import dataclass, field
import couplet


@dataclass(frozen=True)
class Noisy:
    epsilon: float
    width: float = field(default=2.0)

    @couplet.private(epsilon="epsilon", adjacent="within(x, 1)", requires="width > 0")
    def m(self, x, rng):
        return x + rng.laplace(scale=self.width / self.epsilon)
"""


class Refusals(unittest.TestCase):
    def refuse(self, source):
        with self.assertRaises(TranslationError) as caught:
            print(translate_text(source).text)
        return caught.exception.errors[0]

    def test_classes(self):
        for more, body, pointed, message in CLASSES:
            with self.subTest(body=body):
                source = CLASS % (more, body)
                error = self.refuse(source)
                self.assertIn(message, error["message"])
                self.assertTrue(source[error["begin"]:].startswith(pointed), source[error["begin"]:][:40])
        clash = (CLASS % ("", "return x")).replace("def m(self, x)", "def m(self, x, rng)")
        self.assertIn("argument of __init__ and of `m`", self.refuse(clash)["message"])

    def test_a_class_is_a_function(self):
        text = translate_text(CLASS % ("    def noise(self):\n        return self.rng.laplace(scale=self.scale)\n",
                                       "return x + self.noise()")).text
        self.assertIn("<$ Lap(x, 1/epsilon)", text)
        self.assertIn("claim private Sum epsilon epsilon;", text)

    def test_inherited_parts(self):
        """Attributes of the class above, properties, numbers of the class."""
        above = translate_text(INHERITED % (WITH_INIT, "def __init__(self, epsilon):\n        super().__init__(epsilon, width=3)")).text
        self.assertIn("<$ Lap(x, 3/epsilon)", above)
        self.assertIn("noise + 5.0 + 5.0", above)
        self.assertIn("<$ Lap(x, 2.0/epsilon)", translate_text(INHERITED % (
            WITH_INIT, "def __init__(self, epsilon):\n        super().__init__(epsilon)")).text)
        self.assertIn("<$ Lap(x, width/epsilon)", translate_text(INHERITED % (WITH_INIT, "pass")).text)
        computed = INHERITED % (WITH_INIT, "def __init__(self, epsilon):\n        super().__init__(epsilon, 2 * epsilon)")
        self.assertIn("as they are", self.refuse(computed)["message"])

    def test_dataclasses(self):
        self.assertIn("<$ Lap(x, width/epsilon)", translate_text(DATACLASS).text)

    def test_configuration_objects(self):
        text = translate_text(RECORD).text
        self.assertIn("param config_k : int;", text)
        self.assertIn("<$ Lap(q[0], config_k/config_epsilon)", text)
        self.assertIn("claim private f epsilon config_epsilon;", text)
        self.assertIn("if config_flag", translate_text(RECORD.replace("config: Config", "config").replace(
            "return q[0] +", "return 0.0 if config.flag else q[0] +")).text)
        changed = RECORD.replace("    return", "    config.k = 2\n    return")
        self.assertIn("can be assigned", self.refuse(changed)["message"])

    def test_functions_as_arguments(self):
        text = translate_text(read("return g(q[0]) + rng.laplace(scale=1 / epsilon)", arguments="q, epsilon, rng, g=half",
                                   before="def half(x):\n    return x / 2\n\n")).text
        self.assertIn("return q[0]/2 + noise;", text)

    def test_strings_that_the_claim_states(self):
        claim = "@couplet.private(epsilon=\"epsilon\", adjacent=\"all_within(q, 1)\", fixed={\"kind\": \"%s\"})\n"
        body = "if kind in (\"laplace\", \"lap\"):\n    return q[0] + rng.laplace(scale=1 / epsilon)\nreturn q[0] + rng.normal(scale=1)"
        for kind, word in (("lap", "Lap("), ("normal", "Gauss(")):
            text = translate_text(read(body, arguments="q, epsilon, rng, kind=\"lap\"", claim=claim % kind)).text
            self.assertIn("<$ " + word, text)
            self.assertEqual(text.count("<$"), 1)

    def test_one_error_for_each_claim(self):
        source = read("return q[0.5]") + "\n" + read("return math.pi")[len(HEAD):].replace("def f", "def g")
        with self.assertRaises(TranslationError) as caught:
            translate_text(source)
        self.assertEqual(len(caught.exception.errors), 2)
        with self.assertRaises(TranslationError) as caught:
            translate_text(source, functions=["g"])
        self.assertEqual(len(caught.exception.errors), 1)

    def test_python_in_claims(self):
        claim = "@couplet.private(epsilon=\"math.log(3) * epsilon ** 2\", adjacent=\"all_within(q, 1)\")\n"
        self.assertIn("epsilon ln(3) * epsilon ^ 2;", translate_text(read("return 1", claim=claim)).text)

    def test_words_of_claims(self):
        for wrong, right in (("adjacency=\"all_within(q, 1)\"", "write `adjacent`"), ("adjacent=all_within(q, 1)", "write it as a text: adjacent=\"all_within(q, 1)\"")):
            error = self.refuse(read("return 1", claim="@couplet.private(epsilon=\"epsilon\", %s)\n" % wrong))
            self.assertIn(right, error["hint"])
        asynchronous = read("return 1").replace("def f", "async def f")
        self.assertIn("async function", self.refuse(asynchronous)["message"])

    def test_fixed_arguments(self):
        claim = "@couplet.private(epsilon=\"epsilon\", adjacent=\"all_within(q, 1)\", fixed=%s)\n"
        text = translate_text(read("return q[0] + rng.laplace(scale=k / epsilon)", arguments="q, epsilon, k, rng", claim=claim % "{\"k\": 3}")).text
        self.assertIn("Lap(q[0], 3/epsilon)", text)
        for wrong in ("{\"z\": 3}", "{\"k\": [3]}", "3"):
            source = read("return q[0]", arguments="q, epsilon, k, rng", claim=claim % wrong)
            self.assertIn("`fixed` is a table", self.refuse(source)["message"])

    def test_counters(self):
        body = "c = collections.Counter(q)\n%s\nreturn c[0] + c[1] + rng.laplace(scale=2 / epsilon)"
        claim = CLAIM.replace(")\n", ", types={\"q\": \"int[n]\"})\n")
        read_all = lambda more, b=body: read(b % more, claim=claim, before="import collections\n")
        text = translate_text(read_all("d = c[2]")).text
        self.assertEqual(text.count(":= 0;"), 3)
        for more in ("d = c.most_common(1)", "d = len(c)", "for k in c:\n    pass", "c[3] = 1", "if epsilon > 1:\n    c = collections.Counter(q)"):
            with self.subTest(more):
                self.refuse(read_all(more))
        for source in ("[1, 2]", "q, 1", "list(q)", "q + q"):
            with self.subTest(source):
                self.assertIn("of a Counter", self.refuse(read_all("d = 1", body.replace("Counter(q)", "Counter(%s)" % source)))["message"])

    def test_known_not_to_be_none(self):
        start = "y = None\nif q[0] > 0:\n    y = 1.0\n"
        contest = "best, k = None, 0\nfor i in range(4):\n    s = q[i] + rng.laplace()\n    if %s:\n        best = s\n        k = i\nreturn k"
        for body in (start + "if y is None:\n    return 0.0\nreturn y + 1", start + "if y is not None and y > 0:\n    return y * 2\nreturn 0.0",
                     start + "return y + 1 if y is not None else 0.0", start + "if not (y is None):\n    return -y\nreturn 0.0",
                     start + "if y is None:\n    y = 2.0\nreturn y + 1", start + "for v in q:\n    if y is None:\n        continue\n    y = y + v\nreturn 1",
                     contest % "best is None or s > best", contest % "i == 0 or s > best", contest % "i == 0 or best < s"):
            with self.subTest(body=body):
                translate_text(read(body, "q, epsilon, rng", CLAIM.replace(")\n", ", types={\"q\": \"real[4]\"})\n")))

    def test_constructs(self):
        for body, pointed, message in REFUSED:
            with self.subTest(body=body):
                source = read(body)
                error = self.refuse(source)
                begin = source.encode()[error["begin"]:].decode()
                self.assertTrue(begin.startswith(pointed), "%r points at %r: %s" % (body, begin[:30], error["message"]))
                self.assertIn(message, error["message"])
                self.assertLessEqual(error["begin"], error["end"])

    def test_arguments_that_may_be_none(self):
        for arguments in ("q, epsilon, rng, k=None", "q, epsilon, rng, k: 'float | None'", "q, epsilon, rng, k: Optional[float]",
                          "q, epsilon, rng, k", "q, epsilon, rng, *, k=None"):
            source = "from typing import Optional\n" + read("if k is None:\n    return q[0]\nreturn k", arguments)
            with self.subTest(arguments), self.assertRaises(TranslationError) as caught:
                translate_text(source, "f.py")
            self.assertIn("may be None", str(caught.exception))

    def test_without_a_generator(self):
        for body in ("if rng is None:\n    return q[0]\nreturn 0.0", "return q[0] if rng is None else 0.0",
                     "if rng is not None:\n    return 0.0\nreturn q[0]", "x = rng is None\nif x:\n    return q[0]\nreturn 0.0",
                     "if rng is None:\n    rng = np.random.default_rng(0)\nreturn q[0] + rng.laplace(scale=1 / epsilon)"):
            with self.subTest(body), self.assertRaises(TranslationError):
                translate_text(read(body, "q, epsilon, rng=None"), "f.py")
        for body in ("if rng is None:\n    rng = np.random.default_rng()\nreturn rng.laplace()",
                     "rng = rng if rng is not None else np.random.default_rng()\nreturn rng.laplace()"):
            translate_text(read(body, "q, epsilon, rng=None"), "f.py")

    def test_generators_for_functions(self):
        """They are read as lists if the function runs over them once, and nothing changes before."""
        call = "return f2((v + 1 for v in q), q)"
        for helper, body, ok in (
                ("    return sum(values)", call, True),
                ("    return sum(v * w for v, w in zip(values, q))", call, True),
                ("    t = 0\n    for v in values:\n        t += v\n    return t", call, True),
                ("    return sum(values) + sum(values)", call, False),
                ("    return max(values) - min(values)", call, False),
                ("    t = 0\n    for w in q:\n        for v in values:\n            t += v\n    return t", call, False),
                ("    return sum(v * w for w in q for v in values)", call, False),
                ("    return [sum(values) for w in q]", call, False),
                ("    t = 0\n    while t < 3:\n        t += sum(values) + 3\n    return t", call, False),
                ("    def inner():\n        return sum(values)\n    return inner() + inner()", call, False),
                ("    return values", call, False),
                ("    return len(q)", call, False),
                ("    return sum(values)", "return f2((v + rng.laplace() for v in q), q)", False),
                ("    c = list(q)\n    c[0] = 0.0\n    return sum(values)", call, True),
                ("    q[0] = 0.0\n    return sum(values)", call, False),
                ("    return sum(values) + q", "c = 1\nreturn f2((v + c for v in q), (c := 2))", False)):
            source = read(body, before="def f2(values, q):\n%s\n\n" % helper)
            with self.subTest(helper=helper, body=body):
                if ok:
                    translate_text(source)
                else:
                    self.refuse(source)

    def test_claims(self):
        for claim, message in CLAIMS:
            with self.subTest(claim=claim):
                error = self.refuse(read("return 1", claim=claim))
                self.assertIn(message, error["message"])
                self.assertEqual(error["code"], "python-claim")

    def test_syntax(self):
        error = self.refuse("def f(:\n    pass\n")
        self.assertEqual(error["code"], "python-syntax")

    def test_no_claim(self):
        self.assertEqual(self.refuse("def f(x):\n    return x\n")["code"], "python-claim")

    def test_methods_are_named(self):
        source = "class Noise:\n    def release(self, x, rng):\n        return x + rng.laplace()\n"
        for text, message in (("Noise", "which method of the class `Noise`"), ("Noise.relase", "the class `Noise` has no method `relase`"),
                              ("Nose.release", "there is no function `Nose.release`")):
            claims = command_line_claim(text + ' = {epsilon = "1", adjacent = "within(x, 1)"}')
            with self.assertRaises(TranslationError) as caught:
                translate_text(source, claims=claims)
            error = caught.exception.errors[0]
            self.assertIn(message, error["message"])
            self.assertIn("Noise", error["hint"])
        claims = command_line_claim('Noise.release = {epsilon = "1", adjacent = "within(x, 1)", types = {x = "real"}}')
        self.assertIn("claim private", translate_text(source, claims=claims).text)

    def test_what_can_be_read_is_pointed_out(self):
        good = '@couplet.private(epsilon="1", adjacent="within(x, 1)")\ndef good(x, rng):\n    return x + rng.laplace()\n'
        bad = '@couplet.private(epsilon="1", adjacent="within(x, 1)")\ndef bad(x, rng):\n    return {1: x}\n'
        for source, pointed_out in ((good + bad, True), (bad, False)):
            error = self.refuse("import couplet\n" + source)
            self.assertEqual("--function NAME" in (error["hint"] or ""), pointed_out)

    def test_every_message_is_one_line(self):
        for body, _, _ in REFUSED:
            error = self.refuse(read(body))
            self.assertNotIn("\n", error["message"] + (error["hint"] or ""))


class Readings(unittest.TestCase):
    """Details of the translation that a run cannot show."""

    def text(self, body, **rest):
        return translate_text(read(body, **rest)).text

    def test_scale_zero_is_no_noise(self):
        text = self.text("return q[0] + rng.laplace(scale=0)")
        self.assertNotIn("<$", text)

    def test_guard_is_an_assumption(self):
        text = self.text("if epsilon > 1:\n    raise ValueError(\"too large\")\nreturn rng.laplace(scale=1 / epsilon)")
        self.assertIn("requires not epsilon > 1", text)

    def test_guard_is_stated_about_this_function_only(self):
        source = read("assert epsilon < 1\nreturn rng.laplace()") + "\n" + read("return rng.laplace()")[len(HEAD):].replace("def f", "def g")
        text = translate_text(source).text
        self.assertEqual(text.count("requires"), 1)

    def test_parameters_of_two_functions(self):
        """The same name with different assumptions is two parameters."""
        first = read("return q[0] + rng.laplace(scale=1 / epsilon)")
        second = "@couplet.private(epsilon=\"2\", adjacent=\"all_within(q, 1)\")\ndef g(q, epsilon, rng):\n    return epsilon\n"
        text = translate_text(first + second).text
        self.assertIn("param epsilon : real, epsilon > 0;", text)
        self.assertIn("param epsilon_ : real;", text)

    def test_other_notions(self):
        claim = "@couplet.private(%s, adjacent=\"all_within(q, 1)\")\n"
        for words, text in (("zcdp=\"epsilon\"", "zcdp epsilon;"), ("gaussian=\"epsilon\"", "gaussian epsilon;"),
                            ("renyi=2, epsilon=\"epsilon\"", "renyi 2 epsilon epsilon;"),
                            ("renyi=\"for all a\", epsilon=\"a * epsilon\"", "renyi for all a epsilon a * epsilon;")):
            self.assertIn("claim private f " + text, self.text("return q[0] + rng.normal(scale=1 / epsilon)", claim=claim % words))

    def test_claims_with_other_premises_are_about_other_mechanisms(self):
        """A premise of one claim must not become one of the other."""
        claims = "@couplet.private(epsilon=\"1\", adjacent=\"all_within(q, 1)\", requires=\"epsilon > 2\")\n" \
                 "@couplet.private(epsilon=\"1\", adjacent=\"all_within(q, 1)\", name=\"free\")\n"
        text = self.text("return q[0] + rng.laplace(scale=epsilon)", claim=claims)
        parts = text.split("mechanism ")[1:]
        self.assertEqual(["requires" in p for p in parts], [False, True])
        self.assertIn("claim free: private f ", parts[0])

    def test_names_of_constants(self):
        text = self.text("n = len(q)\nzero = max(abs(0), abs(0)) ** 2\nreturn q[0] + rng.laplace(scale=zero / epsilon), n")
        self.assertNotIn("<$", text)
        self.assertIn("len_q)", text)

    def test_source_is_named(self):
        import hashlib
        source = read("return rng.laplace()")
        self.assertIn(hashlib.sha256(source.encode()).hexdigest(), translate_text(source).text)

    def test_places(self):
        """Pieces of the translation lead to the text that they come from."""
        source = read("x = q[0] + 1\nreturn x + rng.laplace(scale=1 / epsilon)")
        result = translate_text(source)
        data, dp = source.encode(), result.text.encode()
        smallest = {}
        for begin, end, at, to in result.places:
            self.assertTrue(0 <= begin <= end <= len(dp) and 0 <= at <= to <= len(data))
            smallest.setdefault(dp[begin:end].decode(), data[at:to].decode())
        self.assertEqual(smallest["x := q[0] + 1;"], "x = q[0] + 1")
        self.assertEqual(smallest["q[0]"], "q[0]")

    def test_command_line_claims_and_sidecar_noise(self):
        source = "from lib import noise\n\ndef g(total, eps):\n    return noise.add(total, eps)\n"
        text = translate_text(source, claims=[{"function": "g", "epsilon": "eps", "adjacent": "within(total, 1)"}],
                              noise={"lib.noise.add": {"args": ["value", "eps"], "draw": "Lap(value, 1/eps)"}}).text
        self.assertRegex(text, r"<\$ Lap\(total, 1/eps\)")

    def test_private_requirements_hold_in_both_runs(self):
        claim = "@couplet.private(epsilon=\"1\", adjacent=\"within(b, 1)\", requires=\"0 <= b <= 1\", types={\"b\": \"int\"})\n"
        text = self.text("return b", arguments="b", claim=claim)
        self.assertIn("0 <= b<1> <= 1", text)
        self.assertIn("0 <= b<2> <= 1", text)


if __name__ == "__main__":
    unittest.main()
