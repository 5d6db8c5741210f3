/* A dossier: a derivation and the refutations of its obligations as text, to keep and to show again.
 *
 * An obligation is found by its key, the SHA-256 of its hypotheses and goal (term/exchange.h).
 * Terms are lines of one table that all refutations share; a step is a line of words:
 *   input n3                    n: number (left out if 0)
 *   instance f5 t7              f: formula       t: term
 *   algebra +3 -4 *12.0.1^5     +7 -7: literals, the atom in line 7, negated after `-`
 *                               *: a summand: multiplier .factors ^squares
 *   chain -4 h1 h2              h: earlier steps
 *
 * Terms are read into the table of the derivation when an obligation first needs them, in the order
 * of their lines. So a derivation that is repeated with the same dossier makes the same terms in
 * the same order, and asks for the same keys: what was accepted once is accepted again. For the
 * same reason a search for refutations takes back the terms it made (terms_rollback). */
#ifndef COUPLET_CHECK_PROOF_DOSSIER_H
#define COUPLET_CHECK_PROOF_DOSSIER_H

#include "base/sha256.h"
#include "kernel/decide.h"
#include "term/exchange.h"

struct dossier_entry {
  char key[SHA256_HEX + 1];
  char *steps; /* one per line */
  bool used;
};

typedef VEC(char *) call_list;
void calls_clear(call_list *calls);

struct dossier {
  call_list calls;   /* the derivation, one call of the kernel per line: replay.h */
  VEC(char *) lines; /* of terms */
  VEC(struct dossier_entry) entries;
};

void dossier_init(struct dossier *d);
void dossier_clear(struct dossier *d);
void dossier_add_line(struct dossier *d, const char *text, size_t length);
void dossier_add_entry(struct dossier *d, const char *key, const char *steps);
struct dossier_entry *dossier_find(const struct dossier *d, const char *key);

/* Steps of refutations in the text, by their kinds. */
extern const char *const step_words[];

/* The key of an obligation. */
void sequent_key(struct terms *ts, const struct sequent *s, char out[SHA256_HEX + 1]);

/* ---- reading --------------------------------------------------------------------------------- */

/* The refutation of an entry, its terms in the table of the decider. */
struct dossier_decider;
bool dossier_read(struct dossier_decider *d, const struct dossier_entry *e, struct refutation *out);

/* A decider that shows what the dossier has, and believes nobody. */
struct dossier_decider {
  struct decider decider;
  struct dossier *dossier;
  struct term_reader reader; /* into the table of the derivation */
};

void dossier_decider_init(struct dossier_decider *d, struct dossier *dossier, struct terms *ts);
void dossier_decider_clear(struct dossier_decider *d);
/* Was everything needed? A refutation or a term that nobody asked for is no evidence. */
bool dossier_is_used_up(const struct dossier_decider *d);

#endif
