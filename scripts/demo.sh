#!/usr/bin/env bash
# make demo: one table over all examples, as a newcomer would want to see it.
set -uo pipefail
couplet=$1
cd "$(dirname "$0")/.."
echo "Couplet $("$couplet" --version | cut -d' ' -f2): every example, one line per claim."
echo
shopt -s nullglob
for kind in correct incorrect automata; do
  files=(examples/$kind/*.dp examples/$kind/*.dipa)
  [ "${#files[@]}" -gt 0 ] || continue
  case $kind in
    correct) echo "== Mechanisms whose claims are true" ;;
    incorrect) echo "== Mechanisms whose claims are false" ;;
    automata) echo "== Threshold automata" ;;
  esac
  "$couplet" verify --jobs "$(nproc)" "${files[@]}" 2>/dev/null
  status=$?
  case $status in 0 | 10 | 20 | 30) ;; *) echo "demo: couplet failed with status $status" >&2; exit 1 ;; esac
  echo
done
echo "proved: checked by the kernel or the strategy checker. refuted: certified counterexample. unknown: neither."
echo "Look closer: $couplet verify examples/automata/svt.dp"
