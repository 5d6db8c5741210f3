/* Completion. The text before the cursor is lexed to see where we are: at the start of a
 * declaration or statement, in a claim, behind `<$`, in an automaton, in a proof, in an expression.
 * Names come from the last analysis, which the parser's recovery keeps useful while one types. */
#include <string.h>

#include "lang/format/print.h"
#include "lang/format/words.h"
#include "lang/syntax/builtin.h"
#include "lsp/features.h"
#include "lsp/scan.h"

/* CompletionItemKind of the protocol. */
enum {
  ITEM_FUNCTION = 3,
  ITEM_VARIABLE = 6,
  ITEM_CLASS = 7,
  ITEM_MODULE = 9,
  ITEM_KEYWORD = 14,
  ITEM_SNIPPET = 15,
  ITEM_ENUM_MEMBER = 20,
  ITEM_CONSTANT = 21,
  ITEM_STRUCT = 22
};

/* ---- where we are ---------------------------------------------------------------------------- */

enum { MOST_TOKENS = 4 };

struct context {
  struct token last[MOST_TOKENS]; /* before the word at the cursor; [0] is the nearest */
  enum token_kind decl;           /* the word that began the declaration; TOKEN_END: between two */
  size_t depth;                   /* braces open in it */
  bool in_proof;
  bool is_in_comment; /* or in a string or number: nothing to complete */
  bool seen_subject;  /* claims: `private m` is behind us */
};

static void shift(struct context *c, struct token t) {
  memmove(c->last + 1, c->last, sizeof c->last - sizeof *c->last);
  c->last[0] = t;
}

static bool begins_declaration_word(enum token_kind k) {
  switch (k) {
  case TOKEN_ADVERSARY:
  case TOKEN_AUTOMATON:
  case TOKEN_AXIOM:
  case TOKEN_CLAIM:
  case TOKEN_INCLUDE:
  case TOKEN_INSTANCE:
  case TOKEN_LEMMA:
  case TOKEN_LET:
  case TOKEN_LIBM:
  case TOKEN_MECHANISM:
  case TOKEN_OP:
  case TOKEN_PARAM:
  case TOKEN_PROCEDURE:
  case TOKEN_TYPE: return true;
  default: return false;
  }
}

static void follow(void *context, struct token t) {
  struct context *c = context;
  if (c->depth == 0 && begins_declaration_word(t.kind)) {
    c->decl = t.kind;
    c->in_proof = c->seen_subject = false;
  }
  if (t.kind == TOKEN_PROOF) c->in_proof = true;
  if (t.kind == TOKEN_LBRACE) c->depth++;
  if (t.kind == TOKEN_RBRACE && c->depth) c->depth--;
  bool ends = c->depth == 0 && (t.kind == TOKEN_RBRACE || t.kind == TOKEN_SEMICOLON);
  if (ends) {
    c->decl = TOKEN_END;
    c->in_proof = false;
  }
  if (c->last[0].text && strcmp(c->last[0].text, "private") == 0) c->seen_subject = true;
  shift(c, t);
}

/* The word at the cursor does not count: it is what is being completed. */
static struct context context_at(const struct document *d, uint32_t offset) {
  struct context c = {.decl = TOKEN_END};
  c.is_in_comment = scan_before(d, offset, follow, &c) != SCAN_CODE;
  for (size_t i = 0; i < MOST_TOKENS; i++) /* the text lives in the scratch table */
    if (c.last[i].kind == TOKEN_NAME) c.last[i].text = NULL;
  return c;
}

static bool last_is(const struct context *c, const struct document *d, const char *word) {
  struct token t = c->last[0];
  return t.kind == TOKEN_NAME && t.end - t.begin == strlen(word) &&
         memcmp(d->text + t.begin, word, strlen(word)) == 0;
}

static bool begins_item(const struct context *c) {
  enum token_kind k = c->last[0].kind;
  return k == TOKEN_SEMICOLON || k == TOKEN_LBRACE || k == TOKEN_RBRACE || k == TOKEN_END;
}

/* ---- items ----------------------------------------------------------------------------------- */

struct items {
  struct session *session;
  const struct analysis *analysis;
  uint32_t offset;
  json_t *list;
};

static void add(struct items *out, const char *label, int kind, const char *detail) {
  json_t *item = json_pack("{s:o, s:i}", "label", text_to_json(label, strlen(label)), "kind", kind);
  if (detail) json_object_set_new(item, "detail", text_to_json(detail, strlen(detail)));
  json_array_append_new(out->list, item);
}

static void add_snippet(struct items *out, const char *label, const char *body,
                        const char *detail) {
  if (!out->session->client.snippets) {
    add(out, label, ITEM_KEYWORD, detail);
    return;
  }
  json_array_append_new(out->list,
                        json_pack("{s:s, s:i, s:s, s:s, s:i}", "label", label, "kind", ITEM_SNIPPET,
                                  "detail", detail, "insertText", body, "insertTextFormat", 2));
}

static void add_words(struct items *out, const char *const *words) {
  for (; *words; words++)
    add(out, *words, ITEM_KEYWORD, NULL);
}

static void add_class(struct items *out, enum word_class wanted, int kind) {
  enum word_class class;
  for (size_t i = 0; words_at(i, &class); i++)
    if (class == wanted) add(out, words_at(i, &class), kind, NULL);
}

static void add_declarations(struct items *out) {
  add_snippet(out, "mechanism",
              "mechanism ${1:name}(private ${2:q} : ${3:real[n]}) returns ${4:int}\n"
              "  adjacent ${5:all_within($2, 1)}\n{\n  $0\n}",
              "a mechanism and its adjacency");
  add_snippet(out, "claim", "claim private ${1:name} epsilon ${2:eps};$0", "a privacy claim");
  add_snippet(out, "automaton",
              "automaton ${1:name} {\n  var ${2:x};\n  start ${3:q0};\n"
              "  state $3 noninput d ${4:1/2};\n  $0\n}",
              "a threshold automaton");
  add_snippet(out, "param", "param ${1:eps} : ${2:real}, ${3:$1 > 0};$0", "a parameter");
  static const char *const words[] = {"adversary", "axiom", "include",   "instance", "lemma", "let",
                                      "libm",      "op",    "procedure", "type",     NULL};
  add_words(out, words);
}

static void add_decl_names(struct items *out, const struct ast_decl *d, int kind) {
  struct buffer b;
  buffer_init(&b);
  print_signature(&b, d);
  add(out, d->name.text, kind, buffer_text(&b));
  buffer_clear(&b);
}

/* Declarations before the cursor, and those of included files. */
static bool is_visible(const struct items *out, const struct ast_decl *d) {
  return d->name.text && strcmp(d->name.text, "?") != 0 &&
         (d->span.file != out->analysis->file || d->span.begin < out->offset);
}

static void add_values(struct items *out) {
  const struct ast_module *m = out->analysis->module;
  for (size_t i = 0; m && i < m->decl_count; i++) {
    const struct ast_decl *d = m->decls[i];
    if (!is_visible(out, d)) continue;
    if (d->kind == DECL_PARAM || d->kind == DECL_LET || d->kind == DECL_OP)
      add_decl_names(out, d, d->kind == DECL_OP ? ITEM_FUNCTION : ITEM_CONSTANT);
    if (d->kind == DECL_PROCEDURE || d->kind == DECL_ADVERSARY)
      add_decl_names(out, d, ITEM_FUNCTION);
  }
}

static void add_subjects(struct items *out) {
  const struct ast_module *m = out->analysis->module;
  for (size_t i = 0; m && i < m->decl_count; i++) {
    const struct ast_decl *d = m->decls[i];
    if (is_visible(out, d) && (d->kind == DECL_MECHANISM || d->kind == DECL_AUTOMATON))
      add_decl_names(out, d, d->kind == DECL_MECHANISM ? ITEM_FUNCTION : ITEM_CLASS);
  }
}

static void add_types(struct items *out) {
  const struct ast_module *m = out->analysis->module;
  add_class(out, WORD_TYPE, ITEM_STRUCT);
  for (size_t i = 0; m && i < m->decl_count; i++)
    if (m->decls[i]->kind == DECL_TYPE && is_visible(out, m->decls[i]))
      add(out, m->decls[i]->name.text, ITEM_STRUCT, "type");
}

static void add_vars(struct items *out, struct ast_var *const *vars, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!vars[i]->name.text) continue;
    struct buffer b;
    buffer_init(&b);
    if (vars[i]->declared)
      print_type(&b, vars[i]->declared);
    else if (vars[i]->type)
      type_print(&b, vars[i]->type);
    add(out, vars[i]->name.text, ITEM_VARIABLE, b.len ? buffer_text(&b) : NULL);
    buffer_clear(&b);
  }
}

static void add_routine_vars(struct items *out, const struct ast_routine *r) {
  for (; r; r = r->enclosing) {
    add_vars(out, r->args, r->arg_count);
    add_vars(out, r->locals, r->local_count);
    for (size_t i = 0; i < r->oracle_count; i++)
      add(out, r->oracles[i]->name.text, ITEM_FUNCTION, "oracle");
  }
}

/* The routine around the cursor, or the one whose proof is written there. */
static const struct ast_routine *routine_around(const struct items *out) {
  const struct ast_routine *r = analysis_routine_at(out->analysis, out->offset);
  if (r) return r;
  const struct ast_decl *d = analysis_decl_at(out->analysis, out->offset);
  if (d && d->kind == DECL_CLAIM) d = d->as.claim.target;
  return d && d->kind == DECL_MECHANISM ? d->as.mechanism.routine : NULL;
}

static void add_expressions(struct items *out, bool formulas) {
  static const char *const words[] = {"true", "false", "none", "if",  "then", "else",
                                      "and",  "or",    "not",  "div", "mod",  NULL};
  static const char *const quantifiers[] = {"forall", "exists", "in", NULL};
  add_routine_vars(out, routine_around(out));
  add_values(out);
  for (size_t i = 0; i < builtin_count(); i++)
    if (!builtin_is_proof_only(builtin_at(i)->id) && (formulas || !builtin_at(i)->is_adjacency))
      add(out, builtin_at(i)->name, ITEM_FUNCTION, builtin_at(i)->help);
  add_words(out, words);
  if (formulas) add_words(out, quantifiers);
}

static void add_statements(struct items *out) {
  add_snippet(out, "for", "for ${1:i} in ${2:0}..${3:n} {\n  $0\n}", "a loop over integers");
  add_snippet(out, "if", "if ${1:condition} {\n  $0\n}", "a branch");
  add_snippet(out, "while", "while ${1:condition} {\n  $0\n}", "a loop");
  static const char *const words[] = {"emit", "return", "skip", "break", "continue",
                                      "var",  "oracle", "else", NULL};
  add_words(out, words);
  add_routine_vars(out, routine_around(out));
  add_values(out);
}

/* ---- by place -------------------------------------------------------------------------------- */

static void complete_claim(struct items *out, const struct context *c, const struct document *d) {
  static const char *const start[] = {"private", NULL};
  static const char *const clauses[] = {"epsilon", "delta", "zcdp",  "renyi", "gaussian",
                                        "under",   "at",    "proof", NULL};
  if (last_is(c, d, "private")) {
    add_subjects(out);
  } else if (!c->seen_subject) {
    add_words(out, start);
  } else {
    add_words(out, clauses);
    add_expressions(out, true);
  }
}

/* What is around the cursor; an automaton with mistakes still has the parts that were read. */
static const struct ast_decl *automaton_around(const struct items *out) {
  const struct ast_decl *d = analysis_decl_at(out->analysis, out->offset);
  if (!d || (d->kind != DECL_AUTOMATON && d->kind != DECL_ERROR)) return NULL;
  const char *word = token_kind_text(TOKEN_AUTOMATON);
  const char *text = sources_get(&out->analysis->lang.sources, d->span.file)->text;
  return strncmp(text + d->span.begin, word, strlen(word)) == 0 ? d : NULL;
}

static void complete_automaton(struct items *out, const struct context *c) {
  const struct ast_decl *d = automaton_around(out);
  add_class(out, WORD_AUTOMATON, ITEM_KEYWORD);
  if (begins_item(c)) add(out, "var", ITEM_KEYWORD, NULL);
  if (!d) return;
  for (size_t i = 0; i < d->as.automaton.state_count; i++)
    add(out, d->as.automaton.states[i].name.text, ITEM_ENUM_MEMBER, "state");
  for (size_t i = 0; i < d->as.automaton.var_count; i++)
    add(out, d->as.automaton.vars[i].text, ITEM_VARIABLE, "variable of the automaton");
}

static void complete_proof(struct items *out, const struct context *c, const struct document *d) {
  if (last_is(c, d, "sample") || last_is(c, d, "loop")) {
    add_routine_vars(out, routine_around(out));
    return;
  }
  add_class(out, WORD_PROOF, ITEM_KEYWORD);
  if (begins_item(c)) return;
  add_class(out, WORD_PROOF_NAME, ITEM_VARIABLE);
  add_expressions(out, true);
  for (size_t i = 0; i < builtin_count(); i++)
    if (builtin_is_proof_only(builtin_at(i)->id))
      add(out, builtin_at(i)->name, ITEM_FUNCTION, builtin_at(i)->help);
}

static void complete_head(struct items *out, const struct context *c) {
  static const char *const clauses[] = {"emits", "returns", "adjacent", "requires", NULL};
  static const char *const inputs[] = {"private", "public", NULL};
  static const char *const uses[] = {"uses", "at", "most", NULL};
  bool is_mechanism = c->decl == TOKEN_MECHANISM;
  if (is_mechanism && (c->last[0].kind == TOKEN_LPAREN || c->last[0].kind == TOKEN_COMMA))
    add_words(out, inputs);
  if (is_mechanism) add_words(out, clauses);
  if (c->decl == TOKEN_ADVERSARY) add_words(out, uses);
  add_expressions(out, true);
}

static void add_distributions(struct items *out) {
  for (size_t i = 0; i < DIST_COUNT; i++) {
    const struct dist_info *info = dist_get(i);
    if (dist_find(info->name) == info) add(out, info->name, ITEM_CLASS, info->help);
  }
  for (enum dist_sugar id = SUGAR_NONE + 1; id < SUGAR_END; id++)
    add(out, sugar_get(id)->name, ITEM_CLASS, sugar_get(id)->help);
}

static void complete(struct items *out, const struct context *c, const struct document *d) {
  bool in_body = c->depth > 0;
  if (c->decl == TOKEN_END) {
    add_declarations(out);
  } else if (c->in_proof) {
    complete_proof(out, c, d);
  } else if (c->last[0].kind == TOKEN_SAMPLE) {
    add_distributions(out);
  } else if (c->decl == TOKEN_CLAIM) {
    complete_claim(out, c, d);
  } else if (c->decl == TOKEN_AUTOMATON) {
    complete_automaton(out, c);
  } else if (c->last[0].kind == TOKEN_COLON || last_is(c, d, "returns") || last_is(c, d, "emits")) {
    add_types(out);
  } else if (c->decl == TOKEN_INSTANCE && c->depth == 1 && begins_item(c)) {
    static const char *const bindings[] = {"param", "input", "type", "op", "adversary", NULL};
    add_words(out, bindings);
  } else if (in_body && begins_item(c)) {
    add_statements(out);
  } else if (in_body) {
    add_expressions(out, false);
  } else {
    complete_head(out, c);
  }
}

json_t *feature_completion(struct session *s, const json_t *params, struct rpc_error *error) {
  uint32_t offset;
  struct document *d = param_place(s, params, &offset, error);
  if (!d) return NULL;
  const struct analysis *a = session_analysis(s, d);
  struct items out = {s, a, offset, json_array()};
  if (!a->unit) return out.list;
  struct context c = context_at(d, offset);
  if (!c.is_in_comment) complete(&out, &c, d);
  return out.list;
}
