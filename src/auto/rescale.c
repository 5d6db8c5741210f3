#include "auto/rescale.h"

#include "auto/bounds.h"
#include "auto/parts.h"
#include "auto/pointwise.h"
#include "auto/sync_strategy.h"
#include "kernel/dist.h"
#include "term/build.h"
#include "term/subst.h"

/* ---- for the others ------------------------------------------------------------------------- */

const struct core *rescale_program(const struct auto_problem *p) {
  return p->rescaling ? p->rescaling->program : claim_program(p->goal)->program;
}

term_id rescale_term(const struct auto_problem *p, term_id t) {
  const struct rescaling *r = p->rescaling;
  for (size_t i = 0; r && i < r->vars.len && t != TERM_NONE; i++)
    for (unsigned run = 0; run <= 2; run++) {
      term_id var = term_var_in_run(p->ts, r->vars.at[i], run);
      term_id many = term_mul(p->ts, r->factors.at[i], var);
      if (term_mentions(p->ts, t, &var, 1)) t = term_subst(p->ts, t, &var, &many, 1);
    }
  return t;
}

term_id rescale_distance(const struct auto_problem *p, term_id var, term_id t) {
  const struct rescaling *r = p->rescaling;
  for (size_t i = 0; r && i < r->vars.len && t != TERM_NONE; i++)
    if (r->vars.at[i] == var)
      return cost_simplified(p->ts, term_mul(p->ts, t, term_reciprocal(p->ts, r->factors.at[i])));
  return t;
}

/* ---- factors -------------------------------------------------------------------------------- */

struct rescaler {
  struct auto_problem *p;
  struct terms *ts;
  struct kernel *k;
  struct rescaling out;
};

/* Made of numbers and parameters? */
static bool is_fixed(const struct rescaler *r, term_id t) {
  term_list vars = {0};
  term_free_vars(r->ts, t, &vars);
  bool fixed = true;
  for (size_t i = 0; i < vars.len && fixed; i++)
    fixed = !kernel_is_var(r->k, vars.at[i]) && term_var_get(r->ts, vars.at[i])->version == 0;
  vec_clear(&vars);
  return fixed;
}

static bool mentions(const struct rescaler *r, term_id t, term_id var) {
  return term_mentions(r->ts, t, &var, 1);
}

/* t = coefficient*var, with a fixed coefficient. */
static bool is_multiple(const struct rescaler *r, term_id t, term_id var, term_id *coefficient) {
  enum term_kind kind = term_kind(r->ts, t);
  term_id one = term_rat(r->ts, 1, 1);
  *coefficient = one;
  if (t == var) return true;
  if (kind != TERM_MUL && kind != TERM_DIV) return false;
  *coefficient = term_subst(r->ts, t, &var, &one, 1);
  if (*coefficient == TERM_NONE || !is_fixed(r, *coefficient)) return false;
  term_id rest = term_sub(r->ts, t, term_mul(r->ts, *coefficient, var));
  rest = rest == TERM_NONE ? rest : cost_simplified(r->ts, rest);
  return rest != TERM_NONE && term_is_num(r->ts, rest) && fmpq_is_zero(term_num_value(r->ts, rest));
}

/* A coefficient other than a number with which the term reads the variable; TERM_NONE: none. */
static term_id factor_in(const struct rescaler *r, term_id t, term_id var) {
  term_id coefficient;
  if (t == TERM_NONE || !mentions(r, t, var)) return TERM_NONE;
  if (is_multiple(r, t, var, &coefficient))
    return term_is_num(r->ts, coefficient) ? TERM_NONE : coefficient;
  for (size_t i = 0; i < term_arg_count(r->ts, t); i++) {
    term_id found = factor_in(r, term_arg(r->ts, t, i), var);
    if (found != TERM_NONE) return found;
  }
  return TERM_NONE;
}

/* What makes the centre of the noise free of fixed factors other than numbers: n for sum/n. */
static term_id factor_of_centre(const struct rescaler *r, term_id centre) {
  struct terms *ts = r->ts;
  enum term_kind kind = term_kind(ts, centre);
  term_id fixed = term_rat(ts, 1, 1);
  if (kind == TERM_DIV && is_fixed(r, term_arg(ts, centre, 1)))
    fixed = term_reciprocal(ts, term_arg(ts, centre, 1));
  for (size_t i = 0; kind == TERM_MUL && i < term_arg_count(ts, centre); i++)
    if (is_fixed(r, term_arg(ts, centre, i))) fixed = term_mul(ts, fixed, term_arg(ts, centre, i));
  return is_fixed(r, centre) || term_is_num(ts, fixed) ? TERM_NONE : term_reciprocal(ts, fixed);
}

/* Searches all terms of the program that read the variable. */
static term_id factor_of_uses(const struct rescaler *r, const struct core *c, term_id var) {
  term_id found = factor_in(r, c->expr, var);
  for (size_t i = 0; i < c->arg_count && found == TERM_NONE; i++)
    found = factor_in(r, c->args[i], var);
  if (c->first && found == TERM_NONE) found = factor_of_uses(r, c->first, var);
  if (c->second && found == TERM_NONE) found = factor_of_uses(r, c->second, var);
  return found;
}

static bool can_rescale(const struct core *c) {
  return dist_is_centred(c->dist) && !dist_is_integer(c->dist);
}

/* Is the variable set by nothing but such noise? */
static bool is_noise_only(const struct core *c, term_id var) {
  if (c->kind == CORE_SAMPLE) return c->var != var || can_rescale(c);
  if (c->kind == CORE_ASSIGN || c->kind == CORE_ADVERSARY) return c->var != var;
  return (!c->first || is_noise_only(c->first, var)) &&
         (!c->second || is_noise_only(c->second, var));
}

static void find_factors(struct rescaler *r, const struct core *program, const struct core *c) {
  if (c->kind == CORE_SEQ || c->kind == CORE_IF || c->kind == CORE_WHILE) {
    find_factors(r, program, c->first);
    if (c->second) find_factors(r, program, c->second);
  }
  if (c->kind != CORE_SAMPLE || !can_rescale(c) || !is_noise_only(program, c->var)) return;
  for (size_t i = 0; i < r->out.vars.len; i++)
    if (r->out.vars.at[i] == c->var) return;
  term_id factor = factor_of_uses(r, program, c->var);
  if (factor == TERM_NONE) factor = factor_of_centre(r, c->args[0]);
  if (factor == TERM_NONE || !auto_follows(r->p, term_lt(r->ts, term_int(r->ts, 0), factor)))
    return;
  vec_push(&r->out.vars, c->var);
  vec_push(&r->out.factors, factor);
}

/* ---- the program ---------------------------------------------------------------------------- */

/* The term with the variable in its new unit. */
static term_id in_unit(const struct rescaler *r, term_id t, term_id var, term_id factor) {
  struct terms *ts = r->ts;
  term_id coefficient;
  if (!mentions(r, t, var)) return t;
  if (is_multiple(r, t, var, &coefficient)) {
    term_id many = term_mul(ts, coefficient, term_reciprocal(ts, factor));
    return term_mul(ts, cost_simplified(ts, many), var);
  }
  term_id args[16];
  size_t count = term_arg_count(ts, t);
  if (count == 0 || count > 16) return TERM_NONE;
  for (size_t i = 0; i < count; i++) {
    args[i] = in_unit(r, term_arg(ts, t, i), var, factor);
    if (args[i] == TERM_NONE) return TERM_NONE;
  }
  return term_rebuild(ts, t, args);
}

static term_id rewritten(const struct rescaler *r, term_id t, bool *failed) {
  for (size_t i = 0; i < r->out.vars.len && t != TERM_NONE; i++) {
    t = in_unit(r, t, r->out.vars.at[i], r->out.factors.at[i]);
    *failed |= t == TERM_NONE;
  }
  return t;
}

static term_id factor_of(const struct rescaler *r, term_id var) {
  for (size_t i = 0; i < r->out.vars.len; i++)
    if (r->out.vars.at[i] == var) return r->out.factors.at[i];
  return TERM_NONE;
}

static const struct core *rewrite(const struct rescaler *r, const struct core *c, bool *failed) {
  struct arena *arena = kernel_arena(r->k);
  if (c->kind == CORE_SKIP) return c;
  struct core *copy = arena_memdup(arena, c, sizeof *c);
  term_id *args = arena_alloc(arena, (c->arg_count + 1) * sizeof *args);
  term_id factor = c->kind == CORE_SAMPLE ? factor_of(r, c->var) : TERM_NONE;
  for (size_t i = 0; i < c->arg_count; i++) {
    args[i] = rewritten(r, c->args[i], failed);
    if (factor != TERM_NONE && args[i] != TERM_NONE)
      args[i] = cost_simplified(r->ts, term_mul(r->ts, factor, args[i]));
  }
  copy->args = args;
  copy->expr = rewritten(r, c->expr, failed);
  if (c->first) copy->first = rewrite(r, c->first, failed);
  if (c->second) copy->second = rewrite(r, c->second, failed);
  return copy;
}

void auto_rescaled(struct auto_problem *p, struct auto_search *s) {
  static auto_strategy *const others[] = {auto_synchronous, auto_pointwise, auto_composed};
  if (auto_cost(s)) return;
  struct rescaler r = {.p = p, .ts = p->ts, .k = claim_kernel(p->goal, CLAIM_FORWARD)};
  const struct core *program = claim_program(p->goal)->program;
  bool failed = false;
  find_factors(&r, program, program);
  if (r.out.vars.len) r.out.program = rewrite(&r, program, &failed);
  if (r.out.program && !failed) {
    p->rescaling = &r.out;
    for (size_t i = 0; i < 3 && !auto_cost(s) && !auto_is_late(s); i++)
      others[i](p, s);
    p->rescaling = NULL;
  }
  vec_clear(&r.out.vars);
  vec_clear(&r.out.factors);
}
