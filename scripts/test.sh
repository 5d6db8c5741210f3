#!/usr/bin/env bash
# Everything CI checks: release build (gcc) with all tests, the warnings of clang, the sanitizer build with the tests that are not
# too slow for it, the library's threads under the thread sanitizer. Ends in one line "N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/.."

jobs=$(nproc)
# Property tests have fewer rounds here, so that the whole takes a quarter of an hour; COUPLET_TEST_SCALE=1 (or more) has
# them all, and whole folders where else a sample is judged.
export COUPLET_TEST_SCALE=${COUPLET_TEST_SCALE:-0.4}
for preset in ci asan tsan; do # ci: the release build with less for debuggers
  dir=$(case $preset in ci) echo build ;; *) echo build-$preset ;; esac)
  target=$(case $preset in
    tsan) echo unit_api_test_api ;;
    *) echo all ;; esac)
  echo "== $preset: configure and build"
  cmake --preset "$preset" >/dev/null
  cmake --build "$dir" --target "$target" -- -j "$jobs" | tail -n 3
done
echo "== clang: warnings"
python3 scripts/clang_warnings.py build

passed=0 failed=0 skipped=0
run_tests() { # run_tests DIR CTEST_ARGUMENT...
  local dir=$1 log status=0 bad
  shift
  echo "== $dir: tests"
  log=$(mktemp)
  ctest --test-dir "$dir" --output-on-failure -j "$jobs" "$@" 2>&1 | tee "$log" || status=1
  passed=$((passed + $(grep -c '   Passed ' "$log" || true)))
  skipped=$((skipped + $(grep -c '\*\*\*Skipped' "$log" || true)))
  bad=$(grep -cE '\*\*\*(Failed|Timeout|Exception|Not Run)|Subprocess' "$log" || true)
  [ "$status" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1 # ctest failed in some other way
  failed=$((failed + bad))
  rm -f "$log"
}
run_tests build
# Under the sanitizers everything is several times slower: tests that say `ctest-label: release` run in the release
# build only.
run_tests build-asan -LE release
TSAN_OPTIONS="suppressions=$PWD/tests/tsan.supp exitcode=66 allocator_may_return_null=1" run_tests build-tsan -R '^unit/api/'
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
