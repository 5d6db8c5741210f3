"""Runs a tutorial: writes the files it shows, runs the commands it shows, compares what they print.

    run.py COUPLET DOC... [--bless]

Commands run in a folder of their own, which has links to all that is in the current one.

In the document  ```dp NAME  is a file,  ```console  holds commands after `$ ` and their output, and
an output line `[...]` stands for any number of lines. Of  ```console sample  only the lines with a
verdict are compared: the rest may depend on chance, or on the time there is. `# exit N` after a
command is its status (0 if there is none). Times and the trends of losses are not compared. --bless
puts what was printed into the document, and keeps the first and last lines around each `[...]`."""

import os
import re
import subprocess
import sys
import tempfile

TIME = re.compile(r"\d+\.\d+ s\b")


# A lower bound is given if there was time for one.
LOSS = re.compile(r", (loses at least [0-9.]+( times the claim|\*eps)|(tight: )?(with this delta )?no proof can be below [^ ]+)")
TREND = re.compile(r"^ +(loss by n|[0-9., for]+$)")  # how far it gets is a matter of time


def normal(line):
    return LOSS.sub("", TIME.sub("T s", line.rstrip()))


VERDICT = re.compile(r"^  (proved|refuted|unknown|admitted) ")


def compared(lines, is_sample):
    if is_sample:
        return [line for line in lines if VERDICT.match(line)]
    return [line for line in lines if not TREND.match(line)]


def blocks(lines):
    """(first line, last line, header) of each fenced block; the fences are not counted."""
    start, header = None, None
    for number, line in enumerate(lines):
        if start is None and line.startswith("```") and len(line.strip()) > 3:
            start, header = number + 1, line.strip()[3:]
        elif start is not None and line.strip() == "```":
            yield start, number, header
            start = None


def matches(expected, printed):
    """Lines against lines; `[...]` matches any number of them."""
    if not expected:
        return not printed
    if expected[0].strip() == "[...]":
        return any(matches(expected[1:], printed[k:]) for k in range(len(printed) + 1))
    return bool(printed) and normal(expected[0]) == normal(printed[0]) and matches(expected[1:], printed[1:])


def shortened(expected, printed):
    """What was printed, with `[...]` where the document had it: as many lines before and after."""
    if "[...]" not in [line.strip() for line in expected]:
        return printed
    place = [line.strip() for line in expected].index("[...]")
    after = len(expected) - place - 1
    return printed[:place] + ["[...]"] + (printed[len(printed) - after:] if after else [])


def commands(lines):
    """(command, status, expected output) of a console block."""
    found = []
    for line in lines:
        if line.startswith("$ "):
            command, _, status = line[2:].partition("  # exit ")
            found.append((command, int(status or 0), []))
        elif found:
            found[-1][2].append(line)
    return found


def check(couplet, path, bless):
    """The number of commands of a document that do something else than it says."""
    with open(path, encoding="utf-8") as document:
        lines = document.read().split("\n")
    out, at, failed, count = [], 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for entry in os.listdir():
            os.symlink(os.path.abspath(entry), os.path.join(folder, entry))
        environment = dict(os.environ, PATH=os.path.dirname(os.path.abspath(couplet)) + ":" + os.environ["PATH"],
                           COUPLET_CACHE="off", NO_COLOR="1", LC_ALL="C.UTF-8")
        for start, end, header in blocks(lines):
            kind, _, name = header.partition(" ")
            if name and kind in ("dp", "dipa"):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write("\n".join(lines[start:end]) + "\n")
            if kind != "console":
                continue
            out += lines[at:start]
            at = end
            for command, status, expected in commands(lines[start:end]):
                count += 1
                done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, timeout=120, check=False)
                printed = done.stdout.decode("utf-8", "replace").rstrip("\n").split("\n")
                printed = [line.rstrip() for line in printed] if printed != [""] else []
                if done.returncode != status:
                    failed += 1
                    print("FAIL: %s:%d: `%s` ends with %d, not %d\n%s" % (path, start, command, done.returncode, status, "\n".join(printed)))
                elif not bless and not matches(compared(expected, name == "sample"), compared(printed, name == "sample")):
                    failed += 1
                    print("FAIL: %s:%d: `%s` prints\n%s\ninstead of\n%s" % (path, start, command, "\n".join(printed), "\n".join(expected)))
                out += ["$ " + command + ("  # exit %d" % status if status else "")] + (shortened(expected, printed) if bless else expected)
    if bless:
        with open(path, "w", encoding="utf-8") as document:
            document.write("\n".join(out + lines[at:]))
    print("%d commands of %s, %d failed" % (count, path, failed))
    return failed if count else 1


if __name__ == "__main__":
    couplet, *rest = sys.argv[1:]
    pages = [page for page in rest if page != "--bless"]
    sys.exit(1 if sum(check(couplet, page, "--bless" in rest) for page in pages) else 0)
