#include "smt/solver.h"

#include <stdlib.h>
#include <string.h>

#include "base/work.h"
#include "smt/z3_lazy.h"

enum {
  QUESTION_WORK = 2000000, /* on the clock of work: a context, parsing */
  UNIT_WORK = 1000,        /* one of Z3's resource units */
  SAFETY = 3               /* wall-clock time of a question, in multiples of what is meant */
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

/* Adds what the question took to the clock of work. */
static void count_work(Z3_context ctx, Z3_solver solver) {
  unsigned units = 0;
  Z3_stats stats = Z3_solver_get_statistics(ctx, solver);
  Z3_stats_inc_ref(ctx, stats);
  for (unsigned i = 0; i < Z3_stats_size(ctx, stats); i++)
    if (Z3_stats_is_uint(ctx, stats, i) &&
        strcmp(Z3_stats_get_key(ctx, stats, i), "rlimit count") == 0)
      units = Z3_stats_get_uint_value(ctx, stats, i);
  Z3_stats_dec_ref(ctx, stats);
  work_add(QUESTION_WORK + (int64_t)units * UNIT_WORK);
}

static Z3_solver make_solver(Z3_context ctx, const char *tactic, struct solver_limits limits) {
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
  Z3_params_set_uint(ctx, params, Z3_mk_string_symbol(ctx, "timeout"), SAFETY * limits.timeout_ms);
  Z3_params_set_uint(ctx, params, Z3_mk_string_symbol(ctx, "rlimit"), units_of(limits));
  Z3_solver_set_params(ctx, solver, params);
  Z3_params_dec_ref(ctx, params);
  return solver;
}

static enum solver_answer check(Z3_context ctx, Z3_solver solver, const struct encoding *text,
                                struct model *model, char **reason) {
  Z3_lbool answer = Z3_solver_check(ctx, solver);
  count_work(ctx, solver);
  if (Z3_get_error_code(ctx) != Z3_OK) {
    *reason = error_reason(ctx);
    return SOLVER_UNKNOWN;
  }
  if (answer == Z3_L_FALSE) return SOLVER_UNSAT;
  if (answer == Z3_L_UNDEF) {
    const char *why = Z3_solver_get_reason_unknown(ctx, solver);
    /* how Z3 reports that the resource units are used up */
    bool limit = strcmp(why, "canceled") == 0 || strstr(why, "resource limit");
    *reason = xstrdup(limit ? "the solver's resource limit was reached" : why);
    return SOLVER_UNKNOWN;
  }
  if (model) {
    Z3_model z3 = Z3_solver_get_model(ctx, solver);
    if (Z3_get_error_code(ctx) != Z3_OK || !z3) {
      *reason = error_reason(ctx);
      return SOLVER_UNKNOWN;
    }
    Z3_model_inc_ref(ctx, z3);
    model_read(model, ctx, z3, text);
    Z3_model_dec_ref(ctx, z3);
  }
  return SOLVER_SAT;
}

enum solver_answer solver_check(const struct encoding *text, const char *tactic,
                                struct solver_limits limits, struct model *model, char **reason) {
  *reason = NULL;
  const char *unavailable = NULL;
  if (!z3_is_available(&unavailable)) {
    *reason = xstrdup(unavailable);
    return SOLVER_UNKNOWN;
  }
  Z3_config config = Z3_mk_config();
  Z3_context ctx = Z3_mk_context(config);
  Z3_del_config(config);
  if (!ctx) {
    *reason = xstrdup("solver error: no context");
    return SOLVER_UNKNOWN;
  }
  Z3_set_error_handler(ctx, ignore_error);
  enum solver_answer answer = SOLVER_UNKNOWN;
  Z3_ast_vector assertions =
      Z3_parse_smtlib2_string(ctx, buffer_text(&text->text), 0, NULL, NULL, 0, NULL, NULL);
  if (Z3_get_error_code(ctx) != Z3_OK || !assertions) {
    *reason = error_reason(ctx);
    Z3_del_context(ctx);
    return SOLVER_UNKNOWN;
  }
  Z3_ast_vector_inc_ref(ctx, assertions);
  Z3_solver solver = make_solver(ctx, tactic, limits);
  if (Z3_ast_vector_size(ctx, assertions) != text->assertions) {
    *reason = xstrdup("solver error: assertions lost in parsing");
    if (solver) Z3_solver_dec_ref(ctx, solver);
  } else if (solver) {
    for (unsigned i = 0; i < Z3_ast_vector_size(ctx, assertions); i++)
      Z3_solver_assert(ctx, solver, Z3_ast_vector_get(ctx, assertions, i));
    if (Z3_get_error_code(ctx) == Z3_OK)
      answer = check(ctx, solver, text, model, reason);
    else
      *reason = error_reason(ctx);
    Z3_solver_dec_ref(ctx, solver);
  } else {
    *reason = error_reason(ctx);
  }
  Z3_ast_vector_dec_ref(ctx, assertions);
  Z3_del_context(ctx);
  return answer;
}

char *solver_version(void) {
  unsigned major, minor, build, revision;
  const char *unavailable = NULL;
  if (!z3_is_available(&unavailable)) return xstrdup("Z3 (not available)");
  Z3_get_version(&major, &minor, &build, &revision);
  return xasprintf("Z3 %u.%u.%u", major, minor, build);
}
