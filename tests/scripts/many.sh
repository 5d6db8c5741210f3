#!/usr/bin/env bash
# Many files on many machines: the merged records of shards are the record of one run, byte for byte,
# in every rendering; as a CI matrix, under GNU parallel, and as a Slurm job array (Slurm itself is not
# here: its environment is imitated). With COUPLET_TEST_SCALE=1 there are 10,000 files.
# ctest-label: release
set -euo pipefail
couplet=$(realpath "$1")
root=$PWD
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAIL: $*"; failed=1; }
count=30
! awk "BEGIN { exit !(${COUPLET_TEST_SCALE:-0} >= 1) }" || count=10000
mkdir "$dir/in"
python3 tests/many/generate.py $count "$dir/in" > "$dir/list"
cd "$dir"
options=(--search 1 --no-times)
run() { # run STATUS OUT COMMAND...: stdout to OUT, stderr to OUT.err
  local wanted=$1 out=$2 status=0
  shift 2
  "$couplet" "$@" > "$out" 2> "$out.err" || status=$?
  [ "$wanted" = any ] || [ "$status" = "$wanted" ] || fail "couplet $*: status $status instead of $wanted"
}
same() { cmp "$1" "$2" || fail "$1 and $2 differ"; }

# As a CI matrix: each job has its shard, the last one merges what they left.
run 2 whole.json verify "${options[@]}" --jobs 2 --json --files-from list --sarif whole.sarif --junit whole.xml --badge whole.svg
for k in 1 2 3 4; do run any "shard-$k.json" verify "${options[@]}" --json --shard $k/4 --files-from list; done
run 2 merged.json merge --json shard-3.json shard-1.json shard-4.json shard-2.json --sarif merged.sarif --junit merged.xml --badge merged.svg
for kind in json json.err sarif xml svg; do same whole.$kind merged.$kind; done
[ "$(grep -c '"file": ' whole.json)" -ge "$count" ] || fail "the run has too few files"
# The other renderings, from the record and from the shards.
for form in "" --markdown; do
  run 2 "whole$form.txt" merge $form whole.json
  run 2 "merged$form.txt" merge $form shard-?.json
  same "whole$form.txt" "merged$form.txt"
done
head -n 12 list > short
run 2 text verify "${options[@]}" --files-from short
run 2 short.json verify "${options[@]}" --json --files-from short
run 2 text.merged merge short.json
same text text.merged
same text.err text.merged.err

# Each file is in one shard, and no shard is idle.
for k in 1 2 3 4; do python3 -c 'import json,sys; print("\n".join(f["file"] for f in json.load(open(sys.argv[1]))["files"]))' "shard-$k.json"; done > dealt
sort dealt | cmp - <(sort list) || fail "the shards do not have each file once"

# More shards than files: the claims are dealt out, and what is said about a claim goes with it.
{ cat in/claims_00005.dp; echo 'lemma third : 1 < 2;'; } > several.dp
cp in/claims_00007.dp warned.dp
run 10 few.json verify "${options[@]}" --json several.dp warned.dp in/claims_00006.dp in/claims_00003.dp
for k in 1 2 3 4 5; do run any "claims-$k.json" verify "${options[@]}" --json --shard $k/5 several.dp warned.dp in/claims_00006.dp in/claims_00003.dp; done
run 10 few.merged merge --json claims-?.json
same few.json few.merged
grep -q '"by": "claim"' claims-1.json || fail "four files in five shards are not dealt out by claims"

# GNU parallel.
if parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
  parallel -j 2 "$couplet" verify "${options[@]}" --json --shard {}/3 --files-from short '>' par-{}.json '2>/dev/null' ::: 1 2 3 || true
  run 2 par.merged merge --json par-?.json
  same short.json par.merged
else
  echo "SKIPPED: GNU parallel is not installed (Debian: parallel)"
fi

# Slurm: the script sees what sbatch gives a task; here an array that begins at 10, with steps of 5.
for id in 20 10 15; do
  SLURM_ARRAY_TASK_ID=$id SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_STEP=5 SLURM_ARRAY_TASK_COUNT=3 COUPLET=$couplet \
    bash "$root/scripts/slurm.sh" jobs "${options[@]}" --files-from short 2>/dev/null || fail "slurm.sh fails for task $id"
done
run 2 slurm.merged merge --json jobs/shard-*.json
same short.json slurm.merged
(unset SLURM_ARRAY_TASK_ID; ! bash "$root/scripts/slurm.sh" jobs x.dp 2>/dev/null) || fail "slurm.sh works outside of an array"
# A task that cannot run leaves no record.
if SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=1 COUPLET=$couplet bash "$root/scripts/slurm.sh" none --no-such-option x.dp 2>/dev/null; then
  fail "slurm.sh hides a failure"
fi
[ -z "$(ls none)" ] || fail "slurm.sh leaves a record of a failure"

# What does not fit is bad input, and says what.
refused() { # refused WORDS COMMAND...
  local words=$1
  shift
  run "$status" refusal "$@"
  [ ! -s refusal ] || fail "couplet $*: prints a report"
  grep -qF -- "$words" refusal.err || fail "couplet $*: $(cat refusal.err)"
}
status=2
refused 'shard 2/4 of the run of shard-1.json is missing' merge shard-1.json shard-3.json shard-4.json
refused 'are both shard 1/4' merge shard-?.json shard-1.json
refused "'in/claims_00000.dp' is in two records" merge <(sed "s|$dir/||" short.json) <(sed "s|$dir/||" short.json)
refused 'the files are not those of the run' merge shard-1.json shard-2.json shard-3.json <(sed 's/claims_00003/claims_99999/' shard-4.json)
refused 'the shard does not have what its number says' merge shard-1.json shard-2.json shard-3.json \
  <(python3 -c 'import json; r = json.load(open("shard-4.json")); r["files"].pop(); print(json.dumps(r))')
refused 'another version' merge <(sed 's/"version": 2/"version": 1/' short.json)
refused 'an entry of "files" is malformed' merge <(sed 's/"proved"/"prooved"/' short.json)
refused '"shard" is malformed' merge <(sed 's/"number": 4/"number": 5/' shard-4.json)
refused 'not a record' merge <(echo '[]')
refused ':1:10: not JSON' merge <(echo '{"files" 1}')
refused 'nowhere.json' merge nowhere.json
refused 'none.list' verify --files-from none.list
status=1
refused 'expected K/N' verify --shard 5/4 in/claims_00000.dp
refused 'expected K/N' verify --shard 0/4 in/claims_00000.dp
refused 'expected K/N' verify --shard 1/-4 in/claims_00000.dp
refused 'no record given' merge

# Damaged records: an answer or an error, never a crash.
python3 - "$couplet" <<'PYTHON' || failed=1
import copy, json, random, subprocess, sys
chance = random.Random(3)
record = json.load(open("few.json"))
def places(value, path=()):
    if path:
        yield path
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from places(value[key], path + (key,))
def damage(document):
    at, path = document, chance.choice(list(places(document)))
    for key in path[:-1]:
        at = at[key]
    if chance.random() < 0.3:
        del at[path[-1]]
    else:
        at[path[-1]] = chance.choice([None, [], {}, "", "x", -1, 10**18, 0.5, True, [None], {"text": 3}])
statuses = {}
for i in range(60):
    copied = copy.deepcopy(record)
    for _ in range(chance.randint(1, 3)):
        damage(copied)
    json.dump(copied, open("damaged.json", "w"))
    status = subprocess.run([sys.argv[1], "merge", "damaged.json", "--html", "page", "--sarif", "log", "--junit", "xml"], capture_output=True).returncode
    assert status in (0, 2, 10, 20, 30), (status, copied)
    statuses[status] = statuses.get(status, 0) + 1
assert len(statuses) >= 2, statuses
PYTHON
exit $failed
