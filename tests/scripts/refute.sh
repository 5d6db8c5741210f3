#!/usr/bin/env bash
# Every claim in examples/incorrect is refuted with a counterexample that says what it must, and a certificate of it.
# ctest-label: release
set -euo pipefail
couplet=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
for file in examples/incorrect/*.dp; do
  bash tests/lib/certify.sh "$couplet" "$dir" "$file" --timeout 300 --search 200 || failed=1
  python3 - "$file" "$dir/$(tr / _ <<<"$file").json" <<'EOF' || failed=1
import json, math, sys
record = json.load(open(sys.argv[2]))
for claim in record["files"][0]["claims"]:
    assert claim["verdict"] == "refuted", claim
    ce = claim["counterexample"]
    low1 = float(ce["probabilities"][0]["low"])
    if claim.get("notion") == "accuracy": # one run, which fails too often
        assert low1 > float(ce["epsilon"]["high"]) and ce["outputs"] == ["false"], ce
        assert all(a == b for a, b in ce["inputs"].values()), ce
        continue
    if claim.get("notion") == "samples": # one run, and another probability than the claim says
        a, b = ce["probabilities"]
        assert float(a["high"]) < float(b["low"]) or float(b["high"]) < float(a["low"]), ce
        assert all(x == y for x, y in ce["inputs"].values()) and len(ce["outputs"]) == 1, ce
        continue
    high2 = float(ce["probabilities"][1]["high"])
    bound = math.exp(float(ce["epsilon"]["high"])) * high2 + float(ce["delta"]["high"])
    assert low1 > bound, (sys.argv[1], low1, bound)
    differing = [name for name, (a, b) in ce["inputs"].items() if a != b]
    assert differing and ce["outputs"], ce
EOF
done
# some of them again, two at a time: nothing may depend on time (see also twice.sh)
again=(examples/incorrect/*.dp)
awk "BEGIN { exit !(${COUPLET_TEST_SCALE:-0} >= 1) }" || again=(examples/incorrect/s*.dp)
"$couplet" verify --json --jobs 2 --timeout 300 --search 200 "${again[@]}" >"$dir/again" 2>/dev/null || true
mkdir "$dir/first"
for file in "${again[@]}"; do cp "$dir/$(tr / _ <<<"$file").json" "$dir/first"; done
python3 tests/lib/same_records.py "$dir/first" "$dir/again" || failed=1
exit $failed
