/* Run-time errors. The logic takes every operation for total: x/0 and an index out of range have
 * some value, the same for the same operands. A program that is run stops there. So for a claim
 * that is proved we try to show that no such error can happen, and say where if we cannot.
 *
 * Before every statement a check is put in, "if the operations are defined then skip else loop for
 * ever", every loop gets a reason to end, and the kernel is asked whether the program still ends.
 * Nothing here is trusted: it only decides about a warning. */
#ifndef COUPLET_AUTO_DEFINED_H
#define COUPLET_AUTO_DEFINED_H

#include "lang/syntax/lang.h"
#include "smt/smt.h"

/* True with the place of the first statement that may fail. `found`: a proof of the claim that does
 * not stand in the file, or NULL; what a proof says of one run is tried where nothing else helps.
 */
bool program_may_fail(struct lang *lang, const struct ast_module *module,
                      const struct ast_decl *claim, const char *found,
                      const struct smt_options *options, struct span *where);

#endif
