/* The union-bound logic aHL (docs/bibliography.md, Union bound): judgements about one run.
 *
 *     { pre }  c  { post } : beta
 *
 * From every memory of that run in pre (and in the facts), c ends outside post with probability at
 * most beta. Formulas are over that run's memory and logical variables, without the budget; beta is
 * over logical variables. Rules work backwards as in rules.h. Only ahl.c,
 * ahl_total.c, rules_contest.c and rules_fuse.c make such judgements. */
#ifndef COUPLET_KERNEL_AHL_H
#define COUPLET_KERNEL_AHL_H

#include "kernel/dist.h"
#include "kernel/judgement.h"

typedef const struct ahl *bound_of;

const struct kernel *ahl_kernel(const struct ahl *a); /* the context it was made in */
unsigned ahl_run(const struct ahl *a);
const struct core *ahl_command(const struct ahl *a);
term_id ahl_pre(const struct ahl *a);
term_id ahl_post(const struct ahl *a);
term_id ahl_beta(const struct ahl *a);

bound_of ahl_skip(struct kernel *k, unsigned run, term_id post);
bound_of ahl_assign(struct kernel *k, unsigned run, const struct core *c, term_id post);
bound_of ahl_seq(struct kernel *k, bound_of first, bound_of second);
bound_of ahl_cond(struct kernel *k, const struct core *c, bound_of then, bound_of otherwise);
bound_of ahl_conseq(struct kernel *k, struct span span, term_id pre, term_id post, term_id beta,
                    bound_of a);
/* c does not write what the formula speaks of. */
bound_of ahl_frame(struct kernel *k, unsigned run, const struct core *c, term_id formula);
bound_of ahl_and(struct kernel *k, bound_of a, bound_of b);
/* n iterations at most, by a variant that decreases from n. */
bound_of ahl_while(struct kernel *k, const struct core *c, term_id invariant, term_id variant,
                   term_id count, term_id most, bound_of body);
/* The same where an iteration at V = count fails with a probability over `count`: `total`, over
 * `count`, covers what that many iterations may fail with. */
bound_of ahl_while_each(struct kernel *k, const struct core *c, term_id invariant, term_id variant,
                        term_id count, term_id most, term_id total, bound_of body);
/* Any number of iterations, none of which can fail. */
bound_of ahl_while_sure(struct kernel *k, const struct core *c, term_id invariant, bound_of body);
/* Whatever is sampled. */
bound_of ahl_sample(struct kernel *k, unsigned run, const struct core *c, term_id post);

/* Noise leaves centre + t, centre - t, or [centre - t, centre + t]. */
bound_of ahl_tail(struct kernel *k, unsigned run, const struct core *c, enum tail tail, term_id t,
                  term_id beta, term_id post);

/* Some of finitely many samples are bad. */
bound_of ahl_coin(struct kernel *k, unsigned run, const struct core *c, term_id beta, term_id post);

struct sample_set; /* rules.h */
/* The sample is not in the set, whose `when` speaks of `sample`. */
bound_of ahl_set(struct kernel *k, unsigned run, const struct core *c, term_id sample,
                 const struct sample_set *set, term_id beta, term_id post);

/* A sum of independent noise with mean 0 that a loop adds up, and how far it may get. Terms of one
 * run, or, marked *, over logical variables. */
struct ahl_total {
  enum tail tail;
  term_id sum;
  term_id within;           /* *: how far */
  term_id scale;            /* *: of every draw */
  term_id left, draws;      /* draws that are still to come; *: at most, after a start */
  term_id restarts, blocks; /* starts from 0 that are still to come; *: at most. TERM_NONE: 0 */
  term_id exponent;         /* * */
  term_id failure;          /* *: at least sides (blocks + 1) e^(-exponent) */
};
/* The sums stay within their bounds all the time. */
bound_of ahl_while_total(struct kernel *k, const struct core *c, term_id invariant,
                         const struct ahl_total *totals, size_t count, bound_of body);
/* The sums are within their bounds; the counts are not negative. */
term_id ahl_total_near(struct kernel *k, const struct ahl_total *totals, size_t count);
term_id ahl_total_counts(struct kernel *k, const struct ahl_total *totals, size_t count);

/* A loop ahead of another one, as a part of it (EQUIV-FUSE, rules_fuse.c): c from what is proved of
 * the fused loops. */
bound_of ahl_fuse(struct kernel *k, const struct core *c, bound_of a);

/* The winner of a contest with Gumbel noise is within t of the best value (rules_contest.c). */
bound_of ahl_contest(struct kernel *k, unsigned run, struct span span, const struct core *c,
                     term_id t, term_id beta, term_id post);

/* UTB-L and UTB-R: see rules_event.c. `most` is only for run 2. */
const struct judgement *rule_upto(struct kernel *k, struct span span, bound_of event, term_id most,
                                  term_id post, const struct judgement *j);

#endif
