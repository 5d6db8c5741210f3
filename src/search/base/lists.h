/* Lists of terms as sets. */
#ifndef COUPLET_SEARCH_BASE_LISTS_H
#define COUPLET_SEARCH_BASE_LISTS_H

#include "term/term.h"

static inline size_t terms_count(const term_list *list, term_id t) {
  size_t count = 0;
  for (size_t i = 0; i < list->len; i++)
    count += list->at[i] == t;
  return count;
}

static inline bool terms_have(const term_list *list, term_id t) {
  return terms_count(list, t) > 0;
}

/* Adds what is not there yet. */
static inline void terms_add(term_list *list, term_id t) {
  if (!terms_have(list, t)) vec_push(list, t);
}

#endif
