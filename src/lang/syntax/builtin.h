/* The functions that are always there: names, arities, one-line help. One table, read by the checker,
 * the printer, the documentation test and the editor support. Distributions: family.h. */
#ifndef COUPLET_LANG_SYNTAX_BUILTIN_H
#define COUPLET_LANG_SYNTAX_BUILTIN_H

#include "base/level.h"
#include "lang/syntax/ast.h"

struct builtin_info {
  enum builtin id;
  const char *name;
  unsigned arity;
  bool is_adjacency; /* a formula about two runs */
  bool yields;       /* something declared may have its name, and is meant then */
  const char *help;
};

/* By name; NULL if there is none. */
const struct builtin_info *builtin_find(const char *name);
const struct builtin_info *builtin_get(enum builtin id);
/* Is a call with this many arguments about the items of an array? max and min are, with one. */
bool builtin_is_of_array(const struct builtin_info *info, size_t count);
/* Is it known in the text of proofs only? */
bool builtin_is_proof_only(enum builtin id);
size_t builtin_count(void);
const struct builtin_info *builtin_at(size_t i);

const char *binary_op_text(enum binary_op op); /* "<=", "and", ... */
enum level binary_op_level(enum binary_op op);

#endif
