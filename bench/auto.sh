#!/usr/bin/env bash
# Push-button verdicts: every mechanism of examples/correct (no proof in the file) and examples/incorrect, on one core, against
# what other tools need. Figures and how they compare with our targets.
#   bench/auto.sh [BUILD_DIR [--comparison]]
set -euo pipefail
export COUPLET_CACHE=off # every figure is measured, none recalled
cd "$(dirname "$0")/.."
exec python3 bench/auto.py "${1:-build}/couplet" "${@:2}"
