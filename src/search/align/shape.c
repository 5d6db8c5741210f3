#include <stdio.h>

#include "search/align/align.h"
#include "search/base/lists.h"
#include "term/build.h"
#include "term/subst.h"

enum { MOST_TIGHTENED = 1024 };

/* ---- patterns -------------------------------------------------------------------------------- */

/* Places for what is not private in it; the conditions under which indices are in range. */
struct pattern {
  struct align *s;
  term_id in_range;
  term_list holes, fillings; /* the same filling, the same hole */
};

static term_id hole(struct pattern *p, term_id filling) {
  for (size_t i = 0; i < p->holes.len; i++)
    if (p->fillings.at[i] == filling) return p->holes.at[i];
  char name[32];
  snprintf(name, sizeof name, "hole%zu", p->holes.len);
  term_id var = term_var(p->s->ts, name, term_sort(p->s->ts, filling), 0, 1);
  vec_push(&p->holes, var);
  vec_push(&p->fillings, filling);
  return var;
}

/* Does it read an array that is the same in both runs? What is assumed of its elements may matter.
 */
static bool reads_public_array(const struct align *s, term_id t) {
  if (term_kind(s->ts, t) == TERM_SELECT && terms_have(&s->public, term_arg(s->ts, t, 0)))
    return true;
  for (size_t i = 0; i < term_arg_count(s->ts, t); i++)
    if (reads_public_array(s, term_arg(s->ts, t, i))) return true;
  return false;
}

/* The term with holes for what is not private; TERM_NONE: it has none. */
static term_id generalise(struct pattern *p, term_id t) {
  struct terms *ts = p->s->ts;
  if (!align_reads_private(p->s, t) && !reads_public_array(p->s, t))
    return align_is_fixed(p->s, t) ? t : hole(p, t);
  size_t count = term_arg_count(ts, t);
  if (count == 0) return t;
  term_id args[16];
  if (count > 16 || term_kind(ts, t) == TERM_FORALL || term_kind(ts, t) == TERM_EXISTS)
    return TERM_NONE;
  bool reads = term_kind(ts, t) == TERM_SELECT;
  for (size_t i = 0; i < count; i++) {
    args[i] = reads && i == 1 && !align_reads_private(p->s, term_arg(ts, t, 1))
                  ? hole(p, term_arg(ts, t, 1))
                  : generalise(p, term_arg(ts, t, i));
    if (args[i] == TERM_NONE) return TERM_NONE;
  }
  term_id length = reads ? align_length_of(p->s, args[0]) : TERM_NONE, zero = term_int(ts, 0);
  if (length != TERM_NONE)
    p->in_range = term_and(ts, p->in_range,
                           term_and(ts, term_le(ts, zero, args[1]), term_lt(ts, args[1], length)));
  return term_rebuild(ts, t, args);
}

static void pattern_clear(struct pattern *p) {
  vec_clear(&p->holes);
  vec_clear(&p->fillings);
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* The least constant that bounds the difference from above; at most `known`. */
static struct ratio upper(struct align *s, term_id given, term_id difference, struct ratio known,
                          term_id unit) {
  if (align_follows(s, given, term_le(s->ts, difference, term_int(s->ts, 0)))) return ratio_int(0);
  for (size_t i = 0; i < s->constants.len; i++) {
    struct ratio c = ratio_from_fmpq(term_num_value(s->ts, s->constants.at[i]));
    if (ratio_le(known, c)) return known;
    if (align_follows(s, given, term_le(s->ts, difference, align_number(s, c, unit)))) return c;
  }
  return known;
}

/* The same for both sides at once: usually the bound is the same. */
static struct ratio both_sides(struct align *s, term_id given, term_id difference, term_id unit) {
  for (size_t i = 0; i < s->constants.len; i++) {
    struct ratio c = ratio_from_fmpq(term_num_value(s->ts, s->constants.at[i]));
    term_id bound = align_number(s, c, unit);
    if (align_follows(s, given, term_le(s->ts, term_abs(s->ts, difference), bound))) return c;
  }
  return ratio_infinite(1);
}

static void add_units_of(struct align *s, term_id t, term_list *out) {
  term_list vars = {0};
  term_free_vars(s->ts, t, &vars);
  for (size_t v = 0; v < vars.len; v++) {
    const struct term_var *var = term_var_get(s->ts, vars.at[v]);
    if (var->run == 0 && var->version == 0 && sort_is_numeric(var->sort) &&
        !terms_have(&s->points.lengths, vars.at[v]) && !terms_have(out, vars.at[v]) &&
        align_var(s, vars.at[v]) == SIZE_MAX)
      vec_push(out, vars.at[v]);
  }
  vec_clear(&vars);
}

/* Sums and powers of parameters, such as high - low and B^2. */
static void add_widths_of(struct align *s, term_id t, term_list *out) {
  term_list parts = {0};
  term_subterms(s->ts, t, &parts);
  for (size_t i = 0; i < parts.len; i++)
    if ((term_kind(s->ts, parts.at[i]) == TERM_ADD || term_kind(s->ts, parts.at[i]) == TERM_POW) &&
        align_is_fixed(s, parts.at[i]) &&
        !term_mentions(s->ts, parts.at[i], s->points.lengths.at, s->points.lengths.len))
      terms_add(out, parts.at[i]);
  vec_clear(&parts);
}

/* Numbers that are no fractions: ln(2), sqrt(3). */
static void add_numbers_of(struct align *s, term_id t, term_list *out) {
  term_list parts = {0}, vars = {0};
  term_subterms(s->ts, t, &parts);
  for (size_t i = 0; i < parts.len; i++) {
    enum term_kind kind = term_kind(s->ts, parts.at[i]);
    vars.len = 0;
    term_free_vars(s->ts, parts.at[i], &vars);
    if (vars.len == 0 && (kind == TERM_LN || kind == TERM_SQRT || kind == TERM_EXP))
      terms_add(out, parts.at[i]);
  }
  vec_clear(&parts);
  vec_clear(&vars);
}

static void numbers_of_scales(struct align *s, const struct core *c, term_list *out) {
  if (c->kind == CORE_SAMPLE && c->arg_count == 2) add_numbers_of(s, c->args[1], out);
  if (c->kind != CORE_SEQ && c->kind != CORE_IF && c->kind != CORE_WHILE) return;
  numbers_of_scales(s, c->first, out);
  if (c->second) numbers_of_scales(s, c->second, out);
}

static void units_of_scales(struct align *s, const struct core *c, term_list *out) {
  if (c->kind == CORE_SAMPLE && c->arg_count == 2) {
    add_units_of(s, c->args[1], out);
    add_widths_of(s, c->args[1], out);
  }
  if (c->kind != CORE_SEQ && c->kind != CORE_IF && c->kind != CORE_WHILE) return;
  units_of_scales(s, c->first, out);
  if (c->second) units_of_scales(s, c->second, out);
}

/* Parameters that the assumptions about both runs or scales of noise mention, lengths excepted. */
static void unit_candidates(struct align *s, term_list *out) {
  for (size_t i = 0; i < kernel_fact_count(s->k); i++) {
    term_id fact = kernel_fact(s->k, i);
    unsigned flags = term_get(s->ts, fact)->flags;
    if (flags & (TERM_HAS_RUN1 | TERM_HAS_QUANTIFIER)) add_units_of(s, fact, out);
  }
  units_of_scales(s, s->program, out);
}

/* What the value is clipped to: fixed values that min, max and choices in it may take. */
static void add_limits_of(struct align *s, term_id t, term_list *out) {
  enum term_kind kind = term_kind(s->ts, t);
  bool chooses = kind == TERM_MIN || kind == TERM_MAX || kind == TERM_ITE;
  for (size_t i = 0; i < term_arg_count(s->ts, t); i++) {
    term_id part = term_arg(s->ts, t, i);
    if (chooses && sort_is_numeric(term_sort(s->ts, part)) && align_is_fixed(s, part))
      terms_add(out, part);
    add_limits_of(s, part, out);
  }
}

/* The distances between the values that it is clipped to. */
static void add_clips_of(struct align *s, term_id pattern, term_list *out) {
  term_list limits = {0};
  add_limits_of(s, pattern, &limits);
  for (size_t i = 0; i < limits.len; i++)
    for (size_t j = 0; j < limits.len; j++) {
      term_id width = term_sub(s->ts, limits.at[i], limits.at[j]);
      if (i != j && !points_at_most(&s->points, width, term_int(s->ts, 0))) terms_add(out, width);
    }
  vec_clear(&limits);
}

/* Between numbers, these distances may bound the difference. */
static void add_clip_constants(struct align *s, term_id pattern) {
  term_list widths = {0};
  add_clips_of(s, pattern, &widths);
  for (size_t i = 0; i < widths.len; i++)
    if (term_is_num(s->ts, widths.at[i])) align_add_constants(s, widths.at[i]);
  vec_clear(&widths);
}

/* Where the least cost is asked for: an integer below the bound, and above the constants that were
 * too small, that bounds it as well. */
static struct ratio tightened(struct align *s, term_id given, term_id difference,
                              struct ratio bound) {
  long low = 0, high = bound.num;
  if (!s->problem->wants_least || !ratio_is_finite(bound) || bound.den != 1 ||
      high > MOST_TIGHTENED)
    return bound;
  for (size_t i = 0; i < s->constants.len; i++) {
    struct ratio c = ratio_from_fmpq(term_num_value(s->ts, s->constants.at[i]));
    if (c.num / c.den < high && c.num / c.den > low) low = c.num / c.den;
  }
  while (high - low > 1) {
    long middle = low + (high - low) / 2;
    term_id most = align_number(s, ratio_int(middle), TERM_NONE);
    if (align_follows(s, given, term_le(s->ts, term_abs(s->ts, difference), most)))
      high = middle;
    else
      low = middle;
  }
  return ratio_int(high);
}

/* No number bounds it: does a parameter? */
static struct ratio find_unit(struct align *s, term_id given, term_id pattern, term_id difference,
                              term_id *unit) {
  struct ratio found = ratio_infinite(1);
  term_list units = {0};
  unit_candidates(s, &units);
  add_units_of(s, pattern, &units);
  add_clips_of(s, pattern, &units);
  for (size_t i = 0; i < units.len && !ratio_is_finite(found); i++) {
    *unit = units.at[i];
    found = both_sides(s, given, difference, *unit);
  }
  if (!ratio_is_finite(found)) *unit = TERM_NONE;
  vec_clear(&units);
  return found;
}

/* Of a function's value: a bound that is no fraction may be less than the fraction found. */
static struct ratio find_number(struct align *s, term_id given, term_id pattern, term_id difference,
                                struct ratio found, term_id *unit) {
  if (!(term_get(s->ts, pattern)->flags & TERM_HAS_TRANSCENDENTAL)) return found;
  term_list numbers = {0};
  numbers_of_scales(s, s->program, &numbers);
  for (size_t i = 0; i < numbers.len; i++) {
    struct ratio many = both_sides(s, given, difference, numbers.at[i]);
    if (!ratio_is_finite(many)) continue;
    if (ratio_is_finite(found) && !points_at_most(&s->points, align_number(s, many, numbers.at[i]),
                                                  align_number(s, found, *unit)))
      continue;
    found = many;
    *unit = numbers.at[i];
  }
  vec_clear(&numbers);
  return found;
}

/* ---- where indices are ----------------------------------------------------------------------- */

/* Adds low <= v and v < high of a premise, for the holes in place of the quantified v. */
static void add_range(const struct pattern *p, const term_list *opened, term_id part,
                      term_id *all) {
  struct terms *ts = p->s->ts;
  enum term_kind kind = term_kind(ts, part);
  if (kind != TERM_LE && kind != TERM_LT) return;
  for (size_t side = 0; side < 2; side++) {
    term_id v = term_arg(ts, part, side), bound = term_arg(ts, part, 1 - side);
    if (!terms_have(opened, v) || term_sort(ts, v) != SORT_INT || !align_is_fixed(p->s, bound))
      continue;
    for (size_t h = 0; h < p->holes.len; h++)
      if (term_sort(ts, p->holes.at[h]) == SORT_INT)
        *all = term_and(ts, *all, term_subst(ts, part, &v, &p->holes.at[h], 1));
  }
}

/* What a quantified formula says of the ranges of its variables, for all holes. */
static term_id ranges_of(const struct pattern *p, term_id t) {
  struct terms *ts = p->s->ts;
  term_id all = term_bool(ts, true);
  if (term_kind(ts, t) != TERM_FORALL) {
    for (size_t i = 0; i < term_arg_count(ts, t); i++)
      if (term_sort(ts, term_arg(ts, t, i)) == SORT_BOOL)
        all = term_and(ts, all, ranges_of(p, term_arg(ts, t, i)));
    return all;
  }
  term_list opened = {0}, parts = {0};
  term_id var;
  while (t != TERM_NONE &&
         (term_kind(ts, t) == TERM_FORALL || (opened.len && term_kind(ts, t) == TERM_IMPLIES))) {
    if (term_kind(ts, t) == TERM_IMPLIES) {
      term_conjuncts(ts, term_arg(ts, t, 0), &parts);
      t = term_arg(ts, t, 1);
      continue;
    }
    t = term_open(ts, t, &var);
    vec_push(&opened, var);
  }
  for (size_t c = 0; c < parts.len; c++)
    add_range(p, &opened, parts.at[c], &all);
  vec_clear(&opened);
  vec_clear(&parts);
  return all;
}

/* Assumptions may be about indices in a range only: then they are taken to be in it. */
static term_id assumed_ranges(const struct pattern *p) {
  term_id all = p->in_range;
  for (size_t i = 0; i < kernel_fact_count(p->s->k); i++)
    all = term_and(p->s->ts, all, ranges_of(p, kernel_fact(p->s->k, i)));
  return all;
}

/* ---- where a value differs ------------------------------------------------------------------- */

/* A shape in the making. */
struct measuring {
  const struct pattern *p;
  struct align_shape *shape;
  term_id given;    /* of the indices */
  term_id one, two; /* the value in both runs */
};

/* Is the value equal unless the hole is one of these? Then that is noted. */
static bool differs_at(struct measuring *m, size_t hole, const term_id *which, size_t count) {
  struct align *s = m->p->s;
  term_id elsewhere = m->given;
  for (size_t i = 0; i < count; i++)
    elsewhere = term_and(s->ts, elsewhere, term_ne(s->ts, m->p->holes.at[hole], which[i]));
  if (!align_follows(s, elsewhere, term_eq(s->ts, m->one, m->two))) return false;
  struct align_spot spot = {.hole = hole, .count = count};
  for (size_t i = 0; i < count; i++)
    if ((spot.witness[i] = align_witness_of(s, which[i])) == SIZE_MAX) return false;
  m->shape->spots[m->shape->spot_count++] = spot;
  return true;
}

/* At an index that an `exists` speaks of, or at one of a few: as few as possible. */
static void find_index_spot(struct measuring *m, size_t hole) {
  struct align *s = m->p->s;
  term_list named = {0};
  for (size_t w = 0; w < s->witnesses.len; w++)
    if (s->witnesses.at[w].array == SIZE_MAX &&
        term_kind(s->ts, s->witnesses.at[w].var) == TERM_VAR)
      vec_push(&named, s->witnesses.at[w].var);
  bool found = false;
  for (size_t w = 0; w < named.len && !found; w++)
    found = differs_at(m, hole, &named.at[w], 1);
  for (size_t w = 0; w < named.len && !found; w++)
    for (size_t v = w + 1; v < named.len && !found; v++)
      found = differs_at(m, hole, (term_id[]){named.at[w], named.at[v]}, 2);
  if (!found && named.len > 2 && named.len <= ALIGN_PLACES)
    differs_at(m, hole, named.at, named.len);
  vec_clear(&named);
}

/* Is this hole settled, and where? TERM_NONE: it is not, or at several places. */
static term_id settled_at(const struct measuring *m, size_t hole) {
  for (size_t i = 0; i < m->shape->spot_count; i++)
    if (m->shape->spots[i].hole == hole && m->shape->spots[i].count == 1)
      return m->p->s->witnesses.at[m->shape->spots[i].witness[0]].var;
  return TERM_NONE;
}

/* `key[r] = b` differs at r = w only, and then only if b is the key of w in one of the runs. */
static void find_key_spot(struct measuring *m, term_id equation) {
  struct align *s = m->p->s;
  for (size_t side = 0; side < 2; side++) {
    term_id key = term_arg(s->ts, equation, side), other = term_arg(s->ts, equation, !side);
    size_t hole = 0;
    while (hole < m->p->holes.len && m->p->holes.at[hole] != other)
      hole++;
    if (hole == m->p->holes.len || term_sort(s->ts, other) != SORT_INT) continue;
    for (size_t i = 0; i < m->shape->spot_count; i++)
      if (m->shape->spots[i].hole == hole) return;
    bool placed = false;
    for (size_t h = 0; h < m->p->holes.len; h++) {
      term_id at = settled_at(m, h);
      if (at == TERM_NONE || !term_mentions(s->ts, key, &m->p->holes.at[h], 1)) continue;
      key = term_subst(s->ts, key, &m->p->holes.at[h], &at, 1);
      placed = true;
    }
    if (!placed || term_mentions(s->ts, key, m->p->holes.at, m->p->holes.len)) continue;
    const term_id both[] = {term_tag(s->ts, key, 1, s->private.at, s->private.len),
                            term_tag(s->ts, key, 2, s->private.at, s->private.len)};
    bool same = both[0] == both[1]; /* or the record is missing in one of the runs */
    if (same || (!differs_at(m, hole, &both[0], 1) && !differs_at(m, hole, &both[1], 1)))
      differs_at(m, hole, both, same ? 1 : 2);
    return;
  }
}

static void find_spots(struct measuring *m, term_id pattern) {
  struct align *s = m->p->s;
  for (size_t h = 0; h < m->p->holes.len && m->shape->spot_count < ALIGN_SPOTS; h++)
    if (term_sort(s->ts, m->p->holes.at[h]) == SORT_INT) find_index_spot(m, h);
  if (m->shape->spot_count == 0 || s->keyless) return;
  term_list parts = {0};
  term_subterms(s->ts, pattern, &parts);
  for (size_t i = 0; i < parts.len && m->shape->spot_count < ALIGN_SPOTS; i++)
    if (term_kind(s->ts, parts.at[i]) == TERM_EQ) find_key_spot(m, parts.at[i]);
  vec_clear(&parts);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static bool is_bounded(const struct align_shape *shape) {
  return ratio_is_finite(shape->low) && ratio_is_finite(shape->high);
}

static void find_bounds(struct measuring *m, term_id pattern) {
  struct align *s = m->p->s;
  struct align_shape *shape = m->shape;
  shape->low = ratio_infinite(-1);
  shape->high = ratio_infinite(1);
  if (!sort_is_numeric(term_sort(s->ts, pattern))) {
    if (align_follows(s, m->given, term_eq(s->ts, m->one, m->two)))
      shape->low = shape->high = ratio_int(0);
    return;
  }
  align_add_constants(s, pattern);
  add_clip_constants(s, pattern);
  term_id difference = term_sub(s->ts, m->two, m->one);
  struct ratio both = both_sides(s, m->given, difference, TERM_NONE);
  both = tightened(s, m->given, difference, both);
  both = find_number(s, m->given, pattern, difference, both, &shape->unit);
  if (!ratio_is_finite(both)) both = find_unit(s, m->given, pattern, difference, &shape->unit);
  shape->high = upper(s, m->given, difference, both, shape->unit);
  shape->low = ratio_neg(upper(s, m->given, term_neg(s->ts, difference), both, shape->unit));
  if (ratio_is_finite(both)) terms_add(&s->units, shape->unit);
}

/* Indices may be private themselves. */
static term_id in_both_runs(struct align *s, term_id condition) {
  if (!align_reads_private(s, condition)) return condition;
  return term_and(s->ts, term_tag(s->ts, condition, 1, s->private.at, s->private.len),
                  term_tag(s->ts, condition, 2, s->private.at, s->private.len));
}

static const struct align_shape *measure(struct align *s, const struct pattern *p,
                                         term_id pattern) {
  struct align_shape *shape = arena_new(s->arena, struct align_shape);
  *shape = (struct align_shape){.pattern = pattern};
  struct measuring m = {.p = p,
                        .shape = shape,
                        .given = in_both_runs(s, p->in_range),
                        .one = term_tag(s->ts, pattern, 1, s->private.at, s->private.len),
                        .two = term_tag(s->ts, pattern, 2, s->private.at, s->private.len)};
  find_bounds(&m, pattern);
  term_id ranges = is_bounded(shape) ? m.given : assumed_ranges(p);
  if (ranges != m.given) {
    m.given = ranges;
    find_bounds(&m, pattern);
  }
  if (is_bounded(shape) && ratio_is_zero(shape->low) && ratio_is_zero(shape->high)) return shape;
  find_spots(&m, pattern);
  if (shape->spot_count) return shape;
  m.given = assumed_ranges(p); /* a clipped value has bounds anywhere, but differs in range only */
  if (m.given != ranges) find_spots(&m, pattern);
  return shape;
}

bool align_read_of(struct align *s, term_id value, struct align_read *out) {
  struct pattern p = {.s = s, .in_range = term_bool(s->ts, true)};
  term_id pattern = generalise(&p, value);
  *out = (struct align_read){.shape = NULL};
  for (size_t i = 0; i < s->shapes.len && !out->shape; i++)
    if (s->shapes.at[i]->pattern == pattern) out->shape = s->shapes.at[i];
  if (!out->shape && pattern != TERM_NONE) {
    out->shape = measure(s, &p, pattern);
    vec_push(&s->shapes, out->shape);
  }
  for (size_t i = 0; out->shape && i < out->shape->spot_count; i++)
    out->index[i] = p.fillings.at[out->shape->spots[i].hole];
  pattern_clear(&p);
  return out->shape != NULL;
}

const struct align_shape *align_shape_of(struct align *s, term_id t) {
  struct align_read read;
  return align_read_of(s, t, &read) ? read.shape : NULL;
}

const struct align_shape *align_shape_among(struct align *s, term_id t, const term_list *differ,
                                            term_id given) {
  term_id one = term_tag(s->ts, t, 1, differ->at, differ->len);
  for (size_t i = 0; i < s->computed.len; i++)
    if (s->computed.at[i].one == one && s->computed.at[i].given == given)
      return s->computed.at[i].shape;
  struct align_shape *shape = arena_new(s->arena, struct align_shape);
  *shape = (struct align_shape){.pattern = t};
  struct pattern none = {.s = s};
  struct measuring m = {.p = &none,
                        .shape = shape,
                        .given = given,
                        .one = one,
                        .two = term_tag(s->ts, t, 2, differ->at, differ->len)};
  find_bounds(&m, t);
  vec_push(&s->computed, (struct align_computed){one, given, shape});
  return shape;
}
