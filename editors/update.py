#!/usr/bin/env python3
"""Brings the words of proofs in src/lang/format/words.c, the grammars in editors/ and the dictionary in fuzz/ up to date with the
parsers and the table of distributions.

    editors/update.py            (needs no build; run clang-format on src/lang/format/words.c afterwards if it is not installed)

The parser of proofs (src/proof/script*.c) says which words it asks for, the table (src/lang/syntax/family.h) which distributions
there are. Reserved words and those of heads and automata
change rarely and are checked only: tests/scripts/grammar.sh compares everything with `couplet lsp --words`.
"""
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
WORDS = ROOT / "src/lang/format/words.c"
TEXTMATE = ROOT / "editors/vscode/syntaxes/couplet.tmLanguage.json"
VIM = ROOT / "editors/vim/syntax/couplet.vim"
DICTIONARY = ROOT / "fuzz/dp.dict"
FAMILIES = ROOT / "src/lang/syntax/family.h"


def asked(folder, pattern):
    """Words that the parsers in these files ask for."""
    text = "\n".join(f.read_text() for f in sorted((ROOT / folder).glob(pattern)))
    found = set(re.findall(r'_word\(p, "([a-z\']+)"', text))
    if folder == "src/proof":  # lists of words that separate expressions
        for table in re.findall(r"\*const \w+\[\] = \{([^}]*)\}", text):
            found |= set(re.findall(r'"([a-z]+)"', table))
    return found


def asked_by_language():
    return asked("src/lang/syntax", "parse*.c")


def asked_by_proofs():
    return asked("src/proof", "script*.c")


def distributions():
    """Names in the table, each once, in its order, and those that are sugar."""
    return list(dict.fromkeys(re.findall(r'ROW\([A-Z_0-9]+, \w+, "(\w+)"', FAMILIES.read_text())))


def replace(path, pattern, text):
    old = path.read_text()
    new, count = re.subn(pattern, lambda m: m.group(1) + text + m.group(2), old, flags=re.S)
    if count != 1:
        sys.exit(f"update.py: {path}: found {count} places instead of one for {pattern}")
    if new != old:
        path.write_text(new)
        print(f"changed: {path.relative_to(ROOT)}")


def main():
    words = sorted(asked_by_proofs())
    listed = re.search(r"proof_words\[\] = \{([^}]*)\}", WORDS.read_text()).group(1)
    if re.findall(r'"([^"]*)"', listed) != words:
        replace(WORDS, r"(proof_words\[\] = \{)[^}]*(\})", ", ".join(f'"{w}"' for w in words))
        if shutil.which("clang-format"):
            subprocess.run(["clang-format", "-i", WORDS], check=True)
    # `delta` is a word only before an expression: it has a rule of its own
    plain = [w for w in words if w != "delta"]
    replace(TEXTMATE, r'("proof-words": \{\s*"name": "[^"]*",\s*"match": "[^"]*?\(\?:)[^)]*(\))', "|".join(plain))
    names = distributions()
    replace(TEXTMATE, r'("distributions": \{\s*"name": "[^"]*",\s*"match": "[^"]*?\(\?:)[^)]*(\))', "|".join(names))
    replace(VIM, r"(syntax keyword coupletDistribution )[^\n]*(\n)", " ".join(names))
    dictionary = DICTIONARY.read_text()
    new = [f'"{name}"\n' for name in names if f'"{name}"\n' not in dictionary]
    if new:
        DICTIONARY.write_text(dictionary.replace('"DGauss"\n', '"DGauss"\n' + "".join(new)))
        print(f"changed: {DICTIONARY.relative_to(ROOT)}")
    replace(VIM, r"(syntax keyword coupletProofWord contained )[^\n]*(\n)", " ".join(words))


if __name__ == "__main__":
    main()
