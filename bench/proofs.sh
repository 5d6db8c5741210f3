#!/usr/bin/env bash
# The proofs of the papers' theorems: obligations, solver time, kernel time, wall; per proof and in total.
#   bench/proofs.sh [BUILD_DIR]
set -euo pipefail
cd "$(dirname "$0")/.."
"${1:-build}/bench_proofs" examples/proofs/*.dp
