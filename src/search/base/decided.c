#include "search/base/decided.h"

#include "term/build.h"
#include "term/linear.h"
#include "term/subst.h"

bool decided_bound(struct terms *ts, term_id left, term_id right, term_id y, term_id *bound,
                   int *sign) {
  struct linear l;
  fmpq one, k;
  bool found = false;
  fmpq_init(&one);
  fmpq_init(&k);
  fmpq_one(&one);
  linear_init(&l);
  linear_add(&l, ts, &one, left);
  fmpq_neg(&one, &one);
  linear_add(&l, ts, &one, right);
  linear_normalise(&l);
  term_id rest = term_num(ts, &l.constant, SORT_REAL), own = term_to_real(ts, y);
  for (size_t i = 0; i < l.items.len && rest != TERM_NONE; i++) {
    term_id atom = l.items.at[i].atom;
    if (atom == y || atom == own) {
      found = true;
      fmpq_set(&k, &l.items.at[i].coefficient);
    } else if (term_mentions(ts, atom, &y, 1)) {
      rest = TERM_NONE;
    } else {
      term_id factor = term_num(ts, &l.items.at[i].coefficient, SORT_REAL);
      rest = term_add(ts, rest, term_mul(ts, factor, atom));
    }
  }
  found = found && rest != TERM_NONE && !l.failed && !fmpq_is_zero(&k);
  if (found) {
    *sign = fmpq_sgn(&k);
    fmpq_inv(&k, &k);
    fmpq_neg(&k, &k);
    *bound = term_mul(ts, term_num(ts, &k, SORT_REAL), rest);
  }
  linear_clear(&l);
  fmpq_clear(&one);
  fmpq_clear(&k);
  return found;
}

bool decided_compares(enum term_kind kind) {
  return kind == TERM_LE || kind == TERM_LT || kind == TERM_MIN || kind == TERM_MAX;
}

/* A comparison with a bound of the choice as what it is then; else the comparison. */
static term_id settle(const struct decided *d, const struct view_event *c, term_id t) {
  struct terms *ts = d->ts;
  enum term_kind kind = term_kind(ts, t);
  term_id bound;
  int sign;
  if (!decided_compares(kind)) return t;
  term_id left = term_arg(ts, t, 0), right = term_arg(ts, t, 1);
  if (!decided_bound(d->ts, left, right, c->site->var, &bound, &sign)) return t;
  if (bound != c->high && bound != c->low) return t;
  bool below = bound == c->high;      /* the sample is below the bound, */
  bool smaller = below == (sign > 0); /* so the left side is the smaller one */
  if (kind == TERM_LE || kind == TERM_LT) return term_bool(ts, smaller);
  return (kind == TERM_MIN) == smaller ? left : right;
}

static term_id settled(const struct decided *d, term_id t) {
  struct terms *ts = d->ts;
  if (t == TERM_NONE) return t;
  for (size_t i = 0; i < d->count; i++) {
    const struct view_event *c = d->events[i];
    if (!term_mentions(ts, t, &c->site->var, 1)) continue;
    if (t == c->site->var && c->site->dist == DIST_BERNOULLI) return term_bool(ts, c->heads);
    term_id known = settle(d, c, t);
    if (known != t) return settled(d, known);
  }
  size_t count = term_arg_count(ts, t);
  term_id args[16];
  bool changed = false;
  if (count == 0 || count > 16 || (term_get(ts, t)->flags & TERM_HAS_QUANTIFIER)) return t;
  for (size_t i = 0; i < count; i++) {
    args[i] = settled(d, term_arg(ts, t, i));
    changed |= args[i] != term_arg(ts, t, i);
  }
  t = changed ? term_rebuild(ts, t, args) : t;
  for (size_t i = 0; i < d->count && changed && t != TERM_NONE; i++)
    t = settle(d, d->events[i], t);
  return t;
}

static term_id rewritten(const struct decided *d, term_id t) {
  const struct view *v = d->view;
  if (t != TERM_NONE && v && v->data.len)
    t = term_replace(d->ts, t, v->data.at, v->constants.at, v->data.len);
  return settled(d, t);
}

/* A decided conditional is its branch. Not in a view if something in the other one has a number in
 * proof text. */
static const struct core *taken(const struct decided *d, const struct core *c) {
  if (c->kind != CORE_IF) return c;
  bool yes = c->expr == term_bool(d->ts, true), no = c->expr == term_bool(d->ts, false);
  const struct core *dead = yes ? c->second : c->first;
  if (core_equal(c->first, c->second)) return c->first;
  if ((!yes && !no) || (d->view && (core_is_random(dead) || core_has_loop(dead)))) return c;
  return yes ? c->first : c->second;
}

const struct core *decided_code(const struct decided *d, const struct core *c) {
  if (c->kind == CORE_SKIP || c->kind == CORE_SAMPLE) return c;
  if (c->kind == CORE_WHILE && !d->view) return c;
  struct core *copy = arena_memdup(d->arena, c, sizeof *c);
  copy->expr = rewritten(d, c->expr);
  if (c->first) copy->first = decided_code(d, c->first);
  if (c->second) copy->second = decided_code(d, c->second);
  if (copy->expr == c->expr && copy->first == c->first && copy->second == c->second) return c;
  if (c->kind == CORE_SEQ) return core_seq(d->arena, copy->first, copy->second);
  if (c->kind == CORE_WHILE) vec_push(&d->view->loops, (struct view_loop){copy, c});
  return taken(d, copy);
}
