#include "compose/tilt.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "compose/fft.h"

enum { PREC = LOSS_PRECISION };

static double step_of(const struct losses *all) {
  return ldexp(1, -(int)all->bits);
}

static double point(const struct loss_grid *g, slong i) {
  return ldexp((double)(g->first + i), -(int)g->bits);
}

/* ---- guesses -------------------------------------------------------------------------------- */

struct tilt_guess tilt_guess(const struct losses *all, double theta) {
  struct tilt_guess out = {0, 0, 0};
  for (size_t j = 0; j < all->parts->len; j++) {
    const struct loss_grid *g = &all->grids[j];
    double top = theta > 0 ? point(g, g->length - 1) : point(g, 0); /* keeps exp in range */
    double sum = 0, first = 0, second = 0, count = (double)all->parts->at[j].count;
    for (slong i = 0; i < g->length; i++) {
      double l = point(g, i);
      double w = arf_get_d(arb_midref(g->mass + i), ARF_RND_NEAR) * exp(theta * (l - top));
      sum += w;
      first += w * l;
      second += w * l * l;
    }
    double mean = first / sum;
    out.log_mean += count * (log(sum) + theta * top);
    out.mean += count * mean;
    out.variance += count * fmax(second / sum - mean * mean, 0);
  }
  return out;
}

/* ---- moments -------------------------------------------------------------------------------- */

/* E[e^(theta L')] of one grid, finite losses only. */
static void grid_moment(arb_t out, const struct loss_grid *g, const arb_t theta) {
  arb_t power, ratio;
  arb_init(power);
  arb_init(ratio);
  arb_mul_2exp_si(ratio, theta, -(slong)g->bits);
  arb_mul_si(power, ratio, g->first, 2 * PREC);
  arb_exp(power, power, PREC);
  arb_exp(ratio, ratio, PREC + 64); /* it is multiplied up */
  arb_zero(out);
  for (slong i = 0; i < g->length; i++) {
    arb_addmul(out, g->mass + i, power, PREC);
    arb_mul(power, power, ratio, PREC + 32);
  }
  arb_clear(power);
  arb_clear(ratio);
}

/* E[e^(theta S')] */
static void moment(arb_t out, const struct losses *all, double theta) {
  arb_t one, t;
  arb_init(one);
  arb_init(t);
  arb_set_d(t, theta);
  arb_one(out);
  for (size_t j = 0; j < all->parts->len; j++) {
    grid_moment(one, &all->grids[j], t);
    arb_pow_ui(one, one, all->parts->at[j].count, PREC);
    arb_mul(out, out, one, PREC);
  }
  arb_clear(one);
  arb_clear(t);
}

/* Chernoff: the tilted probability that S' is beyond `edge`, on the side of the sign of `extra`, is
 * at most E[e^((theta + extra) S')] / E[e^(theta S')] e^(-extra edge). */
static void tail_bound(arb_t out, const struct tilted *t, double extra, slong edge) {
  arb_t shift;
  arb_init(shift);
  double sum = t->theta + extra; /* rounded: the further tilt is what lies between the doubles */
  moment(out, t->all, sum);
  arb_div(out, out, t->scale, PREC);
  arb_set_d(shift, sum);
  arf_t theta;
  arf_init(theta);
  arf_set_d(theta, t->theta);
  arb_sub_arf(shift, shift, theta, ARF_PREC_EXACT);
  arf_clear(theta);
  arb_neg(shift, shift);
  arb_mul_si(shift, shift, edge, PREC);
  arb_mul_2exp_si(shift, shift, -(slong)t->all->bits);
  arb_exp(shift, shift, PREC);
  arb_mul(out, out, shift, PREC);
  arb_t one;
  arb_init(one);
  arb_one(one);
  arb_min(out, out, one, PREC);
  if (!arb_is_finite(out)) arb_one(out);
  arb_clear(one);
  arb_clear(shift);
}

/* ---- the law -------------------------------------------------------------------------------- */

/* Puts the tilted law of one mechanism on the circle; its error in the 1-norm, and its 2-norm. */
static void tilted_part(double *out, size_t n, const struct loss_grid *g, double theta, arb_t error,
                        double *norm) {
  arb_t mean, power, ratio, t, w;
  arb_init(mean);
  arb_init(power);
  arb_init(ratio);
  arb_init(t);
  arb_init(w);
  arb_set_d(t, theta);
  grid_moment(mean, g, t);
  arb_mul_2exp_si(ratio, t, -(slong)g->bits);
  arb_mul_si(power, ratio, g->first, 2 * PREC);
  arb_exp(power, power, PREC);
  arb_div(power, power, mean, PREC);
  arb_exp(ratio, ratio, PREC + 64);
  arb_zero(error);
  for (slong i = 0; i < g->length; i++) {
    arb_mul(w, g->mass + i, power, PREC);
    arb_mul(power, power, ratio, PREC + 32);
    double d = arf_get_d(arb_midref(w), ARF_RND_NEAR);
    if (!(d > 0x1p-900)) d = 0; /* also what is negative within its radius */
    arb_set_d(t, d);
    arb_sub(w, w, t, PREC);
    arb_abs(w, w);
    arb_add(error, error, w, PREC);
    size_t at = (size_t)(((i % (slong)n) + (slong)n) % (slong)n);
    if (out[at] != 0) { /* folded: rounding of the sum */
      arb_set_d(w, (out[at] + d) * DBL_EPSILON);
      arb_add(error, error, w, PREC);
    }
    out[at] += d;
  }
  *norm = 0;
  for (size_t i = 0; i < n; i++)
    *norm += out[i] * out[i];
  *norm = sqrt(*norm) * (1 + 1e-9); /* the sum has a relative error below n 2^-53 */
  arb_clear(mean);
  arb_clear(power);
  arb_clear(ratio);
  arb_clear(t);
  arb_clear(w);
}

/* x^count in place, and y *= that. */
static void multiply_power(struct complex_array y, struct complex_array x, size_t n, ulong count) {
  for (size_t i = 0; i < n; i++) {
    double a = x.re[i], b = x.im[i], c = y.re[i], d = y.im[i], next;
    for (ulong e = count; e; e >>= 1) {
      if (e & 1) {
        next = c * a - d * b;
        d = c * b + d * a;
        c = next;
      }
      next = a * a - b * b;
      b = 2 * a * b;
      a = next;
    }
    y.re[i] = c;
    y.im[i] = d;
  }
}

/* Adds what one part does to the error: with every |x| at most 1 + e, the product of all spectra
 * differs by at most count (1-norm of the error of the masses + 2-norm of that of the transform)
 * (1 + e)^(all counts), in the sense of docs/accountant.md. */
static void add_part_error(arb_t error, arb_t growth, ulong count, const arb_t mass_error,
                           double norm, double transform, size_t n) {
  arb_t e, t;
  arb_init(e);
  arb_init(t);
  arb_set_d(t, norm);
  arb_set_d(e, transform);
  arb_mul(t, t, e, PREC); /* 2-norm of the transform's error, over sqrt(n) */
  arb_add(e, mass_error, t, PREC);
  arb_mul_ui(e, e, count, PREC);
  arb_add(error, error, e, PREC);
  arb_set_ui(e, n);
  arb_sqrt(e, e, PREC);
  arb_mul(t, t, e, PREC); /* no single value is further off than that */
  arb_add(t, t, mass_error, PREC);
  arb_mul_ui(t, t, count, PREC);
  arb_add(growth, growth, t, PREC);
  arb_clear(e);
  arb_clear(t);
}

/* The products have a relative error of at most 4 u for each factor and squaring; the last transform
 * has its own. Both are relative to a spectrum of size at most e^growth. */
static void finish_error(arb_t error, arb_t growth, const struct losses *all, double transform) {
  arb_t t;
  arb_init(t);
  arb_set_d(t, DBL_EPSILON * 2);
  arb_mul_ui(t, t, all->count + 64 * all->parts->len, PREC);
  arb_add(error, error, t, PREC);
  arb_add(growth, growth, t, PREC);
  arb_set_d(t, transform + 0x1p-900); /* and what underflows */
  arb_add(error, error, t, PREC);
  arb_mul_2exp_si(growth, growth, 1);
  arb_exp(growth, growth, PREC);
  arb_mul(error, error, growth, PREC);
  arb_clear(t);
}

static void convolve(struct tilted *t) {
  const struct losses *all = t->all;
  size_t n = (size_t)1 << t->log;
  struct fft plan;
  fft_init(&plan, t->log);
  struct complex_array x = complex_array_new(n), y = complex_array_new(n);
  double transform = fft_error(t->log);
  arb_t growth, mass_error;
  arb_init(growth);
  arb_init(mass_error);
  for (size_t i = 0; i < n; i++)
    y.re[i] = 1;
  slong origin = 0; /* the point of the circle's 0 */
  for (size_t j = 0; j < all->parts->len; j++) {
    double norm;
    memset(x.re, 0, n * sizeof *x.re);
    memset(x.im, 0, n * sizeof *x.im);
    tilted_part(x.re, n, &all->grids[j], t->theta, mass_error, &norm);
    fft_run(&plan, x, 0);
    multiply_power(y, x, n, all->parts->at[j].count);
    add_part_error(t->error, growth, all->parts->at[j].count, mass_error, norm, transform, n);
    origin += all->grids[j].first * (slong)all->parts->at[j].count;
  }
  fft_run(&plan, y, 1);
  finish_error(t->error, growth, all, transform);
  for (size_t i = 0; i < n; i++) {
    slong offset = (t->first + (slong)i - origin) % (slong)n;
    t->mass[i] = ldexp(y.re[offset < 0 ? offset + (slong)n : offset], -(int)t->log);
  }
  complex_array_free(&x);
  complex_array_free(&y);
  fft_clear(&plan);
  arb_clear(growth);
  arb_clear(mass_error);
}

enum { WINDOW_DEVIATIONS = 12 };

/* Wide enough for what the tilted sum does, or for all it can do. */
static bool choose_window(struct tilted *t) {
  const struct losses *all = t->all;
  struct tilt_guess guess = tilt_guess(all, t->theta);
  double reach = WINDOW_DEVIATIONS * sqrt(guess.variance), step = step_of(all);
  for (size_t j = 0; j < all->parts->len; j++) /* a single mechanism may do all it can */
    reach = fmax(reach, step * (double)all->grids[j].length);
  double low = 0, high = 0;
  for (size_t j = 0; j < all->parts->len; j++) {
    double count = (double)all->parts->at[j].count;
    low += count * point(&all->grids[j], 0);
    high += count * point(&all->grids[j], all->grids[j].length - 1);
  }
  low = fmax(low, guess.mean - reach);
  high = fmin(high, guess.mean + reach);
  double points = (high - low) / step + 8;
  if (!(points < ldexp(1, FFT_LOG_MAX)) || !(fabs(low / step) < 0x1p60)) return false;
  for (t->log = 4; ldexp(1, (int)t->log) < points; t->log++)
    ;
  t->first = (slong)floor(low / step) - 2;
  return true;
}

/* ln of Chernoff's bound for a further tilt, about. */
static double outside_guess(const struct tilted *t, double here, double extra, double edge) {
  return tilt_guess(t->all, t->theta + extra).log_mean - here - extra * edge;
}

/* The further tilt that gives the best bound, about; `most` is as far as it makes sense. */
static double best_extra(const struct tilted *t, double edge, double most) {
  const double golden = 0.6180339887498949;
  double here = tilt_guess(t->all, t->theta).log_mean, low = 0, high = most;
  for (int i = 0; i < 14; i++) {
    double a = high - golden * (high - low), b = low + golden * (high - low);
    if (outside_guess(t, here, a, edge) <= outside_guess(t, here, b, edge))
      high = b;
    else
      low = a;
  }
  return (low + high) / 2;
}

static void bound_outside(struct tilted *t) {
  double step = step_of(t->all), deviation = sqrt(tilt_guess(t->all, t->theta).variance) + step;
  slong lowest = 0, highest = 0; /* that S' can be */
  for (size_t j = 0; j < t->all->parts->len; j++) {
    slong count = (slong)t->all->parts->at[j].count;
    lowest += count * t->all->grids[j].first;
    highest += count * (t->all->grids[j].first + t->all->grids[j].length - 1);
  }
  arb_t one;
  arb_init(one);
  slong end = t->first + ((slong)1 << t->log);
  if (highest >= end) {
    double extra = best_extra(t, (double)end * step, 2 * WINDOW_DEVIATIONS / deviation);
    tail_bound(one, t, extra, end);
    arb_add(t->outside, t->outside, one, PREC);
  }
  if (lowest < t->first) {
    double edge = (double)(t->first - 1) * step;
    tail_bound(one, t, best_extra(t, edge, -2 * WINDOW_DEVIATIONS / deviation), t->first - 1);
    arb_add(t->outside, t->outside, one, PREC);
  }
  arb_clear(one);
}

bool tilted_init(struct tilted *t, const struct losses *all, double theta) {
  *t = (struct tilted){.all = all, .theta = theta};
  arb_init(t->error);
  arb_init(t->scale);
  arb_init(t->outside);
  if (!choose_window(t)) return false;
  t->mass = xcalloc((size_t)1 << t->log, sizeof *t->mass);
  moment(t->scale, all, theta);
  convolve(t);
  bound_outside(t);
  return true;
}

void tilted_clear(struct tilted *t) {
  free(t->mass);
  arb_clear(t->error);
  arb_clear(t->scale);
  arb_clear(t->outside);
  *t = (struct tilted){0};
}

/* ---- expectations --------------------------------------------------------------------------- */

/* Sums over points s > eps of the window: of mass * w, and of w^2, for
 * w = e^(theta (eps - s)) (1 - e^(eps - s)). */
struct sums {
  arb_t masses, squares;
};

/* The number of points of the window that are at most eps, an exact number. */
static slong first_above(const struct tilted *t, const arb_t eps) {
  arf_t scaled;
  fmpz_t at;
  arf_init(scaled);
  fmpz_init(at);
  arf_mul_2exp_si(scaled, arb_midref(eps), (slong)t->all->bits);
  slong n = (slong)1 << t->log, result = n;
  if (arf_cmpabs_2exp_si(scaled, 62) < 0) {
    arf_get_fmpz(at, scaled, ARF_RND_FLOOR);
    fmpz_add_si(at, at, 1 - t->first);
    result = fmpz_cmp_si(at, n) > 0 ? n : fmpz_sgn(at) < 0 ? 0 : fmpz_get_si(at);
  }
  fmpz_clear(at);
  arf_clear(scaled);
  return result;
}

static void weigh(struct sums *out, const struct tilted *t, const arb_t eps) {
  slong n = (slong)1 << t->log, bits = (slong)t->all->bits;
  arb_t gap, tilt, tilt_step, fall, fall_step, w, m;
  arb_init(gap);
  arb_init(tilt);
  arb_init(tilt_step);
  arb_init(fall);
  arb_init(fall_step);
  arb_init(w);
  arb_init(m);
  slong i = first_above(t, eps);
  arb_set_si(gap, t->first + i);
  arb_mul_2exp_si(gap, gap, -bits);
  arb_sub(gap, eps, gap, PREC); /* eps - s */
  arb_exp(fall, gap, PREC);
  arb_set_d(w, t->theta);
  arb_mul(gap, gap, w, PREC);
  arb_exp(tilt, gap, PREC);
  arb_set_si(fall_step, -1);
  arb_mul_2exp_si(fall_step, fall_step, -bits);
  arb_mul(tilt_step, fall_step, w, PREC + 64);
  arb_exp(fall_step, fall_step, PREC + 64);
  arb_exp(tilt_step, tilt_step, PREC + 64);
  arb_zero(out->masses);
  arb_zero(out->squares);
  for (; i < n; i++) {
    arb_sub_ui(w, fall, 1, PREC);
    arb_neg(w, w);
    arb_mul(w, w, tilt, PREC);
    arb_set_d(m, t->mass[i]);
    arb_addmul(out->masses, m, w, PREC);
    arb_addmul(out->squares, w, w, 64);
    arb_mul(fall, fall, fall_step, PREC + 32);
    arb_mul(tilt, tilt, tilt_step, PREC + 32);
    if (arf_cmpabs_2exp_si(arb_midref(tilt), -400) < 0) break; /* the rest is counted below */
  }
  if (i < n) { /* each of the rest is at most e^(-400 ln 2), and the masses sum to about 1 */
    arb_set_si(w, 1);
    arb_mul_2exp_si(w, w, (slong)t->log - 390);
    arb_add_error(out->masses, w);
    arb_add(out->squares, out->squares, w, 64);
  }
  arb_clear(gap);
  arb_clear(tilt);
  arb_clear(tilt_step);
  arb_clear(fall);
  arb_clear(fall_step);
  arb_clear(w);
  arb_clear(m);
}

void tilted_delta(arb_t low, arb_t high, const struct tilted *t, const arb_t eps) {
  struct sums sums;
  arb_t slack, factor;
  arb_init(sums.masses);
  arb_init(sums.squares);
  arb_init(slack);
  arb_init(factor);
  weigh(&sums, t, eps);
  arb_sqrt(slack, sums.squares, PREC);
  arb_mul(slack, slack, t->error, PREC); /* Cauchy and Schwarz */
  arb_set_d(factor, -t->theta);
  arb_mul(factor, factor, eps, PREC);
  arb_exp(factor, factor, PREC);
  arb_mul(factor, factor, t->scale, PREC);
  arb_add(high, sums.masses, slack, PREC);
  arb_add(high, high, t->outside, PREC); /* weights are at most 1 */
  arb_mul(high, high, factor, PREC);
  arb_sub(low, sums.masses, slack, PREC);
  arb_sub(low, low, t->outside, PREC);
  arb_mul(low, low, factor, PREC);
  arb_clear(sums.masses);
  arb_clear(sums.squares);
  arb_clear(slack);
  arb_clear(factor);
}

double *tilted_curve(const struct tilted *t) {
  size_t n = (size_t)1 << t->log;
  double step = step_of(t->all), fall = exp(-step), tilt = exp(-t->theta * step);
  double scale = arf_get_d(arb_midref(t->scale), ARF_RND_NEAR), a = 0, b = 0;
  double *out = xcalloc(n, sizeof *out);
  double log_scale = log(scale);
  if (!isfinite(log_scale)) log_scale = tilt_guess(t->all, t->theta).log_mean;
  for (size_t i = n;
       i-- > 0;) { /* a: sum of mass e^(-theta (s - here)), b: the same with theta + 1 */
    double here = (double)(t->first + (slong)i) * step;
    out[i] = (a - b) * exp(log_scale - t->theta * here);
    a = (a + t->mass[i]) * tilt;
    b = (b + t->mass[i]) * tilt * fall;
  }
  return out;
}
