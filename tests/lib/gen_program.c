#include "gen_program.h"

#include <stdarg.h>
#include <string.h>

#include "lang/syntax/builtin.h"

/* What is being generated, and into what. */
struct gen {
  struct lang *lang;
  struct rng *rng;
};

static void *alloc(struct gen *g, size_t count, size_t size) {
  return arena_alloc(&g->lang->arena, (count ? count : 1) * size);
}
#define NEW(g, type) ((type *)alloc((g), 1, sizeof(type)))
#define NEW_ARRAY(g, type, count) ((type *)alloc((g), (count), sizeof(type)))

static bool chance(struct gen *g, unsigned percent) {
  return rng_chance(g->rng, percent, 100);
}

static unsigned below(struct gen *g, unsigned bound) {
  return (unsigned)rng_below(g->rng, bound);
}

static unsigned less(unsigned depth) {
  return depth ? depth - 1 : 0;
}

/* ---- names ---------------------------------------------------------------------------------- */

/* Some are words of the grammar that are reserved only in their place. */
static const char *const plain[] = {"x",    "y",     "q",      "i",       "eps",     "n",
                                    "T",    "noise", "Db",     "x'",      "_t",      "longer_name",
                                    "m1",   "at",    "mean",   "epsilon", "delta",   "d",
                                    "uses", "most",  "output", "private", "insample"};

static const char *word(struct gen *g) {
  return intern_str(&g->lang->intern, plain[below(g, sizeof plain / sizeof *plain)]);
}

/* Where the first word decides what a line is, it must not be one of those. */
static const char *safe_word(struct gen *g) {
  return intern_str(&g->lang->intern, plain[below(g, 6)]);
}

static struct ast_name name(struct gen *g) {
  return (struct ast_name){word(g), span_none()};
}

static struct ast_name safe_name(struct gen *g) {
  return (struct ast_name){safe_word(g), span_none()};
}

static struct ast_name *names(struct gen *g, size_t count) {
  struct ast_name *list = NEW_ARRAY(g, struct ast_name, count);
  for (size_t i = 0; i < count; i++)
    list[i] = safe_name(g);
  return list;
}

/* ---- expressions ---------------------------------------------------------------------------- */

static struct ast_expr *node(struct gen *g, enum expr_kind kind) {
  struct ast_expr *e = NEW(g, struct ast_expr);
  e->kind = kind;
  return e;
}

struct ast_expr *gen_number(struct lang *lang, const char *text) {
  struct gen g = {lang, NULL};
  struct ast_expr *e = node(&g, EXPR_NUMBER);
  e->as.number.text = intern_str(&lang->intern, text);
  e->as.number.value = NEW(&g, fmpq);
  fmpq_init(e->as.number.value);
  vec_push(&lang->numbers, e->as.number.value);
  /* digits [ . digits ] [ e [-] digits ], by the definition of decimal notation */
  long scale = 0;
  fmpz *top = fmpq_numref(e->as.number.value);
  const char *s = text;
  for (bool point = false; *s && *s != 'e'; s++) {
    if (*s == '.') {
      point = e->as.number.is_decimal = true;
      continue;
    }
    fmpz_mul_ui(top, top, 10);
    fmpz_add_ui(top, top, (ulong)(*s - '0'));
    scale -= point;
  }
  if (*s == 'e') {
    e->as.number.is_decimal = true;
    scale += strtol(s + 1, NULL, 10);
  }
  fmpz_t ten;
  fmpz_init_set_ui(ten, 10);
  for (; scale > 0; scale--)
    fmpq_mul_fmpz(e->as.number.value, e->as.number.value, ten);
  for (; scale < 0; scale++)
    fmpq_div_fmpz(e->as.number.value, e->as.number.value, ten);
  fmpz_clear(ten);
  return e;
}

struct ast_expr *gen_name(struct lang *lang, const char *text) {
  struct gen g = {lang, NULL};
  struct ast_expr *e = node(&g, EXPR_NAME);
  e->as.name.text = intern_str(&lang->intern, text);
  return e;
}

struct ast_expr *gen_unary(struct lang *lang, enum unary_op op, struct ast_expr *operand) {
  struct gen g = {lang, NULL};
  struct ast_expr *e = node(&g, EXPR_UNARY);
  e->as.unary.op = op;
  e->as.unary.operand = operand;
  return e;
}

struct ast_expr *gen_binary(struct lang *lang, enum binary_op op, struct ast_expr *left,
                            struct ast_expr *right) {
  struct gen g = {lang, NULL};
  struct ast_expr *e = node(&g, EXPR_BINARY);
  e->as.binary.op = op;
  e->as.binary.left = left;
  e->as.binary.right = right;
  return e;
}

struct ast_expr *gen_call(struct lang *lang, const char *callee, size_t count, ...) {
  struct gen g = {lang, NULL};
  struct ast_expr *e = node(&g, EXPR_CALL);
  e->as.call.callee = (struct ast_name){intern_str(&lang->intern, callee), span_none()};
  e->as.call.args = NEW_ARRAY(&g, struct ast_expr *, count);
  e->as.call.count = count;
  va_list args;
  va_start(args, count);
  for (size_t i = 0; i < count; i++)
    e->as.call.args[i] = va_arg(args, struct ast_expr *);
  va_end(args);
  return e;
}

static struct ast_expr *expr(struct gen *g, unsigned depth);
static struct ast_type *type(struct gen *g, unsigned depth);

static struct ast_expr *random_number(struct gen *g) {
  static const char *const shapes[] = {"0",    "1",    "2",      "37",   "100000000000000000000",
                                       "0.25", "1e-6", "2.50e3", "1e10", "0.0"};
  return gen_number(g->lang, shapes[below(g, sizeof shapes / sizeof *shapes)]);
}

static struct ast_expr **exprs(struct gen *g, size_t count, unsigned depth) {
  struct ast_expr **list = NEW_ARRAY(g, struct ast_expr *, count);
  for (size_t i = 0; i < count; i++)
    list[i] = expr(g, depth);
  return list;
}

/* In one chain `<` and `>` may not both occur. */
static struct ast_expr *chain(struct gen *g, unsigned depth) {
  static const enum binary_op up[] = {BINARY_LT, BINARY_LE, BINARY_EQ, BINARY_NE};
  static const enum binary_op down[] = {BINARY_GT, BINARY_GE, BINARY_EQ, BINARY_NE};
  const enum binary_op *ops = chance(g, 50) ? up : down;
  struct ast_expr *e = node(g, EXPR_CHAIN);
  e->as.chain.count = 3 + below(g, 3);
  e->as.chain.operands = exprs(g, e->as.chain.count, depth);
  e->as.chain.ops = NEW_ARRAY(g, enum binary_op, e->as.chain.count);
  for (size_t i = 0; i + 1 < e->as.chain.count; i++)
    e->as.chain.ops[i] = ops[below(g, 4)];
  return e;
}

static struct ast_var *variable(struct gen *g, enum var_role role, const char *text,
                                struct ast_type *declared) {
  struct ast_var *v = NEW(g, struct ast_var);
  v->role = role;
  v->name.text = text;
  v->declared = declared;
  return v;
}

static struct ast_expr *quantifier(struct gen *g, unsigned depth) {
  struct ast_expr *e = node(g, EXPR_QUANT);
  e->as.quant.is_forall = chance(g, 50);
  e->as.quant.count = 1 + below(g, 3);
  e->as.quant.binders = NEW_ARRAY(g, struct ast_binder, e->as.quant.count);
  struct ast_type *shared = type(g, depth);
  for (size_t i = 0; i < e->as.quant.count; i++) {
    struct ast_binder *b = &e->as.quant.binders[i];
    bool is_range = chance(g, 50);
    b->var = variable(g, VAR_BINDER, word(g), is_range ? NULL : shared);
    if (is_range) {
      b->low = expr(g, depth);
      b->high = expr(g, depth);
    }
  }
  e->as.quant.body = expr(g, depth);
  return e;
}

static struct ast_expr *leaf(struct gen *g) {
  if (chance(g, 40)) return random_number(g);
  if (chance(g, 90)) return gen_name(g->lang, word(g));
  struct ast_expr *e = node(g, EXPR_BOOL);
  e->as.boolean = chance(g, 50);
  return e;
}

static struct ast_expr *compound(struct gen *g, unsigned depth) {
  struct ast_expr *e;
  switch (below(g, 12)) {
  case 0: return gen_unary(g->lang, UNARY_NEG, expr(g, depth));
  case 1: return gen_unary(g->lang, UNARY_NOT, expr(g, depth));
  case 2: return chain(g, depth);
  case 3:
    e = node(g, EXPR_TAG);
    e->as.tag.operand = expr(g, depth);
    e->as.tag.run = 1 + (int)below(g, 2);
    return e;
  case 4:
    e = node(g, EXPR_CALL);
    e->as.call.callee = name(g);
    e->as.call.count = below(g, 4);
    e->as.call.args = exprs(g, e->as.call.count, depth);
    return e;
  case 5:
    e = node(g, EXPR_INDEX);
    e->as.index.base = expr(g, depth);
    e->as.index.index = expr(g, depth);
    return e;
  case 6:
    e = node(g, EXPR_PROJ);
    e->as.proj.base = expr(g, depth);
    e->as.proj.item = 1 + below(g, 12);
    return e;
  case 7:
    e = node(g, EXPR_LIST);
    e->as.list.count = below(g, 4);
    e->as.list.items = exprs(g, e->as.list.count, depth);
    return e;
  case 8:
    e = node(g, EXPR_TUPLE);
    e->as.list.count = 2 + below(g, 2);
    e->as.list.items = exprs(g, e->as.list.count, depth);
    return e;
  case 9:
    e = node(g, EXPR_IF);
    e->as.cond.cond = expr(g, depth);
    e->as.cond.then = expr(g, depth);
    e->as.cond.otherwise = expr(g, depth);
    return e;
  case 10: return quantifier(g, depth);
  default: return random_number(g);
  }
}

static struct ast_expr *expr(struct gen *g, unsigned depth) {
  if (depth == 0 || chance(g, 15)) return leaf(g);
  if (chance(g, 45))
    return gen_binary(g->lang, (enum binary_op)below(g, BINARY_POW + 1), expr(g, depth - 1),
                      expr(g, depth - 1));
  return compound(g, depth - 1);
}

/* ---- types and arguments -------------------------------------------------------------------- */

static struct ast_type *type(struct gen *g, unsigned depth) {
  struct ast_type *t = NEW(g, struct ast_type);
  switch (below(g, depth ? 7 : 4)) {
  case 0: t->kind = TYPE_BOOL; return t;
  case 1: t->kind = TYPE_INT; return t;
  case 2: t->kind = TYPE_REAL; return t;
  case 3:
    t->kind = TYPE_ABSTRACT;
    t->name = name(g);
    return t;
  case 4:
    t->kind = TYPE_ARRAY;
    t->count = 1;
    if (chance(g, 70)) t->length = expr(g, less(depth));
    break;
  case 5:
    t->kind = TYPE_LIST;
    t->count = 1;
    break;
  default:
    t->kind = TYPE_TUPLE;
    t->count = 2 + below(g, 2);
    break;
  }
  t->items = NEW_ARRAY(g, struct ast_type *, t->count);
  for (size_t i = 0; i < t->count; i++)
    t->items[i] = type(g, depth - 1);
  return t;
}

/* Some of them share their type, as in `x, y : real`. */
static struct ast_var **args(struct gen *g, enum var_role role, size_t count) {
  struct ast_var **list = NEW_ARRAY(g, struct ast_var *, count);
  for (size_t i = 0; i < count; i++) {
    bool shared = i > 0 && chance(g, 40);
    list[i] = variable(g, role, word(g), shared ? list[i - 1]->declared : type(g, 2));
    if (role == VAR_INPUT) list[i]->is_private = chance(g, 50);
    if (role == VAR_INPUT) list[i]->says_public = !list[i]->is_private && chance(g, 20);
    if (!shared) continue;
    list[i]->is_private = list[i - 1]->is_private;
    list[i]->says_public = list[i - 1]->says_public;
  }
  return list;
}

static struct ast_var **bare_args(struct gen *g, enum var_role role, size_t count) {
  struct ast_var **list = NEW_ARRAY(g, struct ast_var *, count);
  for (size_t i = 0; i < count; i++)
    list[i] = variable(g, role, word(g), NULL);
  return list;
}

/* ---- statements ----------------------------------------------------------------------------- */

static struct ast_block block(struct gen *g, size_t count, unsigned depth);

static struct ast_target target(struct gen *g, unsigned depth) {
  return (struct ast_target){.name = name(g), .index = chance(g, 30) ? expr(g, depth) : NULL};
}

static struct ast_dist distribution(struct gen *g, unsigned depth) {
  const struct dist_info *info = dist_get(below(g, DIST_COUNT));
  struct ast_dist d = {.kind = info->kind};
  d.count = dist_arity(info) ? dist_arity(info) : 1 + below(g, 4);
  d.args = exprs(g, d.count, depth);
  return d;
}

/* The operands of a call without its EXPR_CALL: `f(...);`. */
static struct ast_expr *call(struct gen *g, unsigned depth) {
  struct ast_expr *e = node(g, EXPR_CALL);
  e->as.call.callee = name(g);
  e->as.call.count = below(g, 4);
  e->as.call.args = exprs(g, e->as.call.count, depth);
  return e;
}

static struct ast_stmt *new_stmt(struct gen *g, enum stmt_kind kind) {
  struct ast_stmt *s = NEW(g, struct ast_stmt);
  s->kind = kind;
  return s;
}

static struct ast_stmt *branch(struct gen *g, unsigned depth) {
  struct ast_stmt *s = new_stmt(g, STMT_IF);
  s->as.branch.cond = expr(g, depth);
  s->as.branch.then = block(g, below(g, 3), depth);
  s->as.branch.has_else = chance(g, 60);
  if (!s->as.branch.has_else) return s;
  s->as.branch.otherwise = block(g, below(g, 3), depth);
  if (!chance(g, 40)) return s;
  s->as.branch.otherwise.count = 1;
  s->as.branch.otherwise.stmts = NEW(g, struct ast_stmt *);
  s->as.branch.otherwise.stmts[0] = branch(g, less(depth));
  return s;
}

static struct ast_stmt *simple_stmt(struct gen *g, unsigned depth) {
  struct ast_stmt *s = new_stmt(g, STMT_SKIP);
  switch (below(g, 9)) {
  case 0: break;
  case 8: s->kind = chance(g, 50) ? STMT_BREAK : STMT_CONTINUE; break;
  case 1:
    s->kind = STMT_VAR;
    s->as.var.var = variable(g, VAR_LOCAL, word(g), type(g, depth));
    if (chance(g, 70)) s->as.var.init = expr(g, depth);
    break;
  case 2:
  case 3:
    s->kind = STMT_ASSIGN;
    s->as.assign.count = chance(g, 70) ? 1 : 2 + below(g, 2);
    s->as.assign.targets = NEW_ARRAY(g, struct ast_target, s->as.assign.count);
    for (size_t i = 0; i < s->as.assign.count; i++)
      s->as.assign.targets[i] = target(g, depth);
    s->as.assign.value = expr(g, depth);
    break;
  case 4:
    s->kind = STMT_SAMPLE;
    s->as.sample.target = target(g, depth);
    s->as.sample.dist = distribution(g, depth);
    break;
  case 5:
    s->kind = STMT_CALL;
    s->as.call = call(g, depth);
    break;
  case 6:
    s->kind = STMT_EMIT;
    s->as.value = expr(g, depth);
    break;
  default:
    s->kind = STMT_RETURN;
    if (chance(g, 80)) s->as.value = expr(g, depth);
    break;
  }
  return s;
}

static struct ast_stmt *stmt(struct gen *g, unsigned depth) {
  struct ast_stmt *s;
  if (depth == 0 || chance(g, 60)) return simple_stmt(g, depth);
  switch (below(g, 3)) {
  case 0: return branch(g, depth - 1);
  case 1:
    s = new_stmt(g, STMT_WHILE);
    s->as.loop.cond = expr(g, depth - 1);
    s->as.loop.body = block(g, below(g, 4), depth - 1);
    return s;
  default:
    s = new_stmt(g, STMT_FOR);
    s->as.range.var = variable(g, VAR_LOOP, word(g), NULL);
    s->as.range.low = expr(g, depth - 1);
    s->as.range.high = expr(g, depth - 1);
    s->as.range.body = block(g, below(g, 4), depth - 1);
    return s;
  }
}

static struct ast_block block(struct gen *g, size_t count, unsigned depth) {
  struct ast_block b = {.stmts = NEW_ARRAY(g, struct ast_stmt *, count), .count = count};
  for (size_t i = 0; i < count; i++)
    b.stmts[i] = stmt(g, depth);
  return b;
}

/* ---- declarations --------------------------------------------------------------------------- */

static struct ast_type *maybe_type(struct gen *g) {
  return chance(g, 60) ? type(g, 2) : NULL;
}

static struct ast_routine *routine(struct gen *g, struct ast_name named, enum var_role role) {
  struct ast_routine *r = NEW(g, struct ast_routine);
  r->name = named;
  r->arg_count = below(g, 4);
  r->args = args(g, role, r->arg_count);
  r->returns = maybe_type(g);
  r->body = block(g, below(g, 6), 3);
  return r;
}

static void mechanism(struct gen *g, struct ast_decl *d) {
  struct ast_routine *r = routine(g, d->name, VAR_INPUT);
  d->as.mechanism.routine = r;
  r->emits = maybe_type(g);
  r->oracle_count = chance(g, 30) ? 1 + below(g, 2) : 0;
  r->oracles = NEW_ARRAY(g, struct ast_routine *, r->oracle_count);
  for (size_t i = 0; i < r->oracle_count; i++) {
    r->oracles[i] = routine(g, name(g), VAR_ARG);
    r->oracles[i]->enclosing = r;
  }
  if (chance(g, 70)) d->as.mechanism.adjacent_written = expr(g, 4);
  d->as.mechanism.written_count = below(g, 3);
  d->as.mechanism.requires_written = exprs(g, d->as.mechanism.written_count, 3);
}

static void adversary(struct gen *g, struct ast_decl *d) {
  d->as.adversary.arg_count = below(g, 3);
  d->as.adversary.args = args(g, VAR_ARG, d->as.adversary.arg_count);
  d->as.adversary.returns = maybe_type(g);
  d->as.adversary.use_count = below(g, 3);
  d->as.adversary.uses = NEW_ARRAY(g, struct ast_oracle_use, d->as.adversary.use_count);
  for (size_t i = 0; i < d->as.adversary.use_count; i++) {
    struct ast_oracle_use *use = &d->as.adversary.uses[i];
    use->name = name(g);
    use->arg_count = below(g, 3);
    use->args = args(g, VAR_ARG, use->arg_count);
    use->returns = maybe_type(g);
    use->bound = expr(g, 2);
  }
}

static void automaton(struct gen *g, struct ast_decl *d) {
  d->as.automaton.independent = chance(g, 30);
  d->as.automaton.var_count = below(g, 3);
  d->as.automaton.vars = names(g, d->as.automaton.var_count);
  d->as.automaton.start = safe_name(g);
  d->as.automaton.state_count = 1 + below(g, 4);
  d->as.automaton.states = NEW_ARRAY(g, struct ast_state, d->as.automaton.state_count);
  for (size_t i = 0; i < d->as.automaton.state_count; i++) {
    struct ast_state *s = &d->as.automaton.states[i];
    s->name = safe_name(g);
    s->is_final = chance(g, 20);
    s->is_input = chance(g, 70);
    if (s->is_final) continue;
    s->d = expr(g, 2);
    if (chance(g, 50)) s->mean = expr(g, 2);
    if (!chance(g, 30)) continue;
    s->d2 = expr(g, 2);
    if (chance(g, 50)) s->mean2 = expr(g, 2);
  }
  d->as.automaton.edge_count = below(g, 5);
  d->as.automaton.edges = NEW_ARRAY(g, struct ast_edge, d->as.automaton.edge_count);
  for (size_t i = 0; i < d->as.automaton.edge_count; i++) {
    struct ast_edge *e = &d->as.automaton.edges[i];
    e->from = safe_name(g);
    e->to = safe_name(g);
    if (chance(g, 60)) e->guard = expr(g, 3);
    e->output = (enum automaton_output)below(g, 3);
    if (e->output == OUTPUT_SYMBOL) e->symbol = safe_name(g);
    e->assigned_count = below(g, 3);
    e->assigned = names(g, e->assigned_count);
  }
}

/* States first, as statements that declare a VAR_STATE. */
static struct ast_routine *script(struct gen *g, struct ast_name named) {
  struct ast_routine *r = NEW(g, struct ast_routine);
  r->name = named;
  r->arg_count = below(g, 3);
  r->args = bare_args(g, VAR_ARG, r->arg_count);
  size_t states = below(g, 3), count = states + below(g, 4);
  r->body = block(g, count, 2);
  for (size_t i = 0; i < states; i++) {
    struct ast_stmt *s = new_stmt(g, STMT_VAR);
    s->as.var.var = variable(g, VAR_STATE, word(g), type(g, 2));
    s->as.var.init = expr(g, 2);
    r->body.stmts[i] = s;
  }
  return r;
}

static void instance(struct gen *g, struct ast_decl *d) {
  d->as.instance.count = below(g, 6);
  d->as.instance.bindings = NEW_ARRAY(g, struct ast_binding, d->as.instance.count);
  for (size_t i = 0; i < d->as.instance.count; i++) {
    struct ast_binding *b = &d->as.instance.bindings[i];
    b->kind = (enum binding_kind)below(g, BINDING_ADVERSARY + 1);
    b->name = name(g);
    switch (b->kind) {
    case BINDING_TYPE: b->type = type(g, 3); break;
    case BINDING_ADVERSARY: b->routine = script(g, b->name); break;
    case BINDING_OP:
      b->arg_count = below(g, 3);
      b->args = bare_args(g, VAR_ARG, b->arg_count);
      b->value = expr(g, 3);
      break;
    default: b->value = expr(g, 4); break;
    }
  }
}

static void claim(struct gen *g, struct ast_decl *d) {
  d->as.claim.subject = name(g);
  if (chance(g, 40)) d->name = d->as.claim.subject; /* a claim without a name */
  d->as.claim.epsilon = chance(g, 20) ? node(g, EXPR_HOLE) : expr(g, 3);
  if (chance(g, 40)) d->as.claim.delta = expr(g, 3);
  if (chance(g, 30)) d->as.claim.under_written = expr(g, 3);
}

static struct ast_decl *declaration(struct gen *g) {
  struct ast_decl *d = NEW(g, struct ast_decl);
  d->kind = (enum decl_kind)(DECL_INCLUDE + below(g, DECL_INSTANCE - DECL_INCLUDE + 1));
  d->name = name(g);
  switch (d->kind) {
  case DECL_ERROR: break;
  case DECL_INCLUDE:
    d->name = (struct ast_name){0};
    d->as.include.path = intern_str(&g->lang->intern, "lib/common file.dp");
    break;
  case DECL_PARAM:
    d->as.param.type = type(g, 2);
    d->as.param.count = below(g, 3);
    d->as.param.assumptions = exprs(g, d->as.param.count, 3);
    break;
  case DECL_LET:
    d->as.let.arg_count = below(g, 3);
    d->as.let.args = args(g, VAR_ARG, d->as.let.arg_count);
    d->as.let.type = maybe_type(g);
    d->as.let.body = expr(g, 5);
    break;
  case DECL_TYPE: break;
  case DECL_OP:
    d->as.op.arg_count = below(g, 3);
    d->as.op.args = args(g, VAR_ARG, d->as.op.arg_count);
    d->as.op.result = type(g, 3);
    break;
  case DECL_LIBM:
    d->name = (struct ast_name){0};
    d->as.libm.count = 1 + below(g, 3);
    d->as.libm.functions = NEW_ARRAY(g, struct ast_name, d->as.libm.count);
    for (size_t i = 0; i < d->as.libm.count; i++)
      d->as.libm.functions[i] = safe_name(g);
    d->as.libm.bound = expr(g, 2);
    break;
  case DECL_AXIOM:
  case DECL_LEMMA: d->as.formula = expr(g, 5); break;
  case DECL_ADVERSARY: adversary(g, d); break;
  case DECL_PROCEDURE: d->as.procedure = routine(g, d->name, VAR_ARG); break;
  case DECL_MECHANISM: mechanism(g, d); break;
  case DECL_AUTOMATON: automaton(g, d); break;
  case DECL_CLAIM: claim(g, d); break;
  case DECL_INSTANCE: instance(g, d); break;
  }
  return d;
}

/* ---- entry points --------------------------------------------------------------------------- */

struct ast_expr *gen_expr(struct lang *lang, struct rng *rng, unsigned depth) {
  return expr(&(struct gen){lang, rng}, depth);
}

struct ast_type *gen_type(struct lang *lang, struct rng *rng, unsigned depth) {
  return type(&(struct gen){lang, rng}, depth);
}

struct ast_stmt *gen_stmt(struct lang *lang, struct rng *rng, unsigned depth) {
  return stmt(&(struct gen){lang, rng}, depth);
}

struct ast_unit *gen_unit(struct lang *lang, struct rng *rng, size_t decls) {
  struct gen g = {lang, rng};
  struct ast_unit *unit = NEW(&g, struct ast_unit);
  unit->count = decls;
  unit->decls = NEW_ARRAY(&g, struct ast_decl *, decls);
  for (size_t i = 0; i < decls; i++)
    unit->decls[i] = declaration(&g);
  return unit;
}
