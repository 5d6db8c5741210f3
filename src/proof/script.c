#include "proof/script.h"

#include <string.h>

#include "kernel/ahl.h"
#include "lang/syntax/parse_internal.h"
#include "proof/script_sample.h"
#include "proof/variable_name.h"

/* proof = "{" { item } "}" */
struct scope_parts {
  VEC(struct script_item) items;
  VEC(struct ast_expr *) invariants;
  VEC(struct ast_expr *) lemmas;
  VEC(struct script_noise) noises;
  VEC(struct script_sample) samples;
  VEC(struct script_scope *) loops;
  VEC(struct script_rewrite) rewrites;
  VEC(struct script_branch) branches;
  VEC(struct script_ghost) ghosts;
  VEC(struct ast_expr *) frames;
  VEC(struct script_total) totals;
  VEC(struct script_part) parts;
  VEC(struct ast_expr *) gives;
  VEC(struct script_outcomes) outcomes;
  VEC(struct script_law) laws;
  VEC(struct script_way) ways;
};

/* Which steps make sense where. */
enum scope_place {
  PLACE_TOP = 1,
  PLACE_CASE = 2,
  PLACE_LOOP = 4,
  PLACE_PART = 8,
  PLACE_PART_CASE = 16, /* a case of a part */
  PLACE_ANY = 31
};

static struct script_scope *parse_scope(struct parser *p, enum scope_place place);

/* advanced = "advanced" "counted" e "at" "most" n "each" eps [ "delta" d ] [ "total" e ] "omega" w
 *            ";"
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
  if (!hits && accept_word(p, "delta")) a->delta = parse_expr(p);
  if (!hits && accept_word(p, "total")) a->total = parse_expr(p);
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

/* A number from 1 on. */
static unsigned parse_number(struct parser *p, const char *what) {
  unsigned number = 0;
  if (at(p, TOKEN_NUMBER)) number = (unsigned)strtoul(p->lexer.text + p->cur.begin, NULL, 10);
  if (number)
    advance(p);
  else
    fail_expected(p, "expected-proof-step", what);
  return number;
}

/* rewrite = ( "dead" name { "," name } | "swap" name "," name | "fuse" name ) ";" */
static struct script_rewrite parse_rewrite(struct parser *p) {
  struct script_rewrite r = {.span = token_span(p, &p->cur)};
  r.kind = at_word(p, "swap") ? REWRITE_SWAP : at_word(p, "fuse") ? REWRITE_FUSE : REWRITE_DEAD;
  VEC(struct ast_name) names = {0};
  advance(p);
  do {
    struct ast_name name = expect_name(p, "a variable that is written");
    vec_push(&names, name);
  } while (!p->panic && accept(p, TOKEN_COMMA));
  r.span = span_from(p, r.span.begin);
  if (!p->panic && r.kind == REWRITE_SWAP && names.len != 2)
    fail(p, r.span, "expected-proof-step", "`swap` takes the variables of two neighbours");
  if (!p->panic && r.kind == REWRITE_FUSE && names.len != 1)
    fail(p, r.span, "expected-proof-step", "`fuse` takes one array: write a step for each");
  r.count = names.len;
  r.names = arena_take_vec(&p->lang->arena, &names);
  expect_semicolon(p, "the step");
  return r;
}

/* branch = "branch" NUMBER ":" ( "alone" | "together" | "joined" ) ";" */
static struct script_branch parse_branch(struct parser *p) {
  struct script_branch b = {0};
  advance(p);
  b.number = parse_number(p, "the number of an `if` in this scope");
  if (!p->panic) expect(p, TOKEN_COLON, "after the number");
  b.alone = accept_word(p, "alone");
  b.joined = !b.alone && accept_word(p, "joined");
  if (!b.alone && !b.joined) expect_word(p, "together", "(or `alone`, `joined`) after the number");
  expect_semicolon(p, "the step");
  return b;
}

/* deltas = "deltas" name "total" expr "counted" expr "at" "most" expr ";" */
static void parse_deltas(struct parser *p, struct script_scope *scope) {
  struct script_deltas *d = arena_new(&p->lang->arena, struct script_deltas);
  advance(p);
  d->count = expect_name(p, "a name for the variant's value");
  expect_word(p, "total", "after the name");
  d->total = parse_expr(p);
  expect_word(p, "counted", "after the total");
  d->variant = parse_expr(p);
  expect_word(p, "at", "after the variant");
  expect_word(p, "most", "after `at`");
  d->most = parse_expr(p);
  scope->deltas = d;
  expect_semicolon(p, "the sum");
}

/* counted = "counted" expr "at" "most" expr ";" */
static void parse_counted(struct parser *p, struct script_scope *scope) {
  struct script_counted *c = arena_new(&p->lang->arena, struct script_counted);
  advance(p);
  c->variant = parse_expr(p);
  expect_word(p, "at", "after the variant");
  expect_word(p, "most", "after `at`");
  c->most = parse_expr(p);
  scope->counted = c;
  expect_semicolon(p, "the number of iterations");
}

/* bounded = expr "at" "most" expr */
static void parse_bounded(struct parser *p, struct ast_expr **what, struct ast_expr **most) {
  *what = parse_expr(p);
  expect_word(p, "at", "after the count");
  expect_word(p, "most", "after `at`");
  *most = parse_expr(p);
}

/* total = "total" expr ":" ( "above" | "below" | "both" ) expr "scale" expr "draws" bounded
 *         [ "restarts" bounded ] "failure" expr ";" */
static struct script_total parse_total(struct parser *p) {
  struct script_total t = {.span = token_span(p, &p->cur)};
  advance(p);
  t.sum = parse_expr(p);
  if (!p->panic) expect(p, TOKEN_COLON, "after the sum");
  bool above = accept_word(p, "above"), below = !above && accept_word(p, "below");
  if (!above && !below) expect_word(p, "both", "(or `above`, `below`) after the colon");
  t.tail = above ? TAIL_ABOVE : below ? TAIL_BELOW : TAIL_BOTH;
  t.within = parse_expr(p);
  expect_word(p, "scale", "after the distance: how large the noise of a draw is");
  t.scale = parse_expr(p);
  expect_word(p, "draws", "after the scale: how many draws are still to come");
  parse_bounded(p, &t.left, &t.draws);
  if (accept_word(p, "restarts")) parse_bounded(p, &t.restarts, &t.blocks);
  expect_word(p, "failure", "before the probability that the sum gets farther away");
  t.failure = parse_expr(p);
  expect_semicolon(p, "the sum");
  t.span = span_from(p, t.span.begin);
  return t;
}

/* form = "unroll" scope | "split" expr scope | "block" expr ";" | "flatten" name ";" */
static void parse_form(struct parser *p, struct script_scope *scope) {
  struct script_form *f = arena_new(&p->lang->arena, struct script_form);
  f->kind = at_word(p, "unroll")    ? FORM_UNROLL
            : at_word(p, "split")   ? FORM_SPLIT
            : at_word(p, "flatten") ? FORM_FLATTEN
                                    : FORM_BLOCK;
  if (scope->form) {
    fail(p, token_span(p, &p->cur), "misplaced-proof-step",
         "the loop has another form already: rewrite one of its parts instead");
    return;
  }
  advance(p);
  if (f->kind == FORM_SPLIT || f->kind == FORM_BLOCK) f->condition = parse_expr(p);
  if (f->kind == FORM_FLATTEN) f->flag = expect_name(p, "a new name for a flag");
  if (f->kind == FORM_BLOCK || f->kind == FORM_FLATTEN)
    expect_semicolon(p, "the step");
  else if (!p->panic)
    f->first = parse_scope(p, PLACE_LOOP);
  scope->form = f;
}

/* way = "law" expr ":" name "=" expr { "," name "=" expr } ";" */
static struct script_way parse_way(struct parser *p) {
  VEC(struct ast_name) names = {0};
  VEC(struct ast_expr *) values = {0};
  struct script_way w = {.span = token_span(p, &p->cur)};
  advance(p);
  w.weight = parse_expr(p);
  expect(p, TOKEN_COLON, "after the weight");
  do {
    struct ast_name name = expect_name(p, "a variable of the loop");
    expect(p, TOKEN_EQ, "after the variable");
    vec_push(&names, name);
    struct ast_expr *value = p->panic ? NULL : parse_expr(p);
    vec_push(&values, value);
  } while (!p->panic && accept(p, TOKEN_COMMA));
  w.count = names.len;
  w.names = arena_take_vec(&p->lang->arena, &names);
  w.values = arena_take_vec(&p->lang->arena, &values);
  w.span = span_from(p, w.span.begin);
  expect_semicolon(p, "the law");
  return w;
}

/* rank = "rank" expr "at" "most" expr ";" */
static void parse_rank(struct parser *p, struct script_scope *scope) {
  advance(p);
  scope->rank = parse_expr(p);
  expect_word(p, "at", "after the rank");
  expect_word(p, "most", "after `at`");
  scope->rank_most = parse_expr(p);
  expect_semicolon(p, "the rank");
}

/* What a loop can have besides its invariant. False if it is none of these. */
static bool parse_loop_item(struct parser *p, struct script_scope *scope,
                            struct scope_parts *parts) {
  if (accept_word(p, "frame")) {
    struct ast_expr *e = parse_expr(p);
    vec_push(&parts->frames, e);
    expect_semicolon(p, "the formula");
  } else if (accept_word(p, "save")) {
    scope->save = parse_expr(p);
    expect_semicolon(p, "the budget");
  } else if (accept_word(p, "keep")) {
    scope->keep = parse_expr(p);
    expect_semicolon(p, "the budget");
  } else if (accept_word(p, "ghost")) {
    struct script_ghost g = {.name = expect_name(p, "a new name")};
    expect(p, TOKEN_EQ, "after the name");
    g.value = parse_expr(p);
    vec_push(&parts->ghosts, g);
    expect_semicolon(p, "the value");
  } else if (accept_word(p, "until")) {
    scope->until = parse_expr(p);
    expect_semicolon(p, "the cost");
  } else if (accept_word(p, "apart")) {
    scope->apart = true;
    expect_semicolon(p, "the step");
  } else if (accept_word(p, "alone")) {
    scope->alone = true;
    expect_semicolon(p, "the step");
  } else if (accept_word(p, "only")) {
    scope->only = true;
    expect_semicolon(p, "the step");
  } else if (at_word(p, "deltas")) {
    parse_deltas(p, scope);
  } else if (at_word(p, "counted")) {
    parse_counted(p, scope);
  } else if (at_word(p, "law")) {
    struct script_way w = parse_way(p);
    vec_push(&parts->ways, w);
  } else if (at_word(p, "rank")) {
    parse_rank(p, scope);
  } else if (at_word(p, "total")) {
    struct script_total t = parse_total(p);
    vec_push(&parts->totals, t);
  } else if (at_word(p, "unroll") || at_word(p, "split") || at_word(p, "block") ||
             at_word(p, "flatten")) {
    parse_form(p, scope);
  } else {
    return false;
  }
  return true;
}

/* cases = "case" formula "{" { item } "}" "else" "{" { item } "}" */
static struct script_cases *parse_split(struct parser *p, enum scope_place place) {
  enum scope_place inside = place & (PLACE_PART | PLACE_PART_CASE) ? PLACE_PART_CASE : PLACE_CASE;
  struct script_cases *c = arena_new(&p->lang->arena, struct script_cases);
  c->span = token_span(p, &p->cur);
  advance(p);
  c->condition = parse_expr(p);
  if (!p->panic) c->yes = parse_scope(p, inside);
  if (!p->panic && expect(p, TOKEN_ELSE, "after the case: what holds otherwise needs a proof too"))
    c->no = parse_scope(p, inside);
  c->span = span_from(p, c->span.begin);
  return c;
}

/* Steps about the whole claim are refused inside loops, cases and parts, `case` inside loops, and
 * whatever only a loop or a part has outside of one. */
static bool step_fits(struct parser *p, enum scope_place place) {
  static const struct {
    const char *word;
    unsigned places;
  } table[] = {{"have", PLACE_TOP},
               {"by", PLACE_TOP},
               {"fuse", PLACE_TOP},
               {"case", PLACE_ANY & ~PLACE_LOOP},
               {"admit", PLACE_TOP | PLACE_CASE},
               {"invariant", PLACE_LOOP},
               {"budget", PLACE_LOOP | PLACE_PART},
               {"gives", PLACE_PART},
               {"variant", PLACE_LOOP},
               {"advanced", PLACE_LOOP},
               {"hits", PLACE_LOOP},
               {"backward", PLACE_TOP | PLACE_LOOP | PLACE_PART},
               {"frame", PLACE_LOOP},
               {"save", PLACE_LOOP},
               {"keep", PLACE_LOOP},
               {"ghost", PLACE_LOOP},
               {"alone", PLACE_LOOP},
               {"apart", PLACE_LOOP},
               {"deltas", PLACE_LOOP},
               {"counted", PLACE_LOOP},
               {"law", PLACE_LOOP},
               {"rank", PLACE_LOOP},
               {"total", PLACE_LOOP},
               {"unroll", PLACE_LOOP},
               {"split", PLACE_LOOP},
               {"block", PLACE_LOOP},
               {"flatten", PLACE_LOOP},
               {"until", PLACE_LOOP},
               {"only", PLACE_LOOP}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    if (!at_word(p, table[i].word)) continue;
    if (table[i].places & place) return true;
    fail(p, token_span(p, &p->cur), "misplaced-proof-step", "`%s` belongs %s", table[i].word,
         table[i].places & PLACE_TOP    ? "to the top of the proof"
         : table[i].places & PLACE_LOOP ? "into a loop"
                                        : "into the block of a `pointwise`");
    return false;
  }
  return true;
}

/* Parts of the notion of the proof are shown in the direction of the proof. */
static void refuse_backward(struct parser *p, const struct script_scope *scope) {
  if (scope->backward)
    fail(p, scope->backward->span, "misplaced-proof-step",
         "`backward` belongs to the top of the proof, into a loop, or into a `pure` part");
}

/* pointwise = "pointwise" name [ NUMBER ] "=" name [ "from" expr "to" expr [ "total" expr ] ]
 *             ( ";" | scope )        the former only at the top: the whole program */
static void parse_pointwise(struct parser *p, struct script_scope *scope, struct scope_parts *parts,
                            enum scope_place place) {
  struct script_part part = {.span = token_span(p, &p->cur)};
  advance(p);
  part.name = expect_name(p, "the output, or the variable that a part of the program sets");
  if (at(p, TOKEN_NUMBER)) part.number = parse_number(p, "the number of a part");
  expect(p, TOKEN_EQ, "after the variable");
  part.value = expect_name(p, "a name for its value");
  if (accept_word(p, "from")) {
    part.low = parse_expr(p);
    expect_word(p, "to", "after the least value");
    part.high = parse_expr(p);
    if (accept_word(p, "total")) part.total = parse_expr(p);
  }
  part.span = span_from(p, part.span.begin);
  if (!p->panic && at(p, TOKEN_LBRACE)) {
    part.scope = parse_scope(p, PLACE_PART);
    if (!p->panic) refuse_backward(p, part.scope);
    vec_push(&parts->parts, part);
    return;
  }
  if (!p->panic && (place != PLACE_TOP || part.number)) {
    fail(p, part.span, "misplaced-proof-step",
         "`pointwise` without a block belongs to the top of the proof; say how a part is proved in "
         "braces");
    return;
  }
  scope->pointwise = part.name;
  scope->pointwise_value = part.value;
  scope->pointwise_low = part.low;
  scope->pointwise_high = part.high;
  scope->pointwise_total = part.total;
  expect_semicolon(p, "the step");
}

/* part = ( "pure" name [ NUMBER ] [ "=" name ] | "part" name [ NUMBER ] ) scope */
static void parse_part(struct parser *p, struct scope_parts *parts) {
  struct script_part part = {.span = token_span(p, &p->cur), .pure = at_word(p, "pure")};
  advance(p);
  part.name = expect_name(p, "the variable that a part of the program sets");
  if (at(p, TOKEN_NUMBER)) part.number = parse_number(p, "the number of a part");
  if (part.pure && accept(p, TOKEN_EQ)) part.value = expect_name(p, "a name for its value");
  part.span = span_from(p, part.span.begin);
  if (!p->panic) part.scope = parse_scope(p, PLACE_PART);
  if (!p->panic && !part.pure) refuse_backward(p, part.scope);
  if (!p->panic) vec_push(&parts->parts, part);
}

/* route = "by" ( "epsilon" e | "zcdp" e | "gaussian" e | "renyi" e "epsilon" e ) ";" */
static void parse_route(struct parser *p, struct script_scope *scope) {
  struct script_route *r = arena_new(&p->lang->arena, struct script_route);
  r->span = token_span(p, &p->cur);
  advance(p);
  r->notion = at_word(p, "zcdp")       ? NOTION_ZCDP
              : at_word(p, "renyi")    ? NOTION_RENYI
              : at_word(p, "gaussian") ? NOTION_GAUSSIAN
                                       : NOTION_PURE;
  if (r->notion == NOTION_PURE && !at_word(p, "epsilon")) {
    fail_expected(p, "expected-proof-step", "`epsilon`, `zcdp`, `renyi` or `gaussian`");
    return;
  }
  advance(p);
  if (r->notion == NOTION_RENYI) {
    r->order = parse_expr(p);
    expect_word(p, "epsilon", "after the order");
  }
  r->cost = parse_expr(p);
  r->span = span_from(p, r->span.begin);
  if (!p->panic && scope->route)
    fail(p, r->span, "misplaced-proof-step", "there is a `by` already: a proof is in one notion");
  scope->route = r;
  expect_semicolon(p, "the step");
}

/* ranges = "by" expr "in" expr ".." expr { "," expr "in" expr ".." expr } */
static void parse_ranges(struct parser *p, struct script_outcomes *o) {
  VEC(struct script_range) ranges = {0};
  do {
    struct script_range r = {.value = parse_expr(p)};
    if (!p->panic && expect(p, TOKEN_IN, "after the integer")) r.low = parse_expr(p);
    if (!p->panic && expect(p, TOKEN_DOTDOT, "after the least value")) r.high = parse_expr(p);
    vec_push(&ranges, r);
  } while (!p->panic && accept(p, TOKEN_COMMA));
  o->range_count = ranges.len;
  o->ranges = arena_take_vec(&p->lang->arena, &ranges);
}

/* outcomes = "outcomes" name { "," name } [ "from" name ] [ ranges ] "cost" expr [ "termwise" | "majorized" ] ";"
 */
static struct script_outcomes parse_outcomes(struct parser *p) {
  struct script_outcomes o = {.span = token_span(p, &p->cur)};
  VEC(struct ast_name) names = {0};
  advance(p);
  do {
    struct ast_name name = expect_name(p, "a variable that the part of the program sets");
    vec_push(&names, name);
  } while (!p->panic && accept(p, TOKEN_COMMA));
  o.count = names.len;
  o.names = arena_take_vec(&p->lang->arena, &names);
  if (accept_word(p, "from")) o.from = expect_name(p, "the variable that the part sets first");
  if (!p->panic && accept_word(p, "by")) parse_ranges(p, &o);
  if (!p->panic && expect_word(p, "cost", "after the variables")) o.cost = parse_expr(p);
  if (!p->panic && accept_word(p, "termwise"))
    o.comparison = COMPARE_TERMWISE;
  else if (!p->panic && accept_word(p, "majorized"))
    o.comparison = COMPARE_MAJORIZED;
  o.span = span_from(p, o.span.begin);
  expect_semicolon(p, "the cost");
  return o;
}

/* "podium" name ["," name] "of" expr "," expr */
static void parse_podium(struct parser *p, struct script_law *l) {
  if (accept(p, TOKEN_COMMA)) l->runner_up = expect_name(p, "the variable with the second place");
  expect_word(p, "of", "after the variables");
  l->values[0] = parse_expr(p);
  expect(p, TOKEN_COMMA, "after the largest value");
  l->values[1] = parse_expr(p);
}

/* law = "subsample" name "at" expr "within" expr ";" | "exponential" name "from" expr "to" expr ";"
 *     | "exponential" name "within" expr "failure" expr ";" | podium "from" expr "to" expr ";" */
static struct script_law parse_law(struct parser *p) {
  struct script_law l = {.span = token_span(p, &p->cur)};
  l.kind = at_word(p, "subsample") ? SCRIPT_SUBSAMPLE
           : at_word(p, "podium")  ? SCRIPT_PODIUM
                                   : SCRIPT_EXPONENTIAL;
  bool ranges = l.kind != SCRIPT_SUBSAMPLE;
  advance(p);
  l.name = expect_name(p, "the variable with the result");
  if (l.kind == SCRIPT_PODIUM) parse_podium(p, &l);
  bool is_near = l.kind == SCRIPT_EXPONENTIAL && accept_word(p, "within");
  if (is_near) l.kind = SCRIPT_CONTEST;
  if (!is_near) expect_word(p, ranges ? "from" : "at", "after that");
  l.args[0] = parse_expr(p);
  expect_word(p, is_near ? "failure" : ranges ? "to" : "within", "after that");
  l.args[1] = parse_expr(p);
  l.span = span_from(p, l.span.begin);
  expect_semicolon(p, "the step");
  return l;
}

/* item = "invariant" formula ";" | "budget" expr ";" | "variant" expr ";" | sample | loop
 *      | advanced | hits | "have" formula ";" | rewrite | branch | loop_item
 *      | pointwise | part | "gives" formula ";" | outcomes | law
 *      | "noise" name "from" name ":" distribution ";" | cases
 *      | "backward" scope | "admit" ";" | route */
static void parse_item(struct parser *p, struct script_scope *scope, struct scope_parts *parts,
                       enum scope_place place) {
  if (!step_fits(p, place)) return;
  if (at_word(p, "sample")) {
    struct script_sample s = script_parse_sample(p);
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
  } else if (at_word(p, "pointwise")) {
    parse_pointwise(p, scope, parts, place);
  } else if (at_word(p, "pure") || at_word(p, "part")) {
    parse_part(p, parts);
  } else if (at_word(p, "outcomes")) {
    struct script_outcomes o = parse_outcomes(p);
    vec_push(&parts->outcomes, o);
  } else if (at_word(p, "subsample") || at_word(p, "exponential") || at_word(p, "podium")) {
    struct script_law l = parse_law(p);
    vec_push(&parts->laws, l);
  } else if (accept_word(p, "gives")) {
    struct ast_expr *e = parse_expr(p);
    vec_push(&parts->gives, e);
    expect_semicolon(p, "the formula");
  } else if (accept_word(p, "noise")) {
    struct script_noise n = {.result = expect_name(p, "the variable that is assigned last")};
    expect_word(p, "from", "after the variable");
    n.from = expect_name(p, "the variable that is sampled first");
    expect(p, TOKEN_COLON, "before the distribution");
    if (!p->panic) parse_distribution(p, &n.dist);
    vec_push(&parts->noises, n);
    expect_semicolon(p, "the step");
  } else if (at_word(p, "dead") || at_word(p, "swap") || at_word(p, "fuse")) {
    struct script_rewrite r = parse_rewrite(p);
    vec_push(&parts->rewrites, r);
  } else if (at_word(p, "branch")) {
    struct script_branch b = parse_branch(p);
    vec_push(&parts->branches, b);
  } else if (accept_word(p, "have")) {
    struct ast_expr *e = parse_expr(p);
    vec_push(&parts->lemmas, e);
    expect_semicolon(p, "the lemma");
  } else if (at_word(p, "by")) {
    parse_route(p, scope);
  } else if (accept_word(p, "backward")) {
    scope->backward = parse_scope(p, place);
    if (!p->panic && scope->backward->route)
      fail(p, scope->backward->route->span, "misplaced-proof-step",
           "`by` belongs to the top of the proof: both directions are in one notion");
  } else if (at_word(p, "case")) {
    if (scope->cases)
      fail(p, token_span(p, &p->cur), "misplaced-proof-step",
           "there is a `case` already: put this one into its branches");
    else
      scope->cases = parse_split(p, place);
  } else if (accept_word(p, "admit")) {
    scope->admit = true;
    expect_semicolon(p, "`admit`");
  } else if (!parse_loop_item(p, scope, parts)) {
    fail_expected(p, "expected-proof-step",
                  "`sample`, `loop`, `invariant`, `budget` or another step of a proof");
  }
}

/* Parses an item and notes where it stands. */
static void note_item(struct parser *p, struct script_scope *scope, struct scope_parts *parts,
                      enum scope_place place) {
  uint32_t begin = p->cur.begin;
  const char *word =
      intern_text(&p->lang->intern, p->lexer.text + begin, (size_t)(p->cur.end - begin));
  size_t index = at_word(p, "sample")      ? parts->samples.len
                 : at_word(p, "loop")      ? parts->loops.len
                 : at_word(p, "invariant") ? parts->invariants.len
                                           : 0;
  parse_item(p, scope, parts, place);
  vec_push(&parts->items, (struct script_item){word, span_from(p, begin), index});
}

static struct script_scope *parse_scope(struct parser *p, enum scope_place place) {
  struct script_scope *scope = arena_new(&p->lang->arena, struct script_scope);
  struct scope_parts parts = {0};
  scope->span = token_span(p, &p->cur);
  if (expect(p, TOKEN_LBRACE, "before the steps") && enter(p)) {
    while (!p->panic && !at(p, TOKEN_RBRACE) && !at(p, TOKEN_END))
      note_item(p, scope, &parts, place);
    if (!p->panic) expect(p, TOKEN_RBRACE, "after the steps");
    leave(p);
  }
  if (!p->panic && scope->cases &&
      parts.samples.len + parts.loops.len + parts.noises.len + parts.parts.len +
          parts.outcomes.len + parts.laws.len)
    fail(p, scope->cases->span, "misplaced-proof-step",
         "steps about samplings and loops belong into the branches of the `case`");
  scope->span = span_from(p, scope->span.begin);
  scope->item_count = parts.items.len;
  scope->items = arena_take_vec(&p->lang->arena, &parts.items);
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
  scope->part_count = parts.parts.len;
  scope->parts = arena_take_vec(&p->lang->arena, &parts.parts);
  scope->give_count = parts.gives.len;
  scope->gives = arena_take_vec(&p->lang->arena, &parts.gives);
  scope->outcome_count = parts.outcomes.len;
  scope->outcomes = arena_take_vec(&p->lang->arena, &parts.outcomes);
  scope->way_count = parts.ways.len;
  scope->ways = arena_take_vec(&p->lang->arena, &parts.ways);
  scope->law_count = parts.laws.len;
  scope->laws = arena_take_vec(&p->lang->arena, &parts.laws);
  scope->rewrite_count = parts.rewrites.len;
  scope->rewrites = arena_take_vec(&p->lang->arena, &parts.rewrites);
  scope->branch_count = parts.branches.len;
  scope->branches = arena_take_vec(&p->lang->arena, &parts.branches);
  scope->ghost_count = parts.ghosts.len;
  scope->ghosts = arena_take_vec(&p->lang->arena, &parts.ghosts);
  scope->total_count = parts.totals.len;
  scope->totals = arena_take_vec(&p->lang->arena, &parts.totals);
  scope->frame_count = parts.frames.len;
  scope->frames = arena_take_vec(&p->lang->arena, &parts.frames);
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

struct script_scope *script_find_loop(const struct script_scope *scope, const char *index,
                                      unsigned number) {
  for (size_t i = 0; scope && i < scope->loop_count; i++) {
    struct script_scope *s = scope->loops[i];
    if (s->number == number) return s;
    if (s->index.text && index && names_variable(s->index.text, index)) return s;
  }
  for (size_t i = 0; scope && i < scope->loop_count; i++) {
    struct script_scope *s = scope->loops[i];
    if (s->number == 0 && !s->index.text && (i + 1 == number || scope->loop_count == 1)) return s;
  }
  return NULL;
}
