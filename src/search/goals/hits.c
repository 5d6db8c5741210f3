#include "search/goals/hits.h"

#include "kernel/dist.h"
#include "search/base/bounds.h"
#include "search/base/text.h"
#include "search/complete/complete.h"
#include "term/build.h"
#include "term/subst.h"

enum { MAX_BLOCKS = 8, PROMISE_HITS = 5 };

/* The straight part of the program before a loop. */
struct prefix {
  term_list vars, values;          /* assigned so far, in terms of what is not */
  VEC(const struct core *) noises; /* samplings of noise that can move both ways */
};

struct hits {
  struct auto_problem *p;
  struct auto_search *s;
  struct terms *ts;
  struct prefix before;
  size_t tried;
};

/* A branch of the loop on low <= x and x <= high. */
struct between {
  const struct core *sampling, *branch;
  term_id low, high;
};

/* ---- looking at the loop --------------------------------------------------------------------- */

static const struct core *find_sampling(const struct core *c, term_id var) {
  if (c->kind == CORE_SAMPLE) return c->var == var ? c : NULL;
  if (c->kind != CORE_SEQ && c->kind != CORE_IF) return NULL;
  const struct core *found = find_sampling(c->first, var);
  return found ? found : find_sampling(c->second, var);
}

/* The ends of the interval that the condition puts x into. */
static bool is_between(struct hits *h, term_id condition, term_id x, struct between *out) {
  term_list parts = {0};
  out->low = out->high = TERM_NONE;
  term_conjuncts(h->ts, condition, &parts);
  for (size_t i = 0; i < parts.len && parts.len == 2; i++) {
    if (term_kind(h->ts, parts.at[i]) != TERM_LE) continue;
    term_id a = term_arg(h->ts, parts.at[i], 0), b = term_arg(h->ts, parts.at[i], 1);
    if (b == x) out->low = a;
    if (a == x) out->high = b;
  }
  vec_clear(&parts);
  return out->low != TERM_NONE && out->high != TERM_NONE;
}

static bool find_between(struct hits *h, const struct core *body, const struct core *c,
                         struct between *out) {
  if (c->kind != CORE_SEQ && c->kind != CORE_IF) return false;
  term_list vars = {0};
  bool found = false;
  if (c->kind == CORE_IF) term_free_vars(h->ts, c->expr, &vars);
  for (size_t i = 0; i < vars.len && !found; i++) {
    out->sampling = find_sampling(body, vars.at[i]);
    out->branch = c;
    found = out->sampling && out->sampling->dist == DIST_DISCRETE_LAPLACE &&
            is_between(h, c->expr, vars.at[i], out);
  }
  vec_clear(&vars);
  return found || find_between(h, body, c->first, out) || find_between(h, body, c->second, out);
}

/* ---- the counter ----------------------------------------------------------------------------- */

static bool writes(const struct core *c, const struct core *except, term_id var) {
  if (c == except) return false;
  switch (c->kind) {
  case CORE_ASSIGN:
  case CORE_SAMPLE: return c->var == var;
  case CORE_ADVERSARY: return c->var == var || c->state == var;
  case CORE_SEQ:
  case CORE_IF: return writes(c->first, except, var) || writes(c->second, except, var);
  case CORE_WHILE: return writes(c->first, except, var);
  default: return false;
  }
}

/* Does it change in the branch of the hits and nowhere else in the loop? */
static bool counts_hits(struct hits *h, const struct core *body, const struct between *b,
                        term_id counter) {
  term_list vars = {0};
  bool changes = false, elsewhere = false;
  term_free_vars(h->ts, counter, &vars);
  for (size_t i = 0; i < vars.len; i++) {
    changes |= writes(b->branch->first, NULL, vars.at[i]);
    elsewhere |= writes(body, b->branch->first, vars.at[i]);
  }
  vec_clear(&vars);
  return changes && !elsewhere;
}

/* s < t among the conditions of c, where s counts the hits. */
static bool find_counter(struct hits *h, const struct core *body, const struct between *b,
                         term_id condition, term_id *counter, term_id *most) {
  term_list parts = {0};
  bool found = false;
  term_conjuncts(h->ts, condition, &parts);
  for (size_t i = 0; i < parts.len && !found; i++) {
    if (term_kind(h->ts, parts.at[i]) != TERM_LT) continue;
    *counter = term_arg(h->ts, parts.at[i], 0);
    *most = term_arg(h->ts, parts.at[i], 1);
    found = term_sort(h->ts, *counter) == SORT_INT && counts_hits(h, body, b, *counter);
  }
  vec_clear(&parts);
  return found;
}

static bool find_counter_in(struct hits *h, const struct core *body, const struct between *b,
                            const struct core *c, term_id *counter, term_id *most) {
  if (c->kind != CORE_SEQ && c->kind != CORE_IF) return false;
  return (c->kind == CORE_IF && find_counter(h, body, b, c->expr, counter, most)) ||
         find_counter_in(h, body, b, c->first, counter, most) ||
         find_counter_in(h, body, b, c->second, counter, most);
}

/* ---- the bit --------------------------------------------------------------------------------- */

static bool is_unconditional(const struct core *body, const struct core *sampling) {
  for (; body->kind == CORE_SEQ; body = body->second)
    if (body->first == sampling) return true;
  return body == sampling;
}

/* A flag that the branch sets. */
static term_id find_flag(struct hits *h, const struct core *c) {
  if (c->kind == CORE_SEQ) {
    term_id first = find_flag(h, c->first);
    return first != TERM_NONE ? first : find_flag(h, c->second);
  }
  bool sets = c->kind == CORE_ASSIGN && c->expr == term_bool(h->ts, true);
  return sets && text_is_named(h->p, c->var) ? c->var : TERM_NONE;
}

/* ---- proposals ------------------------------------------------------------------------------- */

/* The factor of u in an end of the interval, a number. */
static bool slope(struct hits *h, term_id end, term_id u, fmpq *out) {
  term_id t = term_subst(h->ts, end, h->before.vars.at, h->before.values.at, h->before.vars.len);
  return terms_coefficient(h->ts, t, u, out);
}

static term_id half_of_delta(struct hits *h) {
  return term_div(h->ts, claim_delta(h->p->goal), term_int(h->ts, 2));
}

/* low = .. + c u, high = .. - c u: moving u by 1 against c moves both ends inwards. The interval is
 * wide unless u is far out on one side. */
static void propose(struct hits *h, const struct between *b, const struct core *noise,
                    const fmpq *c, unsigned loop, term_id counter, term_id most) {
  struct terms *ts = h->ts;
  term_id flag = find_flag(h, b->branch->first);
  if (h->tried++ >= MAX_BLOCKS) return;
  bool wide_above = fmpq_sgn(c) < 0; /* for large u */
  term_id u = noise->var, one = term_rat(ts, 1, 1);
  term_id reach = term_mul(ts, noise->args[1], term_ln(ts, term_div(ts, one, half_of_delta(h))));
  reach = cost_simplified(ts, reach);
  term_id event = wide_above ? term_le(ts, term_sub(ts, noise->args[0], reach), u)
                             : term_le(ts, u, term_add(ts, noise->args[0], reach));
  fmpq steps; /* both ends move by |c|, and the price leaves room for one more */
  fmpq_init(&steps);
  fmpq_abs(&steps, c);
  fmpq_mul_ui(&steps, &steps, 2);
  fmpq_add_ui(&steps, &steps, 1);
  term_id price = term_div(ts, term_num(ts, &steps, SORT_REAL), b->sampling->args[1]);
  fmpq_clear(&steps);
  struct text out;
  text_init(&out, h->p);
  text_line(&out, "{");
  text_line(&out, "sample %t: shift %s upto (%t);", u, wide_above ? "-1" : "1", event);
  text_line(&out, "loop %u {", loop);
  text_line(&out, "invariant %t <= %t;", counter, most);
  text_line(&out, "hits %t counted %t at most %t each %t omega %t;",
            flag != TERM_NONE ? flag : b->branch->expr, counter, most, cost_simplified(ts, price),
            half_of_delta(h));
  text_line(&out, "}");
  text_line(&out, "}");
  const char *block = text_take(&out);
  if (block) complete_block(h->p, h->s, block, PROMISE_HITS);
}

static void try_loop(struct hits *h, const struct core *loop, unsigned number) {
  struct between b;
  term_id counter, most;
  const struct core *body = loop->first;
  if (!find_between(h, body, body, &b)) return;
  if (!is_unconditional(body, b.sampling) && find_flag(h, b.branch->first) == TERM_NONE) return;
  if (!find_counter(h, body, &b, loop->expr, &counter, &most) &&
      !find_counter_in(h, body, &b, body, &counter, &most))
    return;
  fmpq low, high, sum;
  fmpq_init(&low);
  fmpq_init(&high);
  fmpq_init(&sum);
  for (size_t i = 0; i < h->before.noises.len && !auto_done(h->s); i++) {
    const struct core *noise = h->before.noises.at[i];
    bool both = slope(h, b.low, noise->var, &low) && slope(h, b.high, noise->var, &high);
    fmpq_add(&sum, &low, &high);
    if (both && fmpq_is_zero(&sum)) propose(h, &b, noise, &low, number, counter, most);
  }
  fmpq_clear(&low);
  fmpq_clear(&high);
  fmpq_clear(&sum);
}

/* ---- the program ----------------------------------------------------------------------------- */

static void forget(struct hits *h, term_id var) {
  for (size_t i = 0; i < h->before.vars.len;)
    if (h->before.vars.at[i] == var || term_mentions(h->ts, h->before.values.at[i], &var, 1)) {
      h->before.vars.at[i] = h->before.vars.at[--h->before.vars.len];
      h->before.values.at[i] = h->before.values.at[--h->before.values.len];
    } else {
      i++;
    }
}

static void pass(struct hits *h, const struct core *c, unsigned *loops) {
  term_list written = {0};
  term_id value = TERM_NONE;
  if (c->kind == CORE_ASSIGN)
    value = term_subst(h->ts, c->expr, h->before.vars.at, h->before.values.at, h->before.vars.len);
  if (c->kind == CORE_WHILE) try_loop(h, c, ++*loops);
  core_writes(c, &written);
  for (size_t i = 0; i < written.len; i++)
    forget(h, written.at[i]);
  vec_clear(&written);
  if (value != TERM_NONE && !term_mentions(h->ts, value, &c->var, 1)) {
    vec_push(&h->before.vars, c->var);
    vec_push(&h->before.values, value);
  }
  if (c->kind == CORE_SAMPLE && dist_shift_way(c->dist) == SHIFT_BOTH &&
      dist_can_shift(h->ts, notion_pure(), c->dist))
    vec_push(&h->before.noises, c);
}

void auto_hits(struct auto_problem *p, struct auto_search *s) {
  term_id delta = claim_delta(p->goal);
  bool has_delta = !term_is_num(p->ts, delta) || !fmpq_is_zero(term_num_value(p->ts, delta));
  if (!has_delta || p->wants_least) return;
  struct hits h = {.p = p, .s = s, .ts = p->ts};
  const struct core *c = claim_program(p->goal)->program;
  unsigned loops = 0;
  for (; c->kind == CORE_SEQ && !auto_done(s); c = c->second)
    pass(&h, c->first, &loops);
  if (!auto_done(s)) pass(&h, c, &loops);
  vec_clear(&h.before.vars);
  vec_clear(&h.before.values);
  vec_clear(&h.before.noises);
}
