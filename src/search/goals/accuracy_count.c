#include "search/goals/accuracy_count.h"

#include "term/build.h"
#include "term/linear.h"
#include "term/subst.h"

static bool writes(const struct core *c, term_id x) {
  if ((c->kind == CORE_ASSIGN || c->kind == CORE_SAMPLE) && c->var == x) return true;
  return c->kind == CORE_ADVERSARY || (c->first && writes(c->first, x)) ||
         (c->second && writes(c->second, x));
}

/* x := x + steps */
static bool assigned_steps(struct terms *ts, const struct core *c, term_id x, long *steps) {
  term_id more = c->kind == CORE_ASSIGN ? term_sub(ts, c->expr, x) : TERM_NONE;
  if (more == TERM_NONE || !term_is_num(ts, more)) return false;
  const fmpq *value = term_num_value(ts, more);
  if (!fmpz_is_one(fmpq_denref(value)) || !fmpz_fits_si(fmpq_numref(value))) return false;
  *steps = fmpz_get_si(fmpq_numref(value));
  return true;
}

bool count_steps(struct terms *ts, const struct core *code, term_id x, long *steps) {
  long first, second;
  *steps = 0;
  if (!writes(code, x)) return true;
  if (code->kind == CORE_ASSIGN) return assigned_steps(ts, code, x, steps);
  if (code->kind != CORE_SEQ && code->kind != CORE_IF) return false;
  if (!count_steps(ts, code->first, x, &first) || !count_steps(ts, code->second, x, &second))
    return false;
  *steps = code->kind == CORE_SEQ ? first + second : first;
  return code->kind == CORE_SEQ || first == second;
}

/* The value at the head of a loop that is entered with `value`. */
static term_id at_head(struct terms *ts, const struct core *loop, term_id x, term_id value,
                       term_id index) {
  long steps;
  if (!count_steps(ts, loop->first, x, &steps)) return TERM_NONE;
  if (!steps) return value;
  if (loop->var == TERM_NONE) return TERM_NONE;
  return term_add(ts, value, term_mul(ts, term_int(ts, steps), term_sub(ts, index, loop->args[0])));
}

/* The value of x behind the code, from `value` before it; TERM_NONE: not known. */
static term_id behind(struct terms *ts, const struct core *c, term_id x, term_id value) {
  if (!writes(c, x)) return value;
  if (c->kind == CORE_SEQ) return behind(ts, c->second, x, behind(ts, c->first, x, value));
  if (c->kind == CORE_ASSIGN && !term_mentions(ts, c->expr, &x, 1))
    return term_is_num(ts, c->expr) ? c->expr : TERM_NONE;
  if (value == TERM_NONE) return TERM_NONE;
  if (c->kind == CORE_ASSIGN) return term_subst(ts, c->expr, &x, &value, 1);
  if (c->kind == CORE_WHILE)
    return at_head(ts, c, x, value, c->var == TERM_NONE ? TERM_NONE : c->args[1]);
  if (c->kind != CORE_IF) return TERM_NONE;
  term_id then = behind(ts, c->first, x, value), no = behind(ts, c->second, x, value);
  return then == no ? then : TERM_NONE;
}

static bool holds(const struct core *c, const struct core *loop) {
  return c == loop || (c->first && holds(c->first, loop)) || (c->second && holds(c->second, loop));
}

/* The value when the loop is entered. */
static term_id find(struct terms *ts, const struct core *c, const struct core *loop, term_id x,
                    term_id value) {
  if (c == loop) return value;
  if (c->kind == CORE_WHILE) {
    value = value == TERM_NONE ? TERM_NONE : at_head(ts, c, x, value, c->var);
    return find(ts, c->first, loop, x, value);
  }
  if (holds(c->first, loop)) return find(ts, c->first, loop, x, value);
  if (c->kind == CORE_SEQ) value = behind(ts, c->first, x, value);
  return find(ts, c->second, loop, x, value);
}

term_id count_before(struct terms *ts, const struct core *program, const struct core *loop,
                     term_id x) {
  return holds(program, loop) ? find(ts, program, loop, x, TERM_NONE) : TERM_NONE;
}

term_id count_at(struct terms *ts, const struct core *program, const struct core *loop, term_id x) {
  term_id value = count_before(ts, program, loop, x);
  return value == TERM_NONE ? TERM_NONE : at_head(ts, loop, x, value, loop->var);
}
