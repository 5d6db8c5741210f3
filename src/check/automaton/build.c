#include "check/automaton/build.h"

#include <string.h>

#include "lang/check/constant.h"

/* A guard in disjunctive normal form: cubes of literals, each sorted and free of duplicates. */
typedef VEC(literal) cube;
typedef VEC(cube) dnf;

struct builder {
  struct automaton *a;
  struct diags *diags;
  const struct ast_decl *decl;
  uint32_t *slots; /* state + 1 by name (interned pointers); open addressing */
  size_t capacity;
  bool too_large; /* the guard at hand */
};

static void dnf_clear(dnf *d) {
  for (size_t i = 0; i < d->len; i++)
    vec_clear(&d->at[i]);
  vec_clear(d);
}

/* ---- guards -----------------------------------------------------------------------------------
 */

static dnf dnf_constant(bool value) {
  dnf d = {0};
  cube empty = {0};
  if (value) vec_push(&d, empty);
  return d;
}

static dnf dnf_literal(literal l) {
  dnf d = dnf_constant(true);
  vec_push(&d.at[0], l);
  return d;
}

static dnf dnf_or(dnf x, dnf y) {
  for (size_t i = 0; i < y.len; i++)
    vec_push(&x, y.at[i]);
  vec_clear(&y);
  return x;
}

static dnf dnf_and(struct builder *b, dnf x, dnf y) {
  dnf out = {0};
  if (x.len * y.len > BUILD_CUBE_LIMIT) b->too_large = true;
  for (size_t i = 0; i < x.len && !b->too_large; i++)
    for (size_t j = 0; j < y.len; j++) {
      cube both = {0};
      for (size_t k = 0; k < x.at[i].len; k++)
        vec_push(&both, x.at[i].at[k]);
      for (size_t k = 0; k < y.at[j].len; k++)
        vec_push(&both, y.at[j].at[k]);
      vec_push(&out, both);
    }
  dnf_clear(&x);
  dnf_clear(&y);
  return out;
}

static bool is_insample(const struct ast_expr *e) {
  return e->kind == EXPR_NAME && strcmp(e->as.name.text, "insample") == 0;
}

/* `left op right`, one side being insample; negated: the opposite comparison. */
static dnf comparison(struct builder *b, const struct ast_expr *left, enum binary_op op,
                      const struct ast_expr *right, bool negated) {
  bool less = op == BINARY_LT || op == BINARY_LE;
  if (!is_insample(left)) less = !less;
  if (negated) less = !less;
  const char *name = (is_insample(left) ? right : left)->as.name.text;
  uint32_t var = automaton_var(b->a, name, strlen(name));
  return dnf_literal(less ? literal_less(var) : literal_greater(var));
}

static dnf join(struct builder *b, dnf x, dnf y, bool conjunction) {
  return conjunction ? dnf_and(b, x, y) : dnf_or(x, y);
}

static dnf guard_dnf(struct builder *b, const struct ast_expr *e, bool negated) {
  switch (e->kind) {
  case EXPR_BOOL: return dnf_constant(e->as.boolean != negated);
  case EXPR_UNARY: return guard_dnf(b, e->as.unary.operand, !negated);
  case EXPR_CHAIN: {
    dnf all = dnf_constant(!negated);
    for (size_t i = 0; i + 1 < e->as.chain.count; i++)
      all = join(b, all,
                 comparison(b, e->as.chain.operands[i], e->as.chain.ops[i],
                            e->as.chain.operands[i + 1], negated),
                 !negated);
    return all;
  }
  default: break;
  }
  enum binary_op op = e->as.binary.op;
  if (op == BINARY_AND || op == BINARY_OR)
    return join(b, guard_dnf(b, e->as.binary.left, negated),
                guard_dnf(b, e->as.binary.right, negated), (op == BINARY_AND) != negated);
  return comparison(b, e->as.binary.left, op, e->as.binary.right, negated);
}

/* The number of the guard; AUTOMATON_NONE if it is constantly false or an error was reported. */
static uint32_t build_guard(struct builder *b, const struct ast_expr *e) {
  if (!e) return 0;
  b->too_large = false;
  dnf d = guard_dnf(b, e, false);
  uint32_t guard = AUTOMATON_NONE;
  if (b->too_large || d.len > BUILD_CUBE_LIMIT) {
    diag_error(b->diags, e->span, "automaton-guard-too-large",
               "the guard has more than %d alternatives", (int)BUILD_CUBE_LIMIT);
  } else if (d.len > 0) {
    VEC(literal) literals = {0};
    VEC(size_t) sizes = {0};
    for (size_t i = 0; i < d.len; i++) {
      vec_push(&sizes, d.at[i].len);
      for (size_t j = 0; j < d.at[i].len; j++)
        vec_push(&literals, d.at[i].at[j]);
    }
    guard = automaton_guard_dnf(b->a, literals.at, sizes.at, sizes.len);
    vec_clear(&literals);
    vec_clear(&sizes);
  }
  dnf_clear(&d);
  return guard;
}

/* ---- states and edges --------------------------------------------------------------------------
 */

static size_t slot_of(const struct builder *b, const char *name) {
  size_t i = hash_bytes(&name, sizeof name) & (b->capacity - 1);
  while (b->slots[i] && b->decl->as.automaton.states[b->slots[i] - 1].name.text != name)
    i = (i + 1) & (b->capacity - 1);
  return i;
}

static uint32_t build_value(struct builder *b, const struct ast_expr *e) {
  if (!e) return 0; /* the number 0 */
  fmpq_t value;
  fmpq_init(value);
  uint32_t id = 0;
  if (constant_eval(value, e))
    id = automaton_rational(b->a, value);
  else
    diag_error(b->diags, e->span, "automaton-bad-d", "this is not a rational constant");
  fmpq_clear(value);
  return id;
}

static void build_states(struct builder *b) {
  const struct ast_decl *d = b->decl;
  for (size_t i = 0; i < d->as.automaton.state_count; i++) {
    const struct ast_state *s = &d->as.automaton.states[i];
    uint32_t id = automaton_state(b->a, s->name.text, strlen(s->name.text), s->span);
    b->slots[slot_of(b, s->name.text)] = id + 1;
    if (s->is_final) continue;
    uint32_t d2 = s->d2 ? build_value(b, s->d2) : AUTOMATON_NONE;
    automaton_noise(b->a, id, s->is_input, build_value(b, s->d), build_value(b, s->mean), d2,
                    s->d2 ? build_value(b, s->mean2) : AUTOMATON_NONE);
  }
}

static void build_edge(struct builder *b, const struct ast_edge *e) {
  struct automaton_edge edge = {.guard = build_guard(b, e->guard)};
  if (edge.guard == AUTOMATON_NONE) return;
  edge.from = b->slots[slot_of(b, e->from.text)] - 1;
  edge.to = b->slots[slot_of(b, e->to.text)] - 1;
  VEC(uint32_t) vars = {0};
  for (size_t i = 0; i < e->assigned_count; i++)
    vec_push(&vars, automaton_var(b->a, e->assigned[i].text, strlen(e->assigned[i].text)));
  edge.assign = automaton_set(b->a, vars.at, vars.len);
  vec_clear(&vars);
  edge.emit = e->output == OUTPUT_INSAMPLE ? EMIT_INSAMPLE
              : e->output == OUTPUT_INSAMPLE_PRIME
                  ? EMIT_PRIME
                  : automaton_symbol(b->a, e->symbol.text, strlen(e->symbol.text));
  automaton_edge(b->a, edge, e->span);
}

bool automaton_build(struct automaton *a, const struct ast_decl *decl, struct diags *diags) {
  struct builder b = {.a = a, .diags = diags, .decl = decl, .capacity = 16};
  size_t before = diags->errors;
  while (b.capacity < 2 * decl->as.automaton.state_count + 2)
    b.capacity *= 2;
  b.slots = xcalloc(b.capacity, sizeof *b.slots);
  a->name = intern_str(&a->names, decl->name.text);
  a->independent = decl->as.automaton.independent;
  a->file = decl->span.file;
  for (size_t i = 0; i < decl->as.automaton.var_count; i++)
    automaton_var(a, decl->as.automaton.vars[i].text, strlen(decl->as.automaton.vars[i].text));
  build_states(&b);
  a->start = b.slots[slot_of(&b, decl->as.automaton.start.text)] - 1;
  for (size_t i = 0; i < decl->as.automaton.edge_count; i++)
    build_edge(&b, &decl->as.automaton.edges[i]);
  automaton_finish(a);
  free(b.slots);
  return diags->errors == before;
}
