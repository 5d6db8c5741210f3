#include "span_check.h"

#include <string.h>

#include "testlib.h"

struct walk {
  struct lang *lang;
  const struct source *source;
  uint32_t file;
  size_t count;
};

/* A cursor over the parts of one node: each must lie behind the one before and inside the node. */
struct inside {
  struct walk *w;
  uint32_t at, end;
};

static struct inside enter_span(struct walk *w, struct span s) {
  assert_int_equal(s.file, w->file);
  assert_true(s.begin < s.end && s.end <= w->source->length);
  const char *text = w->source->text;
  assert_null(strchr(" \t\r\n", text[s.begin]));
  assert_null(strchr(" \t\r\n", text[s.end - 1]));
  w->count++;
  return (struct inside){w, s.begin, s.end};
}

static struct inside part(struct inside *in, struct span s) {
  assert_true(in->at <= s.begin && s.end <= in->end);
  in->at = s.end;
  return enter_span(in->w, s);
}

/* The text as written; a name in Greek letters is shorter than its spelling. */
static void name_part(struct inside *in, struct ast_name name) {
  part(in, name.span);
  const char *text = in->w->source->text + name.span.begin;
  size_t length = name.span.end - name.span.begin;
  bool ascii = true;
  for (size_t i = 0; i < length; i++)
    ascii &= !((unsigned char)text[i] & 0x80);
  if (!ascii) return;
  assert_int_equal(length, strlen(name.text));
  assert_memory_equal(text, name.text, length);
}

static void expr_part(struct inside *in, const struct ast_expr *e);

static void exprs_part(struct inside *in, struct ast_expr *const *items, size_t count) {
  for (size_t i = 0; i < count; i++)
    expr_part(in, items[i]);
}

/* Variables of one declaration share their type node: look at it once. */
static void type_part(struct inside *in, const struct ast_type *t) {
  struct inside self = part(in, t->span);
  if (t->kind == TYPE_ABSTRACT) name_part(&self, t->name);
  if (t->kind == TYPE_ARRAY) {
    /* inner arrays of real[n][m] have the span of the whole */
    const struct ast_type *base = t;
    while (base->kind == TYPE_ARRAY)
      base = base->items[0];
    type_part(&self, base);
    for (; t->kind == TYPE_ARRAY; t = t->items[0])
      if (t->length) expr_part(&self, t->length);
    return;
  }
  for (size_t i = 0; i < t->count; i++)
    type_part(&self, t->items[i]);
}

static void vars_part(struct inside *in, struct ast_var *const *vars, size_t count) {
  for (size_t i = 0; i < count; i++) {
    name_part(in, vars[i]->name);
    bool shared = i + 1 < count && vars[i + 1]->declared == vars[i]->declared;
    if (vars[i]->declared && !shared) type_part(in, vars[i]->declared);
  }
}

static void quantifier_part(struct inside *self, const struct ast_expr *e) {
  for (size_t i = 0; i < e->as.quant.count; i++) {
    const struct ast_binder *b = &e->as.quant.binders[i];
    name_part(self, b->var->name);
    bool shared =
        i + 1 < e->as.quant.count && b->var->declared && b[1].var->declared == b->var->declared;
    if (b->low) {
      expr_part(self, b->low);
      expr_part(self, b->high);
    } else if (!shared) {
      type_part(self, b->var->declared);
    }
  }
  expr_part(self, e->as.quant.body);
}

/* A leaf may stand in parentheses, which its span has too. */
static void check_leaf(struct walk *w, struct span s, const char *expected) {
  const char *text = w->source->text;
  while (text[s.begin] == '(' && text[s.end - 1] == ')') {
    s.begin++;
    s.end--;
    while (strchr(" \t\r\n", text[s.begin]))
      s.begin++;
    while (strchr(" \t\r\n", text[s.end - 1]))
      s.end--;
  }
  if ((unsigned char)text[s.begin] & 0x80 || memchr(text + s.begin, '/', s.end - s.begin)) return;
  for (uint32_t i = s.begin; i < s.end; i++)
    if ((unsigned char)text[i] & 0x80) return;
  assert_int_equal(s.end - s.begin, strlen(expected));
  assert_memory_equal(text + s.begin, expected, strlen(expected));
}

static void expr_part(struct inside *in, const struct ast_expr *e) {
  struct inside self = part(in, e->span);
  switch (e->kind) {
  case EXPR_ERROR: break;
  case EXPR_HOLE: check_leaf(in->w, e->span, "?"); break;
  case EXPR_BOOL: check_leaf(in->w, e->span, e->as.boolean ? "true" : "false"); break;
  case EXPR_NUMBER: check_leaf(in->w, e->span, e->as.number.text); break;
  case EXPR_NAME: check_leaf(in->w, e->span, e->as.name.text); break;
  case EXPR_TAG: expr_part(&self, e->as.tag.operand); break;
  case EXPR_UNARY: expr_part(&self, e->as.unary.operand); break;
  case EXPR_BINARY:
    expr_part(&self, e->as.binary.left);
    expr_part(&self, e->as.binary.right);
    break;
  case EXPR_CHAIN: exprs_part(&self, e->as.chain.operands, e->as.chain.count); break;
  case EXPR_CALL:
    name_part(&self, e->as.call.callee);
    exprs_part(&self, e->as.call.args, e->as.call.count);
    break;
  case EXPR_INDEX:
    expr_part(&self, e->as.index.base);
    expr_part(&self, e->as.index.index);
    break;
  case EXPR_PROJ: expr_part(&self, e->as.proj.base); break;
  case EXPR_LIST:
  case EXPR_TUPLE: exprs_part(&self, e->as.list.items, e->as.list.count); break;
  case EXPR_IF:
    expr_part(&self, e->as.cond.cond);
    expr_part(&self, e->as.cond.then);
    expr_part(&self, e->as.cond.otherwise);
    break;
  case EXPR_QUANT: quantifier_part(&self, e); break;
  }
}

/* ---- statements ----------------------------------------------------------------------------- */

static void stmt_part(struct inside *in, const struct ast_stmt *s);

static void block_part(struct inside *in, const struct ast_block *b) {
  struct inside self = part(in, b->span);
  for (size_t i = 0; i < b->count; i++)
    stmt_part(&self, b->stmts[i]);
}

static void target_part(struct inside *in, const struct ast_target *t) {
  name_part(in, t->name);
  if (t->index) expr_part(in, t->index);
}

static void stmt_part(struct inside *in, const struct ast_stmt *s) {
  struct inside self = part(in, s->span);
  switch (s->kind) {
  case STMT_ERROR:
  case STMT_SKIP:
  case STMT_BREAK:
  case STMT_CONTINUE: break;
  case STMT_VAR:
    vars_part(&self, &s->as.var.var, 1);
    if (s->as.var.init) expr_part(&self, s->as.var.init);
    break;
  case STMT_ASSIGN:
    for (size_t i = 0; i < s->as.assign.count; i++)
      target_part(&self, &s->as.assign.targets[i]);
    expr_part(&self, s->as.assign.value);
    break;
  case STMT_SAMPLE: {
    target_part(&self, &s->as.sample.target);
    struct inside dist = part(&self, s->as.sample.dist.span);
    exprs_part(&dist, s->as.sample.dist.args, s->as.sample.dist.count);
    break;
  }
  case STMT_CALL: expr_part(&self, s->as.call); break;
  case STMT_IF:
    expr_part(&self, s->as.branch.cond);
    block_part(&self, &s->as.branch.then);
    if (s->as.branch.has_else) block_part(&self, &s->as.branch.otherwise);
    break;
  case STMT_WHILE:
    expr_part(&self, s->as.loop.cond);
    block_part(&self, &s->as.loop.body);
    break;
  case STMT_FOR:
    name_part(&self, s->as.range.var->name);
    expr_part(&self, s->as.range.low);
    expr_part(&self, s->as.range.high);
    block_part(&self, &s->as.range.body);
    break;
  case STMT_EMIT:
  case STMT_RETURN:
    if (s->as.value) expr_part(&self, s->as.value);
    break;
  }
}

/* ---- declarations --------------------------------------------------------------------------- */

static void routine_part(struct inside *in, const struct ast_routine *r) {
  struct inside self = part(in, r->span);
  name_part(&self, r->name);
  vars_part(&self, r->args, r->arg_count);
  if (r->emits) type_part(&self, r->emits);
  if (r->returns) type_part(&self, r->returns);
  if (r->oracle_count == 0) {
    block_part(&self, &r->body);
    return;
  }
  struct inside body = part(&self, r->body.span);
  for (size_t i = 0; i < r->oracle_count; i++)
    routine_part(&body, r->oracles[i]);
  for (size_t i = 0; i < r->body.count; i++)
    stmt_part(&body, r->body.stmts[i]);
}

static void automaton_part(struct walk *w, struct span span, const struct ast_decl *d) {
  struct inside names = enter_span(w, span), states = names, edges = names;
  for (size_t i = 0; i < d->as.automaton.var_count; i++)
    name_part(&names, d->as.automaton.vars[i]);
  for (size_t i = 0; i < d->as.automaton.state_count; i++) {
    const struct ast_state *s = &d->as.automaton.states[i];
    struct inside self = part(&states, s->span);
    name_part(&self, s->name);
    struct ast_expr *const parts[] = {s->d, s->mean, s->d2, s->mean2};
    for (size_t j = 0; j < 4; j++)
      if (parts[j]) expr_part(&self, parts[j]);
  }
  for (size_t i = 0; i < d->as.automaton.edge_count; i++) {
    const struct ast_edge *e = &d->as.automaton.edges[i];
    struct inside self = part(&edges, e->span);
    name_part(&self, e->from);
    name_part(&self, e->to);
    if (e->guard) expr_part(&self, e->guard);
    name_part(&self, e->symbol);
    for (size_t j = 0; j < e->assigned_count; j++)
      name_part(&self, e->assigned[j]);
  }
}

static void binding_part(struct inside *in, const struct ast_binding *b) {
  struct inside self = part(in, b->span);
  if (b->kind == BINDING_ADVERSARY) {
    routine_part(&self, b->routine);
    return;
  }
  name_part(&self, b->name);
  vars_part(&self, b->args, b->arg_count);
  if (b->type) type_part(&self, b->type);
  if (b->value) expr_part(&self, b->value);
}

static void claim_part(struct inside *self, const struct ast_decl *d) {
  if (d->name.span.begin != d->as.claim.subject.span.begin) name_part(self, d->name);
  name_part(self, d->as.claim.subject);
  expr_part(self, d->as.claim.epsilon);
  if (d->as.claim.delta) expr_part(self, d->as.claim.delta);
  if (d->as.claim.under_written) expr_part(self, d->as.claim.under_written);
  if (d->as.claim.has_proof) part(self, d->as.claim.proof);
}

static void mechanism_part(struct inside *self, const struct ast_decl *d) {
  struct inside clauses = *self;
  routine_part(self, d->as.mechanism.routine);
  if (d->as.mechanism.adjacent_written) expr_part(&clauses, d->as.mechanism.adjacent_written);
  exprs_part(&clauses, d->as.mechanism.requires_written, d->as.mechanism.written_count);
}

static void adversary_part(struct inside *self, const struct ast_decl *d) {
  vars_part(self, d->as.adversary.args, d->as.adversary.arg_count);
  if (d->as.adversary.returns) type_part(self, d->as.adversary.returns);
  for (size_t i = 0; i < d->as.adversary.use_count; i++) {
    const struct ast_oracle_use *u = &d->as.adversary.uses[i];
    name_part(self, u->name);
    vars_part(self, u->args, u->arg_count);
    if (u->returns) type_part(self, u->returns);
    expr_part(self, u->bound);
  }
}

static void decl_parts(struct walk *w, const struct ast_decl *d) {
  struct inside self = enter_span(w, d->span);
  bool own_name = d->kind != DECL_INCLUDE && d->kind != DECL_LIBM && d->kind != DECL_CLAIM &&
                  d->kind != DECL_PROCEDURE && d->kind != DECL_MECHANISM && d->kind != DECL_ERROR;
  if (own_name) name_part(&self, d->name);
  switch (d->kind) {
  case DECL_ERROR:
  case DECL_TYPE: break;
  case DECL_INCLUDE: part(&self, d->as.include.span); break;
  case DECL_PARAM:
    type_part(&self, d->as.param.type);
    exprs_part(&self, d->as.param.assumptions, d->as.param.count);
    break;
  case DECL_LET:
    vars_part(&self, d->as.let.args, d->as.let.arg_count);
    if (d->as.let.type) type_part(&self, d->as.let.type);
    expr_part(&self, d->as.let.body);
    break;
  case DECL_OP:
    vars_part(&self, d->as.op.args, d->as.op.arg_count);
    type_part(&self, d->as.op.result);
    break;
  case DECL_LIBM:
    for (size_t i = 0; i < d->as.libm.count; i++)
      name_part(&self, d->as.libm.functions[i]);
    expr_part(&self, d->as.libm.bound);
    break;
  case DECL_AXIOM:
  case DECL_LEMMA:
    expr_part(&self, d->as.formula);
    if (d->lemma_proof.file) part(&self, d->lemma_proof);
    break;
  case DECL_ADVERSARY: adversary_part(&self, d); break;
  case DECL_PROCEDURE: routine_part(&self, d->as.procedure); break;
  case DECL_MECHANISM: mechanism_part(&self, d); break;
  case DECL_AUTOMATON: automaton_part(w, d->span, d); break;
  case DECL_CLAIM: claim_part(&self, d); break;
  case DECL_INSTANCE:
    for (size_t i = 0; i < d->as.instance.count; i++)
      binding_part(&self, &d->as.instance.bindings[i]);
    break;
  }
}

size_t check_spans(struct lang *lang, const struct ast_unit *unit) {
  struct walk w = {
      .lang = lang, .source = sources_get(&lang->sources, unit->file), .file = unit->file};
  uint32_t at = 0;
  for (size_t i = 0; i < unit->count; i++) {
    const struct ast_decl *d = unit->decls[i];
    bool again = i > 0 && d->span.begin == unit->decls[i - 1]->span.begin; /* param a, b */
    assert_true(again || d->span.begin >= at);
    at = d->span.end;
    decl_parts(&w, d);
  }
  return w.count;
}
