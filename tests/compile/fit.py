"""Usage: fit.py laplace|gauss SCALE < OUTPUTS. Pearson's chi-square of samples around 0, on lines like
[1, -2, 3], against the probabilities of the distribution; fails above a deviate of 3.7 (one seed in
10^4), and prints it."""

import collections
import math
import re
import sys

family, scale = sys.argv[1], float(sys.argv[2])
counts = collections.Counter()
for line in sys.stdin:
    counts.update(int(word) for word in re.findall(r"-?[0-9]+", line))
total = sum(counts.values())
weight = (lambda k: math.exp(-abs(k) / scale)) if family == "laplace" else (lambda k: math.exp(-k * k / (2 * scale**2)))
reach = int(60 * scale) + 60
mass = sum(weight(k) for k in range(-reach, reach + 1))
bins, expected, observed = [], 0.0, 0
rest = total  # both tails together are the last bin
for k in sorted(range(-reach, reach + 1), key=abs):
    expected += total * weight(k) / mass
    observed += counts[k]
    if expected >= 20:
        bins.append((expected, observed))
        rest -= observed
        expected, observed = 0.0, 0
if expected > 0:
    bins[-1] = (bins[-1][0] + expected, bins[-1][1] + rest)
chi = sum((o - e) ** 2 / e for e, o in bins)
freedom = len(bins) - 1
deviate = ((chi / freedom) ** (1 / 3) - 1 + 2 / (9 * freedom)) / math.sqrt(2 / (9 * freedom))
print("%s: %d samples, %d bins, chi-square %.1f, deviate %.2f" % (family, total, len(bins), chi, deviate))
sys.exit(0 if total and abs(deviate) < 3.7 else 1)
