#!/usr/bin/env python3
"""clang_warnings.py BUILD: has clang read every source of a finished gcc build, for its warnings.

Nothing is compiled (-fsyntax-only): that takes half of the time of a build. Each warning is an error, as in the build."""
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys


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


def read(command):
    folder, arguments = command
    return subprocess.run(arguments, cwd=folder, capture_output=True, text=True)


def main(build):
    failed, count = 0, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in pool.map(read, commands(build)):
            count += 1
            if done.returncode:
                failed += 1
                print(done.stderr, end="")
    print(f"{count} sources, {failed} with warnings")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
