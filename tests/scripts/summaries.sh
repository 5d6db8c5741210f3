#!/usr/bin/env bash
# Markdown, JUnit XML and badge say what the record says, whatever files and claims are called.
# ctest-label: release
set -euo pipefail
couplet=$(realpath "$1")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
root=$PWD
failed=0
fail() { echo "FAIL: $*"; failed=1; }

files=(examples/automata/svt.dp examples/incorrect/noisy_max_1.dp examples/proofs/laplace.dp tests/unit/report/data/errors.dp
       tests/regress/proofs/admit.dp tests/regress/lint/contradiction.dp)
mkdir "$dir/in"
cp "${files[@]}" "$dir/in"
cp examples/correct/svt.dp "$dir/in/open.dp"
cd "$dir/in"
cp laplace.dp $'pipe | <b>&amp;\\ `tick` _x_ é.dp'
judge() { # judge NAME OPTION...: its record, summaries and status
  local name=$1 status=0
  shift
  "$couplet" verify --no-times --search 1 --json --junit "$dir/$name.xml" --sarif "$dir/$name.sarif" --badge "$dir/$name.svg" "$@" > "$dir/$name.json" 2>/dev/null || status=$?
  echo "$status" > "$dir/$name.status"
}
judge all --no-search ./*.dp missing.dp
judge strict --no-search --strict ./*.dp
judge strict_only --strict laplace.dp contradiction.dp
judge proved laplace.dp svt.dp
judge refuted laplace.dp noisy_max_1.dp
judge unknown --no-search laplace.dp open.dp
judge admitted laplace.dp admit.dp
status=0
"$couplet" verify --no-search --markdown ./*.dp missing.dp > "$dir/all.md" 2>/dev/null || status=$?
[ "$status" = "$(cat "$dir/all.status")" ] || fail "--markdown changes the status to $status"
status=0
"$couplet" verify --json --markdown laplace.dp >/dev/null 2>"$dir/err" || status=$?
[ "$status" = 1 ] && grep -q 'one of them at a time' "$dir/err" || fail "--json with --markdown: status $status"
cd "$root"

python3 - "$dir" <<'PYTHON' || failed=1
import html, json, re, sys
import xml.etree.ElementTree as xml
folder = sys.argv[1]
def load(name):
    return (json.load(open(f"{folder}/{name}.json")), xml.parse(f"{folder}/{name}.xml").getroot(),
            xml.parse(f"{folder}/{name}.svg").getroot(), int(open(f"{folder}/{name}.status").read()))

# JUnit: a suite per file, a case per claim, a failure unless proved, an error where a file is bad.
for name in ("all", "strict", "proved", "refuted"):
    record, suites, _, _ = load(name)
    assert [s.get("name") for s in suites] == [f["file"] for f in record["files"]]
    totals = {"tests": 0, "failures": 0, "errors": 0}
    for suite, f in zip(suites, record["files"], strict=True):
        cases = list(suite)
        for case, claim in zip(cases, f["claims"]):
            assert case.get("name") == claim["name"] and case.get("line") == str(claim["location"]["line"])
            failure = case.find("failure")
            assert (failure is None) == (claim["verdict"] == "proved"), claim
            if failure is not None:
                assert failure.get("type") == claim["verdict"]
                shown = " ".join(failure.text.split())
                for text in (claim["reason"], (claim["counterexample"] or {}).get("text")):
                    assert not text or " ".join(text.split()) in shown, text
        errors = [c for c in cases[len(f["claims"]):] if c.find("error") is not None]
        assert len(errors) == len(cases) - len(f["claims"])
        assert sum(d["severity"] == "error" for d in f["diagnostics"]) == len([e for e in errors if e.get("name") != "contradictory-assumptions"])
        for key, value in (("tests", len(cases)), ("failures", len(suite.findall("*/failure"))), ("errors", len(errors))):
            assert int(suite.get(key)) == value, (key, value)
            totals[key] += value
    for key, value in totals.items():
        assert int(suites.get(key)) == value, (key, value)
def errors(name):
    return [e.get("type") for e in load(name)[1].iter("error")]
assert "contradictory-assumptions" not in errors("all") and "contradictory-assumptions" in errors("strict")

# The badge says the worst.
for name, words, status in (("proved", "couplet: 3 proved", 0), ("refuted", "couplet: 1 of 2 refuted", 10), ("admitted", "couplet: 1 of 2 admitted", 30),
                            ("unknown", "couplet: 1 of 2 unknown", 20), ("strict_only", "couplet: error", 2), ("all", "couplet: error", 2)):
    _, _, badge, was = load(name)
    assert badge.get("aria-label") == words, badge.get("aria-label")
    assert was == status, (name, was)
    log = json.load(open(f"{folder}/{name}.sarif"))
    assert log["runs"][0]["invocations"][0]["exitCode"] == status, name
    assert len({load(n)[2].findall(".//{*}rect")[2].get("fill") for n in ("proved", "refuted", "unknown", "admitted", "all")}) == 5

# Markdown: a row per claim, with verdict, name, cost, bound and place; nothing of it is markup.
record, _, _, _ = load("all")
lines = open(f"{folder}/all.md", encoding="utf-8").read().split("\n")
def plain(cell):
    return html.unescape(re.sub(r"\\(.)", r"\1", cell.strip()))
rows = [[plain(c) for c in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines if line.startswith("| ") and "verdict | claim" not in line]
claims = [c for f in record["files"] for c in f["claims"]]
assert len(rows) == len(claims) >= 8
for row, c in zip(rows, claims):
    assert len(row) == 6, row
    assert row[0].endswith(" " + c["verdict"]) and row[1] == c["name"] and row[3] == (c["cost"] or ""), row
    assert (row[4] != "") == (c["lower_text"] is not None)
    assert row[5].endswith(":%d" % c["location"]["line"]), row
odd = [r for r in rows if "pipe |" in r[5]]
assert len(odd) == 1 and "<b>&amp;\\ `tick` _x_ é.dp" in odd[0][5], odd
text = "\n".join(lines)
assert "<b>" not in text and "error: missing.dp" in text.replace("`", "") and lines[0].startswith("### Couplet: ")
assert text.count("<details>") == sum(c["verdict"] != "proved" for c in claims)
assert "not searched for one" in text
PYTHON

# What cannot be written is an error.
for option in --junit --badge; do
  status=0
  "$couplet" verify $option "$dir/none/x" examples/proofs/laplace.dp >/dev/null 2>"$dir/err" || status=$?
  [ "$status" = 3 ] && grep -q 'none/x' "$dir/err" || fail "$option into a missing folder: status $status"
done
exit $failed
