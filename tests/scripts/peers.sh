#!/usr/bin/env bash
# The automata of a peer tool, when they are there: verdict and exact cost as expected, and never
# more than the peer's own weight.
# ctest-label: release
set -euo pipefail
couplet=$1
peers=../shared/peers/dipaut
[ -f "$peers/expected.tsv" ] || { echo "SKIPPED: $peers is not there"; exit 77; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$couplet" verify --json --timeout 600 --search 100 "$peers"/*.dipa > "$log" 2>/dev/null || true
python3 - "$peers/expected.tsv" "$log" <<'EOF'
import csv, json, os, sys
from fractions import Fraction

record = {os.path.basename(f["file"]): f for f in json.load(open(sys.argv[2]))["files"]}
failed = checked = 0
for row in csv.DictReader(open(sys.argv[1]), delimiter="\t"):
    name, expected, cost = row["file"], row["expected"], row["exact shift cost d"]
    weight = row["peer weight"]
    claim = record[name]["claims"][0]
    problems = []
    if expected == "private":
        if claim["verdict"] != "proved":
            problems.append("not proved")
        else:
            actual = Fraction(claim["cost"])
            if cost.startswith("<="):
                if actual > Fraction(cost[2:].strip()):
                    problems.append(f"cost {actual} is not {cost}")
            elif actual != Fraction(cost):
                problems.append(f"cost {actual} is not {cost}")
            if weight != "-" and actual > Fraction(weight):
                problems.append(f"cost {actual} is above the peer's {weight}")
    elif expected == "not private":
        if claim["verdict"] != "refuted":
            problems.append(f"{claim['verdict']}: {claim['reason']}")
    elif claim["verdict"] == "proved":
        problems.append("proved")
    checked += 1
    if problems:
        failed += 1
        print(f"FAIL {name}: {'; '.join(problems)}")
print(f"{checked - failed} of {checked} as expected")
sys.exit(1 if failed or not checked else 0)
EOF
