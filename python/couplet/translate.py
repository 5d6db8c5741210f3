"""From a source of another language to the language of Couplet.

    python3 -m couplet.translate mech.py            the translation
    python3 -m couplet.translate --json mech.py     with a table of places, for the command `couplet`

The JSON is {"version": 1, "text": ..., "map": [[begin, end, source_begin, source_end], ...]} or
{"version": 1, "errors": [{"code", "begin", "end", "message", "hint"}]}; places are offsets in
bytes, of the translation and of the source. `couplet` believes nothing of it but the text, which
it reads as it reads every file.
"""

import json
import os
import sys

try:
    import tomllib
except ImportError:  # Python 3.10: no sidecar files
    tomllib = None

if __package__ in (None, ""):
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    __package__ = "couplet"
    import importlib
    importlib.import_module("couplet")

from couplet.reader.base import Refusal, Refusals
from couplet.reader.module import Module
from couplet.reader.versions import without_versions

VERSION = 1
SUFFIXES = (".py", ".c", ".dip")


class TranslationError(Exception):
    """The source cannot be read; `errors` has dicts with code, begin, end, message, hint."""

    def __init__(self, errors, path=None, source=""):
        self.errors, self.path, self.source = errors, path, source
        super().__init__("\n".join(show(e, path, source) for e in errors))


class Translation:
    def __init__(self, text, places):
        self.text, self.places = text, places


def line_starts(source):
    """Byte offsets of lines, as Python's parser counts them."""
    starts, data, i = [0], source.encode("utf-8"), 0
    while i < len(data):
        if data[i] == 10 or (data[i] == 13 and data[i + 1:i + 2] != b"\n"):
            starts.append(i + 1)
        i += 1
    return starts, len(data)


def span(node, starts, size):
    if node is None or not hasattr(node, "lineno"):
        return 0, 0
    begin = starts[min(node.lineno, len(starts)) - 1] + node.col_offset
    end_line = min(getattr(node, "end_lineno", None) or node.lineno, len(starts))
    limit = starts[end_line] - 1 if end_line < len(starts) else size
    column = getattr(node, "end_col_offset", None)
    end = min(starts[end_line - 1] + (node.col_offset + 1 if column is None else column), limit)
    return min(begin, size), max(min(begin, size), min(end, size))


def refusal(error, source):
    starts, size = line_starts(source)
    begin, end = span(error.node, starts, size)
    hint = without_versions(error.hint) if error.hint else None
    return {"code": error.code, "begin": begin, "end": end, "message": without_versions(error.message),
            "hint": hint or ("docs/python.md lists what can be read" if error.code == "python-subset" else None)}


def show(error, path, source):
    """As `couplet` shows it."""
    starts, _ = line_starts(source)
    line = max(i for i, s in enumerate(starts) if s <= error["begin"])
    data = source.encode("utf-8")
    begin = starts[line]
    text = data[begin:].split(b"\n")[0].decode("utf-8", "replace").rstrip("\r")
    column = len(data[begin:error["begin"]].decode("utf-8", "replace"))
    out = "%s:%d:%d: error[%s]: %s\n  %s\n  %s^" % (path, line + 1, column + 1, error["code"], error["message"], text,
                                                   " " * column)
    return out + ("\n  hint: %s" % error["hint"] if error["hint"] else "")


def sidecar(path):
    """Claims and noise functions from the TOML file beside the source."""
    stem = os.path.splitext(path)[0]
    for name in (stem + ".couplet.toml", stem + ".toml"):
        if os.path.exists(name):
            if tomllib is None:
                raise Refusal(None, "%s: TOML needs Python 3.11" % name, code="python-claim")
            try:
                with open(name, "rb") as f:
                    return read_table(tomllib.load(f), name)
            except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
                raise Refusal(None, "%s: %s" % (name, error), code="python-claim")
    return [], {}


def read_table(table, name):
    claims, noise = [], {}
    unknown = sorted(set(table) - {"claim", "noise"})
    if unknown:
        raise Refusal(None, "%s: `%s` has no meaning here" % (name, unknown[0]), "write [[claim]] and [noise.\"NAME\"]",
                      code="python-claim")
    for entry in table.get("claim", []):
        if not isinstance(entry, dict) or "function" not in entry:
            raise Refusal(None, "%s: a [[claim]] names its `function`" % name, code="python-claim")
        claims.append(entry)
    for function, entry in table.get("noise", {}).items():
        if not isinstance(entry, dict) or not isinstance(entry.get("draw"), str) or not isinstance(entry.get("args"), list):
            raise Refusal(None, "%s: [noise.\"%s\"] needs `args` and `draw`" % (name, function),
                          "args = [\"scale\"], draw = \"Lap(0, scale)\"", code="python-claim")
        noise[function] = entry
    return claims, noise


def command_line_claim(text):
    """`NAME = {epsilon = "...", adjacent = "..."}`"""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Refusal(None, "--claim %s: %s" % (text, error),
                      "write NAME = {epsilon = \"epsilon\", adjacent = \"all_within(q, 1)\"}", code="python-claim")
    out = []
    for function, entry in by_dotted_name(table):
        if not isinstance(entry, dict):
            raise Refusal(None, "--claim %s: a table is expected" % text, code="python-claim")
        out.append(dict(entry, function=function))
    return out


def by_dotted_name(table, before=""):
    """TOML reads `Class.method = {...}` as a table in a table."""
    for name, entry in table.items():
        if isinstance(entry, dict) and entry and all(isinstance(e, dict) for e in entry.values()):
            yield from by_dotted_name(entry, before + name + ".")
        else:
            yield before + name, entry


def translate_text(source, path="input.py", claims=(), noise=None, beside=False, functions=()):
    """Text in, `Translation` out; TranslationError when it cannot be read."""
    try:
        extra, own_noise = list(claims), dict(noise or {})
        if beside:
            more, other = sidecar(path)
            extra, own_noise = more + extra, {**other, **own_noise}
        if path.endswith(".c"):
            from couplet.reader.cfile import c_module
            module = c_module(source, path, extra, functions)
        elif path.endswith(".dip"):
            from couplet.reader.dip import DipModule
            module = DipModule(source, path, extra)
            module.keep(functions)
        else:
            module = Module(source, path, extra, own_noise, functions=functions, beside=beside)
        text, entries = module.translate()
    except Refusal as error:
        raise TranslationError([refusal(error, source)], path, source) from None
    except Refusals as many:
        raise TranslationError([refusal(e, source) for e in many.errors], path, source) from None
    except RecursionError:
        raise TranslationError([refusal(Refusal(None, "expressions are nested too deeply"), source)], path, source) from None
    starts, size = line_starts(source)
    return Translation(text, [[b, e, *span(node, starts, size)] for b, e, node in entries])


def translate_file(path, claims=(), data=None, functions=()):
    if data is None:
        with open(path, "rb") as f:
            data = f.read()
    try:
        source = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise TranslationError([refusal(Refusal(None, "the file is not UTF-8", code="python-syntax"), "")], path, "")
    return translate_text(source, path, claims, beside=True, functions=functions)


def main(arguments):
    import argparse
    parser = argparse.ArgumentParser(prog="couplet.translate", description="write a source in the language of Couplet")
    parser.add_argument("--json", action="store_true", help="with the table of places")
    parser.add_argument("--stdin", action="store_true", help="the text is on standard input; FILE is its name")
    parser.add_argument("--claim", action="append", default=[], metavar="TEXT",
                        help="a claim: NAME = {epsilon = \"...\", adjacent = \"...\"}")
    parser.add_argument("file")
    parser.add_argument("--function", action="append", default=[], metavar="NAME", help="only this function")
    args = parser.parse_args(arguments)
    try:
        try:
            claims = [c for text in args.claim for c in command_line_claim(text)]
        except Refusal as error:
            raise TranslationError([refusal(error, "")], args.file, "")
        result = translate_file(args.file, claims, sys.stdin.buffer.read() if args.stdin else None,
                                args.function)
    except OSError as error:
        sys.stderr.write("%s: %s\n" % (args.file, error.strerror))
        return 2
    except TranslationError as error:
        if args.json:
            json.dump({"version": VERSION, "errors": error.errors}, sys.stdout)
        else:
            sys.stderr.write(str(error) + "\n")
        return 2
    if args.json:
        json.dump({"version": VERSION, "text": result.text, "map": result.places}, sys.stdout)
    else:
        sys.stdout.write(result.text)
    return 0


if __name__ == "__main__":
    sys.setrecursionlimit(3000)
    sys.exit(main(sys.argv[1:]))
