#!/usr/bin/env bash
# Lexer and parser on generated files of 1, 2, 5 and 10 MB: time, MB/s, fitted exponent.
#   bench/parse.sh [BUILD_DIR]
set -euo pipefail
export COUPLET_CACHE=off # every figure is measured, none recalled
cd "$(dirname "$0")/.."
build=${1:-build}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for size in 1 2 5 10; do python3 bench/parse_gen.py $size >"$dir/$size.dp"; done
"$build/bench_parse" "$dir"/1.dp "$dir"/2.dp "$dir"/5.dp "$dir"/10.dp
