#!/usr/bin/env bash
# Python and C files: verdicts of the examples, errors at their places, the translation against the
# functions themselves, couplet.check and pytest, installation by pip.
# ctest-label: release
# ctest-cost: 80
set -uo pipefail
couplet=$(realpath "$1")
build=$(dirname "$couplet")
case $build in *asan* | *tsan*) echo "skipped: python3 itself is not built with the sanitizer"; exit 77 ;; esac
python=${COUPLET_PYTHON:-/usr/bin/python3}
[ -x "$python" ] || python=$(command -v python3) || { echo "skipped: no python3"; exit 77; }
"$python" -c 'import numpy' 2>/dev/null || { echo "skipped: no numpy (scripts/setup.sh test)"; exit 77; }
export COUPLET=$couplet COUPLET_PYTHON=$python COUPLET_CACHE=off PYTHONPATH=$PWD/python:$PWD/tests/python PYTHONDONTWRITEBYTECODE=1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAIL: $*"; failed=1; }
expect() { # expect STATUS WORDS COMMAND...
  local wanted=$1 words=$2 output status
  shift 2
  output=$(timeout 600 "$@" 2>&1)
  status=$?
  { [ "$status" -eq "$wanted" ] && grep -qF -- "$words" <<<"$output"; } ||
    fail "(status $status, wanted $wanted and '$words'): $*
$output"
}

# Verdicts: a docstring that begins with "Wrong" is about a false claim.
for file in examples/python/*.py examples/python/*.c; do
  "$couplet" verify --json --timeout 600 "$file" >"$dir/record.json" 2>"$dir/err" || [ $? -eq 10 ] || fail "$file: $(cat "$dir/err" "$dir/record.json")"
  "$python" - "$file" "$dir/record.json" <<'PY' || failed=1
import ast, json, re, sys
source, record = open(sys.argv[1]).read(), json.load(open(sys.argv[2]))["files"][0]
bad, told = 0, {}
for s in ast.parse(source).body if sys.argv[1].endswith(".py") else []:
    for f in [s] if isinstance(s, ast.FunctionDef) else getattr(s, "body", []):
        if isinstance(f, ast.FunctionDef) and f.decorator_list:
            told[s.name] = ast.get_docstring(f)
for c in record["claims"]:
    if sys.argv[1].endswith(".c"):
        wrong = "Wrong" in source
    else:
        wrong = told[c["subject"]].startswith("Wrong")
        where = source.split("\n")[c["location"]["line"] - 1]
        if "couplet.private" not in where:
            print("FAIL: %s is shown at %r" % (c["name"], where)); bad = 1
    if c["verdict"] != ("refuted" if wrong else "proved"):
        print("FAIL: %s: %s is %s: %s" % (sys.argv[1], c["name"], c["verdict"], c["reason"])); bad = 1
    if record.get("arithmetic") != "real":
        print("FAIL: nothing says that numbers are reals"); bad = 1
sys.exit(bad)
PY
done
count=$(grep -ch '^ *@couplet.private' examples/python/*.py | awk '{n += $1} END {print n}')
[ "$count" -ge 12 ] || fail "only $count examples"

# Everything is shown in the Python file, unless the translation is asked for.
cat >"$dir/m.py" <<'PY'
import numpy as np


def first(q, epsilon, rng):
    noisy = np.asarray(q) + rng.laplace(scale=1 / epsilon, size=len(q))
    return noisy[0]


def broken(q):
    return {1: q}
PY
claim='first = {epsilon = "epsilon", adjacent = "one_differs(q, 1)"}'
expect 0 "eps" "$couplet" explain --claim "$claim" "$dir/m.py"
expect 0 "    5 |     noisy = np.asarray(q) + rng.laplace(scale=1 / epsilon, size=len(q))" "$couplet" explain --claim "$claim" "$dir/m.py"
expect 0 "noisy[k] <\$ Lap(q[k], 1/epsilon);" "$couplet" explain --show-dp --claim "$claim" "$dir/m.py"
expect 0 "real numbers, not floating-point" "$couplet" verify --claim "$claim" "$dir/m.py"
for how in verify explain audit "verify --markdown"; do
  expect 0 "real numbers, not floating-point" "$couplet" $how --claim "$claim" "$dir/m.py"
done
"$couplet" verify --sarif "$dir/m.sarif" --junit "$dir/m.xml" --claim "$claim" "$dir/m.py" >/dev/null
for file in m.sarif m.xml; do grep -q "real numbers, not floating-point" "$dir/$file" || fail "$file does not say that numbers are reals"; done
expect 0 "noisy[k] <\$ Lap(q[k], 1/epsilon);" "$couplet" translate --claim "$claim" "$dir/m.py"
expect 2 "m.py:10:12: error[python-subset]: a dictionary cannot be read here" \
  "$couplet" verify --claim 'broken = {epsilon = "1", adjacent = "within(q, 1)"}' "$dir/m.py"
expect 2 "error[python-claim]" "$couplet" verify "$dir/m.py"
expect 2 "error[python-claim]" "$couplet" verify --claim 'first = {' "$dir/m.py"
expect 0 "first: 3 samples" "$couplet" run --claim "$claim" --param epsilon=1 --input "q=[1, 2]" --samples 3 "$dir/m.py"
printf 'function = 1\n' >"$dir/m.toml"
expect 2 "m.toml" "$couplet" verify "$dir/m.py"
cat >"$dir/m.toml" <<'TOML'
[[claim]]
function = "first"
epsilon = "epsilon"
adjacent = "one_differs(q, 1)"
TOML
expect 0 "proved   first" "$couplet" verify "$dir/m.py"
expect 0 "" "$couplet" report -o "$dir/page" "$dir/m.py"
grep -q "asarray" "$dir/page/index.html" || fail "the report does not show the Python source"

# Advice is given in the words of the file, or says where a .dp file comes from.
cat >"$dir/words.py" <<'PY'
import couplet


@couplet.private(epsilon="epsilon", adjacent="within(x, 1)")
def scaled(x, epsilon, k: int, rng):
    return x + rng.laplace(scale=k / epsilon)


@couplet.private(epsilon="epsilon", adjacent="within(x, 1)")
def bare(x, epsilon, rng):
    return x


@couplet.private(epsilon="epsilon", adjacent="within(x, 1)")
def rarely(x, epsilon, rng):
    if epsilon > 1000 and x > 0:
        return 1
    return 0
PY
expect 20 'try: add `requires="k > 0"` to the claim' "$couplet" verify --function scaled "$dir/words.py"
expect 10 'add noise: `value + rng.laplace(scale=scale)`' "$couplet" verify --function bare "$dir/words.py"
expect 20 'couplet translate, and in that .dp file give inputs' "$couplet" verify --function rarely "$dir/words.py"

# Folders of other checkers' programs, one function at a time where some cannot be read.
mkdir "$dir/suite" && cp "$dir/m.py" "$dir/m.toml" "$dir/suite" && cp examples/python/leaky_sum.c "$dir/suite/bad_sum.c"
expect 0 "2 as expected, 0 other, 0 unknown, 0 not read" scripts/suites.sh "$dir/suite"
printf '[[claim]]\nfunction = "broken"\nepsilon = "1"\nadjacent = "within(q, 1)"\n' >>"$dir/suite/m.toml"
expect 0 "2 as expected, 0 other, 0 unknown, 1 not read" scripts/suites.sh "$dir/suite"
mv "$dir/suite/bad_sum.c" "$dir/suite/sum.c"
expect 1 "1 as expected, 1 other, 0 unknown, 1 not read" scripts/suites.sh "$dir/suite"

# The function itself, with a fixed seed: its frequencies are near the certified probabilities.
for file in examples/python/{counting,classes}.py examples/library_bugs/{diffprivlib_104,opendp_2708,nvflare_343}.py; do
  "$couplet" verify --json --replay 4000 "$file" >"$dir/record.json" 2>/dev/null
  "$python" - "$dir/record.json" <<'PY' || fail "replay: $file"
import json, sys
found = 0
for c in json.load(open(sys.argv[1]))["files"][0]["claims"]:
    for side, certified in zip(*((c["counterexample"] or {}).get(k, []) for k in ("replay", "probabilities"))):
        found += 1
        assert not side["raised"] and abs(side["matched"] / side["runs"] - float(certified["low"])) < 0.04, (c["name"], side, certified)
assert found >= 2, found
PY
done
expect 0 "(0, 0)  0.3125  observed 0.3" "$couplet" prob --replay 3000 --mechanism one_sample --input answer=1 examples/library_bugs/opendp_2933.py
expect 0 "observed     0." "$couplet" prob --replay 300 --mechanism one_sample --input answer=1 --output "(_, 1)" examples/library_bugs/opendp_2933.py
expect 1 "--replay is for Python files" "$couplet" verify --replay 5 examples/python/leaky_sum.c
printf 'import couplet\nimport nowhere\n\n@couplet.private(epsilon="1", adjacent="within(x, 1)")\ndef f(x):\n    return 1\n' >"$dir/lost.py"
expect 2 "error[replay-failed]: the function cannot be run: the file cannot be imported" "$couplet" prob --replay 5 --input x=1 "$dir/lost.py"
mkdir "$dir/bare" && echo 'raise ImportError("there is no numpy here")' >"$dir/bare/numpy.py"
printf 'import couplet\n\n@couplet.private(epsilon="1", adjacent="within(x, 1)")\ndef f(x, rng):\n    return x + rng.laplace()\n' >"$dir/bare/m.py"
expect 2 "its generator cannot be made: there is no numpy here" "$couplet" prob --replay 5 --input x=1 --output 0..1 "$dir/bare/m.py"
printf 'import couplet\nprint("hello")\n\n@couplet.private(epsilon="1", adjacent="within(x, 1)")\ndef f(x, rng):\n    return bool(x + rng.laplace() > 0)\n' >"$dir/loud.py"
expect 0 "true    0.5  observed 0." "$couplet" prob --replay 100 --input x=0 "$dir/loud.py"

# A list that is made of its own items, and `//` in formulas, mean what they mean in Python.
cat >"$dir/own.py" <<'PY'
import couplet
import numpy as np


@couplet.private(epsilon="0", adjacent="within(x, 1)")
def swapped(x):
    t = [0.0, x]
    t = [t[1], t[0]]
    return t[1]


@couplet.private(epsilon="1", adjacent="within(x, 1)")
def doubled(x):
    t = np.array([0.0, x, 1.0])
    t = np.array([t[1], t[2], t[0]]) * 2
    return [t[0], t[1], t[2]]


@couplet.private(epsilon="epsilon", adjacent="abs(x<1> - x<2>) <= k", requires=["k >= 2", "m >= k // 2", "m >= 1"],
                 types={"x": "int", "k": "int", "m": "int"})
def halved(x, k, m, epsilon, rng):
    return x + rng.laplace(scale=m / epsilon)
PY
expect 0 "0       1" "$couplet" prob --mechanism swapped --input x=7 "$dir/own.py"
expect 0 "[14, 2, 0]" "$couplet" prob --mechanism doubled --input x=7 "$dir/own.py"
"$couplet" verify "$dir/own.py" >"$dir/log" 2>/dev/null
grep -q "proved   swapped" "$dir/log" && grep -q "refuted  doubled" "$dir/log" && grep -q "refuted  halved" "$dir/log" ||
  { cat "$dir/log"; fail "lists made of their own items, or //"; }

# A certificate is about the translation.
"$couplet" translate "$dir/m.py" >"$dir/m.dp"
expect 0 "" "$couplet" verify --certificate "$dir/c.json" "$dir/m.py"
expect 0 "" "$build/couplet-check" "$dir/c.json" "$dir/m.dp"
expect 0 "1 of 1 claims certified" "$couplet" check "$dir/c.json" "$dir/m.py"
sed -i 's/1\/epsilon/2\/epsilon/' "$dir/m.dp"
"$build/couplet-check" "$dir/c.json" "$dir/m.dp" >/dev/null 2>&1 && fail "a certificate fits another program"

# Without the translator there is an error, not an answer; what it says is not believed.
expect 2 "error[translator-failed]" env COUPLET_PYTHON=/nonexistent "$couplet" verify "$dir/m.py"
for answer in 'nonsense' '{}' '{"version": 1, "text": 3}' '{"version": 9, "text": ""}' '[]'; do
  printf '#!/bin/sh\necho %s\n' "'$answer'" >"$dir/liar"; chmod +x "$dir/liar"
  expect 2 "error[translator-failed]" env COUPLET_PYTHON="$dir/liar" "$couplet" verify "$dir/m.py"
done
printf '#!/bin/sh\necho %s\n' "'{\"version\": 1, \"text\": \"param x : real\", \"map\": [[0, 4000000000, 5, 2], [0, 9, 0, 99999], 7, [-1, 2]]}'" >"$dir/liar"
expect 2 "error" env COUPLET_PYTHON="$dir/liar" "$couplet" verify "$dir/m.py"

"$python" tests/python/test_batches.py "$couplet" >"$dir/log" 2>&1 || { cat "$dir/log"; fail "batches of samples"; }
"$python" tests/python/test_refusals.py >"$dir/log" 2>&1 || { cat "$dir/log"; fail "refusals"; }
"$python" tests/python/test_aliases.py >"$dir/log" 2>&1 || { cat "$dir/log"; fail "aliases, defaults and options"; }
"$python" tests/python/test_scoping.py >"$dir/log" 2>&1 || { cat "$dir/log"; fail "names and scopes"; }
"$python" tests/python/test_quantifiers.py >"$dir/log" 2>&1 || { cat "$dir/log"; fail "all() and any() in claims"; }
"$python" tests/python/test_classes_refused.py >"$dir/log" 2>&1 || { cat "$dir/log"; fail "refusals of classes"; }
"$python" tests/python/test_imported.py >"$dir/log" 2>&1 || { cat "$dir/log"; fail "interfaces of other files"; }
"$python" tests/python/test_styles.py >"$dir/log" 2>&1 || { cat "$dir/log"; fail "common styles"; }
"$python" tests/python/test_choices.py "$couplet" >"$dir/log" 2>&1 || { cat "$dir/log"; fail "weighted choices"; }
"$python" tests/python/test_leaks.py "$couplet" >"$dir/log" 2>&1 || { cat "$dir/log"; fail "leaks beside the computation"; }
"$python" tests/python/test_private.py "$couplet" >"$dir/log" 2>&1 || { cat "$dir/log"; fail "private data in control"; }
"$python" -W ignore tests/python/test_meaning.py "$couplet" >"$dir/log" 2>&1 || { cat "$dir/log"; fail "what is easily misread"; }
"$python" tests/python/test_c.py >"$dir/log" 2>&1 || { cat "$dir/log"; fail "C files"; }
"$python" tests/python/test_checking.py >"$dir/log" 2>&1 || { cat "$dir/log"; fail "check, judge, pytest"; }
grep -q skipped "$dir/log" && grep skipped "$dir/log"
"$python" -W ignore tests/python/test_reader.py "$couplet" >"$dir/log" 2>&1 || { cat "$dir/log"; fail "the translation differs"; }
tail -n 1 "$dir/log"

# pip, from the checkout and without a network
if "$python" -m pip --version >/dev/null 2>&1; then
  mkdir "$dir/checkout" && cp -r pyproject.toml README.md python "$dir/checkout"/
  (cd "$dir/checkout" && "$python" -m pip install --no-index --target "$dir/site" . >"$dir/log" 2>&1) || { cat "$dir/log"; fail "pip install"; }
  (cd / && PYTHONPATH=$dir/site "$python" -c 'import couplet.translate, couplet.replay, couplet.reader.module, couplet.checking') ||
    fail "pip installed too little"
  diff -r -x __pycache__ python/couplet "$dir/site/couplet" || fail "pip installed something else"
  if "$python" -c 'import pytest' 2>/dev/null; then # the plugin is found by its entry point
    (cd "$dir" && PYTHONPATH=$dir/site "$python" -m pytest -q -p no:cacheprovider --couplet "$OLDPWD/examples/python/survey.py" >"$dir/log" 2>&1)
    grep -q "1 failed, 2 passed" "$dir/log" || { cat "$dir/log"; fail "pytest --couplet of the installed package"; }
  fi
else
  echo "pip was not tried: no pip"
fi
exit $failed
