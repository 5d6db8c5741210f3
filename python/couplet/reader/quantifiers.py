"""`all(0 <= x < 5 for x in xs)` in a claim: a formula of the language."""

import ast
import re


def quantified(text):
    """The text with `all(...)` and `any(...)` of generators as `forall` and `exists`; everything else stays as it is, also
    what is no Python."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return text
    source = text = text.strip()
    for call in outermost(tree):
        formula = as_formula(source, call)
        if formula is not None:
            text = text.replace(ast.get_source_segment(source, call), formula, 1)
    return text


def outermost(node):
    if is_quantifier(node):
        return [node]
    return [call for child in ast.iter_child_nodes(node) for call in outermost(child)]


def is_quantifier(node):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("all", "any") and \
        len(node.args) == 1 and not node.keywords and isinstance(node.args[0], ast.GeneratorExp) and \
        len(node.args[0].generators) == 1 and isinstance(node.args[0].generators[0].target, ast.Name)


def as_formula(text, call):
    source = lambda node: ast.get_source_segment(text, node)
    generator, over_all = call.args[0].generators[0], call.func.id == "all"
    item, values = generator.target.id, generator.iter
    body = "(%s)" % quantified(source(call.args[0].elt))
    for condition in reversed(generator.ifs):
        body = "((%s) %s %s)" % (source(condition), "->" if over_all else "and", body)
    index = item
    if isinstance(values, ast.Name):
        low, high, index = "0", "len(%s)" % values.id, "at_" + item
        body = re.sub(r"\b%s\b" % re.escape(item), "%s[%s]" % (values.id, index), body)
    elif isinstance(values, ast.Call) and isinstance(values.func, ast.Name) and values.func.id == "range" and \
            len(values.args) in (1, 2) and not values.keywords:
        low, high = ["0"][len(values.args) - 1:] + [source(v) for v in values.args]
    else:
        return None
    return "(%s %s in %s..%s. %s)" % ("forall" if over_all else "exists", index, low, high, body)
