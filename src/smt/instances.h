/* Ground instances of quantified hypotheses, for methods that do not know quantifiers.
 *
 * An instance of a hypothesis that holds is a formula that holds; so is the body of an existential
 * one with a fresh constant. Instances are made for the index terms of arrays and the other ground
 * terms of the binder's sort that occur in the problem. */
#ifndef COUPLET_SMT_INSTANCES_H
#define COUPLET_SMT_INSTANCES_H

#include "term/term.h"

enum {
  INSTANCES_LIMIT = 60, /* formulas added */
  INSTANCES_TERMS = 6   /* ground terms per sort */
};

/* Replaces the quantified hypotheses by instances; `goal` is looked at for ground terms only. */
void instances_add(struct terms *ts, term_list *hyps, term_id goal);

#endif
