#!/usr/bin/env bash
# verify --emit-proof: what is written is formatted, states the same claims with proofs, and is proved by them alone.
# ctest-label: release
set -euo pipefail
couplet=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAIL: $*"; failed=1; }

cat > "$dir/two.dp" <<'END'
param eps : real, eps > 0;
// a comment that stays
mechanism quiet(private q : real) returns real adjacent within(q, 1) {
  s <$ Lap(0, 1/eps); return s;
}
claim first : private quiet epsilon eps;
claim private quiet epsilon ?;   // another
END
"$couplet" verify --emit-proof "$dir/out" "$dir/two.dp" >/dev/null || fail "two.dp: exit $?"
[ -f "$dir/out/two.dp" ] || fail "nothing was written"
"$couplet" fmt --check "$dir/out/two.dp" >/dev/null || fail "what is written is not formatted"
[ "$(grep -c 'proof {' "$dir/out/two.dp")" = 2 ] || fail "two proofs expected"
grep -q 'a comment that stays' "$dir/out/two.dp" && grep -q '// another' "$dir/out/two.dp" || fail "a comment is lost"
grep -q 'epsilon ?' "$dir/out/two.dp" && fail "the cost is not put in"
grep -q 'epsilon 0 proof' "$dir/out/two.dp" || fail "the least cost of a mechanism without private data is 0"
"$couplet" verify "$dir/out/two.dp" >/dev/null || fail "what is written is not proved"

# one file by name; the old content stays when nothing is found
"$couplet" verify --emit-proof "$dir/new.dp" "$dir/two.dp" >/dev/null && cmp -s "$dir/new.dp" "$dir/out/two.dp" ||
  fail "a file by name"
cat > "$dir/wrong.dp" <<'END'
param eps : real, eps > 0;
mechanism leak(private q : real) returns real
  adjacent within(q, 1)
{
  return q;
}
claim private leak epsilon eps;
END
set +e
message=$("$couplet" verify --search 1 --emit-proof "$dir/new.dp" "$dir/wrong.dp" 2>&1 >/dev/null); status=$?
set -e
[ "$status" = 10 ] || [ "$status" = 20 ] || fail "wrong.dp: exit $status"
grep -q 'nothing is written' <<<"$message" || fail "no word about nothing being written"
cmp -s "$dir/new.dp" "$dir/out/two.dp" || fail "the old file was touched"

# includes are looked for from where the file goes
echo 'param eps : real, eps > 0;' > "$dir/common.dp"
{ echo 'include "common.dp";'; sed 1d "$dir/two.dp"; } > "$dir/user.dp"
"$couplet" verify --emit-proof "$dir/user2.dp" "$dir/user.dp" >/dev/null || fail "user.dp"
mkdir "$dir/elsewhere"
set +e; "$couplet" verify --emit-proof "$dir/elsewhere" "$dir/user.dp" >/dev/null 2>&1; status=$?; set -e
[ "$status" = 20 ] && [ ! -e "$dir/elsewhere/user.dp" ] || fail "an include that is not there: exit $status"

# mistakes
mkdir "$dir/sub"; cp "$dir/two.dp" "$dir/sub/"
set +e
"$couplet" verify --emit-proof "$dir/out" "$dir/two.dp" "$dir/sub/two.dp" >/dev/null 2>&1; [ $? = 1 ] || fail "two files, one name"
"$couplet" verify --emit-proof /dev/null/x "$dir/two.dp" >/dev/null 2>&1; [ $? = 3 ] || fail "a folder that cannot be made"
set -e
exit $failed
