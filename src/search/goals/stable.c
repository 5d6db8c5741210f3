#include "search/goals/stable.h"

#include "search/base/lists.h"
#include "term/build.h"
#include "term/subst.h"

/* The variables that the sampling's parameters read, in both runs. */
static void read_at(struct auto_problem *p, const struct core *site, term_list *out) {
  term_list plain = {0};
  for (size_t i = 0; i < site->arg_count; i++)
    term_free_vars(p->ts, site->args[i], &plain);
  for (size_t i = 0; i < plain.len; i++)
    for (unsigned run = 1; run <= 2; run++)
      terms_add(out, term_var_in_run(p->ts, plain.at[i], run));
  vec_clear(&plain);
}

/* The part of the disjunction that is about these variables, negated: if the rest is about others. */
static term_id not_at_edge(struct terms *ts, term_id fact, const term_list *read) {
  term_id all = term_bool(ts, true);
  bool rest = false;
  for (size_t i = 0; i < term_arg_count(ts, fact); i++) {
    term_id one = term_arg(ts, fact, i);
    bool own = term_mentions(ts, one, read->at, read->len);
    if (own) all = term_and(ts, all, term_not(ts, one));
    rest |= !own;
  }
  return rest && all != term_bool(ts, true) ? all : TERM_NONE;
}

/* What does a fact about both runs ask of the variables that are read, for the rest to hold? */
static void premise_of(struct auto_problem *p, term_id fact, const term_list *read,
                       term_list *out) {
  struct terms *ts = p->ts;
  term_id found = TERM_NONE;
  enum term_kind kind = term_kind(ts, fact);
  if (term_get(ts, fact)->flags & TERM_HAS_QUANTIFIER) return;
  if (kind == TERM_IMPLIES && term_mentions(ts, term_arg(ts, fact, 0), read->at, read->len))
    found = term_arg(ts, fact, 0);
  else if (kind == TERM_OR)
    found = not_at_edge(ts, fact, read);
  if (found != TERM_NONE) terms_add(out, found);
}

/* Of an axiom about two inputs, in which they have their values: a1 -> .. -> an -> s = t. What
 * adjacency gives of it is no premise. */
static void premises_of_axiom(struct auto_problem *p, term_id axiom, const term_list *read,
                              term_list *out) {
  struct terms *ts = p->ts;
  term_list parts = {0};
  while (term_kind(ts, axiom) == TERM_IMPLIES) {
    term_conjuncts(ts, term_arg(ts, axiom, 0), &parts);
    axiom = term_arg(ts, axiom, 1);
  }
  bool is_equation = term_kind(ts, axiom) == TERM_EQ;
  for (size_t i = 0; i < parts.len && is_equation; i++)
    if (term_mentions(ts, parts.at[i], read->at, read->len) && !auto_follows(p, parts.at[i]))
      terms_add(out, parts.at[i]);
  vec_clear(&parts);
}

/* The quantified variables as inputs: the first in run 1, the others in either run. */
static void premises_of_instances(struct auto_problem *p, term_id axiom, bool is_first,
                                  const term_list *read, term_list *out) {
  struct terms *ts = p->ts;
  const struct kernel *k = claim_kernel(p->goal, CLAIM_FORWARD);
  if (term_kind(ts, axiom) != TERM_FORALL) {
    premises_of_axiom(p, axiom, read, out);
    return;
  }
  for (size_t i = 0; i < kernel_var_count(k); i++) {
    term_id input = kernel_var_at(k, i);
    if (term_sort(ts, input) != term_get(ts, axiom)->binder) continue;
    for (unsigned run = is_first ? 1 : 2; run >= 1; run--)
      premises_of_instances(p, term_instantiate(ts, axiom, term_var_in_run(ts, input, run)), false,
                            read, out);
  }
}

void stable_premises(struct auto_problem *p, const struct core *site, term_list *out) {
  struct terms *ts = p->ts;
  const struct kernel *k = claim_kernel(p->goal, CLAIM_FORWARD);
  term_list read = {0}, facts = {0};
  read_at(p, site, &read);
  for (size_t i = 0; i < kernel_fact_count(k); i++)
    term_conjuncts(ts, kernel_fact(k, i), &facts);
  for (size_t i = 0; i < facts.len && read.len; i++) {
    premise_of(p, facts.at[i], &read, out);
    if (term_kind(ts, facts.at[i]) == TERM_FORALL)
      premises_of_instances(p, facts.at[i], true, &read, out);
  }
  vec_clear(&read);
  vec_clear(&facts);
}
