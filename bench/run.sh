#!/usr/bin/env bash
# make bench: every benchmark, one after the other, on one core. Figures, not assertions.
set -uo pipefail
export COUPLET_CACHE=off # every figure is measured, none recalled
cd "$(dirname "$0")/.."
for script in bench/*.sh; do
  [ "$script" = bench/run.sh ] && continue
  [ "$script" = bench/refute_correct.sh ] && continue # an hour: by hand
  echo "== $script"
  bash "$script" || echo "$script failed"
  echo
done
