#include "search/goals/column.h"

#include "base/vec.h"
#include "term/build.h"
#include "term/subst.h"

/* What the command adds to a variable, or to the element of an array at the key. */
static bool find_added(struct terms *ts, const struct core *c, term_id *var, term_id *key,
                       term_id *added) {
  if (c->kind != CORE_ASSIGN) return false;
  term_id element = c->var, value = c->expr;
  *var = c->var;
  *key = TERM_NONE;
  if (term_kind(ts, value) == TERM_STORE) {
    if (term_arg(ts, value, 0) != c->var) return false;
    *key = term_arg(ts, value, 1);
    element = term_select(ts, c->var, *key);
    value = term_arg(ts, value, 2);
  }
  if (!sort_is_numeric(term_sort(ts, value))) return false;
  *added = term_sub(ts, value, element);
  return *added != TERM_NONE && !term_mentions(ts, *added, var, 1);
}

/* The same under a condition. */
static bool find_chosen(struct terms *ts, const struct core *c, term_id *var, term_id *key,
                        term_id *added) {
  if (c->kind != CORE_IF) return find_added(ts, c, var, key, added);
  if (c->second->kind != CORE_SKIP || !find_added(ts, c->first, var, key, added)) return false;
  term_id none = term_coerce(ts, term_int(ts, 0), term_sort(ts, *added));
  *added = term_ite(ts, c->expr, *added, none);
  return !term_mentions(ts, *added, var, 1);
}

static bool counts(const struct core *c) {
  return c->kind == CORE_WHILE && c->var != TERM_NONE;
}

/* The one command of the body besides those that count. */
static const struct core *work_of(const struct core *loop) {
  const struct core *work = NULL;
  VEC(const struct core *) list = {0};
  bool one = true;
  for (const struct core *c = loop->first;; c = c->second) {
    vec_push(&list, c->kind == CORE_SEQ ? c->first : c);
    if (c->kind != CORE_SEQ) break;
  }
  for (size_t i = 0; i < list.len; i++) {
    const struct core *c = list.at[i], *next = i + 1 < list.len ? list.at[i + 1] : NULL;
    bool begins = next && counts(next) && c->kind == CORE_ASSIGN && c->var == next->var;
    bool steps = c->kind == CORE_ASSIGN && c->var == loop->var;
    if (c->kind == CORE_SKIP || begins || steps) continue;
    one &= work == NULL;
    work = c;
  }
  vec_clear(&list);
  return one ? work : NULL;
}

bool column_read(struct terms *ts, const struct core *loop, struct column *out) {
  *out = (struct column){.loop = loop};
  const struct core *work = counts(loop) ? work_of(loop) : NULL;
  term_id key;
  if (work && counts(work)) {
    out->inner = work;
    work = work_of(work);
  }
  return work && find_chosen(ts, work, &out->value, &key, &out->added) &&
         key == (out->inner ? out->inner->var : TERM_NONE);
}

term_id column_change(struct auto_problem *p, const struct column *c, term_id record,
                      term_id element, term_id same) {
  struct terms *ts = p->ts;
  struct kernel *k = claim_kernel(p->goal, CLAIM_FORWARD);
  term_id t = term_subst(ts, c->added, &c->loop->var, &record, 1);
  if (c->inner) t = term_subst(ts, t, &c->inner->var, &element, 1);
  t = term_sub(ts, kernel_tag(k, t, 2), kernel_tag(k, t, 1));
  if (t == TERM_NONE || same == TERM_NONE) return t;
  const term_id from[] = {term_var_in_run(ts, same, 1), term_var_in_run(ts, same, 2)};
  const term_id to[] = {same, same};
  return term_subst(ts, t, from, to, 2);
}

/* `if has then change else 0`; of an array, for the elements from `from` on. */
static void say(struct text *out, const struct column *c, term_id record, term_id same,
                term_id from, term_id has) {
  struct auto_problem *p = out->p;
  struct terms *ts = p->ts;
  term_id m = text_fresh_name(p, "m", SORT_INT);
  term_id one = term_var_in_run(ts, c->value, 1), two = term_var_in_run(ts, c->value, 2);
  term_id change = column_change(p, c, record, m, same);
  if (c->inner) {
    one = term_select(ts, one, m);
    two = term_select(ts, two, m);
    has = term_and(ts, has, term_and(ts, term_le(ts, from, m), term_lt(ts, m, c->inner->args[1])));
    text_put(out, "invariant forall %t : int. ", m);
  } else {
    text_put(out, "invariant ");
  }
  text_line(out, "%t = (if %t then %t else 0);", term_sub(ts, two, one), has, change);
}

void column_say(struct text *out, const struct column *c, term_id record, term_id same) {
  term_id from = c->inner ? c->inner->args[0] : TERM_NONE;
  say(out, c, record, same, from, term_lt(out->p->ts, record, c->loop->var));
}

void column_say_inside(struct text *out, const struct column *c, term_id record) {
  struct terms *ts = out->p->ts;
  term_id m = text_fresh_name(out->p, "m", SORT_INT);
  term_id here = term_and(ts, term_eq(ts, record, c->loop->var), term_lt(ts, m, c->inner->var));
  term_id has = term_or(ts, term_lt(ts, record, c->loop->var), here);
  say(out, c, record, TERM_NONE, c->inner->args[0], has);
}

void column_say_behind(struct text *out, const struct column *c, term_id record, term_id from) {
  say(out, c, record, TERM_NONE, from, term_bool(out->p->ts, true));
}
