"""Configuration objects: an argument of which only attributes are read, `config.epsilon`.

Each attribute becomes an argument of its own, `config_epsilon`. If the annotation names a dataclass of the
file, or of a file of the same folder or package, its fields say their types.
"""

import ast
import copy
import re

from .base import Refusal, dotted
from .class_names import is_dataclass
from .noise import NUMPY, STANDARD

ARRAYS = {"size", "shape", "sum", "mean", "max", "min", "argmax", "argmin", "any", "all", "copy", "tolist", "astype", "clip", "cumsum",
          "dot", "round", "item", "flatten", "ravel", "T", "ndim", "dtype", "append", "extend", "count", "seed"}


def names_of_fields(module, records):
    """{(argument, attribute): a name that occurs nowhere else}"""
    out, taken = {}, set(module.words) | set(module.functions) | set(module.classes) | set(module.imports)
    taken |= {x.name for x in ast.walk(module.tree) if isinstance(x, (ast.FunctionDef, ast.ClassDef))}
    for name, fields in records.items():
        for f in fields:
            new = "%s_%s" % (name, f)
            while new in taken:
                new += "_"
            out[name, f] = new
            taken.add(new)
    return out


class Flattening(ast.NodeTransformer):
    def __init__(self, names):
        self.names = names

    def visit_Attribute(self, node):
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and (node.value.id, node.attr) in self.names:
            return ast.copy_location(ast.Name(self.names[node.value.id, node.attr], node.ctx), node)
        return node


def fields_read(function, name):
    """The attributes that are read of an argument; None: it is used in other ways, too."""
    found = []
    nodes = list(ast.walk(ast.Module(function.body, [])))
    inside = {x.value for x in nodes if isinstance(x, ast.Attribute)}
    for x in nodes:
        if name in (getattr(x, "arg", None) if isinstance(x, ast.arg) else None, getattr(x, "asname", None),
                    getattr(x, "name", None)) or name in getattr(x, "names", []):
            return None  # another variable of this name
        if isinstance(x, ast.Call) and isinstance(x.func, ast.Attribute) and isinstance(x.func.value, ast.Name) and x.func.value.id == name:
            return None
        if isinstance(x, ast.Attribute) and isinstance(x.value, ast.Name) and x.value.id == name:
            if not isinstance(x.ctx, ast.Load) or x.attr in ARRAYS or x.attr in NUMPY or x.attr in STANDARD:
                return None
            if x.attr not in found:
                found.append(x.attr)
        if isinstance(x, ast.Name) and x.id == name and x not in inside:
            return None
    return found or None


def class_of(module, annotation):
    """The class that is named, of this file or another one; None: it is not found."""
    name = (dotted(annotation) or "") if annotation is not None else ""
    first, _, rest = name.partition(".")
    if first in module.imports and first not in module.classes:
        full = module.imports[first] + ("." + rest if rest else "")
        return module.interfaces.class_of(full) if "." in full else None
    return module.classes.get(name.split(".")[-1])


def field_types(module, annotation):
    """{field: annotation} of a dataclass."""
    owner = class_of(module, annotation)
    if owner is None or not is_dataclass(owner.node):
        return {}
    return {s.target.id: s.annotation for s in owner.node.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)}


def flattened(module, function):
    """The function with the attributes of its configuration objects as arguments; itself if it has none."""
    if function in module.flattened:
        return module.flattened[function]
    records = {a.arg: fields_read(function, a.arg) for a in function.args.args}
    records = {name: fields for name, fields in records.items() if fields}
    out = function
    if records:
        names_of = names_of_fields(module, records)
        for a in function.args.args:
            check_fields(module, a, records.get(a.arg, []))
        out = Flattening(names_of).visit(copy.deepcopy(function))
        old, arguments = function.args, []
        defaults = [None] * (len(old.args) - len(old.defaults)) + list(old.defaults)
        given = []
        for a, default in zip(old.args, defaults):
            types = field_types(module, a.annotation)
            names = records.get(a.arg)
            arguments += [a] if names is None else [ast.copy_location(ast.arg(names_of[a.arg, f], types.get(f)), a) for f in names]
            given += [default] if names is None else [None] * len(names)
        while given and given[0] is None:
            given.pop(0)
        out.args = ast.arguments([], arguments, None, old.kwonlyargs, old.kw_defaults, None, given)
        ast.fix_missing_locations(out)
        for name in ("init_arguments", "init_statements", "method"):
            if hasattr(function, name):
                setattr(out, name, getattr(function, name))
        out.records = {name: (fields, (dotted(next(a.annotation for a in old.args if a.arg == name)) or "").split(".")[-1])
                       for name, fields in records.items()}
        out.field_names = names_of
    module.flattened[function] = module.flattened[out] = out
    return out


def check_fields(module, a, fields):
    """Of a class that is known only what is stored in the object is a number of its own."""
    owner = class_of(module, a.annotation)
    computed = {s.name for s in owner.node.body if isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef))} if owner else set()
    for f in fields:
        if f in computed:
            raise Refusal(a, "`%s.%s` is computed by the class, and no number of its own" % (a.arg, f), "pass it as an argument")


def flat_text(function, text):
    """`config.epsilon` of a claim, as the argument is called."""
    names = getattr(function, "field_names", {})
    for name in getattr(function, "records", {}):
        if re.search(r"(\w\s*\(\s*%s\.\w)|(\b%s\.\w+\s*<[12]>)" % (re.escape(name), re.escape(name)), text) and \
                re.search(r"<[12]>|\b(within|all_within|one_differs|one_changes|all_increase|all_decrease|monotone|same)\s*\(", text):
            raise Refusal(function, "private data in the object `%s`: its other attributes may depend on it" % name,
                          "pass the data as an argument of its own", code="python-claim")
        text = re.sub(r"(?<![\w.])%s\.(\w+)" % re.escape(name), lambda m: names.get((name, m.group(1)), m.group(0)), text)
    return text


def assembled(function, module, given):
    """The arguments with their objects, for the function itself; `module` is the file as Python has it."""
    from types import SimpleNamespace
    out = dict(given)
    for name, (fields, type_name) in getattr(function, "records", {}).items():
        values = {f: out.pop(function.field_names[name, f]) for f in fields}
        make = getattr(module, type_name, None) if type_name else None
        try:
            out[name] = make(**values) if make is not None else SimpleNamespace(**values)
        except TypeError:  # it wants more than the function reads
            out[name] = SimpleNamespace(**values)
    return out
