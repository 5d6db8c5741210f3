#include "proof/plain.h"

#include <string.h>

#include "out/print.h"
#include "term/subst.h"

static bool is_fresh(const struct term_var *v) {
  return v->run == 0 && v->version > 0;
}

void plain_print(struct buffer *out, struct terms *ts, term_id t) {
  if (t == TERM_NONE) return;
  term_list vars = {0}, from = {0}, to = {0};
  term_free_vars(ts, t, &vars);
  for (size_t i = 0; i < vars.len; i++) {
    struct term_var v = *term_var_get(ts, vars.at[i]);
    bool alone = is_fresh(&v);
    for (size_t k = 0; k < vars.len; k++)
      alone &= k == i || strcmp(term_var_get(ts, vars.at[k])->name, v.name) != 0;
    if (!alone) continue;
    vec_push(&from, vars.at[i]);
    vec_push(&to, term_var(ts, v.name, v.sort, 0, 0));
  }
  term_print(out, ts, term_subst(ts, t, from.at, to.at, from.len));
  vec_clear(&vars);
  vec_clear(&from);
  vec_clear(&to);
}

char *plain_text(struct terms *ts, term_id t) {
  struct buffer b;
  buffer_init(&b);
  plain_print(&b, ts, t);
  return buffer_take(&b);
}
