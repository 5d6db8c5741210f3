#include "advocate/sat.h"

#include <string.h>

void sat_init(struct sat *s, struct refutation *log, struct theory theory) {
  *s = (struct sat){.log = log, .theory = theory, .increment = 1};
}

void sat_clear(struct sat *s) {
  for (size_t i = 0; i < s->clauses.len; i++)
    free(s->clauses.at[i].lits);
  for (size_t i = 0; i < s->watches.len; i++)
    vec_clear(&s->watches.at[i]);
  vec_clear(&s->atoms);
  vec_clear(&s->value);
  vec_clear(&s->level);
  vec_clear(&s->reason);
  vec_clear(&s->unit);
  vec_clear(&s->activity);
  vec_clear(&s->watches);
  vec_clear(&s->clauses);
  vec_clear(&s->trail);
  vec_clear(&s->limits);
  vec_clear(&s->conflicts_pending);
}

int sat_new_var(struct sat *s, term_id atom) {
  vec_push(&s->atoms, atom);
  vec_push(&s->value, 0);
  vec_push(&s->level, 0);
  vec_push(&s->reason, -1);
  vec_push(&s->unit, 0);
  vec_push(&s->activity, 0.0);
  vec_push(&s->watches, (int_list){0});
  vec_push(&s->watches, (int_list){0});
  return (int)s->atoms.len - 1;
}

static int current_level(const struct sat *s) {
  return (int)s->limits.len;
}

/* ---- the log --------------------------------------------------------------------------------- */

static size_t log_chain(struct sat *s, const int *lits, size_t count, const size_t *hints,
                        size_t hint_count) {
  struct step *step = refutation_add(s->log, STEP_CHAIN);
  for (size_t i = 0; i < count; i++) {
    struct literal l = {s->atoms.at[lit_var(lits[i])], lits[i] & 1};
    vec_push(&step->literals, l);
  }
  for (size_t i = 0; i < hint_count; i++)
    vec_push(&step->hints, hints[i]);
  return s->log->steps.len - 1;
}

/* The clause, with what is false at level 0 taken out: `kept` (-1: nothing) is what stays. */
static size_t log_reduced(struct sat *s, const struct sat_clause *c, int kept) {
  VEC(size_t) hints = {0};
  for (size_t i = 0; i < c->count; i++)
    if (c->lits[i] != kept) vec_push(&hints, s->unit.at[lit_var(c->lits[i])]);
  vec_push(&hints, c->step);
  size_t step = log_chain(s, &kept, kept >= 0, hints.at, hints.len);
  vec_clear(&hints);
  return step;
}

/* ---- assignments ----------------------------------------------------------------------------- */

static void assign(struct sat *s, int lit, int reason) {
  int var = lit_var(lit);
  s->value.at[var] = lit & 1 ? -1 : 1;
  s->level.at[var] = current_level(s);
  s->reason.at[var] = reason;
  vec_push(&s->trail, lit);
  if (current_level(s) > 0 || reason < 0) return;
  struct sat_clause *c = &s->clauses.at[reason];
  size_t step = c->count == 1 ? c->step : log_reduced(s, c, lit);
  s->unit.at[var] = step;
}

void sat_backtrack(struct sat *s, int level) {
  if (current_level(s) <= level) return;
  size_t size = (size_t)s->limits.at[level];
  if (s->told > size) {
    s->theory.undo(s->theory.context, size);
    s->told = size;
  }
  while (s->trail.len > size) {
    int var = lit_var(vec_pop(&s->trail));
    s->value.at[var] = 0;
    s->reason.at[var] = -1;
  }
  s->limits.len = (size_t)level;
  if (s->propagated > size) s->propagated = size;
}

static void contradiction(struct sat *s, int clause) {
  if (s->is_contradictory) return;
  s->last_step = log_reduced(s, &s->clauses.at[clause], -1);
  s->is_contradictory = true;
}

/* Puts the literals that are best to watch in front: true or unassigned ones, else the latest. */
static int watch_rank(const struct sat *s, int lit) {
  int v = sat_value(s, lit);
  return v >= 0 ? INT32_MAX - (v == 0) : s->level.at[lit_var(lit)];
}

static void order_watches(struct sat *s, struct sat_clause *c) {
  for (size_t i = 0; i < 2 && i < c->count; i++)
    for (size_t k = i + 1; k < c->count; k++)
      if (watch_rank(s, c->lits[k]) > watch_rank(s, c->lits[i])) {
        int lit = c->lits[i];
        c->lits[i] = c->lits[k];
        c->lits[k] = lit;
      }
}

static bool contains(const int *lits, size_t count, int lit) {
  for (size_t i = 0; i < count; i++)
    if (lits[i] == lit) return true;
  return false;
}

int sat_add(struct sat *s, const int *lits, size_t count, size_t step) {
  struct sat_clause c = {.lits = xcalloc(count + 1, sizeof *c.lits), .step = step};
  for (size_t i = 0; i < count; i++)
    if (!contains(c.lits, c.count, lits[i])) c.lits[c.count++] = lits[i];
  int index = (int)s->clauses.len;
  order_watches(s, &c);
  vec_push(&s->clauses, c);
  for (size_t i = 0; i < 2 && c.count > 1; i++)
    vec_push(&s->watches.at[c.lits[i]], index);
  bool is_tautology = false;
  for (size_t i = 0; i < c.count; i++)
    is_tautology = is_tautology || contains(c.lits, c.count, lit_negate(c.lits[i]));
  if (is_tautology) return index;
  /* unit or false: the search goes back to where it would have followed */
  bool first_false = !c.count || sat_value(s, c.lits[0]) < 0;
  int level = c.count > 1 ? s->level.at[lit_var(c.lits[1])] : 0;
  bool is_unit = !first_false && (c.count == 1 || sat_value(s, c.lits[1]) < 0);
  if (first_false) {
    vec_push(&s->conflicts_pending, index);
  } else if (is_unit && (sat_value(s, c.lits[0]) == 0 || s->level.at[lit_var(c.lits[0])] > level)) {
    sat_backtrack(s, level);
    assign(s, c.lits[0], index);
  }
  return index;
}

/* ---- propagation ----------------------------------------------------------------------------- */

/* Another literal to watch in place of lits[1]; false if there is none. */
static bool rewatch(struct sat *s, int index) {
  struct sat_clause *c = &s->clauses.at[index];
  for (size_t k = 2; k < c->count; k++) {
    if (sat_value(s, c->lits[k]) < 0) continue;
    int lit = c->lits[1];
    c->lits[1] = c->lits[k];
    c->lits[k] = lit;
    vec_push(&s->watches.at[c->lits[1]], index);
    return true;
  }
  return false;
}

static bool propagate_literal(struct sat *s, int lit) {
  int_list *list = &s->watches.at[lit_negate(lit)];
  size_t kept = 0, i = 0;
  bool ok = true;
  for (; i < list->len && ok; i++) {
    int index = list->at[i];
    struct sat_clause *c = &s->clauses.at[index];
    if (c->lits[0] == lit_negate(lit)) {
      c->lits[0] = c->lits[1];
      c->lits[1] = lit_negate(lit);
    }
    if (sat_value(s, c->lits[0]) != 1 && rewatch(s, index)) {
      list = &s->watches.at[lit_negate(lit)];
      continue;
    }
    list->at[kept++] = index;
    if (sat_value(s, c->lits[0]) == 0)
      assign(s, c->lits[0], index);
    else if (sat_value(s, c->lits[0]) < 0) {
      vec_push(&s->conflicts_pending, index);
      ok = false;
    }
  }
  for (; i < list->len; i++)
    list->at[kept++] = list->at[i];
  list->len = kept;
  return ok;
}

static bool propagate_clauses(struct sat *s) {
  while (s->propagated < s->trail.len && !s->conflicts_pending.len) {
    int lit = s->trail.at[s->propagated++];
    propagate_literal(s, lit);
  }
  return !s->conflicts_pending.len;
}

/* Clauses and theory, to the end. False: some clauses are false. */
static bool propagate(struct sat *s) {
  for (;;) {
    if (!propagate_clauses(s)) return false;
    while (s->told < s->trail.len) {
      if (s->theory.assign(s->theory.context, s->trail.at[s->told++]) == THEORY_CONFLICT)
        return false;
    }
    if (s->propagated < s->trail.len) continue;
    size_t before = s->trail.len;
    if (s->theory.check(s->theory.context) == THEORY_CONFLICT) return false;
    if (s->trail.len == before && s->propagated == s->trail.len) return !s->conflicts_pending.len;
  }
}

/* ---- learning -------------------------------------------------------------------------------- */

struct analysis {
  VEC(signed char) seen;
  int_list learned;
  VEC(size_t) units; /* steps of what is false at level 0 */
  VEC(size_t) chain; /* steps of the reasons used, last one first */
  int open;          /* literals of the current level not yet explained */
};

static void bump(struct sat *s, int var) {
  s->activity.at[var] += s->increment;
  if (s->activity.at[var] < 1e100) return;
  for (size_t i = 0; i < s->activity.len; i++)
    s->activity.at[i] *= 1e-100;
  s->increment *= 1e-100;
}

static void explain(struct sat *s, struct analysis *a, int clause, int skip) {
  const struct sat_clause *c = &s->clauses.at[clause];
  vec_push(&a->chain, c->step);
  for (size_t i = 0; i < c->count; i++) {
    int lit = c->lits[i], var = lit_var(lit);
    if (lit == skip || a->seen.at[var]) continue;
    a->seen.at[var] = 1;
    bump(s, var);
    if (s->level.at[var] == 0)
      vec_push(&a->units, s->unit.at[var]);
    else if (s->level.at[var] == current_level(s))
      a->open++;
    else
      vec_push(&a->learned, lit);
  }
}

/* The first literal all paths to the conflict go through. */
static int first_unique(struct sat *s, struct analysis *a) {
  for (size_t i = s->trail.len; i-- > 0;) {
    int lit = s->trail.at[i], var = lit_var(lit);
    if (!a->seen.at[var] || s->level.at[var] != current_level(s)) continue;
    if (--a->open == 0) return lit;
    explain(s, a, s->reason.at[var], lit);
  }
  return -1;
}

static int highest_level(const struct sat *s, const int_list *lits) {
  int highest = 0;
  for (size_t i = 0; i < lits->len; i++)
    if (s->level.at[lit_var(lits->at[i])] > highest) highest = s->level.at[lit_var(lits->at[i])];
  return highest;
}

static void learn(struct sat *s, struct analysis *a, int unique) {
  int level = highest_level(s, &a->learned);
  vec_push(&a->learned, lit_negate(unique));
  VEC(size_t) hints = {0};
  for (size_t i = 0; i < a->units.len; i++)
    vec_push(&hints, a->units.at[i]);
  for (size_t i = a->chain.len; i-- > 0;)
    vec_push(&hints, a->chain.at[i]);
  size_t step = log_chain(s, a->learned.at, a->learned.len, hints.at, hints.len);
  vec_clear(&hints);
  sat_backtrack(s, level);
  int index = sat_add(s, a->learned.at, a->learned.len, step);
  s->clauses.at[index].is_learned = true;
}

/* Other clauses may have sent the search back since the clause was found to be false: then it only
 * has to be propagated. */
static bool is_still_false(struct sat *s, int clause) {
  const struct sat_clause *c = &s->clauses.at[clause];
  int open = -1, level = 0;
  size_t others = 0;
  for (size_t i = 0; i < c->count; i++) {
    if (sat_value(s, c->lits[i]) >= 0) {
      open = c->lits[i];
      others++;
    } else if (s->level.at[lit_var(c->lits[i])] > level) {
      level = s->level.at[lit_var(c->lits[i])];
    }
  }
  if (others == 1 && sat_value(s, open) == 0) {
    sat_backtrack(s, level);
    assign(s, open, clause);
  }
  return others == 0;
}

/* The level at which the conflict clause became false: theories may notice late. */
static void resolve_conflict(struct sat *s) {
  int clause = vec_pop(&s->conflicts_pending), highest = 0;
  if (!is_still_false(s, clause)) return;
  const struct sat_clause *c = &s->clauses.at[clause];
  for (size_t i = 0; i < c->count; i++)
    if (s->level.at[lit_var(c->lits[i])] > highest) highest = s->level.at[lit_var(c->lits[i])];
  sat_backtrack(s, highest);
  if (highest == 0) {
    contradiction(s, clause);
    return;
  }
  struct analysis a = {0};
  vec_reserve(&a.seen, s->atoms.len);
  memset(a.seen.at, 0, s->atoms.len);
  explain(s, &a, clause, -1);
  int unique = first_unique(s, &a);
  learn(s, &a, unique);
  s->increment *= 1.05;
  vec_clear(&a.seen);
  vec_clear(&a.learned);
  vec_clear(&a.units);
  vec_clear(&a.chain);
}

/* ---- search ---------------------------------------------------------------------------------- */

/* An undecided literal of the clause, the most active one; -1: the clause is true. */
static int best_literal(const struct sat *s, const struct sat_clause *c) {
  int best = -1;
  for (size_t i = 0; i < c->count; i++) {
    int v = sat_value(s, c->lits[i]);
    if (v == 1) return -1;
    if (v == 0 && (best < 0 || s->activity.at[lit_var(c->lits[i])] > s->activity.at[lit_var(best)]))
      best = c->lits[i];
  }
  return best;
}

static int choose(const struct sat *s) {
  for (size_t i = s->clauses.len; i-- > 0;)
    if (s->clauses.at[i].is_learned) {
      int lit = best_literal(s, &s->clauses.at[i]);
      if (lit >= 0) return lit;
    }
  for (size_t i = 0; i < s->clauses.len; i++) {
    int lit = best_literal(s, &s->clauses.at[i]);
    if (lit >= 0) return lit;
  }
  return -1;
}

static void decide(struct sat *s, int lit) {
  vec_push(&s->limits, (int)s->trail.len);
  assign(s, lit, -1);
}

enum sat_answer sat_solve(struct sat *s, int assumption, const struct budget *budget) {
  enum { RESTART = 150 };
  size_t since_restart = 0;
  for (size_t rounds = 0; !s->is_contradictory; rounds++) {
    if (rounds % 8 == 0 && budget_is_spent(budget)) return SAT_UNDECIDED;
    if (assumption >= 0 && sat_is_fixed(s, lit_negate(assumption))) return SAT_CONTRADICTORY;
    if (s->conflicts_pending.len || !propagate(s)) {
      resolve_conflict(s);
      since_restart++;
      continue;
    }
    if (since_restart > RESTART) {
      since_restart = 0;
      sat_backtrack(s, 0);
      continue;
    }
    bool is_first = assumption >= 0 && current_level(s) == 0 && sat_value(s, assumption) == 0;
    int lit = is_first ? assumption : choose(s);
    if (lit >= 0) {
      decide(s, lit);
      continue;
    }
    switch (s->theory.final(s->theory.context)) {
    case THEORY_FINE: return SAT_CONSISTENT;
    case THEORY_GIVE_UP: return SAT_UNDECIDED;
    case THEORY_CONFLICT:
    case THEORY_CHANGED: break;
    }
  }
  return SAT_CONTRADICTORY;
}

bool sat_settle(struct sat *s) {
  sat_backtrack(s, 0);
  while (!s->is_contradictory && (s->conflicts_pending.len || !propagate(s)))
    resolve_conflict(s);
  return !s->is_contradictory;
}

bool sat_refute(struct sat *s, int lit, const struct budget *budget) {
  if (!sat_settle(s)) return true;
  if (sat_value(s, lit) == 0) sat_solve(s, lit, budget);
  return !sat_settle(s) || sat_value(s, lit) < 0;
}
