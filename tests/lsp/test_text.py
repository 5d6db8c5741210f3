"""Text and positions: edits, encodings, diagnostics as one types, formatting, structure."""
import os
import subprocess
import unittest

from case import COUPLET, ROOT, SVT, Case
from client import RpcError, place

GREEK = "param ε : real, ε > 0;\n/* 𝔸𝔹 */ let two_ε = 2*ε; let four_ε = 2*two_ε;\n"


def span(text, needle, skip=0):
    line, character = place(text, needle, skip)
    return {"start": {"line": line, "character": character},
            "end": {"line": line, "character": character + len(needle.encode("utf-16-le")) // 2}}


class Text(Case):
    def change(self, uri, version, *changes):
        self.server.notify("textDocument/didChange", {
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [{"range": r, "text": t} if r else {"text": t} for r, t in changes]})
        return self.server.diagnostics(uri, version)

    def test_mistakes_come_and_go_while_typing(self):
        uri = self.uri()
        self.assertEqual(self.server.open(uri, SVT), [])
        broken = SVT.replace("2/eps);", "2/eps)")
        found = self.change(uri, 2, (None, broken))
        self.assertEqual(self.codes(found), ["missing-semicolon"])
        self.assertEqual(found[0]["severity"], 1)
        self.assertEqual(found[0]["source"], "couplet")
        self.assertEqual(found[0]["range"]["start"]["line"], 8)
        self.assertEqual(self.change(uri, 3, (None, SVT)), [])

    def test_edits_of_ranges_add_up_to_the_text(self):
        uri = self.uri()
        self.server.open(uri, SVT)
        edits = [(span(SVT, "2/eps"), "2/espilon"), ]
        found = self.change(uri, 2, *edits)
        self.assertEqual(self.codes(found), ["unknown-name"])
        text = SVT.replace("2/eps", "2/espilon", 1)
        self.assertEqual(self.change(uri, 3, (span(text, "espilon"), "eps")), [])
        # several in one message, each on the result of the one before
        self.assertEqual(self.change(uri, 4, (span(SVT, "4/eps"), ""), (span(SVT, "4/eps") | {"end": span(SVT, "4/eps")["start"]}, "4/eps")), [])

    def test_a_message_in_the_proof(self):
        uri = self.uri()
        found = self.server.open(uri, SVT.replace("shift 1;", "shfit 1;"))
        self.assertEqual(len(found), 1)
        self.assertEqual(found[0]["range"]["start"]["line"], 19)

    def test_bad_changes_leave_the_text_alone(self):
        uri = self.uri()
        self.server.open(uri, SVT)
        for change in ({"range": {}, "text": "x"}, {"text": 5}, {},
                       {"range": {"start": {"line": 3, "character": 0}, "end": {"line": 1, "character": 0}}, "text": "x"}):
            self.server.notify("textDocument/didChange",
                               {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [change]})
        self.assertEqual(len(self.server.of("textDocument/documentSymbol", uri)), 4)

    def test_unsaved_text_of_includes_counts(self):
        folder = self.folder()
        (folder / "sub").mkdir()
        (folder / "sub" / "lib.dp").write_text("param eps : real, eps > 0;\n")
        main = folder / "main.dp"
        text = 'include "sub/../sub/lib.dp";\nlet half = eps/2;\n'
        uri, lib = main.as_uri(), (folder / "sub" / "lib.dp").as_uri()
        self.assertEqual(self.server.open(uri, text), [])
        self.server.open(lib, "param epsilon_ : real, epsilon_ > 0;\n")
        self.assertEqual(self.codes(self.server.diagnostics(uri)), ["unknown-name"])
        self.server.change(lib, "param eps : real, eps > 0\n", 2)  # a mistake in the included file
        found = self.server.diagnostics(uri)
        self.assertEqual(found[0]["range"], span(text, '"sub/../sub/lib.dp"'))
        self.assertIn("lib.dp", found[0]["message"])
        self.assertEqual(found[0]["relatedInformation"][0]["location"]["uri"], lib)
        self.server.notify("textDocument/didClose", {"textDocument": {"uri": lib}})
        self.assertEqual(self.server.diagnostics(uri), [])  # the file on disk counts again

    def test_an_include_that_is_no_file_does_not_stop_the_server(self):
        folder = self.folder()
        os.mkfifo(folder / "pipe.dp")
        for path in ("/dev/zero", str(folder / "pipe.dp"), str(folder), "/no/such/file.dp"):
            found = self.server.open(self.uri(f"{len(path)}.dp"), f'include "{path}";\nparam eps : real;\n')
            self.assertEqual(found[0]["severity"], 1, path)
            self.assertIn(path, found[0]["message"])
            self.assertEqual(found[0]["range"]["start"]["line"], 0)

    def test_files_that_change_on_disk(self):
        folder = self.folder()
        lib = folder / "lib.dp"
        lib.write_text("param eps : real, eps > 0;\n")
        uri = (folder / "main.dp").as_uri()
        self.assertEqual(self.server.open(uri, 'include "lib.dp";\nlet half = eps/2;\n'), [])
        lib.write_text("param other : real;\n")
        self.server.notify("workspace/didChangeWatchedFiles", {"changes": []})
        self.assertEqual(self.codes(self.server.diagnostics(uri)), ["unknown-name"])

    def test_closing_takes_diagnostics_back(self):
        uri = self.uri()
        self.assertTrue(self.server.open(uri, "mechanism"))
        self.server.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        self.assertEqual(self.server.diagnostics(uri), [])

    def test_unsaved_documents_and_odd_names(self):
        for uri in ("untitled:Untitled-1", "file:///tmp/a%20b/%C3%A9%23.dp", "couplet://x/y.dp"):
            self.assertEqual(self.server.open(uri, SVT), [])
            line, character = place(SVT, "Lap(T", inside=4)
            self.assertEqual(self.server.at("textDocument/definition", uri, line, character)["uri"], uri)

    def test_dipa_files(self):
        good = (ROOT / "examples/automata/svt.dipa").read_text()
        uri = self.uri("svt.dipa")
        self.assertEqual([d for d in self.server.open(uri, good) if d["severity"] == 1], [])
        found = self.server.change(uri, good.replace("goto", "gото", 1), 2)
        self.assertTrue([d for d in found if d["severity"] == 1])
        for method in ("documentSymbol", "codeLens", "foldingRange", "semanticTokens/full", "documentLink"):
            self.server.of("textDocument/" + method, uri)
        self.assertIsNone(self.server.at("textDocument/hover", uri, 0, 1))

    def test_warnings_of_automata_are_those_of_verify(self):
        for file in sorted((ROOT / "examples/automata").glob("*.d*"))[:6]:
            found = self.server.open(file.as_uri(), file.read_text())
            run = subprocess.run([COUPLET, "verify", "--no-search", "--json", file], capture_output=True, text=True)
            import json
            expected = json.loads(run.stdout)["files"][0]["diagnostics"]
            self.assertEqual(sorted(self.codes(found)), sorted(d["code"] for d in expected), file.name)

    def test_formatting_is_that_of_fmt(self):
        uri = self.uri()
        ugly = SVT.replace("  t <$", "t   <$").replace("for i in 0..n {", "for i in 0..n\n{")
        self.server.open(uri, ugly)
        (edit,) = self.server.of("textDocument/formatting", uri, options={"tabSize": 2})
        lines = ugly.split("\n")
        start, end = edit["range"]["start"], edit["range"]["end"]
        self.assertEqual((start["character"], end["character"]), (0, 0))
        self.assertGreater(start["line"], 0)  # what is fine is not touched
        result = "\n".join(lines[: start["line"]] + [edit["newText"] + "\n".join(lines[end["line"]:])])
        expected = subprocess.run([COUPLET, "fmt", "-"], input=ugly, capture_output=True, text=True).stdout
        self.assertEqual(result, expected)
        self.server.change(uri, SVT, 2)
        self.assertEqual(self.server.of("textDocument/formatting", uri, options={}), [])
        self.server.change(uri, "mechanism (", 3)
        with self.assertRaises(RpcError) as raised:
            self.server.of("textDocument/formatting", uri, options={})
        self.assertEqual(raised.exception.code, -32803)

    def test_symbols_are_a_tree(self):
        uri = self.uri()
        self.server.open(uri, SVT)
        symbols = self.server.of("textDocument/documentSymbol", uri)
        self.assertEqual([s["name"] for s in symbols], ["eps", "n", "above", "above"])
        self.assertEqual([c["name"] for c in symbols[2]["children"]], ["q", "T", "t", "i", "s"])
        self.assertEqual(symbols[2]["selectionRange"], span(SVT, "above", 1))
        for s in symbols:
            self.assertLessEqual(s["range"]["start"]["line"], s["selectionRange"]["start"]["line"])
            self.assertGreaterEqual(s["range"]["end"]["line"], s["selectionRange"]["end"]["line"])
        broken = SVT.replace("4/eps);", "4/eps;")  # the parser recovers
        self.server.change(uri, broken, 2)
        self.assertEqual([s["name"] for s in self.server.of("textDocument/documentSymbol", uri)],
                         ["eps", "n", "above", "above"])

    def test_folding_and_links(self):
        uri = self.uri()
        self.server.open(uri, 'include "lib.dp";\n' + SVT)
        folds = {(f["startLine"], f["endLine"]) for f in self.server.of("textDocument/foldingRange", uri)}
        self.assertTrue({(10, 15), (12, 14), (19, 26)} <= folds, folds)
        (link,) = self.server.of("textDocument/documentLink", uri)
        self.assertEqual(link["target"], "file:///nowhere/lib.dp")
        self.assertEqual(link["range"]["start"], {"line": 0, "character": 8})

    def test_semantic_tokens_tell_what_names_are(self):
        uri = self.uri()
        text = GREEK + SVT.replace("param eps : real, eps > 0;\n", "")
        self.server.open(uri, text)
        legend = self.info["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"]
        data = self.server.of("textDocument/semanticTokens/full", uri)["data"]
        self.assertEqual(len(data) % 5, 0)
        lines, tokens, line, start = text.split("\n"), {}, 0, 0
        for i in range(0, len(data), 5):
            line, start = line + data[i], data[i + 1] + (start if data[i] == 0 else 0)
            units = lines[line].encode("utf-16-le")[2 * start: 2 * (start + data[i + 2])]
            tokens.setdefault((line, units.decode("utf-16-le")), legend[data[i + 3]])
        for key, kind in {(0, "param"): "keyword", (0, "ε"): "variable", (0, "real"): "type",
                          (1, "/* 𝔸𝔹 */"): "comment", (1, "two_ε"): "variable", (1, "2"): "number"}.items():
            self.assertEqual(tokens.get(key), kind, key)
        words = {word: kind for (_, word), kind in tokens.items()}
        for word, kind in {"above": "function", "q": "parameter", "t": "variable", "Lap": "class", "shift": "keyword",
                           "private": "keyword", "<$": "operator", "all_within": "function", "returned": "variable"}.items():
            self.assertEqual(words.get(word), kind, word)


class Utf16(Case):
    """The same places in the three encodings."""
    encoding = "utf-16"
    widths = (2, 2)  # of 𝔸𝔹

    def units(self, text):
        return len(text.encode("utf-16-le")) // 2

    def setUp(self):
        self.capabilities = {"general": {"positionEncodings": ["klingon", self.encoding, "utf-16"]}}
        super().setUp()

    def test_agreed(self):
        self.assertEqual(self.info["capabilities"]["positionEncoding"], self.encoding)

    def test_places(self):
        uri = self.uri()
        self.assertEqual(self.server.open(uri, GREEK), [])
        line = GREEK.split("\n")[1]
        for needle, at in (("two_ε", line.index("two_ε")), ("two_ε", line.rindex("two_ε"))):
            begin = self.units(line[:at])
            for inside in (0, self.units("two_ε") - 1, self.units("two_ε")):
                found = self.server.at("textDocument/definition", uri, 1, begin + inside)
                first = self.units(line[: line.index("two_ε")])
                self.assertEqual(found["range"]["start"], {"line": 1, "character": first})
                self.assertEqual(found["range"]["end"], {"line": 1, "character": first + self.units("two_ε")})
        # an edit behind all of them
        begin = self.units(line[: line.rindex("two_ε")])
        self.server.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [
            {"range": {"start": {"line": 1, "character": begin}, "end": {"line": 1, "character": begin + self.units("two_ε")}},
             "text": "wrong"}]})
        (found,) = self.server.diagnostics(uri, 2)
        self.assertEqual(found["range"]["start"], {"line": 1, "character": begin})
        self.assertEqual(found["range"]["end"], {"line": 1, "character": begin + 5})

    def test_line_ends(self):
        uri = self.uri()
        text = "param eps : real, eps > 0;\r\nlet a = eps;\rlet b = a;\nlet c = b + wrong;"
        (found,) = self.server.open(uri, text)
        self.assertEqual(found["range"]["start"], {"line": 3, "character": 12})


class Utf8(Utf16):
    encoding = "utf-8"

    def units(self, text):
        return len(text.encode())


class Utf32(Utf16):
    encoding = "utf-32"

    def units(self, text):
        return len(text)


if __name__ == "__main__":
    unittest.main()
