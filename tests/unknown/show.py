#!/usr/bin/env python3
"""show.py COUPLET FILE...: for each claim of the files the obstacle and what to try.

What depends on how far the searches came is left out: attempts, models, what was not found."""
import json
import re
import subprocess
import sys

couplet, *files = sys.argv[1:]
run = subprocess.run([couplet, "verify", "--json", "--no-cache", "--timeout", "1000", "--search", "1", *files], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
for file in json.loads(run.stdout)["files"]:
    for claim in file["claims"]:
        print(f"{file['file']}: {claim['name']}: {claim['verdict']}")
        for line in (claim["reason"] or "").splitlines():
            if line.startswith(("no proof was found:", "the proof fails:", "the best attempt fails", "line ", "try: ")):
                line = re.sub(r"the best attempt fails( \(.*?proved\))?", "the best attempt fails", line)
                print("    " + re.sub(r"@\d+", "@k", line))
