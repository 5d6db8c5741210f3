#include "ast_dump.h"

#include "lang/syntax/builtin.h"

static void put_exprs(struct buffer *out, struct ast_expr *const *items, size_t count) {
  for (size_t i = 0; i < count; i++) {
    buffer_putc(out, ' ');
    dump_expr(out, items[i]);
  }
}

static void put_optional(struct buffer *out, const char *label, const struct ast_expr *e) {
  if (!e) return;
  buffer_printf(out, " (%s ", label);
  dump_expr(out, e);
  buffer_putc(out, ')');
}

/* ---- types and variables -------------------------------------------------------------------- */

void dump_type(struct buffer *out, const struct ast_type *t) {
  if (!t) {
    buffer_puts(out, "_");
    return;
  }
  switch (t->kind) {
  case TYPE_ERROR: buffer_puts(out, "ERROR"); return;
  case TYPE_UNIT: buffer_puts(out, "unit"); return;
  case TYPE_BOOL: buffer_puts(out, "bool"); return;
  case TYPE_INT: buffer_puts(out, "int"); return;
  case TYPE_REAL: buffer_puts(out, "real"); return;
  case TYPE_FLOAT: buffer_puts(out, "float"); return;
  case TYPE_FLOAT32: buffer_puts(out, "float32"); return;
  case TYPE_ABSTRACT: buffer_puts(out, t->name.text); return;
  case TYPE_ARRAY: buffer_puts(out, "(array "); break;
  case TYPE_LIST: buffer_puts(out, "(list "); break;
  case TYPE_TUPLE: buffer_puts(out, "(tuple "); break;
  }
  for (size_t i = 0; i < t->count; i++) {
    if (i > 0) buffer_putc(out, ' ');
    dump_type(out, t->items[i]);
  }
  if (t->length) {
    buffer_putc(out, ' ');
    dump_expr(out, t->length);
  }
  buffer_putc(out, ')');
}

static void put_var(struct buffer *out, const struct ast_var *v) {
  static const char *const roles[] = {
      [VAR_INPUT] = "input", [VAR_ARG] = "arg",     [VAR_LOCAL] = "local",
      [VAR_LOOP] = "loop",   [VAR_STATE] = "state", [VAR_BINDER] = "bound"};
  buffer_printf(out, "(%s%s %s ", v->is_private ? "private-" : "", roles[v->role], v->name.text);
  dump_type(out, v->declared);
  buffer_putc(out, ')');
}

static void put_args(struct buffer *out, struct ast_var *const *args, size_t count) {
  for (size_t i = 0; i < count; i++) {
    buffer_putc(out, ' ');
    put_var(out, args[i]);
  }
}

/* ---- expressions ---------------------------------------------------------------------------- */

static void put_quantifier(struct buffer *out, const struct ast_expr *e) {
  buffer_puts(out, e->as.quant.is_forall ? "(forall" : "(exists");
  for (size_t i = 0; i < e->as.quant.count; i++) {
    const struct ast_binder *b = &e->as.quant.binders[i];
    buffer_putc(out, ' ');
    if (b->low) {
      buffer_printf(out, "(in %s", b->var->name.text);
      put_exprs(out, (struct ast_expr *const[]){b->low, b->high}, 2);
      buffer_putc(out, ')');
    } else {
      put_var(out, b->var);
    }
  }
  put_exprs(out, &e->as.quant.body, 1);
}

static void put_chain(struct buffer *out, const struct ast_expr *e) {
  buffer_puts(out, "(chain ");
  for (size_t i = 0; i < e->as.chain.count; i++) {
    if (i > 0) buffer_printf(out, " %s ", binary_op_text(e->as.chain.ops[i - 1]));
    dump_expr(out, e->as.chain.operands[i]);
  }
}

void dump_expr(struct buffer *out, const struct ast_expr *e) {
  switch (e->kind) {
  case EXPR_ERROR: buffer_puts(out, "ERROR"); return;
  case EXPR_BOOL: buffer_puts(out, e->as.boolean ? "true" : "false"); return;
  case EXPR_NAME: buffer_puts(out, e->as.name.text); return;
  case EXPR_HOLE: buffer_puts(out, "?"); return;
  case EXPR_NUMBER: {
    char *value = fmpq_get_str(NULL, 10, e->as.number.value);
    buffer_printf(out, "%s%s", value, e->as.number.is_decimal ? "r" : "");
    flint_free(value);
    return;
  }
  case EXPR_TAG:
    buffer_printf(out, "(tag %d", e->as.tag.run);
    put_exprs(out, &e->as.tag.operand, 1);
    break;
  case EXPR_UNARY:
    buffer_puts(out, e->as.unary.op == UNARY_NEG ? "(neg" : "(not");
    put_exprs(out, &e->as.unary.operand, 1);
    break;
  case EXPR_BINARY:
    buffer_printf(out, "(%s", binary_op_text(e->as.binary.op));
    put_exprs(out, &e->as.binary.left, 1);
    put_exprs(out, &e->as.binary.right, 1);
    break;
  case EXPR_CHAIN: put_chain(out, e); break;
  case EXPR_CALL:
    buffer_printf(out, "(call %s", e->as.call.callee.text);
    put_exprs(out, e->as.call.args, e->as.call.count);
    break;
  case EXPR_INDEX:
    buffer_puts(out, "([]");
    put_exprs(out, &e->as.index.base, 1);
    put_exprs(out, &e->as.index.index, 1);
    break;
  case EXPR_PROJ:
    buffer_puts(out, "(.");
    put_exprs(out, &e->as.proj.base, 1);
    buffer_printf(out, " %u", e->as.proj.item);
    break;
  case EXPR_LIST:
  case EXPR_TUPLE:
    buffer_puts(out, e->kind == EXPR_LIST ? "(list" : "(tuple");
    put_exprs(out, e->as.list.items, e->as.list.count);
    break;
  case EXPR_IF:
    buffer_puts(out, "(if");
    put_exprs(out, &e->as.cond.cond, 1);
    put_exprs(out, &e->as.cond.then, 1);
    put_exprs(out, &e->as.cond.otherwise, 1);
    break;
  case EXPR_QUANT: put_quantifier(out, e); break;
  }
  buffer_putc(out, ')');
}

/* ---- statements ----------------------------------------------------------------------------- */

void dump_block(struct buffer *out, const struct ast_block *b) {
  buffer_putc(out, '{');
  for (size_t i = 0; i < b->count; i++) {
    if (i > 0) buffer_putc(out, ' ');
    dump_stmt(out, b->stmts[i]);
  }
  buffer_putc(out, '}');
}

static void put_target(struct buffer *out, const struct ast_target *t) {
  if (t->index) buffer_puts(out, "([] ");
  buffer_puts(out, t->name.text);
  if (!t->index) return;
  put_exprs(out, &t->index, 1);
  buffer_putc(out, ')');
}

static void put_dist(struct buffer *out, const struct ast_dist *d) {
  const struct dist_info *info = dist_get(d->kind);
  buffer_printf(out, " (%s%s", d->sugar ? sugar_get(d->sugar)->name : info->name,
                d->kind == DIST_UNIFORM_SET ? "{}" : "");
  put_exprs(out, d->args, d->count);
  buffer_putc(out, ')');
}

static void put_if(struct buffer *out, const struct ast_stmt *s) {
  buffer_puts(out, "(if");
  put_exprs(out, &s->as.branch.cond, 1);
  buffer_putc(out, ' ');
  dump_block(out, &s->as.branch.then);
  if (!s->as.branch.has_else) return;
  buffer_puts(out, " else ");
  dump_block(out, &s->as.branch.otherwise);
}

void dump_stmt(struct buffer *out, const struct ast_stmt *s) {
  switch (s->kind) {
  case STMT_ERROR: buffer_puts(out, "ERROR"); return;
  case STMT_SKIP: buffer_puts(out, "skip"); return;
  case STMT_BREAK: buffer_puts(out, "break"); return;
  case STMT_CONTINUE: buffer_puts(out, "continue"); return;
  case STMT_VAR:
    buffer_puts(out, "(var ");
    put_var(out, s->as.var.var);
    if (s->as.var.init) put_exprs(out, &s->as.var.init, 1);
    break;
  case STMT_ASSIGN:
    buffer_puts(out, "(:=");
    for (size_t i = 0; i < s->as.assign.count; i++) {
      buffer_putc(out, ' ');
      put_target(out, &s->as.assign.targets[i]);
    }
    put_exprs(out, &s->as.assign.value, 1);
    break;
  case STMT_SAMPLE:
    buffer_puts(out, "(<$ ");
    put_target(out, &s->as.sample.target);
    put_dist(out, &s->as.sample.dist);
    break;
  case STMT_CALL: dump_expr(out, s->as.call); return;
  case STMT_IF: put_if(out, s); break;
  case STMT_WHILE:
    buffer_puts(out, "(while");
    put_exprs(out, &s->as.loop.cond, 1);
    buffer_putc(out, ' ');
    dump_block(out, &s->as.loop.body);
    break;
  case STMT_FOR:
    buffer_printf(out, "(for %s", s->as.range.var->name.text);
    put_exprs(out, &s->as.range.low, 1);
    put_exprs(out, &s->as.range.high, 1);
    buffer_putc(out, ' ');
    dump_block(out, &s->as.range.body);
    break;
  case STMT_EMIT:
  case STMT_RETURN:
    buffer_puts(out, s->kind == STMT_EMIT ? "(emit" : "(return");
    if (s->as.value) put_exprs(out, &s->as.value, 1);
    break;
  }
  buffer_putc(out, ')');
}

/* ---- declarations --------------------------------------------------------------------------- */

static void put_routine(struct buffer *out, const struct ast_routine *r) {
  put_args(out, r->args, r->arg_count);
  if (r->emits) {
    buffer_puts(out, " (emits ");
    dump_type(out, r->emits);
    buffer_putc(out, ')');
  }
  if (r->returns) {
    buffer_puts(out, " (returns ");
    dump_type(out, r->returns);
    buffer_putc(out, ')');
  }
  for (size_t i = 0; i < r->oracle_count; i++) {
    buffer_printf(out, " (oracle %s", r->oracles[i]->name.text);
    put_routine(out, r->oracles[i]);
    buffer_putc(out, ')');
  }
  buffer_putc(out, ' ');
  dump_block(out, &r->body);
}

static void put_automaton(struct buffer *out, const struct ast_decl *d) {
  buffer_puts(out, d->as.automaton.independent ? " independent (vars" : " shared (vars");
  for (size_t i = 0; i < d->as.automaton.var_count; i++)
    buffer_printf(out, " %s", d->as.automaton.vars[i].text);
  buffer_printf(out, ") (start %s)", d->as.automaton.start.text);
  for (size_t i = 0; i < d->as.automaton.state_count; i++) {
    const struct ast_state *s = &d->as.automaton.states[i];
    buffer_printf(out, " (state %s %s", s->name.text,
                  s->is_final   ? "final"
                  : s->is_input ? "input"
                                : "noninput");
    put_optional(out, "d", s->d);
    put_optional(out, "mean", s->mean);
    put_optional(out, "d'", s->d2);
    put_optional(out, "mean'", s->mean2);
    buffer_putc(out, ')');
  }
  for (size_t i = 0; i < d->as.automaton.edge_count; i++) {
    static const char *const kinds[] = {"symbol", "insample", "insample'"};
    const struct ast_edge *e = &d->as.automaton.edges[i];
    buffer_printf(out, " (%s -> %s", e->from.text, e->to.text);
    put_optional(out, "when", e->guard);
    buffer_printf(out, " %s:%s", kinds[e->output], e->symbol.text);
    for (size_t j = 0; j < e->assigned_count; j++)
      buffer_printf(out, " %s:=", e->assigned[j].text);
    buffer_putc(out, ')');
  }
}

static void put_binding(struct buffer *out, const struct ast_binding *b) {
  static const char *const kinds[] = {"param", "input", "type", "op", "adversary"};
  buffer_printf(out, " (%s %s", kinds[b->kind], b->name.text);
  if (b->kind == BINDING_TYPE) {
    buffer_putc(out, ' ');
    dump_type(out, b->type);
  } else if (b->kind == BINDING_ADVERSARY) {
    put_routine(out, b->routine);
  } else {
    put_args(out, b->args, b->arg_count);
    put_exprs(out, &b->value, 1);
  }
  buffer_putc(out, ')');
}

static void put_adversary(struct buffer *out, const struct ast_decl *d) {
  put_args(out, d->as.adversary.args, d->as.adversary.arg_count);
  buffer_putc(out, ' ');
  dump_type(out, d->as.adversary.returns);
  for (size_t i = 0; i < d->as.adversary.use_count; i++) {
    const struct ast_oracle_use *u = &d->as.adversary.uses[i];
    buffer_printf(out, " (uses %s", u->name.text);
    put_args(out, u->args, u->arg_count);
    buffer_putc(out, ' ');
    dump_type(out, u->returns);
    put_exprs(out, &u->bound, 1);
    buffer_putc(out, ')');
  }
}

static void put_mechanism(struct buffer *out, const struct ast_decl *d) {
  put_optional(out, "adjacent", d->as.mechanism.adjacent_written);
  for (size_t i = 0; i < d->as.mechanism.written_count; i++)
    put_optional(out, "requires", d->as.mechanism.requires_written[i]);
  put_routine(out, d->as.mechanism.routine);
}

static void put_claim(struct buffer *out, const struct ast_decl *d) {
  buffer_printf(out, " %s", d->as.claim.subject.text);
  put_optional(out, "epsilon", d->as.claim.epsilon);
  put_optional(out, "delta", d->as.claim.delta);
  put_optional(out, "under", d->as.claim.under_written);
  if (d->as.claim.has_proof) buffer_puts(out, " proof");
}

void dump_decl(struct buffer *out, const struct ast_decl *d) {
  static const char *const kinds[] = {"ERROR",     "include",   "param",     "let",   "type",
                                      "op",        "libm",      "axiom",     "lemma", "adversary",
                                      "procedure", "mechanism", "automaton", "claim", "instance"};
  if (d->kind == DECL_ERROR) {
    buffer_puts(out, "ERROR");
    return;
  }
  buffer_printf(out, "(%s %s", kinds[d->kind],
                d->kind == DECL_INCLUDE ? d->as.include.path
                : d->kind == DECL_LIBM  ? ""
                                        : d->name.text);
  switch (d->kind) {
  case DECL_ERROR:
  case DECL_INCLUDE:
  case DECL_TYPE: break;
  case DECL_LIBM:
    for (size_t i = 0; i < d->as.libm.count; i++)
      buffer_printf(out, " %s", d->as.libm.functions[i].text);
    put_exprs(out, &d->as.libm.bound, 1);
    break;
  case DECL_PARAM:
    buffer_putc(out, ' ');
    dump_type(out, d->as.param.type);
    put_exprs(out, d->as.param.assumptions, d->as.param.count);
    break;
  case DECL_LET:
    put_args(out, d->as.let.args, d->as.let.arg_count);
    buffer_putc(out, ' ');
    dump_type(out, d->as.let.type);
    put_exprs(out, &d->as.let.body, 1);
    break;
  case DECL_OP:
    put_args(out, d->as.op.args, d->as.op.arg_count);
    buffer_putc(out, ' ');
    dump_type(out, d->as.op.result);
    break;
  case DECL_AXIOM:
  case DECL_LEMMA:
    put_exprs(out, &d->as.formula, 1);
    if (d->lemma_proof.file) buffer_puts(out, " proof");
    break;
  case DECL_ADVERSARY: put_adversary(out, d); break;
  case DECL_PROCEDURE: put_routine(out, d->as.procedure); break;
  case DECL_MECHANISM: put_mechanism(out, d); break;
  case DECL_AUTOMATON: put_automaton(out, d); break;
  case DECL_CLAIM: put_claim(out, d); break;
  case DECL_INSTANCE:
    for (size_t i = 0; i < d->as.instance.count; i++)
      put_binding(out, &d->as.instance.bindings[i]);
    break;
  }
  buffer_putc(out, ')');
}

void dump_unit(struct buffer *out, const struct ast_unit *u) {
  for (size_t i = 0; i < u->count; i++) {
    dump_decl(out, u->decls[i]);
    buffer_putc(out, '\n');
  }
}
