#!/usr/bin/env python3
"""Expected texts were written with one version of Z3. What a claim is `unknown` for depends on the
solver's models, so with another version only verdicts, proofs and counterexamples are compared.

usage: solver.py COUPLET   (status 0: this version; 1: another one)
"""
import json
import pathlib
import re
import subprocess
import sys

VERSION = "4.8.12"  # Debian 12
JUDGED = pathlib.Path(__file__).resolve().parents[2] / "examples/automata/svt.dipa"


def is_expected(couplet):
    done = subprocess.run([couplet, "verify", "--json", "--no-cache", str(JUDGED)], capture_output=True, text=True)
    return json.loads(done.stdout)["tools"]["z3"] == VERSION


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
    sys.exit(0 if is_expected(sys.argv[1]) else 1)
