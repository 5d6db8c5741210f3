"""Names mean here what they mean in Python, or there is an error.

The reader finds functions, classes, constants and modules by their names. That is right if each name that a
claim can reach is bound once in the file, at its top, and if nothing is stored behind its back; `check_claims`
looks at what a claim can reach, by names, and refuses everything else.
"""

import ast
import builtins

from .base import Refusal, dotted

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = FUNCTIONS + (ast.Lambda,)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
LIBRARIES = {"numpy", "math", "random", "secrets", "itertools", "functools", "statistics", "couplet", "dataclasses", "abc", "typing"}
REBINDING = {"exec", "eval", "globals", "locals", "vars", "setattr", "delattr", "__import__", "__builtins__", "compile"}
INNARDS = {"__dict__", "__setattr__", "__delattr__", "__code__", "__defaults__", "__kwdefaults__", "__globals__", "__builtins__",
           "__bases__", "__closure__", "__wrapped__", "__import__", "__get__", "__set__", "modules", "reload", "import_module"}
OF_FUNCTIONS = {"couplet.private"}
OF_METHODS = OF_FUNCTIONS | {"property", "staticmethod", "classmethod", "abc.abstractmethod"}
OF_CLASSES = {"dataclasses.dataclass"}
BUILTINS = set(dir(builtins)) | {"__name__", "__file__", "__doc__"}


class Binding:
    def __init__(self, name, node, kind, direct, target=None):
        self.name, self.node, self.kind, self.direct, self.target = name, node, kind, direct, target


def import_targets(s):
    """[(name, what it stands for)] of an import."""
    if isinstance(s, ast.Import):
        return [(a.asname or a.name.split(".")[0], a.name if a.asname else a.name.split(".")[0]) for a in s.names]
    return [(a.asname or a.name, "." * s.level + (s.module + "." if s.module else "") + a.name) for a in s.names]


def arguments_of(function):
    a = function.args
    return a.posonlyargs + a.args + a.kwonlyargs + [x for x in (a.vararg, a.kwarg) if x is not None]


def defaults_of(function):
    return [d for d in function.args.defaults + function.args.kw_defaults if d is not None]


def bindings_of(scope):
    """What a module, class, function or lambda binds itself, at any depth but not in scopes inside of it."""
    out = []

    def visit(node, direct, inside):
        add = lambda name, kind, target=None: out.append(Binding(name, node, kind, direct, target))
        if isinstance(node, FUNCTIONS + (ast.ClassDef,)):
            add(node.name, "class" if isinstance(node, ast.ClassDef) else "def")
            for x in node.decorator_list + (node.bases if isinstance(node, ast.ClassDef) else defaults_of(node)):
                visit(x, False, inside)
            return
        if isinstance(node, ast.Lambda):
            return
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for name, target in import_targets(node):
                add(name, "import", target)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and node.id not in inside:
            add(node.id, "variable")
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            for name in node.names:
                add(name, "global")
        elif isinstance(node, ast.ExceptHandler) and node.name or isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
            add(node.name, "variable")
        elif isinstance(node, ast.MatchMapping) and node.rest:
            add(node.rest, "variable")
        elif isinstance(node, COMPREHENSIONS):  # its variables are its own; those of `:=` are not
            own = {x.id for g in node.generators for x in ast.walk(g.target) if isinstance(x, ast.Name)}
            inside = inside | own
        simple = isinstance(node, (ast.Assign, ast.AnnAssign)) and direct
        for child in ast.iter_child_nodes(node):
            visit(child, simple, inside)

    for a in arguments_of(scope) if isinstance(scope, SCOPES) else []:
        out.append(Binding(a.arg, a, "argument", True))
    for s in scope.body if isinstance(scope.body, list) else [scope.body]:
        visit(s, True, frozenset())
    return out


def by_names(bindings):
    out = {}
    for b in bindings:
        out.setdefault(b.name, []).append(b)
    return out


def refuse_hidden_stores(tree):
    """Whatever can change a name, a class or a module without an assignment to its name, anywhere in the file."""
    selves = set()
    for c in ast.walk(tree):
        for m in c.body if isinstance(c, ast.ClassDef) else []:
            first = m.args.args[0].arg if isinstance(m, ast.FunctionDef) and m.args.args and not {
                dotted(d) for d in m.decorator_list} & {"staticmethod", "classmethod"} else None
            if first == "self" and sum(b.name == "self" for b in bindings_of(m)) == 1:
                selves |= {x for x in ast.walk(m) if isinstance(x, ast.Name) and x.id == "self"}
    top = {b.name for b in bindings_of(tree)}
    for x in ast.walk(tree):
        if isinstance(x, ast.ImportFrom) and any(a.name == "*" for a in x.names):
            raise Refusal(x, "an import of * can change the meaning of every name", "import the names that are used")
        if isinstance(x, ast.ImportFrom) and any(a.name in INNARDS | REBINDING for a in x.names) or \
                isinstance(x, ast.Name) and x.id in REBINDING or isinstance(x, ast.Attribute) and x.attr in INNARDS:
            raise Refusal(x, "this can change the meaning of names behind the back of the reader", "delete it, or move it to another file")
        if isinstance(x, ast.Attribute) and not isinstance(x.ctx, ast.Load) and x.value not in selves:
            raise Refusal(x, "an attribute of a module, a class or another object is changed here; only `self.x` can be assigned, "
                          "in a method", "say the value where it is defined")
        if isinstance(x, ast.Subscript) and not isinstance(x.ctx, ast.Load):
            base = x.value
            while isinstance(base, (ast.Attribute, ast.Subscript)):
                base = base.value
            if isinstance(x.value, ast.Attribute) and isinstance(base, ast.Name) and base.id in top and base.id != "self":
                raise Refusal(x, "an attribute of `%s` is changed here" % base.id, "say the value where it is defined")


class Reach:
    """What one claim can reach, by names."""

    def __init__(self, module, top, roots):
        self.module, self.top, self.nodes, self.names = module, top, [], {}
        self.inner, self.found = {}, None  # scope -> its bindings by name; all scopes
        todo = list(roots)
        while todo:
            node = todo.pop()
            if node in self.nodes:
                continue
            self.nodes.append(node)
            for x in self.free_names(node):
                if x.id not in self.names:
                    self.names[x.id] = x
                    todo += [b.node for b in top.get(x.id, []) if b.kind in ("def", "class")]
                    todo += [s for s in module.tree.body if isinstance(s, (ast.Assign, ast.AnnAssign)) and any(
                        isinstance(y, ast.Name) and y.id == x.id for t in getattr(s, "targets", [getattr(s, "target", None)])
                        for y in ast.walk(t))]

    def bound(self, scope):
        if scope not in self.inner:
            self.inner[scope] = by_names(bindings_of(scope))
        return self.inner[scope]

    def check(self):
        self.check_functions()
        self.check_top()
        self.check_decorators()

    # ---- names at the top of the file -------------------------------------------------------------

    def check_top(self):
        for name in dict.fromkeys(list(self.names) + [s.name for s in self.nodes if hasattr(s, "name")]):
            found = self.top.get(name, [])
            if not found:
                continue
            last = found[-1].node
            kinds = {b.kind for b in found}
            if kinds == {"import"} and len({b.target for b in found}) == 1 and all(b.direct for b in found):
                if name in BUILTINS:
                    raise Refusal(last, "`%s` is a function of Python, and something else here" % name, "import the module: `import numpy as np`")
                continue
            if len(found) > 1:
                raise Refusal(last, "`%s` is assigned more than once, or defined or imported again" % name, "give each its own name")
            if not found[0].direct:
                raise Refusal(last, "`%s` is defined in a branch, a loop or together with others" % name,
                              "define it at the top of the file, outside of `if`, `try`, `for` and `with`")
            if name in BUILTINS or name in LIBRARIES:
                raise Refusal(last, "`%s` is a name of Python's library, and something else here" % name, "rename it")
        for name, x in self.names.items():
            if name not in self.top and name in LIBRARIES:
                raise Refusal(x, "`%s` is not imported" % name, "write `import %s` at the top of the file" % name)

    # ---- decorators -------------------------------------------------------------------------------

    def check_decorators(self):
        for node in self.nodes:
            for x in ast.walk(node):
                if isinstance(x, ast.ClassDef):
                    self.decorators(x, OF_CLASSES)
                    for m in x.body:
                        if isinstance(m, FUNCTIONS):
                            self.decorators(m, OF_METHODS)
                            self.check_self(m)
                elif isinstance(x, FUNCTIONS) and not any(x in c.body for c in ast.walk(node) if isinstance(c, ast.ClassDef)):
                    self.decorators(x, OF_FUNCTIONS)

    def decorators(self, node, allowed):
        for d in node.decorator_list:
            name = self.full_name(d.func if isinstance(d, ast.Call) else d)
            if name not in allowed or isinstance(d, ast.Call) and name not in ("couplet.private", "dataclasses.dataclass"):
                raise Refusal(d, "this decorator can make another function or class of it", "call it in the function, or delete it")

    def full_name(self, node):
        first, _, rest = (dotted(node) or "").partition(".")
        found = self.top.get(first, [])
        if found and found[-1].kind != "import":
            return None
        if not found and (rest or first not in BUILTINS):
            return None
        return (found[-1].target if found else first) + ("." + rest if rest else "")

    def check_self(self, method):
        kinds = {dotted(d) for d in method.decorator_list} & {"staticmethod", "classmethod"}
        if kinds and any(a.arg == "self" for a in arguments_of(method)):
            raise Refusal(method, "`self` is not the object in a %s" % sorted(kinds)[0], "rename the argument")

    # ---- names inside of functions ----------------------------------------------------------------

    def scopes(self):
        """(function or lambda, the scopes around it) in what is reached; outer ones first."""
        if self.found is not None:
            return self.found

        def visit(node, around):
            if isinstance(node, SCOPES):
                yield node, around
                around = around + (node,)
            for child in ast.iter_child_nodes(node):
                yield from visit(child, around)
        self.found = [x for node in self.nodes for x in visit(node, ())]
        return self.found

    def free_names(self, node):
        """Names that are read and that no function around them binds."""
        def visit(node, bound):
            early = []  # what is computed outside of the scope that the node makes
            inner = bound
            if isinstance(node, SCOPES):
                early = defaults_of(node) + getattr(node, "decorator_list", [])
                inner = bound | set(self.bound(node))
            elif isinstance(node, COMPREHENSIONS):
                early = [node.generators[0].iter]
                inner = bound | {x.id for g in node.generators for x in ast.walk(g.target) if isinstance(x, ast.Name)}
            elif isinstance(node, ast.Name) and node.id not in bound and isinstance(node.ctx, ast.Load):
                yield node
            for x in early:
                yield from visit(x, bound)
            for child in ast.iter_child_nodes(node):
                if child is not getattr(node, "annotation", None) and child is not getattr(node, "returns", None):
                    yield from visit(child, inner)
        return visit(node, frozenset())

    def check_functions(self):
        meanings = {}  # names of functions: the scope that binds them

        def means(name, scope, node):
            if meanings.setdefault(name, scope) is not scope:
                raise Refusal(node, "`%s` is the name of several functions here" % name, "give each its own name")
        for scope, around in self.scopes():
            for name, found in self.bound(scope).items():
                for b in found:
                    if b.kind == "global":
                        raise Refusal(b.node, "`global` and `nonlocal` cannot be read", "return the value, or pass it as an argument")
                kinds = {b.kind for b in found}
                if kinds & {"def", "class", "import"}:
                    self.check_inner(scope, name, found, kinds)
                if "def" in kinds or self.is_lambda(scope, name):
                    means(name, scope, found[0].node)
                    if name in self.top or name in BUILTINS:
                        raise Refusal(found[0].node, "`%s` is a name of the file or of Python, too" % name, "rename the inner function")
            self.check_captured(scope, around)
            self.check_defaults(scope, around)
        for scope, around in self.scopes():
            for x in self.own_nodes(scope):
                if isinstance(x, ast.Call) and isinstance(x.func, ast.Name):
                    holder = self.holder(x.func.id, around + (scope,))
                    means(x.func.id, holder, x.func)
                    known = x.func.id in self.top or x.func.id in BUILTINS
                    if holder is not None and known and not self.is_function(holder, x.func.id):
                        raise Refusal(x.func, "`%s` is a variable here" % x.func.id, "call a function by its own name")

    def check_inner(self, scope, name, found, kinds):
        if len(found) > 1:
            raise Refusal(found[-1].node, "`%s` is bound more than once in this function" % name, "give each its own name")
        b = found[0]
        if not b.direct:
            raise Refusal(b.node, "`%s` is defined in a branch or a loop" % name, "define it at the beginning of the function")
        for x in ast.walk(scope):
            if isinstance(x, ast.Name) and x.id == name and (x.lineno, x.col_offset) < (b.node.lineno, b.node.col_offset):
                raise Refusal(x, "`%s` is used before it is defined" % name, "define it at the beginning of the function")
        if kinds == {"import"}:  # it is read as one of the whole file
            same = name in self.top and all(t.target == b.target for t in self.top[name])
            inside = set(ast.walk(scope))
            if not same and (name in self.top or name in BUILTINS or any(
                    isinstance(x, ast.Name) and x.id == name and x not in inside for x in ast.walk(self.module.tree)) or any(
                    o is not scope and name in self.bound(o) for o, _ in self.scopes())):
                raise Refusal(b.node, "`%s` is another thing elsewhere in the file" % name, "import it at the top of the file")

    def own_nodes(self, scope):
        """Nodes of the function that are not of a function inside of it."""
        todo = list(scope.body) if isinstance(scope.body, list) else [scope.body]
        while todo:
            x = todo.pop()
            yield x
            if not isinstance(x, SCOPES):
                todo += ast.iter_child_nodes(x)

    def holder(self, name, around):
        for scope in reversed(around):
            if name in self.bound(scope):
                return scope
        return None

    def is_lambda(self, scope, name):
        return any(isinstance(x, ast.Assign) and isinstance(x.value, ast.Lambda) and any(
            isinstance(t, ast.Name) and t.id == name for t in x.targets) for x in self.own_nodes(scope))

    def is_function(self, scope, name):
        kinds = {b.kind for b in self.bound(scope)[name]}
        if kinds == {"argument"}:
            a = scope.args
            defaults = dict(zip([x.arg for x in a.args][len(a.args) - len(a.defaults):], a.defaults))
            defaults.update({x.arg: d for x, d in zip(a.kwonlyargs, a.kw_defaults)})
            return isinstance(defaults.get(name), ast.Name)
        return kinds <= {"def", "import"} or kinds == {"variable"} and self.is_lambda(scope, name)

    def check_captured(self, scope, around):
        """A name from outside is looked up where a function is called: it must be the only one of that name."""
        bound = self.bound(scope)
        free = {x.id: x for x in self.own_nodes(scope) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Load) and x.id not in bound}
        for name, x in free.items():
            holder = self.holder(name, around)
            if holder is None and not (name in self.top and self.top[name][0].kind == "variable"):
                continue
            for other, outer in self.scopes():
                if other is holder or name not in self.bound(other) or holder is not None and holder not in outer:
                    continue
                raise Refusal(self.bound(other)[name][0].node, "`%s` is the name of another variable that `%s` reads" % (
                    name, getattr(scope, "name", "a lambda")), "rename one of them")

    def check_defaults(self, scope, around):
        """They are read where the function is called."""
        for d in defaults_of(scope):
            for x in ast.walk(d):
                if not isinstance(x, ast.Name):
                    continue
                holder = self.holder(x.id, around)
                if holder is not None and len(self.bound(holder)[x.id]) != 1 or any(
                        x.id in self.bound(other) for other, _ in self.scopes() if other is not holder):
                    raise Refusal(d, "`%s` can be another value where the function is called" % x.id, "pass it as an argument")


def names_at_top(tree):
    """{name: its bindings}, with those by `global`."""
    bindings = bindings_of(tree)
    for x in ast.walk(tree):
        if isinstance(x, ast.Global):
            bindings += [Binding(name, x, "global", False) for name in x.names]
    return by_names(bindings)


def check_claims(module, claims):
    """The claims whose names are certainly those of Python; the others are refused."""
    if not claims or not module.attempt(lambda: refuse_hidden_stores(module.tree)):
        return []
    top, seen = names_at_top(module.tree), {}

    def check(claim):
        line = claim.function.lineno
        roots = tuple(s for s in module.tree.body if isinstance(s, FUNCTIONS + (ast.ClassDef,)) and (
            s.name == claim.function.name or s.lineno <= line <= (s.end_lineno or s.lineno)))
        if roots not in seen:
            seen[roots] = module.attempt(lambda: Reach(module, top, roots).check())
        return seen[roots]
    return [c for c in claims if check(c)]


def unread_claims(module):
    """Refuses claims on functions that the reader does not find: in a branch, in a function, or defined again."""
    read = set(module.functions.values()) | {m for c in module.classes.values() for m in c.node.body}
    for x in ast.walk(module.tree):
        for d in x.decorator_list if isinstance(x, FUNCTIONS) and x not in read or isinstance(x, ast.ClassDef) else []:
            if isinstance(d, ast.Call) and (dotted(d.func) or "").split(".")[-1] == "private" and module.is_wanted(x.name):
                if isinstance(x, ast.AsyncFunctionDef):
                    raise Refusal(x, "an async function cannot be read", "write `def`")
                raise Refusal(d, "a claim is about a function or a method at the top of the file, defined once",
                              "move it there, or rename it", code="python-claim")
        if isinstance(x, ast.AsyncFunctionDef) and x in read and module.is_wanted(x.name) and any(isinstance(d, ast.Call) for d in x.decorator_list):
            raise Refusal(x, "an async function cannot be read", "write `def`")
