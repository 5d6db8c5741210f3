#include "search/goals/forward.h"

#include "search/base/lists.h"
#include "term/build.h"
#include "term/subst.h"

struct forwarder {
  struct terms *ts;
  struct arena *arena;
  const term_list *arrays;
};

/* What is known of an element of an array. */
struct element {
  term_id item, value; /* z[i] and x */
  term_list of;        /* the variables of both */
};

static bool is_store(const struct forwarder *f, const struct core *c, term_id z) {
  return c->kind == CORE_ASSIGN && c->var == z && term_kind(f->ts, c->expr) == TERM_STORE &&
         term_arg(f->ts, c->expr, 0) == z;
}

static bool writes_any(const struct core *c, const term_list *vars) {
  term_list written = {0};
  core_writes(c, &written);
  bool found = false;
  for (size_t i = 0; i < written.len; i++)
    found |= terms_have(vars, written.at[i]);
  vec_clear(&written);
  return found;
}

static term_id term_with(const struct forwarder *f, term_id t, const struct element *e) {
  return t == TERM_NONE ? t : term_replace(f->ts, t, &e->item, &e->value, 1);
}

/* c with x for z[i]; of a command that changes what they are, only what it reads at first. */
static const struct core *with_element(const struct forwarder *f, const struct core *c,
                                       const struct element *e) {
  bool simple = c->kind == CORE_ASSIGN || c->kind == CORE_SAMPLE || c->kind == CORE_ADVERSARY;
  if (c->kind == CORE_SKIP || (!simple && writes_any(c, &e->of))) return c;
  struct core *copy = arena_memdup(f->arena, c, sizeof *c);
  term_id *args = arena_alloc(f->arena, (c->arg_count + 1) * sizeof *args);
  for (size_t i = 0; i < c->arg_count; i++)
    args[i] = term_with(f, c->args[i], e);
  copy->args = args;
  copy->expr = term_with(f, c->expr, e);
  if (c->first) copy->first = with_element(f, c->first, e);
  if (c->second) copy->second = with_element(f, c->second, e);
  return copy;
}

static const struct core *forward(const struct forwarder *f, const struct core *c);

/* c; rest, where c stores into an array. */
static const struct core *after_store(const struct forwarder *f, const struct core *c,
                                      const struct core *rest) {
  term_id z = c->var, i = term_arg(f->ts, c->expr, 1);
  struct element e = {term_select(f->ts, z, i), term_arg(f->ts, c->expr, 2), {0}};
  term_free_vars(f->ts, e.item, &e.of);
  term_free_vars(f->ts, e.value, &e.of);
  const struct core *before = core_skip();
  while (rest->kind != CORE_SKIP && !term_mentions(f->ts, e.value, &z, 1)) {
    const struct core *one = rest->kind == CORE_SEQ ? rest->first : rest;
    before = core_seq(f->arena, before, with_element(f, one, &e));
    rest = rest->kind == CORE_SEQ ? rest->second : core_skip();
    if (writes_any(one, &e.of)) break;
  }
  vec_clear(&e.of);
  return core_seq(f->arena, c, forward(f, core_seq(f->arena, before, rest)));
}

static const struct core *forward(const struct forwarder *f, const struct core *c) {
  if (c->kind == CORE_SEQ && terms_have(f->arrays, c->first->var) &&
      is_store(f, c->first, c->first->var))
    return after_store(f, c->first, c->second);
  if (c->kind == CORE_SEQ) return core_seq(f->arena, forward(f, c->first), forward(f, c->second));
  if (c->kind != CORE_IF && c->kind != CORE_WHILE) return c;
  struct core *copy = arena_memdup(f->arena, c, sizeof *c);
  copy->first = forward(f, c->first);
  if (c->second) copy->second = forward(f, c->second);
  return copy;
}

/* The program without stores into z. */
static const struct core *without_stores(const struct forwarder *f, const struct core *c,
                                         term_id z) {
  if (is_store(f, c, z)) return core_skip();
  if (c->kind == CORE_SEQ)
    return core_seq(f->arena, without_stores(f, c->first, z), without_stores(f, c->second, z));
  if (c->kind != CORE_IF && c->kind != CORE_WHILE) return c;
  struct core *copy = arena_memdup(f->arena, c, sizeof *c);
  copy->first = without_stores(f, c->first, z);
  if (c->second) copy->second = without_stores(f, c->second, z);
  return copy;
}

const struct core *forward_stores(struct auto_problem *p, const struct core *program,
                                  const term_list *arrays) {
  struct kernel *k = claim_kernel(p->goal, CLAIM_FORWARD);
  struct forwarder f = {p->ts, kernel_arena(k), arrays};
  program = forward(&f, program);
  for (size_t i = arrays->len; i-- > 0;) { /* those filled later read the ones before */
    term_id z = arrays->at[i];
    const struct core *shorter = without_stores(&f, program, z);
    term_list read = {0};
    core_reads(p->ts, shorter, &read);
    bool dead = !terms_have(&read, z) && z != claim_program(p->goal)->result;
    vec_clear(&read);
    if (dead) program = shorter;
  }
  return program;
}
