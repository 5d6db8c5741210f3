#include "advocate/transfer.h"

#include <stdlib.h>

#include "out/dossier_write.h"
#include "term/build.h"

void transfer_init(struct transfer *t, struct terms *from, struct terms *to) {
  *t = (struct transfer){.ok = true};
  term_writer_init(&t->writer, from);
  term_reader_init(&t->reader, to);
}

void transfer_clear(struct transfer *t) {
  term_writer_clear(&t->writer);
  term_reader_clear(&t->reader);
}

term_id transfer_term(struct transfer *t, term_id term) {
  if (term == TERM_NONE) return TERM_NONE;
  size_t line = term_write(&t->writer, term);
  t->ok = t->ok && term_read_lines(&t->reader, buffer_text(&t->writer.out) + t->read);
  t->read = t->writer.out.len;
  term_id result = t->ok ? term_read(&t->reader, line) : TERM_NONE;
  t->ok = t->ok && result != TERM_NONE;
  return result;
}

void transfer_let(struct transfer *t, term_id var, term_id meaning) {
  size_t line = term_write(&t->writer, meaning);
  memo_put(&t->writer.known, var, (uint32_t)line + 1);
}

static struct literal strip(struct terms *ts, term_id t) {
  struct literal l = {t, false};
  while (term_kind(ts, l.atom) == TERM_NOT) {
    l.atom = term_arg(ts, l.atom, 0);
    l.negated = !l.negated;
  }
  return l;
}

/* Arguments of `and`, `or` and `=` may stand in another order in the other table. */
static size_t carry_define(struct transfer *t, const struct step *from, term_id to) {
  struct terms *old = t->writer.ts, *new = t->reader.ts;
  enum term_kind kind = term_kind(old, from->formula);
  if (kind == TERM_EQ && from->number < 2 && t->ok) {
    term_id first = transfer_term(t, term_arg(old, from->formula, 0));
    return first == term_arg(new, to, 0) ? from->number : 1 - from->number;
  }
  if ((kind != TERM_AND && kind != TERM_OR) || from->number >= term_arg_count(old, from->formula))
    return from->number;
  struct literal want = strip(new, transfer_term(t, term_arg(old, from->formula, from->number)));
  for (size_t i = 0; t->ok && i < term_arg_count(new, to); i++) {
    struct literal l = strip(new, term_arg(new, to, i));
    if (l.atom == want.atom && l.negated == want.negated) return i;
  }
  t->ok = false;
  return 0;
}

static void carry_terms(struct transfer *t, const term_list *from, term_list *to) {
  for (size_t i = 0; i < from->len; i++) {
    term_id x = transfer_term(t, from->at[i]);
    vec_push(to, x);
  }
}

static void carry_literals(struct transfer *t, const struct step *from, struct step *to) {
  for (size_t i = 0; i < from->literals.len && t->ok; i++) {
    struct literal l = strip(t->reader.ts, transfer_term(t, from->literals.at[i].atom));
    l.negated = l.negated != from->literals.at[i].negated;
    vec_push(&to->literals, l);
  }
}

/* Did the sides of an equation change places, and so its polynomial its sign? */
static bool is_turned(struct transfer *t, const struct step *from, const struct step *to,
                      size_t literal) {
  term_id old = from->literals.at[literal].atom, new = to->literals.at[literal].atom;
  if (!t->ok || term_kind(t->writer.ts, old) != TERM_EQ || term_kind(t->reader.ts, new) != TERM_EQ)
    return false;
  return transfer_term(t, term_arg(t->writer.ts, old, 0)) != term_arg(t->reader.ts, new, 0);
}

static void carry_sum(struct transfer *t, const struct step *from, struct step *to) {
  bool target_turned = from->number && is_turned(t, from, to, from->number - 1);
  for (size_t i = 0; i < from->sum.len; i++) {
    struct summand s = {.multiplier = transfer_term(t, from->sum.at[i].multiplier)};
    bool turned = target_turned;
    for (size_t k = 0; k < from->sum.at[i].factors.len; k++) {
      vec_push(&s.factors, from->sum.at[i].factors.at[k]);
      turned = turned != is_turned(t, from, to, from->sum.at[i].factors.at[k]);
    }
    if (turned) s.multiplier = term_neg(t->reader.ts, s.multiplier);
    carry_terms(t, &from->sum.at[i].squares, &s.squares);
    vec_push(&to->sum, s);
  }
}

static void carry_step(struct transfer *t, const struct step *from, const size_t *position,
                       struct refutation *out) {
  struct step to = {.kind = from->kind, .number = from->number};
  to.formula = transfer_term(t, from->formula);
  if (from->kind == STEP_DEFINE && t->ok) to.number = carry_define(t, from, to.formula);
  carry_terms(t, &from->terms, &to.terms);
  carry_literals(t, from, &to);
  if (from->kind == STEP_ALGEBRA) carry_sum(t, from, &to);
  for (size_t i = 0; i < from->hints.len; i++)
    vec_push(&to.hints, position[from->hints.at[i]]);
  *refutation_add(out, from->kind) = to;
}

bool transfer_refutation(struct transfer *t, const struct refutation *from, const bool *needed,
                         struct transfer_shown shown, struct refutation *out, size_t *position) {
  size_t *own = position ? NULL : xcalloc(from->steps.len + 1, sizeof *own);
  if (!position) position = own;
  for (size_t i = 0; i < from->steps.len && t->ok; i++) {
    const struct step *step = &from->steps.at[i];
    if (needed && !needed[i]) continue;
    position[i] = out->steps.len;
    if (step->kind == STEP_INPUT && step->number - shown.first < shown.count)
      position[i] = shown.steps[step->number - shown.first];
    else
      carry_step(t, step, position, out);
  }
  free(own);
  return t->ok;
}
