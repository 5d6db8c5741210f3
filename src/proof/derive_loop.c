#include <ctype.h>
#include <string.h>

#include "proof/cancel.h"
#include "proof/derive.h"
#include "proof/one_run.h"
#include "proof/plain.h"
#include "proof/quotient.h"
#include "term/build.h"
#include "term/subst.h"

struct invariant {
  struct prover *p;
  const struct core *loop;
  term_id all;
};

static void add(struct invariant *inv, term_id part, struct span span, const char *what) {
  inv->all = term_and(inv->p->ts, inv->all, step_label(inv->p, part, "WHILE", span, what));
}

static term_id equal(struct prover *p, term_id var) {
  return term_eq(p->ts, kernel_tag(p->k, var, 1), kernel_tag(p->k, var, 2));
}

/* What is always wanted: the same index within its range, equal outputs, flags, adversaries. */
static void add_defaults(struct invariant *inv) {
  struct prover *p = inv->p;
  const struct core *c = inv->loop;
  struct terms *ts = p->ts;
  const struct lowered *program = claim_program(p->claim);
  if (c->var != TERM_NONE) {
    term_id i = kernel_tag(p->k, c->var, 1), low = kernel_tag(p->k, c->args[0], 1),
            high = kernel_tag(p->k, c->args[1], 1);
    add(inv, equal(p, c->var), c->span, "both runs are in the same iteration");
    add(inv, term_le(ts, low, i), c->span, "the index stays in its range");
    add(inv, term_or(ts, term_le(ts, i, high), term_eq(ts, i, low)), c->span,
        "the index stays in its range");
  }
  if (program->output != TERM_NONE)
    add(inv, equal(p, program->output), c->span, "both runs have emitted the same");
  if (program->returned != TERM_NONE) {
    add(inv, equal(p, program->returned), c->span, "both runs have returned or not");
    if (program->result != TERM_NONE)
      add(inv, term_implies(ts, kernel_tag(p->k, program->returned, 1), equal(p, program->result)),
          c->span, "both runs have returned the same");
  }
  for (size_t i = 0; i < kernel_var_count(p->k); i++) {
    term_id v = kernel_var_at(p->k, i);
    if (variable_is_of_adversary(term_var_get(ts, v)->name))
      add(inv, equal(p, v), c->span, "the adversary is at the same point");
  }
}

term_id invariant_untouched(struct prover *p, term_id invariant, const struct core *c) {
  term_list written = {0}, both_runs = {0}, parts = {0};
  term_id kept = term_bool(p->ts, true);
  if (invariant == TERM_NONE) return kept;
  core_writes(c, &written);
  for (size_t i = 0; i < written.len; i++) {
    vec_push(&both_runs, term_var_in_run(p->ts, written.at[i], 1));
    vec_push(&both_runs, term_var_in_run(p->ts, written.at[i], 2));
  }
  vec_push(&both_runs, kernel_budget(p->k));
  term_conjuncts(p->ts, invariant, &parts);
  for (size_t i = 0; i < parts.len; i++)
    if (!term_mentions(p->ts, parts.at[i], both_runs.at, both_runs.len))
      kept = term_and(p->ts, kept, parts.at[i]);
  vec_clear(&written);
  vec_clear(&both_runs);
  vec_clear(&parts);
  return kept;
}

static void add_script(struct invariant *inv, const struct script_scope *s) {
  struct prover *p = inv->p;
  for (size_t i = 0; s && i < s->invariant_count && !p->error; i++) {
    term_id t = quotients_aligned(p->ts, prover_formula(p, s->invariants[i], SORT_BOOL));
    if (!p->error) add(inv, t, s->invariants[i]->span, "the invariant of the loop");
  }
  if (s && s->budget && !p->error) {
    term_id t = quotients_aligned(p->ts, prover_formula(p, s->budget, SORT_REAL));
    if (!p->error)
      add(inv, term_le(p->ts, t, kernel_budget(p->k)), s->budget->span,
          "enough budget is left for the loop");
  }
}

/* A loop that each run runs by itself: the index of each stays in its range, and what the loop does
 * not write stays equal. */
static void add_defaults_alone(struct invariant *inv) {
  struct prover *p = inv->p;
  const struct core *c = inv->loop;
  struct terms *ts = p->ts;
  const struct lowered *program = claim_program(p->claim);
  for (unsigned run = 1; run <= 2 && c->var != TERM_NONE; run++) {
    term_id i = kernel_tag(p->k, c->var, run), low = kernel_tag(p->k, c->args[0], run),
            high = kernel_tag(p->k, c->args[1], run);
    term_id upto = term_or(ts, term_le(ts, i, high), term_eq(ts, i, low));
    add(inv, term_and(ts, term_le(ts, low, i), upto), c->span, "the index stays in its range");
  }
  term_list written = {0};
  core_writes(c, &written);
  const term_id kept[] = {program->output, program->returned};
  for (size_t i = 0; i < 2; i++) {
    bool is_written = kept[i] == TERM_NONE;
    for (size_t l = 0; l < written.len; l++)
      is_written |= written.at[l] == kept[i];
    if (!is_written) add(inv, equal(p, kept[i]), c->span, "both runs have emitted the same");
  }
  vec_clear(&written);
}

/* What loops in the body may rely on: the invariant, and that the index of this loop has not come
 * to its end. (The body cannot write the index; a bound that it writes is none.) */
static term_id within_body(struct prover *p, const struct core *c, term_id invariant) {
  if (c->var == TERM_NONE) return invariant;
  term_list written = {0};
  core_writes(c, &written);
  bool moves = term_mentions(p->ts, c->args[1], written.at, written.len);
  vec_clear(&written);
  if (moves) return invariant;
  term_id inside = term_lt(p->ts, c->var, c->args[1]);
  return term_and(
      p->ts, invariant,
      step_label(p, kernel_tag(p->k, inside, 1), "WHILE", c->span, "the index stays in its range"));
}

/* The body from `pre` to `post`, in the scope s; delta TERM_NONE: what comes out. */
static proof_of derive_body(struct prover *p, struct walk *at, const struct core *c,
                            struct script_scope *s, term_id invariant, term_id pre, term_id post,
                            term_id delta) {
  proof_of body = derive_scope(p, at, c->first, s, within_body(p, c, invariant), post);
  if (!body) return NULL;
  if (delta == TERM_NONE) delta = judgement_delta(body);
  return step_conseq(p, s ? s->span : c->span, pre, post, delta, body);
}

/* The counter in `each` and `delta` means its value before the iteration. */
static term_id at_count(struct prover *p, const struct advanced *how, term_id t) {
  term_id hits = p->error ? TERM_NONE : kernel_tag(p->k, how->hits, 1);
  if (hits == TERM_NONE || term_kind(p->ts, hits) != TERM_VAR) return t;
  return term_subst(p->ts, t, &hits, &how->count, 1);
}

/* AC-HIT or AC-WHILE: the body forwards, and backwards where the runs are exchanged. */
static proof_of derive_advanced(struct prover *p, struct walk *at, const struct core *c,
                                struct script_scope *s, term_id relation) {
  const struct script_advanced *a = s->advanced;
  struct advanced how = {.relation = relation, .hit = TERM_NONE};
  how.count = step_fresh(p, "hits", SORT_INT);
  if (a->hit) how.hit = prover_program_term(p, a->hit, SORT_BOOL);
  if (!p->error) how.hits = prover_program_term(p, a->hits, SORT_INT);
  if (!p->error) how.most = prover_formula(p, a->count, SORT_INT);
  if (!p->error) how.epsilon = prover_formula(p, a->epsilon, SORT_REAL);
  if (!p->error && a->delta) how.delta = prover_formula(p, a->delta, SORT_REAL);
  if (!p->error && a->total) how.total = prover_formula(p, a->total, SORT_REAL);
  if (!p->error) how.omega = prover_formula(p, a->omega, SORT_REAL);
  if (p->error) return NULL;
  if (a->total) how.epsilon = at_count(p, &how, how.epsilon);
  if (a->total && a->delta) how.delta = at_count(p, &how, how.delta);
  struct advanced_goal goal = advanced_goal(p->k, c, c, &how, false);
  proof_of forward = derive_body(p, at, c, s, relation, goal.pre, goal.post, how.delta);
  if (!forward) return NULL;
  struct kernel *own = p->k;
  p->k = claim_kernel(p->claim, claim_opposite(prover_direction(p, own)));
  goal = advanced_goal(p->k, c, c, &how, true);
  proof_of backward = derive_body(p, at, c, s->backward ? s->backward : s,
                                  term_swap_runs(p->ts, relation), goal.pre, goal.post, how.delta);
  if (!backward) return NULL; /* the failure is in this context */
  p->k = own;
  proof_of loop = step_advanced(p, c, c, &how, forward, backward);
  if (loop) note_of(&p->notes, p->arena, loop)->cost = advanced_total(p->k, &how);
  return loop;
}

/* The invariants of the proof as they are written, on one line. */
static const char *invariant_text(struct prover *p, const struct script_scope *s) {
  if (!s || !s->invariant_count) return NULL;
  struct buffer b;
  buffer_init(&b);
  for (size_t i = 0; i < s->invariant_count; i++) {
    struct span span = s->invariants[i]->span;
    const char *text = sources_get(&p->env->lang->sources, span.file)->text;
    if (i) buffer_puts(&b, "; ");
    for (uint32_t at = span.begin; at < span.end; at++)
      if (!isspace((unsigned char)text[at]))
        buffer_putc(&b, text[at]);
      else if (b.text[b.len - 1] != ' ')
        buffer_putc(&b, ' ');
  }
  const char *kept = arena_printf(p->arena, "%s", buffer_text(&b));
  buffer_clear(&b);
  return kept;
}

/* The budget the loop keeps, or what all its iterations cost. */
static void note_loop(struct prover *p, proof_of loop, const struct script_scope *s) {
  struct note *note = note_of(&p->notes, p->arena, loop);
  note->invariant = invariant_text(p, s);
  if (s && s->advanced) {
    const struct script_advanced *a = s->advanced;
    note->left = a->total ? TERM_NONE : prover_formula(p, a->epsilon, SORT_REAL);
    if (a->total) {
      prover_note(p, loop, "all iterations together, by the optimal composition theorem");
      return;
    }
    term_id most = prover_formula(p, a->count, SORT_INT);
    char *e = plain_text(p->ts, factors_cancelled(p->ts, note->left)), *n = plain_text(p->ts, most);
    prover_note(p, loop, "at most %s %s at %s each, by advanced composition", n,
                a->hit ? "hits" : "iterations", e);
    free(e);
    free(n);
  } else if (s && s->budget) {
    note->left = prover_formula(p, s->budget, SORT_REAL);
    char *b = plain_text(p->ts, factors_cancelled(p->ts, note->left));
    prover_note(p, loop, "budget left before each iteration: %s", b);
    free(b);
  }
}

/* v = k says the value of every variable that the loop counts up with: that of i is n - k, if v is
 * n - i. */
static void solve_counted(struct prover *p, const struct core *c, term_id variant, term_id count,
                          struct script_deltas *d) {
  term_list written = {0};
  core_writes(c, &written);
  for (size_t i = 0; i < written.len; i++) {
    if (term_sort(p->ts, written.at[i]) != SORT_INT) continue;
    term_id end = term_add(p->ts, variant, written.at[i]);
    if (end == TERM_NONE || term_mentions(p->ts, end, written.at, written.len)) continue;
    vec_push(&d->known, kernel_tag(p->k, written.at[i], 1));
    vec_push(&d->as, term_sub(p->ts, kernel_tag(p->k, end, 1), count));
  }
  vec_clear(&written);
}

/* WHILE-DELTA: each iteration may cost some delta. */
static proof_of derive_while_delta(struct prover *p, struct walk *at, const struct core *c,
                                   struct script_scope *s, term_id invariant) {
  struct terms *ts = p->ts;
  struct script_deltas *d = s->deltas;
  term_id b1 = kernel_tag(p->k, c->expr, 1), b2 = kernel_tag(p->k, c->expr, 2);
  struct while_delta how = {.count = step_fresh(p, d->count.text, SORT_INT)};
  how.variant = prover_program_term(p, d->variant, SORT_INT);
  if (!p->error) how.most = prover_formula(p, d->most, SORT_INT);
  translate_bind(p->env, NULL, d->count.text, how.count, false, TERM_NONE);
  if (!p->error) how.total = prover_formula(p, d->total, SORT_REAL);
  if (p->error) return NULL;
  term_id v = kernel_tag(p->k, how.variant, 1);
  term_id inside[] = {invariant, b1, b2, term_eq(ts, v, how.count)};
  term_id after[] = {invariant, term_eq(ts, b1, b2), term_lt(ts, v, how.count)};
  solve_counted(p, c, how.variant, how.count, d);
  proof_of body = derive_body(p, at, c, s, invariant, term_and_all(ts, inside, 4),
                              term_and_all(ts, after, 3), TERM_NONE);
  vec_clear(&d->known);
  vec_clear(&d->as);
  return body ? step_while_delta(p, c, c, invariant, how, body) : NULL;
}

/* WHILE, with what the proof says about the loop. */
static proof_of derive_while(struct prover *p, struct walk *at, const struct core *c,
                             struct script_scope *s, term_id invariant) {
  struct terms *ts = p->ts;
  if (s && s->deltas) return derive_while_delta(p, at, c, s, invariant);
  term_id b1 = kernel_tag(p->k, c->expr, 1), b2 = kernel_tag(p->k, c->expr, 2);
  term_id inside[] = {invariant, b1, b2};
  proof_of body = derive_body(p, at, c, s, invariant, term_and_all(ts, inside, 3),
                              term_and(ts, invariant, term_eq(ts, b1, b2)), TERM_NONE);
  return body ? step_while(p, c, c, invariant, body) : NULL;
}

/* What stays true or is put aside while the loop runs. */
static proof_of derive_frames(struct prover *p, const struct script_scope *s, proof_of loop) {
  for (size_t i = 0; loop && i < s->frame_count; i++) {
    term_id f = prover_formula(p, s->frames[i], SORT_BOOL);
    loop = p->error ? NULL : step_frame(p, s->frames[i]->span, f, loop);
  }
  if (!loop || !s->save) return loop;
  term_id aside = prover_formula(p, s->save, SORT_REAL);
  return p->error ? NULL : step_budget_frame(p, s->save->span, aside, loop);
}

/* `keep`: what goes into the loop; `ghost`: the names get their values. */
static proof_of derive_entry(struct prover *p, const struct script_scope *s, const term_id *ghosts,
                             const term_id *values, proof_of loop) {
  if (loop && s->keep) {
    term_id keep = prover_formula(p, s->keep, SORT_REAL);
    proof_of waste = p->error ? NULL : step_waste(p, s->keep->span, keep, judgement_pre(loop));
    loop = waste ? step_seq(p, waste, loop) : NULL;
  }
  for (size_t i = s->ghost_count; loop && i-- > 0;)
    loop = step_exists(p, s->ghosts[i].value->span, ghosts[i], values[i], loop);
  return loop;
}

static void bind_ghosts(struct prover *p, const struct script_scope *s, term_list *ghosts,
                        term_list *values) {
  for (size_t i = 0; i < s->ghost_count && !p->error; i++) {
    const struct script_ghost *g = &s->ghosts[i];
    term_id value = prover_formula(p, g->value, SORT_NONE);
    if (p->error) return;
    term_id ghost = step_fresh(p, g->name.text, term_sort(p->ts, value));
    translate_bind(p->env, NULL, g->name.text, ghost, false, TERM_NONE);
    vec_push(ghosts, ghost);
    vec_push(values, value);
  }
}

/* The part as a formula about one run, if all it speaks of is parameters and variables of these
 * terms; else TERM_NONE. */
static term_id about_terms(struct prover *p, term_id part, const term_list *terms) {
  term_list vars = {0};
  term_free_vars(p->ts, part, &vars);
  bool fits = true;
  for (size_t i = 0; fits && i < vars.len; i++) {
    term_id own = term_var_in_run(p->ts, vars.at[i], 0);
    bool named = own == vars.at[i];
    for (size_t t = 0; t < terms->len && !named; t++)
      named = term_mentions(p->ts, terms->at[t], &own, 1);
    fits = named;
  }
  vec_clear(&vars);
  return fits ? one_run_part(p->k, part) : TERM_NONE;
}

/* Parameters of noise that change from iteration to iteration; appended. */
static void moving_parameters(struct prover *p, const struct core *c, const term_list *written,
                              term_list *out) {
  if (c->kind == CORE_SEQ || c->kind == CORE_IF || c->kind == CORE_WHILE) {
    moving_parameters(p, c->first, written, out);
    if (c->second) moving_parameters(p, c->second, written, out);
  }
  for (size_t i = 1; c->kind == CORE_SAMPLE && i < c->arg_count; i++)
    if (term_mentions(p->ts, c->args[i], written->at, written->len)) vec_push(out, c->args[i]);
}

/* What the terms are computed from in the loop: `share := left/2` for 1/share. Appended. */
static void sources_of(struct prover *p, const struct core *c, term_list *terms) {
  if (c->kind == CORE_SEQ || c->kind == CORE_IF || c->kind == CORE_WHILE) {
    if (c->second) sources_of(p, c->second, terms);
    sources_of(p, c->first, terms);
  }
  bool read = false;
  for (size_t i = 0; c->kind == CORE_ASSIGN && i < terms->len; i++)
    read |= term_mentions(p->ts, terms->at[i], &c->var, 1);
  if (read) vec_push(terms, c->expr);
}

/* What the proof's invariant says of these terms: that may be why the loop ends, and why its noise
 * makes sense. */
static term_id known_of(struct prover *p, const struct script_scope *s, const term_list *terms) {
  term_id all = TERM_NONE;
  for (size_t i = 0; i < s->invariant_count && !p->error; i++) {
    term_list parts = {0};
    term_id whole = prover_formula(p, s->invariants[i], SORT_BOOL);
    if (!p->error) term_conjuncts(p->ts, whole, &parts);
    for (size_t k = 0; k < parts.len; k++) {
      term_id part = about_terms(p, parts.at[k], terms);
      if (part != TERM_NONE) all = all == TERM_NONE ? part : term_and(p->ts, all, part);
    }
    vec_clear(&parts);
  }
  return all;
}

/* The variant and what is known of it, and that a `for` stays above its lower end if that does not
 * move. */
void note_termination(struct prover *p, const struct core *c, const struct script_scope *s) {
  term_id variant = TERM_NONE, range = TERM_NONE;
  if (s && s->variant && !p->error) variant = prover_program_term(p, s->variant, SORT_INT);
  term_list written = {0}, terms = {0};
  core_writes(c, &written);
  if (variant != TERM_NONE) vec_push(&terms, variant);
  moving_parameters(p, c->first, &written, &terms);
  sources_of(p, c->first, &terms);
  if (s && terms.len && !p->error) range = known_of(p, s, &terms);
  vec_clear(&terms);
  if (c->var != TERM_NONE && !(s && s->apart)) { /* there a loop may be entered in its middle */
    if (!term_mentions(p->ts, c->args[0], written.at, written.len)) {
      term_id above = term_le(p->ts, c->args[0], c->var);
      range = range == TERM_NONE ? above : term_and(p->ts, range, above);
    }
  }
  vec_clear(&written);
  if (p->error || (variant == TERM_NONE && range == TERM_NONE)) return;
  vec_push(&p->variant_loops, c);
  vec_push(&p->variants, variant);
  vec_push(&p->ranges, range);
}

/* WHILE-APART: the bodies together here, what is left of one run elsewhere. */
static proof_of derive_apart(struct prover *p, struct walk *at, const struct core *c,
                             struct script_scope *s, term_id invariant) {
  term_id inside[] = {invariant, kernel_tag(p->k, c->expr, 1), kernel_tag(p->k, c->expr, 2)};
  proof_of body =
      derive_body(p, at, c, s, invariant, term_and_all(p->ts, inside, 3), invariant, TERM_NONE);
  return body ? derive_loop_apart(p, at, c, s, invariant, body) : NULL;
}

static proof_of derive_plain_loop(struct prover *p, struct walk *at, const struct core *c,
                                  struct script_scope *s, term_id post) {
  struct invariant inv = {.p = p, .loop = c, .all = term_bool(p->ts, true)};
  if (s && (s->alone || s->apart))
    add_defaults_alone(&inv);
  else
    add_defaults(&inv);
  if (!s || !s->only) inv.all = term_and(p->ts, inv.all, invariant_untouched(p, at->invariant, c));
  add_script(&inv, s);
  note_termination(p, c, s);
  if (p->error) return NULL;
  proof_of loop = s && s->alone      ? derive_loop_alone(p, at, c, s, inv.all)
                  : s && s->apart    ? derive_apart(p, at, c, s, inv.all)
                  : s && s->advanced ? derive_advanced(p, at, c, s, inv.all)
                                     : derive_while(p, at, c, s, inv.all);
  if (!loop) return NULL;
  note_loop(p, loop, s);
  if (s) loop = derive_frames(p, s, loop);
  if (!loop) return NULL;
  return step_conseq(p, s ? s->span : c->span, judgement_pre(loop), post, judgement_delta(loop),
                     loop);
}

proof_of derive_loop_in(struct prover *p, struct walk *at, const struct core *c,
                        struct script_scope *s, term_id post) {
  if (s) s->used++;
  name_index(p->env, c);
  if (!s) return derive_plain_loop(p, at, c, s, post);
  term_list ghosts = {0}, values = {0};
  bind_ghosts(p, s, &ghosts, &values);
  proof_of loop = p->error  ? NULL
                  : s->form ? derive_form(p, at, c, s, post)
                            : derive_plain_loop(p, at, c, s, post);
  loop = derive_entry(p, s, ghosts.at, values.at, loop);
  vec_clear(&ghosts);
  vec_clear(&values);
  return loop;
}

proof_of derive_loop(struct prover *p, struct walk *at, const struct core *c, term_id post) {
  size_t first;
  struct script_scope *until = until_ending(p, at, &c, 0, &first);
  if (until) return derive_until(p, at, c, until, post);
  return derive_loop_in(p, at, c, scope_of_loop(p->ts, at->scope, c, at->loops--), post);
}
