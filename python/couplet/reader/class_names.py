"""What stands in a class: its names, what it stores in `self`, and which statements only do that."""

import ast
import re

from .base import Refusal, dotted
from .noise import NUMPY, SECRETS, STANDARD, plain_signature

# Methods that change nothing of what they are called of.
PURE = {*NUMPY, *STANDARD, *SECRETS, "sum", "mean", "max", "min", "argmax", "argmin", "any", "all", "copy", "tolist", "astype", "clip", "cumsum",
        "dot", "round", "item", "flatten", "ravel", "reshape", "count", "index"}


def is_self(node):
    return isinstance(node, ast.Name) and node.id == "self"


def is_of_self(node):
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
        node = node.value
    return is_self(node)


def first_attribute(node):
    while isinstance(node, (ast.Attribute, ast.Subscript)) and not is_self(node.value):
        node = node.value
    return getattr(node, "attr", "")


def changed_names(method):
    """Variables whose items are assigned, or of which a method is called that may change them."""
    out = set()
    for node in ast.walk(method):
        base = node.value if isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load) else \
            node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr not in PURE else None
        while isinstance(base, (ast.Attribute, ast.Subscript)):
            base = base.value
        if isinstance(base, ast.Name):
            out.add(base.id)
    return out


def may_be_part(node):
    """May the value be a list or an array that `self` keeps, or a view of one?"""
    if isinstance(node, (ast.Attribute, ast.Subscript)):
        return is_of_self(node) or may_be_part(node.value)
    if isinstance(node, ast.Call):
        name = (dotted(node.func) or "").split(".")[-1]
        if name in ("list", "sorted", "array", "copy", "tolist", "zeros", "zeros_like", "ones", "ones_like", "full", "full_like", "len", "range",
                    "enumerate", "sum", "float", "int", "cumsum", "empty", "empty_like", *NUMPY):
            return False
        inner = [node.func.value] if isinstance(node.func, ast.Attribute) and not is_self(node.func.value) else []
        return any(may_be_part(x) for x in inner + node.args + [k.value for k in node.keywords])
    if isinstance(node, (ast.IfExp, ast.BoolOp, ast.NamedExpr, ast.Tuple, ast.List, ast.Starred)):
        return any(may_be_part(x) for x in ast.iter_child_nodes(node) if isinstance(x, ast.expr))
    return False


def is_self_store(node):
    return isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and is_self(node.value)


def is_plain(s, names):
    """`self.x = x`, which needs no statement."""
    return isinstance(s, ast.Assign) and len(s.targets) == 1 and is_self_store(s.targets[0]) and \
        isinstance(s.value, ast.Name) and names[s.targets[0].attr] == s.value.id


def is_super(s):
    """`super().__init__(...)`"""
    call = s.value if isinstance(s, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "__init__" and \
        isinstance(call.func.value, ast.Call) and isinstance(call.func.value.func, ast.Name) and \
        call.func.value.func.id == "super" and not call.func.value.args and not call.func.value.keywords


def is_dataclass(node):
    names = [dotted(d.func if isinstance(d, ast.Call) else d) or "" for d in node.decorator_list]
    return any(n.split(".")[-1] == "dataclass" for n in names)


def is_docstring(s):
    return isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant) and isinstance(s.value.value, str)


def own_arguments(method):
    return method.args.args[1:]


def check_method(method, static=False):
    a = method.args
    if a.vararg or a.kwarg or a.posonlyargs or not static and (not a.args or a.args[0].arg != "self"):
        raise Refusal(method, "a method has `self` and named arguments here", "arguments with *args, **kwargs or / cannot be read")
    plain_signature(method)


# ---- names of a tree ----------------------------------------------------------------------------

def body_bindings(node):
    """[(name, statement)] of the body of a class."""
    out = []
    for s in node.body:
        if isinstance(s, ast.FunctionDef):
            out.append((s.name, s))
        elif isinstance(s, ast.Assign):
            out += [(t.id, s) for t in s.targets if isinstance(t, ast.Name)]
        elif isinstance(s, ast.AnnAssign) and s.value is not None and isinstance(s.target, ast.Name):
            out.append((s.target.id, s))
    return out


def bindings(tree, names=True):
    """Every binding of a name, once for each; without those of assignments and loops if not `names`."""
    for x in ast.walk(tree):
        if isinstance(x, ast.Name):
            if names and not isinstance(x.ctx, ast.Load):
                yield x.id
        elif isinstance(x, ast.alias):
            yield (x.asname or x.name.split(".")[0])
        elif not isinstance(x, (ast.Attribute, ast.keyword, ast.Constant)):
            yield from identifiers(x)


def identifiers(x):
    """The names that stand in the node itself."""
    if isinstance(x, ast.alias):
        return [x.asname or x.name.split(".")[0]]
    if isinstance(x, (ast.keyword, ast.Constant, ast.ImportFrom)):
        return []
    values = [getattr(x, f, None) for f in x._fields]
    return [v for v in values if isinstance(v, str)] + [w for v in values if isinstance(v, list) for w in v if isinstance(w, str)]


def names_in(tree):
    for x in ast.walk(tree):
        if not isinstance(x, ast.Attribute):
            yield from identifiers(x)


def stored_names(tree):
    return [x.id for x in ast.walk(tree) if isinstance(x, ast.Name) and not isinstance(x.ctx, ast.Load)]


def words_of_file(module):
    """Every word of the file, those of texts and attributes, too."""
    out = set()
    for x in ast.walk(module.tree):
        for f in x._fields:
            v = getattr(x, f, None)
            for w in v if isinstance(v, list) else [v]:
                if isinstance(w, str):
                    out |= set(re.findall(r"\w+", w))
    return out


def is_mangled(name):
    return name.startswith("__") and not name.endswith("__")
