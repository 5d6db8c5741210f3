#!/usr/bin/env bash
# Two runs on the same files give the same record but for times, one file at a time or two: verdicts,
# proofs, counterexamples, bounds, pages, explanations. A few of the examples; all of them when COUPLET_TEST_SCALE is 1.
# ctest-label: release
set -euo pipefail
couplet=$1
export COUPLET_CACHE=off
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
all=()
whole() { awk "BEGIN { exit !(${COUPLET_TEST_SCALE:-0} >= 1) }"; }
for file in examples/*/*.dp examples/automata/*.dipa examples/*/*.py; do
  case $file in
  examples/tune/*) ;;                                 # those are left open for couplet tune
  examples/hints/*) ! whole || all+=("$file") ;;      # these take long
  *) all+=("$file") ;;
  esac
done
files=()
step=20
! whole || step=1
for ((i = 0; i < ${#all[@]}; i += step)); do files+=("${all[i]}"); done
[ ${#files[@]} -ge 5 ] || { echo "FAIL: only ${#files[@]} files"; exit 1; }

judge() { # judge JOBS OUT; the limit on time is there for safety
  local status=0
  "$couplet" verify --json --no-times --timeout 1000 --jobs "$1" "${files[@]}" >"$2" 2>"$2.err" || status=$?
  case $status in 0 | 10 | 20) ;; *) echo "FAIL: status $status"; cat "$2.err"; exit 1 ;; esac
}
judge 1 "$dir/first"
judge 2 "$dir/second"
cmp "$dir/first" "$dir/second" || {
  diff <(python3 -m json.tool "$dir/first") <(python3 -m json.tool "$dir/second") | head -40
  echo "FAIL: two runs differ"
  exit 1
}
echo "${#files[@]} files: two runs are the same"

# Pages and explanations of a proof, a refutation and an automaton.
shown=(examples/correct/laplace.dp examples/correct/noisy_max.dp examples/incorrect/noisy_max_1.dp examples/automata/svt.dp)
! whole || shown=("${files[@]}")
for k in 1 2; do
  "$couplet" report --json --timeout 1000 --jobs $k "${shown[@]}" >"$dir/record$k" 2>/dev/null || true
  "$couplet" merge --no-times --html "$dir/page$k" "$dir/record$k" >/dev/null 2>&1 || true
  "$couplet" explain --timeout 1000 "${shown[@]}" 2>&1 | sed -E 's/[0-9]+\.[0-9]+ s\b/T s/g' >"$dir/words$k" || true
done
cmp "$dir/page1/index.html" "$dir/page2/index.html" || { echo "FAIL: two reports differ"; exit 1; }
cmp "$dir/words1" "$dir/words2" || { echo "FAIL: two explanations differ"; exit 1; }
grep -q 'noisy_max_1' "$dir/page1/index.html" && grep -q 'costs eps' "$dir/words1" || { echo "FAIL: the reports or explanations are empty"; exit 1; }
echo "${#shown[@]} files: two reports and two explanations are the same"
