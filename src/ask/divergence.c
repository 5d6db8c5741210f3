#include "ask/divergence.h"

/* The probability of the output in the other distribution; NULL: it is not listed there. */
static const arb_struct *probability_of(const struct exact_distribution *d,
                                        const struct rvalue *output) {
  for (size_t i = 0; i < d->outcomes.len; i++) {
    int order;
    if (rvalue_compare(&order, &d->outcomes.at[i].output, output) && order == 0)
      return d->outcomes.at[i].probability;
  }
  return NULL;
}

void divergence_hockey_stick(arb_t out, const struct exact_distribution *p1,
                             const struct exact_distribution *p2, const arb_t epsilon,
                             slong precision) {
  arb_t factor, term, zero, lost;
  arb_init(factor);
  arb_init(term);
  arb_init(zero);
  arb_init(lost);
  arb_exp(factor, epsilon, precision);
  arb_zero(out);
  for (size_t i = 0; i < p1->outcomes.len; i++) {
    const arb_struct *other = probability_of(p2, &p1->outcomes.at[i].output);
    arb_set(term, p1->outcomes.at[i].probability);
    if (other) arb_submul(term, factor, other, precision);
    arb_max(term, term, zero, precision);
    arb_add(out, out, term, precision);
  }
  arb_mul(lost, factor, p2->lost, precision);
  arb_add(lost, lost, p1->lost, precision);
  arb_add_error(out, lost);
  arb_clear(factor);
  arb_clear(term);
  arb_clear(zero);
  arb_clear(lost);
}

/* p^order q^(1 - order) */
static void renyi_term(arb_t out, const arb_t p, const arb_t q, const arb_t order,
                       slong precision) {
  arb_t power;
  arb_init(power);
  arb_sub_si(power, order, 1, precision);
  arb_div(out, p, q, precision);
  arb_pow(out, out, power, precision);
  arb_mul(out, out, p, precision);
  arb_clear(power);
}

void divergence_renyi(arb_t out, const struct exact_distribution *p1,
                      const struct exact_distribution *p2, const arb_t order, slong precision) {
  arb_t sum, term;
  arb_init(sum);
  arb_init(term);
  bool infinite = false;
  for (size_t i = 0; i < p1->outcomes.len; i++) {
    const arb_struct *p = p1->outcomes.at[i].probability;
    const arb_struct *q = probability_of(p2, &p1->outcomes.at[i].output);
    if (arb_is_zero(p)) continue;
    if (!q || arb_is_zero(q)) {
      infinite = infinite || arb_is_positive(p);
      continue;
    }
    renyi_term(term, p, q, order, precision);
    arb_add(sum, sum, term, precision);
  }
  arb_sub_si(term, order, 1, precision);
  arb_log(out, sum, precision);
  arb_div(out, out, term, precision);
  if (!arb_is_zero(p1->lost) || !arb_is_zero(p2->lost))
    arb_indeterminate(out);
  else if (infinite)
    arb_pos_inf(out);
  arb_clear(sum);
  arb_clear(term);
}
