#!/usr/bin/env bash
# The server of the playground: what it answers and to whom (tests/serve/test_api.py), and what is left of it after
# hostile requests (tests/serve/hostile.py: 1,500 of them, 10,000 with COUPLET_TEST_SCALE=1).
set -euo pipefail
command -v python3 >/dev/null || { echo "SKIPPED: no python3"; exit 77; }
export COUPLET=$1
if [[ $("$COUPLET" serve --bind none --folder examples 2>&1) == *"has no server"* ]]; then echo "SKIPPED: built without libmicrohttpd"; exit 77; fi
python3 -B -m unittest discover -q -s tests/serve -p 'test_*.py'
python3 -B tests/serve/hostile.py
