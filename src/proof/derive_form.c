/* Programs in another form: loops unrolled, split or in blocks, dead statements, swapped
 * neighbours; and loops that each run runs by itself. */
#include <string.h>

#include "proof/derive.h"
#include "term/build.h"

/* ---- loops ---------------------------------------------------------------------------------- */

/* The same loop with another guard and body, its index still known. */
static const struct core *loop_like(struct prover *p, const struct core *c, term_id guard,
                                    const struct core *body) {
  struct arena *arena = kernel_arena(p->k);
  if (c->var == TERM_NONE) return core_while(arena, c->span, guard, body);
  return core_for(arena, c->span, guard, body, c->var, c->args[0], c->args[1]);
}

/* if b {c; while b c}: the first iteration by the steps of its own scope. */
static proof_of derive_unrolled(struct prover *p, struct walk *at, const struct core *c,
                                struct script_scope *s, struct script_scope *steps, term_id post) {
  struct arena *arena = kernel_arena(p->k);
  proof_of rest = derive_loop_in(p, at, c, s, post);
  proof_of first =
      rest ? derive_scope(p, at, c->first, steps, at->invariant, judgement_pre(rest)) : NULL;
  proof_of then = first ? step_seq(p, first, rest) : NULL;
  const struct core *once =
      core_if(arena, c->span, c->expr, core_seq(arena, c->first, c), core_skip());
  proof_of j = then ? step_cond(p, once, once, then, step_skip(p, post)) : NULL;
  j = j ? step_equiv_unroll(p, 1, c, j) : NULL;
  return j ? step_equiv_unroll(p, 2, c, j) : NULL;
}

/* while b and p {c}; while b {c} */
static proof_of derive_split(struct prover *p, struct walk *at, const struct core *c,
                             struct script_scope *s, struct script_scope *steps, term_id when,
                             term_id post) {
  proof_of rest = derive_loop_in(p, at, c, s, post);
  const struct core *part = loop_like(p, c, term_and(p->ts, c->expr, when), c->first);
  proof_of first = rest ? derive_loop_in(p, at, part, steps, judgement_pre(rest)) : NULL;
  proof_of j = first ? step_seq(p, first, rest) : NULL;
  j = j ? step_equiv_split(p, 1, c, when, j) : NULL;
  return j ? step_equiv_split(p, 2, c, when, j) : NULL;
}

/* while b {c; while b and p {c}}: the inner loop is the last one of the scope. */
static proof_of derive_blocks(struct prover *p, struct walk *at, const struct core *c,
                              struct script_scope *s, term_id when, term_id post) {
  const struct core *more = loop_like(p, c, term_and(p->ts, c->expr, when), c->first);
  const struct core *blocks =
      loop_like(p, c, c->expr, core_seq(kernel_arena(p->k), c->first, more));
  proof_of j = derive_loop_in(p, at, blocks, s, post);
  j = j ? step_equiv_block(p, 1, c, when, j) : NULL;
  return j ? step_equiv_block(p, 2, c, when, j) : NULL;
}

static const struct core *first_loop(const struct core *c) {
  for (; c->kind == CORE_SEQ; c = c->second)
    if (c->first->kind == CORE_WHILE) return c->first;
  return c->kind == CORE_WHILE ? c : NULL;
}

/* That the loop ends: its variant and what the proof says of its memory. */
static void note_ending(struct prover *p, const struct core *c, const struct script_scope *s,
                        bool with_invariants) {
  term_id variant = TERM_NONE, known = TERM_NONE;
  if (s->variant) variant = prover_program_term(p, s->variant, SORT_INT);
  for (size_t i = 0; with_invariants && i < s->invariant_count && !p->error; i++) {
    term_id f = prover_program_term(p, s->invariants[i], SORT_BOOL);
    known = known == TERM_NONE ? f : term_and(p->ts, known, f);
  }
  if (p->error || (variant == TERM_NONE && known == TERM_NONE)) return;
  vec_push(&p->variant_loops, c);
  vec_push(&p->variants, variant);
  vec_push(&p->ranges, known);
}

/* f := false; while f or b {..}: one iteration of the inner loop each. The scope of the inner loop
 * says why that one ends. */
static proof_of derive_flat(struct prover *p, struct walk *at, const struct core *c,
                            struct script_scope *s, const struct ast_name *name, term_id post) {
  const struct translate_binding *b = translate_find(p->env, name->text);
  const struct core *flat = b ? equiv_flat(p->k, c, b->term) : NULL;
  if (!flat) return prover_fail(p, name->span, "there is no loop in this loop");
  note_ending(p, c, s, false);
  struct script_scope *inner = script_find_loop(s, NULL, 1);
  if (inner) note_ending(p, first_loop(c->first), inner, true);
  s->variant = NULL;
  proof_of loop = p->error ? NULL : derive_loop_in(p, at, flat->second, s, post);
  proof_of start = loop ? derive(p, at, flat->first, judgement_pre(loop)) : NULL;
  proof_of j = start ? step_seq(p, start, loop) : NULL;
  j = j ? step_equiv_flatten(p, 1, c, b->term, j) : NULL;
  return j ? step_equiv_flatten(p, 2, c, b->term, j) : NULL;
}

proof_of derive_form(struct prover *p, struct walk *at, const struct core *c,
                     struct script_scope *s, term_id post) {
  struct script_scope plain = *s; /* the same loop as it stands; its ghosts are bound already */
  plain.form = NULL;
  plain.ghost_count = 0;
  plain.keep = NULL;
  const struct script_form *form = s->form;
  term_id when = form->condition ? prover_program_term(p, form->condition, SORT_BOOL) : TERM_NONE;
  if (p->error) return NULL;
  switch (form->kind) {
  case FORM_UNROLL: return derive_unrolled(p, at, c, &plain, form->first, post);
  case FORM_SPLIT: return derive_split(p, at, c, &plain, form->first, when, post);
  case FORM_BLOCK: return derive_blocks(p, at, c, &plain, when, post);
  case FORM_FLATTEN: return derive_flat(p, at, c, &plain, &form->flag, post);
  }
  return NULL;
}

/* The body of one run keeps the invariant. */
static proof_of derive_loop_side(struct prover *p, struct walk *at, unsigned run,
                                 const struct core *c, struct script_scope *s, term_id invariant) {
  struct walk inner = {.scope = s, .outer = at, .invariant = invariant};
  proof_of body = derive_side(p, &inner, run, c->first, invariant);
  if (!body) return NULL;
  term_id pre = term_and(p->ts, invariant, kernel_tag(p->k, c->expr, run));
  body = step_conseq(p, s->span, pre, invariant, judgement_delta(body), body);
  struct loop_variants variants = prover_variants(p);
  return body ? step_while_side(p, run, c, invariant, body, &variants) : NULL;
}

/* Run 1 to the end, then run 2. */
proof_of derive_loop_alone(struct prover *p, struct walk *at, const struct core *c,
                           struct script_scope *s, term_id invariant) {
  term_id ended = term_not(p->ts, kernel_tag(p->k, c->expr, 1));
  proof_of right = derive_loop_side(p, at, 2, c, s, term_and(p->ts, invariant, ended));
  proof_of left = right ? derive_loop_side(p, at, 1, c, s, invariant) : NULL;
  return left ? step_seq(p, left, right) : NULL;
}

/* Together as long as both runs are in the loop, then as above. The body is that of both runs. */
proof_of derive_loop_apart(struct prover *p, struct walk *at, const struct core *c,
                           struct script_scope *s, term_id invariant, proof_of body) {
  struct terms *ts = p->ts;
  term_id b1 = kernel_tag(p->k, c->expr, 1), b2 = kernel_tag(p->k, c->expr, 2);
  term_id ended = term_and(ts, invariant, term_not(ts, b1));
  term_id left_over = term_and(ts, invariant, term_not(ts, term_and(ts, b1, b2)));
  proof_of right = derive_loop_side(p, at, 2, c, s, ended);
  proof_of left = right ? derive_loop_side(p, at, 1, c, s, left_over) : NULL;
  left = left
             ? step_conseq(p, s->span, left_over, judgement_pre(right), judgement_delta(left), left)
             : NULL;
  proof_of rest = left ? step_seq(p, left, right) : NULL;
  term_id outside[] = {invariant, term_not(ts, b1), term_not(ts, b2)};
  rest = rest ? step_conseq(p, s->span, left_over, term_and_all(ts, outside, 3),
                            judgement_delta(rest), rest)
              : NULL;
  return rest ? step_while_apart(p, c, c, invariant, body, rest) : NULL;
}

/* ---- statements ----------------------------------------------------------------------------- */

/* Does c write something, and only variables that are named? */
static bool writes_only(struct prover *p, const struct core *c, const struct ast_name *names,
                        size_t count) {
  term_list written = {0};
  core_writes(c, &written);
  bool only = written.len > 0;
  for (size_t i = 0; i < written.len && only; i++) {
    const char *variable = term_var_get(p->ts, written.at[i])->name;
    only = false;
    for (size_t n = 0; n < count; n++)
      only |= names_variable(names[n].text, variable);
  }
  vec_clear(&written);
  return only;
}

bool rewrite_is_dead(struct prover *p, struct walk *at, const struct core *c) {
  if (c->kind == CORE_SEQ) return false;
  for (; at; at = at->outer)
    for (size_t i = 0; at->scope && i < at->scope->rewrite_count; i++) {
      const struct script_rewrite *r = &at->scope->rewrites[i];
      if (r->kind == REWRITE_DEAD && writes_only(p, c, r->names, r->count)) return true;
    }
  return false;
}

bool rewrite_is_swapped(struct prover *p, struct walk *at, const struct core *before,
                        const struct core *c) {
  for (size_t i = 0; at->scope && i < at->scope->rewrite_count; i++) {
    const struct script_rewrite *r = &at->scope->rewrites[i];
    if (r->kind == REWRITE_SWAP && writes_only(p, before, &r->names[0], 1) &&
        writes_only(p, c, &r->names[1], 1))
      return true;
  }
  return false;
}

proof_of derive_dead(struct prover *p, struct walk *at, const struct core *c, term_id post) {
  struct loop_variants variants = prover_variants(p);
  walk_pass(p, at, c);
  proof_of j = step_equiv_dead(p, 2, c, &variants, step_skip(p, post));
  return j ? step_equiv_dead(p, 1, c, &variants, j) : NULL;
}

proof_of derive_swapped(struct prover *p, struct walk *at, const struct core *before,
                        const struct core *c, term_id post) {
  proof_of second = derive(p, at, before, post);
  proof_of first = second ? derive(p, at, c, judgement_pre(second)) : NULL;
  proof_of j = first ? step_seq(p, first, second) : NULL;
  j = j ? step_equiv_swap(p, 1, j) : NULL;
  return j ? step_equiv_swap(p, 2, j) : NULL;
}
