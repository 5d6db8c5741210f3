#include "check/exact/measure.h"

#include <stdlib.h>

void measure_init(struct measure *m) {
  *m = (struct measure){0};
  arb_init(m->weight);
  arb_one(m->weight);
}

static void symbol_clear(struct measure_symbol *s) {
  density_clear(&s->density);
  for (size_t i = 0; i < s->bounds.len; i++)
    creal_unref(s->bounds.at[i].at);
  vec_clear(&s->bounds);
}

static void add_bound(struct measure_symbol *s, struct creal *at, bool is_lower) {
  vec_push(&s->bounds, (struct measure_bound){creal_ref(at), is_lower});
}

static void forget_logs(struct measure *m) {
  for (size_t i = 0; i < m->logs.len; i++) {
    affine_unref(m->logs.at[i].of);
    affine_unref(m->logs.at[i].is);
  }
  vec_clear(&m->logs);
}

void measure_clear(struct measure *m) {
  arb_clear(m->weight);
  for (size_t i = 0; i < m->symbols.len; i++)
    symbol_clear(&m->symbols.at[i]);
  for (size_t i = 0; i < m->constraints.len; i++)
    affine_unref(m->constraints.at[i]);
  for (size_t i = 0; i < m->facts.len; i++)
    affine_unref(m->facts.at[i]);
  for (size_t i = 0; i < m->points.len; i++)
    affine_unref(m->points.at[i].at);
  vec_clear(&m->symbols);
  vec_clear(&m->constraints);
  vec_clear(&m->facts);
  vec_clear(&m->points);
  forget_logs(m);
}

void measure_copy(struct measure *to, const struct measure *from) {
  measure_init(to);
  arb_set(to->weight, from->weight);
  for (size_t i = 0; i < from->symbols.len; i++) {
    const struct measure_symbol *s = &from->symbols.at[i];
    struct measure_symbol copy = {.id = s->id, .moves = s->moves};
    for (size_t k = 0; k < s->bounds.len; k++)
      add_bound(&copy, s->bounds.at[k].at, s->bounds.at[k].is_lower);
    density_init_continuous(&copy.density);
    density_set(&copy.density, &s->density);
    vec_push(&to->symbols, copy);
  }
  for (size_t i = 0; i < from->constraints.len; i++)
    vec_push(&to->constraints, affine_ref(from->constraints.at[i]));
  for (size_t i = 0; i < from->facts.len; i++)
    vec_push(&to->facts, affine_ref(from->facts.at[i]));
  for (size_t i = 0; i < from->points.len; i++)
    measure_add_point(to, from->points.at[i].id, from->points.at[i].at);
  for (size_t i = 0; i < from->logs.len; i++)
    vec_push(&to->logs, (struct measure_log){affine_ref(from->logs.at[i].of),
                                             affine_ref(from->logs.at[i].is)});
}

/* The symbol, which is there. */
static struct measure_symbol *find(const struct measure *m, symbol s)
    __attribute__((returns_nonnull));
static struct measure_symbol *find(const struct measure *m, symbol s) {
  size_t i = 0;
  while (m->symbols.at[i].id != s)
    i++;
  return &m->symbols.at[i];
}

void measure_add_symbol(struct measure *m, symbol s, struct density *density) {
  vec_push(&m->symbols, (struct measure_symbol){.id = s, .density = *density});
}

bool measure_knows(const struct measure *m, const struct affine *a) {
  for (size_t i = 0; i < a->count; i++) {
    bool found = false;
    for (size_t j = 0; j < m->symbols.len && !found; j++)
      found = m->symbols.at[j].id == a->terms[i].symbol;
    for (size_t j = 0; j < m->points.len && !found; j++)
      found = m->points.at[j].id == a->terms[i].symbol;
    if (!found) return false;
  }
  return true;
}

bool measure_is_discrete(const struct measure *m, symbol s) {
  return find(m, s)->density.is_discrete;
}

bool measure_has_points(const struct measure *m, const struct affine *a) {
  for (size_t i = 0; i < m->points.len; i++)
    if (affine_mentions(a, m->points.at[i].id)) return true;
  return false;
}

struct affine *measure_at_points(const struct measure *m, const struct affine *a) {
  struct affine *form = affine_ref(a);
  for (size_t i = 0; i < m->points.len; i++) {
    struct affine *replaced = affine_substitute(form, m->points.at[i].id, m->points.at[i].at);
    affine_unref(form);
    form = replaced;
  }
  return form;
}

void measure_add_point(struct measure *m, symbol s, const struct affine *at) {
  vec_push(&m->points, (struct measure_point){s, affine_ref(at)});
}

bool measure_is_zero(const struct measure *m) {
  if (arb_is_zero(m->weight)) return true;
  for (size_t i = 0; i < m->symbols.len; i++) /* edges that move may leave room beside the point */
    if (!m->symbols.at[i].moves && density_is_zero(&m->symbols.at[i].density)) return true;
  return false;
}

/* ---- branches ------------------------------------------------------------------------------- */

bool measure_all_discrete(const struct measure *m, const struct affine *a) {
  for (size_t i = 0; i < a->count; i++)
    if (!measure_is_discrete(m, a->terms[i].symbol)) return false;
  return true;
}

/* The least positive integer that makes all coefficients and the constant integers. */
static void common_denominator(fmpq_t out, const struct affine *a) {
  fmpz_t lcm;
  fmpz_init_set(lcm, fmpq_denref(a->constant));
  for (size_t i = 0; i < a->count; i++)
    fmpz_lcm(lcm, lcm, fmpq_denref(a->terms[i].coefficient));
  fmpq_set_fmpz(out, lcm);
  fmpz_clear(lcm);
}

struct affine *measure_complement(const struct measure *m, const struct affine *a) {
  fmpq_t factor, minus;
  fmpq_init(factor);
  fmpq_init(minus);
  fmpq_set_si(minus, -1, 1);
  fmpq_one(factor);
  bool integers = measure_all_discrete(m, a); /* then a * factor takes integer values only */
  if (integers) common_denominator(factor, a);
  fmpq_neg(factor, factor);
  struct affine *b = affine_scale(a, factor);
  if (integers) {
    struct affine *one = affine_constant(minus), *sum;
    fmpq_one(factor);
    sum = affine_combine(b, factor, one);
    affine_unref(b);
    affine_unref(one);
    b = sum;
  }
  fmpq_clear(factor);
  fmpq_clear(minus);
  return b;
}

/* Has the density of the single symbol of a no mass where a >= 0? */
static bool support_excludes(const struct measure *m, const struct affine *a) {
  struct density inside;
  density_init_continuous(&inside);
  density_set(&inside, &find(m, a->terms[0].symbol)->density);
  density_restrict(&inside, a->terms[0].coefficient, a->constant);
  bool excluded = density_is_zero(&inside);
  density_clear(&inside);
  return excluded;
}

static bool is_fact(const struct measure *m, const struct affine *a) {
  struct affine *normal = affine_normalise(a);
  bool found = false;
  for (size_t i = 0; i < m->facts.len && !found; i++)
    found = affine_equal(m->facts.at[i], normal);
  affine_unref(normal);
  return found;
}

int measure_decide(const struct measure *m, const struct affine *a) {
  if (a->count == 0) return fmpq_sgn(a->constant) >= 0 ? 1 : -1;
  struct affine *complement = measure_complement(m, a);
  int answer = 0;
  if (is_fact(m, a) || (a->count == 1 && support_excludes(m, complement)))
    answer = 1;
  else if (is_fact(m, complement) || (a->count == 1 && support_excludes(m, a)))
    answer = -1;
  affine_unref(complement);
  return answer;
}

void measure_require(struct measure *m, const struct affine *a, bool moves) {
  if (a->count == 0) {
    if (fmpq_sgn(a->constant) < 0) arb_zero(m->weight);
    return;
  }
  vec_push(&m->facts, affine_normalise(a));
  if (a->count > 1) {
    vec_push(&m->constraints, affine_ref(a));
    return;
  }
  struct measure_symbol *only = find(m, a->terms[0].symbol);
  density_restrict(&only->density, a->terms[0].coefficient, a->constant);
  only->moves = only->moves || moves;
}

void measure_require_irrational(struct measure *m, symbol s, struct creal *bound, bool lower) {
  struct measure_symbol *found = find(m, s);
  int order;
  for (size_t i = 0; i < found->bounds.len; i++) {
    const struct measure_bound *b = &found->bounds.at[i];
    if (b->is_lower == lower || !creal_compare(&order, bound, b->at)) continue;
    if (lower ? order >= 0 : order <= 0) arb_zero(m->weight);
  }
  add_bound(found, bound, lower);
}

int measure_side(const struct measure *m, symbol s, struct creal *bound) {
  const struct measure_symbol *found = find(m, s);
  int order;
  for (size_t i = 0; i < found->bounds.len; i++) {
    const struct measure_bound *b = &found->bounds.at[i];
    if (!creal_compare(&order, b->at, bound)) continue;
    if (b->is_lower ? order >= 0 : order <= 0) return b->is_lower ? 1 : -1;
  }
  return 0;
}

/* The symbol becomes this constant: on the right side of each bound, or the path is empty. False:
 * on which side cannot be told. */
static bool settle_bounds(struct measure *m, const struct measure_symbol *s, const fmpq_t value) {
  struct creal *at = creal_rational(value);
  bool decided = true;
  int order;
  for (size_t i = 0; decided && i < s->bounds.len; i++) {
    decided = creal_compare(&order, at, s->bounds.at[i].at) && order != 0;
    if (decided && (order > 0) != s->bounds.at[i].is_lower) arb_zero(m->weight);
  }
  creal_unref(at);
  return decided;
}

/* The closest of the lower (upper) bounds, a new reference; NULL: there are none. */
static struct creal *closest_bound(const struct measure_symbol *s, bool lower) {
  struct creal *closest = NULL;
  for (size_t i = 0; i < s->bounds.len; i++) {
    if (s->bounds.at[i].is_lower != lower) continue;
    struct creal *at = creal_ref(s->bounds.at[i].at);
    closest = closest ? creal_node(lower ? CREAL_MAX : CREAL_MIN, closest, at) : at;
  }
  return closest;
}

/* The mass between two bounds; nothing, if they are in the wrong order. */
static bool mass_between(arb_t mass, const struct density *d, struct creal *low, struct creal *high,
                         slong precision) {
  arb_t above;
  arb_init(above);
  int order;
  bool ordered = creal_compare(&order, low, high);
  bool decided = density_mass_beyond(mass, d, low, true, precision) &&
                 density_mass_beyond(above, d, high, true, precision);
  arb_sub(mass, mass, above, precision);
  arb_zero(above);
  if (!ordered) arb_union(mass, mass, above, precision);
  if (ordered && order >= 0) arb_zero(mass);
  arb_clear(above);
  return decided;
}

/* ---- elimination ---------------------------------------------------------------------------- */

static void drop_symbol(struct measure *m, symbol s) {
  for (size_t i = 0; i < m->symbols.len; i++)
    if (m->symbols.at[i].id == s) {
      symbol_clear(&m->symbols.at[i]);
      m->symbols.at[i] = vec_last(&m->symbols);
      m->symbols.len--;
      break;
    }
}

/* Removes the forms that mention s. */
static void forget(struct affine **forms, size_t *len, symbol s) {
  size_t kept = 0;
  for (size_t i = 0; i < *len; i++) {
    if (affine_mentions(forms[i], s))
      affine_unref(forms[i]);
    else
      forms[kept++] = forms[i];
  }
  *len = kept;
}

/* The only other symbol in the inequalities about s. *several is set when there is more than one.
 */
static const struct measure_symbol *neighbour(const struct measure *m, symbol s, bool *several) {
  const struct measure_symbol *found = NULL;
  *several = false;
  for (size_t i = 0; i < m->constraints.len; i++) {
    const struct affine *a = m->constraints.at[i];
    if (!affine_mentions(a, s)) continue;
    for (size_t j = 0; j < a->count; j++) {
      if (a->terms[j].symbol == s) continue;
      const struct measure_symbol *other = find(m, a->terms[j].symbol);
      if (found && found != other) *several = true;
      found = other;
    }
  }
  return found;
}

/* From a s + b x + c >= 0: s >= (-b/a) x - c/a if a > 0, else s <= the same. */
static void bound_from(struct density_bound *out, const struct affine *form, symbol s, symbol x) {
  const fmpq *a = affine_coefficient(form, s), *b = affine_coefficient(form, x);
  out->is_lower = fmpq_sgn(a) > 0;
  fmpq_init(out->slope);
  fmpq_init(out->offset);
  fmpq_div(out->slope, b, a);
  fmpq_neg(out->slope, out->slope);
  fmpq_div(out->offset, form->constant, a);
  fmpq_neg(out->offset, out->offset);
}

static const char *absorb(struct measure *m, const struct measure_symbol *s,
                          struct measure_symbol *stay, slong precision) {
  VEC(struct density_bound) bounds = {0};
  for (size_t i = 0; i < m->constraints.len; i++) {
    if (!affine_mentions(m->constraints.at[i], s->id)) continue;
    struct density_bound b;
    bound_from(&b, m->constraints.at[i], s->id, stay->id);
    vec_push(&bounds, b);
  }
  bool ok = density_absorb(&stay->density, &s->density, bounds.at, bounds.len, precision);
  for (size_t i = 0; i < bounds.len; i++) {
    fmpq_clear(bounds.at[i].slope);
    fmpq_clear(bounds.at[i].offset);
  }
  vec_clear(&bounds);
  return ok ? NULL
            : "samples that are compared have too different scales for an integral, or one is an "
              "integer";
}

static const char *integrate_alone(struct measure *m, const struct measure_symbol *s,
                                   slong precision) {
  arb_t mass;
  arb_init(mass);
  bool decided = true;
  struct creal *low = closest_bound(s, true), *high = closest_bound(s, false);
  if (low && high)
    decided = mass_between(mass, &s->density, low, high, precision);
  else if (low || high)
    decided = density_mass_beyond(mass, &s->density, low ? low : high, low != NULL, precision);
  else
    density_total(mass, &s->density, precision);
  creal_unref(low);
  creal_unref(high);
  if (decided) arb_mul(m->weight, m->weight, mass, precision);
  arb_clear(mass);
  return decided ? NULL : "a bound is too close to an integer to tell on which side it lies";
}

const char *measure_eliminate(struct measure *m, symbol s, slong precision) {
  bool several;
  const struct measure_symbol *gone = find(m, s);
  struct measure_symbol *stay = (struct measure_symbol *)neighbour(m, s, &several);
  const char *why = NULL;
  if (several)
    why = "a sample is compared with several others that are still in use";
  else if (!stay)
    why = integrate_alone(m, gone, precision);
  else if (measure_symbol_is_bounded(gone))
    why = "a sample is compared both with an irrational number and with another sample";
  else
    why = absorb(m, gone, stay, precision);
  if (why) return why;
  drop_symbol(m, s);
  forget(m->constraints.at, &m->constraints.len, s);
  forget(m->facts.at, &m->facts.len, s);
  return NULL;
}

const char *measure_eliminate_all(struct measure *m, slong precision) {
  const char *why = NULL;
  while (m->symbols.len) {
    size_t before = m->symbols.len;
    for (size_t i = m->symbols.len; i-- > 0;) {
      const char *problem = measure_eliminate(m, m->symbols.at[i].id, precision);
      if (problem) why = problem;
    }
    if (m->symbols.len == before) return why;
  }
  return NULL;
}

/* ---- observed outputs ----------------------------------------------------------------------- */

static void substitute_all(struct affine **forms, size_t len, symbol s, const struct affine *by) {
  for (size_t i = 0; i < len; i++) {
    struct affine *replaced = affine_substitute(forms[i], s, by);
    affine_unref(forms[i]);
    forms[i] = replaced;
  }
}

/* A constraint that became constant by an integer holds or fails. */
static void settle_constant(struct measure *m, const struct affine *a) {
  if (fmpq_sgn(a->constant) < 0) arb_zero(m->weight);
}

/* One that became constant by a point may be met with equality: then the density jumps there. */
static void observe_constant(struct measure *m, const struct affine *a, slong precision) {
  settle_constant(m, a);
  if (!fmpq_is_zero(a->constant)) return;
  arb_t zero;
  arb_init(zero);
  arb_union(m->weight, m->weight, zero, precision);
  arb_clear(zero);
}

static void restrict_symbol(struct measure *m, const struct affine *a) {
  density_restrict(&find(m, a->terms[0].symbol)->density, a->terms[0].coefficient, a->constant);
}

/* Constraints about fewer symbols than two after a substitution move to where they belong. */
static void resettle_constraints(struct measure *m) {
  size_t kept = 0;
  for (size_t i = 0; i < m->constraints.len; i++) {
    struct affine *a = m->constraints.at[i];
    if (a->count >= 2) {
      m->constraints.at[kept++] = a;
      continue;
    }
    if (a->count == 1)
      restrict_symbol(m, a);
    else
      settle_constant(m, a);
    affine_unref(a);
  }
  m->constraints.len = kept;
}

/* The pending bounds of an integer sample, at the integers next to them. False: those are not
 * known. */
static bool restrict_table(struct measure_symbol *s) {
  bool decided = true;
  fmpz_t whole;
  fmpq_t slope, offset;
  fmpz_init(whole);
  fmpq_init(slope);
  fmpq_init(offset);
  for (size_t i = 0; decided && i < s->bounds.len; i++) {
    slong side = s->bounds.at[i].is_lower ? 1 : -1;
    decided = creal_floor(whole, s->bounds.at[i].at);
    if (!decided) break;
    if (side > 0) fmpz_add_ui(whole, whole, 1);
    fmpq_set_fmpz(offset, whole);
    fmpq_mul_si(offset, offset, -side);
    fmpq_set_si(slope, side, 1);
    density_restrict(&s->density, slope, offset);
  }
  fmpz_clear(whole);
  fmpq_clear(slope);
  fmpq_clear(offset);
  return decided;
}

const char *measure_take(struct measure *m, symbol s, struct density *out) {
  struct measure_symbol *taken = find(m, s);
  if (!restrict_table(taken))
    return "a bound is too close to an integer to tell on which side it lies";
  *out = taken->density;
  density_init_discrete(&taken->density, 0, 0);
  return NULL;
}

void measure_put(struct measure *m, symbol s, const struct affine *value, const arb_t weight,
                 slong precision) {
  arb_mul(m->weight, m->weight, weight, precision);
  drop_symbol(m, s);
  substitute_all(m->constraints.at, m->constraints.len, s, value);
  substitute_all(m->facts.at, m->facts.len, s, value);
  resettle_constraints(m);
}

/* The constraint has just got a point in the place of a sample. False: integer samples may tie with
 * the point in many ways. */
static bool observe_constraint(struct measure *m, const struct affine *a, slong precision) {
  if (a->count == 0) {
    observe_constant(m, a, precision);
  } else if (a->count == 1) {
    struct measure_symbol *only = find(m, a->terms[0].symbol);
    restrict_symbol(m, a);
    if (only->density.is_discrete)
      density_blur(&only->density, a->terms[0].coefficient, a->constant, precision);
    else
      only->moves = true;
  } else {
    return !measure_all_discrete(m, a);
  }
  return true;
}

static const char *observe_constraints(struct measure *m, symbol s, const struct affine *value,
                                       slong precision) {
  size_t kept = 0;
  bool ok = true;
  for (size_t i = 0; i < m->constraints.len; i++) {
    struct affine *a = m->constraints.at[i];
    if (affine_mentions(a, s)) {
      struct affine *replaced = affine_substitute(a, s, value);
      affine_unref(a);
      a = replaced;
      ok = ok && observe_constraint(m, a, precision);
    }
    if (a->count >= 2)
      m->constraints.at[kept++] = a;
    else
      affine_unref(a);
  }
  m->constraints.len = kept;
  return ok ? NULL : "an output at a point is compared with sums of integer samples";
}

const char *measure_observe(struct measure *m, symbol s, const struct affine *value,
                            slong precision) {
  struct measure_symbol *fixed = find(m, s);
  if (measure_symbol_is_bounded(fixed) && value->count)
    return "a sum of samples in an output is compared with an irrational number";
  if (!settle_bounds(m, fixed, value->constant))
    return "an output is too close to an irrational number to compare";
  if (value->count > 1) return "an output mixes more than two samples";
  struct measure_symbol *stay = value->count ? find(m, value->terms[0].symbol) : NULL;
  if (fixed->density.grid)
    return "an output at a point is a sample that was compared with others; ask for an interval";
  if (stay && !stay->density.is_discrete &&
      (density_is_numeric(&stay->density) || density_is_numeric(&fixed->density)))
    return "an output mixes Gaussian or Gumbel noise with another real sample";
  if (fixed->moves && (!stay || stay->density.is_discrete))
    return "several outputs fix the same sample to a point";
  if (!stay) {
    arb_t at;
    arb_init(at);
    density_at(at, &fixed->density, value->constant, precision);
    arb_mul(m->weight, m->weight, at, precision);
    arb_clear(at);
  } else if (!density_absorb_point(&stay->density, &fixed->density, value->terms[0].coefficient,
                                   value->constant, precision)) {
    return "an output mixes integer and real samples";
  } else if (!stay->density.is_discrete) {
    stay->moves = true;
  }
  drop_symbol(m, s);
  forget(m->facts.at, &m->facts.len, s);
  return observe_constraints(m, s, value, precision);
}

struct density *measure_density(struct measure *m, symbol s) {
  return &find(m, s)->density;
}

void measure_drop(struct measure *m, symbol s) {
  drop_symbol(m, s);
  forget(m->facts.at, &m->facts.len, s);
}

/* ---- merging -------------------------------------------------------------------------------- */

bool measure_can_merge(const struct measure *a, const struct measure *b) {
  if (a->symbols.len != b->symbols.len || a->symbols.len > 1) return false;
  if (a->constraints.len || b->constraints.len) return false;
  if (!a->symbols.len) return true;
  const struct measure_symbol *x = &a->symbols.at[0], *y = &b->symbols.at[0];
  return x->id == y->id && density_same_kind(&x->density, &y->density) &&
         !measure_symbol_is_bounded(x) && !measure_symbol_is_bounded(y) && x->moves == y->moves;
}

void measure_merge(struct measure *a, const struct measure *b, slong precision) {
  if (!a->symbols.len) {
    arb_add(a->weight, a->weight, b->weight, precision);
  } else {
    struct density *d = &a->symbols.at[0].density, other;
    density_init_continuous(&other);
    density_set(&other, &b->symbols.at[0].density);
    density_scale(&other, b->weight, precision);
    density_scale(d, a->weight, precision);
    arb_one(a->weight);
    density_add(d, &other, precision);
    density_clear(&other);
  }
  /* What one path knows, the sum does not: its support decides anew. */
  for (size_t i = 0; i < a->facts.len; i++)
    affine_unref(a->facts.at[i]);
  a->facts.len = 0;
  forget_logs(a);
}

void measure_rename(struct measure *m, symbol from, symbol to) {
  if (from == to) return;
  struct affine *by = affine_symbol(to);
  find(m, from)->id = to;
  substitute_all(m->constraints.at, m->constraints.len, from, by);
  substitute_all(m->facts.at, m->facts.len, from, by);
  for (size_t i = 0; i < m->logs.len; i++) {
    substitute_all(&m->logs.at[i].of, 1, from, by);
    substitute_all(&m->logs.at[i].is, 1, from, by);
  }
  affine_unref(by);
}
