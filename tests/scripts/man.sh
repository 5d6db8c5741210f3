#!/usr/bin/env bash
# The manual pages have every command and option of --help, and roff understands every line of them.
# ctest-label: release
set -euo pipefail
couplet=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAIL: $*"; failed=1; }
python3 scripts/man.py --check "$couplet" || failed=1

# A line that begins with a dot or a quote is a request; these are the ones we use.
for page in docs/couplet.1 docs/couplet-check.1 docs/couplet-recount.1; do
  bad=$(grep -nE "^[.']" "$page" | grep -vE "^[0-9]+:\.(\\\\\"|TH|SH|TP|PP|RS|RE|B|BI|BR|RB|I|IR|br)( |\$|\\\\)" || true)
  [ -z "$bad" ] || fail "$page: roff would eat: $bad"
done

# As read: every word of every help text is on the page.
if command -v groff >/dev/null; then
  for page in couplet couplet-check couplet-recount; do
    groff -man -Tascii -ww -P-cbou -rLL=200n -rHY=0 -dAD=l "docs/$page.1" > "$dir/$page" 2> "$dir/warnings"
    [ ! -s "$dir/warnings" ] || fail "groff: $(head -n 3 "$dir/warnings")"
  done
  tr -s ' \n' ' ' < "$dir/couplet" > "$dir/flat"
  count=0
  has() { grep -qF -- "$(tr -s ' ' <<< "$1")" "$dir/flat" || fail "the page does not show: $1"; }
  for command in $("$couplet" --help | grep -oE '^  [a-z]+ ' | tr -d ' '); do
    has "$("$couplet" "$command" --help | sed -n '1s/usage: //p')"
    while read -r option; do
      count=$((count + 1))
      has "$option"
    done < <("$couplet" "$command" --help | grep -E '^  --?[a-z]')
  done
  [ "$count" -ge 60 ] || fail "only $count options were found"
fi

# The checkers have pages of their own, written by hand.
for program in couplet-check couplet-recount; do
  for option in $("$(dirname "$couplet")/$program" --help | grep -oE '^  --[a-z-]+'); do
    grep -q -- "${option//-/\\\\-}" "docs/$program.1" || fail "docs/$program.1: $option is missing"
  done
done
exit $failed
