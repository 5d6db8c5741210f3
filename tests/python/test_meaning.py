"""Functions of which a naive reading would be wrong: traps.txt.

Each is refused with a message that has these words, or does what the function does, with the same noise and inputs.

    python3 test_meaning.py COUPLET
"""

import os
import random
import sys
import textwrap
import unittest

from couplet.translate import TranslationError, translate_text
from scripted import Spent
from test_reader import CLAIM, HEAD, make_case, parse_output, plain, run_couplet, run_python, same, script_entry

COUPLET = sys.argv.pop(1) if __name__ == "__main__" else "couplet"
FOUR = CLAIM % ("4", "4", "")
FALLIBLE = "Data or noise may decide whether this fails."


def traps():
    """(name, words of the refusal or None, what stands before the function, its body)"""
    with open(os.path.join(os.path.dirname(__file__), "traps.txt")) as f:
        for block in f.read().split("\n# ")[1:]:
            title, _, body = block.partition("\n")
            name, _, words = title.partition(": ")
            before, _, body = body.rpartition("---\n")
            yield name, words or None, before, body.strip("\n")


def function_of(body):
    return "def f(xs, zs, a, m, rng):\n" + textwrap.indent(body, "    ") + "\n"


def cases():
    r = random.Random(5)
    made = [make_case(r) for _ in range(8)]
    for case, a in zip(made, (0.0, 1.0, -1.0)):
        case["a"] = a
    return made


class Meaning(unittest.TestCase):
    def compare(self, text, dp):
        given = cases()
        answers, trouble = run_couplet(COUPLET, dp, [script_entry("f", case) for case in given])
        self.assertIsNotNone(answers, trouble)
        compared = 0
        for case, answer in zip(given, answers):
            try:
                expected, drawn = run_python(text, "f", case)
            except Spent:
                continue
            except Exception as error:
                self.assertTrue("error" in answer or FALLIBLE in dp, "%r, but %s" % (error, answer))
                continue
            self.assertIn("output", answer, answer)
            self.assertTrue(same(plain(expected), parse_output(answer["output"])), (expected, answer))
            self.assertEqual(drawn, answer["drawn"])
            compared += 1
        self.assertTrue(compared)

    def test_traps(self):
        count = 0
        for name, words, before, body in traps():
            count += 1
            with self.subTest(name):
                text = function_of(body)
                try:
                    dp = translate_text(HEAD + before + FOUR + text).text
                except TranslationError as error:
                    self.assertIn(words or "nothing is refused", str(error))
                    continue
                self.assertIsNone(words, "it is read, but `%s` was expected" % words)
                self.compare(before + text, dp)
        self.assertGreater(count, 200)


if __name__ == "__main__":
    unittest.main()
