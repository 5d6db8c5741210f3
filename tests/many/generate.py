#!/usr/bin/env python3
"""Many small files with claims: generate.py COUNT FOLDER. Prints their names.

Every kind of result is among them - proved, refuted, unknown, admitted, several claims, warnings,
files with errors - and none of it depends on a search or on time (verify --no-search)."""
import os
import sys

LAPLACE = """param eps : real, eps > 0;
mechanism m%(i)d(private q : real) returns real
  adjacent within(q, 1)
{
  a <$ Lap(q, %(k)d/eps);
  return a;
}
claim private m%(i)d epsilon %(claimed)s proof {
  %(proof)s
}
"""


def text(i):
    k = i % 7 + 1
    values = {"i": i, "k": k, "claimed": "eps/%d" % k, "proof": "sample a: shift 0;"}
    kind = i % 10
    if kind == 3:
        values["claimed"] = "eps/%d" % (k + 1)  # too little: the proof fails
    if kind == 4:
        values["proof"] = "admit;"
    if kind == 5:
        return "lemma true%d : forall x : real. x + %d > x;\nlemma false%d : %d = 0;\n" % (i, k, i, k)
    if kind == 6:
        return LAPLACE % values + "lemma l%d : %d < %d;\nlemma k%d : 1 < 2;\n" % (i, k, k + 1, i)
    if kind == 7:
        return (LAPLACE % values).replace("return a;", "unused := %d;\n  return a;" % i)
    if kind == 8:
        return (LAPLACE % values).replace("Lap(q", "Lap(r")
    if kind == 9:
        return "lemma l%d : %d * 2 = %d;\n" % (i, i, 2 * i)
    return LAPLACE % values


def main():
    count, folder = int(sys.argv[1]), sys.argv[2]
    for i in range(count):
        name = os.path.join(folder, "claims_%05d.dp" % i)
        with open(name, "w") as out:
            out.write(text(i))
        print(name)


main()
