/* What the sampling rules share. Inside of the kernel only. */
#ifndef COUPLET_KERNEL_SAMPLING_H
#define COUPLET_KERNEL_SAMPLING_H

#include "kernel/internal.h"
#include "kernel/rules.h"

/* A sampling in one run. */
struct sampling {
  const struct core *c;
  term_id *args; /* tagged */
  term_id var;   /* tagged */
  sort_id sort;  /* of the sample */
};

/* Checks the command and tags its parameters. */
bool sampling_open(struct kernel *k, const char *rule, const struct core *c, unsigned run,
                   struct sampling *s);
/* The parameters make sense, labelled. */
term_id sampling_valid(struct kernel *k, const char *rule, const struct sampling *s);
term_id sampling_supported(struct kernel *k, const struct sampling *s, term_id value);
/* cost <= B, and post after run 1 got v and run 2 got w and the cost is paid. */
term_id sampling_after(struct kernel *k, const char *rule, const struct sampling *one,
                       const struct sampling *two, term_id v, term_id w, term_id cost,
                       term_id post);

/* Is v in the set, whose `when` speaks of `sample`? */
term_id set_contains(struct kernel *k, term_id sample, const struct sample_set *set, term_id v);
/* Probability of the set; TERM_NONE if there is no closed form. Intervals must not be empty. */
term_id set_mass(struct kernel *k, term_id sample, const struct sample_set *set,
                 const struct sampling *s);
/* Is it made of numbers, or a formula, over the memories before? */
bool set_is_fit(struct kernel *k, term_id sample, const struct sample_set *set);

#endif
