#include "claim/claim.h"

#include "claim/proof_names.h"
#include "kernel/internal.h"
#include "term/build.h"
#include "term/subst.h"

struct claim {
  struct kernel *kernels[2];
  struct translate_env env;
  struct lowered program;
  const struct ast_decl *decl;
  struct span span;
  term_id pre, post, epsilon, delta;
  term_id adjacency; /* as stated, before existentials are opened */
  int symmetric;     /* -1: not asked yet */
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
  return claim->epsilon;
}
term_id claim_delta(const struct claim *claim) {
  return claim->delta;
}

/* ---- facts ---------------------------------------------------------------------------------- */

/* Preconditions hold in each run. */
static void assume_requires(struct claim *c, const struct ast_decl *m) {
  for (size_t i = 0; i < m->as.mechanism.require_count; i++) {
    term_id t = translate_expr_as(&c->env, m->as.mechanism.requires[i], SORT_BOOL);
    if (t == TERM_NONE) return;
    for (unsigned run = 1; run <= 2; run++)
      translate_assume(&c->env, m->as.mechanism.requires[i] -> span,
                       kernel_tag(c->kernels[CLAIM_FORWARD], t, run));
  }
}

/* The adjacency; the witness of an `exists` gets a name of its own, so that proofs can use it. */
static void assume_adjacency(struct claim *c, const struct ast_expr *formula) {
  c->adjacency = term_bool(c->env.ts, true);
  if (!formula) return;
  c->adjacency = translate_expr_as(&c->env, formula, SORT_BOOL);
  if (c->adjacency == TERM_NONE) return;
  term_list parts = {0};
  term_conjuncts(c->env.ts, c->adjacency, &parts);
  for (size_t i = 0; i < parts.len; i++) {
    term_id part = parts.at[i];
    while (term_kind(c->env.ts, part) == TERM_EXISTS) {
      const char *hint = term_binder_hint(c->env.ts, part);
      term_id witness;
      part = term_open(c->env.ts, part, &witness);
      const char *name = intern_str(&c->env.lang->intern, hint);
      while (ptrmap_get(&c->env.names, name) || proof_names_decl(&c->env, name))
        name = intern_str(&c->env.lang->intern, arena_printf(&c->env.lang->arena, "%s'", name));
      translate_bind(&c->env, NULL, name, witness, false, TERM_NONE);
    }
    translate_assume(&c->env, formula->span, part);
  }
  vec_clear(&parts);
}

/* The same variables and commands; facts with the runs exchanged. */
static struct kernel *exchanged(const struct kernel *k) {
  struct kernel *other = kernel_new(k->terms, k->decider);
  for (size_t i = 0; i < k->vars.len; i++)
    vec_push(&other->vars, k->vars.at[i]);
  for (size_t i = 0; i < k->frozen.len; i++)
    vec_push(&other->frozen, k->frozen.at[i]);
  for (size_t i = 0; i < k->facts.len; i++)
    vec_push(&other->facts, term_swap_runs(k->terms, k->facts.at[i]));
  vec_clear(&other->labels->list);
  free(other->labels);
  other->labels = k->labels;
  other->borrowed_labels = true;
  other->sealed = true;
  return other;
}

/* ---- opening -------------------------------------------------------------------------------- */

static void state_goal(struct claim *c, const struct ast_decl *decl,
                       const struct ast_expr *epsilon) {
  struct kernel *k = c->kernels[CLAIM_FORWARD];
  struct terms *ts = k->terms;
  const struct ast_expr *delta = decl->as.claim.delta;
  if (epsilon->kind == EXPR_HOLE) {
    translate_fail(&c->env, decl->span, "the claim does not say which epsilon to prove");
    return;
  }
  c->env.is_proof_text = epsilon != decl->as.claim.epsilon; /* a cost that the search proposes */
  c->epsilon = translate_expr_as(&c->env, epsilon, SORT_REAL);
  c->env.is_proof_text = false;
  c->delta = delta ? translate_expr_as(&c->env, delta, SORT_REAL) : k->zero;
  if (c->env.error) return;
  if (!kernel_is_constant(k, c->epsilon) || !kernel_is_constant(k, c->delta)) {
    translate_fail(&c->env, decl->span, "epsilon and delta must be terms over parameters");
    return;
  }
  c->pre = term_eq(ts, k->budget, c->epsilon);
  const term_id outputs[] = {c->program.output, c->program.result};
  c->post = k->yes;
  for (size_t i = 0; i < 2; i++)
    if (outputs[i] != TERM_NONE)
      c->post = term_and(ts, c->post,
                         term_eq(ts, kernel_tag(k, outputs[i], 1), kernel_tag(k, outputs[i], 2)));
}

struct claim *claim_open_at(struct lang *lang, const struct ast_module *module,
                            const struct ast_decl *decl, const struct ast_expr *epsilon,
                            struct terms *terms, struct decider *decider, const char **why,
                            struct span *where) {
  *why = NULL;
  *where = decl->span;
  const struct ast_decl *m = decl->kind == DECL_CLAIM ? decl->as.claim.target : NULL;
  if (!m || m->kind != DECL_MECHANISM) {
    *why = "the claim is not about a mechanism";
    return NULL;
  }
  struct claim *c = xcalloc(1, sizeof *c);
  c->decl = decl;
  c->span = decl->span;
  c->symmetric = -1;
  struct kernel *k = kernel_new(terms, decider);
  c->kernels[CLAIM_FORWARD] = k;
  translate_env_init(&c->env, k, lang, module);
  if (lower_mechanism(&c->env, m->as.mechanism.routine, &c->program)) {
    state_goal(c, decl, epsilon);
    translate_module(&c->env);
    assume_requires(c, m);
    assume_adjacency(c, decl->as.claim.under ? decl->as.claim.under : m->as.mechanism.adjacent);
  }
  if (c->env.error) {
    *why = arena_printf(&lang->arena, "%s", c->env.error);
    *where = c->env.error_span;
    claim_close(c);
    return NULL;
  }
  k->sealed = true;
  c->env.is_proof_text = true; /* from here on */
  c->kernels[CLAIM_BACKWARD] = exchanged(k);
  k->exchanged = c->kernels[CLAIM_BACKWARD];
  k->exchanged->exchanged = k;
  return c;
}

struct claim *claim_open(struct lang *lang, const struct ast_module *module,
                         const struct ast_decl *decl, struct terms *terms, struct decider *decider,
                         const char **why, struct span *where) {
  const struct ast_expr *epsilon = decl->kind == DECL_CLAIM ? decl->as.claim.epsilon : NULL;
  return claim_open_at(lang, module, decl, epsilon, terms, decider, why, where);
}

void claim_close(struct claim *claim) {
  if (!claim) return;
  translate_env_clear(&claim->env);
  kernel_free(claim->kernels[CLAIM_BACKWARD]);
  kernel_free(claim->kernels[CLAIM_FORWARD]);
  free(claim);
}

/* ---- conclusion ----------------------------------------------------------------------------- */

/* Only the adjacency and the preconditions speak of runs; the latter hold in both. */
bool claim_is_symmetric(struct claim *claim) {
  if (claim->symmetric >= 0) return claim->symmetric;
  struct kernel *k = claim->kernels[CLAIM_FORWARD];
  struct kernel_failure saved = k->failure;
  claim->symmetric =
      kernel_prove(k, "CLAIM", claim->span, claim->adjacency,
                   term_swap_runs(k->terms, claim->adjacency), "the adjacency is symmetric");
  k->failure = saved;
  return claim->symmetric;
}

static bool proves(struct claim *claim, enum claim_direction direction, const struct judgement *j) {
  struct kernel *k = claim->kernels[direction];
  if (!j) {
    if (!k->failure.rule)
      kernel_fail(k, "CLAIM", claim->span, "the %s direction has no proof",
                  direction == CLAIM_FORWARD ? "forward" : "backward");
    return false;
  }
  const char *wrong = NULL;
  if (j->kernel != k)
    wrong = "the judgement comes from another context";
  else if (!core_equal(j->left, claim->program.program) ||
           !core_equal(j->right, claim->program.program))
    wrong = "the judgement is not about the mechanism";
  else if (j->pre != claim->pre || j->post != claim->post)
    wrong = "the judgement does not relate these outputs at this epsilon";
  if (wrong) {
    kernel_fail(k, "CLAIM", claim->span, "%s", wrong);
    return false;
  }
  return kernel_prove(k, "CLAIM", claim->span, k->yes, term_le(k->terms, j->delta, claim->delta),
                      "delta is large enough");
}

enum claim_verdict claim_conclude(struct claim *claim, const struct judgement *forward,
                                  const struct judgement *backward,
                                  const struct loop_variants *variants) {
  struct kernel *k = claim->kernels[CLAIM_FORWARD];
  if (!proves(claim, CLAIM_FORWARD, forward)) return CLAIM_NOT_PROVED;
  if (!claim_is_symmetric(claim) && !proves(claim, CLAIM_BACKWARD, backward))
    return CLAIM_NOT_PROVED;
  if (!kernel_prove(k, "CLAIM", claim->span, k->yes, term_le(k->terms, k->zero, claim->epsilon),
                    "epsilon is not negative"))
    return CLAIM_NOT_PROVED;
  if (!lossless_check(k, claim->program.program, 1, variants) ||
      !lossless_check(k, claim->program.program, 2, variants))
    return CLAIM_NOT_PROVED;
  if (kernel_is_vacuous(k, claim->span)) {
    kernel_fail(k, "CLAIM", claim->span, "the assumptions contradict each other");
    return CLAIM_NOT_PROVED;
  }
  bool admitted = forward->admitted || (backward && backward->admitted);
  bool believes = k->believes || claim->kernels[CLAIM_BACKWARD]->believes;
  return admitted ? CLAIM_ADMITTED : believes ? CLAIM_BELIEVED : CLAIM_PROVED;
}
