/* Symbolic execution of code without loops, in one run.
 *
 * A path is a way through the branches: the condition under which it is taken, the samplings it
 * meets, and the final values of the variables it writes, all as terms over the run-less variables
 * before the code and one logical variable per sampling. Two paths that meet the same sampling use
 * the same variable for its sample, so their conditions can be compared. */
#ifndef COUPLET_SEARCH_BASE_PATHS_H
#define COUPLET_SEARCH_BASE_PATHS_H

#include "kernel/kernel.h"

enum { PATHS_LIMIT = 64 };

struct path_sample {
  const struct core *at;
  term_id value;       /* logical variable that stands for the sample */
  const term_id *args; /* parameters of the distribution, over the variables before the code */
  /* what was written before it on the path, and the values then */
  const term_id *vars, *values;
  size_t count;
};

struct path {
  term_id condition;
  VEC(struct path_sample) samples;
  term_list vars, values; /* what is written, and the final value */
};

struct paths {
  VEC(struct path) list;
  VEC(struct path_sample) samplings; /* each sampling once; `at` and `value` only */
};

/* All paths through c. False if it contains a loop or an adversary or has too many paths. */
bool paths_find(struct kernel *k, const struct core *c, struct paths *out);
/* The same where loops are passed by a function that sets what they write on a path; false: no
 * way through. */
typedef bool paths_loop(void *context, const struct core *loop, struct path *path);
bool paths_find_through(struct kernel *k, const struct core *c, paths_loop *enter, void *context,
                        struct paths *out);
void paths_clear(struct paths *paths);
void path_clear(struct path *path);
struct path path_clone(const struct path *path);
void path_set(struct path *path, term_id var, term_id value);

/* A term over the variables afterwards, in terms of those before. */
term_id path_after(struct terms *ts, const struct path *path, term_id t);
/* The same for whatever path is taken: a case distinction over the paths. */
term_id paths_after(struct terms *ts, const struct paths *paths, term_id t);

/* Number of this sampling among those of its variable in a scope of a proof (a loop body, or what
 * is outside of loops), from 1, as proof text counts; *total gets how many there are. */
unsigned sampling_number(struct terms *ts, const struct core *scope, const struct core *sampling,
                         unsigned *total);

#endif
