"""Types, values and places: what the parts of the reader share.

A type is a small object; `join` is the least type that holds the values of both. An `E` is a
translated expression: text of the Couplet language with its precedence, and what is known about
it. Text carries marks (`mark`) that say which part of the Python source it stands for; `unmark`
turns them into a table of places when everything is written.
"""

import ast
import re
from dataclasses import dataclass
from typing import Callable, List, Optional, Tuple


class Refusal(Exception):
    """The source is outside of what can be read: a message with its place and what to do."""

    def __init__(self, node, message, hint=None, code="python-subset"):
        super().__init__(message)
        self.node, self.message, self.hint, self.code = node, message, hint, code


class Refusals(Exception):
    """Several of them: one for each claim."""

    def __init__(self, errors):
        super().__init__("%d refusals" % len(errors))
        self.errors = errors


# ---- lengths ---------------------------------------------------------------------------------


class Linear:
    """An integer that is linear in parameters: lengths must be, so that types are known."""

    def __init__(self, terms=None, constant=0):
        self.terms = {k: v for k, v in (terms or {}).items() if v}
        self.constant = constant

    def __add__(self, other):
        terms = dict(self.terms)
        for name, factor in other.terms.items():
            terms[name] = terms.get(name, 0) + factor
        return Linear(terms, self.constant + other.constant)

    def times(self, k):
        return Linear({n: f * k for n, f in self.terms.items()}, self.constant * k)

    def __sub__(self, other):
        return self + other.times(-1)

    def __eq__(self, other):
        return isinstance(other, Linear) and self.terms == other.terms and self.constant == other.constant

    def __hash__(self):
        return hash((tuple(sorted(self.terms.items())), self.constant))

    def text(self):
        parts = []
        for name in sorted(self.terms):
            factor = self.terms[name]
            body = name if abs(factor) == 1 else "%d*%s" % (abs(factor), name)
            parts.append(("-" if factor < 0 else "+", body))
        if self.constant or not parts:
            parts.append(("-" if self.constant < 0 else "+", str(abs(self.constant))))
        parts.sort(key=lambda p: p[0] == "-")
        text = "".join(" %s %s" % p for p in parts)
        return text[3:] if text.startswith(" + ") else "-" + text[3:]

    def is_atom(self):
        return not self.terms or (list(self.terms.values()) == [1] and not self.constant)


# ---- types -----------------------------------------------------------------------------------

BOTTOM, BOOL, INT, REAL, UNIT, RNG, NONE = "?", "bool", "int", "real", "nothing", "generator", "None"
FIXED = "a value that the claim states"
SCALARS = (BOOL, INT, REAL)
INFINITE = {"math.inf", "numpy.inf", "numpy.Inf", "numpy.infty"}


@dataclass(frozen=True)
class Arr:
    """A sequence of known length; `numpy` says what + and * mean.

    `batch`: it has an axis for the samples of a batch, which is one sample here (batch.py) and is left out:
    "flat" is an array with one number for each sample, "column" has shape (samples, 1), "row" (samples, length)."""
    elem: object
    length: Linear
    numpy: bool
    batch: str = ""


@dataclass(frozen=True)
class Lst:
    """A list that grows."""
    elem: object


@dataclass(frozen=True)
class Tup:
    parts: Tuple


@dataclass(frozen=True)
class Opt:
    """A value or `missing`: "None", "inf" or "-inf". Two variables: the value and whether it is there."""
    elem: object
    missing: str


def is_sample(t):
    """A number for each sample of the batch: a variable that is a number."""
    return isinstance(t, Arr) and t.batch in ("flat", "column")


def is_sequence(t):
    return isinstance(t, (Arr, Lst))


def join(a, b):
    """The least type for both, or None."""
    if a == b or b == BOTTOM:
        return a
    if a == BOTTOM:
        return b
    if a in SCALARS and b in SCALARS:
        return REAL if REAL in (a, b) else INT
    if isinstance(a, Opt) or isinstance(b, Opt):
        missing = a.missing if isinstance(a, Opt) else b.missing
        if isinstance(a, Opt) and isinstance(b, Opt) and a.missing != b.missing:
            return None
        inner = join(a.elem if isinstance(a, Opt) else a, b.elem if isinstance(b, Opt) else b)
        return Opt(inner, missing) if inner in SCALARS + (BOTTOM,) else None
    if isinstance(a, Tup) and isinstance(b, Tup) and len(a.parts) == len(b.parts):
        parts = [join(x, y) for x, y in zip(a.parts, b.parts)]
        return None if None in parts else Tup(tuple(parts))
    if isinstance(a, Arr) and isinstance(b, Arr) and a.length == b.length and a.numpy == b.numpy and a.batch == b.batch:
        elem = join(a.elem, b.elem)
        return None if elem is None else Arr(elem, a.length, a.numpy, a.batch)
    if isinstance(a, (Arr, Lst)) and isinstance(b, (Arr, Lst)) and not is_numpy(a) and not is_numpy(b):
        elem = join(a.elem, b.elem)
        return None if elem is None else Lst(elem)
    return None


def has_truth(t):
    if isinstance(t, Tup):
        return any(has_truth(p) for p in t.parts)
    return has_truth(t.elem) if isinstance(t, (Arr, Lst, Opt)) else t == BOOL


def mixes_truth(a, b):
    """Truth values in one, numbers at the same place in the other: what computing with them gives depends on which it is."""
    if is_numpy(a) and is_numpy(b):
        return False  # an array has one type of items
    if isinstance(a, (Arr, Lst, Opt)) and isinstance(b, (Arr, Lst, Opt)):
        return mixes_truth(a.elem, b.elem)
    if isinstance(a, Opt) or isinstance(b, Opt):
        return mixes_truth(getattr(a, "elem", a), getattr(b, "elem", b))
    if isinstance(a, Tup) and isinstance(b, Tup):
        return any(mixes_truth(x, y) for x, y in zip(a.parts, b.parts))
    return (a == BOOL) != (b == BOOL) and a in SCALARS and b in SCALARS


def is_numpy(t):
    return isinstance(t, Arr) and t.numpy


def type_text(t):
    """As the Couplet language writes it."""
    if is_sample(t):
        return type_text(t.elem)
    if isinstance(t, Arr):
        return "%s[%s]" % (type_text(t.elem), t.length.text())
    if isinstance(t, Lst):
        return "list(%s)" % type_text(t.elem)
    if isinstance(t, Tup):
        return "(%s)" % ", ".join(type_text(p) for p in t.parts)
    if isinstance(t, Opt):
        return "(bool, %s)" % type_text(t.elem)
    return t


def type_words(t):
    """As a message says it."""
    if isinstance(t, Arr):
        return ("an array of %s" if t.numpy else "a list of %s") % type_words(t.elem)
    if isinstance(t, Lst):
        return "a list of %s" % type_words(t.elem)
    if isinstance(t, Tup):
        return "a tuple"
    if isinstance(t, Opt):
        return "%s or %s" % (t.missing, type_words(t.elem))
    return {BOTTOM: "a value of unknown type", UNIT: "nothing", REAL: "float"}.get(t, t)


def has_bottom(t):
    if isinstance(t, (Arr, Lst, Opt)):
        return has_bottom(t.elem)
    if isinstance(t, Tup):
        return any(has_bottom(p) for p in t.parts)
    return t == BOTTOM


def holds_list(t):
    """A list or array, or something with one in it."""
    return is_sequence(t) or isinstance(t, Tup) and any(holds_list(p) for p in t.parts) or isinstance(t, Opt) and holds_list(t.elem)


def is_plain_list(t):
    """Of numbers, with one axis: or a number."""
    return t in SCALARS or is_sequence(t) and not holds_list(t.elem) and not isinstance(t.elem, Tup) and not getattr(t, "batch", "")


# ---- expressions -----------------------------------------------------------------------------

P_IF, P_OR, P_AND, P_NOT, P_CMP, P_APPEND, P_SUM, P_PRODUCT, P_UNARY, P_POWER, P_ATOM = (
    0, 3, 4, 5, 6, 7, 9, 10, 11, 12, 14)


@dataclass
class E:
    text: str
    type: object
    prec: int = P_ATOM
    const: object = None              # the value of a constant
    linear: Optional[Linear] = None   # an int that is linear in parameters
    nonneg: bool = False              # certainly >= 0
    private: bool = False             # made of private data
    noisy: bool = False               # a sample is part of it
    smooth: bool = False              # a sample, moved by what is independent of it: no number has a positive probability
    local: bool = False               # made of variables: data or noise may have decided it
    item: Optional[Callable] = None   # sequences: text of an index -> E
    parts: Optional[List] = None      # tuples that were written out
    over: Optional[Tuple] = None      # a quotient: what is divided by what
    present: Optional[str] = None     # Opt: text of "there is a value"
    batch: bool = False               # the number of samples in a batch, which is 1

    def at(self, prec):
        """The text, in parentheses where something binds stronger."""
        return self.text if self.prec >= prec else "(%s)" % self.text


def taint(e, *sources):
    e.private = any(s.private for s in sources)
    e.noisy = any(s.noisy for s in sources)
    e.local = any(s.local for s in sources)
    return e


def mixed(e, *sources):
    """A value that may be any of the sources: it has noise only if all that is private in it has."""
    taint(e, *sources)
    e.noisy = e.noisy and all(s.noisy or not s.private for s in sources)
    return e


def implied(e, *sources):
    """A value that depends on others through conditions only: their noise is no part of it."""
    e.private = any(s.private and not s.noisy for s in sources)
    e.local = any(is_decided(s) for s in sources)
    return e


def is_decided(e):
    """May data or noise have decided it?"""
    return e.private or e.noisy or e.local


# ---- places ----------------------------------------------------------------------------------

OPEN, MIDDLE, CLOSE = "\ue000", "\ue001", "\ue002"
RISK = "\ue003"  # behind an operation that may fail, on both sides of a number

RISKS = re.compile(RISK + "([0-9]+)" + RISK)


class Places:
    """Marks in text and what they stand for."""

    def __init__(self):
        self.nodes = []

    def mark(self, node, text):
        if node is None or not hasattr(node, "lineno"):
            return text
        self.nodes.append(node)
        return "%s%d%s%s%s" % (OPEN, len(self.nodes) - 1, MIDDLE, text, CLOSE)

    def risk(self, node):
        """Behind the text of an operation that may fail: shows whether the text is used in the end."""
        self.nodes.append(node)
        return "%s%d%s" % (RISK, len(self.nodes) - 1, RISK)

    def risks_in(self, text):
        return {self.nodes[int(i)] for i in RISKS.findall(text)}

    def resolve(self, text):
        """The text without marks, and [(begin, end, node)] in bytes of it."""
        text = RISKS.sub("", text)
        plain, entries, stack, size, i = [], [], [], 0, 0
        while i < len(text):
            c = text[i]
            if c == OPEN:
                j = text.index(MIDDLE, i)
                stack.append((size, self.nodes[int(text[i + 1:j])]))
                i = j + 1
                continue
            if c == CLOSE:
                begin, node = stack.pop()
                entries.append((begin, size, node))
            else:
                plain.append(c)
                size += len(c.encode("utf-8"))
            i += 1
        return "".join(plain), entries


def unmark(text):
    text = RISKS.sub("", text)
    out, i = [], 0
    while i < len(text):
        if text[i] == OPEN:
            i = text.index(MIDDLE, i)
        elif text[i] != CLOSE:
            out.append(text[i])
        i += 1
    return "".join(out)


def dotted(node):
    """`np.random.laplace` as text, or None."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = dotted(node.value)
        return base and base + "." + node.attr
    return None
