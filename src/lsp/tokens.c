/* Colours that follow the meaning: what the lexer sees, and for names what they stand for. */
#include <ctype.h>
#include <string.h>

#include "lang/format/words.h"
#include "lang/syntax/builtin.h"
#include "lang/syntax/lex.h"
#include "lsp/features.h"

enum color {
  COLOR_KEYWORD,
  COLOR_COMMENT,
  COLOR_STRING,
  COLOR_NUMBER,
  COLOR_OPERATOR,
  COLOR_VARIABLE,
  COLOR_PARAMETER,
  COLOR_FUNCTION,
  COLOR_TYPE,
  COLOR_CLASS,
  COLOR_ENUM_MEMBER,
  COLOR_NONE
};
static const char *const type_names[] = {"keyword",  "comment",  "string",    "number",
                                         "operator", "variable", "parameter", "function",
                                         "type",     "class",    "enumMember"};
enum { MODIFIER_DECLARATION = 1, MODIFIER_READONLY = 2, MODIFIER_LIBRARY = 4 };

json_t *semantic_tokens_legend(void) {
  json_t *types = json_array();
  for (size_t i = 0; i < COLOR_NONE; i++)
    json_array_append_new(types, json_string(type_names[i]));
  return json_pack("{s:o, s:[s,s,s]}", "tokenTypes", types, "tokenModifiers", "declaration",
                   "readonly", "defaultLibrary");
}

struct encoder {
  const struct session *session;
  const struct line_index *lines;
  json_t *data;
  struct position last;
};

/* A token that spans lines is one for each of them. */
static void put(struct encoder *e, size_t begin, size_t end, enum color type, int modifiers) {
  while (begin < end) {
    size_t stop = offset_of_line_end(e->lines, begin);
    if (stop > end) stop = end;
    struct position from = position_of_offset(e->lines, e->session->encoding, begin);
    struct position to = position_of_offset(e->lines, e->session->encoding, stop);
    if (to.character > from.character) {
      size_t line = from.line - e->last.line;
      size_t start = line ? from.character : from.character - e->last.character;
      json_array_append_new(e->data, json_integer((json_int_t)line));
      json_array_append_new(e->data, json_integer((json_int_t)start));
      json_array_append_new(e->data, json_integer((json_int_t)(to.character - from.character)));
      json_array_append_new(e->data, json_integer(type));
      json_array_append_new(e->data, json_integer(modifiers));
      e->last = from;
    }
    begin = stop;
    while (begin < end && (e->lines->text[begin] == '\n' || e->lines->text[begin] == '\r'))
      begin++;
  }
}

static enum color type_of_symbol(const struct symbol *s, int *modifiers) {
  switch (s->kind) {
  case SYMBOL_PARAM:
  case SYMBOL_LET:
    *modifiers |= MODIFIER_READONLY;
    return s->kind == SYMBOL_LET && s->decl->as.let.arg_count ? COLOR_FUNCTION : COLOR_VARIABLE;
  case SYMBOL_TYPE: return COLOR_TYPE;
  case SYMBOL_AUTOMATON:
  case SYMBOL_INSTANCE: return COLOR_CLASS;
  case SYMBOL_OP:
  case SYMBOL_ADVERSARY:
  case SYMBOL_ORACLE:
  case SYMBOL_PROCEDURE:
  case SYMBOL_MECHANISM: return COLOR_FUNCTION;
  case SYMBOL_STATE: return COLOR_ENUM_MEMBER;
  case SYMBOL_VARIABLE:
    if (s->var->role == VAR_INPUT || s->var->role == VAR_ARG) return COLOR_PARAMETER;
    if (s->var->role == VAR_LOOP || s->var->role == VAR_BINDER) *modifiers |= MODIFIER_READONLY;
    return COLOR_VARIABLE;
  case SYMBOL_AXIOM:
  case SYMBOL_LEMMA:
  case SYMBOL_CLAIM:
  case SYMBOL_THRESHOLD:
  case SYMBOL_VALUE: break;
  }
  return COLOR_VARIABLE;
}

/* A name that stands for nothing declared: a function that is always there, or a word. */
static enum color type_of_word(const char *name, const struct ast_decl *d, uint32_t at,
                               int *modifiers) {
  enum word_class class;
  *modifiers = MODIFIER_LIBRARY;
  if (dist_find(name) || sugar_find(name)) return COLOR_CLASS;
  for (size_t i = 0; words_at(i, &class); i++) {
    if (strcmp(words_at(i, &class), name) != 0 || !word_class_applies(class, d, at)) continue;
    if (class == WORD_TYPE) return COLOR_TYPE;
    *modifiers = 0;
    return class == WORD_PROOF_NAME ? COLOR_VARIABLE : COLOR_KEYWORD;
  }
  if (builtin_find(name)) return COLOR_FUNCTION;
  *modifiers = 0;
  return COLOR_NONE;
}

static enum color type_of_token(const struct analysis *a, const struct ast_decl *d,
                                const struct token *t, int *modifiers) {
  *modifiers = 0;
  if (token_is_word(t->kind)) return COLOR_KEYWORD;
  if (t->kind == TOKEN_NUMBER) return COLOR_NUMBER;
  if (t->kind == TOKEN_STRING) return COLOR_STRING;
  if (t->kind == TOKEN_NAME) {
    const struct occurrence *o = symbols_at(&a->symbols, a->file, t->begin);
    if (!o || o->span.begin != t->begin) return type_of_word(t->text, d, t->begin, modifiers);
    *modifiers = o->is_definition ? MODIFIER_DECLARATION : 0;
    return type_of_symbol(&a->symbols.all.at[o->symbol], modifiers);
  }
  if (t->kind >= TOKEN_ASSIGN && t->kind <= TOKEN_CARET) return COLOR_OPERATOR;
  return t->kind == TOKEN_TAG || t->kind == TOKEN_PROJ || t->kind == TOKEN_DOTDOT ? COLOR_OPERATOR
                                                                                  : COLOR_NONE;
}

/* Does a `(` follow, after blanks? */
static bool is_called(const struct document *d, const struct token *t) {
  size_t at = t->end;
  while (at < d->length && isspace((unsigned char)d->text[at]))
    at++;
  return at < d->length && d->text[at] == '(';
}

json_t *feature_semantic_tokens(struct session *s, const json_t *params, struct rpc_error *error) {
  struct document *d = param_document(s, params, error);
  if (!d) return NULL;
  const struct analysis *a = session_analysis(s, d);
  struct encoder e = {.session = s, .lines = &d->lines, .data = json_array()};
  struct lang lang;
  lang_init(&lang);
  uint32_t file = sources_add(&lang.sources, d->path, d->text, a->unit ? d->length : 0);
  struct lexer lexer;
  lexer_init(&lexer, &lang, file);
  size_t next = 0;
  for (struct token t;;) {
    t = lexer_next(&lexer);
    const struct ast_decl *around = a->unit ? decl_around(a->unit, t.begin, &next) : NULL;
    for (uint32_t i = t.comment_begin; i < t.comment_end; i++)
      put(&e, lexer.comments.at[i].span.begin, lexer.comments.at[i].span.end, COLOR_COMMENT, 0);
    if (t.kind == TOKEN_END) break;
    int modifiers;
    enum color type = type_of_token(a, around, &t, &modifiers);
    if (type == COLOR_FUNCTION && (modifiers & MODIFIER_LIBRARY) && !is_called(d, &t))
      type = COLOR_NONE; /* `sum i in ..` is no call */
    if (type != COLOR_NONE) put(&e, t.begin, t.end, type, modifiers);
  }
  lexer_clear(&lexer);
  lang_clear(&lang);
  return json_pack("{s:o}", "data", e.data);
}
