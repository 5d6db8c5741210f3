/* Pieces: code up to the next loop, with its shifts chosen.
 *
 * Samplings on the paths of a piece fall into cells: two of one statement are in the same cell
 * unless some decision that is known when the sample is drawn tells their paths apart - one made
 * before, or one later that depends on nothing but the state before and the sample itself. All
 * samplings of a cell get the same shift; that is what a `when` in a proof can express.
 *
 * The shifts are chosen by a search over candidates: the shift of the centre (free), those that
 * meet a constraint exactly, and a few numbers where the sample lives on. Cheapest first. */
#ifndef COUPLET_AUTO_SYNC_PIECE_H
#define COUPLET_AUTO_SYNC_PIECE_H

#include "auto/sync_path.h"

struct sync_plan;

struct sync_member {
  size_t path;
  const struct sync_sample *sample;
};

struct sync_cell {
  const struct core *site;
  VEC(struct sync_member) members;
  const struct form *shift; /* chosen */
  term_id distance;         /* from the shift of the centre, at most, over the start of the piece */
  bool lives;               /* the sample is still needed at the end of the piece */
};

/* A way out of a piece: through its end, or through the exit of the loop it is the body of. */
struct sync_end {
  struct sync_state state; /* differences settled; values over the start of the piece */
  enum path_end kind;
  term_id cost; /* paid on the way, over the start of the piece */
  const struct sync_path *path;
  struct sync_end *inner; /* through a loop: the end of what follows that loop; else NULL */
  term_id later;          /* what is needed afterwards, over the state at the end */
};

/* What must hold at the end. */
struct sync_goal {
  const struct core *body_of; /* the piece is (in) the body of this loop; NULL: the program */
  const bool *live;           /* per variable: needed after the end */
};

struct sync_piece {
  struct sync_start start;
  struct sync_goal goal;
  path_list paths;
  VEC(struct sync_cell) cells;
  struct form_values *values;    /* of the shifts, per path */
  size_t value_count;            /* shifts in each of these tables */
  bool *joint;                   /* per path: its samplings cost less together (sync_price.h) */
  VEC(struct sync_plan *) plans; /* of the loops it leads to */
  VEC(struct sync_end) ends;
  term_id cost;  /* enough for everything from its start to its ends */
  double weight; /* of what was chosen: to be minimised */
};

/* NULL: no choice of shifts works. */
struct sync_piece *sync_piece_solve(struct sync *s, const struct sync_start *start,
                                    const struct sync_goal *goal);

/* Budget needed at its start: for itself, and for what its ends need later. */
term_id sync_piece_need(struct sync *s, const struct sync_piece *piece);
/* Tells the loops in a finished solution what is needed after them. */
void sync_piece_settle(struct sync *s, struct sync_piece *piece);

/* Is the decision known when the sample has been drawn? */
bool sync_is_determined(struct sync *s, const struct sync_path *p, const struct sync_sample *y,
                        const struct sync_decision *d);
/* State at the end of a path with all differences settled. */
struct sync_state sync_settled(struct sync *s, const struct sync_piece *piece, size_t path);

#endif
