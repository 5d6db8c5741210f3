#!/usr/bin/env python3
"""The pictures of examples/README.md: plots of the report, each as a file of its own.

usage: gallery.py COUPLET   (writes docs/pictures/gallery/*.svg)
"""
import pathlib
import re
import subprocess
import sys
import tempfile

PLOTS = {  # name of the picture: file
    "svt": "examples/correct/svt.dp",
    "num_svt": "examples/correct/num_svt.dp",
    "bad_hist": "examples/incorrect/bad_hist.dp",
    "bad_noisy_max": "examples/incorrect/bad_noisy_max.dp",
    "bad_partial_sum": "examples/incorrect/bad_partial_sum.dp",
}
AUTOMATA = ["examples/automata/svt.dp", "examples/automata/m_range.dp", "examples/automata/not_private_sort.dp"]
STYLE = """<style>text{font:11px sans-serif;fill:#545c68}.strong{fill:#1c2128}.grid{stroke:#e4e0d8}.axis{stroke:#545c68}
.f1{fill:none;stroke:#2a5d9c;stroke-width:2}.f2{fill:none;stroke:#b4561a;stroke-width:2}
.limit{fill:none;stroke:#1c2128;stroke-width:1.5;stroke-dasharray:5 4}.over{fill:#a8322a;opacity:.13}
.event{fill:#7d5800;opacity:.13}.loss{fill:none;stroke:#a8322a;stroke-width:2}.dot{fill:#a8322a}</style>
<rect width="100%" height="100%" fill="#fff"/>"""


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode not in (0, 10, 20):
        sys.exit(f"{' '.join(words)} ends with status {done.returncode}: {done.stderr}")


def main():
    couplet = sys.argv[1]
    target = pathlib.Path("docs/pictures/gallery")
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, file in PLOTS.items():
            run(couplet, "report", "-o", folder, file)
            page = (pathlib.Path(folder) / "index.html").read_text()
            plot = re.search(r'<svg class="plot" (.*?)>(.*?)</svg>', page, re.S)
            if not plot:
                sys.exit(f"there is no plot of {file}")
            head = f'<svg xmlns="http://www.w3.org/2000/svg" {plot.group(1)}>'
            (target / f"{name}.svg").write_text(f"{head}\n{STYLE}{plot.group(2)}</svg>\n")
        for file in AUTOMATA:
            run(couplet, "verify", "--no-cache", "--svg", folder, file)
            name = pathlib.Path(file).stem
            picture = next(p for p in pathlib.Path(folder).glob(f"{name}-*.svg") if not p.name.endswith("-loss.svg"))
            (target / f"automaton_{name}.svg").write_text(picture.read_text())


main()
