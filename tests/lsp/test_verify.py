"""Verification from the editor: the record of the command line, progress, cancellation, verdicts in the text."""
import json
import subprocess
import time
import unittest

from case import COUPLET, LEAKY, ROOT, SVT, Case
from client import RpcError, place
from test_names import apply

CANCELLED, MODIFIED = -32800, -32801
TWO = SVT + LEAKY.split("\n", 2)[2]  # one claim that holds and one that does not

# more than can be verified before a test goes on, however slow that is
LONG = TWO + "".join(SVT.split("\n\n")[-1].replace("claim private", f"claim c{i}: private") for i in range(40))


def whole():
    return {"start": {"line": 0, "character": 0}, "end": {"line": 9999, "character": 0}}


def strip_times(record):
    """Times differ from run to run, and only the editor asks for explanations and digests."""
    for claim in record["claims"]:
        claim.pop("time_s")
        claim.pop("detail")
    record.pop("source_digest", None)
    return record


class Verify(Case):
    capabilities = {"window": {"workDoneProgress": True},
                    "workspace": {"codeLens": {"refreshSupport": True}, "inlayHint": {"refreshSupport": True}}}
    options = ("--search", "2")

    def command(self, name, *arguments, **more):
        return {"command": name, "arguments": list(arguments), **more}

    def verify(self, uri, claim=None):
        name = "couplet.verifyFile" if claim is None else "couplet.verifyClaim"
        arguments = [uri] if claim is None else [uri, claim]
        return self.server.request("workspace/executeCommand", self.command(name, *arguments))

    def lenses(self, uri):
        return [l["command"]["title"] for l in self.server.of("textDocument/codeLens", uri)]

    def hints(self, uri):
        """Of claims: those behind a line of a claim."""
        found = self.server.of("textDocument/inlayHint", uri, range=whole())
        return [h["label"] for h in found if h["label"].split(",")[0] in ("proved", "refuted", "unknown", "admitted")]

    def test_proofs_that_were_found_or_completed_are_offered(self):
        uri = self.uri()
        stated = "claim private above epsilon eps;"
        partial = "claim private above epsilon eps proof {\n  loop {\n    sample s: when s >= t shift 1 within 2 else null;\n  }\n}"
        for claim, title in ((stated, "write the proof that was found"), (partial, "write the completed proof")):
            text = SVT.split("claim private")[0] + claim + "\n"
            self.server.open(uri, text)
            self.verify(uri)
            line, character = place(text, "claim private")
            at = {"line": line, "character": character}
            found = self.server.of("textDocument/codeAction", uri, range={"start": at, "end": at}, context={"diagnostics": []})
            edits = [a["edit"]["changes"][uri] for a in found if a["title"] == title]
            self.assertEqual(len(edits), 1, found)
            new = apply(text, edits[0])
            self.assertEqual(new.count("proof {"), 1, new)
            self.assertIn("invariant t<2> = t<1> + 1;", new)
            if claim == partial:
                self.assertIn("sample s: when s >= t shift 1 within 2 else null;", new)
            self.server.open(uri, new)
            detail = self.verify(uri)["claims"][0]["detail"]
            self.assertNotIn("search", detail)  # it is complete

    def test_couplings_behind_the_lines_of_the_mechanism(self):
        uri = self.uri()
        self.server.open(uri, TWO)
        self.verify(uri)
        hints = {h["position"]["line"]: h["label"] for h in self.server.of("textDocument/inlayHint", uri, range=whole())}
        for needle, words in (("t <$", "t<2> = t<1> + 1"), ("t <$", "costs eps/2"), ("s <$", "costs eps/2"), ("for i", "t<2> = t<1> + 1")):
            line, _ = place(TWO, needle)
            self.assertIn(words, hints.get(line, ""), hints)
        line, _ = place(TWO, "mechanism leak")
        self.assertFalse([l for l in hints if line <= l < place(TWO, "claim private leak")[0]])  # nothing was proved there
        one = {"start": {"line": 8, "character": 0}, "end": {"line": 8, "character": 99}}
        self.assertEqual(len(self.server.of("textDocument/inlayHint", uri, range=one)), 1)
        self.server.notify("workspace/didChangeConfiguration", {"settings": {"couplet": {"couplingHints": False}}})
        self.assertEqual(len(self.server.of("textDocument/inlayHint", uri, range=whole())), 2)

    def children(self):
        pid = self.server.process.pid
        with open(f"/proc/{pid}/task/{pid}/children") as f:
            return f.read().split()

    def child(self):
        """The process that verifies; progress is told just before it starts."""
        for _ in range(200):
            if self.children():
                break
            time.sleep(0.01)
        (child,) = self.children()
        return child

    def test_verdicts_in_diagnostics_lenses_hints_and_hover(self):
        uri = self.uri()
        self.server.open(uri, TWO)
        self.assertEqual(self.lenses(uri), ["verify this claim", "verify this claim", "verify all claims"])
        self.assertEqual(self.hints(uri), [])
        record = self.verify(uri)
        self.assertEqual([c["verdict"] for c in record["claims"]], ["proved", "refuted"])
        (found,) = self.server.diagnostics(uri)
        self.assertEqual((found["severity"], found["code"]), (1, "refuted"))
        self.assertIn("leak is not eps-private", found["message"])
        line, character = place(TWO, "claim private leak")
        self.assertEqual(found["range"]["start"], {"line": line, "character": character})
        more = "\n".join(r["message"] for r in found["relatedInformation"])
        self.assertEqual(more.split(), record["claims"][1]["counterexample"]["text"].split())
        self.assertEqual(found["relatedInformation"][0]["location"]["range"]["start"]["line"], place(TWO, "mechanism leak")[0])
        lenses = self.lenses(uri)
        self.assertTrue(lenses[0].startswith("proved, cost eps"), lenses)
        self.assertTrue(lenses[1].startswith("refuted"), lenses)
        hints = self.hints(uri)
        self.assertEqual([h.split(",")[0] for h in hints], ["proved", "refuted"])
        self.assertEqual(self.server.of("textDocument/inlayHint", uri, range={"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}), [])
        line, character = place(TWO, "s <$ Lap(q")
        value = self.server.at("textDocument/hover", uri, line, character)["contents"]["value"]
        self.assertIn("coupling", value)
        self.assertIn("shifted by 1", value)
        self.assertIn("costs eps/2", value)
        self.assertEqual({r["method"] for r in self.server.asked}, {
            "window/workDoneProgress/create", "workspace/codeLens/refresh", "workspace/inlayHint/refresh"})

    def test_a_verdict_goes_when_the_text_changes_and_comes_back(self):
        uri = self.uri()
        self.server.open(uri, TWO)
        self.verify(uri)
        self.server.diagnostics(uri)
        changed = TWO.replace("Lap(T, 2/eps)", "Lap(T, 3/eps)")
        self.assertEqual(self.server.change(uri, changed, 2), [])
        self.assertEqual(self.hints(uri), [])
        self.assertEqual(self.lenses(uri)[0], "verify this claim")
        line, character = place(TWO, "s <$ Lap(q")
        self.assertNotIn("coupling", self.server.at("textDocument/hover", uri, line, character)["contents"]["value"])
        self.assertEqual(self.codes(self.server.change(uri, TWO, 3)), ["refuted"])  # undone
        self.assertEqual(len(self.hints(uri)), 2)

    def test_a_verdict_goes_when_an_include_changes(self):
        folder = self.folder()
        lib = folder / "lib.dp"
        lib.write_text("param eps : real, eps > 0;\n")
        uri = (folder / "main.dp").as_uri()
        self.server.open(uri, 'include "lib.dp";\n' + LEAKY.split("\n", 2)[2])
        self.verify(uri)
        self.assertEqual(self.codes(self.server.diagnostics(uri)), ["refuted"])
        self.server.open(lib.as_uri(), "param eps : real, eps > 0, eps < 1;\n")
        self.assertEqual(self.server.diagnostics(uri), [])
        self.assertEqual(self.hints(uri), [])

    def test_what_is_verified_is_the_text_not_the_file(self):
        folder = self.folder()
        (folder / "main.dp").write_text(LEAKY)
        (folder / "lib.dp").write_text("nonsense")
        uri = (folder / "main.dp").as_uri()
        fixed = LEAKY.replace("1/(3*eps)", "1/eps").replace("epsilon eps;", "epsilon eps proof { sample s: shift 0; }").replace("param eps : real, eps > 0;", 'include "lib.dp";')
        self.server.open((folder / "lib.dp").as_uri(), "param eps : real, eps > 0;\n")
        self.assertEqual(self.server.open(uri, fixed), [])
        self.assertEqual(self.verify(uri)["claims"][0]["verdict"], "proved")

    def test_a_proof_that_was_found_can_be_written(self):
        uri = self.uri()
        bare = SVT.split(" proof {")[0] + ";\n"
        self.server.open(uri, bare)
        record = self.verify(uri)
        if record["claims"][0]["verdict"] != "proved":
            self.skipTest("the search did not find it")
        line, character = place(bare, "claim private")
        at = {"line": line, "character": character}
        (action,) = self.server.of("textDocument/codeAction", uri, range={"start": at, "end": at}, context={"only": ["refactor"]})
        (edit,) = action["edit"]["changes"][uri]
        self.assertEqual(edit["range"]["start"]["line"], line)
        proved = bare.replace("epsilon eps;", "epsilon eps" + edit["newText"])
        self.assertEqual(self.server.change(uri, proved, 2), [])
        self.assertEqual(self.verify(uri)["claims"][0]["verdict"], "proved")
        self.assertNotIn("proof", self.verify(uri)["claims"][0]["detail"])  # given, not found

    def test_one_claim_only(self):
        uri = self.uri()
        self.server.open(uri, TWO)
        record = self.verify(uri, 2)
        self.assertEqual([c["verdict"] for c in record["claims"]], ["unknown", "refuted"])
        self.assertEqual(self.codes(self.server.diagnostics(uri)), ["refuted"])  # nothing about the other
        self.assertEqual(self.lenses(uri)[0], "verify this claim")
        record = self.verify(uri, "above")  # by name; the other verdict stays
        self.assertEqual([c["verdict"] for c in record["claims"]], ["proved", "refuted"])
        self.assertEqual([h.split(",")[0] for h in self.hints(uri)], ["proved", "refuted"])

    def test_the_record_is_that_of_the_command_line(self):
        folder = self.folder()
        for name, text in (("two.dp", TWO), ("bad.dp", "mechanism ("), ("empty.dp", "param eps : real;\n"),
                           ("admit.dp", SVT.replace("sample t: shift 1;", "admit;")),
                           ("svt.dipa", (ROOT / "examples/automata/svt.dipa").read_text()),
                           ("sort.dp", (ROOT / "examples/automata/not_private_sort.dp").read_text())):
            file = folder / name
            file.write_text(text)
            self.server.open(file.as_uri(), text)
            mine = self.verify(file.as_uri())
            run = subprocess.run([COUPLET, "verify", "--json", "--search", "2", file], capture_output=True, text=True)
            theirs = json.loads(run.stdout)["files"][0]
            self.assertEqual(strip_times(mine), strip_times(theirs), name)
            if theirs["claims"]:
                titles = self.lenses(file.as_uri())
                for claim, title in zip(theirs["claims"], titles):
                    self.assertTrue(title.startswith(claim["verdict"]), (claim, title))

    def test_unknown_and_admitted_are_warnings(self):
        uri = self.uri()
        self.server.notify("workspace/didChangeConfiguration", {"settings": {"couplet": {"timeout": 1.5}}})
        self.server.open(uri, SVT.replace("shift 1;", "shift 0;"))
        self.verify(uri)
        self.server.notify("workspace/didChangeConfiguration", {"settings": {"couplet": {"timeout": 60}}})
        (found,) = [d for d in self.server.diagnostics(uri) if d["code"] == "unknown"]
        self.assertEqual(found["severity"], 2)
        self.assertIn("above is eps-private?", found["message"])
        other = self.uri("admit.dp")
        self.server.open(other, SVT.replace("sample t: shift 1;", "admit;"))
        self.assertEqual(self.verify(other)["claims"][0]["verdict"], "admitted")
        (found,) = self.server.diagnostics(other)
        self.assertEqual((found["severity"], found["code"]), (2, "admitted"))

    def test_progress_in_order(self):
        uri = self.uri()
        self.server.open(uri, TWO)
        self.server.request("workspace/executeCommand", self.command("couplet.verifyFile", uri, workDoneToken="mine"))
        kinds = [n["params"]["value"] for n in self.server.notes if n["method"] == "$/progress" and n["params"]["token"] == "mine"]
        self.assertEqual([k["kind"] for k in kinds], ["begin", "report", "report", "end"])
        self.assertTrue(kinds[0]["cancellable"])
        self.assertEqual([k["message"] for k in kinds[1:3]], ["1 of 2 claims", "2 of 2 claims"])
        self.assertEqual([k["percentage"] for k in kinds[1:3]], [50, 100])

    def test_the_server_answers_while_it_verifies(self):
        uri, other = self.uri(), self.uri("other.dp")
        self.server.open(uri, LONG)
        running = self.server.start("workspace/executeCommand", self.command("couplet.verifyFile", uri))
        self.server.open(other, SVT)
        self.assertEqual(len(self.server.of("textDocument/documentSymbol", other)), 4)
        self.assertNotIn(running, self.server.answers)
        self.server.notify("$/cancelRequest", {"id": running})
        self.cancelled(running)

    def cancelled(self, running, code=CANCELLED):
        with self.assertRaises(RpcError) as raised:
            self.server.wait(running)
        self.assertEqual(raised.exception.code, code)
        self.assertEqual(self.children(), [])

    def test_cancelling_kills_the_child(self):
        uri = self.uri()
        self.server.open(uri, LONG)
        running = self.server.start("workspace/executeCommand", self.command("couplet.verifyFile", uri, workDoneToken=5))
        self.server.wait_note("$/progress")
        self.child()
        self.server.notify("$/cancelRequest", {"id": running})
        self.cancelled(running)
        ends = [n for n in self.server.notes if n["method"] == "$/progress" and n["params"]["value"]["kind"] == "end"]
        self.assertEqual(len(ends), 1)
        self.assertEqual(self.hints(uri), [])
        # by the button of the progress display
        running = self.server.start("workspace/executeCommand", self.command("couplet.verifyFile", uri, workDoneToken=6))
        self.server.notify("window/workDoneProgress/cancel", {"token": 6})
        self.cancelled(running)
        # and the next one runs
        self.server.change(uri, TWO, 2)
        self.assertEqual(len(self.verify(uri)["claims"]), 2)

    def test_typing_and_closing_end_the_verification(self):
        uri = self.uri()
        self.server.open(uri, LONG)
        running = self.server.start("workspace/executeCommand", self.command("couplet.verifyFile", uri))
        self.server.change(uri, LONG + "// more\n", 2)
        self.cancelled(running, MODIFIED)
        running = self.server.start("workspace/executeCommand", self.command("couplet.verifyFile", uri))
        self.server.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        self.cancelled(running, MODIFIED)

    def test_one_at_a_time_and_the_latest_counts(self):
        uri, other = self.uri(), self.uri("other.dp")
        self.server.open(uri, TWO)
        self.server.open(other, LEAKY)
        with self.server.at_once():
            first = self.server.start("workspace/executeCommand", self.command("couplet.verifyFile", uri))
            second = self.server.start("workspace/executeCommand", self.command("couplet.verifyFile", other))
            third = self.server.start("workspace/executeCommand", self.command("couplet.verifyFile", uri))
        with self.assertRaises(RpcError) as raised:
            self.server.wait(first)
        self.assertEqual(raised.exception.code, CANCELLED)
        self.assertLessEqual(len(self.children()), 1)
        self.assertEqual(len(self.server.wait(second)["claims"]), 1)
        self.assertEqual(len(self.server.wait(third)["claims"]), 2)

    def test_shutdown_and_death_leave_no_child(self):
        uri = self.uri()
        self.server.open(uri, LONG)
        self.server.start("workspace/executeCommand", self.command("couplet.verifyFile", uri, workDoneToken=5))
        self.server.wait_note("$/progress")
        child = self.child()
        self.server.process.stdin.close()
        self.server.process.wait(30)
        for _ in range(100):
            try:
                with open(f"/proc/{child}/stat") as f:
                    if f.read().rsplit(")", 1)[1].split()[0] == "Z":
                        return
            except FileNotFoundError:
                return
            time.sleep(0.05)
        self.fail("the child lives on")

    def test_limits_hold(self):
        uri = self.uri()
        self.server.notify("workspace/didChangeConfiguration", {"settings": {"couplet": {"timeout": 1e-6}}})  # less than it takes to start
        slow = (ROOT / "examples/correct/asv_bt.dp").read_text()
        self.server.open(uri, slow)
        claims = self.verify(uri)["claims"]
        self.assertTrue(all(c["verdict"] == "unknown" and "time" in c["reason"] for c in claims), claims)

    def test_verify_on_save(self):
        server = self.new_server()
        server.initialize(initializationOptions={"verifyOnSave": True, "search": 2})
        uri = self.uri()
        server.open(uri, LEAKY)
        server.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        self.assertEqual(self.codes(server.diagnostics(uri)), ["refuted"])
        server.change(uri, "mechanism (", 2)
        server.notify("textDocument/didSave", {"textDocument": {"uri": uri}})  # nothing to verify
        with self.assertRaises(RpcError):
            server.request("no/such")


if __name__ == "__main__":
    unittest.main()
