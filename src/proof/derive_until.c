/* `loop { until a; .. }`: a loop that draws until something is accepted (UNTIL), with the round
 * before it if there is one. The steps are those of a round; a is what acceptance costs. */
#include <string.h>

#include "proof/cancel.h"
#include "proof/derive.h"
#include "proof/one_run.h"
#include "proof/plain.h"
#include "term/build.h"
#include "term/subst.h"

/* The value that the guard says a flag has, if it does; else TERM_NONE. */
static term_id flag_value(struct terms *ts, term_id guard, term_id flag) {
  term_list parts = {0};
  term_id value = TERM_NONE;
  term_conjuncts(ts, guard, &parts);
  for (size_t i = 0; i < parts.len; i++) {
    if (parts.at[i] == flag) value = term_bool(ts, true);
    if (parts.at[i] == term_not(ts, flag)) value = term_bool(ts, false);
  }
  vec_clear(&parts);
  return value;
}

const struct core *until_round(struct kernel *k, const struct core *loop) {
  struct terms *ts = kernel_terms(k);
  const struct core *round = loop->first;
  term_list written = {0};
  core_writes(loop->first, &written);
  for (size_t i = 0; i < written.len; i++) {
    term_id x = written.at[i];
    bool open = core_reads_old(ts, round, x) || !core_sets(round, x);
    term_id value =
        open && term_sort(ts, x) == SORT_BOOL ? flag_value(ts, loop->expr, x) : TERM_NONE;
    if (value != TERM_NONE)
      round = core_seq(kernel_arena(k), core_assign(kernel_arena(k), loop->span, x, value), round);
  }
  vec_clear(&written);
  return round;
}

static bool begins(struct prover *p, const struct core *first, const struct core *round) {
  term_list names = {0};
  bool is = until_begins(p->k, first, round, &names);
  vec_clear(&names);
  return is;
}

struct script_scope *until_ending(struct prover *p, const struct walk *at,
                                  const struct core *const *list, size_t last, size_t *first) {
  if (list[last]->kind != CORE_WHILE) return NULL;
  struct script_scope *s = scope_of_loop(p->ts, at->scope, list[last], at->loops);
  if (!s || !s->until) return NULL;
  const struct core *round = until_round(p->k, list[last]);
  *first = last;
  for (size_t from = last; from-- > 0 && list[from]->kind != CORE_WHILE && *first == last;)
    if (begins(p, sequence_of(p, list, from, last - 1), round)) *first = from;
  return s;
}

static void note_acceptance(struct prover *p, proof_of j, term_id accept) {
  if (!j) return;
  note_of(&p->notes, p->arena, j)->cost = accept;
  char *price = plain_text(p->ts, factors_cancelled(p->ts, accept));
  if (strcmp(price, "0") == 0)
    prover_note(p, j, "rounds until one is accepted: as often in both runs");
  else
    prover_note(p, j, "rounds until one is accepted: that run 2 does costs %s", price);
  free(price);
}

proof_of derive_until(struct prover *p, struct walk *at, const struct core *c,
                      struct script_scope *s, term_id post) {
  struct terms *ts = p->ts;
  const struct core *loop = c;
  while (loop->kind == CORE_SEQ)
    loop = loop->second;
  const struct core *round = until_round(p->k, loop);
  s->used++;
  note_termination(p, loop, s);
  term_id accept = prover_formula(p, s->until, SORT_REAL);
  walk_pass(p, at, c);
  if (p->error) return NULL;
  term_id accepted = term_not(ts, kernel_tag(p->k, loop->expr, 1)),
          as_well = term_not(ts, kernel_tag(p->k, loop->expr, 2));
  term_id kept = invariant_untouched(p, at->invariant, c);
  proof_of forward =
      derive_scope(p, at, round, s, kept, term_implies(ts, accepted, term_and(ts, as_well, post)));
  if (!forward) return NULL;
  struct kernel *own = p->k;
  p->k = claim_kernel(p->claim, claim_opposite(prover_direction(p, own)));
  proof_of backward = derive_scope(p, at, round, s->backward ? s->backward : s,
                                   term_swap_runs(ts, kept), term_implies(ts, accepted, as_well));
  if (!backward) return NULL; /* the failure is in this context */
  p->k = own;
  struct loop_variants variants = prover_variants(p);
  proof_of j = step_until(p, loop->span, c, accept, post, forward, backward, &variants);
  note_acceptance(p, j, accept);
  return j ? step_conseq(p, s->span, judgement_pre(j), post, judgement_delta(j), j) : NULL;
}
