#!/usr/bin/env bash
# A folder of src/ may include only folders above it in the list; this fails on any other include.
# The first list is what couplet-check is made of, the second what couplet-recount is made of besides (CMakeLists.txt).
set -euo pipefail
cd "$(dirname "$0")/../.."
proof=(base num term check/referee lang/syntax lang/check kernel claim check/proof check/certificate)
recount=(num/real run/eval check/exact check/automaton check/counterexample check/finite check/recount)
others=(out lang/format lang/translate run/sample compose proof advocate smt automata/model automata/cost automata/decide automata/convert
  search/base search/align search/complete search/goals search/prove search/refute report/record report/judge report/render compile compile/runtime ask api lsp serve cli)
layers=("${proof[@]}" "${recount[@]}" "${others[@]}")

check_tree() { # check_tree SRC_DIR: prints each offending include
  local src=$1 i layer file line target j found
  for i in "${!layers[@]}"; do
    layer=${layers[$i]}
    [ -d "$src/$layer" ] || continue
    while IFS=: read -r file line target; do
      target=${target#*\"}
      target=${target%/*}
      found=""
      for j in "${!layers[@]}"; do
        [ "${layers[$j]}" = "$target" ] && [ "$j" -le "$i" ] && found=yes
      done
      [ -n "$found" ] || echo "$file:$line: $layer must not include $target/"
    done < <(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[a-z_]+/' "$src/$layer"/*.[ch] /dev/null || true)
  done
  while read -r file; do # a folder outside the list would escape the check
    [[ " ${layers[*]} " == *" ${file#"$src"/} "* ]] || echo "$file: not a layer of docs/architecture.md"
  done < <(find "$src" -name '*.[ch]' -printf '%h\n' | sort -u)
}

problems=$(check_tree src)
[ -z "$problems" ] || { echo "$problems"; exit 1; }

# CMake and the page have the same lists.
listed() { tr '\n' ' ' <CMakeLists.txt | grep -oE "set\($1 [^)]*" | head -1 | tr -s ' ' | cut -d' ' -f2-; }
[ "$(listed COUPLET_PROOF_FOLDERS)" = "${proof[*]}" ] || { echo "CMakeLists.txt has other folders of proofs"; exit 1; }
[ "$(listed COUPLET_RECOUNT_FOLDERS)" = "${recount[*]}" ] || { echo "CMakeLists.txt has other folders of recounts"; exit 1; }
page=$(grep -oE '^\| `[a-z/`, ]+`' docs/architecture.md | grep -oE "[a-z]+[a-z/]*" | sed "s,/\$,," | tr "\n" " ")
[ "$page" = "${layers[*]} " ] || { echo "docs/architecture.md has another order: $page"; exit 1; }

# The check itself must be able to fail: an upward include in a copy is found, and a folder that is no layer.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/kernel" "$copy/cli" "$copy/lang/syntax" "$copy/lang/other"
echo '#include "cli/cli.h"' > "$copy/kernel/bad.c"
echo '#include "kernel/fine.h"' > "$copy/cli/good.c"
echo '#include "lang/check/check.h"' > "$copy/lang/syntax/bad.h"
touch "$copy/lang/other/x.c"
wanted="$copy/lang/syntax/bad.h:1: lang/syntax must not include lang/check/
$copy/kernel/bad.c:1: kernel must not include cli/
$copy/lang/other: not a layer of docs/architecture.md"
[ "$(check_tree "$copy")" = "$wanted" ] || {
  echo "layers.sh does not notice a wrong include"; check_tree "$copy"; exit 1; }
echo "layers: fine"
