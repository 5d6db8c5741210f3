"""The exponential mechanism, as people write it: a choice with probabilities in proportion to exp(score).

    weights = np.exp(epsilon * scores / 2)
    return rng.choice(len(scores), p=weights / weights.sum())

The place of the largest of `score + Gumbel noise` has exactly this distribution, and that is how it is translated. Here the
scores are found behind the names that lead to the probabilities; if nothing else reads these names, their statements go.
`p=` of the choice then is the call SCORES(scores), and `random.choices(xs, weights=w)[0]` is a choice with such a p.
"""

import ast
import copy

from .base import dotted
from .class_names import identifiers
from .looks import mutated_names
from .noise import NUMPY, SECRETS, STANDARD
from .picks import SCORES

SAMES = {"numpy.array", "numpy.asarray", "list", "tuple"}          # of a list: the same numbers
EXPONENTIALS = {"numpy.exp", "math.exp"}
TOTALS = {"numpy.sum", "sum", "math.fsum"}
NORMS = {"numpy.linalg.norm"}
QUIET = {"abs", "float", "int", "len", "list", "max", "min", "range", "enumerate", "zip", "round", "sum", "tuple"}
QUIET_METHODS = {"max", "min", "sum", "mean", "copy", "tolist", "astype"}


class Finder:
    """The choices of one function."""

    def __init__(self, function, imports, functions):
        self.function, self.functions = function, functions
        nodes = list(ast.walk(function))
        own = {n for x in nodes if not isinstance(x, ast.Attribute) for n in identifiers(x) if not isinstance(x, ast.Name)} | {
            x.id for x in nodes if isinstance(x, ast.Name) and not isinstance(x.ctx, ast.Load)}
        self.imports = {n: full for n, full in imports.items() if n not in own}
        self.local = own
        self.stores = [x for x in nodes if isinstance(x, ast.Name) and not isinstance(x.ctx, ast.Load)]
        self.mutated = mutated_names(function.body)["all"]

    def full_name(self, node):
        first, _, rest = (dotted(node) or "").partition(".")
        if first in self.local:
            return ""
        return self.imports.get(first, first) + ("." + rest if rest else "")

    # ---- what a name stands for ------------------------------------------------------------------

    def definition(self, name, block, steps):
        """The expression behind a name that one statement before assigns, in the block or around it."""
        stores = [x for x in self.stores if x.id == name]
        for s in block:
            if isinstance(s, ast.Assign) and len(s.targets) == 1 and s.targets[0] in stores:
                again = [x for x in stores if x is not s.targets[0]]
                if not again and name not in self.mutated:
                    steps.append(s)
                    return s.value
        return None

    def divided(self, name, block, steps):
        """(w, t) of `p = w` and `p /= t`, which nothing else assigns."""
        stores = [x for x in self.stores if x.id == name]
        first = [s for s in block if isinstance(s, ast.Assign) and len(s.targets) == 1 and s.targets[0] in stores]
        then = [s for s in block if isinstance(s, ast.AugAssign) and isinstance(s.op, ast.Div) and s.target in stores]
        if len(stores) != 2 or len(first) != 1 or len(then) != 1 or first[0].lineno >= then[0].lineno:
            return None
        steps += [first[0], then[0]]
        return first[0].value, then[0].value

    def behind(self, node, block, steps):
        while isinstance(node, ast.Name):
            node = self.definition(node.id, block, steps)
        return node

    # ---- weights, totals, probabilities ----------------------------------------------------------

    def scores(self, node, block, steps):
        """e, if the value is exp(e), item by item."""
        node = self.behind(node, block, steps)
        if isinstance(node, ast.ListComp):
            call = node.elt
            if isinstance(call, ast.Call) and self.full_name(call.func) in EXPONENTIALS and len(call.args) == 1 and not call.keywords:
                return ast.copy_location(ast.ListComp(call.args[0], node.generators), node)
        if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
            name = self.full_name(node.func)
            return node.args[0] if name == "numpy.exp" else self.scores(node.args[0], block, steps) if name in SAMES else None
        return None

    def is_total_of(self, node, weights, block, steps):
        """The sum of the weights, as they are written."""
        same = lambda x: ast.dump(x) == ast.dump(weights)
        node = self.behind(node, block, steps)
        if not isinstance(node, ast.Call):
            return False
        if isinstance(node.func, ast.Attribute) and node.func.attr == "sum" and same(node.func.value):
            return not node.args and not node.keywords
        name = self.full_name(node.func)
        orders = [x for x in node.args[1:] + [k.value for k in node.keywords if k.arg == "ord"] if isinstance(x, ast.Constant) and x.value == 1]
        extra = len(node.args) + len(node.keywords) - 1
        return bool(node.args) and same(node.args[0]) and (name in TOTALS and not extra or name in NORMS and extra == len(orders) == 1)

    def probabilities(self, node, block, steps):
        """e, if the value is exp(e) divided by its sum."""
        divided = self.divided(node.id, block, steps) if isinstance(node, ast.Name) else None
        if divided is not None:
            return self.scores(divided[0], block, steps) if self.is_total_of(divided[1], node, block, steps) else None
        node = self.behind(node, block, steps)
        if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
            name = self.full_name(node.func)
            return node.args[0] if name == "scipy.special.softmax" else self.probabilities(node.args[0], block, steps) if name in SAMES else None
        weights, total = None, None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            weights, total = node.left, node.right
        elif isinstance(node, ast.ListComp) and len(node.generators) == 1 and not node.generators[0].ifs and isinstance(node.elt, ast.BinOp):
            part, e = node.generators[0], node.elt
            if isinstance(e.op, ast.Div) and isinstance(part.target, ast.Name) and isinstance(e.left, ast.Name) and e.left.id == part.target.id:
                weights, total = part.iter, e.right
        if weights is None or not self.is_total_of(total, weights, block, steps):
            return None
        return self.scores(weights, block, steps)

    # ---- may the scores be computed later? -------------------------------------------------------

    def is_quiet(self, node, seen=()):
        """No sample, nothing that changes anything."""
        for x in ast.walk(node):
            if isinstance(x, (ast.NamedExpr, ast.Yield, ast.Await, ast.Lambda)):
                return False
            if not isinstance(x, ast.Call):
                continue
            name = self.full_name(x.func)
            own = self.functions.get(name)
            if own is not None:
                if own in seen or not all(self.is_quiet(s, seen + (own,)) for s in own.body):
                    return False
            elif name.startswith(("numpy.", "math.")):
                if name.startswith("numpy.random."):
                    return False
            elif name not in QUIET and not (isinstance(x.func, ast.Attribute) and x.func.attr in QUIET_METHODS):
                return False
            if isinstance(x.func, ast.Attribute) and x.func.attr in {*NUMPY, *STANDARD, *SECRETS} - {"power"}:
                return False
        return True

    def is_steady(self, scores, first):
        """What the scores read is assigned before the statement only."""
        names = {x.id for x in ast.walk(scores) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Load)}
        after = [x for x in ast.walk(self.function) if getattr(x, "lineno", 0) >= first.lineno]
        later = {x.id for x in after if isinstance(x, ast.Name) and not isinstance(x.ctx, ast.Load)}
        inner = {x.id for g in ast.walk(scores) if isinstance(g, ast.comprehension) for x in ast.walk(g.target) if isinstance(x, ast.Name)}
        return not (names - inner) & (later | self.mutated)

    def unread_elsewhere(self, steps, use):
        """Only the steps and the choice read the names that the steps assign."""
        names = {s.target.id if isinstance(s, ast.AugAssign) else s.targets[0].id for s in steps}
        inside = {x for part in steps + [use] for x in ast.walk(part)}
        return not any(isinstance(x, ast.Name) and x.id in names and x not in inside for x in ast.walk(self.function))

    # ---- the function ----------------------------------------------------------------------------

    def choice(self, node):
        """(call, its argument with the probabilities or weights, how that is read); or None"""
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and node.slice.value == 0 and isinstance(node.value, ast.Call):
            call, given = node.value, {k.arg: k for k in node.value.keywords}
            one = "k" not in given or isinstance(given["k"].value, ast.Constant) and given["k"].value.value == 1
            if isinstance(call.func, ast.Attribute) and call.func.attr == "choices" and "weights" in given and one and \
                    len(call.args) == 1 and set(given) <= {"k", "weights"}:
                return call, given["weights"], self.scores
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "choice":
            given = [k for k in node.keywords if k.arg == "p"]
            return (node, given[0], self.probabilities) if given else None
        return None

    def find(self, block, around=()):
        for position, s in enumerate(list(block)):
            before = list(around) + [x for x in block[:block.index(s)]]
            for inner in [getattr(s, f, []) for f in ("body", "orelse")] if isinstance(s, (ast.If, ast.For, ast.While)) else []:
                self.find(inner, before)
            if not isinstance(s, (ast.If, ast.For, ast.While, ast.FunctionDef, ast.ClassDef)):
                self.take(s, before, block)

    def take(self, s, before, block):
        for node in list(ast.walk(s)):
            found = self.choice(node)
            if found is None:
                continue
            call, given, read = found
            steps = []
            scores = read(given.value, before, steps)
            steps = list(dict.fromkeys(steps))
            if scores is None or not self.is_quiet(scores) or not self.is_steady(scores, min(steps + [s], key=lambda x: x.lineno)) or \
                    not self.unread_elsewhere(steps, given.value) or any(not self.is_quiet(x.value) for x in steps):
                continue
            marked = ast.Call(ast.Name(SCORES, ast.Load()), [copy.deepcopy(scores)], [])
            given.value = ast.fix_missing_locations(ast.copy_location(marked, given.value))
            if node is not call:
                call.func.attr, given.arg = "choice", "p"
                call.keywords = [given]
                Replacing(node, call).visit(s)
            self.drop(steps)

    def drop(self, steps):
        """In whatever block they are."""
        for x in ast.walk(self.function):
            for f in ("body", "orelse"):
                block = getattr(x, f, None)
                if isinstance(block, list) and any(s in steps for s in block):
                    block[:] = [ast.copy_location(ast.Pass(), s) if s in steps else s for s in block]


class Replacing(ast.NodeTransformer):
    def __init__(self, old, new):
        self.old, self.new = old, new

    def visit(self, node):
        return self.new if node is self.old else super().visit(node)


def with_scores(tree, imports):
    """The tree with such choices."""
    functions = {s.name: s for s in tree.body if isinstance(s, ast.FunctionDef)}
    for s in tree.body:
        for function in [s] if isinstance(s, ast.FunctionDef) else s.body if isinstance(s, ast.ClassDef) else []:
            if isinstance(function, ast.FunctionDef) and not any(isinstance(x, (ast.Global, ast.Nonlocal)) for x in ast.walk(function)):
                Finder(function, imports, functions).find(function.body)
    return tree
