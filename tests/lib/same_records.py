#!/usr/bin/env python3
"""same_records.py A B: are two JSON records the same but for times? Names the first difference."""
import json
import sys


def is_time(key):
    return key.endswith("_s")


def difference(a, b, path):
    if type(a) is not type(b):
        return f"{path}: {a!r} and {b!r}"
    if isinstance(a, dict):
        for key in sorted(set(a) | set(b)):
            if is_time(key):
                continue
            if key not in a or key not in b:
                return f"{path}.{key} is in one of them only"
            found = difference(a[key], b[key], f"{path}.{key}")
            if found:
                return found
        return None
    if isinstance(a, list):
        if len(a) != len(b):
            return f"{path}: {len(a)} and {len(b)} elements"
        for i, (x, y) in enumerate(zip(a, b)):
            found = difference(x, y, f"{path}[{i}]")
            if found:
                return found
        return None
    return None if a == b else f"{path}: {a!r} and {b!r}"


def main():
    first, second = (json.load(open(path)) for path in sys.argv[1:3])
    pairs = zip(first["files"], second["files"])
    found = [d for a, b in pairs if (d := difference(a, b, a["file"]))]
    if len(first["files"]) != len(second["files"]):
        found.append("not the same files")
    for text in found:
        print("FAIL: two runs differ:", text)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
