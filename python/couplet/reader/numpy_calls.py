"""Calls of math and numpy: item by item, making arrays, folding them."""

import ast

from .base import (Arr, BOOL, BOTTOM, E, INT, Linear, Lst, NONE, P_ATOM, P_IF, P_PRODUCT, P_SUM, REAL, Refusal, implied, is_numpy, mixed,
                   is_sequence, taint, type_words)
from .expr import number

NP_TYPES = {"numpy.float64": REAL, "numpy.float32": REAL, "numpy.int64": INT, "numpy.bool_": BOOL,
            "float": REAL, "int": INT, "bool": BOOL}
ARITHMETIC = {"add": ast.Add, "subtract": ast.Sub, "multiply": ast.Mult, "divide": ast.Div, "true_divide": ast.Div,
              "power": ast.Pow, "mod": ast.Mod, "floor_divide": ast.FloorDiv}
INSTEAD = {"map": "write `[f(v) for v in values]`", "filter": "write `[v for v in values if ...]`",
           "divmod": "write `a // b` and `a % b`", "set": "use a list", "dict": "use lists, with a position for every key",
           "numpy.empty": "assign it to a variable, and set its items in a loop", "collections.Counter": "count in a loop", "numpy.column_stack": "return the parts as a tuple",
           "numpy.var": "write `np.mean((a - np.mean(a)) ** 2)`", "numpy.std": "write `np.sqrt(np.mean((a - np.mean(a)) ** 2))`",
           "numpy.median": "sort, and take the item in the middle", "numpy.linalg.norm": "write `np.sqrt(np.sum(a ** 2))`",
           "numpy.argsort": "use `np.argmax`, or a loop", "math.pi": "write its digits", "numpy.pi": "write its digits",
           "math.isclose": "compare with `<=`", "numpy.isclose": "compare with `<=`",
           "numpy.histogram": "count in a loop", "numpy.unique": "use a loop"}


class NumpyCalls:
    def applied(self, word, t=REAL, nonneg=False):
        def apply(e):
            e = self.num(e)
            if word in ("ln", "sqrt"):
                self.may_fail(e)
            return taint(E("%s(%s)" % (word, e.text), t, nonneg=nonneg), e)
        return apply

    def library(self, node, name, word):
        in_math = name.startswith("math.")
        scalars = {"exp": self.applied("exp", nonneg=True), "sqrt": self.applied("sqrt", nonneg=True),
                   "fabs": self.absolute_real, "log2": self.log_base("2"), "log10": self.log_base("10"),
                   "log1p": self.log_of_more,
                   "expm1": lambda e: taint(E("exp(%s) - 1" % self.num(e).text, REAL, P_SUM), e),
                   "floor": self.applied("floor", INT if in_math else REAL),
                   "ceil": self.applied("ceil", INT if in_math else REAL)}
        if in_math:
            scalars["trunc"] = self.truncate
        else:
            scalars.update(abs=self.absolute, absolute=self.absolute, square=lambda e: self.power(node, self.num(e), number(2)),
                           rint=lambda e: self.rounded(e, REAL), round=lambda e: self.rounded(e, REAL),
                           sign=self.sign, negative=lambda e: self.unary(ast.UnaryOp(ast.USub(), node), e),
                           logical_not=self.negate)
        if word == "round" and not in_math and len(node.args) == 2 and not node.keywords:
            return self.each_or_one(node, self.array_like(node.args[0]), lambda e: self.rounded_digits(node, e, node.args[1]))
        if word in scalars:
            e = self.array_like(self.only(node))
            if not in_math and word != "logical_not":
                self.want_numbers(node, e)
            return self.each_or_one(node, e, scalars[word])
        if word == "log":
            return self.logarithm(node)
        if word in ("hypot", "copysign") and in_math:
            return getattr(self, "math_" + word)(*[self.num(self.scalar(x)) for x in self.only(node, 2)])
        if word == "fsum" and in_math:
            return self.real(self.fold_sum(node, self.only(node)))
        if word == "prod":
            return self.fold_product(node, self.only(node))
        if word in ARITHMETIC and not in_math:
            a, b = [self.array_like(x) for x in self.only(node, 2)]
            return self.binary(node, ARITHMETIC[word](), a, b)
        if word == "pow" and in_math:
            a, b = [self.scalar(x) for x in self.only(node, 2)]
            return self.real(taint(self.power(node, self.num(a), self.num(b)), a, b))
        if not in_math and hasattr(self, "np_" + word):
            return getattr(self, "np_" + word)(node)
        if not in_math and (name in NP_TYPES):
            e = self.scalar(self.only(node))
            return self.convert(node, e, NP_TYPES[name])
        raise Refusal(node, "`%s` cannot be read" % name, INSTEAD.get(name, "docs/python.md lists what can be read"))

    def math_hypot(self, x, y):
        return taint(E("sqrt(%s^2 + %s^2)" % (x.at(P_ATOM), y.at(P_ATOM)), REAL, nonneg=True), x, y)

    def math_copysign(self, x, y):
        return taint(E("if %s >= 0 then abs(%s) else -abs(%s)" % (y.at(P_SUM), x.text, x.text), REAL, P_IF), x, y)

    def array_like(self, node):
        """numpy takes lists for arrays."""
        e = self.expr(node)
        return self.as_array(node, e) if is_sequence(e.type) else e

    def as_array(self, node, e):
        if e.type == BOTTOM:
            return self.unknown(node, e)
        self.want_sequence(e, node)
        if isinstance(e.type, Lst):
            raise Refusal(node, "this list has no known length", "make it with a comprehension, or use loops")
        if is_numpy(e.type):
            return e
        return taint(E(e.text if e.item is None else "", Arr(e.type.elem, e.type.length, True), item=e.item,
                       parts=None), e)

    def absolute_real(self, e):
        return self.real(self.absolute(e))

    def sign(self, e):
        e = self.num(e)
        return taint(E("if %s > 0 then 1 else if %s < 0 then -1 else 0" % (e.at(P_SUM), e.at(P_SUM)), e.type, P_IF), e)

    def log_base(self, base):
        def apply(e):
            self.may_fail(e)
            return taint(E("ln(%s)/ln(%s)" % (self.num(e).text, base), REAL, P_PRODUCT), e)
        return apply

    def log_of_more(self, e):
        self.may_fail(e)
        return taint(E("ln(1 + %s)" % self.num(e).at(P_PRODUCT), REAL), e)

    def logarithm(self, node):
        if len(node.args) == 2 and self.resolve(node.func) == "math.log":
            x, b = [self.num(self.scalar(a)) for a in node.args]
            self.may_fail(x, b)
            return taint(E("ln(%s)/ln(%s)" % (x.text, b.text), REAL, P_PRODUCT), x, b)
        e = self.array_like(self.only(node))
        if self.resolve(node.func) == "numpy.log":
            self.want_numbers(node, e)
        return self.each_or_one(node, e, self.applied("ln"))

    def want_numbers(self, node, e):
        """Of truth values numpy computes with 8 or 16 bits."""
        if self.elem(e) == BOOL:
            self.computed(self.item(e, "0") if is_sequence(e.type) else e, node)

    def convert(self, node, e, t):
        if t == REAL:
            return self.real(e)
        return self.truncate(e) if t == INT else self.truth(e)

    def dtype(self, node, keyword="dtype"):
        for k in node.keywords:
            if k.arg == keyword:
                return self.type_of_items(k.value)
        return None

    def type_of_items(self, node):
        name = self.resolve(node)
        if name not in NP_TYPES:
            raise Refusal(node, "this type of items cannot be read", "use float, int or bool")
        return NP_TYPES[name]

    def without_dtype(self, node, most=1):
        if any(k.arg not in ("dtype", "copy") for k in node.keywords) or not 1 <= len(node.args) <= most:
            raise Refusal(node, "only an argument and `dtype` can be read here", "write `dtype=...` with its name")
        return node.args

    def np_asarray(self, node):
        args = self.without_dtype(node)
        if isinstance(args[0], ast.ListComp):
            e = self.comprehension(args[0])
        else:
            e = self.expr(args[0])
        t = self.dtype(node)
        if e.type == BOTTOM:
            return self.unknown(node, e)
        if not is_sequence(e.type):
            raise Refusal(node, "a list is expected here, not %s" % type_words(e.type))
        e = self.as_array(node, e)
        if t is None or t == e.type.elem:
            return e
        return self.lazy(t, e.type.length, lambda k: self.convert(node, self.item(e, k), t), e, batch=e.type.batch)

    np_array = np_ascontiguousarray = np_asarray

    def np_copy(self, node):
        return self.np_asarray(node)

    def filled(self, node, shape, value, t):
        length, batch = self.shape_of(shape)
        value = self.convert(node, value, t)
        return self.lazy(t, length, lambda k: value, value, batch=batch)

    def shaped(self, node, names):
        """The arguments of zeros(), full() and the like by name."""
        given = self.bind_arguments(node, names + ["dtype"])
        for name in names:
            if name not in given:
                raise Refusal(node, "the argument `%s` is missing" % name)
        return given, self.type_of_items(given["dtype"]) if "dtype" in given else None

    def np_zeros(self, node, value=0):
        given, t = self.shaped(node, ["shape"])
        return self.filled(node, given["shape"], number(value), t or REAL)

    def np_ones(self, node):
        return self.np_zeros(node, 1)

    def np_full(self, node):
        given, t = self.shaped(node, ["shape", "fill_value"])
        value = self.scalar(given["fill_value"])
        return self.filled(node, given["shape"], value, t or value.type)

    def np_zeros_like(self, node, value=0):
        e = self.as_array(node, self.expr(self.without_dtype(node)[0]))
        if e.type == BOTTOM:
            return e
        t = self.dtype(node) or e.type.elem
        return self.lazy(t, e.type.length, lambda k: self.convert(node, number(value), t), batch=e.type.batch)

    def np_ones_like(self, node):
        return self.np_zeros_like(node, 1)

    def np_arange(self, node):
        self.without_dtype(node, 3)
        it = self.range_of(node)
        if it.length is None:
            raise Refusal(node, "the length of this range must be made of constants, lengths and arguments")
        low, t = it.low, self.dtype(node) or INT
        return self.lazy(t, it.length, lambda k: it.item(k if low == "0" else "%s + %s" % (low, k)))

    def np_linspace(self, node):
        """Numbers at equal distances, the last one being `stop`."""
        given = self.bind_arguments(node, ["start", "stop", "num", "endpoint"])
        if not {"start", "stop"} <= set(given):
            raise Refusal(node, "np.linspace takes a start, a stop and the number of items")
        low, high = [self.real(self.scalar(given[name])) for name in ("start", "stop")]
        count = self.scalar(given["num"]) if "num" in given else number(50)
        steps = self.minus_one(node, count) if "endpoint" not in given or self.yes_or_no(given["endpoint"], "endpoint") else count
        if count.linear is None or steps.linear is None or not self.is_nonneg(steps.linear - Linear({}, 1)):
            raise Refusal(given.get("num") or node, "the number of items must be made of constants, lengths and arguments, and be at least 2",
                          "say that it is, with `requires=`")
        width = self.binary(node, ast.Sub(), high, low)

        def item(k):
            place = k if k.isidentifier() or k.isdigit() else "(%s)" % k
            first = place if width.const == 1 else "%s*%s" % (width.at(P_PRODUCT), place)
            part = taint(E("%s/%s" % (first, steps.at(P_ATOM)), REAL, P_PRODUCT), width)
            return part if low.const == 0 else self.binary(node, ast.Add(), low, part)
        return self.lazy(REAL, count.linear, item, low, high)

    def np_clip(self, node):
        given = self.bind_arguments(node, ["a", "a_min", "a_max", "min", "max"])
        bounds = [given.get("a_min", given.get("min")), given.get("a_max", given.get("max"))]
        if "a" not in given or None in bounds:
            raise Refusal(node, "np.clip takes an array and two bounds")
        a, low, high = [self.array_like(x) for x in [given["a"]] + bounds]
        return self.clip(node, a, low, high)

    def clip(self, node, a, low, high):
        bounded = a
        for word, bound in (("max", low), ("min", high)):
            if bound.type == NONE:
                continue
            one = lambda x, y, w=word: self.pair_extreme(node, w, y, x)
            bounded = self.map_two(node, bounded, bound, one, "clip") if is_sequence(bounded.type) or is_sequence(bound.type) \
                else one(bounded, bound)
        return bounded

    def np_minimum(self, node, word="min"):
        a, b = [self.array_like(x) for x in self.only(node, 2)]
        one = lambda x, y: self.pair_extreme(node, word, x, y)
        return self.map_two(node, a, b, one, "compare") if is_sequence(a.type) or is_sequence(b.type) else one(a, b)

    def np_maximum(self, node):
        return self.np_minimum(node, "max")

    def np_where(self, node):
        test, a, b = [self.array_like(x) for x in self.only(node, 3)]
        sequences = [e for e in (test, a, b) if is_sequence(e.type)]
        get = lambda e, k: self.item(e, k) if is_sequence(e.type) else e
        self.want_certain(node, get(a, "0"), get(b, "0"))
        if not sequences:
            return self.choice(node, test, a, b)
        length, batch = self.broadcast(node, *sequences)
        if self.elem(test) not in (BOOL, BOTTOM):
            raise Refusal(node.args[0], "the condition must be True or False")
        one = lambda k: self.choice(node, get(test, k), get(a, k), get(b, k))
        return mixed(self.lazy(one("0").type, length, one, batch=batch), test, a, b)

    def np_logical_and(self, node, word="and"):
        a, b = [self.array_like(x) for x in self.only(node, 2)]
        def one(x, y):
            self.want_certain(node, x, y)
            return self.connect(word, [x, y])
        return self.map_two(node, a, b, one, "compare") if is_sequence(a.type) or is_sequence(b.type) else one(a, b)

    def np_logical_or(self, node):
        return self.np_logical_and(node, "or")

    def np_diff(self, node):
        e = self.as_array(node, self.expr(self.only(node)))
        if e.type == BOTTOM:
            return e
        n = e.type.length - Linear({}, 1)
        if not self.is_nonneg(n):
            raise Refusal(node, "the array may be empty: is %s >= 1?" % e.type.length.text(),
                          "say so in the claim: `requires=\"%s >= 1\"`" % e.type.length.text())
        e = e if e.item is None else self.stored(e, node)
        one = lambda k: self.binary(node, ast.Sub(), self.item(e, self.shifted(k, Linear({}, 1))), self.item(e, k))
        return self.lazy(e.type.elem, n, one, e)

    def np_concatenate(self, node):
        arg = self.only(node)
        if not isinstance(arg, (ast.Tuple, ast.List)):
            raise Refusal(node, "concatenate takes a tuple of arrays here")
        return self.concatenate(node, [self.as_array(a, self.expr(a)) for a in arg.elts])

    def np_append(self, node):
        a, b = [self.expr(x) for x in self.only(node, 2)]
        b = b if is_sequence(b.type) else self.listed([b], node)
        return self.concatenate(node, [self.as_array(node, a), self.as_array(node, b)])

    def np_cumsum(self, node):
        node, axis = self.split_axis(node)
        return self.cumulated(node, self.as_array(node, self.expr(self.only(node))), axis)

    def cumulated(self, node, e, axis):
        """Of each sample if an axis is given, else of everything in a row."""
        if e.type == BOTTOM:
            return e
        if axis not in ((None, 1, -1) if e.type.batch else (None, 0, -1)):
            raise Refusal(node, "cumsum along this axis cannot be read")
        return self.running(node, e, e.type.batch if axis is not None else "")

    def np_bincount(self, node):
        """How often 0, 1, .. occur. A larger value would make the array longer, a negative one is an error: neither may happen."""
        given = self.bind_arguments(node, ["x", "minlength"])
        if set(given) != {"x", "minlength"}:
            raise Refusal(node, "how long the result of `np.bincount` is depends on the data",
                          "say how many values there are: `np.bincount(x, minlength=5)`, and that there are no others with `requires=`")
        e = self.as_array(given["x"], self.expr(given["x"]))
        if e.type == BOTTOM:
            return e
        if e.type.elem != INT or e.type.batch:
            raise Refusal(node, "`np.bincount` counts ints, and these are %s" % type_words(e.type),
                          "say so in the claim: types={%s: \"int[n]\"}" % ('"%s"' % given["x"].id if isinstance(given["x"], ast.Name) else '"x"'))
        counts = self.filled(node, given["minlength"], number(0), INT)
        name = self.temp("counts", counts.type)
        self.stored(counts, node, name)
        with self.loop_over(e, node) as item:
            self.may_fail(item)
            self.put("%s[%s] := %s[%s] + 1;" % (name, item.text, name, item.text), node)
        return taint(E(name, counts.type), e)

    def np_dot(self, node):
        return self.dot(node, *[self.as_array(x, self.expr(x)) for x in self.only(node, 2)])

    np_inner = np_dot

    def dot(self, node, a, b):
        if BOTTOM in (a.type, b.type):
            return self.unknown(node, a, b)
        product = self.map_two(node, a, b, lambda x, y: self.binary(node, ast.Mult(), x, y), "multiply")
        total = self.temp("total", product.type.elem)
        self.put("%s := 0;" % total, node)
        with self.loop_over(product, node) as item:
            self.put("%s := %s + %s;" % (total, total, item.at(10)), node)
        return taint(E(total, product.type.elem), product)

    def np_sum(self, node):
        return self.fold_call(node, "sum")

    def np_mean(self, node):
        return self.fold_call(node, "mean")

    def fold_call(self, node, word):
        node, axis = self.split_axis(node)
        source = self.only(node)
        return self.folded(node, source, axis, lambda: self.fold_named(node, source, word))

    def fold_named(self, node, source, word):
        if word in ("max", "min", "argmax", "argmin"):
            return self.fold_extreme(node, source, ">" if word.endswith("max") else "<", word.startswith("arg"))
        if word in ("any", "all"):
            return self.fold_truth(node, source, "or" if word == "any" else "and")
        return self.fold_sum(node, source) if word == "sum" else self.mean(node, source)

    def mean(self, node, source):
        if isinstance(source, (ast.GeneratorExp, ast.ListComp)):
            source = ast.copy_location(ast.ListComp(source.elt, source.generators), source)
        e = self.want_sequence(self.expr(source), source)
        if e.type == BOTTOM:
            return self.unknown(node, e)
        e = self.stored(e, node) if isinstance(e.type, Lst) else e
        return self.binary(node, ast.Div(), self.fold_sum(node, e), self.length(e))

    def np_max(self, node):
        return self.fold_call(node, "max")

    def np_min(self, node):
        return self.fold_call(node, "min")

    np_amax, np_amin = np_max, np_min

    def np_argmax(self, node):
        return self.fold_call(node, "argmax")

    def np_argmin(self, node):
        return self.fold_call(node, "argmin")

    def np_any(self, node):
        return self.fold_call(node, "any")

    def np_all(self, node):
        return self.fold_call(node, "all")

    def np_count_nonzero(self, node):
        arg = self.prepared(self.only(node))
        count = self.temp("count", INT)
        self.put("%s := 0;" % count, node)
        with self.each(arg) as item:
            self.put("if %s {" % self.truth(item).text, node)
            self.put("%s := %s + 1;" % (count, count), node)
            self.put("}", node)
        return implied(E(count, INT, nonneg=True), item)

    def np_sort(self, node):
        e = self.as_array(node, self.expr(self.only(node)))
        return e if e.type == BOTTOM else self.sorted(node, e, True)
