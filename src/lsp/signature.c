/* Signature help: which arguments a call takes, and which of them is being written. The brackets
 * before the cursor say which call it is in; declarations come from the last analysis. */
#include <stdlib.h>
#include <string.h>

#include "lang/format/print.h"
#include "lang/syntax/builtin.h"
#include "lsp/features.h"
#include "lsp/scan.h"

/* ---- the call around the cursor --------------------------------------------------------------- */

struct bracket {
  enum token_kind open;
  char *callee;  /* the name before it; NULL: no call */
  size_t commas; /* since it was opened */
};

struct brackets {
  VEC(struct bracket) open;
  struct token last; /* and before it, was there a word that declares the name? */
  char *last_name;
  bool declares;
};

static void pop(struct brackets *b) {
  free(vec_last(&b->open).callee);
  b->open.len--;
}

/* A statement ends, or a block begins or ends: calls that were not closed are given up. */
static void end_statement(struct brackets *b) {
  while (b->open.len && (vec_last(&b->open).open != TOKEN_LBRACE || vec_last(&b->open).callee))
    pop(b);
}

static bool declares_name(struct token t) {
  switch (t.kind) {
  case TOKEN_PROCEDURE:
  case TOKEN_OP:
  case TOKEN_LET:
  case TOKEN_ADVERSARY:
  case TOKEN_MECHANISM:
  case TOKEN_ORACLE: return true;
  default: return t.kind == TOKEN_NAME && strcmp(t.text, "uses") == 0;
  }
}

static void open_bracket(struct brackets *b, enum token_kind kind) {
  bool is_call = b->last.kind == TOKEN_NAME && !b->declares &&
                 (kind == TOKEN_LPAREN || (kind == TOKEN_LBRACE && dist_find_items(b->last_name)));
  if (kind == TOKEN_LBRACE && !is_call) end_statement(b);
  vec_push(&b->open, (struct bracket){kind, is_call ? xstrdup(b->last_name) : NULL, 0});
}

static void close_bracket(struct brackets *b, enum token_kind open) {
  bool fits = b->open.len && vec_last(&b->open).open == open;
  if (!fits && open == TOKEN_LBRACE) end_statement(b);
  if (b->open.len && vec_last(&b->open).open == open) pop(b);
}

static void follow(void *context, struct token t) {
  struct brackets *b = context;
  switch (t.kind) {
  case TOKEN_LPAREN:
  case TOKEN_LBRACKET:
  case TOKEN_LBRACE: open_bracket(b, t.kind); break;
  case TOKEN_RPAREN: close_bracket(b, TOKEN_LPAREN); break;
  case TOKEN_RBRACKET: close_bracket(b, TOKEN_LBRACKET); break;
  case TOKEN_RBRACE: close_bracket(b, TOKEN_LBRACE); break;
  case TOKEN_SEMICOLON: end_statement(b); break;
  case TOKEN_COMMA:
    if (b->open.len) vec_last(&b->open).commas++;
    break;
  default: break;
  }
  if (t.kind == TOKEN_NAME) {
    b->declares = declares_name(b->last);
    free(b->last_name);
    b->last_name = xstrdup(t.text);
  }
  b->last = t;
  b->last.text = b->last_name; /* its own text lives no longer than the scan */
}

/* The innermost call; brackets that group belong to an argument of it. */
static const struct bracket *call_around(const struct brackets *b) {
  for (size_t i = b->open.len; i-- > 0;) {
    const struct bracket *at = &b->open.at[i];
    if (at->callee) return at;
    if (at->open == TOKEN_LBRACE) return NULL;
  }
  return NULL;
}

static void clear(struct brackets *b) {
  while (b->open.len)
    pop(b);
  vec_clear(&b->open);
  free(b->last_name);
}

/* ---- what it takes ---------------------------------------------------------------------------- */

struct signature {
  struct buffer label; /* "Lap(centre, scale) : real" */
  const char *help;    /* or NULL */
};

static const char *without_article(const char *words) {
  return strncmp(words, "the ", 4) == 0 ? words + 4 : words;
}

static void put_family(struct signature *s, const struct dist_info *f) {
  static const char *const samples[] = {[SAMPLES_REAL] = " : real",
                                        [SAMPLES_INT] = " : int",
                                        [SAMPLES_BOOL] = " : bool",
                                        [SAMPLES_ITEM] = ""};
  buffer_puts(&s->label, f->name);
  switch (f->parameters) {
  case PARAMETERS_CENTRED:
    buffer_printf(&s->label, "(%s, %s)", f->location, without_article(f->spread));
    break;
  case PARAMETERS_RANGE: buffer_puts(&s->label, "(low, high)"); break;
  case PARAMETERS_CHANCE: buffer_puts(&s->label, "(probability)"); break;
  case PARAMETERS_ITEMS: buffer_puts(&s->label, "{items}"); break;
  }
  buffer_puts(&s->label, samples[f->samples]);
  s->help = f->help;
}

/* What the arguments of functions are called where that says more than x and y. */
static const char *argument_names(const struct builtin_info *f) {
  switch (f->id) {
  case BUILTIN_WITHIN: return "x, bound";
  case BUILTIN_FMA: return "x, y, z";
  case BUILTIN_ALL_WITHIN:
  case BUILTIN_ONE_DIFFERS:
  case BUILTIN_ALL_INCREASE:
  case BUILTIN_ALL_DECREASE:
  case BUILTIN_MONOTONE: return "array, bound";
  case BUILTIN_ONE_CHANGES:
  case BUILTIN_ADD_REMOVE:
  case BUILTIN_SUM:
  case BUILTIN_ARGMAX:
  case BUILTIN_ARGMIN:
  case BUILTIN_SORT:
  case BUILTIN_DIFFERING: return "array";
  case BUILTIN_SAME_EXCEPT: return "array, index";
  case BUILTIN_LENGTH:
  case BUILTIN_HEAD:
  case BUILTIN_TAIL: return "list";
  default: return f->arity == 1 ? "x" : f->arity == 2 ? "x, y" : NULL;
  }
}

static const struct ast_decl *find_function(const struct analysis *a, const char *name) {
  for (size_t i = 0; a->module && i < a->module->decl_count; i++) {
    const struct ast_decl *d = a->module->decls[i];
    bool is_function = d->kind == DECL_PROCEDURE || d->kind == DECL_OP || d->kind == DECL_LET ||
                       d->kind == DECL_ADVERSARY;
    if (is_function && d->name.text && strcmp(d->name.text, name) == 0) return d;
  }
  return NULL;
}

/* False: nothing of that name takes arguments. */
static bool find_signature(struct signature *s, const struct analysis *a,
                           const struct bracket *call) {
  const struct dist_info *family =
      call->open == TOKEN_LBRACE ? dist_find_items(call->callee) : dist_find(call->callee);
  const struct builtin_info *f = builtin_find(call->callee);
  const struct ast_decl *d = find_function(a, call->callee);
  const char *names = f ? argument_names(f) : NULL;
  if (family) {
    put_family(s, family);
  } else if (names) {
    buffer_printf(&s->label, "%s(%s)", f->name, names);
    s->help = f->help;
  } else if (d) {
    print_signature(&s->label, d);
    s->help = d->doc;
  }
  return s->label.len > 0;
}

/* ---- as the protocol has it ------------------------------------------------------------------- */

/* Each argument by its place in the label, which is "...(a, b : int)...": commas of types such as
 * (int, int) do not part arguments. ASCII only, so that bytes are characters. */
static json_t *parameters_of(const char *label) {
  json_t *list = json_array();
  size_t begin = strcspn(label, "({"), depth = 0;
  if (!label[begin]) return list;
  begin++;
  for (size_t i = begin; label[i]; i++) {
    bool closes = strchr(")}]", label[i]) != NULL;
    if (depth == 0 && (closes || label[i] == ',')) {
      while (label[begin] == ' ')
        begin++;
      json_array_append_new(list, json_pack("{s:[i, i]}", "label", (int)begin, (int)i));
      begin = i + 1;
      if (closes) return list;
    }
    if (strchr("({[", label[i])) depth++;
    if (closes) depth--;
  }
  return list;
}

/* Editors that do not know places get the words. */
static void places_to_words(json_t *parameters, const char *label) {
  size_t i;
  json_t *p;
  json_array_foreach(parameters, i, p) {
    const json_t *place = json_object_get(p, "label");
    size_t begin = (size_t)json_integer_value(json_array_get(place, 0)),
           end = (size_t)json_integer_value(json_array_get(place, 1));
    json_object_set_new(p, "label", text_to_json(label + begin, end - begin));
  }
}

static bool is_ascii(const char *text) {
  for (; *text; text++)
    if ((unsigned char)*text >= 0x80) return false;
  return true;
}

static json_t *signature_json(const struct session *s, const struct signature *found,
                              const struct bracket *call) {
  const char *label = buffer_text(&found->label);
  json_t *parameters = parameters_of(label);
  size_t count = json_array_size(parameters), active = call->commas;
  if (!s->client.label_offsets || !is_ascii(label)) places_to_words(parameters, label);
  if (count && active >= count) active = count - 1; /* {items}, or one too many */
  json_t *signature = json_pack("{s:o, s:o}", "label", text_to_json(label, strlen(label)),
                                "parameters", parameters);
  if (found->help)
    json_object_set_new(signature, "documentation",
                        json_pack("{s:s, s:o}", "kind", "markdown", "value",
                                  text_to_json(found->help, strlen(found->help))));
  return json_pack("{s:[o], s:i, s:i}", "signatures", signature, "activeSignature", 0,
                   "activeParameter", (int)active);
}

json_t *feature_signature_help(struct session *s, const json_t *params, struct rpc_error *error) {
  uint32_t offset;
  struct document *d = param_place(s, params, &offset, error);
  if (!d) return NULL;
  const struct analysis *a = session_analysis(s, d);
  if (!a->unit) return json_null();
  struct brackets brackets = {.last = {.kind = TOKEN_END}};
  struct signature found = {.help = NULL};
  buffer_init(&found.label);
  enum scan_place place = scan_before(d, offset, follow, &brackets);
  const struct bracket *call = call_around(&brackets);
  bool is_in_code = place == SCAN_CODE || place == SCAN_NUMBER;
  json_t *result = is_in_code && call && find_signature(&found, a, call)
                       ? signature_json(s, &found, call)
                       : json_null();
  buffer_clear(&found.label);
  clear(&brackets);
  return result;
}
