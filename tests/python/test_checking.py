"""couplet.check, couplet.judge and the pytest plugin, on the examples."""

import html
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "python"
sys.path.insert(0, str(EXAMPLES))

import couplet
import counting
import survey


def unmarked(total, eps, rng):
    return total + rng.laplace(scale=1 / eps)


class Checking(unittest.TestCase):
    def test_decorator_leaves_the_function_alone(self):
        def f(q):
            return q
        self.assertIs(couplet.private(epsilon="1", adjacent="within(q, 1)")(f), f)
        self.assertEqual(couplet.declassify(3), 3)

    def test_proved(self):
        result = couplet.check(survey.truthful_with_probability)
        self.assertTrue(result.ok)
        self.assertEqual([c.verdict for c in result.claims], ["proved"])

    def test_refuted(self):
        with self.assertRaises(AssertionError) as caught:
            couplet.check(counting.one_budget_twice)
        text = str(caught.exception)
        for piece in ("counting.py", "one_budget_twice", "refuted", "first run", "second run", "probability", "real numbers"):
            self.assertIn(piece, text)
        line = int(text.split("counting.py:")[1].split(":")[0])
        source = (EXAMPLES / "counting.py").read_text().split("\n")
        self.assertIn("couplet.private", source[line - 1])

    def test_claim_as_arguments(self):
        self.assertTrue(couplet.check(unmarked, epsilon="eps", adjacent="within(total, 1)"))
        with self.assertRaises(AssertionError):
            couplet.check(unmarked, epsilon="eps / 2", adjacent="within(total, 1)")
        with self.assertRaises(couplet.CoupletError):
            couplet.check(unmarked)

    def test_errors_are_shown_at_their_place(self):
        with self.assertRaises(couplet.CoupletError) as caught:
            couplet.check(unmarked, epsilon="eps +", adjacent="within(total, 1)")
        self.assertIn("test_checking.py", str(caught.exception))

    def test_html_is_the_card_of_the_report(self):
        """Card by card what `couplet report` writes about this function, in a frame."""
        judged = couplet.judge(counting.one_budget_twice)
        self.assertIn("refuted\n  counterexample:", repr(judged))
        shown = judged._repr_html_()
        frame = re.fullmatch(r"<iframe [^>]*srcdoc=\"([^\"]*)\"></iframe>", shown)
        page = html.unescape(frame.group(1))
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([couplet.checking.program(), "report", "--function", "one_budget_twice", "-o", folder,
                            str(EXAMPLES / "counting.py")], capture_output=True)
            report = (pathlib.Path(folder) / "index.html").read_text()
        without_times = lambda text: re.sub(r"[0-9.]+ s\b", "", text)
        cards = lambda text: re.findall(r"<article .*?</article>", without_times(text), re.S)
        self.assertEqual(len(cards(page)), 1)
        self.assertEqual(cards(page), cards(report))
        self.assertIn("refuted", page)
        for outside in ("<script", "http://", "https://", "src="):
            self.assertNotIn(outside, page)

    def test_html_has_the_given_claim_only(self):
        page = couplet.judge(counting.one_budget_twice, epsilon="2 * epsilon", adjacent="within(total, 1) and within(visitors, 1)").page()
        self.assertEqual(page.count("<article "), 1)
        self.assertIn("proved", page)

    def test_translation(self):
        self.assertIn("claim private unmarked epsilon eps;", couplet.translate_function(
            unmarked, epsilon="eps", adjacent="within(total, 1)"))


class Plugin(unittest.TestCase):
    def run_pytest(self, *arguments):
        env = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
        return subprocess.run([sys.executable, "-m", "pytest", "-p", "couplet.pytest_plugin", "-p", "no:cacheprovider", "-q"] +
                              list(arguments), capture_output=True, text=True, env=env, cwd=tempfile.gettempdir())

    def test_plugin(self):
        try:
            import pytest
        except ImportError:
            self.skipTest("no pytest")
        done = self.run_pytest("--couplet", str(EXAMPLES / "survey.py"))
        self.assertIn("2 passed", done.stdout)
        self.assertIn("1 failed", done.stdout)
        self.assertIn("two_coins_too_sure", done.stdout)
        self.assertIn("second run", done.stdout)
        self.assertNotIn("Traceback", done.stdout)

    def test_without_the_option(self):
        try:
            import pytest
        except ImportError:
            self.skipTest("no pytest")
        done = self.run_pytest(str(EXAMPLES / "survey.py"))
        self.assertIn("no tests ran", done.stdout)


if __name__ == "__main__":
    unittest.main()
