#!/usr/bin/env bash
# Programs that say the same in other words get the same verdict and the same least cost as the original.
# A mechanism NAME_STYLE is a rewriting of NAME; there are at least 15 of each.
# ctest-label: release
set -euo pipefail
couplet=$1
"$couplet" fmt --check tests/rewritings/*.dp || { echo "FAIL: these files are not formatted"; exit 1; }
set +e
"$couplet" verify --json --jobs 2 --timeout 120 examples/correct/{svt,noisy_max,smart_sum}.dp tests/rewritings/*.dp |
  python3 -c '
import collections, fractions, json, os, re, sys

EXPECTED = {"svt": "eps", "noisy_max": "eps", "smart_sum": "2*eps"}

def value(cost, point):
    """The cost at a point; integers become fractions so that / is exact."""
    text = re.sub(r"\b\d+\b", lambda m: f"F({m.group()})", cost)
    return eval(text, {"F": fractions.Fraction, **point})

def same(a, b):
    F = fractions.Fraction
    points = [{"eps": F(e), "n": F(n), "N": F(k), "M": F(m)} for e, n, k, m in ((1, 5, 1, 2), (F(1, 3), 7, 4, 3), (2, 11, 9, 5))]
    return all(value(a, p) == value(b, p) for p in points)

failed, seen = 0, collections.Counter()
for file in json.load(sys.stdin)["files"]:
    for claim in file["claims"]:
        subject = next(name for name in EXPECTED if claim["subject"].startswith(name))
        least = claim["epsilon"] == "?"
        seen[subject] += least
        if claim["verdict"] != "proved":
            failed += 1
            print("FAIL", file["file"], claim["name"], claim["verdict"], claim["reason"])
        elif least and not same(claim["cost"], EXPECTED[subject]):
            failed += 1
            print("FAIL", file["file"], "costs", claim["cost"], "not", EXPECTED[subject])
for subject in EXPECTED:
    if seen[subject] < 15:
        failed += 1
        print("FAIL only", seen[subject], "rewritings of", subject)
sys.exit(1 if failed else 0)'
