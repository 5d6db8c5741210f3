#!/usr/bin/env bash
# Installs the Debian packages that the build and the tests need, and only those that are missing.
#   scripts/setup.sh [build|test|fuzz|coverage|deb|browser]...   (default: build test)
set -euo pipefail

build="gcc cmake ninja-build pkg-config libz3-dev libgmp-dev libmpfr-dev libflint-dev libflint-arb-dev libjansson-dev zlib1g-dev libgraphviz-dev graphviz libmicrohttpd-dev"
test="$build clang libcmocka-dev libglpk-dev python3 python3-jsonschema python3-numpy python3-pytest python3-pip python3-setuptools python3-wheel cvc5 parallel"
coverage="$build gcovr"
# The report is tested in Chromium, with Playwright from npm. A node of another origin will do: the
# package npm would conflict with it.
browser="chromium"
command -v node >/dev/null || browser="$browser nodejs"
command -v npm >/dev/null || browser="$browser npm"
! command -v npm >/dev/null || test="$test chromium"
deb="$build debhelper dpkg-dev fakeroot python3"
fuzz="$build clang libclang-rt-14-dev llvm-14"

wanted=""
for group in "${@:-build test}"; do
  for word in $group; do
    case "$word" in
      build) wanted="$wanted $build" ;;
      test) wanted="$wanted $test" ;;
      fuzz) wanted="$wanted $fuzz" ;;
      deb) wanted="$wanted $deb" ;;
      coverage) wanted="$wanted $coverage" ;;
      browser) wanted="$wanted $browser" ;;
      *) echo "setup.sh: unknown group '$word' (build, test, fuzz, coverage, deb or browser)" >&2; exit 1 ;;
    esac
  done
done

missing=""
for package in $wanted; do
  status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
  case "$status" in "install ok installed") ;; *) missing="$missing $package" ;; esac
done
missing=$(printf '%s\n' $missing | sort -u | tr '\n' ' ')
[ -n "${missing// /}" ] || exit 0

echo "setup: installing $missing"
as_root=""
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "setup.sh: not root and no sudo; install by hand: $missing" >&2; exit 1; }
  as_root=sudo
fi
$as_root apt-get update -qq
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
