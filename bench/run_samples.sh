#!/usr/bin/env bash
# Speed of the sampler: runs per second of a 10-query svt, in processor time, median of five.
#   bench/run_samples.sh [COUPLET]
set -euo pipefail
export COUPLET_CACHE=off # every figure is measured, none recalled
couplet=${1:-build/couplet}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat > "$dir/svt.dp" <<'DP'
param eps : real, eps > 0;
param n, N : int, n >= 0, N > 0;
mechanism svt(private q : real[n], T : real) emits bool
  adjacent all_within(q, 1)
{
  t <$ Lap(T, 2/eps);
  count := 0;
  i := 0;
  while count < N and i < n {
    s <$ Lap(q[i], 4*N/eps);
    if s >= t { emit true; count := count + 1; } else { emit false; }
    i := i + 1;
  }
}
instance ten {
  param eps = 1; param n = 10; param N = 10;
  input q = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  input T = 5;
}
DP
samples=100000
TIMEFORMAT='%U %S'
for _ in 1 2 3 4 5; do
  { time "$couplet" run "$dir/svt.dp" --samples $samples --seed 1 --json >/dev/null; } 2>&1
done | awk -v n=$samples '{ t[NR] = $1 + $2 } END {
  for (i = 1; i <= NR; i++) for (j = i + 1; j <= NR; j++) if (t[j] < t[i]) { x = t[i]; t[i] = t[j]; t[j] = x }
  printf "svt, 10 queries: %d samples in %.2f s of processor time, %d samples/s\n", n, t[3], n / t[3] }'
