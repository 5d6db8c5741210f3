"""A file: imports, constants, functions, claims; and the text of its translation."""

import ast
import hashlib
import os
import re

from .base import (BOOL, BOTTOM, FIXED, INT, NONE, REAL, RNG, SCALARS, UNIT, Arr, Linear, Lst, Opt, Places, Refusal, Refusals, dotted,
                   has_bottom, type_text)
from .claims import NOTIONS, find_claims
from .choices import with_scores
from .classes import MechanismClass
from .expr import number
from .imported import Interfaces
from .looks import array_of_argument, assigned_names
from .noise import ANNOTATIONS, BIT_GENERATORS, GENERATORS, NUMPY, RNG_PY, STANDARD, plain_signature
from .renames import renamed
from .routine import Argument, Routine, header
from .scoping import check_claims, import_targets, unread_claims
from .versions import versioned

RESERVED = set("""param let type op axiom lemma adversary oracle procedure mechanism automaton claim instance include proof
var skip break continue if then else while for in emit return true false and or not div mod forall exists bool int real list
ln exp sqrt floor ceil round abs min max length head tail declassify private public
within all_within one_differs one_changes all_increase all_decrease monotone same same_except differing
Lap DLap Exp Geom Uniform UniformInt Bernoulli Gauss DGauss Gumbel""".split())
# Above a mechanism: it must be shown not to fail (report/judge/verify.c).
FALLIBLE = "Data or noise may decide whether this fails."
WORD = re.compile(r"(?<![\w'.])[A-Za-z_]\w*")


class Module:
    def __init__(self, source, path, extra_claims=(), noise=None, tree=None, functions=(), beside=False):
        self.source, self.path, self.beside = source, path, beside  # `beside`: files near it may be read, too
        self.places = Places()
        self.is_c = False
        self.imports, self.constants, self.functions, self.classes = {}, {}, {}, {}
        self.noise = noise or {}
        self.lower = {}            # parameters: lower bounds that the claim at hand gives
        self.definitions = {}      # name -> text
        self.procedures = {}       # key -> Routine
        self.flattened = {}        # functions with the attributes of configuration objects as arguments
        self.closures = {}         # nested functions with what they read as arguments
        self.methods = {}          # (class, method) -> function
        self.interfaces = Interfaces(self)
        self.seeded = {}           # routine of a claim -> calls that make a generator from a seed
        self.procedure_text = []
        self.globals = set()       # names of the translation that every routine sees
        self.parameters = {}       # dp name -> (type, [assumptions], node)
        self.tree = tree if tree is not None else rewritten(parse(source, path))
        self.words, self.stores = words_of(self.tree)
        self.collect()
        self.function_names = set(self.functions)  # kept free for them
        self.only = functions      # claims about these alone
        self.refused = []          # claims that could not be read
        self.claims = find_claims(self, extra_claims)
        if tree is None:           # a tree that is given was made from C
            self.attempt(lambda: unread_claims(self))
            self.claims = check_claims(self, self.claims)

    def of_another_file(self, source, path):
        """What is in it; claims of its own are not looked at."""
        return Module(source, path, functions=("",), beside=True)

    # ---- what is in the file --------------------------------------------------------------------

    def collect(self):
        for s in self.tree.body:
            if isinstance(s, (ast.Import, ast.ImportFrom)):
                self.take_import(s)
            elif isinstance(s, ast.FunctionDef):
                self.functions[s.name] = s
            elif isinstance(s, ast.ClassDef):
                self.classes[s.name] = MechanismClass(self, s)
                for m in s.body:
                    if isinstance(m, ast.FunctionDef) and any(is_static(d) for d in m.decorator_list):
                        self.functions.setdefault("%s.%s" % (s.name, m.name), m)
            elif isinstance(s, ast.Assign) and len(s.targets) == 1 and isinstance(s.targets[0], ast.Name):
                self.constants[s.targets[0].id] = s.value
            elif isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name) and s.value is not None:
                self.constants[s.target.id] = s.value

    def take_import(self, s):
        self.imports.update(import_targets(s))

    def constant(self, routine, name):
        """A number at the top of the file; assigned once, so that it is one."""
        node = self.constants[name]
        if self.stores.get(name, 0) > 1:
            raise Refusal(node, "`%s` is assigned more than once" % name, "pass it as an argument")
        e, lines = routine.capture(lambda: routine.expr(node))
        if lines or e.type not in SCALARS + (RNG, RNG_PY):
            raise Refusal(node, "only numbers can be constants of the file", "pass it as an argument")
        return e

    def is_wanted(self, name):
        return not self.only or name in self.only

    def attempt(self, action):
        """A refusal concerns one claim; the others are looked at before all of them are shown."""
        try:
            action()
            return True
        except Refusal as error:
            if not any(str(e) == str(error) and e.node is error.node for e in self.refused):
                self.refused.append(error)
            return False

    def point_to_others(self, read):
        """Some claims were refused, and what was read can be judged without them."""
        if read:
            last, others = self.refused[-1], "`--function NAME` judges a function by itself"
            last.hint = "%s; %s" % (last.hint, others) if last.hint else others

    def outer_names(self, routine):
        return [set(r.types) | set(r.by_name) for r in routine.outer]

    # ---- names ----------------------------------------------------------------------------------

    def free_name(self, base, taken):
        name = base
        taken = taken | self.function_names
        while name in RESERVED or name in self.globals or name in taken or not name:
            name = name + "_"
            if len(name) > len(base) + 3:
                n = 2
                while "%s_%d" % (base, n) in self.globals or "%s_%d" % (base, n) in taken:
                    n += 1
                return "%s_%d" % (base, n)
        return name

    def routine_name(self, function):
        """Its own name, for the first that needs one: what it is specialised to differs."""
        name = function.name
        if name in RESERVED or name in self.globals or not name.isascii():
            name = self.free_name(name if name.isascii() else "routine", self.words)
        self.globals.add(name)
        return name

    def definition(self, base, text):
        if base not in self.definitions:
            self.definitions[base] = (self.free_name(base, self.words), text)
            self.globals.add(self.definitions[base][0])
        return self.definitions[base][0]

    # ---- procedures -----------------------------------------------------------------------------

    def procedure(self, caller, node, function, values):
        outer = tuple(caller.outer) + (caller,)
        if any(r.function is function for r in outer):
            raise Refusal(node, "recursion cannot be read", "write a loop")
        plain_signature(function)
        stated = self.stated(function, values)
        key = (function, tuple(sorted(self.lower.items())), tuple((n, v.const) for n, v in stated.items()), tuple((v.type, v.private, v.noisy, v.local, v.nonneg, v.linear, v.batch, caller.is_sampled_text(v.text)) for v in values))
        if key in self.procedures:
            caller.calls(self.procedures[key])
            return self.procedures[key]
        names = [a.arg for a in function.args.args]
        taken = set()
        arguments = []
        for name, v in zip(names, values):
            if name in stated:
                arguments.append(Argument(name, FIXED, ""))
                continue
            dp = self.free_name(name if name.isascii() else "value", taken)
            taken.add(dp)
            arguments.append(Argument(name, v.type, dp, v.private, v.linear, v.nonneg, v.noisy, v.local, caller.is_sampled_text(v.text)))
            if isinstance(v.type, Opt):
                raise Refusal(node, "an optional value cannot be passed to a function")
        routine = Routine(self, function, arguments, outer)
        routine.nested = dict(caller.nested)
        routine.fixed = stated
        routine.translate()
        if routine.emits != BOTTOM:
            raise Refusal(function, "`yield` can be read in the function with the claim only")
        caller.calls(routine)
        routine.dp_name = self.routine_name(function)
        self.procedures[key] = routine
        shown = ", ".join("%s : %s" % (a.dp, type_text(a.type)) for a in arguments if a.type not in (RNG, RNG_PY, NONE, FIXED))
        result = "" if routine.returns in (UNIT, BOTTOM) else " : " + type_text(routine.returns)
        self.check_risks(routine, "\n".join(routine.text_body()))
        self.procedure_text += ["", self.mark(function, "procedure %s(%s)%s {" % (routine.dp_name, shown, result))]
        self.procedure_text += routine.text_body() + ["}"]
        return routine

    def stated(self, function, values):
        """Arguments that are known where the function is called, and decide what it does: the number of samples, constants True or False."""
        changed = assigned_names(function.body)
        return {a.arg: v for a, v in zip(function.args.args, values) if v.batch or isinstance(v.const, bool) and a.arg not in changed}

    def check_risks(self, routine, text):
        """An operation that may fail is in the translation, even if nothing depends on its value."""
        lost = routine.risky - self.places.risks_in(text)
        if lost:
            raise Refusal(min(lost, key=lambda x: (x.lineno, x.col_offset)), "this may fail, and its value is not used",
                          "delete it: an exception tells something about the data")

    def mark(self, node, text):
        return self.places.mark(header(node), text)

    # ---- mechanisms -----------------------------------------------------------------------------

    def translate(self):
        """The text and the table of places: (text, [(begin, end, node)])."""
        if not self.claims and not self.refused:
            raise Refusal(None, "no function of this file carries a claim",
                          "put `@couplet.private(epsilon=..., adjacent=...)` on one, give --claim, or write a TOML file "
                          "beside it: docs/python.md",
                          code="python-claim")
        mechanisms, done = [], {}

        def write(claim):
            key = (claim.function, claim.frame())
            if key not in done:
                self.procedure_text = []
                text = self.mechanism(claim)
                done[key] = claim
                mechanisms.extend(self.procedure_text + [""] + text)
            mechanisms.extend([""] + self.claim_text(claim, done[key]))
        declared = [c for c in self.claims if self.attempt(lambda: self.declare_lengths(c))]
        read = [c for c in declared if self.attempt(lambda: write(c))]
        if self.refused:
            self.point_to_others(read)
            raise Refusals(self.refused)
        digest = hashlib.sha256(self.source.encode("utf-8")).hexdigest()
        lines = ["// Translated from %s, sha256 %s." % (self.path.rsplit("/", 1)[-1].replace("\n", " "), digest),
                 "// Numbers are real numbers here, not floating point ones."]
        lines += ["// With %s, sha256 %s." % (os.path.basename(path).replace("\n", " "), d) for path, d in sorted(self.interfaces.read.items())] + [""]
        for name, (t, assumptions, node) in self.parameters.items():
            lines.append(self.mark(node, "param %s : %s%s;" % (name, t, "".join(", " + a for a in assumptions))))
        for name, text in self.definitions.values():
            lines.append(text % name)
        return self.places.resolve("\n".join(lines + mechanisms) + "\n")

    def declare_lengths(self, claim):
        """Parameters first: every routine must know their names."""
        plain_signature(claim.function)
        claim.arguments, claim.lower = [], {}
        types = {a.arg: self.argument_type(claim, a) for a in claim.function.args.args}
        claim.renamed, claim.functions = {}, self.given_functions(claim.function)
        for a in claim.function.args.args:
            t = types[a.arg]
            private = a.arg in claim.private
            if a.arg in claim.fixed or a.arg in claim.functions:
                claim.arguments.append(Argument(a.arg, FIXED, ""))
            elif t in (RNG, RNG_PY):
                claim.arguments.append(Argument(a.arg, t, ""))
            elif may_be_none(claim.function, a) and not self.is_seed(claim.function, a.arg):
                raise Refusal(a, "the argument `%s` may be None, and a claim is about numbers" % a.arg,
                              "state its value, `fixed={\"%s\": ...}`, or leave None out" % a.arg)
            elif t in SCALARS and not private:
                self.take_parameter(claim, a, t)
            else:
                self.take_input(claim, a, t, private, types)

    def is_seed(self, function, name):
        """Is it read only to make generators? Without a seed they draw fresh noise."""
        return not self.other_uses_of_seed(function, name)

    def other_uses_of_seed(self, function, name):
        made = [x for x in ast.walk(function) if isinstance(x, ast.Call) and self.full_name(x.func) in {*GENERATORS, *BIT_GENERATORS}]
        seeds = {id(x) for call in made for x in call.args + [k.value for k in call.keywords]}
        return [x for x in ast.walk(function) if is_name(x, name) and id(x) not in seeds]

    def is_told(self, claim, name):
        """Does the claim speak of this argument?"""
        return any(mentions(text, name) for text in [claim.adjacent, *claim.cost.values(), *claim.requires])

    def full_name(self, node):
        first, _, rest = (dotted(node) or "").partition(".")
        full = self.imports.get(first, first)
        return full + "." + rest if rest else full

    def given_functions(self, function):
        """Arguments that are functions: the claim is about their defaults, functions of this file."""
        arguments, defaults = function.args.args, function.args.defaults
        return {a.arg: self.functions[d.id] for a, d in zip(arguments[len(arguments) - len(defaults):], defaults)
                if isinstance(d, ast.Name) and d.id in self.functions}

    def take_parameter(self, claim, a, t):
        assumptions = []
        if t == REAL and any(mentions(text, a.arg) for key, text in claim.cost.items() if key != "delta"):
            assumptions.append("%s > 0")
        if t == REAL and mentions(claim.cost.get("delta"), a.arg):
            assumptions += ["%s > 0", "%s < 1"]
        dp = self.parameter(a.arg, t, assumptions, a)
        low = claim.lower_bound(a.arg)
        if low is not None:
            claim.lower[dp] = low
        claim.renamed[a.arg] = dp
        claim.arguments.append(Argument(a.arg, t, dp, linear=Linear({dp: 1}) if t == INT else None,
                                        nonneg=low is not None and low >= 0 or bool(assumptions)))

    def parameter(self, name, t, assumptions, node):
        dp = name if name.isascii() else "parameter"
        while True:
            dp = self.free_name(dp, self.globals - set(self.parameters)) if dp not in self.parameters else dp
            shown = [x % dp for x in assumptions]
            if dp not in self.parameters:
                self.parameters[dp] = (t, shown, node)
                self.globals.add(dp)
                return dp
            if self.parameters[dp][:2] == (t, shown):
                return dp
            dp = dp + "_"

    def take_input(self, claim, a, t, private, types):
        if isinstance(t, tuple):
            t = self.array_of(claim, a, t, types)
        dp = self.free_name(a.arg if a.arg.isascii() else "value", set(claim.renamed.values()))
        claim.renamed[a.arg] = dp
        claim.arguments.append(Argument(a.arg, t, dp, private))

    def array_of(self, claim, a, t, types):
        """Its type, of (items, kind, length name): a length is a number, an argument, that of another array, or a parameter."""
        elem, numpy, length = t
        stated = claim.stated_length(a.arg) if length is None else None
        length = length or stated or "len_" + a.arg
        if length.isdigit():
            claim.lengths[a.arg] = length
            return Arr(elem, Linear({}, int(length)), numpy)
        low = max(claim.lower_bound(length) or 0, claim.lower_bound("len(%s)" % a.arg) or 0)
        if stated is not None:
            dp = length
        elif length in [x.arg for x in claim.function.args.args]:
            dp = self.length_argument(claim, a, length, types)
        else:
            dp = self.parameter(length, INT, ["%s >= 0"], a)
        claim.lower[dp] = max(claim.lower.get(dp, 0), low)
        if stated is None:
            claim.renamed.setdefault(length, dp)
        claim.lengths[a.arg] = dp
        return Arr(elem, Linear({dp: 1}), numpy)

    def length_argument(self, claim, a, length, types):
        if types[length] != INT:
            raise Refusal(a, "the length `%s` must be an int argument" % length, code="python-claim")
        if length not in claim.renamed:
            self.take_parameter(claim, [x for x in claim.function.args.args if x.arg == length][0], INT)
        claim.sizes.add(length)
        return claim.renamed[length]

    def argument_type(self, claim, a):
        """From the claim, the annotation, or the use: a type, or (items, numpy, length)."""
        if a.arg in claim.types:
            return self.list_or_array(claim, a, parse_type(claim.types[a.arg], a, claim))
        if a.annotation is not None:
            t = self.annotated(a.annotation, claim.types.get(a.arg))
            if t is not None:
                return self.list_or_array(claim, a, t)
        t = self.used_type(claim.function, a.arg)
        if t == RNG and not any(isinstance(x, ast.Attribute) and is_name(x.value, a.arg) and x.attr in NUMPY and x.attr not in STANDARD
                                for x in ast.walk(claim.function)):
            claim.unstated.add(a.arg)
        if is_number_in(claim.adjacent, a.arg):
            return REAL if isinstance(t, tuple) else t
        return (REAL, False, None) if t in SCALARS and is_sequence_in(claim.adjacent, a.arg) else t

    def list_or_array(self, claim, a, t):
        """`real[n]` may be either, and what is made an array first is one."""
        if not isinstance(t, tuple) or t[1]:
            return t
        noted = self.annotated(a.annotation, None) if a.annotation is not None else None
        return (t[0], array_of_argument(claim.function, a.arg) is not None or isinstance(noted, tuple) and noted[1], t[2])

    def annotated(self, node, stated):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                node = ast.parse(node.value, mode="eval").body
            except SyntaxError:
                return None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self.annotated(node.left, stated)
        if isinstance(node, ast.Subscript):
            outer = (dotted(node.value) or "").split(".")[-1]
            inner = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) else node.slice
            if outer == "Optional":
                return self.annotated(inner, stated)
            elem = self.annotated(inner, None)
            if outer in ("list", "List", "Sequence", "Iterable", "Tuple", "tuple"):
                return (elem if elem in SCALARS else REAL, False, None)
            return (REAL, True, None) if outer == "NDArray" else None
        name = dotted(node)
        if name is None:
            return None
        full = name.split(".")
        full = ".".join([self.imports.get(full[0], full[0])] + full[1:])
        if full in ANNOTATIONS:
            return ANNOTATIONS[full]
        simple = {"float": REAL, "int": INT, "bool": BOOL, "numpy.float64": REAL, "numpy.int64": INT}
        if full in simple:
            return simple[full]
        if full in ("numpy.ndarray", "numpy.typing.ArrayLike"):
            return (REAL, True, None)
        return (REAL, False, None) if full in ("list", "List", "typing.List", "typing.Sequence", "tuple") else None

    def used_type(self, function, name, seen=()):
        """Without an annotation: what is done with it."""
        if name in ("rng", "prng", "generator", "random_state"):
            return RNG
        if array_of_argument(function, name):
            return (REAL, True, None)
        sequence = integer = False
        for node in ast.walk(function):
            tests = [node.test] if isinstance(node, (ast.If, ast.IfExp, ast.While, ast.Assert)) else node.values if \
                isinstance(node, ast.BoolOp) else [node.operand] if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) else []
            if any(is_name(x, name) for x in tests) and name not in [a.arg for a in defaulted(function)]:
                return BOOL
            if isinstance(node, ast.Attribute) and is_name(node.value, name):
                if node.attr in NUMPY and node.attr not in ("choice",) or node.attr == "choice":
                    return RNG
                if node.attr in STANDARD:
                    return RNG_PY
                if node.attr in ("size", "shape", "sum", "mean", "max", "min", "copy", "argmax", "tolist"):
                    return (REAL, True, None)
            if isinstance(node, (ast.For, ast.comprehension)) and is_name(node.iter, name):
                sequence = True
            if isinstance(node, ast.Subscript) and is_name(node.value, name):
                sequence = True
            if isinstance(node, ast.Call):
                called = dotted(node.func) or ""
                used = [i for i, x in enumerate(node.args) if is_name(x, name)]
                if called in ("len", "enumerate", "zip", "sum", "any", "all", "sorted", "list", "reversed") and used:
                    sequence = True
                last = called.split(".")[-1]
                if "." in called and last in ("asarray", "array", "sum", "mean", "argmax", "argmin", "cumsum", "diff", "sort",
                                              "clip", "max", "min", "concatenate", "count_nonzero") and 0 in used:
                    sequence = True
                if called == "range" and used or "." in called and last in ("zeros", "ones", "arange", "full") and 0 in used:
                    integer = True
                if any(k.arg == "size" and is_name(k.value, name) for k in node.keywords):
                    integer = True
                helper = self.functions.get(called)
                if helper is not None and used and helper not in seen and helper is not function:
                    inner = [x.arg for x in helper.args.args]
                    if used[0] < len(inner):
                        t = self.used_type(helper, inner[used[0]], tuple(seen) + (function,))
                        if t != REAL:
                            return t
                for k in node.keywords:
                    if helper is not None and is_name(k.value, name) and k.arg in [x.arg for x in helper.args.args] \
                            and helper not in seen and helper is not function:
                        t = self.used_type(helper, k.arg, tuple(seen) + (function,))
                        if t != REAL:
                            return t
            if isinstance(node, ast.Subscript) and any(is_name(x, name) for x in ast.walk(node.slice)):
                integer = True
        if sequence:
            return (REAL, False, None)
        return INT if integer else REAL

    def mechanism(self, claim):
        self.lower = claim.lower
        routine = Routine(self, claim.function, claim.arguments)
        routine.is_mechanism, routine.claim = True, claim
        routine.fixed = {n: v if isinstance(v, str) else number(v) for n, v in claim.fixed.items()}
        routine.nested = dict(claim.functions)
        routine.translate()
        if routine.returns != BOTTOM and has_bottom(routine.returns):
            raise Refusal(claim.function, "what it returns has items whose type nothing tells",
                          "a list that is only filled from itself: put a number into it first")
        name = self.routine_name(claim.function)
        claim.subject, claim.result = name, Lst(routine.emits) if routine.emits != BOTTOM else routine.returns
        inputs = [a for a in claim.arguments if a.type not in (RNG, RNG_PY, FIXED) and a.dp not in self.parameters]
        nodes = {a.arg: a for a in claim.function.args.args}
        shown = ", ".join(self.places.mark(nodes[a.name], "%s%s : %s" % ("private " if a.private else "", a.dp, type_text(a.type)))
                          for a in inputs)
        head = "mechanism %s(%s)" % (name, shown)
        if routine.emits != BOTTOM:
            head += " emits %s" % type_text(routine.emits)
        if routine.returns not in (UNIT, BOTTOM):
            head += " returns %s" % type_text(routine.returns)
        lines = ["// " + FALLIBLE] if routine.fallible else []
        lines.append(self.mark(claim.function, head))
        lines.append("  adjacent " + self.adjacency(claim))
        for text in self.requirements(claim):
            lines.append("  requires " + text)
        for e in routine.requires:
            lines.append("  requires " + e.text)
        text = "\n".join(lines + ["{"] + routine.text_body() + ["}"])
        self.check_risks(routine, text)
        return self.places.mark(claim.function, text).split("\n")

    def adjacency(self, claim):
        """With what is required of the private data, of both runs."""
        parts = [self.formula(claim, claim.adjacent, claim.nodes.get("adjacent"))]
        for text in claim.requires:
            names = [n for n in claim.private if mentions(text, n) and n not in lengths_of(text)]
            for run in ("<1>", "<2>") if names else ():
                tagged = WORD.sub(lambda m: m.group(0) + run if m.group(0) in names else m.group(0), with_lengths(claim, text))
                parts.append(self.formula(claim, tagged, claim.nodes.get("requires")))
        return " and ".join("(%s)" % p for p in parts) if len(parts) > 1 else parts[0]

    def requirements(self, claim):
        public = [r for r in claim.requires if not any(mentions(r, n) and n not in lengths_of(r) for n in claim.private)]
        texts = [self.formula(claim, r, claim.nodes.get("requires")) for r in public]
        stated = {claim.renamed[n] for n in claim.sizes if n in claim.renamed}
        return ["%s >= 0" % n for n in sorted(stated)] + texts

    def formula(self, claim, text, node):
        """A formula of the claim: names of the function, as the translation spells them."""
        text = with_lengths(claim, text)
        if "/*" in text:
            raise Refusal(node or header(claim.function), "a formula has no comments", "leave `/*` out")
        # in the language `//` begins a comment, and the rest of the formula would be lost
        text = re.sub(r"(?<![<>=!])==(?!=)", "=", text).replace("**", "^").replace("//", " div ")
        text = re.sub(r"\b(?:math|np|numpy)\.(log|exp|sqrt)\b", lambda m: {"log": "ln"}.get(m.group(1), m.group(1)), text)
        text = WORD.sub(lambda m: claim.renamed.get(m.group(0), m.group(0)), text)
        return self.places.mark(node or header(claim.function), " ".join(text.split()))

    def claim_text(self, claim, first):
        claim.renamed, claim.lengths, claim.subject, claim.result = first.renamed, first.lengths, first.subject, first.result
        parts = {key: self.formula(claim, text, claim.nodes.get(key)) for key, text in claim.cost.items()}
        text = "claim %sprivate %s %s" % (claim.name + ": " if claim.name else "", first.subject,
                                          NOTIONS[frozenset(parts)] % parts)
        if claim is not first and claim.adjacent != first.adjacent:
            text += " under " + self.formula(claim, claim.adjacent, claim.nodes.get("adjacent"))
        return [self.mark(claim.node, text + ";")]


def rewritten(tree):
    """The file as it is read: with other names and expressions that mean the same."""
    tree = versioned(renamed(tree))
    return with_scores(tree, dict(x for s in tree.body if isinstance(s, (ast.Import, ast.ImportFrom)) for x in import_targets(s)))


def defaulted(function):
    """Arguments that may be None."""
    arguments, defaults = function.args.args, function.args.defaults
    return [a for a, d in zip(arguments[len(arguments) - len(defaults):], defaults) if isinstance(d, ast.Constant) and d.value is None]


def may_be_none(function, a):
    """Does the default, the annotation or a test say that None can be given?"""
    def is_none(x):
        return isinstance(x, ast.Constant) and x.value is None

    if a in defaulted(function):
        return True
    for x in ast.walk(a.annotation) if a.annotation is not None else ():
        if is_none(x) or isinstance(x, (ast.Name, ast.Attribute)) and (dotted(x) or "").split(".")[-1] == "Optional":
            return True
    return any(isinstance(x, ast.Compare) and is_name(x.left, a.arg) and isinstance(x.ops[0], (ast.Is, ast.IsNot)) and
               is_none(x.comparators[0]) for x in ast.walk(function))


def words_of(tree):
    """All names of the file, and how often each is assigned; a `global` counts as another time."""
    words, stores = set(), {}
    for x in ast.walk(tree):
        stored = [x.id] if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store) else x.names if isinstance(x, ast.Global) else []
        for name in stored:
            stores[name] = stores.get(name, 0) + 1
        if isinstance(x, ast.Name):
            words.add(x.id)
        elif isinstance(x, ast.arg):
            words.add(x.arg)
    return words, stores


def parse(source, path):
    try:
        return ast.parse(source, path)
    except SyntaxError as error:
        place = ast.Constant(None)
        place.lineno = place.end_lineno = error.lineno or 1
        place.col_offset = max(0, (error.offset or 1) - 1)
        place.end_col_offset = place.col_offset + 1
        raise Refusal(place, "this is not Python: %s" % error.msg, code="python-syntax")
    except (ValueError, RecursionError, MemoryError) as error:
        raise Refusal(None, "this is not Python: %s" % error, code="python-syntax")


def parse_type(text, a, claim):
    match = re.fullmatch(r"\s*(real|float|int|bool)\s*(?:\[\s*(\w*)\s*\])?\s*", text)
    if match:
        elem = {"float": REAL}.get(match.group(1), match.group(1))
        if "[" not in text:
            return elem
        return (elem, False, match.group(2) or None)
    match = re.fullmatch(r"\s*list\(\s*(real|float|int|bool)\s*\)\s*", text)
    if match:
        return Lst({"float": REAL}.get(match.group(1), match.group(1)))
    if text.strip() in ("rng", "generator"):
        return RNG
    raise Refusal(claim.nodes.get("types") or a, "the type `%s` cannot be read" % text,
                  "write real, int, bool, real[n], int[n], bool[n] or rng", code="python-claim")


def with_lengths(claim, text):
    return re.sub(r"\blen\(\s*(\w+)\s*\)", lambda m: claim.lengths.get(m.group(1), m.group(0)), text)


def lengths_of(text):
    """Names that occur only in len(...)."""
    inside = set(re.findall(r"\blen\(\s*(\w+)\s*\)", text))
    rest = re.sub(r"\blen\(\s*\w+\s*\)", "", text)
    return {n for n in inside if not mentions(rest, n)}


def is_name(node, name):
    return isinstance(node, ast.Name) and node.id == name


def is_static(node):
    return isinstance(node, ast.Name) and node.id == "staticmethod"


def is_sequence_in(adjacency, name):
    """The shorthands for arrays say what it is."""
    shorthand = r"(?:all_within|one_differs|one_changes|all_increase|all_decrease|monotone)"
    return re.search(r"\b%s\s*\(\s*%s\b" % (shorthand, re.escape(name)), adjacency) is not None


def is_number_in(adjacency, name):
    return re.search(r"\bwithin\s*\(\s*%s\s*," % re.escape(name), adjacency) is not None


def mentions(text, name):
    return bool(text) and re.search(r"\b%s\b" % re.escape(name), text) is not None
