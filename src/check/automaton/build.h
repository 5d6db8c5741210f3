/* From a checked automaton block of a .dp file to the model. */
#ifndef COUPLET_CHECK_AUTOMATON_BUILD_H
#define COUPLET_CHECK_AUTOMATON_BUILD_H

#include "base/diag.h"
#include "check/automaton/model.h"
#include "lang/syntax/ast.h"

enum { BUILD_CUBE_LIMIT = 4096 }; /* conjunctions in the disjunctive normal form of a guard */

/* `decl` is a DECL_AUTOMATON that passed the checker. Fills `a` (initialised, empty) and finishes
 * it; edges whose guard is the constant false are left out. False: an error was reported. */
bool automaton_build(struct automaton *a, const struct ast_decl *decl, struct diags *diags);

#endif
