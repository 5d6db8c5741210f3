#include "search/base/auto.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "claim/convert.h"
#include "lang/format/layout.h"
#include "search/base/guess.h"
#include "search/base/lists.h"
#include "search/base/points.h"
#include "search/base/route.h"
#include "search/base/view.h"
#include "term/build.h"
#include "term/eval.h"
#include "term/subst.h"

/* A question that takes longer while searching belongs to a candidate that is not the right one. */
static const double SEARCH_QUESTION_SECONDS = 3;

struct attempt {
  struct auto_candidate candidate;
  struct proof_result result;
  size_t strategy;
  const char *added;
  bool is_stuck; /* nothing was left to add to it */
};

struct auto_search {
  struct auto_problem *problem;
  struct believing *session;
  VEC(struct attempt *) attempts;
  const struct auto_entry *strategies;
  size_t strategy_count;
  struct attempt *best, *failed; /* cheapest proved; most promising failure */
  struct auto_obstacle obstacle;
  size_t obstacle_strategy, strategy; /* the latter: which one is running */
  bool lacks;                         /* the obstacle is a missing assumption: it stays */
  struct proof_result none;           /* answer when nothing is checked */
  const struct auto_route *route;     /* that candidates take (notions.h), or NULL */
  bool out_of_time;
};

static const char *keep(struct arena *arena, const char *text) {
  return text ? arena_strndup(arena, text, strlen(text)) : NULL;
}

static bool same_text(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

/* ---- comparing ------------------------------------------------------------------------------ */

/* The cost as a term; TERM_NONE if the text is not one over parameters. */
static term_id cost_term(struct auto_search *s, const char *text) {
  struct auto_problem *p = s->problem;
  struct diag_mark mark = diags_mark(&p->lang->diags);
  struct ast_expr *e = proof_session_expr(&s->session->session, text);
  struct translate_env *env = claim_env(p->goal);
  term_id t = e ? translate_expr_as(env, e, SORT_REAL) : TERM_NONE;
  env->error = NULL;
  diags_rollback(&p->lang->diags, mark);
  return t;
}

bool auto_defines_sum(struct auto_problem *p, term_id fact) {
  const struct translate_env *env = claim_env(p->goal);
  if (!env->sums.len || term_kind(p->ts, fact) != TERM_FORALL) return false;
  term_list parts = {0};
  bool found = false;
  term_subterms(p->ts, fact, &parts);
  for (size_t i = 0; i < parts.len && !found; i++)
    for (size_t s = 0; s < env->sums.len && !found; s++)
      found = term_kind(p->ts, parts.at[i]) == TERM_APP &&
              term_get(p->ts, parts.at[i])->data == env->sums.at[s].symbol;
  vec_clear(&parts);
  return found;
}

/* Parameters and inputs without a version that are compared with an index the fact quantifies over:
 * `i != p -> q<1>[i] = q<2>[i]`. Appended. */
static void named_places(const struct auto_problem *p, term_id t, term_list *quantified,
                         term_list *out) {
  struct terms *ts = p->ts;
  if (!(term_get(ts, t)->flags & TERM_HAS_QUANTIFIER) && quantified->len == 0) return;
  enum term_kind kind = term_kind(ts, t);
  if (kind == TERM_FORALL || kind == TERM_EXISTS) {
    term_id var = TERM_NONE, body = term_open(ts, t, &var);
    if (body == TERM_NONE) return;
    vec_push(quantified, var);
    named_places(p, body, quantified, out);
    quantified->len--;
    return;
  }
  for (size_t side = 0; kind == TERM_EQ && side < 2; side++) {
    term_id place = term_arg(ts, t, side);
    if (!terms_have(quantified, term_arg(ts, t, 1 - side)) || term_kind(ts, place) != TERM_VAR ||
        term_sort(ts, place) != SORT_INT || terms_have(quantified, place))
      continue;
    const struct term_var *v = term_var_get(ts, place);
    if (v->version == 0 && v->run == 0) terms_add(out, place);
  }
  for (size_t i = 0; i < term_arg_count(ts, t); i++)
    named_places(p, term_arg(ts, t, i), quantified, out);
}

void auto_witnesses(struct auto_problem *p, term_list *vars, term_list *shown) {
  const struct ptrmap *names = &claim_env(p->goal)->names;
  for (size_t i = 0; i < names->capacity; i++) { /* logical, made for the claim */
    const struct translate_binding *b = names->slots[i].value;
    if (!names->slots[i].key || !b || b->is_program) continue;
    if (term_kind(p->ts, b->term) != TERM_VAR || term_sort(p->ts, b->term) != SORT_INT) continue;
    if (term_var_get(p->ts, b->term)->version == 0) continue;
    vec_push(vars, b->term);
    vec_push(shown, term_var(p->ts, names->slots[i].key, SORT_INT, 0, 0));
  }
  const struct kernel *k = claim_kernel(p->goal, CLAIM_FORWARD);
  term_list places = {0}, quantified = {0};
  for (size_t i = 0; i < kernel_fact_count(k); i++)
    if (!auto_defines_sum(p, kernel_fact(k, i)))
      named_places(p, kernel_fact(k, i), &quantified, &places);
  for (size_t i = 0; i < places.len; i++) {
    if (terms_have(vars, places.at[i])) continue;
    vec_push(vars, places.at[i]);
    vec_push(shown, places.at[i]);
  }
  vec_clear(&places);
  vec_clear(&quantified);
}

bool auto_follows(struct auto_problem *p, term_id formula) {
  const struct kernel *k = claim_kernel(p->goal, CLAIM_FORWARD);
  term_list facts = {0};
  for (size_t i = 0; i < kernel_fact_count(k); i++)
    if (!auto_defines_sum(p, kernel_fact(k, i))) vec_push(&facts, kernel_fact(k, i));
  enum smt_verdict v = smt_entails(p->smt, "search", span_none(), facts.at, facts.len, formula);
  vec_clear(&facts);
  return v == SMT_VALID;
}

term_id auto_price(const struct auto_problem *p, term_id price, term_id pure) {
  if (!p->squared || price == TERM_NONE || term_kind(p->ts, price) != TERM_MIN) return price;
  return term_arg(p->ts, price, term_arg(p->ts, price, 0) == pure);
}

static size_t proved_count(const struct proof_result *r) {
  size_t count = 0;
  for (size_t i = 0; i < r->obligation_count; i++)
    count += r->obligations[i].proved;
  return count;
}

/* Of equally promising failures the one that came further. */
static bool more_promising(const struct attempt *a, const struct attempt *b) {
  if (a->is_stuck != b->is_stuck) return a->is_stuck;
  if (a->candidate.promise != b->candidate.promise)
    return a->candidate.promise > b->candidate.promise;
  return proved_count(&a->result) > proved_count(&b->result);
}

/* Costs may cross (eps and n*eps/2): the one that depends on less is worth more. Both are proved,
 * so it is enough to look at some points; solvers need long for logarithms of polynomials. */
static bool is_better_cost(struct auto_search *s, term_id a, term_id b) {
  struct points points;
  points_init(&points, s->problem);
  bool a_less = points_at_most(&points, a, b), b_less = points_at_most(&points, b, a);
  points_clear(&points);
  if (a_less || b_less) return !b_less;
  term_list of_a = {0}, of_b = {0};
  term_free_vars(s->problem->ts, a, &of_a);
  term_free_vars(s->problem->ts, b, &of_b);
  bool better = of_a.len < of_b.len;
  vec_clear(&of_a);
  vec_clear(&of_b);
  return better;
}

static void rank(struct auto_search *s, struct attempt *a) {
  if (a->result.verdict == PROOF_BELIEVED) {
    bool better = !s->best || (s->problem->wants_least &&
                               is_better_cost(s, a->result.epsilon, s->best->result.epsilon));
    if (better) s->best = a;
  } else if (!s->failed || more_promising(a, s->failed)) {
    s->failed = a;
  }
}

/* ---- candidates ----------------------------------------------------------------------------- */

static bool out_of_time(struct auto_search *s) {
  s->out_of_time = s->out_of_time || budget_is_spent(s->problem->budget);
  return s->out_of_time;
}

/* The text as it will be shown: that is what is checked. */
static const char *laid_out(struct auto_problem *p, const char *proof) {
  struct buffer text;
  buffer_init(&text);
  proof_layout(&text, proof);
  const char *kept = keep(p->arena, buffer_text(&text));
  buffer_clear(&text);
  return kept;
}

const struct proof_result *auto_check(struct auto_search *s, const struct auto_candidate *candidate,
                                      const char *added) {
  struct auto_problem *p = s->problem;
  const char *proof = laid_out(p, candidate->proof);
  const char *epsilon = candidate->epsilon ? candidate->epsilon : p->guessed;
  for (size_t i = 0; i < s->attempts.len; i++) {
    const struct auto_candidate *old = &s->attempts.at[i]->candidate;
    if (same_text(old->proof, proof) && same_text(old->epsilon, epsilon))
      return &s->attempts.at[i]->result;
  }
  if (out_of_time(s)) return &s->none;
  struct attempt *a = xcalloc(1, sizeof *a);
  a->candidate = (struct auto_candidate){proof, keep(p->arena, epsilon), candidate->promise};
  a->added = keep(p->arena, added);
  a->strategy = s->strategy;
  struct diag_mark mark = diags_mark(&p->lang->diags);
  believing_check(s->session, &(struct proof_text){a->candidate.proof, a->candidate.epsilon},
                  &a->result);
  /* what cannot be read without an error is no proof, whatever came out */
  if (p->lang->diags.errors != mark.errors) a->result.verdict = PROOF_UNKNOWN;
  diags_rollback(&p->lang->diags, mark);
  vec_push(&s->attempts, a);
  rank(s, a);
  return &a->result;
}

/* Not a number: it depends on parameters. */
static double value_of(struct auto_problem *p, term_id t) {
  struct evaluator ev;
  arb_t ball;
  eval_init(&ev, p->ts);
  arb_init(ball);
  bool known = t != TERM_NONE && tvalue_get_ball(eval_term(&ev, t), ball, 64);
  double value = known ? arf_get_d(arb_midref(ball), ARF_RND_NEAR) : NAN;
  arb_clear(ball);
  eval_clear(&ev);
  return value;
}

/* May the cost, in the budget of the route, lead to the claim? What numbers or sample points deny
 * need not be asked: the question has logarithms and roots, and solvers need long to give up. */
static bool may_arrive(struct auto_search *s, term_id cost) {
  struct auto_problem *p = s->problem;
  enum notion notion = s->route->notion;
  if (p->wants_least || p->claim->as.claim.notion != NOTION_PURE) return true;
  term_id order = s->route->order ? cost_term(s, s->route->order) : TERM_NONE;
  if (notion == NOTION_GAUSSIAN && cost != TERM_NONE) cost = term_sqrt(p->ts, cost);
  if (cost == TERM_NONE || (s->route->order && order == TERM_NONE)) return false;
  struct privacy from = {{notion, order, false}, cost, TERM_NONE};
  struct privacy to = {notion_pure(), claim_epsilon(p->goal), claim_delta(p->goal)};
  if (notion == NOTION_GAUSSIAN && convert_holds(p->ts, &from, &to)) return true;
  term_id condition = convert_condition(p->ts, &from, &to);
  if (condition == TERM_NONE) return true;
  struct points points;
  points_init(&points, p);
  bool denied = points_deny(&points, condition);
  points_clear(&points);
  return !denied;
}

/* The text with what it has to say of the view's program. */
static const char *about_view(const struct auto_problem *p, const char *proof) {
  const char *open = strchr(proof, '{');
  if (!open || !p->view || !p->view->fused) return proof;
  return arena_printf(p->arena, "{\n%s%s", p->view->fused, open + 1);
}

const struct proof_result *auto_try(struct auto_search *s, const struct auto_candidate *proposed) {
  struct span given = s->problem->given;
  struct auto_candidate adapted, candidate = *proposed;
  candidate.proof = about_view(s->problem, proposed->proof);
  struct route_cost cost = {TERM_NONE, NAN, NAN};
  if (candidate.epsilon) cost.term = cost_term(s, candidate.epsilon);
  if (s->route && candidate.epsilon) {
    cost.budget = value_of(s->problem, cost.term);
    cost.delta = value_of(s->problem, claim_delta(s->problem->goal));
  }
  if (!route_adapt(s->problem, s->route, &candidate, cost, &adapted)) return &s->none;
  if (s->route && !may_arrive(s, cost.term)) return &s->none;
  return given.file ? s->problem->check_given(s, given, &adapted) : auto_check(s, &adapted, NULL);
}

void auto_set_route(struct auto_search *s, const struct auto_route *route) {
  s->route = route;
}

struct ast_expr *auto_expr(struct auto_search *s, const char *text) {
  return proof_session_expr(&s->session->session, text);
}

void auto_prefer(struct auto_search *s, const struct proof_result *result) {
  for (size_t i = 0; i < s->attempts.len; i++) {
    struct attempt *a = s->attempts.at[i];
    bool same_cost = s->best && same_text(a->candidate.epsilon, s->best->candidate.epsilon);
    if (&a->result == result && result->verdict == PROOF_BELIEVED && same_cost) s->best = a;
  }
}

void auto_stuck(struct auto_search *s, const struct proof_result *result) {
  for (size_t i = 0; i < s->attempts.len; i++) {
    struct attempt *a = s->attempts.at[i];
    if (&a->result != result || result->verdict == PROOF_BELIEVED) continue;
    a->is_stuck = true;
    if (!s->failed || more_promising(a, s->failed)) s->failed = a;
  }
}

const struct proof_result *auto_nothing(const struct auto_search *s) {
  return &s->none;
}

struct auto_problem *auto_problem_of(const struct auto_search *s) {
  return s->problem;
}

bool auto_is_late(struct auto_search *s) {
  return out_of_time(s);
}

bool auto_done(const struct auto_search *s) {
  return s->out_of_time || (s->best && !s->problem->wants_least);
}

static const char *stated_cost(const struct auto_problem *p) {
  const struct span span = p->claim->as.claim.epsilon->span;
  const struct source *source = sources_get(&p->lang->sources, span.file);
  return arena_strndup(p->arena, source->text + span.begin, span.end - span.begin);
}

const char *auto_cost(const struct auto_search *s) {
  if (!s->best) return NULL;
  return s->best->candidate.epsilon ? s->best->candidate.epsilon : stated_cost(s->problem);
}

static const char *keep_formatted(struct auto_search *s, const char *format, va_list args) {
  struct buffer b;
  buffer_init(&b);
  buffer_vprintf(&b, format, args);
  const char *text = keep(s->problem->arena, buffer_text(&b));
  buffer_clear(&b);
  return text;
}

void auto_blame(struct auto_search *s, struct span span, const char *budget, const char *format,
                ...) {
  if (s->obstacle.message && (s->obstacle_strategy == s->strategy || s->lacks)) return;
  va_list args;
  va_start(args, format);
  s->obstacle = (struct auto_obstacle){span, keep_formatted(s, format, args),
                                       keep(s->problem->arena, budget), NULL, FAILURE_OTHER};
  va_end(args);
  s->obstacle_strategy = s->strategy;
}

void auto_advise(struct auto_search *s, const char *format, ...) {
  if (!s->obstacle.message || s->obstacle.advice || s->obstacle_strategy != s->strategy) return;
  va_list args;
  va_start(args, format);
  s->obstacle.advice = keep_formatted(s, format, args);
  va_end(args);
}

void auto_lacks(struct auto_search *s, struct span span, const char *condition, const char *name) {
  if (s->lacks) return;
  s->obstacle.message = NULL;
  auto_blame(s, span, NULL, "the bound on the tail of this noise needs `%s`, which is not assumed",
             condition);
  auto_advise(s, "add `%s` to what is assumed of param %s", condition, name);
  s->lacks = true;
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* What was found out, in terms the caller can keep. */
static void take_result(struct auto_result *out, struct auto_search *s) {
  struct attempt *shown = s->best ? s->best : s->failed;
  out->proved = s->best != NULL;
  out->check = shown ? &shown->result : NULL;
  out->tried = shown ? &shown->candidate : NULL;
  out->candidates = s->attempts.len;
  out->obstacle = s->obstacle;
  out->out_of_time = s->out_of_time;
  out->solver_seconds = out->session.smt->solver_seconds;
  if (!s->best) return;
  out->proof = s->best->candidate.proof;
  out->cost = auto_cost(s);
  out->added = s->best->added;
  out->strategy = s->strategies[s->best->strategy].name;
}

static void run_strategies(struct auto_problem *p, struct auto_search *s) {
  for (size_t i = 0; i < s->strategy_count; i++) {
    if (auto_done(s) || out_of_time(s)) return; /* the least cost may be that of any strategy */
    s->strategy = i;
    s->strategies[i].run(p, s);
  }
}

static void run_on_view(struct auto_problem *p, struct auto_search *s, auto_viewer *viewer) {
  struct view view;
  view_init(&view, claim_program(p->goal)->program);
  p->view = &view;
  if (viewer) viewer(p, &view);
  run_strategies(p, s);
  p->view = NULL;
  view_clear(&view);
}

/* The claim as the strategies see it; `epsilon ?` is opened at 0, or at what is guessed. */
static struct claim *open_goal(struct auto_problem *p, struct proof_session *session,
                               struct kernel_failure *why) {
  const char *cost = p->wants_least ? "0" : p->guessed;
  const struct ast_expr *epsilon =
      cost ? proof_session_expr(session, cost) : p->claim->as.claim.epsilon;
  return claim_open_by(p->lang, p->module, p->claim, epsilon, NULL, p->ts, &p->smt->decider, why);
}

static void run_on_goal(struct auto_problem *p, struct auto_search *s, auto_viewer *viewer) {
  struct kernel_failure why;
  p->goal = open_goal(p, &s->session->session, &why);
  if (p->goal) {
    run_on_view(p, s, viewer);
  } else {
    auto_blame(s, why.span, NULL, "%s", why.message);
    s->obstacle.cause = why.cause;
  }
}

static bool asks_beside_delta(const struct auto_problem *p) {
  const struct ast_decl *c = p->claim;
  return p->wants_least && p->goal && c->as.claim.epsilon->kind == EXPR_HOLE && c->as.claim.delta;
}

/* What proves up to a probability cannot tell its cost: it is claimed for once. */
static void run_on_guesses(struct auto_problem *p, struct auto_search *s, auto_viewer *viewer) {
  const struct core *program = claim_program(p->goal)->program;
  struct view plain;
  view_init(&plain, program);
  p->view = &plain;
  struct guesses guesses = guess_costs(p, program);
  p->view = NULL;
  view_clear(&plain);
  for (size_t i = 0; i < guesses.count && !s->best && !out_of_time(s); i++) {
    claim_close(p->goal);
    p->wants_least = false;
    p->guessed = guesses.at[i];
    run_on_goal(p, s, viewer);
    if (!p->goal) break;
  }
  p->wants_least = true;
}

void auto_run(struct lang *lang, const struct ast_module *module, const struct ast_decl *claim,
              const struct auto_options *options, auto_viewer *viewer, auto_checker *check_given,
              struct auto_result *out) {
  int64_t start = budget_now_ns();
  *out = (struct auto_result){0};
  arena_init(&out->arena);
  struct believe_options limits = options->proof;
  if (limits.smt.timeout_s > SEARCH_QUESTION_SECONDS)
    limits.smt.timeout_s = SEARCH_QUESTION_SECONDS;
  believing_init(&out->session, lang, module, claim, &limits);
  struct auto_problem p = {.lang = lang,
                           .module = module,
                           .claim = claim,
                           .wants_least = claim->as.claim.asked != NULL,
                           .ts = out->session.terms,
                           .smt = out->session.smt,
                           .budget = options->budget,
                           .check_given = check_given,
                           .arena = &out->arena};
  struct auto_search *s = out->search = xcalloc(1, sizeof *s);
  s->problem = &p;
  s->session = &out->session;
  if (options->complete && claim->as.claim.has_proof) p.given = claim->as.claim.proof;
  s->strategies = options->strategies;
  s->strategy_count = options->strategy_count;
  s->none = (struct proof_result){.verdict = PROOF_UNKNOWN, .reason = "out of time"};
  struct diag_mark mark = diags_mark(&lang->diags);
  run_on_goal(&p, s, viewer);
  if (!s->best && asks_beside_delta(&p)) run_on_guesses(&p, s, viewer);
  diags_rollback(&lang->diags, mark);
  take_result(out, s);
  claim_close(p.goal);
  s->problem = NULL; /* what follows was of this call */
  s->strategies = NULL;
  out->total_seconds = (double)(budget_now_ns() - start) * 1e-9;
}

void auto_result_clear(struct auto_result *result) {
  struct auto_search *s = result->search;
  for (size_t i = 0; i < s->attempts.len; i++) {
    proof_result_clear(&s->attempts.at[i]->result);
    free(s->attempts.at[i]);
  }
  vec_clear(&s->attempts);
  free(s);
  believing_clear(&result->session);
  arena_clear(&result->arena);
}
