"""pytest --couplet: every claim on a function of the collected files is a test.

    pytest --couplet                       functions with @couplet.private, in files that pytest looks at
    pytest --couplet mechanisms.py         a file of their own

A refuted claim fails with its counterexample; an unknown one fails, too, unless --couplet-allow-unknown
is given, which makes it an expected failure (xfail).
"""

import pytest


def pytest_addoption(parser):
    group = parser.getgroup("couplet")
    group.addoption("--couplet", action="store_true", help="prove or refute the privacy claims of Python functions")
    group.addoption("--couplet-timeout", type=float, default=60.0, metavar="S", help="seconds per file (default 60)")
    group.addoption("--couplet-allow-unknown", action="store_true", help="claims that stay open do not fail")


def has_claims(path):
    if path.suffix != ".py":
        return False
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    return "couplet" in text and "private(" in text and "@" in text


def pytest_collect_file(file_path, parent):
    if parent.config.getoption("--couplet") and has_claims(file_path):
        return CoupletFile.from_parent(parent, path=file_path)
    return None


class CoupletFile(pytest.File):
    def collect(self):
        from couplet.reader.base import Refusal
        from couplet.reader.claims import find_claims
        from couplet.reader.module import Module
        from couplet.translate import refusal, show
        source = self.path.read_text(encoding="utf-8-sig")
        try:
            module = Module(source, str(self.path))
        except Refusal as error:
            yield BrokenItem.from_parent(self, name="claims", trouble=show(refusal(error, source), str(self.path), source))
            return
        if not module.claims:
            return
        self.judgement = None
        for i, claim in enumerate(module.claims):
            yield CoupletItem.from_parent(self, name="private[%s]" % (claim.name or claim.function.name), position=i,
                                          line=claim.function.lineno)

    def result(self):
        """All claims of a file are judged together, once."""
        from couplet._library import CoupletError
        from couplet.checking import judge_file
        if self.judgement is None:
            try:
                self.judgement = judge_file(self.path, timeout=self.config.getoption("--couplet-timeout"))
            except CoupletError as error:
                self.judgement = error
        if isinstance(self.judgement, Exception):
            raise ClaimFailed(str(self.judgement))
        return self.judgement


class ClaimFailed(Exception):
    pass


class CoupletItem(pytest.Item):
    def __init__(self, *, position, line, **rest):
        super().__init__(**rest)
        self.position, self.line = position, line

    def runtest(self):
        claim = self.parent.result().claims[self.position]
        if claim.verdict == "unknown" and self.config.getoption("--couplet-allow-unknown"):
            pytest.xfail(claim.describe())
        if not claim:
            raise ClaimFailed(claim.describe())

    def repr_failure(self, excinfo):
        if isinstance(excinfo.value, ClaimFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self):
        return self.path, self.line - 1, self.name


class BrokenItem(pytest.Item):
    def __init__(self, *, trouble, **rest):
        super().__init__(**rest)
        self.trouble = trouble

    def runtest(self):
        raise ClaimFailed(self.trouble)

    repr_failure = CoupletItem.repr_failure

    def reportinfo(self):
        return self.path, 0, self.name
