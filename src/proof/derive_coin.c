/* Coins: couplings in which run 2 has one sample whatever run 1 has, couplings by cases, and runs
 * that part at a branch because only one of them goes on to sample. */
#include "proof/derive.h"
#include "proof/plain.h"
#include "term/build.h"

static const char *relation(struct prover *p, const struct core *c, term_id value) {
  char *text = plain_text(p->ts, value);
  const char *words = arena_printf(p->arena, "%s<2> = %s", term_var_get(p->ts, c->var)->name, text);
  free(text);
  return words;
}

/* `meet w cost c otherwise d` */
proof_of derive_meet(struct prover *p, const struct core *c, struct script_sample *s,
                     term_id post) {
  term_id value = prover_formula(p, s->args[0], SORT_BOOL);
  term_id yes = p->error ? TERM_NONE : prover_formula(p, s->args[1], SORT_REAL);
  term_id no = p->error ? TERM_NONE : prover_formula(p, s->args[2], SORT_REAL);
  if (p->error) return NULL;
  proof_of j = step_sample_meet(p, c, c, value, yes, no, post);
  prover_add_case(p, j, kernel_tag(p->k, c->var, 1), relation(p, c, value), yes);
  prover_add_case(p, j, TERM_NONE, relation(p, c, value), no);
  return j;
}

/* `if f then coupling else coupling`: the rule CASE at this sampling. */
proof_of derive_by_cases(struct prover *p, const struct core *c, struct script_sample *s,
                         term_id post) {
  term_id condition = prover_formula(p, s->args[0], SORT_BOOL);
  if (p->error) return NULL;
  proof_of yes = derive_coupling(p, c, s->branch[0], post);
  proof_of no = yes ? derive_coupling(p, c, s->branch[1], post) : NULL;
  proof_of j = no ? step_case(p, s->span, condition, yes, no) : NULL;
  return prover_note_cases(p, j, condition);
}

/* `aim w cost c`, where run 2 samples alone */
proof_of derive_aim(struct prover *p, const struct core *c, struct script_sample *s, term_id post) {
  term_id value = prover_formula(p, s->aim, SORT_NONE);
  term_id cost = p->error ? TERM_NONE : prover_formula(p, s->aim_cost, SORT_REAL);
  if (p->error) return NULL;
  s->used++;
  proof_of j = step_sample_aim(p, c, value, cost, post);
  prover_add_case(p, j, TERM_NONE, relation(p, c, value), cost);
  return prover_note(p, j, "run 2 alone gets this sample");
}

bool branches_part(struct prover *p, struct walk *at, const struct core *c) {
  switch (c->kind) {
  case CORE_SAMPLE: {
    const struct script_sample *s = walk_step(at, term_var_get(p->ts, c->var)->name, 0);
    return s && s->aim;
  }
  case CORE_SEQ:
  case CORE_IF: return branches_part(p, at, c->first) || branches_part(p, at, c->second);
  default: return false;
  }
}

/* One branch in run 1 against the other in run 2. */
static proof_of derive_apart(struct prover *p, struct walk *at, const struct core *one,
                             const struct core *two, term_id post) {
  proof_of right = derive_side(p, at, 2, two, post);
  proof_of left = right ? derive_side(p, at, 1, one, judgement_pre(right)) : NULL;
  return left ? step_seq(p, left, right) : NULL;
}

/* All four combinations: the same branch is coupled, different ones run each for itself. */
proof_of derive_parted(struct prover *p, struct walk *at, const struct core *c, term_id post) {
  proof_of ee = derive(p, at, c->second, post); /* numbered from the end */
  proof_of tt = ee ? derive(p, at, c->first, post) : NULL;
  at->branches--;
  proof_of te = tt ? derive_apart(p, at, c->first, c->second, post) : NULL;
  proof_of et = te ? derive_apart(p, at, c->second, c->first, post) : NULL;
  proof_of then = et ? step_cond_side(p, 2, c, tt, te) : NULL;
  proof_of otherwise = then ? step_cond_side(p, 2, c, et, ee) : NULL;
  return otherwise ? step_cond_side(p, 1, c, then, otherwise) : NULL;
}
