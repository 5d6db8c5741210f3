/* Core programs: what the logic speaks about.
 *
 * A command is an immutable tree in an arena. Its terms are over run-less variables: program
 * variables (those of struct kernel.vars) and logical ones (parameters, public inputs), which are
 * the same in both runs. Tagging a term with a run (kernel_tag) puts the program variables into
 * that run and leaves the logical ones alone.
 *
 * Sequences are in normal form: SKIP is the unit and nesting is to the right, so that
 * associativity and units hold by construction and equality is structural (core_equal).
 *
 * Arrays are total maps; an element is assigned by a store. Adversaries are arbitrary unknown
 * probabilistic code: a call reads its arguments and its own state, and writes its own state and
 * the result. An adversary with oracles is lowered to a loop of such calls (lower.h). */
#ifndef COUPLET_KERNEL_CORE_H
#define COUPLET_KERNEL_CORE_H

#include "base/arena.h"
#include "base/source.h"
#include "lang/syntax/ast.h"
#include "term/term.h"

enum core_kind {
  CORE_SKIP,
  CORE_ASSIGN,   /* var := expr */
  CORE_SAMPLE,   /* var <$ dist(args) */
  CORE_SEQ,      /* first; second   first is neither SKIP nor SEQ, second is not SKIP */
  CORE_IF,       /* if expr then first else second */
  CORE_WHILE,    /* while expr do first   (var, args: index and range if it was a `for`) */
  CORE_ADVERSARY /* (state, var) := name(state, args), unknown code */
};

struct core {
  enum core_kind kind;
  struct span span;
  term_id var;
  term_id expr;
  enum dist_kind dist;
  const term_id *args;
  size_t arg_count;
  term_id state;    /* adversary: variable with its private state */
  const char *name; /* adversary: which code; interned */
  const struct core *first, *second;
};

const struct core *core_skip(void);
const struct core *core_assign(struct arena *arena, struct span span, term_id var, term_id expr);
const struct core *core_sample(struct arena *arena, struct span span, term_id var,
                               enum dist_kind dist, const term_id *args, size_t count);
const struct core *core_seq(struct arena *arena, const struct core *a, const struct core *b);
const struct core *core_if(struct arena *arena, struct span span, term_id cond,
                           const struct core *then, const struct core *otherwise);
const struct core *core_while(struct arena *arena, struct span span, term_id cond,
                              const struct core *body);
/* The same loop, with a hint for provers: it counts `index` from low to high. Means nothing. */
const struct core *core_for(struct arena *arena, struct span span, term_id cond,
                            const struct core *body, term_id index, term_id low, term_id high);
const struct core *core_adversary(struct arena *arena, struct span span, const char *name,
                                  term_id state, term_id var, const term_id *args, size_t count);

/* The same program; places do not count. */
bool core_equal(const struct core *a, const struct core *b);
/* Variables that the command may write; those that it reads (guards, right-hand sides, arguments,
 * parameters of distributions, state of adversaries). Appended, possibly repeated. */
void core_writes(const struct core *c, term_list *out);
void core_reads(struct terms *ts, const struct core *c, term_list *out);
/* Whatever happens, x is written. */
bool core_sets(const struct core *c, term_id x);
/* May c read the value that x had before? */
bool core_reads_old(struct terms *ts, const struct core *c, term_id x);
/* Is there a SAMPLE or ADVERSARY in it? A WHILE? */
bool core_is_random(const struct core *c);
bool core_has_loop(const struct core *c);
bool core_calls_adversary(const struct core *c);

#endif
