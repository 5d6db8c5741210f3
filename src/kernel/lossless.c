#include "kernel/lossless.h"

#include "kernel/chance.h"
#include "kernel/dist.h"
#include "kernel/internal.h"
#include "kernel/rounds.h"
#include "term/build.h"
#include "term/subst.h"

struct wp {
  struct kernel *k;
  unsigned run;
  const struct loop_variants *variants;
};

static term_id wp(struct wp *w, const struct core *c, term_id post);

/* What is demanded of the memory before c; *ends: it shows that the loop ends. */
static term_id demanded(struct wp *w, const struct core *c, bool *ends) {
  term_id all = w->k->yes;
  *ends = false;
  for (size_t i = 0; w->variants && i < w->variants->demand_count; i++) {
    const struct demand *d = &w->variants->demands[i];
    if (d->at != c) continue;
    all = term_and(w->k->terms, all, d->formula);
    *ends |= d->ends;
  }
  return all;
}

/* forall v in the support of D(args): post[x := v]; the parameters make sense. */
static term_id wp_sample(struct wp *w, const struct core *c, term_id post) {
  struct kernel *k = w->k;
  term_list args = {0};
  for (size_t i = 0; i < c->arg_count; i++)
    vec_push(&args, kernel_tag(k, c->args[i], w->run));
  sort_id sort = dist_sample_sort(k->terms, c->dist, args.at, args.len);
  term_id result = TERM_NONE;
  if (sort != SORT_NONE && kernel_is_writable(k, c->var)) {
    term_id v = kernel_fresh(k, "v", sort);
    term_id body = term_implies(k->terms, dist_support(k->terms, c->dist, args.at, args.len, v),
                                kernel_assigned(k, post, c->var, w->run, v));
    term_id valid = kernel_valid_noise(k, "LOSSLESS", c->span, c->dist, args.at, args.len);
    bool ends;
    result = term_and(k->terms, valid, demanded(w, c, &ends));
    result = term_and(k->terms, result, term_forall(k->terms, &v, 1, body));
  }
  vec_clear(&args);
  return result;
}

static term_id wp_adversary(struct wp *w, const struct core *c, term_id post) {
  struct kernel *k = w->k;
  term_id state = kernel_fresh(k, "state", term_sort(k->terms, c->state));
  term_id out = kernel_fresh(k, "answer", term_sort(k->terms, c->var));
  post = kernel_assigned(k, post, c->var, w->run, out);
  post = kernel_assigned(k, post, c->state, w->run, state);
  term_id vars[] = {state, out};
  return term_forall(k->terms, vars, 2, post);
}

/* The comparison of integers in the guard as a variant: a < b gives b - a. Not of what is sampled. */
static term_id guess_variant(struct kernel *k, const struct core *loop) {
  struct terms *ts = k->terms;
  term_list parts = {0}, random = {0};
  term_conjuncts(ts, loop->expr, &parts);
  chance_random_vars(ts, loop->first, &random);
  term_id found = TERM_NONE;
  for (size_t i = 0; i < parts.len && found == TERM_NONE; i++) {
    term_id p = parts.at[i];
    if (term_kind(ts, p) != TERM_LT && term_kind(ts, p) != TERM_LE) continue;
    term_id a = term_arg(ts, p, 0), b = term_arg(ts, p, 1);
    if (term_sort(ts, a) != SORT_INT || term_sort(ts, b) != SORT_INT) continue;
    if (term_mentions(ts, p, random.at, random.len)) continue;
    found = term_sub(ts, b, a);
    if (term_kind(ts, p) == TERM_LE) found = term_add(ts, found, term_int(ts, 1));
  }
  vec_clear(&parts);
  vec_clear(&random);
  return found;
}

static term_id find_variant(struct wp *w, const struct core *c, term_id *invariant) {
  *invariant = TERM_NONE;
  for (size_t i = 0; w->variants && i < w->variants->count; i++) {
    if (w->variants->loops[i] != c) continue;
    if (w->variants->invariants) *invariant = w->variants->invariants[i];
    if (w->variants->variants[i] != TERM_NONE) return w->variants->variants[i];
  }
  return guess_variant(w->k, c);
}

/* The body ends in the invariant with a smaller variant, which is positive. */
static term_id decreases(struct wp *w, const struct core *c, term_id inv, term_id variant) {
  struct kernel *k = w->k;
  struct terms *ts = k->terms;
  variant = term_sort(ts, variant) == SORT_INT ? kernel_tag(k, variant, w->run) : TERM_NONE;
  if (variant == TERM_NONE) return TERM_NONE;
  term_id before = kernel_fresh(k, "before", SORT_INT);
  term_id smaller = kernel_label(k, term_lt(ts, variant, before), "LOSSLESS", c->span,
                                 "the variant of the loop decreases");
  term_id step = wp(w, c->first, term_and(ts, inv, smaller));
  if (step == TERM_NONE) return TERM_NONE;
  step = term_subst(ts, step, &before, &variant, 1);
  term_id positive = kernel_label(k, term_lt(ts, term_int(ts, 0), variant), "LOSSLESS", c->span,
                                  "the variant is positive while the loop runs");
  return term_and(ts, positive, step);
}

/* Is there only one sampling? Then its chances are known without looking at the whole round. */
static bool has_one_sampling(const struct core *c) {
  size_t count = 0;
  for (; c; c = c->kind == CORE_SEQ ? c->second : NULL) {
    const struct core *one = c->kind == CORE_SEQ ? c->first : c;
    count += core_is_random(one) ? 1 + (one->kind == CORE_IF) : 0;
  }
  return count == 1;
}

/* The body ends in the invariant; and a chance, which is the same in every iteration, ends the loop. */
static term_id ends_by_chance(struct wp *w, const struct core *c, term_id inv, term_id guard) {
  struct kernel *k = w->k;
  struct terms *ts = k->terms;
  term_id step = wp(w, c->first, inv), ways = term_bool(ts, false);
  chance_list chances = {0};
  chance_find(k, c, &chances);
  struct span at = chances.len ? chances.at[0].at->span : c->span;
  for (size_t i = 0; i < chances.len && ways != TERM_NONE; i++) {
    term_id possible = kernel_tag(k, chances.at[i].possible, w->run);
    term_id ends = wp(w, chance_body(k, c->first, &chances.at[i]), term_not(ts, guard));
    ways = possible == TERM_NONE || ends == TERM_NONE
               ? TERM_NONE
               : term_or(ts, ways, term_and(ts, possible, ends));
  }
  bool enough = chances.len > 0 && has_one_sampling(c->first);
  term_id round = enough || !rounds_are_alike(ts, c) ? TERM_NONE : rounds_may_end(k, c);
  if (round != TERM_NONE) round = kernel_tag(k, round, w->run);
  if (round != TERM_NONE && ways != TERM_NONE) ways = term_or(ts, ways, round);
  bool any = chances.len > 0 || round != TERM_NONE;
  vec_clear(&chances);
  if (step == TERM_NONE || ways == TERM_NONE) return TERM_NONE;
  return term_and(ts, step,
                  kernel_label(k, ways, "LOSSLESS", at,
                               any ? "some outcome of the sample ends the loop"
                                   : "the loop ends (it needs an integer variant that decreases)"));
}

/* J, and for all values of what the loop writes, J -> (b -> V > 0 and the body ends in J with a
 * smaller V;  not b -> post). Where there is no V: b -> the body ends in J, and in not b by some chance
 * (chance.h), whose probability is positive and the same in every iteration. */
static term_id wp_while(struct wp *w, const struct core *c, term_id post) {
  struct kernel *k = w->k;
  struct terms *ts = k->terms;
  term_id guard = kernel_tag(k, c->expr, w->run);
  term_id given, variant = find_variant(w, c, &given);
  term_id kept = given == TERM_NONE ? k->yes : kernel_tag(k, given, w->run);
  if (guard == TERM_NONE || kept == TERM_NONE) return TERM_NONE;
  term_id inv = kernel_label(k, kept, "LOSSLESS", c->span, "the invariant of the loop");
  bool ends;
  term_id extra = demanded(w, c, &ends);
  term_id step = ends                   ? wp(w, c->first, inv)
                 : variant == TERM_NONE ? ends_by_chance(w, c, inv, guard)
                                        : decreases(w, c, inv, variant);
  if (step == TERM_NONE) return TERM_NONE;
  term_id all =
      term_and(ts, term_implies(ts, guard, step), term_implies(ts, term_not(ts, guard), post));
  all = term_and(ts, extra, all);
  all = term_implies(ts, kept, all);
  term_list written = {0};
  core_writes(c, &written);
  for (size_t i = 0; i < written.len && all != TERM_NONE; i++) {
    term_id var = term_var_in_run(ts, written.at[i], w->run);
    term_id fresh = kernel_fresh(k, term_var_get(ts, var)->name, term_sort(ts, var));
    all = term_subst(ts, all, &var, &fresh, 1);
    if (all != TERM_NONE) all = term_forall(ts, &fresh, 1, all);
  }
  vec_clear(&written);
  return term_and(ts, inv, all);
}

static term_id wp(struct wp *w, const struct core *c, term_id post) {
  struct kernel *k = w->k;
  if (post == TERM_NONE) return TERM_NONE;
  switch (c->kind) {
  case CORE_SKIP: return post;
  case CORE_ASSIGN:
    if (!kernel_is_writable(k, c->var)) return TERM_NONE;
    return kernel_assigned(k, post, c->var, w->run, kernel_tag(k, c->expr, w->run));
  case CORE_SAMPLE: return wp_sample(w, c, post);
  case CORE_SEQ: return wp(w, c->first, wp(w, c->second, post));
  case CORE_IF: {
    term_id b = kernel_tag(k, c->expr, w->run);
    return term_and(k->terms, term_implies(k->terms, b, wp(w, c->first, post)),
                    term_implies(k->terms, term_not(k->terms, b), wp(w, c->second, post)));
  }
  case CORE_WHILE: return wp_while(w, c, post);
  case CORE_ADVERSARY: return wp_adversary(w, c, post);
  }
  return TERM_NONE;
}

term_id lossless_wp(struct kernel *k, const struct core *c, unsigned run, term_id post,
                    const struct loop_variants *variants) {
  struct wp w = {.k = k, .run = run, .variants = variants};
  return wp(&w, c, post);
}

bool lossless_check(struct kernel *k, const struct core *c, unsigned run,
                    const struct loop_variants *variants) {
  term_id goal = lossless_wp(k, c, run, k->yes, variants);
  return kernel_prove(k, "LOSSLESS", c->span, k->yes, goal, "the program ends with probability 1");
}
