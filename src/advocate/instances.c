#include "advocate/define.h"
#include "advocate/lemmas.h"
#include "term/build.h"

/* ---- instances ------------------------------------------------------------------------------- */

/* Values for a quantifier's variable: from terms that look like those of its body. */
struct matcher {
  struct search *s;
  sort_id sort;
  term_list values;
};

static void add_value(struct matcher *m, term_id t) {
  if (t == TERM_NONE || term_sort(m->s->ts, t) != m->sort || term_get(m->s->ts, t)->loose) return;
  for (size_t i = 0; i < m->values.len; i++)
    if (m->values.at[i] == t) return;
  vec_push(&m->values, t);
}

static void solve(struct matcher *m, term_id pattern, term_id t, uint32_t depth);

/* A store as a pattern: what of it is closed has to be the same. */
static void solve_store(struct matcher *m, term_id pattern, term_id t, uint32_t depth) {
  struct terms *ts = m->s->ts;
  if (term_kind(ts, t) != TERM_STORE || term_sort(ts, t) != term_sort(ts, pattern)) return;
  for (size_t i = 0; i < 3; i++)
    if (!term_get(ts, term_arg(ts, pattern, i))->loose &&
        term_arg(ts, pattern, i) != term_arg(ts, t, i))
      return;
  for (size_t i = 0; i < 3; i++)
    if (term_get(ts, term_arg(ts, pattern, i))->loose)
      solve(m, term_arg(ts, pattern, i), term_arg(ts, t, i), depth);
}

/* pattern = bound variable `depth` + rest: the value that makes it `t`. */
static void solve(struct matcher *m, term_id pattern, term_id t, uint32_t depth) {
  struct terms *ts = m->s->ts;
  const struct term_node *n = term_get(ts, pattern);
  if (n->kind == TERM_BOUND) {
    if (n->data == depth) add_value(m, t);
    return;
  }
  if (n->kind == TERM_STORE) solve_store(m, pattern, t, depth);
  if (n->kind != TERM_ADD || term_sort(ts, t) != SORT_INT) return;
  bool found = false;
  term_id rest = term_int(ts, 0);
  for (size_t i = 0; i < term_arg_count(ts, pattern); i++) {
    term_id a = term_arg(ts, pattern, i);
    if (term_kind(ts, a) == TERM_BOUND && term_get(ts, a)->data == depth && !found)
      found = true;
    else if (term_get(ts, a)->loose)
      return;
    else
      rest = term_add(ts, rest, a);
  }
  if (found) add_value(m, term_sub(ts, t, rest));
}

static void match_with(struct matcher *m, term_id pattern, term_id t, uint32_t depth) {
  struct terms *ts = m->s->ts;
  const struct term_node *a = term_get(ts, pattern), *b = term_get(ts, t);
  if (a->kind != b->kind || a->sort != b->sort || a->count != b->count || a->data != b->data)
    return;
  size_t count = a->count;
  for (size_t i = 0; i < count; i++)
    if (term_get(ts, term_arg(ts, pattern, i))->loose)
      solve(m, term_arg(ts, pattern, i), term_arg(ts, t, i), depth);
}

/* Patterns: reads and applications in the body that have the variable in them. */
static void match_body(struct matcher *m, term_id body, uint32_t depth, size_t terms,
                       bool any_array) {
  struct search *s = m->s;
  struct term_node n = *term_get(s->ts, body);
  if (n.loose <= depth) return;
  if (n.kind == TERM_SELECT || n.kind == TERM_APP)
    for (size_t i = 0; i < terms; i++) {
      term_id t = s->terms.at[i];
      if (term_kind(s->ts, t) != n.kind) continue;
      if (n.kind == TERM_SELECT && !any_array &&
          term_arg(s->ts, t, 0) != term_arg(s->ts, body, 0) &&
          !term_get(s->ts, term_arg(s->ts, body, 0))->loose)
        continue;
      match_with(m, body, t, depth);
    }
  uint32_t below = depth + (n.kind == TERM_FORALL || n.kind == TERM_EXISTS);
  for (size_t i = 0; i < n.count; i++)
    match_body(m, term_arg(s->ts, body, i), below, terms, any_array);
}

/* Everything of the right sort that may be a value of interest. */
static void all_values(struct matcher *m, size_t terms) {
  enum { VALUES = 24 };
  struct search *s = m->s;
  for (size_t i = 0; i < terms && m->values.len < VALUES; i++) {
    term_id t = s->terms.at[i];
    enum term_kind kind = term_kind(s->ts, t);
    if (kind == TERM_SELECT || kind == TERM_STORE) add_value(m, term_arg(s->ts, t, 1));
    if (kind == TERM_VAR || kind == TERM_DIFFERING || kind == TERM_NUM) add_value(m, t);
  }
  for (size_t i = 0; i < terms && m->values.len < VALUES; i++)
    add_value(m, s->terms.at[i]);
}

static bool instances_of(struct search *s, int var, int effort) {
  enum { LIMIT = 12 };
  term_id q = s->sat.atoms.at[var];
  struct matcher m = {.s = s, .sort = term_get(s->ts, q)->binder};
  size_t terms = s->terms.len, added = 0;
  match_body(&m, term_arg(s->ts, q, 0), 0, terms, effort > 0);
  if (effort > 1) all_values(&m, terms);
  for (size_t i = 0; i < m.values.len && added < LIMIT; i++) {
    if (define_is_done(s, SCHEMA_COUNT, (term_id[]){q, m.values.at[i]}, 2)) continue;
    define_instance(s, var, m.values.at[i]);
    s->instances++;
    added++;
  }
  vec_clear(&m.values);
  return added > 0;
}

bool lemmas_instances(struct search *s, int effort) {
  enum { MOST = 400 };
  bool changed = false;
  size_t count = s->atoms.len;
  for (size_t v = 0; v < count && s->instances < MOST; v++) {
    enum term_kind kind = term_kind(s->ts, s->sat.atoms.at[v]);
    if (kind != TERM_FORALL && kind != TERM_EXISTS) continue;
    int value = sat_value(&s->sat, (int)v * 2);
    if (value != (kind == TERM_FORALL ? 1 : -1)) continue;
    changed = instances_of(s, (int)v, effort) || changed;
  }
  lemmas_flush(s);
  return changed;
}
