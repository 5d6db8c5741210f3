#!/usr/bin/env bash
# Everything CI checks: release build (gcc) with all tests, sanitizer build with all tests,
# and a warning-free clang build. Ends in one line "N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/.."

jobs=$(nproc)
for preset in release clang asan; do
  dir=$(case $preset in release) echo build ;; *) echo build-$preset ;; esac)
  target=$(case $preset in clang) echo couplet ;; *) echo all ;; esac) # clang: for its warnings
  echo "== $preset: configure and build"
  cmake --preset "$preset" >/dev/null
  cmake --build "$dir" --target "$target" -- -j "$jobs" | tail -n 3
done

passed=0 failed=0 skipped=0
for dir in build build-asan; do
  echo "== $dir: tests"
  log=$(mktemp)
  ctest --test-dir "$dir" --output-on-failure -j "$jobs" 2>&1 | tee "$log" || true
  passed=$((passed + $(grep -c '   Passed ' "$log" || true)))
  skipped=$((skipped + $(grep -c '\*\*\*Skipped' "$log" || true)))
  grep -q '100% tests passed\|tests passed, 0 tests failed' "$log" || failed=$((failed + $(grep -cE '\*\*\*(Failed|Timeout|Exception)|Subprocess' "$log" || true)))
  grep -q 'tests passed, ' "$log" || { echo "test.sh: ctest printed no summary" >&2; failed=$((failed + 1)); }
  rm -f "$log"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
