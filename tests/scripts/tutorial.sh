#!/usr/bin/env bash
# Every command of the tutorial prints what the tutorial says, and the transcript of the README is one.
# To update it: python3 tests/tutorial/run.py build/couplet docs/tutorial.md --bless
# ctest-label: release
set -euo pipefail
python3 tests/tutorial/run.py "$1" docs/tutorial.md
python3 tests/tutorial/run.py "$1" README.md --here
