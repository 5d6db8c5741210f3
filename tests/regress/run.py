#!/usr/bin/env python3
"""Golden tests: run.py COUPLET TOPIC_DIR [--bless]

Each TOPIC_DIR/CASE.dp (or .dipa, .dip, or any file with a .cmd beside it) is one case. The command is the
content of CASE.cmd, else of TOPIC_DIR/default.cmd; in it {file} is the case's file and {dir} the topic.
What it prints (stdout, then stderr) and its exit status must equal CASE.expected. A line of
CASE.absent must not appear anywhere in the output. Times like (0.03 s) are shown as (T s).
--bless rewrites the expected files. With other libraries than theirs (versions.py), reasons of unknown
claims are not compared, and a case with a CASE.versions is left out. Under the sanitizers (COUPLET_TEST_SCALE below 0.3) every third case is run.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys

sys.dont_write_bytecode = True
import versions


def run_case(couplet, topic, case):
    cmd_file = case.with_suffix(".cmd")
    if not cmd_file.exists():
        cmd_file = topic / "default.cmd"
    words = [
        w.replace("{file}", case.name).replace("{dir}", ".")
        for w in shlex.split(cmd_file.read_text())
    ]
    done = subprocess.run([couplet] + words, cwd=topic, capture_output=True, timeout=300, stdin=subprocess.DEVNULL)
    text = re.sub(r"\(\d+\.\d\d s\)", "(T s)", done.stdout.decode(errors="replace"))
    if done.stderr:
        text += "--- stderr\n" + done.stderr.decode(errors="replace")
    return text + f"--- exit {done.returncode}\n"


def chosen(cases):
    return cases[::3] if float(os.environ.get("COUPLET_TEST_SCALE", "1")) < 0.3 else cases


def main():
    os.environ["COUPLET_CACHE"] = "off"
    bless = "--bless" in sys.argv
    couplet, topic = [a for a in sys.argv[1:] if a != "--bless"]
    couplet, topic = str(pathlib.Path(couplet).resolve()), pathlib.Path(topic)
    cases = sorted(p for p in topic.iterdir() if p.suffix in (".dp", ".dipa", ".dip", ".case"))
    cases = cases if bless else chosen(cases)
    compared = str if versions.are_expected(couplet) else versions.without_reasons
    if bless and compared is not str:
        sys.exit(f"expected files are written with {versions.EXPECTED}")
    if compared is not str:
        cases = [c for c in cases if not c.with_suffix(".versions").exists()]
    failed = 0
    for case in cases:
        actual = run_case(couplet, topic, case)
        expected_file = case.with_suffix(".expected")
        if bless:
            expected_file.write_text(actual)
            continue
        expected = expected_file.read_text() if expected_file.exists() else "(no expected file)\n"
        problems = []
        if compared(actual) != compared(expected):
            problems.append(f"expected:\n{expected}actual:\n{actual}")
        absent = case.with_suffix(".absent")
        if absent.exists():
            problems += [f"must not appear: {l}" for l in absent.read_text().splitlines() if l and l in actual]
        if problems:
            failed += 1
            print(f"FAIL {case}\n" + "\n".join(problems))
    print(f"{topic.name}: {len(cases) - failed} passed, {failed} failed")
    sys.exit(1 if failed or not cases else 0)


main()
