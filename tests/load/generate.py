"""Writes COUNT small files with claims into a folder: proofs that hold and that do not, false claims,
automata, and a few files that are no input at all. The same seed gives the same bytes."""

import os
import random
import sys

LAPLACE = """param eps : real, eps > 0;

mechanism m{k}(private q : real) returns real
  adjacent within(q, {reach})
{{
  a <$ Lap(q, {scale}/eps);
  return a;
}}

claim private m{k} epsilon eps{proof}
"""

def laplace(k, rng):
    reach, scale = rng.randint(1, 9), rng.randint(1, 9)
    proof = " proof {\n  sample a: shift 0;\n}" if rng.random() < 0.6 and reach <= scale else ";"
    verdict = "proved" if reach <= scale else "refuted"
    return "m%04d.dp" % k, LAPLACE.format(k=k, reach=reach, scale=scale, proof=proof), verdict


def automaton(template, k, rng):
    first, second = rng.randint(1, 9), rng.randint(1, 9)
    text = template.replace("1/4", "1/%d" % (first + 3), 1).replace("1/2", "1/%d" % (second + 1), 1)
    return "a%04d.dipa" % k, text, "proved"


def main(folder, count, template_path):
    rng = random.Random(20161)
    with open(template_path, encoding="utf-8") as template_file:
        template = template_file.read()
    expected = []
    for k in range(count):
        make = rng.random()
        if k in (count // 3, count // 2, count - 1):
            name, text, verdict = "b%04d.dp" % k, ["mechanism (", "", "\0\1\2 claim"][k % 3], "error"
        elif make < 0.5:
            name, text, verdict = laplace(k, rng)
        else:
            name, text, verdict = automaton(template, k, rng)
        with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
            out.write(text)
        expected.append("%s %s" % (name, verdict))
    print("\n".join(sorted(expected)))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
