#include "kernel/outcomes.h"

#include <string.h>

#include "kernel/dist.h"
#include "kernel/internal.h"
#include "kernel/outcome_cut.h"
#include "kernel/sampling.h"
#include "term/build.h"
#include "term/subst.h"

enum { SYMBOLS = 4 };

struct state {
  term_id *values; /* of engine.vars; TERM_NONE: never read again */
  term_id weight;  /* probability of being here, without that of the symbols */
  term_id reached; /* a condition on the memory before: otherwise the code does not come here */
  struct outcome_sample symbols[SYMBOLS];
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
  term_list names; /* of all symbols, in increasing order */
  size_t steps, depth;
};

static bool fail(struct engine *e, const struct core *c, const char *message) {
  kernel_fail(e->k, e->rule, c->span, "%s", message);
  return false;
}

static bool contains(const term_list *list, term_id t) {
  for (size_t i = 0; i < list->len; i++)
    if (list->at[i] == t) return true;
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
  return outcome_mentions(e->ts, s->symbols, s->symbol_count, t);
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
    if (a->symbols[i].name != b->symbols[i].name || a->symbols[i].above != b->symbols[i].above ||
        a->symbols[i].upto != b->symbols[i].upto || a->symbols[i].except != b->symbols[i].except)
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
      s->weight = term_mul(e->ts, s->weight, outcome_sample_mass(e->ts, &s->symbols[i]));
  }
  s->symbol_count = kept;
}

/* The state with the symbol on one side of the cut. */
static bool beyond(struct engine *e, struct state *s, const struct outcome_cut *cut, bool below) {
  struct outcome_sample *y = &s->symbols[cut->sample];
  term_id p = dist_at_most(e->ts, y->dist, y->args, y->arg_count, cut->point);
  if (p == TERM_NONE) return false;
  term_id *end = below ? &y->upto : &y->above, *there = below ? &y->high : &y->low;
  term_id (*nearer)(struct terms *, term_id, term_id) = below ? term_min : term_max;
  *there = *end == TERM_NONE ? p : nearer(e->ts, *there, p);
  *end = *end == TERM_NONE ? cut->point : nearer(e->ts, *end, cut->point);
  return *end != TERM_NONE;
}

/* A value in a state that knows all comparisons of symbols in it. */
struct resolved {
  struct state state;
  term_id value;
};
typedef VEC(struct resolved) resolved_list;

static bool resolve(struct engine *e, const struct core *c, struct state s, term_id value,
                    resolved_list *out);

static term_id decided(struct engine *e, term_id value, term_id atom, bool holds) {
  term_id from[] = {atom, term_not(e->ts, atom)};
  term_id to[] = {term_bool(e->ts, holds), term_bool(e->ts, !holds)};
  return term_replace(e->ts, value, from, to, 2);
}

/* symbol = point. An integer that it is not may be set apart, but only one. */
static bool resolve_equal(struct engine *e, const struct core *c, struct state s, term_id value,
                          term_id atom, resolved_list *out) {
  struct terms *ts = e->ts;
  term_id a = term_arg(ts, atom, 0), b = term_arg(ts, atom, 1), le = term_le(ts, a, b);
  struct outcome_cut cut;
  bool apart = term_sort(ts, a) == SORT_INT && term_kind(ts, le) == TERM_LE &&
               outcome_cut_of(ts, s.symbols, s.symbol_count, le, &cut) &&
               s.symbols[cut.sample].except == TERM_NONE;
  const struct outcome_sample *y = &s.symbols[apart ? cut.sample : 0];
  if (!apart || dist_mass(ts, y->dist, y->args, y->name) == TERM_NONE) { /* not above, not below */
    term_id both = term_and(ts, le, term_le(ts, b, a));
    return resolve(e, c, s, term_replace(ts, value, &atom, &both, 1), out);
  }
  /* symbol <= point, or symbol > point - 1 that was turned around: the point is in both ranges */
  term_id point = cut.is_below ? cut.point : term_add(ts, cut.point, term_int(ts, 1));
  struct state equal = s, other = s;
  struct outcome_cut upto = {cut.sample, point, true, TERM_NONE};
  struct outcome_cut above = {cut.sample, term_sub(ts, point, term_int(ts, 1)), true, TERM_NONE};
  if (point == TERM_NONE || above.point == TERM_NONE || !beyond(e, &equal, &upto, true) ||
      !beyond(e, &equal, &above, false))
    return fail(e, c, "the distribution function has no closed form");
  other.symbols[cut.sample].except = point;
  return resolve(e, c, equal, decided(e, value, atom, true), out) &&
         resolve(e, c, other, decided(e, value, atom, false), out);
}

static bool resolve(struct engine *e, const struct core *c, struct state s, term_id value,
                    resolved_list *out) {
  if (value == TERM_NONE) return fail(e, c, "the value is too large or not well formed");
  term_id atom = outcome_comparison(e->ts, s.symbols, s.symbol_count, value);
  if (atom == TERM_NONE) {
    vec_push(out, (struct resolved){s, value});
    return true;
  }
  if (term_kind(e->ts, atom) == TERM_EQ) return resolve_equal(e, c, s, value, atom, out);
  struct outcome_cut cut;
  if (!outcome_cut_of(e->ts, s.symbols, s.symbol_count, atom, &cut))
    return fail(e, c, "a sample can only be compared with what does not depend on samples here");
  if (cut.positive != TERM_NONE) {
    term_id positive = term_lt(e->ts, term_rat(e->ts, 0, 1), cut.positive);
    positive =
        kernel_label(e->k, positive, e->rule, c->span, "what a sample is multiplied by is > 0");
    vec_push(&e->valid, term_implies(e->ts, s.reached, positive));
  }
  if (out->len >= OUTCOMES_STATES)
    return fail(e, c, "there are more than 4096 combinations of values here (OUTCOMES_STATES)");
  for (int yes = 0; yes < 2; yes++) {
    struct state branch = s;
    if (!beyond(e, &branch, &cut, yes == cut.is_below))
      return fail(e, c, "the distribution function has no closed form");
    if (!resolve(e, c, branch, decided(e, value, atom, yes), out)) return false;
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
  vec_push(&e->names, name);
  s.symbols[s.symbol_count++] =
      (struct outcome_sample){.name = name, .dist = c->dist, .args = d->args, c->arg_count};
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
static bool run_counted(struct engine *e, const struct core *c, const term_list *between,
                        struct state s, state_list *out) {
  state_list now = {0};
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
        ok = run_merged(e, c->first, between, now.at[i], &next);
      else
        ok = fail(e, c, "the number of iterations is not a number that can be read off here");
    }
    vec_clear(&now);
    now = next;
  }
  vec_clear(&now);
  return ok;
}

/* No iteration reads what another has written, and neither does what comes after the loop: all of
 * them are alike, and the last one alone counts. */
static bool is_repeated(struct engine *e, const struct core *c, const term_list *live) {
  term_list written = {0};
  core_writes(c, &written);
  bool ok = core_is_random(c);
  for (size_t i = 0; i < written.len && ok; i++) {
    term_id x = written.at[i];
    bool later = term_mentions(e->ts, c->expr, &x, 1) || contains(live, x);
    ok = !core_reads_old(e->ts, c->first, x) && (!later || core_sets(c->first, x));
  }
  vec_clear(&written);
  return ok;
}

/* What an iteration or the guard after it finds in the state depends on no symbol: those of the loop
 * alone are looked at there. */
static bool starts_afresh(struct engine *e, const struct core *c, const struct state *s) {
  term_list read = {0};
  core_reads(e->ts, c, &read);
  bool ok = true;
  for (size_t j = 0; j < read.len && ok; j++) {
    term_id x = read.at[j], var = term_var_in_run(e->ts, x, e->run);
    bool found = core_reads_old(e->ts, c->first, x) || !core_sets(c->first, x);
    for (size_t i = 0; i < e->vars.len && ok && found; i++)
      ok =
          e->vars.at[i] != var || s->values[i] == TERM_NONE || !mentions_symbol(e, s, s->values[i]);
  }
  vec_clear(&read);
  return ok;
}

/* The states after one iteration where the guard is false; *mass is how likely that is: what they
 * add up to, or 1 without the others. */
static bool run_last(struct engine *e, const struct core *c, const term_list *between,
                     struct state s, state_list *ends, term_id *mass) {
  struct terms *ts = e->ts;
  state_list after = {0};
  resolved_list cases = {0};
  bool ok = run_merged(e, c->first, between, s, &after);
  for (size_t i = 0; i < after.len && ok; i++)
    ok = resolve(e, c, after.at[i], value_of(e, &after.at[i], c->expr), &cases);
  term_id zero = term_rat(ts, 0, 1), one = term_rat(ts, 1, 1), ended = zero, again = zero;
  size_t staying = 0;
  for (size_t i = 0; i < cases.len && ok; i++) {
    struct state end = cases.at[i].state;
    term_id guard = cases.at[i].value, share = end.weight;
    if (mentions_symbol(e, &end, guard))
      ok = fail(e, c, "a sample without finitely many values can only be compared here");
    for (size_t y = 0; y < end.symbol_count; y++)
      share = term_mul(ts, share, outcome_sample_mass(ts, &end.symbols[y]));
    ended = term_add(ts, ended, term_ite(ts, guard, zero, share));
    again = term_add(ts, again, term_ite(ts, guard, share, zero));
    end.weight = term_ite(ts, guard, zero, end.weight);
    end.reached = term_and(ts, end.reached, term_not(ts, guard));
    if (end.weight != zero) vec_push(ends, end);
    staying += guard != ts->false_term;
  }
  *mass = staying < ends->len ? term_sub(ts, one, again) : ended;
  vec_clear(&after);
  vec_clear(&cases);
  return ok;
}

/* From a state whose guard is true: the n-th iteration is the last one with probability
 * (1 - mass)^(n-1) mass, and then ends in a state with the probability of that over mass. */
static bool run_repeated(struct engine *e, const struct core *c, const term_list *between,
                         struct state s, state_list *out) {
  struct terms *ts = e->ts;
  struct state first = s;
  state_list ends = {0};
  term_id mass = TERM_NONE;
  first.weight = term_rat(ts, 1, 1);
  first.symbol_count = 0;
  if (!starts_afresh(e, c, &s))
    return fail(e, c, "the loop depends on an earlier sample without finitely many values");
  bool ok = run_last(e, c, between, first, &ends, &mass);
  if (ok && mass == TERM_NONE) ok = fail(e, c, "a probability is too large");
  if (ok) vec_push(&e->valid, term_implies(ts, s.reached, term_lt(ts, term_rat(ts, 0, 1), mass)));
  for (size_t i = 0; i < ends.len && ok; i++) {
    struct state end = ends.at[i];
    if (end.symbol_count + s.symbol_count > SYMBOLS)
      ok = fail(e, c, "more than 4 samples without finitely many values are alive at once");
    for (size_t y = 0; y < s.symbol_count && ok; y++)
      end.symbols[end.symbol_count++] = s.symbols[y];
    end.weight = term_div(ts, term_mul(ts, s.weight, end.weight), mass);
    ok = ok && add_state(e, c, out, end);
  }
  vec_clear(&ends);
  return ok;
}

static bool run_while(struct engine *e, const struct core *c, const term_list *live, struct state s,
                      state_list *out) {
  term_list between = {0};
  resolved_list cases = {0};
  bool repeated = is_repeated(e, c, live), ok = true;
  live_before(e, c, live, &between);
  if (!repeated) ok = run_counted(e, c, &between, s, out);
  if (repeated) ok = resolve(e, c, s, value_of(e, &s, c->expr), &cases);
  for (size_t i = 0; i < cases.len && ok; i++) {
    term_id guard = cases.at[i].value;
    if (guard == e->ts->false_term)
      ok = add_state(e, c, out, cases.at[i].state);
    else if (guard == e->ts->true_term)
      ok = run_repeated(e, c, &between, cases.at[i].state, out);
    else
      ok = fail(e, c, "it depends on the data whether the loop is entered");
  }
  vec_clear(&between);
  vec_clear(&cases);
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

static void add_outcome(struct engine *e, struct outcomes *out, struct outcome new, size_t count) {
  for (size_t i = 0; i < out->list.len && !new.sample_count; i++)
    if (memcmp(out->list.at[i].values, new.values, count * sizeof *new.values) == 0) {
      struct outcome *o = &out->list.at[i];
      o->probability = term_add(e->ts, o->probability, new.probability);
      return;
    }
  vec_push(&out->list, new);
}

/* Is it the name of a symbol, in whatever state? */
static bool is_symbol(const struct engine *e, term_id name) {
  size_t low = 0, high = e->names.len;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (e->names.at[middle] < name)
      low = middle + 1;
    else
      high = middle;
  }
  return low < e->names.len && e->names.at[low] == name;
}

/* Does t speak of a symbol, other than of the first `known` of the state? */
static bool mentions_stray(struct engine *e, const struct state *s, size_t known, term_id t) {
  term_list names = {0};
  if (t != TERM_NONE) term_free_vars(e->ts, t, &names);
  bool stray = false;
  for (size_t i = 0; i < names.len && !stray; i++) {
    stray = is_symbol(e, names.at[i]);
    for (size_t y = 0; y < known && stray; y++)
      stray = s->symbols[y].name != names.at[i];
  }
  vec_clear(&names);
  return stray;
}

/* The samples are independent of each other and of how likely it is to come here. Whatever was
 * overlooked before is found here. */
static bool is_independent(struct engine *e, const struct state *s, const term_id *values,
                           size_t count) {
  bool ok = !mentions_stray(e, s, 0, s->weight);
  for (size_t j = 0; j < count && ok; j++)
    ok = !mentions_stray(e, s, s->symbol_count, values[j]);
  for (size_t y = 0; y < s->symbol_count && ok; y++) {
    const struct outcome_sample *o = &s->symbols[y];
    const term_id parts[] = {o->above, o->upto, o->except, o->low, o->high};
    for (size_t i = 0; i < sizeof parts / sizeof *parts && ok; i++)
      ok = !mentions_stray(e, s, 0, parts[i]);
    for (size_t i = 0; i < o->arg_count && ok; i++)
      ok = !mentions_stray(e, s, 0, o->args[i]);
  }
  return ok;
}

static bool are_integers(struct engine *e, const struct state *s) {
  for (size_t i = 0; i < s->symbol_count; i++)
    if (term_sort(e->ts, s->symbols[i].name) != SORT_INT) return false;
  return true;
}

static bool take_outcomes(struct engine *e, const struct core *c, const state_list *ends,
                          const term_id *keys, size_t count, struct outcomes *out) {
  for (size_t i = 0; i < ends->len; i++) {
    struct state s = ends->at[i];
    term_id *values = arena_alloc(&e->k->arena, (count + 1) * sizeof *values);
    for (size_t j = 0; j < count; j++) {
      values[j] = value_of(e, &s, keys[j]);
      if (values[j] == TERM_NONE) return fail(e, c, "an outcome is not well formed");
    }
    if (!are_integers(e, &s)) /* what no key mentions has been settled */
      return fail(e, c, "an outcome depends on a sample from the real numbers");
    if (s.weight == TERM_NONE) return fail(e, c, "a probability is too large");
    if (!is_independent(e, &s, values, count))
      return fail(e, c, "an outcome depends on a sample that is overwritten");
    struct outcome new = {values, s.weight, NULL, s.symbol_count};
    if (s.symbol_count)
      new.samples = arena_memdup(&e->k->arena, s.symbols, s.symbol_count * sizeof *s.symbols);
    add_outcome(e, out, new, count);
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
  vec_clear(&e.names);
  return ok;
}

void outcomes_free(struct outcomes *o) {
  vec_clear(&o->list);
  vec_clear(&o->valid);
}
