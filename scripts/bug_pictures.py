#!/usr/bin/env python3
"""Pictures for docs/library-bugs.md: the outputs of two adjacent inputs, before and after the repair.

    scripts/bug_pictures.py [COUPLET [FOLDER]]

Every number is a certified probability of `couplet prob`. The dashed line is what the claim allows the
first run: e^epsilon times the second run.
"""

import json
import math
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 300, 130, 12, 26, 34

# file, mechanisms, parameters, epsilon, inputs of the runs, outputs: a range (low, high, step) or names; of lists, in brackets
PICTURES = [
    ("opendp_2708.py", ("off_by_one", "repaired"), {"f": "1/2"}, math.log(3), {"bits": ("[true]", "[false]")},
     {"true": "[true]", "false": "[false]"}),
    ("opendp_2933.py", ("one_sample", "repaired"), {}, 2 * math.log(2), {"answer": ("1", "0")},
     {"0 0": "(0, 0)", "0 1": "(0, 1)", "1 0": "(1, 0)", "1 1": "(1, 1)"}),
    ("mbi_65.py", ("sensitivity_2",), {"epsilon": "1"}, 1,
     {"model_errors": ("[0, 0]", "[-2, 2]"), "public_errors": ("[0, 0]", "[2, -2]")}, {"first": "0", "second": "1"}),
    ("smartnoise_core_356.py", ("scale_from_the_data",), {"epsilon": "1"}, 1, {"total": ("1", "1"), "count": ("1", "2")},
     (-3, 4, 0.25)),
    ("smartnoise_sdk_622.py", ("clipped_in_vain", "repaired"), {"epsilon": "1"}, 1, {"values": ("[0]", "[8]")}, (-4, 12, 0.5)),
    ("datasynthesizer_34.py", ("scale_of_probabilities",), {"epsilon": "1", "people": "10"}, 1,
     {"counts": ("[4]", "[5]")}, (2, 7, 0.2, "[%s]")),
    ("diffprivlib_105.py", ("lower_bound_twice", "repaired"), {"epsilon": "1"}, 1, {"values": ("[0]", "[10]")},
     (-200, 300, 20)),
    ("tumult_prefix_sums.dp", ("prefix_sums",), {"alpha": "1", "n": "4"}, 3, {"sums": ("[0, 1, 3, 3]", "[0, 1, 2, 2]"), "top": ("2", "1")},
     {"0": "0", "1": "1", "2": "2", "3": "3"}),
    ("permute_and_flip.dp", ("inverted",), {"eps": "1"}, 1, {"a": ("1", "0"), "b": ("0", "0")},
     {"a": "(true, true)", "b": "(true, false)", "neither": "(false, _)"}),
]


def probability(couplet, file, mechanism, params, inputs, output):
    command = [couplet, "prob", "--json", "--mechanism", mechanism, "--output", output]
    for name, value in params.items():
        command += ["--param", "%s=%s" % (name, value)]
    for name, value in inputs.items():
        command += ["--input", "%s=%s" % (name, value)]
    done = subprocess.run(command + [str(file)], capture_output=True, text=True)
    if done.returncode:
        sys.exit("%s\n%s" % (" ".join(command), done.stderr))
    return float(json.loads(done.stdout)["value"])


def translated(couplet, file, folder):
    """Python files once, not for every question."""
    if file.suffix == ".dp":
        return file
    out = pathlib.Path(folder) / (file.stem + ".dp")
    out.write_text(subprocess.run([couplet, "translate", str(file)], capture_output=True, text=True, check=True).stdout)
    return out


def cells(outputs):
    """(label, pattern) of every column."""
    if isinstance(outputs, dict):
        return list(outputs.items())
    low, high, step, form = (*outputs, "%s")[:4]
    count = round((high - low) / step)
    at = lambda k: repr(round(low + k * step, 6))
    return [(at(k), form % ("%s..%s" % (at(k), at(k + 1)))) for k in range(count)]


def steps(values, top, pen):
    """A line of steps over the columns."""
    width = WIDTH / len(values)
    y = lambda v: "%.1f" % (TOP + HEIGHT * (1 - min(1, v / top)))
    path = "M%d %s" % (LEFT, y(values[0]))
    for k, v in enumerate(values):
        path += "V%sH%.1f" % (y(v), LEFT + (k + 1) * width)
    return "<path d='%s' fill='none' %s/>" % (path, pen)


def panel(title, names, first, second, epsilon, shift):
    top = max(first + second) * 1.05
    out = ["<g transform='translate(%d 0)'>" % shift,
           "<text x='%d' y='16' font-weight='bold'>%s</text>" % (LEFT, title),
           "<path d='M%d %dh%d' stroke='#57606a'/>" % (LEFT, TOP + HEIGHT, WIDTH)]
    out.append(steps([v * math.exp(epsilon) for v in second], top, "stroke='#57606a' stroke-dasharray='4 3'"))
    out.append(steps(second, top, "stroke='#0969da' stroke-width='2'"))
    out.append(steps(first, top, "stroke='#cf222e' stroke-width='2'"))
    every = max(1, len(names) // 6)
    for k in range(0, len(names), every):
        centre = LEFT + (k + (0.5 if every == 1 else 0)) * WIDTH / len(names)
        out.append("<text x='%.0f' y='%d' text-anchor='middle'>%s</text>" % (centre, TOP + HEIGHT + 14, names[k]))
    return out + ["</g>"]


def draw(couplet, picture, folder):
    file, mechanisms, params, epsilon, inputs, outputs = picture
    columns, panels = cells(outputs), []
    source = translated(couplet, ROOT / "examples/library_bugs" / file, folder)
    for i, mechanism in enumerate(mechanisms):
        first, second = ([probability(couplet, source, mechanism, params, {n: v[run] for n, v in inputs.items()}, pattern) for _, pattern in columns] for run in (0, 1))
        panels += panel(mechanism, [label for label, _ in columns], first, second, epsilon, i * (WIDTH + 30))
    width, height = len(mechanisms) * (WIDTH + 30), TOP + HEIGHT + BOTTOM
    key = "<text x='%d' y='%d'><tspan fill='#cf222e'>first run</tspan>  <tspan fill='#0969da'>second run</tspan>  " \
          "<tspan fill='#57606a'>- - allowed to the first</tspan></text>" % (LEFT, height - 4)
    return "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' font-family='sans-serif' font-size='11'>\n" \
           "<rect width='100%%' height='100%%' fill='white'/>\n%s\n</svg>\n" % (width, height, width, "\n".join(panels + [key]))


def main(couplet, folder):
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        for picture in PICTURES:
            (folder / (picture[0].split(".")[0] + ".svg")).write_text(draw(couplet, picture, scratch))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/couplet"),
         pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "docs/pictures/bugs")
