/* EQUIV-FUSE: what a loop does ahead of another one is done iteration by iteration. */
#include "kernel/ahl.h"
#include "kernel/internal.h"
#include "kernel/rules.h"
#include "term/build.h"
#include "term/subst.h"

/* while g {step; index := index + 1}, where `step` does not write the index. */
struct counting {
  const struct core *loop, *step;
  term_id index;
};

/* i := low; ahead; between; later; after */
struct fusion {
  struct kernel *k;
  struct counting ahead, later;
  term_id low, high;
  const struct core *between, *after;
  const struct core *early, *late; /* the step of `later`, before and after that of `ahead` */
  term_list arrays;                /* that `ahead` changes, at its index only */
  term_list others;                /* what else it writes: has no value that anyone reads later */
};

/* ---- what commands read and write ------------------------------------------------------------ */

static bool is_in(const term_list *list, term_id x) {
  for (size_t i = 0; i < list->len; i++)
    if (list->at[i] == x) return true;
  return false;
}

static bool writes(const struct core *c, term_id x) {
  term_list all = {0};
  core_writes(c, &all);
  bool found = is_in(&all, x);
  vec_clear(&all);
  return found;
}

/* Does z occur in t in z[index] alone? */
static bool term_is_at(struct kernel *k, term_id t, term_id z, term_id index) {
  struct terms *ts = k->terms;
  if (!term_mentions(ts, t, &z, 1)) return true;
  term_id item = term_select(ts, z, index);
  term_id other = kernel_fresh(k, "item", term_sort(ts, item)); /* with which nothing cancels out */
  return !term_mentions(ts, term_replace(ts, t, &item, &other, 1), &z, 1);
}

/* Does c read z in z[index] alone, and write it in z := z[index := t] alone? */
static bool is_at(struct kernel *k, const struct core *c, term_id z, term_id index) {
  struct terms *ts = k->terms;
  if (c->kind == CORE_SKIP) return true;
  if (c->kind == CORE_ASSIGN && c->var == z)
    return term_kind(ts, c->expr) == TERM_STORE && term_arg(ts, c->expr, 0) == z &&
           term_arg(ts, c->expr, 1) == index && term_is_at(k, term_arg(ts, c->expr, 2), z, index);
  bool ok = c->kind == CORE_SEQ || c->kind == CORE_SAMPLE || c->kind == CORE_ADVERSARY ||
            term_is_at(k, c->expr, z, index);
  if (c->kind == CORE_SAMPLE || c->kind == CORE_ADVERSARY) {
    ok = c->var != z && (c->kind == CORE_SAMPLE || c->state != z);
    for (size_t i = 0; i < c->arg_count; i++)
      ok = ok && term_is_at(k, c->args[i], z, index);
  }
  return ok && (!c->first || is_at(k, c->first, z, index)) &&
         (!c->second || is_at(k, c->second, z, index));
}

/* ---- the form --------------------------------------------------------------------------------- */

/* c without its last command, which is *last. */
static const struct core *without_last(struct kernel *k, const struct core *c,
                                       const struct core **last) {
  if (c->kind == CORE_SEQ) return core_seq(&k->arena, c->first, without_last(k, c->second, last));
  *last = c;
  return core_skip();
}

static bool read_counting(struct kernel *k, const struct core *loop, struct counting *out) {
  if (loop->kind != CORE_WHILE) return false;
  const struct core *last;
  *out = (struct counting){.loop = loop, .step = without_last(k, loop->first, &last)};
  out->index = last->kind == CORE_ASSIGN ? last->var : TERM_NONE;
  return out->index != TERM_NONE && term_sort(k->terms, out->index) == SORT_INT &&
         last->expr == term_add(k->terms, out->index, term_int(k->terms, 1)) &&
         !writes(out->step, out->index);
}

/* i := low; while i < high {step; i := i + 1}, without adversaries in it. */
static bool read_ahead(struct fusion *f, const struct core *c) {
  struct terms *ts = f->k->terms;
  if (c->kind != CORE_SEQ || c->second->kind != CORE_SEQ || c->first->kind != CORE_ASSIGN ||
      !read_counting(f->k, c->second->first, &f->ahead))
    return false;
  term_id guard = f->ahead.loop->expr;
  if (c->first->var != f->ahead.index || term_kind(ts, guard) != TERM_LT ||
      term_arg(ts, guard, 0) != f->ahead.index)
    return false;
  f->low = c->first->expr;
  f->high = term_arg(ts, guard, 1);
  return !core_calls_adversary(f->ahead.step);
}

/* What the first loop writes; false: an iteration depends on those before it. */
static bool sort_writes(struct fusion *f) {
  term_list all = {0};
  bool ok = true;
  core_writes(f->ahead.step, &all);
  for (size_t i = 0; i < all.len && ok; i++) {
    term_id x = all.at[i];
    if (is_in(&f->arrays, x) || is_in(&f->others, x)) continue;
    bool array = sort_get(f->k->terms, term_sort(f->k->terms, x))->kind == SORT_KIND_ARRAY &&
                 is_at(f->k, f->ahead.step, x, f->ahead.index);
    ok = kernel_is_writable(f->k, x) && (array || !core_reads_old(f->k->terms, f->ahead.step, x));
    if (array)
      vec_push(&f->arrays, x);
    else
      vec_push(&f->others, x);
  }
  vec_clear(&all);
  vec_push(&f->others, f->ahead.index);
  return ok && kernel_is_writable(f->k, f->ahead.index);
}

static bool uses_array(const struct fusion *f, const struct core *c) {
  term_list used = {0};
  core_reads(f->k->terms, c, &used);
  core_writes(c, &used);
  bool found = false;
  for (size_t i = 0; i < used.len; i++)
    found |= is_in(&f->arrays, used.at[i]);
  vec_clear(&used);
  return found;
}

/* The first command that uses the arrays is the second loop. */
static bool read_later(struct fusion *f, const struct core *rest) {
  f->between = core_skip();
  for (; rest->kind == CORE_SEQ && !uses_array(f, rest->first); rest = rest->second)
    f->between = core_seq(&f->k->arena, f->between, rest->first);
  f->after = rest->kind == CORE_SEQ ? rest->second : core_skip();
  return read_counting(f->k, rest->kind == CORE_SEQ ? rest->first : rest, &f->later);
}

/* ---- conditions ------------------------------------------------------------------------------- */

static bool is_conjunct(struct terms *ts, term_id condition, term_id t) {
  term_list parts = {0};
  term_conjuncts(ts, t, &parts);
  bool found = is_in(&parts, condition);
  vec_clear(&parts);
  return found;
}

/* The second loop counts over the same range: from low, and only below high. */
static bool same_range(const struct fusion *f) {
  struct terms *ts = f->k->terms;
  term_id start = TERM_NONE;
  for (const struct core *c = f->between; c->kind != CORE_SKIP;) {
    const struct core *one = c->kind == CORE_SEQ ? c->first : c;
    if (writes(one, f->later.index)) start = one->kind == CORE_ASSIGN ? one->expr : TERM_NONE;
    c = c->kind == CORE_SEQ ? c->second : core_skip();
  }
  return start != TERM_NONE && start == f->low &&
         is_conjunct(ts, term_lt(ts, f->later.index, f->high), f->later.loop->expr);
}

/* Does anything change what the first loop reads, or its range? */
static bool inputs_stay(const struct fusion *f) {
  struct terms *ts = f->k->terms;
  term_list read = {0}, written = {0};
  term_free_vars(ts, f->low, &read);
  term_free_vars(ts, f->high, &read);
  bool ok = true;
  for (size_t i = 0; i < read.len; i++)
    ok &= !is_in(&f->arrays, read.at[i]) && !is_in(&f->others, read.at[i]);
  core_reads(ts, f->ahead.step, &read);
  core_writes(f->between, &written);
  core_writes(f->later.loop, &written);
  for (size_t i = 0; i < read.len; i++)
    ok &= is_in(&f->arrays, read.at[i]) || is_in(&f->others, read.at[i]) ||
          !is_in(&written, read.at[i]);
  vec_clear(&read);
  vec_clear(&written);
  return ok;
}

/* The index of the first loop is written anew if it is that of the second one, too. */
static bool is_shared_index(const struct fusion *f, term_id x) {
  return x == f->ahead.index && x == f->later.index;
}

/* Nobody reads what the first loop leaves in other variables than the arrays. */
static bool others_are_dead(const struct fusion *f) {
  struct terms *ts = f->k->terms;
  for (size_t i = 0; i < f->others.len; i++) {
    term_id x = f->others.at[i];
    if (core_reads_old(ts, f->between, x)) return false;
    if (is_shared_index(f, x)) continue;
    if (core_reads_old(ts, f->later.loop, x) || core_reads_old(ts, f->after, x)) return false;
  }
  return true;
}

/* Does the second loop come to every index? */
static bool is_whole(const struct fusion *f) {
  return f->later.loop->expr == term_lt(f->k->terms, f->later.index, f->high);
}

/* The second loop uses the arrays at its index only; after it they are read only if it came to
 * every index. */
static bool arrays_are_local(const struct fusion *f) {
  struct terms *ts = f->k->terms;
  term_list read = {0};
  core_reads(ts, f->after, &read);
  bool ok = f->arrays.len > 0;
  for (size_t i = 0; i < f->arrays.len && ok; i++) {
    term_id z = f->arrays.at[i];
    ok = !term_mentions(ts, f->later.loop->expr, &z, 1) &&
         is_at(f->k, f->later.step, z, f->later.index) && (is_whole(f) || !is_in(&read, z));
  }
  vec_clear(&read);
  return ok;
}

/* Is the value of one of the other variables still needed when this is reached? */
static bool reads_others(const struct fusion *f, const struct core *c) {
  for (size_t i = 0; i < f->others.len; i++)
    if (!is_shared_index(f, f->others.at[i]) && core_reads_old(f->k->terms, c, f->others.at[i]))
      return true;
  return false;
}

/* As late as possible: before the first command that uses the arrays. */
static void split_step(struct fusion *f) {
  f->early = core_skip();
  f->late = f->later.step;
  while (f->late->kind == CORE_SEQ && !uses_array(f, f->late->first)) {
    f->early = core_seq(&f->k->arena, f->early, f->late->first);
    f->late = f->late->second;
  }
  if (!reads_others(f, f->late)) return;
  f->early = core_skip();
  f->late = f->later.step;
}

static void fusion_clear(struct fusion *f) {
  vec_clear(&f->arrays);
  vec_clear(&f->others);
}

/* NULL if the rule applies to c, or else why not. */
static const char *find_fusion(struct kernel *k, const struct core *c, struct fusion *f) {
  *f = (struct fusion){.k = k};
  if (!read_ahead(f, c)) return "there is no loop that counts here";
  if (!sort_writes(f)) return "an iteration of the first loop depends on others";
  if (!read_later(f, c->second->second) || !same_range(f))
    return "there is no second loop that counts over the same range";
  if (!inputs_stay(f)) return "what the first loop reads is changed";
  if (!others_are_dead(f)) return "what the first loop leaves behind is read";
  if (!arrays_are_local(f))
    return "the array is used elsewhere than at the index of the second loop";
  split_step(f);
  return NULL;
}

/* ---- the rule --------------------------------------------------------------------------------- */

/* c with j for i; it does not write i. */
static const struct core *moved(struct kernel *k, const struct core *c, term_id i, term_id j) {
  if (c->kind == CORE_SKIP) return c;
  struct core *copy = arena_memdup(&k->arena, c, sizeof *c);
  term_id *args = arena_alloc(&k->arena, (c->arg_count + 1) * sizeof *args);
  for (size_t a = 0; a < c->arg_count; a++)
    args[a] = term_subst(k->terms, c->args[a], &i, &j, 1);
  copy->args = args;
  if (c->expr != TERM_NONE) copy->expr = term_subst(k->terms, c->expr, &i, &j, 1);
  if (c->first) copy->first = moved(k, c->first, i, j);
  if (c->second) copy->second = moved(k, c->second, i, j);
  return copy;
}

static const struct core *fused(const struct fusion *f) {
  struct arena *arena = &f->k->arena;
  struct core *loop = arena_memdup(arena, f->later.loop, sizeof *loop);
  const struct core *up, *step = moved(f->k, f->ahead.step, f->ahead.index, f->later.index);
  without_last(f->k, f->later.loop->first, &up);
  loop->first = core_seq(arena, f->early, core_seq(arena, step, core_seq(arena, f->late, up)));
  return core_seq(arena, f->between, core_seq(arena, loop, f->after));
}

const struct core *equiv_fused(struct kernel *k, const struct core *c, const char **why) {
  struct fusion f;
  *why = find_fusion(k, c, &f);
  const struct core *one = *why ? NULL : fused(&f);
  fusion_clear(&f);
  return one;
}

/* Does Psi speak of what is not the same afterwards? */
static bool is_visible(const struct fusion *f, unsigned run, term_id post) {
  term_list hidden = {0};
  for (size_t i = 0; i < f->others.len; i++)
    if (!is_shared_index(f, f->others.at[i])) vec_push(&hidden, f->others.at[i]);
  for (size_t i = 0; i < f->arrays.len && !is_whole(f); i++)
    vec_push(&hidden, f->arrays.at[i]);
  for (size_t i = 0; i < hidden.len; i++)
    hidden.at[i] = term_var_in_run(f->k->terms, hidden.at[i], run);
  bool visible = term_mentions(f->k->terms, post, hidden.at, hidden.len);
  vec_clear(&hidden);
  return visible;
}

/*  EQUIV-FUSE   on one side
 *               p; while g {c; s[i := j]; d; j := j + 1}; q
 *    becomes    i := a; while i < h {s; i := i + 1}; p; while g {c; d; j := j + 1}; q
 *  s calls no adversary. Each variable that it writes is an array that it reads and
 *  writes at index i only, or one whose old value it does not read. The last command of p that writes
 *  j is j := a, and j < h is one of the conjuncts of g. What s reads besides, a and h are not written
 *  by p, c, d. p, g and c do not use the arrays, d uses them at index j only; c is as long as it can be,
 *  or empty if d reads the old value of another variable that s writes. The values that the first loop
 *  leaves in the other variables, i included, are read neither later nor by Psi; nor those of the
 *  arrays after the second loop, unless g is j < h.
 *  Phi also says that the first loop ends with probability 1. */
static proof_of fuse(struct fusion *f, unsigned run, const struct core *c, proof_of j) {
  static const char rule[] = "EQUIV-FUSE";
  struct kernel *k = f->k;
  if (is_visible(f, run, j->post))
    return kernel_fail(k, rule, c->span, "what the first loop leaves behind is used afterwards");
  const struct core *ahead = core_seq(&k->arena, c->first, f->ahead.loop);
  term_id ends = lossless_wp(k, ahead, run, k->yes, NULL);
  if (ends == TERM_NONE) return kernel_fail(k, rule, c->span, "the first loop may not end");
  return judgement_new(k, rule, c->span, run == 1 ? c : j->left, run == 2 ? c : j->right,
                       term_and(k->terms, j->pre, ends), j->post, j->delta, j, NULL);
}

proof_of rule_equiv_fuse(struct kernel *k, unsigned run, const struct core *c, proof_of j) {
  static const char rule[] = "EQUIV-FUSE";
  if (!j) return NULL;
  if (j->kernel != k || (run != 1 && run != 2))
    return kernel_fail(k, rule, c->span, "the premise comes from another context");
  const char *why;
  const struct core *one = equiv_fused(k, c, &why);
  if (!one) return kernel_fail(k, rule, c->span, "%s", why);
  if (!core_equal(run == 1 ? j->left : j->right, one))
    return kernel_fail(k, rule, c->span, "the premise is not about the fused loops");
  struct fusion f;
  proof_of made = find_fusion(k, c, &f) ? NULL : fuse(&f, run, c, j);
  fusion_clear(&f);
  return made;
}

/*  aHL-FUSE     {Phi} p; while g {c; s[i := j]; d; j := j + 1}; q {Psi} : b, with the conditions of
 *               EQUIV-FUSE, gives {Phi} i := a; while i < h {s; i := i + 1}; p; .. {Psi} : b
 *               If the first loop does not end, neither does c, and then not outside of Psi.  */
bound_of ahl_fuse(struct kernel *k, const struct core *c, bound_of a) {
  static const char rule[] = "aHL-FUSE";
  if (!a) return NULL;
  if (ahl_kernel(a) != k)
    return kernel_fail(k, rule, c->span, "the premise comes from another context");
  const char *why;
  const struct core *one = equiv_fused(k, c, &why);
  if (!one) return kernel_fail(k, rule, c->span, "%s", why);
  if (!core_equal(ahl_command(a), one))
    return kernel_fail(k, rule, c->span, "the premise is not about the fused loops");
  struct fusion f;
  bool fits = !find_fusion(k, c, &f) && !is_visible(&f, ahl_run(a), ahl_post(a));
  fusion_clear(&f);
  if (!fits) return kernel_fail(k, rule, c->span, "what the first loop leaves behind is used");
  return ahl_new(k, rule, c->span, ahl_run(a), c, ahl_pre(a), ahl_post(a), ahl_beta(a));
}
