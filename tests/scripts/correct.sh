#!/usr/bin/env bash
# The mechanisms of examples/correct, examples/gaussian, examples/accuracy and examples/samplers have no proof in the file: it is found, at the claimed cost, in one run with nothing given.
# Those that are still open are listed; none may be refuted, and one that is proved by now should leave the list. The proofs of
# examples/proofs are proofs, and so are those that are emitted. Every claim that is decided has a certificate that couplet-check accepts.
# ctest-label: release
# ctest-cost: 150
set -euo pipefail
couplet=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
open=" asv_bt_nested " # no proof is found
files=() rest=() given=() # given: with a proof in the file
for file in examples/correct/*.dp examples/gaussian/*.dp examples/accuracy/*.dp examples/samplers/*.dp; do
  name=$(basename "$file" .dp)
  case $open in *" $name "*) rest+=("$file") ;; *) if grep -q ' proof {$' "$file"; then given+=("$file"); else files+=("$file"); fi ;; esac
done
failed=0
judge() { # judge FOLDER SECONDS FILE...: records in that folder of $dir
  local folder=$dir/$1 seconds=$2
  shift 2
  mkdir "$folder"
  printf '%s\n' "$@" | xargs -P 2 -I{} bash tests/lib/certify.sh "$couplet" "$folder" {} --search "$seconds" || failed=1
}
export COUPLET_CACHE=off
judge found 60 "${files[@]}"
judge open 0.3 "${rest[@]}"
judge given 60 examples/proofs/*.dp "${given[@]}"
python3 - "$dir" <<'END' || failed=1
import json, pathlib, sys
bad = 0
def records(folder):
    return [file for path in pathlib.Path(sys.argv[1], folder).glob("*.json") for file in json.load(open(path))["files"]]
for file in records("given"):
    if not file["claims"] or any(claim["verdict"] != "proved" for claim in file["claims"]):
        print("FAIL", file["file"], [(claim["name"], claim["verdict"], claim["reason"]) for claim in file["claims"]])
        bad = 1
for folder, wanted in (("found", "proved"), ("open", "unknown")):
    for file in records(folder):
        for claim in file["claims"]:
            if wanted == "unknown" and claim["verdict"] == "proved":
                print(file["file"], "is proved: take it out of the list")
            elif claim["verdict"] != wanted:
                print("FAIL", file["file"], claim["name"], "is", claim["verdict"], "not", wanted, claim["reason"])
                bad = 1
            elif wanted == "proved" and ("?" not in claim.get("formula", "") and claim["epsilon"] not in ("?", claim["cost"]) or not claim["detail"]["proof"].startswith("{")):
                print("FAIL", file["file"], claim["cost"], claim["detail"])
                bad = 1
            elif wanted == "unknown" and not claim["reason"]:
                print("FAIL", file["file"], "does not say why")
                bad = 1
sys.exit(bad)
END
# what is emitted stands on its own
"$couplet" verify --emit-proof "$dir/proofs" examples/correct/{svt,noisy_max,smart_sum,rappor,tree_counter}.dp >/dev/null 2>&1 || failed=1
"$couplet" verify "$dir"/proofs/{svt,noisy_max,smart_sum,rappor,tree_counter}.dp >"$dir/log" 2>&1 || { cat "$dir/log"; failed=1; }
echo "${#files[@]} proofs found, ${#rest[@]} open"
exit $failed
