#include "smt/archive.h"

#include "advocate/transfer.h"
#include "check/referee/referee.h"

void archive_init(struct archive *a) {
  *a = (struct archive){0};
  terms_init(&a->terms);
}

static void archived_clear(struct archived *e) {
  refutation_clear(&e->refutation);
  vec_clear(&e->inputs);
}

void archive_clear(struct archive *a) {
  for (size_t i = 0; i < a->entries.len; i++)
    archived_clear(&a->entries.at[i]);
  vec_clear(&a->entries);
  terms_clear(&a->terms);
}

static bool needs_input(const struct refutation *r, size_t number) {
  for (size_t i = 0; i < r->steps.len; i++)
    if (r->steps.at[i].kind == STEP_INPUT && r->steps.at[i].number == number) return true;
  return false;
}

void archive_add(struct archive *a, struct terms *ts, const struct sequent *s,
                 const struct refutation *r) {
  struct archived e = {0};
  struct transfer t;
  refutation_init(&e.refutation);
  transfer_init(&t, ts, &a->terms);
  for (size_t i = 0; i < s->count; i++)
    vec_push(&e.inputs, needs_input(r, i) ? transfer_term(&t, s->hypotheses[i]) : TERM_NONE);
  e.goal = transfer_term(&t, s->goal);
  if (transfer_refutation(&t, r, NULL, (struct transfer_shown){0}, &e.refutation, NULL))
    vec_push(&a->entries, e);
  else
    archived_clear(&e);
  transfer_clear(&t);
}

/* Inputs by their numbers in this sequent. False: one of them is no hypothesis here. */
static bool find_inputs(struct transfer *t, const struct archived *e, const struct sequent *s,
                        struct refutation *r) {
  for (size_t i = 0; i < r->steps.len; i++) {
    struct step *step = &r->steps.at[i];
    if (step->kind != STEP_INPUT) continue;
    bool is_goal = step->number == e->inputs.len;
    term_id want = is_goal ? TERM_NONE : transfer_term(t, e->inputs.at[step->number]);
    size_t at = is_goal ? s->count : 0;
    while (at < s->count && s->hypotheses[at] != want)
      at++;
    if (!is_goal && at == s->count) return false;
    step->number = at;
  }
  return t->ok;
}

static bool fits(struct archive *a, const struct archived *e, struct terms *ts,
                 const struct sequent *s, struct refutation *out) {
  struct terms_mark mark = terms_mark(ts);
  struct transfer t;
  transfer_init(&t, &a->terms, ts);
  bool ok = transfer_term(&t, e->goal) == s->goal &&
            transfer_refutation(&t, &e->refutation, NULL, (struct transfer_shown){0}, out, NULL) &&
            find_inputs(&t, e, s, out) && referee_accepts(ts, s, out, NULL, NULL);
  transfer_clear(&t);
  if (ok) return true;
  refutation_clear(out);
  terms_rollback(ts, mark);
  return false;
}

bool archive_find(struct archive *a, struct terms *ts, const struct sequent *s,
                  struct refutation *out) {
  for (size_t k = 0; k < a->entries.len; k++) {
    size_t i = (a->next + k) % a->entries.len;
    if (!fits(a, &a->entries.at[i], ts, s, out)) continue;
    a->next = i + 1;
    return true;
  }
  return false;
}
