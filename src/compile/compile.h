/* A mechanism with discrete noise, or with floats, as a C program of its own, and a Python module
 * that calls it.
 *
 * What is written computes with exact integers and fractions and draws its samples from fair bits
 * by exact samplers, so the mechanism that was proved is the one that runs. The text has two parts:
 * the files of compile/runtime, as they are, and what is generated here from the plain body of the
 * mechanism. Samplers use the same bits in the same order as run/sample/noise.c does: on equal bits
 * the program and `couplet run` have equal outputs, which is how this is tested.
 *
 * Whatever cannot be said without leaving the proved semantics is an error in lang->diags, with its
 * place and a way out: continuous noise, irrational numbers other than in the probability of a
 * Bernoulli sample, operators, adversaries, conditions that cannot be checked when it runs. */
#ifndef COUPLET_COMPILE_COMPILE_H
#define COUPLET_COMPILE_COMPILE_H

#include "run/eval/reval.h"

struct compile_input {
  struct lang *lang;
  const struct ast_module *module; /* checked */
  const struct ast_decl *mechanism;
  struct reval
      *fixed; /* has the values of parameters that are given now; others come at run time */
  const struct ast_decl
      *claim;        /* NULL, or the claim with `at` outside of which nothing is proved */
  const char *about; /* lines for the comment at the top */
};

/* The program into `out`. False: lang->diags says why not, and `out` is of no use. */
bool compile_program(struct buffer *out, const struct compile_input *input);

/* The module, for the program that was compiled and will be at `path`. */
void compile_module(struct buffer *out, const struct compile_input *input,
                    const struct buffer *program, const char *path);

#endif
