#!/usr/bin/env bash
# Runs Couplet on a folder of another checker's programs and prints a table: C files in the style of
# CheckDP and ShadowDP, Python files with decorators or sidecar files. A name that begins with "bad"
# is expected to be refuted, any other to be proved.
#   scripts/suites.sh DIR... [-- OPTION...]      options are those of couplet verify
set -uo pipefail
couplet=${COUPLET:-$(dirname "$0")/../build/couplet}
folders=() options=()
while [ $# -gt 0 ]; do
  case $1 in --) shift; options=("$@"); break ;; *) folders+=("$1") ;; esac
  shift
done
[ ${#folders[@]} -gt 0 ] || { echo "usage: scripts/suites.sh DIR... [-- OPTION...]" >&2; exit 1; }

right=0 wrong=0 open=0 unread=0 start=$SECONDS
printf '%-40s %-26s %-9s %s\n' file function verdict cost
while IFS= read -r file; do
  record=$("$couplet" verify --json "${options[@]}" "$file" 2>/dev/null)
  rows=$(python3 -c '
import json, sys
record = json.load(sys.stdin)
for f in record["files"]:
    if f.get("error"):
        print("-", "unread", f["error"]["message"].replace("\n", " ")[:60], sep="\t")
    for c in f["claims"]:
        print(c["subject"] or c["name"], c["verdict"], c["cost"] or (c["lower_text"] and "loses " + c["lower_text"]) or "", sep="\t")
' <<< "$record") || rows=$'-\tunread\tno answer'
  while IFS=$'\t' read -r name verdict cost; do
    [ -n "$name" ] || continue
    printf '%-40s %-26s %-9s %s\n' "$(basename "$(dirname "$file")")/$(basename "$file")" "$name" "$verdict" "$cost"
    wanted=proved
    case "$(basename "$file")" in bad*) wanted=refuted ;; esac
    case $verdict in
      "$wanted") right=$((right + 1)) ;;
      unknown) open=$((open + 1)) ;;
      unread) unread=$((unread + 1)) ;;
      *) wrong=$((wrong + 1)) ;;
    esac
  done <<< "$rows"
done < <(find "${folders[@]}" -maxdepth 1 \( -name '*.c' -o -name '*.py' \) | sort)
echo "$right as expected, $wrong other, $open unknown, $unread not read; $((SECONDS - start)) s"
[ "$wrong" -eq 0 ]
