/* `fuse z;`: the loop that fills z is a part of the loop that reads it (EQUIV-FUSE).
 *
 * The code of a scope is fused before it is walked, so that what is walked is what is numbered; where
 * the walk comes to the place of a loop that is not there any more, the rule puts it back. */
#include "proof/derive.h"

typedef VEC(const struct core *) command_list;

static void open_sequence(const struct core *c, command_list *out) {
  for (; c->kind == CORE_SEQ; c = c->second)
    vec_push(out, c->first);
  vec_push(out, c);
}

static bool fills(const struct prover *p, const struct core *loop, const char *name) {
  return loop->kind == CORE_WHILE && written_as(p->ts, loop, name) != TERM_NONE;
}

/* Fuses one loop of the list, at or after *from, which becomes its place; false: there is none. The
 * order matters: a loop that is put back must not be in what was put back before. */
static bool fuse_one(struct prover *p, command_list *list, struct script_rewrite *step,
                     size_t *from) {
  for (size_t i = *from; i + 2 < list->len; i++) {
    if (!fills(p, list->at[i + 1], step->names[0].text)) continue;
    const struct core *there = sequence_of(p, list->at, i, list->len - 1);
    const struct core *here = equiv_fused(p->k, there, &step->why);
    if (!here) continue;
    vec_push(&p->fusions, ((struct fusion_place){NULL, i, there}));
    list->len = i;
    open_sequence(here, list);
    *from = i;
    step->why = NULL;
    step->used++;
    return true;
  }
  return false;
}

static const struct core *fused_branches(struct prover *p, const struct core *c) {
  const struct core *yes = derive_fused(p, c->first), *no = derive_fused(p, c->second);
  if (yes == c->first && no == c->second) return c;
  const struct core *branch = core_if(kernel_arena(p->k), c->span, c->expr, yes, no);
  vec_push(&p->fused_branches, ((struct fusion_branch){branch, c}));
  return branch;
}

static const struct core *fused_sequence(struct prover *p, const struct core *c) {
  command_list list = {0};
  size_t from = 0, before = p->fusions.len;
  bool changed = false;
  open_sequence(c, &list);
  for (size_t i = 0; i < p->top->rewrite_count; i++)
    if (p->top->rewrites[i].kind == REWRITE_FUSE)
      changed |= fuse_one(p, &list, &p->top->rewrites[i], &from);
  size_t after = p->fusions.len;
  for (size_t i = 0; i < list.len; i++) {
    if (list.at[i]->kind != CORE_IF) continue;
    const struct core *branch = fused_branches(p, list.at[i]);
    changed |= branch != list.at[i];
    list.at[i] = branch;
  }
  const struct core *whole = changed ? sequence_of(p, list.at, 0, list.len - 1) : c;
  for (size_t i = before; i < after; i++)
    p->fusions.at[i].sequence = whole;
  vec_clear(&list);
  return whole;
}

const struct core *derive_fused(struct prover *p, const struct core *c) {
  bool asked = false;
  for (size_t i = 0; p->top && i < p->top->rewrite_count; i++)
    asked |= p->top->rewrites[i].kind == REWRITE_FUSE;
  if (!asked) return c;
  return c->kind == CORE_SEQ ? fused_sequence(p, c) : c->kind == CORE_IF ? fused_branches(p, c) : c;
}

const struct core *fused_origin(const struct prover *p, const struct core *branch) {
  for (size_t i = 0; i < p->fused_branches.len; i++)
    if (p->fused_branches.at[i].here == branch) return p->fused_branches.at[i].there;
  return branch;
}

proof_of derive_unfused(struct prover *p, const struct core *sequence, size_t index, proof_of j) {
  for (size_t i = p->fusions.len; i-- > 0 && j;) {
    const struct fusion_place f = p->fusions.at[i];
    if (f.sequence != sequence || f.index != index) continue;
    j = step_equiv_fuse(p, 1, f.there, j);
    j = j ? step_equiv_fuse(p, 2, f.there, j) : NULL;
  }
  return j;
}

bound_of derive_bound_unfused(struct prover *p, const struct core *sequence, size_t index,
                              bound_of b) {
  for (size_t i = p->fusions.len; i-- > 0 && b;) {
    const struct fusion_place f = p->fusions.at[i];
    if (f.sequence == sequence && f.index == index) b = step_bound_fuse(p, f.there, b);
  }
  return b;
}
