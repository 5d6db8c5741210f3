#!/usr/bin/env bash
# bench/referee.sh [COUPLET [FILE...]]: how the obligations of proofs are accepted. A line per claim, a
# table at the end, and below it every obligation that rests on the solver alone.
set -euo pipefail
cd "$(dirname "$0")/.."
couplet=${1:-build/couplet}
shift || true
[ $# -gt 0 ] || set -- examples/proofs/*.dp examples/correct/*.dp
for file in "$@"; do
  COUPLET_CACHE=off "$couplet" audit --json --trust-solver --timeout "${TIMEOUT:-120}" "$file" 2>/dev/null || true
done | python3 -c '
import json, statistics, sys
decoder, text, at = json.JSONDecoder(), sys.stdin.read(), 0
count, accepted, steps, seconds, alone, verdicts = 0, 0, [], [], [], {}
while text[at:].strip():
    at += len(text[at:]) - len(text[at:].lstrip())
    run, at = decoder.raw_decode(text, at)
    for file in run["files"]:
        for c in file["claims"]:
            if c["kind"] == "automaton":
                continue
            list = (c["detail"] or {}).get("obligation_list", [])
            believed = [o for o in list if o["believed"]]
            own = [o["steps"] for o in list if o["proved"] and o["method"] == "referee"]
            count += len(list)
            accepted += sum(o["proved"] and not o["believed"] for o in list)
            steps += own
            seconds += [o["time_s"] for o in list]
            verdicts[c["verdict"]] = verdicts.get(c["verdict"], 0) + 1
            alone += [(file["file"], o) for o in believed]
            print("%-9s %-52s %6.1f s  %4d obligations, %3d by the solver alone, largest %4d steps, %6.2f s" % (
                c["verdict"], file["file"] + " " + c["name"], c["time_s"], len(list), len(believed), max(own, default=0), sum(o["time_s"] for o in list)))
            if c["verdict"] == "unknown":
                print("    " + c["reason"].replace("\n", "\n    "))
print("\nclaims: " + ", ".join("%d %s" % (n, v) for v, n in sorted(verdicts.items())))
print("obligations %d, accepted %d (%.2f %%), refutations: median %d, largest %d steps; %.1f s, longest %.2f s" % (
    count, accepted, 100 * accepted / max(count, 1), statistics.median(steps or [0]), max(steps, default=0), sum(seconds), max(seconds, default=0)))
for file, o in alone:
    print("%s:%s: %s: %s (%.2f s)\n    %s" % (file, o["location"]["line"], o["rule"], o["what"], o["time_s"], o["formula"]))
'
