/* EQUIV: one side of a judgement is replaced by a program that does the same. */
#include "kernel/dist.h"
#include "kernel/internal.h"
#include "kernel/rules.h"
#include "term/build.h"
#include "term/subst.h"

static const struct core *side_of(const struct judgement *j, unsigned run) {
  return run == 1 ? j->left : j->right;
}

static const struct judgement *replaced(struct kernel *k, const char *rule, struct span span,
                                        unsigned run, const struct core *c, term_id pre,
                                        const struct judgement *j) {
  return judgement_new(k, rule, span, run == 1 ? c : j->left, run == 2 ? c : j->right, pre, j->post,
                       j->delta, j, NULL);
}

static bool is_number(struct terms *ts, term_id t, long value) {
  return t != TERM_NONE &&
         (t == term_int(ts, value) || t == term_coerce(ts, term_int(ts, value), SORT_REAL));
}

/* Samples of the block as logical variables, and what z is in terms of them. */
struct inversion {
  term_id z;
  term_id value; /* of z, over the memory before the block */
  term_id u, s;  /* logical; TERM_NONE until met */
};

/* One command of the block, from the last to the first. */
static bool invert(struct kernel *k, const struct core *c, struct inversion *v) {
  struct terms *ts = k->terms;
  if (!kernel_is_writable(k, c->var)) return false;
  if (c->kind == CORE_ASSIGN) {
    term_id to = term_coerce(ts, c->expr, term_sort(ts, c->var));
    v->value = to == TERM_NONE ? TERM_NONE : term_subst(ts, v->value, &c->var, &to, 1);
    return v->value != TERM_NONE && kernel_is_program_term(k, c->expr);
  }
  if (c->kind != CORE_SAMPLE) return false;
  bool uniform = c->dist == DIST_UNIFORM && is_number(ts, c->args[0], 0) &&
                 is_number(ts, c->args[1], 1) && v->u == TERM_NONE &&
                 term_sort(ts, c->var) == SORT_REAL;
  bool sign = c->dist == DIST_UNIFORM_SET && c->arg_count == 2 && v->s == TERM_NONE &&
              ((is_number(ts, c->args[0], -1) && is_number(ts, c->args[1], 1)) ||
               (is_number(ts, c->args[0], 1) && is_number(ts, c->args[1], -1)));
  if (!uniform && !sign) return false;
  term_id sample = kernel_fresh(k, uniform ? "u" : "s", term_sort(ts, c->var));
  *(uniform ? &v->u : &v->s) = sample;
  v->value = term_subst(ts, v->value, &c->var, &sample, 1);
  return v->value != TERM_NONE;
}

static bool invert_block(struct kernel *k, const struct core *c, struct inversion *v) {
  if (c->kind != CORE_SEQ) return invert(k, c, v);
  return invert_block(k, c->second, v) && invert(k, c->first, v);
}

/*  EQUIV-LAP   {Phi} z <$ Lap(0,b) ~d c2 {Psi}
 *              ---------------------------------------------          (likewise on the right)
 *              {Phi, E} block ~d c2 {Psi}
 *  block: assignments, one u <$ Uniform(0,1) and one s <$ Uniform{-1,1}, in any order. E says that
 * it leaves s*b*ln(u) in z: for all u in (0,1], s in {-1,1}, with b as before the block. What the
 *  block writes besides z is dead: Psi does not mention it.
 *  (-ln(u) is exponential; with a random sign and scale b > 0 it is Lap(0,b). b > 0 is in Phi.) */
proof_of rule_equiv_laplace(struct kernel *k, unsigned run, const struct core *block, proof_of j) {
  static const char rule[] = "EQUIV-LAP";
  struct terms *ts = k->terms;
  if (!j) return NULL;
  if (j->kernel != k || (run != 1 && run != 2))
    return kernel_fail(k, rule, block->span, "the premise comes from another context");
  const struct core *lap = side_of(j, run);
  if (lap->kind != CORE_SAMPLE || lap->dist != DIST_LAPLACE || !is_number(ts, lap->args[0], 0) ||
      term_sort(ts, lap->var) != SORT_REAL)
    return kernel_fail(k, rule, block->span, "the premise must sample Laplace noise around 0");
  struct inversion v = {.z = lap->var, .value = lap->var};
  if (!invert_block(k, block, &v) || v.u == TERM_NONE || v.s == TERM_NONE)
    return kernel_fail(k, rule, block->span,
                       "the block must consist of u <$ Uniform(0, 1), s <$ Uniform{-1, 1} and "
                       "assignments");
  term_list dead = {0};
  core_writes(block, &dead);
  size_t count = 0;
  for (size_t i = 0; i < dead.len; i++)
    if (dead.at[i] != v.z) dead.at[count++] = term_var_in_run(ts, dead.at[i], run);
  bool used = term_mentions(ts, j->post, dead.at, count);
  vec_clear(&dead);
  if (used)
    return kernel_fail(k, rule, block->span, "a variable of the block is still used afterwards");
  term_id b = kernel_tag(k, lap->args[1], run), one = term_int(ts, 1);
  term_id noise = term_mul(ts, term_mul(ts, v.s, b), term_ln(ts, v.u));
  term_id range[] = {term_lt(ts, term_int(ts, 0), v.u), term_le(ts, v.u, one),
                     term_or(ts, term_eq(ts, v.s, one), term_eq(ts, v.s, term_neg(ts, one)))};
  term_id same = term_eq(ts, kernel_tag(k, v.value, run), noise);
  term_id vars[] = {v.u, v.s};
  term_id computes = term_forall(ts, vars, 2, term_implies(ts, term_and_all(ts, range, 3), same));
  term_id pre = term_and(
      ts, j->pre,
      kernel_label(k, computes, rule, block->span, "the block computes sign * scale * ln(u)"));
  return replaced(k, rule, block->span, run, block, pre, j);
}

/* Do two commands touch different things? Neither writes what the other reads or writes. */
static bool independent(struct kernel *k, const struct core *a, const struct core *b) {
  term_list reads = {0}, writes = {0};
  bool clash = false;
  for (int turn = 0; turn < 2; turn++) {
    const struct core *writer = turn ? b : a, *other = turn ? a : b;
    writes.len = reads.len = 0;
    core_writes(writer, &writes);
    core_reads(k->terms, other, &reads);
    core_writes(other, &reads);
    for (size_t i = 0; i < writes.len; i++)
      for (size_t l = 0; l < reads.len; l++)
        clash |= writes.at[i] == reads.at[l];
  }
  vec_clear(&reads);
  vec_clear(&writes);
  return !clash;
}

/*  EQUIV-SWAP  a;b;c becomes b;a;c on one side, if neither a nor b writes what the other reads or
 *              writes, and both end (a loop or an adversary stays where it is). */
proof_of rule_equiv_swap(struct kernel *k, unsigned run, proof_of j) {
  static const char rule[] = "EQUIV-SWAP";
  if (!j) return NULL;
  if (j->kernel != k || (run != 1 && run != 2))
    return kernel_fail(k, rule, j->span, "the premise comes from another context");
  const struct core *c = side_of(j, run);
  if (c->kind != CORE_SEQ) return kernel_fail(k, rule, j->span, "there is nothing to swap");
  bool last = c->second->kind != CORE_SEQ;
  const struct core *a = c->first, *b = last ? c->second : c->second->first;
  if (core_has_loop(a) || core_has_loop(b) || !independent(k, a, b))
    return kernel_fail(k, rule, a->span, "these statements depend on each other");
  const struct core *rest = last ? core_skip() : c->second->second;
  const struct core *swapped = core_seq(&k->arena, b, core_seq(&k->arena, a, rest));
  return replaced(k, rule, a->span, run, swapped, j->pre, j);
}

/*  EQUIV-UNROLL  if b {c; while b c} else skip   becomes   while b c   on one side. */
proof_of rule_equiv_unroll(struct kernel *k, unsigned run, const struct core *loop, proof_of j) {
  static const char rule[] = "EQUIV-UNROLL";
  if (!j) return NULL;
  if (j->kernel != k || loop->kind != CORE_WHILE || (run != 1 && run != 2))
    return kernel_fail(k, rule, loop->span, "this is not a loop");
  const struct core *once = core_if(&k->arena, loop->span, loop->expr,
                                    core_seq(&k->arena, loop->first, loop), core_skip());
  if (!core_equal(side_of(j, run), once))
    return kernel_fail(k, rule, loop->span, "the premise is not about the unrolled loop");
  return replaced(k, rule, loop->span, run, loop, j->pre, j);
}

static bool is_split(struct kernel *k, const char *rule, unsigned run, const struct core *loop,
                     term_id p, proof_of j) {
  if (!j) return false;
  if (j->kernel == k && loop->kind == CORE_WHILE && (run == 1 || run == 2) &&
      kernel_is_program_term(k, p) && term_sort(k->terms, p) == SORT_BOOL)
    return true;
  kernel_fail(k, rule, loop->span, "a loop and a condition of the program are needed");
  return false;
}

/*  EQUIV-SPLIT   while b and p {c}; while b {c}   becomes   while b {c}   on one side, p any bool
 *                term of the program. */
proof_of rule_equiv_split(struct kernel *k, unsigned run, const struct core *loop, term_id p,
                          proof_of j) {
  static const char rule[] = "EQUIV-SPLIT";
  if (!is_split(k, rule, run, loop, p, j)) return NULL;
  const struct core *first =
      core_while(&k->arena, loop->span, term_and(k->terms, loop->expr, p), loop->first);
  if (!core_equal(side_of(j, run), core_seq(&k->arena, first, loop)))
    return kernel_fail(k, rule, loop->span, "the premise is not about the split loop");
  return replaced(k, rule, loop->span, run, loop, j->pre, j);
}

/*  EQUIV-BLOCK   while b {c; while b and p {c}}   becomes   while b {c}   on one side, p any bool
 *                term of the program. */
proof_of rule_equiv_block(struct kernel *k, unsigned run, const struct core *loop, term_id p,
                          proof_of j) {
  static const char rule[] = "EQUIV-BLOCK";
  if (!is_split(k, rule, run, loop, p, j)) return NULL;
  const struct core *more =
      core_while(&k->arena, loop->span, term_and(k->terms, loop->expr, p), loop->first);
  const struct core *blocks =
      core_while(&k->arena, loop->span, loop->expr, core_seq(&k->arena, loop->first, more));
  if (!core_equal(side_of(j, run), blocks))
    return kernel_fail(k, rule, loop->span, "the premise is not about the loop in blocks");
  return replaced(k, rule, loop->span, run, loop, j->pre, j);
}

/* x and y of a body x; while g {c}; y, and the loop between them; NULL: there is none. */
static const struct core *inner_loop(struct kernel *k, const struct core *body,
                                     const struct core **before, const struct core **after) {
  const struct core *first = body->kind == CORE_SEQ ? body->first : body;
  const struct core *rest = body->kind == CORE_SEQ ? body->second : core_skip();
  if (first->kind == CORE_WHILE) {
    *before = core_skip();
    *after = rest;
    return first;
  }
  if (body->kind != CORE_SEQ) return NULL;
  const struct core *inner = inner_loop(k, rest, before, after);
  if (inner) *before = core_seq(&k->arena, first, *before);
  return inner;
}

const struct core *equiv_flat(struct kernel *k, const struct core *loop, term_id flag) {
  struct terms *ts = k->terms;
  struct arena *arena = &k->arena;
  struct span at = loop->span;
  const struct core *before, *after;
  const struct core *inner =
      loop->kind == CORE_WHILE ? inner_loop(k, loop->first, &before, &after) : NULL;
  if (!inner) return NULL;
  const struct core *on = core_assign(arena, at, flag, term_bool(ts, true)),
                    *off = core_assign(arena, at, flag, term_bool(ts, false));
  const struct core *enter = core_if(arena, at, flag, core_skip(), core_seq(arena, before, on));
  const struct core *step =
      core_if(arena, inner->span, inner->expr, inner->first, core_seq(arena, after, off));
  const struct core *flat =
      core_while(arena, at, term_or(ts, flag, loop->expr), core_seq(arena, enter, step));
  return core_seq(arena, off, flat);
}

/*  EQUIV-FLATTEN   on one side
 *              f := false; while f or b {if not f {x; f := true}; if g {c} else {y; f := false}}
 *    becomes   while b {x; while g {c}; y}
 *  f is a bool variable that the latter neither reads nor writes, and is not in Phi or Psi. (f says
 *  whether the inner loop is running; each iteration of the flat loop is one of its iterations, or
 *  its end and y.) */
proof_of rule_equiv_flatten(struct kernel *k, unsigned run, const struct core *loop, term_id flag,
                            proof_of j) {
  static const char rule[] = "EQUIV-FLATTEN";
  struct terms *ts = k->terms;
  if (!j) return NULL;
  if (j->kernel != k || (run != 1 && run != 2))
    return kernel_fail(k, rule, loop->span, "the premise comes from another context");
  if (!kernel_is_var(k, flag) || !kernel_is_writable(k, flag) || term_sort(ts, flag) != SORT_BOOL)
    return kernel_fail(k, rule, loop->span, "a bool variable of the program is needed");
  const struct core *flat = equiv_flat(k, loop, flag);
  if (!flat) return kernel_fail(k, rule, loop->span, "there is no loop in this loop");
  term_list used = {0};
  core_reads(ts, loop, &used);
  core_writes(loop, &used);
  bool clash = false;
  for (size_t i = 0; i < used.len; i++)
    clash |= used.at[i] == flag;
  vec_clear(&used);
  term_id here = term_var_in_run(ts, flag, run);
  if (clash || term_mentions(ts, j->pre, &here, 1) || term_mentions(ts, j->post, &here, 1))
    return kernel_fail(k, rule, loop->span, "the variable is used otherwise");
  if (!core_equal(side_of(j, run), flat))
    return kernel_fail(k, rule, loop->span, "the premise is not about the flat loop");
  return replaced(k, rule, loop->span, run, loop, j->pre, j);
}

/*  EQUIV-DEAD    {Phi} c1 ~d c2 {Psi}   becomes   {Phi} dead; c1 ~d c2 {Psi}   (likewise on the
 *                right), if `dead` is lossless, calls no adversary (what that is told counts as
 *                published) and neither Psi nor c1 reads what it writes.
 *                (Phi is about the memory before; c1 does the same from any values of those.) */
proof_of rule_equiv_dead(struct kernel *k, unsigned run, const struct core *dead,
                         const struct loop_variants *variants, proof_of j) {
  static const char rule[] = "EQUIV-DEAD";
  if (!j) return NULL;
  if (j->kernel != k || (run != 1 && run != 2))
    return kernel_fail(k, rule, dead->span, "the premise comes from another context");
  term_list written = {0}, read = {0};
  core_writes(dead, &written);
  core_reads(k->terms, side_of(j, run), &read);
  bool frozen = false, used = false;
  for (size_t i = 0; i < written.len; i++) {
    frozen |= !kernel_is_writable(k, written.at[i]);
    for (size_t l = 0; l < read.len; l++)
      used |= written.at[i] == read.at[l];
  }
  vec_clear(&written);
  vec_clear(&read);
  if (frozen) return kernel_fail(k, rule, dead->span, "an input cannot be assigned to");
  if (core_calls_adversary(dead))
    return kernel_fail(k, rule, dead->span, "what an adversary is told counts as published");
  if (used || kernel_writes_into(k, dead, run, j->post))
    return kernel_fail(k, rule, dead->span, "what these statements write is still used afterwards");
  if (!lossless_check(k, dead, run, variants)) return NULL;
  return replaced(k, rule, dead->span, run, core_seq(&k->arena, dead, side_of(j, run)), j->pre, j);
}
