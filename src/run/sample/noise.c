#include "run/sample/noise.h"

#include <math.h>

#include "run/eval/number.h"

/* ---- Bernoulli ------------------------------------------------------------------------------ */

/* U < n/d, U uniform, bit by bit: the next bit of n/d is [2n >= d], and the first bit in which U
 * differs from n/d decides, U being smaller iff its bit is 0. If n reaches 0 the rest of n/d is
 * zero and U cannot be smaller. Two bits on average. Needs n <= d < 2^63. */
static bool bernoulli_word(struct random *r, uint64_t n, uint64_t d) {
  if (n == d) return true;
  while (n) {
    n *= 2;
    bool bit = n >= d;
    if (bit) n -= d;
    if (random_bit(r) != bit) return bit;
  }
  return false;
}

static bool bernoulli_fmpz(struct random *r, const fmpz_t numerator, const fmpz_t d) {
  if (fmpz_equal(numerator, d)) return true;
  fmpz_t n;
  fmpz_init_set(n, numerator);
  bool result = false;
  while (!fmpz_is_zero(n)) {
    fmpz_mul_2exp(n, n, 1);
    bool bit = fmpz_cmp(n, d) >= 0;
    if (bit) fmpz_sub(n, n, d);
    if (random_bit(r) != bit) {
      result = bit;
      break;
    }
  }
  fmpz_clear(n);
  return result;
}

static bool bernoulli_fraction(struct random *r, const fmpz_t n, const fmpz_t d) {
  if (!COEFF_IS_MPZ(*n) && !COEFF_IS_MPZ(*d)) return bernoulli_word(r, (uint64_t)*n, (uint64_t)*d);
  return bernoulli_fmpz(r, n, d);
}

/* U < p for a computable p. U is known to lie in [k, k+1]/2^bits; p in a ball. Draw more bits and
 * shrink the ball until they are apart; U = p has probability 0, so this ends. */
static bool bernoulli_creal(struct random *r, struct creal *p) {
  enum { step = 8, guard = 32 };
  bool below = false, above = false;
  fmpz_t k;
  arb_t low, high;
  fmpz_init(k);
  arb_init(low);
  arb_init(high);
  for (slong bits = step; !below && !above; bits += step) {
    fmpz_mul_2exp(k, k, step);
    fmpz_add_ui(k, k, random_bits(r, step));
    const arb_struct *ball = creal_ball(p, (bits / 64 + 1) * 64 + guard);
    arb_set_fmpz(low, k);
    arb_add_ui(high, low, 1, ARF_PREC_EXACT);
    arb_mul_2exp_si(low, low, -bits);
    arb_mul_2exp_si(high, high, -bits);
    below = arb_le(high, ball);
    above = arb_ge(low, ball);
  }
  arb_clear(low);
  arb_clear(high);
  fmpz_clear(k);
  return below;
}

bool noise_bernoulli(struct random *r, const struct rvalue *p) {
  if (p->kind == RVALUE_IRRATIONAL) return bernoulli_creal(r, p->as.irrational);
  fmpq_t q;
  fmpq_init(q);
  number_get_fmpq(q, p);
  bool result = bernoulli_fraction(r, fmpq_numref(q), fmpq_denref(q));
  fmpq_clear(q);
  return result;
}

/* exp(-n/d), 0 <= n/d <= 1 (von Neumann; Canonne, Kamath, Steinke). The chance that at least j of
 * the trials Bernoulli(g/1), Bernoulli(g/2), ... succeed before the first failure is g^j/j!, so the
 * number of successes is even with probability sum (-g)^j/j! = exp(-g). */
static bool exp_unit(struct random *r, const fmpz_t n, const fmpz_t d) {
  fmpz_t scaled;
  fmpz_init(scaled);
  bool even = true;
  for (ulong k = 1;; k++) {
    fmpz_mul_ui(scaled, d, k);
    if (!bernoulli_fraction(r, n, scaled)) break;
    even = !even;
  }
  fmpz_clear(scaled);
  return even;
}

/* exp(-g) = exp(-1)^floor(g) * exp(-(g - floor(g))): all the trials must succeed. */
static bool exp_fraction(struct random *r, const fmpq_t gamma) {
  fmpz_t whole, rest, one;
  fmpz_init(whole);
  fmpz_init(rest);
  fmpz_init_set_ui(one, 1);
  fmpz_fdiv_qr(whole, rest, fmpq_numref(gamma), fmpq_denref(gamma));
  bool result = true;
  while (result && !fmpz_is_zero(whole)) {
    result = exp_unit(r, one, one);
    fmpz_sub_ui(whole, whole, 1);
  }
  result = result && exp_unit(r, rest, fmpq_denref(gamma));
  fmpz_clear(whole);
  fmpz_clear(rest);
  return result;
}

bool noise_bernoulli_exp(struct random *r, const struct rvalue *gamma) {
  bool result;
  if (gamma->kind == RVALUE_IRRATIONAL) {
    fmpq_t zero;
    fmpq_init(zero);
    struct creal *minus =
        creal_node(CREAL_SUB, creal_rational(zero), creal_ref(gamma->as.irrational));
    struct creal *p = creal_node(CREAL_EXP, minus, NULL);
    result = bernoulli_creal(r, p);
    creal_unref(p);
    fmpq_clear(zero);
  } else {
    fmpq_t q;
    fmpq_init(q);
    number_get_fmpq(q, gamma);
    result = exp_fraction(r, q);
    fmpq_clear(q);
  }
  return result;
}

/* ---- discrete ------------------------------------------------------------------------------- */

/* Exact numbers in, exact numbers out. Divisors are positive and noise_sample keeps parameters
 * far from the limits on size and depth, so this cannot fault. */
static struct rvalue calc(enum binary_op op, const struct rvalue *a, const struct rvalue *b) {
  struct rvalue out = rvalue_int(0);
  number_binary(op, &out, a, b);
  return out;
}

/* Bernoulli(exp(-w/scale)). */
static bool accept_exp(struct random *r, const fmpz_t w, const struct rvalue *scale) {
  struct rvalue numerator = rvalue_fmpz(w), gamma = calc(BINARY_DIV, &numerator, scale);
  bool result = noise_bernoulli_exp(r, &gamma);
  rvalue_clear(&gamma);
  rvalue_clear(&numerator);
  return result;
}

/* Any integer m >= 1 splits k = m*v + w, 0 <= w < m, and exp(-k/t) = exp(-m/t)^v * exp(-w/t): so v
 * and w are independent, v counts successes of Bernoulli(exp(-m/t)), and w is uniform on 0..m-1
 * kept with probability exp(-w/t). With m = max(1, floor(t)) both take O(1) trials. */
static void geometric_split(struct random *r, fmpz_t out, const struct rvalue *scale,
                            const fmpz_t m) {
  fmpz_t w;
  fmpz_init(w);
  do
    random_fmpz_below(r, w, m);
  while (!accept_exp(r, w, scale));
  fmpz_zero(out);
  while (accept_exp(r, m, scale))
    fmpz_add_ui(out, out, 1);
  fmpz_mul(out, out, m);
  fmpz_add(out, out, w);
  fmpz_clear(w);
}

/* A double parameter as the fraction it is; others unchanged. */
static struct rvalue exact(const struct rvalue *v) {
  if (v->kind != RVALUE_FLOAT) return rvalue_copy(v);
  fmpq_t q;
  fmpq_init(q);
  number_get_fmpq(q, v);
  struct rvalue out = rvalue_fmpq(q);
  fmpq_clear(q);
  return out;
}

/* max(1, floor(t)); any positive integer near t would do, so an undecided floor is no matter. */
static void step_near(fmpz_t m, const struct rvalue *t) {
  struct rvalue whole;
  fmpz_set_si(m, 1);
  if (number_function(BUILTIN_FLOOR, &whole, t) != NUMBER_OK) return;
  if (fmpz_cmp_si(&whole.as.integer, 1) > 0) fmpz_set(m, &whole.as.integer);
  rvalue_clear(&whole);
}

void noise_geometric(struct random *r, fmpz_t out, const struct rvalue *scale) {
  struct rvalue t = exact(scale);
  fmpz_t m;
  fmpz_init(m);
  step_near(m, &t);
  geometric_split(r, out, &t, m);
  fmpz_clear(m);
  rvalue_clear(&t);
}

/* A sign and a geometric magnitude give every k != 0 weight exp(-|k|/t), but 0 twice: drop one. */
static void laplace_split(struct random *r, fmpz_t out, const struct rvalue *scale,
                          const fmpz_t m) {
  for (;;) {
    bool negative = random_bit(r);
    geometric_split(r, out, scale, m);
    if (negative && fmpz_is_zero(out)) continue;
    if (negative) fmpz_neg(out, out);
    return;
  }
}

void noise_discrete_laplace(struct random *r, fmpz_t out, const struct rvalue *scale) {
  struct rvalue t = exact(scale);
  fmpz_t m;
  fmpz_init(m);
  step_near(m, &t);
  laplace_split(r, out, &t, m);
  fmpz_clear(m);
  rvalue_clear(&t);
}

/* Rejection from the discrete Laplace with integer scale t = floor(sigma) + 1 (Canonne, Kamath,
 * Steinke): exp(-y^2/(2 s^2)) / exp(-|y|/t) is largest at |y| = s^2/t, and relative to that maximum
 * it is exp(-(|y| - s^2/t)^2 / (2 s^2)). True for every t > 0; this one accepts often. */
void noise_discrete_gauss(struct random *r, fmpz_t out, const struct rvalue *sigma) {
  struct rvalue s = exact(sigma), variance = calc(BINARY_MUL, &s, &s), two = rvalue_int(2);
  struct rvalue t = rvalue_int(1), twice = calc(BINARY_MUL, &variance, &two), whole;
  if (number_function(BUILTIN_FLOOR, &whole, &s) == NUMBER_OK) {
    fmpz_add_ui(&t.as.integer, &whole.as.integer, 1);
    rvalue_clear(&whole);
  }
  struct rvalue peak = calc(BINARY_DIV, &variance, &t);
  for (bool accepted = false; !accepted;) {
    laplace_split(r, out, &t, &t.as.integer);
    struct rvalue y = rvalue_fmpz(out);
    fmpz_abs(&y.as.integer, &y.as.integer);
    struct rvalue distance = calc(BINARY_SUB, &y, &peak);
    struct rvalue square = calc(BINARY_MUL, &distance, &distance);
    struct rvalue gamma = calc(BINARY_DIV, &square, &twice);
    accepted = noise_bernoulli_exp(r, &gamma);
    rvalue_clear(&gamma);
    rvalue_clear(&square);
    rvalue_clear(&distance);
    rvalue_clear(&y);
  }
  rvalue_clear(&peak);
  rvalue_clear(&twice);
  rvalue_clear(&t);
  rvalue_clear(&variance);
  rvalue_clear(&s);
}

/* ---- continuous ----------------------------------------------------------------------------- */

/* true with probability (2k+x)/(2k+2). */
static bool below_slope(struct random *r, struct uniform *x, uint64_t k) {
  uint64_t part = random_below(r, 2 * k + 2);
  if (part < 2 * k) return true;
  if (part > 2 * k) return false;
  struct uniform u;
  uniform_init(&u);
  bool less = uniform_less(&u, x, r);
  uniform_clear(&u);
  return less;
}

/* Length of the run x > z1 > z2 > ... of fresh uniforms: at least j with probability x^j/j!, so it
 * is even with probability exp(-x) (von Neumann). With k, each step must also pass a trial of
 * probability s = (2k+x)/(2k+2): j steps with probability (x s)^j/j!, even with exp(-x s). */
static bool run_is_even(struct random *r, struct uniform *x, const uint64_t *k) {
  struct uniform chain[2], *last = x;
  bool even = true;
  for (int slot = 0;; slot = !slot) {
    struct uniform *z = &chain[slot];
    uniform_init(z);
    bool goes_on = uniform_less(z, last, r) && (!k || below_slope(r, x, *k));
    if (last != x) uniform_clear(last);
    if (!goes_on) {
      uniform_clear(z);
      return even;
    }
    even = !even;
    last = z;
  }
}

/* K + x: K counts rejections, each of probability 1 - E[exp(-x)] = exp(-1), and the kept x has
 * density exp(-x)/(1 - exp(-1)) on (0,1): together exp(-(K + x)) (von Neumann, Karney). */
double noise_exponential(struct random *r) {
  for (uint64_t whole = 0;; whole++) {
    struct uniform x;
    uniform_init(&x);
    double sample = run_is_even(r, &x, NULL) ? uniform_round(&x, r, whole) : 0;
    uniform_clear(&x);
    if (sample > 0) return sample;
  }
}

double noise_laplace(struct random *r) {
  double size = noise_exponential(r);
  return random_bit(r) ? -size : size;
}

/* -ln of a standard exponential sample: Pr[-ln E <= x] = Pr[E >= e^(-x)] = e^(-e^(-x)). The logarithm
 * is a ball, not libm's, so that a seed gives the same samples everywhere; the result is off by at
 * most 2^-52 and half a unit in its last place, and may be 0. */
static double standard_gumbel(struct random *r) {
  enum { precision = 128 };
  arb_t x;
  arb_init(x);
  arb_set_d(x, noise_exponential(r));
  arb_log(x, x, precision);
  double sample = -arf_get_d(arb_midref(x), ARF_RND_NEAR);
  arb_clear(x);
  return sample;
}

/* true with probability exp(-1/2). */
static bool exp_half(struct random *r) {
  bool even = true;
  for (uint64_t k = 1; bernoulli_word(r, 1, 2 * k); k++)
    even = !even;
  return even;
}

/* k + x with k >= 0 integer and x in (0,1) has density exp(-(k+x)^2/2) up to a constant. Karney's
 * split: (k+x)^2/2 = k/2 + k(k-1)/2 + x(2k+x)/2. k is geometric with exp(-1/2), kept with
 * probability exp(-1/2)^(k(k-1)); x is uniform, kept with probability exp(-x(2k+x)/2), which is
 * k+1 trials of exp(-x(2k+x)/(2k+2)). A fair sign completes it. */
double noise_gauss(struct random *r) {
  for (;;) {
    uint64_t k = 0;
    while (exp_half(r))
      k++;
    bool kept = true;
    for (uint64_t i = 0; kept && k > 0 && i < k * (k - 1); i++)
      kept = exp_half(r);
    if (!kept) continue;
    struct uniform x;
    uniform_init(&x);
    for (uint64_t i = 0; kept && i <= k; i++)
      kept = run_is_even(r, &x, &k);
    double size = kept ? uniform_round(&x, r, k) : 0;
    uniform_clear(&x);
    if (kept) return random_bit(r) ? -size : size;
  }
}

/* The nearest double to an exact uniform on (0,1) is in (0,1]; what then rounds out of (low, high]
 * goes to the nearest double inside. */
double noise_uniform(struct random *r, double low, double high) {
  struct uniform u;
  uniform_init(&u);
  double x = low + (high - low) * uniform_round(&u, r, 0);
  uniform_clear(&u);
  if (x <= low) x = nextafter(low, high);
  return x > high ? high : x;
}

/* ---- parameters ----------------------------------------------------------------------------- */

/* Exact samplers multiply a parameter with itself a few times: leave room for that. */
static bool is_usable(const struct rvalue *v) {
  enum { room = 16 };
  switch (v->kind) {
  case RVALUE_INT: return fmpz_bits(&v->as.integer) <= NUMBER_MAX_BITS / room;
  case RVALUE_RATIONAL:
    return fmpz_bits(&v->as.rational.num) <= NUMBER_MAX_BITS / room &&
           fmpz_bits(&v->as.rational.den) <= NUMBER_MAX_BITS / room;
  case RVALUE_IRRATIONAL: return v->as.irrational->depth + room <= CREAL_MAX_DEPTH;
  default: return true;
  }
}

static enum noise_fault require_scale(const struct rvalue *scale) {
  int sign;
  if (!number_sign(&sign, scale)) return NOISE_UNDECIDED;
  if (sign <= 0) return NOISE_SCALE;
  return is_usable(scale) ? NOISE_OK : NOISE_TOO_LARGE;
}

static enum noise_fault give(struct rvalue *out, double x) {
  if (!isfinite(x)) return NOISE_TOO_LARGE;
  *out = rvalue_float(x);
  return NOISE_OK;
}

/* location + spread * standard sample */
static enum noise_fault continuous(double (*standard)(struct random *), struct random *r,
                                   const struct rvalue *args, struct rvalue *out) {
  enum noise_fault fault = require_scale(&args[1]);
  if (fault) return fault;
  double noise = number_to_double(&args[1]) * standard(r);
  return give(out, number_to_double(&args[0]) + noise);
}

static enum noise_fault discrete(void (*sample)(struct random *, fmpz_t, const struct rvalue *),
                                 struct random *r, const struct rvalue *args, struct rvalue *out) {
  enum noise_fault fault = require_scale(&args[1]);
  if (fault) return fault;
  struct rvalue k = rvalue_int(0);
  sample(r, &k.as.integer, &args[1]);
  fmpz_add(&k.as.integer, &k.as.integer, &args[0].as.integer);
  *out = k;
  return NOISE_OK;
}

/* ---- the table: one function per family ------------------------------------------------------ */

typedef enum noise_fault sampler(struct random *r, const struct rvalue *args, size_t count,
                                 struct rvalue *out);

static enum noise_fault sample_laplace(struct random *r, const struct rvalue *args, size_t count,
                                       struct rvalue *out) {
  (void)count;
  return continuous(noise_laplace, r, args, out);
}

static enum noise_fault sample_exponential(struct random *r, const struct rvalue *args,
                                           size_t count, struct rvalue *out) {
  (void)count;
  return continuous(noise_exponential, r, args, out);
}

static enum noise_fault sample_gauss(struct random *r, const struct rvalue *args, size_t count,
                                     struct rvalue *out) {
  (void)count;
  return continuous(noise_gauss, r, args, out);
}

static enum noise_fault sample_gumbel(struct random *r, const struct rvalue *args, size_t count,
                                      struct rvalue *out) {
  (void)count;
  return continuous(standard_gumbel, r, args, out);
}

static enum noise_fault sample_discrete_laplace(struct random *r, const struct rvalue *args,
                                                size_t count, struct rvalue *out) {
  (void)count;
  return discrete(noise_discrete_laplace, r, args, out);
}

static enum noise_fault sample_geometric(struct random *r, const struct rvalue *args, size_t count,
                                         struct rvalue *out) {
  (void)count;
  return discrete(noise_geometric, r, args, out);
}

static enum noise_fault sample_discrete_gauss(struct random *r, const struct rvalue *args,
                                              size_t count, struct rvalue *out) {
  (void)count;
  return discrete(noise_discrete_gauss, r, args, out);
}

static enum noise_fault sample_uniform(struct random *r, const struct rvalue *args, size_t count,
                                       struct rvalue *out) {
  (void)count;
  int order;
  if (!number_compare(&order, &args[0], &args[1])) return NOISE_UNDECIDED;
  if (order >= 0) return NOISE_RANGE;
  double low = number_to_double(&args[0]), high = number_to_double(&args[1]);
  if (!isfinite(high - low)) return NOISE_TOO_LARGE;
  return give(out, low < high ? noise_uniform(r, low, high) : high);
}

static enum noise_fault sample_uniform_int(struct random *r, const struct rvalue *args,
                                           size_t count, struct rvalue *out) {
  (void)count;
  fmpz_t size;
  fmpz_init(size);
  fmpz_sub(size, &args[1].as.integer, &args[0].as.integer);
  fmpz_add_ui(size, size, 1);
  enum noise_fault fault = fmpz_sgn(size) > 0 ? NOISE_OK : NOISE_RANGE;
  if (!fault) {
    *out = rvalue_int(0);
    random_fmpz_below(r, &out->as.integer, size);
    fmpz_add(&out->as.integer, &out->as.integer, &args[0].as.integer);
  }
  fmpz_clear(size);
  return fault;
}

static enum noise_fault sample_uniform_set(struct random *r, const struct rvalue *args,
                                           size_t count, struct rvalue *out) {
  if (!count) return NOISE_RANGE;
  *out = rvalue_copy(&args[random_below(r, count)]);
  return NOISE_OK;
}

static enum noise_fault sample_bernoulli(struct random *r, const struct rvalue *args, size_t count,
                                         struct rvalue *out) {
  (void)count;
  struct rvalue one = rvalue_int(1);
  int sign, order;
  if (!number_sign(&sign, &args[0]) || !number_compare(&order, &args[0], &one))
    return NOISE_UNDECIDED;
  if (sign < 0 || order > 0) return NOISE_PROBABILITY;
  *out = rvalue_bool(noise_bernoulli(r, &args[0]));
  return NOISE_OK;
}

enum noise_fault noise_sample(struct random *r, enum dist_kind kind, const struct rvalue *args,
                              size_t count, struct rvalue *out) {
  static sampler *const samplers[] = {
#define ROW(ID, id, ...) [DIST_##ID] = sample_##id,
      DIST_FAMILIES(ROW)
#undef ROW
  };
  return samplers[kind](r, args, count, out);
}
