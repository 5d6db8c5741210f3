"""Enough of a TextMate grammar engine to test ours: match, begin/end, captures, include.

Regular expressions must be written in what Python's `re` and Oniguruma have in common.
"""
import json
import re


class Grammar:
    def __init__(self, path):
        with open(path, encoding="utf-8") as f:
            self.json = json.load(f)
        self.scope = self.json["scopeName"]
        self.compiled = {}

    def regex(self, source):
        if source not in self.compiled:
            self.compiled[source] = re.compile(source)
        return self.compiled[source]

    def expand(self, rules):
        """The rules with includes replaced by what they include, in order."""
        for rule in rules:
            if "include" in rule:
                target = self.json["repository"][rule["include"].lstrip("#")]
                yield from self.expand([target])
            elif "match" in rule or "begin" in rule:
                yield rule
            else:
                yield from self.expand(rule["patterns"])

    def paint(self, scopes, match, captures, base):
        for group, capture in captures.items():
            if match.group(int(group)) is not None:
                for i in range(*match.span(int(group))):
                    scopes[i] = base + [capture["name"]]

    def line(self, text, stack, scopes):
        at = 0
        while at <= len(text):
            rule, base = stack[-1]
            best, chosen = None, None
            if "end" in rule:
                best = self.regex(rule["end"]).search(text, at)
            for candidate in self.expand(rule["patterns"]) if "patterns" in rule else ():
                found = self.regex(candidate.get("match") or candidate["begin"]).search(text, at)
                if found and (best is None or found.start() < best.start()):
                    best, chosen = found, candidate
            if best is None:
                break
            inside = base + ([rule["name"]] if "name" in rule else [])
            for i in range(at, best.start()):
                scopes[i] = inside
            if chosen is None:  # the end of the rule
                for i in range(*best.span()):
                    scopes[i] = inside
                self.paint(scopes, best, rule.get("endCaptures", {}), base)
                stack.pop()
            else:
                name = [chosen["name"]] if "name" in chosen else []
                for i in range(*best.span()):
                    scopes[i] = inside + name
                if "begin" in chosen:
                    self.paint(scopes, best, chosen.get("beginCaptures", {}), inside + name)
                    stack.append((chosen, inside))
                else:
                    self.paint(scopes, best, chosen.get("captures", {}), inside + name)
            if best.end() == at and chosen is not None and "begin" not in chosen:
                at += 1  # nothing was consumed
            else:
                at = best.end()
        rule, base = stack[-1]
        for i in range(at, len(text)):
            scopes[i] = base + ([rule["name"]] if "name" in rule else [])

    def scopes(self, text):
        """For each line of the text a list with the scopes of each character."""
        stack = [({"patterns": self.json["patterns"]}, [self.scope])]
        result = []
        for text_line in text.split("\n"):
            scopes = [[self.scope]] * len(text_line)
            self.line(text_line, stack, scopes)
            result.append(scopes)
        return result

    def words(self, key):
        """The words that a rule of the repository lists."""
        source = self.json["repository"][key]["match"]
        return set(re.search(r"\(\?:([^()]*)\)", source).group(1).split("|"))
