"""Signature help: what a call takes, and which argument is being written."""
import re
import unittest

from case import ROOT, SVT, Case
from test_names import WORLD


class Signatures(Case):
    def help(self, text):
        """At the bar in the text, the answer of the server."""
        offset = text.index("|")
        text = text.replace("|", "", 1)
        before = text[:offset]
        uri = self.uri()
        self.server.open(uri, text)
        line, character = before.count("\n"), len(before) - before.rfind("\n") - 1
        return self.server.at("textDocument/signatureHelp", uri, line, character)

    def check(self, text, label, active):
        """`active` is the argument that is being written, as in the label."""
        found = self.help(text)
        self.assertIsNotNone(found, text)
        (signature,) = found["signatures"]
        self.assertEqual(signature["label"], label, text)
        words = [self.words(signature, p) for p in signature["parameters"]]
        self.assertEqual(words[found["activeParameter"]] if words else None, active, text)
        return signature

    def words(self, signature, parameter):
        return parameter["label"]

    def in_body(self, statement, text=SVT):
        return text.replace("  t <$ Lap(T, 2/eps);", "  " + statement)

    def test_families(self):
        self.check(self.in_body("t <$ Lap(|"), "Lap(centre, scale) : real", "centre")
        self.check(self.in_body("t <$ Lap(T,|"), "Lap(centre, scale) : real", "scale")
        self.check(self.in_body("t <$ Lap(T, 2|/eps);"), "Lap(centre, scale) : real", "scale")
        self.check(self.in_body("t <$ DGauss(0, |);"), "DGauss(centre, standard deviation) : int", "standard deviation")
        self.check(self.in_body("t <$ Gumbel(|"), "Gumbel(mode, scale) : real", "mode")
        self.check(self.in_body("t <$ Uniform(0, |"), "Uniform(low, high) : real", "high")
        self.check(self.in_body("t <$ Uniform{1, 2, |"), "Uniform{items}", "items")
        self.check(self.in_body("t <$ Bernoulli(|"), "Bernoulli(probability) : bool", "probability")
        signature = self.check(self.in_body("t <$ Exp(|"), "Exp(start, scale) : real", "start")
        self.assertIn("one-sided", signature["documentation"]["value"])

    def test_every_family_and_function_has_one(self):
        """The tables of the sources; as many arguments as the checker wants."""
        families = re.findall(r'ROW\(\w+, \w+, "(\w+)", (\w+)', (ROOT / "src/lang/syntax/family.h").read_text())
        self.assertGreaterEqual(len(families), 10)
        for name, parameters in families:
            found = self.help(self.in_body("t <$ %s%s|" % (name, "{" if parameters == "ITEMS" else "(")))
            count = {"CENTRED": 2, "ONE_SIDED": 2, "RANGE": 2, "CHANCE": 1, "ITEMS": 1}[parameters]
            self.assertEqual(len(found["signatures"][0]["parameters"]), count, name)
        functions = re.findall(r'\{BUILTIN_\w+, "(\w+)", (\d), ', (ROOT / "src/lang/syntax/builtin.c").read_text())
        self.assertGreaterEqual(len(functions), 20)
        for name, arity in functions:
            found = self.help(SVT + "\nlemma l : %s(|" % name)
            self.assertIsNotNone(found, name)
            (signature,) = found["signatures"]
            self.assertEqual(len(signature["parameters"]), int(arity), name)
            self.assertTrue(signature["documentation"]["value"])

    def test_adjacency_shorthands(self):
        self.check(SVT.replace("all_within(q, 1)", "all_within(|"), "all_within(array, bound)", "array")
        self.check(SVT.replace("all_within(q, 1)", "all_within(q,| 1)"), "all_within(array, bound)", "bound")
        self.check(SVT.replace("all_within(q, 1)", "same(T) and within(T, |"), "within(x, bound)", "bound")

    def test_declarations(self):
        self.check(WORLD.replace("noisy(size(d), half(1/eps))", "noisy(|"), "procedure noisy(x : int, b : real) : int", "x : int")
        self.check(WORLD.replace("noisy(size(d), half(1/eps))", "noisy(size(d), |"), "procedure noisy(x : int, b : real) : int", "b : real")
        self.check(WORLD.replace("noisy(size(d), half(1/eps))", "noisy(size(|"), "op size(d : Db) : int", "d : Db")
        self.check(WORLD.replace("noisy(size(d), half(1/eps))", "noisy(size(d), half(|"), "let half(x : real) : real", "x : real")
        self.check(WORLD.replace("ask(last)", "ask(|)"), "adversary ask(last : int) : int", "last : int")
        self.check(WORLD.replace("Adj(d<1>, d<2>)", "Adj(d<1>, |"), "op Adj(d, e : Db) : bool", "e : Db")
        pair = "procedure f(p : (int, real), r : int) : int {\n  return r;\n}\n" + SVT
        self.check(self.in_body("t := f((1, 2), |", pair), "procedure f(p : (int, real), r : int) : int", "r : int")

    def test_brackets_in_arguments(self):
        self.check(self.in_body("t <$ Lap((T + (1 - |"), "Lap(centre, scale) : real", "centre")
        self.check(self.in_body("t <$ Lap(q[i + |"), "Lap(centre, scale) : real", "centre")
        self.check(self.in_body("t <$ Lap(max(T, 1), |"), "Lap(centre, scale) : real", "scale")
        self.check(self.in_body("t <$ Lap(max(T, |"), "max(x, y)", "y")
        self.check(self.in_body("t <$ Lap(head([1, 2, 3]), |"), "Lap(centre, scale) : real", "scale")
        self.check(self.in_body("t <$ Lap(0 /* a, ( b */, |"), "Lap(centre, scale) : real", "scale")
        self.check(self.in_body("t <$ Lap(T, 1, 2, |"), "Lap(centre, scale) : real", "scale")

    def test_nothing_where_no_call_is(self):
        for statement in ("t <$ Lap|(T, 1);", "t <$ Lap(T, 1)|;", "t := (1 + |", "t := unknown(|", "t := T(|", "t := [1, |",
                          "t := min(1; |", "t <$ Lap(T, // |", "if max(1, 2) > 1 { |"):
            self.assertIsNone(self.help(self.in_body(statement)), statement)
        self.assertIsNone(self.help("procedure noisy(x : int, |"))
        self.assertIsNone(self.help("op size(|"))
        self.assertIsNone(self.help("adversary a(x : int) : int uses min(|"))
        self.assertIsNone(self.help('include "f(|'))
        self.assertIsNone(self.help("|"))

    def test_proofs(self):
        self.check(SVT.replace("invariant t<2>", "invariant same_except(q, |"), "same_except(array, index)", "index")


class Offsets(Signatures):
    """The same for a client that takes places instead of words."""
    capabilities = {"textDocument": {"signatureHelp": {"signatureInformation": {"parameterInformation": {"labelOffsetSupport": True}}}}}

    def words(self, signature, parameter):
        begin, end = parameter["label"]
        return signature["label"][begin:end]


if __name__ == "__main__":
    unittest.main()
