#!/usr/bin/env bash
# Only the kernel sees inside judgements: whoever includes its private headers could forge one.
set -euo pipefail
if grep -rnE '#include "kernel/(internal|sampling)\.h"' src --include='*.[ch]' | grep -vE '^src/kernel/'; then
  echo "FAIL: private headers of the kernel are included from outside"
  exit 1
fi
# and only its rules construct them
allowed='^src/kernel/(kernel|rules[a-z_]*|ahl)\.c:'
if grep -rnE 'judgement_new\(|arena_new\([^,]*, struct (judgement|ahl)\)' src --include='*.c' | grep -vE "$allowed"; then
  echo "FAIL: a judgement is made outside of the rules"
  exit 1
fi
echo "the kernel is closed"
