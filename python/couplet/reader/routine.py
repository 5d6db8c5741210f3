"""One function: its variables and its statements.

The body is translated again and again, each time with the types that the last pass found, until
nothing changes; the last pass is the result.
"""

import ast
import copy
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Optional

from .base import (BOTTOM, FIXED, INT, NONE, REAL, RNG, Arr, E, Linear, Lst, Opt, Refusal, Tup, dotted, has_bottom, has_truth, is_decided,
                   is_numpy, is_sample, is_sequence, join, type_text, type_words)
from .batch import Batches
from .calls import Calls
from .decided import Decided
from .expr import Expressions
from .noise import RNG_PY, Noise
from .numpy_calls import NumpyCalls
from .sequences import Sequences
from .looks import array_of_argument, assigned_names, counted_names, mutated_names
from .statements import Statements
from .versions import without_versions

MAX_PASSES, MAX_LINES = 40, 20000


@dataclass
class Argument:
    name: str                 # in Python
    type: object
    dp: str                   # in the translation
    private: bool = False
    linear: Optional[Linear] = None
    nonneg: bool = False
    noisy: bool = False
    local: bool = False
    sampled: bool = False


class Routine(Expressions, Sequences, Batches, Calls, NumpyCalls, Noise, Statements, Decided):
    def __init__(self, module, function, arguments, outer=()):
        self.module, self.function, self.arguments = module, function, arguments
        self.places = module.places
        self.outer = outer                 # functions that are being translated: no recursion
        self.nested = {}                   # functions defined inside
        self.is_mechanism = False
        self.types = {}                    # of variables, by Python name
        self.private, self.noisy = set(), set()
        self.smooth = {}                   # variables: the statements that assign a smooth value
        self.quiet = set()                 # variables with an assignment without noise
        self.under_private = 0             # conditions around, of private data without noise
        self.decided = set()               # variables that data or noise may have decided
        self.under_decided = 0             # conditions around that they may have decided, and returns before
        self.fallible = self.partial = False  # may an operation fail? `fallible`: data or noise may decide about it
        self.at_risk, self.risky = False, set()  # the same of the expression that is read; expressions for which it is so
        self.maybe_negative = set()        # int variables
        self.truths = set()                # variables that may hold numpy's truth values: those that are no constants
        self.widths = {}                   # variables: the types of items of the arrays that they may hold
        self.temp_types = {}
        self.value_type, self.emits, self.sees_none = BOTTOM, BOTTOM, False
        self.returns_private = self.returns_noisy = self.returns_truth = False
        self.final = False
        self.requires = []
        self.begin_words()
        self.fixed = {}                    # arguments whose values the claim states
        self.local_names = {}
        body = function.body
        self.assigned = assigned_names(body)
        self.mutated = mutated_names(body)
        self.as_they_are = self.find_renamed_arguments()
        self.growing = self.mutated["grown"]
        self.loop_only = self.find_loop_variables()
        self.counted = counted_names(function)

    # ---- passes ---------------------------------------------------------------------------------

    def translate(self):
        for _ in range(MAX_PASSES):
            before = self.state()
            self.one_pass()
            if self.state() == before:
                self.final = True
                self.one_pass()
                return self
        raise Refusal(self.function, "the types of its variables cannot be found out", "annotate its arguments")

    def state(self):
        return (dict(self.types), dict(self.temp_types), set(self.maybe_negative), set(self.private), set(self.noisy), set(self.quiet), set(self.decided),
                self.value_type, self.emits, self.sees_none, self.returns_private, self.returns_noisy,
                set(self.decided_words), set(self.sampled_words))

    def one_pass(self):
        self.lines, self.depth, self.declared, self.blocks = [], 1, [], []
        self.used = {}
        self.bound_names, self.loops, self.open_indices = {}, [], []
        self.count_draws, self.under_decided, self.left_early = 0, 0, False
        self.fallible = self.partial = False
        self.at_risk, self.risky = False, set()
        self.inside = []                   # functions whose value is being written in place
        self.constants = {}
        self.fresh = set()
        self.requires = []
        self.deferred = {}                 # noise that is drawn where it is read
        self.noise_names = {}              # other names of methods of generators: `draw = rng.laplace`
        self.tallies = {}                  # counters: what they count
        self.result_keys = []              # of a dictionary that is returned; None: it is none
        self.guarding = True
        self.loop_stack, self.loop_nodes = [], []
        self.there = set()                 # variables that are known not to be None here
        self.first_time = None, set()      # a test that begins with `i == 0 or`, and what is there if it goes on
        self.under_private = 0
        self.by_name = {a.name: a for a in self.arguments}
        for a in self.arguments:
            if a.type == FIXED:
                if a.name in self.assigned:
                    raise Refusal(self.function, "the argument `%s`, whose value is fixed, cannot be assigned" % a.name)
            elif a.type in (RNG, RNG_PY):
                self.types[a.name] = a.type
            elif a.name in self.assigned:
                self.learn_variable(a.name, a.type, a.private, a.noisy, self.function, a.local)
                if not a.nonneg:
                    self.maybe_negative.add(a.name)
                self.put("%s := %s;" % (self.variable(a.name), a.dp), self.function)
                if isinstance(a.type, Opt):
                    raise Refusal(self.function, "an optional argument cannot be assigned")
        self.body(self.function.body)
        if not self.ended:
            self.end_of_function()

    def capture(self, action):
        """The value of the action and the statements that it emitted, which are taken back."""
        saved = (self.lines, self.depth, list(self.declared), dict(self.used), dict(self.bound_names), list(self.loops),
                 list(self.open_indices), self.count_draws, list(self.blocks))
        self.lines = []
        value = action()
        lines = self.lines
        (self.lines, self.depth, declared, used, self.bound_names, self.loops, self.open_indices, draws, self.blocks) = saved
        if lines:
            self.declared, self.used, self.count_draws = declared, used, draws
        return value, lines

    # ---- output ---------------------------------------------------------------------------------

    def put(self, text, node):
        self.note(text)
        if text.startswith("}"):
            self.depth -= 1
        self.lines.append("  " * self.depth + self.places.mark(header(node), text))
        if text.endswith("{"):
            self.depth += 1
        if len(self.lines) > MAX_LINES:
            raise Refusal(node, "the translation is too long", "split the function")

    # ---- names ----------------------------------------------------------------------------------

    def variable(self, name):
        """The name in the translation; stable over passes."""
        if name not in self.local_names:
            base = name[:-9].join(["has_", ""]) if name.endswith(" is there") else name
            base = without_versions("count_" + base.split(" ")[0] if " counts " in base else base)
            base = base if base.isascii() and base.isidentifier() else "value"
            self.local_names[name] = self.module.free_name(base, self.taken())
        return self.local_names[name]

    def taken(self):
        return set(self.local_names.values()) | {a.dp for a in self.arguments}

    def temp(self, base, t):
        count = self.used.get(base, 0)
        self.used[base] = count + 1
        name = self.named_temp(base, count)
        self.declare(name, t)
        return name

    def named_temp(self, base, count):
        key = (base, count)
        if key not in self.local_names:
            self.local_names[key] = self.module.free_name(base, self.taken() | set(self.assigned))
        return self.local_names[key]

    def declare(self, name, t):
        if is_sequence(t) and not is_sample(t) and (name, t) not in self.declared:
            self.declared = [d for d in self.declared if d[0] != name] + [(name, t)]

    def find_renamed_arguments(self):
        """`q = np.asarray(q)` of an array that is never changed is no assignment. These statements."""
        found = []
        for a in self.arguments:
            s = array_of_argument(self.function, a.name) if is_numpy(a.type) else None
            if s is None or self.assigned.get(a.name) != 1 or a.name in self.mutated["all"]:
                continue
            kept = ("float", "np.float64") if a.type.elem in (INT, REAL) else ()  # an int is a number, as it is
            if all(k.arg == "dtype" and dotted(k.value) in kept for k in s.value.keywords):
                del self.assigned[a.name]
                found.append(s)
        return found

    def index_name(self):
        """For a loop of the translation; indices of loops that are over are used again."""
        bases = ["k", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9"]
        for base in bases:
            name = ("index", base)
            if name not in self.local_names:
                self.local_names[name] = self.module.free_name(base, self.taken() | set(self.assigned))
            if self.local_names[name] not in self.loops:
                self.loops.append(self.local_names[name])
                return self.local_names[name]
        raise Refusal(self.function, "loops are nested too deeply")

    def free_index(self, k):
        self.loops.remove(k)

    # ---- variables ------------------------------------------------------------------------------

    def learn(self, key, t, node):
        joined = join(self.temp_types.get(key, BOTTOM), t)
        if joined is None:
            raise Refusal(node, "the items have different types")
        self.temp_types[key] = joined

    def learn_variable(self, name, t, private, noisy, node, local=True, const=None):
        old = self.types.get(name, BOTTOM)
        joined = join(old, t)
        if const is None and has_truth(t):
            self.truths.add(name)
        if joined is None or name in self.truths and self.mixes_truth(old, t):
            raise Refusal(node, "`%s` is %s here, but %s elsewhere" % (name, type_words(t), type_words(old)),
                          "use another name" if not (is_sequence(t) and is_sequence(old)) else
                          "use another name: arrays have one length, and lists are not arrays")
        self.types[name] = joined
        (self.noisy if noisy else self.quiet).add(name)
        if private or noisy or local or self.under_decided:
            self.decided.add(name)
        if private and not noisy or self.under_private:
            self.private.add(name)

    def read(self, name, node):
        if name in self.bound_names:
            return copy.copy(self.bound_names[name])
        if name in self.deferred:
            return self.expr(self.deferred[name])
        if name in self.by_name and name not in self.assigned:
            return self.read_argument(self.by_name[name])
        if name in self.constants:
            return copy.copy(self.constants[name])
        if name in self.types:
            return self.read_variable(name, node)
        if name in self.assigned or name.startswith("choice "):
            return self.unknown(node)
        if name in self.module.constants:
            return self.module.constant(self, name)
        if self.module.imports.get(name) in ("math.inf", "numpy.inf"):
            return E("0", Opt(BOTTOM, "inf"), present="false")
        if name in self.module.functions or name in self.nested:
            raise Refusal(node, "a function is no value here", "call it")
        if any(name in f_names for f_names in self.module.outer_names(self)):
            raise Refusal(node, "`%s` belongs to the function around" % name, "pass it as an argument")
        raise Refusal(node, "`%s` is not known here" % name, "assign it, or pass it as an argument")

    def read_argument(self, a):
        if a.type == FIXED and isinstance(self.fixed.get(a.name), str):
            raise Refusal(self.function, "the argument `%s` is a string, and can only be compared" % a.name)
        if a.type == FIXED and a.name not in self.fixed:
            raise Refusal(self.function, "the argument `%s` is a function, and can only be called" % a.name)
        if a.type == FIXED:
            e = copy.copy(self.fixed[a.name])
            e.batch = e.type == INT and e.const == 1
            return e
        if a.type in (RNG, RNG_PY, NONE):
            return E("0", a.type)
        return E(a.dp, a.type, linear=a.linear, nonneg=a.nonneg, private=a.private, noisy=a.noisy, local=a.local)

    def may_fail(self, *operands):
        """An operation without a value for some operands, such as 1/x: Python raises an exception or goes on with nan, and if
        data or noise decide about that, it tells something about them. Such a function must be shown not to fail."""
        open_ones = [e for e in operands if e.const is None]
        self.partial |= bool(open_ones)
        decided = any(is_decided(e) or self.is_decided_text(e.text) for e in open_ones) or \
            bool(open_ones and (self.under_decided or self.under_decided_block()))
        self.fallible |= decided
        self.at_risk |= decided

    def calls(self, routine):
        """What the other one does, this one does."""
        self.partial |= routine.partial
        self.fallible |= routine.fallible or bool(routine.partial and (self.under_decided or self.under_decided_block()))

    @contextmanager
    def decided_by(self, *tests):
        """What happens inside, data or noise decide if they decide about a test."""
        step = any(is_decided(e) for e in tests)
        self.under_decided += step
        yield
        self.under_decided -= step

    def read_variable(self, name, node):
        t = self.types[name]
        if t in (RNG, RNG_PY):
            return E("0", t)
        private = name in self.private  # some path has no noise
        e = E(self.variable(name), t, private=private, noisy=name in self.noisy and name not in self.quiet,
              local=name in self.decided,
              smooth=t == REAL and len(self.smooth.get(name, ())) == self.assigned.get(name))
        if isinstance(t, Opt) and t.missing == "None" and name in self.there:
            e.type = t.elem
        elif isinstance(t, Opt):
            e.present = self.variable(name + " is there")
        if t == INT:
            e.nonneg = name not in self.maybe_negative
        if has_bottom(t) and self.final and not (isinstance(t, (Arr, Lst))):
            raise Refusal(node, "the type of `%s` cannot be found out" % name, "annotate the argument, or use `types=`")
        return e

    def from_variable(self, name, t, private, noisy):
        """What a call returned."""
        e = E(name, t, private=private, noisy=noisy, local=True)
        if isinstance(t, Opt):
            e.text, e.present = name + ".2", name + ".1"
        if isinstance(t, Tup):
            e.parts = [self.from_variable("%s.%d" % (name, i + 1), p, private, noisy) for i, p in enumerate(t.parts)]
        return e

    def resolve(self, node):
        """The full name of a module's function: `np.exp` is `numpy.exp`."""
        name = dotted(node)
        if name is None:
            return None
        first, _, rest = name.partition(".")
        if first in self.types or first in self.bound_names or first in self.assigned or first in self.by_name:
            return None
        full = self.module.imports.get(first, first)
        return full + "." + rest if rest else full

    def own_function(self, node):
        """A function of this file, or None."""
        if not isinstance(node, ast.Name) or node.id in self.bound_names or node.id in self.types:
            return None
        if node.id in self.module.noise:
            return None
        return self.nested.get(node.id) or self.module.functions.get(node.id)

    def find_loop_variables(self):
        """Variables that only loops assign and only their bodies read: they can be the index itself."""
        loops, reads, writes = {}, {}, {}

        def visit(node, inside):
            if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
                loops.setdefault(node.target.id, []).append(node)
                if node.target.id in inside:
                    writes[node.target.id] = True
                visit(node.iter, inside)
                for child in node.body + node.orelse:
                    visit(child, inside | {node.target.id})
                return
            if isinstance(node, ast.Name):
                if isinstance(node.ctx, ast.Load):
                    if node.id not in inside:
                        reads[node.id] = True
                else:
                    writes[node.id] = True
            if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
                for part in node.generators:
                    for sub in ast.walk(part.target):
                        if isinstance(sub, ast.Name):
                            inside = inside | {sub.id}
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.comprehension):
                        visit(child.iter, inside)
                        for test in child.ifs:
                            visit(test, inside)
                    else:
                        visit(child, inside)
                return
            for child in ast.iter_child_nodes(node):
                visit(child, inside)
        for statement in self.function.body:
            visit(statement, frozenset())
        arguments = {a.name for a in self.arguments}
        return {n for n in loops if n not in reads and n not in writes and n not in arguments}

    # ---- the text -------------------------------------------------------------------------------

    def declarations(self):
        out = list(self.declared)
        for name, t in self.types.items():
            if name in self.constants or is_sample(t):
                continue
            if is_sequence(t) and name in self.assigned and name not in self.counted or (is_sequence(t) and name.startswith("choice ")):
                out.append((self.variable(name), t))
        lines = []
        for name, t in out:
            if has_bottom(t):
                if isinstance(t, Lst):
                    t = Lst(REAL)
                elif isinstance(t, Arr):
                    t = Arr(REAL, t.length, t.numpy, t.batch)
            lines.append("  " + self.places.mark(header(self.function), "var %s : %s;" % (name, type_text(t))))
        return lines

    def text_body(self):
        return self.declarations() + self.lines


def header(node):
    """What a diagnostic points at: of a compound statement its first line."""
    if isinstance(node, (ast.FunctionDef, ast.If, ast.For, ast.While)):
        node = copy.copy(node)
        first = node.body[0]
        if first.lineno > node.lineno:
            node.end_lineno, node.end_col_offset = node.lineno, 10 ** 6
    return node
