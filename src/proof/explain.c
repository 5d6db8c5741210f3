#include "proof/explain.h"

#include <string.h>

#include "out/core_print.h"
#include "proof/cancel.h"
#include "proof/plain.h"
#include "proof/sample_values.h"
#include "term/build.h"
#include "term/subst.h"

typedef VEC(struct explain_node) node_list;

/* A payment while the numbers are not known yet. */
struct paying {
  struct explain_payment shown;
  term_id cost;  /* samplings: paid */
  term_id entry; /* loops: budget needed when it begins */
};

struct explainer {
  struct prover *p;
  struct terms *ts;
  struct arena *arena;
  unsigned depth;          /* loops and branches around */
  unsigned branches;       /* of case distinctions that were entered so far */
  term_id given;           /* what holds in the present branch of these, or TERM_NONE */
  term_list known, values; /* variables of a run with a known value over logical variables */
  VEC(struct paying) payments;
};

/* What a rule did, in words. */
static const char *words(const char *rule) {
  static const char *const table[][2] = {
      {"SKIP", "nothing happens"},
      {"ASSN-L", "run 1 assigns"},
      {"ASSN-R", "run 2 assigns"},
      {"COND", "both runs take the same branch"},
      {"COND-L", "run 1 branches by itself"},
      {"COND-R", "run 2 branches by itself"},
      {"CASE", "case distinction"},
      {"CONSEQ", "by arithmetic"},
      {"WHILE", "the invariant holds in every iteration"},
      {"WHILE-DELTA", "the invariant holds; the deltas of the iterations add up"},
      {"WHILE-APART", "the invariant holds; the runs may leave the loop at different times"},
      {"WHILE-L", "run 1 loops by itself"},
      {"WHILE-R", "run 2 loops by itself"},
      {"SAMPLE", "both runs sample, run 2 shifted against run 1"},
      {"SAMPLE-L", "run 1 samples by itself"},
      {"SAMPLE-R", "run 2 samples by itself"},
      {"RND", "both runs draw the same sample, free of charge"},
      {"PW-EQ", "for each possible output separately"},
      {"ADV", "the adversary sees the same and does the same"},
      {"UTB-L", "up to a bad event of run 1"},
      {"UTB-R", "up to a bad event of run 2"},
      {"LAPINT", "run 1's sample is in its interval iff run 2's is"},
      {"UNIF", "run 2's uniform sample is a fraction of run 1's"},
      {"SCALE", "run 2's sample is a fraction of run 1's"},
      {"MEET", "run 2 has one sample whatever run 1 has"},
      {"MEET-R", "run 2 alone has a given sample, for the odds"},
      {"SUBSET", "run 1's sample is in its set iff run 2's is in its own"},
      {"AC-OPT", "optimal composition of the iterations"},
      {"WASTE", "budget is given away"},
      {"BUDGET-FRAME", "budget is put aside"},
      {"CONTRACT", "a part by itself: the rest of the budget is put aside"},
      {"EXISTS", "for some value"},
      {"EQUIV-SWAP", "the same in another order"},
      {"EQUIV-UNROLL", "the first iteration by itself"},
      {"EQUIV-SPLIT", "the loop in two parts"},
      {"EQUIV-BLOCK", "the loop in blocks"},
      {"EQUIV-FLATTEN", "the inner loop's iterations one by one"},
      {"EQUIV-FUSE", "two loops as one, iteration by iteration"},
      {"EQUIV-JOIN", "the branches sample once for both"},
      {"EQUIV-DEAD", "does not matter afterwards"},
      {"AC-HIT", "only hits are paid for, by advanced composition"},
      {"AC-WHILE", "advanced composition of the iterations"},
      {"EQUIV-NOISE", "the statements amount to this noise"},
      {"FINITE", "each outcome is likely enough in run 2"},
      {"UNTIL", "rounds that are alike, until one is accepted"},
      {"FRAME", "not touched"},
      {"ADMIT", "ADMITTED WITHOUT PROOF"}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    if (strcmp(table[i][0], rule) == 0) return table[i][1];
  return rule;
}

static const char *text_of(struct explainer *x, term_id t) {
  if (t == TERM_NONE) return NULL;
  char *text = plain_text(x->ts, factors_cancelled(x->ts, t));
  const char *kept = arena_printf(x->arena, "%s", text);
  free(text);
  return kept;
}

/* The first line of a statement. */
static const char *command_of(struct explainer *x, const struct core *c) {
  struct buffer text;
  buffer_init(&text);
  core_print(&text, x->ts, c, 0);
  const char *line = buffer_text(&text);
  const char *kept = arena_strndup(x->arena, line, strcspn(line, "\n"));
  buffer_clear(&text);
  return kept;
}

/* ---- what is known about variables ----------------------------------------------------------- */

static void forget(struct explainer *x, term_id var) {
  for (size_t i = 0; i < x->known.len; i++)
    if (x->known.at[i] == var) {
      x->known.at[i] = vec_pop(&x->known);
      x->values.at[i] = vec_pop(&x->values);
      return;
    }
}

/* A budget that speaks of the variable's old value cannot be said any more. */
static term_id assigned(struct explainer *x, term_id budget, term_id var) {
  term_id both[] = {term_var_in_run(x->ts, var, 1), term_var_in_run(x->ts, var, 2)};
  if (budget != TERM_NONE && term_mentions(x->ts, budget, both, 2)) return TERM_NONE;
  return budget;
}

static term_id written(struct explainer *x, term_id budget, const struct core *c) {
  term_list vars = {0};
  core_writes(c, &vars);
  for (size_t i = 0; i < vars.len; i++) {
    budget = assigned(x, budget, vars.at[i]);
    forget(x, term_var_in_run(x->ts, vars.at[i], 1));
    forget(x, term_var_in_run(x->ts, vars.at[i], 2));
  }
  vec_clear(&vars);
  return budget;
}

static term_id with_known(struct explainer *x, term_id t) {
  return t == TERM_NONE ? t : term_subst(x->ts, t, x->known.at, x->values.at, x->known.len);
}

/* The value is remembered if it speaks of logical variables only. */
static void learn(struct explainer *x, unsigned run, const struct core *c) {
  term_id var = term_var_in_run(x->ts, c->var, run);
  term_id value = with_known(x, kernel_tag(x->p->k, c->expr, run));
  forget(x, var);
  if (value == TERM_NONE || term_in_run(x->ts, value, 1) || term_in_run(x->ts, value, 2)) return;
  vec_push(&x->known, var);
  vec_push(&x->values, value);
}

/* ---- the tree -------------------------------------------------------------------------------- */

static term_id follow(struct explainer *x, node_list *into, const struct judgement *j,
                      term_id budget);

/* The same assignment in one run and then in the other. */
static bool is_assignment(const struct judgement *j) {
  return strcmp(judgement_rule(j), "SEQ") == 0 && judgement_left(j)->kind == CORE_ASSIGN &&
         core_equal(judgement_left(j), judgement_right(j));
}

/* The last case applies otherwise: one before it that says the same need not be said. */
static void join_last_cases(struct explain_node *node) {
  while (node->case_count > 1) {
    struct explain_case *last = &node->cases[node->case_count - 1];
    if (last->when || !last->cost || !last[-1].cost || strcmp(last->cost, last[-1].cost) != 0 ||
        strcmp(last->relation, last[-1].relation) != 0)
      break;
    last[-1].when = NULL;
    node->case_count--;
  }
}

static void take_cases(struct explainer *x, struct explain_node *node, const struct note *note) {
  node->case_count = note->case_count;
  node->cases = arena_alloc(x->arena, (note->case_count + 1) * sizeof *node->cases);
  for (size_t i = 0; i < note->case_count; i++)
    node->cases[i] = (struct explain_case){text_of(x, note->cases[i].when), note->cases[i].relation,
                                           text_of(x, note->cases[i].cost)};
  join_last_cases(node);
}

/* What the coupling takes, as one term over the memories before and run 1's sample. */
static term_id cost_of(struct explainer *x, const struct note *note) {
  if (!note->case_count) return term_int(x->ts, 0);
  term_id cost = note->cases[note->case_count - 1].cost;
  for (size_t i = note->case_count - 1; i-- > 0;)
    cost = term_ite(x->ts, note->cases[i].when, term_coerce(x->ts, note->cases[i].cost, SORT_REAL),
                    term_coerce(x->ts, cost, SORT_REAL));
  return cost;
}

static bool is_zero(struct explainer *x, term_id t) {
  return t != TERM_NONE && term_is_num(x->ts, t) && fmpq_is_zero(term_num_value(x->ts, t));
}

static void add_payment(struct explainer *x, const struct core *c, term_id cost, term_id entry,
                        struct span span) {
  if (x->depth) return;
  bool is_loop = c->kind == CORE_WHILE;
  term_id said = is_loop && cost == TERM_NONE ? entry : cost;
  if (is_zero(x, said)) return;
  vec_push(&x->payments, (struct paying){{.command = command_of(x, c),
                                          .cost = text_of(x, said),
                                          .span = span,
                                          .is_loop = is_loop,
                                          .branch = x->branches,
                                          .given = text_of(x, x->given)},
                                         cost,
                                         entry});
}

static term_id minus(struct explainer *x, term_id budget, term_id cost) {
  return budget == TERM_NONE || cost == TERM_NONE ? TERM_NONE : term_sub(x->ts, budget, cost);
}

static void children(struct explainer *x, struct explain_node *node, const struct judgement *j,
                     term_id budget, term_id *after) {
  node_list list = {0};
  term_id common = TERM_NONE;
  for (size_t i = 0; i < judgement_premise_count(j); i++) {
    term_id end = follow(x, &list, judgement_premise(j, i), budget);
    common = i == 0 || common == end ? end : TERM_NONE;
  }
  if (judgement_premise_count(j) && after) *after = common;
  node->child_count = list.len;
  node->children = arena_take_vec(x->arena, &list);
}

/* Branch i of a distinction: its condition, with those around it. */
static term_id branch_condition(struct explainer *x, const struct judgement *j, size_t i) {
  const struct note *note = ptrmap_get(&x->p->notes, j);
  if (!note || note->condition == TERM_NONE) return x->given;
  term_id own = i == 0 ? note->condition : term_not(x->ts, note->condition);
  return x->given == TERM_NONE ? own : term_and(x->ts, x->given, own);
}

static bool is_case(const struct judgement *j) {
  return strcmp(judgement_rule(j), "CASE") == 0;
}

/* Only where run 2 has a given sample may a coupling cost less than nothing. */
static bool may_be_negative(const struct judgement *j) {
  return is_case(j) || strncmp(judgement_rule(j), "MEET", 4) == 0;
}

static term_id larger_cost(struct explainer *x, const struct judgement *one, term_id a,
                           const struct judgement *two, term_id b) {
  if (a == TERM_NONE || b == TERM_NONE) return TERM_NONE;
  if (is_zero(x, a) && !may_be_negative(two)) return b;
  if (is_zero(x, b) && !may_be_negative(one)) return a;
  return term_max(x->ts, a, b);
}

/* A distinction at a sampling, perhaps with others inside: the largest cost has to be kept ready. */
static term_id cost_of_cases(struct explainer *x, const struct judgement *j) {
  const struct note *note = ptrmap_get(&x->p->notes, j);
  if (!is_case(j)) return note ? cost_of(x, note) : TERM_NONE;
  const struct judgement *yes = judgement_premise(j, 0), *no = judgement_premise(j, 1);
  return larger_cost(x, yes, cost_of_cases(x, yes), no, cost_of_cases(x, no));
}

static term_id cases_of_sample(struct explainer *x, struct explain_node *node,
                               const struct judgement *j, term_id budget) {
  term_id around = x->given, common = TERM_NONE;
  node_list list = {0};
  const struct judgement *sampling = j;
  while (is_case(sampling))
    sampling = judgement_premise(sampling, 0);
  add_payment(x, judgement_left(j), cost_of_cases(x, j), TERM_NONE, judgement_span(sampling));
  x->depth++;
  for (size_t i = 0; i < judgement_premise_count(j); i++) {
    x->given = around;
    x->given = branch_condition(x, j, i);
    term_id end = follow(x, &list, judgement_premise(j, i), budget);
    common = i == 0 || common == end ? end : TERM_NONE;
    vec_last(&list).branch = (unsigned)i + 1;
    vec_last(&list).given = text_of(x, x->given);
  }
  x->depth--;
  x->given = around;
  node->child_count = list.len;
  node->children = arena_take_vec(x->arena, &list);
  return common;
}

static void set_known(struct explainer *x, const term_list *known, const term_list *values) {
  x->known.len = x->values.len = 0;
  for (size_t i = 0; i < known->len; i++) {
    vec_push(&x->known, known->at[i]);
    vec_push(&x->values, values->at[i]);
  }
}

/* A distinction before the program: each branch proves all of it, with the whole budget. */
static term_id cases(struct explainer *x, struct explain_node *node, const struct judgement *j,
                     term_id budget) {
  if (judgement_left(j)->kind == CORE_SAMPLE) return cases_of_sample(x, node, j, budget);
  node_list list = {0};
  term_list known = x->known, values = x->values;
  x->known = x->values = (term_list){0};
  term_id common = TERM_NONE, around = x->given;
  for (size_t i = 0; i < judgement_premise_count(j); i++) {
    set_known(x, &known, &values);
    x->given = around;
    x->given = branch_condition(x, j, i);
    if (!x->depth) x->branches++;
    node_list steps = {0};
    term_id end = follow(x, &steps, judgement_premise(j, i), budget);
    struct explain_node own = {.rule = node->rule,
                               .words = i == 0 ? "if it holds" : "otherwise",
                               .span = node->span,
                               .before = text_of(x, budget),
                               .after = text_of(x, end),
                               .branch = (unsigned)i + 1,
                               .given = text_of(x, x->given),
                               .child_count = steps.len};
    own.children = arena_take_vec(x->arena, &steps);
    vec_push(&list, own);
    common = i == 0 || common == end ? end : TERM_NONE;
  }
  x->given = around;
  vec_clear(&known);
  vec_clear(&values);
  node->child_count = list.len;
  node->children = arena_take_vec(x->arena, &list);
  return common;
}

/* One iteration stands for all: only what no iteration writes is still known. */
static term_id loop(struct explainer *x, struct explain_node *node, const struct judgement *j,
                    const struct note *note, term_id budget) {
  const struct core *c =
      judgement_left(j)->kind == CORE_WHILE ? judgement_left(j) : judgement_right(j);
  term_id left = note ? note->left : TERM_NONE, cost = note ? note->cost : TERM_NONE;
  bool advanced = cost != TERM_NONE;
  /* without a budget in the invariant nothing can be paid inside, and nothing is kept for after */
  if (left == TERM_NONE) left = term_int(x->ts, 0);
  if (core_is_random(c)) /* a loop without noise hands the budget on */
    add_payment(x, c, cost, advanced ? cost : with_known(x, left), judgement_span(j));
  node->invariant = note ? note->invariant : NULL;
  node->left = note && note->left != TERM_NONE ? text_of(x, left) : NULL;
  node->cost = text_of(x, advanced ? cost : with_known(x, left));
  (void)written(x, budget, c);
  x->depth++;
  children(x, node, j, left, NULL);
  x->depth--;
  (void)written(x, TERM_NONE, c);
  return advanced ? term_int(x->ts, 0) : left;
}

static term_id branch(struct explainer *x, struct explain_node *node, const struct judgement *j,
                      term_id budget) {
  const struct core *c =
      judgement_left(j)->kind != CORE_SKIP ? judgement_left(j) : judgement_right(j);
  term_id after = budget;
  x->depth++;
  children(x, node, j, budget, &after);
  x->depth--;
  return written(x, after, c);
}

/* A part by itself: what goes into it is paid, whatever happens inside. */
static term_id contract(struct explainer *x, struct explain_node *node, const struct judgement *j,
                        const struct note *note, term_id budget) {
  term_id spent = note && note->cost != TERM_NONE ? with_known(x, note->cost) : TERM_NONE;
  const struct core *begin = judgement_left(j);
  while (begin->kind == CORE_SEQ)
    begin = begin->first;
  add_payment(x, begin, spent, TERM_NONE, begin->span.file ? begin->span : judgement_span(j));
  node->cost = text_of(x, spent);
  x->depth++;
  children(x, node, j, spent, NULL);
  x->depth--;
  return written(x, minus(x, budget, spent), judgement_left(j));
}

/* A round that is accepted, and what acceptance costs. */
static term_id until(struct explainer *x, struct explain_node *node, const struct judgement *j,
                     const struct note *note, term_id budget) {
  const struct core *loop = judgement_left(j);
  while (loop->kind == CORE_SEQ)
    loop = loop->second;
  term_id accept = note && note->cost != TERM_NONE ? with_known(x, note->cost) : TERM_NONE;
  node->cost = text_of(x, accept);
  node_list list = {0};
  x->depth++;
  follow(x, &list, judgement_premise(j, 1), accept);
  x->depth--;
  add_payment(x, loop, accept, TERM_NONE, judgement_span(j));
  budget = follow(x, &list, judgement_premise(j, 0), minus(x, budget, accept));
  node->child_count = list.len;
  node->children = arena_take_vec(x->arena, &list);
  return budget;
}

static term_id step(struct explainer *x, struct explain_node *node, const struct judgement *j,
                    term_id budget) {
  const struct note *note = ptrmap_get(&x->p->notes, j);
  const struct core *left = judgement_left(j), *right = judgement_right(j);
  const struct core *c = left->kind != CORE_SKIP ? left : right;
  if (note && note->case_count) take_cases(x, node, note);
  if (judgement_premise_count(j)) {
    if (strncmp(node->rule, "WHILE", 5) == 0 || strncmp(node->rule, "AC-", 3) == 0)
      return loop(x, node, j, note, budget);
    if (strncmp(node->rule, "COND", 4) == 0) return branch(x, node, j, budget);
    if (is_case(j)) return cases(x, node, j, budget);
    if (strcmp(node->rule, "CONTRACT") == 0) return contract(x, node, j, note, budget);
    if (strcmp(node->rule, "UNTIL") == 0) return until(x, node, j, note, budget);
    term_id after = budget;
    children(x, node, j, budget, &after);
    return after;
  }
  if (c->kind == CORE_SKIP) return budget;
  node->command = command_of(x, c);
  if (strcmp(node->rule, "ADMIT") == 0) return TERM_NONE;
  if (c->kind == CORE_ASSIGN) {
    learn(x, left->kind != CORE_SKIP ? 1 : 2, c);
    return assigned(x, budget, c->var);
  }
  budget = written(x, budget, c);
  if (c->kind != CORE_SAMPLE || !note) return budget;
  /* the cost may depend on the sample, which is the variable's value from now on */
  term_id cost = cost_of(x, note);
  add_payment(x, c, cost, TERM_NONE, judgement_span(j));
  return minus(x, budget, cost);
}

static term_id follow(struct explainer *x, node_list *into, const struct judgement *j,
                      term_id budget) {
  const char *rule = judgement_rule(j);
  if (strcmp(rule, "SEQ") == 0 && !is_assignment(j)) { /* a list, not a staircase */
    for (size_t i = 0; i < judgement_premise_count(j); i++)
      budget = follow(x, into, judgement_premise(j, i), budget);
    return budget;
  }
  struct explain_node node = {.span = judgement_span(j), .before = text_of(x, budget)};
  if (is_assignment(j)) {
    const struct core *c = judgement_left(j);
    node.rule = "ASSN";
    node.words = "both runs assign";
    node.command = command_of(x, c);
    learn(x, 1, c);
    learn(x, 2, c);
    budget = assigned(x, budget, c->var);
  } else {
    const struct note *note = ptrmap_get(&x->p->notes, j);
    node.rule = arena_printf(x->arena, "%s", rule);
    node.words = note && note->words ? note->words : words(node.rule);
    budget = step(x, &node, j, budget);
  }
  node.after = text_of(x, budget);
  vec_push(into, node);
  return budget;
}

/* ---- shares ---------------------------------------------------------------------------------- */

/* From the end: a sampling needs its cost on top of what comes after; what a loop spends is what it
 * begins with, less what is needed afterwards. */
static void compute_shares(struct explainer *x, struct explanation *e, term_id total) {
  struct sample_values v;
  sample_values_init(&v, x->p);
  double whole, needed = 0;
  bool known = sample_value(&v, total, &whole) && whole > 0;
  for (size_t i = x->payments.len; known && i-- > 0;) {
    struct paying *pay = &x->payments.at[i];
    if (i + 1 < x->payments.len && pay[1].shown.branch != pay->shown.branch) needed = 0;
    bool of_loop = pay->shown.is_loop && pay->cost == TERM_NONE;
    double value;
    if (!sample_value(&v, of_loop ? pay->entry : pay->cost, &value) || value < 0) continue;
    double spent = of_loop ? value - needed : value;
    if (spent < 0 || needed + spent > whole * (1 + 1e-9)) continue;
    pay->shown.has_share = true;
    pay->shown.share = spent / whole;
    needed += spent;
    e->values = ""; /* there is something to draw */
  }
  e->values = known && e->values ? sample_values_text(&v, x->arena) : NULL;
  sample_values_clear(&v);
}

struct explanation *explain_derivation(struct prover *p, const struct judgement *j) {
  struct explainer x = {.p = p, .ts = p->ts, .arena = p->arena, .given = TERM_NONE};
  struct explanation *e = arena_new(p->arena, struct explanation);
  term_id total = claim_epsilon(p->claim);
  node_list list = {0};
  follow(&x, &list, j, total);
  e->total = text_of(&x, total);
  e->count = list.len;
  e->steps = arena_take_vec(p->arena, &list);
  compute_shares(&x, e, total);
  e->payment_count = x.payments.len;
  e->payments = arena_alloc(p->arena, (x.payments.len + 1) * sizeof *e->payments);
  for (size_t i = 0; i < x.payments.len; i++)
    e->payments[i] = x.payments.at[i].shown;
  vec_clear(&x.payments);
  vec_clear(&x.known);
  vec_clear(&x.values);
  return e;
}
