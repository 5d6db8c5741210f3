#!/usr/bin/env bash
# What only the solver believes is not proved. With --trust-solver it is admitted: status 30, and every
# rendering says so.
# ctest-label: release
set -euo pipefail
couplet=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAIL: $*"; failed=1; }
cp tests/regress/attacks/solver_lemma.dp "$dir/lemma.dp"
cp tests/regress/attacks/solver_leak.dp "$dir/leak.dp"
cd "$dir"
run() { # run STATUS COMMAND...: output in $dir/out
  local wanted=$1 status; shift
  set +e; "$couplet" "$@" >out 2>err; status=$?; set -e
  [ "$status" = "$wanted" ] || { fail "status $status instead of $wanted: $*"; cat out err; }
}
says() { tr -s ' \n' ' ' <"$1" | grep -qF -- "$2" || { fail "$1 does not say '$2'"; head -c 2000 "$1"; }; }
for file in lemma.dp leak.dp; do
  run 20 verify --no-search "$file"
  says out "rests on the solver alone: not ("
  run 20 verify --no-search --json "$file"
  python3 -c '
import json, sys
c = json.load(open("out"))["files"][0]["claims"][0]
assert c["verdict"] == "unknown" and c["reason"].startswith("rests on the solver alone: not ("), c'
  [ "$file" = lemma.dp ] || continue # in every rendering: one is enough
  run 30 verify --no-search --trust-solver --sarif sarif --certificate cert "$file"
  says out "admitted"
  says out "trusts the solver: "
  says out "1 admitted (1 rest on the solver's word: --trust-solver)"
  says sarif "trusts the solver: "
  says sarif '"claim-admitted"'
  if grep -q '"kind"' cert; then fail "$file: what is admitted has a certificate"; fi
  run 30 verify --no-search --trust-solver --json "$file"
  python3 -c '
import json
c = json.load(open("out"))["files"][0]["claims"][0]
assert c["verdict"] == "admitted" and c["reason"].startswith("trusts the solver: "), c
assert c["detail"]["rests_on_solver"] >= 1 and c["detail"]["obligations_proved"] == c["detail"]["obligations"], c'
  run 30 audit --trust-solver "$file"
  says out "some obligations by the SOLVER ALONE"
  says out "by the solver alone"
  says out "trusts the solver: "
  run 30 explain --trust-solver "$file"
  says out "trusts the solver: "
  run 30 report --trust-solver -o page "$file"
  says page/index.html "trusts the solver: "
  says page/index.html "the solver alone"
done
# the cache does not mix the two
export COUPLET_CACHE="$dir/cache"
run 30 verify --trust-solver --no-search leak.dp
run 20 verify --no-search leak.dp
run 30 verify --trust-solver --no-search leak.dp
# --cross-check that confirms nothing says so
mkdir -p bin
printf '#!/bin/sh\necho unknown\n' >bin/cvc5
chmod +x bin/cvc5
PATH=$dir/bin:$PATH run 20 verify --no-search --cross-check lemma.dp
says out "cvc5 confirmed 0 of the solver's 1 answers"
exit $failed
