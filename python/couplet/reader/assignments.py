"""Assignments to variables: values, samples, constants, tuples."""

import ast

from .base import (Arr, BOOL, BOTTOM, E, FIXED, INT, Linear, Lst, NONE, Opt, REAL, RNG, Refusal, SCALARS, Tup, holds_list, is_decided, is_numpy,
                   is_sample, is_sequence, taint, unmark)
from .expr import RNG_PY
from .looks import assigned_names, is_summand, may_have_no_value, mutated_names


class Assignments:
    def s_Assign(self, s):
        if s in self.as_they_are:
            self.expr(s.value)
            return
        if len(s.targets) > 1:
            value = self.expr(s.value)
            if holds_list(value.type):
                raise Refusal(s, "two names for one list", "copy it for the second name")
            if value.type in SCALARS and value.const is None:
                name = self.temp("value", value.type)
                self.put("%s := %s;" % (name, value.text), s)
                value = taint(E(name, value.type, nonneg=value.nonneg), value)
            for target in s.targets:
                self.assign(target, value, s)
            return
        target = s.targets[0]
        if isinstance(target, ast.Name):
            self.assign_value(target.id, s.value, s)
        elif isinstance(target, ast.Subscript):
            self.assign_item(target, s.value, s)
        else:
            self.assign(target, self.expr(s.value), s)

    def s_AnnAssign(self, s):
        if s.value is not None:
            self.s_Assign(ast.copy_location(ast.Assign([s.target], s.value), s))

    def s_AugAssign(self, s):
        read = ast.copy_location(ast.Name(s.target.id, ast.Load()), s.target) if isinstance(s.target, ast.Name) else s.target
        if isinstance(s.target, ast.Subscript):
            index, slot = self.slot(s.target, s)
            old = E(slot, index.type.elem, private=index.private, noisy=index.noisy)
            value = self.expr(s.value)
            self.store(index, slot, self.binary(s, s.op, old, value), s, s.target)
            return
        if not isinstance(s.target, ast.Name):
            raise Refusal(s.target, "only variables and items can be assigned", "use a variable")
        old = self.types.get(s.target.id)
        if old is not None and is_sequence(old):
            self.mutate(s.target.id, s)
            if isinstance(old, Lst) or not old.numpy:
                if not isinstance(s.op, ast.Add):
                    raise Refusal(s, "of lists only `+=` can be read")
                self.extend(s.target.id, self.expr(s.value), s)
                return
        node = ast.copy_location(ast.BinOp(read, s.op, s.value), s)
        if is_numpy(old):
            self.check_width(s.target.id, old, getattr(self.peek(node).type, "elem", BOTTOM), s)
        self.assign_value(s.target.id, node, s)

    def assign_value(self, name, node, s):
        """name = node, where the value can be a sample or a list that is made in its place."""
        if isinstance(node, ast.Lambda):
            return self.name_lambda(name, node, s)
        self.check_assignable(name, s)
        if name in self.noise_names:
            raise Refusal(s, "`%s` is the name of some noise, and assigned again" % name, "use another name")
        if self.name_noise(name, node, s):
            return
        if name in self.counted:
            self.start_counters(name, s)
            return
        if isinstance(node, ast.Call) and self.resolve(node.func) == "collections.Counter":
            self.tallies[name] = self.tallied(name, node)
            return
        if isinstance(node, ast.Call) and self.resolve(node.func) == "numpy.empty":
            return self.finish_assign(name, self.empty_array(name, node, s), node, s)
        mentions = any(isinstance(x, ast.Name) and x.id == name for x in ast.walk(node))
        dp = self.variable(name)
        t = self.types.get(name, BOTTOM)
        if isinstance(node, ast.ListComp) and not mentions and name not in self.growing and not is_numpy(t):
            self.finish_assign(name, self.comprehension(node, dp if not isinstance(t, Lst) else None), node, s)
            return
        if self.is_noise_for_later(name, node, s):
            self.deferred[name] = node
            return
        dist = self.as_draw(node) if not isinstance(t, Opt) else None
        if dist:
            in_place = dist.length is None or not mentions
            e = self.draw(dist, node, dp if in_place and name not in self.growing else None)
            self.finish_assign(name, e, node, s)
            return
        if isinstance(node, ast.Call) and self.resolve(node.func) == "map":
            raise Refusal(node, "map() computes its items later", "write `list(map(...))`")
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            self.check_alias(name, node.value, self.peek(node.value).type, s, True)
        e = self.expr(node)
        if not name.startswith("choice "):
            self.check_alias(name, node, e.type, s, True)
        self.finish_assign(name, e, node, s)

    def is_noise_for_later(self, name, node, s):
        """An array of noise that is read once, in a sum, before anything else is drawn: it is drawn there, around the other
        summand, as it is proved."""
        body = self.function.body
        if self.find_draw(node) is None or self.assigned.get(name) != 1 or name in self.mutated["all"] or s not in body:
            return False
        reads = [x for x in ast.walk(self.function) if isinstance(x, ast.Name) and x.id == name and isinstance(x.ctx, ast.Load)]
        later = body[body.index(s) + 1:]
        use = next((u for u in later if len(reads) == 1 and any(x is reads[0] for x in ast.walk(u))), None)
        if not isinstance(use, (ast.Assign, ast.Return)) or not is_summand(reads[0], use.value):
            return False
        between = later[:later.index(use)]
        names = {x.id for x in ast.walk(node) if isinstance(x, ast.Name)}
        if any(self.has_draw(u) for u in between + [use.value]) or names & (set(assigned_names(between)) | mutated_names(between)["all"]):
            return False
        dist = self.capture(lambda: self.as_draw(node))[0]
        return dist.length is not None and not is_sample(Arr(REAL, dist.length, True, dist.batch))

    def tallied(self, name, node):
        """`counts = collections.Counter(xs)`: of a sequence that never changes, read as `counts[k]` only."""
        source = node.args[0] if len(node.args) == 1 and not node.keywords else None
        inside = {x.value for x in ast.walk(self.function) if isinstance(x, ast.Subscript) and isinstance(x.ctx, ast.Load)}
        other = [x for x in ast.walk(self.function) if isinstance(x, ast.Name) and x.id == name and isinstance(x.ctx, ast.Load) and x not in inside]
        steady = isinstance(source, ast.Name) and source.id in self.by_name and source.id not in self.assigned and \
            source.id not in self.mutated["all"]
        if other or not steady or self.assigned.get(name) != 1 or self.depth > 1 or self.loop_stack:
            raise Refusal(other[0] if other else node, "of a Counter only `counts[k]` can be read, and it has to count an argument that "
                          "does not change", "count in a loop")
        return source

    def finish_assign(self, name, e, node, s):
        dp = self.variable(name)
        self.note_presence(name, e)
        if e.type in (RNG, RNG_PY):
            self.types[name] = e.type
            return
        if e.type == NONE:
            self.learn_variable(name, Opt(BOTTOM, "None"), False, False, s, False)
        elif is_sequence(e.type):
            self.assign_sequence(name, dp, e, s)
            return
        else:
            self.learn_variable(name, e.type, e.private, e.noisy, s, e.local, e.const)
            if e.smooth:
                self.smooth.setdefault(name, set()).add(s)
        t = self.types[name]
        if t == INT and not e.nonneg:
            self.maybe_negative.add(name)
        if self.names_a_constant(name, e, node):
            self.constants[name] = e
            return
        if isinstance(t, Opt):
            self.assign_optional(name, dp, e, s)
        elif isinstance(t, Tup) and e.parts:
            parts = [self.fit(p, want) for p, want in zip(e.parts, t.parts)]
            self.put("%s := (%s);" % (dp, ", ".join(p.text for p in parts)), s)
        elif e.text != dp:
            self.put("%s := %s;" % (dp, self.fit(e, t).text), s)

    def names_a_constant(self, name, e, node):
        """Assigned once, for the whole function, to what parameters and numbers are made of: the value stands for it."""
        known = e.linear is not None or e.const is not None or self.is_public_formula(e, node)
        return known and e.type == self.types[name] and self.assigned.get(name) == 1 and self.depth == 1 and \
            not self.loop_stack and name not in self.by_name and not (self.under_decided and may_have_no_value(node))

    def is_public_formula(self, e, node):
        """Arithmetic over public numbers: what scales are made of."""
        if e.private or e.noisy or e.type not in (INT, REAL) or len(e.text) > 200:
            return False
        lengths = [x for x in ast.walk(node) if self.is_known_length(x)]
        inside = {id(y) for x in lengths for y in ast.walk(x)}
        for x in ast.walk(node):
            if id(x) in inside:
                continue
            if isinstance(x, ast.Call) and not (self.resolve(x.func) or "").startswith("math.") and \
                    self.resolve(x.func) not in ("abs", "min", "max", "float", "numpy.sqrt", "numpy.log", "numpy.exp"):
                return False
            if isinstance(x, (ast.Subscript, ast.IfExp, ast.BoolOp, ast.ListComp, ast.GeneratorExp, ast.List)):
                return False
            if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Load) and not self.is_public_number(x.id):
                return False
        return True

    def is_known_length(self, node):
        """len(x) of a sequence whose length is made of parameters."""
        return isinstance(node, ast.Call) and self.resolve(node.func) == "len" and len(node.args) == 1 and isinstance(node.args[0], ast.Name) and \
            isinstance(self.peek(node.args[0]).type, Arr) and not self.peek(node.args[0]).type.batch

    def is_public_number(self, name):
        if name in self.by_name:
            a = self.by_name[name]
            return name not in self.assigned and not a.private and a.type in (INT, REAL, FIXED)
        return name in self.constants or name not in self.assigned and name not in self.bound_names and (
            name in self.module.constants or name in self.module.imports or name in ("abs", "min", "max", "float"))

    def names_an_expression(self, name, e, s):
        """An array that is computed item by item from what never changes, and read once: it needs no variable."""
        if not is_numpy(e.type) or e.item is None or self.types[name] != e.type or self.depth > 1 or self.loop_stack or \
                not isinstance(s, ast.Assign) or self.assigned.get(name) != 1 or name in self.mutated["all"] or name in self.by_name:
            return False
        reads = [x for x in ast.walk(self.function) if isinstance(x, ast.Name) and x.id == name and isinstance(x.ctx, ast.Load)]
        sources = [x.id for x in ast.walk(s.value) if isinstance(x, ast.Name)]
        count = len([x for x in reads if not self.is_length(x)])
        return (count <= 1 or self.is_public_row(e) or count <= 3 and self.is_short_row(e)) and not any(n in self.mutated["all"] or (
            n in self.assigned and n not in self.constants) for n in sources)

    def is_public_row(self, e):
        """Are the items a formula over their index, as those of np.arange and np.linspace?"""
        item, _ = self.capture(lambda: self.item(e, "k"))
        return self.is_short_row(e) and not is_decided(item) and "[" not in item.text

    def is_short_row(self, e):
        """Does it cost little to compute an item anew? What is known of the data then is known of it, too."""
        item, lines = self.capture(lambda: self.item(e, "k"))
        return not lines and len(unmark(item.text)) < 60

    def names_another(self, name, e, s):
        """An argument under another name, `x = np.asarray(a)`, or an array that was just made and has none; none of them ever changed."""
        if not (isinstance(e.type, Arr) and e.item is None and self.types[name] == e.type and self.depth == 1 and not self.loop_stack and
                isinstance(s, ast.Assign) and self.assigned.get(name) == 1 and name not in self.mutated["all"]):
            return False
        return e.text in {d[0] for d in self.declared} or any(
            a.dp == e.text and a.name not in self.assigned and a.name not in self.mutated["all"] for a in self.arguments)

    def is_length(self, name):
        """`len(x)` needs no items."""
        return any(isinstance(c, ast.Call) and isinstance(c.func, ast.Name) and c.func.id == "len" and name in c.args
                   for c in ast.walk(self.function))

    def assign_optional(self, name, dp, e, s):
        there = self.variable(name + " is there")
        if e.type == NONE or (isinstance(e.type, Opt) and e.present == "false"):
            self.put("%s := 0;" % dp if self.types[name].elem != BOOL else "%s := false;" % dp, s)
            self.put("%s := false;" % there, s)
        elif isinstance(e.type, Opt):
            self.put("(%s, %s) := (%s, %s);" % (dp, there, e.text, e.present), s)
        else:
            self.put("%s := %s;" % (dp, self.fit(e, self.types[name].elem).text), s)
            self.put("%s := true;" % there, s)

    def assign_sequence(self, name, dp, e, s):
        t = e.type
        if name in self.growing and is_numpy(t):
            raise Refusal(s, "an array does not grow; `%s` does" % name, "start with a list")
        if name in self.growing or isinstance(t, Lst):
            t = Lst(t.elem)
        self.learn_variable(name, t, e.private, e.noisy, s, e.local)
        if is_numpy(t):
            self.widths.setdefault(name, set()).add(t.elem)
        if self.names_an_expression(name, e, s) or self.names_another(name, e, s):
            self.constants[name] = e
            return
        t = self.types[name]
        if not self.loop_stack and self.depth == 1:
            self.fresh.add(name)
        if isinstance(t, Lst):
            text = self.list_text(e, s, t.elem)
            if text != dp:
                self.put("%s := %s;" % (dp, text), s)
        elif e.item is None and e.text == dp:
            pass
        elif is_sample(t):
            self.put("%s := %s;" % (dp, self.fit(self.item(e, "0"), t.elem).text), s)
        elif e.item is None and e.type == t:
            self.put("%s := %s;" % (dp, e.text), s)
        else:
            source = e
            self.stored(taint(E("", t, item=lambda k: self.item(source, k), parts=e.parts), e), s, dp)

    def assign(self, target, e, s):
        """A value that is there already, to any kind of target."""
        if isinstance(target, ast.Name):
            self.check_assignable(target.id, s)
            self.check_alias(target.id, s.iter if isinstance(s, ast.For) else s.value, e.type, s)
            self.finish_assign(target.id, e, s, s)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self.unpack(target, e, s)
        elif isinstance(target, ast.Subscript):
            whole, slot = self.slot(target, s)
            self.store(whole, slot, e, s, target)
        else:
            raise Refusal(target, "only variables and items can be assigned", "use a variable")

    def unpack(self, target, e, s):
        if any(isinstance(t, ast.Starred) for t in target.elts):
            return self.unpack_rest(target, e, s)
        parts = e.parts
        if parts is None and isinstance(e.type, Tup):
            parts = [taint(E("%s.%d" % (e.text, i + 1), p), e) for i, p in enumerate(e.type.parts)]
        if parts is None and isinstance(e.type, Arr) and not e.type.batch:
            return self.unpack_items(target, e, s)
        if parts is None:
            raise Refusal(s, "only tuples can be unpacked here", "assign the items one by one")
        if len(parts) != len(target.elts):
            raise Refusal(s, "%d values for %d names" % (len(parts), len(target.elts)))
        names = [t.id for t in target.elts if isinstance(t, ast.Name)]
        absent = lambda p: p.type == NONE or isinstance(p.type, Opt) and p.present == "false"
        empty = lambda p: is_sequence(p.type) and p.parts == []
        number_each = lambda p: is_sample(p.type) and not set(names) & self.mutated["all"]
        if any((is_sequence(p.type) and not empty(p) and not number_each(p)) or isinstance(p.type, Opt) and not absent(p) for p in parts):
            raise Refusal(s, "lists and optional values cannot be assigned together with others", "assign them one by one")
        plain = all(p.type in SCALARS + (BOTTOM,) or isinstance(p.type, Tup) for p in parts)
        if plain and len(names) == len(set(names)) == len(parts) and not any(isinstance(self.types.get(n), Opt) for n in names):
            self.unpack_names(target, parts, s)
            return
        held = []
        for p in parts:  # all values before the first assignment
            if p.type in SCALARS and p.const is None:
                name = self.temp("part", p.type)
                self.put("%s := %s;" % (name, p.text), s)
                p = taint(E(name, p.type, nonneg=p.nonneg), p)
            held.append(p)
        for t, p in zip(target.elts, held):
            self.assign(t, p, s)

    def unpack_items(self, target, e, s):
        """a, b = xs: a list with as many items"""
        count = len(target.elts)
        if e.type.length != Linear({}, count):
            raise Refusal(s, "whether there are %d items is not clear: is %s = %d?" % (count, e.type.length.text(), count),
                          "say how many there are with `types=`: {\"x\": \"real[%d]\"}, or assign the items one by one" % count)
        e = e if e.item is None else self.stored(e, s)
        self.unpack(target, self.tuple_of([self.item(e, str(i)) for i in range(count)], s), s)

    def unpack_rest(self, target, e, s):
        """first, second, *rest = xs"""
        *firsts, last = target.elts
        if any(isinstance(t, ast.Starred) for t in firsts) or not isinstance(last.value, ast.Name) or not isinstance(e.type, Arr) or e.type.batch:
            raise Refusal(target, "`*` can be read behind the other names, for a list whose length is known", "use slices")
        count = Linear({}, len(firsts))
        if not self.is_nonneg(e.type.length - count):
            raise Refusal(s, "whether there are so many items is not clear: is %s >= 0?" % (e.type.length - count).text(),
                          "say so in the claim: `requires=\"%s >= %d\"`" % (e.type.length.text(), len(firsts)))
        names = {t.id for t in firsts if isinstance(t, ast.Name)} | {last.value.id}
        if any(isinstance(x, ast.Name) and x.id in names for x in ast.walk(s.value)):
            raise Refusal(s, "the names on the left are read on the right", "use other names")
        e = e if e.item is None else self.stored(e, s)
        for position, t in enumerate(firsts):
            self.assign(t, self.item(e, str(position)), s)
        rest = E("", Arr(e.type.elem, e.type.length - count, False), item=lambda k: self.item(e, self.shifted(k, count)))
        self.assign(last.value, taint(rest, e), s)

    def unpack_names(self, target, parts, s):
        if all(p.linear is not None or p.const is not None for p in parts) and \
                all(self.assigned.get(t.id) == 1 for t in target.elts):
            for t, p in zip(target.elts, parts):  # constants: the order does not matter
                self.assign(t, p, s)
            return
        for t, p in zip(target.elts, parts):
            self.check_assignable(t.id, s)
            self.check_alias(t.id, s.iter if isinstance(s, ast.For) else s.value, p.type, s)
            self.learn_variable(t.id, p.type, p.private, p.noisy, s, p.local, p.const)
            if p.type == INT and not p.nonneg:
                self.maybe_negative.add(t.id)
        left = ", ".join(self.variable(t.id) for t in target.elts)
        right = ", ".join(self.fit(p, self.types[t.id]).text for t, p in zip(target.elts, parts))
        self.put("(%s) := (%s);" % (left, right), s)

    def check_assignable(self, name, s):
        if name in self.bound_names:
            raise Refusal(s, "`%s` is the variable of a comprehension" % name)
