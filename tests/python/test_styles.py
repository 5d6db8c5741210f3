"""What the reader makes of common styles: lengths that `requires` states, versions of variables, what is there after a loop."""

import unittest

from couplet.translate import TranslationError, translate_text

HEAD = "import math\nimport numpy as np\nimport couplet\n\n@couplet.private(epsilon=\"epsilon\", adjacent=\"%s\"%s)\ndef f(%s):\n"


def read(body, arguments="q, epsilon, rng", adjacent="all_within(q, 1)", more=""):
    lines = "".join("    %s\n" % line for line in body.split("\n"))
    return translate_text(HEAD % (adjacent, ", " + more if more else "", arguments) + lines).text


class Styles(unittest.TestCase):
    def test_stated_lengths(self):
        body = "return np.asarray(q) + rng.laplace(scale=1 / epsilon, size=4)"
        self.assertIn("private q : real[4]", read(body, more="requires=\"len(q) == 4\""))
        two = read("return np.dot(np.asarray(q), np.asarray(w)) + rng.laplace()", "q, w, epsilon, rng", more="requires=\"len(w) == len(q)\"")
        self.assertIn("private q : real[len_q], w : real[len_q]", two)

    def test_what_weakens_a_bound_is_no_bound(self):
        """Below an `or`, a bound need not hold: a slice could be shorter."""
        body = "return [v + rng.laplace(scale=1 / epsilon) for v in q[-2:]]"
        read(body, more="requires=\"len(q) >= 2\"")
        for weak in ("epsilon > 5 or epsilon > 1 and len(q) >= 2", "epsilon > 5 or epsilon > 1 and len(q) == 2"):
            with self.subTest(weak), self.assertRaises(TranslationError):
                read(body, more="requires=\"%s\"" % weak)

    def test_numbers_are_numbers(self):
        """numpy's functions take numbers, too."""
        self.assertIn("private x : real)", read("x = np.clip(x, 0, 10)\nreturn x + rng.laplace()", "x, epsilon, rng", "within(x, 1)"))

    def test_versions(self):
        text = read("q = np.clip(q, 0, 10)\nq = q * 2\nreturn q.sum() + rng.laplace(scale=20 / epsilon)")
        self.assertIn("min(10, max(0, q[k]))*2", text)
        text = read("x = q[0]\nx = [x, 2.0]\nfor i in range(2):\n    x[i] = x[i] + rng.laplace()\nreturn x")
        self.assertNotIn("\u00b7", text)
        for aliased in ("x = np.array(q)\ny = x\nx = x + 1\ny[0] = 5\nreturn x[0]", "x = np.array(q)\ny = x[:]\ny = y\nx[0] = 5\nreturn y[0]",
                        "x = np.asarray(q)\nx = x[1:]\nx[0] = 5\nreturn x[0]"):
            try:  # read as what it means, or refused
                self.assertNotIn("y[0] := 5", read(aliased, more="requires=\"len(q) >= 2\""))
            except TranslationError as error:
                self.assertNotIn("\u00b7", str(error))

    def test_versions_and_functions_inside(self):
        """A function that reads the variable later sees what it is then."""
        body = "k = 1\ndef scaled():\n    return k * q[0]\nk = 100\nreturn scaled() + rng.laplace()"
        self.assertIn("100", read(body))

    def test_there_after_a_loop(self):
        body = "best, where = %s, None\nfor i, v in enumerate(q):\n    x = v + rng.laplace(scale=2 / epsilon)\n    if %s:\n        best, where = x, i%s\nreturn where"
        for start, test in (("-np.inf", "x > best"), ("None", "best is None or x > best"), ("math.inf", "x < best"), ("-math.inf", "best <= x")):
            self.assertIn("has_where := 1 <= len_q;", read(body % (start, test, "")))
        for start, test, more in (("-np.inf", "x < best", ""), ("None", "best is None and x > 2", ""), ("None", "best is None or x > best", "\n    if i > 3:\n        break"),
                                  ("None", "best is None or x > best", "\n    if v > 9:\n        where = None")):
            try:
                self.assertNotIn("has_where := 1 <=", read(body % (start, test, more)))
            except TranslationError:
                pass

    def test_coins_in_arrays(self):
        self.assertIn("<$ Bernoulli(p)", read("flips = rng.random(len(q)) < p\nreturn flips", "q, p, epsilon, rng", more="requires=\"0 <= p and p <= 1\""))

    def test_rows(self):
        self.assertIn("q[k2] <= k/10", read("grid = np.linspace(0, 1, 11)\ns = [sum(1 for v in q if v <= g) for g in grid]\n"
                                            "i = int(np.argmax(np.array(s) + rng.gumbel(size=11)))\nreturn grid[i]"))

    def test_powers(self):
        self.assertIn("exp(2/3*ln(2*c))", read("return q[0] + rng.laplace(scale=(2 * c) ** (2 / 3))", "q, c: int, epsilon, rng", more="requires=\"c >= 1\""))
        self.assertIn("if x = 0 then 0 else exp(0.25*ln(x))", read("return q[0] + rng.laplace(scale=x ** 0.25)", "q, x: float, epsilon, rng"))


if __name__ == "__main__":
    unittest.main()
