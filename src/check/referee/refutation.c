#include "check/referee/refutation.h"

void refutation_init(struct refutation *r) {
  *r = (struct refutation){0};
}

static void step_clear(struct step *s) {
  for (size_t i = 0; i < s->sum.len; i++) {
    vec_clear(&s->sum.at[i].factors);
    vec_clear(&s->sum.at[i].squares);
  }
  vec_clear(&s->sum);
  vec_clear(&s->terms);
  vec_clear(&s->literals);
  vec_clear(&s->hints);
}

void refutation_clear(struct refutation *r) {
  for (size_t i = 0; i < r->steps.len; i++)
    step_clear(&r->steps.at[i]);
  vec_clear(&r->steps);
}

struct step *refutation_add(struct refutation *r, enum step_kind kind) {
  vec_push(&r->steps, (struct step){.kind = kind});
  return &vec_last(&r->steps);
}
