#!/usr/bin/env bash
# The VS Code extension in VS Code's own extension test host (editors/vscode/host). VS Code comes from npm, as
# code-server, whose workbench runs in headless Chromium: @vscode/test-electron would download VS Code from elsewhere.
# It takes 350 MB and minutes to install, so it is installed on request only: COUPLET_TEST_NPM=1, `make test-vscode`.
# ctest-label: release
set -euo pipefail
couplet=$(realpath "$1")
root=$PWD
extension=$root/editors/vscode
[ -d "$extension/node_modules" ] || [ "${COUPLET_TEST_NPM:-}" = 1 ] ||
  { echo "SKIPPED: editors/vscode/node_modules is missing (COUPLET_TEST_NPM=1 installs it)"; exit 77; }
host=$(dirname "$couplet")/vscode-host
server=$host/node_modules/code-server
[ -e "$host/installed" ] || [ "${COUPLET_TEST_NPM:-}" = 1 ] ||
  { echo "SKIPPED: code-server is not installed (COUPLET_TEST_NPM=1 installs it)"; exit 77; }
. tests/browser/setup.sh

version=4.96.4 # each wants one version of node
case $(node --version) in v20.*) ;; *) skip "code-server $version wants node 20" ;; esac
npm_install() { npm install --ignore-scripts --no-audit --no-fund --no-package-lock --silent "$@" >/dev/null 2>&1; }
if [ ! -e "$host/installed" ]; then
  [ -d "$extension/node_modules" ] || (cd "$extension" && npm ci --no-audit --no-fund >/dev/null 2>&1) || skip "npm ci does not work here"
  mkdir -p "$host"
  (cd "$host" && npm_install --prefix . "code-server@$version") || skip "npm has no code-server here"
  # Its lock file names a module on GitHub; the registry has the same one.
  (cd "$server/lib/vscode" && rm -f npm-shrinkwrap.json && npm_install --omit=dev --legacy-peer-deps) || skip "npm has no modules of VS Code here"
  ln -sfn node_modules "$server/lib/vscode/node_modules.asar"
  (cd "$server/lib/vscode" && npm rebuild @vscode/spdlog node-pty native-watchdog @parcel/watcher >/dev/null 2>&1 &&
    cd "$host" && npm rebuild argon2 >/dev/null 2>&1) || skip "modules of VS Code cannot be built here"
  touch "$host/installed"
fi

dir=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill "$pid" 2>/dev/null || true; rm -rf "$dir"' EXIT
mkdir -p "$dir/ws" "$dir/data/User"
cp examples/correct/svt.dp examples/incorrect/noisy_max_1.dp examples/automata/svt.dipa "$dir/ws"
sed 's/eps > 0/eps >> 0/' examples/correct/svt.dp > "$dir/ws/broken.dp"
sed 's|^  t <. Lap(T, 2/eps);|      t   <$ Lap( T,2/eps ) ;|' examples/correct/svt.dp > "$dir/ws/ugly.dp"
! cmp -s "$dir/ws/svt.dp" "$dir/ws/ugly.dp" || { echo "FAIL: svt.dp is not what this test thinks"; exit 1; }
echo "{\"couplet.path\": \"$couplet\"}" > "$dir/data/User/settings.json"
env -u VSCODE_IPC_HOOK_CLI node "$server/out/node/entry.js" --auth none --bind-addr 127.0.0.1:0 --disable-telemetry --disable-update-check \
  --disable-workspace-trust --user-data-dir "$dir/data" --extensions-dir "$dir/extensions" --config "$dir/config.yaml" "$dir/ws" > "$dir/log" 2>&1 &
pid=$!
for ((i = 0; i < 300; i++)); do
  url=$(grep -oE 'http://127\.0\.0\.1:[0-9]+' "$dir/log" | head -n 1) || true
  [ -z "$url" ] || break
  kill -0 "$pid" 2>/dev/null || { cat "$dir/log"; exit 1; }
  sleep 0.2
done
[ -n "$url" ] || { echo "FAIL: code-server does not start"; cat "$dir/log"; exit 1; }
cp editors/vscode/host/drive.mjs "$modules/"
node "$modules/drive.mjs" "$url" "$dir/ws" "$extension" "$chromium" ${COUPLET_TEST_PICTURE:+"$COUPLET_TEST_PICTURE"}
