"""Python files in the editor: mistakes, verdicts and lenses at their places in the Python text."""
import os
import shutil
import unittest

from case import Case
from client import place
from test_verify import whole

TEXT = '''\
import couplet


@couplet.private(epsilon="epsilon", adjacent="within(total, 1)")
def right(total, epsilon, rng):
    return total + rng.laplace(scale=1 / epsilon)


@couplet.private(epsilon="epsilon", adjacent="within(total, 1)")
def wrong(total, epsilon, rng):
    return total + rng.laplace(scale=0.5 / epsilon)
'''


@unittest.skipUnless(shutil.which(os.environ.get("COUPLET_PYTHON", "python3")), "no python3")
class Python(Case):
    options = ("--search", "2")

    def open(self):
        uri = self.uri("mech.py")
        self.assertEqual(self.server.open(uri, TEXT), [])
        return uri

    def lenses(self, uri):
        return [(l["command"]["title"].split(" (")[0], l["range"]["start"]["line"], l["command"]["arguments"][1:])
                for l in self.server.of("textDocument/codeLens", uri)]

    def verify(self, uri, *claim):
        name = "couplet.verifyClaim" if claim else "couplet.verifyFile"
        return self.server.request("workspace/executeCommand", {"command": name, "arguments": [uri, *claim]})

    def test_a_lens_per_claim(self):
        uri = self.open()
        first, second = place(TEXT, "@couplet")[0], place(TEXT, "def wrong")[0] - 1
        self.assertEqual(self.lenses(uri), [("verify this claim", first, [1]), ("verify this claim", second, [2]),
                                            ("verify all claims", first, [])])
        self.verify(uri)
        titles = self.lenses(uri)
        self.assertEqual([t[1:] for t in titles], [(first, [1]), (second, [2]), (first, [])])
        self.assertTrue(titles[0][0].startswith("proved, cost epsilon"), titles)
        self.assertTrue(titles[1][0].startswith("refuted"), titles)

    def test_one_claim_of_two(self):
        uri = self.open()
        self.verify(uri, 2)
        titles = [t[0] for t in self.lenses(uri)]
        self.assertEqual(titles[0], "verify this claim")
        self.assertTrue(titles[1].startswith("refuted"), titles)

    def test_verdicts_are_diagnostics_and_hints_at_the_decorators(self):
        uri = self.open()
        self.verify(uri)
        line = place(TEXT, "def wrong")[0] - 1
        found = [d for d in self.server.diagnostics(uri) if "refuted" in d["message"]]
        self.assertEqual([d["range"]["start"] for d in found], [{"line": line, "character": 1}], found)
        hints = self.server.of("textDocument/inlayHint", uri, range=whole())
        shown = {h["position"]["line"]: h["label"].split(",")[0] for h in hints if h["label"].split(",")[0] in ("proved", "refuted")}
        self.assertEqual(shown, {place(TEXT, "@couplet")[0]: "proved", line: "refuted"})

    def test_a_mistake_comes_and_goes(self):
        broken = TEXT.replace("return total + rng.laplace(scale=1 / epsilon)", "return {1: total}")
        uri = self.uri("mech.py")
        found = self.server.open(uri, broken)
        line, character = place(broken, "{1: total}")
        self.assertEqual([(d["code"], d["range"]["start"]) for d in found],
                         [("python-subset", {"line": line, "character": character})])
        self.assertEqual(self.lenses(uri), [])
        self.assertEqual(self.server.change(uri, TEXT, 2), [])
