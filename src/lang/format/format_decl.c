#include <stdlib.h>
#include <string.h>

#include "lang/format/format_state.h"
#include "lang/format/print.h"

/* A piece of source as it stands. */
static void verbatim(struct format *f, struct span span) {
  buffer_add(f->out, f->source + span.begin, span.end - span.begin);
}

/* Ends a declaration: `;`, or its proof block untouched. */
static void semicolon_or_proof(struct format *f, struct span proof) {
  bool has_proof = proof.file && f->source;
  pretty_text(&f->pretty, has_proof ? " proof " : ";");
  pretty_close(&f->pretty);
  format_line(f);
  if (has_proof) verbatim(f, proof);
}

/* ---- one-line declarations ------------------------------------------------------------------ */

/* The `param`s of one declaration share their span; the last one has the assumptions. */
static size_t params(struct format *f, struct ast_decl *const *decls, size_t count) {
  struct pretty *p = &f->pretty;
  const struct ast_decl *d = decls[0];
  size_t used = 1;
  pretty_printf(p, "param %s", d->name.text);
  while (f->source && used < count && decls[used]->kind == DECL_PARAM &&
         decls[used]->span.begin == d->span.begin) {
    pretty_printf(p, ", %s", decls[used]->name.text);
    used++;
  }
  const struct ast_decl *last = decls[used - 1];
  pretty_text(p, " : ");
  pretty_type(p, last->as.param.type);
  for (size_t i = 0; i < last->as.param.count; i++) {
    pretty_text(p, ",");
    pretty_break(p, 1, 0);
    pretty_expr(p, last->as.param.assumptions[i]);
  }
  pretty_text(p, ";");
  return used;
}

/* `(args)`, nothing if there are none and the syntax wants none. */
static void arguments(struct pretty *p, struct ast_var *const *args, size_t count, bool always) {
  if (!count && !always) return;
  pretty_text(p, "(");
  pretty_open(p, PRETTY_FILL, 2);
  pretty_args(p, args, count);
  pretty_close(p);
  pretty_text(p, ")");
}

static void typed(struct pretty *p, const struct ast_type *type) {
  if (!type) return;
  pretty_text(p, " : ");
  pretty_type(p, type);
}

static void let(struct pretty *p, const struct ast_decl *d) {
  pretty_printf(p, "let %s", d->name.text);
  arguments(p, d->as.let.args, d->as.let.arg_count, false);
  typed(p, d->as.let.type);
  pretty_text(p, " = ");
  pretty_expr(p, d->as.let.body);
  pretty_text(p, ";");
}

static void op(struct pretty *p, const struct ast_decl *d) {
  pretty_printf(p, "op %s", d->name.text);
  arguments(p, d->as.op.args, d->as.op.arg_count, false);
  typed(p, d->as.op.result);
  pretty_text(p, ";");
}

static void adversary(struct pretty *p, const struct ast_decl *d) {
  pretty_open(p, PRETTY_CONSISTENT, 0);
  pretty_printf(p, "adversary %s", d->name.text);
  arguments(p, d->as.adversary.args, d->as.adversary.arg_count, true);
  typed(p, d->as.adversary.returns);
  for (size_t i = 0; i < d->as.adversary.use_count; i++) {
    const struct ast_oracle_use *use = &d->as.adversary.uses[i];
    pretty_break(p, 1, 0);
    pretty_printf(p, "uses %s", use->name.text);
    arguments(p, use->args, use->arg_count, true);
    typed(p, use->returns);
    pretty_text(p, " at most ");
    pretty_expr(p, use->bound);
  }
  pretty_text(p, ";");
  pretty_close(p);
}

static void domain(struct pretty *p, const struct ast_domain *domain) {
  pretty_printf(p, domain->is_set ? "%s in {" : "%s = ", domain->name.text);
  for (size_t i = 0; i < domain->count; i++) {
    if (i) pretty_text(p, ", ");
    pretty_expr(p, domain->values[i]);
  }
  if (domain->is_set) pretty_text(p, "}");
}

static void accuracy(struct pretty *p, const struct ast_decl *d) {
  pretty_printf(p, "accurate %s:", d->as.claim.subject.text);
  pretty_break(p, 1, 0);
  pretty_expr(p, d->as.claim.formula);
  pretty_break(p, 1, 0);
  pretty_text(p, "failure ");
  pretty_expr(p, d->as.claim.epsilon);
}

static void law(struct pretty *p, const struct ast_decl *d) {
  pretty_printf(p, "samples %s:", d->as.claim.subject.text);
  pretty_break(p, 1, 0);
  pretty_dist(p, d->as.claim.law);
}

static void privacy(struct pretty *p, const struct ast_decl *d) {
  pretty_printf(p, "private %s", d->as.claim.subject.text);
  pretty_break(p, 1, 0);
  pretty_printf(p, "%s ", notion_word(d->as.claim.notion));
  if (d->as.claim.all_order) pretty_printf(p, "for all %s", d->as.claim.all_order->name.text);
  if (d->as.claim.order) pretty_expr(p, d->as.claim.order);
  if (d->as.claim.notion == NOTION_RENYI) {
    pretty_break(p, 1, 0);
    pretty_text(p, "epsilon ");
  }
  pretty_expr(p, d->as.claim.epsilon);
  if (d->as.claim.delta) {
    pretty_break(p, 1, 0);
    pretty_text(p, "delta ");
    pretty_expr(p, d->as.claim.delta);
  }
}

static void claim(struct format *f, const struct ast_decl *d) {
  struct pretty *p = &f->pretty;
  pretty_open(p, PRETTY_FILL, 2);
  pretty_text(p, "claim ");
  if (d->name.text != d->as.claim.subject.text) pretty_printf(p, "%s: ", d->name.text);
  if (d->as.claim.law)
    law(p, d);
  else if (d->as.claim.formula)
    accuracy(p, d);
  else
    privacy(p, d);
  if (d->as.claim.under_written) {
    pretty_break(p, 1, 0);
    pretty_text(p, "under ");
    pretty_expr(p, d->as.claim.under_written);
  }
  for (size_t i = 0; i < d->as.claim.at_count; i++) {
    if (i) pretty_text(p, ",");
    pretty_break(p, 1, 0);
    if (!i) pretty_text(p, "at ");
    domain(p, &d->as.claim.at[i]);
  }
  semicolon_or_proof(f, d->as.claim.has_proof ? d->as.claim.proof : span_none());
}

static void formula(struct format *f, const struct ast_decl *d) {
  struct pretty *p = &f->pretty;
  pretty_open(p, PRETTY_FILL, 2);
  pretty_printf(p, "%s %s:", d->kind == DECL_AXIOM ? "axiom" : "lemma", d->name.text);
  pretty_break(p, 1, 0);
  pretty_expr(p, d->as.formula);
  semicolon_or_proof(f, d->kind == DECL_LEMMA ? d->lemma_proof : span_none());
}

static void libm(struct pretty *p, const struct ast_decl *d) {
  for (size_t i = 0; i < d->as.libm.count; i++)
    pretty_printf(p, "%s%s", i ? ", " : "libm ", d->as.libm.functions[i].text);
  pretty_text(p, " within ");
  pretty_expr(p, d->as.libm.bound);
  pretty_text(p, " ulp;");
}

static void simple(struct format *f, const struct ast_decl *d) {
  struct pretty *p = &f->pretty;
  pretty_open(p, PRETTY_FILL, 2);
  switch (d->kind) {
  case DECL_INCLUDE: pretty_printf(p, "include \"%s\";", d->as.include.path); break;
  case DECL_LET: let(p, d); break;
  case DECL_TYPE: pretty_printf(p, "type %s;", d->name.text); break;
  case DECL_OP: op(p, d); break;
  case DECL_LIBM: libm(p, d); break;
  case DECL_ADVERSARY: adversary(p, d); break;
  default: pretty_text(p, "<error>"); break;
  }
  pretty_close(p);
  format_line(f);
}

/* ---- mechanisms and procedures -------------------------------------------------------------- */

static void routine_head(struct format *f, const char *word, const struct ast_routine *r) {
  struct pretty *p = &f->pretty;
  pretty_open(p, PRETTY_FILL, 2);
  pretty_text(p, word);
  pretty_routine(p, r, word[0] == 'm');
  pretty_close(p);
}

static void oracle(struct format *f, const struct ast_routine *r) {
  format_before(f, r->span.begin, r->body.span.begin, false);
  routine_head(f, "oracle ", r);
  format_block(f, &r->body);
  format_after(f, r->span.end);
}

static void clause(struct format *f, const char *word, const struct ast_expr *e) {
  format_before(f, e->span.begin, e->span.end, false);
  pretty_open(&f->pretty, PRETTY_FILL, 2);
  pretty_text(&f->pretty, word);
  pretty_expr(&f->pretty, e);
  pretty_close(&f->pretty);
  format_line(f);
  format_after(f, e->span.end);
}

/* Where the first line of the header ends: behind the last thing it names. */
static uint32_t signature_end(const struct ast_routine *r) {
  if (r->returns) return r->returns->span.end;
  if (r->emits) return r->emits->span.end;
  if (r->arg_count) return r->args[r->arg_count - 1]->declared->span.end;
  return r->name.span.end;
}

/* The clauses on lines of their own; then the `{` stands on one too. */
static void clauses(struct format *f, const struct ast_decl *d) {
  format_line(f);
  format_after(f, signature_end(d->as.mechanism.routine));
  f->indent += 2;
  f->dense = true;
  if (d->as.mechanism.adjacent_written) clause(f, "adjacent ", d->as.mechanism.adjacent_written);
  for (size_t i = 0; i < d->as.mechanism.written_count; i++)
    clause(f, "requires ", d->as.mechanism.requires_written[i]);
  if (f->source) format_comments_until(f, d->as.mechanism.routine->body.span.begin);
  f->dense = false;
  f->indent -= 2;
}

static bool has_clauses(const struct ast_decl *d) {
  return d->as.mechanism.adjacent_written || d->as.mechanism.written_count;
}

static void mechanism(struct format *f, const struct ast_decl *d) {
  const struct ast_routine *r = d->as.mechanism.routine;
  bool is_empty = r->oracle_count + r->body.count == 0, has_content;
  routine_head(f, "mechanism ", r);
  if (has_clauses(d)) {
    clauses(f, d);
    has_content = !is_empty || format_has_comment_before(f, r->body.span.end);
    pretty_text(&f->pretty, has_content ? "{" : "{}");
  } else {
    has_content = format_open(f, is_empty, r->body.span);
  }
  format_line(f);
  if (!has_content) return;
  format_enter(f, r->body.span);
  for (size_t i = 0; i < r->oracle_count; i++)
    oracle(f, r->oracles[i]);
  format_stmts(f, &r->body);
  format_leave(f, r->body.span);
}

static void procedure(struct format *f, const struct ast_routine *r) {
  routine_head(f, "procedure ", r);
  format_block(f, &r->body);
}

/* ---- automata and instances ----------------------------------------------------------------- */

/* First place in [begin, end) with that character outside comments, or end. */
static uint32_t find_outside_comments(const struct format *f, uint32_t begin, uint32_t end,
                                      char wanted) {
  size_t c = f->next; /* comments are in order, those before were passed long ago */
  while (c > 0 && f->comments[c - 1].span.end > begin)
    c--;
  for (uint32_t at = begin; at < end;) {
    while (c < f->count && f->comments[c].span.end <= at)
      c++;
    if (c < f->count && f->comments[c].span.begin <= at)
      at = f->comments[c].span.end;
    else if (f->source[at] == wanted)
      return at;
    else
      at++;
  }
  return end;
}

/* The `{ ... }` that follows the name of an automaton or instance. */
static struct span braces(const struct format *f, const struct ast_decl *d) {
  struct span s = d->span;
  if (f->source) s.begin = find_outside_comments(f, d->name.span.end, s.end, '{');
  return s;
}

/* Where the keyword before a name begins. */
static uint32_t keyword_before(const struct format *f, uint32_t name) {
  uint32_t at = name;
  while (f->source && at > 0 && strchr(" \t\r\n", f->source[at - 1]))
    at--;
  while (f->source && at > 0 && f->source[at - 1] >= 'a' && f->source[at - 1] <= 'z')
    at--;
  return at;
}

static void state_noise(struct pretty *p, const struct ast_expr *d, const struct ast_expr *mean) {
  pretty_text(p, " d ");
  pretty_expr(p, d);
  if (!mean) return;
  pretty_text(p, " mean ");
  pretty_expr(p, mean);
}

static void state(struct pretty *p, const struct ast_state *s) {
  pretty_printf(p, "state %s", s->name.text);
  if (s->is_final) {
    pretty_text(p, " final;");
    return;
  }
  pretty_text(p, s->is_input ? " input" : " noninput");
  state_noise(p, s->d, s->mean);
  if (s->d2) {
    pretty_text(p, " prime");
    state_noise(p, s->d2, s->mean2);
  }
  pretty_text(p, ";");
}

static void names(struct pretty *p, const struct ast_name *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    pretty_printf(p, "%s%s", i ? ", " : "", list[i].text);
}

static void edge(struct pretty *p, const struct ast_edge *e) {
  pretty_printf(p, "%s -> %s", e->from.text, e->to.text);
  if (e->guard) {
    pretty_text(p, " when ");
    pretty_expr(p, e->guard);
  }
  pretty_break(p, 1, 0);
  pretty_printf(p, "output %s",
                e->output == OUTPUT_INSAMPLE         ? "insample"
                : e->output == OUTPUT_INSAMPLE_PRIME ? "insample'"
                                                     : e->symbol.text);
  if (e->assigned_count) {
    pretty_break(p, 1, 0);
    pretty_text(p, "assign ");
    names(p, e->assigned, e->assigned_count);
  }
  pretty_text(p, ";");
}

/* One line of an automaton, with its place in the file. */
struct item {
  struct span span;
  size_t order; /* among items without a place */
  enum { ITEM_NOISE, ITEM_VAR, ITEM_START, ITEM_STATE, ITEM_EDGE } kind;
  size_t first, count; /* of the array its kind is kept in */
};

static int compare_items(const void *x, const void *y) {
  const struct item *a = x, *b = y;
  if (a->span.begin != b->span.begin) return a->span.begin < b->span.begin ? -1 : 1;
  return (a->order > b->order) - (a->order < b->order);
}

struct item_list {
  VEC(struct item) items;
};

static void push_item(struct item_list *list, struct span span, int kind, size_t first) {
  vec_push(&list->items, (struct item){span, list->items.len, kind, first, 1});
}

/* The span of a line known only by its name begins at the keyword before it. */
static void push_named(const struct format *f, struct item_list *list, struct span span, int kind,
                       size_t first) {
  span.begin = keyword_before(f, span.begin);
  push_item(list, span, kind, first);
}

static void collect_items(struct format *f, const struct ast_decl *d, struct item_list *list) {
  const struct ast_name *vars = d->as.automaton.vars;
  if (d->as.automaton.noise.file || d->as.automaton.independent)
    push_named(f, list, d->as.automaton.noise, ITEM_NOISE, 0);
  for (size_t i = 0; i < d->as.automaton.var_count; i++) {
    /* `var x, y;` or `var x; var y;`? */
    uint32_t end = i ? vars[i - 1].span.end : 0, begin = vars[i].span.begin;
    if (i > 0 && (!f->source || find_outside_comments(f, end, begin, ';') == begin)) {
      vec_last(&list->items).count++;
      vec_last(&list->items).span.end = vars[i].span.end;
    } else {
      push_named(f, list, vars[i].span, ITEM_VAR, i);
    }
  }
  if (d->as.automaton.start.text) push_named(f, list, d->as.automaton.start.span, ITEM_START, 0);
  for (size_t i = 0; i < d->as.automaton.state_count; i++)
    push_item(list, d->as.automaton.states[i].span, ITEM_STATE, i);
  for (size_t i = 0; i < d->as.automaton.edge_count; i++)
    push_item(list, d->as.automaton.edges[i].span, ITEM_EDGE, i);
  if (list->items.len) qsort(list->items.at, list->items.len, sizeof(struct item), compare_items);
}

static void automaton_item(struct format *f, const struct ast_decl *d, const struct item *item) {
  struct pretty *p = &f->pretty;
  format_before(f, item->span.begin, item->span.end, false);
  pretty_open(p, PRETTY_FILL, 4);
  switch (item->kind) {
  case ITEM_NOISE:
    pretty_text(p, d->as.automaton.independent ? "noise independent;" : "noise shared;");
    break;
  case ITEM_VAR:
    pretty_text(p, "var ");
    names(p, d->as.automaton.vars + item->first, item->count);
    pretty_text(p, ";");
    break;
  case ITEM_START: pretty_printf(p, "start %s;", d->as.automaton.start.text); break;
  case ITEM_STATE: state(p, &d->as.automaton.states[item->first]); break;
  case ITEM_EDGE: edge(p, &d->as.automaton.edges[item->first]); break;
  }
  pretty_close(p);
  format_line(f);
  format_after(f, item->span.end);
}

static void automaton(struct format *f, const struct ast_decl *d) {
  struct span block = braces(f, d);
  struct item_list list = {0};
  collect_items(f, d, &list);
  pretty_printf(&f->pretty, "automaton %s", d->name.text);
  bool has_content = format_open(f, list.items.len == 0, block);
  format_line(f);
  if (has_content) {
    format_enter(f, block);
    for (size_t i = 0; i < list.items.len; i++)
      automaton_item(f, d, &list.items.at[i]);
    format_leave(f, block);
  }
  vec_clear(&list.items);
}

static void bare_names(struct pretty *p, struct ast_var *const *args, size_t count) {
  pretty_text(p, "(");
  for (size_t i = 0; i < count; i++)
    pretty_printf(p, "%s%s", i ? ", " : "", args[i]->name.text);
  pretty_text(p, ")");
}

static void binding(struct format *f, const struct ast_binding *b) {
  struct pretty *p = &f->pretty;
  bool is_routine = b->kind == BINDING_ADVERSARY;
  format_before(f, b->span.begin, is_routine ? b->routine->body.span.begin : b->span.end, false);
  pretty_open(p, PRETTY_FILL, 2);
  switch (b->kind) {
  case BINDING_PARAM: pretty_printf(p, "param %s", b->name.text); break;
  case BINDING_INPUT: pretty_printf(p, "input %s", b->name.text); break;
  case BINDING_TYPE: pretty_printf(p, "type %s", b->name.text); break;
  case BINDING_OP:
    pretty_printf(p, "op %s", b->name.text);
    if (b->arg_count) bare_names(p, b->args, b->arg_count);
    break;
  case BINDING_ADVERSARY:
    pretty_printf(p, "adversary %s", b->name.text);
    bare_names(p, b->routine->args, b->routine->arg_count);
    break;
  }
  if (is_routine) {
    pretty_close(p);
    format_block(f, &b->routine->body);
  } else {
    pretty_text(p, " = ");
    if (b->kind == BINDING_TYPE)
      pretty_type(p, b->type);
    else
      pretty_expr(p, b->value);
    pretty_text(p, ";");
    pretty_close(p);
    format_line(f);
  }
  format_after(f, b->span.end);
}

static void instance(struct format *f, const struct ast_decl *d) {
  struct span block = braces(f, d);
  pretty_printf(&f->pretty, "instance %s", d->name.text);
  bool has_content = format_open(f, d->as.instance.count == 0, block);
  format_line(f);
  if (!has_content) return;
  format_enter(f, block);
  for (size_t i = 0; i < d->as.instance.count; i++)
    binding(f, &d->as.instance.bindings[i]);
  format_leave(f, block);
}

/* ---- all of them ---------------------------------------------------------------------------- */

static bool has_block(const struct ast_decl *d) {
  return d->kind == DECL_PROCEDURE || d->kind == DECL_MECHANISM || d->kind == DECL_AUTOMATON ||
         d->kind == DECL_INSTANCE;
}

/* Comments before this place are moved before the declaration. */
static uint32_t head_end(const struct format *f, const struct ast_decl *d) {
  switch (d->kind) {
  case DECL_PROCEDURE: return d->as.procedure->body.span.begin;
  case DECL_MECHANISM:
    return has_clauses(d) ? signature_end(d->as.mechanism.routine)
                          : d->as.mechanism.routine->body.span.begin;
  case DECL_AUTOMATON:
  case DECL_INSTANCE: return braces(f, d).begin;
  default: return d->span.end;
  }
}

void format_decls(struct format *f, struct ast_decl *const *decls, size_t count) {
  for (size_t i = 0; i < count;) {
    const struct ast_decl *d = decls[i];
    size_t used = 1;
    format_before(f, d->span.begin, head_end(f, d),
                  i > 0 && (has_block(d) || has_block(decls[i - 1])));
    switch (d->kind) {
    case DECL_PARAM:
      pretty_open(&f->pretty, PRETTY_FILL, 2);
      used = params(f, decls + i, count - i);
      pretty_close(&f->pretty);
      format_line(f);
      break;
    case DECL_AXIOM:
    case DECL_LEMMA: formula(f, d); break;
    case DECL_CLAIM: claim(f, d); break;
    case DECL_PROCEDURE: procedure(f, d->as.procedure); break;
    case DECL_MECHANISM: mechanism(f, d); break;
    case DECL_AUTOMATON: automaton(f, d); break;
    case DECL_INSTANCE: instance(f, d); break;
    default: simple(f, d); break;
    }
    i += used;
    format_after(f, d->span.end);
  }
}
