#!/usr/bin/env bash
# Runs Couplet on folders of another checker's programs and prints a table: C files in the style of CheckDP and
# ShadowDP, Python files with decorators or sidecar files. Expected is `refuted` for files and claims whose name
# begins with "bad", for functions and classes in which the word INCORRECT stands, and for claims that the sidecar
# file gives such a name; `proved` for all others. The goals that ShadowDP's scripts/benchmark.sh gives its checker
# (-g 2) are used. A file with claims that cannot be read is judged one function at a time.
#   scripts/suites.sh DIR... [-- OPTION...]      options are those of couplet verify
exec python3 - "${COUPLET:-$(dirname "$0")/../build/couplet}" "$@" <<'PY'
import ast, json, os, re, resource, subprocess, sys
try:
    import tomllib
except ImportError:
    tomllib = None
ROW = "%-40s %-26s %-9s %7s  %s"


def judge(couplet, options, path):
    """(record of the file, seconds of computing)"""
    used = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    before = used()
    done = subprocess.run([couplet, "verify", "--json", *options, path], capture_output=True, text=True)
    try:
        return json.loads(done.stdout)["files"][0], used() - before
    except (ValueError, KeyError, IndexError):
        return {"claims": [], "diagnostics": [{"severity": "error", "message": "no answer"}]}, used() - before


def goal(path):
    """ShadowDP: how many times epsilon is the goal?"""
    script = os.path.join(os.path.dirname(path), "..", "..", "scripts", "benchmark.sh")
    text = open(script).read() if path.endswith(".c") and os.path.isfile(script) else ""
    found = re.search(r"/%s .*-g ([0-9.]+)" % re.escape(os.path.basename(path)), text)
    name = os.path.basename(path)[:-2]
    return ["--claim", '%s = {epsilon = "%s*epsilon"}' % (name, found.group(1))] if found else []


def named(path):
    """The functions that the sidecar file names."""
    for side in (path[:-3] + ".couplet.toml", path[:-3] + ".toml"):
        if tomllib and path.endswith(".py") and os.path.isfile(side):
            with open(side, "rb") as f:
                return list(dict.fromkeys(c["function"].split(".")[0] for c in tomllib.load(f).get("claim", [])))
    return []


def bodies(path):
    if not path.endswith(".py"):
        return {}
    source = open(path, encoding="utf-8").read()
    return {s.name: ast.get_source_segment(source, s) for s in ast.parse(source).body if hasattr(s, "name")}


def rows(couplet, options, path):
    """(function, verdict, what was expected, seconds, cost or reason)"""
    texts, more = bodies(path), goal(path)
    parts = [[]]
    record, seconds = judge(couplet, options + more, path)
    if not record["claims"] and len(named(path)) > 1:
        parts = [["--function", name] for name in named(path)]
    for part in parts:
        if part:
            record, seconds = judge(couplet, options + more + part, path)
        errors = [d["message"] for d in record.get("diagnostics", []) if d["severity"] == "error"]
        if not record["claims"]:
            yield part[-1] if part else "-", "unread", "", seconds, (errors or ["no claim"])[0]
        for c in record["claims"]:
            name = c["subject"] or c["name"]
            bad = any(w.startswith("bad") for w in (os.path.basename(path), c["name"] or "", name)) or "INCORRECT" in (texts.get(name) or "")
            cost = c["cost"] or (c.get("lower_text") and "loses " + c["lower_text"]) or "-"
            yield name, c["verdict"], "refuted" if bad else "proved", seconds, cost
            seconds = 0  # of the whole run; shown once


def main(couplet, *words):
    words = list(words)
    cut = words.index("--") if "--" in words else len(words)
    folders, options = words[:cut], words[cut + 1:]
    if not folders:
        sys.exit("usage: scripts/suites.sh DIR... [-- OPTION...]")
    tally, total = {"as expected": 0, "other": 0, "unknown": 0, "not read": 0}, 0
    print(ROW % ("file", "function", "verdict", "CPU s", "cost"))
    for folder in folders:
        for file in sorted(f for f in os.listdir(folder) if f.endswith((".c", ".py")) and f != "__init__.py"):
            for name, verdict, wanted, seconds, cost in rows(couplet, options, os.path.join(folder, file)):
                shown = os.path.join(os.path.basename(os.path.abspath(folder)), file)
                print(ROW % (shown, name, verdict, "%.1f" % seconds if seconds else "", cost[:90]), flush=True)
                total += seconds
                tally["as expected" if verdict == wanted else {"unknown": "unknown", "unread": "not read"}.get(verdict, "other")] += 1
    print(", ".join("%d %s" % (n, what) for what, n in tally.items()) + "; %.1f s of computing" % total)
    sys.exit(tally["other"] > 0)


main(*sys.argv[1:])
PY
