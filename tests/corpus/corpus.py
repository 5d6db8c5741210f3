#!/usr/bin/env python3
"""Programs as people write them, with the truth about their claims, against the verdicts.

usage: corpus.py COUPLET [--write] [--all] [FOLDER | FILE]...

A file under tests/corpus/{false,true}/CLASS/ says in comments whether its claims hold (`// truth: false`) and
where it comes from (`// source: ...`). Each class has a table.md with the verdicts of all its claims; what is
open stands there with the reason. It fails if a verdict contradicts the truth, if a claim that the table says is
settled is open, or if a file and its row are not both there. Without --all (or COUPLET_TEST_SCALE=1) a sample is
judged. --write brings the tables up to date.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import zlib

ROOT = pathlib.Path(__file__).parent
HEADER = "| file | claim | truth | verdict | if open, why |\n|---|---|---|---|---|\n"
SETTLED = {"false": "refuted", "true": "proved"}
SAMPLE = 20  # one file in twenty


def header(path, word):
    found = re.search(rf"^// {word}: *(.+)$", path.read_text(), re.M)
    if not found:
        sys.exit(f"FAIL {path}: the comment `// {word}: ...` is missing")
    return found.group(1).strip()


def read_table(path):
    rows = {}
    for line in path.read_text().splitlines()[2:] if path.exists() else []:
        file, claim, truth, verdict, why = [cell.strip() for cell in line.strip().strip("|").split(" | ", 4)]
        rows[file, claim] = (truth, verdict, why)
    return rows


def write_table(path, rows):
    lines = [f"| {file} | {claim} | {truth} | {verdict} | {why} |\n" for (file, claim), (truth, verdict, why) in sorted(rows.items())]
    path.write_text(HEADER + "".join(lines))


def judge(couplet, files):
    """The claims of each file, as (name, verdict, reason)."""
    timeout = os.environ.get("CORPUS_TIMEOUT", "60")
    run = subprocess.run([couplet, "verify", "--json", "--no-cache", "--search", "20", "--timeout", timeout, *map(str, files)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if run.returncode not in (0, 10, 20, 30):
        sys.exit(f"FAIL couplet ends with status {run.returncode}; are all files of the corpus well-formed?")
    for file in json.loads(run.stdout)["files"]:
        claims = [(c["name"], c["verdict"], c.get("reason") or "") for c in file["claims"]]
        yield pathlib.Path(file["file"]), claims


def one_line(reason):
    return re.sub(r"\s+", " ", reason).replace("|", "/").strip()


def compare(path, truth, claims, table, failures):
    fresh = {}
    for name, verdict, reason in claims:
        before = table.get((path.name, name))
        fresh[path.name, name] = (truth, verdict, "" if verdict == SETTLED[truth] else one_line(reason))
        print(f"{path.parent.parent.name}/{path.parent.name}/{path.stem}: {verdict} {fresh[path.name, name][2]}", flush=True)
        if verdict in SETTLED.values() and verdict != SETTLED[truth]:
            failures.append(f"{path}: {name} is {truth}, and yet {verdict}")
        elif before is None:
            failures.append(f"{path}: {name} is not in the table (corpus.py --write puts it there)")
        elif before[0] != truth:
            failures.append(f"{path}: the table gives {name} another truth")
        elif before[1] == SETTLED[truth] and verdict != before[1]:
            failures.append(f"{path}: {name} was {before[1]}, is {verdict}: {one_line(reason)}")
    return fresh


def chosen(files, everything):
    return [f for f in files if everything or zlib.crc32(f"{f.parent.name}/{f.name}".encode()) % SAMPLE == 0]


def main(arguments):
    write = "--write" in arguments
    everything = write or "--all" in arguments or float(os.environ.get("COUPLET_TEST_SCALE", "0")) >= 1
    couplet, *folders = [a for a in arguments if not a.startswith("--")]
    where = [pathlib.Path(f) for f in folders] or [ROOT]
    files = sorted(f for w in where for f in ([w] if w.is_file() else w.rglob("*.dp")))
    failures, counts = [], {}
    for folder in sorted({f.parent for f in files}):
        mine = [f for f in files if f.parent == folder]
        table, fresh = read_table(folder / "table.md"), {}
        for file in sorted(folder.glob("*.dp")):
            header(file, "source")
            if header(file, "truth") != folder.parent.name:
                failures.append(f"{file}: it is not in the folder of its truth")
        for file in {file for file, _ in table} - {f.name for f in folder.glob("*.dp")}:
            failures.append(f"{folder}/table.md: there is no {file}")
        batch = chosen(mine, everything or len(where[0].suffix) > 0)
        for path, claims in judge(couplet, batch) if batch else []:
            fresh.update(compare(path, folder.parent.name, claims, table, failures))
        for truth, verdict, _ in fresh.values():
            done, of = counts.get(truth, (0, 0))
            counts[truth] = (done + (verdict == SETTLED[truth]), of + 1)
        if write:
            kept = {key: row for key, row in table.items() if key[0] not in {f.name for f in batch} and (folder / key[0]).exists()}
            write_table(folder / "table.md", {**kept, **fresh})
    for truth, (done, of) in sorted(counts.items()):
        print(f"{done} of {of} {truth} claims are {SETTLED[truth]}")
    failures = [f for f in failures if not write or "and yet" in f or "folder of its truth" in f]
    for failure in failures:
        print("FAIL", failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
