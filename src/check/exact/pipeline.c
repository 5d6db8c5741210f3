#include "check/exact/pipeline.h"

#include <stdlib.h>
#include <string.h>

#include "lang/syntax/walk.h"

#define NO_NODE SIZE_MAX

/* The variables at one point of a path: values in the frame, or nodes if they vary. */
struct scope {
  struct rframe frame;
  size_t *nodes;
  size_t next_word; /* words before it are taken on this path */
};

struct builder {
  struct interp *in;
  struct pipeline *p;
  struct scope scope;
  char *why;
  struct span where;
};

/* What is still to be run: the statements of a block from `next` on, then those around it. */
struct rest {
  const struct ast_block *block;
  size_t next;
  const struct rest *after;
};

static size_t refuse(struct builder *b, struct span where, const char *why) {
  if (b->why) return NO_NODE;
  b->why = xasprintf("exact counting of floating-point programs: %s", why);
  b->where = where;
  return NO_NODE;
}

/* ---- scopes --------------------------------------------------------------------------------- */

static void scope_init(struct scope *s, size_t count) {
  rframe_init(&s->frame, count);
  s->nodes = xcalloc(count + 1, sizeof *s->nodes);
  for (size_t i = 0; i < count; i++)
    s->nodes[i] = NO_NODE;
}

static void scope_clear(struct scope *s) {
  rframe_clear(&s->frame);
  free(s->nodes);
}

static struct scope scope_copy(const struct scope *s) {
  struct scope copy = {.next_word = s->next_word};
  scope_init(&copy, s->frame.count);
  for (size_t i = 0; i < s->frame.count; i++) {
    copy.frame.at[i] = rvalue_copy(&s->frame.at[i]);
    copy.nodes[i] = s->nodes[i];
  }
  return copy;
}

/* The variable becomes a node, or (NO_NODE) the value, which is moved. */
static bool scope_set(struct scope *s, const struct ast_var *var, size_t node,
                      struct rvalue value) {
  if (var->slot >= s->frame.count) return false;
  rvalue_clear(&s->frame.at[var->slot]);
  s->frame.at[var->slot] = value;
  s->nodes[var->slot] = node;
  return true;
}

/* ---- nodes ---------------------------------------------------------------------------------- */

static size_t add_node(struct builder *b, struct node n, struct span where) {
  for (size_t i = 0; i < n.count; i++) {
    if (n.args[i] == NO_NODE) return NO_NODE;
    n.varies |= b->p->nodes.at[n.args[i]].varies;
  }
  if (b->p->nodes.len == LIMIT_PIPELINE_NODES)
    return refuse(b, where, "the program has too many operations");
  vec_push(&b->p->nodes, n);
  return b->p->nodes.len - 1;
}

static size_t add_whole(struct builder *b, wide whole, struct span where) {
  struct node n = {.kind = NODE_CONSTANT, .sort = NODE_INT, .value.whole = whole};
  return add_node(b, n, where);
}

static bool get_wide(wide *out, const fmpz_t z) {
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
    return add_node(b, n, where);
  }
  if (type->kind == TYPE_INT && v->kind == RVALUE_INT) {
    n.sort = NODE_INT;
    if (!get_wide(&n.value.whole, &v->as.integer))
      return refuse(b, where, "an integer is too large");
    return add_node(b, n, where);
  }
  n.sort = NODE_FLOAT;
  if (!type_is_float(type)) return refuse(b, where, "only floats, integers and truth values");
  n.format = ieee_format(type->kind);
  if (!ieee_bits(&n.value.bits, n.format, v))
    return refuse(b, where, "this is not a floating-point number");
  return add_node(b, n, where);
}

/* ---- expressions ---------------------------------------------------------------------------- */

struct mention {
  const struct scope *scope;
  bool found;
};

static void look_for_node(const struct ast_expr *e, void *context) {
  struct mention *m = context;
  const struct ast_var *var = e->kind == EXPR_NAME ? e->as.name.var : NULL;
  if (var && var->slot < m->scope->frame.count && m->scope->nodes[var->slot] != NO_NODE)
    m->found = true;
  if (!m->found) walk_parts(e, look_for_node, m);
}

static bool expr_varies(const struct builder *b, const struct ast_expr *e) {
  struct mention m = {.scope = &b->scope};
  look_for_node(e, &m);
  return m.found;
}

/* What does not depend on a word is computed here and now. */
static bool compute(struct builder *b, const struct ast_expr *e, struct rvalue *out) {
  struct diags *diags = &b->in->lang->diags;
  struct diag_mark mark = diags_mark(diags);
  bool ok = reval_take(&b->in->ev, &b->scope.frame, e, out);
  diags_rollback(diags, mark);
  if (!ok) refuse(b, e->span, "this has no value");
  return ok;
}

static size_t build(struct builder *b, const struct ast_expr *e);

static size_t build_constant(struct builder *b, const struct ast_expr *e) {
  struct rvalue v = {0};
  if (!compute(b, e, &v)) return NO_NODE;
  size_t node = add_value(b, &v, e->type, e->span);
  rvalue_clear(&v);
  return node;
}

static size_t negation(struct builder *b, size_t node, struct span where) {
  struct node n = {.kind = NODE_NOT, .sort = NODE_BOOL, .args = {node}, .count = 1};
  return add_node(b, n, where);
}

static size_t conjunction(struct builder *b, size_t x, size_t y, struct span where) {
  struct node n = {.kind = NODE_AND, .sort = NODE_BOOL, .args = {x, y}, .count = 2};
  return add_node(b, n, where);
}

/* Of two floats of one format or two integers. */
static size_t comparison(struct builder *b, enum binary_op op, size_t x, size_t y,
                         struct span where) {
  if (x == NO_NODE || y == NO_NODE) return NO_NODE;
  const struct node *l = &b->p->nodes.at[x], *r = &b->p->nodes.at[y];
  if (l->sort != r->sort || l->sort == NODE_BOOL)
    return refuse(b, where, "what is compared must be two floats or two integers");
  struct node n = {.kind = NODE_BINARY, .sort = NODE_BOOL, .op = op, .args = {x, y}, .count = 2};
  return add_node(b, n, where);
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
  default: return refuse(b, where, "this connective is not supported");
  }
}

static size_t build_binary(struct builder *b, const struct ast_expr *e) {
  enum binary_op op = e->as.binary.op;
  size_t x = build(b, e->as.binary.left), y = build(b, e->as.binary.right);
  if (x == NO_NODE || y == NO_NODE) return NO_NODE;
  if (op <= BINARY_AND) return build_logic(b, op, x, y, e->span);
  if (is_comparison(op)) return comparison(b, op, x, y, e->span);
  struct node n = {.kind = NODE_BINARY, .op = op, .args = {x, y}, .count = 2};
  if (type_is_float(e->type)) {
    n.sort = NODE_FLOAT;
    n.format = ieee_format(e->type->kind);
    return add_node(b, n, e->span);
  }
  n.sort = NODE_INT;
  bool known = op == BINARY_ADD || op == BINARY_SUB || op == BINARY_MUL || op == BINARY_IDIV ||
               op == BINARY_MOD;
  if (e->type->kind == TYPE_INT && known) return add_node(b, n, e->span);
  return refuse(b, e->span,
                "random numbers may be computed with as integers and as floats, not as "
                "reals; to_float(k) converts first");
}

static size_t build_chain(struct builder *b, const struct ast_expr *e) {
  size_t all = NO_NODE, left = build(b, e->as.chain.operands[0]);
  for (size_t i = 1; i < e->as.chain.count; i++) {
    size_t right = build(b, e->as.chain.operands[i]);
    size_t link = comparison(b, e->as.chain.ops[i - 1], left, right, e->span);
    all = i == 1 ? link : conjunction(b, all, link, e->span);
    left = right;
  }
  return all;
}

static size_t build_convert(struct builder *b, const struct ast_expr *e) {
  size_t x = build(b, e->as.call.args[0]);
  if (x == NO_NODE) return NO_NODE;
  if (b->p->nodes.at[x].sort == NODE_BOOL) return refuse(b, e->span, "this is not a number");
  struct node n = {.kind = NODE_CONVERT,
                   .sort = NODE_FLOAT,
                   .format = ieee_format(e->type->kind),
                   .args = {x},
                   .count = 1};
  return add_node(b, n, e->span);
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
    if (expr_varies(b, arg))
      ok = (node = build(b, arg)) != NO_NODE;
    else
      ok = compute(b, arg, &value);
    ok = scope_set(&inner, let->as.let.args[i], node, value) && ok;
  }
  outer = b->scope;
  b->scope = inner;
  size_t result = ok ? build(b, let->as.let.body) : NO_NODE;
  scope_clear(&b->scope);
  b->scope = outer;
  return result;
}

static size_t build_call(struct builder *b, const struct ast_expr *e) {
  enum builtin id = e->as.call.builtin;
  if (e->as.call.callee_kind == CALLEE_LET) return build_let(b, e);
  if (e->as.call.callee_kind != CALLEE_BUILTIN)
    return refuse(b, e->span, "calls of this kind are not supported");
  if (id == BUILTIN_DECLASSIFY) return build(b, e->as.call.args[0]);
  if (!type_is_float(e->type)) return refuse(b, e->span, "this function must be one of floats");
  if (id == BUILTIN_TO_FLOAT || id == BUILTIN_TO_FLOAT32) return build_convert(b, e);
  struct node n = {.kind = NODE_CALL,
                   .sort = NODE_FLOAT,
                   .format = ieee_format(e->type->kind),
                   .builtin = id,
                   .count = e->as.call.count};
  binary64 probe;
  if (n.count > 3 || !ieee_function(&probe, id, n.format, 0, 0, 0))
    return refuse(b, e->span, "this function is not supported");
  for (size_t i = 0; i < n.count; i++)
    n.args[i] = build(b, e->as.call.args[i]);
  return add_node(b, n, e->span);
}

static size_t selection(struct builder *b, size_t condition, size_t yes, size_t no,
                        struct span where) {
  if (yes == NO_NODE || no == NO_NODE) return NO_NODE;
  const struct node *y = &b->p->nodes.at[yes], *n = &b->p->nodes.at[no];
  if (y->sort != n->sort || y->format != n->format)
    return refuse(b, where, "the branches have values of different types");
  struct node node = {.kind = NODE_SELECT,
                      .sort = y->sort,
                      .format = y->format,
                      .args = {condition, yes, no},
                      .count = 3};
  return add_node(b, node, where);
}

static size_t build_unary(struct builder *b, const struct ast_expr *e) {
  size_t x = build(b, e->as.unary.operand);
  if (x == NO_NODE || e->as.unary.op == UNARY_NOT) return negation(b, x, e->span);
  struct node n = {.kind = NODE_NEGATE,
                   .sort = b->p->nodes.at[x].sort,
                   .format = b->p->nodes.at[x].format,
                   .args = {x},
                   .count = 1};
  return add_node(b, n, e->span);
}

static size_t build(struct builder *b, const struct ast_expr *e) {
  if (b->why) return NO_NODE;
  if (!expr_varies(b, e)) return build_constant(b, e);
  switch (e->kind) {
  case EXPR_NAME: return b->scope.nodes[e->as.name.var->slot];
  case EXPR_UNARY: return build_unary(b, e);
  case EXPR_BINARY: return build_binary(b, e);
  case EXPR_CHAIN: return build_chain(b, e);
  case EXPR_CALL: return build_call(b, e);
  case EXPR_IF: {
    size_t condition = build(b, e->as.cond.cond);
    size_t yes = build(b, e->as.cond.then), no = build(b, e->as.cond.otherwise);
    return selection(b, condition, yes, no, e->span);
  }
  default: return refuse(b, e->span, "this may not depend on random words");
  }
}

/* ---- randomness ----------------------------------------------------------------------------- */

/* The next word of this path: one that another path has, or a new one. */
static size_t draw_word(struct builder *b, wide count, struct span where) {
  size_t at = b->scope.next_word;
  while (at < b->p->words.len && b->p->words.at[at] != count)
    at++;
  if (at == LIMIT_PIPELINE_WORDS) return refuse(b, where, "there are too many random words");
  if (at == b->p->words.len) vec_push(&b->p->words, count);
  b->scope.next_word = at + 1;
  struct node n = {.kind = NODE_WORD, .sort = NODE_INT, .word = at, .varies = true};
  return add_node(b, n, where);
}

static size_t draw_range(struct builder *b, const struct ast_dist *d) {
  struct rvalue low = {0}, high = {0};
  wide first = 0, last = 0;
  bool ok = !expr_varies(b, d->args[0]) && !expr_varies(b, d->args[1]);
  if (!ok) refuse(b, d->span, "the bounds of UniformInt may not be random");
  ok = ok && compute(b, d->args[0], &low) && compute(b, d->args[1], &high);
  bool fits = ok && low.kind == RVALUE_INT && high.kind == RVALUE_INT &&
              get_wide(&first, &low.as.integer) && get_wide(&last, &high.as.integer) &&
              first <= last && last - first < (wide)1 << 64;
  rvalue_clear(&low);
  rvalue_clear(&high);
  if (!fits) return refuse(b, d->span, "a random word has at most 64 bits");
  struct node n = {.kind = NODE_BINARY, .sort = NODE_INT, .op = BINARY_ADD, .count = 2};
  n.args[0] = draw_word(b, last - first + 1, d->span);
  if (first == 0) return n.args[0];
  n.args[1] = add_whole(b, first, d->span);
  return add_node(b, n, d->span);
}

/* word < count */
static size_t is_below(struct builder *b, size_t word, wide count, struct span where) {
  return comparison(b, BINARY_LT, word, add_whole(b, count, where), where);
}

/* r/s: one of s values is below r. */
static size_t draw_chance(struct builder *b, const struct ast_dist *d) {
  struct rvalue chance = {0};
  wide above = 0, below = 0;
  if (expr_varies(b, d->args[0]))
    return refuse(b, d->span, "the probability of Bernoulli may not be random");
  if (!compute(b, d->args[0], &chance)) return NO_NODE;
  bool fits = chance.kind == RVALUE_INT || chance.kind == RVALUE_RATIONAL;
  fmpq_t q;
  fmpq_init(q);
  if (fits) number_get_fmpq(q, &chance);
  fits = fits && fmpq_sgn(q) >= 0 && fmpq_cmp_si(q, 1) <= 0 && get_wide(&above, fmpq_numref(q)) &&
         get_wide(&below, fmpq_denref(q)) && below <= LIMIT_PIPELINE_CHOICES;
  fmpq_clear(q);
  rvalue_clear(&chance);
  if (!fits) return refuse(b, d->span, "a coin needs a probability that is a simple fraction");
  return is_below(b, draw_word(b, below, d->span), above, d->span);
}

static size_t draw_item(struct builder *b, const struct ast_dist *d) {
  size_t word = draw_word(b, (wide)d->count, d->span), chosen = NO_NODE;
  for (size_t i = d->count; i-- > 0;) {
    size_t item = build(b, d->args[i]);
    chosen = i + 1 == d->count
                 ? item
                 : selection(b, is_below(b, word, (wide)i + 1, d->span), item, chosen, d->span);
  }
  return chosen;
}

static size_t draw(struct builder *b, const struct ast_dist *d) {
  switch (d->kind) {
  case DIST_UNIFORM_INT: return draw_range(b, d);
  case DIST_BERNOULLI: return draw_chance(b, d);
  case DIST_UNIFORM_SET: return draw_item(b, d);
  default:
    return refuse(b, d->span, "randomness must be UniformInt, Bernoulli or a uniform choice");
  }
}

/* ---- statements ----------------------------------------------------------------------------- */

static size_t run_rest(struct builder *b, const struct rest *rest);

static bool assign(struct builder *b, const struct ast_var *var, const struct ast_expr *value) {
  struct rvalue known = {0};
  size_t node = NO_NODE;
  if (expr_varies(b, value)) {
    node = build(b, value);
    if (node == NO_NODE) return false;
  } else if (value->kind == EXPR_CALL && value->as.call.callee_kind >= CALLEE_PROCEDURE) {
    refuse(b, value->span, "calls of this kind are not supported");
    return false;
  } else if (!compute(b, value, &known)) {
    return false;
  }
  return scope_set(&b->scope, var, node, known);
}

/* One branch and all that follows. */
static size_t run_branch(struct builder *b, const struct ast_block *branch,
                         const struct rest *after) {
  struct rest rest = {branch, 0, after};
  struct scope kept = scope_copy(&b->scope);
  size_t result = run_rest(b, &rest);
  scope_clear(&b->scope);
  b->scope = kept;
  return result;
}

static size_t run_if(struct builder *b, const struct ast_stmt *s, const struct rest *after) {
  const struct ast_expr *cond = s->as.branch.cond;
  if (!expr_varies(b, cond)) {
    struct rvalue truth = {0};
    if (!compute(b, cond, &truth)) return NO_NODE;
    bool yes = truth.kind == RVALUE_BOOL && truth.as.boolean;
    rvalue_clear(&truth);
    return run_branch(b, yes ? &s->as.branch.then : &s->as.branch.otherwise, after);
  }
  size_t condition = build(b, cond);
  if (condition == NO_NODE) return NO_NODE;
  size_t yes = run_branch(b, &s->as.branch.then, after);
  size_t no = yes == NO_NODE ? NO_NODE : run_branch(b, &s->as.branch.otherwise, after);
  return selection(b, condition, yes, no, s->span);
}

/* The plain statements; false: it is another one, or there was a mistake. */
static bool run_simple(struct builder *b, const struct ast_stmt *s) {
  switch (s->kind) {
  case STMT_SKIP: return true;
  case STMT_VAR: return !s->as.var.init || assign(b, s->as.var.var, s->as.var.init);
  case STMT_ASSIGN:
    if (s->as.assign.count == 1 && !s->as.assign.targets[0].index)
      return assign(b, s->as.assign.targets[0].var, s->as.assign.value);
    break;
  case STMT_SAMPLE:
    if (!s->as.sample.target.index) {
      size_t node = draw(b, &s->as.sample.dist);
      return node != NO_NODE &&
             scope_set(&b->scope, s->as.sample.target.var, node, (struct rvalue){0});
    }
    break;
  default: break;
  }
  refuse(b, s->span, "only assignments, random words, `if` and `return` are supported");
  return false;
}

/* The node of what the run returns. */
static size_t run_rest(struct builder *b, const struct rest *rest) {
  struct rest here = {0};
  while (rest) {
    here = *rest;
    for (; here.next < here.block->count; here.next++) {
      const struct ast_stmt *s = here.block->stmts[here.next];
      if (s->kind == STMT_IF) {
        struct rest after = {here.block, here.next + 1, here.after};
        return run_if(b, s, &after);
      }
      if (s->kind == STMT_RETURN && s->as.value) return build(b, s->as.value);
      if (!run_simple(b, s)) return NO_NODE;
    }
    rest = here.after;
  }
  return refuse(b, b->in->mechanism->name.span, "a path returns nothing");
}

bool pipeline_init(struct pipeline *p, struct interp *in, char **why, struct span *where) {
  const struct ast_routine *routine = in->mechanism->as.mechanism.routine;
  *p = (struct pipeline){0};
  struct builder b = {.in = in, .p = p};
  scope_init(&b.scope, in->frame.count);
  for (size_t i = 0; i < routine->arg_count; i++) {
    const struct rvalue *v = rframe_get(&in->frame, routine->args[i]);
    if (v) scope_set(&b.scope, routine->args[i], NO_NODE, rvalue_copy(v));
  }
  struct rest all = {&routine->plain, 0, NULL};
  p->result = routine->emits ? refuse(&b, routine->name.span, "a mechanism must return its output")
                             : run_rest(&b, &all);
  scope_clear(&b.scope);
  if (p->words.len == 0) vec_push(&p->words, 1);
  *why = b.why;
  *where = b.where;
  return !b.why && p->result != NO_NODE;
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
  bool found = r->returns && has_float(r->returns->type);
  for (size_t i = 0; i < r->arg_count; i++)
    found |= has_float(r->args[i]->type);
  for (size_t i = 0; i < r->local_count; i++)
    found |= has_float(r->locals[i]->type);
  return found;
}
