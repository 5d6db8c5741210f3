/* The rules. Each function makes the judgement below the line from those above it, or returns NULL
 * and fills in kernel_failure. docs/rules.md states every rule with its side conditions.
 *
 * Rules work backwards: given what must hold afterwards they compute a precondition that contains
 * every side condition that depends on the state (equal scales, disjoint images, ...), labelled so
 * that a failure finds its way back. Nothing is asked of the solver until rule_conseq; only side
 * conditions that are not about one state (a sum of deltas, termination) are proved on the spot.
 *
 * `run` is 1 or 2: the side on which a one-sided rule acts; the other side is skip. */
#ifndef COUPLET_KERNEL_RULES_H
#define COUPLET_KERNEL_RULES_H

#include "kernel/fraction.h"
#include "kernel/judgement.h"
#include "kernel/lossless.h"

typedef const struct judgement *proof_of;

/* ---- structure (rules_structure.c) ----------------------------------------------------------- */

proof_of rule_skip(struct kernel *k, term_id post);
proof_of rule_assign(struct kernel *k, unsigned run, const struct core *c, term_id post);
proof_of rule_seq(struct kernel *k, proof_of first, proof_of second);
proof_of rule_conseq(struct kernel *k, struct span span, term_id pre, term_id post, term_id delta,
                     proof_of j);
proof_of rule_cond(struct kernel *k, const struct core *c1, const struct core *c2, proof_of then,
                   proof_of otherwise);
proof_of rule_cond_side(struct kernel *k, unsigned run, const struct core *c, proof_of then,
                        proof_of otherwise);
proof_of rule_case(struct kernel *k, struct span span, term_id condition, proof_of yes,
                   proof_of no);
proof_of rule_frame(struct kernel *k, struct span span, term_id formula, proof_of j);
/* `witness`: TERM_NONE, or a term over the memories before that stands for the variable. */
proof_of rule_exists(struct kernel *k, struct span span, term_id var, term_id witness, proof_of j);
proof_of rule_waste(struct kernel *k, struct span span, term_id keep, term_id post);
proof_of rule_budget_frame(struct kernel *k, struct span span, term_id extra, proof_of j);
/* A part of a program by what it is known to do: `spent` goes into it, the rest is put aside, and
 * of what it writes nothing is known afterwards but the postcondition of j. */
proof_of rule_contract(struct kernel *k, struct span span, term_id spent, term_id post, proof_of j);
/* Anything; the judgement and all that follow from it are marked as admitted. */
proof_of rule_admit(struct kernel *k, struct span span, const struct core *c1,
                    const struct core *c2, term_id pre, term_id post);

/* ---- loops (rules_loop.c) -------------------------------------------------------------------- */

proof_of rule_while(struct kernel *k, const struct core *c1, const struct core *c2,
                    term_id invariant, proof_of body);
proof_of rule_while_apart(struct kernel *k, const struct core *c1, const struct core *c2,
                          term_id invariant, proof_of body, proof_of rest);
proof_of rule_while_side(struct kernel *k, unsigned run, const struct core *c, term_id invariant,
                         proof_of body, const struct loop_variants *variants);

/* While with a body that costs delta: `step` and `total` are terms over the logical int `count`. */
struct while_delta {
  term_id variant; /* int term of run 1, run-less */
  term_id count;   /* logical int: value of the variant before the body */
  term_id total;   /* closed form of the sum of the body's deltas for variants 1..count */
  term_id most;    /* int over logical variables: the variant is at most this at the start */
};
proof_of rule_while_delta(struct kernel *k, const struct core *c1, const struct core *c2,
                          term_id invariant, struct while_delta how, proof_of body);

/* ---- sampling (rules_sample.c) --------------------------------------------------------------- */

/* One case of a coupling: when run 1's sample satisfies `when` (and none of the cases before), run
 * 2's sample is it plus `shift`. */
struct coupling_case {
  term_id when;  /* over the memories before and the coupling's `sample`; last case: TERM_NONE */
  term_id shift; /* over the memories before */
  term_id bound; /* TERM_NONE, or over the memories before: the noise moves by at most this, and
                    this is what is paid for */
};
struct coupling {
  term_id sample; /* logical variable that stands for run 1's sample in `when` */
  const struct coupling_case *cases;
  size_t count;
};
proof_of rule_sample_shift(struct kernel *k, const struct core *c1, const struct core *c2,
                           const struct coupling *coupling, term_id post);
/* The same distribution on both sides, equal samples: RND with the identity. */
proof_of rule_sample_same(struct kernel *k, const struct core *c1, const struct core *c2,
                          term_id post);
proof_of rule_sample_side(struct kernel *k, unsigned run, const struct core *c, term_id post);

/* ---- more sampling (rules_subset.c) ---------------------------------------------------------- */

/* Discrete Laplace noise: run 1's sample lies in its interval iff run 2's lies in its own. */
struct interval_coupling {
  term_id p, q;       /* outer interval */
  term_id r, s;       /* inner interval */
  bool inner;         /* run 1 has the inner interval */
  term_id move;       /* distance of the centres is at most this */
  term_id eta, sigma; /* see the rule; sigma only if run 1 has the outer interval */
  term_id cost;       /* what is paid, at least what the rule asks for */
};
proof_of rule_sample_interval(struct kernel *k, const struct core *c1, const struct core *c2,
                              const struct interval_coupling *how, term_id post);
/* Uniform noise on (l,h], 0 <= l, or Laplace and exponential noise around 0: run 2's sample is e^-s
 * times run 1's, up to `delta` (a term over parameters). */
proof_of rule_sample_scale(struct kernel *k, const struct core *c1, const struct core *c2,
                           term_id s, term_id delta, term_id post);
/* Uniform noise: run 2's sample is run 1's plus `by`, up to `delta` (a term over parameters). */
proof_of rule_sample_slide(struct kernel *k, const struct core *c1, const struct core *c2,
                           term_id by, term_id delta, term_id post);
/* A set of samples: from low to high (TERM_NONE: no bound), or where `when` holds (families with
 * finitely many values). */
struct sample_set {
  term_id low, high;
  term_id when; /* over the memories before and `sample` */
};
struct subset_coupling {
  term_id sample; /* logical variable that stands for the sample in `when` */
  struct sample_set sets[2];
  term_id inside, outside; /* costs when both are in their sets, and when both are outside */
};
proof_of rule_sample_subset(struct kernel *k, const struct core *c1, const struct core *c2,
                            const struct subset_coupling *how, term_id post);
proof_of rule_sample_bernoulli(struct kernel *k, const struct core *c1, const struct core *c2,
                               bool flip, term_id cost_true, term_id cost_false, term_id post);
/* Uniform integers: run 2's sample is `there` of run 1's, given by `back` the other way. */
proof_of rule_sample_bijection(struct kernel *k, const struct core *c1, const struct core *c2,
                               term_id sample, term_id there, term_id back, term_id post);

/* ---- many samples against one (rules_meet.c) ------------------------------------------------- */

/* Bernoulli: run 2 has `value` whatever run 1 has; the costs are those of run 1's samples. */
proof_of rule_sample_meet(struct kernel *k, const struct core *c1, const struct core *c2,
                          term_id value, term_id cost_true, term_id cost_false, term_id post);
/* Run 2 samples alone, from a finite distribution, and has `value`. */
proof_of rule_sample_aim(struct kernel *k, const struct core *c, term_id value, term_id cost,
                         term_id post);

/* ---- finitely many outcomes (rules_finite.c) ------------------------------------------------- */

/* An integer of one run that is in low..high, and is looked at value by value. */
struct finite_range {
  term_id value; /* over the memory before, run-less */
  long low, high;
};
struct finite_part {
  const term_id *keys; /* program variables with finitely many outcomes */
  size_t key_count;
  term_id spent; /* a term over the memories before: for this the keys are equal afterwards */
  const struct finite_range *ranges;
  size_t range_count;
  enum comparison comparison; /* of sums of exponentials (fraction.h) */
};
proof_of rule_finite(struct kernel *k, struct span span, const struct core *c1,
                     const struct core *c2, const struct finite_part *how);

/* ---- parts in the pure notion (rules_notion.c) ------------------------------------------------ */

/* A part that is proved in the pure contexts at `epsilon`, in both directions. */
proof_of rule_pure_part(struct kernel *k, struct span span, term_id epsilon, proof_of forward,
                        proof_of backward, const struct loop_variants *variants);

/* ---- loops that draw until something is accepted (rules_until.c) ------------------------------- */

/* c is the loop, or a round and the loop; the premises are about a round, the second one where the
 * runs are exchanged. `accept`: what it costs that run 2 does not accept more often than run 1. */
/* Is `first` such a round, up to the names of variables (appended)? */
bool until_begins(struct kernel *k, const struct core *first, const struct core *round,
                  term_list *names);
proof_of rule_until(struct kernel *k, struct span span, const struct core *c, term_id accept,
                    term_id post, proof_of forward, proof_of backward,
                    const struct loop_variants *variants);

/* ---- laws of whole loops (rules_law.c, rules_contest.c) --------------------------------------- */

/* A sum over records, each sampled with the same probability, and noise: c is that loop and the
 * sampling of the noise. */
struct subsample {
  term_id place; /* int over the memories before: where the record is that one run lacks */
  term_id bound; /* it moves the location of the noise by no more than this */
};
proof_of rule_subsample(struct kernel *k, struct span span, const struct core *c,
                        const struct subsample *how);

/* The exponential mechanism: a loop for the index of the largest of values with Gumbel noise. */
struct exponential {
  term_id low, high; /* over the memories before: of a value in run 1 minus that in run 2 */
};
proof_of rule_exponential(struct kernel *k, struct span span, const struct core *c,
                          const struct exponential *how);
/* The variable with the sum, what a record adds to it, and the location of the noise; false: the
 * rule does not apply. */
bool subsample_sum(struct kernel *k, const struct core *c, term_id *sum, term_id *more,
                   term_id *location);
/* What they cost; TERM_NONE: the rules do not apply. */
term_id subsample_price(struct kernel *k, const struct core *c, const struct subsample *how);
term_id exponential_price(struct kernel *k, const struct core *c, const struct exponential *how);
/* The values without their noise, over the index; TERM_NONE likewise. */
term_id exponential_score(struct kernel *k, const struct core *c);

/* ---- the two largest values (rules_podium.c) --------------------------------------------------- */

/* A loop that keeps the largest and the second largest of values with noise. */
struct podium {
  term_id winner, runner_up; /* variables with their labels; runner_up: TERM_NONE if not kept */
  term_id first, second;     /* the values, over the variables */
  term_id low, high;         /* over the memories before: of a value in run 1 minus that in run 2 */
};
proof_of rule_podium(struct kernel *k, struct span span, const struct core *c,
                     const struct podium *how);
/* TERM_NONE: the rule does not apply. */
term_id podium_price(struct kernel *k, const struct core *c, const struct podium *how);

/* ---- advanced composition (rules_compose.c) -------------------------------------------------- */

struct advanced {
  term_id relation; /* Theta, without the budget */
  term_id hit;      /* bool of one run, after the body; TERM_NONE: every iteration (AC-WHILE) */
  term_id hits;     /* int of one run: counts the hits */
  term_id count;    /* logical int */
  term_id most;     /* at most so many hits */
  term_id epsilon, omega; /* cost of a hit; price in delta */
  term_id delta;          /* of the body, in both directions; TERM_NONE: 0 (AC-HIT must have 0) */
  term_id total;          /* TERM_NONE: the closed forms; else the cost of the loop by the optimal
                             theorem: `most` is a number, epsilon and delta may mention `count` */
};
struct advanced_goal {
  term_id pre, post;
};
/* What the forward and the backward premise must be. */
struct advanced_goal advanced_goal(struct kernel *k, const struct core *c1, const struct core *c2,
                                   const struct advanced *how, bool backward);
term_id advanced_total(struct kernel *k, const struct advanced *how);
/* With `total`: the delta of all iterations; TERM_NONE beyond limits. */
term_id advanced_optimal(struct kernel *k, const struct advanced *how);
proof_of rule_advanced(struct kernel *k, const struct core *c1, const struct core *c2,
                       const struct advanced *how, proof_of forward, proof_of backward);

/* ---- equivalent programs (rules_equiv.c) ----------------------------------------------------- */

proof_of rule_equiv_swap(struct kernel *k, unsigned run, proof_of j);
proof_of rule_equiv_unroll(struct kernel *k, unsigned run, const struct core *loop, proof_of j);
proof_of rule_equiv_split(struct kernel *k, unsigned run, const struct core *loop, term_id p,
                          proof_of j);
proof_of rule_equiv_block(struct kernel *k, unsigned run, const struct core *loop, term_id p,
                          proof_of j);
/* The flat form of a loop with a loop in it, in the arena of k; NULL if it has none. */
const struct core *equiv_flat(struct kernel *k, const struct core *loop, term_id flag);
proof_of rule_equiv_flatten(struct kernel *k, unsigned run, const struct core *loop, term_id flag,
                            proof_of j);
/* The samplings of both branches as one, in the arena of k; NULL if they cannot be. */
const struct core *equiv_joined(struct kernel *k, const struct core *c);
proof_of rule_equiv_join(struct kernel *k, unsigned run, const struct core *c, proof_of j);
proof_of rule_equiv_dead(struct kernel *k, unsigned run, const struct core *dead,
                         const struct loop_variants *variants, proof_of j);

/* ---- loops that run ahead of others (rules_fuse.c) ------------------------------------------- */

/* c, which begins with a loop, with that loop as a part of the first one that uses what it fills; in
 * the arena of k. NULL if it cannot be: *why says so. */
const struct core *equiv_fused(struct kernel *k, const struct core *c, const char **why);
proof_of rule_equiv_fuse(struct kernel *k, unsigned run, const struct core *c, proof_of j);

/* ---- noise made by hand (rules_noise.c) ------------------------------------------------------ */

proof_of rule_equiv_noise(struct kernel *k, unsigned run, const struct core *block, proof_of j);
/* What it adds to the precondition if `block` takes the place of `simple`; TERM_NONE: no law fits. */
term_id equiv_noise_condition(struct kernel *k, unsigned run, const struct core *block,
                              const struct core *simple, term_id post);

/* ---- pointwise equality and adversaries (rules_event.c) -------------------------------------- */

/* The conjuncts of post other than d<1> = d<2>; TERM_NONE if that is not among them. */
term_id rule_pointwise_rest(struct kernel *k, term_id d, term_id post);
/* The postcondition that PW-EQ needs to conclude `post`. */
term_id rule_pointwise_goal(struct kernel *k, term_id d, term_id value, term_id post);
/* What the deltas of the values add up to; NULL: the premise has delta 0. In `renyi` only the range
 * counts. */
struct pointwise_sum {
  term_id low, high; /* int: outside of these values the premise has delta 0 */
  term_id total;     /* int: closed form of the sum for values low..i, over i. bool: not used */
};
/* The goal together with what else PW-EQ needs outside of the pure notion: d is in the range. */
term_id rule_pointwise_within(struct kernel *k, term_id d, term_id value,
                              const struct pointwise_sum *sum, term_id goal);
proof_of rule_pointwise(struct kernel *k, struct span span, term_id d, term_id i, term_id rest,
                        const struct pointwise_sum *sum, proof_of j);
proof_of rule_adversary(struct kernel *k, const struct core *c1, const struct core *c2,
                        term_id post);

#endif
