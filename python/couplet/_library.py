"""Couplet from Python: a single file over the shared library, standard library only.

    import couplet
    result = couplet.verify("svt.dp")
    for claim in result.claims:
        print(claim.name, claim.verdict, claim.cost)

The library is looked for in $COUPLET_LIBRARY, beside this file, and where the system keeps
libraries. Verification runs outside of the interpreter lock: threads with a context each
(which is what every call makes) work in parallel.
"""

import ctypes
import ctypes.util
import json
import os
from dataclasses import dataclass, field
from typing import List, Optional

__all__ = ["Claim", "Result", "CoupletError", "verify", "verify_text", "check_certificate", "version"]

UNKNOWN, PROVED, REFUTED, ADMITTED = "unknown", "proved", "refuted", "admitted"


class CoupletError(Exception):
    """The library cannot be used, or an argument has no meaning."""


@dataclass(frozen=True)
class Claim:
    name: str
    verdict: str  # "proved", "refuted", "unknown" or "admitted"
    epsilon: Optional[str]  # as claimed; None: "private at some multiple of eps"
    cost: Optional[str]  # least cost established
    lower: Optional[str]  # certified lower bound on the true cost
    reason: Optional[str]  # why the verdict is unknown
    line: int
    counterexample: Optional[dict] = None
    notion: Optional[str] = None  # "zcdp", "gaussian", "renyi 2", ...; None: epsilon and delta

    def __bool__(self):
        return self.verdict == PROVED


@dataclass(frozen=True)
class Result:
    status: int  # the exit status of the program: 0 proved, 10 refuted, 20 unknown, 2 bad input, ...
    text: str  # what the program prints
    record: Optional[dict] = None  # everything, as in docs/json.md
    claims: List[Claim] = field(default_factory=list)

    @property
    def ok(self):
        """Every claim was proved (or every certificate is valid)."""
        return self.status == 0


_SIGNATURES = {
    "cp_version": (ctypes.c_char_p, []),
    "cp_context_new": (ctypes.c_void_p, []),
    "cp_context_free": (None, [ctypes.c_void_p]),
    "cp_thread_end": (None, []),
    "cp_set_timeout": (ctypes.c_bool, [ctypes.c_void_p, ctypes.c_double]),
    "cp_set_search": (ctypes.c_bool, [ctypes.c_void_p, ctypes.c_double]),
    "cp_set_explain": (None, [ctypes.c_void_p, ctypes.c_bool]),
    "cp_verify_file": (ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p]),
    "cp_verify_text": (ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t]),
    "cp_check_certificate": (ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p]),
    "cp_result_free": (None, [ctypes.c_void_p]),
    "cp_result_status": (ctypes.c_int, [ctypes.c_void_p]),
    "cp_text": (ctypes.c_char_p, [ctypes.c_void_p]),
    "cp_json": (ctypes.c_char_p, [ctypes.c_void_p]),
    "cp_claim_count": (ctypes.c_size_t, [ctypes.c_void_p]),
    "cp_claim_name": (ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_size_t]),
    "cp_claim_verdict": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_size_t]),
    "cp_claim_notion": (ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_size_t]),
    "cp_claim_epsilon": (ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_size_t]),
    "cp_claim_cost": (ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_size_t]),
    "cp_claim_lower": (ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_size_t]),
    "cp_claim_reason": (ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_size_t]),
    "cp_claim_line": (ctypes.c_uint, [ctypes.c_void_p, ctypes.c_size_t]),
    "cp_verdict_name": (ctypes.c_char_p, [ctypes.c_int]),
}


def _load():
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libcouplet.so")
    places = [os.environ.get("COUPLET_LIBRARY"), beside if os.path.exists(beside) else None,
              ctypes.util.find_library("couplet"), "libcouplet.so.0"]
    trouble = []
    for place in filter(None, places):
        try:
            library = ctypes.CDLL(place)
            break
        except OSError as error:
            trouble.append(str(error))
    else:
        raise CoupletError("libcouplet was not found; set COUPLET_LIBRARY to its path (%s)" % "; ".join(trouble))
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


_library = None


def _lib():
    global _library
    if _library is None:
        _library = _load()
    return _library


def _str(value):
    return None if value is None else value.decode("utf-8", "replace")


def _path(path):
    encoded = os.fsencode(os.fspath(path))
    if b"\0" in encoded:  # the library would see a shorter name
        raise CoupletError("a name with a zero byte: %r" % (path,))
    return encoded


def _take_result(lib, handle):
    """Copies everything out of the handle and frees it."""
    try:
        encoded = lib.cp_json(handle)
        record = json.loads(encoded) if encoded else None
        stated = record["files"][0].get("claims", []) if record else []
        claims = [Claim(name=_str(lib.cp_claim_name(handle, i)),
                        verdict=_str(lib.cp_verdict_name(lib.cp_claim_verdict(handle, i))),
                        epsilon=_str(lib.cp_claim_epsilon(handle, i)),
                        cost=_str(lib.cp_claim_cost(handle, i)),
                        lower=_str(lib.cp_claim_lower(handle, i)),
                        reason=_str(lib.cp_claim_reason(handle, i)),
                        line=lib.cp_claim_line(handle, i),
                        counterexample=stated[i].get("counterexample") if i < len(stated) else None,
                        notion=stated[i].get("notion") if i < len(stated) else None)
                  for i in range(lib.cp_claim_count(handle))]
        return Result(lib.cp_result_status(handle), _str(lib.cp_text(handle)), record, claims)
    finally:
        lib.cp_result_free(handle)


def _run(call, timeout, search, explain):
    lib = _lib()
    context = lib.cp_context_new()
    try:
        if not lib.cp_set_timeout(context, timeout):
            raise CoupletError("timeout must be a number of seconds, at least 0: %r" % (timeout,))
        if not lib.cp_set_search(context, search):
            raise CoupletError("search must be a number of seconds, at least 0: %r" % (search,))
        lib.cp_set_explain(context, explain)
        return _take_result(lib, call(lib, context))
    finally:
        lib.cp_context_free(context)
        lib.cp_thread_end()


def version():
    return _str(_lib().cp_version())


def verify(path, timeout=60.0, search=5.0, explain=False):
    """Proves or refutes every claim of a .dp or .dipa file."""
    return _run(lambda lib, c: lib.cp_verify_file(c, _path(path)), timeout, search, explain)


def verify_text(text, name="input.dp", timeout=60.0, search=5.0, explain=False):
    """The same for text; a name that ends in .dipa means an automaton."""
    data = text.encode("utf-8")
    return _run(lambda lib, c: lib.cp_verify_text(c, _path(name), data, len(data)), timeout, search, explain)


def check_certificate(certificate, source, timeout=60.0):
    """Re-checks a certificate against its source, without any search."""
    return _run(lambda lib, c: lib.cp_check_certificate(c, _path(certificate), _path(source)), timeout, 0.0, False)
