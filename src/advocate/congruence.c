#include "advocate/arith.h"
#include "advocate/define.h"
#include "advocate/lemmas.h"
#include "term/build.h"

/* ---- equations of other values --------------------------------------------------------------- */

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

/* ---- congruences ----------------------------------------------------------------------------- */

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
    arith_term_value(s, t, &p.number);
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

/* A product of values that were clipped or chosen: it is a number of its own to the linear
 * arithmetic, which does not see that it is the same if these are. */
static bool is_product_of_clips(struct search *s, term_id t) {
  if (term_kind(s->ts, t) != TERM_MUL && term_kind(s->ts, t) != TERM_POW) return false;
  for (size_t i = 0; i < term_arg_count(s->ts, t); i++) {
    enum term_kind kind = term_kind(s->ts, term_arg(s->ts, t, i));
    if (kind != TERM_MIN && kind != TERM_MAX && kind != TERM_ABS && kind != TERM_ITE) return false;
  }
  return true;
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

/* Where an array of the class is read or written; TERM_NONE: nowhere by this term. */
static term_id place_in(struct search *s, struct values *v, term_id t, term_id class) {
  enum term_kind kind = term_kind(s->ts, t);
  term_id array = kind == TERM_SELECT ? term_arg(s->ts, t, 0) : t;
  if ((kind != TERM_SELECT && kind != TERM_STORE) ||
      term_sort(s->ts, array) != term_sort(s->ts, class) || find_class(&v->classes, array) != class)
    return TERM_NONE;
  return term_arg(s->ts, t, 1);
}

/* Reading equal arrays at the same place: the other read may not occur yet. If one is a store at
 * that very place, the builder looks through it and there is no read to be congruent; but then the
 * other array has a read here, and for the place where that is written it is the other way round.
 */
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
      term_id at = place_in(s, v, s->terms.at[k], class);
      if (at == TERM_NONE) continue;
      term_id x = term_select(s->ts, a.left, at), y = term_select(s->ts, a.right, at);
      define_note(s, x);
      define_note(s, y);
      if (term_kind(s->ts, x) == TERM_SELECT && term_kind(s->ts, y) == TERM_SELECT)
        added += search_schema(s, SCHEMA_CONGRUENCE, (term_id[]){x, y}, 2);
    }
  }
  return added > 0 || s->terms.len > terms;
}

enum { CONGRUENCES = 30 }; /* at a time */

static void values_init(struct values *v, struct search *s) {
  *v = (struct values){.s = s};
  memo_init(&v->index);
  find_classes(s, &v->classes);
}

static void values_clear(struct values *v) {
  for (size_t i = 0; i < v->list.len; i++)
    fmpq_clear(&v->list.at[i].number);
  vec_clear(&v->list);
  memo_clear(&v->index);
  memo_clear(&v->classes.parent);
}

/* Congruences of the pairs of terms of which `wanted` says so. */
static size_t congruences(struct values *v,
                          bool (*wanted)(struct values *v, term_id t, term_id u)) {
  struct search *s = v->s;
  size_t added = 0, count = s->terms.len;
  term_list pairs = {0};
  for (size_t i = 0; i < count && pairs.len < 2 * CONGRUENCES; i++) {
    term_id t = s->terms.at[i];
    if (!is_function(term_kind(s->ts, t)) && !is_product_of_clips(s, t)) continue;
    for (size_t k = i + 1; k < count && pairs.len < 2 * CONGRUENCES; k++)
      if (same_head(s, t, s->terms.at[k]) && wanted(v, t, s->terms.at[k])) {
        vec_push(&pairs, t);
        vec_push(&pairs, s->terms.at[k]);
      }
  }
  for (size_t i = 0; i < pairs.len; i += 2)
    added += search_schema(s, SCHEMA_CONGRUENCE, &pairs.at[i], 2);
  vec_clear(&pairs);
  return added;
}

static bool is_needed(struct values *v, term_id t, term_id u) {
  return violates(v, t, u) || is_due(v, t, u);
}

bool lemmas_congruences(struct search *s) {
  struct values v;
  values_init(&v, s);
  size_t added = congruences(&v, is_needed);
  if (!added) added = equations(s, &v, CONGRUENCES);
  if (!added) added = reads_of_equal_arrays(s, &v, CONGRUENCES);
  values_clear(&v);
  lemmas_flush(s);
  return added > 0;
}

/* Is it an equation that was decided to hold? */
static bool is_decided(struct search *s, term_id equation) {
  uint32_t var;
  if (equation == s->ts->true_term) return true;
  return memo_find(&s->vars, equation, &var) && sat_value(&s->sat, (int)(var - 1) * 2) == 1;
}

/* f(x) and f(y), where x = y was decided: if the values are equal, too, that is by chance. */
static bool is_by_chance(struct values *v, term_id t, term_id u) {
  struct search *s = v->s;
  enum term_kind kind = term_kind(s->ts, t);
  if (kind != TERM_SELECT && kind != TERM_APP) return false;
  for (size_t i = 0; i < term_arg_count(s->ts, t); i++)
    if (!is_decided(s, term_eq(s->ts, term_arg(s->ts, t, i), term_arg(s->ts, u, i)))) return false;
  return !define_was_done(s, SCHEMA_CONGRUENCE, (term_id[]){t, u}, 2);
}

bool lemmas_coincidences(struct search *s) {
  struct values v;
  values_init(&v, s);
  size_t added = congruences(&v, is_by_chance);
  values_clear(&v);
  lemmas_flush(s);
  return added > 0;
}
