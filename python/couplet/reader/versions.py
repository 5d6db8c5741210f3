"""A variable that is assigned again is another one from there on: `x = f(x)`, one statement after the other, gives x two names.

Only assignments that are statements of the function itself begin another version. They are executed once, one after the
other, so that a place reads the version before it, whatever branches and loops assign in between. Values that do not change
are read and proved more easily, and a version has a type of its own.
"""

import ast
import re

from .looks import array_of_argument

MARK = "\u00b7"  # may be part of a name in Python, and is not of those that people write
VERSION = re.compile(MARK + "[0-9]+")
INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def without_versions(text):
    return VERSION.sub("", text)


class Naming(ast.NodeTransformer):
    def __init__(self):
        self.now = {}

    def visit_Name(self, node):
        return ast.copy_location(ast.Name(self.now.get(node.id, node.id), node.ctx), node)


def names_inside(function):
    """Names of functions and classes inside of it, which may read them later."""
    inner = [x for s in function.body for x in ast.walk(s) if isinstance(x, INNER)]
    return {name for x in inner for y in ast.walk(x) for name in (getattr(y, "id", None), getattr(y, "arg", None), getattr(y, "name", None))}


def assigned_name(s):
    """x of `x = e`."""
    targets = s.targets if isinstance(s, ast.Assign) else [s.target] if isinstance(s, ast.AnnAssign) and s.value is not None else []
    return targets[0].id if len(targets) == 1 and isinstance(targets[0], ast.Name) else None


def begin_version(function, naming, name, s, counts):
    """The value is still about the one before."""
    s.value = naming.visit(s.value)
    counts[name] = counts.get(name, 1) + 1
    naming.now[name] = "%s%s%d" % (name, MARK, counts[name])
    target = s.targets[0] if isinstance(s, ast.Assign) else s.target
    target.id = naming.now[name]


def with_versions(function):
    if any(isinstance(x, (ast.Global, ast.Nonlocal)) for x in ast.walk(function)):
        return
    kept, naming, counts = names_inside(function), Naming(), {}
    seen = {x.arg for x in ast.walk(function.args) if isinstance(x, ast.arg)}
    arrays = [array_of_argument(function, a.arg) for a in function.args.args]
    for position, s in enumerate(function.body):
        name = assigned_name(s)
        stored = {x.id for x in ast.walk(s) if isinstance(x, ast.Name) and not isinstance(x.ctx, ast.Load)}
        if name in seen and name not in kept and s not in arrays:
            begin_version(function, naming, name, s, counts)
        else:
            function.body[position] = naming.visit(s)
        seen |= stored


def versioned(tree):
    """The tree, with the versions of variables in its functions and methods under names of their own."""
    words = [w for x in ast.walk(tree) for w in (getattr(x, f, None) for f in x._fields) if isinstance(w, str)]
    if any(MARK in w for w in words):
        return tree
    for s in tree.body:
        for function in [s] if isinstance(s, ast.FunctionDef) else s.body if isinstance(s, ast.ClassDef) else []:
            if isinstance(function, ast.FunctionDef):
                with_versions(function)
    return tree
