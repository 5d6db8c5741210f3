#include "search/refute/outputs.h"

#include <math.h>

#include "run/eval/number.h"

void clear_outputs(struct program_counterexample *ce) {
  for (size_t i = 0; i < ce->outputs.len; i++)
    pattern_clear(&ce->outputs.at[i]);
  vec_clear(&ce->outputs);
}

/* Doubles in a sampled output become multiples of 1/2: nice points of the density. */
static void round_output(struct rvalue *v) {
  if (rvalue_is_seq(v)) {
    rvalue_own(v);
    for (size_t i = 0; i < v->as.seq->len; i++)
      round_output(&v->as.seq->at[i]);
  } else if (v->kind == RVALUE_FLOAT) {
    fmpq_t q;
    fmpq_init(q);
    if (fabs(v->as.number) < 1e12) fmpq_set_si(q, (slong)floor(v->as.number * 2 + 0.5), 2);
    fmpq_canonicalise(q);
    *v = rvalue_fmpq(q);
    fmpq_clear(q);
  }
}

/* The interval of the given number of steps of 1/fine to both sides of a double. */
static struct pattern interval_around(double x, slong fine, slong steps) {
  struct pattern p = {.kind = PATTERN_RANGE};
  fmpq_t end;
  fmpq_init(end);
  slong at = fabs(x) < 1e12 ? (slong)floor(x * (double)fine + 0.5) : 0;
  for (slong side = -1; side <= 1; side += 2) {
    fmpq_set_si(end, at + side * steps, (ulong)fine);
    *(side < 0 ? &p.low : &p.high) = rvalue_fmpq(end);
  }
  fmpq_clear(end);
  return p;
}

struct pattern event_of(const struct rvalue *output, enum real_event real) {
  struct pattern p = {0};
  if (rvalue_is_seq(output)) {
    p.kind = output->kind == RVALUE_TUPLE ? PATTERN_TUPLE : PATTERN_LIST;
    p.count = output->as.seq->len;
    p.items = xcalloc(p.count + 1, sizeof *p.items);
    for (size_t i = 0; i < p.count; i++)
      p.items[i] = event_of(&output->as.seq->at[i], real);
    return p;
  }
  struct rvalue number = rvalue_copy(output);
  bool is_real = number.kind == RVALUE_FLOAT;
  if (rvalue_is_number(output) && real == REAL_BOX) {
    rvalue_clear(&number);
    return interval_around(number_to_double(output), 32, 1);
  }
  round_output(&number);
  if (is_real && real != REAL_POINT)
    return (struct pattern){.kind = PATTERN_RANGE,
                            .low = real == REAL_ABOVE ? number : (struct rvalue){0},
                            .high = real == REAL_ABOVE ? (struct rvalue){0} : number};
  return (struct pattern){.kind = PATTERN_VALUE, .value = number};
}

struct pattern *event_leaf(struct pattern *p, size_t *k) {
  if (p->kind == PATTERN_VALUE && rvalue_is_number(&p->value)) {
    if (*k == 0) return p;
    --*k;
  }
  for (size_t i = 0; i < p->count; i++) {
    struct pattern *found = event_leaf(&p->items[i], k);
    if (found) return found;
  }
  return NULL;
}

static void enclose_irrational(struct pattern *p) {
  if (p->kind == PATTERN_VALUE && p->value.kind == RVALUE_IRRATIONAL) {
    double near = number_to_double(&p->value);
    pattern_clear(p);
    *p = interval_around(near, 1 << 20, 2);
  }
  for (size_t i = 0; i < p->count; i++)
    enclose_irrational(&p->items[i]);
}

void add_output(struct program_counterexample *ce, const struct rvalue *output) {
  struct pattern p;
  pattern_of(&p, output);
  enclose_irrational(&p);
  vec_push(&ce->outputs, p);
}
