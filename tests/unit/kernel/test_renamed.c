/* Commands that are the same but for names: the table of those that are, and of those that only look
 * like it. */
#include "kernel/renamed.h"

#include "kernel/internal.h"
#include "term/build.h"
#include "testlib.h"

enum { VARS = 5 };

struct lab {
  struct terms ts;
  struct kernel *k;
  term_id v[VARS]; /* a, b, c, d, out */
};

/* x <$ Lap(p, 1); y <$ Lap(q, 1); out := s + t */
static const struct core *code(struct lab *l, const char *names) {
  term_id var[6], one = term_rat(&l->ts, 1, 1);
  for (size_t i = 0; i < 6; i++)
    var[i] = l->v[names[i] - 'a'];
  struct arena *arena = kernel_arena(l->k);
  term_id first[] = {var[1], one}, second[] = {var[3], one};
  const struct core *sum =
      core_assign(arena, span_none(), l->v[VARS - 1], term_add(&l->ts, var[4], var[5]));
  const struct core *draw = core_sample(arena, span_none(), var[2], DIST_LAPLACE, second, 2);
  return core_seq(arena, core_sample(arena, span_none(), var[0], DIST_LAPLACE, first, 2),
                  core_seq(arena, draw, sum));
}

static void rounds_by_other_names(void **state) {
  (void)state;
  static const struct {
    const char *one, *two; /* x p y q s t */
    bool same;
    size_t renamed;
  } rows[] = {
      {"adbdab", "adbdab", true, 0},  /* the same */
      {"adbdab", "cdbdcb", true, 1},  /* c for a */
      {"adbaab", "cdbccb", true, 1},  /* read in between */
      {"adbdab", "cdbdab", false, 0}, /* the old a */
      {"adbdac", "cdbdcc", false, 0}, /* c outside, and c for a */
      {"adbdab", "bdadba", false, 0}, /* exchanged: each speaks of the other's */
      {"adbdab", "cdcdcc", false, 0}, /* two become one */
      {"adadaa", "adbdab", false, 0}, /* one becomes two */
      {"adbdab", "adcdab", false, 0}, /* another variable is drawn, and the old one read */
      {"adbdab", "acbdab", false, 0}, /* another centre */
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct lab l;
    terms_init(&l.ts);
    l.k = kernel_new(&l.ts, NULL);
    for (size_t v = 0; v < VARS; v++)
      l.v[v] = kernel_var(l.k, (const char *[]){"a", "b", "c", "d", "out"}[v], SORT_REAL, false);
    for (int back = 0; back < 2; back++) {
      term_list from = {0}, to = {0};
      const struct core *one = code(&l, rows[i].one), *two = code(&l, rows[i].two);
      bool same = core_is_renamed(&l.ts, back ? two : one, back ? one : two, &from, &to);
      if (same != rows[i].same) fail_msg("row %zu", i);
      if (same) assert_int_equal(from.len, rows[i].renamed);
      vec_clear(&from);
      vec_clear(&to);
    }
    kernel_free(l.k);
    terms_clear(&l.ts);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rounds_by_other_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
