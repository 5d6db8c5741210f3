#include "kernel/core.h"

#include "base/buffer.h"
#include "term/subst.h"

static const struct core skip_command = {.kind = CORE_SKIP};

const struct core *core_skip(void) {
  return &skip_command;
}

static struct core *core_new(struct arena *arena, enum core_kind kind, struct span span) {
  struct core *c = arena_new(arena, struct core);
  c->kind = kind;
  c->span = span;
  return c;
}

static const term_id *copy_args(struct arena *arena, const term_id *args, size_t count) {
  return count ? arena_memdup(arena, args, count * sizeof *args) : NULL;
}

const struct core *core_assign(struct arena *arena, struct span span, term_id var, term_id expr) {
  struct core *c = core_new(arena, CORE_ASSIGN, span);
  c->var = var;
  c->expr = expr;
  return c;
}

const struct core *core_sample(struct arena *arena, struct span span, term_id var,
                               enum dist_kind dist, const term_id *args, size_t count) {
  struct core *c = core_new(arena, CORE_SAMPLE, span);
  c->var = var;
  c->dist = dist;
  c->args = copy_args(arena, args, count);
  c->arg_count = count;
  return c;
}

const struct core *core_seq(struct arena *arena, const struct core *a, const struct core *b) {
  if (a->kind == CORE_SKIP) return b;
  if (b->kind == CORE_SKIP) return a;
  if (a->kind == CORE_SEQ) return core_seq(arena, a->first, core_seq(arena, a->second, b));
  struct core *c = core_new(arena, CORE_SEQ, a->span);
  c->first = a;
  c->second = b;
  return c;
}

const struct core *core_if(struct arena *arena, struct span span, term_id cond,
                           const struct core *then, const struct core *otherwise) {
  struct core *c = core_new(arena, CORE_IF, span);
  c->expr = cond;
  c->first = then;
  c->second = otherwise;
  return c;
}

const struct core *core_while(struct arena *arena, struct span span, term_id cond,
                              const struct core *body) {
  struct core *c = core_new(arena, CORE_WHILE, span);
  c->expr = cond;
  c->first = body;
  return c;
}

const struct core *core_for(struct arena *arena, struct span span, term_id cond,
                            const struct core *body, term_id index, term_id low, term_id high) {
  struct core *c = core_new(arena, CORE_WHILE, span);
  c->expr = cond;
  c->first = body;
  c->var = index;
  term_id range[] = {low, high};
  c->args = copy_args(arena, range, 2);
  c->arg_count = 2;
  return c;
}

const struct core *core_adversary(struct arena *arena, struct span span, const char *name,
                                  term_id state, term_id var, const term_id *args, size_t count) {
  struct core *c = core_new(arena, CORE_ADVERSARY, span);
  c->name = name;
  c->state = state;
  c->var = var;
  c->args = copy_args(arena, args, count);
  c->arg_count = count;
  return c;
}

static bool same_args(const struct core *a, const struct core *b) {
  if (a->arg_count != b->arg_count) return false;
  for (size_t i = 0; i < a->arg_count; i++)
    if (a->args[i] != b->args[i]) return false;
  return true;
}

bool core_equal(const struct core *a, const struct core *b) {
  if (a == b) return true;
  if (a->kind != b->kind) return false;
  switch (a->kind) {
  case CORE_SKIP: return true;
  case CORE_ASSIGN: return a->var == b->var && a->expr == b->expr;
  case CORE_SAMPLE: return a->var == b->var && a->dist == b->dist && same_args(a, b);
  case CORE_SEQ: return core_equal(a->first, b->first) && core_equal(a->second, b->second);
  case CORE_IF:
    return a->expr == b->expr && core_equal(a->first, b->first) && core_equal(a->second, b->second);
  case CORE_WHILE: return a->expr == b->expr && core_equal(a->first, b->first);
  case CORE_ADVERSARY:
    return a->name == b->name && a->state == b->state && a->var == b->var && same_args(a, b);
  }
  return false;
}

void core_writes(const struct core *c, term_list *out) {
  switch (c->kind) {
  case CORE_SKIP: break;
  case CORE_ADVERSARY: vec_push(out, c->state); /* fallthrough */
  case CORE_ASSIGN:
  case CORE_SAMPLE: vec_push(out, c->var); break;
  case CORE_SEQ:
  case CORE_IF: core_writes(c->second, out); /* fallthrough */
  case CORE_WHILE: core_writes(c->first, out); break;
  }
}

void core_reads(struct terms *ts, const struct core *c, term_list *out) {
  switch (c->kind) {
  case CORE_SKIP: break;
  case CORE_ASSIGN: term_free_vars(ts, c->expr, out); break;
  case CORE_ADVERSARY: vec_push(out, c->state); /* fallthrough */
  case CORE_SAMPLE:
    for (size_t i = 0; i < c->arg_count; i++)
      term_free_vars(ts, c->args[i], out);
    break;
  case CORE_IF: term_free_vars(ts, c->expr, out); /* fallthrough */
  case CORE_SEQ:
    core_reads(ts, c->first, out);
    core_reads(ts, c->second, out);
    break;
  case CORE_WHILE:
    term_free_vars(ts, c->expr, out);
    core_reads(ts, c->first, out);
    break;
  }
}

bool core_sets(const struct core *c, term_id x) {
  switch (c->kind) {
  case CORE_ASSIGN:
  case CORE_SAMPLE: return c->var == x;
  case CORE_SEQ: return core_sets(c->first, x) || core_sets(c->second, x);
  case CORE_IF: return core_sets(c->first, x) && core_sets(c->second, x);
  default: return false;
  }
}

static bool args_mention(struct terms *ts, const struct core *c, term_id x) {
  for (size_t i = 0; i < c->arg_count; i++)
    if (term_mentions(ts, c->args[i], &x, 1)) return true;
  return false;
}

bool core_reads_old(struct terms *ts, const struct core *c, term_id x) {
  switch (c->kind) {
  case CORE_SKIP: return false;
  case CORE_ASSIGN: return term_mentions(ts, c->expr, &x, 1);
  case CORE_SAMPLE: return args_mention(ts, c, x);
  case CORE_ADVERSARY: return c->state == x || args_mention(ts, c, x);
  case CORE_SEQ:
    return core_reads_old(ts, c->first, x) ||
           (!core_sets(c->first, x) && core_reads_old(ts, c->second, x));
  case CORE_IF:
    return term_mentions(ts, c->expr, &x, 1) || core_reads_old(ts, c->first, x) ||
           core_reads_old(ts, c->second, x);
  case CORE_WHILE: return term_mentions(ts, c->expr, &x, 1) || core_reads_old(ts, c->first, x);
  }
  return true;
}

bool core_is_random(const struct core *c) {
  switch (c->kind) {
  case CORE_SAMPLE:
  case CORE_ADVERSARY: return true;
  case CORE_SEQ:
  case CORE_IF: return core_is_random(c->first) || core_is_random(c->second);
  case CORE_WHILE: return core_is_random(c->first);
  default: return false;
  }
}

bool core_calls_adversary(const struct core *c) {
  return c && (c->kind == CORE_ADVERSARY || core_calls_adversary(c->first) ||
               core_calls_adversary(c->second));
}

bool core_has_loop(const struct core *c) {
  switch (c->kind) {
  case CORE_WHILE: return true;
  case CORE_SEQ:
  case CORE_IF: return core_has_loop(c->first) || core_has_loop(c->second);
  default: return false;
  }
}
