#!/usr/bin/env bash
# Couplet on another Debian or Ubuntu, in a root of its own: packages by setup.sh, what is committed built
# there, and its tests.
#   scripts/debian_suite.sh SUITE ROOT [CTEST_ARGUMENT...]     (trixie, bookworm, noble, ...)
# Needs to be root, debootstrap, and a mirror; MIRROR names one. ROOT is kept, and used again if it is there.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,5s/^# //p' "$0" >&2; exit 1; }
cd "$(dirname "$0")/.."
suite=$1 root=$(realpath -m "$2")
shift 2
case $suite in
  jammy | noble | plucky) usual=http://archive.ubuntu.com/ubuntu ;;
  *) usual=http://deb.debian.org/debian ;;
esac
if [ ! -x "$root/usr/bin/apt-get" ]; then
  components=main
  [[ $usual != *ubuntu* ]] || components=main,universe
  debootstrap --variant=minbase --components=$components "$suite" "$root" "${MIRROR:-$usual}"
fi
cp /etc/resolv.conf "$root/etc/"
for name in proc dev; do
  mountpoint -q "$root/$name" || mount --bind "/$name" "$root/$name"
done
trap 'umount "$root/dev" "$root/proc"' EXIT
mkdir -p "$root/src"
git archive HEAD | tar -x -C "$root/src"
inside() {
  chroot "$root" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    COUPLET_TEST_SCALE="${COUPLET_TEST_SCALE:-0.4}" bash -euc 'cd /src; "$@"' -- "$@"
}
inside apt-get update -qq
inside scripts/setup.sh build test
inside cmake --preset ci
inside cmake --build build
inside ctest --test-dir build --output-on-failure -j "$(nproc)" "$@"
