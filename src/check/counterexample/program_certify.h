/* Counterexamples for programs, and their certifier.
 *
 * A counterexample against "M is (epsilon, delta)-private" is concrete: values of the parameters,
 * two inputs adjacent by the claim's relation, and a set of outputs, with balls that show
 *   Pr[outputs | first] > e^epsilon Pr[outputs | second] + delta
 * strictly; for a claim in another notion the probabilities of the event break that one
 * (notion_test.h). Where outputs are real numbers the search works with densities at points; the certifier
 * widens such a point to a box, which is an event like any other.
 *
 * The search is not trusted: program_certify alone decides. It starts from the checked source,
 * takes the data of the counterexample and checks all premises - assumptions on parameters,
 * `requires`, adjacency, and that the axioms hold in the structure given by the instance on the
 * inputs of the two runs - before it recomputes both probabilities. Each premise must hold by the
 * evaluator (run/eval/reval.h) and by its translation (check/counterexample/ground.h).
 *
 * A counterexample against a claim of accuracy has the same form, with equal inputs in both runs: the
 * event is the output false of the mechanism of accuracy.h, and its probability is strictly above that
 * of failure, which is `epsilon`. */
#ifndef COUPLET_CHECK_COUNTEREXAMPLE_PROGRAM_CERTIFY_H
#define COUPLET_CHECK_COUNTEREXAMPLE_PROGRAM_CERTIFY_H

#include "base/budget.h"
#include "check/counterexample/notion_test.h"
#include "check/exact/event.h"
#include "num/arb_compat.h"
#include "run/eval/interp_setup.h"

/* The claim under attack. */
struct program_claim {
  struct lang *lang;
  const struct ast_module *module;
  const struct ast_decl *claim; /* about a mechanism, with an epsilon that is not `?` */
};

struct program_param {
  const struct ast_decl *decl;
  struct rvalue value;
};

struct program_counterexample {
  const struct ast_decl *instance; /* gives meaning to what is abstract; or NULL */
  const char *interpretation;      /* its text if it is not in the source, or NULL; not owned */
  VEC(struct program_param) params;
  struct rvalue *inputs[2]; /* per run: one value per argument of the mechanism */
  size_t input_count;
  /* Disjoint; the event is their union. program_certify widens a point of a density to a box. */
  VEC(struct pattern) outputs;
  /* set by program_certify */
  bool is_certified;
  bool is_accuracy; /* the claim is about one run: see below */
  bool is_law;      /* so is this one, about its distribution, which is that of the second run */
  bool is_endless;  /* the event is any output, and a run has none with probability > 0 */
  bool is_contradictory; /* the two meanings of a premise (ground.h) differ: our fault */
  arb_t p1, p2;          /* of the event in the two runs */
  bool p1_is_bound;      /* only that p1 is at least that is known; then p2 is 0 */
  arb_t epsilon, delta;  /* the claim's, for these parameters; other notions: the cost */
  /* other notions (notion_test.h): */
  enum notion notion;
  arb_t order, reached, allowed;
  arb_t loss;        /* ln((p1 - delta)/p2) / epsilon: in units of the claim */
  bool has_loss;     /* the loss is certified, whether or not the claim is broken */
  bool loss_is_open; /* p2 cannot be told from 0: the true loss is at least `loss` */
};

void program_counterexample_init(struct program_counterexample *ce);
void program_counterexample_clear(struct program_counterexample *ce);
void program_counterexample_copy(struct program_counterexample *to,
                                 const struct program_counterexample *from);

/* The instance by its name, or as text if it is not in the source; NULL: there is none. */
static inline const char *instance_text(const struct program_counterexample *ce) {
  if (ce->interpretation) return ce->interpretation;
  return ce->instance ? ce->instance->name.text : NULL;
}

/* Decides. False: *why says what is wrong (xmalloc'd; may be NULL). */
bool program_certify(struct program_counterexample *ce, const struct program_claim *claim,
                     const struct budget *budget, char **why);

/* Certifies how much the event loses: true if ce->loss is an enclosure (or +inf, or with
 * loss_is_open a lower bound) of the loss for a pair of adjacent inputs. So a lower bound on the
 * cost of the mechanism, in units of the claim. */
bool program_certify_loss(struct program_counterexample *ce, const struct program_claim *claim,
                          const struct budget *budget);
/* "at least 1.5 times the claimed epsilon". */
void program_print_loss(struct buffer *out, const struct program_counterexample *ce);

/* One run with the parameters and inputs[run] of the counterexample; its premises are not checked.
 * False: *why is set (may be NULL), nothing to clear. */
bool program_run_init(struct interp *in, const struct program_claim *claim,
                      const struct program_counterexample *ce, int run, char **why);
/* The adjacency that the claim is about, or NULL. */
const struct ast_expr *program_adjacency(const struct program_claim *claim);

/* Both runs, ready for the exact engine. */
struct program_pair {
  struct interp runs[2];
  bool is_adjacent[2]; /* the inputs, as they are; if not, exchanged */
  bool is_open;        /* refused because something has no value, not because a premise is false */
};
/* Prepares both runs and checks every premise. False: *why is set (may be NULL), nothing to
 * clear. */
bool program_pair_init(struct program_pair *pair, const struct program_claim *claim,
                       const struct program_counterexample *ce, char **why);
void program_pair_clear(struct program_pair *pair);
/* The premises once more, by the meaning of the formulas as terms, which proofs are about. False:
 * *why is set; *is_contradictory if a premise is true by one meaning and false by the other. */
bool program_pair_confirm(struct program_pair *pair, const struct program_claim *claim,
                          bool *is_contradictory, char **why);
/* The order of a Renyi claim and the cost of a claim in another notion, for the test. False: they
 * have no values here. */
bool program_claim_test(struct notion_test *t, struct program_pair *pair,
                        const struct ast_decl *claim, slong precision);
/* The value of the claim's epsilon or delta as a ball. */
bool program_claim_value(arb_t out, struct program_pair *pair, const struct ast_expr *e,
                         slong precision);

#endif
