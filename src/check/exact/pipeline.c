#include "check/exact/pipeline_internal.h"

#include <stdlib.h>
#include <string.h>

#include "lang/syntax/walk.h"

size_t pipeline_refuse(struct builder *b, struct span where, const char *why) {
  if (b->why) return NO_NODE;
  b->why = xasprintf("exact counting of floating-point programs: %s", why);
  b->where = where;
  return NO_NODE;
}

/* ---- scopes --------------------------------------------------------------------------------- */

void scope_init(struct scope *s, size_t count) {
  rframe_init(&s->frame, count);
  s->nodes = xcalloc(count + 1, sizeof *s->nodes);
  for (size_t i = 0; i < count; i++)
    s->nodes[i] = NO_NODE;
}

void scope_clear(struct scope *s) {
  rframe_clear(&s->frame);
  free(s->nodes);
}

struct scope scope_copy(const struct scope *s) {
  struct scope copy = {.next_word = s->next_word, .emit_count = s->emit_count};
  memcpy(copy.emitted, s->emitted, sizeof copy.emitted);
  scope_init(&copy, s->frame.count);
  for (size_t i = 0; i < s->frame.count; i++) {
    copy.frame.at[i] = rvalue_copy(&s->frame.at[i]);
    copy.nodes[i] = s->nodes[i];
  }
  return copy;
}

bool scope_set(struct scope *s, const struct ast_var *var, size_t node, struct rvalue value) {
  if (var->slot >= s->frame.count) return false;
  rvalue_clear(&s->frame.at[var->slot]);
  s->frame.at[var->slot] = value;
  s->nodes[var->slot] = node;
  return true;
}

/* ---- nodes ---------------------------------------------------------------------------------- */

size_t pipeline_node(struct builder *b, struct node n, struct span where) {
  for (size_t i = 0; i < n.count; i++) {
    if (n.args[i] == NO_NODE) return NO_NODE;
    n.varies |= b->p->nodes.at[n.args[i]].varies;
  }
  if (b->p->nodes.len == LIMIT_PIPELINE_NODES)
    return pipeline_refuse(b, where, "the program has too many operations");
  vec_push(&b->p->nodes, n);
  return b->p->nodes.len - 1;
}

static size_t add_whole(struct builder *b, wide whole, struct span where) {
  struct node n = {.kind = NODE_CONSTANT, .sort = NODE_INT, .value.whole = whole};
  return pipeline_node(b, n, where);
}

void fmpz_set_wide(fmpz_t out, wide whole) {
  const wide magnitude = whole < 0 ? -whole : whole;
  fmpz_set_uiui(out, (ulong)(magnitude >> 64), (ulong)magnitude);
  if (whole < 0) fmpz_neg(out, out);
}

bool pipeline_wide(wide *out, const fmpz_t z) {
  ulong high, low;
  fmpz_t magnitude;
  fmpz_init(magnitude);
  fmpz_abs(magnitude, z);
  bool fits = fmpz_bits(magnitude) <= 90;
  if (fits) {
    fmpz_get_uiui(&high, &low, magnitude);
    *out = ((wide)high << 64) + (wide)low;
    if (fmpz_sgn(z) < 0) *out = -*out;
  }
  fmpz_clear(magnitude);
  return fits;
}

/* A value of the type as a constant. */
static size_t add_value(struct builder *b, const struct rvalue *v, const struct type *type,
                        struct span where) {
  struct node n = {.kind = NODE_CONSTANT};
  if (type->kind == TYPE_BOOL && v->kind == RVALUE_BOOL) {
    n.sort = NODE_BOOL;
    n.value.truth = v->as.boolean;
    return pipeline_node(b, n, where);
  }
  if (type->kind == TYPE_INT && v->kind == RVALUE_INT) {
    n.sort = NODE_INT;
    if (!pipeline_wide(&n.value.whole, &v->as.integer))
      return pipeline_refuse(b, where, "an integer is too large");
    return pipeline_node(b, n, where);
  }
  n.sort = NODE_FLOAT;
  if (!type_is_float(type))
    return pipeline_refuse(b, where, "only floats, integers and truth values");
  n.format = ieee_format(type->kind);
  if (!ieee_bits(&n.value.bits, n.format, v))
    return pipeline_refuse(b, where, "this is not a floating-point number");
  return pipeline_node(b, n, where);
}

/* ---- expressions ---------------------------------------------------------------------------- */

struct mention {
  const struct scope *scope; /* or NULL: only functions that are not exact count */
  bool found;
};

static void look_for_node(const struct ast_expr *e, void *context) {
  struct mention *m = context;
  const struct ast_var *var = e->kind == EXPR_NAME ? e->as.name.var : NULL;
  if (m->scope && var && var->slot < m->scope->frame.count && m->scope->nodes[var->slot] != NO_NODE)
    m->found = true;
  if (e->kind == EXPR_CALL && e->as.call.callee_kind == CALLEE_BUILTIN && e->as.call.ulps)
    m->found = true;
  if (e->kind == EXPR_CALL && e->as.call.callee_kind == CALLEE_LET && !m->found) {
    struct mention body = {0};
    look_for_node(e->as.call.decl->as.let.body, &body);
    m->found = body.found;
  }
  if (!m->found) walk_parts(e, look_for_node, m);
}

bool pipeline_varies(const struct builder *b, const struct ast_expr *e) {
  struct mention m = {.scope = &b->scope};
  look_for_node(e, &m);
  return m.found;
}

/* What does not depend on a word is computed here and now. */
bool pipeline_compute(struct builder *b, const struct ast_expr *e, struct rvalue *out) {
  struct diags *diags = &b->in->lang->diags;
  struct diag_mark mark = diags_mark(diags);
  bool ok = reval_take(&b->in->ev, &b->scope.frame, e, out);
  diags_rollback(diags, mark);
  if (!ok) pipeline_refuse(b, e->span, "this has no value");
  return ok;
}

static size_t build_constant(struct builder *b, const struct ast_expr *e) {
  struct rvalue v = {0};
  if (!pipeline_compute(b, e, &v)) return NO_NODE;
  size_t node = add_value(b, &v, e->type, e->span);
  rvalue_clear(&v);
  return node;
}

static size_t negation(struct builder *b, size_t node, struct span where) {
  struct node n = {.kind = NODE_NOT, .sort = NODE_BOOL, .args = {node}, .count = 1};
  return pipeline_node(b, n, where);
}

static size_t conjunction(struct builder *b, size_t x, size_t y, struct span where) {
  struct node n = {.kind = NODE_AND, .sort = NODE_BOOL, .args = {x, y}, .count = 2};
  return pipeline_node(b, n, where);
}

/* Of two floats of one format or two integers. */
static size_t comparison(struct builder *b, enum binary_op op, size_t x, size_t y,
                         struct span where) {
  if (x == NO_NODE || y == NO_NODE) return NO_NODE;
  const struct node *l = &b->p->nodes.at[x], *r = &b->p->nodes.at[y];
  if (l->sort != r->sort || l->sort == NODE_BOOL)
    return pipeline_refuse(b, where, "what is compared must be two floats or two integers");
  struct node n = {.kind = NODE_BINARY, .sort = NODE_BOOL, .op = op, .args = {x, y}, .count = 2};
  return pipeline_node(b, n, where);
}

static bool is_comparison(enum binary_op op) {
  return op >= BINARY_EQ && op <= BINARY_GE;
}

static size_t build_logic(struct builder *b, enum binary_op op, size_t x, size_t y,
                          struct span where) {
  switch (op) {
  case BINARY_AND: return conjunction(b, x, y, where);
  case BINARY_OR: /* not (not x and not y) */
    return negation(b, conjunction(b, negation(b, x, where), negation(b, y, where), where), where);
  case BINARY_IMPLIES: return negation(b, conjunction(b, x, negation(b, y, where), where), where);
  default: return pipeline_refuse(b, where, "this connective is not supported");
  }
}

static size_t build_binary(struct builder *b, const struct ast_expr *e) {
  enum binary_op op = e->as.binary.op;
  size_t x = pipeline_build(b, e->as.binary.left), y = pipeline_build(b, e->as.binary.right);
  if (x == NO_NODE || y == NO_NODE) return NO_NODE;
  if (op <= BINARY_AND) return build_logic(b, op, x, y, e->span);
  if (is_comparison(op)) return comparison(b, op, x, y, e->span);
  struct node n = {.kind = NODE_BINARY, .op = op, .args = {x, y}, .count = 2};
  if (type_is_float(e->type)) {
    n.sort = NODE_FLOAT;
    n.format = ieee_format(e->type->kind);
    return pipeline_node(b, n, e->span);
  }
  n.sort = NODE_INT;
  bool known = op == BINARY_ADD || op == BINARY_SUB || op == BINARY_MUL || op == BINARY_IDIV ||
               op == BINARY_MOD;
  if (e->type->kind == TYPE_INT && known) return pipeline_node(b, n, e->span);
  return pipeline_refuse(b, e->span,
                         "random numbers may be computed with as integers and as floats, not as "
                         "reals; to_float(k) converts first");
}

static size_t build_chain(struct builder *b, const struct ast_expr *e) {
  size_t all = NO_NODE, left = pipeline_build(b, e->as.chain.operands[0]);
  for (size_t i = 1; i < e->as.chain.count; i++) {
    size_t right = pipeline_build(b, e->as.chain.operands[i]);
    size_t link = comparison(b, e->as.chain.ops[i - 1], left, right, e->span);
    all = i == 1 ? link : conjunction(b, all, link, e->span);
    left = right;
  }
  return all;
}

static size_t build_convert(struct builder *b, const struct ast_expr *e) {
  size_t x = pipeline_build(b, e->as.call.args[0]);
  if (x == NO_NODE) return NO_NODE;
  if (b->p->nodes.at[x].sort == NODE_BOOL)
    return pipeline_refuse(b, e->span, "this is not a number");
  struct node n = {.kind = NODE_CONVERT,
                   .sort = NODE_FLOAT,
                   .format = ieee_format(e->type->kind),
                   .args = {x},
                   .count = 1};
  return pipeline_node(b, n, e->span);
}

/* A function that a `let` defines: its body, with its arguments as the variables. */
static size_t build_let(struct builder *b, const struct ast_expr *e) {
  const struct ast_decl *let = e->as.call.decl;
  struct scope inner = {.next_word = b->scope.next_word}, outer;
  size_t slots = let->as.let.arg_count;
  for (size_t i = 0; i < let->as.let.arg_count; i++)
    if (let->as.let.args[i]->slot >= slots) slots = let->as.let.args[i]->slot + 1;
  scope_init(&inner, slots);
  bool ok = true;
  for (size_t i = 0; ok && i < let->as.let.arg_count; i++) {
    const struct ast_expr *arg = e->as.call.args[i];
    struct rvalue value = {0};
    size_t node = NO_NODE;
    if (pipeline_varies(b, arg))
      ok = (node = pipeline_build(b, arg)) != NO_NODE;
    else
      ok = pipeline_compute(b, arg, &value);
    ok = scope_set(&inner, let->as.let.args[i], node, value) && ok;
  }
  outer = b->scope;
  b->scope = inner;
  size_t result = ok ? pipeline_build(b, let->as.let.body) : NO_NODE;
  scope_clear(&b->scope);
  b->scope = outer;
  return result;
}

static size_t build_call(struct builder *b, const struct ast_expr *e) {
  enum builtin id = e->as.call.builtin;
  if (e->as.call.callee_kind == CALLEE_LET) return build_let(b, e);
  if (e->as.call.callee_kind != CALLEE_BUILTIN)
    return pipeline_refuse(b, e->span, "calls of this kind are not supported");
  if (id == BUILTIN_DECLASSIFY) return pipeline_build(b, e->as.call.args[0]);
  if (!type_is_float(e->type))
    return pipeline_refuse(b, e->span, "this function must be one of floats");
  if (id == BUILTIN_TO_FLOAT || id == BUILTIN_TO_FLOAT32) return build_convert(b, e);
  struct node n = {.kind = NODE_CALL,
                   .sort = NODE_FLOAT,
                   .format = ieee_format(e->type->kind),
                   .builtin = id,
                   .ulps = e->as.call.ulps,
                   .count = e->as.call.count};
  b->p->is_inexact |= n.ulps > 0;
  binary64 probe;
  if (n.count > 3 || !ieee_function(&probe, id, n.format, 0, 0, 0))
    return pipeline_refuse(b, e->span, "this function is not supported");
  for (size_t i = 0; i < n.count; i++)
    n.args[i] = pipeline_build(b, e->as.call.args[i]);
  return pipeline_node(b, n, e->span);
}

size_t pipeline_select(struct builder *b, size_t condition, size_t yes, size_t no,
                       struct span where) {
  if (yes == NO_NODE || no == NO_NODE) return NO_NODE;
  const struct node *y = &b->p->nodes.at[yes], *n = &b->p->nodes.at[no];
  if (y->sort != n->sort || y->format != n->format)
    return pipeline_refuse(b, where, "the branches have values of different types");
  struct node node = {.kind = NODE_SELECT,
                      .sort = y->sort,
                      .format = y->format,
                      .args = {condition, yes, no},
                      .count = 3};
  return pipeline_node(b, node, where);
}

static size_t build_unary(struct builder *b, const struct ast_expr *e) {
  size_t x = pipeline_build(b, e->as.unary.operand);
  if (x == NO_NODE || e->as.unary.op == UNARY_NOT) return negation(b, x, e->span);
  struct node n = {.kind = NODE_NEGATE,
                   .sort = b->p->nodes.at[x].sort,
                   .format = b->p->nodes.at[x].format,
                   .args = {x},
                   .count = 1};
  return pipeline_node(b, n, e->span);
}

size_t pipeline_build(struct builder *b, const struct ast_expr *e) {
  if (b->why) return NO_NODE;
  if (!pipeline_varies(b, e)) return build_constant(b, e);
  switch (e->kind) {
  case EXPR_NAME: return b->scope.nodes[e->as.name.var->slot];
  case EXPR_UNARY: return build_unary(b, e);
  case EXPR_BINARY: return build_binary(b, e);
  case EXPR_CHAIN: return build_chain(b, e);
  case EXPR_CALL: return build_call(b, e);
  case EXPR_IF: {
    size_t condition = pipeline_build(b, e->as.cond.cond);
    size_t yes = pipeline_build(b, e->as.cond.then), no = pipeline_build(b, e->as.cond.otherwise);
    return pipeline_select(b, condition, yes, no, e->span);
  }
  default: return pipeline_refuse(b, e->span, "this may not depend on random words");
  }
}

/* ---- randomness ----------------------------------------------------------------------------- */

/* The next word of this path: one that another path has, or a new one. */
static size_t draw_word(struct builder *b, wide count, struct span where) {
  size_t at = b->scope.next_word;
  while (at < b->p->words.len && b->p->words.at[at] != count)
    at++;
  if (at == LIMIT_PIPELINE_WORDS)
    return pipeline_refuse(b, where, "there are too many random words");
  if (at == b->p->words.len) vec_push(&b->p->words, count);
  b->scope.next_word = at + 1;
  struct node n = {.kind = NODE_WORD, .sort = NODE_INT, .word = at, .varies = true};
  return pipeline_node(b, n, where);
}

static size_t draw_range(struct builder *b, const struct ast_dist *d) {
  struct rvalue low = {0}, high = {0};
  wide first = 0, last = 0;
  bool ok = !pipeline_varies(b, d->args[0]) && !pipeline_varies(b, d->args[1]);
  if (!ok) pipeline_refuse(b, d->span, "the bounds of UniformInt may not be random");
  ok = ok && pipeline_compute(b, d->args[0], &low) && pipeline_compute(b, d->args[1], &high);
  bool fits = ok && low.kind == RVALUE_INT && high.kind == RVALUE_INT &&
              pipeline_wide(&first, &low.as.integer) && pipeline_wide(&last, &high.as.integer) &&
              first <= last && last - first < (wide)1 << 64;
  rvalue_clear(&low);
  rvalue_clear(&high);
  if (!fits) return pipeline_refuse(b, d->span, "a random word has at most 64 bits");
  struct node n = {.kind = NODE_BINARY, .sort = NODE_INT, .op = BINARY_ADD, .count = 2};
  n.args[0] = draw_word(b, last - first + 1, d->span);
  if (first == 0) return n.args[0];
  n.args[1] = add_whole(b, first, d->span);
  return pipeline_node(b, n, d->span);
}

/* word < count */
static size_t is_below(struct builder *b, size_t word, wide count, struct span where) {
  return comparison(b, BINARY_LT, word, add_whole(b, count, where), where);
}

/* r/s: one of s values is below r. */
static size_t draw_chance(struct builder *b, const struct ast_dist *d) {
  struct rvalue chance = {0};
  wide above = 0, below = 0;
  if (pipeline_varies(b, d->args[0]))
    return pipeline_refuse(b, d->span, "the probability of Bernoulli may not be random");
  if (!pipeline_compute(b, d->args[0], &chance)) return NO_NODE;
  bool fits = chance.kind == RVALUE_INT || chance.kind == RVALUE_RATIONAL;
  fmpq_t q;
  fmpq_init(q);
  if (fits) number_get_fmpq(q, &chance);
  fits = fits && fmpq_sgn(q) >= 0 && fmpq_cmp_si(q, 1) <= 0 &&
         pipeline_wide(&above, fmpq_numref(q)) && pipeline_wide(&below, fmpq_denref(q)) &&
         below <= LIMIT_PIPELINE_CHOICES;
  fmpq_clear(q);
  rvalue_clear(&chance);
  if (!fits)
    return pipeline_refuse(b, d->span, "a coin needs a probability that is a simple fraction");
  return is_below(b, draw_word(b, below, d->span), above, d->span);
}

static size_t draw_item(struct builder *b, const struct ast_dist *d) {
  size_t word = draw_word(b, (wide)d->count, d->span), chosen = NO_NODE;
  for (size_t i = d->count; i-- > 0;) {
    size_t item = pipeline_build(b, d->args[i]);
    chosen = i + 1 == d->count ? item
                               : pipeline_select(b, is_below(b, word, (wide)i + 1, d->span), item,
                                                 chosen, d->span);
  }
  return chosen;
}

size_t pipeline_draw(struct builder *b, const struct ast_dist *d) {
  if (d->kind == DIST_UNIFORM_INT) return draw_range(b, d);
  if (d->kind == DIST_BERNOULLI) return draw_chance(b, d);
  if (d->kind == DIST_UNIFORM_SET) return draw_item(b, d);
  return pipeline_refuse(
      b, d->span, "noise must be made of Uniform53(), Word64(), UniformInt, coins or choices");
}

void pipeline_clear(struct pipeline *p) {
  vec_clear(&p->nodes);
  vec_clear(&p->words);
}

static bool has_float(const struct type *t) {
  return t && type_has_float(t);
}

bool pipeline_is_wanted(const struct interp *in) {
  const struct ast_routine *r = in->mechanism->as.mechanism.routine;
  bool found =
      (r->returns && has_float(r->returns->type)) || (r->emits && has_float(r->emits->type));
  for (size_t i = 0; i < r->arg_count; i++)
    found |= has_float(r->args[i]->type);
  for (size_t i = 0; i < r->local_count; i++)
    found |= has_float(r->locals[i]->type);
  return found;
}
