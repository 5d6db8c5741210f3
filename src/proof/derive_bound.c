/* Claims of accuracy: walks the program backwards and calls the rules of the union bound. */
#include "proof/derive.h"

#include "proof/cancel.h"
#include "proof/one_run.h"
#include "term/build.h"
#include "term/subst.h"

static bound_of derive_bound(struct prover *p, struct walk *at, const struct core *c, term_id post);

static bound_of fail(struct prover *p, struct span span, const char *message) {
  prover_fail(p, span, "%s", message);
  return NULL;
}

/* ---- samplings -------------------------------------------------------------------------------- */

/* The tail itself, where it depends on parameters alone. */
static term_id whole_tail(struct prover *p, const struct core *c, enum tail tail, term_id t) {
  term_list args = {0};
  for (size_t i = 0; i < c->arg_count; i++)
    vec_push(&args, kernel_tag(p->k, c->args[i], 1));
  term_id mass = dist_tail(p->ts, c->dist, args.at, tail, t);
  vec_clear(&args);
  return mass;
}

static bound_of derive_tail(struct prover *p, const struct core *c, struct script_sample *s,
                            term_id post) {
  enum tail tail = (enum tail)s->upto_tail;
  term_id t = prover_formula(p, s->args[0], SORT_NONE), beta = TERM_NONE;
  if (p->error) return NULL;
  if (!dist_has_tail(c->dist))
    return fail(p, s->span, "such noise has no tails: say `failure p` if some samples are bad");
  beta = s->arg_count > 1 ? prover_formula(p, s->args[1], SORT_REAL) : whole_tail(p, c, tail, t);
  return p->error ? NULL : step_tail(p, 1, c, tail, t, beta, post);
}

static bound_of derive_bound_sample(struct prover *p, struct walk *at, const struct core *c,
                                    term_id post) {
  struct script_sample *s = sample_step(p, at, c);
  if (!s) return step_bound_sample(p, c, post);
  s->used++;
  if (s->kind == COUPLING_TAIL) return derive_tail(p, c, s, post);
  if (s->kind != COUPLING_CHANCE)
    return fail(
        p, s->span,
        "this step is for claims of privacy: in one of accuracy say `above t`, `below t` or "
        "`both t`, the distance that the noise may have, or `failure p`");
  term_id beta = prover_formula(p, s->args[0], SORT_REAL);
  return p->error ? NULL : step_bound_coin(p, c, beta, post);
}

/* ---- loops ------------------------------------------------------------------------------------ */

/* Can an iteration fail, by what is said of its samplings? */
static bool may_fail(const struct script_scope *s) {
  bool found = false;
  for (size_t i = 0; s && i < s->sample_count; i++)
    found |= s->samples[i].kind == COUPLING_TAIL || s->samples[i].kind == COUPLING_CHANCE;
  for (size_t i = 0; s && i < s->loop_count; i++)
    found |= may_fail(s->loops[i]);
  return found;
}

/* The index stays in its range; what the enclosing loop keeps, if this one does not write it; and
 * what the proof says. */
static term_id loop_invariant(struct prover *p, const struct walk *at, const struct core *c,
                              const struct script_scope *s) {
  struct terms *ts = p->ts;
  term_id all = term_bool(ts, true);
  if (c->var != TERM_NONE) {
    term_id i = kernel_tag(p->k, c->var, 1), low = kernel_tag(p->k, c->args[0], 1),
            high = kernel_tag(p->k, c->args[1], 1);
    term_id upto = term_or(ts, term_le(ts, i, high), term_eq(ts, i, low));
    all = step_label(p, term_and(ts, term_le(ts, low, i), upto), "aHL-WHILE", c->span,
                     "the index stays in its range");
  }
  if (!s || !s->only) all = term_and(ts, all, invariant_untouched(p, at->invariant, c));
  for (size_t i = 0; s && i < s->invariant_count && !p->error; i++) {
    term_id t = prover_formula(p, s->invariants[i], SORT_BOOL);
    if (!p->error)
      all = term_and(
          ts, all,
          step_label(p, t, "aHL-WHILE", s->invariants[i]->span, "the invariant of the loop"));
  }
  return all;
}

/* The body from `pre`, which loops in it keep where they do not touch it, to `post`. */
static bound_of derive_bound_body(struct prover *p, struct walk *at, const struct core *c,
                                  struct script_scope *s, term_id pre, term_id post) {
  struct ptrmap seen;
  ptrmap_init(&seen);
  struct walk inner = {.scope = s, .outer = at, .seen = &seen, .invariant = pre, .code = c->first};
  walk_count(p, &inner, c->first);
  bound_of body = derive_bound(p, &inner, c->first, post);
  ptrmap_clear(&seen);
  return body ? step_bound_conseq(p, s ? s->span : c->span, pre, post, ahl_beta(body), body) : NULL;
}

/* How many iterations there are: as the proof says, or those of a `for` between constants. */
static bool count_iterations(struct prover *p, const struct core *c, const struct script_scope *s,
                             term_id *variant, term_id *most) {
  if (s->counted) {
    *variant = prover_program_term(p, s->counted->variant, SORT_INT);
    *most = p->error ? TERM_NONE : prover_formula(p, s->counted->most, SORT_INT);
    return !p->error;
  }
  if (c->var == TERM_NONE) {
    prover_incomplete(
        p, c->span,
        "how often can this loop run? Say `counted v at most n`: v decreases in every "
        "iteration, and is n or less at the start");
    return false;
  }
  *variant = term_sub(p->ts, c->args[1], c->var);
  *most = term_sub(p->ts, c->args[1], c->args[0]);
  return true;
}

/* An iteration fails with some probability: all of them add up. */
static bound_of derive_counted(struct prover *p, struct walk *at, const struct core *c,
                               struct script_scope *s, term_id invariant) {
  struct terms *ts = p->ts;
  term_id variant, most;
  if (!count_iterations(p, c, s, &variant, &most)) return NULL;
  term_id count = step_fresh(p, "k", SORT_INT), v = kernel_tag(p->k, variant, 1);
  term_id inside[] = {invariant, kernel_tag(p->k, c->expr, 1), term_eq(ts, v, count)};
  bound_of body = derive_bound_body(p, at, c, s, term_and_all(ts, inside, 3),
                                    term_and(ts, invariant, term_lt(ts, v, count)));
  return body ? step_bound_while(p, c, invariant, variant, count, most, body) : NULL;
}

/* An iteration fails with a probability that depends on how many are still to come. */
static bound_of derive_each(struct prover *p, struct walk *at, const struct core *c,
                            struct script_scope *s, term_id invariant) {
  struct terms *ts = p->ts;
  const struct script_deltas *d = s->deltas;
  term_id count = step_fresh(p, d->count.text, SORT_INT), most = TERM_NONE, total = TERM_NONE;
  term_id variant = prover_program_term(p, d->variant, SORT_INT);
  if (!p->error) most = prover_formula(p, d->most, SORT_INT);
  translate_bind(p->env, NULL, d->count.text, count, false, TERM_NONE);
  if (!p->error) total = prover_formula(p, d->total, SORT_REAL);
  if (p->error) return NULL;
  term_id v = kernel_tag(p->k, variant, 1);
  term_id inside[] = {invariant, kernel_tag(p->k, c->expr, 1), term_eq(ts, v, count)};
  bound_of body = derive_bound_body(p, at, c, s, term_and_all(ts, inside, 3),
                                    term_and(ts, invariant, term_lt(ts, v, count)));
  return body ? step_bound_while_each(p, c, invariant, variant, count, most, total, body) : NULL;
}

static bound_of derive_sure(struct prover *p, struct walk *at, const struct core *c,
                            struct script_scope *s, term_id invariant) {
  term_id inside = term_and(p->ts, invariant, kernel_tag(p->k, c->expr, 1));
  bound_of body = derive_bound_body(p, at, c, s, inside, invariant);
  return body ? step_bound_while_sure(p, c, invariant, body) : NULL;
}

/* t with e^t = odds, as a person would write it. */
static term_id exponent_of(struct terms *ts, term_id odds) {
  term_id q = factors_cancelled(ts, odds);
  if (q != TERM_NONE && term_kind(ts, q) == TERM_EXP) return term_arg(ts, q, 0);
  return term_ln(ts, factors_cancelled_outside(ts, odds));
}

static struct ahl_total total_of(struct prover *p, const struct script_total *s) {
  struct terms *ts = p->ts;
  struct ahl_total t = {.tail = (enum tail)s->tail, .restarts = TERM_NONE, .blocks = TERM_NONE};
  t.sum = prover_formula(p, s->sum, SORT_NONE);
  if (!p->error) t.within = prover_formula(p, s->within, SORT_NONE);
  if (!p->error) t.scale = prover_formula(p, s->scale, SORT_NONE);
  if (!p->error) t.left = prover_formula(p, s->left, SORT_NONE);
  if (!p->error) t.draws = prover_formula(p, s->draws, SORT_NONE);
  if (!p->error && s->restarts) t.restarts = prover_formula(p, s->restarts, SORT_NONE);
  if (!p->error && s->restarts) t.blocks = prover_formula(p, s->blocks, SORT_NONE);
  if (!p->error) t.failure = prover_formula(p, s->failure, SORT_REAL);
  if (p->error) return t;
  term_id starts =
      t.blocks == TERM_NONE ? term_int(ts, 1) : term_add(ts, t.blocks, term_int(ts, 1));
  term_id ways = term_mul(ts, term_int(ts, t.tail == TAIL_BOTH ? 2 : 1), starts);
  t.exponent = exponent_of(ts, term_div(ts, ways, t.failure));
  return t;
}

/* Noise adds up: its sums stay within bounds, and the invariant may rest on that. */
static bound_of derive_totals(struct prover *p, struct walk *at, const struct core *c,
                              struct script_scope *s, term_id invariant) {
  struct terms *ts = p->ts;
  struct ahl_total *totals = arena_alloc(kernel_arena(p->k), s->total_count * sizeof *totals);
  for (size_t i = 0; i < s->total_count && !p->error; i++)
    totals[i] = total_of(p, &s->totals[i]);
  if (p->error) return NULL;
  if (may_fail(s))
    return fail(p, s->totals[0].span,
                "no sampling of this loop may fail: the sums pay for all of its noise");
  term_id near = ahl_total_near(p->k, totals, s->total_count);
  term_id inside[] = {invariant, near, kernel_tag(p->k, c->expr, 1)};
  term_id post = term_and(ts, term_implies(ts, near, invariant),
                          ahl_total_counts(p->k, totals, s->total_count));
  if (near == TERM_NONE || post == TERM_NONE)
    return fail(p, s->totals[0].span, "the sum and its counts must be numbers of the program");
  bound_of body = derive_bound_body(p, at, c, s, term_and_all(ts, inside, 3), post);
  return body ? step_bound_while_total(p, c, invariant, totals, s->total_count, body) : NULL;
}

static bound_of derive_bound_loop(struct prover *p, struct walk *at, const struct core *c,
                                  term_id post) {
  struct script_scope *s = scope_of_loop(p->ts, at->scope, c, at->loops--);
  if (s) s->used++;
  name_index(p->env, c);
  term_id invariant = loop_invariant(p, at, c, s);
  note_termination(p, c, s);
  if (p->error) return NULL;
  bound_of loop = s && s->total_count ? derive_totals(p, at, c, s, invariant)
                  : s && s->deltas    ? derive_each(p, at, c, s, invariant)
                  : may_fail(s)       ? derive_counted(p, at, c, s, invariant)
                                      : derive_sure(p, at, c, s, invariant);
  for (size_t i = 0; loop && s && i < s->frame_count; i++) {
    term_id f = prover_formula(p, s->frames[i], SORT_BOOL);
    bound_of frame = p->error ? NULL : step_bound_frame(p, c, f);
    loop = frame ? step_bound_and(p, loop, frame) : NULL;
  }
  if (!loop) return NULL;
  return step_bound_conseq(p, s ? s->span : c->span, ahl_pre(loop), post, ahl_beta(loop), loop);
}

/* ---- the program ------------------------------------------------------------------------------ */

/* From its end; long ones must not nest the stack. */
static bound_of derive_bound_sequence(struct prover *p, struct walk *at, const struct core *c,
                                      term_id post) {
  const struct core *whole = c;
  VEC(const struct core *) parts = {0};
  for (; c->kind == CORE_SEQ; c = c->second)
    vec_push(&parts, c->first);
  vec_push(&parts, c);
  bound_of all = NULL;
  for (size_t i = parts.len; i-- > 0;) {
    term_id goal = all ? ahl_pre(all) : post;
    size_t first = i;
    const struct script_law *law = law_ending(p, at, parts.at, i, &first);
    bound_of one = law ? derive_contest(p, at, sequence_of(p, parts.at, first, i), law, goal)
                       : derive_bound(p, at, parts.at[i], goal);
    i = first;
    all = !one ? NULL : all ? step_bound_seq(p, one, all) : one;
    all = derive_bound_unfused(p, whole, i, all);
    if (!all) break;
  }
  vec_clear(&parts);
  return all;
}

static bound_of derive_bound(struct prover *p, struct walk *at, const struct core *c,
                             term_id post) {
  switch (c->kind) {
  case CORE_SKIP: return step_bound_skip(p, post);
  case CORE_ASSIGN: return step_bound_assign(p, c, post);
  case CORE_SAMPLE: return derive_bound_sample(p, at, c, post);
  case CORE_SEQ: return derive_bound_sequence(p, at, c, post);
  case CORE_IF: { /* statements are numbered in the order of the text */
    bound_of otherwise = derive_bound(p, at, c->second, post);
    bound_of then = otherwise ? derive_bound(p, at, c->first, post) : NULL;
    return then ? step_bound_cond(p, fused_origin(p, c), then, otherwise) : NULL;
  }
  case CORE_WHILE: return derive_bound_loop(p, at, c, post);
  case CORE_ADVERSARY: break;
  }
  return fail(p, c->span, "claims of accuracy are not for mechanisms with adversaries");
}

bound_of derive_accuracy(struct prover *p, struct script_scope *script) {
  if (script && (script->admit || script->cases || script->backward || script->pointwise.text))
    return fail(p, script->span,
                "`admit`, `case`, `backward` and `pointwise` are for claims of privacy");
  p->script = p->top = script;
  if (!derive_lemmas(p)) return NULL;
  const struct core *program = derive_fused(p, claim_program(p->claim)->program);
  struct ptrmap seen;
  ptrmap_init(&seen);
  struct walk top = {.scope = script, .seen = &seen, .invariant = TERM_NONE, .code = program};
  walk_count(p, &top, program);
  bound_of b = derive_bound(p, &top, program, claim_post(p->claim));
  ptrmap_clear(&seen);
  return b ? step_bound_conseq(p, script ? script->span : claim_decl(p->claim)->span,
                               claim_pre(p->claim), claim_post(p->claim), claim_epsilon(p->claim),
                               b)
           : NULL;
}
