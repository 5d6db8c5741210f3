/* A solution as tables: for each sampling, under which conditions it is shifted by how much; for
 * each loop, its states with what tells them apart.
 *
 * A literal is a formula of proof text with a truth value: a branch taken, the index that differs
 * passed or not, a flag, two variables equal. Rows of one sampling with the same shift form a
 * group; its condition keeps only the literals needed to tell it from the other groups. */
#ifndef COUPLET_AUTO_SYNC_ROWS_H
#define COUPLET_AUTO_SYNC_ROWS_H

#include "auto/sync_loop.h"

struct sync_literal {
  term_id formula; /* as proof text writes it at the place of the step */
  bool truth;
};
typedef VEC(struct sync_literal) literal_list;

struct sync_row {
  const struct core *site;
  literal_list literals; /* in an arena; the more telling ones last */
  const struct form *shift;
  bool is_null; /* the shift of the centre */
  term_id text; /* the shift as proof text, or TERM_NONE */
  term_id distance;
  bool exact; /* must pay for the distance it moves, not for the largest one */
};

struct sync_placed_head {
  const struct sync_plan *plan;
  const struct sync_head *head;
  size_t index; /* in the plan */
  literal_list literals;
};

struct sync_rows {
  VEC(struct sync_row) rows;
  VEC(struct sync_placed_head) heads;
};

struct sync_heads {
  const struct sync_placed_head *at;
  size_t count;
};

struct sync_group {
  term_id when; /* TERM_NONE: otherwise */
  bool is_null, bounded;
  term_id shift;
  term_id distance;
};

void sync_rows_collect(struct sync *s, struct sync_rows *rows, const struct sync_piece *solution);
void sync_rows_clear(struct sync_rows *rows);

/* The cases of a sampling, the last one being "otherwise". `split`: by what is paid as well. */
struct sync_group *sync_rows_group(struct sync *s, const struct sync_rows *rows,
                                   const struct core *site, bool split, size_t *count);
/* All states of a loop. */
struct sync_heads sync_rows_heads(struct sync *s, const struct sync_rows *rows,
                                  const struct core *loop);
/* 1, 0, or -1: says nothing about it. */
int sync_head_literal(const struct sync_placed_head *h, term_id formula);
void sync_heads_literals(const struct sync_heads *heads, term_list *out);
/* Bases (or whole potentials) of the states as if-then-else text. */
const char *sync_heads_tree(struct sync *s, const struct sync_heads *heads, bool bases);

#endif
