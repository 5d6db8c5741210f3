/* Values of programs as JSON: true and false, numbers as texts in lowest terms ("-1/2"), arrays for
 * lists, arrays and tuples. Exact values only: what cannot be written cannot be certified.
 *
 * Reading goes by the declared type, so that no value of another type ever reaches a program. */
#ifndef COUPLET_CHECK_RECOUNT_VALUE_H
#define COUPLET_CHECK_RECOUNT_VALUE_H

#include "check/certificate/reader.h"
#include "lang/syntax/ast.h"
#include "run/eval/rvalue.h"

/* `instance` (may be NULL) says how abstract types are represented. */
bool value_from_json(struct reader *r, const json_t *json, const struct ast_type *type,
                     const struct ast_decl *instance, struct rvalue *out);

#endif
