#!/usr/bin/env bash
# `verify --sarif` writes logs that the OASIS schema accepts, with places and stable fingerprints.
# tests/scripts/schema/sarif-2.1.0.json is the published schema of SARIF 2.1.0 (errata 01).
# ctest-label: release
set -euo pipefail
couplet=$1
python3 -c 'import jsonschema' 2>/dev/null || { echo "SKIPPED: python3-jsonschema is not installed"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAIL: $*"; failed=1; }

cp examples/incorrect/noisy_max_1.dp "$dir/odd name #1.dp"
files=(examples/proofs/laplace.dp examples/incorrect/noisy_max_1.dp examples/automata/not_private_sort.dp
       tests/regress/proofs/admit.dp tests/unit/report/data/unknown.dp tests/unit/report/data/errors.dp
       "$dir/odd name #1.dp" "$dir/missing.dp")
set +e
"$couplet" verify --no-cache --search 2 "${files[@]}" >"$dir/plain.txt" 2>/dev/null; plain=$?
"$couplet" verify --no-cache --search 2 --sarif "$dir/log.sarif" "${files[@]}" >"$dir/text.txt" 2>/dev/null; status=$?
set -e
[ "$plain" = "$status" ] || fail "--sarif changes the exit status: $plain, $status"
python3 - "$dir/log.sarif" "$status" <<'PYTHON' || failed=1
import json, sys
import jsonschema
log = json.load(open(sys.argv[1]))
validator = jsonschema.Draft7Validator(json.load(open("tests/scripts/schema/sarif-2.1.0.json")))
for error in validator.iter_errors(log):
    print("FAIL:", "/".join(map(str, error.path)), error.message[:200]); sys.exit(1)
# the validator is not asleep
for breaking in ({"version": "2.0.0"}, {"runs": [{}]}, {"extra": 1}):
    assert list(validator.iter_errors({**log, **breaking})), breaking
run = log["runs"][0]
rules = [r["id"] for r in run["tool"]["driver"]["rules"]]
levels = {}
for r in run["results"]:
    assert rules[r["ruleIndex"]] == r["ruleId"]
    place = r["locations"][0]["physicalLocation"]["artifactLocation"]
    assert run["artifacts"][place["index"]]["location"]["uri"] == place["uri"]
    levels.setdefault(r["ruleId"], set()).add(r["level"])
assert levels["claim-refuted"] == {"error"} and levels["claim-unknown"] == {"warning"}, levels
assert levels["claim-admitted"] == {"warning"} and levels["unknown-name"] == {"error"}, levels
assert levels["unused-variable"] == {"warning"} and levels["unreadable-file"] == {"error"}, levels
refuted = [r for r in run["results"] if r["ruleId"] == "claim-refuted" and "noisy_max_1.dp" in json.dumps(r["locations"])]
assert refuted[0]["locations"][0]["physicalLocation"]["region"]["startLine"] == 25, refuted[0]["locations"]
assert "in the first run" in refuted[0]["message"]["text"]
assert any(a["location"]["uri"].endswith("/odd%20name%20%231.dp") and a["location"]["uri"].startswith("file:///") for a in run["artifacts"])
assert run["invocations"][0]["exitCode"] == int(sys.argv[2])
assert {c["verdict"] for c in run["properties"]["claims"]} == {"proved", "refuted", "unknown", "admitted"}
prints = [r["partialFingerprints"]["couplet/v1"] for r in run["results"]]
assert len(set(prints)) == len(prints), "two results have one fingerprint"
print(len(run["results"]), "results,", len(rules), "rules")
PYTHON

# The fingerprint survives a line that moves, not a change of the claim.
print_of() { python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["runs"][0]["results"][0]["partialFingerprints"]["couplet/v1"])' "$1"; }
log_of() { (cd "$dir" && "$couplet" verify --no-cache --sarif "$1" m.dp >/dev/null 2>&1) || true; }
couplet=$(realpath "$couplet")
cp examples/incorrect/noisy_max_1.dp "$dir/m.dp"; log_of a.sarif
{ echo; echo; cat examples/incorrect/noisy_max_1.dp; } >"$dir/m.dp"; log_of b.sarif
sed 's/epsilon eps;/epsilon eps\/2;/' examples/incorrect/noisy_max_1.dp >"$dir/m.dp"; log_of c.sarif
[ "$(print_of "$dir/a.sarif")" = "$(print_of "$dir/b.sarif")" ] || fail "the fingerprint depends on the line"
[ "$(print_of "$dir/a.sarif")" != "$(print_of "$dir/c.sarif")" ] || fail "the fingerprint does not depend on the claim"

# A log that cannot be written is an error, and leaves nothing behind.
set +e; "$couplet" verify --no-cache --sarif "$dir/none/x.sarif" examples/proofs/laplace.dp >/dev/null 2>"$dir/err"; status=$?; set -e
[ "$status" = 3 ] && grep -q 'none/x.sarif' "$dir/err" || fail "an unwritable log: status $status"
exit $failed
