"""Two names for one list.

Lists are values in the translation: two names for one list are read only if nobody changes it. Which names may be one
list is collected over all passes, whatever the order of the statements.
"""

import ast

from .base import Refusal, holds_list, is_plain_list, is_sequence

# Functions and methods whose result is a new list or array, or a number. Not among them: those that may return their
# argument or a view of it, such as asarray, ravel, and round (of ints).
NEW = {"list", "tuple", "sorted", "sum", "abs", "max", "min", "len", "int", "float", "bool", "any", "all", "pow", "couplet.declassify"} | {
    "numpy." + w for w in """array copy zeros ones full zeros_like ones_like arange clip minimum maximum where logical_and logical_or logical_not
    diff concatenate append cumsum dot inner sum mean max min amax amin argmax argmin any all prod count_nonzero sort tile sqrt exp log log2 log10
    abs absolute fabs floor ceil sign square add subtract multiply divide true_divide power mod floor_divide""".split()}
NEW_METHODS = set("copy tolist flatten astype clip cumsum dot sum mean max min argmax argmin any all item count".split())


class Aliases:
    def mutate(self, name, s):
        if name in self.by_name and name not in self.fresh:
            raise Refusal(s, "this changes the list of the caller", "copy it first: `%s = list(%s)`" % (name, name))

    def check_alias(self, name, node, t, s, alone=False):
        """`alone`: the name is all that gets the value."""
        if not holds_list(t):
            return
        found = self.__dict__.setdefault("aliases", set())
        for root in sorted(self.alias_roots(node)):
            if not self.may_hold_list(root) or root == name and root not in self.by_name:
                continue
            found.add((name, root))
            if not (alone and self.is_given_up(root, s)) and self.one_list(name) & self.mutated["all"]:
                what = "`%s` and `%s` are one list, and one of them is changed later" % (name, root) if root != name else \
                    "`%s` is still the list of the caller, and is changed later" % name
                raise Refusal(s, what, "copy it: `%s.copy()`, `list(%s)`" % (root, root))

    def may_hold_list(self, name):
        types = [self.types.get(name), self.by_name[name].type if name in self.by_name else None]
        return any(t is not None and holds_list(t) for t in types)

    def one_list(self, name):
        """The names that may be the same list as this one."""
        group, size = {name}, 0
        while len(group) > size:
            size = len(group)
            for pair in self.__dict__.setdefault("aliases", set()):
                if group & set(pair):
                    group |= set(pair)
        return group

    def alias_roots(self, node):
        """Names of lists that the value may be, or hold, or be a part of: all in it, unless it is known to be new."""
        if isinstance(node, (ast.Constant, ast.UnaryOp, ast.Compare, ast.ListComp, ast.GeneratorExp)):
            return set()
        if isinstance(node, ast.BinOp) and is_plain_list(self.peek(node).type):
            return set()
        if isinstance(node, ast.IfExp):
            return self.alias_roots(node.body) | self.alias_roots(node.orelse)
        if isinstance(node, (ast.Tuple, ast.List)):
            return {root for x in node.elts for root in self.alias_roots(x)}
        if isinstance(node, ast.Subscript):
            if not holds_list(self.peek(node).type):
                return set()
            if not isinstance(node.slice, (ast.Slice, ast.Tuple)) and is_sequence(self.peek(node.slice).type):
                return set()  # what a mask selects is copied
            return self.alias_roots(node.value)
        if isinstance(node, ast.Call):
            shared = self.__dict__.get("shared", {}).get(node)
            if shared is not None and self.own_function(node.func) is not None:
                return {root for x in shared.values() for root in self.alias_roots(x)}
            if self.is_new(node):
                return set()
        return self.names_in(node)

    def names_in(self, node):
        """With those that functions inside this one read."""
        names, todo = set(), [node]
        while todo:
            more = {x.id for x in ast.walk(todo.pop()) if isinstance(x, ast.Name)} - names
            names |= more
            todo += [self.nested[n] for n in more if n in self.nested]
        return names

    def is_new(self, node):
        """Does the call return a list that nobody else has?"""
        if self.own_function(node.func) is not None:
            return False
        if self.find_draw(node):
            return True
        if any(k.arg == "copy" and not (isinstance(k.value, ast.Constant) and k.value.value is True) for k in node.keywords):
            return False
        name = self.resolve(node.func)
        if name in ("list", "tuple", "sorted") and node.args and isinstance(node.args[0], (ast.Name, ast.Attribute, ast.Subscript)):
            return is_plain_list(self.peek(node.args[0]).type)
        return name in NEW or isinstance(node.func, ast.Attribute) and not self.is_of_a_module(node.func) and node.func.attr in NEW_METHODS

    def is_given_up(self, root, s):
        """Is a list of this function not looked at again behind the statement, so that it has one name as before?"""
        body = self.function.body
        if root in self.by_name or s not in body:
            return False
        later = body[body.index(s) + 1:] + [x for x in ast.walk(self.function) if isinstance(x, (ast.FunctionDef, ast.Lambda))
                                            and x is not self.function]
        return not any(isinstance(x, ast.Name) and x.id == root for part in later for x in ast.walk(part))

    # An array from np.empty() may hold anything: it is read where the next thing that happens to it is a loop that sets
    # all of its items.
