#include "search/prove/defined.h"

#include <stdio.h>
#include <string.h>

#include "claim/claim.h"
#include "kernel/context.h"
#include "kernel/dist.h"
#include "kernel/lossless.h"
#include "lang/syntax/walk.h"
#include "proof/one_run.h"
#include "search/base/lists.h"
#include "term/build.h"
#include "term/subst.h"

/* What the invariants say of the variables that are used as an index: nothing; that they are below
 * the length, or at most the length where the guard of a loop says more; at most the length. */
enum index_range { RANGE_NONE, RANGE_BY_GUARD, RANGE_UP_TO_LENGTH };

/* An operation in the source that is no part of the term its expression became: 0*(1/q). */
struct lost {
  struct span span; /* of the expression */
  term_id operation;
  bool used;
};

struct checks {
  struct kernel *k;
  struct terms *ts;
  struct arena *arena;
  struct translate_env *env;
  const struct core *program;
  term_id stopped; /* program variable: the rest does not count */
  enum index_range range;
  term_list indices, lengths;     /* variables used as an index, and of what */
  term_list bounded;              /* variables that invariants speak of */
  const struct one_run *hints;    /* of the proof, about the program itself; or NULL */
  VEC(const struct core *) loops; /* those of the program with checks */
  term_list variants, invariants;
  VEC(struct lost) lost;
  VEC(const struct ast_routine *) routines; /* looked at for lost operations */
  bool lost_elsewhere;                      /* in one of these, or in a definition */
  struct span elsewhere;
  bool any; /* is there anything that could fail? */
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

/* Number of elements of the array; TERM_NONE if nobody said, or if it grows with what is written. */
static term_id length_of(struct checks *d, term_id array) {
  while (term_kind(d->ts, array) == TERM_STORE)
    array = term_arg(d->ts, array, 0);
  if (term_kind(d->ts, array) != TERM_VAR) return TERM_NONE;
  const struct translate_binding *b = translate_find(d->env, term_var_get(d->ts, array)->name);
  bool is_fixed = b && b->term == array && kernel_is_constant(d->k, b->length);
  return is_fixed ? b->length : TERM_NONE;
}

static term_id in_range(struct checks *d, term_id t) {
  struct terms *ts = d->ts;
  term_id i = term_arg(ts, t, 1), n = length_of(d, term_arg(ts, t, 0));
  if (n == TERM_NONE) return term_bool(ts, true);
  d->any = true;
  if (kernel_is_var(d->k, i)) {
    vec_push(&d->indices, i);
    vec_push(&d->lengths, n);
  }
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

/* ---- operations that arithmetic cancels -------------------------------------------------------
 *
 * Terms are simplified when they are made; a run evaluates what is written. */

struct expression {
  struct checks *d;
  const struct ast_expr *whole;
  term_list parts; /* of its term */
};

static bool may_lack_value(const struct ast_expr *e) {
  if (e->kind == EXPR_INDEX) return true;
  if (e->kind == EXPR_BINARY)
    return e->as.binary.op == BINARY_DIV || e->as.binary.op == BINARY_IDIV ||
           e->as.binary.op == BINARY_MOD || e->as.binary.op == BINARY_POW;
  if (e->kind != EXPR_CALL || e->as.call.callee_kind != CALLEE_BUILTIN) return false;
  enum builtin b = e->as.call.builtin;
  return b == BUILTIN_LN || b == BUILTIN_SQRT || b == BUILTIN_HEAD || b == BUILTIN_TAIL;
}

/* Operations that are written in it, constants apart. */
static void count_operations(const struct ast_expr *e, void *context) {
  bool constant = e->kind == EXPR_BINARY && e->as.binary.right->kind == EXPR_NUMBER;
  *(size_t *)context += may_lack_value(e) && !constant;
  walk_parts(e, count_operations, context);
}

static bool has_operation(struct checks *d, term_id t) {
  term_list parts = {0};
  term_subterms(d->ts, t, &parts);
  bool found = false;
  for (size_t i = 0; i < parts.len && !found; i++) {
    enum term_kind kind = term_kind(d->ts, parts.at[i]);
    found = kind == TERM_DIV || kind == TERM_IDIV || kind == TERM_MOD || kind == TERM_RAISE ||
            kind == TERM_LN || kind == TERM_SQRT || kind == TERM_HEAD || kind == TERM_TAIL ||
            kind == TERM_SELECT;
  }
  vec_clear(&parts);
  return found;
}

static void find_lost_in(const struct ast_expr *e, void *context);

static bool is_routine_seen(struct checks *d, const struct ast_routine *r) {
  for (size_t i = 0; i < d->routines.len; i++)
    if (d->routines.at[i] == r) return true;
  vec_push(&d->routines, r);
  return false;
}

/* Lost where it cannot be said which values it gets: a routine has many calls, a definition no
 * variables. */
static void lose_elsewhere(struct checks *d, struct span span) {
  if (!d->lost_elsewhere) d->elsewhere = span;
  d->lost_elsewhere = true;
}

static void find_lost_in_call(struct checks *d, const struct ast_expr *e) {
  const struct ast_decl *decl = e->as.call.decl;
  if (e->as.call.callee_kind == CALLEE_LET) {
    size_t written = 0;
    count_operations(decl->as.let.body, &written);
    term_id t = translate_expr(d->env, e);
    d->env->error = NULL;
    if (written && t != TERM_NONE && !has_operation(d, t)) lose_elsewhere(d, e->span);
    return;
  }
  const struct ast_routine *callee = e->as.call.callee_kind == CALLEE_PROCEDURE ? decl->as.procedure
                                     : e->as.call.callee_kind == CALLEE_ORACLE  ? e->as.call.oracle
                                                                                : NULL;
  if (!callee || is_routine_seen(d, callee)) return;
  size_t before = d->lost.len;
  walk_block(&callee->body, find_lost_in, d);
  if (d->lost.len > before) lose_elsewhere(d, e->span);
  d->lost.len = before;
}

static void find_lost(const struct ast_expr *e, void *context) {
  struct expression *x = context;
  struct checks *d = x->d;
  term_id t = may_lack_value(e) ? translate_expr(d->env, e) : TERM_NONE;
  if (t != TERM_NONE && !terms_have(&x->parts, t) && defined(d, t) != term_bool(d->ts, true))
    vec_push(&d->lost, ((struct lost){x->whole->span, t, false}));
  d->env->error = NULL; /* what cannot be translated here is in another scope */
  if (e->kind == EXPR_CALL) find_lost_in_call(d, e);
  if (e->kind != EXPR_QUANT) walk_parts(e, find_lost, context);
}

static void find_lost_in(const struct ast_expr *e, void *context) {
  struct expression x = {.d = context, .whole = e};
  term_id t = translate_expr(x.d->env, e);
  x.d->env->error = NULL;
  if (t != TERM_NONE) term_subterms(x.d->ts, t, &x.parts);
  find_lost(e, &x);
  vec_clear(&x.parts);
}

/* What the lost operations of this statement need; those of statements in it were asked for. */
static term_id lost_defined(struct checks *d, struct span span) {
  term_id all = term_bool(d->ts, true);
  for (size_t i = 0; i < d->lost.len; i++) {
    struct lost *l = &d->lost.at[i];
    if (l->used || l->span.file != span.file || l->span.begin < span.begin ||
        l->span.end > span.end)
      continue;
    l->used = true;
    all = term_and(d->ts, all, defined(d, l->operation));
  }
  return all;
}

/* ---- the program with checks ------------------------------------------------------------------
 *
 * Only errors are to be found, so that every loop gets a reason to end that does not depend on the
 * program: an amount of fuel that was there from the start. When it is used up the run is
 * `stopped`, and what follows does not count; since any amount may have been there, every
 * iteration of the program is looked at. */

static const struct core *check(struct checks *d, struct span span, term_id condition) {
  if (condition == term_bool(d->ts, true)) return core_skip();
  const struct core *stuck = core_while(d->arena, span, term_bool(d->ts, true), core_skip());
  return core_if(d->arena, span, term_or(d->ts, d->stopped, condition), core_skip(), stuck);
}

/* What a continuous sample is with probability 0: an end of the numbers that it can be. */
static term_id at_an_end(struct checks *d, const struct core *c) {
  struct terms *ts = d->ts;
  term_id none = term_bool(ts, false);
  for (size_t i = 0; i < c->arg_count; i++)
    if (term_mentions(ts, c->args[i], &c->var, 1)) return none;
  const struct dist_info *info = dist_get(c->dist);
  if (dist_is_discrete(c->dist)) return none;
  if (info->parameters == PARAMETERS_RANGE)
    return term_or(ts, term_eq(ts, c->var, c->args[0]), term_eq(ts, c->var, c->args[1]));
  return info->is_one_sided ? term_eq(ts, c->var, c->args[0]) : none;
}

/* Where the parameters make no sense is the business of the rules that sample. */
static const struct core *checked_sample(struct checks *d, const struct core *c) {
  const struct core *stop = core_assign(d->arena, c->span, d->stopped, term_bool(d->ts, true));
  term_id valid = dist_valid(d->ts, c->dist, c->args, c->arg_count), end = at_an_end(d, c);
  if (end != term_bool(d->ts, false))
    c = core_seq(d->arena, c, core_if(d->arena, c->span, end, stop, core_skip()));
  return valid == TERM_NONE ? c : core_if(d->arena, c->span, valid, c, stop);
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

/* Does the guard of a loop speak of the variable? */
static bool is_guarded(struct terms *ts, const struct core *c, term_id var) {
  switch (c->kind) {
  case CORE_SEQ:
  case CORE_IF: return is_guarded(ts, c->first, var) || is_guarded(ts, c->second, var);
  case CORE_WHILE: return term_mentions(ts, c->expr, &var, 1) || is_guarded(ts, c->first, var);
  default: return false;
  }
}

/* Tried as an invariant. */
static term_id indices_in_range(struct checks *d, const term_list *written) {
  struct terms *ts = d->ts;
  term_id all = term_bool(ts, true);
  for (size_t i = 0; d->range != RANGE_NONE && i < d->indices.len; i++) {
    term_id index = d->indices.at[i], n = d->lengths.at[i];
    if (!terms_have(written, index) || term_mentions(ts, n, written->at, written->len)) continue;
    bool may_be_length = d->range == RANGE_UP_TO_LENGTH || is_guarded(ts, d->program, index);
    vec_push(&d->bounded, index);
    term_id upper = may_be_length ? term_le(ts, index, n) : term_lt(ts, index, n);
    all = term_and(ts, all, term_and(ts, term_le(ts, term_int(ts, 0), index), upper));
  }
  return all;
}

/* What a loop keeps: integers that only grow from 0 on, an index above its lower end, what is tried
 * of variables that are used as an index, and what the proof says. */
static term_id invariant_of(struct checks *d, const struct core *loop) {
  struct terms *ts = d->ts;
  term_list written = {0};
  core_writes(loop, &written);
  term_id all = indices_in_range(d, &written);
  for (size_t i = 0; i < written.len; i++)
    if (term_sort(ts, written.at[i]) == SORT_INT && only_grows(ts, d->program, written.at[i])) {
      vec_push(&d->bounded, written.at[i]);
      all = term_and(ts, all, term_le(ts, term_int(ts, 0), written.at[i]));
    }
  if (loop->var != TERM_NONE && !term_mentions(ts, loop->args[0], written.at, written.len))
    all = term_and(ts, all, term_le(ts, loop->args[0], loop->var));
  vec_clear(&written);
  for (size_t i = 0; d->hints && i < d->hints->loops.len; i++)
    if (d->hints->loops.at[i] == loop) all = term_and(ts, all, d->hints->invariants.at[i]);
  return term_or(ts, d->stopped, all);
}

/* while b and not stopped and fuel > 0 { fuel := fuel - 1; body }; stopped := stopped or b */
static const struct core *checked_loop(struct checks *d, const struct core *c,
                                       const struct core *body) {
  struct terms *ts = d->ts;
  struct arena *arena = d->arena;
  char name[32];
  snprintf(name, sizeof name, "fuel@%zu", d->loops.len);
  term_id fuel = kernel_var(d->k, name, SORT_INT, false), zero = term_int(ts, 0);
  term_id runs = term_and(ts, term_not(ts, d->stopped), term_lt(ts, zero, fuel));
  const struct core *burn = core_assign(arena, c->span, fuel, term_sub(ts, fuel, term_int(ts, 1)));
  const struct core *loop =
      core_while(arena, c->span, term_and(ts, c->expr, runs), core_seq(arena, burn, body));
  vec_push(&d->loops, loop);
  vec_push(&d->variants, fuel);
  vec_push(&d->invariants, invariant_of(d, c));
  const struct core *stop =
      core_assign(arena, c->span, d->stopped, term_or(ts, d->stopped, c->expr));
  return core_seq(arena, loop, stop);
}

/* The check of a statement whose own operations have a value where `own` holds. */
static const struct core *check_all(struct checks *d, const struct core *c, term_id own) {
  return check(d, c->span, term_and(d->ts, own, lost_defined(d, c->span)));
}

static const struct core *checked(struct checks *d, const struct core *c) {
  struct arena *arena = d->arena;
  switch (c->kind) {
  case CORE_ASSIGN: return core_seq(arena, check_all(d, c, defined(d, c->expr)), c);
  case CORE_SAMPLE:
    return core_seq(arena, check_all(d, c, args_defined(d, c)), checked_sample(d, c));
  case CORE_ADVERSARY: return core_seq(arena, check_all(d, c, args_defined(d, c)), c);
  case CORE_SEQ: {
    const struct core *first = checked(d, c->first);
    return core_seq(arena, first, checked(d, c->second));
  }
  case CORE_IF: {
    const struct core *first = checked(d, c->first), *second = checked(d, c->second);
    return core_seq(arena, check_all(d, c, defined(d, c->expr)),
                    core_if(arena, c->span, c->expr, first, second));
  }
  case CORE_WHILE: {
    const struct core *body = checked(d, c->first);
    const struct core *guard = check_all(d, c, defined(d, c->expr));
    return core_seq(arena, guard, checked_loop(d, c, core_seq(arena, body, guard)));
  }
  case CORE_SKIP: break;
  }
  return c;
}

/* No variable is read before it is assigned: so 0 is as good a beginning as any, and one that
 * invariants hold for. */
static const struct core *with_start(struct checks *d, const struct core *program) {
  const struct core *begin =
      core_assign(d->arena, program->span, d->stopped, term_bool(d->ts, false));
  for (size_t i = 0; i < d->bounded.len; i++)
    begin = core_seq(d->arena, begin,
                     core_assign(d->arena, program->span, d->bounded.at[i], term_int(d->ts, 0)));
  return core_seq(d->arena, begin, program);
}

/* Is every operation shown to have a value? If not, the failure of the kernel says where. */
static bool is_safe(struct checks *d) {
  d->loops.len = d->variants.len = d->invariants.len = 0;
  d->bounded.len = 0;
  for (size_t i = 0; i < d->lost.len; i++)
    d->lost.at[i].used = false;
  const struct core *program = with_start(d, checked(d, d->program));
  struct loop_variants loops = {.loops = d->loops.at,
                                .variants = d->variants.at,
                                .invariants = d->invariants.at,
                                .count = d->loops.len};
  return !d->any || lossless_check(d->k, program, 1, &loops);
}

/* The proof that was found, or else the one in the file; NULL: none. */
static const struct script_scope *read_proof(struct lang *lang, const struct ast_decl *claim,
                                             const char *found) {
  if (!found && !claim->as.claim.has_proof) return NULL;
  struct span proof = claim->as.claim.proof;
  if (found)
    proof = (struct span){sources_add(&lang->sources, "<proof>", found, strlen(found)), 0,
                          (uint32_t)strlen(found)};
  struct diag_mark mark = diags_mark(&lang->diags);
  const struct script_scope *script = script_parse(lang, proof);
  diags_rollback(&lang->diags, mark);
  return script;
}

/* Was it a check that failed, not something that was tried? */
static bool is_check(const struct checks *d) {
  return kernel_failure(d->k)->formula == term_bool(d->ts, false);
}

/* With more and more that is tried as an invariant; *where is the first place that may fail. */
static bool is_safe_somehow(struct checks *d, struct lang *lang, const struct ast_decl *claim,
                            const char *found, struct span *where) {
  if (is_safe(d)) return true;
  *where = kernel_failure(d->k)->span;
  /* the lists of indices are complete now */
  for (d->range = RANGE_BY_GUARD; d->indices.len && d->range <= RANGE_UP_TO_LENGTH; d->range++)
    if (is_safe(d)) return true;
  d->range = RANGE_NONE;
  const struct script_scope *script = read_proof(lang, claim, found);
  if (!script) return false;
  struct one_run hints;
  one_run_read(&hints, d->env, d->program, script);
  d->hints = &hints;
  bool safe = is_safe(d);
  if (!safe && is_check(d)) *where = kernel_failure(d->k)->span;
  one_run_clear(&hints);
  d->hints = NULL;
  return safe;
}

bool program_may_fail(struct lang *lang, const struct ast_module *module,
                      const struct ast_decl *decl, const char *found,
                      const struct smt_options *options, struct span *where) {
  struct terms ts;
  struct smt smt;
  bool fails = false;
  terms_init(&ts);
  smt_init(&smt, &ts, options);
  *where = decl->span;
  struct claim *claim = claim_open(lang, module, decl, &ts, &smt.decider, NULL);
  if (claim) {
    struct kernel *k = claim_kernel(claim, CLAIM_FORWARD);
    struct checks d = {.k = k, .ts = &ts, .arena = kernel_arena(k), .env = claim_env(claim)};
    d.program = claim_program(claim)->program;
    d.stopped = kernel_var(k, "stopped@", SORT_BOOL, false);
    walk_block(&decl->as.claim.target->as.mechanism.routine->body, find_lost_in, &d);
    fails = !is_safe_somehow(&d, lang, decl, found, where);
    if (!fails && d.lost_elsewhere) {
      fails = true;
      *where = d.elsewhere;
    }
    vec_clear(&d.lost);
    vec_clear(&d.routines);
    vec_clear(&d.indices);
    vec_clear(&d.lengths);
    vec_clear(&d.bounded);
    vec_clear(&d.loops);
    vec_clear(&d.variants);
    vec_clear(&d.invariants);
  }
  claim_close(claim);
  smt_clear(&smt);
  terms_clear(&ts);
  return fails;
}
