/* Inside of the search for counterexamples to claims about programs: untrusted, only
 * program_certify decides.
 *
 * A candidate is a program_counterexample: parameters, two inputs, an event. Its score is the loss
 * of the event in units of the claim, as far as the exact engine can tell at low precision; where
 * outputs are real numbers it is the ratio of densities at a point. */
#ifndef COUPLET_SEARCH_REFUTE_PROGRAM_SEARCH_H
#define COUPLET_SEARCH_REFUTE_PROGRAM_SEARCH_H

#include <math.h>

#include "check/exact/exact.h"
#include "search/refute/candidates.h"
#include "search/refute/program_refute.h"

enum { SEARCH_PRECISION = 192 };

struct score {
  double loss; /* -inf: not known, or none */
  bool violates;
};
#define NO_SCORE ((struct score){-INFINITY, false})
/* Certainly worse for privacy. */
bool score_better(struct score a, struct score b);

/* What worked for a smaller setting: the shape of the inputs, by its position among the candidates,
 * and the event. */
struct hint {
  size_t index;
  double loss;
  struct pattern event;
};

/* The best candidate for one length of the inputs. */
struct by_length {
  slong length;
  struct program_counterexample ce;
  struct score score;
};

/* A candidate from which a local search may start: the best of its shape on few queries. */
struct start {
  size_t index; /* of its inputs among the candidates */
  struct program_counterexample ce;
  struct score score;
};

/* The distribution of one run, which most runs share with that of the next candidate. */
struct known_law {
  char *key; /* the run: parameters and inputs; NULL: free */
  struct exact_distribution law;
};
enum { KNOWN_LAWS = 4 };

struct search {
  const struct program_claim *claim;
  const struct budget *budget;
  struct sampler *sampler; /* of the exact engine, for all runs; or NULL */
  struct program_result *result;
  const struct ast_decl
      *length;                 /* the parameter that is the length of the inputs, if there is one */
  const struct setting *first; /* of the settings: what the trend is about but for the length */
  bool can_list;               /* outputs of some setting could be listed */
  bool must_sample;            /* outputs are real numbers */
  bool has_while;              /* the program may not end */
  bool use_constants;          /* events begin and end at the numbers of the program, too */
  bool no_points;              /* and their densities at points are not known */
  const struct ast_decl *instance; /* gives meaning to what is abstract, or NULL */
  const char *interpretation;      /* text of the instance if it is made up, or NULL */
  char *obstacle;                  /* first reason why the engine gave up, or NULL, */
  struct span obstacle_span;       /* and where; may be none */
  size_t failures;                 /* how often it did; floats count less */
  char *no_inputs;                 /* why inputs could not be made, or NULL */
  size_t refusals;                 /* pairs of which the premises cannot be checked */
  bool evaluated;                  /* at least one pair could be evaluated */
  VEC(struct hint) hints;
  VEC(struct by_length) lengths;
  VEC(struct start) starts; /* best first */
  struct known_law laws[KNOWN_LAWS];
  size_t next_law; /* to be replaced */
};

/* ---- program_rate.c: scores ------------------------------------------------------------------ */

/* Looks for the worst event of the pair; false: the pair is not adjacent, or cannot be evaluated.
 */
bool rate_pair(struct search *s, struct program_counterexample *ce, struct score *score);
/* The score of the event that ce has. */
bool rate_event(struct search *s, struct program_counterexample *ce, struct score *score);
/* Tries longer versions of events that worked on fewer queries. */
void rate_hints(struct search *s, struct program_counterexample *ce, struct score *score);
/* Moves one number of the event at a time as long as that helps; *ratings events may be looked at.
 */
void rate_climb(struct search *s, struct program_counterexample *ce, struct score *score,
                size_t *ratings);
/* With a delta: tries the event of all small boxes, around and between the numbers of the inputs,
 * that the first run prefers. */
void rate_cells(struct search *s, struct program_counterexample *ce, struct score *score);
/* The stream of an event: itself, or the first part of (stream, result); NULL if there is none. */
struct pattern *event_stream(struct pattern *event);
/* Item k of the stream said twice, or left out. */
void event_repeat(struct pattern *event, size_t k);
void event_drop(struct pattern *event, size_t k);
/* Forgets the distributions that are kept for the next candidates. */
void forget_laws(struct search *s);

/* ---- program_edit.c: small changes of candidates --------------------------------------------- */

/* The value of a parameter in the candidate. */
struct rvalue *edit_param(struct program_counterexample *ce, const struct ast_decl *decl);
/* Is the argument an array whose length is exactly that parameter? */
bool edit_has_length(const struct program_claim *claim, size_t arg, const struct ast_decl *length);
slong edit_length(struct program_counterexample *ce, const struct ast_decl *length);
/* Entry k of all inputs of that length (and of the stream of each event) twice, or not at all. */
bool edit_repeat(struct program_counterexample *ce, const struct program_claim *claim,
                 const struct ast_decl *length, size_t k);
bool edit_drop(struct program_counterexample *ce, const struct program_claim *claim,
               const struct ast_decl *length, size_t k);
/* The k-th number of an input in a run, or NULL; writable. */
struct rvalue *edit_number(struct program_counterexample *ce, int run, size_t arg, size_t k);
/* x + a * unit. */
void edit_add(struct rvalue *x, slong a, const fmpq_t unit);

/* ---- program_improve.c, program_shrink.c ----------------------------------------------------- */

/* How far a local search goes. The same effort gives the same result on every machine, unless the
 * budget ends first. */
struct effort {
  size_t ratings; /* candidates looked at */
  slong length;   /* of inputs, at most */
  const struct budget *budget;
  double enough; /* a loss that needs no more, unless it breaks the claim; 0: go on */
};
/* Is there nothing to gain but a violation? */
static inline bool score_is_enough(struct score score, double enough) {
  return enough > 0 && score.loss >= enough && !score.violates;
}

/* Local search from ce for a greater loss: other numbers, more queries, other epsilon. */
void search_improve(struct search *s, struct program_counterexample *ce, struct score *score,
                    struct effort effort);
/* Makes a certified counterexample shorter to write, as long as it keeps half of its excess over
 * the claim. */
void search_shrink(struct search *s, struct program_counterexample *ce,
                   const struct budget *budget);
/* Makes the event of a certified loss wider as long as it does not lose less. */
void search_widen(struct search *s, struct program_counterexample *ce, const struct budget *budget);
/* Remembers the candidate if it is the best of its length, for the first epsilon that is tried: the
 * loss is to depend on the length alone. */
void search_note_length(struct search *s, struct program_counterexample *ce, struct score score);

#endif
