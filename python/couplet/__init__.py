"""Couplet from Python: claims on functions, verdicts about them, and the library.

    import couplet

    @couplet.private(epsilon="epsilon", adjacent="all_within(queries, 1)")
    def noisy_max(queries, epsilon, rng):
        ...

    couplet.check(noisy_max)              raises AssertionError unless it is proved
    couplet.verify("svt.dp")              files and text of the language itself

docs/python.md says which functions can be read. Importing this module loads no library and costs
nothing at run time: `private` returns the function as it is.
"""

__all__ = ["Claim", "Result", "CoupletError", "TranslationError", "check", "check_certificate", "declassify", "judge",
           "private", "translate_function", "verify", "verify_text", "version"]

_FROM = {"Claim": "_library", "Result": "_library", "CoupletError": "_library", "verify": "_library",
         "verify_text": "_library", "check_certificate": "_library", "version": "_library",
         "TranslationError": "translate", "check": "checking", "judge": "checking", "translate_function": "checking"}


def private(*, adjacent, epsilon=None, delta=None, zcdp=None, gaussian=None, renyi=None, requires=(), types=None,
            fixed=None, private=(), name=None):
    """A claim about a function. It is read from the source, not run: the function stays as it is."""
    claim = {"epsilon": epsilon, "delta": delta, "zcdp": zcdp, "gaussian": gaussian, "renyi": renyi, "adjacent": adjacent,
             "requires": requires, "types": types or {}, "fixed": fixed or {}, "private": private, "name": name}

    def mark(function):
        try:
            function.__couplet__ = getattr(function, "__couplet__", ()) + (claim,)
        except AttributeError:  # not every callable has room for it
            pass
        return function
    return mark


def declassify(value):
    """The value. In a translated function it says that private data may steer a loop or be a scale here."""
    return value


def __getattr__(name):
    if name in _FROM:
        import importlib
        return getattr(importlib.import_module("couplet." + _FROM[name]), name)
    raise AttributeError("module 'couplet' has no attribute %r" % name)
