#!/usr/bin/env bash
# certify.sh COUPLET DIR FILE [OPTION...]: judges a file, leaves the record in DIR/<name>.json, and has couplet-check accept a
# certificate of every claim that was decided. Prints what fails.
set -uo pipefail
couplet=$1 dir=$2 file=$3
shift 3
name=$(tr / _ <<<"$file")
fail() { echo "FAIL $file: $*"; exit 1; }
"$couplet" verify --json --certificate "$dir/$name.cert" "$@" "$file" >"$dir/$name.json" 2>"$dir/$name.log"
case $? in 0 | 10 | 20) ;; *) fail "$(cat "$dir/$name.log")" ;; esac
decided=$(grep -cE '"verdict": "(proved|refuted)"' "$dir/$name.json")
[ "$decided" -gt 0 ] || exit 0
said=$("$(dirname "$couplet")/couplet-check" "$dir/$name.cert" "$file" 2>&1) || fail "$said"
grep -qF "$decided of $decided claims certified" <<<"$said" || fail "$decided claims were decided: $said $(cat "$dir/$name.log")"
