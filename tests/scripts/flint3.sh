#!/usr/bin/env bash
# Both arrangements of FLINT and Arb build: Arb beside FLINT 2, and inside of FLINT 3. Where FLINT 2 is
# installed the other one is imitated by a tree of headers and a library that stand for it; nothing but
# src/num/arb_compat.h may know the difference.
# ctest-label: release
set -euo pipefail
build=$(dirname "$(realpath "$1")")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAIL: $*"; failed=1; }
others=$(grep -rnE '#include <(flint/)?(arb|acb)[a-z_]*\.h>' src tests fuzz bench --include=*.c --include=*.h | grep -v '^src/num/arb_compat.h:' || true)
[ -z "$others" ] || fail "headers of Arb are included past src/num/arb_compat.h: $others"

if grep -q 'COUPLET_ARB_IN_FLINT:INTERNAL=1' "$build/CMakeCache.txt"; then
  echo "this build uses FLINT 3; FLINT 2 with Arb is what Debian 12 builds"
  exit $failed
fi
value() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
headers=$(value ARB_INCLUDE_DIR)
# As FLINT 3 has it: all headers in flint/, one library. The old names are an error.
mkdir -p "$dir/include/flint" "$dir/lib"
ln -s "$(value FLINT_INCLUDE_DIR)"/flint/*.h "$dir/include/flint/"
for header in "$headers"/arb*.h "$headers"/acb*.h "$headers"/mag.h "$headers"/arf.h; do
  [ -e "$header" ] || continue
  echo "#include \"$header\"" > "$dir/include/flint/$(basename "$header")"
  echo "#error \"$(basename "$header") is included by its name before FLINT 3\"" > "$dir/include/$(basename "$header")"
done
echo "INPUT($(value FLINT_LIB) $(value ARB_LIB))" > "$dir/lib/libflint.so"

# CMake finds it, and asks for no Arb.
cmake -S . -B "$dir/build" -G Ninja -DCMAKE_PREFIX_PATH="$dir" -DCMAKE_C_COMPILER="$(value CMAKE_C_COMPILER)" > "$dir/log" 2>&1 || { tail "$dir/log"; fail "CMake fails"; }
grep -q 'Arb: in FLINT' "$dir/log" || fail "CMake does not see that Arb is inside: $(tail -n 5 "$dir/log")"
grep -q 'flint-arb' "$dir/build/build.ninja" && fail "Arb is still linked by itself"
# What depends on it compiles with these headers alone: the commands of the build, one per file.
cmake --build "$dir/build" -- -t commands > "$dir/commands"
count=0
for source in $(grep -rl --include=*.c 'arb_compat.h' src) src/num/real/ball.c src/num/real/exppoly.c src/term/eval.c; do
  count=$((count + 1))
  command=$(grep -m1 -F " -c $PWD/$source" "$dir/commands" | sed 's/ -MD -MT [^ ]* -MF [^ ]* -o [^ ]*//; s/ -O2//')
  [ -n "$command" ] || { fail "no command for $source"; continue; }
  (cd "$dir/build" && eval "$command -fsyntax-only") || fail "$source does not compile with Arb inside of FLINT"
done
[ "$count" -ge 8 ] || fail "only $count files use Arb"

# A FLINT before 3 without Arb is refused with advice.
rm "$dir"/include/flint/a[rc]b*.h
mkdir "$dir/alone"
printf 'cmake_minimum_required(VERSION 3.20)\nproject(alone C)\ninclude(%s/cmake/flint.cmake)\n' "$PWD" > "$dir/alone/CMakeLists.txt"
if cmake -S "$dir/alone" -B "$dir/none" -G Ninja -DCMAKE_PREFIX_PATH="$dir" -DCMAKE_MAKE_PROGRAM="$(command -v ninja)" \
  -DCMAKE_C_COMPILER="$(value CMAKE_C_COMPILER)" -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF \
  -DMPFR_LIB="$(value MPFR_LIB)" -DGMP_LIB="$(value GMP_LIB)" > "$dir/log" 2>&1; then
  fail "FLINT 2 without Arb is accepted"
fi
grep -q 'does not contain Arb' "$dir/log" || fail "the message: $(grep -A5 'CMake Error' "$dir/log" | head -n 8)"

# The packages of every system that setup.sh knows, and words where it knows none.
for manager in apt-get dnf brew; do
  list=$(COUPLET_PACKAGES=$manager bash scripts/setup.sh --list build test)
  for word in cmake flint z3 jansson graphviz cmocka; do
    grep -q "$word" <<< "$list" || fail "setup.sh: $manager has no package for $word"
  done
  [ "$manager" = apt-get ] || ! grep -q 'arb' <<< "$list" || fail "setup.sh: $manager has FLINT 3, and no Arb of its own"
done
if COUPLET_PACKAGES=other bash scripts/setup.sh --list 2> "$dir/err"; then fail "setup.sh: an unknown system is accepted"; fi
grep -q 'FLINT >= 2.9' "$dir/err" || fail "setup.sh does not say what is needed"

# dnf and brew are imitated: two packages are there, the rest is installed by one call.
mkdir "$dir/mock"
for program in rpm brew dnf sudo; do
  cat > "$dir/mock/$program" <<'MOCK'
#!/bin/sh
case "$(basename "$0") $*" in
  rpm*" gmp-devel" | rpm*" zlib-devel" | "brew list --versions gmp" | "brew list --versions zlib") exit 0 ;;
  rpm* | "brew list"*) exit 1 ;;
  sudo*) exec "$@" ;;
esac
echo "$(basename "$0") $*" >> "$COUPLET_MOCK_LOG"
MOCK
  chmod +x "$dir/mock/$program"
done
for manager in dnf brew; do
  PATH="$dir/mock:$PATH" COUPLET_MOCK_LOG="$dir/calls" COUPLET_PACKAGES=$manager bash scripts/setup.sh build > "$dir/said" || fail "setup.sh fails with $manager"
  [ "$(wc -l < "$dir/calls")" = 1 ] && grep -qE "^$manager install .* flint" "$dir/calls" || fail "setup.sh, $manager: $(cat "$dir/calls")"
  ! grep -qE ' (gmp|zlib)(-devel)?( |$)' "$dir/calls" || fail "setup.sh, $manager installs what is there: $(cat "$dir/calls")"
  rm "$dir/calls"
done
exit $failed
