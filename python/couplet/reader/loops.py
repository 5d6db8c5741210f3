"""Loops, and what they run over."""

import ast
from dataclasses import dataclass
from typing import Callable, Optional

from .base import is_decided, is_numpy, Arr, BOOL, BOTTOM, E, INT, Linear, Opt, P_ATOM, P_CMP, P_SUM, Refusal, SCALARS, Tup, is_sequence, taint, type_words
from .expr import number
from .looks import assigned_names, breaks, jumps_in, mutated_names
from .presence import facts


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
    is_public: bool = False           # neither data nor noise decide how long it is


class Loops:
    def s_For(self, s):
        inline = self.inline_rest(s)
        self.check_loop_source(s)
        self.there = self.there - set(assigned_names([s]))
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
        before = set(self.there)
        self.loop_body(s, stop, inline, it.length is not None or it.is_public)
        self.there = before - set(assigned_names([s]))
        if has_break:
            self.put("%s := %s + 1;" % (position, position), s)
        self.put("}", s)
        if not (direct and not has_break):
            self.free_index(k)
        self.bound_names = outer
        for name in self.set_in_first_round(s, it):
            self.put("%s := %s;" % (self.variable(name + " is there"), "1 <= %s" % it.length.text()), s)
        self.ended = False
        self.loop_else(s, stop)

    def loop_else(self, s, stop):
        """What follows a loop that no break left."""
        if not s.orelse:
            return
        if jumps_in(s.orelse):
            raise Refusal(s.orelse[0], "`break` and `continue` in the `else` of a loop belong to the loop around it",
                          "set a variable before the `break` of the inner loop, and test it behind that loop")
        if stop is None:
            return self.body(s.orelse)
        self.put("if not %s {" % stop, s)
        with self.below(E(stop, BOOL, private=stop in self.private)):
            self.braced(s.orelse, s)
        self.put("}", s)
        self.ended = False

    def assign_target(self, target, e, s):
        if isinstance(target, ast.Name) and target.id == "_" and not self.reads_underscore():
            return
        if isinstance(target, ast.Name):
            return self.assign(target, e, s)
        if isinstance(target, (ast.Tuple, ast.List)) and e.parts and len(e.parts) == len(target.elts):
            for t, part in zip(target.elts, e.parts):
                self.assign_target(t, part, s)
            return
        raise Refusal(target, "the target does not fit what is iterated over")

    def reads_underscore(self):
        return any(isinstance(x, ast.Name) and x.id == "_" and isinstance(x.ctx, ast.Load) for x in ast.walk(self.function))

    def loop_body(self, s, stop, inline, known=True):
        """`known`: nothing but public numbers says how often it runs."""
        self.loop_stack.append((stop, inline))
        self.loop_nodes.append(s)
        before = len(self.lines)
        with self.decided_by(*[E("", BOOL, local=True)] if breaks(s) or not known else []):
            self.body(s.body)
        if len(self.lines) == before:
            self.put("skip;", s)
        self.loop_stack.pop()
        self.loop_nodes.pop()

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
        """Python computes what a loop runs over once. Here items are computed in each round, and so is the end, if a `break` may come first."""
        changed = set(assigned_names(s.body)) | mutated_names(s.body)["all"] | {x.id for x in ast.walk(s.target) if isinstance(x, ast.Name)}
        is_range = isinstance(s.iter, ast.Call) and self.resolve(s.iter.func) == "range" and len(s.iter.args) < 3
        for name in sorted(self.names_in(s.iter) & changed):
            t = self.types.get(name)
            if not is_range or breaks(s) or t is None or is_sequence(t) or isinstance(t, Tup):
                raise Refusal(s, "`%s` is changed while the loop runs over it" % name, "run over a copy, under another name")

    def s_While(self, s):
        inline = self.inline_rest(s)
        stop = None
        if breaks(s) and inline is None:
            stop = self.temp("stop", BOOL)
            self.put("%s := false;" % stop, s)
        before = self.there = self.there - set(assigned_names([s]))
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
            self.there = before | facts(s.test, True)
            self.loop_body(s, stop, inline)
        self.there = before
        if go and (not self.ended or jumps_in(s.body)):
            if stop:  # the condition is not looked at again
                self.put("if not %s {" % stop, s)
            again = self.cond(s.test)
            self.put("%s := %s;" % (go, again.text), s)
            if stop:
                self.put("}", s)
        self.put("}", s)
        if not breaks(s):
            self.there = before | facts(s.test, False)
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
        if isinstance(e.type, Tup) and all(p in SCALARS for p in e.type.parts):
            e = self.listed(e.parts or [taint(E("%s.%d" % (e.at(P_ATOM), i + 1), p), e) for i, p in enumerate(e.type.parts)], node)
        self.want_sequence(e, node)
        if isinstance(e.type, Arr) and e.type.batch:  # the only sample
            e = self.stored(e, node)
            return Iteration("0", "1", lambda k: self.plain(e), Linear({}, 1))
        if e.item is not None and e.parts is None:
            e = e if is_numpy(e.type) and self.is_public_row(e) else self.stored(e, node)
        elif e.parts is not None:
            e = self.stored(taint(E("", e.type, item=e.item, parts=e.parts), e), node) if e.parts else e
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
            return Iteration(public(low), public(high), item, length, is_index=True, nonneg=low.nonneg,
                             is_public=not is_decided(low) and not is_decided(high))
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
