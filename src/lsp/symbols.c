#include "lsp/symbols.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lang/syntax/builtin.h"
#include "lang/syntax/walk.h"
#include "lsp/symbols_internal.h"

/* ---- tables --------------------------------------------------------------------------------- */

struct symbol *symbol_of(struct symbol_walk *w, const void *node, enum symbol_kind kind,
                         const char *name) {
  size_t index = (size_t)(uintptr_t)ptrmap_get(&w->out->by_node, node);
  if (!index) {
    vec_push(&w->out->all, (struct symbol){.kind = kind, .name = name, .decl = w->decl});
    index = w->out->all.len;
    ptrmap_put(&w->out->by_node, node, (void *)(uintptr_t)index);
  }
  return &w->out->all.at[index - 1];
}

static uint32_t index_of(const struct symbol_walk *w, const struct symbol *s) {
  return (uint32_t)(s - w->out->all.at);
}

bool occur(struct symbol_walk *w, const struct symbol *s, struct span span, bool is_write) {
  if (!span.file || span.end <= span.begin) return false;
  vec_push(&w->out->occurrences, (struct occurrence){.span = span,
                                                     .symbol = index_of(w, s),
                                                     .is_write = is_write,
                                                     .in_proof = w->in_proof});
  return true;
}

void define(struct symbol_walk *w, struct symbol *s, struct span span) {
  if (!occur(w, s, span, true)) return;
  vec_last(&w->out->occurrences).is_definition = true;
  if (!s->definition.file) s->definition = span;
}

static struct symbol *decl_symbol(struct symbol_walk *w, const struct ast_decl *d) {
  static const enum symbol_kind kinds[] = {
      [DECL_PARAM] = SYMBOL_PARAM,         [DECL_LET] = SYMBOL_LET,
      [DECL_TYPE] = SYMBOL_TYPE,           [DECL_OP] = SYMBOL_OP,
      [DECL_AXIOM] = SYMBOL_AXIOM,         [DECL_LEMMA] = SYMBOL_LEMMA,
      [DECL_ADVERSARY] = SYMBOL_ADVERSARY, [DECL_PROCEDURE] = SYMBOL_PROCEDURE,
      [DECL_MECHANISM] = SYMBOL_MECHANISM, [DECL_AUTOMATON] = SYMBOL_AUTOMATON,
      [DECL_CLAIM] = SYMBOL_CLAIM,         [DECL_INSTANCE] = SYMBOL_INSTANCE};
  struct symbol *s = symbol_of(w, d, kinds[d->kind], d->name.text);
  s->decl = d;
  return s;
}

struct symbol *var_symbol(struct symbol_walk *w, const struct ast_var *v) {
  struct symbol *s = symbol_of(w, v, SYMBOL_VARIABLE, v->name.text);
  s->var = v;
  return s;
}

/* Oracles are connected by name: the interned text is the node. */
static struct symbol *oracle_symbol(struct symbol_walk *w, const char *name,
                                    const struct ast_routine *routine) {
  struct symbol *s = symbol_of(w, name, SYMBOL_ORACLE, name);
  if (routine) s->routine = routine;
  return s;
}

static bool is_name_byte(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '\'' || (unsigned char)c >= 0x80;
}

/* Behind parentheses, blanks and comments. */
static uint32_t skip_to_name(const char *text, uint32_t at, uint32_t end) {
  while (at < end && !is_name_byte(text[at])) {
    bool is_line = text[at] == '/' && text[at + 1] == '/',
         is_block = text[at] == '/' && text[at + 1] == '*';
    const char *stop = is_line    ? memchr(text + at, '\n', end - at)
                       : is_block ? memmem(text + at + 2, end - at - 2, "*/", 2)
                                  : text + at;
    if (!stop) return end;
    at = (uint32_t)(stop - text) + (is_block ? 2 : 1);
  }
  return at;
}

struct span name_in(const struct symbol_walk *w, struct span span) {
  const struct source *source = sources_get(&w->lang->sources, span.file);
  if (!source || source->text[span.begin] != '(') return span;
  uint32_t begin = skip_to_name(source->text, span.begin, span.end), end = begin;
  while (end < span.end && is_name_byte(source->text[end]))
    end++;
  return (struct span){span.file, begin, end};
}

/* ---- names that the checker did not resolve -------------------------------------------------- */

static const struct ast_var *var_among(struct ast_var *const *vars, size_t count, const char *name,
                                       size_t *found, const struct ast_var *first) {
  for (size_t i = 0; i < count; i++)
    if (vars[i]->name.text == name) {
      if (!first) first = vars[i];
      ++*found;
    }
  return first;
}

static const struct ast_var *var_of_routine(const struct ast_routine *r, const char *name,
                                            size_t *found, const struct ast_var *first) {
  if (!r) return first;
  first = var_among(r->args, r->arg_count, name, found, first);
  first = var_among(r->locals, r->local_count, name, found, first);
  for (size_t i = 0; i < r->oracle_count; i++)
    first = var_of_routine(r->oracles[i], name, found, first);
  return first;
}

/* All variables of the routine that have the name: which of them is meant cannot be told. */
static void mark_ambiguous(struct symbol_walk *w, const struct ast_routine *r, const char *name) {
  for (size_t i = 0; i < r->arg_count; i++)
    if (r->args[i]->name.text == name) var_symbol(w, r->args[i])->is_ambiguous = true;
  for (size_t i = 0; i < r->local_count; i++)
    if (r->locals[i]->name.text == name) var_symbol(w, r->locals[i])->is_ambiguous = true;
  for (size_t i = 0; i < r->oracle_count; i++)
    mark_ambiguous(w, r->oracles[i], name);
}

struct symbol *resolve(struct symbol_walk *w, const char *name) {
  for (size_t i = w->binders.len; i-- > 0;)
    if (w->binders.at[i]->name.text == name) return var_symbol(w, w->binders.at[i]);
  for (size_t i = w->proof_names.len; i-- > 0;)
    if (w->proof_names.at[i]->text == name)
      return symbol_of(w, w->proof_names.at[i], SYMBOL_VALUE, name);
  const struct ast_routine *r = w->routine;
  for (; r; r = r->enclosing) {
    size_t found = 0;
    const struct ast_var *var = var_of_routine(r, name, &found, NULL);
    if (found > 1) mark_ambiguous(w, r, name);
    if (var) return var_symbol(w, var);
  }
  const struct ast_decl *d = ptrmap_get(&w->values, name);
  return d ? decl_symbol(w, d) : NULL;
}

/* ---- expressions and types ------------------------------------------------------------------- */

static void visit(const struct ast_expr *e, void *context) {
  walk_expr(context, e);
}

void walk_written_type(struct symbol_walk *w, const struct ast_type *t) {
  if (!t) return;
  if (t->kind == TYPE_ABSTRACT) {
    const struct ast_decl *d = ptrmap_get(&w->types, t->name.text);
    if (d) occur(w, decl_symbol(w, d), t->name.span, false);
  }
  if (t->length) walk_expr(w, t->length);
  for (size_t i = 0; i < t->count; i++)
    walk_written_type(w, t->items[i]);
}

static void walk_quantifier(struct symbol_walk *w, const struct ast_expr *e) {
  size_t outside = w->binders.len;
  for (size_t i = 0; i < e->as.quant.count; i++) {
    const struct ast_binder *b = &e->as.quant.binders[i];
    if (b->low) walk_expr(w, b->low);
    if (b->high) walk_expr(w, b->high);
    walk_written_type(w, b->var->declared);
    define(w, var_symbol(w, b->var), b->var->name.span);
    vec_push(&w->binders, b->var);
  }
  walk_expr(w, e->as.quant.body);
  w->binders.len = outside;
}

void walk_bound_cost(struct symbol_walk *w, struct ast_var *order, const struct ast_expr *cost) {
  size_t outside = w->binders.len;
  if (order) {
    define(w, var_symbol(w, order), order->name.span);
    vec_push(&w->binders, order);
  }
  walk_expr(w, cost);
  w->binders.len = outside;
}

static void walk_call(struct symbol_walk *w, const struct ast_expr *e) {
  const struct ast_name *callee = &e->as.call.callee;
  struct symbol *s = NULL;
  if (e->as.call.callee_kind == CALLEE_ORACLE)
    s = oracle_symbol(w, callee->text, e->as.call.oracle);
  else if (e->as.call.decl)
    s = decl_symbol(w, e->as.call.decl);
  else if (e->as.call.callee_kind == CALLEE_UNRESOLVED && !builtin_find(callee->text))
    s = resolve(w, callee->text);
  if (s) occur(w, s, callee->span, false);
  walk_parts(e, visit, w);
}

void walk_expr(struct symbol_walk *w, const struct ast_expr *e) {
  if (!e) return;
  if (e->kind == EXPR_NAME) {
    struct symbol *s = e->as.name.var    ? var_symbol(w, e->as.name.var)
                       : e->as.name.decl ? decl_symbol(w, e->as.name.decl)
                                         : resolve(w, e->as.name.text);
    if (s) occur(w, s, name_in(w, e->span), false);
  } else if (e->kind == EXPR_QUANT) {
    walk_quantifier(w, e);
  } else if (e->kind == EXPR_CALL) {
    walk_call(w, e);
  } else {
    walk_parts(e, visit, w);
  }
}

/* ---- statements ------------------------------------------------------------------------------ */

static void walk_target(struct symbol_walk *w, const struct ast_target *t) {
  struct symbol *s = t->var ? var_symbol(w, t->var) : resolve(w, t->name.text);
  bool declares = t->var && !t->var->declared && t->var->role == VAR_LOCAL &&
                  t->var->name.span.file == t->name.span.file &&
                  t->var->name.span.begin == t->name.span.begin;
  if (s && declares)
    define(w, s, t->name.span);
  else if (s)
    occur(w, s, t->name.span, true);
  walk_expr(w, t->index);
}

static void walk_statements(struct symbol_walk *w, const struct ast_block *b);

static void walk_statement(struct symbol_walk *w, const struct ast_stmt *s) {
  switch (s->kind) {
  case STMT_ERROR:
  case STMT_SKIP:
  case STMT_BREAK:
  case STMT_CONTINUE: break;
  case STMT_VAR:
    walk_written_type(w, s->as.var.var->declared);
    define(w, var_symbol(w, s->as.var.var), s->as.var.var->name.span);
    walk_expr(w, s->as.var.init);
    break;
  case STMT_ASSIGN:
    for (size_t i = 0; i < s->as.assign.count; i++)
      walk_target(w, &s->as.assign.targets[i]);
    walk_expr(w, s->as.assign.value);
    break;
  case STMT_SAMPLE:
    walk_target(w, &s->as.sample.target);
    for (size_t i = 0; i < s->as.sample.dist.count; i++)
      walk_expr(w, s->as.sample.dist.args[i]);
    break;
  case STMT_CALL: walk_expr(w, s->as.call); break;
  case STMT_IF:
    walk_expr(w, s->as.branch.cond);
    walk_statements(w, &s->as.branch.then);
    walk_statements(w, &s->as.branch.otherwise);
    break;
  case STMT_WHILE:
    walk_expr(w, s->as.loop.cond);
    walk_statements(w, &s->as.loop.body);
    break;
  case STMT_FOR:
    define(w, var_symbol(w, s->as.range.var), s->as.range.var->name.span);
    walk_expr(w, s->as.range.low);
    walk_expr(w, s->as.range.high);
    walk_statements(w, &s->as.range.body);
    break;
  case STMT_EMIT:
  case STMT_RETURN: walk_expr(w, s->as.value); break;
  }
}

static void walk_statements(struct symbol_walk *w, const struct ast_block *b) {
  for (size_t i = 0; i < b->count; i++)
    walk_statement(w, b->stmts[i]);
}

void walk_args(struct symbol_walk *w, struct ast_var *const *args, size_t count) {
  for (size_t i = 0; i < count; i++) {
    walk_written_type(w, args[i]->declared);
    define(w, var_symbol(w, args[i]), args[i]->name.span);
  }
}

void walk_routine(struct symbol_walk *w, const struct ast_routine *r) {
  const struct ast_routine *outside = w->routine;
  w->routine = r;
  walk_args(w, r->args, r->arg_count);
  walk_written_type(w, r->emits);
  walk_written_type(w, r->returns);
  for (size_t i = 0; i < r->oracle_count; i++) {
    define(w, oracle_symbol(w, r->oracles[i]->name.text, r->oracles[i]), r->oracles[i]->name.span);
    walk_routine(w, r->oracles[i]);
  }
  walk_statements(w, &r->body);
  w->routine = outside;
}

void walk_use(struct symbol_walk *w, const struct ast_oracle_use *use) {
  occur(w, oracle_symbol(w, use->name.text, NULL), use->name.span, false);
  walk_args(w, use->args, use->arg_count);
  walk_written_type(w, use->returns);
  walk_expr(w, use->bound);
}

void walk_declared(struct symbol_walk *w, const struct ast_decl *d) {
  define(w, decl_symbol(w, d), d->name.span);
}

void walk_reference(struct symbol_walk *w, const struct ast_decl *d, struct span span) {
  if (d && d->kind != DECL_ERROR) occur(w, decl_symbol(w, d), span, false);
}

/* ---- the whole module ------------------------------------------------------------------------ */

static int by_place(const void *a, const void *b) {
  const struct occurrence *x = a, *y = b;
  if (x->span.file != y->span.file) return x->span.file < y->span.file ? -1 : 1;
  if (x->span.begin != y->span.begin) return x->span.begin < y->span.begin ? -1 : 1;
  if (x->symbol != y->symbol) return x->symbol < y->symbol ? -1 : 1;
  return (int)y->is_definition - (int)x->is_definition;
}

/* Nodes that are shared (`x, y : T`) are visited twice. */
static void sort_occurrences(struct symbols *s) {
  if (!s->occurrences.len) return;
  qsort(s->occurrences.at, s->occurrences.len, sizeof *s->occurrences.at, by_place);
  size_t kept = 1;
  for (size_t i = 1; i < s->occurrences.len; i++) {
    const struct occurrence *last = &s->occurrences.at[kept - 1], *o = &s->occurrences.at[i];
    if (o->span.file == last->span.file && o->span.begin == last->span.begin) continue;
    s->occurrences.at[kept++] = *o;
  }
  s->occurrences.len = kept;
}

void symbols_build(struct symbols *symbols, struct lang *lang, const struct ast_module *module,
                   const struct proof_text *proofs, size_t proof_count) {
  *symbols = (struct symbols){0};
  struct symbol_walk w = {.out = symbols, .lang = lang, .module = module};
  for (size_t i = 0; i < module->decl_count; i++) {
    const struct ast_decl *d = module->decls[i];
    bool is_value = d->kind == DECL_PARAM || d->kind == DECL_LET || d->kind == DECL_OP ||
                    d->kind == DECL_PROCEDURE || d->kind == DECL_ADVERSARY ||
                    d->kind == DECL_MECHANISM || d->kind == DECL_AUTOMATON;
    struct ptrmap *names = is_value ? &w.values : d->kind == DECL_TYPE ? &w.types : NULL;
    if (names && d->name.text && !ptrmap_get(names, d->name.text))
      ptrmap_put(names, d->name.text, (void *)(uintptr_t)d);
  }
  for (size_t i = 0; i < module->decl_count; i++) {
    w.decl = module->decls[i];
    walk_decl(&w, module->decls[i]);
  }
  for (size_t i = 0; i < proof_count; i++)
    walk_proof(&w, &proofs[i]);
  ptrmap_clear(&w.values);
  ptrmap_clear(&w.types);
  vec_clear(&w.binders);
  vec_clear(&w.proof_names);
  sort_occurrences(symbols);
}

void symbols_clear(struct symbols *symbols) {
  vec_clear(&symbols->all);
  vec_clear(&symbols->occurrences);
  ptrmap_clear(&symbols->by_node);
}

const struct occurrence *symbols_at(const struct symbols *symbols, uint32_t file, uint32_t offset) {
  size_t low = 0, high = symbols->occurrences.len;
  while (low < high) { /* the first that begins behind the offset */
    size_t middle = low + (high - low) / 2;
    struct span s = symbols->occurrences.at[middle].span;
    if (s.file < file || (s.file == file && s.begin <= offset))
      low = middle + 1;
    else
      high = middle;
  }
  if (!low) return NULL;
  const struct occurrence *o = &symbols->occurrences.at[low - 1];
  return o->span.file == file && o->span.begin <= offset && offset <= o->span.end ? o : NULL;
}
