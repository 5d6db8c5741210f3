/* What tests with a finite memory share: rounds, counts, true premises. Included once per test. */
#ifndef COUPLET_TEST_FINITE_TEST_H
#define COUPLET_TEST_FINITE_TEST_H

#include <math.h>

#include "finite.h"
#include "kernel/ahl.h"
#include "term/build.h"

/* The same for one name on every machine. */
static inline uint64_t seed_of(const char *name) {
  uint64_t seed = 7;
  for (; *name; name++)
    seed = seed * 1000003 + (unsigned char)*name;
  return seed;
}

typedef void with_world(struct finite *w);

/* One world serves many rounds; a new one now and then keeps the term table small. */
static inline void rounds(size_t normal, uint64_t seed, with_world *test) {
  enum { PER_WORLD = 50 };
  size_t count = test_rounds(normal);
  for (size_t i = 0; i < count; i += PER_WORLD) {
    struct finite w;
    finite_init(&w, seed + i);
    for (size_t r = 0; r < PER_WORLD && i + r < count; r++)
      test(&w);
    finite_clear(&w);
  }
}

static struct { size_t applied, tight, wrong; } seen;

#define TEST(name, normal)                                                                         \
  static void name##_once(struct finite *w);                                                       \
  static void name(void **state) {                                                                 \
    (void)state;                                                                                   \
    seen.applied = seen.tight = seen.wrong = 0;                                                    \
    rounds(normal, seed_of(#name), name##_once);                                                   \
    print_message("%s: %zu applied, %zu tight, %zu wrong without the side condition\n", #name,     \
                  seen.applied, seen.tight, seen.wrong);                                           \
    assert_often(seen.applied > normal / 8);                                                       \
    name##_counts();                                                                               \
  }                                                                                                \
  static void name##_once(struct finite *w)
#define COUNTS(name, condition)                                                                    \
  static void name##_counts(void) {                                                                \
    assert_often(condition);                                                                       \
  }

static inline term_id delta_term(struct finite *w) {
  return term_rat(&w->terms, rng_chance(&w->rng, 1, 2) ? 0 : rng_range(&w->rng, 1, 4), 16);
}
static inline double number(struct finite *w, term_id t) {
  return finite_eval(w, t, 0, 0, 0);
}

/* A true judgement about these programs, with the weakest precondition there is. */
static inline proof_of truth(struct finite *w, const struct core *c1, const struct core *c2,
                             term_id post, term_id delta) {
  struct finite_table after = finite_read(w, post);
  struct finite_table before = finite_wp(w, c1, c2, &after, number(w, delta));
  return finite_assume(w, c1, c2, finite_formula(w, &before), post, delta);
}
static inline term_id random_assertion(struct finite *w, unsigned percent) {
  struct finite_table t = finite_relation(w, percent);
  return finite_formula(w, &t);
}

/* The conclusion holds. */
static inline void conclude(struct finite *w, proof_of j) {
  assert_non_null(j);
  seen.applied++;
  assert_true(finite_sound(w, j, 0, 0, &seen.tight));
}
/* Would this be true? Counts it if not. */
static inline void would(struct finite *w, const struct core *c1, const struct core *c2,
                         term_id pre, term_id post, term_id delta) {
  proof_of j = finite_assume(w, c1, c2, pre, post, delta);
  if (!finite_sound(w, j, 0, 0, NULL)) seen.wrong++;
}

/* Do two programs do the same? */
static inline bool same_program(struct finite *w, const struct core *a, const struct core *b) {
  double mu[FINITE_STATES], nu[FINITE_STATES];
  for (int s = 0; s < FINITE_STATES; s++) {
    finite_run(w, a, s, mu);
    finite_run(w, b, s, nu);
    for (int t = 0; t < FINITE_STATES; t++)
      if (fabs(mu[t] - nu[t]) > 1e-9) return false;
  }
  return true;
}

static inline proof_of about(struct finite *w, unsigned run, const struct core *c,
                             const struct core *other, term_id post) {
  return truth(w, run == 1 ? c : other, run == 1 ? other : c, post, w->k->zero);
}

/* Largest probability of ending outside of the event, from states with pre. */
static inline double miss(struct finite *w, const struct core *c, term_id pre, term_id event) {
  double worst = 0, mu[FINITE_STATES];
  for (int s = 0; s < FINITE_STATES; s++) {
    if (!finite_holds(w, pre, s, s, 0)) continue;
    finite_run(w, c, s, mu);
    double out = 0;
    for (int t = 0; t < FINITE_STATES; t++)
      if (!finite_holds(w, event, t, t, 0)) out += mu[t];
    if (out > worst) worst = out;
  }
  return worst;
}
static inline term_id up_to_grid(struct finite *w, double beta) {
  return term_rat(&w->terms, (long)ceil(beta * 1024 - 1e-6), 1024);
}
static inline bound_of event_truth(struct finite *w, unsigned run, const struct core *c,
                                   term_id pre, term_id event) {
  return finite_assume_event(w, run, c, pre, event, up_to_grid(w, miss(w, c, pre, event)));
}
static inline term_id condition_in(struct finite *w, unsigned run) {
  return kernel_tag(w->k, finite_condition(w), run);
}

#endif
