/* Automatic proofs: from a claim without a proof to the text of one. What strategies share.
 *
 * Untrusted search. Strategies look at the lowered program and propose candidates: the text of a
 * proof block (docs/proofs.md) and, where the claim asks for the least cost (`epsilon ?`), the cost
 * as source text. auto_try makes the text a source of its own, reads it like any other proof and
 * has the kernel check it from nothing, on the word of the solver (smt/believe.h): the search ends
 * with a proof that is believed. What is shown, emitted, or checked with evidence later
 * (smt/refereed.h) is the same text.
 *
 * The search keeps the best proved candidate (of two, the one the solver shows to be cheaper, or
 * that depends on fewer parameters), the failure of the most promising other one, and what the
 * strategies say about obstacles they met. All of it lives in the arena of the result.
 * Deterministic: limits of the search are counted in candidates and solver resources; the budget
 * only cuts off, and then nothing is claimed. */
#ifndef COUPLET_SEARCH_BASE_AUTO_H
#define COUPLET_SEARCH_BASE_AUTO_H

#include "base/budget.h"
#include "claim/claim.h"
#include "smt/believe.h"

struct auto_search;
struct auto_candidate;
struct view;
typedef const struct proof_result *auto_checker(struct auto_search *s, struct span given,
                                                const struct auto_candidate *candidate);

/* What is to be proved. `goal` shows the strategies the program and the assumptions; candidates are
 * checked against a claim opened anew. */
struct auto_problem {
  struct lang *lang;
  const struct ast_module *module;
  const struct ast_decl *claim;
  bool wants_least;    /* `epsilon ?`: each candidate names its cost */
  const char *guessed; /* the cost that stands for the `?` now (guess.h), or NULL */
  struct terms *ts;    /* shared with the checks: terms of one are terms of the other */
  struct smt *smt;
  struct claim *goal;          /* its epsilon is 0 if wants_least: not to be looked at then */
  const struct budget *budget; /* poll it between candidates */
  struct span given;           /* the proof block to complete (complete.h); no file: none */
  struct arena *arena;         /* for texts; lives as long as the result */
  const struct view *view;     /* the program that is looked at (view.h) */
  bool squared;                /* of a price min(r, r^2/2) the square: easier to compare */
  /* How a candidate is checked together with the given steps, if there are any. */
  auto_checker *check_given;
};

struct auto_candidate {
  const char *proof;   /* `{ ... }`; auto_try sees to the layout */
  const char *epsilon; /* its cost as source text, e.g. "(1 + 6*N)/4*eps"; NULL: the stated one */
  int promise;         /* of two failures the one with the higher promise is reported */
};

/* Something that could not be coupled: where, why, and what would be paid up to there. */
struct auto_obstacle {
  struct span span;
  const char *message; /* "run 2 cannot take the branch `s >= t` that run 1 takes" */
  const char *budget;  /* cost of what could be coupled, as source text, or NULL */
  const char *advice;  /* what its author could try, or NULL */
  enum failure_cause cause;
};

/* Has the kernel check the candidate. Never NULL; lives as long as the search. Answers at once with
 * a failure when the budget is spent, and returns the old answer for a candidate seen before. */
const struct proof_result *auto_try(struct auto_search *s, const struct auto_candidate *candidate);
/* The notion in which candidates are proofs from now on, at costs that they name; NULL: that of the
 * claim (notions.h). */
struct auto_route {
  enum notion notion;
  const char *order; /* renyi: as source text */
};
void auto_set_route(struct auto_search *s, const struct auto_route *route);
/* `text` as an expression; NULL if it is none. */
struct ast_expr *auto_expr(struct auto_search *s, const char *text);
/* The same for exactly this text: auto_try completes it with the given steps, if there are any.
 * `added` is what was added to these, one step per line; or NULL. */
const struct proof_result *auto_check(struct auto_search *s, const struct auto_candidate *candidate,
                                      const char *added);
/* This proved candidate is the one to show, not an earlier one of the same cost. */
void auto_prefer(struct auto_search *s, const struct proof_result *result);
/* This failure is where a row of attempts ended: it says more than those before it. */
void auto_stuck(struct auto_search *s, const struct proof_result *result);
/* The answer when nothing is checked. */
const struct proof_result *auto_nothing(const struct auto_search *s);
struct auto_problem *auto_problem_of(const struct auto_search *s);
bool auto_is_late(struct auto_search *s); /* is the budget spent? */
/* Nothing more to do: proved at the stated cost, or out of time. With wants_least a strategy goes
 * on to cheaper candidates of its own while this is false. */
bool auto_done(const struct auto_search *s);
/* Is some candidate proved already? Its cost, or NULL. */
const char *auto_cost(const struct auto_search *s);
/* Is it what defines a sum (claim/sums.h)? The solver unfolds these without end; the search asks its
 * questions without them, and vector.h knows what they are for. */
bool auto_defines_sum(struct auto_problem *p, term_id fact);
/* The integers that an `exists` of the adjacency speaks of, and their names in proof text; likewise
 * parameters that it compares with all indices, under their own names. Appended. */
void auto_witnesses(struct auto_problem *p, term_list *vars, term_list *shown);
/* Does the formula follow from the assumptions of the claim (parameters, axioms, adjacency)? */
bool auto_follows(struct auto_problem *p, term_id formula);
/* The price in the notion of the claim of what costs `pure` in the pure one: as it is, or its square
 * alone, if that is wanted. */
term_id auto_price(const struct auto_problem *p, term_id price, term_id pure);
/* Notes an obstacle; the first of the most advanced strategy is reported if nothing is proved. */
void auto_blame(struct auto_search *s, struct span span, const char *budget, const char *format,
                ...) __attribute__((format(printf, 4, 5)));

/* What to try about the obstacle just noted. */
void auto_advise(struct auto_search *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* All that is missing is this assumption on a parameter: the obstacle to report, whatever else is
 * met. */
void auto_lacks(struct auto_search *s, struct span span, const char *condition, const char *name);

typedef void auto_strategy(struct auto_problem *p, struct auto_search *s);

/* ---- the whole ------------------------------------------------------------------------------- */

struct auto_entry {
  const char *name;
  auto_strategy *run;
};

struct auto_options {
  struct believe_options proof;
  const struct budget *budget;         /* or NULL */
  const struct auto_entry *strategies; /* to run instead of all of them (tests); NULL: all */
  size_t strategy_count;
  bool complete; /* keep the steps of the claim's own proof block, and find the rest */
};

/* A way to look at the claim: the strategies play on the view it makes of the claim's program. */
typedef void auto_viewer(struct auto_problem *p, struct view *out);

struct auto_result {
  bool proved;                        /* on the word of the solver */
  const char *proof;                  /* text of the block; NULL if not proved */
  const char *cost;                   /* as source text; NULL if not proved */
  const char *strategy;               /* that found it, or NULL */
  const char *added;                  /* to the given steps, one per line; NULL: none were given */
  const struct proof_result *check;   /* of the proof, or of the best failure; NULL: no candidate */
  const struct auto_candidate *tried; /* the candidate of `check`; NULL: none */
  struct auto_obstacle obstacle;      /* message NULL: none was noted */
  size_t candidates;                  /* that were checked */
  bool out_of_time;
  double solver_seconds, total_seconds;
  struct arena arena;       /* of the texts */
  struct believing session; /* of the checks */
  struct auto_search *search;
};

/* Runs the strategies of the options, cheapest first. The claim is about a mechanism; its own
 * proof, if it has one, is not looked at unless it is to be completed. Nothing is left in
 * lang->diags. prove.h has all strategies there are. */
void auto_run(struct lang *lang, const struct ast_module *module, const struct ast_decl *claim,
              const struct auto_options *options, auto_viewer *viewer, auto_checker *check_given,
              struct auto_result *out);
void auto_result_clear(struct auto_result *result);

#endif
