"""Classes of other files: those above if they are interfaces, and the fields of configuration objects.

An interface has methods that do nothing, so that a class that inherits from it has what its own text says. The file is
looked for in the folder of the source, or where the package that the source is in has it; its names must mean what they
mean to Python, as in the source itself.
"""

import ast
import hashlib
import os

from .base import Refusal, dotted
from .class_names import is_docstring
from .scoping import names_at_top, refuse_hidden_stores

DEEPEST = 20
DECORATORS = {"abc.abstractmethod", "property", "staticmethod", "classmethod", "typing.overload"}
OF_CLASSES = {"typing.runtime_checkable", "typing_extensions.runtime_checkable"}


def files_of(path, name):
    """Where `name`, the full name of a class with leading dots as in an import, may be defined."""
    folder = os.path.dirname(os.path.abspath(path))
    level = len(name) - len(name.lstrip("."))
    words = name.lstrip(".").split(".")[:-1]
    if level:
        for _ in range(level - 1):
            folder = os.path.dirname(folder)
        starts = [(folder, words)]
    else:
        parts = folder.split(os.sep)
        inner = max((i for i, part in enumerate(parts) if words and part == words[0]), default=None)
        starts = [(folder, words)] if words else []
        if inner is not None:
            starts.append((os.sep.join(parts[:inner + 1]), words[1:]))
    places = [os.path.join(start, *rest) for start, rest in starts]
    found = [f for place in places for f in (place + ".py", os.path.join(place, "__init__.py")) if os.path.isfile(f)]
    return list(dict.fromkeys(found))


class Interfaces:
    """Those that the classes of one source inherit from."""

    def __init__(self, module):
        self.module, self.known = module, {}
        self.read = {}  # path -> digest, of the files that were looked at

    def check(self, owner, base):
        """Refuses the base of a class, unless it is an interface of another file."""
        full = owner.full_name(base)
        if full is None or "." not in full or dotted(base) is None:
            raise Refusal(base, "the class above is not one of this file, defined once: what it does is not known",
                          "write the class without it")
        why = self.why_not(self.module, full, 0)
        if why:
            raise Refusal(base, "the class above is not one of this file: %s" % why, "write the class without it, or copy the one above into "
                          "this file; of other files interfaces can be read, whose methods do nothing")

    def why_not(self, module, full, depth):
        """Why the class is no interface; None if it is one."""
        files = files_of(module.path, full) if module.beside else []
        if len(files) != 1 or depth > DEEPEST:
            return "it is found in %d files" % len(files) if files else "no file of this folder or package has `%s`" % full.lstrip(".")
        path, name = files[0], full.split(".")[-1]
        if (path, name) not in self.known:
            self.known[path, name] = "it inherits from itself"
            self.known[path, name] = self.why_not_in(path, name, depth)
        return self.known[path, name]

    def open(self, path):
        with open(path, "rb") as f:
            data = f.read()
        other = self.module.of_another_file(data.decode("utf-8-sig"), path)
        refuse_hidden_stores(other.tree)
        return other, hashlib.sha256(data).hexdigest()

    def class_of(self, full):
        """The class of this full name, if one file of the folder or package defines it, once and at its top; or None."""
        files = files_of(self.module.path, full) if self.module.beside else []
        name = full.split(".")[-1]
        try:
            other, digest = self.open(files[0]) if len(files) == 1 else (None, None)
        except (OSError, UnicodeDecodeError, Refusal):
            return None
        found = names_at_top(other.tree).get(name, []) if other else []
        if len(found) != 1 or not found[0].direct or found[0].kind != "class":
            return None
        self.read[files[0]] = digest
        return other.classes[name]

    def why_not_in(self, path, name, depth):
        shown = os.path.basename(path)
        try:
            other, digest = self.open(path)
        except (OSError, UnicodeDecodeError) as error:
            return "%s cannot be read: %s" % (shown, error)
        except Refusal as error:
            return "%s, line %d: %s" % (shown, getattr(error.node, "lineno", 1), error.message)
        self.read[path] = digest
        found = names_at_top(other.tree).get(name, [])
        if len(found) != 1 or not found[0].direct:
            return "%s does not define `%s` once, at its top" % (shown, name)
        if found[0].kind == "import":
            return self.why_not(other, found[0].target, depth + 1)
        if found[0].kind != "class":
            return "`%s` of %s is no class" % (name, shown)
        return self.why_not_class(other, other.classes[name], depth)

    def why_not_class(self, other, owner, depth):
        node, shown = owner.node, os.path.basename(other.path)
        odd = [d for d in node.decorator_list if owner.full_name(d) not in OF_CLASSES]
        odd += [k.value for k in node.keywords if k.arg != "metaclass" or owner.full_name(k.value) != "abc.ABCMeta"]
        odd += [s for s in node.body if not self.does_nothing(owner, s)]
        if odd:
            return "it is no interface: line %d of %s does something" % (odd[0].lineno, shown)
        for b in node.bases:
            full = owner.full_name(b.value if isinstance(b, ast.Subscript) else b)
            if full in owner.BASES:
                continue
            local = isinstance(b, ast.Name) and b.id in other.classes and owner.bound(b.id) == 1
            if local and depth > DEEPEST:
                return "it inherits from itself"
            why = self.why_not_class(other, other.classes[b.id], depth + 1) if local else \
                self.why_not(other, full, depth + 1) if full and "." in full else "line %d of %s: the class above is not known" % (b.lineno, shown)
            if why:
                return why
        return None

    def does_nothing(self, owner, s):
        """A statement of the body of a class that gives it nothing to do."""
        if isinstance(s, ast.Pass) or isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant):
            return True
        if isinstance(s, ast.AnnAssign):
            return s.value is None and isinstance(s.target, ast.Name)
        if not isinstance(s, ast.FunctionDef) or s.name.startswith("__") and s.name not in owner.SPECIAL:
            return False
        if s.name == "__init__" and len(s.args.args + s.args.kwonlyargs + s.args.posonlyargs) > 1:
            return False
        return all(owner.full_name(d) in DECORATORS for d in s.decorator_list) and all(is_empty(x) for x in s.body)


def is_empty(s):
    """A docstring, `pass`, `...`, `return`, `raise NotImplementedError`."""
    if isinstance(s, ast.Raise):
        name = dotted(s.exc.func if isinstance(s.exc, ast.Call) else s.exc) if s.exc is not None else None
        return name == "NotImplementedError"
    return is_docstring(s) or isinstance(s, ast.Pass) or isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant) or \
        isinstance(s, ast.Return) and (s.value is None or isinstance(s.value, ast.Constant) and s.value.value is None)
