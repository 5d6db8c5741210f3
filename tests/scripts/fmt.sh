#!/usr/bin/env bash
# couplet fmt on real files: in place, atomically, keeping mode and links, losing nothing on errors.
set -euo pipefail
couplet=$1
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
fail() { echo "FAIL: $*"; exit 1; }
status_of() { set +e; "$@" >"$dir.out" 2>"$dir.err"; status=$?; set -e; rm -f "$dir.out" "$dir.err"; }

messy='param  x:int ;// note'
clean='param x : int;  // note'

# in place, with the mode kept
echo "$messy" >"$dir/a.dp"; chmod 640 "$dir/a.dp"
"$couplet" fmt "$dir/a.dp"
[ "$(cat "$dir/a.dp")" = "$clean" ] || fail "wrong content: $(cat "$dir/a.dp")"
[ "$(stat -c %a "$dir/a.dp")" = 640 ] || fail "mode changed"

# a file that is in order is not touched
inode=$(stat -c %i "$dir/a.dp")
"$couplet" fmt "$dir/a.dp"
[ "$(stat -c %i "$dir/a.dp")" = "$inode" ] || fail "formatted file was rewritten"

# a link stays a link
echo "$messy" >"$dir/a.dp"; ln -s a.dp "$dir/link.dp"
"$couplet" fmt "$dir/link.dp"
[ -L "$dir/link.dp" ] || fail "link replaced by a file"
[ "$(cat "$dir/a.dp")" = "$clean" ] || fail "target of the link not formatted"

# --check changes nothing
echo "$messy" >"$dir/a.dp"
status_of "$couplet" fmt --check "$dir/a.dp"; [ "$status" = 1 ] || fail "--check: exit $status"
[ "$(cat "$dir/a.dp")" = "$messy" ] || fail "--check changed the file"

# one bad file does not stop the others and is left as it is
printf 'param x :' >"$dir/bad.dp"
status_of "$couplet" fmt "$dir/bad.dp" "$dir/a.dp"; [ "$status" = 2 ] || fail "bad file: exit $status"
[ "$(cat "$dir/bad.dp")" = 'param x :' ] || fail "bad file was changed"
[ "$(cat "$dir/a.dp")" = "$clean" ] || fail "the file after the bad one was not formatted"

# standard input and output
[ "$(echo "$messy" | "$couplet" fmt -)" = "$clean" ] || fail "standard input"
echo "$messy" >"$dir/a.dp"
[ "$("$couplet" fmt --stdout "$dir/a.dp")" = "$clean" ] || fail "--stdout"
[ "$(cat "$dir/a.dp")" = "$messy" ] || fail "--stdout changed the file"
if [ -e /dev/full ]; then
  set +e; "$couplet" fmt --stdout "$dir/a.dp" >/dev/full 2>/dev/null; status=$?; set -e
  [ "$status" = 3 ] || fail "full device: exit $status"
fi

# a directory that cannot be written (root can write anywhere, so only as a user)
if [ "$(id -u)" != 0 ]; then
  chmod 555 "$dir"
  status_of "$couplet" fmt "$dir/a.dp"; [ "$status" = 3 ] || fail "read-only directory: exit $status"
  chmod 755 "$dir"
  [ "$(cat "$dir/a.dp")" = "$messy" ] || fail "read-only directory: file changed"
fi
status_of "$couplet" fmt "$dir"; [ "$status" = 2 ] || fail "a directory: exit $status"

# nothing is left behind
left=$(find "$dir" -type f ! -name '*.dp')
[ -z "$left" ] || fail "left behind: $left"
echo ok
