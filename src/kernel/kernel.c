#include "kernel/dist.h"
#include "kernel/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "term/build.h"
#include "term/memo.h"
#include "term/subst.h"

struct kernel *kernel_new(struct terms *terms, struct decider *decider) {
  struct kernel *k = xcalloc(1, sizeof *k);
  arena_init(&k->arena);
  k->terms = terms;
  k->decider = decider;
  k->notion = notion_pure();
  k->believes = decider && decider->believe && !decider->refute;
  k->labels = xcalloc(1, sizeof *k->labels);
  k->budget = term_var(terms, "the budget", SORT_REAL, 0, 0); /* not a name of the language */
  k->zero = term_rat(terms, 0, 1);
  k->yes = term_bool(terms, true);
  return k;
}

void kernel_free(struct kernel *k) {
  if (!k) return;
  vec_clear(&k->vars);
  vec_clear(&k->frozen);
  vec_clear(&k->facts);
  if (!k->borrowed_labels) {
    vec_clear(&k->labels->list);
    free(k->labels);
  }
  vec_clear(&k->obligations);
  arena_clear(&k->arena);
  free(k);
}

void kernel_seal(struct kernel *k) {
  k->sealed = true;
}
bool kernel_is_sealed(const struct kernel *k) {
  return k->sealed;
}
bool kernel_believes(const struct kernel *k) {
  return k->believes;
}

/* The same variables and commands; facts with the runs exchanged, if `swapped`. */
static struct kernel *companion(const struct kernel *k, bool swapped, struct notion_of notion) {
  struct kernel *other = kernel_new(k->terms, k->decider);
  for (size_t i = 0; i < k->vars.len; i++)
    vec_push(&other->vars, k->vars.at[i]);
  for (size_t i = 0; i < k->frozen.len; i++)
    vec_push(&other->frozen, k->frozen.at[i]);
  for (size_t i = 0; i < k->facts.len; i++)
    vec_push(&other->facts, swapped ? term_swap_runs(k->terms, k->facts.at[i]) : k->facts.at[i]);
  vec_clear(&other->labels->list);
  free(other->labels);
  other->labels = k->labels;
  other->borrowed_labels = true;
  other->notion = notion;
  other->sealed = true;
  return other;
}

struct kernel *kernel_exchange(struct kernel *k) {
  struct kernel *other = companion(k, true, k->notion);
  other->exchanged = k;
  k->exchanged = other;
  return other;
}

void kernel_open_pure(struct kernel *k, struct kernel **pure, struct kernel **back) {
  k->pure = *pure = companion(k, false, notion_pure());
  k->exchanged->pure = *back = companion(k, true, notion_pure());
  (*pure)->exchanged = *back;
  (*back)->exchanged = *pure;
}

struct terms *kernel_terms(struct kernel *k) {
  return k->terms;
}
struct arena *kernel_arena(struct kernel *k) {
  return &k->arena;
}
const term_id *kernel_facts(const struct kernel *k, size_t *count) {
  *count = k->facts.len;
  return k->facts.at;
}
term_id kernel_budget(const struct kernel *k) {
  return k->budget;
}
const struct kernel_failure *kernel_failure(const struct kernel *k) {
  return &k->failure;
}
size_t kernel_obligation_count(const struct kernel *k) {
  return k->obligations.len;
}
const struct kernel_obligation *kernel_obligation(const struct kernel *k, size_t i) {
  return &k->obligations.at[i];
}

void *kernel_fail(struct kernel *k, const char *rule, struct span span, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = NULL;
  if (vasprintf(&text, format, args) < 0) text = NULL;
  va_end(args);
  k->failure = (struct kernel_failure){
      .rule = rule, .span = span, .message = arena_printf(&k->arena, "%s", text ? text : format)};
  free(text);
  return NULL;
}

/* ---- variables and terms -------------------------------------------------------------------- */

static bool among(const term_list *list, term_id t) {
  for (size_t i = 0; i < list->len; i++)
    if (list->at[i] == t) return true;
  return false;
}

term_id kernel_var(struct kernel *k, const char *name, sort_id sort, bool frozen) {
  for (size_t i = 0; i < k->vars.len; i++) {
    const struct term_var *v = term_var_get(k->terms, k->vars.at[i]);
    if (strcmp(v->name, name) == 0)
      return v->sort == sort && among(&k->frozen, k->vars.at[i]) == frozen ? k->vars.at[i]
                                                                           : TERM_NONE;
  }
  /* Judgements made so far took this name for a logical variable: too late to make it a program
   * variable. */
  if (k->judgement_count > 0) return TERM_NONE;
  /* The facts of a sealed context may speak of logical variables of any name of the language. */
  if (k->sealed && !strchr(name, '@')) return TERM_NONE;
  term_id var = term_var(k->terms, name, sort, 0, 0);
  if (var == TERM_NONE || var == k->budget) return TERM_NONE;
  vec_push(&k->vars, var);
  if (frozen) vec_push(&k->frozen, var);
  return var;
}

bool kernel_is_var(const struct kernel *k, term_id var) {
  return among(&k->vars, var);
}
size_t kernel_var_count(const struct kernel *k) {
  return k->vars.len;
}
term_id kernel_var_at(const struct kernel *k, size_t i) {
  return k->vars.at[i];
}

bool kernel_is_writable(struct kernel *k, term_id var) {
  return among(&k->vars, var) && !among(&k->frozen, var);
}

bool kernel_is_program_term(struct kernel *k, term_id t) {
  return t != TERM_NONE && !term_in_run(k->terms, t, 1) && !term_in_run(k->terms, t, 2) &&
         !term_mentions(k->terms, t, &k->budget, 1);
}

bool kernel_is_assertion(struct kernel *k, term_id t) {
  return t != TERM_NONE && term_sort(k->terms, t) == SORT_BOOL &&
         !term_mentions(k->terms, t, k->vars.at, k->vars.len);
}

bool kernel_is_constant(struct kernel *k, term_id t) {
  return kernel_is_program_term(k, t) && sort_is_numeric(term_sort(k->terms, t)) &&
         !term_mentions(k->terms, t, k->vars.at, k->vars.len);
}

term_id kernel_tag(struct kernel *k, term_id t, unsigned run) {
  if (!kernel_is_program_term(k, t)) return TERM_NONE;
  return term_tag(k->terms, t, run, k->vars.at, k->vars.len);
}

term_id kernel_fresh(struct kernel *k, const char *name, sort_id sort) {
  return term_fresh(k->terms, term_var(k->terms, name, sort, 0, 0));
}

term_id kernel_assigned(struct kernel *k, term_id post, term_id var, unsigned run, term_id value) {
  term_id from = term_var_in_run(k->terms, var, run);
  term_id to = term_coerce(k->terms, value, term_sort(k->terms, var));
  if (to == TERM_NONE) return TERM_NONE;
  return term_subst(k->terms, post, &from, &to, 1);
}

bool kernel_writes_into(struct kernel *k, const struct core *c, unsigned run, term_id t) {
  term_list written = {0};
  core_writes(c, &written);
  for (size_t i = 0; i < written.len; i++)
    written.at[i] = term_var_in_run(k->terms, written.at[i], run);
  bool found = term_mentions(k->terms, t, written.at, written.len);
  vec_clear(&written);
  return found;
}

bool kernel_reads_logical(struct kernel *k, const struct core *c, term_id var) {
  term_list read = {0};
  core_reads(k->terms, c, &read);
  bool found = among(&read, var);
  vec_clear(&read);
  return found;
}

/* A fact must stay true whatever the programs do: only frozen variables, and not the budget. */
static bool is_stable(struct kernel *k, term_id fact) {
  if (!kernel_is_assertion(k, fact)) return false;
  term_list free_vars = {0};
  term_free_vars(k->terms, fact, &free_vars);
  bool stable = true;
  for (size_t i = 0; i < free_vars.len && stable; i++) {
    unsigned run = term_var_get(k->terms, free_vars.at[i])->run;
    if (free_vars.at[i] == k->budget) stable = false;
    if (run != 0 && !among(&k->frozen, term_var_in_run(k->terms, free_vars.at[i], 0)))
      stable = false;
  }
  vec_clear(&free_vars);
  return stable;
}

size_t kernel_fact_count(const struct kernel *k) {
  return k->facts.len;
}
term_id kernel_fact(const struct kernel *k, size_t i) {
  return k->facts.at[i];
}

bool kernel_assume(struct kernel *k, term_id fact) {
  if (k->sealed || !is_stable(k, fact)) return false;
  vec_push(&k->facts, fact);
  return true;
}

bool kernel_lemma(struct kernel *k, struct span span, term_id formula) {
  if (!is_stable(k, formula)) {
    kernel_fail(k, "HAVE", span, "a lemma speaks of parameters and inputs only");
    return false;
  }
  if (!kernel_prove(k, "HAVE", span, k->yes, formula, "the lemma")) return false;
  vec_push(&k->facts, formula);
  return true;
}

/* ---- labels --------------------------------------------------------------------------------- */

/* A label is an operator of its own around the formula. It survives substitution, and is taken off
 * before a formula reaches a decider. Its name cannot be written in a program. */
term_id kernel_label(struct kernel *k, term_id formula, const char *rule, struct span span,
                     const char *what) {
  if (formula == TERM_NONE || term_sort(k->terms, formula) != SORT_BOOL) return TERM_NONE;
  if (formula == k->yes) return formula;
  char name[32];
  snprintf(name, sizeof name, "label#%zu", k->labels->list.len);
  sort_id boolean = SORT_BOOL;
  symbol_id symbol = symbol_declare(k->terms, name, &boolean, 1, SORT_BOOL);
  if (symbol == SYMBOL_NONE) return TERM_NONE;
  struct label label = {
      .symbol = symbol, .rule = rule, .what = arena_printf(&k->arena, "%s", what), .span = span};
  vec_push(&k->labels->list, label);
  return term_app(k->terms, symbol, &formula, 1);
}

term_id kernel_valid_noise(struct kernel *k, const char *rule, struct span span,
                           enum dist_kind dist, const term_id *args, size_t count) {
  size_t before = k->labels->list.len;
  term_id valid = kernel_label(k, dist_valid(k->terms, dist, args, count), rule, span,
                               "the parameters of the distribution make sense");
  if (k->labels->list.len > before) k->labels->list.at[before].cause = FAILURE_NOISE;
  return valid;
}

static bool is_label(const struct kernel *k, term_id t) {
  return term_kind(k->terms, t) == TERM_APP && term_arg_count(k->terms, t) == 1 &&
         term_sort(k->terms, t) == SORT_BOOL &&
         term_sort(k->terms, term_arg(k->terms, t, 0)) == SORT_BOOL &&
         symbol_get(k->terms, term_get(k->terms, t)->data)->name[0] == 'l' &&
         strncmp(symbol_get(k->terms, term_get(k->terms, t)->data)->name, "label#", 6) == 0;
}

static term_id strip(struct kernel *k, struct memo *memo, term_id t) {
  size_t count = term_arg_count(k->terms, t);
  if (count == 0) return t;
  uint32_t known;
  if (memo_find(memo, t, &known)) return known;
  term_id result;
  if (is_label(k, t)) {
    result = strip(k, memo, term_arg(k->terms, t, 0));
  } else {
    term_list args = {0};
    bool changed = false;
    for (size_t i = 0; i < count; i++) {
      term_id old = term_arg(k->terms, t, i), new = strip(k, memo, old);
      changed |= old != new;
      vec_push(&args, new);
    }
    result = changed ? term_rebuild(k->terms, t, args.at) : t;
    vec_clear(&args);
  }
  memo_put(memo, t, result);
  return result;
}

term_id kernel_strip(struct kernel *k, term_id t) {
  if (t == TERM_NONE) return TERM_NONE;
  struct memo memo;
  memo_init(&memo);
  term_id result = strip(k, &memo, t);
  memo_clear(&memo);
  return result;
}

/* ---- judgements ----------------------------------------------------------------------------- */

const struct judgement *judgement_new(struct kernel *k, const char *rule, struct span span,
                                      const struct core *left, const struct core *right,
                                      term_id pre, term_id post, term_id delta,
                                      const struct judgement *p, const struct judgement *q) {
  if (!kernel_is_assertion(k, pre) || !kernel_is_assertion(k, post))
    return kernel_fail(k, rule, span, "the assertion is not a formula about two runs (%s)",
                       term_failure_text(k->terms->failure));
  if (!kernel_is_constant(k, delta))
    return kernel_fail(k, rule, span, "delta must be a number or a term over parameters");
  if (delta != k->zero && !kernel_needs_pure(k, rule, span))
    return NULL; /* only G_B = e^B x adds */
  struct judgement *j = arena_new(&k->arena, struct judgement);
  *j = (struct judgement){.kernel = k,
                          .left = left,
                          .right = right,
                          .pre = pre,
                          .post = post,
                          .delta = delta,
                          .rule = rule,
                          .span = span};
  if (p) j->premises[j->premise_count++] = p;
  if (q) j->premises[j->premise_count++] = q;
  k->judgement_count++;
  j->admitted = (p && p->admitted) || (q && q->admitted);
  return j;
}

const struct kernel *judgement_kernel(const struct judgement *j) {
  return j->kernel;
}
const struct core *judgement_left(const struct judgement *j) {
  return j->left;
}
const struct core *judgement_right(const struct judgement *j) {
  return j->right;
}
term_id judgement_pre(const struct judgement *j) {
  return j->pre;
}
term_id judgement_post(const struct judgement *j) {
  return j->post;
}
term_id judgement_delta(const struct judgement *j) {
  return j->delta;
}
bool judgement_admitted(const struct judgement *j) {
  return j->admitted;
}
const char *judgement_rule(const struct judgement *j) {
  return j->rule;
}
struct span judgement_span(const struct judgement *j) {
  return j->span;
}
size_t judgement_premise_count(const struct judgement *j) {
  return j->premise_count;
}
const struct judgement *judgement_premise(const struct judgement *j, size_t i) {
  return j->premises[i];
}
