#include "kernel/renamed.h"

#include "term/subst.h"

struct renaming {
  struct terms *ts;
  term_list from, to;
};

/* The variable that a writes is that of b from now on: one to one, and of one sort. */
static bool add_pair(struct renaming *r, term_id x, term_id y) {
  for (size_t i = 0; i < r->from.len; i++)
    if (r->from.at[i] == x || r->to.at[i] == y) return r->from.at[i] == x && r->to.at[i] == y;
  if (term_sort(r->ts, x) != term_sort(r->ts, y)) return false;
  vec_push(&r->from, x);
  vec_push(&r->to, y);
  return true;
}

/* Which written variable stands for which; the commands have the same shape. */
static bool find_pairs(struct renaming *r, const struct core *a, const struct core *b) {
  if (a->kind != b->kind) return false;
  switch (a->kind) {
  case CORE_SKIP: return true;
  case CORE_ASSIGN:
  case CORE_SAMPLE: return add_pair(r, a->var, b->var);
  case CORE_SEQ:
  case CORE_IF: return find_pairs(r, a->first, b->first) && find_pairs(r, a->second, b->second);
  default: return false;
  }
}

static bool is_same_term(const struct renaming *r, term_id a, term_id b) {
  return term_subst(r->ts, a, r->from.at, r->to.at, r->from.len) == b;
}

static bool are_same_terms(const struct renaming *r, const struct core *a, const struct core *b) {
  bool same = true;
  switch (a->kind) {
  case CORE_ASSIGN: return is_same_term(r, a->expr, b->expr);
  case CORE_SAMPLE:
    same = a->dist == b->dist && a->arg_count == b->arg_count;
    for (size_t i = 0; i < a->arg_count && same; i++)
      same = is_same_term(r, a->args[i], b->args[i]);
    return same;
  case CORE_IF:
    return is_same_term(r, a->expr, b->expr) && are_same_terms(r, a->first, b->first) &&
           are_same_terms(r, a->second, b->second);
  case CORE_SEQ:
    return are_same_terms(r, a->first, b->first) && are_same_terms(r, a->second, b->second);
  default: return true;
  }
}

static bool speaks_of(struct terms *ts, const struct core *c, term_id x) {
  term_list vars = {0};
  core_reads(ts, c, &vars);
  core_writes(c, &vars);
  bool found = false;
  for (size_t i = 0; i < vars.len; i++)
    found |= vars.at[i] == x;
  vec_clear(&vars);
  return found;
}

bool core_is_renamed(struct terms *ts, const struct core *a, const struct core *b, term_list *from,
                     term_list *to) {
  if (core_equal(a, b)) return true;
  struct renaming r = {.ts = ts};
  bool same = find_pairs(&r, a, b) && are_same_terms(&r, a, b);
  for (size_t i = 0; i < r.from.len && same; i++) {
    term_id x = r.from.at[i], y = r.to.at[i];
    if (x == y) continue;
    same = !speaks_of(ts, a, y) && !speaks_of(ts, b, x);
    vec_push(from, x);
    vec_push(to, y);
  }
  vec_clear(&r.from);
  vec_clear(&r.to);
  return same;
}
