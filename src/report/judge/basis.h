/* What the claims of a file assume, as data for the record:
 *
 *   parameters  [{name, type, assumptions: [formula..], location}]
 *   axioms      [{name, formula, location}]      assumptions of every claim of the file
 *   abstract    [{kind: "type"|"op"|"adversary", signature, location}]   any meaning is covered
 *   admits      [{claim, location}]              `admit` in a proof: nothing is shown there
 *   declassified [{location}]                    private data that the author lets out without
 * noise claims      [{adjacency, requires: [formula..], under: bool}]   in the order of the record
 *
 * It says what a reader must agree with before a verdict means anything to them. */
#ifndef COUPLET_REPORT_JUDGE_BASIS_H
#define COUPLET_REPORT_JUDGE_BASIS_H

#include <jansson.h>

#include "lang/syntax/lang.h"

json_t *basis_json(struct lang *lang, const struct ast_module *module);
/* Of the one automaton in a .dipa file. */
json_t *basis_of_dipa(void);

#endif
