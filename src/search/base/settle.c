#include "search/base/settle.h"

#include "term/build.h"
#include "term/subst.h"

void paths_replace(struct kernel *k, struct paths *paths, term_id var, term_id by) {
  struct terms *ts = kernel_terms(k);
  for (size_t i = 0; i < paths->list.len; i++) {
    struct path *p = &paths->list.at[i];
    p->condition = term_subst(ts, p->condition, &var, &by, 1);
    for (size_t v = 0; v < p->values.len; v++)
      p->values.at[v] = term_subst(ts, p->values.at[v], &var, &by, 1);
    for (size_t s = 0; s < p->samples.len; s++) {
      size_t count = p->samples.at[s].at->arg_count;
      term_id *args = arena_alloc(kernel_arena(k), (count + 1) * sizeof *args);
      for (size_t a = 0; a < count; a++)
        args[a] = term_subst(ts, p->samples.at[s].args[a], &var, &by, 1);
      p->samples.at[s].args = args;
    }
  }
}

/* The values that max, min and if-then-else choose from. */
static void choices(struct terms *ts, term_id t, term_list *out) {
  enum term_kind kind = term_kind(ts, t);
  if (kind != TERM_MAX && kind != TERM_MIN && kind != TERM_ITE) {
    vec_push(out, t);
    return;
  }
  for (size_t i = kind == TERM_ITE; i < term_arg_count(ts, t); i++)
    choices(ts, term_arg(ts, t, i), out);
}

static term_id settled(const struct known *known, term_id condition, term_id t) {
  term_list values = {0};
  choices(known->p->ts, t, &values);
  term_id result = t;
  for (size_t i = 0; i < values.len && values.len > 1 && result == t; i++)
    if (known_entails(known, condition, term_eq(known->p->ts, t, values.at[i])))
      result = values.at[i];
  vec_clear(&values);
  return result;
}

static void settle(const struct known *known, struct path *p) {
  for (size_t v = 0; v < p->values.len; v++)
    p->values.at[v] = settled(known, p->condition, p->values.at[v]);
}

void paths_settle(const struct known *known, struct paths *paths) {
  for (size_t i = 0; i < paths->list.len; i++)
    settle(known, &paths->list.at[i]);
}

/* A condition that decides, or helps to decide, what a value is; TERM_NONE: there is no choice. */
static term_id open_choice(struct terms *ts, const struct path *p) {
  for (size_t v = 0; v < p->values.len; v++) {
    term_id t = p->values.at[v];
    enum term_kind kind = term_kind(ts, t);
    if (kind == TERM_ITE) return term_arg(ts, t, 0);
    if (kind == TERM_MAX || kind == TERM_MIN)
      return term_le(ts, term_arg(ts, t, 0), term_arg(ts, t, 1));
  }
  return TERM_NONE;
}

void paths_split(const struct known *known, struct paths *paths) {
  struct terms *ts = known->p->ts;
  for (size_t i = 0; i < paths->list.len && paths->list.len < PATHS_LIMIT;) {
    struct path *p = &paths->list.at[i];
    term_id choice = open_choice(ts, p), before = p->condition;
    if (choice == TERM_NONE) {
      i++;
      continue;
    }
    struct path other = path_clone(p);
    p->condition = term_and(ts, before, choice);
    other.condition = term_and(ts, before, term_not(ts, choice));
    settle(known, p);
    settle(known, &other);
    vec_push(&paths->list, other);
  }
}

void paths_prune(const struct known *known, struct paths *paths) {
  size_t kept = 0;
  for (size_t i = 0; i < paths->list.len; i++) {
    struct path *p = &paths->list.at[i];
    if (known_entails(known, p->condition, term_bool(known->p->ts, false)))
      path_clear(p);
    else
      paths->list.at[kept++] = *p;
  }
  paths->list.len = kept;
}
