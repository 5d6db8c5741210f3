"""The grammars in editors/ against the language: the words of the parser, and the colours of every example."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COUPLET = os.path.abspath(os.environ["COUPLET"])
sys.path.insert(0, str(ROOT / "tests/lsp"))
sys.path.insert(0, str(ROOT / "tests/grammar"))
sys.path.insert(0, str(ROOT / "editors"))
import update  # noqa: E402
from client import Server  # noqa: E402
from textmate import Grammar  # noqa: E402

TEXTMATE = ROOT / "editors/vscode/syntaxes/couplet.tmLanguage.json"
VIM = ROOT / "editors/vim"
EXAMPLES = sorted((ROOT / "examples").glob("*/*.dp"))

# What no example has, and what is easily coloured wrongly.
HARD = """\
/// A doc comment, //// which
//// is none here
param eps, delta : real, eps > 0, 0 < delta < 1e-6; /* two
lines */ let eps' = eps/2.5;
let ε_Λ = ∀ i ∈ 0..3. i ≤ 2 ∧ ¬(i ≠ 1) → true; // "no string
let output = 1; let state = 2; let sample = 3; let d = output + state + sample;
include "a//b.dp";
mechanism m(private q : real[], public T : (int, real)) emits bool
  adjacent all_within(q, 1) and q<1> = q<2>
{
  x <$ Uniform{1, 2};
  y := (q<1>[0], T.1).2 + real(3) mod 2;
  if x<1> < 2 or not (y >= -1) { emit x :: [] ++ [1]; }
}
claim named: private m epsilon 2*eps delta delta under same(q) proof {
  have delta > 0;
  case q<1>[0] > 0 { sample x 2: interval [1, 2] to [2, 1] move 1 eta 2 sigma 3 cost 4 upto x > 1 delta delta above 3; } else { admit; }
}
claim private m epsilon ?;
"""


def lexed(server, uri, text):
    """(line, start, end, type, is library) of each token as the server sees it."""
    server.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "version": 1, "text": text}})
    data = server.of("textDocument/semanticTokens/full", uri)["data"]
    line = start = 0
    for i in range(0, len(data), 5):
        line, start = line + data[i], data[i + 1] + (start if data[i] == 0 else 0)
        yield line, start, start + data[i + 2], data[i + 3], data[i + 4]


class Words(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.words = {}
        listing = subprocess.run([COUPLET, "lsp", "--words"], capture_output=True, text=True, check=True).stdout
        for entry in listing.splitlines():
            kind, word = entry.split()
            cls.words.setdefault(kind, set()).add(word)

    def test_the_table_has_the_words_the_parsers_ask_for(self):
        language, proofs = update.asked_by_language(), update.asked_by_proofs()
        self.assertGreater(len(language), 20)
        self.assertGreater(len(proofs), 30)
        listed = self.words["clause"] | self.words["automaton"] - {"insample", "insample'"}
        self.assertEqual(language, listed)
        self.assertEqual(proofs, self.words["proof"], "run editors/update.py, which repairs this")

    def test_the_reference_lists_the_reserved_words(self):
        text = (ROOT / "docs/language.md").read_text()
        listed = re.search(r"Words that are never names:\s+`([^`]*)`", text, re.S).group(1).split()
        self.assertEqual(set(listed), self.words["reserved"])

    def test_textmate_has_exactly_these_words(self):
        grammar = Grammar(TEXTMATE)
        prefixes = {"reserved": "reserved-", "clause": "clause-words", "automaton": "automaton-words", "proof": "proof-words",
                    "known": "known-names", "type": "types", "function": "functions", "distribution": "distributions"}
        for kind, prefix in prefixes.items():
            keys = [k for k in grammar.json["repository"] if k.startswith(prefix)]
            found = set().union(*(grammar.words(k) for k in keys))
            self.assertEqual(found, self.words[kind], kind)
        self.assertEqual(grammar.words("adjacency"), self.words["adjacency"])

    def test_vim_has_exactly_these_words(self):
        groups = {}
        for line in (VIM / "syntax/couplet.vim").read_text().splitlines():
            match = re.match(r"syntax keyword (\w+) (?:contained )?(.*)", line)
            if match:
                groups.setdefault(match.group(1), set()).update(match.group(2).split())
            match = re.match(r"syntax match (coupletDeclaration) /\\<\\%\((.*)\\\)\\>/$", line)
            if match:
                groups.setdefault(match.group(1), set()).update(match.group(2).split("\\|"))
            match = re.match(r"syntax match (coupletFunction) /\\<\\%\((.*)\\\)\\ze", line)
            if match:
                groups.setdefault(match.group(1), set()).update(match.group(2).split("\\|"))
        union = lambda *names: set().union(*(groups[n] for n in names))
        self.assertEqual(union("coupletDeclaration", "coupletStatement", "coupletConditional", "coupletWordOperator", "coupletBoolean"),
                         self.words["reserved"])
        for group, kind, other in (("coupletClause", "clause", set()), ("coupletAutomatonWord", "automaton", {"insample'"}),
                                   ("coupletProofWord", "proof", set()), ("coupletKnown", "known", set()), ("coupletType", "type", set()),
                                   ("coupletFunction", "function", set()), ("coupletAdjacency", "adjacency", set()),
                                   ("coupletDistribution", "distribution", set())):
            self.assertEqual(groups[group] | other, self.words[kind], group)


class Colours(unittest.TestCase):
    """The lexer and the symbol table say what each token is; the grammars must agree."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server(COUPLET)
        info = cls.server.initialize(capabilities={"general": {"positionEncodings": ["utf-32"]}})
        cls.legend = info["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"]
        listing = subprocess.run([COUPLET, "lsp", "--words"], capture_output=True, text=True, check=True).stdout
        cls.proof_words = {e.split()[1] for e in listing.splitlines() if e.startswith("proof ")}
        cls.sources = [(f.as_uri(), f.read_text()) for f in EXAMPLES] + [("file:///hard.dp", HARD)]
        cls.tokens = {uri: list(lexed(cls.server, uri, text)) for uri, text in cls.sources}

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    def wanted(self, kind, library):
        if kind in ("function", "class", "type") and library & 4:
            return ("support.",)
        return {"keyword": ("keyword.", "constant.language", "variable.language"), "comment": ("comment.",), "string": ("string.",),
                "number": ("constant.numeric",), "operator": ("keyword.operator", "punctuation"),
                "function": ("entity.name.function",), "type": ("entity.name.type", "variable.other"),
                "class": ("entity.name.class", "variable.other"),
                "variable": ("variable.", "entity.name"), "parameter": ("variable.",), "enumMember": ("variable.",)}[kind]

    def test_textmate_on_every_example(self):
        grammar = Grammar(TEXTMATE)
        count = 0
        for uri, text in self.sources:
            scopes = grammar.scopes(text)
            for line, start, end, kind, library in self.tokens[uri]:
                word = text.split("\n")[line][start:end]
                for i in range(start, end):
                    scope = scopes[line][i][-1]
                    if self.legend[kind] == "function" and scope.startswith("variable.other"):
                        continue  # a function that is named, not called
                    if "proof" in "".join(scopes[line][i]) and word in self.proof_words:
                        continue  # a variable called sigma: only the parser can tell
                    self.assertTrue(scope.startswith(self.wanted(self.legend[kind], library)),
                                    f"{uri}:{line + 1}: `{word}` is {self.legend[kind]} ({library}), but coloured {scope}")
                count += 1
            for number, text_line in enumerate(text.split("\n")):  # nothing is left without a colour
                for i, c in enumerate(text_line):
                    self.assertTrue(c.isspace() or len(scopes[number][i]) > 1, f"{uri}:{number + 1}: `{c}`")
        self.assertGreater(count, 5000)

    def test_vim_on_every_example(self):
        if not shutil.which("vim"):
            self.skipTest("no vim")
        groups = {"keyword": "coupletDeclaration coupletStatement coupletConditional coupletWordOperator coupletBoolean coupletClause "
                             "coupletAutomatonWord coupletProofWord coupletInstanceWord coupletOperator",  # ∀ is one
                  "comment": "coupletComment coupletDocComment coupletTodo", "string": "coupletString", "number": "coupletNumber",
                  "operator": "coupletOperator coupletRunTag", "type": "coupletType", "class": "coupletDistribution",
                  "function": "coupletFunction coupletAdjacency coupletType"}
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            queries, expected, script = [], [], ["set nocompatible encoding=utf-8", f"set runtimepath^={VIM}", "syntax on"]
            for n, (uri, text) in enumerate(self.sources):
                (folder / f"{n}.dp").write_text(text)
                wanted = []
                for line, start, end, kind, library in self.tokens[uri]:
                    name = self.legend[kind]
                    is_ours = name in ("keyword", "comment", "string", "number", "operator") or library & 4
                    column = len(text.split("\n")[line][:start].encode()) + 1
                    word = text.split("\n")[line][start:end]
                    wanted.append((line + 1, column, groups[name].split() if is_ours else None, f"{uri}:{line + 1}: `{word}` {name}"))
                expected.append(wanted)
                queries.append([[w[0], w[1]] for w in wanted])
                (folder / f"{n}.json").write_text(json.dumps(queries[-1]))
                script += [f"edit {folder}/{n}.dp", "setfiletype couplet", "set syntax=couplet",
                           f"let places = json_decode(join(readfile('{folder}/{n}.json')))",
                           "let out = map(places, {_, p -> synIDattr(synID(p[0], p[1], 1), 'name')})",
                           f"call writefile(out, '{folder}/{n}.out')"]
            (folder / "run.vim").write_text("\n".join(script + ["qall!"]) + "\n")
            subprocess.run(["vim", "-N", "-u", "NONE", "-i", "NONE", "-n", "-es", "-S", folder / "run.vim"], stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
            for n, wanted in enumerate(expected):
                found = (folder / f"{n}.out").read_text().splitlines()
                self.assertEqual(len(found), len(wanted))
                for group, (_, _, allowed, what) in zip(found, wanted):
                    if allowed is None:  # a declared name: not a word of the language
                        self.assertNotIn(group, "coupletDeclaration coupletStatement coupletConditional coupletWordOperator "
                                                "coupletComment coupletNumber".split(), what)
                    else:
                        self.assertIn(group, allowed, what)

    def test_vim_indents_as_the_formatter(self):
        if not shutil.which("vim"):
            self.skipTest("no vim")
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "x.dp"
            for uri, text in self.sources:
                if not uri.endswith(("proofs/above_threshold.dp", "correct/svt.dp", "automata/svt.dp", "correct/interactive_svt.dp")):
                    continue
                flat = "\n".join(line.lstrip() for line in text.split("\n"))
                file.write_text(flat)
                subprocess.run(["vim", "-N", "-u", "NONE", "-i", "NONE", "-n", "-es", "--cmd", f"set runtimepath^={VIM}", "-c", "filetype plugin indent on",
                                "-c", f"edit {file}", "-c", "setfiletype couplet", "-c", "normal gg=G", "-c", "wq"], stdin=subprocess.DEVNULL, timeout=60)
                self.assertEqual(file.read_text(), text, uri)


if __name__ == "__main__":
    unittest.main()
