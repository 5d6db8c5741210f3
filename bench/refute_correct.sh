#!/usr/bin/env bash
# The refuter on mechanisms that are private: it must not refute one, however long it looks.
#   bench/refute_correct.sh [SECONDS [BUILD_DIR]]      seconds of computing per claim, default 60
set -uo pipefail
export COUPLET_CACHE=off # every figure is measured, none recalled
cd "$(dirname "$0")/.."
if "${2:-build}/bench_refute" "${1:-60}" examples/correct/*.dp; then
  echo "no correct mechanism was refuted"
else
  echo "A CORRECT MECHANISM WAS REFUTED"
  exit 1
fi
