"""Lists and arrays: items, slices, arithmetic item by item, loops that fold them.

An array expression stays a function from an index to an item as long as it can (`E.item`); it is
written out as a loop only where it is stored, folded or returned. A sequence that is a variable
has no `item`: its text is the name.
"""

import ast
from contextlib import contextmanager

from .base import (implied, mixed, BOOL, BOTTOM, INT, P_AND, P_ATOM, P_SUM, REAL, SCALARS, Arr, E, Linear, Lst, Refusal, Tup,
                   is_numpy, is_sample, is_sequence, join, taint, type_words, unmark)
from .batch import FIX
from .expr import number


class Sequences:
    # ---- items and lengths ----------------------------------------------------------------------

    def item(self, e, k):
        if e.item is None and is_sample(e.type):
            return taint(E(e.text, e.type.elem), e)
        if e.item is None:
            return taint(E("%s[%s]" % (e.text, k), e.type.elem), e)
        return e.item(k)

    def length(self, e):
        if isinstance(e.type, Arr):
            n = e.type.length
            return E(n.text(), INT, P_ATOM if n.is_atom() else P_SUM, linear=n, nonneg=True,
                     const=None if n.terms else n.constant)
        return taint(E("length(%s)" % e.text, INT, nonneg=True), e)

    @contextmanager
    def loop_over(self, e, node, first=0):
        k = self.index_name()
        if is_sample(e.type):
            yield self.item(e, "0")
            self.free_index(k)
            return
        self.put("for %s in %d..%s {" % (k, first, self.public(self.length(e))), node)
        yield self.item(e, k)
        self.put("}", node)
        self.free_index(k)

    def lazy(self, elem, length, item, *sources, batch=""):
        return taint(E("", Arr(elem, length, True, batch), item=item), *sources)

    def want_sequence(self, e, node, what="a list or an array"):
        if not is_sequence(e.type) and e.type != BOTTOM:
            raise Refusal(node, "%s is expected here, not %s" % (what, type_words(e.type)))
        return e

    def at_least(self, linear):
        """The least value it can have, or None."""
        low = linear.constant
        for name, factor in linear.terms.items():
            bound = self.module.lower.get(name)
            if factor < 0 or bound is None:
                return None
            low += factor * bound
        return low

    def is_nonneg(self, linear):
        low = self.at_least(linear)
        return low is not None and low >= 0

    # ---- subscripts -----------------------------------------------------------------------------

    def x_Subscript(self, node):
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            e = self.want_sequence(self.expr(node.value.value), node)
            axis = self.expr(node.slice).const
            if e.type == BOTTOM:
                return self.unknown(node)
            if isinstance(e.type, Arr) and e.type.batch:
                return self.batch_length(node, e, axis)
            if axis not in (0, -1):
                raise Refusal(node, "only arrays of one dimension are read: `shape[0]` is the length")
            return self.length(e)
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            raise Refusal(node, "a table with named columns, or a dictionary, cannot be read",
                          "make an argument of each column that is used")
        counted = self.tallies.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if isinstance(node.value, ast.Call) and self.resolve(node.value.func) == "collections.Counter":
            counted = self.only(node.value)
        if counted is not None:
            return self.count_equal(node, counted, self.scalar(node.slice))
        e = self.expr(node.value)
        if e.type == BOTTOM:
            return self.unknown(node, e)
        if isinstance(e.type, Tup):
            return self.component(node, e)
        self.want_sequence(e, node.value)
        if isinstance(e.type, Arr) and e.type.batch:
            return self.batch_item(node, e)
        if isinstance(node.slice, ast.Slice):
            return self.slice(node, e, node.slice)
        if isinstance(node.slice, ast.Tuple):
            raise Refusal(node, "only arrays of one dimension are read, and batches of one sample", FIX)
        index = self.expr(node.slice)
        if is_sequence(index.type):
            return self.selected(node, e, index)
        return self.item(e, self.index_text(node.slice, index, e))

    def mask(self, node, e, index):
        """An array of truth values beside the array."""
        if index.type.elem not in (BOOL, BOTTOM) or not is_numpy(e.type) or not is_numpy(index.type):
            raise Refusal(node, "the selection of items by numbers cannot be read", "write a list with `for`")
        if index.type.length != e.type.length or index.type.batch != e.type.batch:
            raise Refusal(node, "the arrays may have different lengths: %s and %s" % (e.type.length.text(), index.type.length.text()))
        return self.stored(index, node)

    def selected(self, node, e, index):
        """a[mask]: a list, because its length depends on the data."""
        mask = self.mask(node, e, index)
        name = self.temp("selected", Lst(e.type.elem))
        self.put("%s := [];" % name, node)
        k = self.index_name()
        self.put("for %s in 0..%s {" % (k, e.type.length.text()), node)
        self.put("if %s[%s] {" % (mask.text, k), node)
        self.put("%s := %s ++ [%s];" % (name, name, self.item(e, k).text), node)
        self.put("}", node)
        self.put("}", node)
        self.free_index(k)
        return taint(E(name, Lst(e.type.elem)), e, mask)

    def component(self, node, e):
        k = self.expr(node.slice).const if not isinstance(node.slice, ast.Slice) else None
        if not isinstance(k, int) or isinstance(k, bool) or not -len(e.type.parts) <= k < len(e.type.parts):
            raise Refusal(node, "the index of a tuple must be a constant within it")
        k %= len(e.type.parts)
        return e.parts[k] if e.parts else taint(E("%s.%d" % (e.at(P_ATOM), k + 1), e.type.parts[k]), e)

    def index_text(self, node, index, e):
        if index.type == BOTTOM:
            return "0"
        if index.type != INT:
            raise Refusal(node, "an index must be an int, not %s" % type_words(index.type), "use `int(...)`")
        length = self.length(e)
        self.may_fail(*[index] if isinstance(e.type, Arr) else [length])
        if isinstance(index.const, int) and index.const < 0:
            if length.linear:
                return (length.linear + Linear({}, index.const)).text()
            return "%s - %d" % (length.text, -index.const)
        if index.nonneg:
            return index.text
        if index.linear and self.is_nonneg(index.linear):
            return index.text
        return "if %s < 0 then %s + %s else %s" % (index.at(P_SUM), length.at(P_SUM), index.at(P_SUM), index.text)

    def slice(self, node, e, cut):
        if not isinstance(e.type, Arr):
            raise Refusal(node, "a slice of a list that grows cannot be read", "use a loop")
        n = e.type.length
        if cut.step is not None:
            step = self.expr(cut.step).const
            if step != -1 or cut.lower or cut.upper:
                raise Refusal(node, "of slices with a step only [::-1] can be read", "use a loop")
            return self.reversed(e)
        low, high = self.bound(cut.lower, Linear(), n), self.bound(cut.upper, n, n)
        for needed in (low, high - low, n - high):
            if not self.is_nonneg(needed):
                raise Refusal(node, "whether this slice has all of its items is not clear: is %s >= 0?" % needed.text(),
                              "say so in the claim: `requires=\"%s >= 0\"`" % needed.text())
        item = lambda k: self.item(e, self.shifted(k, low))
        return taint(E("", Arr(e.type.elem, high - low, e.type.numpy), item=item), e)

    def bound(self, node, default, n):
        if node is None:
            return default
        e = self.expr(node)
        if e.linear is None:
            raise Refusal(node, "the bounds of a slice must be made of constants and lengths", "use a loop")
        return n + e.linear if not e.linear.terms and e.linear.constant < 0 else e.linear

    def shifted(self, k, low):
        if low == Linear():
            return k
        if k.isdigit() and not low.terms:
            return str(int(k) + low.constant)
        return "%s + %s" % (low.text(), k) if low.terms else "%s + %d" % (k, low.constant)

    def reversed(self, e):
        last = (e.type.length - Linear({}, 1)).text() if isinstance(e.type, Arr) else "length(%s) - 1" % e.text
        return taint(E("", e.type, item=lambda k: self.item(e, "%s - %s" % (last, k if k.isalnum() else "(%s)" % k))), e)

    # ---- arithmetic -----------------------------------------------------------------------------

    def map_one(self, node, e, function):
        if not is_numpy(e.type):
            raise Refusal(node, "this works for arrays, not for lists", "write `np.asarray(x)`")
        elem = self.probe(function, e)
        return self.lazy(elem, e.type.length, lambda k: function(self.item(e, k)), e, batch=e.type.batch)

    def probe(self, function, *sequences):
        """The type of the items."""
        k = self.length(sequences[0]).text
        return function(*[self.item(s, "0") if is_sequence(s.type) else s for s in sequences]).type if k else BOTTOM

    def map_two(self, node, a, b, function, what):
        for e in (a, b):
            if isinstance(e.type, Lst):
                raise Refusal(node, "the list must have a known length to %s it item by item" % what,
                              "make it with a comprehension, or use a loop")
        for e in (a, b):
            if not is_sequence(e.type):
                self.want_scalar(e, node)
        length, batch = self.broadcast(node, a, b)
        get = lambda e, k: self.item(e, k) if is_sequence(e.type) else e
        elem = function(get(a, "0"), get(b, "0")).type
        return self.lazy(elem, length, lambda k: function(get(a, k), get(b, k)), a, b, batch=batch)

    def sequence_binary(self, node, op, a, b):
        if is_numpy(a.type) or is_numpy(b.type):
            return self.map_two(node, a, b, lambda x, y: self.binary(node, op, x, y), "compute with")
        if isinstance(op, ast.Add) and is_sequence(a.type) and is_sequence(b.type):
            return self.concatenate(node, [a, b])
        if isinstance(op, ast.Mult):
            return self.repeated(node, *((a, b) if is_sequence(a.type) else (b, a)))
        raise Refusal(node, "this works for arrays, not for lists", "write `np.asarray(x)`")

    def elem(self, e):
        return e.type.elem if is_sequence(e.type) else e.type

    def repeated(self, node, e, times):
        if e.parts is None or len(e.parts) != 1 or times.linear is None or not self.is_nonneg(times.linear):
            raise Refusal(node, "of products with lists only `[x] * n` can be read, n a length or an argument",
                          "write `[x for _ in range(n)]`")
        item = e.parts[0]
        return taint(E("", Arr(item.type, times.linear, False), item=lambda k: item), e)

    def concatenate(self, node, parts):
        if any(isinstance(p.type, Lst) for p in parts):
            t = BOTTOM
            for p in parts:
                t = join(t, p.type.elem)
                if t is None:
                    raise Refusal(node, "lists of different things")
            return mixed(E(" ++ ".join(self.list_text(p, node, t) for p in parts), Lst(t), 7), *parts)
        t = parts[0].type
        total = Linear()
        for p in parts:
            t = Arr(join(t.elem, p.type.elem), Linear(), is_numpy(p.type))
            total = total + p.type.length
        name = self.temp("joined", Arr(t.elem, total, t.numpy))
        start = Linear()
        for p in parts:
            k = self.index_name()
            self.put("for %s in 0..%s {" % (k, p.type.length.text()), node)
            self.put("%s[%s] := %s;" % (name, self.shifted(k, start), self.fit(self.item(p, k), t.elem).text), node)
            self.put("}", node)
            self.free_index(k)
            start = start + p.type.length
        return mixed(E(name, Arr(t.elem, total, t.numpy)), *parts)

    # ---- writing out ----------------------------------------------------------------------------

    def stored(self, e, node, name=None):
        """The sequence as a variable; in `name` if that is given."""
        if e.item is None and (name is None or name == e.text):
            return e
        if is_sample(e.type):
            value = self.fit(self.item(e, "0"), e.type.elem)
            name = name or self.temp("sample", e.type.elem)
            self.put("%s := %s;" % (name, value.text), node)
            return taint(E(name, e.type), e)
        if isinstance(e.type, Lst):
            text = self.list_text(e, node)
            name = name or self.temp("items", e.type)
            self.put("%s := %s;" % (name, text), node)
            return taint(E(name, e.type), e)
        name = name or self.temp("items", e.type)
        if e.item is None:
            self.put("%s := %s;" % (name, e.text), node)
            return taint(E(name, e.type), e)
        if e.parts is not None:
            itself = any(reads(unmark(p.text), name) for p in e.parts)
            target = self.temp("items", e.type) if itself else name
            self.put_items(target, e.parts, e.type.elem, node)
            if itself:
                self.put("%s := %s;" % (name, target), node)
            return taint(E(name, e.type), e)
        k, before = self.index_name(), len(self.lines)
        value = self.fit(self.item(e, k), e.type.elem)
        plain = " ".join(unmark(line) for line in [*self.lines[before:], value.text])  # with what it is computed from
        target = name
        if reads(plain.replace("%s[%s]" % (name, k), ""), name):  # it looks at other items of itself
            target = self.temp("items", e.type)
        self.put("for %s in 0..%s {" % (k, e.type.length.text()), node)
        value = self.fit(self.item(e, k), e.type.elem)
        self.put("%s[%s] := %s;" % (target, k, value.text), node)
        self.put("}", node)
        self.free_index(k)
        if target != name:
            self.put("%s := %s;" % (name, target), node)
        return taint(E(name, e.type), e)

    def list_text(self, e, node, elem=None):
        """As a list of the language."""
        if isinstance(e.type, Lst) and e.item is None:
            return e.text
        elem = elem or e.type.elem
        if e.parts is not None:
            return "[%s]" % ", ".join(self.member(p, elem).text for p in e.parts)
        name = self.temp("grown", Lst(elem))
        self.put("%s := [];" % name, node)
        with self.loop_over(e, node) as item:
            self.put("%s := %s ++ [%s];" % (name, name, self.member(item, elem).text), node)
        return name

    def member(self, e, elem):
        """The value as an item of a list: list(real) has reals in it, not ints."""
        e = self.fit(e, elem)
        if elem != REAL or e.type != INT:
            return e
        return number(float(e.const)) if e.const is not None else taint(E("real(%s)" % e.text, REAL), e)

    # ---- folds ----------------------------------------------------------------------------------

    @contextmanager
    def each(self, node):
        """A loop over the items of a sequence or a generator; yields the item and whether it is filtered."""
        if isinstance(node, E):
            with self.loop_over(node, self.function) as item:
                yield item
        elif isinstance(node, (ast.GeneratorExp, ast.ListComp)):
            with self.generator(node) as item:
                yield item
        elif self.is_iteration(node):
            it = self.iteration(node)
            k = self.index_name()
            self.put("for %s in %s..%s {" % (k, it.low, it.high), node)
            yield it.item(k)
            self.put("}", node)
            self.free_index(k)
        else:
            e = self.want_sequence(self.expr(node), node)
            if e.type == BOTTOM:
                yield self.unknown(node)
            else:
                with self.loop_over(e, node) as item:
                    yield item

    def is_iteration(self, node):
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in self.types and \
            node.func.id in ("range", "enumerate", "zip", "reversed")

    def prepared(self, source):
        """A sequence is computed before the variables of the fold get their first values."""
        if isinstance(source, (E, ast.GeneratorExp, ast.ListComp)) or self.is_iteration(source):
            return source
        e = self.want_sequence(self.expr(source), source)
        return source if e.type == BOTTOM else e

    def fold_sum(self, node, source):
        where, source = node if isinstance(source, E) else source, self.prepared(source)
        total = self.temp("total", self.temp_types.get("sum %d %d" % (node.lineno, node.col_offset), INT))
        self.put("%s := 0;" % total, node)
        with self.each(source) as item:
            if item.type not in SCALARS + (BOTTOM,):
                raise Refusal(where, "the sum of %s cannot be read" % type_words(item.type))
            value = self.num(item)
            self.put("%s := %s + %s;" % (total, total, value.at(10)), node)
        return taint(E(total, value.type, nonneg=value.nonneg), item)

    def fold_product(self, node, source):
        source = self.prepared(source)
        product = self.temp("product", INT)
        self.put("%s := 1;" % product, node)
        with self.each(source) as item:
            self.want_scalar(item, node)
            value = self.num(item)
            self.put("%s := %s*%s;" % (product, product, value.at(11)), node)
        return taint(E(product, value.type, nonneg=value.nonneg), item)

    def fold_extreme(self, node, source, word, want_index, key=None):
        """max, min, argmax, argmin: the first one wins, as in Python. `key`: what is compared."""
        self.check_any(source)
        where, source = source, self.prepared(source)
        best, index, start = self.temp("best", REAL), None, None
        grows = isinstance(source, E) and isinstance(source.type, Lst)
        if grows:  # Python refuses to look for the largest of no items, as the translation does for the first of them
            self.may_fail(self.length(source))
        self.put("%s := %s;" % (best, "%s[0]" % source.text if grows else "0"), node)
        if want_index:
            index = self.temp("index", INT)
            self.put("%s := 0;" % index, node)
        position = None
        if isinstance(source, (ast.GeneratorExp, ast.ListComp)) or self.is_iteration(source):
            start = self.temp("first", BOOL)
            self.put("%s := true;" % start, node)
        with self.each(source) as item:
            position = self.loops[-1]
            value = key(item) if key else item
            self.want_scalar(value, where)
            value = self.num(value) if key or want_index else self.computed(value, node)
            is_first = start or "%s = 0" % position
            self.put("if %s or %s %s %s {" % (is_first, value.at(P_SUM), word, best), node)
            self.put("%s := %s;" % (best, value.text), node)
            if start:
                self.put("%s := false;" % start, node)
            if want_index:
                self.put("%s := %s;" % (index, self.num(item).text if key else position), node)
            self.put("}", node)
        if key:
            return implied(E(index, item.type, nonneg=item.nonneg), value, item)
        if want_index:
            return implied(E(index, INT, nonneg=True), value)
        return taint(E(best, value.type, nonneg=value.nonneg), value)

    def check_any(self, source):
        """A generator that leaves items out may have none left."""
        tests = [t for g in source.generators for t in g.ifs] if isinstance(source, (ast.GeneratorExp, ast.ListComp)) else []
        if tests:
            raise Refusal(tests[0], "if no item is left, there is an exception, which tells something about the data",
                          "write a loop that starts with a value, or a conditional expression instead of `if`")

    def fold_truth(self, node, source, word):
        where, source = source, self.prepared(source)
        found = self.temp("found", BOOL)
        self.put("%s := %s;" % (found, "false" if word == "or" else "true"), node)
        draws = self.count_draws
        with self.each(source) as item:
            if item.type not in (BOOL, BOTTOM):
                raise Refusal(where, "the items must be True or False", "compare: `x != 0 for x in ...`")
            if not isinstance(where, ast.GeneratorExp):
                self.want_certain(node, item)
            self.put("%s := %s %s %s;" % (found, found, word, item.at(P_AND + 1)), node)
        if self.count_draws != draws:
            raise Refusal(node, "any() and all() stop early, and so would the noise", "write a loop")
        return taint(E(found, BOOL), item)

    def count_equal(self, node, source, value):
        source = self.prepared(source)
        count = self.temp("count", INT)
        self.put("%s := 0;" % count, node)
        with self.each(source) as item:
            same = self.compare(node, ast.Eq(), item, value, node)
            self.put("if %s {" % same.text, node)
            self.put("%s := %s + 1;" % (count, count), node)
            self.put("}", node)
        return implied(E(count, INT, nonneg=True), item, value)

    def running(self, node, e, batch=""):
        """cumsum"""
        if is_sample(e.type):
            raise Refusal(node, "cumsum of a number for each sample cannot be read", "it would add samples of the batch up")
        if e.type.elem == BOOL:
            raise Refusal(node, "cumsum of truth values cannot be read", "write `np.where(mask, 1, 0)` first")
        t = Arr(e.type.elem, e.type.length, True, batch)
        name, total = self.temp("sums", t), self.temp("total", e.type.elem)
        self.put("%s := 0;" % total, node)
        k = self.index_name()
        self.put("for %s in 0..%s {" % (k, e.type.length.text()), node)
        self.put("%s := %s + %s;" % (total, total, self.item(e, k).at(10)), node)
        self.put("%s[%s] := %s;" % (name, k, total), node)
        self.put("}", node)
        self.free_index(k)
        return taint(E(name, t), e)

    def sorted(self, node, e, numpy, down=False, key=None):
        """Insertion sort, in the open."""
        if not isinstance(e.type, Arr):
            raise Refusal(node, "a list that grows cannot be sorted here", "make it with a comprehension")
        t = Arr(e.type.elem, e.type.length, numpy)
        name = self.temp("sorted", t)
        self.stored(E("", t, item=lambda k: self.item(e, k)), node, name)
        k, at, here = self.index_name(), self.temp("place", INT), self.temp("moving", e.type.elem)
        inner = self.index_name()
        self.put("for %s in 1..%s {" % (k, t.length.text()), node)
        self.put("%s := %s[%s];" % (here, name, k), node)
        self.put("%s := %s;" % (at, k), node)
        self.put("for %s in 0..%s {" % (inner, k), node)
        other, mine = E("%s[%s - 1 - %s]" % (name, k, inner), e.type.elem), E(here, e.type.elem)
        other, mine = [self.num(key(e) if key else e) for e in (other, mine)]
        test = "%s = %s - %s and %s %s %s" % (at, k, inner, other.at(P_SUM), "<" if down else ">", mine.at(P_SUM))
        self.put("if %s {" % test, node)
        self.put("%s[%s - %s] := %s[%s - 1 - %s];" % (name, k, inner, name, k, inner), node)
        self.put("%s := %s - 1 - %s;" % (at, k, inner), node)
        self.put("}", node)
        self.put("}", node)
        self.put("%s[%s] := %s;" % (name, at, here), node)
        self.put("}", node)
        self.free_index(k)
        self.free_index(inner)
        return taint(E(name, t), e)

    # ---- comprehensions -------------------------------------------------------------------------

    @contextmanager
    def generator(self, node):
        """The loops and conditions of a comprehension; yields the item."""
        closing, outer = 0, dict(self.bound_names)
        for part in node.generators:
            if part.is_async:
                raise Refusal(node, "async cannot be read")
            it = self.iteration(part.iter)
            k = self.index_name()
            self.put("for %s in %s..%s {" % (k, it.low, it.high), part.iter)
            self.open_indices.append(k)
            closing += 1
            self.bind(part.target, it.item(k))
            for test in part.ifs:
                self.put("if %s {" % self.cond(test).text, test)
                closing += 1
        yield self.expr(node.elt)
        for _ in range(closing):
            self.put("}", node)
        for _ in node.generators:
            self.free_index(self.open_indices.pop())
        self.bound_names = outer

    def bind(self, target, value):
        """The variable of a comprehension stands for its value."""
        if isinstance(target, ast.Name):
            self.bound_names[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)) and value.parts and len(value.parts) == len(target.elts):
            for t, v in zip(target.elts, value.parts):
                self.bind(t, v)
        else:
            raise Refusal(target, "the target does not fit what is iterated over")

    def comprehension(self, node, name=None):
        """A list of known length if nothing is filtered, else one that grows."""
        first = self.iteration(node.generators[0].iter) if len(node.generators) == 1 else None
        key = "list %d %d" % (node.lineno, node.col_offset)
        if first and first.length is not None and not node.generators[0].ifs:
            return self.comprehension_array(node, first, key, name)
        elem = self.temp_types.get(key, BOTTOM)
        name = self.temp("items", Lst(elem))
        self.put("%s := [];" % name, node)
        with self.generator(node) as item:
            self.num_or_bool(item, node.elt)
            self.learn(key, item.type, node)
            self.put("%s := %s ++ [%s];" % (name, name, self.member(item, elem).text), node)
        return taint(E(name, Lst(self.temp_types[key])), item)

    def comprehension_array(self, node, it, key, name):
        elem = self.temp_types.get(key, BOTTOM)
        t = Arr(elem, it.length, False)
        name = name or self.temp("items", t)
        part, outer, k = node.generators[0], dict(self.bound_names), self.index_name()
        self.put("for %s in %s..%s {" % (k, it.low, it.high), node)
        self.bind(part.target, it.item(k))
        place = "%s[%s]" % (name, k if it.low == "0" else "%s - %s" % (k, it.low))
        dist = self.as_draw(node.elt)
        if dist and not dist.length:
            item = self.draw(dist, node.elt, place)
        else:
            item = self.num_or_bool(self.expr(node.elt), node.elt)
            self.put("%s := %s;" % (place, self.fit(item, elem).text), node.elt)
        self.put("}", node)
        self.free_index(k)
        self.bound_names = outer
        self.learn(key, item.type, node)
        return taint(E(name, Arr(self.temp_types[key], it.length, False)), item)

    def x_ListComp(self, node):
        return self.comprehension(node)


def reads(text, name):
    word = ""
    for c in text + " ":
        if c.isalnum() or c in "_'":
            word += c
        else:
            if word == name:
                return True
            word = ""
    return False
