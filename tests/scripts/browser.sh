#!/usr/bin/env bash
# The report in headless Chromium, driven by Playwright; skipped where these are not installed
# (`make test-browser` installs them).
set -euo pipefail
couplet=$(realpath "$1")
skip() { echo "SKIPPED: $*"; exit 77; }
case $couplet in *build/couplet) ;; *) skip "in the release build only" ;; esac
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "no Chromium"
command -v node >/dev/null || skip "no node"
command -v npm >/dev/null || skip "no npm"
# Playwright and axe are installed by name and version beside the build, once.
modules=$(dirname "$couplet")/browser
mkdir -p "$modules"
cp tests/browser/* "$modules"
if ! cmp -s tests/browser/package.json "$modules/installed"; then
  (cd "$modules" && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 timeout 90 npm install --no-audit --no-fund --no-package-lock --silent) >/dev/null 2>&1 ||
    skip "npm cannot install playwright-core and axe-core"
  cp tests/browser/package.json "$modules/installed"
fi
node "$modules/report.js" "$couplet" "$chromium"
