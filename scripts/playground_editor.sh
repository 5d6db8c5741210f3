#!/usr/bin/env bash
# Bundles CodeMirror for the playground: scripts/playground_editor.sh BUILD writes BUILD/playground/bundle.js.
# Needs npm and its registry; nothing else of Couplet does. With --once, as part of a build: tries the
# first time only, for a minute and a half at most, and does not fail.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "$1" = --once ]; then
  command -v npm >/dev/null && mkdir "$2/playground" 2>/dev/null || exit 0
  timeout 90 scripts/playground_editor.sh "$2" 2>/dev/null || echo "The playground keeps its own editor: npm did not get CodeMirror ('make playground-editor' tries again)."
  exit 0
fi
build=$(realpath "$1")
command -v npm >/dev/null || { echo "playground_editor.sh: npm is not installed; the playground works without it" >&2; exit 1; }
out=$build/playground
work=$out/npm
mkdir -p "$work"
cp editors/playground/package.json editors/playground/codemirror.js "$work"
(cd "$work" && npm install --no-audit --no-fund --no-package-lock --silent)
"$work/node_modules/.bin/esbuild" "$work/codemirror.js" --bundle --minify --format=iife --target=es2022 --log-level=warning \
  --legal-comments=eof --outfile="$out/bundle.js"
echo "written: $out/bundle.js ($(wc -c < "$out/bundle.js") bytes); couplet serve uses it from now on"
