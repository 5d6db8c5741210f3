#!/usr/bin/env python3
"""Prose of Markdown files in lines of at most 100 columns.

usage: wrap_docs.py [--check] FILE...

Paragraphs and list items are filled; code, tables, headings and HTML comments stay as they are.
Code spans are not broken, and no line begins with what would start a list or a heading. --check
writes nothing and names the lines that are too long.
"""
import pathlib
import re
import sys

WIDTH = 100
ITEM = re.compile(r"^(\s*)([-*+]|\d+[.)]) +")
STARTS_BLOCK = re.compile(r"^([-*+]|\d+[.)]|#+|>.*|\|.*|={3,}|-{3,})$")


def words_of(text):
    """Words; a code span, with the punctuation around it, is one."""
    return re.findall(r"(?:`+[^`]*`+|[^\s`])+", text)


def fill(text, first, rest):
    lines, line = [], first
    empty = True
    for word in words_of(text):
        if empty or len(line) + 1 + len(word) <= WIDTH:
            line += ("" if empty else " ") + word
        elif STARTS_BLOCK.match(word):  # takes the words before it along
            taken = [word]
            while STARTS_BLOCK.match(taken[0]) and " " in line.strip():
                line, last = line.rsplit(" ", 1)
                taken.insert(0, last)
            lines.append(line)
            line = rest + " ".join(taken)
        else:
            lines.append(line)
            line = rest + word
        empty = False
    return lines + [line]


def wrapped(lines):
    """The lines of a file, filled; pairs (line, is prose)."""
    out, block, first, rest = [], [], "", ""
    fenced = comment = False

    def flush():
        nonlocal block
        if block:
            out.extend((line, True) for line in fill(" ".join(block), first, rest))
        block = []

    for line in lines:
        fence = line.lstrip().startswith("```")
        special = fenced or fence or comment or line.startswith("<!--")
        special |= not block and line.startswith("    ") and not ITEM.match(line)  # indented code
        if special or not line.strip() or line.lstrip().startswith(("|", "#", ">", "![")):
            flush()
            out.append((line, False))
            fenced ^= fence
            comment = (comment or line.startswith("<!--")) and "-->" not in line
            continue
        item = ITEM.match(line)
        if item:
            flush()
            first, rest = item.group(0), " " * len(item.group(0))
            block = [line[len(first):].strip()]
        elif block:
            block.append(line.strip())
        else:
            first = rest = re.match(r"\s*", line).group(0)
            block = [line.strip()]
        if line.endswith("  "):  # a break that is meant
            flush()
    flush()
    return out


def main():
    check = "--check" in sys.argv
    failed = False
    for path in [pathlib.Path(p) for p in sys.argv[1:] if p != "--check"]:
        text = path.read_text()
        lines = text.rstrip("\n").split("\n")
        if not check:
            path.write_text("\n".join(line for line, _ in wrapped(lines)) + "\n")
            continue
        prose = {line for line, is_prose in wrapped(lines) if not is_prose}
        for number, line in enumerate(lines, 1):
            if len(line) > WIDTH and line not in prose and len(words_of(line)) > 1:
                print(f"{path}:{number}: {len(line)} columns; scripts/wrap_docs.py fills it")
                failed = True
    sys.exit(failed)


main()
