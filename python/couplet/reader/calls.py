"""Calls: builtins, math, numpy, methods of sequences, and the functions of the file."""

import ast
import copy

from .base import (implied, BOOL, BOTTOM, INT, NONE, P_ATOM, P_IF, P_PRODUCT, P_SUM, P_UNARY, REAL, RNG, SCALARS, UNIT, Arr, E,
                   Linear, Lst, Opt, Refusal, Tup, dotted, is_numpy, is_sample, is_sequence, join, taint, type_words)
from .expr import INFINITE, number
from .noise import GENERATORS, RNG_PY, Substitution, plain_signature

IGNORED = {"numpy.random.seed", "random.seed"}
NP_TYPES = {"numpy.float64": REAL, "numpy.float32": REAL, "numpy.int64": INT, "numpy.int32": INT, "numpy.bool_": BOOL,
            "float": REAL, "int": INT, "bool": BOOL}
ARITHMETIC = {"add": ast.Add, "subtract": ast.Sub, "multiply": ast.Mult, "divide": ast.Div, "true_divide": ast.Div,
              "power": ast.Pow, "mod": ast.Mod, "floor_divide": ast.FloorDiv}
INSTEAD = {"map": "write `[f(v) for v in values]`", "filter": "write `[v for v in values if ...]`",
           "divmod": "write `a // b` and `a % b`", "set": "use a list", "dict": "use lists, with a position for every key",
           "numpy.empty": "assign it to a variable, and set its items in a loop", "collections.Counter": "count in a loop", "numpy.column_stack": "return the parts as a tuple",
           "numpy.var": "write `np.mean((a - np.mean(a)) ** 2)`", "numpy.std": "write `np.sqrt(np.mean((a - np.mean(a)) ** 2))`",
           "numpy.median": "sort, and take the item in the middle", "numpy.linalg.norm": "write `np.sqrt(np.sum(a ** 2))`",
           "numpy.argsort": "use `np.argmax`, or a loop", "math.pi": "write its digits", "numpy.pi": "write its digits",
           "math.isclose": "compare with `<=`", "numpy.isclose": "compare with `<=`", "numpy.bincount": "count in a loop",
           "numpy.histogram": "count in a loop", "numpy.unique": "use a loop"}
ATTRIBUTES = {"shape": "write `len(a)` or `a.shape[0]`", "T": "of a batch of samples `for column in m.T` can be read",
              "ndim": "arrays have one dimension here", "dtype": "say it where the array is made: `dtype=float`"}
FOLDS = ("sum", "mean", "max", "min", "argmax", "argmin", "any", "all")


class Calls:
    def x_Attribute(self, node):
        name = self.resolve(node)
        if name in INFINITE:
            return E("0", Opt(BOTTOM, "inf"), present="false")
        if name in ("math.e", "numpy.e"):
            return E("exp(1)", REAL)
        if name and (name.startswith("math.") or name.startswith("numpy.")):
            raise Refusal(node, "`%s` cannot be read" % name, INSTEAD.get(name, "docs/python.md lists what can be read"))
        owner, _, last = (name or "").partition(".")
        if owner in self.module.classes and self.module.classes[owner].constant(last) is not None:
            return self.expr(self.module.classes[owner].constant(last))
        if self.generator_kind(node.value):
            raise Refusal(node, "noise that is not drawn is no value here", "call it where it is needed: `rng.%s(...)`" % node.attr)
        if node.attr == "size":
            e = self.want_sequence(self.expr(node.value), node)
            return self.unknown(node) if e.type == BOTTOM else self.length(e)
        raise Refusal(node, "the attribute `%s` cannot be read" % node.attr, ATTRIBUTES.get(
            node.attr, "pass what is needed as an argument of the function"))

    def x_Call(self, node):
        dist = self.as_draw(node)
        if dist:
            return self.draw(dist, node)
        name = self.resolve(node.func)
        own = self.own_function(node.func)
        if own is not None:
            return self.call_own(node, own)
        if name in GENERATORS:
            return E("0", GENERATORS[name])
        if name and "." not in name and name not in self.types and hasattr(self, "b_" + name):
            return getattr(self, "b_" + name)(node)
        if name == "couplet.declassify":
            e = self.scalar(self.only(node))
            return taint(E("declassify(%s)" % e.text, e.type), e)
        if name == "map":
            return self.comprehension(self.as_generator(node))
        for prefix in ("math.", "numpy."):
            if name and name.startswith(prefix):
                return self.library(node, name, name[len(prefix):])
        if isinstance(node.func, ast.Attribute) and not self.is_of_a_module(node.func):
            return self.method(node)
        raise Refusal(node, "the function `%s` is not known" % (name or "?"), INSTEAD.get(
            name, "define it in this file, or describe its noise in the sidecar file"))

    def is_of_a_module(self, node):
        """`module.f`, of a module that is imported."""
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and self.resolve(node) is not None and node.id in self.module.imports

    def only(self, node, names=1):
        if node.keywords or len(node.args) != names or any(isinstance(a, ast.Starred) for a in node.args):
            raise Refusal(node, "%d argument%s expected here" % (names, " is" if names == 1 else "s are"))
        return node.args[0] if names == 1 else node.args

    def as_generator(self, node):
        """map(f, xs) as (f(v) for v in xs)"""
        if len(node.args) < 2 or node.keywords or not isinstance(node.args[0], (ast.Name, ast.Attribute, ast.Lambda)):
            raise Refusal(node, "this map() cannot be read", INSTEAD["map"])
        function = node.args[0]
        here = lambda x: ast.fix_missing_locations(ast.copy_location(x, node))
        names = ["item %d" % i for i in range(1, len(node.args))]
        values = [here(ast.Name(n, ast.Load())) for n in names]
        if isinstance(function, ast.Lambda):
            arguments = [a.arg for a in function.args.args]
            if len(arguments) != len(names):
                raise Refusal(node, "the function has %d arguments" % len(arguments))
            call = Substitution(dict(zip(arguments, values))).visit(copy.deepcopy(function.body))
        else:
            call = here(ast.Call(function, values, []))
        source = node.args[1] if len(names) == 1 else here(ast.Call(ast.Name("zip", ast.Load()), node.args[1:], []))
        targets = [ast.Name(n, ast.Store()) for n in names]
        target = targets[0] if len(names) == 1 else ast.Tuple(targets, ast.Store())
        return here(ast.GeneratorExp(call, [ast.comprehension(here(target), source, [], 0)]))

    # ---- builtins -------------------------------------------------------------------------------

    def b_len(self, node):
        e = self.want_sequence(self.expr(self.only(node)), node)
        if e.type == BOTTOM:
            return self.unknown(node)
        return self.batch_length(node, e, 0) if isinstance(e.type, Arr) and e.type.batch else self.length(e)

    def b_abs(self, node):
        return self.each_or_one(node, self.expr(self.only(node)), self.absolute)

    def absolute(self, e):
        e = self.num(e)
        if e.const is not None:
            return number(abs(e.const))
        return taint(E("abs(%s)" % e.text, e.type, nonneg=True), e)

    def each_or_one(self, node, e, function):
        if e.type == BOTTOM:
            return self.unknown(node, e)
        if is_sequence(e.type):
            return self.map_one(node, e, function)
        self.want_scalar(e, node)
        return function(e)

    def b_int(self, node):
        return self.truncate(self.scalar(self.only(node)))

    def truncate(self, e):
        e = self.num(e)
        if e.type in (INT, BOTTOM):
            return e
        name = self.module.definition("truncate", "let %s(x : real) : int = if x >= 0 then floor(x) else ceil(x);")
        return taint(E("%s(%s)" % (name, e.text), INT, nonneg=e.nonneg), e)

    def b_float(self, node):
        arg = self.only(node)
        if isinstance(arg, ast.Constant) and isinstance(arg.value, str):
            word = arg.value.strip().lower()
            if word.lstrip("+-") in ("inf", "infinity"):
                return E("0", Opt(BOTTOM, "-inf" if word.startswith("-") else "inf"), present="false")
            raise Refusal(arg, "only float(\"inf\") can be read of strings")
        return self.real(self.scalar(arg))

    def real(self, e):
        e = self.num(e)
        return E(e.text, BOTTOM if e.type == BOTTOM else REAL, e.prec, const=e.const, nonneg=e.nonneg, private=e.private,
                 noisy=e.noisy)

    def b_bool(self, node):
        return self.truth(self.scalar(self.only(node)))

    def truth(self, e):
        if e.type in (BOOL, BOTTOM):
            return e
        return taint(E("%s != 0" % e.at(P_SUM), BOOL, 6), e)

    def b_round(self, node):
        if len(node.args) == 2 and not node.keywords:
            return self.rounded_digits(node, self.scalar(node.args[0]), node.args[1])
        e = self.scalar(self.only(node))
        return self.rounded(e, INT)

    def rounded_digits(self, node, e, digits):
        count = self.expr(digits).const
        if not isinstance(count, int) or not 0 <= count <= 9:
            raise Refusal(digits, "the number of digits must be a constant from 0 to 9")
        scaled = self.binary(node, ast.Mult(), self.num(e), number(10 ** count))
        return self.binary(node, ast.Div(), self.rounded(scaled, REAL), number(10 ** count))

    def rounded(self, e, t):
        e = self.num(e)
        if e.type in (INT, BOTTOM):
            return e
        name = self.module.definition(
            "round_to_even", "let %s(x : real) : int = if floor(x + 1/2) = x + 1/2 and floor(x + 1/2) mod 2 = 1 "
            "then floor(x + 1/2) - 1 else floor(x + 1/2);")
        return taint(E("%s(%s)" % (name, e.text), t), e)

    def b_max(self, node):
        return self.extreme(node, "max", ">")

    def b_min(self, node):
        return self.extreme(node, "min", "<")

    def extreme(self, node, word, test):
        key = None
        for keyword in node.keywords:
            if keyword.arg != "key":
                raise Refusal(keyword.value, "the argument `%s` of %s() cannot be read" % (keyword.arg, word))
            key = self.key_function(keyword.value)
        if len(node.args) == 1:
            return self.fold_extreme(node, node.args[0], test, key is not None, key)
        if key:
            raise Refusal(node, "`key` can be read for one list only")
        parts = [self.expr(a) for a in node.args]
        out = parts[0]
        for e in parts[1:]:
            out = self.pair_extreme(node, word, out, e)
        return out

    def pair_extreme(self, node, word, a, b):
        for x, y in ((a, b), (b, a)):
            if isinstance(x.type, Opt) and x.type.missing != "None":
                self.want_scalar(y, node)
                neutral = (x.type.missing == "-inf") == (word == "max")
                if not neutral:
                    raise Refusal(node, "this is infinite as long as nothing else is there")
                y = self.num(y)
                return taint(E("if %s then %s(%s, %s) else %s" % (x.present, word, x.text, y.text, y.text),
                               join(x.type.elem, y.type), P_IF), x, y)
        if BOTTOM in (a.type, b.type):
            return self.unknown(node, a, b)
        self.want_scalar(a, node)
        self.want_scalar(b, node)
        a, b = self.num(a), self.num(b)
        if isinstance(a.const, int) and isinstance(b.const, int):
            return number(max(a.const, b.const) if word == "max" else min(a.const, b.const))
        nonneg = a.nonneg or b.nonneg if word == "max" else a.nonneg and b.nonneg
        return taint(E("%s(%s, %s)" % (word, a.text, b.text), join(a.type, b.type), nonneg=nonneg), a, b)

    def key_function(self, node):
        if not isinstance(node, ast.Lambda) or len(node.args.args) != 1 or node.args.defaults:
            raise Refusal(node, "only `key=lambda x: ...` can be read")
        name = node.args.args[0].arg

        def key(item):
            outer = dict(self.bound_names)
            self.bound_names[name] = item
            value = self.scalar(node.body)
            self.bound_names = outer
            return value
        return key

    def b_sum(self, node):
        if node.keywords or not 1 <= len(node.args) <= 2:
            raise Refusal(node, "sum() takes a list and perhaps a start")
        total = self.fold_sum(node, node.args[0])
        return self.binary(node, ast.Add(), self.expr(node.args[1]), total) if len(node.args) == 2 else total

    def b_any(self, node):
        return self.fold_truth(node, self.only(node), "or")

    def b_all(self, node):
        return self.fold_truth(node, self.only(node), "and")

    def b_list(self, node):
        if not node.args and not node.keywords:
            return self.listed([], node)
        arg = self.only(node)
        if isinstance(arg, ast.Call) and self.resolve(arg.func) == "map":
            arg = self.as_generator(arg)
        if isinstance(arg, ast.GeneratorExp):
            return self.comprehension(arg)
        it = self.iteration(arg)
        if it.length is None:
            if it.source is not None and isinstance(it.source.type, Lst):
                return it.source
            raise Refusal(node, "the length of this list is not known", "write a list with `for`")
        if it.source is not None and isinstance(it.source.type, Arr):
            s = it.source
            return taint(E("", Arr(s.type.elem, s.type.length, False), item=lambda k: self.item(s, k)), s)
        probe = it.item("0")
        low = it.low
        return taint(E("", Arr(probe.type, it.length, False),
                       item=lambda k: it.item(k if low == "0" else "%s + %s" % (low, k))), probe)

    def b_sorted(self, node):
        down, key = False, None
        for keyword in node.keywords:
            if keyword.arg == "key":
                key = self.key_function(keyword.value)
            elif keyword.arg == "reverse":
                down = self.yes_or_no(keyword.value, "reverse")
            else:
                raise Refusal(keyword.value, "the argument `%s` of sorted() cannot be read" % keyword.arg)
        if len(node.args) != 1:
            raise Refusal(node, "sorted() takes one list")
        e = self.want_sequence(self.expr(node.args[0]), node)
        return self.unknown(node) if e.type == BOTTOM else self.sorted(node, e, False, down, key)

    def b_tuple(self, node):
        """A sequence that does not change."""
        return self.b_list(node)

    def b_pow(self, node):
        a, b = [self.scalar(x) for x in self.only(node, 2)]
        return self.binary(node, ast.Pow(), a, b)

    def b_range(self, node):
        raise Refusal(node, "range() can be read behind `for`, and in list(range(n))")

    b_enumerate = b_zip = b_reversed = b_range

    def b_print(self, node):
        if not any(isinstance(x, ast.Call) for a in node.args for x in ast.walk(a)) and all(
                self.is_public_number(x.id) for a in node.args for x in ast.walk(a) if isinstance(x, ast.Name)):
            return E("0", NONE)  # says what is known anyway
        raise Refusal(node, "what is printed is output, too, and cannot be read", "return it, or delete this line")

    # ---- math and numpy -------------------------------------------------------------------------

    def applied(self, word, t=REAL, nonneg=False):
        def apply(e):
            e = self.num(e)
            return taint(E("%s(%s)" % (word, e.text), t, nonneg=nonneg), e)
        return apply

    def library(self, node, name, word):
        in_math = name.startswith("math.")
        scalars = {"exp": self.applied("exp", nonneg=True), "sqrt": self.applied("sqrt", nonneg=True),
                   "fabs": self.absolute_real, "log2": self.log_base("2"), "log10": self.log_base("10"),
                   "log1p": lambda e: taint(E("ln(1 + %s)" % self.num(e).at(P_PRODUCT), REAL), e),
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
            return self.each_or_one(node, self.array_like(self.only(node)), scalars[word])
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
        return lambda e: taint(E("ln(%s)/ln(%s)" % (self.num(e).text, base), REAL, P_PRODUCT), e)

    def logarithm(self, node):
        if len(node.args) == 2 and self.resolve(node.func) == "math.log":
            x, b = [self.num(self.scalar(a)) for a in node.args]
            return taint(E("ln(%s)/ln(%s)" % (x.text, b.text), REAL, P_PRODUCT), x, b)
        return self.each_or_one(node, self.array_like(self.only(node)), self.applied("ln"))

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
        if not sequences:
            return self.choice(node, test, a, b)
        length, batch = self.broadcast(node, *sequences)
        get = lambda e, k: self.item(e, k) if is_sequence(e.type) else e
        if self.elem(test) not in (BOOL, BOTTOM):
            raise Refusal(node.args[0], "the condition must be True or False")
        one = lambda k: self.choice(node, get(test, k), get(a, k), get(b, k))
        return self.lazy(one("0").type, length, one, test, a, b, batch=batch)

    def np_logical_and(self, node, word="and"):
        a, b = [self.array_like(x) for x in self.only(node, 2)]
        one = lambda x, y: self.connect(word, [x, y])
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
        total = self.fold_sum(node, source)
        e = self.peek(source)
        if e.type == BOTTOM:
            return self.unknown(node, total)
        return self.binary(node, ast.Div(), total, self.length(e))

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

    # ---- methods --------------------------------------------------------------------------------

    def method(self, node):
        word, value = node.func.attr, node.func.value
        if word in FOLDS:
            node, axis = self.split_axis(node)
            if node.args or node.keywords:
                raise Refusal(node, "of the arguments of `%s` only `axis=` can be read" % word)
            return self.folded(node, value, axis, lambda: self.fold_named(node, value, word))
        if word == "count" and isinstance(value, ast.Name) and value.id in self.counted:
            return self.read_counter(node, value.id)
        if word == "count":
            return self.count_equal(node, value, self.scalar(self.only(node)))
        e = self.expr(value)
        if node.keywords and not (word == "cumsum" and [k.arg for k in node.keywords] == ["axis"]):
            raise Refusal(node.keywords[0].value, "the argument `%s` of `%s` cannot be read" % (node.keywords[0].arg, word))
        if e.type == BOTTOM:
            return self.unknown(node, e)
        if word == "item" and not node.args and e.type in SCALARS:
            return e
        self.want_sequence(e, value)
        if word == "item":
            return self.only_item(node, e)
        if word in ("copy", "tolist", "flatten", "ravel") and not node.args:
            if isinstance(e.type, Lst):
                return e
            numpy = is_numpy(e.type) and word != "tolist"
            batch = e.type.batch if word == "copy" else ""
            if e.type.batch and word == "tolist":
                raise Refusal(node, "`tolist` of a batch of samples cannot be read", "return the array")
            return taint(E("", Arr(e.type.elem, e.type.length, numpy, batch), item=lambda k: self.item(e, k)), e)
        if word == "astype":
            t = NP_TYPES.get(self.resolve(self.only(node)))
            if t is None:
                raise Refusal(node, "this type of items cannot be read", "use float, int or bool")
            return self.map_one(node, e, lambda x: self.convert(node, x, t))
        if word == "dot":
            arg = self.only(node)
            return self.dot(node, self.as_array(node, e), self.as_array(arg, self.expr(arg)))
        if word == "cumsum" and not node.args:
            node, axis = self.split_axis(node)
            return self.cumulated(node, self.as_array(node, e), axis)
        if word == "clip":
            low, high = [self.expr(x) for x in self.only(node, 2)]
            return self.clip(node, e, low, high)
        if word == "round" and not node.args:
            return self.map_one(node, e, lambda x: self.rounded(x, REAL))
        if word == "index":
            raise Refusal(node, "`index` cannot be read", "use a loop with enumerate")
        if word in ("append", "extend", "insert", "pop", "sort", "remove", "reverse", "clear", "fill"):
            raise Refusal(node, "`%s` must be a statement of its own, on a list" % word)
        raise Refusal(node, "the method `%s` cannot be read" % word, "docs/python.md lists what can be read")

    def only_item(self, node, e):
        """a.item(), a.item(0)"""
        if not node.args and is_sample(e.type):
            return self.item(e, "0")
        if len(node.args) != 1 or not isinstance(e.type, Arr) or e.type.batch:
            raise Refusal(node, "`item` can be read with a position, of an array of one dimension", "write `a[0]`")
        return self.item(e, self.index_text(node.args[0], self.expr(node.args[0]), e))

    # ---- functions of the file ------------------------------------------------------------------

    def is_formula(self, function, names):
        """A function that is one expression over its arguments: its value stands where it is called."""
        body = function.body[1:] if isinstance(function.body[0], ast.Expr) and isinstance(function.body[0].value, ast.Constant) \
            else function.body
        if len(body) != 1 or not isinstance(body[0], ast.Return) or body[0].value is None or function in self.inside:
            return False
        inner = list(ast.walk(body[0]))
        if any(isinstance(x, (ast.IfExp, ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.BoolOp)) for x in inner):
            return False
        free = {x.id for x in inner if isinstance(x, ast.Name)} - set(names)
        return not any(n in self.assigned or n in self.by_name or n in self.nested or n in self.bound_names for n in free)

    def in_place(self, function, values):
        """The value, and the arguments that it may be."""
        outer, self.bound_names = self.bound_names, values
        self.inside.append(function)
        e = self.expr(function.body[-1].value)
        roots = self.alias_roots(function.body[-1].value) if is_sequence(e.type) or isinstance(e.type, Tup) else set()
        self.inside.pop()
        self.bound_names = outer
        return e, roots

    def check_default(self, name, node):
        """A default is computed where the function is defined: it must mean the same wherever the function is called."""
        for x in ast.walk(node):
            if isinstance(x, ast.Name) and (self.is_local_somewhere(x.id) or not (
                    x.id in self.module.constants or x.id in self.module.imports or x.id in self.module.functions)):
                raise Refusal(x, "the default of `%s` may be another value where the function is called" % name,
                              "write a number, or a name of the file that no function and no class assigns")
            if isinstance(x, ast.Attribute) and not (self.resolve(x) or "").startswith(("math.", "numpy.")):
                raise Refusal(x, "the default of `%s` cannot be read" % name, "write a number")
            if not isinstance(x, (ast.Constant, ast.UnaryOp, ast.BinOp, ast.Tuple, ast.Name, ast.Attribute, ast.operator, ast.unaryop,
                                  ast.expr_context)):
                raise Refusal(x, "the default of `%s` is computed once, where the function is defined" % name,
                              "write a number, or pass the value")

    def is_local_somewhere(self, name):
        """Does a function, a class or a comprehension of the file have a variable of this name?"""
        found = self.module.__dict__.setdefault("local_somewhere", set())
        if not found:
            found.add("")
            for scope in ast.walk(self.module.tree):
                if not isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.ListComp, ast.SetComp,
                                          ast.DictComp, ast.GeneratorExp)):
                    continue
                for x in ast.walk(scope):
                    if isinstance(x, ast.Name) and not isinstance(x.ctx, ast.Load):
                        found.add(x.id)
                    elif isinstance(x, ast.arg):
                        found.add(x.arg)
                    elif isinstance(x, ast.alias):
                        found.add((x.asname or x.name).split(".")[0])
                    elif isinstance(x, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and x is not scope:
                        found.add(x.name)
                    elif isinstance(x, (ast.Global, ast.Nonlocal)):
                        found.update(x.names)
        return name in found

    def captured(self, function):
        """Names of the function around that a nested one reads: they are passed to it."""
        own = {a.arg for a in function.args.args + function.args.kwonlyargs}
        inner = [x for s in function.body for x in ast.walk(s)]
        within = {x.id for c in inner if isinstance(c, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.FunctionDef, ast.Lambda))
                  for x in ast.walk(c) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)} | {
                      x.arg for x in inner if isinstance(x, ast.arg)}
        for n in sorted(within - own):
            if n in self.by_name or n in self.assigned or n in self.bound_names:
                raise Refusal(function, "`%s` is a variable of the function around, and another one inside of this one" % n,
                              "use another name in the comprehension")
        own |= {x.id for x in inner if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}
        own |= {x.arg for x in inner if isinstance(x, ast.arg)} | {x.name for x in inner if isinstance(x, ast.FunctionDef)}
        read = {x.id for x in inner if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Load)} - own
        for name in sorted(read & set(self.nested)):  # what those that it calls read
            if self.nested[name] is not function:
                read |= set(self.captured(self.nested[name])) - own
        read = sorted(n for n in read if n not in self.nested and (n in self.by_name or n in self.assigned or n in self.bound_names))
        for n in read:
            if n in self.bound_names and n not in self.loop_only:
                raise Refusal(function, "`%s` is read here, and is the name of another variable where this is called" % n,
                              "use another name in the comprehension")
        return tuple(read)

    def with_arguments(self, function, extra):
        key = (function, extra)
        if key not in self.module.closures:
            arguments = ast.arguments([], function.args.args + [ast.copy_location(ast.arg(n), function) for n in extra], None,
                                      function.args.kwonlyargs, function.args.kw_defaults, None,
                                      function.args.defaults + [None] * len(extra))
            self.module.closures[key] = ast.copy_location(ast.FunctionDef(function.name, arguments, function.body, []), function)
        return self.module.closures[key]

    def call_own(self, node, function):
        plain_signature(function)
        call = node
        extra = self.captured(function) if isinstance(node.func, ast.Name) and node.func.id in self.nested else ()
        if extra:
            function = self.with_arguments(function, extra)
            node = ast.copy_location(ast.Call(node.func, node.args, node.keywords + [
                ast.keyword(n, ast.copy_location(ast.Name(n, ast.Load()), node)) for n in extra]), node)
        names = [a.arg for a in function.args.args]
        given = self.bind_arguments(node, names)
        defaults = {n: d for n, d in zip(names[len(names) - len(function.args.defaults):], function.args.defaults) if d is not None}
        values = []
        for name in names:
            if name in given and (isinstance(given[name], ast.GeneratorExp) or
                                  isinstance(given[name], ast.Call) and self.resolve(given[name].func) == "map"):
                raise Refusal(given[name], "a generator can be read once, and the function may do so more often", "write a list: `[... for ...]`")
            if name in given:
                e = self.expr(given[name])
            elif name in defaults:
                self.check_default(name, defaults[name])
                e = self.expr(defaults[name])
            else:
                raise Refusal(node, "the argument `%s` of `%s` is missing" % (name, function.name))
            if is_sequence(e.type):
                e = self.stored(e, node)
            values.append(e)
        if any(v.type == BOTTOM for v in values):
            return self.unknown(node, *values)
        if self.is_formula(function, names):
            e, roots = self.in_place(function, dict(zip(names, values)))
            return self.sharing(call, given, roots, e)
        routine = self.module.procedure(self, node, function, values)
        self.count_draws += routine.count_draws
        actual = ", ".join(v.text for v in values if v.type not in (RNG, RNG_PY, NONE) and not v.batch)
        if routine.returns in (UNIT, BOTTOM):
            self.put("%s(%s);" % (routine.dp_name, actual), node)
            return E("0", NONE)
        name = self.temp("result", routine.returns)
        self.put("%s := %s(%s);" % (name, routine.dp_name, actual), node)
        e = self.from_variable(name, routine.returns, routine.returns_private, routine.returns_noisy)
        return self.sharing(call, given, getattr(routine, "returned", set()), e)

    def sharing(self, call, given, roots, e):
        """Remembers which arguments the result may be (alias_roots)."""
        self.__dict__.setdefault("shared", {}).setdefault(call, {}).update({n: given[n] for n in roots if n in given})
        return e
