/* The functions and distributions that are always there: names, arities, one-line help. One table
 * each, read by the checker, the printer, the documentation test and the editor support. */
#ifndef COUPLET_LANG_SYNTAX_BUILTIN_H
#define COUPLET_LANG_SYNTAX_BUILTIN_H

#include "base/level.h"
#include "lang/syntax/ast.h"

struct builtin_info {
  enum builtin id;
  const char *name;
  unsigned arity;
  bool is_adjacency; /* a formula about two runs */
  const char *help;
};

struct dist_info {
  enum dist_kind kind;
  const char *name;
  unsigned arity;  /* 0: Uniform{...} */
  bool is_integer; /* samples are integers */
  const char *help;
};

/* By name; NULL if there is none. DIST_UNIFORM_SET shares its name with DIST_UNIFORM. */
const struct builtin_info *builtin_find(const char *name);
const struct builtin_info *builtin_get(enum builtin id);
const struct dist_info *dist_find(const char *name);
const struct dist_info *dist_get(enum dist_kind kind);
/* Is it known in the text of proofs only? */
bool builtin_is_proof_only(enum builtin id);
size_t builtin_count(void);
const struct builtin_info *builtin_at(size_t i);
size_t dist_count(void);
const struct dist_info *dist_at(size_t i);

const char *binary_op_text(enum binary_op op); /* "<=", "and", ... */
enum level binary_op_level(enum binary_op op);

#endif
