#include <string.h>

#include "kernel/ahl.h"
#include "kernel/dist.h"
#include "proof/cancel.h"
#include "proof/derive.h"
#include "proof/plain.h"
#include "term/build.h"
#include "term/subst.h"

/* What the proof says about this sampling: the innermost scope that mentions it. */
struct script_sample *walk_step(struct walk *at, const char *variable, unsigned number) {
  for (bool own = true; at; at = at->outer, own = false) {
    struct script_sample *general = NULL;
    for (size_t i = 0; at->scope && i < at->scope->sample_count; i++) {
      struct script_sample *s = &at->scope->samples[i];
      if (!names_variable(s->name.text, variable)) continue;
      if (s->number == 0) general = s;
      if (own && s->number == number) return s;
    }
    if (general) return general;
  }
  return NULL;
}

/* The shift that costs nothing. */
static term_id centre_shift(struct prover *p, const struct core *c) {
  if (!dist_is_centred(c->dist)) return term_int(p->ts, 0);
  return term_sub(p->ts, kernel_tag(p->k, c->args[0], 2), kernel_tag(p->k, c->args[0], 1));
}

static const char *variable_name(struct prover *p, const struct core *c) {
  return term_var_get(p->ts, c->var)->name;
}

/* "t<2> = t<1> + 1" */
static const char *shift_relation(struct prover *p, const struct core *c, term_id shift) {
  const char *x = variable_name(p, c);
  char *by = plain_text(p->ts, shift);
  const char *text = strcmp(by, "0") == 0 ? arena_printf(p->arena, "%s<2> = %s<1>", x, x)
                     : *by == '-' ? arena_printf(p->arena, "%s<2> = %s<1> - %s", x, x, by + 1)
                                  : arena_printf(p->arena, "%s<2> = %s<1> + %s", x, x, by);
  free(by);
  return text;
}

/* How the samples are paired and what it costs, for explanations. */
void prover_add_case(struct prover *p, proof_of j, term_id when, const char *relation,
                     term_id cost) {
  if (!j) return;
  struct note *note = note_of(&p->notes, p->arena, j);
  note_add_case(note, p->arena, (struct note_case){when, relation, cost});
}

static proof_of derive_same(struct prover *p, const struct core *c, term_id post) {
  proof_of j = step_sample_same(p, c, c, post);
  prover_add_case(p, j, TERM_NONE, shift_relation(p, c, term_int(p->ts, 0)), term_int(p->ts, 0));
  return j;
}

static proof_of derive_default(struct prover *p, const struct core *c, term_id post) {
  bool same = true;
  for (size_t i = 0; i < c->arg_count; i++)
    same &= kernel_tag(p->k, c->args[i], 1) == kernel_tag(p->k, c->args[i], 2);
  if (same || !dist_is_centred(c->dist)) return derive_same(p, c, post);
  struct coupling_case only = {.when = TERM_NONE, .shift = centre_shift(p, c)};
  struct coupling how = {.sample = TERM_NONE, .cases = &only, .count = 1};
  proof_of j = step_sample_shift(p, c, c, &how, post);
  prover_add_case(p, j, TERM_NONE, shift_relation(p, c, only.shift), term_int(p->ts, 0));
  return prover_note(p, j, "run 2 moves with its own centre: costs nothing");
}

static void print_term(struct buffer *out, struct terms *ts, const char *before, term_id t) {
  buffer_puts(out, before);
  plain_print(out, ts, t);
}

/* "shift by 1: costs eps/2", case by case. The conditions speak of run 1's new sample. */
static void note_shift(struct prover *p, const struct core *c, proof_of j,
                       const struct coupling *how) {
  if (!j || c->arg_count != 2) return;
  term_id one[2], two[2], fresh = kernel_tag(p->k, c->var, 1);
  for (size_t i = 0; i < 2; i++) {
    one[i] = kernel_tag(p->k, c->args[i], 1);
    two[i] = kernel_tag(p->k, c->args[i], 2);
  }
  struct buffer out;
  buffer_init(&out);
  bool decided = false;
  for (size_t i = 0; i + 1 < how->count; i++)
    decided |= term_mentions(p->ts, how->cases[i].when, &how->sample, 1);
  for (size_t i = 0; i < how->count; i++) {
    const struct coupling_case *one_case = &how->cases[i];
    term_id when = one_case->when;
    if (when != TERM_NONE) when = term_subst(p->ts, when, &how->sample, &fresh, 1);
    if (i) buffer_puts(&out, "; ");
    if (when != TERM_NONE) print_term(&out, p->ts, "if ", when);
    if (how->count > 1) buffer_puts(&out, when != TERM_NONE ? ", " : "otherwise ");
    struct shift_cost cost =
        dist_shift_cost(p->ts, kernel_notion(p->k), c->dist, one, two, 2,
                        (struct shift){one_case->shift, one_case->bound, decided});
    print_term(&out, p->ts, "run 2 gets run 1's sample shifted by ", one_case->shift);
    print_term(&out, p->ts, ": costs ", factors_cancelled(p->ts, cost.cost));
    prover_add_case(p, j, when, shift_relation(p, c, one_case->shift), cost.cost);
  }
  prover_note(p, j, "%s", buffer_text(&out));
  buffer_clear(&out);
}

/* In conditions the sampled variable of run 1 means the new sample. */
static proof_of derive_shift(struct prover *p, const struct core *c, struct script_sample *s,
                             term_id post) {
  sort_id sort = dist_is_integer(c->dist) ? SORT_INT : SORT_REAL;
  term_id sample = step_fresh(p, s->name.text, sort);
  VEC(struct coupling_case) cases = {0};
  const struct translate_binding *old = translate_find(p->env, s->name.text);
  struct translate_binding saved = old ? *old : (struct translate_binding){0};
  proof_of j = NULL;
  for (size_t i = 0; i < s->case_count; i++) {
    struct coupling_case one = {TERM_NONE, TERM_NONE, TERM_NONE};
    if (s->cases[i].bound) one.bound = prover_formula(p, s->cases[i].bound, SORT_NONE);
    one.shift =
        s->cases[i].shift ? prover_formula(p, s->cases[i].shift, SORT_NONE) : centre_shift(p, c);
    translate_bind(p->env, NULL, s->name.text, sample, false, TERM_NONE);
    if (s->cases[i].when) one.when = prover_formula(p, s->cases[i].when, SORT_BOOL);
    translate_bind(p->env, NULL, s->name.text, saved.term, saved.is_program, saved.length);
    if (p->error) break;
    vec_push(&cases, one);
  }
  struct coupling how = {.sample = sample, .cases = cases.at, .count = cases.len};
  if (!p->error) j = step_sample_shift(p, c, c, &how, post);
  note_shift(p, c, j, &how);
  vec_clear(&cases);
  return j;
}

/* [a, b] as two terms. */
static bool pair(struct prover *p, const struct ast_expr *e, term_id *low, term_id *high) {
  if (e->kind != EXPR_LIST || e->as.list.count != 2) {
    prover_fail(p, e->span, "an interval is written [low, high]");
    return false;
  }
  *low = prover_formula(p, e->as.list.items[0], SORT_INT);
  *high = prover_formula(p, e->as.list.items[1], SORT_INT);
  return !p->error;
}

static proof_of derive_interval(struct prover *p, const struct core *c, struct script_sample *s,
                                term_id post) {
  bool inner = s->kind == COUPLING_INSIDE;
  struct interval_coupling how = {.inner = inner, .sigma = TERM_NONE};
  const struct ast_expr *own = s->args[s->arg_count - 1], *other = s->args[0];
  if (!pair(p, inner ? other : own, &how.p, &how.q) ||
      !pair(p, inner ? own : other, &how.r, &how.s))
    return NULL;
  for (size_t i = 1; i + 1 < s->arg_count; i++)
    if (!s->args[i])
      return prover_incomplete(p, s->span,
                               "the coupling of intervals is incomplete: say `move k "
                               "eta e%s cost c`",
                               inner ? "" : " sigma s");
  how.move = prover_formula(p, s->args[1], SORT_INT);
  how.eta = prover_formula(p, s->args[2], SORT_REAL);
  if (!inner) how.sigma = prover_formula(p, s->args[3], SORT_REAL);
  how.cost = prover_formula(p, s->args[inner ? 3 : 4], SORT_REAL);
  if (p->error) return NULL;
  proof_of j = step_sample_interval(p, c, c, &how, post);
  const char *x = variable_name(p, c);
  term_id zero = term_int(p->ts, 0), fresh = kernel_tag(p->k, c->var, 1);
  term_id low = inner ? how.r : how.p, high = inner ? how.s : how.q;
  prover_add_case(p, j, term_and(p->ts, term_le(p->ts, low, fresh), term_le(p->ts, fresh, high)),
                  arena_printf(p->arena, "%s<2> is in run 2's interval", x),
                  inner ? zero : how.cost);
  prover_add_case(p, j, TERM_NONE,
                  arena_printf(p->arena, "%s<2> is outside of run 2's interval", x),
                  inner ? how.cost : zero);
  return j;
}

static proof_of derive_map(struct prover *p, const struct core *c, struct script_sample *s,
                           term_id post) {
  term_id sample = step_fresh(p, s->name.text, SORT_INT);
  const struct translate_binding *old = translate_find(p->env, s->name.text);
  struct translate_binding saved = old ? *old : (struct translate_binding){0};
  translate_bind(p->env, NULL, s->name.text, sample, false, TERM_NONE);
  term_id there = prover_formula(p, s->args[0], SORT_INT);
  term_id back = p->error ? TERM_NONE : prover_formula(p, s->args[1], SORT_INT);
  translate_bind(p->env, NULL, s->name.text, saved.term, saved.is_program, saved.length);
  if (p->error) return NULL;
  proof_of j = step_sample_bijection(p, c, c, sample, there, back, post);
  term_id fresh = kernel_tag(p->k, c->var, 1);
  char *image = plain_text(p->ts, term_subst(p->ts, there, &sample, &fresh, 1));
  prover_add_case(p, j, TERM_NONE, arena_printf(p->arena, "%s<2> = %s", variable_name(p, c), image),
                  term_int(p->ts, 0));
  free(image);
  return j;
}

static proof_of derive_scale(struct prover *p, const struct core *c, struct script_sample *s,
                             term_id post) {
  term_id by = prover_formula(p, s->args[0], SORT_REAL), delta = term_rat(p->ts, 0, 1);
  if (!p->error && s->arg_count > 1) delta = prover_formula(p, s->args[1], SORT_REAL);
  if (p->error) return NULL;
  proof_of j = step_sample_scale(p, c, c, by, delta, post);
  const char *x = variable_name(p, c);
  char *exponent = plain_text(p->ts, by);
  prover_add_case(p, j, TERM_NONE,
                  arena_printf(p->arena, "%s<2> = exp(-(%s)) * %s<1>", x, exponent, x), by);
  free(exponent);
  return j;
}

/* Sort of the samples. */
static sort_id sample_sort(struct prover *p, const struct core *c) {
  term_list args = {0};
  for (size_t i = 0; i < c->arg_count; i++)
    vec_push(&args, kernel_tag(p->k, c->args[i], 1));
  sort_id sort = dist_sample_sort(p->ts, c->dist, args.at, args.len);
  vec_clear(&args);
  return sort;
}

static proof_of derive_slide(struct prover *p, const struct core *c, struct script_sample *s,
                             term_id post) {
  bool whole = dist_is_integer(c->dist);
  term_id by = prover_formula(p, s->args[0], whole ? SORT_INT : SORT_REAL);
  term_id delta = p->error ? TERM_NONE : prover_formula(p, s->args[1], SORT_REAL);
  if (p->error) return NULL;
  proof_of j = step_sample_slide(p, c, c, by, delta, post);
  prover_add_case(p, j, TERM_NONE, shift_relation(p, c, by), term_int(p->ts, 0));
  return j;
}

/* In its condition the sampled variable means the new sample. */
static void read_set(struct prover *p, const struct script_sample *s, const struct script_set *set,
                     term_id sample, struct sample_set *out) {
  const struct translate_binding *old = translate_find(p->env, s->name.text);
  struct translate_binding saved = old ? *old : (struct translate_binding){0};
  *out = (struct sample_set){TERM_NONE, TERM_NONE, TERM_NONE};
  if (set->low) out->low = prover_formula(p, set->low, SORT_NONE);
  if (set->high && !p->error) out->high = prover_formula(p, set->high, SORT_NONE);
  translate_bind(p->env, NULL, s->name.text, sample, false, TERM_NONE);
  if (set->when && !p->error) out->when = prover_formula(p, set->when, SORT_BOOL);
  translate_bind(p->env, NULL, s->name.text, saved.term, saved.is_program, saved.length);
}

static proof_of derive_subset(struct prover *p, const struct core *c, struct script_sample *s,
                              term_id post) {
  sort_id sort = sample_sort(p, c);
  if (sort == SORT_NONE) return prover_fail(p, s->span, "there are no sets of such samples");
  struct subset_coupling how = {.sample = step_fresh(p, s->name.text, sort)};
  for (size_t i = 0; i < 2 && !p->error; i++)
    read_set(p, s, &s->sets[i], how.sample, &how.sets[i]);
  if (!p->error) how.inside = prover_formula(p, s->args[0], SORT_REAL);
  if (!p->error) how.outside = prover_formula(p, s->args[1], SORT_REAL);
  if (p->error) return NULL;
  proof_of j = step_sample_subset(p, c, c, &how, post);
  term_id x = kernel_tag(p->k, c->var, 1), in = term_bool(p->ts, true);
  const struct sample_set *own = &how.sets[0];
  if (own->when != TERM_NONE) in = term_subst(p->ts, own->when, &how.sample, &x, 1);
  if (own->low != TERM_NONE) in = term_and(p->ts, in, term_le(p->ts, own->low, x));
  if (own->high != TERM_NONE) in = term_and(p->ts, in, term_le(p->ts, x, own->high));
  const char *name = variable_name(p, c);
  prover_add_case(p, j, in, arena_printf(p->arena, "%s<2> is in run 2's set", name), how.inside);
  prover_add_case(p, j, TERM_NONE, arena_printf(p->arena, "%s<2> is outside of run 2's set", name),
                  how.outside);
  return j;
}

static proof_of derive_flip(struct prover *p, const struct core *c, struct script_sample *s,
                            term_id post) {
  term_id yes = prover_formula(p, s->args[0], SORT_REAL);
  term_id no = p->error ? TERM_NONE : prover_formula(p, s->args[1], SORT_REAL);
  if (p->error) return NULL;
  proof_of j = step_sample_bernoulli(p, c, c, true, yes, no, post);
  const char *opposite =
      arena_printf(p->arena, "%s<2> = not %s<1>", variable_name(p, c), variable_name(p, c));
  prover_add_case(p, j, kernel_tag(p->k, c->var, 1), opposite, yes);
  prover_add_case(p, j, TERM_NONE, opposite, no);
  return j;
}

proof_of derive_coupling(struct prover *p, const struct core *c, struct script_sample *s,
                         term_id post) {
  switch (s->kind) {
  case COUPLING_SHIFT: return derive_shift(p, c, s, post);
  case COUPLING_SAME: return derive_same(p, c, post);
  case COUPLING_ALONE: {
    proof_of right = step_sample_side(p, 2, c, post);
    proof_of left = right ? step_sample_side(p, 1, c, judgement_pre(right)) : NULL;
    return left ? step_seq(p, left, right) : NULL;
  }
  case COUPLING_SCALE: return derive_scale(p, c, s, post);
  case COUPLING_FLIP: return derive_flip(p, c, s, post);
  case COUPLING_MAP: return derive_map(p, c, s, post);
  case COUPLING_SLIDE: return derive_slide(p, c, s, post);
  case COUPLING_SUBSET: return derive_subset(p, c, s, post);
  case COUPLING_MEET: return derive_meet(p, c, s, post);
  case COUPLING_IF: return derive_by_cases(p, c, s, post);
  case COUPLING_INTERVAL:
  case COUPLING_INSIDE: return derive_interval(p, c, s, post);
  case COUPLING_TAIL:
  case COUPLING_CHANCE:
    return prover_fail(p, s->span,
                       "this step is for claims of accuracy: in one of privacy say how the samples "
                       "are coupled, for example `shift e`");
  }
  return NULL;
}

/* The sample is in a tail, or not in a set, with probability beta at most. */
static bound_of derive_event(struct prover *p, unsigned run, const struct core *c,
                             const struct script_sample *s, term_id beta, term_id event) {
  if (!s->upto_in) {
    term_id t = prover_formula(p, s->upto_at, SORT_NONE);
    return p->error ? NULL : step_tail(p, run, c, (enum tail)s->upto_tail, t, beta, event);
  }
  struct sample_set set;
  sort_id sort = sample_sort(p, c);
  term_id sample = sort == SORT_NONE ? TERM_NONE : step_fresh(p, s->name.text, sort);
  if (sample != TERM_NONE) read_set(p, s, s->upto_in, sample, &set);
  return p->error || sample == TERM_NONE ? NULL : step_set(p, run, c, sample, &set, beta, event);
}

struct script_sample *sample_step(struct prover *p, struct walk *at, const struct core *c) {
  const char *variable = term_var_get(p->ts, c->var)->name;
  size_t number = (size_t)ptrmap_get(at->seen, variable);
  ptrmap_put(at->seen, variable, (void *)(number - 1));
  return walk_step(at, variable, (unsigned)number);
}

/* Up to a bad event of one run, which fails with probability beta at most. */
static proof_of derive_upto(struct prover *p, const struct core *c, struct script_sample *s,
                            term_id post) {
  unsigned run = s->upto_most ? 2 : 1;
  term_id event = prover_formula(p, s->upto, SORT_BOOL);
  term_id beta = p->error ? TERM_NONE : prover_formula(p, s->upto_delta, SORT_REAL);
  term_id most = TERM_NONE;
  if (run == 2 && !p->error) most = prover_formula(p, s->upto_most, SORT_REAL);
  if (p->error) return NULL;
  proof_of j = derive_coupling(p, c, s, term_implies(p->ts, event, post));
  bound_of bound = j ? derive_event(p, run, c, s, beta, event) : NULL;
  j = bound ? step_upto(p, s->span, bound, most, post, j) : NULL;
  if (j && run == 2) { /* more budget than the bound is given away */
    term_id keep = term_min(p->ts, kernel_budget(p->k), most);
    proof_of waste = step_waste(p, s->span, keep, judgement_pre(j));
    j = waste ? step_seq(p, waste, j) : NULL;
  }
  char *event_text = plain_text(p->ts, event), *beta_text = plain_text(p->ts, beta);
  prover_note(p, j, "from here on %s, except with probability %s", event_text, beta_text);
  free(event_text);
  free(beta_text);
  return j;
}

/* The condition of `where`. A delta can depend on logical variables only, so what is counted in a
 * loop with `deltas` is named by the counter. */
static term_id derive_where(struct prover *p, const struct walk *at, const struct ast_expr *where) {
  term_id f = prover_formula(p, where, SORT_BOOL);
  for (; at && !p->error; at = at->outer) {
    const struct script_deltas *d = at->scope ? at->scope->deltas : NULL;
    if (d) f = term_subst(p->ts, f, d->known.at, d->as.at, d->known.len);
  }
  return f;
}

proof_of derive_sample(struct prover *p, struct walk *at, const struct core *c, term_id post) {
  struct script_sample *s = sample_step(p, at, c);
  if (!s) return derive_default(p, c, post);
  s->used++;
  if (!s->upto) return derive_coupling(p, c, s, post);
  if (!s->upto_delta)
    return prover_incomplete(p, s->upto->span,
                             "the bound of the event is missing: say `upto ... "
                             "delta b above t` (or `below`, `both`)");
  if (!s->upto_where) return derive_upto(p, c, s, post);
  term_id where = derive_where(p, at, s->upto_where);
  proof_of there = p->error ? NULL : derive_upto(p, c, s, post);
  proof_of elsewhere = there ? derive_coupling(p, c, s, post) : NULL;
  return elsewhere ? step_case(p, s->upto_where->span, where, there, elsewhere) : NULL;
}
