"""Another name for a function of a module, at the top of the file: `P = couplet.private`, `log = np.log`.

It means the same as `from couplet import private as P`, and is read as that.
"""

import ast

from .base import dotted
from .scoping import import_targets, names_at_top

VALUES = {"inf", "Inf", "infty", "nan", "e", "pi", "tau", "newaxis"}  # no functions
MODULES = ("couplet", "math", "numpy", "random", "secrets")


def renamed(tree):
    """The tree with such assignments as imports, where the module is imported once, before, and not hidden."""
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
