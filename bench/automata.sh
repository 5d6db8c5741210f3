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
import os, statistics, sys, time
wall, cpu = [], []
for _ in range(41):
    begin = time.perf_counter()
    null = os.open("/dev/null", os.O_WRONLY)
    pid = os.posix_spawn(sys.argv[1], [sys.argv[1], "verify", "--no-cache", sys.argv[2]], os.environ,
                         file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
    _, _, usage = os.wait4(pid, 0)
    os.close(null)
    wall.append((time.perf_counter() - begin) * 1e3)
    cpu.append((usage.ru_utime + usage.ru_stime) * 1e3)
print(f"{statistics.median(wall):.1f} ms wall clock, {statistics.median(cpu):.1f} ms CPU (medians of 41; least "
      f"{min(wall):.1f} and {min(cpu):.1f})")
PY
)"
for m in 20 40 80; do
  python3 bench/gen_m_range.py $m --dipa > "$large.dipa"
  echo "couplet verify on m-Range m=$m: $( { TIMEFORMAT='%R s wall clock, %U s CPU'; time "$build/couplet" verify --no-cache "$large.dipa" > /dev/null; } 2>&1 )"
done
rm -f "$large.dipa"
printf 'family\tsize\tstates\tedges\tverdict\tlower\tupper\tcpu ms\tpeak MB\n'
for m in 5 20 80; do "$build/bench_automata" m_range $m 11; done
for k in 10 50 200 201; do "$build/bench_automata" k_min_max $k 11; done
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
"$build/bench_automata_disjunctions" 6000 31 100
