/* Automaton blocks: what can be said from the text alone. Determinism, output distinction and the
 * other conditions of the class are checked on the model, in src/automata. */
#include <string.h>

#include "lang/check/check_internal.h"
#include "lang/check/constant.h"
#include "lang/syntax/walk.h"

struct repeated {
  struct span first;
  size_t count;
};

struct automaton {
  struct ast_decl *decl;
  struct ptrmap states; /* name -> struct ast_state */
  struct ptrmap vars;   /* name -> struct ast_name */
  struct repeated dead; /* guards that are never true */
};

/* A large automaton has the same flaw in many places: it is said once. */
static void repeat(struct repeated *r, struct span where) {
  if (!r->count++) r->first = where;
}

static const char *and_more(const struct repeated *r, char *text, size_t size) {
  *text = '\0';
  if (r->count > 1) snprintf(text, size, " (and %zu more like it)", r->count - 1);
  return text;
}

static void enter_vars(struct checker *c, struct automaton *a) {
  for (size_t i = 0; i < a->decl->as.automaton.var_count; i++) {
    struct ast_name *name = &a->decl->as.automaton.vars[i];
    struct ast_name *other = ptrmap_get(&a->vars, name->text);
    if (strcmp(name->text, "insample") == 0 || strcmp(name->text, "insample'") == 0)
      report_error(c, name->span, "automaton-reserved-name", "`%s` is the noisy input itself",
                   name->text);
    if (!other) {
      ptrmap_put(&a->vars, name->text, name);
      continue;
    }
    report_error(c, name->span, "automaton-duplicate-variable",
                 "the variable `%s` is declared twice", name->text);
    report_note(c, other->span, "the other one");
  }
}

static void enter_states(struct checker *c, struct automaton *a) {
  for (size_t i = 0; i < a->decl->as.automaton.state_count; i++) {
    struct ast_state *s = &a->decl->as.automaton.states[i];
    struct ast_state *other = ptrmap_get(&a->states, s->name.text);
    if (!other) {
      ptrmap_put(&a->states, s->name.text, s);
      continue;
    }
    report_error(c, s->name.span, "automaton-duplicate-state", "the state `%s` is declared twice",
                 s->name.text);
    report_note(c, other->name.span, "the other one");
  }
}

/* The name that was meant, if one is near. */
static bool suggest(struct checker *c, const struct ptrmap *map, const char *wanted) {
  struct spell_best s = {0};
  for (size_t i = 0; i < map->capacity; i++)
    if (map->slots[i].key) spell_consider(&s, wanted, map->slots[i].key);
  report_nearest(c, &s);
  return s.word;
}

static struct ast_state *find_state(struct checker *c, struct automaton *a, struct ast_name name) {
  struct ast_state *s = ptrmap_get(&a->states, name.text);
  if (s || !name.text || name.text[0] == '?') return s;
  report_error(c, name.span, "automaton-unknown-state", "there is no state called `%s`", name.text);
  if (!suggest(c, &a->states, name.text))
    report_hint(c, "declare it: `state %s final;` if runs end there, else `state %s d 1/2;`",
                name.text, name.text);
  return NULL;
}

static void check_var(struct checker *c, struct automaton *a, struct ast_name name) {
  if (ptrmap_get(&a->vars, name.text) || name.text[0] == '?') return;
  report_error(c, name.span, "automaton-unknown-variable", "there is no threshold variable `%s`",
               name.text);
  if (!suggest(c, &a->vars, name.text))
    report_hint(c, "declare it in the automaton: `var %s;`", name.text);
}

/* ---- states -----------------------------------------------------------------------------------
 */

static void look_for_eps(const struct ast_expr *e, void *found) {
  if (e->kind == EXPR_NAME && strcmp(e->as.name.text, "eps") == 0) *(bool *)found = true;
  walk_parts(e, look_for_eps, found);
}

static void bad_d(struct checker *c, const struct ast_expr *e, const char *what) {
  report_error(c, e->span, "automaton-bad-d", "%s must be a positive rational constant", what);
  report_hint(c, "the noise of a state has scale 1/(d*eps): write the factor alone, as in `d 1/4`");
}

static void check_rational(struct checker *c, struct ast_expr *e, const char *what, bool positive) {
  bool has_eps = false;
  if (!e || e->kind == EXPR_ERROR) return;
  look_for_eps(e, &has_eps);
  if (positive && has_eps) {
    bad_d(c, e, what);
    return;
  }
  c->ctx = (struct expr_context){.place = what, .constant = true};
  size_t errors = c->diags->errors;
  const struct type *t = check_numeric(c, e, what);
  if (c->diags->errors != errors || t->kind == TYPE_ERROR) return;
  int sign = constant_sign(e);
  if (positive && (sign == 2 || sign <= 0))
    bad_d(c, e, what);
  else if (sign == 2)
    report_error(c, e->span, "automaton-bad-mean", "%s must be a rational constant", what);
}

static void check_state(struct checker *c, struct ast_state *s) {
  if (s->is_final) {
    struct ast_expr *extra = s->d ? s->d : s->mean ? s->mean : s->d2 ? s->d2 : s->mean2;
    if (extra)
      report_error(c, extra->span, "automaton-noise-on-final",
                   "the final state `%s` has no noise, so it can have no d or mean", s->name.text);
    return;
  }
  if (!s->d) report_error(c, s->span, "automaton-bad-d", "the state `%s` needs a d", s->name.text);
  check_rational(c, s->d, "d", true);
  check_rational(c, s->mean, "the mean", false);
  check_rational(c, s->d2, "the d of insample'", true);
  check_rational(c, s->mean2, "the mean of insample'", false);
}

/* ---- guards -----------------------------------------------------------------------------------
 */

static bool is_insample(const struct ast_expr *e) {
  return e->kind == EXPR_NAME && strcmp(e->as.name.text, "insample") == 0;
}

static void bad_guard(struct checker *c, const struct ast_expr *e) {
  report_error(c, e->span, "automaton-bad-guard",
               "a guard compares insample with threshold variables: insample < x, insample >= x");
  report_hint(c, "combine comparisons with `and`, or leave the guard out");
}

static void check_comparison(struct checker *c, struct automaton *a, struct ast_expr *e,
                             struct ast_expr *left, struct ast_expr *right) {
  if (is_insample(left) == is_insample(right)) {
    bad_guard(c, e);
    return;
  }
  struct ast_expr *var = is_insample(left) ? right : left;
  left->type = right->type = c->types->real;
  if (var->kind == EXPR_NAME)
    check_var(c, a, (struct ast_name){var->as.name.text, var->span});
  else if (var->kind != EXPR_ERROR)
    bad_guard(c, var);
}

static bool is_order(enum binary_op op) {
  return op == BINARY_LT || op == BINARY_LE || op == BINARY_GT || op == BINARY_GE;
}

static void check_guard(struct checker *c, struct automaton *a, struct ast_expr *e);

static void check_guard_binary(struct checker *c, struct automaton *a, struct ast_expr *e) {
  enum binary_op op = e->as.binary.op;
  if (is_order(op)) {
    check_comparison(c, a, e, e->as.binary.left, e->as.binary.right);
  } else if (op == BINARY_AND || op == BINARY_OR) {
    if (op == BINARY_OR && !a->decl->as.automaton.independent) {
      report_error(c, e->span, "automaton-disjunction",
                   "with shared noise a guard may not be a disjunction");
      report_hint(c, "write one edge per alternative, or `noise independent;`");
      return;
    }
    check_guard(c, a, e->as.binary.left);
    check_guard(c, a, e->as.binary.right);
  } else {
    bad_guard(c, e);
  }
}

static void check_guard(struct checker *c, struct automaton *a, struct ast_expr *e) {
  e->type = c->types->boolean;
  switch (e->kind) {
  case EXPR_ERROR: break;
  case EXPR_BINARY: check_guard_binary(c, a, e); break;
  case EXPR_CHAIN: /* x <= insample < y */
    for (size_t i = 0; i + 1 < e->as.chain.count; i++) {
      if (is_order(e->as.chain.ops[i]))
        check_comparison(c, a, e, e->as.chain.operands[i], e->as.chain.operands[i + 1]);
      else
        bad_guard(c, e);
    }
    break;
  case EXPR_UNARY:
    if (e->as.unary.op == UNARY_NOT) {
      bool conjunction = e->as.unary.operand->kind == EXPR_CHAIN ||
                         (e->as.unary.operand->kind == EXPR_BINARY &&
                          e->as.unary.operand->as.binary.op == BINARY_AND);
      if (conjunction && !a->decl->as.automaton.independent)
        report_error(c, e->span, "automaton-disjunction",
                     "with shared noise a guard may not be a disjunction, which this negation is");
      else
        check_guard(c, a, e->as.unary.operand);
      break;
    }
    bad_guard(c, e);
    break;
  case EXPR_BOOL:
    if (!e->as.boolean) repeat(&a->dead, e->span);
    break;
  default: bad_guard(c, e);
  }
}

/* ---- edges ------------------------------------------------------------------------------------
 */

static void check_edge(struct checker *c, struct automaton *a, struct ast_edge *e) {
  struct ast_state *from = find_state(c, a, e->from);
  find_state(c, a, e->to);
  if (from && from->is_final) {
    report_error(c, e->from.span, "automaton-edge-from-final",
                 "the state `%s` is final: no edge can leave it", e->from.text);
    report_hint(c, "leave the edge out, or declare the state with noise: `state %s d 1/4;`",
                e->from.text);
    report_note(c, from->name.span, "it is declared here");
  }
  if (e->guard) check_guard(c, a, e->guard);
  if (e->output == OUTPUT_INSAMPLE_PRIME && from && !from->is_final && !from->d2) {
    report_error(c, e->span, "automaton-no-prime",
                 "the state `%s` has no insample': it has no second noise", e->from.text);
    report_hint(c, "give the state one: prime d ...");
    report_note(c, from->name.span, "the state");
  }
  for (size_t i = 0; i < e->assigned_count; i++) {
    check_var(c, a, e->assigned[i]);
    for (size_t j = 0; j < i; j++)
      if (e->assigned[i].text == e->assigned[j].text) {
        report_error(c, e->assigned[i].span, "automaton-duplicate-variable",
                     "`%s` is assigned twice by this edge", e->assigned[i].text);
        break;
      }
  }
}

/* ---- reachability -----------------------------------------------------------------------------
 */

/* Breadth first over the edges as listed: `first` and `next` chain those that leave a state. */
static void check_reachable(struct checker *c, struct automaton *a, struct ast_state *start) {
  struct ast_decl *d = a->decl;
  size_t states = d->as.automaton.state_count, edges = d->as.automaton.edge_count;
  size_t *first = xcalloc(states + 1, sizeof *first), *next = xcalloc(edges + 1, sizeof *next);
  bool *seen = xcalloc(states + 1, sizeof *seen);
  VEC(size_t) queue = {0};
  for (size_t i = edges; i-- > 0;) {
    struct ast_state *from = ptrmap_get(&a->states, d->as.automaton.edges[i].from.text);
    if (!from) continue;
    size_t s = (size_t)(from - d->as.automaton.states);
    next[i + 1] = first[s];
    first[s] = i + 1;
  }
  size_t s0 = (size_t)(start - d->as.automaton.states);
  seen[s0] = true;
  vec_push(&queue, s0);
  for (size_t i = 0; i < queue.len; i++)
    for (size_t e = first[queue.at[i]]; e; e = next[e]) {
      struct ast_state *to = ptrmap_get(&a->states, d->as.automaton.edges[e - 1].to.text);
      size_t s = to ? (size_t)(to - d->as.automaton.states) : s0;
      if (seen[s]) continue;
      seen[s] = true;
      vec_push(&queue, s);
    }
  struct repeated lost = {0};
  const char *name = NULL;
  for (size_t i = 0; i < states; i++) {
    const struct ast_name *state = &d->as.automaton.states[i].name;
    if (seen[i] || ptrmap_get(&a->states, state->text) != &d->as.automaton.states[i]) continue;
    if (!name) name = state->text;
    repeat(&lost, state->span);
  }
  char more[64];
  if (lost.count)
    report_warning(c, lost.first, "automaton-unreachable-state",
                   "the state `%s` cannot be reached from the start%s", name,
                   and_more(&lost, more, sizeof more));
  vec_clear(&queue);
  free(first);
  free(next);
  free(seen);
}

void check_automaton(struct checker *c, struct ast_decl *d) {
  struct automaton a = {.decl = d};
  size_t errors = c->diags->errors;
  enter_vars(c, &a);
  enter_states(c, &a);
  for (size_t i = 0; i < d->as.automaton.state_count; i++)
    check_state(c, &d->as.automaton.states[i]);
  for (size_t i = 0; i < d->as.automaton.edge_count; i++)
    check_edge(c, &a, &d->as.automaton.edges[i]);
  char more[64];
  if (a.dead.count)
    report_warning(c, a.dead.first, "automaton-dead-edge", "this guard is never true%s",
                   and_more(&a.dead, more, sizeof more));
  struct ast_state *start = NULL;
  if (!d->as.automaton.start.text) {
    report_error(c, d->name.span, "automaton-no-start", "the automaton `%s` has no start state",
                 d->name.text);
    report_hint(c, "write `start q;` in it");
  } else {
    start = find_state(c, &a, d->as.automaton.start);
  }
  if (start && c->diags->errors == errors) check_reachable(c, &a, start);
  ptrmap_clear(&a.states);
  ptrmap_clear(&a.vars);
}

/* ---- claims -----------------------------------------------------------------------------------
 */

/* Every automaton has a parameter `eps`, whether it is declared or not: nothing else may be it. */
static void check_eps(struct checker *c, const struct ast_expr *e, const struct ast_decl *d) {
  if (strcmp(e->as.name.text, "eps") != 0 || !d || d->kind == DECL_ERROR) return;
  const struct type *t = d->kind == DECL_PARAM ? d->as.param.type->type : NULL;
  if (t && (t->kind == TYPE_REAL || t->kind == TYPE_INT || t->kind == TYPE_ERROR)) return;
  report_error(c, e->span, "ambiguous-name",
               "every automaton has a parameter `eps`, and here `eps` is %s%s",
               decl_kind_text(d->kind), t ? " that is no number" : "");
  report_hint(c, "rename the other one");
  report_note(c, d->name.span, "the other `eps`");
}

/* Names in the term are `eps` and constants. */
static void set_types(struct checker *c, struct ast_expr *e) {
  e->type = c->types->real;
  if (e->kind == EXPR_BINARY) {
    set_types(c, e->as.binary.left);
    set_types(c, e->as.binary.right);
  } else if (e->kind == EXPR_UNARY) {
    set_types(c, e->as.unary.operand);
  } else if (e->kind == EXPR_NAME) {
    struct ast_decl *d = names_visible(c, &c->values, e->as.name.text);
    bool usable = d && (d->kind == DECL_PARAM || (d->kind == DECL_LET && !d->as.let.arg_count));
    e->as.name.decl = usable ? d : NULL;
    check_eps(c, e, d);
  }
}

void check_automaton_claim(struct checker *c, struct ast_decl *claim) {
  struct ast_expr *epsilon = claim->as.claim.epsilon;
  if (claim->as.claim.notion != NOTION_PURE) {
    report_error(c, epsilon->span, "automaton-notion",
                 "a claim about an automaton says `epsilon`: `%s` is for mechanisms",
                 notion_word(claim->as.claim.notion));
    report_hint(c, "write `claim private %s epsilon ?;` to ask for the least",
                claim->as.claim.subject.text);
    return;
  }
  if (claim->as.claim.delta) {
    report_error(c, claim->as.claim.delta->span, "automaton-delta",
                 "a claim about an automaton is pure: it has no delta");
    report_hint(c, "leave `delta` out");
  }
  if (claim->as.claim.at_count)
    report_error(c, claim->as.claim.at[0].name.span, "automaton-at",
                 "a claim about an automaton is for every eps and all inputs: it has no `at`");
  if (claim->as.claim.under)
    report_error(c, claim->as.claim.under->span, "automaton-under",
                 "the inputs of an automaton differ by at most 1: a claim cannot say otherwise");
  if (epsilon->kind == EXPR_ERROR) return;
  set_types(c, epsilon);
  if (epsilon->kind == EXPR_HOLE) return;
  fmpq_t factor;
  fmpq_init(factor);
  if (!constant_multiple(factor, epsilon, intern_str(&c->lang->intern, "eps"))) {
    report_error(c, epsilon->span, "automaton-bad-epsilon",
                 "epsilon of an automaton must be a rational constant times eps");
    report_hint(c, "for example: epsilon 5/4*eps, or epsilon ? for the least");
  } else if (fmpq_sgn(factor) < 0) {
    report_error(c, epsilon->span, "bad-epsilon", "epsilon may not be negative");
  }
  fmpq_clear(factor);
}
