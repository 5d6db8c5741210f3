#!/usr/bin/env bash
# verify --certificate writes what check accepts; files that are wrong get a message with a place and
# status 2, evidence that is none gets 20; the file is written whole or not at all; and couplet-check
# and couplet-recount have no search in them.
# ctest-label: release
set -euo pipefail
couplet=$1
build=$(dirname "$couplet")
checker=$build/couplet-check
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAIL: $*"; failed=1; }

# status_of COMMAND...: status in $status, standard error in $message
status_of() { set +e; message=$("$@" 2>&1 >"$dir/out"); status=$?; set -e; }
expect() { # expect STATUS TEXT COMMAND...
  local wanted=$1 text=$2; shift 2
  status_of "$@"
  [ "$status" = "$wanted" ] || fail "status $status instead of $wanted: $* -- $message"
  grep -qF -- "$text" <<<"$message$(cat "$dir/out")" || fail "no '$text' from $*: $message"
}

# 1. What is written is accepted, by both programs.
for file in examples/automata/* examples/incorrect/bad_svt1.dp \
  examples/incorrect/noisy_max_1.dp examples/incorrect/bad_svt4.dp examples/proofs/svt.dp \
  examples/proofs/ptr.dp tests/corpus/true/finite/krr_four.dp examples/finite/snapping_all.dp \
  examples/gaussian/adaptive_rounds.dp \
  tests/unit/cert/corpus/outcomes.dp tests/unit/cert/corpus/notions.dp tests/unit/cert/corpus/accuracy.dp; do
  cert=$dir/$(tr / _ <<<"${file#examples/automata/}").cert
  set +e; "$couplet" verify --search 20 --certificate "$cert" "$file" >"$dir/verdicts"; status=$?; set -e
  case $status,$file in 0,* | 10,*) ;; *equal_disjunction*) continue ;; # is open
  *) fail "$file: verify exits $status"; cat "$dir/verdicts"; continue ;; esac
  decided=$(grep -cE '^  (proved|refuted) ' "$dir/verdicts" || true)
  expect 0 "$decided of $decided claims certified" "$couplet" check "$cert" "$file"
  expect 0 "$decided of $decided claims certified" "$checker" "$cert" "$file"
done
cert=$dir/svt.dp.cert source=examples/automata/svt.dp
"$couplet" verify --certificate "$dir/again" "$source" >/dev/null
cmp "$cert" "$dir/again" || fail "two runs wrote different certificates"
"$couplet" verify --json --certificate "$dir/again" "$source" >"$dir/json"
if grep -qE '"(certificate|source_digest)"' "$dir/json"; then fail "the certificate is in the JSON"; fi

# A lemma has a certificate as well; it is no evidence for another lemma.
printf 'param a : real, a > 0;\nlemma square: a*a > 0;\nlemma larger: a + 1 > a;\n' >"$dir/lemma.dp"
expect 0 "" "$couplet" verify --certificate "$dir/lemma.cert" "$dir/lemma.dp"
expect 0 "2 of 2 claims certified" "$checker" "$dir/lemma.cert" "$dir/lemma.dp"
python3 - "$dir/lemma.cert" "$dir/swapped.cert" <<'END'
import hashlib, json, sys
cert = json.load(open(sys.argv[1]))
a, b = cert["certificates"]
a["claim"], b["claim"] = b["claim"], a["claim"]
del cert["seal"]
cert["seal"] = hashlib.sha256(json.dumps(cert, separators=(",", ":"), sort_keys=True).encode()).hexdigest()
json.dump(cert, open(sys.argv[2], "w"))
END
expect 20 "there is no refutation of it" "$checker" "$dir/swapped.cert" "$dir/lemma.dp"

# 2. Nothing decided: nothing is certified.
expect 0 "" "$couplet" verify --search 20 --certificate "$dir/x" "$source"
status_of "$couplet" verify --no-search --certificate "$dir/none" "$source"
expect 20 "no certificate: nothing was decided" "$checker" "$dir/none" "$source"

# 3. Bound to the source, and to everything it includes.
mkdir "$dir/src"
cp "$source" "$dir/src/part.dp"
printf 'include "part.dp";\nautomaton other {\n%s' "$(sed -n '/^automaton/,/^}/p' "$source" | tail -n +2)" >"$dir/src/main.dp"
"$couplet" fmt --stdout "$dir/src/main.dp" >/dev/null || fail "the generated file is wrong"
expect 0 "" "$couplet" verify --certificate "$dir/main.cert" "$dir/src/main.dp"
expect 0 "certified" "$checker" "$dir/main.cert" "$dir/src/main.dp"
echo "// a comment" >>"$dir/src/part.dp"
expect 2 "error[certificate-source]" "$checker" "$dir/main.cert" "$dir/src/main.dp"
expect 2 "error[certificate-source]" "$checker" "$cert" examples/automata/numeric_sparse.dp
# a .dipa file's claim is named after the file
cp examples/automata/svt.dipa "$dir/renamed.dipa"
expect 2 "error[certificate-claim]" "$checker" "$dir/svt.dipa.cert" "$dir/renamed.dipa"

# 4. Files that are no certificates: a place, and what was expected.
bad() { # bad TEXT CONTENT
  printf '%s' "$2" >"$dir/bad"
  expect 2 "$1" "$checker" "$dir/bad" "$source"
  grep -qF "$dir/bad" <<<"$message" || fail "the file is not named: $message"
}
bad "bad:1:1: error[certificate-syntax]" ''
bad "error[certificate-syntax]" '{"format": "couplet-certificate", '
bad "error[certificate-syntax]" $'{"format": "couplet-certificate",\n "format": "couplet-certificate"}'
grep -qF "bad:2:" <<<"$message" || fail "the line is not named: $message"
bad "error[certificate-syntax]" "$(cat "$cert") x"
bad "error[certificate-syntax]" "$(printf '[%.0s' $(seq 100000))"
bad "error[certificate-syntax]" "$(printf '{"a":%.0s' $(seq 100000))"
bad "error[certificate-format]" '[1, 2]'
bad "error[certificate-format]" '{}'
bad "error[certificate-version]" "$(sed 's/"version": 3/"version": 2/' "$cert")"
bad "error[certificate-version]" "$(sed 's/"version": 3/"version": 3.0/' "$cert")"
bad "error[certificate-field]: the field 'seal' is missing" '{"format": "couplet-certificate", "version": 3, "source": "", "certificates": []}'
bad "error[certificate-seal]" "$(sed 's/"cost": "5"/"cost": "4"/' "$cert")"
head -c 1000000 /dev/urandom >"$dir/bad"
expect 2 "error[certificate-syntax]" "$checker" "$dir/bad" "$source"
truncate -s 300M "$dir/huge"
expect 2 "larger than the limit" "$checker" "$dir/huge" "$source"
rm "$dir/huge"
expect 2 "error[unreadable-file]" "$checker" "$dir/missing" "$source"
expect 2 "error[unreadable-file]" "$checker" "$cert" "$dir/missing.dp"
expect 2 "error[" "$checker" "$cert" tests/scripts/check.sh

# 5. Sealed again after a change: the place of what is wrong is a path.
# One process alters them all: most of the time would go into starting it.
cat >"$dir/forge.py" <<'EOF'
import hashlib, json, sys
def texts():
    return iter(lambda: sys.stdin.buffer.read(int(sys.stdin.buffer.readline() or 0)).decode(), "")
for path, target, code in zip(*[texts()] * 3):
    d = json.load(open(path))
    try:
        exec(code, {"d": d})
        d.pop("seal")
        d["seal"] = hashlib.sha256(json.dumps(d, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()).hexdigest()
        with open(target, "w") as file:
            json.dump(d, file)
        print("done", flush=True)
    except Exception as error:
        print(repr(error), flush=True)
EOF
coproc forger { exec python3 "$dir/forge.py"; }
reseal() { # reseal PYTHON: runs it on the certificate d
  local text said LC_ALL=C
  rm -f "$dir/forged"
  for text in "$cert" "$dir/forged" "$1"; do printf '%d\n%s' "${#text}" "$text"; done >&"${forger[1]}"
  read -r said <&"${forger[0]}"
  [ "$said" = done ] || fail "the certificate cannot be altered: $said: $1"
}
forged() { # forged STATUS TEXT PYTHON
  reseal "$3"
  expect "$1" "$2" "$checker" "$dir/forged" "$source"
}
forged 0 "2 of 2 claims certified" 'pass' # the seal is what the documentation says it is
forged 20 "certificates[0]: the cost is not that of the strategy" 'd["certificates"][0]["cost"] = "1"'
forged 20 "nothing is said about the start within the cost" \
  'c = d["certificates"][0]; c["cost"] = "1"; c["strategy"]["cost"] = "4"'
forged 20 "costs more than is claimed" 'c = d["certificates"][1]; c["cost"] = "3/2"; c["strategy"]["cost"] = "6"'
forged 2 "certificates[0].strategy.nodes[1].points[0]: expected a text of 1 signs" \
  'd["certificates"][0]["strategy"]["nodes"][1]["points"][0][0] = "++"'
forged 2 "certificates[0].strategy.nodes[0].edges[0]: 9 is not among the 3 nodes" \
  'd["certificates"][0]["strategy"]["nodes"][0]["edges"][0][1] = 9'
forged 2 "certificates[1].claim.epsilon: the source says '5/4*eps', not 'eps'" 'd["certificates"][1]["claim"]["epsilon"] = "eps"'
forged 2 "has a certificate already" 'd["certificates"].append(d["certificates"][0])'
forged 2 "knows no certificates 'proof'" 'd["certificates"][0]["kind"] = "proof"'
forged 2 "'epsilon' is missing" 'd["certificates"][0]["kind"] = "program-proof"'
forged 2 "the claim is not about a program" \
  'c = d["certificates"][0]; d["certificates"][0] = {"claim": c["claim"], "kind": "program-proof", "epsilon": "eps", "derivation": [], "terms": [], "refutations": []}'
forged 20 "is live twice" \
  'd["certificates"][0]["strategy"]["live"][1] = [0] * 5000; d["certificates"][0]["strategy"]["nodes"][1]["points"][0][0] = "+" * 5000'
# many labels: no more time than there are labels
reseal 's = d["certificates"][0]; t = s["strategy"]; t["nodes"][1]["labels"] = [[["-", str(100 + i)]] for i in range(20000)]; t["cost"] = "1"; s["cost"] = "1/%s" % t["scale"]'
expect 20 "certificates[0]" timeout 20 "$checker" "$dir/forged" "$source"
forged 20 "more points than shifts" 'n = d["certificates"][0]["strategy"]["nodes"][1]; n["points"] = n["points"] * 4'
forged 2 "has another structure" 'd["certificates"][0]["automaton"] = "0" * 64'

cert=$dir/not_private_svt_reversed.dp.cert source=examples/automata/not_private_svt_reversed.dp
forged 20 "there are more than 2000 steps" \
  'c = d["certificates"][1]["refuted"][0]; c["inputs"] = [["0", "0"]] * 10**6; c["outputs"] = c["outputs"][:1] * 10**6'
# "not private at any multiple of eps": numbers for some D are not enough, and the walk has to lose in every cycle
walk='c = d["certificates"][0]; w = c["walk"]'
forged 0 "unbounded along a walk: not private at any multiple of eps" 'pass'
forged 20 "no list of costs refutes it" "$walk; c['kind'] = 'automaton-counterexample'; del c['walk']"
forged 20 "every cycle of the walk is free" "$walk; c['walk'] = [[e, n, '0'] for e, n, _ in w]"
forged 20 "every cycle of the walk is free" "$walk; c['walk'] = [[e, 0, s] for e, n, s in w]"
forged 20 "every cycle of the walk is free" "$walk; c['walk'] = []"
forged 20 "no walk of the automaton" "$walk; c['walk'] = w[1:]"
forged 2 "expected a sign" "$walk; w[0][2] = '++'"
forged 2 "expected 1 to 4 counterexamples, found 0" "$walk; c['refuted'] = []"
# proofs of programs: other calls are another derivation, and none of these is one
cert=$dir/examples_proofs_svt.dp.cert source=examples/proofs/svt.dp
proof='p = d["certificates"][0]; t = p["derivation"]'
forged 0 "(eps)-private (derivation checked by the kernel, " 'pass'
forged 20 "the derivation has no end" "$proof; del t[-1]"
forged 20 "the derivation has no end" "$proof; p['derivation'] = []"
forged 20 "there is something after the end" "$proof; t.append(t[-1])"
forged 20 "line 1 of the derivation: this is no line" "$proof; t[0] = 'x'"
forged 20 "line 1 of the derivation: this is no term" "$proof; t.insert(0, '= nothing')"
forged 20 "there is no such rule" "$proof; t.insert(0, '> admit t0 t0')"
forged 20 "there are too many arguments" "$proof; t.insert(0, ': program c0')"
forged 20 "an argument is missing" "$proof; i = next(i for i, l in enumerate(t) if l.startswith('> seq')); t[i] = '> seq j0'"
forged 20 "an argument is not what the rule takes" "$proof; i = next(i for i, l in enumerate(t) if l.startswith('> seq')); t[i] = '> seq j0 j99999'"
forged 20 "an argument is not what the rule takes" "$proof; i = next(i for i, l in enumerate(t) if l.startswith('> seq')); t[i] = '<' + t[i][1:]"
forged 20 "there is no refutation of it" "$proof; n = sum(l[0] == '=' for l in t); t[-1:-1] = ['= false', '> lemma t%d' % n]"
# every call by itself: left out, in the other context, with a coupling that moves by another number
python3 - "$cert" >"$dir/calls" <<'EOF'
import json, sys
t = json.load(open(sys.argv[1]))["certificates"][0]["derivation"]
print("\n".join(str(i) for i, l in enumerate(t) if l[0] == ">"))
EOF
for i in $(shuf -n 6 --random-source=<(yes) "$dir/calls"); do
  forged 20 "" "$proof; del t[$i]"
  forged 20 "" "$proof; t[$i] = '<' + t[$i][1:]"
done
forged 20 "" "$proof; p['derivation'] = [l.replace('= n 1/2 r', '= n 1/3 r').replace('= n 2 r', '= n 3 r') for l in t]"
forged 20 "" "$proof; p['derivation'] = [l.replace('> shift', '> same') for l in t]"
forged 20 "the claim is epsilon 'eps', not '2*eps'" "$proof; p['epsilon'] = '2*eps'"
forged 2 "expected a" "$proof; p['derivation'] = 7"
forged 2 "expected a line of text" "$proof; t[0] = 7"
forged 2 "expected a line of text" "$proof; t[0] += '\\n' + t[1]"
forged 2 "'derivation' is missing" "$proof; del p['derivation']"
forged 2 "is not one of this format's" "$proof; p['proof'] = '{ }'"
# and refutations: one that is missing, exchanged, altered, not needed
refutations="$proof; r = p['refutations']"
forged 20 "there is no refutation of it" "$refutations; del r[0]"
forged 20 "there is no refutation of it" "$refutations; del r[-1]"
forged 20 "" "$refutations; r[0]['steps'], r[1]['steps'] = r[1]['steps'], r[0]['steps']"
forged 20 "" "$refutations; r[0]['obligation'], r[1]['obligation'] = r[1]['obligation'], r[0]['obligation']"
forged 20 "" "$refutations; del r[0]['steps'][-1]"
forged 20 "" "$refutations; r[0]['steps'].append('algebra')"
forged 20 "cannot be read" "$refutations; r[0]['steps'][0] = 'belief'"
forged 20 "belongs to no obligation" "$proof; p['terms'].append('true')"
forged 20 "belongs to no obligation" "$refutations; r.append({'obligation': '0' * 64, 'steps': r[0]['steps']})"
forged 2 "has a refutation already" "$refutations; r.append(r[0])"
forged 2 "expected the hash of an obligation" "$refutations; r[0]['obligation'] = 'x'"
forged 2 "expected a line of text" "$proof; p['terms'][0] = 7"
forged 2 "'refutations' is missing" "$proof; del p['refutations']"
# false lemmas: other values, or values of nothing, show nothing
cert=$dir/false.cert source=tests/regress/lemmas/false.dp
expect 10 "6 refuted" "$couplet" verify --no-search --certificate "$cert" "$source"
lemma() { echo "p = next(c for c in d['certificates'] if c['claim']['name'] == '$1'); t = p['derivation']; at = [i for i, l in enumerate(t) if l.startswith('at')]"; }
forged 0 "6 of 8 claims certified" "$(lemma number); assert at"
forged 20 "" "$(lemma number); p['kind'] = 'lemma-proof'"
forged 20 "" "$(lemma number); p['derivation'] = []"
forged 20 "this is no value" "$(lemma number); t.append(t[at[0]])"
forged 20 "this is no value" "$(lemma number); t[at[0]] = 'at' + 2 * t[at[0]][2:t[at[0]].rindex(' ')]"
if python3 tests/regress/versions.py "$couplet"; then # the values are those of its models
  forged 20 "" "$(lemma number); t[:] = [l.replace('n 1 i', 'n 2 i') for l in t]"
  forged 20 "an assumption holds" "$(lemma number); t[:] = [l.replace('n 1 i', 'n 0 i') for l in t]"
  forged 20 "" "$(lemma some); t[:] = [l.replace('n -1 i', 'n -5 i') for l in t]"
fi
forged 20 "this line is not for lemmas that are false" "$(lemma number); t += ['= false', '> lemma t%d' % sum(l[0] == '=' for l in t)]"
forged 20 "" "$(lemma some); t.append(t[-1])"
forged 20 "" "$(lemma anything); t[:] = [l for l in t if not l.startswith('at') or l in (t[at[0]], t[at[1]])]"
# parts with finitely many outcomes: variables, ranges and the cost are those of the derivation, or there is none
cert=$dir/tests_unit_cert_corpus_outcomes.dp.cert source=tests/unit/cert/corpus/outcomes.dp
finite='p = d["certificates"][0]; t = p["derivation"]; i = next(i for i, l in enumerate(t) if l.startswith("> finite")); w = t[i].split()'
call="t[i] = ' '.join(w)"
forged 0 "2 of 2 claims certified" "$finite; assert w[7:9] == ['-', '-'] and len(w) == 12"
forged 20 "" "$finite; w[5] = 'n1'; $call"
forged 20 "" "$finite; del w[9:]; $call"
forged 20 "" "$finite; del w[6:9]; $call"
forged 20 "" "$finite; w[4] = w[10]; $call"
forged 20 "an argument is not what the rule takes" "$finite; w[5] = 'n3'; $call"
forged 20 "an argument is missing" "$finite; del w[11]; $call"
forged 20 "a range has integers as its ends" "$finite; w[11] = '-'; $call"
forged 20 "a range has integers as its ends" "$finite; w[10] = w[4]; $call"
forged 20 "ranges are of integers" "$finite; w[10], w[11] = w[11], w[10]; $call"
forged 20 "not a program variable" "$finite; w[6] = w[4]; $call"
big='n = sum(l[0] == "=" for l in t[:i])'
forged 20 "a range has integers as its ends" "$finite; $big; t.insert(i, '= n 4294967296 i'); i += 1; w[11] = 't%d' % n; $call"
forged 20 "ranges are of integers" "$finite; $big; t.insert(i, '= n 65 i'); i += 1; w[11] = 't%d' % n; $call"
# proofs by way of another notion: what is shown is what the derivation is about, and the claim follows
cert=$dir/tests_unit_cert_corpus_notions.dp.cert source=tests/unit/cert/corpus/notions.dp
of() { echo "p = next(c for c in d['certificates'] if c['claim']['name'] == '$1'); t = p['derivation']"; }
forged 0 "zcdp 1/(2*sigma^2) (derivation checked by the kernel" "$(of any); assert p['claim']['epsilon'] == '?' and p['claim']['notion'] == 'zcdp'"
forged 2 "the source says 'zcdp', not 'gaussian'" "$(of any); p['claim']['notion'] = 'gaussian'"
forged 2 "" "$(of any); del p['claim']['notion']"
forged 2 "" "$(of tail); p['claim']['notion'] = 'zcdp'"
forged 20 "" "$(of any); p['epsilon'] = '1/(3*sigma^2)'"
forged 20 "" "$(of any); t.insert(0, 'by zcdp 1/(3*sigma^2)')"
forged 0 "6 of 6 claims certified" "$(of tail); assert t[0] == 'by zcdp 1/(2*sigma^2)'"
forged 20 "" "$(of tail); del t[0]"
for way in 'zcdp 1/(3*sigma^2)' 'zcdp 1/sigma^2' 'gaussian 1/(2*sigma^2)' 'gaussian 1/sigma' 'epsilon 1/(2*sigma^2)' 'zcdp 0'; do
  forged 20 "" "$(of tail); t[0] = 'by $way'"
done
for way in 'zcdp' 'zcdp ' 'zcdp 1 +' 'zcdp 1/(2*sigma^2);' 'renyi 1/sigma^2' 'magic 1' 'zcdp  "' ''; do
  forged 20 "does not say which way it takes" "$(of tail); t[0] = 'by $way'"
done
forged 20 "term over parameters" "$(of tail); t[0] = 'by zcdp y'"
forged 20 "line 2 of the derivation: this is no line" "$(of tail); t.insert(0, t[0])"
forged 20 "this is no line" "$(of tail); t.insert(1, 'order 2')"
forged 0 "" "$(of by_order); assert t[1] == 'order 3'"
forged 20 "does not say which way it takes" "$(of by_order); del t[1]"
forged 20 "" "$(of by_order); t[1] = 'order 1'"
forged 20 "" "$(of by_order); t[1] = 'order 2'"
forged 20 "" "$(of by_order); t[1] = 'order 4'"
forged 20 "" "$(of exact); t[0] = 'by gaussian 1/4'"
forged 20 "" "$(of by_epsilon); t[0] = 'by epsilon 1/4'"
# claims of accuracy: bounds are those of the derivation, and a counterexample is one run and its failure
cert=$dir/tests_unit_cert_corpus_accuracy.dp.cert source=tests/unit/cert/corpus/accuracy.dp
step="p = next(c for c in d['certificates'] if c['claim']['name'] == 'all'); t = p['derivation']; at = lambda s: next(i for i, l in enumerate(t) if l.startswith(s))"
forged 0 "3 of 3 claims certified" "$step; assert t[-1].startswith('end b') and p['claim']['notion'] == 'accuracy'"
forged 2 "" "$step; p['claim']['notion'] = 'zcdp'"
forged 20 "" "$step; p['epsilon'] = 'beta/2'"
forged 20 "is not about the mechanism" "$step; t[-1] = 'end b0' + t[-1][t[-1].index(' c'):] if ' c' in t[-1] else 'end b0'"
forged 20 "" "$step; t[-1] = t[-1].replace('end b', 'end j')"
forged 20 "" "$step; i = at('> tail'); w = t[i].split(); w[4] = 'n0'; t[i] = ' '.join(w)"
forged 20 "" "$step; i = at('> tail'); w = t[i].split(); w[6] = w[5]; t[i] = ' '.join(w)"
forged 20 "" "$step; i = at('> b-while'); t[i] = t[i].replace('b-while', 'b-while-0')"
forged 20 "" "$step; i = at('> b-assign'); t[i] = t[i].replace('b-assign', 'b-sample')"
forged 20 "there is no such rule" "$step; i = at('> b-seq'); t[i] = t[i].replace('b-seq', 'b-or')"
forged 20 "" "$step; del t[at('> b-seq')]"
other="p = next(c for c in d['certificates'] if c['claim']['name'] == 'false_one')"
forged 0 "" "$other; assert p['outputs'] == ['false']"
forged 20 "one run" "$other; p['inputs']['q'][1] = '77'"
forged 20 "one run" "$other; p['outputs'] = ['true']"
forged 20 "one run" "$other; p['outputs'] = ['_']"
forged 20 "one run" "$other; p['outputs'] = []"
forged 20 "the claim holds" "$other; p['claim'] = d['certificates'][0]['claim']; d['certificates'] = [p]"
# a number that the formula asks for is part of what is proved
cat >"$dir/asked.dp" <<'EOF'
param beta : real, 0 < beta < 1;
mechanism m(private q : real) returns real {
  y <$ Lap(q, 1);
  return y;
}
claim accurate m: result - q <= ? and q - result <= ? failure beta;
EOF
cert=$dir/asked.cert source=$dir/asked.dp
"$couplet" verify --certificate "$cert" "$source" >"$dir/verdicts" || fail "the number is not found: $(cat "$dir/verdicts")"
forged 0 "accurate with ? = ln(1/beta), failure beta" 'pass'
forged 20 "" "$proof; p['epsilon'] = 'ln(1/beta)/2'"
forged 20 "" "$proof; p['epsilon'] = '0'"
forged 20 "" "$proof; p['epsilon'] = 'q'"
forged 20 "" "$proof; p['epsilon'] = '?'"
# what is printed is what was proved: the cost that was found cannot add lines, hide or comment
sed 's/epsilon 1/epsilon ?/' >"$dir/open.dp" <<'EOF'
mechanism m(private q : real) returns real
  adjacent within(q, 1)
{
  y <$ Lap(q, 1);
  return y;
}
claim private m epsilon 1;
EOF
cert=$dir/open.cert source=$dir/open.dp
"$couplet" verify --certificate "$cert" "$source" >"$dir/verdicts" || fail "the open claim is not proved: $(cat "$dir/verdicts")"
forged 0 "proved    (1)-private" 'pass'
for text in '1\nall claims  proved    (0)-private' '1 \x7f' '1 // x' '1 /* 0 */' '1  + 0' '\u202e1' ''; do
  forged 2 "certificates[0].epsilon: expected an expression on one line" "$proof; p['epsilon'] = '$text'"
  if grep -q '^all claims' "$dir/out" || LC_ALL=C grep -q $'\x1b' <<<"$message$(cat "$dir/out")"; then fail "'$text' was printed"; fi
done
forged 2 "'a?proved' is not one of this format's" "$proof; p['a\nproved'] = 1"
forged 2 "not '1?proved'" "$proof; p['claim']['epsilon'] = '1\nproved'"
printf '{"a\nproved": \033[2K}' >"$dir/bad"
expect 2 "error[certificate-syntax]" "$checker" "$dir/bad" "$source"
if LC_ALL=C grep -q $'\x1b' <<<"$message"; then fail "an escape sequence was printed: $message"; fi
cp "$cert" "$dir/a"$'\n'"proved"
expect 1 "control characters" "$checker" "$dir/a"$'\n'"proved" "$source"
expect 1 "control characters" "$couplet" verify "$dir/a"$'\n'"proved"
# comments do not belong to a claim
printf '%s' "$(sed 's|epsilon ?|epsilon 2 // + 1\n - 1 /* 0 */|' "$source")" >"$dir/comment.dp"
expect 0 "(2 - 1)-private" "$couplet" verify "$dir/comment.dp"
# limits: a status of their own
cert=$dir/svt.dp.cert source=examples/automata/svt.dp
expect 20 "out of time" "$checker" --timeout 0.000001 "$cert" "$source"
expect 20 "out of time" "$couplet" check --timeout 0.000001 "$cert" "$source"
case $couplet in
*asan*) ;;
*) python3 -c 'print("[" + "0," * 10**7 + "0]")' >"$dir/large"
   expect 20 "not judged with 100 MB of memory" "$checker" --memory 100 "$dir/large" "$source" ;;
esac
expect 1 "needs a positive number" "$checker" --timeout 0 "$cert" "$source"

# 6. Written whole or not at all: no place to write, and a disk that is full in the middle.
expect 3 "cannot write" "$couplet" verify --certificate "$dir/no/such/dir" "$source"
expect 3 "cannot write" "$couplet" verify --certificate "$dir" "$source"
mkdir "$dir/full"
cp "$cert" "$dir/full/old"
full() { trap '' XFSZ; ulimit -f 1; "$couplet" verify --certificate "$1" "$source" >/dev/null; }
for name in old new; do
  set +e; message=$(full "$dir/full/$name" 2>&1); status=$?; set -e
  [ "$status" = 3 ] || fail "status $status on a full disk: $message"
done
[ "$(ls "$dir/full")" = old ] || fail "something was left behind: $(ls "$dir/full")"
cmp "$cert" "$dir/full/old" || fail "the old certificate was damaged"
expect 1 "one file at a time" "$couplet" verify --certificate "$dir/x" "$source" "$source"
echo 'mechanism' >"$dir/wrong.dp"
expect 2 "no certificate was written" "$couplet" verify --certificate "$dir/wrong.cert" "$dir/wrong.dp"
[ ! -e "$dir/wrong.cert" ] || fail "a certificate of a file with errors"
expect 1 "usage" "$checker" "$cert"
expect 1 "usage" "$couplet" check "$cert"

# 7. What couplet-check does not judge itself is judged by couplet-recount, beside it, or by nobody.
recount=$build/couplet-recount
cert=$dir/svt.dp.cert source=examples/automata/svt.dp
expect 0 "2 of 2 claims certified" "$recount" "$cert" "$source"
cert=$dir/examples_proofs_svt.dp.cert source=examples/proofs/svt.dp
expect 20 "certificates[0]: this program does not judge certificates 'program-proof'" "$recount" "$cert" "$source"
mkdir "$dir/bin"
cp "$checker" "$dir/bin/"
expect 0 "of 1 claims certified" "$dir/bin/couplet-check" "$cert" "$source"
cert=$dir/svt.dp.cert source=examples/automata/svt.dp
expect 20 "certificates[0]: not judged: couplet-recount" "$dir/bin/couplet-check" "$cert" "$source"
said='svt                      proved    all'
stands_in() { # stands_in STATUS TEXT PRINTED STATUS_OF_IT: a program in its place that says something
  printf '#!/bin/sh\ncat >/dev/null\nprintf -- "%s"\nexit %s\n' "$3" "$4" >"$dir/bin/couplet-recount"
  chmod +x "$dir/bin/couplet-recount"
  expect "$1" "$2" "$dir/bin/couplet-check" "$cert" "$source"
}
stands_in 0 "2 of 2 claims certified" "$said\\n1 of 2 claims certified\\n" 0 # the answer is read as it should be
for wrong in "" "$said\\n" "1 of 2 claims certified\\n" "$said\\n2 of 2 claims certified\\n" \
  "$said\\n$said\\n1 of 2 claims certified\\n" "x$said\\n1 of 2 claims certified\\n" \
  "$said\\n1 of 2 claims certified\\n\\n" "$said\\\\0\\n1 of 2 claims certified\\n" \
  "svt                      unknown   all\\n1 of 2 claims certified\\n" "error[certificate-rejected]: no"; do
  stands_in 3 "couplet-recount gave no answer" "$wrong" 0
done
stands_in 3 "couplet-recount gave no answer" "$said\\n1 of 2 claims certified\\n" 1
stands_in 20 "not judged within the limits" "$said\\n1 of 2 claims certified\\n" 20
stands_in 20 "certificates[0].walk[1]: no walk" "-: error[certificate-rejected]: certificates[0].walk[1]: no walk\\n" 20
printf '#!/bin/sh\nkill -9 $$\n' >"$dir/bin/couplet-recount"
expect 3 "couplet-recount gave no answer" "$dir/bin/couplet-check" "$cert" "$source"

# 8. The functions of the searches are in couplet, and none of them in the checkers.
nm --defined-only "$checker" | awk '{print $3}' | sort -u >"$dir/symbols"
nm --defined-only "$recount" | awk '{print $3}' | sort -u >"$dir/recounting"
nm --defined-only "$couplet" | awk '{print $3}' | sort -u >"$dir/all"
searches=$(find src/{lang/format,run/sample,compose,advocate,smt,search,automata,report} -name '*.c')
for source_file in $searches; do
  header=${source_file%.c}.h
  if [ -f "$header" ]; then echo "$header"; fi
done | xargs grep -hoE '^[a-z][a-z_0-9 ]*[ *]+[a-z_0-9]+\(' | grep -v '^static' | grep -oE '[a-z_0-9]+\($' | tr -d '(' |
  sort -u | comm -12 - "$dir/all" >"$dir/searches"
found=$(wc -l <"$dir/searches")
for name in $(sort -u "$dir/symbols" "$dir/recounting" | comm -12 "$dir/searches" -); do fail "$name of a search is in a checker"; done
[ "$found" -ge 400 ] || fail "only $found functions of searches were looked for"
for name in automaton_analyse cost_search decide automaton_refute program_refute program_search; do
  if grep -qx "$name" "$dir/symbols" "$dir/recounting"; then fail "$name is in a checker"; fi
done
for name in claim_conclude cert_check referee_accepts kernel_prove dossier_find; do
  grep -qx "$name" "$dir/symbols" || fail "couplet-check lacks $name: are its symbols there at all?"
done
for name in strategy_check walk_check automaton_certify program_certify cert_check; do
  grep -qx "$name" "$dir/recounting" || fail "couplet-recount lacks $name: are its symbols there at all?"
done
# and no solver, neither linked nor loaded: nothing of src/smt, no library for it, no way to load or start one but the one
# call that starts couplet-recount (fork alone, for --timeout, starts nothing else)
for program in "$checker" "$recount"; do
  name=$(basename "$program")
  if ldd "$program" | grep -E 'libgvc|libcgraph'; then fail "$name needs pictures"; fi
  if ldd "$program" | grep -iE 'z3|cvc5|libdl'; then fail "$name needs a solver"; fi
  [ "$program" = "$recount" ] && starts='exec[a-z]*' || starts='execl[a-z]*|execv[a-z]+'
  if nm -D --undefined-only "$program" | grep -E " (dlopen|dlsym|$starts|fexecve|posix_spawnp?|popen|system)(@|\$)"; then
    fail "$name can start or load another program"
  fi
  if grep -c libz3 "$program"; then fail "$name names a solver"; fi
done
[ "$(grep -rhE '\<exec[a-z]*\(' src/{base,num,term,kernel,claim,check,lang/syntax,lang/check} | grep -c execv)" = 1 ] ||
  fail "couplet-check starts something at more than one place"
if sort "$dir/symbols" "$dir/recounting" | grep -iE '^(z3|cvc5|smt|solver|advocate|believ|refereed)_'; then fail "a checker contains a solver"; fi
echo "$found functions of searches are not in the checkers"
exit $failed
