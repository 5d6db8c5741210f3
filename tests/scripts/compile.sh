#!/usr/bin/env bash
# `couplet compile`: the program is clean under warnings and sanitizers, has the outputs of `couplet run` on
# the same random bits, fits the distribution, and is called from Python. What is not proved, or cannot be
# said exactly, is refused.
# ctest-label: release
# ctest-cost: 38
set -euo pipefail
couplet=$1
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAIL: $*"; failed=1; }
export COUPLET_CACHE=off
strict="-std=c17 -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes"
tested="-O0 -fsanitize=address,undefined -fno-sanitize-recover=all -DCOUPLET_RANDOM=seeded_random"

# same outputs on the same bits
same() { # same FILE INSTANCE...
  local file=$1 name instance
  name=$(basename "$file" .dp)
  shift
  "$couplet" compile "$file" -o "$dir/$name.c" > /dev/null 2> "$dir/said" || { fail "$name: $(cat "$dir/said")"; return; }
  cc $strict $tested "$dir/$name.c" tests/compile/seeded.c -o "$dir/$name" || { fail "$name is not clean"; return; }
  for instance; do
    for seed in 1 2; do
      python3 tests/compile/same.py "$couplet" "$file" "$instance" "$dir/$name" $seed 40 || failed=1
    done
  done
}
same tests/compile/families.dp usual large
same tests/compile/values.dp example
same tests/compile/names.dp example
same tests/compile/options.dp example
same tests/compile/choices.dp example equal
for example in svt_discrete noisy_max_geometric; do
  same examples/correct/$example.dp example
done
# and the comparison can fail
SEED=1 "$dir/svt_discrete" eps=1 N=2 T=5 "q=[0, 8, 1, 9, 10]" --samples 30 > "$dir/one"
SEED=2 "$dir/svt_discrete" eps=1 N=2 T=5 "q=[0, 8, 1, 9, 10]" --samples 30 > "$dir/two"
! cmp -s "$dir/one" "$dir/two" || fail "the seed makes no difference"

# the snapping mechanism on doubles, for the parameters of its claim; inputs that are listed, and no others
same examples/finite/snapping_all.dp example
"$couplet" compile examples/finite/snapping.dp --param lambda=4 -o "$dir/listed.c" > /dev/null
cc $strict -O1 "$dir/listed.c" -o "$dir/listed"
"$dir/listed" x=1.125 > /dev/null || fail "an input of the claim is refused"
! "$dir/listed" x=0.5 > "$dir/said" 2>&1 || fail "an input that the claim does not list is accepted"
grep -q 'says nothing about this value' "$dir/said" || fail "$(cat "$dir/said")"
cat > "$dir/infinite.dp" << 'END'
param t : real;
mechanism infinite(private x : float) returns float adjacent within(x, 1) {
  c := floor(max(-1, min(1, x)));
  k <$ UniformInt(0, 3);
  return max(-2, min(2, round(c + ln(to_float(k)/4)))) + 0;
}
claim private infinite epsilon 1 delta 3/4 at t = 1;
END
"$couplet" compile "$dir/infinite.dp" -o "$dir/infinite.c" > /dev/null 2>&1 || fail "an infinity is not compiled"
cc $strict $tested "$dir/infinite.c" tests/compile/seeded.c -o "$dir/infinite"
SEED=1 "$dir/infinite" x="$(printf '1%0400d' 0)" > "$dir/said" 2>&1 && fail "an infinite input is accepted"
grep -q "not finite" "$dir/said" || fail "$(cat "$dir/said")"
SEED=1 "$dir/infinite" x=1 --samples 60 | sort -u | tr '\n' ' ' > "$dir/said"
[ "$(cat "$dir/said")" = "-2 0 1 " ] || fail "ln(0): $(cat "$dir/said")"
! grep -qE '\b(double|float) ' <(sed -n '/the mechanism ----/,$p' "$dir/listed.c") || fail "doubles of the machine"

# the comment names what was proved, and evidence that is accepted
"$couplet" compile examples/correct/svt_discrete.dp -o "$dir/m.c" --certificate "$dir/m.json" --param eps=1/2 \
  --python "$dir/m.py" > /dev/null
grep -q 'claim private svt_discrete epsilon eps' "$dir/m.c" || fail "the claim is not named"
grep -q "sha256 $(sha256sum "$dir/m.json" | cut -d' ' -f1)" "$dir/m.c" || fail "another certificate"
"$couplet" check "$dir/m.json" examples/correct/svt_discrete.dp > /dev/null || fail "the certificate is not accepted"
grep -q 'eps = 1/2' "$dir/m.c" || fail "the value of eps is not named"
! "$couplet" compile examples/correct/svt_discrete.dp --param eps=0 > /dev/null 2> "$dir/said" || fail "eps = 0"
grep -q 'does not hold' "$dir/said" || fail "eps = 0: $(cat "$dir/said")"

! grep -nE ' +$' "$dir/m.c" || fail "blanks at the end of lines"

# from Python
(cd "$dir" && python3 -c '
from fractions import Fraction
from m import svt_discrete, Failed
answer = svt_discrete([0, 10**30, -5], 5, N=1)
assert answer in ([False, True], [True]), answer
assert svt_discrete(q=[10**30], T=-10**30, N=Fraction(3)) == [True]
for wrong in ({"N": 0}, {"N": Fraction(1, 2)}, {"N": 1, "n": 7}, {}):
    try:
        svt_discrete([1, 2], 5, **wrong)
    except Failed as error:
        print(error)
    else:
        raise AssertionError(wrong)
') > "$dir/said" 2>&1 || fail "Python: $(cat "$dir/said")"
grep -q 'N >= 1' "$dir/said" || fail "no reason: $(cat "$dir/said")"

# names that are Python's: no mechanism takes one that the module needs, and all of them can be called
python3 -c '
import keyword, re, symtable, sys
with open(sys.argv[1]) as file:
    module = symtable.symtable(file.read(), "m", "exec")
def names(table):
    own = {s.get_name() for s in table.get_symbols() if table is module or s.is_global()}
    return own.union(*map(names, table.get_children()))
with open("src/compile/module.c") as file:
    taken = set(re.findall(r"\"(\w+)\"", file.read()))
missing = (names(module) | set(keyword.kwlist)) - taken - {"svt_discrete"}
assert not missing, missing' "$dir/m.py" || fail "a name of the module that a mechanism may have"
mkdir "$dir/python"
for name in lambda len; do
  sed "s/NAME/$name/" > "$dir/python/in.dp" << 'END'
param global : real, global > 0;
mechanism NAME(private class : int, n : int) returns int
  adjacent abs(class<1> - class<2>) <= 1
{
  y <$ DLap(class + n, 1/global);
  return y;
}
claim private NAME epsilon global;
END
  "$couplet" compile "$dir/python/in.dp" -o "$dir/python/m$name.c" --python "$dir/python/m$name.py" > /dev/null
done
(cd "$dir/python" && python3 -c '
from mlambda import *
from mlen import *
assert lambda_(class_=3, n=4, global_=10**6) == 7
assert len_(3, n=4, global_=10**6) == 7
try:
    len_(3, class_=3, n=4, global_=1)
except TypeError:
    pass
else:
    raise AssertionError("given twice")') || fail "names of Python"

# the module and the program may have the same name, also that of a file that Python would import
# first, and another program is not called
mkdir "$dir/same"
for round in 1 2; do
  "$couplet" compile examples/correct/svt_discrete.dp -o "$dir/same/é.c" --python "$dir/same/é.py" > /dev/null
  (cd "$dir/same" && python3 -c 'from é import svt_discrete; print(svt_discrete([80], "5", eps=9, N=1))') \
    > "$dir/said" 2>&1 || fail "the module, round $round: $(cat "$dir/said")"
done
(cd "$dir/same" && python3 -c '
from é import svt_discrete, Failed
try:
    svt_discrete([80], "5\0", eps=9, N=1)
except Failed:
    pass
else:
    raise AssertionError("a text that is cut off")') || fail "a zero character"
"$couplet" compile examples/correct/svt_discrete.dp -o "$dir/same/é.c" --param eps=9 > /dev/null
! (cd "$dir/same" && python3 -c 'import é') > "$dir/said" 2>&1 || fail "the module calls another program"
grep -q 'is not the program' "$dir/said" || fail "$(cat "$dir/said")"

# exit status and words of the program itself
status() { local wanted=$1 got=0; shift; "$@" > "$dir/said" 2>&1 || got=$?; [ $got = "$wanted" ] || fail "status $got: $*"; }
status 2 "$dir/svt_discrete" eps=1 N=2 T=5 "q=[1, 2"
grep -q "',' or ']' at character 6" "$dir/said" || fail "$(cat "$dir/said")"
status 2 "$dir/svt_discrete" eps=-1 N=2 T=5 "q=[1]"
status 2 "$dir/svt_discrete" eps=1/0 N=2 T=5 "q=[1]"
status 2 "$dir/svt_discrete" eps=1 N=2 T=5
status 1 "$dir/svt_discrete" eps=1 M=2
status 1 "$dir/svt_discrete"
status 0 "$dir/svt_discrete" eps=1 N=2 T=5 "q=[]"

# whether a run fails does not tell how large the weights are
for a in 9000 20000000 10000000000000000000000000; do
  for b in 0 -$a; do
    status 0 "$dir/choices" eps=3 scale=3 a=$a b=$b bit=true
    grep -q '^(0, ' "$dir/said" || fail "not the largest weight, $a: $(cat "$dir/said")"
    status 0 "$dir/choices" eps=3 scale=3 a=-$a b=$b bit=true
    status 0 "$dir/choices" eps=$a scale=3 a=1 b=1 bit=true
  done
done

# samples fit, and every run of the padded program uses the same number of bits
noise() { # noise FAMILY: builds it and draws samples
  "$couplet" compile tests/compile/noise.dp --mechanism "$1" -o "$dir/$1.c" > /dev/null
  cc $strict -O2 -DCOUPLET_RANDOM=seeded_random "$dir/$1.c" tests/compile/seeded.c -o "$dir/$1"
  SEED=7 "$dir/$1" eps=30000 sigma=7/2 n=100000 x=0 > "$dir/$1.samples"
}
noise laplace
noise gauss
fits() { python3 tests/compile/fit.py "$@" < "$dir/$1.samples" > "$dir/said"; }
fits laplace 3.3333333333333335 || fail "$(cat "$dir/said")"
fits gauss 3.5 || fail "$(cat "$dir/said")"
! fits laplace 3.4 || fail "a wrong scale fits"
! fits gauss 3.4 || fail "a wrong sigma fits"
cc $strict -O2 -DCOUPLET_PAD_BITS=5000 "$dir/laplace.c" -o "$dir/padded"
[ "$("$dir/padded" --bits --samples 50 eps=1 sigma=1 n=3 x=0 | cut -d' ' -f1 | sort -u)" = 5000 ] || fail "not padded"

# what is refused, with the reason and a way out
refused() { # refused STATUS TEXT WORDS [OPTION]...
  local wanted=$1 text=$2 words=$3
  shift 3
  printf '%s\n' "$text" > "$dir/refused.dp"
  status "$wanted" "$couplet" compile "$dir/refused.dp" -o "$dir/refused.c" "$@"
  grep -q -- "$words" "$dir/said" || fail "no '$words' in: $(cat "$dir/said")"
  [ ! -e "$dir/refused.c" ] || fail "it was written: $text"
}
head='param eps : real, eps > 0; mechanism m(private x : int) returns'
refused 2 "$head real adjacent within(x, 1) { s <\$ Lap(x, 1/eps); return s; } claim private m epsilon eps;" 'use DLap'
refused 2 "param l : list(real), length(l) >= 0; $head int adjacent within(x, 1) { s <\$ DLap(x, 1/eps); return s; }
  claim private m epsilon eps; instance i { param eps = 1; param l = [ln(2)]; input x = 0; }" 'not a fraction' --instance i
refused 10 "$head int adjacent within(x, 1) { s <\$ DLap(x, 1/eps); return s; } claim private m epsilon eps/2;" refuted
refused 20 "$head int adjacent within(x, 1) { s <\$ DLap(x, 1/eps); return s; }
  claim private m epsilon eps delta 1/100 at eps = 1, x in {0, 1};" 'with these parameters' --param eps=2
refused 2 "$head int adjacent within(x, 1) { s <\$ DLap(x, 1/eps); return s; } claim private m epsilon eps delta 1/100
  at eps = 1, x in {0, 1}; claim b: private m epsilon 3 delta 1/100 at eps = 2, x in {0, 1};" 'several values'
refused 2 "param t : float; mechanism m(private x : float) returns float adjacent within(x, 1) {
  s <\$ Bernoulli(1/2); return abs(sin(t)); } claim private m epsilon 1 at t = 1, x in {0, 1};" 'cannot be compiled'
refused 2 "$head int adjacent within(x, 1) { s <\$ DLap(x, 1/eps); return if s > exp(1) then 1 else 0; }
  claim private m epsilon eps;" 'irrational'
refused 2 "op f : int; $head int adjacent within(x, 1) { s <\$ DLap(x, 1/eps); return s + f; } claim private m epsilon eps;" \
  'has no code'
refused 2 "axiom a: forall t : real. t*t >= 0; $head int adjacent within(x, 1) { s <\$ DLap(x, 1/eps); return s; } claim private m epsilon eps;" \
  'axiom'
[ $failed = 0 ] && echo "compile: fine"
exit $failed
