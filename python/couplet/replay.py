"""The Python function itself, run many times: how often does it do what a certificate says?

    python3 -m couplet.replay < request.json

The request: {"path", "claims", "mechanism", "runs", "seed", "parameters": {name: text}, "inputs":
{name: text}, "outputs": [pattern, ...] or null}; names and values are those of the translation. The
answer: {"version": 1, "runs", "raised", "matched"} or, without patterns, {"outputs": {text: count}}.
This executes the file; nothing else in this package does. No verdict rests on it.
"""

import importlib.util
import json
import os
import random
import re
import sys
from fractions import Fraction

if __package__ in (None, ""):
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from couplet.reader.base import FIXED, INT, NONE, REAL, RNG, Arr, Lst, Opt, Refusal, Tup
from couplet.reader.module import Module
from couplet.reader.noise import RNG_PY
from couplet.translate import command_line_claim, sidecar

VERSION = 1
OLD_METHODS = re.compile(r"\.(randint|rand|randn|random_sample)\b")


class Trouble(Exception):
    """Why there are no frequencies; for a person."""


# ---- values and patterns, as the language writes them ------------------------------------------

TOKEN = re.compile(r"\s*(\.\.\.|\.\.|-?\d+(?:\.\d+)?(?:e-?\d+)?(?:/\d+)?|[A-Za-z_]+|[\[\](),])")


class Reader:
    """`[1/2..3, true, _]` and the like: a pattern is a function from values to True or False."""

    def __init__(self, text):
        self.tokens, at = [], 0
        text = text.rstrip()
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise Trouble("`%s` cannot be read as a value" % text)
            self.tokens.append(match.group(1))
            at = match.end()
        self.at = 0

    def see(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def items(self, end):
        out = []
        while self.see() != end:
            out.append(self.pattern())
            if self.see() == ",":
                self.take()
        self.take()
        return out

    def pattern(self):
        """("any",), ("rest",), ("is", value), ("between", low, high), ("parts", [...])"""
        token = self.take()
        if token == "_":
            return ("any",)
        if token == "...":
            return ("rest",)
        if token in "[(":
            return ("parts", self.items("]" if token == "[" else ")"))
        if token in ("true", "false"):
            return ("is", token == "true")
        if token == "..":
            return ("between", None, Fraction(self.take()))
        low = Fraction(token)
        if self.see() != "..":
            return ("is", low)
        self.take()
        high = self.see()
        return ("between", low, Fraction(self.take()) if re.match(r"-?\d", high) else None)


def matches(pattern, value):
    kind = pattern[0]
    if kind == "any":
        return True
    if kind == "is":
        return not isinstance(value, list) and value == pattern[1]
    if kind == "between":
        return not isinstance(value, list) and (pattern[1] is None or pattern[1] <= value) and \
            (pattern[2] is None or value <= pattern[2])
    parts = pattern[1]
    if not isinstance(value, list):
        return False
    if parts and parts[-1][0] == "rest":
        parts, value = parts[:-1], value[:len(parts) - 1]
    return len(parts) == len(value) and all(map(matches, parts, value))


def value_of(pattern):
    """A pattern without gaps is a value."""
    return [value_of(p) for p in pattern[1]] if pattern[0] == "parts" else pattern[1]


def argument(text, t):
    """A Python value of the argument's type."""
    value = value_of(Reader(text).pattern())

    def convert(v, t):
        if isinstance(t, (Arr, Lst)):
            return [convert(x, t.elem) for x in v]
        return float(v) if t == REAL else int(v) if t == INT else bool(v)
    value = convert(value, t)
    if isinstance(t, Arr) and t.numpy:
        import numpy
        value = numpy.array(value)
    return value


def only_sample(value, t):
    """Of a batch of one sample, the sample: axes of length 1 before those that the translation has."""
    wanted = 1 if isinstance(t, (Arr, Lst)) else 0
    while getattr(value, "ndim", 0) > wanted and len(value) == 1:
        value = value[0]
    return value


def plain(value, t):
    """What the function returned, as a value of the language."""
    if isinstance(value, dict):
        value = list(value.values()) if isinstance(t, Tup) else next(iter(value.values()))
    value = only_sample(value, t)
    if isinstance(t, Opt):
        return [value is not None, plain(0 if value is None else value, t.elem)]
    if isinstance(t, Tup):
        return [plain(v, p) for v, p in zip(value, t.parts)]
    if isinstance(t, (Arr, Lst)):
        return [plain(v, t.elem) for v in value]
    if t == "bool":
        return bool(value)
    return Fraction(float(value)) if t == REAL else Fraction(int(value))


def text_of(value, t):
    if isinstance(t, Opt):
        return "(%s, %s)" % (text_of(value[0], "bool"), text_of(value[1], t.elem))
    if isinstance(t, Tup):
        return "(%s)" % ", ".join(map(text_of, value, t.parts))
    if isinstance(t, (Arr, Lst)):
        return "[%s]" % ", ".join(text_of(v, t.elem) for v in value)
    return str(value).lower()


# ---- the function ------------------------------------------------------------------------------


def find(request):
    """The claim whose mechanism is asked for, after translation."""
    path = request["path"]
    with open(path, encoding="utf-8-sig") as f:
        source = f.read()
    claims, noise = sidecar(path)
    claims += [c for text in request.get("claims", []) for c in command_line_claim(text)]
    module = Module(source, path, claims, noise, beside=True)
    module.translate()
    for claim in module.claims:
        if getattr(claim, "subject", None) == request["mechanism"]:
            return claim, source
    raise Trouble("`%s` is no function of this file" % request["mechanism"])


def load(path):
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location("couplet_replayed", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise Trouble("the file cannot be imported: %s: %s%s" % (type(error).__name__, error, elsewhere(error)))
    return module


def elsewhere(error):
    """What to do if a module is missing."""
    return " for %s; COUPLET_PYTHON names another python3" % sys.executable if isinstance(error, ModuleNotFoundError) else ""


def generator(kind, source, seed):
    if kind == RNG_PY:
        return random.Random(seed)
    try:
        import numpy
    except ImportError as error:
        raise Trouble("its generator cannot be made: %s%s" % (error, elsewhere(error)))
    return numpy.random.RandomState(seed) if OLD_METHODS.search(source) else numpy.random.default_rng(seed)


def arguments_of(claim, request, source):
    """By name; lists are made anew for every run."""
    given, out = dict(request["parameters"], **request["inputs"]), {}
    for a in claim.arguments:
        if a.type in (RNG, RNG_PY):
            rng = generator(a.type, source, request["seed"])
            out[a.name] = lambda rng=rng: rng
        elif a.type == FIXED and a.name in claim.functions:
            pass  # its default
        elif a.type == FIXED:
            out[a.name] = lambda value=claim.fixed[a.name]: value
        elif a.type != NONE:
            if a.dp not in given:
                raise Trouble("no value is given for `%s`" % a.name)
            text, t = given[a.dp], a.type
            out[a.name] = lambda text=text, t=t: argument(text, t)
    return out


def seed_all(seed):
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed)


def replay(request):
    claim, source = find(request)
    function = claim.callable(load(request["path"]))
    given = arguments_of(claim, request, source)
    patterns = request["outputs"] and [Reader(text).pattern() for text in request["outputs"]]
    seed_all(request["seed"])
    matched, raised, counts = 0, {}, {}
    for _ in range(request["runs"]):
        try:
            result = function(**{name: make() for name, make in given.items()})
            value = plain(list(result) if hasattr(result, "__next__") else result, claim.result)
        except Exception as error:  # what the function does then has no meaning in the translation
            name = type(error).__name__
            raised[name] = raised.get(name, 0) + 1
            continue
        if patterns is None:
            text = text_of(value, claim.result)
            counts[text] = counts.get(text, 0) + 1
        elif any(matches(p, value) for p in patterns):
            matched += 1
    answer = {"version": VERSION, "runs": request["runs"], "raised": raised}
    answer.update({"outputs": counts} if patterns is None else {"matched": matched})
    return answer


def main(out):
    try:
        answer = replay(json.load(sys.stdin))
    except Refusal as error:
        answer = {"version": VERSION, "error": error.message}
    except (Trouble, OSError) as error:
        answer = {"version": VERSION, "error": str(error)}
    out.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    with os.fdopen(os.dup(1), "w") as answer_file:
        os.dup2(2, 1)  # what the file prints is not the answer
        main(answer_file)
