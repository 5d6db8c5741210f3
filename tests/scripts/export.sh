#!/usr/bin/env bash
# Automata that are programs: what `couplet export` writes is proved by `couplet verify` at the cost of the
# automaton, has the same probabilities, and is refused when a shift, a budget or the cost is changed.
# ctest-label: release
set -euo pipefail
couplet=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAIL: $*"; failed=1; }

verdict_and_cost() { # of the first claim
  "$couplet" verify --json --search 0.1 "$1" 2>/dev/null | python3 -c '
import json, sys
c = json.load(sys.stdin)["files"][0]["claims"][0]
print(c["verdict"], (c["cost"] or "").replace("*eps", "").replace("eps", "1"))' || true
}
for name in svt numeric_sparse num_range_2 m_range; do
  file=examples/automata/$name.dp
  "$couplet" export "$file" --output "$dir/$name.dp" > "$dir/said" || fail "$name is not exported"
  automaton=$(verdict_and_cost "$file") program=$(verdict_and_cost "$dir/$name.dp")
  [ "$automaton" = "$program" ] || fail "$name: automaton $automaton, program $program"
  grep -q "proved, cost ${automaton#proved }\$" "$dir/said" || fail "$name: $(cat "$dir/said")"
  "$couplet" fmt --check "$dir/$name.dp" > /dev/null || fail "$name is not formatted"
done
# the other format of the same automaton
"$couplet" export examples/automata/svt.dipa > "$dir/dipa.dp"
[ "$(verdict_and_cost "$dir/dipa.dp")" = "proved 5/4" ] || fail "svt.dipa"

# the same probabilities, also of an output in a window
probability() { "$couplet" prob "$@" | sed -n 's/^probability *//p'; }
same() { [ -n "$1" ] && [ "$1" = "$2" ] || fail "$3: $1 and $2"; }
same "$(probability examples/automata/svt.dp --eps 1/2 --inputs 0,1,2,-1 --output begin,below,below,above)" \
  "$(probability "$dir/svt.dp" --param eps=1/2 --param n=4 --input 'inputs=[0, 1, 2, -1]' --output '[0, 1, 1, 2]')" svt
same "$(probability examples/automata/numeric_sparse.dp --eps 2 --inputs 0,1,2 --output begin,below,1/2..3)" \
  "$(probability "$dir/numeric_sparse.dp" --param eps=2 --param n=3 --input 'inputs=[0, 1, 2]' \
    --output '[(0, _), (1, _), (2, 1/2..3)]')" numeric_sparse

# changed proofs are refused
refused() { # refused NAME SED-SCRIPT
  sed -E "$2" "$dir/$1.dp" > "$dir/changed.dp"
  cmp -s "$dir/$1.dp" "$dir/changed.dp" && fail "$1: '$2' changes nothing"
  [[ $(verdict_and_cost "$dir/changed.dp") = proved* ]] && fail "$1: accepted after '$2'"
  return 0
}
refused svt 's/epsilon 5\/4\*eps/epsilon 6\/5*eps/'
refused svt 's/shift 1 within 1/shift 0 within 1/'
refused svt 's/else shift 1 within 2/else null/'
refused svt 's/then eps else/then 9\/10*eps else/'
refused num_range_2 's/shift -1 within 1;/shift 1 within 1;/'

# what has no such proof
set +e; "$couplet" export examples/automata/k_min_max.dp > "$dir/out" 2> "$dir/err"; status=$?; set -e
[ "$status" = 20 ] && [ ! -s "$dir/out" ] && grep -q "not exported" "$dir/err" || fail "k_min_max: status $status"
set +e; "$couplet" export examples/automata/not_private_sort.dp > "$dir/out" 2> /dev/null; status=$?; set -e
[ "$status" = 20 ] && [ ! -s "$dir/out" ] || fail "sort: status $status"
exit $failed
