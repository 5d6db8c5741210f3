#include "smt/smt.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "advocate/advocate.h"
#include "advocate/lemmas.h"
#include "base/work.h"
#include "smt/believe.h"
#include "smt/box.h"
#include "smt/cvc5.h"
#include "smt/facts.h"
#include "smt/instances.h"
#include "smt/interval.h"
#include "smt/powers.h"
#include "smt/transcend.h"
#include "smt/witness.h"
#include "term/build.h"
#include "term/memo.h"
#include "term/subst.h"

struct smt_cached {
  uint64_t hash;
  term_id *key; /* goal, then the hypotheses in increasing order */
  size_t count;
  enum smt_verdict verdict;
  char *reason;
  bool cross_checked;
};

struct smt_options smt_default_options(void) {
  return (struct smt_options){.timeout_s = 10, .rlimit = 20000000, .cvc5 = "cvc5"};
}

const char *smt_verdict_name(enum smt_verdict verdict) {
  switch (verdict) {
  case SMT_VALID: return "valid";
  case SMT_INVALID: return "invalid";
  case SMT_UNKNOWN: break;
  }
  return "unknown";
}

void smt_init(struct smt *smt, struct terms *ts, const struct smt_options *options) {
  *smt = (struct smt){.ts = ts, .options = options ? *options : smt_default_options()};
  smt->decider.believe = smt_believe_;
  model_init(&smt->model, ts);
}

void smt_clear(struct smt *smt) {
  for (size_t i = 0; i < smt->records.len; i++) {
    free(smt->records.at[i].name);
    free(smt->records.at[i].reason);
    free(smt->records.at[i].dump);
  }
  for (size_t i = 0; i < smt->cache.len; i++) {
    free(smt->cache.at[i].key);
    free(smt->cache.at[i].reason);
  }
  vec_clear(&smt->records);
  vec_clear(&smt->cache);
  model_clear(&smt->model);
  solver_session_clear(&smt->session);
}

static bool is_formula(const struct terms *ts, term_id t) {
  return t != TERM_NONE && term_sort(ts, t) == SORT_BOOL && !term_get(ts, t)->loose;
}

static double seconds_of(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
static double now(void) {
  return seconds_of(CLOCK_MONOTONIC);
}

static int64_t work_after(double seconds) {
  return work_now() + (int64_t)(seconds * 1e9);
}

/* ---- gathering ------------------------------------------------------------------------------ */

static int by_handle(const void *a, const void *b) {
  term_id x = *(const term_id *)a, y = *(const term_id *)b;
  return (x > y) - (x < y);
}

/* All hypotheses: conjuncts of those given, sorted, each once. */
static void gather(struct smt *smt, const term_id *hypotheses, size_t count, term_list *out) {
  for (size_t i = 0; i < count; i++)
    term_conjuncts(smt->ts, hypotheses[i], out);
  if (out->len > 1) qsort(out->at, out->len, sizeof *out->at, by_handle);
  size_t kept = 0;
  for (size_t i = 0; i < out->len; i++)
    if (out->at[i] != smt->ts->true_term && (!kept || out->at[kept - 1] != out->at[i]))
      out->at[kept++] = out->at[i];
  out->len = kept;
}

/* What is known of the functions that occur but the solver does not know. */
static void add_facts(struct smt *smt, term_id goal, term_list *hyps) {
  term_list formulas = {0}, facts = {0};
  for (size_t i = 0; i < hyps->len; i++)
    vec_push(&formulas, hyps->at[i]);
  vec_push(&formulas, goal);
  facts_differing(smt->ts, formulas.at, formulas.len, &facts);
  powers_facts(smt->ts, formulas.at, formulas.len, &facts);
  for (size_t i = 0; i < facts.len; i++)
    if (facts.at[i] != smt->ts->true_term) vec_push(hyps, facts.at[i]);
  vec_clear(&facts);
  vec_clear(&formulas);
}

/* ---- cache and trivial answers --------------------------------------------------------------- */

static uint64_t key_hash(term_id goal, const term_list *hyps) {
  return hash_bytes(hyps->at, hyps->len * sizeof *hyps->at) * 31 + goal;
}

static struct smt_cached *find_cached(struct smt *smt, term_id goal, const term_list *hyps) {
  uint64_t hash = key_hash(goal, hyps);
  for (size_t i = 0; i < smt->cache.len; i++) {
    struct smt_cached *c = &smt->cache.at[i];
    if (c->hash == hash && c->count == hyps->len && c->key[0] == goal &&
        (!hyps->len || memcmp(c->key + 1, hyps->at, hyps->len * sizeof *hyps->at) == 0))
      return c;
  }
  return NULL;
}

static void remember(struct smt *smt, term_id goal, const term_list *hyps,
                     const struct smt_record *record) {
  struct smt_cached c = {.hash = key_hash(goal, hyps),
                         .key = xcalloc(hyps->len + 1, sizeof *c.key),
                         .count = hyps->len,
                         .verdict = record->verdict,
                         .reason = record->reason ? xstrdup(record->reason) : NULL,
                         .cross_checked = record->cross_checked};
  c.key[0] = goal;
  if (hyps->len) memcpy(c.key + 1, hyps->at, hyps->len * sizeof *hyps->at);
  vec_push(&smt->cache, c);
}

static bool is_trivial(struct smt *smt, term_id goal, const term_list *hyps) {
  struct terms *ts = smt->ts;
  if (goal == ts->true_term) return true;
  for (size_t i = 0; i < hyps->len; i++)
    if (hyps->at[i] == goal || hyps->at[i] == ts->false_term) return true;
  return false;
}

/* ---- asking --------------------------------------------------------------------------------- */

/* Questions that were answered "unsatisfiable" are what a proof rests on; of the others only the
 * first is worth a file: the obligation as it stands. */
static void write_dump(struct smt *smt, const struct encoding *text, enum solver_answer answer) {
  if (!smt->options.dump_dir) return;
  if (answer != SOLVER_UNSAT && vec_last(&smt->records).questions) return;
  struct smt_record *record = &vec_last(&smt->records);
  char *path = xasprintf("%s/%04zu-%s.smt2", smt->options.dump_dir, ++smt->dumps, record->name);
  for (char *c = path + strlen(smt->options.dump_dir) + 1; *c; c++)
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-", *c)) *c = '_';
  if (cvc5_write(path, text, record->name, answer)) {
    free(record->dump);
    record->dump = path;
  } else {
    free(path);
  }
}

/* A valid answer needs the second solver not to object. */
static enum solver_answer second_opinion(struct smt *smt, const struct encoding *text,
                                         enum solver_answer answer, char **reason) {
  if (!smt->options.cross_check || answer != SOLVER_UNSAT) return answer;
  struct smt_record *record = &vec_last(&smt->records);
  enum solver_answer other = cvc5_check(smt->options.cvc5, text, smt->options.timeout_s);
  record->unsat++;
  record->seconded += other == SOLVER_UNSAT;
  if (other != SOLVER_SAT) return answer;
  record->disagreement = true;
  *reason = xstrdup("DISAGREEMENT: Z3 says unsatisfiable, cvc5 found a model");
  return SOLVER_UNKNOWN;
}

enum solver_answer smt_ask_(struct smt *smt, const term_id *formulas, size_t count,
                            const char *tactic, struct solver_limits limits, struct model *model,
                            char **reason) {
  *reason = NULL;
  struct encoding text;
  enum solver_answer answer = SOLVER_UNKNOWN;
  double start = now(), cpu_start = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  if (work_now() >= smt->deadline) {
    *reason = xstrdup("timeout");
    return SOLVER_UNKNOWN;
  }
  unsigned left = (unsigned)((smt->deadline - work_now()) / 1000000) + 1;
  if (limits.timeout_ms > left) limits.timeout_ms = left;
  if (encode_assertions(&text, smt->ts, formulas, count)) {
    answer = solver_check(&smt->session, &text, tactic, limits, model, reason);
    write_dump(smt, &text, answer);
    answer = second_opinion(smt, &text, answer, reason);
  } else {
    *reason = xstrdup("a formula of the obligation could not be built");
  }
  encoding_clear(&text);
  smt->solver_seconds += now() - start;
  smt->solver_cpu_seconds += seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
  vec_last(&smt->records).questions++;
  return answer;
}

/* Does the model make every hypothesis true and the goal false? */
static bool confirmed(struct smt *smt, const term_list *hyps, term_id goal) {
  struct evaluator *ev = &smt->model.ev;
  if (eval_truth(ev, goal) != 0) return false;
  for (size_t i = 0; i < hyps->len; i++)
    if (eval_truth(ev, hyps->at[i]) != 1) return false;
  return true;
}

static void set_reason(struct smt_record *record, char *reason) {
  free(record->reason);
  record->reason = reason;
}

/* Z3 on the obligation with `used` in place of its hypotheses: consequences of them. */
static void decide_with(struct smt *smt, const term_list *used, const term_list *hyps, term_id goal,
                        const char *tactic, unsigned rlimit) {
  struct terms *ts = smt->ts;
  term_list formulas = {0};
  for (size_t i = 0; i < used->len; i++)
    vec_push(&formulas, used->at[i]);
  vec_push(&formulas, term_not(ts, goal));
  term_list facts = {0};
  facts_lists(ts, formulas.at, formulas.len, &facts);
  facts_signs(ts, formulas.at, formulas.len, &facts);
  for (size_t i = 0; i < facts.len; i++)
    vec_push(&formulas, facts.at[i]);
  struct solver_limits limits = {(unsigned)(smt->options.timeout_s * 1000), rlimit};
  char *reason = NULL;
  enum solver_answer answer =
      smt_ask_(smt, formulas.at, formulas.len, tactic, limits, &smt->model, &reason);
  struct smt_record *record = &vec_last(&smt->records);
  record->method = "z3";
  if (answer == SOLVER_UNSAT) {
    record->verdict = SMT_VALID;
  } else if (answer == SOLVER_SAT) {
    smt->has_model = true;
    record->verdict = confirmed(smt, hyps, goal) ? SMT_INVALID : SMT_UNKNOWN;
    set_reason(record, xstrdup(record->verdict == SMT_INVALID
                                   ? "there is a counterexample"
                                   : "the solver's counterexample could not be confirmed"));
  } else {
    set_reason(record, reason);
    reason = NULL;
  }
  free(reason);
  vec_clear(&facts);
  vec_clear(&formulas);
}

/* Z3 on the obligation as it stands. */
static void decide_directly(struct smt *smt, const term_list *hyps, term_id goal,
                            const char *tactic, unsigned rlimit) {
  decide_with(smt, hyps, hyps, goal, tactic, rlimit);
}

/* With ground instances of what is quantified. */
static void decide_on_instances(struct smt *smt, const term_list *hyps, term_id goal,
                                unsigned rlimit) {
  term_list ground = {0};
  for (size_t i = 0; i < hyps->len; i++)
    vec_push(&ground, hyps->at[i]);
  instances_add(smt->ts, &ground, goal);
  decide_with(smt, &ground, hyps, goal, SOLVER_CORE, rlimit);
  vec_clear(&ground);
}

/* A counterexample replaces the solver's candidate, if any. */
static bool find_point(struct smt *smt, const term_list *hyps, term_id goal) {
  struct model found;
  model_init(&found, smt->ts);
  if (!witness_find(smt->ts, hyps->at, hyps->len, goal, &found)) {
    model_clear(&found);
    return false;
  }
  model_clear(&smt->model);
  smt->model = found;
  return true;
}

/* exp, ln, sqrt, products: look for a counterexample, then for a proof. */
static void decide_hard(struct smt *smt, const term_list *hyps, term_id goal) {
  struct smt_record *record = &vec_last(&smt->records);
  const char *method = "none";
  if (find_point(smt, hyps, goal)) {
    record->verdict = SMT_INVALID;
    record->method = "point";
    smt->has_model = true;
    set_reason(record, xstrdup("there is a counterexample"));
  } else if (transcend_prove(smt, hyps->at, hyps->len, goal, &method)) {
    record->verdict = SMT_VALID;
    record->method = method;
    set_reason(record, NULL);
    smt->has_model = false;
  }
}

static bool undecided(const struct smt *smt) {
  const struct smt_record *record = smt_last(smt);
  return record->verdict == SMT_UNKNOWN && !record->disagreement;
}

/* Does the goal become true when hypotheses x = t are used as substitutions? Normal forms make this
 * stronger than it looks: it sees through operations the solver is weak on. */
static bool true_by_equations(struct smt *smt, const term_list *given, term_id goal) {
  term_list hyps = {0}, vars = {0}, values = {0};
  for (size_t i = 0; i < given->len; i++)
    vec_push(&hyps, given->at[i]);
  box_solve_equations(smt->ts, &hyps, &goal, &vars, &values);
  bool yes = is_trivial(smt, goal, &hyps);
  vec_clear(&hyps);
  vec_clear(&vars);
  vec_clear(&values);
  return yes;
}

static bool compares_arrays(const struct smt *smt, const term_list *hyps, term_id goal) {
  bool found = term_get(smt->ts, goal)->flags & TERM_HAS_DIFFERING;
  for (size_t i = 0; !found && i < hyps->len; i++)
    found = term_get(smt->ts, hyps->at[i])->flags & TERM_HAS_DIFFERING;
  return found;
}

static bool multiplies_powers(struct terms *ts, term_id t) {
  if (!(term_get(ts, t)->flags & TERM_HAS_RAISE)) return false;
  bool found = false,
       product = term_kind(ts, t) == TERM_MUL && !term_is_num(ts, term_arg(ts, t, 0));
  for (size_t i = 0; i < term_arg_count(ts, t) && !found; i++) {
    term_id part = term_arg(ts, t, i);
    found = (product && term_kind(ts, part) == TERM_RAISE) || multiplies_powers(ts, part);
  }
  return found;
}

/* (x - a)/(2p - 1), x of a program: a sum over a sum */
static bool divides_sums(struct terms *ts, term_id t) {
  term_list parts = {0};
  bool found = false;
  term_subterms(ts, t, &parts);
  for (size_t i = 0; i < parts.len && !found; i++)
    found = term_kind(ts, parts.at[i]) == TERM_DIV &&
            term_kind(ts, term_arg(ts, parts.at[i], 0)) == TERM_ADD &&
            term_kind(ts, term_arg(ts, parts.at[i], 1)) == TERM_ADD &&
            lemmas_of_a_run(ts, term_arg(ts, parts.at[i], 0));
  vec_clear(&parts);
  return found;
}

static bool has_kind(const struct terms *ts, term_id t, enum term_kind kind) {
  bool found = term_kind(ts, t) == kind;
  for (size_t i = 0; i < term_arg_count(ts, t) && !found; i++)
    found = has_kind(ts, term_arg(ts, t, i), kind);
  return found;
}

/* Do the hypotheses define a sum, step by step? */
static bool unfolds_sums(const struct terms *ts, const term_list *hyps, size_t given) {
  bool found = false;
  for (size_t i = 0; i < given && !found; i++) {
    term_id t = hyps->at[i]; /* forall low, high. 0 <= sum(.., low, high) */
    while (term_kind(ts, t) == TERM_FORALL)
      t = term_arg(ts, t, 0);
    found = t != hyps->at[i] && term_kind(ts, t) == TERM_LE &&
            term_is_num(ts, term_arg(ts, t, 0)) && term_kind(ts, term_arg(ts, t, 1)) == TERM_APP;
  }
  return found;
}

/* Questions with little time are guesses, most of which are wrong. */
static bool asks_advocate(const struct smt *smt) {
  static const double GUESS = 2.5;
  return smt->options.timeout_s >= GUESS;
}

static bool advocate_shows(struct smt *smt, const term_list *hyps, size_t given, term_id goal) {
  struct sequent sequent = {hyps->at, given, goal};
  struct refutation r;
  refutation_init(&r);
  bool shown = advocate_glance(smt->ts, &sequent, &r);
  refutation_clear(&r);
  return shown;
}

/* Z3 gets lost in products of powers, m*2^k, in sums over sums, in square roots, and in sums of integers or
 * of squares that are unfolded, and does not notice how long it takes; the advocate has rules for them. */
static bool is_shown(struct smt *smt, const term_list *hyps, size_t given, term_id goal) {
  if (!asks_advocate(smt)) return false;
  bool wanted = multiplies_powers(smt->ts, goal) || divides_sums(smt->ts, goal) ||
                has_kind(smt->ts, goal, TERM_SQRT) ||
                ((has_kind(smt->ts, goal, TERM_TO_REAL) || has_kind(smt->ts, goal, TERM_POW)) &&
                 unfolds_sums(smt->ts, hyps, given));
  for (size_t i = 0; i < given && !wanted; i++)
    wanted = multiplies_powers(smt->ts, hyps->at[i]);
  return wanted && advocate_shows(smt, hyps, given, goal);
}

/* ln or exp of data? */
static bool has_function_of_data(struct terms *ts, term_id t) {
  if (!(term_get(ts, t)->flags & TERM_HAS_TRANSCENDENTAL)) return false;
  term_list parts = {0};
  bool found = false;
  term_subterms(ts, t, &parts);
  for (size_t i = 0; i < parts.len && !found; i++) {
    enum term_kind kind = term_kind(ts, parts.at[i]);
    found = (kind == TERM_LN || kind == TERM_EXP) && lemmas_of_a_run(ts, parts.at[i]);
  }
  vec_clear(&parts);
  return found;
}

/* What was not decided: solvers are weak there. */
static bool is_shown_after_all(struct smt *smt, const term_list *hyps, size_t given, term_id goal) {
  return undecided(smt) && asks_advocate(smt) && has_function_of_data(smt->ts, goal) &&
         advocate_shows(smt, hyps, given, goal);
}

/* A comparison of numbers made with exp and ln is computed, not searched for. */
static bool decide_on_numbers(struct smt *smt, term_id goal) {
  term_list vars = {0}, none = {0};
  if (!(term_get(smt->ts, goal)->flags & TERM_HAS_TRANSCENDENTAL)) return false;
  term_free_vars(smt->ts, goal, &vars);
  bool holds = vars.len == 0 && interval_prove(smt->ts, &none, goal, smt->deadline);
  vec_clear(&vars);
  if (!holds) return false;
  struct smt_record *record = &vec_last(&smt->records);
  record->verdict = SMT_VALID;
  record->method = "interval";
  set_reason(record, NULL);
  return true;
}

/* Cheap attempts first. On nonlinear problems Z3's core can waste its whole budget, so it gets
 * little before the methods made for them, and more after. Where arrays are compared, ground
 * instances nearly always do; with quantifiers Z3 finds no counterexample and does not stop, so
 * what is left after that gets little of everything. */
static void decide(struct smt *smt, const term_list *hyps, term_id goal) {
  if (decide_on_numbers(smt, goal)) return;
  bool hard = transcend_applies(smt, hyps->at, hyps->len, goal);
  unsigned rlimit = smt->options.rlimit;
  if (compares_arrays(smt, hyps, goal)) {
    decide_on_instances(smt, hyps, goal, rlimit / 20);
    int64_t limit = work_after(smt->options.timeout_s / (smt->has_model ? 40 : 8));
    if (smt->deadline > limit) smt->deadline = limit;
    rlimit /= 20;
  }
  if (undecided(smt)) decide_directly(smt, hyps, goal, SOLVER_CORE, hard ? rlimit / 1000 : rlimit);
  if (undecided(smt) && hard) decide_hard(smt, hyps, goal);
  if (undecided(smt) && !smt->has_model && hard)
    decide_directly(smt, hyps, goal, SOLVER_CORE, rlimit / 40);
  if (undecided(smt) && !smt->has_model)
    decide_directly(smt, hyps, goal, NULL, hard ? rlimit / 40 : rlimit);
  struct smt_record *record = &vec_last(&smt->records);
  record->cross_checked =
      record->verdict == SMT_VALID && record->unsat && record->seconded == record->unsat;
  if (record->disagreement) {
    record->verdict = SMT_UNKNOWN;
    set_reason(record, xstrdup("DISAGREEMENT: Z3 says unsatisfiable, cvc5 found a model"));
  }
}

/* Does it say that all items of an array are one number, or all false? So of new arrays (lower.c). */
static bool fills_array(struct terms *ts, term_id fact) {
  if (term_kind(ts, fact) != TERM_FORALL) return false;
  term_id var;
  while (fact != TERM_NONE && term_kind(ts, fact) == TERM_FORALL)
    fact = term_open(ts, fact, &var);
  if (fact != TERM_NONE && term_kind(ts, fact) == TERM_NOT)
    return term_kind(ts, term_arg(ts, fact, 0)) == TERM_SELECT;
  return fact != TERM_NONE && term_kind(ts, fact) == TERM_EQ &&
         (term_is_num(ts, term_arg(ts, fact, 0)) || term_is_num(ts, term_arg(ts, fact, 1)));
}

/* The same of an array that nothing else mentions? */
static bool is_isolated(struct smt *smt, const term_list *hyps, size_t which, term_id goal) {
  struct terms *ts = smt->ts;
  if (!fills_array(ts, hyps->at[which])) return false;
  term_list vars = {0};
  bool found = false;
  term_free_vars(ts, hyps->at[which], &vars);
  for (size_t v = 0; v < vars.len && !found; v++) {
    term_id var = vars.at[v];
    found = sort_elem(ts, term_sort(ts, var)) != SORT_NONE && !term_mentions(ts, goal, &var, 1);
    for (size_t i = 0; i < hyps->len && found; i++)
      found = i == which || !term_mentions(ts, hyps->at[i], &var, 1);
  }
  vec_clear(&vars);
  return found;
}

/* Where there are quantifiers Z3 may not come to an end: they are left out where they do not matter. */
static void drop_isolated(struct smt *smt, term_list *hyps, term_id goal) {
  for (size_t i = hyps->len; i-- > 0;) {
    if (!is_isolated(smt, hyps, i, goal)) continue;
    for (size_t j = i + 1; j < hyps->len; j++)
      hyps->at[j - 1] = hyps->at[j];
    hyps->len--;
  }
}

enum smt_verdict smt_entails(struct smt *smt, const char *name, struct span place,
                             const term_id *hypotheses, size_t count, term_id goal) {
  double start = now();
  smt->deadline = work_after(smt->options.timeout_s);
  smt->has_model = false;
  model_reset(&smt->model);
  vec_push(&smt->records,
           (struct smt_record){
               .name = xstrdup(name), .place = place, .verdict = SMT_UNKNOWN, .method = "none"});
  struct smt_record *record = &vec_last(&smt->records);
  bool ok = is_formula(smt->ts, goal);
  for (size_t i = 0; i < count; i++)
    ok = ok && is_formula(smt->ts, hypotheses[i]);
  if (!ok) {
    set_reason(record, xasprintf("a formula of the obligation could not be built (%s)",
                                 term_failure_text(smt->ts->failure)));
    return SMT_UNKNOWN;
  }
  term_list hyps = {0};
  gather(smt, hypotheses, count, &hyps);
  drop_isolated(smt, &hyps, goal);
  size_t given = hyps.len;
  add_facts(smt, goal, &hyps);
  struct smt_cached *known = NULL;
  if (is_trivial(smt, goal, &hyps) || true_by_equations(smt, &hyps, goal)) {
    record->verdict = SMT_VALID;
    record->method = "trivial";
  } else if ((known = find_cached(smt, goal, &hyps)) && known->verdict != SMT_INVALID) {
    /* an invalid one is asked again: the caller wants the model */
    record->verdict = known->verdict;
    if (known->reason) set_reason(record, xstrdup(known->reason));
    record->cross_checked = known->cross_checked;
    record->method = "cache";
  } else {
    if (is_shown(smt, &hyps, given, goal)) {
      record->verdict = SMT_VALID;
      record->method = "advocate";
    } else {
      decide(smt, &hyps, goal);
      if (is_shown_after_all(smt, &hyps, given, goal)) {
        record->verdict = SMT_VALID;
        record->method = "advocate";
      }
    }
    if (!known) remember(smt, goal, &hyps, record);
  }
  record->seconds = now() - start;
  vec_clear(&hyps);
  return record->verdict;
}

enum smt_verdict smt_implies(struct smt *smt, const char *name, struct span place,
                             term_id hypothesis, term_id goal) {
  return smt_entails(smt, name, place, &hypothesis, 1, goal);
}

/* Is it a fact about all i that leads from i to i + 1, or multiplies data? Such facts define sums,
 * contradict nothing by themselves, and keep a solver busy without end. */
static bool has_step(struct terms *ts, term_id t) {
  const struct term_node *n = term_get(ts, t);
  bool steps = n->kind == TERM_ADD && n->sort == SORT_INT;
  if ((steps || n->kind == TERM_POW) && n->loose > 0) return true;
  for (size_t i = 0; i < term_arg_count(ts, t); i++)
    if (has_step(ts, term_arg(ts, t, i))) return true;
  return false;
}

static bool is_endless(struct terms *ts, term_id fact) {
  return term_kind(ts, fact) == TERM_FORALL && has_step(ts, fact);
}

enum smt_verdict smt_contradictory(struct smt *smt, const char *name, struct span place,
                                   const term_id *hypotheses, size_t count) {
  term_list all = {0}, used = {0};
  for (size_t i = 0; i < count; i++)
    if (hypotheses[i] != TERM_NONE) term_conjuncts(smt->ts, hypotheses[i], &all);
  for (size_t i = 0; i < all.len; i++)
    if (!is_endless(smt->ts, all.at[i])) vec_push(&used, all.at[i]);
  enum smt_verdict v = smt_entails(smt, name, place, used.at, used.len, smt->ts->false_term);
  vec_clear(&all);
  vec_clear(&used);
  return v;
}
