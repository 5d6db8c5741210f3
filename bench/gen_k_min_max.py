#!/usr/bin/env python3
"""k-Min-Max: gen_k_min_max.py K [--dipa]

An automaton that reads K queries and keeps the least and the largest, then checks that all further
queries lie between them (Bhusal, Chadha, Sistla, Viswanathan, CCS 2023). Reads have d = 1/(4K),
checks have d = 1/4; the cost is at most 1. Prints a .dp file, or the peer's format.
"""
import sys

INSIDE = [(">=", "least"), ("<", "most")]
BELOW = [("<", "least"), ("<", "most")]
ABOVE = [(">=", "least"), (">=", "most")]


def states(k):
    """(number from 1, d, [(guard, assigned, output, target)]); target k+2 is the end."""
    yield 1, f"1/{4 * k}", [([], ["least", "most"], "begin", 2)]
    for i in range(2, k + 1):
        yield i, f"1/{4 * k}", [
            (INSIDE, [], "inside", i + 1),
            (BELOW, ["least"], "below", i + 1),
            (ABOVE, ["most"], "above", i + 1),
        ]
    yield k + 1, "1/4", [
        (INSIDE, [], "inside", k + 1),
        (BELOW, [], "below", k + 2),
        (ABOVE, [], "above", k + 2),
    ]


def as_dp(k):
    print(f"""/// k-Min-Max for k = {k}: the least and the largest of {k} queries are kept, then queries are checked to
/// lie between them until one does not. Made by bench/gen_k_min_max.py.
/// Source: Bhusal, Chadha, Sistla, Viswanathan, Differential Privacy of Online Algorithms with
/// Multiple Variables, CCS 2023.
/// Cost: at most eps ({k} reads at 2/{4 * k}, the last query 2 * 1/4).
automaton k_min_max {{
  var least, most;
  start q1;""")
    for i, d, _ in states(k):
        print(f"  state q{i} input d {d};")
    print("  state done final;\n")
    for i, _, rules in states(k):
        for guard, assigned, output, target in rules:
            when = " when " + " and ".join(f"insample {op} {v}" for op, v in guard) if guard else ""
            keep = " assign " + ", ".join(assigned) if assigned else ""
            goto = "done" if target == k + 2 else f"q{target}"
            print(f"  q{i} -> {goto}{when} output {output}{keep};")
    print("}\n\nclaim private k_min_max epsilon eps;")


def as_dipa(k):
    for i, d, rules in states(k):
        parts = []
        for guard, assigned, output, target in rules:
            when = "if (" + " && ".join(f"insample {op} {v}" for op, v in guard) + ") then " if guard else ""
            keep = ", ".join(f"{v}:= insample" for v in assigned) + "; " if assigned else ""
            parts.append(f"{when}{keep}output {output}; goto q{target}")
        print(f"(q{i}, {d}, 0): " + " else".join(parts))


def main():
    words = [w for w in sys.argv[1:] if w != "--dipa"]
    if len(words) != 1 or not words[0].isdigit() or int(words[0]) < 1:
        sys.exit(__doc__)
    (as_dipa if "--dipa" in sys.argv else as_dp)(int(words[0]))


main()
