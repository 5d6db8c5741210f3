/* Contests: programs that keep the best of many noisy values and return which one it was.
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
 * it. If an iteration looks at the result itself, it knows that it is the initial one in the first
 * iteration and an earlier entry afterwards (`tracked`). */
#ifndef COUPLET_AUTO_CONTEST_H
#define COUPLET_AUTO_CONTEST_H

#include "auto/auto.h"
#include "auto/paths.h"

struct entrant {
  const struct core *at;    /* the sampling */
  const struct core *scope; /* of proof text: loop body, or the whole program */
  bool in_loop;
  term_id sample;        /* logical variable */
  term_id centre, scale; /* over the variables before */
  term_id value;         /* what `best` gets, with all samples but this one at their centres */
  term_id factor;        /* number: value = factor*sample + rest */
  term_id rest;
  term_id entry; /* the result if it wins */
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
  const struct core *before, *loop, *after;
  struct gallery gallery;
  struct paths start, body, end;
  term_id counter, first; /* its value at the start: a term over parameters */
  term_id range;          /* first <= counter, or the other way round if it counts down */
  bool rising;            /* entries grow from iteration to iteration */
  term_id current, entry;
  term_id initial; /* `current` before the loop */
  bool tracked;
  bool uses_initial; /* the first iteration wins by leaving the initial result alone */
  term_id best;      /* a variable; a logical one stands for the champion of a gallery */
  bool upwards;      /* large values win */
  bool held;         /* somebody holds the title before the loop */
  term_list flags;
  term_list along, along_values; /* other counters, and their values as terms over the counter */
  VEC(struct entrant) entrants;
};

/* Is the mechanism of the claim a contest? contest_clear in any case. */
bool contest_find(struct auto_problem *p, struct contest *out);
void contest_clear(struct contest *c);

/* What is known of the result before an iteration if it is `tracked`; for `current` in some run. */
struct contest_track {
  term_id at_first, later; /* when counter = first, and otherwise */
};
struct contest_track contest_track(const struct contest *c, term_id current);

/* t in run 2 minus t in run 1, the counter and flags being the same (and without a run). */
term_id contest_difference(const struct contest *c, term_id t);
/* value = factor*sample + rest; false if it is not linear in it. */
bool split_linear(struct terms *ts, term_id value, term_id sample, term_id *factor, term_id *rest);

#endif
