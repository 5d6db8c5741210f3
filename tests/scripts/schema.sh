#!/usr/bin/env bash
# What --json prints is what docs/schema says, for every command that has --json.
# tests/schema/validate.py closes the schemas, so that a field nobody described fails.
# ctest-label: release
set -euo pipefail
couplet=$1
python3 -c 'import jsonschema' 2>/dev/null || { echo "SKIPPED: python3-jsonschema is not installed"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAIL: $*"; failed=1; }
out=0
put() { # put STATUS COMMAND...: one more output, which must end with that status
  local wanted=$1 status=0
  shift
  out=$((out + 1))
  "$couplet" "$@" > "$dir/$kind.$out.json" 2>/dev/null || status=$?
  [ "$status" = "$wanted" ] || fail "couplet $*: status $status instead of $wanted"
}
valid() { python3 tests/schema/validate.py "docs/schema/$1.schema.json" "$dir/$1".*.json || failed=1; }

echo 'lemma yes : 1 < 2; lemma no : 1 = 0;' > "$dir/lemmas.dp"
kind=record
put 10 verify --json --search 2 examples/automata/svt.dp examples/automata/not_private_sort.dp examples/proofs/laplace.dp \
  examples/incorrect/noisy_max_1.dp
put 2 verify --json tests/unit/report/data/errors.dp "$dir/missing.dp"
put 20 verify --json --no-search examples/correct/laplace.dp
put 10 verify --json --search 2 examples/python/survey.py
put 30 verify --json tests/regress/proofs/admit.dp
put 0 explain --json examples/hints/ptr.dp examples/correct/laplace.dp examples/automata/svt.dipa
put 0 audit --json examples/correct/noisy_hist.dp tests/regress/lemmas/used.dp
put 0 verify --json --shard 2/3 examples/automata/svt.dp
put 0 verify --json --shard 1/3 examples/automata/svt.dp
put 0 verify --json --shard 3/3 examples/automata/svt.dp
put 10 verify --json --no-search "$dir/lemmas.dp"
put 10 report --json examples/incorrect/noisy_max_1.dp examples/proofs/laplace.dp examples/automata/svt.dp
put 0 merge --json "$dir"/record.{8,9,10}.json
valid record

kind=prob
put 0 prob --json tests/regress/prob_program/mechanisms.dp --mechanism noisy_max --digits 6
put 0 prob --json tests/regress/prob_program/mechanisms.dp --mechanism noisy --output 1/2..3 --digits 30
put 0 prob --json tests/regress/prob/numeric.dipa --eps 2 --output begin,below,-1/2..1.5 --inputs 0,-1,1
valid prob
kind=run
put 0 run --json --seed 1 --samples 50 tests/regress/run/json_discrete.dp
put 0 run --json --seed 1 --samples 50 tests/regress/run/json_real.dp
valid run
kind=error
put 2 prob --json tests/unit/report/data/errors.dp
put 2 run --json tests/unit/report/data/errors.dp
valid error
kind=compose
put 0 compose --json 1/10x10 --delta 1e-6
put 0 compose --json gauss:10x3 --delta 1e-6
put 0 compose --json laplace:10 --epsilon 1/20
valid compose
kind=tune
put 0 tune --json examples/tune/noisy_max.dp
put 0 tune --json --compare examples/correct/noisy_max.dp
valid tune

# Every command that offers --json was tried above.
for command in $("$couplet" --help | grep -oE '^  [a-z]+ ' | tr -d ' '); do
  "$couplet" "$command" --help | grep -q -- '--json' || continue
  grep -qE "^put [0-9]+ $command --json" "$0" || fail "couplet $command --json is not tried"
done
# A number is a number.
python3 - "$dir"/record.1.json <<'PYTHON' || failed=1
import json, sys
claims = {c["name"]: c for f in json.load(open(sys.argv[1]))["files"] for c in f["claims"]}
c = claims["noisy_max_1"]
assert c["verdict"] == "refuted" and c["lower"] > 1 and c["lower_unit"] == "claim", c
assert c["lower_text"].startswith("%.3f" % c["lower"]), c["lower_text"]
assert c["counterexample"]["probabilities"][0]["low"] > 0
assert claims["svt"]["cost_number"] == 1.25 and claims["svt"]["cost"] == "5/4", claims["svt"]
PYTHON

for schema in docs/schema/*.json; do
  kind=$(basename "$schema" .schema.json)
  ls "$dir/$kind".*.json >/dev/null 2>&1 || fail "$schema was not tried"
done
echo "$out outputs"
exit $failed
