/* `pointwise x = r { ... }`: a part of the program, for each value of x separately (PW-EQ); what
 * follows is told that x is equal in both runs and what the part `gives`, and has the rest of the
 * budget (CONTRACT). `pure x { ... }`: a part in the pure notion (PURE-PART), likewise. */
#include <string.h>

#include "kernel/notion.h"
#include "out/print.h"
#include "proof/derive.h"
#include "proof/quotient.h"
#include "term/build.h"
#include "term/subst.h"

/* ---- where a part is ------------------------------------------------------------------------ */

static bool speaks_of_loops(const struct script_scope *s) {
  return s->loop_count ||
         (s->cases && (speaks_of_loops(s->cases->yes) || speaks_of_loops(s->cases->no)));
}

/* A part ends with a loop that writes the variable; if its steps are about no loop, with a sampling
 * or conditional that does. */
static bool can_end(const struct terms *ts, const struct script_part *part, const struct core *c) {
  bool fits = speaks_of_loops(part->scope) ? c->kind == CORE_WHILE
                                           : c->kind == CORE_IF || c->kind == CORE_SAMPLE;
  return fits && written_as(ts, c, part->name.text) != TERM_NONE;
}

/* Numbers the statements in c with which the part could end, in the order of the text. True: `end`
 * was reached. */
static bool number_of(const struct terms *ts, const struct script_part *part, const struct core *c,
                      const struct core *end, unsigned *number) {
  if (can_end(ts, part, c)) {
    ++*number;
    if (c == end) return true;
  } else if (c->kind == CORE_SEQ || c->kind == CORE_IF) {
    return number_of(ts, part, c->first, end, number) ||
           number_of(ts, part, c->second, end, number);
  }
  return false;
}

/* Back to the n-th statement from the end of this kind: loops, or samplings of a variable. */
static size_t back_to(struct prover *p, const struct core *const *list, size_t last,
                      const char *var, size_t n) {
  size_t found = last;
  for (size_t i = last + 1; i-- > 0 && n > 0;) {
    bool fits = var ? list[i]->kind == CORE_SAMPLE &&
                          names_variable(var, term_var_get(p->ts, list[i]->var)->name)
                    : list[i]->kind == CORE_WHILE;
    if (!fits) continue;
    found = i;
    n--;
  }
  return found;
}

/* The first statement that the steps are about. */
static size_t beginning(struct prover *p, const struct script_scope *s,
                        const struct core *const *list, size_t last) {
  size_t first = back_to(p, list, last, NULL, s->loop_count);
  for (size_t i = 0; i < s->sample_count; i++) {
    const char *name = s->samples[i].name.text;
    size_t count = 0;
    for (size_t j = 0; j < s->sample_count; j++)
      count += strcmp(s->samples[j].name.text, name) == 0;
    size_t from = back_to(p, list, last, name, count);
    if (from < first) first = from;
  }
  for (size_t i = 0; i < 2 && s->cases; i++) {
    size_t from = beginning(p, i ? s->cases->no : s->cases->yes, list, last);
    if (from < first) first = from;
  }
  return first;
}

struct script_part *part_ending_with(const struct terms *ts, const struct script_scope *scope,
                                     const struct core *code, const struct core *end) {
  for (size_t i = 0; scope && i < scope->part_count; i++) {
    struct script_part *part = &scope->parts[i];
    if (!can_end(ts, part, end)) continue;
    unsigned number = 0;
    if (code) number_of(ts, part, code, end, &number);
    if (!part->number || part->number == number) return part;
  }
  return NULL;
}

struct script_part *part_ending(struct prover *p, const struct walk *at,
                                const struct core *const *list, size_t last, size_t *first) {
  struct script_part *part = part_ending_with(p->ts, at->scope, at->code, list[last]);
  if (part) *first = beginning(p, part->scope, list, last);
  return part;
}

/* ---- its proof ------------------------------------------------------------------------------ */

/* The steps, by cases if they say so. `known`: untouched by the part. */
static proof_of derive_steps(struct prover *p, struct walk *at, const struct core *c,
                             struct script_scope *s, term_id known, term_id post) {
  if (!s->cases) return derive_scope(p, at, c, s, known, post);
  term_id condition = prover_formula(p, s->cases->condition, SORT_BOOL);
  if (p->error) return NULL;
  term_id held = invariant_untouched(p, condition, c);
  term_id failed = invariant_untouched(p, term_not(p->ts, condition), c);
  proof_of yes = derive_steps(p, at, c, s->cases->yes, term_and(p->ts, known, held), post);
  proof_of no =
      yes ? derive_steps(p, at, c, s->cases->no, term_and(p->ts, known, failed), post) : NULL;
  proof_of j = no ? step_case(p, s->cases->span, condition, yes, no) : NULL;
  return prover_note_cases(p, j, condition);
}

static bool contains(const term_list *list, term_id t) {
  for (size_t i = 0; i < list->len; i++)
    if (list->at[i] == t) return true;
  return false;
}

/* The conjuncts of the loop around that speak of inputs and of what the part reads, and that it
 * cannot touch. Others would have to hold where the part begins, and are of no use to it. */
static term_id invariant_for(struct prover *p, term_id invariant, const struct core *c) {
  term_list read = {0}, written = {0}, parts = {0};
  term_id kept = term_bool(p->ts, true);
  core_reads(p->ts, c, &read);
  core_writes(claim_program(p->claim)->program, &written);
  term_conjuncts(p->ts, invariant_untouched(p, invariant, c), &parts);
  for (size_t i = 0; i < parts.len; i++) {
    term_list vars = {0};
    bool fits = true;
    term_free_vars(p->ts, parts.at[i], &vars);
    for (size_t v = 0; v < vars.len && fits; v++) {
      term_id var = term_var_in_run(p->ts, vars.at[v], 0);
      fits = !contains(&written, var) || contains(&read, var);
    }
    if (fits) kept = term_and(p->ts, kept, parts.at[i]);
    vec_clear(&vars);
  }
  vec_clear(&read);
  vec_clear(&written);
  vec_clear(&parts);
  return kept;
}

static term_id what_it_gives(struct prover *p, const struct script_scope *s) {
  term_id all = term_bool(p->ts, true);
  for (size_t i = 0; i < s->give_count && !p->error; i++) {
    term_id f = prover_formula(p, s->gives[i], SORT_BOOL);
    if (!p->error)
      all =
          term_and(p->ts, all, step_label(p, f, "PW-EQ", s->gives[i]->span, "what the part gives"));
  }
  return all;
}

static bool read_sum(struct prover *p, const struct script_part *part, struct pointwise_sum *sum) {
  *sum = (struct pointwise_sum){TERM_NONE, TERM_NONE, TERM_NONE};
  if (!part->low) return true;
  sum->low = prover_formula(p, part->low, SORT_INT);
  if (!p->error) sum->high = prover_formula(p, part->high, SORT_INT);
  if (!p->error && part->total) sum->total = prover_formula(p, part->total, SORT_REAL);
  return !p->error;
}

/* The statement with which c ends. */
static const struct core *last_of(const struct core *c) {
  while (c->kind == CORE_SEQ)
    c = c->second;
  return c;
}

/* The part in the context p->k: afterwards d is equal in both runs, and what it gives holds. `kept`
 * is known before. */
static proof_of derive_equal(struct prover *p, struct walk *at, const struct core *c,
                             const struct script_part *part, struct script_scope *s, term_id d,
                             term_id kept) {
  struct pointwise_sum sum;
  const char *name = part->value.text;
  term_id value = name ? step_fresh(p, name, term_sort(p->ts, d)) : TERM_NONE;
  if (name) translate_bind(p->env, NULL, name, value, false, TERM_NONE);
  term_id known = what_it_gives(p, part->scope);
  if (p->error || !read_sum(p, part, &sum)) return NULL;
  term_id equal = term_eq(p->ts, kernel_tag(p->k, d, 1), kernel_tag(p->k, d, 2));
  term_id post = term_and(p->ts, equal, known);
  if (!name) return derive_steps(p, at, c, s, kept, post);
  term_id rest = rule_pointwise_rest(p->k, d, post);
  term_id goal = rule_pointwise_goal(p->k, d, value, post);
  if (goal != TERM_NONE) goal = rule_pointwise_within(p->k, d, value, &sum, goal);
  proof_of j = goal == TERM_NONE ? NULL : derive_steps(p, at, c, s, kept, goal);
  j = j ? step_pointwise(p, last_of(c)->span, d, value, rest, &sum, j) : NULL;
  return prover_note(p, j, "for each value %s of %s separately", name, part->name.text);
}

/* The same by the pure contexts, in both directions. */
static proof_of derive_pure(struct prover *p, struct walk *at, const struct core *c,
                            const struct script_part *part, term_id d, term_id kept,
                            term_id epsilon) {
  struct kernel *own = p->k;
  enum claim_direction here = prover_direction(p, own);
  struct script_scope *s = part->scope;
  proof_of side[2];
  for (size_t i = 0; i < 2; i++) { /* a failure is in the context where it happens */
    enum claim_direction pure = here == CLAIM_FORWARD ? CLAIM_PURE_FORWARD : CLAIM_PURE_BACKWARD;
    p->k = claim_kernel(p->claim, i ? claim_opposite(pure) : pure);
    if (!derive_lemmas(p)) return NULL;
    side[i] = derive_equal(p, at, c, part, i && s->backward ? s->backward : s, d,
                           i ? term_swap_runs(p->ts, kept) : kept);
    if (!side[i]) return NULL;
  }
  p->k = own;
  struct loop_variants variants = prover_variants(p);
  return step_pure_part(p, last_of(c)->span, epsilon, side[0], side[1], &variants);
}

proof_of derive_part(struct prover *p, struct walk *at, const struct core *c,
                     struct script_part *part, term_id post) {
  term_id d = written_as(p->ts, c, part->name.text), spent = term_rat(p->ts, 0, 1);
  if (part->scope->budget)
    spent = quotients_aligned(p->ts, prover_formula(p, part->scope->budget, SORT_REAL));
  if (p->error) return NULL;
  term_id kept = invariant_for(p, at->invariant, c);
  struct notion_of notion = kernel_notion(p->k);
  bool pure = part->pure && notion.kind != NOTION_PURE;
  proof_of j = pure ? derive_pure(p, at, c, part, d, kept, spent)
                    : derive_equal(p, at, c, part, part->scope, d, kept);
  walk_pass(p, at, c);
  if (pure && j) {
    spent = notion_price_both(p->ts, notion, spent);
    prover_note(p, j, "a part that is private in the notion `epsilon`");
  }
  j = j ? step_contract(p, last_of(c)->span, spent, post, j) : NULL;
  prover_note(p, j, "a part by itself: afterwards %s is equal in both runs", part->name.text);
  if (j) note_of(&p->notes, p->arena, j)->cost = spent;
  return j;
}
