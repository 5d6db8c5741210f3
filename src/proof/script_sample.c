#include "proof/script_sample.h"

#include <stdlib.h>

#include "kernel/ahl.h"

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

/* interval = "interval" pair "to" pair [ "move" k ] [ "eta" e ] [ "sigma" s ] [ "cost" c ]
 *          | "interval" pair "inside" pair [ "move" k ] [ "eta" e ] [ "cost" c ]
 * The pair of run 1 goes last; what is left out is NULL, for completion to fill in. */
static void parse_interval(struct parser *p, struct script_sample *s) {
  static const char *const outer[] = {"move", "eta", "sigma", "cost", NULL};
  static const char *const inner[] = {"move", "eta", "cost", NULL};
  VEC(struct ast_expr *) args = {0};
  struct ast_expr *own = parse_expr(p);
  s->kind = at_word(p, "inside") ? COUPLING_INSIDE : COUPLING_INTERVAL;
  bool inside = s->kind == COUPLING_INSIDE;
  expect_word(p, inside ? "inside" : "to", "after the interval of run 1");
  struct ast_expr *other = parse_expr(p);
  vec_push(&args, other);
  for (const char *const *word = inside ? inner : outer; *word; word++) {
    struct ast_expr *e = !p->panic && accept_word(p, *word) ? parse_expr(p) : NULL;
    vec_push(&args, e);
  }
  vec_push(&args, own);
  s->arg_count = args.len;
  s->args = arena_take_vec(&p->lang->arena, &args);
}

/* set = "when" formula | "above" expr | "below" expr | "[" expr "," expr "]" */
static struct script_set parse_set(struct parser *p) {
  struct script_set set = {0};
  if (accept_word(p, "when")) {
    set.when = parse_expr(p);
  } else if (accept_word(p, "above")) {
    set.low = parse_expr(p);
  } else if (accept_word(p, "below")) {
    set.high = parse_expr(p);
  } else {
    struct ast_expr *e = parse_expr(p);
    if (!p->panic && (e->kind != EXPR_LIST || e->as.list.count != 2)) {
      fail(p, e->span, "expected-proof-step",
           "a set is written `[low, high]`, `above low`, `below high` or `when formula`");
      return set;
    }
    if (!p->panic) {
      set.low = e->as.list.items[0];
      set.high = e->as.list.items[1];
    }
  }
  return set;
}

/* subset = "subset" set "to" set "cost" expr "otherwise" expr */
static void parse_subset(struct parser *p, struct script_sample *s) {
  static const char *const costs[] = {"cost", "otherwise"};
  s->kind = COUPLING_SUBSET;
  s->sets[0] = parse_set(p);
  if (!p->panic) expect_word(p, "to", "after the set of run 1");
  if (!p->panic) s->sets[1] = parse_set(p);
  if (!p->panic) parse_words(p, s, costs, 2);
}

/* "above" | "below" | "both" */
static bool accept_tail(struct parser *p, unsigned *tail) {
  static const char *const words[] = {
      [TAIL_ABOVE] = "above", [TAIL_BELOW] = "below", [TAIL_BOTH] = "both"};
  for (*tail = TAIL_ABOVE; *tail <= TAIL_BOTH; ++*tail)
    if (accept_word(p, words[*tail])) return true;
  return false;
}

/* run = "run" "2" "budget" expr */
static void parse_run(struct parser *p, struct script_sample *s) {
  if (!at(p, TOKEN_NUMBER) || p->lexer.text[p->cur.begin] != '2')
    fail_expected(p, "expected-proof-step", "`2`: without `run 2` the event is about run 1");
  else
    advance(p);
  if (!p->panic && expect_word(p, "budget", "after the run")) s->upto_most = parse_expr(p);
}

/* upto = "upto" formula [ "delta" expr ( ( "above" | "below" | "both" ) expr | "in" set )
 *                          [ run ] [ "where" formula ] ] */
static void parse_upto(struct parser *p, struct script_sample *s) {
  s->upto = parse_expr(p);
  if (p->panic || !accept_word(p, "delta")) return; /* for completion to fill in */
  s->upto_delta = parse_expr(p);
  if (!accept_tail(p, &s->upto_tail)) {
    if (accept(p, TOKEN_IN)) {
      struct script_set set = parse_set(p);
      s->upto_in = arena_memdup(&p->lang->arena, &set, sizeof set);
    } else {
      fail_expected(p, "expected-proof-step", "`above`, `below`, `both` or `in`");
    }
  }
  if (!p->panic && !s->upto_in) s->upto_at = parse_expr(p);
  if (!p->panic && accept_word(p, "run")) parse_run(p, s);
  if (!p->panic && accept_word(p, "where")) s->upto_where = parse_expr(p);
}

/* bound = ( "above" | "below" | "both" ) expr [ "failure" expr ] | "failure" expr: in claims of
 * accuracy. False if it is none. */
static bool parse_bound(struct parser *p, struct script_sample *s) {
  bool is_tail = accept_tail(p, &s->upto_tail);
  if (!is_tail && !at_word(p, "failure")) return false;
  struct ast_expr *args[2];
  s->kind = is_tail ? COUPLING_TAIL : COUPLING_CHANCE;
  if (is_tail) args[s->arg_count++] = parse_expr(p);
  if (!p->panic && accept_word(p, "failure")) args[s->arg_count++] = parse_expr(p);
  s->args = arena_memdup(&p->lang->arena, args, s->arg_count * sizeof *args);
  return true;
}

static void parse_coupling(struct parser *p, struct script_sample *s);

/* if = "if" formula "then" coupling "else" coupling */
static void parse_if(struct parser *p, struct script_sample *s) {
  static const char *const condition[] = {NULL};
  s->kind = COUPLING_IF;
  parse_words(p, s, condition, 1);
  for (size_t i = 0; i < 2 && !p->panic; i++) {
    if (!expect(p, i ? TOKEN_ELSE : TOKEN_THEN, "in a coupling by cases")) return;
    s->branch[i] = arena_new(&p->lang->arena, struct script_sample);
    *s->branch[i] = (struct script_sample){.name = s->name, .span = token_span(p, &p->cur)};
    if (enter(p)) {
      parse_coupling(p, s->branch[i]);
      leave(p);
    }
  }
}

/* coupling = shift | "same" | "alone" | "scale" expr [ "delta" expr ] | interval | subset | if
 *          | "slide" expr "delta" expr
 *          | "flip" expr "otherwise" expr | "map" expr "back" expr
 *          | "meet" expr "cost" expr "otherwise" expr | bound */
static void parse_coupling(struct parser *p, struct script_sample *s) {
  static const char *const scale[] = {NULL, "delta"}, *const slide[] = {NULL, "delta"},
                           *const map[] = {NULL, "back"}, *const costs[] = {NULL, "otherwise"},
                           *const meet[] = {NULL, "cost", "otherwise"};
  if (accept_word(p, "same")) {
    s->kind = COUPLING_SAME;
  } else if (accept_word(p, "alone")) {
    s->kind = COUPLING_ALONE;
  } else if (accept_word(p, "scale")) {
    s->kind = COUPLING_SCALE;
    parse_words(p, s, scale, 1);
    if (!p->panic && at_word(p, "delta")) {
      struct ast_expr *by = s->args[0];
      parse_words(p, s, scale + 1, 1);
      struct ast_expr *both[] = {by, p->panic ? NULL : s->args[0]};
      s->args = arena_memdup(&p->lang->arena, both, sizeof both);
      s->arg_count = 2;
    }
  } else if (accept_word(p, "slide")) {
    s->kind = COUPLING_SLIDE;
    parse_words(p, s, slide, 2);
  } else if (accept_word(p, "subset")) {
    parse_subset(p, s);
  } else if (accept_word(p, "flip")) {
    s->kind = COUPLING_FLIP;
    parse_words(p, s, costs, 2);
  } else if (accept_word(p, "meet")) {
    s->kind = COUPLING_MEET;
    parse_words(p, s, meet, 3);
  } else if (accept_word(p, "map")) {
    s->kind = COUPLING_MAP;
    parse_words(p, s, map, 2);
  } else if (accept_word(p, "interval")) {
    parse_interval(p, s);
  } else if (accept(p, TOKEN_IF)) {
    parse_if(p, s);
  } else if (!parse_bound(p, s)) {
    parse_cases(p, s);
  }
}

/* sample = "sample" name [ NUMBER ] ":" coupling [ "aim" expr "cost" expr ] [ upto ] ";" */
struct script_sample script_parse_sample(struct parser *p) {
  struct script_sample s = {.span = token_span(p, &p->cur)};
  advance(p);
  s.name = expect_name(p, "the variable that is sampled");
  if (at(p, TOKEN_NUMBER)) {
    s.number = (unsigned)strtoul(p->lexer.text + p->cur.begin, NULL, 10);
    advance(p);
  }
  expect(p, TOKEN_COLON, "after the variable");
  parse_coupling(p, &s);
  if (accept_word(p, "aim")) {
    s.aim = parse_expr(p);
    if (!p->panic && expect_word(p, "cost", "after the sample")) s.aim_cost = parse_expr(p);
  }
  if (accept_word(p, "upto")) parse_upto(p, &s);
  s.span = span_from(p, s.span.begin);
  expect_semicolon(p, "the coupling");
  return s;
}
