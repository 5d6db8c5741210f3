#!/usr/bin/env bash
# A release that runs wherever it is unpacked: programs, data, and every shared library they need
# except the C library. Writes couplet-VERSION-linux-ARCH.tar.gz and its SHA-256 sum.
#   scripts/release.sh [BUILD] [OUT]      (default: build build-release)
# It runs on systems whose C library is at least as new as the one of this machine.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build} out=${2:-build-release}
version=$("$build/couplet" --version | awk '{print $2}')
name=couplet-$version-linux-$(uname -m)
mkdir -p "$out"
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
root=$stage/$name

cmake --install "$build" --prefix "$root" --strip >/dev/null
# Headers and libraries are for building; packages have them.
rm -rf "$root/include" "$root"/lib* "$root/share/zsh/vendor-completions.old"
mkdir -p "$root/lib/graphviz" "$root/share/doc/couplet/licences"
cp LICENSE CHANGELOG.md README.md "$root/share/doc/couplet/"

# ---- libraries -------------------------------------------------------------------------------
# Z3 and the plugins of Graphviz are loaded at run time, so ldd does not see them.
z3=$(readelf -p .rodata "$build/couplet" | grep -oE 'libz3\.so[.0-9]*' | head -n 1)
path_of() { # the file the compiler would link for that name
  local file
  file=$("${CC:-gcc}" -print-file-name="$1")
  [ "${file#/}" != "$file" ] || { echo "release.sh: $1 was not found" >&2; exit 1; }
  readlink -f "$file"
}
plugins=$(dirname "$(ldd "$build/couplet" | awk '/libgvc\.so/ {print $3}')")/graphviz
loaded=("$(path_of "$z3")" "$plugins"/libgvplugin_core.so.? "$plugins"/libgvplugin_dot_layout.so.?)
cp -L "${loaded[0]}" "$root/lib/$z3"
cp -L "${loaded[@]:1}" "$root/lib/graphviz/"
# Only what is here is in the list of plugins.
awk '/^lib/ {keep = $1 ~ /core|dot_layout/} keep' "$plugins"/config[0-9]* > "$root/lib/graphviz/$(basename "$plugins"/config[0-9]*)"
for file in "$build/couplet" "$build/couplet-check" "$build/couplet-recount" "${loaded[@]}"; do
  ldd "$file" | awk '$2 == "=>" {print $1, $3}'
done | sort -u | while read -r soname path; do
  case $soname in libc.so.* | libm.so.* | libpthread.so.* | libdl.so.* | librt.so.* | ld-linux*) continue ;; esac
  cp -L "$path" "$root/lib/$soname"
  package=$(dpkg -S "$(readlink -f "$path")" 2>/dev/null | head -n 1 | cut -d : -f 1 || true)
  [ -z "$package" ] || cp -L "/usr/share/doc/$package/copyright" "$root/share/doc/couplet/licences/$package" 2>/dev/null || true
done

# ---- is it whole? ----------------------------------------------------------------------------
for program in couplet couplet-check couplet-recount; do
  readelf -d "$root/bin/$program" | grep -q 'RPATH.*\$ORIGIN/../lib' || { echo "release.sh: $program does not look beside itself for libraries" >&2; exit 1; }
done
outside=$(env -u LD_LIBRARY_PATH ldd "$root/bin/couplet" | awk '$2 == "=>" {print $1, $3}' | grep -v " $root/" |
  grep -vE '^(libc|libm|libpthread|libdl|librt)\.so' || true)
[ -z "$outside" ] || { echo "release.sh: taken from this machine: $outside" >&2; exit 1; }

# The same files give the same archive.
tar -C "$stage" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}" -cf - "$name" |
  gzip -n "${COUPLET_GZIP:--9}" > "$out/$name.tar.gz"
(cd "$out" && sha256sum "$name.tar.gz" > "$name.tar.gz.sha256")
echo "$out/$name.tar.gz ($(du -h "$out/$name.tar.gz" | cut -f 1), C library $(ldd --version | awk 'NR == 1 {print $NF}') or newer)"
