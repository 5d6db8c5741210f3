"""Verdicts about Python functions: `check` for tests, `judge` for everything else.

The program `couplet` does the work: $COUPLET, the one beside this package (a checkout's build, or
where it was installed), or the one of the PATH.
"""

import html
import inspect
import json
import os
import shutil
import subprocess
import tempfile
import textwrap
from dataclasses import dataclass, field
from typing import List, Optional

from ._library import ADMITTED, PROVED, REFUTED, UNKNOWN, CoupletError
from .translate import TranslationError, command_line_claim, sidecar, translate_text

ARITHMETIC = "about real numbers, not floating-point ones"
FRAME_HEIGHT = 640  # pixels; it can be pulled


def program():
    """The path of the command."""
    here = os.path.dirname(os.path.abspath(__file__))
    beside = [os.path.join(here, up, "couplet") for up in ("../../build", "../../../../bin", "../../../../../bin")]
    for place in [os.environ.get("COUPLET")] + [p for p in beside if os.access(p, os.X_OK) and not os.path.isdir(p)]:
        if place:
            return place
    found = shutil.which("couplet")
    if not found:
        raise CoupletError("the program `couplet` was not found; set COUPLET to its path")
    return found


@dataclass(frozen=True)
class FunctionVerdict:
    """One claim about one function."""
    function: str
    name: str
    verdict: str            # "proved", "refuted", "unknown" or "admitted"
    epsilon: Optional[str]
    delta: Optional[str]
    cost: Optional[str]
    reason: Optional[str]
    file: str
    line: int
    notion: Optional[str] = None    # "zcdp", "gaussian", "renyi 2", ...; None: epsilon and delta
    counterexample: Optional[dict] = field(default=None, repr=False)
    record: dict = field(default_factory=dict, repr=False)

    def __bool__(self):
        return self.verdict == PROVED

    @property
    def claim(self):
        """What is claimed, in words."""
        if self.notion:
            return "%s %s%s" % (self.notion, "epsilon " if self.notion.startswith("renyi") else "", self.epsilon)
        return "%s-private" % self.epsilon if not self.delta else "(%s, %s)-private" % (self.epsilon, self.delta)

    def describe(self):
        """A few lines for a person."""
        lines = ["%s:%d: `%s` is claimed to be %s: %s" % (
            self.file, self.line, self.function, self.claim, self.verdict)]
        if self.reason:
            lines.append("  " + self.reason.replace("\n", "\n  "))
        lines += ["  " + line for line in counterexample_lines(self.counterexample)]
        lines.append("  (%s)" % ARITHMETIC)
        return "\n".join(lines)


def counterexample_lines(c):
    return ["counterexample:"] + ["  " + line for line in c["text"].split("\n")] if c and c.get("text") else []


@dataclass(repr=False)
class Judgement:
    """All verdicts of one run; shows itself in notebooks and at the prompt."""
    claims: List[FunctionVerdict]
    status: int
    text: str = ""
    record: dict = field(default_factory=dict, repr=False)  # as `couplet report --json` prints it

    @property
    def ok(self):
        return self.status == 0

    def __bool__(self):
        return self.ok

    def __str__(self):
        return "\n".join(c.describe() for c in self.claims)

    __repr__ = __str__

    def _repr_html_(self):
        """The cards of `couplet report`, in a frame of their own: neither page's style reaches the other."""
        return "<iframe title=\"Couplet\" sandbox style=\"border:0;width:100%%;height:%dpx;resize:vertical\" srcdoc=\"%s\"></iframe>" % (
            FRAME_HEIGHT, html.escape(self.page(), quote=True))

    def page(self):
        """The cards as a page that needs nothing else."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "record.json")
            with open(path, "w", encoding="utf-8") as f:
                json.dump(self.record, f)
            return run_program(["merge", "--cards", path]).stdout


def run_program(arguments):
    done = subprocess.run([program()] + arguments, capture_output=True, text=True)
    if done.returncode == 1 or done.returncode == 3 and not done.stdout:
        raise CoupletError(done.stderr.strip() or "couplet failed")
    return done


def judge_file(path, claims=(), timeout=60.0, search=5.0, functions=()):
    """Every claim of a file, with all that a card shows."""
    arguments = ["report", "--json", "--timeout", repr(float(timeout)), "--search", repr(float(search))]
    for text in claims:
        arguments += ["--claim", text]
    for name in functions:
        arguments += ["--function", name]
    done = run_program(arguments + [os.fspath(path)])
    return read_record(done, os.fspath(path))


def read_record(done, shown):
    record = json.loads(done.stdout)
    out = []
    for f in record["files"]:
        if f.get("error"):
            raise CoupletError(done.stderr.strip() or str(f["error"]))
        for c in f.get("claims", []):
            out.append(FunctionVerdict(function=c.get("subject") or c["name"], name=c["name"], verdict=c["verdict"],
                                       epsilon=c.get("epsilon"), delta=c.get("delta"), cost=c.get("cost"), reason=c.get("reason"),
                                       file=shown, line=c["location"]["line"], notion=c.get("notion"), counterexample=c.get("counterexample"), record=c))
    return Judgement(out, done.returncode, done.stderr, record)


def source_of(function):
    """The file of the function, and its name there."""
    function = inspect.unwrap(function)
    try:
        path = inspect.getsourcefile(function)
    except TypeError:
        raise CoupletError("%r is no Python function" % (function,))
    return path, function.__name__


def toml(claim):
    def value(v):
        if isinstance(v, str):
            return json.dumps(v)
        if isinstance(v, dict):
            return "{%s}" % ", ".join("%s = %s" % (json.dumps(k), value(x)) for k, x in v.items())
        if isinstance(v, (list, tuple)):
            return "[%s]" % ", ".join(value(x) for x in v)
        return json.dumps(v)
    return value({k: v for k, v in claim.items() if v not in (None, (), {}, [])})


def judge(function, *, timeout=60.0, search=5.0, **claim):
    """The verdicts on a function: on the claims it carries, or on the one that is given here.

        couplet.judge(noisy_max)
        couplet.judge(histogram, epsilon="epsilon", adjacent="one_differs(counts, 1)")

    A file is judged with `couplet.judge("mech.py")`.
    """
    if isinstance(function, (str, os.PathLike)):
        return judge_file(function, timeout=timeout, search=search)
    path, name = source_of(function)
    extra = ["%s = %s" % (json.dumps(name), toml(claim))] if claim else []
    if path is None or not os.path.exists(path):
        return judge_cell(function, name, extra, timeout, search)
    result = judge_file(path, extra, timeout, search, [name])
    return only_last(result) if claim else result


def only_last(result):
    """The verdict on the claim that was given, not those on the claims of the source."""
    mine = result.claims[-1:]
    record = dict(result.record, files=[dict(f, claims=f["claims"][-1:]) for f in result.record["files"]])
    return Judgement(mine, status_of(mine), result.text, record)


def judge_cell(function, name, extra, timeout, search):
    """A function of a notebook or a prompt: its own text, with what it uses of the standard kind."""
    try:
        text = textwrap.dedent(inspect.getsource(function))
    except OSError:
        raise CoupletError("the source of `%s` cannot be found" % name)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "cell.py")
        with open(path, "w", encoding="utf-8") as f:
            f.write("import math, random, secrets\nimport numpy as np\nimport numpy\nimport couplet\n\n" + text)
        return judge_file(path, extra, timeout, search, [name])


def status_of(claims):
    verdicts = {c.verdict for c in claims}
    return 10 if REFUTED in verdicts else 20 if UNKNOWN in verdicts else 30 if ADMITTED in verdicts else 0


def check(function, *, allow_unknown=False, timeout=60.0, search=5.0, **claim):
    """Raises AssertionError, with what is known, unless every claim about the function is proved."""
    __tracebackhide__ = True  # pytest shows the test, not this
    result = judge(function, timeout=timeout, search=search, **claim)
    bad = [c for c in result.claims if not c and not (allow_unknown and c.verdict == UNKNOWN)]
    if bad:
        raise AssertionError("\n".join(c.describe() for c in bad))
    return result


def translate_function(function, **claim):
    """The text of the translation of the function's file."""
    path, name = source_of(function)
    with open(path, encoding="utf-8-sig") as f:
        source = f.read()
    extra = [dict(claim, function=name)] if claim else []
    return translate_text(source, path, extra, beside=True).text
