#include "search/goals/samplers.h"

#include "kernel/dist.h"
#include "search/base/text.h"
#include "term/build.h"
#include "term/subst.h"

/* `while a { v := v + 1; a <$ Bernoulli(p) }`, or with the coin first and `if a { v := v + 1 }`. */
struct coin_loop {
  term_id coin, count, chance;
  bool counts_first;
};

struct proposal {
  struct auto_problem *p;
  struct terms *ts;
  struct text text;
  term_id outcome;
  long rank; /* of loops that reject */
};

static const struct core *first_of(const struct core *c) {
  return c->kind == CORE_SEQ ? c->first : c;
}

static const struct core *rest_of(const struct core *c) {
  return c->kind == CORE_SEQ ? c->second : core_skip();
}

/* v := v + 1 */
static bool is_count(struct terms *ts, const struct core *c) {
  return c->kind == CORE_ASSIGN && term_sort(ts, c->var) == SORT_INT &&
         c->expr == term_add(ts, c->var, term_int(ts, 1));
}

static bool is_toss(const struct core *c, term_id coin) {
  return c->kind == CORE_SAMPLE && c->dist == DIST_BERNOULLI && c->var == coin;
}

static bool find_coin_loop(struct terms *ts, const struct core *loop, struct coin_loop *out) {
  const struct core *one = first_of(loop->first), *two = first_of(rest_of(loop->first));
  const struct core *none = rest_of(rest_of(loop->first));
  if (term_kind(ts, loop->expr) != TERM_VAR || none->kind != CORE_SKIP) return false;
  *out = (struct coin_loop){.coin = loop->expr};
  out->counts_first = is_count(ts, one) && is_toss(two, loop->expr);
  bool counts_last = is_toss(one, loop->expr) && two->kind == CORE_IF && two->expr == loop->expr &&
                     is_count(ts, two->first) && two->second->kind == CORE_SKIP;
  if (!out->counts_first && !counts_last) return false;
  out->count = out->counts_first ? one->var : two->first->var;
  out->chance = out->counts_first ? two->args[0] : one->args[0];
  return true;
}

/* ---- laws ------------------------------------------------------------------------------------- */

/* The number of the coin that is tossed next. */
static term_id next_number(struct proposal *q, const struct coin_loop *l) {
  return l->counts_first ? term_add(q->ts, l->count, term_int(q->ts, 1)) : l->count;
}

/* With g = p[v := 1]. Whether p is g/v the kernel sees. */
static void put_counting(struct proposal *q, const struct coin_loop *l) {
  struct text *t = &q->text;
  term_id one = term_int(q->ts, 1), g = term_subst(q->ts, l->chance, &l->count, &one, 1);
  text_line(t, "invariant %t >= 1;", l->count);
  text_line(t, "rank if %t then (if %t = 1 then 3 else 2) else 0 at most 3;", l->coin, l->count);
  for (int odd = 1; odd >= 0; odd--)
    text_line(t,
              "law %s(if %t then stops_odd(%t, %t) else if %t mod 2 = 1 then 1 else 0): "
              "%t = %s, %t = false;",
              odd ? "" : "1 - ", l->coin, g, next_number(q, l), l->count, l->count, odd ? "1" : "2",
              l->coin);
}

/* The probability that the count ends at `at`, given as text. */
static void put_geometric_mass(struct proposal *q, const struct coin_loop *l, const char *at) {
  term_id x = term_arg(q->ts, l->chance, 0);
  text_put(&q->text,
           "(if %t then (if %t <= %s then (1 - %t)*exp((%s - (%t))*(%t)) else 0) "
           "else if %t = %s then 1 else 0)",
           l->coin, next_number(q, l), at, l->chance, at, next_number(q, l), x, l->count, at);
}

/* At |outcome|, at 0, and anywhere else: what comes after the loop compares with nothing but these. */
static void put_geometric(struct proposal *q, const struct coin_loop *l) {
  struct text *t = &q->text;
  const char *o = text_of(q->p, q->outcome);
  const char *far = arena_printf(q->p->arena, "abs(%s)", o ? o : "");
  text_line(t, "invariant %t >= 0;", l->count);
  text_put(t, "law ");
  put_geometric_mass(q, l, far);
  text_line(t, ": %t = %s, %t = false;", l->count, far, l->coin);
  text_put(t, "law if %s = 0 then 0 else ", o);
  put_geometric_mass(q, l, "0");
  text_line(t, ": %t = 0, %t = false;", l->count, l->coin);
  text_put(t, "law 1 - ");
  put_geometric_mass(q, l, far);
  text_put(t, " - (if %s = 0 then 0 else ", o);
  put_geometric_mass(q, l, "0");
  text_line(t, "): %t = %s + 1, %t = false;", l->count, far, l->coin);
}

/* What the program returns at its end: a variable, or the result itself. */
static term_id returned_variable(struct proposal *q, const struct core *c, term_id result) {
  while (c->kind == CORE_SEQ)
    c = c->second;
  bool is_copy = c->kind == CORE_ASSIGN && c->var == result;
  return is_copy && term_kind(q->ts, c->expr) == TERM_VAR ? c->expr : result;
}

/* The flag whose value ends the loop. */
static bool find_flag(struct terms *ts, term_id guard, term_id *flag, bool *ends) {
  *ends = term_kind(ts, guard) == TERM_NOT;
  *flag = *ends ? term_arg(ts, guard, 0) : guard;
  return term_kind(ts, *flag) == TERM_VAR;
}

/* `y <$ D(e, b); c <$ Bernoulli(exp(u));`: noise that is accepted with a probability of its own. */
static const struct core *find_accepting(struct terms *ts, const struct core *c) {
  for (; c->kind == CORE_SEQ; c = c->second) {
    const struct core *draw = c->first, *coin = first_of(c->second);
    if (draw->kind == CORE_SAMPLE && dist_is_everywhere(draw->dist) && coin->kind == CORE_SAMPLE &&
        coin->dist == DIST_BERNOULLI && term_kind(ts, coin->args[0]) == TERM_EXP &&
        term_mentions(ts, coin->args[0], &draw->var, 1))
      return c;
  }
  return NULL;
}

/* One over the probability that a round is accepted. Where a draw of D is accepted with e^u, that is
 * Pr[D' = e]/(Pr[D = e] e^u(e)) for D' of the claim, at any e; its norm is in `probability`. */
static const char *rounds(struct proposal *q, const struct core *loop) {
  struct terms *ts = q->ts;
  const struct core *pair = find_accepting(ts, loop->first);
  const struct distribution *aim = claim_law(q->p->goal);
  if (!pair || !dist_is_everywhere(aim->dist)) return arena_printf(q->p->arena, "%ld", q->rank);
  const struct core *draw = pair->first, *coin = first_of(pair->second);
  const struct distribution own = {draw->dist, draw->args, draw->arg_count};
  term_id e = draw->args[0], u = term_arg(ts, coin->args[0], 0);
  term_id x = term_sub(ts, dist_exponent(ts, aim, e), dist_exponent(ts, aim, q->outcome));
  x = term_sub(ts, x, term_subst(ts, u, &draw->var, &e, 1));
  const char *exponent = text_of(q->p, x);
  const char *norm = text_of(q->p, dist_mass(ts, own.dist, own.args, e));
  return exponent && norm ? arena_printf(q->p->arena, "probability*exp(%s)/(%s)", exponent, norm)
                          : "1";
}

static void put_rejecting(struct proposal *q, const struct core *loop) {
  const struct lowered *program = claim_program(q->p->goal);
  term_id y = returned_variable(q, program->program, program->result), flag;
  bool ends;
  if (!find_flag(q->ts, loop->expr, &flag, &ends)) return;
  const char *most = rounds(q, loop);
  text_line(&q->text, "rank if %t then %s else 0 at most %s;", loop->expr, most, most);
  text_line(&q->text, "law if %t then probability else if %t = %t then 1 else 0: %t = %t, %t = %s;",
            loop->expr, y, q->outcome, y, q->outcome, flag, ends ? "true" : "false");
}

/* ---- proofs ----------------------------------------------------------------------------------- */

static void put_loops(struct proposal *q, const struct core *c, unsigned *number);

static void put_loop(struct proposal *q, const struct core *loop, unsigned number) {
  struct coin_loop l;
  unsigned inside = 0;
  text_line(&q->text, "loop %u {", number);
  if (!find_coin_loop(q->ts, loop, &l))
    put_rejecting(q, loop);
  else if (term_mentions(q->ts, l.chance, &l.count, 1))
    put_counting(q, &l);
  else if (term_kind(q->ts, l.chance) == TERM_EXP && term_sort(q->ts, q->outcome) == SORT_INT)
    put_geometric(q, &l);
  put_loops(q, loop->first, &inside);
  text_line(&q->text, "}");
}

/* Numbered as proof text does it: those of a scope, not those inside its loops. */
static void put_loops(struct proposal *q, const struct core *c, unsigned *number) {
  if (c->kind == CORE_SEQ || c->kind == CORE_IF) {
    put_loops(q, c->first, number);
    put_loops(q, c->second, number);
  }
  if (c->kind == CORE_WHILE) put_loop(q, c, ++*number);
}

void auto_samplers(struct auto_problem *p, struct auto_search *s) {
  static const long ranks[] = {2, 4, 16};
  const struct core *program = claim_program(p->goal)->program;
  for (size_t i = 0; i < sizeof ranks / sizeof *ranks && !auto_done(s); i++) {
    struct proposal q = {.p = p, .ts = p->ts, .outcome = claim_outcome(p->goal), .rank = ranks[i]};
    unsigned number = 0;
    text_init(&q.text, p);
    text_line(&q.text, "{");
    put_loops(&q, program, &number);
    text_line(&q.text, "}");
    const char *text = text_take(&q.text);
    if (text) auto_try(s, &(struct auto_candidate){text, NULL, 1});
    if (!core_has_loop(program)) break;
  }
}
