#include "advocate/lemmas.h"

#include "advocate/arith.h"
#include "base/intern.h"
#include "term/build.h"
#include "term/subst.h"

/* ---- formulas as literals
 * ------------------------------------------------------------------------ */

static void note_term(struct search *s, term_id t) {
  uint32_t known;
  if (memo_find(&s->known, t, &known) || term_get(s->ts, t)->loose) return;
  memo_put(&s->known, t, 1);
  enum term_kind kind = term_kind(s->ts, t);
  if (kind != TERM_FORALL && kind != TERM_EXISTS)
    for (size_t i = 0; i < term_arg_count(s->ts, t); i++)
      note_term(s, term_arg(s->ts, t, i));
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
    if (!is_connective) note_term(s, formula);
  }
  return (int)(known - 1) * 2 + negated;
}

/* ---- clauses of connectives
 * ----------------------------------------------------------------------- */

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
  note_term(s, c);
  int lits[] = {var * 2 + is_exists, search_literal(s, body) ^ !is_exists};
  define_clause(s, var, lits, 2, number);
}

static void instantiate(struct search *s, int var, term_id value) {
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
static bool is_done(struct search *s, unsigned kind, const term_id *args, size_t count) {
  uint64_t h = (1469598103934665603u ^ (kind + 1)) * 1099511628211u;
  for (size_t i = 0; i < count; i++)
    h = (h ^ args[i]) * 1099511628211u;
  h ^= h >> 31;
  if (!h) h = 1;
  uint32_t known;
  if (memo_find(&s->done, h, &known)) return true;
  memo_put(&s->done, h, 1);
  return false;
}

bool search_schema(struct search *s, enum schema schema, const term_id *args, size_t count) {
  if (is_done(s, schema, args, count)) return false;
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

/* ---- facts about new terms
 * -------------------------------------------------------------------------- */

static void bounds_of(struct search *s, enum schema schema, term_id arg, long from, long to) {
  for (long i = from; i < to; i++)
    search_schema(s, schema, (term_id[]){arg, term_rat(s->ts, i, 1)}, 2);
}

static void list_facts(struct search *s, term_id t) {
  if (sort_get(s->ts, term_sort(s->ts, t))->kind != SORT_KIND_LIST) return;
  if (term_kind(s->ts, t) == TERM_APPEND && term_kind(s->ts, term_arg(s->ts, t, 0)) != TERM_TAIL)
    search_schema(s, SCHEMA_APPEND, (term_id[]){term_arg(s->ts, t, 0), term_arg(s->ts, t, 1)}, 2);
  if (term_kind(s->ts, t) == TERM_CONS)
    search_schema(s, SCHEMA_CONS, (term_id[]){term_arg(s->ts, t, 0), term_arg(s->ts, t, 1)}, 2);
}

/* b^t and b^(t + c) */
static void shift_facts(struct search *s, term_id t) {
  struct terms *ts = s->ts;
  for (size_t i = 0; i < s->terms.len; i++) {
    term_id u = s->terms.at[i];
    if (term_kind(ts, u) != TERM_RAISE || term_get(ts, u)->data != term_get(ts, t)->data) continue;
    term_id c = term_sub(ts, term_arg(ts, u, 0), term_arg(ts, t, 0));
    if (c == TERM_NONE || !term_is_num(ts, c)) continue;
    int sign = fmpq_sgn(term_num_value(ts, c));
    if (sign > 0) search_schema(s, SCHEMA_POWER_SHIFT, (term_id[]){t, c}, 2);
    if (sign < 0) search_schema(s, SCHEMA_POWER_SHIFT, (term_id[]){u, term_neg(ts, c)}, 2);
  }
}

static void term_facts(struct search *s, term_id t) {
  struct terms *ts = s->ts;
  size_t count = term_arg_count(ts, t);
  term_id a = count > 0 ? term_arg(ts, t, 0) : TERM_NONE;
  term_id b = count > 1 ? term_arg(ts, t, 1) : TERM_NONE;
  term_id args[] = {a, b};
  switch (term_kind(ts, t)) {
  case TERM_ABS: search_schema(s, SCHEMA_ABS, args, 1); break;
  case TERM_MIN: search_schema(s, SCHEMA_MIN, args, 2); break;
  case TERM_MAX: search_schema(s, SCHEMA_MAX, args, 2); break;
  case TERM_FLOOR: search_schema(s, SCHEMA_FLOOR, args, 1); break;
  case TERM_CEIL: search_schema(s, SCHEMA_CEIL, args, 1); break;
  case TERM_DIV: search_schema(s, SCHEMA_QUOTIENT, args, 2); break;
  case TERM_IDIV:
  case TERM_MOD: search_schema(s, SCHEMA_DIVMOD, args, 2); break;
  case TERM_ITE:
    if (term_sort(ts, t) != SORT_BOOL)
      search_schema(s, SCHEMA_CHOICE, (term_id[]){a, b, term_arg(ts, t, 2)}, 3);
    break;
  case TERM_SELECT:
    if (term_kind(ts, a) == TERM_STORE)
      search_schema(s, SCHEMA_READ,
                    (term_id[]){term_arg(ts, a, 0), term_arg(ts, a, 1), term_arg(ts, a, 2), b}, 4);
    break;
  case TERM_STORE: note_term(s, term_select(ts, t, b)); break;
  case TERM_DIFFERING: search_schema(s, SCHEMA_DIFFERING, args, 2); break;
  case TERM_LENGTH: /* one step at a time: the tails of tails of a list never end */
    if (term_kind(ts, a) != TERM_TAIL) search_schema(s, SCHEMA_LENGTH, args, 1);
    break;
  case TERM_RAISE:
    search_schema(s, SCHEMA_POWER, &t, 1);
    shift_facts(s, t);
    break;
  case TERM_EXP: bounds_of(s, SCHEMA_EXP, a, 0, 2); break;
  case TERM_LN: bounds_of(s, SCHEMA_LN, a, 0, 2); break;
  case TERM_SQRT: search_schema(s, SCHEMA_SQRT, args, 1); break;
  default: break;
  }
  list_facts(s, t);
}

void lemmas_flush(struct search *s) {
  enum { TERMS = 4000 };
  for (; s->rounds < s->terms.len && s->rounds < TERMS; s->rounds++)
    term_facts(s, s->terms.at[s->rounds]);
}

/* ---- orders
 * ------------------------------------------------------------------------------------------ */

static void term_value(struct search *s, term_id t, fmpq *value) {
  struct poly p = {0};
  fmpq_zero(value);
  if (poly_of_term(&s->monomials, s->ts, t, &p)) arith_value(s, &p, value);
  poly_clear(&p);
}

static bool have_equal_values(struct search *s, term_id a, term_id b) {
  fmpq_t x, y;
  fmpq_init(x);
  fmpq_init(y);
  term_value(s, a, x);
  term_value(s, b, y);
  bool equal = fmpq_equal(x, y);
  fmpq_clear(x);
  fmpq_clear(y);
  return equal;
}

bool lemmas_orders(struct search *s) {
  bool changed = false;
  for (size_t v = 0; v < s->atoms.len; v++) {
    struct atom a = s->atoms.at[v];
    if (a.kind != ATOM_EQUAL || sat_value(&s->sat, (int)v * 2) != -1) continue;
    if (!have_equal_values(s, a.left, a.right)) continue;
    changed = search_schema(s, SCHEMA_TRICHOTOMY, (term_id[]){a.left, a.right}, 2) || changed;
  }
  return changed;
}

/* ---- equations of other values
 * ------------------------------------------------------------------------- */

/* Union-find without union by rank: the numbers are small. */
struct classes {
  struct memo parent;
};

static term_id find_class(struct classes *c, term_id t) {
  uint32_t up;
  while (memo_find(&c->parent, t, &up))
    t = up;
  return t;
}

static void find_classes(struct search *s, struct classes *c) {
  memo_init(&c->parent);
  for (size_t i = 0; i < s->sat.trail.len; i++) {
    int lit = s->sat.trail.at[i];
    const struct atom *a = &s->atoms.at[lit_var(lit)];
    if ((lit & 1) || a->kind != ATOM_SAME) continue;
    term_id x = find_class(c, a->left), y = find_class(c, a->right);
    if (x != y) memo_put(&c->parent, x, y);
  }
}

/* A path of true equations from one term to another: breadth first. */
struct path {
  struct search *s;
  term_list queue;
  VEC(int) via; /* literal that led to the term */
  VEC(size_t) from;
};

static bool visited(const struct path *p, term_id t) {
  for (size_t i = 0; i < p->queue.len; i++)
    if (p->queue.at[i] == t) return true;
  return false;
}

static bool find_path(struct path *p, term_id from, term_id to) {
  struct search *s = p->s;
  vec_push(&p->queue, from);
  vec_push(&p->via, -1);
  vec_push(&p->from, 0);
  for (size_t head = 0; head < p->queue.len; head++)
    for (size_t i = 0; i < s->sat.trail.len; i++) {
      int lit = s->sat.trail.at[i];
      const struct atom *a = &s->atoms.at[lit_var(lit)];
      if ((lit & 1) || a->kind != ATOM_SAME) continue;
      term_id at = p->queue.at[head];
      term_id next = a->left == at ? a->right : a->right == at ? a->left : TERM_NONE;
      if (next == TERM_NONE || visited(p, next)) continue;
      vec_push(&p->queue, next);
      vec_push(&p->via, lit);
      vec_push(&p->from, head);
      if (next == to) return true;
    }
  return false;
}

/* a = ... = b, as an identity: each equation once, with its sign. */
static void path_clause(struct path *p, int target) {
  struct search *s = p->s;
  int_list lits = {0};
  VEC(struct poly) signs = {0};
  fmpq_t one;
  fmpq_init(one);
  for (size_t i = p->queue.len - 1; i != 0; i = p->from.at[i]) {
    const struct atom *a = &s->atoms.at[lit_var(p->via.at[i])];
    struct poly sign = {0};
    fmpq_set_si(one, a->right == p->queue.at[i] ? 1 : -1, 1);
    poly_set_monomial(&sign, 0, one);
    vec_push(&lits, p->via.at[i]);
    vec_push(&signs, sign);
  }
  struct poly want = {0};
  bool is_strict, is_equation;
  if (arith_raw(s, target, &want, &is_strict, &is_equation))
    arith_identity(s, &want, lits.at, signs.at, lits.len, target);
  poly_clear(&want);
  for (size_t i = 0; i < signs.len; i++)
    poly_clear(&signs.at[i]);
  vec_clear(&signs);
  vec_clear(&lits);
  fmpq_clear(one);
}

enum theory_answer lemmas_same_check(struct search *s) {
  struct classes c = {0};
  bool any = false;
  enum theory_answer answer = THEORY_FINE;
  for (size_t v = 0; v < s->atoms.len && answer == THEORY_FINE; v++) {
    struct atom a = s->atoms.at[v];
    if (a.kind != ATOM_SAME || sat_value(&s->sat, (int)v * 2) != -1) continue;
    if (!any) find_classes(s, &c);
    any = true;
    if (find_class(&c, a.left) != find_class(&c, a.right)) continue;
    struct path p = {.s = s};
    if (find_path(&p, a.left, a.right)) {
      path_clause(&p, (int)v * 2);
      if (s->sat.conflicts_pending.len) answer = THEORY_CONFLICT;
    }
    vec_clear(&p.queue);
    vec_clear(&p.via);
    vec_clear(&p.from);
  }
  if (any) memo_clear(&c.parent);
  return answer;
}

/* ---- congruences
 * ------------------------------------------------------------------------------------------ */

/* The present value of a term, to compare: numbers, classes, truth values. */
struct present {
  bool is_known;
  fmpq number;
  term_id class;
  int truth;
};

struct values {
  struct search *s;
  struct classes classes;
  struct memo index; /* term -> 1 + position */
  VEC(struct present) list;
};

static const struct present *value_of(struct values *v, term_id t) {
  struct search *s = v->s;
  uint32_t known;
  if (memo_find(&v->index, t, &known)) return &v->list.at[known - 1];
  struct present p = {.is_known = true};
  fmpq_init(&p.number);
  sort_id sort = term_sort(s->ts, t);
  if (sort_is_numeric(sort)) {
    term_value(s, t, &p.number);
  } else if (sort == SORT_BOOL) {
    uint32_t var;
    bool negated = term_kind(s->ts, t) == TERM_NOT;
    term_id atom = negated ? term_arg(s->ts, t, 0) : t;
    p.truth =
        memo_find(&s->vars, atom, &var) ? sat_value(&s->sat, (int)(var - 1) * 2 + negated) : 0;
    if (t == s->ts->true_term) p.truth = 1;
    if (t == s->ts->false_term) p.truth = -1;
    p.is_known = p.truth != 0;
  } else {
    p.class = find_class(&v->classes, t);
  }
  vec_push(&v->list, p);
  memo_put(&v->index, t, (uint32_t)v->list.len);
  return &vec_last(&v->list);
}

static bool agree(struct values *v, term_id t, term_id u) {
  if (t == u) return true;
  value_of(v, t);
  value_of(v, u);
  const struct present *a = value_of(v, t), *b = value_of(v, u);
  return a->is_known && b->is_known && fmpq_equal(&a->number, &b->number) && a->class == b->class &&
         a->truth == b->truth;
}

static bool differ(struct values *v, term_id t, term_id u) {
  value_of(v, t);
  value_of(v, u);
  return value_of(v, t)->is_known && value_of(v, u)->is_known && !agree(v, t, u);
}

static bool is_function(enum term_kind kind) {
  switch (kind) {
  case TERM_SELECT:
  case TERM_APP:
  case TERM_EXP:
  case TERM_LN:
  case TERM_SQRT:
  case TERM_FLOOR:
  case TERM_CEIL:
  case TERM_DIV:
  case TERM_IDIV:
  case TERM_MOD:
  case TERM_RAISE:
  case TERM_LENGTH:
  case TERM_HEAD:
  case TERM_TAIL:
  case TERM_PROJ:
  case TERM_STORE:
  case TERM_CONS:
  case TERM_APPEND:
  case TERM_TUPLE:
  case TERM_DIFFERING: return true;
  default: return false;
  }
}

static bool same_head(struct search *s, term_id t, term_id u) {
  const struct term_node *m = term_get(s->ts, t), *n = term_get(s->ts, u);
  return m->kind == n->kind && m->sort == n->sort && m->count == n->count && m->data == n->data;
}

static bool is_constructor(enum term_kind kind) {
  return kind == TERM_CONS || kind == TERM_TUPLE || kind == TERM_NIL;
}

/* Equal at present, or undecided truth values; equations of constructors are those of their
 * arguments. */
static bool may_agree(struct values *v, term_id t, term_id u) {
  struct search *s = v->s;
  if (t == u) return true;
  if (term_sort(s->ts, t) == SORT_BOOL) {
    int a = value_of(v, t)->truth, b = value_of(v, u)->truth;
    return !a || !b || a == b;
  }
  if (!is_constructor(term_kind(s->ts, t)) || !same_head(s, t, u)) return agree(v, t, u);
  for (size_t i = 0; i < term_arg_count(s->ts, t); i++)
    if (!may_agree(v, term_arg(s->ts, t, i), term_arg(s->ts, u, i))) return false;
  return true;
}

static bool args_may_agree(struct values *v, term_id t, term_id u) {
  for (size_t i = 0; i < term_arg_count(v->s->ts, t); i++)
    if (!may_agree(v, term_arg(v->s->ts, t, i), term_arg(v->s->ts, u, i))) return false;
  return true;
}

/* f(x) against f(y) with x and y equal at present. */
static bool violates(struct values *v, term_id t, term_id u) {
  return args_may_agree(v, t, u) && differ(v, t, u);
}

/* Equations that say the same at present, one true and the other false: a constructor in them is no
 * term that could be equal to another one. */
static size_t equations(struct search *s, struct values *v, size_t limit) {
  size_t added = 0, count = s->atoms.len;
  for (size_t i = 0; i < count && added < limit; i++)
    for (size_t k = 0; k < count && added < limit; k++) {
      if (s->atoms.at[i].kind != ATOM_SAME || s->atoms.at[k].kind != ATOM_SAME) continue;
      if (sat_value(&s->sat, (int)i * 2) != 1 || sat_value(&s->sat, (int)k * 2) != -1) continue;
      term_id t = s->sat.atoms.at[i], u = s->sat.atoms.at[k];
      if (same_head(s, t, u) && args_may_agree(v, t, u))
        added += search_schema(s, SCHEMA_CONGRUENCE, (term_id[]){t, u}, 2);
    }
  return added;
}

/* Are two terms equal whatever the present values are? */
static bool are_equal(struct values *v, term_id t, term_id u) {
  struct search *s = v->s;
  if (t == u) return true;
  sort_id sort = term_sort(s->ts, t);
  if (sort == SORT_BOOL) return false;
  if (!sort_is_numeric(sort)) return find_class(&v->classes, t) == find_class(&v->classes, u);
  struct poly a = {0}, b = {0};
  bool equal = poly_of_term(&s->monomials, s->ts, t, &a) && arith_reduce(s, &a, NULL) &&
               poly_of_term(&s->monomials, s->ts, u, &b) && arith_reduce(s, &b, NULL) &&
               poly_equal(&a, &b);
  poly_clear(&a);
  poly_clear(&b);
  return equal;
}

/* f(x) and f(y) with x and y equal in any case, but the values not (or not only by chance). */
static bool is_due(struct values *v, term_id t, term_id u) {
  struct search *s = v->s;
  for (size_t i = 0; i < term_arg_count(s->ts, t); i++)
    if (!are_equal(v, term_arg(s->ts, t, i), term_arg(s->ts, u, i))) return false;
  return !are_equal(v, t, u);
}

/* Reading equal arrays at the same place: the other read may not occur yet. */
static bool reads_of_equal_arrays(struct search *s, struct values *v, size_t limit) {
  size_t added = 0, trail = s->sat.trail.len, terms = s->terms.len;
  for (size_t i = 0; i < trail && i < s->sat.trail.len && added < limit; i++) {
    int lit = s->sat.trail.at[i];
    struct atom a = s->atoms.at[lit_var(lit)];
    if ((lit & 1) || a.kind != ATOM_SAME ||
        sort_get(s->ts, term_sort(s->ts, a.left))->kind != SORT_KIND_ARRAY)
      continue;
    term_id class = find_class(&v->classes, a.left);
    for (size_t k = 0; k < terms && added < limit; k++) {
      term_id t = s->terms.at[k];
      if (term_kind(s->ts, t) != TERM_SELECT) continue;
      term_id array = term_arg(s->ts, t, 0), at = term_arg(s->ts, t, 1);
      if (term_sort(s->ts, array) != term_sort(s->ts, a.left) ||
          find_class(&v->classes, array) != class)
        continue;
      term_id x = term_select(s->ts, a.left, at), y = term_select(s->ts, a.right, at);
      note_term(s, x);
      note_term(s, y);
      if (term_kind(s->ts, x) != TERM_SELECT || term_kind(s->ts, y) != TERM_SELECT) {
        /* the builder looked through a store: congruence of the reads as written */
        continue;
      }
      added += search_schema(s, SCHEMA_CONGRUENCE, (term_id[]){x, y}, 2);
    }
  }
  return added > 0;
}

bool lemmas_congruences(struct search *s) {
  enum { LIMIT = 30 };
  struct values v = {.s = s};
  memo_init(&v.index);
  find_classes(s, &v.classes);
  size_t added = 0, count = s->terms.len;
  term_list pairs = {0};
  for (size_t i = 0; i < count && pairs.len < 2 * LIMIT; i++) {
    term_id t = s->terms.at[i];
    if (!is_function(term_kind(s->ts, t))) continue;
    for (size_t k = i + 1; k < count && pairs.len < 2 * LIMIT; k++)
      if (same_head(s, t, s->terms.at[k]) &&
          (violates(&v, t, s->terms.at[k]) || is_due(&v, t, s->terms.at[k]))) {
        vec_push(&pairs, t);
        vec_push(&pairs, s->terms.at[k]);
      }
  }
  for (size_t i = 0; i < pairs.len; i += 2)
    added += search_schema(s, SCHEMA_CONGRUENCE, &pairs.at[i], 2);
  if (!added) added = equations(s, &v, LIMIT);
  if (!added) added = reads_of_equal_arrays(s, &v, LIMIT);
  vec_clear(&pairs);
  for (size_t i = 0; i < v.list.len; i++)
    fmpq_clear(&v.list.at[i].number);
  vec_clear(&v.list);
  memo_clear(&v.index);
  memo_clear(&v.classes.parent);
  lemmas_flush(s);
  return added > 0;
}

/* ---- instances
 * -------------------------------------------------------------------------------------------- */

/* Values for a quantifier's variable: from terms that look like those of its body. */
struct matcher {
  struct search *s;
  sort_id sort;
  term_list values;
};

static void add_value(struct matcher *m, term_id t) {
  if (t == TERM_NONE || term_sort(m->s->ts, t) != m->sort || term_get(m->s->ts, t)->loose) return;
  for (size_t i = 0; i < m->values.len; i++)
    if (m->values.at[i] == t) return;
  vec_push(&m->values, t);
}

/* pattern = bound variable `depth` + rest: the value that makes it `t`. */
static void solve(struct matcher *m, term_id pattern, term_id t, uint32_t depth) {
  struct terms *ts = m->s->ts;
  const struct term_node *n = term_get(ts, pattern);
  if (n->kind == TERM_BOUND) {
    if (n->data == depth) add_value(m, t);
    return;
  }
  if (n->kind != TERM_ADD || term_sort(ts, t) != SORT_INT) return;
  bool found = false;
  term_id rest = term_int(ts, 0);
  for (size_t i = 0; i < term_arg_count(ts, pattern); i++) {
    term_id a = term_arg(ts, pattern, i);
    if (term_kind(ts, a) == TERM_BOUND && term_get(ts, a)->data == depth && !found)
      found = true;
    else if (term_get(ts, a)->loose)
      return;
    else
      rest = term_add(ts, rest, a);
  }
  if (found) add_value(m, term_sub(ts, t, rest));
}

static void match_with(struct matcher *m, term_id pattern, term_id t, uint32_t depth) {
  struct terms *ts = m->s->ts;
  const struct term_node *a = term_get(ts, pattern), *b = term_get(ts, t);
  if (a->kind != b->kind || a->sort != b->sort || a->count != b->count || a->data != b->data)
    return;
  size_t count = a->count;
  for (size_t i = 0; i < count; i++)
    if (term_get(ts, term_arg(ts, pattern, i))->loose)
      solve(m, term_arg(ts, pattern, i), term_arg(ts, t, i), depth);
}

/* Patterns: reads and applications in the body that have the variable in them. */
static void match_body(struct matcher *m, term_id body, uint32_t depth, size_t terms,
                       bool any_array) {
  struct search *s = m->s;
  struct term_node n = *term_get(s->ts, body);
  if (n.loose <= depth) return;
  if (n.kind == TERM_SELECT || n.kind == TERM_APP)
    for (size_t i = 0; i < terms; i++) {
      term_id t = s->terms.at[i];
      if (term_kind(s->ts, t) != n.kind) continue;
      if (n.kind == TERM_SELECT && !any_array &&
          term_arg(s->ts, t, 0) != term_arg(s->ts, body, 0) &&
          !term_get(s->ts, term_arg(s->ts, body, 0))->loose)
        continue;
      match_with(m, body, t, depth);
    }
  uint32_t below = depth + (n.kind == TERM_FORALL || n.kind == TERM_EXISTS);
  for (size_t i = 0; i < n.count; i++)
    match_body(m, term_arg(s->ts, body, i), below, terms, any_array);
}

/* Everything of the right sort that may be a value of interest. */
static void all_values(struct matcher *m, size_t terms) {
  enum { VALUES = 24 };
  struct search *s = m->s;
  for (size_t i = 0; i < terms && m->values.len < VALUES; i++) {
    term_id t = s->terms.at[i];
    enum term_kind kind = term_kind(s->ts, t);
    if (kind == TERM_SELECT || kind == TERM_STORE) add_value(m, term_arg(s->ts, t, 1));
    if (kind == TERM_VAR || kind == TERM_DIFFERING || kind == TERM_NUM) add_value(m, t);
  }
  for (size_t i = 0; i < terms && m->values.len < VALUES; i++)
    add_value(m, s->terms.at[i]);
}

static bool instances_of(struct search *s, int var, int effort) {
  enum { LIMIT = 12 };
  term_id q = s->sat.atoms.at[var];
  struct matcher m = {.s = s, .sort = term_get(s->ts, q)->binder};
  size_t terms = s->terms.len, added = 0;
  match_body(&m, term_arg(s->ts, q, 0), 0, terms, effort > 0);
  if (effort > 1) all_values(&m, terms);
  for (size_t i = 0; i < m.values.len && added < LIMIT; i++) {
    if (is_done(s, SCHEMA_COUNT, (term_id[]){q, m.values.at[i]}, 2)) continue;
    instantiate(s, var, m.values.at[i]);
    s->instances++;
    added++;
  }
  vec_clear(&m.values);
  return added > 0;
}

bool lemmas_instances(struct search *s, int effort) {
  enum { MOST = 400 };
  bool changed = false;
  size_t count = s->atoms.len;
  for (size_t v = 0; v < count && s->instances < MOST; v++) {
    enum term_kind kind = term_kind(s->ts, s->sat.atoms.at[v]);
    if (kind != TERM_FORALL && kind != TERM_EXISTS) continue;
    int value = sat_value(&s->sat, (int)v * 2);
    if (value != (kind == TERM_FORALL ? 1 : -1)) continue;
    changed = instances_of(s, (int)v, effort) || changed;
  }
  lemmas_flush(s);
  return changed;
}

/* ---- exp, ln, sqrt
 * ------------------------------------------------------------------------------------------ */

static bool function_pairs(struct search *s, term_id t, term_id u, int effort) {
  struct terms *ts = s->ts;
  enum term_kind kind = term_kind(ts, t), other = term_kind(ts, u);
  if (kind != other) return false;
  term_id args[] = {term_arg(ts, t, 0), term_arg(ts, u, 0)};
  if (kind == TERM_RAISE) {
    bool changed = search_schema(s, SCHEMA_POWER_STEP, (term_id[]){t, u}, 2);
    return search_schema(s, SCHEMA_POWER_STEP, (term_id[]){u, t}, 2) || changed;
  }
  bool changed = search_schema(s,
                               kind == TERM_EXP  ? SCHEMA_EXP_ORDER
                               : kind == TERM_LN ? SCHEMA_LN_ORDER
                                                 : SCHEMA_SQRT_ORDER,
                               args, 2);
  if (effort > 1 && kind == TERM_EXP) {
    changed = search_schema(s, SCHEMA_EXP_TANGENT, args, 2) || changed;
    changed = search_schema(s, SCHEMA_EXP_TANGENT, (term_id[]){args[1], args[0]}, 2) || changed;
  }
  return changed;
}

static bool function_bounds(struct search *s, term_id t, int effort) {
  struct terms *ts = s->ts;
  enum term_kind kind = term_kind(ts, t);
  term_id a = term_arg(ts, t, 0);
  size_t before = s->log.steps.len;
  if (effort > 0 && kind == TERM_EXP) bounds_of(s, SCHEMA_EXP, a, 2, 3);
  if (effort > 1 && kind == TERM_EXP) bounds_of(s, SCHEMA_EXP, a, 3, 9);
  if (effort > 0 && kind == TERM_LN) bounds_of(s, SCHEMA_LN, a, 2, 4);
  if (term_is_num(ts, a) && kind == TERM_EXP) search_schema(s, SCHEMA_EXP_AT, (term_id[]){a, a}, 2);
  if (term_is_num(ts, a) && kind == TERM_LN) search_schema(s, SCHEMA_LN_AT, (term_id[]){a, a}, 2);
  return s->log.steps.len > before;
}

/* A function that is not defined by another one; powers are compared in any case. */
static bool is_transcendental(struct search *s, term_id t) {
  enum term_kind kind = term_kind(s->ts, t);
  if (kind == TERM_RAISE) return true;
  return (kind == TERM_EXP || kind == TERM_LN || kind == TERM_SQRT) && !arith_is_defined(s, t);
}

bool lemmas_functions(struct search *s, int effort) {
  bool changed = false;
  size_t count = s->terms.len;
  for (size_t i = 0; i < count; i++) {
    term_id t = s->terms.at[i];
    if (!is_transcendental(s, t)) continue;
    changed = function_bounds(s, t, effort) || changed;
    for (size_t k = i + 1; k < count; k++)
      if (is_transcendental(s, s->terms.at[k]))
        changed = function_pairs(s, t, s->terms.at[k], effort) || changed;
  }
  lemmas_flush(s);
  return changed;
}
