#!/usr/bin/env python3
"""Functions of a program that nothing can call.

    scripts/unreachable.py PROGRAM [SOURCE_FOLDER]

Reads the machine code (objdump, x86-64): a function is reached if a function that is reached calls it, jumps into it or takes
its address, or if it stands in a table that one mentions. The beginning is `main` and what runs before it. Prints the rest, with
the files they are in, and exits with 1 if there are any. Functions from outside of SOURCE_FOLDER (default: src) do not count."""
import bisect
import re
import subprocess
import sys

CODE = re.compile(r"^ *([0-9a-f]+):\t[^\t]*\t([^#]*)(?:# ([0-9a-f]+) <)?")
TARGET = re.compile(r"\b([0-9a-f]+) <")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Image:
    def __init__(self, program):
        self.symbols = {}  # address -> (size, is_function, name)
        for line in output("readelf", "-sW", program).splitlines():
            part = line.split()
            if len(part) == 8 and part[3] in ("FUNC", "OBJECT") and part[6] not in ("UND", "ABS"):
                self.symbols.setdefault(int(part[1], 16), (int(part[2], 0), part[3] == "FUNC", part[7]))
        self.starts = sorted(self.symbols)
        self.uses = {}  # start of a symbol -> addresses that it mentions
        self.read_code(program)
        self.read_tables(program)

    def holder(self, address):
        """The symbol that an address lies in, or None."""
        i = bisect.bisect_right(self.starts, address) - 1
        if i < 0:
            return None
        start = self.starts[i]
        return start if address < start + max(self.symbols[start][0], 1) else None

    def use(self, at, target):
        start, found = self.holder(at), self.holder(target)
        if start is not None and found is not None:
            self.uses.setdefault(start, set()).add(found)

    def read_code(self, program):
        for line in output("objdump", "-d", "--no-show-raw-insn", program).splitlines():
            m = re.match(r"^ *([0-9a-f]+):\t(.*)$", line)
            if not m:
                continue
            text = m.group(2)
            for target in re.findall(r"(?:\b|# )([0-9a-f]+) <", text):
                self.use(int(m.group(1), 16), int(target, 16))

    def read_tables(self, program):
        for line in output("readelf", "-rW", program).splitlines():
            m = re.match(r"^([0-9a-f]+) +[0-9a-f]+ R_X86_64_RELATIVE +([0-9a-f]+)", line)
            if m:
                self.use(int(m.group(1), 16), int(m.group(2), 16))

    def reached(self, roots):
        todo, done = list(roots), set(roots)
        while todo:
            for target in self.uses.get(todo.pop(), ()):
                if target not in done:
                    done.add(target)
                    todo.append(target)
        return done


def main():
    program, folder = sys.argv[1], (sys.argv[2] if len(sys.argv) > 2 else "src")
    image = Image(program)
    names = {name: start for start, (_, _, name) in image.symbols.items()}
    if "main" not in names:
        sys.exit(f"unreachable: {program} has no symbols")
    reached = image.reached([names["main"]])
    places = {}
    for line in output("nm", "-l", "--defined-only", program).splitlines():
        m = re.match(r"^([0-9a-f]+) \w (\S+)\t(\S+):\d+$", line)
        if m:
            places[int(m.group(1), 16)] = m.group(3)
    lost = []
    for start, (_, is_function, name) in image.symbols.items():
        place = places.get(start, "")
        if is_function and start not in reached and f"/{folder}/" in place:
            lost.append((place[place.rindex(f"/{folder}/") + 1:], name))
    for place, name in sorted(lost):
        print(f"{name}\t{place}")
    known = sum(1 for s, (_, f, _) in image.symbols.items() if f and f"/{folder}/" in places.get(s, ""))
    print(f"{len(lost)} of {known} functions cannot be reached", file=sys.stderr)
    if not known:
        sys.exit("unreachable: no debugging information")
    sys.exit(1 if lost else 0)


main()
