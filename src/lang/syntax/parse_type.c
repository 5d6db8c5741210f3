#include <string.h>

#include "base/limits.h"
#include "base/spell.h"
#include "lang/syntax/foreign.h"
#include "lang/syntax/parse_internal.h"

static struct ast_type *new_type(struct parser *p, enum type_kind kind, struct span span) {
  struct ast_type *t = arena_new(&p->lang->arena, struct ast_type);
  t->kind = kind;
  t->span = span;
  return t;
}

static void set_items(struct parser *p, struct ast_type *t, struct ast_type **items, size_t count) {
  t->items = arena_memdup(&p->lang->arena, items, count * sizeof *items);
  t->count = count;
}

/* "bool" | "int" | "real" | "float" | "float32" | name | ( "list" | "option" ) "(" type ")" */
static struct ast_type *parse_named_type(struct parser *p) {
  struct ast_type *t = new_type(p, TYPE_ABSTRACT, token_span(p, &p->cur));
  t->name = expect_name(p, "a type");
  if (p->panic) {
    t->kind = TYPE_ERROR;
    return t;
  }
  const char *text = t->name.text;
  if (strcmp(text, "bool") == 0) t->kind = TYPE_BOOL;
  if (strcmp(text, "int") == 0) t->kind = TYPE_INT;
  if (strcmp(text, "real") == 0) t->kind = TYPE_REAL;
  if (strcmp(text, "float") == 0) t->kind = TYPE_FLOAT;
  if (strcmp(text, "float32") == 0) t->kind = TYPE_FLOAT32;
  const char *foreign = at(p, TOKEN_LPAREN) ? foreign_hint(FOREIGN_TYPE, text) : NULL;
  if (foreign) {
    if (fail(p, t->name.span, "expected-type", "there is no type called `%s`", text))
      diag_hint(&p->lang->diags, "%s", foreign);
    t->kind = TYPE_ERROR;
    return t;
  }
  t->is_option = strcmp(text, "option") == 0 && at(p, TOKEN_LPAREN);
  if (t->is_option || (strcmp(text, "list") == 0 && at(p, TOKEN_LPAREN))) {
    struct token open = p->cur;
    advance(p);
    t->kind = t->is_option ? TYPE_TUPLE : TYPE_LIST;
    struct ast_type *items[] = {new_type(p, TYPE_BOOL, t->name.span), parse_type(p)};
    set_items(p, t, t->is_option ? items : items + 1, t->is_option ? 2 : 1);
    expect_close(p, TOKEN_RPAREN, &open, false);
    t->span = span_from(p, t->span.begin);
  }
  return t;
}

/* "(" type "," type { "," type } ")" */
static struct ast_type *parse_tuple_type(struct parser *p) {
  struct token open = p->cur;
  advance(p);
  VEC(struct ast_type *) items = {0};
  do
    vec_push(&items, parse_type(p));
  while (!p->panic && accept(p, TOKEN_COMMA));
  expect_close(p, TOKEN_RPAREN, &open, true);
  struct ast_type *t = new_type(p, TYPE_TUPLE, span_from(p, open.begin));
  set_items(p, t, items.at, items.len);
  vec_clear(&items);
  if (t->count == 1) {
    if (complain(p, t->span, "expected-type", "a tuple type has at least two components"))
      diag_hint(&p->lang->diags, "leave the parentheses out");
    t->kind = TYPE_ERROR;
  } else if (t->count > LIMIT_TUPLE) {
    complain(p, t->span, "too-many-items", "%zu components of a tuple are beyond the limit of %d",
             t->count, LIMIT_TUPLE);
  }
  return t;
}

/* { "[" [ expr ] "]" }: the first pair is the outermost array. */
static struct ast_type *parse_array_suffixes(struct parser *p, struct ast_type *base) {
  uint32_t begin = base->span.begin;
  struct expr_list lengths = {0};
  while (!p->panic && at(p, TOKEN_LBRACKET)) {
    struct token open = p->cur;
    if (lengths.items.len >= LIMIT_TUPLE) {
      fail(p, token_span(p, &p->cur), "nesting-too-deep", "an array has at most %d dimensions",
           LIMIT_TUPLE);
      break;
    }
    advance(p);
    vec_push(&lengths.items, at(p, TOKEN_RBRACKET) ? NULL : parse_expr(p));
    expect_close(p, TOKEN_RBRACKET, &open, false);
  }
  struct ast_type *t = base;
  for (size_t i = lengths.items.len; i-- > 0;) {
    struct ast_type *outer = new_type(p, TYPE_ARRAY, span_from(p, begin));
    set_items(p, outer, &t, 1);
    outer->length = lengths.items.at[i];
    t = outer;
  }
  vec_clear(&lengths.items);
  return t;
}

/* type = ( "bool" | "int" | "real" | "float" | "float32" | name | ( "list" | "option" ) "(" type ")"
 *        | "(" type "," type ... ")" ) { "[" [ expr ] "]" } */
struct ast_type *parse_type(struct parser *p) {
  if (p->panic || !enter(p)) return new_type(p, TYPE_ERROR, token_span(p, &p->cur));
  struct ast_type *t;
  if (at(p, TOKEN_LPAREN)) {
    t = parse_tuple_type(p);
  } else if (at(p, TOKEN_NAME)) {
    t = parse_named_type(p);
  } else {
    t = new_type(p, TYPE_ERROR, token_span(p, &p->cur));
    if (fail_expected(p, "expected-type", "a type"))
      diag_hint(&p->lang->diags, "types are bool, int, real, float, list(T), option(T), (T, U), "
                                 "T[n] and names declared by "
                                 "`type`");
  }
  t = parse_array_suffixes(p, t);
  leave(p);
  return t;
}

struct ast_var *new_var(struct parser *p, enum var_role role, struct ast_name name) {
  struct ast_var *v = arena_new(&p->lang->arena, struct ast_var);
  v->role = role;
  v->name = name;
  return v;
}

void parse_names(struct parser *p, struct name_list *out, const char *what) {
  do
    vec_push(&out->items, expect_name(p, what));
  while (!p->panic && accept(p, TOKEN_COMMA));
}

/* `private` and `public` are words of an argument only when the argument's name follows. */
static bool accept_modifier(struct parser *p, bool *is_private) {
  if (p->next.kind != TOKEN_NAME) return false;
  *is_private = at_word(p, "private");
  return accept_word(p, "private") || accept_word(p, "public");
}

/* arg = [ "private" | "public" ] name { "," name } ":" type */
static void parse_arg(struct parser *p, enum var_role role, struct var_list *out) {
  uint32_t begin = p->cur.begin;
  bool is_private = false;
  bool modified = accept_modifier(p, &is_private);
  if (modified && role != VAR_INPUT)
    if (complain(p, span_from(p, begin), "misplaced-modifier",
                 "only arguments of mechanisms are private or public"))
      diag_hint(&p->lang->diags, "remove `%s`", is_private ? "private" : "public");
  struct name_list names = {0};
  parse_names(p, &names, "the name of an argument");
  if (!p->panic && !at(p, TOKEN_COLON) &&
      fail_expected(p, "expected-type", "`:` and a type after the name of the argument"))
    diag_hint(&p->lang->diags, "every argument has a type: `q : real[n], T : real`");
  expect(p, TOKEN_COLON, "after the name of the argument");
  if (!p->panic && role == VAR_INPUT && (at_word(p, "private") || at_word(p, "public")) &&
      p->next.kind == TOKEN_NAME &&
      complain(p, token_span(p, &p->cur), "misplaced-modifier",
               "`%s` stands before the name of an argument, not before its type", p->cur.text)) {
    diag_hint(&p->lang->diags, "write `%s %s : ...`", p->cur.text, names.items.at[0].text);
    is_private |= at_word(p, "private");
    advance(p);
  }
  struct ast_type *type = parse_type(p);
  for (size_t i = 0; i < names.items.len; i++) {
    struct ast_var *v = new_var(p, role, names.items.at[i]);
    v->declared = type;
    v->is_private = is_private && role == VAR_INPUT;
    v->says_public = modified && !is_private && role == VAR_INPUT;
    vec_push(&out->items, v);
  }
  vec_clear(&names.items);
}

static struct ast_var **take_args(struct parser *p, struct var_list *list, const struct token *open,
                                  size_t *count) {
  expect_close(p, TOKEN_RPAREN, open, true);
  *count = list->items.len;
  if (*count > LIMIT_ARGUMENTS)
    complain(p, token_span(p, open), "too-many-items", "%zu arguments are beyond the limit of %d",
             *count, LIMIT_ARGUMENTS);
  return arena_take_vec(&p->lang->arena, &list->items);
}

struct ast_var **parse_args(struct parser *p, enum var_role role, size_t *count) {
  struct token open = p->cur;
  struct var_list list = {0};
  if (expect(p, TOKEN_LPAREN, "before the arguments") && !at(p, TOKEN_RPAREN)) {
    do
      parse_arg(p, role, &list);
    while (!p->panic && accept(p, TOKEN_COMMA));
  }
  return take_args(p, &list, &open, count);
}

struct ast_var **parse_bare_args(struct parser *p, enum var_role role, size_t *count) {
  struct token open = p->cur;
  struct var_list list = {0};
  if (expect(p, TOKEN_LPAREN, "before the arguments") && !at(p, TOKEN_RPAREN)) {
    do
      vec_push(&list.items, new_var(p, role, expect_name(p, "the name of an argument")));
    while (!p->panic && accept(p, TOKEN_COMMA));
    if (!p->panic && at(p, TOKEN_COLON) && fail_expected(p, "expected-token", "`,` or `)`"))
      diag_hint(&p->lang->diags, "here the types come from the declaration; write only the names");
  }
  return take_args(p, &list, &open, count);
}
