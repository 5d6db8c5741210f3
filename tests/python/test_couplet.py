"""The wrapper python/couplet/_library.py against the program: same record, same words, no surprises."""

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import unittest

import couplet
import couplet._library

PROGRAM = sys.argv.pop(1)

LAPLACE = """param eps : real, eps > 0;
mechanism m(private q : real) returns real adjacent within(q, 1) {
  a <$ Lap(q, 1/eps);
  return a;
}
claim good: private m epsilon eps proof { sample a: shift 0; }
claim bad: private m epsilon eps/2;
"""


def without_times(value):
    """Times differ from run to run; everything else must not."""
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if not k.endswith("_s")}
    if isinstance(value, list):
        return [without_times(v) for v in value]
    return value


class Wrapper(unittest.TestCase):
    def test_verdicts(self):
        result = couplet.verify_text(LAPLACE, name="m.dp")
        self.assertEqual([(c.name, c.verdict, c.line) for c in result.claims], [("good", "proved", 6), ("bad", "refuted", 7)])
        self.assertEqual(result.claims[0].cost, "eps")
        self.assertTrue(result.claims[0])
        self.assertFalse(result.claims[1])
        self.assertIn("probabilities", result.claims[1].counterexample)
        self.assertEqual(result.status, 10)
        self.assertFalse(result.ok)

    def test_same_record_as_the_program(self):
        for path in ["examples/automata/svt.dipa", "examples/automata/numeric_sparse.dp", "examples/incorrect/bad_hist.dp"]:
            printed = subprocess.run([PROGRAM, "verify", "--json", path], stdout=subprocess.PIPE, check=False)
            result = couplet.verify(path)
            record = json.loads(printed.stdout)
            record.pop("tools")
            self.assertEqual(result.status, printed.returncode)
            self.assertEqual([c.verdict for c in result.claims], [c["verdict"] for c in record["files"][0]["claims"]])
            if "automata" in path: # the program searches with two processes: it may meet another counterexample first
                self.assertEqual(without_times(result.record), without_times(record))

    def test_bad_input(self):
        result = couplet.verify("/nowhere/x.dp")
        self.assertEqual((result.status, result.claims), (2, []))
        self.assertIn("/nowhere/x.dp", result.text)
        result = couplet.verify_text("mechanism \u20ac \0 (", name="strange.dp")
        self.assertEqual(result.status, 2)
        self.assertIn("strange.dp:1:", result.text)
        for seconds in [-1, float("nan"), float("inf")]:
            with self.assertRaises(couplet.CoupletError):
                couplet.verify_text(LAPLACE, timeout=seconds)

    def test_names_are_not_cut(self):
        for call in [lambda: couplet.verify("examples/proofs/laplace.dp\0.txt"),
                     lambda: couplet.verify_text(LAPLACE, name="a.dp\0b"),
                     lambda: couplet.check_certificate("a\0b", "c")]:
            with self.assertRaises(couplet.CoupletError):
                call()
        self.assertEqual(couplet.verify("/tmp/a\nproved.dp").status, 2)

    def test_certificate(self):
        with tempfile.TemporaryDirectory() as folder:
            certificate = os.path.join(folder, "cert.json")
            source = "examples/automata/svt.dipa"
            subprocess.run([PROGRAM, "verify", "--certificate", certificate, source], stdout=subprocess.DEVNULL, check=True)
            self.assertTrue(couplet.check_certificate(certificate, source).ok)
            other = couplet.check_certificate(certificate, "examples/automata/m_range.dipa")
            self.assertEqual(other.status, 2)
            self.assertTrue(other.text)

    def test_threads(self):
        found = []
        def work():
            found.append([c.verdict for c in couplet.verify_text(LAPLACE).claims])
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [["proved", "refuted"]] * 4)

    def test_every_function_is_wrapped(self):
        """A prototype that is added to the header must get a signature here."""
        with open("include/couplet.h", encoding="utf-8") as header:
            declared = set(re.findall(r"\b(cp_[a-z_]+)\(", re.sub(r"/\*.*?\*/", "", header.read(), flags=re.S)))
        self.assertEqual(declared, set(couplet._library._SIGNATURES))


if __name__ == "__main__":
    unittest.main()
