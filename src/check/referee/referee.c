#include "check/referee/referee.h"

#include "check/referee/algebra.h"
#include "check/referee/schemas.h"
#include "term/memo.h"
#include "term/subst.h"

struct referee {
  struct terms *ts;
  const struct sequent *sequent;
  VEC(literal_list) clauses; /* of the steps so far */
  struct memo seen;          /* subterms of everything so far: is a witness new? */
  struct memo values;        /* during a chain: atom -> 1 + truth */
  const char *why;
};

static bool reject(struct referee *r, const char *why) {
  r->why = why;
  return false;
}

static struct literal literal_of(struct terms *ts, term_id t) {
  struct literal l = {t, false};
  while (term_kind(ts, l.atom) == TERM_NOT) {
    l.atom = term_arg(ts, l.atom, 0);
    l.negated = !l.negated;
  }
  return l;
}

static void push(struct referee *r, literal_list *clause, term_id t, bool negated) {
  struct literal l = literal_of(r->ts, t);
  l.negated = l.negated != negated;
  vec_push(clause, l);
}

static bool is_formula(struct terms *ts, term_id t) {
  return t != TERM_NONE && t < ts->nodes.len && term_sort(ts, t) == SORT_BOOL &&
         !term_get(ts, t)->loose;
}

/* ---- which variables have occurred ----------------------------------------------------------- */

static void note(struct referee *r, term_id t) {
  uint32_t known;
  if (memo_find(&r->seen, t, &known)) return;
  memo_put(&r->seen, t, 1);
  for (size_t i = 0; i < term_arg_count(r->ts, t); i++)
    note(r, term_arg(r->ts, t, i));
}

static bool is_new_variable(struct referee *r, term_id t) {
  uint32_t known;
  return term_kind(r->ts, t) == TERM_VAR && !memo_find(&r->seen, t, &known);
}

/* ---- steps that need no earlier ones --------------------------------------------------------- */

static bool input(struct referee *r, const struct step *s, literal_list *clause) {
  if (s->number > r->sequent->count) return reject(r, "there is no such hypothesis");
  bool is_goal = s->number == r->sequent->count;
  push(r, clause, is_goal ? r->sequent->goal : r->sequent->hypotheses[s->number], is_goal);
  return true;
}

/* The clauses of f = (a and b ...):  not f or a,  not f or b, ...,  f or not a or not b ...;
 * those of `or` are the same with all signs changed. */
static bool define_junction(struct referee *r, const struct step *s, literal_list *clause) {
  term_id f = s->formula;
  size_t count = term_arg_count(r->ts, f);
  bool is_and = term_kind(r->ts, f) == TERM_AND;
  if (s->number < count) {
    push(r, clause, f, is_and);
    push(r, clause, term_arg(r->ts, f, s->number), !is_and);
    return true;
  }
  if (s->number > count) return reject(r, "the connective has no such clause");
  push(r, clause, f, !is_and);
  for (size_t i = 0; i < count; i++)
    push(r, clause, term_arg(r->ts, f, i), is_and);
  return true;
}

/* Clauses as rows of signs: + the formula, - its negation, for f, its first argument, ... */
static bool define_by_signs(struct referee *r, const struct step *s, const char *const *rows,
                            size_t count, literal_list *clause) {
  if (s->number >= count) return reject(r, "the connective has no such clause");
  const char *row = rows[s->number];
  if (row[0] != '.') push(r, clause, s->formula, row[0] == '-');
  for (size_t i = 0; i < term_arg_count(r->ts, s->formula); i++)
    if (row[i + 1] != '.') push(r, clause, term_arg(r->ts, s->formula, i), row[i + 1] == '-');
  return true;
}

static bool define(struct referee *r, const struct step *s, literal_list *clause) {
  static const char *const implies[] = {"--+", "++.", "+.-"};
  static const char *const iff[] = {"--+", "-+-", "+++", "+--"};
  static const char *const choice[] = {"--+.", "-+.+", "+--.", "++.-"};
  static const char *const yes[] = {"+"}, *const no[] = {"-"};
  if (!is_formula(r->ts, s->formula)) return reject(r, "not a formula");
  switch (term_kind(r->ts, s->formula)) {
  case TERM_AND:
  case TERM_OR: return define_junction(r, s, clause);
  case TERM_IMPLIES: return define_by_signs(r, s, implies, 3, clause);
  case TERM_TRUE: return define_by_signs(r, s, yes, 1, clause);
  case TERM_FALSE: return define_by_signs(r, s, no, 1, clause);
  case TERM_EQ:
    if (term_sort(r->ts, term_arg(r->ts, s->formula, 0)) != SORT_BOOL) break;
    return define_by_signs(r, s, iff, 4, clause);
  case TERM_ITE: return define_by_signs(r, s, choice, 4, clause);
  default: break;
  }
  return reject(r, "not a connective");
}

/* A universal formula implies each instance; a formula that holds of a value implies the
 * existential one. A new constant may name a value that makes an existential formula true, if any
 * does, and one that makes a universal formula false. */
static bool instance(struct referee *r, const struct step *s, literal_list *clause) {
  struct terms *ts = r->ts;
  if (!is_formula(ts, s->formula) || s->terms.len != 1) return reject(r, "not a quantifier");
  enum term_kind kind = term_kind(ts, s->formula);
  if (kind != TERM_FORALL && kind != TERM_EXISTS) return reject(r, "not a quantifier");
  term_id value = s->terms.at[0];
  if (value == TERM_NONE || term_get(ts, value)->loose ||
      term_sort(ts, value) != term_get(ts, s->formula)->binder)
    return reject(r, "the value does not fit the quantifier");
  bool is_witness = s->kind == STEP_WITNESS;
  if (is_witness) {
    note(r, s->formula);
    if (!is_new_variable(r, value)) return reject(r, "the witness has occurred before");
  }
  term_id body = term_instantiate(ts, s->formula, value);
  if (!is_formula(ts, body)) return reject(r, "the instance is too large");
  bool implies_body = (kind == TERM_FORALL) != is_witness;
  push(r, clause, s->formula, implies_body);
  push(r, clause, body, !implies_body);
  return true;
}

static bool schema(struct referee *r, const struct step *s, literal_list *clause) {
  if (s->number >= SCHEMA_COUNT) return reject(r, "there is no such schema");
  term_id t = schema_formula(r->ts, (enum schema)s->number, s->terms.at, s->terms.len);
  if (!is_formula(r->ts, t)) return reject(r, "the arguments do not fit the schema");
  push(r, clause, t, false);
  return true;
}

/* ---- clauses that are given ------------------------------------------------------------------ */

static bool copy_clause(struct referee *r, const struct step *s, literal_list *clause) {
  for (size_t i = 0; i < s->literals.len; i++) {
    if (!is_formula(r->ts, s->literals.at[i].atom)) return reject(r, "not a formula");
    push(r, clause, s->literals.at[i].atom, s->literals.at[i].negated);
  }
  return true;
}

/* 1 true, 0 false, -1 not known */
static int value_of(const struct referee *r, struct literal l) {
  uint32_t known;
  if (!memo_find(&r->values, l.atom, &known)) return -1;
  return (int)(known - 1) != l.negated;
}

static void assume(struct referee *r, struct literal l, bool truth) {
  memo_put(&r->values, l.atom, 1 + (truth != l.negated));
}

enum effect { EFFECT_NONE, EFFECT_UNIT, EFFECT_CONFLICT };

static enum effect propagate(struct referee *r, const literal_list *clause) {
  const struct literal *last = NULL;
  for (size_t i = 0; i < clause->len; i++) {
    int value = value_of(r, clause->at[i]);
    if (value == 0) continue;
    bool is_repeated =
        last && last->atom == clause->at[i].atom && last->negated == clause->at[i].negated;
    if (value == 1 || (last && !is_repeated)) return EFFECT_NONE;
    last = &clause->at[i];
  }
  if (!last) return EFFECT_CONFLICT;
  assume(r, *last, true);
  return EFFECT_UNIT;
}

/* If all literals of the clause were false, the hints, one after the other, would leave one literal
 * each, which must be true, and at last none. */
static bool chain(struct referee *r, const struct step *s, literal_list *clause) {
  if (!copy_clause(r, s, clause)) return false;
  memo_clear(&r->values);
  memo_init(&r->values);
  for (size_t i = 0; i < clause->len; i++) {
    if (value_of(r, clause->at[i]) == 1) return reject(r, "a clause with both signs of a formula");
    assume(r, clause->at[i], false);
  }
  for (size_t i = 0; i < s->hints.len; i++) {
    if (s->hints.at[i] >= r->clauses.len) return reject(r, "a hint that is not an earlier step");
    switch (propagate(r, &r->clauses.at[s->hints.at[i]])) {
    case EFFECT_CONFLICT: return true;
    case EFFECT_UNIT: break;
    case EFFECT_NONE: break; /* it says nothing here */
    }
  }
  return reject(r, "the hints do not end in a contradiction");
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool derive(struct referee *r, const struct step *s, literal_list *clause) {
  switch (s->kind) {
  case STEP_INPUT: return input(r, s, clause);
  case STEP_DEFINE: return define(r, s, clause);
  case STEP_INSTANCE:
  case STEP_WITNESS: return instance(r, s, clause);
  case STEP_SCHEMA: return schema(r, s, clause);
  case STEP_ALGEBRA:
    if (!copy_clause(r, s, clause)) return false;
    return algebra_accepts(r->ts, s) || reject(r, "the sum is no contradiction");
  case STEP_CHAIN: return chain(r, s, clause);
  }
  return reject(r, "no such kind of step");
}

static bool check_steps(struct referee *r, const struct refutation *refutation, size_t *where) {
  for (*where = 0; *where < refutation->steps.len; ++*where) {
    literal_list clause = {0};
    bool ok = derive(r, &refutation->steps.at[*where], &clause);
    vec_push(&r->clauses, clause);
    if (!ok) return false;
    for (size_t i = 0; i < clause.len; i++)
      note(r, clause.at[i].atom);
  }
  if (!r->clauses.len || vec_last(&r->clauses).len) return reject(r, "no contradiction at the end");
  return true;
}

static bool note_sequent(struct referee *r) {
  if (!is_formula(r->ts, r->sequent->goal)) return reject(r, "the goal is not a formula");
  note(r, r->sequent->goal);
  for (size_t i = 0; i < r->sequent->count; i++) {
    if (!is_formula(r->ts, r->sequent->hypotheses[i])) return reject(r, "not a formula");
    note(r, r->sequent->hypotheses[i]);
  }
  return true;
}

bool referee_accepts(struct terms *ts, const struct sequent *sequent, const struct refutation *r,
                     const char **why, size_t *where) {
  struct referee referee = {.ts = ts, .sequent = sequent};
  size_t at = 0;
  memo_init(&referee.seen);
  memo_init(&referee.values);
  bool ok = note_sequent(&referee) && check_steps(&referee, r, &at);
  if (why) *why = referee.why;
  if (where) *where = at;
  for (size_t i = 0; i < referee.clauses.len; i++)
    vec_clear(&referee.clauses.at[i]);
  vec_clear(&referee.clauses);
  memo_clear(&referee.seen);
  memo_clear(&referee.values);
  return ok;
}
