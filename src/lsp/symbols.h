/* What every name in a module stands for: the basis of definition, references, rename, hover and
 * semantic tokens.
 *
 * A symbol is a thing with a name; an occurrence is a place where that name is written. Names are
 * resolved as the checker did; where it could not (errors in the file) and inside proofs, which it
 * does not read, by the same scopes. Oracles of one name and the `uses` that ask for them are one
 * symbol, since the language connects them by name. */
#ifndef COUPLET_LSP_SYMBOLS_H
#define COUPLET_LSP_SYMBOLS_H

#include "base/ptrmap.h"
#include "lang/syntax/lang.h"
#include "proof/script.h"

enum symbol_kind {
  SYMBOL_PARAM,
  SYMBOL_LET,
  SYMBOL_TYPE,
  SYMBOL_OP,
  SYMBOL_AXIOM,
  SYMBOL_LEMMA,
  SYMBOL_ADVERSARY,
  SYMBOL_ORACLE,
  SYMBOL_PROCEDURE,
  SYMBOL_MECHANISM,
  SYMBOL_AUTOMATON,
  SYMBOL_CLAIM,
  SYMBOL_INSTANCE,
  SYMBOL_VARIABLE,  /* of a routine, a let or a quantifier */
  SYMBOL_STATE,     /* of an automaton */
  SYMBOL_THRESHOLD, /* variable of an automaton */
  SYMBOL_VALUE      /* named by a proof, for its own use */
};

struct symbol {
  enum symbol_kind kind;
  const char *name;
  struct span definition;            /* file 0: none was seen */
  const struct ast_decl *decl;       /* the declaration itself, or the one around it */
  const struct ast_var *var;         /* variables */
  const struct ast_routine *routine; /* oracles */
  const struct ast_state *state;
  bool is_ambiguous; /* some place names it and something else at once: it cannot be renamed */
};

struct occurrence {
  struct span span; /* exactly the name */
  uint32_t symbol;  /* index in `all` */
  bool is_definition, is_write, in_proof;
};

/* The proof of a claim, as text that was parsed; `scope` is NULL if it has errors. */
struct proof_text {
  const struct ast_decl *claim;
  struct script_scope *scope;
};

struct symbols {
  VEC(struct symbol) all;             /* numbered by first appearance in the walk */
  VEC(struct occurrence) occurrences; /* by file and place, no two at one place */
  struct ptrmap by_node;              /* node -> index + 1 */
};

void symbols_build(struct symbols *symbols, struct lang *lang, const struct ast_module *module,
                   const struct proof_text *proofs, size_t proof_count);
void symbols_clear(struct symbols *symbols);

/* The occurrence that covers the offset or ends there; NULL if there is none. */
const struct occurrence *symbols_at(const struct symbols *symbols, uint32_t file, uint32_t offset);

#endif
