#!/usr/bin/env bash
# What is read and written is what was named: results do not go through symbolic links, includes stay
# in the folder of the judged file, names that a terminal would obey are refused.
set -uo pipefail
export COUPLET_CACHE=off
couplet=$(realpath "$1")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAIL: $*"; failed=1; }
expect() { # expect STATUS WORDS COMMAND...
  local wanted=$1 words=$2 output status
  shift 2
  output=$(timeout 120 "$@" 2>&1)
  status=$?
  { [ "$status" -eq "$wanted" ] && grep -qF -- "$words" <<<"$output"; } ||
    fail "(status $status, wanted $wanted and '$words'): $*
$output"
}
source=examples/automata/svt.dp

# help by name, and the name of a file without its suffix
expect 0 "usage: couplet verify" "$couplet" help verify
expect 1 "did you mean 'verify'?" "$couplet" help verifi
cp $source "$dir/plain.dp"
expect 2 "did you mean '$dir/plain.dp'?" "$couplet" verify "$dir/plain"

# outputs
echo precious >"$dir/precious"
ln -s precious "$dir/link"
expect 3 "symbolic link" "$couplet" verify --certificate "$dir/link" $source
expect 3 "symbolic link" "$couplet" verify --sarif "$dir/link" $source
ln -s "$dir/nowhere" "$dir/dangling"
expect 3 "symbolic link" "$couplet" verify --certificate "$dir/dangling" $source
[ ! -e "$dir/nowhere" ] || fail "a file was made behind a link"
"$couplet" verify --certificate /dev/stdout $source >"$dir/redirected" 2>"$dir/err"
[ $? -eq 3 ] && grep -q "claims\|proved" "$dir/redirected" || fail "the redirected file was replaced: $(cat "$dir/redirected")"
[ "$(cat "$dir/precious")" = precious ] || fail "the file behind the link was changed"

# includes
mkdir -p "$dir/project/sub" "$dir/other"
echo "secret of another file" >"$dir/other/secret"
echo "param eps : real, eps > 0;" >"$dir/other/shared.dp"
cp "$dir/other/shared.dp" "$dir/project/sub/part.dp"
ln -s "$dir/other/secret" "$dir/project/sub/innocent.dp"
rest='lemma l: eps > 0;'
try() { printf 'include "%s";\n%s\n' "$1" "$rest" >"$dir/project/main.dp"; }
for path in /etc/passwd ../other/secret sub/innocent.dp "$dir/other/secret"; do
  try "$path"
  expect 2 "error[include-outside]" "$couplet" verify "$dir/project/main.dp"
  if "$couplet" verify "$dir/project/main.dp" 2>&1 | grep -q "secret of\|root:"; then fail "a line of $path is shown"; fi
done
try sub/part.dp
expect 0 "1 proved" "$couplet" verify "$dir/project/main.dp"
cd "$dir/project"; expect 0 "1 proved" "$couplet" verify main.dp; cd - >/dev/null
try ../other/shared.dp
expect 2 "COUPLET_INCLUDE" "$couplet" verify "$dir/project/main.dp"
expect 0 "1 proved" env COUPLET_INCLUDE="/nowhere:$dir/other" "$couplet" verify "$dir/project/main.dp"
expect 2 "error[include-outside]" env COUPLET_INCLUDE="$dir/oth" "$couplet" verify "$dir/project/main.dp"
ln -s "$dir/project/sub/part.dp" "$dir/main_link.dp"
try no_such_file.dp
expect 2 "error[include-unreadable]" "$couplet" verify "$dir/project/main.dp"

# names
printf 'lemma l: 1 > 0;\n' >"$dir/  proved   everything  0-private.dp"
cd "$dir"; expect 1 "may not begin with a blank" "$couplet" verify "  proved   everything  0-private.dp"; cd - >/dev/null
cp examples/automata/svt.dipa "$dir/svt proved 0*eps-private.dipa"
expect 0 "svt_proved_0*eps-private " "$couplet" verify "$dir/svt proved 0*eps-private.dipa"
printf 'lemma l: 1 > 0;\n' >"$dir/x"$'\n'"  proved   everything.dp"
expect 1 "control characters" "$couplet" verify "$dir/x"$'\n'"  proved   everything.dp"
expect 1 "control characters" "$couplet" verify "$dir/"$'\033[2J.dp'
expect 1 "control characters" "$couplet" verify --certificate "$dir/"$'\xff' $source
printf 'include "a\033[2Jb.dp";\nlemma l: 1 > 0; // \033[31m\n$' >"$dir/escape.dp"
if "$couplet" verify "$dir/escape.dp" 2>&1 | LC_ALL=C grep -q $'\033'; then fail "an escape sequence was printed"; fi
exit $failed
