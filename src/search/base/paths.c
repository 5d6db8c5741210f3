#include "search/base/paths.h"

#include <string.h>

#include "kernel/dist.h"
#include "term/build.h"
#include "term/subst.h"

typedef VEC(struct path) path_list;

struct walker {
  struct kernel *k;
  struct terms *ts;
  struct paths *out;
  paths_loop *enter; /* may be NULL */
  void *context;
};

void path_clear(struct path *p) {
  vec_clear(&p->samples);
  vec_clear(&p->vars);
  vec_clear(&p->values);
}

static void list_clear(path_list *list) {
  for (size_t i = 0; i < list->len; i++)
    path_clear(&list->at[i]);
  vec_clear(list);
}

void paths_clear(struct paths *paths) {
  for (size_t i = 0; i < paths->list.len; i++)
    path_clear(&paths->list.at[i]);
  vec_clear(&paths->list);
  vec_clear(&paths->samplings);
}

struct path path_clone(const struct path *p) {
  struct path copy = {.condition = p->condition};
  for (size_t i = 0; i < p->samples.len; i++)
    vec_push(&copy.samples, p->samples.at[i]);
  for (size_t i = 0; i < p->vars.len; i++) {
    vec_push(&copy.vars, p->vars.at[i]);
    vec_push(&copy.values, p->values.at[i]);
  }
  return copy;
}

term_id path_after(struct terms *ts, const struct path *path, term_id t) {
  return term_subst(ts, t, path->vars.at, path->values.at, path->vars.len);
}

term_id paths_after(struct terms *ts, const struct paths *paths, term_id t) {
  term_id all = TERM_NONE;
  for (size_t i = paths->list.len; i-- > 0;) {
    term_id one = path_after(ts, &paths->list.at[i], t);
    all = all == TERM_NONE ? one : term_ite(ts, paths->list.at[i].condition, one, all);
  }
  return all;
}

void path_set(struct path *p, term_id var, term_id value) {
  for (size_t i = 0; i < p->vars.len; i++)
    if (p->vars.at[i] == var) {
      p->values.at[i] = value;
      return;
    }
  vec_push(&p->vars, var);
  vec_push(&p->values, value);
}

/* The variable that stands for the sample of this statement. */
static term_id sample_value(struct walker *w, const struct core *c) {
  for (size_t i = 0; i < w->out->samplings.len; i++)
    if (w->out->samplings.at[i].at == c) return w->out->samplings.at[i].value;
  sort_id sort = dist_sample_sort(w->ts, c->dist, c->args, c->arg_count);
  if (sort == SORT_NONE) return TERM_NONE;
  struct path_sample s = {.at = c,
                          .value = kernel_fresh(w->k, term_var_get(w->ts, c->var)->name, sort)};
  vec_push(&w->out->samplings, s);
  return s.value;
}

static bool run_sample(struct walker *w, const struct core *c, path_list *paths) {
  term_id value = sample_value(w, c);
  if (value == TERM_NONE) return false;
  for (size_t i = 0; i < paths->len; i++) {
    struct path *p = &paths->at[i];
    term_id *args = arena_alloc(kernel_arena(w->k), (c->arg_count + 1) * sizeof *args);
    for (size_t a = 0; a < c->arg_count; a++)
      args[a] = path_after(w->ts, p, c->args[a]);
    struct arena *arena = kernel_arena(w->k);
    size_t count = p->vars.len;
    struct path_sample s = {.at = c,
                            .value = value,
                            .args = args,
                            .vars = arena_memdup(arena, p->vars.at, count * sizeof(term_id)),
                            .values = arena_memdup(arena, p->values.at, count * sizeof(term_id)),
                            .count = count};
    vec_push(&p->samples, s);
    path_set(p, c->var, term_coerce(w->ts, value, term_sort(w->ts, c->var)));
  }
  return true;
}

static bool run(struct walker *w, const struct core *c, path_list *paths);

/* Paths on which the condition is decided go one way only. */
static bool run_if(struct walker *w, const struct core *c, path_list *paths) {
  path_list yes = {0}, no = {0};
  for (size_t i = 0; i < paths->len; i++) {
    struct path *p = &paths->at[i];
    term_id b = path_after(w->ts, p, c->expr), not_b = term_not(w->ts, b);
    if (b != w->ts->false_term) {
      vec_push(&yes, path_clone(p));
      vec_last(&yes).condition = term_and(w->ts, p->condition, b);
    }
    if (b != w->ts->true_term) {
      vec_push(&no, path_clone(p));
      vec_last(&no).condition = term_and(w->ts, p->condition, not_b);
    }
    path_clear(p);
  }
  paths->len = 0;
  bool ok = run(w, c->first, &yes) && run(w, c->second, &no) && yes.len + no.len <= PATHS_LIMIT;
  for (size_t i = 0; ok && i < yes.len; i++)
    vec_push(paths, yes.at[i]);
  for (size_t i = 0; ok && i < no.len; i++)
    vec_push(paths, no.at[i]);
  if (ok) {
    vec_clear(&yes);
    vec_clear(&no);
  } else {
    list_clear(&yes);
    list_clear(&no);
  }
  return ok;
}

static bool run(struct walker *w, const struct core *c, path_list *paths) {
  for (; c->kind == CORE_SEQ; c = c->second)
    if (!run(w, c->first, paths)) return false;
  switch (c->kind) {
  case CORE_SKIP: return true;
  case CORE_ASSIGN:
    for (size_t i = 0; i < paths->len; i++)
      path_set(&paths->at[i], c->var, path_after(w->ts, &paths->at[i], c->expr));
    return true;
  case CORE_SAMPLE: return run_sample(w, c, paths);
  case CORE_IF: return run_if(w, c, paths);
  case CORE_WHILE:
    for (size_t i = 0; i < paths->len; i++)
      if (!w->enter || !w->enter(w->context, c, &paths->at[i])) return false;
    return true;
  default: return false;
  }
}

bool paths_find(struct kernel *k, const struct core *c, struct paths *out) {
  return paths_find_through(k, c, NULL, NULL, out);
}

bool paths_find_through(struct kernel *k, const struct core *c, paths_loop *enter, void *context,
                        struct paths *out) {
  *out = (struct paths){0};
  struct walker w = {.k = k, .ts = kernel_terms(k), .out = out, .enter = enter, .context = context};
  path_list list = {0};
  vec_push(&list, (struct path){.condition = term_bool(w.ts, true)});
  bool ok = run(&w, c, &list);
  for (size_t i = 0; ok && i < list.len; i++)
    vec_push(&out->list, list.at[i]);
  if (ok)
    vec_clear(&list);
  else
    list_clear(&list);
  return ok;
}

static void number(struct terms *ts, const struct core *c, const struct core *sampling,
                   unsigned *found, unsigned *total) {
  switch (c->kind) {
  case CORE_SAMPLE:
    if (strcmp(term_var_get(ts, c->var)->name, term_var_get(ts, sampling->var)->name) != 0) break;
    ++*total;
    if (c == sampling) *found = *total;
    break;
  case CORE_SEQ:
  case CORE_IF:
    number(ts, c->first, sampling, found, total);
    number(ts, c->second, sampling, found, total);
    break;
  default: break;
  }
}

unsigned sampling_number(struct terms *ts, const struct core *scope, const struct core *sampling,
                         unsigned *total) {
  unsigned found = 0;
  *total = 0;
  number(ts, scope, sampling, &found, total);
  return found;
}
