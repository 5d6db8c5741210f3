"""Which variables are known not to be None at this place.

Arithmetic with None is an exception in Python, and tells whoever sees it that there was no value. So
an optional variable is a number only where a test or an assignment says that it is there; elsewhere
it can be tested, compared by `==`, passed on and returned.
"""

import ast
from contextlib import contextmanager

from .base import INFINITE, NONE, Opt, Tup


def facts(test, holds):
    """Names that are not None if the test is true (or false)."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return facts(test.operand, not holds)
    if isinstance(test, ast.BoolOp):
        parts = [facts(v, holds) for v in test.values]
        return set.union(*parts) if isinstance(test.op, ast.And) == holds else set.intersection(*parts)
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.left, ast.Name):
        none = isinstance(test.comparators[0], ast.Constant) and test.comparators[0].value is None
        if none and isinstance(test.ops[0], ast.IsNot if holds else ast.Is):
            return {test.left.id}
    return set()


def assigns(s):
    """Of `x = e`: x and e."""
    if isinstance(s, ast.Assign) and len(s.targets) == 1 and isinstance(s.targets[0], ast.Name):
        return s.targets[0].id, s.value
    return None, None


def pairs(s):
    """[(x, e)] of `x = e` and of `x, y = e, f`."""
    if isinstance(s, ast.Assign) and len(s.targets) == 1:
        t, v = s.targets[0], s.value
        several = isinstance(t, ast.Tuple) and isinstance(v, ast.Tuple) and len(t.elts) == len(v.elts)
        return [(a.id, b) for a, b in (zip(t.elts, v.elts) if several else [(t, v)]) if isinstance(a, ast.Name)]
    return []


def counts_from_zero(loop):
    """The index of `for i in range(n)` and `for i, x in enumerate(xs)`."""
    call = loop.iter if isinstance(loop, ast.For) and isinstance(loop.iter, ast.Call) else None
    if call is None or not isinstance(call.func, ast.Name) or len(call.args) != 1 or call.keywords:
        return None
    target = loop.target.elts[0] if call.func.id == "enumerate" and isinstance(loop.target, ast.Tuple) else loop.target
    return target.id if call.func.id in ("range", "enumerate") and isinstance(target, ast.Name) else None


def is_first(test, index):
    """`i == 0`"""
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == index and \
        len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq) and \
        isinstance(test.comparators[0], ast.Constant) and test.comparators[0].value == 0


class Presence:
    def is_there(self, name):
        return name in self.there

    def note_presence(self, name, e):
        """After an assignment."""
        if e.type == NONE or isinstance(e.type, Opt):
            self.there.discard(name)
        else:
            self.there.add(name)

    @contextmanager
    def knowing(self, names):
        """For an expression; what `:=` in it makes None stays so."""
        before, self.there = self.there, self.there | names
        yield
        self.there = before & self.there

    def set_at_first(self, s):
        """`if i == 0 or ...: best = e` in a loop: what it assigns is there whenever i is not 0."""
        loop = self.loop_nodes[-1] if self.loop_nodes else None
        index = counts_from_zero(loop) if loop is not None else None
        test = s.test
        if index is None or s not in loop.body or not isinstance(test, ast.BoolOp) or not isinstance(test.op, ast.Or) or \
                not is_first(test.values[0], index):
            return set()
        earlier = loop.body[:loop.body.index(s)] + s.body
        if any(isinstance(x, (ast.Continue, ast.Break)) for e in earlier for x in ast.walk(e)):
            return set()
        names = {assigns(b)[0] for b in s.body} - {None}
        everywhere = [x for b in loop.body for x in ast.walk(b)]
        stored = [x.id for x in everywhere if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)]
        plain = [assigns(x)[0] for x in everywhere if self.is_plain(assigns(x)[1])]
        return {name for name in names if stored.count(name) == plain.count(name)} if index not in stored else set()

    def set_in_first_round(self, loop, it):
        """`if best is None or x > best: best, arg = x, i` in a loop: whether they are there afterwards says its length alone. Those that
        nothing else assigns but the None before it. (What the loop finds is proved more easily if it does not say so itself.)"""
        body = self.function.body
        if it.length is None or loop not in body or self.loop_stack or self.depth > 1 or any(
                isinstance(x, (ast.Break, ast.Continue, ast.Return)) for s in loop.body for x in ast.walk(s)):
            return []
        missing = {name for s in body[:body.index(loop)] for name, value in pairs(s) if self.is_missing(value)}
        for s in loop.body:
            named = [(name, value) for b in s.body for name, value in pairs(b)] if isinstance(s, ast.If) else []
            names = [n for n, value in named if n in missing and self.is_plain(value) and self.assigned.get(n) == 2 and
                     isinstance(self.types.get(n), Opt) and n not in self.by_name]
            if names and self.holds_at_first(s.test, names):
                return sorted(names)
        return []

    def is_missing(self, value):
        """None, or infinite."""
        if isinstance(value, ast.UnaryOp):
            value = value.operand
        if isinstance(value, ast.Call):
            return self.resolve(value.func) == "float" and len(value.args) == 1 and isinstance(value.args[0], ast.Constant) and \
                isinstance(value.args[0].value, str)
        return isinstance(value, ast.Constant) and value.value is None or self.resolve(value) in INFINITE

    def holds_at_first(self, test, names):
        """Is the test true as long as one of these is missing?"""
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
            return any(self.holds_at_first(x, names) for x in test.values)
        if not isinstance(test, ast.Compare) or len(test.ops) != 1:
            return False
        op, sides = test.ops[0], [test.left, test.comparators[0]]
        none = isinstance(sides[1], ast.Constant) and sides[1].value is None
        named = [isinstance(x, ast.Name) and x.id in names for x in sides]
        if isinstance(op, ast.Is):
            return named[0] and none
        if named[0] == named[1] or not isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
            return False
        t = self.types[sides[named.index(True)].id]
        low = isinstance(op, (ast.Lt, ast.LtE)) == named[0]  # it is the smaller side
        return t.missing == ("-inf" if low else "inf")

    def is_plain(self, value):
        """Surely a number: arithmetic, a constant, a variable that cannot be None."""
        if isinstance(value, ast.Constant):
            return value.value is not None
        if isinstance(value, ast.Name):
            return not isinstance(self.types.get(value.id), Opt)
        if isinstance(value, ast.Subscript):
            return isinstance(value.value, ast.Name) and not isinstance(self.types.get(value.value.id), Tup)
        return isinstance(value, (ast.BinOp, ast.Compare))

    def meet(self, first, there, second):
        """After two branches, each with whether it ended the flow: `there` is from the first, the present one from the second."""
        self.there = there if second and not first else self.there if first else there & self.there
