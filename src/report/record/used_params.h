/* Which parameters of a file a claim depends on: those of other mechanisms need a value as well, but
 * say nothing about a counterexample. */
#ifndef COUPLET_REPORT_RECORD_USED_PARAMS_H
#define COUPLET_REPORT_RECORD_USED_PARAMS_H

#include "check/counterexample/program_certify.h"

/* Does the claim, its mechanism, or what these call speak of the parameter? Axioms and adversaries
 * count as used. */
bool claim_uses_param(const struct program_claim *claim, const struct ast_decl *param);

#endif
