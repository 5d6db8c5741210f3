#include "lang/syntax/foreign.h"

#include <stddef.h>
#include <strings.h>

#define UNSUPPORTED "this distribution is not supported;"

static const struct {
  enum foreign_place place;
  const char *words[6], *hint;
} table[] = {
    {FOREIGN_DISTRIBUTION, {"Normal", "N"}, "write `Gauss(mean, deviation)`"},
    {FOREIGN_DISTRIBUTION, {"DiscreteLaplace", "TwoSidedGeometric"}, "write `DLap(centre, scale)`"},
    {FOREIGN_DISTRIBUTION,
     {"DiscreteGaussian", "DiscreteNormal", "DiscreteGauss"},
     "write `DGauss(centre, deviation)`"},
    {FOREIGN_DISTRIBUTION, {"Flip", "Coin"}, "write `Bernoulli(p)`"},
    {FOREIGN_DISTRIBUTION, {"RandInt", "DiscreteUniform"}, "write `UniformInt(low, high)`"},
    {FOREIGN_DISTRIBUTION, {"Choice", "Choose"}, "write `Uniform{a, b, ...}`"},
    {FOREIGN_DISTRIBUTION, {"Laplace"}, "write `Lap(centre, scale)`"},
    {FOREIGN_DISTRIBUTION, {"Gaussian"}, "write `Gauss(mean, deviation)`"},
    {FOREIGN_DISTRIBUTION,
     {"Geometric"},
     "write `Geom(start, scale)`, or `DLap(centre, scale)` for two sides"},
    {FOREIGN_DISTRIBUTION, {"Exponential"}, "write `Exp(start, scale)`"},
    {FOREIGN_DISTRIBUTION,
     {"Cauchy", "StudentT", "Student", "Logistic", "Pareto", "Staircase"},
     UNSUPPORTED " the kinds of noise are Lap, DLap, Gauss, DGauss, Exp, Gumbel and Uniform"},
    {FOREIGN_DISTRIBUTION,
     {"Gamma", "Beta", "Weibull", "Dirichlet", "ChiSquared", "Wishart"},
     UNSUPPORTED " the kinds of noise are Lap, DLap, Gauss, DGauss, Exp, Gumbel and Uniform"},
    {FOREIGN_DISTRIBUTION,
     {"Poisson", "Binomial", "Multinomial", "Hypergeometric", "Zipf"},
     UNSUPPORTED " a binomial one is the sum of Bernoulli samples, drawn in a loop"},
    {FOREIGN_DISTRIBUTION,
     {"Discrete", "Softmax", "ExponentialMechanism"},
     UNSUPPORTED " Categorical(w0, w1, ...) chooses an index by weights; among the scores of an "
                 "array, argmax of Gumbel samples"},
    {FOREIGN_DISTRIBUTION,
     {"Permutation", "Shuffle", "Subset", "Sample"},
     UNSUPPORTED " draw the positions one by one with UniformInt"},
    {FOREIGN_TYPE,
     {"double", "float64"},
     "numbers are `real` or `int`; where rounding matters, `float`"},
    {FOREIGN_TYPE, {"number", "rational"}, "numbers are `real` or `int`"},
    {FOREIGN_TYPE, {"integer", "nat", "long", "uint", "Z"}, "integers are `int`"},
    {FOREIGN_TYPE, {"boolean"}, "truth values are `bool`"},
    {FOREIGN_TYPE,
     {"array", "vector"},
     "an array is written `real[n]`, a list of any length `list(real)`"},
    {FOREIGN_TYPE,
     {"string", "str"},
     "there are no strings; declare a type of your own: `type Name;`"},
    {FOREIGN_FUNCTION,
     {"print", "printf", "output", "yield"},
     "output is written `emit e;` or `return e;`"},
    {FOREIGN_FUNCTION,
     {"l1", "norm1", "l1_norm", "l1_distance", "l1_within"},
     "a bound on the L1 distance is `sum i in 0..n. abs(q<1>[i] - q<2>[i]) <= 1`"},
    {FOREIGN_FUNCTION,
     {"l2", "norm", "norm2", "l2_norm", "l2_distance", "l2_within"},
     "a bound on the L2 distance is `sum i in 0..n. (q<1>[i] - q<2>[i])^2 <= 1`"},
    {FOREIGN_FUNCTION,
     {"linf", "max_norm", "linf_norm", "linf_within"},
     "for a change of every item by at most 1 write `all_within(q, 1)`"},
    {FOREIGN_FUNCTION,
     {"same_except_one", "differ_in_one", "differ_by_one", "one_changed", "neighbours",
      "neighbors"},
     "for a change of one item write `one_changes(q)`, or `one_differs(q, d)` with d the most it "
     "changes by"},
    {FOREIGN_FUNCTION,
     {"adjacent", "adj", "neighbouring", "neighboring", "replace_one", "substitute"},
     "for a change of one item write `one_changes(q)`, or `one_differs(q, d)` with d the most it "
     "changes by"},
    {FOREIGN_FUNCTION,
     {"hamming", "hamming_distance", "hamming_within"},
     "that k items change at most is `(sum i in 0..n. (if q<1>[i] = q<2>[i] then 0 else 1)) <= k`"},
    {FOREIGN_FUNCTION,
     {"add_or_remove", "remove_one", "add_one", "symmetric_difference", "unbounded"},
     "write `add_remove(x)`, with x an array of optional records, `option(T)[n]`"},
    {FOREIGN_FUNCTION,
     {"array", "zeros", "ones", "empty", "zeros_like", "repeat"},
     "declare `var a : real[n];`: it starts as zeros (of truth values: false); a loop sets others"},
    {FOREIGN_FUNCTION, {"fabs", "absolute"}, "the absolute value is `abs(x)`"},
    {FOREIGN_FUNCTION, {"len", "size"}, "the number of items is `length(l)`"},
    {FOREIGN_FUNCTION, {"log"}, "the natural logarithm is `ln(x)`"},
    {FOREIGN_FUNCTION, {"pow", "power"}, "a power is written `x^k`"},
    {FOREIGN_FUNCTION,
     {"float", "double"},
     "write `real(x)`, or `to_float(x)` for the nearest floating-point number"},
    {FOREIGN_FUNCTION, {"mean", "average"}, "write `sum(q)/n`"},
    {FOREIGN_FUNCTION, {"maximum", "amax"}, "write `max(q)`"},
    {FOREIGN_FUNCTION, {"minimum", "amin"}, "write `min(q)`"},
    {FOREIGN_FUNCTION, {"range"}, "a range is written `low..high`, in `for i in 0..n { ... }`"},
    {FOREIGN_FUNCTION,
     {"append", "push", "concat"},
     "write `l ++ [x]`, or `x :: l` for x in front"},
    {FOREIGN_FUNCTION, {"mod"}, "write `x mod y`"},
    {FOREIGN_VALUE,
     {"None", "null", "nil", "Nothing"},
     "an optional value is `none` or `some(e)`; its type is option(T)"},
    {FOREIGN_VALUE, {"pi", "inf", "infinity"}, "constants are numbers; declare `param` or `let`"},
    {FOREIGN_STATEMENT, {"pass"}, "write `skip;`"},
    {FOREIGN_STATEMENT, {"exit", "stop", "leave"}, "`break;` ends a loop, `return` the routine"},
    {FOREIGN_STATEMENT, {"next"}, "write `continue;`"},
    {FOREIGN_ELSE, {"elif", "elsif", "elseif"}, "write `else if`"},
    {FOREIGN_BOUNDS, {"range"}, "a loop is written `for i in 0..n { ... }`; n itself is left out"},
};

const char *foreign_hint(enum foreign_place place, const char *word) {
  enum { MOST = sizeof table->words / sizeof *table->words };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    for (size_t k = 0; table[i].place == place && k < MOST && table[i].words[k]; k++)
      if (strcasecmp(table[i].words[k], word) == 0) return table[i].hint;
  return NULL;
}
