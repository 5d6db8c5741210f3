#!/usr/bin/env bash
# The floating-point mechanisms of examples/floating and tests/floating are refuted, with certificates that are accepted as they are and not
# otherwise, and the C programs that replay the counterexamples confirm them on the hardware.
# ctest-label: release
set -euo pipefail
couplet=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export COUPLET_CACHE=off
failed=0 count=0 replayed=0
fail() { echo "FAIL: $*"; failed=1; }
for file in examples/floating/*.dp tests/floating/*.dp; do
  count=$((count + 1))
  set +e; "$couplet" verify --certificate "$dir/c.json" --replay-c "$dir/replay.c" "$file" > "$dir/said"; status=$?; set -e
  [ $status = 10 ] || { fail "$file: exit $status"; cat "$dir/said"; continue; }
  grep -q 'words  ' "$dir/said" || fail "$file: no random words"
  "$couplet" check "$dir/c.json" "$file" > /dev/null || fail "$file: the certificate is not accepted"
  # another input in the second run: the first one's, with which the output is possible
  python3 - "$dir/c.json" "$dir/other.json" <<'PYTHON'
import json, sys
certificate = json.load(open(sys.argv[1]))
def change(node):
    for key, value in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        if key == "inputs" and isinstance(value, dict):
            for runs in value.values():
                runs[1] = runs[0]
        else:
            change(value)
change(certificate)
json.dump(certificate, open(sys.argv[2], "w"))
PYTHON
  ! cmp -s "$dir/c.json" "$dir/other.json" || fail "$file: the certificate was not changed"
  if "$couplet" check "$dir/other.json" "$file" > /dev/null 2>&1; then fail "$file: equal inputs are accepted"; fi
  command -v cc > /dev/null || continue
  [ "$(wc -l < "$dir/replay.c")" -le 30 ] || fail "$file: the program is long"
  cc -std=c17 -O2 -Wall -Wextra -Werror -fsanitize=address,undefined "$dir/replay.c" -o "$dir/replay" -lm || { fail "$file: the program does not compile"; continue; }
  "$dir/replay" > "$dir/shown" || { fail "$file: the hardware says otherwise"; cat "$dir/shown"; }
  # The printed bits are those of the verdict.
  bits=$(awk '$1 == "bits" { sub(/,$/, "", $2); print $2 }' "$dir/said")
  grep -q "^run 1.* $bits, bits .*the output" "$dir/shown" || fail "$file: other bits"
  grep -q "^run 2" "$dir/shown" || fail "$file: nothing of the second run"
  replayed=$((replayed + 1))
done
"$couplet" report examples/floating/laplace_inverse.dp -o "$dir/page" > /dev/null 2>&1 || true
grep -q 'Random words.*4503608217305089' <(tr -d '\n' < "$dir/page/index.html") || fail "no words in the report"
grep -q 'static double mechanism' "$dir/page/index.html" || fail "no program in the report"
[ $count -ge 20 ] || fail "only $count examples"
"$couplet" verify --replay-c "$dir/none.c" examples/correct/laplace.dp > /dev/null 2> "$dir/said" || true
grep -q "no program to write" "$dir/said" || fail "nothing is said where there is no program"
echo "$count refuted, $replayed replayed"
exit $failed
