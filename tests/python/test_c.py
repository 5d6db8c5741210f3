"""C files: what C means and a naive reading does not, is refused or read so."""

import unittest

from couplet.reader.base import Refusal
from couplet.reader.cfile import c_module

HEAD = """float f(float q[], int size, float epsilon) {
  "TYPES: epsilon: <0, 0>; size: <0, 0>; q: <*, *>";
  "PRECONDITION: ALL_DIFFER; ASSUME(size > 0)";
"""
REFUSED = {  # what the function does, words of the message
    "a macro": ("}\n#define Lap(x) 0\nfloat g(float q[]) { return 0; ", "this cannot be read"),
    "a condition of the preprocessor": ("#if 0\n  return 1;\n#endif\n  return 0;", "this cannot be read"),
    "an include that goes on": ("#include <math.h> \\\n  return 1;\n  return 0;", "this cannot be read"),
    "another variable in a block": ("float t = q[0]; if (size > 2) { float t = 0; } return t + Lap(1);", "another variable"),
    "another variable in a loop": ("int i = 7; for (int i = 0; i < size; i++) { } return i;", "another variable"),
    "an argument declared again": ("if (size > 1) { int size = 0; } return size;", "another variable"),
    "base 8": ("return 010;", "base 8"),
    "round": ("return round(q[0]);", "not known"),
    "a function of Python": ("return sum(q);", "not known"),
    "division of ints": ("return size / 2;", "C rounds"),
    "remainder": ("int t = 0 - size; return t % 3;", "C's remainder"),
    "continue": ("for (int i = 0; i < size; i++) { if (i > 1) { continue; } } return 0;", "cannot be read"),
}
READ = {
    "two loops": ("float t = 0; for (int i = 0; i < size; i++) { t += q[i]; } for (int i = 0; i < size; i++) { t -= q[i]; } return t;", "t - q[i]"),
    "truth values are numbers": ("int t = (q[0] > 0) + (q[1] > 0); return t;", "(if q[0] > 0 then 1 else 0) + (if q[1] > 0 then 1 else 0)"),
    "a flag": ("int t = 0; t = q[0] > 0; return t;", "if q[0] > 0 then 1 else 0"),
    "an include": ("\n  #  include <math.h>\n  return fabs(q[0]);", "abs(q[0])"),
}


def translation(body):
    return c_module("#include <stdio.h>\n" + HEAD + body + "\n}\n", "f.c", ()).translate()[0]


class C(unittest.TestCase):
    def test_refused(self):
        for name, (body, words) in REFUSED.items():
            with self.subTest(name):
                with self.assertRaises(Exception) as caught:
                    translation(body)
                errors = getattr(caught.exception, "errors", [caught.exception])
                self.assertIsInstance(errors[0], Refusal)
                self.assertIn(words, errors[0].message)

    def test_read(self):
        for name, (body, words) in READ.items():
            with self.subTest(name):
                self.assertIn(words, translation(body))


if __name__ == "__main__":
    unittest.main()
