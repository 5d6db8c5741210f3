#include "cli/compose_words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "compose/account.h"
#include "num/rational.h"

const char compose_words_help[] =
    "Parts, each with xCOUNT for that many of them:\n"
    "  EPS[:DELTA]               any (eps, delta)-private mechanism\n"
    "  response:P                randomized response that tells the truth with probability P\n"
    "  laplace:SCALE[:S]         Laplace noise on a query of sensitivity S (default 1)\n"
    "  gauss:SIGMA[:S]           Gaussian noise, S in the 2-norm\n"
    "  dgauss:SIGMA[:S]          discrete Gaussian noise, S an integer\n"
    "  sgauss:SIGMA:Q            Gaussian noise on a sum over records, each sampled with\n"
    "                            probability Q (Poisson); one record more or less\n"
    "  zcdp:RHO                  any mechanism that is rho-zCDP: bounds from above only\n"
    "  renyi:ORDER:EPS           any mechanism with that Renyi divergence: likewise\n"
    "  FILE.dp:CLAIM             what a claim of the file promises, if it is proved, at numbers\n";

enum { NUMBERS = 2 };

static bool is_probability(const fmpq_t p) {
  return fmpq_sgn(p) >= 0 && fmpz_cmp(fmpq_numref(p), fmpq_denref(p)) <= 0;
}

/* Each turns the numbers as written into the parameters of loss.h; a reason if they are none. */
static const char *set_pure(fmpq_t a[NUMBERS]) {
  if (fmpq_sgn(a[0]) >= 0 && is_probability(a[1])) return NULL;
  return "eps must not be negative, delta between 0 and 1";
}

static const char *set_response(fmpq_t a[NUMBERS]) {
  fmpq_t twice;
  fmpq_init(twice);
  fmpq_mul_2exp(twice, a[0], 1);
  bool ok = is_probability(a[0]) && !fmpq_is_one(a[0]) &&
            fmpz_cmp(fmpq_numref(twice), fmpq_denref(twice)) >= 0;
  fmpq_clear(twice);
  return ok ? NULL : "the probability of the truth must be at least 1/2 and below 1";
}

/* sensitivity / scale */
static const char *set_ratio(fmpq_t a[NUMBERS]) {
  if (fmpq_sgn(a[0]) <= 0 || fmpq_sgn(a[1]) <= 0) return "scale and sensitivity must be positive";
  fmpq_div(a[0], a[1], a[0]);
  fmpq_zero(a[1]);
  return NULL;
}

static const char *set_discrete(fmpq_t a[NUMBERS]) {
  if (fmpq_sgn(a[0]) <= 0 || fmpq_sgn(a[1]) <= 0) return "sigma and sensitivity must be positive";
  if (!fmpz_is_one(fmpq_denref(a[1]))) return "discrete noise has an integer sensitivity";
  fmpq_swap(a[0], a[1]);
  fmpq_mul(a[1], a[1], a[1]);
  return NULL;
}

static const char *set_sampled(fmpq_t a[NUMBERS]) {
  if (fmpq_sgn(a[0]) <= 0) return "sigma must be positive";
  if (!is_probability(a[1]) || fmpq_is_zero(a[1]))
    return "the sampling probability must be above 0 and at most 1";
  fmpq_inv(a[0], a[0]);
  return NULL;
}

static const char *set_zcdp(fmpq_t a[NUMBERS]) {
  fmpq_zero(a[1]);
  return fmpq_sgn(a[0]) < 0 ? "rho must not be negative" : NULL;
}

/* The divergence comes first there. */
static const char *set_renyi(fmpq_t a[NUMBERS]) {
  if (fmpz_cmp(fmpq_numref(a[0]), fmpq_denref(a[0])) <= 0) return "the order must be above 1";
  fmpq_swap(a[0], a[1]);
  return fmpq_sgn(a[0]) < 0 ? "eps must not be negative" : NULL;
}

struct kind {
  const char *prefix, *shape;
  enum loss_family family;
  int required; /* numbers that must be there */
  slong second; /* the second number if it is not */
  const char *(*set)(fmpq_t a[NUMBERS]);
};

static const struct kind kinds[] = {
    {"response:", "response:P[xCOUNT]", LOSS_RESPONSE, 1, 0, set_response},
    {"laplace:", "laplace:SCALE[:SENSITIVITY][xCOUNT]", LOSS_LAPLACE, 1, 1, set_ratio},
    {"gauss:", "gauss:SIGMA[:SENSITIVITY][xCOUNT]", LOSS_GAUSSIAN, 1, 1, set_ratio},
    {"dgauss:", "dgauss:SIGMA[:SENSITIVITY][xCOUNT]", LOSS_DISCRETE_GAUSSIAN, 1, 1, set_discrete},
    {"sgauss:", "sgauss:SIGMA:Q[xCOUNT]", LOSS_SAMPLED_GAUSSIAN, 2, 0, set_sampled},
    {"zcdp:", "zcdp:RHO[xCOUNT]", LOSS_ZCDP, 1, 0, set_zcdp},
    {"renyi:", "renyi:ORDER:EPS[xCOUNT]", LOSS_RENYI, 2, 0, set_renyi},
    {"", "EPS[:DELTA][xCOUNT]", LOSS_PURE, 1, 0, set_pure}, /* last: no prefix */
};

/* The numbers between prefix and count; NULL, or why they are none. */
static const char *read_numbers(fmpq_t a[NUMBERS], const struct kind *kind, const char *text,
                                const char *end) {
  const char *colon = memchr(text, ':', (size_t)(end - text)), *reason = NULL;
  if (!colon && kind->required > 1) return "a number is missing";
  fmpq_set_si(a[1], kind->second, 1);
  if (!rational_parse(a[0], text, (size_t)((colon ? colon : end) - text), &reason)) return reason;
  if (!colon) return NULL;
  if (kind->family == LOSS_RESPONSE || kind->family == LOSS_ZCDP)
    return "there is one number too many";
  return rational_parse(a[1], colon + 1, (size_t)(end - colon - 1), &reason) ? NULL : reason;
}

static bool read_count(ulong *count, const char *times) {
  char *rest;
  *count = times ? strtoul(times + 1, &rest, 10) : 1;
  return !times || (times[1] >= '0' && times[1] <= '9' && !*rest && *count >= 1 &&
                    *count <= ACCOUNT_PARTS_MAX);
}

static bool is_file(const char *word) {
  const char *ending = strrchr(word, '.');
  return ending && strcmp(ending, ".dp") == 0;
}

char *compose_word_read(loss_parts *parts, const char *word) {
  const struct kind *kind = kinds;
  while (strncmp(word, kind->prefix, strlen(kind->prefix)) != 0)
    kind++;
  const char *text = word + strlen(kind->prefix), *times = strrchr(text, 'x');
  fmpq_t a[NUMBERS];
  for (int i = 0; i < NUMBERS; i++)
    fmpq_init(a[i]);
  ulong count;
  char *why = NULL;
  const char *reason = NULL;
  if (kind->family == LOSS_PURE && is_file(word))
    why = xasprintf("'%s': which claim of the file? Write %s:CLAIM", word, word);
  else if (kind->family == LOSS_PURE && isalpha((unsigned char)*word))
    why = xasprintf(
        "'%s': parts are EPS[:DELTA], response:P, laplace:SCALE, gauss:SIGMA, dgauss:SIGMA, "
        "sgauss:SIGMA:Q, zcdp:RHO, renyi:ORDER:EPS and FILE.dp:CLAIM",
        word);
  else if (!read_count(&count, times))
    why = xasprintf("'%s': the count must be a number from 1 to %d", word, ACCOUNT_PARTS_MAX);
  else if ((reason = read_numbers(a, kind, text, times ? times : text + strlen(text))))
    why = xasprintf("'%s' is not %s: %s", word, kind->shape, reason);
  else if ((reason = kind->set(a)))
    why = xasprintf("'%s': %s", word, reason);
  else
    loss_parts_push(parts, kind->family, a[0], a[1], count);
  for (int i = 0; i < NUMBERS; i++)
    fmpq_clear(a[i]);
  return why;
}
