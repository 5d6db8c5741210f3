/* `noise y from u: D(e, b)`: statements that amount to noise; `subsample u` may take the sampling
 * together with the loop before it. */
#include <string.h>

#include "proof/derive.h"
#include "proof/noise.h"

const struct script_noise *noise_ending(struct prover *p, const struct walk *at,
                                        const struct core *const *list, size_t last,
                                        size_t *first) {
  if (!at->scope || (list[last]->kind != CORE_ASSIGN && list[last]->kind != CORE_IF)) return NULL;
  for (size_t i = 0; i < at->scope->noise_count; i++) {
    const struct script_noise *n = &at->scope->noises[i];
    if (written_as(p->ts, list[last], n->result.text) == TERM_NONE) continue;
    for (size_t f = last; f-- > 0;)
      if (list[f]->kind == CORE_SAMPLE &&
          names_variable(n->from.text, term_var_get(p->ts, list[f]->var)->name)) {
        *first = f;
        return n;
      }
  }
  return NULL;
}

/* The sampling by its own step, or with the loop before it, which is then list[*first]. */
static proof_of derive_sampling(struct prover *p, struct walk *at, const struct core *const *list,
                                size_t *first, const struct core *sampling, term_id post) {
  size_t loop = loop_before(list, *first);
  const struct core *pair[] = {list[loop], sampling};
  const struct script_law *law = loop < *first ? law_ending(p, at, pair, 1, &(size_t){0}) : NULL;
  if (!law) return derive_sample(p, at, sampling, post);
  const struct core *before = sequence_of(p, list, loop, *first - 1);
  *first = loop;
  return derive_law(p, at, core_seq(kernel_arena(p->k), before, sampling), law, post);
}

proof_of derive_noise(struct prover *p, struct walk *at, const struct core *const *list,
                      size_t *first, size_t last, const struct script_noise *n, term_id post) {
  struct arena *arena = kernel_arena(p->k);
  struct hand_made made;
  term_id args[2] = {TERM_NONE, TERM_NONE};
  bool whole = dist_is_integer(n->dist.kind);
  for (size_t i = 0; i < n->dist.count && i < 2 && !p->error; i++)
    args[i] = prover_program_term(p, n->dist.args[i], whole && i == 0 ? SORT_INT : SORT_REAL);
  if (p->error) return NULL;
  if (!dist_is_centred(n->dist.kind) || n->dist.count != 2 ||
      !hand_made_read(p->ts, arena, list, *first, last, &made))
    return prover_fail(p, n->result.span,
                       "these statements do not compute noise from samples: the first has to be a "
                       "sampling, the last the assignment that uses the samples");
  term_id var = made.var;
  const struct core *block = sequence_of(p, list, *first, last), *tail = made.tail;
  const struct core *sampling = core_sample(arena, block->span, var, n->dist.kind, args, 2);
  hand_made_clear(&made);
  proof_of rest = derive(p, at, tail, post);
  if (!rest) return NULL;
  proof_of j = derive_sampling(p, at, list, first, sampling, judgement_pre(rest));
  walk_pass(p, at, block);
  if (j) walk_count(p, at, sampling); /* which has been passed already */
  j = j ? step_seq(p, j, rest) : NULL;
  block = sequence_of(p, list, *first, last);
  j = j ? step_equiv_noise(p, 1, block, j) : NULL;
  return j ? step_equiv_noise(p, 2, block, j) : NULL;
}
