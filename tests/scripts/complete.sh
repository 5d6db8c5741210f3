#!/usr/bin/env bash
# Proof blocks with steps missing: what verify, explain and --emit-proof show of the completion, and that given steps bind.
# ctest-label: release
# ctest-cost: 36
set -euo pipefail
couplet=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export COUPLET_CACHE=off
failed=0
fail() { echo "FAIL: $*"; failed=1; }
# name, status, claim: verifies above_threshold with that claim; output without line breaks in "$out"
check() {
  sed '/^claim/,$d' examples/proofs/above_threshold.dp >"$dir/$1.dp"
  echo "$3" >>"$dir/$1.dp"
  set +e
  out=$("$couplet" verify "${@:4}" "$dir/$1.dp" 2>&1); status=$?
  set -e
  out=$(tr '\n' ' ' <<<"$out" | tr -s ' ')
  [ "$status" = "$2" ] || fail "$1: exit $status: $out"
}
says() { grep -qF -- "$1" <<<"$out" || fail "expected '$1' in: $out"; }
says_not() { ! grep -qF -- "$1" <<<"$out" || fail "unexpected '$1' in: $out"; }

check partial 0 'claim private above_threshold epsilon eps proof {
  // only a hit pays
  loop {
    sample s: when s >= t shift 1 within 2 else null;
  }
}' --emit-proof "$dir/out"
says "the proof was completed by 3 steps"
for step in '// only a hit pays' 'sample s: when s >= t shift 1 within 2 else null;' 'invariant t<2> = t<1> + 1;' 'sample t: shift 1'; do
  grep -qF "$step" "$dir/out/partial.dp" || fail "what is emitted has no '$step'"
done
"$couplet" verify --no-search "$dir/out/partial.dp" >/dev/null || fail "what is emitted is no proof by itself"
"$couplet" fmt --check "$dir/out/partial.dp" >/dev/null || fail "what is emitted is not formatted"
out=$("$couplet" explain "$dir/partial.dp" | tr '\n' ' ' | tr -s ' ')
says "The proof, completed: { // only a hit pays loop { invariant t<2> = t<1> + 1;"
says "Where eps goes: eps/2 for the sampling"
out=$("$couplet" audit "$dir/partial.dp" 2>/dev/null)
says "given in the source, completed by search"
"$couplet" verify --json "$dir/partial.dp" | python3 -c '
import json, sys
search = json.load(sys.stdin)["files"][0]["claims"][0]["detail"]["search"]
assert any(s.startswith("invariant ") for s in search["completed"]), search' || fail "JSON"

"$couplet" verify --certificate "$dir/cert" "$dir/partial.dp" >/dev/null && "$couplet" check "$dir/cert" "$dir/partial.dp" >/dev/null ||
  fail "the certificate of a completed proof"

# a complete proof is what it was
check complete 0 'claim private above_threshold epsilon eps proof {
  sample t: shift 1;
  loop {
    invariant t<2> = t<1> + 1;
    budget if returned then 0 else eps/2;
    sample s: when s >= t shift 1 within 2 else null;
  }
}' --emit-proof "$dir/none"
says_not "completed"
[ ! -e "$dir/none/complete.dp" ] || fail "a complete proof needs nothing emitted"

# nothing is completed without a search, nor admitted away
check without 20 'claim private above_threshold epsilon eps proof { sample t: shift 1; }' --no-search
says_not "completed"
check admitted 30 'claim private above_threshold epsilon eps proof { admit; }'
says_not "completed"

# wrong steps bind; it is said that the search does better without them
check wrong_shift 20 'claim private above_threshold epsilon eps proof { sample t: shift 2; }' --search 1
says "the proof fails: "
says "it could not be completed ("
says "the given steps were kept"
says "without the proof block the search proves the claim (cost eps)"
check small_cost 20 'claim private above_threshold epsilon eps proof {
  loop { sample s: when s >= t shift 1 within 1 else null; }
}' --search 1
says "no proof of: abs(q<1>[i<1>] - q<2>[i<2>] + 1) <= 1"
says "it could not be completed"
# steps are for both directions unless the block says otherwise
for backward in '' 'backward { }'; do
  sed '/^claim/,$d' examples/proofs/svt_monotone_increase.dp >"$dir/way.dp"
  echo "claim private svt_monotone_increase epsilon eps proof { sample t: shift 1; $backward }" >>"$dir/way.dp"
  out=$("$couplet" verify --search 2 "$dir/way.dp" 2>&1 | tr '\n' ' ' | tr -s ' ' || true)
  if [ -n "$backward" ]; then says "the proof was completed by"; else says 'add `backward { }` to the block'; fi
done
# a false claim is refuted whatever its block says, and a step that makes no sense is an error of the text
check false_claim 10 'claim private above_threshold epsilon eps/2 proof { sample t: shift 1; }'
check nonsense 20 'claim private above_threshold epsilon eps proof { loop { invariant tt<2> = 1; } }' --search 0.2
says "tt"
says_not "could not be completed"

# the theorems with (eps, delta), by a few lines each: lines of steps in the block (braces of loops included) and the verdict
limit() { case $1 in ptr | ptr_discrete) echo 1 ;; snap) echo 2 ;; asv_bt_nested) echo 12 ;; *) echo 4 ;; esac }
for file in examples/hints/*.dp; do
  name=$(basename "$file" .dp)
  lines=$(sed -n '/^claim .* proof {$/,/^}$/p' "$file" | sed '1d;$d' | grep -c '[^ ]')
  [ "$lines" -le "$(limit "$name")" ] || fail "$name: $lines lines of hints"
done
hints=(examples/hints/*.dp)
# two of them are proved with nothing given in correct.sh
awk "BEGIN { exit !(${COUPLET_TEST_SCALE:-1} >= 1) }" || hints=(examples/hints/{asv_bt_nested,ptr,ptr_discrete,snap}.dp)
"$couplet" verify --json --timeout 300 --search 30 "${hints[@]}" >"$dir/hints.json" || fail "examples/hints: exit $?"
python3 - "$dir/hints.json" <<'END' || failed=1
import json, sys
files = json.load(open(sys.argv[1]))["files"]
assert len(files) >= 4
for file in files:
    for claim in file["claims"]:
        added = claim["detail"].get("search", {}).get("completed", [])
        print(file["file"], claim["verdict"], len(added), "steps added")
        assert claim["verdict"] == "proved", claim
        assert claim["cost"] == claim["epsilon"]
END
exit $failed
