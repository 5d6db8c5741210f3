/* Inside of the exact engine, shared by its files. */
#ifndef COUPLET_CHECK_EXACT_ENGINE_H
#define COUPLET_CHECK_EXACT_ENGINE_H

#include "base/ptrmap.h"
#include "check/exact/exact.h"
#include "check/exact/path.h"

struct engine {
  struct interp *in;
  const struct pattern *event; /* NULL: all outputs are asked for */
  slong precision;
  const struct budget *budget;
  struct symbolic_context context;
  struct sampler **sampler, *own_sampler;   /* made when first needed */
  symbol next;                              /* the next fresh symbol */
  size_t replaced;                          /* how often a sample was replaced in values */
  bool may_not_end;                         /* paths were dropped in a loop */
  arb_t lost;                               /* bound on the mass cut off from infinite tables */
  struct ptrmap liveness;                   /* const struct ast_routine -> struct liveness, owned */
  size_t active;                            /* frame in use */
  const struct interp_adversary *adversary; /* whose script is running, or NULL */
  size_t adversary_index;
  struct ast_routine **oracles; /* of its present call, one for each of its uses */
  bool in_oracle;
  enum exact_status status;
  char *why;
  struct span where;
};

/* Records the first problem; always false. */
bool engine_fail(struct engine *e, enum exact_status status, struct span where, const char *why);

struct sampler *engine_sampler(struct engine *e);

/* One path with the value an expression has on it. */
struct evaluated {
  struct path *path;
  struct rvalue value;
};
typedef VEC(struct evaluated) evaluated_list;

/* Evaluates on every path, splitting where a comparison is open. Consumes `paths`. */
bool engine_evaluate(struct engine *e, path_set *paths, const struct ast_expr *expr,
                     evaluated_list *out);
struct rframe *engine_frame(struct engine *e, struct path *p);

/* split.c: answers the question in e->context; the parts of p that are not empty go to `open`.
 * Consumes p. */
bool engine_split(struct engine *e, struct path *p, struct span where, path_set *open);

/* Integer samples in the values become constants, one path for each. */
bool engine_fix(struct engine *e, evaluated_list *values, struct span where);

/* loop.c: what to do with paths that stay in a loop. `seen` remembers a round. */
struct loop_watch {
  size_t rounds;
  char *state; /* of the paths in the round before, or NULL */
};
void loop_watch_clear(struct loop_watch *w);
/* `paths` go round once more. Those that will do so for ever without any change are dropped; what
 * has become negligible is counted as lost, and dropped. */
bool engine_watch_loop(struct engine *e, struct loop_watch *w, struct span where, path_set *paths);

/* Runs the block on all paths; those that return end up in `returned`. */
bool engine_run_block(struct engine *e, const struct ast_routine *routine,
                      const struct ast_block *block, path_set *paths, path_set *returned);
/* An expression that failed for good: its diagnostic becomes the engine's reason. False. */
bool engine_take_failure(struct engine *e, struct diag_mark mark, struct span where);
bool engine_out_of_time(struct engine *e, struct span where);

/* call.c: runs the body on all paths; all of them end up in `paths` again, results in p->result. */
bool engine_run_body(struct engine *e, const struct ast_routine *routine, path_set *paths);
/* The right-hand side of an assignment, which may be a call with effects. Consumes `paths`. */
bool engine_right_side(struct engine *e, path_set *paths, const struct ast_expr *expr,
                       evaluated_list *out);

/* output.c: the pattern of the stream, and of the returned value. */
const struct pattern *engine_stream_pattern(const struct engine *e);
const struct pattern *engine_result_pattern(const struct engine *e);
bool engine_event_has_shape(struct engine *e);
bool engine_emit(struct engine *e, const struct ast_stmt *s, path_set *paths);

/* draw.c: samples on every path. Consumes `paths`. */
bool engine_draw(struct engine *e, path_set *paths, const struct ast_dist *dist,
                 evaluated_list *out);

/* match.c: restricts the path to outputs that match; *keep is false when there is no such part. The
 * value must be held by the path. */
bool engine_match(struct engine *e, struct path *p, struct rvalue *value,
                  const struct pattern *pattern, struct span where, bool *keep);
/* A copy of p for every value that the integer sample s has. p is of no use any more. */
bool engine_try_each(struct engine *e, struct path *p, symbol s, struct span where, path_set *out);
/* Fixes the integer samples in p->result, one path per value. Consumes p. */
bool engine_enumerate(struct engine *e, struct path *p, struct span where, path_set *out);

#endif
