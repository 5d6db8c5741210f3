#!/usr/bin/env bash
# Finite claims and pairs of inputs by exact computation: seconds of processor time, and the verdict.
#   bench/finite.sh [BUILD_DIR]
# The tasks are those of docs/exact.md, as programs and as .dip files (bench/gen_dip.py), and sums of
# docs/accountant.md.
set -euo pipefail
export COUPLET_CACHE=off # every figure is measured, none recalled
cd "$(dirname "$0")/.."
couplet=$(realpath "${1:-build}")/couplet
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# task NAME COMMAND...: what it answers, and how long that took
task() {
  local name=$1 times="$folder/times"
  shift
  local answer
  answer=$({ TIMEFORMAT=%U; time "$@" 2>&1; } 2>"$times" | grep -oE '^  (proved|refuted|unknown)|^(delta|epsilon) .*' | head -1 || true)
  printf '%-44s %8s s  %s\n' "$name" "$(tail -1 "$times")" "$answer"
  [ -n "$answer" ] || { echo "bench/finite.sh: no answer from: $*" >&2; "$@" >&2 || true; exit 1; }
}
# claim FILE TEXT: the example with another claim
claim() {
  sed '/^claim/,$d' "examples/finite/$1.dp"
  echo "claim private $1 epsilon eps delta 1/100 at $2;"
}
vector() { python3 -c "print('[' + ','.join(str($2) for i in range($1)) + ']')"; }

task "sparse vector, 25 queries, one pair" "$couplet" prob examples/finite/sparse_vector.dp --param eps=1/2 --param n=25 \
  --input "q=$(vector 25 'i % 2')" --other "q=$(vector 25 '1 - i % 2')" --epsilon 1/2
for n in ${SIZES:-4 6 8}; do
  claim sparse_vector "eps = 1/2, n = $n, q in {-1, 0, 1}" >"$folder/svt$n.dp"
  task "sparse vector, $n queries, all pairs" "$couplet" verify --no-search "$folder/svt$n.dp"
done
task "noisy max, 6 queries, one pair" "$couplet" prob examples/finite/noisy_max.dp --param eps=1/2 --param n=6 \
  --input "q=$(vector 6 'i % 2')" --other "q=$(vector 6 '1 - i % 2')" --epsilon 1/2
task "range, 3 of them, one pair" "$couplet" prob examples/finite/ranges.dp --param eps=1/2 --param m=3 \
  --input "q=$(vector 3 'i % 2')" --other "q=$(vector 3 '1 - i % 2')" --epsilon 1/2
claim ranges "eps = 1/2, m = 3, q in {-1, 0, 1}" >"$folder/ranges.dp"
task "range, 3 of them, all pairs" "$couplet" verify --no-search "$folder/ranges.dp"
task "minimum and maximum of 4, one pair" "$couplet" prob examples/finite/min_max.dp --param eps=1/2 --param k=4 \
  --input "q=$(vector 5 'i % 2')" --other "q=$(vector 5 '1 - i % 2')" --epsilon 1/2 --digits 6
sed 's/Gauss/Lap/g; s/delta 1\/100//' "$folder/svt4.dp" >"$folder/laplace.dp"
task "sparse vector with Laplace noise, 4, all pairs" "$couplet" verify --no-search "$folder/laplace.dp"

# The same, and one pair at a time, from files with loop-free programs.
dip() { bench/gen_dip.py "$1" "$2" "${3:-gauss}" >"$folder/$1_$2.dip"; }
dip_pair() { # TASK SIZE INPUTS
  dip "$1" "$2"
  task ".dip $1 $2, one pair" "$couplet" prob "$folder/$1_$2.dip" --param eps=1/2 \
    --input "input=$(vector "$3" 'i % 2')" --other "input=$(vector "$3" '1 - i % 2')" --epsilon 1/2
}
dip_all() {
  dip "$@"
  task ".dip $*, all pairs" "$couplet" verify --no-search "$folder/$1_$2.dip"
}
dip_pair sparse_vector 25 25
dip_pair noisy_max 6 6
dip_pair ranges 3 3
dip_pair min_max 4 5
dip_all sparse_vector 8
dip_all ranges 3
dip_all sparse_vector 4 lap

task "14062 sampled normal steps, epsilon" "$couplet" compose sgauss:1.1:256/60000x14062 --delta 1e-5
task "10000 normal steps, epsilon" "$couplet" compose gauss:100x10000 --delta 1e-5
task "10000 normal steps, delta" "$couplet" compose gauss:100x10000 --epsilon 1
