"""Statements: assignments, branches, loops with break and continue, returns."""

import ast
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Callable, Optional

from .base import (BOOL, BOTTOM, FIXED, INT, NONE, P_CMP, P_SUM, REAL, RNG, SCALARS, UNIT, Arr, E, Linear, Lst, Opt, Refusal, Tup,
                   dotted, is_numpy, is_sample, is_sequence, join, taint, type_text, type_words)
from .batch import is_all, without_mask
from .expr import is_text, number
from .noise import RNG_PY

IGNORED_CALLS = {"numpy.random.seed", "random.seed"}
# Functions and methods whose result is a new list or array, or a number. Not among them: those that may return their
# argument or a view of it, such as asarray, ravel, and round (of ints).
NEW = {"list", "tuple", "sorted", "sum", "abs", "max", "min", "len", "int", "float", "bool", "any", "all", "pow", "couplet.declassify"} | {
    "numpy." + w for w in """array copy zeros ones full zeros_like ones_like arange clip minimum maximum where logical_and logical_or logical_not
    diff concatenate append cumsum dot inner sum mean max min amax amin argmax argmin any all prod count_nonzero sort tile sqrt exp log log2 log10
    abs absolute fabs floor ceil sign square add subtract multiply divide true_divide power mod floor_divide""".split()}
NEW_METHODS = set("copy tolist flatten astype clip cumsum dot sum mean max min argmax argmin any all item count".split())
GROWING = ("append", "extend")


@dataclass
class Iteration:
    """What a loop runs over: indices low..high and the item at an index."""
    low: str
    high: str
    item: Callable
    length: Optional[Linear] = None   # if it is known
    is_index: bool = False            # the item is the index itself
    nonneg: bool = True
    source: Optional[E] = None


class Statements:
    # ---- blocks ---------------------------------------------------------------------------------

    def body(self, statements):
        """Sets self.ended: control does not reach the end."""
        self.ended = False
        for position, s in enumerate(statements):
            if self.ended:
                return
            rest = statements[position + 1:]
            if isinstance(s, ast.If) and may_jump(s) and rest:
                self.branch_with_rest(s, rest)
                return
            if isinstance(s, (ast.For, ast.While)):
                self.rest_of_function = rest if not self.loop_stack and statements is self.function.body else None
            self.statement(s)

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

    # ---- assignments ----------------------------------------------------------------------------

    def s_Assign(self, s):
        if len(s.targets) > 1:
            value = self.expr(s.value)
            if holds_list(value.type):
                raise Refusal(s, "two names for one list", "copy it for the second name")
            if value.type in SCALARS and value.const is None:
                name = self.temp("value", value.type)
                self.put("%s := %s;" % (name, value.text), s)
                value = taint(E(name, value.type, nonneg=value.nonneg), value)
            for target in s.targets:
                self.assign(target, value, s)
            return
        target = s.targets[0]
        if isinstance(target, ast.Name):
            self.assign_value(target.id, s.value, s)
        elif isinstance(target, ast.Subscript):
            self.assign_item(target, s.value, s)
        else:
            self.assign(target, self.expr(s.value), s)

    def s_AnnAssign(self, s):
        if s.value is not None:
            self.s_Assign(ast.copy_location(ast.Assign([s.target], s.value), s))

    def s_AugAssign(self, s):
        read = ast.copy_location(ast.Name(s.target.id, ast.Load()), s.target) if isinstance(s.target, ast.Name) else s.target
        if isinstance(s.target, ast.Subscript):
            index, slot = self.slot(s.target, s)
            old = E(slot, index.type.elem, private=index.private, noisy=index.noisy)
            value = self.expr(s.value)
            self.store(index, slot, self.binary(s, s.op, old, value), s, s.target)
            return
        if not isinstance(s.target, ast.Name):
            raise Refusal(s.target, "only variables and items can be assigned", "use a variable")
        old = self.types.get(s.target.id)
        if old is not None and is_sequence(old):
            self.mutate(s.target.id, s)
            if isinstance(old, Lst) or not old.numpy:
                if not isinstance(s.op, ast.Add):
                    raise Refusal(s, "of lists only `+=` can be read")
                self.extend(s.target.id, self.expr(s.value), s)
                return
        self.assign_value(s.target.id, ast.copy_location(ast.BinOp(read, s.op, s.value), s), s)

    def assign_value(self, name, node, s):
        """name = node, where the value can be a sample or a list that is made in its place."""
        if isinstance(node, ast.Lambda):
            return self.name_lambda(name, node, s)
        self.check_assignable(name, s)
        if name in self.counted:
            self.start_counters(name, s)
            return
        if isinstance(node, ast.Call) and self.resolve(node.func) == "numpy.empty":
            return self.finish_assign(name, self.empty_array(name, node, s), node, s)
        mentions = any(isinstance(x, ast.Name) and x.id == name for x in ast.walk(node))
        dp = self.variable(name)
        t = self.types.get(name, BOTTOM)
        if isinstance(node, ast.ListComp) and not mentions and name not in self.growing and not is_numpy(t):
            self.finish_assign(name, self.comprehension(node, dp if not isinstance(t, Lst) else None), node, s)
            return
        if self.is_noise_for_later(name, node, s):
            self.deferred[name] = node
            return
        dist = self.as_draw(node) if not isinstance(t, Opt) else None
        if dist:
            in_place = dist.length is None or not mentions
            e = self.draw(dist, node, dp if in_place and name not in self.growing else None)
            self.finish_assign(name, e, node, s)
            return
        if isinstance(node, ast.Call) and self.resolve(node.func) == "map":
            raise Refusal(node, "map() computes its items later", "write `list(map(...))`")
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            self.check_alias(name, node.value, self.peek(node.value).type, s, True)
        e = self.expr(node)
        if not name.startswith("choice "):
            self.check_alias(name, node, e.type, s, True)
        self.finish_assign(name, e, node, s)

    def is_noise_for_later(self, name, node, s):
        """An array of noise that is read once, in a sum, before anything else is drawn: it is drawn there, around the other
        summand, as it is proved."""
        body = self.function.body
        if self.find_draw(node) is None or self.assigned.get(name) != 1 or name in self.mutated["all"] or s not in body:
            return False
        reads = [x for x in ast.walk(self.function) if isinstance(x, ast.Name) and x.id == name and isinstance(x.ctx, ast.Load)]
        later = body[body.index(s) + 1:]
        use = next((u for u in later if len(reads) == 1 and any(x is reads[0] for x in ast.walk(u))), None)
        if not isinstance(use, (ast.Assign, ast.Return)) or not is_summand(reads[0], use.value):
            return False
        between = later[:later.index(use)]
        names = {x.id for x in ast.walk(node) if isinstance(x, ast.Name)}
        if any(self.has_draw(u) for u in between + [use.value]) or names & (set(assigned_names(between)) | mutated_names(between)["all"]):
            return False
        dist = self.capture(lambda: self.as_draw(node))[0]
        return dist.length is not None and not is_sample(Arr(REAL, dist.length, True, dist.batch))

    def finish_assign(self, name, e, node, s):
        dp = self.variable(name)
        if e.type in (RNG, RNG_PY):
            self.types[name] = e.type
            return
        if e.type == NONE:
            self.learn_variable(name, Opt(BOTTOM, "None"), False, False, s)
        elif is_sequence(e.type):
            self.assign_sequence(name, dp, e, s)
            return
        else:
            self.learn_variable(name, e.type, e.private, e.noisy, s)
        t = self.types[name]
        if t == INT and not e.nonneg:
            self.maybe_negative.add(name)
        if self.names_a_constant(name, e, node):
            self.constants[name] = e
            return
        if isinstance(t, Opt):
            self.assign_optional(name, dp, e, s)
        elif isinstance(t, Tup) and e.parts:
            parts = [self.fit(p, want) for p, want in zip(e.parts, t.parts)]
            self.put("%s := (%s);" % (dp, ", ".join(p.text for p in parts)), s)
        elif e.text != dp:
            self.put("%s := %s;" % (dp, self.fit(e, t).text), s)

    def names_a_constant(self, name, e, node):
        """Assigned once, for the whole function, to what parameters and numbers are made of: the value stands for it."""
        known = e.linear is not None or e.const is not None and not isinstance(e.const, bool) or self.is_public_formula(e, node)
        return known and e.type == self.types[name] and self.assigned.get(name) == 1 and self.depth == 1 and \
            not self.loop_stack and name not in self.by_name

    def is_public_formula(self, e, node):
        """Arithmetic over public numbers: what scales are made of."""
        if e.private or e.noisy or e.type not in (INT, REAL) or len(e.text) > 200:
            return False
        for x in ast.walk(node):
            if isinstance(x, ast.Call) and not (self.resolve(x.func) or "").startswith("math.") and \
                    self.resolve(x.func) not in ("abs", "min", "max", "float", "numpy.sqrt", "numpy.log", "numpy.exp"):
                return False
            if isinstance(x, (ast.Subscript, ast.IfExp, ast.BoolOp, ast.ListComp, ast.GeneratorExp, ast.List)):
                return False
            if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Load) and not self.is_public_number(x.id):
                return False
        return True

    def is_public_number(self, name):
        if name in self.by_name:
            a = self.by_name[name]
            return name not in self.assigned and not a.private and a.type in (INT, REAL, FIXED)
        return name in self.constants or name not in self.assigned and name not in self.bound_names and (
            name in self.module.constants or name in self.module.imports or name in ("abs", "min", "max", "float"))

    def names_an_expression(self, name, e, s):
        """An array that is computed item by item from what never changes, and read once: it needs no variable."""
        if not is_numpy(e.type) or e.item is None or self.types[name] != e.type or self.depth > 1 or self.loop_stack or \
                not isinstance(s, ast.Assign) or self.assigned.get(name) != 1 or name in self.mutated["all"] or name in self.by_name:
            return False
        reads = [x for x in ast.walk(self.function) if isinstance(x, ast.Name) and x.id == name and isinstance(x.ctx, ast.Load)]
        sources = [x.id for x in ast.walk(s.value) if isinstance(x, ast.Name)]
        return len([x for x in reads if not self.is_length(x)]) <= 1 and not any(n in self.mutated["all"] or (
            n in self.assigned and n not in self.constants) for n in sources)

    def names_an_argument(self, name, e, s):
        """An argument under another name, neither of them ever changed: `x = np.asarray(a)`."""
        return isinstance(e.type, Arr) and e.item is None and self.types[name] == e.type and self.depth == 1 and not self.loop_stack and \
            isinstance(s, ast.Assign) and self.assigned.get(name) == 1 and name not in self.mutated["all"] and any(
                a.dp == e.text and a.name not in self.assigned and a.name not in self.mutated["all"] for a in self.arguments)

    def is_length(self, name):
        """`len(x)` needs no items."""
        return any(isinstance(c, ast.Call) and isinstance(c.func, ast.Name) and c.func.id == "len" and name in c.args
                   for c in ast.walk(self.function))

    def assign_optional(self, name, dp, e, s):
        there = self.variable(name + " is there")
        if e.type == NONE or (isinstance(e.type, Opt) and e.present == "false"):
            self.put("%s := 0;" % dp if self.types[name].elem != BOOL else "%s := false;" % dp, s)
            self.put("%s := false;" % there, s)
        elif isinstance(e.type, Opt):
            self.put("(%s, %s) := (%s, %s);" % (dp, there, e.text, e.present), s)
        else:
            self.put("%s := %s;" % (dp, self.fit(e, self.types[name].elem).text), s)
            self.put("%s := true;" % there, s)

    def assign_sequence(self, name, dp, e, s):
        t = e.type
        if name in self.growing and is_numpy(t):
            raise Refusal(s, "an array does not grow; `%s` does" % name, "start with a list")
        if name in self.growing or isinstance(t, Lst):
            t = Lst(t.elem)
        self.learn_variable(name, t, e.private, e.noisy, s)
        if self.names_an_expression(name, e, s) or self.names_an_argument(name, e, s):
            self.constants[name] = e
            return
        t = self.types[name]
        if not self.loop_stack and self.depth == 1:
            self.fresh.add(name)
        if isinstance(t, Lst):
            text = self.list_text(e, s, t.elem)
            if text != dp:
                self.put("%s := %s;" % (dp, text), s)
        elif e.item is None and e.text == dp:
            pass
        elif is_sample(t):
            self.put("%s := %s;" % (dp, self.fit(self.item(e, "0"), t.elem).text), s)
        elif e.item is None and e.type == t:
            self.put("%s := %s;" % (dp, e.text), s)
        else:
            source = e
            self.stored(taint(E("", t, item=lambda k: self.item(source, k)), e), s, dp)

    def assign(self, target, e, s):
        """A value that is there already, to any kind of target."""
        if isinstance(target, ast.Name):
            self.check_assignable(target.id, s)
            self.check_alias(target.id, s.iter if isinstance(s, ast.For) else s.value, e.type, s)
            self.finish_assign(target.id, e, s, s)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self.unpack(target, e, s)
        elif isinstance(target, ast.Subscript):
            whole, slot = self.slot(target, s)
            self.store(whole, slot, e, s, target)
        else:
            raise Refusal(target, "only variables and items can be assigned", "use a variable")

    def unpack(self, target, e, s):
        if any(isinstance(t, ast.Starred) for t in target.elts):
            return self.unpack_rest(target, e, s)
        parts = e.parts
        if parts is None and isinstance(e.type, Tup):
            parts = [taint(E("%s.%d" % (e.text, i + 1), p), e) for i, p in enumerate(e.type.parts)]
        if parts is None:
            raise Refusal(s, "only tuples can be unpacked here", "assign the items one by one")
        if len(parts) != len(target.elts):
            raise Refusal(s, "%d values for %d names" % (len(parts), len(target.elts)))
        names = [t.id for t in target.elts if isinstance(t, ast.Name)]
        absent = lambda p: p.type == NONE or isinstance(p.type, Opt) and p.present == "false"
        empty = lambda p: is_sequence(p.type) and p.parts == []
        if any((is_sequence(p.type) and not empty(p)) or isinstance(p.type, Opt) and not absent(p) for p in parts):
            raise Refusal(s, "lists and optional values cannot be assigned together with others", "assign them one by one")
        plain = all(p.type in SCALARS + (BOTTOM,) or isinstance(p.type, Tup) for p in parts)
        if plain and len(names) == len(set(names)) == len(parts) and not any(isinstance(self.types.get(n), Opt) for n in names):
            self.unpack_names(target, parts, s)
            return
        held = []
        for p in parts:  # all values before the first assignment
            if p.type in SCALARS and p.const is None:
                name = self.temp("part", p.type)
                self.put("%s := %s;" % (name, p.text), s)
                p = taint(E(name, p.type, nonneg=p.nonneg), p)
            held.append(p)
        for t, p in zip(target.elts, held):
            self.assign(t, p, s)

    def unpack_rest(self, target, e, s):
        """first, second, *rest = xs"""
        *firsts, last = target.elts
        if any(isinstance(t, ast.Starred) for t in firsts) or not isinstance(last.value, ast.Name) or not isinstance(e.type, Arr) or e.type.batch:
            raise Refusal(target, "`*` can be read behind the other names, for a list whose length is known", "use slices")
        count = Linear({}, len(firsts))
        if not self.is_nonneg(e.type.length - count):
            raise Refusal(s, "whether there are so many items is not clear: is %s >= 0?" % (e.type.length - count).text(),
                          "say so in the claim: `requires=\"%s >= %d\"`" % (e.type.length.text(), len(firsts)))
        names = {t.id for t in firsts if isinstance(t, ast.Name)} | {last.value.id}
        if any(isinstance(x, ast.Name) and x.id in names for x in ast.walk(s.value)):
            raise Refusal(s, "the names on the left are read on the right", "use other names")
        e = e if e.item is None else self.stored(e, s)
        for position, t in enumerate(firsts):
            self.assign(t, self.item(e, str(position)), s)
        rest = E("", Arr(e.type.elem, e.type.length - count, False), item=lambda k: self.item(e, self.shifted(k, count)))
        self.assign(last.value, taint(rest, e), s)

    def unpack_names(self, target, parts, s):
        if all(p.linear is not None or p.const is not None for p in parts) and \
                all(self.assigned.get(t.id) == 1 for t in target.elts):
            for t, p in zip(target.elts, parts):  # constants: the order does not matter
                self.assign(t, p, s)
            return
        for t, p in zip(target.elts, parts):
            self.check_assignable(t.id, s)
            self.check_alias(t.id, s.iter if isinstance(s, ast.For) else s.value, p.type, s)
            self.learn_variable(t.id, p.type, p.private, p.noisy, s)
            if p.type == INT and not p.nonneg:
                self.maybe_negative.add(t.id)
        left = ", ".join(self.variable(t.id) for t in target.elts)
        right = ", ".join(self.fit(p, self.types[t.id]).text for t, p in zip(target.elts, parts))
        self.put("(%s) := (%s);" % (left, right), s)

    def check_assignable(self, name, s):
        if name in self.bound_names:
            raise Refusal(s, "`%s` is the variable of a comprehension" % name)

    # ---- items ----------------------------------------------------------------------------------

    def slot(self, target, s):
        """The array and the text of the item that is assigned."""
        if not isinstance(target.value, ast.Name) or isinstance(target.slice, (ast.Slice, ast.Tuple)):
            raise Refusal(target, "only one item of a variable can be assigned at a time", "use a loop")
        name = target.value.id
        self.mutate(name, s)
        whole = self.expr(target.value)
        if whole.type == BOTTOM:
            return E("?", Arr(BOTTOM, Linear(), False)), "?"
        if isinstance(whole.type, Lst):
            raise Refusal(s, "an item of a list that grows cannot be assigned", "make it with `[0] * n`")
        self.want_sequence(whole, target)
        index = self.expr(target.slice)
        return whole, "%s[%s]" % (whole.text, self.index_text(target.slice, index, whole))

    def assign_masked(self, target, mask, value, s):
        """a[mask] = x"""
        name = target.value.id
        self.mutate(name, s)
        whole = self.expr(target.value)
        if whole.type == BOTTOM or mask.type == BOTTOM or value.type == BOTTOM:
            return
        mask = self.mask(target, whole, mask)
        if is_sample(whole.type):
            self.put("if %s {" % mask.text, s)
            with self.below(mask):
                self.store(whole, whole.text, self.plain(value), s, target)
            self.put("}", s)
            return
        at = lambda k: value
        if is_sequence(value.type):
            self.mask(s, value, mask)
            at = lambda k: self.item(value, k)
        k = self.index_name()
        self.put("for %s in 0..%s {" % (k, whole.type.length.text()), s)
        self.put("if %s[%s] {" % (mask.text, k), s)
        self.store(whole, "%s[%s]" % (whole.text, k), at(k), s, target)
        self.put("}", s)
        self.put("}", s)
        self.free_index(k)
        if mask.private and not mask.noisy:
            self.private.add(name)

    def assign_item(self, target, node, s):
        if self.is_batch_target(target):
            return self.assign_batch(target, node, s)
        if isinstance(target.value, ast.Name) and not isinstance(target.slice, (ast.Slice, ast.Tuple)) and \
                is_sequence(self.peek(target.slice).type):
            value = self.expr(without_mask(node, target.slice))
            return self.assign_masked(target, self.expr(target.slice), value, s)
        if self.has_draw(node) or not self.has_draw(target.slice):
            dist = None
            if not self.has_draw(target.slice):
                dist = self.as_draw(node)
            if dist and dist.length is None:
                whole, slot = self.slot(target, s)
                e = self.draw(dist, node, slot)
                self.store(whole, slot, e, s, target)
                return
            value = self.draw(dist, node) if dist else self.expr(node)
        else:
            value = self.expr(node)
        whole, slot = self.slot(target, s)
        self.store(whole, slot, value, s, target)

    def store(self, whole, slot, value, s, target):
        self.want_scalar(value, s)
        value = self.num(value) if isinstance(value.type, Opt) else value
        name = target.value.id
        t = self.types.get(name)
        if t is None or value.type == BOTTOM or whole.type.elem == BOTTOM and not is_sequence(t):
            return
        if t.numpy and t.elem == INT and value.type == REAL:
            raise Refusal(s, "numpy would cut the digits of this number off: the array has ints", "make it with dtype=float")
        if t.numpy and t.elem == BOOL and value.type != BOOL:
            raise Refusal(s, "the array has truth values, and this is %s" % type_words(value.type))
        elem = t.elem if t.numpy else join(t.elem, value.type)
        self.learn_variable(name, Arr(elem, t.length, t.numpy, t.batch), value.private, value.noisy, s)
        if value.text != slot:
            self.put("%s := %s;" % (slot, self.fit(value, elem).text), s)

    def mutate(self, name, s):
        if name in self.by_name and name not in self.fresh:
            raise Refusal(s, "this changes the list of the caller", "copy it first: `%s = list(%s)`" % (name, name))

    # Lists are values in the translation: two names for one list are read only if nobody changes it. Which names may be
    # one list is collected over all passes, whatever the order of the statements.

    def check_alias(self, name, node, t, s, alone=False):
        """`alone`: the name is all that gets the value."""
        if not holds_list(t):
            return
        found = self.__dict__.setdefault("aliases", set())
        for root in sorted(self.alias_roots(node)):
            if not self.may_hold_list(root) or root == name and root not in self.by_name:
                continue
            found.add((name, root))
            if not (alone and self.is_given_up(root, s)) and self.one_list(name) & self.mutated["all"]:
                what = "`%s` and `%s` are one list, and one of them is changed later" % (name, root) if root != name else \
                    "`%s` is still the list of the caller, and is changed later" % name
                raise Refusal(s, what, "copy it: `%s.copy()`, `list(%s)`" % (root, root))

    def may_hold_list(self, name):
        types = [self.types.get(name), self.by_name[name].type if name in self.by_name else None]
        return any(t is not None and holds_list(t) for t in types)

    def one_list(self, name):
        """The names that may be the same list as this one."""
        group, size = {name}, 0
        while len(group) > size:
            size = len(group)
            for pair in self.__dict__.setdefault("aliases", set()):
                if group & set(pair):
                    group |= set(pair)
        return group

    def alias_roots(self, node):
        """Names of lists that the value may be, or hold, or be a part of: all in it, unless it is known to be new."""
        if isinstance(node, (ast.Constant, ast.UnaryOp, ast.Compare, ast.ListComp, ast.GeneratorExp)):
            return set()
        if isinstance(node, ast.BinOp) and is_plain_list(self.peek(node).type):
            return set()
        if isinstance(node, ast.IfExp):
            return self.alias_roots(node.body) | self.alias_roots(node.orelse)
        if isinstance(node, (ast.Tuple, ast.List)):
            return {root for x in node.elts for root in self.alias_roots(x)}
        if isinstance(node, ast.Subscript):
            if not holds_list(self.peek(node).type):
                return set()
            if not isinstance(node.slice, (ast.Slice, ast.Tuple)) and is_sequence(self.peek(node.slice).type):
                return set()  # what a mask selects is copied
            return self.alias_roots(node.value)
        if isinstance(node, ast.Call):
            shared = self.__dict__.get("shared", {}).get(node)
            if shared is not None and self.own_function(node.func) is not None:
                return {root for x in shared.values() for root in self.alias_roots(x)}
            if self.is_new(node):
                return set()
        return self.names_in(node)

    def names_in(self, node):
        """With those that functions inside this one read."""
        names, todo = set(), [node]
        while todo:
            more = {x.id for x in ast.walk(todo.pop()) if isinstance(x, ast.Name)} - names
            names |= more
            todo += [self.nested[n] for n in more if n in self.nested]
        return names

    def is_new(self, node):
        """Does the call return a list that nobody else has?"""
        if self.own_function(node.func) is not None:
            return False
        if self.find_draw(node):
            return True
        if any(k.arg == "copy" and not (isinstance(k.value, ast.Constant) and k.value.value is True) for k in node.keywords):
            return False
        name = self.resolve(node.func)
        if name in ("list", "tuple", "sorted") and node.args and isinstance(node.args[0], (ast.Name, ast.Attribute, ast.Subscript)):
            return is_plain_list(self.peek(node.args[0]).type)
        return name in NEW or isinstance(node.func, ast.Attribute) and not self.is_of_a_module(node.func) and node.func.attr in NEW_METHODS

    def is_given_up(self, root, s):
        """Is a list of this function not looked at again behind the statement, so that it has one name as before?"""
        body = self.function.body
        if root in self.by_name or s not in body:
            return False
        later = body[body.index(s) + 1:] + [x for x in ast.walk(self.function) if isinstance(x, (ast.FunctionDef, ast.Lambda))
                                            and x is not self.function]
        return not any(isinstance(x, ast.Name) and x.id == root for part in later for x in ast.walk(part))

    # An array from np.empty() may hold anything: it is read where the next thing that happens to it is a loop that sets
    # all of its items.

    def empty_array(self, name, node, s):
        given, t = self.shaped(node, ["shape"])
        e = self.filled(node, given["shape"], number(0), t or REAL)
        if not self.is_set_next(name, e, s):
            raise Refusal(node, "what is in an empty array is anything", "write `np.zeros(...)`")
        return e

    def is_set_next(self, name, e, s):
        mentioned = lambda node: any(isinstance(x, ast.Name) and x.id == name for x in ast.walk(node))
        body = self.function.body
        rest = [x for x in body[body.index(s) + 1:] if mentioned(x)] if s in body else []
        loop = rest[0] if rest else None
        if not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Name) or not isinstance(loop.iter, ast.Call) or \
                dotted(loop.iter.func) != "range" or breaks(loop):
            return False
        it = self.peek_range(loop.iter)
        if it is None or it.low != "0" or it.length != e.type.length:
            return False
        for x in loop.body:
            if jumps(x) or any(isinstance(y, ast.Return) for y in ast.walk(x)):
                return False
            if mentioned(x):
                return isinstance(x, ast.Assign) and len(x.targets) == 1 and not mentioned(x.value) and \
                    sets_item(x.targets[0], name, loop.target.id)
        return False

    def peek_range(self, node):
        it = self.capture(lambda: self.range_of(node))[0]
        return it if it.is_index else None

    def extend(self, name, e, s):
        self.want_sequence(e, s)
        old = self.types.get(name, BOTTOM)
        if not isinstance(old, Lst) and old != BOTTOM:
            raise Refusal(s, "`%s` is no list that grows" % name)
        self.learn_variable(name, Lst(e.type.elem), e.private, e.noisy, s)
        dp = self.variable(name)
        self.put("%s := %s ++ %s;" % (dp, dp, self.list_text(e, s, self.types[name].elem)), s)

    # ---- expressions as statements --------------------------------------------------------------

    def s_Expr(self, s):
        node = s.value
        if isinstance(node, ast.Constant):
            return  # a docstring
        if isinstance(node, ast.Yield):
            return self.yielded(s, node)
        if isinstance(node, ast.Call):
            if self.resolve(node.func) in IGNORED_CALLS or (isinstance(node.func, ast.Attribute) and
                                                            node.func.attr == "seed" and self.generator_kind(node.func.value)):
                return
            if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and \
                    node.func.attr in GROWING and node.func.value.id in self.growing:
                return self.grow(s, node)
        self.expr(node)

    # A list that is only appended to and counted is the counts.

    def counter(self, name, value):
        return self.variable("%s counts %s" % (name, value))

    def read_counter(self, node, name):
        value = self.only(node).value
        return E(self.counter(name, value), INT, nonneg=True, private=name in self.private,
                 noisy=name in self.noisy and name not in self.quiet)

    def start_counters(self, name, s):
        for value in sorted(self.counted[name], key=repr):
            self.put("%s := 0;" % self.counter(name, value), s)

    def count_item(self, name, node, s):
        e = self.scalar(self.only(node))
        for value in sorted(self.counted[name], key=repr):
            same = self.compare(node, ast.Eq(), e, number(value), node)
            if e.const is not None:
                same = number(e.const == value)
            if same.const is False:
                continue
            counter = self.counter(name, value)
            if same.const is None:
                self.put("if %s {" % same.text, s)
            self.put("%s := %s + 1;" % (counter, counter), s)
            if same.const is None:
                self.put("}", s)
        self.learn_variable(name, Lst(e.type), e.private and not e.noisy, False, s)

    def grow(self, s, node):
        name = node.func.value.id
        if name in self.counted:
            return self.count_item(name, node, s)
        self.mutate(name, s)
        if node.func.attr == "extend":
            arg = self.only(node)
            return self.extend(name, self.comprehension(arg) if isinstance(arg, ast.GeneratorExp) else self.expr(arg), s)
        e = self.expr(self.only(node))
        if e.type == NONE or isinstance(e.type, Opt):
            raise Refusal(node, "None in a list cannot be read", "append a number that stands for it")
        if holds_list(e.type):
            raise Refusal(node, "lists of lists cannot be read", "only lists of one dimension are read")
        old = self.types.get(name, BOTTOM)
        if isinstance(old, Lst) and isinstance(e.type, Tup) != isinstance(old.elem, Tup) and old.elem != BOTTOM:
            raise Refusal(node, "the items of `%s` have different kinds" % name)
        self.learn_variable(name, Lst(e.type), e.private, e.noisy, s)
        dp = self.variable(name)
        elem = self.types[name].elem
        text = "(%s)" % ", ".join(self.member(p, t).text for p, t in zip(e.parts, elem.parts)) \
            if isinstance(elem, Tup) and e.parts else self.member(e, elem).text
        self.put("%s := %s ++ [%s];" % (dp, dp, text), s)

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

    def s_Raise(self, s):
        raise Refusal(s, "an exception cannot be read here", "return a value instead")

    # ---- branches -------------------------------------------------------------------------------

    def s_If(self, s):
        if len(s.body) == 1 and isinstance(s.body[0], ast.Raise) and not s.orelse:
            return self.guard(s, s.test, False)
        test = self.cond(s.test)
        if isinstance(test.const, bool):
            return self.body(s.body if test.const else s.orelse)
        self.put("if %s {" % test.text, s)
        with self.below(test):
            first = self.braced(s.body, s)
            second = False
            if s.orelse:
                self.put("} else {", s)
                second = self.braced(s.orelse, s)
        self.put("}", s)
        self.ended = first and second

    @contextmanager
    def below(self, test):
        """What is assigned below a condition on private data depends on it."""
        step = 1 if test.private and not test.noisy else 0
        self.under_private += step
        yield
        self.under_private -= step

    def branch_with_rest(self, s, rest):
        """A branch that may leave the loop body: what follows belongs to the branches that do not."""
        test = self.cond(s.test)
        if isinstance(test.const, bool):
            return self.body((s.body if test.const else s.orelse) + rest)
        self.put("if %s {" % test.text, s)
        with self.below(test):
            first = self.braced(s.body + (rest if not always_jumps(s.body) else []), s)
            self.put("} else {", s)
            second = self.braced(s.orelse + (rest if not always_jumps(s.orelse) else []), s)
        self.put("}", s)
        self.ended = first and second

    # ---- loops ----------------------------------------------------------------------------------

    def s_For(self, s):
        inline = self.inline_rest(s)
        self.check_loop_source(s)
        if isinstance(s.iter, ast.Call) and self.resolve(s.iter.func) == "map":
            raise Refusal(s.iter, "map() computes its items while the loop runs", "write `list(map(...))`")
        it = self.iteration(s.iter, s)
        if it.length == Linear({}, 1) and not breaks(s) and not jumps_in(s.body) and not s.orelse:
            self.assign_target(s.target, it.item(it.low), s)
            return self.body(s.body)
        has_break = breaks(s) and inline is None
        stop = None
        if has_break:
            stop = self.temp("stop", BOOL)
            self.put("%s := false;" % stop, s)
        direct = isinstance(s.target, ast.Name) and it.is_index and s.target.id in self.loop_only
        k = self.variable(s.target.id) if direct and not has_break else self.index_name()
        if has_break:
            position = self.temp("at", INT)
            self.put("%s := %s;" % (position, it.low), s)
            condition = "%s < %s and not %s" % (position, it.high, stop)
            self.put("while declassify(%s) {" % condition, s)
            index = position
        else:
            self.put("for %s in %s..%s {" % (k, it.low, it.high), s)
            index = k
        outer = dict(self.bound_names)
        if direct and not has_break:
            e = E(k, INT, nonneg=it.nonneg)
            self.bound_names[s.target.id] = e
        else:
            self.assign_target(s.target, it.item(index), s)
        self.loop_body(s, stop, inline)
        if has_break:
            self.put("%s := %s + 1;" % (position, position), s)
        self.put("}", s)
        if not (direct and not has_break):
            self.free_index(k)
        self.bound_names = outer
        self.ended = False
        self.loop_else(s, stop)

    def loop_else(self, s, stop):
        """What follows a loop that no break left."""
        if not s.orelse:
            return
        if stop is None:
            return self.body(s.orelse)
        self.put("if not %s {" % stop, s)
        with self.below(E(stop, BOOL, private=stop in self.private)):
            self.braced(s.orelse, s)
        self.put("}", s)
        self.ended = False

    def assign_target(self, target, e, s):
        if isinstance(target, ast.Name) and not target.id == "_":
            return self.assign(target, e, s)
        if isinstance(target, ast.Name):
            return
        if isinstance(target, (ast.Tuple, ast.List)) and e.parts and len(e.parts) == len(target.elts):
            for t, part in zip(target.elts, e.parts):
                self.assign_target(t, part, s)
            return
        raise Refusal(target, "the target does not fit what is iterated over")

    def loop_body(self, s, stop, inline):
        self.loop_stack.append((stop, inline))
        before = len(self.lines)
        self.body(s.body)
        if len(self.lines) == before:
            self.put("skip;", s)
        self.loop_stack.pop()

    def inline_rest(self, s):
        """What follows the loop, if `break` can simply do that and return."""
        rest = getattr(self, "rest_of_function", None)
        self.rest_of_function = None
        if not breaks(s) or rest is None or len(rest) > 3 or s.orelse:
            return None
        if any(isinstance(x, (ast.For, ast.While, ast.ListComp, ast.GeneratorExp, ast.Call)) for r in rest for x in ast.walk(r)):
            return None
        return rest

    def check_loop_source(self, s):
        names = {x.id for x in ast.walk(s.iter) if isinstance(x, ast.Name)}
        changed = set()
        for child in s.body:
            changed |= set(assigned_names([child])) | mutated_names([child])["all"]
        for name in names & changed:
            t = self.types.get(name)
            if t is None or is_sequence(t) or isinstance(t, Tup):
                raise Refusal(s, "`%s` is changed while the loop runs over it" % name, "run over a copy")

    def s_While(self, s):
        inline = self.inline_rest(s)
        stop = None
        if breaks(s) and inline is None:
            stop = self.temp("stop", BOOL)
            self.put("%s := false;" % stop, s)
        test, lines = self.capture(lambda: self.cond(s.test))
        go = None
        if lines:
            go = self.temp("go", BOOL)
            test = self.cond(s.test)
            self.put("%s := %s;" % (go, test.text), s)
            condition = go
        else:
            condition = test.text
        forever = test.const is True
        if stop:
            condition = "not %s" % stop if forever else "%s and not %s" % (
                "(%s)" % condition if test.prec < P_CMP and not go else condition, stop)
        if test.private or self.under_private or stop:
            condition = "declassify(%s)" % condition
        self.put("while %s {" % condition, s)
        with self.below(test):
            self.loop_body(s, stop, inline)
        if go and (not self.ended or jumps_in(s.body)):
            if stop:  # the condition is not looked at again
                self.put("if not %s {" % stop, s)
            again = self.cond(s.test)
            self.put("%s := %s;" % (go, again.text), s)
            if stop:
                self.put("}", s)
        self.put("}", s)
        self.ended = forever and (not breaks(s) or inline is not None)
        if not self.ended:
            self.loop_else(s, stop)

    def s_Break(self, s):
        stop, inline = self.loop_stack[-1]
        if inline is not None:
            saved, self.loop_stack = self.loop_stack, []
            self.body(inline)
            if not self.ended:
                self.return_nothing(s)
            self.loop_stack = saved
        else:
            self.put("%s := true;" % stop, s)
            if self.under_private:
                self.private.add(stop)
        self.ended = True

    def s_Continue(self, s):
        self.ended = True
        self.put("skip;", s)

    # ---- what a loop runs over ------------------------------------------------------------------

    def iteration(self, node, s=None):
        if isinstance(node, ast.Call) and self.resolve(node.func) == "itertools.zip_longest":
            return self.iterate_zip_longest(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in self.types:
            if node.func.id == "range":
                return self.range_of(node)
            if node.func.id in ("enumerate", "zip", "reversed"):
                return getattr(self, "iterate_" + node.func.id)(node)
        if isinstance(node, ast.Tuple):
            node = ast.copy_location(ast.List(node.elts, ast.Load()), node)
        if isinstance(node, ast.Attribute) and node.attr == "T":
            whole, item = self.columns(node)
            return Iteration("0", whole.type.length.text(), item, whole.type.length)
        e = self.expr(node)
        if e.type == BOTTOM:
            self.unknown(node)
            return Iteration("0", "0", lambda k: E("?", BOTTOM))
        self.want_sequence(e, node)
        if isinstance(e.type, Arr) and e.type.batch:  # the only sample
            e = self.stored(e, node)
            return Iteration("0", "1", lambda k: self.plain(e), Linear({}, 1))
        if e.item is not None and e.parts is None:
            e = self.stored(e, node)
        elif e.parts is not None:
            e = self.stored(E("", e.type, item=e.item, parts=e.parts), node) if e.parts else e
        length = e.type.length if isinstance(e.type, Arr) else None
        return Iteration("0", self.public(self.length(e)), lambda k: self.item(e, k), length, source=e)

    def range_of(self, node):
        if any(k.arg != "dtype" for k in node.keywords) or not 1 <= len(node.args) <= 3:
            raise Refusal(node, "a range has one to three arguments")
        values = [self.expr(a) for a in node.args]
        for e, a in zip(values, node.args):
            if e.type not in (INT, BOTTOM):
                raise Refusal(a, "a range needs ints, not %s" % type_words(e.type), "annotate the argument as int")
        low, high = (number(0), values[0]) if len(values) == 1 else values[:2]
        low = number(low.const) if isinstance(low.const, int) else low
        step = values[2].const if len(values) == 3 else 1
        if not isinstance(step, int) or step == 0:
            raise Refusal(node, "the step of a range must be a constant that is not 0")
        public = lambda e: e.at(P_SUM) if self.public(e) == e.text else self.public(e)
        if step == 1:
            length = high.linear - low.linear if high.linear and low.linear else None
            if length is not None and not self.is_nonneg(length):
                length = None
            item = lambda k: E(k, INT, 14 if k.isalnum() or k.isidentifier() else P_SUM, nonneg=low.nonneg, const=int(k) if k.isdigit() else None)
            return Iteration(public(low), public(high), item, length, is_index=True, nonneg=low.nonneg)
        span = "%s - %s" % ((high.at(P_SUM), low.at(10)) if step > 0 else (low.at(P_SUM), high.at(10)))
        length = None
        if isinstance(low.const, int) and isinstance(high.const, int):
            length = Linear({}, len(range(low.const, high.const, step)))
        count = "max(0, (%s + %d) div %d)" % (span, abs(step) - 1, abs(step))
        if length is not None:
            count = str(length.constant)
        if low.private or high.private:
            count = "declassify(%s)" % count
        item = lambda k: E("%s %s %d*%s" % (low.at(P_SUM), "+" if step > 0 else "-", abs(step), k), INT, P_SUM,
                           nonneg=low.nonneg and step > 0 or high.nonneg and step < 0)
        return Iteration("0", count, item, length)

    def iterate_enumerate(self, node):
        start = number(0)
        if not 1 <= len(node.args) + len(node.keywords) <= 2 or not node.args or any(k.arg != "start" for k in node.keywords):
            raise Refusal(node, "enumerate() takes a list and perhaps a start")
        if len(node.args) == 2 or node.keywords:
            start = self.expr(node.args[1] if len(node.args) == 2 else node.keywords[0].value)
        it = self.iteration(node.args[0])

        def item(k):
            base = E(k, INT, 14 if k.isidentifier() else P_SUM, nonneg=True)
            if it.low != "0":
                base = E("%s - %s" % (k, it.low), INT, P_SUM, nonneg=True)
            index = base if start.const == 0 else self.binary(node, ast.Add(), start, base)
            return self.tuple_of([index, it.item(k)], node)
        return Iteration(it.low, it.high, item, it.length)

    def iterate_zip(self, node):
        if node.keywords or len(node.args) < 2:
            raise Refusal(node, "zip() takes two or more lists here")
        its = [self.iteration(a) for a in node.args]
        lengths = {it.length for it in its}
        if any(it.low != "0" for it in its):
            raise Refusal(node, "zip() of a range that does not start at 0 cannot be read")
        high = its[0].high
        if len(lengths) > 1 or None in lengths:
            for it in its[1:]:
                high = "min(%s, %s)" % (high, it.high)
        length = its[0].length if len(lengths) == 1 else None
        return Iteration("0", high, lambda k: self.tuple_of([it.item(k) for it in its], node), length)

    def iterate_zip_longest(self, node):
        """Of the shorter ones None."""
        if node.keywords or len(node.args) < 2:
            raise Refusal(node, "zip_longest() takes two or more lists here, without a fill value")
        its = [self.iteration(a) for a in node.args]
        if any(it.low != "0" for it in its):
            raise Refusal(node, "zip_longest() of a range that does not start at 0 cannot be read")
        high = its[0].high
        for it in its[1:]:
            high = "max(%s, %s)" % (high, it.high)

        def part(it, k):
            item = it.item(k)
            if item.type not in SCALARS:
                return item
            none = "false" if item.type == BOOL else "0"
            e = E("if %s < %s then %s else %s" % (k, it.high, item.text, none), Opt(item.type, "None"), 0,
                  present="%s < %s" % (k, it.high))
            return taint(e, item)
        return Iteration("0", high, lambda k: self.tuple_of([part(it, k) for it in its], node))

    def iterate_reversed(self, node):
        it = self.iteration(self.only(node))
        back = lambda k: it.item("%s - 1 - %s" % (it.high if it.high.isalnum() or it.high.isidentifier() else "(%s)" % it.high, k)
                                 if it.low == "0" else "%s + %s - 1 - %s" % (it.low, it.high, k))
        out = lambda k: self.index_sum(back(k))
        return Iteration(it.low, it.high, out, it.length)

    def index_sum(self, e):
        if e.type == INT and e.const is None and not e.text.endswith("]"):
            e.prec = P_SUM
        return e

    # ---- the end --------------------------------------------------------------------------------

    def s_Return(self, s):
        if s.value is None or (isinstance(s.value, ast.Constant) and s.value.value is None):
            self.return_nothing(s)
        else:
            self.return_value(s)
        self.ended = True

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
        if joined is None:
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


# ---- what a piece of code does, by its looks ------------------------------------------------------


def assigned_names(statements):
    """{name: number of places that assign it}; the targets of comprehensions are not variables."""
    found = {}

    def visit(node):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            return
        if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
            return
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id] = found.get(node.id, 0) + 1
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] = found.get(node.target.id, 0) + 1
        for child in ast.iter_child_nodes(node):
            visit(child)
    for s in statements:
        visit(s)
    return found


def mutated_names(statements):
    """Names of lists that are changed in place: all of them, and those that grow."""
    every, grown = set(), set()
    for s in statements:
        for node in ast.walk(s):
            if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for target in targets:
                    for sub in ast.walk(target):
                        if isinstance(sub, ast.Subscript) and isinstance(sub.value, ast.Name):
                            every.add(sub.value.id)
                if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                    every.add(node.target.id)
                    if isinstance(node.value, (ast.List, ast.ListComp)):
                        grown.add(node.target.id)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and \
                    isinstance(node.func.value, ast.Name) and node.func.attr in GROWING:
                every.add(node.func.value.id)
                grown.add(node.func.value.id)
    return {"all": every, "grown": grown}


def counted_names(function):
    """{list: constants}: lists that start empty and are only appended to and counted."""
    found, parents = {}, {}
    for node in ast.walk(function):
        for child in ast.iter_child_nodes(node):
            parents[child] = node
    bad = {a.arg for a in function.args.args}
    for node in ast.walk(function):
        if not isinstance(node, ast.Name):
            continue
        parent = parents[node]
        if isinstance(node.ctx, ast.Store):
            if not (isinstance(parent, ast.Assign) and len(parent.targets) == 1 and isinstance(parent.value, ast.List) and
                    not parent.value.elts):
                bad.add(node.id)
            continue
        call = parents.get(parent)
        is_method = isinstance(parent, ast.Attribute) and isinstance(call, ast.Call) and call.func is parent and \
            len(call.args) == 1 and not call.keywords
        if is_method and parent.attr == "append":
            continue
        if is_method and parent.attr == "count" and isinstance(call.args[0], ast.Constant) and \
                isinstance(call.args[0].value, (bool, int)):
            found.setdefault(node.id, set()).add(call.args[0].value)
            continue
        bad.add(node.id)
    return {n: v for n, v in found.items() if n not in bad}


def holds_list(t):
    """A list or array, or something with one in it."""
    return is_sequence(t) or isinstance(t, Tup) and any(holds_list(p) for p in t.parts) or isinstance(t, Opt) and holds_list(t.elem)


def is_plain_list(t):
    """Of numbers, with one axis: or a number."""
    return t in SCALARS or is_sequence(t) and not holds_list(t.elem) and not isinstance(t.elem, Tup) and not getattr(t, "batch", "")


def is_summand(name, node):
    """Is it a summand in this value, which is computed from left to right, once and always?"""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and name in (node.left, node.right):
        return True
    parts = node.args if isinstance(node, ast.Call) else [node.left, node.right] if isinstance(node, ast.BinOp) else \
        [node.operand] if isinstance(node, ast.UnaryOp) else []
    return any(is_summand(name, x) for x in parts)


def sets_item(target, name, index):
    """name[index] or name[:, index]"""
    if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name) or target.value.id != name:
        return False
    cut = target.slice
    if isinstance(cut, ast.Tuple) and len(cut.elts) == 2 and is_all(cut.elts[0]):
        cut = cut.elts[1]
    return isinstance(cut, ast.Name) and cut.id == index


def may_jump(s):
    """Does it have a break or continue of the loop around it?"""
    return any(jumps(x) for x in s.body + s.orelse)


def jumps(node):
    if isinstance(node, (ast.Break, ast.Continue)):
        return True
    if isinstance(node, ast.If):
        return any(jumps(x) for x in node.body + node.orelse)
    return False


def jumps_in(statements):
    """Can the end of a loop body be reached by a jump?"""
    return any(jumps(s) for s in statements)


def always_jumps(statements):
    for s in statements:
        if isinstance(s, (ast.Break, ast.Continue, ast.Return)):
            return True
        if isinstance(s, ast.If) and s.orelse and always_jumps(s.body) and always_jumps(s.orelse):
            return True
    return False


def breaks(loop):
    """Does a break leave this loop?"""
    def visit(node):
        if isinstance(node, ast.Break):
            return True
        if isinstance(node, (ast.For, ast.While, ast.FunctionDef)):
            return False
        return any(visit(child) for child in ast.iter_child_nodes(node))
    return any(visit(s) for s in loop.body)
