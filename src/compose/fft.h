/* The discrete Fourier transform in doubles, with a bound on its error.
 *
 * Radix 2, decimation in time. Each of its log n stages is sqrt(2) times an orthogonal map; rounding
 * changes its result by at most a factor eta (in the 2-norm), where weights that are correct to mu
 * give eta = mu + gamma_4 (sqrt(2) + mu), gamma_4 = 4u/(1 - 4u), u = 2^-53 (docs/accountant.md has
 * the proof, which is Higham's). Weights are rounded from balls: mu <= 2^-53. So
 *
 *   || computed - true ||_2 <= fft_error(log) || true ||_2
 *
 * as long as nothing underflows; what does is below 2^-1000 altogether. */
#ifndef COUPLET_COMPOSE_FFT_H
#define COUPLET_COMPOSE_FFT_H

#include <stddef.h>

enum { FFT_LOG_MAX = 23 };

struct complex_array {
  double *re, *im;
};

struct fft {
  unsigned log;      /* n = 2^log points */
  double *cos, *sin; /* of 2 pi k / n for k < n/2 */
};

void fft_init(struct fft *plan, unsigned log);
void fft_clear(struct fft *plan);

/* In place: x_k becomes sum over j of x_j e^(-2 pi i j k / n); `inverse`: e^(+...), not divided by
 * n. */
void fft_run(const struct fft *plan, struct complex_array x, int inverse);

/* An upper bound on the relative error of one transform. */
double fft_error(unsigned log);

struct complex_array complex_array_new(size_t n);
void complex_array_free(struct complex_array *x);

#endif
