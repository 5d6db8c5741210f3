/* Pieces: code up to the next loop, with its shifts chosen.
 *
 * Samplings on the paths of a piece fall into cells: two of one statement are in the same cell
 * unless some decision that is known when the sample is drawn tells their paths apart - one made
 * before, or one later that depends on nothing but the state before and the sample itself. All
 * samplings of a cell get the same shift; that is what a `when` in a proof can express.
 *
 * The shifts are chosen by a search over candidates: the shift of the centre (free), those that
 * meet a constraint exactly, and a few numbers where the sample lives on. Cheapest first. */
#ifndef COUPLET_SEARCH_ALIGN_PIECE_H
#define COUPLET_SEARCH_ALIGN_PIECE_H

#include "search/align/path.h"

struct align_plan;

struct align_member {
  size_t path;
  const struct align_sample *sample;
};

struct align_cell {
  const struct core *site;
  VEC(struct align_member) members;
  const struct form *shift; /* chosen */
  term_id distance;         /* from the shift of the centre, at most, over the start of the piece */
  bool lives;               /* the sample is still needed at the end of the piece */
};

/* A way out of a piece: through its end, or through the exit of the loop it is the body of. */
struct align_end {
  struct align_state state; /* differences settled; values over the start of the piece */
  enum path_end kind;
  term_id cost; /* paid on the way, over the start of the piece */
  const struct align_path *path;
  struct align_end *inner; /* through a loop: the end of what follows that loop; else NULL */
  term_id later;           /* what is needed afterwards, over the state at the end */
};

/* What must hold at the end. */
struct align_goal {
  const struct core *body_of; /* the piece is (in) the body of this loop; NULL: the program */
  const bool *live;           /* per variable: needed after the end */
};

struct align_piece {
  struct align_start start;
  struct align_goal goal;
  path_list paths;
  VEC(struct align_cell) cells;
  struct form_values *values;     /* of the shifts, per path */
  size_t value_count;             /* shifts in each of these tables */
  bool *joint;                    /* per path: its samplings cost less together (price.h) */
  VEC(struct align_plan *) plans; /* of the loops it leads to */
  VEC(struct align_end) ends;
  term_id cost;  /* enough for everything from its start to its ends */
  double weight; /* of what was chosen: to be minimised */
};

/* NULL: no choice of shifts works. */
struct align_piece *align_piece_solve(struct align *s, const struct align_start *start,
                                      const struct align_goal *goal);

/* Budget needed at its start: for itself, and for what its ends need later. */
term_id align_piece_need(struct align *s, const struct align_piece *piece);
/* Tells the loops in a finished solution what is needed after them. */
void align_piece_settle(struct align *s, struct align_piece *piece);

/* Is the decision known when the sample has been drawn? */
bool align_is_determined(struct align *s, const struct align_path *p, const struct align_sample *y,
                         const struct align_decision *d);
/* State at the end of a path with all differences settled. */
struct align_state align_settled(struct align *s, const struct align_piece *piece, size_t path);

#endif
