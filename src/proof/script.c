#include "proof/script.h"

#include "kernel/ahl.h"
#include "lang/parse_internal.h"

/* proof = "{" { item } "}" */
struct scope_parts {
  VEC(struct ast_expr *) invariants;
  VEC(struct ast_expr *) lemmas;
  VEC(struct script_noise) noises;
  VEC(struct script_sample) samples;
  VEC(struct script_scope *) loops;
};

/* Which steps make sense where. */
enum scope_place { PLACE_TOP, PLACE_CASE, PLACE_LOOP };

static struct script_scope *parse_scope(struct parser *p, enum scope_place place);

/* case = [ "when" formula ] ( "shift" expr [ "within" expr ] | "null" ) */
static struct script_case parse_case(struct parser *p) {
  struct script_case c = {0};
  if (accept_word(p, "when")) c.when = parse_expr(p);
  if (accept_word(p, "null")) return c;
  if (expect_word(p, "shift", "in a coupling")) c.shift = parse_expr(p);
  if (accept_word(p, "within")) c.bound = parse_expr(p);
  return c;
}

/* shift = case { "else" case }: every case but the last has a `when`. */
static void parse_cases(struct parser *p, struct script_sample *s) {
  VEC(struct script_case) cases = {0};
  do {
    struct script_case c = parse_case(p);
    vec_push(&cases, c);
    if (p->panic) break;
    if (!c.when && at(p, TOKEN_ELSE))
      fail(p, token_span(p, &p->cur), "case-after-else", "no case can follow one without `when`");
    if (c.when && !at(p, TOKEN_ELSE))
      fail_expected(p, "missing-else", "`else`: what happens otherwise must be said");
  } while (!p->panic && accept(p, TOKEN_ELSE));
  s->kind = COUPLING_SHIFT;
  s->case_count = cases.len;
  s->cases = arena_take_vec(&p->lang->arena, &cases);
}

/* expr { word expr }, the words as given (NULL: none before it). */
static void parse_words(struct parser *p, struct script_sample *s, const char *const *words,
                        size_t count) {
  VEC(struct ast_expr *) args = {0};
  for (size_t i = 0; i < count && !p->panic; i++) {
    if (words[i] && !expect_word(p, words[i], "in a coupling")) break;
    struct ast_expr *e = parse_expr(p);
    vec_push(&args, e);
  }
  s->arg_count = args.len;
  s->args = arena_take_vec(&p->lang->arena, &args);
}

/* interval = "interval" pair "to" pair "move" k "eta" e "sigma" s "cost" c
 *          | "interval" pair "inside" pair "move" k "eta" e "cost" c */
static void parse_interval(struct parser *p, struct script_sample *s) {
  static const char *const outer[] = {"to", "move", "eta", "sigma", "cost"};
  static const char *const inner[] = {"inside", "move", "eta", "cost"};
  struct ast_expr *own = parse_expr(p);
  s->kind = at_word(p, "inside") ? COUPLING_INSIDE : COUPLING_INTERVAL;
  if (s->kind == COUPLING_INSIDE)
    parse_words(p, s, inner, 4);
  else
    parse_words(p, s, outer, 5);
  /* the pair of run 1 goes last */
  VEC(struct ast_expr *) args = {0};
  for (size_t i = 0; i < s->arg_count; i++)
    vec_push(&args, s->args[i]);
  vec_push(&args, own);
  s->arg_count = args.len;
  s->args = arena_take_vec(&p->lang->arena, &args);
}

/* upto = "upto" formula "delta" expr ( "above" | "below" | "both" ) expr */
static void parse_upto(struct parser *p, struct script_sample *s) {
  s->upto = parse_expr(p);
  expect_word(p, "delta", "after the event");
  s->upto_delta = parse_expr(p);
  if (accept_word(p, "above"))
    s->upto_tail = TAIL_ABOVE;
  else if (accept_word(p, "below"))
    s->upto_tail = TAIL_BELOW;
  else if (accept_word(p, "both"))
    s->upto_tail = TAIL_BOTH;
  else
    fail_expected(p, "expected-proof-step", "`above`, `below` or `both`");
  if (!p->panic) s->upto_at = parse_expr(p);
}

/* sample = "sample" name [ NUMBER ] ":" coupling [ upto ] ";"
 * coupling = shift | "same" | "alone" | "scale" expr | interval
 *          | "flip" expr "otherwise" expr | "map" expr "back" expr */
static struct script_sample parse_sample(struct parser *p) {
  static const char *const scale[] = {NULL}, *const map[] = {NULL, "back"},
                           *const costs[] = {NULL, "otherwise"};
  struct script_sample s = {.span = token_span(p, &p->cur)};
  advance(p);
  s.name = expect_name(p, "the variable that is sampled");
  if (at(p, TOKEN_NUMBER)) {
    s.number = (unsigned)strtoul(p->lexer.text + p->cur.begin, NULL, 10);
    advance(p);
  }
  expect(p, TOKEN_COLON, "after the variable");
  if (accept_word(p, "same")) {
    s.kind = COUPLING_SAME;
  } else if (accept_word(p, "alone")) {
    s.kind = COUPLING_ALONE;
  } else if (accept_word(p, "scale")) {
    s.kind = COUPLING_SCALE;
    parse_words(p, &s, scale, 1);
  } else if (accept_word(p, "flip")) {
    s.kind = COUPLING_FLIP;
    parse_words(p, &s, costs, 2);
  } else if (accept_word(p, "map")) {
    s.kind = COUPLING_MAP;
    parse_words(p, &s, map, 2);
  } else if (accept_word(p, "interval")) {
    parse_interval(p, &s);
  } else {
    parse_cases(p, &s);
  }
  if (accept_word(p, "upto")) parse_upto(p, &s);
  s.span = span_from(p, s.span.begin);
  expect_semicolon(p, "the coupling");
  return s;
}

/* advanced = "advanced" "counted" e "at" "most" n "each" eps "omega" w ";"
 * hits     = "hits" h "counted" e "at" "most" n "each" eps "omega" w ";" */
static void parse_advanced(struct parser *p, struct script_scope *scope, bool hits) {
  struct script_advanced *a = arena_new(&p->lang->arena, struct script_advanced);
  a->span = token_span(p, &p->cur);
  advance(p);
  if (hits) a->hit = parse_expr(p);
  expect_word(p, "counted", "before the counter");
  a->hits = parse_expr(p);
  expect_word(p, "at", "after the counter");
  expect_word(p, "most", "after `at`");
  a->count = parse_expr(p);
  expect_word(p, "each", "after the number");
  a->epsilon = parse_expr(p);
  expect_word(p, "omega", "after the cost");
  a->omega = parse_expr(p);
  scope->advanced = a;
  expect_semicolon(p, "the composition");
}

/* loop = "loop" [ NUMBER | index ] "{" { item } "}" */
static struct script_scope *parse_loop(struct parser *p) {
  struct ast_name index = {0};
  unsigned number = 0;
  advance(p);
  if (at(p, TOKEN_NUMBER)) {
    number = (unsigned)strtoul(p->lexer.text + p->cur.begin, NULL, 10);
    advance(p);
  } else if (at(p, TOKEN_NAME)) {
    index = expect_name(p, "the index of the loop");
  }
  struct script_scope *scope = parse_scope(p, PLACE_LOOP);
  if (scope) {
    scope->index = index;
    scope->number = number;
  }
  return scope;
}

/* cases = "case" formula "{" { item } "}" "else" "{" { item } "}" */
static struct script_cases *parse_split(struct parser *p) {
  struct script_cases *c = arena_new(&p->lang->arena, struct script_cases);
  c->span = token_span(p, &p->cur);
  advance(p);
  c->condition = parse_expr(p);
  if (!p->panic) c->yes = parse_scope(p, PLACE_CASE);
  if (!p->panic && expect(p, TOKEN_ELSE, "after the case: what holds otherwise needs a proof too"))
    c->no = parse_scope(p, PLACE_CASE);
  c->span = span_from(p, c->span.begin);
  return c;
}

/* Steps about the whole claim are refused inside loops and cases, `case` inside loops, and whatever
 * only a loop has outside of one. */
static bool step_fits(struct parser *p, enum scope_place place) {
  static const struct {
    const char *word;
    bool top, in_case, in_loop;
  } table[] = {{"pointwise", true, false, false}, {"have", true, false, false},
               {"case", true, true, false},       {"admit", true, true, false},
               {"invariant", false, false, true}, {"budget", false, false, true},
               {"variant", false, false, true},   {"advanced", false, false, true},
               {"hits", false, false, true},      {"backward", true, false, true}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    if (!at_word(p, table[i].word)) continue;
    if (place == PLACE_TOP    ? table[i].top
        : place == PLACE_CASE ? table[i].in_case
                              : table[i].in_loop)
      return true;
    fail(p, token_span(p, &p->cur), "misplaced-proof-step", "`%s` belongs %s", table[i].word,
         table[i].top ? "to the top of the proof" : "into a loop");
    return false;
  }
  return true;
}

/* item = "invariant" formula ";" | "budget" expr ";" | "variant" expr ";" | sample | loop
 *      | advanced | hits | "pointwise" name "=" name ";" | "have" formula ";"
 *      | "laplace" name "from" name "scale" expr ";" | cases
 *      | "backward" scope | "admit" ";" */
static void parse_item(struct parser *p, struct script_scope *scope, struct scope_parts *parts,
                       enum scope_place place) {
  if (!step_fits(p, place)) return;
  if (at_word(p, "sample")) {
    struct script_sample s = parse_sample(p);
    vec_push(&parts->samples, s);
  } else if (at_word(p, "loop")) {
    struct script_scope *loop = parse_loop(p);
    if (loop) vec_push(&parts->loops, loop);
  } else if (accept_word(p, "invariant")) {
    struct ast_expr *e = parse_expr(p);
    vec_push(&parts->invariants, e);
    expect_semicolon(p, "the invariant");
  } else if (accept_word(p, "budget")) {
    scope->budget = parse_expr(p);
    expect_semicolon(p, "the budget");
  } else if (accept_word(p, "variant")) {
    scope->variant = parse_expr(p);
    expect_semicolon(p, "the variant");
  } else if (at_word(p, "advanced") || at_word(p, "hits")) {
    parse_advanced(p, scope, at_word(p, "hits"));
  } else if (accept_word(p, "pointwise")) {
    scope->pointwise = expect_name(p, "the output");
    expect(p, TOKEN_EQ, "after the output");
    scope->pointwise_value = expect_name(p, "a name for its value");
    expect_semicolon(p, "the step");
  } else if (accept_word(p, "laplace")) {
    struct script_noise n = {.result = expect_name(p, "the variable with the noise")};
    expect_word(p, "from", "after the variable");
    n.from = expect_name(p, "the uniform variable");
    expect_word(p, "scale", "after the variable");
    n.scale = parse_expr(p);
    vec_push(&parts->noises, n);
    expect_semicolon(p, "the step");
  } else if (accept_word(p, "have")) {
    struct ast_expr *e = parse_expr(p);
    vec_push(&parts->lemmas, e);
    expect_semicolon(p, "the lemma");
  } else if (accept_word(p, "backward")) {
    scope->backward = parse_scope(p, place);
  } else if (at_word(p, "case")) {
    if (scope->cases)
      fail(p, token_span(p, &p->cur), "misplaced-proof-step",
           "there is a `case` already: put this one into its branches");
    else
      scope->cases = parse_split(p);
  } else if (accept_word(p, "admit")) {
    scope->admit = true;
    expect_semicolon(p, "`admit`");
  } else {
    fail_expected(p, "expected-proof-step",
                  "`sample`, `loop`, `invariant`, `budget` or another step of a proof");
  }
}

static struct script_scope *parse_scope(struct parser *p, enum scope_place place) {
  struct script_scope *scope = arena_new(&p->lang->arena, struct script_scope);
  struct scope_parts parts = {0};
  scope->span = token_span(p, &p->cur);
  if (expect(p, TOKEN_LBRACE, "before the steps") && enter(p)) {
    while (!p->panic && !at(p, TOKEN_RBRACE) && !at(p, TOKEN_END))
      parse_item(p, scope, &parts, place);
    if (!p->panic) expect(p, TOKEN_RBRACE, "after the steps");
    leave(p);
  }
  if (!p->panic && scope->cases && parts.samples.len + parts.loops.len + parts.noises.len)
    fail(p, scope->cases->span, "misplaced-proof-step",
         "steps about samplings and loops belong into the branches of the `case`");
  scope->span = span_from(p, scope->span.begin);
  scope->invariant_count = parts.invariants.len;
  scope->invariants = arena_take_vec(&p->lang->arena, &parts.invariants);
  scope->lemma_count = parts.lemmas.len;
  scope->lemmas = arena_take_vec(&p->lang->arena, &parts.lemmas);
  scope->noise_count = parts.noises.len;
  scope->noises = arena_take_vec(&p->lang->arena, &parts.noises);
  scope->sample_count = parts.samples.len;
  scope->samples = arena_take_vec(&p->lang->arena, &parts.samples);
  scope->loop_count = parts.loops.len;
  scope->loops = arena_take_vec(&p->lang->arena, &parts.loops);
  return scope;
}

struct script_scope *script_parse(struct lang *lang, struct span span) {
  size_t errors = lang->diags.errors;
  struct parser p;
  parser_init_at(&p, lang, span);
  struct script_scope *scope = parse_scope(&p, PLACE_TOP);
  bool is_whole = span.end == sources_get(&lang->sources, span.file)->length;
  if (is_whole && !p.panic && !at(&p, TOKEN_END))
    fail_expected(&p, "expected-end", "the end of the text");
  lexer_clear(&p.lexer);
  return lang->diags.errors == errors ? scope : NULL;
}

struct ast_expr *script_parse_expr(struct lang *lang, struct span span) {
  size_t errors = lang->diags.errors;
  struct parser p;
  parser_init_at(&p, lang, span);
  struct ast_expr *e = parse_expr(&p);
  if (!p.panic && !at(&p, TOKEN_END)) fail_expected(&p, "expected-end", "the end of the text");
  lexer_clear(&p.lexer);
  return lang->diags.errors == errors ? e : NULL;
}
