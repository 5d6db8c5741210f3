#include "smt/facts.h"

#include "term/build.h"
#include "term/memo.h"
#include "term/subst.h"

static bool is_nil_guarded(struct terms *ts, term_id l, term_id *empty) {
  *empty = term_eq(ts, l, term_nil(ts, term_sort(ts, l)));
  return *empty != TERM_NONE;
}

static void push(term_list *out, term_id fact) {
  if (fact != TERM_NONE) vec_push(out, fact);
}

static void length_facts(struct terms *ts, term_id l, term_list *out) {
  term_id empty, zero = term_int(ts, 0), length = term_length(ts, l);
  if (!length || !is_nil_guarded(ts, l, &empty)) return;
  push(out, term_ge(ts, length, zero));
  push(out, term_iff(ts, term_eq(ts, length, zero), empty));
  term_id shorter = term_length(ts, term_tail(ts, l));
  term_id step = term_eq(ts, length, term_add(ts, shorter, term_int(ts, 1)));
  push(out, term_or(ts, empty, step));
  push(out, term_ge(ts, shorter, zero));
}

/* length applied to the appended list itself: the builder would split it. */
static void append_facts(struct terms *ts, term_id t, bool with_length, term_list *out) {
  term_id a = term_arg(ts, t, 0), b = term_arg(ts, t, 1), a_empty, b_empty;
  if (!is_nil_guarded(ts, a, &a_empty) || !is_nil_guarded(ts, b, &b_empty)) return;
  push(out, term_implies(ts, a_empty, term_eq(ts, t, b)));
  push(out, term_implies(ts, b_empty, term_eq(ts, t, a)));
  term_id rest = term_append(ts, term_tail(ts, a), b);
  term_id unfolded = term_cons(ts, term_head(ts, a), rest);
  push(out, term_or(ts, a_empty, term_eq(ts, t, unfolded)));
  if (!with_length) return;
  struct term_node n = {.kind = TERM_LENGTH, .sort = SORT_INT};
  term_id whole = term_make_(ts, n, &t, 1);
  push(out, term_eq(ts, whole, term_add(ts, term_length(ts, a), term_length(ts, b))));
}

void facts_lists(struct terms *ts, const term_id *formulas, size_t count, term_list *out) {
  term_list all = {0};
  bool with_length = false;
  for (size_t i = 0; i < count; i++)
    if (term_get(ts, formulas[i])->flags & TERM_HAS_LIST) term_subterms(ts, formulas[i], &all);
  for (size_t i = 0; i < all.len; i++)
    if (term_kind(ts, all.at[i]) == TERM_LENGTH) with_length = true;
  struct memo done;
  memo_init(&done);
  for (size_t i = 0; i < all.len; i++) {
    term_id t = all.at[i];
    uint32_t seen;
    if (sort_get(ts, term_sort(ts, t))->kind != SORT_KIND_LIST || memo_find(&done, t, &seen))
      continue;
    memo_put(&done, t, 1);
    if (term_kind(ts, t) == TERM_APPEND)
      append_facts(ts, t, with_length, out);
    else if (with_length)
      length_facts(ts, t, out);
  }
  memo_clear(&done);
  vec_clear(&all);
}

void facts_differing(struct terms *ts, const term_id *formulas, size_t count, term_list *out) {
  term_list all = {0};
  struct memo done;
  memo_init(&done);
  for (size_t i = 0; i < count; i++)
    if (term_get(ts, formulas[i])->flags & TERM_HAS_DIFFERING) term_subterms(ts, formulas[i], &all);
  for (size_t i = 0; i < all.len; i++) {
    term_id t = all.at[i];
    uint32_t seen;
    if (term_kind(ts, t) != TERM_DIFFERING || memo_find(&done, t, &seen)) continue;
    memo_put(&done, t, 1);
    term_id a = term_arg(ts, t, 0), b = term_arg(ts, t, 1);
    term_id here = term_ne(ts, term_select(ts, a, t), term_select(ts, b, t));
    push(out, term_or(ts, term_eq(ts, a, b), here));
  }
  memo_clear(&done);
  vec_clear(&all);
}

/* a >= 1 makes a product no smaller. */
static void product_facts(struct terms *ts, term_id a, term_id b, term_list *out) {
  term_id zero = term_int(ts, 0), one = term_int(ts, 1), product = term_mul(ts, a, b);
  term_id positive = term_and(ts, term_le(ts, zero, a), term_le(ts, zero, b));
  push(out, term_implies(ts, positive, term_le(ts, zero, product)));
  term_id large = term_and(ts, term_le(ts, zero, a), term_le(ts, one, b));
  push(out, term_implies(ts, large, term_le(ts, a, product)));
}

static void quotient_facts(struct terms *ts, term_id t, term_list *out) {
  term_id a = term_arg(ts, t, 0), b = term_arg(ts, t, 1), zero = term_int(ts, 0);
  term_id positive = term_and(ts, term_lt(ts, zero, a), term_lt(ts, zero, b));
  push(out, term_implies(ts, positive, term_lt(ts, zero, t)));
}

void facts_signs(struct terms *ts, const term_id *formulas, size_t count, term_list *out) {
  term_list all = {0};
  for (size_t i = 0; i < count; i++)
    if (!(term_get(ts, formulas[i])->flags & TERM_HAS_QUANTIFIER))
      term_subterms(ts, formulas[i], &all);
  struct memo done;
  memo_init(&done);
  for (size_t i = 0; i < all.len; i++) {
    term_id t = all.at[i];
    uint32_t seen;
    enum term_kind kind = term_kind(ts, t);
    if ((kind != TERM_MUL && kind != TERM_DIV) || memo_find(&done, t, &seen)) continue;
    memo_put(&done, t, 1);
    if (kind == TERM_DIV) {
      quotient_facts(ts, t, out);
      continue;
    }
    size_t from = term_is_num(ts, term_arg(ts, t, 0)) ? 1 : 0;
    if (term_arg_count(ts, t) != from + 2) continue;
    product_facts(ts, term_arg(ts, t, from), term_arg(ts, t, from + 1), out);
    product_facts(ts, term_arg(ts, t, from + 1), term_arg(ts, t, from), out);
  }
  memo_clear(&done);
  vec_clear(&all);
}
