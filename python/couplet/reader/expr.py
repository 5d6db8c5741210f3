"""Expressions: Python to Couplet.

Every method returns an `E`. What cannot be part of an expression (samples, loops over sequences)
is emitted before it as statements, in the order in which Python evaluates.
"""

import ast
import copy
import operator
from decimal import Decimal
from fractions import Fraction

from .base import (is_decided, BOOL, BOTTOM, INT, NONE, P_AND, P_ATOM, P_CMP, P_IF, P_NOT, P_OR, P_POWER, P_PRODUCT, P_SUM,
                   P_UNARY, REAL, RISK, RNG, SCALARS, Arr, E, Linear, Opt, Refusal, Tup, dotted, is_numpy,
                   is_sequence, join, mixed, mixes_truth, taint, type_words)
from .presence import facts

COMPARE = {ast.Eq: "=", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
EXACT = {"=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
RNG_PY = "random.Random"


def number(value):
    """A constant: Python's decimal digits are taken for the number that was meant."""
    if isinstance(value, bool):
        return E("true" if value else "false", BOOL, const=value)
    if isinstance(value, int):
        return E(str(value), INT, P_ATOM if value >= 0 else P_UNARY, const=value, linear=Linear({}, value),
                 nonneg=value >= 0)
    text = format(Decimal(repr(value)), "f") if 1e-9 < abs(value) < 1e15 or value == 0 else None
    if text is None:
        digits, _, power = ("%r" % value).partition("e")
        text = "%se%d" % (digits, int(power or 0))
    return E(text, REAL, P_ATOM if value >= 0 else P_UNARY, const=value, nonneg=value >= 0)


def fold(op, a, b):
    """The value of an operation on constants, exactly, and 0 divided by anything public."""
    if isinstance(op, ast.Div) and a.const == 0 and b.const != 0 and not is_decided(b):
        return E("0", REAL, const=0, nonneg=True)
    if isinstance(op, (ast.Add, ast.Sub, ast.Mult)) and float in (type(a.const), type(b.const)) and type(a.const) in (int, float) and \
            type(b.const) in (int, float):
        x, y = Fraction(repr(a.const)), Fraction(repr(b.const))
        value = x + y if isinstance(op, ast.Add) else x - y if isinstance(op, ast.Sub) else x * y
        return number(float(value)) if abs(value) < 1e15 and Fraction(repr(float(value))) == value else None
    if not isinstance(a.const, int) or not isinstance(b.const, int):
        return None
    if isinstance(op, ast.Pow):
        return number(a.const ** b.const) if 0 <= b.const <= 64 and abs(a.const) < 1 << 64 else None
    compute = {ast.Add: int.__add__, ast.Sub: int.__sub__, ast.Mult: int.__mul__}.get(type(op))
    return number(compute(a.const, b.const)) if compute else None


class Expressions:
    # ---- entry ----------------------------------------------------------------------------------

    def expr(self, node):
        method = getattr(self, "x_" + type(node).__name__, None)
        if method is None:
            raise Refusal(node, "%s cannot be read here" % construct(node), hint_for(node))
        before, self.at_risk = self.at_risk, False
        e = method(node)
        if not e.local and self.is_decided_text(e.text):
            e = copy.copy(e)
            e.local = True
        if self.at_risk and (e.type in SCALARS or isinstance(e.type, Opt)):
            e = copy.copy(e)
            e.text += self.places.risk(node)
            self.risky.add(node)
            self.at_risk = False
        self.at_risk |= before
        if e.prec == P_ATOM and not e.text.startswith("\ue000") and not is_sequence(e.type):
            e.text = self.places.mark(node, e.text)
        return e

    def want_certain(self, node, *operands):
        """All of them are computed, in whatever order: none may be left out in the translation, as in `and`."""
        if any(RISK in e.text for e in operands):
            raise Refusal(node, "part of this may fail, and is computed in any case", "use `if`, or `and` and `or`")

    def scalar(self, node, what="a number"):
        e = self.expr(node)
        self.want_scalar(e, node, what)
        return e

    def want_scalar(self, e, node, what="a number"):
        if isinstance(e.type, Opt) and e.type.missing == "None":
            return self.want_present(e, node)
        if e.type in SCALARS or e.type == BOTTOM:
            return
        if isinstance(e.type, Opt):
            raise Refusal(node, "this may be infinite; only comparisons with it can be read",
                          "start from the first item, or from None")
        raise Refusal(node, "%s is expected here, not %s" % (what, type_words(e.type)))

    def want_present(self, e, node):
        if self.final:
            raise Refusal(node, "this may be None here, and computing with None is an exception",
                          "test it before, `if x is not None:`, or start from a number")

    def num(self, e):
        """As a number: Python's True is 1."""
        if e.type == BOOL:
            if isinstance(e.const, bool):
                return number(int(e.const))
            return taint(E("if %s then 1 else 0" % e.text, INT, P_IF, nonneg=True), e)
        if isinstance(e.type, Opt):
            return taint(E(e.text, e.type.elem, e.prec), e)
        return e

    def computed(self, e, node):
        """As a number, to compute with. numpy's truth values are no numbers as Python's are: True + True is True, and -True an error."""
        if e.type == BOOL and e.const is None and not self.module.is_c:
            raise Refusal(node, "arithmetic with truth values alone cannot be read: Python and numpy compute differently",
                          "write `int(x)`, or `np.where(mask, 1, 0)` of an array")
        return self.num(e)

    def mixes_truth(self, a, b):
        return not self.module.is_c and mixes_truth(a, b)

    def cond(self, node):
        """A condition; only truth values, because everything else is true in ways that are easily missed."""
        e = self.expr(node)
        if e.type not in (BOOL, BOTTOM):
            hint = "write `len(x) > 0`" if is_sequence(e.type) else \
                "write `x != 0`, or `x is not None`; if an argument is a truth value, say so: `types={\"x\": \"bool\"}`"
            raise Refusal(node, "a condition must be True or False, not %s" % type_words(e.type), hint)
        return e

    def unknown(self, node, *sources):
        """A value whose type is not known in this pass."""
        if self.final:
            raise Refusal(node, "the type of this cannot be found out", "annotate the argument, or use `types=`")
        return taint(E("?", BOTTOM), *sources)

    # ---- atoms ----------------------------------------------------------------------------------

    def x_Constant(self, node):
        v = node.value
        if v is None:
            return E("0", NONE)
        if isinstance(v, (bool, int)) or (isinstance(v, float) and v == v and abs(v) != float("inf")):
            return number(v)
        raise Refusal(node, "%s cannot be read: values are numbers, truth values, lists and tuples of them" % (
            "a string" if isinstance(v, str) else "this constant"),
            "return a number or a truth value instead" if isinstance(v, str) else None)

    def x_Name(self, node):
        return self.read(node.id, node)

    def x_NamedExpr(self, node):
        """`(x := e)`: assigned here; what stands before it in the statement must not be about x, nor call what reads it."""
        name, place = node.target.id, lambda x: (x.lineno, x.col_offset)
        before = {id(x) for x in ast.walk(self.current) if isinstance(x, ast.Name) and place(x) < place(node)}
        read = {n for x in ast.walk(self.current) if id(x) in before for n in self.names_in(x)}
        keywords = [x for x in ast.walk(self.current) if isinstance(x, ast.keyword)]  # of functions of libraries, computed in another order
        if any(x is node for k in keywords for x in ast.walk(k.value)) or self.bound_names and any(b not in self.loop_only for b in self.bound_names) or name in read:
            raise Refusal(node, "`:=` cannot be read here", "assign in a statement of its own")
        self.assign_value(name, node.value, node)
        return self.read(name, node)

    def x_Tuple(self, node):
        parts = [self.expr(x) for x in node.elts]
        if len(parts) < 2:
            raise Refusal(node, "a tuple of less than two items cannot be read", "use the item itself")
        return self.tuple_of(parts, node)

    def tuple_of(self, parts, node):
        e = E("(%s)" % ", ".join(p.text for p in parts), Tup(tuple(p.type for p in parts)), parts=parts)
        return mixed(e, *parts)

    def x_List(self, node):
        items = [self.num_or_bool(self.expr(x), x) for x in node.elts]
        return self.listed(items, node)

    def num_or_bool(self, e, node):
        if e.type not in SCALARS + (BOTTOM,):
            raise Refusal(node, "a list can have numbers and truth values in it, not %s" % type_words(e.type),
                          "only lists and arrays of one dimension are read")
        return e

    def listed(self, items, node):
        t = BOTTOM
        for item in items:
            if item.type == BOOL and item.const is None and any(self.mixes_truth(BOOL, x.type) for x in items):
                raise Refusal(node, "a list with truth values and numbers in it", "write `int(x)`, or `bool(x)`")
            t = join(t, item.type)
        items = [self.fit(i, t) for i in items]

        def item(k):
            if k.isdigit() and int(k) < len(items):
                return items[int(k)]
            if not items:
                return E("0", t)
            name = self.temp("item", Arr(t, Linear({}, len(items)), False))
            self.put_items(name, items, t, node)
            return mixed(E("%s[%s]" % (name, k), t), *items)
        e = E("[%s]" % ", ".join(i.text for i in items), Arr(t, Linear({}, len(items)), False), item=item)
        e.parts = items
        return mixed(e, *items)

    def put_items(self, name, items, t, node):
        for k, item in enumerate(items):
            self.put("%s[%d] := %s;" % (name, k, self.fit(item, t).text), node)

    def fit(self, e, t):
        """The value as one of a larger type."""
        return self.num(e) if t in (INT, REAL) and e.type == BOOL else e

    # ---- operators ------------------------------------------------------------------------------

    def x_UnaryOp(self, node):
        e = self.expr(node.operand)
        if isinstance(node.op, ast.Not):
            if e.type not in (BOOL, BOTTOM):
                raise Refusal(node.operand, "`not` needs a truth value here, not %s" % type_words(e.type),
                              "compare: `x == 0`, `len(x) == 0`")
            return self.negate(e)
        if is_sequence(e.type):
            return self.map_one(node, e, lambda x: self.unary(node, x))
        if isinstance(node.op, ast.Invert):
            raise Refusal(node, "`~` of Python's True is -2, which is true", "write `not x`; `~` is for arrays")
        return self.unary(node, e)

    def unary(self, node, e):
        if isinstance(node.op, ast.Invert):
            if e.type != BOOL:
                raise Refusal(node, "`~` can be read for arrays of truth values only")
            return self.negate(e)
        if isinstance(e.type, Opt) and e.present == "false" and isinstance(node.op, ast.USub):
            return E("0", Opt(BOTTOM, "-inf" if e.type.missing == "inf" else "inf"), present="false")
        self.want_scalar(e, node)
        e = self.computed(e, node)
        if isinstance(node.op, ast.UAdd):
            return e
        if e.const is not None:
            return number(-e.const)
        linear = e.linear.times(-1) if e.linear else None
        return taint(E("-" + e.at(P_POWER), e.type, P_UNARY, linear=linear), e)

    def negate(self, e):
        if isinstance(e.const, bool):
            return number(not e.const)
        return taint(E("not " + e.at(P_CMP), BOOL if e.type != BOTTOM else BOTTOM, P_NOT), e)

    def x_BinOp(self, node):
        dist = self.as_draw(node)
        if dist:
            return self.draw(dist, node)
        a, b = self.expr(node.left), self.expr(node.right)
        if isinstance(node.op, ast.MatMult) and (is_numpy(a.type) or is_numpy(b.type)):
            return self.dot(node, self.as_array(node.left, a), self.as_array(node.right, b))
        return self.binary(node, node.op, a, b)

    def binary(self, node, op, a, b):
        if BOTTOM in (a.type, b.type):
            return self.unknown(node, a, b)
        if is_sequence(a.type) or is_sequence(b.type):
            return self.sequence_binary(node, op, a, b)
        if isinstance(op, (ast.BitAnd, ast.BitOr, ast.BitXor)) and a.type == b.type == BOOL:
            if isinstance(op, ast.BitXor):
                return taint(E("%s != %s" % (a.at(P_SUM), b.at(P_SUM)), BOOL, P_CMP), a, b)
            self.want_certain(node, a, b)
            return self.connect("and" if isinstance(op, ast.BitAnd) else "or", [a, b])
        for e, side in ((a, getattr(node, "left", node)), (b, getattr(node, "right", node))):
            self.want_scalar(e, side)
        if a.type == b.type == BOOL or a.type == BOOL and isinstance(op, ast.Pow):  # numpy: of truth values, or of 8 bits
            self.computed(a if a.const is None else b, node)
        a, b = self.num(a), self.num(b)
        folded = fold(op, a, b)
        if folded is not None:
            return folded
        method = {ast.Add: self.add, ast.Sub: self.sub, ast.Mult: self.mult, ast.Div: self.div,
                  ast.FloorDiv: self.floordiv, ast.Mod: self.mod, ast.Pow: self.power}.get(type(op))
        if method is None:
            raise Refusal(node, "this operator cannot be read: bits of integers", "use arithmetic")
        if isinstance(op, (ast.Div, ast.FloorDiv, ast.Mod)) and not b.smooth:
            self.may_fail(b)
        e = taint(method(node, a, b), a, b)
        e.smooth = isinstance(op, (ast.Add, ast.Sub)) and (
            a.smooth and not b.noisy and not self.is_sampled_text(b.text) or b.smooth and not a.noisy and not self.is_sampled_text(a.text))
        return e

    def add(self, node, a, b):
        linear = a.linear + b.linear if a.linear and b.linear else None
        return E("%s + %s" % (a.at(P_SUM), b.at(P_PRODUCT)), join(a.type, b.type), P_SUM, linear=linear,
                 nonneg=a.nonneg and b.nonneg)

    def sub(self, node, a, b):
        linear = a.linear - b.linear if a.linear and b.linear else None
        return E("%s - %s" % (a.at(P_SUM), b.at(P_PRODUCT)), join(a.type, b.type), P_SUM, linear=linear)

    def mult(self, node, a, b):
        linear = None
        if a.linear and b.linear:
            if not a.linear.terms:
                linear = b.linear.times(a.linear.constant)
            elif not b.linear.terms:
                linear = a.linear.times(b.linear.constant)
        return E("%s*%s" % (a.at(P_PRODUCT), b.at(P_UNARY)), join(a.type, b.type), P_PRODUCT, linear=linear,
                 nonneg=a.nonneg and b.nonneg)

    def div(self, node, a, b):
        if b.const == 0:
            raise Refusal(node, "a division by zero")
        if self.module.is_c and a.type == b.type == INT:
            raise Refusal(node, "C rounds this division of ints", "write one of them as a float: 1.0 / n")
        if a.over is not None and RISK not in a.text:  # x/y/z as x/(y*z), which is compared with others more easily
            a, b = a.over[0], self.mult(node, a.over[1], b)
        return E("%s/%s" % (a.at(P_PRODUCT), b.at(P_UNARY)), REAL, P_PRODUCT, over=(a, b))

    def floordiv(self, node, a, b):
        if a.type == b.type == INT:
            return E("%s div %s" % (a.at(P_PRODUCT), b.at(P_UNARY)), INT, P_PRODUCT, nonneg=a.nonneg and b.nonneg)
        return E("floor(%s/%s)" % (a.at(P_PRODUCT), b.at(P_UNARY)), REAL)

    def mod(self, node, a, b):
        if self.module.is_c and not a.nonneg:
            raise Refusal(node, "C's remainder of negative numbers differs from the one of the language")
        if self.module.is_c and not b.nonneg:  # C: the sign of the divisor does not matter
            b = taint(E("abs(%s)" % b.text, b.type, nonneg=True), b)
        if a.type == b.type == INT:
            return E("%s mod %s" % (a.at(P_PRODUCT), b.at(P_UNARY)), INT, P_PRODUCT, nonneg=b.nonneg)
        return E("%s - %s*floor(%s/%s)" % (a.at(P_SUM), b.at(P_PRODUCT), a.at(P_PRODUCT), b.at(P_UNARY)), REAL, P_SUM)

    def power(self, node, a, b):
        if isinstance(b.const, int) and b.const >= 0:
            return E("%s^%d" % (a.at(P_ATOM), b.const), a.type, P_POWER)
        self.may_fail(a)
        if isinstance(b.const, int) and a.const != 0 and a.type in (INT, REAL):
            return E("1/%s^%d" % (a.at(P_ATOM), -b.const), REAL, P_PRODUCT)
        if b.const == 0.5:
            return E("sqrt(%s)" % a.text, REAL)
        if isinstance(a.const, int) and a.const >= 2 and b.type == INT and b.nonneg:
            return E("%s^%s" % (a.text, b.at(P_ATOM)), INT, P_POWER, nonneg=True)
        if a.const is not None and a.const > 0 and b.type == REAL:
            return E("exp(%s*ln(%s))" % (b.at(P_PRODUCT), a.text), REAL)
        if self.is_positive_number(getattr(node, "right", None)):  # 0 to such a power is 0
            power = "exp(%s*ln(%s))" % (b.at(P_PRODUCT), a.text)
            positive = a.linear is not None and self.is_nonneg(a.linear - Linear({}, 1))
            return E(power, REAL) if positive else E("if %s = 0 then 0 else %s" % (a.at(P_SUM), power), REAL, P_IF, nonneg=True)
        raise Refusal(node, "this power cannot be read", "write `math.exp(y * math.log(x))` for x > 0, or a product")

    def is_positive_number(self, node):
        """2/3, 0.25: made of constants."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            return self.is_positive_number(node.left) and self.is_positive_number(node.right)
        return isinstance(node, ast.Constant) and type(node.value) in (int, float) and 0 < node.value < 1e9

    # ---- truth ----------------------------------------------------------------------------------

    def connect(self, word, parts):
        if all(isinstance(p.const, bool) for p in parts):
            return number(all(p.const for p in parts) if word == "and" else any(p.const for p in parts))
        prec = P_AND if word == "and" else P_OR
        return mixed(E((" %s " % word).join(p.at(prec + 1) for p in parts), BOOL, prec), *parts)

    def x_BoolOp(self, node):
        word = "and" if isinstance(node.op, ast.And) else "or"
        if word == "or" and len(node.values) == 2 and isinstance(node.values[0], ast.Name):
            known = self.peek(node.values[0]).type  # rng or np.random.default_rng()
            if known in (RNG, RNG_PY, NONE) and self.peek(node.values[1]).type in (RNG, RNG_PY):
                return self.expr(node.values[0 if known != NONE else 1])
        first = self.cond(node.values[0])
        parts = [first]
        known = set(self.first_time[1]) if node is self.first_time[0] else set()
        for position, value in enumerate(node.values[1:], 1):
            known |= facts(node.values[position - 1], word == "and")
            with self.decided_by(*parts), self.knowing(known):
                e, lines = self.capture(lambda v=value: self.cond(v))
            if lines:  # what stands behind is evaluated only if it matters
                return self.late_connect(node, word, parts, node.values[position:], known)
            parts.append(e)
        return self.connect(word, parts)

    def late_connect(self, node, word, parts, rest, known):
        so_far = self.connect(word, parts) if len(parts) > 1 else parts[0]
        name = self.temp("test", BOOL)
        self.put("%s := %s;" % (name, so_far.text), node)
        taints = list(parts)
        for value in rest:
            self.put("if %s {" % (name if word == "and" else "not " + name), value)
            with self.decided_by(*taints), self.knowing(known):
                e = self.cond(value)
            known = known | facts(value, word == "and")
            self.put("%s := %s;" % (name, e.text), value)
            self.put("}", value)
            taints.append(e)
        return mixed(E(name, BOOL), *taints)

    def x_Compare(self, node):
        bernoulli = self.as_coin(node)
        if bernoulli is not None:
            return bernoulli
        if any(is_text(x) for x in [node.left] + node.comparators):
            return self.compare_texts(node)
        nodes = [node.left] + node.comparators
        operands = [self.operand(x, position) for position, x in enumerate(nodes)]
        parts = []
        for i, op in enumerate(node.ops):
            parts.append(self.compare(node, op, operands[i], operands[i + 1], nodes[i + 1]))
        if len(parts) == 1:
            return parts[0]
        if any(is_sequence(p.type) for p in parts):
            raise Refusal(node, "a chain of comparisons of arrays has no meaning", "write `(a < b) & (b < c)`")
        return self.connect("and", parts)

    def operand(self, node, position):
        """Of a comparison. From the third on they are computed only if what stands before them holds."""
        draws = self.count_draws
        e = self.expr(node)
        if position > 1 and (self.count_draws != draws or any(isinstance(x, ast.NamedExpr) for x in ast.walk(node))):
            raise Refusal(node, "this is computed only if the comparison before it holds", "write `a < b and b < c`")
        return e

    def compare_texts(self, node):
        """`kind == "laplace"`, `kind in ("laplace", "normal")`, where the claim says what kind is."""
        sides = [node.left, node.comparators[0]]
        text = lambda x: x.value if isinstance(x, ast.Constant) else self.fixed.get(x.id) if isinstance(x, ast.Name) and \
            x.id in self.by_name and isinstance(self.fixed.get(x.id), str) else None
        named = next((x for x in sides if not is_text(x)), sides[0])
        a = text(sides[0])
        b = [text(x) for x in sides[1].elts] if isinstance(sides[1], (ast.Tuple, ast.List)) else text(sides[1])
        kinds = {ast.Eq: lambda: a == b, ast.NotEq: lambda: a != b, ast.In: lambda: a in b, ast.NotIn: lambda: a not in b}
        if len(node.ops) != 1 or type(node.ops[0]) not in kinds or a is None or b is None:
            raise Refusal(node, "a string can be compared only with an argument whose value the claim states",
                          "write `fixed={\"%s\": \"...\"}` in the claim" % named.id if isinstance(named, ast.Name) else None)
        return number(kinds[type(node.ops[0])]())

    def compare(self, node, op, a, b, right):
        if isinstance(op, (ast.Is, ast.IsNot)):
            return self.identity(node, op, a, b)
        if isinstance(op, (ast.In, ast.NotIn)):
            e = self.membership(node, a, b)
            return self.negate(e) if isinstance(op, ast.NotIn) else e
        word = COMPARE[type(op)]
        if BOTTOM in (a.type, b.type):
            return taint(E("?", BOOL), a, b)
        if is_numpy(a.type) or is_numpy(b.type):
            return self.map_two(node, a, b, lambda x, y: self.compare(node, op, x, y, right), "compare")
        for x, y, w in ((a, b, word), (b, a, MIRROR[word])):
            if isinstance(x.type, Opt) and x.type.missing != "None":
                return self.compare_infinite(node, x, y, w)
        if a.type == NONE or b.type == NONE:
            raise Refusal(node, "compare with None by `is None`")
        if word in ("=", "!=") and (isinstance(a.type, Opt) or isinstance(b.type, Opt)):
            return self.compare_optional(node, a, b, word)
        if a.type not in SCALARS + (Opt,) and not isinstance(a.type, Opt) or \
                b.type not in SCALARS and not isinstance(b.type, Opt):
            raise Refusal(node, "%s and %s cannot be compared here" % (type_words(a.type), type_words(b.type)),
                          "compare items")
        for e, side in ((a, getattr(node, "left", node)), (b, right)):
            self.want_scalar(e, side)
        if a.const is not None and b.const is not None:
            return number(EXACT[word](a.const, b.const))
        if a.type != b.type:
            a, b = self.num(a), self.num(b)
        if a.type == b.type == BOOL and word not in ("=", "!="):
            a, b = self.num(a), self.num(b)
        return taint(E("%s %s %s" % (a.at(P_SUM), word, b.at(P_SUM)), BOOL, P_CMP), a, b)

    def compare_infinite(self, node, x, y, word):
        """x may be infinite; `x word y`."""
        if isinstance(y.type, Opt) and y.type.missing != "None":
            raise Refusal(node, "both sides may be infinite", "start from the first item instead")
        self.want_certain(node, y)
        y = self.num(y)
        low = x.type.missing == "-inf"
        when_missing = {"<": low, "<=": low, ">": not low, ">=": not low, "=": False, "!=": True}[word]
        test = "%s %s %s" % (x.at(P_SUM), word, y.at(P_SUM))
        if when_missing:
            return taint(E("not %s or %s" % (x.present, test), BOOL, P_OR), x, y)
        return taint(E("%s and %s" % (x.present, test), BOOL, P_AND), x, y)

    def compare_optional(self, node, a, b, word):
        """Equal: both are None, or both are there and equal."""
        there = [e.present if isinstance(e.type, Opt) else "true" for e in (a, b)]
        x, y = [taint(E(e.text, e.type.elem, e.prec), e) if isinstance(e.type, Opt) else e for e in (a, b)]
        values = self.compare(node, ast.Eq(), x, y, node)
        both = "(%s) = (%s)" % tuple(there) if "true" not in there else [t for t in there if t != "true"][0]
        first = there[0] if there[0] != "true" else there[1]
        e = E("(%s) and (not (%s) or %s)" % (both, first, values.at(P_CMP)), BOOL, P_AND)
        e = taint(e, a, b)
        return e if word == "=" else self.negate(e)

    def identity(self, node, op, a, b):
        if b.type != NONE:
            raise Refusal(node, "`is` can be read only with None", "compare with `==`")
        if a.type in (RNG, RNG_PY):
            self.want_generator_instead(node)
            e = number(False)
        elif isinstance(a.type, Opt) and a.type.missing == "None":
            e = taint(E("not %s" % a.present, BOOL, P_NOT), a)
        elif a.type == NONE:
            e = number(True)
        else:
            e = number(False)
        return self.negate(e) if isinstance(op, ast.IsNot) else e

    def want_generator_instead(self, test):
        """The claim is about calls with a generator. Without one the function must do the same with a new one."""
        name = test.left.id if isinstance(test.left, ast.Name) else None
        for x in ast.walk(self.function):
            if not isinstance(x, (ast.If, ast.IfExp)) or x.test is not test:
                continue
            missing = x.body if isinstance(test.ops[0], ast.Is) else x.orelse
            if isinstance(x, ast.If):
                rest = x.orelse if missing is x.body else x.body
                one = missing[0] if len(missing) == 1 and not rest else None
                is_new = isinstance(one, ast.Assign) and len(one.targets) == 1 and dotted(one.targets[0]) == name is not None
                missing = one.value if is_new else None
            if isinstance(missing, ast.Call) and self.peek(missing).type in (RNG, RNG_PY):
                return
        raise Refusal(test, "what the function does without a generator must be the same with a new one",
                      "write `if %s is None: %s = np.random.default_rng()`" % (name or "rng", name or "rng"))

    def membership(self, node, a, b):
        if not is_sequence(b.type):
            raise Refusal(node, "`in` can be read for lists and arrays")
        self.want_scalar(a, node)
        if b.parts is not None:
            tests = [self.compare(node, ast.Eq(), a, item, node) for item in b.parts]
            return self.connect("or", tests) if len(tests) > 1 else tests[0] if tests else number(False)
        found = self.temp("found", BOOL)
        self.put("%s := false;" % found, node)
        with self.loop_over(b, node) as item:
            same = self.compare(node, ast.Eq(), a, item, node)
            self.put("%s := %s or %s;" % (found, found, same.at(P_AND)), node)
        return taint(E(found, BOOL), a, b)

    def x_IfExp(self, node):
        test, before = self.cond(node.test), (self.at_risk, set(self.risky))
        with self.decided_by(test), self.knowing(facts(node.test, True)):
            a, first = self.capture(lambda: self.expr(node.body))
        with self.decided_by(test), self.knowing(facts(node.test, False)):
            b, second = self.capture(lambda: self.expr(node.orelse))
        if test.const is not None and not first and not second:
            return a if test.const else b
        if is_sequence(a.type) or is_sequence(b.type) or first or second:
            self.at_risk, self.risky = before  # it is read once more
            return self.late_choice(node, test)
        return self.choice(node, test, a, b)

    def choice(self, node, test, a, b):
        if isinstance(a.type, Tup) and a.parts and b.parts:
            parts = [self.choice(node, test, x, y) for x, y in zip(a.parts, b.parts)]
            if len(a.parts) != len(b.parts):
                raise Refusal(node, "the two branches have tuples of different size")
            return self.tuple_of(parts, node)
        t = join(a.type, b.type)
        if NONE in (a.type, b.type) and (a.type in SCALARS or b.type in SCALARS):
            value, there = (a, test) if b.type == NONE else (b, self.negate(test))
            return taint(E(value.text, Opt(value.type, "None"), value.prec, present=there.at(P_ATOM)), test, value)
        if t is None or t not in SCALARS + (BOTTOM,) or isinstance(node, ast.IfExp) and self.mixes_truth(a.type, b.type) and \
                any(e.type == BOOL and e.const is None for e in (a, b)):
            raise Refusal(node, "the two branches have different kinds of values: %s and %s" % (
                type_words(a.type), type_words(b.type)), "write an `if` statement")
        a, b = self.fit(a, t), self.fit(b, t)
        text = "if %s then %s else %s" % (test.text, a.at(P_IF), b.text)
        return mixed(E(text, t, P_IF, nonneg=a.nonneg and b.nonneg), test, a, b)

    def late_choice(self, node, test):
        """A branch samples or loops: only the one that is taken may do so."""
        key = "choice %d %d" % (node.lineno, node.col_offset)
        self.put("if %s {" % test.text, node)
        with self.below(test):
            with self.knowing(facts(node.test, True)):
                self.assign_value(key, node.body, node)
            self.put("} else {", node)
            with self.knowing(facts(node.test, False)):
                self.assign_value(key, node.orelse, node)
        self.put("}", node)
        return self.read(key, node)


def is_text(node):
    """A string, or some of them."""
    if isinstance(node, (ast.Tuple, ast.List)):
        return bool(node.elts) and all(map(is_text, node.elts))
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def construct(node):
    names = {ast.Lambda: "a lambda", ast.Dict: "a dictionary", ast.Set: "a set", ast.JoinedStr: "a string",
             ast.DictComp: "a dictionary", ast.SetComp: "a set", ast.Await: "await", ast.Yield: "yield",
             ast.NamedExpr: "`:=`", ast.Starred: "`*`", ast.GeneratorExp: "a generator"}
    return names.get(type(node), "this expression")


def hint_for(node):
    hints = {ast.Lambda: "functions are no values here: give it a name with `def`, and call that", ast.Dict: "return one as it is written, `return {\"a\": x, \"b\": y}`; else use variables, or a list with a position for every key",
             ast.Set: "use a list", ast.NamedExpr: "assign in a statement of its own",
             ast.GeneratorExp: "write a list: `[... for ...]`", ast.Yield: "write `yield e` as a statement of its own"}
    return hints.get(type(node), "docs/python.md lists what can be read")
