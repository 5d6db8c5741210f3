#!/usr/bin/env bash
# Every example is well formed (verify does not exit 2), without a warning if it is a correct one,
# formatted, and runs; the ones made by a generator are what it makes.
# ctest-label: release
set -euo pipefail
couplet=$1
failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
fail() { echo "FAIL: $*"; failed=1; }
count=0
for file in examples/*/*.dp examples/automata/*.dipa; do
  count=$((count + 1))
  case $file in examples/proofs/* | examples/hints/*) continue ;; esac # verified by correct.sh and complete.sh
  set +e; output=$("$couplet" verify --no-search "$file" 2>&1); status=$?; set -e
  case $status,$file in 2,examples/tune/*) # left open for couplet tune (tests/scripts/tune.sh)
    [ "$(grep -c 'error\[' <<<"$output")" = "$(grep -c 'is still to be found' <<<"$output")" ] || fail "$file: $output" ;;
  0,* | 10,* | 20,* | 30,*) ;; *) fail "$file: verify exits $status"; echo "$output" ;; esac
  case $file in examples/correct/*)
    if grep -q 'warning\[' <<<"$output"; then fail "$file: $output"; fi ;;
  esac
done
# each runs on its instance, automata on some stream
for file in examples/{correct,incorrect,automata}/*; do
  case $file in examples/automata/*) given=(--param eps=1 --input "in=[0, 0, 1, 2, 0, 3, 1, 9, 0]") ;; *) given=() ;; esac
  "$couplet" run --samples 20 --seed 1 "${given[@]}" "$file" >"$log" 2>&1 ||
    { fail "$file does not run"; cat "$log"; }
done
"$couplet" fmt --check examples/*/*.dp || fail "these files are not formatted"
for generated in "m_range 2" "k_min_max 3"; do
  set -- $generated
  for suffix in dp dipa; do
    cmp <(python3 "bench/gen_$1.py" "$2" $([ $suffix = dp ] || echo --dipa)) "examples/automata/$1.$suffix" ||
      fail "examples/automata/$1.$suffix is not what bench/gen_$1.py $2 makes"
  done
done
# one file per row of the benchmark table, and something to do for every part of the system
[ "$count" -ge 70 ] || fail "only $count examples"
echo "$count examples"
exit $failed
