#include "smt/solver.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/intern.h"
#include "base/work.h"
#include "smt/z3_lazy.h"

enum {
  QUESTION_WORK = 2000000, /* on the clock of work: a context, parsing */
  UNIT_WORK = 1000,        /* one of Z3's resource units */
  SAFETY = 3,              /* computing time of a question, in multiples of what is meant */
  PATIENCE = 1000          /* the same for the time by the clock on the wall */
};

/* Errors are read from the context after each step; nothing is printed, nothing exits. */
static void ignore_error(Z3_context ctx, Z3_error_code code) {
  (void)ctx;
  (void)code;
}

static char *error_reason(Z3_context ctx) {
  Z3_error_code code = Z3_get_error_code(ctx);
  return xasprintf("solver error: %s", Z3_get_error_msg(ctx, code));
}

/* Seconds are meant as work: a limit that is reached at the same point in every run. */
static unsigned units_of(struct solver_limits limits) {
  double units = limits.timeout_ms * (1e6 / UNIT_WORK);
  return limits.rlimit && limits.rlimit < units ? limits.rlimit : (unsigned)units + 1;
}

/* Adds what the question took to the clock of work. Z3 counts from the start of its context. */
static void count_work(struct solver_session *s, Z3_solver z3) {
  unsigned units = s->units;
  Z3_stats stats = Z3_solver_get_statistics(s->ctx, z3);
  Z3_stats_inc_ref(s->ctx, stats);
  for (unsigned i = 0; i < Z3_stats_size(s->ctx, stats); i++)
    if (Z3_stats_is_uint(s->ctx, stats, i) &&
        strcmp(Z3_stats_get_key(s->ctx, stats, i), "rlimit count") == 0)
      units = Z3_stats_get_uint_value(s->ctx, stats, i);
  Z3_stats_dec_ref(s->ctx, stats);
  if (!s->is_free) work_add(QUESTION_WORK + (int64_t)(units - s->units) * UNIT_WORK);
  s->units = units;
}

static Z3_solver make_solver(Z3_context ctx, const char *tactic, struct solver_limits limits,
                             unsigned timeout_ms) {
  Z3_solver solver = NULL;
  if (tactic && strcmp(tactic, SOLVER_CORE) == 0) {
    solver = Z3_mk_simple_solver(ctx);
    if (solver) Z3_solver_inc_ref(ctx, solver);
  } else if (tactic) {
    Z3_tactic t = Z3_mk_tactic(ctx, tactic);
    if (!t) return NULL;
    Z3_tactic_inc_ref(ctx, t);
    solver = Z3_mk_solver_from_tactic(ctx, t);
    if (solver) Z3_solver_inc_ref(ctx, solver);
    Z3_tactic_dec_ref(ctx, t);
  } else {
    solver = Z3_mk_solver(ctx);
    if (solver) Z3_solver_inc_ref(ctx, solver);
  }
  if (!solver) return NULL;
  Z3_params params = Z3_mk_params(ctx);
  Z3_params_inc_ref(ctx, params);
  Z3_params_set_uint(ctx, params, Z3_mk_string_symbol(ctx, "timeout"), timeout_ms);
  Z3_params_set_uint(ctx, params, Z3_mk_string_symbol(ctx, "rlimit"), units_of(limits));
  Z3_solver_set_params(ctx, solver, params);
  Z3_params_dec_ref(ctx, params);
  return solver;
}

static void known_clear(struct solver_session *s, struct solver_known *k) {
  if (k->model) Z3_model_dec_ref(s->ctx, k->model);
  free(k->reason);
  k->model = NULL;
  k->reason = NULL;
}

static void put_error(struct solver_session *s, struct solver_known *k) {
  k->answer = SOLVER_UNKNOWN;
  k->reason = error_reason(s->ctx);
}

/* The ways in which Z3 reports that its resource units, or its time, are used up. */
static bool is_limit(const char *why) {
  static const char *const limits[] = {"canceled", "push canceled", "timeout"};
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
    if (strcmp(why, limits[i]) == 0) return true;
  return strstr(why, "resource limit") != NULL;
}

static void check(struct solver_session *s, Z3_solver z3, struct solver_known *k) {
  Z3_lbool answer = Z3_solver_check(s->ctx, z3);
  count_work(s, z3);
  if (Z3_get_error_code(s->ctx) != Z3_OK) {
    put_error(s, k);
  } else if (answer == Z3_L_FALSE) {
    k->answer = SOLVER_UNSAT;
  } else if (answer == Z3_L_UNDEF) {
    const char *why = Z3_solver_get_reason_unknown(s->ctx, z3);
    k->reason = xstrdup(is_limit(why) ? "the solver's resource limit was reached" : why);
  } else {
    k->model = Z3_solver_get_model(s->ctx, z3);
    k->answer = SOLVER_SAT;
    if (Z3_get_error_code(s->ctx) != Z3_OK || !k->model)
      put_error(s, k);
    else
      Z3_model_inc_ref(s->ctx, k->model);
  }
}

static void attempt(struct solver_session *s, Z3_ast_vector assertions, const char *tactic,
                    unsigned timeout_ms, struct solver_known *k) {
  Z3_solver z3 = make_solver(s->ctx, tactic, k->limits, timeout_ms);
  if (!z3) {
    put_error(s, k);
    return;
  }
  for (unsigned i = 0; i < Z3_ast_vector_size(s->ctx, assertions); i++)
    Z3_solver_assert(s->ctx, z3, Z3_ast_vector_get(s->ctx, assertions, i));
  if (Z3_get_error_code(s->ctx) == Z3_OK)
    check(s, z3, k);
  else
    put_error(s, k);
  Z3_solver_dec_ref(s->ctx, z3);
}

static double milliseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* Z3 measures its time on the wall, and a busy machine must not change an answer: what was cut off
 * although it had hardly computed is asked again, with more time. */
static void check_assertions(struct solver_session *s, Z3_ast_vector assertions, const char *tactic,
                             struct solver_known *k) {
  for (double meant = SAFETY * k->limits.timeout_ms, given = meant;; given *= 4) {
    const double start = milliseconds(CLOCK_MONOTONIC);
    const double computed = milliseconds(CLOCK_THREAD_CPUTIME_ID);
    const int64_t work = work_now();
    const unsigned units = s->units;
    attempt(s, assertions, tactic, (unsigned)given, k);
    bool is_late = milliseconds(CLOCK_MONOTONIC) - start >= given;
    bool has_computed = milliseconds(CLOCK_THREAD_CPUTIME_ID) - computed >= meant / 2 ||
                        s->units - units >= units_of(k->limits);
    if (k->answer != SOLVER_UNKNOWN || !is_late || has_computed ||
        given >= PATIENCE * k->limits.timeout_ms)
      return;
    known_clear(s, k);
    k->is_own = false;
    work_add(work - work_now());
  }
}

static void parse_and_check(struct solver_session *s, const struct encoding *text,
                            const char *tactic, struct solver_known *k) {
  Z3_ast_vector assertions =
      Z3_parse_smtlib2_string(s->ctx, buffer_text(&text->text), 0, NULL, NULL, 0, NULL, NULL);
  if (Z3_get_error_code(s->ctx) != Z3_OK || !assertions) {
    put_error(s, k);
    return;
  }
  Z3_ast_vector_inc_ref(s->ctx, assertions);
  if (Z3_ast_vector_size(s->ctx, assertions) == text->assertions)
    check_assertions(s, assertions, tactic, k);
  else
    k->reason = xstrdup("solver error: assertions lost in parsing");
  Z3_ast_vector_dec_ref(s->ctx, assertions);
}

/* ---- sessions ------------------------------------------------------------------------------- */

void solver_session_clear(struct solver_session *s) {
  for (size_t i = 0; i < s->known.len; i++) {
    known_clear(s, &s->known.at[i]);
    free(s->known.at[i].question);
  }
  vec_clear(&s->known);
  if (s->ctx) Z3_del_context(s->ctx);
  s->ctx = NULL;
}

static const char *open_context(struct solver_session *s) {
  const char *unavailable = NULL;
  if (s->ctx) return NULL;
  if (!z3_is_available(&unavailable)) return unavailable;
  Z3_config config = Z3_mk_config();
  s->ctx = Z3_mk_context_rc(config);
  Z3_del_config(config);
  if (!s->ctx) return "solver error: no context";
  Z3_set_error_handler(s->ctx, ignore_error);
  return NULL;
}

/* The entry for the question, new if it was not asked before. */
static struct solver_known *entry_for(struct solver_session *s, const struct encoding *text,
                                      const char *tactic) {
  char *question = xasprintf("%s\n%s", tactic ? tactic : "", buffer_text(&text->text));
  uint64_t hash = hash_bytes(question, strlen(question));
  for (size_t i = 0; i < s->known.len; i++)
    if (s->known.at[i].hash == hash && strcmp(s->known.at[i].question, question) == 0) {
      free(question);
      return &s->known.at[i];
    }
  vec_push(&s->known, (struct solver_known){.hash = hash, .question = question});
  return &vec_last(&s->known);
}

/* Within these limits the answer would be the same: what is decided is so with any. */
static bool is_answered(const struct solver_known *k, struct solver_limits limits) {
  if (!k->limits.timeout_ms) return false;
  return k->answer != SOLVER_UNKNOWN || units_of(limits) <= units_of(k->limits);
}

/* The model as a session of its own would have it, in which nothing was asked before: models are
 * shown, and guide searches. */
static void take_own_model(struct solver_session *s, const struct encoding *text,
                           const char *tactic, struct solver_known *k) {
  struct solver_session own = {.is_free = true};
  struct solver_known alone = {.limits = k->limits, .answer = SOLVER_UNKNOWN};
  if (!open_context(&own)) parse_and_check(&own, text, tactic, &alone);
  Z3_model copy = alone.model ? Z3_model_translate(own.ctx, alone.model, s->ctx) : NULL;
  if (copy) Z3_model_inc_ref(s->ctx, copy);
  if (copy || alone.answer == SOLVER_UNSAT) known_clear(s, k);
  k->model = copy ? copy : k->model;
  if (alone.answer == SOLVER_UNSAT) {
    k->answer = SOLVER_UNKNOWN;
    k->reason = xstrdup("solver error: it contradicts itself");
  }
  k->is_own = true;
  known_clear(&own, &alone);
  solver_session_clear(&own);
}

enum solver_answer solver_check(struct solver_session *s, const struct encoding *text,
                                const char *tactic, struct solver_limits limits,
                                struct model *model, char **reason) {
  const char *obstacle = open_context(s);
  *reason = obstacle ? xstrdup(obstacle) : NULL;
  if (obstacle) return SOLVER_UNKNOWN;
  struct solver_known *k = entry_for(s, text, tactic);
  if (!is_answered(k, limits)) {
    known_clear(s, k);
    k->answer = SOLVER_UNKNOWN;
    k->limits = limits;
    k->is_own = s->units == 0;
    parse_and_check(s, text, tactic, k);
  }
  if (k->answer == SOLVER_SAT && model && !k->is_own) take_own_model(s, text, tactic, k);
  if (k->model && model) model_read(model, s->ctx, k->model, text);
  if (k->reason) *reason = xstrdup(k->reason);
  return k->answer;
}
