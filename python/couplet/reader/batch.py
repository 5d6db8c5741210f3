"""Batches of samples: mechanisms that draw many outputs at once, `m(a, n_samples)`.

A claim is about one output, so it fixes the size of the batch: `fixed={"n_samples": 1}`. Arrays whose
first axis has that size then lose it: `size=n_samples` is a number, `size=(n_samples, n)` an array of n.
The type remembers the axis (`Arr.batch`), so that indices, axes and lengths mean what numpy means.
"""

import ast

from .base import BOOL, BOTTOM, NONE, SCALARS, Arr, E, Linear, Refusal, is_sample, is_sequence, taint, type_words
from .expr import number

ONE = Linear({}, 1)
FIX = "fix the number of samples in the claim: `fixed={\"n_samples\": 1}`"


def as_flat(e, batch="flat"):
    """The number as the only one of its batch."""
    return taint(E(e.text, Arr(e.type, ONE, True, batch), e.prec, item=lambda k: e), e)


def is_all(node):
    return isinstance(node, ast.Slice) and node.lower is None and node.upper is None and node.step is None


class Batches:
    # ---- shapes ---------------------------------------------------------------------------------

    def shape_of(self, node):
        """(length, batch) of what `size=` or a shape says."""
        if isinstance(node, ast.Attribute) and node.attr == "shape":
            e = self.want_sequence(self.expr(node.value), node)
            return (self.length(e).linear, getattr(e.type, "batch", "")) if e.type != BOTTOM else (self.unknown(node).linear, "")
        parts = [self.expr(x) for x in node.elts] if isinstance(node, (ast.Tuple, ast.List)) else [self.expr(node)]
        if len(parts) > 2 or len(parts) == 2 and not parts[0].batch:
            raise Refusal(node, "only arrays of one dimension are read, and batches of one sample",
                          "use one dimension; for (samples, items), %s" % FIX)
        for e in parts:
            if e.type == BOTTOM:
                self.unknown(node)
            elif e.linear is None or not self.is_nonneg(e.linear):
                raise Refusal(node, "the number of items must be made of constants, lengths and arguments that are >= 0",
                              "say that it is, with `requires=%s`, or use a loop" % ('"%s >= 0"' % node.id if isinstance(node, ast.Name) else ""))
        if len(parts) == 1:
            return (ONE, "flat") if parts[0].batch else (parts[0].linear, "")
        return (ONE, "column") if parts[1].const == 1 else (parts[1].linear, "row")

    def broadcast(self, node, *operands):
        """(length, batch) of what numpy makes of these item by item."""
        arrays = [e for e in operands if is_sequence(e.type)]
        kinds = {e.type.batch for e in arrays}
        wide = [e for e in arrays if not is_sample(e.type)]
        if not wide:
            return ONE, "column" if "column" in kinds else "flat"
        if "flat" in kinds:
            raise Refusal(node, "an array with a number for each sample does not fit beside one with items",
                          "draw it with `size=(n_samples, 1)`")
        for e in wide[1:]:
            if e.type.length != wide[0].type.length:
                raise Refusal(node, "the arrays may have different lengths: %s and %s" % (
                    wide[0].type.length.text(), e.type.length.text()),
                    "give both the same length with `types=`: {\"a\": \"real[n]\", \"b\": \"real[n]\"}")
        return wide[0].type.length, "row" if kinds & {"row", "column"} else ""

    def plain(self, e):
        """What one sample is: the number, or the array of its items."""
        if is_sample(e.type):
            return self.item(e, "0")
        if isinstance(e.type, Arr) and e.type.batch:
            return taint(E(e.text, Arr(e.type.elem, e.type.length, True), item=e.item), e)
        return e

    def np_atleast_2d(self, node):
        arg = self.only(node)
        e = self.expr(arg)
        if e.type == BOTTOM:
            return self.unknown(node, e)
        if e.type in SCALARS:
            return as_flat(e, "column")
        e = self.as_array(arg, e)
        if is_sample(e.type):
            return as_flat(self.item(e, "0"), "column")
        return taint(E(e.text, Arr(e.type.elem, e.type.length, True, "row"), item=e.item), e)

    def np_tile(self, node):
        """np.tile(a, (n_samples, 1)): the same row for each sample."""
        arg, shape = self.only(node, 2)
        parts = [self.expr(x) for x in shape.elts] if isinstance(shape, ast.Tuple) and len(shape.elts) == 2 else []
        if not parts or not parts[0].batch or parts[1].const != 1:
            raise Refusal(shape, "of np.tile only `(n_samples, 1)` can be read", FIX)
        return self.np_atleast_2d(ast.copy_location(ast.Call(node.func, [arg], []), node))

    # ---- axes -----------------------------------------------------------------------------------

    def split_axis(self, node):
        """The call without its `axis`, and the axis."""
        axis = [k for k in node.keywords if k.arg == "axis"]
        if not axis:
            return node, None
        value = self.expr(axis[0].value)
        if value.type == NONE:
            axis_value = None
        elif isinstance(value.const, int):
            axis_value = value.const
        else:
            raise Refusal(axis[0].value, "the axis must be a constant")
        rest = [k for k in node.keywords if k.arg != "axis"]
        return ast.copy_location(ast.Call(node.func, node.args, rest), node), axis_value

    def folded(self, node, source, axis, fold):
        """sum, max, ... of an array: of all items, or of those of each sample."""
        e = self.peek(source) if not isinstance(source, (ast.GeneratorExp, ast.ListComp)) else None
        batch = e.type.batch if e is not None and isinstance(e.type, Arr) else ""
        if axis is None:
            return fold()
        if batch == "row" and axis in (1, -1):
            return as_flat(fold())
        if not batch and axis in (0, -1) or e is not None and e.type == BOTTOM:
            return fold()
        if batch in ("row", "column", "flat") and axis == 0:
            raise Refusal(node, "this is taken over the samples of the batch, which are one here", "use axis=1")
        raise Refusal(node, "this array has no axis %d" % axis)

    # ---- items ----------------------------------------------------------------------------------

    def batch_item(self, node, e):
        """m[:, j], m[0, j], m[0], x[:, None]"""
        cut = node.slice
        if not isinstance(cut, ast.Tuple):
            if isinstance(cut, ast.Slice) or self.expr(cut).const not in (0, -1):
                raise Refusal(node, "the batch has one sample, and this may be another one", "write `[0]`, or `[:, j]`")
            return self.plain(e)
        if len(cut.elts) != 2:
            raise Refusal(node, "only arrays of one dimension are read, and batches of them")
        first, second = cut.elts
        if is_all(first) and is_new_axis(second) and e.type.batch == "flat":
            return as_flat(self.item(e, "0"), "column")
        if e.type.batch == "flat":
            raise Refusal(node, "this array has one axis, the samples")
        if not is_all(first) and self.expr(first).const not in (0, -1):
            raise Refusal(first, "only `:` and 0 can be read here: the batch has one sample")
        if isinstance(second, ast.Slice):
            raise Refusal(second, "a part of each sample cannot be read", "use a loop over its items")
        index = self.expr(second)
        if is_sequence(index.type):
            raise Refusal(second, "one item of each sample is expected here")
        item = self.item(e, self.index_text(second, index, e) if not is_sample(e.type) else "0")
        return as_flat(item) if is_all(first) else item

    def batch_length(self, node, e, axis):
        """x.shape[axis]"""
        if axis == 0:
            one = number(1)
            one.batch = True
            return one
        if axis in (1, -1) and e.type.batch != "flat":
            return self.length(e)
        raise Refusal(node, "this array has no axis %s" % axis)

    def columns(self, node):
        """`m.T`: (number of items, item of an index), each with one number per sample."""
        e = self.expr(node.value)
        if not isinstance(e.type, Arr) or e.type.batch != "row":
            raise Refusal(node, "`.T` can be read of batches, with a row for each sample")
        e = self.stored(e, node)
        return e, lambda k: as_flat(self.item(e, k))

    # ---- assignments ----------------------------------------------------------------------------

    def assign_batch(self, target, node, s):
        """m[:, j] = x, m[mask, j] = x"""
        name, (first, second) = target.value.id, target.slice.elts
        mask = None
        if not is_all(first):
            mask = self.expr(first)
            if mask.type == BOTTOM:
                return
            if mask.const == 0:
                mask = None
            elif not is_sample(mask.type) or mask.type.elem != BOOL:
                raise Refusal(first, "`:`, 0 or a truth value for each sample is expected here, not %s" % type_words(mask.type))
        value = self.plain(self.expr(without_mask(node, first)))
        self.mutate(name, s)
        whole = self.expr(target.value)
        index = self.expr(second)
        if BOTTOM in (whole.type, index.type, value.type):
            return
        slot = "%s[%s]" % (whole.text, self.index_text(second, index, whole))
        if mask is not None:
            self.put("if %s {" % self.item(mask, "0").text, s)
            with self.below(mask):
                self.store(whole, slot, value, s, target)
            self.put("}", s)
        else:
            self.store(whole, slot, value, s, target)

    def is_batch_target(self, target):
        """Is it an item of each sample of a variable?"""
        if not isinstance(target.value, ast.Name) or not isinstance(target.slice, ast.Tuple) or len(target.slice.elts) != 2:
            return False
        t = self.types.get(target.value.id)
        return isinstance(t, Arr) and t.batch == "row" or t is None


def is_new_axis(node):
    return isinstance(node, ast.Constant) and node.value is None or isinstance(node, ast.Attribute) and node.attr == "newaxis"


def without_mask(value, mask):
    """In `a[mask] = b[mask]` the second mask says nothing new: what is assigned is an item of b where the first one holds."""
    if not isinstance(value, ast.Subscript) or not isinstance(mask, ast.Name):
        return value
    same = lambda node: isinstance(node, ast.Name) and node.id == mask.id
    if same(value.slice):
        return value.value
    if isinstance(value.slice, ast.Tuple) and len(value.slice.elts) == 2 and same(value.slice.elts[0]):
        everywhere = ast.copy_location(ast.Tuple([ast.Slice(), value.slice.elts[1]], ast.Load()), value.slice)
        return ast.copy_location(ast.Subscript(value.value, everywhere, ast.Load()), value)
    return value
