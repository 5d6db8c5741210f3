/* A solution as tables: for each sampling, under which conditions it is shifted by how much; for
 * each loop, its states with what tells them apart.
 *
 * A literal is a formula of proof text with a truth value: a branch taken, the index that differs
 * passed or not, a flag, two variables equal. Rows of one sampling with the same shift form a
 * group; its condition keeps only the literals needed to tell it from the other groups. */
#ifndef COUPLET_SEARCH_ALIGN_ROWS_H
#define COUPLET_SEARCH_ALIGN_ROWS_H

#include "search/align/loop.h"

struct align_literal {
  term_id formula; /* as proof text writes it at the place of the step */
  bool truth;
};
typedef VEC(struct align_literal) literal_list;

struct align_row {
  const struct core *site;
  literal_list literals; /* in an arena; the more telling ones last */
  const struct form *shift;
  bool is_null; /* the shift of the centre */
  term_id text; /* the shift as proof text, or TERM_NONE */
  term_id distance;
  bool exact; /* must pay for the distance it moves, not for the largest one */
};

struct align_placed_head {
  const struct align_plan *plan;
  const struct align_head *head;
  size_t index; /* in the plan */
  literal_list literals;
};

struct align_rows {
  VEC(struct align_row) rows;
  VEC(struct align_placed_head) heads;
};

struct align_heads {
  const struct align_placed_head *at;
  size_t count;
};

struct align_group {
  term_id when; /* TERM_NONE: otherwise */
  bool is_null, bounded;
  term_id shift;
  term_id distance;
};

void align_rows_collect(struct align *s, struct align_rows *rows,
                        const struct align_piece *solution);
void align_rows_clear(struct align_rows *rows);

/* The cases of a sampling, the last one being "otherwise". `split`: by what is paid as well. */
struct align_group *align_rows_group(struct align *s, const struct align_rows *rows,
                                     const struct core *site, bool split, size_t *count);
/* All states of a loop. */
struct align_heads align_rows_heads(struct align *s, const struct align_rows *rows,
                                    const struct core *loop);
/* 1, 0, or -1: says nothing about it. */
int align_head_literal(const struct align_placed_head *h, term_id formula);
void align_heads_literals(const struct align_heads *heads, term_list *out);
/* Bases (or whole potentials) of the states as if-then-else text. */
const char *align_heads_tree(struct align *s, const struct align_heads *heads, bool bases);

#endif
