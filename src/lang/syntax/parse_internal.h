/* Inside of the parser, shared by parse*.c.
 *
 * Errors. A syntax error sets `panic`; while it is set nothing more is reported, expressions come
 * back as EXPR_ERROR and the callers unwind to the statement, item or declaration, which skips to
 * a safe place (sync_*) and clears it. Mistakes whose meaning is clear (`=` for `:=`) are reported
 * with complain(), which does not panic: parsing goes on as if the right thing stood there.
 *
 * Depth. enter()/leave() bound the recursion of the parser itself (LIMIT_NESTING). Chains that are
 * parsed in a loop but give deep trees (a + b + ..., else if ...) are bounded by LIMIT_AST_DEPTH:
 * `height` is that of the expression returned last, `above` counts the statements around it. */
#ifndef COUPLET_LANG_SYNTAX_PARSE_INTERNAL_H
#define COUPLET_LANG_SYNTAX_PARSE_INTERNAL_H

#include "lang/syntax/lex.h"
#include "lang/syntax/parse.h"

struct parser {
  struct lang *lang;
  struct lexer lexer;
  struct token prev, cur, next;
  bool panic;
  bool end_reported;    /* an error at the end of the file: others there are consequences */
  bool depth_reported;  /* nesting-too-deep, once for each declaration */
  uint32_t expr_end;    /* where the last expression ended */
  struct token suspect; /* `{` whose `}` is indented less than it: probably a `}` is missing */
  unsigned nesting;
  unsigned above, height;
  bool may_ask;          /* a `?` may stand for a number here */
  struct ast_expr *hole; /* the first one in this claim, or NULL */
};

/* Arrays under construction. */
struct expr_list {
  VEC(struct ast_expr *) items;
};
struct name_list {
  VEC(struct ast_name) items;
};
struct var_list {
  VEC(struct ast_var *) items;
};

/* ---- parse.c: tokens, errors, recovery ------------------------------------------------------ */

/* Starts in the middle of a file, for text that the language itself does not read (proofs). Clear
 * with lexer_clear(&p->lexer). */
void parser_init_at(struct parser *p, struct lang *lang, struct span span);
void advance(struct parser *p);
static inline bool at(const struct parser *p, enum token_kind kind) {
  return p->cur.kind == kind;
}
/* At a word that is reserved only here. */
bool at_word(const struct parser *p, const char *word);
bool next_is_word(const struct parser *p, const char *word);
bool accept(struct parser *p, enum token_kind kind);
bool accept_word(struct parser *p, const char *word);

struct span token_span(const struct parser *p, const struct token *token);
/* From the beginning of `first` to the end of the token consumed last. */
struct span span_from(const struct parser *p, uint32_t begin);
/* "`x`", "the number `3`", "the end of the file": at most 40 bytes of text; in the diag arena. */
const char *describe(struct parser *p, const struct token *token);

/* Both are true if something was reported, so that hint and note may follow. */
bool fail(struct parser *p, struct span span, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool complain(struct parser *p, struct span span, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* fail() at the current token: "expected WHAT, found TOKEN". */
bool fail_expected(struct parser *p, const char *code, const char *what);

/* `role` completes "expected `)` ...", e.g. "after the arguments". */
bool expect(struct parser *p, enum token_kind kind, const char *role);
bool expect_word(struct parser *p, const char *word, const char *role);
/* Closing bracket of the construct that `open` began; in a list a `,` would have been right too. */
bool expect_close(struct parser *p, enum token_kind kind, const struct token *open, bool list);
/* The `;` at the end of `what`. A missing one is an error at the end of the line before it, and
 * parsing goes on if the next token begins something new. */
void expect_semicolon(struct parser *p, const char *what);
/* A name; reserved words are refused with a hint. On error the name is "?". */
struct ast_name expect_name(struct parser *p, const char *what);

bool enter(struct parser *p);
void leave(struct parser *p);

/* Is the token one that begins a declaration and nothing else? */
bool begins_declaration(enum token_kind kind);
bool begins_statement(enum token_kind kind);
/* At a declaration that begins in the first column. */
bool at_top_level_word(const struct parser *p);
/* Ends a panic: behind the next `;` of this level, or before a `}`, a declaration, or a word that
 * begins a statement on a new line. Blocks are stepped over. */
void sync_item(struct parser *p);
/* Ends a panic before the next declaration that begins a line, or already behind a `;` or block. */
void sync_declaration(struct parser *p, bool ends_at_semicolon);
/* Ends a panic in the head of a construct: goes to the `{` of its body. False if there is none. */
bool sync_body(struct parser *p);
/* True if the loop over the items of a block goes on; `open` is the `{`. `is_item` tells which
 * declaration words may stand in it; any other that begins a line means that the `}` is missing. */
bool more_items(struct parser *p, const struct token *open, const char *what,
                bool (*is_item)(const struct parser *));
/* Consumes the `}` of the block, if it is there. */
void close_block(struct parser *p, const struct token *open);

/* ---- parse_expr.c --------------------------------------------------------------------------- */

struct ast_expr *parse_expr(struct parser *p);
struct ast_expr *parse_hole(struct parser *p); /* at a `?` */
/* exprs = expr { "," expr } up to the closing bracket, which is consumed. */
void parse_exprs(struct parser *p, struct expr_list *out, enum token_kind close,
                 const struct token *open, bool may_be_empty);
struct ast_expr *new_expr(struct parser *p, enum expr_kind kind, struct span span);
struct ast_expr **take_exprs(struct parser *p, struct expr_list *list, size_t *count);

/* ---- parse_type.c --------------------------------------------------------------------------- */

struct ast_type *parse_type(struct parser *p);
struct ast_var *new_var(struct parser *p, enum var_role role, struct ast_name name);
/* "(" [ args ] ")"; in a mechanism an argument may be private or public. */
struct ast_var **parse_args(struct parser *p, enum var_role role, size_t *count);
/* "(" [ name { "," name } ] ")": arguments whose types come from elsewhere. */
struct ast_var **parse_bare_args(struct parser *p, enum var_role role, size_t *count);
/* name { "," name } */
void parse_names(struct parser *p, struct name_list *out, const char *what);

/* ---- parse_stmt.c --------------------------------------------------------------------------- */

struct ast_block parse_block(struct parser *p, const char *what);
/* distribution; false: there is none of this name */
bool parse_distribution(struct parser *p, struct ast_dist *dist);
/* Statements up to the `}` of the block that `open` began; the first ones may be given. */
struct stmt_list {
  VEC(struct ast_stmt *) items;
};
struct ast_block parse_block_rest(struct parser *p, const struct token *open,
                                  struct stmt_list *first, const char *what);
struct ast_target parse_target(struct parser *p);
struct ast_stmt *new_stmt(struct parser *p, enum stmt_kind kind);

/* ---- parse_decl.c, parse_model.c ------------------------------------------------------------ */

struct decl_list {
  VEC(struct ast_decl *) items;
};
/* One declaration (a `param` of several names gives several); always consumes something. */
void parse_decl(struct parser *p, struct decl_list *out);
void parse_automaton(struct parser *p, struct ast_decl *decl);
void parse_instance(struct parser *p, struct ast_decl *decl);

#endif
