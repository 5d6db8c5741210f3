"""Names: definition, references, rename, hover, completion."""
import unittest

from case import ROOT, SVT, Case
from client import RpcError, place


def apply(text, edits):
    """The text after edits whose places count UTF-16 units."""
    def offset(p):
        lines = text.split("\n")
        head = sum(len(l) + 1 for l in lines[: p["line"]])
        return head + len(lines[p["line"]].encode("utf-16-le")[: 2 * p["character"]].decode("utf-16-le"))

    for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        text = text[: offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]):]
    return text


WORLD = """\
type Db;
param eps : real, eps > 0;
param N : int, N >= 1;

op size(d : Db) : int;
op Adj(d, e : Db) : bool;

axiom close: forall d, e : Db. Adj(d, e) -> abs(size(d) - size(e)) <= 1;
let half(x : real) : real = (x)/2;

adversary ask(last : int) : int uses count(k : int) : int at most N;

procedure noisy(x : int, b : real) : int {
  y <$ DLap(x, b);
  return y;
}

mechanism game(private d : Db) emits int
  adjacent Adj(d<1>, d<2>)
  requires N >= 1
{
  oracle count(k : int) : int {
    c <$ DLap(size(d), N/eps);
    return c + k;
  }

  var last : int := 0;
  last := ask(last);
  r := noisy(size(d), half(1/eps));
  emit r;
  for i in 0..N {
    emit i;
  }
  for i in 0..N {
    (a, b) := (i, last);
    emit a + b;
  }
}

claim main: private game epsilon 3*eps;

instance small {
  param eps = 1;
  type Db = list(int);
  op size(x) = length(x);
  input d = [1, 2];
}

automaton first {
  var x;
  start q0;
  state q0 noninput d 1/4;
  state q1 input d 1/2;
  state q2 final;
  q0 -> q1 output go assign x;
  q1 -> q1 when insample < x output below;
  q1 -> q2 when insample >= (x) output above;
}
"""


class Names(Case):
    def setUp(self):
        super().setUp()
        self.world = self.uri("world.dp")
        self.assertEqual([d for d in self.server.open(self.world, WORLD) if d["severity"] == 1], [])

    def refs(self, uri, text, needle, skip=0, inside=0):
        line, character = place(text, needle, skip, inside)
        found = self.server.at("textDocument/references", uri, line, character, context={"includeDeclaration": True})
        return sorted((r["range"]["start"]["line"], r["range"]["start"]["character"]) for r in found)

    def places(self, text, *wanted):
        return sorted(place(text, *w) for w in wanted)

    def rename(self, uri, text, needle, name, skip=0, inside=0):
        line, character = place(text, needle, skip, inside)
        return self.server.at("textDocument/rename", uri, line, character, newName=name)["changes"]

    def refused(self, uri, text, needle, name, skip=0, inside=0):
        with self.assertRaises(RpcError) as raised:
            self.rename(uri, text, needle, name, skip, inside)
        return raised.exception

    def test_references_of_each_kind(self):
        w = lambda *args: self.refs(self.world, WORLD, *args)
        self.assertEqual(w("Db"), self.places(WORLD, ("Db",), ("Db", 1), ("Db", 2), ("Db", 3), ("Db", 4), ("Db", 5)))
        self.assertEqual(w("noisy"), self.places(WORLD, ("noisy",), ("noisy", 1)))
        self.assertEqual(w("count(k"), self.places(WORLD, ("count(k",), ("count(k", 1)))
        self.assertEqual(w("game", 1), self.places(WORLD, ("game",), ("game", 1)))
        self.assertEqual(w("q1 input"), self.places(WORLD, ("q1 input",), ("q1 output go",), ("q1 -> q1",), ("q1 when",), ("q1 -> q2",)))
        self.assertEqual(len(w("x;\n  start")), 4)  # declaration, assign, two guards, one in parentheses
        # two loops have an index i each
        self.assertEqual(w("i in 0"), self.places(WORLD, ("i in 0",), ("i;",)))
        self.assertEqual(w("i in 0", 1), self.places(WORLD, ("i in 0", 1), ("i, last",)))
        # a bound variable is not the input of that name
        self.assertEqual(len(w("d, e : Db. Adj")), 3)
        # the argument of a let, in parentheses
        self.assertEqual(w("x : real)"), self.places(WORLD, ("x : real)",), ("x)/2",)))
        # an input that an instance binds
        self.assertIn(place(WORLD, "d = [1, 2]"), w("d : Db) emits"))

    def test_definition_and_highlight(self):
        for needle, inside, target in (("ask(last);", 0, "ask(last :"), ("half(1", 0, "half(x"), ("size(x)", 0, "size(d :"),
                                       ("Db = list", 0, "Db;"), ("emit r", 5, "r := noisy"), ("q2 when", 0, None),
                                       ("-> q2", 3, "q2 final"), ("game epsilon", 0, "game(private"), ("b;\n  }", 0, "b) :=")):
            if target is None:
                continue
            line, character = place(WORLD, needle, inside=inside)
            found = self.server.at("textDocument/definition", self.world, line, character)
            start = found["range"]["start"]
            self.assertEqual((start["line"], start["character"]), place(WORLD, target), needle)
        line, character = place(WORLD, "last := ask")
        found = self.server.at("textDocument/documentHighlight", self.world, line, character)
        kinds = sorted(h["kind"] for h in found)
        self.assertEqual(kinds, [2, 2, 3, 3])
        line, character = place(WORLD, "emit r")
        self.assertIsNone(self.server.at("textDocument/definition", self.world, line, character))

    def test_references_skip_the_declaration_when_asked(self):
        line, character = place(WORLD, "noisy")
        found = self.server.at("textDocument/references", self.world, line, character, context={"includeDeclaration": False})
        self.assertEqual(len(found), 1)

    def test_rename_keeps_every_name_and_the_proof(self):
        uri = self.uri()
        self.server.open(uri, SVT)
        for needle, skip, inside, name in (("t <$", 0, 0, "limit_"), ("s >= t", 0, 0, "noisy"), ("eps", 0, 0, "ε"),
                                           ("above(", 0, 0, "above_"), ("q :", 0, 0, "queries"), ("n :", 0, 0, "size")):
            edits = self.rename(uri, SVT, needle, name, skip, inside)
            self.assertEqual(list(edits), [uri])
            renamed = apply(SVT, edits[uri])
            self.assertEqual(self.server.change(uri, renamed, 2), [], renamed)
            line, character = place(renamed, name)
            back = self.server.at("textDocument/rename", uri, line, character, newName=needle.split("(")[0].split(" ")[0])
            self.assertEqual(apply(renamed, back["changes"][uri]).replace("ε", "eps"), SVT, needle)
            self.server.change(uri, SVT, 3)

    def test_rename_reaches_oracle_and_instance(self):
        edits = self.rename(self.world, WORLD, "count(k", "tally")[self.world]
        self.assertEqual(len(edits), 2)
        edits = self.rename(self.world, WORLD, "size(d :", "rows")[self.world]
        renamed = apply(WORLD, edits)
        self.assertIn("op rows(x) = length(x);", renamed)
        self.assertEqual([d for d in self.server.change(self.world, renamed, 2) if d["severity"] == 1], [])

    def test_rename_to_what_is_no_name(self):
        for name in ("", "7x", "a b", "for", "mechanism", "x-y", "'x", "a\n", "//", "Lap", "ln", "\u0000"):
            self.assertEqual(self.refused(self.world, WORLD, "noisy", name).code, -32602, name)

    def test_rename_that_would_capture_is_refused(self):
        for needle, name in (("i in 0", "last"), ("last : int :=", "i"), ("eps :", "N"), ("noisy", "ask"), ("c <$", "d"),
                             ("x : real)", "half"), ("q1 input", "q2")):
            self.assertEqual(self.refused(self.world, WORLD, needle, name).code, -32803, needle)

    def test_rename_where_there_is_nothing(self):
        for needle in ("mechanism", "Lap(size", "emit r"):
            with self.assertRaises(RpcError) as raised:
                line, character = place(WORLD.replace("DLap", "_Lap"), needle.replace("Lap(size", "_Lap(size"))
                self.server.at("textDocument/prepareRename", self.world, line, character)
            self.assertEqual(raised.exception.code, -32803)

    def test_prepare_rename_gives_the_name(self):
        line, character = place(WORLD, "noisy", inside=2)
        found = self.server.at("textDocument/prepareRename", self.world, line, character)
        self.assertEqual(found["placeholder"], "noisy")
        self.assertEqual(found["range"]["end"]["character"] - found["range"]["start"]["character"], 5)

    def test_rename_of_a_name_that_a_proof_cannot_tell_apart(self):
        uri = self.uri()
        text = SVT.replace("  return n;\n", "  for i in 0..n { skip; }\n  return n;\n").replace("  loop {", "  loop i {")
        self.server.open(uri, text)
        error = self.refused(uri, text, "i in 0", "j")
        self.assertIn("proof", error.message)

    def test_rename_across_files(self):
        folder = self.folder()
        lib, one, two = folder / "lib.dp", folder / "one.dp", folder / "two.dp"
        lib.write_text("param eps : real, eps > 0;\n")
        text = 'include "lib.dp";\nlet a = eps;\n'
        self.server.open(one.as_uri(), text)
        self.server.open(two.as_uri(), text.replace("a =", "b ="))
        line, character = place(text, "eps")
        changes = self.server.at("textDocument/rename", one.as_uri(), line, character, newName="e")["changes"]
        self.assertEqual({u: len(e) for u, e in changes.items()}, {lib.as_uri(): 2, one.as_uri(): 1, two.as_uri(): 1})
        with self.assertRaises(RpcError):  # b is taken in two.dp only
            self.server.at("textDocument/rename", one.as_uri(), line, character, newName="b")

    def test_every_name_of_the_examples_is_found_and_can_be_renamed(self):
        """Each occurrence is the text of its name, definition leads to it, and a fresh name is accepted."""
        for file in ("proofs/asv_bt.dp", "proofs/ptr.dp", "correct/interactive_svt.dp", "automata/num_range_2.dp", "proofs/snap.dp"):
            path = ROOT / "examples" / file
            text = path.read_text()
            uri = path.as_uri()
            self.server.open(uri, text)
            lines = text.split("\n")
            for symbol in self.server.of("textDocument/documentSymbol", uri):
                for s in [symbol] + symbol.get("children", []):
                    start = s["selectionRange"]["start"]
                    if symbol["kind"] == 19:  # instances bind names of others
                        continue
                    self.assertTrue(lines[start["line"]][start["character"]:].startswith(s["name"]), s)
                    try:
                        changes = self.server.at("textDocument/rename", uri, start["line"], start["character"], newName="fresh_")
                    except RpcError as refused:
                        self.assertIn("by its name alone", refused.message)
                        continue
                    edits = changes["changes"][uri]
                    self.assertGreaterEqual(len(edits), 1)
                    for edit in edits:
                        e = edit["range"]
                        self.assertEqual(lines[e["start"]["line"]][e["start"]["character"]: e["end"]["character"]], s["name"])


class Parentheses(Case):
    def test_names_in_parentheses_and_comments(self):
        uri = self.uri()
        text = "param n : int;\nlet a = (/* (n) */ ( // n\n n ) /* n */) + (n) + (((n)));\n"
        self.server.open(uri, text)
        found = self.server.at("textDocument/references", uri, 0, 6, context={"includeDeclaration": False})
        self.assertEqual([(r["range"]["start"]["line"], r["range"]["start"]["character"], r["range"]["end"]["character"]) for r in found],
                         [(2, 1, 2), (2, 17, 18), (2, 25, 26)])


class Actions(Case):
    def actions(self, uri, text, needle, **context):
        line, character = place(text, needle)
        at = {"line": line, "character": character}
        return self.server.of("textDocument/codeAction", uri, range={"start": at, "end": at}, context=context)

    def test_repairs_that_work_are_offered(self):
        uri = self.uri()
        for wrong, right in (("2/esp)", "2/eps)"), ("s == t", "s = t"), ("retrun n", "return n"), ("q[i], 4/eps", "q[i], 4/eps")):
            text = SVT.replace(right, wrong, 1) if right in SVT else SVT.replace("s >= t", wrong, 1)
            diagnostics = self.server.open(uri, text)
            fixes = [a for a in self.actions(uri, text, wrong.split("/")[-1] if "/" in wrong else wrong[2:] if "==" in wrong else wrong) if a["kind"] == "quickfix"]
            for fix in fixes:
                repaired = apply(text, fix["edit"]["changes"][uri])
                self.assertLess(len(self.server.open(uri, repaired)), len(diagnostics), fix)
            if "esp" in wrong or "==" in wrong:
                self.assertEqual(len(fixes), 1, (wrong, diagnostics))

    def test_actions_of_claims(self):
        uri = self.uri()
        self.server.open(uri, SVT)
        found = self.actions(uri, SVT, "claim private")
        self.assertEqual([(a["title"], a["kind"]) for a in found], [("verify `above`", "source")])
        self.assertEqual(found[0]["command"]["arguments"], [uri, 1])
        self.assertEqual(self.actions(uri, SVT, "claim private", only=["quickfix"]), [])
        self.assertEqual(len(self.actions(uri, SVT, "claim private", only=["source"])), 1)
        self.assertEqual(self.actions(uri, SVT, "param eps"), [])


class Hover(Case):
    def hover(self, uri, text, needle, skip=0, inside=0):
        line, character = place(text, needle, skip, inside)
        found = self.server.at("textDocument/hover", uri, line, character)
        return found and found["contents"]["value"]

    def test_types_docs_and_help(self):
        uri = self.uri()
        self.server.open(uri, SVT)
        for needle, expected in (("s >= t", "s : real"), ("q[i]", "q : real[n]"), ("q[i]", "private input"), ("T, 2", "public input"),
                                 ("i;", "index of the loop"), ("eps);", "How much may be lost."), ("eps);", "`eps > 0`"),
                                 ("above epsilon", "mechanism above(private q : real[n], T : real) returns int"),
                                 ("above epsilon", "Index of the first query"), ("above epsilon", "adjacent `all_within(q, 1)`"),
                                 ("Lap(T", "Laplace noise"), ("all_within", "every entry differs")):
            self.assertIn(expected, self.hover(uri, SVT, needle), needle)
        self.assertIsNone(self.hover(uri, SVT, "\n\nparam n"[:1]))

    def test_other_kinds(self):
        uri = self.uri()
        self.server.open(uri, WORLD)
        for needle, expected in (("count(k", "oracle count(k : int) : int"), ("half(1", "let half(x : real) : real"), ("close:", "axiom close"),
                                 ("q1 when", "state q1 input d 1/2"), ("q2 when", None), ("x output below", "variable of the automaton"),
                                 ("Db = list", "type Db"), ("r := noisy", "r : int"), ("Adj(d<1>", "op Adj(d, e : Db) : bool")):
            if expected:
                self.assertIn(expected, self.hover(uri, WORLD, needle), needle)

    def test_hover_in_broken_text(self):
        uri = self.uri()
        broken = SVT.replace("return i;", "return i")
        self.server.open(uri, broken)
        self.assertIn("s : real", self.hover(uri, broken, "s >= t"))


class Completion(Case):
    def labels(self, text, insert=""):
        """Completion at the | in the text."""
        uri = self.uri(f"c{id(text)}.dp")
        at = text.index("|")
        text = text.replace("|", insert)
        self.server.open(uri, text)
        line, character = place(text + "\0", (text + "\0")[at:], 0, 0)
        return {i["label"] for i in self.server.at("textDocument/completion", uri, line, character)}

    def check(self, text, present, absent=""):
        labels = self.labels(text)
        for word in present.split():
            self.assertIn(word, labels)
        for word in absent.split():
            self.assertNotIn(word, labels)

    def test_by_place(self):
        head = SVT.split("  t <$")[0]
        self.check("|", "mechanism param claim automaton include", "emit Lap")
        self.check(SVT + "\n|", "mechanism claim", "emit")
        self.check(SVT + "\nclaim |", "private", "mechanism")
        self.check(SVT + "\nclaim private |", "above", "eps q")
        self.check(SVT + "\nclaim private above |", "epsilon proof eps", "mechanism")
        self.check(head + "  |\n  return n;\n}\n", "for if emit return q T eps", "Lap mechanism")
        self.check(head + "  t <$ |\n  return n;\n}\n", "Lap DLap Gauss", "for eps")
        self.check(head + "  t := 1 + |;\n  return n;\n}\n", "q T eps n min ln", "Lap all_within mechanism")
        self.check("type Db;\nparam x : |", "bool int real list Db", "mechanism eps")
        self.check("param eps : real;\nmechanism m(|", "private public")
        self.check("param eps : real;\nmechanism m(private q : real)\n  |", "returns emits adjacent requires all_within", "differing")
        self.check(SVT.replace("  sample t", "  loop { invariant |; }\n  sample t"), "differing same_except all_within", "mechanism")
        self.check(SVT.replace("  sample t", "  |\n  sample t"), "sample loop invariant budget have", "mechanism")
        self.check(SVT.replace("sample t:", "sample |:"), "t s", "mechanism shift")
        self.check(WORLD.replace("  start q0;", "  start |;"), "q0 q1 state")
        self.check(WORLD.replace("  input d =", "  |"), "param input type op adversary", "for")

    def test_not_in_comments_and_strings(self):
        for text in ("// pa|", "/* pa|", "/* a */ // |", 'include "li|'):
            self.assertEqual(self.labels(text), set(), text)
        self.assertIn("mechanism", self.labels("/* a */ |"))
        self.assertIn("mechanism", self.labels("// a\n|"))

    def test_items_say_what_they_are(self):
        uri = self.uri()
        self.server.open(uri, SVT)
        line, character = place(SVT, "s >= t")
        items = {i["label"]: i for i in self.server.at("textDocument/completion", uri, line, character)}
        self.assertEqual(items["q"]["detail"], "real[n]")
        self.assertEqual(items["eps"]["detail"], "param eps : real")
        self.assertNotIn("insertTextFormat", items["if"])


class Snippets(Case):
    capabilities = {"textDocument": {"completion": {"completionItem": {"snippetSupport": True}}}}

    def test_snippets_when_the_client_knows_them(self):
        uri = self.uri()
        self.server.open(uri, "")
        items = {i["label"]: i for i in self.server.at("textDocument/completion", uri, 0, 0)}
        self.assertEqual(items["claim"]["insertTextFormat"], 2)
        self.assertIn("${1:", items["mechanism"]["insertText"])


if __name__ == "__main__":
    unittest.main()
