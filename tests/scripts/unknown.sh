#!/usr/bin/env bash
# What is said about claims that stay unknown: for each an obstacle at a line and something to try.
# tests/unknown/expected.txt has it all; --bless as second argument writes it.
# ctest-label: release
# ctest-cost: 34
set -euo pipefail
out=$(mktemp)
trap 'rm -f "$out"' EXIT
COUPLET_CACHE=off python3 tests/unknown/show.py "$1" tests/unknown/*.dp >"$out"
if [ "${2-}" = --bless ]; then cp "$out" tests/unknown/expected.txt; fi
if python3 tests/regress/versions.py "$1"; then
  diff -u tests/unknown/expected.txt "$out" || { echo "FAIL: other words than expected"; exit 1; }
fi
claims=$(grep -c ': unknown$' "$out") lines=$(grep -c '^    .*line [0-9]' "$out") advice=$(grep -c '^    try: ' "$out")
[ "$claims" -ge 30 ] || { echo "FAIL: only $claims claims are unknown"; exit 1; }
# every block of lines about an unknown claim has a line and an advice
awk '/: unknown$/ { if (open) print open; open = $0; place = advice = 0; next }
     /^[^ ]/ { if (open) print open; open = ""; next }
     /line [0-9]/ { place = 1 } /^    try: / { advice = 1 }
     place && advice { open = "" } END { if (open) print open }' "$out" >"$out.missing"
missing=$(cat "$out.missing"); rm -f "$out.missing"
[ -z "$missing" ] || { echo "FAIL: no line or nothing to try: $missing"; exit 1; }
! grep -n "as a whole" "$out" || { echo "FAIL: an obstacle that is no statement"; exit 1; }
echo "$claims unknown claims, each with a line ($lines) and something to try ($advice)"
