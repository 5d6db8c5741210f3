#include <string.h>

#include "search/align/place.h"
#include "search/base/lists.h"
#include "smt/smt.h"
#include "term/build.h"
#include "term/subst.h"

enum { MAX_CONSTANTS = 12 };
static const double QUESTION_SECONDS = 1; /* bounds are simple questions */
static const double SLOW_SECONDS = 0.5;
enum { SLOW_QUESTIONS = 6 }; /* about exponentials and logarithms: more are not waited for */

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

void align_add_constants(struct align *s, term_id t) {
  term_list parts = {0};
  term_subterms(s->ts, t, &parts);
  for (size_t i = 0; i < parts.len; i++)
    if (term_is_num(s->ts, parts.at[i]))
      add_constant(s, term_abs(s->ts, term_to_real(s->ts, parts.at[i])));
  vec_clear(&parts);
}

/* Noise is made to fit what differs: the numbers in its scale. */
static void add_scales(struct align *s, const struct core *c) {
  if (c->kind == CORE_SAMPLE && c->arg_count == 2) align_add_constants(s, c->args[1]);
  if (c->kind != CORE_SEQ && c->kind != CORE_IF && c->kind != CORE_WHILE) return;
  add_scales(s, c->first);
  if (c->second) add_scales(s, c->second);
}

static void add_constants_of(struct align *s, term_id fact) {
  while (fact != TERM_NONE && term_kind(s->ts, fact) == TERM_FORALL) {
    term_id var;
    fact = term_open(s->ts, fact, &var);
  }
  if (fact != TERM_NONE) align_add_constants(s, fact);
}

/* Numbers in the adjacency, the facts and the noise may bound a difference. */
static void collect_constants(struct align *s) {
  add_constant(s, term_rat(s->ts, 1, 1));
  add_constant(s, term_rat(s->ts, 2, 1));
  const term_list *tables = &s->problem->view->bounds;
  for (size_t i = 0; i < kernel_fact_count(s->k); i++)
    add_constants_of(s, kernel_fact(s->k, i));
  for (size_t i = 0; i < tables->len; i++)
    add_constants_of(s, tables->at[i]);
  add_scales(s, s->program);
}

/* Do all quantifiers in it range over integers? Then instances at the indices of a question are as
 * good, and the solver is quick to say no. */
static bool is_about_indices(const struct align *s, term_id t) {
  if (!(term_get(s->ts, t)->flags & TERM_HAS_QUANTIFIER)) return true;
  if (term_kind(s->ts, t) == TERM_FORALL && term_get(s->ts, t)->binder != SORT_INT) return false;
  bool all = term_kind(s->ts, t) != TERM_EXISTS;
  for (size_t i = 0; i < term_arg_count(s->ts, t) && all; i++)
    all = is_about_indices(s, term_arg(s->ts, t, i));
  return all;
}

/* The assumptions that are arithmetic. */
static void collect_known(struct align *s) {
  s->known = (struct known){.p = s->problem};
  s->by_instances = true;
  for (size_t i = 0; i < kernel_fact_count(s->k); i++) {
    term_id fact = kernel_fact(s->k, i);
    if (term_get(s->ts, fact)->flags & TERM_HAS_TRANSCENDENTAL) continue;
    known_add(&s->known, fact);
    s->by_instances &= is_about_indices(s, fact);
  }
  for (size_t i = 0; i < s->problem->view->bounds.len; i++)
    known_add(&s->known, s->problem->view->bounds.at[i]);
}

static bool follows(struct align *s, term_id given, term_id goal) {
  if (s->by_instances) return known_entails(&s->known, given, goal);
  return smt_entails(s->problem->smt, "search", span_none(), s->known.facts.at, s->known.facts.len,
                     term_implies(s->ts, given, goal)) == SMT_VALID;
}

bool align_follows(struct align *s, term_id given, term_id goal) {
  struct smt *smt = s->problem->smt;
  bool is_hard = term_get(s->ts, goal)->flags & TERM_HAS_TRANSCENDENTAL;
  if (is_hard && s->slow_questions >= SLOW_QUESTIONS) return false;
  double before = smt->solver_seconds, limit = smt->options.timeout_s;
  if ((is_hard || !s->by_instances) && limit > QUESTION_SECONDS)
    smt->options.timeout_s = QUESTION_SECONDS;
  given = term_and(s->ts, s->assumption, given);
  if (s->swapped) given = term_swap_runs(s->ts, given);
  if (s->swapped) goal = term_swap_runs(s->ts, goal);
  bool yes = follows(s, given, goal);
  smt->options.timeout_s = limit;
  s->slow_questions += is_hard && !yes && smt->solver_seconds - before > SLOW_SECONDS;
  return yes;
}

size_t align_witness_of(struct align *s, term_id var) {
  for (size_t w = 0; w < s->witnesses.len; w++)
    if (s->witnesses.at[w].var == var) return w;
  if (s->witnesses.len == s->most_witnesses) return SIZE_MAX;
  term_id shown = var;
  for (size_t w = 0; w < s->witnesses.len; w++)
    if (term_kind(s->ts, s->witnesses.at[w].var) == TERM_VAR)
      shown = term_subst(s->ts, shown, &s->witnesses.at[w].var, &s->witnesses.at[w].shown, 1);
  vec_push(&s->witnesses, (struct align_witness){var, shown, SIZE_MAX, SIZE_MAX});
  return s->witnesses.len - 1;
}

void align_inputs(struct align *s) {
  struct translate_env *env = claim_env(s->problem->goal);
  const struct ast_routine *m = s->problem->claim->as.claim.target->as.mechanism.routine;
  for (size_t i = 0; i < kernel_var_count(s->k); i++)
    vec_push(&s->vars, kernel_var_at(s->k, i));
  for (size_t i = 0; i < s->problem->view->lengths.len; i++)
    vec_push(&s->vars, s->problem->view->lengths.at[i]);
  for (size_t i = 0; i < m->arg_count; i++) {
    const struct translate_binding *b = ptrmap_get(&env->vars, m->args[i]);
    if (!b) continue;
    vec_push(m->args[i]->is_private ? &s->private : &s->public, b->term);
  }
  for (size_t i = 0; i < s->problem->view->tables.len; i++)
    vec_push(&s->private, s->problem->view->tables.at[i]);
  term_list vars = {0}, shown = {0};
  auto_witnesses(s->problem, &vars, &shown);
  for (size_t i = 0; i < vars.len; i++)
    vec_push(&s->witnesses, (struct align_witness){vars.at[i], shown.at[i], SIZE_MAX, SIZE_MAX});
  vec_clear(&vars);
  vec_clear(&shown);
  align_places(s);
  s->most_witnesses = s->witnesses.len + ALIGN_KEYS;
  collect_constants(s);
  collect_known(s);
  points_init(&s->points, s->problem);
  s->assumption = term_bool(s->ts, true);
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

static void collect_parts(struct align *s, const struct core *c, term_list *out) {
  if (c->kind == CORE_SEQ || c->kind == CORE_IF || c->kind == CORE_WHILE) {
    collect_parts(s, c->first, out);
    if (c->second) collect_parts(s, c->second, out);
  }
  if (c->expr != TERM_NONE) term_subterms(s->ts, c->expr, out);
  for (size_t i = 0; i < c->arg_count; i++)
    term_subterms(s->ts, c->args[i], out);
}

void align_measure(struct align *s) {
  term_list all = {0};
  collect_parts(s, s->program, &all);
  for (size_t i = 0; i < all.len; i++)
    if (align_is_private(s, all.at[i]) && sort_is_numeric(term_sort(s->ts, all.at[i])))
      align_shape_of(s, all.at[i]);
  vec_clear(&all);
}

term_id align_in_range(struct align *s, term_id value) {
  term_list parts = {0};
  term_id all = term_bool(s->ts, true), zero = term_int(s->ts, 0);
  term_subterms(s->ts, value, &parts);
  for (size_t i = 0; i < parts.len; i++) {
    bool reads = term_kind(s->ts, parts.at[i]) == TERM_SELECT;
    term_id length = reads ? align_length_of(s, term_arg(s->ts, parts.at[i], 0)) : TERM_NONE;
    if (length == TERM_NONE) continue;
    term_id index = term_arg(s->ts, parts.at[i], 1);
    all = term_and(s->ts, all,
                   term_and(s->ts, term_le(s->ts, zero, index), term_lt(s->ts, index, length)));
  }
  vec_clear(&parts);
  return all;
}
