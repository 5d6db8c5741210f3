#!/usr/bin/env python3
"""Many small files with claims: generate.py COUNT FOLDER. Prints their names.

Every kind of result is among them - proved, refuted, unknown, admitted, several claims, warnings,
files with errors."""
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


AUTOMATON = """automaton a%(i)d {
  var x;
  start first;
  state first noninput d 1/%(k)d;
  state query input d 1/%(l)d;
  state done final;

  first -> query output begin assign x;
  query -> query when insample < x output below;
  query -> %(end)s when insample >= x output above;
}
claim private a%(i)d epsilon %(claimed)s*eps;
"""


def automaton(i):
    """Sparse vector with rates 1/k and 1/l costs 1/k + 2/l, and nothing less."""
    k, l = i % 7 + 1, i % 11 + 1
    values = {"i": i, "k": k, "l": l, "claimed": "(%d/%d)" % (l + 2 * k, k * l), "end": "done"}
    if i % 20 == 11:
        values["claimed"] = "(%d/%d)" % (l + 2 * k, 2 * k * l)
    if i % 20 == 12:
        values["end"] = "nowhere"
    if i % 20 == 13:
        return AUTOMATON % values + automaton(i + 1).replace("a%d" % (i + 1), "b%d" % i)
    return AUTOMATON % values


def program(i):
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


def text(i):
    """Automata are judged in milliseconds; programs take longer and are fewer."""
    return program(i) if i < 10 or i % 100 >= 97 else automaton(i)


def main():
    count, folder = int(sys.argv[1]), sys.argv[2]
    for i in range(count):
        name = os.path.join(folder, "claims_%05d.dp" % i)
        with open(name, "w") as out:
            out.write(text(i))
        print(name)


main()
