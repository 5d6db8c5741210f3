#include "lang/syntax/lex.h"

#include <string.h>

#include "base/limits.h"

/* Sorted; order of enum token_kind. */
static const char *const words[] = {
    "adversary", "and",      "automaton", "axiom", "break",     "claim",     "continue", "div",
    "else",      "emit",     "exists",    "false", "for",       "forall",    "if",       "in",
    "include",   "instance", "lemma",     "let",   "libm",      "mechanism", "mod",      "not",
    "op",        "or",       "oracle",    "param", "procedure", "proof",     "return",   "skip",
    "then",      "true",     "type",      "var",   "while"};
enum { WORDS = sizeof words / sizeof *words };
_Static_assert(WORDS == TOKEN_LAST_WORD - TOKEN_FIRST_WORD + 1, "one entry per reserved word");

const char *token_kind_text(enum token_kind kind) {
  if (token_is_word(kind)) return words[kind - TOKEN_FIRST_WORD];
  switch (kind) {
  case TOKEN_LPAREN: return "(";
  case TOKEN_RPAREN: return ")";
  case TOKEN_LBRACKET: return "[";
  case TOKEN_RBRACKET: return "]";
  case TOKEN_LBRACE: return "{";
  case TOKEN_RBRACE: return "}";
  case TOKEN_COMMA: return ",";
  case TOKEN_SEMICOLON: return ";";
  case TOKEN_COLON: return ":";
  case TOKEN_DOT: return ".";
  case TOKEN_DOTDOT: return "..";
  case TOKEN_QUESTION: return "?";
  case TOKEN_ASSIGN: return ":=";
  case TOKEN_SAMPLE: return "<$";
  case TOKEN_TILDE: return "~";
  case TOKEN_IFF: return "<->";
  case TOKEN_ARROW: return "->";
  case TOKEN_EQ: return "=";
  case TOKEN_NE: return "!=";
  case TOKEN_LT: return "<";
  case TOKEN_LE: return "<=";
  case TOKEN_GT: return ">";
  case TOKEN_GE: return ">=";
  case TOKEN_APPEND: return "++";
  case TOKEN_CONS: return "::";
  case TOKEN_PLUS: return "+";
  case TOKEN_MINUS: return "-";
  case TOKEN_STAR: return "*";
  case TOKEN_SLASH: return "/";
  case TOKEN_CARET: return "^";
  default: return NULL;
  }
}

static struct span span_of(const struct lexer *lx, uint32_t begin, uint32_t end) {
  return (struct span){lx->file, begin, end};
}

static struct diags *diags_of(struct lexer *lx) {
  lx->skipped_error = true;
  return &lx->lang->diags;
}

/* ---- start ---------------------------------------------------------------------------------- */

/* Reports the first byte that is not UTF-8; the lexer later steps over such bytes in silence. */
static void check_encoding(struct lexer *lx) {
  for (uint32_t i = lx->at; i < lx->length;) {
    uint32_t code;
    if (!((unsigned char)lx->text[i] & 0x80)) {
      i++;
      continue;
    }
    unsigned n = utf8_decode(lx->text + i, lx->length - i, &code);
    if (n == 0) {
      diag_error(&lx->lang->diags, span_of(lx, i, i + 1), "invalid-utf8",
                 "the file is not UTF-8: byte 0x%02X begins no character",
                 (unsigned)(unsigned char)lx->text[i]);
      diag_hint(&lx->lang->diags, "save the file as UTF-8, or write the letter in ASCII");
      return;
    }
    i += n;
  }
}

void lexer_init(struct lexer *lx, struct lang *lang, uint32_t file) {
  const struct source *s = sources_get(&lang->sources, file);
  *lx = (struct lexer){
      .lang = lang, .text = s->text, .file = file, .at = s->start, .length = s->length};
  unsigned w = 0;
  for (unsigned c = 0; c < 27; c++) {
    while (w < WORDS && (unsigned)(words[w][0] - 'a') < c)
      w++;
    lx->first_word[c] = (unsigned char)w;
  }
  const char *nul = memchr(s->text + lx->at, '\0', s->length - lx->at);
  if (nul) {
    uint32_t at = (uint32_t)(nul - s->text);
    diag_error(&lang->diags, span_of(lx, at, at + 1), "binary-file",
               "this is not a text file: it contains a NUL byte at offset %u", (unsigned)at);
    diag_hint(&lang->diags, "give the .dp source itself, saved as UTF-8");
    lx->at = lx->length;
    return;
  }
  check_encoding(lx);
}

void lexer_clear(struct lexer *lx) {
  vec_clear(&lx->comments);
}

/* ---- names and numbers ---------------------------------------------------------------------- */

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name_char(char c) {
  return is_name_start(c) || is_digit(c) || c == '\'';
}

/* Spelling of the Greek letter at `at` and its length in bytes; NULL if there is none. */
static const char *greek_at(const struct lexer *lx, uint32_t at, unsigned *bytes) {
  uint32_t code;
  if (!((unsigned char)lx->text[at] & 0x80)) return NULL;
  *bytes = utf8_decode(lx->text + at, lx->length - at, &code);
  return *bytes ? greek_spelling(code) : NULL;
}

static uint32_t name_end(const struct lexer *lx, uint32_t at) {
  unsigned bytes;
  for (;;) {
    if (is_name_char(lx->text[at]))
      at++;
    else if (greek_at(lx, at, &bytes))
      at += bytes;
    else
      return at;
  }
}

static enum token_kind word_kind(const struct lexer *lx, const char *text, size_t length) {
  unsigned c = (unsigned)(text[0] - 'a');
  if (c >= 26) return TOKEN_NAME;
  for (unsigned w = lx->first_word[c]; w < lx->first_word[c + 1]; w++)
    if (strncmp(words[w], text, length) == 0 && words[w][length] == '\0')
      return (enum token_kind)(TOKEN_FIRST_WORD + w);
  return TOKEN_NAME;
}

/* name = letter { letter | digit | "'" }, letters being ASCII, "_" and Greek */
static void lex_name(struct lexer *lx, struct token *token) {
  uint32_t begin = lx->at, end = begin;
  while (is_name_char(lx->text[end]))
    end++;
  unsigned bytes;
  bool ascii = !greek_at(lx, end, &bytes);
  if (!ascii) end = name_end(lx, end);
  lx->at = end;
  const char *text = lx->text + begin;
  token->kind = TOKEN_NAME;
  if (end - begin > LIMIT_TOKEN_BYTES) {
    diag_error(diags_of(lx), span_of(lx, begin, begin + 32), "token-too-long",
               "this name is %u bytes long; the limit is %d", (unsigned)(end - begin),
               LIMIT_TOKEN_BYTES);
    token->text = intern_text(&lx->lang->intern, text, 32);
    return;
  }
  if (ascii) {
    token->kind = word_kind(lx, text, end - begin);
    token->text = intern_text(&lx->lang->intern, text, end - begin);
    return;
  }
  struct buffer spelled;
  buffer_init(&spelled);
  for (uint32_t i = begin; i < end;) {
    const char *letter = greek_at(lx, i, &bytes);
    if (letter) {
      buffer_puts(&spelled, letter);
      i += bytes;
    } else {
      buffer_putc(&spelled, lx->text[i++]);
    }
  }
  token->text = intern_text(&lx->lang->intern, buffer_text(&spelled), spelled.len);
  buffer_clear(&spelled);
}

static uint32_t digits_end(const struct lexer *lx, uint32_t at) {
  while (is_digit(lx->text[at]))
    at++;
  return at;
}

/* Exponents have few digits, so saturation is enough. */
static unsigned saturated(const char *digits, const char *end) {
  unsigned value = 0;
  for (; digits < end && value <= LIMIT_EXPONENT; digits++)
    value = value * 10 + (unsigned)(*digits - '0');
  return value;
}

static void malformed_number(struct lexer *lx, uint32_t begin, uint32_t end) {
  const char *text = lx->text + begin;
  int shown = end - begin < 40 ? (int)(end - begin) : 40;
  diag_error(diags_of(lx), span_of(lx, begin, end), "malformed-number",
             "`%.*s` is neither a number nor a name", shown, text);
  if (memchr(text, '_', end - begin))
    diag_hint(&lx->lang->diags, "write the digits of a number without `_` between them");
  else if (text[0] == '0' && (text[1] == 'x' || text[1] == 'b'))
    diag_hint(&lx->lang->diags, "numbers are decimal: 12, 0.25 or 1e-6");
  else
    diag_hint(
        &lx->lang->diags,
        "names begin with a letter; write `*` for a product; numbers look like 12, 0.25, 1e-6");
}

/* number = digits [ "." digits ] [ ("e" | "E") [ "+" | "-" ] digits ] */
static void lex_number(struct lexer *lx, struct token *token) {
  uint32_t begin = lx->at, end = digits_end(lx, begin);
  const char *text = lx->text;
  uint32_t digits = end - begin;
  token->kind = TOKEN_NUMBER;
  if (text[end] == '.' && is_digit(text[end + 1])) {
    uint32_t fraction = end + 1;
    end = digits_end(lx, fraction);
    digits += end - fraction;
  }
  unsigned exponent = 0;
  if (text[end] == 'e' || text[end] == 'E') {
    uint32_t from = end + 1;
    if (text[from] == '+' || text[from] == '-') from++;
    if (is_digit(text[from])) {
      end = digits_end(lx, from);
      exponent = saturated(text + from, text + end);
    }
  }
  uint32_t glued = name_end(lx, end);
  lx->at = glued;
  if (glued > end)
    malformed_number(lx, begin, glued);
  else if (digits > LIMIT_NUMBER_DIGITS) {
    diag_error(diags_of(lx), span_of(lx, begin, end), "number-too-long",
               "this number has %u digits; the limit is %d", (unsigned)digits, LIMIT_NUMBER_DIGITS);
    diag_hint(&lx->lang->diags, "write it as a product, a power or with an exponent");
  } else if (exponent > LIMIT_EXPONENT) {
    diag_error(diags_of(lx), span_of(lx, begin, end), "exponent-too-large",
               "the exponent of this number is beyond the limit of %d", LIMIT_EXPONENT);
  } else {
    token->text = intern_text(&lx->lang->intern, text + begin, end - begin);
  }
}

/* string = '"' anything on the line '"' */
static void lex_string(struct lexer *lx, struct token *token) {
  uint32_t begin = lx->at, end = begin + 1;
  const char *text = lx->text;
  while (end < lx->length && text[end] != '"' && text[end] != '\n' && text[end] != '\r')
    end++;
  token->kind = TOKEN_STRING;
  bool closed = end < lx->length && text[end] == '"';
  if (!closed) {
    diag_error(diags_of(lx), span_of(lx, begin, end), "unterminated-string",
               "this string has no closing `\"` on its line");
    diag_hint(&lx->lang->diags, "a string ends on the line it begins");
  } else if (end - begin > LIMIT_TOKEN_BYTES) {
    diag_error(diags_of(lx), span_of(lx, begin, begin + 32), "token-too-long",
               "this string is %u bytes long; the limit is %d", (unsigned)(end - begin),
               LIMIT_TOKEN_BYTES);
  } else {
    token->text = intern_text(&lx->lang->intern, text + begin + 1, end - begin - 1);
  }
  lx->at = closed ? end + 1 : end;
}

/* ---- spaces and comments -------------------------------------------------------------------- */

static uint32_t line_end(const struct lexer *lx, uint32_t at) {
  while (at < lx->length && lx->text[at] != '\n' && lx->text[at] != '\r')
    at++;
  return at;
}

/* Position behind a block comment that begins at `at`; lx->length + 1 if it is not closed. */
static uint32_t comment_end(const struct lexer *lx, uint32_t at) {
  const char *close = memmem(lx->text + at + 2, lx->length - at - 2, "*/", 2);
  return close ? (uint32_t)(close - lx->text) + 2 : lx->length + 1;
}

/* Steps over one comment. `///` begins a doc comment, `////` a ruler. */
static void lex_comment(struct lexer *lx) {
  uint32_t begin = lx->at;
  const char *text = lx->text + begin;
  bool is_doc = false;
  if (text[1] == '/') {
    lx->at = line_end(lx, begin);
    is_doc = text[2] == '/' && text[3] != '/';
  } else {
    lx->at = comment_end(lx, begin);
    if (lx->at > lx->length) {
      lx->at = lx->length;
      diag_error(diags_of(lx), span_of(lx, begin, begin + 2), "unterminated-comment",
                 "this comment is never closed");
      diag_hint(&lx->lang->diags, "end it with `*/`; comments do not nest");
    }
  }
  vec_push(&lx->comments, (struct ast_comment){span_of(lx, begin, lx->at), is_doc});
}

static bool at_comment(const struct lexer *lx, uint32_t at) {
  return lx->text[at] == '/' && (lx->text[at + 1] == '/' || lx->text[at + 1] == '*');
}

/* Steps over spaces and comments; true if there was a line end among them. */
static bool skip_space(struct lexer *lx) {
  bool new_line = false;
  for (;;) {
    switch (lx->text[lx->at]) {
    case '\n':
    case '\r': new_line = true; /* fall through */
    case ' ':
    case '\t':
    case '\v':
    case '\f': lx->at++; continue;
    case '/':
      if (!at_comment(lx, lx->at)) return new_line;
      lex_comment(lx);
      continue;
    default: return new_line;
    }
  }
}

bool lexer_skip_block(struct lexer *lx, uint32_t open, uint32_t *close) {
  unsigned depth = 0;
  uint32_t at = open;
  while (at < lx->length) {
    char c = lx->text[at];
    if (at_comment(lx, at)) {
      at = lx->text[at + 1] == '/' ? line_end(lx, at) : comment_end(lx, at);
      continue;
    }
    at++;
    if (c == '"') {
      while (at < lx->length && lx->text[at] != '"' && lx->text[at] != '\n' && lx->text[at] != '\r')
        at++;
      if (lx->text[at] == '"') at++;
    } else if (c == '{') {
      depth++;
    } else if (c == '}' && --depth == 0) {
      lx->at = *close = at;
      lx->last = TOKEN_RBRACE;
      return true;
    }
  }
  lx->at = *close = lx->length;
  return false;
}

/* ---- symbols -------------------------------------------------------------------------------- */

/* A spelling from another language: says what to write and reads on as if that stood there. */
static enum token_kind foreign(struct lexer *lx, unsigned length, const char *code,
                               enum token_kind meant) {
  uint32_t begin = lx->at;
  lx->at += length;
  diag_error(diags_of(lx), span_of(lx, begin, lx->at), code, "expected `%s`, found `%.*s`",
             token_kind_text(meant), (int)length, lx->text + begin);
  if (meant == TOKEN_EQ)
    diag_hint(&lx->lang->diags, "two values are compared with `=`");
  else if (meant == TOKEN_AND || meant == TOKEN_OR || meant == TOKEN_NOT)
    diag_hint(&lx->lang->diags, "formulas are joined with `and`, `or` and `not`");
  else
    diag_hint(&lx->lang->diags, "write `%s`", token_kind_text(meant));
  return meant;
}

static enum token_kind take(struct lexer *lx, unsigned length, enum token_kind kind) {
  lx->at += length;
  return kind;
}

/* May the token before end an operand, so that a glued `<1>` or `.1` belongs to it? */
static bool ends_operand(enum token_kind kind) {
  return kind == TOKEN_NAME || kind == TOKEN_RPAREN || kind == TOKEN_RBRACKET ||
         kind == TOKEN_PROJ || kind == TOKEN_TAG;
}

static enum token_kind lex_dot(struct lexer *lx, bool glued) {
  const char *s = lx->text + lx->at;
  if (s[1] == '.') return take(lx, 2, TOKEN_DOTDOT);
  if (!is_digit(s[1])) return take(lx, 1, TOKEN_DOT);
  uint32_t begin = lx->at;
  lx->at = digits_end(lx, begin + 1);
  if (glued && ends_operand(lx->last)) return TOKEN_PROJ;
  diag_error(diags_of(lx), span_of(lx, begin, lx->at), "malformed-number",
             "a number cannot begin with a point");
  diag_hint(&lx->lang->diags, "write `0%.*s`", lx->at - begin < 40 ? (int)(lx->at - begin) : 40, s);
  return TOKEN_NUMBER;
}

static enum token_kind lex_less(struct lexer *lx, bool glued) {
  const char *s = lx->text + lx->at;
  if (s[1] == '=') return take(lx, 2, TOKEN_LE);
  if (s[1] == '$') return take(lx, 2, TOKEN_SAMPLE);
  if (s[1] == '-' && s[2] == '>') return take(lx, 3, TOKEN_IFF);
  if ((s[1] == '1' || s[1] == '2') && s[2] == '>' && glued && ends_operand(lx->last))
    return take(lx, 3, TOKEN_TAG);
  return take(lx, 1, TOKEN_LT);
}

static enum token_kind lex_equal(struct lexer *lx) {
  const char *s = lx->text + lx->at;
  if (s[1] == '=') return foreign(lx, 2, "equality-operator", TOKEN_EQ);
  if (s[1] == '<') return foreign(lx, 2, "comparison-operator", TOKEN_LE);
  if (s[1] == '>') {
    enum token_kind kind = foreign(lx, 2, "comparison-operator", TOKEN_GE);
    diag_hint(&lx->lang->diags, "write `>=` to compare, `->` for an implication or a transition");
    return kind;
  }
  return take(lx, 1, TOKEN_EQ);
}

/* Of what is between the bars, if it is short and plain. */
static void hint_abs(struct lexer *lx, const char *inside, size_t length) {
  bool plain = length <= 60;
  for (size_t i = 0; i < length && plain; i++)
    plain = inside[i] >= ' ' && inside[i] <= '~';
  diag_hint(diags_of(lx), "write `abs(%.*s)`", plain ? (int)length : 1, plain ? inside : "x");
}

/* `|x|` and `||x||` as in mathematics, with the bars close to x: an error, read on as (x). Any other
 * bar is the `or` of other languages. */
static enum token_kind lex_bar(struct lexer *lx) {
  const char *s = lx->text + lx->at;
  unsigned length = s[1] == '|' ? 2 : 1;
  if (lx->in_bars) {
    lx->in_bars = false;
    return take(lx, length, TOKEN_RPAREN);
  }
  size_t inside = strcspn(s + length, "|\n");
  bool closes = inside > 0 && s[length + inside] == '|' && s[length + inside - 1] != ' ';
  if (!closes || s[length] == ' ' || (lx->at > 0 && !strchr(" (,\n", s[-1])))
    return foreign(lx, length, "logical-operator", TOKEN_OR);
  uint32_t end = lx->at + length + (uint32_t)inside + length;
  diag_error(diags_of(lx), span_of(lx, lx->at, end < lx->length ? end : lx->length),
             "absolute-value", "there are no bars for %s",
             length == 1 ? "absolute values" : "norms");
  if (length == 1)
    hint_abs(lx, s + length, inside);
  else
    diag_hint(diags_of(lx), "write a sum: `sum i in 0..n. abs(q<1>[i] - q<2>[i]) <= 1`");
  lx->in_bars = true;
  return take(lx, length, TOKEN_LPAREN);
}

/* Symbols in ASCII; TOKEN_END if none begins here. */
static enum token_kind lex_symbol(struct lexer *lx, bool glued) {
  const char *s = lx->text + lx->at;
  switch (s[0]) {
  case '(': return take(lx, 1, TOKEN_LPAREN);
  case ')': return take(lx, 1, TOKEN_RPAREN);
  case '[': return take(lx, 1, TOKEN_LBRACKET);
  case ']': return take(lx, 1, TOKEN_RBRACKET);
  case '{': return take(lx, 1, TOKEN_LBRACE);
  case '}': return take(lx, 1, TOKEN_RBRACE);
  case ',': return take(lx, 1, TOKEN_COMMA);
  case ';': return take(lx, 1, TOKEN_SEMICOLON);
  case '?': return take(lx, 1, TOKEN_QUESTION);
  case '~': return take(lx, 1, TOKEN_TILDE);
  case '/': return take(lx, 1, TOKEN_SLASH);
  case '^': return take(lx, 1, TOKEN_CARET);
  case ':':
    return s[1] == '='   ? take(lx, 2, TOKEN_ASSIGN)
           : s[1] == ':' ? take(lx, 2, TOKEN_CONS)
                         : take(lx, 1, TOKEN_COLON);
  case '+': return s[1] == '+' ? take(lx, 2, TOKEN_APPEND) : take(lx, 1, TOKEN_PLUS);
  case '-': return s[1] == '>' ? take(lx, 2, TOKEN_ARROW) : take(lx, 1, TOKEN_MINUS);
  case '>': return s[1] == '=' ? take(lx, 2, TOKEN_GE) : take(lx, 1, TOKEN_GT);
  case '*':
    return s[1] == '*' ? foreign(lx, 2, "power-operator", TOKEN_CARET) : take(lx, 1, TOKEN_STAR);
  case '.': return lex_dot(lx, glued);
  case '<': return lex_less(lx, glued);
  case '=': return lex_equal(lx);
  case '&': return foreign(lx, s[1] == '&' ? 2 : 1, "logical-operator", TOKEN_AND);
  case '|': return lex_bar(lx);
  case '!':
    return s[1] == '=' ? take(lx, 2, TOKEN_NE) : foreign(lx, 1, "logical-operator", TOKEN_NOT);
  case '%': return foreign(lx, 1, "modulo-operator", TOKEN_MOD);
  default: return TOKEN_END;
  }
}

/* Symbols outside ASCII; TOKEN_END if none begins here. */
static enum token_kind lex_unicode(struct lexer *lx, uint32_t code, unsigned bytes) {
  enum token_kind kind = unicode_symbol(code);
  if (kind != TOKEN_END) {
    lx->at += bytes;
    return kind == TOKEN_ASSIGN && lx->text[lx->at] == '$' ? take(lx, 1, TOKEN_SAMPLE) : kind;
  }
  const struct confusable *c = unicode_confusable(code);
  if (!c || c->kind == TOKEN_END) return TOKEN_END;
  uint32_t begin = lx->at;
  lx->at += bytes;
  diag_error(diags_of(lx), span_of(lx, begin, lx->at), "confusable-character",
             "`%.*s` (U+%04X) is %s", (int)bytes, lx->text + begin, (unsigned)code, c->what);
  diag_hint(&lx->lang->diags, "write `%s`", c->instead);
  return c->kind;
}

static bool is_known(const struct lexer *lx, uint32_t at, uint32_t code) {
  char c = lx->text[at];
  if (code >= 0x80)
    return greek_spelling(code) || unicode_symbol(code) != TOKEN_END || unicode_confusable(code);
  return is_name_char(c) || c <= ' ' || strchr("\"()[]{},;?~/^:+->*.<=&|!%#$", c);
}

static void unknown_character(struct lexer *lx, uint32_t code, unsigned bytes) {
  uint32_t begin = lx->at;
  lx->at += bytes;
  struct diags *diags = diags_of(lx);
  const struct confusable *look = unicode_confusable(code);
  if (look) {
    diag_error(diags, span_of(lx, begin, lx->at), "confusable-character", "`%.*s` (U+%04X) is %s",
               (int)bytes, lx->text + begin, (unsigned)code, look->what);
    if (look->instead)
      diag_hint(diags, "write `%s`", look->instead);
    else
      diag_hint(diags, "replace it with an ordinary space");
    return;
  }
  if (code == '#') {
    lx->at = line_end(lx, lx->at);
    diag_error(diags, span_of(lx, begin, begin + 1), "unknown-character",
               "`#` does not begin a comment");
    diag_hint(diags, "comments are `// to the end of the line` and `/* ... */`");
    return;
  }
  /* A run of them is one mistake. */
  uint32_t next;
  unsigned n;
  while (code != '$' && code >= ' ' &&
         (n = utf8_decode(lx->text + lx->at, lx->length - lx->at, &next)) != 0 &&
         !is_known(lx, lx->at, next))
    lx->at += n;
  if (code < ' ' || code == 0x7F)
    diag_error(diags, span_of(lx, begin, lx->at), "unknown-character",
               "unexpected control character U+%04X", (unsigned)code);
  else
    diag_error(diags, span_of(lx, begin, lx->at), "unknown-character",
               "`%.*s` (U+%04X) has no meaning in this language", (int)bytes, lx->text + begin,
               (unsigned)code);
  if (code == '$')
    diag_hint(diags, "sampling is written `x <$ Lap(centre, scale);`");
  else if (code == '\'')
    diag_hint(diags, "`'` can stand in a name, but not at its beginning");
  else if (code == '@')
    diag_hint(diags, "Python is read from files that end in .py");
  else if (code < 0x80)
    diag_hint(diags, "remove it");
  else
    diag_hint(diags, "remove it; outside ASCII only Greek letters and a few symbols are used");
}

/* ---- tokens --------------------------------------------------------------------------------- */

/* Reads what begins at lx->at into the token; false if it was unreadable and stepped over. */
static bool lex_here(struct lexer *lx, struct token *token, bool glued) {
  char c = lx->text[lx->at];
  if (is_name_start(c)) {
    lex_name(lx, token);
    return true;
  }
  if (is_digit(c)) {
    lex_number(lx, token);
    return true;
  }
  if (c == '"') {
    lex_string(lx, token);
    return true;
  }
  token->kind = lex_symbol(lx, glued);
  if (token->kind != TOKEN_END) return true;
  uint32_t code;
  unsigned bytes = utf8_decode(lx->text + lx->at, lx->length - lx->at, &code);
  if (bytes == 0) { /* check_encoding has reported it */
    lx->at++;
    lx->skipped_error = true;
    return false;
  }
  if (greek_spelling(code)) {
    lex_name(lx, token);
    return true;
  }
  token->kind = lex_unicode(lx, code, bytes);
  if (token->kind != TOKEN_END) return true;
  unknown_character(lx, code, bytes);
  return false;
}

struct token lexer_next(struct lexer *lx) {
  struct token token = {.comment_begin = (uint32_t)lx->comments.len,
                        .starts_line = lx->last == TOKEN_END};
  uint32_t last_end = lx->at;
  lx->skipped_error = false;
  for (;;) {
    if (skip_space(lx)) token.starts_line = true;
    token.begin = lx->at;
    token.glued = lx->at == last_end;
    if (lx->at >= lx->length) {
      token.kind = TOKEN_END;
      break;
    }
    if (lex_here(lx, &token, token.glued)) break;
  }
  token.end = lx->at;
  token.comment_end = (uint32_t)lx->comments.len;
  token.after_error = lx->skipped_error;
  lx->last = token.kind;
  return token;
}
