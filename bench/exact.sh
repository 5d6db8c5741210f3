#!/usr/bin/env bash
# The exact engine: all input pairs of a small svt, and how time grows with the number of queries.
#   bench/exact.sh [BUILD_DIR]
set -euo pipefail
export COUPLET_CACHE=off # every figure is measured, none recalled
cd "$(dirname "$0")/.."
"${1:-build}/bench_exact" examples/correct bench
