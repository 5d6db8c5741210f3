#!/usr/bin/env bash
# No function is in the folders of couplet-check that it cannot reach, and none in those of couplet-recount that this
# cannot reach, but for those of scripts/unreachable.txt; and these are not linked.
# ctest-label: release
# ctest-cost: 30
set -euo pipefail
build=$(cd "$(dirname "$1")" && pwd)
cd "$(dirname "$0")/../.."
[ "$(uname -m)" = x86_64 ] || exit 77                                # the script reads its machine code
! grep -qE '^COUPLET_(SANITIZE|TSAN|COVERAGE):BOOL=ON' "$build/CMakeCache.txt" || exit 77 # not the program itself
cmake --build "$build" --target couplet-check-plain couplet-recount-plain >/dev/null
own() { # own LIST: the lines about functions in the folders of these files (headers are theirs, too)
  grep -P "\t($(sed "s,^$PWD/,,; s,/[^/]*$,/," "$build/$1" | sort -u | paste -sd '|'))[^/]*$" || true
}
lost_in() { # lost_in PROGRAM LIST
  (python3 scripts/unreachable.py "$build/$1-plain" || true) | own "$2"
}
lost=$(lost_in couplet-check proof_sources.txt; lost_in couplet-recount recount_sources.txt)
if ! diff <(grep -v '^#' scripts/unreachable.txt | sort) <(sort <<<"$lost"); then
  echo "FAIL: < is no longer lost, take it off scripts/unreachable.txt; > cannot be reached, move it to where it is used"
  exit 1
fi
for pair in couplet-check:proof_sources.txt couplet-recount:recount_sources.txt; do
  program=${pair%:*}
  linked=$(nm --defined-only "$build/$program" | awk '$2 == "T" || $2 == "t" {print $3}' | sort -u |
    comm -12 - <(own "${pair#*:}" <scripts/unreachable.txt | cut -f1 | sort -u))
  [ -z "$linked" ] || { echo "FAIL: linked into $program:" $linked; exit 1; }
done
# The script must be able to find one.
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/src"
cat >"$dir/src/x.c" <<'EOF'
static int used(int x) { return x + 1; }
static int listed(int x) { return x + 2; }
int lost(int x);
int lost(int x) { return used(x); }
static int (*const table[])(int) = {listed};
int main(int argc, char **argv) { (void)argv; return table[argc - argc](used(argc)); }
EOF
cc -O0 -g1 -fno-inline -fPIE -pie -o "$dir/x" "$dir/src/x.c"
set +e; found=$(python3 scripts/unreachable.py "$dir/x" 2>/dev/null); set -e
[ "$found" = "$(printf 'lost\tsrc/x.c')" ] || { echo "FAIL: the script finds: $found"; exit 1; }
