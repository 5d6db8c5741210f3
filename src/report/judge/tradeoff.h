/* Accuracy against privacy: the distance that a claim of accuracy asks for, as a function of the
 * budget of a privacy claim about the same mechanism. All other parameters are those of the first
 * instance. For pictures: values are rounded, and nothing rests on them. */
#ifndef COUPLET_REPORT_JUDGE_TRADEOFF_H
#define COUPLET_REPORT_JUDGE_TRADEOFF_H

#include <jansson.h>

#include "lang/syntax/lang.h"

/* {"parameter", "points": [{"x", "y"}], "chosen": {"x", "y"}}; NULL: the claim asks for no number of
 * its formula, no privacy claim has a parameter as its cost, or a value is missing. `found` is the
 * number, as source text. */
json_t *tradeoff_json(struct lang *lang, const struct ast_module *module,
                      const struct ast_decl *claim, const char *found);

#endif
