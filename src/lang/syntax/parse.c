#include "lang/syntax/parse_internal.h"

#include <stdarg.h>
#include <string.h>

#include "base/limits.h"

/* ---- tokens --------------------------------------------------------------------------------- */

void advance(struct parser *p) {
  p->prev = p->cur;
  p->cur = p->next;
  if (p->next.kind != TOKEN_END) p->next = lexer_next(&p->lexer);
}

static bool is_word(const struct token *token, const char *word) {
  return token->kind == TOKEN_NAME && strcmp(token->text, word) == 0;
}

bool at_word(const struct parser *p, const char *word) {
  return is_word(&p->cur, word);
}

bool next_is_word(const struct parser *p, const char *word) {
  return is_word(&p->next, word);
}

bool accept(struct parser *p, enum token_kind kind) {
  if (!at(p, kind)) return false;
  advance(p);
  return true;
}

bool accept_word(struct parser *p, const char *word) {
  if (!at_word(p, word)) return false;
  advance(p);
  return true;
}

struct span token_span(const struct parser *p, const struct token *token) {
  return (struct span){p->lexer.file, token->begin, token->end};
}

struct span span_from(const struct parser *p, uint32_t begin) {
  uint32_t end = p->prev.end > begin ? p->prev.end : begin;
  return (struct span){p->lexer.file, begin, end};
}

const char *describe(struct parser *p, const struct token *token) {
  enum { SHOWN = 40 };
  if (token->kind == TOKEN_END) return "the end of the file";
  const char *text = p->lexer.text + token->begin;
  size_t length = token->end - token->begin;
  const char *more = "";
  if (length > SHOWN) {
    more = "...";
    for (length = SHOWN; length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80;)
      length--;
  }
  const char *what = token->kind == TOKEN_NUMBER   ? "the number "
                     : token->kind == TOKEN_STRING ? "the string "
                                                   : "";
  return arena_printf(&p->lang->diags.arena, "%s`%.*s%s`", what, (int)length, text, more);
}

/* ---- errors --------------------------------------------------------------------------------- */

static bool report(struct parser *p, struct span span, const char *code, const char *format,
                   va_list args) {
  /* One mistake, one error: the lexer has already spoken about what stands here. */
  if (p->panic || p->cur.after_error || p->end_reported) return false;
  p->end_reported = at(p, TOKEN_END);
  struct buffer message;
  buffer_init(&message);
  buffer_vprintf(&message, format, args);
  diag_error(&p->lang->diags, span, code, "%s", buffer_text(&message));
  buffer_clear(&message);
  return true;
}

bool fail(struct parser *p, struct span span, const char *code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  bool reported = report(p, span, code, format, args);
  va_end(args);
  p->panic = true;
  return reported;
}

bool complain(struct parser *p, struct span span, const char *code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  bool reported = report(p, span, code, format, args);
  va_end(args);
  return reported;
}

bool fail_expected(struct parser *p, const char *code, const char *what) {
  return fail(p, token_span(p, &p->cur), code, "expected %s, found %s", what, describe(p, &p->cur));
}

bool expect(struct parser *p, enum token_kind kind, const char *role) {
  if (p->panic) return false;
  if (accept(p, kind)) return true;
  fail(p, token_span(p, &p->cur), "expected-token", "expected `%s` %s, found %s",
       token_kind_text(kind), role, describe(p, &p->cur));
  return false;
}

bool expect_word(struct parser *p, const char *word, const char *role) {
  if (p->panic) return false;
  if (accept_word(p, word)) return true;
  fail(p, token_span(p, &p->cur), "expected-token", "expected `%s` %s, found %s", word, role,
       describe(p, &p->cur));
  return false;
}

static bool begins_operand(enum token_kind kind) {
  return kind == TOKEN_NAME || kind == TOKEN_NUMBER || kind == TOKEN_LPAREN || kind == TOKEN_TRUE ||
         kind == TOKEN_FALSE;
}

/* `2 eps`: two operands side by side on one line. */
static bool at_missing_operator(const struct parser *p) {
  return p->expr_end == p->prev.end && !p->cur.starts_line && begins_operand(p->cur.kind);
}

static void hint_missing_operator(struct parser *p) {
  diag_hint(&p->lang->diags, "two values stand side by side; write `%.*s * ...` for a product",
            p->prev.end - p->prev.begin < 40 ? (int)(p->prev.end - p->prev.begin) : 40,
            p->lexer.text + p->prev.begin);
}

bool expect_close(struct parser *p, enum token_kind kind, const struct token *open, bool list) {
  if (p->panic) return false;
  if (accept(p, kind)) return true;
  const char *opened = token_kind_text(open->kind);
  if (fail(p, token_span(p, &p->cur), "unclosed-bracket", "expected `%s`%s, found %s",
           token_kind_text(kind), list ? " or `,`" : "", describe(p, &p->cur))) {
    if (at_missing_operator(p))
      hint_missing_operator(p);
    else
      diag_hint(&p->lang->diags, "close it with `%s`%s", token_kind_text(kind),
                list ? ", or go on after a `,`" : "");
    diag_note(&p->lang->diags, token_span(p, open), "this `%s` is not closed yet", opened);
  }
  return false;
}

void expect_semicolon(struct parser *p, const char *what) {
  if (p->panic || accept(p, TOKEN_SEMICOLON)) return;
  if (p->prev.kind == TOKEN_STRING && !p->prev.text) return; /* not closed: took the `;` with it */
  if (at(p, TOKEN_RPAREN) || at(p, TOKEN_RBRACKET)) {
    if (fail(p, token_span(p, &p->cur), "unmatched-bracket", "this `%s` closes nothing",
             token_kind_text(p->cur.kind)))
      diag_hint(&p->lang->diags, "remove it, or look for a bracket that is missing before it");
    return;
  }
  /* Missing: point behind what came before. */
  struct span gap = {p->lexer.file, p->prev.end, p->prev.end};
  bool new_start = at(p, TOKEN_RBRACE) || at(p, TOKEN_END) || begins_statement(p->cur.kind) ||
                   (p->cur.starts_line && (at(p, TOKEN_NAME) || token_is_word(p->cur.kind)));
  if (new_start) {
    if (complain(p, gap, "missing-semicolon", "expected `;` after %s, found %s", what,
                 describe(p, &p->cur)))
      diag_hint(&p->lang->diags, "end it with `;`");
    return;
  }
  if (!fail(p, token_span(p, &p->cur), "missing-semicolon", "expected `;` after %s, found %s", what,
            describe(p, &p->cur)))
    return;
  if (at_missing_operator(p))
    hint_missing_operator(p);
  else if (at(p, TOKEN_DOT) && p->prev.kind == TOKEN_NUMBER)
    diag_hint(&p->lang->diags, "a point in a number has digits on both sides: `1.0`");
  else if (strcmp(what, "this parameter") == 0 && at(p, TOKEN_COLON))
    diag_hint(&p->lang->diags, "each parameter with a type has its own `param`: `param eps : real, "
                               "eps > 0; param n : int;`");
  else if (strcmp(what, "this parameter") == 0)
    diag_hint(&p->lang->diags, "assumptions stand behind a comma: `param eps : real, eps > 0;`");
}

struct ast_name expect_name(struct parser *p, const char *what) {
  struct ast_name name = {p->cur.text, token_span(p, &p->cur)};
  if (!p->panic && at(p, TOKEN_NAME)) {
    advance(p);
    return name;
  }
  name.text = intern_str(&p->lang->intern, "?");
  if (p->panic) return name;
  if (token_is_word(p->cur.kind)) {
    if (fail(p, name.span, "reserved-word", "expected %s, found the reserved word `%s`", what,
             token_kind_text(p->cur.kind)))
      diag_hint(&p->lang->diags, "choose another name, e.g. `%s_`", token_kind_text(p->cur.kind));
  } else {
    fail_expected(p, "expected-name", what);
  }
  return name;
}

bool enter(struct parser *p) {
  if (p->nesting < LIMIT_NESTING) {
    p->nesting++;
    return true;
  }
  if (!p->depth_reported &&
      fail(p, token_span(p, &p->cur), "nesting-too-deep",
           "brackets, blocks or operators are nested more than %d deep here", LIMIT_NESTING))
    diag_hint(&p->lang->diags, "name parts of it with `let` or move them to a procedure");
  p->panic = p->depth_reported = true;
  return false;
}

void leave(struct parser *p) {
  p->nesting--;
}

/* ---- recovery ------------------------------------------------------------------------------- */

bool begins_declaration(enum token_kind kind) {
  switch (kind) {
  case TOKEN_INCLUDE:
  case TOKEN_PARAM:
  case TOKEN_LET:
  case TOKEN_LIBM:
  case TOKEN_TYPE:
  case TOKEN_OP:
  case TOKEN_AXIOM:
  case TOKEN_LEMMA:
  case TOKEN_ADVERSARY:
  case TOKEN_PROCEDURE:
  case TOKEN_MECHANISM:
  case TOKEN_AUTOMATON:
  case TOKEN_CLAIM:
  case TOKEN_INSTANCE: return true;
  default: return false;
  }
}

bool begins_statement(enum token_kind kind) {
  switch (kind) {
  case TOKEN_SKIP:
  case TOKEN_VAR:
  case TOKEN_WHILE:
  case TOKEN_FOR:
  case TOKEN_EMIT:
  case TOKEN_RETURN: return true;
  default: return false; /* `if` can go on an expression */
  }
}

bool at_top_level_word(const struct parser *p) {
  char before = p->cur.begin > 0 ? p->lexer.text[p->cur.begin - 1] : '\n';
  return begins_declaration(p->cur.kind) && (before == '\n' || before == '\r');
}

/* Steps over a block with everything in it; at its `{`. Declarations in the first column are not
 * in it: its `}` is missing. */
static void skip_braces(struct parser *p) {
  size_t depth = 0;
  do {
    if (at(p, TOKEN_LBRACE)) depth++;
    if (at(p, TOKEN_RBRACE)) depth--;
    advance(p);
  } while (depth > 0 && !at(p, TOKEN_END) && !at_top_level_word(p));
}

void sync_item(struct parser *p) {
  p->panic = false;
  for (;;) {
    enum token_kind kind = p->cur.kind;
    if (kind == TOKEN_END || kind == TOKEN_RBRACE) return;
    if (p->cur.starts_line && (begins_declaration(kind) || begins_statement(kind) ||
                               kind == TOKEN_IF || kind == TOKEN_ORACLE))
      return;
    if (kind == TOKEN_LBRACE) {
      skip_braces(p);
      if (at(p, TOKEN_ELSE)) continue;
      accept(p, TOKEN_SEMICOLON);
      return;
    }
    advance(p);
    if (kind == TOKEN_SEMICOLON) return;
  }
}

void sync_declaration(struct parser *p, bool ends_at_semicolon) {
  p->panic = false;
  while (!at(p, TOKEN_END) && !(p->cur.starts_line && begins_declaration(p->cur.kind))) {
    enum token_kind kind = p->cur.kind;
    if (kind == TOKEN_LBRACE)
      skip_braces(p);
    else
      advance(p);
    if (ends_at_semicolon && (kind == TOKEN_SEMICOLON || kind == TOKEN_LBRACE)) return;
  }
}

bool sync_body(struct parser *p) {
  while (!at(p, TOKEN_LBRACE)) {
    enum token_kind kind = p->cur.kind;
    if (kind == TOKEN_END || kind == TOKEN_RBRACE || kind == TOKEN_SEMICOLON ||
        begins_declaration(kind) || (p->cur.starts_line && begins_statement(kind)))
      return false;
    advance(p);
  }
  p->panic = false;
  return true;
}

/* ---- blocks --------------------------------------------------------------------------------- */

/* Columns before the first text on the line of `offset`; SIZE_MAX when the line is too long to be
 * worth a look. */
static size_t indentation(const struct parser *p, uint32_t offset) {
  enum { FAR = 256 };
  const char *text = p->lexer.text;
  uint32_t start = offset, stop = offset > FAR ? offset - FAR : 0;
  while (start > stop && text[start - 1] != '\n' && text[start - 1] != '\r')
    start--;
  if (start == stop && stop > 0) return SIZE_MAX;
  size_t columns = 0;
  while (text[start + columns] == ' ' || text[start + columns] == '\t')
    columns++;
  return columns;
}

void close_block(struct parser *p, const struct token *open) {
  if (!at(p, TOKEN_RBRACE)) return;
  if (p->cur.starts_line && p->suspect.kind == TOKEN_END) {
    size_t inner = indentation(p, open->begin);
    if (inner != SIZE_MAX && indentation(p, p->cur.begin) < inner) p->suspect = *open;
  }
  advance(p);
}

static void note_unclosed(struct parser *p, const struct token *open) {
  struct diags *diags = &p->lang->diags;
  diag_hint(diags, "add the `}` that is missing");
  diag_note(diags, token_span(p, open), "this `{` is not closed");
  if (p->suspect.kind == TOKEN_LBRACE && p->suspect.begin > open->begin)
    diag_note(diags, token_span(p, &p->suspect),
              "perhaps it is this one: the `}` that closes it is indented less");
}

bool more_items(struct parser *p, const struct token *open, const char *what,
                bool (*is_item)(const struct parser *)) {
  if (at(p, TOKEN_RBRACE)) return false;
  if (at(p, TOKEN_END)) {
    bool is_consequence = p->end_reported && !p->cur.after_error;
    if (is_consequence ||
        complain(p, token_span(p, &p->cur), "unclosed-block",
                 "expected `}` at the end of %s, found the end of the file", what))
      note_unclosed(p, open);
    return false;
  }
  if (!begins_declaration(p->cur.kind) || !p->cur.starts_line || is_item(p)) return true;
  if (complain(p, token_span(p, &p->cur), "unclosed-block",
               "expected `}` at the end of %s, found the declaration `%s`", what,
               token_kind_text(p->cur.kind)))
    note_unclosed(p, open);
  return false;
}

/* ---- entry points --------------------------------------------------------------------------- */

static void parser_init(struct parser *p, struct lang *lang, uint32_t file) {
  *p = (struct parser){.lang = lang};
  lexer_init(&p->lexer, lang, file);
  p->cur = lexer_next(&p->lexer);
  p->next = p->cur.kind == TOKEN_END ? p->cur : lexer_next(&p->lexer);
  p->prev = (struct token){.begin = p->cur.begin, .end = p->cur.begin};
}

/* file = { declaration } */
struct ast_unit *parse_unit(struct lang *lang, uint32_t file) {
  struct parser p;
  parser_init(&p, lang, file);
  struct decl_list decls = {0};
  while (!at(&p, TOKEN_END))
    parse_decl(&p, &decls);
  struct ast_unit *unit = arena_new(&lang->arena, struct ast_unit);
  unit->file = file;
  unit->count = decls.items.len;
  unit->decls = arena_take_vec(&lang->arena, &decls.items);
  unit->comment_count = p.lexer.comments.len;
  unit->comments = arena_take_vec(&lang->arena, &p.lexer.comments);
  lexer_clear(&p.lexer);
  return unit;
}

void parser_init_at(struct parser *p, struct lang *lang, struct span span) {
  *p = (struct parser){.lang = lang};
  lexer_init(&p->lexer, lang, span.file);
  p->lexer.at = span.begin;
  p->cur = lexer_next(&p->lexer);
  p->next = p->cur.kind == TOKEN_END ? p->cur : lexer_next(&p->lexer);
  p->prev = (struct token){.begin = p->cur.begin, .end = p->cur.begin};
}

struct ast_expr *parse_expression(struct lang *lang, uint32_t file) {
  struct parser p;
  parser_init(&p, lang, file);
  struct ast_expr *expr = parse_expr(&p);
  if (!p.panic && !at(&p, TOKEN_END)) {
    if (fail_expected(&p, "expected-token", "the end of the expression") && at_missing_operator(&p))
      hint_missing_operator(&p);
    expr->kind = EXPR_ERROR;
  }
  lexer_clear(&p.lexer);
  return expr;
}
