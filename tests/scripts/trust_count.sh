#!/usr/bin/env bash
# The sizes in docs/trust.md are true, and every file of couplet-check belongs to one of its parts.
set -euo pipefail
command -v python3 >/dev/null || exit 77
python3 scripts/trust_count.py --check "$(dirname "$1")"
echo "docs/trust.md has the sizes of today"
