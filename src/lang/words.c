#include "lang/words.h"

#include "lang/lex.h"

static const struct {
  const char *word;
  enum word_class word_class;
} contextual[] = {
    {"adjacent", WORD_CLAUSE},
    {"at", WORD_CLAUSE},
    {"delta", WORD_CLAUSE},
    {"emits", WORD_CLAUSE},
    {"epsilon", WORD_CLAUSE},
    {"most", WORD_CLAUSE},
    {"private", WORD_CLAUSE},
    {"public", WORD_CLAUSE},
    {"requires", WORD_CLAUSE},
    {"returns", WORD_CLAUSE},
    {"under", WORD_CLAUSE},
    {"uses", WORD_CLAUSE},
    {"assign", WORD_AUTOMATON},
    {"d", WORD_AUTOMATON},
    {"final", WORD_AUTOMATON},
    {"independent", WORD_AUTOMATON},
    {"input", WORD_AUTOMATON},
    {"insample", WORD_AUTOMATON},
    {"insample'", WORD_AUTOMATON},
    {"mean", WORD_AUTOMATON},
    {"noise", WORD_AUTOMATON},
    {"noninput", WORD_AUTOMATON},
    {"output", WORD_AUTOMATON},
    {"prime", WORD_AUTOMATON},
    {"shared", WORD_AUTOMATON},
    {"start", WORD_AUTOMATON},
    {"state", WORD_AUTOMATON},
    {"when", WORD_AUTOMATON},
    {"above", WORD_PROOF},
    {"admit", WORD_PROOF},
    {"advanced", WORD_PROOF},
    {"alone", WORD_PROOF},
    {"at", WORD_PROOF},
    {"back", WORD_PROOF},
    {"backward", WORD_PROOF},
    {"below", WORD_PROOF},
    {"both", WORD_PROOF},
    {"budget", WORD_PROOF},
    {"case", WORD_PROOF},
    {"cost", WORD_PROOF},
    {"counted", WORD_PROOF},
    {"delta", WORD_PROOF},
    {"each", WORD_PROOF},
    {"eta", WORD_PROOF},
    {"flip", WORD_PROOF},
    {"from", WORD_PROOF},
    {"have", WORD_PROOF},
    {"hits", WORD_PROOF},
    {"inside", WORD_PROOF},
    {"interval", WORD_PROOF},
    {"invariant", WORD_PROOF},
    {"laplace", WORD_PROOF},
    {"loop", WORD_PROOF},
    {"map", WORD_PROOF},
    {"most", WORD_PROOF},
    {"move", WORD_PROOF},
    {"null", WORD_PROOF},
    {"omega", WORD_PROOF},
    {"otherwise", WORD_PROOF},
    {"pointwise", WORD_PROOF},
    {"same", WORD_PROOF},
    {"sample", WORD_PROOF},
    {"scale", WORD_PROOF},
    {"shift", WORD_PROOF},
    {"sigma", WORD_PROOF},
    {"to", WORD_PROOF},
    {"upto", WORD_PROOF},
    {"variant", WORD_PROOF},
    {"when", WORD_PROOF},
    {"within", WORD_PROOF},
    {"differs", WORD_PROOF_NAME},
    {"output", WORD_PROOF_NAME},
    {"result", WORD_PROOF_NAME},
    {"returned", WORD_PROOF_NAME},
    {"bool", WORD_TYPE},
    {"int", WORD_TYPE},
    {"list", WORD_TYPE},
    {"real", WORD_TYPE},
};

enum {
  RESERVED = TOKEN_LAST_WORD - TOKEN_FIRST_WORD + 1,
  CONTEXTUAL = sizeof contextual / sizeof *contextual
};

size_t words_count(void) {
  return RESERVED + CONTEXTUAL;
}

const char *words_at(size_t index, enum word_class *word_class) {
  if (index >= words_count()) return NULL;
  *word_class = index < RESERVED ? WORD_RESERVED : contextual[index - RESERVED].word_class;
  return index < RESERVED ? token_kind_text((enum token_kind)(TOKEN_FIRST_WORD + index))
                          : contextual[index - RESERVED].word;
}

const char *word_class_name(enum word_class word_class) {
  switch (word_class) {
  case WORD_RESERVED: return "reserved";
  case WORD_CLAUSE: return "clause";
  case WORD_AUTOMATON: return "automaton";
  case WORD_PROOF: return "proof";
  case WORD_PROOF_NAME: return "known";
  case WORD_TYPE: return "type";
  }
  return "?";
}
