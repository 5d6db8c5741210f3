/* What can make a true verdict worthless: assumptions that nothing satisfies, inputs that are never
 * different, an epsilon without a value. These are warnings, which `couplet verify --strict` takes
 * for errors. Nothing here is trusted, and what the solver cannot decide is not warned of. */
#ifndef COUPLET_REPORT_JUDGE_LINT_H
#define COUPLET_REPORT_JUDGE_LINT_H

#include "lang/syntax/lang.h"
#include "smt/smt.h"

/* The assumptions on parameters and the axioms of the module: false if they contradict each other
 * (contradictory-assumptions). */
bool lint_module(struct lang *lang, const struct ast_module *module,
                 const struct smt_options *options);
/* A claim about a mechanism: impossible-adjacency, trivial-adjacency, infinite-epsilon. */
void lint_claim(struct lang *lang, const struct ast_module *module, const struct ast_decl *claim,
                const struct smt_options *options);

/* An instance that breaks what is assumed of parameters, declared of lengths, or required by a
 * mechanism: no verdict rests on it, but nothing can be run or computed with it. */
void lint_instance(struct lang *lang, const struct ast_module *module,
                   const struct ast_decl *instance);

/* Is it one of the warnings that --strict does not accept? */
bool lint_is_strict(const char *code);

#endif
