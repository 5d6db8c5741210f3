/* What the thing under the cursor is: signature or type, doc comment, and for a sampling the
 * coupling that the last verification used there. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lang/format/print.h"
#include "lang/format/words.h"
#include "lang/syntax/builtin.h"
#include "lsp/couplings.h"
#include "lsp/features.h"

/* ---- declared things ------------------------------------------------------------------------- */

static const char *role_text(const struct ast_var *v) {
  switch (v->role) {
  case VAR_INPUT: return v->is_private ? "private input" : "public input";
  case VAR_ARG: return "argument";
  case VAR_LOCAL: return "variable";
  case VAR_LOOP: return "index of the loop";
  case VAR_STATE: return "state of the adversary";
  case VAR_BINDER: return "bound variable";
  }
  return "variable";
}

/* As declared, since that shows lengths of arrays; else as inferred. */
static void put_type(struct buffer *out, const struct ast_var *v) {
  if (v->declared)
    print_type(out, v->declared);
  else if (v->type)
    type_print(out, v->type);
  else
    buffer_puts(out, "?");
}

static void put_variable(struct buffer *out, const struct symbol *s) {
  buffer_printf(out, "```dp\n%s : ", s->name);
  put_type(out, s->var);
  buffer_printf(out, "\n```\n%s", role_text(s->var));
  if (s->decl && s->decl->name.text) buffer_printf(out, " of `%s`", s->decl->name.text);
}

static void put_oracle(struct buffer *out, const struct symbol *s) {
  buffer_printf(out, "```dp\noracle %s(", s->name);
  print_args(out, s->routine->args, s->routine->arg_count);
  buffer_putc(out, ')');
  if (s->routine->returns) {
    buffer_puts(out, " : ");
    print_type(out, s->routine->returns);
  }
  buffer_puts(out, "\n```");
}

static void put_state(struct buffer *out, const struct ast_state *state) {
  if (state->is_final) {
    buffer_printf(out, "```dp\nstate %s final\n```\nthe run ends here", state->name.text);
    return;
  }
  buffer_printf(out, "```dp\nstate %s %s", state->name.text,
                state->is_input ? "input" : "noninput");
  if (state->d) {
    buffer_puts(out, " d ");
    print_expr(out, state->d);
  }
  if (state->mean) {
    buffer_puts(out, " mean ");
    print_expr(out, state->mean);
  }
  buffer_puts(out, "\n```");
}

static void put_formula(struct buffer *out, const struct symbol *s,
                        const struct ast_expr *formula) {
  buffer_printf(out, "```dp\n%s %s: ", s->kind == SYMBOL_AXIOM ? "axiom" : "lemma", s->name);
  if (formula) print_expr(out, formula);
  buffer_puts(out, "\n```");
}

static void put_assumptions(struct buffer *out, const struct ast_decl *d) {
  for (size_t i = 0; i < d->as.param.count; i++) {
    buffer_puts(out, i ? ", `" : "\n\nwith `");
    print_expr(out, d->as.param.assumptions[i]);
    buffer_putc(out, '`');
  }
}

static void put_declaration(struct buffer *out, const struct symbol *s) {
  const struct ast_decl *d = s->decl;
  buffer_puts(out, "```dp\n");
  print_signature(out, d);
  buffer_puts(out, "\n```");
  if (d->kind == DECL_PARAM) put_assumptions(out, d);
  if (d->kind == DECL_LET && d->as.let.constant) {
    char *value = fmpq_get_str(NULL, 10, d->as.let.constant);
    buffer_printf(out, "\n\nis `%s`", value);
    flint_free(value);
  }
  if (d->kind == DECL_MECHANISM && d->as.mechanism.adjacent_written) {
    buffer_puts(out, "\n\nadjacent `");
    print_expr(out, d->as.mechanism.adjacent_written);
    buffer_putc(out, '`');
  }
}

static void put_symbol(struct buffer *out, const struct symbol *s) {
  switch (s->kind) {
  case SYMBOL_VARIABLE: put_variable(out, s); break;
  case SYMBOL_ORACLE:
    if (s->routine) put_oracle(out, s);
    break;
  case SYMBOL_STATE:
    if (s->state) put_state(out, s->state);
    break;
  case SYMBOL_THRESHOLD: buffer_printf(out, "`%s`: variable of the automaton", s->name); break;
  case SYMBOL_VALUE: buffer_printf(out, "`%s`: a value that the proof speaks of", s->name); break;
  case SYMBOL_AXIOM:
  case SYMBOL_LEMMA: put_formula(out, s, s->decl->as.formula); break;
  default: put_declaration(out, s); break;
  }
  bool is_own = s->kind != SYMBOL_VARIABLE && s->kind != SYMBOL_STATE &&
                s->kind != SYMBOL_THRESHOLD && s->kind != SYMBOL_VALUE && s->kind != SYMBOL_ORACLE;
  if (is_own && s->decl->doc) buffer_printf(out, "\n\n%s", s->decl->doc);
}

/* ---- samplings ------------------------------------------------------------------------------- */

static const struct ast_stmt *sampling_in(const struct ast_block *b, uint32_t offset) {
  for (size_t i = 0; i < b->count; i++) {
    const struct ast_stmt *s = b->stmts[i], *inner = NULL;
    if (offset < s->span.begin || offset > s->span.end) continue;
    if (s->kind == STMT_SAMPLE) return s;
    if (s->kind == STMT_FOR) inner = sampling_in(&s->as.range.body, offset);
    if (s->kind == STMT_WHILE) inner = sampling_in(&s->as.loop.body, offset);
    if (s->kind == STMT_IF) inner = sampling_in(&s->as.branch.then, offset);
    if (s->kind == STMT_IF && !inner) inner = sampling_in(&s->as.branch.otherwise, offset);
    if (inner) return inner;
  }
  return NULL;
}

/* For each claim about the mechanism that was proved: how the runs are coupled here. */
static void put_couplings(struct buffer *out, struct session *s, struct document *d,
                          const struct ast_stmt *sampling) {
  const struct analysis *a = session_analysis(s, d);
  const struct file_record *record = session_record(s, d);
  if (!record) return;
  struct place at =
      sources_place((struct sources *)&a->lang.sources, sampling->span.file, sampling->span.begin);
  for (size_t i = 0; i < record->claims.len; i++) {
    struct buffer words;
    buffer_init(&words);
    coupling_words(&words, &record->claims.at[i], at.line, at.column);
    if (words.len)
      buffer_printf(out, "%s**coupling** (`%s` %s): %s", out->len ? "\n\n" : "",
                    record->claims.at[i].name, verdict_name(record->claims.at[i].verdict),
                    buffer_text(&words));
    buffer_clear(&words);
  }
}

/* ---- words of the language ------------------------------------------------------------------- */

static bool is_word_char(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '\'';
}

/* The name or word at the offset, as a span; empty if there is none. */
static struct span word_at(const struct document *d, uint32_t file, uint32_t offset) {
  uint32_t begin = offset, end = offset;
  while (begin > 0 && is_word_char(d->text[begin - 1]))
    begin--;
  while (end < d->length && is_word_char(d->text[end]))
    end++;
  return (struct span){file, begin, end};
}

static void put_builtin(struct buffer *out, const struct document *d, struct span word) {
  char *name = xmalloc(word.end - word.begin + 1);
  memcpy(name, d->text + word.begin, word.end - word.begin);
  name[word.end - word.begin] = '\0';
  const struct builtin_info *f = builtin_find(name);
  const struct dist_info *dist = dist_find(name);
  const struct sugar_info *sugar = sugar_find(name);
  if (f) buffer_printf(out, "`%s`: %s", name, f->help);
  if (dist) buffer_printf(out, "`%s`: %s", name, dist->help);
  if (sugar) buffer_printf(out, "`%s`: %s", name, sugar->help);
  free(name);
}

json_t *feature_hover(struct session *s, const json_t *params, struct rpc_error *error) {
  uint32_t offset;
  struct document *d = param_place(s, params, &offset, error);
  if (!d) return NULL;
  const struct analysis *a = session_analysis(s, d);
  if (!a->unit) return json_null();
  struct span span;
  struct buffer text;
  buffer_init(&text);
  const struct symbol *symbol = symbol_at(s, d, offset, &span);
  if (symbol) {
    put_symbol(&text, symbol);
  } else {
    span = word_at(d, a->file, offset);
    put_builtin(&text, d, span);
  }
  const struct ast_routine *routine = analysis_routine_at(a, offset);
  const struct ast_stmt *sampling = routine ? sampling_in(&routine->body, offset) : NULL;
  if (sampling) {
    put_couplings(&text, s, d, sampling);
    if (span.end <= span.begin) span = sampling->span;
  }
  json_t *result = json_null();
  if (text.len)
    result = json_pack("{s:{s:s, s:o}, s:o}", "contents", "kind", "markdown", "value",
                       text_to_json(buffer_text(&text), text.len), "range", span_range(s, a, span));
  buffer_clear(&text);
  return result;
}
