/* Refutations into dossiers (check/proof/dossier.h). */
#ifndef COUPLET_OUT_DOSSIER_WRITE_H
#define COUPLET_OUT_DOSSIER_WRITE_H

#include "check/proof/dossier.h"

/* All lines of a text. False: one makes no term. */
bool term_read_lines(struct term_reader *r, const char *text);

/* Puts refutations into a dossier; keeps the terms of its lines in a table of its own. */
struct dossier_writer {
  struct dossier *dossier;
  struct terms terms;
  struct term_writer lines;
};

void dossier_writer_init(struct dossier_writer *w, struct dossier *dossier);
void dossier_writer_clear(struct dossier_writer *w);
/* The refutation and its terms belong to `ts`. False: a term cannot be written. */
bool dossier_write(struct dossier_writer *w, struct terms *ts, const char *key,
                   const struct refutation *r);

#endif
