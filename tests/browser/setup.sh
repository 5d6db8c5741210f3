# Sourced by the tests that need a browser, with $couplet set: finds Chromium ($chromium) and installs Playwright and axe,
# by name and version, once, beside the build ($modules). Skips the test where that cannot be done.
skip() { echo "SKIPPED: $*"; exit 77; }
case $couplet in *build/couplet) ;; *) skip "in the release build only" ;; esac
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "no Chromium"
command -v node >/dev/null || skip "no node"
command -v npm >/dev/null || skip "no npm"
modules=$(dirname "$couplet")/browser
mkdir -p "$modules"
exec 9>"$modules/lock"
flock 9 # two tests may want it at once
cp tests/browser/*.js* "$modules"
if ! cmp -s tests/browser/package.json "$modules/installed"; then
  (cd "$modules" && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 timeout 90 npm install --no-audit --no-fund --no-package-lock --silent) >/dev/null 2>&1 ||
    skip "npm cannot install playwright-core and axe-core"
  cp tests/browser/package.json "$modules/installed"
fi
flock -u 9
