#include <string.h>

#include "search/align/place.h"
#include "search/base/lists.h"
#include "smt/smt.h"
#include "term/build.h"
#include "term/subst.h"

enum { MAX_CONSTANTS = 12 };
static const double QUESTION_SECONDS = 1; /* bounds are simple questions */

size_t align_var(const struct align *s, term_id var) {
  for (size_t i = 0; i < s->vars.len; i++)
    if (s->vars.at[i] == var) return i;
  return SIZE_MAX;
}

term_id align_number(struct align *s, struct ratio r, term_id unit) {
  term_id t = r.den == 1 ? term_int(s->ts, r.num) : term_rat(s->ts, r.num, (unsigned long)r.den);
  return unit == TERM_NONE ? t : term_mul(s->ts, t, unit);
}

const struct form *align_step(struct align *s, size_t i, size_t constants) {
  size_t units = s->units.len ? s->units.len : 1, c = i / (2 * units);
  if (c >= s->constants.len || c >= constants) return NULL;
  struct ratio r = ratio_from_fmpq(term_num_value(s->ts, s->constants.at[c]));
  term_id unit = s->units.len ? s->units.at[i / 2 % units] : TERM_NONE;
  return form_number(&s->forms, i % 2 ? r : ratio_neg(r), unit);
}

bool align_reads_private(const struct align *s, term_id t) {
  if (term_kind(s->ts, t) == TERM_VAR) return terms_have(&s->private, t);
  for (size_t i = 0; i < term_arg_count(s->ts, t); i++)
    if (align_reads_private(s, term_arg(s->ts, t, i))) return true;
  return false;
}

bool align_is_private(const struct align *s, term_id t) {
  switch (term_kind(s->ts, t)) {
  case TERM_VAR: return terms_have(&s->private, t);
  case TERM_TO_REAL:
  case TERM_SELECT: return align_is_private(s, term_arg(s->ts, t, 0));
  case TERM_APP:
  case TERM_PROJ:
    for (size_t i = 0; i < term_arg_count(s->ts, t); i++)
      if (align_is_private(s, term_arg(s->ts, t, i))) return true;
    return false;
  case TERM_ITE: return align_reads_private(s, term_arg(s->ts, t, 0));
  default: return false;
  }
}

/* ---- what the claim says --------------------------------------------------------------------- */

static void add_constant(struct align *s, term_id number) {
  if (terms_have(&s->constants, number) || s->constants.len == MAX_CONSTANTS) return;
  const fmpq *value = term_num_value(s->ts, number);
  if (fmpq_sgn(value) <= 0) return;
  vec_push(&s->constants, number);
  for (size_t i = s->constants.len - 1; i > 0; i--) {
    term_id *a = &s->constants.at[i - 1], *b = &s->constants.at[i];
    if (fmpq_cmp(term_num_value(s->ts, *a), term_num_value(s->ts, *b)) <= 0) break;
    term_id swap = *a;
    *a = *b;
    *b = swap;
  }
}

static void add_numbers_of(struct align *s, term_id t) {
  term_list parts = {0};
  term_subterms(s->ts, t, &parts);
  for (size_t i = 0; i < parts.len; i++)
    if (term_is_num(s->ts, parts.at[i])) add_constant(s, term_to_real(s->ts, parts.at[i]));
  vec_clear(&parts);
}

/* Noise is made to fit what differs: the numbers in its scale. */
static void add_scales(struct align *s, const struct core *c) {
  if (c->kind == CORE_SAMPLE && c->arg_count == 2) add_numbers_of(s, c->args[1]);
  if (c->kind != CORE_SEQ && c->kind != CORE_IF && c->kind != CORE_WHILE) return;
  add_scales(s, c->first);
  if (c->second) add_scales(s, c->second);
}

/* Numbers in the adjacency, the facts and the noise may bound a difference. */
static void collect_constants(struct align *s) {
  add_constant(s, term_rat(s->ts, 1, 1));
  add_constant(s, term_rat(s->ts, 2, 1));
  const struct kernel *k = s->k;
  for (size_t i = 0; i < kernel_fact_count(k); i++) {
    term_id fact = kernel_fact(k, i);
    while (fact != TERM_NONE && term_kind(s->ts, fact) == TERM_FORALL) {
      term_id var;
      fact = term_open(s->ts, fact, &var);
    }
    if (fact != TERM_NONE) add_numbers_of(s, fact);
  }
  add_scales(s, s->program);
}

void align_inputs(struct align *s) {
  struct translate_env *env = claim_env(s->problem->goal);
  const struct ast_routine *m = s->problem->claim->as.claim.target->as.mechanism.routine;
  for (size_t i = 0; i < kernel_var_count(s->k); i++)
    vec_push(&s->vars, kernel_var_at(s->k, i));
  for (size_t i = 0; i < m->arg_count; i++) {
    const struct translate_binding *b = ptrmap_get(&env->vars, m->args[i]);
    if (!b) continue;
    if (m->args[i]->is_private) vec_push(&s->private, b->term);
  }
  for (size_t i = 0; i < env->names.capacity; i++) { /* witnesses: logical, made for the claim */
    const struct translate_binding *b = env->names.slots[i].value;
    if (!env->names.slots[i].key || !b || b->is_program) continue;
    if (term_kind(s->ts, b->term) != TERM_VAR || term_sort(s->ts, b->term) != SORT_INT) continue;
    if (term_var_get(s->ts, b->term)->version == 0) continue;
    term_id shown = term_var(s->ts, env->names.slots[i].key, SORT_INT, 0, 0);
    vec_push(&s->witnesses, (struct align_witness){b->term, shown, SIZE_MAX});
  }
  align_places(s);
  collect_constants(s);
  points_init(&s->points, s->problem);
  s->assumption = term_bool(s->ts, true);
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* Places for what is not private in it; the conditions under which indices are in range. */
struct pattern {
  struct align *s;
  term_id in_range;
  term_list holes, fillings; /* the same filling, the same hole */
  term_id index;             /* the hole of all indices, if there is but one */
  bool scattered;            /* there are several */
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

term_id align_length_of(const struct align *s, term_id array) {
  const struct ptrmap *vars = &claim_env(s->problem->goal)->vars;
  for (size_t i = 0; i < vars->capacity; i++) {
    const struct translate_binding *b = vars->slots[i].value;
    if (vars->slots[i].key && b && b->term == array) return b->length;
  }
  return TERM_NONE;
}

bool align_is_fixed(const struct align *s, term_id t) {
  term_list vars = {0};
  term_free_vars(s->ts, t, &vars);
  bool fixed = true;
  for (size_t i = 0; i < vars.len && fixed; i++)
    fixed = align_var(s, vars.at[i]) == SIZE_MAX && term_var_get(s->ts, vars.at[i])->version == 0;
  vec_clear(&vars);
  return fixed;
}

static term_id generalise(struct pattern *p, term_id t) {
  struct terms *ts = p->s->ts;
  if (!align_reads_private(p->s, t)) return align_is_fixed(p->s, t) ? t : hole(p, t);
  size_t count = term_arg_count(ts, t);
  if (count == 0) return t;
  term_id args[16];
  if (count > 16 || term_kind(ts, t) == TERM_FORALL || term_kind(ts, t) == TERM_EXISTS)
    return TERM_NONE;
  bool reads = term_kind(ts, t) == TERM_SELECT;
  for (size_t i = 0; i < count; i++)
    args[i] = reads && i == 1 && !align_reads_private(p->s, term_arg(ts, t, 1))
                  ? hole(p, term_arg(ts, t, 1))
                  : generalise(p, term_arg(ts, t, i));
  if (reads) {
    p->scattered |= align_reads_private(p->s, args[1]);
    p->scattered |= p->index != TERM_NONE && p->index != args[1];
    p->index = args[1];
    term_id length = align_length_of(p->s, args[0]), zero = term_int(ts, 0);
    if (length != TERM_NONE)
      p->in_range = term_and(
          ts, p->in_range, term_and(ts, term_le(ts, zero, args[1]), term_lt(ts, args[1], length)));
  }
  return term_rebuild(ts, t, args);
}

bool align_follows(struct align *s, term_id given, term_id goal) {
  term_id f = term_implies(s->ts, term_and(s->ts, s->assumption, given), goal);
  if (s->swapped) f = term_swap_runs(s->ts, f);
  term_list facts = {0};
  for (size_t i = 0; i < kernel_fact_count(s->k); i++)
    if (!(term_get(s->ts, kernel_fact(s->k, i))->flags & TERM_HAS_TRANSCENDENTAL) &&
        !auto_defines_sum(s->problem, kernel_fact(s->k, i)))
      vec_push(&facts, kernel_fact(s->k, i));
  double limit = s->problem->smt->options.timeout_s;
  if (limit > QUESTION_SECONDS) s->problem->smt->options.timeout_s = QUESTION_SECONDS;
  enum smt_verdict v = smt_entails(s->problem->smt, "search", span_none(), facts.at, facts.len, f);
  s->problem->smt->options.timeout_s = limit;
  vec_clear(&facts);
  return v == SMT_VALID;
}

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

static void units_of_scales(struct align *s, const struct core *c, term_list *out) {
  if (c->kind == CORE_SAMPLE && c->arg_count == 2) add_units_of(s, c->args[1], out);
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

/* No number bounds it: does a parameter? */
static struct ratio find_unit(struct align *s, term_id given, term_id difference, term_id *unit) {
  struct ratio found = ratio_infinite(1);
  term_list units = {0};
  unit_candidates(s, &units);
  for (size_t i = 0; i < units.len && !ratio_is_finite(found); i++) {
    *unit = units.at[i];
    found = both_sides(s, given, difference, *unit);
  }
  if (!ratio_is_finite(found)) *unit = TERM_NONE;
  vec_clear(&units);
  return found;
}

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

/* Axioms about operators may be about indices in a range: what they say of it, for all holes. */
static term_id ranges_of_axioms(const struct pattern *p) {
  struct terms *ts = p->s->ts;
  term_id all = term_bool(ts, true);
  for (size_t i = 0; i < kernel_fact_count(p->s->k); i++) {
    term_list opened = {0}, parts = {0};
    term_id t = kernel_fact(p->s->k, i), var;
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
  }
  return all;
}

static struct align_shape measure(struct align *s, const struct pattern *p, term_id pattern) {
  struct terms *ts = s->ts;
  term_id one = term_tag(ts, pattern, 1, s->private.at, s->private.len);
  term_id two = term_tag(ts, pattern, 2, s->private.at, s->private.len);
  struct align_shape shape = {
      .pattern = pattern, .low = ratio_infinite(-1), .high = ratio_infinite(1), .witness = -1};
  if (sort_is_numeric(term_sort(ts, pattern))) {
    add_numbers_of(s, pattern);
    term_id difference = term_sub(ts, two, one);
    term_id given = p->in_range;
    struct ratio both = both_sides(s, given, difference, TERM_NONE);
    if (!ratio_is_finite(both)) both = find_unit(s, given, difference, &shape.unit);
    if (!ratio_is_finite(both)) {
      given = term_and(ts, given, ranges_of_axioms(p));
      if (given != p->in_range) both = both_sides(s, given, difference, TERM_NONE);
    }
    shape.high = upper(s, given, difference, both, shape.unit);
    shape.low = ratio_neg(upper(s, given, term_neg(ts, difference), both, shape.unit));
    if (ratio_is_finite(both) && !terms_have(&s->units, shape.unit))
      vec_push(&s->units, shape.unit);
  } else if (align_follows(s, p->in_range, term_eq(ts, one, two))) {
    shape.low = shape.high = ratio_int(0);
  }
  for (size_t w = 0; w < s->witnesses.len && shape.witness < 0; w++) {
    if (p->scattered || p->index == TERM_NONE || s->witnesses.at[w].array != SIZE_MAX) continue;
    term_id elsewhere = term_ne(ts, p->index, s->witnesses.at[w].var);
    if (align_follows(s, term_and(ts, p->in_range, elsewhere), term_eq(ts, one, two)))
      shape.witness = (int)w;
  }
  return shape;
}

const struct align_shape *align_shape_of(struct align *s, term_id t) {
  struct pattern p = {.s = s, .in_range = term_bool(s->ts, true), .index = TERM_NONE};
  term_id pattern = generalise(&p, t);
  const struct align_shape *found = NULL;
  for (size_t i = 0; i < s->shapes.len && !found; i++)
    if (s->shapes.at[i].pattern == pattern) found = &s->shapes.at[i];
  if (!found && pattern != TERM_NONE) {
    struct align_shape shape = measure(s, &p, pattern);
    vec_push(&s->shapes, shape);
    found = &vec_last(&s->shapes);
  }
  vec_clear(&p.holes);
  vec_clear(&p.fillings);
  return found;
}

term_id align_index_of(struct align *s, term_id t) {
  if (term_kind(s->ts, t) == TERM_SELECT) return term_arg(s->ts, t, 1);
  for (size_t i = 0; i < term_arg_count(s->ts, t); i++)
    if (align_reads_private(s, term_arg(s->ts, t, i)))
      return align_index_of(s, term_arg(s->ts, t, i));
  return TERM_NONE;
}

static void collect_reads(struct align *s, const struct core *c, term_list *out) {
  if (c->kind == CORE_SEQ || c->kind == CORE_IF || c->kind == CORE_WHILE) {
    collect_reads(s, c->first, out);
    if (c->second) collect_reads(s, c->second, out);
  }
  if (c->expr != TERM_NONE) term_subterms(s->ts, c->expr, out);
  for (size_t i = 0; i < c->arg_count; i++)
    term_subterms(s->ts, c->args[i], out);
}

void align_measure(struct align *s) {
  term_list all = {0};
  collect_reads(s, s->program, &all);
  for (size_t i = 0; i < all.len; i++)
    if (align_is_private(s, all.at[i]) && sort_is_numeric(term_sort(s->ts, all.at[i])))
      align_shape_of(s, all.at[i]);
  vec_clear(&all);
}

void align_fixed_reads(struct align *s, const struct core *loop, term_list *out) {
  term_list all = {0}, written = {0};
  collect_reads(s, loop, &all);
  core_writes(loop, &written);
  for (size_t i = 0; i < all.len; i++) {
    if (!align_is_private(s, all.at[i]) || term_mentions(s->ts, all.at[i], written.at, written.len))
      continue;
    if (align_index_of(s, all.at[i]) != TERM_NONE && !terms_have(out, all.at[i]))
      vec_push(out, all.at[i]);
  }
  vec_clear(&all);
  vec_clear(&written);
}
