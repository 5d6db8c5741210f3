#!/usr/bin/env bash
# Threshold automata: the figures of docs/automata.md. Medians of CPU time on one core.
#   bench/automata.sh [BUILD_DIR]       (a release build: cmake --preset release && cmake --build build)
set -euo pipefail
export COUPLET_CACHE=off # every figure is measured, none recalled
cd "$(dirname "$0")/.."
build=${1:-build}
large=$(mktemp)
trap 'rm -f "$large"' EXIT

echo "start-up to verdict on svt.dipa: $(python3 - "$build/couplet" examples/automata/svt.dipa <<'PY'
import statistics, subprocess, sys, time
times = []
for _ in range(21):
    begin = time.perf_counter()
    subprocess.run([sys.argv[1], "verify", sys.argv[2]], stdout=subprocess.DEVNULL)
    times.append((time.perf_counter() - begin) * 1e3)
print(f"{statistics.median(times):.1f} ms (median of 21, wall clock)")
PY
)"
printf 'family\tsize\tstates\tedges\tverdict\tlower\tupper\tcpu ms\tpeak MB\n'
for m in 5 20 80; do "$build/bench_automata" m_range $m 11; done
for k in 10 50 200; do "$build/bench_automata" k_min_max $k 11; done
for family in svt_chain ring random_forward random_any; do
  for n in 10000 100000 1000000; do "$build/bench_automata" $family $n 3; done
done | tee "$large"
python3 - "$large" <<'PY'
import math, sys
rows = {}
for line in open(sys.argv[1]):
    f = line.split("\t")
    rows.setdefault(f[0], []).append((float(f[2]), float(f[7]), float(f[8])))
def slope(points):
    xs = [math.log(x) for x, _ in points]; ys = [math.log(y) for _, y in points]
    mx = sum(xs) / len(xs); my = sum(ys) / len(ys)
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx) ** 2 for x in xs)
for family, r in rows.items():
    print(f"{family}: time grows as n^{slope([(n, t) for n, t, _ in r]):.2f}, "
          f"memory as n^{slope([(n, m) for n, _, m in r]):.2f}")
PY
