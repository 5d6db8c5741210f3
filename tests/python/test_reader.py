"""The translation of Python functions means what the functions do.

Random functions (programs.py) are run as they are and, translated, by `couplet run --script`, with
the same inputs and the same noise; the outputs must be equal.

    python3 test_reader.py COUPLET [COUNT [SEED]] [-v] [--log FILE]

Every batch of programs has a seed of its own, so that it is the same in each run. With --log its
result is added to FILE, and batches that are there already are not run again: a long comparison may
be stopped and taken up later.
"""

import argparse
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

import numpy

from couplet.translate import TranslationError, translate_text
from programs import LENGTH, Program
from scripted import Scripted, Spent, Standard

HEAD = "from itertools import zip_longest\nimport collections\nimport math\nimport random\nimport secrets\nimport numpy as np\nimport couplet\n\nLIMIT = 2.5\n\n"
CLAIM = "@couplet.private(epsilon=\"1\", adjacent=\"all_within(xs, 1)\", types={\"xs\": \"real[%s]\", \"zs\": \"real[%s]\", " \
        "\"a\": \"real\", \"m\": \"int\"}, requires=\"m >= 0%s\")\n"
BATCH, RUNS = 25, 3


if hasattr(sys, "set_int_max_str_digits"):  # exact fractions may have more digits than Python reads by default
    sys.set_int_max_str_digits(0)


class NumPy:
    """numpy with scripted noise."""

    def __init__(self, rng):
        self.random = rng

    def __getattr__(self, name):
        return getattr(numpy, name)


def fraction(x):
    n, d = float(x).as_integer_ratio()
    return "%d/%d" % (n, d)


def run_python(text, name, case):
    rng = Scripted(case["noise"])
    scope = {}
    exec(compile(HEAD + text, name, "exec"), scope)
    scope.update(np=NumPy(rng), random=Standard(rng), secrets=rng)
    result = scope[name](list(case["xs"]), list(case["zs"]), case["a"], case["m"], rng)
    if hasattr(result, "__next__"):
        result = list(result)
    return result, rng.next


def plain(value):
    """Numbers, truth values, lists and tuples of them, for comparison."""
    if isinstance(value, (bool, numpy.bool_)):
        return float(value)
    if isinstance(value, (int, float, numpy.integer, numpy.floating)):
        return float(value)
    return [plain(v) for v in value]


def parse_output(text):
    text = text.replace("true", "1").replace("false", "0")
    return plain(eval(text, {"__builtins__": {}}))


def same(x, y):
    if isinstance(x, list) or isinstance(y, list):
        return isinstance(x, list) and isinstance(y, list) and len(x) == len(y) and all(map(same, x, y))
    return abs(x - y) <= 1e-9 * max(1, abs(x), abs(y))


def is_small(x):
    return all(map(is_small, x)) if isinstance(x, list) else abs(x) < 1e12


def make_case(r):
    number = lambda: r.randrange(-8, 9) / 4
    return {"xs": [number() for _ in range(LENGTH)], "zs": [number() for _ in range(LENGTH)], "a": number(),
            "m": r.randrange(0, 5), "noise": [r.randrange(-300, 300) / 64 + 1 / 128 for _ in range(400)]}


def script_entry(name, case):
    listed = lambda xs: "[%s]" % ", ".join(fraction(x) for x in xs)
    return {"mechanism": name, "params": {"a": fraction(case["a"]), "m": str(case["m"])},
            "inputs": {"xs": listed(case["xs"]), "zs": listed(case["zs"])}, "noise": [fraction(v) for v in case["noise"]]}


def run_couplet(couplet, dp, entries):
    with tempfile.TemporaryDirectory() as folder:
        path, script = os.path.join(folder, "p.dp"), os.path.join(folder, "s.json")
        with open(path, "w") as f:
            f.write(dp)
        with open(script, "w") as f:
            json.dump(entries, f)
        done = subprocess.run([couplet, "run", "--script", script, path], capture_output=True, text=True)
        if done.returncode:
            return None, "\n".join(x for x in done.stderr.split("\n") if "error[" in x or x.startswith("  "))
        return [json.loads(line) for line in done.stdout.split("\n") if line], ""


class Tally:
    def __init__(self):
        self.compared, self.refused, self.raised, self.used, self.failures = 0, {}, 0, {}, []

    def summary(self):
        return {"compared": self.compared, "refused": {m: len(ps) for m, ps in self.refused.items()}, "raised": self.raised,
                "used": self.used, "differ": len(self.failures)}


def add(total, one):
    """The numbers of one summary, to those of another."""
    for key, value in one.items():
        if isinstance(value, dict):
            add(total.setdefault(key, {}), value)
        else:
            total[key] = total.get(key, 0) + value


def check_program(couplet, p, cases, answers, tally):
    good = 0
    for case, answer in zip(cases, answers):
        try:
            expected, drawn = run_python(p.text, p.name, case)
        except (Spent, IndexError, ZeroDivisionError, ValueError, OverflowError, TypeError):
            tally.raised += 1
            continue
        if not is_small(plain(expected)):  # beyond what floating point holds exactly
            tally.raised += 1
            continue
        if "of `Bernoulli` must be between" in answer.get("error", "") or "has grown too large" in answer.get("error", ""):
            # a coin with an odd probability: docs/python.md; a power of a power, exactly
            tally.raised += 1
            continue
        if "error" in answer:
            tally.failures.append((p, case, expected, answer))
            continue
        got = parse_output(answer["output"])
        if not same(plain(expected), got) or drawn != answer["drawn"]:
            tally.failures.append((p, case, (expected, drawn), answer))
            continue
        good += 1
    if good:
        tally.compared += 1
        for u in p.used:
            tally.used[u] = tally.used.get(u, 0) + 1


def check_batch(couplet, programs, r, tally):
    """All in one file; one by one if something is wrong with it."""
    try:
        dp = translate_text(HEAD + "\n".join(map(with_claim, programs))).text
        cases = {p.name: [make_case(r) for _ in range(RUNS)] for p in programs}
        answers, trouble = run_couplet(couplet, dp, [script_entry(p.name, c) for p in programs for c in cases[p.name]])
    except TranslationError as error:
        answers, trouble = None, error
    if answers is None and len(programs) > 1:
        for p in programs:
            check_batch(couplet, [p], r, tally)
    elif isinstance(trouble, TranslationError):
        tally.refused.setdefault(trouble.errors[0]["message"], []).append(programs[0])
    elif answers is None:
        tally.failures.append((programs[0], None, None, trouble))
    else:
        for i, p in enumerate(programs):
            check_program(couplet, p, cases[p.name], answers[i * RUNS:(i + 1) * RUNS], tally)


def with_claim(p):
    before, head, body = p.text.partition("def %s(" % p.name)
    return before + CLAIM % (("n", "n", " and n >= 4") if p.symbolic else ("4", "4", "")) + head + body


def run_batch(couplet, first, count, seed):
    """Programs first, first + 1, ...; the numbers."""
    r, tally = random.Random("%d %d" % (seed, first)), Tally()
    check_batch(couplet, [Program(r, "f%d" % (first + i)) for i in range(count)], r, tally)
    for p, case, expected, answer in tally.failures[:5]:
        print("---- %s\n%s\ncase %s\nPython %s\nCouplet %s" % (p.name, p.text, case and {k: case[k] for k in case if k != "noise"},
                                                               expected, answer))
    return tally.summary()


def read_log(path):
    """(seed, first, count) -> the numbers of that batch."""
    if not path or not os.path.exists(path):
        return {}
    with open(path) as f:
        lines = [json.loads(line) for line in f]
    return {tuple(x["batch"]): x["numbers"] for x in lines}


def main(couplet, count, seed, log=None, verbose=False):
    total, done = Tally().summary(), read_log(log)
    for first in range(0, count, BATCH):
        batch = seed, first, min(BATCH, count - first)
        if batch not in done:
            done[batch] = run_batch(couplet, first, batch[2], seed)
            if log:
                with open(log, "a") as f:
                    f.write(json.dumps({"batch": batch, "numbers": done[batch]}) + "\n")
        add(total, done[batch])
    refused = sum(total["refused"].values())
    if verbose:
        for message, programs in sorted(total["refused"].items(), key=lambda x: -x[1]):
            print("refused %d: %s" % (programs, message))
    print("%d programs: %d compared, %d refused, %d runs raised, %d differ, %d constructs" % (
        count, total["compared"], refused, total["raised"], total["differ"], len(total["used"])))
    assert not total["differ"], "%d differ" % total["differ"]
    assert refused <= 0.15 * count, "too much is refused"
    missing = Program.known - set(total["used"])
    if count >= 1000:  # enough to meet them all
        assert not missing, "never compared: %s" % ", ".join(sorted(missing))


if __name__ == "__main__":
    scale = float(os.environ.get("COUPLET_TEST_SCALE", "1"))
    parser = argparse.ArgumentParser()
    parser.add_argument("couplet")
    parser.add_argument("count", nargs="?", type=int, default=max(25, int(200 * scale)))
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("-v", dest="verbose", action="store_true")
    parser.add_argument("--log")
    main(**vars(parser.parse_args()))
