#include "ask/curve.h"

#include <math.h>
#include <stdlib.h>

#include "ask/prob.h"
#include "run/sample/interp.h"

enum { SAMPLES = 400, SEED = 1, LEAST_POINTS = 60 };

bool curve_fits(const struct interp *in) {
  const struct ast_routine *r = in->mechanism->as.mechanism.routine;
  return !r->emits && r->returns && r->returns->type && r->returns->type->kind == TYPE_REAL;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static bool as_double(const struct rvalue *v, double *out) {
  if (v->kind == RVALUE_FLOAT)
    *out = v->as.number;
  else if (v->kind == RVALUE_INT)
    *out = fmpz_get_d(&v->as.integer);
  else
    return false;
  return isfinite(*out);
}

bool curve_range(struct interp *in, double *low, double *high) {
  double found[SAMPLES];
  size_t count = 0;
  struct random random;
  random_init_seeded(&random, SEED);
  for (size_t i = 0; i < SAMPLES; i++) {
    struct rvalue output;
    if (!interp_run(in, &random, &output)) return false;
    count += as_double(&output, &found[count]);
    rvalue_clear(&output);
  }
  if (count < SAMPLES / 2) return false;
  qsort(found, count, sizeof *found, by_size);
  double margin = (found[count * 9 / 10] - found[count / 10]) / 2;
  *low = found[count / 50] - margin;
  *high = found[count - 1 - count / 50] + margin;
  return *low < *high && fabs(*low) < 1e15 && fabs(*high) < 1e15;
}

/* The density at multiple * 2^exponent; false: the engine gave up. */
static bool add_point(json_t *points, struct interp *in, slong multiple, slong exponent,
                      const struct exact_options *options, unsigned digits) {
  fmpq_t x;
  fmpq_init(x);
  fmpq_set_si(x, multiple, 1);
  if (exponent >= 0)
    fmpq_mul_2exp(x, x, (flint_bitcnt_t)exponent);
  else
    fmpq_div_2exp(x, x, (flint_bitcnt_t)-exponent);
  struct pattern event = {.kind = PATTERN_VALUE, .value = rvalue_fmpq(x)};
  struct exact_result r;
  exact_result_init(&r);
  exact_probability(in, &event, options, &r);
  bool ok = r.status == EXACT_OK;
  if (ok && r.points == 1) {
    json_t *point = json_pack("{s:f}", "x", ldexp((double)multiple, (int)exponent));
    prob_set_value(point, r.probability, digits);
    json_array_append_new(points, point);
  }
  exact_result_clear(&r);
  pattern_clear(&event);
  fmpq_clear(x);
  return ok;
}

json_t *curve_points(struct interp *in, double low, double high,
                     const struct exact_options *options, unsigned digits) {
  slong exponent = (slong)floor(log2((high - low) / LEAST_POINTS));
  double step = ldexp(1, (int)exponent);
  slong first = (slong)floor(low / step), last = (slong)ceil(high / step);
  json_t *points = json_array();
  for (slong i = first; points && i <= last; i++)
    if (!add_point(points, in, i, exponent, options, digits)) {
      json_decref(points);
      points = NULL;
    }
  return points;
}
