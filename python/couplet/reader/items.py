"""Lists and arrays that change: their items are assigned, or they grow."""

import ast

from .base import (Arr, BOOL, BOTTOM, E, INT, Linear, Lst, NONE, Opt, REAL, Refusal, Tup, dotted, holds_list, is_sample, is_sequence,
                   join, type_words)
from .batch import without_mask
from .expr import number
from .looks import breaks, jumps, sets_item


class Items:
    # ---- one item, or those that a mask selects -------------------------------------------------

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
        self.want_certain(target, self.item(value, "0") if is_sequence(value.type) else value)
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
        self.check_width(name, t, value.type, s)
        elem = t.elem if t.numpy else join(t.elem, value.type)
        self.learn_variable(name, Arr(elem, t.length, t.numpy, t.batch), value.private, value.noisy, s, value.local, value.const)
        if value.text != slot:
            self.put("%s := %s;" % (slot, self.fit(value, elem).text), s)

    def check_width(self, name, t, given, s):
        """An array keeps the type of its items, and the variable may hold one of another type than the widest."""
        held = self.widths.get(name, ()) if t.numpy else ()
        if given == REAL and (INT in held or BOOL in held) or given == INT and BOOL in held:
            raise Refusal(s, "the array may have %s in it, and keeps its items so" % ("ints" if INT in held else "truth values"),
                          "make it with dtype=float")

    # ---- empty arrays ---------------------------------------------------------------------------

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

    # ---- lists that grow ------------------------------------------------------------------------

    def extend(self, name, e, s):
        self.want_sequence(e, s)
        old = self.types.get(name, BOTTOM)
        if not isinstance(old, Lst) and old != BOTTOM:
            raise Refusal(s, "`%s` is no list that grows" % name)
        self.learn_variable(name, Lst(e.type.elem), e.private, e.noisy, s, e.local)
        dp = self.variable(name)
        self.put("%s := %s ++ %s;" % (dp, dp, self.list_text(e, s, self.types[name].elem)), s)

    # A list that is only appended to and counted is the counts.

    def counter(self, name, value):
        same = next(v for v in self.counted[name] if v == value)  # True is 1
        return self.variable("%s counts %s" % (name, same))

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
        self.learn_variable(name, Lst(e.type), e.private and not e.noisy, False, s, const=0)  # it is compared, nothing else

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
        self.learn_variable(name, Lst(e.type), e.private, e.noisy, s, e.local, e.const)
        dp = self.variable(name)
        elem = self.types[name].elem
        text = "(%s)" % ", ".join(self.member(p, t).text for p, t in zip(e.parts, elem.parts)) \
            if isinstance(elem, Tup) and e.parts else self.member(e, elem).text
        self.put("%s := %s ++ [%s];" % (dp, dp, text), s)
