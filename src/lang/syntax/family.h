/* The families of distributions: one row each. What every layer knows of a family is a column, and
 * stands in a table of that layer which is made from the same list, so the compiler asks for each
 * entry that a new row does not have yet:
 *
 *     name, parameters, samples, help    here               (checker, printer, editors)
 *     support, price of shifts, tails,
 *     probabilities as terms             kernel/family.c    (kernel, search)
 *     sampler                            run/sample/noise.c, compile/gen_stmt.c (programs)
 *     distribution in the exact engine   check/exact/draw.c
 *
 * docs/adding.md says how to add one. */
#ifndef COUPLET_LANG_SYNTAX_FAMILY_H
#define COUPLET_LANG_SYNTAX_FAMILY_H

#include <stdbool.h>
#include <stddef.h>

/* ROW(ID, id, name, parameters, samples, help). `id` begins the names of what other tables hold;
 * samples are REAL, INT, BOOL or, for one of the arguments, ITEM. The parameters are
 *   CENTRED(location, spread)   two numbers, called so in messages; the spread is positive, and the
 *                               location has the type of the samples. Moving the location moves the
 *                               distribution.
 *   ONE_SIDED(location, spread) the same, where no sample is below the location
 *   RANGE                       low and high, of the type of the samples
 *   CHANCE                      a probability
 *   ITEMS                       one or more values of one type, in braces
 *
 * Lap, DLap: density or weight proportional to e^(-|x - centre|/scale).
 * Exp, Geom: e^(-(x - start)/scale) for x >= start.
 * Uniform on (low, high]; UniformInt on low..high, both included.
 * Gauss, DGauss: e^(-(x - centre)^2/(2 sigma^2)).
 * Gumbel: e^(-z - e^(-z)) for z = (x - mode)/scale; at most x with probability e^(-e^(-z)). */
#define DIST_FAMILIES(ROW)                                                                         \
  ROW(LAPLACE, laplace, "Lap", CENTRED("centre", "the scale"), REAL,                               \
      "Laplace noise: centre, scale")                                                              \
  ROW(DISCRETE_LAPLACE, discrete_laplace, "DLap", CENTRED("centre", "the scale"), INT,             \
      "discrete Laplace noise: integer centre, scale")                                             \
  ROW(EXPONENTIAL, exponential, "Exp", ONE_SIDED("start", "the scale"), REAL,                      \
      "one-sided exponential noise: start, scale")                                                 \
  ROW(GEOMETRIC, geometric, "Geom", ONE_SIDED("start", "the scale"), INT,                          \
      "one-sided geometric noise: integer start, scale")                                           \
  ROW(UNIFORM, uniform, "Uniform", RANGE, REAL, "uniform on (low, high]")                          \
  ROW(UNIFORM_INT, uniform_int, "UniformInt", RANGE, INT,                                          \
      "uniform on the integers low..high, both included")                                          \
  ROW(UNIFORM_SET, uniform_set, "Uniform", ITEMS, ITEM, "Uniform{a, b, ...}: one of the items")    \
  ROW(BERNOULLI, bernoulli, "Bernoulli", CHANCE, BOOL, "true with the given probability")          \
  ROW(GAUSS, gauss, "Gauss", CENTRED("centre", "the standard deviation"), REAL,                    \
      "Gaussian noise: centre, standard deviation")                                                \
  ROW(DISCRETE_GAUSS, discrete_gauss, "DGauss", CENTRED("centre", "the standard deviation"), INT,  \
      "discrete Gaussian noise: integer centre, sigma")                                            \
  ROW(GUMBEL, gumbel, "Gumbel", CENTRED("mode", "the scale"), REAL,                                \
      "Gumbel noise: mode, scale (exponential mechanism by noisy max)")

enum dist_kind {
#define ROW(ID, ...) DIST_##ID,
  DIST_FAMILIES(ROW)
#undef ROW
};

enum {
#define ROW(...) +1
  DIST_COUNT = 0 DIST_FAMILIES(ROW)
#undef ROW
};

/* What is sampled like a family and stands for samples of families (check_plain.c).
 * ROW(ID, the family that it becomes, name, help) */
#define DIST_SUGARS(ROW)                                                                           \
  ROW(CATEGORICAL, BERNOULLI, "Categorical",                                                       \
      "an index from 0, by weights: Categorical(w0, w1, ...)")                                     \
  ROW(UNIFORM53, UNIFORM_INT, "Uniform53",                                                         \
      "Uniform53(): the float k/2^53, k uniform on 0..2^53 - 1")                                   \
  ROW(UNIFORM24, UNIFORM_INT, "Uniform24",                                                         \
      "Uniform24(): the float32 k/2^24, k uniform on 0..2^24 - 1")                                 \
  ROW(WORD64, UNIFORM_INT, "Word64", "Word64(): a random word, uniform on 0..2^64 - 1")

enum dist_sugar {
  SUGAR_NONE,
#define ROW(ID, ...) SUGAR_##ID,
  DIST_SUGARS(ROW)
#undef ROW
      SUGAR_END
};

struct sugar_info {
  enum dist_sugar id;
  enum dist_kind becomes;
  const char *name, *help;
};

/* From SUGAR_NONE + 1 to SUGAR_END - 1; by name: NULL, there is none. */
const struct sugar_info *sugar_get(enum dist_sugar id);
const struct sugar_info *sugar_find(const char *name);

enum dist_parameters { PARAMETERS_CENTRED, PARAMETERS_RANGE, PARAMETERS_CHANCE, PARAMETERS_ITEMS };

enum dist_samples { SAMPLES_REAL, SAMPLES_INT, SAMPLES_BOOL, SAMPLES_ITEM };

struct dist_info {
  enum dist_kind kind;
  const char *name;
  enum dist_parameters parameters;
  const char *location, *spread; /* what the parameters of centred families are called */
  bool is_one_sided;             /* centred, and no sample is below the location */
  enum dist_samples samples;
  const char *help;
};

const struct dist_info *dist_get(enum dist_kind kind);
/* The first family of that name, or NULL; and the one that takes items in braces, or NULL. */
const struct dist_info *dist_find(const char *name);
const struct dist_info *dist_find_items(const char *name);
/* How many arguments; 0: as many as there are items. */
size_t dist_arity(const struct dist_info *info);

bool dist_is_centred(enum dist_kind kind);
/* Integers; also: what moves them must be an integer. */
bool dist_is_integer(enum dist_kind kind);
/* Countably many possible samples. */
bool dist_is_discrete(enum dist_kind kind);

#endif
