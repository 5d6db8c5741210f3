#include "search/goals/listed_live.h"

#include "search/base/lists.h"
#include "term/subst.h"

void kill_var(term_list *live, term_id var) {
  for (size_t i = 0; i < live->len; i++)
    if (live->at[i] == var) live->at[i--] = vec_pop(live);
}

void listed_live_before(struct terms *ts, const struct core *c, term_list *live) {
  switch (c->kind) {
  case CORE_SKIP: break;
  case CORE_ASSIGN:
  case CORE_SAMPLE:
    kill_var(live, c->var);
    core_reads(ts, c, live);
    break;
  case CORE_SEQ:
    listed_live_before(ts, c->second, live);
    listed_live_before(ts, c->first, live);
    break;
  case CORE_IF: {
    term_list other = {0};
    for (size_t i = 0; i < live->len; i++)
      vec_push(&other, live->at[i]);
    listed_live_before(ts, c->first, live);
    listed_live_before(ts, c->second, &other);
    for (size_t i = 0; i < other.len; i++)
      terms_add(live, other.at[i]);
    term_free_vars(ts, c->expr, live);
    vec_clear(&other);
    break;
  }
  case CORE_WHILE:
  case CORE_ADVERSARY: core_reads(ts, c, live); break;
  }
}
