#!/usr/bin/env bash
# Ctrl-C during verify: the best certified bound so far, the right status, no process and no half file
# left behind; a second one ends everything at once. Progress only on a terminal.
# ctest-label: release
set -uo pipefail
couplet=$1
export COUPLET_CACHE=off
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAIL $1"; cat "$dir/out" "$dir/err" 2>/dev/null; failed=1; }

cp tests/scripts/endless.dp "$dir/long.dp"

# interrupt SECONDS TIMES ARGUMENT...: the status of `couplet $command` that gets SIGINT; $took in 1/10 s
command=verify
interrupt() {
  local seconds=$1 times=$2; shift 2
  "$couplet" $command --search 100 --timeout 200 "$@" >"$dir/out" 2>"$dir/err" &
  local pid=$!
  sleep "$seconds"
  local begin=$(date +%s%N)
  kill -INT "$pid" 2>/dev/null || echo "it had ended" >>"$dir/err"
  if [ "$times" = 2 ]; then sleep 0.02; kill -INT "$pid" 2>/dev/null; fi
  wait "$pid"; status=$?
  took=$(( ($(date +%s%N) - begin) / 100000000 ))
}
nobody_left() { ! pgrep -f "$dir/" >/dev/null; }

# A slow machine needs longer to have something to report.
for seconds in 2 8 30; do
  interrupt $seconds 1 "$dir/long.dp"
  grep -q 'no proof can be below 0\.[0-9]*' "$dir/out" && break
done
[ "$status" = 20 ] || fail "status $status after Ctrl-C"
grep -q 'interrupted' "$dir/out" || fail "does not say that it was interrupted"
grep -q 'no proof can be below 0\.[0-9]*' "$dir/out" || fail "no bound after Ctrl-C"
[ "$took" -lt 60 ] || fail "took $took/10 s to stop"
[ -s "$dir/err" ] && fail "progress where there is no terminal"
nobody_left || fail "processes left"

cp examples/incorrect/bad_svt3.dp "$dir/bad.dp"
verdicts_so_far() {
  python3 - "$dir/out" <<'PY'
import json, sys
files = json.load(open(sys.argv[1]))["files"]
assert [c["verdict"] for f in files[:2] for c in f["claims"]] == ["refuted", "unknown"], files
assert "interrupted" in files[1]["claims"][0]["reason"] and files[1]["claims"][0]["lower"]
assert files[2]["error"]["code"] == "stopped", files[2]
PY
}
for seconds in 3 10 30; do
  interrupt $seconds 1 --json "$dir/bad.dp" "$dir/long.dp" "$dir/bad.dp"
  [ "$status" = 10 ] && verdicts_so_far 2>/dev/null && break
done
[ "$status" = 10 ] || fail "status $status with a refuted and an unknown file"
verdicts_so_far || fail "JSON after Ctrl-C"

interrupt 1 1 --certificate "$dir/none" "$dir/long.dp"
[ "$status" = 20 ] || fail "status $status with --certificate"
[ ! -e "$dir/none" ] || python3 -m json.tool "$dir/none" >/dev/null || fail "half a certificate"

interrupt 1 2 "$dir/long.dp"
[ "$status" = 20 ] || fail "status $status after the second Ctrl-C"
nobody_left || fail "processes left after the second Ctrl-C"

command=audit # the other commands that judge files: the same loop
interrupt 1 1 "$dir/long.dp"
[ "$status" = 20 ] || fail "status $status after Ctrl-C in an audit"
grep -q 'interrupted' "$dir/out" || fail "the audit does not say that it was interrupted"
nobody_left || fail "processes left after Ctrl-C in an audit"

if command -v script >/dev/null; then # on a terminal there is a line of progress
  timeout 20 script -qec "$couplet verify --search 100 --timeout 8 $dir/long.dp" "$dir/typescript" >"$dir/out" 2>&1
  grep -q 'claims decided' "$dir/typescript" || fail "no progress on a terminal"
fi
exit $failed
