/* Expressions of the language as terms.
 *
 * Names mean the variable or declaration that the checker resolved them to; one without a meaning
 * is a mistake of ours, and nothing is proved. Only in the text of proofs they are looked up by
 * spelling (proof_names.h). A program variable stands for itself in program text; in a formula
 * about two runs it is taken in the run of the enclosing tag, and `untagged` says what it means
 * outside of any tag. Mistakes leave a message and give TERM_NONE. */
#ifndef COUPLET_CLAIM_TRANSLATE_H
#define COUPLET_CLAIM_TRANSLATE_H

#include "base/ptrmap.h"
#include "base/vec.h"
#include "kernel/kernel.h"
#include "lang/syntax/lang.h"

struct translate_binding {
  term_id term;
  bool is_program; /* has a copy in each run */
  term_id length;  /* arrays: number of elements; TERM_NONE: not known */
};

/* A function of the logic: the sum of `body` over the indices from its last but one argument to
 * before its last one. */
struct translate_sum {
  term_id body; /* over sum_index and `args` */
  symbol_id symbol;
  const term_id *args; /* variables that the body speaks of */
  size_t arg_count;
};

struct translate_env {
  struct kernel *k;
  struct terms *ts;
  struct lang *lang;
  const struct ast_module *module;
  struct ptrmap vars;    /* struct ast_var -> struct translate_binding */
  struct ptrmap names;   /* proof text: interned name -> struct translate_binding */
  struct ptrmap hidden;  /* variables whose name is that of a declaration */
  struct ptrmap op_args; /* arguments of operators that are arrays: what lengths they have */
  VEC(struct translate_sum) sums; /* sums over ranges that have a meaning here (sums.h) */
  bool in_sum;
  term_list fixed;    /* public inputs, where they have names of their own (ground.h) */
  bool is_proof_text; /* what is translated now was not resolved by the checker */
  unsigned run;       /* 0: program text, or outside of tags */
  term_id asked;      /* what `?` in a formula is; TERM_NONE: it has no meaning */
  unsigned untagged;  /* run of a program variable outside of tags; 0: leave it run-less */
  size_t list_bound;  /* so many items of a list have a meaning (ground.h); 0: none */
  const char *error;  /* first mistake, or NULL */
  struct span error_span;
  enum failure_cause error_cause;
};

void translate_env_init(struct translate_env *env, struct kernel *k, struct lang *lang,
                        const struct ast_module *module);
void translate_env_clear(struct translate_env *env);

/* The mistake, in the arena of `lang`; NULL: nobody asks. */
void translate_failure(const struct translate_env *env, struct kernel_failure *out);
/* Records a mistake; TERM_NONE. */
term_id translate_fail(struct translate_env *env, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same, about an array of unknown length. */
term_id translate_lacks_length(struct translate_env *env, struct span span, const char *what);
sort_id translate_sort(struct translate_env *env, const struct type *type);
/* Gives a meaning to a variable and to a name of proof text; either may be NULL. TERM_NONE: the
 * name has none any more. */
const struct translate_binding *translate_bind(struct translate_env *env, const struct ast_var *var,
                                               const char *name, term_id term, bool is_program,
                                               term_id length);
const struct translate_binding *translate_find(struct translate_env *env, const char *name);

/* Adds a fact to the context; a mistake if it speaks of something that can change. */
void translate_assume(struct translate_env *env, struct span span, term_id fact);
/* The assumptions on parameters and the axioms of the module as facts. */
void translate_module(struct translate_env *env);

term_id translate_expr(struct translate_env *env, const struct ast_expr *e);
/* The same, made to fit a sort (int to real, [] to any list). */
term_id translate_expr_as(struct translate_env *env, const struct ast_expr *e, sort_id sort);

#endif
