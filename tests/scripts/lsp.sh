#!/usr/bin/env bash
# The language server, by a scripted client over its standard input and output (tests/lsp).
# ctest-cost: 15
# ctest-label: release
set -euo pipefail
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
export COUPLET=$1
python3 -B -m unittest discover -q -s tests/lsp -p 'test_*.py'
