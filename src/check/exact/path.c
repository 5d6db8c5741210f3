#include "check/exact/path.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct path *path_new(void) {
  struct path *p = xcalloc(1, sizeof *p);
  measure_init(&p->measure);
  return p;
}

static struct rframe frame_copy(const struct rframe *f) {
  struct rframe copy;
  rframe_init(&copy, f->count);
  for (size_t i = 0; i < f->count; i++)
    copy.at[i] = rvalue_copy(&f->at[i]);
  return copy;
}

static struct path_adversary adversary_copy(const struct path_adversary *a) {
  struct path_adversary copy = *a;
  copy.frame = frame_copy(&a->frame);
  copy.left = xcalloc(a->use_count + 1, sizeof *copy.left);
  memcpy(copy.left, a->left, a->use_count * sizeof *copy.left);
  return copy;
}

struct path *path_copy(const struct path *p) {
  struct path *copy = xcalloc(1, sizeof *copy);
  for (size_t i = 0; i < p->frames.len; i++)
    vec_push(&copy->frames, frame_copy(&p->frames.at[i]));
  for (size_t i = 0; i < p->adversaries.len; i++)
    vec_push(&copy->adversaries, adversary_copy(&p->adversaries.at[i]));
  measure_copy(&copy->measure, &p->measure);
  copy->emit_count = p->emit_count;
  copy->emitted = rvalue_copy(&p->emitted);
  copy->result = rvalue_copy(&p->result);
  copy->points = p->points;
  return copy;
}

void path_free(struct path *p) {
  for (size_t i = 0; i < p->frames.len; i++)
    rframe_clear(&p->frames.at[i]);
  for (size_t i = 0; i < p->adversaries.len; i++) {
    rframe_clear(&p->adversaries.at[i].frame);
    free(p->adversaries.at[i].left);
  }
  vec_clear(&p->frames);
  vec_clear(&p->adversaries);
  measure_clear(&p->measure);
  rvalue_clear(&p->emitted);
  rvalue_clear(&p->result);
  free(p);
}

void path_set_clear(path_set *set) {
  for (size_t i = 0; i < set->len; i++)
    path_free(set->at[i]);
  vec_clear(set);
}

void path_set_move(path_set *to, path_set *from) {
  for (size_t i = 0; i < from->len; i++)
    vec_push(to, from->at[i]);
  vec_clear(from);
}

/* ---- every value of a path ------------------------------------------------------------------ */

typedef void value_visitor(struct rvalue *v, void *context);

static void visit_frame(struct rframe *f, value_visitor *visit, void *context) {
  for (size_t i = 0; i < f->count; i++)
    visit(&f->at[i], context);
}

static void visit_values(struct path *p, value_visitor *visit, void *context) {
  for (size_t i = 0; i < p->frames.len; i++)
    visit_frame(&p->frames.at[i], visit, context);
  for (size_t i = 0; i < p->adversaries.len; i++)
    visit_frame(&p->adversaries.at[i].frame, visit, context);
  visit(&p->emitted, context);
  visit(&p->result, context);
}

struct substitution {
  struct symbolic_context *context;
  symbol s;
  const struct affine *by;
};

static void substitute(struct rvalue *v, void *context) {
  struct substitution *sub = context;
  if (!symbolic_mentions(v, sub->s)) return;
  if (rvalue_is_seq(v)) {
    rvalue_own(v);
    for (size_t i = 0; i < v->as.seq->len; i++)
      substitute(&v->as.seq->at[i], context);
    return;
  }
  symbolic_substitute(v, sub->context, sub->s, sub->by);
}

void path_substitute(struct path *p, struct symbolic_context *context, symbol s,
                     const struct affine *by) {
  struct substitution sub = {context, s, by};
  visit_values(p, substitute, &sub);
}

struct mention {
  symbol s;
  bool found;
};

static void look_for(struct rvalue *v, void *context) {
  struct mention *m = context;
  m->found = m->found || symbolic_mentions(v, m->s);
}

static bool is_live(struct path *p, symbol s) {
  struct mention m = {s, false};
  visit_values(p, look_for, &m);
  return m.found;
}

void path_eliminate_dead(struct path *p, slong precision) {
  for (bool progress = true; progress;) {
    progress = false;
    for (size_t i = p->measure.symbols.len; i-- > 0;) {
      if (i >= p->measure.symbols.len) continue;
      symbol s = p->measure.symbols.at[i].id;
      if (!is_live(p, s)) progress |= measure_eliminate(&p->measure, s, precision) == NULL;
    }
  }
}

/* ---- merging -------------------------------------------------------------------------------- */

/* The name that the only symbol of a path gets, so that paths which differ in nothing else meet. */
enum { CANONICAL_SYMBOL = 0 };

static void canonicalise(struct path *p, struct symbolic_context *context) {
  if (p->measure.symbols.len != 1) return;
  symbol s = p->measure.symbols.at[0].id;
  if (s == CANONICAL_SYMBOL) return;
  struct affine *by = affine_symbol(CANONICAL_SYMBOL);
  measure_rename(&p->measure, s, CANONICAL_SYMBOL);
  path_substitute(p, context, s, by);
  affine_unref(by);
}

static void put_key(struct rvalue *v, void *context) {
  struct buffer *key = context;
  if (rvalue_is_seq(v)) {
    buffer_printf(key, "%d[", (int)v->kind);
    for (size_t i = 0; i < v->as.seq->len; i++)
      put_key(&v->as.seq->at[i], context);
    buffer_putc(key, ']');
  } else if (v->kind == RVALUE_SYMBOLIC) {
    symbolic_key(key, v);
  } else if (v->kind == RVALUE_IRRATIONAL) {
    /* Equal digits do not make equal numbers: only the same node counts. */
    buffer_printf(key, "%p;", (void *)v->as.irrational);
  } else {
    rvalue_print(key, v);
    buffer_putc(key, ';');
  }
}

struct keyed {
  char *key;
  struct path *path;
  size_t order;
};

static int by_key(const void *a, const void *b) {
  const struct keyed *x = a, *y = b;
  int c = strcmp(x->key, y->key);
  return c ? c : (x->order > y->order) - (x->order < y->order);
}

static struct keyed keyed(struct path *p, size_t order) {
  struct buffer key;
  buffer_init(&key);
  buffer_printf(&key, "%zu,%u,", p->emit_count, p->points);
  for (size_t i = 0; i < p->adversaries.len; i++) {
    const struct path_adversary *a = &p->adversaries.at[i];
    buffer_printf(&key, "%d(", a->started);
    for (size_t j = 0; j < a->use_count; j++)
      buffer_printf(&key, "%llu,", (unsigned long long)a->left[j]);
  }
  visit_values(p, put_key, &key);
  return (struct keyed){buffer_take(&key), p, order};
}

char *path_key(struct path *p) {
  return keyed(p, 0).key;
}

void path_set_merge(path_set *set, struct symbolic_context *context, slong precision) {
  if (set->len < 2) return;
  struct keyed *list = xcalloc(set->len, sizeof *list);
  for (size_t i = 0; i < set->len; i++) {
    canonicalise(set->at[i], context);
    list[i] = keyed(set->at[i], i);
  }
  qsort(list, set->len, sizeof *list, by_key);
  size_t kept = 0;
  for (size_t i = 0; i < set->len; i++) {
    if (kept && strcmp(list[kept - 1].key, list[i].key) == 0 &&
        measure_can_merge(&list[kept - 1].path->measure, &list[i].path->measure)) {
      measure_merge(&list[kept - 1].path->measure, &list[i].path->measure, precision);
      path_free(list[i].path);
      free(list[i].key);
    } else {
      list[kept++] = list[i];
    }
  }
  for (size_t i = 0; i < kept; i++) {
    set->at[i] = list[i].path;
    free(list[i].key);
  }
  set->len = kept;
  free(list);
}
