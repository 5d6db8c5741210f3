#!/usr/bin/env bash
# tests/corpus: programs as people write them, one folder per class. The comment at the top of each says what is true of its
# claims; a true one is proved and a false one refuted, unless a line `// Open: reason` says what is missing. Nothing is wrong.
set -euo pipefail
couplet=$1
export COUPLET_CACHE=off
"$couplet" fmt --check tests/corpus/*/*.dp || { echo "FAIL: these files are not formatted"; exit 1; }
# some claims are false: the status of verify says nothing here
{ "$couplet" verify --json --jobs 2 --timeout 120 tests/corpus/*/*.dp 2>/dev/null || true; } | python3 -c '
import json, os, re, sys

failed, settled, total = 0, 0, 0
def fail(*words):
    global failed
    failed += 1
    print("FAIL", *words)

WANTED = {"private": "proved", "not private": "refuted"}
for file in json.load(sys.stdin)["files"]:
    path = file["file"]
    notes = dict(re.findall(r"^// (\w+): (.*)\.$", open(path).read(), re.M))
    if "Source" not in notes or notes.get("Truth") not in WANTED:
        fail(path, "does not say what is true of it, or where it comes from")
        continue
    wanted = WANTED[notes["Truth"]]
    for claim in file.get("claims", []) or fail(path, "has no claims") or []:
        total += 1
        verdict = claim["verdict"]
        settled += verdict == wanted
        if verdict not in (wanted, "unknown"):
            fail(path, "is", notes["Truth"], "but", verdict)
        elif verdict == "unknown" and "Open" not in notes:
            fail(path, "is", notes["Truth"], "but unknown:", claim["reason"])
        elif verdict == wanted and "Open" in notes:
            print(path, "is", verdict + ": take out its line `// Open`")
print(f"{settled} of {total} claims settled")
sys.exit(1 if failed or not total else 0)'
