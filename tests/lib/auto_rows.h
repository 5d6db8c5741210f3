/* Tables of claims for strategies of the automatic prover: what must be proved, at which cost, and
 * what must stay unproved. */
#ifndef COUPLET_TEST_AUTO_ROWS_H
#define COUPLET_TEST_AUTO_ROWS_H

#include "search/prove/prove.h"

struct auto_row {
  const char *name;
  const char *text; /* a file; its last declaration is the claim */
  const char *cost; /* the least cost found, as text; NULL: no proof */
};

struct auto_run {
  struct lang lang;
  struct auto_result result;
};

/* One strategy (NULL: all of them) on the last claim of the text. auto_run_clear afterwards. */
void auto_run_text(struct auto_run *run, auto_strategy *strategy, const char *text);
void auto_run_clear(struct auto_run *run);

/* Fails on the first row that comes out otherwise, and shows it. */
void auto_check_rows(auto_strategy *strategy, const struct auto_row *rows, size_t count);
/* Every claim of the file is proved. */
void auto_check_file(auto_strategy *strategy, const char *path);
/* Prints what the strategy finds in the files; for use by hand. */
int auto_show_files(auto_strategy *strategy, int count, char **paths);

#endif
