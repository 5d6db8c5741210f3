#!/usr/bin/env bash
# couplet audit: what verdicts rest on, the same facts as text and as JSON.
# ctest-label: release
set -euo pipefail
couplet=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat > "$dir/lib.dp" <<'DP'
type Db;
op size(d : Db) : int;
axiom at_home: forall d : Db. size(d) >= 0;
DP
cat > "$dir/all.dp" <<'DP'
include "lib.dp";
param eps, c : real, eps > 0, c >= 1;
adversary ask(last : int) : int;

mechanism shifted(private x : real, T : real) returns real
  adjacent within(x, 2)
  requires T >= 0
{
  s <$ Lap(x, 1/eps);
  return s + T;
}

mechanism open(private d : Db) returns int
  adjacent size(d<1>) = size(d<2>)
{
  return declassify(size(d));
}

claim holds: private shifted epsilon eps under within(x, 1) proof {
  sample s: shift 0;
}
claim given_up: private shifted epsilon eps proof { admit; }
lemma small: 1 <= c;
DP
set +e
"$couplet" audit --json --search 1 "$dir/all.dp" > "$dir/json"; json_status=$?
"$couplet" audit --search 1 "$dir/all.dp" > "$dir/text"; text_status=$?
"$couplet" audit > /dev/null 2>&1; no_file=$?
echo 'mechanism (' > "$dir/bad.dp"
"$couplet" audit "$dir/bad.dp" > "$dir/bad.out" 2>&1; bad=$?
"$couplet" audit examples/automata/svt.dipa > "$dir/dipa"; dipa=$?
set -e
[ "$json_status $text_status $no_file $bad $dipa" = "30 30 1 2 0" ] || { echo "statuses: $json_status $text_status $no_file $bad $dipa"; exit 1; }
grep -q 'not judged' "$dir/bad.out"
grep -q 'strategy checker accepted' "$dir/dipa"
grep -q 'adjacency .* each input differs by at most 1' "$dir/dipa"
second=0
if command -v cvc5 >/dev/null; then
  second=1
  "$couplet" audit --cross-check --json examples/proofs/above_threshold.dp > "$dir/second.json"
  "$couplet" audit --cross-check examples/proofs/above_threshold.dp > "$dir/second.text"
else
  echo "no cvc5: confirmation was not tested"
fi
python3 - "$dir" "$second" <<'PY'
import json, re, sys
dir, second = sys.argv[1], sys.argv[2] == "1"
run = json.load(open(dir + "/json"))
text = open(dir + "/text").read()
file = run["files"][0]
basis = file["basis"]
assert [c["verdict"] for c in file["claims"]] == ["proved", "admitted", "proved"], file["claims"]
assert [(p["name"], p["type"]) for p in basis["parameters"]] == [("eps", "real"), ("c", "real")], basis
assert basis["parameters"][1]["assumptions"] == ["eps > 0", "c >= 1"]
assert [a["name"] for a in basis["axioms"]] == ["at_home"] and basis["axioms"][0]["location"]["file"].endswith("lib.dp")
assert [a["signature"] for a in basis["abstract"]] == ["type Db", "op size(d : Db) : int", "adversary ask(last : int) : int"]
assert [(a["claim"], a["location"]["line"]) for a in basis["admits"]] == [("given_up", 22)], basis["admits"]
assert [d["location"]["line"] for d in basis["declassified"]] == [16]
assert [c["adjacency"] for c in basis["claims"]] == ["within(x, 1)", "within(x, 2)", None]
assert [c["under"] for c in basis["claims"]] == [True, False, False]
assert basis["claims"][0]["requires"] == ["T >= 0"]
assert run["tools"]["z3"] and run["tools"]["couplet"] and len(file["source_digest"]) == 64
obligations = file["claims"][0]["detail"]["obligation_list"]
assert obligations and all(o["proved"] and o["method"] and not o["believed"] for o in obligations)
# the text says the same
words = " ".join(text.split())
for fact in ("c : real with eps > 0, c >= 1", "at_home: forall d : Db. size(d) >= 0", "lib.dp:3", "op size(d : Db) : int", "admits in the proof of given_up (line 22)",
             "private data let out without noise (line 16)", "adjacency within(x, 1) (stated by the claim)", "requires T >= 0", "checked by NOTHING",
             f"z3 {run['tools']['z3']}", f"obligations {len(obligations)}, {len(obligations)} accepted", "by the referee"):
    assert fact in words, f"not in the text: {fact}\n{text}"
listed = sum(int(m) for m in re.findall(r"^ +(\d+) +\d+\.\d\d s  line ", text, re.M))
assert listed == sum(len(c["detail"].get("obligation_list", [])) for c in file["claims"] if c["detail"]), (listed, text)
if second:
    cross = json.load(open(dir + "/second.json"))["files"][0]["claims"][0]["detail"]["cross_check"]
    assert cross["answers"] and cross["confirmed"] == cross["answers"], cross
    assert f"{cross['confirmed']} of the solver's {cross['answers']} answers confirmed by cvc5" in open(dir + "/second.text").read()
print("audit: fine")
PY
