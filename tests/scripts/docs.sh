#!/usr/bin/env bash
# The documentation is true: every ```dp block of docs/*.md is accepted and formatted, every ```dp-error
# block is refused, and the tables of functions, distributions and limits are those of the sources.
# Every page is in the index, and prose has lines of at most 100 columns.
# ctest-label: release
set -euo pipefail
couplet=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAIL: $*"; failed=1; }

# blocks: docs/language.md:23 -> $dir/language_23.dp, or .error
awk -v dir="$dir" '
  /^```dp(-error)?$/ && !out { n = FILENAME; gsub(/.*\/|\.md$/, "", n)
    out = dir "/" n "_" FNR ($0 ~ /error/ ? ".error" : ".dp"); printf "" > out; next }
  /^```/ && out { close(out); out = ""; next }
  out { print > out }' docs/*.md $(ls README.md 2>/dev/null)
count=0
for file in "$dir"/*.dp; do
  count=$((count + 1))
  set +e; output=$("$couplet" verify --no-search "$file" 2>&1); status=$?; set -e
  errors=$(grep -o 'error\[[a-z-]*\]' <<<"$output" || true)
  # a block need not state a claim
  if [ "$status" = 2 ] && [ "$errors" != "error[no-claims]" ]; then fail "$(basename "$file")"; echo "$output"; fi
  case $status in 1 | 3) fail "$(basename "$file"): exit $status"; echo "$output" ;; esac
  "$couplet" fmt --check "$file" >/dev/null || fail "$(basename "$file") is not formatted"
done
for file in "$dir"/*.error; do
  cp "$file" "$dir/refused.dp"
  set +e; "$couplet" verify --no-search "$dir/refused.dp" >/dev/null 2>&1; status=$?; set -e
  [ "$status" = 2 ] || fail "$(basename "$file") should be refused: exit $status"
done
[ "$count" -ge 10 ] || fail "only $count blocks"

# tables
reference=docs/language.md
names=$({ grep -oE '\{BUILTIN_[A-Z_]+, "[A-Za-z_]+"' src/lang/syntax/builtin.c
  grep -oE 'ROW\([A-Z_]+, [a-z_]+, "[A-Za-z]+"' src/lang/syntax/family.h; } | grep -oE '"[^"]+"' | tr -d '"' | sort -u)
[ "$(wc -w <<<"$names")" -ge 30 ] || fail "only $(wc -w <<<"$names") functions and distributions were found in the sources"
for name in $names; do
  grep -qE "^\| \`$name[({]" "$reference" || fail "$name is not in the tables of $reference"
done
while read -r name expression; do
  grep -qF "| \`$name\` | $((expression)) |" "$reference" ||
    fail "$name is not $((expression)) in $reference"
done < <(sed -nE 's/^ *(LIMIT_[A-Z_]+) = ([^,\/]+[0-9])[, ].*/\1 \2/p' src/base/limits.h)
for name in $(grep -oE '^\| `LIMIT_[A-Z_]+`' "$reference" | tr -d '|` '); do
  grep -q "$name" src/base/limits.h || fail "$name is not in src/base/limits.h"
done

python3 scripts/wrap_docs.py --check docs/*.md README.md CONTRIBUTING.md CHANGELOG.md examples/README.md || failed=1
for page in docs/*.md; do
  [ "$page" = docs/README.md ] || grep -qF "($(basename "$page"))" docs/README.md || fail "$page is not in docs/README.md"
done
echo "$count blocks"
exit $failed
