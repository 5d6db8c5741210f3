#!/usr/bin/env bash
# The Python wrapper: verdicts, errors, certificates, threads; and the example runs.
set -euo pipefail
couplet=$1
build=$(dirname "$couplet")
case $build in *asan*) echo "skipped: python3 itself is not built with the sanitizer"; exit 77 ;; esac
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
export COUPLET_LIBRARY=$build/libcouplet.so PYTHONPATH=python PYTHONDONTWRITEBYTECODE=1
python3 tests/python/test_couplet.py "$couplet"
python3 python/sparse_vector.py > /dev/null
echo "python: fine"
