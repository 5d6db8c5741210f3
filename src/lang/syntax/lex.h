/* Lexer of .dp files: text -> tokens, one at a time.
 *
 * A token is a kind and a byte range; names and words carry their interned spelling, with Greek
 * letters spelled out. The lexer reports what it cannot read and goes on: where it can tell what
 * was meant (`&&`, a typographic minus) it returns that token, otherwise it skips the text and
 * marks the next token `after_error`, so that the parser does not complain a second time.
 * Comments are collected on the side. Two tokens depend on their left neighbour, because `<1>` and
 * `.1` mean a run tag and a projection only when glued to an operand. */
#ifndef COUPLET_LANG_SYNTAX_LEX_H
#define COUPLET_LANG_SYNTAX_LEX_H

#include "base/visible.h"
#include "lang/syntax/lang.h"

enum token_kind {
  TOKEN_END,
  TOKEN_NAME,
  TOKEN_NUMBER,
  TOKEN_STRING, /* with its quotes */
  TOKEN_PROJ,   /* .1 glued to an operand */
  TOKEN_TAG,    /* <1> or <2> glued to an operand */
  TOKEN_LPAREN,
  TOKEN_RPAREN,
  TOKEN_LBRACKET,
  TOKEN_RBRACKET,
  TOKEN_LBRACE,
  TOKEN_RBRACE,
  TOKEN_COMMA,
  TOKEN_SEMICOLON,
  TOKEN_COLON,
  TOKEN_DOT,
  TOKEN_DOTDOT,
  TOKEN_QUESTION,
  TOKEN_ASSIGN, /* := */
  TOKEN_SAMPLE, /* <$ */
  TOKEN_TILDE,  /* means nothing; the parser explains */
  TOKEN_IFF,
  TOKEN_ARROW,
  TOKEN_EQ,
  TOKEN_NE,
  TOKEN_LT,
  TOKEN_LE,
  TOKEN_GT,
  TOKEN_GE,
  TOKEN_APPEND, /* ++ */
  TOKEN_CONS,   /* :: */
  TOKEN_PLUS,
  TOKEN_MINUS,
  TOKEN_STAR,
  TOKEN_SLASH,
  TOKEN_CARET,
  /* words that are never names; same order as the table in lex.c */
  TOKEN_FIRST_WORD,
  TOKEN_ADVERSARY = TOKEN_FIRST_WORD,
  TOKEN_AND,
  TOKEN_AUTOMATON,
  TOKEN_AXIOM,
  TOKEN_BREAK,
  TOKEN_CLAIM,
  TOKEN_CONTINUE,
  TOKEN_DIV,
  TOKEN_ELSE,
  TOKEN_EMIT,
  TOKEN_EXISTS,
  TOKEN_FALSE,
  TOKEN_FOR,
  TOKEN_FORALL,
  TOKEN_IF,
  TOKEN_IN,
  TOKEN_INCLUDE,
  TOKEN_INSTANCE,
  TOKEN_LEMMA,
  TOKEN_LET,
  TOKEN_LIBM,
  TOKEN_MECHANISM,
  TOKEN_MOD,
  TOKEN_NOT,
  TOKEN_OP,
  TOKEN_OR,
  TOKEN_ORACLE,
  TOKEN_PARAM,
  TOKEN_PROCEDURE,
  TOKEN_PROOF,
  TOKEN_RETURN,
  TOKEN_SKIP,
  TOKEN_THEN,
  TOKEN_TRUE,
  TOKEN_TYPE,
  TOKEN_VAR,
  TOKEN_WHILE,
  TOKEN_LAST_WORD = TOKEN_WHILE
};

struct token {
  enum token_kind kind;
  uint32_t begin, end;
  const char *text; /* names: interned spelling; else NULL */
  /* comments.at[comment_begin .. comment_end-1] stand between the token before and this one */
  uint32_t comment_begin, comment_end;
  bool starts_line; /* first token on its line */
  bool glued;       /* nothing stands between the token before and this one */
  bool after_error; /* something before it was unreadable and has been reported */
};

struct lexer {
  struct lang *lang;
  const char *text; /* text[length] is NUL */
  uint32_t file, at, length;
  enum token_kind last; /* kind of the token before; TOKEN_END at the start */
  bool skipped_error;   /* an error was reported since the last token */
  bool in_bars;         /* behind the first bar of |x|, which is read as a parenthesis */
  VEC(struct ast_comment) comments;
  unsigned char first_word[27]; /* words that begin with letter c: [first_word[c], [c+1]) */
};

/* `file` must be a file of lang->sources. A file with NUL bytes reads as empty, after an error. */
void lexer_init(struct lexer *lexer, struct lang *lang, uint32_t file);
void lexer_clear(struct lexer *lexer);
struct token lexer_next(struct lexer *lexer);

/* Goes to the end of the block whose `{` is at `open`, knowing comments and strings; its comments
 * are not collected. True with *close just behind the `}`, false if it is missing. */
bool lexer_skip_block(struct lexer *lexer, uint32_t open, uint32_t *close);

/* A reserved word or fixed symbol as the user writes it; NULL for names and literals. */
const char *token_kind_text(enum token_kind kind);
static inline bool token_is_word(enum token_kind kind) {
  return kind >= TOKEN_FIRST_WORD && kind <= TOKEN_LAST_WORD;
}

/* ---- unicode (lex_unicode.c) ---------------------------------------------------------------- */

/* How a Greek letter is spelled out ("eps"), or NULL. */
const char *greek_spelling(uint32_t code);
/* Symbols of the language outside ASCII; TOKEN_END if it is none. */
enum token_kind unicode_symbol(uint32_t code);

/* Characters that look like something of the language but are not. */
struct confusable {
  uint32_t code;
  const char *what;     /* "a typographic minus sign" */
  const char *instead;  /* what to type; NULL: a space */
  enum token_kind kind; /* what it reads as; TOKEN_END: nothing */
};
const struct confusable *unicode_confusable(uint32_t code);

#endif
