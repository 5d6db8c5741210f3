"""What a piece of code does, by its looks: what it assigns and changes, and where it jumps."""

import ast

from .base import dotted
from .batch import is_all

GROWING = ("append", "extend")
CONSUMERS = {"zip", "zip_longest", "enumerate", "sum", "list", "tuple", "sorted", "max", "min", "any", "all"}


def assigned_names(statements):
    """{name: number of places that assign it}; the targets of comprehensions are not variables."""
    found = {}

    def visit(node):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            return
        if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
            return
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id] = found.get(node.id, 0) + 1
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] = found.get(node.target.id, 0) + 1
        for child in ast.iter_child_nodes(node):
            visit(child)
    for s in statements:
        visit(s)
    return found


def mutated_names(statements):
    """Names of lists that are changed in place: all of them, and those that grow."""
    every, grown = set(), set()
    for s in statements:
        for node in ast.walk(s):
            if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for target in targets:
                    for sub in ast.walk(target):
                        if isinstance(sub, ast.Subscript) and isinstance(sub.value, ast.Name):
                            every.add(sub.value.id)
                if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                    every.add(node.target.id)
                    if isinstance(node.value, (ast.List, ast.ListComp)):
                        grown.add(node.target.id)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and \
                    isinstance(node.func.value, ast.Name) and node.func.attr in GROWING:
                every.add(node.func.value.id)
                grown.add(node.func.value.id)
    return {"all": every, "grown": grown}


def runs_over_once(function, name):
    """Does the function run over its argument once, and do nothing else with it?"""
    uses = []

    def visit(node, once):
        if isinstance(node, ast.Name) and node.id == name:
            uses.append(False)  # neither of the uses below
            return
        repeated = isinstance(node, (ast.While, ast.FunctionDef, ast.Lambda))
        first = node.iter if isinstance(node, ast.For) else node.generators[0].iter if isinstance(
            node, (ast.ListComp, ast.GeneratorExp)) else None
        taken = [first] if first is not None else node.args if isinstance(node, ast.Call) and isinstance(
            node.func, ast.Name) and node.func.id in CONSUMERS else []
        for x in taken:
            if isinstance(x, ast.Name) and x.id == name:
                uses.append(once)
            else:
                visit(x, once)
        for child in ast.iter_child_nodes(node):
            if child in taken:
                continue
            if isinstance(child, ast.comprehension):
                for x in [y for y in [child.iter] if y is not first] + child.ifs:
                    visit(x, False)
            else:
                visit(child, once and not repeated and first is None)
    for s in function.body:
        visit(s, True)
    return uses == [True]


def counted_names(function):
    """{list: constants}: lists that start empty and are only appended to and counted."""
    found, parents = {}, {}
    for node in ast.walk(function):
        for child in ast.iter_child_nodes(node):
            parents[child] = node
    bad = {a.arg for a in function.args.args}
    for node in ast.walk(function):
        if not isinstance(node, ast.Name):
            continue
        parent = parents[node]
        if isinstance(node.ctx, ast.Store):
            if not (isinstance(parent, ast.Assign) and len(parent.targets) == 1 and isinstance(parent.value, ast.List) and
                    not parent.value.elts):
                bad.add(node.id)
            continue
        call = parents.get(parent)
        is_method = isinstance(parent, ast.Attribute) and isinstance(call, ast.Call) and call.func is parent and \
            len(call.args) == 1 and not call.keywords
        if is_method and parent.attr == "append":
            continue
        if is_method and parent.attr == "count" and isinstance(call.args[0], ast.Constant) and \
                isinstance(call.args[0].value, (bool, int)):
            found.setdefault(node.id, set()).add(call.args[0].value)
            continue
        bad.add(node.id)
    return {n: v for n, v in found.items() if n not in bad}


def is_summand(name, node):
    """Is it a summand in this value, which is computed from left to right, once and always?"""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and name in (node.left, node.right):
        return True
    parts = node.args if isinstance(node, ast.Call) else [node.left, node.right] if isinstance(node, ast.BinOp) else \
        [node.operand] if isinstance(node, ast.UnaryOp) else []
    return any(is_summand(name, x) for x in parts)


def may_have_no_value(node):
    """Is an operation in it that fails for some operands?"""
    return any(isinstance(x, (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.Call)) for x in ast.walk(node))


def sets_item(target, name, index):
    """name[index] or name[:, index]"""
    if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name) or target.value.id != name:
        return False
    cut = target.slice
    if isinstance(cut, ast.Tuple) and len(cut.elts) == 2 and is_all(cut.elts[0]):
        cut = cut.elts[1]
    return isinstance(cut, ast.Name) and cut.id == index


def may_jump(s):
    """Does it have a break or continue of the loop around it?"""
    return any(jumps(x) for x in s.body + s.orelse)


def jumps(node):
    if isinstance(node, (ast.Break, ast.Continue)):
        return True
    if isinstance(node, ast.If):
        return any(jumps(x) for x in node.body + node.orelse)
    return False


def jumps_in(statements):
    """Can the end of a loop body be reached by a jump?"""
    return any(jumps(s) for s in statements)


def always_jumps(statements):
    for s in statements:
        if isinstance(s, (ast.Break, ast.Continue, ast.Return)):
            return True
        if isinstance(s, ast.If) and s.orelse and always_jumps(s.body) and always_jumps(s.orelse):
            return True
    return False


def breaks(loop):
    """Does a break leave this loop?"""
    def visit(node):
        if isinstance(node, ast.Break):
            return True
        if isinstance(node, (ast.For, ast.While, ast.FunctionDef)):
            return False
        return any(visit(child) for child in ast.iter_child_nodes(node))
    return any(visit(s) for s in loop.body)


def array_of_argument(function, name):
    """`q = np.asarray(q)`, the first statement that speaks of the argument: whatever is passed, an array is what counts."""
    for s in function.body:
        if any(isinstance(x, ast.Name) and x.id == name for x in ast.walk(s)):
            is_one = isinstance(s, ast.Assign) and len(s.targets) == 1 and isinstance(s.targets[0], ast.Name) and \
                s.targets[0].id == name and isinstance(s.value, ast.Call) and \
                (dotted(s.value.func) or "").split(".")[-1] in ("asarray", "array") and \
                [x.id for x in s.value.args if isinstance(x, ast.Name)] == [name] == [name for _ in s.value.args]
            return s if is_one else None
    return None
