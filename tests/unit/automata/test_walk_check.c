/* The checker of walks (walk_check.h) on random automata: in class it accepts the walk of every
 * decision "not private", and whatever the automaton, it accepts no walk, however it was made, of
 * one that has a strategy of finite cost. */
#include "testlib.h"

#include "automata/decide/automata.h"
#include "automata/decide/walk_deltas.h"
#include "automaton_gen.h"
#include "check/automaton/classify.h"
#include "check/automaton/walk_check.h"
#include "out/automaton_text.h"

struct tally {
  size_t accepted, missed, tried;
};

static void accept_decision(const struct automaton *a, const struct walk *decision,
                            struct tally *t) {
  struct walk walk;
  delta_vec delta = {0};
  struct buffer why;
  buffer_init(&why);
  walk_deltas(a, decision, &walk, &delta);
  if (walk_check(a, &walk, delta.at, NULL, &why)) {
    t->accepted++;
  } else {
    t->missed++;
    print_message("%s: %s\n", violation_name(decision->kind), buffer_text(&why));
    why.len = 0;
    walk_print(&why, a, decision);
    print_message("%s\n", buffer_text(&why));
  }
  buffer_clear(&why);
  walk_clear(&walk);
  vec_clear(&delta);
}

/* A walk at random: steps, and now and then a cycle where it has come back to a state. */
static void random_walk(const struct automaton *a, struct rng *rng, struct walk *w,
                        delta_vec *delta) {
  uint32_t state = a->start;
  for (size_t i = 0; i < 12 && a->first_edge.at[state] < a->first_edge.at[state + 1]; i++) {
    uint32_t count = a->first_edge.at[state + 1] - a->first_edge.at[state];
    uint32_t edge = a->first_edge.at[state] + (uint32_t)rng_below(rng, count);
    bool is_input = a->states.at[state].is_input;
    vec_push(&w->steps, (struct walk_step){edge, 0});
    vec_push(delta, (int8_t)(is_input ? (int)rng_below(rng, 3) - 1 : 0));
    state = a->edges.at[edge].to;
    for (size_t k = w->steps.len; k-- > 0 && w->steps.at[k].cycle == 0;) {
      if (a->edges.at[w->steps.at[k].edge].from != state || rng_below(rng, 3) == 0) continue;
      w->cycle_count++;
      for (; k < w->steps.len; k++)
        w->steps.at[k].cycle = w->cycle_count;
      break;
    }
  }
}

static void reject_random(const struct automaton *a, struct rng *rng, struct tally *t) {
  for (int i = 0; i < 40; i++) {
    struct walk walk;
    delta_vec delta = {0};
    walk_init(&walk);
    random_walk(a, rng, &walk, &delta);
    t->tried += walk.cycle_count > 0;
    assert_false(walk_check(a, &walk, delta.at, NULL, NULL));
    walk_clear(&walk);
    vec_clear(&delta);
  }
}

static void run(struct gen_options options, size_t rounds, uint64_t seed) {
  struct rng rng = rng_seeded(seed);
  struct tally t = {0};
  for (size_t i = 0; i < test_rounds(rounds); i++) {
    struct automaton a;
    struct automaton_result r;
    struct class_report report;
    gen_automaton(&a, &rng, &options);
    assert_true(automaton_classify(&report, &a, NULL));
    automaton_analyse(&r, &a);
    if (r.verdict == AUTOMATON_NOT_PRIVATE && report.in_class) accept_decision(&a, &r.walk, &t);
    if (r.verdict == AUTOMATON_PRIVATE) reject_random(&a, &rng, &t);
    automaton_result_clear(&r);
    automaton_clear(&a);
  }
  print_message("%zu walks accepted, %zu missed, %zu of private automata rejected\n", t.accepted,
                t.missed, t.tried);
  assert_int_equal(t.missed, 0);
  assert_true((t.accepted > 0 || !options.in_class) && t.tried > 0);
}

static void in_class(void **state) {
  (void)state;
  run((struct gen_options){1, 5, true, 2, 15, 10, 20, 35, false}, 1500, 1);
  run((struct gen_options){2, 4, true, 2, 12, 10, 20, 30, false}, 2000, 2);
  run((struct gen_options){3, 4, true, 2, 20, 10, 20, 30, false}, 1000, 3);
  run((struct gen_options){2, 4, true, 2, 15, 10, 20, 30, true}, 1500, 4);
  run((struct gen_options){3, 4, true, 2, 15, 10, 20, 30, true}, 500, 5);
}

static void outside(void **state) {
  (void)state;
  run((struct gen_options){2, 4, false, 2, 12, 10, 40, 30, false}, 1500, 6);
  run((struct gen_options){2, 4, false, 2, 35, 5, 30, 20, false}, 1000, 7);
  run((struct gen_options){2, 4, false, 2, 12, 10, 25, 30, true}, 1000, 8);
}

/* x is assigned once and compared both ways in two cycles: a leaking pair. Without differences,
 * with one that is no input's, or without a cycle, nothing is shown. */
static void every_part_counts(void **state) {
  (void)state;
  struct automaton a;
  automaton_init(&a);
  uint32_t x = automaton_var(&a, "x", 1), one = automaton_ratio(&a, 1, 1), q[4];
  for (int i = 0; i < 4; i++)
    q[i] = automaton_state(&a, NULL, 0, span_none());
  for (int i = 0; i < 3; i++)
    automaton_noise(&a, q[i], i > 0, one, 0, one, 0);
  literal less = literal_less(x), greater = literal_greater(x);
  uint32_t is_less = automaton_guard(&a, &less, 1), is_greater = automaton_guard(&a, &greater, 1);
  uint32_t sets = automaton_set(&a, &x, 1), top = automaton_symbol(&a, "t", 1),
           bottom = automaton_symbol(&a, "b", 1);
  automaton_edge(&a, (struct automaton_edge){q[0], q[1], 0, sets, top}, span_none());
  automaton_edge(&a, (struct automaton_edge){q[1], q[1], is_less, 0, bottom}, span_none());
  automaton_edge(&a, (struct automaton_edge){q[1], q[2], is_greater, 0, top}, span_none());
  automaton_edge(&a, (struct automaton_edge){q[2], q[2], is_greater, 0, top}, span_none());
  automaton_edge(&a, (struct automaton_edge){q[2], q[3], is_less, 0, bottom}, span_none());
  a.start = q[0];
  automaton_finish(&a);
  struct walk w;
  walk_init(&w);
  static const struct walk_step steps[] = {{0, 0}, {1, 1}, {2, 0}, {3, 2}};
  for (size_t i = 0; i < 4; i++)
    vec_push(&w.steps, steps[i]);
  w.cycle_count = 2;
  struct buffer why;
  buffer_init(&why);
  if (!walk_check(&a, &w, (int8_t[]){0, 1, 0, -1}, NULL, &why)) fail_msg("%s", buffer_text(&why));
  buffer_clear(&why);
  assert_false(walk_check(&a, &w, (int8_t[]){0, 0, 0, 0}, NULL, NULL));
  assert_false(walk_check(&a, &w, (int8_t[]){0, 0, 0, 1}, NULL, NULL));
  assert_false(walk_check(&a, &w, (int8_t[]){0, -1, 0, 1}, NULL, NULL));
  assert_false(walk_check(&a, &w, (int8_t[]){1, 1, 0, -1}, NULL, NULL)); /* not an input state */
  assert_false(walk_check(&a, &w, (int8_t[]){0, 2, 0, -1}, NULL, NULL));
  struct budget spent = {.deadline_ns = 1};
  assert_false(walk_check(&a, &w, (int8_t[]){0, 1, 0, -1}, &spent, NULL));
  w.steps.at[3].cycle = 0;
  assert_false(walk_check(&a, &w, (int8_t[]){0, 1, 0, -1}, NULL, NULL));
  w.steps.at[3].cycle = 1; /* one number for two cycles */
  assert_false(walk_check(&a, &w, (int8_t[]){0, 1, 0, -1}, NULL, NULL));
  w.steps.at[3] = (struct walk_step){1, 2}; /* an edge of another state */
  assert_false(walk_check(&a, &w, (int8_t[]){0, 1, 0, -1}, NULL, NULL));
  walk_clear(&w);
  automaton_clear(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(in_class),
      cmocka_unit_test(outside),
      cmocka_unit_test(every_part_counts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
