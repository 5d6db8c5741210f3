"""The exponential mechanism by a weighted choice: read as the largest score with Gumbel noise, where that is what it is.

    python3 test_choices.py COUPLET
"""

import json
import math
import subprocess
import sys
import tempfile
import unittest

from couplet.translate import TranslationError, translate_text

COUPLET = sys.argv.pop(1)
HEAD = "import math\nimport random\nimport numpy as np\nimport couplet\nfrom scipy.special import softmax\n\n" \
       "@couplet.private(epsilon=\"2*eps\", adjacent=\"all_within(u, 1)\", types={\"u\": \"real[3]\"})\ndef f(u, eps, rng):\n"

# weights exp(eps*u), in whatever style
FORMS = {
    "array": "u = np.asarray(u)\nw = np.exp(eps * u)\nreturn rng.choice(3, p=w / w.sum())",
    "shifted": "s = eps * (np.asarray(u) - max(u))\nw = np.exp(s)\nreturn rng.choice(len(u), p=w / np.sum(w))",
    "inline": "return rng.choice(3, p=np.exp(eps * np.asarray(u)) / np.exp(eps * np.asarray(u)).sum())",
    "in place": "p = np.exp(np.asarray(u) * eps + 3)\np /= p.sum()\nreturn rng.choice(3, p=p)",
    "lists": "m = max(u)\nw = [math.exp(eps * (x - m)) for x in u]\ntotal = sum(w)\np = [v / total for v in w]\nreturn rng.choice(3, p=p)",
    "norm": "p = [np.exp(eps * x) for x in u]\np = p / np.linalg.norm(p, ord=1)\nreturn np.random.choice(3, 1, p=p)[0]",
    "softmax": "return rng.choice(range(3), p=softmax(np.asarray(u) * eps))",
    "choices": "return random.choices(range(3), weights=[math.exp(1 - eps * (1 - x)) for x in u])[0]",
    "one of items": "c = [0, 1, 2]\nw = [math.exp(eps * x) for x in u]\nreturn random.choices(c, weights=w, k=1)[0]",
}

# what is something else, and what would tell by failing
OTHERS = {
    "changed weights": "w = np.exp(eps * np.asarray(u))\nw[0] = 2 * w[0]\nreturn rng.choice(3, p=w / w.sum())",
    "two sums": "w = np.exp(eps * np.asarray(u))\nv = np.exp(np.asarray(u))\nreturn rng.choice(3, p=w / v.sum())",
    "weights returned": "w = np.exp(eps * np.asarray(u))\nreturn rng.choice(3, p=w / w.sum()), w[0]",
    "noise in the scores": "w = [math.exp(x + rng.laplace()) for x in u]\nt = sum(w)\nreturn rng.choice(3, p=[v / t for v in w])",
    "later scores": "v = np.array(u)\nw = np.exp(eps * v)\nv[0] = 7\nreturn rng.choice(3, p=w / w.sum())",
    "array factor": "u = np.asarray(u)\nw = np.exp((u - 1) * u)\nreturn rng.choice(3, p=w / w.max())",
}
REFUSED = {
    "division": "w = np.exp(eps * (np.asarray(u) - 1 / u[0]))\nreturn rng.choice(3, p=w / w.sum())",
    "empty selection": "t = [x for x in u if x > 0]\nw = [math.exp(x - max(t)) for x in u]\ns = sum(w)\nreturn rng.choice(3, p=[v / s for v in w])",
}


def source(body):
    return HEAD + "".join("    %s\n" % line for line in body.split("\n"))


def probabilities(body, u, eps):
    with tempfile.NamedTemporaryFile("w", suffix=".py") as f:
        f.write(source(body))
        f.flush()
        given = [word for name, value in (("--param", "eps=%s" % eps), ("--input", "u=%s" % u)) for word in (name, value)]
        done = subprocess.run([COUPLET, "prob", "--json", *given, f.name], capture_output=True, text=True)
    return {int(o["output"]): o["value"] for o in json.loads(done.stdout)["outcomes"]}


class Choices(unittest.TestCase):
    def test_forms(self):
        weights = [math.exp(0.5 * x) for x in (1, 2, 0)]
        for name, body in FORMS.items():
            with self.subTest(name):
                found = probabilities(body, "[1, 2, 0]", "1/2")
                for k in range(3):
                    self.assertAlmostEqual(found[k], weights[k] / sum(weights), places=6)

    def test_what_is_something_else(self):
        for name, body in OTHERS.items():
            with self.subTest(name):
                try:
                    self.assertNotIn("Gumbel", translate_text(source(body)).text)
                except TranslationError:
                    pass

    def test_what_may_fail_is_not_lost(self):
        for name, body in REFUSED.items():
            with self.subTest(name):
                with self.assertRaises(TranslationError) as caught:
                    translate_text(source(body))
                self.assertIn("this may fail", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
