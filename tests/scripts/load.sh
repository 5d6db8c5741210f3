#!/usr/bin/env bash
# A folder full of claims, two at a time: every verdict is right, the report is the same twice, memory
# does not grow with the number of files, and files that are no input stop nothing.
#   COUPLET_LOAD=N: so many files (default 100; 40 under the sanitizers, which also look for leaks)
set -uo pipefail
couplet=$1
export COUPLET_CACHE=off
case $couplet in *asan*) count=${COUPLET_LOAD:-40} ;; *) count=${COUPLET_LOAD:-100} ;; esac
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "FAIL: $*"; exit 1; }
mkdir "$dir/claims"
python3 tests/load/generate.py "$dir/claims" "$count" examples/automata/svt.dipa > "$dir/expected"
[ "$(ls "$dir/claims" | wc -l)" = "$count" ] || fail "not $count files"

cat > "$dir/run.py" <<'END'
import json, os, resource, subprocess, sys
folder, couplet, out = sys.argv[1:]
names = sorted(os.listdir(folder))
status = subprocess.run([couplet, "verify", "--json", "--jobs", "2"] + [os.path.join(folder, n) for n in names],
                        stdout=open(out, "wb"), stderr=open(out + ".err", "wb")).returncode
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
record = json.load(open(out))
internal = 0
for file in record["files"]:
    name, error = os.path.basename(file["file"]), file.get("error")
    internal += bool(error) and error["code"] == "internal"
    print(name, "error" if error and error["code"] != "internal" else " ".join(c["verdict"] for c in file["claims"]))
print("status %d, largest process %d MB, %d failures" % (status, peak, internal), file=sys.stderr)
# three files are bad input: the worst there is here
sys.exit(0 if peak < 400 and not internal and status == 2 else 1)
END
for round in 1 2; do
  python3 "$dir/run.py" "$dir/claims" "$couplet" "$dir/report.$round" > "$dir/verdicts.$round" || {
    grep -m 5 -E "ERROR|SUMMARY|Tracer" "$dir/report.$round.err"; fail "status or memory"; }
done
diff "$dir/expected" <(sort "$dir/verdicts.1") > "$dir/diff" || { head "$dir/diff"; fail "wrong verdicts"; }
python3 tests/lib/same_records.py "$dir/report.1" "$dir/report.2" || fail "two runs gave two reports"
echo "$count files: $(awk '{print $2}' "$dir/verdicts.1" | sort | uniq -c | tr -s ' \n' ' ')"
