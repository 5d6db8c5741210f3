/* The words of the language besides names: one table for completion, colours and grammars.
 *
 * The reserved words are the lexer's. The others are names elsewhere and words only where the
 * parser asks for them; tests/scripts/grammar.sh compares this table with what the parsers of the
 * language and of proofs ask for, and the grammars in editors/ with this table. */
#ifndef COUPLET_LANG_WORDS_H
#define COUPLET_LANG_WORDS_H

#include <stddef.h>

enum word_class {
  WORD_RESERVED,   /* never a name */
  WORD_CLAUSE,     /* in heads of declarations and in claims: private, returns, epsilon, ... */
  WORD_AUTOMATON,  /* in automata: state, mean, insample, ... */
  WORD_PROOF,      /* in proofs: sample, shift, invariant, ... */
  WORD_PROOF_NAME, /* "known": names that every proof knows: output, result, ... */
  WORD_TYPE,       /* bool, int, real, list */
};

/* NULL beyond the last one. A word of two classes is listed twice. */
const char *words_at(size_t index, enum word_class *word_class);
const char *word_class_name(enum word_class word_class);

#endif
