#include "kernel/law.h"

#include "base/vec.h"
#include "kernel/cases.h"
#include "kernel/dist.h"
#include "kernel/fraction.h"
#include "kernel/internal.h"
#include "kernel/lossless.h"
#include "kernel/series.h"
#include "term/build.h"
#include "term/subst.h"

static const char rule[] = "SAMPLES";

/* What is expected of `after`, which is between 0 and `most`, when the loop or sampling has ended. */
struct asked {
  const struct core *at;
  term_id after, most;
};

struct expecting {
  struct kernel *k;
  const struct laws *laws;
  const struct distribution *law; /* that is stated, and the value whose probability is computed */
  term_id outcome;
  term_id most; /* of what is expected now */
  VEC(struct asked) questions;
  VEC(struct demand) demands;
  bool failed;
};

static term_id fail(struct expecting *x, struct span span, const char *why) {
  if (!x->failed) kernel_fail(x->k, rule, span, "%s", why);
  x->failed = true;
  return TERM_NONE;
}

static term_id tag(struct expecting *x, term_id t) {
  return t == TERM_NONE ? TERM_NONE : kernel_tag(x->k, t, 1);
}

static void ask(struct expecting *x, const struct core *at, term_id after) {
  for (size_t i = 0; i < x->questions.len; i++) {
    const struct asked *q = &x->questions.at[i];
    if (q->at == at && q->after == after && q->most == x->most) return;
  }
  if (x->questions.len >= LAW_QUESTIONS)
    fail(x, at->span, "too much is asked of the loops");
  else
    vec_push(&x->questions, (struct asked){at, after, x->most});
}

static const struct loop_law *law_of_loop(const struct laws *laws, const struct core *c) {
  for (size_t i = 0; i < laws->loop_count; i++)
    if (laws->loops[i].loop == c) return &laws->loops[i];
  return NULL;
}

/* ---- equations ------------------------------------------------------------------------------- */

/* a/d as a * (1/d), so that exponents are sums of products; where each d is not 0, which is
 * demanded. */
static term_id spread(struct expecting *x, term_id t, term_id *demand) {
  struct terms *ts = x->k->terms;
  size_t count = term_arg_count(ts, t);
  enum term_kind kind = term_kind(ts, t);
  if (count == 0 || kind == TERM_FORALL || kind == TERM_EXISTS) return t;
  term_list args = {0};
  for (size_t i = 0; i < count; i++)
    vec_push(&args, spread(x, term_arg(ts, t, i), demand));
  term_id result = TERM_NONE, one = term_rat(ts, 1, 1);
  if (kind == TERM_DIV && args.at[0] != one) {
    *demand = term_and(ts, *demand, term_ne(ts, args.at[1], term_rat(ts, 0, 1)));
    result = term_mul(ts, args.at[0], term_div(ts, one, args.at[1]));
  } else {
    result = term_rebuild(ts, t, args.at);
  }
  vec_clear(&args);
  return result;
}

/* a <= b, cleared of denominators: equivalent to it where what it is cleared of is not 0 or
 * negative. */
static term_id cleared_fact(struct expecting *x, term_id a, term_id b) {
  struct terms *ts = x->k->terms;
  term_id demand = ts->true_term, positive = ts->true_term, le = term_le(ts, a, b);
  if (le != TERM_NONE) le = spread(x, le, &demand);
  if (le == TERM_NONE) return TERM_NONE;
  le = term_cleared_condition(ts, le, &positive);
  return term_implies(ts, term_and(ts, demand, positive), le);
}

/* What is known of the series that occur in t, in the form that `at_most` gives to what is wanted. */
static term_id known(struct expecting *x, term_id t) {
  struct terms *ts = x->k->terms;
  series_facts facts = {0};
  term_id all = ts->true_term;
  series_known(ts, t, &facts);
  for (size_t i = 0; i < facts.len; i++) {
    const struct series_fact *f = &facts.at[i];
    all = term_and(ts, all, term_implies(ts, f->when, cleared_fact(x, f->a, f->b)));
  }
  vec_clear(&facts);
  return all;
}

/* A formula that implies a <= b where `given` holds. */
static term_id at_most(struct expecting *x, term_id given, term_id a, term_id b) {
  struct terms *ts = x->k->terms;
  term_id demand = ts->true_term, le = term_le(ts, a, b);
  if (le != TERM_NONE) le = spread(x, le, &demand);
  if (le == TERM_NONE) return TERM_NONE;
  term_id split = term_by_cases_given(ts, given, le);
  return term_implies(ts, known(x, le), term_and(ts, demand, split));
}

static term_id same(struct expecting *x, term_id given, term_id a, term_id b) {
  return term_and(x->k->terms, at_most(x, given, a, b), at_most(x, given, b, a));
}

/* given -> the formula, where `given` is put to use: a variable that it says is true or false. */
static term_id within(struct expecting *x, term_id given, term_id a, term_id b,
                      term_id (*relation)(struct expecting *, term_id, term_id, term_id)) {
  struct terms *ts = x->k->terms;
  term_list parts = {0};
  term_conjuncts(ts, given, &parts);
  for (size_t i = 0; i < parts.len && a != TERM_NONE && b != TERM_NONE; i++) {
    term_id from[] = {parts.at[i], term_not(ts, parts.at[i])};
    term_id to[] = {ts->true_term, ts->false_term};
    a = term_replace(ts, a, from, to, 2);
    b = term_replace(ts, b, from, to, 2);
  }
  vec_clear(&parts);
  return a == TERM_NONE || b == TERM_NONE ? TERM_NONE
                                          : term_implies(ts, given, relation(x, given, a, b));
}

static void demand(struct expecting *x, const struct core *at, term_id formula, bool ends,
                   const char *what) {
  if (formula == TERM_NONE)
    fail(x, at->span, "a condition cannot be written down");
  else
    vec_push(&x->demands,
             (struct demand){at, kernel_label(x->k, formula, rule, at->span, what), ends});
}

/* ---- expectations ---------------------------------------------------------------------------- */

static term_id after_value(struct expecting *x, const struct core *c, term_id value,
                           term_id after) {
  return kernel_assigned(x->k, after, c->var, 1, value);
}

static term_id indicator(struct terms *ts, term_id condition) {
  return term_ite(ts, condition, term_rat(ts, 1, 1), term_rat(ts, 0, 1));
}

/* Finitely many values, each with its probability; 0: there are more. */
static size_t list_values(struct expecting *x, const struct core *c, const term_id *args,
                          term_id *values, term_id *shares) {
  struct terms *ts = x->k->terms;
  size_t count = 0;
  if (c->dist == DIST_BERNOULLI) {
    for (count = 0; count < 2; count++) {
      values[count] = term_bool(ts, count == 0);
      shares[count] = dist_mass(ts, c->dist, args, values[count]);
    }
  } else if (c->dist == DIST_UNIFORM_SET && c->arg_count <= LAW_VALUES) {
    for (; count < c->arg_count; count++) {
      values[count] = args[count];
      shares[count] = term_rat(ts, 1, c->arg_count);
    }
  } else if (c->dist == DIST_UNIFORM_INT) {
    term_id width = term_sub(ts, args[1], args[0]);
    for (long i = 0; i < LAW_VALUES && !count; i++)
      if (width == term_int(ts, i)) count = (size_t)i + 1;
    for (size_t i = 0; i < count; i++) {
      values[i] = term_add(ts, args[0], term_int(ts, (long)i));
      shares[i] = term_rat(ts, 1, count);
    }
  }
  return count;
}

/* Noise on the integers may matter by whether it is one of these, and not otherwise: the outcome, its
 * opposite and 0. The last one stands for all the others. */
enum { POINTS = 3 };

static void list_points(struct expecting *x, term_id points[POINTS + 1]) {
  struct terms *ts = x->k->terms;
  points[0] = x->outcome;
  points[1] = term_neg(ts, x->outcome);
  points[2] = term_int(ts, 0);
  points[3] = term_add(ts, term_abs(ts, x->outcome), term_int(ts, 1));
}

/* The expectation of G for a sample of this distribution that goes where c samples to:
 * G(other) + sum over the points e of Pr[e] (G(e) - G(other)), equal points once. */
static term_id expect_points(struct expecting *x, const struct core *c,
                             const struct distribution *law, term_id after) {
  struct terms *ts = x->k->terms;
  term_id points[POINTS + 1];
  if (term_sort(ts, x->outcome) != SORT_INT || dist_exponent(ts, law, x->outcome) == TERM_NONE)
    return fail(x, c->span, "this sampling has too many values");
  list_points(x, points);
  term_id base = after_value(x, c, points[POINTS], after), all = base;
  for (size_t i = 0; i < POINTS; i++) {
    term_id share = dist_mass(ts, law->dist, law->args, points[i]);
    for (size_t j = 0; j < i; j++)
      share = term_ite(ts, term_eq(ts, points[i], points[j]), term_rat(ts, 0, 1), share);
    term_id extra = term_sub(ts, after_value(x, c, points[i], after), base);
    all = term_add(ts, all, term_mul(ts, share, extra));
  }
  ask(x, c, after);
  return all;
}

/* z <$ D; a <$ Bernoulli(e^u), where Pr[D = z] e^u is m Pr[D' = z] for all z, D' the distribution of
 * the claim and m a number: G is expected to be m E'[G with a] + E[G without a] - m E'[G without a].
 * m is what it is at the centre of D; that it is the same everywhere is demanded. */
static term_id expect_accepted(struct expecting *x, const struct core *draw,
                               const struct distribution *own, const struct core *coin,
                               term_id after) {
  struct terms *ts = x->k->terms;
  const struct distribution *aim = x->law;
  term_id yes = after_value(x, coin, ts->true_term, after);
  term_id no = after_value(x, coin, ts->false_term, after);
  term_id u = term_arg(ts, tag(x, coin->args[0]), 0), centre = own->args[0];
  term_id u0 = after_value(x, draw, centre, u);
  term_id at_centre = term_sub(ts, u0, dist_exponent(ts, aim, centre));
  term_id norm = term_div(ts, dist_mass(ts, own->dist, own->args, centre),
                          dist_mass(ts, aim->dist, aim->args, aim->args[0]));
  term_id m = term_mul(ts, norm, term_exp(ts, at_centre));
  term_id accepted = expect_points(x, draw, aim, yes), kept = expect_points(x, draw, aim, no);
  term_id all[] = {term_mul(ts, m, accepted), expect_points(x, draw, own, no),
                   term_neg(ts, term_mul(ts, m, kept))};
  if (x->failed) return TERM_NONE;
  term_id z = kernel_fresh(x->k, "z", SORT_INT);
  term_id left = term_add(ts, dist_exponent(ts, own, z), after_value(x, draw, z, u));
  term_id right = term_add(ts, dist_exponent(ts, aim, z), at_centre);
  demand(x, draw, term_forall(ts, &z, 1, same(x, ts->true_term, left, right)), false,
         "what is accepted has the stated distribution, but for a factor");
  return term_sum(ts, all, 3);
}

/* Is it a sampling of noise, and its next statement one of whether it is accepted? */
static bool is_accepting(struct expecting *x, const struct core *draw, const struct core *coin) {
  struct terms *ts = x->k->terms;
  return draw->kind == CORE_SAMPLE && dist_is_centred(draw->dist) && dist_is_discrete(draw->dist) &&
         coin->kind == CORE_SAMPLE && coin->dist == DIST_BERNOULLI && coin->var != draw->var &&
         kernel_is_writable(x->k, coin->var) && kernel_is_writable(x->k, draw->var) &&
         term_kind(ts, coin->args[0]) == TERM_EXP &&
         term_mentions(ts, coin->args[0], &draw->var, 1) && dist_is_everywhere(draw->dist) &&
         dist_is_everywhere(x->law->dist);
}

static term_id expect_sample(struct expecting *x, const struct core *c, term_id after) {
  struct terms *ts = x->k->terms;
  term_list args = {0};
  for (size_t i = 0; i < c->arg_count; i++)
    vec_push(&args, tag(x, c->args[i]));
  term_id values[LAW_VALUES], shares[LAW_VALUES], all = term_rat(ts, 0, 1);
  bool fits = kernel_is_writable(x->k, c->var) &&
              dist_sample_sort(ts, c->dist, args.at, args.len) != SORT_NONE;
  size_t count = fits ? list_values(x, c, args.at, values, shares) : 0;
  for (size_t i = 0; i < count; i++)
    all = term_add(ts, all, term_mul(ts, shares[i], after_value(x, c, values[i], after)));
  if (!fits)
    all = fail(x, c->span, "this is not a sampling");
  else if (!count)
    all = expect_points(x, c, &(struct distribution){c->dist, args.at, args.len}, after);
  vec_clear(&args);
  return all;
}

/* The mix at the head of the loop. */
static term_id mix(struct expecting *x, const struct loop_law *l, term_id after) {
  struct terms *ts = x->k->terms;
  term_id all = term_rat(ts, 0, 1);
  for (size_t i = 0; i < l->way_count; i++) {
    const struct law_way *w = &l->ways[i];
    term_list from = {0}, to = {0};
    bool fits = true;
    for (size_t j = 0; j < w->count; j++) {
      fits &= kernel_is_var(x->k, w->vars[j]);
      vec_push(&from, fits ? term_var_in_run(ts, w->vars[j], 1) : TERM_NONE);
      term_id value = tag(x, w->values[j]);
      vec_push(&to, fits && value ? term_coerce(ts, value, term_sort(ts, w->vars[j])) : TERM_NONE);
      fits &= to.at[j] != TERM_NONE;
    }
    term_id weight = tag(x, w->weight);
    term_id value = fits ? term_subst(ts, after, from.at, to.at, from.len) : TERM_NONE;
    vec_clear(&from);
    vec_clear(&to);
    if (value == TERM_NONE || weight == TERM_NONE || !sort_is_numeric(term_sort(ts, weight)))
      return fail(x, l->loop->span, "the law of the loop is not well formed");
    all = term_add(ts, all, term_mul(ts, weight, value));
  }
  return all;
}

static term_id expect(struct expecting *x, const struct core *c, term_id after);

static term_id expect_sequence(struct expecting *x, const struct core *c, term_id after) {
  const struct core *draw = c->first, *next = c->second;
  const struct core *coin = next->kind == CORE_SEQ ? next->first : next;
  if (!is_accepting(x, draw, coin)) return expect(x, draw, expect(x, next, after));
  after = expect(x, next->kind == CORE_SEQ ? next->second : core_skip(), after);
  term_id args[] = {tag(x, draw->args[0]), tag(x, draw->args[1])};
  if (x->failed || after == TERM_NONE ||
      dist_sample_sort(x->k->terms, draw->dist, args, 2) != SORT_INT)
    return TERM_NONE;
  return expect_accepted(x, draw, &(struct distribution){draw->dist, args, 2}, coin, after);
}

static term_id expect(struct expecting *x, const struct core *c, term_id after) {
  if (x->failed || after == TERM_NONE) return TERM_NONE;
  switch (c->kind) {
  case CORE_SKIP: return after;
  case CORE_ASSIGN:
    if (!kernel_is_writable(x->k, c->var)) return fail(x, c->span, "this cannot be assigned");
    return after_value(x, c, tag(x, c->expr), after);
  case CORE_SAMPLE: return expect_sample(x, c, after);
  case CORE_SEQ: return expect_sequence(x, c, after);
  case CORE_IF: {
    term_id then = expect(x, c->first, after), otherwise = expect(x, c->second, after);
    return term_ite(x->k->terms, tag(x, c->expr), then, otherwise);
  }
  case CORE_WHILE: {
    const struct loop_law *l = law_of_loop(x->laws, c);
    if (!l) return fail(x, c->span, "nothing is said of the law of this loop");
    ask(x, c, after);
    return mix(x, l, after);
  }
  case CORE_ADVERSARY: break;
  }
  return fail(x, c->span, "an adversary has no law");
}

/* ---- demands --------------------------------------------------------------------------------- */

static term_id invariant_of(struct expecting *x, const struct loop_law *l) {
  return l->invariant == TERM_NONE ? x->k->yes : tag(x, l->invariant);
}

/* 0 <= f <= most; f is G after the loop, and an iteration does not change it. */
static void demand_law(struct expecting *x, const struct loop_law *l, const struct asked *q) {
  struct terms *ts = x->k->terms;
  const struct core *c = l->loop;
  term_id guard = tag(x, c->expr), f = mix(x, l, q->after), kept = invariant_of(x, l);
  term_id next = expect(x, c->first, f);
  if (x->failed) return;
  term_id runs = term_and(ts, kept, guard), ended = term_and(ts, kept, term_not(ts, guard));
  term_id low = within(x, kept, term_rat(ts, 0, 1), f, at_most);
  term_id range = term_and(ts, low, within(x, kept, f, q->most, at_most));
  demand(x, c, range, false, "the law of the loop is a probability");
  demand(x, c, within(x, runs, f, next, same), false, "an iteration does not change the law");
  demand(x, c, within(x, ended, f, q->after, same), false,
         "the law is that of the memory when the loop has ended");
}

/* G is the same for every sample but the points. */
static void demand_points(struct expecting *x, const struct asked *q) {
  struct terms *ts = x->k->terms;
  const struct core *c = q->at;
  term_id points[POINTS + 1], v = kernel_fresh(x->k, "v", SORT_INT), given = ts->true_term;
  list_points(x, points);
  for (size_t i = 0; i < POINTS; i++)
    given = term_and(ts, given, term_ne(ts, v, points[i]));
  term_id here = after_value(x, c, v, q->after),
          other = after_value(x, c, points[POINTS], q->after);
  term_id equal = term_implies(ts, given, same(x, given, here, other));
  demand(x, c, term_forall(ts, &v, 1, equal), false,
         "the rest depends on the sample only by whether it is the outcome, its opposite or 0");
}

/* 0 <= R <= most, and an iteration takes 1 off. */
static void demand_end(struct expecting *x, const struct loop_law *l) {
  struct terms *ts = x->k->terms;
  const struct core *c = l->loop;
  term_id r = tag(x, l->rank), guard = tag(x, c->expr), one = term_rat(ts, 1, 1);
  if (r == TERM_NONE || !sort_is_numeric(term_sort(ts, r)) || !kernel_is_constant(x->k, l->most)) {
    fail(x, c->span, "the rank must be a number, and its bound a term over parameters");
    return;
  }
  r = term_to_real(ts, r);
  x->most = term_to_real(ts, l->most);
  term_id next = expect(x, c->first, r);
  if (x->failed) return;
  term_id kept = invariant_of(x, l), runs = term_and(ts, kept, guard);
  term_id low = within(x, kept, term_rat(ts, 0, 1), r, at_most);
  term_id range = term_and(ts, low, within(x, kept, r, x->most, at_most));
  demand(x, c, range, false, "the rank of the loop is within its bounds");
  demand(x, c, within(x, runs, term_add(ts, next, one), r, at_most), true,
         "an iteration is expected to take 1 off the rank");
}

static void demand_all(struct expecting *x) {
  for (size_t i = 0; i < x->laws->loop_count && !x->failed; i++)
    if (x->laws->loops[i].rank != TERM_NONE) demand_end(x, &x->laws->loops[i]);
  for (size_t i = 0; i < x->questions.len && !x->failed; i++) {
    struct asked q = x->questions.at[i]; /* the list may move */
    x->most = q.most;
    if (q.at->kind == CORE_WHILE)
      demand_law(x, law_of_loop(x->laws, q.at), &q);
    else
      demand_points(x, &q);
  }
}

/* ---- the rule -------------------------------------------------------------------------------- */

/* Each is a loop, and has one law: what is demanded where its invariant holds is of no use unless
 * LOSSLESS shows this invariant, and no other. */
static bool is_one_per_loop(const struct laws *laws) {
  for (size_t i = 0; i < laws->loop_count; i++) {
    const struct loop_law *l = &laws->loops[i];
    if (l->loop->kind != CORE_WHILE || law_of_loop(laws, l->loop) != l) return false;
  }
  return true;
}

/* The program ends and meets the demands on its way, and its law is the one that is stated. */
static bool conclude(struct expecting *x, struct span span, const struct core *c, term_id mass,
                     term_id expected) {
  struct kernel *k = x->k;
  size_t count = x->laws->loop_count;
  const struct core **loops = arena_alloc(&k->arena, (count + 1) * sizeof *loops);
  term_id *variants = arena_alloc(&k->arena, (count + 1) * sizeof *variants);
  term_id *invariants = arena_alloc(&k->arena, (count + 1) * sizeof *invariants);
  for (size_t i = 0; i < count; i++) {
    loops[i] = x->laws->loops[i].loop;
    variants[i] = TERM_NONE;
    invariants[i] = x->laws->loops[i].invariant;
  }
  struct loop_variants how = {.loops = loops,
                              .variants = variants,
                              .invariants = invariants,
                              .count = count,
                              .demands = x->demands.at,
                              .demand_count = x->demands.len};
  return lossless_check(k, c, 1, &how) &&
         kernel_prove(k, rule, span, k->yes, same(x, k->yes, expected, mass),
                      "the result has the stated distribution");
}

/*  SAMPLES    for all values v of the distribution D(args), which makes sense:
 *             E[1 if result = v else 0 after c] = Pr[D(args) = v], and c is lossless  */
bool law_check(struct kernel *k, struct span span, const struct core *c, term_id result,
               const struct distribution *law, term_id outcome, const struct laws *laws) {
  struct terms *ts = k->terms;
  struct expecting x = {
      .k = k, .laws = laws, .law = law, .outcome = outcome, .most = term_rat(ts, 1, 1)};
  term_id mass = dist_mass(ts, law->dist, law->args, outcome);
  term_id valid = dist_valid(ts, law->dist, law->args, law->count);
  bool fits = mass != TERM_NONE && valid != TERM_NONE && term_kind(ts, outcome) == TERM_VAR &&
              !kernel_is_var(k, outcome) && kernel_is_var(k, result) &&
              dist_sample_sort(ts, law->dist, law->args, law->count) == term_sort(ts, outcome) &&
              term_sort(ts, result) == term_sort(ts, outcome);
  if (!fits) fail(&x, span, "there is no term for the probabilities of this distribution");
  if (!is_one_per_loop(laws)) fail(&x, span, "a loop has one law, and nothing else has any");
  term_id hit = fits ? indicator(ts, term_eq(ts, tag(&x, result), outcome)) : TERM_NONE;
  term_id expected = expect(&x, c, hit);
  demand_all(&x);
  if (expected == TERM_NONE) fail(&x, span, "an expectation cannot be written down");
  bool ok =
      !x.failed &&
      kernel_prove(k, rule, span, k->yes, valid, "the distribution of the claim makes sense") &&
      conclude(&x, span, c, mass, expected);
  vec_clear(&x.questions);
  vec_clear(&x.demands);
  return ok;
}
