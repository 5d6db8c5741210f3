#include "search/goals/slice.h"

#include "search/base/lists.h"
#include "term/subst.h"

struct slicer {
  struct terms *ts;
  struct arena *arena;
  const struct slice_given *given;
  struct view *out;
  term_list live; /* what matters after the code that is looked at */
};

static bool is_live(const struct slicer *s, term_id var) {
  return terms_have(&s->live, var);
}

static term_id with_given(const struct slicer *s, term_id t) {
  return term_subst(s->ts, t, s->given->vars.at, s->given->values.at, s->given->vars.len);
}

static void add_vars(struct slicer *s, term_id t) {
  term_list vars = {0};
  term_free_vars(s->ts, t, &vars);
  for (size_t i = 0; i < vars.len; i++)
    if (!terms_have(&s->given->vars, vars.at[i])) terms_add(&s->live, vars.at[i]);
  vec_clear(&vars);
}

static void overwrite(struct slicer *s, term_id var) {
  size_t kept = 0;
  for (size_t i = 0; i < s->live.len; i++)
    if (s->live.at[i] != var) s->live.at[kept++] = s->live.at[i];
  s->live.len = kept;
}

static const struct core *slice(struct slicer *s, const struct core *c);

static const struct core *slice_assign(struct slicer *s, const struct core *c) {
  if (!is_live(s, c->var)) return core_skip();
  overwrite(s, c->var);
  add_vars(s, c->expr);
  term_id expr = with_given(s, c->expr);
  return expr == c->expr ? c : core_assign(s->arena, c->span, c->var, expr);
}

/* A sampling stays the command it is; so what is given may not occur in it. */
static const struct core *slice_sample(struct slicer *s, const struct core *c) {
  if (!is_live(s, c->var)) return core_skip();
  overwrite(s, c->var);
  for (size_t i = 0; i < c->arg_count; i++)
    add_vars(s, c->args[i]);
  return c;
}

static const struct core *slice_if(struct slicer *s, const struct core *c) {
  term_list after = {0};
  for (size_t i = 0; i < s->live.len; i++)
    vec_push(&after, s->live.at[i]);
  const struct core *first = slice(s, c->first);
  term_list one = s->live;
  s->live = after;
  const struct core *second = slice(s, c->second);
  for (size_t i = 0; i < one.len; i++)
    terms_add(&s->live, one.at[i]);
  vec_clear(&one);
  if (first->kind == CORE_SKIP && second->kind == CORE_SKIP) return core_skip();
  add_vars(s, c->expr);
  return core_if(s->arena, c->span, with_given(s, c->expr), first, second);
}

static bool writes_live(const struct slicer *s, const struct core *c) {
  term_list written = {0};
  core_writes(c, &written);
  bool found = false;
  for (size_t i = 0; i < written.len && !found; i++)
    found = is_live(s, written.at[i]);
  vec_clear(&written);
  return found;
}

/* What matters after an iteration: what matters after the loop, or to another iteration. */
static const struct core *slice_loop(struct slicer *s, const struct core *c) {
  if (!writes_live(s, c->first)) return core_skip();
  add_vars(s, c->expr);
  const struct core *body = core_skip();
  for (size_t before = 0; before != s->live.len;) {
    struct slicer inner = {.ts = s->ts, .arena = s->arena, .given = s->given, .out = s->out};
    before = s->live.len;
    for (size_t i = 0; i < s->live.len; i++)
      vec_push(&inner.live, s->live.at[i]);
    body = slice(&inner, c->first);
    for (size_t i = 0; i < inner.live.len; i++)
      terms_add(&s->live, inner.live.at[i]);
    vec_clear(&inner.live);
  }
  if (core_equal(body, c->first)) return c;
  struct core *copy = arena_memdup(s->arena, c, sizeof *c);
  copy->first = body;
  vec_push(&s->out->loops, (struct view_loop){copy, c});
  return copy;
}

/* Backwards; `live` is afterwards what matters before the code. */
static const struct core *slice(struct slicer *s, const struct core *c) {
  switch (c->kind) {
  case CORE_ASSIGN: return slice_assign(s, c);
  case CORE_SAMPLE: return slice_sample(s, c);
  case CORE_IF: return slice_if(s, c);
  case CORE_WHILE: return slice_loop(s, c);
  case CORE_SEQ: {
    const struct core *second = slice(s, c->second);
    return core_seq(s->arena, slice(s, c->first), second);
  }
  default: return c;
  }
}

void slice_view(const struct auto_problem *p, const struct core *program, term_id wanted,
                const struct slice_given *given, struct view *out) {
  view_copy(out, p->view);
  struct slicer s = {.ts = p->ts,
                     .arena = kernel_arena(claim_kernel(p->goal, CLAIM_FORWARD)),
                     .given = given,
                     .out = out};
  add_vars(&s, wanted);
  out->program = slice(&s, program);
  vec_clear(&s.live);
}
