#include <string.h>

#include "base/limits.h"
#include "lang/syntax/builtin.h"
#include "lang/syntax/parse_internal.h"

struct operator{
  enum level level; /* LEVEL_EXPR: not a binary operator */
  enum binary_op op;
};

static struct operator operator_of(enum binary_op op) {
  return (struct operator){binary_op_level(op), op};
}

/* `^` is not among them: it binds more tightly than a sign. */
static struct operator binary_operator(enum token_kind kind) {
  switch (kind) {
  case TOKEN_IFF: return operator_of(BINARY_IFF);
  case TOKEN_ARROW: return operator_of(BINARY_IMPLIES);
  case TOKEN_OR: return operator_of(BINARY_OR);
  case TOKEN_AND: return operator_of(BINARY_AND);
  case TOKEN_EQ: return operator_of(BINARY_EQ);
  case TOKEN_NE: return operator_of(BINARY_NE);
  case TOKEN_LT: return operator_of(BINARY_LT);
  case TOKEN_LE: return operator_of(BINARY_LE);
  case TOKEN_GT: return operator_of(BINARY_GT);
  case TOKEN_GE: return operator_of(BINARY_GE);
  case TOKEN_APPEND: return operator_of(BINARY_APPEND);
  case TOKEN_CONS: return operator_of(BINARY_CONS);
  case TOKEN_PLUS: return operator_of(BINARY_ADD);
  case TOKEN_MINUS: return operator_of(BINARY_SUB);
  case TOKEN_STAR: return operator_of(BINARY_MUL);
  case TOKEN_SLASH: return operator_of(BINARY_DIV);
  case TOKEN_DIV: return operator_of(BINARY_IDIV);
  case TOKEN_MOD: return operator_of(BINARY_MOD);
  default: return (struct operator){0};
  }
}

/* ---- nodes ---------------------------------------------------------------------------------- */

struct ast_expr *new_expr(struct parser *p, enum expr_kind kind, struct span span) {
  struct ast_expr *e = arena_new(&p->lang->arena, struct ast_expr);
  e->kind = kind;
  e->span = span;
  return e;
}

struct ast_expr **take_exprs(struct parser *p, struct expr_list *list, size_t *count) {
  *count = list->items.len;
  return arena_take_vec(&p->lang->arena, &list->items);
}

static struct ast_expr *error_expr(struct parser *p) {
  p->height = 1;
  return new_expr(p, EXPR_ERROR, token_span(p, &p->cur));
}

/* The expression just built is one higher than its highest part. */
static void grow(struct parser *p, const struct ast_expr *e, unsigned highest_part) {
  p->height = highest_part + 1;
  if (p->height + p->above <= LIMIT_AST_DEPTH) return;
  if (fail(p, e->span, "expression-too-deep",
           "this expression has more than %d operators inside one another", LIMIT_AST_DEPTH))
    diag_hint(&p->lang->diags, "split it: name parts of it with `let` or in variables");
}

static unsigned higher(unsigned a, unsigned b) {
  return a > b ? a : b;
}

static struct ast_expr *new_binary(struct parser *p, enum binary_op op, struct ast_expr *left,
                                   unsigned left_height, struct ast_expr *right) {
  struct ast_expr *e = new_expr(p, EXPR_BINARY, span_join(left->span, right->span));
  e->as.binary.op = op;
  e->as.binary.left = left;
  e->as.binary.right = right;
  grow(p, e, higher(left_height, p->height));
  return e;
}

/* ---- primary -------------------------------------------------------------------------------- */

/* The exact value of digits [ "." digits ] [ "e" [ sign ] digits ]; limits checked by the lexer. */
static void set_number(fmpq *value, const char *text, bool *is_decimal) {
  char digits[LIMIT_NUMBER_DIGITS + 1];
  size_t count = 0;
  long scale = 0;
  *is_decimal = false;
  for (; *text && *text != 'e' && *text != 'E'; text++) {
    if (*text == '.') {
      *is_decimal = true;
      continue;
    }
    digits[count++] = *text;
    scale -= *is_decimal;
  }
  if (scale == 0 && !*text && count <= 18) { /* fits a word: nearly all of them */
    ulong small = 0;
    for (size_t i = 0; i < count; i++)
      small = small * 10 + (ulong)(digits[i] - '0');
    fmpz_set_ui(fmpq_numref(value), small);
    return;
  }
  digits[count] = '\0';
  if (*text) {
    *is_decimal = true;
    scale += strtol(text + 1, NULL, 10);
  }
  fmpz_set_str(fmpq_numref(value), digits, 10);
  if (scale == 0) return;
  fmpz_t power;
  fmpz_init(power);
  fmpz_set_ui(power, 10);
  fmpz_pow_ui(power, power, (ulong)(scale < 0 ? -scale : scale));
  if (scale > 0)
    fmpq_mul_fmpz(value, value, power);
  else
    fmpq_div_fmpz(value, value, power);
  fmpz_clear(power);
}

static struct ast_expr *parse_number(struct parser *p) {
  const char *text = p->cur.text;
  if (!text) { /* reported by the lexer */
    struct ast_expr *bad = error_expr(p);
    advance(p);
    return bad;
  }
  struct ast_expr *e = new_expr(p, EXPR_NUMBER, token_span(p, &p->cur));
  e->as.number.value = arena_new(&p->lang->arena, fmpq);
  fmpq_init(e->as.number.value);
  vec_push(&p->lang->numbers, e->as.number.value);
  e->as.number.text = text;
  set_number(e->as.number.value, text, &e->as.number.is_decimal);
  p->height = 1;
  advance(p);
  return e;
}

void parse_exprs(struct parser *p, struct expr_list *out, enum token_kind close,
                 const struct token *open, bool may_be_empty) {
  unsigned highest = 0;
  if (!(may_be_empty && at(p, close))) {
    do {
      vec_push(&out->items, parse_expr(p));
      highest = higher(highest, p->height);
    } while (!p->panic && accept(p, TOKEN_COMMA));
  }
  expect_close(p, close, open, true);
  p->height = highest;
}

static void check_count(struct parser *p, const struct ast_expr *e, size_t count, size_t limit,
                        const char *what) {
  if (count > limit)
    complain(p, e->span, "too-many-items", "%zu %s are beyond the limit of %zu", count, what,
             limit);
}

/* name | name "(" [ exprs ] ")" */
static struct ast_expr *parse_name_or_call(struct parser *p) {
  struct ast_name name = expect_name(p, "a name");
  if (!at(p, TOKEN_LPAREN)) {
    struct ast_expr *e = new_expr(p, EXPR_NAME, name.span);
    e->as.name.text = name.text;
    p->height = 1;
    return e;
  }
  struct token open = p->cur;
  advance(p);
  struct ast_expr *e = new_expr(p, EXPR_CALL, name.span);
  struct expr_list args = {0};
  parse_exprs(p, &args, TOKEN_RPAREN, &open, true);
  e->span = span_from(p, name.span.begin);
  e->as.call.callee = name;
  e->as.call.args = take_exprs(p, &args, &e->as.call.count);
  check_count(p, e, e->as.call.count, LIMIT_ARGUMENTS, "arguments");
  grow(p, e, p->height);
  return e;
}

/* "(" expr ")" | "(" expr "," exprs ")"; the span of an expression has its parentheses. */
static struct ast_expr *parse_parenthesis(struct parser *p) {
  struct token open = p->cur;
  advance(p);
  struct expr_list items = {0};
  parse_exprs(p, &items, TOKEN_RPAREN, &open, false);
  struct ast_expr *e = items.items.at[0];
  if (items.items.len == 1) {
    e->span = span_from(p, open.begin);
    vec_clear(&items.items);
    return e;
  }
  e = new_expr(p, EXPR_TUPLE, span_from(p, open.begin));
  e->as.list.items = take_exprs(p, &items, &e->as.list.count);
  check_count(p, e, e->as.list.count, LIMIT_TUPLE, "components of a tuple");
  grow(p, e, p->height);
  return e;
}

/* "[" [ exprs ] "]" */
static struct ast_expr *parse_list(struct parser *p) {
  struct token open = p->cur;
  advance(p);
  struct expr_list items = {0};
  parse_exprs(p, &items, TOKEN_RBRACKET, &open, true);
  struct ast_expr *e = new_expr(p, EXPR_LIST, span_from(p, open.begin));
  e->as.list.items = take_exprs(p, &items, &e->as.list.count);
  grow(p, e, p->height);
  return e;
}

/* Tokens after which only a value can stand; behind an operator a `{` may begin a body. */
static bool value_follows(enum token_kind kind) {
  return kind == TOKEN_ASSIGN || kind == TOKEN_RETURN || kind == TOKEN_EMIT ||
         kind == TOKEN_LPAREN || kind == TOKEN_COMMA;
}

static struct ast_expr *fail_operand(struct parser *p) {
  struct diags *diags = &p->lang->diags;
  enum token_kind kind = p->cur.kind;
  struct ast_expr *e = error_expr(p);
  if (token_is_word(kind) && kind != TOKEN_IF && kind != TOKEN_FORALL && kind != TOKEN_EXISTS &&
      kind != TOKEN_NOT) {
    if (fail(p, e->span, "expected-expression",
             "expected an expression, found the reserved word `%s`", token_kind_text(kind)))
      diag_hint(diags, "`%s` cannot be used as a name", token_kind_text(kind));
    return e;
  }
  if (!fail_expected(p, "expected-expression", "an expression")) return e;
  if (kind == TOKEN_PLUS)
    diag_hint(diags, "there is no unary `+`; leave it out");
  else if (kind == TOKEN_QUESTION)
    diag_hint(diags,
              "`?` stands only for a whole epsilon, rho or mu, for a definition, and in claims of "
              "accuracy; a delta is given: `delta 1/1000`");
  else if (kind == TOKEN_STRING)
    diag_hint(diags, "strings stand only in `include`");
  else if ((kind == TOKEN_ASSIGN || kind == TOKEN_SAMPLE) && token_is_word(p->prev.kind))
    diag_hint(diags, "`%s` is a reserved word; choose another name", token_kind_text(p->prev.kind));
  else if (kind == TOKEN_LBRACE && value_follows(p->prev.kind))
    diag_hint(diags, "lists are written `[a, b]`, sets only in `Uniform{a, b}`");
  else if (kind == TOKEN_GT && p->prev.kind == TOKEN_LT && p->cur.glued)
    diag_hint(diags, "`not equal` is written `!=`");
  else if (kind == TOKEN_EQ && p->prev.kind == TOKEN_SLASH && p->cur.glued)
    diag_hint(diags, "`not equal` is written `!=`");
  else
    diag_hint(diags, "a value is missing here: a number, a name, or a term in parentheses");
  return e;
}

/* primary = NUMBER | "true" | "false" | name | name "(" [ exprs ] ")"
 *         | "(" expr ")" | "(" expr "," exprs ")" | "[" [ exprs ] "]" */
static struct ast_expr *parse_sum(struct parser *p);

/* Two names in a row are nothing else; a variable may be called so. */
static bool at_sum(const struct parser *p) {
  return p->cur.kind == TOKEN_NAME && p->next.kind == TOKEN_NAME && strcmp(p->cur.text, "sum") == 0;
}

struct ast_expr *parse_hole(struct parser *p) {
  struct ast_expr *e = new_expr(p, EXPR_HOLE, token_span(p, &p->cur));
  if (!p->hole) p->hole = e;
  p->height = 1;
  advance(p);
  return e;
}

static struct ast_expr *parse_primary(struct parser *p) {
  if (p->panic) return error_expr(p);
  if (p->may_ask && at(p, TOKEN_QUESTION)) return parse_hole(p);
  switch (p->cur.kind) {
  case TOKEN_NUMBER: return parse_number(p);
  case TOKEN_NAME: return at_sum(p) ? parse_sum(p) : parse_name_or_call(p);
  case TOKEN_LPAREN: return parse_parenthesis(p);
  case TOKEN_LBRACKET: return parse_list(p);
  case TOKEN_TRUE:
  case TOKEN_FALSE: {
    struct ast_expr *e = new_expr(p, EXPR_BOOL, token_span(p, &p->cur));
    e->as.boolean = at(p, TOKEN_TRUE);
    p->height = 1;
    advance(p);
    return e;
  }
  default: return fail_operand(p);
  }
}

/* ---- postfix, power, unary ------------------------------------------------------------------ */

/* Is this `<` the beginning of a run tag written with spaces: x <1>, x < 2 >? */
static bool at_spaced_tag(const struct parser *p) {
  if (!at(p, TOKEN_LT) || p->next.kind != TOKEN_NUMBER || !p->next.text) return false;
  if (strcmp(p->next.text, "1") != 0 && strcmp(p->next.text, "2") != 0) return false;
  const char *s = p->lexer.text + p->next.end;
  while (*s == ' ' || *s == '\t')
    s++;
  return *s == '>' && s[1] != '=';
}

static struct ast_expr *new_tag(struct parser *p, struct ast_expr *operand, int run) {
  struct ast_expr *e = new_expr(p, EXPR_TAG, span_from(p, operand->span.begin));
  e->as.tag.operand = operand;
  e->as.tag.run = run;
  return e;
}

static struct ast_expr *parse_spaced_tag(struct parser *p, struct ast_expr *operand) {
  struct span whole = {p->lexer.file, p->cur.begin, p->next.end + 1};
  while (p->lexer.text[whole.end - 1] != '>')
    whole.end++;
  char run = p->next.text[0];
  if (complain(p, whole, "run-tag-space", "the run tag `<%c>` must follow its operand directly",
               run))
    diag_hint(&p->lang->diags, "write `x<%c>`, without a space", run);
  advance(p); /* < */
  advance(p); /* 1 */
  advance(p); /* > */
  return new_tag(p, operand, run - '0');
}

static struct ast_expr *parse_index(struct parser *p, struct ast_expr *base) {
  unsigned base_height = p->height;
  struct token open = p->cur;
  advance(p);
  struct ast_expr *e = new_expr(p, EXPR_INDEX, base->span);
  e->as.index.base = base;
  e->as.index.index = parse_expr(p);
  if (!p->panic && at(p, TOKEN_COMMA)) {
    if (fail_expected(p, "expected-token", "`]` after the index"))
      diag_hint(&p->lang->diags, "write one index in each pair of brackets: `a[i][j]`");
  }
  expect_close(p, TOKEN_RBRACKET, &open, false);
  e->span = span_from(p, base->span.begin);
  grow(p, e, higher(base_height, p->height));
  return e;
}

static struct ast_expr *parse_projection(struct parser *p, struct ast_expr *base) {
  const char *digits = p->lexer.text + p->cur.begin + 1;
  unsigned item = 0;
  for (uint32_t i = 0; i + 1 < p->cur.end - p->cur.begin && item <= LIMIT_TUPLE; i++)
    item = item * 10 + (unsigned)(digits[i] - '0');
  if (item == 0 || item > LIMIT_TUPLE)
    if (complain(p, token_span(p, &p->cur), "bad-projection",
                 "%s is no component of a tuple: they are .1 to .%d", describe(p, &p->cur),
                 LIMIT_TUPLE))
      diag_hint(&p->lang->diags,
                "the first component is `.1`; the point of a `forall` has a space behind it");
  advance(p);
  bool valid = item > 0 && item <= LIMIT_TUPLE;
  struct ast_expr *e = new_expr(p, valid ? EXPR_PROJ : EXPR_ERROR, span_from(p, base->span.begin));
  e->as.proj.base = base;
  e->as.proj.item = item;
  grow(p, e, p->height);
  return e;
}

/* postfix = primary { "[" expr "]" | "." DIGITS | "<1>" | "<2>" } */
static struct ast_expr *parse_postfix(struct parser *p) {
  struct ast_expr *e = parse_primary(p);
  while (!p->panic) {
    if (at(p, TOKEN_LBRACKET)) {
      e = parse_index(p, e);
    } else if (at(p, TOKEN_PROJ)) {
      e = parse_projection(p, e);
    } else if (at(p, TOKEN_TAG)) {
      int run = p->lexer.text[p->cur.begin + 1] - '0';
      advance(p);
      e = new_tag(p, e, run);
      grow(p, e, p->height);
    } else if (at_spaced_tag(p)) {
      e = parse_spaced_tag(p, e);
      grow(p, e, p->height);
    } else {
      break;
    }
  }
  return e;
}

static struct ast_expr *parse_unary(struct parser *p);

static struct ast_expr *parse_nested_unary(struct parser *p) {
  if (!enter(p)) return error_expr(p);
  struct ast_expr *e = parse_unary(p);
  leave(p);
  return e;
}

/* unary = "-" unary | power
 * power = postfix [ "^" unary ] */
static struct ast_expr *parse_unary(struct parser *p) {
  if (p->panic) return error_expr(p);
  if (at(p, TOKEN_MINUS)) {
    uint32_t begin = p->cur.begin;
    advance(p);
    struct ast_expr *operand = parse_nested_unary(p);
    struct ast_expr *e = new_expr(p, EXPR_UNARY, span_from(p, begin));
    e->as.unary.op = UNARY_NEG;
    e->as.unary.operand = operand;
    grow(p, e, p->height);
    return e;
  }
  struct ast_expr *base = parse_postfix(p);
  if (p->panic || !at(p, TOKEN_CARET)) return base;
  unsigned base_height = p->height;
  advance(p);
  return new_binary(p, BINARY_POW, base, base_height, parse_nested_unary(p));
}

/* ---- binary operators ----------------------------------------------------------------------- */

static struct ast_expr *parse_level(struct parser *p, enum level weakest);

static bool points_up(enum binary_op op) {
  return op == BINARY_LT || op == BINARY_LE;
}
static bool points_down(enum binary_op op) {
  return op == BINARY_GT || op == BINARY_GE;
}

/* comparison = append { ( "=" | "!=" | "<" | "<=" | ">" | ">=" ) append }; behind its first append.
 * In a chain `<` and `>` may not both occur: a < b > c says nothing about a and c. */
static struct ast_expr *parse_comparison(struct parser *p, struct ast_expr *first) {
  struct expr_list operands = {0};
  VEC(enum binary_op) ops = {0};
  unsigned highest = p->height;
  vec_push(&operands.items, first);
  bool up = false, down = false, told = false;
  struct operator o;
  while (!p->panic && (o = binary_operator(p->cur.kind)).level == LEVEL_COMPARISON) {
    up |= points_up(o.op);
    down |= points_down(o.op);
    if (up && down && !told) {
      told = true;
      if (complain(p, token_span(p, &p->cur), "mixed-comparison",
                   "`%s` turns the direction of this chain of comparisons",
                   token_kind_text(p->cur.kind)))
        diag_hint(&p->lang->diags, "write two comparisons joined by `and`");
    }
    advance(p);
    vec_push(&ops, o.op);
    vec_push(&operands.items, parse_level(p, LEVEL_APPEND));
    highest = higher(highest, p->height);
  }
  struct ast_expr *e;
  if (ops.len == 1) {
    p->height = highest;
    e = new_binary(p, ops.at[0], first, highest, operands.items.at[1]);
    vec_clear(&operands.items);
    vec_clear(&ops);
    return e;
  }
  e = new_expr(p, EXPR_CHAIN, span_join(first->span, vec_last(&operands.items)->span));
  e->as.chain.ops = arena_take_vec(&p->lang->arena, &ops);
  e->as.chain.operands = take_exprs(p, &operands, &e->as.chain.count);
  grow(p, e, highest);
  return e;
}

/* `forall`, `exists`, `if` and `not` bind weaker than the operator before them. */
static struct ast_expr *parse_unparenthesised(struct parser *p) {
  if (complain(p, token_span(p, &p->cur), "needs-parentheses",
               "`%s` must be in parentheses when it is an operand", token_kind_text(p->cur.kind)))
    diag_hint(&p->lang->diags, "write `(%s ...)`", token_kind_text(p->cur.kind));
  return parse_expr(p);
}

/* not = "not" not | comparison; and everything that binds stronger. */
static struct ast_expr *parse_operand(struct parser *p, enum level weakest) {
  if (p->panic) return error_expr(p);
  switch (p->cur.kind) {
  case TOKEN_IF:
  case TOKEN_FORALL:
  case TOKEN_EXISTS: return parse_unparenthesised(p);
  case TOKEN_NOT: break;
  default: return parse_unary(p);
  }
  if (weakest > LEVEL_NOT) return parse_unparenthesised(p);
  if (!enter(p)) return error_expr(p);
  uint32_t begin = p->cur.begin;
  advance(p);
  struct ast_expr *operand = parse_level(p, LEVEL_NOT);
  struct ast_expr *e = new_expr(p, EXPR_UNARY, span_from(p, begin));
  e->as.unary.op = UNARY_NOT;
  e->as.unary.operand = operand;
  grow(p, e, p->height);
  leave(p);
  return e;
}

/* The part of an expression whose operators bind at least as strong as `weakest`:
 *
 *   iff     = implies { "<->" implies }     append  = cons { "++" cons }
 *   implies = or [ "->" implies ]           cons    = sum [ "::" cons ]
 *   or      = and { "or" and }              sum     = product { ( "+" | "-" ) product }
 *   and     = not { "and" not }             product = unary { ( "*" | "/" | "div" | "mod" ) unary }
 *
 * Operators that associate to the left are read in a loop: only brackets, prefix and right
 * associative operators recurse, and they count as nesting. */
static struct ast_expr *parse_level(struct parser *p, enum level weakest) {
  struct ast_expr *left = parse_operand(p, weakest);
  struct operator o;
  while (!p->panic && (o = binary_operator(p->cur.kind)).level >= weakest && o.level) {
    if (o.level == LEVEL_COMPARISON) {
      left = parse_comparison(p, left);
      continue;
    }
    unsigned left_height = p->height;
    advance(p);
    bool to_the_right = o.level == LEVEL_IMPLIES || o.level == LEVEL_CONS;
    struct ast_expr *right;
    if (!to_the_right) {
      right = parse_level(p, o.level + 1);
    } else if (enter(p)) {
      right = parse_level(p, o.level);
      leave(p);
    } else {
      right = error_expr(p);
    }
    left = new_binary(p, o.op, left, left_height, right);
  }
  return left;
}

/* ---- expr ----------------------------------------------------------------------------------- */

/* "if" expr "then" expr "else" expr */
static struct ast_expr *parse_conditional(struct parser *p) {
  uint32_t begin = p->cur.begin;
  advance(p);
  struct ast_expr *e = new_expr(p, EXPR_IF, token_span(p, &p->prev));
  e->as.cond.cond = parse_expr(p);
  unsigned highest = p->height;
  expect(p, TOKEN_THEN, "after the condition");
  e->as.cond.then = parse_expr(p);
  highest = higher(highest, p->height);
  if (!p->panic && !at(p, TOKEN_ELSE)) {
    if (fail_expected(p, "expected-token", "`else`"))
      diag_hint(&p->lang->diags, "an `if` expression always has an `else`");
  }
  expect(p, TOKEN_ELSE, "after the first alternative");
  e->as.cond.otherwise = parse_expr(p);
  e->span = span_from(p, begin);
  grow(p, e, higher(highest, p->height));
  return e;
}

typedef VEC(struct ast_binder) binder_list;

/* binder = name { "," name } ":" type | name "in" expr ".." expr */
static unsigned parse_binder(struct parser *p, binder_list *out) {
  struct name_list names = {0};
  parse_names(p, &names, "a variable");
  unsigned highest = 0;
  if (!p->panic && at(p, TOKEN_IN)) {
    if (names.items.len > 1) {
      if (fail_expected(p, "expected-token", "`:` and a type for these variables"))
        diag_hint(&p->lang->diags, "give each variable its own range: `i in 0..n, j in 0..m`");
    }
    advance(p);
    struct ast_binder b = {new_var(p, VAR_BINDER, names.items.at[0]), NULL, NULL};
    b.low = parse_expr(p);
    highest = p->height;
    expect(p, TOKEN_DOTDOT, "between the bounds of the range");
    b.high = parse_expr(p);
    highest = higher(highest, p->height);
    vec_push(out, b);
  } else {
    expect(p, TOKEN_COLON, "or `in` after the variable");
    struct ast_type *type = parse_type(p);
    for (size_t i = 0; i < names.items.len; i++) {
      struct ast_binder b = {new_var(p, VAR_BINDER, names.items.at[i]), NULL, NULL};
      b.var->declared = type;
      vec_push(out, b);
    }
  }
  vec_clear(&names.items);
  return highest;
}

/* ( "forall" | "exists" ) binder { "," binder } "." expr */
static struct ast_expr *parse_quantifier(struct parser *p) {
  struct ast_expr *e = new_expr(p, EXPR_QUANT, token_span(p, &p->cur));
  e->as.quant.is_forall = at(p, TOKEN_FORALL);
  advance(p);
  binder_list binders = {0};
  unsigned highest = 0;
  do
    highest = higher(highest, parse_binder(p, &binders));
  while (!p->panic && accept(p, TOKEN_COMMA));
  e->as.quant.count = binders.len;
  e->as.quant.binders = arena_take_vec(&p->lang->arena, &binders);
  if (!p->panic && at(p, TOKEN_PROJ)) {
    if (fail_expected(p, "expected-token", "`.` after the variables"))
      diag_hint(&p->lang->diags, "put a space behind the point");
  }
  expect(p, TOKEN_DOT, "after the variables");
  e->as.quant.body = parse_expr(p);
  e->span = span_from(p, e->span.begin);
  grow(p, e, higher(highest, p->height));
  return e;
}

/* sum = "sum" name "in" expr ".." expr "." product; not a reserved word */
static struct ast_expr *parse_sum(struct parser *p) {
  if (!enter(p)) return error_expr(p);
  struct ast_expr *e = new_expr(p, EXPR_QUANT, token_span(p, &p->cur));
  e->as.quant.is_sum = true;
  advance(p);
  binder_list binders = {0};
  unsigned highest = parse_binder(p, &binders);
  if (!p->panic && (binders.len != 1 || !binders.at[0].low))
    fail(p, span_from(p, e->span.begin), "expected-token",
         "a sum is over a range: `sum i in a..b. e`");
  e->as.quant.count = binders.len;
  e->as.quant.binders = arena_take_vec(&p->lang->arena, &binders);
  expect(p, TOKEN_DOT, "after the range");
  e->as.quant.body = parse_level(p, LEVEL_PRODUCT);
  e->span = span_from(p, e->span.begin);
  grow(p, e, higher(highest, p->height));
  leave(p);
  return e;
}

/* expr = "if" expr "then" expr "else" expr
 *      | ( "forall" | "exists" ) binder { "," binder } "." expr
 *      | iff */
struct ast_expr *parse_expr(struct parser *p) {
  if (p->panic || !enter(p)) return error_expr(p);
  struct ast_expr *e;
  switch (p->cur.kind) {
  case TOKEN_IF: e = parse_conditional(p); break;
  case TOKEN_FORALL:
  case TOKEN_EXISTS: e = parse_quantifier(p); break;
  default: e = parse_level(p, LEVEL_IFF);
  }
  p->expr_end = p->prev.end;
  leave(p);
  return e;
}
