#!/usr/bin/env bash
# Runs Couplet on a folder of another checker's programs and prints a table: C files in the style of
# CheckDP and ShadowDP, Python files with decorators or sidecar files. Expected is `refuted` for files
# and claims whose name begins with "bad" and for functions in which the word INCORRECT stands, and
# `proved` for all others. The goals that ShadowDP's scripts/benchmark.sh gives its checker (-g 2) are used.
#   scripts/suites.sh DIR... [-- OPTION...]      options are those of couplet verify
set -uo pipefail
couplet=${COUPLET:-$(dirname "$0")/../build/couplet}
folders=() options=()
while [ $# -gt 0 ]; do
  case $1 in --) shift; options=("$@"); break ;; *) folders+=("$1") ;; esac
  shift
done
[ ${#folders[@]} -gt 0 ] || { echo "usage: scripts/suites.sh DIR... [-- OPTION...]" >&2; exit 1; }

# ShadowDP: how many times epsilon is the goal?
goal_of() {
  local script
  script=$(dirname "$1")/../../scripts/benchmark.sh
  [ -f "$script" ] && sed -n "s|.*/$(basename "$1") .*-g \([0-9.]*\).*|\1|p" "$script"
}

right=0 wrong=0 open=0 unread=0
printf '%-40s %-26s %-9s %s\n' file function verdict cost
while IFS= read -r file; do
  more=() goal=$(goal_of "$file")
  [ -n "$goal" ] && more=(--claim "$(basename "$file" .c) = {epsilon = \"$goal*epsilon\"}")
  record=$("$couplet" verify --json "${options[@]}" "${more[@]}" "$file" 2>/dev/null)
  rows=$(python3 -c '
import ast, json, os, sys
record, path, bodies = json.load(sys.stdin), sys.argv[1], {}
if path.endswith(".py"):
    source = open(path, encoding="utf-8").read()
    bodies = {s.name: ast.get_source_segment(source, s) for s in ast.parse(source).body if hasattr(s, "name")}
for f in record["files"]:
    if f.get("error"):
        print("-", "unread", "", f["error"]["message"].replace("\n", " ")[:60], sep="\t")
    for c in f["claims"]:
        name = c["subject"] or c["name"]
        bad = any(w.startswith("bad") for w in (os.path.basename(path), c["name"], name)) or "INCORRECT" in bodies.get(name, "")
        cost = c["cost"] or (c.get("lower_text") and "loses " + c["lower_text"]) or "-"
        print(name, c["verdict"], "refuted" if bad else "proved", cost, sep="\t")
' "$file" <<< "$record") || rows=$'-\tunread\t-\tno answer'
  while IFS=$'\t' read -r name verdict wanted cost; do
    [ -n "$name" ] || continue
    printf '%-40s %-26s %-9s %s\n' "$(basename "$(dirname "$file")")/$(basename "$file")" "$name" "$verdict" "$cost"
    case $verdict in
      "$wanted") right=$((right + 1)) ;;
      unknown) open=$((open + 1)) ;;
      unread) unread=$((unread + 1)) ;;
      *) wrong=$((wrong + 1)) ;;
    esac
  done <<< "$rows"
done < <(find "${folders[@]}" -maxdepth 1 \( -name '*.c' -o -name '*.py' \) ! -name '__init__.py' | sort)
echo "$right as expected, $wrong other, $open unknown, $unread not read; $SECONDS s; computing, of this script and of what it ran:"
times
[ "$wrong" -eq 0 ]
