#include "check/finite/finite.h"

#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "check/exact/exact.h"
#include "check/finite/pairs.h"
#include "check/finite/symbolic.h"
#include "num/real/ball.h"
#include "run/eval/number.h"

enum {
  UNIT_BITS = 60,       /* probabilities as integers: multiples of 2^-60 */
  LEVELS = 4,           /* of precision, each twice the one before */
  FIRST_PRECISION = 64, /* bits */
  LIMIT_TABLE = 1 << 26 /* entries: inputs times outputs */
};

/* The outputs of one input with their probabilities, at one level. */
struct outcomes {
  bool is_known;
  VEC(size_t) outputs; /* numbers, increasing */
  arb_ptr probabilities;
  arb_t lost;
};

struct decision {
  struct finite_result *result;
  const struct program_claim *claim;
  const struct budget *budget;
  struct finite_inputs inputs;
  bool *is_valid;      /* does the input satisfy `requires`? */
  arb_t factor, delta; /* factor = e^epsilon */
  struct sampler *samplers[LEVELS];
  struct outcomes *table[LEVELS]; /* per input */
  struct intern names;            /* outputs as text */
  struct ptrmap numbers;          /* their number + 1 */
  VEC(struct rvalue) outputs;
  int64_t *most, *least;            /* per input and output: of P, and of factor * P; in units */
  int64_t *lost;                    /* per input, upwards */
  int64_t allowed;                  /* delta, downwards */
  struct finite_symbolic *symbolic; /* opened when first needed; NULL: it cannot be */
  bool has_symbolic;
};

static bool give_up(struct decision *d, const char *why) {
  if (!d->result->why && why) d->result->why = xstrdup(why);
  return false;
}

/* ---- one input -------------------------------------------------------------------------------- */

/* Text tells such values apart, and nothing else is listed as an output here. */
static bool is_exact(const struct rvalue *v) {
  if (!rvalue_is_seq(v))
    return v->kind == RVALUE_BOOL || v->kind == RVALUE_INT || v->kind == RVALUE_RATIONAL;
  for (size_t i = 0; i < v->as.seq->len; i++)
    if (!is_exact(&v->as.seq->at[i])) return false;
  return true;
}

static size_t number_of_output(struct decision *d, const struct rvalue *v) {
  struct buffer text;
  buffer_init(&text);
  rvalue_print(&text, v);
  const char *name = intern_str(&d->names, buffer_text(&text));
  buffer_clear(&text);
  size_t number = (size_t)(uintptr_t)ptrmap_get(&d->numbers, name);
  if (number) return number - 1;
  vec_push(&d->outputs, rvalue_copy(v));
  ptrmap_put(&d->numbers, name, (void *)(uintptr_t)d->outputs.len);
  return d->outputs.len - 1;
}

/* Is the condition true of the inputs in the frame? False: it cannot be evaluated. */
static bool evaluate(struct decision *d, struct rframe *frame, const struct ast_expr *condition,
                     bool *holds) {
  struct reval *ev = &d->inputs.ev;
  struct diag_mark mark = diags_mark(&ev->lang->diags);
  ev->steps = 0;
  bool known = reval_is_executable(condition) && reval_bool(ev, frame, condition, holds);
  diags_rollback(&ev->lang->diags, mark);
  return known;
}

/* Assumptions on parameters must hold, or the claim says nothing. */
static bool check_assumptions(struct decision *d) {
  for (size_t i = 0; i < d->claim->module->decl_count; i++) {
    const struct ast_decl *p = d->claim->module->decls[i];
    bool holds = false;
    for (size_t j = 0; p->kind == DECL_PARAM && j < p->as.param.count; j++)
      if (!evaluate(d, NULL, p->as.param.assumptions[j], &holds) || !holds)
        return give_up(d, "an assumption on the parameters does not hold for these values");
  }
  return true;
}

/* Inputs for which a `requires` does not hold are none of the claim's. */
static bool check_requires(struct decision *d, size_t number) {
  const struct ast_decl *m = d->claim->claim->as.claim.target;
  struct rframe frame;
  rframe_init(&frame, d->inputs.routine->arg_count);
  finite_input(&d->inputs, number, frame.at);
  bool known = true, holds = true;
  d->is_valid[number] = true;
  for (size_t i = 0; known && i < m->as.mechanism.written_count; i++) {
    known = evaluate(d, &frame, m->as.mechanism.requires_written[i], &holds);
    d->is_valid[number] = d->is_valid[number] && holds;
  }
  rframe_clear(&frame);
  return known || give_up(d, "a precondition cannot be evaluated");
}

struct numbered {
  size_t number;
  const struct exact_outcome *outcome;
};

static int by_number(const void *a, const void *b) {
  size_t x = ((const struct numbered *)a)->number, y = ((const struct numbered *)b)->number;
  return x < y ? -1 : x > y;
}

static bool keep(struct decision *d, struct outcomes *o, const struct exact_distribution *from) {
  size_t count = from->outcomes.len;
  struct numbered *list = xcalloc(count + 1, sizeof *list);
  bool ok = true;
  for (size_t i = 0; ok && i < count; i++) {
    ok = is_exact(&from->outcomes.at[i].output);
    if (ok) list[i].number = number_of_output(d, &from->outcomes.at[i].output);
    list[i].outcome = &from->outcomes.at[i];
  }
  if (ok && count) qsort(list, count, sizeof *list, by_number);
  o->probabilities = _arb_vec_init((slong)count);
  for (size_t i = 0; ok && i < count; i++) {
    vec_push(&o->outputs, list[i].number);
    arb_set(o->probabilities + i, list[i].outcome->probability);
  }
  arb_init(o->lost);
  arb_set(o->lost, from->lost);
  o->is_known = true;
  free(list);
  return ok || give_up(d, "an output is not an exact number or truth value");
}

static bool run_input(struct decision *d, struct interp *in, int level, struct outcomes *o) {
  const struct exact_options options = {
      .precision = FIRST_PRECISION << level, .budget = d->budget, .sampler = &d->samplers[level]};
  struct exact_distribution distribution;
  exact_distribution_init(&distribution);
  exact_distribution(in, &options, &distribution);
  bool ok = distribution.status == EXACT_OK ||
            give_up(d, distribution.why ? distribution.why : "a run cannot be followed");
  if (ok && distribution.may_not_end)
    ok = give_up(d, "a run may go on for ever: that it ends with probability 1 was not seen");
  ok = ok && keep(d, o, &distribution);
  exact_distribution_clear(&distribution);
  return ok;
}

/* Value of a cost of the claim for its parameters. */
static bool cost_value(struct decision *d, const struct ast_expr *e, arb_t out) {
  struct rvalue value = {0};
  struct reval *ev = &d->inputs.ev;
  struct diag_mark mark = diags_mark(&ev->lang->diags);
  bool ok = reval_take(ev, NULL, e, &value);
  diags_rollback(&ev->lang->diags, mark);
  if (ok) {
    struct creal *c = number_to_creal(&value);
    arb_set(out, creal_ball(c, FIRST_PRECISION << LEVELS));
    creal_unref(c);
  }
  rvalue_clear(&value);
  return (ok && arb_is_finite(out) && !arb_contains_negative(out)) ||
         give_up(d, "epsilon or delta cannot be evaluated, or is negative");
}

static bool set_costs(struct decision *d) {
  const struct ast_decl *claim = d->claim->claim;
  if (!cost_value(d, claim->as.claim.epsilon, d->factor)) return false;
  arb_exp(d->factor, d->factor, FIRST_PRECISION << LEVELS);
  return !claim->as.claim.delta || cost_value(d, claim->as.claim.delta, d->delta);
}

/* The outcomes of an input at a level, computed when first asked for. */
static bool compute(struct decision *d, size_t number, int level) {
  struct outcomes *o = &d->table[level][number];
  if (o->is_known || !d->is_valid[number]) return true;
  struct program_counterexample ce;
  struct interp in;
  char *why = NULL;
  program_counterexample_init(&ce);
  finite_pair(&d->inputs, number, number, &ce);
  bool ok = program_run_init(&in, d->claim, &ce, 0, &why) || give_up(d, why);
  if (ok) {
    ok = run_input(d, &in, level, o);
    interp_clear(&in);
  }
  free(why);
  program_counterexample_clear(&ce);
  return ok;
}

/* ---- integers ---------------------------------------------------------------------------------- */

/* The ball in units, rounded up or down; at most 2^UNIT_BITS + 1. */
static int64_t in_units(const arb_t x, bool up) {
  arf_t end;
  fmpz_t units;
  arf_init(end);
  fmpz_init(units);
  if (up)
    arb_get_ubound_arf(end, x, 2 * UNIT_BITS);
  else
    arb_get_lbound_arf(end, x, 2 * UNIT_BITS);
  arf_mul_2exp_si(end, end, UNIT_BITS);
  int64_t value = up ? ((int64_t)1 << UNIT_BITS) + 1 : 0;
  if (arf_is_finite(end)) {
    arf_get_fmpz(units, end, up ? ARF_RND_CEIL : ARF_RND_FLOOR);
    if (fmpz_sgn(units) < 0)
      value = 0; /* a probability is not negative */
    else if (fmpz_cmp_si(units, ((int64_t)1 << UNIT_BITS) + 1) < 0)
      value = fmpz_get_si(units);
    else
      value = ((int64_t)1 << UNIT_BITS) + 1; /* as good as any number above 1 */
  }
  arf_clear(end);
  fmpz_clear(units);
  return value;
}

static bool fill_tables(struct decision *d) {
  size_t count = d->inputs.count, width = d->outputs.len;
  if (width > LIMIT_TABLE / count)
    return give_up(d, "there are too many outputs for an exhaustive computation");
  d->most = xcalloc(count * width + 1, sizeof *d->most);
  d->least = xcalloc(count * width + 1, sizeof *d->least);
  d->lost = xcalloc(count + 1, sizeof *d->lost);
  d->allowed = in_units(d->delta, false);
  arb_t scaled;
  arb_init(scaled);
  for (size_t i = 0; i < count; i++) {
    const struct outcomes *o = &d->table[0][i];
    if (!d->is_valid[i]) continue;
    for (size_t k = 0; k < o->outputs.len; k++) {
      arb_mul(scaled, o->probabilities + k, d->factor, FIRST_PRECISION);
      d->most[i * width + o->outputs.at[k]] = in_units(o->probabilities + k, true);
      d->least[i * width + o->outputs.at[k]] = in_units(scaled, false);
    }
    d->lost[i] = in_units(o->lost, true);
  }
  arb_clear(scaled);
  return true;
}

/* Is the claim certain for this order, by integers? What is summed is at most 2^60 + 1, before and
 * in each step: nothing overflows. */
static bool is_clear(const struct decision *d, size_t i, size_t j) {
  size_t width = d->outputs.len;
  const int64_t *most = d->most + i * width, *least = d->least + j * width;
  int64_t excess = d->lost[i];
  for (size_t k = 0; k < width && excess <= d->allowed; k++)
    if (most[k] > least[k]) excess += most[k] - least[k];
  return excess <= d->allowed;
}

/* ---- balls ------------------------------------------------------------------------------------- */

enum answer { HOLDS, BROKEN, OPEN };

/* P1(o) - e^epsilon P2(o) for the k-th output of the first; *next walks along the second. */
static void term(arb_t out, const struct decision *d, const struct outcomes *first, size_t k,
                 const struct outcomes *second, size_t *next, slong precision) {
  while (*next < second->outputs.len && second->outputs.at[*next] < first->outputs.at[k])
    ++*next;
  arb_set(out, first->probabilities + k);
  if (*next < second->outputs.len && second->outputs.at[*next] == first->outputs.at[k])
    arb_submul(out, d->factor, second->probabilities + *next, precision);
}

/* One order of a pair. For a broken one `event` gets the outputs with positive terms. */
static enum answer weigh(struct decision *d, size_t i, size_t j, int level,
                         struct program_counterexample *event) {
  const struct outcomes *first = &d->table[level][i], *second = &d->table[level][j];
  slong precision = FIRST_PRECISION << level;
  arb_t most, least, t;
  arf_t end;
  arb_init(most);
  arb_init(least);
  arb_init(t);
  arf_init(end);
  arb_set(most, first->lost);
  size_t next = 0;
  for (size_t k = 0; k < first->outputs.len; k++) {
    term(t, d, first, k, second, &next, precision);
    if (arb_is_nonpositive(t)) continue;
    arb_get_ubound_arf(end, t, precision);
    arb_add_arf(most, most, end, precision);
    if (!arb_is_positive(t)) continue;
    arb_add(least, least, t, precision);
    if (event) {
      struct pattern p;
      pattern_of(&p, &d->outputs.at[first->outputs.at[k]]);
      vec_push(&event->outputs, p);
    }
  }
  arb_mul(t, second->lost, d->factor, precision); /* may be on any of these outputs */
  arb_sub(least, least, t, precision);
  enum answer answer = arb_le(most, d->delta)          ? HOLDS
                       : ball_is_less(d->delta, least) ? BROKEN
                                                       : OPEN;
  arb_clear(most);
  arb_clear(least);
  arb_clear(t);
  arf_clear(end);
  return answer;
}

/* Without delta one output is enough: the one whose probabilities have the largest ratio. Numbers of
 * words far out differ most, beside probabilities that hide it when they are added up. */
static void keep_worst_output(struct decision *d, size_t i, size_t j, int level,
                              struct program_counterexample *event) {
  const struct outcomes *first = &d->table[level][i], *second = &d->table[level][j];
  slong precision = FIRST_PRECISION << level;
  size_t worst = 0, next = 0, seen = 0;
  arb_t t, most;
  if (!arb_is_zero(d->delta) || !arb_is_zero(first->lost) || !arb_is_zero(second->lost)) return;
  arb_init(t);
  arb_init(most);
  for (size_t k = 0; k < first->outputs.len; k++) {
    term(t, d, first, k, second, &next, precision);
    if (!arb_is_positive(t)) continue;
    arb_div(t, t, first->probabilities + k, precision); /* 1 - e^epsilon P2/P1 */
    if (arf_cmp(arb_midref(t), arb_midref(most)) > 0) {
      arb_swap(t, most);
      worst = seen;
    }
    seen++;
  }
  for (size_t k = 0; k < event->outputs.len; k++)
    if (k != worst) pattern_clear(&event->outputs.at[k]);
  if (seen) event->outputs.at[0] = event->outputs.at[worst];
  if (seen) event->outputs.len = 1;
  arb_clear(t);
  arb_clear(most);
}

static bool report_violation(struct decision *d, size_t i, size_t j, int level) {
  struct program_counterexample *ce = &d->result->ce;
  finite_pair(&d->inputs, i, j, ce);
  weigh(d, i, j, level, ce);
  keep_worst_output(d, i, j, level, ce);
  d->result->status = FINITE_VIOLATED;
  return false;
}

/* Do terms show what balls cannot, that both sides are equal? */
static bool holds_exactly(struct decision *d, size_t i, size_t j) {
  if (!d->has_symbolic) d->symbolic = finite_symbolic_open(&d->inputs);
  d->has_symbolic = true;
  return d->symbolic && finite_symbolic_holds(d->symbolic, i, j);
}

/* One order that integers did not settle. */
static bool settle(struct decision *d, size_t i, size_t j) {
  for (int level = 0; level < LEVELS; level++) {
    if (!compute(d, i, level) || !compute(d, j, level)) return false;
    enum answer answer = weigh(d, i, j, level, NULL);
    if (answer == HOLDS) return true;
    if (answer == BROKEN) return report_violation(d, i, j, level);
    if (level == 0 && holds_exactly(d, i, j)) return true;
  }
  d->result->is_close = true;
  return give_up(d, "for some inputs the two sides of the claim are too close to tell, or equal");
}

static bool visit(size_t i, size_t j, void *context) {
  struct decision *d = context;
  if (!d->is_valid[i] || !d->is_valid[j]) return true;
  d->result->pairs++;
  return (is_clear(d, i, j) || settle(d, i, j)) && (is_clear(d, j, i) || settle(d, j, i));
}

/* ---- all of it --------------------------------------------------------------------------------- */

static void decision_init(struct decision *d, struct finite_result *r,
                          const struct program_claim *claim, const struct budget *budget) {
  *d = (struct decision){.result = r, .claim = claim, .budget = budget};
  arb_init(d->factor);
  arb_init(d->delta);
  intern_init(&d->names);
  ptrmap_init(&d->numbers);
}

static void decision_clear(struct decision *d) {
  for (int level = 0; level < LEVELS; level++) {
    for (size_t i = 0; d->table[level] && i < d->inputs.count; i++) {
      struct outcomes *o = &d->table[level][i];
      if (!o->is_known) continue;
      arb_clear(o->lost);
      _arb_vec_clear(o->probabilities, (slong)o->outputs.len);
      vec_clear(&o->outputs);
    }
    free(d->table[level]);
    sampler_unref(d->samplers[level]);
  }
  for (size_t i = 0; i < d->outputs.len; i++)
    rvalue_clear(&d->outputs.at[i]);
  vec_clear(&d->outputs);
  free(d->is_valid);
  free(d->most);
  free(d->least);
  free(d->lost);
  arb_clear(d->factor);
  arb_clear(d->delta);
  intern_clear(&d->names);
  ptrmap_clear(&d->numbers);
  finite_symbolic_close(d->symbolic);
  finite_inputs_clear(&d->inputs);
}

static bool has_zero(const struct rvalue *v) {
  int sign;
  if (!rvalue_is_seq(v)) return v->kind != RVALUE_BOOL && number_sign(&sign, v) && sign == 0;
  for (size_t i = 0; i < v->as.seq->len; i++)
    if (has_zero(&v->as.seq->at[i])) return true;
  return false;
}

/* The literal 0, which the checker has converted. (What is rounded to 0 may be -0.) */
static bool is_zero_literal(const struct ast_expr *e) {
  return e->kind == EXPR_CALL && e->as.call.callee_kind == CALLEE_BUILTIN &&
         (e->as.call.builtin == BUILTIN_TO_FLOAT || e->as.call.builtin == BUILTIN_TO_FLOAT32) &&
         e->as.call.args[0]->kind == EXPR_NUMBER &&
         fmpq_is_zero(e->as.call.args[0]->as.number.value);
}

/* x + 0 and |x| are never -0, whatever x is. */
static bool hides_sign(const struct ast_expr *e) {
  if (e->kind == EXPR_BINARY)
    return e->as.binary.op == BINARY_ADD && is_zero_literal(e->as.binary.right);
  return e->kind == EXPR_CALL && e->as.call.callee_kind == CALLEE_BUILTIN &&
         e->as.call.builtin == BUILTIN_ABS;
}

/* Of every result of the block. */
static bool all_hide_sign(const struct ast_block *block) {
  for (size_t i = 0; i < block->count; i++) {
    const struct ast_stmt *s = block->stmts[i];
    if (s->kind == STMT_RETURN && s->as.value && !hides_sign(s->as.value)) return false;
    if (s->kind == STMT_IF &&
        !(all_hide_sign(&s->as.branch.then) && all_hide_sign(&s->as.branch.otherwise)))
      return false;
    if (s->kind == STMT_WHILE && !all_hide_sign(&s->as.loop.body)) return false;
    if (s->kind == STMT_FOR && !all_hide_sign(&s->as.range.body)) return false;
  }
  return true;
}

/* Floats are known by their values; an observer tells +0 from -0. */
static bool outputs_are_known(struct decision *d) {
  const struct ast_routine *r = d->inputs.routine;
  const bool emits = r->emits && type_has_float(r->emits->type);
  const bool returns = r->returns && type_has_float(r->returns->type);
  if (!emits && (!returns || (type_is_float(r->returns->type) && all_hide_sign(&r->plain))))
    return true;
  for (size_t i = 0; i < d->outputs.len; i++)
    if (has_zero(&d->outputs.at[i]))
      return give_up(d, "an output is a floating-point zero, whose sign is not known: return "
                        "`e + 0` for `e`, which is never -0");
  return true;
}

static bool run_all(struct decision *d) {
  const char *why = NULL;
  if (!finite_inputs_init(&d->inputs, d->claim, &why)) return give_up(d, why);
  if (d->claim->claim->as.claim.notion != NOTION_PURE || d->claim->claim->as.claim.formula)
    return give_up(d, "finite claims are decided for epsilon and delta only");
  d->result->inputs = d->inputs.count;
  d->is_valid = xcalloc(d->inputs.count + 1, sizeof *d->is_valid);
  for (int level = 0; level < LEVELS; level++)
    d->table[level] = xcalloc(d->inputs.count + 1, sizeof(struct outcomes));
  if (!check_assumptions(d) || !set_costs(d)) return false;
  for (size_t i = 0; i < d->inputs.count; i++)
    if (!check_requires(d, i) || !compute(d, i, 0)) return false;
  if (!fill_tables(d)) return false;
  bool ok = finite_pairs(&d->inputs, d->budget, visit, d, &why);
  if (why) give_up(d, why);
  if (ok && !d->result->pairs)
    return give_up(d, "no two of these inputs are adjacent, so the claim would say nothing");
  return ok && outputs_are_known(d);
}

void finite_decide(struct finite_result *r, const struct program_claim *claim,
                   const struct budget *budget) {
  struct decision d;
  decision_init(&d, r, claim, budget);
  if (run_all(&d)) r->status = FINITE_PROVED;
  decision_clear(&d);
}

void finite_result_init(struct finite_result *r) {
  *r = (struct finite_result){.status = FINITE_UNKNOWN};
  program_counterexample_init(&r->ce);
}

void finite_result_clear(struct finite_result *r) {
  free(r->why);
  program_counterexample_clear(&r->ce);
}
