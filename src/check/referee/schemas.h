/* Schemas: formulas that are true for all values of their arguments, whatever these are.
 *
 * They say what the functions of term.h mean beyond the connectives and polynomial arithmetic. Each
 * is stated above its case in schemas.c and proved in docs/referee.md. Where a function is not
 * specified (x/0, ln of what is not positive, ...), a schema says nothing about it. */
#ifndef COUPLET_CHECK_REFEREE_SCHEMAS_H
#define COUPLET_CHECK_REFEREE_SCHEMAS_H

#include "term/term.h"

enum schema {
  SCHEMA_TRICHOTOMY,   /* a, b: numbers */
  SCHEMA_QUOTIENT,     /* a, b */
  SCHEMA_ABS,          /* a */
  SCHEMA_MIN,          /* a, b */
  SCHEMA_MAX,          /* a, b */
  SCHEMA_FLOOR,        /* a: real */
  SCHEMA_CEIL,         /* a: real */
  SCHEMA_DIVMOD,       /* a, b: int */
  SCHEMA_CHOICE,       /* c, a, b */
  SCHEMA_CONGRUENCE,   /* t, u: the same head */
  SCHEMA_READ,         /* array, index, value, place */
  SCHEMA_DIFFERING,    /* two arrays */
  SCHEMA_LENGTH,       /* list */
  SCHEMA_LIST,         /* list */
  SCHEMA_CONS,         /* item, list */
  SCHEMA_APPEND,       /* two lists */
  SCHEMA_TUPLE,        /* two tuples */
  SCHEMA_POWER,        /* b^t */
  SCHEMA_POWER_STEP,   /* b^t, b^u */
  SCHEMA_POWER_SHIFT,  /* b^t, number */
  SCHEMA_EXP,          /* a, which of the bounds */
  SCHEMA_EXP_ORDER,    /* a, b */
  SCHEMA_EXP_TANGENT,  /* a, b */
  SCHEMA_EXP_SUM,      /* a, b */
  SCHEMA_EXP_MULTIPLE, /* a, number */
  SCHEMA_EXP_AT,       /* a, number */
  SCHEMA_EXP_LINE,     /* a, number */
  SCHEMA_LN,           /* u, which of the bounds */
  SCHEMA_LN_ORDER,     /* u, v */
  SCHEMA_LN_PRODUCT,   /* u, v */
  SCHEMA_LN_AT,        /* u, number */
  SCHEMA_LN_LINE,      /* u, number */
  SCHEMA_EXP_LN,       /* u */
  SCHEMA_LN_EXP,       /* a */
  SCHEMA_SQRT,         /* u */
  SCHEMA_SQRT_AT,      /* number */
  SCHEMA_SQRT_ORDER,   /* u, v */
  SCHEMA_SQRT_PRODUCT, /* u, v */
  SCHEMA_PARTS,        /* any term, a list or tuple that is written out */
  SCHEMA_POWER_SUM,    /* b^t, b^u */
  SCHEMA_COUNT
};

const char *schema_name(enum schema s);
size_t schema_arity(enum schema s);
/* The instance; TERM_NONE if the arguments do not fit. */
term_id schema_formula(struct terms *ts, enum schema s, const term_id *args, size_t count);

#endif
