/* `outcomes x, y cost e;`: a part of the program by the probabilities of the values of x and y
 * after it (FINITE); what follows is told that they are equal in both runs, and has the rest of the
 * budget (CONTRACT). */
#include <string.h>

#include "kernel/outcome_point.h"
#include "proof/cancel.h"
#include "proof/derive.h"
#include "proof/plain.h"
#include "proof/quotient.h"
#include "term/build.h"
#include "term/subst.h"

/* ---- where the part is ---------------------------------------------------------------------- */

static bool is_counted(const struct terms *ts, const struct core *c) {
  return c->arg_count == 2 && term_is_num(ts, c->args[0]) && term_is_num(ts, c->args[1]);
}

/* Every iteration draws everything anew. */
static bool is_repeated(struct terms *ts, const struct core *c) {
  term_list written = {0};
  core_writes(c, &written);
  bool ok = core_is_random(c);
  for (size_t i = 0; i < written.len && ok; i++)
    ok = core_sets(c->first, written.at[i]) && !core_reads_old(ts, c->first, written.at[i]);
  vec_clear(&written);
  return ok;
}

bool outcomes_are_listable(struct terms *ts, const struct core *c) {
  switch (c->kind) {
  case CORE_SKIP:
  case CORE_ASSIGN: return true;
  case CORE_SAMPLE:
    return c->dist == DIST_BERNOULLI || c->dist == DIST_UNIFORM_INT || c->dist == DIST_UNIFORM_SET;
  case CORE_SEQ:
  case CORE_IF: return outcomes_are_listable(ts, c->first) && outcomes_are_listable(ts, c->second);
  case CORE_WHILE:
    return (is_counted(ts, c) || is_repeated(ts, c)) && outcomes_are_listable(ts, c->first);
  case CORE_ADVERSARY: return false;
  }
  return false;
}

/* Where the part that ends with list[last] begins: with the first statement that writes `from`; or
 * as early as its outcomes can be listed and no other part ends. */
static size_t beginning(struct prover *p, const struct script_scope *scope,
                        const struct script_outcomes *o, const struct core *const *list,
                        size_t last) {
  if (o->from.text) {
    for (size_t i = 0; i <= last; i++)
      if (written_as(p->ts, list[i], o->from.text) != TERM_NONE) return i;
    return last;
  }
  size_t first = last;
  while (first > 0 && outcomes_are_listable(p->ts, list[first - 1])) {
    for (size_t i = 0; i < scope->outcome_count; i++)
      for (size_t n = 0; n < scope->outcomes[i].count; n++)
        if (&scope->outcomes[i] != o &&
            written_as(p->ts, list[first - 1], scope->outcomes[i].names[n].text) != TERM_NONE)
          return first;
    first--;
  }
  return first;
}

struct script_outcomes *outcomes_ending(struct prover *p, const struct walk *at,
                                        const struct core *const *list, size_t last,
                                        size_t *first) {
  for (size_t i = 0; at->scope && i < at->scope->outcome_count; i++) {
    struct script_outcomes *o = &at->scope->outcomes[i];
    bool ends = false, random = false;
    for (size_t n = 0; n < o->count && !ends; n++)
      ends = written_as(p->ts, list[last], o->names[n].text) != TERM_NONE;
    if (!ends) continue;
    *first = beginning(p, at->scope, o, list, last);
    for (size_t s = *first; s <= last && !random; s++)
      random = core_is_random(list[s]);
    if (random) return o;
  }
  return NULL;
}

/* ---- its proof ------------------------------------------------------------------------------ */

enum { SHOWN = 16 };

static const char *text_in(struct prover *p, term_id t) {
  char *text = t == TERM_NONE ? NULL : plain_text(p->ts, factors_cancelled(p->ts, t));
  const char *kept = arena_printf(p->arena, "%s", text ? text : "?");
  free(text);
  return kept;
}

/* Readers see the integers of the ranges with two values, one for each run. */
static term_id with_values(struct prover *p, const struct finite_part *how, term_id t) {
  for (size_t i = 0; i < how->range_count && t != TERM_NONE; i++)
    for (unsigned run = 1; run <= 2; run++) {
      const struct finite_range *r = &how->ranges[i];
      term_id x = kernel_tag(p->k, r->value, run);
      term_id value = term_int(p->ts, run == 2 && r->low < r->high ? r->low + 1 : r->low);
      t = term_replace(p->ts, t, &x, &value, 1);
    }
  return t;
}

/* Probability of the outcome `values`, which readers see already. */
static term_id listed(struct prover *p, const struct finite_part *how, const struct outcomes *o,
                      const term_id *values) {
  term_id sum = term_rat(p->ts, 0, 1);
  for (size_t i = 0; i < o->list.len; i++) {
    struct outcome one = o->list.at[i];
    term_id *own = arena_alloc(p->arena, (how->key_count + 1) * sizeof *own);
    for (size_t n = 0; n < how->key_count; n++)
      own[n] = with_values(p, how, one.values[n]);
    one.values = own;
    one.probability = with_values(p, how, one.probability);
    sum = term_add(p->ts, sum, outcome_mass(p->k, &one, values, how->key_count));
  }
  return sum;
}

/* "with v = 0 in run 1 and 1 in run 2: ", or nothing. */
static const char *values_text(struct prover *p, const struct finite_part *how) {
  const char *text = "";
  for (size_t i = 0; i < how->range_count; i++) {
    const struct finite_range *r = &how->ranges[i];
    text =
        arena_printf(p->arena, "%s%s%s = %ld in run 1 and %ld in run 2%s", text,
                     i ? ", " : "e.g. with ", text_in(p, r->value), r->low,
                     r->low < r->high ? r->low + 1 : r->low, i + 1 == how->range_count ? ": " : "");
  }
  return text;
}

/* The table of outcomes, for explanations. */
static void note_outcomes(struct prover *p, proof_of j, const struct core *c,
                          const struct finite_part *how) {
  struct outcomes run[2];
  memset(run, 0, sizeof run);
  bool ok = outcomes_of(p->k, "FINITE", c, 1, how->keys, how->key_count, &run[0]) &&
            outcomes_of(p->k, "FINITE", c, 2, how->keys, how->key_count, &run[1]);
  const char *data = values_text(p, how);
  for (size_t i = 0; ok && i < run[0].list.len && i < SHOWN; i++) {
    struct outcome_any any;
    bool known = outcome_any(p->k, &run[0].list.at[i], how->key_count, &any);
    vec_clear(&any.names);
    if (!known) continue;
    term_id *values = any.values, when = term_bool(p->ts, true);
    for (size_t n = 0; n < how->key_count; n++) {
      values[n] = with_values(p, how, values[n]);
      when = term_and(p->ts, when, term_eq(p->ts, kernel_tag(p->k, how->keys[n], 1), values[n]));
    }
    const char *one = text_in(p, listed(p, how, &run[0], values));
    const char *two = text_in(p, listed(p, how, &run[1], values));
    prover_add_case(
        p, j, when,
        arena_printf(p->arena, "%sprobability %s in run 1, %s in run 2", data, one, two),
        how->spent);
  }
  outcomes_free(&run[0]);
  outcomes_free(&run[1]);
}

static const struct core *last_of(const struct core *c) {
  while (c->kind == CORE_SEQ)
    c = c->second;
  return c;
}

/* A constant of the proof text; fails otherwise. */
static long number_in(struct prover *p, const struct ast_expr *e) {
  term_id t = prover_program_term(p, e, SORT_INT);
  if (p->error) return 0;
  const fmpq *value = t != TERM_NONE && term_is_num(p->ts, t) ? term_num_value(p->ts, t) : NULL;
  if (value && fmpz_bits(fmpq_numref(value)) < 32) return fmpz_get_si(fmpq_numref(value));
  prover_fail(p, e->span, "a range has numbers as its ends");
  return 0;
}

static struct finite_range *ranges_in(struct prover *p, const struct script_outcomes *step) {
  struct finite_range *ranges = arena_alloc(p->arena, (step->range_count + 1) * sizeof *ranges);
  for (size_t i = 0; i < step->range_count && !p->error; i++) {
    const struct script_range *r = &step->ranges[i];
    ranges[i].value = prover_program_term(p, r->value, SORT_INT);
    if (!p->error) ranges[i].low = number_in(p, r->low);
    if (!p->error) ranges[i].high = number_in(p, r->high) - 1; /* 0..4 is 0, 1, 2, 3 */
  }
  return ranges;
}

proof_of derive_outcomes(struct prover *p, struct walk *at, const struct core *c,
                         const struct script_outcomes *step, term_id post) {
  term_list keys = {0};
  for (size_t i = 0; i < step->count && !p->error; i++) {
    term_id key = written_as(p->ts, c, step->names[i].text);
    if (key == TERM_NONE)
      prover_fail(p, step->names[i].span, "`%s` is not set by this part of the program",
                  step->names[i].text);
    else
      vec_push(&keys, key);
  }
  term_id spent = p->error ? TERM_NONE : prover_formula(p, step->cost, SORT_REAL);
  struct finite_part how = {.keys = keys.at,
                            .key_count = keys.len,
                            .spent = spent,
                            .ranges = ranges_in(p, step),
                            .range_count = step->range_count,
                            .comparison = step->comparison};
  proof_of j = NULL;
  walk_pass(p, at, c);
  struct span span = last_of(c)->span;
  if (!p->error) j = step_finite(p, span, c, c, &how);
  if (j) note_outcomes(p, j, c, &how);
  j = j ? step_contract(p, span, spent, post, j) : NULL;
  prover_note(p, j, "a part by its outcomes: afterwards %s is equal in both runs",
              step->names[0].text);
  if (j) note_of(&p->notes, p->arena, j)->cost = spent;
  vec_clear(&keys);
  return j;
}
