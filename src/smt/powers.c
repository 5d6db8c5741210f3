#include "smt/powers.h"

#include "term/build.h"
#include "term/subst.h"

struct powers {
  struct terms *ts;
  term_list powers;   /* TERM_RAISE, each once */
  term_list products; /* TERM_MUL with a power as a factor, each once; grows while it is read */
  term_list *out;
};

static void push(struct powers *p, term_id fact) {
  if (fact != TERM_NONE) vec_push(p->out, fact);
}

static void add_once(term_list *list, term_id t, size_t limit) {
  for (size_t i = 0; i < list->len; i++)
    if (list->at[i] == t) return;
  if (list->len < limit) vec_push(list, t);
}

static term_id exponent_of(const struct powers *p, term_id power) {
  return term_arg(p->ts, power, 0);
}

static uint32_t base_of(const struct powers *p, term_id power) {
  return term_get(p->ts, power)->data;
}

static term_id is_natural(struct powers *p, term_id t) {
  return term_le(p->ts, term_int(p->ts, 0), t);
}

/* The number b^(u - t) if the exponents t of `low` and u of `high` differ by a positive constant
 * and the bases are the same; else TERM_NONE. */
static term_id ratio(struct powers *p, term_id low, term_id high) {
  struct terms *ts = p->ts;
  if (base_of(p, low) != base_of(p, high)) return TERM_NONE;
  term_id c = term_sub(ts, exponent_of(p, high), exponent_of(p, low));
  if (!term_is_num(ts, c) || fmpq_sgn(term_num_value(ts, c)) <= 0) return TERM_NONE;
  term_id number = term_raise(ts, base_of(p, low), c);
  return term_is_num(ts, number) ? number : TERM_NONE;
}

/* ---- powers --------------------------------------------------------------------------------- */

static void facts_of_one(struct powers *p, term_id power) {
  struct terms *ts = p->ts;
  term_id t = exponent_of(p, power), one = term_int(ts, 1);
  push(p, term_implies(ts, is_natural(p, t), term_le(ts, term_add(ts, t, one), power)));
  push(p, term_implies(ts, term_eq(ts, t, term_int(ts, 0)), term_eq(ts, power, one)));
}

/* Facts that hold for `low` below `high`; said for each order of a pair. */
static void facts_of_two(struct powers *p, term_id low, term_id high) {
  struct terms *ts = p->ts;
  if (base_of(p, low) != base_of(p, high)) return;
  term_id t = exponent_of(p, low), u = exponent_of(p, high), c = ratio(p, low, high);
  if (c != TERM_NONE) {
    push(p, term_implies(ts, is_natural(p, t), term_eq(ts, high, term_mul(ts, c, low))));
    return;
  }
  term_id below = term_and(ts, is_natural(p, t), term_lt(ts, t, u));
  term_id step = term_mul(ts, term_int(ts, (long)base_of(p, low)), low);
  push(p, term_implies(ts, below, term_le(ts, step, high)));
  if (low < high) push(p, term_implies(ts, term_eq(ts, t, u), term_eq(ts, low, high)));
}

/* The power of the sum of the exponents, if it is there. */
static void facts_of_sum(struct powers *p, term_id a, term_id b) {
  struct terms *ts = p->ts;
  if (base_of(p, a) != base_of(p, b)) return;
  term_id t = exponent_of(p, a), u = exponent_of(p, b), sum = term_add(ts, t, u);
  term_id natural = term_and(ts, is_natural(p, t), is_natural(p, u));
  for (size_t i = 0; i < p->powers.len; i++)
    if (base_of(p, p->powers.at[i]) == base_of(p, a) && exponent_of(p, p->powers.at[i]) == sum)
      push(p, term_implies(ts, natural, term_eq(ts, p->powers.at[i], term_mul(ts, a, b))));
}

/* ---- products ------------------------------------------------------------------------------- */

static bool has_power(struct powers *p, term_id product) {
  for (size_t i = 0; i < term_arg_count(p->ts, product); i++)
    if (term_kind(p->ts, term_arg(p->ts, product, i)) == TERM_RAISE) return true;
  return false;
}

/* The product with `factor` in place of its i-th one. */
static term_id exchange(struct powers *p, term_id product, size_t i, term_id factor) {
  term_list args = {0};
  for (size_t k = 0; k < term_arg_count(p->ts, product); k++)
    vec_push(&args, k == i ? factor : term_arg(p->ts, product, k));
  term_id t = term_product(p->ts, args.at, args.len);
  vec_clear(&args);
  return t;
}

static void note_product(struct powers *p, term_id t) {
  if (t != TERM_NONE && term_kind(p->ts, t) == TERM_MUL && has_power(p, t))
    add_once(&p->products, t, POWERS_PRODUCTS);
}

/* The factor p(t + c) against each p(t). */
static void facts_of_power_factor(struct powers *p, term_id product, size_t i) {
  struct terms *ts = p->ts;
  term_id high = term_arg(ts, product, i);
  for (size_t k = 0; k < p->powers.len; k++) {
    term_id low = p->powers.at[k], c = ratio(p, low, high);
    if (c == TERM_NONE) continue;
    term_id lower = exchange(p, product, i, low);
    push(p, term_implies(ts, is_natural(p, exponent_of(p, low)),
                         term_eq(ts, product, term_mul(ts, c, lower))));
    note_product(p, lower);
  }
}

/* The factor x div c. */
static void facts_of_quotient_factor(struct powers *p, term_id product, size_t i) {
  struct terms *ts = p->ts;
  term_id quotient = term_arg(ts, product, i);
  term_id x = term_arg(ts, quotient, 0), c = term_arg(ts, quotient, 1);
  if (!term_is_num(ts, c) || fmpq_is_zero(term_num_value(ts, c))) return;
  term_id whole = exchange(p, product, i, x), divides = term_mod(ts, x, c);
  push(p, term_implies(ts, term_eq(ts, divides, term_int(ts, 0)),
                       term_eq(ts, term_mul(ts, c, product), whole)));
  note_product(p, whole);
}

static void facts_of_product(struct powers *p, term_id product) {
  for (size_t i = 0; i < term_arg_count(p->ts, product); i++) {
    enum term_kind kind = term_kind(p->ts, term_arg(p->ts, product, i));
    if (kind == TERM_RAISE) facts_of_power_factor(p, product, i);
    if (kind == TERM_IDIV) facts_of_quotient_factor(p, product, i);
  }
}

/* ---- all ------------------------------------------------------------------------------------ */

static void collect(struct powers *p, term_id formula) {
  if (!(term_get(p->ts, formula)->flags & TERM_HAS_RAISE)) return;
  term_list all = {0};
  term_subterms(p->ts, formula, &all);
  for (size_t i = 0; i < all.len; i++) {
    if (term_kind(p->ts, all.at[i]) == TERM_RAISE) add_once(&p->powers, all.at[i], POWERS_TERMS);
    note_product(p, all.at[i]);
  }
  vec_clear(&all);
}

void powers_facts(struct terms *ts, const term_id *formulas, size_t count, term_list *out) {
  struct powers p = {.ts = ts, .out = out};
  for (size_t i = 0; i < count; i++)
    collect(&p, formulas[i]);
  for (size_t i = 0; i < p.powers.len; i++) {
    facts_of_one(&p, p.powers.at[i]);
    for (size_t k = 0; k < p.powers.len; k++)
      if (k != i) facts_of_two(&p, p.powers.at[i], p.powers.at[k]);
    for (size_t k = i; k < p.powers.len; k++)
      facts_of_sum(&p, p.powers.at[i], p.powers.at[k]);
  }
  for (size_t i = 0; i < p.products.len; i++)
    facts_of_product(&p, p.products.at[i]);
  vec_clear(&p.powers);
  vec_clear(&p.products);
}
