/* Evaluation of expressions and one-run formulas to values.
 *
 * A frame holds the variables of a routine by slot (see check_internal.h: arguments first, then
 * locals; an oracle shares the frame of its mechanism). Parameters and constants are global:
 * parameters are put there by the caller (interp.h), constants without arguments are computed when
 * first used and kept. Operators get their meaning from an instance.
 *
 * Nothing is read beyond a frame, and no value as one of another kind: a name without a place in
 * the frame, and a value that is not of its expression's type, are errors like a division by zero.
 *
 * Whatever goes wrong is reported once in lang->diags, with the place of the expression that
 * failed and notes for the calls around it; the functions then return NULL or false. Every call
 * and every value of a quantified variable counts as a step, so evaluation ends. */
#ifndef COUPLET_RUN_EVAL_REVAL_H
#define COUPLET_RUN_EVAL_REVAL_H

#include "base/ptrmap.h"
#include "lang/syntax/lang.h"
#include "run/eval/rvalue.h"

enum {
  REVAL_MAX_ITEMS = 10 * 1000 * 1000, /* of one list or array */
  REVAL_MAX_CALLS = 1000              /* calls inside one another */
};

struct rframe {
  struct rvalue *at;
  size_t count;
};

/* The finitely many values that an abstract type stands for. */
struct reval_carrier {
  const struct type *type;
  struct rvalue values; /* a list */
};

/* For formulas about two runs: the inputs of both, and the values that quantifiers over abstract
 * types range over. Without it such formulas cannot be evaluated. */
struct reval_pair {
  struct rframe *runs[2];
  const struct reval_carrier *carriers;
  size_t carrier_count;
};

struct reval {
  struct lang *lang;
  struct ptrmap globals; /* struct ast_decl (param, let) -> struct rvalue, owned */
  struct ptrmap ops;     /* struct ast_decl (op) -> const struct ast_binding */
  uint64_t steps, max_steps;
  unsigned calls;                /* calls that are open now */
  const struct reval_pair *pair; /* or NULL */
  /* Where `libm` says that a function is not exact, its correctly rounded value will do: for a run,
   * never for a proof or a refutation. */
  bool libm_is_exact;
  bool lacks_index; /* the last error: no index of the inputs is what an `exists` asks for */
  unsigned run;     /* with a pair: of the enclosing tag, 1 or 2; 0: outside of tags */
};

void reval_init(struct reval *ev, struct lang *lang, uint64_t max_steps);
void reval_clear(struct reval *ev);

/* Gives a parameter its value (moved); forgets constants computed before. */
void reval_set_param(struct reval *ev, const struct ast_decl *param, struct rvalue value);
const struct rvalue *reval_get_param(const struct reval *ev, const struct ast_decl *param);

void rframe_init(struct rframe *f, size_t count);
void rframe_clear(struct rframe *f);
/* The variable of the frame; NULL: the frame (which may be NULL) has no place for it. */
const struct rvalue *rframe_get(const struct rframe *f, const struct ast_var *var);

/* The value of e. It lives in the frame, among the globals, or in *temp, which the caller prepares
 * (RVALUE_UNSET) and clears in any case. Valid until the frame changes. NULL: error reported. */
const struct rvalue *reval_expr(struct reval *ev, struct rframe *f, const struct ast_expr *e,
                                struct rvalue *temp);
/* A value of one's own. */
bool reval_take(struct reval *ev, struct rframe *f, const struct ast_expr *e, struct rvalue *out);
bool reval_bool(struct reval *ev, struct rframe *f, const struct ast_expr *e, bool *out);
/* An integer in place of what *out has; *out stays as it is after an error. */
bool reval_integer(struct reval *ev, struct rframe *f, const struct ast_expr *e,
                   struct rvalue *out);

/* Can the formula be evaluated? No run tags, no quantifier over infinitely many things. */
bool reval_is_executable(const struct ast_expr *e);

/* Reports a value of another kind than its type says: somebody handed in a wrong one, and it is
 * never read as what it is not. False. */
bool reval_wrong_kind(struct reval *ev, struct span span);
/* One more step; false (reported at span) when there were too many. */
bool reval_step(struct reval *ev, struct span span);
/* An index into a sequence of `len` items; false: reported. */
bool reval_index(struct reval *ev, const struct ast_expr *index, const struct rvalue *value,
                 size_t len, size_t *out);

#endif
