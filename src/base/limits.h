/* Named limits on input. Hitting one is an error with a place, or `unknown`: never a crash. */
#ifndef COUPLET_BASE_LIMITS_H
#define COUPLET_BASE_LIMITS_H

enum {
  LIMIT_SOURCE_BYTES = 256 * 1024 * 1024, /* one source file */
  LIMIT_INCLUDE_DEPTH = 32,               /* includes inside includes */
  LIMIT_INCLUDE_FILES = 1024,             /* files in one run */
  LIMIT_ULPS = 1 << 20,                   /* of a function of a libm */
  LIMIT_NESTING = 256,                    /* brackets, blocks, operators inside one another */
  LIMIT_AST_DEPTH = 5000,                 /* a + a + ..., else if ...: safe to walk recursively */
  LIMIT_TOKEN_BYTES = 64 * 1024,          /* one identifier, number or string */
  LIMIT_NUMBER_DIGITS = 4096,             /* digits in a literal */
  LIMIT_CONSTANT_BITS = 1 << 16,          /* numerator, denominator of a constant expression */
  LIMIT_POWER_BASE = 1000000,             /* b in b^t for a term t */
  LIMIT_EXPONENT = 4096,                  /* |k| in 1.5e-k and in x^k */
  LIMIT_ERRORS = 100,                     /* errors shown per run; the rest is counted */
  LIMIT_TUPLE = 64,                       /* components of a tuple */
  LIMIT_ARGUMENTS = 256                   /* arguments of a call or a declaration */
};

#endif
