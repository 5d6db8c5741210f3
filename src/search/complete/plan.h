/* A proof text with additions: how completion (complete.h) puts texts together.
 *
 * The base is a proof block in some source, parsed. Additions never change a word of it: steps are
 * added to its scopes, or to loops it does not mention, which then get a scope of their own. What
 * comes out is text again, in which invariants are known by their numbers (blamed.h).
 *
 * A scope of the plan belongs to the whole program or to one of its loops, in one of the proofs
 * that the block consists of (branches of a `case`, the backward direction). */
#ifndef COUPLET_SEARCH_COMPLETE_PLAN_H
#define COUPLET_SEARCH_COMPLETE_PLAN_H

#include "kernel/core.h"
#include "proof/script.h"
#include "search/base/auto.h"

struct plan_step {
  const char *text;    /* `invariant f;` */
  const char *formula; /* of an invariant; NULL: another step */
  term_id meaning;     /* of the formula; TERM_NONE: not known */
  const char *about;   /* what kind of fact it is, for reports; NULL for other steps */
  const term_id *vars; /* program variables it mentions, without run */
  size_t var_count;
  bool is_variant;  /* of the loop: one at a time */
  bool late;        /* seldom needed: proposed only when nothing else is left */
  bool on, dropped; /* in the text; found not to hold */
  size_t number;    /* of the invariant when the text was last put together */
};

struct plan_scope {
  struct plan_scope *outer;   /* NULL: the whole program */
  const struct core *command; /* the program or a loop */
  unsigned number;            /* of the loop in the outer scope, from 1 */
  struct script_scope *script;
  VEC(struct plan_scope *) inner;
  VEC(struct plan_step *) steps;
};

/* Text to put in the place of [from, to) of the source of the base. */
struct plan_edit {
  uint32_t from, to;
  const char *text;
  struct plan_step *step; /* an invariant that it consists of, or NULL */
};

struct plan {
  struct auto_problem *p;
  const char *source; /* text of the source the base stands in */
  struct span block;  /* the base */
  struct script_scope *script;
  VEC(struct plan_scope *) roots;
  VEC(struct plan_edit) edits; /* made by hand, besides the steps */
};

/* The base as a plan without additions. False (with nothing to clear) if it cannot be read. */
bool plan_init(struct plan *plan, struct auto_problem *p, struct span block);
void plan_clear(struct plan *plan);

struct plan_step *plan_add(struct plan *plan, struct plan_scope *scope, const char *text);
/* An invariant, switched off; NULL if the base or the plan has it already in this scope. */
struct plan_step *plan_add_invariant(struct plan *plan, struct plan_scope *scope,
                                     const char *formula);
void plan_edit(struct plan *plan, uint32_t from, uint32_t to, const char *text);
/* The block with everything that is on; in the arena of the problem. */
const char *plan_text(struct plan *plan);
/* The added invariant with this number in what plan_text gave last; NULL: none. */
struct plan_step *plan_find(struct plan *plan, size_t number);
/* What is added, one step per line. */
const char *plan_added(const struct plan *plan);

/* Text of a span. */
const char *plan_source(struct auto_problem *p, struct span span);
/* Do they differ in white space only? */
bool plan_same_text(const char *a, const char *b);

#endif
