/* Automata and instances. */
#include <string.h>

#include "base/spell.h"
#include "lang/syntax/parse_internal.h"

/* ---- automaton ------------------------------------------------------------------------------ */

struct automaton_parts {
  struct name_list vars;
  VEC(struct ast_state) states;
  VEC(struct ast_edge) edges;
  bool has_noise, has_start;
};

/* "noise" ( "shared" | "independent" ) ";" */
static void parse_noise(struct parser *p, struct ast_decl *d, struct automaton_parts *parts) {
  struct span word = token_span(p, &p->cur);
  advance(p);
  if (parts->has_noise) complain(p, word, "repeated-item", "`noise` is already given");
  parts->has_noise = true;
  d->as.automaton.noise = token_span(p, &p->cur);
  if (accept_word(p, "independent"))
    d->as.automaton.independent = true;
  else if (!accept_word(p, "shared"))
    fail_expected(p, "expected-token", "`shared` or `independent`");
  expect_semicolon(p, "`noise`");
}

/* "start" name ";" */
static void parse_start(struct parser *p, struct ast_decl *d, struct automaton_parts *parts) {
  struct span word = token_span(p, &p->cur);
  advance(p);
  if (parts->has_start && complain(p, word, "repeated-item", "`start` is already given"))
    diag_note(&p->lang->diags, d->as.automaton.start.span, "here");
  parts->has_start = true;
  d->as.automaton.start = expect_name(p, "the name of a state");
  expect_semicolon(p, "`start`");
}

/* "d" expr [ "mean" expr ] */
static void parse_noise_of(struct parser *p, struct ast_expr **d, struct ast_expr **mean) {
  if (!p->panic && !at_word(p, "d") &&
      fail_expected(p, "expected-token", "`d` and the factor of the noise"))
    diag_hint(&p->lang->diags, "write `state q d 1/4;`, or `state q final;` without noise");
  expect_word(p, "d", "and the factor of the noise");
  *d = parse_expr(p);
  if (!p->panic && accept_word(p, "mean")) *mean = parse_expr(p);
}

/* "state" name ( "final" | [ "input" | "noninput" ] noise [ "prime" noise ] ) ";" */
static void parse_state(struct parser *p, struct automaton_parts *parts) {
  uint32_t begin = p->cur.begin;
  advance(p);
  struct ast_state s = {.name = expect_name(p, "the name of a state"), .is_input = true};
  if (p->panic) return;
  if (accept_word(p, "final")) {
    s.is_final = true;
    s.is_input = false;
  } else {
    if (accept_word(p, "noninput"))
      s.is_input = false;
    else
      accept_word(p, "input");
    parse_noise_of(p, &s.d, &s.mean);
    if (!p->panic && accept_word(p, "prime")) parse_noise_of(p, &s.d2, &s.mean2);
    if (!p->panic && at_word(p, "final") && fail_expected(p, "missing-semicolon", "`;`"))
      diag_hint(&p->lang->diags, "a final state has no noise: write `state %s final;`",
                s.name.text);
  }
  expect_semicolon(p, "this state");
  s.span = span_from(p, begin);
  if (!p->panic) vec_push(&parts->states, s);
}

/* `=>`, which the lexer has reported already and takes for `>=`. */
static bool is_double_arrow(const struct parser *p, const struct token *t) {
  return t->kind == TOKEN_GE && p->lexer.text[t->begin] == '=';
}

/* name "->" name [ "when" expr ] "output" ( name | "insample" | "insample'" )
 * [ "assign" name { "," name } ] ";" */
static void parse_edge(struct parser *p, struct automaton_parts *parts) {
  uint32_t begin = p->cur.begin;
  struct ast_edge e = {.from = expect_name(p, "the name of a state")};
  if (is_double_arrow(p, &p->cur))
    advance(p);
  else
    expect(p, TOKEN_ARROW, "after the state");
  e.to = expect_name(p, "the name of a state");
  if (!p->panic && accept_word(p, "when")) e.guard = parse_expr(p);
  if (!p->panic && !at_word(p, "output")) {
    if (fail_expected(p, "expected-token", e.guard ? "`output`" : "`when` or `output`"))
      diag_hint(&p->lang->diags, "write `q -> r when insample >= x output yes;`");
  }
  expect_word(p, "output", "in this transition");
  e.symbol = expect_name(p, "an output");
  if (strcmp(e.symbol.text, "insample") == 0) e.output = OUTPUT_INSAMPLE;
  if (strcmp(e.symbol.text, "insample'") == 0) e.output = OUTPUT_INSAMPLE_PRIME;
  if (!p->panic && accept_word(p, "assign")) {
    struct name_list names = {0};
    parse_names(p, &names, "a variable");
    e.assigned_count = names.items.len;
    e.assigned = arena_take_vec(&p->lang->arena, &names.items);
    if (!p->panic && (at(p, TOKEN_ASSIGN) || at(p, TOKEN_EQ)) &&
        fail_expected(p, "missing-semicolon", "`;` after this transition"))
      diag_hint(&p->lang->diags, "`assign x` alone stores insample in x");
  }
  expect_semicolon(p, "this transition");
  e.span = span_from(p, begin);
  if (!p->panic) vec_push(&parts->edges, e);
}

/* What stands here is not one of the things that begin with these words. */
static void fail_item(struct parser *p, const char *what, const char *const *words, size_t count,
                      const char *all) {
  if (at(p, TOKEN_SEMICOLON)) {
    complain(p, token_span(p, &p->cur), "extra-semicolon", "this `;` ends nothing");
    advance(p);
    return;
  }
  const char *near = at(p, TOKEN_NAME) ? spell_nearest(p->cur.text, words, count) : NULL;
  if (!fail_expected(p, "expected-item", what)) return;
  if (near)
    diag_hint(&p->lang->diags, "did you mean `%s`?", near);
  else
    diag_hint(&p->lang->diags, "%s", all);
}

static void fail_automaton_item(struct parser *p) {
  static const char *const words[] = {"noise", "var", "start", "state"};
  fail_item(p, "an item of the automaton", words, sizeof words / sizeof *words,
            "items are `noise`, `var`, `start`, `state` and `q -> r ...;`");
}

/* item = "noise" ... | "var" name { "," name } ";" | "start" ... | "state" ... | name "->" ... */
static void parse_item(struct parser *p, struct ast_decl *d, struct automaton_parts *parts) {
  if (at(p, TOKEN_VAR)) {
    advance(p);
    parse_names(p, &parts->vars, "a variable");
    expect_semicolon(p, "these variables");
  } else if (at(p, TOKEN_NAME) && (p->next.kind == TOKEN_ARROW || is_double_arrow(p, &p->next))) {
    parse_edge(p, parts);
  } else if (at_word(p, "noise")) {
    parse_noise(p, d, parts);
  } else if (at_word(p, "start")) {
    parse_start(p, d, parts);
  } else if (at_word(p, "state")) {
    parse_state(p, parts);
  } else {
    fail_automaton_item(p);
  }
}

static bool never(const struct parser *p) {
  (void)p;
  return false;
}

/* automaton = "automaton" name "{" { item } "}" */
void parse_automaton(struct parser *p, struct ast_decl *d) {
  d->kind = DECL_AUTOMATON;
  d->name = expect_name(p, "the name of an automaton");
  struct token open = p->cur;
  if (!p->panic && !at(p, TOKEN_LBRACE) &&
      fail_expected(p, "expected-token", "`{` after the name of the automaton"))
    diag_hint(&p->lang->diags, "an automaton is written `automaton %s { start q; ... }`",
              d->name.text);
  expect(p, TOKEN_LBRACE, "after the name of the automaton");
  if (p->panic) return;
  struct automaton_parts parts = {0};
  size_t errors_before = p->lang->diags.errors;
  while (more_items(p, &open, "this automaton", never)) {
    uint32_t begin = p->cur.begin;
    parse_item(p, d, &parts);
    if (!p->panic) continue;
    if (p->cur.begin == begin) advance(p);
    sync_item(p);
  }
  close_block(p, &open);
  if (p->lang->diags.errors > errors_before) d->kind = DECL_ERROR; /* parts may be missing */
  d->as.automaton.var_count = parts.vars.items.len;
  d->as.automaton.vars = arena_take_vec(&p->lang->arena, &parts.vars.items);
  d->as.automaton.state_count = parts.states.len;
  d->as.automaton.states = arena_take_vec(&p->lang->arena, &parts.states);
  d->as.automaton.edge_count = parts.edges.len;
  d->as.automaton.edges = arena_take_vec(&p->lang->arena, &parts.edges);
}

/* ---- instance ------------------------------------------------------------------------------- */

/* "=" expr */
static struct ast_expr *parse_value(struct parser *p) {
  if (!p->panic && at(p, TOKEN_ASSIGN)) {
    if (complain(p, token_span(p, &p->cur), "definition-operator", "expected `=`, found `:=`"))
      diag_hint(&p->lang->diags, "an instance defines with `=`");
    advance(p);
  } else {
    expect(p, TOKEN_EQ, "in this binding");
  }
  return parse_expr(p);
}

/* "state" name ":" type ":=" expr ";": a variable that lives from call to call */
static void parse_script_state(struct parser *p, struct stmt_list *out) {
  struct ast_stmt *s = new_stmt(p, STMT_VAR);
  uint32_t begin = p->cur.begin;
  advance(p);
  s->as.var.var = new_var(p, VAR_STATE, expect_name(p, "the name of a variable"));
  expect(p, TOKEN_COLON, "and a type after the name of the variable");
  s->as.var.var->declared = parse_type(p);
  expect(p, TOKEN_ASSIGN, "and the value before the first call");
  s->as.var.init = parse_expr(p);
  expect_semicolon(p, "this variable");
  if (p->panic) {
    s->kind = STMT_ERROR;
    sync_item(p);
  }
  s->span = span_from(p, begin);
  vec_push(&out->items, s);
}

/* "adversary" name "(" [ names ] ")" "{" { "state" ... } { statement } "}" */
static void parse_script(struct parser *p, struct ast_binding *b) {
  struct ast_routine *r = arena_new(&p->lang->arena, struct ast_routine);
  b->kind = BINDING_ADVERSARY;
  b->routine = r;
  r->name = b->name;
  r->args = parse_bare_args(p, VAR_ARG, &r->arg_count);
  if (!p->panic && !at(p, TOKEN_LBRACE))
    fail_expected(p, "expected-block", "`{` to begin the body of this adversary");
  if (p->panic && !sync_body(p)) return;
  struct token open = p->cur;
  advance(p);
  if (!enter(p)) return;
  p->above++;
  struct stmt_list stmts = {0};
  while (at_word(p, "state") && p->next.kind == TOKEN_NAME)
    parse_script_state(p, &stmts);
  r->body = parse_block_rest(p, &open, &stmts, "this adversary");
  p->above--;
  leave(p);
  r->span = span_from(p, b->span.begin);
}

static void fail_binding(struct parser *p) {
  static const char *const words[] = {"param", "input", "type", "op", "adversary"};
  bool is_plain = at(p, TOKEN_NAME) && p->next.kind == TOKEN_EQ; /* `eps = 1;` */
  fail_item(p, "a binding", words, sizeof words / sizeof *words,
            is_plain
                ? "write `param` before the name of a parameter, `input` before that of an "
                  "input"
                : "bindings are `param x = e;`, `input x = e;`, `type T = U;`, `op f(x) = e;` and "
                  "`adversary A(x) { ... }`");
}

static bool begins_binding(const struct parser *p) {
  return at(p, TOKEN_PARAM) || at(p, TOKEN_TYPE) || at(p, TOKEN_OP) || at(p, TOKEN_ADVERSARY);
}

/* binding = "param" name "=" expr ";" | "input" name "=" expr ";" | "type" name "=" type ";"
 *         | "op" name [ "(" name { "," name } ")" ] "=" expr ";" | "adversary" ... */
static bool parse_binding(struct parser *p, struct ast_binding *b) {
  enum token_kind kind = p->cur.kind;
  if (!begins_binding(p) && !at_word(p, "input")) {
    fail_binding(p);
    return false;
  }
  *b = (struct ast_binding){.span = token_span(p, &p->cur)};
  advance(p);
  b->name = expect_name(p, "the name of what gets a meaning");
  switch (kind) {
  case TOKEN_TYPE:
    b->kind = BINDING_TYPE;
    expect(p, TOKEN_EQ, "and a type");
    b->type = parse_type(p);
    break;
  case TOKEN_OP:
    b->kind = BINDING_OP;
    if (!p->panic && at(p, TOKEN_LPAREN)) b->args = parse_bare_args(p, VAR_ARG, &b->arg_count);
    b->value = parse_value(p);
    break;
  case TOKEN_ADVERSARY: parse_script(p, b); break;
  default: b->kind = kind == TOKEN_PARAM ? BINDING_PARAM : BINDING_INPUT; b->value = parse_value(p);
  }
  if (kind != TOKEN_ADVERSARY) expect_semicolon(p, "this binding");
  b->span = span_from(p, b->span.begin);
  return !p->panic;
}

/* instance = "instance" name "{" { binding } "}" */
void parse_instance(struct parser *p, struct ast_decl *d) {
  d->kind = DECL_INSTANCE;
  d->name = expect_name(p, "the name of an instance");
  struct token open = p->cur;
  expect(p, TOKEN_LBRACE, "after the name of the instance");
  if (p->panic) return;
  VEC(struct ast_binding) bindings = {0};
  size_t errors_before = p->lang->diags.errors;
  while (more_items(p, &open, "this instance", begins_binding)) {
    uint32_t begin = p->cur.begin;
    struct ast_binding b;
    if (parse_binding(p, &b)) vec_push(&bindings, b);
    if (!p->panic) continue;
    if (p->cur.begin == begin) advance(p);
    sync_item(p);
  }
  close_block(p, &open);
  if (p->lang->diags.errors > errors_before) d->kind = DECL_ERROR; /* parts may be missing */
  d->as.instance.count = bindings.len;
  d->as.instance.bindings = arena_take_vec(&p->lang->arena, &bindings);
}
