"""Private data in places where the language wants it declared: loops, lengths, scales, ranges.

A Python function may do these things, and whether that is private is for the verdict to say: the
translation declares them, and is never an error of the language.

    python3 test_private.py COUPLET
"""

import re
import subprocess
import sys
import tempfile
import unittest

COUPLET = sys.argv.pop() if len(sys.argv) > 1 else "couplet"
HEAD = '''import random
import numpy as np
import couplet

def noisy(v, s, rng):
    return v + rng.laplace(scale=s)

def steps(v):
    k = 0
    while k < v:
        k += 1
    return k

def outer(v, rng):
    return noisy(v, abs(v) + 1, rng)

def pair(v):
    return v, abs(v) + 1

'''
CLAIM = '@couplet.private(epsilon="1", adjacent="all_within(q, 1) and within(x, 1)", requires="len(q) >= 2")\n'
BODIES = {
    "loop_bound": "total = 0\nfor i in range(int(x)):\n    total += 1\nreturn total + rng.laplace()",
    "filtered": "big = [v for v in q if v > 1]\ntotal = 0\nfor v in big:\n    total += v\nreturn total + rng.laplace()",
    "filtered_len": "big = [v for v in q if v > 1]\nreturn sum(big) / len(big) + rng.laplace(scale=1 / len(big))",
    "while_private": "k = 0\nwhile k < x:\n    k += 1\nreturn k + rng.laplace()",
    "while_mixed": "k = 0\nwhile k < 5 and q[0] > k:\n    k += 1\nreturn k + rng.laplace()",
    "break_private": "k = 0\nfor v in q:\n    if v > 3:\n        break\n    k += 1\nreturn k + rng.laplace()",
    "while_break": "k = 0\nwhile True:\n    if x < k:\n        break\n    k += 1\nreturn k + rng.laplace()",
    "scale_helper": "return noisy(x, abs(x) + 1, rng)",
    "scale_tuple": "a, b = x, abs(x) + 1\nreturn a + rng.laplace(scale=b)",
    "scale_array": "s = np.abs(np.asarray(q)) + 1\nreturn (np.asarray(q) + rng.laplace(scale=s)).tolist()",
    "scale_item": "s = [abs(v) + 1 for v in q]\nreturn q[0] + rng.laplace(scale=s[0])",
    "binomial_n": "return int(rng.binomial(int(abs(x)), 0.5))",
    "binomial_p": "return int(rng.binomial(2, x))",
    "choice_n": "return int(rng.choice(int(abs(x)) + 1))",
    "integers": "return int(rng.integers(0, int(abs(x)) + 1))",
    "uniform": "return rng.uniform(x, x + 1)",
    "randint": "return random.randint(int(x), int(x) + 3)",
    "choice_list": "return rng.choice([v for v in q if v > 0])",
    "geometric": "return int(rng.geometric(1 / (1 + abs(x))))",
    "expo": "return random.expovariate(1 + abs(x))",
    "noisy_loop": "n = int(abs(x + rng.laplace()))\nt = 0\nfor i in range(n):\n    t += rng.laplace()\nreturn t",
    "noisy_scale": "s = abs(x + rng.laplace()) + 1\nreturn x + rng.laplace(scale=s)",
    "branch_scale": "s = 1\nif x > 0:\n    s = 2\nreturn x + rng.laplace(scale=s)",
    "branch_scale2": "s = 1\nfor v in q:\n    if v > 0:\n        s += 1\nreturn x + rng.laplace(scale=s)",
    "count_scale": "s = sum(v > 0 for v in q) + 1\nreturn x + rng.laplace(scale=s)",
    "argmax_scale": "s = int(np.argmax(q)) + 1\nreturn x + rng.laplace(scale=s)",
    "index_loop": "s = int(np.argmax(q))\nt = 0\nfor i in range(s):\n    t += 1\nreturn t + rng.laplace()",
    "joined": "n = rng.laplace(size=2)\na = np.concatenate((n, np.asarray(q)))\nk = 0\nwhile k < 3 and bool((a > 2).any()):\n    k += 1\nreturn k",
    "where_mixed": "n = rng.laplace(size=len(q))\na = np.where(n > 0, n, np.asarray(q))\nk = 0\nwhile k < 3 and bool((a > 2).any()):\n    k += 1\nreturn k",
    "pair_mixed": "t = (rng.laplace(), x)\nk = 0\nwhile k < 3 and t[1] > k:\n    k += 1\nreturn k",
    "list_mixed": "t = [rng.laplace(), x]\nk = 0\nwhile k < 3 and t[1] > k:\n    k += 1\nreturn k",
    "zip_filtered": "big = [v for v in q if v > 1]\nreturn sum(a * b for a, b in zip(big, big)) + rng.laplace()",
    "enumerate_filtered": "big = [v for v in q if v > 1]\nreturn sum(i * a for i, a in enumerate(big)) + rng.laplace()",
    "reversed_filtered": "big = [v for v in q if v > 1]\nt = 0\nfor a in reversed(big):\n    t = t * 0.5 + a\nreturn t + rng.laplace()",
    "max_filtered": "big = [v for v in q if v > 1]\nreturn max(big) + rng.laplace()",
    "append_private": "out = []\nfor v in q:\n    if v > 0:\n        out.append(v)\nreturn len(out) + rng.laplace()",
    "append_loop": "out = []\nfor v in q:\n    if v > 0:\n        out.append(v)\nt = 0\nfor o in out:\n    t += o\nreturn t + rng.laplace()",
    "helper_loop": "return steps(x) + rng.laplace()",
    "extend": "out = []\nfor v in q:\n    if v > 0:\n        out.extend([v, v])\nreturn sum(out) + rng.laplace()",
    "nested_while": "t = 0\nfor v in q:\n    k = v\n    while k > 1:\n        k /= 2\n        t += 1\nreturn t + rng.laplace()",
    "early": "for i, v in enumerate(q):\n    if v > 0:\n        return i + rng.laplace()\nreturn rng.laplace()",
    "coin_private": "return bool(rng.random() < x)",
    "coin_branch": "p = 0.25\nif x > 0:\n    p = 0.75\nreturn bool(rng.random() < p)",
    "gen_bool": "return bool(any(v > 0 for v in q) == (rng.random() < 0.5))",
    "while_noisy_and_private": "k = 0\nwhile k < 3:\n    k += 1\n    if x + rng.laplace() > 0:\n        break\nreturn k",
    "private_in_list_append": "t = []\nn = int(x)\nwhile len(t) < n:\n    t.append(rng.laplace())\nreturn sum(t)",
    "step_range": "t = 0\nfor i in range(0, int(x), 2):\n    t += 1\nreturn t + rng.laplace()",
    "nested_helper_scale": "return outer(x, rng)",
    "result_of_helper": "s = steps(x) + 1\nreturn x + rng.laplace(scale=s)",
    "tuple_helper": "a, b = pair(x)\nreturn a + rng.laplace(scale=b)",
    "clip_where": "s = np.where(np.asarray(q) > 0, 2.0, 1.0)\nreturn (np.asarray(q) + rng.laplace(scale=s)).tolist()",
    "cumsum_scale": "s = np.cumsum(np.abs(q)) + 1\nreturn float(s[0]) + rng.laplace(scale=s[1])",
    "inplace": "s = [1, 1]\ns[0] = abs(x) + 1\nreturn x + rng.laplace(scale=s[1])",
    "ifexp": "s = 1 if x > 0 else 2\nreturn x + rng.laplace(scale=s)",
    "late": "s = (1 + rng.random()) if x > 0 else 2\nreturn x + rng.laplace(scale=s)",
    "none": "b = None\nfor v in q:\n    if b is None or v > b:\n        b = v\nreturn x + rng.laplace(scale=1 if b is None else abs(b) + 1)",
    "in_test": "s = 2 if x in q else 1\nreturn x + rng.laplace(scale=s)",
    "count_method": "s = q.count(1) + 1\nreturn x + rng.laplace(scale=s)",
    "counted": "m = []\nfor v in q:\n    m.append(v > 0)\nreturn x + rng.laplace(scale=m.count(True) + 1)",
    "counted_loop": "m = []\nfor v in q:\n    m.append(v > 0)\nt = 0\nfor i in range(m.count(True)):\n    t += 1\nreturn t + rng.laplace()",
}


class Private(unittest.TestCase):
    def test_no_error_of_the_language(self):
        text = HEAD + "".join(CLAIM + "def f_%s(q: list[float], x: float, rng):\n%s\n\n\n" % (
            name, "".join("    " + line + "\n" for line in body.split("\n"))) for name, body in BODIES.items())
        with tempfile.NamedTemporaryFile("w", suffix=".py") as f:
            f.write(text)
            f.flush()
            done = subprocess.run([COUPLET, "verify", "--no-search", f.name], capture_output=True, text=True)
        self.assertEqual(re.findall(r"error\[.*", done.stderr), [])
        self.assertEqual(len(re.findall(r"^  unknown ", done.stdout, re.M)), len(BODIES))


if __name__ == "__main__":
    unittest.main()
