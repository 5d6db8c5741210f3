/* What a run of a mechanism needs before it can begin: parameters, inputs, operators, adversaries.
 *
 *   struct interp in;
 *   interp_init(&in, lang, module, mechanism);         a checked module
 *   in.instance = interp_choose_instance(&in);         or any instance of the module, or NULL
 *   interp_set_param(&in, decl, value, span);          overrides; values are moved in
 *   interp_set_input(&in, index, value, span);
 *   if (interp_prepare(&in))                           once
 *     ... the exact engine (check/exact) or the sampler (run/sample/interp.h) ...
 *   interp_clear(&in);
 *
 * interp_prepare finds out what the mechanism needs, takes it from the overrides, then from the
 * instance, and checks the assumptions on parameters, the declared lengths of arrays, and
 * `requires`. Everything that goes wrong is an error in lang->diags with its place; nothing is
 * printed, nothing is global, and different interps do not touch one another. */
#ifndef COUPLET_RUN_EVAL_INTERP_SETUP_H
#define COUPLET_RUN_EVAL_INTERP_SETUP_H

#include "run/eval/reval.h"

struct random;

enum { INTERP_MAX_STEPS = 10 * 1000 * 1000 }; /* default limit per run */

struct interp_given {
  struct rvalue value; /* RVALUE_UNSET: not given */
  struct span span;    /* where; file 0: by a program */
};

/* An adversary as scripted by the instance. */
struct interp_adversary {
  const struct ast_decl *decl;
  const struct ast_routine *script;
  struct rframe frame; /* state lives here from call to call */
  bool started;
  /* the present call: per use, queries so far and at most; what the oracles are */
  uint64_t *queries, *bounds;
  struct ast_routine **oracles;
};

struct interp {
  struct lang *lang;
  const struct ast_module *module;
  const struct ast_decl *mechanism;
  const struct ast_decl *instance; /* or NULL */
  bool is_partial;    /* values may be missing, and there is no run: what is given is checked */
  uint64_t max_steps; /* per run; may be changed before interp_prepare */

  struct reval ev;
  VEC(const struct ast_expr *) also;          /* expressions that will be evaluated besides */
  VEC(const struct ast_decl *) needs;         /* params, ops, adversaries it uses */
  VEC(struct interp_given) param_overrides;   /* parallel to param_decls */
  VEC(const struct ast_decl *) param_decls;   /* that have an override */
  struct interp_given *inputs;                /* one per argument of the mechanism */
  VEC(struct interp_adversary *) adversaries; /* that the mechanism needs */

  /* Where the interpreter's samples come from: noise_sample on `random`, unless somebody puts a
   * function here before a run. It returns an enum noise_fault (run/sample/noise.h). */
  int (*sample)(void *context, enum dist_kind kind, const struct rvalue *args, size_t count,
                struct rvalue *out);
  void *sample_context;

  /* one run */
  struct random *random;
  struct rframe frame; /* of the mechanism and its oracles */
  struct interp_adversary *active;
  struct rvalue emitted, result;
};

void interp_init(struct interp *in, struct lang *lang, const struct ast_module *module,
                 const struct ast_decl *mechanism);
void interp_clear(struct interp *in);

/* The first instance that gives all inputs and needs that have no override; if there is none the
 * first that gives any of the inputs; else the first; NULL if the module has none. */
const struct ast_decl *interp_choose_instance(struct interp *in);
/* What the instance gives to an input of the mechanism, or NULL. */
const struct ast_binding *interp_input(struct interp *in, const struct ast_var *arg);
/* The type with the abstract types replaced by what the instance says they are. */
const struct type *interp_reveal(struct interp *in, const struct type *type);
void interp_set_param(struct interp *in, const struct ast_decl *param, struct rvalue value,
                      struct span span);
void interp_set_input(struct interp *in, size_t index, struct rvalue value, struct span span);

/* Before interp_prepare: what this expression mentions is needed too. */
void interp_also_needs(struct interp *in, const struct ast_expr *e);

bool interp_prepare(struct interp *in);

/* What an array or its parts are before anything is assigned: zeros, false, []. */
bool interp_zero(struct interp *in, struct rframe *f, const struct ast_type *t, struct rvalue *out);

#endif
