/* Derivations as text: the calls of the kernel that make one, in order, and their replay.
 *
 * Whoever finds a proof keeps the calls; this file repeats them. It knows no proof text and searches
 * for nothing: a line that the kernel refuses ends it. A line is one of
 *   by NOTION EXPRESSION      first: the derivation is in this notion at this cost, and not in that
 *                             of the claim, which has to follow (claim/convert.h)
 *   order EXPRESSION          second, after `by renyi`: the order
 *   = LINE                    the next term t0, t1, ... (term/exchange.h, which numbers them alike)
 *   : WORD..                  the next command c0, c1, ...: that of the claim (program), parts of
 *                             another (first c, second c), or a new one (skip, assign t t,
 *                             sample t NAME t.., seq c c, if t c c, while t c)
 *   flag NAME                 a boolean variable of the program, for `flatten`
 *   label t                   the kernel labels a formula
 *   > RULE ARGUMENT..         the next judgement j0, j1, ... (bound b0, b1, ... for rules of aHL)
 *                             in the forward context; `<`: in the backward one
 *   > lemma t                 the facts entail t, which becomes a fact
 *   at t t                    of a lemma that is false: a variable or f(1, 2), and its value
 *   witness t                 the same: the value of a variable of the quantifiers in front
 *   end j J {c V I}..         last: the claim follows; J is the backward judgement or -; and loops
 *                             with their variants and invariants
 *   end b {c V I}..           the same for a claim of accuracy
 *   law c I R M               of a claim with `samples`: a loop, its invariant, its rank and the bound
 *                             of that
 *   way t {t t}..             a part of the law of the last loop: its weight, and variables with values
 *   end law                   last: the claim follows
 * Arguments are t3, c3, j3, b3 as above, p3 q3 d3 (pre, post and delta of j3), x3 y3 z3 (pre,
 * post and bound of b3), n3 (a number), and - where a term may be missing. replay.c lists the rules and what they take. */
#ifndef COUPLET_CHECK_PROOF_REPLAY_H
#define COUPLET_CHECK_PROOF_REPLAY_H

#include "base/budget.h"
#include "check/proof/dossier.h"
#include "claim/claim.h"
#include "claim/lemma.h"

/* What is to be shown, in a table of terms that has seen nothing else. */
struct replay_goal {
  struct lang *lang;
  const struct ast_module *module;
  const struct ast_decl *decl;    /* a claim or a lemma */
  const struct ast_expr *epsilon; /* of the claim */
  struct terms *terms;
  struct decider *decider;
  bool is_false; /* that the lemma does not hold */
};

/* What the kernel says to the claim or lemma after these calls. Other than CLAIM_PROVED: *why says
 * which line was refused and why (xmalloc'd). Lemmas need only terms and lemmas, and no `end`;
 * false ones terms and values. */
enum claim_verdict replay_calls(const struct replay_goal *goal, const call_list *calls,
                                const struct budget *budget, char **why);

/* An expression of a certificate; NULL: it is none. */
const struct ast_expr *replay_expression(struct lang *lang, const char *text);

#endif
