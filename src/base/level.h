/* How tightly the expressions of the language bind: the nonterminals of the grammar
 * (docs/language.md), loosest first. An expression may stand where a level not above its own is
 * expected; else it gets parentheses. */
#ifndef COUPLET_BASE_LEVEL_H
#define COUPLET_BASE_LEVEL_H

enum level {
  LEVEL_EXPR, /* if, forall, exists: reach as far right as they can */
  LEVEL_IFF,
  LEVEL_IMPLIES,
  LEVEL_OR,
  LEVEL_AND,
  LEVEL_NOT,
  LEVEL_COMPARISON,
  LEVEL_APPEND,
  LEVEL_CONS,
  LEVEL_SUM,
  LEVEL_PRODUCT,
  LEVEL_UNARY,
  LEVEL_POWER,
  LEVEL_POSTFIX
};

#endif
