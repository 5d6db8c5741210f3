"""Usage: same.py COUPLET FILE INSTANCE PROGRAM SEED SAMPLES. The compiled program and the interpreter
have the same outputs, as often, when they use the same random bits."""

import collections
import fractions
import json
import os
import re
import subprocess
import sys

couplet, path, instance, program, seed, samples = sys.argv[1:]


def values(text):
    """What the instance gives to parameters and inputs, as words for the program."""
    body = re.search(r"instance %s \{(.*?)\n\}" % instance, text, re.S).group(1)
    usage = subprocess.run([program, "--help"], capture_output=True, text=True).stderr
    known = re.findall(r" ([\w']+)=VALUE", usage)  # others were given when it was compiled
    given = re.findall(r"(?:param|input) ([\w']+) = (.*);", body)
    return ["%s=%s" % pair for pair in given if pair[0] in known]


def plain(value):
    """An outcome in JSON as the program writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + ", ".join(plain(item) for item in value) + "]"
    return str(fractions.Fraction(value) if isinstance(value, float) else value)


command = [couplet, "run", "--json", "--instance", instance, "--seed", seed, "--samples", samples, path]
said = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
expected = collections.Counter()
for outcome in said["outcomes"]:
    expected[plain(outcome["output"])] += outcome["count"]
run = [program, "--samples", samples] + values(open(path).read())
printed = subprocess.run(run, check=True, capture_output=True, text=True, env=dict(os.environ, SEED=seed)).stdout
lines = printed.replace("(", "[").replace(")", "]").splitlines()
found = collections.Counter(lines)
if said["cut"]:
    sys.exit("%s: the interpreter did not show all outcomes" % path)
if found != expected or len(lines) != int(samples):
    extra = list((found - expected).items())[:3]
    sys.exit("%s: the program has other outputs: %s instead of %s" % (path, extra, list((expected - found).items())[:3]))
