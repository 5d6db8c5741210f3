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

/* ---- branches that sample -------------------------------------------------------------------- */

/* Does c write something that the condition reads? */
static bool changes(struct kernel *k, const struct core *c, term_id condition) {
  term_list written = {0};
  core_writes(c, &written);
  bool hit = term_mentions(k->terms, condition, written.at, written.len);
  vec_clear(&written);
  return hit;
}

static const struct core *joined_branch(struct kernel *k, const struct core *c);

/* The branch up to its first sampling, that sampling, and the rest; NULL: there is none. */
static const struct core *first_sampling(struct kernel *k, const struct core *branch,
                                         const struct core **before, const struct core **after) {
  const struct core *first = branch->kind == CORE_SEQ ? branch->first : branch;
  const struct core *rest = branch->kind == CORE_SEQ ? branch->second : core_skip();
  if (first->kind == CORE_SAMPLE) {
    *before = core_skip();
    *after = rest;
    return first;
  }
  if (branch->kind != CORE_SEQ || core_has_loop(first)) return NULL;
  const struct core *found = first_sampling(k, rest, before, after);
  if (found) *before = core_seq(&k->arena, first, *before);
  return found;
}

/* One sampling for two, with parameters by the condition. */
static const struct core *joined_sampling(struct kernel *k, term_id condition, const struct core *a,
                                          const struct core *b) {
  struct terms *ts = k->terms;
  if (a->dist != b->dist || a->arg_count != b->arg_count) return NULL;
  term_id *args = arena_alloc(&k->arena, (a->arg_count + 1) * sizeof *args);
  for (size_t i = 0; i < a->arg_count; i++) {
    bool real = term_sort(ts, a->args[i]) != term_sort(ts, b->args[i]);
    args[i] = real ? term_ite(ts, condition, term_coerce(ts, a->args[i], SORT_REAL),
                              term_coerce(ts, b->args[i], SORT_REAL))
                   : term_ite(ts, condition, a->args[i], b->args[i]);
    if (args[i] == TERM_NONE) return NULL;
  }
  return core_sample(&k->arena, a->span, a->var, a->dist, args, a->arg_count);
}

/* if b c else c' ; one of them if they are the same. */
static const struct core *either(struct kernel *k, const struct core *c, const struct core *yes,
                                 const struct core *no) {
  return core_equal(yes, no) ? yes : core_if(&k->arena, c->span, c->expr, yes, no);
}

static bool reads(struct kernel *k, const struct core *c, term_id var) {
  term_list read = {0};
  core_reads(k->terms, c, &read);
  bool found = false;
  for (size_t i = 0; i < read.len; i++)
    found |= read.at[i] == var;
  vec_clear(&read);
  return found;
}

/* `rest` after the branch has got its own sample z from y, which it does not read; if it has none, y
 * is drawn for nothing. NULL: it does not fit. */
static const struct core *with_sample(struct kernel *k, const struct core *own, term_id y,
                                      const struct core *rest) {
  if (reads(k, rest, y) || (own && term_sort(k->terms, y) != term_sort(k->terms, own->var)))
    return NULL;
  if (!own) return rest;
  return core_seq(&k->arena, core_assign(&k->arena, own->span, own->var, y), rest);
}

/* A branch around its first sampling; NULL: it has none and does not change b. */
struct parted {
  const struct core *before, *draw, *after;
};
static bool part_branch(struct kernel *k, const struct core *branch, term_id b,
                        struct parted *out) {
  branch = joined_branch(k, branch);
  *out = (struct parted){core_skip(), NULL, branch};
  out->draw = first_sampling(k, branch, &out->before, &out->after);
  if (!out->draw) *out = (struct parted){core_skip(), NULL, branch};
  if (!out->draw) return !core_is_random(branch) && !core_has_loop(branch);
  return !changes(k, out->before, b) && !changes(k, out->draw, b);
}

/* `extra` gets the variable that the other branch did not write; NULL: there must be none. */
static const struct core *joined(struct kernel *k, const struct core *c, term_id *extra) {
  struct parted side[2];
  if (c->kind != CORE_IF || !kernel_is_program_term(k, c->expr) ||
      !part_branch(k, c->first, c->expr, &side[0]) || !part_branch(k, c->second, c->expr, &side[1]))
    return NULL;
  size_t main = side[0].draw ? 0 : 1; /* whose variable it is */
  const struct core *draw = side[main].draw, *other = side[!main].draw;
  if (draw && other) draw = joined_sampling(k, c->expr, draw, other);
  if (!draw) return NULL;
  if (!other || other->var != draw->var) {
    side[!main].after = extra ? with_sample(k, other, draw->var, side[!main].after) : NULL;
    if (!side[!main].after) return NULL;
    *extra = draw->var;
  }
  const struct core *end = either(k, c, side[0].after, side[1].after), *more = joined(k, end, NULL);
  return core_seq(&k->arena, either(k, c, side[0].before, side[1].before),
                  core_seq(&k->arena, draw, more ? more : end));
}

/* The sequence with its conditionals joined where they can be. */
static const struct core *joined_branch(struct kernel *k, const struct core *c) {
  if (c->kind == CORE_SEQ)
    return core_seq(&k->arena, joined_branch(k, c->first), joined_branch(k, c->second));
  const struct core *one = joined(k, c, NULL);
  return one ? one : c;
}

const struct core *equiv_joined(struct kernel *k, const struct core *c) {
  term_id extra = TERM_NONE;
  return joined(k, c, &extra);
}

/*  EQUIV-JOIN    on one side, if p, p', y and z do not change b,
 *                if b p else p'; y <$ D(if b then e else e'); if b q else {z := y; q'}
 *    becomes     if b {p; y <$ D(e); q} else {p'; z <$ D(e'); q'}
 *  If y and z are not the same variable, neither q' nor Psi may read y; likewise if one branch samples
 *  nothing at all, and is without loops. (b has the same value all the time, and a sample that nobody
 *  reads does not matter; conditionals in the branches, and the one at the end, likewise with y = z.
 *  Of branches that are the same there is only one.) */
proof_of rule_equiv_join(struct kernel *k, unsigned run, const struct core *c, proof_of j) {
  static const char rule[] = "EQUIV-JOIN";
  term_id extra = TERM_NONE;
  if (!j) return NULL;
  if (j->kernel != k || (run != 1 && run != 2))
    return kernel_fail(k, rule, c->span, "the premise comes from another context");
  if (!joined(k, c, &extra))
    return kernel_fail(k, rule, c->span, "both branches must sample from the same family");
  if (!core_equal(side_of(j, run), equiv_joined(k, c)))
    return kernel_fail(k, rule, c->span, "the premise is not about the joined branches");
  term_id here = extra == TERM_NONE ? TERM_NONE : term_var_in_run(k->terms, extra, run);
  if (extra != TERM_NONE && term_mentions(k->terms, j->post, &here, 1))
    return kernel_fail(k, rule, c->span, "what one branch samples is still used afterwards");
  return replaced(k, rule, c->span, run, c, j->pre, j);
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
