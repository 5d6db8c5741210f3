/* The program as the strategies see it, and how what they find is said of the program as written.
 *
 * A goal transformer (goals/) makes a view of another one: it replaces statements by simpler ones
 * that amount to the same, and notes what the proof has to say so that the kernel sees it, too.
 * Whoever plays on the program of a view plays on that of the claim.
 *
 *   rescaled  a sample in another unit: v stands for v*f (rescale.h)
 *   parts     code that is proved by itself is a sampling of its result (parts.h)
 *   copies    a variable that only ever has the value of a term over inputs is that term (normal.h)
 *   lengths   a list of which only the length matters is an integer (lengths.h)
 *   events    a sample is assumed to be in a range, up to a probability (assume.h)
 *   slides    uniform noise moves, up to a probability (slide.h)
 *   fused     a loop that fills an array is a part of the one that reads it (fuse.h)
 *   tables    a local array that a loop over data fills is an input (table.h)
 *   untils    a loop that draws until something is accepted is two rounds (until.h)
 *   joins     branches that sample alike do so once, before they part (join.h)
 *   noise     statements that amount to one sampling are this sampling (normal.h) */
#ifndef COUPLET_SEARCH_BASE_VIEW_H
#define COUPLET_SEARCH_BASE_VIEW_H

#include "base/vec.h"
#include "kernel/core.h"

struct auto_problem;
struct text;

/* What stands in proof text for a part in one direction: `pointwise NAME = VALUE { BODY }`, or
 * another step. */
struct part_text {
  term_id cost;
  const char *name, *value, *body;
  const char *step; /* NULL: pointwise */
};

struct part {
  const struct core *stub; /* the sampling that stands for it; its arguments must be equal */
  const struct core *code;
  unsigned number;          /* in proof text; 0: not needed */
  struct part_text side[2]; /* per direction; the second one only if there are two */
};

/* A sampling of noise in place of statements that begin with the sampling of `from`; the last one,
 * which writes `last`, is an assignment of it. */
struct noise {
  const struct core *stub;
  term_id from, last;
};

/* The loop of the claim's program that a sampling is in, which counts `index` from low to end. */
struct view_count {
  const struct core *loop; /* NULL: none */
  term_id index, low, end;
};

/* What is assumed of a sample in both runs, up to a probability (assume.h): bounds over the memory
 * before it, or the value of a coin. */
struct view_event {
  const struct core *site;
  term_id low, high;      /* TERM_NONE: none */
  bool off_low, off_high; /* the sample is not even equal to that */
  bool heads;             /* a coin's */
  bool still;             /* run 2's sample is as far from its bound as run 1's */
  term_id delta;          /* the probability, in one iteration; TERM_NONE: that of its tail */
  struct view_count in;
  term_id witness; /* in the iteration where the index is this; TERM_NONE: in all of them */
};

/* Uniform noise that may move at the price of a delta (slide.h): the sampling that stands for it, and
 * the one that it stands for. */
struct view_slide {
  const struct core *stub, *site;
};

/* A conditional whose branches sample once for both (join.h): its number in the body of this loop of
 * the claim's program, or in the program (NULL). */
struct view_join {
  const struct core *loop;
  unsigned number;
};

/* A loop that draws until something is accepted, as two rounds (until.h): conditionals whose condition
 * is `true`. The first one may stand for the round before the loop, too. Nothing has to be shown of
 * what comes to `rejected`. */
struct view_until {
  const struct core *accept, *round, *rejected;
  bool begun;
};

/* A loop of the view and what it is in the claim's program. */
struct view_loop {
  const struct core *here, *there;
};

/* What the proof has to say in a loop of the claim's program. */
struct view_fact {
  const struct core *loop;
  term_id fact;
};

struct view {
  const struct core *program;
  const char *fused; /* what the proof says of loops that are parts of others (fuse.h), or NULL */
  term_list rescaled, factors; /* samples that are seen as so many times themselves */
  VEC(struct part) parts;
  term_list copies, copied; /* over inputs and parameters */
  VEC(struct noise) noises;
  VEC(struct view_event) events;
  term_list lists, lengths;  /* the lists, and what stands for their lengths */
  term_list constants, data; /* what stands for data that are equal by assumption (assume.h) */
  VEC(struct view_slide) slides;
  VEC(struct view_join) joins;
  term_list tables, bounds; /* local arrays seen as inputs, and what is known of them */
  VEC(struct view_fact) facts;
  VEC(struct view_until) untils;
  VEC(struct view_loop) loops; /* that are not the same command */
};

/* The claim's own program. */
void view_init(struct view *v, const struct core *program);
void view_clear(struct view *v);
/* A view to change: all of the other one but its program. */
void view_copy(struct view *to, const struct view *from);

/* The program of the problem's view. */
const struct core *view_program(const struct auto_problem *p);
/* The part that a sampling stands for, or NULL; likewise noise. */
const struct part *view_part(const struct auto_problem *p, const struct core *sampling);
const struct noise *view_noise(const struct auto_problem *p, const struct core *sampling);
const struct view_event *view_event(const struct auto_problem *p, const struct core *sampling);
const struct view_until *view_until(const struct auto_problem *p, const struct core *round);
bool view_is_rejected(const struct auto_problem *p, const struct core *c);
const struct view_slide *view_slide(const struct auto_problem *p, const struct core *sampling);
/* The loop in the claim's program. */
const struct core *view_origin(const struct auto_problem *p, const struct core *loop);
/* A term about the view's program as one about the claim's own. */
term_id view_term(const struct auto_problem *p, term_id t);
/* A distance between samples of the variable, likewise. */
term_id view_distance(const struct auto_problem *p, term_id var, term_id t);
/* What the proof of a loop has to say: of copies that it reads, v<1> = t<1> and v<2> = t<2>, and of
 * tables. Appended. */
void view_copy_facts(const struct auto_problem *p, const struct core *loop, term_list *out);

#endif
