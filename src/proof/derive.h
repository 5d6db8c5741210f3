/* Derivations from proof text: walks the program backwards and calls the rules. */
#ifndef COUPLET_PROOF_DERIVE_H
#define COUPLET_PROOF_DERIVE_H

#include "claim/claim.h"
#include "kernel/rules.h"
#include "proof/note.h"
#include "proof/record.h"
#include "proof/script.h"
#include "proof/variable_name.h"

/* Where a loop was that is a part of another one now: at `index` of the sequence, which from there
 * on is `there` with it (derive_fuse.c). */
struct fusion_place {
  const struct core *sequence;
  size_t index;
  const struct core *there;
};
/* A conditional with such loops in its branches, and as it was. */
struct fusion_branch {
  const struct core *here, *there;
};

struct prover {
  struct claim *claim;
  struct kernel *k;
  struct terms *ts;
  struct translate_env *env;
  struct arena *arena;
  struct record *record;                  /* or NULL */
  const struct script_scope *script;      /* the whole of this direction, */
  struct script_scope *top;               /* and of the proof; or NULL */
  bool is_ready[CLAIM_CONTEXTS];          /* has lemmas */
  VEC(const struct core *) variant_loops; /* for losslessness: loops, */
  term_list variants, ranges;             /* their variants named by the proof and index ranges */
  VEC(struct fusion_place) fusions;
  VEC(struct fusion_branch) fused_branches;
  struct ptrmap notes; /* judgement -> struct note: what was done, for explanations */
  const char *error;   /* the proof text itself is wrong, */
  bool is_incomplete;  /* or lacks something that a step cannot do without */
  struct span error_span;
  enum failure_cause error_cause;
};

/* A scope of the proof and where the walk is in it. */
struct walk {
  struct script_scope *scope; /* may be NULL: nothing is said here */
  struct walk *outer;
  term_id invariant;       /* of the loop this is the body of */
  struct ptrmap *seen;     /* name of a sampled variable -> number of samplings met so far */
  unsigned loops;          /* loops met so far */
  unsigned branches;       /* conditionals met so far */
  const struct core *code; /* of the scope; NULL: one run of a loop by itself */
  bool is_joined;          /* in branches that are joined: conditionals have no numbers */
};

/* A judgement about c on both sides with this postcondition; NULL after a failure. */
proof_of derive(struct prover *p, struct walk *at, const struct core *c, term_id post);
/* The same with c on one side and skip on the other. */
proof_of derive_side(struct prover *p, struct walk *at, unsigned run, const struct core *c,
                     term_id post);
/* The whole claim in one direction: {budget = eps} M ~ M {outputs equal}. */
proof_of derive_claim(struct prover *p, struct script_scope *script);

/* derive_bound.c: a claim of accuracy: {true} M {formula} : failure */
bound_of derive_accuracy(struct prover *p, struct script_scope *script);

/* derive_samples.c: a claim with `samples`, by what the scopes of its loops say */
enum claim_verdict derive_samples(struct prover *p, struct script_scope *script);

/* Numbers the samplings, loops and conditionals of a scope; and passes over those of c, from the
 * end. */
void walk_count(struct prover *p, struct walk *at, const struct core *c);
void walk_pass(struct prover *p, struct walk *at, const struct core *c);
/* c in a scope of its own. */
proof_of derive_scope(struct prover *p, struct walk *at, const struct core *c,
                      struct script_scope *s, term_id invariant, term_id post);
/* derive_loop.c: a loop with what its scope (or NULL) says */
proof_of derive_loop(struct prover *p, struct walk *at, const struct core *c, term_id post);
proof_of derive_loop_in(struct prover *p, struct walk *at, const struct core *c,
                        struct script_scope *s, term_id post);
/* derive_until.c: the scope of the loop list[last] if it draws until something is accepted, and where
 * the round before it begins; what a round of such a loop is */
struct script_scope *until_ending(struct prover *p, const struct walk *at,
                                  const struct core *const *list, size_t last, size_t *first);
const struct core *until_round(struct kernel *k, const struct core *loop);
proof_of derive_until(struct prover *p, struct walk *at, const struct core *c,
                      struct script_scope *s, term_id post);
/* derive_form.c: the loop unrolled, split or in blocks; each run for itself, keeping an invariant
 */
proof_of derive_form(struct prover *p, struct walk *at, const struct core *c,
                     struct script_scope *s, term_id post);
proof_of derive_loop_apart(struct prover *p, struct walk *at, const struct core *c,
                           struct script_scope *s, term_id invariant, proof_of body);
proof_of derive_loop_alone(struct prover *p, struct walk *at, const struct core *c,
                           struct script_scope *s, term_id invariant);
/* `dead`: does the proof say that c does not matter? `swap`: should c be taken before the statement
 * that comes before it? */
bool rewrite_is_dead(struct prover *p, struct walk *at, const struct core *c);
bool rewrite_is_swapped(struct prover *p, struct walk *at, const struct core *before,
                        const struct core *c);
proof_of derive_dead(struct prover *p, struct walk *at, const struct core *c, term_id post);
proof_of derive_swapped(struct prover *p, struct walk *at, const struct core *before,
                        const struct core *c, term_id post);
/* derive_fuse.c: the code of a scope as it is walked; a conditional of it as it was; and the loops
 * back that were at this place of the sequence */
const struct core *derive_fused(struct prover *p, const struct core *c);
const struct core *fused_origin(const struct prover *p, const struct core *branch);
proof_of derive_unfused(struct prover *p, const struct core *sequence, size_t index, proof_of j);
bound_of derive_bound_unfused(struct prover *p, const struct core *sequence, size_t index,
                              bound_of b);
/* The conjuncts of an invariant that c cannot touch. */
term_id invariant_untouched(struct prover *p, term_id invariant, const struct core *c);
/* derive_part.c: the part that ends with a statement of the scope, whose code this is (NULL: a part
 * cannot be told from others by its number), or NULL */
struct script_part *part_ending_with(const struct terms *ts, const struct script_scope *scope,
                                     const struct core *code, const struct core *end);
/* Does a part end with the statement list[last]? Then *first is where it begins. */
struct script_part *part_ending(struct prover *p, const struct walk *at,
                                const struct core *const *list, size_t last, size_t *first);
proof_of derive_part(struct prover *p, struct walk *at, const struct core *c,
                     struct script_part *part, term_id post);
/* The lemmas of the file and of the proof become facts of the context p->k; false after a failure.
 */
bool derive_lemmas(struct prover *p);
/* Does it look like code whose outcomes can be listed? The kernel decides. */
bool outcomes_are_listable(struct terms *ts, const struct core *c);
/* Which context of the claim this is; that of a lemma counts as the first. */
enum claim_direction prover_direction(const struct prover *p, const struct kernel *k);
/* The variable of this name that c writes; TERM_NONE: none. */
term_id written_as(const struct terms *ts, const struct core *c, const char *name);
/* derive_law.c: the same for a loop whose result has a known law */
/* The loop that comes before list[last] but for assignments; `last`: there is none. */
size_t loop_before(const struct core *const *list, size_t last);
/* The Gumbel sample that comes before list[last] but for assignments; `last`: there is none. */
size_t draw_before(const struct core *const *list, size_t last);
const struct script_law *law_ending(struct prover *p, const struct walk *at,
                                    const struct core *const *list, size_t last, size_t *first);
/* Where the code that ends with the loop list[last] begins, if PODIUM applies; else last + 1. */
struct podium;
size_t podium_from(struct kernel *k, const struct core *const *list, size_t last,
                   const struct podium *how);
/* What is spent for such a price: not less, and seen to be not negative. */
term_id law_spent(struct kernel *k, term_id price);
proof_of derive_law(struct prover *p, struct walk *at, const struct core *c,
                    const struct script_law *law, term_id post);
/* The same in a claim of accuracy: the winner is near the best. */
bound_of derive_contest(struct prover *p, struct walk *at, const struct core *c,
                        const struct script_law *law, term_id post);
/* list[first]; ...; list[last] */
const struct core *sequence_of(struct prover *p, const struct core *const *list, size_t first,
                               size_t last);
/* derive_noise.c: the same for list[*first..last], which amounts to noise; *first is then where what
 * is proved begins */
const struct script_noise *noise_ending(struct prover *p, const struct walk *at,
                                        const struct core *const *list, size_t last, size_t *first);
proof_of derive_noise(struct prover *p, struct walk *at, const struct core *const *list,
                      size_t *first, size_t last, const struct script_noise *n, term_id post);
/* derive_outcomes.c: the same for a part by the probabilities of its outcomes */
struct script_outcomes *outcomes_ending(struct prover *p, const struct walk *at,
                                        const struct core *const *list, size_t last, size_t *first);
proof_of derive_outcomes(struct prover *p, struct walk *at, const struct core *c,
                         const struct script_outcomes *step, term_id post);
/* derive_sample.c */
proof_of derive_sample(struct prover *p, struct walk *at, const struct core *c, term_id post);

/* derive_coin.c: run 2 has one sample whatever run 1 has; couplings by cases of the memories
 * before; run 2 alone with the sample it is aimed at; branches that the runs may take apart because
 * such a sample is in them */
proof_of derive_meet(struct prover *p, const struct core *c, struct script_sample *s, term_id post);
proof_of derive_by_cases(struct prover *p, const struct core *c, struct script_sample *s,
                         term_id post);
proof_of derive_aim(struct prover *p, const struct core *c, struct script_sample *s, term_id post);
bool branches_part(struct prover *p, struct walk *at, const struct core *c);
proof_of derive_parted(struct prover *p, struct walk *at, const struct core *c, term_id post);
/* For explanations: a case of a sampling, how its samples are related, and its price. */
void prover_add_case(struct prover *p, proof_of j, term_id when, const char *relation,
                     term_id cost);

/* The coupling the proof names for a sampling of this variable, if any. */
struct script_sample *walk_step(struct walk *at, const char *variable, unsigned number);
proof_of derive_coupling(struct prover *p, const struct core *c, struct script_sample *s,
                         term_id post);

/* What the proof says of this sampling, from the end of the scope on; NULL: nothing. */
struct script_sample *sample_step(struct prover *p, struct walk *at, const struct core *c);
/* derive_loop.c: keeps what the scope (or NULL) of a loop says of its end */
void note_termination(struct prover *p, const struct core *c, const struct script_scope *s);
/* What is known about the termination of loops so far. */
struct loop_variants prover_variants(const struct prover *p);

/* Remembers words about a judgement (which may be NULL). */
proof_of prover_note(struct prover *p, proof_of j, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same of a case distinction: its first premise is for where the condition holds. */
proof_of prover_note_cases(struct prover *p, proof_of j, term_id condition);

/* Proof text as a term; mistakes are recorded in the prover. */
term_id prover_program_term(struct prover *p, const struct ast_expr *e, sort_id sort);
term_id prover_formula(struct prover *p, const struct ast_expr *e, sort_id sort);
proof_of prover_fail(struct prover *p, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same where the text is not wrong: it could be completed. */
proof_of prover_incomplete(struct prover *p, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
