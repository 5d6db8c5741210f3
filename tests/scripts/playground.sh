#!/usr/bin/env bash
# The playground in headless Chromium, driven by Playwright; skipped where these are not installed
# (`make test-browser` installs them). With the page's own editor, and with CodeMirror where
# `make playground-editor` has bundled it.
set -euo pipefail
couplet=$(realpath "$1")
. tests/browser/setup.sh
if [[ $("$couplet" serve --bind none --folder examples 2>&1) == *"has no server"* ]]; then skip "built without libmicrohttpd"; fi
node "$modules/playground.js" "$couplet" "$chromium"
