#include "kernel/outcomes.h"

#include <string.h>

#include "kernel/dist.h"
#include "kernel/internal.h"
#include "kernel/sampling.h"
#include "term/build.h"
#include "term/linear.h"
#include "term/subst.h"

enum { SYMBOLS = 4 };

/* A sample that is not followed value by value: between two points with the distribution function
 * `low` and `high` there; TERM_NONE: without end. */
struct symbol {
  term_id name; /* a fresh logical variable */
  enum dist_kind dist;
  const term_id *args;
  size_t arg_count;
  term_id low, high;
};

struct state {
  term_id *values; /* of engine.vars; TERM_NONE: never read again */
  term_id weight;  /* probability of being here, without that of the symbols */
  term_id reached; /* a condition on the memory before: otherwise the code does not come here */
  struct symbol symbols[SYMBOLS];
  size_t symbol_count;
};

typedef VEC(struct state) state_list;

struct engine {
  struct kernel *k;
  struct terms *ts;
  const char *rule;
  unsigned run;
  term_list vars; /* what the code writes, in the run */
  term_list valid;
  size_t steps, depth;
};

static bool fail(struct engine *e, const struct core *c, const char *message) {
  kernel_fail(e->k, e->rule, c->span, "%s", message);
  return false;
}

/* ---- states --------------------------------------------------------------------------------- */

static term_id *copy_values(struct engine *e, const term_id *values) {
  term_id *copy = arena_alloc(&e->k->arena, (e->vars.len + 1) * sizeof *copy); /* never empty */
  if (e->vars.len) memcpy(copy, values, e->vars.len * sizeof *copy);
  return copy;
}

/* A term of the program in this state. TERM_NONE if it reads what was forgotten. */
static term_id value_of(struct engine *e, const struct state *s, term_id t) {
  term_id tagged = kernel_tag(e->k, t, e->run);
  if (tagged == TERM_NONE) return TERM_NONE;
  term_list from = {0}, to = {0};
  bool ok = true;
  for (size_t i = 0; i < e->vars.len && ok; i++) {
    if (!term_mentions(e->ts, tagged, &e->vars.at[i], 1)) continue;
    ok = s->values[i] != TERM_NONE;
    vec_push(&from, e->vars.at[i]);
    vec_push(&to, s->values[i]);
  }
  term_id value = ok ? term_subst(e->ts, tagged, from.at, to.at, from.len) : TERM_NONE;
  vec_clear(&from);
  vec_clear(&to);
  return value;
}

static bool mentions_symbol(struct engine *e, const struct state *s, term_id t) {
  for (size_t i = 0; i < s->symbol_count; i++)
    if (term_mentions(e->ts, t, &s->symbols[i].name, 1)) return true;
  return false;
}

static bool set_var(struct engine *e, struct state *s, const struct core *c, term_id value) {
  term_id var = term_var_in_run(e->ts, c->var, e->run);
  value = value == TERM_NONE ? TERM_NONE : term_coerce(e->ts, value, term_sort(e->ts, var));
  if (value == TERM_NONE) return fail(e, c, "the value is too large or not well formed");
  s->values = copy_values(e, s->values);
  for (size_t i = 0; i < e->vars.len; i++)
    if (e->vars.at[i] == var) s->values[i] = value;
  return true;
}

static bool same_symbols(const struct state *a, const struct state *b) {
  if (a->symbol_count != b->symbol_count) return false;
  for (size_t i = 0; i < a->symbol_count; i++)
    if (a->symbols[i].name != b->symbols[i].name || a->symbols[i].low != b->symbols[i].low ||
        a->symbols[i].high != b->symbols[i].high)
      return false;
  return true;
}

static struct state *find_state(struct engine *e, const state_list *list, const struct state *s) {
  for (size_t i = 0; i < list->len; i++)
    if (memcmp(list->at[i].values, s->values, e->vars.len * sizeof *s->values) == 0 &&
        same_symbols(&list->at[i], s))
      return &list->at[i];
  return NULL;
}

/* Adds a state, or its weight to that of an equal one. */
static bool add_state(struct engine *e, const struct core *c, state_list *list, struct state s) {
  if (s.weight == TERM_NONE || s.reached == TERM_NONE)
    return fail(e, c, "a probability is too large or not well formed");
  if (s.weight == term_rat(e->ts, 0, 1) || s.reached == e->ts->false_term) return true;
  struct state *old = find_state(e, list, &s);
  if (old) {
    old->weight = term_add(e->ts, old->weight, s.weight);
    old->reached = term_or(e->ts, old->reached, s.reached);
    return true;
  }
  if (list->len >= OUTCOMES_STATES)
    return fail(e, c, "there are more than 4096 combinations of values here (OUTCOMES_STATES)");
  vec_push(list, s);
  return true;
}

/* ---- symbols -------------------------------------------------------------------------------- */

/* What the symbol contributes: the distribution function grows, so an empty interval has 0. */
static term_id interval_mass(struct terms *ts, const struct symbol *y) {
  term_id zero = term_rat(ts, 0, 1), one = term_rat(ts, 1, 1);
  if (y->low == TERM_NONE) return y->high == TERM_NONE ? one : y->high;
  if (y->high == TERM_NONE) return term_sub(ts, one, y->low);
  return term_max(ts, zero, term_sub(ts, y->high, y->low));
}

/* Symbols that no value mentions any more become part of the weight. */
static void settle_symbols(struct engine *e, struct state *s) {
  size_t kept = 0;
  for (size_t i = 0; i < s->symbol_count; i++) {
    bool used = false;
    for (size_t v = 0; v < e->vars.len && !used; v++)
      used =
          s->values[v] != TERM_NONE && term_mentions(e->ts, s->values[v], &s->symbols[i].name, 1);
    if (used)
      s->symbols[kept++] = s->symbols[i];
    else
      s->weight = term_mul(e->ts, s->weight, interval_mass(e->ts, &s->symbols[i]));
  }
  s->symbol_count = kept;
}

/* A comparison says: symbol <= cut, or its negation. */
struct cut {
  size_t symbol;
  term_id point;
  bool is_below;
};

/* a <= b or a < b as a cut: 0 <= c*y + rest with a number c. */
static bool as_cut(struct engine *e, const struct state *s, term_id atom, struct cut *out) {
  struct terms *ts = e->ts;
  for (out->symbol = 0; out->symbol < s->symbol_count; out->symbol++)
    if (term_mentions(ts, atom, &s->symbols[out->symbol].name, 1)) break;
  if (out->symbol == s->symbol_count) return false;
  term_id y = s->symbols[out->symbol].name, zero = term_int(ts, 0);
  term_id form = term_sub(ts, term_arg(ts, atom, 1), term_arg(ts, atom, 0));
  term_id rest = form == TERM_NONE ? TERM_NONE : term_subst(ts, form, &y, &zero, 1);
  if (rest == TERM_NONE || mentions_symbol(e, s, rest)) return false;
  term_id slope = term_sub(ts, form, rest); /* is it c*y? */
  fmpq_t c;
  fmpq_init(c);
  term_id name;
  bool ok = slope != TERM_NONE && term_split_coefficient(ts, slope, c, &name) && name == y &&
            !fmpq_is_zero(c);
  bool is_int = term_sort(ts, y) == SORT_INT, up = ok && fmpq_sgn(c) > 0;
  ok = ok && (!is_int || fmpq_is_one(c) || fmpq_equal_si(c, -1));
  if (ok) {
    fmpq_inv(c, c);
    fmpq_neg(c, c);
    out->point = term_mul(ts, term_num(ts, c, is_int ? SORT_INT : SORT_REAL), rest);
    /* integers: y >= p and y < p are cut at p - 1 */
    bool strict = term_kind(ts, atom) == TERM_LT;
    if (is_int && strict != up) out->point = term_sub(ts, out->point, term_int(ts, 1));
    out->is_below = !up;
  }
  fmpq_clear(c);
  return ok && out->point != TERM_NONE && (!is_int || term_sort(ts, out->point) == SORT_INT);
}

/* The state with the symbol on one side of the cut. */
static bool beyond(struct engine *e, struct state *s, const struct cut *cut, bool below) {
  struct symbol *y = &s->symbols[cut->symbol];
  term_id p = dist_at_most(e->ts, y->dist, y->args, y->arg_count, cut->point);
  if (p == TERM_NONE) return false;
  if (below)
    y->high = y->high == TERM_NONE ? p : term_min(e->ts, y->high, p);
  else
    y->low = y->low == TERM_NONE ? p : term_max(e->ts, y->low, p);
  return true;
}

/* A comparison in t that mentions a symbol; TERM_NONE: there is none. */
static term_id symbolic_atom(struct engine *e, const struct state *s, term_id t) {
  if (s->symbol_count == 0 || !mentions_symbol(e, s, t)) return TERM_NONE;
  term_list parts = {0};
  term_subterms(e->ts, t, &parts);
  term_id found = TERM_NONE;
  for (size_t i = 0; i < parts.len && found == TERM_NONE; i++) {
    enum term_kind kind = term_kind(e->ts, parts.at[i]);
    bool compares =
        kind == TERM_LE || kind == TERM_LT ||
        (kind == TERM_EQ && sort_is_numeric(term_sort(e->ts, term_arg(e->ts, parts.at[i], 0))));
    if (compares && mentions_symbol(e, s, parts.at[i])) found = parts.at[i];
  }
  vec_clear(&parts);
  return found;
}

/* A value in a state that knows all comparisons of symbols in it. */
struct resolved {
  struct state state;
  term_id value;
};
typedef VEC(struct resolved) resolved_list;

static bool resolve(struct engine *e, const struct core *c, struct state s, term_id value,
                    resolved_list *out) {
  if (value == TERM_NONE) return fail(e, c, "the value is too large or not well formed");
  term_id atom = symbolic_atom(e, &s, value);
  if (atom == TERM_NONE) {
    vec_push(out, (struct resolved){s, value});
    return true;
  }
  if (term_kind(e->ts, atom) == TERM_EQ) { /* neither above nor below */
    term_id a = term_arg(e->ts, atom, 0), b = term_arg(e->ts, atom, 1);
    term_id both = term_and(e->ts, term_le(e->ts, a, b), term_le(e->ts, b, a));
    return resolve(e, c, s, term_replace(e->ts, value, &atom, &both, 1), out);
  }
  struct cut cut;
  if (!as_cut(e, &s, atom, &cut))
    return fail(e, c, "a sample can only be compared with what does not depend on samples here");
  if (out->len >= OUTCOMES_STATES)
    return fail(e, c, "there are more than 4096 combinations of values here (OUTCOMES_STATES)");
  for (int yes = 0; yes < 2; yes++) {
    struct state branch = s;
    term_id from[] = {atom, term_not(e->ts, atom)};
    term_id to[] = {term_bool(e->ts, yes), term_bool(e->ts, !yes)};
    if (!beyond(e, &branch, &cut, yes == cut.is_below))
      return fail(e, c, "the distribution function has no closed form");
    if (!resolve(e, c, branch, term_replace(e->ts, value, from, to, 2), out)) return false;
  }
  return true;
}

/* ---- statements ----------------------------------------------------------------------------- */

static bool run(struct engine *e, const struct core *c, const term_list *live, struct state s,
                state_list *out);

static bool run_assign(struct engine *e, const struct core *c, struct state s, state_list *out) {
  if (!kernel_is_writable(e->k, c->var)) return fail(e, c, "the variable cannot be assigned to");
  resolved_list cases = {0};
  bool ok = resolve(e, c, s, value_of(e, &s, c->expr), &cases);
  for (size_t i = 0; i < cases.len && ok; i++)
    ok = set_var(e, &cases.at[i].state, c, cases.at[i].value) &&
         add_state(e, c, out, cases.at[i].state);
  vec_clear(&cases);
  return ok;
}

/* One of the values of a sample. */
static bool sampled(struct engine *e, const struct core *c, struct state s, term_id value,
                    term_id probability, state_list *out) {
  s.weight = term_mul(e->ts, s.weight, probability);
  return set_var(e, &s, c, value) && add_state(e, c, out, s);
}

static bool run_symbol(struct engine *e, const struct core *c, struct state s,
                       const struct sampling *d, state_list *out) {
  term_id name = kernel_fresh(e->k, "sample", d->sort);
  if (dist_at_most(e->ts, c->dist, d->args, c->arg_count, name) == TERM_NONE)
    return fail(e, c, "the distribution has no outcomes to be listed and no closed form");
  if (s.symbol_count == SYMBOLS)
    return fail(e, c, "more than 4 samples without finitely many values are alive at once");
  s.symbols[s.symbol_count++] =
      (struct symbol){name, c->dist, d->args, c->arg_count, TERM_NONE, TERM_NONE};
  return set_var(e, &s, c, name) && add_state(e, c, out, s);
}

/* high - low if that is a number >= 0 and within limits, else -1. */
static long width_of(struct engine *e, const struct sampling *d) {
  term_id width = term_sub(e->ts, d->args[1], d->args[0]);
  if (width == TERM_NONE || !term_is_num(e->ts, width)) return -1;
  const fmpq *n = term_num_value(e->ts, width);
  if (fmpq_sgn(n) < 0 || fmpz_cmp_si(fmpq_numref(n), OUTCOMES_STATES) >= 0) return -1;
  return fmpz_get_si(fmpq_numref(n));
}

static bool run_values(struct engine *e, const struct core *c, struct state s,
                       const struct sampling *d, state_list *out) {
  struct terms *ts = e->ts;
  if (c->dist == DIST_BERNOULLI) {
    term_id p = term_coerce(ts, d->args[0], SORT_REAL);
    return sampled(e, c, s, term_bool(ts, true), p, out) &&
           sampled(e, c, s, term_bool(ts, false), term_sub(ts, term_int(ts, 1), p), out);
  }
  bool is_set = c->dist == DIST_UNIFORM_SET;
  long width = is_set ? (long)c->arg_count - 1 : width_of(e, d);
  if (width < 0) return run_symbol(e, c, s, d, out);
  for (long i = 0; i <= width; i++) {
    term_id value = is_set ? d->args[i] : term_add(ts, d->args[0], term_int(ts, i));
    if (!sampled(e, c, s, value, term_rat(ts, 1, (unsigned long)width + 1), out)) return false;
  }
  return true;
}

static bool run_sample(struct engine *e, const struct core *c, struct state s, state_list *out) {
  struct sampling d;
  if (!sampling_open(e->k, e->rule, c, e->run, &d)) return false;
  for (size_t i = 0; i < c->arg_count; i++) {
    d.args[i] = value_of(e, &s, c->args[i]);
    if (d.args[i] == TERM_NONE) return fail(e, c, "a parameter is not well formed");
    if (mentions_symbol(e, &s, d.args[i]))
      return fail(e, c, "a parameter depends on a sample without finitely many values");
  }
  if (dist_sample_sort(e->ts, c->dist, d.args, c->arg_count) != d.sort)
    return fail(e, c, "the parameters do not fit the distribution");
  term_id valid = sampling_valid(e->k, e->rule, &d);
  vec_push(&e->valid, term_implies(e->ts, s.reached, valid));
  bool finite =
      c->dist == DIST_BERNOULLI || c->dist == DIST_UNIFORM_INT || c->dist == DIST_UNIFORM_SET;
  return finite ? run_values(e, c, s, &d, out) : run_symbol(e, c, s, &d, out);
}

/* A branch on the memory: states that both ways lead to are one, whose weight tells them apart. */
static bool run_branches(struct engine *e, const struct core *c, const term_list *live,
                         struct state s, term_id condition, state_list *out) {
  struct terms *ts = e->ts;
  term_id zero = term_rat(ts, 0, 1);
  state_list ends[2] = {{0}, {0}};
  bool ok = true;
  for (int yes = 0; yes < 2 && ok; yes++) {
    struct state branch = s;
    branch.weight = term_rat(ts, 1, 1);
    branch.reached = term_and(ts, s.reached, yes ? condition : term_not(ts, condition));
    if (branch.reached == TERM_NONE) ok = fail(e, c, "a condition is too large");
    ok = ok && run(e, yes ? c->first : c->second, live, branch, &ends[yes]);
  }
  for (int yes = 0; yes < 2 && ok; yes++)
    for (size_t i = 0; i < ends[yes].len && ok; i++) {
      struct state end = ends[yes].at[i];
      struct state *other = find_state(e, &ends[!yes], &end);
      if (other && !yes) continue; /* comes with the other list */
      term_id no = other ? other->weight : zero;
      term_id weight =
          yes ? term_ite(ts, condition, end.weight, no) : term_ite(ts, condition, zero, end.weight);
      end.weight = term_mul(ts, s.weight, weight);
      if (other) end.reached = s.reached; /* either way */
      ok = add_state(e, c, out, end);
    }
  vec_clear(&ends[0]);
  vec_clear(&ends[1]);
  return ok;
}

static bool run_if(struct engine *e, const struct core *c, const term_list *live, struct state s,
                   state_list *out) {
  resolved_list cases = {0};
  bool ok = resolve(e, c, s, value_of(e, &s, c->expr), &cases);
  for (size_t i = 0; i < cases.len && ok; i++) {
    term_id b = cases.at[i].value;
    if (mentions_symbol(e, &cases.at[i].state, b))
      ok = fail(e, c, "a sample without finitely many values can only be compared here");
    else if (b == e->ts->true_term || b == e->ts->false_term)
      ok = run(e, b == e->ts->true_term ? c->first : c->second, live, cases.at[i].state, out);
    else
      ok = run_branches(e, c, live, cases.at[i].state, b, out);
  }
  vec_clear(&cases);
  return ok;
}

/* Forgets what is not read any more. */
static void forget(struct engine *e, const term_list *live, struct state *s) {
  s->values = copy_values(e, s->values);
  for (size_t i = 0; i < e->vars.len; i++) {
    bool read = false;
    for (size_t j = 0; j < live->len && !read; j++)
      read = term_var_in_run(e->ts, live->at[j], e->run) == e->vars.at[i];
    if (!read) s->values[i] = TERM_NONE;
  }
  settle_symbols(e, s);
}

/* What is read later if `second` comes before `live` is needed. */
static void live_before(struct engine *e, const struct core *second, const term_list *live,
                        term_list *out) {
  for (size_t i = 0; i < live->len; i++)
    vec_push(out, live->at[i]);
  core_reads(e->ts, second, out);
}

/* The states after c, without what is not read any more. */
static bool run_merged(struct engine *e, const struct core *c, const term_list *live,
                       struct state s, state_list *out) {
  state_list reached = {0};
  bool ok = run(e, c, live, s, &reached);
  for (size_t i = 0; i < reached.len && ok; i++) {
    forget(e, live, &reached.at[i]);
    ok = add_state(e, c, out, reached.at[i]);
  }
  vec_clear(&reached);
  return ok;
}

/* first, then `second` from each state it ends in. */
static bool run_both(struct engine *e, const struct core *first, const struct core *second,
                     const term_list *live, struct state s, state_list *out) {
  term_list between = {0};
  state_list merged = {0};
  live_before(e, second, live, &between);
  bool ok = run_merged(e, first, &between, s, &merged);
  for (size_t i = 0; i < merged.len && ok; i++)
    ok = run(e, second, live, merged.at[i], out);
  vec_clear(&between);
  vec_clear(&merged);
  return ok;
}

/* One iteration from each state whose guard is true, until there is none. */
static bool run_while(struct engine *e, const struct core *c, const term_list *live, struct state s,
                      state_list *out) {
  term_list between = {0};
  state_list now = {0};
  live_before(e, c, live, &between);
  vec_push(&now, s);
  bool ok = true;
  for (size_t iteration = 0; now.len && ok; iteration++) {
    state_list next = {0};
    if (iteration > OUTCOMES_ITERATIONS)
      ok = fail(e, c, "the loop goes on after 512 iterations (OUTCOMES_ITERATIONS)");
    for (size_t i = 0; i < now.len && ok; i++) {
      term_id guard = value_of(e, &now.at[i], c->expr);
      if (guard == e->ts->false_term)
        ok = add_state(e, c, out, now.at[i]);
      else if (guard == e->ts->true_term)
        ok = run_merged(e, c->first, &between, now.at[i], &next);
      else
        ok = fail(e, c, "the number of iterations is not a number that can be read off here");
    }
    vec_clear(&now);
    now = next;
  }
  vec_clear(&between);
  vec_clear(&now);
  return ok;
}

static bool run_any(struct engine *e, const struct core *c, const term_list *live, struct state s,
                    state_list *out) {
  switch (c->kind) {
  case CORE_SKIP: return add_state(e, c, out, s);
  case CORE_ASSIGN: return run_assign(e, c, s, out);
  case CORE_SAMPLE: return run_sample(e, c, s, out);
  case CORE_SEQ: return run_both(e, c->first, c->second, live, s, out);
  case CORE_IF: return run_if(e, c, live, s, out);
  case CORE_WHILE: return run_while(e, c, live, s, out);
  case CORE_ADVERSARY: return fail(e, c, "the outcomes of unknown code cannot be listed");
  }
  return false;
}

static bool run(struct engine *e, const struct core *c, const term_list *live, struct state s,
                state_list *out) {
  if (++e->steps > OUTCOMES_STEPS)
    return fail(e, c, "listing the outcomes takes more than 200000 steps (OUTCOMES_STEPS)");
  if (e->depth >= OUTCOMES_DEPTH)
    return fail(e, c, "the code has more than 1000 statements in a row (OUTCOMES_DEPTH)");
  e->depth++;
  bool ok = run_any(e, c, live, s, out);
  e->depth--;
  return ok;
}

/* ---- outcomes ------------------------------------------------------------------------------- */

static bool contains(const term_list *list, term_id t) {
  for (size_t i = 0; i < list->len; i++)
    if (list->at[i] == t) return true;
  return false;
}

static void add_outcome(struct engine *e, struct outcomes *out, const term_id *values, size_t count,
                        term_id probability) {
  for (size_t i = 0; i < out->list.len; i++)
    if (memcmp(out->list.at[i].values, values, count * sizeof *values) == 0) {
      struct outcome *o = &out->list.at[i];
      o->probability = term_add(e->ts, o->probability, probability);
      return;
    }
  vec_push(&out->list, (struct outcome){values, probability});
}

static bool take_outcomes(struct engine *e, const struct core *c, const state_list *ends,
                          const term_id *keys, size_t count, struct outcomes *out) {
  for (size_t i = 0; i < ends->len; i++) {
    struct state s = ends->at[i];
    term_id *values = arena_alloc(&e->k->arena, (count + 1) * sizeof *values);
    for (size_t j = 0; j < count; j++) {
      values[j] = value_of(e, &s, keys[j]);
      if (values[j] == TERM_NONE) return fail(e, c, "an outcome is not well formed");
      if (mentions_symbol(e, &s, values[j]))
        return fail(e, c, "an outcome depends on a sample without finitely many values");
    }
    if (s.weight == TERM_NONE) return fail(e, c, "a probability is too large");
    add_outcome(e, out, values, count, s.weight);
  }
  return true;
}

bool outcomes_of(struct kernel *k, const char *rule, const struct core *c, unsigned run_of,
                 const term_id *keys, size_t count, struct outcomes *out) {
  struct engine e = {.k = k, .ts = k->terms, .rule = rule, .run = run_of};
  term_list written = {0}, live = {0};
  core_writes(c, &written);
  for (size_t i = 0; i < written.len; i++) {
    term_id var = term_var_in_run(k->terms, written.at[i], run_of);
    if (!contains(&e.vars, var)) vec_push(&e.vars, var);
  }
  for (size_t i = 0; i < count; i++)
    vec_push(&live, keys[i]);
  struct state start = {.weight = term_rat(k->terms, 1, 1), .reached = k->yes};
  start.values = copy_values(&e, e.vars.at);
  state_list ends = {0};
  bool ok = run_merged(&e, c, &live, start, &ends) && take_outcomes(&e, c, &ends, keys, count, out);
  out->valid = e.valid;
  vec_clear(&written);
  vec_clear(&live);
  vec_clear(&ends);
  vec_clear(&e.vars);
  return ok;
}

void outcomes_free(struct outcomes *o) {
  vec_clear(&o->list);
  vec_clear(&o->valid);
}
