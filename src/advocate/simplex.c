#include "advocate/simplex.h"

#include "base/budget.h"

/* ---- values ---------------------------------------------------------------------------------- */

static void dval_init(struct dval *v) {
  fmpq_init(&v->r);
  fmpq_init(&v->d);
}

static void dval_clear(struct dval *v) {
  fmpq_clear(&v->r);
  fmpq_clear(&v->d);
}

static void dval_set(struct dval *v, const struct dval *w) {
  fmpq_set(&v->r, &w->r);
  fmpq_set(&v->d, &w->d);
}

static int dval_cmp(const struct dval *v, const struct dval *w) {
  int c = fmpq_cmp(&v->r, &w->r);
  return c ? c : fmpq_cmp(&v->d, &w->d);
}

static void dval_addmul(struct dval *v, const fmpq *c, const struct dval *w) {
  fmpq_addmul(&v->r, c, &w->r);
  fmpq_addmul(&v->d, c, &w->d);
}

static void dval_sub(struct dval *out, const struct dval *v, const struct dval *w) {
  fmpq_sub(&out->r, &v->r, &w->r);
  fmpq_sub(&out->d, &v->d, &w->d);
}

/* ---- rows ------------------------------------------------------------------------------------ */

void simplex_init(struct simplex *s) {
  *s = (struct simplex){0};
}

static void row_clear(struct simplex_row *row) {
  for (size_t i = 0; i < row->items.len; i++)
    fmpq_clear(&row->items.at[i].coefficient);
  vec_clear(&row->items);
}

static void clear_conflict(struct simplex *s) {
  for (size_t i = 0; i < s->conflict.len; i++)
    fmpq_clear(&s->conflict.at[i].coefficient);
  s->conflict.len = 0;
}

void simplex_clear(struct simplex *s) {
  simplex_undo(s, 0);
  for (size_t i = 0; i < s->vars.len; i++) {
    dval_clear(&s->vars.at[i].lower.at);
    dval_clear(&s->vars.at[i].upper.at);
    dval_clear(&s->vars.at[i].value);
  }
  for (size_t i = 0; i < s->rows.len; i++)
    row_clear(&s->rows.at[i]);
  clear_conflict(s);
  vec_clear(&s->conflict);
  vec_clear(&s->vars);
  vec_clear(&s->rows);
  vec_clear(&s->trail);
}

int simplex_new_var(struct simplex *s) {
  struct simplex_var v = {.row = -1};
  dval_init(&v.lower.at);
  dval_init(&v.upper.at);
  dval_init(&v.value);
  vec_push(&s->vars, v);
  return (int)s->vars.len - 1;
}

static const fmpq *row_coefficient(const struct simplex_row *row, int var) {
  size_t low = 0, high = row->items.len;
  while (low < high) {
    size_t mid = (low + high) / 2;
    if (row->items.at[mid].var < var)
      low = mid + 1;
    else
      high = mid;
  }
  return low < row->items.len && row->items.at[low].var == var ? &row->items.at[low].coefficient
                                                               : NULL;
}

static void push_item(struct simplex_row *row, int var, const fmpq *c) {
  struct row_item item = {.var = var};
  fmpq_init(&item.coefficient);
  fmpq_set(&item.coefficient, c);
  vec_push(&row->items, item);
}

/* row += c * other, leaving out `skip`. */
static void row_add(struct simplex_row *row, const fmpq *c, const struct simplex_row *other,
                    int skip) {
  struct simplex_row sum = {.basic = row->basic};
  fmpq_t value;
  fmpq_init(value);
  size_t i = 0, k = 0;
  while (i < row->items.len || k < other->items.len) {
    int a = i < row->items.len ? row->items.at[i].var : INT32_MAX;
    int b = k < other->items.len ? other->items.at[k].var : INT32_MAX;
    fmpq_zero(value);
    if (a <= b) fmpq_set(value, &row->items.at[i].coefficient);
    if (b <= a) fmpq_addmul(value, c, &other->items.at[k].coefficient);
    int var = a < b ? a : b;
    if (var != skip && !fmpq_is_zero(value)) push_item(&sum, var, value);
    i += a <= b;
    k += b <= a;
  }
  fmpq_clear(value);
  row_clear(row);
  *row = sum;
}

int simplex_new_row(struct simplex *s, const int *vars, const fmpq *coefficients, size_t count) {
  int basic = simplex_new_var(s);
  struct simplex_row row = {.basic = basic};
  for (size_t i = 0; i < count; i++) {
    struct simplex_row single = {0};
    if (s->vars.at[vars[i]].row >= 0) {
      row_add(&row, &coefficients[i], &s->rows.at[s->vars.at[vars[i]].row], -1);
      continue;
    }
    fmpq_t one;
    fmpq_init(one);
    fmpq_one(one);
    push_item(&single, vars[i], one);
    row_add(&row, &coefficients[i], &single, -1);
    row_clear(&single);
    fmpq_clear(one);
  }
  for (size_t i = 0; i < row.items.len; i++)
    dval_addmul(&s->vars.at[basic].value, &row.items.at[i].coefficient,
                &s->vars.at[row.items.at[i].var].value);
  s->vars.at[basic].row = (int)s->rows.len;
  vec_push(&s->rows, row);
  return basic;
}

/* Moves a nonbasic variable to a value. */
static void update(struct simplex *s, int var, const struct dval *to) {
  struct dval step;
  dval_init(&step);
  dval_sub(&step, to, &s->vars.at[var].value);
  for (size_t i = 0; i < s->rows.len; i++) {
    const fmpq *c = row_coefficient(&s->rows.at[i], var);
    if (c) dval_addmul(&s->vars.at[s->rows.at[i].basic].value, c, &step);
  }
  dval_set(&s->vars.at[var].value, to);
  dval_clear(&step);
}

/* Exchanges the basic variable of row r with the nonbasic `enter`. */
static void pivot(struct simplex *s, int r, int enter) {
  struct simplex_row *row = &s->rows.at[r];
  int leave = row->basic;
  fmpq_t a, inverse, minus;
  fmpq_init(a);
  fmpq_init(inverse);
  fmpq_init(minus);
  fmpq_set(a, row_coefficient(row, enter));
  fmpq_inv(inverse, a);
  fmpq_neg(minus, inverse);
  /* enter = (leave - rest)/a */
  struct simplex_row new = {.basic = enter}, single = {0};
  row_add(&new, minus, row, enter);
  fmpq_t one;
  fmpq_init(one);
  fmpq_one(one);
  push_item(&single, leave, one);
  row_add(&new, inverse, &single, -1);
  row_clear(&single);
  fmpq_clear(one);
  row_clear(row);
  *row = new;
  s->vars.at[enter].row = r;
  s->vars.at[leave].row = -1;
  for (size_t i = 0; i < s->rows.len; i++) {
    if ((int)i == r) continue;
    const fmpq *c = row_coefficient(&s->rows.at[i], enter);
    if (!c) continue;
    fmpq_set(a, c);
    row_add(&s->rows.at[i], a, &s->rows.at[r], enter);
  }
  fmpq_clear(a);
  fmpq_clear(inverse);
  fmpq_clear(minus);
}

/* ---- bounds ---------------------------------------------------------------------------------- */

static void blame(struct simplex *s, size_t reason, const fmpq *c) {
  struct blame b = {.reason = reason};
  fmpq_init(&b.coefficient);
  fmpq_abs(&b.coefficient, c);
  vec_push(&s->conflict, b);
}

static void set_bound(struct simplex *s, int var, bool is_upper, const struct dval *at,
                      size_t reason) {
  struct bound *b = is_upper ? &s->vars.at[var].upper : &s->vars.at[var].lower;
  struct bound_change change = {.var = var, .is_upper = is_upper, .old = *b};
  vec_push(&s->trail, change);
  b->exists = true;
  b->reason = reason;
  dval_init(&b->at);
  dval_set(&b->at, at);
}

static bool place_bound(struct simplex *s, int var, bool is_upper, const struct dval *at,
                        size_t reason) {
  struct simplex_var *v = &s->vars.at[var];
  const struct bound *same = is_upper ? &v->upper : &v->lower;
  const struct bound *other = is_upper ? &v->lower : &v->upper;
  int sign = is_upper ? 1 : -1;
  if (same->exists && sign * dval_cmp(at, &same->at) >= 0) return true;
  if (other->exists && sign * dval_cmp(at, &other->at) < 0) {
    fmpq_t one;
    fmpq_init(one);
    fmpq_one(one);
    clear_conflict(s);
    blame(s, reason, one);
    blame(s, other->reason, one);
    fmpq_clear(one);
    return false;
  }
  set_bound(s, var, is_upper, at, reason);
  v = &s->vars.at[var];
  if (v->row < 0 && sign * dval_cmp(&v->value, at) > 0) update(s, var, at);
  return true;
}

bool simplex_bound(struct simplex *s, int var, bool is_upper, const fmpq *at, bool is_strict,
                   size_t reason) {
  struct dval v;
  dval_init(&v);
  fmpq_set(&v.r, at);
  if (is_strict) fmpq_set_si(&v.d, is_upper ? -1 : 1, 1);
  bool ok = place_bound(s, var, is_upper, &v, reason);
  dval_clear(&v);
  return ok;
}

size_t simplex_mark(const struct simplex *s) {
  return s->trail.len;
}

void simplex_undo(struct simplex *s, size_t mark) {
  while (s->trail.len > mark) {
    struct bound_change change = vec_pop(&s->trail);
    struct simplex_var *v = &s->vars.at[change.var];
    struct bound *b = change.is_upper ? &v->upper : &v->lower;
    dval_clear(&b->at);
    *b = change.old;
  }
}

/* ---- solving --------------------------------------------------------------------------------- */

/* A basic variable out of its bounds: the one that is furthest out, or, to be sure of coming to an
 * end, of the least number; -1: none. */
static int violated(const struct simplex *s, bool by_number, bool *is_low) {
  int best = -1;
  struct dval worst, gap;
  dval_init(&worst);
  dval_init(&gap);
  for (size_t i = 0; i < s->rows.len; i++) {
    int var = s->rows.at[i].basic;
    const struct simplex_var *v = &s->vars.at[var];
    bool low = v->lower.exists && dval_cmp(&v->value, &v->lower.at) < 0;
    bool high = v->upper.exists && dval_cmp(&v->value, &v->upper.at) > 0;
    if (!low && !high) continue;
    if (low)
      dval_sub(&gap, &v->lower.at, &v->value);
    else
      dval_sub(&gap, &v->value, &v->upper.at);
    if (best >= 0 && (by_number ? var > best : dval_cmp(&gap, &worst) <= 0)) continue;
    best = var;
    *is_low = low;
    dval_set(&worst, &gap);
  }
  dval_clear(&worst);
  dval_clear(&gap);
  return best;
}

/* May the variable move so that the sum grows (or shrinks)? */
static bool can_move(const struct simplex_var *v, bool up) {
  const struct bound *b = up ? &v->upper : &v->lower;
  return !b->exists || (up ? dval_cmp(&v->value, &b->at) < 0 : dval_cmp(&v->value, &b->at) > 0);
}

static int entering(const struct simplex *s, const struct simplex_row *row, bool is_low) {
  for (size_t i = 0; i < row->items.len; i++) {
    bool up = (fmpq_sgn(&row->items.at[i].coefficient) > 0) == is_low;
    if (can_move(&s->vars.at[row->items.at[i].var], up)) return row->items.at[i].var;
  }
  return -1;
}

/* Every variable of the row is at the bound that is in the way. */
static void explain(struct simplex *s, const struct simplex_row *row, bool is_low) {
  clear_conflict(s);
  fmpq_t one;
  fmpq_init(one);
  fmpq_one(one);
  const struct simplex_var *v = &s->vars.at[row->basic];
  blame(s, is_low ? v->lower.reason : v->upper.reason, one);
  for (size_t i = 0; i < row->items.len; i++) {
    const fmpq *c = &row->items.at[i].coefficient;
    v = &s->vars.at[row->items.at[i].var];
    bool up = (fmpq_sgn(c) > 0) == is_low;
    blame(s, up ? v->upper.reason : v->lower.reason, c);
  }
  fmpq_clear(one);
}

/* Makes the basic variable of the row equal to its bound by moving `enter`. */
static void repair(struct simplex *s, int r, int enter, bool is_low) {
  int leave = s->rows.at[r].basic;
  struct dval target, step;
  dval_init(&target);
  dval_init(&step);
  const struct simplex_var *v = &s->vars.at[leave];
  dval_set(&target, is_low ? &v->lower.at : &v->upper.at);
  dval_sub(&step, &target, &v->value);
  fmpq_t inverse;
  fmpq_init(inverse);
  fmpq_inv(inverse, row_coefficient(&s->rows.at[r], enter));
  struct dval to;
  dval_init(&to);
  dval_set(&to, &s->vars.at[enter].value);
  dval_addmul(&to, inverse, &step);
  update(s, enter, &to);
  pivot(s, r, enter);
  fmpq_clear(inverse);
  dval_clear(&to);
  dval_clear(&target);
  dval_clear(&step);
}

bool simplex_check(struct simplex *s, const struct budget *budget, bool *gave_up) {
  enum { GREEDY = 60 };
  *gave_up = false;
  for (size_t rounds = 1;; rounds++) {
    bool is_low = false;
    int var = violated(s, rounds > GREEDY, &is_low);
    if (var < 0) return true;
    int r = s->vars.at[var].row, enter = entering(s, &s->rows.at[r], is_low);
    if (enter < 0) {
      explain(s, &s->rows.at[r], is_low);
      return false;
    }
    repair(s, r, enter, is_low);
    if (rounds % 4 == 0 && budget_is_spent(budget)) {
      *gave_up = true;
      return true;
    }
  }
}

/* ---- limits ---------------------------------------------------------------------------------- */

/* How far x may move in a direction before it or a basic variable meets a bound: *row is the row
 * of that one, or -1. False: any distance. */
static bool room(const struct simplex *s, int x, bool up, struct dval *distance, int *row) {
  bool found = false;
  struct dval step;
  fmpq_t rate;
  fmpq_init(rate);
  dval_init(&step);
  for (int i = -1; i < (int)s->rows.len; i++) {
    const fmpq *c = i < 0 ? NULL : row_coefficient(&s->rows.at[i], x);
    if (i >= 0 && !c) continue;
    const struct simplex_var *v = &s->vars.at[i < 0 ? x : s->rows.at[i].basic];
    bool v_up = i < 0 ? up : (fmpq_sgn(c) > 0) == up;
    const struct bound *b = v_up ? &v->upper : &v->lower;
    if (!b->exists) continue;
    if (v_up)
      dval_sub(&step, &b->at, &v->value);
    else
      dval_sub(&step, &v->value, &b->at);
    if (c) {
      fmpq_abs(rate, c);
      fmpq_div(&step.r, &step.r, rate);
      fmpq_div(&step.d, &step.d, rate);
    }
    if (found && dval_cmp(&step, distance) >= 0) continue;
    dval_set(distance, &step);
    *row = i;
    found = true;
  }
  dval_clear(&step);
  fmpq_clear(rate);
  return found;
}

static void move(struct simplex *s, int x, bool up, const struct dval *distance) {
  struct dval to;
  fmpq_t sign;
  fmpq_init(sign);
  dval_init(&to);
  fmpq_set_si(sign, up ? 1 : -1, 1);
  dval_set(&to, &s->vars.at[x].value);
  dval_addmul(&to, sign, distance);
  update(s, x, &to);
  dval_clear(&to);
  fmpq_clear(sign);
}

/* The bounds that keep a variable where it is. */
static void explain_limit(struct simplex *s, int var, bool is_upper) {
  clear_conflict(s);
  const struct simplex_var *v = &s->vars.at[var];
  fmpq_t one;
  fmpq_init(one);
  fmpq_one(one);
  if (v->row < 0) {
    blame(s, is_upper ? v->upper.reason : v->lower.reason, one);
  } else {
    const struct simplex_row *row = &s->rows.at[v->row];
    for (size_t i = 0; i < row->items.len; i++) {
      const fmpq *c = &row->items.at[i].coefficient;
      const struct simplex_var *x = &s->vars.at[row->items.at[i].var];
      bool up = (fmpq_sgn(c) > 0) == is_upper;
      blame(s, up ? x->upper.reason : x->lower.reason, c);
    }
  }
  fmpq_clear(one);
}

bool simplex_limit(struct simplex *s, int var, bool is_upper, const struct budget *budget,
                   fmpq *limit) {
  enum { STEPS = 200 };
  struct dval distance;
  dval_init(&distance);
  bool found = false;
  for (int steps = 0; steps < STEPS && !budget_is_spent(budget); steps++) {
    const struct simplex_var *v = &s->vars.at[var];
    int x = v->row < 0 ? (can_move(v, is_upper) ? var : -1)
                       : entering(s, &s->rows.at[v->row], is_upper);
    if (x < 0) {
      explain_limit(s, var, is_upper);
      fmpq_set(limit, &v->value.r);
      found = true;
      break;
    }
    bool up = is_upper;
    if (v->row >= 0 && fmpq_sgn(row_coefficient(&s->rows.at[v->row], x)) < 0) up = !up;
    int row = -1;
    if (!room(s, x, up, &distance, &row)) break;
    move(s, x, up, &distance);
    if (row >= 0) pivot(s, row, x);
  }
  dval_clear(&distance);
  return found;
}
