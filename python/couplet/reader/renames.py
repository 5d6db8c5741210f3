"""Assignments at the top of the file that are read as others.

Another name for a function of a module, `P = couplet.private`, `log = np.log`, means the same as
`from couplet import private as P`; `LOW, HIGH = 0, 1` is two assignments.
"""

import ast

from .base import dotted
from .scoping import import_targets, names_at_top

VALUES = {"inf", "Inf", "infty", "nan", "e", "pi", "tau", "newaxis"}  # no functions
MODULES = ("couplet", "math", "numpy", "random", "secrets")


def apart(s):
    """`a, b = 0, 1` as one assignment after the other, where no value reads these names."""
    target, value = (s.targets[0], s.value) if isinstance(s, ast.Assign) and len(s.targets) == 1 else (None, None)
    if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple) or len(target.elts) != len(value.elts) or \
            not all(isinstance(t, ast.Name) for t in target.elts):
        return [s]
    names = {t.id for t in target.elts}
    if len(names) < len(target.elts) or any(isinstance(x, ast.Name) and x.id in names or isinstance(x, (ast.Starred, ast.NamedExpr))
                                            for x in ast.walk(value)):
        return [s]
    return [ast.copy_location(ast.Assign([t], v), s) for t, v in zip(target.elts, value.elts)]


def renamed(tree):
    """The tree with such names as imports, where the module is imported once, before, and not hidden."""
    tree.body = [one for s in tree.body for one in apart(s)]
    top, imports = names_at_top(tree), {}
    for position, s in enumerate(tree.body):
        if isinstance(s, (ast.Import, ast.ImportFrom)):
            imports.update(import_targets(s))
        elif isinstance(s, ast.Assign) and len(s.targets) == 1 and isinstance(s.targets[0], ast.Name):
            first, _, rest = (dotted(s.value) or "").partition(".")
            full = imports.get(first, "") + ("." + rest if rest else "")
            owner, _, word = full.rpartition(".")
            if owner.split(".")[0] in MODULES and word not in VALUES and len(top.get(first, [])) == 1:
                new = ast.ImportFrom(owner, [ast.copy_location(ast.alias(word, s.targets[0].id), s)], 0)
                tree.body[position] = ast.copy_location(new, s)
                imports[s.targets[0].id] = full
    return tree
