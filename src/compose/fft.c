#include "compose/fft.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "num/arb_compat.h"

struct complex_array complex_array_new(size_t n) {
  return (struct complex_array){xcalloc(n, sizeof(double)), xcalloc(n, sizeof(double))};
}

void complex_array_free(struct complex_array *x) {
  free(x->re);
  free(x->im);
  *x = (struct complex_array){NULL, NULL};
}

/* ---- weights -------------------------------------------------------------------------------- */

enum { WEIGHT_BITS = 80, FINE_LOG = 10 };

/* e^(2 pi i k step / n) for k < count. */
static acb_ptr unit_roots(size_t count, size_t step, size_t n) {
  acb_ptr roots = _acb_vec_init((slong)count);
  arb_t angle;
  arb_init(angle);
  for (size_t k = 0; k < count; k++) {
    arb_set_ui(angle, 2 * k * step);
    arb_div_ui(angle, angle, n, 2 * WEIGHT_BITS);
    arb_sin_cos_pi(acb_imagref(roots + k), acb_realref(roots + k), angle, WEIGHT_BITS);
  }
  arb_clear(angle);
  return roots;
}

/* Products of coarse and fine roots: their balls are far narrower than an ulp, so that each weight is
 * within 2^-53 of the true one. */
void fft_init(struct fft *plan, unsigned log) {
  size_t n = (size_t)1 << log, half = n / 2 ? n / 2 : 1;
  size_t fine = (size_t)1 << (log > FINE_LOG ? FINE_LOG : log), coarse = (half + fine - 1) / fine;
  *plan = (struct fft){log, xcalloc(half, sizeof(double)), xcalloc(half, sizeof(double))};
  acb_ptr small = unit_roots(fine, 1, n), large = unit_roots(coarse, fine, n);
  acb_t w;
  acb_init(w);
  for (size_t k = 0; k < half; k++) {
    acb_mul(w, large + k / fine, small + k % fine, WEIGHT_BITS);
    plan->cos[k] = arf_get_d(arb_midref(acb_realref(w)), ARF_RND_NEAR);
    plan->sin[k] = arf_get_d(arb_midref(acb_imagref(w)), ARF_RND_NEAR);
  }
  acb_clear(w);
  _acb_vec_clear(small, (slong)fine);
  _acb_vec_clear(large, (slong)coarse);
}

void fft_clear(struct fft *plan) {
  free(plan->cos);
  free(plan->sin);
  *plan = (struct fft){0};
}

/* ---- the transform -------------------------------------------------------------------------- */

static void swap(double *x, size_t i, size_t j) {
  double t = x[i];
  x[i] = x[j];
  x[j] = t;
}

static void reverse_bits(struct complex_array x, size_t n) {
  for (size_t i = 1, j = 0; i < n; i++) {
    size_t bit = n >> 1;
    for (; j & bit; bit >>= 1)
      j ^= bit;
    j ^= bit;
    if (i < j) {
      swap(x.re, i, j);
      swap(x.im, i, j);
    }
  }
}

void fft_run(const struct fft *plan, struct complex_array x, int inverse) {
  size_t n = (size_t)1 << plan->log;
  double sign = inverse ? 1 : -1;
  reverse_bits(x, n);
  for (size_t half = 1; half < n; half *= 2) {
    size_t stride = n / (2 * half);
    for (size_t start = 0; start < n; start += 2 * half)
      for (size_t k = 0; k < half; k++) {
        double c = plan->cos[k * stride], s = sign * plan->sin[k * stride];
        size_t top = start + k, low = top + half;
        double re = c * x.re[low] - s * x.im[low], im = c * x.im[low] + s * x.re[low];
        x.re[low] = x.re[top] - re;
        x.im[low] = x.im[top] - im;
        x.re[top] += re;
        x.im[top] += im;
      }
  }
}

double fft_error(unsigned log) {
  const double u = DBL_EPSILON / 2, mu = u, gamma4 = 4 * u / (1 - 4 * u);
  double eta = (mu + gamma4 * (1.4142135623730952 + mu)) * (1 + 1e-9); /* our own rounding */
  double all = log * eta;
  return all / (1 - all) * (1 + 1e-9);
}
