"""C files in the style of CheckDP and ShadowDP.

One function; its first statements are strings: "TYPES: q: <*, *>; ...", "PRECONDITION: ALL_DIFFER;
ASSUME(N > 0);", "CHECK: epsilon" (CheckDP), or "ALL_DIFFER; assume(N > 0);" and the types
(ShadowDP). Noise is `Lap(scale)`, output is `CHECKDP_OUTPUT(e)` or the returned value.

The function is read into Python's own syntax tree and goes the way of Python functions from there.
As the authors of these files mean it, every number is a real unless all that it is assigned are
integers, whatever its C type says; a division of two integers, which C would round, is refused.
"""

import ast
import re

from .base import Refusal
from .claims import ClaimText
from .module import Module

TOKEN = re.compile(r"""(?P<blank>\s+|//[^\n]*|/\*.*?\*/|\#[ \t]*include[^\n\\]*$)|(?P<number>\d+\.?\d*(?:[eE][-+]?\d+)?[fF]?|\.\d+[fF]?)
|(?P<name>[A-Za-z_]\w*)|(?P<string>"(?:[^"\\\n]|\\.)*")|(?P<op>\+\+|--|\+=|-=|\*=|/=|<=|>=|==|!=|&&|\|\||[-+*/%<>=!?:;,(){}\[\]&])""",
                   re.X | re.S | re.M)
ADJACENCY = {"ALL_DIFFER": "all_within(%s, 1)", "ONE_DIFFER": "one_differs(%s, 1)", "INCREASING": "all_increase(%s, 1)",
             "DECREASING": "all_decrease(%s, 1)"}
LENGTHS = ("size", "n", "len", "length")
NUMBERS = {"int": "int", "float": "real", "double": "real", "bool": "bool", "long": "int"}
BINARY = [{"||": ast.Or}, {"&&": ast.And}, {"==": ast.Eq, "!=": ast.NotEq}, {"<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE},
          {"+": ast.Add, "-": ast.Sub}, {"*": ast.Mult, "/": ast.Div, "%": ast.Mod}]


class Token:
    def __init__(self, kind, text, lineno, col_offset):
        self.kind, self.text, self.lineno, self.col_offset = kind, text, lineno, col_offset
        self.end_lineno, self.end_col_offset = lineno, col_offset + len(text.encode("utf-8"))


def tokens_of(source):
    out, at, line, start = [], 0, 1, 0
    while at < len(source):
        match = TOKEN.match(source, at)
        column = len(source[start:at].encode("utf-8"))
        if not match:
            raise Refusal(Token("op", source[at], line, column), "this cannot be read", "of the preprocessor, only `#include` is read (and does "
                          "nothing)" if source[at] == "#" else None, code="python-syntax")
        text = match.group(0)
        if match.lastgroup != "blank":
            out.append(Token(match.lastgroup, text, line, column))
        line += text.count("\n")
        if "\n" in text:
            start = at + text.rindex("\n") + 1
        at = match.end()
    out.append(Token("end", "", line, max(0, len(source) - start)))
    return out


class Parser:
    def __init__(self, source):
        self.tokens, self.at = tokens_of(source), 0
        self.scopes = []  # names that are declared in the function, in the blocks around

    # ---- tools ----------------------------------------------------------------------------------

    @property
    def token(self):
        return self.tokens[self.at]

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def sees(self, text):
        return self.token.kind in ("op", "name") and self.token.text == text

    def accept(self, text):
        if self.sees(text):
            return self.next()
        return None

    def expect(self, text):
        if not self.sees(text):
            raise Refusal(self.token, "`%s` is expected here, not `%s`" % (text, self.token.text or "the end"), code="python-syntax")
        return self.next()

    def name(self):
        if self.token.kind != "name":
            raise Refusal(self.token, "a name is expected here", code="python-syntax")
        return self.next()

    def place(self, node, first):
        last = self.tokens[self.at - 1]
        node.lineno, node.col_offset = first.lineno, first.col_offset
        node.end_lineno, node.end_col_offset = last.end_lineno, last.end_col_offset
        return node

    # ---- functions ------------------------------------------------------------------------------

    def file(self):
        out = []
        while self.token.kind != "end":
            out.append(self.function())
        return out

    def function(self):
        first = self.token
        self.next()  # the type of the result says nothing: int is also used for reals
        name = self.name()
        self.expect("(")
        arguments = []
        while not self.sees(")"):
            arguments.append(self.argument())
            if not self.accept(","):
                break
        self.expect(")")
        head = self.tokens[self.at - 1]
        self.scopes = [{a.arg for a, _, _ in arguments}]
        self.expect("{")
        strings = []
        while self.token.kind == "string":
            strings.append(self.next())
            self.expect(";")
        body = self.statements()
        self.expect("}")
        nodes = [a for a, _, _ in arguments]
        function = ast.FunctionDef(name.text, ast.arguments([], nodes, None, [], [], None, []), body or [ast.Pass()], [])
        self.place(function, first)
        if not body:
            self.place(function.body[0], head)
        function.strings, function.kinds = strings, [(a.arg, k, is_array) for a, k, is_array in arguments]
        return function

    def argument(self):
        first, kind = self.token, self.name().text
        if kind not in NUMBERS:
            raise Refusal(first, "arguments are int, float or arrays of them", code="python-syntax")
        star = self.accept("*")
        name = self.name()
        is_array = bool(star)
        if self.accept("["):
            if not self.sees("]"):
                self.next()
            self.expect("]")
            is_array = True
        return self.place(ast.arg(name.text), name), NUMBERS[kind], is_array

    # ---- statements -----------------------------------------------------------------------------

    def statements(self):
        out = []
        while not self.sees("}") and self.token.kind != "end":
            out += self.statement()
        return out

    def block(self):
        self.scopes.append(set())
        if self.accept("{"):
            out = self.statements()
            self.expect("}")
        else:
            out = self.statement()
        self.scopes.pop()
        return out

    def filled(self, statements, token):
        return statements or [self.place(ast.Pass(), token)]

    def statement(self):
        first = self.token
        if self.accept(";"):
            return []
        if self.sees("{"):
            return self.block()
        if first.kind == "name" and first.text in NUMBERS:
            return self.declaration()
        if self.accept("if"):
            return [self.branch(first)]
        if self.accept("while"):
            self.expect("(")
            test = self.expression()
            self.expect(")")
            return [self.place(ast.While(test, self.filled(self.block(), first), []), first)]
        if self.accept("for"):
            return self.for_loop(first)
        for word, node in (("break", ast.Break), ("continue", ast.Continue)):
            if self.accept(word):
                out = self.place(node(), first)
                self.expect(";")
                return [out]
        if self.accept("return"):
            value = None if self.sees(";") else self.expression()
            out = self.place(ast.Return(value), first)
            self.expect(";")
            return [out]
        out = self.simple()
        self.expect(";")
        return [out]

    def branch(self, first):
        self.expect("(")
        test = self.expression()
        self.expect(")")
        body = self.filled(self.block(), first)
        orelse = self.block() if self.accept("else") else []
        return self.place(ast.If(test, body, orelse), first)

    def declaration(self):
        out = []
        self.next()
        while True:
            first = self.token
            name = self.name()
            if self.sees("["):
                raise Refusal(first, "arrays can be arguments only")
            if any(name.text in scope for scope in self.scopes):
                raise Refusal(first, "`%s` is another variable here than around this block" % name.text, "give each its own name")
            self.scopes[-1].add(name.text)
            if self.accept("="):
                target = self.place(ast.Name(name.text, ast.Store()), name)
                out.append(self.place(ast.Assign([target], self.expression()), first))
            if not self.accept(","):
                break
        self.expect(";")
        return out

    def for_loop(self, first):
        """for (i = 0; i < n; i++): the step may not be skipped, so continue is refused in it."""
        self.expect("(")
        self.scopes.append(set())
        start = self.declaration() if self.token.text in NUMBERS else [] if self.accept(";") else [self.simple()]
        if start and self.sees(";"):
            self.expect(";")
        test = self.expression()
        self.expect(";")
        step = self.simple()
        self.expect(")")
        body = self.block()
        self.scopes.pop()
        if any(isinstance(x, ast.Continue) for s in body for x in ast.walk(s)):
            raise Refusal(first, "`continue` in a `for` loop cannot be read", "use `while`")
        return start + [self.place(ast.While(test, body + [step], []), first)]

    def simple(self):
        """An assignment or an output."""
        first = self.token
        target = self.unary()
        if isinstance(target, ast.Call):
            if isinstance(target.func, ast.Name) and target.func.id == "CHECKDP_OUTPUT" and len(target.args) == 1:
                return self.place(ast.Expr(self.place(ast.Yield(target.args[0]), first)), first)
            return self.place(ast.Expr(target), first)
        if not isinstance(target, (ast.Name, ast.Subscript)):
            raise Refusal(first, "a statement is expected here", code="python-syntax")
        target.ctx = ast.Store()
        for text, op in (("++", ast.Add), ("--", ast.Sub)):
            if self.accept(text):
                one = self.place(ast.Constant(1), first)
                return self.place(ast.AugAssign(target, op(), one), first)
        for text, op in (("+=", ast.Add), ("-=", ast.Sub), ("*=", ast.Mult), ("/=", ast.Div)):
            if self.accept(text):
                return self.place(ast.AugAssign(target, op(), self.expression()), first)
        self.expect("=")
        return self.place(ast.Assign([target], self.expression()), first)

    # ---- expressions ----------------------------------------------------------------------------

    def expression(self):
        first = self.token
        test = self.binary(0)
        if self.accept("?"):
            a = self.expression()
            self.expect(":")
            return self.place(ast.IfExp(test, a, self.expression()), first)
        return test

    def binary(self, level):
        if level == len(BINARY):
            return self.unary()
        first = self.token
        left = self.binary(level + 1)
        while self.token.kind == "op" and self.token.text in BINARY[level]:
            op = BINARY[level][self.next().text]()
            right = self.binary(level + 1)
            if isinstance(op, (ast.And, ast.Or)):
                left = self.place(ast.BoolOp(op, [left, right]), first)
            elif isinstance(op, (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
                left = self.place(ast.Compare(left, [op], [right]), first)
            else:
                left = self.place(ast.BinOp(left, op, right), first)
        return left

    def unary(self):
        first = self.token
        for text, op in (("-", ast.USub), ("+", ast.UAdd), ("!", ast.Not)):
            if self.accept(text):
                return self.place(ast.UnaryOp(op(), self.unary()), first)
        return self.postfix()

    def postfix(self):
        first = self.token
        if self.accept("("):
            if self.token.kind == "name" and self.token.text in NUMBERS:
                raise Refusal(first, "casts cannot be read", "leave it out: numbers are reals")
            inner = self.expression()
            self.expect(")")
            return inner
        if first.kind == "number":
            self.next()
            text = first.text.rstrip("fF")
            if len(text) > 1 and text[0] == "0" and text.isdigit():
                raise Refusal(first, "a number with a 0 before it has the base 8 in C", "leave the 0 out", code="python-syntax")
            value = int(text) if text.isdigit() else float(text)
            return self.place(ast.Constant(value), first)
        name = self.name()
        if name.text in ("true", "false"):
            return self.place(ast.Constant(name.text == "true"), first)
        out = self.place(ast.Name(name.text, ast.Load()), first)
        if self.accept("("):
            arguments = []
            while not self.sees(")"):
                if self.token.kind == "string":
                    self.next()  # ShadowDP: how to align the noise; found anew here
                else:
                    arguments.append(self.expression())
                if not self.accept(","):
                    break
            self.expect(")")
            out = self.place(ast.Call(out, arguments, []), first)
        while self.accept("["):
            index = self.expression()
            self.expect("]")
            out = self.place(ast.Subscript(out, index, ast.Load()), first)
        return out


# ---- what the strings say ----------------------------------------------------------------------


def claim_of(function, given):
    values, nodes = {}, {}
    public, adjacency, requires = set(), None, []
    for token in function.strings:
        for part in token.text[1:-1].split(";"):
            part = re.sub(r"^\s*(TYPES|PRECONDITION)\s*:", "", part).strip()
            typed = re.fullmatch(r"(\w+)\s*:\s*<\s*([^,>]+)\s*,\s*([^,>]+)\s*>", part)
            assumed = re.fullmatch(r"(?:ASSUME|assume)\s*\((.*)\)", part)
            if part in ADJACENCY:
                adjacency, nodes["adjacent"] = part, token
            elif typed:
                if typed.group(2).strip() == "0" and typed.group(3).strip() == "0":
                    public.add(typed.group(1))
            elif assumed:
                requires.append(formula(assumed.group(1)))
                nodes["requires"] = token
            elif part.startswith("CHECK:"):
                values["epsilon"], nodes["epsilon"] = formula(part[6:]), token
            elif part:
                raise Refusal(token, "`%s` cannot be read" % part, "docs/from-code.md shows the form", code="python-claim")
    private = [a for a, _, is_array in function.kinds if a not in public]
    arrays = [a for a, _, is_array in function.kinds if is_array]
    if adjacency is None or len(private) != 1 or private != [a for a in arrays if a not in public]:
        raise Refusal(function, "which array differs, and how? ALL_DIFFER or ONE_DIFFER, and one array of type <*, *>",
                      code="python-claim")
    lengths = [a for a, kind, is_array in function.kinds if kind == "int" and not is_array]
    length = next((n for n in LENGTHS if n in lengths), lengths[0] if len(lengths) == 1 else None)
    values["types"] = {a: "%s[%s]" % (kind, length or "") if is_array else kind for a, kind, is_array in function.kinds}
    values["adjacent"] = ADJACENCY[adjacency] % private[0]
    values["requires"], values["private"] = requires, private
    values.setdefault("epsilon", "epsilon")
    values.update({k: v for k, v in given.items() if k != "function"})
    return ClaimText(function, values, nodes, function)


def formula(text):
    text = text.strip().replace("&&", " and ").replace("||", " or ")
    return re.sub(r"!(?!=)", " not ", text)


def c_module(source, path, extra, wanted=()):
    functions = Parser(source).file()
    noise = {"Lap": {"args": ["scale"], "draw": "Lap(0, scale)"}}
    module = Module(source, path, (), noise, ast.Module(functions, []))
    module.is_c = True
    module.imports.update({"fabs": "math.fabs", "sqrt": "math.sqrt", "exp": "math.exp", "log": "math.log"})
    given = {e.get("function"): e for e in extra}
    module.claims = [claim_of(f, given.get(f.name, {})) for f in functions if not wanted or f.name in wanted]
    return module
