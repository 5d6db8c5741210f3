#include "advocate/advocate.h"

#include "advocate/arith.h"
#include "advocate/bounds.h"
#include "advocate/clips.h"
#include "advocate/divide.h"
#include "advocate/functions.h"
#include "advocate/lemmas.h"
#include "advocate/products.h"
#include "advocate/transfer.h"
#include "term/build.h"
#include "term/subst.h"
#include <string.h>

/* ---- the search ------------------------------------------------------------------------------ */

static enum theory_answer on_assign(void *context, int lit) {
  return arith_assign(context, lit);
}

static void on_undo(void *context, size_t size) {
  arith_undo(context, size);
}

static enum theory_answer on_check(void *context) {
  enum theory_answer answer = arith_check(context);
  return answer == THEORY_FINE ? lemmas_same_check(context) : answer;
}

/* Side questions (is this divisor not 0?) have to be easy. */
static enum theory_answer on_final_of_side_question(struct search *s) {
  if (lemmas_orders(s) || lemmas_powers(s)) return THEORY_CHANGED;
  for (int effort = 0; effort < 2; effort++) {
    enum theory_answer answer = products_refute(s, effort);
    if (answer != THEORY_FINE) return answer;
    if (lemmas_functions(s, effort)) return THEORY_CHANGED;
  }
  return THEORY_FINE;
}

bool search_proves(struct search *s, term_id formula) {
  enum { SHARE = 20 };
  if (formula == TERM_NONE) return false;
  int lit = search_literal(s, formula);
  search_mention(s, lit);
  lemmas_flush(s);
  struct budget part = budget_part(s->budget, 1.0 / SHARE);
  const struct budget *whole = s->budget;
  s->budget = &part;
  s->is_side_question = true;
  bool yes = sat_refute(&s->sat, lit_negate(lit), &part);
  s->is_side_question = false;
  s->budget = whole;
  s->ran_out = s->ran_out || (!yes && budget_is_spent(&part));
  return yes && !s->sat.is_contradictory;
}

bool search_sees(struct search *s, term_id formula) {
  s->is_glance = true;
  bool yes = search_proves(s, formula);
  s->is_glance = false;
  return yes;
}

/* All clauses are true and the comparisons have a solution: what does it violate? Cheap things
 * first. Powers are compared before products are tried or after that: some obligations need the one,
 * some the other, so efforts differ. */
static enum theory_answer on_final(void *context) {
  struct search *s = context;
  if (budget_is_spent(s->budget)) return THEORY_GIVE_UP;
  if (s->is_glance) return THEORY_FINE;
  if (s->is_side_question) return on_final_of_side_question(s);
  if (lemmas_orders(s) || lemmas_congruences(s) || lemmas_instances(s, 0)) return THEORY_CHANGED;
  if (s->effort == 1 && lemmas_powers(s)) return THEORY_CHANGED;
  enum theory_answer answer = products_refute(s, 0);
  if (answer != THEORY_FINE) return answer;
  if (!s->effort) return lemmas_instances(s, 1) ? THEORY_CHANGED : THEORY_FINE;
  if (lemmas_instances(s, 1) || lemmas_powers(s) || lemmas_functions(s, 0) ||
      lemmas_functions(s, 1) || lemmas_coincidences(s))
    return THEORY_CHANGED;
  for (int effort = 1; effort <= 2; effort++) {
    answer = products_refute(s, effort);
    if (answer != THEORY_FINE) return answer;
    if (lemmas_functions(s, effort + 1) || lemmas_instances(s, effort + 1)) return THEORY_CHANGED;
  }
  return THEORY_FINE;
}

static void add_inputs(struct search *s) {
  for (size_t i = 0; i <= s->sequent->count; i++) {
    term_id f = i < s->sequent->count ? s->sequent->hypotheses[i] : s->sequent->goal;
    struct step *step = refutation_add(&s->log, STEP_INPUT);
    step->number = i;
    size_t number = s->log.steps.len - 1;
    int lit = search_literal(s, f);
    if (i == s->sequent->count) lit = lit_negate(lit);
    search_clause(s, &lit, 1, number);
  }
  lemmas_flush(s);
}

/* With the rules found since. */
static void restart_arith(struct search *s) {
  if (!s->arith_is_stale) return;
  sat_backtrack(&s->sat, 0);
  arith_rebuild(s);
  lemmas_flush(s);
  sat_settle(&s->sat);
}

/* What is known of b^t holds where 0 <= t: as rules, if that is settled without any decision. */
static void settle_exponents(struct search *s) {
  size_t count = s->terms.len;
  for (size_t i = 0; i < count && !budget_is_spent(s->budget); i++)
    if (term_kind(s->ts, s->terms.at[i]) == TERM_RAISE)
      search_sees(s, term_le(s->ts, term_int(s->ts, 0), term_arg(s->ts, s->terms.at[i], 0)));
}

/* What quantified hypotheses say of the terms that are there, one quantifier after another: equations
 * among that become rules. */
static void instantiate_first(struct search *s) {
  enum { DEPTH = 5 };
  for (int i = 0; i < DEPTH && !budget_is_spent(s->budget); i++)
    if (!lemmas_instances(s, 0) || !sat_settle(&s->sat)) return;
}

/* Comparisons that need no decision, because others entail them: fewer cases. */
static void settle_orders(struct search *s) {
  enum { ORDERS = 60 };
  size_t count = s->atoms.len;
  for (size_t v = 0; v < count && v < ORDERS && !s->sat.is_contradictory; v++) {
    term_id atom = s->sat.atoms.at[v];
    if (s->atoms.at[v].kind != ATOM_ORDER || sat_value(&s->sat, (int)v * 2) != 0) continue;
    if (!search_sees(s, atom)) search_sees(s, term_not(s->ts, atom));
  }
}

/* Equations and quotients that are settled without any decision. */
static void prepare(struct search *s) {
  enum { ROUNDS = 6 };
  if (!sat_settle(&s->sat)) return;
  instantiate_first(s);
  settle_exponents(s);
  if (s->settles) settle_orders(s);
  for (int i = 0; i < ROUNDS && sat_settle(&s->sat); i++) {
    bool changed = arith_find_rules(s);
    restart_arith(s);
    changed = divide_all(s) || changed;
    if (s->sat.is_contradictory || budget_is_spent(s->budget)) return;
    restart_arith(s);
    if (s->effort > 1) changed = functions_normalise(s) || changed;
    if (s->effort > 1) changed = divide_again(s) || changed;
    if (s->sat.is_contradictory || !changed) return;
    restart_arith(s);
  }
}

static bool solve(struct search *s) {
  add_inputs(s);
  if (!s->effort) {
    if (sat_settle(&s->sat) && arith_find_rules(s)) arith_rebuild(s);
  } else {
    prepare(s);
    if (!s->sat.is_contradictory) functions_compare(s);
    restart_arith(s);
    if (!s->sat.is_contradictory) clips_bound(s);
    if (s->effort > 1 && !s->sat.is_contradictory) bounds_add(s);
  }
  if (s->sat.is_contradictory) return true;
  return sat_solve(&s->sat, -1, s->budget) == SAT_CONTRADICTORY;
}

static void search_init(struct search *s, struct terms *ts, const struct sequent *sequent,
                        const struct budget *budget) {
  *s = (struct search){.ts = ts, .sequent = sequent, .budget = budget};
  refutation_init(&s->log);
  sat_init(&s->sat, &s->log, (struct theory){on_assign, on_undo, on_check, on_final, s});
  memo_init(&s->vars);
  memo_init(&s->known);
  memo_init(&s->done);
  arith_init(s);
}

static void search_clear(struct search *s) {
  refutation_clear(&s->log);
  sat_clear(&s->sat);
  memo_clear(&s->vars);
  memo_clear(&s->known);
  memo_clear(&s->done);
  vec_clear(&s->atoms);
  vec_clear(&s->terms);
  arith_clear(s);
}

/* ---- what is needed of the log --------------------------------------------------------------- */

/* Marks the steps that the last one rests on. */
static void mark_needed(const struct refutation *log, size_t last, bool *needed) {
  needed[last] = true;
  for (size_t i = last + 1; i-- > 0;)
    for (size_t k = 0; needed[i] && k < log->steps.at[i].hints.len; k++)
      needed[log->steps.at[i].hints.at[k]] = true;
}

/* Terms that a search sees as variables, and inputs that are steps of what is delivered already. */
struct general {
  term_list terms, vars;
  struct transfer_shown shown;
};

/* What the steps rest on, at the end of `out`; `steps` get their places there. */
static bool deliver(const struct search *s, const struct general *g, struct terms *ts,
                    struct refutation *out, size_t *steps, size_t step_count) {
  size_t count = s->log.steps.len;
  bool *needed = xcalloc(count, sizeof *needed);
  size_t *position = xcalloc(count, sizeof *position);
  struct transfer t;
  transfer_init(&t, s->ts, ts);
  for (size_t i = 0; i < g->terms.len; i++)
    transfer_let(&t, g->vars.at[i], g->terms.at[i]);
  for (size_t i = 0; i < step_count; i++)
    mark_needed(&s->log, steps[i], needed);
  bool ok = transfer_refutation(&t, &s->log, needed, g->shown, out, position);
  for (size_t i = 0; i < step_count; i++)
    steps[i] = position[steps[i]];
  transfer_clear(&t);
  free(needed);
  free(position);
  return ok;
}

static bool solve_and_deliver(struct search *s, const struct general *g, struct terms *ts,
                              struct refutation *out) {
  if (!solve(s)) return false;
  size_t last = s->sat.last_step;
  return deliver(s, g, ts, out, &last, 1);
}

/* ---- values of functions as any numbers ------------------------------------------------------ */

static void find_values(struct terms *ts, const struct sequent *sequent, term_list *out) {
  term_list parts = {0}, vars = {0};
  struct memo seen;
  uint32_t before;
  memo_init(&seen);
  for (size_t i = 0; i <= sequent->count; i++)
    term_subterms(ts, i < sequent->count ? sequent->hypotheses[i] : sequent->goal, &parts);
  for (size_t i = 0; i < parts.len; i++) {
    enum term_kind kind = term_kind(ts, parts.at[i]);
    if ((kind != TERM_LN && kind != TERM_EXP) || memo_find(&seen, parts.at[i], &before)) continue;
    memo_put(&seen, parts.at[i], 1);
    vars.len = 0;
    term_free_vars(ts, parts.at[i], &vars);
    if (vars.len) vec_push(out, parts.at[i]); /* of numbers more is known than their signs */
  }
  memo_clear(&seen);
  vec_clear(&vars);
  vec_clear(&parts);
}

/* Which of the values can be shown to be positive? *steps of the log say so. */
static void find_signs(struct search *s, const term_list *values, term_list *facts,
                       index_list *steps) {
  add_inputs(s);
  prepare(s);
  for (size_t i = 0; i < values->len && !s->sat.is_contradictory; i++) {
    term_id fact = term_lt(s->ts, term_rat(s->ts, 0, 1), values->at[i]);
    if (fact == term_bool(s->ts, true) || !search_proves(s, fact)) continue;
    vec_push(facts, fact);
    vec_push(steps, s->sat.unit.at[lit_var(search_literal(s, fact))]);
  }
}

/* The sequent with variables for the values, and what is known of their signs as hypotheses. */
static void generalise(struct terms *ts, const struct sequent *sequent, const term_list *facts,
                       struct general *g, term_list *formulas) {
  for (size_t i = 0; i < g->terms.len; i++) {
    term_id var = term_var(ts, "a value", SORT_REAL, 0, (unsigned)i + 1);
    vec_push(&g->vars, var);
  }
  for (size_t i = 0; i < sequent->count; i++)
    vec_push(formulas, sequent->hypotheses[i]);
  for (size_t i = 0; i < facts->len; i++)
    vec_push(formulas, facts->at[i]);
  vec_push(formulas, sequent->goal);
  for (size_t i = 0; i < formulas->len; i++)
    formulas->at[i] = term_replace(ts, formulas->at[i], g->terms.at, g->vars.at, g->terms.len);
}

/* What follows for any numbers follows for the values of exp and ln: quotients and products in
 * their arguments lead nowhere then. */
static bool try_general(const struct sequent *sequent, bool with_signs, struct search *signs,
                        struct search *general, struct terms *ts, struct refutation *out) {
  struct general none = {0}, g = {0};
  term_list facts = {0}, formulas = {0};
  index_list steps = {0};
  find_values(signs->ts, sequent, &g.terms);
  bool found = g.terms.len > 0;
  if (found) {
    if (with_signs) find_signs(signs, &g.terms, &facts, &steps);
    generalise(signs->ts, sequent, &facts, &g, &formulas);
    g.shown = (struct transfer_shown){sequent->count, facts.len, steps.at};
    struct sequent copy = {formulas.at, formulas.len - 1, vec_last(&formulas)};
    general->sequent = &copy;
    found = deliver(signs, &none, ts, out, steps.at, steps.len) &&
            solve_and_deliver(general, &g, ts, out);
    for (size_t i = 0; i < out->steps.len; i++) /* the goal has the number that it had */
      if (out->steps.at[i].kind == STEP_INPUT && out->steps.at[i].number > sequent->count)
        out->steps.at[i].number = sequent->count;
  }
  vec_clear(&g.terms);
  vec_clear(&g.vars);
  vec_clear(&facts);
  vec_clear(&formulas);
  vec_clear(&steps);
  return found;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Which hypotheses an attempt uses. */
enum scope {
  SCOPE_GOAL, /* those about variables of the goal alone */
  SCOPE_NEAR, /* those a few steps away from it; no quantifiers */
  SCOPE_ALL
};

/* What exp and ln are taken for; nothing to do if there are none. */
enum values {
  VALUES_OF_FUNCTIONS,
  VALUES_SIGNED, /* any numbers, of which signs are known */
  VALUES_ANY
};

struct attempt {
  enum scope scope;
  enum values values;
  int effort;
  double share; /* of the time */
};

static bool is_subset(const term_list *vars, const struct memo *of) {
  uint32_t known;
  for (size_t i = 0; i < vars->len; i++)
    if (!memo_find(of, vars->at[i], &known)) return false;
  return true;
}

static bool meets(const term_list *vars, const struct memo *other) {
  uint32_t known;
  for (size_t i = 0; i < vars->len; i++)
    if (memo_find(other, vars->at[i], &known)) return true;
  return false;
}

static void add_vars(const term_list *vars, struct memo *to) {
  for (size_t i = 0; i < vars->len; i++)
    memo_put(to, vars->at[i], 1);
}

/* chosen[i]: is the i-th hypothesis in the scope? Leaving one out is always sound. */
static void choose_hypotheses(struct terms *ts, const struct sequent *sequent, enum scope scope,
                              bool *chosen) {
  enum { ROUNDS = 3 };
  struct memo near;
  memo_init(&near);
  term_list vars = {0};
  term_free_vars(ts, sequent->goal, &vars);
  add_vars(&vars, &near);
  for (int round = 0; round < ROUNDS; round++)
    for (size_t i = 0; i < sequent->count; i++) {
      if (chosen[i]) continue;
      vars.len = 0;
      term_free_vars(ts, sequent->hypotheses[i], &vars);
      bool is_plain = !(term_get(ts, sequent->hypotheses[i])->flags & TERM_HAS_QUANTIFIER);
      chosen[i] =
          scope == SCOPE_ALL ||
          (is_plain && (scope == SCOPE_GOAL ? is_subset(&vars, &near) : meets(&vars, &near)));
      if (chosen[i] && scope == SCOPE_NEAR) add_vars(&vars, &near);
    }
  vec_clear(&vars);
  memo_clear(&near);
}

/* The chosen part of the sequent in a table of its own; `numbers` are those of the hypotheses. */
static bool copy_sequent(struct terms *from, const struct sequent *sequent, const bool *chosen,
                         struct terms *to, term_list *formulas, index_list *numbers) {
  struct transfer t;
  transfer_init(&t, from, to);
  for (size_t i = 0; i < sequent->count; i++) {
    if (!chosen[i]) continue;
    vec_push(formulas, transfer_term(&t, sequent->hypotheses[i]));
    vec_push(numbers, i);
  }
  vec_push(formulas, transfer_term(&t, sequent->goal));
  vec_push(numbers, sequent->count);
  transfer_clear(&t);
  return t.ok;
}

/* *ran_out: is there something that more time may find? */
static bool try_attempt(struct terms *ts, const struct sequent *sequent, const struct attempt *a,
                        const bool *chosen, const struct budget *budget, struct refutation *out,
                        bool *ran_out) {
  struct terms own;
  terms_init(&own);
  term_list formulas = {0};
  index_list numbers = {0};
  bool found = copy_sequent(ts, sequent, chosen, &own, &formulas, &numbers);
  if (found) {
    struct sequent copy = {formulas.at, formulas.len - 1, vec_last(&formulas)};
    struct general none = {0};
    struct search search, signs;
    search_init(&search, &own, &copy, budget);
    search_init(&signs, &own, &copy, budget);
    search.effort = signs.effort = a->effort;
    search.settles = a->values != VALUES_OF_FUNCTIONS;
    found = a->values == VALUES_OF_FUNCTIONS
                ? solve_and_deliver(&search, &none, ts, out)
                : try_general(&copy, a->values == VALUES_SIGNED, &signs, &search, ts, out);
    *ran_out = search.ran_out || budget_is_spent(budget);
    search_clear(&search);
    search_clear(&signs);
  }
  for (size_t i = 0; found && i < out->steps.len; i++)
    if (out->steps.at[i].kind == STEP_INPUT)
      out->steps.at[i].number = numbers.at[out->steps.at[i].number];
  vec_clear(&formulas);
  vec_clear(&numbers);
  terms_clear(&own);
  return found;
}

/* Most sequents need neither quotients nor functions nor more than a few hypotheses. */
static const struct attempt attempts[] = {
    {SCOPE_ALL, VALUES_OF_FUNCTIONS, 0, 0.1},   {SCOPE_ALL, VALUES_OF_FUNCTIONS, 1, 0.15},
    {SCOPE_GOAL, VALUES_ANY, 1, 0.1},           {SCOPE_GOAL, VALUES_SIGNED, 1, 0.15},
    {SCOPE_GOAL, VALUES_OF_FUNCTIONS, 1, 0.15}, {SCOPE_GOAL, VALUES_OF_FUNCTIONS, 2, 0.15},
    {SCOPE_NEAR, VALUES_OF_FUNCTIONS, 1, 0.15}, {SCOPE_NEAR, VALUES_OF_FUNCTIONS, 2, 0.15},
    {SCOPE_ALL, VALUES_OF_FUNCTIONS, 2, 0.15}};
enum { ATTEMPTS = sizeof attempts / sizeof *attempts, EFFORTS = 3, VALUES = 3 };

/* Attempts, and which of them may find more with more time. */
struct trial {
  struct terms *ts;
  const struct sequent *sequent;
  struct budget all;
  bool *chosen; /* of the hypotheses */
  bool is_open[ATTEMPTS];
};

/* Each open attempt once, with its share of the time. */
static bool try_all(struct trial *t, double seconds, struct refutation *out) {
  size_t last[VALUES][EFFORTS]; /* how many hypotheses it had */
  memset(last, 0xff, sizeof last);
  bool found = false;
  for (size_t i = 0; i < ATTEMPTS && !found && !budget_is_spent(&t->all); i++) {
    if (!t->is_open[i]) continue;
    memset(t->chosen, 0, t->sequent->count + 1);
    choose_hypotheses(t->ts, t->sequent, attempts[i].scope, t->chosen);
    size_t count = 0;
    for (size_t k = 0; k < t->sequent->count; k++)
      count += t->chosen[k];
    size_t *before = &last[attempts[i].values][attempts[i].effort];
    t->is_open[i] = count != *before; /* else the same as before */
    if (!t->is_open[i]) continue;
    *before = count;
    struct budget part = budget_slice(&t->all, seconds * attempts[i].share);
    refutation_clear(out);
    found = try_attempt(t->ts, t->sequent, &attempts[i], t->chosen, &part, out, &t->is_open[i]);
  }
  return found;
}

static bool is_any_open(const struct trial *t) {
  for (size_t i = 0; i < ATTEMPTS; i++)
    if (t->is_open[i]) return true;
  return false;
}

/* Rounds of attempts, the first of `round` seconds. The right attempt is often short: so each has
 * little time at first. */
static bool try_rounds(struct terms *ts, const struct sequent *sequent, double round,
                       double seconds, struct refutation *out) {
  static const double GROWTH = 3;
  struct trial t = {.ts = ts, .sequent = sequent, .all = budget_slice(NULL, seconds)};
  t.chosen = xcalloc(sequent->count + 1, sizeof *t.chosen);
  memset(t.is_open, true, sizeof t.is_open);
  bool found = false;
  for (; !found && is_any_open(&t) && !budget_is_spent(&t.all); round *= GROWTH)
    found = try_all(&t, round, out);
  free(t.chosen);
  if (!found) refutation_clear(out);
  return found;
}

static const double SHORTEST = 0.1, GLANCE = 0.4, INSIST = 0.9;

bool advocate_glance(struct terms *ts, const struct sequent *sequent, struct refutation *out) {
  return try_rounds(ts, sequent, SHORTEST, GLANCE, out);
}

bool advocate_insist(struct terms *ts, const struct sequent *sequent, double seconds,
                     struct refutation *out) {
  return try_rounds(ts, sequent, INSIST, seconds, out);
}

bool advocate_refute(struct terms *ts, const struct sequent *sequent, double seconds,
                     struct refutation *out) {
  return advocate_glance(ts, sequent, out) || advocate_insist(ts, sequent, seconds, out);
}
