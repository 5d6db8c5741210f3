/* Contests: programs that keep the best of many noisy values and return which one it was; or parts
 * of programs that set a variable to it.
 *
 * A contest is a loop that counts, with a variable `best` and a result that is replaced when the
 * noisy value of an iteration beats `best`: noisy max and its relatives, in whatever style. It is
 * found by symbolic execution, not by shape: the result if the loop ended now is a term `current`
 * over the loop's variables; an iteration either leaves it and `best` alone or makes it `entry`, a
 * term over the counter, and then `best` becomes a term that is linear in a sample. Each such
 * sampling is an entrant; one before the loop may be the first holder of the title.
 *
 * The counter is the same in both runs, and so are the flags: other variables that an iteration
 * reads from the one before. Variables that count along with the counter are replaced by terms over
 * it. If an iteration looks at the result itself, it knows that it is the initial one as long as
 * nobody has won and an earlier entry afterwards (`tracked`).
 *
 * Nobody has won before the first iteration, and usually that wins; but if an iteration may pass
 * (entries that are left out), whether somebody has won is what a flag says, or that the result is
 * still one that no entry has (`nobody`). */
#ifndef COUPLET_SEARCH_GOALS_CONTEST_H
#define COUPLET_SEARCH_GOALS_CONTEST_H

#include "search/base/auto.h"
#include "search/base/paths.h"
#include "search/goals/tally.h"

struct entrant {
  const struct core *at;    /* the sampling */
  const struct core *scope; /* of proof text: loop body, or the whole program */
  bool in_loop;
  term_id sample;        /* logical variable */
  term_id centre, scale; /* over the variables before */
  term_id value;         /* what `best` gets, with all samples but this one at their centres */
  term_id factor;        /* number: value = factor*sample + rest */
  term_id rest;
  term_id entry; /* tells the result if it wins */
  term_id ahead; /* by how much the counter has moved already when it is drawn */
};

/* Values that were drawn beforehand, by a loop of their own: array[index] is `value`, linear in the
 * sample. In the iterations of the contest that read an element, it is as if it were drawn there.
 */
struct gallery {
  const struct core *loop; /* NULL: there is none */
  term_id array, index;
  term_id position; /* the counter of the contest, as a term over the index */
  term_id
      champion; /* array[result]: stands for `best` if there is no such variable; or TERM_NONE */
};

struct contest {
  struct auto_problem *p;
  struct kernel *k;
  struct terms *ts;
  const struct core *code; /* the program, or the part of it */
  size_t from;             /* of a part: where it begins among its neighbours */
  const struct core *before, *loop, *after;
  term_list outer; /* of a part: what its loops read and do not write, the same in both runs */
  term_id around;  /* of a part: what the loops around it say of their indices */
  struct gallery gallery;
  tally_list tallies;
  struct paths start, body, end;
  term_id counter, first; /* its value at the start: a term over parameters */
  term_id
      range;    /* first <= counter, or the other way round if it counts down; and what is around */
  term_id stop; /* of `while counter != stop`: not passed (part of the range) */
  bool counts_up;
  bool rising; /* entries grow from iteration to iteration */
  term_id current;
  term_id won;     /* `current` after a win, over the counter */
  term_id entry;   /* what tells the winner: an integer, `won` or the head of that list */
  term_id initial; /* `current` before the loop */
  bool tracked;
  bool uses_initial; /* the first iteration wins by leaving the initial result alone */
  term_id best;      /* a variable; a logical one stands for the champion of a gallery */
  bool upwards;      /* large values win */
  bool held;         /* somebody holds the title before the loop */
  term_id nobody;    /* has won so far, if not held: counter = first, a flag, current = initial */
  term_list flags;
  term_list along, along_values; /* other counters, and their values as terms over the counter */
  VEC(struct entrant) entrants;
};

/* Does the program of the view leave the winner of a contest in this term? contest_clear in any
 * case. */
bool contest_find_of(struct auto_problem *p, term_id result, struct contest *out);
/* Is the loop list[where] a contest that leaves the winner in `variable`, seen as a part of the
 * program? Statements before it in the list may belong to the part. `around` is known there. */
bool contest_find_part(struct auto_problem *p, const struct core *const *list, size_t where,
                       term_id variable, term_id around, struct contest *out);
/* Is it a loop that sets the result to the number of an iteration, without keeping a noisy value from
 * one to the next (race.h)? Only what does not concern entrants is set. */
bool contest_find_course(struct auto_problem *p, struct contest *out);
void contest_clear(struct contest *c);

/* Does an iteration that takes this path change the result, or the best value? */
bool contest_wins(const struct contest *c, const struct path *path);
/* Is the flag set by every win, and by nothing else? */
bool contest_tells(const struct contest *c, term_id flag);

/* What is known of the result before an iteration if it is `tracked`; for `current` in some run. */
struct contest_track {
  term_id at_first, later; /* when nobody has won, and otherwise */
};
struct contest_track contest_track(const struct contest *c, term_id current);

/* What tells a result from others: itself, or the head of a list. */
term_id contest_mark(struct terms *ts, term_id result);
/* Is it the first iteration that decides whether somebody has won? */
bool contest_begins_at_once(const struct contest *c);
/* The least and the largest entry, as terms over what the loop does not change; false: not known.
 */
bool contest_span(const struct contest *c, term_id *low, term_id *high);
/* t in run 2 minus t in run 1, the counter and flags being the same (and without a run). */
term_id contest_difference(const struct contest *c, term_id t);
/* value = factor*sample + rest; false if it is not linear in it. */
bool split_linear(struct terms *ts, term_id value, term_id sample, term_id *factor, term_id *rest);

#endif
