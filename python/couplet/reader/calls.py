"""Calls: builtins, methods of sequences, and the functions of the file."""

import ast
import copy

from .base import (FIXED, INFINITE, Arr, BOOL, BOTTOM, E, INT, Lst, NONE, Opt, P_IF, P_SUM, REAL, RNG, Refusal, SCALARS, Tup, UNIT, is_numpy, is_sample,
                   is_sequence, join, taint)
from .expr import RNG_PY, number
from .looks import mutated_names, runs_over_once
from .noise import GENERATORS, Substitution, plain_signature
from .numpy_calls import INSTEAD, NP_TYPES

ATTRIBUTES = {"shape": "write `len(a)` or `a.shape[0]`", "T": "of a batch of samples `for column in m.T` can be read",
              "ndim": "arrays have one dimension here", "dtype": "say it where the array is made: `dtype=float`"}
OF_C = ("abs", "max", "min", "pow")  # names that mean in C what they mean in Python
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
            self.check_seeds(node)
            return E("0", GENERATORS[name])
        if name and "." not in name and name not in self.types and hasattr(self, "b_" + name) and (
                not self.module.is_c or name in OF_C):
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
            name, "define it in this file, or describe its noise in the TOML file beside it (docs/python.md)"))

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
        return self.each_or_one(node, self.expr(self.only(node)), lambda e: self.absolute(self.computed(e, node)))

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
        return taint(E(e.text, BOTTOM if e.type == BOTTOM else REAL, e.prec, const=e.const, nonneg=e.nonneg), e)

    def b_bool(self, node):
        return self.truth(self.scalar(self.only(node)))

    def truth(self, e):
        if e.type in (BOOL, BOTTOM):
            return e
        return taint(E("%s != 0" % e.at(P_SUM), BOOL, 6), e)

    def b_round(self, node):
        if len(node.args) == 2 and not node.keywords:
            return self.rounded_digits(node, self.scalar(node.args[0]), node.args[1])
        return self.rounded(self.computed(self.scalar(self.only(node)), node), INT)

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
        a, b = self.computed(a, node), self.computed(b, node)
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
        name = node.func.id
        raise Refusal(node, "range() can be read behind `for`, and in list(range(n))" if name == "range" else
                      "%s() can be read behind `for` only" % name, "write it where the loop is" if name != "range" else None)

    b_enumerate = b_zip = b_reversed = b_range

    def b_print(self, node):
        if not any(isinstance(x, ast.Call) for a in node.args for x in ast.walk(a)) and all(
                self.is_public_number(x.id) for a in node.args for x in ast.walk(a) if isinstance(x, ast.Name)):
            return E("0", NONE)  # says what is known anyway
        raise Refusal(node, "what is printed is output, too, and cannot be read", "return it, or delete this line")

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
            name = node.func.value.id if isinstance(node.func.value, ast.Name) else "x"
            instead = {"sort": "write `%s = sorted(%s)`" % (name, name), "reverse": "write `%s = %s[::-1]`" % (name, name)}
            raise Refusal(node, "`%s` changes a list in place, which cannot be read here" % word,
                          instead.get(word, "`append` and `extend` are statements of their own, on a list of the function"))
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
        found = {}
        for name in [*given, *names]:  # in the order in which they are written
            if name in found:
                continue
            if name in given:
                e = self.expr(self.finished(given[name], function, name, call))
            elif name in defaults:
                self.check_default(name, defaults[name])
                e = self.expr(defaults[name])
            else:
                raise Refusal(node, "the argument `%s` of `%s` is missing" % (name, function.name))
            found[name] = self.stored(e, node) if is_sequence(e.type) else e
        values = [found[name] for name in names]
        if any(v.type == BOTTOM for v in values):
            return self.unknown(node, *values)
        if self.is_formula(function, names):
            e, roots = self.in_place(function, dict(zip(names, values)))
            return self.sharing(call, given, roots, e)
        routine = self.module.procedure(self, node, function, values)
        self.note_call(routine)
        self.count_draws += routine.count_draws
        actual = ", ".join(v.text for v, a in zip(values, routine.arguments) if a.type not in (RNG, RNG_PY, NONE, FIXED))
        if routine.returns in (UNIT, BOTTOM):
            self.put("%s(%s);" % (routine.dp_name, actual), node)
            return E("0", NONE)
        name = self.temp("result", routine.returns)
        self.put("%s := %s(%s);" % (name, routine.dp_name, actual), node)
        e = self.from_variable(name, routine.returns, routine.returns_private, routine.returns_noisy)
        return self.sharing(call, given, getattr(routine, "returned", set()), e)

    def finished(self, node, function, name, call):
        """A generator as a list: the function runs over it once, and nothing that it reads changes before."""
        if isinstance(node, ast.Call) and self.resolve(node.func) == "map":
            node = self.as_generator(node)
        if not isinstance(node, ast.GeneratorExp):
            return node
        early = any(isinstance(x, ast.NamedExpr) for x in ast.walk(call))
        if early or self.has_draw(node) or not runs_over_once(function, name) or \
                mutated_names(function.body)["all"] & {a.arg for a in function.args.args}:
            raise Refusal(node, "a generator can be read once, and computes its items then; the function may do so more often, or change "
                          "something before", "write a list: `[... for ...]`")
        return ast.copy_location(ast.ListComp(node.elt, node.generators), node)

    def sharing(self, call, given, roots, e):
        """Remembers which arguments the result may be (alias_roots)."""
        self.__dict__.setdefault("shared", {}).setdefault(call, {}).update({n: given[n] for n in roots if n in given})
        return e
