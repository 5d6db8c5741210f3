#include "proof/defined.h"

#include <string.h>

#include "claim/claim.h"
#include "kernel/lossless.h"
#include "proof/one_run.h"
#include "term/build.h"
#include "term/subst.h"

struct checks {
  struct kernel *k;
  struct terms *ts;
  struct arena *arena;
  struct translate_env *env;
  const struct core *program;
  VEC(const struct core *) loops; /* that need invariants: those of the program with checks */
  term_list variants, invariants;
  const struct one_run *hints; /* of the proof, about the program itself; or NULL */
  term_list assigned;          /* on every way to this point of the program */
  bool any;                    /* is there anything that could fail? */
};

static term_id defined(struct checks *d, term_id t);

static term_id both_defined(struct checks *d, term_id t, term_id condition) {
  term_id all = condition;
  for (size_t i = 0; i < term_arg_count(d->ts, t); i++)
    all = term_and(d->ts, all, defined(d, term_arg(d->ts, t, i)));
  return all;
}

/* and, or: an operand matters only if none of those that always have a value decides (the order in
 * which they were written is lost). */
static term_id lazily_defined(struct checks *d, term_id t, bool is_and) {
  struct terms *ts = d->ts;
  term_id safe = term_bool(ts, true), all = safe, yes = safe;
  for (int round = 0; round < 2; round++)
    for (size_t i = 0; i < term_arg_count(ts, t); i++) {
      term_id a = term_arg(ts, t, i), has_value = defined(d, a);
      if (round == 0 && has_value == yes) safe = term_and(ts, safe, is_and ? a : term_not(ts, a));
      if (round == 1 && has_value != yes)
        all = term_and(ts, all, term_implies(ts, safe, has_value));
    }
  return all;
}

/* Number of elements of the array; TERM_NONE if nobody said. */
static term_id length_of(struct checks *d, term_id array) {
  while (term_kind(d->ts, array) == TERM_STORE)
    array = term_arg(d->ts, array, 0);
  if (term_kind(d->ts, array) != TERM_VAR) return TERM_NONE;
  const struct translate_binding *b = translate_find(d->env, term_var_get(d->ts, array)->name);
  return b && b->term == array ? b->length : TERM_NONE;
}

static term_id in_range(struct checks *d, term_id t) {
  struct terms *ts = d->ts;
  term_id i = term_arg(ts, t, 1), n = length_of(d, term_arg(ts, t, 0));
  if (n == TERM_NONE) return term_bool(ts, true);
  d->any = true;
  return term_and(ts, term_le(ts, term_int(ts, 0), i), term_lt(ts, i, n));
}

/* All operations in the term have a value. */
static term_id defined(struct checks *d, term_id t) {
  struct terms *ts = d->ts;
  term_id yes = term_bool(ts, true), zero = term_int(ts, 0);
  switch (term_kind(ts, t)) {
  case TERM_DIV:
  case TERM_IDIV:
  case TERM_MOD: d->any = true; return both_defined(d, t, term_ne(ts, term_arg(ts, t, 1), zero));
  case TERM_RAISE: d->any = true; return both_defined(d, t, term_le(ts, zero, term_arg(ts, t, 0)));
  case TERM_LN: d->any = true; return both_defined(d, t, term_lt(ts, zero, term_arg(ts, t, 0)));
  case TERM_SQRT: d->any = true; return both_defined(d, t, term_le(ts, zero, term_arg(ts, t, 0)));
  case TERM_HEAD:
  case TERM_TAIL:
    d->any = true;
    return both_defined(d, t, term_lt(ts, zero, term_length(ts, term_arg(ts, t, 0))));
  case TERM_SELECT:
  case TERM_STORE: return both_defined(d, t, in_range(d, t));
  case TERM_AND: return lazily_defined(d, t, true);
  case TERM_OR: return lazily_defined(d, t, false);
  case TERM_ITE: {
    term_id c = term_arg(ts, t, 0);
    term_id branches = term_and(ts, term_implies(ts, c, defined(d, term_arg(ts, t, 1))),
                                term_implies(ts, term_not(ts, c), defined(d, term_arg(ts, t, 2))));
    return term_and(ts, defined(d, c), branches);
  }
  default: return both_defined(d, t, yes);
  }
}

/* ---- the program with checks ---------------------------------------------------------------- */

static const struct core *check(struct checks *d, struct span span, term_id condition) {
  if (condition == term_bool(d->ts, true)) return core_skip();
  const struct core *stuck = core_while(d->arena, span, term_bool(d->ts, true), core_skip());
  return core_if(d->arena, span, condition, core_skip(), stuck);
}

static term_id args_defined(struct checks *d, const struct core *c) {
  term_id all = term_bool(d->ts, true);
  for (size_t i = 0; i < c->arg_count; i++)
    all = term_and(d->ts, all, defined(d, c->args[i]));
  return all;
}

static bool is_natural(struct terms *ts, term_id t) {
  return term_is_num(ts, t) && fmpq_sgn(term_num_value(ts, t)) >= 0;
}

/* Does every assignment in c give the variable a natural number, or add one to it? */
static bool only_grows(struct terms *ts, const struct core *c, term_id var) {
  switch (c->kind) {
  case CORE_ASSIGN:
    return c->var != var || is_natural(ts, c->expr) || is_natural(ts, term_sub(ts, c->expr, var));
  case CORE_SAMPLE:
  case CORE_ADVERSARY: return c->var != var && c->state != var;
  case CORE_SEQ:
  case CORE_IF: return only_grows(ts, c->first, var) && only_grows(ts, c->second, var);
  case CORE_WHILE: return only_grows(ts, c->first, var);
  default: return true;
  }
}

/* Is it among what was assigned from the given point on? */
static bool is_assigned(const struct checks *d, size_t from, term_id var) {
  for (size_t i = from; i < d->assigned.len; i++)
    if (d->assigned.at[i] == var) return true;
  return false;
}

/* What a loop keeps: integers that only grow from 0 on, an index above its lower end, and what the
 * proof says. */
static void add_invariant(struct checks *d, const struct core *old, const struct core *loop) {
  struct terms *ts = d->ts;
  term_list written = {0};
  core_writes(old, &written);
  term_id all = term_bool(ts, true);
  for (size_t i = 0; i < written.len; i++)
    if (term_sort(ts, written.at[i]) == SORT_INT && is_assigned(d, 0, written.at[i]) &&
        only_grows(ts, d->program, written.at[i]))
      all = term_and(ts, all, term_le(ts, term_int(ts, 0), written.at[i]));
  if (old->var != TERM_NONE && !term_mentions(ts, old->args[0], written.at, written.len))
    all = term_and(ts, all, term_le(ts, old->args[0], old->var));
  vec_clear(&written);
  term_id variant = TERM_NONE;
  for (size_t i = 0; d->hints && i < d->hints->loops.len; i++)
    if (d->hints->loops.at[i] == old) {
      variant = d->hints->variants.at[i];
      all = term_and(ts, all, d->hints->invariants.at[i]);
    }
  vec_push(&d->loops, loop);
  vec_push(&d->variants, variant);
  vec_push(&d->invariants, all);
}

static const struct core *checked(struct checks *d, const struct core *c) {
  struct arena *arena = d->arena;
  switch (c->kind) {
  case CORE_ASSIGN:
    vec_push(&d->assigned, c->var);
    return core_seq(arena, check(d, c->span, defined(d, c->expr)), c);
  case CORE_SAMPLE:
  case CORE_ADVERSARY: return core_seq(arena, check(d, c->span, args_defined(d, c)), c);
  case CORE_SEQ: {
    const struct core *first = checked(d, c->first);
    return core_seq(arena, first, checked(d, c->second));
  }
  case CORE_IF: {
    const struct core *guard = check(d, c->span, defined(d, c->expr));
    size_t before = d->assigned.len;
    const struct core *first = checked(d, c->first);
    size_t between = d->assigned.len;
    const struct core *second = checked(d, c->second);
    size_t kept = before; /* what both branches assign */
    for (size_t i = before; i < between; i++)
      if (is_assigned(d, between, d->assigned.at[i])) d->assigned.at[kept++] = d->assigned.at[i];
    d->assigned.len = kept;
    return core_seq(arena, guard, core_if(arena, c->span, c->expr, first, second));
  }
  case CORE_WHILE: {
    size_t before = d->assigned.len;
    const struct core *guard = check(d, c->span, defined(d, c->expr));
    const struct core *body = core_seq(arena, checked(d, c->first), guard);
    const struct core *loop = core_while(arena, c->span, c->expr, body);
    d->assigned.len = before;
    add_invariant(d, c, loop);
    return core_seq(arena, guard, loop);
  }
  case CORE_SKIP: break;
  }
  return c;
}

/* A loop that may not end for another reason is not our business. */
static bool is_stuck(const struct kernel_failure *f) {
  return f->conjunct && strcmp(f->conjunct, "false") == 0;
}

/* Can an operation of the program fail, as far as we can tell with these hints? */
enum outcome { OUTCOME_SAFE, OUTCOME_FAILS, OUTCOME_UNCLEAR };

static enum outcome try_checks(struct claim *claim, const struct one_run *hints) {
  struct kernel *k = claim_kernel(claim, CLAIM_FORWARD);
  struct checks d = {.k = k,
                     .ts = kernel_terms(k),
                     .arena = kernel_arena(k),
                     .env = claim_env(claim),
                     .program = claim_program(claim)->program,
                     .hints = hints};
  const struct core *program = checked(&d, d.program);
  struct loop_variants loops = {d.loops.at, d.variants.at, d.invariants.at, d.loops.len};
  enum outcome outcome = !d.any || lossless_check(k, program, 1, &loops) ? OUTCOME_SAFE
                         : is_stuck(kernel_failure(k))                   ? OUTCOME_FAILS
                                                                         : OUTCOME_UNCLEAR;
  vec_clear(&d.loops);
  vec_clear(&d.variants);
  vec_clear(&d.invariants);
  vec_clear(&d.assigned);
  return outcome;
}

/* The hints of a proof may be what is missing; or they may not hold of one run, which is unclear.
 */
static enum outcome try_proof(struct claim *claim, struct lang *lang, struct span proof) {
  struct diag_mark mark = diags_mark(&lang->diags);
  const struct script_scope *script = script_parse(lang, proof);
  diags_rollback(&lang->diags, mark);
  if (!script) return OUTCOME_UNCLEAR;
  struct one_run hints;
  one_run_read(&hints, claim_env(claim), claim_program(claim)->program, script);
  enum outcome outcome = try_checks(claim, &hints);
  one_run_clear(&hints);
  return outcome;
}

bool proof_may_fail(struct lang *lang, const struct ast_module *module, const struct ast_decl *decl,
                    const char *found, const struct smt_options *options, struct span *where) {
  struct terms ts;
  struct smt smt;
  const char *why;
  bool fails = false;
  terms_init(&ts);
  smt_init(&smt, &ts, options);
  struct claim *claim = claim_open(lang, module, decl, &ts, &smt, &why, where);
  if (claim && try_checks(claim, NULL) == OUTCOME_FAILS) {
    const struct kernel_failure *failure = kernel_failure(claim_kernel(claim, CLAIM_FORWARD));
    *where = failure->span;
    struct span proof = decl->as.claim.proof;
    if (found)
      proof = (struct span){sources_add(&lang->sources, "<proof>", found, strlen(found)), 0,
                            (uint32_t)strlen(found)};
    bool has_proof = found || decl->as.claim.has_proof;
    enum outcome outcome = has_proof ? try_proof(claim, lang, proof) : OUTCOME_UNCLEAR;
    if (outcome == OUTCOME_FAILS) *where = failure->span;
    fails = outcome != OUTCOME_SAFE;
  }
  claim_close(claim);
  smt_clear(&smt);
  terms_clear(&ts);
  return fails;
}
