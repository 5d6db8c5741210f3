#!/usr/bin/env bash
# make demo: one table over the examples of four folders, as a newcomer would want to see it.
set -uo pipefail
export COUPLET_CACHE=off # every figure is measured, none recalled
couplet=$1
cd "$(dirname "$0")/.."
echo "Couplet $("$couplet" --version | cut -d' ' -f2): the examples, one line per claim."
echo
shopt -s nullglob
for kind in correct incorrect proofs automata; do
  files=(examples/$kind/*.dp examples/$kind/*.dipa)
  [ "${#files[@]}" -gt 0 ] || continue
  case $kind in
    correct) echo "== Mechanisms with nothing but a claim: the proof is found" ;;
    proofs) echo "== Mechanisms with a coupling proof in the file" ;;
    incorrect) echo "== Mechanisms whose claims are false" ;;
    automata) echo "== Threshold automata" ;;
  esac
  "$couplet" verify --jobs "$(nproc)" --search 3 "${files[@]}" 2>/dev/null | grep -E '^  (proved|refuted|unknown|admitted)|^[0-9]+ proved'
  status=${PIPESTATUS[0]}
  case $status in 0 | 10 | 20 | 30) ;; *) echo "demo: couplet failed with status $status" >&2; exit 1 ;; esac
  echo
done
echo "proved: checked by the kernel or the strategy checker. refuted: certified counterexample. unknown: neither."
echo "Look closer: $couplet explain examples/correct/svt.dp"
echo "             $couplet verify examples/incorrect/noisy_max_1.dp examples/automata/not_private_svt_reversed.dp"
echo "Play:        $couplet serve      opens a page with an editor, these examples and their proofs"
