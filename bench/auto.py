"""The table of bench/auto.sh: verdict, cost, time, obligations and solver time per mechanism, beside published figures.

With --comparison only the mechanisms that other tools were tried on, as the table of docs/comparison.md.

Times are CPU seconds of the whole process tree on one processor, start of the program included: the time it takes on a machine that
has nothing else to do.
"""

import glob
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys

CORRECT_S, MEDIAN_S, TABLE_S, INCORRECT_S = 2.0, 0.3, 20.0, 5.0
NEEDS_HINTS = {"asv_bt", "asv_bt_nested", "asv_bt_oracle", "ptr", "ptr_discrete", "snap"}  # not pure eps, or with hints


def published(path):
    rows = {}
    for line in open(path, encoding="utf-8"):
        if line.strip() and not line.startswith("#"):
            name, tool, figure = line.rstrip("\n").split("\t")
            rows.setdefault(name, []).append((tool, figure))
    return rows


def verify(couplet, path):
    command = [couplet, "verify", "--json", path]
    if shutil.which("taskset"):
        command = ["taskset", "-c", "0"] + command
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(run.stdout)["files"][0]["claims"][0], seconds


def row(name, claim, seconds, others):
    detail = claim.get("detail") or {}
    cost = claim["cost"] or (("loss >= " + claim["lower_text"]) if claim["verdict"] == "refuted" and claim["lower_text"] else "-")
    said = "; ".join(f"{tool} {figure}" for tool, figure in others) or "-"
    print(f"{name:28} {claim['verdict']:8} {cost:34} {seconds:7.2f} {detail.get('obligations', '-')!s:>5}"
          f" {detail.get('solver_s', 0):7.2f}  {said}", flush=True)


def table(couplet, folder, rows):
    print(f"\n{folder}\n{'mechanism':28} {'verdict':8} {'cost':34} {'CPU s':>7} {'obl.':>5} {'solver':>7}  others, s")
    results = []
    for path in sorted(glob.glob(f"examples/{folder}/*.dp")):
        name = os.path.splitext(os.path.basename(path))[0]
        claim, seconds = verify(couplet, path)
        row(name, claim, seconds, rows.get(name, []))
        results.append((name, claim["verdict"], seconds))
    return results


def comparison(couplet, rows):
    print("| mechanism | verdict | Couplet | CheckDP | others |\n|---|---|---:|---:|---|")
    for name, others in rows.items():
        path = next(p for p in (f"examples/{folder}/{name}.dp" for folder in ("correct", "incorrect")) if os.path.exists(p))
        claim, seconds = verify(couplet, path)
        checkdp = "".join(figure for tool, figure in others if tool == "CheckDP")
        rest = "; ".join(f"{tool} {figure}" for tool, figure in others if tool != "CheckDP")
        print(f"| {name} | {claim['verdict']} | {seconds:.1f} | {checkdp} | {rest} |", flush=True)


def judge(what, ok, found):
    print(f"{'met   ' if ok else 'MISSED'} {what}: {found}")


def main():
    couplet = sys.argv[1]
    rows = published(os.path.join(os.path.dirname(__file__), "published.tsv"))
    if "--comparison" in sys.argv:
        comparison(couplet, rows)
        return 0
    correct = table(couplet, "correct", rows)
    incorrect = table(couplet, "incorrect", rows)
    plain = [r for r in correct if r[0] not in NEEDS_HINTS]
    proved = [r for r in plain if r[1] == "proved"]
    times = [r[2] for r in plain]
    print()
    judge("every correct pure-eps row proved without a hint", len(proved) == len(plain), f"{len(proved)} of {len(plain)}")
    judge(f"each below {CORRECT_S:g} s", max(times) < CORRECT_S, f"slowest {max(times):.2f} s")
    judge(f"median below {MEDIAN_S:g} s", statistics.median(times) < MEDIAN_S, f"{statistics.median(times):.2f} s")
    judge(f"the table below {TABLE_S:g} s on one core", sum(times) < TABLE_S, f"{sum(times):.1f} s")
    refuted = [r for r in incorrect if r[1] == "refuted"]
    judge("every incorrect row refuted", len(refuted) == len(incorrect), f"{len(refuted)} of {len(incorrect)}")
    slow = max(r[2] for r in incorrect)
    judge(f"each below {INCORRECT_S:g} s", slow < INCORRECT_S, f"slowest {slow:.2f} s")
    wrong = [r[0] for r in correct if r[1] == "refuted"] + [r[0] for r in incorrect if r[1] == "proved"]
    if wrong:
        print("WRONG VERDICTS:", ", ".join(wrong))
        return 1
    return 0


sys.exit(main())
