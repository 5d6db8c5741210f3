#!/usr/bin/env bash
# The report in headless Chromium, driven by Playwright; skipped where these are not installed
# (`make test-browser` installs them).
set -euo pipefail
couplet=$(realpath "$1")
. tests/browser/setup.sh
node "$modules/report.js" "$couplet" "$chromium"
