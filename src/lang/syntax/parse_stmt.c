#include <string.h>

#include "base/limits.h"
#include "base/spell.h"
#include "lang/syntax/builtin.h"
#include "lang/syntax/foreign.h"
#include "lang/syntax/parse_internal.h"

static void parse_stmt(struct parser *p, struct stmt_list *out);

struct ast_stmt *new_stmt(struct parser *p, enum stmt_kind kind) {
  struct ast_stmt *s = arena_new(&p->lang->arena, struct ast_stmt);
  s->kind = kind;
  s->span = token_span(p, &p->cur);
  return s;
}

/* ---- blocks --------------------------------------------------------------------------------- */

/* `let x = e;` inside a body is a mistake of its own, unless it begins in the first column. */
static bool is_mistaken_let(const struct parser *p) {
  return at(p, TOKEN_LET) && !at_top_level_word(p);
}

struct ast_block parse_block_rest(struct parser *p, const struct token *open,
                                  struct stmt_list *first, const char *what) {
  struct stmt_list stmts = *first;
  *first = (struct stmt_list){0};
  while (more_items(p, open, what, is_mistaken_let))
    parse_stmt(p, &stmts);
  close_block(p, open);
  struct ast_block block = {.count = stmts.items.len, .span = span_from(p, open->begin)};
  block.stmts = arena_take_vec(&p->lang->arena, &stmts.items);
  return block;
}

static void hint_block(struct parser *p, const char *what) {
  if (at(p, TOKEN_THEN))
    diag_hint(&p->lang->diags, "`then` belongs to expressions; a statement is `if x { ... }`");
  else if (at(p, TOKEN_EQ) || at(p, TOKEN_ASSIGN))
    diag_hint(&p->lang->diags, "a condition compares with `=`");
  else if (at(p, TOKEN_NAME) && strcmp(p->cur.text, "do") == 0)
    diag_hint(&p->lang->diags, "leave out `do`: a loop is written `while c { ... }`");
  else
    diag_hint(&p->lang->diags, "the body of %s always has braces: `{ ... }`", what);
}

/* block = "{" { statement } "}" */
struct ast_block parse_block(struct parser *p, const char *what) {
  if (!p->panic && !at(p, TOKEN_LBRACE)) {
    if (fail(p, token_span(p, &p->cur), "expected-block",
             "expected `{` to begin the body of %s, found %s", what, describe(p, &p->cur)))
      hint_block(p, what);
  }
  if (p->panic && !sync_body(p)) return (struct ast_block){.span = span_from(p, p->prev.end)};
  struct token open = p->cur;
  struct stmt_list none = {0};
  if (!enter(p)) { /* step over the body, the error is reported */
    sync_item(p);
    return (struct ast_block){.span = span_from(p, open.begin)};
  }
  p->above++;
  advance(p);
  struct ast_block block = parse_block_rest(p, &open, &none, what);
  p->above--;
  leave(p);
  return block;
}

/* ---- assignment and sampling ---------------------------------------------------------------- */

/* target = name [ "[" expr "]" ] */
struct ast_target parse_target(struct parser *p) {
  struct ast_target target = {.name = expect_name(p, "a variable")};
  if (!p->panic && at(p, TOKEN_LBRACKET)) {
    struct token open = p->cur;
    advance(p);
    target.index = parse_expr(p);
    expect_close(p, TOKEN_RBRACKET, &open, false);
    if (!p->panic && at(p, TOKEN_LBRACKET) && fail_expected(p, "expected-token", "`:=` or `<$`"))
      diag_hint(&p->lang->diags, "only one index can be assigned at a time: assign a whole row");
  }
  return target;
}

static const char *nearest_distribution(const char *name) {
  struct spell_best best = {0};
  for (size_t i = 0; i < DIST_COUNT; i++)
    spell_consider(&best, name, dist_get(i)->name);
  for (enum dist_sugar id = SUGAR_NONE + 1; id < SUGAR_END; id++)
    spell_consider(&best, name, sugar_get(id)->name);
  return best.word;
}

static void hint_distributions(struct parser *p) {
  struct buffer names;
  buffer_init(&names);
  for (size_t i = 0; i < DIST_COUNT; i++)
    if (dist_find(dist_get(i)->name) == dist_get(i))
      buffer_printf(&names, "%s%s", i ? ", " : "", dist_get(i)->name);
  diag_hint(&p->lang->diags, "use one of %s; a procedure is called with `:=`", buffer_text(&names));
  buffer_clear(&names);
}

static const struct dist_info *find_distribution(struct parser *p, struct ast_name name) {
  const struct dist_info *info = dist_find(name.text);
  if (info || p->panic) return info;
  if (!complain(p, name.span, "unknown-distribution", "there is no distribution `%s`", name.text))
    return NULL;
  const char *near = nearest_distribution(name.text);
  const char *foreign = foreign_hint(FOREIGN_DISTRIBUTION, name.text);
  if (foreign)
    diag_hint(&p->lang->diags, "%s", foreign);
  else if (near)
    diag_hint(&p->lang->diags, "did you mean `%s`?", near);
  else
    hint_distributions(p);
  return NULL;
}

/* distribution = name "(" [ exprs ] ")" | "Uniform" "{" exprs "}" */
bool parse_distribution(struct parser *p, struct ast_dist *dist) {
  uint32_t begin = p->cur.begin;
  struct ast_name name = expect_name(p, "a distribution");
  const struct sugar_info *sugar = p->panic ? NULL : sugar_find(name.text);
  const struct dist_info *info = sugar ? dist_get(sugar->becomes) : find_distribution(p, name);
  dist->sugar = sugar ? sugar->id : SUGAR_NONE;
  struct token open = p->cur;
  struct expr_list args = {0};
  if (!p->panic && at(p, TOKEN_LBRACE)) {
    const struct dist_info *items = dist_find_items(name.text);
    if (info && !items &&
        complain(p, token_span(p, &p->cur), "expected-token", "expected `(` after `%s`, found `{`",
                 name.text))
      diag_hint(&p->lang->diags, "only `Uniform` takes a set: `Uniform{a, b}`");
    if (items) info = items;
    advance(p);
    parse_exprs(p, &args, TOKEN_RBRACE, &open, false);
  } else if (expect(p, TOKEN_LPAREN, "after the name of the distribution")) {
    parse_exprs(p, &args, TOKEN_RPAREN, &open,
                sugar ? sugar->id != SUGAR_CATEGORICAL : info == NULL);
  }
  dist->kind = info ? info->kind : DIST_LAPLACE;
  dist->args = take_exprs(p, &args, &dist->count);
  dist->span = span_from(p, begin);
  return info && !p->panic;
}

static void finish_assign(struct parser *p, struct ast_stmt *s, struct ast_target *targets,
                          size_t count) {
  s->kind = STMT_ASSIGN;
  s->as.assign.targets = arena_memdup(&p->lang->arena, targets, count * sizeof *targets);
  s->as.assign.count = count;
  s->as.assign.value = parse_expr(p);
  expect_semicolon(p, "this assignment");
}

static void finish_sample(struct parser *p, struct ast_stmt *s, struct ast_target target) {
  s->kind = STMT_SAMPLE;
  s->as.sample.target = target;
  bool known = parse_distribution(p, &s->as.sample.dist);
  expect_semicolon(p, "this sampling");
  if (!known) s->kind = STMT_ERROR;
}

/* Distributions are sampled with `<$`, so `x := Lap(...)` and `x ~ Lap(...)` show what is meant. */
static bool at_distribution(const struct parser *p) {
  return at(p, TOKEN_NAME) && p->next.kind == TOKEN_LPAREN &&
         (dist_find(p->cur.text) || sugar_find(p->cur.text));
}

enum meant { MEANT_NOTHING, MEANT_ASSIGN, MEANT_SAMPLE };

static enum meant wrong_operator(struct parser *p, unsigned tokens, enum meant meant) {
  struct span span = token_span(p, &p->cur);
  if (tokens == 2) span.end = p->next.end;
  for (unsigned i = 1; i < tokens; i++)
    advance(p);
  bool sample = meant == MEANT_SAMPLE || (p->next.kind == TOKEN_NAME && dist_find(p->next.text));
  const char *right = sample ? "<$" : ":=";
  if (complain(p, span, sample ? "sample-operator" : "assign-operator",
               "expected `%s`, found `%.*s`", right, (int)(span.end - span.begin),
               p->lexer.text + span.begin)) {
    if (sample)
      diag_hint(&p->lang->diags, "a sample is drawn with `x <$ Lap(centre, scale);`");
    else
      diag_hint(&p->lang->diags, "a variable is assigned with `x := e;`");
  }
  advance(p);
  return sample ? MEANT_SAMPLE : MEANT_ASSIGN;
}

static bool is_type_word(const struct token *t) {
  static const char *const words[] = {"bool", "int", "real", "float", "float32", "list", "option"};
  for (size_t i = 0; t->kind == TOKEN_NAME && i < sizeof words / sizeof *words; i++)
    if (strcmp(t->text, words[i]) == 0) return true;
  return false;
}

/* `y : real := e;`, as other languages declare variables. */
static enum meant declared_without_var(struct parser *p) {
  if (complain(p, token_span(p, &p->cur), "assign-operator", "expected `:=`, found `:`"))
    diag_hint(&p->lang->diags, "a variable with a type is declared with `var x : real := e;`");
  advance(p);
  parse_type(p);
  if (at(p, TOKEN_ASSIGN)) {
    advance(p);
    return MEANT_ASSIGN;
  }
  p->panic = true; /* it was reported */
  return MEANT_NOTHING;
}

/* Reads the operator between target and value, also in the spellings of other languages. */
static enum meant parse_operator(struct parser *p) {
  bool two = p->next.glued;
  switch (p->cur.kind) {
  case TOKEN_ASSIGN:
    advance(p);
    if (at_distribution(p) &&
        complain(p, token_span(p, &p->prev), "sample-operator", "expected `<$`, found `:=`")) {
      diag_hint(&p->lang->diags, "a sample is drawn with `x <$ %s(...);`", p->cur.text);
      return MEANT_SAMPLE;
    }
    return MEANT_ASSIGN;
  case TOKEN_SAMPLE: advance(p); return MEANT_SAMPLE;
  case TOKEN_COLON:
    if (is_type_word(&p->next)) return declared_without_var(p);
    return wrong_operator(p, 1, MEANT_ASSIGN);
  case TOKEN_EQ: return wrong_operator(p, 1, MEANT_ASSIGN);
  case TOKEN_TILDE: return wrong_operator(p, 1, MEANT_SAMPLE);
  case TOKEN_LT:
    if (two && p->next.kind == TOKEN_MINUS) return wrong_operator(p, 2, MEANT_ASSIGN);
    if (two && p->next.kind == TOKEN_TILDE) return wrong_operator(p, 2, MEANT_SAMPLE);
    return MEANT_NOTHING;
  default: return MEANT_NOTHING;
  }
}

/* What begins a declaration elsewhere: `const c = 1;`, `double y = 0;` */
static bool is_foreign_declaration(const char *word) {
  static const char *const words[] = {"const", "auto", "double", "float", "int", "real", "bool"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(words[i], word) == 0) return true;
  return false;
}

static void hint_operator(struct parser *p, struct ast_name name) {
  static const char *const keywords[] = {"skip", "var",  "if",     "else",  "while",
                                         "for",  "emit", "return", "oracle"};
  struct diags *diags = &p->lang->diags;
  const char *near = spell_nearest(name.text, keywords, sizeof keywords / sizeof *keywords);
  bool two = p->next.glued && p->next.kind == TOKEN_EQ;
  if (two && (at(p, TOKEN_PLUS) || at(p, TOKEN_MINUS) || at(p, TOKEN_STAR) || at(p, TOKEN_SLASH)))
    diag_hint(diags, "write `%s := %s %s ...;`", name.text, name.text,
              token_kind_text(p->cur.kind));
  else if (at(p, TOKEN_APPEND))
    diag_hint(diags, "write `%s := %s + 1;`", name.text, name.text);
  else if (at(p, TOKEN_DOT))
    diag_hint(diags, "there are no methods; a list grows by `%s := %s ++ [x];`", name.text,
              name.text);
  else if (at(p, TOKEN_NAME) && is_foreign_declaration(name.text))
    diag_hint(diags, "a variable is assigned with `%s := e;`, a first time as well", p->cur.text);
  else if (at(p, TOKEN_NAME) && near)
    diag_hint(diags, "did you mean `%s`?", near);
  else if (strcmp(name.text, "output") == 0)
    diag_hint(diags, "output is written `emit e;` or `return e;`");
  else
    diag_hint(diags,
              "statements that begin with a name are `x := e;`, `x <$ D(...);` and `f(...);`");
}

/* target ":=" expr ";" | target "<$" distribution ";" */
static void parse_assignment(struct parser *p, struct ast_stmt *s) {
  const char *foreign =
      p->next.kind == TOKEN_SEMICOLON ? foreign_hint(FOREIGN_STATEMENT, p->cur.text) : NULL;
  if (foreign) {
    if (fail(p, token_span(p, &p->cur), "expected-statement", "there is no statement `%s`",
             p->cur.text))
      diag_hint(&p->lang->diags, "%s", foreign);
    return;
  }
  struct ast_target target = parse_target(p);
  if (p->panic) return;
  enum meant meant = parse_operator(p);
  if (meant == MEANT_ASSIGN)
    finish_assign(p, s, &target, 1);
  else if (meant == MEANT_SAMPLE)
    finish_sample(p, s, target);
  else if (fail_expected(p, "expected-token",
                         target.index ? "`:=` or `<$`" : "`:=`, `<$` or `(` after the name"))
    hint_operator(p, target.name);
}

/* "(" target "," target { "," target } ")" ":=" expr ";" */
static void parse_tuple_assignment(struct parser *p, struct ast_stmt *s) {
  struct token open = p->cur;
  advance(p);
  VEC(struct ast_target) targets = {0};
  do
    vec_push(&targets, parse_target(p));
  while (!p->panic && accept(p, TOKEN_COMMA));
  expect_close(p, TOKEN_RPAREN, &open, true);
  if (!p->panic && targets.len == 1 &&
      complain(p, span_from(p, open.begin), "expected-token",
               "a tuple on the left has at least two variables"))
    diag_hint(&p->lang->diags, "leave the parentheses out");
  if (targets.len > LIMIT_TUPLE)
    complain(p, token_span(p, &open), "too-many-items",
             "%zu components of a tuple are beyond the limit of %d", targets.len, LIMIT_TUPLE);
  if (!p->panic) {
    enum meant meant = parse_operator(p);
    if (meant == MEANT_ASSIGN)
      finish_assign(p, s, targets.at, targets.len);
    else if (meant == MEANT_SAMPLE)
      fail(p, token_span(p, &p->prev), "sample-operator",
           "a sample is drawn into one variable, not into a tuple");
    else
      fail_expected(p, "expected-token", "`:=` after the variables");
  }
  vec_clear(&targets);
}

/* name "(" [ exprs ] ")" ";" */
static void parse_call_statement(struct parser *p, struct ast_stmt *s) {
  struct ast_name name = expect_name(p, "a procedure");
  struct token open = p->cur;
  advance(p);
  struct expr_list args = {0};
  parse_exprs(p, &args, TOKEN_RPAREN, &open, true);
  struct ast_expr *call = new_expr(p, EXPR_CALL, span_from(p, name.span.begin));
  call->as.call.callee = name;
  call->as.call.args = take_exprs(p, &args, &call->as.call.count);
  s->kind = STMT_CALL;
  s->as.call = call;
  if (!p->panic && call->as.call.count > LIMIT_ARGUMENTS)
    complain(p, call->span, "too-many-items", "%zu arguments are beyond the limit of %d",
             call->as.call.count, LIMIT_ARGUMENTS);
  if (!p->panic && at(p, TOKEN_LBRACE) && foreign_hint(FOREIGN_ELSE, name.text)) {
    if (fail(p, name.span, "expected-token", "expected `else if`, found `%s`", name.text))
      diag_hint(&p->lang->diags, "%s", foreign_hint(FOREIGN_ELSE, name.text));
    return;
  }
  expect_semicolon(p, "this call");
}

/* "var" name ":" type [ ":=" expr ] ";" */
static void parse_var(struct parser *p, struct ast_stmt *s) {
  advance(p);
  s->kind = STMT_VAR;
  s->as.var.var = new_var(p, VAR_LOCAL, expect_name(p, "the name of a variable"));
  if (!p->panic && at(p, TOKEN_COMMA) &&
      fail_expected(p, "expected-token", "`:` and a type after the name of the variable"))
    diag_hint(&p->lang->diags, "declare each variable by a `var` of its own");
  expect(p, TOKEN_COLON, "and a type after the name of the variable");
  s->as.var.var->declared = parse_type(p);
  if (p->panic) return;
  if (at(p, TOKEN_EQ)) {
    wrong_operator(p, 1, MEANT_ASSIGN);
    s->as.var.init = parse_expr(p);
  } else if (accept(p, TOKEN_ASSIGN)) {
    s->as.var.init = parse_expr(p);
  }
  expect_semicolon(p, "this declaration");
}

/* ---- control -------------------------------------------------------------------------------- */

/* `elif c {`: one word for two, and no statement about something of that name. */
static bool at_foreign_else_if(const struct parser *p) {
  enum token_kind next = p->next.kind;
  if (!at(p, TOKEN_NAME) || !foreign_hint(FOREIGN_ELSE, p->cur.text)) return false;
  return next != TOKEN_ASSIGN && next != TOKEN_SAMPLE && next != TOKEN_LBRACKET &&
         next != TOKEN_LPAREN;
}

static bool at_else_if(const struct parser *p) {
  return (at(p, TOKEN_ELSE) && p->next.kind == TOKEN_IF) || at_foreign_else_if(p);
}

/* `}; else`: one mistake, not two. */
static void skip_semicolon_before_else(struct parser *p) {
  if (p->panic || !at(p, TOKEN_SEMICOLON) || p->next.kind != TOKEN_ELSE) return;
  if (complain(p, token_span(p, &p->cur), "extra-semicolon", "this `;` ends nothing"))
    diag_hint(&p->lang->diags, "`else` follows directly on the `}` of its `if`; remove the `;`");
  advance(p);
}

/* expr block */
static void parse_branch(struct parser *p, struct ast_stmt *s) {
  s->kind = STMT_IF;
  advance(p); /* if */
  s->as.branch.cond = parse_expr(p);
  s->as.branch.then = parse_block(p, "`if`");
}

/* "if" expr block { "else" "if" expr block } [ "else" block ]
 * Read in a loop; each `else if` is nested in the one before, which LIMIT_AST_DEPTH bounds. */
static void parse_if(struct parser *p, struct ast_stmt *first) {
  unsigned above = p->above;
  struct ast_stmt *s = first;
  parse_branch(p, s);
  skip_semicolon_before_else(p);
  while (!p->panic && at_else_if(p)) {
    if (++p->above >= LIMIT_AST_DEPTH) {
      if (fail(p, token_span(p, &p->cur), "nesting-too-deep",
               "more than %d `else if` follow one another", LIMIT_AST_DEPTH))
        diag_note(&p->lang->diags, token_span(p, &p->prev), "the last one that was read");
      break;
    }
    if (at_foreign_else_if(p)) {
      if (complain(p, token_span(p, &p->cur), "expected-token", "expected `else if`, found `%s`",
                   p->cur.text))
        diag_hint(&p->lang->diags, "%s", foreign_hint(FOREIGN_ELSE, p->cur.text));
    } else {
      advance(p); /* else */
    }
    struct ast_stmt *inner = new_stmt(p, STMT_IF);
    s->as.branch.has_else = true;
    s->as.branch.otherwise.count = 1;
    s->as.branch.otherwise.stmts = arena_memdup(&p->lang->arena, &inner, sizeof inner);
    s = inner;
    parse_branch(p, s);
    skip_semicolon_before_else(p);
  }
  if (!p->panic && accept(p, TOKEN_ELSE)) {
    s->as.branch.has_else = true;
    s->as.branch.otherwise = parse_block(p, "`else`");
  }
  /* All of them end here; a block that stands for an `else if` covers it exactly. */
  for (s = first;;) {
    s->span = span_from(p, s->span.begin);
    if (s->as.branch.otherwise.span.file || !s->as.branch.has_else) break;
    struct ast_stmt *inner = s->as.branch.otherwise.stmts[0];
    s->as.branch.otherwise.span = span_from(p, inner->span.begin);
    s = inner;
  }
  p->above = above;
}

/* "while" expr block */
static void parse_while(struct parser *p, struct ast_stmt *s) {
  advance(p);
  s->kind = STMT_WHILE;
  s->as.loop.cond = parse_expr(p);
  s->as.loop.body = parse_block(p, "`while`");
}

/* `for (i = 0; i < n; i++)`: steps over the head. */
static void fail_foreign_for(struct parser *p) {
  if (fail(p, token_span(p, &p->cur), "expected-name",
           "expected the variable of the loop, found `(`"))
    diag_hint(&p->lang->diags, "a loop is written `for i in 0..n { ... }`; n itself is left out");
  while (!at(p, TOKEN_LBRACE) && !at(p, TOKEN_RBRACE) && !at(p, TOKEN_END) && !p->cur.starts_line)
    advance(p);
}

/* `for i in range(n)`, `range(m, n)`: reads the bounds out of the call. */
static bool take_foreign_range(struct parser *p, struct ast_stmt *s) {
  const struct ast_expr *e = s->as.range.low;
  const char *hint = e->kind == EXPR_CALL && e->as.call.count
                         ? foreign_hint(FOREIGN_BOUNDS, e->as.call.callee.text)
                         : NULL;
  if (!hint) return false;
  if (complain(p, e->as.call.callee.span, "expected-token",
               "expected the bounds of the loop, found `%s`", e->as.call.callee.text))
    diag_hint(&p->lang->diags, "%s", hint);
  s->as.range.high = e->as.call.args[e->as.call.count - 1];
  s->as.range.low = e->as.call.count > 1 ? e->as.call.args[0] : new_expr(p, EXPR_ERROR, e->span);
  return true;
}

/* "for" name "in" expr ".." expr block */
static void parse_for(struct parser *p, struct ast_stmt *s) {
  advance(p);
  s->kind = STMT_FOR;
  if (!p->panic && at(p, TOKEN_LPAREN)) fail_foreign_for(p);
  s->as.range.var = new_var(p, VAR_LOOP, expect_name(p, "the variable of the loop"));
  if (!p->panic && !at(p, TOKEN_IN)) {
    if (fail_expected(p, "expected-token", "`in` after the variable of the loop"))
      diag_hint(&p->lang->diags, "a loop is written `for i in 0..n { ... }`");
  }
  expect(p, TOKEN_IN, "after the variable of the loop");
  s->as.range.low = parse_expr(p);
  if (!p->panic && !at(p, TOKEN_DOTDOT) && take_foreign_range(p, s)) {
    s->as.range.body = parse_block(p, "`for`");
    return;
  }
  if (!p->panic && !at(p, TOKEN_DOTDOT)) {
    if (fail_expected(p, "expected-token", "`..` between the bounds of the loop"))
      diag_hint(&p->lang->diags, "a loop is written `for i in 0..n { ... }`; n itself is left out");
  }
  expect(p, TOKEN_DOTDOT, "between the bounds of the loop");
  s->as.range.high = parse_expr(p);
  s->as.range.body = parse_block(p, "`for`");
}

/* "break" ";" | "continue" ";" */
static void parse_jump(struct parser *p, struct ast_stmt *s) {
  s->kind = at(p, TOKEN_BREAK) ? STMT_BREAK : STMT_CONTINUE;
  advance(p);
  expect_semicolon(p, s->kind == STMT_BREAK ? "`break`" : "`continue`");
}

/* "emit" expr ";" | "return" [ expr ] ";" */
static void parse_output(struct parser *p, struct ast_stmt *s) {
  s->kind = at(p, TOKEN_EMIT) ? STMT_EMIT : STMT_RETURN;
  advance(p);
  bool bare =
      s->kind == STMT_RETURN && (at(p, TOKEN_SEMICOLON) || at(p, TOKEN_RBRACE) || at(p, TOKEN_END));
  if (!bare) s->as.value = parse_expr(p);
  if (!p->panic && at(p, TOKEN_COMMA) &&
      fail_expected(p, "missing-semicolon", "`;` after the value"))
    diag_hint(&p->lang->diags, "several values are one tuple: `(x, y)`");
  expect_semicolon(p, s->kind == STMT_EMIT ? "`emit`" : "`return`");
}

/* ---- statements ----------------------------------------------------------------------------- */

static void fail_statement(struct parser *p) {
  struct diags *diags = &p->lang->diags;
  enum token_kind kind = p->cur.kind;
  if (kind == TOKEN_SEMICOLON) {
    if (complain(p, token_span(p, &p->cur), "extra-semicolon", "this `;` ends nothing"))
      diag_hint(diags, p->prev.kind == TOKEN_RBRACE ? "no `;` follows a block; remove it"
                                                    : "remove it, or write `skip;`");
    advance(p);
    return;
  }
  if (!fail_expected(p, "expected-statement", "a statement")) return;
  if (kind == TOKEN_ELSE)
    diag_hint(diags, "`else` follows directly on the `}` of its `if`");
  else if (kind == TOKEN_LET)
    diag_hint(diags, "inside a body write `x := e;`");
  else if (kind == TOKEN_ORACLE)
    diag_hint(diags, "oracles stand at the top of a mechanism, before its statements");
  else if (kind == TOKEN_LBRACE)
    diag_hint(diags, "a block belongs to `if`, `else`, `while` or `for`");
  else if (token_is_word(kind))
    diag_hint(diags, "`%s` does not begin a statement", token_kind_text(kind));
}

/* statement = "skip" ";" | "break" ";" | "continue" ";" | "var" ... | target ... | "(" target ...
 *           | name "(" ... | "if" ... | "while" ... | "for" ... | "emit" ... | "return" ... */
static void parse_stmt(struct parser *p, struct stmt_list *out) {
  struct ast_stmt *s = new_stmt(p, STMT_ERROR);
  uint32_t begin = p->cur.begin;
  switch (p->cur.kind) {
  case TOKEN_SKIP:
    advance(p);
    s->kind = STMT_SKIP;
    expect_semicolon(p, "`skip`");
    break;
  case TOKEN_BREAK:
  case TOKEN_CONTINUE: parse_jump(p, s); break;
  case TOKEN_VAR: parse_var(p, s); break;
  case TOKEN_IF: parse_if(p, s); break;
  case TOKEN_WHILE: parse_while(p, s); break;
  case TOKEN_FOR: parse_for(p, s); break;
  case TOKEN_EMIT:
  case TOKEN_RETURN: parse_output(p, s); break;
  case TOKEN_LPAREN: parse_tuple_assignment(p, s); break;
  case TOKEN_NAME:
    if (p->next.kind == TOKEN_LPAREN)
      parse_call_statement(p, s);
    else
      parse_assignment(p, s);
    break;
  default: fail_statement(p);
  }
  if (p->panic) {
    s->kind = STMT_ERROR;
    if (p->cur.begin == begin && !at(p, TOKEN_LBRACE)) advance(p); /* always go on */
    sync_item(p);
  }
  s->span = span_from(p, begin);
  vec_push(&out->items, s);
}
