/* The calls of the kernel's rules, kept as text for a certificate (check/proof/replay.h).
 *
 * The derivation goes through these functions, each of which calls the rule of its name and, if the
 * prover has a record, adds a line for it. A rule that is called past them leaves a judgement that
 * the record does not know: then there is no text, and no certificate. */
#ifndef COUPLET_PROOF_RECORD_H
#define COUPLET_PROOF_RECORD_H

#include "base/ptrmap.h"
#include "check/proof/replay.h"
#include "kernel/ahl.h"
#include "kernel/rules.h"
#include "term/exchange.h"

struct prover;

struct record {
  call_list *calls;
  struct term_writer terms;
  struct ptrmap judgements, bounds, commands; /* 1 + number */
  struct ptrmap parents;                      /* of the commands inside the program */
  struct ptrmap parts; /* term -> pre, post or delta of which judgement; formulas of the kernel are
                          named like that, because they have labels in them */
  struct ptrmap bound_parts; /* the same of which bound */
  size_t judgement_count, bound_count, command_count;
  struct buffer line; /* that is being written */
  bool is_broken;     /* something cannot be said */
};

/* Adds the lines of a term that are new; its number. */
size_t record_term(struct term_writer *w, call_list *calls, term_id t);

/* `program`: of the claim; NULL: a lemma. */
void record_init(struct record *r, struct terms *ts, const struct core *program, call_list *calls);
/* Takes the calls back if they are not complete. */
void record_clear(struct record *r);
/* The first lines: the proof is in another notion than the claim. */
void record_route(struct record *r, const struct lang *lang, const struct claim_route *route);
/* The last line. */
void record_end(struct prover *p, proof_of forward, proof_of backward,
                const struct loop_variants *variants);

term_id step_fresh(struct prover *p, const char *name, sort_id sort);
term_id step_label(struct prover *p, term_id formula, const char *rule, struct span span,
                   const char *what);
void step_flag(struct prover *p, const char *name);
bool step_lemma(struct prover *p, struct kernel *k, struct span span, term_id formula);

proof_of step_skip(struct prover *p, term_id post);
proof_of step_assign(struct prover *p, unsigned run, const struct core *c, term_id post);
proof_of step_seq(struct prover *p, proof_of first, proof_of second);
proof_of step_conseq(struct prover *p, struct span span, term_id pre, term_id post, term_id delta,
                     proof_of j);
proof_of step_cond(struct prover *p, const struct core *c1, const struct core *c2, proof_of then,
                   proof_of otherwise);
proof_of step_cond_side(struct prover *p, unsigned run, const struct core *c, proof_of then,
                        proof_of otherwise);
proof_of step_case(struct prover *p, struct span span, term_id condition, proof_of yes,
                   proof_of no);
proof_of step_frame(struct prover *p, struct span span, term_id formula, proof_of j);
proof_of step_exists(struct prover *p, struct span span, term_id var, term_id witness, proof_of j);
proof_of step_waste(struct prover *p, struct span span, term_id keep, term_id post);
proof_of step_budget_frame(struct prover *p, struct span span, term_id extra, proof_of j);
proof_of step_contract(struct prover *p, struct span span, term_id spent, term_id post, proof_of j);
proof_of step_while(struct prover *p, const struct core *c1, const struct core *c2,
                    term_id invariant, proof_of body);
proof_of step_while_apart(struct prover *p, const struct core *c1, const struct core *c2,
                          term_id invariant, proof_of body, proof_of rest);
proof_of step_while_side(struct prover *p, unsigned run, const struct core *c, term_id invariant,
                         proof_of body, const struct loop_variants *variants);
proof_of step_while_delta(struct prover *p, const struct core *c1, const struct core *c2,
                          term_id invariant, struct while_delta how, proof_of body);
proof_of step_sample_shift(struct prover *p, const struct core *c1, const struct core *c2,
                           const struct coupling *how, term_id post);
proof_of step_sample_same(struct prover *p, const struct core *c1, const struct core *c2,
                          term_id post);
proof_of step_sample_side(struct prover *p, unsigned run, const struct core *c, term_id post);
proof_of step_sample_interval(struct prover *p, const struct core *c1, const struct core *c2,
                              const struct interval_coupling *how, term_id post);
proof_of step_sample_scale(struct prover *p, const struct core *c1, const struct core *c2,
                           term_id s, term_id delta, term_id post);
proof_of step_sample_slide(struct prover *p, const struct core *c1, const struct core *c2,
                           term_id by, term_id delta, term_id post);
proof_of step_sample_subset(struct prover *p, const struct core *c1, const struct core *c2,
                            const struct subset_coupling *how, term_id post);
proof_of step_sample_bernoulli(struct prover *p, const struct core *c1, const struct core *c2,
                               bool flip, term_id cost_true, term_id cost_false, term_id post);
proof_of step_sample_bijection(struct prover *p, const struct core *c1, const struct core *c2,
                               term_id sample, term_id there, term_id back, term_id post);
proof_of step_sample_meet(struct prover *p, const struct core *c1, const struct core *c2,
                          term_id value, term_id cost_true, term_id cost_false, term_id post);
proof_of step_sample_aim(struct prover *p, const struct core *c, term_id value, term_id cost,
                         term_id post);
proof_of step_finite(struct prover *p, struct span span, const struct core *c1,
                     const struct core *c2, const struct finite_part *how);
proof_of step_pure_part(struct prover *p, struct span span, term_id epsilon, proof_of forward,
                        proof_of backward, const struct loop_variants *variants);
proof_of step_until(struct prover *p, struct span span, const struct core *c, term_id accept,
                    term_id post, proof_of forward, proof_of backward,
                    const struct loop_variants *variants);
proof_of step_subsample(struct prover *p, struct span span, const struct core *c,
                        const struct subsample *how);
proof_of step_exponential(struct prover *p, struct span span, const struct core *c,
                          const struct exponential *how);
proof_of step_podium(struct prover *p, struct span span, const struct core *c,
                     const struct podium *how);
proof_of step_advanced(struct prover *p, const struct core *c1, const struct core *c2,
                       const struct advanced *how, proof_of forward, proof_of backward);
proof_of step_equiv_noise(struct prover *p, unsigned run, const struct core *block, proof_of j);
proof_of step_equiv_swap(struct prover *p, unsigned run, proof_of j);
proof_of step_equiv_unroll(struct prover *p, unsigned run, const struct core *loop, proof_of j);
proof_of step_equiv_split(struct prover *p, unsigned run, const struct core *loop, term_id when,
                          proof_of j);
proof_of step_equiv_block(struct prover *p, unsigned run, const struct core *loop, term_id when,
                          proof_of j);
proof_of step_equiv_flatten(struct prover *p, unsigned run, const struct core *loop, term_id flag,
                            proof_of j);
proof_of step_equiv_fuse(struct prover *p, unsigned run, const struct core *c, proof_of j);
proof_of step_equiv_join(struct prover *p, unsigned run, const struct core *c, proof_of j);
proof_of step_equiv_dead(struct prover *p, unsigned run, const struct core *dead,
                         const struct loop_variants *variants, proof_of j);
proof_of step_pointwise(struct prover *p, struct span span, term_id d, term_id i, term_id rest,
                        const struct pointwise_sum *sum, proof_of j);
proof_of step_adversary(struct prover *p, const struct core *c1, const struct core *c2,
                        term_id post);
/* The last line of a claim of accuracy. */
void record_bound_end(struct prover *p, bound_of bound, const struct loop_variants *variants);
/* All lines of a claim with `samples`. */
struct laws;
void record_laws(struct prover *p, const struct laws *laws);
/* The union bound, about run 1. */
bound_of step_bound_skip(struct prover *p, term_id post);
bound_of step_bound_assign(struct prover *p, const struct core *c, term_id post);
bound_of step_bound_seq(struct prover *p, bound_of first, bound_of second);
bound_of step_bound_cond(struct prover *p, const struct core *c, bound_of then, bound_of otherwise);
bound_of step_bound_conseq(struct prover *p, struct span span, term_id pre, term_id post,
                           term_id beta, bound_of b);
bound_of step_bound_frame(struct prover *p, const struct core *c, term_id formula);
bound_of step_bound_and(struct prover *p, bound_of a, bound_of b);
bound_of step_bound_while(struct prover *p, const struct core *c, term_id invariant,
                          term_id variant, term_id count, term_id most, bound_of body);
bound_of step_bound_while_each(struct prover *p, const struct core *c, term_id invariant,
                               term_id variant, term_id count, term_id most, term_id total,
                               bound_of body);
bound_of step_bound_while_sure(struct prover *p, const struct core *c, term_id invariant,
                               bound_of body);
bound_of step_bound_while_total(struct prover *p, const struct core *c, term_id invariant,
                                const struct ahl_total *totals, size_t count, bound_of body);
bound_of step_bound_sample(struct prover *p, const struct core *c, term_id post);
bound_of step_bound_fuse(struct prover *p, const struct core *c, bound_of a);
bound_of step_bound_contest(struct prover *p, struct span span, const struct core *c, term_id t,
                            term_id beta, term_id post);
bound_of step_bound_coin(struct prover *p, const struct core *c, term_id beta, term_id post);
bound_of step_set(struct prover *p, unsigned run, const struct core *c, term_id sample,
                  const struct sample_set *set, term_id beta, term_id post);
bound_of step_tail(struct prover *p, unsigned run, const struct core *c, enum tail tail, term_id t,
                   term_id beta, term_id post);
proof_of step_upto(struct prover *p, struct span span, bound_of event, term_id most, term_id post,
                   proof_of j);

#endif
