#!/usr/bin/env bash
# Runs every fuzz target for a while and fails on the first finding.
#   scripts/fuzz.sh BUILD_DIR [SECONDS_PER_TARGET] [TARGET]...
# New inputs are kept in BUILD_DIR/fuzz/corpus; an input that breaks a target is left in
# BUILD_DIR/fuzz/findings: fix the bug and add it to fuzz/corpus/<target>/ as a regression test.
set -euo pipefail
cd "$(dirname "$0")/.."

build=${1:?usage: scripts/fuzz.sh BUILD_DIR [SECONDS_PER_TARGET] [TARGET]...}
seconds=${2:-60}
shift; [ $# -eq 0 ] || shift
targets=${*:-$(cd fuzz && ls fuzz_*.c | sed 's/^fuzz_//; s/\.c$//')}

mkdir -p "$build/fuzz/findings"
failed=0
for target in $targets; do
  case $target in dipa | lsp) language=$target ;; *) language=dp ;; esac
  grown="$build/fuzz/corpus/$target"
  mkdir -p "$grown"
  seeds=()
  for folder in "fuzz/corpus/$language" "fuzz/corpus/$target" tests/regress/syntax examples/correct examples/incorrect; do
    if [ -d "$folder" ] && { [ $language = dp ] || [ "$folder" = "fuzz/corpus/$language" ]; }; then seeds+=("$folder"); fi
  done
  echo "== $target: $seconds s"
  if ! "$build/fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 -max_len=16384 \
      -dict="fuzz/$language.dict" -artifact_prefix="$build/fuzz/findings/$target-" -print_final_stats=1 \
      -verbosity=0 "$grown" "${seeds[@]}" >"$build/fuzz/$target.log" 2>&1; then
    tail -n 60 "$build/fuzz/$target.log"
    echo "fuzz: finding in $target; the input is in $build/fuzz/findings" >&2
    failed=1
  else
    grep -E 'number_of_executed_units|new_units_added|peak_rss' "$build/fuzz/$target.log" || true
  fi
done
exit $failed
