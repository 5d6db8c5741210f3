#include "core_run.h"

#include <stdlib.h>

#include "kernel/internal.h"
#include "term/build.h"
#include "term/subst.h"

enum { MOST_STEPS = 10000 };

static term_id stand_in(struct core_run *r, term_id var, const struct tvalue *value) {
  term_id t = term_fresh(&r->g->terms, var);
  eval_assign(&r->g->eval, t, value);
  return t;
}

static void set(struct core_run *r, term_id var, const struct tvalue *value) {
  term_id t = stand_in(r, var, value);
  for (size_t i = 0; i < r->vars.len; i++)
    if (r->vars.at[i] == var) {
      r->now.at[i] = t;
      return;
    }
  vec_push(&r->vars, var);
  vec_push(&r->now, t);
}

static const struct tvalue *get(struct core_run *r, term_id expr) {
  return eval_term(&r->g->eval, term_subst(&r->g->terms, expr, r->vars.at, r->now.at, r->vars.len));
}

/* What interp_zero fills arrays with; other variables have no value before they are assigned. */
static void zero_arrays(struct core_run *r) {
  term_list reads = {0};
  core_reads(&r->g->terms, r->program.program, &reads);
  for (size_t i = 0; i < reads.len; i++) {
    bool is_set = false;
    for (size_t j = 0; j < r->vars.len; j++)
      is_set = is_set || r->vars.at[j] == reads.at[i];
    const struct sort *sort = sort_get(&r->g->terms, term_sort(&r->g->terms, reads.at[i]));
    if (is_set || sort->kind != SORT_KIND_ARRAY) continue;
    if (eval_term(&r->g->eval, reads.at[i])->kind != TVALUE_UNKNOWN) continue;
    set(r, reads.at[i], tvalue_array(&r->g->eval, NULL, NULL, 0, tvalue_int(&r->g->eval, 0)));
  }
  vec_clear(&reads);
}

bool core_run_init(struct core_run *r, struct ground *g, const struct ast_routine *routine,
                   const struct rframe *inputs) {
  *r = (struct core_run){.g = g, .routine = routine};
  if (!lower_mechanism(&g->env, routine, false, &r->program)) return false;
  if (core_calls_adversary(r->program.program)) return false;
  for (size_t i = 0; i < routine->arg_count; i++) {
    const struct ast_var *v = routine->args[i];
    const struct translate_binding *b = ptrmap_get(&g->env.vars, v);
    set(r, b->term, ground_value(g, rframe_get(inputs, v), v->type));
  }
  zero_arrays(r);
  return true;
}

void core_run_clear(struct core_run *r) {
  vec_clear(&r->vars);
  vec_clear(&r->now);
}

static bool run(struct core_run *r, const struct core *c) {
  for (; c; c = c->kind == CORE_SEQ ? c->second : NULL) {
    const struct core *s = c->kind == CORE_SEQ ? c->first : c;
    if (++r->steps > MOST_STEPS) return false;
    switch (s->kind) {
    case CORE_SKIP: break;
    case CORE_ASSIGN: set(r, s->var, get(r, s->expr)); break;
    case CORE_SAMPLE:
      set(r, s->var,
          s->dist == DIST_BERNOULLI ? tvalue_bool(&r->g->eval, true) : get(r, s->args[0]));
      break;
    case CORE_IF: {
      const struct tvalue *v = get(r, s->expr);
      if (v->kind != TVALUE_BOOL || !run(r, v->truth ? s->first : s->second)) return false;
      break;
    }
    case CORE_WHILE:
      for (;;) {
        const struct tvalue *v = get(r, s->expr);
        if (v->kind != TVALUE_BOOL) return false;
        if (!v->truth) break;
        if (!run(r, s->first)) return false;
      }
      break;
    case CORE_SEQ:
    case CORE_ADVERSARY: return false;
    }
  }
  return true;
}

bool core_run(struct core_run *r) {
  return run(r, r->program.program);
}

/* The stream is kept with its last value in front. */
static const struct tvalue *reversed(struct core_run *r, const struct tvalue *list) {
  if (list->kind != TVALUE_ITEMS) return list;
  const struct tvalue **items = xcalloc(list->count + 1, sizeof *items);
  for (size_t i = 0; i < list->count; i++)
    items[i] = list->items[list->count - 1 - i];
  const struct tvalue *v = tvalue_items(&r->g->eval, items, list->count);
  free(items);
  return v;
}

int core_run_gives(struct core_run *r, const struct rvalue *output) {
  const struct rvalue *emitted = output, *returned = output;
  int same = 1;
  if (r->routine->emits && r->routine->returns) {
    emitted = &output->as.seq->at[0];
    returned = &output->as.seq->at[1];
  }
  if (r->routine->emits) {
    const struct type *list = type_list(&r->g->env.lang->types, r->routine->emits->type);
    same = tvalue_equal(&r->g->eval, reversed(r, get(r, r->program.output)),
                        ground_value(r->g, emitted, list));
  }
  if (same == 1 && r->routine->returns)
    same = tvalue_equal(&r->g->eval, get(r, r->program.result),
                        ground_value(r->g, returned, r->routine->returns->type));
  return same;
}
