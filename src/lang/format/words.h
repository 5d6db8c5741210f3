/* The words of the language besides names: one table for completion, colours and grammars.
 *
 * The reserved words are the lexer's. The others are names elsewhere and words only where the
 * parser asks for them; tests/scripts/grammar.sh compares this table with what the parsers of the
 * language and of proofs ask for, and the grammars in editors/ with this table. */
#ifndef COUPLET_LANG_FORMAT_WORDS_H
#define COUPLET_LANG_FORMAT_WORDS_H

#include "lang/syntax/ast.h"

enum word_class {
  WORD_RESERVED,   /* never a name */
  WORD_CLAUSE,     /* in heads of declarations and in claims: private, returns, epsilon, ... */
  WORD_AUTOMATON,  /* in automata: state, mean, insample, ... */
  WORD_PROOF,      /* in proofs: sample, shift, invariant, ... */
  WORD_PROOF_NAME, /* "known": names that every proof knows: output, result, ... */
  WORD_TYPE,       /* bool, int, real, list, option */
};

/* Is it a word of the class? */
bool word_is(const char *name, enum word_class word_class);
/* Are words of the class words, not names, at this offset of the file of the declaration? It is the
 * one that the offset is in, or NULL. */
bool word_class_applies(enum word_class word_class, const struct ast_decl *around, uint32_t at);

/* That declaration, for offsets that go up from call to call; *next is 0 before the first. */
const struct ast_decl *decl_around(const struct ast_unit *unit, uint32_t at, size_t *next);

/* NULL beyond the last one. A word of two classes is listed twice. */
const char *words_at(size_t index, enum word_class *word_class);
const char *word_class_name(enum word_class word_class);

#endif
