#!/usr/bin/env bash
# Parameters from 1e-30 to 1e30 through every command: an answer, or a message and a status of the
# contract, in little time and memory; never a crash.
# ctest-label: release
set -uo pipefail
couplet=$1
export COUPLET_CACHE=off
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
case $couplet in
*asan*) ;;                    # the sanitizer reserves more address space than any limit
*) ulimit -v 4000000 ;;
esac
survives() { # survives COMMAND...: a status that the command line contract knows
  local output status
  output=$(timeout 60 "$@" 2>&1)
  status=$?
  case $status in
  0 | 1 | 2 | 10 | 20 | 30) ;;
  *) echo "FAIL (status $status): $*"; echo "$output" | tail -5; failed=1 ;;
  esac
}
for x in 1e-30 1e30; do
  cat > "$dir/f.dp" <<END
param eps : real, eps > 0;
mechanism whole(private q : int) returns int adjacent within(q, 1) {
  x <\$ DLap(q, 1/eps);
  return x;
}
mechanism line(private q : real) returns bool adjacent within(q, $x) {
  x <\$ Lap(q, $x/eps);
  return x > ln(1 + $x);
}
mechanism cut(private q : real) returns real adjacent within(q, 1) {
  x <\$ Lap(q, 1/$x);
  y <\$ Exp(0, $x);
  return x + y;
}
claim private whole epsilon eps;
claim private line epsilon eps;
claim small: private line epsilon eps/$x;
claim private cut epsilon $x;
claim half: private cut epsilon $x/2;
claim private line epsilon eps*exp(-$x);
claim approximate: private cut epsilon $x/2 delta exp(-$x)/2;
lemma grows: exp($x) > 1;
lemma falls: exp(-$x) < ln(2 + $x);
instance i { param eps = $x; input q = $x; }
END
  for m in whole line cut; do
    q=$x
    [ $m = whole ] && q=3
    for o in 1 -1..1 1e30 "$x" true; do
      survives "$couplet" prob "$dir/f.dp" --mechanism $m --param "eps=$x" --input "q=$q" --output "$o" --timeout 2
    done
    survives "$couplet" prob "$dir/f.dp" --mechanism $m --param "eps=$x" --input "q=$q" --timeout 2 --json
    survives "$couplet" run "$dir/f.dp" --mechanism $m --param "eps=$x" --input "q=$q" --samples 20 --seed 1
  done
  survives "$couplet" prob examples/automata/svt.dp --eps "$x" --timeout 2
  survives "$couplet" prob examples/automata/svt.dp --eps "$x" --inputs "-,$x,-$x" --timeout 2
  survives "$couplet" verify --search 0.5 --timeout 3 --certificate "$dir/cert" "$dir/f.dp"
  survives "$couplet" check "$dir/cert" "$dir/f.dp"
  survives "$(dirname "$couplet")/couplet-check" "$dir/cert" "$dir/f.dp"
  survives "$couplet" explain --search 0.2 --timeout 3 "$dir/f.dp"
  survives "$couplet" report --search 0.2 --timeout 3 -o "$dir/f.html" "$dir/f.dp"
  survives "$couplet" audit --search 0.2 --timeout 3 "$dir/f.dp"
  for n in 1 1000000; do
    survives "$couplet" compose "${x}x$n" --timeout 2
    survives "$couplet" compose "${x}x$n" --delta 1e-9 --timeout 2
    survives "$couplet" compose "${x}x$n" --delta 1e-30 --hits 3 --timeout 2
    survives "$couplet" compose "1/2:1e-30x$n" "$x" --delta 1e-10 --timeout 2
  done
done
[ $failed = 0 ] && echo "extremes: fine"
exit $failed
