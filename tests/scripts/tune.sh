#!/usr/bin/env bash
# couplet tune finds the least noise and prints a file that verifies: with less noise its claims are not proved, and
# files that cannot be tuned are refused with the reason.
# ctest-label: release
set -euo pipefail
couplet=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export COUPLET_CACHE=off
failed=0
fail() { echo "FAIL: $*"; failed=1; }
expect() { # expect STATUS TEXT COMMAND...: of what it prints
  local wanted=$1 text=$2 status=0
  shift 2
  "$@" >"$dir/out" 2>"$dir/err" || status=$?
  [ "$status" = "$wanted" ] || fail "status $status instead of $wanted: $* -- $(cat "$dir/err")"
  grep -qF -- "$text" "$dir/out" "$dir/err" || fail "no '$text' from $*: $(cat "$dir/out" "$dir/err")"
}

# closed forms: all of the budget for one scale; the file that is printed stands on its own
tuned() { # tuned NAME LINE...
  local name=$1
  shift
  expect 0 "$1" "$couplet" tune "examples/tune/$name.dp"
  cp "$dir/out" "$dir/$name.dp"
  for line in "$@"; do grep -qxF "$line" "$dir/$name.dp" || fail "$name: no line '$line'"; done
}
tuned noisy_max 'let b = 2/eps;'
tuned ptr 'let b = 1/eps;'
tuned tree_counter 'let b = L/eps;'
tuned sparse_vector 'let threshold_scale = (exp(2*ln(2*N)/3) + 1)/eps;' \
  'let query_scale = 2*N*(exp(2*ln(2*N)/3) + 1)/(eps*exp(2*ln(2*N)/3));'
grep -qF "for all values of the parameters" "$dir/err" || fail "the split of sparse vector is no formula"
# noise that no distance depends on weighs like the others: numbers, found at once
tuned histogram_total 'let cell_scale = 2/eps;' 'let total_scale = 2/eps;'
tuned gaussian 'let first = sqrt(5/(2*rho));' 'let second = sqrt(40/rho);'
expect 0 "1 proved" "$couplet" verify "$dir/sparse_vector.dp"

# a threshold: the least one of its form that is proved
sed 's,dist > [^{]*{,dist > threshold {,; s,0 < delta <= 1;,0 < delta < 1/2;,
  s,^let b = ?;,&\nlet threshold = ?;,' examples/tune/ptr.dp >"$dir/threshold.dp"
expect 0 'let threshold = b*ln(1/(2*delta)) + 1;' "$couplet" tune "$dir/threshold.dp"
grep -qxF 'let b = 1/eps;' "$dir/out" || fail "the scale beside a threshold is $(grep -F 'let b' "$dir/out")"

# the optimum, from the other side: no shares of the grid give a smaller sum of the scales
python3 - <<'END' || failed=1
import sys
grid = [i / 1000 for i in range(1, 1000)]
cost = lambda w, rates: sum(k / x for k, x in zip(rates, (w, 1 - w)))
bad = 0
if cost(2 / 5, (1, 2)) > 1.001 * min(cost(w, (1, 2)) for w in grid):
    print("FAIL: the share 2/5 is not best for AboveThreshold")
    bad = 1
variance = lambda w, rates: sum((k / x) ** 2 for k, x in zip(rates, (w, 1 - w)))
for answers in (1, 5, 40):
    rates, share = (1, 2 * answers), 1 / (1 + (2 * answers) ** (2 / 3))
    if variance(share, rates) > min(variance(w, rates) for w in grid):
        print("FAIL: the split of sparse vector is not best for", answers, "answers")
        bad = 1
zcdp = lambda w, rates: sum((k / x) ** 0.5 for k, x in zip(rates, (w, 1 - w)))
if zcdp(1 / 5, (0.5, 32)) > 1.001 * min(zcdp(w, (0.5, 32)) for w in grid):
    print("FAIL: 1/5 is not best for normal noise")
    bad = 1
sys.exit(bad)
END

# less noise is not private
for change in 's,let b = 2/eps,let b = 19/(10*eps),'; do
  sed "$change" "$dir/noisy_max.dp" >"$dir/less.dp"
  cmp -s "$dir/less.dp" "$dir/noisy_max.dp" && fail "nothing was changed by $change"
  if "$couplet" verify "$dir/less.dp" >"$dir/out" 2>&1; then fail "less noise is proved: $(cat "$dir/out")"; fi
done

# how much is too much
printf 'param eps : real, eps > 0;\nmechanism m(private q : real) returns real\n  adjacent within(q, 1)\n{\n  x <$ Lap(q, SCALE);\n  return x;\n}\nclaim private m epsilon eps;\n' >"$dir/form"
sed 's,SCALE,3/eps,' "$dir/form" >"$dir/large.dp"
expect 0 "the noise is 3 times what the claim needs" "$couplet" tune --compare "$dir/large.dp"
sed 's,SCALE,1/eps,' "$dir/form" >"$dir/just.dp"
expect 0 "no noise is larger than this proof needs" "$couplet" tune --compare "$dir/just.dp"

# the same as JSON
"$couplet" tune --json examples/tune/ptr.dp 2>/dev/null >"$dir/ptr.json"
"$couplet" tune --compare --json "$dir/large.dp" >"$dir/large.json"
status=0
"$couplet" tune --json "$dir/form" >"$dir/out" 2>/dev/null || status=$?
[ "$status" = 2 ] || fail "status $status instead of 2 for a file of another kind"
python3 - "$dir" <<'END' || failed=1
import json, sys
dir = sys.argv[1]
ptr, large = (json.load(open("%s/%s.json" % (dir, name))) for name in ("ptr", "large"))
assert ptr["text"] == open(dir + "/ptr.dp").read() and ptr["values"] == [{"name": "b", "value": "1/eps"}], ptr
assert ptr["error"] is None and ptr["claims"] and all(c["verdict"] == "proved" for c in ptr["claims"]), ptr
assert [c["excess"] for c in large["claims"]] == ["3"] and large["claims"][0]["claimed"] == "eps", large
END

# the report draws the distance against the budget, with the instance as a dot: ln(20) and 4*ln(60)
"$couplet" report examples/accuracy/laplace.dp examples/accuracy/noisy_max.dp -o "$dir/report" >/dev/null
python3 - "$dir/report/index.html" <<'END' || failed=1
import math, re, sys
page = open(sys.argv[1]).read()
dots = re.findall(r"<h3>Accuracy against privacy</h3>.*?<circle[^>]*><title>([^:]*): ([^<]*)<", page, re.S)
wanted = [(1, math.log(20)), (1, 4 * math.log(60))]
if len(dots) != 2 or any(float(x) != u or abs(float(y) - v) > 1e-4 for (x, y), (u, v) in zip(dots, wanted)):
    sys.exit("FAIL: the report has the dots %s instead of %s" % (dots, wanted))
END

# refused, with the reason
expect 2 "nothing is left open" "$couplet" tune "$dir/just.dp"
expect 2 "--compare is for files in which nothing is left open" "$couplet" tune --compare examples/tune/ptr.dp
expect 2 "No such file" "$couplet" tune "$dir/absent.dp"
expect 1 "give one file" "$couplet" tune
expect 2 "the value of \`b\` is still to be found" "$couplet" verify examples/tune/ptr.dp
{ echo 'let c = ?;'; cat "$dir/just.dp"; } >"$dir/unused.dp"
expect 20 "no claim of privacy depends on \`c\`" "$couplet" tune "$dir/unused.dp"
{ echo 'let c = ?;'; sed 's,SCALE,1/eps,; /^claim/d' "$dir/form"; } >"$dir/none.dp"
expect 20 "there is no claim of privacy with a cost" "$couplet" tune "$dir/none.dp"
{ echo 'let c = ?;'; sed 's,SCALE,1/(c + eps),' "$dir/form"; } >"$dir/other.dp"
expect 20 "that is no sum of parts" "$couplet" tune "$dir/other.dp"
[ ! -s "$dir/out" ] || fail "something was printed that is not proved"
{ echo 'let c = ?;'; sed 's,SCALE,c + nowhere,' "$dir/form"; } >"$dir/wrong.dp"
expect 2 "wrong.dp:6:19: error[unknown-name]" "$couplet" tune "$dir/wrong.dp"
expect 2 "tune is for .dp files" "$couplet" tune examples/automata/svt.dipa
expect 2 "about a mechanism" "$couplet" tune --compare examples/automata/svt.dp
[ ! -s "$dir/out" ] || fail "something was printed that is not proved"
exit $failed
