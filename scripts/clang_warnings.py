#!/usr/bin/env python3
"""clang_warnings.py BUILD: has clang read every source of a finished gcc build, for its warnings.

Nothing is compiled (-fsyntax-only), and the headers of libraries, on which most of the time would go, are read once. Each
warning is an error, as in the build."""
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys
import tempfile

LIBRARIES = "#include <flint/fmpq.h>\n#include <jansson.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"


def commands(build):
    """(folder, arguments) for each C file, those that are compiled twice once."""
    printed = subprocess.run(["ninja", "-C", build, "-t", "compdb"], capture_output=True, text=True, check=True).stdout
    seen = set()
    for entry in json.loads(printed):
        words = shlex.split(entry["command"])
        if "-c" not in words or not entry["file"].endswith(".c") or entry["file"] in seen:
            continue
        seen.add(entry["file"])
        kept = [w for w in words if w.startswith(("-I", "-D", "-W", "-std=")) and not w.startswith("-Wno-stringop")]
        system = [w for i, word in enumerate(words) if word == "-isystem" for w in words[i:i + 2]]
        yield entry["directory"], ["clang", "-fsyntax-only", *kept, *system, entry["file"]]


def headers(folder, command):
    """The headers of libraries, as clang keeps them, for commands like this one."""
    where, arguments = command
    source, kept = os.path.join(folder, "libraries.h"), os.path.join(folder, "libraries.pch")
    with open(source, "w") as file:
        file.write('#include "num/arb_compat.h"\n' + LIBRARIES)
    flags = [a for a in arguments[2:-1] if not a.startswith("-DCOUPLET_Z3")]
    subprocess.run(["clang", "-x", "c-header", *flags, source, "-o", kept], cwd=where, check=True)
    return kept


def read(command, kept):
    folder, arguments = command
    arguments = [*arguments[:-1], "-include-pch", kept, arguments[-1]]
    return subprocess.run(arguments, cwd=folder, capture_output=True, text=True)


def main(build):
    failed, count = 0, 0
    jobs = list(commands(build))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        kept = headers(folder, jobs[0])
        for done in pool.map(lambda job: read(job, kept), jobs):
            count += 1
            if done.returncode:
                failed += 1
                print(done.stderr, end="")
    print(f"{count} sources, {failed} with warnings")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
