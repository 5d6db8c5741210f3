"""Mechanisms that are classes: parameters in __init__, the mechanism in m(a), __call__(data) or another method.

A method with a claim becomes one function: the statements of __init__, then those of the method, with
the arguments of both. `self.x` is the argument that __init__ stored there, or a variable. Other methods
that it calls become functions that are given the attributes they read.

Names: __init__, those above it and the method have scopes of their own in Python, and one in the function.
So their variables get names that occur nowhere in the file where they could be mistaken, and the arguments
of __init__, which the claim names, must not be read by the method as something else. A class whose parts
Python might find in another place than `lookup` is refused: see `check`.
"""

import ast
import builtins
import copy
import re

from .base import Refusal, dotted
from .class_names import (PURE, bindings, body_bindings, changed_names, check_method, first_attribute, identifiers, is_dataclass, is_docstring,
                          is_mangled, is_of_self, is_plain, is_self, is_self_store, is_super, may_be_part, names_in, own_arguments,
                          stored_names, words_of_file)
from .noise import GENERATORS, Substitution

ENTRIES = ("__call__", "m")
SPECIAL = {"__init__", "__call__", "__repr__", "__str__", "__eq__", "__hash__", "__len__", "__iter__", "__bool__", "__enter__", "__exit__"}
BASES = {"object", "abc.ABC", "typing.Protocol", "typing.Generic", "typing_extensions.Protocol"}
DECORATORS = {"couplet.private", "staticmethod", "property", "abc.abstractmethod", "typing.override", "typing_extensions.override", "typing.final"}
DYNAMIC = {"setattr", "delattr", "exec", "eval", "globals", "locals", "vars", "__dict__", "__setattr__", "__delattr__", "__bases__"}
NOT_IN_INIT = {ast.Return: "`return`", ast.Global: "`global`", ast.Nonlocal: "`nonlocal`", ast.Import: "an import", ast.ImportFrom: "an import",
               ast.Lambda: "a function", ast.FunctionDef: "a function", ast.AsyncFunctionDef: "a function", ast.ClassDef: "a class",
               ast.Yield: "`yield`", ast.YieldFrom: "`yield`", ast.Await: "`await`", ast.ExceptHandler: "`except`"}


class Rewriting(ast.NodeTransformer):
    """`self.x` becomes a name, `self.f(...)` a call of a function."""

    def __init__(self, owner, names):
        self.owner, self.names, self.read = owner, names, set()

    def visit_Name(self, node):
        if node.id in ("self", "super", "__class__"):
            raise Refusal(node, "`%s` alone cannot be read" % node.id,
                          "write `self.x`, `self.f(...)`, or `super().__init__(...)` as a statement of __init__")
        return node

    def visit_arg(self, node):
        if node.arg == "self":
            raise Refusal(node, "`self` of another function cannot be read", "rename the argument")
        return node

    def visit_Attribute(self, node):
        if not is_self(node.value):
            return self.generic_visit(node)
        if node.attr not in self.names and isinstance(node.ctx, ast.Load):
            constant, method = self.owner.constant(node.attr), self.owner.find(node.attr)
            if constant is not None:
                return ast.copy_location(copy.deepcopy(constant), node)
            if method is not None and self.owner.is_property(method):
                return self.call(ast.copy_location(ast.Call(node, [], []), node), node.attr)
        if node.attr not in self.names:
            raise Refusal(node, "`self.%s` is not set in __init__ of `%s`" % (node.attr, self.owner.node.name),
                          "set it there, once")
        self.read.add(node.attr)
        return ast.copy_location(ast.Name(self.names[node.attr], node.ctx), node)

    def visit_Call(self, node):
        if not (isinstance(node.func, ast.Attribute) and is_self(node.func.value)):
            return self.generic_visit(node)
        name = node.func.attr
        method = self.owner.find(name)
        if method is None and name in self.names:
            return self.generic_visit(node)
        if method is None or self.owner.is_property(method):
            raise Refusal(node, "`self.%s` is no method of `%s`" % (name, self.owner.node.name), "define it in the class, as a function")
        return self.call(node, name)

    def call(self, node, method):
        name, attributes = self.owner.helper(method, node)
        self.read |= set(attributes)
        extra = [ast.keyword(self.owner.inner_name(a), ast.copy_location(ast.Name(self.names[a], ast.Load()), node)) for a in attributes]
        node = ast.copy_location(ast.Call(ast.copy_location(ast.Name(name, ast.Load()), node.func), node.args,
                                          node.keywords + extra), node)
        return self.generic_visit(node)


class Renaming(ast.NodeTransformer):
    def __init__(self, names):
        self.names = names

    def visit_Name(self, node):
        return ast.copy_location(ast.Name(self.names.get(node.id, node.id), node.ctx), node)


class MechanismClass:
    SPECIAL, BASES = SPECIAL, BASES

    def __init__(self, module, node):
        self.module, self.node, self.helpers, self.inits, self.fields = module, node, {}, {}, None
        self.inner, self.checked, self.counts = {}, set(), None
        statics = [s.name for s in node.body if isinstance(s, ast.FunctionDef) and any(dotted(d) == "staticmethod" for d in s.decorator_list)]
        for s in node.body:  # the module lists them as functions
            if isinstance(s, ast.FunctionDef) and statics.count(s.name) and [n for n, _ in body_bindings(node)].count(s.name) > 1:
                raise Refusal(s, "`%s` is defined more than once in the class" % s.name, "keep one definition")

    # ---- names of the file ----------------------------------------------------------------------

    def bound(self, name):
        """How often the file binds the name, in any way and at any place."""
        if self.counts is None:
            self.counts = {}
            for n in bindings(self.module.tree):
                self.counts[n] = self.counts.get(n, 0) + 1
        return self.counts.get(name, 0) + self.counts.get("*", 0)

    def full_name(self, node):
        """`abc.ABC`, `property`: of an import or a builtin that nothing else of the file hides; or None."""
        name = dotted(node)
        if name is None:
            return None
        first, _, rest = name.partition(".")
        if first in self.module.imports:
            full = self.module.imports[first] + ("." + rest if rest else "")
            several = not full.startswith("couplet.") and self.bound(first) != 1
            return None if several else full
        return name if hasattr(builtins, first) and self.bound(first) == 0 else None

    def fresh(self, base):
        """A name that occurs nowhere in the file."""
        taken, n, name = words_of_file(self.module), 1, base
        while name in taken or name in self.module.words or hasattr(builtins, name):
            n += 1
            name = "%s_%d" % (base, n)
        self.module.words.add(name)
        return name

    def inner_name(self, attribute):
        """What stands for the attribute in methods that are called; for all but arguments in the others, too."""
        if attribute not in self.inner:
            self.inner[attribute] = self.fresh("self_" + attribute)
        return self.inner[attribute]

    # ---- where Python finds things --------------------------------------------------------------

    def line(self):
        """The class and those above it, of the same file, without interfaces: one after the other, so this is Python's order."""
        out, node = [], self.node
        while node is not None:
            if node in out:
                raise Refusal(node, "the class inherits from itself")
            out.append(node)
            node = self.base_of(node)
        return out

    def base_of(self, node):
        bases = [b.value if isinstance(b, ast.Subscript) else b for b in node.bases]
        bases = [b for b in bases if self.full_name(b) not in BASES]
        inner = [b for b in bases if isinstance(b, ast.Name) and b.id in self.module.classes and b.id not in self.module.imports and
                 self.bound(b.id) == 1]
        for b in bases:
            if b not in inner:
                self.module.interfaces.check(self, b)
        if inner and bases[0] not in inner:
            raise Refusal(bases[0], "the methods of this class, which do nothing, hide those of the next one", "write it behind `%s`" % inner[0].id)
        if len(inner) > 1:
            raise Refusal(inner[1], "a class inherits from one class here", "write one class")
        for k in node.keywords:
            if k.arg != "metaclass" or self.full_name(k.value) != "abc.ABCMeta":
                raise Refusal(k.value, "a metaclass can change everything", "write the class without it")
        return self.module.classes[inner[0].id].node if inner else None

    def lookup(self, name):
        """(class, statement) that binds the name first; or None."""
        self.check()
        for node in self.line():
            for bound, s in body_bindings(node):
                if bound == name:
                    self.check_unpatched(name, s)
                    return node, s
        return None

    def find(self, name):
        """The method, of the class or of one that it inherits from, of the same file."""
        self.check()
        if name == "__init__" and any(is_dataclass(node) for node in self.line()):
            if self.fields is None:
                self.fields = self.fields_init()
            return self.fields
        found = self.lookup(name)
        found = found[1] if found is not None and isinstance(found[1], ast.FunctionDef) else None
        return self.with_inits(found) if found is not None and name == "__init__" else found

    def constant(self, name):
        """A number in the body of the class that no __init__ sets; or None."""
        found = self.lookup(name)
        if found is None or isinstance(found[1], ast.FunctionDef) or is_dataclass(found[0]) or name.startswith("__"):
            return None
        if not self.is_number(found[1].value):
            raise Refusal(found[1].value, "only numbers can be constants of a class", "set it in __init__")
        return found[1].value

    def is_number(self, node, depth=0):
        """Has it one value, wherever it is read?"""
        if isinstance(node, ast.Constant):
            return True
        if isinstance(node, (ast.UnaryOp, ast.BinOp)):
            return all(self.is_number(x, depth) for x in ast.iter_child_nodes(node) if isinstance(x, ast.expr))
        if isinstance(node, ast.Name):
            return depth < 20 and node.id in self.module.constants and self.bound(node.id) == 1 and \
                self.is_number(self.module.constants[node.id], depth + 1)
        full = self.full_name(node.func if isinstance(node, ast.Call) else node) or ""
        if isinstance(node, ast.Call):
            return (full in GENERATORS or re.fullmatch(r"math\.\w+|numpy\.(sqrt|log|exp)|float|int", full) is not None) and \
                not node.keywords and all(self.is_number(x, depth) for x in node.args)
        return isinstance(node, ast.Attribute) and re.fullmatch(r"(math|numpy)\.\w+", full) is not None

    def is_property(self, method):
        return any(self.full_name(d) == "property" for d in method.decorator_list)

    # ---- what is refused ------------------------------------------------------------------------

    def check(self):
        """Refuses a class of which Python might make something else than what its text seems to say."""
        if self.node in self.checked:
            return
        line = self.line()
        for node in line:
            if self.bound(node.name) != 1:
                raise Refusal(node, "`%s` is defined more than once in the file" % node.name, "rename one of them")
            self.check_body(node)
            for d in node.decorator_list:
                self.check_class_decorator(d)
        for x in ast.walk(self.module.tree):
            name = x.id if isinstance(x, ast.Name) else x.attr if isinstance(x, ast.Attribute) else None
            if name in DYNAMIC:
                raise Refusal(x, "`%s` can change a class unseen" % name, "assign attributes in __init__, by their names")
        private = [x for node in line for x in ast.walk(node) if any(is_mangled(n) for n in identifiers(x))]
        for x in private:
            if len(line) > 1 or not isinstance(x, (ast.Attribute, ast.FunctionDef)):
                raise Refusal(x, "a name with two underscores before it is another one in every class", "use one underscore")
        prefix = "_%s__" % self.node.name.lstrip("_")
        for x in ast.walk(self.module.tree) if private else ():
            if isinstance(x, ast.Attribute) and x.attr.startswith(prefix):
                raise Refusal(x, "`%s` is a name with two underscores before it" % x.attr, "use one underscore")
        self.checked.add(self.node)
        if any(is_dataclass(node) for node in line):
            for node in line:
                for name, s in body_bindings(node):
                    if name == "__init__":
                        raise Refusal(s, "a dataclass has its own __init__", "write one without the other")

    def check_body(self, node):
        seen = set()
        for s in node.body:
            if not (is_docstring(s) or isinstance(s, (ast.Pass, ast.FunctionDef, ast.Assign, ast.AnnAssign)) or
                    isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)):
                raise Refusal(s, "the body of a class has methods and constants here", "move this out of the class")
            targets = s.targets if isinstance(s, ast.Assign) else [s.target] if isinstance(s, ast.AnnAssign) else []
            if len(targets) > 1 or any(not isinstance(t, ast.Name) for t in targets):
                raise Refusal(s, "the body of a class has methods and constants here", "assign one name")
            outside = [s] if not isinstance(s, ast.FunctionDef) else s.decorator_list + [d for d in s.args.defaults + s.args.kw_defaults if d]
            for x in outside:
                for y in ast.walk(x):
                    if isinstance(y, ast.NamedExpr):
                        raise Refusal(y, "`:=` cannot be read here", "assign it in a line of its own")
            names = [s.name] if isinstance(s, ast.FunctionDef) else [t.id for t in targets]
            for name in names:
                if name in seen:
                    raise Refusal(s, "`%s` is defined more than once in the class" % name, "keep one definition")
                seen.add(name)
                if name.startswith("__") and name.endswith("__") and name not in (SPECIAL if isinstance(s, ast.FunctionDef) else {"__slots__"}):
                    raise Refusal(s, "`%s` changes how the class works, and cannot be read" % name, "do it in __init__ or in the method")

    def check_class_decorator(self, d):
        call = d if isinstance(d, ast.Call) else None
        full = self.full_name(call.func if call else d)
        if full == "typing.final" and not call:
            return
        if full != "dataclasses.dataclass" or not (dotted(call.func if call else d) or "").endswith("dataclass"):
            raise Refusal(d, "a decorator can change the whole class", "only `dataclasses.dataclass` can be read")
        for k in call.keywords if call else ():
            if k.arg not in ("frozen", "slots", "order", "eq", "repr", "unsafe_hash", "kw_only", "match_args"):
                raise Refusal(k.value, "`%s` of a dataclass cannot be read" % k.arg, "write an __init__")

    def check_unpatched(self, name, s):
        """What the class has under this name is not replaced elsewhere."""
        for x in ast.walk(self.module.tree):
            if isinstance(x, ast.Attribute) and x.attr == name and not isinstance(x.ctx, ast.Load) and \
                    not any(is_dataclass(node) and s in node.body for node in self.line()):
                raise Refusal(x, "`%s` is a part of the class `%s`, and assigned here" % (name, self.node.name), "use another name")

    def check_decorators(self, method):
        for d in method.decorator_list:
            full = self.full_name(d.func if isinstance(d, ast.Call) else d)
            if full not in DECORATORS or isinstance(d, ast.Call) != (full == "couplet.private"):
                raise Refusal(d, "a decorator can change the whole method", "write the method without it" if full != "functools.cached_property"
                              else "write `property`")

    def check_defaults(self, method, numbers):
        own = {name for node in self.line() for name, _ in body_bindings(node)}
        for d in [d for d in method.args.defaults if d is not None]:
            if numbers and not self.is_number(d):
                raise Refusal(d, "the default of a method that is called is a number here", "pass it where the method is called")
            for x in ast.walk(d):
                if isinstance(x, ast.Name) and x.id in own:
                    raise Refusal(x, "`%s` belongs to the class" % x.id, "write a number")

    def check_init(self, init):
        """Its statements are to run before those of the method, all of them."""
        check_method(init)
        self.check_decorators(init)
        self.check_defaults(init, False)
        for s in init.body:
            for x in ast.walk(s):
                if type(x) in NOT_IN_INIT:
                    raise Refusal(x, "%s in __init__ cannot be read" % NOT_IN_INIT[type(x)], "use `if` and `else`, and functions of the file")
                if isinstance(x, ast.Name) and x.id in ("self", "__class__") and not isinstance(x.ctx, ast.Load):
                    raise Refusal(x, "`self` cannot be assigned")

    # ---- __init__ -------------------------------------------------------------------------------

    def fields_init(self):
        """The __init__ of a dataclass."""
        fields = [s for node in reversed(self.line()) if is_dataclass(node) for s in node.body if isinstance(s, ast.AnnAssign)]
        if not fields:
            return None
        named = {s.target.id: s for s in fields}
        arguments, defaults, body = [], [], []
        for name, s in named.items():
            here = lambda x: ast.fix_missing_locations(ast.copy_location(x, s))
            self.check_annotation(s.annotation)
            arguments.append(here(ast.arg(name, s.annotation)))
            default = s.value
            if isinstance(default, ast.Call) and self.full_name(default.func) == "dataclasses.field":  # field(default=...)
                for k in default.keywords:
                    if k.arg not in ("default", "repr", "compare", "hash", "kw_only", "metadata", "doc"):
                        raise Refusal(k.value, "`%s` of a field cannot be read" % k.arg, "write an __init__ without @dataclass")
                default = next((k.value for k in default.keywords if k.arg == "default"), None)
            if default is not None and not self.is_number(default):
                raise Refusal(default, "the default of a field is a number here", "write an __init__ without @dataclass")
            if default is not None:
                defaults.append(default)
            elif defaults:
                raise Refusal(s, "fields without a default are before those that have one", "reorder them")
            body.append(here(ast.Assign([ast.Attribute(ast.Name("self", ast.Load()), name, ast.Store())], ast.Name(name, ast.Load()))))
        return ast.copy_location(ast.FunctionDef("__init__", ast.arguments(
            [], [ast.copy_location(ast.arg("self"), self.node)] + arguments, None, [], [], None, defaults), body, []), self.node)

    def check_annotation(self, node):
        """ClassVar and InitVar are no fields."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                node = ast.parse(node.value, mode="eval").body
            except SyntaxError:
                pass
        for x in ast.walk(node):
            if isinstance(x, ast.Name) and not (x.id in self.module.classes and self.bound(x.id) == 1):
                root = (self.full_name(x) or "?").split(".")[0]
                if not hasattr(builtins, root) and root not in ("typing", "numpy", "random", "collections", "secrets", "numbers", "fractions"):
                    raise Refusal(node, "the type of this field is not known", "write float, int or bool")
            words = [str(getattr(x, f, "")) for f in ("id", "attr", "value")] + ([self.full_name(x) or ""] if isinstance(x, ast.Name) else [])
            if any(word in w for w in words for word in ("ClassVar", "InitVar", "KW_ONLY")):
                raise Refusal(node, "this is no field of a dataclass", "write an __init__ without @dataclass")

    def with_inits(self, init):
        """__init__ with that of the class above in the place of `super().__init__(...)`; its variables have names of their own."""
        if init not in self.inits:
            self.check_init(init)
            own = copy.deepcopy(init)
            arguments = {a.arg for a in init.args.args}
            inside = list(names_in(init))
            everywhere = list(names_in(self.module.tree))
            new = {n: self.fresh(n) for n in sorted(set(stored_names(init)) - arguments) if everywhere.count(n) != inside.count(n) or
                   hasattr(builtins, n)}
            body = []
            for s in own.body:
                s = Renaming(new).visit(s)
                body += self.above(init, s) if is_super(s) and self.bound("super") == 0 else [s]
            self.inits[init] = ast.copy_location(ast.FunctionDef("__init__", init.args, body, []), init)
            self.inits[init].free = {n for n in inside if n not in arguments} - set(stored_names(init))
        return self.inits[init]

    def above(self, init, s):
        above = self.init_after(init)
        if above is None:
            if s.value.args or s.value.keywords:
                raise Refusal(s, "there is no `__init__` above that takes arguments")
            return []
        merged = self.with_inits(above)
        names = [a.arg for a in own_arguments(above)]
        given = dict(zip(names, s.value.args))
        given.update({k.arg: k.value for k in s.value.keywords})
        defaults = above.args.defaults
        for name, d in zip(names[len(names) - len(defaults):], defaults):
            if d is None:
                continue
            if name not in given and not isinstance(d, ast.Constant):
                raise Refusal(s, "the default of `%s` is not a number" % name, "pass it")
            given.setdefault(name, d)
        if len(s.value.args) > len(names) or set(given) != set(names):
            raise Refusal(s, "the arguments do not fit `__init__` of the class above", "it has %s" % ", ".join(names))
        stored = set(stored_names(merged))
        for name, value in given.items():
            if name in stored or not isinstance(value, (ast.Name, ast.Constant)):
                raise Refusal(s, "the class above is given arguments and numbers as they are, not what is computed here",
                              "compute `%s` in the class above, or write one class" % name)
        hidden = self.free_above(above) & {a.arg for a in own_arguments(init)}
        if hidden:
            raise Refusal(init, "`%s` is an argument here, and a name of the file for the class above" % sorted(hidden)[0], "rename one of them")
        return [Substitution(given).visit(copy.deepcopy(x)) for x in merged.body]

    def init_after(self, init):
        line = self.line()
        at = next(i for i, node in enumerate(line) if init in node.body)
        return next((s for node in line[at + 1:] for s in node.body if isinstance(s, ast.FunctionDef) and s.name == "__init__"), None)

    def free_above(self, init):
        """Names of the file that this __init__ and those above it read."""
        out = set()
        while init is not None:
            out |= self.with_inits(init).free
            init = self.init_after(init)
        return out

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
        for a, nodes in stored.items():
            if a.startswith("__") and a.endswith("__"):
                raise Refusal(nodes[0], "`self.%s` cannot be assigned" % a, "use another name")
            found = self.lookup(a)
            if found is not None and not (is_dataclass(found[0]) and isinstance(found[1], ast.AnnAssign)):
                raise Refusal(nodes[0], "`%s` is a part of the class `%s`, and assigned here" % (a, self.node.name), "use another name")
        plain = {}
        for s in init.body:
            if isinstance(s, ast.Assign) and len(s.targets) == 1 and is_self_store(s.targets[0]) and \
                    isinstance(s.value, ast.Name) and s.value.id in arguments:
                plain[s.targets[0].attr] = s.value.id
        reassigned = set(stored_names(init))
        return {a: plain[a] if a in plain and len(nodes) == 1 and plain[a] not in reassigned else self.inner_name(a)
                for a, nodes in stored.items()}

    # ---- functions ------------------------------------------------------------------------------

    def function(self, name):
        """The method with __init__ before it."""
        method, init, names = self.find(name), self.find("__init__"), self.attributes()
        check_method(method)
        self.check_decorators(method)
        if any(self.full_name(d) in ("property", "staticmethod") for d in method.decorator_list):
            raise Refusal(method, "a claim is about a method with `self` that is called", "write the method without the other decorator")
        self.check_defaults(method, False)
        body, arguments, defaults, own = [], own_arguments(method), list(method.args.defaults), method.body
        if init is not None:
            more = own_arguments(init)
            clash = {a.arg for a in arguments} & {a.arg for a in more}
            if clash:
                raise Refusal(method, "`%s` is an argument of __init__ and of `%s`" % (sorted(clash)[0], name), "rename one of them")
            body = [s for s in init.body if not is_plain(s, names)]
            own = self.apart(method, {a.arg for a in more}, {x.id for s in init.body for x in ast.walk(s) if isinstance(x, ast.Name)} - {"self"})
            self.check_free(init, {a.arg for a in arguments})
            defaults = [None] * (len(arguments) - len(defaults)) + defaults
            defaults += [None] * (len(more) - len(init.args.defaults)) + list(init.args.defaults)
            arguments = arguments + more
        self.refuse_stores(method, names)
        rewriting = Rewriting(self, names)
        body = [rewriting.visit(copy.deepcopy(s)) for s in body + own if not is_docstring(s)]
        function = ast.copy_location(ast.FunctionDef(self.node.name, ast.arguments([], arguments, None, [], [], None, defaults),
                                                     body, list(method.decorator_list)), method)
        function.init_statements = sum(not is_docstring(s) for s in init.body if not is_plain(s, names)) if init is not None else 0
        function.init_arguments = [a.arg for a in own_arguments(init)] if init is not None else []
        function.method = name
        return ast.fix_missing_locations(function)

    def apart(self, method, arguments, names):
        """The statements of the method; its variables are none of the arguments of __init__ nor of the names that __init__ reads."""
        stored = set(stored_names(method))
        odd = set(bindings(ast.Module(method.body, []), names=False))
        for s in method.body:
            for x in ast.walk(s):
                for n in identifiers(x) if not isinstance(x, ast.Attribute) else ():
                    if n in arguments and n not in stored or n in odd and n in arguments | names:
                        raise Refusal(x, "`%s` is an argument of __init__, and something else here" % n if n in arguments else
                                      "`%s` is something else in __init__" % n, "rename one of them")
        new = {n: self.fresh(n) for n in sorted(stored & (arguments | names))}
        return [Renaming(new).visit(copy.deepcopy(s)) for s in method.body]

    def check_free(self, init, arguments):
        """Names of the file that __init__ reads are no arguments of the method."""
        for s in init.body:
            for x in ast.walk(s):
                if isinstance(x, ast.Name) and x.id in arguments:
                    raise Refusal(x, "`%s` is an argument of the method, and something else here" % x.id, "rename one of them")

    def helper(self, name, place):
        """(name of a function, attributes that it is given)"""
        if name in self.helpers:
            if self.helpers[name] is None:
                raise Refusal(place, "recursion cannot be read", "write a loop")
            return self.helpers[name]
        self.helpers[name] = None
        method = self.find(name)
        kept = self.attributes()
        names = {a: self.inner_name(a) for a in kept}
        static = any(self.full_name(d) == "staticmethod" for d in method.decorator_list)
        check_method(method, static)
        self.check_decorators(method)
        self.check_defaults(method, True)
        self.refuse_stores(method, kept)
        rewriting = Rewriting(self, {} if static else names)
        own = method.args.args if static else own_arguments(method)
        if any(a.arg == "self" for a in own) or static and any(is_self(x) for x in ast.walk(method)):
            raise Refusal(method, "`self` is the object here", "rename the argument")
        body = [rewriting.visit(copy.deepcopy(s)) for s in method.body]
        attributes = sorted(rewriting.read)
        extra = [ast.copy_location(ast.arg(names[a]), method) for a in attributes]
        defaults = list(method.args.defaults) + [None] * len(extra) if method.args.defaults else []
        full = self.fresh("%s_%s" % (self.node.name, name))
        self.module.functions[full] = ast.fix_missing_locations(ast.copy_location(ast.FunctionDef(
            full, ast.arguments([], own + extra, None, [], [], None, defaults), body, []), method))
        self.helpers[name] = full, attributes
        return self.helpers[name]

    def refuse_stores(self, method, names):
        """What is kept from one call to the next would make the second another mechanism."""
        for node in ast.walk(method):
            if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load) and is_of_self(node):
                raise Refusal(node, "`self.%s` is changed outside of __init__" % first_attribute(node), "use a variable of the method")
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and is_of_self(node.func.value) and \
                    not is_self(node.func.value) and node.func.attr not in PURE and \
                    node.func.attr not in {n.split(".")[-1] for n in self.module.noise}:
                raise Refusal(node, "`self.%s` may be changed by `%s`" % (first_attribute(node.func.value), node.func.attr),
                              "use a variable of the method")
        changed = changed_names(method)
        for node in ast.walk(method):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, (ast.AnnAssign, ast.NamedExpr, ast.For)) else []
            value = node.iter if isinstance(node, ast.For) else getattr(node, "value", None)
            bound = {x.id for t in targets for x in ast.walk(t) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}
            if value is not None and bound & changed and may_be_part(value):
                raise Refusal(node, "what `self` keeps would be changed through this variable", "copy it: `list(...)` or `np.array(...)`")
        numbers = self.kept_numbers(names)
        added = {x.target.id for x in ast.walk(method) if isinstance(x, ast.AugAssign) and isinstance(x.target, ast.Name)}
        for node in ast.walk(method):
            if isinstance(node, ast.Assign) and any(isinstance(x, ast.Name) and x.id in added for t in node.targets for x in ast.walk(t)) and \
                    may_be_part(node.value) and any(isinstance(x, ast.Attribute) and is_self(x.value) and x.attr in names and x.attr not in numbers
                                                    for x in ast.walk(node.value)):
                raise Refusal(node, "if this is an array, `+=` changes what `self` keeps", "write `a = a + b` instead of `a += b`")

    def kept_numbers(self, names):
        """Attributes that are arguments as they are, whose types are known later, or that are numbers for certain."""
        init = self.find("__init__")
        certain, other = set(), set()
        for s in ast.walk(init) if init is not None else ():
            if is_self_store(s):
                other.add(s.attr)
        single = {a for a in other if sum(is_self_store(s) and s.attr == a for s in ast.walk(init)) == 1}
        for s in init.body if init is not None else ():
            if isinstance(s, ast.Assign) and len(s.targets) == 1 and is_self_store(s.targets[0]) and \
                    (isinstance(s.value, ast.Constant) or is_plain(s, names) or
                     isinstance(s.value, ast.Call) and self.full_name(s.value.func) in ("float", "int", "len")):
                certain.add(s.targets[0].attr)
        return certain & single
