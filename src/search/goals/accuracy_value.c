#include "search/goals/accuracy_value.h"

#include "kernel/context.h"
#include "search/base/lists.h"
#include "search/base/text.h"
#include "search/base/view.h"
#include "search/goals/accuracy_count.h"
#include "term/build.h"
#include "term/linear.h"
#include "term/subst.h"

/* ---- noise ------------------------------------------------------------------------------------ */

term_id keep_distance_of(const struct keep_finder *f, const struct core *c) {
  for (size_t i = 0; i < f->count; i++)
    if (f->keep->sites.at[i] == c) return f->distances[i];
  return TERM_NONE;
}

static bool is_one_sided(const struct core *c) {
  return c->dist == DIST_EXPONENTIAL || c->dist == DIST_GEOMETRIC;
}

static enum tail tail_of(const struct keep_finder *f, const struct core *c) {
  for (size_t i = 0; i < f->keep->tails.len; i++)
    if (f->keep->sites.at[i] == c) return f->keep->tails.at[i];
  return TAIL_BOTH;
}

term_id keep_near(struct keep_finder *f, const struct core *c, term_id a, term_id b, term_id t) {
  struct terms *ts = f->ts;
  term_id off = term_sub(ts, a, b);
  enum tail tail = tail_of(f, c);
  if (tail == TAIL_BELOW) return term_le(ts, term_neg(ts, off), t);
  if (tail == TAIL_ABOVE && !is_one_sided(c)) return term_le(ts, off, t);
  if (is_one_sided(c)) return term_and(ts, term_le(ts, b, a), term_le(ts, off, t));
  return term_le(ts, term_abs(ts, off), t);
}

/* ---- before the loop --------------------------------------------------------------------------- */

term_id keep_value_before(struct keep_finder *f, const struct core *scope, const struct core *loop,
                          term_id x) {
  term_id value = TERM_NONE;
  for (; scope; scope = scope->kind == CORE_SEQ ? scope->second : NULL) {
    const struct core *c = scope->kind == CORE_SEQ ? scope->first : scope;
    if (c == loop) return value;
    term_list written = {0};
    core_writes(c, &written);
    if (terms_have(&written, x)) value = TERM_NONE;
    if (value != TERM_NONE && term_mentions(f->ts, value, written.at, written.len))
      value = TERM_NONE;
    if (c->kind == CORE_ASSIGN && c->var == x && !term_mentions(f->ts, c->expr, &x, 1))
      value = c->expr;
    vec_clear(&written);
  }
  return TERM_NONE;
}

/* Is the array written by the code at the index of the loop only? */
static bool writes_at_index(const struct keep_finder *f, const struct core *loop,
                            const struct core *c, term_id array) {
  if (c->kind == CORE_ASSIGN && c->var == array)
    return term_kind(f->ts, c->expr) == TERM_STORE && term_arg(f->ts, c->expr, 0) == array &&
           term_arg(f->ts, c->expr, 1) == loop->var;
  return (!c->first || writes_at_index(f, loop, c->first, array)) &&
         (!c->second || writes_at_index(f, loop, c->second, array));
}

/* Is the item of a new array, which nothing was written into? */
static bool is_new_item(const struct keep_finder *f, term_id item, term_id zero, term_id index) {
  term_id empty = term_eq(f->ts, item, zero);
  bool found = false;
  for (size_t i = 0; i < kernel_fact_count(f->k) && !found; i++) {
    term_id fact = kernel_fact(f->k, i);
    found = term_kind(f->ts, fact) == TERM_FORALL && term_instantiate(f->ts, fact, index) == empty;
  }
  return found;
}

/* Item `index` of an array that the loop writes at its index, as it was before it; TERM_NONE: not
 * known. */
static term_id item_before(struct keep_finder *f, const struct core *loop, term_id array,
                           term_id index) {
  struct terms *ts = f->ts;
  sort_id sort = sort_elem(ts, term_sort(ts, array));
  if (loop->var == TERM_NONE || sort == SORT_NONE || !writes_at_index(f, loop, loop->first, array))
    return TERM_NONE;
  term_id value = keep_value_before(f, f->scope, loop, array), zero = TERM_NONE;
  if (value == TERM_NONE) return TERM_NONE;
  if (sort == SORT_BOOL) zero = term_bool(ts, false);
  if (sort_is_numeric(sort)) zero = term_coerce(ts, term_int(ts, 0), sort);
  term_id item = term_select(ts, value, index);
  return zero != TERM_NONE && is_new_item(f, item, zero, index) ? zero : item;
}

/* Items from the index on are what they were. */
static void add_unwritten_items(struct keep_finder *f, const struct core *loop, term_id wanted) {
  struct terms *ts = f->ts;
  term_list written = {0};
  core_writes(loop->first, &written);
  for (size_t i = 0; i < written.len; i++) {
    term_id array = written.at[i], shown = keep_own(f, array);
    if (!term_mentions(ts, wanted, &shown, 1) || !writes_at_index(f, loop, loop->first, array))
      continue;
    term_id j = text_fresh_name(f->p, "j", SORT_INT);
    term_id was = item_before(f, loop, array, j);
    if (was == TERM_NONE || term_mentions(ts, was, written.at, written.len)) continue;
    term_id same = term_eq(ts, term_select(ts, keep_own(f, array), j), keep_own(f, was));
    keep_add(f, loop,
             term_forall_range(ts, j, keep_own(f, loop->var), keep_own(f, loop->args[1]), same));
  }
  vec_clear(&written);
}

/* ---- values ----------------------------------------------------------------------------------- */

/* A value that an iteration computes from its index: the centre, or that and noise. */
struct value {
  const struct core *from; /* the noise, or NULL */
  term_id centre, distance;
};

/* What the variable always is in the body: x := e where every way comes by; TERM_NONE: not known. */
static term_id assigned_to(const struct core *body, term_id x) {
  term_id found = TERM_NONE;
  for (; body; body = body->kind == CORE_SEQ ? body->second : NULL) {
    const struct core *c = body->kind == CORE_SEQ ? body->first : body;
    if (c->kind == CORE_ASSIGN && c->var == x) found = c->expr;
  }
  return found;
}

/* With helper variables of the iteration replaced by what they are. */
static term_id resolved(struct keep_finder *f, const struct core *loop, term_id e) {
  enum { DEPTH = 4 };
  term_list written = {0};
  core_writes(loop->first, &written);
  for (int depth = 0; depth < DEPTH; depth++) {
    term_id before = e;
    for (size_t i = 0; i < written.len; i++) {
      term_id x = written.at[i];
      if (x == loop->var || terms_count(&written, x) != 1 || !term_mentions(f->ts, e, &x, 1))
        continue;
      term_id was = item_before(f, loop, x, loop->var);
      if (was != TERM_NONE) {
        term_id item = term_select(f->ts, x, loop->var);
        e = term_replace(f->ts, e, &item, &was, 1);
        continue;
      }
      term_id value = assigned_to(loop->first, x);
      if (value != TERM_NONE && !term_mentions(f->ts, value, &x, 1))
        e = term_subst(f->ts, e, &x, &value, 1);
    }
    if (e == before) break;
  }
  vec_clear(&written);
  return e;
}

/* The first sampling of the code whose sample the term mentions, or NULL. */
static const struct core *sampled_in(struct terms *ts, const struct core *c, term_id t) {
  if (c->kind == CORE_SAMPLE && term_mentions(ts, t, &c->var, 1)) return c;
  const struct core *found = c->first ? sampled_in(ts, c->first, t) : NULL;
  return found || !c->second ? found : sampled_in(ts, c->second, t);
}

/* Does an iteration change what the term is about, but for the index? */
static bool is_changed(struct keep_finder *f, const struct core *loop, term_id t) {
  term_list written = {0}, others = {0};
  core_writes(loop->first, &written);
  for (size_t i = 0; i < written.len; i++)
    if (written.at[i] != loop->var) vec_push(&others, written.at[i]);
  bool changed = term_mentions(f->ts, t, others.at, others.len);
  vec_clear(&written);
  vec_clear(&others);
  return changed;
}

/* False: it is more than noise around something that depends on the index alone. */
static bool read_value(struct keep_finder *f, const struct core *loop, term_id e,
                       struct value *out) {
  struct terms *ts = f->ts;
  *out = (struct value){.centre = resolved(f, loop, e), .distance = TERM_NONE};
  out->from = sampled_in(ts, loop->first, out->centre);
  if (out->from) {
    if (!sort_is_numeric(term_sort(ts, out->centre))) return false;
    term_id rest = term_sub(ts, out->centre, out->from->var);
    out->distance = keep_distance_of(f, out->from);
    out->centre = rest == TERM_NONE ? TERM_NONE : term_add(ts, rest, out->from->args[0]);
    if (out->centre == TERM_NONE || out->distance == TERM_NONE) return false;
    out->centre = resolved(f, loop, out->centre);
  }
  return !is_changed(f, loop, out->centre);
}

static term_id at_index(struct keep_finder *f, const struct core *loop, term_id t, term_id index) {
  term_id i = keep_own(f, loop->var);
  return term_subst(f->ts, keep_own(f, t), &i, &index, 1);
}

/* x is the value of iteration j, but for the noise. */
static term_id is_value(struct keep_finder *f, const struct core *loop, const struct value *v,
                        term_id x, term_id j) {
  term_id centre = at_index(f, loop, v->centre, j);
  if (!v->from) return term_eq(f->ts, x, centre);
  return keep_near(f, v->from, x, centre, at_index(f, loop, v->distance, j));
}

/* ---- arrays ----------------------------------------------------------------------------------- */

/* Where iteration i writes to, if it is one place of its own: the index, or a counter that grows by
 * 1; TERM_NONE: not known. */
static term_id place_of(struct keep_finder *f, const struct core *loop, term_id index) {
  long steps;
  if (index == loop->var) return index;
  if (term_kind(f->ts, index) != TERM_VAR || !count_steps(f->ts, loop->first, index, &steps) ||
      steps != 1)
    return TERM_NONE;
  return count_at(f->ts, view_program(f->p), loop, index);
}

/* a[i] := x: what is known of a from low to high, if iterations with these indices were done. */
static term_id array_fact(struct keep_finder *f, const struct core *loop, const struct core *store,
                          term_id low, term_id high) {
  struct terms *ts = f->ts;
  struct value v;
  term_id value = store->kind == CORE_ASSIGN ? store->expr : TERM_NONE;
  if (value == TERM_NONE || term_kind(ts, value) != TERM_STORE ||
      term_arg(ts, value, 0) != store->var)
    return TERM_NONE;
  term_id place = place_of(f, loop, term_arg(ts, value, 1));
  if (place == TERM_NONE || !read_value(f, loop, term_arg(ts, value, 2), &v)) return TERM_NONE;
  term_id j = text_fresh_name(f->p, "j", SORT_INT);
  term_id item = term_select(ts, keep_own(f, store->var), at_index(f, loop, place, j));
  return term_forall_range(ts, j, low, high, is_value(f, loop, &v, item, j));
}

bool keep_writes_once(const struct core *loop, term_id var) {
  term_list written = {0};
  core_writes(loop->first, &written);
  bool only = terms_count(&written, var) == 1;
  vec_clear(&written);
  return only;
}

/* Does every way through the code write the variable? */
static bool always_writes(const struct core *c, term_id var) {
  if (c->kind == CORE_ASSIGN) return c->var == var;
  if (c->kind == CORE_SEQ) return always_writes(c->first, var) || always_writes(c->second, var);
  return c->kind == CORE_IF && always_writes(c->first, var) && always_writes(c->second, var);
}

static void add_array(struct keep_finder *f, const struct core *loop, const struct core *store) {
  struct value v;
  bool has_noise = store->kind == CORE_ASSIGN && term_kind(f->ts, store->expr) == TERM_STORE &&
                   read_value(f, loop, term_arg(f->ts, store->expr, 2), &v) && v.from;
  if (!always_writes(loop->first, store->var)) return;
  if (!has_noise && !keep_writes_once(loop, store->var)) return;
  keep_add(f, loop, array_fact(f, loop, store, keep_own(f, loop->args[0]), keep_own(f, loop->var)));
}

/* Does the loop fill the array, too, at its index? */
static bool fills(const struct keep_finder *f, const struct core *loop, const struct core *c,
                  term_id array) {
  if (c->kind == CORE_ASSIGN && c->var == array)
    return term_kind(f->ts, c->expr) == TERM_STORE && term_arg(f->ts, c->expr, 1) == loop->var;
  return (c->first && fills(f, loop, c->first, array)) ||
         (c->second && fills(f, loop, c->second, array));
}

/* What an earlier loop has filled is as it was, or from here on, where this one fills it again. */
static void add_filled(struct keep_finder *f, const struct core *loop, const struct core *earlier) {
  term_list written = {0};
  core_writes(loop->first, &written);
  for (const struct core *b = earlier->first; b; b = b->kind == CORE_SEQ ? b->second : NULL) {
    const struct core *store = b->kind == CORE_SEQ ? b->first : b;
    if (store->kind != CORE_ASSIGN || !keep_writes_once(earlier, store->var)) continue;
    term_id low = keep_own(f, earlier->args[0]), high = keep_own(f, earlier->args[1]);
    if (terms_have(&written, store->var)) {
      if (loop->var == TERM_NONE || loop->args[0] != earlier->args[0] ||
          !fills(f, loop, loop->first, store->var))
        continue;
      low = keep_own(f, loop->var);
    }
    keep_add(f, loop, array_fact(f, earlier, store, low, high));
  }
  vec_clear(&written);
}

/* ---- the largest and the smallest ------------------------------------------------------------- */

/* Is one of them compared with the other, and which is asked to be the smaller one? 1: a, -1: b. */
static int compared(struct keep_finder *f, const struct core *loop, const struct core *c, term_id a,
                    term_id b) {
  struct terms *ts = f->ts;
  int found = 0;
  if (c->kind == CORE_IF) {
    term_list parts = {0};
    term_subterms(ts, resolved(f, loop, c->expr), &parts);
    for (size_t i = 0; i < parts.len && !found; i++) {
      enum term_kind kind = term_kind(ts, parts.at[i]);
      if (kind != TERM_LT && kind != TERM_LE) continue;
      term_id left = term_arg(ts, parts.at[i], 0), right = term_arg(ts, parts.at[i], 1);
      found = left == a && right == b ? 1 : left == b && right == a ? -1 : 0;
    }
    vec_clear(&parts);
  }
  if (!found && c->first) found = compared(f, loop, c->first, a, b);
  if (!found && c->second) found = compared(f, loop, c->second, a, b);
  return found;
}

/* Indices of what was compared before: those of the loop, and one more that came before it. */
static term_id first_of(struct keep_finder *f, const struct core *loop, bool *is_later) {
  struct terms *ts = f->ts;
  term_id low = keep_own(f, loop->args[0]);
  *is_later = term_is_num(ts, low) && fmpq_sgn(term_num_value(ts, low)) > 0;
  return *is_later ? term_sub(ts, low, term_int(ts, 1)) : low;
}

/* m := x, if one is compared with the other: m is the largest or the smallest one so far. */
static void add_extreme(struct keep_finder *f, const struct core *loop, term_id var,
                        const struct value *v, int order) {
  struct terms *ts = f->ts;
  bool is_later;
  term_id j = text_fresh_name(f->p, "j", SORT_INT), m = keep_own(f, var), t = term_int(ts, 0);
  term_id centre = at_index(f, loop, v->centre, j), first = first_of(f, loop, &is_later);
  if (v->from && !(order > 0 && is_one_sided(v->from))) t = keep_own(f, v->distance);
  term_id body =
      order > 0 ? term_le(ts, centre, term_add(ts, m, t)) : term_le(ts, m, term_add(ts, centre, t));
  term_id done = keep_own(f, loop->var);
  keep_add(f, loop, term_forall_range(ts, j, keep_own(f, loop->args[0]), done, body));
  if (is_later) keep_add(f, loop, term_forall_range(ts, j, first, done, body));
}

/* The place is one of those so far. */
static void add_place(struct keep_finder *f, const struct core *loop, term_id k, term_id *begun) {
  struct terms *ts = f->ts;
  bool is_later;
  term_id first = first_of(f, loop, &is_later), i = keep_own(f, loop->var);
  /* before the first iteration, or with what was sampled before the loop */
  *begun = is_later ? term_bool(ts, true) : term_lt(ts, first, i);
  if (is_later) first = term_int(ts, 0);
  term_id in = term_and(ts, term_le(ts, first, k), term_lt(ts, k, i));
  keep_add(f, loop, term_implies(ts, *begun, in));
}

/* k := i together with m := x: m is near the centre of k. */
static void add_winner(struct keep_finder *f, const struct core *loop, const struct core *c,
                       term_id m, const struct value *v) {
  struct terms *ts = f->ts;
  if (c->kind == CORE_ASSIGN && c->expr == loop->var && c->var != loop->var) {
    term_id k = keep_own(f, c->var), begun;
    add_place(f, loop, k, &begun);
    keep_add(f, loop, term_implies(ts, begun, is_value(f, loop, v, keep_own(f, m), k)));
  }
  if (c->kind == CORE_SEQ || c->kind == CORE_IF) {
    add_winner(f, loop, c->first, m, v);
    add_winner(f, loop, c->second, m, v);
  }
}

/* if a[k] < a[i] { k := i }: a[k] is the largest of those so far. */
static void add_index_of(struct keep_finder *f, const struct core *loop, term_id condition,
                         term_id k) {
  struct terms *ts = f->ts;
  term_list parts = {0};
  term_subterms(ts, resolved(f, loop, condition), &parts);
  for (size_t i = 0; i < parts.len; i++) {
    enum term_kind kind = term_kind(ts, parts.at[i]);
    if (kind != TERM_LT && kind != TERM_LE) continue;
    term_id left = term_arg(ts, parts.at[i], 0), right = term_arg(ts, parts.at[i], 1);
    int order = term_subst(ts, left, &k, &loop->var, 1) == right   ? 1
                : term_subst(ts, right, &k, &loop->var, 1) == left ? -1
                                                                   : 0;
    struct value v;
    if (!order || left == right || !read_value(f, loop, order > 0 ? right : left, &v) || v.from)
      continue;
    bool is_later;
    term_id j = text_fresh_name(f->p, "j", SORT_INT), first = first_of(f, loop, &is_later), begun;
    term_id best = at_index(f, loop, v.centre, keep_own(f, k)),
            other = at_index(f, loop, v.centre, j);
    term_id body = order > 0 ? term_le(ts, other, best) : term_le(ts, best, other);
    add_place(f, loop, keep_own(f, k), &begun);
    keep_add(f, loop, term_forall_range(ts, j, first, keep_own(f, loop->var), body));
  }
  vec_clear(&parts);
}

/* ---- all -------------------------------------------------------------------------------------- */

static void add_assigned(struct keep_finder *f, const struct core *loop, const struct core *c,
                         term_id condition) {
  struct value v;
  if (c->kind == CORE_SEQ) {
    add_assigned(f, loop, c->first, condition);
    add_assigned(f, loop, c->second, condition);
  }
  if (c->kind == CORE_IF) {
    add_assigned(f, loop, c->first, c->expr);
    add_assigned(f, loop, c->second, c->expr);
  }
  if (c->kind != CORE_ASSIGN) return;
  add_array(f, loop, c);
  if (condition != TERM_NONE && c->expr == loop->var && c->var != loop->var)
    add_index_of(f, loop, condition, c->var);
  int order = compared(f, loop, loop->first, c->var, resolved(f, loop, c->expr));
  bool is_noise = sampled_in(f->ts, loop->first, c->expr) == NULL ? false : true;
  if ((!order && !is_noise) || !read_value(f, loop, c->expr, &v) || (!order && !v.from)) return;
  if (order) add_extreme(f, loop, c->var, &v, order);
  add_winner(f, loop, loop->first, c->var, &v);
}

void keep_add_values(struct keep_finder *f, const struct core *loop, const struct core *scope,
                     term_id wanted) {
  f->scope = scope;
  if (loop->var != TERM_NONE) add_unwritten_items(f, loop, wanted);
  for (; scope && scope != loop; scope = scope->kind == CORE_SEQ ? scope->second : NULL) {
    const struct core *c = scope->kind == CORE_SEQ ? scope->first : scope;
    if (c == loop) break;
    if (c->kind == CORE_WHILE && c->var != TERM_NONE) add_filled(f, loop, c);
  }
  if (loop->var != TERM_NONE) add_assigned(f, loop, loop->first, TERM_NONE);
}
