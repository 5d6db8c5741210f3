#!/usr/bin/env python3
"""m-Range: gen_m_range.py M [--dipa]

An automaton with 2M thresholds that checks query after query against M ranges in turn, round and
round, until one is outside (Bhusal, Chadha, Sistla, Viswanathan, CCS 2023). Each threshold has
d = 1/(4M), queries have d = 1/4; the cost is 1 for every M. Prints a .dp file, or the peer's format.
"""
import sys


def edges(m, i):
    """The transitions of query state i (from 1), as (guard, output, target state or None)."""
    low, high = f"l{i}", f"r{i}"
    return [
        ([(">=", low), ("<", high)], "inside", i % m + 1),
        ([("<", low), ("<", high)], "below", None),
        ([(">=", low), (">=", high)], "above", None),
    ]


def as_dp(m):
    names = [n for i in range(1, m + 1) for n in (f"l{i}", f"r{i}")]
    print(f"""/// m-Range for m = {m}: queries are checked against {m} ranges in turn, round and round, until one is
/// outside. Made by bench/gen_m_range.py.
/// Source: Bhusal, Chadha, Sistla, Viswanathan, Differential Privacy of Online Algorithms with
/// Multiple Variables, CCS 2023.
/// Cost: eps (the {2 * m} thresholds 1/2 together, leaving a range 2 * 1/4).
automaton m_range {{""")
    for n in names:
        print(f"  var {n};")
    print("  start t1;")
    for k in range(2 * m):
        print(f"  state t{k + 1} noninput d 1/{4 * m} mean {k};")
    for i in range(1, m + 1):
        print(f"  state q{i} input d 1/4;")
    print("  state done final;\n")
    for k, n in enumerate(names):
        target = f"t{k + 2}" if k + 1 < 2 * m else "q1"
        print(f"  t{k + 1} -> {target} output begin assign {n};")
    for i in range(1, m + 1):
        for guard, output, target in edges(m, i):
            text = " and ".join(f"insample {op} {var}" for op, var in guard)
            print(f"  q{i} -> {f'q{target}' if target else 'done'} when {text} output {output};")
    print("}\n\nclaim private m_range epsilon eps;")


def as_dipa(m):
    names = [n for i in range(1, m + 1) for n in (f"l{i}", f"r{i}")]
    for k, n in enumerate(names):
        print(f"(q{k + 1}:non-input, 1/{4 * m}, {k}): {n}:= insample; output begin; goto q{k + 2}")
    end = 3 * m + 1
    for i in range(1, m + 1):
        parts = []
        for guard, output, target in edges(m, i):
            text = " && ".join(f"insample {op} {var}" for op, var in guard)
            goto = 2 * m + target if target else end
            parts.append(f"if ({text}) then output {output}; goto q{goto}")
        print(f"(q{2 * m + i}, 1/4, 0): " + " else".join(parts))


def main():
    words = [w for w in sys.argv[1:] if w != "--dipa"]
    if len(words) != 1 or not words[0].isdigit() or int(words[0]) < 1:
        sys.exit(__doc__)
    (as_dipa if "--dipa" in sys.argv else as_dp)(int(words[0]))


main()
