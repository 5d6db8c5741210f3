#include "search/goals/coins.h"

#include <string.h>

#include "search/base/bounds.h"
#include "search/base/lists.h"
#include "search/base/paths.h"
#include "term/build.h"
#include "term/subst.h"

enum { PASSES = 6 };

/* Values of the atoms in both runs. */
struct valuation {
  bool truth[2][COIN_ATOMS];
};

/* One run in the middle of the code. */
struct side {
  unsigned run;
  VEC(const struct core *) todo;
  const struct core *pending; /* the sampling it has come to */
  term_list vars, values;
};

struct play {
  struct coins *g;
  struct valuation val;
  term_list inputs;              /* private: never written */
  term_list tagged[2], truth[2]; /* atoms in each run, and their values */
  bool failed;
};

void coins_clear(struct coins *g) {
  vec_clear(&g->outputs);
  vec_clear(&g->atoms);
  vec_clear(&g->copies);
}

/* ---- needs ---------------------------------------------------------------------------------- */

static const struct need HOPELESS = {TERM_NONE, TERM_NONE};

static bool is_hopeless(struct need n) {
  return n.mul == TERM_NONE;
}

static struct need nothing(struct coins *g) {
  return (struct need){term_rat(g->ts, 0, 1), term_rat(g->ts, 1, 1)};
}

static term_id log_of(struct coins *g, term_id mul) {
  if (mul == term_rat(g->ts, 1, 1)) return term_rat(g->ts, 0, 1);
  if (term_kind(g->ts, mul) == TERM_DIV &&
      points_at_most(g->points, term_arg(g->ts, mul, 1), term_int(g->ts, 0)))
    return term_ln(g->ts, term_div(g->ts, term_neg(g->ts, term_arg(g->ts, mul, 0)),
                                   term_neg(g->ts, term_arg(g->ts, mul, 1))));
  return cost_simplified(g->ts, term_ln(g->ts, mul));
}

static struct need larger(struct coins *g, struct need a, struct need b) {
  if (is_hopeless(a) || is_hopeless(b)) return HOPELESS;
  if (points_at_most(g->points, a.mul, b.mul)) return b;
  return points_at_most(g->points, b.mul, a.mul) ? a : HOPELESS;
}

/* factor * n, as a logarithm of its own. */
static struct need times(struct coins *g, term_id factor, struct need n) {
  if (is_hopeless(n) || factor == TERM_NONE) return HOPELESS;
  term_id mul = cost_simplified(g->ts, term_mul(g->ts, factor, n.mul));
  return mul == n.mul ? n : (struct need){log_of(g, mul), mul};
}

/* Pays for the odds, then n. */
static struct need pay(struct coins *g, term_id chance, struct need n, term_id *cost) {
  term_id odds = cost_simplified(g->ts, term_div(g->ts, term_rat(g->ts, 1, 1), chance));
  if (odds == TERM_NONE || is_hopeless(n)) return HOPELESS;
  *cost = log_of(g, odds);
  return (struct need){term_add(g->ts, *cost, n.log),
                       cost_simplified(g->ts, term_mul(g->ts, odds, n.mul))};
}

static term_id complement(struct coins *g, term_id p) {
  return term_sub(g->ts, term_rat(g->ts, 1, 1), p);
}

/* ---- runs ----------------------------------------------------------------------------------- */

static struct side side_copy(const struct side *s) {
  struct side copy = {.run = s->run, .pending = s->pending};
  for (size_t i = 0; i < s->todo.len; i++)
    vec_push(&copy.todo, s->todo.at[i]);
  for (size_t i = 0; i < s->vars.len; i++) {
    vec_push(&copy.vars, s->vars.at[i]);
    vec_push(&copy.values, s->values.at[i]);
  }
  return copy;
}

static void side_clear(struct side *s) {
  vec_clear(&s->todo);
  vec_clear(&s->vars);
  vec_clear(&s->values);
}

static void side_set(struct side *s, term_id var, term_id value) {
  for (size_t i = 0; i < s->vars.len; i++)
    if (s->vars.at[i] == var) {
      s->values.at[i] = value;
      return;
    }
  vec_push(&s->vars, var);
  vec_push(&s->values, value);
}

/* A term of the program in this run, now, with the atoms decided. */
static term_id side_value(struct play *y, const struct side *s, term_id t) {
  struct terms *ts = y->g->ts;
  term_list from = {0}, to = {0};
  for (size_t i = 0; i < y->inputs.len; i++) {
    vec_push(&from, y->inputs.at[i]);
    vec_push(&to, term_var_in_run(ts, y->inputs.at[i], s->run));
  }
  for (size_t i = 0; i < s->vars.len; i++) {
    vec_push(&from, s->vars.at[i]);
    vec_push(&to, s->values.at[i]);
  }
  t = term_subst(ts, t, from.at, to.at, from.len);
  const term_list *atoms = &y->tagged[s->run - 1], *truth = &y->truth[s->run - 1];
  if (t != TERM_NONE) t = term_replace(ts, t, atoms->at, truth->at, atoms->len);
  vec_clear(&from);
  vec_clear(&to);
  if (t == TERM_NONE) y->failed = true;
  return t;
}

/* Up to the next sampling, or the end. */
static void side_advance(struct play *y, struct side *s) {
  const struct terms *ts = y->g->ts;
  while (!s->pending && s->todo.len && !y->failed) {
    const struct core *c = vec_pop(&s->todo);
    switch (c->kind) {
    case CORE_SKIP: break;
    case CORE_SEQ:
      vec_push(&s->todo, c->second);
      vec_push(&s->todo, c->first);
      break;
    case CORE_ASSIGN: side_set(s, c->var, side_value(y, s, c->expr)); break;
    case CORE_SAMPLE: s->pending = c; break;
    case CORE_IF: {
      term_id b = side_value(y, s, c->expr);
      if (b != ts->true_term && b != ts->false_term) y->failed = true;
      vec_push(&s->todo, b == ts->true_term ? c->first : c->second);
      break;
    }
    default: y->failed = true; break;
    }
  }
}

static size_t coin_index(const struct coins *g, const struct core *c) {
  size_t i = 0;
  while (c && i < g->count && g->coin[i].at != c)
    i++;
  return c ? i : COINS_LIMIT;
}

/* ---- the game ------------------------------------------------------------------------------- */

static struct need play_on(struct play *y, const struct side *one, const struct side *two);

/* The runs have these samples (TERM_NONE: that run does not move), then go on. */
static struct need after(struct play *y, const struct side *one, term_id v, const struct side *two,
                         term_id w) {
  struct side a = side_copy(one), b = side_copy(two);
  if (v != TERM_NONE) {
    side_set(&a, a.pending->var, v);
    a.pending = NULL;
  }
  if (w != TERM_NONE) {
    side_set(&b, b.pending->var, w);
    b.pending = NULL;
  }
  struct need n = play_on(y, &a, &b);
  side_clear(&a);
  side_clear(&b);
  return n;
}

static bool outputs_equal(struct play *y, const struct side *one, const struct side *two) {
  for (size_t i = 0; i < y->g->outputs.len; i++)
    if (side_value(y, one, y->g->outputs.at[i]) != side_value(y, two, y->g->outputs.at[i]))
      return false;
  return true;
}

static void worst(struct play *y, struct need *all, struct need n) {
  *all = is_hopeless(*all) ? n : larger(y->g, *all, n);
}

/* Uniform integers that both runs sample are equal. */
static struct need play_integer(struct play *y, struct coin *coin, const struct side *one,
                                const struct side *two) {
  const struct core *c = coin->at;
  for (size_t i = 0; i < c->arg_count; i++)
    if (side_value(y, one, c->args[i]) != side_value(y, two, c->args[i])) return HOPELESS;
  term_id v = kernel_fresh(y->g->k, "v", SORT_INT);
  struct need n = after(y, one, v, two, v);
  if (is_hopeless(n)) return HOPELESS;
  worst(y, &coin->after[0], n);
  return coin->before = coin->after[0];
}

static struct need play_pair(struct play *y, struct coin *coin, const struct side *one,
                             const struct side *two) {
  struct coins *g = y->g;
  struct terms *ts = g->ts;
  coin->met = true;
  if (coin->at->dist == DIST_UNIFORM_INT) return play_integer(y, coin, one, two);
  for (int v = 0; v <= 1; v++) {
    bool w = coin->choice == COIN_SAME   ? v
             : coin->choice == COIN_FLIP ? !v
                                         : coin->choice == COIN_MEET_TRUE;
    struct need n = after(y, one, term_bool(ts, v), two, term_bool(ts, w));
    if (is_hopeless(n)) return HOPELESS;
    worst(y, &coin->after[v], n);
    if (is_hopeless(coin->after[v])) return HOPELESS;
  }
  term_id p = side_value(y, one, coin->at->args[0]), q = side_value(y, two, coin->at->args[0]);
  struct need no = coin->after[0], yes = coin->after[1];
  if (coin->choice == COIN_SAME) {
    coin->before = p == q ? larger(g, no, yes) : HOPELESS;
  } else if (coin->choice == COIN_FLIP) {
    term_id up = term_div(ts, p, complement(g, q)), down = term_div(ts, complement(g, p), q);
    coin->before = larger(g, larger(g, times(g, up, yes), times(g, down, no)), larger(g, no, yes));
  } else {
    term_id sum = term_add(ts, term_mul(ts, p, yes.mul), term_mul(ts, complement(g, p), no.mul));
    term_id chance = coin->choice == COIN_MEET_TRUE ? q : complement(g, q);
    coin->before = times(g, term_div(ts, sum, chance), nothing(g));
  }
  return coin->before;
}

/* The adversary's own coin. */
static struct need play_first(struct play *y, const struct side *one, const struct side *two) {
  struct terms *ts = y->g->ts;
  if (one->pending->dist == DIST_UNIFORM_INT)
    return after(y, one, kernel_fresh(y->g->k, "v", SORT_INT), two, TERM_NONE);
  return larger(y->g, after(y, one, term_bool(ts, true), two, TERM_NONE),
                after(y, one, term_bool(ts, false), two, TERM_NONE));
}

/* What run 1 has put out, as the integer run 2 should hit. */
static term_id target(struct play *y, const struct side *one) {
  for (size_t i = 0; i < y->g->outputs.len; i++) {
    term_id t = side_value(y, one, y->g->outputs.at[i]);
    if (t != TERM_NONE && term_kind(y->g->ts, t) == TERM_CONS) t = term_arg(y->g->ts, t, 0);
    if (t != TERM_NONE && term_sort(y->g->ts, t) == SORT_INT) return t;
  }
  return TERM_NONE;
}

/* Aims must agree: one term for all histories. For bits it is an atom, its negation or a constant:
 * those that do not fit what is wanted here are ruled out. */
static bool aim_at(struct play *y, struct coin *coin, bool wanted) {
  struct coins *g = y->g;
  term_id current = coin->aim;
  if (current == TERM_NONE) return false;
  if (term_replace(g->ts, current, y->tagged[0].at, y->truth[0].at, y->tagged[0].len) ==
      term_bool(g->ts, wanted))
    return true;
  y->failed = true;
  return false;
}

/* Our own coin: any sample will do, or the one that is aimed at. */
static struct need play_second(struct play *y, const struct side *one, const struct side *two) {
  struct coins *g = y->g;
  struct terms *ts = g->ts;
  const struct core *c = two->pending;
  struct coin *coin = &g->coin[coin_index(g, c)];
  coin->alone = true;
  if (c->dist == DIST_UNIFORM_INT) {
    term_id any = kernel_fresh(g->k, "v", SORT_INT);
    struct need free_of_charge = after(y, one, TERM_NONE, two, any);
    if (!is_hopeless(free_of_charge)) return free_of_charge;
    term_id w = target(y, one), low = side_value(y, two, c->args[0]);
    if (w == TERM_NONE || (coin->aim != TERM_NONE && coin->aim != w)) return HOPELESS;
    coin->aim = w;
    term_id size = term_add(ts, term_sub(ts, side_value(y, two, c->args[1]), low), term_int(ts, 1));
    term_id chance = term_div(ts, term_rat(ts, 1, 1), size);
    return pay(g, chance, after(y, one, TERM_NONE, two, w), &coin->aim_cost);
  }
  struct need yes = after(y, one, TERM_NONE, two, term_bool(ts, true));
  struct need no = after(y, one, TERM_NONE, two, term_bool(ts, false));
  struct need any = larger(g, yes, no);
  if (!is_hopeless(any)) return any;
  bool wanted = !is_hopeless(yes);
  if (!wanted && is_hopeless(no)) return HOPELESS;
  if (!aim_at(y, coin, wanted)) return HOPELESS;
  term_id p = side_value(y, two, c->args[0]), cost[2];
  pay(g, complement(g, p), nothing(g), &cost[0]);
  struct need n = pay(g, wanted ? p : complement(g, p), wanted ? yes : no, &cost[wanted]);
  pay(g, p, nothing(g), &cost[1]);
  coin->aim_cost = term_ite(ts, coin->aim, cost[1], cost[0]);
  return n;
}

static struct need play_on(struct play *y, const struct side *one, const struct side *two) {
  struct side a = side_copy(one), b = side_copy(two);
  side_advance(y, &a);
  side_advance(y, &b);
  struct need n = HOPELESS;
  size_t i = coin_index(y->g, a.pending), j = coin_index(y->g, b.pending);
  if (y->failed)
    n = HOPELESS;
  else if (!a.pending && !b.pending)
    n = outputs_equal(y, &a, &b) ? nothing(y->g) : HOPELESS;
  else if (i == j)
    n = play_pair(y, &y->g->coin[i], &a, &b);
  else
    n = i < j ? play_first(y, &a, &b) : play_second(y, &a, &b);
  side_clear(&a);
  side_clear(&b);
  return n;
}

/* ---- setting up ----------------------------------------------------------------------------- */

struct collector {
  struct coins *g;
  term_list inputs, samples;
  bool ok;
};

/* Conditions on private data, and private values that are passed on. */
static void collect(struct collector *x, term_id t) {
  struct terms *ts = x->g->ts;
  if (!x->ok || !term_mentions(ts, t, x->inputs.at, x->inputs.len)) return;
  enum term_kind kind = term_kind(ts, t);
  bool is_bool = term_sort(ts, t) == SORT_BOOL;
  bool connective = kind == TERM_NOT || kind == TERM_AND || kind == TERM_OR ||
                    kind == TERM_IMPLIES || kind == TERM_ITE || kind == TERM_CONS ||
                    kind == TERM_TUPLE ||
                    (kind == TERM_EQ && term_sort(ts, term_arg(ts, t, 0)) == SORT_BOOL);
  if (connective) {
    for (size_t i = 0; i < term_arg_count(ts, t); i++)
      collect(x, term_arg(ts, t, i));
    return;
  }
  if (term_mentions(ts, t, x->samples.at, x->samples.len)) {
    x->ok = false;
    return;
  }
  terms_add(is_bool ? &x->g->atoms : &x->g->copies, t);
}

static void private_inputs(struct coins *g, term_list *inputs) {
  term_list written = {0};
  core_writes(claim_program(g->p->goal)->program, &written);
  for (size_t i = 0; i < kernel_var_count(g->k); i++) {
    term_id v = kernel_var_at(g->k, i);
    bool is_written = false;
    for (size_t w = 0; w < written.len && !is_written; w++)
      is_written = written.at[w] == v;
    if (!is_written) vec_push(inputs, v);
  }
  vec_clear(&written);
}

/* The samplings in the order of the text; they must be of the right kind. */
static bool find_coins(struct coins *g, const struct core *c) {
  switch (c->kind) {
  case CORE_SAMPLE:
    if (g->count == COINS_LIMIT || (c->dist != DIST_BERNOULLI && c->dist != DIST_UNIFORM_INT))
      return false;
    g->coin[g->count++] = (struct coin){.at = c};
    return true;
  case CORE_SEQ:
  case CORE_IF: return find_coins(g, c->first) && find_coins(g, c->second);
  case CORE_WHILE:
  case CORE_ADVERSARY: return false;
  default: return true;
  }
}

bool coins_init(struct coins *g, struct auto_problem *p, const struct points *points,
                const struct core *code) {
  *g = (struct coins){.p = p,
                      .k = claim_kernel(p->goal, CLAIM_FORWARD),
                      .ts = p->ts,
                      .points = points,
                      .code = code};
  const struct lowered *program = claim_program(p->goal);
  if (program->output != TERM_NONE) vec_push(&g->outputs, program->output);
  if (program->result != TERM_NONE) vec_push(&g->outputs, program->result);
  struct paths paths;
  struct collector x = {.g = g, .ok = find_coins(g, code) && g->count > 0};
  private_inputs(g, &x.inputs);
  x.ok = paths_find(g->k, code, &paths) && x.ok;
  for (size_t i = 0; x.ok && i < paths.samplings.len; i++)
    vec_push(&x.samples, paths.samplings.at[i].value);
  for (size_t i = 0; x.ok && i < paths.list.len; i++) {
    collect(&x, paths.list.at[i].condition);
    for (size_t v = 0; v < paths.list.at[i].vars.len; v++)
      collect(&x, paths.list.at[i].values.at[v]);
  }
  paths_clear(&paths);
  vec_clear(&x.inputs);
  vec_clear(&x.samples);
  return x.ok && g->atoms.len <= COIN_ATOMS && g->atoms.len + g->copies.len > 0;
}

term_id coins_same_data(const struct coins *g) {
  term_id all = term_bool(g->ts, true);
  struct play y = {.g = (struct coins *)g};
  private_inputs(y.g, &y.inputs);
  for (size_t i = 0; i < g->atoms.len + g->copies.len; i++) {
    term_id t = i < g->atoms.len ? g->atoms.at[i] : g->copies.at[i - g->atoms.len];
    all = term_and(g->ts, all,
                   term_eq(g->ts, term_tag(g->ts, t, 1, y.inputs.at, y.inputs.len),
                           term_tag(g->ts, t, 2, y.inputs.at, y.inputs.len)));
  }
  vec_clear(&y.inputs);
  return all;
}

/* ---- solving -------------------------------------------------------------------------------- */

/* One valuation: what it takes, in the worst history. */
static struct need play_valuation(struct coins *g, const struct valuation *val, bool *failed) {
  struct play y = {.g = g, .val = *val};
  private_inputs(g, &y.inputs);
  for (unsigned run = 1; run <= 2; run++)
    for (size_t a = 0; a < g->atoms.len; a++) {
      vec_push(&y.tagged[run - 1], term_tag(g->ts, g->atoms.at[a], run, y.inputs.at, y.inputs.len));
      vec_push(&y.truth[run - 1], term_bool(g->ts, val->truth[run - 1][a]));
    }
  struct side one = {.run = 1}, two = {.run = 2};
  vec_push(&one.todo, g->code);
  vec_push(&two.todo, g->code);
  struct need n = play_on(&y, &one, &two);
  *failed |= y.failed;
  side_clear(&one);
  side_clear(&two);
  vec_clear(&y.inputs);
  for (size_t r = 0; r < 2; r++) {
    vec_clear(&y.tagged[r]);
    vec_clear(&y.truth[r]);
  }
  return n;
}

/* All valuations in which something differs, with the choices made. */
static struct need play_all(struct coins *g) {
  struct need total = HOPELESS;
  bool failed = false;
  size_t count = (size_t)1 << (2 * g->atoms.len);
  for (size_t bits = 0; bits < count && !failed; bits++) {
    struct valuation val;
    bool differ = g->copies.len > 0;
    for (size_t a = 0; a < g->atoms.len; a++) {
      val.truth[0][a] = bits >> (2 * a) & 1;
      val.truth[1][a] = bits >> (2 * a + 1) & 1;
      differ |= val.truth[0][a] != val.truth[1][a];
    }
    if (!differ) continue;
    struct need n = play_valuation(g, &val, &failed);
    if (is_hopeless(n)) return HOPELESS;
    total = is_hopeless(total) ? n : larger(g, total, n);
    if (is_hopeless(total)) return HOPELESS;
  }
  return failed ? HOPELESS : total;
}

/* Until the worst case of every coin is known. */
static struct need settle(struct coins *g) {
  struct need total = HOPELESS;
  for (size_t pass = 0; pass < PASSES; pass++) {
    struct coin before[COINS_LIMIT];
    memcpy(before, g->coin, sizeof before);
    total = play_all(g);
    if (is_hopeless(total)) return HOPELESS;
    bool stable = true;
    for (size_t i = 0; i < g->count; i++)
      for (int v = 0; v <= 1; v++)
        stable &= g->coin[i].after[v].mul == before[i].after[v].mul;
    if (stable) return total;
  }
  return HOPELESS;
}

/* What a coin that run 2 tosses alone can be aimed at. */
static term_id aim_option(const struct coins *g, const term_list *inputs, size_t option) {
  if (option < 2) return term_bool(g->ts, option == 0);
  term_id a = term_tag(g->ts, g->atoms.at[(option - 2) / 2], 1, inputs->at, inputs->len);
  return option % 2 == 0 ? a : term_not(g->ts, a);
}

static bool is_better(const struct coins *g, struct need n, struct need best) {
  if (is_hopeless(n)) return false;
  return is_hopeless(best) || (points_at_most(g->points, n.mul, best.mul) &&
                               !points_at_most(g->points, best.mul, n.mul));
}

bool coins_solve(struct coins *g) {
  term_list inputs = {0};
  private_inputs(g, &inputs);
  struct coin best[COINS_LIMIT];
  g->total = HOPELESS;
  size_t aims = 2 + 2 * g->atoms.len, options = 1;
  for (size_t i = 0; i < g->count; i++)
    options *= g->coin[i].at->dist == DIST_BERNOULLI ? COIN_CHOICES * aims : 1;
  for (size_t option = 0; option < options && !budget_is_spent(g->p->budget); option++) {
    size_t rest = option;
    for (size_t i = 0; i < g->count; i++) {
      struct coin *c = &g->coin[i];
      *c = (struct coin){.at = c->at, .aim = TERM_NONE, .aim_cost = TERM_NONE};
      if (c->at->dist != DIST_BERNOULLI) continue;
      c->choice = (enum coin_choice)(rest % COIN_CHOICES);
      rest /= COIN_CHOICES;
      c->aim = aim_option(g, &inputs, rest % aims);
      rest /= aims;
    }
    struct need n = settle(g);
    if (!is_better(g, n, g->total)) continue;
    g->total = n;
    memcpy(best, g->coin, sizeof best);
  }
  vec_clear(&inputs);
  if (is_hopeless(g->total)) return false;
  memcpy(g->coin, best, sizeof best);
  for (size_t i = 0; i < g->count; i++)
    for (int v = 0; v <= 1; v++)
      if (!is_hopeless(g->coin[i].after[v]))
        g->coin[i].cost[v] = term_sub(g->ts, g->coin[i].before.log, g->coin[i].after[v].log);
  return true;
}
