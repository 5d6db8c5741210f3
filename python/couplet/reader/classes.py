"""Mechanisms that are classes: parameters in __init__, the mechanism in m(a), __call__(data) or another method.

A method with a claim becomes one function: the statements of __init__, then those of the method, with
the arguments of both. `self.x` is the argument that __init__ stored there, or a variable. Other methods
that it calls become functions that are given the attributes they read.
"""

import ast
import copy

from .base import Refusal, dotted
from .noise import Substitution

ENTRIES = ("__call__", "m")


class Rewriting(ast.NodeTransformer):
    """`self.x` becomes a name, `self.f(...)` a call of a function."""

    def __init__(self, owner, names):
        self.owner, self.names, self.read = owner, names, set()

    def visit_Attribute(self, node):
        self.generic_visit(node)
        if not (isinstance(node.value, ast.Name) and node.value.id == "self"):
            return node
        if node.attr not in self.names and isinstance(node.ctx, ast.Load):
            constant, method = self.owner.constant(node.attr), self.owner.find(node.attr)
            if constant is not None:
                return ast.copy_location(copy.deepcopy(constant), node)
            if method is not None and is_property(method):
                return self.visit_Call(ast.copy_location(ast.Call(node, [], []), node))
        if node.attr not in self.names:
            raise Refusal(node, "`self.%s` is not set in __init__ of `%s`" % (node.attr, self.owner.node.name),
                          "set it there, once")
        self.read.add(node.attr)
        return ast.copy_location(ast.Name(self.names[node.attr], node.ctx), node)

    def visit_Call(self, node):
        method = node.func.attr if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and \
            node.func.value.id == "self" else None
        if method is None or self.owner.find(method) is None:
            return self.generic_visit(node)
        name, attributes = self.owner.helper(method, node)
        self.read |= set(attributes)
        extra = [ast.keyword(self.names[a], ast.copy_location(ast.Name(self.names[a], ast.Load()), node)) for a in attributes]
        node = ast.copy_location(ast.Call(ast.copy_location(ast.Name(name, ast.Load()), node.func), node.args,
                                          node.keywords + extra), node)
        return self.generic_visit(node)


class MechanismClass:
    def __init__(self, module, node):
        self.module, self.node, self.helpers, self.inits, self.fields = module, node, {}, {}, None

    def find(self, name):
        """The method, of the class or of one that it inherits from, of the same file."""
        found = self.find_after(name, None)
        if found is None and name == "__init__":
            if self.fields is None:
                self.fields = self.fields_init()
            return self.fields
        return self.with_inits(found) if found is not None and name == "__init__" else found

    def find_after(self, name, before):
        """The first method of that name; behind that one."""
        passed = before is None
        for node in self.line(self.node, ()):
            for s in node.body:
                if isinstance(s, ast.FunctionDef) and s.name == name and passed:
                    return s
            passed = passed or before in node.body
        return None

    def constant(self, name):
        """A number in the body of the class that no __init__ sets; or None."""
        for node in self.line(self.node, ()):
            for s in node.body:
                target, value = (s.targets[0], s.value) if isinstance(s, ast.Assign) and len(s.targets) == 1 else \
                    (s.target, s.value) if isinstance(s, ast.AnnAssign) else (None, None)
                if isinstance(target, ast.Name) and target.id == name and value is not None and not is_dataclass(node):
                    return value
        return None

    def fields_init(self):
        """The __init__ of a dataclass."""
        fields = [s for node in reversed(list(self.line(self.node, ()))) if is_dataclass(node) for s in node.body
                  if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)]
        if not fields:
            return None
        named = {s.target.id: s for s in fields}
        arguments, defaults, body = [], [], []
        for name, s in named.items():
            here = lambda x: ast.fix_missing_locations(ast.copy_location(x, s))
            arguments.append(here(ast.arg(name, s.annotation)))
            default = s.value
            if isinstance(default, ast.Call):  # field(default=...)
                default = next((k.value for k in default.keywords if k.arg == "default"), None)
            if default is not None:
                defaults.append(default)
            body.append(here(ast.Assign([ast.Attribute(ast.Name("self", ast.Load()), name, ast.Store())], ast.Name(name, ast.Load()))))
        return ast.copy_location(ast.FunctionDef("__init__", ast.arguments(
            [], [ast.copy_location(ast.arg("self"), self.node)] + arguments, None, [], [], None, defaults), body, []), self.node)

    def with_inits(self, init):
        """__init__ with that of the class above in the place of `super().__init__(...)`."""
        if init not in self.inits:
            body = []
            for s in init.body:
                body += self.above(init, s) if is_super(s) else [s]
            self.inits[init] = ast.copy_location(ast.FunctionDef("__init__", init.args, body, []), init)
        return self.inits[init]

    def above(self, init, s):
        above = self.find_after("__init__", init)
        if above is None:
            return []
        check_method(above)
        names = [a.arg for a in own_arguments(above)]
        given = dict(zip(names, s.value.args))
        given.update({k.arg: k.value for k in s.value.keywords})
        defaults = above.args.defaults
        for name, d in zip(names[len(names) - len(defaults):], defaults):
            given.setdefault(name, d)
        if len(s.value.args) > len(names) or set(given) != set(names):
            raise Refusal(s, "the arguments do not fit `__init__` of the class above", "it has %s" % ", ".join(names))
        stored = {n.id for n in ast.walk(above) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        for name, value in given.items():
            if name in stored or not isinstance(value, (ast.Name, ast.Constant)):
                raise Refusal(s, "the class above is given arguments and numbers as they are, not what is computed here",
                              "compute `%s` in the class above, or write one class" % name)
        return [Substitution(given).visit(copy.deepcopy(x)) for x in self.with_inits(above).body]

    def line(self, node, seen):
        yield node
        for base in node.bases:
            inner = self.module.classes.get(base.id) if isinstance(base, ast.Name) else None
            if inner is not None and inner.node is not node and inner.node not in seen:
                yield from self.line(inner.node, seen + (node,))

    def entry(self):
        for name in ENTRIES:
            if self.find(name) is not None:
                return name
        return None

    # ---- attributes -----------------------------------------------------------------------------

    def attributes(self):
        """{attribute: name that stands for it}; those that are arguments as they are have the argument's name."""
        init = self.find("__init__")
        if init is None:
            return {}
        arguments = {a.arg for a in own_arguments(init)}
        stored = {}
        for node in ast.walk(init):
            if is_self_store(node):
                stored.setdefault(node.attr, []).append(node)
        plain = {}
        for s in init.body:
            if isinstance(s, ast.Assign) and len(s.targets) == 1 and is_self_store(s.targets[0]) and \
                    isinstance(s.value, ast.Name) and s.value.id in arguments:
                plain[s.targets[0].attr] = s.value.id
        reassigned = {n.id for n in ast.walk(init) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        return {a: plain[a] if a in plain and len(nodes) == 1 and plain[a] not in reassigned else "self_" + a
                for a, nodes in stored.items()}

    # ---- functions ------------------------------------------------------------------------------

    def function(self, name):
        """The method with __init__ before it."""
        method, init, names = self.find(name), self.find("__init__"), self.attributes()
        check_method(method)
        body, arguments, defaults = [], own_arguments(method), list(method.args.defaults)
        if init is not None:
            check_method(init)
            more = own_arguments(init)
            clash = {a.arg for a in arguments} & {a.arg for a in more}
            if clash:
                raise Refusal(method, "`%s` is an argument of __init__ and of `%s`" % (sorted(clash)[0], name), "rename one of them")
            body = [s for s in init.body if not is_plain(s, names)]
            defaults = [None] * (len(arguments) - len(defaults)) + defaults
            defaults += [None] * (len(more) - len(init.args.defaults)) + list(init.args.defaults)
            arguments = arguments + more
        rewriting = Rewriting(self, names)
        body = [rewriting.visit(copy.deepcopy(s)) for s in body + method.body if not is_docstring(s)]
        self.refuse_stores(method, names)
        function = ast.copy_location(ast.FunctionDef(self.node.name, ast.arguments([], arguments, None, [], [], None, defaults),
                                                     body, list(method.decorator_list)), method)
        function.init_arguments = [a.arg for a in own_arguments(init)] if init is not None else []
        function.method = name
        return ast.fix_missing_locations(function)

    def helper(self, name, place):
        """(name of a function, attributes that it is given)"""
        if name in self.helpers:
            if self.helpers[name] is None:
                raise Refusal(place, "recursion cannot be read", "write a loop")
            return self.helpers[name]
        self.helpers[name] = None
        method, names = self.find(name), self.attributes()
        static = any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in method.decorator_list)
        check_method(method, static)
        self.refuse_stores(method, names)
        rewriting = Rewriting(self, names)
        body = [rewriting.visit(copy.deepcopy(s)) for s in method.body]
        own = method.args.args if static else own_arguments(method)
        attributes = sorted(a for a in rewriting.read if names[a] not in {x.arg for x in own})
        extra = [ast.copy_location(ast.arg(names[a]), method) for a in attributes]
        defaults = list(method.args.defaults) + [None] * len(extra) if method.args.defaults else []
        full = "%s_%s" % (self.node.name, name)
        self.module.functions[full] = ast.fix_missing_locations(ast.copy_location(ast.FunctionDef(
            full, ast.arguments([], own + extra, None, [], [], None, defaults), body, []), method))
        self.helpers[name] = full, attributes
        return self.helpers[name]

    def refuse_stores(self, method, names):
        for node in ast.walk(method):
            if is_self_store(node):
                raise Refusal(node, "`self.%s` is changed outside of __init__" % node.attr, "use a variable of the method")


def is_self_store(node):
    return isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name) and \
        node.value.id == "self"


def is_plain(s, names):
    """`self.x = x`, which needs no statement."""
    return isinstance(s, ast.Assign) and len(s.targets) == 1 and is_self_store(s.targets[0]) and \
        isinstance(s.value, ast.Name) and names[s.targets[0].attr] == s.value.id


def is_super(s):
    """`super().__init__(...)`"""
    call = s.value if isinstance(s, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "__init__" and \
        isinstance(call.func.value, ast.Call) and isinstance(call.func.value.func, ast.Name) and \
        call.func.value.func.id == "super"


def is_dataclass(node):
    names = [dotted(d.func if isinstance(d, ast.Call) else d) or "" for d in node.decorator_list]
    return any(n.split(".")[-1] == "dataclass" for n in names)


def is_property(method):
    return any((dotted(d) or "").split(".")[-1] in ("property", "cached_property") for d in method.decorator_list)


def is_docstring(s):
    return isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant) and isinstance(s.value.value, str)


def own_arguments(method):
    return method.args.args[1:]


def check_method(method, static=False):
    a = method.args
    if a.vararg or a.kwarg or a.posonlyargs or a.kwonlyargs or not static and (not a.args or a.args[0].arg != "self"):
        raise Refusal(method, "a method has `self` and named arguments here", "arguments with * or / cannot be read")
