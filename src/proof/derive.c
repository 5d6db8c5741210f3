#include "proof/derive.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kernel/notion.h"
#include "out/print.h"
#include "proof/plain.h"
#include "term/build.h"
#include "term/subst.h"

static void set_error(struct prover *p, struct span span, const char *format, va_list args) {
  char *text = NULL;
  if (vasprintf(&text, format, args) < 0) text = NULL;
  p->error = arena_printf(p->arena, "%s", text ? text : format);
  p->error_span = span;
  free(text);
}

proof_of prover_fail(struct prover *p, struct span span, const char *format, ...) {
  if (p->error) return NULL;
  va_list args;
  va_start(args, format);
  set_error(p, span, format, args);
  va_end(args);
  return NULL;
}

proof_of prover_incomplete(struct prover *p, struct span span, const char *format, ...) {
  if (p->error) return NULL;
  va_list args;
  va_start(args, format);
  set_error(p, span, format, args);
  va_end(args);
  p->is_incomplete = true;
  return NULL;
}

proof_of prover_note(struct prover *p, proof_of j, const char *format, ...) {
  if (!j) return NULL;
  va_list args;
  va_start(args, format);
  char *text = NULL;
  if (vasprintf(&text, format, args) < 0) text = NULL;
  va_end(args);
  if (text) note_of(&p->notes, p->arena, j)->words = arena_printf(p->arena, "%s", text);
  free(text);
  return j;
}

proof_of prover_note_cases(struct prover *p, proof_of j, term_id condition) {
  if (!j) return NULL;
  char *text = plain_text(p->ts, condition);
  prover_note(p, j, "first if %s, then otherwise", text);
  free(text);
  note_of(&p->notes, p->arena, j)->condition = condition;
  return j;
}

static void take_mistake(struct prover *p) {
  prover_fail(p, p->env->error_span, "%s", p->env->error);
  p->error_cause = p->env->error_cause;
}

term_id prover_formula(struct prover *p, const struct ast_expr *e, sort_id sort) {
  struct translate_env *env = p->env;
  env->error = NULL;
  env->untagged = 1; /* a variable without a run means run 1 */
  term_id t = translate_expr_as(env, e, sort);
  env->untagged = 0;
  if (env->error) take_mistake(p);
  env->error = NULL;
  return t;
}

/* A term of one run, as the program would write it. */
term_id prover_program_term(struct prover *p, const struct ast_expr *e, sort_id sort) {
  struct translate_env *env = p->env;
  env->error = NULL;
  term_id t = translate_expr_as(env, e, sort);
  if (env->error) take_mistake(p);
  env->error = NULL;
  return t;
}

struct loop_variants prover_variants(const struct prover *p) {
  return (struct loop_variants){.loops = p->variant_loops.at,
                                .variants = p->variants.at,
                                .invariants = p->ranges.at,
                                .count = p->variants.len};
}

static proof_of both(struct prover *p, proof_of first, proof_of second) {
  return first && second ? step_seq(p, first, second) : NULL;
}

enum claim_direction prover_direction(const struct prover *p, const struct kernel *k) {
  unsigned i = 0;
  while (p->claim && i + 1 < CLAIM_CONTEXTS && claim_kernel(p->claim, (enum claim_direction)i) != k)
    i++;
  return (enum claim_direction)i;
}

term_id written_as(const struct terms *ts, const struct core *c, const char *name) {
  term_list written = {0};
  core_writes(c, &written);
  term_id found = TERM_NONE;
  for (size_t i = 0; i < written.len && found == TERM_NONE; i++)
    if (names_variable(name, term_var_get(ts, written.at[i])->name)) found = written.at[i];
  vec_clear(&written);
  return found;
}

const struct core *sequence_of(struct prover *p, const struct core *const *list, size_t first,
                               size_t last) {
  const struct core *c = list[last];
  for (size_t i = last; i-- > first;)
    c = core_seq(kernel_arena(p->k), list[i], c);
  return c;
}

/* A sequence from its end; long ones must not nest the stack too deep, so collect them first. */
static proof_of derive_sequence(struct prover *p, struct walk *at, unsigned run,
                                const struct core *c, term_id post) {
  const struct core *whole = c;
  VEC(const struct core *) parts = {0};
  for (; c->kind == CORE_SEQ; c = c->second)
    vec_push(&parts, c->first);
  vec_push(&parts, c);
  proof_of all = NULL;
  for (size_t i = parts.len; i-- > 0;) {
    term_id goal = all ? judgement_pre(all) : post;
    size_t first;
    const struct script_noise *noise = run ? NULL : noise_ending(p, at, parts.at, i, &first);
    struct script_part *part = run || noise ? NULL : part_ending(p, at, parts.at, i, &first);
    const struct script_outcomes *outcomes =
        run || noise || part ? NULL : outcomes_ending(p, at, parts.at, i, &first);
    const struct script_law *law =
        run || noise || part || outcomes ? NULL : law_ending(p, at, parts.at, i, &first);
    struct script_scope *until =
        run || noise || part || outcomes || law ? NULL : until_ending(p, at, parts.at, i, &first);
    proof_of one;
    if (until) {
      one = derive_until(p, at, sequence_of(p, parts.at, first, i), until, goal);
      i = first;
    } else if (law) {
      one = derive_law(p, at, sequence_of(p, parts.at, first, i), law, goal);
      i = first;
    } else if (outcomes) {
      one = derive_outcomes(p, at, sequence_of(p, parts.at, first, i), outcomes, goal);
      i = first;
    } else if (part) {
      one = derive_part(p, at, sequence_of(p, parts.at, first, i), part, goal);
      i = first;
    } else if (noise) {
      one = derive_noise(p, at, parts.at, &first, i, noise, goal);
      i = first;
    } else if (!run && i > 0 && rewrite_is_swapped(p, at, parts.at[i - 1], parts.at[i])) {
      one = derive_swapped(p, at, parts.at[i - 1], parts.at[i], goal);
      i--;
    } else {
      one = run ? derive_side(p, at, run, parts.at[i], goal) : derive(p, at, parts.at[i], goal);
    }
    all = !one ? NULL : all ? step_seq(p, one, all) : one;
    all = all && !run ? derive_unfused(p, whole, i, all) : all;
    if (!all) break;
  }
  vec_clear(&parts);
  return all;
}

proof_of derive_side(struct prover *p, struct walk *at, unsigned run, const struct core *c,
                     term_id post) {
  switch (c->kind) {
  case CORE_SKIP: return step_skip(p, post);
  case CORE_ASSIGN: return step_assign(p, run, c, post);
  case CORE_SAMPLE: {
    struct script_sample *s = walk_step(at, term_var_get(p->ts, c->var)->name, 0);
    if (run == 2 && s && s->aim) return derive_aim(p, c, s, post);
    return step_sample_side(p, run, c, post);
  }
  case CORE_SEQ: return derive_sequence(p, at, run, c, post);
  case CORE_IF: {
    proof_of then = derive_side(p, at, run, c->first, post);
    proof_of otherwise = then ? derive_side(p, at, run, c->second, post) : NULL;
    return otherwise ? step_cond_side(p, run, c, then, otherwise) : NULL;
  }
  case CORE_WHILE:
  case CORE_ADVERSARY: break;
  }
  return prover_fail(p, c->span, "a loop or an adversary cannot run in one run alone");
}

/* Run 1 first, then run 2. */
static proof_of derive_alone(struct prover *p, struct walk *at, const struct core *c,
                             term_id post) {
  proof_of right = derive_side(p, at, 2, c, post);
  proof_of left = right ? derive_side(p, at, 1, c, judgement_pre(right)) : NULL;
  return both(p, left, right);
}

static unsigned count_branches(const struct core *c) {
  if (c->kind != CORE_SEQ && c->kind != CORE_IF) return 0;
  return (c->kind == CORE_IF) + count_branches(c->first) + count_branches(c->second);
}

/* The branches sample once for both. What they are then has numbers of its own. */
static proof_of derive_joined(struct prover *p, struct walk *at, const struct core *c,
                              term_id post) {
  const struct core *joined = equiv_joined(p->k, c);
  if (!joined)
    return prover_fail(p, c->span,
                       "the branches of this `if` cannot be joined: both have to sample "
                       "from the same family");
  struct ptrmap seen;
  ptrmap_init(&seen);
  struct walk inner = *at;
  inner.seen = &seen;
  inner.loops = inner.branches = 0;
  inner.code = joined;
  inner.is_joined = true;
  walk_count(p, &inner, joined);
  proof_of j = derive(p, &inner, joined, post);
  ptrmap_clear(&seen);
  walk_pass(p, at, c);
  j = j ? step_equiv_join(p, 1, c, j) : NULL;
  return j ? step_equiv_join(p, 2, c, j) : NULL;
}

/* Branches without sampling are compared in all combinations; others must be taken together, unless
 * the proof says that each run goes its own way. */
static proof_of derive_if(struct prover *p, struct walk *at, const struct core *c, term_id post) {
  bool alone = !core_is_random(c) && !core_has_loop(c);
  unsigned number = at->branches + 1 - count_branches(c);
  for (size_t i = 0; at->scope && !at->is_joined && i < at->scope->branch_count; i++) {
    const struct script_branch *b = &at->scope->branches[i];
    if (b->number == number && b->joined) return derive_joined(p, at, c, post);
    if (b->number == number) alone = b->alone;
  }
  if (alone) {
    walk_pass(p, at, c);
    return derive_alone(p, at, c, post);
  }
  if (branches_part(p, at, c)) return derive_parted(p, at, c, post);
  /* Statements are numbered in the order of the text. */
  proof_of otherwise = derive(p, at, c->second, post);
  proof_of then = otherwise ? derive(p, at, c->first, post) : NULL;
  at->branches--;
  const struct core *origin = fused_origin(p, c);
  return then ? step_cond(p, origin, origin, then, otherwise) : NULL;
}

proof_of derive(struct prover *p, struct walk *at, const struct core *c, term_id post) {
  if (rewrite_is_dead(p, at, c)) return derive_dead(p, at, c, post);
  size_t first;
  struct script_part *part = part_ending(p, at, &c, 0, &first);
  if (part) return derive_part(p, at, c, part, post);
  const struct script_outcomes *outcomes =
      c->kind == CORE_SEQ ? NULL : outcomes_ending(p, at, &c, 0, &first);
  if (outcomes) return derive_outcomes(p, at, c, outcomes, post);
  const struct script_law *law = law_ending(p, at, &c, 0, &first);
  if (law) return derive_law(p, at, c, law, post);
  switch (c->kind) {
  case CORE_SKIP: return step_skip(p, post);
  case CORE_ASSIGN: return derive_alone(p, at, c, post);
  case CORE_SAMPLE: return derive_sample(p, at, c, post);
  case CORE_SEQ: return derive_sequence(p, at, 0, c, post);
  case CORE_IF: return derive_if(p, at, c, post);
  case CORE_WHILE: return derive_loop(p, at, c, post);
  case CORE_ADVERSARY: return step_adversary(p, c, c, post);
  }
  return NULL;
}

/* Adds the samplings per variable, loops and conditionals of c (not those inside its loops). */
static void walk_add(struct prover *p, struct walk *at, const struct core *c, int sign) {
  switch (c->kind) {
  case CORE_SAMPLE: {
    const char *name = term_var_get(p->ts, c->var)->name;
    size_t count = (size_t)ptrmap_get(at->seen, name) + (size_t)sign;
    ptrmap_put(at->seen, name, (void *)count);
    break;
  }
  case CORE_WHILE: at->loops += (unsigned)sign; break;
  case CORE_IF: at->branches += (unsigned)sign; /* fallthrough */
  case CORE_SEQ:
    walk_add(p, at, c->first, sign);
    walk_add(p, at, c->second, sign);
    break;
  default: break;
  }
}

/* So that the walk from the end of the program can number them from the beginning. */
void walk_count(struct prover *p, struct walk *at, const struct core *c) {
  walk_add(p, at, c, 1);
}
void walk_pass(struct prover *p, struct walk *at, const struct core *c) {
  walk_add(p, at, c, -1);
}

proof_of derive_scope(struct prover *p, struct walk *at, const struct core *c,
                      struct script_scope *s, term_id invariant, term_id post) {
  struct ptrmap seen;
  ptrmap_init(&seen);
  c = derive_fused(p, c);
  struct walk inner = {.scope = s, .outer = at, .seen = &seen, .invariant = invariant, .code = c};
  walk_count(p, &inner, c);
  proof_of j = derive(p, &inner, c, post);
  ptrmap_clear(&seen);
  return j;
}

/* The program from the end, by the steps of a scope; `given` holds of what cannot change. */
static proof_of derive_steps(struct prover *p, struct script_scope *script, term_id given,
                             term_id post) {
  const struct core *program = claim_program(p->claim)->program;
  if (script && script->admit)
    return rule_admit(p->k, script->span, program, program, claim_pre(p->claim), post);
  return derive_scope(p, NULL, program, script, given, post);
}

/* The branches of a `case` about the same program; loops keep what is known in their branch. */
static proof_of derive_cases(struct prover *p, struct script_scope *script, term_id given,
                             term_id post) {
  if (!script || !script->cases) return derive_steps(p, script, given, post);
  const struct script_cases *c = script->cases;
  term_id known = given == TERM_NONE ? term_bool(p->ts, true) : given;
  term_id condition = prover_formula(p, c->condition, SORT_BOOL);
  if (p->error) return NULL;
  proof_of yes = derive_cases(p, c->yes, term_and(p->ts, known, condition), post);
  proof_of no =
      yes ? derive_cases(p, c->no, term_and(p->ts, known, term_not(p->ts, condition)), post) : NULL;
  proof_of j = no ? step_case(p, c->span, condition, yes, no) : NULL;
  return prover_note_cases(p, j, condition);
}

/* Lemmas of the file that stand before the claim: what can be proved becomes a fact. */
static void use_lemmas(struct prover *p) {
  const struct ast_module *module = p->env->module;
  const struct ast_decl *claim = claim_decl(p->claim);
  for (size_t i = 0; i < module->decl_count && module->decls[i] != claim; i++) {
    const struct ast_decl *d = module->decls[i];
    if (d->kind != DECL_LEMMA) continue;
    p->env->error = NULL;
    term_id formula = translate_expr_as(p->env, d->as.formula, SORT_BOOL);
    if (formula != TERM_NONE) step_lemma(p, p->k, d->span, formula);
    p->env->error = NULL;
  }
}

bool derive_lemmas(struct prover *p) {
  enum claim_direction here = prover_direction(p, p->k);
  struct kernel *other = claim_kernel(p->claim, claim_opposite(here));
  if (p->is_ready[here]) return true;
  p->is_ready[here] = true;
  use_lemmas(p);
  for (size_t i = 0; p->script && i < p->script->lemma_count; i++) {
    const struct ast_expr *e = p->script->lemmas[i];
    term_id lemma = prover_formula(p, e, SORT_BOOL);
    if (p->error || !step_lemma(p, p->k, e->span, lemma)) return false;
    step_lemma(p, other, e->span, term_swap_runs(p->ts, lemma));
  }
  return true;
}

/* The range of a pointwise proof, if it has one. */
static bool read_range(struct prover *p, const struct script_scope *s, struct pointwise_sum *sum) {
  if (s->pointwise_low) sum->low = prover_formula(p, s->pointwise_low, SORT_INT);
  if (!p->error && s->pointwise_high) sum->high = prover_formula(p, s->pointwise_high, SORT_INT);
  if (!p->error && s->pointwise_total)
    sum->total = prover_formula(p, s->pointwise_total, SORT_REAL);
  return !p->error;
}

/* Where to look when what the steps need does not hold at the start: the only one, or all. */
static struct span place_of_steps(const struct script_scope *script, const struct core *program) {
  if (!script) return program->span;
  return script->item_count == 1 && script->sample_count == 1 ? script->samples[0].span
                                                              : script->span;
}

/* {budget = eps} M ~ M {outputs equal}, through PW-EQ if the proof says so. */
proof_of derive_claim(struct prover *p, struct script_scope *script) {
  const struct lowered *program = claim_program(p->claim);
  term_id post = claim_post(p->claim);
  term_id pointwise = TERM_NONE, value = TERM_NONE, rest = TERM_NONE;
  struct pointwise_sum sum = {TERM_NONE, TERM_NONE, TERM_NONE};
  if (script && script->admit) return derive_steps(p, script, TERM_NONE, post);
  p->script = script;
  if (!derive_lemmas(p)) return NULL;
  if (script && script->pointwise.text) {
    const struct translate_binding *b = translate_find(p->env, script->pointwise.text);
    if (!b || (b->term != program->result && b->term != program->output))
      return prover_fail(p, script->pointwise.span, "`%s` is not an output",
                         script->pointwise.text);
    pointwise = b->term;
    value = step_fresh(p, script->pointwise_value.text, term_sort(p->ts, pointwise));
    translate_bind(p->env, NULL, script->pointwise_value.text, value, false, TERM_NONE);
    if (!read_range(p, script, &sum)) return NULL;
    rest = rule_pointwise_rest(p->k, pointwise, post);
    post = rule_pointwise_goal(p->k, pointwise, value, post);
    if (post != TERM_NONE) post = rule_pointwise_within(p->k, pointwise, value, &sum, post);
    if (post == TERM_NONE)
      return prover_fail(p, script->pointwise.span, "the outputs cannot be treated pointwise");
  }
  proof_of j = derive_cases(p, script, TERM_NONE, post);
  if (!j) return NULL;
  struct span span = place_of_steps(script, program->program);
  /* in the pure notion values cost nothing: what each one needs can be shown before */
  if (pointwise == TERM_NONE || kernel_notion(p->k).kind == NOTION_PURE)
    j = step_conseq(p, span, claim_pre(p->claim), judgement_post(j), judgement_delta(j), j);
  if (j && pointwise != TERM_NONE) {
    j = step_pointwise(p, script->pointwise.span, pointwise, value, rest, &sum, j);
    if (j && (judgement_post(j) != claim_post(p->claim) || judgement_pre(j) != claim_pre(p->claim)))
      j = step_conseq(p, span, claim_pre(p->claim), claim_post(p->claim), judgement_delta(j), j);
  }
  return j;
}
