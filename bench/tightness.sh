#!/usr/bin/env bash
# How tight is the bracket [certified lower bound, proved cost] on the example automata? A Markdown table,
# as in docs/automata.md; the private ones of the peer's files, too, when they are there.
#   bench/tightness.sh [BUILD_DIR] [SECONDS]      (seconds to look for each bound, default 5)
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build} seconds=${2:-5}
table() {
  python3 - "$build/couplet" "$seconds" "$@" <<'PY'
import json, subprocess, sys
from fractions import Fraction
couplet, seconds, files = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
print("| automaton | certified lower | cost | lower/cost |\n|---|---|---|---|")
least, count = 1.0, 0
for path in files:
    # the bound of a private automaton gets a tenth of the time for a counterexample
    out = subprocess.run([couplet, "verify", "--no-cache", "--json", "--search", str(10 * seconds), path],
                         capture_output=True, text=True).stdout
    for claim in json.loads(out)["files"][0]["claims"][:1]:
        if claim["verdict"] != "proved":
            continue
        cost, lower = Fraction(claim["cost"]), claim["lower"]
        ratio = float(lower) / float(cost) if lower and cost else None
        if cost:
            least, count = min(least, ratio or 0), count + 1
        print(f'| {path.rsplit("/", 1)[-1]} | {lower or "-"} | {cost} | {f"{ratio:.4f}" if ratio else "-"} |')
print(f"\n{count} with a positive cost; least ratio {least:.4f}")
PY
}
table examples/automata/*.dp
peers=../shared/peers/dipaut
if [ -d "$peers" ]; then echo; table "$peers"/*.dipa; fi
