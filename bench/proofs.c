/* bench_proofs FILE...: what checking the proofs costs.
 *
 * Per claim and in total: obligations, CPU seconds in the solver, CPU seconds elsewhere (kernel,
 * translation, reading), and wall-clock seconds. Exit status 1 if a claim is not proved. With
 * targets: a file named asv_bt... within 5 s, each other one within 0.2 s, all within 10 s of CPU
 * time; misses are listed, not failed on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "smt/believe.h"

static double seconds_of(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct cost {
  size_t claims, proved, obligations;
  double solver, other, wall;
};

static void add(struct cost *sum, const struct cost *c) {
  sum->claims += c->claims;
  sum->proved += c->proved;
  sum->obligations += c->obligations;
  sum->solver += c->solver;
  sum->other += c->other;
  sum->wall += c->wall;
}

static struct cost check_file(const char *path) {
  struct cost cost = {0};
  double cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID), wall = seconds_of(CLOCK_MONOTONIC);
  struct lang lang;
  lang_init(&lang);
  struct ast_module *module = lang_load(&lang, path);
  struct believe_options options = believe_default_options();
  options.smt.timeout_s = 60; /* wall clock: a loaded machine must not matter */
  for (size_t i = 0; lang.diags.errors == 0 && i < module->decl_count; i++) {
    if (module->decls[i]->kind != DECL_CLAIM) continue;
    struct proof_result r;
    believe_claim(&lang, module, module->decls[i], &options, &r);
    cost.claims++;
    cost.proved += r.verdict == PROOF_BELIEVED;
    cost.obligations += r.obligation_count;
    cost.solver += r.solver_cpu_seconds;
    proof_result_clear(&r);
  }
  lang_clear(&lang);
  cost.other = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu - cost.solver;
  cost.wall = seconds_of(CLOCK_MONOTONIC) - wall;
  return cost;
}

static void print(const char *name, const struct cost *c, double target) {
  double cpu = c->solver + c->other;
  printf("%-28s %6zu %9.3f %9.3f %9.3f %9.3f%s%s\n", name, c->obligations, c->solver, c->other, cpu,
         c->wall, c->proved == c->claims && c->claims ? "" : "  NOT PROVED",
         cpu > target ? "  over its target" : "");
}

int main(int argc, char **argv) {
  struct cost total = {0};
  printf("%-28s %6s %9s %9s %9s %9s\n", "proof", "oblig.", "solver", "kernel", "CPU s", "wall s");
  for (int i = 1; i < argc; i++) {
    struct cost c = check_file(argv[i]);
    const char *name = strrchr(argv[i], '/') ? strrchr(argv[i], '/') + 1 : argv[i];
    print(name, &c, strncmp(name, "asv_bt", 6) == 0 ? 5 : 0.2);
    add(&total, &c);
  }
  print("total", &total, 10);
  return total.proved == total.claims && total.claims ? 0 : 1;
}
