/* Loops that draw anew until something is accepted. B stands for the budget. */
#include "kernel/internal.h"
#include "kernel/lossless.h"
#include "kernel/renamed.h"
#include "kernel/rules.h"
#include "term/build.h"
#include "term/subst.h"

static const char rule[] = "UNTIL";

/* The round with which c begins, before the loop `last`. */
static const struct core *before_loop(struct kernel *k, const struct core *c) {
  return c->kind == CORE_SEQ ? core_seq(&k->arena, c->first, before_loop(k, c->second))
                             : core_skip();
}

/* The loop with which c ends; NULL: it is neither that loop alone nor a round before it, whose
 * variables may have other names. These are appended. */
static const struct core *loop_of(struct kernel *k, const struct core *c, const struct core *round,
                                  term_list *names) {
  const struct core *last = c;
  while (last->kind == CORE_SEQ)
    last = last->second;
  if (last->kind != CORE_WHILE) return NULL;
  return c == last || until_begins(k, before_loop(k, c), round, names) ? last : NULL;
}

bool until_begins(struct kernel *k, const struct core *first, const struct core *round,
                  term_list *names) {
  term_list own = {0}, others = {0};
  bool begins = core_is_renamed(k->terms, first, round, &own, &others);
  for (size_t i = 0; i < own.len && begins; i++) {
    begins = !core_reads_old(k->terms, first, own.at[i]);
    vec_push(names, own.at[i]);
    vec_push(names, others.at[i]);
  }
  vec_clear(&own);
  vec_clear(&others);
  return begins;
}

/* Does the guard or the postcondition speak of one of these? */
static bool is_told_apart(struct kernel *k, const struct core *loop, term_id post,
                          const term_list *names) {
  struct terms *ts = k->terms;
  bool found = false;
  for (size_t i = 0; i < names->len; i++) {
    term_id x = names->at[i];
    term_id all[] = {x, term_var_in_run(ts, x, 1), term_var_in_run(ts, x, 2)};
    found |= term_mentions(ts, loop->expr, all, 3) || term_mentions(ts, post, all, 3);
  }
  return found;
}

/* Is it, after assignments, the body of the loop? These change nothing where the guard is true. */
static bool is_round(struct kernel *k, const struct core *loop, const struct core *round) {
  const struct core *c = round;
  for (; !core_equal(c, loop->first); c = c->second) {
    if (c->kind != CORE_SEQ || c->first->kind != CORE_ASSIGN) {
      kernel_fail(k, rule, loop->span, "the premises are not about a round of this loop");
      return false;
    }
    term_id same = term_eq(k->terms, c->first->var, c->first->expr);
    for (unsigned run = 1; run <= 2; run++)
      if (!kernel_prove(k, rule, loop->span, kernel_tag(k, loop->expr, run),
                        kernel_tag(k, same, run), "the guard says what a round begins with"))
        return false;
  }
  return true;
}

/* Runs of c that do not set x end in post, whatever is sampled. TERM_NONE: not for this code. */
static term_id unless_set(struct kernel *k, const struct core *c, term_id x, term_id post) {
  struct terms *ts = k->terms;
  if (post == TERM_NONE) return TERM_NONE;
  if ((c->kind == CORE_ASSIGN || c->kind == CORE_SAMPLE) && c->var == x) return k->yes;
  switch (c->kind) {
  case CORE_SKIP: return post;
  case CORE_ASSIGN: return term_subst(ts, post, &c->var, &c->expr, 1);
  case CORE_SAMPLE: {
    term_id v = kernel_fresh(k, "v", term_sort(ts, c->var));
    return term_forall(ts, &v, 1, term_subst(ts, post, &c->var, &v, 1));
  }
  case CORE_SEQ: return unless_set(k, c->first, x, unless_set(k, c->second, x, post));
  case CORE_IF: {
    term_id yes = unless_set(k, c->first, x, post), no = unless_set(k, c->second, x, post);
    if (yes == TERM_NONE || no == TERM_NONE) return TERM_NONE;
    return term_and(ts, term_implies(ts, c->expr, yes),
                    term_implies(ts, term_not(ts, c->expr), no));
  }
  default: return TERM_NONE;
  }
}

/* Every round that is accepted sets x. */
static bool is_set_at_last(struct kernel *k, const struct core *loop, const struct core *round,
                           term_id x) {
  if (core_sets(round, x)) return true;
  term_id rejected = unless_set(k, round, x, loop->expr);
  for (unsigned run = 1; run <= 2 && rejected != TERM_NONE; run++) {
    term_id here = kernel_tag(k, rejected, run);
    if (here == TERM_NONE ||
        !kernel_entails(k, rule, loop->span, k->yes, here, "a round that is accepted sets this"))
      return false;
  }
  return rejected != TERM_NONE;
}

/* Is what a round leaves in the variables of `guard` and `post` free of what earlier rounds wrote? */
static bool is_fresh(struct kernel *k, const struct core *loop, const struct core *round,
                     term_id post) {
  struct terms *ts = k->terms;
  term_list written = {0};
  core_writes(round, &written);
  const char *why = core_calls_adversary(round) ? "an adversary remembers earlier rounds" : NULL;
  if (why) kernel_fail(k, rule, loop->span, "%s", why);
  for (size_t i = 0; i < written.len && !why; i++) {
    term_id x = written.at[i];
    term_id all[] = {x, term_var_in_run(ts, x, 1), term_var_in_run(ts, x, 2)};
    if (core_reads_old(ts, round, x))
      why = "a round reads what an earlier one wrote to";
    else if (term_mentions(ts, loop->expr, all, 3) && !core_sets(round, x))
      why = "not every round sets, and the guard reads,";
    else if (term_mentions(ts, post, all, 3) && !is_set_at_last(k, loop, round, x))
      why = "not every round that is accepted sets, and what follows reads,";
    if (why) kernel_fail(k, rule, loop->span, "%s `%s`", why, term_var_get(ts, x)->name);
  }
  vec_clear(&written);
  return !why;
}

static const char *misfit(struct kernel *k, const struct core *round, term_id g1, term_id g2,
                          term_id post, proof_of forward, proof_of backward) {
  struct terms *ts = k->terms;
  term_id accepted = term_not(ts, g1), as_well = term_not(ts, g2);
  if (forward->kernel != k || !k->exchanged || backward->kernel != k->exchanged)
    return "the premises are not of this context and of the one with the runs exchanged";
  if (backward->kernel->vars.len != k->vars.len) return "the contexts have different variables";
  if (!core_equal(forward->right, round) || !core_equal(backward->left, round) ||
      !core_equal(backward->right, round))
    return "the premises are about different programs";
  if (forward->delta != k->zero || backward->delta != k->zero) return "a round costs delta";
  if (forward->post != term_implies(ts, accepted, term_and(ts, as_well, post)) ||
      backward->post != term_implies(ts, accepted, as_well))
    return "the premises do not say that what one run accepts the other one accepts";
  return NULL;
}

/* Where the loop is entered: both premises, each with its share of the budget. */
static term_id where_drawn(struct kernel *k, struct span span, const struct core *round,
                           term_id accept, proof_of forward, proof_of backward,
                           const struct loop_variants *variants) {
  struct terms *ts = k->terms;
  term_id rest = term_sub(ts, k->budget, accept);
  term_id parts[] = {
      kernel_label(k, term_le(ts, k->zero, accept), rule, span,
                   "what acceptance costs is not negative"),
      kernel_label(k, term_le(ts, accept, k->budget), rule, span, "the budget pays for acceptance"),
      term_subst(ts, forward->pre, &k->budget, &rest, 1),
      term_subst(ts, term_swap_runs(ts, backward->pre), &k->budget, &accept, 1),
      lossless_wp(k, round, 2, k->yes, variants)};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (parts[i] == TERM_NONE) return TERM_NONE;
  return term_and_all(ts, parts, sizeof parts / sizeof *parts);
}

/*            {Phi} c ~0 c {not g<1> -> not g<2> and Psi}
 *            {Phi'} c ~0 c {not g<1> -> not g<2>}    with the runs exchanged
 *  UNTIL     -------------------------------------------------------------------------------
 *            {W}                                       c; while g b ~0 c; while g b  {Psi'}
 *            {g<1> = g<2>, g<1> -> W, not g<1> -> Psi}    while g b ~0 while g b     {Psi'}
 *     W:     0 <= a <= B, Phi[B := B - a], Phi'[B := a] with the runs exchanged,
 *            c ends with probability 1 in run 2
 *     Psi':  Psi, not g<1>, not g<2>
 *  a is a real term over the memories before, without B. c is b after assignments x := t; proved on
 *  the spot: g -> x = t, in both runs. c calls no adversary and reads no variable that it writes
 *  before it has set it; those of g that it writes it sets whatever happens, and those of Psi unless
 *  g is true in the end (proved on the spot). In the c before the loop, variables that g and Psi do
 *  not mention may have other names, of which the loop does not speak, nor c of its names.
 *  (All rounds are alike. Let p1 and p2 be the probabilities that a round is accepted. Then E[f]
 *   after the loop is E[f and accepted]/p1 at most; the first premise bounds that expectation by
 *   e^(B - a) times that of run 2, the second one p2 by e^a p1. docs/rules.md has the details.) */
proof_of rule_until(struct kernel *k, struct span span, const struct core *c, term_id accept,
                    term_id post, proof_of forward, proof_of backward,
                    const struct loop_variants *variants) {
  struct terms *ts = k->terms;
  if (!forward || !backward || !kernel_needs_pure(k, rule, span)) return NULL;
  term_list names = {0};
  const struct core *round = forward->left, *loop = loop_of(k, c, round, &names);
  bool apart = loop && is_told_apart(k, loop, post, &names);
  vec_clear(&names);
  if (!loop || apart)
    return kernel_fail(k, rule, span, "this is no loop, nor a round and then a loop");
  accept = accept == TERM_NONE ? TERM_NONE : term_coerce(ts, accept, SORT_REAL);
  if (accept == TERM_NONE || term_mentions(ts, accept, &k->budget, 1) ||
      term_mentions(ts, accept, k->vars.at, k->vars.len))
    return kernel_fail(k, rule, span, "what acceptance costs must be a term over memories");
  term_id g1 = kernel_tag(k, loop->expr, 1), g2 = kernel_tag(k, loop->expr, 2);
  if (g1 == TERM_NONE || g2 == TERM_NONE || !kernel_is_assertion(k, post))
    return kernel_fail(k, rule, span, "guard or postcondition is not well formed");
  const char *why = misfit(k, round, g1, g2, post, forward, backward);
  if (why) return kernel_fail(k, rule, span, "%s", why);
  if (!is_fresh(k, loop, round, post) || !is_round(k, loop, round)) return NULL;
  term_id drawn = where_drawn(k, span, round, accept, forward, backward, variants);
  if (drawn == TERM_NONE) return kernel_fail(k, rule, span, "the round may not end");
  term_id entered[] = {term_eq(ts, g1, g2), term_implies(ts, g1, drawn),
                       term_implies(ts, term_not(ts, g1), post)};
  term_id after[] = {post, term_not(ts, g1), term_not(ts, g2)};
  k->believes |= backward->kernel->believes;
  return judgement_new(k, rule, span, c, c, c == loop ? term_and_all(ts, entered, 3) : drawn,
                       term_and_all(ts, after, 3), k->zero, forward, backward);
}
