#include "smt/witness.h"

#include <stdlib.h>

#include "smt/box.h"
#include "term/subst.h"

struct generator {
  uint64_t state;
};

/* splitmix64 */
static uint64_t next(struct generator *g) {
  uint64_t z = (g->state += UINT64_C(0x9E3779B97F4A7C15));
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

/* A number in [0, width]: an end, a dyadic fraction, or very near an end. */
static void pick_offset(struct generator *g, fmpq *out, const fmpq *width) {
  switch (next(g) % 6) {
  case 0: fmpq_zero(out); return;
  case 1: fmpq_set(out, width); return;
  case 2: fmpq_div_2exp(out, width, next(g) % 24); return;
  case 3:
    fmpq_div_2exp(out, width, 1 + next(g) % 24);
    fmpq_sub(out, width, out);
    return;
  default:
    fmpq_set_si(out, (slong)(next(g) % 256), 256);
    fmpq_mul(out, out, width);
    return;
  }
}

static void pick(struct generator *g, const struct box_side *s, bool is_int, fmpq *out) {
  fmpq width;
  fmpq_init(&width);
  if (s->has_low && s->has_high)
    fmpq_sub(&width, &s->high, &s->low);
  else
    fmpq_set_si(&width, (slong)(UINT64_C(1) << (next(g) % 12)), 1);
  pick_offset(g, out, &width);
  if (s->has_low) {
    fmpq_add(out, out, &s->low);
  } else if (s->has_high) {
    fmpq_sub(out, &s->high, out);
  } else if (next(g) % 2) {
    fmpq_neg(out, out);
  }
  if (is_int) {
    fmpz_fdiv_q(fmpq_numref(out), fmpq_numref(out), fmpq_denref(out));
    fmpz_one(fmpq_denref(out));
  }
  fmpq_clear(&width);
}

static bool is_simple(struct terms *ts, const term_list *vars) {
  for (size_t i = 0; i < vars->len; i++) {
    sort_id sort = term_sort(ts, vars->at[i]);
    if (!sort_is_numeric(sort) && sort != SORT_BOOL) return false;
  }
  return true;
}

static void assign_point(struct generator *g, struct terms *ts, const struct box *box,
                         const term_list *vars, struct model *m) {
  struct evaluator *ev = &m->ev;
  model_reset(m);
  fmpq q;
  fmpq_init(&q);
  for (size_t i = 0; i < vars->len; i++) {
    term_id var = vars->at[i];
    if (term_sort(ts, var) == SORT_BOOL) {
      eval_assign(ev, var, tvalue_bool(ev, next(g) % 2));
    } else {
      pick(g, box_find(box, var), term_sort(ts, var) == SORT_INT, &q);
      eval_assign(ev, var, tvalue_exact(ev, &q));
    }
    vec_push(&m->vars, var);
  }
  fmpq_clear(&q);
}

static bool refutes(struct model *m, const term_list *hyps, term_id goal) {
  if (eval_truth(&m->ev, goal) != 0) return false;
  for (size_t i = 0; i < hyps->len; i++)
    if (eval_truth(&m->ev, hyps->at[i]) != 1) return false;
  return true;
}

bool witness_find(struct terms *ts, const term_id *hypotheses, size_t count, term_id goal,
                  struct model *model) {
  term_list hyps = {0}, solved = {0}, values = {0}, vars = {0};
  for (size_t i = 0; i < count; i++)
    vec_push(&hyps, hypotheses[i]);
  box_solve_equations(ts, &hyps, &goal, &solved, &values);
  struct box box;
  box_init(&box);
  box_read(&box, ts, &hyps, goal);
  struct memo seen;
  memo_init(&seen);
  for (size_t i = 0; i <= hyps.len; i++) {
    term_list own = {0};
    term_free_vars(ts, i < hyps.len ? hyps.at[i] : goal, &own);
    uint32_t known;
    for (size_t k = 0; k < own.len; k++) {
      if (memo_find(&seen, own.at[k], &known)) continue;
      memo_put(&seen, own.at[k], 1);
      vec_push(&vars, own.at[k]);
    }
    vec_clear(&own);
  }
  memo_clear(&seen);
  bool found = false;
  struct generator g = {1};
  if (is_simple(ts, &vars) && !box.empty)
    for (size_t i = 0; !found && i < WITNESS_POINTS; i++) {
      assign_point(&g, ts, &box, &vars, model);
      found = refutes(model, &hyps, goal);
    }
  for (size_t i = 0; found && i < solved.len; i++) {
    eval_assign(&model->ev, solved.at[i], eval_term(&model->ev, values.at[i]));
    vec_push(&model->vars, solved.at[i]);
  }
  if (!found) model_reset(model);
  box_clear(&box);
  vec_clear(&hyps);
  vec_clear(&solved);
  vec_clear(&values);
  vec_clear(&vars);
  return found;
}
