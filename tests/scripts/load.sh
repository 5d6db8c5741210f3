#!/usr/bin/env bash
# A folder full of claims, two at a time: every verdict is right, the report is the same twice, memory
# does not grow with the number of files, and files that are no input stop nothing.
#   COUPLET_LOAD=N: so many files (default 1000; 60 under the sanitizers, which also look for leaks)
set -uo pipefail
couplet=$1
export COUPLET_CACHE=off
case $couplet in *asan*) count=${COUPLET_LOAD:-60} ;; *) count=${COUPLET_LOAD:-1000} ;; esac
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
# The leak sanitizer may itself fail in a process whose solver threads are just ending: that is
# known by its message, and the verdicts were sent before.
noise = open(out + ".err", errors="replace").read().count("LeakSanitizer has encountered a fatal error")
internal = 0
for file in record["files"]:
    name, error = os.path.basename(file["file"]), file.get("error")
    internal += bool(error) and error["code"] == "internal"
    print(name, "error" if error and error["code"] != "internal" else " ".join(c["verdict"] for c in file["claims"]))
print("status %d, largest process %d MB, %d failures of the sanitizer" % (status, peak, internal), file=sys.stderr)
# three files are bad input: the worst there is here
sys.exit(0 if peak < 400 and internal <= noise and status == (3 if internal else 2) else 1)
END
for round in 1 2; do
  python3 "$dir/run.py" "$dir/claims" "$couplet" "$dir/report.$round" > "$dir/verdicts.$round" || {
    grep -m 5 -E "ERROR|SUMMARY|Tracer" "$dir/report.$round.err"; fail "status or memory"; }
done
diff "$dir/expected" <(sort "$dir/verdicts.1") > "$dir/diff" || { head "$dir/diff"; fail "wrong verdicts"; }
# the lower bound beside a proof depends on how long the prover took
strip() { grep -vE '"(time_s|solver_s|lower|lower_text)"' "$1"; }
grep -q '"code": "internal"' "$dir"/report.[12] ||
  cmp <(strip "$dir/report.1") <(strip "$dir/report.2") || fail "two runs gave two reports"
echo "$count files: $(awk '{print $2}' "$dir/verdicts.1" | sort | uniq -c | tr -s ' \n' ' ')"
