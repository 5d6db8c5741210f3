"""Loop-free programs with Gaussian and Laplace noise, as `.dip` files have them.

    INPUTSIZE 2
    RANDOM t = gauss(eps/2, 0)              one over the deviation, then the mean
    RANDOM x = gauss(eps/4, input[0])
    IF x >= t THEN OUTPUT 1 ELSE
      RANDOM y = lap(eps/4, input[1])       one over the scale, then the mean
      IF y >= t AND y < x THEN OUTPUT 2 ELSE OUTPUT 0 END
    END

Words may be written in small letters; `;` may end a statement, `{` and `}` may stand around the
statements of a branch, and then END may be left out. `name = e` sets an integer variable. Every
OUTPUT adds one number to the output. Inputs are numbered from 0; adjacent ones differ by at most 1
each. `eps` is the epsilon of the claim.

Such a file has no claims of its own: without any the claim is (1/2, 1/100)-privacy for all inputs
from {-1, 0, 1}. Others are given like those of C files, with the keys epsilon, delta and values.
"""

import re

from .base import Refusal

TOKEN = re.compile(r"""(?P<blank>\s+|//[^\n]*|\#[^\n]*)|(?P<number>\d+\.?\d*|\.\d+)|(?P<name>[A-Za-z_]\w*)
|(?P<op><=|>=|==|!=|&&|\|\||[-+*/<>=!;,(){}\[\]])""", re.X)
WORDS = {"inputsize", "random", "if", "then", "else", "end", "endif", "output", "and", "or", "not", "input", "gauss", "lap", "eps"}
RELATIONS = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "==": "=", "=": "=", "!=": "!="}
KEYS = {"epsilon", "delta", "values", "function", "name"}
MOST_INPUTS = 64


class Token:
    def __init__(self, kind, text, lineno, column):
        self.kind, self.text, self.lineno, self.col_offset = kind, text, lineno, column
        self.end_lineno, self.end_col_offset = lineno, column + len(text.encode("utf-8"))
        self.word = text.lower() if kind == "name" and text.lower() in WORDS else None


def tokens_of(source):
    out, at, line, start = [], 0, 1, 0
    while at < len(source):
        match = TOKEN.match(source, at)
        column = len(source[start:at].encode("utf-8"))
        if not match:
            raise Refusal(Token("op", source[at], line, column), "this character has no meaning here", code="python-syntax")
        if match.lastgroup != "blank":
            out.append(Token(match.lastgroup, match.group(), line, column))
        for k in range(match.start(), match.end()):
            if source[k] == "\n":
                line, start = line + 1, k + 1
        at = match.end()
    out.append(Token("end", "", line, len(source[start:].encode("utf-8"))))
    return out


class Reader:
    """Reads a file and writes the mechanism, statement by statement."""

    def __init__(self, source):
        self.tokens, self.at, self.size = tokens_of(source), 0, None
        self.random, self.integers, self.lines, self.real_output = set(), set(), [], False

    # -- tokens --

    def now(self):
        return self.tokens[self.at]

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def fail(self, expected):
        t = self.now()
        found = "the end of the file" if t.kind == "end" else "`%s`" % t.text
        raise Refusal(t, "expected %s, found %s" % (expected, found), code="python-syntax")

    def accept(self, text):
        t = self.now()
        if t.word == text or (t.kind == "op" and t.text == text):
            return self.next()
        return None

    def expect(self, text):
        return self.accept(text) or self.fail("`%s`" % (text.upper() if text.isalpha() else text))

    # -- expressions --

    def number(self):
        if self.now().kind != "number":
            self.fail("a number")
        return self.next().text

    def name(self, what):
        t = self.now()
        if t.kind != "name" or t.word:
            self.fail(what)
        return self.next()

    def input(self):
        self.expect("[")
        t = self.now()
        index = self.number()
        self.expect("]")
        if not index.isdigit() or self.size is None or int(index) >= self.size:
            raise Refusal(t, "there is no input %s" % index, "INPUTSIZE stands first; inputs are numbered from 0",
                          code="python-syntax")
        return "input[%d]" % int(index)

    def atom(self):
        t = self.now()
        if self.accept("("):
            inner = self.sum()
            self.expect(")")
            return "(%s)" % inner
        if self.accept("-"):
            return "-%s" % self.atom()
        if self.accept("eps"):
            return "eps"
        if self.accept("input"):
            return self.input()
        if t.kind == "number":
            return self.number()
        text = self.name("a number, a variable, an input or `(`").text
        if text not in self.random and text not in self.integers:
            raise Refusal(t, "`%s` has no value yet" % text, "write RANDOM %s = gauss(...) before" % text, code="python-syntax")
        return "v_" + text

    def product(self):
        text = self.atom()
        while self.now().text in ("*", "/"):
            text += self.next().text
            text += self.atom()
        return text

    def sum(self):
        text = self.product()
        while self.now().text in ("+", "-"):
            text += " %s " % self.next().text
            text += self.product()
        return text

    def comparison(self):
        if self.accept("not") or self.accept("!"):
            return "not (%s)" % self.comparison()
        mark = self.at
        if self.accept("("):  # of a condition, or of a number
            try:
                inner = self.condition()
                self.expect(")")
                if self.now().text not in RELATIONS and self.now().text not in "+-*/":
                    return "(%s)" % inner
            except Refusal:
                pass
            self.at = mark
        left = self.sum()
        if self.now().text not in RELATIONS:
            self.fail("a comparison")
        relation = RELATIONS[self.next().text]
        return "%s %s %s" % (left, relation, self.sum())

    def condition(self):
        text = self.conjunction()
        while self.accept("or") or self.accept("||"):
            text += " or " + self.conjunction()
        return text

    def conjunction(self):
        text = self.comparison()
        while self.accept("and") or self.accept("&&"):
            text += " and " + self.comparison()
        return text

    # -- statements --

    def write(self, depth, text, token):
        self.lines.append(("  " * (depth + 1) + text, token))

    def draw(self, depth, token):
        name = self.name("the name of a random variable")
        if not self.accept("="):
            self.fail("`=`")
        law = "Gauss" if self.accept("gauss") else "Lap" if self.accept("lap") else self.fail("`gauss` or `lap`")
        self.expect("(")
        inverse = self.sum()
        self.expect(",")
        mean = self.sum()
        self.expect(")")
        if name.text in self.random or name.text in self.integers:
            raise Refusal(name, "`%s` is drawn or set twice" % name.text, code="python-syntax")
        self.random.add(name.text)
        self.write(depth, "v_%s <$ %s(%s, 1/(%s));" % (name.text, law, mean, inverse), token)

    def branch(self, depth, closing):
        """Statements up to `}`, or up to one of the closing words."""
        known = set(self.random)
        braces = bool(self.accept("{"))
        while self.now().kind != "end" and not (self.now().text == "}" if braces else self.now().word in closing):
            self.statement(depth + 1)
        if braces:
            self.expect("}")
        self.random = known
        return braces

    def choice(self, depth, token):
        self.write(depth, "if %s {" % self.condition(), token)
        self.expect("then")
        braces = self.branch(depth, ("else", "end", "endif"))
        if self.accept("else"):
            self.write(depth, "} else {", token)
            braces = self.branch(depth, ("end", "endif"))
        self.write(depth, "}", token)
        if not (self.accept("end") or self.accept("endif") or braces):
            self.fail("`END`")

    def statement(self, depth):
        token = self.now()
        if self.accept("random"):
            self.draw(depth, token)
        elif self.accept("if"):
            self.choice(depth, token)
        elif self.accept("output"):
            first = self.at
            value = self.sum()
            used = {t.text for t in self.tokens[first:self.at] if t.kind == "name"}
            self.real_output = self.real_output or bool(used & self.random) or "/" in value or "." in value
            self.write(depth, "emit %s;" % value, token)
        else:
            name = self.name("a statement: RANDOM, IF, OUTPUT or an assignment")
            if not self.accept("="):
                self.fail("`=`")
            self.integers.add(name.text)
            self.write(depth, "v_%s := %s;" % (name.text, self.sum()), token)
        while self.accept(";"):
            pass

    def program(self):
        self.expect("inputsize")
        self.accept("=")
        t = self.now()
        size = self.number()
        if not size.isdigit() or not 1 <= int(size) <= MOST_INPUTS:
            raise Refusal(t, "INPUTSIZE is a number from 1 to %d" % MOST_INPUTS, code="python-syntax")
        self.size = int(size)
        while self.accept(";"):
            pass
        while self.now().kind != "end":
            self.statement(0)


def claim_text(claim, name):
    unknown = sorted(set(claim) - KEYS)
    if unknown:
        raise Refusal(None, "a claim about a .dip file has no `%s`" % unknown[0], "it has epsilon, delta and values",
                      code="python-claim")
    epsilon, delta = str(claim.get("epsilon", "1/2")), claim.get("delta", "1/100")
    values = claim.get("values", "-1, 0, 1")
    values = ", ".join(str(v) for v in values) if isinstance(values, list) else str(values)
    cost = "" if str(delta) == "0" else " delta %s" % delta
    return "claim private %s epsilon eps%s\n  at eps = %s, input in {%s};\n" % (name, cost, epsilon, values)


class DipModule:
    """One mechanism with its claims; the same use as reader.module.Module."""

    def __init__(self, source, path, claims):
        self.reader, self.claims = Reader(source), claims or [{}]
        stem = re.sub(r"\W", "_", re.split(r"[/\\]", path)[-1][:-len(".dip")])
        self.name = stem if re.match(r"[A-Za-z]", stem) else "m_" + stem
        self.reader.program()

    def keep(self, functions):
        if functions and self.name not in functions:
            raise Refusal(None, "there is no function `%s`" % functions[0], "the file is called `%s`" % self.name,
                          code="python-claim")

    def translate(self):
        r, entries = self.reader, []
        text = "param eps : real, eps > 0;\n\nmechanism %s(private input : int[%d]) emits %s\n" % (
            self.name, r.size, "real" if r.real_output else "int")
        text += "  adjacent all_within(input, 1)\n{\n"
        for line, token in r.lines:
            entries.append((len(text), len(text) + len(line), token))
            text += line + "\n"
        text += "}\n\n"
        for claim in self.claims:
            begin = len(text)
            text += claim_text(claim, self.name)
            entries.append((begin, len(text), r.tokens[0]))
        return text, entries
