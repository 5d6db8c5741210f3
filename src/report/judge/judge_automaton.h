/* Verdicts about threshold automata: the decision with its checked strategy, claims about the cost,
 * certified counterexamples, and how all that is said in the record. */
#ifndef COUPLET_REPORT_JUDGE_JUDGE_AUTOMATON_H
#define COUPLET_REPORT_JUDGE_JUDGE_AUTOMATON_H

#include "automata/decide/automata.h"
#include "base/budget.h"
#include "check/automaton/classify.h"
#include "report/record/record.h"

/* One automaton of a file, read and classified. */
struct judged_automaton {
  struct automaton model;
  struct class_report report;
  bool is_analysed;
  bool wants_certificate; /* evidence for `couplet check` goes to the claim's record */
  struct automaton_result result;
  double seconds;  /* of work that the analysis took */
  bool is_bounded; /* a lower bound on the true cost was searched for */
  char *lower;     /* it, as text; NULL: none was found */
};

void judged_automaton_init(struct judged_automaton *j);
void judged_automaton_clear(struct judged_automaton *j);

struct judge_options {
  double search; /* seconds for each counterexample or lower bound */
  bool pictures; /* put an SVG picture into the claim's detail */
};

/* Decides the claim; `d` NULL: private at some multiple of eps. The analysis is done once and kept. */
void judge_automaton(struct claim_record *claim, struct judged_automaton *j, const fmpq *d,
                     const struct judge_options *options, const struct budget *budget);

#endif
