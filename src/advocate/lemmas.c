#include "advocate/lemmas.h"

#include "advocate/arith.h"
#include "advocate/define.h"
#include "term/build.h"
#include "term/subst.h"

/* ---- facts about new terms ------------------------------------------------------------------- */

static void bounds_of(struct search *s, enum schema schema, term_id arg, long from, long to) {
  for (long i = from; i < to; i++)
    search_schema(s, schema, (term_id[]){arg, term_rat(s->ts, i, 1)}, 2);
}

static void list_facts(struct search *s, term_id t) {
  if (sort_get(s->ts, term_sort(s->ts, t))->kind != SORT_KIND_LIST) return;
  if (term_kind(s->ts, t) == TERM_APPEND && term_kind(s->ts, term_arg(s->ts, t, 0)) != TERM_TAIL)
    search_schema(s, SCHEMA_APPEND, (term_id[]){term_arg(s->ts, t, 0), term_arg(s->ts, t, 1)}, 2);
  if (term_kind(s->ts, t) == TERM_CONS)
    search_schema(s, SCHEMA_CONS, (term_id[]){term_arg(s->ts, t, 0), term_arg(s->ts, t, 1)}, 2);
}

/* b^t and b^(t + c) */
static void shift_facts(struct search *s, term_id t) {
  struct terms *ts = s->ts;
  for (size_t i = 0; i < s->terms.len; i++) {
    term_id u = s->terms.at[i];
    if (term_kind(ts, u) != TERM_RAISE || term_get(ts, u)->data != term_get(ts, t)->data) continue;
    term_id c = term_sub(ts, term_arg(ts, u, 0), term_arg(ts, t, 0));
    if (c == TERM_NONE || !term_is_num(ts, c)) continue;
    int sign = fmpq_sgn(term_num_value(ts, c));
    if (sign > 0) search_schema(s, SCHEMA_POWER_SHIFT, (term_id[]){t, c}, 2);
    if (sign < 0) search_schema(s, SCHEMA_POWER_SHIFT, (term_id[]){u, term_neg(ts, c)}, 2);
  }
}

/* b^t, b^u and b^(t + u), t being one of them. */
static void sum_facts(struct search *s, term_id t) {
  struct terms *ts = s->ts;
  term_list powers = {0};
  for (size_t i = 0; i < s->terms.len; i++)
    if (term_kind(ts, s->terms.at[i]) == TERM_RAISE &&
        term_get(ts, s->terms.at[i])->data == term_get(ts, t)->data)
      vec_push(&powers, s->terms.at[i]);
  for (size_t i = 0; i < powers.len; i++)
    for (size_t j = i; j < powers.len; j++) {
      term_id a = powers.at[i], b = powers.at[j];
      term_id sum = term_add(ts, term_arg(ts, a, 0), term_arg(ts, b, 0));
      for (size_t k = 0; k < powers.len; k++)
        if (term_arg(ts, powers.at[k], 0) == sum && (a == t || b == t || powers.at[k] == t))
          search_schema(s, SCHEMA_POWER_SUM, (term_id[]){a, b}, 2);
    }
  vec_clear(&powers);
}

static void term_facts(struct search *s, term_id t) {
  struct terms *ts = s->ts;
  size_t count = term_arg_count(ts, t);
  term_id a = count > 0 ? term_arg(ts, t, 0) : TERM_NONE;
  term_id b = count > 1 ? term_arg(ts, t, 1) : TERM_NONE;
  term_id args[] = {a, b};
  switch (term_kind(ts, t)) {
  case TERM_ABS: search_schema(s, SCHEMA_ABS, args, 1); break;
  case TERM_MIN: search_schema(s, SCHEMA_MIN, args, 2); break;
  case TERM_MAX: search_schema(s, SCHEMA_MAX, args, 2); break;
  case TERM_FLOOR: search_schema(s, SCHEMA_FLOOR, args, 1); break;
  case TERM_CEIL: search_schema(s, SCHEMA_CEIL, args, 1); break;
  case TERM_DIV: search_schema(s, SCHEMA_QUOTIENT, args, 2); break;
  case TERM_IDIV:
  case TERM_MOD: search_schema(s, SCHEMA_DIVMOD, args, 2); break;
  case TERM_ITE:
    if (term_sort(ts, t) != SORT_BOOL)
      search_schema(s, SCHEMA_CHOICE, (term_id[]){a, b, term_arg(ts, t, 2)}, 3);
    break;
  case TERM_SELECT:
    if (term_kind(ts, a) == TERM_STORE)
      search_schema(s, SCHEMA_READ,
                    (term_id[]){term_arg(ts, a, 0), term_arg(ts, a, 1), term_arg(ts, a, 2), b}, 4);
    break;
  case TERM_STORE: define_note(s, term_select(ts, t, b)); break;
  case TERM_DIFFERING: search_schema(s, SCHEMA_DIFFERING, args, 2); break;
  case TERM_LENGTH: /* one step at a time: the tails of tails of a list never end */
    if (term_kind(ts, a) != TERM_TAIL) search_schema(s, SCHEMA_LENGTH, args, 1);
    break;
  case TERM_RAISE:
    search_schema(s, SCHEMA_POWER, &t, 1);
    shift_facts(s, t);
    sum_facts(s, t);
    break;
  case TERM_EXP: bounds_of(s, SCHEMA_EXP, a, 0, 2); break;
  case TERM_LN: bounds_of(s, SCHEMA_LN, a, 0, 2); break;
  case TERM_SQRT: search_schema(s, SCHEMA_SQRT, args, 1); break;
  default: break;
  }
  list_facts(s, t);
}

void lemmas_flush(struct search *s) {
  enum { TERMS = 4000 };
  for (; s->rounds < s->terms.len && s->rounds < TERMS; s->rounds++)
    term_facts(s, s->terms.at[s->rounds]);
}

/* ---- orders ---------------------------------------------------------------------------------- */

static bool have_equal_values(struct search *s, term_id a, term_id b) {
  fmpq_t x, y;
  fmpq_init(x);
  fmpq_init(y);
  arith_term_value(s, a, x);
  arith_term_value(s, b, y);
  bool equal = fmpq_equal(x, y);
  fmpq_clear(x);
  fmpq_clear(y);
  return equal;
}

bool lemmas_orders(struct search *s) {
  bool changed = false;
  for (size_t v = 0; v < s->atoms.len; v++) {
    struct atom a = s->atoms.at[v];
    if (a.kind != ATOM_EQUAL || sat_value(&s->sat, (int)v * 2) != -1) continue;
    if (!have_equal_values(s, a.left, a.right)) continue;
    changed = search_schema(s, SCHEMA_TRICHOTOMY, (term_id[]){a.left, a.right}, 2) || changed;
  }
  return changed;
}

/* ---- powers ---------------------------------------------------------------------------------- */

bool lemmas_powers(struct search *s) {
  bool changed = false;
  size_t count = s->terms.len;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < count && term_kind(s->ts, s->terms.at[i]) == TERM_RAISE; k++)
      if (i != k && term_kind(s->ts, s->terms.at[k]) == TERM_RAISE) {
        term_id pair[] = {s->terms.at[i], s->terms.at[k]};
        changed = search_schema(s, SCHEMA_POWER_STEP, pair, 2) || changed;
      }
  lemmas_flush(s);
  return changed;
}

/* ---- exp, ln, sqrt --------------------------------------------------------------------------- */

bool lemmas_of_a_run(struct terms *ts, term_id t) {
  term_list vars = {0};
  bool found = false;
  term_free_vars(ts, t, &vars);
  for (size_t i = 0; i < vars.len && !found; i++)
    found = term_var_get(ts, vars.at[i])->run > 0;
  vec_clear(&vars);
  return found;
}

/* ln u against ln v, by the tangents of exp there. */
static bool ln_tangents(struct search *s, term_id t, term_id u) {
  term_id x = term_arg(s->ts, t, 0), y = term_arg(s->ts, u, 0);
  bool changed = search_schema(s, SCHEMA_EXP_TANGENT, (term_id[]){t, u}, 2);
  changed = search_schema(s, SCHEMA_EXP_TANGENT, (term_id[]){u, t}, 2) || changed;
  changed = search_schema(s, SCHEMA_EXP_LN, &x, 1) || changed;
  return search_schema(s, SCHEMA_EXP_LN, &y, 1) || changed;
}

static size_t count_lns(const struct search *s) {
  size_t count = 0;
  for (size_t i = 0; i < s->terms.len; i++)
    count += term_kind(s->ts, s->terms.at[i]) == TERM_LN;
  return count;
}

/* ln u <= ln v + ln c as u <= c v, for the numbers c of which there is a logarithm. That makes more
 * logarithms. */
static bool ln_ratios(struct search *s, term_id t, term_id u) {
  enum { LOGARITHMS = 8 };
  struct terms *ts = s->ts;
  bool changed = false;
  term_id args[] = {term_arg(ts, t, 0), term_arg(ts, u, 0)};
  if (term_is_num(ts, args[0]) || term_is_num(ts, args[1]) || count_lns(s) > LOGARITHMS)
    return false;
  for (size_t i = 0, count = s->terms.len; i < count; i++) {
    term_id c = term_kind(ts, s->terms.at[i]) == TERM_LN ? term_arg(ts, s->terms.at[i], 0) : t;
    for (int side = 0; side < 2 && term_is_num(ts, c); side++) {
      term_id pair[] = {c, args[side]}, order[] = {args[!side], term_mul(ts, c, args[side])};
      changed = search_schema(s, SCHEMA_LN_PRODUCT, pair, 2) || changed;
      changed = search_schema(s, SCHEMA_LN_ORDER, order, 2) || changed;
    }
  }
  return changed;
}

static bool function_pairs(struct search *s, term_id t, term_id u, int effort) {
  struct terms *ts = s->ts;
  enum term_kind kind = term_kind(ts, t), other = term_kind(ts, u);
  if (kind != other) return false;
  term_id args[] = {term_arg(ts, t, 0), term_arg(ts, u, 0)};
  bool changed = search_schema(s,
                               kind == TERM_EXP  ? SCHEMA_EXP_ORDER
                               : kind == TERM_LN ? SCHEMA_LN_ORDER
                                                 : SCHEMA_SQRT_ORDER,
                               args, 2);
  if (effort > 1 && kind == TERM_EXP) {
    changed = search_schema(s, SCHEMA_EXP_TANGENT, args, 2) || changed;
    changed = search_schema(s, SCHEMA_EXP_TANGENT, (term_id[]){args[1], args[0]}, 2) || changed;
  }
  /* logarithms of parameters are many, and seldom compared in this way */
  bool of_data = kind == TERM_LN && lemmas_of_a_run(s->ts, t) && lemmas_of_a_run(s->ts, u);
  bool ratios = effort > 0 && of_data && ln_ratios(s, t, u);
  if (effort > (ratios ? 1 : 0) && of_data) changed = ln_tangents(s, t, u) || changed;
  changed = ratios || changed;
  return changed;
}

static bool function_bounds(struct search *s, term_id t, int effort) {
  struct terms *ts = s->ts;
  enum term_kind kind = term_kind(ts, t);
  term_id a = term_arg(ts, t, 0);
  size_t before = s->log.steps.len;
  if (effort > 0 && kind == TERM_EXP) bounds_of(s, SCHEMA_EXP, a, 2, 3);
  if (effort > 1 && kind == TERM_EXP) bounds_of(s, SCHEMA_EXP, a, 3, 9);
  if (effort > 0 && kind == TERM_LN) bounds_of(s, SCHEMA_LN, a, 2, 4);
  if (term_is_num(ts, a) && kind == TERM_EXP) search_schema(s, SCHEMA_EXP_AT, (term_id[]){a, a}, 2);
  if (term_is_num(ts, a) && kind == TERM_LN) search_schema(s, SCHEMA_LN_AT, (term_id[]){a, a}, 2);
  return s->log.steps.len > before;
}

/* A function that is not defined by another one. */
static bool is_transcendental(struct search *s, term_id t) {
  enum term_kind kind = term_kind(s->ts, t);
  return (kind == TERM_EXP || kind == TERM_LN || kind == TERM_SQRT) && !arith_is_defined(s, t);
}

bool lemmas_functions(struct search *s, int effort) {
  bool changed = false;
  size_t count = s->terms.len;
  for (size_t i = 0; i < count; i++) {
    term_id t = s->terms.at[i];
    if (!is_transcendental(s, t)) continue;
    changed = function_bounds(s, t, effort) || changed;
    for (size_t k = i + 1; k < count; k++)
      if (is_transcendental(s, s->terms.at[k]))
        changed = function_pairs(s, t, s->terms.at[k], effort) || changed;
  }
  lemmas_flush(s);
  return changed;
}
