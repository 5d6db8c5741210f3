/* One path prefix of a mechanism under symbolic execution: variables and their measure. */
#ifndef COUPLET_CHECK_EXACT_PATH_H
#define COUPLET_CHECK_EXACT_PATH_H

#include "check/exact/measure.h"
#include "check/exact/symbolic.h"
#include "run/eval/reval.h"

/* The frame of an adversary's script: only its state lives from call to call. */
struct path_adversary {
  struct rframe frame;
  bool started;
  uint64_t *left; /* per oracle it uses: how often it may still be asked in the present call */
  size_t use_count;
};

struct path {
  VEC(struct rframe) frames; /* the mechanism's first; then those of open procedure calls */
  VEC(struct path_adversary) adversaries;
  struct measure measure;
  size_t emit_count;
  struct rvalue emitted; /* when all outputs are asked for: those so far */
  struct rvalue result;  /* what the routine that just ended returned; values being matched */
  unsigned points;       /* outputs fixed to a point of a density so far */
};

typedef VEC(struct path *) path_set;

struct path *path_new(void);
struct path *path_copy(const struct path *p);
void path_free(struct path *p);
void path_set_clear(path_set *set);
/* Moves all paths of `from` to `to`. */
void path_set_move(path_set *to, path_set *from);

/* Replaces a symbol in every value. */
void path_substitute(struct path *p, struct symbolic_context *context, symbol s,
                     const struct affine *by);
/* Integrates out the samples that no value mentions; those that cannot be are kept for later. */
void path_eliminate_dead(struct path *p, slong precision);
/* Its values as text: equal texts, equal values. xmalloc'd. */
char *path_key(struct path *p);
/* Adds up paths that agree in all values; the set becomes shorter. */
void path_set_merge(path_set *set, struct symbolic_context *context, slong precision);

#endif
