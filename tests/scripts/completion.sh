#!/usr/bin/env bash
# Completion scripts are accepted by their shells and know every command and option of --help.
# ctest-label: release
set -euo pipefail
couplet=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "FAIL: $*"; exit 1; }
for shell in bash zsh fish; do
  "$couplet" completion "$shell" > "$dir/$shell"
  if command -v "$shell" >/dev/null; then "$shell" -n "$dir/$shell" || fail "$shell does not accept its script"; fi
done
commands=$("$couplet" --help | grep -E '^  [a-z]+ ' | awk '{print $1}')
[ "$(wc -w <<< "$commands")" -ge 8 ] || fail "--help lists too few commands"

complete_words() { # complete_words WORD...: what bash offers for the last word
  bash -c 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _couplet; printf "%s\n" "${COMPREPLY[@]}"' - "$dir/bash" "$@"
}
[ "$(complete_words couplet verif)" = verify ] || fail "bash does not complete a command"
for command in $commands; do
  grep -qx -- "$command" <(complete_words couplet "") || fail "bash does not offer $command"
  for option in $("$couplet" "$command" --help | grep -oE '^  --[a-z-]+' | tr -d ' ' | grep -vx -- --help); do
    grep -qx -- "$option" <(complete_words couplet "$command" --) || fail "bash: $command $option is missing"
    grep -q -- "$option" "$dir/zsh" || fail "zsh: $command $option is missing"
    grep -qE "from $command' -l ${option#--}( |\$)" "$dir/fish" || fail "fish: $command $option is missing"
  done
done
[ -z "$(complete_words couplet verify --timeout 1)" ] || fail "a number is completed as a file"
set +e
"$couplet" completion tcsh > /dev/null 2> "$dir/err"; status=$?
set -e
[ "$status" = 1 ] && grep -q 'bash, zsh or fish' "$dir/err" || fail "an unknown shell gives status $status"

# One version everywhere.
version=$("$couplet" --version | awk '{print $2}')
grep -q "^couplet ($version)" debian/changelog || fail "debian/changelog is of another version than $version"
for page in docs/couplet.1 docs/couplet-check.1 docs/couplet-recount.1; do
  head -n 1 "$page" | grep -q "couplet $version" || fail "$page is of another version than $version"
done
echo "completion: fine"
