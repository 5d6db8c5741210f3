#!/usr/bin/env bash
# The VS Code extension: its own tests (manifest, client, grammars in the real engine) and the package.
# Runs where npm is and editors/vscode/node_modules was installed, or may be: COUPLET_TEST_NPM=1 installs it first.
# ctest-label: release
set -euo pipefail
cd "$(dirname "$0")/../../editors/vscode"
skip() { echo "skipped: $*"; exit 77; }
command -v npm >/dev/null || skip "no npm"
if [ ! -d node_modules ]; then
  [ "${COUPLET_TEST_NPM:-}" = 1 ] || skip "editors/vscode/node_modules is missing (npm ci; or COUPLET_TEST_NPM=1)"
  npm ci --no-audit --no-fund >/dev/null 2>&1 || skip "npm ci does not work here (no network?)"
fi
npm test 2>&1 | grep -E '^(not ok|# (tests|pass|fail) )|error:' || true
npm test >/dev/null 2>&1

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
npx vsce package --allow-missing-repository --out "$out/couplet.vsix" >"$out/log" 2>&1 || { cat "$out/log"; exit 1; }
python3 - "$out/couplet.vsix" <<'PY'
import json, sys, zipfile
names = zipfile.ZipFile(sys.argv[1]).namelist()
manifest = json.loads(zipfile.ZipFile(sys.argv[1]).read("extension/package.json"))
wanted = [manifest["main"]] + [e[k] for k, list_ in (("configuration", "languages"), ("path", "grammars"), ("path", "snippets"))
                               for e in manifest["contributes"][list_]]
missing = [w for w in wanted if "extension/" + w.removeprefix("./") not in names]
assert not missing, f"not in the package: {missing}"
assert any(n.startswith("extension/node_modules/vscode-languageclient/") for n in names), "the client library is not in the package"
assert not [n for n in names if n.startswith("extension/test/") or "textmate" in n.split("node_modules/")[-1].split("/")[0]], "the package has test files"
print(f"vscode: package with {len(names)} files")
PY
