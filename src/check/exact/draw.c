/* Sampling in the exact engine. */
#include <math.h>
#include <stdlib.h>

#include "check/exact/engine.h"
#include "num/real/ball.h"
#include "run/eval/number.h"

/* A path with the arguments of the distribution evaluated on it. */
struct drawn {
  struct path *path;
  struct rvalue *args;
};
typedef VEC(struct drawn) drawn_list;

static void free_args(struct rvalue *args, size_t count) {
  for (size_t i = 0; i < count; i++)
    rvalue_clear(&args[i]);
  free(args);
}

static void drawn_clear(drawn_list *list, size_t count) {
  for (size_t i = 0; i < list->len; i++) {
    if (list->at[i].path) path_free(list->at[i].path);
    free_args(list->at[i].args, count);
  }
  vec_clear(list);
}

/* Argument k on one path, which may be split; what it had before goes along. Takes the path. */
static bool evaluate_arg(struct engine *e, struct drawn *d, const struct ast_dist *dist, size_t k,
                         drawn_list *out) {
  path_set one = {0};
  evaluated_list values = {0};
  vec_push(&one, d->path);
  d->path = NULL;
  bool is_centre = k == 0 && dist->kind != DIST_BERNOULLI && dist->kind != DIST_UNIFORM_INT;
  bool ok = engine_evaluate(e, &one, dist->args[k], &values);
  if (ok && !is_centre) ok = engine_fix(e, &values, dist->args[k]->span);
  for (size_t j = 0; j < values.len; j++) {
    struct rvalue *args = xcalloc(dist->count + 1, sizeof *args);
    for (size_t a = 0; a < k; a++)
      args[a] = rvalue_copy(&d->args[a]);
    args[k] = values.at[j].value;
    vec_push(out, (struct drawn){values.at[j].path, args});
  }
  vec_clear(&values);
  return ok;
}

/* Arguments from left to right; each may split paths further. When one replaces a sample in the
 * values of a path, those evaluated before are evaluated again. */
static bool evaluate_args(struct engine *e, path_set *paths, const struct ast_dist *dist,
                          drawn_list *out) {
  bool ok = true;
  for (size_t i = 0; i < paths->len; i++)
    vec_push(out, (struct drawn){paths->at[i], xcalloc(dist->count + 1, sizeof(struct rvalue))});
  vec_clear(paths);
  for (size_t k = 0; ok && k < dist->count; k++) {
    drawn_list next = {0};
    size_t before = e->replaced;
    for (size_t i = 0; ok && i < out->len; i++)
      ok = evaluate_arg(e, &out->at[i], dist, k, &next);
    drawn_clear(out, dist->count);
    *out = next;
    if (k > 0 && e->replaced > before) k = (size_t)-1;
  }
  return ok;
}

/* ---- densities ------------------------------------------------------------------------------ */

/* A positive rational scale as a rate. */
static bool get_rate(struct engine *e, const struct ast_dist *dist, const struct rvalue *scale,
                     fmpq_t rate) {
  if (scale->kind != RVALUE_INT && scale->kind != RVALUE_RATIONAL)
    return engine_fail(e, EXACT_UNSUPPORTED, dist->args[1]->span,
                       "the scale of continuous noise must be a rational number here");
  number_get_fmpq(rate, scale);
  if (fmpq_sgn(rate) <= 0)
    return engine_fail(e, EXACT_UNSUPPORTED, dist->args[1]->span, "the scale is not positive");
  fmpq_inv(rate, rate);
  return true;
}

/* A positive scale or standard deviation as a ball. */
static bool get_spread(struct engine *e, const struct ast_dist *dist, const struct rvalue *spread,
                       arb_t out) {
  if (spread->kind == RVALUE_SYMBOLIC)
    return engine_fail(e, EXACT_UNSUPPORTED, dist->args[1]->span, "a scale depends on a sample");
  struct creal *c = number_to_creal(spread);
  arb_set(out, creal_ball(c, e->precision));
  creal_unref(c);
  return arb_is_positive(out) ||
         engine_fail(e, EXACT_UNSUPPORTED, dist->args[1]->span, "the scale is not positive");
}

static bool too_wide(struct engine *e, const struct ast_dist *dist) {
  return engine_fail(e, EXACT_UNSUPPORTED, dist->args[1]->span,
                     "the scale of the integer noise is too large for exact tables");
}

/* Decay per step r = exp(-1/scale) as a ball, and how many steps until the tail is negligible. */
static bool decay(struct engine *e, const struct ast_dist *dist, const struct rvalue *scale,
                  arb_t ratio, slong *steps) {
  if (!get_spread(e, dist, scale, ratio)) return false;
  double approximate = arf_get_d(arb_midref(ratio), ARF_RND_NEAR);
  double length = approximate * ((double)e->precision * 0.6931471805599453 + 2) + 2;
  if (!(length < LIMIT_EXACT_TABLE)) return too_wide(e, dist);
  *steps = (slong)length;
  arb_inv(ratio, ratio, e->precision);
  arb_neg(ratio, ratio);
  arb_exp(ratio, ratio, e->precision);
  return true;
}

/* Table for k = 0..steps of (1-r) r^k, mirrored for discrete Laplace with (1-r)/(1+r) r^|k|; the
 * rest is r^(steps+1), or 2 r^(steps+1)/(1+r) on both sides: r^(steps+1) * 2 bounds either. */
static bool geometric_density(struct engine *e, const struct ast_dist *dist,
                              const struct rvalue *scale, bool mirrored, struct density *out) {
  arb_t ratio, weight, norm;
  slong steps = 0;
  arb_init(ratio);
  arb_init(weight);
  arb_init(norm);
  bool ok = decay(e, dist, scale, ratio, &steps);
  if (ok) {
    density_clear(out);
    density_init_discrete(out, mirrored ? -steps : 0, mirrored ? 2 * steps + 1 : steps + 1);
    arb_sub_si(weight, ratio, 1, e->precision);
    arb_neg(weight, weight);
    arb_add_si(norm, ratio, 1, e->precision);
    if (mirrored) arb_div(weight, weight, norm, e->precision);
    for (slong k = 0; k <= steps; k++) {
      arb_set(out->weights + (mirrored ? steps + k : k), weight);
      if (mirrored) arb_set(out->weights + (steps - k), weight);
      arb_mul(weight, weight, ratio, e->precision);
    }
    arb_pow_ui(weight, ratio, (ulong)steps + 1, e->precision);
    arb_mul_2exp_si(weight, weight, 1);
    arb_add(e->lost, e->lost, weight, e->precision);
  }
  arb_clear(ratio);
  arb_clear(weight);
  arb_clear(norm);
  return ok;
}

/* exp(-k^2 rate/2) */
static void gauss_weight(arb_t out, slong k, const arb_t rate, slong precision) {
  arb_mul_si(out, rate, k, precision);
  arb_mul_si(out, out, -k, precision);
  arb_mul_2exp_si(out, out, -1);
  arb_exp(out, out, precision);
}

/* Table of w(k) = exp(-k^2 rate/2) for |k| <= steps, over the sum Z for all k. What is cut off: for
 * k = n + j, n = steps + 1, k^2 >= n^2 + 2 n j, so the rest of Z is at most 2 w(n) / (1 - q) with
 * q = exp(-n rate); Z >= 1, so that also bounds the mass that is lost. */
static void gauss_table(struct engine *e, const arb_t rate, slong steps, struct density *out) {
  slong precision = e->precision;
  arb_t total, weight, tail;
  arb_init(total);
  arb_init(weight);
  arb_init(tail);
  density_init_discrete(out, -steps, 2 * steps + 1);
  for (slong k = -steps; k <= steps; k++) {
    gauss_weight(out->weights + (steps + k), k, rate, precision);
    arb_add(total, total, out->weights + (steps + k), precision);
  }
  arb_mul_si(tail, rate, -(steps + 1), precision);
  arb_expm1(tail, tail, precision);
  arb_neg(tail, tail);
  gauss_weight(weight, steps + 1, rate, precision);
  arb_div(tail, weight, tail, precision);
  arb_mul_2exp_si(tail, tail, 1);
  arb_add(e->lost, e->lost, tail, precision);
  arb_add(tail, total, tail, precision);
  arb_union(total, total, tail, precision); /* Z is between the two */
  arb_inv(total, total, precision);
  density_scale(out, total, precision);
  arb_clear(total);
  arb_clear(weight);
  arb_clear(tail);
}

static bool discrete_gauss_density(struct engine *e, const struct ast_dist *dist,
                                   const struct rvalue *sigma, struct density *out) {
  arb_t rate;
  arb_init(rate);
  bool ok = get_spread(e, dist, sigma, rate);
  double spread = arf_get_d(arb_midref(rate), ARF_RND_NEAR);
  double length = spread * sqrt(2 * ((double)e->precision * 0.6931471805599453 + 2)) + 2;
  if (ok && !(length < LIMIT_EXACT_TABLE)) ok = too_wide(e, dist);
  if (ok) {
    arb_sqr(rate, rate, e->precision);
    arb_inv(rate, rate, e->precision);
    density_clear(out);
    gauss_table(e, rate, (slong)length, out);
  }
  arb_clear(rate);
  return ok;
}

/* value = offset + factor * symbol, with a fresh symbol of the given density (taken over). */
static bool give_symbol(struct engine *e, struct path *p, symbol s, struct density *density,
                        const struct rvalue *offset, const struct rvalue *factor,
                        const struct ast_dist *dist, evaluated_list *out) {
  struct affine *width = factor ? symbolic_form(factor) : NULL;
  struct rvalue value;
  fmpq_t one;
  fmpq_init(one);
  fmpq_one(one);
  bool ok = (!factor || (width && !width->count)) &&
            symbolic_add_sample(&value, &e->context, offset, width ? width->constant : one, s,
                                density->is_discrete);
  fmpq_clear(one);
  affine_unref(width);
  if (!ok)
    return engine_fail(e, EXACT_UNSUPPORTED, dist->span,
                       "a centre or bound of the noise is irrational, or a quotient of samples");
  measure_add_symbol(&p->measure, s, density);
  vec_push(out, (struct evaluated){p, value});
  return true;
}

/* location + symbol; the density is taken over, or cleared if it is of no use. */
static bool draw_centred(struct engine *e, struct drawn *d, symbol s, const struct ast_dist *dist,
                         bool ok, struct density *density, evaluated_list *out) {
  ok = ok && give_symbol(e, d->path, s, density, &d->args[0], NULL, dist, out);
  if (ok)
    d->path = NULL;
  else
    density_clear(density);
  return ok;
}

/* Noise around 0 with a density in closed form. */
static bool draw_real(struct engine *e, struct drawn *d, symbol s, const struct ast_dist *dist,
                      void (*set)(struct piecewise *, const fmpq_t, const fmpq_t, slong),
                      evaluated_list *out) {
  struct density density;
  fmpq_t zero, rate;
  fmpq_init(zero);
  fmpq_init(rate);
  density_init_continuous(&density);
  bool ok = get_rate(e, dist, &d->args[1], rate);
  if (ok) set(&density.f, zero, rate, e->precision);
  fmpq_clear(zero);
  fmpq_clear(rate);
  return draw_centred(e, d, s, dist, ok, &density, out);
}

static bool draw_laplace(struct engine *e, struct drawn *d, symbol s, const struct ast_dist *dist,
                         evaluated_list *out) {
  return draw_real(e, d, s, dist, piecewise_set_laplace, out);
}

static bool draw_exponential(struct engine *e, struct drawn *d, symbol s,
                             const struct ast_dist *dist, evaluated_list *out) {
  return draw_real(e, d, s, dist, piecewise_set_exponential, out);
}

static bool draw_discrete_laplace(struct engine *e, struct drawn *d, symbol s,
                                  const struct ast_dist *dist, evaluated_list *out) {
  struct density density;
  density_init_continuous(&density);
  bool ok = geometric_density(e, dist, &d->args[1], true, &density);
  return draw_centred(e, d, s, dist, ok, &density, out);
}

static bool draw_geometric(struct engine *e, struct drawn *d, symbol s, const struct ast_dist *dist,
                           evaluated_list *out) {
  struct density density;
  density_init_continuous(&density);
  bool ok = geometric_density(e, dist, &d->args[1], false, &density);
  return draw_centred(e, d, s, dist, ok, &density, out);
}

/* low + (high - low) * U, with U uniform on (0, 1] */
static bool draw_uniform(struct engine *e, struct drawn *d, symbol s, const struct ast_dist *dist,
                         evaluated_list *out) {
  struct density density;
  struct rvalue width = {0};
  fmpq_t zero, one;
  int sign;
  fmpq_init(zero);
  fmpq_init(one);
  fmpq_one(one);
  density_init_continuous(&density);
  piecewise_set_uniform(&density.f, zero, one, e->precision);
  bool ok = number_binary(BINARY_SUB, &width, &d->args[1], &d->args[0]) == NUMBER_OK &&
            number_sign(&sign, &width) && sign > 0;
  if (!ok) engine_fail(e, EXACT_UNSUPPORTED, dist->span, "the bounds of Uniform are unclear");
  ok = ok && give_symbol(e, d->path, s, &density, &d->args[0], &width, dist, out);
  if (ok)
    d->path = NULL;
  else
    density_clear(&density);
  rvalue_clear(&width);
  fmpq_clear(zero);
  fmpq_clear(one);
  return ok;
}

/* A centre that is a number goes into the density, so that samples which are compared have cells
 * with the same edges (grid.h); what is left of it is 0. */
static void take_centre(fmpq_t out, struct rvalue *centre) {
  if (centre->kind != RVALUE_INT && centre->kind != RVALUE_RATIONAL) return;
  number_get_fmpq(out, centre);
  rvalue_clear(centre);
  *centre = rvalue_int(0);
}

/* Noise given by its distribution function. */
static bool draw_law(struct engine *e, struct drawn *d, symbol s, const struct ast_dist *dist,
                     const struct law *law, evaluated_list *out) {
  struct density density;
  fmpq_t centre;
  arb_t rate;
  fmpq_init(centre);
  arb_init(rate);
  bool ok = get_spread(e, dist, &d->args[1], rate);
  arb_inv(rate, rate, e->precision);
  take_centre(centre, &d->args[0]);
  density_init_law(&density, law, centre, rate, engine_sampler(e));
  fmpq_clear(centre);
  arb_clear(rate);
  return draw_centred(e, d, s, dist, ok, &density, out);
}

static bool draw_gauss(struct engine *e, struct drawn *d, symbol s, const struct ast_dist *dist,
                       evaluated_list *out) {
  return draw_law(e, d, s, dist, &law_gauss, out);
}

static bool draw_gumbel(struct engine *e, struct drawn *d, symbol s, const struct ast_dist *dist,
                        evaluated_list *out) {
  return draw_law(e, d, s, dist, &law_gumbel, out);
}

static bool draw_discrete_gauss(struct engine *e, struct drawn *d, symbol s,
                                const struct ast_dist *dist, evaluated_list *out) {
  struct density density;
  density_init_continuous(&density);
  bool ok = discrete_gauss_density(e, dist, &d->args[1], &density);
  return draw_centred(e, d, s, dist, ok, &density, out);
}

/* ---- finite choices ------------------------------------------------------------------------- */

/* A copy of the path (or the path itself, for the last one) with its mass multiplied. */
static void choose(struct engine *e, struct drawn *d, const arb_t probability, bool last,
                   struct rvalue value, evaluated_list *out) {
  struct path *p = last ? d->path : path_copy(d->path);
  if (last) d->path = NULL;
  arb_mul(p->measure.weight, p->measure.weight, probability, e->precision);
  vec_push(out, (struct evaluated){p, value});
}

static bool draw_bernoulli(struct engine *e, struct drawn *d, symbol s, const struct ast_dist *dist,
                           evaluated_list *out) {
  (void)s;
  if (d->args[0].kind == RVALUE_SYMBOLIC)
    return engine_fail(e, EXACT_UNSUPPORTED, dist->span, "a probability depends on a sample");
  arb_t p, q;
  arb_init(p);
  arb_init(q);
  struct creal *c = number_to_creal(&d->args[0]);
  arb_set(p, creal_ball(c, e->precision));
  creal_unref(c);
  arb_sub_si(q, p, 1, e->precision);
  arb_neg(q, q);
  bool ok = !arb_is_negative(p) && !arb_is_negative(q);
  if (ok) {
    choose(e, d, p, false, rvalue_bool(true), out);
    choose(e, d, q, true, rvalue_bool(false), out);
  } else {
    engine_fail(e, EXACT_UNSUPPORTED, dist->span, "a probability is not between 0 and 1");
  }
  arb_clear(p);
  arb_clear(q);
  return ok;
}

static bool draw_uniform_set(struct engine *e, struct drawn *d, symbol s,
                             const struct ast_dist *dist, evaluated_list *out) {
  (void)s;
  arb_t share;
  arb_init(share);
  arb_set_ui(share, dist->count);
  arb_inv(share, share, e->precision);
  for (size_t i = 0; i < dist->count; i++)
    choose(e, d, share, i + 1 == dist->count, rvalue_copy(&d->args[i]), out);
  arb_clear(share);
  return true;
}

static bool draw_uniform_int(struct engine *e, struct drawn *d, symbol s,
                             const struct ast_dist *dist, evaluated_list *out) {
  const struct rvalue *low = &d->args[0], *high = &d->args[1];
  fmpz_t count;
  fmpz_init(count);
  bool ok = low->kind == RVALUE_INT && high->kind == RVALUE_INT;
  if (ok) fmpz_sub(count, &high->as.integer, &low->as.integer);
  ok = ok && fmpz_sgn(count) >= 0 && fmpz_cmp_si(count, LIMIT_EXACT_TABLE) < 0;
  if (ok) {
    struct density density;
    slong n = fmpz_get_si(count) + 1;
    density_init_discrete(&density, 0, n);
    for (slong i = 0; i < n; i++) {
      arb_set_si(density.weights + i, n);
      arb_inv(density.weights + i, density.weights + i, e->precision);
    }
    ok = give_symbol(e, d->path, s, &density, low, NULL, dist, out);
    if (ok) d->path = NULL;
  } else {
    engine_fail(e, EXACT_UNSUPPORTED, dist->span,
                "the bounds of UniformInt are unclear or too far");
  }
  fmpz_clear(count);
  return ok;
}

/* ---- the table: one function per family ------------------------------------------------------ */

/* Samples on one path, which is taken over, or copied for each finite choice. */
typedef bool drawer(struct engine *e, struct drawn *d, symbol s, const struct ast_dist *dist,
                    evaluated_list *out);

static drawer *const drawers[] = {
#define ROW(ID, id, ...) [DIST_##ID] = draw_##id,
    DIST_FAMILIES(ROW)
#undef ROW
};

bool engine_draw(struct engine *e, path_set *paths, const struct ast_dist *dist,
                 evaluated_list *out) {
  drawn_list drawn = {0};
  symbol s = e->next++; /* paths are separate, so they can share the name */
  bool ok = evaluate_args(e, paths, dist, &drawn);
  for (size_t i = 0; ok && i < drawn.len; i++)
    ok = drawers[dist->kind](e, &drawn.at[i], s, dist, out);
  drawn_clear(&drawn, dist->count);
  return ok;
}
