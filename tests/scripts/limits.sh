#!/usr/bin/env bash
# Limits fail closed: a time-out, too little memory or a dead worker never gives "proved" or status 0.
set -uo pipefail
couplet=$1
failed=0
expect() { # expect STATUS COMMAND...
  local wanted=$1 output status
  shift
  output=$("$@" 2>&1)
  status=$?
  if [ "$status" -ne "$wanted" ] || grep -q '^  proved' <<<"$output"; then
    echo "FAIL (status $status, wanted $wanted): $*"; echo "$output"; failed=1
  fi
}
expect 20 "$couplet" verify --timeout 0.05 examples/proofs/asv_bt.dp
expect 2 "$couplet" verify --timeout 0.05 examples/proofs/no_such_file.dp
expect 1 "$couplet" verify --timeout -1 examples/proofs/asv_bt.dp
case $couplet in *asan*) ;; *) expect 20 "$couplet" verify --memory 40 --search 1 examples/proofs/asv_bt.dp ;; esac
exit $failed
