/* The texts that `couplet tune` judges: a file in which some lets are to be found (`let b = ?;`). */
#ifndef COUPLET_ASK_TUNE_TEXT_H
#define COUPLET_ASK_TUNE_TEXT_H

#include "base/buffer.h"
#include "lang/syntax/lang.h"

/* A let that is a formula over others: a threshold. */
struct tune_fixed {
  const struct ast_decl *let;
  char *value;
};

struct tune_file {
  const char *path;
  struct lang lang;
  const struct source *source;
  const struct ast_unit *unit;        /* NULL: it has errors, which are in `lang` */
  VEC(const struct ast_decl *) holes; /* lets whose value is asked for */
  VEC(struct tune_fixed) fixed;       /* those of them that a formula was found for: no holes now */
};

/* False: the file cannot be read, *why says so (the caller frees). */
bool tune_file_read(struct tune_file *f, const char *path, char **why);
void tune_file_clear(struct tune_file *f);

/* Is it a claim that a mechanism is private, at a cost that it states? */
bool tune_is_privacy(const struct tune_file *f, const struct ast_decl *d);
/* A claim of accuracy that asks for a number of its formula? */
bool tune_asks_distance(const struct ast_decl *d);

/* The file with 1 in the place of every hole, which changes no place: for the mistakes that it has
 * besides. */
void tune_put_plain(struct buffer *out, const struct tune_file *f);
/* The file with a positive parameter for each hole and with no claim but this one, of this cost
 * ("?" asks for it) unless it asks for something; without instances. */
void tune_put_open(struct buffer *out, const struct tune_file *f, const struct ast_decl *claim,
                   const char *cost);
/* From now on the hole is this formula; and a hole again. */
void tune_fix(struct tune_file *f, size_t hole, const char *value);
void tune_unfix(struct tune_file *f, size_t hole);
/* The file with these values, in the order of the holes. */
void tune_put_filled(struct buffer *out, const struct tune_file *f, char *const *values);
/* What stands at this place (the caller frees). */
char *tune_text_at(const struct tune_file *f, struct span span);

#endif
