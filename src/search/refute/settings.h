/* Values of the parameters to look for counterexamples at.
 *
 * Small first: lengths from 1 on, epsilon 1, 2, 1/2, 4, other parameters what the instance says,
 * what their assumptions mention, then small numbers. Everything is deterministic. */
#ifndef COUPLET_REFUTE_SETTINGS_H
#define COUPLET_REFUTE_SETTINGS_H

#include "search/refute/program_refute.h"

/* One setting of the parameters. */
struct setting {
  VEC(struct program_param) params;
};
typedef VEC(struct setting) setting_list;

/* Settings that satisfy the assumptions, smallest first. An empty list: *why says which parameter
 * is in the way (xmalloc'd). */
void candidate_settings(setting_list *out, const struct program_claim *claim,
                        const struct ast_decl *instance, char **why);
void setting_list_clear(setting_list *list);

/* Is it a real parameter in the claimed epsilon? */
bool candidate_is_epsilon(const struct program_claim *claim, const struct ast_decl *param);
/* The only parameter that says how long inputs are, or NULL. */
const struct ast_decl *candidate_length(const struct program_claim *claim);

#endif
