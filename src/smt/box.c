#include "smt/box.h"

#include <stdlib.h>

#include "term/linear.h"
#include "term/subst.h"

void box_init(struct box *box) {
  *box = (struct box){0};
}

void box_clear(struct box *box) {
  for (size_t i = 0; i < box->sides.len; i++) {
    fmpq_clear(&box->sides.at[i].low);
    fmpq_clear(&box->sides.at[i].high);
  }
  vec_clear(&box->sides);
  box->empty = false;
}

void box_copy(struct box *out, const struct box *box) {
  *out = (struct box){.empty = box->empty};
  for (size_t i = 0; i < box->sides.len; i++) {
    struct box_side s = box->sides.at[i];
    fmpq_init(&s.low);
    fmpq_init(&s.high);
    fmpq_set(&s.low, &box->sides.at[i].low);
    fmpq_set(&s.high, &box->sides.at[i].high);
    vec_push(&out->sides, s);
  }
}

struct box_side *box_find(const struct box *box, term_id var) {
  for (size_t i = 0; i < box->sides.len; i++)
    if (box->sides.at[i].var == var) return &box->sides.at[i];
  return NULL;
}

static void add_vars(struct box *box, struct terms *ts, term_id t) {
  term_list vars = {0};
  term_free_vars(ts, t, &vars);
  for (size_t i = 0; i < vars.len; i++) {
    if (!sort_is_numeric(term_sort(ts, vars.at[i])) || box_find(box, vars.at[i])) continue;
    struct box_side s = {.var = vars.at[i]};
    fmpq_init(&s.low);
    fmpq_init(&s.high);
    vec_push(&box->sides, s);
  }
  vec_clear(&vars);
}

/* x <= end, or x >= end */
static void tighten(struct box_side *s, const fmpq *end, bool upper, bool open) {
  bool *has = upper ? &s->has_high : &s->has_low, *is_open = upper ? &s->high_open : &s->low_open;
  fmpq *old = upper ? &s->high : &s->low;
  int c = *has ? fmpq_cmp(end, old) * (upper ? 1 : -1) : -1;
  if (c < 0) {
    fmpq_set(old, end);
    *is_open = open;
  } else if (c == 0 && open) {
    *is_open = true;
  }
  *has = true;
}

/* a <= b (or <, =): one variable with coefficient c and constant d means c x + d <= 0. */
static void read_comparison(struct box *box, struct terms *ts, term_id t) {
  enum term_kind kind = term_kind(ts, t);
  if (kind != TERM_LE && kind != TERM_LT && kind != TERM_EQ) return;
  if (!sort_is_numeric(term_sort(ts, term_arg(ts, t, 0)))) return;
  struct linear l;
  linear_init(&l);
  fmpq q;
  fmpq_init(&q);
  fmpq_one(&q);
  linear_add(&l, ts, &q, term_arg(ts, t, 0));
  fmpq_neg(&q, &q);
  linear_add(&l, ts, &q, term_arg(ts, t, 1));
  linear_normalise(&l);
  if (!l.failed && l.items.len == 1) {
    term_id atom = l.items.at[0].atom;
    if (term_kind(ts, atom) == TERM_TO_REAL) atom = term_arg(ts, atom, 0);
    struct box_side *s = box_find(box, atom);
    fmpq_div(&q, &l.constant, &l.items.at[0].coefficient);
    fmpq_neg(&q, &q);
    bool upper = fmpq_sgn(&l.items.at[0].coefficient) > 0;
    if (s) tighten(s, &q, upper, kind == TERM_LT);
    if (s && kind == TERM_EQ) tighten(s, &q, !upper, false);
  }
  fmpq_clear(&q);
  linear_clear(&l);
}

/* Integers strictly between bounds: move the ends to integers. */
static void round_ends(struct box_side *s) {
  fmpz_t z;
  fmpz_init(z);
  if (s->has_low) {
    fmpz_cdiv_q(z, fmpq_numref(&s->low), fmpq_denref(&s->low));
    if (s->low_open && fmpz_is_one(fmpq_denref(&s->low))) fmpz_add_ui(z, z, 1);
    fmpq_set_fmpz(&s->low, z);
    s->low_open = false;
  }
  if (s->has_high) {
    fmpz_fdiv_q(z, fmpq_numref(&s->high), fmpq_denref(&s->high));
    if (s->high_open && fmpz_is_one(fmpq_denref(&s->high))) fmpz_sub_ui(z, z, 1);
    fmpq_set_fmpz(&s->high, z);
    s->high_open = false;
  }
  fmpz_clear(z);
}

void box_read(struct box *box, struct terms *ts, const term_list *hyps, term_id goal) {
  add_vars(box, ts, goal);
  for (size_t i = 0; i < hyps->len; i++)
    add_vars(box, ts, hyps->at[i]);
  for (size_t i = 0; i < hyps->len; i++)
    read_comparison(box, ts, hyps->at[i]);
  for (size_t i = 0; i < box->sides.len; i++) {
    struct box_side *s = &box->sides.at[i];
    if (term_sort(ts, s->var) == SORT_INT) round_ends(s);
    if (!s->has_low || !s->has_high) continue;
    int c = fmpq_cmp(&s->low, &s->high);
    if (c > 0 || (c == 0 && (s->low_open || s->high_open))) box->empty = true;
  }
}

/* Is the equation var = value, with the variable not in the value? */
static bool solved_form(struct terms *ts, term_id t, term_id *var, term_id *value) {
  if (term_kind(ts, t) != TERM_EQ) return false;
  for (size_t i = 0; i < 2; i++) {
    *var = term_arg(ts, t, i);
    *value = term_arg(ts, t, 1 - i);
    if (term_kind(ts, *var) == TERM_VAR && !term_mentions(ts, *value, var, 1)) return true;
  }
  return false;
}

void box_solve_equations(struct terms *ts, term_list *hyps, term_id *goal, term_list *vars,
                         term_list *values) {
  for (size_t i = 0; i < hyps->len;) {
    term_id var, value;
    if (!solved_form(ts, hyps->at[i], &var, &value)) {
      i++;
      continue;
    }
    hyps->at[i] = hyps->at[--hyps->len];
    bool ok = true;
    term_id new_goal = term_subst(ts, *goal, &var, &value, 1);
    ok = new_goal != TERM_NONE;
    if (!ok) return;
    *goal = new_goal;
    for (size_t k = 0; k < hyps->len; k++) {
      term_id h = term_subst(ts, hyps->at[k], &var, &value, 1);
      /* leaving a hypothesis out is sound */
      hyps->at[k] = h == TERM_NONE ? ts->true_term : h;
    }
    for (size_t k = 0; k < values->len; k++)
      values->at[k] = term_subst(ts, values->at[k], &var, &value, 1);
    vec_push(vars, var);
    vec_push(values, value);
    i = 0;
  }
}
