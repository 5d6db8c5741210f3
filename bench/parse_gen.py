#!/usr/bin/env python3
"""parse_gen.py MEGABYTES: a .dp file of that size on stdout, the same one every time.

Realistic mechanisms with loops, sampling, procedures, claims, automata, instances, comments and
doc comments; no two are equal. Everything in it passes the checker.
"""
import random
import sys

HEADER = "param eps : real, eps > 0;\nparam n : int, n >= 1;\n"

MECHANISM = """
/// Mechanism number {i}: reports the first query above a threshold.
/// Scales are {a} and {b} over eps.
mechanism above_{i}(private q : real[n], public T : real) returns int
  adjacent all_within(q, 1)
  requires T > {c} - {a} and T <= {b} * {c}
{{
  t <$ Lap(T, {a}/eps); // the noisy threshold
  count := 0;
  for i in 0..n {{
    s <$ Lap(q[i] + {c}.{b}, {b}/eps);
    if s >= t and not (s = {c}) {{
      count := count + 1;
    }} else if s < t - {a} * ({c} + 1) ^ 2 {{
      count := if count > 0 then count - 1 else 0;
    }} else {{
      /* between the two
         thresholds */
      skip;
    }}
    if count >= {a} {{ return i; }}
  }}
  return n;
}}
claim private above_{i} epsilon {a} * eps;
claim bound_{i} : private above_{i} epsilon ? delta 1e-{a} under one_differs(q, {b});
"""

LEMMAS = """
let weight_{i}(x, y : real) : real = max(x, y) * {a} + min(x - y, {c}.25) / {b};
lemma order_{i} : forall x, y : real, k in 0..{c}. x <= y <= x + 1 -> weight_{i}(x, x) <= weight_{i}(y, y) + {a};
procedure top_{i}(a : real[n]) : int {{
  best := 0;
  for i in 1..n {{ if a[i] > a[best] {{ best := i; }} }}
  return best;
}}
"""

AUTOMATON = """
automaton svt_{i} {{
  noise shared;
  var x, y;
  start q0;
  state q0 noninput d {a}/8 mean 0;
  state q1 input d {b}/4 mean {c} prime d 1/2 mean 0;
  state q2 final;
  q0 -> q1 output ready assign x, y;
  q1 -> q1 when insample < x output below;
  q1 -> q2 when insample >= x and insample >= y output insample';
}}
"""

INSTANCE = """
instance small_{i} {{
  param eps = 1/{a};
  param n = {c};
  input q = [{items}];
  input T = {b};
}}
"""


def main():
    size = int(float(sys.argv[1]) * 1_000_000)
    rng = random.Random(7)
    written = sys.stdout.write(HEADER)
    i = 0
    while written < size:
        i += 1
        c = rng.randint(3, 9)
        values = {"i": i, "a": rng.randint(1, 9), "b": rng.randint(1, 9), "c": c}
        values["items"] = ", ".join(str(rng.randint(-50, 50)) for _ in range(c))
        template = rng.choice([MECHANISM, MECHANISM, MECHANISM, LEMMAS, AUTOMATON, INSTANCE])
        written += sys.stdout.write(template.format(**values))


main()
