/* A program of floating-point operations on a few random words, as a graph.
 *
 * The inputs are given, and the randomness of the program is words: uniform on 0..n-1 and
 * independent. Everything that does not depend on a word is computed already (NODE_CONSTANT).
 * A branch that depends on one is NODE_SELECT: the first argument says which of the other two.
 * Branches that exclude each other share their words, which changes no distribution, since a run
 * takes only one of them. Floats are those of num/binary64.h, infinities included.
 *
 * Loops are unrolled as long as their conditions do not depend on words. Where one does, it ends
 * there or goes on: then what it assigns may be anything (NODE_ANY), and nothing is known of the
 * words of further rounds. A call of a function that a `libm` declaration says to be off by some
 * ulp has one of several values (`ulps`). */
#ifndef COUPLET_CHECK_EXACT_PIPELINE_H
#define COUPLET_CHECK_EXACT_PIPELINE_H

#include "base/vec.h"
#include "run/eval/ieee.h"
#include "run/eval/interp_setup.h"

/* Integers of a program: words have at most 2^64 values, and results may go a little beyond. */
__extension__ typedef __int128 wide;

enum {
  LIMIT_PIPELINE_NODES = 2000,
  LIMIT_PIPELINE_WORDS = 16,
  LIMIT_PIPELINE_OUTPUTS = 16,
  LIMIT_PIPELINE_STEPS = 5000,     /* statements that are run */
  LIMIT_PIPELINE_CHOICES = 1 << 20 /* denominator of a Bernoulli probability */
};

enum node_kind {
  NODE_CONSTANT,
  NODE_WORD,
  NODE_NEGATE,
  NODE_BINARY,  /* + - * / div mod, and comparisons of two floats or two integers */
  NODE_CALL,    /* ieee_function */
  NODE_CONVERT, /* to a float: of an integer, or from another format */
  NODE_NOT,
  NODE_AND, /* the second argument counts only if the first is true */
  NODE_SELECT,
  NODE_ANY,    /* some value of its sort, not known */
  NODE_PERHAPS /* its argument, or nothing: a loop before it may go on for ever */
};

enum node_sort { NODE_BOOL, NODE_INT, NODE_FLOAT };

/* The one that the sort of the node says. */
union node_value {
  bool truth;
  wide whole;
  binary64 bits;
};

struct node {
  enum node_kind kind;
  enum node_sort sort;
  enum binary_format format; /* floats */
  enum binary_op op;         /* binary */
  enum builtin builtin;      /* call */
  unsigned ulps;             /* call: the value is at most that many floats from the right one */
  size_t args[3], count;
  size_t word;            /* word */
  union node_value value; /* constant */
  bool varies;            /* depends on a word */
};

struct pipeline {
  VEC(struct node) nodes; /* arguments stand before what uses them */
  VEC(wide) words;        /* how many values each has; at least one word */
  size_t results[LIMIT_PIPELINE_OUTPUTS], result_count; /* at least one */
  size_t emitted;                                       /* so many come from `emit`, the others */
                                                        /* are parts of what is returned */
  size_t result;                                        /* the first one */
  bool is_inexact;                                      /* there are NODE_ANY or `ulps` */
  bool may_not_end;
};

/* False: *why says what is in the way (xmalloc'd), *where where. Clear it in any case. */
bool pipeline_init(struct pipeline *p, struct interp *in, char **why, struct span *where);
void pipeline_clear(struct pipeline *p);

/* Does the mechanism compute with floats? */
bool pipeline_is_wanted(const struct interp *in);

/* An integer of a program, whatever its size. */
void fmpz_set_wide(fmpz_t out, wide whole);

#endif
