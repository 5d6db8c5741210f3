/* Sums over records, one of which differs in a way that the adjacency bounds as a whole: a row whose
 * elements are close in a sum, `sum j in 0..d. abs(x<1>[r][j] - x<2>[r][j]) <= 1`. What the sums differ
 * by is known exactly: by what the record r has added. Columns are added up one by one, into a
 * variable, or record by record, into an array. */
#ifndef COUPLET_SEARCH_GOALS_COLUMN_H
#define COUPLET_SEARCH_GOALS_COLUMN_H

#include "search/base/text.h"

struct column {
  const struct core *loop;  /* over the records */
  const struct core *inner; /* over the elements of a record; NULL: one sum */
  term_id value;            /* the variable, or the array */
  term_id added;            /* by an iteration, over the indices */
};

/* Is the loop of this kind? */
bool column_read(struct terms *ts, const struct core *loop, struct column *out);
/* By what the sum differs when record r has been added, run 2 less run 1. `element`: for that one;
 * `same`: an index that is the same in both runs, or TERM_NONE. */
term_id column_change(struct auto_problem *p, const struct column *c, term_id record,
                      term_id element, term_id same);
/* What the proof says of it at the head of the loop over records, at that of the loop inside, and
 * behind them from element `from` on. */
void column_say(struct text *out, const struct column *c, term_id record, term_id same);
void column_say_inside(struct text *out, const struct column *c, term_id record);
void column_say_behind(struct text *out, const struct column *c, term_id record, term_id from);
#endif
