"""Choices: rng.choice and its relatives, from lists or below a number, with or without probabilities."""

import ast

from .base import BOOL, BOTTOM, INT, P_PRODUCT, P_SUM, REAL, SCALARS, Arr, E, Linear, Refusal, implied, is_decided, is_sequence, taint

SCORES = "scores of\u00b7"  # a function by which probabilities are given (choices.py)
FEW = 20  # probabilities whose sum is written out


def scores_of(node):
    """Of `p=` where the reader found the scores of an exponential mechanism; or None."""
    return node.args[0] if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == SCORES else None


def names_in(node):
    return {x.id for x in ast.walk(node) if isinstance(x, ast.Name)}


class Picks:
    def numpy_choice(self, node, given, centre):
        if "replace" in given and not self.yes_or_no(given["replace"], "replace"):
            raise Refusal(given["replace"], "a choice without replacement cannot be read")
        a = self.population(given["a"])
        pick = None
        if "p" in given and not (isinstance(given["p"], ast.Constant) and given["p"].value is None):
            pick = self.picking(node, given["p"])
        if is_sequence(a.type) and a.parts is None and not self.is_public_row(a):
            a = self.stored(a, given["a"])
        return self.shaped_draw(self.size_of(given), lambda target, k: self.choose(node, a, pick, target))

    def population(self, node):
        """What a choice is made from: numbers below an int (`range(n)`, too), or a list."""
        if not self.is_range(node):
            return self.expr(node)
        if len(node.args) == 1 and not node.keywords:
            return self.scalar(node.args[0])
        return self.b_list(ast.copy_location(ast.Call(node.func, [node], []), node))

    def is_range(self, node):
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and self.resolve(node.func) == "range"

    def picking(self, node, p):
        """What draws a position with these probabilities."""
        scores = scores_of(p)
        weights = self.want_sequence(self.expr(p if scores is None else self.without_shift(scores)), p)
        weights = self.stored(weights, p) if weights.parts else weights
        items = weights = self.as_array(p, weights)
        weights = self.stored(weights, p)
        if scores is None:
            self.check_probabilities(node, p, items if items.item and self.is_short_row(items) else weights)
        return lambda: self.weighted(node, weights) if scores is None else self.strongest(node, weights)

    def choose(self, node, a, pick, target):
        count = self.length(a) if is_sequence(a.type) else a
        if count.type not in (INT, BOTTOM):
            raise Refusal(node, "a choice is made from a list or below an int")
        if pick is None:
            last = self.minus_one(node, count)
            text = last.linear.text() if last.linear else self.public(last)
            index = self.emit_sample(None if is_sequence(a.type) else target, "UniformInt(0, %s)" % text, INT, node, last)
        else:
            index = pick()
        index.nonneg = True
        if not is_sequence(a.type):
            if target and index.text != target:
                self.put("%s := %s;" % (target, index.text), node)
            return index
        if a.parts is not None:
            a = self.stored(E("", a.type, item=a.item, parts=None), node) if len(a.parts) else a
        item = self.item(a, index.text)
        target = target or self.temp("chosen", item.type)
        self.put("%s := %s;" % (target, item.text), node)
        out = taint(E(target, item.type), item, index)
        return out

    def must_hold(self, condition, node, *operands):
        """Otherwise numpy raises an exception. If data or noise decide about it, it must be shown: a division in the translation says so."""
        if any(is_decided(e) or self.is_decided_text(e.text) for e in operands):
            self.may_fail(*operands)
            possible = self.temp("possible", REAL)
            self.put("%s := 1;" % possible, node)
            self.put("%s := %s/(if %s then 1 else 0);" % (possible, possible, condition), node)

    def check_probabilities(self, node, p, weights):
        """None is negative, and their sum is 1."""
        if not is_decided(weights) and not self.is_decided_text(weights.text):
            return
        found = self.all_but_one(p)
        if found is not None:
            others, one, count = found
            return self.must_hold("%s*(%s) + %s = 1 and %s >= 0 and %s >= 0" % (
                others.at(P_PRODUCT), (count - Linear({}, 1)).text(), one.at(P_PRODUCT), others.at(P_SUM), one.at(P_SUM)), node, weights)
        count = weights.type.length
        if not count.terms and 1 <= count.constant <= FEW:  # written out, it is shown more easily
            ones = [self.num(self.item(weights, str(k))) for k in range(count.constant)]
            tests = ["%s = 1" % " + ".join(e.at(P_PRODUCT) for e in ones)] + ["%s >= 0" % e.at(P_SUM) for e in ones]
            return self.must_hold(" and ".join(tests), node, weights)
        total, valid, k = self.temp("total", REAL), self.temp("valid", BOOL), self.index_name()
        self.put("%s := 0;" % total, node)
        self.put("%s := true;" % valid, node)
        self.put("for %s in 0..%s {" % (k, count.text()), node)
        one = self.num(self.item(weights, k))
        self.put("%s := %s + %s;" % (total, total, one.at(P_PRODUCT)), node)
        self.put("%s := %s and %s >= 0;" % (valid, valid, one.at(P_SUM)), node)
        self.put("}", node)
        self.free_index(k)
        self.must_hold("%s and %s = 1" % (valid, total), node, weights)

    def all_but_one(self, p):
        """(v, e, n) of `p = np.full(n, v)`, then `p[i] = e`, and nothing else that changes p: responses to one of n values."""
        body = self.function.body
        if not isinstance(p, ast.Name) or self.assigned.get(p.id) != 1:
            return None
        stores = [x for x in ast.walk(self.function) if isinstance(x, ast.Subscript) and not isinstance(x.ctx, ast.Load) and
                  isinstance(x.value, ast.Name) and x.value.id == p.id]
        made = [s for s in body if isinstance(s, ast.Assign) and len(s.targets) == 1 and isinstance(s.targets[0], ast.Name) and s.targets[0].id == p.id]
        changed = [s for s in body if isinstance(s, ast.Assign) and s.targets == stores and len(stores) == 1]
        if len(made) != 1 or len(changed) != 1 or body.index(made[0]) > body.index(changed[0]):
            return None
        call, index = made[0].value, stores[0].slice
        if not isinstance(call, ast.Call) or self.resolve(call.func) != "numpy.full" or len(call.args) != 2 or call.keywords or \
                isinstance(index, (ast.Slice, ast.Tuple)) or self.peek(index).type != INT:
            return None
        others, one = self.expr(call.args[1]), self.expr(changed[0].value)
        fixed = all(self.is_public_formula(e, x) for e, x in ((others, call.args[1]), (one, changed[0].value)))
        return (others, one, self.types[p.id].length) if fixed and isinstance(self.types.get(p.id), Arr) else None

    def weighted(self, node, weights):
        """The first item whose weights so far exceed a number below 1; the last one takes what is left."""
        u = self.emit_sample(None, "Uniform(0, 1)", REAL, node)
        total, index = self.temp("reached", REAL), self.temp("index", INT)
        self.put("%s := 0;" % total, node)
        self.put("%s := 0;" % index, node)
        last, k = self.minus_one(node, self.length(weights)), self.index_name()
        self.put("for %s in 0..%s {" % (k, last.linear.text() if last.linear else self.public(last)), node)
        self.put("%s := %s + %s;" % (total, total, self.item(weights, k).text), node)
        self.put("if %s >= %s {" % (u.text, total), node)
        self.put("%s := %s + 1;" % (index, index), node)
        self.put("}", node)
        self.put("}", node)
        self.free_index(k)
        return implied(E(index, INT), weights)

    def strongest(self, node, scores):
        """The place of the largest score with Gumbel noise: each has a probability in proportion to exp(score)."""
        best, index, k = self.temp("best", REAL), self.temp("index", INT), self.index_name()
        self.put("%s := 0;" % best, node)
        self.put("%s := 0;" % index, node)
        self.put("for %s in 0..%s {" % (k, scores.type.length.text()), node)
        score = self.num(self.item(scores, k))
        noisy = self.emit_sample(None, "Gumbel(%s, 1)" % score.text, REAL, node, score)
        self.put("if %s = 0 or %s > %s {" % (k, noisy.text, best), node)
        self.put("%s := %s;" % (best, noisy.text), node)
        self.put("%s := %s;" % (index, k), node)
        self.put("}", node)
        self.put("}", node)
        self.free_index(k)
        return implied(E(index, INT), noisy)

    def without_shift(self, node, inner=None):
        """Scores without what is added to all of them, such as the largest one: it does not change the probabilities. `inner`: the
        variables of the comprehension that makes them."""
        same = lambda x: not self.has_draw(x) and not (inner or set()) & names_in(x) and self.peek(x).type in SCALARS
        if isinstance(node, ast.ListComp) and inner is None:
            bound = {x.id for g in node.generators for x in ast.walk(g.target) if isinstance(x, ast.Name)}
            return ast.copy_location(ast.ListComp(self.without_shift(node.elt, bound), node.generators), node)
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div)):
            return node
        left, right = same(node.left), same(node.right)
        if left == right or left and isinstance(node.op, ast.Div):
            return node
        rest = self.without_shift(node.right if left else node.left, inner)
        if isinstance(node.op, (ast.Mult, ast.Div)):
            return ast.copy_location(ast.BinOp(*((node.left, node.op, rest) if left else (rest, node.op, node.right))), node)
        if left and isinstance(node.op, ast.Sub):
            return ast.copy_location(ast.UnaryOp(ast.USub(), rest), node)
        return rest
