#!/usr/bin/env bash
# The grammars in editors/ have the words of the parser and colour every example as the lexer reads it.
# ctest-label: release
set -euo pipefail
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
export COUPLET=$1
python3 -B tests/grammar/test_grammar.py
command -v vim >/dev/null || echo "no vim: its colours and indentation were not tested"
