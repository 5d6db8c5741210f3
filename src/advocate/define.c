#include "advocate/define.h"

#include "term/build.h"
#include "term/subst.h"

/* ---- formulas as literals -------------------------------------------------------------------- */

void define_note(struct search *s, term_id t) {
  uint32_t known;
  if (memo_find(&s->known, t, &known) || term_get(s->ts, t)->loose) return;
  memo_put(&s->known, t, 1);
  enum term_kind kind = term_kind(s->ts, t);
  if (kind != TERM_FORALL && kind != TERM_EXISTS)
    for (size_t i = 0; i < term_arg_count(s->ts, t); i++)
      define_note(s, term_arg(s->ts, t, i));
  vec_push(&s->terms, t);
}

static struct atom classify(struct search *s, term_id t) {
  struct atom a = {.kind = ATOM_OTHER};
  enum term_kind kind = term_kind(s->ts, t);
  if (kind != TERM_EQ && kind != TERM_LE && kind != TERM_LT) return a;
  a.left = term_arg(s->ts, t, 0);
  a.right = term_arg(s->ts, t, 1);
  sort_id sort = term_sort(s->ts, a.left);
  if (sort == SORT_BOOL || sort != term_sort(s->ts, a.right)) return a;
  a.is_int = sort == SORT_INT;
  a.is_strict = kind == TERM_LT;
  if (kind != TERM_EQ)
    a.kind = ATOM_ORDER;
  else
    a.kind = sort_is_numeric(sort) ? ATOM_EQUAL : ATOM_SAME;
  return a;
}

int search_literal(struct search *s, term_id formula) {
  bool negated = false;
  while (term_kind(s->ts, formula) == TERM_NOT) {
    formula = term_arg(s->ts, formula, 0);
    negated = !negated;
  }
  uint32_t known;
  if (!memo_find(&s->vars, formula, &known)) {
    known = (uint32_t)sat_new_var(&s->sat, formula) + 1;
    memo_put(&s->vars, formula, known);
    vec_push(&s->atoms, classify(s, formula));
    enum term_kind kind = term_kind(s->ts, formula);
    bool is_connective = kind == TERM_AND || kind == TERM_OR || kind == TERM_IMPLIES ||
                         kind == TERM_FORALL || kind == TERM_EXISTS;
    if (!is_connective) define_note(s, formula);
  }
  return (int)(known - 1) * 2 + negated;
}

/* ---- clauses of connectives ------------------------------------------------------------------ */

static void define_literal(struct search *s, int lit);

/* A clause that says what `self` (-1: nothing) means: the others are formulas that it makes use of,
 * so their meaning is needed as well. */
static void define_clause(struct search *s, int self, const int *lits, size_t count, size_t step) {
  int_list copy = {0};
  for (size_t i = 0; i < count; i++)
    vec_push(&copy, lits[i]);
  sat_add(&s->sat, copy.at, copy.len, step);
  for (size_t i = 0; i < copy.len; i++)
    if (lit_var(copy.at[i]) != self) define_literal(s, copy.at[i]);
  vec_clear(&copy);
}

static void define(struct search *s, int var, size_t number, const int *lits, size_t count) {
  struct step *step = refutation_add(&s->log, STEP_DEFINE);
  step->formula = s->sat.atoms.at[var];
  step->number = number;
  define_clause(s, var, lits, count, s->log.steps.len - 1);
}

static void define_junction(struct search *s, int var, bool when_true) {
  term_id f = s->sat.atoms.at[var];
  size_t count = term_arg_count(s->ts, f);
  bool is_and = term_kind(s->ts, f) == TERM_AND;
  int_list args = {0};
  for (size_t i = 0; i < count; i++)
    vec_push(&args, search_literal(s, term_arg(s->ts, f, i)) ^ !is_and);
  /* as if it were `and`: for `or` all signs are changed */
  int self = var * 2 + !is_and;
  if (when_true == is_and) {
    for (size_t i = 0; i < count; i++)
      define(s, var, i, (int[]){lit_negate(self), args.at[i]}, 2);
  } else {
    int_list clause = {0};
    vec_push(&clause, self);
    for (size_t i = 0; i < count; i++)
      vec_push(&clause, lit_negate(args.at[i]));
    define(s, var, count, clause.at, clause.len);
    vec_clear(&clause);
  }
  vec_clear(&args);
}

static void witness(struct search *s, int var, bool is_exists) {
  term_id q = s->sat.atoms.at[var], c;
  term_id body = term_open(s->ts, q, &c);
  if (body == TERM_NONE) return;
  struct step *step = refutation_add(&s->log, STEP_WITNESS);
  step->formula = q;
  vec_push(&step->terms, c);
  size_t number = s->log.steps.len - 1;
  define_note(s, c);
  int lits[] = {var * 2 + is_exists, search_literal(s, body) ^ !is_exists};
  define_clause(s, var, lits, 2, number);
}

void define_instance(struct search *s, int var, term_id value) {
  term_id q = s->sat.atoms.at[var], body = term_instantiate(s->ts, q, value);
  if (body == TERM_NONE) return;
  struct step *step = refutation_add(&s->log, STEP_INSTANCE);
  step->formula = q;
  vec_push(&step->terms, value);
  size_t number = s->log.steps.len - 1;
  bool is_forall = term_kind(s->ts, q) == TERM_FORALL;
  int lits[] = {var * 2 + is_forall, search_literal(s, body) ^ !is_forall};
  define_clause(s, var, lits, 2, number);
}

static void define_equation(struct search *s, int var, bool when_true) {
  term_id f = s->sat.atoms.at[var], a = term_arg(s->ts, f, 0), b = term_arg(s->ts, f, 1);
  enum sort_kind kind = sort_get(s->ts, term_sort(s->ts, a))->kind;
  if (kind == SORT_KIND_BOOL) {
    int x = search_literal(s, a), y = search_literal(s, b), self = var * 2;
    if (when_true) {
      define(s, var, 0, (int[]){self ^ 1, x ^ 1, y}, 3);
      define(s, var, 1, (int[]){self ^ 1, x, y ^ 1}, 3);
    } else {
      define(s, var, 2, (int[]){self, x, y}, 3);
      define(s, var, 3, (int[]){self, x ^ 1, y ^ 1}, 3);
    }
  } else if (kind == SORT_KIND_ARRAY && !when_true) {
    search_schema(s, SCHEMA_DIFFERING, (term_id[]){a, b}, 2);
  } else if ((kind == SORT_KIND_LIST || kind == SORT_KIND_TUPLE) && when_true) {
    enum term_kind left = term_kind(s->ts, a), right = term_kind(s->ts, b);
    if (right == TERM_CONS || right == TERM_TUPLE)
      search_schema(s, SCHEMA_PARTS, (term_id[]){a, b}, 2);
    else if (left == TERM_CONS || left == TERM_TUPLE)
      search_schema(s, SCHEMA_PARTS, (term_id[]){b, a}, 2);
  } else if (kind == SORT_KIND_TUPLE && !when_true) {
    search_schema(s, SCHEMA_TUPLE, (term_id[]){a, b}, 2);
  }
}

static void define_choice(struct search *s, int var, bool when_true) {
  term_id f = s->sat.atoms.at[var];
  int c = search_literal(s, term_arg(s->ts, f, 0)), a = search_literal(s, term_arg(s->ts, f, 1)),
      b = search_literal(s, term_arg(s->ts, f, 2)), self = var * 2;
  if (when_true) {
    define(s, var, 0, (int[]){self ^ 1, c ^ 1, a}, 3);
    define(s, var, 1, (int[]){self ^ 1, c, b}, 3);
  } else {
    define(s, var, 2, (int[]){self, c ^ 1, a ^ 1}, 3);
    define(s, var, 3, (int[]){self, c, b ^ 1}, 3);
  }
}

/* What follows when the formula is true, or false. */
static void define_literal(struct search *s, int lit) {
  int var = lit_var(lit);
  bool when_true = !(lit & 1);
  if (s->atoms.at[var].defined[when_true]) return;
  s->atoms.at[var].defined[when_true] = true;
  term_id f = s->sat.atoms.at[var];
  switch (term_kind(s->ts, f)) {
  case TERM_AND:
  case TERM_OR: define_junction(s, var, when_true); break;
  case TERM_TRUE: define(s, var, 0, (int[]){var * 2}, 1); break;
  case TERM_FALSE: define(s, var, 0, (int[]){var * 2 + 1}, 1); break;
  case TERM_IMPLIES: {
    int a = search_literal(s, term_arg(s->ts, f, 0)), b = search_literal(s, term_arg(s->ts, f, 1));
    if (when_true) {
      define(s, var, 0, (int[]){var * 2 + 1, a ^ 1, b}, 3);
    } else {
      define(s, var, 1, (int[]){var * 2, a}, 2);
      define(s, var, 2, (int[]){var * 2, b ^ 1}, 2);
    }
    break;
  }
  case TERM_EQ: define_equation(s, var, when_true); break;
  case TERM_ITE: define_choice(s, var, when_true); break;
  case TERM_EXISTS:
    if (when_true) witness(s, var, true);
    break;
  case TERM_FORALL:
    if (!when_true) witness(s, var, false);
    break;
  default: break;
  }
}

void search_mention(struct search *s, int lit) {
  define_literal(s, lit);
  define_literal(s, lit_negate(lit));
}

void search_clause(struct search *s, const int *lits, size_t count, size_t step) {
  define_clause(s, -1, lits, count, step);
}

/* Was this lemma made before? */
static uint64_t key_of(unsigned kind, const term_id *args, size_t count) {
  uint64_t h = (1469598103934665603u ^ (kind + 1)) * 1099511628211u;
  for (size_t i = 0; i < count; i++)
    h = (h ^ args[i]) * 1099511628211u;
  h ^= h >> 31;
  return h ? h : 1;
}

bool define_was_done(const struct search *s, unsigned kind, const term_id *args, size_t count) {
  uint32_t known;
  return memo_find(&s->done, key_of(kind, args, count), &known);
}

bool define_is_done(struct search *s, unsigned kind, const term_id *args, size_t count) {
  if (define_was_done(s, kind, args, count)) return true;
  memo_put(&s->done, key_of(kind, args, count), 1);
  return false;
}

bool search_schema(struct search *s, enum schema schema, const term_id *args, size_t count) {
  if (define_is_done(s, schema, args, count)) return false;
  term_id t = schema_formula(s->ts, schema, args, count);
  if (t == TERM_NONE || t == s->ts->true_term) return false;
  struct step *step = refutation_add(&s->log, STEP_SCHEMA);
  step->number = schema;
  for (size_t i = 0; i < count; i++)
    vec_push(&step->terms, args[i]);
  size_t number = s->log.steps.len - 1;
  int lit = search_literal(s, t);
  search_clause(s, &lit, 1, number);
  return true;
}
