/* Random programs, compiled and interpreted with the same random bits: equal outputs, run by run.
 * ctest-label: release */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "compile/compile.h"
#include "mechanism.h"
#include "random_program.h"
#include "run/sample/interp.h"

enum { RUNS = 40 };

static const char compiler[] =
    "cc -std=c17 -O0 -Wall -Wextra -Werror -DCOUPLET_RANDOM=seeded_random "
    "-o %s/program %s/program.c tests/compile/seeded.c";

static void compile_to(const struct mechanism *m, const char *folder) {
  struct reval fixed;
  struct buffer text;
  reval_init(&fixed, m->in.lang, INTERP_MAX_STEPS);
  buffer_init(&text);
  struct compile_input input = {m->in.lang, m->in.module, m->in.mechanism, &fixed, NULL, "a test"};
  assert_true(compile_program(&text, &input));
  char *path = xasprintf("%s/program.c", folder);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_int_equal(fwrite(buffer_text(&text), 1, text.len, file), text.len);
  assert_int_equal(fclose(file), 0);
  char *command = xasprintf(compiler, folder, folder);
  assert_int_equal(system(command), 0);
  free(command);
  free(path);
  buffer_clear(&text);
  reval_clear(&fixed);
}

/* Its lines are the outputs of the interpreter, in this order. */
static void compare(struct mechanism *m, const char *folder, uint64_t seed, const char *text) {
  struct random random;
  struct buffer input, line;
  buffer_init(&input);
  buffer_init(&line);
  rvalue_print(&input, &m->in.frame.at[0]);
  char *command = xasprintf("SEED=%llu %s/program --samples %d 'x=%s'", (unsigned long long)seed,
                            folder, RUNS, buffer_text(&input));
  FILE *program = popen(command, "r");
  assert_non_null(program);
  static char printed[1 << 16];
  random_init_seeded(&random, seed);
  for (size_t i = 0; i < RUNS; i++) {
    struct rvalue output;
    assert_true(interp_run(&m->in, &random, &output));
    rvalue_print(&line, &output);
    buffer_putc(&line, '\n');
    if (!fgets(printed, sizeof printed, program) || strcmp(printed, buffer_text(&line)) != 0)
      fail_msg("run %zu is %s instead of %s of\n%s", i, printed, buffer_text(&line), text);
    rvalue_clear(&output);
    buffer_clear(&line);
  }
  assert_int_equal(pclose(program), 0);
  free(command);
  buffer_clear(&input);
}

static void check(const char *folder, uint64_t seed, const char *text) {
  struct mechanism m;
  mechanism_load(&m, text);
  compile_to(&m, folder);
  compare(&m, folder, seed, text);
  mechanism_clear(&m);
}

static void remove_folder(const char *folder) {
  char *command = xasprintf("rm -r %s", folder);
  assert_int_equal(system(command), 0);
  free(command);
}

static void compiled_programs_are_the_interpreted_ones(void **state) {
  (void)state;
  char folder[] = "/tmp/couplet-compile-XXXXXX";
  assert_non_null(mkdtemp(folder));
  for (uint64_t seed = 1; seed <= test_rounds(6); seed++) {
    char *text = random_program(seed, false, NULL);
    check(folder, seed, text);
    free(text);
  }
  remove_folder(folder);
}

/* Arrays that nothing was assigned to have their lengths, wherever they are. */
static void declared_arrays_are_the_interpreted_ones(void **state) {
  (void)state;
  char folder[] = "/tmp/couplet-compile-XXXXXX";
  assert_non_null(mkdtemp(folder));
  check(folder, 1,
        "mechanism m(private x : int) returns (int, (int, int[], option(bool[]))[], int[][])\n"
        "  adjacent within(x, 1)\n"
        "{\n"
        "  var table : (int, int[x], option(bool[2]))[2];\n"
        "  var grid : int[2][3];\n"
        "  s <$ DLap(x, 1);\n"
        "  row := table[1].2;\n"
        "  row[0] := s;\n"
        "  grid[0] := row;\n"
        "  return (s, table, grid);\n"
        "}\n"
        "instance i { input x = 3; }\n");
  remove_folder(folder);
}

/* The snapping mechanism on 250 inputs in each of the 40 runs, which are random floats of many sizes,
 * with what it rounds: so all bits are compared. */
static void floats_are_the_interpreted_ones(void **state) {
  (void)state;
  char folder[] = "/tmp/couplet-compile-XXXXXX";
  assert_non_null(mkdtemp(folder));
  check(folder, 19,
        "let clamp(x, low, high : float) : float = max(low, min(high, x));\n"
        "let lambda : float = to_float(1/3);\n"
        "mechanism m(private x : int) returns list((float, float))\n"
        "  adjacent within(x, 1)\n"
        "{\n"
        "  out := [];\n"
        "  for i in 0..250 {\n"
        "    j <$ UniformInt(-2^53, 2^53);\n"
        "    k <$ UniformInt(1, 2^53);\n"
        "    s <$ Bernoulli(1/2);\n"
        "    input := to_float(j)/to_float(2^(40 + i mod 40));\n"
        "    noise := lambda*ln(to_float(k)/9007199254740992);\n"
        "    z := clamp(input, -8, 8) + (if s then noise else -noise);\n"
        "    out := out ++ [(z, clamp(0.5*round(z/0.5), -8, 8) + 0)];\n"
        "  }\n"
        "  return out;\n"
        "}\n"
        "instance i { input x = 0; }\n");
  remove_folder(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(compiled_programs_are_the_interpreted_ones),
      cmocka_unit_test(declared_arrays_are_the_interpreted_ones),
      cmocka_unit_test(floats_are_the_interpreted_ones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
