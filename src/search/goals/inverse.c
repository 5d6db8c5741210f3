#include "search/goals/inverse.h"

#include "search/base/bounds.h"
#include "search/base/text.h"
#include "term/build.h"
#include "term/linear.h"
#include "term/subst.h"

enum { PROMISE_INVERSE = 5 };

struct inverse {
  struct auto_problem *p;
  struct auto_search *s;
  struct terms *ts;
  struct kernel *k;
  term_list vars, values; /* assigned so far, in terms of samples and inputs */
  term_id uniform, sign;  /* samples; TERM_NONE: not met */
  term_id first;          /* of the two */
  term_id noise, scale;   /* the variable that has the noise; TERM_NONE: not met */
};

static bool is_number(struct inverse *v, term_id t, long value) {
  return t == term_int(v->ts, value) || t == term_coerce(v->ts, term_int(v->ts, value), SORT_REAL);
}

static term_id resolved(struct inverse *v, term_id t) {
  return term_subst(v->ts, t, v->vars.at, v->values.at, v->vars.len);
}

static void note_sampling(struct inverse *v, const struct core *c) {
  if (c->dist == DIST_UNIFORM && is_number(v, c->args[0], 0) && is_number(v, c->args[1], 1))
    v->uniform = c->var;
  if (c->dist == DIST_UNIFORM_SET && c->arg_count == 2 &&
      ((is_number(v, c->args[0], -1) && is_number(v, c->args[1], 1)) ||
       (is_number(v, c->args[0], 1) && is_number(v, c->args[1], -1))))
    v->sign = c->var;
  if (v->first == TERM_NONE) v->first = v->uniform != TERM_NONE ? v->uniform : v->sign;
}

/* Is the value s*b*ln(u)? Then b. */
static term_id scale_of(struct inverse *v, term_id value) {
  struct terms *ts = v->ts;
  if (v->uniform == TERM_NONE || v->sign == TERM_NONE) return TERM_NONE;
  if (!term_mentions(ts, value, &v->uniform, 1) || !term_mentions(ts, value, &v->sign, 1))
    return TERM_NONE;
  term_id one = term_coerce(ts, term_int(ts, 1), term_sort(ts, v->sign));
  term_id plain = term_subst(ts, value, &v->sign, &one, 1);
  term_id b = term_div(ts, term_to_real(ts, plain), term_ln(ts, v->uniform));
  b = b == TERM_NONE ? TERM_NONE : cost_simplified(ts, b);
  if (b == TERM_NONE) return TERM_NONE;
  return term_mentions(ts, b, &v->uniform, 1) || term_mentions(ts, b, &v->sign, 1) ? TERM_NONE : b;
}

/* w := rest + z: the noise moves against the rest. */
static void propose(struct inverse *v, term_id sum) {
  struct terms *ts = v->ts;
  term_id rest = resolved(v, term_sub(ts, sum, v->noise));
  if (rest == TERM_NONE || term_mentions(ts, rest, &v->noise, 1)) return;
  term_id one = kernel_tag(v->k, rest, 1), two = kernel_tag(v->k, rest, 2);
  if (one == TERM_NONE || two == TERM_NONE) return;
  struct known known;
  known_init(&known, v->p, CLAIM_FORWARD);
  struct bounds b = known_bounds(&known, TERM_NONE, term_sub(ts, two, one));
  term_id most = b.low == TERM_NONE || b.high == TERM_NONE
                     ? TERM_NONE
                     : known_larger(&known, term_neg(ts, b.low), b.high);
  known_clear(&known);
  struct text out;
  text_init(&out, v->p);
  text_open(&out, "{");
  text_line(&out, "laplace %t from %t scale %t;", v->noise, v->first, v->scale);
  text_begin(&out, "sample %t: shift %t", v->noise, term_sub(ts, one, two));
  if (most != TERM_NONE) text_print(&out, " within %t", most);
  text_end(&out, ";");
  text_close(&out, "}");
  const char *proof = text_take(&out);
  term_id cost = most == TERM_NONE ? TERM_NONE : term_div(ts, most, v->scale);
  const char *price = cost == TERM_NONE ? NULL : text_of(v->p, cost_simplified(ts, cost));
  if (proof && (price || !v->p->wants_least))
    auto_try(v->s,
             &(struct auto_candidate){proof, v->p->wants_least ? price : NULL, PROMISE_INVERSE});
}

static void note_assignment(struct inverse *v, const struct core *c) {
  if (v->noise != TERM_NONE && term_mentions(v->ts, c->expr, &v->noise, 1)) {
    propose(v, c->expr);
    return;
  }
  term_id value = resolved(v, c->expr);
  term_id b = v->noise == TERM_NONE ? scale_of(v, value) : TERM_NONE;
  if (b != TERM_NONE) {
    v->noise = c->var;
    v->scale = b;
    return;
  }
  for (size_t i = 0; i < v->vars.len; i++)
    if (v->vars.at[i] == c->var) {
      v->values.at[i] = value;
      return;
    }
  vec_push(&v->vars, c->var);
  vec_push(&v->values, value);
}

void auto_inverse(struct auto_problem *p, struct auto_search *s) {
  struct inverse v = {.p = p,
                      .s = s,
                      .ts = p->ts,
                      .k = claim_kernel(p->goal, CLAIM_FORWARD),
                      .uniform = TERM_NONE,
                      .sign = TERM_NONE,
                      .first = TERM_NONE,
                      .noise = TERM_NONE};
  const struct core *c = claim_program(p->goal)->program;
  for (bool more = true; more && !auto_done(s); c = c->second) {
    more = c->kind == CORE_SEQ;
    const struct core *first = more ? c->first : c;
    if (first->kind == CORE_SAMPLE)
      note_sampling(&v, first);
    else if (first->kind == CORE_ASSIGN)
      note_assignment(&v, first);
    else
      break;
    if (!more) break;
  }
  vec_clear(&v.vars);
  vec_clear(&v.values);
}
