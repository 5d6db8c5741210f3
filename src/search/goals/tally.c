#include "search/goals/tally.h"

#include "search/base/settle.h"
#include "search/base/text.h"
#include "search/goals/contest.h"
#include "term/build.h"
#include "term/subst.h"

const struct tally *tally_of(const tally_list *tallies, term_id var) {
  for (size_t i = 0; i < tallies->len; i++)
    if (tallies->at[i].var == var) return &tallies->at[i];
  return NULL;
}

void tallies_replace(struct terms *ts, tally_list *tallies, term_id var, term_id by) {
  for (size_t i = 0; i < tallies->len; i++) {
    struct tally *t = &tallies->at[i];
    t->range = term_subst(ts, t->range, &var, &by, 1);
    t->start = term_subst(ts, t->start, &var, &by, 1);
    if (t->gain != TERM_NONE) t->gain = term_subst(ts, t->gain, &var, &by, 1);
  }
}

/* ---- finding them --------------------------------------------------------------------------- */

/* What an iteration adds to the variable, a case distinction over its paths; TERM_NONE if that
 * depends on what the loop itself writes, but for the index. */
static term_id gain_of(struct terms *ts, const struct paths *body, const term_list *written,
                       const struct core *loop, term_id var) {
  if (!sort_is_numeric(term_sort(ts, var))) return TERM_NONE;
  term_id gain = TERM_NONE;
  for (size_t i = body->list.len; i-- > 0;) {
    const struct path *path = &body->list.at[i];
    term_id one = term_sub(ts, path_after(ts, path, var), var);
    if (one == TERM_NONE) return TERM_NONE;
    gain = gain == TERM_NONE ? one : term_ite(ts, path->condition, one, gain);
  }
  for (size_t i = 0; i < written->len && gain != TERM_NONE; i++)
    if (written->at[i] != loop->var && term_mentions(ts, gain, &written->at[i], 1))
      gain = TERM_NONE;
  return gain;
}

/* The same loop met on another path must be the same tally. */
static bool add_tally(struct contest *c, struct tally t) {
  for (size_t i = 0; i < c->tallies.len; i++) {
    const struct tally *old = &c->tallies.at[i];
    if (old->var != t.var) continue;
    return old->loop == t.loop && old->gain == t.gain && old->start == t.start &&
           old->range == t.range;
  }
  vec_push(&c->tallies, t);
  return true;
}

/* One logical index per loop. */
static term_id index_of(struct contest *c, const struct core *loop) {
  for (size_t i = 0; i < c->tallies.len; i++)
    if (c->tallies.at[i].loop == loop) return c->tallies.at[i].index;
  return kernel_fresh(c->k, "index", SORT_INT);
}

static bool add_tallies(struct contest *c, const struct core *loop, const struct paths *body,
                        struct path *path) {
  struct terms *ts = c->ts;
  term_list written = {0};
  core_writes(loop, &written);
  term_id index = index_of(c, loop), low = path_after(ts, path, loop->args[0]);
  term_id high = path_after(ts, path, loop->args[1]);
  term_id range = term_and(ts, term_le(ts, low, index), term_lt(ts, index, high));
  bool ok = true;
  for (size_t i = 0; i < written.len && ok; i++) {
    term_id var = written.at[i], gain = gain_of(ts, body, &written, loop, var);
    if (var == loop->var) continue;
    if (gain != TERM_NONE) gain = term_subst(ts, gain, &loop->var, &index, 1);
    if (gain != TERM_NONE) gain = path_after(ts, path, gain);
    ok = add_tally(c, (struct tally){.loop = loop,
                                     .var = var,
                                     .index = index,
                                     .range = range,
                                     .gain = gain,
                                     .start = path_after(ts, path, var)});
  }
  for (size_t i = 0; i < written.len; i++)
    path_set(path, written.at[i], written.at[i]);
  vec_clear(&written);
  return ok;
}

bool tally_enter(void *context, const struct core *loop, struct path *path) {
  struct contest *c = context;
  struct paths body = {0};
  if (loop->var == TERM_NONE) return false;
  bool ok = paths_find(c->k, loop->first, &body) && body.samplings.len == 0;
  if (ok) {
    struct known known;
    known_init(&known, c->p, CLAIM_FORWARD);
    paths_split(&known, &body);
    known_clear(&known);
    ok = add_tallies(c, loop, &body, path);
  }
  paths_clear(&body);
  return ok;
}

/* ---- bounds --------------------------------------------------------------------------------- */

/* Indices that the facts single out and proof text can name. */
static void witnesses(const struct known *known, term_list *out) {
  struct terms *ts = known->p->ts;
  term_list vars = {0};
  for (size_t i = 0; i < known->facts.len; i++)
    term_free_vars(ts, known->facts.at[i], &vars);
  for (size_t i = 0; i < vars.len; i++) {
    const struct term_var *v = term_var_get(ts, vars.at[i]);
    bool seen = false;
    for (size_t j = 0; j < out->len; j++)
      seen |= out->at[j] == vars.at[i];
    if (!seen && v->version > 0 && v->run == 0 && v->sort == SORT_INT &&
        text_is_named(known->p, vars.at[i]))
      vec_push(out, vars.at[i]);
  }
  vec_clear(&vars);
}

/* Numbers and terms over parameters in the gain: it may differ by as much. */
static void amounts(const struct contest *c, term_id gain, term_list *out) {
  term_list parts = {0}, vars = {0};
  term_subterms(c->ts, gain, &parts);
  for (size_t i = 0; i < parts.len; i++) {
    if (!sort_is_numeric(term_sort(c->ts, parts.at[i]))) continue;
    vars.len = 0;
    term_free_vars(c->ts, parts.at[i], &vars);
    bool fixed = true;
    for (size_t v = 0; v < vars.len && fixed; v++)
      fixed = !kernel_is_var(c->k, vars.at[v]) && term_var_get(c->ts, vars.at[v])->version == 0;
    if (fixed) vec_push(out, parts.at[i]);
  }
  vec_clear(&parts);
  vec_clear(&vars);
}

static term_id at_least_zero(const struct known *known, term_id t) {
  return t == TERM_NONE ? t : known_larger(known, t, term_int(known->p->ts, 0));
}

static bool find_bounds(const struct contest *c, const struct known *known, struct tally *t,
                        enum claim_direction direction) {
  struct terms *ts = c->ts;
  term_id d = contest_difference(c, t->gain), zero = term_int(ts, 0);
  term_id here = term_and(ts, t->range, term_and(ts, c->range, c->loop->expr));
  if (d == TERM_NONE) return false;
  term_list candidates = {0}, more = {0};
  witnesses(known, &candidates);
  amounts(c, t->gain, &more);
  bool found = false;
  for (size_t i = 0; i < candidates.len && !found; i++) {
    term_id there = term_eq(ts, t->index, candidates.at[i]);
    if (!known_entails(known, term_and(ts, here, term_not(ts, there)), term_eq(ts, d, zero)))
      continue;
    struct bounds b = known_bounds_among(known, term_and(ts, here, there), d, &more);
    b.high = at_least_zero(known, b.high);
    if (b.low != TERM_NONE) b.low = at_least_zero(known, term_neg(ts, b.low));
    found = b.low != TERM_NONE && b.high != TERM_NONE;
    if (!found) continue;
    b.low = term_neg(ts, b.low);
    t->bounds[direction] = b;
    t->witness[direction] = candidates.at[i];
  }
  vec_clear(&candidates);
  vec_clear(&more);
  return found;
}

bool tallies_bound(const struct contest *c, enum claim_direction direction, struct known *known) {
  struct terms *ts = c->ts;
  for (size_t i = 0; i < c->tallies.len; i++) {
    struct tally *t = &c->tallies.at[i];
    if (t->gain == TERM_NONE) continue;
    if (!find_bounds(c, known, t, direction)) return false;
    term_id d = term_sub(ts, kernel_tag(c->k, t->var, 2), kernel_tag(c->k, t->var, 1));
    known_add(known, term_le(ts, t->bounds[direction].low, d));
    known_add(known, term_le(ts, d, t->bounds[direction].high));
  }
  return true;
}
