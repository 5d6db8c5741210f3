#!/usr/bin/env python3
"""Counts the lines that verdicts rest on, for the tables of docs/trust.md.

    scripts/trust_count.py [BUILD]            prints the tables
    scripts/trust_count.py --check [BUILD]    fails if docs/trust.md has others
    scripts/trust_count.py --write [BUILD]    puts them into docs/trust.md

The files are those that couplet-check and couplet-recount are made of (BUILD/proof_sources.txt,
BUILD/recount_sources.txt, written by CMake) and the headers they include. Lines are counted without blank lines and comments, and rounded to
hundreds, so that the tables change only when something of a size does."""
import fnmatch
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "trust.md"

# The first pattern that fits decides. A trusted file that fits none is an error: say what it is.
PARTS = [
    ("evaluator", "values of expressions, exact reals, what a run is given (`src/run/eval`)", ["run/eval/*"]),
    ("front end", "lexer, parser, checker, types (`src/lang/syntax`, `src/lang/check`)",
     ["lang/syntax/*", "lang/check/*"]),
    ("base", "memory, text, diagnostics, limits, SHA-256 (`src/base`)", ["base/*"]),
    ("reals", "balls, piecewise functions, quadrature, floating-point operations (`src/num/real`)", ["num/real/*"]),
    ("numbers", "rationals, floating-point numbers (`src/num`)", ["num/*"]),
    ("terms", "typed terms, builders, substitution, evaluation, terms as text (`src/term`)", ["term/*"]),
    ("replay", "derivations and refutations as text, calls of the kernel (`src/check/proof`)", ["check/proof/*"]),
    ("referee", "refutations and their checker (`src/check/referee`)", ["check/referee/*"]),
    ("kernel", "judgements and rules (`src/kernel`)", ["kernel/*"]),
    ("claims", "what a claim means: lowering, translation, goals (`src/claim`)", ["claim/*"]),
    ("distributions", "exact output distributions of programs (`src/check/exact`)", ["check/exact/*"]),
    ("automata", "model, readers, checkers of strategies and walks (`src/check/automaton`)", ["check/automaton/*"]),
    ("finite claims", "every pair of inputs, computed (`src/check/finite`)", ["check/finite/*"]),
    ("certifiers", "of counterexamples, path probabilities (`src/check/counterexample`)", ["check/counterexample/*"]),
    ("certificates", "reading them, judging proofs (`src/check/certificate`), `couplet-check` itself",
     ["check/certificate/*", "cli/check_main.c"]),
    ("recount", "judging other certificates (`src/check/recount`), `couplet-recount` itself",
     ["check/recount/*", "cli/recount_main.c"]),
]

COMMON = ["base", "numbers", "front end"]
VERDICTS = [
    ("`proved`, program or lemma", COMMON + ["terms", "referee", "kernel", "claims"]),
    ("`proved`, finite claim",
     COMMON + ["evaluator", "terms", "kernel", "claims", "reals", "distributions", "certifiers",
               "finite claims"]),
    ("`proved`, automaton", COMMON + ["automata"]),
    ("`refuted`, program",
     COMMON + ["evaluator", "terms", "kernel", "claims", "reals", "distributions", "certifiers"]),
    ("`refuted`, automaton", COMMON + ["reals", "automata", "certifiers"]),
]


def files(build, program):
    """The sources of `proof` or `recount` and the headers they include, by path below src/."""
    todo = [line for line in (build / f"{program}_sources.txt").read_text().split() if line]
    todo = [str(pathlib.Path(f).relative_to(ROOT / "src")) for f in todo]
    todo.append({"proof": "cli/check_main.c", "recount": "cli/recount_main.c"}[program])
    found = set()
    while todo:
        name = todo.pop()
        if name in found or not (ROOT / "src" / name).exists():
            continue
        found.add(name)
        todo += re.findall(r'^#include "([^"]+)"', (ROOT / "src" / name).read_text(), re.M)
    return sorted(found)


def lines(name):
    text = (ROOT / "src" / name).read_text()
    text = re.sub(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*',
                  lambda m: m.group(0) if m.group(0)[0] == '"' else "", text, flags=re.S)
    return sum(1 for line in text.splitlines() if line.strip())


def part_of(name):
    for part, _, patterns in PARTS:
        if any(fnmatch.fnmatch(name, p) for p in patterns):
            return part
    sys.exit(f"trust_count: {name} belongs to no part")


def rounded(count):
    return f"{(count + 50) // 100 * 100:,}"


def tables(build):
    proof = files(build, "proof")
    other = [name for name in files(build, "recount") if name not in proof]
    count = {part: 0 for part, _, _ in PARTS}
    for name in proof + other:
        count[part_of(name)] += lines(name)
    own = {part_of(name) for name in proof}
    out = ["| part | what it is | lines |", "|---|---|---:|"]
    for parts, total in ((own, "all of `couplet-check`"), (count.keys() - own, "`couplet-recount`, besides")):
        rows = sorted(((count[part], part, what) for part, what, _ in PARTS if part in parts), reverse=True)
        out += [f"| {part} | {what} | {rounded(n)} |" for n, part, what in rows]
        out.append(f"| **{total}** | | **{rounded(sum(n for n, _, _ in rows))}** |")
    out += ["", "| verdict | parts | lines |", "|---|---|---:|"]
    for verdict, parts in VERDICTS:
        out.append(f"| {verdict} | {', '.join(parts)} | {rounded(sum(count[p] for p in parts))} |")
    return "\n".join(out) + "\n"


def main():
    args = [a for a in sys.argv[1:] if not a.startswith("--")]
    build = pathlib.Path(args[0]) if args else ROOT / "build"
    text = tables(build)
    if "--check" not in sys.argv and "--write" not in sys.argv:
        print(text, end="")
        return
    page = PAGE.read_text()
    begin, end = "<!-- counted by scripts/trust_count.py -->\n", "<!-- end of count -->"
    before, rest = page.split(begin)
    old, after = rest.split(end)
    if "--write" in sys.argv:
        PAGE.write_text(before + begin + text + end + after)
    elif old != text:
        sys.exit("docs/trust.md does not have these tables; run scripts/trust_count.py --write " +
                 f"{build}\n{text}")


main()
