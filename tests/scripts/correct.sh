#!/usr/bin/env bash
# The mechanisms of examples/correct and examples/gaussian have no proof in the file: it is found, at the claimed cost, in one run with nothing given.
# Those that are still open are listed; none may be refuted, and one that is proved by now should leave the list. Proofs that are emitted are proofs.
# ctest-label: release
set -euo pipefail
couplet=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
open=" asv_bt_nested " # no proof is found
files=() rest=()
for file in examples/correct/*.dp examples/gaussian/*.dp; do
  name=$(basename "$file" .dp)
  case $open in *" $name "*) rest+=("$file") ;; *) files+=("$file") ;; esac
done
set +e
"$couplet" verify --json --jobs 2 --search 5 "${files[@]}" >"$dir/found.json" 2>"$dir/log"; found=$?
# the same again, in another order of things: nothing may depend on time
"$couplet" verify --json --jobs 1 "${files[@]}" >"$dir/again.json" 2>>"$dir/log"
"$couplet" verify --json --jobs 2 --search 0.3 "${rest[@]}" >"$dir/open.json" 2>>"$dir/log"; left=$?
set -e
failed=0
[ "$found" = 0 ] || { echo "FAIL: exit $found"; cat "$dir/log"; failed=1; }
[ "$left" = 20 ] || [ "$left" = 0 ] || { echo "FAIL: the open ones: exit $left"; failed=1; }
python3 - "$dir/found.json" "$dir/open.json" <<'END' || failed=1
import json, sys
bad = 0
for path, wanted in ((sys.argv[1], "proved"), (sys.argv[2], "unknown")):
    for file in json.load(open(path))["files"]:
        for claim in file["claims"]:
            if wanted == "unknown" and claim["verdict"] == "proved":
                print(file["file"], "is proved: take it out of the list")
            elif claim["verdict"] != wanted:
                print("FAIL", file["file"], claim["name"], "is", claim["verdict"], "not", wanted, claim["reason"])
                bad = 1
            elif wanted == "proved" and (claim["cost"] != claim["epsilon"] or not claim["detail"]["proof"].startswith("{")):
                print("FAIL", file["file"], claim["cost"], claim["detail"])
                bad = 1
            elif wanted == "unknown" and not claim["reason"]:
                print("FAIL", file["file"], "does not say why")
                bad = 1
sys.exit(bad)
END
python3 tests/lib/same_records.py "$dir/found.json" "$dir/again.json" || failed=1
# what is emitted stands on its own
"$couplet" verify --emit-proof "$dir/proofs" examples/correct/{svt,noisy_max,smart_sum,rappor,tree_counter}.dp >/dev/null 2>&1 || failed=1
"$couplet" verify "$dir"/proofs/{svt,noisy_max,smart_sum,rappor,tree_counter}.dp >"$dir/log" 2>&1 || { cat "$dir/log"; failed=1; }
echo "${#files[@]} proofs found, ${#rest[@]} open"
exit $failed
