#!/usr/bin/env bash
# Every command of the tutorial, the README and the other pages prints what the page says.
# To update a page: python3 tests/tutorial/run.py build/couplet docs/tutorial.md --bless
# ctest-label: release
set -euo pipefail
pages=$(grep -l '^```console' docs/*.md README.md)
[ "$(wc -w <<<"$pages")" -ge 5 ] || { echo "FAIL: only $pages"; exit 1; }
# A command that is shown is run: the playground ends only when it is told to.
! grep -Pzo '\n```\n\$ (?!couplet serve)[^\n]*' docs/*.md README.md || { echo "FAIL: these commands are not in a console block"; exit 1; }
python3 tests/tutorial/run.py "$1" $pages
