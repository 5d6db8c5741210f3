"""Noise: which calls are samples, and of which distribution.

A sum `x + rng.laplace(...)` is one sample around x, the form in which mechanisms are written and
proved; for scripted noise (docs/python.md) it is the same number.
"""

import ast
import copy
import re
from dataclasses import dataclass
from typing import Callable, Optional

from .base import (BOOL, BOTTOM, FIXED, INT, NONE, P_PRODUCT, P_SUM, REAL, RNG, Arr, E, Linear, Refusal, dotted, is_sample, is_sequence, taint,
                   type_words)
from .expr import RNG_PY, number
from .picks import Picks

RNG_SECRETS = "secrets"
GENERATORS = {"numpy.random.default_rng": RNG, "numpy.random.RandomState": RNG, "numpy.random.Generator": RNG,
              "numpy.random.mtrand.RandomState": RNG, "numpy.random.BitGenerator": RNG,
              "random.Random": RNG_PY, "random.SystemRandom": RNG_PY, "secrets.SystemRandom": RNG_PY}
ANNOTATIONS = dict(GENERATORS)
BIT_GENERATORS = {"numpy.random." + w for w in ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64")}

# names of arguments, of numpy and of the standard library
NUMPY = {"laplace": "loc scale size", "normal": "loc scale size", "standard_normal": "size", "exponential": "scale size",
         "standard_exponential": "size", "geometric": "p size", "gumbel": "loc scale size",
         "integers": "low high size dtype endpoint", "randint": "low high size dtype", "random": "size",
         "random_sample": "size", "rand": "size", "randn": "size", "uniform": "low high size", "binomial": "n p size",
         "choice": "a size replace p"}
STANDARD = {"random": "", "uniform": "a b", "gauss": "mu sigma", "normalvariate": "mu sigma", "expovariate": "lambd",
            "randint": "a b", "randrange": "start stop", "choice": "seq p", "getrandbits": "k"}
SECRETS = {"randbelow": "n", "randbits": "k", "choice": "seq"}
CENTRED = {"laplace", "normal", "gauss", "normalvariate", "exponential", "expovariate", "standard_normal",
           "standard_exponential", "randn", "gumbel"}
UNIT_UNIFORM = {"random", "random_sample", "rand"}
CONTINUOUS = ("Lap(", "Gauss(", "Exp(", "Gumbel(", "Uniform(")
CENTRED_DISTRIBUTIONS = {"Lap": REAL, "Gauss": REAL, "Exp": REAL, "DLap": INT, "DGauss": INT, "Geom": INT, "Gumbel": REAL}


@dataclass
class Draw:
    """A call that samples, found by its name alone."""
    node: ast.Call
    family: str   # "numpy", "random", "secrets" or "mapped"
    method: str


@dataclass
class Dist:
    length: Optional[Linear]   # None: one sample
    sample: Callable           # (target or None, index) -> E; emits
    batch: str = ""


class Substitution(ast.NodeTransformer):
    def __init__(self, given):
        self.given = given

    def visit_Name(self, node):
        return copy.deepcopy(self.given.get(node.id, node))


def plain_signature(function):
    """Arguments behind a `*` as the others; those of any number are refused."""
    a = function.args
    if a.vararg or a.kwarg or a.posonlyargs:
        raise Refusal(function, "arguments with * or / cannot be read", "name every argument")
    if a.kwonlyargs:
        a.args, a.defaults = a.args + a.kwonlyargs, list(a.defaults) + list(a.kw_defaults)
        a.kwonlyargs, a.kw_defaults = [], []
        if not any(d is not None for d in a.defaults):
            a.defaults = []


def is_length(node):
    """len(x)"""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len" and \
        len(node.args) == 1 and isinstance(node.args[0], ast.Name)


class Noise(Picks):
    # ---- recognition ----------------------------------------------------------------------------

    def find_draw(self, node):
        """The sampling that this call is, or None. Emits nothing."""
        if not isinstance(node, ast.Call):
            return None
        if isinstance(node.func, ast.Name) and node.func.id in self.noise_names:
            node = ast.copy_location(ast.Call(self.noise_names[node.func.id], node.args, node.keywords), node)
        name = self.resolve(node.func)
        if name in self.module.noise:
            return Draw(node, "mapped", name)
        if name and name.startswith("numpy.random.") and name not in GENERATORS:
            return self.known_draw(node, "numpy", name[len("numpy.random."):], NUMPY)
        if name and name.startswith("random.") and name not in GENERATORS:
            return self.known_draw(node, "random", name[7:], STANDARD)
        if name and name.startswith("secrets.") and name not in GENERATORS:
            return self.known_draw(node, "secrets", name[8:], SECRETS)
        if isinstance(node.func, ast.Attribute):
            kind = self.generator_kind(node.func.value)
            if kind:
                return self.known_draw(node, "numpy" if kind == RNG else "random", node.func.attr,
                                       NUMPY if kind == RNG else STANDARD)
        return None

    def name_noise(self, name, node, s):
        """`draw = rng.laplace`: from here on a call of `draw` is a call of that. Of one generator, and outside of what may not be executed."""
        if not isinstance(node, ast.Attribute):
            return False
        owner, _, method = (self.resolve(node) or "").rpartition(".")
        of_module = method in {"numpy.random": NUMPY, "random": STANDARD, "secrets": SECRETS}.get(owner, ())
        if not of_module and not (isinstance(node.value, ast.Name) and self.generator_kind(node.value)):
            return False
        others = [x for x in ast.walk(self.function) if isinstance(x, ast.Name) and not isinstance(x.ctx, ast.Load) and
                  isinstance(node.value, ast.Name) and x.id == node.value.id]
        changes = len(others) > 1 or others and node.value.id in self.by_name
        if changes or self.depth > 1 or self.loop_stack or name in self.by_name or name in self.types:
            raise Refusal(s, "which noise `%s` stands for is not clear here" % name, "call `%s(...)` where it is needed" % dotted(node))
        self.noise_names[name] = node
        return True

    def known_draw(self, node, family, method, table):
        if method in table:
            return Draw(node, family, method)
        if method == "seed":
            return None
        raise Refusal(node, "the noise `%s` cannot be read" % method, "of %s: %s" % (
            {"numpy": "numpy", "random": "random", "secrets": "secrets"}[family], ", ".join(sorted(table))))

    def generator_kind(self, node):
        if isinstance(node, ast.Name):
            t = self.bound_names[node.id].type if node.id in self.bound_names else self.types.get(node.id)
            if t is None and node.id not in self.assigned and node.id not in self.by_name:
                return self.kind_of_constant(node.id)
            return t if t in (RNG, RNG_PY) else None
        if isinstance(node, ast.Call) and self.resolve(node.func) in GENERATORS:
            self.check_seeds(node)
            return GENERATORS[self.resolve(node.func)]
        return None

    def kind_of_constant(self, name):
        """A generator that is made at the top of the file."""
        node = self.module.constants.get(name)
        if not isinstance(node, ast.Call) or self.resolve(node.func) not in GENERATORS:
            return None
        self.module.constant(self, name)
        return GENERATORS[self.resolve(node.func)]

    # ---- seeds ----------------------------------------------------------------------------------
    # Two generators with one seed draw the same noise, and so does a function that makes its generator from a seed, each
    # time that it is called. A seed may be an argument of the function with the claim, for one generator; or stand at the
    # top of the file, for one generator.

    def check_seeds(self, node):
        for seed in node.args + [k.value for k in node.keywords]:
            if isinstance(seed, ast.Call) and (self.resolve(seed.func) or "") in BIT_GENERATORS:
                self.check_seeds(seed)
            elif isinstance(seed, ast.Constant) and seed.value is None or isinstance(seed, ast.Name) and self.is_generator(seed):
                continue
            elif node in self.top_seeds() or self.is_given_seed(seed, node):
                if node not in self.top_seeds():
                    self.check_secret(seed)
                self.module.seeded.setdefault(self.mechanism_of(), set()).add(node)
                if len(self.module.seeded[self.mechanism_of()]) > 1 or self.loop_stack or self.open_indices or self.loops:
                    raise Refusal(seed, "two generators with seeds may draw the same noise", "use one generator, or no seed")
            else:
                raise Refusal(seed, "a seed makes the noise the same in every call", "make the generator without a seed, or pass it as an argument")

    def is_generator(self, node):
        known = self.bound_names[node.id].type if node.id in self.bound_names else self.types.get(node.id)
        return known in (RNG, RNG_PY, NONE) or node.id in self.by_name and self.by_name[node.id].type in (RNG, RNG_PY, NONE)

    def is_given_seed(self, seed, node):
        """An argument of the function with the claim, as it is; one of __init__ in __init__, which is not run again."""
        if not isinstance(seed, ast.Name) or not self.is_mechanism or seed.id in self.assigned or seed.id not in self.by_name:
            return False
        first = getattr(self.function, "init_statements", 0) if seed.id in getattr(self.function, "init_arguments", ()) else None
        return not self.by_name[seed.id].private and any(x is node for s in self.function.body[:first] for x in ast.walk(s))

    def check_secret(self, seed):
        """Who knows the seed knows the noise: nothing else may be made of it, and the claim may not tell it."""
        name = seed.id
        if self.by_name[name].type == FIXED:
            raise Refusal(seed, "the claim states this seed, and who knows it knows the noise", "leave it out of `fixed`")
        for x in self.module.other_uses_of_seed(self.function, name):
            raise Refusal(x, "`%s` is a seed: who learns something about it learns something about the noise" % name,
                          "use it to make the generator, and nowhere else")
        if self.module.is_told(self.claim, name):
            raise Refusal(seed, "the claim speaks of this seed, and who knows it knows the noise", "leave it out of the claim")

    def top_seeds(self):
        return {c for c in self.module.constants.values() if isinstance(c, ast.Call)}

    def mechanism_of(self):
        return self.outer[0] if self.outer else self

    def check_seeding(self, node):
        """np.random.seed(...), as a statement of a function"""
        if node.args or node.keywords:
            raise Refusal(node, "a seed makes the noise the same in every call", "set it where the function is called, or delete this line")

    def has_draw(self, node):
        """Might evaluating this sample? Calls of own functions count."""
        for sub in ast.walk(node):
            if isinstance(sub, ast.Call) and (self.find_draw(sub) or self.own_function(sub.func)):
                return True
        return False

    def as_draw(self, node):
        """The distribution of an expression that is a sample, or a sample around something."""
        node = self.written_out(node)
        if isinstance(node, ast.Compare):
            dist, negated = self.coins(node) if self.coin_of(node) else (None, False)
            return dist if dist is not None and dist.length is not None and not negated else None
        draw = self.find_draw(node)
        if draw:
            return self.distribution(draw, None)
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, (ast.Add, ast.Sub)):
            return None
        left, right = self.find_draw(self.written_out(node.left)), self.find_draw(self.written_out(node.right))
        draw, other = (left, node.right) if left else (right, node.left)
        if draw is None or (left and right) or (isinstance(node.op, ast.Sub) and not left):
            return None
        if not self.is_centred(draw) or self.has_draw(other):
            return None
        known = self.peek(other).type
        if draw.family == "numpy" and is_sequence(known) and not self.is_beside(draw, known):
            return None  # one sample for all items
        centre = self.expr(other)
        if isinstance(node.op, ast.Sub):
            zero = number(0)
            if is_sequence(centre.type):
                return None
            centre = self.binary(node, ast.Sub(), zero, centre)
        return self.distribution(draw, centre)

    def is_beside(self, draw, t):
        """Is there a sample for each item of an array of this type?"""
        if not self.has_size(draw) or not isinstance(t, Arr):
            return False
        dist = self.capture(lambda: self.distribution(draw, None))[0]
        return not (t.batch or dist.batch) or is_sample(t) == is_sample(Arr(REAL, dist.length, True, dist.batch))

    def written_out(self, node):
        """A call of a function that only draws, with simple arguments: the drawing itself."""
        if isinstance(node, ast.Name) and node.id in self.deferred:
            return self.deferred[node.id]
        function = self.own_function(node.func) if isinstance(node, ast.Call) else None
        if function is None or node.keywords and any(k.arg is None for k in node.keywords):
            return node
        plain_signature(function)
        names = [a.arg for a in function.args.args]
        if isinstance(node.func, ast.Name) and node.func.id in self.nested or not self.is_formula(function, names) or \
                not isinstance(function.body[-1].value, ast.Call):
            return node
        given = self.bind_arguments(node, names)
        defaults = dict(zip(names[len(names) - len(function.args.defaults):], function.args.defaults))
        for n in names:
            if n not in given and defaults.get(n) is not None:
                self.check_default(n, defaults[n])
        given = {n: given.get(n, defaults.get(n)) for n in names}
        if not all(isinstance(v, (ast.Name, ast.Constant)) or is_length(v) for v in given.values()):
            return node
        return Substitution(given).visit(copy.deepcopy(function.body[-1].value))

    def peek(self, node):
        return self.capture(lambda: self.expr(node))[0]

    def is_centred(self, draw):
        if draw.family == "mapped":
            return self.module.noise[draw.method]["draw"].split("(")[0].strip() in CENTRED_DISTRIBUTIONS
        return draw.method in CENTRED

    def has_size(self, draw):
        given = self.bind_arguments(draw.node, NUMPY[draw.method].split()) if draw.family == "numpy" else {}
        size = given.get("size")
        if size is not None and not (isinstance(size, ast.Constant) and size.value is None):
            return True
        return any(is_sequence(self.peek(given[x]).type) for x in ("loc", "scale", "p") if x in given)

    def coin_of(self, node):
        """(draw, p, is it true with probability p?) of `rng.random() < p`; or None."""
        if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
            return None
        sides = [node.left, node.comparators[0]]
        for i, d in enumerate(self.find_draw(s) for s in sides):
            if d and d.family != "mapped" and d.method in UNIT_UNIFORM:
                if self.has_draw(sides[1 - i]):
                    return None
                known = self.peek(sides[1 - i])
                if known.private or known.noisy or is_sequence(known.type):  # it may be no probability: the comparison says it all
                    return None
                return d, sides[1 - i], isinstance(node.ops[0], (ast.Lt, ast.LtE)) == (i == 0)
        return None

    def coins(self, node):
        """The distribution of such a comparison, of one or of as many as `rng.random(n) < p` has, and whether it is negated."""
        found = self.coin_of(node)
        if found is None:
            return None, False
        draw, p, below = found
        p = self.scalar(p, "a probability")
        if p.const is not None and not 0 <= p.const <= 1:
            raise Refusal(node, "the probability %s is not between 0 and 1" % p.const, "compare with a number between 0 and 1")
        given = self.bind_arguments(draw.node, NUMPY[draw.method].split()) if draw.family == "numpy" else {}
        return self.shaped_draw(self.size_of(given), lambda target, k: self.bernoulli(p, node, target)), not below

    def as_coin(self, node):
        """A comparison that is a coin, or an array of them."""
        dist, negated = self.coins(node)
        if dist is None:
            return None
        coin = self.draw(dist, node)
        return coin if not negated else self.map_one(node, coin, self.negate) if is_sequence(coin.type) else self.negate(coin)

    # ---- arguments ------------------------------------------------------------------------------

    def bind_arguments(self, node, names):
        """Nodes of arguments by name."""
        given = {}
        if len(node.args) > len(names) or any(isinstance(a, ast.Starred) for a in node.args):
            raise Refusal(node, "too many arguments" if names else "no argument is expected here")
        for name, value in zip(names, node.args):
            given[name] = value
        for keyword in node.keywords:
            if keyword.arg not in names:
                raise Refusal(keyword.value, "the argument `%s` cannot be read here" % keyword.arg)
            given[keyword.arg] = keyword.value
        return given

    def number_or(self, given, name, default):
        e = self.expr(given[name]) if name in given else number(default)
        if is_sequence(e.type):
            return self.stored(e, given[name]) if e.item is not None and e.parts is None else e
        self.want_scalar(e, given.get(name))
        return self.num(e)

    def size_of(self, given, *arrays):
        """(length, batch) of the samples; (None, ""): one."""
        node = given.get("size")
        shape = None
        if node is not None and not (isinstance(node, ast.Constant) and node.value is None):
            shape = self.shape_of(node)
        for e in arrays:
            if not is_sequence(e.type):
                continue
            if not isinstance(e.type, Arr) or shape is not None and (
                    e.type.length != shape[0] or e.type.batch not in ("", shape[1])):
                raise Refusal(given.get("size") or node, "the noise and the array may have different lengths")
            shape = shape or (e.type.length, e.type.batch)
        return shape or (None, "")

    def public(self, e):
        """Text for a scale or probability: private data there is meant, since the code says so."""
        hidden = e.private or self.under_private and e.const is None and e.linear is None
        return "declassify(%s)" % e.text if hidden else e.text

    # ---- distributions --------------------------------------------------------------------------

    def distribution(self, draw, centre):
        if draw.family == "mapped":
            return self.mapped(draw, centre)
        if draw.family == "numpy":
            return getattr(self, "numpy_" + draw.method)(draw.node, self.bind_arguments(draw.node, NUMPY[draw.method].split()), centre)
        table = STANDARD if draw.family == "random" else SECRETS
        return self.standard(draw, self.bind_arguments(draw.node, table[draw.method].split()), centre)

    def emit_sample(self, target, text, t, node, *sources):
        target = target or self.temp("noise", t)
        self.put("%s <$ %s;" % (target, text), node)
        self.count_draws += 1
        e = taint(E(target, t), *sources)
        e.noisy, e.smooth = True, text.startswith(CONTINUOUS)
        return e

    def located(self, node, word, loc, scale, centre, shape=(None, ""), t=REAL):
        """A distribution around loc + centre."""
        length, batch = shape
        if centre is not None:
            loc = centre if loc.const == 0 else self.binary(node, ast.Add(), centre, loc)
        if is_sequence(loc.type) and length is None:
            length, batch = loc.type.length, loc.type.batch
        if is_sequence(loc.type) and is_sample(loc.type):
            batch = "column" if "column" in (batch, loc.type.batch) else batch
        elif is_sequence(loc.type) and loc.type.batch:
            batch = loc.type.batch
        if is_sequence(loc.type) and loc.type.length != length:
            raise Refusal(node, "the noise and the array may have different lengths: %s and %s" % (
                length.text(), loc.type.length.text()))
        if scale.const is not None and scale.const < 0:
            raise Refusal(node, "the scale is negative")

        def sample(target, k):
            at = self.item(loc, k) if is_sequence(loc.type) else loc
            width = self.item(scale, k) if is_sequence(scale.type) else scale
            self.may_fail(width)
            at = self.num(at)
            if width.const == 0:  # numpy: no noise at all
                target = target or self.temp("noise", t)
                self.put("%s := %s;" % (target, at.text), node)
                return taint(E(target, t), at)
            return self.emit_sample(target, "%s(%s, %s)" % (word, at.text, self.public(width)), t, node, at, width)
        return Dist(length, sample, batch)

    def numpy_laplace(self, node, given, centre):
        loc, scale = self.number_or(given, "loc", 0), self.number_or(given, "scale", 1)
        return self.located(node, "Lap", loc, scale, centre, self.size_of(given, loc, scale))

    def numpy_normal(self, node, given, centre):
        loc, scale = self.number_or(given, "loc", 0), self.number_or(given, "scale", 1)
        return self.located(node, "Gauss", loc, scale, centre, self.size_of(given, loc, scale))

    def numpy_standard_normal(self, node, given, centre):
        return self.located(node, "Gauss", number(0), number(1), centre, self.size_of(given))

    numpy_randn = numpy_standard_normal

    def numpy_exponential(self, node, given, centre):
        scale = self.number_or(given, "scale", 1)
        return self.located(node, "Exp", number(0), scale, centre, self.size_of(given, scale))

    def numpy_standard_exponential(self, node, given, centre):
        return self.located(node, "Exp", number(0), number(1), centre, self.size_of(given))

    def numpy_geometric(self, node, given, centre):
        if "p" not in given:
            raise Refusal(node, "geometric() needs its probability")
        scale = self.decay(given["p"])
        return self.located(node, "Geom", number(1), scale, centre, self.size_of(given, scale), INT)

    def decay(self, node):
        """p = 1 - exp(-1/b) gives b."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and isinstance(node.right, ast.Call) and \
                self.resolve(node.right.func) in ("math.exp", "numpy.exp") and len(node.right.args) == 1 and \
                isinstance(node.left, ast.Constant) and node.left.value == 1:
            power = node.right.args[0]
            if isinstance(power, ast.UnaryOp) and isinstance(power.op, ast.USub):
                e = self.scalar(power.operand)
                return taint(E("1/%s" % e.at(P_PRODUCT + 1), REAL, P_PRODUCT), e)
            e = self.scalar(power)
            return taint(E("-1/%s" % e.at(P_PRODUCT + 1), REAL, P_PRODUCT), e)
        p = self.scalar(node)
        return taint(E("-1/ln(1 - %s)" % p.at(P_PRODUCT), REAL, P_PRODUCT), p)

    def numpy_gumbel(self, node, given, centre):
        loc, scale = self.number_or(given, "loc", 0), self.number_or(given, "scale", 1)
        return self.located(node, "Gumbel", loc, scale, centre, self.size_of(given, loc, scale))

    def numpy_random(self, node, given, centre):
        return self.shaped_draw(self.size_of(given), lambda target, k: self.emit_sample(target, "Uniform(0, 1)", REAL, node))

    def shaped_draw(self, shape, sample):
        return Dist(shape[0], sample, shape[1])

    numpy_random_sample = numpy_rand = numpy_random

    def numpy_uniform(self, node, given, centre):
        low, high = self.number_or(given, "low", 0), self.number_or(given, "high", 1)
        return self.uniform(node, low, high, self.size_of(given, low, high))

    def uniform(self, node, low, high, shape=(None, "")):
        at = lambda e, k: self.item(e, k) if is_sequence(e.type) else e
        return self.shaped_draw(shape, lambda target, k: self.emit_sample(
            target, "Uniform(%s, %s)" % (self.public(at(low, k)), self.public(at(high, k))), REAL, node, low, high))

    def numpy_integers(self, node, given, centre):
        if "dtype" in given and self.resolve(given["dtype"]) not in ("int", "numpy.int64", "numpy.int32"):
            raise Refusal(given["dtype"], "of types of random integers only int can be read", "write `dtype=int`")
        endpoint = self.yes_or_no(given["endpoint"], "endpoint") if "endpoint" in given else False
        low, high = self.scalar(given["low"]) if "low" in given else number(0), None
        if "high" in given and not (isinstance(given["high"], ast.Constant) and given["high"].value is None):
            high = self.scalar(given["high"])
        if high is None:
            low, high = number(0), low
        return self.integers(node, low, high if endpoint else self.minus_one(node, high), self.size_of(given))

    def numpy_randint(self, node, given, centre):
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        if isinstance(owner, ast.Name) and owner.id in self.by_name and self.mechanism_of().claim.unstated:
            raise Refusal(node, "the last number of `randint` is never drawn by numpy's generators, and may be by those of `random`",
                          "annotate the generator: `%s: np.random.RandomState` or `%s: random.Random`" % (owner.id, owner.id))
        return self.numpy_integers(node, given, centre)

    def integers(self, node, low, high, shape=(None, "")):
        for e in (low, high):
            if e.type not in (INT, BOTTOM):
                raise Refusal(node, "the bounds must be ints, not %s" % type_words(e.type))
        self.may_fail(low, high)
        if high.linear and not high.linear.terms:
            high = number(high.linear.constant)

        def sample(target, k):
            e = self.emit_sample(target, "UniformInt(%s, %s)" % (self.public(low), self.public(high)), INT, node, low, high)
            e.nonneg = low.nonneg
            return e
        return self.shaped_draw(shape, sample)

    def minus_one(self, node, e):
        return self.binary(node, ast.Sub(), e, number(1))

    def bernoulli(self, p, node, target):
        self.may_fail(p)
        return self.emit_sample(target or self.temp("coin", BOOL), "Bernoulli(%s)" % self.public(p), BOOL, node, p)

    def numpy_binomial(self, node, given, centre):
        if "n" not in given or "p" not in given:
            raise Refusal(node, "binomial() needs n and p")
        n, p = self.scalar(given["n"]), self.number_or(given, "p", 0)
        if n.type not in (INT, BOTTOM):
            raise Refusal(given["n"], "n must be an int")
        if not n.nonneg:
            self.must_hold("%s >= 0" % n.at(P_SUM), node, n)

        def sample(target, k):
            at = self.item(p, k) if is_sequence(p.type) else p
            target = target or self.temp("count", INT)
            if n.const == 1:
                coin = self.bernoulli(at, node, None)
                self.put("%s := if %s then 1 else 0;" % (target, coin.text), node)
                return taint(E(target, INT, nonneg=True), coin)
            total, index = self.temp("heads", INT), self.index_name()
            self.put("%s := 0;" % total, node)
            self.put("for %s in 0..%s {" % (index, self.public(n)), node)
            coin = self.bernoulli(at, node, None)
            self.put("if %s {" % coin.text, node)
            self.put("%s := %s + 1;" % (total, total), node)
            self.put("}", node)
            self.put("}", node)
            self.free_index(index)
            self.put("%s := %s;" % (target, total), node)
            return E(target, INT, nonneg=True)
        return self.shaped_draw(self.size_of(given, p), sample)

    def yes_or_no(self, node, name):
        """An option that is True or False in the text."""
        value = self.expr(node).const
        if not isinstance(value, bool):
            raise Refusal(node, "`%s` must be True or False here" % name, "write the constant")
        return value

    def standard(self, draw, given, centre):
        node, get = draw.node, lambda name, default=None: self.number_or(given, name, default)
        if draw.method == "random":
            return self.numpy_random(node, {}, centre)
        if draw.method == "uniform":
            return self.uniform(node, get("a"), get("b"))
        if draw.method in ("gauss", "normalvariate"):
            return self.located(node, "Gauss", get("mu", 0), get("sigma", 1), centre)
        if draw.method == "expovariate":
            rate = get("lambd", 1)
            return self.located(node, "Exp", number(0), self.binary(node, ast.Div(), number(1), rate), centre)
        if draw.method == "randint":
            return self.integers(node, get("a"), get("b"))
        if draw.method == "randrange":
            low = get("start")
            if "stop" not in given:
                return self.integers(node, number(0), self.minus_one(node, low))
            return self.integers(node, low, self.minus_one(node, get("stop")))
        if draw.method == "randbelow":
            return self.integers(node, number(0), self.minus_one(node, get("n")))
        if draw.method in ("getrandbits", "randbits"):
            bits = get("k").const
            if not isinstance(bits, int) or not 1 <= bits <= 64:
                raise Refusal(node, "the number of bits must be a constant from 1 to 64")
            return self.integers(node, number(0), number(2 ** bits - 1))
        a = self.population(given["seq"])
        if not self.is_range(given["seq"]):
            self.want_sequence(a, node)
        a = a if a.parts is not None or not is_sequence(a.type) else self.stored(a, node)
        pick = self.picking(node, given["p"]) if "p" in given else None  # of random.choices
        return Dist(None, lambda target, k: self.choose(node, a, pick, target))

    def mapped(self, draw, centre):
        """A library's own noise, as the sidecar describes it: the distribution over its arguments."""
        entry = self.module.noise[draw.method]
        given = self.bind_arguments(draw.node, entry["args"])
        word, _, inner = entry["draw"].partition("(")
        word, inner = word.strip(), inner.rsplit(")", 1)[0]
        values = {}
        for name in entry["args"]:
            if name in given:
                values[name] = self.scalar(given[name])
            elif name in entry.get("defaults", {}):
                values[name] = number(entry["defaults"][name])
        def text_of(match):
            if match.group(0) not in values:
                return match.group(0)
            return values[match.group(0)].at(14)
        parts = [p.strip() for p in inner.split(",")]
        unset = [n for n in entry["args"] if n not in values and re.search(r"\b%s\b" % re.escape(n), inner)]
        if unset:
            raise Refusal(draw.node, "the argument `%s` is missing" % unset[0])
        parts = [re.sub(r"[A-Za-z_]\w*", text_of, p) for p in parts]
        t = CENTRED_DISTRIBUTIONS.get(word, {"Bernoulli": BOOL, "UniformInt": INT}.get(word, REAL))
        if centre is not None:
            self.want_scalar(centre, draw.node)
            parts[0] = centre.text if parts[0] == "0" else "%s + (%s)" % (centre.at(P_SUM), parts[0])
        sources = list(values.values()) + ([centre] if centre is not None else [])
        return Dist(None, lambda target, k: self.emit_sample(target, "%s(%s)" % (word, ", ".join(parts)), t, draw.node, *sources))

    # ---- sampling -------------------------------------------------------------------------------

    def draw(self, dist, node, target=None):
        """One sample, or an array of them, in `target` if that is given."""
        if dist.length is None:
            return dist.sample(target, None)
        key = "draw %d %d" % (node.lineno, node.col_offset)
        t = Arr(self.temp_types.get(key, BOTTOM), dist.length, True, dist.batch)
        if is_sample(t):
            e = dist.sample(target, "0")
            self.learn(key, e.type, node)
            return taint(E(e.text, Arr(e.type, t.length, True, t.batch)), e)
        name = target or self.temp("noise", t)
        if dist.length == Linear({}, 1):
            e = dist.sample("%s[0]" % name, "0")
            self.learn(key, e.type, node)
            return taint(E(name, Arr(self.temp_types[key], dist.length, True, dist.batch)), e)
        k = self.index_name()
        self.put("for %s in 0..%s {" % (k, dist.length.text()), node)
        e = dist.sample("%s[%s]" % (name, k), k)
        self.put("}", node)
        self.free_index(k)
        self.learn(key, e.type, node)
        return taint(E(name, Arr(self.temp_types[key], dist.length, True, dist.batch)), e)
