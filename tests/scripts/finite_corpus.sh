#!/usr/bin/env bash
# Programs with finitely many outcomes as people write them (tests/corpus): those whose claim is true are proved with nothing given, except the open ones; no
# false claim is proved, and what is refuted is false. Each file says which it is.
set -euo pipefail
couplet=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export COUPLET_CACHE=off
# sums of exponentials that are not covered term by term; remainders by a parameter
open=" permute_and_flip_two one_time_pad_any "
# proved, but its polynomial takes the solver so long that a busy machine may cut it off
slow=" subsampled_response "
for truth in true false; do
  other=$(grep -L "^// truth: $truth" tests/corpus/$truth/finite/*.dp || true)
  [ -z "$other" ] || { echo "FAIL: these files do not say $truth: $other"; exit 1; }
  set +e
  "$couplet" verify --json --jobs 2 --search 6 tests/corpus/$truth/finite/*.dp >"$dir/$truth.json" 2>"$dir/log"
  set -e
done
python3 - "$dir" "$open" "$slow" <<'END'
import json, os, sys
bad = 0
count = {}
for truth in ("true", "false"):
    for file in json.load(open(f"{sys.argv[1]}/{truth}.json"))["files"]:
        name = os.path.basename(file["file"])[:-3]
        if "error" in file:
            print("FAIL", file["file"], file["error"])
            bad = 1
        for claim in file.get("claims", []):
            verdict = claim["verdict"]
            count[truth, verdict] = count.get((truth, verdict), 0) + 1
            if verdict == ("refuted" if truth == "true" else "proved"):
                print("FAIL", file["file"], "is", verdict)
                bad = 1
            if verdict == "unknown" and f" {name} " in sys.argv[3]:
                continue
            if truth == "true" and (verdict == "proved") == (f" {name} " in sys.argv[2]):
                print("FAIL", file["file"], "is", verdict, claim["reason"])
                bad = 1
print(count)
sys.exit(bad)
END
