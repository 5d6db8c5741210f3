#!/usr/bin/env bash
# The release tarball runs where it is unpacked, in an empty environment and with its own libraries;
# the GitHub action installs it and judges with it.
# ctest-label: release
set -euo pipefail
build=$(dirname "$(realpath "$1")")
root=$PWD
[ "$(uname -s)" = Linux ] && command -v readelf >/dev/null || { echo "SKIPPED: releases are made on Linux with binutils"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "FAIL: $*"; exit 1; }
COUPLET_GZIP=-1 scripts/release.sh "$build" "$dir/out" > "$dir/said" || fail "no release: $(cat "$dir/said")"
tarball=$(ls "$dir"/out/*.tar.gz)
(cd "$dir/out" && sha256sum -c --quiet ./*.sha256) || fail "the sum is wrong"

# An empty entry would be the current folder, whatever lies there.
for program in "$build/couplet" "$build/couplet-check" "$build/couplet-recount"; do
  ! readelf -d "$program" | grep -E 'R(UN)?PATH' | grep -E '\[:|::|:\]' || fail "$program looks for libraries in the current folder"
done

# Elsewhere, under a name that needs care, in an empty environment.
mkdir "$dir/some where"
tar -C "$dir/some where" -xzf "$tarball"
home=$(echo "$dir/some where"/couplet-*)
run() { (cd / && env -i PATH=/usr/bin:/bin HOME="$dir" COUPLET_CACHE=off "$home/bin/$@"); }
[ "$(run couplet --version)" = "$("$1" --version)" ] || fail "wrong version"
run couplet verify --json "$root/examples/proofs/laplace.dp" "$root/examples/automata/svt.dipa" > "$dir/record" || fail "verify: status $?"
! grep -q '"z3": "0.0.0"' "$dir/record" && [ "$(grep -c '"verdict": "proved"' "$dir/record")" = 2 ] || fail "verify: $(cat "$dir/record")"
run couplet translate "$root/examples/python/survey.py" 2>/dev/null | grep -q '^claim private two_coins' || fail "the reader of Python is not found"
run couplet verify --certificate "$dir/cert" "$root/examples/automata/svt.dipa" >/dev/null
run couplet-check "$dir/cert" "$root/examples/automata/svt.dipa" >/dev/null || fail "couplet-check: status $?"
run couplet verify --svg "$dir/svg" "$root/examples/automata/svt.dp" >/dev/null && grep -q '<svg' "$dir"/svg/*.svg || fail "no picture: Graphviz finds no plugins"
for data in share/couplet/schema/record.schema.json share/man/man1/couplet.1 share/doc/couplet/LICENSE; do
  [ -f "$home/$data" ] || fail "$data is missing"
done

# No library comes from this machine, but for the C library: not the linked ones, not those loaded later.
env -i LD_DEBUG=files LD_DEBUG_OUTPUT="$dir/loads" COUPLET_CACHE=off PATH=/usr/bin:/bin \
  "$home/bin/couplet" verify --sarif "$dir/log" --svg "$dir/svg2" "$root/examples/proofs/laplace.dp" "$root/examples/automata/svt.dp" >/dev/null
cat "$dir"/loads.* | grep -oE 'calling init: .*' | sed 's/calling init: //' | sort -u > "$dir/libraries"
grep -q '/libz3.so' "$dir/libraries" && grep -q 'libgvplugin_dot_layout' "$dir/libraries" || fail "Z3 or Graphviz was not loaded at all"
foreign=$(grep -vF "$dir/some where/" "$dir/libraries" | grep -vE '/(libc|libm|libpthread|libdl|librt|ld-linux[^/]*)\.so[^/]*$' || true)
[ -z "$foreign" ] || fail "libraries of this machine are used: $foreign"

# A root with nothing but the tarball, the C library and /proc (which the loader needs to find what is
# beside a program): a proof, a refutation, an automaton, certificates.
jail=$dir/jail
mkdir -p "$jail"/{proc,tmp,work}
cp -r "$home" "$jail/couplet"
for library in libc.so.6 libm.so.6 libpthread.so.0 libdl.so.2 librt.so.1 "$(basename "$(readelf -l "$1" | grep -oE '/ld-linux[^]]*')")"; do
  file=$(ldd "$1" "$home"/lib/*.so* "$home"/lib/graphviz/*.so* | grep -oE "/[^ ]*/$library" | head -n 1 || true)
  [ -z "$file" ] || install -D "$(readlink -f "$file")" "$jail$file"
done
cp examples/correct/laplace.dp examples/incorrect/noisy_max_1.dp examples/automata/svt.dipa "$jail/work"
inside() { # the mount goes with the name space
  unshare --mount --pid --fork sh -c 'mount -t proc proc "$0/proc" && exec env -i COUPLET_CACHE=off "$(command -v chroot || echo /usr/sbin/chroot)" "$0" "$@"' "$jail" "$@"
}
if inside /couplet/bin/couplet --version > "$dir/version" 2> "$dir/why"; then
  status=0
  inside /couplet/bin/couplet verify --search 3 /work/laplace.dp /work/noisy_max_1.dp /work/svt.dipa > "$dir/verdicts" || status=$?
  [ "$status" = 10 ] && grep -q '^2 proved, 1 refuted, 0 unknown' "$dir/verdicts" || fail "in an empty root: status $status: $(cat "$dir/verdicts")"
  inside /couplet/bin/couplet verify --certificate /tmp/cert /work/laplace.dp > /dev/null
  inside /couplet/bin/couplet-check /tmp/cert /work/laplace.dp > /dev/null || fail "couplet-check in an empty root: status $?"
  echo "runs in an empty root"
elif unshare --mount --pid --fork sh -c 'mount -t proc proc "$0/proc"' "$jail" 2>/dev/null; then
  fail "does not run in an empty root: $(cat "$dir/why")"
else
  echo "not tried in an empty root: that needs the rights of root"
fi

# The action: installs the tarball from an address, refuses a wrong sum, and judges.
export RUNNER_TEMP=$dir/runner GITHUB_OUTPUT=$dir/output GITHUB_STEP_SUMMARY=$dir/summary GITHUB_PATH=$dir/path
mkdir "$RUNNER_TEMP"
program=$(bash scripts/action_install.sh "file://$tarball") || fail "action_install.sh: status $?"
status=0
FILES="examples/automata/svt.dp examples/incorrect/noisy_max_*.dp" TIMEOUT=60 JOBS=1 SARIF=$dir/action.sarif JUNIT=$dir/action.xml \
  ALLOW_UNKNOWN=false STRICT=true bash scripts/action.sh "$program" > "$dir/action.log" 2>&1 || status=$?
[ "$status" = 10 ] || fail "action.sh: status $status: $(cat "$dir/action.log")"
grep -q '^status=10$' "$GITHUB_OUTPUT" && grep -q '^| ❌ refuted | noisy' "$GITHUB_STEP_SUMMARY" && grep -q '^  refuted  noisy_max_1' "$dir/action.log" ||
  fail "the job does not say what happened: $(cat "$dir/action.log" "$GITHUB_STEP_SUMMARY")"
grep -q '"claim-refuted"' "$dir/action.sarif" && grep -q 'type="refuted"' "$dir/action.xml" || fail "SARIF or JUnit is missing"
status=0
FILES="none*.dp" TIMEOUT=60 JOBS=1 SARIF=$dir/x bash scripts/action.sh "$program" >/dev/null 2>&1 || status=$?
[ "$status" = 2 ] || fail "without files the status is $status"
echo "0000  $(basename "$tarball")" > "$tarball.sha256"
! bash scripts/action_install.sh "file://$tarball" >/dev/null 2>&1 || fail "a wrong sum is accepted"
! bash scripts/action_install.sh "file://$dir/nothing.tar.gz" >/dev/null 2>&1 || fail "a missing tarball is accepted"
cat "$dir/said"
