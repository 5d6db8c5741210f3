/* Words of other languages and of the literature: what to write for them here. Only hints below an
 * error come from this table; nothing is accepted because of it. */
#ifndef COUPLET_LANG_SYNTAX_FOREIGN_H
#define COUPLET_LANG_SYNTAX_FOREIGN_H

enum foreign_place {
  FOREIGN_DISTRIBUTION, /* x <$ Normal(...) */
  FOREIGN_TYPE,         /* x : float */
  FOREIGN_FUNCTION,     /* len(l) */
  FOREIGN_VALUE,        /* None */
  FOREIGN_STATEMENT,    /* break; */
  FOREIGN_ELSE,         /* } elif c { */
  FOREIGN_BOUNDS        /* for i in range(n) { */
};

/* A sentence without its full stop, or NULL. Big and small letters are alike. */
const char *foreign_hint(enum foreign_place place, const char *word);

#endif
