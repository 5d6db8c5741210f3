"""What data or noise may have decided, and what samples are part of: read off the statements of the translation.

The flags of an `E` say where a value comes from as far as the reader has followed it. This looks at the text that is
written: a word is decided if it is private, drawn, computed from decided words, or assigned below a condition on them.
So a value whose flags were lost on the way is still known for what it is. Words are collected over all passes.
"""

import re

MARKS = re.compile("\ue000[0-9]+\ue001|\ue002|\ue003[0-9]+\ue003")
WORDS = re.compile(r"(?<![\w'.])[A-Za-z_]\w*")
STORES = re.compile(r"^(.*?)\s*(:=|<\$)\s*(.*)$", re.S)


def words_of(text):
    return set(WORDS.findall(MARKS.sub("", text).replace("..", " ")))


class Decided:
    def begin_words(self):
        """Before the first pass."""
        self.decided_words = {a.dp for a in self.arguments if a.dp and (a.private or a.noisy or a.local)}
        self.sampled_words = {a.dp for a in self.arguments if a.dp and a.sampled}
        self.blocks = []  # around this statement: is its condition decided?

    def is_decided_text(self, text):
        return bool(text) and not self.decided_words.isdisjoint(words_of(text))

    def is_sampled_text(self, text):
        return bool(text) and not self.sampled_words.isdisjoint(words_of(text))

    def under_decided_block(self):
        return any(self.blocks)

    def note(self, text):
        """A statement that is written."""
        text = MARKS.sub("", text)
        last = False
        if text.startswith("}"):
            last = self.blocks.pop() if self.blocks else False
        if text.endswith("{"):
            self.open_block(text, last)
            return
        store = STORES.match(text)
        if store:
            self.note_store(*store.groups())

    def open_block(self, text, last):
        decided = last if text.startswith("}") else self.is_decided_text(text.split(" in ", 1)[1] if text.startswith("for ") else text)
        self.blocks.append(decided)
        if text.startswith("for "):  # an index is new in each loop
            index = text[4:].split(" ", 1)[0]
            (self.decided_words.add if decided else self.decided_words.discard)(index)

    def note_store(self, left, sign, right):
        base = re.sub(r"\[.*?\]", "", left)
        for name in words_of(base):
            if sign == "<$" or self.is_decided_text(right) or self.is_decided_text(left) or any(self.blocks) or self.under_decided:
                self.decided_words.add(name)
            if sign == "<$" or self.is_sampled_text(right):
                self.sampled_words.add(name)

    def note_call(self, routine):
        """What a function of the file returns may be anything that it sees or draws."""
        self.decided_words.add(routine.dp_name)
        if routine.count_draws:
            self.sampled_words.add(routine.dp_name)
