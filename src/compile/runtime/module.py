"""@ABOUT@"""

import ctypes
import hashlib
import keyword
import os
import re
import subprocess
import tempfile
from fractions import Fraction

_FOLDER = os.path.dirname(os.path.abspath(__file__))
_SOURCE = os.path.join(_FOLDER, os.fsdecode(b@SOURCE@))
_DIGEST = "@DIGEST@"
_PARAMS = [@PARAMS@]
_INPUTS = [@INPUTS@]

__all__ = ["@NAME@", "Failed"]


class Failed(ValueError):
    """A value that is missing or not as the mechanism needs it, or an error when it ran."""


def _load():
    """The library beside the source, built with $CC or cc if it is missing. Its name has the hash of
    the source in it: nothing else is loaded, and Python does not take it for this module."""
    with open(_SOURCE, "rb") as file:
        program = file.read()
    if hashlib.sha256(program).hexdigest() != _DIGEST:
        raise ImportError("%s is not the program that this module was written for" % _SOURCE)
    path = "%s.%s.so" % (os.path.splitext(_SOURCE)[0], _DIGEST[:16])
    if not os.path.exists(path):
        handle, fresh = tempfile.mkstemp(suffix=".so", dir=_FOLDER)
        os.close(handle)
        command = [os.environ.get("CC", "cc"), "-std=c17", "-O2", "-shared", "-fPIC"]
        try:
            command += ["-DCOUPLET_LIBRARY", "-o", fresh, "-x", "c", "-"]
            subprocess.run(command, check=True, input=program)
            os.replace(fresh, path)
        except BaseException:
            os.unlink(fresh)
            raise
    library = ctypes.CDLL(path)
    library.free_text = ctypes.CDLL(None).free
    library.free_text.argtypes = [ctypes.c_void_p]
    library.free_text.restype = None
    entry = getattr(library, "couplet_@ENTRY@")
    entry.argtypes = [ctypes.POINTER(ctypes.c_char_p), ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p]
    entry.restype = ctypes.c_int
    return library, entry


_library, _entry = _load()


def _text(value):
    """A value as the program reads it; numbers keep their exact value."""
    if isinstance(value, str):
        if "\0" in value:
            raise Failed("a zero character in %r" % value)
        return value
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        items = ", ".join(_text(item) for item in value)
        return "[%s]" % items if isinstance(value, list) else "(%s)" % items
    return str(Fraction(value))


def _parse(tokens):
    token = tokens.pop(0)
    if token in "[(":
        items = []
        while tokens[0] not in "])":
            items.append(_parse(tokens))
        return items if tokens.pop(0) == "]" else tuple(items)
    if token in ("true", "false"):
        return token == "true"
    return int(token) if "/" not in token else Fraction(token)


def @NAME@(*inputs, **values):
    """One run. Inputs by position or by name, parameters by name (a keyword of Python with a `_`
    behind it: class_=1); optional values are None or (True, x). Fractions are given as Fraction, or
    as text: eps="1/10"."""
    if len(inputs) > len(_INPUTS):
        raise TypeError("there are %d inputs: %s" % (len(_INPUTS), ", ".join(_INPUTS)))
    given = dict(zip(_INPUTS, inputs))
    for name, value in values.items():
        if name not in _PARAMS + _INPUTS and keyword.iskeyword(name[:-1]) and name[-1] == "_":
            name = name[:-1]
        if name in given or name not in _PARAMS + _INPUTS:
            raise TypeError("%s is given twice, or is no input or parameter" % name)
        given[name] = value
    names = _PARAMS + _INPUTS
    texts = [_text(given[name]).encode() if name in given else None for name in names]
    output = ctypes.c_void_p()
    status = _entry((ctypes.c_char_p * (len(names) + 1))(*texts), ctypes.byref(output), None)
    try:
        text = ctypes.string_at(output).decode() if output else "out of memory"
    finally:
        _library.free_text(output)
    if status:
        raise Failed(text)
    return _parse(re.findall(r"[\[\]()]|true|false|-?[0-9]+(?:/[0-9]+)?", text))
