#include "lang/syntax/builtin.h"

#include <string.h>

static const struct builtin_info builtins[] = {
    {BUILTIN_LN, "ln", 1, false, false, "natural logarithm"},
    {BUILTIN_EXP, "exp", 1, false, false, "exponential function"},
    {BUILTIN_SQRT, "sqrt", 1, false, false, "square root"},
    {BUILTIN_FLOOR, "floor", 1, false, false, "largest integer not above"},
    {BUILTIN_CEIL, "ceil", 1, false, false, "smallest integer not below"},
    {BUILTIN_ROUND, "round", 1, false, false,
     "nearest integer, halves up; of a float, halves to even"},
    {BUILTIN_ABS, "abs", 1, false, false, "absolute value"},
    {BUILTIN_MIN, "min", 2, false, false, "smaller of two numbers; smallest item of an array"},
    {BUILTIN_MAX, "max", 2, false, false, "larger of two numbers; largest item of an array"},
    {BUILTIN_LENGTH, "length", 1, false, false, "number of items of a list or array"},
    {BUILTIN_HEAD, "head", 1, false, false, "first item of a list"},
    {BUILTIN_TAIL, "tail", 1, false, false, "a list without its first item"},
    {BUILTIN_REAL, "real", 1, false, false, "an integer as a real"},
    {BUILTIN_TO_FLOAT, "to_float", 1, false, true, "the nearest floating-point number of 64 bits"},
    {BUILTIN_TO_FLOAT32, "to_float32", 1, false, true,
     "the nearest floating-point number of 32 bits"},
    {BUILTIN_TO_REAL, "to_real", 1, false, true, "a floating-point number as a real, exactly"},
    {BUILTIN_FMA, "fma", 3, false, true, "x * y + z of floating-point numbers, rounded once"},
    {BUILTIN_SIN, "sin", 1, false, true, "sine of a floating-point number"},
    {BUILTIN_COS, "cos", 1, false, true, "cosine of a floating-point number"},
    {BUILTIN_LOG1P, "log1p", 1, false, true, "ln(1 + x) of a floating-point number, rounded once"},
    {BUILTIN_EXPM1, "expm1", 1, false, true, "exp(x) - 1 of a floating-point number, rounded once"},
    {BUILTIN_SOME, "some", 1, false, true, "an optional value that is there"},
    {BUILTIN_IS_SOME, "is_some", 1, false, true, "is the optional value there?"},
    {BUILTIN_VALUE, "value", 1, false, true, "what an optional value has; zero if it is not there"},
    {BUILTIN_SUM, "sum", 1, false, true, "sum of the items of an array"},
    {BUILTIN_ARGMAX, "argmax", 1, false, true, "first index of the largest item of an array"},
    {BUILTIN_ARGMIN, "argmin", 1, false, true, "first index of the smallest item of an array"},
    {BUILTIN_SORT, "sort", 1, false, true, "the items of an array, the smallest first"},
    {BUILTIN_DECLASSIFY, "declassify", 1, false, false,
     "lets private data steer a loop or a scale"},
    {BUILTIN_WITHIN, "within", 2, true, false, "a number differs by at most the second argument"},
    {BUILTIN_ALL_WITHIN, "all_within", 2, true, false, "every entry differs by at most that much"},
    {BUILTIN_ONE_DIFFERS, "one_differs", 2, true, false,
     "at most one entry differs, by at most that much"},
    {BUILTIN_ONE_CHANGES, "one_changes", 1, true, false,
     "at most one entry differs, in whatever way"},
    {BUILTIN_ADD_REMOVE, "add_remove", 1, true, false,
     "at most one entry of an array of optional values is there in one run only"},
    {BUILTIN_ALL_INCREASE, "all_increase", 2, true, false,
     "no entry falls from run 1 to run 2, none rises by more"},
    {BUILTIN_ALL_DECREASE, "all_decrease", 2, true, false,
     "no entry rises from run 1 to run 2, none falls by more"},
    {BUILTIN_MONOTONE, "monotone", 2, true, false,
     "all entries move the same way, by at most that much"},
    {BUILTIN_SAME, "same", 1, true, false, "the value is the same in both runs"},
    {BUILTIN_SAME_EXCEPT, "same_except", 2, true, false,
     "in proofs: an array is the same in both runs, but perhaps at this index"},
    {BUILTIN_DIFFERING, "differing", 1, true, false,
     "in proofs: an index at which an array differs between the runs, if it does"},
    {BUILTIN_STOPS_ODD, "stops_odd", 2, false, false,
     "in proofs: the probability that coins g/k, g/(k+1), .. first fail at an odd number"},
};

size_t builtin_count(void) {
  return sizeof builtins / sizeof *builtins;
}
const struct builtin_info *builtin_at(size_t i) {
  return &builtins[i];
}
const struct builtin_info *builtin_find(const char *name) {
  for (size_t i = 0; i < builtin_count(); i++)
    if (strcmp(builtins[i].name, name) == 0) return &builtins[i];
  return NULL;
}

const struct builtin_info *builtin_get(enum builtin id) {
  for (size_t i = 0; i < builtin_count(); i++)
    if (builtins[i].id == id) return &builtins[i];
  return NULL;
}

bool builtin_is_of_array(const struct builtin_info *info, size_t count) {
  bool extreme = info->id == BUILTIN_MAX || info->id == BUILTIN_MIN;
  return info->id == BUILTIN_SUM || info->id == BUILTIN_ARGMAX || info->id == BUILTIN_ARGMIN ||
         info->id == BUILTIN_SORT || (extreme && count == 1);
}

bool builtin_is_proof_only(enum builtin id) {
  return id == BUILTIN_SAME_EXCEPT || id == BUILTIN_DIFFERING || id == BUILTIN_STOPS_ODD;
}

const char *binary_op_text(enum binary_op op) {
  switch (op) {
  case BINARY_IFF: return "<->";
  case BINARY_IMPLIES: return "->";
  case BINARY_OR: return "or";
  case BINARY_AND: return "and";
  case BINARY_EQ: return "=";
  case BINARY_NE: return "!=";
  case BINARY_LT: return "<";
  case BINARY_LE: return "<=";
  case BINARY_GT: return ">";
  case BINARY_GE: return ">=";
  case BINARY_APPEND: return "++";
  case BINARY_CONS: return "::";
  case BINARY_ADD: return "+";
  case BINARY_SUB: return "-";
  case BINARY_MUL: return "*";
  case BINARY_DIV: return "/";
  case BINARY_IDIV: return "div";
  case BINARY_MOD: return "mod";
  case BINARY_POW: return "^";
  }
  return "?";
}

enum level binary_op_level(enum binary_op op) {
  switch (op) {
  case BINARY_IFF: return LEVEL_IFF;
  case BINARY_IMPLIES: return LEVEL_IMPLIES;
  case BINARY_OR: return LEVEL_OR;
  case BINARY_AND: return LEVEL_AND;
  case BINARY_EQ:
  case BINARY_NE:
  case BINARY_LT:
  case BINARY_LE:
  case BINARY_GT:
  case BINARY_GE: return LEVEL_COMPARISON;
  case BINARY_APPEND: return LEVEL_APPEND;
  case BINARY_CONS: return LEVEL_CONS;
  case BINARY_ADD:
  case BINARY_SUB: return LEVEL_SUM;
  case BINARY_MUL:
  case BINARY_DIV:
  case BINARY_IDIV:
  case BINARY_MOD: return LEVEL_PRODUCT;
  case BINARY_POW: return LEVEL_POWER;
  }
  return LEVEL_EXPR;
}
