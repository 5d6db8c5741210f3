#!/usr/bin/env bash
# `make install` puts everything in place, and a program can be built against the library with
# pkg-config alone.
set -euo pipefail
couplet=$1
build=$(dirname "$couplet")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
DESTDIR="$root" cmake --install "$build" --prefix /usr >/dev/null
for file in bin/couplet bin/couplet-check include/couplet.h share/man/man1/couplet.1; do
  [ -f "$root/usr/$file" ] || { echo "FAIL: $file was not installed"; exit 1; }
done
pc=$(find "$root" -name couplet.pc)
[ -n "$pc" ] || { echo "FAIL: couplet.pc was not installed"; exit 1; }
[ "$("$root/usr/bin/couplet" --version)" = "$("$couplet" --version)" ] || { echo "FAIL: wrong version"; exit 1; }
case $build in *asan*) echo "installed; linking is tried in the release build only"; exit 0 ;; esac
cat > "$root/example.c" <<'EOF'
#include <couplet.h>
#include <stdio.h>
int main(void) { return printf("couplet %s\n", cp_version()) < 0; }
EOF
export PKG_CONFIG_PATH=$(dirname "$pc") PKG_CONFIG_SYSROOT_DIR=$root
gcc "$root/example.c" -o "$root/example" -I"$root/usr/include" \
  -L"$(dirname "$(find "$root" -name libcouplet.a)")" $(pkg-config --libs --static couplet | sed "s|-L$root[^ ]*||g")
[ "$("$root/example")" = "$("$couplet" --version)" ] || { echo "FAIL: the example says $("$root/example")"; exit 1; }
echo "installed, and a program was built against it"
