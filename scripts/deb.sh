#!/usr/bin/env bash
# Builds the Debian source and binary packages from what is committed, into build-deb/, installs
# the binary ones in an empty root and tries them there.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$PWD/build-deb
rm -rf "$out"
mkdir -p "$out/couplet"
git archive HEAD | tar -x -C "$out/couplet"
echo "== building (log: build-deb/build.log)"
(cd "$out/couplet" && dpkg-buildpackage -us -uc -j"$(nproc)") > "$out/build.log" 2>&1 || {
  tail -n 30 "$out/build.log"; echo "deb.sh: the packages could not be built" >&2; exit 1; }

echo "== trying them in a root of their own"
root=$out/root
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
touch "$root/var/lib/dpkg/status"
# The libraries they depend on are those of this machine, so dpkg cannot see them in the root.
dpkg --root="$root" --force-depends --force-not-root --force-script-chrootless --log=/dev/null \
  -i "$out"/*.deb > "$out/install.log" 2>&1 || { tail "$out/install.log"; exit 1; }
for package in couplet libcouplet0 libcouplet-dev python3-couplet; do
  dpkg-query --admindir="$root/var/lib/dpkg" -W -f '${Package} ${Version} ${Status}\n' "$package" | grep 'install ok'
done
version=$(dpkg-parsechangelog -S Version)
[ "$("$root/usr/bin/couplet" --version)" = "couplet $version" ] || { echo "FAIL: version"; exit 1; }
"$root/usr/bin/couplet" verify "$root"/usr/share/doc/couplet/examples/automata/svt.dipa
"$root/usr/bin/couplet" completion bash | cmp - "$root/usr/share/bash-completion/completions/couplet"
library=$(dirname "$(find "$root" -name 'libcouplet.so.0')")
COUPLET_LIBRARY=$library/libcouplet.so.0 PYTHONPATH=$root/usr/lib/python3/dist-packages \
  python3 -B -c "import couplet; assert couplet.version() == '$version'"
"$root/usr/bin/couplet" translate examples/python/survey.py | grep -q "^claim private two_coins" || { echo "FAIL: translate"; exit 1; }
rm -rf "$root" "$out/couplet"
ls "$out"/*.deb "$out"/*.dsc
