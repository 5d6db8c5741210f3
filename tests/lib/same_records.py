#!/usr/bin/env python3
"""same_records.py A B: are two JSON records, or folders of them, the same but for times?"""
import json
import pathlib
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


def files(path):
    path = pathlib.Path(path)
    records = path.glob("*.json") if path.is_dir() else [path]
    return {f["file"]: f for record in records for f in json.loads(record.read_text())["files"]}


def main():
    first, second = map(files, sys.argv[1:3])
    found = [difference(first[f], second[f], f) for f in sorted(set(first) & set(second))]
    found += [f"{f} is in one of them only" for f in sorted(set(first) ^ set(second))]
    found = [text for text in found if text]
    for text in found:
        print("FAIL: two runs differ:", text)
    return 1 if found or not first else 0


if __name__ == "__main__":
    sys.exit(main())
