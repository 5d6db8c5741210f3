/* ---- random bits -------------------------------------------------------------------------------
 *
 * From the operating system. -DCOUPLET_RANDOM=f names another source instead: `bool f(void *to,
 * size_t size)` fills memory with independent fair bits, or returns false. */

#ifdef COUPLET_RANDOM
bool COUPLET_RANDOM(void *to, size_t size);
#else
static bool cp_system_random(void *to, size_t size) {
  char *byte = to;
  while (size) {
    ssize_t got = getrandom(byte, size, 0);
    if (got < 0 && errno != EINTR) return false;
    if (got > 0) byte += got, size -= (size_t)got;
  }
  return true;
}
#define COUPLET_RANDOM cp_system_random
#endif

static uint32_t cp_random_word(struct cp *c) {
  if (c->next == CP_WORDS) {
    if (!COUPLET_RANDOM(c->words, sizeof c->words)) cp_fail(c, "", "no random numbers");
    c->next = 0;
  }
  uint32_t word = c->words[c->next];
  c->words[c->next++] = 0;
  return word;
}

/* 1 <= count <= 32 bits, the first drawn the most significant. Bits that are left over and do not
 * suffice are dropped. */
static uint32_t cp_random_bits(struct cp *c, unsigned count) {
  c->bits += count;
  if (count == 32) return cp_random_word(c);
  if (c->pool_bits < count) {
    c->pool = cp_random_word(c);
    c->pool_bits = 32;
  }
  c->pool_bits -= count;
  uint32_t bits = c->pool >> c->pool_bits;
  c->pool &= (UINT32_C(1) << c->pool_bits) - 1;
  return bits;
}

/* `width` bits, the first drawn the most significant, in pieces of at most 32. */
static struct cp_int cp_random_wide(struct cp *c, size_t width) {
  size_t piece = width > 32 && width <= 64 ? width - 32 : width < 32 ? width : 32;
  struct cp_int x = cp_word(0);
  while (width) {
    x = cp_int_add(c, cp_int_mul(c, x, cp_word(INT64_C(1) << piece)),
                   cp_word(cp_random_bits(c, (unsigned)piece)));
    width -= piece;
    piece = width < 32 ? width : 32;
  }
  return x;
}

/* Uniform on 0..bound-1: as many bits as the largest value has, again until they are below. */
static struct cp_int cp_random_below(struct cp *c, struct cp_int bound) {
  size_t width = cp_int_bits(cp_int_sub(c, bound, cp_word(1)));
  for (;;) {
    struct cp_int x = cp_random_wide(c, width);
    if (cp_int_compare(x, bound) < 0) return x;
  }
}

/* ---- exact samplers (Canonne, Kamath, Steinke, NeurIPS 2020) -------------------------------------
 *
 * Fair bits and integers only: the probabilities are exactly those of the distributions. */

/* U < n/d for a uniform U, bit by bit: the next bit of n/d is [2n >= d], and the first bit in which U
 * differs decides. 0 <= n <= d. */
static bool cp_bernoulli_words(struct cp *c, uint64_t n, uint64_t d) {
  if (n == d) return true;
  while (n) {
    n *= 2;
    bool bit = n >= d;
    if (bit) n -= d;
    if ((cp_random_bits(c, 1) != 0) != bit) return bit;
  }
  return false;
}

static bool cp_bernoulli_ints(struct cp *c, struct cp_int n, struct cp_int d) {
  if (!n.big && !d.big) return cp_bernoulli_words(c, (uint64_t)n.small, (uint64_t)d.small);
  if (cp_int_compare(n, d) == 0) return true;
  while (cp_int_sign(n)) {
    n = cp_int_add(c, n, n);
    bool bit = cp_int_compare(n, d) >= 0;
    if (bit) n = cp_int_sub(c, n, d);
    if ((cp_random_bits(c, 1) != 0) != bit) return bit;
  }
  return false;
}

/* exp(-n/d), 0 <= n <= d: at least j of Bernoulli(n/d/1), Bernoulli(n/d/2), ... succeed before the
 * first failure with probability (n/d)^j/j!, so their number is even with probability exp(-n/d). */
static bool cp_exp_unit(struct cp *c, struct cp_int n, struct cp_int d) {
  bool even = true;
  for (int64_t k = 1; cp_bernoulli_ints(c, n, cp_int_mul(c, d, cp_word(k))); k++)
    even = !even;
  return even;
}

/* exp(-n/d) = exp(-1)^floor(n/d) * exp(-rest): all trials must succeed. */
static bool cp_exp_trial(struct cp *c, struct cp_int n, struct cp_int d) {
  struct cp_int whole, rest;
  cp_int_divide(c, n, d, &whole, &rest);
  for (; cp_int_sign(whole); whole = cp_int_sub(c, whole, cp_word(1)))
    if (!cp_exp_unit(c, cp_word(1), cp_word(1))) return false;
  return cp_exp_unit(c, rest, d);
}

/* k >= 0 with weight exp(-k/t), t = p/q: k = m*v + w, where v counts successes of exp(-m/t) and w is
 * uniform below m, kept with probability exp(-w/t). Right for every m >= 1; fast for m near t. */
static struct cp_int cp_sample_geometric(struct cp *c, struct cp_number t, struct cp_int m) {
  struct cp_int w, v = cp_word(0);
  do
    w = cp_random_below(c, m);
  while (!cp_exp_trial(c, cp_int_mul(c, w, t.den), t.num));
  while (cp_exp_trial(c, cp_int_mul(c, m, t.den), t.num))
    v = cp_int_add(c, v, cp_word(1));
  return cp_int_add(c, cp_int_mul(c, v, m), w);
}

/* A sign and a magnitude, of which one of the two zeros is dropped. */
static struct cp_int cp_sample_two_sided(struct cp *c, struct cp_number t, struct cp_int m) {
  for (;;) {
    bool negative = cp_random_bits(c, 1);
    struct cp_int k = cp_sample_geometric(c, t, m);
    if (!negative) return k;
    if (cp_int_sign(k)) return cp_int_neg(c, k);
  }
}

static void cp_need_scale(struct cp *c, const char *where, struct cp_number scale) {
  if (cp_int_sign(scale.num) <= 0) cp_fail(c, where, "the scale is not positive");
}

static struct cp_int cp_step(struct cp *c, struct cp_number scale) {
  struct cp_int whole = cp_floor(c, scale).num;
  return cp_int_sign(whole) ? whole : cp_word(1);
}

static struct cp_number cp_draw_discrete_laplace(struct cp *c, const char *where,
                                                 struct cp_number centre, struct cp_number scale) {
  cp_need_scale(c, where, scale);
  return cp_add(c, centre, cp_whole(cp_sample_two_sided(c, scale, cp_step(c, scale))));
}

static struct cp_number cp_draw_geometric(struct cp *c, const char *where, struct cp_number start,
                                          struct cp_number scale) {
  cp_need_scale(c, where, scale);
  return cp_add(c, start, cp_whole(cp_sample_geometric(c, scale, cp_step(c, scale))));
}

/* Rejection from the two-sided geometric with the integer scale t = floor(sigma) + 1: y is kept with
 * probability exp(-(|y| - sigma^2/t)^2/(2 sigma^2)). */
static struct cp_number cp_draw_discrete_gauss(struct cp *c, const char *where,
                                               struct cp_number centre, struct cp_number sigma) {
  cp_need_scale(c, where, sigma);
  struct cp_number variance = cp_mul(c, sigma, sigma);
  struct cp_number t = cp_add(c, cp_floor(c, sigma), cp_small(1));
  struct cp_number peak = cp_div(c, where, variance, t);
  for (;;) {
    struct cp_number y = cp_whole(cp_sample_two_sided(c, t, t.num));
    struct cp_number distance = cp_sub(c, cp_abs(c, y), peak);
    struct cp_number twice = cp_add(c, variance, variance);
    struct cp_number gamma = cp_div(c, where, cp_mul(c, distance, distance), twice);
    if (cp_exp_trial(c, gamma.num, gamma.den)) return cp_add(c, centre, y);
  }
}

static struct cp_number cp_draw_uniform_int(struct cp *c, const char *where, struct cp_number low,
                                            struct cp_number high) {
  struct cp_int size = cp_int_add(c, cp_int_sub(c, high.num, low.num), cp_word(1));
  if (cp_int_sign(size) <= 0) cp_fail(c, where, "there is nothing to choose from");
  return cp_add(c, low, cp_whole(cp_random_below(c, size)));
}

static bool cp_draw_bernoulli(struct cp *c, const char *where, struct cp_number p) {
  if (cp_int_sign(p.num) < 0 || cp_int_compare(p.num, p.den) > 0)
    cp_fail(c, where, "the probability is not between 0 and 1");
  return cp_bernoulli_ints(c, p.num, p.den);
}

/* Which of `count` items, each with the same probability. */
static size_t cp_draw_uniform_set(struct cp *c, size_t count) {
  return (size_t)cp_random_below(c, cp_word((int64_t)count)).small;
}
