#!/usr/bin/env bash
# Bugs of real libraries: every claim of examples/library_bugs has the verdict that the table of
# docs/library-bugs.md says, and its certificate is accepted.
# ctest-label: release
set -uo pipefail
couplet=$(realpath "$1")
python=${COUPLET_PYTHON:-/usr/bin/python3}
[ -x "$python" ] || python=$(command -v python3) || { echo "skipped: no python3"; exit 77; }
export COUPLET_PYTHON=$python COUPLET_CACHE=off
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0 settled=0
fail() { echo "FAIL: $*"; failed=1; }

# file, claim, verdict
sed -n 's/^| \(`[^|]*`\)\{0,1\} *|.*| `\([a-z_0-9]*\)` | \(proved\|refuted\|unknown\) |$/\1 \2 \3/p' docs/library-bugs.md |
  awk '{ if (NF == 3) file = $1; gsub("`", "", file); print file, $(NF - 1), $NF }' | sort >"$dir/wanted"

for file in examples/library_bugs/*; do
  "$couplet" verify --json --timeout 600 --certificate "$dir/cert" "$file" >"$dir/record" 2>"$dir/err"
  "$python" -c '
import json, sys
for c in json.load(open(sys.argv[1]))["files"][0]["claims"]:
    print(sys.argv[2], c["name"], c["verdict"])' "$dir/record" "${file##*/}" >"$dir/verdicts" || fail "$file: $(cat "$dir/err")"
  cat "$dir/verdicts" >>"$dir/found"
  certain=$(grep -cv ' unknown$' "$dir/verdicts")
  [ "$certain" -eq "$(wc -l <"$dir/verdicts")" ] && settled=$((settled + 1))
  "$couplet" check "$dir/cert" "$file" >"$dir/checked" 2>&1
  grep -q "^$certain of " "$dir/checked" || fail "$file: $(cat "$dir/checked")"
done
sort "$dir/found" | diff "$dir/wanted" - || fail "docs/library-bugs.md says otherwise (< there, > here)"
[ "$settled" -ge 13 ] || fail "only $settled files are settled"
[ $failed -eq 0 ] && echo "library bugs: $settled files settled, $(wc -l <"$dir/found") claims"
exit $failed
