#!/usr/bin/env bash
# Installs the packages that the build and the tests need, and only those that are missing: with apt
# (Debian, Ubuntu), dnf (Fedora) or brew (macOS).
#   scripts/setup.sh [--list] [build|test|fuzz|coverage|deb|browser]...   (default: build test)
# --list prints the packages of this system and installs nothing. COUPLET_PACKAGES names another
# package manager than the one that was found.
set -euo pipefail

list=false
[ "${1:-}" = --list ] && { list=true; shift; }
manager=${COUPLET_PACKAGES:-}
for candidate in apt-get dnf brew; do
  [ -n "$manager" ] || ! command -v "$candidate" >/dev/null || manager=$candidate
done

# FLINT 3 contains Arb; before that it is a package of its own.
apt_arb() {
  local version
  version=$(apt-cache policy libflint-dev 2>/dev/null | awk '/Candidate:/ {print $2}')
  case "$version" in 2.* | "" | "(none)") echo libflint-arb-dev ;; esac
}

case "$manager" in
  apt-get)
    build="gcc cmake ninja-build pkg-config libz3-dev libgmp-dev libmpfr-dev libflint-dev $(apt_arb) libjansson-dev zlib1g-dev libgraphviz-dev graphviz libmicrohttpd-dev"
    test="$build clang lld libcmocka-dev libglpk-dev python3 python3-jsonschema python3-numpy python3-pytest python3-pip python3-setuptools python3-wheel cvc5 parallel curl"
    coverage="$build gcovr"
    # The report is tested in Chromium, with Playwright from npm. A node of another origin will do: the
    # package npm would conflict with it.
    browser="chromium"
    command -v node >/dev/null || browser="$browser nodejs"
    command -v npm >/dev/null || browser="$browser npm"
    ! command -v npm >/dev/null || test="$test chromium"
    deb="$build debhelper dpkg-dev fakeroot python3"
    fuzz="$build clang libclang-rt-dev llvm"
    ;;
  dnf)
    build="gcc cmake ninja-build pkgconf-pkg-config z3-devel gmp-devel mpfr-devel flint-devel jansson-devel zlib-devel graphviz-devel graphviz libmicrohttpd-devel"
    test="$build clang lld libcmocka-devel glpk-devel python3 python3-jsonschema python3-numpy python3-pytest python3-pip python3-setuptools python3-wheel cvc5 parallel curl"
    coverage="$build gcovr"
    browser="chromium nodejs npm"
    deb=""
    fuzz="$build clang compiler-rt llvm"
    ;;
  brew)
    build="cmake ninja pkg-config z3 gmp mpfr flint jansson zlib graphviz libmicrohttpd"
    test="$build llvm cmocka glpk python numpy parallel"
    coverage="$build gcovr"
    browser="node chromium"
    deb=""
    fuzz="$build llvm"
    ;;
  *)
    cat >&2 <<'TEXT'
setup.sh: no package manager that this script knows (apt-get, dnf, brew) is here. Couplet needs, with
headers: a C17 compiler, CMake >= 3.20, Ninja, pkg-config, Z3, GMP, MPFR, FLINT >= 2.9 (before FLINT 3 also
Arb), Jansson, zlib, Graphviz (libgvc, libcgraph) and, for `couplet serve`, libmicrohttpd; for the tests also
CMocka, Python 3 with jsonschema, NumPy and pytest. Install these, then run: cmake --preset release &&
cmake --build build
TEXT
    exit 1
    ;;
esac

wanted=""
for group in "${@:-build test}"; do
  for word in $group; do
    case "$word" in
      build | test | fuzz | deb | coverage | browser) wanted="$wanted ${!word}" ;;
      *) echo "setup.sh: unknown group '$word' (build, test, fuzz, coverage, deb or browser)" >&2; exit 1 ;;
    esac
  done
done
wanted=$(printf '%s\n' $wanted | sort -u)
if $list; then
  echo $wanted
  exit 0
fi

is_installed() {
  case "$manager" in
    apt-get) [ "$(dpkg-query -W -f '${Status}' "$1" 2>/dev/null || true)" = "install ok installed" ] ;;
    dnf) rpm -q --whatprovides "$1" >/dev/null 2>&1 ;;
    brew) brew list --versions "$1" >/dev/null 2>&1 ;;
  esac
}
missing=""
for package in $wanted; do is_installed "$package" || missing="$missing $package"; done
[ -n "$missing" ] || exit 0

echo "setup: installing$missing"
as_root=""
if [ "$manager" != brew ] && [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "setup.sh: not root and no sudo; install by hand:$missing" >&2; exit 1; }
  as_root=sudo
fi
case "$manager" in
  apt-get)
    $as_root apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
    ;;
  dnf) $as_root dnf install -y -q --setopt=install_weak_deps=False $missing ;;
  brew) brew install --quiet $missing ;;
esac
