/* What to try about a claim that stayed unknown: every such reason ends in a line "try: ...", and
 * names a line of the source. */
#ifndef COUPLET_REPORT_JUDGE_ADVISE_H
#define COUPLET_REPORT_JUDGE_ADVISE_H

#include "lang/syntax/lang.h"
#include "report/record/record.h"

/* What the judge says of a search that was ended before it had an answer. */
#define NO_PROOF_IN_TIME "no proof was found within the limits"
/* What it says of a proof block that is in the way. */
#define PROVED_WITHOUT_BLOCK "without the proof block the search proves the claim"

/* `decl`: the claim, lemma or automaton; NULL: a file of another format. */
void advise(struct claim_record *c, struct lang *lang, const struct ast_module *module,
            const struct ast_decl *decl);

#endif
