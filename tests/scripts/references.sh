#!/usr/bin/env bash
# Everything that is cited is here: papers by the names of docs/bibliography.md, documents of the
# repository by paths that exist. No comment has been torn apart by a formatter.
set -euo pipefail
cd "$(dirname "$0")/../.."
failed=0
fail() { echo "FAIL: $1"; failed=1; }
files() { git ls-files -- src include tests docs examples editors python scripts bench fuzz '*.md' '*.cff' 2>/dev/null ||
  find src include tests docs examples editors python scripts bench fuzz -type f; }
texts() { files | grep -vE '^(tests/scripts/references\.sh|fuzz/corpus/|tests/unit/cert/corpus/|docs/(images|pictures)/)' | sort -u; }

# numbers and notes that only their author had
leftovers() { xargs grep -nHIE "$@" 2>/dev/null || true; }
pattern='THEORY [0-9]|THEORY\.md|DESIGN\.md|BENCHMARKS\.md|(^|[^0-9._,+-])00[0-4]('"'"'s| (Prop|Th|Def|Lemma|[0-9]\.[0-9])|, (section|Def|Prop|Conj|Th)|\)| section| Theorem| conjectures)'
found=$(texts | leftovers "$pattern")
[ -z "$found" ] || fail "references to what is not in the repository:
$found"
# the pattern finds what it is for
probe=$(mktemp)
trap 'rm -f "$probe"' EXIT
printf '%s\n' '/* see THEORY 3b */' 'costs 5/4 (003)' '003, section 8' "003's S^L" 'of 000 Theorem 7' >"$probe"
[ "$(echo "$probe" | leftovers "$pattern" | wc -l)" = 5 ] || fail "the pattern misses references"

# docs/NAME.md and src/PATH in comments and pages exist
while IFS=: read -r file line path; do
  [ -e "$path" ] || fail "$file:$line names $path, which does not exist"
done < <(texts | grep -vE '^(CHANGELOG|tests/scripts/unreachable)' | xargs grep -noHIE '\b(docs/[a-z-]+\.(md|1)|src/[a-z_]+(/[a-z_0-9]+)*\.[ch])\b' | sort -u)
# and so do "folder/file.h" in comments of the sources
while IFS=: read -r file line path; do
  [ -e "src/$path" ] || [ -e "$path" ] || [ -e "include/$path" ] || [ -e "tests/lib/$path" ] ||
    fail "$file:$line names $path, which does not exist"
done < <(find src -name '*.[ch]' -print0 | xargs -0 grep -noHE '(^|[^<a-z])\b[a-z_]+(/[a-z_]+)*/[a-z_0-9]+\.[ch]\b' |
  sed -E 's/:[^:a-z]+([^:]*)$/:\1/' | sort -u)

grep -q '^ReflowComments: false' .clang-format || fail "clang-format may tear comments apart"
exit $failed
