/* Proof text, parsed: what a `proof { ... }` block says. docs/proofs.md is the guide.
 *
 * A proof follows the program. It is a tree of scopes: the block itself, and one for each loop it
 * mentions. Statements are addressed by the variable they sample and, when there are several, by
 * their number in the text; loops by their number or index. What is not mentioned gets a default.
 * A `case` splits the proof itself: each branch is the proof of the whole program for the inputs
 * and parameters where its condition holds. */
#ifndef COUPLET_PROOF_SCRIPT_H
#define COUPLET_PROOF_SCRIPT_H

#include "kernel/fraction.h"
#include "lang/syntax/lang.h"
#include "term/term.h"

enum coupling_kind {
  COUPLING_SHIFT,    /* [when c] shift e | null, case by case */
  COUPLING_SAME,     /* equal samples from equal distributions */
  COUPLING_ALONE,    /* each run for itself */
  COUPLING_INTERVAL, /* interval [p,q] to [r,s] move k eta e sigma s cost c: run 1 outside */
  COUPLING_INSIDE,   /* interval [r,s] inside [p,q] move k eta e cost c: run 1 inside */
  COUPLING_FLIP,     /* Bernoulli: run 2 has the opposite; cost when true, when false */
  COUPLING_MAP,      /* uniform integers: map e back e */
  COUPLING_SCALE,    /* u<2> = exp(-s) * u<1>, losing delta */
  COUPLING_SLIDE,    /* uniform noise: x<2> = x<1> + e, losing delta */
  COUPLING_SUBSET,   /* run 1 in its set iff run 2 in its own */
  COUPLING_MEET,     /* Bernoulli: run 2 has one value; cost of run 1's true and false */
  COUPLING_IF,       /* if f then coupling else coupling, by the memories before */
  /* claims of accuracy: */
  COUPLING_TAIL,  /* above t, below t, both t [ failure b ]: how far the noise may be */
  COUPLING_CHANCE /* failure b: some of finitely many samples are bad */
};

struct script_case {
  struct ast_expr *when;  /* NULL: otherwise */
  struct ast_expr *shift; /* NULL: null, the shift of the centre */
  struct ast_expr *bound; /* `within`: what is paid for, or NULL: the exact distance */
};

/* A set of samples: `when f`, or `above a`, `below b`, `[a, b]`. */
struct script_set {
  struct ast_expr *when, *low, *high;
};

struct script_sample {
  struct ast_name name;
  unsigned number; /* 0: every sampling of this variable in the scope */
  struct span span;
  enum coupling_kind kind;
  struct script_case *cases;
  size_t case_count;
  struct ast_expr **args; /* of the other kinds */
  size_t arg_count;
  struct script_set sets[2];       /* `subset`: of run 1 and run 2 */
  struct script_sample *branch[2]; /* `if`: then, else; the condition is args[0] */
  struct ast_expr *aim, *aim_cost; /* where run 2 samples alone: its sample, or NULL */
  /* `upto event delta beta above t`: the event fails with probability at most beta; the latter two
   * are NULL when they are left to completion */
  struct ast_expr *upto, *upto_delta, *upto_at;
  unsigned upto_tail;          /* enum tail; also of `above`, `below` and `both` */
  struct script_set *upto_in;  /* `in P` instead of a tail: the sample is in P; or NULL */
  struct ast_expr *upto_most;  /* run 2's noise: the budget is at most this; NULL: run 1's */
  struct ast_expr *upto_where; /* only there; NULL: always */
  unsigned used;               /* times it was applied: to warn about typos */
};

/* `noise y from u: Lap(e, b);`: the statements from the sampling of u to the assignment of y amount
 * to this noise, in the place of the samples. */
struct script_noise {
  struct ast_name result, from;
  struct ast_dist dist;
};

/* `dead x, y;`: statements that write nothing but these do not matter. `swap x, y;`: the neighbours
 * that write x and y are taken in the other order. `fuse x;`, at the top: the loop that fills the
 * array becomes a part of the one that reads it. */
struct script_rewrite {
  enum { REWRITE_DEAD, REWRITE_SWAP, REWRITE_FUSE } kind;
  struct ast_name *names;
  size_t count;
  struct span span;
  unsigned used;   /* fuse: times it was applied, */
  const char *why; /* and why it was not, or NULL */
};

/* `branch 2: alone;`, `together` or `joined`. */
struct script_branch {
  unsigned number; /* from 1 in its scope */
  bool alone, joined;
};

/* `ghost k = e;`: k is the value of e before the loop. */
struct script_ghost {
  struct ast_name name;
  struct ast_expr *value;
};

/* `deltas k total s counted v at most n;`: the loop by WHILE-DELTA. */
struct script_deltas {
  struct ast_name count;
  struct ast_expr *total, *variant, *most;
  term_list known, as; /* variables of run 1 that k says the value of, and these values */
};

/* `counted v at most n;`: in a claim of accuracy, how often a loop can run. */
struct script_counted {
  struct ast_expr *variant, *most;
};

/* `total s: both a scale w draws v at most n restarts u at most m failure b;`: in a claim of accuracy,
 * a sum of independent noise that the loop adds up. */
struct script_total {
  struct span span;
  unsigned tail; /* enum tail */
  struct ast_expr *sum, *within, *scale, *left, *draws;
  struct ast_expr *restarts, *blocks; /* or NULL: it never starts anew */
  struct ast_expr *failure;
};

/* `unroll { first iteration }`, `split p { first loop }`, `block p;`, `flatten f;`: the loop in
 * another form. */
struct script_form {
  enum { FORM_UNROLL, FORM_SPLIT, FORM_BLOCK, FORM_FLATTEN } kind;
  struct ast_name flag; /* flatten: is the inner loop running? */
  struct ast_expr *condition;
  struct script_scope *first;
};

/* `pointwise x = r { ... }`: a part of the program for each value r of x separately. `pure x { ... }`:
 * a part by itself in the notion `epsilon`; `pure x = r { ... }`: both. `part x { ... }`: a part by
 * itself. */
struct script_part {
  struct ast_name name, value; /* the latter has no text if values are not taken separately */
  bool pure;
  unsigned number; /* from 1 among the parts of its scope that end in x; 0: every one */
  struct ast_expr *low, *high, *total; /* sum of deltas, or NULL */
  struct script_scope *scope;          /* its `budget` is what goes into the part */
  struct span span;
};

/* An integer that is looked at value by value: `v in 0..4`. */
struct script_range {
  struct ast_expr *value, *low, *high;
};

/* `outcomes x, y from z by v in 0..4 cost e termwise;`: a part of the program by the probabilities
 * of the values of x and y after it. */
struct script_outcomes {
  struct ast_name *names;
  size_t count;
  struct ast_name from; /* the first statement of the part writes it; NULL text: see proofs.md */
  struct script_range *ranges;
  size_t range_count;
  struct ast_expr *cost;
  enum comparison comparison;
  struct span span;
};

enum script_law_kind { SCRIPT_SUBSAMPLE, SCRIPT_EXPONENTIAL, SCRIPT_PODIUM, SCRIPT_CONTEST };

/* `subsample y at w within k;`, `exponential x from l to h;`: a loop whose result has a known law;
 * `podium x, y of m, w from l to h;`: one that keeps the two largest values;
 * `exponential x within t failure b;`: in a claim of accuracy, the winner is near the best. */
struct script_law {
  struct ast_name name; /* of the result */
  enum script_law_kind kind;
  struct ast_name runner_up;  /* podium; NULL text: not kept */
  struct ast_expr *values[2]; /* podium */
  struct ast_expr *args[2];   /* as in the text */
  struct span span;
};

/* `advanced`: a loop by AC-WHILE, or AC-OPT with `total`; `hits`: by AC-HIT. */
struct script_advanced {
  struct span span;
  struct ast_expr *count;   /* iterations, or hits */
  struct ast_expr *epsilon; /* per iteration or hit */
  struct ast_expr *omega;
  struct ast_expr *hit;           /* AC-HIT: a bit of one run after the body; NULL: AC-WHILE */
  struct ast_expr *hits;          /* an integer of one run that counts them */
  struct ast_expr *delta, *total; /* of the body; of all iterations, by the optimal theorem; or NULL
                                   */
};

/* `case f { ... } else { ... }` at the top or in another case. */
struct script_cases {
  struct span span;
  struct ast_expr *condition;
  struct script_scope *yes, *no;
};

/* A step as it stands in the text, from its first word to the `;` or `}` that ends it. */
struct script_item {
  const char *word; /* the first one, interned */
  struct span span;
  size_t index; /* samples, loops and invariants: which of those of the scope */
};

/* The notion that the proof works in. */
struct script_route {
  struct span span;
  enum notion notion;
  struct ast_expr *order; /* renyi; else NULL */
  struct ast_expr *cost;
};

/* `law w: x = e, y = e;`: in a claim with `samples`, a part of the law of a loop. */
struct script_way {
  struct ast_expr *weight;
  struct ast_name *names;
  struct ast_expr **values;
  size_t count;
  struct span span;
};

struct script_scope {
  struct span span;
  struct script_item *items; /* all steps in the order of the text */
  size_t item_count;
  struct ast_name index; /* loops: name of the index, or NULL text */
  unsigned number;       /* loops: from 1 in its scope; 0: any */
  struct ast_expr **invariants;
  size_t invariant_count;
  struct ast_expr *budget, *variant;
  struct script_advanced *advanced;
  struct script_scope *backward; /* what differs in the backward direction, or NULL */
  struct script_sample *samples;
  size_t sample_count;
  struct script_noise *noises;
  size_t noise_count;
  struct script_scope **loops;
  size_t loop_count;
  struct script_part *parts;
  size_t part_count;
  struct script_outcomes *outcomes;
  size_t outcome_count;
  struct script_law *laws;
  size_t law_count;
  struct ast_expr **gives; /* parts: what is known afterwards */
  size_t give_count;
  struct script_rewrite *rewrites;
  size_t rewrite_count;
  struct script_branch *branches;
  size_t branch_count;
  /* loops */
  struct script_ghost *ghosts;
  size_t ghost_count;
  struct ast_expr **frames;
  size_t frame_count;
  struct ast_expr *save, *keep; /* budget put aside during the loop; exactly what goes into it */
  struct script_deltas *deltas;
  struct script_counted *counted;
  struct script_way *ways;
  size_t way_count;
  struct ast_expr *rank, *rank_most; /* `rank r at most m;` */
  struct script_total *totals;
  size_t total_count;
  struct script_form *form;
  struct ast_expr *until; /* `until a;` what acceptance costs, or NULL */
  bool alone;             /* each run for itself */
  bool apart;             /* when one run has ended, the other for itself */
  bool only;              /* nothing is taken over from the invariant of the enclosing loop */
  struct ast_name pointwise, pointwise_value; /* top: `pointwise result = r;` */
  struct ast_expr *pointwise_low, *pointwise_high, *pointwise_total; /* sum of deltas, or NULL */
  struct ast_expr **lemmas;                                          /* top: `have formula;` */
  size_t lemma_count;
  struct script_route *route; /* top: `by zcdp rho;`; NULL: in the notion of the claim */
  struct script_cases *cases; /* top: nothing else in this scope is about samplings or loops */
  bool admit;
  unsigned used;
};

/* Parses the braces at `span`. NULL after an error, which is in lang->diags. */
struct script_scope *script_parse(struct lang *lang, struct span span);
/* Parses an expression that is all there is at `span`; the same conventions. */
struct ast_expr *script_parse_expr(struct lang *lang, struct span span);

/* What the scope (or NULL) says about its loop of this number, from 1; `index` is the name of its
 * index in the program, or NULL. NULL: nothing. */
struct script_scope *script_find_loop(const struct script_scope *scope, const char *index,
                                      unsigned number);

#endif
