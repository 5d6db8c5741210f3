#!/usr/bin/env bash
# `couplet new NAME` writes a file that is laid out, runs and is proved as it stands, and nothing else.
# ctest-label: release
set -euo pipefail
couplet=$(realpath "$1")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
fail() { echo "FAIL: $*"; exit 1; }
"$couplet" new my_count | grep -q '^my_count.dp written' || fail "it does not say what it wrote"
"$couplet" verify --strict my_count.dp > verdict 2> warnings || fail "it is not proved: $(cat verdict warnings)"
[ ! -s warnings ] || fail "it has warnings: $(cat warnings)"
grep -qE '^  proved +my_count +eps-private' verdict || fail "the verdict: $(cat verdict)"
"$couplet" fmt --check my_count.dp >/dev/null || fail "it is not laid out as couplet fmt would"
[[ "$("$couplet" run --seed 1 my_count.dp)" =~ ^[0-3]$ ]] || fail "it does not run"
grep -q NAME my_count.dp && fail "a placeholder is left"
# A claim that is made false is refuted: the file is a fair example.
sed -i 's/Lap(q\[i\], 2\/eps)/Lap(q[i], 1\/eps)/' my_count.dp
status=0
"$couplet" verify my_count.dp >/dev/null 2>&1 || status=$?
[ "$status" = 10 ] || fail "with half of the noise the status is $status"

# Nothing is overwritten, also not through a link.
refused() { # refused STATUS WORDS ARGUMENT...
  local wanted=$1 words=$2 status=0
  shift 2
  "$couplet" new "$@" > out 2> err || status=$?
  [ "$status" = "$wanted" ] && grep -q -- "$words" err && [ ! -s out ] || fail "new $*: status $status, $(cat err)"
}
cp my_count.dp before
refused 2 'File exists' my_count
refused 2 'File exists' my_count.dp
cmp -s my_count.dp before || fail "my_count.dp was changed"
ln -s elsewhere.dp linked.dp
refused 2 'File exists' linked
[ ! -e elsewhere.dp ] || fail "a link was followed"
refused 2 'No such file' nowhere/m
for name in 3x "a b" a-b eps mechanism n 'x"y' "" 'a;b' .dp; do refused 1 'cannot be the name' -- "$name"; done
refused 1 "try 'a_b'" a-b
refused 1 'give one name'
refused 1 'give one name' a b
mkdir sub
"$couplet" new sub/other.dp >/dev/null
grep -q '^claim private other ' sub/other.dp || fail "a path is not understood"
[ "$(ls | tr '\n' ' ')" = "before err linked.dp my_count.dp out sub verdict warnings " ] || fail "something else was written: $(ls)"
