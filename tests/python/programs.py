"""Random Python functions over everything that the reader reads.

`Program(random)` has the text of a function f(xs, zs, a, m, rng) and the names of the constructs
in it. Numbers are small dyadic fractions, so that floating point is exact and both sides can be
compared without rounding; lengths are 4, so that means are, too.
"""

LENGTH = 4


class Program:
    known = set()  # every construct that some table has

    def __init__(self, r, name):
        self.r, self.name, self.used = r, name, set()
        self.vars = {"real": ["a"], "int": ["m"], "bool": [], "arr": [], "lst": [], "grow": []}
        self.count, self.depth, self.loops, self.helpers = 0, 0, 0, []
        self.lines, self.indent = [], 1
        self.locked = set()
        self.symbolic = r.random() < 0.4  # the length of the lists is a parameter
        self.build()

    # ---- tools ----------------------------------------------------------------------------------

    def say(self, construct):
        self.used.add(construct)

    def pick(self, table):
        """table: {name: function}; the name is what is counted."""
        Program.known |= set(table)
        name = self.r.choice(sorted(table))
        self.say(name)
        return table[name]()

    def fresh(self, kind):
        self.count += 1
        name = "%s%d" % (kind[0], self.count)
        return name

    def put(self, text):
        self.lines.append("    " * self.indent + text)

    def dyadic(self):
        return self.r.choice(["0.5", "1.25", "2", "0.75", "3", "1", "-1.5", "-2", "0", "2.5"])

    # ---- expressions ----------------------------------------------------------------------------

    def real(self, d=2):
        r = self.r
        if d <= 0:
            return r.choice([self.dyadic(), r.choice(self.vars["real"]), "xs[%d]" % r.randrange(LENGTH)])
        return self.pick({
            "+": lambda: "(%s + %s)" % (self.real(d - 1), self.real(d - 1)),
            "-": lambda: "(%s - %s)" % (self.real(d - 1), self.real(d - 1)),
            "*": lambda: "(%s * %s)" % (self.dyadic(), self.real(d - 1)),
            "/": lambda: "%s / %s" % (self.real(0), r.choice("24")),
            "// of a negative number": lambda: "(%s // -2 + m %% -3)" % r.choice(["m", "(m - 5)", "a"]),
            "// of floats": lambda: "(%s // 2)" % self.real(0),
            "% of floats": lambda: "(%s %% 1.5)" % self.real(0),
            "**": lambda: "(%s) ** 2" % self.real(0),
            "** of a negative number": lambda: "(%s * %s ** (-%s))" % (self.real(0), r.choice(["2.0", "2", "0.5", "(abs(a) * 0 + 4)"]), r.choice("12")),
            "unary -": lambda: "(-(%s))" % self.real(d - 1),
            "abs": lambda: "abs(%s)" % self.real(d - 1),
            "max": lambda: "max(%s, %s)" % (self.real(d - 1), self.real(d - 1)),
            "min": lambda: "min(%s, %s, 3)" % (self.real(d - 1), self.real(0)),
            "float": lambda: "float(%s)" % self.int(d - 1),
            "if else": lambda: "(%s if %s else %s)" % (self.real(d - 1), self.bool(d - 1), self.real(d - 1)),
            "negative index": lambda: "xs[-%d]" % r.randrange(1, LENGTH + 1),
            "index": lambda: "xs[%s %% %d]" % (self.int(d - 1), LENGTH),
            "wrapping index": lambda: "xs[%s %% %d - 2]" % (self.int(0), LENGTH),
            "sum": lambda: "sum(%s)" % self.sequence(d - 1),
            "np.sum": lambda: "np.sum(%s)" % self.arr(d - 1),
            ".sum": lambda: "%s.sum()" % self.arr_name(),
            "np.mean": lambda: "np.mean(%s)" % self.arr(d - 1),
            ".mean": lambda: "%s.mean()" % self.arr_name(),
            "np.max": lambda: "np.max(%s)" % self.arr(d - 1),
            "np.min": lambda: "%s.min()" % self.arr_name(),
            "max of list": lambda: "max(xs)",
            "generator": lambda: "sum(%s for v in xs%s)" % (self.inner("v", d - 1), self.filter()),
            "max of generator": lambda: "max(v * v for v in xs)",
            "max with key": lambda: "float(max(range(len(xs)), key=lambda j: %s * xs[j]))" % self.dyadic(),
            "np.dot": lambda: "np.dot(%s, %s)" % (self.arr(0), self.arr(0)),
            "np.diff": lambda: "np.diff(%s).sum()" % self.arr(0),
            "np.bincount": lambda: "np.bincount([int(abs(v)) %% 3 for v in xs], minlength=%d)[%d]" % (r.randrange(3, 6), r.randrange(3)),
            "for over a tuple": lambda: "sum(v * v for v in (%s, %s))" % (self.real(0), self.real(0)),
            "table": lambda: "[%s, 2.5, %s][int(abs(%s)) %% 3]" % (self.real(0), self.real(0), self.real(0)),
            "slice": lambda: "sum(xs[%d:%d])" % (r.randrange(0, 2), r.randrange(2, 5)),
            "slice to the end": lambda: "sum(xs[:-1])",
            "clip": lambda: "min(max(%s, -1), 2.5)" % self.real(d - 1),
            "math.fabs": lambda: "math.fabs(%s)" % self.real(d - 1),
            "math.exp": lambda: "math.exp(0)",
            "math.sqrt": lambda: "math.sqrt(4 * (%s) ** 2)" % self.real(0),
            "helper": lambda: self.helper(d),
            "constant": lambda: "LIMIT",
            "pow": lambda: "pow(%s, 2)" % self.real(0),
            "round to digits": lambda: "round(%s, %d)" % (self.real(0), r.randrange(2)),
            "math.fsum": lambda: "math.fsum(%s)" % self.sequence(0),
            "math.prod": lambda: "math.prod([%s, 0.5, %s])" % (self.real(0), self.int(0)),
            "math.hypot": lambda: "math.hypot(3 * %s, 4 * %s)" % ((lambda v: (v, v))(self.real(0))),
            "math.copysign": lambda: "math.copysign(%s, %s - 0.125)" % (self.real(0), self.dyadic()),
            "math.pow": lambda: "math.pow(%s, 3)" % self.real(0),
            "math.trunc": lambda: "float(math.trunc(%s))" % self.real(d - 1),
            "math.log and exp": lambda: "math.log(math.exp(%s)) * 0" % self.dyadic(),
            "math.log2": lambda: "0 * math.log2(2) + 0 * math.log10(10) + 0 * math.log1p(1) + 0 * math.expm1(1) + 0 * math.log(2, 3)",
            "sum with start": lambda: "sum(xs, %s)" % self.real(0),
            "min with key": lambda: "min(xs, key=lambda v: abs(v - %s))" % self.dyadic(),
            "generator over two": lambda: "sum(v * w for v in xs for w in [1, %s])" % self.dyadic(),
            "generator over zip": lambda: "sum(v * w for v, w in zip(xs, zs))",
            "generator over enumerate": lambda: "sum(j * v for j, v in enumerate(zs, 1))",
            "generator over reversed": lambda: "sum(v for v in reversed(xs))",
            "sorted with key": lambda: "sorted(xs, key=lambda v: %s * v)[%d]" % (r.choice(["-1", "1", "0"]), r.randrange(LENGTH)),
            "sorted reverse": lambda: "sorted(zs, reverse=%s)[%d]" % (r.choice(["True", "False"]), r.randrange(LENGTH)),
            "np.prod": lambda: "np.prod(np.array([%s, 2.0]))" % self.real(0),
            "np scalar functions": lambda: "np.add(%s, np.subtract(1, np.multiply(2, np.divide(%s, 4))))" % (self.real(0), self.real(0)),
            "np.power": lambda: "np.power(%s, 2)" % self.real(0),
            "@": lambda: "(%s @ %s)" % (self.arr(0), self.arr(0)),
            ".dot": lambda: "%s.dot(%s)" % (self.arr_name(), self.arr(0)),
            "np.inner": lambda: "np.inner(%s, %s)" % (self.arr(0), self.arr(0)),
            "mask selection": lambda: "%s.sum()" % self.selection(),
            ".max": lambda: "%s.max()" % self.arr_name(),
            "tuple index": lambda: "(%s, %s)[%s]" % (self.real(0), self.real(0), r.choice(["0", "1", "-1"])),
            "np.float64": lambda: "float(np.float64(%s))" % self.real(0),
            "np.abs of number": lambda: "np.abs(%s)" % self.real(0),
            "closure": lambda: self.closure(),
            "named lambda": lambda: self.lambda_call(),
            "laplace": lambda: self.draw("laplace"),
        }) if r.random() < 0.9 else self.real(0)

    def draw(self, kind=None):
        r = self.r
        return self.pick({
            "rng.laplace": lambda: "rng.laplace(%s, scale=2)" % self.real(0),
            "x + laplace": lambda: "(%s + rng.laplace(scale=%s))" % (self.real(0), r.choice(["1", "0.5"])),
            "laplace - x": lambda: "(rng.laplace(scale=1) - %s)" % self.real(0),
            "rng.normal": lambda: "rng.normal(loc=%s, scale=1)" % self.real(0),
            "rng.exponential": lambda: "rng.exponential(2.0)",
            "rng.uniform": lambda: "rng.uniform(-1, 3)",
            "rng.random": lambda: "rng.random()",
            "standard_normal": lambda: "rng.standard_normal()",
            "random.gauss": lambda: "random.gauss(%s, 2)" % self.real(0),
            "random.expovariate": lambda: "random.expovariate(0.5)",
            "random.uniform": lambda: "random.uniform(0, 2)",
            "np.random.laplace": lambda: "np.random.laplace(0.0, 1.0)",
            "rng.choice of list": lambda: "rng.choice([%s, %s])" % (self.real(0), self.real(0)),
            "rng.choice with p": lambda: "rng.choice(xs, p=[0.25, 0.25, 0.125, 0.375])",
            "rng.choice of argument": lambda: "rng.choice(xs)",
            "rng.gumbel": lambda: "rng.gumbel(%s, 2.0)" % self.real(0),
            "x + gumbel": lambda: "(%s + rng.gumbel(scale=2))" % self.real(0),
            "standard_exponential": lambda: "rng.standard_exponential()",
            "RandomState": lambda: "np.random.RandomState().normal(%s, 1.0)" % self.real(0),
            "default_rng": lambda: "np.random.default_rng().uniform(0, 4)",
            "random.Random": lambda: "random.Random().uniform(0, 2)",
            "random.normalvariate": lambda: "random.normalvariate(%s, 1)" % self.real(0),
            "random.random": lambda: "random.random()",
            "random.choice": lambda: "random.choice([%s, %s, 1])" % (self.real(0), self.real(0)),
            "secrets.choice": lambda: "secrets.choice(xs)",
            "np.random.random": lambda: "np.random.random()",
            "np.random.rand": lambda: "np.random.rand()",
            "np.random.randn": lambda: "np.random.randn()",
            "np.random.random_sample": lambda: "np.random.random_sample()",
            "np.random.exponential": lambda: "np.random.exponential(scale=1.5)",
            "scale 0": lambda: "rng.laplace(%s, 0)" % self.real(0),
        })

    def inner(self, name, d):
        return self.r.choice([name, "%s * 2" % name, "abs(%s)" % name, "%s - %s" % (name, self.real(0)),
                              "max(%s, %s)" % (name, self.dyadic())])

    def filter(self):
        if self.r.random() < 0.5:
            return ""
        self.say("comprehension if")
        return " if v > %s" % self.dyadic()

    def int(self, d=2):
        r = self.r
        if d <= 0:
            return r.choice([str(r.randrange(5)), r.choice(self.vars["int"]), "len(xs)"])
        return self.pick({
            "int +": lambda: "(%s + %s)" % (self.int(d - 1), self.int(d - 1)),
            "int -": lambda: "(%s - %s)" % (self.int(d - 1), self.int(d - 1)),
            "int *": lambda: "(%s * %s)" % (self.int(d - 1), r.choice("23")),
            "int //": lambda: "(%s // %s)" % (self.int(d - 1), r.choice(["2", "3", "-2"])),
            "int %": lambda: "(%s %% %s)" % (self.int(d - 1), r.choice(["2", "3", "-3"])),
            "int()": lambda: "int(%s)" % self.real(d - 1),
            "int of bool": lambda: "int(%s)" % self.bool(d - 1),
            "math.floor": lambda: "math.floor(%s)" % self.real(d - 1),
            "math.ceil": lambda: "math.ceil(%s)" % self.real(d - 1),
            "round": lambda: "round(%s)" % self.real(d - 1),
            "bool + int": lambda: "(%s + %s)" % (self.bool(0), self.int(0)),
            "count of comparisons": lambda: "sum(v > %s for v in xs)" % self.dyadic(),
            "np.argmax": lambda: "int(np.argmax(%s))" % self.arr(d - 1),
            ".argmin": lambda: "int(%s.argmin())" % self.arr_name(),
            "np.count_nonzero": lambda: "int(np.count_nonzero(%s > %s))" % (self.arr(0), self.dyadic()),
            "mask.sum": lambda: "int(np.sum(%s <= %s))" % (self.arr(0), self.real(0)),
            "list.count": lambda: "[1, 2, 1].count(%s)" % self.int(0),
            ".size": lambda: "%s.size" % self.arr_name(),
            ".shape": lambda: "%s.shape[0]" % self.arr_name(),
            "abs of int": lambda: "abs(%s)" % self.int(d - 1),
            "int power": lambda: "2 ** %d" % r.randrange(4),
            "rng.integers": lambda: "int(rng.integers(-1, 4))",
            "rng.binomial": lambda: "int(rng.binomial(%s, 0.5))" % r.choice("12"),
            "rng.geometric": lambda: "int(rng.geometric(0.5))",
            "random.randint": lambda: "random.randint(1, 3)",
            "random.randrange": lambda: "random.randrange(3)",
            "secrets.randbelow": lambda: "secrets.randbelow(4)",
            "secrets.randbits": lambda: "secrets.randbits(2)",
            "randrange from": lambda: "random.randrange(1, 5)",
            "integers below": lambda: "int(rng.integers(5))",
            "integers endpoint": lambda: "int(rng.integers(1, 3, endpoint=True))",
            "np.random.randint": lambda: "int(np.random.randint(0, 4))",
            "rng.choice below": lambda: "int(rng.choice(3))",
            "Counter of argument": lambda: "collections.Counter(xs)[%s]" % self.dyadic(),
            "list.count of argument": lambda: "xs.count(%s)" % self.dyadic(),
            "np.argmin": lambda: "int(np.argmin(%s))" % self.arr(0),
            ".argmax": lambda: "int(%s.argmax())" % self.arr_name(),
            "max with key of lambda": lambda: "max(range(len(xs)), key=lambda j: %s * xs[j])" % self.dyadic(),
            "len of filtered": lambda: "len([v for v in xs if v > %s])" % self.dyadic(),
            "len of selection": lambda: "len(%s)" % self.selection(),
            "len of grown": lambda: "len(%s)" % r.choice(self.vars["grow"] + ["zs"]),
            "math.floor of int division": lambda: "math.floor(%s / 2)" % self.int(0),
            "np.sum of ints": lambda: "int(np.arange(len(xs)).sum())",
            "getrandbits": lambda: "random.getrandbits(1)",
        }) if r.random() < 0.9 else self.int(0)

    def bool(self, d=2):
        r = self.r
        compare = lambda: r.choice(["<", "<=", ">", ">=", "==", "!="])
        if d <= 0:
            return r.choice(self.vars["bool"] + ["True", "False", "(%s %s %s)" % (self.real(0), compare(), self.real(0))])
        return self.pick({
            "compare": lambda: "(%s %s %s)" % (self.real(d - 1), compare(), self.real(d - 1)),
            "compare ints": lambda: "(%s %s %s)" % (self.int(d - 1), compare(), self.int(d - 1)),
            "chain": lambda: "(%s < %s <= %s)" % (self.real(0), self.real(d - 1), self.real(0)),
            "and": lambda: "(%s and %s)" % (self.bool(d - 1), self.bool(d - 1)),
            "or": lambda: "(%s or %s)" % (self.bool(d - 1), self.bool(d - 1)),
            "not": lambda: "(not %s)" % self.bool(d - 1),
            "short circuit": lambda: "(%s > 3 or xs[%s %% %d] > 0)" % (self.int(0), self.int(0), LENGTH),
            "in": lambda: "(%s in [0, 1, 2])" % self.int(d - 1),
            "not in": lambda: "(%s not in xs)" % self.real(0),
            "any": lambda: "any(v > %s for v in xs)" % self.dyadic(),
            "all": lambda: "all(v > %s for v in xs)" % self.dyadic(),
            "np.any": lambda: "bool(np.any(%s > %s))" % (self.arr(0), self.dyadic()),
            "bool == bool": lambda: "(%s == %s)" % (self.bool(0), self.bool(0)),
            "bool()": lambda: "bool(%s)" % self.int(0),
            "coin": lambda: "(rng.random() < %s)" % r.choice(["0.5", "0.25"]),
            "coin >": lambda: "(random.random() > 0.75)",
            "p >= coin": lambda: "(0.25 >= np.random.random())",
            "xor": lambda: "(%s ^ %s)" % (self.bool(0), self.bool(0)),
            "and of bools": lambda: "(%s & %s)" % (self.bool(0), self.bool(0)),
            "np.all": lambda: "bool(np.all(%s > %s))" % (self.arr(0), self.dyadic()),
            ".any": lambda: "bool((%s > %s).any())" % (self.arr_name(), self.dyadic()),
            "comparison with a coin": lambda: "(%s == (rng.random() < 0.5))" % self.bool(0),
        }) if r.random() < 0.9 else self.bool(0)

    def arr_name(self):
        return self.r.choice(self.vars["arr"]) if self.vars["arr"] else "np.asarray(xs)"

    def sequence(self, d):
        return self.r.choice(["xs", "zs", "list(xs)"] + self.vars["lst"] + self.vars["grow"] + ["[%s, %s]" % (self.real(0), self.real(0))])

    def arr(self, d=2):
        r = self.r
        if d <= 0:
            return self.arr_name()
        return self.pick({
            "array + array": lambda: "(%s + %s)" % (self.arr(d - 1), self.arr(d - 1)),
            "array - number": lambda: "(%s - %s)" % (self.arr(d - 1), self.real(0)),
            "array * number": lambda: "(%s * %s)" % (self.arr(d - 1), self.dyadic()),
            "array / number": lambda: "(%s / 2)" % self.arr(d - 1),
            "-array": lambda: "(-%s)" % self.arr(d - 1),
            "np.abs": lambda: "np.abs(%s)" % self.arr(d - 1),
            "np.clip": lambda: "np.clip(%s, -1, 2)" % self.arr(d - 1),
            ".clip": lambda: "%s.clip(-1, 2.5)" % self.arr_name(),
            "np.where": lambda: "np.where(%s > %s, %s, %s)" % (self.arr(0), self.dyadic(), self.arr(d - 1), self.real(0)),
            "np.where &": lambda: "np.where((%s > 0) & (%s < 2), 1.5, %s)" % (self.arr(0), self.arr(0), self.arr(0)),
            "np.where ~": lambda: "np.where(~(%s > 1), 1.5, %s)" % (self.arr(0), self.arr(0)),
            "np.cumsum": lambda: "np.cumsum(%s)" % self.arr(d - 1),
            "np.minimum": lambda: "np.minimum(%s, %s)" % (self.arr(d - 1), self.real(0)),
            "np.maximum": lambda: "np.maximum(%s, %s)" % (self.arr(0), self.arr(0)),
            "np.floor": lambda: "np.floor(%s)" % self.arr(d - 1),
            "np.zeros": lambda: "np.zeros(len(xs))",
            "array of coins": lambda: "np.where(rng.random(len(xs)) < 0.25, %s, %s)" % (self.arr(d - 1), self.real(0)),
            "array of coins >=": lambda: "np.where(rng.random(size=len(xs)) >= 0.25, %s, %s)" % (self.real(0), self.arr_name()),
            "np.linspace": lambda: "(np.asarray(xs) + np.sum(np.linspace(0, 2, 5)) * np.linspace(1, 3, 3)[1])",
            "np.ones": lambda: "(np.ones(len(xs)) * %s)" % self.real(0),
            "np.full": lambda: "np.full(len(xs), %s)" % self.real(0),
            "np.arange": lambda: "(np.arange(len(xs)) * 0.5)",
            "np.zeros_like": lambda: "np.zeros_like(%s)" % self.arr_name(),
            "[::-1]": lambda: "%s[::-1]" % self.arr_name(),
            "np.array of list": lambda: "np.array([%s for v in xs])" % self.inner("v", 0),
            "np.sort": lambda: "np.sort(%s)" % self.arr(0),
            "np.sign": lambda: "np.sign(%s)" % self.arr(0),
            "np.round": lambda: "np.round(%s)" % self.arr(0),
            "np.square": lambda: "np.square(%s)" % self.arr(0),
            "np.concatenate": lambda: "np.abs(%s)" % self.arr_name() if self.symbolic else "np.concatenate((%s[:2], %s[1:3]))" % (self.arr_name(), self.arr_name()),
            "astype": lambda: "(%s.astype(int) * 1.0)" % self.arr_name(),
            "laplace size": lambda: "(%s + rng.laplace(scale=1, size=len(xs)))" % self.arr(0),
            "laplace loc array": lambda: "rng.laplace(%s, 1.0)" % self.arr_name(),
            "normal size": lambda: "rng.normal(0, 2, size=len(xs))",
            "random size": lambda: "rng.random(len(xs))",
            "integers size": lambda: "(rng.integers(0, 3, size=len(xs)) * 1.0)",
            "one sample for all": lambda: "(%s + rng.laplace(scale=1))" % self.arr(0),
            "exponential size": lambda: "rng.exponential(2, size=len(xs))",
            "geometric size": lambda: "(rng.geometric(0.5, size=len(xs)) * 1.0)",
            "gumbel size": lambda: "(%s + rng.gumbel(scale=2, size=len(xs)))" % self.arr(0),
            "binomial size": lambda: "(rng.binomial(2, 0.5, size=len(xs)) * 0.5)",
            "choice size": lambda: "rng.choice([0.5, 1.5], size=len(xs))",
            "uniform size": lambda: "rng.uniform(-1, 1, len(xs))",
            "standard_normal size": lambda: "np.random.standard_normal(len(xs))",
            "laplace size tuple": lambda: "rng.laplace(0, 1, size=(len(xs),))",
            "laplace scale array": lambda: "rng.laplace(scale=np.ones(len(xs)) * 2)",
            "array ** number": lambda: "(%s ** 2)" % self.arr(0),
            "array // number": lambda: "(%s // 2)" % self.arr(0),
            "array % number": lambda: "(%s %% 1.5)" % self.arr(0),
            "array * array": lambda: "(%s * %s)" % (self.arr(0), self.arr(0)),
            "number - array": lambda: "(%s - %s)" % (self.real(0), self.arr(0)),
            "np.full_like of ones": lambda: "(np.ones_like(%s) * %s)" % (self.arr_name(), self.dyadic()),
            "np.copy": lambda: "np.copy(%s)" % self.arr(0),
            ".copy": lambda: "%s.copy()" % self.arr_name(),
            ".cumsum": lambda: "%s.cumsum()" % self.arr_name(),
            ".round": lambda: "%s.round()" % self.arr_name(),
            "np.round to digits": lambda: "np.round(%s, 1)" % self.arr(0),
            "np.ceil": lambda: "np.ceil(%s)" % self.arr(0),
            "np.rint": lambda: "np.rint(%s)" % self.arr(0),
            "np.negative": lambda: "np.negative(%s)" % self.arr(0),
            "np.logical_and": lambda: "np.where(np.logical_and(%s > 0, %s < 2), 1.0, 0.5)" % (self.arr(0), self.arr(0)),
            "np.logical_or": lambda: "np.where(np.logical_or(%s > 1, %s < 0), 1.0, 0.5)" % (self.arr(0), self.arr(0)),
            "np.logical_not": lambda: "np.where(np.logical_not(%s > 1), 1.0, 0.5)" % self.arr(0),
            "np.where of masks |": lambda: "np.where((%s > 1) | (%s < 0), %s, 0.5)" % (self.arr(0), self.arr(0), self.arr(0)),
            "np.append": lambda: "np.append(%s[:3], %s)" % ("np.array([1.5, 2, 3, 4])", self.real(0)) if not self.symbolic else self.arr_name(),
            "np.diff padded": lambda: "np.concatenate(([0.0], np.diff(%s)))" % self.arr_name() if not self.symbolic else self.arr_name(),
            "array + list": lambda: "(%s + [1.5, 2, 0.5, 1])" % self.arr_name() if not self.symbolic else self.arr_name(),
            "arange with step": lambda: "(np.arange(0, 8, 2) * 0.25)" if not self.symbolic else self.arr_name(),
            "np.clip one side": lambda: "np.clip(%s, None, 2)" % self.arr(0),
            "np.sqrt": lambda: "np.sqrt(np.square(%s) * 4)" % self.arr(0),
            "np.exp and log": lambda: "(np.exp(0 * %s) + 0 * np.log(np.ones(len(xs))))" % self.arr(0),
            "tolist and back": lambda: "np.array(%s.tolist())" % self.arr_name(),
            "np.maximum of number": lambda: "np.maximum(%s, %s)" % (self.arr(0), self.dyadic()),
        }) if r.random() < 0.9 else self.arr(0)

    # ---- helpers --------------------------------------------------------------------------------

    def selection(self):
        """Of a name: the mask is about the same array."""
        if not self.vars["arr"]:
            return "np.asarray(xs)[np.asarray(xs) > %s]" % self.dyadic()
        name = self.r.choice(self.vars["arr"])
        return "%s[%s > %s]" % (name, name, self.dyadic())

    def closure(self):
        """A function inside that reads variables of the one around."""
        return "near(%s)" % self.real(0) if self.has_closure else self.real(0)

    def lambda_call(self):
        return "twice(%s)" % self.real(0) if self.has_closure else self.real(0)

    def helper(self, d):
        kind = self.r.choice(["plain", "early", "noisy", "list", "loop", "pair", "nested", "lazy"])
        self.say("helper " + kind)
        name = "h_%s_%s" % (self.name, kind)
        texts = {
            "plain": "def %s(x, y=1.5):\n    z = x + y\n    return z * 2\n",
            "early": "def %s(x, y=2):\n    if x > y:\n        return x - y\n    x += 1\n    return x\n",
            "noisy": "def %s(x, rng, scale=1.0):\n    return x + rng.laplace(scale=scale)\n",
            "list": "def %s(values, cut):\n    total = 0\n    for v in values:\n        if v < cut:\n            continue\n"
                    "        total += v\n    return total\n",
            "lazy": "def %s(values, others):\n    return sum(v * w for v, w in zip(values, others))\n",
            "pair": "def %s(x, y):\n    return (x - y, x + y) if x > y else (y, x)\n",
            "nested": "def %s(x, values):\n    def inner(v):\n        return v + x\n    return inner(values[0]) * 2\n",
            "loop": "def %s(values, x):\n    for i, v in enumerate(values):\n        if v > x:\n            return v * i\n"
                    "    return x\n"}
        if kind not in self.helpers:
            self.helpers.append(kind)
        self.helper_texts = getattr(self, "helper_texts", {})
        self.helper_texts[kind] = texts[kind] % name
        x = self.real(0)
        return {"plain": "%s(%s, y=%s)" % (name, x, self.real(0)), "early": "%s(%s)" % (name, x),
                "pair": "%s(%s, %s)[%s]" % (name, x, self.real(0), self.r.choice("01")), "nested": "%s(%s, zs)" % (name, x),
                "noisy": "%s(%s, rng)" % (name, x), "list": "%s(xs, %s)" % (name, x),
                "lazy": "%s((v + %s for v in xs), zs)" % (name, x), "loop": "%s(zs, %s)" % (name, x)}[kind]

    # ---- statements -----------------------------------------------------------------------------

    def new(self, kind, text):
        name = self.fresh(kind)
        self.put("%s = %s" % (name, text))
        self.vars[kind].append(name)

    def statement(self, d):
        r = self.r
        table = {
            "assign real": lambda: self.assign("real"),
            "assign int": lambda: self.assign("int"),
            "assign bool": lambda: self.assign("bool"),
            "augmented": self.augmented,
            "swap": self.swap,
            "append": self.append,
            "item": self.item,
            "own items": self.own_items,
            "array augmented": self.array_augmented,
            "masked assignment": self.masked,
            "chained assignment": self.chained,
            "nested tuple": self.nested_tuple,
            "annotated": self.annotated,
        }
        if d > 0:
            table.update({"if": lambda: self.branch(d), "for range": lambda: self.loop(d, "range"),
                          "for list": lambda: self.loop(d, "list"), "for enumerate": lambda: self.loop(d, "enumerate"),
                          "for zip": lambda: self.loop(d, "zip"), "for reversed": lambda: self.loop(d, "reversed"),
                          "for step": lambda: self.loop(d, "step"), "for down": lambda: self.loop(d, "down"),
                          "for tuple": lambda: self.loop(d, "tuple"), "for zip of slices": lambda: self.loop(d, "slices"),
                          "for enumerate zip": lambda: self.loop(d, "pairs"), "for array": lambda: self.loop(d, "array"),
                          "for else": lambda: self.for_else(d), "while else": lambda: self.while_else(d),
                          "while": lambda: self.while_loop(d), "while true": lambda: self.while_true(d)})
        self.pick(table)

    def assign(self, kind):
        names = [n for n in self.vars[kind] if n not in ("a", "m") and n not in self.locked]
        if not names or (self.indent == 1 and self.r.random() < 0.6):
            if self.indent == 1:
                return self.new(kind, getattr(self, kind)(2))
            return self.put("pass")
        self.put("%s = %s" % (self.r.choice(names), getattr(self, kind)(2)))

    def augmented(self):
        kind = self.r.choice(["real", "int"])
        names = [n for n in self.vars[kind] if n not in ("a", "m") and n not in self.locked]
        if not names:
            return self.put("pass")
        op = self.r.choice(["+=", "-="])
        self.put("%s %s %s" % (self.r.choice(names), op, getattr(self, kind)(1)))

    def masked(self):
        names = [n for n in self.vars["arr"] if n not in self.locked]
        if not names:
            return self.put("pass")
        name = self.r.choice(names)
        self.put("%s[%s %s %s] = %s" % (name, name, self.r.choice(["<", ">="]), self.dyadic(), self.real(0)))

    def free(self, kind):
        return [n for n in self.vars[kind] if n not in ("a", "m") and n not in self.locked]

    def chained(self):
        names = self.free("real")
        if len(names) < 2:
            return self.put("pass")
        self.put("%s = %s = %s" % (*self.r.sample(names, 2), self.real(1)))

    def nested_tuple(self):
        names = self.free("real")
        if len(names) < 3:
            return self.put("pass")
        x, y, z = self.r.sample(names, 3)
        self.put("(%s, %s), %s = (%s, %s), %s" % (x, y, z, self.real(0), self.real(0), self.real(0)))

    def annotated(self):
        names = self.free("real")
        self.put("%s: float = %s" % (self.r.choice(names), self.real(1)) if names else "pass")

    def swap(self):
        names = [n for n in self.vars["real"] if n != "a" and n not in self.locked]
        if len(names) < 2:
            return self.put("pass")
        x, y = self.r.sample(names, 2)
        self.put("%s, %s = %s, %s + 1" % (x, y, y, x))

    def append(self):
        if not self.vars["grow"]:
            if self.indent > 1:
                return self.put("pass")
            name = self.fresh("grow")
            self.put("%s = []" % name)
            self.vars["grow"].append(name)
        name = self.r.choice([g for g in self.vars["grow"]])
        if name in self.locked:
            return self.put("pass")
        if self.r.random() < 0.2:
            self.say("extend")
            return self.put("%s.extend(%s)" % (name, self.r.choice([
                "[%s, %s]" % (self.real(0), self.real(0)), "xs", "v * 2 for v in zs if v > 0", "[v - 1 for v in xs]"])))
        if self.r.random() < 0.2:
            self.say("list +=")
            return self.put("%s += [%s]" % (name, self.real(1)))
        self.put("%s.append(%s)" % (name, self.real(1)))

    def item(self):
        if not self.vars["lst"]:
            return self.put("pass")
        name = self.r.choice(self.vars["lst"])
        if name in self.locked:
            return self.put("pass")
        index = self.r.choice(["%d" % self.r.randrange(LENGTH), "-1", "%s %% %d" % (self.int(0), LENGTH)])
        self.put("%s[%s] %s %s" % (name, index, self.r.choice(["=", "+="]), self.real(1)))

    def own_items(self):
        """A list or an array that is made of its own items, in another order."""
        if self.indent > 1:
            return self.put("pass")
        name = self.fresh("own")
        array = self.r.random() < 0.5
        self.put("%s = %s" % (name, ("np.array([%s])" if array else "[%s]") % ", ".join(self.dyadic() for _ in range(3))))
        items = ["%s[%d]" % (name, i) for i in range(3)]
        self.r.shuffle(items)
        items[0] = "max(%s, %s)" % (items[0], items[1])
        self.put("%s = %s" % (name, (self.r.choice(["np.array([%s]) * 2", "np.maximum([%s], 0)", "np.array([%s])"]) if array else "[%s]") % ", ".join(items)))
        self.new("real", "%s[0] - %s[1] + 2 * %s[2]" % (name, name, name))

    def array_augmented(self):
        names = [n for n in self.vars["arr"] if n not in self.locked]
        if not names:
            return self.put("pass")
        if self.r.random() < 0.3:
            return self.put("%s *= %s" % (self.r.choice(names), self.r.choice(["0.5", "-1"])))
        self.put("%s += %s" % (self.r.choice(names), self.r.choice([self.real(0), self.arr(1) if not self.loops else self.dyadic()])))

    def block(self, d, extra=()):
        self.indent += 1
        for _ in range(self.r.randrange(1, 3)):
            self.statement(d - 1)
        for line in extra:
            self.put(line)
        self.indent -= 1

    def branch(self, d):
        self.put("if %s:" % self.bool(2))
        self.block(d)
        if self.r.random() < 0.4:
            self.say("elif")
            self.put("elif %s:" % self.bool(1))
            self.block(d)
        if self.r.random() < 0.6:
            self.say("else")
            self.put("else:")
            self.block(d)

    def jump(self):
        if self.r.random() < 0.5:
            return
        word = self.r.choice(["break", "continue"])
        self.say(word)
        self.indent += 1
        self.put("if %s:" % self.bool(1))
        self.indent += 1
        if self.r.random() < 0.5:
            self.statement(0)
        self.put(word)
        self.indent -= 2

    def loop(self, d, kind):
        if self.loops >= 2:
            return self.put("pass")
        self.loops += 1
        i, v = self.fresh("int"), self.fresh("real")
        source = "xs"
        if kind == "list" and self.r.random() < 0.5:
            usable = [n for n in self.vars["lst"] + self.vars["arr"] + self.vars["grow"] if n not in self.locked]
            source = self.r.choice(usable) if usable else "xs"
        header = {"range": "for %s in range(%s):" % (i, self.r.choice(["3", "1, 4", "len(xs)", "m"])),
                  "list": "for %s in %s:" % (v, source),
                  "enumerate": "for %s, %s in enumerate(xs):" % (i, v),
                  "zip": "for %s, %s in zip(xs, zs):" % (v, self.fresh("real")),
                  "reversed": "for %s in reversed(%s):" % ((v, "xs") if self.r.random() < 0.5 else (i, "range(3)")),
                  "tuple": "for %s in (%s, 1, %s):" % (v, self.real(0), self.dyadic()),
                  "slices": "for %s, %s in zip(xs[:-1], xs[1:]):" % (v, self.fresh("real")),
                  "pairs": "for %s, (%s, %s) in enumerate(zip(zs, xs)):" % (i, v, self.fresh("real")),
                  "array": "for %s in np.asarray(xs) * 2:" % v,
                  "step": "for %s in range(0, %s, 2):" % (i, self.r.choice(["5", "len(xs)", "m"])),
                  "down": "for %s in range(%s, -1, -1):" % (i, self.r.choice(["3", "m"]))}[kind]
        if source != "xs":
            self.locked.add(source)
        self.put(header)
        saved = {k: list(x) for k, x in self.vars.items()}
        if " %s" % i in header:
            self.vars["int"].append(i)
        if "for %s " % v in header or ", %s in" % v in header or "for %s," % v in header or ", (%s," % v in header:
            self.vars["real"].append(v)
        self.locked |= {i, v}
        self.jump()
        self.block(d)
        self.jump()
        grown = self.vars
        self.vars = saved
        self.locked.discard(source)
        self.loops -= 1

    def while_loop(self, d):
        if self.loops >= 2:
            return self.put("pass")
        self.loops += 1
        i = self.fresh("int")
        self.put("%s = 0" % i)
        self.put("while %s < %d and %s:" % (i, self.r.randrange(1, 5), self.bool(1)))
        saved = {k: list(x) for k, x in self.vars.items()}
        self.vars["int"].append(i)
        self.locked.add(i)
        self.indent += 1
        self.put("%s += 1" % i)
        self.indent -= 1
        self.jump()
        self.block(d)
        self.vars = saved
        self.loops -= 1

    def for_else(self, d):
        names = self.free("real")
        if self.loops >= 2 or not names:
            return self.put("pass")
        name, v = self.r.choice(names), self.fresh("real")
        self.put("for %s in zs:" % v)
        if self.r.random() < 0.7:
            self.put("    if %s > %s:" % (v, self.dyadic()))
            self.put("        %s = %s + 1" % (name, v))
            self.put("        break")
        else:
            self.put("    %s += %s" % (name, v))
        self.put("else:")
        self.put("    %s = %s" % (name, self.real(1)))

    def while_else(self, d):
        names = self.free("real")
        if self.loops >= 2 or not names:
            return self.put("pass")
        name, i = self.r.choice(names), self.fresh("int")
        self.put("%s = 0" % i)
        self.put("while %s < 3:" % i)
        self.put("    %s += 1" % i)
        if self.r.random() < 0.7:
            self.put("    if xs[%s] > %s:" % (i, self.dyadic()))
            self.put("        break")
        self.put("else:")
        self.put("    %s = %s" % (name, self.real(1)))

    def while_true(self, d):
        if self.loops >= 2:
            return self.put("pass")
        self.loops += 1
        i = self.fresh("int")
        self.put("%s = 0" % i)
        self.put("while True:")
        saved = {k: list(x) for k, x in self.vars.items()}
        self.locked.add(i)
        self.indent += 1
        self.put("%s += 1" % i)
        self.put("if %s > %d:" % (i, self.r.randrange(1, 4)))
        self.put("    break")
        self.indent -= 1
        self.block(d)
        self.vars = saved
        self.loops -= 1

    # ---- the whole ------------------------------------------------------------------------------

    def result(self):
        r = self.r
        parts = [r.choice(self.vars["real"]), r.choice(self.vars["int"])]
        if self.vars["bool"]:
            parts.append(r.choice(self.vars["bool"]))
        if self.vars["grow"] and r.random() < 0.7:
            self.say("return list")
            parts.append(r.choice(self.vars["grow"]))
        if self.vars["arr"] and r.random() < 0.5:
            self.say("return array")
            parts.append(r.choice(self.vars["arr"]))
        self.say("return tuple")
        if r.random() < 0.1:
            self.say("return tuple of list")
            parts.append("tuple(xs)")
        if r.random() < 0.1:
            self.say("return slice")
            parts.append("xs[1:]")
        return "return %s" % ", ".join(parts)

    def build(self):
        r = self.r
        if r.random() < 0.3:
            self.say("numpy seed")
            self.put("np.random.seed()")
        self.has_closure = False
        if r.random() < 0.3:
            self.named()
        self.new("real", r.choice([self.real(1), "0"]))
        self.new("int", self.int(1))
        if r.random() < 0.7:
            self.new("bool", self.bool(1))
        if r.random() < 0.6:
            self.new("arr", r.choice(["np.asarray(xs) * 1.0", "np.array(xs)", "np.array(xs, dtype=float)", "np.zeros(len(xs))"]))
        for _ in range(r.randrange(3) if self.vars["arr"] else 0):
            self.new("arr", self.arr(2))
        if r.random() < 0.5:
            self.say("list of known length")
            self.new("lst", r.choice(["[0.0] * len(xs)", "list(xs)", "[v + 1 for v in xs]", "[0 for _ in range(len(xs))]",
                                      "[x * y for x, y in zip(xs, zs)]", "[rng.laplace(v, 2) for v in xs]",
                                      "[j + v for j, v in enumerate(zs)]", "[v if v > 0 else 0 for v in xs]",
                                      "[v for v in reversed(xs)]", "sorted(xs)", "list(reversed(zs))"]))
        if r.random() < 0.4:
            self.say("filtered list")
            name = self.fresh("grow")
            self.put("%s = [v * 2 for v in xs if v > %s]" % (name, self.dyadic()))
            self.vars["grow"].append(name)
        if r.random() < 0.15:
            self.counting()
        if r.random() < 0.7:
            self.new("real", self.draw())
        if r.random() < 0.4:
            self.pick({"noise for later": self.noise_for_later, "walrus": self.walrus, "map": self.mapped,
                       "first and rest": self.first_and_rest, "another name": self.another_name, "versions": self.versions})
        for _ in range(r.randrange(2, 6)):
            self.statement(2)
        if r.random() < 0.3:
            self.extras()
        self.yields = r.random() < 0.15
        if self.yields:
            return self.build_generator()
        self.final = self.result()
        if r.random() < 0.3:
            self.say("early return")
            self.put("if %s:" % self.bool(1))
            self.put("    " + self.final)
            if self.vars["real"][-1] not in ("a",):
                self.put("%s = %s" % (self.vars["real"][-1], self.real(1)))
        self.put(self.final)
        self.finish()

    def finish(self):
        head = "def %s(xs, zs, a, m, rng):" % self.name
        helpers = getattr(self, "helper_texts", {})
        self.text = "".join(helpers[k] + "\n" for k in sorted(helpers)) + head + "\n" + "\n".join(self.lines) + "\n"

    def named(self):
        """Constants of the function, functions inside it, a lambda with a name."""
        self.say("named constants")
        self.put("count, half = len(xs), 0.5")
        self.put("shifted = np.asarray(xs) + half")
        self.vars["real"].append("half")
        self.vars["int"].append("count")
        self.locked |= {"half", "count"}
        self.put("def near(v):")
        self.put("    if v > a:")
        self.put("        return v - a")
        self.put("    return half * shifted[count - 1]")
        self.put("twice = lambda v: 2 * v + a")
        self.has_closure = True

    def noise_for_later(self):
        """An array of noise that is read once, in a sum, before anything else is drawn."""
        noise, between = self.fresh("noise"), self.fresh("int")
        self.put("%s = rng.%s(scale=%s, size=len(xs))" % (noise, self.r.choice(["laplace", "normal", "exponential"]), self.r.choice("12")))
        self.put("%s = m + 1" % between)
        self.new(*self.r.choice([("arr", "np.asarray(xs) + %s"), ("arr", "%s + np.asarray(zs)"), ("int", "int(np.argmax(np.asarray(xs) + %s))"),
                                 ("real", "np.sum(2 * (np.asarray(xs) + %s))"), ("arr", "np.asarray(xs) - 2 * %s")]))
        self.lines[-1] = self.lines[-1] % noise

    def walrus(self):
        name, other = self.fresh("real"), self.fresh("real")
        self.put("%s = 0" % other)
        self.put("if (%s := %s) > %s and %s < 3:" % (name, self.r.choice([self.real(1), self.draw()]), self.dyadic(), name))
        self.put("    %s = %s + 1" % (other, name))
        self.vars["real"] += [name, other]

    def mapped(self):
        self.new("lst", self.r.choice(["list(map(lambda v: 2 * v + a, xs))", "list(map(abs, zs))", "list(map(max, xs, zs))",
                                       "list(map(lambda v, w: v - w, xs, zs))", "list(map(lambda v: v + rng.laplace(scale=1), xs))"]))

    def first_and_rest(self):
        first, rest = self.fresh("real"), self.fresh("rest")
        if self.r.random() < 0.5:
            self.say("unpack a list")
            second = self.fresh("real")
            self.put("%s, %s = [%s, %s]" % (first, second, self.real(0), self.real(0)))
            self.vars["real"].append(second)
        self.put("%s, *%s = xs" % (first, rest))
        self.vars["real"].append(first)
        self.new("real", "sum(%s)" % rest)

    def another_name(self):
        name = self.fresh("data")
        self.put("%s = np.asarray(xs)" % name)
        self.new("arr", "%s * 2 + np.asarray(%s)" % (name, name))

    def versions(self):
        """One name for one thing after another."""
        name = self.fresh("version")
        self.put("%s = %s" % (name, self.real(1)))
        self.put("%s = [%s + v for v in xs]" % (name, name))
        self.put("for p in range(len(xs)):")
        self.put("    %s[p] = %s[p] * 2" % (name, name))
        self.put("%s = %s(%s) * 0.5" % (name, self.r.choice(["np.asarray", "np.array"]), name))
        if self.r.random() < 0.5:
            self.put("%s += 1" % name)
        self.put("%s = %s" % (name, self.r.choice(["np.clip(%s, -1, 2)", "%s[::-1]", "%s + rng.laplace(scale=2, size=len(xs))"]) % name))
        self.vars["arr"].append(name)

    def counting(self):
        """A list that is only counted, and lists of different lengths side by side."""
        self.say("counted list")
        marks, n = self.fresh("marks"), self.fresh("int")
        self.put("%s = []" % marks)
        self.put("for x in xs:")
        self.put("    if x > %s:" % self.dyadic())
        self.put("        %s.append(%s)" % (marks, self.r.choice(["True", "x > 1", "1"])))
        self.put("    else:")
        self.put("        %s.append(False)" % marks)
        self.put("%s = %s.count(False)" % (n, marks))
        self.vars["int"].append(n)
        if self.r.random() < 0.5:
            self.say("zip_longest")
            some, n = self.fresh("grow"), self.fresh("int")
            self.put("%s = [v > 0 for v in xs if v > -1]" % some)
            self.put("%s = sum(p != q for p, q in zip_longest([w > 1 for w in zs], %s))" % (n, some))
            self.vars["int"].append(n)

    def build_generator(self):
        """Yields instead of a result; the last loop may end the function by break."""
        r = self.r
        self.say("yield")
        self.put("yield %s" % self.real(1))
        self.put("for q in xs:")
        self.put("    yield q + rng.laplace(scale=1)")
        self.put("    if %s:" % self.bool(1))
        self.put("        break")
        if r.random() < 0.5:
            self.put("    yield %s" % self.int(1))
        if r.random() < 0.3:
            self.put("yield %s" % self.real(1))
        self.finish()

    def extras(self):
        """Things that are found in loops for the largest item."""
        kind = self.r.choice(["inf", "none", "none function", "none index"])
        best, index = self.fresh("real"), self.fresh("int")
        if kind == "inf":
            self.say("-inf")
            self.put("%s = -math.inf" % best)
            self.put("%s = 0" % index)
            self.put("for p, x in enumerate(xs):")
            self.put("    if x + rng.laplace(scale=1) > %s:" % best)
            self.put("        %s = x" % best)
            self.put("        %s = p" % index)
        elif kind == "none index":
            self.say("None after a loop")
            where, start = self.fresh("int"), self.r.choice(["None", "-np.inf"])
            self.put("%s, %s = %s, None" % (best, where, start))
            self.put("for p, x in enumerate(%s):" % self.r.choice(["xs", "zs[1:]"]))
            self.put("    if %s%s > %s:" % ("%s is None or " % best if start == "None" else "", self.r.choice(["x", "x + rng.laplace(scale=1)"]), best))
            self.put("        %s, %s = x, p" % (best, where))
            self.put("%s = -1 if %s is None else %s" % (index, where, where))
        else:
            self.say("None")
            self.put("%s, %s = None, 0" % (best, index))
            self.put("for p in range(len(zs)):")
            self.put("    if %s is None or zs[p] > %s:" % (best, best))
            self.put("        %s, %s = zs[p], p" % (best, index))
        self.vars["int"].append(index)
