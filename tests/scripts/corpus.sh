#!/usr/bin/env bash
# Programs as people write them: verdicts against the truth and the tables of tests/corpus. A sample of them, all with
# COUPLET_TEST_SCALE=1.
# ctest-label: release
# ctest-cost: 44
set -euo pipefail
"$1" fmt --check $(find tests/corpus -name '*.dp') || { echo "FAIL: these files are not formatted"; exit 1; }
exec python3 tests/corpus/corpus.py "$1"
