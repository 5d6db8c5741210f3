#!/usr/bin/env bash
# A folder of src/ may include only folders above it in the list; this fails on any other include.
set -euo pipefail
cd "$(dirname "$0")/../.."
layers=(base num term referee lang kernel claim proof advocate smt automata exact search refute cert report api lsp cli)

check_tree() { # check_tree SRC_DIR: prints each offending include
  local src=$1 i layer file line target j found
  for i in "${!layers[@]}"; do
    layer=${layers[$i]}
    [ -d "$src/$layer" ] || continue
    while IFS=: read -r file line target; do
      target=${target#*\"}
      target=${target%%/*}
      found=""
      for j in "${!layers[@]}"; do
        [ "${layers[$j]}" = "$target" ] && [ "$j" -le "$i" ] && found=yes
      done
      [ -n "$found" ] || echo "$file:$line: $layer must not include $target/"
    done < <(grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[a-z_]+/' "$src/$layer" || true)
  done
  for file in "$src"/*; do # a folder outside the list would escape the check
    [[ " ${layers[*]} " == *" $(basename "$file") "* ]] || echo "$file: not a layer of docs/architecture.md"
  done
}

problems=$(check_tree src)
[ -z "$problems" ] || { echo "$problems"; exit 1; }

# The check itself must be able to fail: an upward include in a copy is found.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/kernel" "$copy/cli"
echo '#include "cli/cli.h"' > "$copy/kernel/bad.c"
echo '#include "kernel/fine.h"' > "$copy/cli/good.c"
[ "$(check_tree "$copy")" = "$copy/kernel/bad.c:1: kernel must not include cli/" ] || {
  echo "layers.sh does not notice a wrong include"; check_tree "$copy"; exit 1; }
echo "layers: fine"
