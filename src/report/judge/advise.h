/* What to try about a claim that stayed unknown: every such reason ends in a line "try: ...", and
 * names a line of the source. */
#ifndef COUPLET_REPORT_JUDGE_ADVISE_H
#define COUPLET_REPORT_JUDGE_ADVISE_H

#include "lang/syntax/lang.h"
#include "report/record/record.h"

/* `decl`: the claim, lemma or automaton; NULL: a file of another format. */
void advise(struct claim_record *c, struct lang *lang, const struct ast_module *module,
            const struct ast_decl *decl);

#endif
