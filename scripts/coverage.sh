#!/usr/bin/env bash
# Line and branch coverage per folder of src/, after the tests ran in a coverage build.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
command -v gcovr >/dev/null || scripts/setup.sh coverage
gcovr --root . --filter 'src/' --object-directory "$build" --print-summary --html-details "$build/coverage.html" | tail -n 4
echo "details: $build/coverage.html"
