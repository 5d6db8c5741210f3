#include "kernel/rounds.h"

#include "kernel/dist.h"
#include "kernel/internal.h"
#include "term/build.h"
#include "term/subst.h"

enum { COMPARED_LIMIT = 3, IMAGES_LIMIT = 4 }; /* of one sample */

/* ---- are they alike? -------------------------------------------------------------------------- */

/* The guard says which value this truth value has. */
static bool is_told(struct terms *ts, term_id guard, term_id x) {
  term_list parts = {0};
  bool told = false;
  term_conjuncts(ts, guard, &parts);
  for (size_t i = 0; i < parts.len; i++)
    told |= parts.at[i] == x || parts.at[i] == term_not(ts, x);
  vec_clear(&parts);
  return told;
}

bool rounds_are_alike(struct terms *ts, const struct core *loop) {
  if (core_calls_adversary(loop)) return false;
  term_list written = {0};
  core_writes(loop->first, &written);
  bool alike = true;
  for (size_t i = 0; i < written.len && alike; i++) {
    term_id x = written.at[i];
    bool used = term_mentions(ts, loop->expr, &x, 1);
    alike = is_told(ts, loop->expr, x) ||
            (!core_reads_old(ts, loop->first, x) && (!used || core_sets(loop->first, x)));
  }
  vec_clear(&written);
  return alike;
}

/* ---- outcomes of a sampling ------------------------------------------------------------------- */

struct rounds {
  struct kernel *k;
  struct terms *ts;
  const struct core *loop;
  size_t most; /* outcomes of each sampling */
};

/* What stands for a sample where it is compared: it, or what is computed from it. */
struct image {
  term_id var;
  term_id rest; /* var = sample + rest, or TERM_NONE */
};

/* What the term compares the image with, as a bound for the sample. Appended. */
static void compared_in(struct terms *ts, term_id t, const struct image *x, term_list *out) {
  term_list parts = {0};
  term_subterms(ts, t, &parts);
  for (size_t i = 0; i < parts.len; i++) {
    enum term_kind kind = term_kind(ts, parts.at[i]);
    if (kind != TERM_EQ && kind != TERM_LT && kind != TERM_LE) continue;
    for (size_t side = 0; side < 2; side++) {
      term_id other = term_arg(ts, parts.at[i], 1 - side);
      bool known = !term_mentions(ts, term_arg(ts, parts.at[i], side), &x->var, 1) ||
                   term_mentions(ts, other, &x->var, 1) || !sort_is_numeric(term_sort(ts, other));
      if (!known && x->rest != TERM_NONE) other = term_sub(ts, other, x->rest);
      for (size_t k = 0; k < out->len; k++)
        known |= out->at[k] == other;
      if (!known && other != TERM_NONE && out->len < COMPARED_LIMIT) vec_push(out, other);
    }
  }
  vec_clear(&parts);
}

static void compared(struct terms *ts, const struct core *c, const struct image *x,
                     term_list *out) {
  if (c->kind == CORE_ASSIGN || c->kind == CORE_IF || c->kind == CORE_WHILE)
    compared_in(ts, c->expr, x, out);
  if (c->kind == CORE_SEQ || c->kind == CORE_IF || c->kind == CORE_WHILE)
    compared(ts, c->first, x, out);
  if (c->kind == CORE_SEQ || c->kind == CORE_IF) compared(ts, c->second, x, out);
}

/* The image that the assignment makes of one of these, if it does. */
static bool next_image(struct terms *ts, const struct core *c, const struct image *images,
                       size_t count, struct image *out) {
  if (c->kind != CORE_ASSIGN || !sort_is_numeric(term_sort(ts, c->var))) return false;
  for (size_t i = count; i-- > 0;) {
    if (!term_mentions(ts, c->expr, &images[i].var, 1)) continue;
    term_id zero = term_int(ts, 0), rest = term_subst(ts, c->expr, &images[i].var, &zero, 1);
    bool plain = rest != TERM_NONE && images[i].rest != TERM_NONE &&
                 term_sub(ts, c->expr, rest) == images[i].var;
    *out = (struct image){c->var, plain ? term_add(ts, rest, images[i].rest) : TERM_NONE};
    return true;
  }
  return false;
}

/* Of the sample itself, and of what is computed from it. */
static void find_bounds(struct rounds *r, const struct core *c, term_list *out) {
  struct terms *ts = r->ts;
  struct image images[IMAGES_LIMIT] = {{c->var, term_int(ts, 0)}};
  size_t count = 1;
  for (const struct core *rest = r->loop->first; rest;
       rest = rest->kind == CORE_SEQ ? rest->second : NULL) {
    const struct core *one = rest->kind == CORE_SEQ ? rest->first : rest;
    if (count < IMAGES_LIMIT) count += next_image(ts, one, images, count, &images[count]);
  }
  for (size_t i = 0; i < count; i++)
    compared(ts, r->loop, &images[i], out);
}

/* Where the noise is of those that are drawn after c only. */
static void drawn_later(struct rounds *r, const struct core *c, term_list *bounds) {
  bool later = false;
  for (const struct core *rest = r->loop->first; rest;
       rest = rest->kind == CORE_SEQ ? rest->second : NULL) {
    const struct core *one = rest->kind == CORE_SEQ ? rest->first : rest;
    for (size_t i = 0; later && one->kind == CORE_SAMPLE && i < bounds->len; i++)
      if (bounds->at[i] == one->var && one->arg_count) bounds->at[i] = one->args[0];
    later |= one == c;
  }
}

/* One of the ways in which a sampling may go on to `post`. */
struct ways {
  struct rounds *r;
  const struct core *c;
  term_id post, any;
  size_t count;
};

static void add_way(struct ways *w, term_id way) {
  if (way == TERM_NONE || w->count == w->r->most) return;
  w->any = term_or(w->r->ts, w->any, way);
  w->count++;
}

/* The value, if it is possible. */
static void add_value(struct ways *w, term_id value, term_id possible) {
  struct terms *ts = w->r->ts;
  value = value == TERM_NONE ? value : term_coerce(ts, value, term_sort(ts, w->c->var));
  if (value == TERM_NONE || possible == TERM_NONE) return;
  add_way(w, term_and(ts, possible, term_subst(ts, w->post, &w->c->var, &value, 1)));
}

static void add_integer(struct ways *w, term_id value) {
  if (value == TERM_NONE || term_sort(w->r->ts, value) != SORT_INT) return;
  add_value(w, value, dist_support(w->r->ts, w->c->dist, w->c->args, w->c->arg_count, value));
}

/* All of (low, high]: the density is positive on the support, which is an interval. */
static void add_interval(struct ways *w, term_id low, term_id high) {
  struct terms *ts = w->r->ts;
  const struct core *c = w->c;
  low = term_coerce(ts, low, SORT_REAL);
  high = term_coerce(ts, high, SORT_REAL);
  if (low == TERM_NONE || high == TERM_NONE) return;
  term_id middle = term_mul(ts, term_rat(ts, 1, 2), term_add(ts, low, high));
  term_id v = kernel_fresh(w->r->k, "v", SORT_REAL);
  term_id inside = term_and(ts, term_lt(ts, low, v), term_le(ts, v, high));
  term_id parts[] = {
      term_lt(ts, low, high), dist_support(ts, c->dist, c->args, c->arg_count, middle),
      dist_support(ts, c->dist, c->args, c->arg_count, high),
      term_forall(ts, &v, 1, term_implies(ts, inside, term_subst(ts, w->post, &c->var, &v, 1)))};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (parts[i] == TERM_NONE) return;
  add_way(w, term_and_all(ts, parts, sizeof parts / sizeof *parts));
}

static void add_integers(struct ways *w, const term_list *bounds) {
  struct terms *ts = w->r->ts;
  for (size_t i = 0; i < bounds->len; i++)
    for (int off = -1; off <= 1; off++)
      add_integer(w, term_add(ts, bounds->at[i], term_int(ts, off)));
  for (size_t i = 0; i < w->c->arg_count; i++)
    add_integer(w, w->c->args[i]);
}

/* Above what it is compared with, below it, between two of these, and where the noise is. */
static void add_intervals(struct ways *w, const term_list *bounds) {
  struct terms *ts = w->r->ts;
  term_id one = term_int(ts, 1), two = term_int(ts, 2), half = term_rat(ts, 1, 2);
  for (size_t i = 0; i < bounds->len; i++) {
    term_id t = bounds->at[i];
    add_interval(w, t, term_add(ts, t, one));
    add_interval(w, term_sub(ts, t, two), term_sub(ts, t, one));
    for (size_t j = 0; j < bounds->len; j++)
      if (j != i) add_interval(w, t, term_mul(ts, half, term_add(ts, t, bounds->at[j])));
  }
  if (w->c->dist == DIST_UNIFORM)
    add_interval(w, w->c->args[0], w->c->args[1]);
  else
    add_interval(w, w->c->args[0], term_add(ts, w->c->args[0], one));
}

static term_id may_sample(struct rounds *r, const struct core *c, term_id post) {
  struct terms *ts = r->ts;
  struct ways w = {.r = r, .c = c, .post = post, .any = term_bool(ts, false)};
  term_list bounds = {0};
  if (c->dist == DIST_BERNOULLI) {
    add_value(&w, term_bool(ts, true), term_lt(ts, term_int(ts, 0), c->args[0]));
    add_value(&w, term_bool(ts, false), term_lt(ts, c->args[0], term_int(ts, 1)));
  } else if (c->dist == DIST_UNIFORM_SET) {
    for (size_t i = 0; i < c->arg_count; i++)
      add_value(&w, c->args[i], r->k->yes);
  } else {
    find_bounds(r, c, &bounds);
    drawn_later(r, c, &bounds);
    if (dist_sample_sort(ts, c->dist, c->args, c->arg_count) == SORT_INT)
      add_integers(&w, &bounds);
    else if (c->arg_count == 2 && !dist_is_discrete(c->dist))
      add_intervals(&w, &bounds);
  }
  vec_clear(&bounds);
  return w.any;
}

/* ---- the round -------------------------------------------------------------------------------- */

static term_id may(struct rounds *r, const struct core *c, term_id post) {
  struct terms *ts = r->ts;
  if (post == TERM_NONE) return TERM_NONE;
  switch (c->kind) {
  case CORE_SKIP: return post;
  case CORE_ASSIGN: return term_subst(ts, post, &c->var, &c->expr, 1);
  case CORE_SAMPLE: return may_sample(r, c, post);
  case CORE_SEQ: return may(r, c->first, may(r, c->second, post));
  case CORE_IF: {
    term_id yes = may(r, c->first, post), no = may(r, c->second, post);
    if (yes == TERM_NONE || no == TERM_NONE) return TERM_NONE;
    return term_and(ts, term_implies(ts, c->expr, yes),
                    term_implies(ts, term_not(ts, c->expr), no));
  }
  default: return TERM_NONE;
  }
}

static size_t count_samplings(const struct core *c) {
  if (c->kind == CORE_SEQ || c->kind == CORE_IF)
    return count_samplings(c->first) + count_samplings(c->second);
  return c->kind == CORE_SAMPLE;
}

term_id rounds_may_end(struct kernel *k, const struct core *loop) {
  static const size_t most[] = {0, 12, 6, 4, 2}; /* by the number of samplings */
  size_t count = count_samplings(loop->first);
  struct terms *ts = kernel_terms(k);
  if (core_has_loop(loop->first) || count == 0 || count >= sizeof most / sizeof *most)
    return TERM_NONE;
  struct rounds r = {.k = k, .ts = ts, .loop = loop, .most = most[count]};
  return may(&r, loop->first, term_not(ts, loop->expr));
}
