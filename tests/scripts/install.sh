#!/usr/bin/env bash
# `make install` puts everything in place, and a program can be built against the library with
# pkg-config alone.
set -euo pipefail
couplet=$1
build=$(dirname "$couplet")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
DESTDIR="$root" cmake --install "$build" --prefix /usr >/dev/null
for file in bin/couplet bin/couplet-check bin/couplet-recount include/couplet.h share/man/man1/couplet.1; do
  [ -f "$root/usr/$file" ] || { echo "FAIL: $file was not installed"; exit 1; }
done
for schema in docs/schema/*.json; do
  cmp -s "$schema" "$root/usr/share/couplet/schema/$(basename "$schema")" || { echo "FAIL: $schema was not installed"; exit 1; }
done
[ "$("$root/usr/bin/couplet" translate examples/python/survey.py)" = "$("$couplet" translate examples/python/survey.py)" ] ||
  { echo "FAIL: the installed program does not translate"; exit 1; }
pc=$(find "$root" -name couplet.pc)
[ -n "$pc" ] || { echo "FAIL: couplet.pc was not installed"; exit 1; }
[ "$("$root/usr/bin/couplet" --version)" = "$("$couplet" --version)" ] || { echo "FAIL: wrong version"; exit 1; }
case $build in *asan*) echo "installed; linking is tried in the release build only"; exit 0 ;; esac

# The example builds with what pkg-config says, against the shared library and the static one, and
# judges like the program does.
export PKG_CONFIG_PATH=$(dirname "$pc") PKG_CONFIG_SYSROOT_DIR=$root
libdir=$(dirname "$(find "$root" -name libcouplet.a)")
judged=(examples/automata/svt.dipa examples/proofs/laplace.dp)
build_and_run() { # build_and_run NAME FLAG...
  local name=$1
  shift
  gcc examples/api/verify.c -o "$root/$name" -I"$root/usr/include" -L"$libdir" "$@"
  LD_LIBRARY_PATH=$libdir "$root/$name" "${judged[@]}" > "$root/$name.out" || { echo "FAIL: $name: status $?"; exit 1; }
  [ "$(grep -c 'is proved' "$root/$name.out")" = 2 ] || { echo "FAIL: $name says"; cat "$root/$name.out"; exit 1; }
}
build_and_run shared $(pkg-config --cflags --libs couplet)
readelf -d "$root/shared" | grep -q 'NEEDED.*libcouplet.so.0' || { echo "FAIL: the soname is not libcouplet.so.0"; exit 1; }
mv "$libdir"/libcouplet.so* "$root"/
build_and_run static $(pkg-config --libs --static couplet | sed "s|-L$root[^ ]*||g")
mv "$root"/libcouplet.so* "$libdir"/
cmp -s "$root/shared.out" "$root/static.out" || { echo "FAIL: the libraries disagree"; exit 1; }

# Only what include/couplet.h declares is visible.
visible=$(nm -D --defined-only "$libdir/libcouplet.so" | awk '{print $3}' | sort)
declared=$(grep -oE '\bcp_[a-z_]+\(' include/couplet.h | tr -d '(' | sort -u)
extra=$(comm -23 <(echo "$visible") <(echo "$declared"))
[ -z "$extra" ] || { echo "FAIL: exported but not declared: $extra"; exit 1; }
for name in $declared; do
  grep -qx "$name" <<< "$visible" || { echo "FAIL: declared but not exported: $name"; exit 1; }
done
echo "installed, and the example was built against both libraries"
