#!/usr/bin/env python3
"""Loop-free programs in the format of docs/exact.md: gen_dip.py TASK SIZE [gauss|lap]

TASK is sparse_vector, noisy_max, ranges (all thresholds first, then one query each) or min_max.
Prints a .dip file.
"""
import sys


def sparse_vector(n, noise):
    print(f"INPUTSIZE {n}\nRANDOM t = {noise}(eps/2, 0)")
    for i in range(n):
        print(f"RANDOM x{i} = {noise}(eps/4, input[{i}])")
        print(f"IF x{i} >= t THEN OUTPUT {i} ELSE")
    print(f"OUTPUT {n}" + " END" * n)


def noisy_max(n, noise):
    print(f"INPUTSIZE {n}")
    for i in range(n):
        print(f"RANDOM x{i} = {noise}(eps/4, input[{i}])")
    for i in range(n - 1):
        wins = " AND ".join(f"x{i} >= x{j}" for j in range(i + 1, n))
        print(f"IF {wins} THEN OUTPUT {i} ELSE")
    print(f"OUTPUT {n - 1}" + " END" * (n - 1))


def ranges(m, noise):
    print(f"INPUTSIZE {m}")
    for k in range(m):
        print(f"RANDOM low{k} = {noise}(eps/{4 * m}, 0)")
        print(f"RANDOM high{k} = {noise}(eps/{4 * m}, 1)")
    for k in range(m):
        print(f"RANDOM x{k} = {noise}(eps/4, input[{k}])")
        print(f"IF x{k} >= low{k} AND x{k} < high{k} THEN")
    print(f"OUTPUT {m}")
    for k in reversed(range(m)):
        print(f"ELSE OUTPUT {k} END")


def min_max(k, noise):
    print(f"INPUTSIZE {k + 1}")
    for i in range(k):
        print(f"RANDOM x{i} = {noise}(eps/{4 * k}, input[{i}])")
    print(f"RANDOM y = {noise}(eps/4, input[{k}])")

    def read(low, high, i):
        """The program that knows the least and the largest of x0, ..., x(i-1)."""
        if i == k:
            return f"IF y >= x{low} AND y < x{high} THEN OUTPUT 1 ELSE OUTPUT 0 END"
        return (f"IF x{i} > x{high} THEN {read(low, i, i + 1)} ELSE\n"
                f"IF x{i} < x{low} THEN {read(i, high, i + 1)} ELSE {read(low, high, i + 1)} END END")

    print(read(0, 0, 1))


TASKS = {"sparse_vector": sparse_vector, "noisy_max": noisy_max, "ranges": ranges, "min_max": min_max}

if __name__ == "__main__":
    if len(sys.argv) not in (3, 4) or sys.argv[1] not in TASKS:
        sys.exit(__doc__)
    TASKS[sys.argv[1]](int(sys.argv[2]), sys.argv[3] if len(sys.argv) == 4 else "gauss")
