"""Where claims come from: decorators, the TOML file beside the source, the command line."""

import ast
import difflib
import re

from .base import Refusal, dotted
from .quantifiers import quantified
from .records import assembled, flat_text, flattened

COSTS = ("zcdp", "gaussian", "renyi", "epsilon", "delta")
KEYS = {*COSTS, "fixed", "adjacent", "requires", "types", "private", "name", "function"}


# What a claim may say, and its words in the language; `renyi` is the order.
NOTIONS = {frozenset(words): form for words, form in (
    (("epsilon",), "epsilon %(epsilon)s"), (("epsilon", "delta"), "epsilon %(epsilon)s delta %(delta)s"),
    (("zcdp",), "zcdp %(zcdp)s"), (("gaussian",), "gaussian %(gaussian)s"),
    (("renyi", "epsilon"), "renyi %(renyi)s epsilon %(epsilon)s"))}
EXAMPLE = "for example @couplet.private(epsilon=\"epsilon\", adjacent=\"all_within(queries, 1)\")"


def meant(word):
    """Which part of a claim was probably meant."""
    near = ["epsilon"] if word == "eps" else difflib.get_close_matches(word, sorted(KEYS), 1)
    return "write `%s`; " % near[0] if near else ""


class ClaimText:
    """One claim about one function, as it was written."""

    def __init__(self, function, values, nodes, node):
        self.function, self.nodes, self.node = function, nodes, node
        flat = lambda v: flat_text(function, v) if isinstance(v, str) else v
        values = {k: [flat(x) for x in v] if isinstance(v, list) else {flat(a): flat(b) for a, b in v.items()} if isinstance(v, dict) else flat(v)
                  for k, v in values.items()}
        unknown = sorted(set(values) - KEYS)
        if unknown:
            raise Refusal(nodes.get(unknown[0], node), "a claim has no `%s`" % unknown[0],
                          meant(unknown[0]) + "it has %s" % ", ".join(sorted(KEYS - {"function"})), code="python-claim")
        if "adjacent" not in values:
            raise Refusal(node, "the claim does not say `adjacent`", EXAMPLE, code="python-claim")
        self.adjacent = self.text(values, "adjacent")
        self.cost = {key: self.text(values, key) for key in COSTS if values.get(key) is not None}
        if frozenset(self.cost) not in NOTIONS:
            self.refuse_cost()
        given = values.get("requires", [])
        self.requires = [quantified(x) for x in ([given] if isinstance(given, str) else [str(x) for x in given])]
        self.types = values.get("types", {})
        self.name = values.get("name")
        if self.name is not None and not re.fullmatch(r"[A-Za-z_]\w*", str(self.name)):
            raise Refusal(nodes.get("name", node), "the name of a claim is one word", code="python-claim")
        if not isinstance(self.types, dict) or not all(isinstance(v, str) for v in self.types.values()):
            raise Refusal(nodes.get("types", node), "`types` is a table of texts", code="python-claim")
        names = [a.arg for a in function.args.args + function.args.kwonlyargs]
        stated = values.get("private", [])
        stated = [stated] if isinstance(stated, str) else list(stated)
        for name in stated + list(self.types):
            if name not in names:
                raise Refusal(nodes.get("private" if name in stated else "types", node),
                              "`%s` has no argument `%s`" % (function.name, name), code="python-claim")
        self.fixed = values.get("fixed") or {}
        for name, value in self.fixed.items() if isinstance(self.fixed, dict) else [("", None)]:
            if name not in names or not isinstance(value, (bool, int, float, str)):
                raise Refusal(nodes.get("fixed", node), "`fixed` is a table of arguments and their numbers or strings", code="python-claim")
        self.private = set(stated) or {n for n in names if in_adjacency(self.adjacent, n)}
        if not self.private:
            hint = "its arguments are %s; in the two runs, `%s` is written %s<1> and %s<2>" % (", ".join(names), *names[:1] * 3) if names else "it has none"
            raise Refusal(nodes.get("adjacent", node), "the adjacency names no argument of `%s`" % function.name, hint, code="python-claim")
        self.lengths, self.sizes = {}, set()
        self.unstated = set()  # generators of which nothing says whether they are numpy's

    def refuse_cost(self):
        given = [key for key in COSTS if key in self.cost]
        if not given:
            raise Refusal(self.node, "the claim does not say `epsilon`, or `zcdp`, or `gaussian`", EXAMPLE, code="python-claim")
        raise Refusal(self.nodes.get(given[-1], self.node), "%s together are no claim" % " and ".join("`%s`" % k for k in given),
                      "write epsilon, epsilon and delta, zcdp, gaussian, or renyi (the order) and epsilon; "
                      "two promises about a function are two claims", code="python-claim")

    def callable(self, module):
        """The function, of the file as Python has it."""
        if not hasattr(self.function, "method"):
            function = getattr(module, self.function.name)
            return lambda **given: function(**assembled(self.function, module, given))
        cls, init = getattr(module, self.function.name), set(self.function.init_arguments)

        def run(**given):
            given = assembled(self.function, module, given)
            it = cls(**{n: v for n, v in given.items() if n in init})
            return getattr(it, self.function.method)(**{n: v for n, v in given.items() if n not in init})
        return run

    def frame(self):
        """What makes a mechanism of its own of the same function."""
        return (tuple(self.requires), tuple(sorted(self.types.items())), tuple(sorted(self.private)), tuple(sorted(self.fixed.items())))

    def text(self, values, key):
        value = values[key]
        if isinstance(value, bool) or not isinstance(value, (str, int, float)) or value == "":
            raise Refusal(self.nodes.get(key, self.node), "`%s` must be a text" % key, code="python-claim")
        return value if isinstance(value, str) else repr(value)

    def conjuncts(self):
        """Comparisons that hold together, without blanks: the parts of `requires` that nothing weakens."""
        for text in self.requires:
            if not re.search(r"\b(or|not|if|forall|exists|sum|prob)\b|->|<->|!(?!=)", text):
                yield from (part.replace(" ", "") for part in re.split(r"\band\b|,", text))

    def lower_bound(self, name):
        """The constant that `requires` gives: `n >= 2`."""
        found = None
        for part in self.conjuncts():
            match = re.fullmatch(re.escape(name) + r"(>=|>)(\d+)", part) or \
                re.fullmatch(r"(\d+)(<=|<)" + re.escape(name), part)
            if match:
                op, k = match.groups() if match.group(1)[0] in ">" else (match.group(2), match.group(1))
                low = int(k) + (op in (">", "<"))
                found = low if found is None else max(found, low)
        return found

    def stated_length(self, name):
        """What `requires` says of its length, `len(x) == 3` or `len(x) == len(y)`: the number, the length of y; or None."""
        for part in self.conjuncts():
            sides = part.split("==") if part.count("==") == 1 else part.split("=") if re.fullmatch(r"[^<>!=]+=[^<>!=]+", part) else []
            for one, other in (sides, sides[::-1]) if len(sides) == 2 else ():
                match = re.fullmatch(r"len\((\w+)\)", other)
                if one == "len(%s)" % name and (other.isdigit() or match and match.group(1) in self.lengths):
                    return other if other.isdigit() else self.lengths[match.group(1)]
        return None


def in_adjacency(text, name):
    """Two-run formulas speak of private data: in a shorthand's first place, or with a run tag."""
    if re.search(r"\b%s\s*<[12]>" % re.escape(name), text):
        return True
    shorthand = r"(?:within|all_within|one_differs|one_changes|all_increase|all_decrease|monotone|same)"
    return re.search(r"\b%s\s*\(\s*%s\b" % (shorthand, re.escape(name)), text) is not None


def find_claims(module, extra):
    claims = []
    for function in list(module.functions.values()) + decorated_methods(module):
        for decorator in reversed(function.decorator_list):
            if is_private(module, decorator):
                raise Refusal(decorator, "the claim says neither `epsilon` nor `adjacent`", EXAMPLE, code="python-claim")
            if isinstance(decorator, ast.Call) and is_private(module, decorator.func) and module.is_wanted(function.name):
                module.attempt(lambda: claims.append(from_decorator(flattened(module, function), decorator)))

    def take(values):
        name = values.pop("function", None)
        if module.is_wanted(str(name).partition(".")[0]):
            function = flattened(module, named_function(module, name))
            claims.append(ClaimText(function, values, {}, function))
    for entry in extra:
        module.attempt(lambda: take(dict(entry)))
    seen = {}
    for claim in claims:  # names of claims are unique
        claim.position = seen.get(claim.function, 0)
        seen[claim.function] = claim.position + 1
    return claims


def decorated_methods(module):
    """As functions, one for each method that carries a claim."""
    out = []
    for name, owner in module.classes.items():
        for s in owner.node.body if module.is_wanted(name) else []:
            if isinstance(s, ast.FunctionDef) and any(isinstance(d, ast.Call) and is_private(module, d.func) for d in s.decorator_list):
                module.attempt(lambda: out.append(owner.function(s.name)))
    return sorted(out, key=lambda f: f.lineno)


def named_function(module, name):
    """A function, Class.method, or Class for its __call__ or m."""
    if name in module.functions:
        return module.functions[name]
    first, _, method = str(name).partition(".")
    owner = module.classes.get(first)
    method = method or (owner and owner.entry())
    if owner is not None and (method is None or owner.find(method) is None):
        methods = [s.name for s in owner.node.body if isinstance(s, ast.FunctionDef) and not s.name.startswith("_")]
        raise Refusal(owner.node, "the class `%s` has no method `%s`" % (first, method) if method else
                      "which method of the class `%s` is the claim about?" % first,
                      "write %s" % " or ".join("%s.%s" % (first, m) for m in methods) if methods else None, code="python-claim")
    if owner is None:
        raise Refusal(None, "there is no function `%s` in this file for the claim" % name,
                      "it has: %s" % (", ".join(sorted({*module.functions, *module.classes})) or "none"), code="python-claim")
    key = (first, method)
    if key not in module.methods:
        module.methods[key] = owner.function(method)
    return module.methods[key]


def is_private(module, node):
    name = dotted(node) or ""
    first, _, rest = name.partition(".")
    full = module.imports.get(first, first) + ("." + rest if rest else "")
    return full == "couplet.private"


def from_decorator(function, decorator):
    values, nodes = {}, {}
    if decorator.args:
        raise Refusal(decorator, "the parts of a claim have names", "write epsilon=..., adjacent=...", code="python-claim")
    for keyword in decorator.keywords:
        try:
            values[keyword.arg] = ast.literal_eval(keyword.value)
        except (ValueError, TypeError, SyntaxError):
            text = isinstance(keyword.value, (ast.Name, ast.BinOp, ast.Call, ast.Compare))
            raise Refusal(keyword.value, "claims are read, not run: a constant is expected here",
                          "write it as a text: %s=\"%s\"" % (keyword.arg, ast.unparse(keyword.value)) if text else None, code="python-claim")
        nodes[keyword.arg] = keyword.value
    return ClaimText(function, values, nodes, decorator)
