#!/usr/bin/env python3
"""Expected texts were written with the libraries of Debian 12. What a claim is `unknown` for depends on
the models of Z3, so with other versions only verdicts, proofs and counterexamples are compared, and a
case with a CASE.versions, which says why, is left out.

usage: versions.py COUPLET   (status 0: these versions; 1: others)
"""
import json
import pathlib
import re
import subprocess
import sys

EXPECTED = {"z3": "4.8.12", "flint": "2.9.0"}
JUDGED = pathlib.Path(__file__).resolve().parents[2] / "examples/automata/svt.dipa"


def are_expected(couplet):
    done = subprocess.run([couplet, "verify", "--json", "--no-cache", str(JUDGED)], capture_output=True, text=True)
    tools = json.loads(done.stdout)["tools"]
    return all(tools[name] == version for name, version in EXPECTED.items())


def without_reasons(text):
    """The lines below claims that are unknown are left out."""
    kept, unknown = [], False
    for line in text.split("\n"):
        below = line.startswith(" " * 11)
        unknown = unknown if below else re.match("  unknown ", line) is not None
        if not (below and unknown):
            kept.append(line)
    return "\n".join(kept)


if __name__ == "__main__":
    sys.exit(0 if are_expected(sys.argv[1]) else 1)
