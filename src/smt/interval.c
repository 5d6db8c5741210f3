#include "smt/interval.h"

#include <stdlib.h>

#include "base/work.h"
#include "smt/derive.h"
#include "term/build.h"
#include "term/eval.h"
#include "term/subst.h"

struct search {
  struct terms *ts;
  const term_list *hyps;
  struct evaluator ev;
  size_t boxes;            /* looked at so far */
  int64_t deadline;        /* on the clock of work */
  size_t terms;            /* in the table at the start */
  struct memo derivatives; /* (term, variable) -> derivative */
};

/* ---- balls over a box ------------------------------------------------------------------------ */

static void bind(struct search *s, const struct box *box) {
  eval_reset(&s->ev);
  arb_t x, y;
  arb_init(x);
  arb_init(y);
  for (size_t i = 0; i < box->sides.len; i++) {
    const struct box_side *side = &box->sides.at[i];
    if (!side->has_low || !side->has_high) continue; /* unknown */
    if (fmpq_equal(&side->low, &side->high)) {
      eval_assign(&s->ev, side->var, tvalue_exact(&s->ev, &side->low));
      continue;
    }
    arb_set_fmpq(x, &side->low, INTERVAL_BITS);
    arb_set_fmpq(y, &side->high, INTERVAL_BITS);
    arb_union(x, x, y, INTERVAL_BITS);
    eval_assign(&s->ev, side->var, tvalue_ball(&s->ev, x));
  }
  arb_clear(x);
  arb_clear(y);
}

/* -1: f < 0 on the box, 1: f > 0, 0: f <= 0 certainly, 2: finite but undecided, 3: not finite. */
static int ball_sign(struct search *s, term_id f, const struct box *box) {
  bind(s, box);
  const struct tvalue *v = eval_term(&s->ev, f);
  arb_t x;
  arb_init(x);
  int result = 3;
  if (tvalue_get_ball(v, x, INTERVAL_BITS) && arb_is_finite(x)) {
    if (arb_is_negative(x))
      result = -1;
    else if (arb_is_positive(x))
      result = 1;
    else
      result = arb_is_nonpositive(x) ? 0 : 2;
  }
  arb_clear(x);
  return result;
}

static bool excluded(struct search *s, const struct box *box) {
  bind(s, box);
  for (size_t i = 0; i < s->hyps->len; i++)
    if (eval_truth(&s->ev, s->hyps->at[i]) == 0) return true;
  return false;
}

/* ---- monotone faces -------------------------------------------------------------------------- */

static bool below(struct search *s, term_id f, bool strict, const struct box *box, int depth);

/* f with the variable at an end of the box. */
static term_id on_face(struct search *s, term_id f, const struct box_side *side, bool high) {
  term_id end = term_num(s->ts, high ? &side->high : &side->low, SORT_REAL);
  return term_subst(s->ts, f, &side->var, &end, 1);
}

static term_id derivative(struct search *s, term_id f, term_id var) {
  uint64_t key = ((uint64_t)var << 32) | f;
  uint32_t known;
  if (memo_find(&s->derivatives, key, &known)) return known;
  term_id d = term_derivative(s->ts, f, var);
  memo_put(&s->derivatives, key, d);
  return d;
}

static bool exhausted(const struct search *s) {
  return s->boxes > INTERVAL_BOXES || s->ts->nodes.len > s->terms + INTERVAL_TERMS ||
         work_now() >= s->deadline;
}

/* f is monotone in the variable: f < 0 or f <= 0 on the face where f is largest. When the
 * derivative has a strict sign and the face is no part of the domain, f <= 0 there gives f < 0
 * elsewhere. */
static bool by_face(struct search *s, term_id f, bool strict, const struct box *box,
                    const struct box_side *side, int depth) {
  term_id d = derivative(s, f, side->var);
  if (d == TERM_NONE || exhausted(s)) return false;
  for (int rising = 0; rising < 2; rising++) {
    term_id slope = rising ? term_neg(s->ts, d) : d; /* to be shown <= 0 */
    bool open = rising ? side->high_open : side->low_open;
    bool relax = strict && open && below(s, slope, true, box, depth - 1);
    if (!relax && !below(s, slope, false, box, depth - 1)) continue;
    return below(s, on_face(s, f, side, rising), strict && !relax, box, depth);
  }
  return false;
}

/* Proves f <= 0 (strict: f < 0) on the box without cutting it. */
static bool below(struct search *s, term_id f, bool strict, const struct box *box, int depth) {
  if (f == TERM_NONE) return false;
  int sign = ball_sign(s, f, box);
  if (sign == -1 || (sign == 0 && !strict)) return true;
  if (sign == 1 || sign == 3 || depth <= 0) return false;
  for (size_t i = 0; i < box->sides.len; i++) {
    const struct box_side *side = &box->sides.at[i];
    if (!side->has_low || !side->has_high || term_sort(s->ts, side->var) != SORT_REAL) continue;
    if (!term_mentions(s->ts, f, &side->var, 1)) continue;
    if (by_face(s, f, strict, box, side, depth)) return true;
  }
  return false;
}

/* ---- cutting --------------------------------------------------------------------------------- */

/* The widest side that occurs in f, measured against the box we started with. */
static struct box_side *widest(struct search *s, term_id f, struct box *box,
                               const struct box *start) {
  struct box_side *best = NULL;
  fmpq width, whole, ratio;
  fmpq_init(&width);
  fmpq_init(&whole);
  fmpq_init(&ratio);
  for (size_t i = 0; i < box->sides.len; i++) {
    struct box_side *side = &box->sides.at[i];
    if (!side->has_low || !side->has_high || !term_mentions(s->ts, f, &side->var, 1)) continue;
    fmpq_sub(&width, &side->high, &side->low);
    if (fmpq_is_zero(&width)) continue;
    fmpq_sub(&whole, &start->sides.at[i].high, &start->sides.at[i].low);
    fmpq_div(&width, &width, &whole);
    if (best && fmpq_cmp(&width, &ratio) <= 0) continue;
    fmpq_set(&ratio, &width);
    best = side;
  }
  fmpq_clear(&width);
  fmpq_clear(&whole);
  fmpq_clear(&ratio);
  return best;
}

/* The halves share the cut; an open end stays with its half. */
static bool cut(struct search *s, struct box *box, struct box_side *side, struct box *other) {
  size_t index = (size_t)(side - box->sides.at);
  bool is_int = term_sort(s->ts, side->var) == SORT_INT;
  box_copy(other, box);
  fmpq middle;
  fmpq_init(&middle);
  fmpq_add(&middle, &side->low, &side->high);
  fmpq_div_2exp(&middle, &middle, 1);
  if (is_int) fmpz_fdiv_q(fmpq_numref(&middle), fmpq_numref(&middle), fmpq_denref(&middle));
  if (is_int) fmpz_one(fmpq_denref(&middle));
  struct box_side *right = &other->sides.at[index];
  fmpq_set(&right->low, &middle);
  if (is_int) fmpq_add_si(&right->low, &right->low, 1);
  right->low_open = false;
  fmpq_set(&side->high, &middle);
  side->high_open = false;
  fmpq_clear(&middle);
  return true;
}

static bool prove_boxes(struct search *s, term_id f, bool strict, const struct box *start) {
  VEC(struct box) work = {0};
  struct box first;
  box_copy(&first, start);
  vec_push(&work, first);
  bool ok = true;
  while (ok && work.len) {
    struct box box = vec_pop(&work);
    s->boxes++;
    ok = !exhausted(s);
    if (ok && !below(s, f, strict, &box, INTERVAL_DEPTH) && !excluded(s, &box)) {
      struct box_side *side = widest(s, f, &box, start);
      ok = side != NULL && ball_sign(s, f, &box) != 1;
      struct box other;
      if (ok && cut(s, &box, side, &other)) {
        vec_push(&work, other);
        vec_push(&work, box);
        continue;
      }
    }
    box_clear(&box);
  }
  for (size_t i = 0; i < work.len; i++)
    box_clear(&work.at[i]);
  vec_clear(&work);
  return ok;
}

/* Every variable of f bounded on both sides? */
static bool is_bounded(struct terms *ts, const struct box *box, term_id f) {
  term_list vars = {0};
  term_free_vars(ts, f, &vars);
  bool ok = true;
  for (size_t i = 0; ok && i < vars.len; i++) {
    struct box_side *side = box_find(box, vars.at[i]);
    ok = side && side->has_low && side->has_high;
  }
  vec_clear(&vars);
  return ok;
}

bool interval_prove(struct terms *ts, const term_list *hyps, term_id goal, int64_t deadline) {
  enum term_kind kind = term_kind(ts, goal);
  if (kind != TERM_LE && kind != TERM_LT) return false;
  term_id f = term_to_real(ts, term_sub(ts, term_arg(ts, goal, 0), term_arg(ts, goal, 1)));
  struct box box;
  box_init(&box);
  box_read(&box, ts, hyps, goal);
  bool proved = box.empty;
  if (!proved && f != TERM_NONE && is_bounded(ts, &box, f)) {
    struct search s = {.ts = ts, .hyps = hyps, .deadline = deadline, .terms = ts->nodes.len};
    eval_init(&s.ev, ts);
    s.ev.precision = INTERVAL_BITS;
    proved = prove_boxes(&s, f, kind == TERM_LT, &box);
    eval_clear(&s.ev);
    memo_clear(&s.derivatives);
  }
  box_clear(&box);
  return proved;
}
