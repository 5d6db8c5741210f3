#include "claim/claim.h"

#include "claim/convert.h"
#include "claim/proof_names.h"
#include "kernel/ahl.h"
#include "kernel/context.h"
#include "kernel/dist.h"
#include "kernel/law.h"
#include "term/build.h"
#include "term/subst.h"

struct claim {
  struct kernel *kernels[CLAIM_CONTEXTS];
  struct translate_env env;
  struct lowered program;
  const struct ast_decl *decl;
  struct span span;
  term_id pre, post;
  term_id asked;                /* what stands for `?` in its formula; TERM_NONE: there is none */
  struct privacy stated, shown; /* by the claim, by the judgements: the same unless by a route */
  bool by_route;
  term_id adjacency;       /* as stated, before existentials are opened */
  int symmetric;           /* -1: not asked yet */
  struct distribution law; /* `samples` */
  term_id outcome;         /* the value that it is about */
};

struct kernel *claim_kernel(struct claim *claim, enum claim_direction direction) {
  return claim->kernels[direction];
}
const struct ast_decl *claim_decl(const struct claim *claim) {
  return claim->decl;
}
const struct lowered *claim_program(const struct claim *claim) {
  return &claim->program;
}
struct translate_env *claim_env(struct claim *claim) {
  return &claim->env;
}
term_id claim_pre(const struct claim *claim) {
  return claim->pre;
}
term_id claim_post(const struct claim *claim) {
  return claim->post;
}
term_id claim_epsilon(const struct claim *claim) {
  return claim->stated.cost;
}
term_id claim_budget(const struct claim *claim) {
  return notion_budget(claim->env.ts, claim->shown.notion, claim->shown.cost);
}
term_id claim_delta(const struct claim *claim) {
  return claim->stated.delta;
}

term_id claim_asked(const struct claim *claim) {
  return claim->asked != TERM_NONE ? claim->asked : claim->stated.cost;
}

/* About one run. */
static bool is_one_run(const struct claim *claim) {
  return claim->decl->as.claim.formula || claim->decl->as.claim.law;
}

bool claim_is_law(const struct claim *claim) {
  return claim->decl->as.claim.law != NULL;
}

bool claim_is_accuracy(const struct claim *claim) {
  return is_one_run(claim) && !claim_is_law(claim);
}

const struct distribution *claim_law(const struct claim *claim) {
  return &claim->law;
}

term_id claim_outcome(const struct claim *claim) {
  return claim->outcome;
}

/* ---- facts ---------------------------------------------------------------------------------- */

/* Preconditions hold in each run that the claim is about: each of their parts is a fact. */
static void assume_requires(struct claim *c, const struct ast_decl *m) {
  term_list parts = {0};
  for (size_t i = 0; i < m->as.mechanism.require_count; i++) {
    term_id t = translate_expr_as(&c->env, m->as.mechanism.requires[i], SORT_BOOL);
    parts.len = 0;
    if (t == TERM_NONE) break;
    term_conjuncts(c->env.ts, t, &parts);
    for (unsigned run = 1; run <= (is_one_run(c) ? 1 : 2); run++)
      for (size_t p = 0; p < parts.len; p++)
        translate_assume(&c->env, m->as.mechanism.requires[i] -> span,
                         kernel_tag(c->kernels[CLAIM_FORWARD], parts.at[p], run));
  }
  vec_clear(&parts);
}

/* Opens an `exists` that is assumed; its witness gets a name of its own, so that proofs can use it.
 */
static term_id open_witness(struct claim *c, term_id exists) {
  const char *hint = term_binder_hint(c->env.ts, exists);
  term_id witness, part = term_open(c->env.ts, exists, &witness);
  const char *name = intern_str(&c->env.lang->intern, hint);
  while (ptrmap_get(&c->env.names, name) || proof_names_decl(&c->env, name))
    name = intern_str(&c->env.lang->intern, arena_printf(&c->env.lang->arena, "%s'", name));
  translate_bind(&c->env, NULL, name, witness, false, TERM_NONE);
  return part;
}

static bool has_exists(struct terms *ts, term_id t) {
  for (size_t i = 0; term_kind(ts, t) == TERM_AND && i < term_arg_count(ts, t); i++)
    if (term_kind(ts, term_arg(ts, t, i)) == TERM_EXISTS) return true;
  return false;
}

/* The same for those inside of alternatives: there are integers, so that (exists i. F) or G is
 * exists i. F or G if i is not in G. */
static term_id open_alternatives(struct claim *c, term_id t) {
  struct terms *ts = c->env.ts;
  enum term_kind kind = term_kind(ts, t);
  if (kind == TERM_EXISTS && term_get(ts, t)->binder == SORT_INT)
    return open_alternatives(c, open_witness(c, t));
  if (kind != TERM_AND && kind != TERM_OR) return t;
  term_id all = term_bool(ts, kind == TERM_AND);
  for (size_t i = 0; i < term_arg_count(ts, t); i++) {
    term_id part = open_alternatives(c, term_arg(ts, t, i));
    all = kind == TERM_AND ? term_and(ts, all, part) : term_or(ts, all, part);
  }
  return all;
}

/* The adjacency, with its witnesses; those inside of another one's formula, too. */
static void assume_adjacency(struct claim *c, const struct ast_expr *formula) {
  c->adjacency = term_bool(c->env.ts, true);
  if (!formula) return;
  c->adjacency = translate_expr_as(&c->env, formula, SORT_BOOL);
  if (c->adjacency == TERM_NONE) return;
  term_list parts = {0};
  term_conjuncts(c->env.ts, c->adjacency, &parts);
  for (size_t i = 0; i < parts.len; i++) {
    term_id part = parts.at[i];
    while (term_kind(c->env.ts, part) == TERM_EXISTS)
      part = open_witness(c, part);
    if (has_exists(c->env.ts, part))
      term_conjuncts(c->env.ts, part, &parts);
    else
      translate_assume(&c->env, formula->span, open_alternatives(c, part));
  }
  vec_clear(&parts);
}

/* All contexts but the first, which has all facts. */
static void open_contexts(struct claim *c) {
  struct kernel *k = c->kernels[CLAIM_FORWARD];
  kernel_seal(k);
  c->kernels[CLAIM_BACKWARD] = kernel_exchange(k);
  if (kernel_notion(k).kind == NOTION_PURE) return;
  kernel_open_pure(k, &c->kernels[CLAIM_PURE_FORWARD], &c->kernels[CLAIM_PURE_BACKWARD]);
}

/* ---- opening -------------------------------------------------------------------------------- */

/* A new logical variable, called so in proofs, with primes if the name is taken. */
static term_id bind_logical(struct claim *c, const struct ast_var *var, const char *name,
                            sort_id sort) {
  struct kernel *k = c->kernels[CLAIM_FORWARD];
  term_id t;
  while (t = term_var(c->env.ts, name, sort, 0, 0),
         ptrmap_get(&c->env.names, name) || proof_names_decl(&c->env, name) ||
             kernel_is_var(k, t) || t == kernel_budget(k))
    name = intern_str(&c->env.lang->intern, arena_printf(&c->env.lang->arena, "%s'", name));
  translate_bind(&c->env, var, name, t, false, TERM_NONE);
  return t;
}

/* `renyi for all a`: a is any number above 1, under that name in proofs. */
static void bind_order(struct claim *c, const struct ast_var *order) {
  struct terms *ts = c->env.ts;
  term_id alpha = bind_logical(c, order, order->name.text, SORT_REAL);
  c->stated.notion.order = alpha;
  translate_assume(&c->env, order->name.span, term_lt(ts, term_int(ts, 1), alpha));
}

/* A number of the claim (or, `in_proof`, of a proof) over parameters. */
static term_id constant(struct claim *c, const struct ast_expr *e, bool in_proof,
                        const char *what) {
  c->env.is_proof_text = in_proof;
  term_id t = translate_expr_as(&c->env, e, SORT_REAL);
  c->env.is_proof_text = false;
  if (!c->env.error && !kernel_is_constant(c->kernels[CLAIM_FORWARD], t))
    translate_fail(&c->env, e->span, "%s must be a term over parameters", what);
  return t;
}

static void state_claim(struct claim *c, const struct ast_decl *decl,
                        const struct ast_expr *epsilon) {
  if (epsilon->kind == EXPR_HOLE) {
    translate_fail(&c->env, decl->span, "the claim does not say which epsilon to prove");
    return;
  }
  c->stated.notion = (struct notion_of){decl->as.claim.notion, TERM_NONE, false};
  if (decl->as.claim.all_order) bind_order(c, decl->as.claim.all_order);
  if (decl->as.claim.order)
    c->stated.notion.order = constant(c, decl->as.claim.order, false, "the order");
  bool proposed = epsilon != decl->as.claim.epsilon; /* a cost that the search proposes */
  c->stated.cost = constant(c, epsilon, proposed, "epsilon");
  c->stated.delta = decl->as.claim.delta ? constant(c, decl->as.claim.delta, false, "delta")
                                         : term_rat(c->env.ts, 0, 1);
}

/* What the judgements will be about. */
static void state_route(struct claim *c, const struct claim_route *route) {
  c->shown = c->stated;
  c->by_route = route != NULL;
  if (!route) return;
  c->shown.notion = (struct notion_of){route->notion, TERM_NONE, false};
  if (route->order) c->shown.notion.order = constant(c, route->order, true, "the order");
  c->shown.cost = constant(c, route->cost, true, "the cost");
  c->shown.delta = TERM_NONE;
}

/* Bounds without functions are simpler, and enough for costs without functions. */
static void choose_prices(struct claim *c) {
  c->shown.notion.by_curve =
      c->shown.notion.kind == NOTION_RENYI && c->shown.cost != TERM_NONE &&
      (term_get(c->env.ts, c->shown.cost)->flags & TERM_HAS_TRANSCENDENTAL) != 0;
}

static void state_goal(struct claim *c, const struct ast_decl *decl, const struct ast_expr *epsilon,
                       const struct claim_route *route) {
  struct kernel *k = c->kernels[CLAIM_FORWARD];
  struct terms *ts = c->env.ts;
  state_claim(c, decl, epsilon);
  if (!c->env.error) state_route(c, route);
  if (c->env.error) return;
  choose_prices(c);
  if (!kernel_set_notion(k, c->shown.notion)) {
    translate_fail(&c->env, decl->span, "this notion needs an order, or has none");
    return;
  }
  c->pre = term_eq(ts, kernel_budget(k), claim_budget(c));
  const term_id outputs[] = {c->program.output, c->program.result};
  c->post = term_bool(ts, true);
  for (size_t i = 0; i < 2; i++)
    if (outputs[i] != TERM_NONE)
      c->post = term_and(ts, c->post,
                         term_eq(ts, kernel_tag(k, outputs[i], 1), kernel_tag(k, outputs[i], 2)));
}

/* A formula about run 1. */
static term_id about_run(struct claim *c, const struct ast_expr *formula) {
  c->env.untagged = 1;
  term_id t = translate_expr_as(&c->env, formula, SORT_BOOL);
  c->env.untagged = 0;
  return t;
}

/* The formula; `asked` is what its `?` stands for. */
static term_id accurate_formula(struct claim *c, const struct ast_decl *decl,
                                const struct ast_expr *asked) {
  if (asked) c->asked = constant(c, asked, true, "the number that is asked for");
  c->env.asked = c->asked;
  term_id t = about_run(c, decl->as.claim.formula);
  c->env.asked = TERM_NONE;
  return t;
}

/* What the formula calls `result` and `emitted`, in run 1; proofs also know how many were emitted. */
static void bind_outputs(struct claim *c, const struct ast_decl *decl) {
  const struct lowered *p = &c->program;
  if (decl->as.claim.result)
    translate_bind(&c->env, decl->as.claim.result, NULL, p->result, true, TERM_NONE);
  if (!decl->as.claim.emitted) return;
  const char *name = intern_str(&c->env.lang->intern, term_var_get(c->env.ts, p->output)->name);
  translate_bind(&c->env, decl->as.claim.emitted, name, p->output, true,
                 kernel_tag(c->kernels[CLAIM_FORWARD], p->emissions, 1));
}

/* `proposed`: the probability, or where the formula asks for a number, that number. */
static void state_accuracy(struct claim *c, const struct ast_decl *decl,
                           const struct ast_expr *proposed, const struct claim_route *route) {
  struct terms *ts = c->env.ts;
  const struct ast_expr *stated = decl->as.claim.epsilon;
  bool in_formula = decl->as.claim.asked && decl->as.claim.asked != stated;
  const struct ast_expr *failure = in_formula ? stated : proposed;
  if (failure->kind == EXPR_HOLE || (in_formula && proposed == stated))
    translate_fail(&c->env, decl->span, "the claim does not say which %s to prove",
                   in_formula ? "number" : "probability");
  if (route)
    translate_fail(&c->env, route->span, "`by` is for claims of privacy: accuracy has no notions");
  if (c->env.error) return;
  c->stated = (struct privacy){notion_pure(), TERM_NONE, term_rat(ts, 0, 1)};
  c->stated.cost = constant(c, failure, failure != stated, "the probability of failure");
  c->shown = c->stated;
  bind_outputs(c, decl);
  c->pre = term_bool(ts, true);
  c->post = accurate_formula(c, decl, in_formula ? proposed : NULL);
  c->adjacency = c->pre;
  if (decl->as.claim.under)
    translate_assume(&c->env, decl->as.claim.under->span, about_run(c, decl->as.claim.under));
}

/* A name for a term in proofs, unless it is taken. */
static void bind_name(struct claim *c, const char *name, term_id term) {
  name = intern_str(&c->env.lang->intern, name);
  if (!ptrmap_get(&c->env.names, name) && !proof_names_decl(&c->env, name))
    translate_bind(&c->env, NULL, name, term, true, TERM_NONE);
}

/* The parameters of the distribution are those of run 1. */
static void state_law(struct claim *c, const struct ast_decl *decl,
                      const struct claim_route *route) {
  struct terms *ts = c->env.ts;
  struct kernel *k = c->kernels[CLAIM_FORWARD];
  const struct ast_dist *law = decl->as.claim.law;
  if (route)
    translate_fail(&c->env, route->span, "`by` is for claims of privacy: a law has no notions");
  if (!c->env.error && (c->program.result == TERM_NONE || c->program.output != TERM_NONE))
    translate_fail(&c->env, decl->span, "the mechanism must return a value and emit none");
  term_id *args = arena_alloc(kernel_arena(k), 2 * (law->count + 1) * sizeof *args);
  term_id *plain = args + law->count; /* without a run */
  for (size_t i = 0; i < law->count && !c->env.error; i++) {
    plain[i] = translate_expr(&c->env, law->args[i]);
    args[i] = plain[i] == TERM_NONE ? TERM_NONE : kernel_tag(k, plain[i], 1);
  }
  if (c->env.error) return;
  c->law = (struct distribution){law->kind, args, law->count};
  sort_id sort = dist_sample_sort(ts, law->kind, args, law->count);
  if (law->sugar || sort == SORT_NONE || sort != term_sort(ts, c->program.result)) {
    translate_fail(&c->env, law->span, "the result is no sample of this distribution");
    return;
  }
  c->stated = (struct privacy){notion_pure(), term_rat(ts, 0, 1), term_rat(ts, 0, 1)};
  c->shown = c->stated;
  c->pre = c->adjacency = term_bool(ts, true);
  c->outcome = bind_logical(c, NULL, intern_str(&c->env.lang->intern, "outcome"), sort);
  c->post = term_eq(ts, kernel_tag(k, c->program.result, 1), c->outcome);
  term_id mass = dist_mass(ts, law->kind, plain, c->outcome);
  if (mass != TERM_NONE) bind_name(c, "probability", mass);
  if (decl->as.claim.under)
    translate_assume(&c->env, decl->as.claim.under->span, about_run(c, decl->as.claim.under));
}

static void state_privacy(struct claim *c, const struct ast_decl *decl,
                          const struct ast_expr *epsilon, const struct claim_route *route) {
  const struct ast_expr *under = decl->as.claim.under;
  state_goal(c, decl, epsilon, route);
  translate_module(&c->env);
  assume_requires(c, decl->as.claim.target);
  assume_adjacency(c, under ? under : decl->as.claim.target->as.mechanism.adjacent);
}

struct claim *claim_open_by(struct lang *lang, const struct ast_module *module,
                            const struct ast_decl *decl, const struct ast_expr *epsilon,
                            const struct claim_route *route, struct terms *terms,
                            struct decider *decider, struct kernel_failure *why) {
  const struct ast_decl *m = decl->kind == DECL_CLAIM ? decl->as.claim.target : NULL;
  if (!m || m->kind != DECL_MECHANISM) {
    if (why)
      *why = (struct kernel_failure){.message = "the claim is not about a mechanism",
                                     .span = decl->span,
                                     .formula = TERM_NONE};
    return NULL;
  }
  struct claim *c = xcalloc(1, sizeof *c);
  c->decl = decl;
  c->span = decl->span;
  c->symmetric = -1;
  struct kernel *k = kernel_new(terms, decider);
  c->kernels[CLAIM_FORWARD] = k;
  translate_env_init(&c->env, k, lang, module);
  bool is_lowered = lower_mechanism(&c->env, m->as.mechanism.routine, is_one_run(c), &c->program);
  if (is_lowered && is_one_run(c)) {
    translate_module(&c->env);
    assume_requires(c, m);
    if (claim_is_law(c))
      state_law(c, decl, route);
    else
      state_accuracy(c, decl, epsilon, route);
  } else if (is_lowered) {
    state_privacy(c, decl, epsilon, route);
  }
  if (c->env.error) {
    translate_failure(&c->env, why);
    claim_close(c);
    return NULL;
  }
  c->env.is_proof_text = true; /* from here on */
  open_contexts(c);
  return c;
}

struct claim *claim_open(struct lang *lang, const struct ast_module *module,
                         const struct ast_decl *decl, struct terms *terms, struct decider *decider,
                         struct kernel_failure *why) {
  const struct ast_expr *epsilon = decl->kind == DECL_CLAIM ? decl->as.claim.epsilon : NULL;
  return claim_open_by(lang, module, decl, epsilon, NULL, terms, decider, why);
}

void claim_close(struct claim *claim) {
  if (!claim) return;
  translate_env_clear(&claim->env);
  for (size_t i = CLAIM_CONTEXTS; i-- > 0;) /* the first one owns the labels */
    kernel_free(claim->kernels[i]);
  free(claim);
}

/* ---- conclusion ----------------------------------------------------------------------------- */

/* Only the adjacency and the preconditions speak of runs; the latter hold in both. */
bool claim_is_symmetric(struct claim *claim) {
  if (claim->symmetric >= 0) return claim->symmetric;
  claim->symmetric =
      kernel_entails(claim->kernels[CLAIM_FORWARD], "CLAIM", claim->span, claim->adjacency,
                     term_swap_runs(claim->env.ts, claim->adjacency), "the adjacency is symmetric");
  return claim->symmetric;
}

static bool proves(struct claim *claim, enum claim_direction direction, const struct judgement *j) {
  struct kernel *k = claim->kernels[direction];
  if (!j) {
    if (!kernel_failure(k)->rule)
      kernel_fail(k, "CLAIM", claim->span, "the %s direction has no proof",
                  direction == CLAIM_FORWARD ? "forward" : "backward");
    return false;
  }
  const char *wrong = NULL;
  if (judgement_kernel(j) != k)
    wrong = "the judgement comes from another context";
  else if (!core_equal(judgement_left(j), claim->program.program) ||
           !core_equal(judgement_right(j), claim->program.program))
    wrong = "the judgement is not about the mechanism";
  else if (judgement_pre(j) != claim->pre || judgement_post(j) != claim->post)
    wrong = "the judgement does not relate these outputs at this epsilon";
  if (wrong) {
    kernel_fail(k, "CLAIM", claim->span, "%s", wrong);
    return false;
  }
  struct terms *ts = claim->env.ts;
  term_id delta = claim->shown.delta == TERM_NONE ? term_rat(ts, 0, 1) : claim->shown.delta;
  return kernel_prove_fact(k, "CLAIM", claim->span, term_le(ts, judgement_delta(j), delta),
                           "delta is large enough");
}

/* A cost is not negative (a budget would not exist) and an order above 1. */
static bool is_sensible(struct claim *claim, const struct privacy *p) {
  struct kernel *k = claim->kernels[CLAIM_FORWARD];
  struct terms *ts = claim->env.ts;
  if (!kernel_prove_fact(k, "CLAIM", claim->span, term_le(ts, term_rat(ts, 0, 1), p->cost),
                         "epsilon is not negative"))
    return false;
  return p->notion.order == TERM_NONE ||
         kernel_prove_fact(k, "CLAIM", claim->span, term_lt(ts, term_int(ts, 1), p->notion.order),
                           "the order is above 1");
}

/* Does what was shown imply what is stated? */
static bool route_arrives(struct claim *claim) {
  struct kernel *k = claim->kernels[CLAIM_FORWARD];
  if (!claim->by_route) return true;
  if (convert_holds(claim->env.ts, &claim->shown, &claim->stated)) return true;
  term_id condition = convert_condition(claim->env.ts, &claim->shown, &claim->stated);
  if (condition != TERM_NONE)
    return kernel_prove_fact(k, "CLAIM", claim->span, condition,
                             "what was shown implies the claim");
  kernel_fail(k, "CLAIM", claim->span, "privacy in the notion `%s` does not imply this claim",
              notion_word(claim->shown.notion.kind));
  return false;
}

static bool is_vacuous(struct claim *claim) {
  struct kernel *k = claim->kernels[CLAIM_FORWARD];
  return kernel_is_vacuous(k, "CLAIM", claim->span);
}

enum claim_verdict claim_conclude(struct claim *claim, const struct judgement *forward,
                                  const struct judgement *backward,
                                  const struct loop_variants *variants) {
  struct kernel *k = claim->kernels[CLAIM_FORWARD];
  if (is_one_run(claim)) {
    kernel_fail(k, "CLAIM", claim->span, "this is a claim about one run");
    return CLAIM_NOT_PROVED;
  }
  if (!proves(claim, CLAIM_FORWARD, forward)) return CLAIM_NOT_PROVED;
  if (!claim_is_symmetric(claim) && !proves(claim, CLAIM_BACKWARD, backward))
    return CLAIM_NOT_PROVED;
  if (!is_sensible(claim, &claim->stated)) return CLAIM_NOT_PROVED;
  if (claim->by_route && !is_sensible(claim, &claim->shown)) return CLAIM_NOT_PROVED;
  if (!route_arrives(claim)) return CLAIM_NOT_PROVED;
  if (!lossless_check(k, claim->program.program, 1, variants) ||
      !lossless_check(k, claim->program.program, 2, variants))
    return CLAIM_NOT_PROVED;
  if (is_vacuous(claim)) return CLAIM_NOT_PROVED;
  bool admitted = judgement_admitted(forward) || (backward && judgement_admitted(backward));
  bool believes = false;
  for (size_t i = 0; i < CLAIM_CONTEXTS; i++)
    believes |= claim->kernels[i] && kernel_believes(claim->kernels[i]);
  return admitted ? CLAIM_ADMITTED : believes ? CLAIM_BELIEVED : CLAIM_PROVED;
}

static const char *wrong_bound(const struct claim *claim, const struct ahl *bound) {
  if (!claim_is_accuracy(claim)) return "this is no claim of accuracy";
  if (ahl_kernel(bound) != claim->kernels[CLAIM_FORWARD] || ahl_run(bound) != 1)
    return "the judgement comes from another context";
  if (!core_equal(ahl_command(bound), claim->program.program))
    return "the judgement is not about the mechanism";
  if (ahl_pre(bound) != claim->pre || ahl_post(bound) != claim->post ||
      ahl_beta(bound) != claim->stated.cost)
    return "the judgement does not say this of the result";
  return NULL;
}

enum claim_verdict claim_conclude_accuracy(struct claim *claim, const struct ahl *bound,
                                           const struct loop_variants *variants) {
  struct kernel *k = claim->kernels[CLAIM_FORWARD];
  const char *wrong = bound ? wrong_bound(claim, bound) : "the claim has no proof";
  if (wrong) {
    if (bound || !kernel_failure(k)->rule) kernel_fail(k, "ACCURACY", claim->span, "%s", wrong);
    return CLAIM_NOT_PROVED;
  }
  if (!lossless_check(k, claim->program.program, 1, variants) || is_vacuous(claim))
    return CLAIM_NOT_PROVED;
  return kernel_believes(k) ? CLAIM_BELIEVED : CLAIM_PROVED;
}

enum claim_verdict claim_conclude_law(struct claim *claim, const struct laws *laws) {
  struct kernel *k = claim->kernels[CLAIM_FORWARD];
  if (!claim_is_law(claim)) {
    kernel_fail(k, "SAMPLES", claim->span, "the claim states no distribution");
    return CLAIM_NOT_PROVED;
  }
  if (!law_check(k, claim->span, claim->program.program, claim->program.result, &claim->law,
                 claim->outcome, laws) ||
      is_vacuous(claim))
    return CLAIM_NOT_PROVED;
  return kernel_believes(k) ? CLAIM_BELIEVED : CLAIM_PROVED;
}
