#!/usr/bin/env bash
# Limits fail closed: a time-out, too little memory or a dead worker never gives "proved" or status 0.
# The limits are out of reach on any machine: a microsecond is less than it takes to start a worker,
# 40 MB are less than the solver needs, and no time is enough for endless.dp.
set -uo pipefail
couplet=$1
export COUPLET_CACHE=off
failed=0
expect() { # expect STATUS WORDS COMMAND...
  local wanted=$1 words=$2 output status
  shift 2
  output=$(timeout 120 "$@" 2>&1)
  status=$?
  if [ "$status" -ne "$wanted" ] || grep -q '^  proved' <<<"$output" || ! grep -q "$words" <<<"$output"; then
    echo "FAIL (status $status, wanted $wanted and '$words'): $*"; echo "$output"; failed=1
  fi
}
for file in examples/proofs/asv_bt.dp examples/correct/svt.dp; do
  expect 20 'time' "$couplet" verify --timeout 0.000001 $file
done
expect 20 'time' "$couplet" verify --timeout 1 --search 1000 tests/scripts/endless.dp
expect 20 'time' "$couplet" verify --search 0.5 --timeout 1000 tests/scripts/endless.dp
# a claim for which no time is left says so, instead of blaming the program
late=$(mktemp --suffix=.dp)
{ cat tests/scripts/endless.dp; echo "claim private endless epsilon 21*(m + 1)*eps;"; } >"$late"
expect 20 'before this one have used' "$couplet" verify --timeout 1 --search 1000 "$late"
rm -f "$late"
expect 2 'no_such_file' "$couplet" verify --timeout 0.000001 examples/proofs/no_such_file.dp
expect 1 'timeout' "$couplet" verify --timeout -1 examples/proofs/asv_bt.dp
case $couplet in
*asan*) ;; # the sanitizer reserves more address space than any limit
*) expect 20 '' "$couplet" verify --memory 40 --search 1 examples/proofs/asv_bt.dp ;;
esac
# a crash is a crash, whether there is a memory limit or not
for memory in "" "--memory 2000"; do
  "$couplet" verify $memory --timeout 100 --search 100 tests/scripts/endless.dp >/tmp/crash.$$ 2>&1 &
  parent=$!
  for _ in $(seq 100); do worker=$(pgrep -P "$parent") && break; sleep 0.05; done
  sleep 0.3
  kill -SEGV "$worker"
  wait "$parent"
  status=$?
  { [ "$status" -eq 3 ] && grep -q 'died of signal 11' /tmp/crash.$$; } ||
    { echo "FAIL: a crash with '$memory': status $status"; cat /tmp/crash.$$; failed=1; }
  rm -f /tmp/crash.$$
done
# outputs that cannot be listed are not expanded first: a small file needs little memory
case $couplet in
*asan*) ;;
*) output=$("$couplet" verify --memory 500 --search 3 examples/incorrect/bad_average.dp 2>&1)
   { [ $? -eq 10 ] && ! grep -q 'memory limit' <<<"$output"; } || { echo "FAIL: bad_average in 500 MB"; echo "$output"; failed=1; } ;;
esac
exit $failed
