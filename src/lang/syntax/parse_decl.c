#include <string.h>

#include "base/limits.h"
#include "base/spell.h"
#include "lang/syntax/parse_internal.h"

static struct ast_decl *new_decl(struct parser *p, enum decl_kind kind) {
  struct ast_decl *d = arena_new(&p->lang->arena, struct ast_decl);
  d->kind = kind;
  d->span = token_span(p, &p->cur);
  return d;
}

/* ---- doc comments --------------------------------------------------------------------------- */

/* The doc comments before the current token: text behind `///` and one space, lines joined. */
static const char *take_doc(struct parser *p) {
  struct buffer doc;
  buffer_init(&doc);
  bool any = false;
  for (uint32_t i = p->cur.comment_begin; i < p->cur.comment_end; i++) {
    const struct ast_comment *c = &p->lexer.comments.at[i];
    if (!c->is_doc) continue;
    const char *text = p->lexer.text + c->span.begin + 3, *end = p->lexer.text + c->span.end;
    if (text < end && *text == ' ') text++;
    while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
      end--;
    if (any) buffer_putc(&doc, '\n');
    buffer_add(&doc, text, (size_t)(end - text));
    any = true;
  }
  const char *result = any ? arena_strndup(&p->lang->arena, buffer_text(&doc), doc.len) : NULL;
  buffer_clear(&doc);
  return result;
}

/* ---- short declarations --------------------------------------------------------------------- */

/* "include" STRING ";" */
static void parse_include(struct parser *p, struct ast_decl *d) {
  d->kind = DECL_INCLUDE;
  d->as.include.span = token_span(p, &p->cur);
  d->as.include.path = "";
  if (!at(p, TOKEN_STRING)) {
    if (fail_expected(p, "expected-string", "the path of a file in quotes"))
      diag_hint(&p->lang->diags, "write `include \"common.dp\";`");
    return;
  }
  if (p->cur.text) d->as.include.path = p->cur.text;
  if (p->cur.text && p->cur.text[0] == '\0')
    complain(p, token_span(p, &p->cur), "expected-string", "the path of the file is empty");
  advance(p);
  expect_semicolon(p, "this include");
}

/* "param" name { "," name } ":" type { "," formula } ";" gives one declaration for each name */
static void parse_param(struct parser *p, struct ast_decl *last, struct decl_list *out) {
  struct name_list names = {0};
  parse_names(p, &names, "the name of a parameter");
  if (!p->panic && !at(p, TOKEN_COLON) &&
      fail_expected(p, "expected-type", "`:` and a type after the name of the parameter"))
    diag_hint(&p->lang->diags, "write `param eps : real, eps > 0;`");
  expect(p, TOKEN_COLON, "after the name of the parameter");
  struct ast_type *type = parse_type(p);
  struct expr_list assumptions = {0};
  while (!p->panic && accept(p, TOKEN_COMMA))
    vec_push(&assumptions.items, parse_expr(p));
  if (!p->panic && (at(p, TOKEN_EQ) || at(p, TOKEN_ASSIGN))) {
    if (fail_expected(p, "expected-token", "`,` and an assumption, or `;`"))
      diag_hint(&p->lang->diags,
                "a constant is declared by `let x = e;`; a parameter gets its value "
                "in an `instance`");
  }
  expect_semicolon(p, "this parameter");
  for (size_t i = 0; i < names.items.len; i++) {
    bool is_last = i + 1 == names.items.len;
    struct ast_decl *d = is_last ? last : arena_memdup(&p->lang->arena, last, sizeof *last);
    d->kind = DECL_PARAM;
    d->name = names.items.at[i];
    d->span = span_from(p, last->span.begin);
    d->as.param.type = type;
    if (is_last) d->as.param.assumptions = take_exprs(p, &assumptions, &d->as.param.count);
    if (!is_last) vec_push(&out->items, d);
  }
  vec_clear(&names.items);
}

/* The `=` of a definition. */
static void expect_definition(struct parser *p, const char *what) {
  if (p->panic || accept(p, TOKEN_EQ)) return;
  if (at(p, TOKEN_ASSIGN)) {
    if (complain(p, token_span(p, &p->cur), "definition-operator",
                 "expected `=` in the definition of %s, found `:=`", what))
      diag_hint(&p->lang->diags,
                "`:=` assigns variables in bodies; definitions are written with `=`");
    advance(p);
    return;
  }
  expect(p, TOKEN_EQ, "in this definition");
}

/* expr | "?" */
static struct ast_expr *parse_cost(struct parser *p) {
  return p->panic || !at(p, TOKEN_QUESTION) ? parse_expr(p) : parse_hole(p);
}

/* "let" name [ "(" args ")" ] [ ":" type ] "=" ( expr | "?" ) ";" */
static void parse_let(struct parser *p, struct ast_decl *d) {
  d->kind = DECL_LET;
  d->name = expect_name(p, "the name of a definition");
  if (!p->panic && at(p, TOKEN_LPAREN))
    d->as.let.args = parse_args(p, VAR_ARG, &d->as.let.arg_count);
  if (!p->panic && accept(p, TOKEN_COLON)) d->as.let.type = parse_type(p);
  expect_definition(p, "a constant");
  d->as.let.body = parse_cost(p);
  expect_semicolon(p, "this definition");
}

/* "op" name [ "(" args ")" ] ":" type ";" */
static void parse_op(struct parser *p, struct ast_decl *d) {
  d->kind = DECL_OP;
  d->name = expect_name(p, "the name of an operator");
  if (!p->panic && at(p, TOKEN_LPAREN)) d->as.op.args = parse_args(p, VAR_ARG, &d->as.op.arg_count);
  if (!p->panic && at(p, TOKEN_EQ) && fail_expected(p, "expected-token", "`:` and a type"))
    diag_hint(&p->lang->diags, "an operator is abstract; a function with a body is a `let`");
  expect(p, TOKEN_COLON, "and the type of the result");
  d->as.op.result = parse_type(p);
  expect_semicolon(p, "this operator");
}

/* proof = "proof" "{" balanced text "}"; at the `proof`. Nothing between the braces is read. */
static struct span parse_proof(struct parser *p) {
  struct token open = p->next;
  if (open.kind != TOKEN_LBRACE) {
    advance(p);
    expect(p, TOKEN_LBRACE, "after `proof`");
    return span_none();
  }
  uint32_t close;
  if (!lexer_skip_block(&p->lexer, open.begin, &close)) {
    if (fail(p, token_span(p, &open), "unclosed-block", "the `{` of this proof is never closed"))
      diag_hint(&p->lang->diags, "add the missing `}`");
  }
  p->prev = (struct token){.kind = TOKEN_RBRACE, .begin = close - 1, .end = close};
  p->cur = lexer_next(&p->lexer);
  p->next = p->cur.kind == TOKEN_END ? p->cur : lexer_next(&p->lexer);
  return (struct span){p->lexer.file, open.begin, close};
}

/* "axiom" name ":" formula ";" | "lemma" name ":" formula ( ";" | proof ) */
static void parse_formula_decl(struct parser *p, struct ast_decl *d, enum decl_kind kind) {
  bool is_lemma = kind == DECL_LEMMA;
  d->kind = kind;
  d->name = expect_name(p, is_lemma ? "the name of a lemma" : "the name of an axiom");
  expect(p, TOKEN_COLON, "after the name");
  d->as.formula = parse_expr(p);
  if (is_lemma && !p->panic && at(p, TOKEN_PROOF))
    d->lemma_proof = parse_proof(p);
  else
    expect_semicolon(p, is_lemma ? "this lemma" : "this axiom");
}

/* Reads the name if it is this one; `within` is a function elsewhere, `ulp` nothing. */
static bool accept_name(struct parser *p, const char *name) {
  if (p->panic || !at(p, TOKEN_NAME) || strcmp(p->cur.text, name) != 0) return false;
  advance(p);
  return true;
}

/* "libm" name { "," name } "within" NUMBER "ulp" ";" */
static void parse_libm(struct parser *p, struct ast_decl *d) {
  struct name_list names = {0};
  d->kind = DECL_LIBM;
  parse_names(p, &names, "the name of a function");
  if (!accept_name(p, "within") && !p->panic && fail_expected(p, "expected-token", "`within`"))
    diag_hint(&p->lang->diags, "write `libm ln, exp within 1 ulp;`");
  d->as.libm.bound = parse_expr(p);
  if (!accept_name(p, "ulp") && !p->panic &&
      fail_expected(p, "expected-token", "`ulp` after the number"))
    diag_hint(&p->lang->diags, "write `libm ln, exp within 1 ulp;`");
  expect_semicolon(p, "this declaration");
  d->as.libm.count = names.items.len;
  d->as.libm.functions = arena_take_vec(&p->lang->arena, &names.items);
}

/* "uses" name "(" [ args ] ")" [ ":" type ] "at" "most" expr */
static struct ast_oracle_use parse_use(struct parser *p) {
  struct ast_oracle_use use = {.name = expect_name(p, "the name of an oracle")};
  use.args = parse_args(p, VAR_ARG, &use.arg_count);
  if (!p->panic && accept(p, TOKEN_COLON)) use.returns = parse_type(p);
  if (!p->panic && !at_word(p, "at")) {
    if (fail_expected(p, "expected-token", "`at most` and the number of queries"))
      diag_hint(&p->lang->diags, "write `uses O(q : Query) : real at most N`");
  }
  expect_word(p, "at", "most N queries");
  expect_word(p, "most", "after `at`");
  use.bound = parse_expr(p);
  return use;
}

/* "adversary" name "(" [ args ] ")" [ ":" type ] { "uses" ... } ";" */
static void parse_adversary(struct parser *p, struct ast_decl *d) {
  d->kind = DECL_ADVERSARY;
  d->name = expect_name(p, "the name of an adversary");
  d->as.adversary.args = parse_args(p, VAR_ARG, &d->as.adversary.arg_count);
  if (!p->panic && accept(p, TOKEN_COLON)) d->as.adversary.returns = parse_type(p);
  VEC(struct ast_oracle_use) uses = {0};
  while (!p->panic && accept_word(p, "uses"))
    vec_push(&uses, parse_use(p));
  d->as.adversary.use_count = uses.len;
  d->as.adversary.uses = arena_take_vec(&p->lang->arena, &uses);
  if (!p->panic && at(p, TOKEN_LBRACE) && fail_expected(p, "expected-token", "`uses` or `;`"))
    diag_hint(&p->lang->diags, "an adversary is abstract; it gets a body in an `instance`");
  expect_semicolon(p, "this adversary");
}

/* ---- routines ------------------------------------------------------------------------------- */

/* name "(" [ args ] ")" [ ":" type ] block
 * A routine whose head could not be read makes the whole declaration an error: its body would only
 * give consequences. */
static struct ast_routine *parse_routine(struct parser *p, const char *what, bool *broken) {
  struct ast_routine *r = arena_new(&p->lang->arena, struct ast_routine);
  uint32_t begin = p->prev.begin;
  r->name = expect_name(p, what);
  r->args = parse_args(p, VAR_ARG, &r->arg_count);
  if (!p->panic && accept(p, TOKEN_COLON)) r->returns = parse_type(p);
  if (!p->panic && at_word(p, "returns") && fail_expected(p, "expected-token", "`:` or `{`"))
    diag_hint(&p->lang->diags, "write `: T`; only mechanisms have `returns`");
  *broken |= p->panic;
  r->body = parse_block(p, "this routine");
  r->span = span_from(p, begin);
  return r;
}

/* { "emits" type | "returns" type | "adjacent" formula | "requires" formula }, in any order; all
 * but `requires` once. */
static void parse_clauses(struct parser *p, struct ast_decl *d, struct ast_routine *r) {
  struct expr_list requires = {0};
  while (!p->panic) {
    if (!r->emits && accept_word(p, "emits"))
      r->emits = parse_type(p);
    else if (!r->returns && accept_word(p, "returns"))
      r->returns = parse_type(p);
    else if (!d->as.mechanism.adjacent && accept_word(p, "adjacent"))
      d->as.mechanism.adjacent = d->as.mechanism.adjacent_written = parse_expr(p);
    else if (accept_word(p, "requires"))
      vec_push(&requires.items, parse_expr(p));
    else
      break;
  }
  d->as.mechanism.requires_written = take_exprs(p, &requires, &d->as.mechanism.written_count);
}

/* "(" [ args ] ")" clauses */
static void parse_mechanism_head(struct parser *p, struct ast_decl *d, struct ast_routine *r) {
  r->name = d->name = expect_name(p, "the name of a mechanism");
  r->args = parse_args(p, VAR_INPUT, &r->arg_count);
  parse_clauses(p, d, r);
  if (!p->panic && at(p, TOKEN_SEMICOLON) && p->next.kind == TOKEN_LBRACE) {
    if (complain(p, token_span(p, &p->cur), "extra-semicolon", "this `;` ends nothing"))
      diag_hint(&p->lang->diags, "leave it out: the body of the mechanism follows");
    advance(p);
  }
  if (p->panic || at(p, TOKEN_LBRACE)) return;
  static const char *const clauses[] = {"emits", "returns", "adjacent", "requires"};
  if (!fail_expected(p, "expected-block", "`{` or a clause of the mechanism")) return;
  struct diags *diags = &p->lang->diags;
  const char *near = at(p, TOKEN_NAME)
                         ? spell_nearest(p->cur.text, clauses, sizeof clauses / sizeof *clauses)
                         : NULL;
  if (near)
    diag_hint(diags, "did you mean `%s`?", near);
  else if (at(p, TOKEN_COMMA))
    diag_hint(diags, "several conditions are joined with `and`");
  else if (at(p, TOKEN_RETURN))
    diag_hint(diags, "did you mean `returns`?");
  else if (at(p, TOKEN_COLON) || at(p, TOKEN_ARROW))
    diag_hint(diags, "the type of the result is written `returns T`");
  else if (at(p, TOKEN_NAME) && strncmp(p->cur.text, "neighb", 6) == 0)
    diag_hint(diags, "`adjacent` says how far neighbours may differ: `adjacent within(x, 1)`");
  else
    diag_hint(diags, "clauses are emits, returns and adjacent, once each, and requires");
}

/* mechanism = "mechanism" name head "{" { oracle } { statement } "}" */
static void parse_mechanism(struct parser *p, struct ast_decl *d) {
  d->kind = DECL_MECHANISM;
  struct ast_routine *r = arena_new(&p->lang->arena, struct ast_routine);
  d->as.mechanism.routine = r;
  parse_mechanism_head(p, d, r);
  bool broken = p->panic;
  if (p->panic && !sync_body(p)) return;
  struct token open = p->cur;
  advance(p);
  if (!enter(p)) return;
  p->above++;
  VEC(struct ast_routine *) oracles = {0};
  while (at(p, TOKEN_ORACLE)) {
    advance(p);
    struct ast_routine *oracle = parse_routine(p, "the name of an oracle", &broken);
    oracle->enclosing = r;
    vec_push(&oracles, oracle);
    if (p->panic) sync_item(p);
  }
  r->oracle_count = oracles.len;
  r->oracles = arena_take_vec(&p->lang->arena, &oracles);
  struct stmt_list none = {0};
  r->body = parse_block_rest(p, &open, &none, "this mechanism");
  p->above--;
  leave(p);
  r->span = span_from(p, d->span.begin);
  if (broken) d->kind = DECL_ERROR;
}

/* "procedure" name "(" [ args ] ")" [ ":" type ] block */
static void parse_procedure(struct parser *p, struct ast_decl *d) {
  bool broken = false;
  d->as.procedure = parse_routine(p, "the name of a procedure", &broken);
  d->name = d->as.procedure->name;
  d->kind = broken ? DECL_ERROR : DECL_PROCEDURE;
}

/* ---- claims --------------------------------------------------------------------------------- */

/* "renyi" ( expr | "for" "all" name ) */
static void parse_order(struct parser *p, struct ast_decl *d) {
  if (!accept(p, TOKEN_FOR)) {
    d->as.claim.order = parse_expr(p);
    return;
  }
  if (expect_word(p, "all", "after `for`"))
    d->as.claim.all_order = new_var(p, VAR_BINDER, expect_name(p, "a name for the order"));
}

static bool at_notion(struct parser *p, enum notion *notion) {
  *notion = at_word(p, "zcdp")       ? NOTION_ZCDP
            : at_word(p, "renyi")    ? NOTION_RENYI
            : at_word(p, "gaussian") ? NOTION_GAUSSIAN
                                     : NOTION_PURE;
  return *notion != NOTION_PURE || at_word(p, "epsilon");
}

/* `epsilon = e` */
static void refuse_equals(struct parser *p, const char *subject) {
  if (p->panic || !(at(p, TOKEN_EQ) || at(p, TOKEN_ASSIGN))) return;
  if (complain(p, token_span(p, &p->cur), "expected-expression", "expected an expression, found %s",
               at(p, TOKEN_EQ) ? "`=`" : "`:=`"))
    diag_hint(&p->lang->diags, "no `=`: write `claim private %s epsilon e delta d;`", subject);
  advance(p);
}

/* cost = "epsilon" c [ "delta" expr ] | "zcdp" c | "renyi" order "epsilon" c | "gaussian" c */
static void parse_claim_cost(struct parser *p, struct ast_decl *d) {
  const char *subject = d->as.claim.subject.text;
  if (!p->panic && !at_notion(p, &d->as.claim.notion) &&
      fail_expected(p, "expected-token", "`epsilon` after the name of the mechanism"))
    diag_hint(&p->lang->diags,
              "write `claim private %s epsilon e;` (or `zcdp rho`, `renyi alpha epsilon e`, "
              "`gaussian mu`)",
              subject);
  enum notion notion = d->as.claim.notion;
  expect_word(p, notion_word(notion), "after the name of the mechanism");
  if (!p->panic && notion == NOTION_RENYI) {
    parse_order(p, d);
    expect_word(p, "epsilon", "after the order");
  }
  refuse_equals(p, subject);
  d->as.claim.epsilon = parse_cost(p);
  if (!p->panic && at(p, TOKEN_COMMA) && (next_is_word(p, "delta") || next_is_word(p, "under"))) {
    if (complain(p, token_span(p, &p->cur), "expected-token", "expected `%s`, found `,`",
                 p->next.text))
      diag_hint(&p->lang->diags, "no comma: write `claim private %s epsilon e delta d;`", subject);
    advance(p);
  }
  if (p->panic || !at_word(p, "delta")) return;
  if (notion != NOTION_PURE && complain(p, token_span(p, &p->cur), "expected-token",
                                        "`%s` has no delta", notion_word(notion)))
    diag_hint(&p->lang->diags,
              "write `epsilon e delta d` in another claim: it can be proved by way "
              "of this one");
  advance(p);
  refuse_equals(p, subject);
  d->as.claim.delta = parse_expr(p);
}

/* domain = name "=" expr | name "in" "{" exprs "}" */
static struct ast_domain parse_domain(struct parser *p) {
  struct ast_domain domain = {.name = expect_name(p, "the name of a parameter or an input")};
  struct expr_list values = {0};
  domain.is_set = !p->panic && accept(p, TOKEN_IN);
  if (domain.is_set) {
    struct token open = p->cur;
    if (expect(p, TOKEN_LBRACE, "before the values of this input"))
      parse_exprs(p, &values, TOKEN_RBRACE, &open, false);
  } else if (expect(p, TOKEN_EQ, "or `in` after this name")) {
    vec_push(&values.items, parse_expr(p));
  }
  domain.values = take_exprs(p, &values, &domain.count);
  return domain;
}

/* "at" domain { "," domain } */
static void parse_at(struct parser *p, struct ast_decl *d) {
  VEC(struct ast_domain) domains = {0};
  do
    vec_push(&domains, parse_domain(p));
  while (!p->panic && accept(p, TOKEN_COMMA));
  d->as.claim.at = arena_memdup(&p->lang->arena, domains.at, domains.len * sizeof *domains.at);
  d->as.claim.at_count = domains.len;
  vec_clear(&domains);
}

/* ":" formula "failure" c */
static void parse_accuracy(struct parser *p, struct ast_decl *d) {
  const char *subject = d->as.claim.subject.text;
  if (!p->panic && !at(p, TOKEN_COLON) &&
      fail_expected(p, "expected-token", "`:` after the name of the mechanism"))
    diag_hint(&p->lang->diags, "write `claim accurate %s: abs(result - q) <= t failure beta;`",
              subject);
  expect(p, TOKEN_COLON, "after the name of the mechanism");
  p->may_ask = true;
  if (!p->panic) d->as.claim.formula = parse_expr(p);
  p->may_ask = false;
  bool is_within = at(p, TOKEN_NAME) && strcmp(p->cur.text, "within") == 0;
  if (!p->panic && !at_word(p, "failure") &&
      fail_expected(p, "expected-token", "`failure` after the formula"))
    diag_hint(&p->lang->diags,
              is_within
                  ? "a distance is written `claim accurate %s: abs(result - q) <= ? failure beta;`"
                  : "say how likely the formula may fail: `claim accurate %s: ... failure beta;`",
              subject);
  expect_word(p, "failure", "after the formula");
  d->as.claim.epsilon = parse_cost(p);
}

/* ":" distribution */
static void parse_law(struct parser *p, struct ast_decl *d) {
  if (!p->panic && !at(p, TOKEN_COLON) &&
      fail_expected(p, "expected-token", "`:` after the name of the mechanism"))
    diag_hint(&p->lang->diags, "write `claim samples %s: DLap(0, b);`", d->as.claim.subject.text);
  expect(p, TOKEN_COLON, "after the name of the mechanism");
  struct ast_dist *law = arena_new(&p->lang->arena, struct ast_dist);
  struct span span = p->panic || !parse_distribution(p, law) ? d->as.claim.subject.span : law->span;
  d->as.claim.law = law;
  d->as.claim.formula = new_expr(p, EXPR_BOOL, span);
  d->as.claim.epsilon = new_expr(p, EXPR_NUMBER, span);
  d->as.claim.epsilon->as.number.value = arena_new(&p->lang->arena, fmpq);
  fmpq_init(d->as.claim.epsilon->as.number.value);
  vec_push(&p->lang->numbers, d->as.claim.epsilon->as.number.value);
  d->as.claim.epsilon->as.number.text = "0";
}

/* "private" name cost [ "under" formula ] [ "at" domains ]
 * | "accurate" name ":" formula "failure" c [ "under" formula ]
 * | "samples" name ":" distribution [ "under" formula ] */
static void parse_claim_body(struct parser *p, struct ast_decl *d) {
  bool accurate = !p->panic && at_word(p, "accurate");
  bool samples = !p->panic && at_word(p, "samples");
  if (!p->panic && !accurate && !samples && !at_word(p, "private")) {
    bool is_notion = at_word(p, "zcdp") || at_word(p, "renyi") || at_word(p, "gaussian");
    if (fail_expected(p, "expected-token", "`private`, `accurate` or `samples`"))
      diag_hint(&p->lang->diags,
                is_notion ? "the notion comes after the mechanism: `claim private m zcdp rho;`, "
                            "`renyi alpha epsilon e`, `gaussian mu`"
                          : "write `claim private m epsilon e;` or `claim name: private m epsilon "
                            "e;`");
  }
  bool one_run = accurate || samples;
  expect_word(p, accurate ? "accurate" : samples ? "samples" : "private", "in this claim");
  d->as.claim.subject =
      expect_name(p, one_run ? "the name of a mechanism" : "the name of a mechanism or automaton");
  if (!d->name.text) d->name = d->as.claim.subject;
  p->hole = NULL;
  if (accurate)
    parse_accuracy(p, d);
  else if (samples)
    parse_law(p, d);
  else
    parse_claim_cost(p, d);
  d->as.claim.asked = p->hole;
  if (!p->panic && accept_word(p, "under"))
    d->as.claim.under = d->as.claim.under_written = parse_expr(p);
  if (!p->panic && !one_run && accept_word(p, "at")) parse_at(p, d);
}

static void hint_claim_clause(struct parser *p) {
  static const char *const clauses[] = {"delta", "under", "at", "proof"};
  const char *near = spell_nearest(p->cur.text, clauses, sizeof clauses / sizeof *clauses);
  if (near && fail_expected(p, "expected-token", "`delta`, `under`, `at`, `proof` or `;`"))
    diag_hint(&p->lang->diags, "did you mean `%s`?", near);
}

/* claim = "claim" [ name ":" ] ( "private" | "accurate" | "samples" ) ... ( ";" | proof ) */
static void parse_claim(struct parser *p, struct ast_decl *d) {
  d->kind = DECL_CLAIM;
  if (at(p, TOKEN_NAME) && p->next.kind == TOKEN_COLON) {
    d->name = expect_name(p, "the name of a claim");
    advance(p);
  }
  parse_claim_body(p, d);
  if (!p->panic && at(p, TOKEN_PROOF)) {
    d->as.claim.proof = parse_proof(p);
    d->as.claim.has_proof = d->as.claim.proof.file != 0;
    return;
  }
  if (!p->panic && at(p, TOKEN_LBRACE) && fail_expected(p, "expected-token", "`;` or `proof`"))
    diag_hint(&p->lang->diags, "write `proof { ... }`");
  if (!p->panic && at(p, TOKEN_NAME) && !p->cur.starts_line) hint_claim_clause(p);
  expect_semicolon(p, "this claim");
}

/* ---- declarations --------------------------------------------------------------------------- */

static const char *foreign_declaration(const char *word) {
  static const struct {
    const char *word, *hint;
  } table[] = {
      {"def", "a mechanism begins with `mechanism`, a helper with `procedure` or `let`"},
      {"fn", "a mechanism begins with `mechanism`, a helper with `procedure` or `let`"},
      {"func", "a mechanism begins with `mechanism`, a helper with `procedure` or `let`"},
      {"function", "a mechanism begins with `mechanism`, a helper with `procedure` or `let`"},
      {"import", "other files are read with `include \"file.dp\";`; Python is read from files that "
                 "end in .py"},
      {"const", "a constant is declared by `let x = e;`"},
      {"theorem", "a statement about privacy is a `claim`, any other a `lemma`"},
      {"assume", "assumptions follow a parameter: `param eps : real, eps > 0;`"},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(table[i].word, word) == 0) return table[i].hint;
  return NULL;
}

static void hint_declaration(struct parser *p) {
  static const char *const keywords[] = {
      "include", "param",     "let",       "libm",      "type",      "op",    "axiom",
      "lemma",   "adversary", "procedure", "mechanism", "automaton", "claim", "instance"};
  struct diags *diags = &p->lang->diags;
  if (at(p, TOKEN_NAME)) {
    const char *hint = foreign_declaration(p->cur.text);
    const char *near = spell_nearest(p->cur.text, keywords, sizeof keywords / sizeof *keywords);
    if (hint)
      diag_hint(diags, "%s", hint);
    else if (p->next.kind == TOKEN_ASSIGN || p->next.kind == TOKEN_SAMPLE)
      diag_hint(diags, "statements stand in the body of a mechanism or procedure");
    else if (near)
      diag_hint(diags, "did you mean `%s`?", near);
    else
      diag_hint(diags, "a declaration begins with one of include, param, let, type, op, axiom, "
                       "lemma, adversary, procedure, mechanism, automaton, claim, instance");
  } else if (at(p, TOKEN_STRING)) {
    diag_hint(diags, "a comment begins with `//`, and Python is read from files that end in .py");
  } else if (at(p, TOKEN_ORACLE)) {
    diag_hint(diags, "oracles stand at the top of the body of a mechanism");
  } else if (at(p, TOKEN_PROOF)) {
    diag_hint(diags, "a proof takes the place of the `;` behind its claim or lemma");
  } else if (begins_statement(p->cur.kind) || at(p, TOKEN_IF) || at(p, TOKEN_ELSE)) {
    diag_hint(diags, "statements stand in the body of a mechanism; is there a `}` too many above?");
  }
}

static void fail_declaration(struct parser *p) {
  if (at(p, TOKEN_SEMICOLON)) {
    if (complain(p, token_span(p, &p->cur), "extra-semicolon", "this `;` ends nothing"))
      diag_hint(&p->lang->diags,
                p->prev.kind == TOKEN_RBRACE ? "no `;` follows a block; remove it" : "remove it");
    advance(p);
    return;
  }
  if (at(p, TOKEN_RBRACE)) {
    if (complain(p, token_span(p, &p->cur), "unmatched-brace", "this `}` closes nothing"))
      diag_hint(&p->lang->diags, "remove it, or look for a `{` that is missing above");
    advance(p);
    return;
  }
  if (fail_expected(p, "expected-declaration", "a declaration")) hint_declaration(p);
  advance(p);
  sync_declaration(p, false);
}

static void parse_one(struct parser *p, enum token_kind kind, struct ast_decl *d,
                      struct decl_list *out) {
  switch (kind) {
  case TOKEN_INCLUDE: parse_include(p, d); break;
  case TOKEN_PARAM: parse_param(p, d, out); break;
  case TOKEN_LET: parse_let(p, d); break;
  case TOKEN_TYPE: /* "type" name ";" */
    d->kind = DECL_TYPE;
    d->name = expect_name(p, "the name of a type");
    if (!p->panic && at(p, TOKEN_EQ) && fail_expected(p, "expected-token", "`;`"))
      diag_hint(&p->lang->diags, "a declared type is abstract; it gets a meaning in an `instance`");
    expect_semicolon(p, "this type");
    break;
  case TOKEN_OP: parse_op(p, d); break;
  case TOKEN_LIBM: parse_libm(p, d); break;
  case TOKEN_AXIOM: parse_formula_decl(p, d, DECL_AXIOM); break;
  case TOKEN_LEMMA: parse_formula_decl(p, d, DECL_LEMMA); break;
  case TOKEN_ADVERSARY: parse_adversary(p, d); break;
  case TOKEN_PROCEDURE: parse_procedure(p, d); break;
  case TOKEN_MECHANISM: parse_mechanism(p, d); break;
  case TOKEN_AUTOMATON: parse_automaton(p, d); break;
  case TOKEN_CLAIM: parse_claim(p, d); break;
  case TOKEN_INSTANCE: parse_instance(p, d); break;
  default: break;
  }
}

void parse_decl(struct parser *p, struct decl_list *out) {
  if (!begins_declaration(p->cur.kind)) {
    fail_declaration(p);
    return;
  }
  p->depth_reported = false;
  p->suspect.kind = TOKEN_END;
  struct ast_decl *d = new_decl(p, DECL_ERROR);
  d->doc = take_doc(p);
  enum token_kind kind = p->cur.kind;
  advance(p);
  parse_one(p, kind, d, out);
  if (p->panic) {
    sync_declaration(p, true);
    d->kind = DECL_ERROR;
  }
  d->span = span_from(p, d->span.begin);
  vec_push(&out->items, d);
}
