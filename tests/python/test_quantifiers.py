"""`all()` and `any()` of claims as formulas; what is no Python stays as it is."""

import unittest

from couplet.reader.quantifiers import quantified

CASES = {
    "all(0 <= v < 5 for v in xs)": "(forall at_v in 0..len(xs). (0 <= xs[at_v] < 5))",
    "n >= 1 and all(xs[i] <= xs[i+1] for i in range(len(xs)-1))": "n >= 1 and (forall i in 0..len(xs)-1. (xs[i] <= xs[i+1]))",
    "all(v > 0 for v in range(2, n))": "(forall v in 2..n. (v > 0))",
    "any(v == 1 for v in xs if v > 0)": "(exists at_v in 0..len(xs). ((xs[at_v] > 0) and (xs[at_v] == 1)))",
    "all(v == 1 for v in xs if v > 0)": "(forall at_v in 0..len(xs). ((xs[at_v] > 0) -> (xs[at_v] == 1)))",
    "all(any(v == w for w in ys) for v in xs)":
        "(forall at_v in 0..len(xs). ((exists at_w in 0..len(ys). (xs[at_v] == ys[at_w]))))",
    "all(v >= 0 for v in xs) and all(v >= 1 for v in ys)":
        "(forall at_v in 0..len(xs). (xs[at_v] >= 0)) and (forall at_v in 0..len(ys). (ys[at_v] >= 1))",
}
UNCHANGED = ["x^(2+1) > 0", "forall i in 0..n. x[i] > 0", "all(v > 0 for v in sorted(xs))", "all(xs)", "n >= 1", ""]


class Quantifiers(unittest.TestCase):
    def test_formulas(self):
        for text, formula in CASES.items():
            self.assertEqual(quantified(text), formula)

    def test_unchanged(self):
        for text in UNCHANGED:
            self.assertEqual(quantified(text), text)


if __name__ == "__main__":
    unittest.main()
