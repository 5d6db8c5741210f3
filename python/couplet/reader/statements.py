"""Statements: blocks, calls, checks, branches, returns; loops and assignments have files of their own."""

import ast
from contextlib import contextmanager

from .aliases import Aliases
from .assignments import Assignments
from .base import Arr, BOOL, BOTTOM, E, Lst, NONE, Opt, RNG, Refusal, Tup, UNIT, has_truth, holds_list, is_sample, join, taint, type_words
from .expr import RNG_PY, is_text
from .items import Items
from .looks import GROWING, always_jumps, may_jump
from .loops import Loops
from .presence import Presence, facts

SEEDINGS = {"numpy.random.seed", "random.seed"}


class Statements(Assignments, Items, Aliases, Loops, Presence):
    # ---- blocks ---------------------------------------------------------------------------------

    def body(self, statements):
        """Sets self.ended: control does not reach the end."""
        self.ended = False
        for position, s in enumerate(statements):
            if self.ended:
                return
            if self.left_early and not self.under_decided:
                self.under_decided += 1  # for good: what follows is reached if data or noise say so
            rest = statements[position + 1:]
            if isinstance(s, ast.If) and may_jump(s) and rest:
                self.branch_with_rest(s, rest)
                return
            if isinstance(s, (ast.For, ast.While)):
                self.rest_of_function = rest if not self.loop_stack and statements is self.function.body else None
            before = self.count_draws, len(self.deferred)
            self.statement(s)
            if statements is self.function.body and position < getattr(self.function, "init_statements", 0) and \
                    (self.count_draws, len(self.deferred)) != before:
                raise Refusal(s, "noise that __init__ draws is the same in every call of the method: two results together give it away",
                              "draw it in the method")

    def statement(self, s):
        method = getattr(self, "s_" + type(s).__name__, None)
        if method is None:
            raise Refusal(s, "this statement cannot be read", {
                ast.Try: "handle the case before it can fail", ast.With: "take the statements out of the `with`",
                ast.Delete: "use another name", ast.Global: "pass it as an argument", ast.Nonlocal: "pass it as an argument",
                ast.ClassDef: "write functions"}.get(type(s), "docs/python.md lists what can be read"))
        outer, self.current = getattr(self, "current", None), s
        method(s)
        self.current = outer
        if any(isinstance(x, (ast.Return, ast.Yield)) for x in ast.walk(s)):
            self.guarding = False  # what follows is not always reached

    def braced(self, statements, node):
        """The statements of a block; returns whether it ends the flow."""
        before = len(self.lines)
        self.body(statements)
        if len(self.lines) == before:
            self.put("skip;", node)
        return self.ended

    # ---- expressions as statements --------------------------------------------------------------

    def s_Expr(self, s):
        node = s.value
        if isinstance(node, ast.Constant):
            return  # a docstring
        if isinstance(node, ast.Yield):
            return self.yielded(s, node)
        if isinstance(node, ast.Call):
            if self.resolve(node.func) in SEEDINGS or (isinstance(node.func, ast.Attribute) and
                                                       node.func.attr == "seed" and self.generator_kind(node.func.value)):
                return self.check_seeding(node)
            if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and \
                    node.func.attr in GROWING and node.func.value.id in self.growing:
                return self.grow(s, node)
        self.expr(node)
    def yielded(self, s, node):
        if not self.is_mechanism or node.value is None:
            raise Refusal(s, "`yield` can be read in the function with the claim only, with a value")
        e = self.expr(node.value)
        self.want_scalar(e, node)
        joined = join(self.emits, e.type)
        self.emits = joined
        self.put("emit %s;" % self.fit(e, joined).text, s)

    def s_Pass(self, s):
        pass

    def s_Import(self, s):
        self.module.take_import(s)

    s_ImportFrom = s_Import

    def s_FunctionDef(self, s):
        same = [x for x in ast.walk(self.function) if isinstance(x, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and x.name == s.name
                and x is not self.function]
        if len(same) > 1 or s.name in self.assigned or s.name in self.by_name or self.loop_stack or self.depth > 1 or s.decorator_list:
            raise Refusal(s, "a function needs a name of its own here, outside of loops and branches, without a decorator",
                          "define it once, at the beginning")
        self.nested[s.name] = s

    def name_lambda(self, name, node, s):
        """`f = lambda x: ...` is a function."""
        if self.assigned.get(name) != 1 or self.loop_stack or self.depth > 1:
            raise Refusal(s, "a lambda needs a name that is assigned once, outside of loops and branches",
                          "write a function with `def`")
        body = ast.copy_location(ast.Return(node.body), node.body)
        self.nested[name] = ast.copy_location(ast.FunctionDef(name, node.args, [body], []), node)

    # ---- guards ---------------------------------------------------------------------------------

    def s_Assert(self, s):
        self.guard(s, s.test, True)

    def guard(self, s, test, wanted):
        """What must hold, or an exception ends it: an assumption on public arguments."""
        e, lines = self.capture(lambda: self.cond(test))
        if lines or e.private or e.noisy:
            raise Refusal(s, "an exception that depends on the data or on noise tells something about it",
                          "return a value instead")
        if not self.is_mechanism or not self.guarding or self.depth > 1:
            raise Refusal(s, "such a check can be read only in the function with the claim, before it returns anything, and outside "
                          "of loops and branches", "move it to the beginning, or delete it")
        names = {x.id for x in ast.walk(test) if isinstance(x, ast.Name)}
        if any(n in self.assigned and n not in self.constants for n in names):
            raise Refusal(s, "this check is about variables, not about arguments", "check the arguments")
        if e.const is None:
            self.requires.append(e if wanted else self.negate(e))
        elif e.const != wanted:
            raise Refusal(s, "this check always fails, so that the function returns nothing", "change the values that the claim states with `fixed`")

    def s_Raise(self, s):
        raise Refusal(s, "an exception cannot be read here", "return a value instead")

    # ---- branches -------------------------------------------------------------------------------

    def s_If(self, s):
        if len(s.body) == 1 and isinstance(s.body[0], ast.Raise) and not s.orelse:
            return self.guard(s, s.test, False)
        test = self.test_of(s)
        if isinstance(test.const, bool):
            return self.body(s.body if test.const else s.orelse)
        self.put("if %s {" % test.text, s)
        with self.below(test):
            before, self.there = self.there, self.there | facts(s.test, True)
            first, there = self.braced(s.body, s), self.there
            second, self.there = False, before | facts(s.test, False) | self.set_at_first(s)
            if s.orelse:
                self.put("} else {", s)
                second = self.braced(s.orelse, s)
        self.put("}", s)
        self.meet(first, there, second)
        self.ended = first and second

    def test_of(self, s):
        self.first_time = s.test, self.set_at_first(s)
        test = self.cond(s.test)
        self.first_time = None, set()
        return test

    @contextmanager
    def below(self, test):
        """What is assigned below a condition on private data depends on it."""
        step = 1 if test.private and not test.noisy else 0
        self.under_private += step
        with self.decided_by(test):
            yield
        self.under_private -= step

    def branch_with_rest(self, s, rest):
        """A branch that may leave the loop body: what follows belongs to the branches that do not."""
        test = self.test_of(s)
        if isinstance(test.const, bool):
            return self.body((s.body if test.const else s.orelse) + rest)
        self.put("if %s {" % test.text, s)
        with self.below(test):
            before, self.there = self.there, self.there | facts(s.test, True)
            first, there = self.braced(s.body + (rest if not always_jumps(s.body) else []), s), self.there
            self.put("} else {", s)
            self.there = before | facts(s.test, False) | self.set_at_first(s)
            second = self.braced(s.orelse + (rest if not always_jumps(s.orelse) else []), s)
        self.put("}", s)
        self.meet(first, there, second)
        self.ended = first and second

    # ---- the end --------------------------------------------------------------------------------

    def s_Return(self, s):
        if s.value is None or (isinstance(s.value, ast.Constant) and s.value.value is None):
            self.return_nothing(s)
        else:
            self.return_value(s)
        self.ended = True
        self.left_early |= bool(self.under_decided)

    def end_of_function(self):
        self.return_nothing(self.function)

    def return_nothing(self, s):
        self.sees_none = True
        t = self.returns
        if t == UNIT or self.emits != BOTTOM:
            if s is not self.function:
                self.put("return;", s)
            return
        if not isinstance(t, Opt):
            raise Refusal(s, "it returns None here and %s elsewhere" % type_words(t),
                          "return a value everywhere; the end of the function returns None")
        self.put("return (false, %s);" % ("false" if t.elem == BOOL else "0"), s)

    def return_value(self, s):
        value = self.without_keys(s)
        e = self.expr(value)
        if holds_list(e.type) and not self.is_mechanism:  # which arguments the caller may get back
            for root in self.alias_roots(value):
                self.__dict__.setdefault("returned", set()).update(self.one_list(root) & set(self.by_name))
        if self.is_mechanism:
            e = self.tuple_of([self.plain(p) for p in e.parts], s) if isinstance(e.type, Tup) and e.parts else self.plain(e)
        if e.type == NONE:
            return self.return_nothing(s)
        if e.type in (RNG, RNG_PY):
            raise Refusal(s, "a generator cannot be returned")
        if e.type == BOTTOM:
            return
        joined = join(self.value_type, e.type)
        self.returns_truth |= e.const is None and has_truth(e.type)
        if joined is None or not self.is_mechanism and self.returns_truth and self.mixes_truth(self.value_type, e.type):
            raise Refusal(s, "it returns %s here and %s elsewhere" % (type_words(e.type), type_words(self.value_type)),
                          "return the same kind of value everywhere")
        self.value_type = joined
        self.returns_private |= e.private
        self.returns_noisy |= e.noisy
        self.put("return %s;" % self.result_text(e, self.returns, s), s)

    def without_keys(self, s):
        """A dictionary with names as keys is the tuple of its values."""
        node = s.value
        keys = None
        if isinstance(node, ast.Dict) and node.values and all(k is not None and is_text(k) for k in node.keys):
            keys = [k.value for k in node.keys]
            node = ast.copy_location(ast.Tuple(node.values, ast.Load()), node) if len(keys) > 1 else node.values[0]
        if keys != self.result_keys and self.result_keys != []:
            raise Refusal(s, "it returns other keys here than elsewhere", "return the same keys, in the same order, everywhere")
        self.result_keys = keys
        return node

    @property
    def returns(self):
        """What it returns: the values, or None among them."""
        if self.value_type == BOTTOM:
            return UNIT
        if not self.sees_none:
            return self.value_type
        return join(self.value_type, Opt(BOTTOM, "None")) or self.value_type

    def result_text(self, e, t, s):
        if isinstance(t, Opt):
            if isinstance(e.type, Opt):
                return "(%s, %s)" % (e.present, e.text)
            return "(true, %s)" % self.fit(e, t.elem).text
        if isinstance(t, Lst):
            return self.list_text(e, s, t.elem)
        if is_sample(t):
            return self.fit(self.item(e, "0"), t.elem).text
        if isinstance(t, Arr):
            if e.item is not None:
                return self.stored(taint(E("", t, item=lambda k: self.item(e, k)), e), s).text
            return e.text
        if isinstance(t, Tup) and e.parts:
            return "(%s)" % ", ".join(self.result_text(p, want, s) for p, want in zip(e.parts, t.parts))
        return self.fit(e, t).text
